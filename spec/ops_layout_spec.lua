--- Values never depend on layout, length or place: every row of the operation table, with one dtype, in all of them.
local cn = require "cuna"
local devices = require "spec.support.devices"
local make = require "spec.support.operands"
local rows = require "cuna.ops"

local it = devices.rehearsed_it()

local COUNT, HEIGHT, WIDTH = 480, 20, 24
local LENGTHS = {1, 3, 16, 17, 1000, 20000}
local rehearsing = false

local function call(row, operands, options)
  if options then operands = {unpack(operands)}; operands[#operands + 1] = options end
  return {cn[row.name](unpack(operands))}
end

local function each(operands, change)
  local changed = {}
  for k, x in ipairs(operands) do changed[k] = change(x, k) end
  return changed
end

--- Fails unless all results have the expected elements in row-major order.
local function same(expected, actual, what)
  assert.equal(#expected, #actual)
  for k, x in ipairs(expected) do
    assert.equal(x.dtype, actual[k].dtype, what)
    if not rehearsing then
      assert(x:tobytes() == actual[k]:tobytes(), what .. ": the bits differ from those of contiguous operands")
    end
  end
end

local function matrix(x) return x:reshape(HEIGHT, WIDTH) end

local checks = {}

function checks.vectors(row, operands, expected)
  for _, name in ipairs {"strided", "reversed", "unaligned"} do
    same(expected, call(row, each(operands, make[name])), name)
  end
end

function checks.matrices(row, operands, expected)
  local matrices = each(operands, matrix)
  local columns = each(matrices, make.by_columns)
  same(expected, call(row, columns), "by columns")
  local mixed = {columns[1], unpack(matrices, 2)}
  if row.name == "real" or row.name == "imag" then
    same(expected, call(row, columns), "by columns")
  elseif row.nargs == 1 then
    local out = each(expected, function(x) return cn.zeros({HEIGHT, WIDTH}, x.dtype) end)
    same(expected, call(row, mixed, {out = #out == 1 and out[1] or out}), "by columns into rows")
  else
    same(expected, call(row, mixed), "one by columns")
  end
end

function checks.broadcast(row, operands)
  if row.nargs == 1 then return end
  local function shaped(x, k) return k % 2 == 1 and x["1:20"]:reshape(20, 1) or x["1:24"]:reshape(1, 24) end
  local small = each(operands, shaped)
  local whole = each(small, function(x) return cn.ascontiguousarray(cn.broadcast_to(x, 20, 24)) end)
  same(call(row, whole), call(row, small), "broadcast")
end

function checks.single(row, operands, expected)
  same(each(expected, function(x) return x["1:1"]:reshape {} end),
    call(row, each(operands, function(x) return x["1:1"]:reshape {} end)), "0-d")
  local none = call(row, each(operands, function(x) return x["1:0"]:reshape(0, 3) end))
  for k, x in ipairs(expected) do
    assert.equal(x.dtype, none[k].dtype)
    assert.has_shape(none[k], 0, 3)
  end
end

function checks.numbers(row, operands)
  for k = row.rule == "select" and 2 or 1, row.nargs do
    local left = k == 1 and (row.rule == "scale" or row.rule == "decimals")
    if row.nargs > 1 and not left then
      local with_number, with_array = {unpack(operands)}, {unpack(operands)}
      with_number[k], with_array[k] = 3, cn.full(COUNT, 3, operands[k].dtype)
      same(call(row, with_array), call(row, with_number), "a number as operand " .. k)
    end
  end
end

function checks.out(row, operands, expected)
  if row.name == "real" or row.name == "imag" then return end -- views, not results
  local plain = each(expected, function(x) return cn.zeros(COUNT, x.dtype) end)
  local strided = each(expected, function(x) return make.strided(cn.zeros(COUNT, x.dtype)) end)
  for what, out in pairs {plain = plain, strided = strided} do
    local results = call(row, operands, {out = #out == 1 and out[1] or out})
    same(expected, results, what .. " out")
    for k in ipairs(out) do assert.is_true(rawequal(out[k], results[k])) end
  end
  if row.inplace then
    local x = operands[1]:copy()
    local result = x[row.name .. "_"](x, unpack(operands, 2))
    assert.is_true(rawequal(x, result))
    same(expected, {x}, "in place")
  end
end

local function check_all(row)
  local operands = make.draw_all(row, COUNT)
  local expected = call(row, operands)
  for _, name in ipairs {"vectors", "matrices", "broadcast", "single", "numbers", "out"} do
    checks[name](row, operands, expected)
  end
end

--- The operation on the first n elements gives the first n results, wherever the elements begin.
local function check_lengths(row)
  local operands = make.draw_all(row, LENGTHS[#LENGTHS])
  local results = call(row, operands)
  for _, n in ipairs(LENGTHS) do
    for _, first in ipairs {1, 2} do
      local range = ("%d:%d"):format(first, math.min(n + first - 1, LENGTHS[#LENGTHS]))
      local function part(x) return x[range] end
      same(each(results, part), call(row, each(operands, part)), range)
    end
  end
end

devices.each_device(function()
  setup(function()
    rehearsing = true
    devices.prepare(function()
      for _, row in ipairs(rows) do check_all(row) end
    end)
    rehearsing = false
  end)

  for _, row in ipairs(rows) do
    it(row.name .. " gives the same bits in every layout", function() check_all(row) end)
    it(row.name .. " gives the same bits at every length", function() check_lengths(row) end)
  end
end)
