/* cuna_exchange.h: the public functions for exchanging data with other processes and libraries: array files, DLPack and
 * the kernel cache on disk; cuna.h includes it. */
#ifndef CUNA_EXCHANGE_DOOR_H
#define CUNA_EXCHANGE_DOOR_H

#include <stdio.h>

/* ---- cache/cache.c -------------------------------------------------------------------------------------------------- */

/* The folder of compiled kernels, or NULL and a reason when the disk cache is off. */
const char *cuna_cache_folder(const char **reason);

/* How many entries the folder has, their bytes, and the bytes from which the least recently used ones are deleted. */
void cuna_cache_get_usage(int64_t *count, int64_t *nbytes, int64_t *limit_nbytes);

/* Writes an entry of 64 KiB there, reads it back and deletes it. VALUE with the reason for a failure. */
cuna_status cuna_cache_check(void);

/* ---- dlpack.c ------------------------------------------------------------------------------------------------- */

enum {
    CUNA_DLPACK_VERSIONED = 1, /* DLManagedTensorVersioned, else DLManagedTensor */
    CUNA_DLPACK_COPIED = 2,    /* the array is a copy made for the consumer */
};

/* Creates a DLPack managed tensor over an array's memory, with a reference to it. The consumer calls its deleter once,
 * from any thread. The caller orders the work that computes the elements. `consumer` is the stream that uses the
 * elements, or NULL; a stream made elsewhere must live until the deleter is called. The memory is reused after the work
 * submitted to the stream until then. VALUE for memory that a Lua object keeps alive, and for a read-only array in a
 * tensor that is not versioned; MEMORY. */
cuna_status cuna_dlpack_export(void **out, const cuna_array *array, unsigned flags, cuna_stream *consumer);

/* Fills `out` with an array over the memory of a managed tensor and takes ownership of the tensor. The deleter is
 * called once the last array over the memory was released and the work that this process submitted to the device until
 * then is done: when this thread waits, later imports or releases another tensor, or destroys its context. On failure
 * the caller keeps the tensor. VALUE, with the reason, for tensors that arrays cannot represent; DEVICE; MEMORY. */
cuna_status cuna_dlpack_import(cuna_array *out, void *managed, unsigned flags);

/* Calls the deleter of a managed tensor that was not imported. */
void cuna_dlpack_delete(void *managed, unsigned flags);

/* ---- file.c --------------------------------------------------------------------------------------------------- */

typedef struct cuna_file cuna_file; /* bytes in order, of a file or of memory */

/* Opens a file for reading and, with `update`, also for mappings that write to it. The caller closes it. VALUE when it
 * cannot be opened; MEMORY. */
cuna_status cuna_file_open(cuna_file **out, const char *path, bool update);

/* Reads memory as a file; the caller owns the memory, which is not written. */
cuna_status cuna_file_open_memory(cuna_file **out, const void *memory, size_t nbytes);

/* Writes to memory that the file owns. MEMORY. */
cuna_status cuna_file_create_memory(cuna_file **out);

/* What was written to memory; borrowed until the next write. MEMORY. */
cuna_status cuna_file_written(const char **out, int64_t *nbytes, cuna_file *file);

/* Reads and writes a stream, from its current position; the caller opens and closes the stream. */
cuna_status cuna_file_open_stream(cuna_file **out, FILE *stream);

/* Opens a file for writing. A regular file appears, or is replaced, when it is committed; until then a temporary file
 * in the same folder is written. A special file (a device, a pipe) is written directly. VALUE; MEMORY. */
cuna_status cuna_file_create(cuna_file **out, const char *path);

/* Ends writing: everything is written, or VALUE. The caller still closes the file. */
cuna_status cuna_file_commit(cuna_file *file);

/* Closes a file; a file that was created and not committed is discarded. NULL is allowed. */
void cuna_file_close(cuna_file *file);

/* The size of a file in bytes, -1 if unknown (a pipe); the position of the next byte to read or write; moves it.
 * Seeking discards an open part. */
int64_t cuna_file_size(cuna_file *file);
int64_t cuna_file_place(cuna_file *file);
cuna_status cuna_file_seek(cuna_file *file, int64_t place);

/* Whether a path leads to something other than a regular file: a device, a pipe, a folder. */
bool cuna_file_is_special(const char *path);

/* The name that a created file has until it is committed, for other processes that write parts of it; NULL for files that
 * are not plain. Borrowed. */
const char *cuna_file_temporary(const cuna_file *file);

/* Reads the rest of a file, up to nbytes (negative: everything), into memory that the new file owns and reads from. */
cuna_status cuna_file_spool(cuna_file **out, cuna_file *src, int64_t nbytes);

/* The bytes of a spooled file, followed by a NUL; borrowed. */
const char *cuna_file_spooled(cuna_file *file);

/* Its stdio stream; borrowed. */
FILE *cuna_file_stream(cuna_file *file);

/* Reads up to nbytes; fewer only where the file, or the open part, ends. VALUE when it cannot be read, or a compressed
 * part is damaged. */
cuna_status cuna_file_read(int64_t *got, cuna_file *file, void *out, int64_t nbytes);

/* Writes bytes. VALUE when it cannot. */
cuna_status cuna_file_write(cuna_file *file, const void *bytes, int64_t nbytes);

/* Begins a part of the file: bytes read or written from here on pass through a checksum and, with `deflated`, zlib's
 * (de)compression. `packed` limits the bytes that reading takes from the file. A part that is open is discarded.
 * MEMORY. */
cuna_status cuna_file_begin_part(cuna_file *file, bool writes, bool deflated, int64_t packed);

/* Facts about a part that ended: CRC-32 and size of the bytes read or written, and its size in the file. After reading,
 * `whole` is whether all of it was read. */
typedef struct cuna_file_part {
    uint32_t crc;
    int64_t nbytes, packed;
    bool whole;
} cuna_file_part;
cuna_status cuna_file_end_part(cuna_file_part *out, cuna_file *file);

/* Reads an array's elements (contiguous, on any device), or writes them, in pieces. `swapped` is the size of the
 * numbers whose byte order reading reverses; below 2 none is reversed. VALUE: the file is too short. */
cuna_status cuna_file_read_array(cuna_context *context, cuna_file *file, const cuna_array *array, int swapped);
cuna_status cuna_file_write_array(cuna_context *context, cuna_file *file, const cuna_array *array);

typedef enum cuna_file_mapping {
    CUNA_MAP_READ,  /* the array is read-only */
    CUNA_MAP_COPY,  /* writes stay in this process */
    CUNA_MAP_WRITE, /* writes go to the file, which was opened for update */
} cuna_file_mapping;

/* Fills `out` with an array of the cpu device that maps a regular file from byte `offset` on. VALUE: the file is too
 * short, or elements would not be aligned. */
cuna_status cuna_file_map(cuna_array *out, cuna_file *file, cuna_file_mapping mapping, int64_t offset, cuna_dtype dtype,
                          int ndim, const int64_t *shape);

#endif
