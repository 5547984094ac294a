/* shared.c: memory that the ranks of a machine share.
 *
 * The first rank makes a file, the others map it, and then it loses its name: nothing is left behind. */
#define _GNU_SOURCE 1
#include "comm/shared.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/environment.h"

#define NAME        "distributed.init"
#define NAME_NBYTES 256

/* Makes the file in the first folder that works; its name is empty when none does. */
static int make_file(char *name, size_t nbytes)
{
    const char *folders[] = {"/dev/shm", cuna__environment_text("TMPDIR"), "/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(name, NAME_NBYTES, "%.200s/cuna-ranks-XXXXXX", folders[i] != NULL ? folders[i] : "/tmp");
        int fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0 && posix_fallocate(fd, 0, (off_t)nbytes) == 0)
            return fd;
        if (fd >= 0) {
            unlink(name);
            close(fd);
        }
    }
    *name = '\0';
    return -1;
}

static void *map(int fd, size_t nbytes)
{
    void *memory = fd >= 0 ? mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    return memory != MAP_FAILED ? memory : NULL;
}

bool cuna__shared_is_wanted(void)
{
    const char *asked = cuna__environment_text("CUNA_DISTRIBUTED_SHARED");
    return asked == NULL || strcmp(asked, "off") != 0;
}

int cuna__shared_agree(bool *all, void *node, bool own)
{
    int64_t mine = own, least = 0;
    const cuna_comm_work agree = {
        .kind = CUNA_COMM_ALL_REDUCE, .op = CUNA_COMM_MIN, .dtype = CUNA_INT64, .in = &mine, .out = &least, .count = 1};
    int code = cuna__job.engine->run(node, &agree);
    *all = least != 0;
    return code;
}

cuna_status cuna__shared_map(void **out, void *node, int rank, size_t nbytes)
{
    char name[NAME_NBYTES] = "";
    const bool may = cuna__shared_is_wanted();
    const cuna_comm_engine *engine = cuna__job.engine;
    const cuna_comm_work tell = {
        .kind = CUNA_COMM_BROADCAST, .dtype = CUNA_UINT8, .in = name, .out = name, .count = NAME_NBYTES};
    int fd = rank == 0 && may ? make_file(name, nbytes) : -1;
    CUNA_TRY(cuna__comm_judge(engine->run(node, &tell), NAME));
    if (rank != 0 && may && *name != '\0')
        fd = open(name, O_RDWR | O_CLOEXEC);
    void *memory = map(fd, nbytes);
    bool all = false;
    cuna_status status = cuna__comm_judge(cuna__shared_agree(&all, node, memory != NULL), NAME);
    if (rank == 0 && *name != '\0')
        unlink(name);
    if (memory != NULL && (status != CUNA_OK || !all)) {
        munmap(memory, nbytes);
        memory = NULL;
    }
    *out = memory;
    return status;
}
