---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- NumPy's files, bytes and numbers as text.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- The arrays of an .npz file. npz.x and npz["x"] read the array of this name from the file at each access. The file
--- stays open until npz:close(), or until the garbage collector frees the object. If a name is also the name of a
--- method, use npz:read(name).
---@class cuna.Npz
local Npz = {}

--- Reads an array from an .npy file (versions 1 to 3, either order of rows and bytes), or opens an .npz file: an object
--- whose fields are its arrays, read on access (npz.x, npz:names(), npz:iter(), npz:has(name), npz:close()). The array
--- is on the current device; a Fortran-order array is the transpose of a row-major one. With mmap_mode the array is the
--- mapped file itself, on the cpu device: "r" is read-only, writes to "c" stay in the process, writes to "r+" go to the
--- file. Do not truncate a mapped file. An open file is read from its current offset, which is after the array then.
--- Pickles, strings and structured arrays are errors. Follows numpy.load.
---
--- ```lua
--- cn.load "spec/golden/files/c.npy" --> [[0. 1. 2.] [3. 4. 5.]]
--- cn.load("spec/golden/files/two.npz").y --> [0.5 1.5]
--- cn.load("spec/golden/files/c.npy", "r").flags.writeable --> false
--- ```
---@param file string|file*|table # a path, an open file, or {text = the file's bytes}
---@param mmap_mode string|nil # "r", "r+" or "c"
---@return cuna.Array|cuna.Npz
---@overload fun(file: string|file*|table, options: {mmap_mode?: string}): cuna.Array|cuna.Npz
function cn.load(file, mmap_mode) end

--- Writes an array as an .npy file. A path without the suffix .npy gets it. An existing file is replaced when the new
--- one is complete, and kept after an error. An open file is written from its current offset, so one file can hold
--- several arrays. Synchronises. bfloat16, which the format lacks, is an error. Follows numpy.save.
---
--- ```lua
--- cn.save("/dev/null", cn.arange(3)) -->
--- ```
---@param file string|file* # a path, or an open file
---@param x cuna.Operand
function cn.save(file, x) end

--- Writes several arrays as one .npz file: positional ones get the names arr_0, arr_1, ..., a table as the last
--- argument names others. Path and errors as for cn.save. Synchronises. Follows numpy.savez.
---
--- ```lua
--- cn.savez("/dev/null", cn.arange(3), {x = cn.ones(2)}) -->
--- ```
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
function cn.savez(path, ...) end

--- Like cn.savez, with every array compressed by zlib. Follows numpy.savez_compressed.
---
--- ```lua
--- cn.savez_compressed("/dev/null", {x = cn.zeros(1000)}) -->
--- ```
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
function cn.savez_compressed(path, ...) end

--- A 1-d array of a file's bytes, as x:tofile() writes them, or with sep of the numbers in its text. A blank in sep
--- matches any number of blanks, and blanks around a number are ignored. With count a shorter file gives fewer
--- elements. Without count an incomplete last element is an error; text that is not a number always is. Follows
--- numpy.fromfile.
---
--- ```lua
--- cn.fromfile({text = "\1\0\2\0"}, "int16") --> [1 2]
--- cn.fromfile({text = "1, 2,3"}, {sep = ","}) --> [1. 2. 3.]
--- ```
---@param file string|file*|table # a path, an open file (read from its current offset), or {text = bytes}
---@param dtype cuna.Dtype|nil # default: the default float
---@param count integer|nil # elements; nil or -1: all
---@param sep string|nil # between numbers; nil or "": the file has bytes
---@param offset integer|nil # bytes to skip first; not with sep
---@return cuna.Array # 1-d
---@overload fun(file: string|file*|table, options: {dtype?: cuna.Dtype, count?: integer, sep?: string, offset?: integer}): cuna.Array
function cn.fromfile(file, dtype, count, sep, offset) end

--- Writes the elements row by row as bytes, or with sep as text with sep between them. An existing file is replaced
--- when the new one is complete. Dtype and shape are not written. Synchronises. Follows numpy.ndarray.tofile.
---
--- ```lua
--- cn.arange(3):tofile("/dev/null") -->
--- cn.arange(3):tofile("/dev/null", {sep = ", ", format = "%d"}) -->
--- ```
---@param file string|file* # a path, or an open file
---@param sep string|nil # nil or "": bytes
---@param format string|nil # of each number; default "%s", the shortest text that reads back; see cn.savetxt
---@overload fun(self: cuna.Array, file: string|file*, options: {sep?: string, format?: string})
function Array:tofile(file, sep, format) end

--- Reads an array by its name, which may be that of a method.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):read("x") --> [0 1 2]
--- ```
---@param name string
---@return cuna.Array
function Npz:read(name) end

--- The names of the arrays, in file order.
---
--- ```lua
--- table.concat(cn.load("spec/golden/files/two.npz"):names(), " ") --> x y
--- ```
---@return string[]
function Npz:names() end

--- Whether the file has an array of this name.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):has("z") --> false
--- ```
---@param name string
---@return boolean
function Npz:has(name) end

--- An iterator over names and arrays, which reads each array when it reaches it.
---
--- ```lua
--- (function(n) for _, x in cn.load("spec/golden/files/two.npz"):iter() do n = n + #x end return n end)(0) --> 5
--- ```
---@return function
function Npz:iter() end

--- Closes the file; arrays read before remain valid.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):close() -->
--- ```
function Npz:close() end

--- A float without an exponent: by default with the fewest digits that read back as the same number of its dtype.
--- Follows numpy.format_float_positional.
---
--- ```lua
--- cn.format_float_positional(3.14159e-6), cn.format_float_positional(5, {trim = "-"}) --> 0.00000314159, 5
--- ```
---@param x number|cuna.Array # a Lua number, or a 0-d array
---@param precision integer|nil # most digits after the point
---@param unique boolean|nil # false: exactly `precision` digits of the exact value
---@param trim string|nil # "k" keeps zeros at the end and the point, "." drops the zeros, "0" all but one, "-" the point  too; default "k"
---@return string
---@overload fun(x: number|cuna.Array, options: {precision?: integer, unique?: boolean, trim?: string}): string
function cn.format_float_positional(x, precision, unique, trim) end

--- A float in scientific notation, with the same arguments. Follows numpy.format_float_scientific.
---
--- ```lua
--- cn.format_float_scientific(1234.5, {precision = 2}) --> 1.23e+03
--- ```
---@param x number|cuna.Array
---@param precision integer|nil # most digits after the point
---@param unique boolean|nil
---@param trim string|nil
---@return string
---@overload fun(x: number|cuna.Array, options: {precision?: integer, unique?: boolean, trim?: string}): string
function cn.format_float_scientific(x, precision, unique, trim) end

--- A whole number in a base from 2 to 36. Follows numpy.base_repr.
---
--- ```lua
--- cn.base_repr(5), cn.base_repr(-255, 16) --> 101, -FF
--- ```
---@param number integer
---@param base integer|nil # default 2
---@param padding integer|nil # zeros before it, default 0
---@return string
---@overload fun(number: integer, options: {base?: integer, padding?: integer}): string
function cn.base_repr(number, base, padding) end

--- A whole number in base 2; of a negative one with a width its two's complement. Follows numpy.binary_repr.
---
--- ```lua
--- cn.binary_repr(5, 8), cn.binary_repr(-3, 5), cn.binary_repr(-3) --> 00000101, 11101, -11
--- ```
---@param number integer
---@param width integer|nil # least number of digits
---@return string
---@overload fun(number: integer, options: {width?: integer}): string
function cn.binary_repr(number, width) end
