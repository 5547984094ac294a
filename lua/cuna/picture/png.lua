--- png.lua: what readers and writers of PNG files share: chunks, kinds of pixels, and the filters of rows.
--
-- A file is a signature and chunks: length, kind, data, and a CRC-32 of kind and data, which core's files compute.
-- Before compression, each row is replaced by its difference to neighbouring bytes, by one of five filters. Follows the
-- PNG specification (ISO/IEC 15948).
local ffi = require "ffi"

local M = {SIGNATURE = "\137PNG\r\n\26\n"}

local abs = math.abs

--- Channels by the code of a kind of pixel, and the bits of a sample that it may have.
M.KINDS = {
  [0] = {channels = 1, depths = {[1] = true, [2] = true, [4] = true, [8] = true, [16] = true}},
  [2] = {channels = 3, depths = {[8] = true, [16] = true}},
  [3] = {channels = 1, depths = {[1] = true, [2] = true, [4] = true, [8] = true}, is_palette = true},
  [4] = {channels = 2, depths = {[8] = true, [16] = true}},
  [6] = {channels = 4, depths = {[8] = true, [16] = true}},
}

--- The code of a kind by its channels.
M.CODES = {0, 4, 2, 6}

--- A number of 32 bits at a position of a string, the highest byte first.
function M.u32(text, at)
  local a, b, c, d = text:byte(at, at + 3)
  return ((a * 256 + b) * 256 + c) * 256 + d
end

--- A number as 4 bytes.
function M.put32(n)
  return string.char(math.floor(n / 2 ^ 24) % 256, math.floor(n / 2 ^ 16) % 256, math.floor(n / 256) % 256, n % 256)
end

--- The check sum at the end of zlib's streams, which goes on from `sum` (at first 1).
---@param bytes ffi.cdata* uint8_t *
function M.adler32(sum, bytes, count)
  local a, b, at = sum % 65536, math.floor(sum / 65536), 0
  while at < count do
    local stop = math.min(count, at + 5552) -- so many bytes do not reach 2^32
    for k = at, stop - 1 do
      a = a + bytes[k]
      b = b + a
    end
    a, b, at = a % 65521, b % 65521, stop
  end
  return b * 65536 + a
end

-- ---- filters ----

--- Of left, upper, and upper left, the one nearest to left + upper - upper left.
local function paeth(a, b, c)
  local p = a + b - c
  local pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
  if pa <= pb and pa <= pc then return a end
  return pb <= pc and b or c
end

-- Each restores `line`, of `count` bytes, in place; `above` is the row before, `step` the bytes of a pixel.
M.restore = {
  [0] = function() end,
  function(line, _, count, step)
    for k = step, count - 1 do line[k] = line[k] + line[k - step] end
  end,
  function(line, above, count)
    for k = 0, count - 1 do line[k] = line[k] + above[k] end
  end,
  function(line, above, count, step)
    for k = 0, step - 1 do line[k] = line[k] + bit.rshift(above[k], 1) end
    for k = step, count - 1 do line[k] = line[k] + bit.rshift(line[k - step] + above[k], 1) end
  end,
  function(line, above, count, step)
    for k = 0, step - 1 do line[k] = line[k] + above[k] end
    for k = step, count - 1 do line[k] = line[k] + paeth(line[k - step], above[k], above[k - step]) end
  end,
}

-- Each writes the filtered bytes of `line` to `out`.
local APPLY = {
  [0] = function(out, line, _, count) ffi.copy(out, line, count) end,
  function(out, line, _, count, step)
    for k = 0, step - 1 do out[k] = line[k] end
    for k = step, count - 1 do out[k] = line[k] - line[k - step] end
  end,
  function(out, line, above, count)
    for k = 0, count - 1 do out[k] = line[k] - above[k] end
  end,
  function(out, line, above, count, step)
    for k = 0, step - 1 do out[k] = line[k] - bit.rshift(above[k], 1) end
    for k = step, count - 1 do out[k] = line[k] - bit.rshift(line[k - step] + above[k], 1) end
  end,
  function(out, line, above, count, step)
    for k = 0, step - 1 do out[k] = line[k] - above[k] end
    for k = step, count - 1 do out[k] = line[k] - paeth(line[k - step], above[k], above[k - step]) end
  end,
}

--- The sum of bytes as distances from 0, by which the specification advises to choose filters.
local function weight_of(bytes, count)
  local sum = 0
  for k = 0, count - 1 do
    local value = bytes[k]
    sum = sum + (value < 128 and value or 256 - value)
  end
  return sum
end

--- Writes the number of a filter, and the bytes of a row that it filters best, to `out`.
---@param out ffi.cdata* uint8_t *, of count + 1 bytes
---@param trial ffi.cdata* as much memory
function M.filter(out, trial, line, above, count, step)
  local least
  for number = 0, 4 do
    APPLY[number](trial + 1, line, above, count, step)
    local weight = weight_of(trial + 1, count)
    if not least or weight < least then
      trial[0], least = number, weight
      ffi.copy(out, trial, count + 1)
    end
  end
end

return M
