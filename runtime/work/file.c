/* file.c: reads and writes files in sequence: bytes, and the elements of arrays.
 *
 * All bytes pass through file_part.c, which handles checksums and compression. Memory of the host is read and written
 * directly, memory of other devices in pieces through a buffer. A new file is written under a temporary name and
 * renamed when it is complete, so other processes never see an incomplete file. It is not synced: a crash of the
 * machine may lose it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuna.h"
#include "work/file_part.h"

#define PIECE_NBYTES ((int64_t)4 << 20)

struct cuna_file {
    cuna__file_part part;
    bool is_borrowed, is_empty; /* is_empty: memory of no bytes */
    char *memory;               /* of a spooled file, or of one that is written to memory */
    size_t written_nbytes;      /* of the latter */
    char *target, *temporary;   /* of a plain file that is written: its name, and its name until it is whole */
};

static cuna_status fail_system(const char *what, const char *path)
{
    return cuna_fail(CUNA_VALUE, "cannot %s '%s': %s", what, path, strerror(errno));
}

static cuna_status no_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "the host has no memory left for a file");
}

/* ---- opening and closing ---- */

static cuna_status wrap_stream(cuna_file **out, FILE *stream, bool is_borrowed)
{
    cuna_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return no_memory();
    file->part.stream = stream;
    file->is_borrowed = is_borrowed;
    *out = file;
    return CUNA_OK;
}

static cuna_status own_stream(cuna_file **out, FILE *stream)
{
    cuna_status status = wrap_stream(out, stream, false);
    if (status != CUNA_OK)
        fclose(stream);
    return status;
}

cuna_status cuna_file_open(cuna_file **out, const char *path, bool update)
{
    FILE *stream = fopen(path, update ? "r+be" : "rbe");
    return stream == NULL ? fail_system("open", path) : own_stream(out, stream);
}

/* stdio rejects a memory file without memory. */
cuna_status cuna_file_open_memory(cuna_file **out, const void *memory, size_t nbytes)
{
    FILE *stream = nbytes == 0 ? fopen("/dev/null", "rbe") : fmemopen((void *)memory, nbytes, "rb");
    if (stream == NULL)
        return fail_system("open", "memory");
    CUNA_TRY(own_stream(out, stream));
    (*out)->is_empty = nbytes == 0;
    return CUNA_OK;
}

cuna_status cuna_file_create_memory(cuna_file **out)
{
    CUNA_TRY(wrap_stream(out, NULL, false));
    (*out)->part.stream = open_memstream(&(*out)->memory, &(*out)->written_nbytes);
    if ((*out)->part.stream != NULL)
        return CUNA_OK;
    cuna_file_close(*out);
    *out = NULL;
    return no_memory();
}

cuna_status cuna_file_written(const char **out, int64_t *nbytes, cuna_file *file)
{
    if (fflush(file->part.stream) != 0)
        return no_memory();
    *out = file->memory;
    *nbytes = (int64_t)file->written_nbytes;
    return CUNA_OK;
}

cuna_status cuna_file_open_stream(cuna_file **out, FILE *stream)
{
    return wrap_stream(out, stream, true);
}

static bool is_plain(const struct stat *facts)
{
    return S_ISREG(facts->st_mode);
}

/* Opens a new file beside the target, with an unused name and the target's permissions. */
static cuna_status open_beside(FILE **out, cuna_file *file, const struct stat *old)
{
    static unsigned count;
    unsigned number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (asprintf(&file->temporary, "%s.%ld.%u.tmp", file->target, (long)getpid(), number) < 0) {
        file->temporary = NULL;
        return no_memory();
    }
    /* In the same folder, because rename() cannot move a file to another file system. */
    int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (*out != NULL && (old == NULL || fchmod(fd, old->st_mode & 07777) == 0))
        return CUNA_OK;
    cuna_status status = fail_system("write", file->target);
    if (*out == NULL && fd >= 0)
        close(fd);
    if (fd >= 0) /* cuna_file_close() closes the stream and removes the file */
        return status;
    free(file->temporary);
    file->temporary = NULL;
    return status;
}

