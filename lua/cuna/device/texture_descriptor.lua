--- texture_descriptor.lua: what textures are made of: the format of texels, their memory, and how they are read.
--
-- A descriptor is a table whose state cannot be changed. Enumerations are numbers, as in cn.cuda.runtime, or words.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local suggest = require "cuna.base.suggest"

local M = {functions = {}}
local F = M.functions -- of cn.cuda.texture

local fail = check.fail
local STATE = {} -- the key of an object's state

-- ---- objects ----

--- Makes a class of objects: `fields` of their state can be read, `computed` ones are functions of it.
---@param word string such as "CUDAarray"
---@param methods table<string, function>
---@param fields table<string, boolean>
---@param computed table<string, function>|nil
---@return table metatable
function M.class(word, methods, fields, computed)
  local metatable = {}
  function metatable.__index(self, key)
    if methods[key] then return methods[key] end
    local state = rawget(self, STATE)
    if fields[key] then return state[key] end
    if computed and computed[key] then return computed[key](state) end
    fail("a %s has no field '%s'%s", word, tostring(key), suggest.hint(key, fields, methods, computed or {}))
  end
  function metatable.__newindex(_, key) fail("a %s's field '%s' cannot be set", word, tostring(key)) end
  return metatable
end

function M.new(metatable, state) return setmetatable({[STATE] = state}, metatable) end

--- The state of an object of a class; nil for other values.
function M.state_of(value, metatable)
  return type(value) == "table" and getmetatable(value) == metatable and rawget(value, STATE) or nil
end
local state_of = M.state_of

--- The state of an argument that is an object of a class.
function M.check_object(value, metatable, name, what, example)
  return state_of(value, metatable) or fail("%s: %s is a cn.cuda.texture.%s, got %s", name, what, example,
    check.show(value))
end

--- The state of an object whose method is called.
function M.check_self(value, metatable, name, word)
  return state_of(value, metatable) or fail("%s: a %s's function is called with a colon: x:%s()", name, word, name)
end

-- ---- arguments ----

--- The number of an enumeration's value, which is that number or its word.
local function choose(value, words, name, what, default)
  if value == nil then return default end
  for number, word in pairs(words) do
    if value == number or value == word then return number end
  end
  local known = {}
  for number, word in pairs(words) do known[#known + 1] = ("%d (%q)"):format(number, word) end
  table.sort(known)
  fail("%s: %s is one of %s, got %s", name, what, table.concat(known, ", "), check.show(value))
end

--- A whole number from `least` on.
function M.whole(value, least, name, what, default)
  if value == nil then return default end
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > 2 ^ 31 then
    fail("%s: %s is a whole number from %d on, got %s", name, what, least, check.no_number(value))
  end
  return value
end
local whole = M.whole

--- A boolean, or 0 or 1 as in CuPy.
local function truth(value, name, what)
  if value == nil or value == 0 then return false end
  return value == 1 or check.boolean(value, false, name, what)
end

-- ---- channels ----

local CHANNELS = {"x", "y", "z", "w"}
local KINDS = {[0] = "signed", "unsigned", "float"}
local DTYPES = {[0] = {[8] = "int8", [16] = "int16", [32] = "int32"}, {[8] = "uint8", [16] = "uint16", [32] = "uint32"},
  {[16] = "float16", [32] = "float32"}}

local channel_methods = {}
local CHANNEL = M.class("ChannelFormatDescriptor", channel_methods, {dtype = true, channels = true})
M.CHANNEL = CHANNEL

--- The format of texels. Follows cupy.cuda.texture.ChannelFormatDescriptor.
---@class cuna.ChannelFormatDescriptor
---@field dtype string of the channels: "float32"
---@field channels integer 1, 2 or 4

--- The arguments of the descriptor: {x =, y =, z =, w =, f =}.
---@return table<string, integer> a new table
---@usage cn.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, "float"):get_channel_format().f --> 2
function channel_methods.get_channel_format(self)
  local state = M.check_self(self, CHANNEL, "get_channel_format", "ChannelFormatDescriptor")
  local list = {f = state.kind}
  for i, key in ipairs(CHANNELS) do list[key] = i <= state.channels and state.bits or 0 end
  return list
