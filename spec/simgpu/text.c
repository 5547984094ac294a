/* text.c: the text that the cpu device's compiler gets for one of the simulated GPU's.
 *
 * The source must begin with the text of prelude_cuda.h; the cpu device's prelude, services_sim.h and block_sim.h take
 * its place, and that of the vocabulary of users' texts its own; a #line keeps the numbers of what follows. With name
 * expressions it is a user's whole source, which begins with the text of raw_cuda.h; the cpu device's texts of that kind
 * take the place of all that stands before the user's #line. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <string.h>

#include "simgpu.h"
#include "spec/support/compile_ahead.h"

extern const char cuna__text_prelude_cuda[], cuna__text_prelude_cpu[], cuna__text_services_sim[],
    cuna__text_block_sim[], cuna__text_raw_cuda[], cuna__text_raw_names[];

static int count_lines(const char *text, const char *end)
{
    int count = 0;
    for (; text < end; text++)
        count += *text == '\n';
    return count;
}

static char *translate_raw(char **log, const struct simgpu_text *given)
{
    char *text = NULL;
    size_t nbytes = 0, length = strlen(cuna__text_raw_cuda);
    if (strncmp(given->source, cuna__text_raw_cuda, length) != 0) {
        *log = strdup("simgpu: the source does not begin with the text of kernels/raw_cuda.h\n");
        return NULL;
    }
    const char *own = strstr(given->source + length, "#line 1 \"");
    FILE *stream = open_memstream(&text, &nbytes);
    const char *const *prelude = cuna__driver_cpu()->facts.raw_preludes;
    while (stream != NULL && *prelude != NULL)
        fputs(*prelude++, stream);
    if (stream != NULL) {
        fputs(own != NULL ? own : given->source + length, stream);
        fclose(stream);
    }
    return text;
}

/* The text of CUDA C++'s vocabulary that follows the prelude in programs with a user's text; 0: another program. */
static size_t measure_vocabulary(const char *text)
{
    size_t length = strlen(cuna__text_raw_cuda), more = strlen(cuna__text_raw_names);
    return strncmp(text, cuna__text_raw_cuda, length) == 0 ? length + more : 0;
}

bool simgpu__text_is_own(const struct simgpu_text *text)
{
    return text->nexpressions == 0 && measure_vocabulary(text->source + strlen(cuna__text_prelude_cuda)) == 0;
}

/* Where a unit's own text begins (runtime/kernel/codegen.c), after the texts that others have as well. */
static const char *find_own(const char *text)
{
    const char *own = strstr(text, "namespace cuna {\nnamespace k0 {\n");
    return own != NULL ? own : text;
}

char *simgpu__text_translate(char **log, const struct simgpu_text *given)
{
    char *text = NULL;
    size_t length = strlen(cuna__text_prelude_cuda);
    if (given->nexpressions > 0)
        return translate_raw(log, given);
    if (strncmp(given->source, cuna__text_prelude_cuda, length) != 0) {
        *log = strdup("simgpu: the source does not begin with the text of kernels/prelude_cuda.h\n");
        return NULL;
    }
    size_t nbytes = 0, more = measure_vocabulary(given->source + length);
    const char *rest = given->source + length + more;
    FILE *stream = open_memstream(&text, &nbytes);
    if (stream == NULL)
        return NULL;
    /* Unoptimised, a kernel is compiled in half the time, and lanes that run one by one are slow in any case. */
    fprintf(stream, "#pragma GCC optimize(\"O0\")\n%s%s%s", cuna__text_prelude_cpu, cuna__text_services_sim,
            cuna__text_block_sim);
    for (const char *const *part = cuna__driver_cpu()->facts.text_preludes + 2; more > 0 && *part != NULL; part++)
        fputs(*part, stream); /* what follows the cpu device's prelude and blocks */
    const char *own = find_own(rest);
    fprintf(stream, "#line %d \"kernels\"\n%.*s", count_lines(given->source, rest) + 1, (int)(own - rest), rest);
    fprintf(stream, AHEAD_MARK "#line %d \"%s\"\n%s", count_lines(given->source, own) + 1, given->name, own);
    fclose(stream);
    return text;
}