/* A link is followed: what it leads to is replaced, not the link. */
static cuna_status create_plain(cuna_file *file, const char *path, const struct stat *old)
{
    file->target = old != NULL ? realpath(path, NULL) : strdup(path);
    if (file->target == NULL)
        return errno == ENOMEM ? no_memory() : fail_system("write", path);
    return open_beside(&file->part.stream, file, old);
}

bool cuna_file_is_special(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !is_plain(&facts);
}

cuna_status cuna_file_create(cuna_file **out, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && !is_plain(&old)) {
        FILE *stream = fopen(path, "wbe");
        return stream == NULL ? fail_system("write", path) : own_stream(out, stream);
    }
    CUNA_TRY(wrap_stream(out, NULL, false));
    cuna_status status = create_plain(*out, path, exists ? &old : NULL);
    if (status != CUNA_OK) {
        cuna_file_close(*out);
        *out = NULL;
    }
    return status;
}

const char *cuna_file_temporary(const cuna_file *file)
{
    return file->temporary;
}

static cuna_status fail_writing(const cuna_file *file)
{
    if (file->target != NULL)
        return fail_system("write", file->target);
    return cuna_fail(CUNA_VALUE, "cannot write the file: %s", strerror(errno));
}

cuna_status cuna_file_commit(cuna_file *file)
{
    errno = 0;
    if (fflush(file->part.stream) != 0 || ferror(file->part.stream))
        return fail_writing(file);
    if (file->temporary == NULL)
        return CUNA_OK;
    FILE *stream = file->part.stream;
    file->part.stream = NULL;
    if (fclose(stream) != 0 || rename(file->temporary, file->target) != 0)
        return fail_writing(file);
    free(file->temporary);
    file->temporary = NULL;
    return CUNA_OK;
}

void cuna_file_close(cuna_file *file)
{
    if (file == NULL)
        return;
    cuna__file_part_drop(&file->part);
    if (file->part.stream != NULL && !file->is_borrowed)
        fclose(file->part.stream);
    if (file->temporary != NULL)
        unlink(file->temporary);
    free(file->temporary);
    free(file->target);
    free(file->memory);
    free(file);
}

/* ---- places ---- */

/* Memory has no number that the system knows. */
static bool can_be_measured(FILE *stream)
{
    struct stat facts;
    int fd = fileno(stream);
    return fd < 0 || (fstat(fd, &facts) == 0 && is_plain(&facts));
}

int64_t cuna_file_size(cuna_file *file)
{
    FILE *stream = file->part.stream;
    if (file->is_empty)
        return 0;
    if (!can_be_measured(stream))
        return -1;
    off_t place = ftello(stream);
    if (place < 0 || fseeko(stream, 0, SEEK_END) != 0)
        return -1;
    off_t size = ftello(stream);
    return fseeko(stream, place, SEEK_SET) == 0 ? size : -1;
}

int64_t cuna_file_place(cuna_file *file)
{
    return ftello(file->part.stream);
}

cuna_status cuna_file_seek(cuna_file *file, int64_t place)
{
    cuna__file_part_drop(&file->part);
    if (fseeko(file->part.stream, place, SEEK_SET) != 0)
        return cuna_fail(CUNA_VALUE, "cannot go to byte %lld of the file: %s", (long long)place, strerror(errno));
    return CUNA_OK;
}

FILE *cuna_file_stream(cuna_file *file)
{
    return file->part.stream;
}

/* ---- bytes ---- */

cuna_status cuna_file_read(int64_t *got, cuna_file *file, void *out, int64_t nbytes)
{
    return cuna__file_part_read(got, &file->part, out, nbytes);
}

