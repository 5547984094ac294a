/* compile_door.c: asks a program that waits in the middle of its work (compile_ahead.c).
 *
 * There is one for each beginning and options, in a folder of kept/, and for each priority: who waits must not get one
 * that was started in the background. The first call with them starts it, and it ends by itself when nobody asks. It
 * lives in a session of its own, with the environment and limits of who starts it. */
#define _GNU_SOURCE 1
#include "compile_door.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_ahead.h"
#include "compile_hash.h"

#define MOST_FILES 1024 /* that a process has open, if it is not made to have more */

bool compile_door_is_open(void)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_CPU};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (getrlimit(limits[i], &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
            return false;
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded == NULL || *preloaded == 0;
}

static bool make_folder(char folder[PATH_MAX], const struct compile_door *door)
{
    char name[HASH_NAME_NBYTES];
    struct hash hash = {.nbytes = 0};
    int priority = getpriority(PRIO_PROCESS, 0);
    hash_add(&hash, &priority, sizeof priority);
    for (char *const *word = door->words; *word != NULL; word++)
        hash_add(&hash, *word, strlen(*word) + 1);
    hash_add(&hash, door->head, door->head_nbytes);
    hash_name(name, &hash);
    int length = snprintf(folder, PATH_MAX, "%s/kept/ahead.%.16s", door->own, name);
    return length < PATH_MAX && (mkdir(folder, 0700) == 0 || errno == EEXIST);
}

static bool write_file(const struct compile_door *door)
{
    FILE *file = fopen(door->file, "we");
    if (file == NULL)
        return false;
    fwrite(door->head, 1, door->head_nbytes, file);
    fputs(door->tail, file);
    return fclose(file) == 0;
}

static void become_program(const struct compile_door *door, int socket)
{
    char preloaded[PATH_MAX + 32];
    snprintf(preloaded, sizeof preloaded, "LD_PRELOAD=%s/ahead.so", door->own);
    char *const environment[] = {preloaded, "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "LD_BIND_NOW=1", NULL};
    int nothing = open("/dev/null", O_RDWR);
    for (int file = 0; file < AHEAD_DOOR; file++)
        dup2(nothing, file);
    dup2(socket, AHEAD_DOOR);
    for (int file = AHEAD_DOOR + 1; file < MOST_FILES; file++)
        close(file);
    execve(door->words[0], door->words, environment);
    _exit(127);
}

/* A process that is not a child of this one. */
static void start_program(const struct compile_door *door, int socket)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            become_program(door, socket);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static int open_socket(void)
{
    return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

/* With the folder as the current one, whose path may be longer than a socket's may be. Requests wait in the socket
 * until the program has come to its point. */
static int connect_or_start(const struct compile_door *door)
{
    static const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "door"};
    const struct sockaddr *to = (const struct sockaddr *)&address;
    int customer = open_socket(), waits = -1;
    if (connect(customer, to, sizeof address) == 0)
        return customer;
    int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX) == 0 && connect(customer, to, sizeof address) != 0) {
        unlink("door");
        waits = open_socket();
        if (write_file(door) && bind(waits, to, sizeof address) == 0 && listen(waits, 64) == 0 &&
            connect(customer, to, sizeof address) == 0)
            start_program(door, waits);
    }
    close(waits);
    close(lock);
    return customer;
}

static bool send_request(int customer, const char *folder, int rest)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec text = {(char *)folder, strlen(folder)};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.head), &rest, sizeof rest);
    return sendmsg(customer, &message, MSG_NOSIGNAL) > 0;
}

bool compile_door_ask(long *microseconds, const struct compile_door *door, int rest)
{
    char folder[PATH_MAX], theirs[PATH_MAX];
    struct ahead_reply reply;
    if (rest < 0 || !make_folder(theirs, door) || getcwd(folder, sizeof folder) == NULL || chdir(theirs) != 0)
        return false;
    int customer = connect_or_start(door);
    bool is_made =
        send_request(customer, folder, rest) && recv(customer, &reply, sizeof reply, 0) == (ssize_t)sizeof reply;
    close(customer);
    if (chdir(folder) != 0)
        exit(127);
    *microseconds = is_made ? reply.microseconds : 0;
    return is_made;
}
