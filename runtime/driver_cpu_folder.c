/* driver_cpu_folder.c: a private folder that lives as long as one compilation or one load.
 *
 * Nothing outlives the call that made it: there is nothing to sweep at exit and nothing to share with a forked child. A
 * place that is mounted noexec is passed over: the loader cannot map code from there. */
#define _GNU_SOURCE 1
#include "driver_cpu_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "environment.h"

/* Only absolute places: the compiler runs in another working directory. */
static bool create_in(char *folder, const char *place, const char *below)
{
    struct statvfs mount;
    if (place == NULL || place[0] != '/')
        return false;
    int length = snprintf(folder, CUNA_FOLDER_NBYTES, "%s%s", place, below);
    if (length >= CUNA_FOLDER_NBYTES - 80)
        return false;
    if (*below != 0)
        mkdir(folder, 0700);
    if (statvfs(folder, &mount) != 0 || (mount.f_flag & ST_NOEXEC))
        return false;
    strcpy(folder + length, "/cuna-XXXXXX");
    return mkdtemp(folder) != NULL;
}

bool cuna__folder_create(char folder[CUNA_FOLDER_NBYTES])
{
    return create_in(folder, cuna__environment_text("TMPDIR"), "") || create_in(folder, "/tmp", "") ||
           create_in(folder, cuna__environment_text("XDG_RUNTIME_DIR"), "") ||
           create_in(folder, cuna__environment_text("HOME"), "/.cache");
}

void cuna__folder_remove(const char *folder)
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
            cuna__folder_remove(path);
    closedir(listing);
    rmdir(folder);
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

bool cuna__folder_write(const char *folder, const char *name, const void *data, size_t nbytes)
{
    int fd = may_write(nbytes) ? open_in(folder, name, O_WRONLY | O_CREAT | O_EXCL) : -1;
    if (fd < 0)
        return false;
    size_t done = 0;
    while (done < nbytes) {
        ssize_t wrote = write(fd, (const char *)data + done, nbytes - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return close(fd) == 0 && done == nbytes;
}

void *cuna__folder_read(size_t *nbytes, const char *folder, const char *name)
{
    struct stat file;
    int fd = open_in(folder, name, O_RDONLY);
    char *data = NULL;
    if (fd >= 0 && fstat(fd, &file) == 0)
        data = malloc((size_t)file.st_size + 1);
    *nbytes = 0;
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
