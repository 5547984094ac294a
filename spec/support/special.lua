--- The rows of cn.special against their golden values: a family of them in a spec file.
local cn = require "cuna"
local bits = require "spec.support.bits"
local busted = require "busted"
local devices = require "spec.support.devices"
local elementwise = require "cuna.elementwise"
local golden = dofile("spec/golden/special.lua")

local M = {golden = golden}

local bytes_of = setmetatable({}, {__index = function(known, index)
  known[index] = bits.from_hex(golden.pool[index])
  return known[index]
end})

--- The cases of a row by dtype.
function M.cases_of(name)
  local cases = {}
  for _, case in ipairs(golden.cases) do
    if case.row == name then cases[case.dtype] = case end
  end
  return cases
end

function M.operands_of(case)
  local operands = {}
  for i, index in ipairs(case.args) do operands[i] = bits.array(bytes_of[index], case.dtype) end
  return operands
end

--- Results of a case, or of its elements from number `first` on.
local function call(case, first)
  local operands = M.operands_of(case)
  if first then
    for i, x in ipairs(operands) do operands[i] = x[{{first, -1}}] end
  end
  return {cn.special[case.row](unpack(operands))}
end

local function describe(case)
  return function(i)
    local shown = {}
    for k, index in ipairs(case.args) do shown[k] = bits.show(bytes_of[index], case.dtype, i) end
    return table.concat(shown, ", ")
  end
end

local function check(case, findings)
  local results = call(case)
  assert(#results == #case.results, case.row .. ": number of results")
  for k, result in ipairs(results) do
    local why = bits.why_different(result:tobytes(), bytes_of[case.results[k]], result.dtype, case.ulps, describe(case))
    if why then findings[#findings + 1] = ("%s of %s: %s"):format(case.row, case.dtype, why) end
  end
  for k, rest in ipairs(call(case, 2)) do
    if rest:tobytes() ~= results[k]["2:"]:tobytes() then
      findings[#findings + 1] = ("%s of %s: the bits depend on the position"):format(case.row, case.dtype)
    end
  end
end

--- Tests of all rows of a family on every device.
function M.check_family(family)
  devices.each_device(function()
    busted.setup(function()
      cn.prepare(function()
        for _, case in ipairs(golden.cases) do
          if case.family == family then
            call(case)
            call(case, 2)
          end
        end
      end)
    end)
    for _, row in ipairs(elementwise.special_rows()) do
      local cases = M.cases_of(row.name)
      if not cases.float64 or not cases.float32 then error("no oracle for " .. row.name, 0) end
      if cases.float64.family == family then
        busted.it(row.name .. " gives the values of mpmath and SciPy", function()
          local findings = {}
          check(cases.float64, findings)
          check(cases.float32, findings)
          assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
        end)
      end
    end
  end)
end

return M
