--- group.lua: cn.jit.cg, cooperative groups in kernels written in Lua, over CUDA's <cooperative_groups.h>.
--
-- A group is an object (expr.lua). Its ranks and indices are CUDA's own numbers, from 0.
local calls = require "cuna.jit.calls"
local e = require "cuna.jit.expr"
local types = require "cuna.jit.types"

local M = {namespace = {}} -- cn.jit.cg

local fail, show, TYPES = e.fail, e.show, types.TYPES
local check_count, index_text = calls.check_count, calls.index_text

--- Requires headers of CUDA.
local function require_headers(inst, ...)
  for _, name in ipairs {"cooperative_groups", ...} do inst.ctx.includes[("#include <%s.h>"):format(name)] = true end
end

-- ---- what methods return ----

local AXES = {x = true, y = true, z = true}

--- Three lengths or indices, with fields x, y and z.
local function three(text, is_positive)
  return {what = "a triple", key = "dim3", c = "dim3", text = text, field = function(inst, node, key)
    if key.tag ~= "string" or not AXES[key.value] then fail(inst, node, "it has x, y and z") end
    return e.count(("(long long)%s.%s"):format(text, key.value), is_positive)
  end}
end

--- A method without arguments, whose result is made of its C++.
local function reader(make)
  return function(name)
    return function(group, inst, node, values, word)
      check_count(inst, node, word, values, 0, 0)
      return make(("%s.%s()"):format(group.text, name))
    end
  end
end

local rank = reader(function(text) return e.count(("(long long)%s"):format(text)) end)
local count = reader(function(text) return e.count(("(long long)%s"):format(text), true) end)
local index = reader(function(text) return three(text) end)
local lengths = reader(function(text) return three(text, true) end)
local test = reader(function(text) return {type = TYPES.bool, text = text} end)

--- Waits for a group; one that waits for other blocks needs a cooperative launch.
local function sync(group, inst, node, values, word)
  check_count(inst, node, word, values, 0, 0)
  inst.ctx.is_cooperative = inst.ctx.is_cooperative or group.is_grid or false
  return {statement = group.text .. ".sync()"}
end

--- A shuffle: a value, and the rank or distance.
local function shuffle(name)
  return function(group, inst, node, values, word)
    check_count(inst, node, word, values, 2, 2)
    local v = calls.shown(inst, node, word, values[1])
    return {type = v.type, weak = v.weak, whole = v.whole,
      text = ("%s.%s(%s, %s)"):format(group.text, name, v.text, index_text(inst, node, word, values[2], "unsigned"))}
  end
end

--- A vote of the group's threads about a boolean.
local function vote(name, format, t)
  return function(group, inst, node, values, word)
    check_count(inst, node, word, values, 1, 1)
    local text = ("%s.%s(%s)"):format(group.text, name, calls.boolean_text(inst, node, word, values[1]))
    return {type = t, text = format:format(text)}
  end
end

local function named(makers)
  local methods = {sync = sync}
  for name, make in pairs(makers) do methods[name] = make(name) end
  return methods
end

local BLOCK = named {thread_rank = rank, num_threads = count, size = count, group_index = index, thread_index = index,
  group_dim = lengths, dim_threads = lengths}
local GRID = named {thread_rank = rank, block_rank = rank, num_threads = count, num_blocks = count, size = count,
  block_index = index, group_dim = lengths, dim_blocks = lengths, is_valid = test}
local LANES = named {thread_rank = rank, num_threads = count, size = count, meta_group_rank = rank,
  meta_group_size = count, shfl = shuffle, shfl_up = shuffle, shfl_down = shuffle}
LANES.any, LANES.all = vote("any", "(%s != 0)", TYPES.bool), vote("all", "(%s != 0)", TYPES.bool)
LANES.ballot = vote("ballot", "(long long)%s", TYPES.int64)
local TILE = {shfl_xor = shuffle "shfl_xor"}
for name, method in pairs(LANES) do TILE[name] = method end

