/* dlpack_peer.c: another library, as cuna's specs of DLPack see it: it makes tensors and uses those of others. Its structs
 * are written down from DLPack's specification once more. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t major, minor;
} DLPackVersion;

typedef struct {
    int32_t device_type;
    int32_t device_id;
} DLDevice;

typedef struct {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} DLDataType;

typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides;
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

static int deleted;

/* How many tensors of this library's were deleted. */
int peer_deleted(void)
{
    return __atomic_load_n(&deleted, __ATOMIC_RELAXED);
}

static void count(void)
{
    __atomic_add_fetch(&deleted, 1, __ATOMIC_RELAXED);
}

static void delete_plain(DLManagedTensor *self)
{
    count();
    free(self->manager_ctx);
    free(self);
}

static void delete_versioned(DLManagedTensorVersioned *self)
{
    count();
    free(self->manager_ctx);
    free(self);
}

/* A tensor over a copy of `nbytes` bytes; shape and strides (or none) are copied, too. */
static void *fill(DLTensor *tensor, const DLTensor *like, const void *bytes, size_t nbytes)
{
    size_t lengths = like->ndim > 0 ? (size_t)like->ndim * sizeof(int64_t) : 0;
    size_t room = (nbytes + 63) / 64 * 64;
    char *memory = aligned_alloc(64, room + (2 * lengths + 64) / 64 * 64);
    memcpy(memory, bytes, nbytes);
    *tensor = *like;
    tensor->data = like->data == NULL ? NULL : memory;
    if (like->shape != NULL)
        tensor->shape = memcpy(memory + room, like->shape, lengths);
    if (like->strides != NULL)
        tensor->strides = memcpy(memory + room + lengths, like->strides, lengths);
    return memory;
}

DLManagedTensor *peer_make(const DLTensor *like, const void *bytes, size_t nbytes)
{
    DLManagedTensor *made = calloc(1, sizeof *made);
    made->manager_ctx = fill(&made->dl_tensor, like, bytes, nbytes);
    made->deleter = delete_plain;
    return made;
}

DLManagedTensorVersioned *peer_make_versioned(const DLTensor *like, const void *bytes, size_t nbytes, uint32_t major,
                                              uint64_t flags)
{
    DLManagedTensorVersioned *made = calloc(1, sizeof *made);
    made->manager_ctx = fill(&made->dl_tensor, like, bytes, nbytes);
    made->deleter = delete_versioned;
    made->version = (DLPackVersion){.major = major, .minor = 3};
    made->flags = flags;
    return made;
}

static double add(const DLTensor *t, int axis, const char *at)
{
    double sum = 0;
    if (axis == t->ndim)
        return *(const double *)at;
    for (int64_t i = 0; i < t->shape[axis]; i++)
        sum += add(t, axis + 1, at + i * t->strides[axis] * (int64_t)sizeof(double));
    return sum;
}

static void *give_back(void *managed)
{
    DLManagedTensor *tensor = managed;
    tensor->deleter(tensor);
    return NULL;
}

/* The sum of a tensor of doubles, which a thread of its own gives back. */
double peer_consume(DLManagedTensor *managed)
{
    pthread_t thread;
    const DLTensor *t = &managed->dl_tensor;
    double sum = add(t, 0, (const char *)t->data + t->byte_offset);
    pthread_create(&thread, NULL, give_back, managed);
    pthread_join(thread, NULL);
    return sum;
}
