/* folder.c: the folders of the disk cache.
 *
 * An image is code that will run as this user, so the cache folder and all below it must belong to the user and be
 * writable only by the user; parents are resolved as usual. The environment is read once; the folders are opened and
 * checked at each use, because they may be deleted or replaced at any moment. */
#define _POSIX_C_SOURCE 200809L

#include "cache/folder.h"

#include "base/environment.h"
#include "cache/cache.h"
#include "cache/lock.h"
#include "cuna.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VERSION              "v1"
#define STAMP                ".swept" /* its mtime says when a process last swept */
#define SWEEP_SECONDS        3600
#define TEMP_SECONDS         3600
#define DEFAULT_LIMIT_NBYTES ((int64_t)1 << 30)

static struct {
    pthread_once_t once;
    char path[PATH_MAX];
    char reason[PATH_MAX + 200]; /* not empty: the disk cache is off */
    int64_t limit_nbytes;
    bool is_off; /* by the user */
} config = {.once = PTHREAD_ONCE_INIT};

typedef struct entry {
    char key[CUNA_KEY_LENGTH + 1];
    struct timespec used;
    int64_t nbytes;
} entry;

typedef struct entries {
    entry *rows;
    size_t count, capacity;
    int64_t nbytes;
} entries;

/* Joins up to three texts; an over-long path leaves a reason and false. */
static bool set_path(const char *first, const char *second, const char *third)
{
    int length = snprintf(config.path, sizeof config.path, "%s%s%s", first, second, third);
    if (length < (int)sizeof config.path)
        return true;
    snprintf(config.reason, sizeof config.reason, "the path of the cache folder is longer than %d bytes", PATH_MAX - 1);
    return false;
}

/* A relative path is taken from where the process was at first use, so that a later chdir does not move the cache. */
static bool set_given_path(const char *given)
{
    char here[PATH_MAX];
    if (*given == '/')
        return set_path(given, "", "");
    if (getcwd(here, sizeof here))
        return set_path(here, "/", given);
    snprintf(config.reason, sizeof config.reason, "CUNA_CACHE_DIR is relative and the working folder is unknown");
    return false;
}

static bool choose_path(void)
{
    const char *given = cuna__environment_text("CUNA_CACHE_DIR");
    const char *xdg = cuna__environment_text("XDG_CACHE_HOME");
    const char *home = cuna__environment_text("HOME");
    if (cuna__environment_is_off("CUNA_CACHE_DIR")) {
        snprintf(config.reason, sizeof config.reason, "CUNA_CACHE_DIR turns it off");
        config.is_off = true;
        return false;
    }
    if (given)
        return set_given_path(given);
    if (xdg && *xdg == '/')
        return set_path(xdg, "/cuna", "");
    if (home && *home == '/')
        return set_path(home, "/.cache", "/cuna");
    snprintf(config.reason, sizeof config.reason, "none of CUNA_CACHE_DIR, XDG_CACHE_HOME and HOME names a folder");
    return false;
}

/* mkdir -p with mode 0700. Returns the first errno but EEXIST: worth telling when the folder then is not there. */
static int make_folders(const char *path)
{
    char partial[PATH_MAX];
    int trouble = 0;
    size_t length = strlen(path);
    memcpy(partial, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        partial[i] = '\0';
        if (mkdir(partial, 0700) && errno != EEXIST && !trouble)
            trouble = errno;
        partial[i] = path[i];
    }
    return trouble;
}

bool cuna__cache_folder_trusts(const struct stat *facts)
{
    return facts->st_uid == geteuid() && !(facts->st_mode & (S_IWGRP | S_IWOTH));
}

