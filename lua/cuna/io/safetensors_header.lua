--- safetensors_header.lua: the header of a safetensors file: JSON that names tensors and places their bytes.
--
-- 8 bytes with the header's length, the header, then the tensors' bytes. Everything in a header is checked before
-- anything is allocated for it: the tensors lie one after another, without holes or overlaps, up to the file's end.
-- Follows the format's reference implementation in Rust.
local check = require "cuna.base.check"
local core = require "cuna.core"
local json = require "cuna.io.json"

local M = {}

local fail = check.fail

local MAX_HEADER, MAX_NDIM, ALIGNMENT = 100e6, core.limits.ndim, 8

-- The format's dtypes: bits of an element, and the dtype here, if there is one. The order is that of the reference,
-- which writes the last ones first: larger elements begin at multiples of their size.
local DTYPES = {
  {"BOOL", 8, "bool"}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8, "uint8"}, {"I8", 8, "int8"}, {"F8_E5M2", 8},
  {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16, "int16"}, {"U16", 16, "uint16"},
  {"F16", 16, "float16"}, {"BF16", 16, "bfloat16"}, {"I32", 32, "int32"}, {"U32", 32, "uint32"},
  {"F32", 32, "float32"}, {"C64", 64, "complex64"}, {"F64", 64, "float64"}, {"I64", 64, "int64"},
  {"U64", 64, "uint64"},
}
local by_code, by_dtype = {}, {}
for rank, row in ipairs(DTYPES) do
  local facts = {code = row[1], bits = row[2], dtype = row[3], rank = rank}
  by_code[row[1]] = facts
  if row[3] then by_dtype[row[3]] = facts end
end

--- Raises an error about a file.
local function refuse(file, format, ...) fail("%s: " .. format, file:label(), ...) end

-- ---- reading ----

--- Rejects what is not a whole number from 0 on that a double holds.
local function check_whole(file, value, name, what)
  if type(value) ~= "number" or value ~= math.floor(value) or value < 0 or value >= 2 ^ 53 then
    refuse(file, "'%s': its %s holds %s instead of a whole number", name, what, tostring(value))
  end
  return value
end

local function check_list(file, list, name, what)
  if getmetatable(list) ~= json.LIST then refuse(file, "'%s': its %s is not a list", name, what) end
  for k = 1, #list do check_whole(file, list[k], name, what) end
  return list
end

--- The bytes of a tensor; rejects sizes that a double cannot hold.
local function count_bytes(file, tensor)
  local bits = tensor.facts.bits
  for _, length in ipairs(tensor.shape) do bits = bits * length end
  local is_whole = bits < 2 ^ 53 and bits % 8 == 0 -- false for NaN too, which 0 times infinity is
  if not is_whole then refuse(file, "'%s': its shape has no size in bytes", tensor.name) end
  return bits / 8
end

