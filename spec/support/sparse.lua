--- The functions of cn.sparse against SciPy's results: a group of cases in a spec file.
local busted = require "busted"
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"

local written = dofile "spec/golden/sparse.lua"
local M = {}

local PARTS = {csr = {"data", "indices", "indptr"}, csc = {"data", "indices", "indptr"}, coo = {"data", "row", "col"},
  dia = {"data", "offsets"}}

local function vector(values, dtype) return golden.array {shape = {#values}, dtype = dtype, values = values} end

--- The matrix that a golden file describes.
function M.matrix(of)
  local parts = {}
  for _, part in ipairs(PARTS[of.format]) do
    if of[part] then parts[part] = vector(of[part], part == "data" and of.dtype or "int32") end
  end
  if of.format == "dia" then parts.data = parts.data:reshape {#of.offsets, of.width} end
  return cn.sparse[of.format .. "_matrix"](parts, {shape = of.shape})
end

--- The matrices and arrays that cases speak of, on the current device.
function M.words()
  local words = {cn = cn, sp = cn.sparse}
  for name, of in pairs(written.matrices) do words[name] = M.matrix(of) end
  for name, of in pairs(written.arrays) do words[name] = golden.array(of) end
  --- A copy that a method has changed.
  function words.changed(A, method, ...)
    local copy = A:copy()
    copy[method](copy, ...)
    return copy
  end
  --- A copy with other elements at a key.
  function words.set(A, key, value)
    local copy = A:copy()
    copy[key] = value
    return copy
  end
  return words
end

-- ---- comparisons ----

local check = {}

--- Positions may be int32 where SciPy's result was written as int64.
local function same_array(expected, x, note)
  local dtype = expected.dtype == "int64" and x.dtype == "int32" and "int32" or expected.dtype
  golden.same(expected, x, note, expected.dtype == "float32" and 1e-6 or 1e-12, dtype)
end

check.array = same_array

function check.sparse(expected, A, note)
  assert(cn.sparse.issparse(A), note .. ": not sparse")
  assert(A.format == expected.format, ("%s: format %s"):format(note, A.format))
  assert(A.shape[1] == expected.shape[1] and A.shape[2] == expected.shape[2], ("%s: shape %s"):format(note,
    tostring(A.shape)))
  for _, part in ipairs(PARTS[A.format]) do
    local values = expected[part]
    local shape = part == "data" and expected.width and {#expected.offsets, expected.width} or {#values}
    same_array({shape = shape, dtype = part == "data" and expected.dtype or "int64", values = values}, A[part],
      note .. ": " .. part)
  end
end

function check.number(expected, got, note)
  if cn.is_array(got) then got = got:item() end
  if type(expected) == "table" then
    same_array({shape = {}, dtype = "complex128", values = {expected}}, cn.array(got, "complex128"), note)
  elseif type(expected) == "number" then
    same_array({shape = {}, dtype = "float64", values = {expected}}, cn.array(got, "float64"), note)
  else
    assert(got == expected, ("%s: %s, expected %s"):format(note, tostring(got), tostring(expected)))
  end
end

local function check_value(expected, got, note)
  local kind, of = next(expected)
  check[kind](of, got, note)
end

--- Tests of a group's cases on every device, and others of its own.
---@param group string
---@param more fun(device: cuna.Device)|nil
function M.check_group(group, more)
  devices.each_device(function(device)
    local words
    busted.setup(function() words = M.words() end)
    for _, case in ipairs(written.groups[group]) do
      busted.it(case.text, function()
        local results = {setfenv(assert(loadstring("return " .. case.text)), words)()}
        for k, expected in ipairs(case.value.list or {case.value}) do check_value(expected, results[k], case.text) end
      end)
    end
    if more then more(device) end
  end)
end

return M
