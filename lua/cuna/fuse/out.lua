--- out.lua: the arrays that a call of a fused function gives for its results.
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {}

local fail = check.fail

--- Rejects a table of outputs that is empty, or has keys other than 1..n.
local function check_keys(outs, name)
  for key in pairs(outs) do
    if type(key) ~= "number" or key < 1 or key % 1 ~= 0 then
      fail("%s: out is an array, or a table of them; it has the key '%s'", name, tostring(key))
    end
  end
  if next(outs) == nil then fail("%s: out: expected an array, got an empty table", name) end
end

local function check_arrays(outs, name)
  for i, array in pairs(outs) do
    if not core.is_array(array) then fail("%s: out: expected an array, got %s", name, type(array)) end
    for k, other in pairs(outs) do
      if k ~= i and core.is_array(other) and core.shares_memory(array, other) then
        fail("%s: two outputs share memory", name)
      end
    end
  end
end

--- The arrays to write to, by the number of the result.
local function read(name, out, nresults)
  local outs = core.is_array(out) and {out} or out
  if type(outs) ~= "table" then fail("%s: out: expected an array, got %s", name, type(outs)) end
  check_keys(outs, name)
  local count = table.maxn(outs)
  if count > nresults then
    fail("%s: out has %d array%s, and there %s %d result%s", name, count, count == 1 and "" or "s",
      nresults == 1 and "is" or "are", nresults, nresults == 1 and "" or "s")
  end
  check_arrays(outs, name)
  return outs
end

local function write(name, array, i, result)
  if core.is_array(result) then
    local shape = check.broadcast(array.shape, result.shape) or result.shape
    core.check_output(array, result.dtype, shape, result, name)
  elseif not core.number_kind(result) and type(result) ~= "boolean" then
    fail("%s: out: result %d: expected an array or a number, got %s", name, i, check.show(result))
  end
  array[core.ellipsis] = result
end

--- Writes a function's results to the arrays of its call's `out`, which take their places.
---@param name string of the function
---@param out cuna.Array|table|nil
---@param ... any the results
---@return any ...
function M.deliver(name, out, ...)
  if out == nil then return ... end
  local results, count = {...}, select("#", ...)
  for i, array in pairs(read(name, out, count)) do
    write(name, array, i, results[i])
    results[i] = array
  end
  return unpack(results, 1, count)
end

return M