end

function CHANNEL.__tostring(self)
  local state = rawget(self, STATE)
  return ("<texels of %d x %s>"):format(state.channels, state.dtype)
end

--- The bits of a channel and their number.
local function read_channels(name, list)
  local count = 0
  for i, key in ipairs(CHANNELS) do whole(list[i], 0, name, "the number of bits " .. key) end
  for i = 1, 4 do
    if list[i] > 0 and (i > 1 and list[i] ~= list[1] or count ~= i - 1) then
      fail("%s: channels in use are the first ones and have equal bits, got %d, %d, %d, %d", name, unpack(list))
    end
    if list[i] > 0 then count = i end
  end
  if count == 0 or count == 3 then fail("%s: a texel has 1, 2 or 4 channels, got %d", name, count) end
  return list[1], count
end

local read_channel_format = args.reader("ChannelFormatDescriptor", {"x", "y", "z", "w", "f"})

--- The format of a texel: bits of its channels x, y, z and w, of which the first 1, 2 or 4 are in use with 8, 16 or 32
--- bits (floats 16 or 32), and the kind of their numbers. Follows cupy.cuda.texture.ChannelFormatDescriptor.
---@param x integer
---@param y integer 0 for channels that there are not
---@param z integer
---@param w integer
---@param f integer|string cn.cuda.runtime.cudaChannelFormatKindSigned, Unsigned or Float; or "signed", "unsigned",
--- "float"
---@return cuna.ChannelFormatDescriptor
---@usage cn.cuda.texture.ChannelFormatDescriptor(8, 8, 8, 8, "unsigned") --> <texels of 4 x uint8>
function F.ChannelFormatDescriptor(...)
  local name = "ChannelFormatDescriptor"
  local x, y, z, w, f = read_channel_format(...)
  local kind = choose(f, KINDS, name, "f")
  if kind == nil then fail("%s: takes five arguments: the bits x, y, z, w and the kind f", name) end
  local bits, count = read_channels(name, {x or 0, y or 0, z or 0, w or 0})
  local dtype = DTYPES[kind][bits]
  if not dtype then fail("%s: textures have no %s channels of %d bits", name, KINDS[kind], bits) end
  return M.new(CHANNEL, {bits = bits, channels = count, kind = kind, dtype = dtype})
end

--- A format; of a dtype that of one channel.
function M.read_format(value, name, what)
  local bits = type(value) == "string" and tonumber(value:match "%d+$")
  for kind = 0, bits and 2 or -1 do
    if DTYPES[kind][bits] == value then return F.ChannelFormatDescriptor(bits, 0, 0, 0, kind) end
  end
  M.check_object(value, CHANNEL, name, what, "ChannelFormatDescriptor")
  return value
end

-- ---- resources ----

local RESOURCES = {[0] = "array", [2] = "linear", [3] = "pitch2d"}

local resource_methods = {}
local RESOURCE = M.class("ResourceDescriptor", resource_methods, {cuArr = true, arr = true, chDesc = true})
M.RESOURCE = RESOURCE

--- The memory that a texture or surface is over. Follows cupy.cuda.texture.ResourceDescriptor.
---@class cuna.ResourceDescriptor
---@field cuArr cuna.CUDAarray|nil
---@field arr cuna.Array|nil
---@field chDesc cuna.ChannelFormatDescriptor|nil

--- The arguments of the descriptor: {resType =, array =, linear =, pitch2D =}, of which one table is there.
---@return table a new table
---@usage cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 5)).ResDesc:get_resource_desc().resType --> 0
function resource_methods.get_resource_desc(self)
  local state = M.check_self(self, RESOURCE, "get_resource_desc", "ResourceDescriptor")
  local desc = {resType = state.restype}
  if state.cuArr then
    desc.array = {array = state.cuArr.ptr}
  elseif state.nbytes then
    desc.linear = {desc = state.chDesc:get_channel_format(), sizeInBytes = state.nbytes}
  else
    desc.pitch2D = {desc = state.chDesc:get_channel_format(), width = state.width, height = state.height,
      pitchInBytes = state.pitch}
  end
  return desc
