--- Another library of the process makes another CUDA context current, between any two calls.
local cn = require "cuna"
local ffi = require "ffi"

if not cn.cuda.is_available() then return end

ffi.cdef [[
  int foreign_set_current(void *context) __asm__("cuCtxSetCurrent");
  int foreign_retain(void **context, int device) __asm__("cuDevicePrimaryCtxRetain");
]]
local driver = ffi.load "libcuda.so.1"

local function switch_to(context) assert(driver.foreign_set_current(context) == 0) end

--- The context of a device, which is retained for ever.
local function context_of(ordinal)
  local context = ffi.new "void *[1]"
  assert(driver.foreign_retain(context, ordinal) == 0)
  return context[0]
end

--- Calls fn, with `context` current at the beginning of every call of a function that is made meanwhile.
local function interfere(context, fn)
  jit.off()
  jit.flush()
  debug.sethook(function() driver.foreign_set_current(context) end, "c")
  local ok, message = pcall(fn)
  debug.sethook()
  jit.on()
  if not ok then error(message, 0) end
end

local function check(expected, x) assert(cn.array_equal(x, cn.array(expected, x.dtype)), tostring(x)) end

local WORK = {
  operations = function()
    check({2, 3, 4}, cn.arange(3) + 2)
    check({1, 3, 6}, cn.cumsum(cn.array {1, 2, 3}))
    check({1, 2, 3}, cn.sort(cn.array {3, 1, 2}))
    check({{3, 3}, {3, 3}}, cn.ones {2, 3}:matmul(cn.ones {3, 2}))
    check({{7}}, cn.array({{1, 2}}, "int32"):matmul(cn.array({{3}, {2}}, "int32")))
    assert(cn.ones(1000):sum():item() == 1000 and cn.arange(5)[3] == 2)
    check({0, 1}, cn.linalg.solve(cn.eye(2), cn.array {0, 1}))
    assert(cn.fft.fft(cn.ones(8)).size == 8 and cn.random.default_rng(1):normal(0, 1, 10).size == 10)
    check({1, 2, 1, 2}, cn.concatenate {cn.array {1, 2}, cn.array {1, 2}})
  end,
  copies = function()
    local x = cn.array {1, 2, 3}
    x[2] = 5
    x[{{1, 1}}] = 4
    check({4, 5, 3}, x)
    local pinned = cn.empty_pinned(3)
    x:get {out = pinned, blocking = false}
    cn.synchronize()
    assert.same({4, 5, 3}, pinned:totable())
    check({4, 5, 3}, x:to "cpu":to(x.device))
    check({0, 0}, cn.zeros(2))
    cn.from_dlpack(x):free()
    assert(#x:tobytes() == 24 and not pcall(function() return x[cn.array {9}]:totable() end))
  end,
  streams = function()
    local s, event = cn.cuda.Stream {non_blocking = true}, cn.cuda.Event()
    local x = s:with(function() return cn.arange(10) * 2 end)
    event:record(s)
    cn.cuda.get_current_stream():wait_event(event)
    check({0, 2, 4}, x[{{1, 3}}])
    event:synchronize()
    assert(event.done and s.done and cn.cuda.get_elapsed_time(event, event) == 0)
    s:synchronize()
    local ran
    s:add_callback(function() ran = true end)
    s:synchronize()
    assert(ran)
    s:free()
    event:free()
  end,
  graphs = function()
    local x, s = cn.arange(3), cn.cuda.Stream()
    local graph = s:capture(function() x:add_(1) end)
    graph:launch()
    check({1, 2, 3}, x)
    graph:free()
    check({2, 4, 6}, cn.graph(function(y) return y * 2 end, x)(x))
  end,
  pools = function()
    local managed = cn.cuda.MemoryPool(cn.cuda.malloc_managed)
    for _, pool in ipairs {cn.cuda.MemoryPool(), managed, cn.cuda.MemoryAsyncPool()} do
      pool:set_limit(2 ^ 26)
      pool:with(function() check({1, 1}, cn.ones(2)) end)
      collectgarbage()
      pool:free_all_blocks()
      assert(pool:total_bytes() >= 0)
    end
    assert(cn.device().mem_info.total > 0)
  end,
  kernels = function()
    local k = cn.RawKernel('extern "C" __global__ void twice(double *x) { x[threadIdx.x] *= 2; }', "twice")
    local x = cn.array {1, 2}
    k(1, 2, {x})
    check({2, 4}, x)
    assert(k.num_regs >= 0)
    assert(#cn.profiler.benchmark(function() x:add_(0) end, {n_repeat = 2, n_warmup = 1}).gpu_times >= 1)
  end,
}

describe("another library", function()
  local before
  setup(function()
    before = cn.device()
    cn.device "cuda:0":use()
  end)
  teardown(function() before:use() end)

  for name, work in pairs(WORK) do
    it("leaves no context: " .. name, function() interfere(nil, work) end)
    if cn.cuda.device_count() > 1 then
      it("uses another device: " .. name, function() interfere(context_of(1), work) end)
    end
  end

  if cn.cuda.device_count() > 1 then
    it("moves no memory to its device", function()
      local one = cn.cuda.Device(1)
      local mine = cn.cuda.MemoryPool()
      local free = one.mem_info.free
      switch_to(context_of(1))
      local x = mine:with(cn.ones, 2 ^ 20)
      assert.equal(free, one.mem_info.free)
      assert.equal(2 ^ 20, x:sum():item())
    end)

    it("does not see the wait for its own device in place of ours", function()
      local s = cn.cuda.Stream {non_blocking = true}
      local x = s:with(cn.ones, 10)
      switch_to(context_of(1))
      cn.synchronize()
      assert.is_true(s.done)
      assert.equal(10, x:sum():item())
    end)
  end
end)
