--- files.lua: arrays in files: NumPy's .npy and .npz, raw bytes, and numbers as plain text.
--
-- npy.lua, npz.lua and zip.lua know the formats, source.lua what may be given as a file. In cn.prepare arrays have no
-- values, so files are not written.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local new_file = require "cuna.io.new_file"
local npy = require "cuna.io.npy"
local npz = require "cuna.io.npz"
local source = require "cuna.io.source"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail
local open, reading, check_target, as_array = source.open, source.reading, source.check_target, source.as_array

-- Of pictures, too.
M.open, M.reading, M.check_target, M.as_array = open, reading, check_target, as_array

-- ---- .npy and .npz ----

local function refuse_unknown(file, magic)
  local what = "not an .npy or .npz file"
  if magic == "" then what = "an empty file" end
  if magic:find "^\128[\2-\5]" then what = "a pickle, which cuna does not read" end
  fail("%s: this is %s", file:label(), what)
end

local function load_from(file, how)
  local magic = file:read(#npy.MAGIC)
  if magic == npy.MAGIC then
    if how then return npy.map(file, magic, how) end
    return npy.read(file, magic, "load")
  end
  if not magic:find "^PK[\3\5]" then refuse_unknown(file, magic) end
  if how then fail("%s: the arrays of an .npz file cannot be mapped; omit mmap_mode", file:label()) end
  if not npy.left(file) then fail("%s: an .npz file cannot be read from a pipe", file:label()) end
  return npz.open(file)
end

--- Rejects data after the only array of a file, which would be lost.
local function check_rest(file, header)
  local size = file:size()
  local left = size and size - header.length - header.nbytes
  if left and left > 0 then
    fail("%s: %.0f more bytes follow the array; to read several arrays of a file, load from io.open(path)",
      file:label(), left)
  end
end

local read_load = args.reader("load", {"file", "mmap_mode"})

--- Reads an array from an .npy file (versions 1 to 3, either order of rows and bytes), or opens an .npz file: an object
--- whose fields are its arrays, read on access (npz.x, npz:names(), npz:iter(), npz:has(name), npz:close()). The array
--- is on the current device; a Fortran-order array is the transpose of a row-major one. With mmap_mode the array is the
--- mapped file itself, on the cpu device: "r" is read-only, writes to "c" stay in the process, writes to "r+" go to the
--- file. Do not truncate a mapped file. An open file is read from its current offset, which is after the array then.
--- Pickles, strings and structured arrays are errors. Follows numpy.load.
---@param file string|file*|table a path, an open file, or {text = the file's bytes}
---@param mmap_mode string|nil "r", "r+" or "c"
---@return cuna.Array|cuna.Npz
---@usage cn.load "spec/golden/files/c.npy" --> [[0. 1. 2.] [3. 4. 5.]]
---@usage cn.load("spec/golden/files/two.npz").y --> [0.5 1.5]
---@usage cn.load("spec/golden/files/c.npy", "r").flags.writeable --> false
function F.load(...)
  local from, mode = read_load(...)
  local how = source.check_mapping(mode, "load")
  local file = open(from, "load", how == "write")
  return reading(file, function()
    local result, header = load_from(file, how)
    if header and type(from) ~= "userdata" then check_rest(file, header) end
    if header then file:close() end
    return result
  end)
end

local read_save = args.reader("save", {"file", "x"}, 2)

--- Writes an array as an .npy file. A path without the suffix .npy gets it. An existing file is replaced when the new
--- one is complete, and kept after an error. An open file is written from its current offset, so one file can hold
--- several arrays. Synchronises. bfloat16, which the format lacks, is an error. Follows numpy.save.
---@param file string|file* a path, or an open file
---@param x cuna.Operand
---@usage cn.save("/dev/null", cn.arange(3)) -->
function F.save(...)
  local target, value = read_save(...)
  target = check_target(target, "save", ".npy")
  local x = as_array(value, "save")
  npy.check_dtype(x, "save")
  core.check_waiting "save"
  new_file.write(target, "save", function(file) npy.write(file, x, "save") end)
end

--- Arrays by name: positional ones as arr_0, arr_1, then those of a last table by its sorted keys.
local function name_arrays(name, count, ...)
  local names, arrays, last = {}, {}, nil
  if count > 0 then last = select(count, ...) end
  local named = type(last) == "table" and core.is_options(last, name) and last or {}
  for k = 1, named == last and count - 1 or count do
    names[k] = "arr_" .. k - 1
    arrays[names[k]] = as_array((select(k, ...)), name)
  end
  local sorted = {}
  for key in pairs(named) do sorted[#sorted + 1] = key end
  table.sort(sorted)
  for _, key in ipairs(sorted) do
    npz.check_name(key, name)
    if arrays[key] then fail("%s: %s is the default name of another array; name that one too", name, key) end
    names[#names + 1], arrays[key] = key, as_array(named[key], name)
  end
  for _, key in ipairs(names) do npy.check_dtype(arrays[key], ("%s: %s"):format(name, key)) end
  return names, arrays
end

local function check_npz_path(path, name)
  check.dot(path, name)
  if type(path) ~= "string" then fail("%s: expected a path, got %s", name, check.show(path)) end
  return check_target(path, name, ".npz")
end

local function write_npz(path, names, arrays, deflated, name)
  core.check_waiting(name)
  new_file.write(path, name, function(file) npz.write(file, names, arrays, deflated, name) end)
end

local function saver(name, deflated)
  return function(path, ...)
    path = check_npz_path(path, name)
    local names, arrays = name_arrays(name, select("#", ...), ...)
    write_npz(path, names, arrays, deflated, name)
  end
end

--- Writes arrays and texts by name, for other files of cuna.
---@param arrays table<string, cuna.Array|string>
---@param deflated boolean
---@param name string the user's function
function M.write_npz(path, arrays, deflated, name)
  local names = {}
  path = check_npz_path(path, name)
  for key, value in pairs(arrays) do
    names[#names + 1] = key
    if type(value) ~= "string" then npy.check_dtype(value, name) end
  end
  table.sort(names)
  write_npz(path, names, arrays, deflated, name)
end

--- Writes several arrays as one .npz file: positional ones get the names arr_0, arr_1, ..., a table as the last
--- argument names others. Path and errors as for cn.save. Synchronises. Follows numpy.savez.
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
---@usage cn.savez("/dev/null", cn.arange(3), {x = cn.ones(2)}) -->
F.savez = saver("savez", false)

--- Like cn.savez, with every array compressed by zlib. Follows numpy.savez_compressed.
---@param path string
---@param ... cuna.Operand|table<string, cuna.Operand>
---@usage cn.savez_compressed("/dev/null", {x = cn.zeros(1000)}) -->
F.savez_compressed = saver("savez_compressed", true)

-- ---- bytes and text ----

--- The number of elements to read from a file that has `left` bytes.
local function count_elements(file, count, left, dtype)
  local size = dtype_facts.size_of[dtype]
  if count < 0 and left % size ~= 0 then
    fail("%s: %.0f bytes are not a whole number of %s elements", file:label(), left, dtype)
  end
  local there = math.floor(left / size)
  return count < 0 and there or math.min(count, there)
end

local function read_bytes(file, dtype, count)
  if not npy.left(file) then file = file:spool(count >= 0 and count * dtype_facts.size_of[dtype] or nil) end
  local x = core.empty(count_elements(file, count, npy.left(file), dtype), dtype, nil, "fromfile")
  file:read_array(x)
  return x
end

local function skip(file, offset)
  local left = npy.left(file)
  if not left then
    file:spool(offset)
  elseif offset > left then
    fail("%s: offset %d is beyond the end of the %.0f bytes", file:label(), offset, left)
  else
    file:seek(file:place() + offset)
  end
end

local function check_text(value, default, name, what)
  if value == nil then return default end
  if type(value) ~= "string" then fail("%s: %s is a string, got %s", name, what, check.show(value)) end
  if value:find("\0", 1, true) then fail("%s: %s cannot contain NUL bytes", name, what) end
  return value
end

local read_fromfile = args.reader("fromfile", {"file", "dtype", "count", "sep", "offset"})

--- A 1-d array of a file's bytes, as x:tofile() writes them, or with sep of the numbers in its text. A blank in sep
--- matches any number of blanks, and blanks around a number are ignored. With count a shorter file gives fewer
--- elements. Without count an incomplete last element is an error; text that is not a number always is. Follows
--- numpy.fromfile.
---@param file string|file*|table a path, an open file (read from its current offset), or {text = bytes}
---@param dtype string|nil default: the default float
---@param count integer|nil elements; nil or -1: all
---@param sep string|nil between numbers; nil or "": the file has bytes
---@param offset integer|nil bytes to skip first; not with sep
---@return cuna.Array 1-d
---@usage cn.fromfile({text = "\1\0\2\0"}, "int16") --> [1 2]
---@usage cn.fromfile({text = "1, 2,3"}, {sep = ","}) --> [1. 2. 3.]
function F.fromfile(...)
  local from, dtype, count, sep, offset = read_fromfile(...)
  dtype = check.dtype(dtype, "fromfile") or dtype_rules.default_dtype()
  count = count == nil and -1 or count
  if count ~= -1 then count = check.count(count, "fromfile", "count") end
  sep = check_text(sep, "", "fromfile", "sep")
  offset = check.count(offset or 0, "fromfile", "offset")
  if sep ~= "" and offset > 0 then fail "fromfile: offset is for bytes; leave it out beside sep" end
  local file = open(from, "fromfile")
  return reading(file, function()
    if offset > 0 then skip(file, offset) end
    local x = sep == "" and read_bytes(file, dtype, count) or file:spool():read_numbers(dtype, sep, count)
    file:close()
    return x
  end)
end

local read_tofile = args.reader("tofile", {"x", "file", "sep", "format"}, 2)

--- Writes the elements row by row as bytes, or with sep as text with sep between them. An existing file is replaced
--- when the new one is complete. Dtype and shape are not written. Synchronises. Follows numpy.ndarray.tofile.
---@param x cuna.Array
---@param file string|file* a path, or an open file
---@param sep string|nil nil or "": bytes
---@param format string|nil of each number; default "%s", the shortest text that reads back; see cn.savetxt
---@usage cn.arange(3):tofile("/dev/null") -->
---@usage cn.arange(3):tofile("/dev/null", {sep = ", ", format = "%d"}) -->
function methods.tofile(...)
  local x, target, sep, format = read_tofile(...)
  core.check_alive(check.self(x, "tofile"), "tofile")
  target = check_target(target, "tofile", "")
  sep, format = check_text(sep, "", "tofile", "sep"), check_text(format, "%s", "tofile", "format")
  core.check_waiting "tofile"
  new_file.write(target, "tofile", function(file)
    if sep == "" then
      npy.write_elements(file, x, "tofile")
    else
      file:write_numbers(x, format, sep)
    end
  end)
end

return M
