/* compile_ahead.c: what is preloaded into a compiler, so that it reads a beginning of texts once for many kernels, and
 * into a linker so that it starts once for many.
 *
 * Most of what compiling a kernel costs is the start of the compiler and the texts of kernels/ that precede it. The
 * compiler is started with such a beginning, which ends with an #include of AHEAD_REST. When it opens that file, it has
 * read all before it. It stays there, and forks for each request: the child goes on with the rest of the text that came
 * with the request, in the folder of the request. The output, which was opened before, is opened again there. A linker
 * waits where it opens its first input, AHEAD_OBJECT, by then half of its work is done. */
#define _GNU_SOURCE 1
#include "compile_ahead.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

typedef int open_function(const char *path, int flags, ...);
typedef FILE *fopen_function(const char *path, const char *mode);

static open_function *system_open;
static fopen_function *system_fopen;
static int output = -1, customer = -1;
static char output_path[PATH_MAX];

static long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000 + time.tv_usec;
}

/* The compiler has closed and renamed its output; what it would do now is to free memory. */
static void reply(int status, void *unused)
{
    struct rusage used;
    (void)unused;
    getrusage(RUSAGE_SELF, &used);
    struct ahead_reply reply = {microseconds(used.ru_utime) + microseconds(used.ru_stime)};
    if (status == 0)
        send(customer, &reply, sizeof reply, MSG_NOSIGNAL);
    _exit(status);
}

/* The descriptor of the rest of the text, and where to work; -1: not a request. */
static int receive(char folder[PATH_MAX])
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec text = {folder, PATH_MAX - 1};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t nbytes = recvmsg(customer, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *found = nbytes > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    int rest = -1;
    if (found == NULL || found->cmsg_type != SCM_RIGHTS)
        return -1;
    memcpy(&rest, CMSG_DATA(found), sizeof rest);
    folder[nbytes] = 0;
    return rest;
}

/* The output of this call, in place of the one that was opened before the fork. */
static bool open_output(void)
{
    if (output < 0)
        return true;
    int own = system_open(output_path, O_RDWR | O_CREAT | O_EXCL, 0666);
    bool is_open = own >= 0 && dup2(own, output) >= 0;
    close(own);
    return is_open;
}

/* In the child: the rest of the text, after the output was opened in its folder. */
static int begin_request(void)
{
    char folder[PATH_MAX];
    int rest = receive(folder);
    if (rest < 0 || chdir(folder) != 0 || !open_output())
        _exit(1);
    close(AHEAD_DOOR);
    signal(SIGCHLD, SIG_DFL);
    on_exit(reply, NULL);
    return rest;
}

/* Ends with nobody asking, or when the folder was removed with what was kept. */
static void wait_for_customer(void)
{
    struct pollfd door = {.fd = AHEAD_DOOR, .events = POLLIN};
    for (int second = 0; poll(&door, 1, 1000) <= 0; second++)
        if (second >= AHEAD_IDLE_S || access("door", F_OK) != 0)
            _exit(0);
    customer = accept4(AHEAD_DOOR, NULL, NULL, SOCK_CLOEXEC);
}

static int open_rest(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        wait_for_customer();
        if (customer >= 0 && fork() == 0)
            return begin_request();
        close(customer);
    }
}

static bool has_name(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash != NULL ? slash + 1 : path, name) == 0;
}

static void note_output(const char *path, int file)
{
    if (file < 0 || strlen(path) >= sizeof output_path)
        return;
    strcpy(output_path, path);
    output = file;
}

static int open_for_compiler(const char *path, int flags, mode_t mode)
{
    if (has_name(path, AHEAD_REST))
        return open_rest();
    int file = system_open(path, flags, mode);
    if (flags & O_CREAT)
        note_output(path, file);
    return file;
}

static FILE *open_for_linker(const char *path, const char *mode)
{
    if (has_name(path, AHEAD_OBJECT))
        return fdopen(open_rest(), mode);
    FILE *file = system_fopen(path, mode);
    if (file != NULL && *mode == 'w')
        note_output(path, fileno(file));
    return file;
}

__attribute__((constructor)) static void find_system(void)
{
    system_open = (open_function *)dlsym(RTLD_NEXT, "open64");
    system_fopen = (fopen_function *)dlsym(RTLD_NEXT, "fopen64");
}

/* The two names that calls of each have. */
#define OPEN(name)                                                                    \
    __attribute__((visibility("default"))) int name(const char *path, int flags, ...) \
    {                                                                                 \
        va_list rest;                                                                 \
        va_start(rest, flags);                                                        \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                     \
        va_end(rest);                                                                 \
        return open_for_compiler(path, flags, mode);                                  \
    }
#undef open
#undef open64
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                       \
    __attribute__((visibility("default"))) FILE *name(const char *path, const char *mode) \
    {                                                                                     \
        return open_for_linker(path, mode);                                               \
    }
#undef fopen
#undef fopen64
FOPEN(fopen)
FOPEN(fopen64)
