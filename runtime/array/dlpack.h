/* dlpack.h: the structs of DLPack 1.1, by which array libraries of one process share memory; only data, after its
 * specification (https://dmlc.github.io/dlpack). Names are in cuna's style, layouts are DLPack's. */
#ifndef CUNA_ARRAY_DLPACK_H
#define CUNA_ARRAY_DLPACK_H

#include "base/base.h"

#define CUNA_DLPACK_MAJOR     1
#define CUNA_DLPACK_MINOR     1
#define CUNA_DLPACK_READ_ONLY ((uint64_t)1) /* bits of `flags` */
#define CUNA_DLPACK_IS_COPIED ((uint64_t)2)

typedef struct cuna_dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits; /* kind of number; its bits */
    uint16_t lanes;     /* numbers of one element */
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: row-major without gaps */
    uint64_t byte_offset;
} cuna_dl_tensor;

/* DLManagedTensor */
typedef struct cuna_dl_managed {
    cuna_dl_tensor tensor;
    void *context; /* of its maker */
    void (*deleter)(struct cuna_dl_managed *self);
} cuna_dl_managed;

/* DLManagedTensorVersioned. Whatever the major version, everything up to `flags` is as it is here. */
typedef struct cuna_dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct cuna_dl_versioned *self);
    uint64_t flags;
    cuna_dl_tensor tensor;
} cuna_dl_versioned;

#endif
