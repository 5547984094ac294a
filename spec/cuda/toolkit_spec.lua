-- What the seam and the kernels assume of CUDA, held against an installed toolkit; no GPU is needed.
local process = require "spec.support.process"

local function lines_of(command)
  local text = process.shell(command .. " 2>/dev/null")
  local lines = {}
  for line in text:gmatch("[^\n]+") do lines[#lines + 1] = line end
  return lines
end

--- The first file that one of the shell patterns names, under one of the places where toolkits are.
local function find(...)
  local roots = { os.getenv("CUDA_HOME") or "", os.getenv("CUDA_PATH") or "",
    lines_of('dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")"')[1] or "", "/usr/local/cuda", "/usr" }
  for _, root in ipairs(roots) do
    for _, pattern in ipairs { ... } do
      local path = root:find("^/") and lines_of(("ls -d %s/%s"):format(process.quote(root), pattern))[1]
      if path then return path end
    end
  end
end

local header = find("include/cuda.h")
local include = header and header:match("^(.*)/")
local nvrtc = find("lib64/libnvrtc.so*", "lib/libnvrtc.so*", "lib/x86_64-linux-gnu/libnvrtc.so*")
local libcuda = lines_of("ldconfig -p | sed -n 's,.*=> \\(/.*/libcuda.so.1\\)$,\\1,p'")[1]
  or find("lib64/stubs/libcuda.so", "lib/stubs/libcuda.so", "lib/x86_64-linux-gnu/stubs/libcuda.so")
if include and #lines_of("ls " .. process.quote(include .. "/nvrtc.h")) == 0 then include = nil end

local driver_h = process.read("runtime/seam/driver.h")

--- The rows of a seam/driver.h: symbol and parameters.
local function rows_of(text)
  local rows = {}
  text = text:gsub("\\\n", " ")
  for symbol, parameters in text:gmatch('X%("([%w_]+)",%s*[%w_]+,%s*(%b())%)') do
    rows[#rows + 1] = { symbol = symbol, parameters = (parameters:gsub("%s+", " ")) }
  end
  return rows
end

--- The names of its values, and what cuda.h calls them.
local function values_of(text)
  local values = {}
  for name in text:gmatch("\n%s+(CU_[%w_]+) = %d+") do
    local theirs = name:gsub("^CU_ERROR_", "CUDA_ERROR_"):gsub("^CU_SUCCESS$", "CUDA_SUCCESS")
    values[#values + 1] = { ours = name, theirs = (theirs:gsub("^CU_ATTRIBUTE_", "CU_DEVICE_ATTRIBUTE_")) }
  end
  return values
end

-- Where cuda.h has an enumeration or a struct, seam/driver.h has int or void: the parameter's name and CUDA's type.
local ENUMERATIONS = {
  cuTexObjectCreate = { "view", "CUDA_RESOURCE_VIEW_DESC", "void" },
  cuDeviceGetAttribute = { "attribute", "CUdevice_attribute" },
  cuPointerGetAttributes = { "attributes", "CUpointer_attribute" },
  cuFuncGetAttribute = { "attribute", "CUfunction_attribute" },
  cuFuncSetAttribute = { "attribute", "CUfunction_attribute" },
  cuMemPoolGetAttribute = { "attribute", "CUmemPool_attribute" },
  cuMemPoolSetAttribute = { "attribute", "CUmemPool_attribute" },
  cuMemAdvise = { "advice", "CUmem_advise" },
  cuStreamBeginCapture_v2 = { "mode", "CUstreamCaptureMode" },
  cuStreamIsCapturing = { "status", "CUstreamCaptureStatus" },
  cuStreamGetCaptureInfo_v2 = { "status", "CUstreamCaptureStatus" },
}

--- A row's parameters with CUDA's type in place of int or void.
local function enumerate(row)
  local name, theirs, ours = unpack(ENUMERATIONS[row.symbol] or {})
  if not name then return row.parameters end
  ours = (ours or "int") .. " (%*?)"
  local parameters, count = row.parameters:gsub(ours .. name .. "([,)])", theirs .. " %1" .. name .. "%2")
  assert(count == 1, row.symbol .. " has no int " .. name)
  return parameters
end

--- Writes a text that is included in place of a header of runtime/.
local function write_header(folder, path, text)
  local copy = folder .. "/" .. path:gsub("^runtime/", "")
  os.execute("mkdir -p " .. process.quote((copy:gsub("/[^/]*$", ""))))
  process.write(copy, text)
end

--- The folder with the headers that spec/support/cuda_rows.c includes.
local function write_headers(folder, text)
  local renames, undone, checks = {}, {}, {}
  for i, value in ipairs(values_of(text)) do
    renames[i] = ("#define %s driver_%s\n"):format(value.ours, value.ours)
    undone[i] = ("#undef %s\n"):format(value.ours)
    checks[i] = ("VALUE(%s, %s)\n"):format(value.ours, value.theirs)
  end
  for _, row in ipairs(rows_of(text)) do
    local result = row.symbol:find("^nvrtc") and "nvrtcResult" or "CUresult"
    checks[#checks + 1] = ("ROW(%s, %s, %s)\n"):format(row.symbol, result, enumerate(row))
  end
  write_header(folder, "runtime/seam/driver.h", text)
  process.write(folder .. "/driver_renames.h", table.concat(renames))
  process.write(folder .. "/driver_values.h", table.concat(undone))
  process.write(folder .. "/driver_rows.h", table.concat(checks))
end

--- What the compiler says when a seam/driver.h of this text is compared with CUDA's headers.
local function compare(text)
  local folder = process.folder()
  write_headers(folder, text)
  local said, status = process.shell(("cc -std=gnu11 -Wall -fsyntax-only -I%s -Iruntime -I. -isystem %s "
    .. "spec/support/cuda_rows.c"):format(folder, process.quote(include)))
  process.remove(folder)
  return said, status
end

--- seam/driver.h with one change.
local function changed(from, to)
  local first, last = driver_h:find(from, 1, true)
  assert(first, "seam/driver.h no longer says " .. from)
  return driver_h:sub(1, first - 1) .. to .. driver_h:sub(last + 1)
end

describe("the rows of seam/driver.h", function()
  it("are found by this spec", function()
    local _, count = driver_h:gsub("\n    X%(", "")
    assert.equal(count, #rows_of(driver_h))
    assert.is_true(#values_of(driver_h) > 30)
  end)

  it("name symbols that libcuda and NVRTC export", function()
    if not (libcuda and nvrtc) then return pending("no libcuda (not even its stub) and libnvrtc on this machine") end
    local exported = {}
    for _, path in ipairs { libcuda, nvrtc } do
      for _, line in ipairs(lines_of("nm -D --defined-only " .. process.quote(path))) do
        exported[line:match("%s([%w_]+)[@%w_.]*$") or ""] = true
      end
    end
    local missing = {}
    for _, row in ipairs(rows_of(driver_h)) do
      if not exported[row.symbol] then missing[#missing + 1] = row.symbol end
    end
    assert.same({}, missing)
  end)

  it("have the signatures and numbers of cuda.h and nvrtc.h", function()
    if not include then return pending("no cuda.h with nvrtc.h on this machine") end
    assert.same({ "", 0 }, { compare(driver_h) })
  end)

  it("would not be let through with others", function()
    if not include then return pending("no cuda.h with nvrtc.h on this machine") end
    for from, to in pairs {
      ["(cu_deviceptr * ptr, size_t nbytes)"] = "(cu_deviceptr * ptr, unsigned nbytes)",
      ["(cu_deviceptr ptr)"] = "(cu_deviceptr ptr, int more)",
      ["(cu_stream stream, cu_event event, unsigned flags)"] = "(cu_event event, cu_stream stream, unsigned flags)",
      ["(int *major, int *minor)"] = "(int *major, long *minor)",
      ["CU_ERROR_NOT_FOUND = 500"] = "CU_ERROR_NOT_FOUND = 501",
      ["CU_EVENT_BLOCKING_SYNC = 1"] = "CU_EVENT_BLOCKING_SYNC = 4",
      ["unsigned grid_x, grid_y, grid_z, block_x"] = "unsigned block_x, grid_x, grid_y, grid_z",
      ["(cu_graph_exec exec, cu_graph_node node"] = "(cu_graph_exec exec, cu_graph node",
      ["(cu_graph_exec exec, cu_stream stream)"] = "(cu_graph exec, cu_stream stream)",
      ["size_t width, height, depth;\n    int format;"] = "size_t height, width, depth;\n    int format;",
      ["int address[3], filter;"] = "int filter, address[3];",
      ["(cu_mem_pool pool, size_t keep_nbytes)"] = "(cu_mem_pool pool, unsigned keep_nbytes)",
    } do
      local said, status = compare(changed(from, to))
      assert(status ~= 0 and said:find("static assertion failed", 1, true), "let through: " .. to .. "\n" .. said)
    end
  end)
end)

-- The tables beside the driver: what they call, of which library, what compares them with its headers, which headers of
-- ours lie below, and what of the library's stands in parameters for types of ours (patterns).
local TYPES = "runtime/seam/library_cuda_type.h"
local TABLES = {
  { header = "runtime/cuda/blas.h", below = { TYPES }, check = "spec/support/blas_rows.c", library = "libcublas",
    types = { ["const cuda_factor %*"] = "const void *" }, wrong = {
      ["(cublas_handle * handle)"] = "(cublas_handle handle)",
      ["size_t nbytes)"] = "int nbytes)",
      ["int64_t ldc, long long stride_c, int64_t count"] = "int ldc, long long stride_c, int64_t count",
      ["CUBLAS_COMPUTE_64F = 70"] = "CUBLAS_COMPUTE_64F = 71",
      ["const cuda_complex64 *a, int64_t lda"] = "const float *a, int64_t lda",
    } },
  { header = "runtime/cuda/blas_lt.h", below = { "runtime/cuda/blas.h", TYPES }, check = "spec/support/blas_lt_rows.c",
    library = "libcublasLt", types = { ["const cuda_factor %*"] = "const void *" }, wrong = {
      ["uint64_t rows, uint64_t columns"] = "int64_t rows, uint64_t columns",
      ["cublaslt_layout c, \\\n       cublaslt_layout d"] = "cublaslt_layout c, \\\n       void *d",
      ["size_t workspace_nbytes, cu_stream"] = "uint32_t workspace_nbytes, cu_stream",
      ["CUBLASLT_MATMUL_DESC_TRANSB = 4"] = "CUBLASLT_MATMUL_DESC_TRANSB = 5",
      ["float waves;"] = "double waves;",
    } },
  { header = "runtime/cuda/lapack.h", below = { "runtime/cuda/blas.h", TYPES }, check = "spec/support/lapack_rows.c",
    library = "libcusolver", wrong = {
      ["int64_t *pivots"] = "int *pivots",
      ["signed char u_job"] = "cusolver_mode u_job",
      ["CUSOLVER_STATUS_ALLOC_FAILED = 2"] = "CUSOLVER_STATUS_ALLOC_FAILED = 3",
    } },
  { header = "runtime/seam/dft.h", below = { TYPES }, check = "spec/support/dft_rows.c", library = "libcufft", types = {
      ["int (%w+_type)"] = "cudaDataType %1",
    }, wrong = {
      ["long long batch"] = "int batch",
      ["CUFFT_INVALID_SIZE = 8"] = "CUFFT_INVALID_SIZE = 7",
      ["void *in, void *out, int direction"] = "void *in, int direction, void *out",
    } },
  { header = "runtime/cuda/rand.h", check = "spec/support/rand_rows.c", library = "libcurand", types = {
      ["void %*%*generator"] = "curandGenerator_t *generator", ["int method"] = "curandRngType_t method",
      ["void %*generator"] = "curandGenerator_t generator",
    }, wrong = {
      ["unsigned long long seed"] = "unsigned seed",
      ["float mean, float"] = "double mean, float",
    } },
  { header = "runtime/seam/nccl.h", check = "spec/support/nccl_rows.c", library = "libnccl", types = {
      ["void %*%*comm"] = "ncclComm_t *comm", ["void %*comm"] = "ncclComm_t comm", ["int type"] = "ncclDataType_t type",
      ["int op"] = "ncclRedOp_t op", ["cuna_nccl_id %*"] = "ncclUniqueId *", ["cuna_nccl_id id"] = "ncclUniqueId id",
      ["int %*error"] = "ncclResult_t *error",
    }, wrong = {
      ["int count, const int *devices"] = "long count, const int *devices",
      ["CUNA_NCCL_BFLOAT16 = 9"] = "CUNA_NCCL_BFLOAT16 = 8",
      ["int root, void *comm, cu_stream stream"] = "void *comm, int root, cu_stream stream",
      ["char bytes[128]"] = "char bytes[64]",
    } },
}

--- What the compiler says when the header of a table has this text.
local function compare_table(entry, text)
  local folder, renames, undone, checks = process.folder(), {}, {}, {}
  local everything = text
  for _, path in ipairs(entry.below or {}) do everything = everything .. process.read(path) end
  for name in everything:gmatch("\n%s+(CU[%u%d_]+) = %-?%d+") do
    renames[#renames + 1] = ("#define %s our_%s\n"):format(name, name)
    undone[#undone + 1] = ("#undef %s\n"):format(name)
    checks[#checks + 1] = ("VALUE(%s)\n"):format(name)
  end
  for _, row in ipairs(rows_of(text)) do
    local parameters = row.parameters
    for ours, theirs in pairs(entry.types or {}) do parameters = parameters:gsub(ours, theirs) end
    checks[#checks + 1] = ("ROW(%s, %s)\n"):format(row.symbol, parameters)
  end
  write_header(folder, entry.header, text)
  process.write(folder .. "/library_renames.h", table.concat(renames))
  process.write(folder .. "/library_values.h", table.concat(undone))
  process.write(folder .. "/library_rows.h", table.concat(checks))
  local said, status = process.shell(("cc -std=gnu11 -Wall -fsyntax-only -I%s -Iruntime -I. -isystem %s %s")
    :format(folder, process.quote(include), entry.check))
  process.remove(folder)
  return said, status
end

for _, entry in ipairs(TABLES) do
  describe("the rows of " .. entry.header, function()
    local text = process.read(entry.header)
    local library = find(("lib64/%s.so*"):format(entry.library), ("lib/%s.so*"):format(entry.library),
      ("lib/x86_64-linux-gnu/%s.so*"):format(entry.library))

    it("name symbols that " .. entry.library .. " exports", function()
      if not library then return pending("no " .. entry.library .. " on this machine") end
      local exported = {}
      for _, line in ipairs(lines_of("nm -D --defined-only " .. process.quote(library))) do
        exported[line:match("%s([%w_]+)[@%w_.]*$") or ""] = true
      end
      for _, row in ipairs(rows_of(text)) do assert(exported[row.symbol], row.symbol .. " is not exported") end
      assert.is_true(#rows_of(text) > 0)
    end)

    it("have the signatures and numbers of the library's headers", function()
      if not (include and library) then return pending("no headers of " .. entry.library .. " on this machine") end
      assert.same({ "", 0 }, { compare_table(entry, text) })
    end)

    it("would not be let through with others", function()
      if not (include and library) then return pending("no headers of " .. entry.library .. " on this machine") end
      for from, to in pairs(entry.wrong) do
        local first, last = text:find(from, 1, true)
        assert(first, entry.header .. " no longer says " .. from)
        local said, status = compare_table(entry, text:sub(1, first - 1) .. to .. text:sub(last + 1))
        assert(status ~= 0 and said:find("static assertion failed", 1, true), "let through: " .. to .. "\n" .. said)
      end
    end)
  end)
end

describe("kernel text for CUDA devices", function()
  --- The texts that every kernel has, and kernels that call what prelude_cuda.h promises.
  local function unit()
    local texts = {}
    for i, name in ipairs { "prelude_cuda.h", "scalar.cuh", "complex.cuh", "walk.cuh", "reduce.cuh" } do
      texts[i] = process.read("kernels/" .. name)
    end
    return table.concat(texts) .. [[
namespace cuna {
template <int NBYTES> struct alignas(NBYTES) Moved { unsigned char bytes[NBYTES]; };
template <class M> struct Pair { M *to; const M *from; };
template <class M> CUNA_INLINE void move(const Pair<M> &args, unsigned block)
{
    CUNA_SHARED M shared[LANES];
    pack_store(&shared[lane()], pack_load(args.from + block * LANES + lane()));
    barrier();
    pack_store(args.to + block * LANES + lane(), shuffle_down(pack_load(&shared[LANES - 1 - lane()]), 1));
}
CUNA_ENTRY(move_1, Pair<Moved<1>>, move, 0)
CUNA_ENTRY(move_2, Pair<Moved<2>>, move, 0)
CUNA_ENTRY(move_4, Pair<Moved<4>>, move, 0)
CUNA_ENTRY(move_8, Pair<Moved<8>>, move, 1)
CUNA_ENTRY(move_16, Pair<Moved<16>>, move, 1)

template <class T> CUNA_INLINE T every_function(T x, T y)
{
    T a = sqrt(x) + fabs(x) + floor(x) + ceil(x) + trunc(x) + rint(x) + copysign(x, y) + fma(x, y, x) + rounded(x);
    T b = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(x);
    T c = atanh(x) + exp(x) + exp2(x) + exp10(x) + expm1(x) + cbrt(x) + erf(x) + erfc(x) + log(x) + log2(x) + log10(x);
    T d = log1p(x) + pow(x, y) + atan2(x, y) + hypot(x, y) + fmod(x, y) + limits<T>::max() + limits<T>::min();
    return choose(x < y, a + b + c + d, limits<T>::lowest() + limits<T>::infinity() + limits<T>::nan());
}
template <class S> CUNA_INLINE void every_value(S *p)
{
    prefetch(p);
    p[0] = store<S>(every_function(load(p[1]), load(p[2])));
    p[3] = store<S>(convert<S>(double(load(p[4])) + 1));
    p[5] = store<S>(convert<S>(int64(bits_of(load(p[6])))));
}
extern "C" __global__ void values(float16 *h, bfloat16 *b, float *f, double *d)
{
    every_value(h + lane());
    every_value(b + lane());
    every_value(f + lane());
    every_value(d + lane());
}
}
]]
  end

  local folder
  setup(function()
    folder = process.folder()
    local said, status = process.shell(("cd %s && cc -std=gnu11 -Wall -Wextra -Werror -Iruntime -I. -o %s/nvrtc_check "
      .. "spec/support/nvrtc_check.c -ldl -lpthread"):format(process.quote(process.root), folder))
    assert.same({ "", 0 }, { said, status })
  end)
  teardown(function() process.remove(folder) end)

  local READ = " -o -fdevice-syntax-only" -- by the front end, without code

  --- Compiles a text with NVRTC, which must accept it without a word.
  local function check(text, options)
    process.write(folder .. "/unit.cu", text)
    assert.same({ "", 0 }, { process.shell(("cd %s && unset LD_LIBRARY_PATH && ./nvrtc_check -l %s %s unit.cu")
      :format(folder, process.quote(nvrtc), options)) })
  end

  --- What precedes users' texts.
  local function prelude() return process.read "kernels/raw_cuda.h" .. process.read "kernels/raw_names.cuh" end

  it("has what users' texts name of the toolkit's headers", function()
    if not (nvrtc and include) then return pending("no toolkit on this machine") end
    check(prelude() .. [[
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <thrust/pair.h>
#include <cuda/std/complex>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
__global__ void sum(int *x, float *y, __half *h)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    thrust::pair<int, cuda::std::complex<float>> both(Reduce(storage).Sum(x[threadIdx.x]), {y[0], min(INT_MAX, 2u)});
    x[threadIdx.x] = cooperative_groups::reduce(tile, both.first, cooperative_groups::plus<int>());
    y[threadIdx.x] = curand_uniform(&state) + both.second.real();
    h[threadIdx.x] = __hadd(h[0], __float2half(M_PI));
}
]], ("-a sm_90 -o -I%s -o -I%s/cccl"):format(include, include) .. READ)
  end)

  it("has headers for users' texts without a toolkit", function()
    if not nvrtc then return pending("no libnvrtc on this machine") end
    local texts = prelude()
    for _, name in ipairs { "raw_half", "raw_cucomplex", "raw_groups", "raw_curand", "raw_pipeline" } do
      texts = texts .. process.read(("kernels/%s.cuh"):format(name))
    end
    check(texts .. [[
template <class S> __global__ void draw(S *state, double *x)
{
    curand_init(1, 2, 3, state);
    skipahead(4, state);
    skipahead_sequence(5, state);
    x[0] = curand(state) + curand_uniform(state) + curand_uniform_double(state) + curand_normal(state);
    x[1] = curand_normal_double(state) + curand_log_normal(state, 1, 2) + curand_log_normal_double(state, 1, 2);
}
template __global__ void draw(curandState *, double *);
template __global__ void draw(curandStateMRG32k3a *, double *);
template __global__ void draw(curandStatePhilox4_32_10_t *, double *);
__global__ void sum(float *x, __half *h, nv_bfloat162 *b)
{
    x[0] = cuCabsf(make_cuFloatComplex(h[0], x[1]));
    h[1] = __hfma(h[0], __float2half(x[2]), hsqrt(h[2]));
    b[0] = __hadd2(b[1], __hmul2(b[2], h2exp(b[3])));
}
namespace cg = cooperative_groups;
__device__ float total(cg::thread_group group, float x) { group.sync(); return x * group.size(); }
__global__ void groups(float *x, double2 *y)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    cg::thread_block_tile<4> part = cg::tiled_partition<4>(tile);
    x[0] = total(block, cg::reduce(tile, x[1], cg::plus<float>())) + total(part, cg::inclusive_scan(part, x[2]));
    y[0] = cg::labeled_partition(cg::coalesced_threads(), tile.shfl_xor(threadIdx.x, 1)).shfl(y[1], 2);
    cg::memcpy_async(block, x + 3, x + 5, 8);
    cg::wait(block);
    x[4] = cg::binary_partition(tile, x[6] > 0).meta_group_rank() + cg::this_grid().thread_rank();
    x[7] = cg::invoke_one_broadcast(cg::tiled_partition(cg::coalesced_threads(), 3), [&] { return x[8]; });
}
]], READ)
  end)

  it("is compiled by NVRTC without a header, and moves whole packs", function()
    if not nvrtc then return pending("no libnvrtc on this machine") end
    check(unit(), "-p .")
    for _, arch in ipairs { "sm_80", "sm_90" } do
      local ptx = process.read(("%s/unit.cu.%s.ptx"):format(folder, arch))
      for _, access in ipairs { "v4.u32", "v2.u32", "u32", "u16", "u8" } do
        for _, place in ipairs { "global", "shared" } do
          assert(ptx:find(("ld.%s.%s"):format(place, access), 1, true), arch .. " loads " .. access .. ": " .. place)
          assert(ptx:find(("st.%s.%s"):format(place, access), 1, true), arch .. " stores " .. access .. ": " .. place)
        end
      end
    end
  end)
end)
