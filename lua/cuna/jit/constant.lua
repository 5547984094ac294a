--- constant.lua: values that functions translated to kernels capture: upvalues, globals and fields of their tables.
--
-- They are constants of a kernel, with the values that they have during translation. Those that affect the translation
-- are recorded with the path to them, so that a call can check whether they have changed.
local core = require "cuna.core"
local types = require "cuna.jit.types"

local M = {
  dims = {}, -- threadIdx and similar tables: functions that read their fields, by table
  namespaces = {}, -- tables that never change
}

--- Raises a problem, at the line of a node.
function M.fail(inst, node, format, ...)
  error({file = inst.source.file, line = node.line, message = format:format(...)}, 0)
end
local fail = M.fail

local function upvalue_of(fn, name)
  for k = 1, 60 do
    local found, value = debug.getupvalue(fn, k)
    if not found then return nil end
    if found == name then return k, value end
  end
end

--- The value at the end of a path: {fn, upvalue = number or global = name, keys}.
function M.walk(way)
  local value
  if way.upvalue then
    value = select(2, debug.getupvalue(way.fn, way.upvalue))
  else
    value = getfenv(way.fn)[way.global]
  end
  for k = 1, #way do value = value[way[k]] end
  return value
end

local function way_text(way) return way.name .. (way[1] and "." .. table.concat(way, ".") or "") end

--- Records that the translation depends on a constant.
local function note(inst, way, value)
  if not M.namespaces[way.root] then
    local captures = inst.ctx.captures
    captures[#captures + 1] = {way = way, value = value}
  end
end

--- A constant as a value of the translator.
local function constant(inst, node, value, way)
  local kind = type(value)
  if kind == "table" and not M.dims[value] then return {const = value, way = way} end
  note(inst, way, value)
  if kind == "number" then return types.number(value) end
  if kind == "boolean" then return types.boolean(value) end
  if kind == "function" or kind == "string" or kind == "table" then return {const = value, way = way} end
  if core.is_array(value) then
    fail(inst, node, "'%s' is an array from outside; pass it as an argument", way_text(way))
  elseif value == nil then
    fail(inst, node, "'%s' is nil where the kernel is translated", way_text(way))
  end
  fail(inst, node, "'%s' is a %s, which a kernel cannot use", way_text(way), kind)
end

--- The value of a name that is not a variable of the kernel: an upvalue or a global.
function M.free_name(inst, node)
  local fn = inst.source.fn
  local upvalue, value = upvalue_of(fn, node.name)
  local way = {fn = fn, upvalue = upvalue, name = node.name}
  if not upvalue then
    way.global = node.name
    local ok, found = pcall(M.walk, way)
    if not ok or found == nil then fail(inst, node, "'%s' is not a variable, upvalue or global", node.name) end
    value = found
  end
  way.root = value
  return constant(inst, node, value, way)
end

--- A field of a constant table.
function M.field(inst, node, v, key)
  local way = {fn = v.way.fn, upvalue = v.way.upvalue, global = v.way.global, name = v.way.name, root = v.way.root}
  for k = 1, #v.way do way[k] = v.way[k] end
  way[#way + 1] = key
  local ok, value = pcall(function() return v.const[key] end)
  if not ok then
    fail(inst, node, "%s", (tostring(value):gsub("^[^\n]-:%d+: ", ""):gsub("^cuna: ", "")))
  elseif value == nil then
    fail(inst, node, "'%s' is nil", way_text(way))
  end
  return constant(inst, node, value, way)
end

return M
