--- Tables of numbers as delimited text: loadtxt and savetxt, after NumPy's functions of these names.
--
-- Options are checked and completed here; reading and writing are core.text_load and core.text_save.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local new_file = require "cuna.io.new_file"

local M = {}

local function fail(operation, format, ...)
  core.fail(operation .. ": " .. format:format(...))
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- Rejects options that are not in `known`.
local function check_names(operation, options, known)
  for key in pairs(options) do
    if known[key] == nil then
      fail(operation, "unknown option %s (there are %s)", tostring(key), table.concat(sorted_keys(known), ", "))
    end
  end
end

--- Adds an argument given by position to the table of options; the table may also be given in its place.
local function join_options(operation, name, value, options)
  if type(value) == "table" and options == nil then value, options = nil, value end
  if options ~= nil and type(options) ~= "table" then
    fail(operation, "options: expected a table, got a %s", type(options))
  end
  local joined = {}
  for key, given in pairs(options or {}) do joined[key] = given end
  if value ~= nil then
    if joined[name] ~= nil then fail(operation, "%s is given twice, by position and as an option", name) end
    joined[name] = value
  end
  return joined
end

local function is_whole(value)
  return type(value) == "number" and value == math.floor(value) and math.abs(value) <= 2 ^ 53
end

local function check_count(operation, name, value, last)
  if not is_whole(value) or value < 0 or value > (last or value) then
    fail(operation, "%s: expected %s, got %s", name, last and "0 to " .. last or "a whole number from 0 on",
      tostring(value))
  end
  return value
end

local function check_flag(operation, name, value)
  if value ~= nil and type(value) ~= "boolean" then
    fail(operation, "%s: expected true or false, got a %s", name, type(value))
  end
  return value
end

local function check_string(operation, name, value)
  if type(value) ~= "string" then fail(operation, "%s: expected a string, got a %s", name, type(value)) end
  if value:find("\0", 1, true) then fail(operation, "%s: the text cannot contain NUL bytes", name) end
  return value
end

--- Checks a position, which counts from 1, or from the end if negative.
local function check_position(name, value)
  if not is_whole(value) then fail("loadtxt", "%s: expected a column number, got %s", name, tostring(value)) end
  if value == 0 then fail("loadtxt", "%s: there is no column 0; columns count from 1", name) end
  return value
end

--- A list with keys exactly 1..n, each entry passed through `check(entry)`; a single entry is a list of one.
local function check_list(name, value, check)
  if type(value) ~= "table" then return { check(value) } end
  local list = {}
  for i = 1, #value do list[i] = check(value[i]) end
  for key in pairs(value) do
    if list[key] == nil then fail("loadtxt", "%s: expected a list, got the key %s", name, tostring(key)) end
  end
  return list
end

-- Characters

local function check_delimiter(value)
  if value == nil then return "" end
  check_string("loadtxt", "delimiter", value)
  if #value ~= 1 or value:find "[\r\n]" then
    fail("loadtxt", "delimiter: expected one character, got '%s' (nil stands for any run of blanks)", value)
  end
  return value
end

local function check_quotechar(value, delimiter)
  if value == nil then return delimiter == '"' and "" or '"' end
  if value == false or value == "" then return "" end
  check_string("loadtxt", "quotechar", value)
  if #value ~= 1 or value:find "%s" or value == delimiter then
    fail("loadtxt", "quotechar: expected one character other than a blank and the delimiter, got '%s'", value)
  end
  return value
end

local function check_comments(value, delimiter, quotechar)
  if value == nil then value = delimiter == "#" and {} or "#" end
  if value == false then value = {} end
  return check_list("comments", value, function(mark)
    check_string("loadtxt", "comments", mark)
    local first = mark:sub(1, 1)
    if first == "" or first:find "%s" or first == delimiter or first == quotechar then
      fail("loadtxt", "comments: '%s' begins with nothing, a blank, the delimiter or the quote", mark)
    end
    return mark
  end)
end

-- Converters

local function check_words(words, position)
  for word, number in pairs(words) do
    local kind = type(number)
    if type(word) ~= "string" then
      fail("loadtxt", "converters[%s]: the key %s is not a string (keys are texts of fields)", position, tostring(word))
    end
    if kind ~= "number" and kind ~= "boolean" and kind ~= "cdata" then
      fail("loadtxt", "converters[%s]: '%s' is mapped to a %s instead of a number", position, word, kind)
    end
  end
end