cuna_status cuna_file_write(cuna_file *file, const void *bytes, int64_t nbytes)
{
    return cuna__file_part_write(&file->part, bytes, nbytes);
}

cuna_status cuna_file_begin_part(cuna_file *file, bool writes, bool deflated, int64_t packed)
{
    return cuna__file_part_begin(&file->part, writes, deflated, packed);
}

cuna_status cuna_file_end_part(cuna_file_part *out, cuna_file *file)
{
    return cuna__file_part_end(out, &file->part);
}

/* Room grows with what was read, whatever was announced. */
static cuna_status read_growing(char **memory, int64_t *nbytes, cuna_file *src, int64_t limit)
{
    int64_t got, room = cuna__min(limit, PIECE_NBYTES);
    for (;; room = room > limit / 2 ? limit : 2 * room) {
        char *larger = realloc(*memory, (size_t)room + 1);
        if (larger == NULL)
            return no_memory();
        *memory = larger;
        CUNA_TRY(cuna_file_read(&got, src, larger + *nbytes, room - *nbytes));
        *nbytes += got;
        larger[*nbytes] = '\0';
        if (*nbytes < room || room == limit)
            return CUNA_OK;
    }
}

cuna_status cuna_file_spool(cuna_file **out, cuna_file *src, int64_t nbytes)
{
    char *memory = NULL;
    int64_t got = 0;
    cuna_status status = read_growing(&memory, &got, src, nbytes < 0 ? INT64_MAX / 4 : nbytes);
    if (status == CUNA_OK)
        status = cuna_file_open_memory(out, memory, (size_t)got);
    if (status == CUNA_OK)
        (*out)->memory = memory;
    else
        free(memory);
    return status;
}

const char *cuna_file_spooled(cuna_file *file)
{
    return file->memory;
}

/* ---- arrays ---- */

#define SWAP_ALL(bits)                                           \
    for (int64_t i = 0; i + bits / 8 <= nbytes; i += bits / 8) { \
        uint##bits##_t number;                                   \
        memcpy(&number, bytes + i, sizeof number);               \
        number = __builtin_bswap##bits(number);                  \
        memcpy(bytes + i, &number, sizeof number);               \
    }

/* Turns the bytes of each number round. */
static void swap_bytes(char *bytes, int64_t nbytes, int swapped)
{
    if (swapped == 2)
        SWAP_ALL(16)
    else if (swapped == 4)
        SWAP_ALL(32)
    else if (swapped == 8)
        SWAP_ALL(64)
}

static cuna_status read_whole(cuna_file *file, char *out, int64_t nbytes, int swapped)
{
    int64_t got;
    CUNA_TRY(cuna_file_read(&got, file, out, nbytes));
    if (got < nbytes)
        return cuna_fail(CUNA_VALUE, "the file ends %lld bytes before the array does", (long long)(nbytes - got));
    swap_bytes(out, nbytes, swapped);
    return CUNA_OK;
}

static int64_t count_bytes(const cuna_array *array)
{
    return array->size * cuna_dtype_size((cuna_dtype)array->dtype);
}

static cuna_status read_piece(cuna_context *context, cuna_file *file, const cuna_array *array, int64_t offset,
                              char *piece, int64_t nbytes, int swapped)
{
    CUNA_TRY(read_whole(file, piece, nbytes, swapped));
    return cuna_array_set_bytes(context, array, offset, piece, nbytes);
}

static cuna_status write_piece(cuna_context *context, cuna_file *file, const cuna_array *array, int64_t offset,
                               char *piece, int64_t nbytes)
{
    CUNA_TRY(cuna_array_get_bytes(context, array, offset, piece, nbytes));
    return cuna_file_write(file, piece, nbytes);
}

