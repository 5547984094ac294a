/* file_part.c: parts of a file with a checksum and optional compression, such as members of zip archives.
 *
 * Compressed parts are raw deflate streams without a zlib header, as in zip. Inflating writes directly to the reader's
 * memory and stops at the requested number of bytes, so an endless stream costs nothing. */
#define _GNU_SOURCE 1
#include "work/file_part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define WINDOW_NBYTES   (256 << 10)
#define RESERVED_NBYTES ((int64_t)16 << 20) /* of one write that reserves room before */
#define CHECK_NBYTES    ((int64_t)1 << 20)  /* coded at a time, and summed up while they are in a cache */

struct cuna__file_coder {
    bool writes, deflated, ended; /* ended: an inflated stream came to its end */
    uint32_t crc;
    int64_t nbytes, packed; /* that were read or written, and in the file */
    int64_t left;           /* of reading: bytes of the part that are still in the file */
    z_stream z;
    unsigned char window[WINDOW_NBYTES]; /* of compressed bytes */
};

static cuna_status fail_damaged(const struct cuna__file_coder *coder)
{
    return cuna_fail(CUNA_VALUE, "the compressed data is damaged%s%s", coder->z.msg ? ": " : "",
                     coder->z.msg ? coder->z.msg : "");
}

static cuna_status read_stream(int64_t *got, FILE *stream, void *out, int64_t nbytes)
{
    errno = 0;
    *got = (int64_t)fread(out, 1, (size_t)nbytes, stream);
    if (*got < nbytes && ferror(stream))
        return cuna_fail(CUNA_VALUE, "cannot read the file: %s", strerror(errno));
    return CUNA_OK;
}

/* Reserves room after the stream's position for much that comes next: file systems write faster where they need not
 * look for each block, and say at once that there is no room. What cannot reserve (a pipe) just writes. */
static bool reserve(FILE *stream, int64_t nbytes)
{
    off_t place = nbytes < RESERVED_NBYTES ? -1 : ftello(stream);
    return place < 0 || fallocate(fileno(stream), FALLOC_FL_KEEP_SIZE, place, nbytes) == 0 || errno != ENOSPC;
}

static cuna_status write_stream(FILE *stream, const void *bytes, int64_t nbytes)
{
    if (!reserve(stream, nbytes))
        return cuna_fail(CUNA_VALUE, "cannot write the file: %s", strerror(ENOSPC));
    errno = 0;
    if (fwrite(bytes, 1, (size_t)nbytes, stream) < (size_t)nbytes)
        return cuna_fail(CUNA_VALUE, "cannot write the file: %s", strerror(errno));
    return CUNA_OK;
}

/* ---- reading ---- */

static cuna_status refill(FILE *stream, struct cuna__file_coder *coder)
{
    int64_t got;
    CUNA_TRY(read_stream(&got, stream, coder->window, cuna__min(coder->left, WINDOW_NBYTES)));
    coder->left = got == 0 ? 0 : coder->left - got;
    coder->packed += got;
    coder->z.next_in = coder->window;
    coder->z.avail_in = (uInt)got;
    return CUNA_OK;
}

/* Inflates up to CHECK_NBYTES. */
static cuna_status inflate_some(int64_t *got, FILE *stream, struct cuna__file_coder *coder, void *out, int64_t nbytes)
{
    z_stream *z = &coder->z;
    z->next_out = out;
    z->avail_out = (uInt)nbytes;
    while (z->avail_out > 0 && !coder->ended) {
        if (z->avail_in == 0 && coder->left > 0)
            CUNA_TRY(refill(stream, coder));
        int answer = inflate(z, Z_NO_FLUSH);
        coder->ended = answer == Z_STREAM_END;
        if (answer == Z_BUF_ERROR && z->avail_in == 0 && coder->left == 0)
            break; /* the file ends before the stream does */
        if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
            return fail_damaged(coder);
    }
    *got = nbytes - z->avail_out;
    return CUNA_OK;
}

static cuna_status read_stored(int64_t *got, FILE *stream, struct cuna__file_coder *coder, void *out, int64_t nbytes)
{
    CUNA_TRY(read_stream(got, stream, out, cuna__min(nbytes, coder->left)));
    coder->left -= *got;
    coder->packed += *got;
    return CUNA_OK;
}

