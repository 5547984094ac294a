--- Reductions count every element once, in any shape and layout, against plain loops; and always in the same order.
local cn = require "cuna"
local devices = require "spec.support.devices"
local index_bits = require "spec.support.index_bits"

local inf = math.huge

local function size_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

local function flat(x) return x:reshape(x.size):totable() end

local is_rehearsing = false -- elements mean nothing, so nothing is compared

--- Runs fn once to learn its kernels, then in earnest.
local function prepared(fn, ...)
  is_rehearsing = true
  cn.prepare(fn, ...)
  is_rehearsing = false
  return fn(...)
end

-- ---- layouts ----

--- The same array, laid out otherwise in memory; all but the first are views.
local LAYOUTS = {
  {"in rows", function(x) return x end},
  {"in columns", function(x) return x:transpose():copy():transpose() end},
  {"every second", function(x)
    local shape, entries = {}, {}
    for axis, length in ipairs(x.shape) do shape[axis], entries[axis] = 2 * length, {1, -1, 2} end
    local wide = cn.full(shape, 99, x.dtype)
    wide[entries] = x
    return wide[entries]
  end},
  {"reversed", function(x)
    local entries = {}
    for axis in ipairs(x.shape) do entries[axis] = {-1, 1, -1} end
    return x[entries]:copy()[entries]
  end},
  {"middle outside", function(x) return x.ndim ~= 3 and x or x:transpose(2, 1, 3):copy():transpose(2, 1, 3) end},
}

-- ---- reference ----

local function strides_of(shape)
  local strides, step = {}, 1
  for axis = #shape, 1, -1 do strides[axis], step = step, step * shape[axis] end
  return strides
end

--- Lists of the elements folded into each result, in row-major order.
local function slices(values, shape, is_folded)
  local kept_shape = {}
  for axis, length in ipairs(shape) do kept_shape[axis] = is_folded[axis] and 1 or length end
  local strides, kept, found = strides_of(shape), strides_of(kept_shape), {}
  for i = 1, size_of(kept_shape) do found[i] = {} end
  for i = 0, size_of(shape) - 1 do
    local at = 1
    for axis, stride in ipairs(strides) do
      if not is_folded[axis] then at = at + math.floor(i / stride) % shape[axis] * kept[axis] end
    end
    table.insert(found[at], values[i + 1])
  end
  return found
end

local REFERENCE = {}

function REFERENCE.sum(list)
  local sum = 0
  for _, v in ipairs(list) do sum = sum + v end
  return sum
end

function REFERENCE.max(list)
  local greatest = -inf
  for _, v in ipairs(list) do greatest = math.max(greatest, v) end
  return greatest
end

function REFERENCE.argmin(list)
  local best = 1
  for i, v in ipairs(list) do best = v < list[best] and i or best end
  return best
end

function REFERENCE.count_nonzero(list)
  local count = 0
  for _, v in ipairs(list) do count = count + (v ~= 0 and 1 or 0) end
  return count
end

function REFERENCE.ptp(list)
  local least = inf
  for _, v in ipairs(list) do least = math.min(least, v) end
  return REFERENCE.max(list) - least
end

function REFERENCE.nanmean(list) return REFERENCE.sum(list) / #list end

--- Compares an operation with its reference; `axis` is a number, a list or nil.
--- The elements that are folded into each result.
local function folded(x, axis)
  local is_folded = {}
  for _, named in ipairs(type(axis) == "table" and axis or axis and {axis} or {}) do
    is_folded[named > 0 and named or named + x.ndim + 1] = true
  end
  if axis == nil then
    for i = 1, x.ndim do is_folded[i] = true end
  end
  return slices(flat(x), x.shape, is_folded)
end

