/* compiler.c: finds and starts the system's C++ compiler.
 *
 * It is started with an argument vector, never a shell, and with an environment of four variables: CPATH,
 * GCC_EXEC_PREFIX and similar ones would change a kernel's meaning without changing its key.
 *
 * It ends with this process, also when that is killed. Compiler and its children have one end of a pipe open, which
 * their process group owns; the system signals the owner when the other end is closed, which this process has (and what
 * it forks). PR_SET_PDEATHSIG would end the compiler with the thread that started it, and would not reach the
 * compiler's children, which do the work. */
#define _GNU_SOURCE 1
#include "cpu/compile/compiler.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/interrupt.h"
#include "cpu/execute/install.h"

#define LOOK_MS 20 /* between checks for a user interrupt */

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static const char *search_path(void)
{
    const char *path = cuna__environment_text("PATH");
    return path != NULL ? path : "/usr/local/bin:/usr/bin:/bin";
}

static bool is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

/* Relative folders of PATH are skipped: the compiler runs in another working directory. */
static bool find_on_path(char path[PATH_MAX], const char *name)
{
    for (const char *place = search_path(); *place != 0;) {
        size_t length = strcspn(place, ":");
        int wrote = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, place, name);
        if (*place == '/' && wrote < PATH_MAX && is_program(path))
            return true;
        place += length + (place[length] == ':');
    }
    return false;
}

bool cuna__cpu_compiler_program(char path[PATH_MAX], const char *name)
{
    if (strchr(name, '/') == NULL)
        return find_on_path(path, name);
    if (*name == '/')
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
    return realpath(name, path) != NULL && is_program(path);
}

/* Splits a command at spaces and finds its program; further words are its first arguments. */
static bool take_command(cuna_compiler *out, const char *command)
{
    char path[PATH_MAX], name[256];
    const char *rest = command + strspn(command, " ");
    size_t length = strcspn(rest, " ");
    if (length == 0 || snprintf(name, sizeof name, "%.*s", (int)length, rest) >= (int)sizeof name)
        return false;
    if (!cuna__cpu_compiler_program(path, name) ||
        snprintf(out->text, sizeof out->text, "%s%s", path, rest + length) >= (int)sizeof out->text)
        return false;
    /* The words point into out->text, which strsep cuts at the spaces. */
    char *more = out->text + strlen(path), *word;
    out->nwords = 0;
    out->words[out->nwords++] = out->text;
    if (*more == ' ')
        *more++ = 0;
    while ((word = strsep(&more, " ")) != NULL && out->nwords < CUNA_COMPILER_WORDS)
        if (*word != 0)
            out->words[out->nwords++] = word;
    out->words[out->nwords] = NULL;
    return true;
}

bool cuna__cpu_compiler_find(cuna_compiler *out)
{
    static const char *const usual[] = {"g++", "c++", "clang++"};
    const char *asked = cuna__environment_text("CUNA_CXX"), *habit = cuna__environment_text("CXX");
    if (asked != NULL)
        return take_command(out, asked);
    if (habit != NULL && take_command(out, habit))
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (take_command(out, usual[i]))
            return true;
    return false;
}

struct start {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char path[PATH_MAX + 8], home[PATH_MAX + 8], tmpdir[CUNA_FOLDER_NBYTES + 8];
    char *environment[5];
};

static void fill_environment(struct start *start, const char *folder)
{
    const char *home = cuna__environment_text("HOME");
    snprintf(start->path, sizeof start->path, "PATH=%s", search_path());
    snprintf(start->home, sizeof start->home, "HOME=%s", home != NULL ? home : "/");
    snprintf(start->tmpdir, sizeof start->tmpdir, "TMPDIR=%s", folder);
    start->environment[0] = start->path;
    start->environment[1] = start->home;
    start->environment[2] = start->tmpdir;
    start->environment[3] = "LANG=C";
    start->environment[4] = NULL;
}

/* Signals are reset to defaults: an embedding program may ignore or block some that compilers rely on. The compiler has
 * a separate process group: a terminal's Ctrl-C reaches only this process, which then decides. */
