--- What specs of failures do: work of several kinds, on a CUDA device, each checked by its values.
local cn = require "cuna"
local core = require "cuna.core"

local M = {}

local function same(expected, x)
  local host = x:get()
  local found = (host.ndim == 1 and host[{ { 1, #expected } }] or host):totable()
  if type(found) ~= "table" then found = { found } end
  for i, value in ipairs(expected) do
    if found[i] ~= value then
      error(("wrong values: element %d is %s, not %s"):format(i, tostring(found[i]), tostring(value)), 0)
    end
  end
end

M.names = { "create", "add", "reduce", "copy", "views", "move", "raw", "lapack", "products", "streams", "graph",
  "replay", "fft", "random", "textures" }

function M.create()
  same({ 0, 0, 0 }, cn.zeros(3))
  same({ 1, 2, 3 }, cn.array({ 1, 2, 3 }, "float32"))
  same({ 7, 7, 7, 7 }, cn.full(4, 7, "int32"))
  same({ 0, 1, 2 }, cn.arange(3, "int32"))
end

function M.add()
  local a, b = cn.arange(1000, "float32"), cn.full(1000, 2, "float32")
  same({ 2, 3, 4 }, a + b)
  same({ 1, 3, 5 }, a * 2 + 1)
end

function M.reduce()
  local x = cn.arange(20000, "float32"):reshape(20, 1000)
  same({ 499500, 1499500 }, x:sum(2))
  same({ 19000, 19001 }, x:max(1))
  local total = cn.ones({ 20000 }, "int32"):sum():item() -- in segments, which are merged
  if total ~= 20000 then error("wrong sum: " .. tostring(total), 0) end
end

function M.copy()
  local x = cn.arange(150000, "int64")
  local y = x:copy()
  same({ 0, 1, 2 }, y)
  same({ 0, 1, 2 }, cn.asarray(y:get()))
end

function M.views()
  local x = cn.arange(60, "float32"):reshape(6, 10)
  x[2] = 5
  x[{ 1, 1 }] = 9
  same({ 5, 5, 5 }, x[2])
  same({ 9, 5, 20 }, x:transpose()[1])
  same({ 9, 5 }, x:transpose():copy()[1])
  if x[{ 3, 2 }] ~= 21 then error("wrong element", 0) end
end

function M.move()
  if cn.cuda.device_count() < 2 then return end
  local x = cn.arange(5000, "float32") + 1
  local y = x:to("cuda:1")
  same({ 1, 2, 3 }, y)
  same({ 2, 4, 6 }, (y + y):to("cuda:0"))
  same({ 1, 2, 3 }, x:to("cpu"):to("cuda:0"))
end

local RAW = [[
__device__ int calls = 0;
__global__ void twice(int *x, int by)
{
    extern __shared__ int room[];
    room[threadIdx.x] = by * x[threadIdx.x];
    x[threadIdx.x] = room[threadIdx.x];
    if (threadIdx.x == 0)
        calls = calls + 1;
}
]]

function M.raw()
  local module = core.raw_compile("cuda:0", "twice", RAW, { "-DUNUSED" }, { "twice" })
  local twice = core.raw_function(module, "twice", "twice", { { name = "x", kind = "pointer", dtype = "int32" },
    { name = "by", kind = "number", dtype = "int32" } })
  local x, calls = cn.arange(3, "int32"), core.raw_global(module, "calls", "int32")
  calls[1] = 0
  core.raw_launch(twice, 1, 1, 1, 3, 1, 1, 12, false, { x, 2 }, 2)
  core.raw_launch(twice, 1, 1, 1, 3, 1, 1, 60000, true, { x, 3 }, 2)
  core.raw_set_attribute(twice, 8, 1000)
  if core.raw_attribute(twice, 8) ~= 1000 then error("wrong attribute", 0) end
  same({ 0, 6, 12 }, x)
  same({ 2 }, calls)
end

--- Factorises diagonal matrices, one and a stack, by all operations: larger ones than cuna has kernels for.
function M.lapack()
  local length = 17
  local diagonal = cn.ones(length)
  diagonal["1:2"] = { 2, 4 }
  local a = cn.diag(diagonal)
  local function corner(x) return x["..., 1:2, 1:2"]:ravel() end
  for _, x in ipairs { a, cn.stack { a, a } } do
    local batch = x.ndim == 2 and {} or { 2 }
    local pair = x.ndim == 2 and { length } or { 2, length }
    local info, pivots = cn.full(batch, 0, "int32"), cn.empty(pair, "int64")
    local function do_it(operation, arrays, options, has_info)
      core.lapack("scenario", operation, arrays, has_info and info or nil, options)
      return corner(arrays[1])
    end
    local lu, b = x:copy(), x * 3
    same({ 2, 0, 0, 4 }, do_it("getrf", { lu, pivots }, nil, true))
    do_it("getrs", { lu, pivots, b }, "N")
    same({ 3, 0, 0, 3 }, corner(b))
    b = x:copy()
    do_it("getri", { lu, pivots, b })
    same({ 0.5, 0, 0, 0.25 }, corner(b))
    same({ 0.5, 0, 0, 0.25 }, do_it("trtri", { x:copy() }, "LN", true))
    b = x * 3
    do_it("trsm", { x, b }, "LNN")
    same({ 3, 0, 0, 3 }, corner(b))
    same({ 2, 0, 0, 4 }, do_it("potrf", { x * x }, "L", true))
    b = x * x
    do_it("potrs", { x:copy(), b }, "L")
    same({ 1, 0, 0, 1 }, corner(b))
    local w = cn.empty(pair)
    do_it("syevd", { x:copy(), w }, "VL", true)
    same({ 2, 4 }, w["..., -2:-1"]:ravel())
    local tau, u, v = cn.empty(pair), cn.empty_like(x), cn.empty_like(x)
    do_it("geqrf", { b, tau })
    do_it("ormqr", { b, tau, u }, "C")
    do_it("orgqr", { b, tau })
    do_it("gesvd", { x:copy(), w, u, v }, nil, true)
    same({ 4, 2 }, w["..., 1:2"]:ravel())
    do_it("geev", { x:copy(), cn.empty(w.shape, "complex128"), cn.empty(x.shape, "complex128") }, nil, true)
    core.lapack_check("scenario", "singular", info)
  end
end

function M.products()
  local a, b = cn.arange(6, "float32"):reshape(2, 3), cn.full({ 3, 2 }, 2, "float32")
  same({ 6, 6, 24, 24 }, cn.matmul(a, b):reshape(4))
  same({ 17, 17, 17, 17 }, cn.matmul(cn.ones({ 2, 17 }), cn.ones({ 17, 2 })):reshape(4))
  same({ 600, 600, 600, 600 }, cn.matmul(cn.ones({ 2, 600 }), cn.ones({ 600, 2 })):reshape(4)) -- by cuBLAS
  same({ 6, 6, 24, 24 }, cn.matmul(a:astype "int32", b:astype "int32"):reshape(4))
  same({ 6, 24 }, cn.matmul(a, b[{ {}, 1 }]))
  same({ 6, 6, 24, 24 }, cn.matmul(cn.stack({ a, a }, 3)[{ {}, {}, 2 }], b):reshape(4))
end

--- Two streams, an event between them, and copies beside the host.
function M.streams()
  local first, second = cn.cuda.Stream(), cn.cuda.Stream { non_blocking = true }
  local event, pinned = cn.cuda.Event(), cn.empty_pinned({ 3 }, "float32")
  pinned:pointer()[0], pinned:pointer()[1], pinned:pointer()[2] = 1, 2, 3
  local x = first:with(function()
    local x = pinned:to("cuda:0") * 2
    event:record()
    return x
  end)
  local y = second:with(function()
    second:wait_event(event)
    return x + 1
  end)
  second:synchronize()
  same({ 3, 5, 7 }, y)
  y:get { out = pinned, blocking = false }
  cn.synchronize()
  if pinned:pointer()[2] ~= 7 then error("wrong values in pinned memory", 0) end
  first:free()
  second:free()
  event:free()
end

function M.graph()
  local x, y = cn.arange(3, "float32"), cn.zeros(3, "float32")
  local stream = cn.cuda.Stream()
  stream:with(function()
    stream:begin_capture()
    local ok, message = pcall(cn.add, x, 1, { out = y })
    local graph = stream:end_capture()
    if not ok then error(message, 0) end
    graph:launch()
    graph:launch()
  end)
  stream:synchronize()
  stream:free()
  same({ 1, 2, 3 }, y)
end

--- Of arguments and results by address.
function M.replay()
  local x, y = cn.ones(3), cn.ones(3)
  local g = cn.graph(function(a, b) return a - b * 2 end, x, y)
  for i = 1, 2 do
    local z = g(cn.full(3, i), y)
    same({ i - 2, i - 2, i - 2 }, z)
    same({ i - 4, i - 4, i - 4 }, g(z, y))
  end
  g:free()
end

--- Lengths with one plan each, of which a context keeps few.
function M.fft()
  for _, n in ipairs { 4, 6 } do
    local x = cn.arange(2 * n, "float64"):reshape(2, n)
    same({ n * (n - 1) / 2 }, cn.real(cn.fft.fft(x)[1]))
    same({ 0, 1, 2 }, cn.rint(cn.fft.irfft(cn.fft.rfft(x)))[1])
  end
  core.fft_plans(true)
end

function M.random()
  local state = cn.random.RandomState(5, "XORWOW")
  local x = state:random_sample(1000)
  if not (x:min():item() >= 0 and x:max():item() <= 1) then error("wrong numbers", 0) end
end

local DOUBLE = [[
extern "C" __global__ void twice(cudaTextureObject_t tex, cudaSurfaceObject_t surf)
{ surf1Dwrite(2 * tex1D<float>(tex, threadIdx.x), surf, 4 * threadIdx.x); }]]

--- A texture and a surface over one array of texels, and copies in and out.
function M.textures()
  local T = cn.cuda.texture
  local twice = cn.RawKernel(DOUBLE, "twice")
  local texels = T.CUDAarray("float32", 3, { flags = cn.cuda.runtime.cudaArraySurfaceLoadStore })
  texels:copy_from(cn.array({ 1, 2, 3 }, "float32"))
  local tex, surface = T.TextureObject(texels), T.SurfaceObject(texels)
  twice(1, 3, { tex, surface })
  same({ 2, 4, 6 }, texels:copy_to(cn.zeros(3, "float32")))
  tex:free()
  surface:free()
  texels:free()
end

--- Runs one, or all, on "cuda:0"; an error's message, or nil.
function M.run(name)
  local ok, message = pcall(function()
    cn.device("cuda:0"):with(function()
      for _, each in ipairs(name and { name } or M.names) do M[each]() end
      cn.synchronize()
    end)
  end)
  return not ok and tostring(message) or nil
end

--- Gives back all that is garbage on a device, from the pool to the driver; bytes in use afterwards. Streams that were
--- dropped before their work was done go when another one is made.
function M.settle(name)
  collectgarbage()
  local used = 0
  if name == "streams" or name == "graph" or name == "replay" or name == "textures" then
    cn.device("cuda:0"):with(function()
      cn.synchronize()
      cn.cuda.Stream():free()
    end)
  end
  for i = 0, cn.cuda.device_count() - 1 do
    used = used + cn.device("cuda:" .. i):with(function()
      local pool = cn.get_default_memory_pool()
      pool:free_all_blocks()
      return pool:used_bytes()
    end)
  end
  return used
end

return M