/* By way of the host's memory, one piece after another. */
static cuna_status move_pieces(cuna_context *context, cuna_file *file, const cuna_array *array, bool writes,
                               int swapped)
{
    int64_t nbytes = count_bytes(array);
    cuna_status status = CUNA_OK;
    char *piece = malloc((size_t)cuna__min(nbytes, PIECE_NBYTES));
    if (piece == NULL)
        return no_memory();
    for (int64_t done = 0; done < nbytes && status == CUNA_OK; done += PIECE_NBYTES) {
        int64_t length = cuna__min(nbytes - done, PIECE_NBYTES);
        status = writes ? write_piece(context, file, array, done, piece, length)
                        : read_piece(context, file, array, done, piece, length, swapped);
    }
    free(piece);
    return status;
}

cuna_status cuna_file_read_array(cuna_context *context, cuna_file *file, const cuna_array *array, int swapped)
{
    void *memory;
    CUNA_TRY(cuna_array_host(&memory, context, array));
    if (array->size == 0)
        return CUNA_OK;
    return memory != NULL ? read_whole(file, memory, count_bytes(array), swapped)
                          : move_pieces(context, file, array, false, swapped);
}

cuna_status cuna_file_write_array(cuna_context *context, cuna_file *file, const cuna_array *array)
{
    void *memory;
    CUNA_TRY(cuna_array_host(&memory, context, array));
    if (array->size == 0)
        return CUNA_OK;
    return memory != NULL ? cuna_file_write(file, memory, count_bytes(array))
                          : move_pieces(context, file, array, true, 0);
}

/* ---- mappings ---- */

struct mapping {
    void *memory;
    size_t nbytes;
};

static void unmap(void *owner)
{
    struct mapping *mapping = owner;
    munmap(mapping->memory, mapping->nbytes);
    free(mapping);
}

static cuna_status map_bytes(struct mapping **out, cuna_file *file, cuna_file_mapping how, size_t nbytes)
{
    int protection = how == CUNA_MAP_READ ? PROT_READ : PROT_READ | PROT_WRITE;
    struct mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL)
        return no_memory();
    mapping->nbytes = nbytes;
    mapping->memory =
        mmap(NULL, nbytes, protection, how == CUNA_MAP_COPY ? MAP_PRIVATE : MAP_SHARED, fileno(file->part.stream), 0);
    *out = mapping;
    if (mapping->memory != MAP_FAILED)
        return CUNA_OK;
    free(mapping);
    return cuna_fail(CUNA_VALUE, "the file cannot be mapped: %s", strerror(errno));
}

static cuna_status count_mapped(int64_t *nbytes, cuna_file *file, int64_t offset, cuna_dtype dtype, int ndim,
                                const int64_t *shape)
{
    CUNA_TRY(cuna__shape_size(nbytes, ndim, shape));
    if (fileno(file->part.stream) < 0 || cuna_file_size(file) < 0)
        return cuna_fail(CUNA_VALUE, "only plain files can be mapped");
    if (!cuna__mul(*nbytes, cuna_dtype_size(dtype), nbytes) || !cuna__add(*nbytes, offset, nbytes) ||
        *nbytes > cuna_file_size(file))
        return cuna_fail(CUNA_VALUE, "the file is too short to be mapped");
    return CUNA_OK;
}

cuna_status cuna_file_map(cuna_array *out, cuna_file *file, cuna_file_mapping how, int64_t offset, cuna_dtype dtype,
                          int ndim, const int64_t *shape)
{
    int64_t nbytes;
    cuna_device *host;
    struct mapping *mapping = NULL;
    CUNA_TRY(cuna_device_find(&host, "cpu"));
    CUNA_TRY(count_mapped(&nbytes, file, offset, dtype, ndim, shape));
    CUNA_TRY(map_bytes(&mapping, file, how, (size_t)nbytes));
    cuna_status status =
        cuna_array_wrap(out, host, dtype, ndim, shape, (char *)mapping->memory + offset, unmap, mapping);
    if (status != CUNA_OK)
        unmap(mapping);
    else if (how == CUNA_MAP_READ)
        out->flags |= CUNA_ARRAY_READONLY;
    return status;
}
