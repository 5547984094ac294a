--- loop_rehearsals_more.lua: calls by which loops.lua finds the steps of images' and signals' programs and of products
--- of sparse matrices.
--
-- The texts of their loops are few, since they read from lists what kernels have in their text
-- (kernels/loop_images.hh, kernels/loop_signal.hh).
local cn = require "cuna"
local cdata = require "cuna.base.cdata"
local connect = require "cuna.ndimage.connect"
local diagonals = require "cuna.sparse.diagonals"
local join = require "cuna.sparse.join"
local lines = require "cuna.sparse.lines"
local near = require "cuna.sparse.near"
local object = require "cuna.sparse.object"
local product = require "cuna.sparse.product"
local parts = require "cuna.sparse.parts"
local slide = require "cuna.signal.slide"

local REAL = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64"}
local COMPLEX = {"complex64", "complex128"}
local LENGTH = 4

local M = {}

local function add(rehearse) M[#M + 1] = rehearse end

-- ---- images ----

local images = cn.ndimage
local WEIGHTS = {1, 2, 4}
local MOST_AXES = 10 -- with coordinates, that programs have room for

--- A footprint with a gap, whose neighbours need two programs.
local function footprint()
  local list = {}
  for i = 1, 6 do
    list[i] = {}
    for j = 1, 7 do list[i][j] = i * j > 1 and 1 or 0 end
  end
  return list
end

local function add_windows(dtype)
  local function line() return cn.empty(LENGTH, dtype) end
  local function square() return cn.empty({LENGTH, LENGTH}, dtype) end
  for _, weight in ipairs {1, cdata.complex(0, 1)} do
    local list = footprint()
    list[2][2] = weight
    add(function() return images.correlate1d(line(), {weight, 2, 4}) end)
    add(function() return images.correlate(square(), list) end)
  end
  add(function() return images.uniform_filter1d(line(), 3) end)
  add(function() return images.uniform_filter1d(line(), 40) end)
  for _, order in ipairs {1, 3} do add(function() return images.shift(line(), 0.5, {order = order}) end) end
  add(function() return images.spline_filter1d(line(), {output = dtype}) end)
end

local function add_ordered(dtype)
  local function square() return cn.empty({LENGTH, LENGTH}, dtype) end
  for _, name in ipairs {"minimum_filter", "maximum_filter"} do
    add(function() return images[name](square(), 3) end)
    add(function() return images[name](square(), {footprint = footprint()}) end)
  end
  for _, name in ipairs {"grey_erosion", "grey_dilation"} do
    add(function() return images[name](square(), {structure = {{1, 2}, {3, 4}}}) end)
    add(function() return images[name](square(), {structure = footprint()}) end)
  end
  for _, size in ipairs {3, 9} do add(function() return images.median_filter(square(), size) end) end
end

for _, dtype in ipairs(REAL) do
  add_windows(dtype)
  add_ordered(dtype)
end
for _, dtype in ipairs(COMPLEX) do add_windows(dtype) end

for _, name in ipairs {"binary_erosion", "binary_dilation"} do
  for _, structure in ipairs {WEIGHTS, footprint()} do
    add(function() return images[name](cn.empty(type(structure[1]) == "table" and {2, 2} or 2), structure) end)
  end
end

-- Values between elements, at coordinates and where a matrix leads.
for count = 1, MOST_AXES do
  local shape, matrix = {}, {}
  for i = 1, count do
    shape[i], matrix[i] = 2, {}
    for j = 1, count do matrix[i][j] = 1 end
  end
  for _, dtype in ipairs {"float64", "complex128"} do
    add(function() return images.shift(cn.empty(shape, dtype), 0.5, {order = 1}) end)
    add(function() return images.affine_transform(cn.empty(shape, dtype), matrix, {order = 1}) end)
  end
end
for _, mode in ipairs {"mirror", "reflect", "grid-wrap"} do
  for _, dtype in ipairs {"float64", "complex128"} do
    add(function() return images.spline_filter1d(cn.empty(LENGTH, dtype), {mode = mode}) end)
  end
end

for _, word in ipairs {"uint32", "uint64"} do
  add(function()
    return connect.number(cn.empty({2, 2}, "bool"), {{0, 1}}, word, cn.empty({2, 2}, "int64"), "rehearsal")
  end)
end
for _, name in ipairs {"distance_transform_edt", "distance_transform_bf", "distance_transform_cdt"} do
  for _, metric in ipairs {"euclidean", "taxicab", "chessboard"} do
    add(function()
      local x = cn.empty({2, 2}, "bool")
      if name == "distance_transform_edt" then return images[name](x) end
      return images[name](x, metric)
    end)
  end
end

-- ---- signals ----

local signal = cn.signal

for _, dtypes in ipairs {REAL, COMPLEX} do
  for _, dtype in ipairs(dtypes) do
    add(function() return slide.valid(cn.empty(LENGTH, dtype), cn.empty(2, dtype), "rehearsal") end)
  end
end

local LONG = {} -- coefficients of more than kernels have in registers
for i = 1, 20 do LONG[i] = i end
for _, dtype in ipairs {"float32", "float64", "complex64", "complex128"} do
  add(function() return signal.upfirdn(cn.empty(2, dtype), cn.empty(LENGTH, dtype), 2) end)
  for _, a in ipairs {{1, 0.5}, {1, cdata.complex(0, 0.5)}, LONG} do
    for _, length in ipairs {LENGTH, 10000} do -- long lines are cut into parts
      add(function() return signal.lfilter({1}, a, cn.empty(length, dtype)) end)
    end
  end
end

local WINDOWS = {boxcar = {}, triang = {}, parzen = {}, bohman = {}, blackman = {}, nuttall = {}, blackmanharris = {},
  flattop = {}, bartlett = {}, hann = {}, hamming = {}, barthann = {}, cosine = {}, lanczos = {}, tukey = {},
  exponential = {}, gaussian = {1}, general_gaussian = {1, 1}, general_hamming = {0.75}, chebwin = {100}}
for name, options in pairs(WINDOWS) do
  add(function() return signal.windows[name](LENGTH, unpack(options)) end)
end

for _, dtype in ipairs {"float32", "float64"} do
  add(function() return cn.fft.dct(cn.empty(LENGTH, dtype)) end)
  add(function() return signal.periodogram(cn.empty(LENGTH, dtype)) end)
end

local values = cn.array {0, 3, 1, 5, 2}
add(function() return signal.find_peaks(values) end)
add(function() return signal.peak_widths(values, cn.array({2, 4}, "int64")) end)

-- ---- products of sparse matrices ----

local function add_products(dtype, index)
  add(function()
    local A = {dtype = dtype, data = cn.empty(LENGTH, dtype), indices = cn.empty(LENGTH, index),
      indptr = cn.empty(3, index), lengths = {2, 2}, facts = {}}
    product.multiply(A, cn.empty(2, dtype), "rehearsal")
    product.multiply(A, cn.empty({2, 2}, dtype), "rehearsal")
  end)
  add(function()
    local i, n, d = cn.empty(1, index), cn.empty(1, "int64"), cn.empty(1, dtype)
    parts.run("sparse::count_work", "iiinl", nil, index, 1, "rehearsal", i, i, i, 1, n, 1)
    parts.run("sparse::mark_moved", "iinln", nil, index, 1, "rehearsal", i, i, 1, n, 1, 1)
    parts.run("sparse::count_products", "iiiinnllnl", nil, index, 1, "rehearsal", i, i, i, i, 1, 1, n, n, 1, n, 1)
    parts.run("sparse::add_products", "iiiinnllnddiid", dtype, index, 1, "rehearsal", i, i, i, i, 1, 1, n, n, 1, d, d,
      i, i, d, 1)
  end)
end

for _, dtype in ipairs {"float64", "complex128"} do
  add(function()
    parts.run("sparse::factor_rows", "ldn", dtype, "int32", 1, "rehearsal", cn.empty(1, "int64"), cn.empty(1, dtype), 0,
      1)
  end)
end

-- ---- sparse matrices line by line ----

--- Three lines.
local function some_lines(dtype, index)
  return cn.empty(4, index), cn.empty(LENGTH, index), cn.empty(LENGTH, dtype)
end

--- What moves elements of one size.
local function add_lines(dtype, index)
  add(function()
    local ends, indices, data = some_lines(dtype, index)
    lines.turned(indices, {others = indices}, data, 3, index, "rehearsal")
    lines.turned(indices, {indptr = ends}, data, 3, index, "rehearsal")
    lines.through_buckets(indices, lines.buckets_for(indices, 3, "rehearsal"), {indptr = ends}, data, 3, index,
      "rehearsal")
    near.reaches(indices, "rehearsal")
    local A, on = {data = data, indices = indices, indptr = ends}, {first = 0, count = 2, position = 1}
    diagonals.elements(A, on, "rehearsal")
    diagonals.replaced(A, on, cn.empty(2, dtype), index, "rehearsal")
    diagonals.widened(A, on, cn.empty(2, "int64"), cn.empty(2, dtype), index, "rehearsal")
    diagonals.beside({{data = data, indices = indices, indptr = ends, shift = 0, first = 0}}, cn.empty(3, "int64"),
      index, "rehearsal")
    diagonals.scatter(A, cn.empty({3, 3}, dtype), 3, 1, "rehearsal")
    lines.sorted(ends, indices, data, "rehearsal")
    lines.firsts(ends, indices, cn.empty(3, index), "rehearsal")
    lines.chosen(ends, indices, data, cn.empty(2, "int64"), "rehearsal")
    lines.mapped(ends, indices, data, indices, 2, "rehearsal")
    lines.mapped(ends, indices, data, 1, 2, "rehearsal")
    lines.order_in_lines(ends, indices, "rehearsal")
    lines.order_of_pairs(indices, indices, "rehearsal")
    lines.begins(indices, 3, index, "rehearsal")
    lines.places(ends, indices, cn.empty(2, "int64"), cn.empty(2, "int64"), "rehearsal")
  end)
end

local JOINS = {"add", "subtract", "multiply", "maximum", "minimum", "not_equal", "less", "greater"}

--- What computes with elements of a dtype.
local function add_sums(dtype, index)
  add(function()
    local ends, indices, data = some_lines(dtype, index)
    lines.summed_across(ends, indices, data, cn.empty(3, dtype), 3, {}, "rehearsal")
    lines.summed_in_buckets(lines.buckets_for(indices, 3, "rehearsal"), ends, indices, data, cn.empty(3, dtype), 3,
      "rehearsal")
    lines.sums(ends, data, "rehearsal")
  end)
  for _, operation in ipairs(JOINS) do
    add(function()
      local ends, indices, data = some_lines(dtype, index)
      local shape = {3, index == "int32" and LENGTH or 2 ^ 40}
      local A = object.new("csr", shape, {data = data, indices = indices, indptr = ends})
      join.join(A, A, operation, "rehearsal")
    end)
  end
end

for _, index in ipairs {"int32", "int64"} do
  for _, dtypes in ipairs {REAL, COMPLEX} do
    for _, dtype in ipairs(dtypes) do
      add_products(dtype, index)
      add_lines(dtype, index)
      add_sums(dtype, index)
    end
  end
end

return M
