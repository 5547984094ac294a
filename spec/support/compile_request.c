/* compile_request.c: asks a compiler that has read the beginning of a text ahead (compile_ahead.c, compile_door.c). */
#define _GNU_SOURCE 1
#include "compile_request.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile_ahead.h"
#include "compile_door.h"
#include "compile_gcc.h"
#include "compile_split.h"

#define HEAD_NAME "head.cc"
#define OWN_TEXT  "namespace cuna {\nnamespace k0 {\n" /* of a unit (runtime/kernel/codegen.c) */
#define RAW_TEXT  "\n#line 1 \""                       /* of raw kernels (runtime/cpu/compile/source.c) */

/* A call of the compiler: its words but the text, and the two parts of that. */
struct call {
    char *words[SPLIT_MOST_WORDS + 1];
    const char *text, *rest;
    size_t nbytes;
};

/* What follows the texts that other units begin with as well: the simulated GPU marks it. */
static const char *find_own(const char *text, size_t nbytes)
{
    const char *mark = memmem(text, nbytes, AHEAD_MARK, strlen(AHEAD_MARK));
    return mark != NULL ? mark + strlen(AHEAD_MARK) : memmem(text, nbytes, OWN_TEXT, strlen(OWN_TEXT));
}

/* The source of raw kernels, after the texts before it. Headers that it includes are in the folder of its call, where
 * such a compiler has not looked. */
static const char *find_raw(const char *text, size_t nbytes)
{
    const char *line = memmem(text, nbytes, RAW_TEXT, strlen(RAW_TEXT));
    bool includes =
        line != NULL && memmem(line, nbytes - (size_t)(line - text), "#include", strlen("#include")) != NULL;
    return line != NULL && !includes ? line + 1 : NULL;
}

static const char *find_rest(const char *text, size_t nbytes)
{
    const char *own = find_own(text, nbytes);
    return own != NULL ? own : find_raw(text, nbytes);
}

/* Maps the text of a call, if this word is one with a beginning that others have. */
static bool read_text(struct call *call, const char *word)
{
    struct stat facts;
    int file = *word == '-' || *word == '/' ? -1 : open(word, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool is_text = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    void *text = is_text ? mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (text == MAP_FAILED)
        return false;
    call->text = text;
    call->nbytes = (size_t)facts.st_size;
    call->rest = find_rest(text, call->nbytes);
    return call->rest != NULL;
}

/* Takes the call apart; false: it has no text with such a beginning. */
static bool read_call(struct call *call, char *const *words)
{
    int count = 0;
    for (; *words != NULL && count < SPLIT_MOST_WORDS; words++) {
        bool is_output = count > 0 && strcmp(call->words[count - 1], "-o") == 0;
        if (is_output && strchr(*words, '/') != NULL)
            return false;
        bool is_text = !is_output && count > 0 && call->rest == NULL && read_text(call, *words);
        call->words[count++] = is_text ? (char *)HEAD_NAME : *words;
    }
    call->words[count] = NULL;
    return *words == NULL && call->rest != NULL;
}

static int write_rest(const struct call *call)
{
    size_t nbytes = call->nbytes - (size_t)(call->rest - call->text);
    int rest = memfd_create(AHEAD_REST, MFD_CLOEXEC);
    if (rest >= 0 && write(rest, call->rest, nbytes) == (ssize_t)nbytes && lseek(rest, 0, SEEK_SET) == 0)
        return rest;
    close(rest);
    return -1;
}

/* Whether the program has this name, and perhaps a version after it. */
static bool is_called(const char *compiler, const char *name)
{
    const char *slash = strrchr(compiler, '/');
    return strncmp(slash != NULL ? slash + 1 : compiler, name, strlen(name)) == 0;
}

/* Of a call whose text is HEAD_NAME, by the program that `words` start. */
static bool ask(long *microseconds, const char *own, const struct call *call, char *const *words)
{
    const struct compile_door door = {.own = own,
                                      .words = words,
                                      .file = HEAD_NAME,
                                      .head = call->text,
                                      .head_nbytes = (size_t)(call->rest - call->text),
                                      .tail = "#include \"" AHEAD_REST "\"\n"};
    int rest = write_rest(call);
    bool is_made = compile_door_ask(microseconds, &door, rest);
    close(rest);
    return is_made;
}

static bool request(long *microseconds, const char *own, char *const *words)
{
    struct call call = {.rest = NULL};
    return read_call(&call, words) && ask(microseconds, own, &call, call.words);
}

/* g++ starts others, which do parts of the work: the compiler proper makes assembly, and the assembler the object. */
static bool request_of_gcc(long *microseconds, const char *own, char *const *words)
{
    struct call call = {.rest = NULL};
    char *proper[GCC_MOST_WORDS + 1];
    if (!read_call(&call, words))
        return false;
    for (char **word = call.words; *word != NULL; word++)
        *word = strcmp(*word, "-c") == 0           ? (char *)"-S"
                : strcmp(*word, AHEAD_OBJECT) == 0 ? (char *)GCC_ASSEMBLY
                                                   : *word;
    return compile_gcc_words(proper, own, call.words) && ask(microseconds, own, &call, proper) &&
           compile_gcc_assemble(AHEAD_OBJECT);
}

bool compile_request(long *microseconds, const char *own, char *const *words)
{
    struct split split;
    bool is_gcc = is_called(words[0], "g++");
    if ((!is_gcc && !is_called(words[0], "clang")) || !compile_door_is_open())
        return false;
    if (!compile_split(&split, words))
        return !is_gcc && request(microseconds, own, words);
    return (is_gcc ? request_of_gcc : request)(microseconds, own, split.compile) && compile_split_link(&split, own);
}
