/* compile_link.c: a linker that reads short lists of names in place of the system's libraries when it links a kernel.
 *
 * Four fifths of what linking a kernel costs is to read the thousands of names that libc and libm have. This program
 * stands on PATH before the linker. A kernel it links first with the folder names/ beside it, whose libraries have names
 * and versions of the system's, but only the functions that kernels call (link_names.sh): the output is the same. What
 * needs other functions, or is wrong, is linked with the system's libraries, which have the last word.
 *
 * A linker that has started before is asked first (compile_ahead.c).
 *
 * What compilers add for optimisation at link time, which kernels do without, is left out too. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_ahead.h"
#include "compile_door.h"
#include "compile_find.h"

#define KERNEL     "image~" /* as runtime/cpu/compile/compile.c and spec/simgpu/compile.c call it */
#define MOST_WORDS 512

static bool links_kernel(char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, "-o") == 0)
            return words[1] != NULL && strcmp(words[1], KERNEL) == 0;
    return false;
}

/* The words of the call with `folder`, an option, as the first place of libraries; false: too many. */
static bool rewrite(char *out[MOST_WORDS + 1], char *folder, char *const *words)
{
    int count = 0;
    out[count++] = *words++;
    out[count++] = folder;
    for (; *words != NULL && count < MOST_WORDS; words++) {
        bool is_plugin = strcmp(*words, "-plugin") == 0 && words[1] != NULL;
        if (is_plugin)
            words++;
        else if (strncmp(*words, "-plugin-opt=", strlen("-plugin-opt=")) != 0)
            out[count++] = *words;
    }
    out[count] = NULL;
    return *words == NULL;
}

/* Without its messages. */
static bool run(char *const *words)
{
    int status = 0;
    pid_t child = vfork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execv(words[0], words);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool has_object(char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, AHEAD_OBJECT) == 0)
            return true;
    return false;
}

/* By a linker that waits for its object. */
static bool request(const char *own, char *const *words)
{
    const struct compile_door door = {.own = own, .words = words, .file = AHEAD_OBJECT, .head = "", .tail = ""};
    int object = has_object(words) && compile_door_is_open() ? open(AHEAD_OBJECT, O_RDONLY | O_CLOEXEC) : -1;
    long unused;
    bool is_made = object >= 0 && compile_door_ask(&unused, &door, object);
    close(object);
    return is_made;
}

int main(int count, char **words)
{
    char own[PATH_MAX], linker[PATH_MAX], folder[PATH_MAX + 16], *shorter[MOST_WORDS + 1];
    if (count < 1 || !compile_find_own_folder(own) || !compile_find_next(linker, own, words[0])) {
        fputs("compile_link: no linker of this name on PATH\n", stderr);
        return 127;
    }
    words[0] = linker;
    snprintf(folder, sizeof folder, "-L%s/names", own);
    if (links_kernel(words) && rewrite(shorter, folder, words) && (request(own, shorter) || run(shorter)))
        return 0;
    execv(linker, words);
    return 127;
}
