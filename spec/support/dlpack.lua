--- The structs of DLPack's array/dlpack.h, for specs. Declaring them twice is an error of LuaJIT's that means nothing.
local ffi = require "ffi"

pcall(ffi.cdef, [[
  typedef struct {
    void *data;
    struct { int32_t device_type, device_id; } device;
    int32_t ndim;
    struct { uint8_t code, bits; uint16_t lanes; } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
  } DLTensor;
  typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
  } DLManagedTensor;
  typedef struct DLManagedTensorVersioned {
    struct { uint32_t major, minor; } version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
  } DLManagedTensorVersioned;
]])
