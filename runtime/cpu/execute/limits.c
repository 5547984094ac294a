/* limits.c: processors and memory that this process may use.
 *
 * Every limit only lowers the result, and an unreadable one is ignored. A cgroup is also limited by its ancestors, so
 * the walk goes from the process's group up to the mount; inside a container the process's path may not exist below the
 * mount, and then the mount itself, which is the container's group, is used. */
#define _GNU_SOURCE 1
#include "cpu/execute/limits.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define NO_LIMIT    UINT64_MAX
#define PATH_NBYTES 4096
#define GROUP_MOUNT "/sys/fs/cgroup"

typedef void (*group_reader)(const char *folder, void *out);

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t left_of(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 0;
}

/* Reads the beginning of a small file as text; false when it cannot be opened. */
static bool read_text(char *text, size_t nbytes, const char *folder, const char *name)
{
    char path[PATH_NBYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, text, nbytes - 1);
    close(fd);
    text[got > 0 ? got : 0] = 0;
    return got > 0;
}

/* The number after `label` at the beginning of a line, or `otherwise`. An empty label is the first number. */
static uint64_t number_after(const char *text, const char *label, uint64_t otherwise)
{
    size_t length = strlen(label);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, label, length) == 0) {
            char *end;
            uint64_t value = strtoull(line + length, &end, 10);
            return end == line + length ? otherwise : value;
        }
    }
    return otherwise;
}

static uint64_t read_number(const char *folder, const char *name, const char *label, uint64_t otherwise)
{
    char text[8192];
    return read_text(text, sizeof text, folder, name) ? number_after(text, label, otherwise) : otherwise;
}

/* Finds the process's group in a hierarchy: "memory" or "cpu" (version 1), "" (version 2). */
static bool find_group(char *path, size_t nbytes, const char *controller)
{
    char text[8192];
    if (!read_text(text, sizeof text, "/proc/self", "cgroup"))
        return false;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        strsep(&line, ":");
        char *controllers = strsep(&line, ":"), *name;
        if (line == NULL)
            continue;
        while ((name = strsep(&controllers, ",")) != NULL)
            if (strcmp(name, controller) == 0)
                return snprintf(path, nbytes, "%s", line) < (int)nbytes;
    }
    return false;
}

static void each_group(const char *controller, group_reader reader, void *out)
{
    char group[PATH_NBYTES / 2], folder[PATH_NBYTES];
    if (!find_group(group, sizeof group, controller))
        return;
    int mount = snprintf(folder, sizeof folder, "%s%s%s", GROUP_MOUNT, *controller ? "/" : "", controller);
    snprintf(folder + mount, sizeof folder - (size_t)mount, "%s", group);
    while (strlen(folder) > (size_t)mount) {
        reader(folder, out);
        *strrchr(folder, '/') = 0;
    }
    reader(folder, out);
}

static void bound_memory(cuna_limits_memory *out, uint64_t limit, uint64_t used)
{
    out->total_nbytes = min_u64(out->total_nbytes, limit);
    out->free_nbytes = min_u64(out->free_nbytes, left_of(limit, used));
}

/* Inactive file pages count as used, though the kernel drops them before it refuses memory. */
static void read_memory_v1(const char *folder, void *out)
{
    uint64_t limit = read_number(folder, "memory.limit_in_bytes", "", NO_LIMIT);
    uint64_t used = read_number(folder, "memory.usage_in_bytes", "", 0);
    bound_memory(out, limit, left_of(used, read_number(folder, "memory.stat", "total_inactive_file ", 0)));
}

static void read_memory_v2(const char *folder, void *out)
{
    uint64_t limit = read_number(folder, "memory.max", "", NO_LIMIT);
    uint64_t used = read_number(folder, "memory.current", "", 0);
    bound_memory(out, limit, left_of(used, read_number(folder, "memory.stat", "inactive_file ", 0)));
}

static void bound_cpus(int64_t *cpus, uint64_t quota, uint64_t period)
{
    if (quota > 0 && quota < INT64_MAX / 2 && period > 0 && period < INT64_MAX / 2)
        *cpus = cuna__min(*cpus, cuna__ceil_div((int64_t)quota, (int64_t)period));
}

/* In version 1, -1 means no quota, which reads as a huge number. */
static void read_cpus_v1(const char *folder, void *out)
{
    bound_cpus(out, read_number(folder, "cpu.cfs_quota_us", "", NO_LIMIT),
               read_number(folder, "cpu.cfs_period_us", "", 0));
}

/* "quota period", or "max period" for no quota. */
static void read_cpus_v2(const char *folder, void *out)
{
    char text[128];
    unsigned long long quota, period;
    if (read_text(text, sizeof text, folder, "cpu.max") && sscanf(text, "%llu %llu", &quota, &period) == 2)
        bound_cpus(out, quota, period);
}

static void bound_by_rlimit(cuna_limits_memory *out)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return;
    uint64_t pages = read_number("/proc/self", "statm", "", 0);
    bound_memory(out, space.rlim_cur, pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

int cuna__cpu_limits_cpus(void)
{
    cpu_set_t mask;
    int64_t cpus = sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : sysconf(_SC_NPROCESSORS_ONLN);
    each_group("cpu", read_cpus_v1, &cpus);
    each_group("", read_cpus_v2, &cpus);
    return (int)cuna__max(cpus, 1);
}

cuna_limits_memory cuna__cpu_limits_memory(void)
{
    char text[8192] = "";
    read_text(text, sizeof text, "/proc", "meminfo");
    cuna_limits_memory out = {
        .free_nbytes = number_after(text, "MemAvailable:", 0) * 1024,
        .total_nbytes = number_after(text, "MemTotal:", 0) * 1024,
    };
    each_group("memory", read_memory_v1, &out);
    each_group("", read_memory_v2, &out);
    bound_by_rlimit(&out);
    return out;
}
