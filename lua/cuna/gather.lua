--- gather.lua: reads and writes elements at positions in arrays, and computes their addresses.
--
-- A program gets an array as addresses: its current position in the array, with the indexed axes at their first
-- element. A step moves the address along these axes by the positions, and the last step reads or writes there
-- (kernels/gather.cuh). So one pass reads the positions and the elements and writes the result, for any layout. An
-- access out of range reads 0 or writes nothing, and raises an error: on the cpu device at once, before anything is
-- written, and on CUDA devices at the next synchronisation.
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local later = require "cuna.base.later"
local nonzero = require "cuna.nonzero"
local program = require "cuna.base.program"

local M = {}

local fail = check.fail
local masks = later.functions "mask"
local MOST, MOST_MIXED = 4, 3 -- indexed axes of one program, whose positions have one dtype or several; more of them
-- take several passes

-- ---- programs ----

-- Dtypes of positions outside of int64's range, and the argument types of `whole` for them.
local AS_WHOLE = {float16 = "float64", bfloat16 = "float64", float32 = "float64", float64 = "float64",
  uint64 = "uint64"}
-- The modes of `moved`; nil is "raise".
local MODES = {wrap = "WRAP", clip = "CLIP"}
M.AS_WHOLE = AS_WHOLE

local LETTERS = "abcdefghijklmnop"

