--- cn.interpolate against SciPy's results: a group of cases in a spec file.
local cn = require "cuna"
local busted = require "busted"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"

local M = {cases = dofile "spec/golden/interpolate.lua"}

--- Arrays of a golden file, also in tables.
local function value(given, layout)
  if type(given) ~= "table" then return given end
  if given.shape and given.dtype then return golden.laid_out(golden.array(given), layout) end
  local list = {}
  for key, inner in pairs(given) do list[key] = value(inner, layout) end
  return list
end

--- The object of a case.
local function make(case, layout)
  local list = {}
  for k, given in ipairs(case.args) do list[k] = value(given, layout + k) end
  if next(case.options) then list[#list + 1] = value(case.options, layout) end
  return cn.interpolate[case.name](unpack(list))
end

local function check(case, number)
  local note = ("case %d: %s"):format(number, case.name)
  local f, at = make(case, number), value(case.at, number + 1)
  golden.same(case.result, f(at), note, case.tolerance)
  for nu, expected in ipairs(case.derivatives or {}) do
    golden.same(expected, f(at, nu), note .. ", derivative " .. nu, case.tolerance * 100)
    golden.same(expected, f:derivative(nu)(at), note .. ", derivative " .. nu, case.tolerance * 100)
  end
  if case.antiderivative then
    golden.same(case.antiderivative, f:antiderivative()(at), note .. ", antiderivative", case.tolerance * 10)
  end
  if case.limits then
    golden.same(case.integral, f:integrate(unpack(case.limits)), note .. ", integral", case.tolerance * 10)
  end
  if case.roots then golden.same(case.roots, f:roots(), note .. ", roots", 1e-9) end
end

--- Tests of a group's functions on every device.
function M.check_group(group)
  devices.each_device(function()
    local names, of = {}, {}
    for number, case in ipairs(M.cases) do
      if case.group == group then
        if not of[case.name] then names[#names + 1], of[case.name] = case.name, {} end
        table.insert(of[case.name], number)
      end
    end
    for _, name in ipairs(names) do
      busted.it(name .. " gives SciPy's results", golden.prepared(function()
        for _, number in ipairs(of[name]) do check(M.cases[number], number) end
      end))
    end
  end)
end

return M
