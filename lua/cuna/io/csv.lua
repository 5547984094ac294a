--- csv.lua: tables of named columns, of numbers or of texts, as CSV: read_csv and write_csv.
--
-- Options are checked and completed here; reading and writing are core.csv_head, core.csv_read and core.csv_write. The
-- syntax is RFC 4180's: quoted fields may hold delimiters, line ends and doubled quotes.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local new_file = require "cuna.io.new_file"
local source = require "cuna.io.source"
local suggest = require "cuna.base.suggest"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local READ, WRITE = "read_csv", "write_csv"

-- ---- options ----

--- One character that separates or encloses fields.
local function check_sign(value, default, name, what)
  if value == nil then return default end
  if type(value) ~= "string" or #value ~= 1 or value:find "[\r\n%z]" then
    fail("%s: %s is one character, got %s", name, what, check.show(value))
  end
  return value
end

--- A list of strings; one string is a list of one.
local function check_strings(value, what)
  if value == nil or value == false then return {} end
  local list = type(value) == "string" and {value} or value
  if type(list) ~= "table" then
    fail("%s: %s is a string or a list of strings, got %s", READ, what, check.show(value))
  end
  for k = 1, #list do
    if type(list[k]) ~= "string" or list[k]:find("\0", 1, true) then
      fail("%s: %s: entry %d is not a string without NUL bytes", READ, what, k)
    end
  end
  return {unpack(list)}
end

local function check_comments(value, delimiter)
  local marks = check_strings(value, "comments")
  for _, mark in ipairs(marks) do
    local first = mark:sub(1, 1)
    if first == "" or first == delimiter or first:find '[%s"]' then
      fail("%s: comments: %q begins with nothing, a blank, a quote or the delimiter", READ, mark)
    end
  end
  return marks
end

--- What C needs to read lines.
local function syntax_of(label, delimiter, comments, quotechar, skiprows)
  delimiter = check_sign(delimiter, ",", READ, "delimiter")
  local known = {label = label, delimiter = delimiter}
  known.quotechar = quotechar == false and "" or check_sign(quotechar, '"', READ, "quotechar")
  if known.quotechar == delimiter then fail("%s: quotechar and delimiter are both %q", READ, delimiter) end
  known.comments = check_comments(comments, delimiter)
  known.skiprows = check.count(skiprows or 0, READ, "skiprows")
  return known
end

-- ---- names and kinds of columns ----

