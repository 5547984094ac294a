---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Text files.

---@class cuna
local cn = {}

--- The options of cn.loadtxt. Columns count from 1; lines end in LF, CRLF or CR.
---@class cuna.LoadtxtOptions
---@field dtype cuna.Dtype|nil default: the default float; bool reads 0, 1, true and false, complex dtypes 1+2j and (1+2j)
---@field delimiter string|nil one character; default: any run of blanks
---@field comments string|string[]|false|nil what begins a comment, default "#"; false: nothing does
---@field quotechar string|false|nil default '"'; a field in quotes may hold delimiters, line ends and doubled quotes
---@field skiprows integer|nil lines to skip first
---@field max_rows integer|nil rows to read at most
---@field usecols integer|integer[]|nil a column or a list, negative from the end; lines may then differ in length
---@field missing cuna.Number|nil what an empty field, NA or N/A becomes; without it they are errors
---@field converters function|table|nil {[column] = {text = number, ...}}, {[column] = function(text) -> number}, or one function for all columns
---@field names boolean|nil true: the first line names the columns; the names are the last result
---@field unpack boolean|nil true: one array for each column, as several results
---@field ndmin integer|nil axes of the result at least, 0 to 2
local LoadtxtOptions = {}

--- The options of cn.savetxt.
---@class cuna.SavetxtOptions
---@field fmt string|string[]|nil a printf format of e f g a d i u x o, or s for the shortest text that reads back, default "%.18e"; a list with one for each column; or one text with a conversion for each column, which takes the place of the delimiter. Where Python's %d cuts fractions, here they are an error
---@field delimiter string|nil default " "
---@field newline string|nil default "\n"
---@field header string|nil written first, after `comments`
---@field footer string|nil written last, after `comments`
---@field comments string|nil default "# "
local SavetxtOptions = {}

--- Reads an array from delimited text: a row for each line; blank lines and comments are skipped. A field that is not
--- a number, a line of another length or a missing column is an error that names file, line and column. Follows
--- numpy.loadtxt.
---
--- ```lua
--- cn.loadtxt({text = "1,2\n3,4"}, {delimiter = ","}) --> [[1. 2.] [3. 4.]]
--- cn.loadtxt({text = "a b\n1 NA"}, {skiprows = 1, missing = 0, usecols = {2, 1}}) --> [0. 1.]
--- ```
---@param source string|table # a path, or {text = s}
---@param dtype cuna.Dtype|nil # default: the default float
---@param options cuna.LoadtxtOptions|nil
---@return cuna.Array # shape (rows, columns), without axes of length 1; without rows (0,)
---@return string[]|nil # names of the columns, with the option names
function cn.loadtxt(source, dtype, options) end

--- Writes a vector or matrix as text. Follows numpy.savetxt.
---
--- ```lua
--- cn.savetxt("/dev/null", {{1, 2}, {3, 4}}, {fmt = "%g", delimiter = ","}) -->
--- ```
---@param path string # the file; an existing one is replaced when the new one is complete
---@param x cuna.Operand # 1-d (one number per line) or 2-d (one row per line)
---@param fmt string|string[]|nil # default "%.18e"
---@param options cuna.SavetxtOptions|nil
function cn.savetxt(path, x, fmt, options) end

--- Reads a CSV text as columns by name. A column whose fields are all numbers is an array, int64 (uint64 beyond it) if
--- they are whole, else float64; true and false in any case make a bool array; all other columns are tables of
--- strings, which cn.factorize turns to codes. An empty field and NA, N/A, NULL, NONE in any case are missing: NaN in a
--- column of numbers, which is float64 then, and unchanged text in others. Fields in quotes may hold delimiters, line
--- ends and doubled quotes (RFC 4180); a byte order mark is skipped, lines end in LF, CRLF or CR, blank lines are
--- skipped. Errors name line and column. Arrays are on the current device. Follows pandas.read_csv.
---
--- ```lua
--- cn.read_csv({text = "city,people\nBern,134\nChur,38\n"}).people --> [134 38]
--- cn.read_csv({text = "city,people\nBern,134\nChur,38\n"}).city[2] --> Chur
--- cn.read_csv({text = "1;x\n;y\n"}, {delimiter = ";", header = {"a", "b"}}).a --> [ 1. nan]
--- ```
---@param file string|file*|table # a path, an open file, or {text = bytes}
---@param delimiter string|nil # one character; default ","
---@param header boolean|string[]|nil # true (default): the first line has the names; false: columns are named by their  positions; a list of names: the text has none
---@param columns (string|integer)[]|nil # the columns to read, by name or position; default: all
---@param dtypes string|table<string|integer, string>|nil # dtypes by column, or one for all; "string": texts
---@param missing string|string[]|nil # more texts that stand for a missing value
---@param comments string|string[]|nil # texts that begin a comment; default: none
---@param quotechar string|false|nil # default '"'; false: none
---@param skiprows integer|nil # lines to skip first
---@param max_rows integer|nil # rows to read at most
---@return table<string, cuna.Array|string[]> # columns by name
---@return string[] # names in the order of the text
---@overload fun(file: string|file*|table, options: {delimiter?: string, header?: boolean|string[], columns?: (string|integer)[], dtypes?: string|table<string|integer, string>, missing?: string|string[], comments?: string|string[], quotechar?: string|false, skiprows?: integer, max_rows?: integer}): table<string, cuna.Array|string[]>, string[]
function cn.read_csv(file, delimiter, header, columns, dtypes, missing, comments, quotechar, skiprows, max_rows) end

--- Writes columns by name as a CSV text: arrays of one axis and lists of strings, all of one length. Numbers have the
--- fewest digits that read back, NaN is an empty field, fields that need quotes have them; lines end in LF. An existing
--- file is replaced when the new one is complete. Synchronises. Follows pandas.DataFrame.to_csv, without an index.
---
--- ```lua
--- cn.write_csv("/dev/null", {city = {"Bern", "Chur"}, people = {134, 38}}, {names = {"city", "people"}}) -->
--- ```
---@param file string|file* # a path, or an open file
---@param columns table<string, cuna.Operand|string[]>
---@param names string[]|nil # the columns to write, in this order; default: all, sorted by name
---@param delimiter string|nil # one character; default ","
---@param header boolean|nil # whether the first line has the names; default true
---@overload fun(file: string|file*, columns: table<string, cuna.Operand|string[]>, options: {names?: string[], delimiter?: string, header?: boolean})
function cn.write_csv(file, columns, names, delimiter, header) end

--- The positions of a list's entries among its categories, which are its different entries: list[i] is
--- categories[codes[i]]. Codes group rows, by cn.bincount and by masks such as codes:eq(2). Follows pandas.factorize,
--- whose codes count from 0.
---
--- ```lua
--- (cn.factorize {"b", "a", "b"}) --> [1 2 1]
--- select(2, cn.factorize({"b", "a", "b"}, {sort = true}))[1] --> a
--- ```
---@param list (string|number|boolean)[] # such as a column of texts that cn.read_csv returned
---@param sort boolean|nil # whether the categories are sorted; default: in the order in which they appear
---@return cuna.Array # codes int64, on the current device
---@return (string|number|boolean)[] # categories
---@overload fun(list: (string|number|boolean)[], options: {sort?: boolean}): cuna.Array, (string|number|boolean)[]
function cn.factorize(list, sort) end
