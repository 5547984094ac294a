--- The rows of cn.special against their golden values: a family of them in a spec file.
local cn = require "cuna"
local bits = require "spec.support.bits"
local busted = require "busted"
local devices = require "spec.support.devices"
local elementwise = require "cuna.elementwise"

local M = {}

--- All cases, with the bytes of operands and results in place of their positions in a file's pool.
local function read_cases()
  local cases = {}
  for _, name in ipairs {"special", "special_more", "special_noncentral", "special_orders"} do
    local golden = dofile("spec/golden/" .. name .. ".lua")
    for _, case in ipairs(golden.cases) do
      for _, list in ipairs {case.args, case.results} do
        for i, index in ipairs(list) do list[i] = bits.from_hex(golden.pool[index]) end
      end
      cases[#cases + 1] = case
    end
  end
  return cases
end

local all = read_cases()

--- The cases of a row.
local function cases_of(name)
  local cases = {}
  for _, case in ipairs(all) do
    if case.row == name then cases[#cases + 1] = case end
  end
  return cases
end

--- The dtype of operand i of a case: `dtype`, or what `dtypes` says.
local function dtype_of(case, i) return case.dtypes and case.dtypes[i] or case.dtype end

local function operands_of(case)
  local operands = {}
  for i, bytes in ipairs(case.args) do operands[i] = bits.array(bytes, dtype_of(case, i)) end
  return operands
end

--- Results of a case, or of its elements from number `first` on.
local function call(case, first)
  local operands = operands_of(case)
  if first then
    for i, x in ipairs(operands) do operands[i] = x[{{first, -1}}] end
  end
  return {cn.special[case.row](unpack(operands))}
end

local function describe(case)
  return function(i)
    local shown = {}
    for k, bytes in ipairs(case.args) do shown[k] = bits.show(bytes, dtype_of(case, k), i) end
    return table.concat(shown, ", ")
  end
end

local function check(case, findings)
  local results = call(case)
  assert(#results == #case.results, case.row .. ": number of results")
  for k, result in ipairs(results) do
    local why = bits.why_different(result:tobytes(), case.results[k], result.dtype, case.ulps, describe(case))
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
        for _, case in ipairs(all) do
          if case.family == family then
            call(case)
            call(case, 2)
          end
        end
      end)
    end)
    for _, row in ipairs(elementwise.special_rows()) do
      local cases = cases_of(row.name)
      if #cases < 2 then error("no oracle for " .. row.name, 0) end
      local own = {}
      for _, case in ipairs(cases) do own[#own + 1] = case.family == family and case or nil end
      if #own > 0 then
        busted.it(row.name .. " gives the values of mpmath and SciPy", function()
          local findings = {}
          for _, case in ipairs(own) do check(case, findings) end
          assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
        end)
      end
    end
  end)
end

return M
