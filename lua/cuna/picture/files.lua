--- files.lua: arrays as pictures in files: PNG, JPEG and Netpbm's formats.
--
-- png_read.lua, png_write.lua, jpeg.lua and netpbm.lua know the formats. A file that is read is known by its first
-- bytes, one that is written by its path's suffix. What is not of uint8 or uint16 is made so first, on its device.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local files = require "cuna.io.files"
local new_file = require "cuna.io.new_file"
local samples = require "cuna.picture.samples"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- reading ----

--- How the formats that are read begin, and others by name.
local READERS = {
  {"^\137PNG\r\n\26\n", "png_read"}, {"^\255\216\255", "jpeg"}, {"^P[1-6][%s#]", "netpbm"},
}
local OTHERS = {
  {"^GIF8", "a GIF picture"}, {"^BM", "a BMP picture"}, {"^II%*%z", "a TIFF picture"}, {"^MM%z%*", "a TIFF picture"},
  {"^RIFF....WEBP", "a WebP picture"}, {"^....ftyp", "a picture or video of MPEG's kind (HEIC, AVIF)"},
  {"^%%PDF", "a PDF document"}, {"^\147NUMPY", "NumPy's .npy format, which cn.load reads"},
  {"^P7%s", "a PAM picture"}, {"^%s*<", "XML or SVG"}, {"^$", "an empty file"},
}

local function reader_of(file, magic)
  for _, row in ipairs(READERS) do
    if magic:find(row[1]) then return require("cuna.picture." .. row[2]) end
  end
  local what = "not a picture that cuna knows"
  for _, row in ipairs(OTHERS) do
    if magic:find(row[1]) then what = row[2] break end
  end
  fail("%s: this is %s; PNG, JPEG and Netpbm's PBM, PGM and PPM are read", file:label(), what)
end

local read_imread = args.reader("imread", {"file"})

--- Reads a picture: PNG (1 to 16 bits a sample; gray, colours, palettes, opacity; interlaced or not), JPEG by
--- libjpeg-turbo (Debian's libturbojpeg0), PBM, PGM and PPM. Samples of 1, 2 and 4 bits, and Netpbm's with another
--- greatest value, are scaled to 0..255 (0..65535). The array is on the current device. What a camera says about the
--- orientation, and profiles of colours, are ignored. Damaged files are errors. Follows matplotlib.pyplot.imread, but
--- the samples stay integers.
---@param file string|file*|table a path, an open file, or {text = the file's bytes}
---@return cuna.Array uint8 or uint16, (height, width) if gray, or (height, width, channels): gray and opacity, red,
--- green and blue, or these and opacity
---@usage cn.imread {text = "P2 3 1 255 0 128 255"} --> [[  0 128 255]]
function F.imread(...)
  local source = read_imread(...)
  if source == nil then fail "imread: the file is missing" end
  local opened = files.open(source, "imread")
  return files.reading(opened, function()
    local file = opened:size() and opened or opened:spool()
    local place = file:place()
    local magic = file:read(16)
    file:seek(place)
    local x = reader_of(file, magic).read(file, "imread")
    opened:close()
    return x
  end)
end

-- ---- writing ----

local WRITERS = {png = {"png_write"}, jpg = {"jpeg"}, jpeg = {"jpeg"}, pbm = {"netpbm", "pbm"}, pgm = {"netpbm", "pgm"},
  ppm = {"netpbm", "ppm"}, pnm = {"netpbm", "pnm"}}

--- The format of a name, or of a path's suffix.
local function format_of(target, format)
  local word = format == nil and type(target) == "string" and target:match "%.(%w+)$" or format
  local writer = type(word) == "string" and WRITERS[word:lower()]
  if not writer and format == nil then
    fail("imsave: the path's suffix names the format, one of %s (or give format), got %s", args.names(WRITERS),
      check.show(target))
  elseif not writer then
    fail("imsave: format is one of %s, got %s", args.names(WRITERS), check.show(format))
  end
  local module = require("cuna.picture." .. writer[1])
  return writer[2] and module[writer[2]] or module, word:lower()
end

--- Rejects samples that a format lacks.
local function check_format(x, format, word)
  local channels = x.ndim == 3 and x.shape[3] or 1
  if not format.dtypes[x.dtype] then
    fail("imsave: a .%s file has samples of 8 bits; write x / 65535, or a .png", word)
  elseif not format.channels[channels] then
    fail("imsave: a .%s file cannot have %d channels, shape %s%s", word, channels, tostring(x.shape),
      channels % 2 == 0 and "; leave the opacity out, or write a .png" or "")
  end
end

local read_imsave = args.reader("imsave", {"file", "x", "vmin", "vmax", "cmap", "format", "quality"}, 2)

--- Writes a picture: PNG, JPEG (by libjpeg-turbo), PBM, PGM or PPM. uint8 and uint16 are written unchanged (JPEG and
--- PBM have 8 bits), floats and bools from 0 to 1 as 8 bits; floats beyond are clipped, above 1.5 they are an error,
--- and NaN is black. With vmin or vmax numbers from vmin to vmax are gray from black to white, and with cmap they have
--- a map's colours (cn.cm), NaN transparent; a limit that is not given is the smallest or greatest finite element. An
--- existing file is replaced when the new one is complete. Synchronises. Follows matplotlib.pyplot.imsave, but without
--- limits and map a matrix is gray.
---@param file string|file* a path, or an open file
---@param x cuna.Operand (height, width), or (height, width, channels): gray, gray and opacity, red, green and blue, or
--- these and opacity
---@param vmin number|nil
---@param vmax number|nil
---@param cmap string|nil a name of cn.cm, such as "viridis", or "viridis_r" for its reverse
---@param format string|nil "png", "jpg", "pbm", "pgm", "ppm" or "pnm"; default: the path's suffix
---@param quality integer|nil of JPEG, 1 to 100; default 75
---@usage cn.imsave("/dev/null", {{0, 0.5, 1}}, {cmap = "magma", format = "png"}) -->
function F.imsave(...)
  local target, x, vmin, vmax, cmap, word, quality = read_imsave(...)
  target = files.check_target(target, "imsave", "")
  local format
  format, word = format_of(target, word)
  x = files.as_array(x, "imsave")
  samples.check(x, "imsave")
  local is_scaled = vmin ~= nil or vmax ~= nil or cmap ~= nil
  x = with.on(x, function() return is_scaled and samples.scaled(x, vmin, vmax, cmap, format.channels[4])
    or samples.given(x, "imsave") end)
  check_format(x, format, word)
  local options = {quality = quality}
  if format.check then format.check(x, options, "imsave") end
  core.check_waiting "imsave"
  new_file.write(target, "imsave", function(file) format.write(file, x, options, "imsave") end)
end

return M
