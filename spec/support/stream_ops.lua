--- The steps of random programs over streams (stream_program.lua): what each does, on a device and in the model.
--
-- A step gets the program and numbers by which it chooses. Arrays of the program are records: `x`, its `n` elements in
-- `value`, its device. Every result stays below MOD, but for running sums, which are reduced at once.
local cn = require "cuna"
local core = require "cuna.core"

local M = {run = {}}
local run = M.run

local MOD = 1009
local SIZES = {1, 64, 64, 128, 640, 4096} -- few, so that blocks change hands; folds and scans of 4096 need workspaces
local MOST_ARRAYS = 12

local affine = cn.ElementwiseKernel("float64 a, float64 k", "float64 b", "b = fmod(a * 3 + k, 1009.0)", "affine")
local running = cn.ScanKernel("float64 x", "float64 y", "x", "a + b", "y = fmod(a, 1009.0)", 0, "running_mod")
local bump = cn.RawKernel([[extern "C" __global__ void bump(double *x, const double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = fmod(x[i] + y[i], 1009.0);
}]], "bump")

local put = cn.RawKernel([[extern "C" __global__ void put(double *x, const double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = y[i];
}]], "put")

-- ---- the model ----

local function filled(n, v)
  local value = {}
  for i = 1, n do value[i] = v end
  return value
end

local function counted(n, v)
  local value = {}
  for i = 1, n do value[i] = (v + i - 1) % MOD end
  return value
end

