---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Text files.

---@class cuna
local cn = {}

--- Reads an array from delimited text; io/text.lua lists the options. Follows numpy.loadtxt.
---
--- ```lua
--- cn.loadtxt({text = "1,2\n3,4"}, {delimiter = ","}) --> [[1. 2.] [3. 4.]]
--- ```
---@param source string|table # a path, or {text = s}
---@param dtype cuna.Dtype|nil # default: the default float
---@param options table|nil
---@return cuna.Array # shape (rows, columns), without axes of length 1
---@return string[]|nil # names of the columns, with the option names
function cn.loadtxt(source, dtype, options) end

--- Writes a vector or matrix as text; io/text.lua lists the options. Follows numpy.savetxt.
---
--- ```lua
--- cn.savetxt("/dev/null", {{1, 2}, {3, 4}}, {fmt = "%g", delimiter = ","}) -->
--- ```
---@param path string
---@param x cuna.Operand # 1-d (one number per line) or 2-d (one row per line)
---@param fmt string|string[]|nil # default "%.18e"
---@param options table|nil
function cn.savetxt(path, x, fmt, options) end
