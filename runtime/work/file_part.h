/* file_part.h: parts of a stdio stream with a checksum and optional compression, for file.c. */
#ifndef CUNA_WORK_FILE_PART_H
#define CUNA_WORK_FILE_PART_H

#include <stdio.h>

#include "cuna.h"

typedef struct cuna__file_part {
    FILE *stream;
    struct cuna__file_coder *coder; /* of the open part; NULL: bytes pass as they are */
} cuna__file_part;

/* As cuna_exchange.h documents the functions of these names. */
cuna_status cuna__file_part_read(int64_t *got, cuna__file_part *part, void *out, int64_t nbytes);
cuna_status cuna__file_part_write(cuna__file_part *part, const void *bytes, int64_t nbytes);
cuna_status cuna__file_part_begin(cuna__file_part *part, bool writes, bool deflated, int64_t packed);
cuna_status cuna__file_part_end(cuna_file_part *out, cuna__file_part *part);

/* Forgets an open part. */
void cuna__file_part_drop(cuna__file_part *part);

#endif
