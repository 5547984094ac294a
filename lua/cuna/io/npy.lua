--- npy.lua: one array in NumPy's .npy format: a header, which is a Python dict as text, followed by the elements.
--
-- A header determines how much memory is allocated, so it is completely checked first, also against the file's size.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local ffi = require "ffi"

local M = {MAGIC = "\147NUMPY"}

local fail = check.fail

local MAX_HEADER, MAX_NDIM, ALIGNMENT = 65536, core.limits.ndim, 64
local GROWTH_DIGITS = 21 -- digits that NumPy reserves for the first length
local PIECE_NBYTES = 16 * 2 ^ 20
local NATIVE, OTHER = "<", ">"
if ffi.abi "be" then NATIVE, OTHER = OTHER, NATIVE end

local LETTERS = {bool = "b", int = "i", uint = "u", float = "f", complex = "c"}
local size_of = dtype_facts.size_of
local code_of, dtype_of = {}, {}
for _, dtype in ipairs(core.dtypes) do
  local letter = LETTERS[dtype.name:match "^%a+"]
  if letter and dtype.name ~= "bfloat16" then
    code_of[dtype.name] = letter .. dtype.size
    dtype_of[letter .. dtype.size] = dtype.name
  end
end

--- Raises an error about a file.
local function refuse(file, format, ...) fail("%s: " .. format, file:label(), ...) end

-- ---- the header's text ----

local KINDS = {
  O = "Python objects, which only a pickle could hold", S = "strings", U = "strings", a = "strings",
  V = "bytes of no dtype (bfloat16 is saved so; write astype(\"float32\") before saving)",
  M = "times", m = "times", f = "floats of a size that cuna does not have", c = "complex numbers of a size that cuna "
    .. "does not have",
}

--- The dtype of a descr such as "<f8", and whether its byte order is swapped.
local function read_descr(file, descr)
  local order, code = descr:match "^([<>|=]?)(%a%d+)$"
  local dtype = code and dtype_of[code]
  if dtype then return dtype, order == OTHER and size_of[dtype] > 1 end
  local kind = KINDS[descr:match "^[<>|=]?(%a)"]
  if kind then refuse(file, "the array holds %s (descr '%s'), and cuna has numbers only", kind, descr) end
  refuse(file, "unknown descr '%s'", descr)
end

--- The lengths of "(3, 4)" without its brackets.
local function read_shape(file, text)
  local shape, at = {}, 1
  while text:find("%S", at) do
    local digits, comma, behind = text:match("^%s*(%d+)L?%s*(,?)()", at)
    local is_last = digits and not text:find("%S", behind)
    if not digits or digits:find "^0%d" or #digits > 15 or (comma == "" and (not is_last or #shape == 0)) then
      refuse(file, "the header's shape (%s) is none", text)
    end
    shape[#shape + 1], at = tonumber(digits), behind
  end
  if #shape > MAX_NDIM then refuse(file, "the array has %d axes, and cuna's have at most %d", #shape, MAX_NDIM) end
  return shape
end

local READERS = {
  descr = function(file, header, text, at)
    local descr, behind = select(2, text:match("^(['\"])([^'\"]*)%1()", at))
    if text:find("^[%[{(]", at) then refuse(file, "the array is a structured one, and cuna has numbers only") end
    if descr then header.dtype, header.swapped = read_descr(file, descr) end
    return behind
  end,
  fortran_order = function(_, header, text, at)
    local word, behind = text:match("^(%a+)()", at)
    if word ~= "True" and word ~= "False" then return nil end
    header.fortran_order = word == "True"
    return behind
  end,
  shape = function(file, header, text, at)
    local inside, behind = text:match("^%(([^()]*)%)()", at)
    if inside then header.shape = read_shape(file, inside) end
    return behind
  end,
}

--- Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }".
local function parse(file, text)
  local header, seen = {}, {}
  local at = text:match "^%s*{%s*()"
  while at and not text:find("^}", at) do
    local key, value = select(2, text:match("^(['\"])([%w_]+)%1%s*:%s*()", at))
    local behind = READERS[key] and not seen[key] and READERS[key](file, header, text, value)
    if not behind then refuse(file, "the header is damaged at byte %d: %q", at, text:sub(at, at + 29)) end
    seen[key] = true
    at = text:match("^%s*,%s*()", behind) or text:match("^%s*()}", behind)
  end
  if not (at and text:find("^}%s*$", at)) then refuse(file, "the header is not a dict: %q", text:sub(1, 40)) end
  for key in pairs(READERS) do
    if not seen[key] then refuse(file, "the header has no '%s'", key) end
  end
  return header
end

