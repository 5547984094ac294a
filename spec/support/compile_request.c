/* compile_request.c: asks a compiler that has read the beginning of a text ahead (compile_ahead.c).
 *
 * There is one for each beginning and options, in a folder of kept/, and for each priority: who waits must not get a
 * compiler that was started in the background. The first call with them starts it, and it ends by itself when nobody
 * asks. It lives in a session of its own, with the environment and limits of who starts it, so calls that have limits or
 * preload something start and ask none. */
#define _GNU_SOURCE 1
#include "compile_request.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile_ahead.h"
#include "compile_hash.h"
#include "compile_split.h"

#define HEAD_NAME  "head.cc"
#define OWN_TEXT   "namespace cuna {\nnamespace k0 {\n" /* of a unit (runtime/kernel/codegen.c) */
#define MOST_FILES 1024                                 /* that a process has open, if it is not made to have more */

/* A call of the compiler: its words but the text, and the two parts of that. */
struct call {
    char *words[SPLIT_MOST_WORDS + 1];
    const char *text, *rest;
    size_t nbytes;
    char folder[PATH_MAX];
};

static bool is_plain_process(void)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_CPU};
    struct rlimit limit;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (getrlimit(limits[i], &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
            return false;
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded == NULL || *preloaded == 0;
}

/* What follows the texts that other units begin with as well: the simulated GPU marks it. */
static const char *find_rest(const char *text, size_t nbytes)
{
    const char *mark = memmem(text, nbytes, AHEAD_MARK, strlen(AHEAD_MARK));
    return mark != NULL ? mark + strlen(AHEAD_MARK) : memmem(text, nbytes, OWN_TEXT, strlen(OWN_TEXT));
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

static void name_folder(struct call *call, const char *own)
{
    char name[HASH_NAME_NBYTES];
    struct hash hash = {.nbytes = 0};
    int priority = getpriority(PRIO_PROCESS, 0);
    hash_add(&hash, &priority, sizeof priority);
    for (char *const *word = call->words; *word != NULL; word++)
        hash_add(&hash, *word, strlen(*word) + 1);
    hash_add(&hash, call->text, (size_t)(call->rest - call->text));
    hash_name(name, &hash);
    snprintf(call->folder, sizeof call->folder, "%s/kept/ahead.%.16s", own, name);
}

static bool write_head(const struct call *call)
{
    FILE *file = fopen(HEAD_NAME, "we");
    if (file == NULL)
        return false;
    fwrite(call->text, 1, (size_t)(call->rest - call->text), file);
    fprintf(file, "#include \"" AHEAD_REST "\"\n");
    return fclose(file) == 0;
}

static void become_compiler(const struct call *call, const char *own, int door)
{
    char preloaded[PATH_MAX + 32];
    snprintf(preloaded, sizeof preloaded, "LD_PRELOAD=%s/ahead.so", own);
    char *const environment[] = {preloaded, "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};
    int nothing = open("/dev/null", O_RDWR);
    for (int file = 0; file < AHEAD_DOOR; file++)
        dup2(nothing, file);
    dup2(door, AHEAD_DOOR);
    for (int file = AHEAD_DOOR + 1; file < MOST_FILES; file++)
        close(file);
    execve(call->words[0], call->words, environment);
    _exit(127);
}

/* A process that is not a child of this one. */
static void start_compiler(const struct call *call, const char *own, int door)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            become_compiler(call, own, door);
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
 * until the compiler has read the head. */
static int connect_or_start(const struct call *call, const char *own)
{
    static const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "door"};
    const struct sockaddr *to = (const struct sockaddr *)&address;
    int customer = open_socket(), door = -1;
    if (connect(customer, to, sizeof address) == 0)
        return customer;
    int lock = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX) == 0 && connect(customer, to, sizeof address) != 0) {
        unlink("door");
        door = open_socket();
        if (write_head(call) && bind(door, to, sizeof address) == 0 && listen(door, 64) == 0 &&
            connect(customer, to, sizeof address) == 0)
            start_compiler(call, own, door);
    }
    close(door);
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

static int write_rest(const struct call *call)
{
    size_t nbytes = call->nbytes - (size_t)(call->rest - call->text);
    int rest = memfd_create(AHEAD_REST, MFD_CLOEXEC);
    if (rest >= 0 && write(rest, call->rest, nbytes) == (ssize_t)nbytes)
        return rest;
    close(rest);
    return -1;
}

static bool ask(long *microseconds, const struct call *call, const char *own)
{
    char folder[PATH_MAX];
    struct ahead_reply reply;
    if (getcwd(folder, sizeof folder) == NULL || chdir(call->folder) != 0)
        return false;
    int customer = connect_or_start(call, own), rest = write_rest(call);
    bool is_made = rest >= 0 && send_request(customer, folder, rest) &&
                   recv(customer, &reply, sizeof reply, 0) == (ssize_t)sizeof reply;
    close(rest);
    close(customer);
    if (chdir(folder) != 0)
        exit(127);
    *microseconds = is_made ? reply.microseconds : 0;
    return is_made;
}

/* Whether the program compiles itself: g++ starts others, which do parts of the work. */
static bool compiles_itself(const char *compiler)
{
    const char *slash = strrchr(compiler, '/');
    return strncmp(slash != NULL ? slash + 1 : compiler, "clang", strlen("clang")) == 0;
}

static bool request(long *microseconds, const char *own, char *const *words)
{
    struct call call = {.rest = NULL};
    if (!read_call(&call, words))
        return false;
    name_folder(&call, own);
    return (mkdir(call.folder, 0700) == 0 || errno == EEXIST) && ask(microseconds, &call, own);
}

bool compile_request(long *microseconds, const char *own, char *const *words)
{
    struct split split;
    if (!compiles_itself(words[0]) || !is_plain_process())
        return false;
    if (!compile_split(&split, words))
        return request(microseconds, own, words);
    return request(microseconds, own, split.compile) && compile_split_link(&split, own);
}
