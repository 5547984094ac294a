--- Text of arrays, identical to NumPy's.
--
-- An array is passed as a view { dtype, shape, ndim, size, corner }, so that this file does not depend on the array
-- class. view:corner(edge) is called at most once, with nil for all elements or with a number of edge items; it returns
-- a flat row-major table of elements and its shape, in which every axis longer than 2 * edge keeps only its first and
-- last `edge` positions. Elements are Lua numbers, booleans, or cdata: int64_t, uint64_t, complex.
--
-- Printing has two steps: all elements become words of one width (which depends on all shown elements), then the words
-- are laid out in brackets and lines. The rules are those of NumPy's core/arrayprint.py.

local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local print_digits = require "cuna.io.print_digits"

local columns = print_digits.columns

local M = {}

local PARTS = dtype_facts.part_of
local FLOATS = { float16 = true, bfloat16 = true, float32 = true, float64 = true }

-- NumPy leaves these out of a repr because the printed values already imply them.
local IMPLIED = { bool = true, int64 = true, float64 = true, complex128 = true }

local function one_of(...)
  local allowed = {}
  for _, value in ipairs({ ... }) do allowed[value] = true end
  return function(value) return allowed[value] end
end

local function is_count(value)
  return type(value) == "number" and value >= 0 and value < math.huge and value % 1 == 0
end

local function is_number(value) return type(value) == "number" and value == value end
local function is_string(value) return type(value) == "string" end
local function is_boolean(value) return type(value) == "boolean" end

-- One row per option: its initial value, the check of a new one, and that check in words.
local OPTIONS = {
  edgeitems = { 3, is_count, "an integer >= 0" },
  floatmode = { "maxprec", one_of("fixed", "unique", "maxprec", "maxprec_equal"),
    "'fixed', 'unique', 'maxprec' or 'maxprec_equal'" },
  infstr = { "inf", is_string, "a string" },
  linewidth = { 75, is_number, "a number" },
  nanstr = { "nan", is_string, "a string" },
  precision = { 8, is_count, "an integer >= 0" },
  sign = { "-", one_of("-", "+", " "), "'-', '+' or ' '" },
  suppress = { false, is_boolean, "a boolean" },
  threshold = { 1000, is_number, "a number (math.huge prints all elements)" },
  prefix = { "", is_string, "a string" },
  separator = { " ", is_string, "a string" },
  suffix = { "", is_string, "a string" },
}

-- The options of each function: its names for options -> the options.
local SETTINGS = {}
for _, name in ipairs({ "edgeitems", "floatmode", "infstr", "linewidth", "nanstr", "precision", "sign", "suppress",
  "threshold" }) do
  SETTINGS[name] = name
end

local SCALED = { max_line_width = "linewidth", precision = "precision", suppress_small = "suppress" }

local ARGUMENTS = {
  max_line_width = "linewidth", precision = "precision", suppress_small = "suppress", edgeitems = "edgeitems",
  floatmode = "floatmode", prefix = "prefix", separator = "separator", sign = "sign", suffix = "suffix",
  threshold = "threshold",
}

local current = {}
for name in pairs(SETTINGS) do current[name] = OPTIONS[name][1] end

local function known_names(names)
  local list = {}
  for name in pairs(names) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, ", ")
end

local function shown(value)
  if core.is_array(value) then return "a cuna array" end
  return type(value) == "string" and ("'%s'"):format(value) or tostring(value)
end

-- A copy of `base` with checked changes; `names` maps the names that a caller may use to options.
local function with_changes(base, changes, names, caller)
  if changes ~= nil and type(changes) ~= "table" then
    core.fail(("%s: options must be a table, got %s"):format(caller, shown(changes)))
  end
  local merged = {}
  for name, value in pairs(base) do merged[name] = value end
  for name, value in pairs(changes or {}) do
    local option = names[name]
    if not option then
      core.fail(("%s: unknown option %s; known: %s"):format(caller, shown(name), known_names(names)))
    elseif not OPTIONS[option][2](value) then
      core.fail(("%s: option %s must be %s, got %s"):format(caller, name, OPTIONS[option][3], shown(value)))
    end
    merged[option] = value
  end
  return merged
end

--- array.lua has the documentation of this function, and of the options.
function M.set_printoptions(options)
  if options == nil then core.fail("set_printoptions: a table of options is missing, as {precision = 3}") end
  current = with_changes(current, options, SETTINGS, "set_printoptions")
