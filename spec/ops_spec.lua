--- Every row of the operation table against its golden values: dtypes, values, methods, in-place forms and aliases.
local cn = require "cuna"
local core = require "cuna.core"
local bits = require "spec.support.bits"
local devices = require "spec.support.devices"
local golden = dofile("spec/golden/ops.lua")
local rows = require "cuna.ops"

local KIND = {}
for _, dtype in ipairs(core.dtypes) do KIND[dtype.name] = dtype.kind end

-- Loops that every row must have golden values for, where it has them at all.
local REPRESENTATIVE = {
  "bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128",
}

local bytes_of = setmetatable({}, {__index = function(known, index)
  known[index] = bits.from_hex(golden.pool[index])
  return known[index]
end})

local cases_of = {} -- their numbers, by row and loop
for number, case in ipairs(golden.cases) do
  cases_of[case.row] = cases_of[case.row] or {}
  cases_of[case.row][case.loop] = number
end

--- The numbers of the cases of a row; it is an error when a loop has none.
local function cases_for(row)
  local cases = cases_of[row.name]
  if not cases then error("no oracle for " .. row.name, 0) end
  for _, dtype in ipairs(REPRESENTATIVE) do
    local has = row.kinds:find(KIND[dtype], 1, true)
    if row.rule == "double" then has = dtype == "float64" or dtype == "complex128" end
    if has and not cases[dtype] then error(("no oracle for %s of %s"):format(row.name, dtype), 0) end
  end
  return cases
end

local function operands_of(case)
  local operands = {}
  for i, arg in ipairs(case.args) do operands[i] = bits.array(bytes_of[arg[2]], arg[1]) end
  return operands
end

--- Results of a case, or of its elements from number `first` on.
local function call(case, first)
  local operands = operands_of(case)
  if first then
    for i, x in ipairs(operands) do operands[i] = x[{{first, -1}}] end
  end
  return {cn[case.row](unpack(operands))}
end

local function describe(case)
  return function(i)
    local shown = {}
    for k, arg in ipairs(case.args) do shown[k] = bits.show(bytes_of[arg[2]], arg[1], i) end
    return table.concat(shown, ", ")
  end
end

--- What is wrong with one result of a case, if anything.
local function why_wrong(case, index, result)
  local expected = case.results[index]
  local dtype, tolerance = expected[1], expected[3]
  if result.dtype ~= dtype then return ("result %d is %s, expected %s"):format(index, result.dtype, dtype) end
  return bits.why_different(result:tobytes(), bytes_of[expected[2]], dtype, tolerance, describe(case))
end

--- Whether the elements of a case are also computed at other positions: of one in four where each view is a kernel.
local function is_moved(number) return core.is_host(cn.device()) or number % 4 == 0 end

local function check(number, findings)
  local case = golden.cases[number]
  local results = call(case)
  for index in ipairs(case.results) do
    local message = why_wrong(case, index, results[index])
    if message then findings[#findings + 1] = ("%s of %s: %s"):format(case.row, case.loop, message) end
  end
  if not is_moved(number) then return end
  for index, rest in ipairs(call(case, 2)) do
    if rest:tobytes() ~= results[index]["2:"]:tobytes() then
      findings[#findings + 1] = ("%s of %s: the bits depend on the position"):format(case.row, case.loop)
    end
  end
end

local function report(findings)
  assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
end

--- Whether a case runs in a kernel that was compiled for it: each on a GPU; half of them where the others run on loops.
local function is_compiled(number) return not core.is_host(cn.device()) or number % 2 == 0 end

devices.each_device(function()
  setup(function()
    cn.prepare(function()
      for number, case in ipairs(golden.cases) do
        if is_compiled(number) then call(case) end
        if is_compiled(number) and is_moved(number) then call(case, 2) end -- unaligned views need other variants
      end
    end)
  end)

  for _, row in ipairs(rows) do
    it(row.name .. " gives NumPy's values", function()
      local findings = {}
      for _, number in pairs(cases_for(row)) do check(number, findings) end
      table.sort(findings)
      report(findings)
    end)
  end
end)
