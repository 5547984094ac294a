/* compile_gcc.c: what g++ does, in parts: it starts the compiler proper, the assembler and the linker.
 *
 * The compiler proper is what may have read the beginning of a text before (compile_ahead.c). Its words are what g++
 * shows of itself for "-###": asked once for each call's words, and kept. */
#define _GNU_SOURCE 1
#include "compile_gcc.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_hash.h"
#include "compile_split.h"

#define COMPILER  "/cc1plus "
#define MOST_TEXT 65536

static bool run(const char *program, char *const *words, int errors)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDOUT_FILENO);
        dup2(errors >= 0 ? errors : nothing, STDERR_FILENO);
        execvp(program, words);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Splits the line of the compiler proper at spaces; words that are quoted have none. */
static bool split_line(char *out[GCC_MOST_WORDS + 1], char *text)
{
    char *at = strstr(text, COMPILER), *line = at, *word;
    int count = 0;
    while (line != NULL && line > text && line[-1] != '\n')
        line--;
    if (line == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0'; /* others may have words of make's */
    if (strchr(line, '\\') != NULL)
        return false;
    while ((word = strsep(&line, " ")) != NULL) {
        size_t length = strlen(word);
        bool is_quoted = length >= 2 && *word == '"' && word[length - 1] == '"';
        if (is_quoted)
            word[length - 1] = '\0';
        if (length > 0 && count < GCC_MOST_WORDS)
            out[count++] = word + is_quoted;
    }
    out[count] = NULL;
    return count > 0 && count < GCC_MOST_WORDS;
}

static char *read_whole(int file)
{
    char *text = calloc(1, MOST_TEXT);
    ssize_t nbytes = text != NULL && file >= 0 ? pread(file, text, MOST_TEXT - 1, 0) : -1;
    return nbytes > 0 && nbytes < MOST_TEXT - 1 ? text : NULL;
}

/* What g++ says, from the file where it was kept, or else by asking, into such a file. */
static char *find_said(const char *place, char *const *words)
{
    char fresh[PATH_MAX], *shown[SPLIT_MOST_WORDS + 3];
    int count = 0, file = open(place, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        shown[count++] = words[0];
        shown[count++] = (char *)"-###";
        for (char *const *word = words + 1; *word != NULL && count < SPLIT_MOST_WORDS + 2; word++)
            shown[count++] = *word;
        shown[count] = NULL;
        snprintf(fresh, sizeof fresh, "%.4000s.%d", place, (int)getpid());
        file = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || !run(words[0], shown, file) || rename(fresh, place) != 0)
            unlink(fresh);
    }
    char *text = read_whole(file);
    close(file);
    return text;
}

bool compile_gcc_words(char *out[GCC_MOST_WORDS + 1], const char *own, char *const *words)
{
    char name[HASH_NAME_NBYTES], place[PATH_MAX];
    struct hash hash = {.nbytes = 0};
    for (char *const *word = words; *word != NULL; word++)
        hash_add(&hash, *word, strlen(*word) + 1);
    hash_name(name, &hash);
    snprintf(place, sizeof place, "%.3900s/kept/words.%.16s", own, name);
    char *said = find_said(place, words);
    return said != NULL && split_line(out, said);
}

bool compile_gcc_assemble(const char *object)
{
    char *const words[] = {(char *)"as", (char *)"-o", (char *)object, (char *)GCC_ASSEMBLY, NULL};
    return run("as", words, -1);
}
