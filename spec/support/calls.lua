--- Runs the calls of golden files: {name =, args =, options =, result or results =}, with arrays in several layouts.
local cn = require "cuna"
local devices = require "spec.support.devices"

local M = {}

local TOLERANCES = {float16 = 2e-3, bfloat16 = 1e-2, float32 = 2e-6, complex64 = 2e-6, float64 = 1e-12,
  complex128 = 1e-12}

--- The array that a golden file describes.
function M.array(described)
  local values = described.values
  if described.dtype:find "^complex" then
    local pairs_of = {}
    for k = 1, #values, 2 do pairs_of[#pairs_of + 1] = cn.complex(values[k], values[k + 1]) end
    values = pairs_of
  end
  return cn.array(values, described.dtype):reshape(described.shape)
end

--- x as number `layout`: row-major, with its axes in memory the other way round, as every second element backwards.
function M.lay_out(x, layout)
  if layout % 3 == 0 then return x end
  if layout % 3 == 1 then return x.T:copy().T end
  local backward = cn.zeros({2 * x.size + 1}, x.dtype)[{{-2, 1, -2}}]:reshape(x.shape)
  backward[cn.ellipsis] = x
  return backward
end

local function value_of(value, layout)
  if type(value) == "table" and value.dtype then return M.lay_out(M.array(value), layout) end
  return value
end

--- Calls cn[call.name]; answers its results as a list.
function M.run(call, layout)
  local arguments, options = {}, {}
  for k, value in ipairs(call.args) do arguments[k] = value_of(value, layout) end
  for key, value in pairs(call.options) do options[key] = value_of(value, layout + 1) end
  if next(options) then arguments[#arguments + 1] = options end
  local result = cn[call.name](unpack(arguments))
  return cn.is_array(result) and {result} or result
end

--- Why results are not those of a call; nil when they are.
function M.compare(call, results, number)
  local expected = call.results or {call.result}
  local note = ("case %d: %s: "):format(number, call.name)
  assert(#expected == #results, note .. #results .. " results")
  for k, got in ipairs(results) do
    local wanted, dtype = M.array(expected[k]), expected[k].dtype
    assert(got.dtype == dtype, note .. got.dtype .. " for " .. dtype)
    assert(got.shape == wanted.shape, note .. tostring(got.shape) .. " for " .. tostring(wanted.shape))
    local tolerance = TOLERANCES[dtype] or 0
    local why = cn.testing.why_not_allclose(got, wanted, {rtol = tolerance, atol = tolerance, equal_nan = true})
    assert(not why, note .. tostring(why))
  end
end

--- Runs and compares all calls of a list, whose kernels are compiled together first.
function M.check_all(calls)
  devices.prepare(function()
    for number, call in ipairs(calls) do M.run(call, number) end
  end)
  for number, call in ipairs(calls) do M.compare(call, M.run(call, number), number) end
end

return M