static void fill_attributes(struct start *start)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&start->attributes, &none);
    posix_spawnattr_setsigdefault(&start->attributes, &all);
    posix_spawnattr_setpgroup(&start->attributes, 0);
    posix_spawnattr_setflags(&start->attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

#define BOND 3 /* in the compiler; other files of the script are closed there: it would keep pipes open, and locks */

/* glibc 2.34 */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
    __attribute__((weak));

/* Closes what is open now, by number: an older library or another has no closefrom. */
static int close_listed(struct start *start, int from)
{
    DIR *list = opendir("/proc/self/fd");
    const struct dirent *entry;
    int failed = 0;
    while (list != NULL && failed == 0 && (entry = readdir(list)) != NULL) {
        int file = atoi(entry->d_name); /* 0 for . and .. */
        if (file >= from)
            failed = posix_spawn_file_actions_addclose(&start->actions, file);
    }
    if (list != NULL)
        closedir(list);
    return failed;
}

static int close_files(struct start *start, int from)
{
    if (posix_spawn_file_actions_addclosefrom_np != NULL)
        return posix_spawn_file_actions_addclosefrom_np(&start->actions, from);
    return close_listed(start, from);
}

static int fill_actions(struct start *start, const char *folder, int bond)
{
    int failed = 0;
    if (bond >= 0)
        failed = posix_spawn_file_actions_adddup2(&start->actions, bond, BOND); /* not closed at the start */
    if (failed == 0) /* as early as possible: until then the script's files stay locked when it closes them */
        failed = close_files(start, bond < 0 ? BOND : BOND + 1);
    if (failed == 0)
        failed = posix_spawn_file_actions_addchdir_np(&start->actions, folder);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(&start->actions, 0, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(&start->actions, 1, CUNA_COMPILER_LOG, O_WRONLY | O_CREAT, 0600);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(&start->actions, 1, 2);
    return failed;
}

/* The ends of the pipe that ends a compiler with this process; -1 where there is none. */
struct bond {
    int theirs, ours;
};

static struct bond open_bond(void)
{
    int ends[2];
    return pipe2(ends, O_CLOEXEC) == 0 ? (struct bond){ends[0], ends[1]} : (struct bond){-1, -1};
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Makes the group of a compiler the owner of its end, which this process closes: it is open in the compiler. */
static void tie(struct bond *bond, pid_t group)
{
    if (bond->theirs >= 0) {
        fcntl(bond->theirs, F_SETOWN, -group);
        fcntl(bond->theirs, F_SETSIG, SIGKILL);
        fcntl(bond->theirs, F_SETFL, O_ASYNC);
    }
    close_end(&bond->theirs);
}

/* Waits for the child; after a user interrupt, kills it and its children. On kernels without process descriptors it
 * waits until the child ends. */
static void watch(pid_t child)
{
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd ended = {.fd = descriptor, .events = POLLIN};
    if (descriptor < 0)
        return;
    while (!cuna_is_cancelled() && poll(&ended, 1, LOOK_MS) <= 0)
        continue;
    if (cuna_is_cancelled())
        kill(-child, SIGKILL);
    close(descriptor);
}

static int wait_for(pid_t child, bool may_end)
{
    int status;
    pid_t ended;
    if (may_end)
        watch(child);
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    errno = 0;
    if (ended < 0)
        return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* posix_spawn and not fork: the script may have threads, and gigabytes of memory whose page tables a fork would copy. */
static int start_compiler(pid_t *child, const char *folder, const char *const *argv, int bond)
{
    struct start start;
    int failed = posix_spawn_file_actions_init(&start.actions);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&start.attributes);
    if (failed != 0)
        goto no_attributes;
    fill_environment(&start, folder);
    fill_attributes(&start);
    failed = fill_actions(&start, folder, bond);
    if (failed == 0)
        failed = posix_spawn(child, argv[0], &start.actions, &start.attributes, (char *const *)argv, start.environment);
    posix_spawnattr_destroy(&start.attributes);
no_attributes:
    posix_spawn_file_actions_destroy(&start.actions);
    return failed;
}

int cuna__cpu_compiler_run(const char *folder, const char *const *argv, bool may_end)
{
    pid_t child;
    int status = -1;
    struct bond bond = open_bond();
    int failed = start_compiler(&child, folder, argv, bond.theirs);
    if (failed == 0) {
        tie(&bond, child);
        status = wait_for(child, may_end);
        failed = errno;
    }
    close_end(&bond.theirs);
    close_end(&bond.ours);
    errno = failed;
    return status;
}

bool cuna__cpu_compiler_lanes(char path[CUNA_FOLDER_NBYTES])
{
    return cuna__cpu_install_find(path, "lanes", ".a", false);
}