end

---The current print options, as a new table. Follows numpy.get_printoptions.
---
---    local digits = cn.get_printoptions().precision
---@return table
function M.get_printoptions()
  return with_changes(current, nil, SETTINGS, "get_printoptions")
end

---Calls fn(...) with changed print options and returns its results. The previous options are restored afterwards, after
---an error too. While a coroutine that yields from fn is suspended, the previous options apply. Follows
---numpy.printoptions.
---
---    cn.printoptions({precision = 2}, function() print(cn.array{1 / 3}) end)
---@param options table
---@param fn function
---@return any ...
function M.printoptions(options, fn, ...)
  if type(fn) ~= "function" then
    core.fail(("printoptions: a function to run is missing, got %s"):format(shown(fn)))
  end
  local inner, outer = with_changes(current, options, SETTINGS, "printoptions"), nil
  local thread = coroutine.create(fn)
  local enter

  local function leave(ok, ...)
    inner, current = current, outer
    if not ok then error((...), 0) end
    if coroutine.status(thread) == "dead" then return ... end
    return enter(coroutine.yield(...))
  end

  function enter(...)
    outer, current = current, inner
    return leave(coroutine.resume(thread, ...))
  end

  return enter(...)
end

local function rstrip(text)
  return (text:gsub("%s+$", ""))
end

-- Words of complex numbers: two columns, the second always signed and with "j" before its trailing spaces.
local function complex_words(values, kind, options)
  local reals, imaginaries = {}, {}
  for i, z in ipairs(values) do
    reals[i], imaginaries[i] = z.re, z.im
  end
  local signed = setmetatable({ sign = "+" }, { __index = options })
  reals, imaginaries = print_digits.words(reals, kind, options), print_digits.words(imaginaries, kind, signed)
  local words = {}
  for i, word in ipairs(imaginaries) do
    words[i] = reals[i] .. word:gsub("%s*$", "j%0", 1)
  end
  return words
end

local function integer_text(value)
  if type(value) == "number" then return ("%d"):format(value) end
  return (tostring(value):gsub("U?LL$", ""))
end