local function show(shape) return "(" .. table.concat(shape, ", ") .. (#shape == 1 and ",)" or ")") end

--- The size of the elements in bytes; rejects sizes that a double cannot represent.
local function count_bytes(file, header)
  local size = 1
  for _, length in ipairs(header.shape) do size = size * length end
  local nbytes = size * size_of[header.dtype]
  local can_be_counted = nbytes < 2 ^ 53 -- false for NaN too, which 0 times infinity is
  if not can_be_counted then
    refuse(file, "an array of shape %s and dtype %s is larger than any memory", show(header.shape), header.dtype)
  end
  return nbytes
end

--- The size of the values whose bytes must be swapped, 0 if none. The parts of complex numbers are swapped separately.
local function count_swapped(header)
  if not header.swapped then return 0 end
  return size_of[header.dtype] / (header.dtype:find "^complex" and 2 or 1)
end

--- Reads a header whose first six bytes, `magic`, have been read already.
---@return table header dtype, swapped (size of the values whose byte order is swapped), fortran_order, shape, nbytes
--- (of the elements), length (of the header)
function M.read_header(file, magic)
  if magic ~= M.MAGIC then refuse(file, "no .npy data") end
  local major, minor = file:read(2):byte(1, 2)
  if not minor then refuse(file, "the file ends inside of the header") end
  if major < 1 or major > 3 or minor ~= 0 then
    refuse(file, "version %d.%d of the .npy format is unknown", major, minor)
  end
  local width = major == 1 and 2 or 4
  local a, b, c, d = file:read(width):byte(1, width)
  if not (width == 2 and b or d) then refuse(file, "the file ends inside of the header") end
  local length = a + b * 2 ^ 8 + (c or 0) * 2 ^ 16 + (d or 0) * 2 ^ 24
  if length > MAX_HEADER then refuse(file, "a header of %d bytes; there are at most %d", length, MAX_HEADER) end
  local text = file:read(length)
  if #text < length then refuse(file, "the file ends inside of the header") end
  local header = parse(file, text)
  header.nbytes, header.length = count_bytes(file, header), 8 + width + length
  header.swapped = count_swapped(header)
  return header
end

--- The text of a header, byte for byte as NumPy writes it.
local function header_of(descr, shape, fortran_order)
  local lengths = table.concat(shape, ", ") .. (#shape == 1 and "," or "")
  local growing = shape[fortran_order and #shape or 1]
  local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }"):format(descr,
    fortran_order and "True" or "False", lengths)
  if growing then text = text .. (" "):rep(GROWTH_DIGITS - #("%d"):format(growing)) end
  text = text .. (" "):rep(ALIGNMENT - (10 + #text + 1) % ALIGNMENT) .. "\n"
  return M.MAGIC .. "\1\0" .. string.char(#text % 256, math.floor(#text / 256)) .. text
end

--- The header of an array's elements.
function M.header(dtype, shape, fortran_order)
  return header_of((size_of[dtype] > 1 and NATIVE or "|") .. code_of[dtype], shape, fortran_order)
end

--- The header of a text of some bytes, which is an array of no axes.
function M.text_header(nbytes) return header_of("|S" .. nbytes, {}, false) end

-- ---- elements ----

--- The shape in which the file has the elements in row-major order.
function M.shape_in_file(header)
  if not header.fortran_order then return header.shape end
  local reversed = {}
  for i, length in ipairs(header.shape) do reversed[#header.shape + 1 - i] = length end
  return reversed
end

local function as_shaped(x, header) return header.fortran_order and x.ndim > 1 and x.T or x end

--- The remaining bytes of a file; nil if the size is unknown before reading.
function M.left(file)
  local size = file:size()
  return size and size - file:place()
end

--- Rejects files that are shorter than their header says; `left` are the bytes after it.
function M.check_left(file, header, left)
  if left < header.nbytes then
    refuse(file, "an array of shape %s and dtype %s has %.0f bytes, and the file has %.0f more", show(header.shape),
      header.dtype, header.nbytes, left)
  end
end

--- Reads the elements after a header; the file, or its open part, must contain them.
---@param name string the user's function
---@return cuna.Array
function M.read_elements(file, header, name)
  local x = core.empty(M.shape_in_file(header), header.dtype, nil, name)
  file:read_array(x, header.swapped)
  return as_shaped(x, header)
end

--- Reads an array whose magic has been read already. Data from a pipe is read before memory is allocated for it.
function M.read(file, magic, name)
  local header = M.read_header(file, magic)
  local source = M.left(file) and file or file:spool(header.nbytes)
  M.check_left(file, header, M.left(source))
  return M.read_elements(source, header, name), header
end

--- Maps an array whose magic has been read already; `how` is "read", "copy" or "write".
function M.map(file, magic, how)
  local header = M.read_header(file, magic)
  if header.swapped > 1 then refuse(file, "numbers in the other byte order cannot be mapped; omit mmap_mode") end
  M.check_left(file, header, M.left(file) or 0)
  return as_shaped(file:map(how, file:place(), header.dtype, M.shape_in_file(header)), header), header
end

--- Rejects dtypes that the format lacks; `label` begins the message.
function M.check_dtype(x, label)
  if code_of[x.dtype] then return end
  fail("%s: the .npy format has no %s; save x:astype(\"float32\")", label, x.dtype)
end

local function key_of(ndim, first, last)
  local key = {{first, last}}
  for axis = 2, ndim do key[axis] = {} end
  return key
end

--- Calls visit(part) for parts of x that are contiguous, in row-major order; copies have at most PIECE_NBYTES.
local function each_part(x, name, visit)
  if x.flags.c_contiguous then return visit(x) end
  if x.nbytes <= PIECE_NBYTES or x.ndim == 0 then
    local part = core.cast(x, nil, name)
    visit(part)
    return core.free(part)
  end
  local length = #x
  local rows = math.max(1, math.floor(PIECE_NBYTES / (x.nbytes / length)))
  for first = 1, length, rows do
    local last = math.min(first + rows - 1, length)
    each_part(rows == 1 and x.ndim > 1 and x[first] or x[key_of(x.ndim, first, last)], name, visit)
  end
end

--- Writes the elements of x in row-major order, for any layout.
function M.write_elements(file, x, name)
  each_part(x, name, function(part) file:write_array(part) end)
end

--- The header of an array to be written, and its elements in file order: Fortran order if that is its layout in memory.
---@return string header
---@return cuna.Array x row-major if possible
function M.lay_out(x)
  local flags = x.flags
  local fortran_order = flags.f_contiguous and not flags.c_contiguous
  return M.header(x.dtype, x.shape, fortran_order), fortran_order and x.T or x
end

--- Writes an array, after a check by M.check_dtype.
function M.write(file, x, name)
  local header, laid = M.lay_out(x)
  file:write(header)
  M.write_elements(file, laid, name)
end

return M
