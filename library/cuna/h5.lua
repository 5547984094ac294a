---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- HDF5 files.

---@class cuna.h5
local h5 = {}

--- A group of an HDF5 file, or the file itself. g[name] opens what has this name: a cuna.H5Dataset or a cuna.H5Group;
--- g[name] = value writes a new dataset. Names may be paths. If a name is also that of a method or a field, use
--- g:get(name).
---@class cuna.H5Group
---@field name string path in the file
---@field attrs table attributes: g.attrs.unit reads one, g.attrs.unit = "m" sets it, nil deletes it
local H5Group = {}

--- A dataset of an HDF5 file. d[key] reads the part that the same key selects of an array, and d[key] = value writes
--- it; nothing else of the dataset is read or written.
---@class cuna.H5Dataset
---@field shape integer[]
---@field ndim integer
---@field size integer number of elements
---@field dtype cuna.Dtype of cuna, or "string"
---@field maxshape integer[] what the lengths may become; math.huge: anything
---@field chunks integer[]|nil
---@field name string path in the file
---@field attrs table attributes: d.attrs.unit reads one, d.attrs.unit = "m" sets it, nil deletes it
local H5Dataset = {}

--- Opens an HDF5 file and returns its root, a group. Needs the HDF5 library, 1.10 or later (Debian's libhdf5-103-1).
--- The file is closed by f:close(), or when nothing of it is referenced any more. HDF5 writes in place: unlike other
--- files of cuna, one that is being written is not whole until it is closed. Follows h5py.File.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5")["runs/x"].dtype --> int64
--- cn.h5.open("spec/golden/files/tree.h5").attrs.version --> 2
--- cn.h5.open("x", "w", "core"):write("a", cn.ones(2)):read() --> [1. 1.]
--- ```
---@param path string
---@param mode string|nil # "r" (default): read; "r+": read and write; "w": create or truncate; "x": create; "a": read and  write, create if it does not exist
---@param driver string|nil # "core": the file is in memory; a new one is never written, the path is only its name
---@return cuna.H5Group
---@overload fun(path: string, options: {mode?: string, driver?: string}): cuna.H5Group
function h5.open(path, mode, driver) end

--- The names in the group, sorted.
---
--- ```lua
--- table.concat(cn.h5.open("spec/golden/files/tree.h5"):keys(), " ") --> names runs title
--- ```
---@return string[]
function H5Group:keys() end

--- Whether the group has an object of this name, which may be a path.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5"):has "runs/x" --> true
--- ```
---@param name string
---@return boolean
function H5Group:has(name) end

--- Opens what has a name.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5"):get("runs").name --> /runs
--- ```
---@param name string # a name or a path
---@return cuna.H5Group|cuna.H5Dataset
function H5Group:get(name) end

--- Reads a dataset, or a part of it: g:get(name):read(key).
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5"):read("runs/x", 2) --> [3 4 5]
--- cn.h5.open("spec/golden/files/tree.h5"):read "title" --> a tree
--- ```
---@param name string
---@param key any|nil
---@return cuna.Array|string|table
function H5Group:read(name, key) end

--- An iterator over names and what they name.
---
--- ```lua
--- (function(n) for _ in cn.h5.open("spec/golden/files/tree.h5"):iter() do n = n + 1 end return n end)(0) --> 3
--- ```
---@return function
function H5Group:iter() end

--- All attributes by name: numbers, booleans, strings, lists of strings and arrays.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5"):attributes().version --> 2
--- ```
---@return table<string, any>
function H5Group:attributes() end

--- Writes a new dataset, with the groups on the way to it; g[name] = value does the same. Strings and lists of strings
--- are UTF-8 of varying lengths, bool is h5py's enumeration, complex numbers its compound of r and i. Synchronises.
--- Follows h5py.Group.create_dataset.
---
--- ```lua
--- cn.h5.open("x", "w", "core"):write("a/b", cn.arange(3), {compression = "gzip"}).shape[1] --> 3
--- ```
---@param name string # a name or a path
---@param value cuna.Operand|string|string[]
---@param chunks integer[]|boolean|nil # shape of the pieces that are stored, compressed and read as one; true: chosen
---@param compression string|integer|nil # "gzip", or its level from 0 to 9
---@param compression_opts integer|nil # the level of "gzip"; default 4
---@param shuffle boolean|nil # whether bytes are sorted by their places in elements, which then compress better
---@param maxshape number|number[]|nil # what d:resize may make of the shape; math.huge: anything
---@param dtype cuna.Dtype|nil # default: the value's
---@return cuna.H5Dataset
function H5Group:write(name, value, chunks, compression, compression_opts, shuffle, maxshape, dtype) end

--- Makes a group, with those on the way to it.
---
--- ```lua
--- cn.h5.open("x", "w", "core"):create_group("a/b").name --> /a/b
--- ```
---@param name string # a name or a path
---@return cuna.H5Group
function H5Group:create_group(name) end

--- Deletes what has a name. The file keeps its size; new objects use the room.
---
--- ```lua
--- (function(f) f.a = 1; f:delete "a"; return f:has "a" end)(cn.h5.open("x", "w", "core")) --> false
--- ```
---@param name string
function H5Group:delete(name) end

--- Writes what HDF5 keeps in memory to the file.
---
--- ```lua
--- cn.h5.open("x", "w", "core"):flush() -->
--- ```
function H5Group:flush() end

--- Closes the file and all that was opened in it; arrays that were read remain valid.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5"):close() -->
--- ```
function H5Group:close() end

--- Reads the dataset, or the part that a key selects as it would of an array: numbers, ranges ({first, last, step}),
--- cn.newaxis, cn.ellipsis, or text such as "2:5, 1". Arrays are on the current device; strings are a Lua string or
--- (nested) lists of them.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5")["runs/x"]:read() --> [[0 1 2] [3 4 5]]
--- cn.h5.open("spec/golden/files/tree.h5")["runs/x"]["2, ::-1"] --> [5 4 3]
--- ```
---@param key any|nil # default: everything
---@return cuna.Array|string|table
function H5Dataset:read(key) end

--- Writes the elements of the dataset, or of the part that a key selects. The value is broadcast to that shape, and
--- converted to the dataset's dtype by HDF5. d[key] = value does the same.
---
--- ```lua
--- (function(f) f:write("a", {1, 2}):write(5, 2) return f.a:read() end)(cn.h5.open("x", "w", "core")) --> [1. 5.]
--- ```
---@param value cuna.Operand|string|string[]
---@param key any|nil # default: everything
function H5Dataset:write(value, key) end

--- Changes the shape, within the maxshape that the dataset was made with; new elements are 0. Follows
--- h5py.Dataset.resize.
---
--- ```lua
--- (function(d) d:resize(2) return d.size end)(cn.h5.open("", "w", "core"):write("a", {0}, {maxshape = 2})) --> 2
--- ```
---@param shape integer|integer[]
function H5Dataset:resize(shape) end

--- All attributes by name: numbers, booleans, strings, lists of strings and arrays.
---
--- ```lua
--- cn.h5.open("spec/golden/files/tree.h5")["runs/x"]:attributes().unit --> m
--- ```
---@return table<string, any>
function H5Dataset:attributes() end