local function integer_words(values)
  local words, width = {}, 0
  for i, value in ipairs(values) do
    words[i] = integer_text(value)
    width = math.max(width, #words[i])
  end
  for i, word in ipairs(words) do words[i] = (" "):rep(width - #word) .. word end
  return words
end

local function boolean_words(values, ndim)
  local words = {}
  for i, value in ipairs(values) do
    words[i] = value and (ndim > 0 and " True" or "True") or "False"
  end
  return words
end

local function element_words(values, view, options)
  if view.dtype == "bool" then return boolean_words(values, view.ndim) end
  if FLOATS[view.dtype] then return print_digits.words(values, view.dtype, options) end
  if PARTS[view.dtype] then return complex_words(values, PARTS[view.dtype], options) end
  return integer_words(values)
end

-- Layout. A `page` holds words, shape (of the words), full (shape of the array), edge (nil: all positions are shown)
-- and separator.

-- One line per `limit` columns; a word is moved to a new line only if that helps.
local function wrap(words, indent, limit, separator)
  local lines, pieces, length = {}, {}, #indent
  for i, word in ipairs(words) do
    local width = columns(word)
    if length + width > limit and length > #indent then
      lines[#lines + 1] = rstrip(table.concat(pieces))
      pieces, length = { indent }, #indent
    end
    pieces[#pieces + 1] = word
    if i < #words then pieces[#pieces + 1] = separator end
    length = length + width + #separator
  end
  lines[#lines + 1] = table.concat(pieces)
  return table.concat(lines, "\n")
end

-- Calls visit(position) for each shown position of an axis (from 0), and visit(nil) for the omitted ones. NumPy shows
-- one last item even with edgeitems = 0.
local function each_shown(page, axis, visit)
  local extent = page.shape[axis]
  if not page.edge or page.full[axis] <= 2 * page.edge then
    for position = 0, extent - 1 do visit(position) end
    return
  end
  for position = 0, page.edge - 1 do visit(position) end
  visit(nil)
  for position = extent - math.max(page.edge, 1), extent - 1 do visit(position) end
end

local function lay_out(page, axis, index, indent, width)
  local ndim = #page.shape
  if ndim == 0 then return page.words[1] end
  local parts, separator = {}, rstrip(page.separator)
  each_shown(page, axis, function(position)
    local at = position and index * page.shape[axis] + position
    if not at then
      parts[#parts + 1] = "..."
    elseif axis == ndim then
      parts[#parts + 1] = page.words[at + 1]
    else
      parts[#parts + 1] = lay_out(page, axis + 1, at, indent .. " ", width - 1)
    end
  end)
  if axis == ndim then
    return "[" .. wrap(parts, indent, width - math.max(#separator, 1), page.separator) .. "]"
  end
  return "[" .. table.concat(parts, separator .. ("\n"):rep(ndim - axis) .. indent) .. "]"
end

-- Options here are complete: the print options with separator, prefix and suffix.
local function array_text(view, options)
  if view.size == 0 then return "[]" end
  local edge = view.size > options.threshold and options.edgeitems or nil
  -- Python's [-0:] is everything, so with edgeitems = 0 NumPy takes the width from all elements.
  local values, shape = view:corner(edge ~= 0 and edge or nil)
  local page = {
    words = element_words(values, view, options), shape = shape, full = view.shape, edge = edge,
    separator = options.separator,
  }
  return lay_out(page, 1, 0, " " .. (" "):rep(columns(options.prefix)), options.linewidth - columns(options.suffix))
end

local function with_frame(options, separator, prefix, suffix)
  options.separator, options.prefix, options.suffix = separator, prefix, suffix
  return options
end

---Text of an array's elements; a 0-d array is formatted like an element of an array. Follows numpy.array2string.
---
---    cn.array2string(cn.array{1 / 3, 1}, {precision = 2, separator = ", "})  --> [0.33, 1.  ]
---@param view table
---@param options table?  max_line_width precision suppress_small separator prefix suffix threshold edgeitems sign
---                        floatmode
---@return string
function M.array2string(view, options)
  local base = with_frame(M.get_printoptions(), " ", "", "")
  return array_text(view, with_changes(base, options, ARGUMENTS, "array2string"))
end

-- Single elements: all their digits, independent of the options.

local function scalar_complex(z, kind)
  local imaginary = print_digits.scalar(z.im, kind, "", "")
  if z.re == 0 and not print_digits.is_negative(z.re) then return imaginary .. "j" end
  return "(" .. print_digits.scalar(z.re, kind, "", "") .. print_digits.scalar(z.im, kind, "", "+") .. "j)"
end

local function scalar_text(value, dtype)
  if dtype == "bool" then return value and "True" or "False" end
  if FLOATS[dtype] then return print_digits.scalar(value, dtype, ".0", "") end
  if PARTS[dtype] then return scalar_complex(value, PARTS[dtype]) end
  return integer_text(value)
end

---The result of tostring(x): the elements, or the element of a 0-d array with all its digits. Follows numpy.array_str.
---
---    cn.array_str(cn.array{1, 2, 3})  --> [1. 2. 3.]
---@param view table
---@param options table?  max_line_width precision suppress_small
---@return string
function M.str(view, options)
  local base = with_frame(M.get_printoptions(), " ", "", "")
  local complete = with_changes(base, options, SCALED, "array_str")
  if view.ndim == 0 then return scalar_text(view:corner()[1], view.dtype) end
  return array_text(view, complete)
end

---The elements inside "array(...)", with the dtype if the values do not imply it. Follows numpy.array_repr.
---
---    cn.array_repr(cn.array({1, 2}, "float32"))  --> array([1., 2.], dtype=float32)
---@param view table
---@param options table?  max_line_width precision suppress_small
---@return string
function M.repr(view, options)
  local implied = IMPLIED[view.dtype] and view.size > 0
  local suffix = implied and ")" or ","
  local base = with_frame(M.get_printoptions(), ", ", "array(", suffix)
  local complete = with_changes(base, options, SCALED, "array_repr")
  local text = "array(" .. array_text(view, complete)
  if view.size == 0 and view.ndim > 1 then
    text = text .. ", shape=(" .. table.concat(view.shape, ", ") .. ")"
  end
  text = text .. suffix
  if implied then return text end
  local dtype = "dtype=" .. view.dtype .. ")"
  local last_line = text:match("[^\n]*$")
  local fits = columns(last_line) + #dtype + 1 <= complete.linewidth
  return text .. (fits and " " or "\n      ") .. dtype
end

return M
