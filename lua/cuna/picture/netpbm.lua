--- netpbm.lua: reads and writes the formats of Netpbm: P1 to P6, which are PBM (black and white), PGM (gray) and PPM
--- (colours), as text or bytes.
--
-- A file has a header of numbers in text, with comments, and then samples. The greatest value of a sample is in the
-- header; samples are scaled so that it becomes 255, or 65535 where it is above 255. Follows Netpbm's manual.
local check = require "cuna.base.check"
local ffi = require "ffi"
local pixels = require "cuna.picture.pixels"

local M = {}

local KINDS = {
  P1 = {channels = 1, is_bits = true, is_text = true}, P2 = {channels = 1, is_text = true},
  P3 = {channels = 3, is_text = true}, P4 = {channels = 1, is_bits = true}, P5 = {channels = 1}, P6 = {channels = 3},
}
local MAX_HEADER = 65536 -- bytes, with comments
local BLANKS, DIGIT_0, DIGIT_9, HASH, NEWLINE = {[9] = true, [10] = true, [11] = true, [12] = true, [13] = true,
  [32] = true}, 48, 57, 35, 10

local function refuse(file, format, ...) check.fail("%s: " .. format, file:label(), ...) end

-- ---- reading ----

--- The next number of the text from position `at` on, and the position after it.
local function read_number(file, text, at)
  local behind
  repeat
    at = text:match("^[ \t-\r]*()", at)
    behind = text:match("^#[^\n]*\n?()", at)
    at = behind or at
    if at > MAX_HEADER then refuse(file, "a header of more than %d bytes", MAX_HEADER) end
  until not behind
  local digits, after = text:match("^(%d+)()", at)
  if not digits or #digits > 9 then refuse(file, "the header is damaged or cut off at byte %d", at) end
  return tonumber(digits), after
end

--- The header of a text, with the position of the first sample.
local function read_header(file, text)
  local kind = KINDS[text:sub(1, 2)]
  local header, at = {kind = kind, most = 1}, 3
  header.width, at = read_number(file, text, at)
  header.height, at = read_number(file, text, at)
  if not kind.is_bits then header.most, at = read_number(file, text, at) end
  if header.most < 1 or header.most > 65535 then refuse(file, "the greatest sample is %d", header.most) end
  pixels.check_size(file, header.height, header.width)
  header.first, header.size = at + 1, header.most > 255 and 2 or 1 -- a single blank is between them
  header.count = header.height * header.width * kind.channels
  return header
end

--- The fewest bytes that the samples have in a file.
local function need_of(header)
  if header.kind.is_bits and not header.kind.is_text then return header.height * math.ceil(header.width / 8) end
  if header.kind.is_bits then return header.count end
  return header.kind.is_text and 2 * header.count - 1 or header.count * header.size
end

--- A function that reads the samples of a text one after the other.
local function text_reader(file, header, text)
  local bytes, at, length, is_bits = ffi.cast("const uint8_t *", text), header.first - 1, #text, header.kind.is_bits
  local function skip()
    while at < length and (BLANKS[bytes[at]] or bytes[at] == HASH) do
      if bytes[at] == HASH then
        while at < length and bytes[at] ~= NEWLINE do at = at + 1 end
      else
        at = at + 1
      end
    end
  end
  return function()
    skip()
    local value, first = 0, at
    while at < length and bytes[at] >= DIGIT_0 and bytes[at] <= DIGIT_9 and at - first < (is_bits and 1 or 9) do
      value, at = value * 10 + (bytes[at] - DIGIT_0), at + 1
    end
    if at == first then refuse(file, "the file is damaged or cut off at byte %d", at + 1) end
    return value
  end
end

--- A function that reads bits, of rows that begin with a byte.
local function bit_reader(header, text)
  local bytes, column, at = ffi.cast("const uint8_t *", text), 0, header.first - 2
  return function()
    if column % 8 == 0 then at = at + 1 end
    local value = bit.band(bit.rshift(bytes[at], 7 - column % 8), 1)
    column = (column + 1) % header.width
    return value
  end
end

local function byte_reader(header, text)
  local bytes, at, size = ffi.cast("const uint8_t *", text), header.first - 1, header.size
  return function()
    local value = size == 1 and bytes[at] or bytes[at] * 256 + bytes[at + 1]
    at = at + size
    return value
  end
end

local function reader_of(file, header, text)
  if header.kind.is_text then return text_reader(file, header, text) end
  return (header.kind.is_bits and bit_reader or byte_reader)(header, text)
end

--- The samples of a picture; of bits 1 is black.
local function read_samples(file, header, text, name)
  local samples = pixels.allocate(header.count, header.size, name)
  local next, most, full = reader_of(file, header, text), header.most, 256 ^ header.size - 1
  local is_bits = header.kind.is_bits
  for k = 0, header.count - 1 do
    local value = next()
    if value > most then refuse(file, "a sample is %d, and the greatest is %d", value, most) end
    if is_bits then value = 1 - value end
    samples[k] = math.floor(value * full / most + 0.5)
  end
  return samples
end

--- Reads a picture.
---@param name string the user's function
---@return cuna.Array
function M.read(file, name)
  local text = pixels.rest(file)
  local header = read_header(file, text)
  local height, width, channels = header.height, header.width, header.kind.channels
  pixels.check_data(file, height, width, need_of(header), #text - header.first + 1)
  if header.most == 255 and not header.kind.is_text then
    return (pixels.array(text, height, width, channels, 1, name, header.first - 1))
  end
  return (pixels.array(read_samples(file, header, text, name), height, width, channels, header.size, name))
end

-- ---- writing ----

--- Writes uint16 samples with the highest byte first.
local function swapped(bytes, samples)
  local count = #bytes / 2
  local out = ffi.new("uint8_t[?]", #bytes)
  for k = 0, count - 1 do
    local value = samples[k]
    out[2 * k], out[2 * k + 1] = bit.rshift(value, 8), value
  end
  return ffi.string(out, #bytes)
end

--- A format that writes some count of channels.
local function format(kind, channels)
  local M_ = {channels = {[channels] = true}, dtypes = {uint8 = true, uint16 = true}}
  function M_.write(file, x)
    local height, width = pixels.lengths(x)
    local bytes, samples = pixels.bytes(x)
    file:write(("%s\n%d %d\n%d\n"):format(kind, width, height, 256 ^ x.itemsize - 1))
    file:write(x.itemsize == 2 and swapped(bytes, samples) or bytes)
  end
  return M_
end

M.pgm, M.ppm = format("P5", 1), format("P6", 3)

--- Bits: what is below the middle is black.
M.pbm = {channels = {true}, dtypes = {uint8 = true}}

function M.pbm.write(file, x)
  local height, width = pixels.lengths(x)
  local nbytes = math.ceil(width / 8)
  local _, samples = pixels.bytes(x)
  local line = ffi.new("uint8_t[?]", nbytes)
  file:write(("P4\n%d %d\n"):format(width, height))
  for row = 0, height - 1 do
    ffi.fill(line, nbytes)
    for column = 0, width - 1 do
      if samples[row * width + column] < 128 then
        local at = bit.rshift(column, 3)
        line[at] = bit.bor(line[at], bit.rshift(128, column % 8))
      end
    end
    file:write(ffi.string(line, nbytes))
  end
end

--- Gray or colours, by the picture.
M.pnm = {channels = {[1] = true, [3] = true}, dtypes = M.pgm.dtypes}

function M.pnm.write(file, x) (select(3, pixels.lengths(x)) == 1 and M.pgm or M.ppm).write(file, x) end

return M
