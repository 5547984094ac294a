--- dataset.lua: datasets of HDF5 files: read and written whole or in part.
local ffi = require "ffi"

local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local datatype = require "cuna.io.h5.datatype"
local library = require "cuna.io.h5.library"
local object = require "cuna.io.h5.object"
local selection = require "cuna.io.h5.selection"
local space = require "cuna.io.h5.space"
local transfer = require "cuna.io.h5.transfer"

local M = {}

local fail = check.fail
local lib, using = library.lib, library.using
local CHUNKED, MOST_AXES = 2, 32
local CHUNK_NBYTES = 2 ^ 20
local DEFLATE = 1

--- A dataset of an HDF5 file. d[key] reads the part that the same key selects of an array, and d[key] = value writes
--- it; nothing else of the dataset is read or written.
---@class cuna.H5Dataset
---@field shape integer[]
---@field ndim integer
---@field size integer number of elements
---@field dtype string of cuna, or "string"
---@field maxshape integer[] what the lengths may become; math.huge: anything
---@field chunks integer[]|nil
---@field name string path in the file
---@field attrs table attributes: d.attrs.unit reads one, d.attrs.unit = "m" sets it, nil deletes it
local methods = {}
M.methods = methods

local function state_of(d, method) return object.state(d, "dataset", method) end

local function with_space(state, use) return using(lib.H5Dget_space(state.id), "H5Sclose", state.label, use) end

local function shape_of(state) return with_space(state, function(id) return space.shape(id, state.label) end) end

-- ---- fields ----

local fields = {}

function fields.shape(state) return (shape_of(state)) end

function fields.maxshape(state) return (select(2, shape_of(state))) end

function fields.ndim(state) return #(shape_of(state)) end

function fields.size(state)
  local size = 1
  for _, length in ipairs((shape_of(state))) do size = size * length end
  return size
end

function fields.dtype(state)
  return using(lib.H5Dget_type(state.id), "H5Tclose", state.label, function(type)
    return datatype.describe(type, state.label)
  end)
end

function fields.name(state) return state.name end

function fields.chunks(state)
  return using(lib.H5Dget_create_plist(state.id), "H5Pclose", state.label, function(list)
    if lib.H5Pget_layout(list) ~= CHUNKED then return nil end
    local lengths, chunks = ffi.new("uint64_t[?]", MOST_AXES), {}
    for k = 1, lib.H5Pget_chunk(list, MOST_AXES, lengths) do chunks[k] = tonumber(lengths[k - 1]) end
    return chunks
  end)
end

-- ---- reading and writing ----

--- Calls use(what selects in memory, what selects in the file, shape, selection or nil).
local function with_part(state, key, use)
  if key == nil then return use(0, 0, (shape_of(state)), nil) end
  return with_space(state, function(file)
    local chosen = selection.of(space.shape(file, state.label), key, state.label)
    if chosen.is_empty or #chosen.start == 0 then return use(0, 0, chosen.shape, chosen) end
    space.select(file, chosen, state.label)
    return using(space.make(chosen.count), "H5Sclose", state.label, function(memory)
      return use(memory, file, chosen.shape, chosen)
    end)
  end)
end

--- Reads the dataset, or the part that a key selects as it would of an array: numbers, ranges ({first, last, step}),
--- cn.newaxis, cn.ellipsis, or text such as "2:5, 1". Arrays are on the current device; strings are a Lua string or
--- (nested) lists of them.
---@param key any|nil default: everything
---@return cuna.Array|string|table
---@usage cn.h5.open("spec/golden/files/tree.h5")["runs/x"]:read() --> [[0 1 2] [3 4 5]]
---@usage cn.h5.open("spec/golden/files/tree.h5")["runs/x"]["2, ::-1"] --> [5 4 3]
function methods.read(d, key)
  local state = state_of(d, "read")
  local value = with_part(state, key, function(memory, file, shape, chosen)
    local x = using(lib.H5Dget_type(state.id), "H5Tclose", state.label, function(type)
      return transfer.read(type, shape, function(element, data)
        library.check(lib.H5Dread(state.id, element, memory, file, 0, data), state.label)
      end, state.label)
    end)
    if not (chosen and chosen.turned) then return x end
    if not core.is_array(x) then fail("%s: strings are not read in reverse", state.label) end
    return x[chosen.turned]
  end)
  if not core.is_array(value) then return value end
  if value.ndim == 0 and key ~= nil and not selection.has_ellipsis(key) then return value:item() end
  return core.as_array(value, nil, args.namespace.device(), state.label)
