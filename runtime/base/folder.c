/* folder.c: a private folder that lives as long as one compilation or one load.
 *
 * A folder does not outlive the call that created it, so it is never shared with a forked child. Folders of a killed
 * process are removed by the next process that uses the place: a folder is locked while in use, and locks end with
 * their process. A place that is full or not writable is skipped for the next one. */
#define _GNU_SOURCE 1
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/strbuf.h"
#include "cuna.h"

#define PREFIX      "cuna-compile-"
#define FULL_NBYTES (64 << 10)
#define UNUSED_SECS 60 /* a folder is locked a moment after it was made */
#define PLACES      7

/* ---- places ---- */

/* The path of a place; false when it has none. Only absolute ones: the compiler runs in another working directory. */
static bool find_place(char path[CUNA_FOLDER_NBYTES], int number)
{
    const char *const places[PLACES] = {
        cuna__environment_text("TMPDIR"), "/tmp",     cuna__environment_text("XDG_RUNTIME_DIR"),
        cuna_cache_folder(NULL),          "/dev/shm", "/var/tmp",
        cuna__environment_text("HOME"),
    };
    const char *place = places[number];
    return place != NULL && place[0] == '/' &&
           snprintf(path, CUNA_FOLDER_NBYTES, "%s%s", place, number == PLACES - 1 ? "/.cache" : "") <
               CUNA_FOLDER_NBYTES - 80;
}

static bool is_noexec(const char *place)
{
    struct statvfs mount;
    return statvfs(place, &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0;
}

const char *cuna__folder_lack(const char *folder, const char *log)
{
    static const char *const words[] = {"No space left on device", "Disk quota exceeded"};
    struct statvfs mount;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(log, words[i]) != NULL)
            return words[i];
    bool is_full =
        statvfs(folder, &mount) == 0 && mount.f_blocks > 0 && (uint64_t)mount.f_bavail * mount.f_frsize < FULL_NBYTES;
    return is_full ? words[0] : NULL;
}

/* ---- what is left of killed processes ---- */

static void remove_tree(const char *folder)
{
    DIR *listing = opendir(folder);
    struct dirent *entry;
    char path[CUNA_FOLDER_NBYTES + 80];
    if (listing == NULL)
        return;
    while ((entry = readdir(listing)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlinkat(dirfd(listing), entry->d_name, 0) != 0 &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            remove_tree(path);
    closedir(listing);
    rmdir(folder);
}

static int open_folder(const char *folder)
{
    return open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Whether a folder belongs to this user and is not in use. */
static bool is_left(const char *folder)
{
    struct stat facts;
    int fd = open_folder(folder);
    bool left = fd >= 0 && fstat(fd, &facts) == 0 && facts.st_uid == geteuid() &&
                time(NULL) - facts.st_mtim.tv_sec > UNUSED_SECS && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return left;
}

static void sweep(const char *place)
{
    DIR *listing = opendir(place);
    struct dirent *entry;
    char path[CUNA_FOLDER_NBYTES + 80];
    while (listing != NULL && (entry = readdir(listing)) != NULL)
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
            snprintf(path, sizeof path, "%s/%s", place, entry->d_name) < (int)sizeof path && is_left(path))
            remove_tree(path);
    if (listing != NULL)
        closedir(listing);
}

/* Once in each place. */
static void sweep_first(const char *place, int number)
{
    static atomic_uint swept;
    if ((atomic_fetch_or(&swept, 1u << number) & 1u << number) == 0)
        sweep(place);
}

/* ---- folders ---- */

/* Creates and locks a folder; -1 on failure. */
static int create(char *folder, const char *place)
{
    strcat(strcpy(folder, place), "/" PREFIX "XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    int fd = open_folder(folder);
    if (fd >= 0)
        flock(fd, LOCK_EX | LOCK_NB);
    else
        rmdir(folder);
    return fd;
}

static const char *try_place(const char *place, int number, bool maps, cuna_folder_use *use, void *data)
{
    char folder[CUNA_FOLDER_NBYTES];
    if (maps && is_noexec(place))
        return "mounted noexec";
    if (number == PLACES - 1)
        mkdir(place, 0700);
    sweep_first(place, number);
    int fd = create(folder, place);
    if (fd < 0)
        return strerror(errno);
    const char *lack = use(data, folder);
    remove_tree(folder);
    close(fd);
    return lack;
}

char *cuna__folder_with(bool maps, cuna_folder_use *use, void *data)
{
    char place[CUNA_FOLDER_NBYTES], before[CUNA_FOLDER_NBYTES] = "";
    cuna_strbuf lacks = {0};
    for (int i = 0; i < PLACES; i++) {
        if (!find_place(place, i) || strcmp(place, before) == 0) /* $TMPDIR may be /tmp */
            continue;
        const char *lack = try_place(place, i, maps, use, data);
        if (lack == NULL) {
            cuna__strbuf_free(&lacks);
            return NULL;
        }
        cuna__strbuf_printf(&lacks, "%s%.100s: %.100s", lacks.length > 0 ? "; " : "", place, lack);
        strcpy(before, place);
    }
    return lacks.text != NULL ? lacks.text : strdup("no memory");
}

bool cuna__folder_make(const char *folder, const char *name)
{
    char path[CUNA_FOLDER_NBYTES + 80];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && mkdir(path, 0700) == 0;
}

static int open_in(const char *folder, const char *name, int flags)
{
    char path[CUNA_FOLDER_NBYTES + 80];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return -1;
    return open(path, flags | O_CLOEXEC, 0600);
}

/* Writing past the limit would end the process by a signal. */
static bool may_write(size_t nbytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || nbytes <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}

bool cuna__folder_fill(int fd, const void *data, size_t nbytes)
{
    if (!may_write(nbytes))
        return false;
    for (size_t done = 0; done < nbytes;) {
        ssize_t wrote = write(fd, (const char *)data + done, nbytes - done);
        if (wrote < 0 && errno != EINTR)
            return false;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

bool cuna__folder_write(const char *folder, const char *name, const void *data, size_t nbytes)
{
    int fd = open_in(folder, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        return false;
    bool filled = cuna__folder_fill(fd, data, nbytes);
    int cause = errno;
    bool closed = close(fd) == 0;
    errno = filled ? errno : cause;
    return filled && closed;
}

void *cuna__folder_read(size_t *nbytes, const char *folder, const char *name)
{
    struct stat file;
    int fd = open_in(folder, name, O_RDONLY);
    char *data = NULL;
    if (fd >= 0 && fstat(fd, &file) == 0)
        data = malloc((size_t)file.st_size + 1);
    *nbytes = 0;
    /* The file may change meanwhile: a shorter one ends the loop, a longer one is cut. */
    while (data != NULL && *nbytes < (size_t)file.st_size) {
        ssize_t got = read(fd, data + *nbytes, (size_t)file.st_size - *nbytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        *nbytes += got > 0 ? (size_t)got : 0;
    }
    if (data != NULL)
        data[*nbytes] = 0;
    if (fd >= 0)
        close(fd);
    return data;
}
