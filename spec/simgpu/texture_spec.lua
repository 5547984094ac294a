--- The simulated GPU's textures refuse what the driver refuses, and find what was destroyed.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

local cuda, must = simgpu.cuda, simgpu.must

ffi.cdef [[
struct simgpu_array_desc { size_t width, height, depth; int format; unsigned channels, flags; };
struct simgpu_resource { int type; union { void *array;
  struct { uint64_t ptr; int format; unsigned channels; size_t nbytes; } linear;
  struct { uint64_t ptr; int format; unsigned channels; size_t width, height, pitch; } pitch; int room[32]; };
  unsigned flags; };
struct simgpu_sampler { int address[3], filter; unsigned flags, anisotropy; int mipmap; float levels[3], border[4];
  int room[12]; };
struct simgpu_side { size_t x, y, z, lod; int memory; const void *host; uint64_t ptr; void *array, *reserved;
  size_t pitch, height; };
struct simgpu_copy { struct simgpu_side src, dst; size_t width, height, depth; };
int cuArray3DCreate_v2(void **, const struct simgpu_array_desc *);
int cuArrayDestroy(void *);
int cuMemcpy3DAsync_v2(const struct simgpu_copy *, void *);
int cuTexObjectCreate(unsigned long long *, const struct simgpu_resource *, const struct simgpu_sampler *,
  const void *);
int cuTexObjectDestroy(unsigned long long);
int cuSurfObjectCreate(unsigned long long *, const struct simgpu_resource *);
int cuSurfObjectDestroy(unsigned long long);
]]

local INVALID, INVALID_HANDLE, NOT_SUPPORTED = 1, 400, 801
local U8, S32, FLOAT = 1, 10, 32
local DEVICE, ARRAY, HOST = 2, 3, 1

local function desc(fields)
  return ffi.new("struct simgpu_array_desc", {width = fields[1], height = fields[2], depth = fields[3],
    format = fields.format or FLOAT, channels = fields.channels or 1, flags = fields.flags or 0})
end

local function array_of(fields) return simgpu.out("void *", cuda.cuArray3DCreate_v2, desc(fields)) end

local function linear(ptr, nbytes, format, channels)
  return ffi.new("struct simgpu_resource", {type = 2, linear = {ptr, format or FLOAT, channels or 1, nbytes}})
end

local function pitch(ptr, width, height, step)
  return ffi.new("struct simgpu_resource", {type = 3, pitch = {ptr, FLOAT, 1, width, height, step}})
end

local function over(array) return ffi.new("struct simgpu_resource", {type = 0, array = array}) end

local function sampler(fields) return ffi.new("struct simgpu_sampler", fields or {}) end

local function try(resource, how, view)
  local object = ffi.new "unsigned long long[1]"
  return cuda.cuTexObjectCreate(object, resource, how or sampler(), view)
end