-- ---- groups ----

local PLACE = "cooperative_groups::"

local function no_field(inst, node, key)
  fail(inst, node, "a group has methods: write group:%s()", tostring(key.value or "sync"))
end

local function group(what, c, text, methods)
  return {what = what, key = c, c = PLACE .. c, text = PLACE .. text, methods = methods, field = no_field,
    has_lanes = methods == LANES or methods == TILE}
end

--- A value that must be a group; `has_lanes`: one of threads of a warp.
local function check_group(inst, node, word, v, has_lanes)
  if v and v.c and v.methods and v.methods.sync and (v.has_lanes or not has_lanes) then return v end
  fail(inst, node, "%s takes a %s first, got %s", word, has_lanes and "tile, or coalesced threads," or "group",
    v and show(v) or "nothing")
end

local handlers = {}

local function current(what, c, methods)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, 0, 0)
    require_headers(inst)
    return group(what, c, "this_" .. c:gsub("_group$", "") .. "()", methods)
  end
end
handlers.this_thread_block = current("a block", "thread_block", BLOCK)

function handlers.this_grid(...)
  local made = current("a grid", "grid_group", GRID)(...)
  made.is_grid = true
  return made
end

function handlers.coalesced_threads(inst, node, values, word)
  check_count(inst, node, word, values, 0, 0)
  require_headers(inst)
  return group("a group of coalesced threads", "coalesced_group", "coalesced_threads()", LANES)
end

--- Parts of a group with as many threads each: tiles of a block or tile, groups of coalesced threads.
function handlers.tiled_partition(inst, node, values, word)
  check_count(inst, node, word, values, 2, 2)
  local parent, size = check_group(inst, node, word, values[1]), values[2].literal
  if parent.is_grid then fail(inst, node, "%s takes a block, a tile or coalesced threads, got a grid", word) end
  local is_power = size and size >= 1 and size <= 32 and math.frexp(size) == 0.5
  if not is_power or size > (parent.size or 32) then
    fail(inst, node, "%s takes a size that is a constant power of two, up to %d, got %s", word, parent.size or 32,
      show(values[2]))
  end
  local c = parent.methods == LANES and "coalesced_group" or ("thread_block_tile<%d>"):format(size)
  local text = parent.methods == LANES and ("tiled_partition(%s, %d)"):format(parent.text, size)
    or ("tiled_partition<%d>(%s)"):format(size, parent.text)
  local made = group(parent.methods == LANES and parent.what or "a tile", c, text,
    parent.methods == LANES and LANES or TILE)
  made.size = size
  return made
end