/* Passes on a descriptor that is the user's own folder; closes any other and sets errno to EPERM. */
static int check_folder(int fd)
{
    struct stat facts;
    if (fd < 0)
        return -1;
    if (!fstat(fd, &facts) && cuna__cache_folder_trusts(&facts))
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

/* The cache folder itself may be a link, but only one that the user made. */
static int open_base(bool make)
{
    struct stat facts;
    int trouble = make ? make_folders(config.path) : 0;
    if (lstat(config.path, &facts)) {
        errno = trouble ? trouble : errno;
        return -1;
    }
    if (S_ISLNK(facts.st_mode) && facts.st_uid != geteuid()) {
        errno = EPERM;
        return -1;
    }
    return check_folder(open(config.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int open_below(int parent, const char *name, bool make)
{
    int trouble = make && mkdirat(parent, name, 0700) ? errno : 0;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && trouble)
        errno = trouble;
    return check_folder(fd);
}

static int open_version(bool make)
{
    int base = open_base(make);
    if (base < 0)
        return -1;
    int version = open_below(base, VERSION, make);
    int saved = errno;
    close(base);
    errno = saved;
    return version;
}

static void configure(void)
{
    config.limit_nbytes = cuna__environment_number("CUNA_CACHE_SIZE", DEFAULT_LIMIT_NBYTES);
    config.is_off = !config.limit_nbytes;
    if (config.is_off)
        snprintf(config.reason, sizeof config.reason, "CUNA_CACHE_SIZE is 0");
    if (config.is_off || !choose_path())
        return;
    int fd = open_version(true);
    if (fd >= 0)
        close(fd);
    else if (errno == EPERM)
        snprintf(config.reason, sizeof config.reason,
                 "%s (or " VERSION " in it) belongs to another user or is writable by others; give it mode 0700",
                 config.path);
    else
        snprintf(config.reason, sizeof config.reason, "cannot use %s: %s", config.path, strerror(errno));
}

const char *cuna__cache_folder_path(const char **reason)
{
    pthread_once(&config.once, configure);
    bool is_on = !config.reason[0];
    if (reason)
        *reason = is_on ? NULL : config.reason;
    return is_on ? config.path : NULL;
}

bool cuna__cache_folder_is_off(void)
{
    cuna__cache_folder_path(NULL);
    return config.is_off;
}

int cuna__cache_folder_open(const char *key, bool make)
{
    char shard[3] = {key[0], key[1]};
    if (!cuna__cache_folder_path(NULL))
        return -1;
    int version = open_version(make);
    if (version < 0)
        return -1;
    int fd = open_below(version, shard, make);
    close(version);
    return fd;
}

static bool is_older(const struct stat *facts, int64_t seconds)
{
    return (int64_t)time(NULL) - (int64_t)facts->st_mtim.tv_sec > seconds;
}

static void note_entry(entries *all, const char *name, const struct stat *facts)
{
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 256;
        entry *rows = realloc(all->rows, capacity * sizeof *rows);
        if (!rows)
            return;
        all->rows = rows;
        all->capacity = capacity;
    }
    entry *row = &all->rows[all->count++];
    *row = (entry){.used = facts->st_mtim, .nbytes = (int64_t)facts->st_size};
    memcpy(row->key, name, CUNA_KEY_LENGTH);
    all->nbytes += row->nbytes;
}

/* Deletes a file that a killed writer or compiler left; other names are left alone. */
static void clean(int shard, const char *name, const struct stat *facts)
{
    if (!is_older(facts, TEMP_SECONDS))
        return;
    if (!strncmp(name, ".tmp-", 5))
        unlinkat(shard, name, 0);
    else if (cuna__cache_lock_is(name))
        cuna__cache_lock_remove(shard, name);
}

/* Takes over `shard`. */
static void read_shard(entries *all, int shard, bool cleans)
{
    DIR *folder = fdopendir(shard);
    if (!folder) {
        close(shard);
        return;
    }
    for (struct dirent *each; (each = readdir(folder));) {
        struct stat facts;
        if (fstatat(shard, each->d_name, &facts, AT_SYMLINK_NOFOLLOW) || !S_ISREG(facts.st_mode))
            continue;
        if (strlen(each->d_name) == CUNA_KEY_LENGTH)
            note_entry(all, each->d_name, &facts);
        else if (cleans)
            clean(shard, each->d_name, &facts);
    }
    closedir(folder);
}

static void read_shards(entries *all, int version, bool cleans)
{
    for (int i = 0; i < 256; i++) {
        char name[3];
        snprintf(name, sizeof name, "%02x", (unsigned)i);
        int shard = open_below(version, name, false);
        if (shard >= 0)
            read_shard(all, shard, cleans);
    }
}

void cuna_cache_get_usage(int64_t *count, int64_t *nbytes, int64_t *limit_nbytes)
{
    entries all = {0};
    int version = cuna__cache_folder_path(NULL) ? open_version(false) : -1;
    if (version >= 0) {
        read_shards(&all, version, false);
        close(version);
    }
    *count = (int64_t)all.count;
    *nbytes = all.nbytes;
    *limit_nbytes = config.limit_nbytes;
    free(all.rows);
}

static int compare_used(const void *a, const void *b)
{
    const struct timespec *x = &((const entry *)a)->used, *y = &((const entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void delete_oldest(entries *all, int version)
{
    if (all->nbytes > config.limit_nbytes)
        qsort(all->rows, all->count, sizeof *all->rows, compare_used);
    for (size_t i = 0; i < all->count && all->nbytes > config.limit_nbytes; i++) {
        char path[CUNA_KEY_LENGTH + 4];
        snprintf(path, sizeof path, "%.2s/%s", all->rows[i].key, all->rows[i].key);
        unlinkat(version, path, 0);
        all->nbytes -= all->rows[i].nbytes;
    }
}

/* True when a sweep is due; moves the stamp first, so that of many processes one sweeps. */
static bool claim_sweep(int version, bool now)
{
    struct stat facts;
    if (!now && !fstatat(version, STAMP, &facts, AT_SYMLINK_NOFOLLOW) && !is_older(&facts, SWEEP_SECONDS))
        return false;
    int fd = openat(version, STAMP, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    futimens(fd, NULL);
    close(fd);
    return true;
}

void cuna__cache_folder_sweep(bool now)
{
    entries all = {0};
    int version = open_version(false);
    if (version < 0)
        return;
    if (claim_sweep(version, now)) {
        read_shards(&all, version, true);
        delete_oldest(&all, version);
    }
    free(all.rows);
    close(version);
}
