/* failed.c: keeps sources whose compilation failed, for inspection.
 *
 * A file's name ends in a hash of its text, so that a program that fails repeatedly leaves one file. The number of
 * files is limited, because nothing else deletes them. The folder must belong to the user and not be a link: its name
 * in /tmp is predictable. */
#define _GNU_SOURCE 1
#include "cache/failed.h"

#include "base/environment.h"
#include "cache/cache.h"
#include "cache/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEPT        8
#define FILE_ENDING ".cu"
#define NAME_SIZE   160

/* Opens the user's folder at a path, which is created if missing; -1 on failure. */
static int open_own(const char *path)
{
    struct stat facts;
    mkdir(path, 0700);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &facts) == 0 && cuna__cache_folder_trusts(&facts)))
        return fd;
    close(fd);
    return -1;
}

static void make_name(char name[NAME_SIZE], const char *program, const char *text)
{
    char key[CUNA_KEY_LENGTH + 1];
    cuna__cache_key(key, 2, (const char *const[]){program, text});
    snprintf(name, NAME_SIZE, "%.100s-%.16s" FILE_ENDING, program, key);
    for (char *c = name; *c != '\0'; c++)
        if (strchr("/ \t\n'\"\\", *c) != NULL)
            *c = '_';
}

static bool is_kept(const char *name)
{
    size_t length = strlen(name), ending = strlen(FILE_ENDING);
    return length > ending && strcmp(name + length - ending, FILE_ENDING) == 0;
}

static bool is_older(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec < b->st_mtim.tv_sec ||
           (a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec < b->st_mtim.tv_nsec);
}

/* Counts the files and finds the oldest. */
static int look(char oldest[NAME_SIZE], int folder)
{
    int count = 0;
    struct stat facts, least = {0};
    /* A second descriptor, because closedir closes that of the listing. */
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;
    if (listing == NULL && again >= 0)
        close(again);
    if (listing == NULL)
        return 0;
    for (struct dirent *each; (each = readdir(listing)) != NULL;) {
        if (!is_kept(each->d_name) || strlen(each->d_name) >= NAME_SIZE ||
            fstatat(folder, each->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (count++ == 0 || is_older(&facts, &least)) {
            least = facts;
            strcpy(oldest, each->d_name);
        }
    }
    closedir(listing);
    return count;
}

/* Other processes may do the same: missing files are ignored. */
static void drop_oldest(int folder)
{
    char oldest[NAME_SIZE];
    for (int excess = look(oldest, folder) - KEPT; excess > 0; excess--) {
        unlinkat(folder, oldest, 0);
        look(oldest, folder);
    }
}

/* Written in one call: beyond a file size limit a second write would end the process. */
static bool write_file(int folder, const char *name, const char *text, size_t length)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && length > limit.rlim_cur)
        return false;
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool wrote = write(fd, text, length) == (ssize_t)length;
    wrote = close(fd) == 0 && wrote;
    if (!wrote)
        unlinkat(folder, name, 0);
    return wrote;
}

static bool keep_in(char *path, size_t nbytes, const char *folder, const char *name, const char *text, size_t length)
{
    int fd = open_own(folder);
    if (fd < 0)
        return false;
    bool kept = snprintf(path, nbytes, "%s/%s", folder, name) < (int)nbytes && write_file(fd, name, text, length);
    if (kept)
        drop_oldest(fd);
    close(fd);
    return kept;
}

void cuna__cache_keep_failed(char *path, size_t nbytes, const char *name, const char *text, size_t length)
{
    char folder[600], file[NAME_SIZE];
    const char *cache = cuna__cache_folder_path(NULL), *temporary = cuna__environment_text("TMPDIR");
    make_name(file, name, text);
    if (cache != NULL && snprintf(folder, sizeof folder, "%s/failed", cache) < (int)sizeof folder &&
        keep_in(path, nbytes, folder, file, text, length))
        return;
    if (temporary != NULL &&
        snprintf(folder, sizeof folder, "%s/cuna-failed-%u", temporary, (unsigned)geteuid()) < (int)sizeof folder &&
        keep_in(path, nbytes, folder, file, text, length))
        return;
    snprintf(folder, sizeof folder, "/tmp/cuna-failed-%u", (unsigned)geteuid());
    if (!keep_in(path, nbytes, folder, file, text, length))
        path[0] = '\0';
}