--- The names of the columns: those in the first line, the user's, or positions.
local function names_of(header, found, label)
  if header == nil or header == true then
    if #found == 0 then fail("%s: the text has no line with the names of the columns", label) end
    return found
  end
  local names = {}
  if header == false then
    for k = 1, #found do names[k] = k end
  elseif type(header) == "table" then
    for k = 1, #header do names[k] = header[k] end
    if #found > 0 and #found ~= #names then
      fail("%s: header has %d names, and the first line has %d fields", label, #names, #found)
    end
  else
    fail("%s: header is true, false or a list of names, got %s", READ, check.show(header))
  end
  return names
end

--- The positions of the columns by name; rejects a name that two columns have.
local function place_names(names, label)
  local place = {}
  for k, name in ipairs(names) do
    if type(name) ~= "string" and type(name) ~= "number" then
      fail("%s: header: name %d is %s instead of a string", READ, k, check.show(name))
    end
    if place[name] then
      fail("%s: the columns %d and %d are both named '%s'; give other names by header = {...} and skiprows", label,
        place[name], k, tostring(name))
    end
    place[name] = k
  end
  return place
end

--- The position of a column that a user names by its name or its position.
local function find(key, names, place, label, what)
  if place[key] then return place[key] end
  if type(key) == "number" then
    local k = key < 0 and #names + 1 + key or key
    if names[k] ~= nil then return k end
    fail("%s: %s: there is no column %s; there are %d", label, what, tostring(key), #names)
  end
  fail("%s: %s: there is no column '%s'%s", label, what, tostring(key), suggest.hint(key, place))
end

--- The positions of the columns that are read, as a set; nil means all.
local function chosen(columns, names, place, label)
  if columns == nil then return nil end
  local set = {}
  for _, key in ipairs(type(columns) == "table" and columns or {columns}) do
    set[find(key, names, place, label, "columns")] = true
  end
  return set
end

local function check_dtype(dtype)
  if dtype == "string" or dtype == "text" then return "string" end
  return core.check_dtype(dtype, READ)
end

--- The dtypes that users give, by position: "string" or a dtype.
local function dtypes_of(dtypes, names, place, label)
  local of = {}
  if type(dtypes) == "string" then
    for k = 1, #names do of[k] = check_dtype(dtypes) end
  elseif type(dtypes) == "table" then
    for key, dtype in pairs(dtypes) do of[find(key, names, place, label, "dtypes")] = check_dtype(dtype) end
  elseif dtypes ~= nil then
    fail("%s: dtypes is a table of dtypes by column, or one for all, got %s", READ, check.show(dtypes))
  end
  return of
end

--- What C makes of each column.
local function kinds_of(names, wanted, dtypes)
  local kinds = {}
  for k = 1, #names do
    local dtype = dtypes[k]
    kinds[k] = wanted and not wanted[k] and "skip" or dtype == "string" and "text"
      or dtype and dtype ~= "bool" and "number" or "any"
  end
  return kinds
end

--- A column in the dtype that the user wants; rejects values that it does not hold.
local function convert(x, dtype, name, label)
  if not dtype or dtype == "string" or x.dtype == dtype then return x end
  if dtype == "bool" and x.dtype ~= "int64" then
    fail("%s: column '%s' is not of true and false", label, tostring(name))
  end
  local made = x:astype(dtype)
  if not dtype:find "^float" and not dtype:find "^complex" and not made:astype(x.dtype):eq(x):all() then
    fail("%s: column '%s' has values that %s does not hold%s", label, tostring(name), dtype,
      x.dtype == "float64" and "; missing ones are NaN" or "")
  end
  return made
end

-- ---- reading ----

local function read_columns(file, options)
  local label = file:label()
  local known = syntax_of(label, options.delimiter, options.comments, options.quotechar, options.skiprows)
  local found, first, first_line, following, following_line = core.csv_head(file, known)
  local names = names_of(options.header, found, label)
  local place = place_names(names, label)
  local wanted = chosen(options.columns, names, place, label)
  local dtypes = dtypes_of(options.dtypes, names, place, label)
  local has_header = options.header == nil or options.header == true
  known.place, known.line = has_header and following or first, has_header and following_line or first_line
  known.kinds, known.missing = kinds_of(names, wanted, dtypes), check_strings(options.missing, "missing")
  known.max_rows = options.max_rows == nil and -1 or check.count(options.max_rows, READ, "max_rows")
  local columns, kept = {}, {}
  for k, column in ipairs(core.csv_read(file, known)) do
    if column then
      columns[names[k]] = core.is_array(column) and convert(column, dtypes[k], names[k], label)
        or (dtypes[k] == "bool" and fail("%s: column '%s' is not of true and false", label, tostring(names[k])))
        or column
      kept[#kept + 1] = names[k]
    end
  end
  return columns, kept
end

local NAMES = {"file", "delimiter", "header", "columns", "dtypes", "missing", "comments", "quotechar", "skiprows",
  "max_rows"}
local read_read = args.reader(READ, NAMES)

--- Reads a CSV text as columns by name. A column whose fields are all numbers is an array, int64 (uint64 beyond it) if
--- they are whole, else float64; true and false in any case make a bool array; all other columns are tables of
--- strings, which cn.factorize turns to codes. An empty field and NA, N/A, NULL, NONE in any case are missing: NaN in a
--- column of numbers, which is float64 then, and unchanged text in others. Fields in quotes may hold delimiters, line
--- ends and doubled quotes (RFC 4180); a byte order mark is skipped, lines end in LF, CRLF or CR, blank lines are
--- skipped. Errors name line and column. Arrays are on the current device. Follows pandas.read_csv.
---@param file string|file*|table a path, an open file, or {text = bytes}
---@param delimiter string|nil one character; default ","
---@param header boolean|string[]|nil true (default): the first line has the names; false: columns are named by their
---  positions; a list of names: the text has none
---@param columns (string|integer)[]|nil the columns to read, by name or position; default: all
---@param dtypes string|table<string|integer, string>|nil dtypes by column, or one for all; "string": texts
---@param missing string|string[]|nil more texts that stand for a missing value
---@param comments string|string[]|nil texts that begin a comment; default: none
---@param quotechar string|false|nil default '"'; false: none
---@param skiprows integer|nil lines to skip first
---@param max_rows integer|nil rows to read at most
---@return table<string, cuna.Array|string[]> columns by name
---@return string[] names in the order of the text
---@usage cn.read_csv({text = "city,people\nBern,134\nChur,38\n"}).people --> [134 38]
---@usage cn.read_csv({text = "city,people\nBern,134\nChur,38\n"}).city[2] --> Chur
---@usage cn.read_csv({text = "1;x\n;y\n"}, {delimiter = ";", header = {"a", "b"}}).a --> [ 1. nan]
function F.read_csv(...)
  local given, options = {read_read(...)}, {}
  for k = 2, #NAMES do options[NAMES[k]] = given[k] end
  local file = source.open(given[1], READ)
  local text = source.reading(file, function() return file:spool() end)
  file:close()
  return source.reading(text, function()
    local columns, names = read_columns(text, options)
    text:close()
    return columns, names
  end)
end

-- ---- writing ----

--- A column as an array of one axis, or as a list of strings.
local function as_column(value, label)
  if type(value) == "table" and not core.is_array(value) and (value[1] == nil or type(value[1]) == "string") then
    for k = 1, #value do
      if type(value[k]) ~= "string" then
        fail("%s: entry %d is %s instead of a string", label, k, check.show(value[k]))
      end
    end
    if next(value) ~= nil and #value == 0 then fail("%s: expected an array or a list of strings", label) end
    return value
  end
  local x = source.as_array(value, label)
  if x.ndim ~= 1 then fail("%s: expected an array of one axis, got shape %s", label, tostring(x.shape)) end
  if x.dtype:find "^complex" then fail("%s: CSV has no complex numbers; write x.real and x.imag", label) end
  return x
end

--- The names of columns: the user's, or all in order.
local function order(columns, names)
  if names ~= nil then return check.list(names, WRITE, "names") end
  local list = {}
  for name in pairs(columns) do list[#list + 1] = name end
  table.sort(list, function(a, b)
    if type(a) ~= type(b) then return type(a) == "number" end
    return a < b
  end)
  return list
end

--- The columns in order, their titles, and the number of rows.
local function lay_out(columns, names)
  local list, titles, rows = {}, {}, nil
  for k, name in ipairs(names) do
    local label = ("%s: column '%s'"):format(WRITE, tostring(name))
    if columns[name] == nil then fail("%s: there is none", label) end
    list[k], titles[k] = as_column(columns[name], label), {tostring(name)}
    rows = rows or #list[k]
    if #list[k] ~= rows then fail("%s has %d rows, and those before have %d", label, #list[k], rows) end
  end
  return list, titles, rows or 0
end

local read_write = args.reader(WRITE, {"file", "columns", "names", "delimiter", "header"}, 2, true)

--- Writes columns by name as a CSV text: arrays of one axis and lists of strings, all of one length. Numbers have the
--- fewest digits that read back, NaN is an empty field, fields that need quotes have them; lines end in LF. An existing
--- file is replaced when the new one is complete. Synchronises. Follows pandas.DataFrame.to_csv, without an index.
---@param file string|file* a path, or an open file
---@param columns table<string, cuna.Operand|string[]>
---@param names string[]|nil the columns to write, in this order; default: all, sorted by name
---@param delimiter string|nil one character; default ","
---@param header boolean|nil whether the first line has the names; default true
---@usage cn.write_csv("/dev/null", {city = {"Bern", "Chur"}, people = {134, 38}}, {names = {"city", "people"}}) -->
function F.write_csv(...)
  local target, columns, names, delimiter, header = read_write(...)
  target = source.check_target(target, WRITE, "")
  if type(columns) ~= "table" or core.is_array(columns) then
    fail("%s: columns: expected a table {name = array or list of strings}, got %s", WRITE, check.show(columns))
  end
  delimiter = check_sign(delimiter, ",", WRITE, "delimiter")
  if delimiter == '"' then fail("%s: delimiter: a quote encloses fields", WRITE) end
  local list, titles, rows = lay_out(columns, order(columns, names))
  header = check.boolean(header, true, WRITE, "header")
  core.check_waiting(WRITE)
  new_file.write(target, WRITE, function(file)
    if header then core.csv_write(file, titles, 1, delimiter) end
    core.csv_write(file, list, rows, delimiter)
  end)
end

return M
