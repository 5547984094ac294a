--- png_read.lua: reads PNG files: all kinds of pixels, interlaced or not.
--
-- All chunks are read first, and their CRCs compared. Rows are then inflated one by one, filters are undone in two
-- buffers of a row, and samples are stored where they belong: those of interlaced files are not in order.
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local pixels = require "cuna.picture.pixels"
local png = require "cuna.picture.png"

local M = {}

local DEFLATE_RATIO = 1032 -- maximum compression ratio of deflate
local KNOWN = {PLTE = true, IDAT = true, IEND = true}

local function refuse(file, format, ...) check.fail("%s: " .. format, file:label(), ...) end

-- ---- chunks ----

--- Kind and data of the next chunk.
local function read_chunk(file)
  local left = file:size() - file:place()
  local length = left >= 12 and png.u32(file:read(4), 1)
  if not length or length + 8 > left - 4 then refuse(file, "the file is cut off") end
  file:begin_part(false, false, length + 4)
  local kind, data = file:read(4), file:read(length)
  local crc = file:end_part()
  if png.u32(file:read(4), 1) ~= crc then
    refuse(file, "the file is damaged: the check sum of its part %q is wrong", kind)
  end
  return kind, data
end

local function read_header(file, kind, data)
  if kind ~= "IHDR" or #data ~= 13 then refuse(file, "the file is damaged: it does not begin with a header") end
  local depth, code, packing, filters, interlace = data:byte(9, 13)
  local header = {height = png.u32(data, 5), width = png.u32(data, 1), depth = depth, interlaced = interlace == 1,
    kind = png.KINDS[code]}
  if not header.kind or not header.kind.depths[depth] then
    refuse(file, "pixels of kind %d with %d bits are not in the PNG specification", code, depth)
  elseif packing ~= 0 or filters ~= 0 or interlace > 1 then
    refuse(file, "unknown compression %d, filters %d or interlacing %d", packing, filters, interlace)
  end
  pixels.check_size(file, header.height, header.width)
  return header
end

--- Rejects kinds that must be understood to show the picture.
local function check_kind(file, kind)
  if kind:find "^%u" and not KNOWN[kind] then
    refuse(file, "the part %q is not in the PNG specification, and is needed to read the picture", kind)
  end
end

