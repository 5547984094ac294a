--- given.lua: what users give for a sparse matrix: a dense array, elements and positions, the parts of a format,
--- another sparse matrix. Every part is checked where it comes in.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local coordinates = require "cuna.sparse.coordinates"
local convert = require "cuna.sparse.convert"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local in_dtype = require("cuna.sparse.parts").in_dtype
local object = require "cuna.sparse.object"
local with = require "cuna.base.with"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

-- ---- shapes and vectors ----

--- A shape as a list of two lengths.
function M.shape(shape, name)
  if shape == nil then return nil end
  local list = check.lengths(shape, name, "shape")
  if #list ~= 2 then fail("%s: a sparse matrix has a shape of two lengths, got %d", name, #list) end
  return list
end

--- A vector of elements.
local function elements(data, dtype, device, name)
  if data == nil then fail("%s: data is missing", name) end
  data = core.as_array(data, nil, device, name)
  if data.ndim ~= 1 then fail("%s: data has one axis, got shape %s", name, tostring(data.shape)) end
  return in_dtype(data, dtype or data.dtype, name)
end

--- A table of numbers as int64.
local function whole_list(list, device, name, what)
  check.list(#list == 0 and {0} or list, name, what)
  for i, value in ipairs(list) do list[i] = check.integer(value, name, "an entry of " .. what) end
  return core.as_array(list, "int64", device, name)
end

--- An array of floats as int64, if they are whole numbers.
local function whole_floats(x, name, what)
  if not core.is_preparing() and not x:eq(x:floor()):all() then
    fail("%s: %s has whole numbers, got an array of %s with fractions", name, what, x.dtype)
  end
  return core.cast(x, "int64", name)
end

--- A vector of whole numbers.
local function whole(x, device, name, what)
  if type(x) == "table" then
    x = whole_list(x, device, name, what)
  elseif not core.is_array(x) then
    fail("%s: %s is an array of positions, got %s", name, what, check.show(x))
  end
  x = check.array(x, name)
  if device and x.device ~= device then
    fail("%s: data is on %s and %s on %s", name, device.name, what, x.device.name)
  end
  local kind = kind_of[x.dtype]
  if kind ~= "i" and kind ~= "u" and kind ~= "f" then
    fail("%s: %s has whole numbers, got an array of %s", name, what, x.dtype)
  elseif x.ndim ~= 1 then
    fail("%s: %s has one axis, got shape %s", name, what, tostring(x.shape))
  end
  return kind == "f" and whole_floats(x, name, what) or x
end

--- The least and the greatest element, as numbers.
local function ends_of(x)
  return x:min():item(), x:max():item()
end

--- Positions along an axis, whose length is their greatest one if it is open.
local function positions(x, count, length, name, what)
  if x.size ~= count then fail("%s: %d elements have %d entries in %s", name, count, x.size, what) end
  if count == 0 then return x, length or 0 end
  local least, greatest = ends_of(x)
  if least < 1 then fail("%s: %s counts from 1, got %d", name, what, tonumber(least)) end
  if length and greatest > length then
    fail("%s: %s has %d, and the matrix has positions up to %d", name, what, tonumber(greatest), length)
  end
  return x, length or tonumber(greatest)
end

-- ---- forms ----

--- {data, {row, col}}
local function from_triplets(of, shape, dtype, name)
  local data = elements(of.data, dtype, nil, name)
  local device = data.device
  local row, rows = positions(whole(of.row, device, name, "row"), data.size, shape and shape[1], name, "row")
  local col, columns = positions(whole(of.col, device, name, "col"), data.size, shape and shape[2], name, "col")
  local index = object.index_dtype(rows, columns)
  return object.new("coo", {rows, columns}, {data = data, row = in_dtype(row, index, name),
    col = in_dtype(col, index, name)})
end

--- Where the lines of a compressed format begin.
local function check_pointers(indptr, count, lines, name)
  if indptr.size == 0 then fail("%s: indptr has no element; a matrix without lines has one", name) end
  if lines and indptr.size ~= lines + 1 then
    fail("%s: indptr has %d elements, and %d lines need %d", name, indptr.size, lines, lines + 1)
  end
  local first, last = indptr[1], indptr[indptr.size]
  if first ~= 1 then fail("%s: indptr begins with 1, got %d", name, tonumber(first)) end
  if last ~= count + 1 then
    fail("%s: indptr ends with %d, one more than there are elements, got %d", name, count + 1, tonumber(last))
  end
  if not coordinates.rises(indptr) then
    local falls = args.namespace.flatnonzero(indptr["2:"]:lt(indptr["1:-2"]))
    fail("%s: indptr falls after entry %d; it rises from line to line", name, tonumber(falls[1]))
  end
end

--- {data, indices, indptr}
local function from_lines(of, format, shape, dtype, name)
  local data, major = elements(of.data, dtype, nil, name), object.MAJOR[format]
  local indices, indptr = whole(of.indices, data.device, name, "indices"), whole(of.indptr, data.device, name, "indptr")
  check_pointers(indptr, data.size, shape and shape[major], name)
  local lengths = {}
  indices, lengths[3 - major] = positions(indices, data.size, shape and shape[3 - major], name, "indices")
  lengths[major] = indptr.size - 1
  local index = object.index_dtype(lengths[1], lengths[2], data.size + 1)
  return object.new(format, lengths, {data = data, indices = in_dtype(indices, index, name),
    indptr = in_dtype(indptr, index, name)})
end

--- {data, offsets}
local function from_diagonals(of, shape, dtype, name)
  if not shape then fail("%s: diagonals do not tell the shape; write {shape = {rows, columns}}", name) end
  local data = core.as_array(of.data, nil, nil, name)
  if data.ndim == 1 then data = data:reshape {1, -1} end
  local given = type(of.offsets) == "number" and {of.offsets} or of.offsets
  local offsets = whole(given, data.device, name, "offsets")
  if data.ndim ~= 2 or data.shape[1] ~= offsets.size then
    fail("%s: data has a row for each of %d offsets, got shape %s", name, offsets.size, tostring(data.shape))
  end
  if args.namespace.unique(offsets).size < offsets.size then fail("%s: an offset is there twice", name) end
  if dtype and data.dtype ~= dtype then data = core.cast(data, dtype, name) end
  return object.new("dia", shape, {data = data, offsets = in_dtype(offsets, object.index_dtype(unpack(shape)), name)})
end

--- A dense array of two axes; a vector is a row.
local function from_dense(x, dtype, shape, name)
  local cn = args.namespace
  x = check.array(x, name)
  if x.ndim > 2 then fail("%s: a sparse matrix has two axes, got shape %s", name, tostring(x.shape)) end
  if x.ndim < 2 then x = x:reshape {1, -1} end
  if shape and not x:has_shape(shape) then
    fail("%s: the array has shape %s, and shape says (%d, %d)", name, tostring(x.shape), shape[1], shape[2])
  end
  if dtype and x.dtype ~= dtype then x = core.cast(x, dtype, name) end
  local places = cn.argwhere(x)
  local index = object.index_dtype(x.shape[1], x.shape[2])
  return coordinates.coo {shape = x.shape, row = places[{{}, 1}]:astype(index), col = places[{{}, 2}]:astype(index),
    data = x[x:ne(0)], major = 1, is_unique = true}
end

-- ---- which form ----

--- The number of axes that a value has, as far as its first elements tell.
local function depth(value)
  if core.is_array(value) then return value.ndim end
  if type(value) ~= "table" then return 0 end
  return 1 + (value[1] ~= nil and depth(value[1]) or 0)
end

local KNOWN = {data = true, row = true, col = true, indices = true, indptr = true, offsets = true, shape = true}

--- The parts that a table without names stands for; nil if it is a dense array.
local function parts_of(list, format)
  local first, second, third = list[1], list[2], list[3]
  if #list == 2 and type(second) == "table" and not core.is_array(second) and #second == 2 and depth(second) == 2
    and depth(first) <= 1 then
    return {data = first, row = second[1], col = second[2]}
  elseif #list == 2 and format == "dia" and depth(first) == 2 and depth(second) <= 1 then
    return {data = first, offsets = second}
  elseif #list == 3 and object.MAJOR[format] and core.is_array(first) and core.is_array(second)
    and core.is_array(third) and first.ndim == 1 then
    return {data = first, indices = second, indptr = third}
  end
end

--- Rejects SciPy's three parts as lists, which could be rows of a matrix as well.
local function check_rows(list, format, name)
  if #list ~= 3 or not object.MAJOR[format] then return end
  for _, row in ipairs(list) do
    if type(row) ~= "table" or core.is_array(row) or depth(row) ~= 1 then return end
  end
  if #list[1] == #list[2] and #list[1] ~= #list[3] then
    fail("%s: lists of %d, %d and %d numbers cannot be rows; parts have names: "
      .. "{data = ..., indices = ..., indptr = ...}", name, #list[1], #list[2], #list[3])
  end
end

local function from_parts(of, format, shape, dtype, name)
  for key in pairs(of) do
    if not KNOWN[key] then
      fail("%s: parts are data with row and col, indices and indptr, or offsets; got '%s'", name, tostring(key))
    end
  end
  shape = shape or M.shape(of.shape, name)
  if of.row ~= nil or of.col ~= nil then return from_triplets(of, shape, dtype, name) end
  if of.offsets ~= nil then return from_diagonals(of, shape, dtype, name) end
  if of.data == nil and shape then
    return from_triplets({data = core.empty(0, dtype or core.default_dtype(), nil, name), row = {}, col = {}}, shape,
      dtype, name)
  end
  if not object.MAJOR[format] then fail("%s: data needs row and col, or offsets", name) end
  return from_lines(of, format, shape, dtype, name)
end

local function on_device_of(of, fn, ...)
  for _, x in pairs(of) do
    if core.is_alive(x) then return with.on(x, fn, of, ...) end
  end
  return fn(of, ...)
end

--- The matrix of what a user gave, in the format that it comes in.
function M.matrix(value, format, shape, dtype, name)
  check.dot(value, name)
  if object.is(value) then
    if shape and (shape[1] ~= value.lengths[1] or shape[2] ~= value.lengths[2]) then
      fail("%s: the matrix has shape %s, and shape says (%d, %d)", name, tostring(value.shape), shape[1], shape[2])
    end
    return dtype and dtype ~= value.dtype and value:astype(dtype) or value
  end
  if type(value) == "table" and not core.is_array(value) then
    local named = type(next(value)) == "string" and value or parts_of(value, format)
    if named then return on_device_of(named, from_parts, format, shape, dtype, name) end
    check_rows(value, format, name)
  end
  if core.is_alive(value) then return with.on(value, from_dense, value, dtype, shape, name) end
  return from_dense(value, dtype, shape, name)
end

--- A matrix in a format, of one of SciPy's two classes.
function M.made(value, format, shape, dtype, copy, is_array, name)
  local A = M.matrix(value, format, M.shape(shape, name), check.dtype(dtype, name), name)
  local made = with.on(A.device, convert.to, A, format)
  if copy and made == A then made = A:copy() end
  if made.is_array ~= is_array then
    made = object.new(format, made.lengths, made, is_array, made.facts)
  end
  return made
end

return M
