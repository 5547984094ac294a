/* pack.c: the kernel pack: compiled images that come with cuna.
 *
 * The pack is a cache folder that `make pack` filled. It lies beside cuna's own library, or where CUNA_PACK_DIR says,
 * and is only ever read. Its files are code that will run as this user, who trusts root and the library's owner. */
#define _GNU_SOURCE 1
#include "cache/pack.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

static struct {
    pthread_once_t once;
    char path[PATH_MAX]; /* "" when there is no pack */
    uid_t owner;         /* of the library */
} config = {.once = PTHREAD_ONCE_INIT};

/* The path of cuna's own library. */
static bool find_library(char path[PATH_MAX])
{
    Dl_info self;
    return dladdr((void *)(uintptr_t)cuna__cache_pack_open, &self) != 0 && realpath(self.dli_fname, path) != NULL;
}

static void configure(void)
{
    char library[PATH_MAX];
    struct stat facts;
    const char *given = cuna__environment_text("CUNA_PACK_DIR");
    bool found = find_library(library);
    config.owner = found && stat(library, &facts) == 0 ? facts.st_uid : geteuid();
    if (cuna__environment_is_off("CUNA_PACK_DIR"))
        return;
    if (given != NULL) {
        if (realpath(given, config.path) == NULL)
            config.path[0] = '\0';
    } else if (found) {
        *strrchr(library, '/') = '\0';
        int length = snprintf(config.path, sizeof config.path, "%s/pack", library);
        if (length >= (int)sizeof config.path)
            config.path[0] = '\0';
    }
}

bool cuna__cache_pack_trusts(const struct stat *facts)
{
    bool is_ours = facts->st_uid == geteuid() || facts->st_uid == 0 || facts->st_uid == config.owner;
    return is_ours && (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Steps into a folder and closes the one above. */
static int enter(int above, const char *name)
{
    struct stat facts;
    int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (above != AT_FDCWD)
        close(above);
    if (fd >= 0 && (fstat(fd, &facts) != 0 || !cuna__cache_pack_trusts(&facts))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int cuna__cache_pack_open(const char *key)
{
    const char shard[3] = {key[0], key[1]};
    pthread_once(&config.once, configure);
    if (config.path[0] == '\0')
        return -1;
    int fd = enter(AT_FDCWD, config.path);
    fd = fd >= 0 ? enter(fd, "v1") : -1;
    return fd >= 0 ? enter(fd, shard) : -1;
}