end

--- A value for a part: of its shape, in the file's order.
local function fit(value, shape, chosen, label)
  local made = transfer.prepare(value, nil, label)
  if not made.array then
    if #made.shape ~= #shape or made.shape[1] ~= shape[1] then
      fail("%s: strings of shape (%s) for the shape (%s)", label, table.concat(made.shape, ", "),
        table.concat(shape, ", "))
    end
    return made
  end
  local x = made.array
  if not x:has_shape(unpack(shape)) then x = args.namespace.broadcast_to(x, shape) end
  if chosen and chosen.turned then x = x[chosen.turned] end
  return transfer.prepare(x, nil, label)
end

--- Writes the elements of the dataset, or of the part that a key selects. The value is broadcast to that shape, and
--- converted to the dataset's dtype by HDF5. d[key] = value does the same.
---@param value cuna.Operand|string|string[]
---@param key any|nil default: everything
---@usage (function(f) f:write("a", {1, 2}):write(5, 2) return f.a:read() end)(cn.h5.open("x", "w", "core")) --> [1. 5.]
function methods.write(d, value, key)
  local state = state_of(d, "write")
  object.check_writable(state)
  with_part(state, key, function(memory, file, shape, chosen)
    transfer.write(fit(value, shape, chosen, state.label), function(element, data)
      library.check(lib.H5Dwrite(state.id, element, memory, file, 0, data), state.label)
    end)
  end)
end

--- Changes the shape, within the maxshape that the dataset was made with; new elements are 0. Follows
--- h5py.Dataset.resize.
---@param shape integer|integer[]
---@usage (function(d) d:resize(2) return d.size end)(cn.h5.open("", "w", "core"):write("a", {0}, {maxshape = 2})) --> 2
function methods.resize(d, shape)
  local state = state_of(d, "resize")
  object.check_writable(state)
  shape = check.lengths(shape, state.label, "a length of the shape")
  if #shape ~= #(shape_of(state)) then fail("%s: resize: %d lengths for %d axes", state.label, #shape, d.ndim) end
  library.check(lib.H5Dset_extent(state.id, space.lengths(shape)), state.label)
end

--- All attributes by name: numbers, booleans, strings, lists of strings and arrays.
---@return table<string, any>
---@usage cn.h5.open("spec/golden/files/tree.h5")["runs/x"]:attributes().unit --> m
function methods.attributes(d) return object.attributes(d, "dataset") end

-- ---- making ----

--- Chunks of at most about a mebibyte: the longest axes are halved.
local function guess_chunks(shape, itemsize)
  local chunks, nbytes = {}, itemsize
  for k = 1, #shape do
    chunks[k] = math.max(shape[k], 1)
    nbytes = nbytes * chunks[k]
  end
  while nbytes > CHUNK_NBYTES do
    local longest = 1
    for k = 2, #chunks do
      if chunks[k] > chunks[longest] then longest = k end
    end
    nbytes = nbytes / chunks[longest]
    chunks[longest] = math.ceil(chunks[longest] / 2)
    nbytes = nbytes * chunks[longest]
  end
  return chunks
end

