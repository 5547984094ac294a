/* compile_once.c: a compiler that does not compile a text twice in a run of the suite.
 *
 * It stands on PATH before the compiler of its name, which it runs. Both devices compile a user's text to the same code,
 * and processes with caches of their own the same kernels again. The file after -o is kept in the folder kept/ beside
 * this program, under the hash of all arguments and of the files among them, and the next time it is copied from there.
 * Only what is a function of these is kept: a text that includes headers of the system or none, and that compiles
 * without a message. A compiler that has read the beginning of the text before is asked first (compile_request.c).
 *
 * ONCE_TIMES in the environment of the process that calls it, which hides its own from compilers, is a file that each
 * call adds a line to: the processor time of the compiler in milliseconds, whether its output was kept before (0 and
 * "kept"), is kept now ("new") or cannot be ("apart"), and how much of the time such a compiler took. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_find.h"
#include "compile_hash.h"
#include "compile_request.h"

/* Whether a text includes a file that is not named in angle brackets. */
static bool reads_files(const char *text, size_t nbytes)
{
    static const char word[] = "include";
    const char *end = text + nbytes;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, strlen(word))) != NULL; at++) {
        const char *before = at, *after = at + strlen(word);
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        while (after < end && (*after == ' ' || *after == '\t'))
            after++;
        if (before > text && before[-1] == '#' && (after == end || *after != '<'))
            return true;
    }
    return false;
}

/* Adds a file's text to the hash; false: it includes users' files, or cannot be read. */
static bool hash_file(struct hash *hash, const char *path, size_t nbytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *text = file >= 0 ? mmap(NULL, nbytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (text == MAP_FAILED)
        return false;
    bool is_closed = !reads_files(text, nbytes);
    hash_add(hash, text, nbytes);
    munmap(text, nbytes);
    return is_closed;
}

/* Whether an option names a place of headers besides the one that cuna writes. */
static bool adds_headers(const char *word)
{
    return strcmp(word, "-Iinclude~") != 0 && (strncmp(word, "-I", 2) == 0 || strncmp(word, "-include", 8) == 0 ||
                                               strncmp(word, "-isystem", 8) == 0);
}

static void hash_word(struct hash *hash, const char *word)
{
    char path[PATH_MAX];
    if (*word == '/' && realpath(word, path) != NULL)
        word = path;
    hash_add(hash, word, strlen(word) + 1);
}

/* A name for what the arguments make of the files in this folder; false: something else may have a part in it. */
static bool hash_call(char name[HASH_NAME_NBYTES], char *const *words)
{
    struct hash hash = {.nbytes = 0};
    struct stat file;
    int texts = 0;
    for (; *words != NULL; words++) {
        if (adds_headers(*words))
            return false;
        hash_word(&hash, *words);
        if (**words == '-' || **words == '/' || stat(*words, &file) != 0 || !S_ISREG(file.st_mode))
            continue;
        texts++;
        if (!hash_file(&hash, *words, (size_t)file.st_size))
            return false;
    }
    hash_name(name, &hash);
    return texts > 0;
}

static const char *find_output(char *const *arguments)
{
    for (; *arguments != NULL; arguments++)
        if (strcmp(*arguments, "-o") == 0)
            return arguments[1];
    return NULL;
}

static bool copy(const char *from, const char *to)
{
    struct stat file;
    int source = open(from, O_RDONLY | O_CLOEXEC);
    int copied = source >= 0 ? open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755) : -1;
    bool is_whole = copied >= 0 && fstat(source, &file) == 0;
    for (off_t left = is_whole ? file.st_size : 0; left > 0 && is_whole;) {
        ssize_t nbytes = sendfile(copied, source, NULL, (size_t)left);
        is_whole = nbytes > 0;
        left -= nbytes;
    }
    if (source >= 0)
        close(source);
    if (copied >= 0)
        close(copied);
    return is_whole;
}

static long milliseconds(struct timeval time)
{
    return time.tv_sec * 1000 + time.tv_usec / 1000;
}

/* The value that a variable had when the process that called this one began. */
static bool find_of_caller(char out[PATH_MAX], const char *name)
{
    char path[64], *word = NULL;
    size_t room = 0, length = strlen(name);
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    FILE *file = fopen(path, "r");
    bool is_found = false;
    while (file != NULL && !is_found && getdelim(&word, &room, 0, file) > 0) {
        is_found = strncmp(word, name, length) == 0 && word[length] == '=';
        if (is_found)
            snprintf(out, PATH_MAX, "%s", word + length + 1);
    }
    if (file != NULL)
        fclose(file);
    free(word);
    return is_found;
}

/* Adds a line about this call; `elsewhere_ms` of its time is not that of a child of this process. */
static void account(const char *what, long elsewhere_ms)
{
    char path[PATH_MAX];
    struct rusage used;
    int file = find_of_caller(path, "ONCE_TIMES") ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (file < 0)
        return;
    getrusage(RUSAGE_CHILDREN, &used);
    dprintf(file, "%ld %s %ld\n", milliseconds(used.ru_utime) + milliseconds(used.ru_stime) + elsewhere_ms, what,
            elsewhere_ms);
    close(file);
}

/* Runs the compiler. If it fails, this process ends as it did. */
static void run(char *const *words)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execv(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        exit(127);
    if (status != 0)
        account("apart", 0);
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    if (status != 0)
        exit(WEXITSTATUS(status));
}

static void keep(const char *output, const char *place)
{
    char *fresh;
    if (asprintf(&fresh, "%s.%d", place, (int)getpid()) < 0)
        return;
    if (!copy(output, fresh) || rename(fresh, place) != 0)
        unlink(fresh);
}

int main(int count, char **words)
{
    char own[PATH_MAX], compiler[PATH_MAX], name[HASH_NAME_NBYTES], place[PATH_MAX + 80];
    struct stat log;
    if (count < 1 || !compile_find_own_folder(own) || !compile_find_next(compiler, own, words[0])) {
        fputs("compile_once: no compiler of this name on PATH\n", stderr);
        return 127;
    }
    const char *output = find_output(words + 1);
    words[0] = compiler;
    bool is_function = output != NULL && hash_call(name, words);
    snprintf(place, sizeof place, "%s/kept/%s", own, is_function ? name : "");
    if (is_function && copy(place, output)) {
        account("kept", 0);
        return 0;
    }
    long elsewhere_us = 0;
    if (!is_function || !compile_request(&elsewhere_us, own, words))
        run(words);
    is_function = is_function && fstat(STDERR_FILENO, &log) == 0 && S_ISREG(log.st_mode) && log.st_size == 0;
    account(is_function ? "new" : "apart", elsewhere_us / 1000);
    if (is_function)
        keep(output, place);
    return 0;
}