describe("the simulated GPU", function()
  local context
  setup(function() context = simgpu.enter(0) end)
  teardown(function() must(cuda.cuDevicePrimaryCtxRelease_v2(0)) end)
  after_each(function() must(cuda.cuCtxSetCurrent(context)) end)

  it("makes only arrays of texels that GPUs have", function()
    local room = ffi.new "void *[1]"
    for _, fields in ipairs {{0, 0, 0}, {131073, 0, 0}, {4, 65537, 0}, {16385, 4, 4}, {4, 0, 4},
      {4, 4, 0, format = 5}, {4, 4, 0, channels = 3}, {4, 4, 0, channels = 0}, {4, 4, 6, flags = 4},
      {4, 0, 0, flags = 8}, {4, 4, 0, flags = 1}, {4, 4, 2049, flags = 1}} do
      assert.equal(INVALID, cuda.cuArray3DCreate_v2(room, desc(fields)))
    end
    assert.equal(INVALID, cuda.cuArray3DCreate_v2(nil, desc {4, 0, 0}))
    local array = array_of {4, 3, 2, format = U8, channels = 4}
    must(cuda.cuArrayDestroy(array))
    assert.same({INVALID_HANDLE, INVALID_HANDLE}, {cuda.cuArrayDestroy(array), cuda.cuArrayDestroy(nil)})
  end)

  it("copies inside of arrays and allocations only", function()
    local array, ptr = array_of {8, 4, 0}, simgpu.alloc(8 * 4 * 4)
    local function copy(fields)
      local job = ffi.new("struct simgpu_copy", {src = {memory = DEVICE, ptr = ptr, pitch = 32, height = 4},
        dst = {memory = ARRAY, array = array}, width = 32, height = 4, depth = 1})
      for path, value in pairs(fields) do
        local side, name = path:match "^(%w+)%.(%w+)$"
        if side then job[side][name] = value else job[path] = value end
      end
      return cuda.cuMemcpy3DAsync_v2(job, nil)
    end
    assert.equal(0, copy {})
    assert.equal(0, copy {width = 16, ["dst.x"] = 16, height = 2, ["dst.y"] = 2})
    for _, fields in ipairs {{["dst.x"] = 4}, {["dst.y"] = 1}, {["dst.z"] = 1}, {width = 36}, {height = 5}, {depth = 2},
      {width = 3}, {["src.pitch"] = 28}, {["src.ptr"] = ptr + 4}, {["src.ptr"] = 0}, {["src.memory"] = 4},
      {["src.lod"] = 1}} do
      assert.equal(INVALID, copy(fields), next(fields))
    end
    assert.equal(NOT_SUPPORTED, copy {["src.memory"] = HOST})
    assert.equal(INVALID_HANDLE, cuda.cuMemcpy3DAsync_v2(ffi.new("struct simgpu_copy", {src = {memory = DEVICE,
      ptr = ptr, pitch = 32, height = 4}, dst = {memory = ARRAY}, width = 32, height = 4, depth = 1}), nil))
    must(cuda.cuCtxSynchronize())
    must(cuda.cuArrayDestroy(array))
    assert.equal(INVALID_HANDLE, copy {})
    must(cuda.cuMemFree_v2(ptr))
  end)

  it("makes only textures that CUDA makes", function()
    local ptr, ints = simgpu.alloc(4096), array_of {4, 0, 0, format = S32}
    assert.same({0, 0, 0}, {try(linear(ptr, 4096)), try(pitch(ptr, 8, 128, 32)), try(over(ints), sampler {flags = 1})})
    for name, result in pairs {address = try(linear(ptr + 4, 64)), ["end"] = try(linear(ptr, 4100)),
      empty = try(linear(ptr, 3)), format = try(linear(ptr, 64, 7)), channels = try(linear(ptr, 64, FLOAT, 3)),
      pitch = try(pitch(ptr, 4, 4, 20)), width = try(pitch(ptr, 9, 4, 32)), rows = try(pitch(ptr, 8, 129, 32)),
      filter = try(over(ints), sampler {filter = 1, flags = 1}), mode = try(linear(ptr, 64), sampler {address = {4}}),
      flags = try(linear(ptr, 64), sampler {flags = 256}), sRGB = try(linear(ptr, 64), sampler {flags = 16}),
      view = try(linear(ptr, 64), nil, sampler()), type = try(ffi.new("struct simgpu_resource", {type = 1}))} do
      assert.equal(INVALID, result, name)
    end
    assert.equal(INVALID_HANDLE, try(over(nil)))
    local object = ffi.new "unsigned long long[1]"
    assert.equal(INVALID, cuda.cuSurfObjectCreate(object, over(ints)))
    assert.equal(INVALID, cuda.cuSurfObjectCreate(object, linear(ptr, 64)))
    must(cuda.cuArrayDestroy(ints))
    assert.equal(INVALID_HANDLE, try(over(ints)))
    must(cuda.cuMemFree_v2(ptr))
    assert.equal(INVALID, try(linear(ptr, 64)))
  end)

  it("destroys objects once, each by its own function and in its own context", function()
    local array = array_of {4, 0, 0, flags = 2}
    local texture = simgpu.out("unsigned long long", cuda.cuTexObjectCreate, over(array), sampler(), nil)
    local surface = simgpu.out("unsigned long long", cuda.cuSurfObjectCreate, over(array))
    assert.same({INVALID, INVALID}, {cuda.cuSurfObjectDestroy(texture), cuda.cuTexObjectDestroy(surface)})
    simgpu.enter(1)
    assert.same({INVALID, INVALID_HANDLE}, {cuda.cuTexObjectDestroy(texture), cuda.cuArrayDestroy(array)})
    must(cuda.cuDevicePrimaryCtxRelease_v2(1))
    must(cuda.cuCtxSetCurrent(context))
    assert.same({0, INVALID, 0, INVALID, INVALID}, {cuda.cuTexObjectDestroy(texture), cuda.cuTexObjectDestroy(texture),
      cuda.cuSurfObjectDestroy(surface), cuda.cuSurfObjectDestroy(surface), cuda.cuTexObjectDestroy(0)})
    must(cuda.cuArrayDestroy(array))
  end)

  it("ends the context when an array is destroyed before a copy to it is done", function()
    local output = process.run([[
      local ffi, cn = require "ffi", require "cuna"
      local cuda = require "spec.simgpu.driver".cuda
      ffi.cdef "int cuArrayDestroy(void *);"
      local texels = cn.cuda.texture.CUDAarray("float32", 3)
      local x = cn.array({1, 2, 3}, "float32")
      cn.synchronize()
      texels:copy_from(x)
      print(cuda.cuArrayDestroy(ffi.cast('void *', texels.ptr)), pcall(cn.synchronize))]],
      {CUNA_DEVICE = "cuda:0", SIMGPU_SEED = "1"})
    assert.matches("cuda:0 is dead %(700%)", output)
    assert.matches("\n0\tfalse\t", output)
  end)

  it("ends kernels that read what was destroyed", function()
    for _, ending in ipairs {"tex:free()", "cuda.cuArrayDestroy(ffi.cast('void *', texels.ptr))"} do
      local output = process.run(([[
        local ffi, cn = require "ffi", require "cuna"
        local cuda = require "spec.simgpu.driver".cuda
        ffi.cdef "int cuArrayDestroy(void *);"
        local T = cn.cuda.texture
        local texels = T.CUDAarray("float32", 3):copy_from(cn.array({1, 2, 3}, "float32"))
        local tex, out = T.TextureObject(texels), cn.zeros(1, "float32")
        local list = cn.array({tex.ptr}, "uint64")
        local read = cn.RawKernel("__global__ void read(float *out, const cudaTextureObject_t *tex) { "
          .. "out[0] = tex1D<float>(tex[0], 1); }", "read")
        read(1, 1, {out, list})
        print(out:item())
        %s
        cn.synchronize()
        read(1, 1, {out, list})
        print(pcall(cn.synchronize))]]):format(ending), {CUNA_DEVICE = "cuda:0"})
      assert.matches("\n2\nfalse\t", output)
      assert.matches("kernel [^\n]*: a texture or surface object that was destroyed", output)
    end
  end)
end)