end

--- An array of elements of the channels' dtype.
local function check_memory(state, name)
  if state.arr == nil or state.chDesc == nil then
    fail("%s: linear and pitch2d memory need arr and chDesc", name)
  end
  core.check_alive(state.arr, name .. ": arr")
  local format = M.read_format(state.chDesc, name, "chDesc")
  state.chDesc = format
  if state.arr.dtype ~= format.dtype then
    fail("%s: arr is %s, and the channels are %s; convert it with x:astype(%q)", name, state.arr.dtype, format.dtype,
      format.dtype)
  end
  return format
end

--- Rows of an array of two axes, unless they are given.
local function set_rows(state, format, name)
  local shape = state.arr.shape
  if not (state.width and state.height and state.pitch) and #shape ~= 2 then
    fail("%s: pitch2d memory needs width, height and pitchInBytes, or an array of 2 axes, got one of %d", name, #shape)
  end
  state.width = state.width or math.floor(shape[2] / format.channels)
  state.height = state.height or shape[1]
  state.pitch = state.pitch or shape[2] * state.arr.itemsize
  if state.width < 1 or state.height < 1 then fail("%s: the texture has no texels", name) end
end

local read_resource = args.reader("ResourceDescriptor", {"restype", "cuArr", "arr", "chDesc", "sizeInBytes", "width",
  "height", "pitchInBytes"})

--- 0 stands for nothing, as in CuPy.
local function read_size(value, name, what)
  value = whole(value, 0, name, what)
  return value ~= 0 and value or nil
end

--- The memory for a texture or surface. Follows cupy.cuda.texture.ResourceDescriptor.
---@param restype integer|string cn.cuda.runtime.cudaResourceTypeArray, Linear or Pitch2D; or "array", "linear",
--- "pitch2d"
---@param cuArr cuna.CUDAarray|nil for an array; this and the others also as a table of options
---@param arr cuna.Array|nil for linear and pitch memory: C-contiguous, of the channels' dtype; it begins at a multiple
--- of 512 bytes, as new arrays do
---@param chDesc cuna.ChannelFormatDescriptor|string|nil for linear and pitch memory; or the dtype of one channel
---@param sizeInBytes integer|nil of linear memory; default: all of arr
---@param width integer|nil of pitch memory, in texels; default: the columns of arr
---@param height integer|nil of pitch memory; default: the rows of arr
---@param pitchInBytes integer|nil from row to row, a multiple of 32; default: a row of arr
---@return cuna.ResourceDescriptor
---@usage cn.cuda.texture.ResourceDescriptor("linear", {arr = cn.ones(9, "int8"), chDesc = "int8"}).arr.size --> 9
function F.ResourceDescriptor(...)
  local name = "ResourceDescriptor"
  local restype, cuArr, arr, chDesc, nbytes, width, height, pitch = read_resource(...)
  local number = choose(restype, RESOURCES, name, "restype")
  if number == nil then fail("%s: restype is missing: \"array\", \"linear\" or \"pitch2d\"", name) end
  local state = {restype = number, cuArr = cuArr, arr = arr, chDesc = chDesc}
  if number == 0 then
    M.check_object(cuArr, M.TEXELS, name, "cuArr", "CUDAarray")
    return M.new(RESOURCE, state)
  end
  local format = check_memory(state, name)
  if number == 2 then
    state.nbytes = read_size(nbytes, name, "sizeInBytes") or arr.nbytes
  else
    state.width, state.height = read_size(width, name, "width"), read_size(height, name, "height")
    state.pitch = read_size(pitch, name, "pitchInBytes")
    set_rows(state, format, name)
  end
  return M.new(RESOURCE, state)
end

-- ---- reading ----

local ADDRESSES = {[0] = "wrap", "clamp", "mirror", "border"}
local FILTERS = {[0] = "point", "linear"}
local READS = {[0] = "element", "normalized"}

local texture_methods = {}
local TEXTURE = M.class("TextureDescriptor", texture_methods, {})
M.TEXTURE = TEXTURE

--- How a texture is read. Follows cupy.cuda.texture.TextureDescriptor.
---@class cuna.TextureDescriptor

local function copy_list(list)
  local copy = {}
  for i, value in ipairs(list) do copy[i] = value end
  return copy
end

--- The arguments of the descriptor, as CuPy names them.
---@return table a new table
---@usage cn.cuda.texture.TextureDescriptor({"border"}, "linear"):get_texture_desc().addressMode[1] --> 3
function texture_methods.get_texture_desc(self)
  local state = M.check_self(self, TEXTURE, "get_texture_desc", "TextureDescriptor")
  return {addressMode = copy_list(state.address), filterMode = state.filters and 1 or 0,
    readMode = state.as_float and 1 or 0, sRGB = state.srgb and 1 or 0, borderColor = copy_list(state.border),
    normalizedCoords = state.normalized and 1 or 0, maxAnisotropy = state.max_anisotropy}
end

--- The entries of a list of up to `most`, read by `read`; missing ones are 0.
local function read_list(list, most, name, what, read)
  local values = {}
  if list ~= nil and type(list) ~= "table" then
    fail("%s: %s is a table of up to %d entries, got %s", name, what, most, check.show(list))
  end
  if list and #check.whole(list, name, what) > most then
    fail("%s: %s has up to %d entries, got %d", name, what, most, #list)
  end
  for i = 1, most do values[i] = list and list[i] ~= nil and read(list[i], i) or 0 end
  return values
end

local function read_colour(value, i)
  if type(value) ~= "number" then
    fail("TextureDescriptor: borderColors[%d] is a number, got %s", i, check.no_number(value))
  end
  return value
end

local function read_address(value, i)
  return choose(value, ADDRESSES, "TextureDescriptor", ("addressModes[%d]"):format(i))
end

local read_texture = args.reader("TextureDescriptor", {"addressModes", "filterMode", "readMode", "sRGB", "borderColors",
  "normalizedCoords", "maxAnisotropy"}, 0)

--- How a texture is read: what is outside, whether texels are filtered, and what coordinates and numbers mean. Follows
--- cupy.cuda.texture.TextureDescriptor.
---@param addressModes (integer|string)[]|nil by axis x, y, z: "wrap" (default), "clamp", "mirror" or "border", also
--- cn.cuda.runtime.cudaAddressModeWrap and so on. Wrap and mirror need normalized coordinates, and are clamp without.
---@param filterMode integer|string|nil "point" (default): the nearest texel; "linear": between the nearest texels, with
--- weights of 8 bits after the binary point. Also cudaFilterModePoint, Linear.
---@param readMode integer|string|nil "element" (default): texels as they are; "normalized": integers of 8 and 16 bits
--- as numbers from 0, or -1, to 1. Also cudaReadModeElementType, NormalizedFloat.
---@param sRGB boolean|integer|nil whether bytes are sRGB, which is made linear; with readMode "normalized"
---@param borderColors number[]|nil up to 4 channels outside of the texture, for "border"; default 0
---@param normalizedCoords boolean|integer|nil whether coordinates are from 0 to 1
---@param maxAnisotropy integer|nil 0 to 16, of no effect without mipmaps
---@return cuna.TextureDescriptor
---@usage cn.cuda.texture.TextureDescriptor({"clamp"}, "linear"):get_texture_desc().filterMode --> 1
function F.TextureDescriptor(...)
  local name = "TextureDescriptor"
  local addresses, filter, read, srgb, colours, normalized, anisotropy = read_texture(...)
  return M.new(TEXTURE, {
    address = read_list(addresses, 3, name, "addressModes", read_address),
    filters = choose(filter, FILTERS, name, "filterMode", 0) == 1,
    as_float = choose(read, READS, name, "readMode", 0) == 1,
    srgb = truth(srgb, name, "sRGB"),
    border = read_list(colours, 4, name, "borderColors", read_colour),
    normalized = truth(normalized, name, "normalizedCoords"),
    max_anisotropy = math.min(whole(anisotropy, 0, name, "maxAnisotropy", 0), 16),
  })
end

return M