--- fn(a[i], b[i]); a list of one element goes with all.
local function zip(a, b, fn)
  local value = {}
  for i = 1, math.max(#a, #b) do value[i] = fn(a[#a == 1 and 1 or i], b[#b == 1 and 1 or i]) % MOD end
  return value
end

local function map(a, fn)
  local value = {}
  for i = 1, #a do value[i] = fn(a[i]) % MOD end
  return value
end

local function sums(a)
  local value, total = {}, 0
  for i = 1, #a do
    total = total + a[i]
    value[i] = total % MOD
  end
  return value
end

local function sum_of(a)
  local total = 0
  for i = 1, #a do total = total + a[i] end
  return total
end

local function affine_of(a, k) return map(a, function(v) return v * 3 + k end) end
local function added(a, b) return zip(a, b, function(v, w) return v + w end) end

--- Raises at the first element that differs; `what` begins the message.
local function compare(found, value, what)
  if type(found) ~= "table" then found = {found} end
  for i = 1, math.max(#value, #found) do
    if found[i] ~= value[i] then
      error(("%s: element %d of %d is %s and should be %s"):format(what, i, #value, tostring(found[i]),
        tostring(value[i])), 0)
    end
  end
end

--- Reads a whole array on a stream and compares it.
function M.check(p, array, stream)
  compare(p:work(stream, {array}, {}, array.x.totable, array.x), array.value, "wrong values of an array")
end

function M.check_host(host) compare(host.x:totable(), host.value, "wrong values of an array of the host") end

M.compare = compare

-- ---- choosing ----

local function shape_of(n) return n == 1 and {} or n end

--- A number that no other step has.
local function fresh(p)
  p.k = (p.k * 31 + 17) % MOD
  return p.k
end

local function room(p) return #p.arrays < MOST_ARRAYS end

--- An array and a stream of its device.
local function some(p, a, b)
  local array = p:array(a)
  if array then return array, p:stream(b, array.device) end
end

--- Another array that goes with one elementwise.
local function partner(p, r, array)
  return p:array(r, function(other) return other.device == array.device and (other.n == array.n or other.n == 1) end)
end

local function twin(p, r, array)
  return p:array(r, function(other) return other.device == array.device and other.n == array.n and other ~= array end)
end

local function store(x, y) x[cn.ellipsis] = y end

--- Calls fn(...), now and then with memory from a pool of its own kind.
local function allocating(p, r, fn, ...)
  if r % 6 > 0 then return fn(...) end
  return cn.cuda.using_allocator(p:pick(p.pools, math.floor(r / 6)), fn, ...)
end

-- ---- where memory comes from ----

local LIMITS = {0, 120e3, 60e3}
local pools -- kept, so that blocks go from one program to the next

local function made_pools()
  pools = pools or {cn.cuda.MemoryAsyncPool(), cn.cuda.MemoryPool(), cn.cuda.MemoryPool(cn.cuda.malloc_managed)}
  return pools
end

--- Gives back what the kept pools have cached on a device.
function M.trim(device)
  for _, pool in ipairs(made_pools()) do pool:free_all_blocks(nil, device) end
end

function run.begin(p, a, b, c)
  for i = 1, c % 4 do p:make_stream(c + 5 * i) end
  p.pools = made_pools()
  local main = a % 3 == 0 and p.pools[2] or cn.get_default_memory_pool()
  local limit = p:pick(LIMITS, b)
  for _, device in ipairs(p.devices) do
    main:set_limit(limit > 0 and main:used_bytes(device) + limit or 0, device)
    if main ~= p.pools[2] then p.pools[2]:set_limit(0, device) end
  end
  p.limited = limit > 0
  cn.cuda.set_allocator(main)
end

function run.trim(p, a)
  local device = p:device(a)
  device:use()
  cn.get_default_memory_pool():free_all_blocks()
end

-- ---- making and changing ----

local function make(n, v, how)
  if how == 0 then return cn.zeros(shape_of(n)) end
  local x = cn.empty(shape_of(n))
  return x:fill(v)
end

function run.create(p, a, b, c, d)
  if not room(p) then return end
  local stream, n, v = p:stream(a, p:device(b)), p:pick(SIZES, c), fresh(p)
  local how = d % 5
  local x = p:work(stream, {}, {}, allocating, p, d, make, n, v, how)
  p:add_array(stream, x, filled(n, how == 0 and 0 or v))
end

function run.from_table(p, a, b, c)
  if not room(p) then return end
  local stream, value = p:stream(a, p:device(b)), counted(p:pick(SIZES, c), fresh(p))
  local x = p:work(stream, {}, {}, function() return cn.array(#value == 1 and value[1] or value, "float64") end)
  p:add_array(stream, x, value)
end

--- Ways to write new memory of an array's size, from another array of that size or not: the array and its values.
local TAKERS = {
  function(n, v) return make(n, v, 1), filled(n, v) end,
  function(n) return make(n, 0, 0), filled(n, 0) end,
  function(_, _, y) return y.x:copy(), y.value end,
  function(n, _, y) return y.x:reshape(1, n):sum(1), y.value end,
  function(_, _, y) return running(y.x), sums(y.value) end,
  function(n, v) return cn.array(counted(n, v), "float64"), counted(n, v) end,
  function(n, _, y) return cn.matmul(y.x:reshape(n / 2, 2), cn.eye(2)):reshape(n), y.value end,
  function(n, _, y)
    local b = y.x:reshape(n / 2, 1, 2):copy()
    core.lapack("solve", "trsm", { cn.broadcast_to(cn.eye(2), { n / 2, 2, 2 }):copy(), b }, nil, "LNN")
    return b:reshape(n), y.value
  end,
  function(n, _, y)
    local x = cn.empty(n)
    put(math.ceil(n / 64), 64, {x, y.x, n})
    return x, y.value
  end,
}

--- Two streams read an array, which is freed while they may be at work; a third one takes memory of that size.
function run.pass_on(p, a, b, c, d, e)
  local array = p:array(a, function(each) return each.n > 1 end)
  if not array or #p.arrays + 2 > MOST_ARRAYS then return end
  local v, device = fresh(p), array.device
  for _, r in ipairs(d % 2 == 0 and {b} or {b, c}) do
    local stream = p:stream(r, device)
    local x = p:work(stream, {array}, {}, function() return affine(array.x, v) end)
    p:add_array(stream, x, affine_of(array.value, v))
  end
  local other = twin(p, e, array)
  p:remove(p.arrays, array)
  array.x:free()
  local stream = p:taker(d, array)
  local x, value = p:work(stream, {other}, {}, p:pick(TAKERS, e), array.n, v, other)
  p:add_array(stream, x, value)
end

--- The same with two takers, each of which writes its part of the memory without knowing of the other: half of it, or
--- so little for the first one that the write is not recorded.
function run.pass_halves(p, a, b, c, d, e)
  local array = p:array(a, function(each) return each.n > 1 end)
  if not array or #p.arrays + 2 > MOST_ARRAYS then return end
  local v, w, device, n = fresh(p), fresh(p), array.device, array.n
  local cut = math.floor(n / (e % 2 == 0 and 2 or 8))
  local first = p:taker(c, array)
  local reader = p:third(b, device, first)
  local second = p:third(d, device, first, reader)
  local read = p:work(reader, {array}, {}, function() return affine(array.x, v) end)
  p:add_array(reader, read, affine_of(array.value, v))
  p:remove(p.arrays, array)
  array.x:free()
  local x = p:work(first, {}, {}, function()
    local made = cn.empty(n)
    made[{{1, cut}}]:fill(v)
    return made
  end)
  p:work(second, {}, {}, function() x[{{cut + 1, n}}]:fill(w) end)
  p:join(first, second)
  local value = filled(n, v)
  for i = cut + 1, n do value[i] = w end
  p:add_array(first, x, value)
end

--- The same with takers of about half the size, which nothing else has: the memory is cut.
function run.pass_pieces(p, a, b)
  if #p.arrays + 3 > MOST_ARRAYS then return end
  local v, home = fresh(p), p:stream(a)
  local array = p:add_array(home, p:work(home, {}, {}, make, 300, v, 1), filled(300, v))
  local reader = p:third(b, home.device, home)
  local read = p:work(reader, {array}, {}, function() return affine(array.x, v) end)
  p:add_array(reader, read, affine_of(array.value, v))
  p:remove(p.arrays, array)
  array.x:free()
  local w = fresh(p)
  local first, second = p:work(home, {}, {}, function() -- the second piece is used before the first one
    local one, two = cn.empty(150), cn.empty(128)
    return one, two:fill(w), one:fill(w)
  end)
  p:add_array(home, first, filled(150, w))
  p:add_array(home, second, filled(128, w))
end

--- A stream reads an array, which is freed, and ends; a new stream takes memory of that size.
function run.pass_to_successor(p, a, b)
  local array = p:array(a, function(each) return each.n > 1 and each.home.object and not each.home.null end)
  if not array or not room(p) then return end
  local v, stream = fresh(p), array.home
  local read = p:work(stream, {array}, {}, function() return affine(array.x, v) end)
  p:add_array(stream, read, affine_of(array.value, v))
  p:remove(p.arrays, array)
  array.x:free()
  p:end_stream(stream):free()
  local successor = p:add_stream(cn.cuda.Stream {device = array.device, non_blocking = b % 4 > 0})
  p:add_array(successor, p:work(successor, {}, {}, make, array.n, v, 1), filled(array.n, v))
end

--- The same of memory that a fold of a larger array needs for itself.
function run.pass_to_fold(p, a, b, c)
  if #p.arrays + 4 > MOST_ARRAYS then return end
  local v, home = fresh(p), p:stream(a)
  local array = p:add_array(home, p:work(home, {}, {}, make, 64, v, 1), filled(64, v))
  local large = p:array(b, function(each) return each.n == 4096 and each.device == home.device end)
    or p:add_array(home, p:work(home, {}, {}, make, 4096, v, 1), filled(4096, v))
  local reader = p:third(b, home.device, home)
  local x = p:work(reader, {array}, {}, function() return affine(array.x, v) end)
  p:add_array(reader, x, affine_of(array.value, v))
  p:remove(p.arrays, array)
  array.x:free()
  local stream = p:taker(c, array)
  local is_sum = c % 2 == 0
  local y = p:work(stream, {large}, {}, function() return is_sum and large.x:sum() % MOD or running(large.x) end)
  p:add_array(stream, y, is_sum and {sum_of(large.value) % MOD} or sums(large.value))
end

function run.fill(p, a, b)
  local array, stream = some(p, a, b)
  if not array then return end
  local v = fresh(p)
  p:work(stream, {}, {array}, array.x.fill, array.x, v)
  array.value = filled(array.n, v)
end

function run.change(p, a, b, c)
  local array, stream = some(p, a, b)
  if not array then return end
  local other, v = partner(p, c, array), fresh(p)
  if c % 3 == 0 then other = nil end
  p:work(stream, {other}, {array}, function() array.x:add_(other and other.x or v):mod_(MOD) end)
  array.value = added(array.value, other and other.value or {v})
end

function run.combine(p, a, b, c, d)
  local array, stream = some(p, a, b)
  if not array or not room(p) then return end
  local other = partner(p, c, array)
  local x = p:work(stream, {array, other}, {}, allocating, p, d, function() return (array.x + other.x) % MOD end)
  p:add_array(stream, x, added(array.value, other.value))
end

--- A kernel of the user's on a stream while another one is current.
function run.kernel(p, a, b, c, d)
  local array, stream = some(p, a, b)
  if not array then return end
  local v, current = fresh(p), p:stream(c, array.device)
  local target = d % 2 == 0 and twin(p, d, array) or nil
  if not target and not room(p) then return end
  local function call() return affine(array.x, v, {stream = stream.object, out = target and target.x}) end
  local x = p:work_elsewhere(current, stream, {array}, {target}, call)
  if target then
    target.value = affine_of(array.value, v)
  else
    p:add_array(stream, x, affine_of(array.value, v))
  end
end

function run.raw(p, a, b, c, d)
  local array, stream = some(p, a, b)
  local other = array and twin(p, c, array)
  if not other then return end
  local blocks = math.ceil(array.n / 64)
  p:work_elsewhere(p:stream(d, array.device), stream, {other}, {array}, function()
    bump(blocks, 64, {array.x, other.x, array.n}, {stream = stream.object})
  end)
  array.value = added(array.value, other.value)
end

function run.fold(p, a, b, c, d)
  local array, stream = some(p, a, b)
  if not array or not room(p) then return end
  local target = c % 3 == 0 and p:array(c, function(x) return x.n == 1 and x.device == array.device and x ~= array end)
  if target then
    p:work(stream, {array}, {target}, function() cn.sum(array.x, {out = target.x}) target.x:mod_(MOD) end)
    target.value = {sum_of(array.value) % MOD}
  else
    local x = p:work(stream, {array}, {}, allocating, p, d, function() return array.x:sum() % MOD end)
    p:add_array(stream, x, {sum_of(array.value) % MOD})
  end
end

function run.scan(p, a, b, _, d)
  local array, stream = some(p, a, b)
  if not array or array.n == 1 or not room(p) then return end
  local x = p:work(stream, {array}, {}, allocating, p, d, function() return running(array.x) end)
  p:add_array(stream, x, sums(array.value))
end

function run.copy(p, a, b, c)
  local array, stream = some(p, a, b)
  if not array then return end
  local target = twin(p, c, array)
  if target then
    p:work(stream, {array}, {target}, store, target.x, array.x)
    target.value = array.value
  elseif room(p) then
    p:add_array(stream, p:work(stream, {array}, {}, array.x.copy, array.x), array.value)
  end
end

function run.scope(p, a, b, c)
  local array, stream = some(p, a, b)
  if not array or not room(p) then return end
  local v = fresh(p)
  local x = p:work(stream, {array}, {}, cn.scope, function()
    local y = (array.x + v) * 2
    if c % 2 == 0 then y = cn.scope(function() return (y % MOD) * 2 + 0 end) / 2 end
    return y % MOD
  end)
  p:add_array(stream, x, map(array.value, function(u) return (u + v) * 2 end))
end

M.model = {MOD = MOD, added = added, filled = filled, map = map, sum_of = sum_of, sums = sums}
M.choose = {SIZES = SIZES, fresh = fresh, room = room, shape_of = shape_of, some = some, twin = twin}
M.kernels = {bump = bump, running = running, store = store}

return M
