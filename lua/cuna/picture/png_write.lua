--- png_write.lua: writes PNG files: gray or colours, with or without opacity, of 8 or 16 bits.
--
-- Each row gets the filter whose bytes are the smallest, which compress best. The compressed data is made in memory,
-- because a chunk begins with its length.
local core = require "cuna.core"
local ffi = require "ffi"
local pixels = require "cuna.picture.pixels"
local png = require "cuna.picture.png"

local M = {channels = {true, true, true, true}, dtypes = {uint8 = true, uint16 = true}}

local MAX_CHUNK = 2 ^ 30
local ZLIB = "\120\156" -- a window of 32 KiB, and the default level

local function write_chunk(file, kind, data)
  file:write(png.put32(#data))
  file:begin_part(true, false)
  file:write(kind)
  file:write(data)
  local crc = file:end_part()
  file:write(png.put32(crc))
end

--- A function that stores a row of samples as bytes, the highest first.
local function row_reader(x, samples, per_row)
  if x.itemsize == 1 then
    return function(line, row) ffi.copy(line, samples + row * per_row, per_row) end
  end
  return function(line, row)
    for k = 0, per_row - 1 do
      local value = samples[row * per_row + k]
      line[2 * k], line[2 * k + 1] = bit.rshift(value, 8), value
    end
  end
end

--- The filtered rows as a zlib stream.
local function compress(x, name)
  local height, width, channels = pixels.lengths(x)
  local bytes, samples = pixels.bytes(x)
  local count, step = width * channels * x.itemsize, channels * x.itemsize
  local line, above = ffi.new("uint8_t[?]", count), ffi.new("uint8_t[?]", count)
  local filtered, trial = ffi.new("uint8_t[?]", count + 1), ffi.new("uint8_t[?]", count + 1)
  local stream, sum, read_row = core.file_create_text(name), 1, row_reader(x, samples, width * channels)
  stream:write(ZLIB)
  stream:begin_part(true, true)
  for row = 0, height - 1 do
    read_row(line, row)
    png.filter(filtered, trial, line, above, count, step)
    sum = png.adler32(sum, filtered, count + 1)
    stream:write(ffi.string(filtered, count + 1))
    line, above = above, line
  end
  stream:end_part()
  stream:write(png.put32(sum))
  local data = stream:text()
  stream:close()
  return data, bytes
end

--- Writes a picture of uint8 or uint16, with 1 to 4 channels.
---@param name string the user's function
function M.write(file, x, _, name)
  local height, width, channels = pixels.lengths(x)
  local data = compress(x, name)
  file:write(png.SIGNATURE)
  write_chunk(file, "IHDR", png.put32(width) .. png.put32(height)
    .. string.char(8 * x.itemsize, png.CODES[channels], 0, 0, 0))
  for at = 1, #data, MAX_CHUNK do write_chunk(file, "IDAT", data:sub(at, at + MAX_CHUNK - 1)) end
  write_chunk(file, "IEND", "")
end

return M