function handlers.sync(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  return sync(check_group(inst, node, word, values[1]), inst, node, {}, word)
end

-- ---- reductions and scans of tiles ----

local OPERATIONS = {} -- C++ by the functions of cn.jit.cg
local NAMES = {"plus", "less", "greater", "bit_and", "bit_or", "bit_xor"}

for _, name in ipairs(NAMES) do
  handlers[name] = function(inst, node, values, word)
    check_count(inst, node, word, values, 0, 0)
    return {what = "an operation", key = name, operation = name}
  end
end

--- The C++ of an operation for values of a type.
local function operation_text(inst, node, word, v, t)
  local name = v == nil and "plus" or v.operation or OPERATIONS[v.const]
  if not name then fail(inst, node, "%s takes an operation such as cn.jit.cg.plus, got %s", word, show(v)) end
  if name:find "^bit" and t.kind == "f" then fail(inst, node, "%s: %s is for integers, got %s", word, name, t.name) end
  return ("%s%s<%s>()"):format(PLACE, name, t.c)
end

local function collective(header, name, least)
  return function(inst, node, values, word)
    check_count(inst, node, word, values, least, 3)
    local lanes = check_group(inst, node, word, values[1], true)
    local v = calls.shown(inst, node, word, values[2])
    require_headers(inst, "cooperative_groups/" .. header)
    return {type = v.type, weak = v.weak, whole = v.whole, text = ("%s%s(%s, %s, %s)"):format(PLACE, name, lanes.text,
      v.text, operation_text(inst, node, word, values[3], v.type))}
  end
end
handlers.reduce = collective("reduce", "reduce", 3)
handlers.inclusive_scan = collective("scan", "inclusive_scan", 2)
handlers.exclusive_scan = collective("scan", "exclusive_scan", 2)

-- ---- copies ----

local COPIES = [[
namespace jit {
/* Whether an array has so many bytes from an element on. */
template <class A, class T>
JIT_INLINE bool has_bytes(long long *error, int site, const A &array, const T *from, long long nbytes)
{
    const long long rest = (array.data + array.size() - from) * (long long)sizeof(T);
    if (!error || uint64(nbytes) <= uint64(rest))
        return true;
    report(error, site, -1, nbytes, rest);
    return false;
}
template <class G, class A, class B, class T>
JIT_INLINE void copy_async(const G &group, const A &to, T *first, const B &from, const T *source, long long *error,
                           int to_site, int from_site, long long nbytes)
{
    if (first && source && has_bytes(error, to_site, to, first, nbytes) &&
        has_bytes(error, from_site, from, source, nbytes))
        cooperative_groups::memcpy_async(group, first, source, (size_t)nbytes);
}
}
]]

--- An element of a dense array, as a pointer: nullptr if it does not exist.
local function element(inst, node, word, array_node, place_node)
  local v = e.expression(inst, array_node)
  if not v.array then fail(inst, node, "%s copies between arrays, got %s", word, show(v)) end
  if not v.array.dense then fail(inst, node, "%s: '%s' is not contiguous; pass a copy of it", word, v.array.name) end
  local keys = place_node.tag == "table" and place_node.items or {place_node}
  local place, is_safe = e.place(inst, node, v, keys)
  return v, e.access(inst, node, v, is_safe, "find", "place") .. place .. ")"
end

--- Copies bytes from an element of an array to one of another, together.
function handlers.memcpy_async(inst, node, _, word)
  local list = node.arguments
  if #list ~= 6 then
    fail(inst, node, "%s takes a group, an array and a position to copy to, an array and a position to copy from, and "
      .. "a number of bytes; got %d arguments", word, #list)
  end
  local all = check_group(inst, node, word, e.expression(inst, list[1]))
  local to, first = element(inst, node, word, list[2], list[3])
  local from, source = element(inst, node, word, list[4], list[5])
  if to.array.dtype ~= from.array.dtype then
    fail(inst, node, "%s: '%s' is %s, and '%s' is %s", word, to.array.name, to.array.dtype, from.array.name,
      from.array.dtype)
  end
  calls.write(to.array)
  require_headers(inst, "cooperative_groups/memcpy_async")
  inst.ctx.preludes[COPIES] = true
  local checks = inst.ctx.checks
  local texts = {all.text, to.text, first, from.text, source, checks and "jit_error" or "nullptr",
    checks and e.site(inst, node, to.array.name) or 0, checks and e.site(inst, node, from.array.name) or 0,
    index_text(inst, node, word, e.expression(inst, list[6]))}
  return {statement = ("jit::copy_async(%s)"):format(table.concat(texts, ", "))}
end
calls.raw_arguments[handlers.memcpy_async] = true

function handlers.wait(inst, node, values, word)
  check_count(inst, node, word, values, 1, 1)
  require_headers(inst, "cooperative_groups/memcpy_async")
  return {statement = ("%swait(%s)"):format(PLACE, check_group(inst, node, word, values[1]).text)}
end

function handlers.wait_prior(inst, node, values, word)
  check_count(inst, node, word, values, 2, 2)
  local stages = values[2].literal
  if not stages or stages < 0 or stages % 1 ~= 0 then
    fail(inst, node, "%s takes a constant number of copies, got %s", word, show(values[2]))
  end
  require_headers(inst, "cooperative_groups/memcpy_async")
  return {statement = ("%swait_prior<%d>(%s)"):format(PLACE, stages, check_group(inst, node, word, values[1]).text)}
end

calls.offer(M.namespace, "jit.cg", "cg.", handlers)
for _, name in ipairs(NAMES) do OPERATIONS[M.namespace[name]] = name end

--- cn.jit.cg: cooperative groups, for kernels only. Follows cupyx.jit.cg, with methods called by a colon, and adds
--- tiles and coalesced threads. Ranks and indices count from 0, as CUDA's; positions in arrays count from 1. A kernel
--- that synchronises a grid is launched cooperatively: all its blocks must fit on the device at once. GPUs need the
--- headers of CUDA's toolkit for that; for other groups they are used if there are any.
---@class cuna.jit.cg
---@field this_thread_block fun(): cuna.jit.ThreadBlock
---@field this_grid fun(): cuna.jit.GridGroup
---@field coalesced_threads fun(): cuna.jit.Tile the threads of a warp that are here together
---@field tiled_partition fun(group: table, size: integer): cuna.jit.Tile of 1 to 32 threads, a constant power of two
---@field sync fun(group: table) waits for all threads of the group
---@field reduce fun(tile: cuna.jit.Tile, value: number, operation: function): number in all threads
---@field inclusive_scan fun(tile: cuna.jit.Tile, value: number, operation: function|nil): number default: plus
---@field exclusive_scan fun(tile: cuna.jit.Tile, value: number, operation: function|nil): number default: plus
---@field plus function an operation, as the next ones
---@field less function the lesser of two
---@field greater function the greater of two
---@field bit_and function
---@field bit_or function
---@field bit_xor function
---@field memcpy_async fun(group: table, to: cuna.Array, at: integer, from: cuna.Array, at2: integer, nbytes: integer)
---@field wait fun(group: table) until all copies of the group are done
---@field wait_prior fun(group: table, count: integer) until all but the last ones (a constant) are done

--- A block of threads, in kernels.
---@class cuna.jit.ThreadBlock
---@field sync fun(self)
---@field thread_rank fun(self): integer in [0, size)
---@field num_threads fun(self): integer
---@field size fun(self): integer
---@field group_index fun(self): {x: integer, y: integer, z: integer} of the block in the grid
---@field thread_index fun(self): {x: integer, y: integer, z: integer}
---@field group_dim fun(self): {x: integer, y: integer, z: integer}
---@field dim_threads fun(self): {x: integer, y: integer, z: integer}

--- All blocks of a launch, in kernels.
---@class cuna.jit.GridGroup
---@field sync fun(self) makes the launch cooperative
---@field is_valid fun(self): boolean whether the launch is cooperative
---@field thread_rank fun(self): integer in [0, size)
---@field block_rank fun(self): integer
---@field num_threads fun(self): integer
---@field num_blocks fun(self): integer
---@field size fun(self): integer of threads
---@field block_index fun(self): {x: integer, y: integer, z: integer}
---@field group_dim fun(self): {x: integer, y: integer, z: integer}
---@field dim_blocks fun(self): {x: integer, y: integer, z: integer}

--- Some threads of a warp, in kernels.
---@class cuna.jit.Tile
---@field sync fun(self)
---@field thread_rank fun(self): integer in [0, size)
---@field num_threads fun(self): integer
---@field size fun(self): integer
---@field meta_group_rank fun(self): integer of the tile among those of its parent
---@field meta_group_size fun(self): integer how many tiles its parent has
---@field shfl fun(self, value: number, rank: integer): number that thread's value
---@field shfl_up fun(self, value: number, distance: integer): number
---@field shfl_down fun(self, value: number, distance: integer): number
---@field shfl_xor fun(self, value: number, mask: integer): number not of coalesced threads
---@field any fun(self, value: boolean): boolean
---@field all fun(self, value: boolean): boolean
---@field ballot fun(self, value: boolean): integer a bit for each thread that says true

return M
