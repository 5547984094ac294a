--- check.lua: checks of arguments. Each raises a one-line error with the facts, at the user's line.
local args = require "cuna.base.args"
local core = require "cuna.core"

local M = {}

--- Raises "cuna: <text>" at the user's line. Line ends in the text are escaped, so that the message is one line.
function M.fail(format, ...) core.fail((format:format(...):gsub("\\?[\r\n]", "\\n"))) end

local fail = M.fail

--- A value as text for a message: numbers as they are, strings in quotes, other values by their type.
function M.show(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "number" or type(value) == "cdata" or value == nil then return tostring(value) end
  return "a " .. (core.is_array(value) and "cuna array" or type(value))
end

--- Rejects the namespace as an argument: cn:zeros(3) instead of cn.zeros(3).
function M.dot(value, name)
  args.check_dot(name, value)
end

--- An array that is written to or whose memory is used; numbers and tables are not converted.
function M.self(x, name)
  if core.is_alive(x) then return x end
  if core.is_array(x) then core.check_alive(x, name) end
  M.dot(x, name)
  fail("%s: expected an array, got %s", name, M.show(x))
end

--- Rejects an array that cannot be written to.
function M.writable(x, name)
  core.check_output(core.check_alive(x, name), nil, nil, nil, name)
  return x
end

--- The array of an operand: the operand itself, or an array made from a number or nested table on `device` (default:
--- the current one).
function M.array(x, name, device)
  if core.is_alive(x) then return x end
  if core.is_array(x) then core.check_alive(x, name) end
  if x == nil then fail("%s: expected an array, got nil", name) end
  M.dot(x, name)
  if type(x) == "string" then
    fail("%s: expected an array, a number or a nested table, got string", name)
  elseif type(x) == "boolean" then
    fail("%s: got a Lua boolean; write x:eq(y) or x:logical_not() for an array of bools", name)
  end
  return core.as_array(x, nil, device, name)
end

--- The same, on the device of the first array among other operands.
function M.beside(x, name, ...)
  if core.is_alive(x) then return x end
  return M.array(x, name, core.device_of(...))
end

--- Rejects an array that is not on its companion's device.
function M.same_device(companion, x, name)
  if core.same_device(companion, x, name) then return end
  local device = companion.device.name
  fail("%s: one array is on %s and another on %s; move one with x:to(%q)", name, device, x.device.name, device)
end

--- The dtype in which a result is written: that of `out`, or the result's own if there is no `out`. Rejects an `out`
--- that is not an array or cannot hold the result: it is on another device than x, read-only, of another shape, or of a
--- dtype to which the result does not cast. Arguments that are nil are not checked.
---@param out any
---@param dtype string|nil the result's
---@param shape integer[]|nil the result's
---@param x cuna.Array|nil
---@param name string
---@return string|nil
function M.output(out, dtype, shape, x, name)
  if out == nil then return dtype end
  if not core.is_array(out) then fail("%s: out: expected an array, got %s", name, M.show(out)) end
  core.check_output(out, dtype, shape, x, name)
  return out.dtype
end

--- The device of the first array of a list; nil if there is none. A freed array is rejected later, when it is used.
function M.device_of(list)
  for _, x in ipairs(list) do
    if core.is_alive(x) then return x.device end
  end
end

--- A dtype's name, or nil if none is given.
function M.dtype(dtype, name) return dtype and core.check_dtype(dtype, name) end

--- A list with keys exactly 1..n and at least one element.
function M.list(list, name, what)
  M.dot(list, name)
  if type(list) ~= "table" then fail("%s: expected a table of %s, got %s", name, what, M.show(list)) end
  local count = 0
  for key in pairs(list) do
    if type(key) ~= "number" then
      fail("%s: the table of %s has the key '%s'; write options apart, as in cn.%s({a, b}, {%s = ...})", name, what,
        tostring(key), name, tostring(key))
    elseif key == 0 then
      fail("%s: the table of %s has a key 0; positions count from 1", name, what)
    end
    count = count + 1
  end
  if count == 0 then fail("%s: the table of %s is empty", name, what) end
  for i = 1, count do
    if list[i] == nil then fail("%s: the table of %s has no element %d (nil)", name, what, i) end
  end
  return list
end

--- A list of any length, including 0, with keys exactly 1..n.
function M.whole(list, name, what)
  for key in pairs(list) do
    if type(key) ~= "number" then fail("%s: the table of %s has the key '%s'", name, what, tostring(key)) end
  end
  for i = 1, table.maxn(list) do
    if list[i] == nil then fail("%s: the table of %s has no element %d (nil)", name, what, i) end
  end
  return list
end

--- The numbers of a list as text of separate arguments; nil for other values.
function M.one_by_one(list)
  local texts = {}
  for i, value in ipairs(list) do
    if type(value) ~= "number" or i > 8 then return nil end
    texts[i] = tostring(value)
  end
  return texts[1] and table.concat(texts, ", ")
end

--- A description of a value in place of a number, for a message, with the conversion to a number if there is one.
function M.no_number(value)
  local numbers = type(value) == "table" and not getmetatable(value) and M.one_by_one(value)
  if core.is_alive(value) then
    return ("a cuna array of shape %s; write %s"):format(tostring(value.shape), value.size == 1
      and "x:item() for its number" or "x:totable() for its numbers")
  elseif type(value) == "string" and tonumber(value) then
    return ("%q; write it without quotes"):format(value)
  end
  return M.show(value) .. (numbers and "; write its numbers one by one: " .. numbers or "")
end

--- The number of a 0-d array, for which its device is waited; other values as they are.
function M.plain(value, name)
  if type(value) == "number" or not core.is_alive(value) or value.ndim > 0 then return value end
  core.check_waiting(name)
  return core.elements(value, name)[1]
end

--- A number, which is weak as Lua's numbers are; booleans are rejected.
function M.number(value, name, what)
  M.dot(value, name)
  if type(value) == "boolean" or not core.number_kind(value) then
    fail("%s: %s is a number, got %s", name, what, M.no_number(value))
  end
  return value
end

--- A real number, as Lua's.
function M.real(value, name, what)
  value = M.number(value, name, what)
  if core.number_kind(value) == "complex" then
    fail("%s: %s is a real number, got %s", name, what, tostring(value))
  end
  return tonumber(value)
end

--- A whole Lua number.
function M.integer(value, name, what)
  M.dot(value, name)
  if type(value) ~= "number" or value ~= math.floor(value) or math.abs(value) == math.huge then
    fail("%s: %s is a whole number, got %s", name, what, M.no_number(value))
  end
  return value
end

--- A whole number of at least 0.
function M.count(value, name, what)
  M.dot(value, name)
  if type(value) ~= "number" or value < 0 or value ~= math.floor(value) or value > 2 ^ 53 then
    fail("%s: %s is a count, got %s", name, what, M.no_number(value))
  end
  return value
end

--- A count that bounds the work of a call, up to `most`.
function M.few(value, most, name, what)
  value = M.count(value, name, what)
  if value > most then fail("%s: %s is at most %d, got %s", name, what, most, M.show(value)) end
  return value
end

--- Lengths given as a number or a list, as a list.
function M.lengths(shape, name, what)
  M.dot(shape, name)
  if type(shape) ~= "table" then return {M.count(shape, name, what)} end
  local list = {}
  for key in pairs(shape) do
    if type(key) ~= "number" then fail("%s: a shape is a list of lengths; it has the key '%s'", name, tostring(key)) end
  end
  for i = 1, table.maxn(shape) do list[i] = M.count(shape[i], name, what) end
  return list
end

--- The shape that two shapes broadcast to; nil if they do not broadcast.
function M.broadcast(a, b)
  local shape, count = {}, math.max(#a, #b)
  for i = 0, count - 1 do
    local mine, theirs = i < #a and a[#a - i] or 1, i < #b and b[#b - i] or 1
    if mine ~= theirs and mine ~= 1 and theirs ~= 1 then return nil end
    shape[count - i] = mine == 1 and theirs or mine
  end
  return shape
end

--- Raises an error unless x has at least 2 axes, all of one length.
function M.cube(x, name)
  local shape = x.shape
  for axis = 1, math.max(x.ndim, 2) do
    if shape[axis] ~= shape[1] or x.ndim < 2 then
      fail("%s: expected at least 2 axes, all of one length, got shape %s", name, tostring(shape))
    end
  end
end

--- A function or another callable value: a kernel, a fused function, a graph.
function M.callable(value, name)
  if type(value) == "function" then return value end
  local metatable = type(value) == "table" and debug.getmetatable(value)
  if not (metatable and metatable.__call) then
    M.dot(value, name)
    fail("%s: expected a function, got %s", name, M.show(value))
  end
  return value
end

--- A Lua boolean, or `default` if none is given.
function M.boolean(value, default, name, what)
  if value == nil then return default end
  if type(value) ~= "boolean" then fail("%s: %s is true or false, got %s", name, what, M.show(value)) end
  return value
end

return M
