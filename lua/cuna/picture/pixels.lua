--- pixels.lua: memory of the host for the samples of a picture, and the array that is made of it.
--
-- A picture is an array of shape (height, width), or (height, width, channels), of uint8 or uint16.
local core = require "cuna.core"
local check = require "cuna.base.check"
local ffi = require "ffi"

local M = {}

ffi.cdef [[
void *malloc(size_t nbytes);
void free(void *memory);
]]

local fail = check.fail

local MAX_PIXELS = 2 ^ 50 -- so that products of lengths are exact

--- Memory of some samples, which is freed with its last reference.
---@param count number of samples
---@param size integer 1 or 2: bytes of a sample
---@param name string the user's function
---@return ffi.cdata* samples uint8_t * or uint16_t *; pointers that are computed from it do not keep it alive
function M.allocate(count, size, name)
  local memory = ffi.C.malloc(math.max(count * size, 1))
  if memory == nil then fail("OutOfMemoryError: %s: no memory for %.0f bytes on the host", name, count * size) end
  return ffi.gc(ffi.cast(size == 1 and "uint8_t *" or "uint16_t *", memory), ffi.C.free)
end

--- Rejects lengths that no picture has.
function M.check_size(file, height, width)
  if height < 1 or width < 1 or height * width > MAX_PIXELS then
    fail("%s: a picture of %.0f x %.0f pixels", file:label(), width, height)
  end
end

--- Rejects a picture that the bytes in its file cannot stand for, before memory is allocated for it.
---@param need number the fewest bytes that such a picture has in a file
function M.check_data(file, height, width, need, there)
  if need <= there then return end
  fail("%s: the file is damaged or cut off: %.0f x %.0f pixels need at least %.0f bytes, and it has %.0f",
    file:label(), width, height, need, there)
end

local function shape_of(height, width, channels)
  return channels == 1 and {height, width} or {height, width, channels}
end

local function address_of(samples) return tonumber(ffi.cast("uintptr_t", samples)) end

--- The array of samples, on the current device.
---@param samples ffi.cdata*|string uint8_t *, uint16_t *, or bytes
---@param offset integer|nil bytes to skip, of a string
---@return cuna.Array
---@return any samples which are alive until here
function M.array(samples, height, width, channels, size, name, offset)
  local x = core.empty(shape_of(height, width, channels), size == 1 and "uint8" or "uint16", nil, name)
  offset = offset or 0
  core.set_bytes(x, type(samples) == "string" and samples or address_of(samples) + offset, offset)
  return x, samples
end

--- Height, width and channels of an array.
function M.lengths(x)
  local shape = x.shape
  return shape[1], shape[2], shape[3] or 1
end

--- The bytes of a picture, row by row: one string, and a pointer to its samples.
---@return string bytes which must stay referenced
---@return ffi.cdata* samples const uint8_t * or const uint16_t *
function M.bytes(x)
  local bytes = x:tobytes()
  return bytes, ffi.cast(x.itemsize == 1 and "const uint8_t *" or "const uint16_t *", bytes)
end

--- The remaining bytes of a file as a string, and how many there are.
function M.rest(file)
  local left = file:size() - file:place()
  return file:read(left), left
end

return M