--- Checks operations over one choice of axes.
local function check_references(ops, x, axis)
  local lists = not is_rehearsing and folded(x, axis)
  for _, op in ipairs(ops) do
    local result = cn[op](x, {axis = axis})
    local actual = lists and flat(result)
    assert.are_equal(lists and #lists, actual and #actual)
    for i, list in ipairs(lists or {}) do
      local value = REFERENCE[op](list)
      if math.abs(actual[i] - value) > (op == "nanmean" and 1e-6 or 0) * math.abs(value) then
        error(("%s of %s %s, strides %s, axis %s: element %d is %s, not %s"):format(op, x.dtype, tostring(x.shape),
          table.concat(x.strides, " "), type(axis) == "table" and table.concat(axis, ",") or tostring(axis), i,
          tostring(actual[i]), tostring(value)))
      end
    end
  end
end

--- Small whole numbers, whose sums are exact.
local function whole(shape, dtype)
  return cn.arange(size_of(shape)):mul(7919):mod(23):sub(11):astype(dtype):reshape(shape)
end

local LARGE = {{100003}, {5000, 3}, {3, 5000}, {5, 600, 7}, {30000, 5}}
local OPS = {"sum", "max", "argmin", "count_nonzero", "ptp", "nanmean"}

local function check_large()
  for _, shape in ipairs(LARGE) do
    local x = whole(shape, "float32")
    for axis = 1, #shape do check_references(OPS, x, axis) end
    check_references(OPS, x, nil)
  end
end

--- A random array in a random layout, and random axes.
local function draw()
  local shape, axes = {}, {}
  for i = 1, math.random(1, 4) do shape[i] = math.random(1, 6) end
  local x = LAYOUTS[math.random(#LAYOUTS)][2](whole(shape, math.random(2) == 1 and "float32" or "int16"))
  for axis = 1, #shape do
    if math.random(2) == 1 then axes[#axes + 1] = math.random(2) == 1 and axis or axis - #shape - 1 end
  end
  return x, axes
end

local function check_random(count)
  math.randomseed(11)
  for _ = 1, count do
    local x, axes = draw()
    local op = OPS[math.random(#OPS)]
    local axis = axes
    if op == "argmin" then axis = axes[1] end
    check_references({op}, x, axis)
  end
end

local function check_same(op, x, plain, axis)
  local actual, expected = cn[op](x, {axis = axis}), cn[op](plain, {axis = axis})
  if not is_rehearsing then assert.allclose(actual, expected, {rtol = op == "var" and 1e-14 or 0}) end
end

--- Every layout against the contiguous one.
local function check_layouts()
  local x = whole({4, 5, 6}, "float64")
  for _, axis in ipairs {1, 2, 3, {1, 3}, {2, 3}, {1, 2}, {1, 2, 3}, {}} do
    for _, layout in ipairs(LAYOUTS) do
      for _, op in ipairs {"sum", "max", "nanmean", "var"} do
        check_same(op, layout[2](x), x, axis)
      end
      if type(axis) == "number" then check_same("argmax", layout[2](x), x, axis) end
    end
  end
end

devices.each_device(function()
  describe("every element counts once", function()
    it("in long, tall, wide and middle folds", function() prepared(check_large) end)

    it("in every layout", function() prepared(check_layouts) end)

    it("in random shapes, layouts and axes", function() prepared(check_random, 100) end)

    it("with 32 axes of length 1", function()
      local shape = {}
      for axis = 1, 32 do shape[axis] = 1 end
      local x = cn.full(shape, 3)
      assert.are_equal(3, x:sum():item())
      assert.are_equal(31, x:max(32).ndim)
      assert.are_equal(1, x:argmax(-1):reshape(1):totable()[1])
      assert.are_equal(32, x:mean({keepdims = true}).ndim)
    end)

    it("of broadcast arrays", function()
      local x = cn.broadcast_to(cn.array({1, 2, 3}), {4, 3})
      assert.array_equal(x:sum(1), {4, 8, 12})
      assert.array_equal(x:sum(2), {6, 6, 6, 6})
      assert.are_equal(24, x:sum():item())
      assert.array_equal(cn.broadcast_to(cn.array({{2}, {5}}), {2, 6}):prod(2), {64, 15625})
      assert.array_equal(cn.broadcast_to(cn.array({{2}, {5}}), {2, 6}):argmax(1), {2, 2, 2, 2, 2, 2})
    end)
  end)
end)

-- ---- bits ----

-- Prints a digest of results over many shapes; run in processes with other settings.
local DIGEST = [[
local cn = require "cuna"
cn.device("cpu"):use()
local digest
local function add(x)
  local bytes = cn.ascontiguousarray(x):tobytes()
  for i = 1, #bytes, math.max(1, math.floor(#bytes / 4000)) do digest = (digest * 31 + bytes:byte(i)) % 2147483647 end
end
local function fold_all()
  digest = 0
  for _, shape in ipairs {{200003}, {70000, 5}, {3, 50000}, {5, 600, 7}, {40, 3000}} do
    local size = 1
    for _, length in ipairs(shape) do size = size * length end
    local x = cn.arange(size):mul(7919):mod(10007):astype("float32"):div(317):reshape(shape)
    for axis = 0, #shape do
      for _, op in ipairs {"sum", "var", "argmax", "sum"} do add(cn[op](x, {axis = axis > 0 and axis or nil})) end
    end
    add(x:transpose():sum(1))
  end
end
cn.prepare(fold_all)
require("spec.support.index_bits").print(function()
  fold_all()
  print(digest)
end)
]]

local function digest_with(settings)
  local script = os.tmpname()
  local file = assert(io.open(script, "w"))
  file:write(("package.path, package.cpath = %q, %q\n"):format(package.path, package.cpath), DIGEST)
  file:close()
  local pipe = assert(io.popen(settings .. " luajit " .. script .. " 2>&1"))
  local text = pipe:read("*a")
  pipe:close()
  os.remove(script)
  return text
end

it("gives the same bits with any number of threads and with 64-bit indices", function()
  local one, wide = index_bits.split(digest_with("CUNA_NUM_THREADS=1"))
  assert.is_truthy(one:find("^%d+$"), one)
  assert.equal("  ", wide)
  assert.are_equal(one, (index_bits.split(digest_with("CUNA_NUM_THREADS=4"))))
  local text = digest_with("CUNA_NUM_THREADS=3 CUNA_INDEX_LIMIT=64")
  assert.are_equal(one, index_bits.assert_wide(text, {"sum", "var", "argmax"}))
end)

describe("rows on the cpu device", function()
  local core = require "cuna.core"

  --- The text of the kernel of a sum of rows of this length.
  local function text_of(length)
    local x = cn.zeros({130, length}, {device = "cpu"})
    core.prepare_begin()
    cn.evaluate(x:sum(2))
    local text = core.prepare_text()
    core.prepare_end(false)
    return text
  end

  it("are folded one by one from 64 elements on, and in squares where they are shorter", function()
    assert.is_truthy(text_of(63):find("fold_tiles<Program>", 1, true))
    assert.is_truthy(text_of(64):find("fold_rows<Program>", 1, true))
    assert.is_truthy(text_of(128):find("fold_rows<Program>", 1, true))
  end)

  it("have the same exact sums, extremes and positions on both sides of that length", function()
    for _, length in ipairs {63, 64, 65, 95, 96, 127, 128, 129} do
      for _, dtype in ipairs {"float64", "float32", "int32", "uint8"} do
        local x = ((cn.arange(130 * length, {device = "cpu"}) * 7) % 61):reshape(130, length):astype(dtype)
        local columns = x.T:copy() -- the same elements, folded as columns
        for _, name in ipairs {"sum", "max", "argmax", "min"} do
          assert.is_true(cn.array_equal(columns[name](columns, 1), x[name](x, 2)), name .. dtype .. length)
        end
      end
    end
  end)
end)