--- Appends the inputs of `count` positions: the positions, strides, lengths and the mark. Returns the step that moves
--- the address in value 1 by them. It is one step, so that what a program reports first does not depend on whether
--- steps go through elements one by one or in blocks.
local function displacement(inputs, dtypes, count, mode)
  for k = 1, count do inputs[#inputs + 1] = {dtype = dtypes[k]} end
  for _ = 1, 2 * count + 1 do inputs[#inputs + 1] = {dtype = "int64", scalar = true} end
  local args, types, expr = {}, {}, "a"
  for k = 1, 3 * count + 2 do args[k], types[k] = k, "int64" end
  for k = 1, count do
    local function letter(place) return LETTERS:sub(place, place) end
    types[1 + k] = AS_WHOLE[dtypes[k]] or "int64"
    expr = ("moved<%s>(%s, %s, %s, %s, %s)"):format(MODES[mode] or "RAISE", expr, letter(1 + k),
      letter(1 + count + k), letter(1 + 2 * count + k), letter(3 * count + 2))
  end
  return {name = "moved", expr = expr, dtype = "int64", args = args, arg_dtypes = types}
end

--- The access at addresses: last = "fetched" (out: the dtype of the result), "address", "checked", "stored" (of:
--- "number" if the value is one), or "updated" or "added" (expr: of a value a and an address b; as: the dtype of a;
--- nbytes: that of a tally, if blocks of many lanes can add up what they add to few elements).
---@class cuna.Gathering

local function dtypes_of(indexed, first, last)
  local dtypes = {}
  for k = first, last do dtypes[#dtypes + 1] = indexed.positions[k].dtype end
  return dtypes
end

--- Adds the inputs and steps of a program that does `what` at the addresses of positions `from` to `to`.
---@param what cuna.Gathering
---@param indexed cuna.Indexed
---@param start string "walk": the address is that of the loop's position; "value": it is an input
---@param value string|nil the dtype of the array that is stored
local function draw(draft, what, indexed, from, to, start, value)
  local last, dtype, dtypes = what.last, indexed.view.dtype, dtypes_of(indexed, from, to)
  local inputs = {start == "walk" and {dtype = dtype, address = true} or {dtype = "int64"}}
  draft.inputs, draft.steps = inputs, {displacement(inputs, dtypes, #dtypes, indexed.mode)}
  if value then inputs[#inputs + 1] = {dtype = value, scalar = what.of == "number"} end
  local at = #inputs + 1
  draft.outputs, draft.gathers = {}, true
  if last == "fetched" then
    draft.fetches = true
    draft:give(draft:step("fetched", "fetched<D>(a)", dtype, {at}, "int64"), what.out or dtype)
  elseif last == "address" then
    draft:give(at, "int64")
  elseif last ~= "checked" then
    local stored = #inputs
    if what.nbytes and start == "walk" and #dtypes < MOST then
      draft:input("int64", "scalar") -- core.gather gives the length of the array's memory
      draft.tally_nbytes, at = what.nbytes, at + 1
    end
    draft.order = "walk"
    draft:step(last, what.expr or "stored<E>(b, a)", "bool", {stored, at}, {what.as or dtype, "int64"})
  end
end

-- ---- indexed arrays ----

--- An indexed array: base (a view of the result's shape, with indexed axes at their first element), positions (arrays
--- that broadcast to it), moves (strides in bytes and lengths of the indexed axes, alternately), shape (of the result),
--- view (the array that is indexed), mode (for positions out of range: nil or "raise", "wrap", "clip"), has_rows
--- (whether axes behind those of the positions are whole, and hold enough to be copied as rows), is_valid (whether the
--- positions are known to be in range, as those of a mask).
---@class cuna.Indexed

local ADDRESS, CHECKED, STORED = {last = "address"}, {last = "checked"}, {last = "stored"}
local STORED_NUMBER = {last = "stored", of = "number"}

local FETCHED = {} -- by the dtype of an output

--- The access that fetches into an array, or into a new one.
local function fetched_to(out)
  local dtype = out and out.dtype or "its own"
  FETCHED[dtype] = FETCHED[dtype] or {last = "fetched", out = out and dtype}
  return FETCHED[dtype]
end

--- The program that does `what` at the addresses of positions `first` to `last`; the arguments are those of `draw`.
local function program_for(what, indexed, first, last, start, stored)
  local positions, dtype = indexed.positions, indexed.view.dtype
  what.key = what.key or table.concat {what.last, what.of or "", what.out or "", what.expr or "", what.as or ""}
  local key = what.key .. (indexed.mode or "") .. start .. " " .. dtype .. " " .. (stored or "") .. " "
    .. positions[first].dtype
  for k = first + 1, last do key = key .. " " .. positions[k].dtype end
  return program.get(key, draw, what, indexed, first, last, start, stored)
end

--- One pass: displaces `base` along indexed axes `first` to `last` and does `what` there.
local function pass(indexed, what, name, first, last, base, start, out, value)
  local made = program_for(what, indexed, first, last, start, value and value.dtype)
  return core.gather(made, name, indexed, base, first, last, out, value)
end

local function draw_masked(draft, dtype)
  draft:step("masked", "choose(a, b, c)", dtype, {draft:input "bool", draft:input(dtype, "scalar"), draft:input(dtype)},
    {"bool", dtype, dtype})
  draft.output = dtype
end

--- The program of x[key], or of x[key] = value with a value of x's dtype, for arrays of positions, or of x[mask] and
--- x[mask] = number (bindings/fetch.c).
---@param access "fetch"|"store number"|"store array"
---@param dtype string of x
---@param key string the dtype of the arrays
---@param count integer how many these are
function M.at_arrays(access, dtype, key, count)
  if key == "bool" then
    return access == "fetch" and nonzero.selecting(dtype) or program.get(dtype, draw_masked, dtype)
  end
  local indexed = {view = {dtype = dtype}, positions = {}}
  for k = 1, count do indexed.positions[k] = {dtype = key} end
  if access == "fetch" then return program_for(fetched_to(nil), indexed, 1, count, "walk") end
  return program_for(access == "store number" and STORED_NUMBER or STORED, indexed, 1, count, "walk", dtype)
end

--- How many indexed axes a program of these positions has at most: loops of four mixed dtypes would be too many.
local function most_of(positions)
  for k = 2, #positions do
    if AS_WHOLE[positions[k].dtype] ~= AS_WHOLE[positions[1].dtype] then return MOST_MIXED end
  end
  return MOST
end

--- Does `what` with an indexed array. If one program cannot process all indexed axes, earlier passes compute addresses.
---@param what cuna.Gathering
---@param out cuna.Array|nil
---@param value cuna.Array|nil
---@return cuna.Array|nil
local function run_passes(indexed, what, name, out, value)
  local base, start, count, done = indexed.base, "walk", #indexed.positions, 0
  local most = count > MOST_MIXED and most_of(indexed.positions) or MOST
  while count - done > most do
    base = pass(indexed, ADDRESS, name, done + 1, done + most, base, start)
    start, done = "value", done + most
  end
  return pass(indexed, what, name, done + 1, count, base, start, out, value)
end

--- The same. Rows that are copied as a whole, between arrays of one dtype, are copied in wide elements.
local function run(indexed, what, name, out, value)
  local wide, other
  if indexed.has_rows and (what == STORED or what.last == "fetched") then
    wide, other = core.wide_rows(indexed, name, out or value)
  end
  if not wide then return run_passes(indexed, what, name, out, value) end
  local made = run_passes(wide, what == STORED and what or fetched_to(nil), name, out and other, value and other)
  if value then return nil end
  return out or core.resized(made, indexed.view.dtype)
end

--- A list of `count` zeros.
local function zeros(count)
  local list = {}
  for i = 1, count do list[i] = 0 end
  return list
end
M.zeros = zeros

--- Memory for an array's elements. An empty array has no valid position, so any memory will do.
local function memory_of(view, name)
  return view.size > 0 and view or core.empty({1}, view.dtype, view.device, name)
end

--- Reports positions out of range, without access to elements.
local function check_bounds(indexed, name)
  local view, positions = indexed.view, indexed.positions
  if #positions == 1 and not indexed.mode and core.are_in_range(positions[1], indexed.moves[2]) then return end
  local base, shape = core.spread(view, memory_of(view, name), positions, name)
  run({base = base, positions = positions, moves = indexed.moves, shape = shape, view = view, mode = indexed.mode},
    CHECKED, name)
end

local function draw_copy(draft, dtype) draft:give(draft:input(dtype), dtype) end

--- The elements of an indexed array, in a new array or in `out`, which may share memory with it.
---@param indexed cuna.Indexed
---@return cuna.Array
function M.fetch(indexed, name, out)
  if indexed.base.size == 0 or out and not core.is_asynchronous(out) then check_bounds(indexed, name) end
  local fetched = fetched_to(out)
  if not out or not core.shares_memory(indexed.view, out) then return run(indexed, fetched, name, out) end
  local dtype = out.dtype
  return (core.map(program.get(dtype, draw_copy, dtype), name, indexed.shape, {out}, run(indexed, fetched, name)))
end

--- The slices of x at positions along an axis, which those of the positions replace.
function M.slices(x, axis, positions, name)
  return core.fetch(x, positions, name, axis) or M.fetch(M.index(x, {axis}, {positions}, axis, name), name)
end

--- The same along the first axis.
function M.rows(x, positions, name) return M.slices(x, 1, positions, name) end

--- Writes a value, which broadcasts, to an indexed array; `update` (cuna.Gathering) computes elements from the value
--- instead of storing it. On the cpu device, the last of several values for one element is stored, and updates of one
--- element are done in order.
---@param value cuna.Array
---@param update cuna.Gathering|nil
function M.store(indexed, value, name, update)
  local is_checked_apart = indexed.base.size == 0 or not core.is_asynchronous(indexed.base)
  if is_checked_apart and not indexed.is_valid then check_bounds(indexed, name) end
  run(indexed, update or STORED, name, nil, value)
end

--- Positions from 1 along an axis of this length as int64, and 0 for those out of range, which are reported.
---@param mode string|nil as in cuna.Indexed
---@return cuna.Array of the positions' shape
function M.places(positions, length, mode, name)
  local first = core.fill(core.empty({}, "int64", positions.device, name), 1, name)
  local indexed = {base = first, positions = {positions}, moves = {1, length}, shape = positions.shape, view = first,
    mode = mode}
  return pass(indexed, ADDRESS, name, 1, 1, first, "value")
end

-- ---- keys ----

local WHOLE = {}

local function is_mask(entry) return core.is_array(entry) and entry.dtype == "bool" end

local function check_device(array, device, name)
  if array.device ~= device then
    fail("%s: the array is on %s and an index array on %s; move it with x:to(%q)", name, device.name, array.device.name,
      device.name)
  end
end

--- The number of the array's axes that an entry indexes; 0 for an ellipsis.
local function axes_of(entry)
  if rawequal(entry, core.newaxis) or rawequal(entry, core.ellipsis) then return 0 end
  return is_mask(entry) and entry.ndim or 1
end

--- The entries of a key as a list, with masks replaced by the positions where they are true; by entry, the basic index
--- in place of positions (WHOLE, or newaxis for a mask without axes); and the number of axes of an ellipsis.
local function entries_of(x, key, name)
  local entries, advanced, axes, hidden = {}, {}, 0, x.ndim
  local given = core.is_array(key) and {key, core.ellipsis} or key
  for _, entry in ipairs(given) do
    if core.is_array(entry) then check_device(entry, x.device, name) end
    hidden = hidden - axes_of(entry)
  end
  local function add(entry, positions)
    entries[#entries + 1] = entry
    advanced[#entries] = positions
  end
  for _, entry in ipairs(given) do
    if not is_mask(entry) then
      add(entry, core.is_array(entry) and WHOLE or nil)
    elseif entry.ndim == 0 then
      add(nonzero.compact(entry, nil, name), core.newaxis)
    else
      for _, positions in ipairs(nonzero.nonzero(entry, name, x, axes)) do add(positions, WHOLE) end
    end
    axes = axes + (rawequal(entry, core.ellipsis) and hidden or axes_of(entry))
  end
  return entries, advanced, hidden
end

local function is_number(entry) return type(entry) == "number" or type(entry) == "cdata" end

--- The basic entries of a key, the axes of their view that positions index, and the place of the positions' axes: that
--- of the first entry if arrays and numbers are adjacent, else the first.
local function split(entries, advanced, hidden)
  local basic, positions, axes, axis, place, last = {}, {}, {}, 0, nil, nil
  for k, entry in ipairs(entries) do
    basic[k] = advanced[k] or entry
    if advanced[k] or is_number(entry) then
      if last and last ~= k - 1 then place = 1 end
      place, last = place or axis + 1, k
    end
    if advanced[k] then positions[#positions + 1], axes[#axes + 1] = entry, axis + 1 end
    axis = axis + (rawequal(entry, core.ellipsis) and hidden or is_number(entry) and 0 or 1)
  end
  return basic, positions, axes, place
end

--- An array indexed along axes (from 1, ascending) by position arrays, whose axes begin at result axis `place`.
---@param place integer the first of the positions' axes in the result, from 1
---@return cuna.Indexed
function M.index(view, axes, positions, place, name)
  return core.indexed(view, memory_of(view, name), axes, positions, place, name)
end

--- An array indexed along one axis by positions that broadcast along the other axes, as in numpy.take_along_axis.
---@param positions cuna.Array with as many axes as x
---@param shape integer[] of the result: what both broadcast to, except for the axis, which has the positions' length
---@return cuna.Indexed
function M.along(x, axis, positions, shape, name)
  local own, strides, itemsize, steps = x.shape, x.strides, x.itemsize, {}
  core.check_positions(positions, x, name)
  for k = 1, #own do steps[k] = (k == axis or own[k] == 1 or x.size == 0) and 0 or strides[k] / itemsize end
  return {base = core.view(memory_of(x, name), shape, steps, 0), positions = {positions},
    moves = {strides[axis], own[axis]}, shape = shape, view = x}
end

--- The indexed array of x[key], if the key contains arrays.
---@return cuna.Indexed
function M.resolve(x, key, name)
  local is_first_axis = core.is_array(key) and key.dtype ~= "bool" and x.ndim > 0 -- the most frequent key
  if is_first_axis then return M.index(x, {1}, {key}, 1, name) end
  local basic, positions, axes, place = split(entries_of(x, key, name))
  return M.index(x[basic], axes, positions, place, name)
end

-- ---- x[key] and x[key] = value ----

--- The key if it is one mask over all of x, else nil.
local function whole_mask(x, key)
  if type(key) == "table" and #key == 1 then key = key[1] end
  return is_mask(key) and key.device == x.device and core.same_shape(key, x) and key or nil
end

local function read(x, key)
  local mask = whole_mask(x, key)
  if mask then return nonzero.compact(mask, x, "index") end
  return M.fetch(M.resolve(x, key, "index"), "index")
end

--- The elements of a row-major x where a mask of its shape is true.
---@return cuna.Indexed
local function at_mask(x, mask)
  local indexed = M.index(core.reshape(x, -1, "assignment"), {1}, {nonzero.compact(mask, nil, "assignment")}, 1,
    "assignment")
  indexed.is_valid = true
  return indexed
end

--- A value to store in x, as an array on x's device that does not share memory with it.
function M.value_for(x, value, name)
  if not core.is_array(value) then
    if not core.number_kind(value) then return core.as_array(value, x.dtype, x.device, name) end
    return core.fill(core.empty({}, x.dtype, x.device, name), value, name)
  end
  core.check_alive(value, name)
  check.same_device(x, value, name)
  return core.shares_memory(x, value) and core.cast(value, nil, name) or value
end

M.check_writable = check.writable

--- A value without leading axes of length 1 that the target lacks; rejects values that do not broadcast. While
--- cn.prepare computes nothing, nobody knows how many elements a mask selects: one that does not fit is taken to be one
--- that does.
function M.fitting(value, target, name)
  local own, shape, axes = value.shape, target.shape, {}
  local extra = #own - #shape
  for k = 1, #own do
    if own[k] ~= 1 and (k <= extra or own[k] ~= shape[k - extra]) then
      if core.is_preparing() then return core.empty(shape, value.dtype, value.device, name) end
      fail("%s: a value of shape %s does not broadcast to shape %s", name, tostring(own), tostring(shape))
    end
    if k > extra then axes[#axes + 1] = own[k] end
  end
  return extra > 0 and core.reshape(value, axes, name) or value
end

--- Writes a value (from value_for) to x indexed by positions, which may share memory with x.
function M.write(x, indexed, value, name, update)
  value = M.fitting(value, indexed.base, name)
  for k, positions in ipairs(indexed.positions) do
    if core.shares_memory(positions, x) then indexed.positions[k] = core.cast(positions, nil, name) end
  end
  M.store(indexed, value, name, update)
end

--- Writes where a mask is true to an x of several axes that is not row-major, by way of a copy that is: positions along
--- each axis would take several times as long.
local function write_strided(x, mask, value)
  local whole = core.cast(x, nil, "assignment")
  M.write(whole, at_mask(whole, mask), value, "assignment")
  core.copy(x, whole, "assignment")
end

local function write(x, key, value)
  M.check_writable(x, "assignment")
  local mask = whole_mask(x, key)
  value = M.value_for(x, value, "assignment")
  if mask and value.size == 1 and value.ndim <= 1 then
    if value.dtype ~= x.dtype then value = core.cast(value, x.dtype, "assignment") end
    elementwise.functions.where(mask, core.reshape(value, {}, "assignment"), x, {out = x})
    return
  elseif mask and value.ndim == 1 and value.size > 1 and x.size > 0 and not core.may_wait() then
    masks.assign(x, mask, value, "assignment")
    return
  end
  if mask and x.ndim > 1 and not x.flags.c_contiguous then return write_strided(x, mask, value) end
  local indexed = mask and x.flags.c_contiguous and at_mask(x, mask) or M.resolve(x, key, "assignment")
  M.write(x, indexed, value, "assignment")
end

--- x[key], or x[key] = value, for keys that contain arrays.
function M.at_key(x, key, ...)
  if select("#", ...) == 0 then return read(x, key) end
  write(x, key, (...))
end

return M
