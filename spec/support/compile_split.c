/* compile_split.c: a call of a compiler that compiles and links, in two parts.
 *
 * A driver that links starts the compiler in another process, which cannot be one that has read the beginning of the
 * text before (compile_request.c), and costs more than the linker itself. */
#define _GNU_SOURCE 1
#include "compile_split.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_ahead.h"

static bool makes_library(char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, "-shared") == 0)
            return true;
    return false;
}

static bool add(char **list, int *count, char *word)
{
    if (*count == SPLIT_MOST_WORDS)
        return false;
    list[(*count)++] = word;
    list[*count] = NULL;
    return true;
}

/* The words of a driver's option for the linker, between its commas. */
static bool add_parts(char **list, int *count, const char *option)
{
    char *parts = strdup(option), *part;
    strsep(&parts, ",");
    while ((part = strsep(&parts, ",")) != NULL)
        if (!add(list, count, part))
            return false;
    return true;
}

static bool is_archive(const char *word)
{
    size_t length = strlen(word);
    return *word != '-' && length > 2 && strcmp(word + length - 2, ".a") == 0;
}

/* Whether a word is about linking, and nothing for the linker itself. */
static bool is_of_driver(const char *word)
{
    return strcmp(word, "-shared") == 0 || strcmp(word, "-nostdlib") == 0 || strcmp(word, "-pipe") == 0;
}

bool compile_split(struct split *out, char *const *words)
{
    int compiled = 0, linked = 0;
    static char *const first[] = {"ld", "-shared", AHEAD_OBJECT};
    if (!makes_library(words))
        return false;
    bool fits = true;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        fits = fits && add(out->link, &linked, first[i]);
    fits = fits && add(out->compile, &compiled, *words++) && add(out->compile, &compiled, "-c");
    for (; *words != NULL && fits; words++) {
        if (strncmp(*words, "-Wl,", 4) == 0)
            fits = add_parts(out->link, &linked, *words);
        else if (strncmp(*words, "-l", 2) == 0 || is_archive(*words))
            fits = add(out->link, &linked, *words);
        else if (strcmp(*words, "-o") == 0 && words[1] != NULL)
            fits = add(out->link, &linked, *words++) && add(out->link, &linked, *words);
        else if (!is_of_driver(*words))
            fits = add(out->compile, &compiled, *words);
    }
    return fits && add(out->compile, &compiled, "-o") && add(out->compile, &compiled, AHEAD_OBJECT);
}

bool compile_split_link(const struct split *split, const char *own)
{
    char linker[PATH_MAX + 8];
    int status = 0;
    snprintf(linker, sizeof linker, "%s/ld", own);
    pid_t child = vfork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execv(linker, split->link);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
