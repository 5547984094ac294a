/* disks.c: disks in need, for specs: preloaded into a process, it lets calls of the system fail as these disks do. Each
 * variable is a list of paths with colons between them, and is about all that is below them.
 *
 * DISKS_FULL: files can be made, and nothing can be written to them. DISKS_LOCKED: nothing can be made; files of this
 * process that are open stay. DISKS_NOEXEC: the mount says noexec. DISKS_NO_MODES: permissions of open files cannot be
 * set. DISKS_NO_MEMORY (anything): no files in memory. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool is_below(const char *path, const char *variable)
{
    const char *list = getenv(variable);
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        bool same = strncmp(path, list, length) == 0;
        if (same && (path[length] == '/' || path[length] == '\0' || (length > 0 && list[length - 1] == '/')))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

static bool is_open_below(int fd, const char *variable)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return path[0] == '/' && strncmp(path, "/memfd:", 7) != 0 && is_below(path, variable);
}

static int refuse(void)
{
    errno = EROFS;
    return -1;
}

ssize_t write(int fd, const void *bytes, size_t nbytes)
{
    if (!is_open_below(fd, "DISKS_FULL"))
        return NEXT(write)(fd, bytes, nbytes);
    errno = ENOSPC;
    return -1;
}

char *mkdtemp(char *path)
{
    return is_below(path, "DISKS_LOCKED") ? (refuse(), NULL) : NEXT(mkdtemp)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return is_below(path, "DISKS_LOCKED") ? refuse() : NEXT(mkdir)(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    return is_open_below(folder, "DISKS_LOCKED") ? refuse() : NEXT(mkdirat)(folder, path, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    bool makes = (flags & O_CREAT) != 0 && is_open_below(folder, "DISKS_LOCKED");
    return makes ? refuse() : NEXT(openat)(folder, path, flags, mode);
}

int fchmod(int fd, mode_t mode)
{
    if (!is_open_below(fd, "DISKS_NO_MODES"))
        return NEXT(fchmod)(fd, mode);
    errno = EPERM;
    return -1;
}

int memfd_create(const char *name, unsigned flags)
{
    if (getenv("DISKS_NO_MEMORY") == NULL)
        return NEXT(memfd_create)(name, flags);
    errno = ENOSYS;
    return -1;
}

int statvfs(const char *path, struct statvfs *out)
{
    int result = NEXT(statvfs)(path, out);
    if (result == 0 && is_below(path, "DISKS_NOEXEC"))
        out->f_flag |= ST_NOEXEC;
    if (result == 0 && is_below(path, "DISKS_FULL"))
        out->f_bavail = 0;
    return result;
}