local function read_tensor(file, name, value)
  if not json.is_object(value) then refuse(file, "'%s' is not an object", name) end
  local facts = by_code[value.dtype]
  if not facts then refuse(file, "'%s': unknown dtype %s", name, check.show(value.dtype)) end
  local offsets = check_list(file, value.data_offsets, name, "data_offsets")
  if #offsets ~= 2 then refuse(file, "'%s': its data_offsets are %d, and should be 2", name, #offsets) end
  local shape = setmetatable(check_list(file, value.shape, name, "shape"), nil)
  if #shape > MAX_NDIM then
    refuse(file, "'%s' has %d axes, and cuna's arrays have at most %d", name, #shape, MAX_NDIM)
  end
  local tensor = {name = name, facts = facts, shape = shape, first = offsets[1], last = offsets[2]}
  tensor.nbytes = count_bytes(file, tensor)
  if tensor.last - tensor.first ~= tensor.nbytes then
    refuse(file, "'%s': its shape and dtype need %.0f bytes, and its data_offsets are %.0f to %.0f", name,
      tensor.nbytes, tensor.first, tensor.last)
  end
  return tensor
end

--- Rejects holes and overlaps between tensors that are sorted by their offsets, and before the end of the file.
local function check_places(file, tensors, room)
  local place = 0
  for _, tensor in ipairs(tensors) do
    if tensor.first ~= place then
      refuse(file, "'%s' begins at byte %.0f of the data, %s byte %.0f", tensor.name, tensor.first,
        tensor.first < place and "inside of another tensor, which ends at" or "after a hole, which begins at", place)
    end
    place = tensor.last
  end
  if place > room then refuse(file, "the tensors have %.0f bytes, and the file has %.0f", place, room) end
  if place < room then refuse(file, "%.0f bytes follow the tensors", room - place) end
end

local function read_metadata(file, value)
  if value == nil or value == json.null then return {} end
  if not json.is_object(value) then refuse(file, "its __metadata__ is not an object") end
  for key, text in pairs(value) do
    if type(text) ~= "string" then refuse(file, "__metadata__: '%s' is not a string", key) end
  end
  return value
end

local function sort_tensors(tensors)
  table.sort(tensors, function(a, b)
    if a.first ~= b.first then return a.first < b.first end
    if a.last ~= b.last then return a.last < b.last end
    return a.name < b.name
  end)
end

--- The length of the header, which is at the beginning of the file.
local function read_length(file, size)
  local bytes = file:read(8)
  if #bytes < 8 then refuse(file, "not a safetensors file: it has %d bytes", #bytes) end
  local length = 0
  for k = 8, 1, -1 do length = length * 256 + bytes:byte(k) end
  if length > MAX_HEADER then
    refuse(file, "not a safetensors file, or a header of %.0f bytes, and there are at most %.0f", length, MAX_HEADER)
  end
  if 8 + length > size then refuse(file, "the file ends inside of the header") end
  return length
end

--- Reads the header of a file at its beginning.
---@return table[] tensors in file order: name, facts (code, dtype or nil), shape, nbytes, first (byte of the data)
---@return table<string, string> metadata
---@return integer data the place of the first byte after the header
function M.read(file)
  local size = file:size() or refuse(file, "a safetensors file cannot be read from a pipe")
  local length = read_length(file, size)
  local text = file:read(length)
  if text:sub(1, 1) ~= "{" then refuse(file, "not a safetensors file: its header does not begin with {") end
  local header, problem = json.read(text)
  if not header then refuse(file, "the header is not JSON: %s", problem) end
  local metadata, tensors = read_metadata(file, header.__metadata__), {}
  header.__metadata__ = nil
  for name, value in pairs(header) do tensors[#tensors + 1] = read_tensor(file, name, value) end
  sort_tensors(tensors)
  check_places(file, tensors, size - 8 - length)
  return tensors, metadata, 8 + length
end

-- ---- writing ----

--- Rejects dtypes that the format lacks.
function M.check_dtype(dtype, name)
  if not by_dtype[dtype] then fail("%s: the safetensors format has no %s", name, dtype) end
end

local function check_text(text, name, what)
  if type(text) ~= "string" then fail("%s: %s is a string, got %s", name, what, check.show(text)) end
  local bad = json.find_no_utf8(text)
  if bad then fail("%s: %s %q is not UTF-8 at byte %d", name, what, text, bad) end
end

local function sorted_keys(t, name, what)
  local keys = {}
  for key in pairs(t) do
    check_text(key, name, what)
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

--- "__metadata__":{"key":"value"}
local function metadata_text(metadata, name)
  local items = {}
  for k, key in ipairs(sorted_keys(metadata, name, "the key of metadata")) do
    check_text(metadata[key], name, ("metadata '%s'"):format(key))
    items[k] = json.quote(key) .. ":" .. json.quote(metadata[key])
  end
  return '"__metadata__":{' .. table.concat(items, ",") .. "}"
end

--- The names of arrays in file order: larger elements first, then by name.
function M.order(arrays, name)
  local names = sorted_keys(arrays, name, "the name of a tensor")
  table.sort(names, function(a, b)
    local x, y = by_dtype[arrays[a].dtype].rank, by_dtype[arrays[b].dtype].rank
    if x ~= y then return x > y end
    return a < b
  end)
  return names
end

--- The bytes of a header, with those of its length, for arrays after checks by M.check_dtype.
---@param names string[] by M.order
---@param arrays table<string, cuna.Array>
---@param metadata table<string, string>|nil
---@param name string the user's function
function M.text(names, arrays, metadata, name)
  local items, place = {metadata and metadata_text(metadata, name)}, 0
  for _, key in ipairs(names) do
    local x = arrays[key]
    items[#items + 1] = ('%s:{"dtype":"%s","shape":[%s],"data_offsets":[%.0f,%.0f]}'):format(json.quote(key),
      by_dtype[x.dtype].code, table.concat(x.shape, ","), place, place + x.nbytes)
    place = place + x.nbytes
  end
  local text = "{" .. table.concat(items, ",") .. "}"
  text = text .. (" "):rep(-#text % ALIGNMENT)
  if #text > MAX_HEADER then fail("%s: a header of %d bytes, and there are at most %.0f", name, #text, MAX_HEADER) end
  local length = {}
  for k = 1, 8 do length[k] = string.char(math.floor(#text / 2 ^ (8 * k - 8)) % 256) end
  return table.concat(length) .. text
end

return M
