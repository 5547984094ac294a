--- object.lua: arrays over ranks as objects: their fields, and elementwise operations on their blocks.
--
-- A layout never changes unasked. A function works on blocks alone, or makes one collective call, which its
-- documentation names; what would need others is refused, with what to write instead. The other files of the folder add
-- methods.
local check = require "cuna.base.check"
local core = require "cuna.core"
local later = require "cuna.base.later"
local layouts = require "cuna.distributed.array.layout"
local suggest = require "cuna.base.suggest"

local elementwise = later.functions "elementwise"

-- Elementwise functions that are not rows.
local BLOCKWISE = {}
for file, names in pairs {clip = {"angle", "around", "clip", "round"}, logic = {"isclose"},
  nan_to_num = {"nan_to_num"}} do
  for _, name in ipairs(names) do BLOCKWISE[name] = later.functions(file)[name] end
end

local M = {}

local fail = check.fail

--- An array over ranks: each has a block, a plain array on its device. Blocks are those of cn.array_split along one
--- axis, or along axes of a mesh. cn.distributed.array, zeros, load and draws of cn.distributed.default_rng make one.
---
--- Elementwise functions of cn and their methods take arrays over ranks, and operators work (`A * 2 + cn.sin(A)`):
--- they compute blocks, without communication. Other operands have the same layout, or are numbers and plain arrays
--- that are the same on all ranks and do not lie along a split axis. Another function of cn, such as cn.sum, is the
--- method of that name of its first argument. In cn.fuse operations on blocks run as few kernels.
---@class cuna.DistributedArray
---@field block cuna.Array this rank's elements
---@field range integer[] {first, last}: its positions along the split axis; of a mesh, the first split one
---@field ranges integer[][] the same for every axis
---@field shape integer[] of the whole
---@field dtype string
---@field ndim integer
---@field size integer
---@field layout table {axis = the split axis}, or {x = 1, y = 2} over a mesh
---@field comm cuna.Communicator
---@field mesh cuna.Mesh|nil
---@field device cuna.Device
---@field T cuna.DistributedArray the transpose: its blocks are views
local methods = {}
M.methods = methods
local fields = {}
local NAME = "cuna DistributedArray"
local meta = {__metatable = NAME}

function M.is_over(value) return type(value) == "table" and getmetatable(value) == NAME end
local is_over = M.is_over

--- Rejects values other than arrays over ranks: a method is called with a colon.
function M.self(A, name)
  if is_over(A) then return A end
  fail("%s: an array's function is called with a colon: A:%s(...)", name, name)
end

--- An array of blocks with these splits, over the ranks that `like` is over: an array, or {comm, mesh}.
function M.over(like, block, splits)
  return setmetatable({comm = like.comm, mesh = rawget(like, "mesh"), block = block, splits = splits}, meta)
end
local over = M.over

--- An array whose blocks were made of A's, and lie alike.
function M.like(A, block) return over(A, block, A.splits) end

-- ---- fields ----

function fields.dtype(A) return A.block.dtype end
function fields.ndim(A) return A.block.ndim end
function fields.device(A) return A.block.device end
function fields.layout(A) return layouts.shown(A.splits) end
function fields.mesh() return nil end

function fields.shape(A)
  local shape = A.block.shape
  for _, split in ipairs(A.splits) do shape[split.axis] = split.length end
  return shape
end

function fields.size(A)
  local size = 1
  for _, length in ipairs(A.shape) do size = size * length end
  return size
end

local function range_of(A, axis)
  local split = layouts.at(A.splits, axis)
  if not split then return {1, A.block.shape[axis]} end
  local first, length = layouts.place(split)
  return {first, first + length - 1}
end

function fields.range(A) return range_of(A, A.splits[1] and A.splits[1].axis or 1) end

function fields.ranges(A)
  local ranges = {}
  for axis = 1, A.ndim do ranges[axis] = range_of(A, axis) end
  return ranges
end

