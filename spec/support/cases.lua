--- Functions against SciPy's results: groups of the cases of a golden file that spec/golden/cases.py wrote.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"

local M = {}

--- An array of the pool; bools are written as text.
local function described(written, number)
  local array = written.pool[number]
  if type(array.values) == "string" then
    local values = {}
    for bit in array.values:gmatch "." do values[#values + 1] = bit == "1" end
    array.values = values
  end
  return array
end

local function value(written, given, layout)
  if type(given) == "table" and given.re then return cn.complex(given.re, given.im) end
  if type(given) ~= "table" or not given.array then return given end
  return golden.laid_out(golden.array(described(written, given.array)), layout)
end

--- The function of a name such as "windows.hann" in a namespace.
local function find(namespace, name)
  for part in name:gmatch "[^.]+" do namespace = namespace[part] end
  return namespace
end

--- Results in a list; of a table with names, its values in the order of the names.
local function listed(...)
  local list = {}
  for k = 1, select("#", ...) do
    local result = (select(k, ...))
    local names = {}
    for name in pairs(type(result) == "table" and not cn.is_array(result) and result or {}) do
      if type(name) == "string" then names[#names + 1] = name end
    end
    table.sort(names)
    for _, name in ipairs(names) do list[#list + 1] = result[name] end
    if not (type(result) == "table" and not cn.is_array(result)) or result[1] ~= nil then list[#list + 1] = result end
  end
  return list
end

--- Results of a case; its images have a layout, by number.
local function call(written, case, layout)
  local list, options = {}, {}
  for k, given in ipairs(case.args) do list[k] = value(written, given, layout) end
  for key, given in pairs(case.options) do options[key] = value(written, given, layout) end
  list[#list + 1] = next(options) and options or nil
  return listed(find(written.namespace(), case.name)(unpack(list)))
end

local function note_of(written, case, k)
  local options = {}
  for key, given in pairs(case.options) do options[#options + 1] = key .. " " .. tostring(given) end
  table.sort(options)
  local first = case.args[1]
  return ("case %d: %s of %s, %s"):format(k, case.name, type(first) == "table" and first.array and
    described(written, first.array).dtype or tostring(first), table.concat(options, ", "))
end

local function check(written, number)
  local case = written.cases[number]
  local results = call(written, case, number)
  assert(#results == #case.results, note_of(written, case, number) .. ": number of results")
  for k, result in ipairs(results) do
    local expected = described(written, case.results[k])
    if not cn.is_array(result) then result = cn.array(result, expected.dtype) end
    golden.same(expected, result, note_of(written, case, number), case.tolerance)
  end
end

--- The cases of a golden file.
---@param path string
---@param namespace fun(): table what has the functions
function M.read(path, namespace)
  local written = dofile(path)
  written.namespace = namespace
  return written
end

--- Tests of a group's functions on every device.
function M.check_group(written, group)
  devices.each_device(function()
    local names, cases = {}, {}
    for number, case in ipairs(written.cases) do
      if case.group == group then
        if not cases[case.name] then names[#names + 1], cases[case.name] = case.name, {} end
        table.insert(cases[case.name], number)
      end
    end
    local it = devices.rehearsed_it(cn.prepare) -- none of these programs has loops that were built with cuna
    for _, name in ipairs(names) do
      it(name .. " gives SciPy's results", function()
        for _, number in ipairs(cases[name]) do check(written, number) end
      end)
    end
  end)
end

return M
