/* cuna_exchange.h: the door's part for what leaves the process or comes into it: arrays in files, memory that is shared
 * with other libraries, and kernels in the disk cache; cuna.h includes it. */
#ifndef CUNA_EXCHANGE_DOOR_H
#define CUNA_EXCHANGE_DOOR_H

#include <stdio.h>

/* ---- cache/cache.c -------------------------------------------------------------------------------------------------- */

/* The folder of compiled kernels, or NULL and a reason when the disk cache is off. */
const char *cuna_cache_folder(const char **reason);

/* Writes an entry of 64 KiB there, reads it back and deletes it. VALUE with what keeps it from that. */
cuna_status cuna_cache_check(void);

/* ---- dlpack.c ------------------------------------------------------------------------------------------------- */

enum {
    CUNA_DLPACK_VERSIONED = 1, /* DLManagedTensorVersioned, else DLManagedTensor */
    CUNA_DLPACK_COPIED = 2,    /* the array is a copy that was made for the consumer */
};

/* Makes a managed tensor of DLPack's over an array's memory, of which it has a share: whoever gets it calls its deleter
 * once, from any thread. Work that makes the elements is ordered by the caller. `consumer` is the stream that uses them, or
 * NULL: one that was made elsewhere is there until the deleter is called, and the memory is used again behind what it was
 * given until then. VALUE for memory that something of Lua's
 * keeps alive, and for a read-only array without a versioned tensor to say so; MEMORY. */
cuna_status cuna_dlpack_export(void **out, const cuna_array *array, unsigned flags, cuna_stream *consumer);

/* Fills `out` with an array over the memory of a managed tensor, which it owns from then on: the deleter is called when
 * the last array over the memory was released, and work that this process gave the device until then is done: where this
 * thread waits, imports or releases another one later, or its context is destroyed. On failure nothing was taken. VALUE for what arrays cannot be, in words; DEVICE; MEMORY. */
cuna_status cuna_dlpack_import(cuna_array *out, void *managed, unsigned flags);

/* Calls the deleter of a managed tensor that nobody takes. */
void cuna_dlpack_delete(void *managed, unsigned flags);

/* ---- file.c --------------------------------------------------------------------------------------------------- */

typedef struct cuna_file cuna_file; /* bytes in order, of a file or of memory */

/* Opens a file for reading, or, with `update`, also for mappings that write to it. Whoever opens closes. VALUE when it
 * cannot be opened; MEMORY. */
cuna_status cuna_file_open(cuna_file **out, const char *path, bool update);

/* Reads memory as a file; the memory stays the caller's and is not written. */
cuna_status cuna_file_open_memory(cuna_file **out, const void *memory, size_t nbytes);

/* Reads and writes a stream that the caller has opened and closes, from where it is. */
cuna_status cuna_file_open_stream(cuna_file **out, FILE *stream);

/* Opens a file for writing. A plain file appears, or is replaced, when it is committed: until then a file beside it is
 * written. What is no plain file (a device, a pipe) is written directly. VALUE; MEMORY. */
cuna_status cuna_file_create(cuna_file **out, const char *path);

/* Ends writing: everything is there, or VALUE. The file is closed by the caller as any other. */
cuna_status cuna_file_commit(cuna_file *file);

/* Closes a file; what was created and not committed never was. NULL is fine. */
void cuna_file_close(cuna_file *file);

/* The bytes of a file, -1 where only reading tells (a pipe), and the place where the next byte is read or written. Going
 * to a place forgets an open part. */
int64_t cuna_file_size(cuna_file *file);
int64_t cuna_file_place(cuna_file *file);
cuna_status cuna_file_seek(cuna_file *file, int64_t place);

/* Whether a path leads to something that is no plain file: a device, a pipe, a folder. */
bool cuna_file_is_special(const char *path);

/* Reads what is left of a file, up to nbytes (negative: everything), into memory that the new file has and reads from. */
cuna_status cuna_file_spool(cuna_file **out, cuna_file *src, int64_t nbytes);

/* The bytes of a spooled file, with a NUL behind them; borrowed. */
const char *cuna_file_spooled(cuna_file *file);

/* Its stdio stream; borrowed. */
FILE *cuna_file_stream(cuna_file *file);

/* Reads up to nbytes; fewer only where the file, or the open part, ends. VALUE when it cannot be read, or a compressed
 * part is damaged. */
cuna_status cuna_file_read(int64_t *got, cuna_file *file, void *out, int64_t nbytes);

/* Writes bytes. VALUE when it cannot. */
cuna_status cuna_file_write(cuna_file *file, const void *bytes, int64_t nbytes);

/* Opens a part of the file: from here on what is read or written passes a check sum and, with `deflated`, (de)compression
 * by zlib. `packed` limits what reading takes from the file. A part that is open is forgotten. MEMORY. */
cuna_status cuna_file_begin_part(cuna_file *file, bool writes, bool deflated, int64_t packed);

/* What a part was found to be when it ended: CRC-32 and bytes of what was read or written, and its bytes in the file.
 * `whole` says, of reading, whether everything in it was read. */
typedef struct cuna_file_part {
    uint32_t crc;
    int64_t nbytes, packed;
    bool whole;
} cuna_file_part;
cuna_status cuna_file_end_part(cuna_file_part *out, cuna_file *file);

/* Reads an array's elements (contiguous, on any device), or writes them, in pieces. `swapped` counts the bytes of the
 * numbers whose order is to be turned round while reading; below 2 none is. VALUE: the file ends before. */
cuna_status cuna_file_read_array(cuna_context *context, cuna_file *file, const cuna_array *array, int swapped);
cuna_status cuna_file_write_array(cuna_context *context, cuna_file *file, const cuna_array *array);

typedef enum cuna_file_mapping {
    CUNA_MAP_READ,  /* the array is read only */
    CUNA_MAP_COPY,  /* what is written stays in this process */
    CUNA_MAP_WRITE, /* what is written goes to the file, which was opened for update */
} cuna_file_mapping;

/* Fills `out` with an array of the cpu device over a plain file's memory, from byte `offset` on. VALUE: the file is too
 * short, or elements would not be aligned. */
cuna_status cuna_file_map(cuna_array *out, cuna_file *file, cuna_file_mapping mapping, int64_t offset, cuna_dtype dtype,
                          int ndim, const int64_t *shape);

#endif
