--- code.lua: the Lua text of a function that serves the calls of a replay.
--
-- A call executes only this text: it reads the origins, compares them with what they were, and runs the replay, which
-- compares the arrays. If anything differs, the call continues with the next replay, K.next. The comparison allocates
-- nothing.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local home = require "cuna.base.home"

local M = {}

-- ---- functions that the text calls ----

local function count_keys(t)
  local count = 0
  for _ in pairs(t) do count = count + 1 end
  return count
end

local function same_boxed(a, b)
  return type(a) == "cdata" and core.number_kind(a) == core.number_kind(b) and tostring(a) == tostring(b)
end

local SCOPE = {count_keys = count_keys, same_boxed = same_boxed, getupvalue = debug.getupvalue,
  getmetatable = debug.getmetatable, default_dtype = dtype_rules.default_dtype, rawequal = rawequal, type = type,
  select = select}

local HEADER
do
  local names, values = {}, {}
  for name in pairs(SCOPE) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do values[i] = "S." .. name end
  HEADER = ("local S, K, replay = ... local %s = %s\n"):format(table.concat(names, ", "), table.concat(values, ", "))
end

-- ---- checks ----

local function is_simple(value)
  return value == value and math.abs(value) < math.huge and (value ~= 0 or 1 / value > 0)
end

--- The condition that a value is this number exactly.
local function check_number(reads, text, value)
  local same
  if value ~= value then
    same = ("%s ~= %s"):format(text, text)
  elseif value == 0 then
    same = ("%s == 0 and 1 / %s %s 0"):format(text, text, 1 / value > 0 and ">" or "<")
  else
    same = ("%s == %s"):format(text, is_simple(value) and ("%.17g"):format(value) or reads:hold(value))
  end
  return ("type(%s) == \"number\" and %s"):format(text, same)
end

local function check_constant(reads, text, value)
  local kind = type(value)
  if kind == "number" then return check_number(reads, text, value) end
  if kind == "cdata" then return ("same_boxed(%s, %s)"):format(text, reads:hold(value)) end
  local shown = (kind == "nil" or kind == "boolean") and tostring(value) or reads:hold(value)
  return ("rawequal(%s, %s)"):format(text, shown)
end

local function check_table(reads, origin)
  local metatable = debug.getmetatable(origin.value)
  return ("type(%s) == \"table\" and count_keys(%s) == %d and getmetatable(%s) == %s"):format(origin.text, origin.text,
    origin.count, origin.text, metatable and reads:hold(metatable) or "nil")
end

local function add_checks(lines, list, miss)
  if #list > 0 then lines[#lines + 1] = ("if not (%s) then %s end"):format(table.concat(list, " and "), miss) end
end

--- Adds the statements and checks of the origins. The check of a table comes directly after it, since its entries are
--- origins too; all others are combined.
local function add_origins(lines, reads, miss)
  local list = {("default_dtype() == %q"):format(dtype_rules.default_dtype())}
  for _, origin in ipairs(reads.origins) do
    lines[#lines + 1] = origin.statement
    if origin.kind == "table" then
      add_checks(lines, {check_table(reads, origin)}, miss)
    elseif origin.kind == "constant" then
      list[#list + 1] = "(" .. check_constant(reads, origin.text, origin.value) .. ")"
    end
  end
  add_checks(lines, list, miss)
end

-- ---- results ----

local CONSTANT = {["nil"] = true, boolean = true, string = true, number = true}

--- The texts of the function's results, and the arrays that a replay has to make; nil if it returned anything else.
---@param reads cuna.Reads
---@param results table
---@param count integer
---@return table|nil texts
---@return table|nil arrays
function M.describe(reads, results, count)
  local texts, arrays, known = {}, {}, {}
  for _, origin in ipairs(reads.origins) do
    if origin.kind == "array" then known[origin.value] = known[origin.value] or origin.text end
  end
  for i = 1, count do
    local value = results[i]
    if core.is_array(value) then
      if not known[value] then
        arrays[#arrays + 1] = value
        known[value] = "r" .. #arrays
      end
      texts[i] = known[value]
    elseif CONSTANT[type(value)] or core.number_kind(value) then
      texts[i] = value == nil and "nil" or reads:hold(value)
    else
      return nil
    end
  end
  return texts, arrays
end

-- ---- text ----

local function list_text(list) return table.concat(list, ", ") end

local function names_of(letter, count, first)
  local names = {first}
  for i = 1, count do names[#names + 1] = letter .. i end
  return names
end

--- The head of the function, and the text of its arguments. A closure with a fixed number of parameters may get one
--- value more: {out = ...}.
local function head_of(state, count)
  if state.is_vararg then
    local text = ("return function(_, ...)\nif select(\"#\", ...) ~= %d then return K.next(_, ...) end\n"):format(count)
    if count > 0 then text = text .. ("local %s = ...\n"):format(list_text(names_of("a", count))) end
    return text, "_, ..."
  end
  local names = names_of("a", state.nparams + 1, "_")
  local arguments = list_text(names)
  local text = ("return function(%s)\n"):format(arguments)
  if count == state.nparams then
    text = text .. ("if %s ~= nil then return K.next(%s) end\n"):format(names[#names], arguments)
  end
  return text, arguments
end

local function text_of(state, reads, count, texts, nresults)
  local head, arguments = head_of(state, count)
  local lines, arrays = {}, {}
  local miss = ("return K.next(%s)"):format(arguments)
  add_origins(lines, reads, miss)
  for _, origin in ipairs(reads.origins) do
    if origin.kind == "array" then arrays[#arrays + 1] = origin.text end
  end
  lines[#lines + 1] = ("local %s = replay(%s)"):format(list_text(names_of("r", nresults, "ok")), list_text(arrays))
  lines[#lines + 1] = ("if not ok then %s end"):format(miss)
  lines[#lines + 1] = "K.is_used = true"
  lines[#lines + 1] = "return " .. list_text(texts)
  return HEADER .. head .. table.concat(lines, "\n") .. "\nend\n"
end

local chunks = setmetatable({}, {__mode = "v"})
local PLACE = home.source .. "fused" -- errors are not reported at lines of the text

--- Compiles the function that serves a replay's calls, and then sets K.is_used. The caller sets K.next, which receives
--- all other calls.
---@param state table of the fused function
---@param reads cuna.Reads
---@param count integer arguments of the call
---@param replay function
---@param texts string[] of the results
---@param nresults integer arrays that the replay makes
---@return function|nil fn nil if there is too much for one function of Lua
---@return table|nil K the values that its text refers to
function M.compile(state, reads, count, replay, texts, nresults)
  local text = text_of(state, reads, count, texts, nresults)
  local chunk = chunks[text] or loadstring(text, PLACE)
  if not chunk then return nil end
  chunks[text] = chunk
  return chunk(SCOPE, reads.held, replay), reads.held
end

return M
