--- jpeg.lua: reads and writes JPEG files by libjpeg-turbo, which is opened when it is first needed.
--
-- A file of 8 bits is gray or of colours; other kinds (CMYK) are refused. The orientation that cameras write beside the
-- picture is not applied.
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"
local pixels = require "cuna.picture.pixels"

local M = {channels = {[1] = true, [3] = true}, dtypes = {uint8 = true}, library = "libturbojpeg.so.0"}

ffi.cdef [[
void *tjInitDecompress(void);
void *tjInitCompress(void);
int tjDestroy(void *handle);
char *tjGetErrorStr2(void *handle);
int tjDecompressHeader3(void *handle, const unsigned char *bytes, unsigned long nbytes, int *width, int *height,
                        int *subsampling, int *colorspace);
int tjDecompress2(void *handle, const unsigned char *bytes, unsigned long nbytes, unsigned char *out, int width,
                  int pitch, int height, int format, int flags);
int tjCompress2(void *handle, const unsigned char *pixels, int width, int pitch, int height, int format,
                unsigned char **out, unsigned long *nbytes, int subsampling, int quality, int flags);
void tjFree(unsigned char *bytes);
]]

local RGB, GRAY = 0, 6               -- TJPF, formats of pixels
local HALVED, WITHOUT_COLORS = 2, 3  -- TJSAMP_420 and TJSAMP_GRAY
local STOP_ON_WARNING = 8192         -- TJFLAG: a damaged file is an error
local COLORSPACES = {[0] = "RGB", "YCbCr", "gray", "CMYK", "YCCK"}
local MAX_LENGTH, DEFAULT_QUALITY = 65500, 75
local BLOCK_PIXELS = 64 -- which have at least a bit for each channel of 16 x 16 pixels

local library

local function open(name)
  if library then return library end
  local loaded, found = pcall(ffi.load, M.library)
  if not loaded then
    check.fail("%s: JPEG files need libjpeg-turbo, whose library is not found (%s); Debian's package is libturbojpeg0",
      name, M.library)
  end
  library = found
  return library
end

--- Calls fn(handle) with a handle of libjpeg-turbo.
local function with_handle(make, name, fn)
  local handle = make()
  if handle == nil then core.fail(("OutOfMemoryError: %s: no memory for libjpeg-turbo"):format(name)) end
  handle = ffi.gc(handle, library.tjDestroy)
  local results = {pcall(fn, handle)}
  library.tjDestroy(ffi.gc(handle, nil))
  if not results[1] then error(results[2], 0) end
  return unpack(results, 2)
end

local function reason_of(handle) return (ffi.string(library.tjGetErrorStr2(handle)):gsub("%s+", " ")) end

--- Height, width and channels of the picture in some bytes.
local function read_header(file, handle, bytes)
  local numbers = ffi.new "int[4]"
  if library.tjDecompressHeader3(handle, bytes, #bytes, numbers, numbers + 1, numbers + 2, numbers + 3) ~= 0 then
    check.fail("%s: %s", file:label(), reason_of(handle))
  end
  local colorspace = COLORSPACES[numbers[3]]
  if not colorspace or numbers[3] > 2 then
    check.fail("%s: JPEG pictures of %s are not read, only gray ones and colours", file:label(),
      colorspace or "an unknown kind")
  end
  pixels.check_size(file, numbers[1], numbers[0])
  return numbers[1], numbers[0], colorspace == "gray" and 1 or 3
end

--- Reads a picture.
---@param name string the user's function
---@return cuna.Array
function M.read(file, name)
  open(name)
  local bytes = pixels.rest(file)
  return with_handle(library.tjInitDecompress, name, function(handle)
    local height, width, channels = read_header(file, handle, bytes)
    pixels.check_data(file, height, width, math.floor(height * width / (8 * BLOCK_PIXELS)), #bytes)
    local samples = pixels.allocate(height * width * channels, 1, name)
    if library.tjDecompress2(handle, bytes, #bytes, samples, width, 0, height, channels == 1 and GRAY or RGB,
        STOP_ON_WARNING) ~= 0 then
      check.fail("%s: the file is damaged or cut off: %s", file:label(), reason_of(handle))
    end
    return (pixels.array(samples, height, width, channels, 1, name))
  end)
end

--- Rejects what a JPEG file cannot have, before a file is made.
---@param name string the user's function
function M.check(x, options, name)
  open(name)
  local height, width = pixels.lengths(x)
  if height > MAX_LENGTH or width > MAX_LENGTH then
    check.fail("%s: JPEG pictures have at most %d rows and columns, got shape %s", name, MAX_LENGTH, tostring(x.shape))
  end
  local quality = options.quality == nil and DEFAULT_QUALITY or check.integer(options.quality, name, "quality")
  if quality < 1 or quality > 100 then check.fail("%s: quality is of 1 to 100, got %d", name, quality) end
  options.quality = quality
end

--- Writes a picture of uint8, gray or of colours.
---@param name string the user's function
function M.write(file, x, options, name)
  local height, width, channels = pixels.lengths(x)
  local bytes, samples = pixels.bytes(x)
  local gray = channels == 1
  with_handle(library.tjInitCompress, name, function(handle)
    local out, nbytes = ffi.new "unsigned char *[1]", ffi.new "unsigned long[1]"
    local status = library.tjCompress2(handle, samples, width, 0, height, gray and GRAY or RGB, out, nbytes,
      gray and WITHOUT_COLORS or HALVED, options.quality, 0)
    local text = status == 0 and ffi.string(out[0], nbytes[0])
    library.tjFree(out[0])
    if not text then check.fail("%s: %s", name, reason_of(handle)) end
    file:write(text)
  end)
  return bytes
end

return M