function fields.T(A)
  local splits = {}
  for i, split in ipairs(A.splits) do splits[i] = layouts.moved(split, A.ndim + 1 - split.axis) end
  return over(A, A.block.T, layouts.sorted(splits))
end

function meta.__newindex()
  fail "an array over ranks has no elements to assign; write to A.block, which is this rank's"
end

local function layout_words(A)
  local only = A.splits[1]
  if not A.mesh and only then return "along axis " .. only.axis end
  return "along " .. layouts.text(A.splits)
end

function meta.__tostring(A)
  return ("<%s %s over %d ranks %s>"):format(A.dtype, tostring(A.shape), A.comm.size, layout_words(A))
end

function meta.__eq(A, B) return methods.array_equal(A, B) end

-- ---- elementwise ----

local function fail_layouts(other, x, first, name)
  if rawequal(x, first) then x = other end
  fail("%s: the arrays have different layouts: %s and %s; reshard one: A:reshard %s", name, tostring(first),
    tostring(x), layouts.text(first.splits))
end

--- The splits of all operands, by distance from the last axis.
local function splits_behind(operands, count, first, name)
  local behind, owner = {}, {}
  for i = 1, count do
    local x = operands[i]
    if is_over(x) and x.comm ~= first.comm then fail("%s: the arrays are over different communicators", name) end
    for _, split in ipairs(is_over(x) and x.splits or {}) do
      local place = x.ndim - split.axis
      local known = behind[place]
      if known and (known.comm ~= split.comm or known.length ~= split.length) then
        fail_layouts(owner[place], x, first, name)
      end
      behind[place], owner[place] = split, owner[place] or x
    end
  end
  return behind, owner
end

--- Rejects an operand that is whole along an axis that others have split.
local function check_whole(x, first, behind, owner, name)
  local shape = x.shape
  for place in pairs(behind) do
    local axis = #shape - place
    if axis >= 1 and shape[axis] ~= 1 and not (is_over(x) and layouts.at(x.splits, axis)) then
      if is_over(x) then fail_layouts(owner[place], x, first, name) end
      fail("%s: a plain array of shape %s lies along the split axis; write cn.distributed.array(x, {axis = %d})", name,
        tostring(shape), axis)
    end
  end
end

local function block_of(x, first, behind, owner, name)
  if not is_over(x) then
    if x == nil or type(x) == "boolean" or core.number_kind(x) then return x end
    x = core.is_array(x) and x or check.array(x, name, first.device)
  end
  check_whole(x, first, behind, owner, name)
  return is_over(x) and x.block or x
end

