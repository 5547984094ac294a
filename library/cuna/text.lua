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