--- Returns the positions of converters, and the converters in the same order. Position 0 means every column.
local function check_converters(value)
  local positions, list = {}, {}
  if value == nil then return positions, list end
  if type(value) == "function" then return { 0 }, { value } end
  if type(value) ~= "table" then fail("loadtxt", "converters: expected a table, got a %s", type(value)) end
  for position, converter in pairs(value) do
    local kind = type(converter)
    if type(position) ~= "number" then
      fail("loadtxt", "converters: the key %s names no column; write converters = {[5] = {%s = ...}}",
        tostring(position), tostring(position))
    end
    check_position("converters", position)
    if kind == "table" then
      check_words(converter, position)
    elseif kind ~= "function" then
      fail("loadtxt", "converters[%s]: expected a table of numbers or a function, got a %s", position, kind)
    end
    positions[#positions + 1], list[#list + 1] = position, converter
  end
  return positions, list
end

-- Loading

local LOAD_OPTIONS = {
  dtype = true, delimiter = true, comments = true, quotechar = true, skiprows = true, max_rows = true, usecols = true,
  missing = true, converters = true, names = true, unpack = true, ndmin = true,
}

--- Distinguishes a path from {text = s}: returns the text source, and its name for messages.
local function check_source(source)
  if type(source) == "string" then return check_string("loadtxt", "path", source), source end
  local key = type(source) == "table" and next(source)
  if key ~= "text" or next(source, key) ~= nil or type(source.text) ~= "string" then
    fail("loadtxt", "expected a path or {text = \"...\"}, got %s",
      type(source) == "table" and "another table" or "a " .. type(source))
  end
  return source.text, "text"
end

local function check_usecols(value)
  if value == nil then return nil end
  local list = check_list("usecols", value, function(entry) return check_position("usecols", entry) end)
  if #list == 0 then fail("loadtxt", "usecols: the list is empty (leave it out for all columns)") end
  return list
end

local function complete_load_options(options)
  local known = {
    delimiter = check_delimiter(options.delimiter),
    dtype = options.dtype or dtype_rules.default_dtype(),
    max_rows = options.max_rows and check_count("loadtxt", "max_rows", options.max_rows) or -1,
    missing = options.missing,
    names = check_flag("loadtxt", "names", options.names),
    ndmin = check_count("loadtxt", "ndmin", options.ndmin or 0, 2),
    skiprows = check_count("loadtxt", "skiprows", options.skiprows or 0),
    unpack = check_flag("loadtxt", "unpack", options.unpack),
    usecols = check_usecols(options.usecols),
  }
  known.quotechar = check_quotechar(options.quotechar, known.delimiter)
  known.comments = check_comments(options.comments, known.delimiter, known.quotechar)
  known.converted, known.converters = check_converters(options.converters)
  return known
end

--- The options of cn.loadtxt. Columns count from 1; lines end in LF, CRLF or CR.
---@class cuna.LoadtxtOptions
---@field dtype string|nil default: the default float; bool reads 0, 1, true and false, complex dtypes 1+2j and (1+2j)
---@field delimiter string|nil one character; default: any run of blanks
---@field comments string|string[]|false|nil what begins a comment, default "#"; false: nothing does
---@field quotechar string|false|nil default '"'; a field in quotes may hold delimiters, line ends and doubled quotes
---@field skiprows integer|nil lines to skip first
---@field max_rows integer|nil rows to read at most
---@field usecols integer|integer[]|nil a column or a list, negative from the end; lines may then differ in length
---@field missing cuna.Number|nil what an empty field, NA or N/A becomes; without it they are errors
---@field converters function|table|nil {[column] = {text = number, ...}}, {[column] = function(text) -> number}, or one
--- function for all columns
---@field names boolean|nil true: the first line names the columns; the names are the last result
---@field unpack boolean|nil true: one array for each column, as several results
---@field ndmin integer|nil axes of the result at least, 0 to 2

-- Follows numpy.genfromtxt for `names` and `missing`; init.lua has the documentation.
function M.loadtxt(source, dtype, options)
  options = join_options("loadtxt", "dtype", dtype, options)
  check_names("loadtxt", options, LOAD_OPTIONS)
  local text, label = check_source(source)
  local known = complete_load_options(options)
  known.label, known.is_text = "loadtxt: " .. label, type(source) == "table"
  return core.text_load(text, known)
end

-- Saving

local SAVE_DEFAULTS = { fmt = "%.18e", delimiter = " ", newline = "\n", header = "", footer = "", comments = "# " }

--- Splits a format for a whole row ("%d, %.3f") into one per column; other formats are unchanged.
local function split_format(fmt)
  local marked = fmt:gsub("%%%%", "\0\0")
  local starts = {}
  for start in marked:gmatch "()%%" do starts[#starts + 1] = start end
  if #starts < 2 then return { fmt } end
  local formats = {}
  for i = 1, #starts do
    local first = i == 1 and 1 or starts[i]
    formats[i] = fmt:sub(first, i < #starts and starts[i + 1] - 1 or #fmt)
  end
  return formats
end

--- Adds the comment mark to every line of a header or footer.
local function comment(text, mark, newline)
  if text == "" then return "" end
  return mark .. text:gsub("\n", "\n" .. mark) .. newline
end

local function complete_save_options(options)
  local known = {}
  for name, default in pairs(SAVE_DEFAULTS) do
    local value = options[name]
    if value == nil then value = default end
    known[name] = name == "fmt" and value or check_string("savetxt", name, value)
  end
  if type(known.fmt) == "table" then
    known.formats = {}
    for i = 1, #known.fmt do known.formats[i] = check_string("savetxt", "fmt", known.fmt[i]) end
  else
    known.formats = split_format(check_string("savetxt", "fmt", known.fmt))
    if #known.formats > 1 then known.delimiter = "" end
  end
  known.header = comment(known.header, known.comments, known.newline)
  known.footer = comment(known.footer, known.comments, known.newline)
  return known
end

--- The options of cn.savetxt.
---@class cuna.SavetxtOptions
---@field fmt string|string[]|nil a printf format of e f g a d i u x o, or s for the shortest text that reads back,
--- default "%.18e"; a list with one for each column; or one text with a conversion for each column, which takes the
--- place of the delimiter. Where Python's %d cuts fractions, here they are an error
---@field delimiter string|nil default " "
---@field newline string|nil default "\n"
---@field header string|nil written first, after `comments`
---@field footer string|nil written last, after `comments`
---@field comments string|nil default "# "

function M.savetxt(path, x, fmt, options)
  local is_list = type(fmt) == "table" and fmt[1] ~= nil
  options = join_options("savetxt", "fmt", fmt, options or (is_list and {} or nil))
  check_names("savetxt", options, SAVE_DEFAULTS)
  check_string("savetxt", "path", path)
  local known = complete_save_options(options)
  if not core.is_array(x) then x = require("cuna").asarray(x) end
  new_file.write(path, "savetxt", function(file) core.text_save(file, path, x, known) end)
end

return M