local function wrapped(first, behind, result, ...)
  if result == nil then return end
  local splits = {}
  for place, split in pairs(behind) do splits[#splits + 1] = layouts.moved(split, result.ndim - place) end
  return over(first, result, layouts.sorted(splits)), wrapped(first, behind, ...)
end

--- Whether a value is a table of options, of which arrays over ranks have no `out`.
local function is_options(x, name)
  if type(x) ~= "table" or is_over(x) or type((next(x))) ~= "string" then return false end
  if x.out ~= nil then fail("%s: arrays over ranks have no out; write A:%s_(...)", name, name) end
  return true
end

--- The blocks of operands that lie alike, of which one at least is over ranks; that one; their splits by distance from
--- the last axis. A table of options may come last.
function M.blocks(name, ...)
  local first, blocks, count = nil, {...}, select("#", ...)
  for i = 1, count do first = first or is_over(blocks[i]) and blocks[i] or nil end
  local behind, owner = splits_behind(blocks, count, first, name)
  for i = 1, count do
    if i < count or not is_options(blocks[i], name) then
      blocks[i] = block_of(blocks[i], first, behind, owner, name)
    end
  end
  return blocks, first, behind
end

--- Calls fn with the blocks of operands, of which one at least is over ranks.
local function apply_any(name, fn, ...)
  local blocks, first, behind = M.blocks(name, ...)
  return wrapped(first, behind, fn(unpack(blocks, 1, select("#", ...))))
end

--- The array whose splits the results for two operands have: one of them, if the other is a number or lies alike. That
--- is seen at once where both were made from one array; nil elsewhere.
local function lying_alike(a, b)
  local first = is_over(a) and a or b
  if not is_over(first) then return nil end
  local other = rawequal(first, a) and b or a
  if type(other) == "number" then return first end
  return is_over(other) and rawequal(first.splits, other.splits) and first.block.ndim == other.block.ndim and first
    or nil
end

local function block_or_number(x) return type(x) == "number" and x or x.block end

local function all_like(A, result, ...)
  if result == nil then return end
  return over(A, result, A.splits), all_like(A, ...)
end

--- The same, without a look at the splits where the operands are an array, or two that lie alike.
function M.apply(name, fn, ...)
  local count, a, b = select("#", ...), ...
  if count == 1 and is_over(a) then return all_like(a, fn(a.block)) end
  local like = count == 2 and lying_alike(a, b)
  if like then return all_like(like, fn(block_or_number(a), block_or_number(b))) end
  return apply_any(name, fn, ...)
end
local apply = M.apply

local OPERATORS = {
  add = function(a, b) return a + b end, subtract = function(a, b) return a - b end,
  multiply = function(a, b) return a * b end, divide = function(a, b) return a / b end,
  mod = function(a, b) return a % b end, power = function(a, b) return a ^ b end,
}

for event, name in pairs {__add = "add", __sub = "subtract", __mul = "multiply", __div = "divide", __mod = "mod",
  __pow = "power"} do
  local operate = OPERATORS[name]
  meta[event] = function(a, b)
    local like = lying_alike(a, b)
    if like then return over(like, operate(block_or_number(a), block_or_number(b)), like.splits) end
    return apply_any(name, elementwise[name], a, b)
  end
end

function meta.__unm(A) return apply("negative", elementwise.negative, A) end

--- The function of elements with this name; nil if there is none.
local function function_of(name)
  return BLOCKWISE[name] or require("cuna.elementwise").functions[name] and elementwise[name]
end

--- The method of an elementwise function, in place where its name ends in "_".
local function elementwise_method(key)
  local name = key:match "^(.-)_?$"
  local fn = function_of(name)
  if not fn then return nil end
  if name == key then
    return function(A, ...) return apply(key, fn, M.self(A, key), ...) end
  end
  return function(A, ...)
    apply(key, A.block[key], M.self(A, key), ...)
    return A
  end
end

--- cn.sin(A), cn.where(x, A, B), x * A, cn.sum(A): functions of elements, of which any operand may be over ranks, and
--- methods of the first one.
function meta.__cuna_function(name, ...)
  local fn = not methods[name] and function_of(name)
  if fn then return apply(name, fn, ...) end
  return (...)[name](...)
end

function meta.__index(A, key)
  if fields[key] then return fields[key](A) end
  if methods[key] then return methods[key] end
  local method = type(key) == "string" and elementwise_method(key)
  if method then return method end
  if type(key) ~= "string" then
    fail("an array over ranks is not indexed; A.block is this rank's part, positions %d to %d of axis %d, and "
      .. "A:reshard {} the whole", A.range[1], A.range[2], A.splits[1] and A.splits[1].axis or 1)
  end
  fail("an array over ranks has no method '%s'; A.block is this rank's part, and A:reshard {} the whole%s", key,
    suggest.hint(key, methods))
end

--- The same values in another dtype, block by block.
---@param dtype string
---@return cuna.DistributedArray
---@usage cn.distributed.ones({2}, nil, {axis = 1}):astype("int8").dtype --> int8
function methods.astype(A, dtype)
  M.self(A, "astype")
  return M.like(A, core.cast(A.block, check.dtype(dtype, "astype"), "astype"))
end

--- The same values in blocks of their own.
---@return cuna.DistributedArray
---@usage cn.distributed.ones({2}, nil, {axis = 1}):copy():add_(1):get() --> [2. 2.]
function methods.copy(A) return M.like(A, core.cast(M.self(A, "copy").block, nil, "copy")) end

return M
