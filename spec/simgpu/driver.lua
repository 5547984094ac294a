--- The simulated GPU's libraries, called directly: what specs of the simulation itself and of failures need.
local ffi = require "ffi"

local M = {}

--- The rows, as C declares them.
M.declarations = [[
int cuInit(unsigned);
int cuDriverGetVersion(int *);
int cuGetErrorName(int, const char **);
int cuDeviceGetCount(int *);
int cuDeviceGet(int *, int);
int cuDeviceGetAttribute(int *, int, int);
int cuDevicePrimaryCtxRetain(void **, int);
int cuDevicePrimaryCtxRelease_v2(int);
int cuCtxSetCurrent(void *);
int cuCtxSynchronize(void);
int cuCtxEnablePeerAccess(void *, unsigned);
int cuCtxGetStreamPriorityRange(int *, int *);
int cuMemGetInfo_v2(size_t *, size_t *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemAllocManaged(uint64_t *, size_t, unsigned);
int cuMemAllocAsync(uint64_t *, size_t, void *);
int cuMemFreeAsync(uint64_t, void *);
int cuDeviceGetDefaultMemPool(void **, int);
int cuMemPoolGetAttribute(void *, int, void *);
int cuMemPoolSetAttribute(void *, int, void *);
int cuMemPoolTrimTo(void *, size_t);
int cuMemPrefetchAsync(uint64_t, size_t, int, void *);
int cuMemAdvise(uint64_t, size_t, int, int);
int cuMemHostAlloc(void **, size_t, unsigned);
int cuMemFreeHost(void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *);
int cuMemcpyPeerAsync(uint64_t, void *, uint64_t, void *, size_t, void *);
int cuPointerGetAttributes(unsigned, int *, void **, uint64_t);
int cuMemsetD8Async(uint64_t, unsigned char, size_t, void *);
int cuStreamCreateWithPriority(void **, unsigned, int);
int cuStreamDestroy_v2(void *);
int cuStreamSynchronize(void *);
int cuStreamQuery(void *);
int cuStreamWaitEvent(void *, void *, unsigned);
int cuEventCreate(void **, unsigned);
int cuEventDestroy_v2(void *);
int cuEventRecord(void *, void *);
int cuEventQuery(void *);
int cuEventSynchronize(void *);
int cuEventElapsedTime(float *, void *, void *);
int cuLaunchHostFunc(void *, void (*)(void *), void *);
int cuStreamBeginCapture_v2(void *, int);
int cuStreamEndCapture(void *, void **);
int cuStreamIsCapturing(void *, int *);
int cuStreamGetCaptureInfo_v2(void *, int *, uint64_t *, void **, void *const **, size_t *);
int cuGraphExecKernelNodeSetParams(void *, void *, const void *);
int cuGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cuGraphUpload(void *, void *);
int cuGraphLaunch(void *, void *);
int cuGraphExecDestroy(void *);
int cuGraphDestroy(void *);
int cuModuleLoadData(void **, const void *);
int cuModuleUnload(void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                   void **);
int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *);
int nvrtcDestroyProgram(void **);
int nvrtcAddNameExpression(void *, const char *);
int nvrtcGetLoweredName(void *, const char *, const char **);
int nvrtcCompileProgram(void *, int, const char *const *);
int nvrtcGetProgramLogSize(void *, size_t *);
int nvrtcGetProgramLog(void *, char *);
int nvrtcGetCUBINSize(void *, size_t *);
int nvrtcGetCUBIN(void *, char *);
]]

ffi.cdef(M.declarations)
ffi.cdef [[
struct simgpu_node_params { void *function; unsigned grid[3], block[3], shared_nbytes; void **params, **extra; };
int simgpu_fail(const char *, unsigned, int, int);
unsigned simgpu_calls(const char *);
void simgpu_reset(void);
int simgpu_live(const char *);
unsigned simgpu_blocks(void);
const char *simgpu_symbol(unsigned);
]]

local build = os.getenv("CUNA_BUILD") or "build"
M.path = build .. "/simgpu/libcuda.so.1"

--- Whether the specs run on the simulated GPU: the loader's path names it.
M.here = (os.getenv("LD_LIBRARY_PATH") or ""):find(build .. "/simgpu", 1, true) ~= nil