local function read_chunks(file)
  local kind, data = read_chunk(file)
  local header, parts = read_header(file, kind, data), {}
  repeat
    kind, data = read_chunk(file)
    check_kind(file, kind)
    if kind == "IDAT" then parts[#parts + 1] = data else header[kind] = data end
  until kind == "IEND"
  header.data = table.concat(parts)
  return header
end

-- ---- passes ----

-- Of Adam7's passes: first row and column, and the distances of rows and columns.
local PASSES = {{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4}, {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}}

local function count_from(first, length, step) return math.max(0, math.ceil((length - first) / step)) end

--- The passes of a picture that have pixels: rows, columns, bytes of a row, and where they belong.
local function passes_of(header)
  local passes, bits = {}, header.depth * header.kind.channels
  for _, pass in ipairs(header.interlaced and PASSES or {{0, 0, 1, 1}}) do
    local rows, columns = count_from(pass[1], header.height, pass[3]), count_from(pass[2], header.width, pass[4])
    if rows > 0 and columns > 0 then
      passes[#passes + 1] = {rows = rows, columns = columns, nbytes = math.ceil(columns * bits / 8), row = pass[1],
        column = pass[2], row_step = pass[3], column_step = pass[4]}
    end
  end
  return passes
end

-- ---- samples ----

-- Each stores `count` samples of a line at out[first], with `step` samples from pixel to pixel.

local function store_bits(out, line, first, count, step, depth, scale)
  local mask, each = 2 ^ depth - 1, 8 / depth
  for k = 0, count - 1 do
    local byte = line[math.floor(k / each)]
    out[first + k * step] = bit.band(bit.rshift(byte, 8 - depth - k % each * depth), mask) * scale
  end
end

local function store_bytes(out, line, first, count, step, channels)
  if step == channels then
    ffi.copy(out + first, line, count * channels)
    return
  end
  for k = 0, count - 1 do
    for c = 0, channels - 1 do out[first + k * step + c] = line[k * channels + c] end
  end
end

local function store_words(out, line, first, count, step, channels)
  for k = 0, count - 1 do
    for c = 0, channels - 1 do
      local at = 2 * (k * channels + c)
      out[first + k * step + c] = line[at] * 256 + line[at + 1]
    end
  end
end

local function storer(header)
  local depth, channels = header.depth, header.kind.channels
  local scale = header.kind.is_palette and 1 or 255 / (2 ^ depth - 1)
  if depth == 16 then return store_words, channels end
  if depth == 8 then return store_bytes, channels end
  return function(out, line, first, count, step) store_bits(out, line, first, count, step, depth, scale) end, 1
end

-- ---- rows ----

--- An open stream of the compressed data, after zlib's two bytes.
local function open_stream(file, data)
  local first, second = data:byte(1, 2)
  if #data < 7 or first % 16 ~= 8 or (first * 256 + second) % 31 ~= 0 or bit.band(second, 32) ~= 0 then
    refuse(file, "the file is damaged: its data is not a zlib stream")
  end
  local stream = core.file_open_text(data, file:label())
  stream:seek(2)
  stream:begin_part(false, true, #data - 6)
  return stream
end

--- Reads the rows of a pass, and returns the check sum that goes on from `sum`.
local function read_pass(file, stream, pass, step, sum, store)
  local line, above = ffi.new("uint8_t[?]", pass.nbytes), ffi.new("uint8_t[?]", pass.nbytes)
  for row = 0, pass.rows - 1 do
    local text = stream:read(pass.nbytes + 1)
    if #text <= pass.nbytes then refuse(file, "the file is damaged: its data ends before the picture does") end
    local bytes = ffi.cast("const uint8_t *", text)
    local restore = png.restore[bytes[0]]
    if not restore then refuse(file, "the file is damaged: a row has the unknown filter %d", bytes[0]) end
    sum = png.adler32(sum, bytes, pass.nbytes + 1)
    ffi.copy(line, bytes + 1, pass.nbytes)
    restore(line, above, pass.nbytes, step)
    store(line, row)
    line, above = above, line
  end
  return sum
end

local function check_end(file, stream, sum, data)
  local is_whole = select(4, stream:end_part())
  if not is_whole or png.u32(data, #data - 3) ~= sum then
    refuse(file, "the file is damaged: its data does not end with the picture and its check sum")
  end
end

--- Rejects a header that the data cannot stand for.
local function check_length(file, header, passes)
  local nbytes = 0
  for _, pass in ipairs(passes) do nbytes = nbytes + pass.rows * (pass.nbytes + 1) end
  pixels.check_data(file, header.height, header.width, math.floor(nbytes / DEFLATE_RATIO), #header.data)
end

--- The samples of the picture, and the bytes of one.
local function read_samples(file, header, name)
  local passes = passes_of(header)
  check_length(file, header, passes)
  local stream, sum, channels = open_stream(file, header.data), 1, header.kind.channels
  local store, extra = storer(header)
  local size, width = header.depth == 16 and 2 or 1, header.width
  local samples = pixels.allocate(header.height * width * channels, size, name)
  local pixel_nbytes = math.max(1, header.depth * channels / 8)
  for _, pass in ipairs(passes) do
    local step = pass.column_step * channels
    sum = read_pass(file, stream, pass, pixel_nbytes, sum, function(line, row)
      local first = ((pass.row + row * pass.row_step) * width + pass.column) * channels
      store(samples, line, first, pass.columns, step, extra)
    end)
  end
  check_end(file, stream, sum, header.data)
  return samples, size
end

-- ---- palettes and transparency ----

--- The colours of a palette, of 4 bytes each, and how many there are.
local function read_palette(file, header)
  local palette, opacity = header.PLTE or "", header.tRNS or ""
  local count = #palette / 3
  if count < 1 or count > 256 or #palette % 3 ~= 0 then
    refuse(file, "the file is damaged: its palette has %d bytes", #palette)
  end
  local colors = ffi.new "uint8_t[256][4]"
  for k = 0, count - 1 do
    for c = 0, 2 do colors[k][c] = palette:byte(3 * k + c + 1) end
    colors[k][3] = opacity:byte(k + 1) or 255
  end
  return colors, count
end

--- Colours in place of their positions in a palette.
local function expand_palette(file, header, indices, name)
  local colors, count = read_palette(file, header)
  local size, channels = header.height * header.width, header.tRNS and 4 or 3
  local samples = pixels.allocate(size * channels, 1, name)
  for k = 0, size - 1 do
    local index = indices[k]
    if index >= count then
      refuse(file, "the file is damaged: a pixel has color %d of a palette of %d", index + 1, count)
    end
    for c = 0, channels - 1 do samples[k * channels + c] = colors[index][c] end
  end
  return samples, channels
end

--- The samples with an opacity, which is 0 where all samples are those that tRNS names.
local function expand_key(file, header, samples, size, name)
  local channels, count, key = header.kind.channels, header.height * header.width, {}
  if channels % 2 == 0 or #header.tRNS ~= 2 * channels then refuse(file, "the file is damaged: its part \"tRNS\"") end
  local scale = header.depth < 8 and 255 / (2 ^ header.depth - 1) or 1
  for c = 0, channels - 1 do
    key[c] = (header.tRNS:byte(2 * c + 1) * 256 + header.tRNS:byte(2 * c + 2)) * scale
  end
  local out = pixels.allocate(count * (channels + 1), size, name)
  for k = 0, count - 1 do
    local is_key = true
    for c = 0, channels - 1 do
      local value = samples[k * channels + c]
      out[k * (channels + 1) + c], is_key = value, is_key and value == key[c]
    end
    out[k * (channels + 1) + channels] = is_key and 0 or 256 ^ size - 1
  end
  return out, channels + 1
end

--- Reads a picture whose signature comes next.
---@param name string the user's function
---@return cuna.Array
function M.read(file, name)
  file:read(#png.SIGNATURE)
  local header = read_chunks(file)
  local samples, size = read_samples(file, header, name)
  local channels = header.kind.channels
  if header.kind.is_palette then
    samples, channels = expand_palette(file, header, samples, name)
  elseif header.tRNS then
    samples, channels = expand_key(file, header, samples, size, name)
  end
  return (pixels.array(samples, header.height, header.width, channels, size, name))
end

return M