cuna_status cuna__file_part_read(int64_t *got, cuna__file_part *part, void *out, int64_t nbytes)
{
    struct cuna__file_coder *coder = part->coder;
    int64_t now = 0;
    *got = 0;
    if (coder == NULL)
        return read_stream(got, part->stream, out, nbytes);
    do {
        unsigned char *to = (unsigned char *)out + *got;
        int64_t wanted = cuna__min(nbytes - *got, CHECK_NBYTES);
        CUNA_TRY((coder->deflated ? inflate_some : read_stored)(&now, part->stream, coder, to, wanted));
        coder->crc = (uint32_t)crc32_z(coder->crc, to, (z_size_t)now);
        coder->nbytes += now;
        *got += now;
    } while (now > 0 && *got < nbytes);
    return CUNA_OK;
}

/* ---- writing ---- */

/* Compresses what z->next_in has, and with Z_FINISH all that is left. */
static cuna_status deflate_all(FILE *stream, struct cuna__file_coder *coder, int flush)
{
    z_stream *z = &coder->z;
    int answer;
    do {
        z->next_out = coder->window;
        z->avail_out = WINDOW_NBYTES;
        answer = deflate(z, flush);
        int64_t made = WINDOW_NBYTES - z->avail_out;
        CUNA_TRY(write_stream(stream, coder->window, made));
        coder->packed += made;
    } while (z->avail_in > 0 || (flush == Z_FINISH && answer != Z_STREAM_END));
    return CUNA_OK;
}

static cuna_status write_coded(FILE *stream, struct cuna__file_coder *coder, const unsigned char *bytes, int64_t nbytes)
{
    coder->crc = (uint32_t)crc32_z(coder->crc, bytes, (z_size_t)nbytes);
    coder->nbytes += nbytes;
    if (!coder->deflated) {
        coder->packed += nbytes;
        return write_stream(stream, bytes, nbytes);
    }
    coder->z.next_in = (unsigned char *)bytes;
    coder->z.avail_in = (uInt)nbytes;
    return deflate_all(stream, coder, Z_NO_FLUSH);
}

cuna_status cuna__file_part_write(cuna__file_part *part, const void *bytes, int64_t nbytes)
{
    if (part->coder == NULL)
        return write_stream(part->stream, bytes, nbytes);
    for (int64_t done = 0; done < nbytes; done += CHECK_NBYTES)
        CUNA_TRY(write_coded(part->stream, part->coder, (const unsigned char *)bytes + done,
                             cuna__min(nbytes - done, CHECK_NBYTES)));
    return CUNA_OK;
}

/* ---- beginning and end ---- */

static int open_zlib(struct cuna__file_coder *coder)
{
    if (!coder->deflated)
        return Z_OK;
    return coder->writes ? deflateInit2(&coder->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY)
                         : inflateInit2(&coder->z, -MAX_WBITS);
}

cuna_status cuna__file_part_begin(cuna__file_part *part, bool writes, bool deflated, int64_t packed)
{
    cuna__file_part_drop(part);
    struct cuna__file_coder *coder = calloc(1, sizeof *coder);
    if (coder == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for compression");
    coder->writes = writes;
    coder->deflated = deflated;
    coder->left = packed;
    if (open_zlib(coder) != Z_OK) {
        free(coder);
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for compression");
    }
    part->coder = coder;
    return CUNA_OK;
}

/* Whether nothing is left to be read; the bytes of a stream that has more are not counted. */
static cuna_status see_end(bool *whole, FILE *stream, struct cuna__file_coder *coder)
{
    unsigned char more;
    int64_t got = 0;
    if (coder->deflated && !coder->ended)
        CUNA_TRY(inflate_some(&got, stream, coder, &more, 1));
    *whole = got == 0 && coder->left == 0 && (!coder->deflated || (coder->ended && coder->z.avail_in == 0));
    return CUNA_OK;
}

static cuna_status end(cuna_file_part *out, FILE *stream, struct cuna__file_coder *coder)
{
    bool whole = true;
    if (!coder->writes)
        CUNA_TRY(see_end(&whole, stream, coder));
    else if (coder->deflated)
        CUNA_TRY(deflate_all(stream, coder, Z_FINISH));
    *out = (cuna_file_part){.crc = coder->crc, .nbytes = coder->nbytes, .packed = coder->packed, .whole = whole};
    return CUNA_OK;
}

cuna_status cuna__file_part_end(cuna_file_part *out, cuna__file_part *part)
{
    if (part->coder == NULL)
        return cuna_fail(CUNA_VALUE, "no part of the file is open");
    cuna_status status = end(out, part->stream, part->coder);
    cuna__file_part_drop(part);
    return status;
}

void cuna__file_part_drop(cuna__file_part *part)
{
    struct cuna__file_coder *coder = part->coder;
    part->coder = NULL;
    if (coder != NULL && coder->deflated)
        (coder->writes ? deflateEnd : inflateEnd)(&coder->z);
    free(coder);
}