--- The library; its functions have CUDA's names.
M.cuda = M.here and ffi.load(M.path) or nil

--- The error's name when a call failed.
local function must(result)
  if result == 0 then return end
  local name = ffi.new("const char *[1]")
  M.cuda.cuGetErrorName(result, name)
  error(("%d %s"):format(result, name[0] ~= nil and ffi.string(name[0]) or "unknown"), 2)
end
M.must = must

--- Calls `fn(out)` with room for one value of a C type and answers the value.
function M.out(ctype, fn, ...)
  local room = ffi.new(ctype .. "[1]")
  must(fn(room, ...))
  return room[0]
end

--- Makes the context of a device current; answers it.
function M.enter(ordinal)
  must(M.cuda.cuInit(0))
  local context = M.out("void *", M.cuda.cuDevicePrimaryCtxRetain, ordinal or 0)
  must(M.cuda.cuCtxSetCurrent(context))
  return context
end

function M.alloc(nbytes) return M.out("uint64_t", M.cuda.cuMemAlloc_v2, nbytes) end
function M.stream(flags) return M.out("void *", M.cuda.cuStreamCreateWithPriority, flags or 0, 0) end
function M.event() return M.out("void *", M.cuda.cuEventCreate, 0) end

local function log_of(program)
  local room = ffi.new("char[?]", M.out("size_t", function(out) return M.cuda.nvrtcGetProgramLogSize(program, out) end))
  must(M.cuda.nvrtcGetProgramLog(program, room))
  return ffi.string(room)
end

--- Compiles kernel text behind the prelude of CUDA devices: the image, or nil, the log and the result.
function M.compile(text, options, prelude)
  if not prelude then
    local file = assert(io.open("kernels/prelude_cuda.h"))
    prelude = file:read("*a")
    file:close()
  end
  options = options or { "--gpu-architecture=sm_90", "--std=c++17" }
  local program = M.out("void *", M.cuda.nvrtcCreateProgram, prelude .. text, "spec.cu", 0, nil, nil)
  local result = M.cuda.nvrtcCompileProgram(program, #options, ffi.new("const char *[?]", #options + 1, options))
  local image, log
  if result == 0 then
    local nbytes = M.out("size_t", function(out) return M.cuda.nvrtcGetCUBINSize(program, out) end)
    image = ffi.new("char[?]", nbytes)
    must(M.cuda.nvrtcGetCUBIN(program, image))
  else
    log = log_of(program)
  end
  must(M.cuda.nvrtcDestroyProgram(ffi.new("void *[1]", program)))
  return image, log, result
end

--- Functions of kernel text by name, and the module.
function M.functions(text, ...)
  local image, log = M.compile(text)
  assert(image, log)
  local module = M.out("void *", M.cuda.cuModuleLoadData, image)
  local functions = {}
  for i = 1, select("#", ...) do
    functions[i] = M.out("void *", M.cuda.cuModuleGetFunction, module, (select(i, ...)))
  end
  functions[#functions + 1] = module
  return unpack(functions)
end

--- Launches blocks of 256 lanes with one argument, a cdata; answers the result.
function M.launch(kernel, blocks, argument, stream)
  local params = ffi.new("void *[1]", ffi.cast("void *", argument))
  return M.cuda.cuLaunchKernel(kernel, blocks, 1, 1, 256, 1, 1, 0, stream, params, nil)
end

--- The bytes at a device address, copied to the host, as an array of a C type.
function M.read(ptr, ctype, count, stream)
  local room = ffi.new(ctype .. "[?]", count)
  must(M.cuda.cuMemcpyDtoHAsync_v2(room, ptr, ffi.sizeof(room), stream))
  return room
end

--- The rows that `fn` calls, by their symbols: no other can fail in it, until one of them has failed.
function M.rows_of(fn)
  local names, i = {}, 0
  M.cuda.simgpu_reset()
  fn()
  while M.cuda.simgpu_symbol(i) ~= nil do
    local symbol = M.cuda.simgpu_symbol(i)
    if M.cuda.simgpu_calls(symbol) > 0 then names[#names + 1] = ffi.string(symbol) end
    i = i + 1
  end
  M.cuda.simgpu_reset()
  return names
end

return M
