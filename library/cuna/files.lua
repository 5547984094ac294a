---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- NumPy's files, bytes and numbers as text.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- The arrays of an .npz file. npz.x and npz["x"] read the array of this name anew each time; the file stays open until
--- npz:close(), or until Lua's collector finds the object. Where a name is also that of a function, npz:read(name).
---@class cuna.Npz
local Npz = {}

--- Reads an array from an .npy file (versions 1 to 3, either order of rows and bytes), or opens an .npz file: an object
--- whose fields are its arrays, read when they are asked for (npz.x, npz:names(), npz:iter(), npz:has(name),
--- npz:close()). The array is on the current device; one that was saved by columns is the transpose of a row-major one.
--- With mmap_mode the array is the file's memory itself, on the cpu device: "r" can only be read, what is written to
--- "c" stays in the process, what is written to "r+" goes to the file. A mapped file must not become shorter meanwhile.
--- An open file is read from where it is, and is behind the array then. Pickles, strings and structured arrays are
--- errors. Follows numpy.load.
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

--- Writes an array as an .npy file. A path gets the suffix .npy if it has not; a file that is there is replaced when
--- the new one is whole, and stays as it is after an error. To an open file it is written from where that is, so
--- several can stand in one. Synchronises. bfloat16, which the format does not have, is an error. Follows numpy.save.
---
--- ```lua
--- cn.save("/dev/null", cn.arange(3)) -->
--- ```
---@param file string|file* # a path, or an open file
---@param x cuna.Operand
function cn.save(file, x) end

--- Writes several arrays as one .npz file: those given by position get the names arr_0, arr_1, ..., a last table names
--- others. Path and errors as in cn.save. Synchronises. Follows numpy.savez.
---
--- ```lua
--- cn.savez("/dev/null", cn.arange(3), {x = cn.ones(2)}) -->
--- ```
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
function cn.savez(path, ...) end

--- The same with every array compressed by zlib. Follows numpy.savez_compressed.
---
--- ```lua
--- cn.savez_compressed("/dev/null", {x = cn.zeros(1000)}) -->
--- ```
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
function cn.savez_compressed(path, ...) end

--- A 1-d array of a file's bytes, as x:tofile() wrote them, or with sep of the numbers in its text. In sep a blank
--- stands for any blanks, also none, and blanks around a number do not matter. With count fewer elements come where the
--- file has no more; without, a rest that is no element is an error, and so is text that is no number. Follows
--- numpy.fromfile.
---
--- ```lua
--- cn.fromfile({text = "\1\0\2\0"}, "int16") --> [1 2]
--- cn.fromfile({text = "1, 2,3"}, {sep = ","}) --> [1. 2. 3.]
--- ```
---@param file string|file*|table # a path, an open file (read from where it is), or {text = bytes}
---@param dtype string|nil # default: the default float
---@param count integer|nil # elements; nil or -1: all
---@param sep string|nil # between numbers; nil or "": the file has bytes
---@param offset integer|nil # bytes to skip first; not with sep
---@return cuna.Array # 1-d
---@overload fun(file: string|file*|table, options: {dtype?: string, count?: integer, sep?: string, offset?: integer}): cuna.Array
function cn.fromfile(file, dtype, count, sep, offset) end

--- Writes the elements row by row as bytes, or with sep as text with sep between them. A file that is there is replaced
--- when the new one is whole. Dtype and shape are not written. Synchronises. Follows numpy.ndarray.tofile.
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

--- Reads an array by its name, also one that is a function's.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):read("x") --> [0 1 2]
--- ```
---@param name string
---@return cuna.Array
function Npz:read(name) end

--- The names of the arrays, in the order of the file.
---
--- ```lua
--- table.concat(cn.load("spec/golden/files/two.npz"):names(), " ") --> x y
--- ```
---@return string[]
function Npz:names() end

--- Whether there is an array of this name.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):has("z") --> false
--- ```
---@param name string
---@return boolean
function Npz:has(name) end

--- An iterator over names and arrays, each read when its turn comes.
---
--- ```lua
--- (function(n) for _, x in cn.load("spec/golden/files/two.npz"):iter() do n = n + #x end return n end)(0) --> 5
--- ```
---@return function
function Npz:iter() end

--- Closes the file; arrays that were read stay.
---
--- ```lua
--- cn.load("spec/golden/files/two.npz"):close() -->
--- ```
function Npz:close() end