--- The chunks of a new dataset; nil if it has none.
local function chunks_for(made, options, label)
  local wants = options.compression or options.shuffle or options.maxshape
  if options.chunks == nil or type(options.chunks) == "boolean" then
    if not (wants or options.chunks) then return nil end
    if #made.shape == 0 then fail("%s: a scalar has no chunks, which compression needs", label) end
    return guess_chunks(made.shape, made.array and made.array.itemsize or 16)
  end
  local chunks = check.lengths(options.chunks, label, "a length of chunks")
  if #chunks ~= #made.shape then fail("%s: chunks has %d lengths for %d axes", label, #chunks, #made.shape) end
  return chunks
end

--- What the lengths of a new dataset may become; nil without the option.
local function limits_for(made, maxshape, label)
  if maxshape == nil then return nil end
  local limits = type(maxshape) == "table" and maxshape or {maxshape}
  if #limits ~= #made.shape then fail("%s: maxshape has %d lengths for %d axes", label, #limits, #made.shape) end
  for k, most in ipairs(limits) do
    if type(most) ~= "number" or most < made.shape[k] or most ~= math.floor(most) then
      fail("%s: maxshape: length %d is a whole number from %d on or math.huge, got %s", label, k, made.shape[k],
        check.show(most))
    end
  end
  return limits
end

local LEVEL = 4 -- of gzip, as h5py's

--- The level of gzip; nil without compression.
local function level_of(options, label)
  local given = options.compression
  if given == nil or given == false then return nil end
  local level = given == "gzip" and (options.compression_opts or LEVEL) or given
  if type(level) ~= "number" or level ~= math.floor(level) or level < 0 or level > 9 then
    fail("%s: compression is \"gzip\" or its level, 0 to 9, got %s", label, check.show(given))
  end
  if lib.H5Zfilter_avail(DEFLATE) <= 0 then fail("%s: this HDF5 library has no gzip", label) end
  return level
end

--- Sets how a new dataset is laid out.
local function lay_out(list, made, options, label)
  local chunks, level = chunks_for(made, options, label), level_of(options, label)
  if not chunks then return end
  library.check(lib.H5Pset_chunk(list, #chunks, space.lengths(chunks)), label)
  if options.shuffle then library.check(lib.H5Pset_shuffle(list), label) end
  if level then library.check(lib.H5Pset_deflate(list, level), label) end
end

--- Makes a dataset of a value and writes it.
---@param place ffi.cdata* int64: a group
---@param links ffi.cdata* int64: how links are made
---@return ffi.cdata* id int64
function M.create(place, links, name, value, options, label)
  local made = transfer.prepare(value, options.dtype and core.check_dtype(options.dtype, label), label)
  local id = using(lib.H5Pcreate(lib.H5P_CLS_DATASET_CREATE_ID_g), "H5Pclose", label, function(list)
    lay_out(list, made, options, label)
    return using(space.make(made.shape, limits_for(made, options.maxshape, label)), "H5Sclose", label, function(shape)
      return library.check(lib.H5Dcreate2(place, name, datatype.of(made.dtype), shape, links, list, 0), label)
    end)
  end)
  transfer.write(made, function(element, data)
    library.check(lib.H5Dwrite(id, element, 0, 0, 0, data), label)
  end)
  return id
end

-- ---- objects ----

local metatable = {__metatable = "cuna dataset"}

function metatable.__index(d, key)
  if methods[key] then return methods[key] end
  local state = state_of(d, "read")
  if key == "attrs" then return object.attrs(d) end
  if fields[key] then return fields[key](state) end
  return methods.read(d, key)
end

function metatable.__newindex(d, key, value) methods.write(d, value, key) end

function metatable.__tostring(d)
  local state = state_of(d, "tostring")
  return ("dataset '%s': shape (%s), %s"):format(state.name, table.concat(d.shape, ", "), d.dtype)
end

object.add_kind(object.DATASET, "dataset", function(state)
  return setmetatable({[object.STATE] = state}, metatable)
end)

return M
