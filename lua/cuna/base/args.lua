--- args.lua: reads arguments given by position or in a table of options, which comes last.
local core = require "cuna.core"

local M = {
  namespace = {}, -- the table `cuna`, set by init.lua
  namespaces = {}, -- it and its tables of functions: as first arguments they show a colon instead of a dot
}

local function fail(format, ...) core.fail(format:format(...)) end

--- Rejects a function's own table as its first argument: cn:zeros(3) instead of cn.zeros(3).
---@param operation string as in "zeros", "cuda.Event"
---@param first any
function M.check_dot(operation, first)
  local title = first ~= nil and M.namespaces[first]
  if title == "cuna" or title and ("cn." .. operation):find(title .. ".", 1, true) == 1 then
    fail("%s: a function of %s is called with a dot: cn.%s(...)", operation, title, operation)
  end
end

--- Rejects an option; the first `required` names cannot be options.
local function refuse_option(operation, option, names, required)
  local known = #names > required and "known are " .. table.concat(names, ", ", required + 1) or "there are none"
  fail("%s: unknown option '%s'; %s", operation, option, known)
end

--- Merges options, which are argument `count`, into the positional arguments before them.
local function merge(operation, names, required, count, options, ...)
  local values, place = {...}, {}
  values[count] = nil
  for i, name in ipairs(names) do place[name] = i end
  for name, value in pairs(options) do
    local i = place[name] or place[name:lower()] -- NumPy's UPLO
    if not i or i <= required then
      refuse_option(operation, name, names, required)
    elseif values[i] ~= nil then
      fail("%s: %s is given by position and by option", operation, name)
    end
    values[i] = value
  end
  return unpack(values, 1, #names)
end

--- Whether the last argument holds options; {} holds none.
local function is_options(last, operation)
  return type(last) == "table" and (next(last) == nil or core.is_options(last, operation))
end

--- Whether the last one of few arguments, after the first, holds options in place of arguments that are required: a
--- table with the name of one of them, or of an option, as in cn.pad(x, {pad_width = 1}).
local function names_required(last, row)
  local name = next(last)
  if type(name) ~= "string" or getmetatable(last) ~= nil then return false end -- a sparse matrix is a table, too
  for i = 2, #row do
    if row[i] == name then return core.is_options(last, row.operation) end
  end
  return false
end

--- A function that returns its arguments in the order of `names`, whether they were given by position or by name.
---@param operation string for messages
---@param names string[] the first `required` (default 1) ones may be tables; there a table is one of options only if it
--- has one of these names
---@param required integer|nil
---@param are_kept boolean|nil whether a required argument may be a table with names of the caller's
function M.reader(operation, names, required, are_kept)
  local row = {unpack(names)} -- a single upvalue: garbage collections mark every one
  row.operation, row.required, row.are_kept = operation, required or 1, are_kept
  return function(...)
    local count = select("#", ...)
    if type((...)) == "table" then M.check_dot(row.operation, (...)) end
    if count <= row.required then
      if count < 2 or row.are_kept then return ... end
      local last = select(count, ...)
      if type(last) ~= "table" or not names_required(last, row) then return ... end
      return merge(row.operation, row, count - 1, count, last, ...)
    end
    local last = select(count, ...)
    local has_options = is_options(last, row.operation)
    if count > #row + (has_options and 1 or 0) then
      fail("%s: takes at most %d arguments (%s), got %d", row.operation, #row, table.concat(row, ", "), count)
    end
    if has_options then return merge(row.operation, row, row.required, count, last, ...) end
    return ...
  end
end

--- Reads arguments if there are more than parameters.
local function read_beyond(name, parameters, ...)
  local names = {}
  for parameter in parameters:gmatch "%S+" do names[#names + 1] = parameter end
  return M.reader(name, names, #names)(...)
end

--- Makes functions without options reject surplus arguments.
---@param functions table<string, function> by name
---@param rows table<string, string> names of the parameters by name of the function
---@param space string|nil what is before the names in messages, such as "cuda.runtime."
function M.bound(functions, rows, space)
  for name, parameters in pairs(rows) do
    local fn, count = functions[name], select(2, parameters:gsub("%S+", ""))
    functions[name] = function(...)
      if select("#", ...) <= count then return fn(...) end
      return fn(read_beyond((space or "") .. name, parameters, ...))
    end
  end
end

--- A list of numbers, given as separate arguments, as a table, or as the option `option`; nil if there are none.
---@param operation string for messages
---@param option string
function M.list(operation, option, ...)
  local count, first = select("#", ...), (...)
  if count == 0 or (count == 1 and first == nil) then return nil end
  if count > 1 then return {...} end
  if type(first) ~= "table" or not core.is_options(first, operation) then return first end
  for name in pairs(first) do
    if name ~= option then fail("%s: unknown option '%s'; known is %s", operation, tostring(name), option) end
  end
  return first[option]
end

--- The keys of a table, sorted, for messages.
function M.names(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, ", ")
end

--- Rejects options that are not known.
function M.check_known(operation, options, known)
  for name in pairs(options) do
    if not known[name] then
      fail("%s: unknown option '%s'; known are %s", operation, tostring(name), M.names(known))
    end
  end
end

--- The arguments without a final table of options, and these options ({} if there are none).
function M.split(operation, known, ...)
  local count, values = select("#", ...), {...}
  local last = values[count]
  M.check_dot(operation, (...))
  if type(last) ~= "table" or not core.is_options(last, operation) then return values, count, {} end
  M.check_known(operation, last, known)
  values[count] = nil
  return values, count - 1, last
end

--- The options of a function that takes nothing else ({} if there are none); `example` is a table of options as text.
function M.options(operation, known, example, ...)
  local values, count, options = M.split(operation, known, ...)
  local first = values[1]
  if count > 1 or not (first == nil or type(first) == "table" and next(first) == nil) then
    fail("%s: takes a table of options such as %s, got %s", operation, example, type(first))
  end
  return options
end

return M
