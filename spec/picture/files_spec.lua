-- imread and imsave: formats by first bytes and suffixes, Netpbm, JPEG, and what becomes of floats, limits and maps.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local function read(text) return cn.imread({text = text}) end

local function fails(message, text) raises("imread: 'text': " .. message, function() local _ = read(text) end) end

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

--- The bytes that imsave writes.
local function written(suffix, ...)
  local path = os.tmpname()
  os.remove(path)
  cn.imsave(path .. "." .. suffix, ...)
  local text = bytes_of(path .. "." .. suffix)
  os.remove(path .. "." .. suffix)
  return text
end

describe("imread of Netpbm's files", function()
  it("reads all six formats, with comments", function()
    assert.same({{0, 255}, {255, 0}}, read("P1 # black is 1\n2 2\n10 01"):totable())
    assert.same({{0, 85, 255}}, read("P2\n# a comment\n3 1 # and one more\n3\n0 1 3\n"):totable())
    assert.same({{{1, 2, 3}, {4, 5, 6}}}, read("P3 2 1 255 1 2 3 # first\n4 5 6"):totable())
    assert.same({{0, 255, 0, 255, 255, 255, 255, 255, 0}}, read("P4\n9 1\n\160\128"):totable())
    assert.same({{1, 2}, {3, 255}}, read("P5 2 2 255\n\1\2\3\255"):totable())
    assert.same({{{9, 8, 7}}}, read("P6\n1 1\n255\n\9\8\7"):totable())
  end)

  it("scales samples to 8 or 16 bits", function()
    local x = read "P5 2 1 65535 \1\2\255\255"
    assert.equal("uint16", x.dtype)
    assert.same({{258, 65535}}, x:totable())
    assert.same({{0, 32768, 65535}}, read("P2 3 1 1000 0 500 1000"):totable())
    assert.same({{0, 128, 255}}, read("P5 3 1 100\n\0\50\100"):totable())
  end)

  it("raises errors for damaged files", function()
    fails("the file is damaged or cut off: 2 x 2 pixels need at least 4 bytes, and it has 3", "P5 2 2 255\n\1\2\3")
    fails("the file is damaged or cut off: 9999999 x 9999999 pixels need at least 299999940000003 bytes",
      "P6 9999999 9999999 255\n\1")
    fails("the file is damaged or cut off: 2 x 1 pixels need at least 3 bytes, and it has 1", "P2 2 1 255 5")
    fails("the file is damaged or cut off at byte 16", "P2 2 1 255 5   ")
    fails("the header is damaged or cut off at byte 4", "P5 x")
    fails("the greatest sample is 70000", "P5 1 1 70000 \1")
    fails("a sample is 101, and the greatest is 100", "P5 1 1 100 \101")
    fails("a picture of 0 x 1 pixels", "P5 0 1 255 ")
    fails("a header of more than 65536 bytes", "P5 " .. ("# c\n"):rep(20000))
  end)

  devices.each_device(function(device)
    it("reads what imsave writes", function()
      local gray = cn.array({{0, 100, 255}, {3, 4, 5}}, "uint8")
      assert.equal("P5\n3 2\n255\n\0\100\255\3\4\5", written("pgm", gray))
      assert.equal("P5\n2 1\n65535\n\1\2\3\4", written("pnm", cn.array({{258, 772}}, "uint16")))
      assert.equal("P6\n1 1\n255\n\1\2\3", written("ppm", cn.array({{{1, 2, 3}}}, "uint8")))
      assert.equal("P4\n9 1\n\127\128", written("pbm", cn.array({{255, 0, 0, 0, 0, 0, 0, 0, 0}}, "uint8")))
      assert.equal(device, read(written("pgm", gray)).device)
    end)
  end)
end)

describe("imread", function()
  it("reads an open file from its offset, and pipes", function()
    local file = io.tmpfile()
    file:write "xxxP5 1 1 255 \9"
    file:seek("set", 3)
    assert.same({{9}}, cn.imread(file):totable())
    local pipe = io.popen "printf 'P2 1 1 255 77'"
    assert.same({{77}}, cn.imread(pipe):totable())
    pipe:close()
  end)

  it("names what it does not read", function()
    local rest = "; PNG, JPEG and Netpbm's PBM, PGM and PPM are read"
    for text, what in pairs {GIF89a = "a GIF picture", BM1234 = "a BMP picture", ["II*\0"] = "a TIFF picture",
      RIFF1234WEBPVP8 = "a WebP picture", ["\0\0\0\24ftypheic"] = "a picture or video of MPEG's kind (HEIC, AVIF)",
      ["P7 \n"] = "a PAM picture", ["<svg>"] = "XML or SVG", [""] = "an empty file",
      what = "not a picture that cuna knows"} do
      fails("this is " .. what .. rest, text)
    end
    raises("imread: cannot open '/nowhere/x.png': No such file", function() local _ = cn.imread "/nowhere/x.png" end)
    raises("imread: expected a path, an open file or {text = bytes}, got 5", function() local _ = cn.imread(5) end)
    raises("imread: the file is missing", function() local _ = cn.imread() end)
  end)
end)

describe("imsave", function()
  devices.each_device(function()
    it("writes floats and bools from 0 to 1, clips, and takes NaN for black", function()
      local x = {{0, 0.5, 1}, {-3, 1.25, cn.nan}}
      for _, dtype in ipairs {"float64", "float32", "float16"} do
        assert.same({{0, 128, 255}, {0, 255, 0}}, read(written("pgm", cn.array(x, dtype))):totable())
      end
      raises('imsave: floats are from 0 to 1, and the greatest is 255; write x:astype("uint8"), x / 255, or give vmin '
        .. "and vmax", function() cn.imsave("/dev/null", cn.array {{0, 255, cn.inf}}, {format = "png"}) end)
      assert.same({{255, 0}}, read(written("png", cn.array {{true, false}})):totable())
      assert.same({{0, 255}}, read(written("png", {{-cn.inf, cn.inf}})):totable())
    end)

    it("scales by limits, which are the finite extremes if they are not given", function()
      local x = cn.array({{-5, 0, 5, 10}}, "int64")
      assert.same({{0, 0, 128, 255}}, read(written("pgm", x, 0, 10)):totable())
      assert.same({{0, 85, 170, 255}}, read(written("pgm", x, {vmax = 10})):totable())
      assert.same({{0, 255, 0, 255}}, read(written("pgm", {{1, 3, cn.nan, cn.inf}}, {vmin = 1})):totable())
      assert.same({{0, 0}}, read(written("pgm", {{7, 7}}, {vmin = 7, vmax = 7})):totable())
    end)

    it("maps to colours", function()
      local x = {{0, 1, cn.nan}}
      assert.same({{{0, 0, 0, 255}, {255, 255, 255, 255}, {0, 0, 0, 0}}}, read(written("png", x,
        {cmap = "gray"})):totable())
      assert.same({{{255, 255, 255}, {0, 0, 0}, {0, 0, 0}}}, read(written("ppm", x, {cmap = "gray_r"})):totable())
    end)
  end)

  it("writes to open files, one after the other", function()
    local file = io.tmpfile()
    cn.imsave(file, {{1, 0}}, {format = "pgm"})
    cn.imsave(file, cn.array({{5}}, "uint8"), {format = "png"})
    file:seek "set"
    local text = file:read "*a"
    assert.equal("P5\n2 1\n255\n\255\0\137PNG", text:sub(1, 17))
    file:seek("set", 13)
    assert.same({{5}}, cn.imread(file):totable())
    file:close()
  end)

  it("raises errors before it makes a file", function()
    local path = os.tmpname()
    os.remove(path)
    local x = cn.zeros({2, 2}, "uint8")
    local SHAPE = "a picture has shape (height, width) or (height, width, 1 to 4 channels) and at least one pixel, got "
    local function refuses(message, suffix, ...)
      local target, count, values = path .. suffix, select("#", ...), {...}
      raises("imsave: " .. message, function() cn.imsave(target, unpack(values, 1, count)) end)
      assert.is_nil(io.open(target))
    end
    refuses("the path's suffix names the format, one of jpeg, jpg, pbm, pgm, png, pnm, ppm (or give format)", "", x)
    refuses("format is one of jpeg, jpg, pbm, pgm, png, pnm, ppm, got \"gif\"", ".png", x, {format = "gif"})
    refuses(SHAPE .. "(3,)", ".png", cn.zeros(3))
    refuses(SHAPE .. "(2, 2, 5)", ".png", cn.zeros {2, 2, 5})
    refuses(SHAPE .. "(0, 2)", ".png", cn.zeros {0, 2})
    refuses("complex numbers have no brightness", ".png", cn.zeros({2, 2}, "complex64"))
    refuses("elements of int32 have no range of their own; give vmin and vmax", ".png", x:astype "int32")
    refuses("vmin, vmax and cmap are for pictures of shape (height, width), got (2, 2, 3)", ".png", cn.zeros {2, 2, 3},
      {cmap = "jet"})
    refuses("cmap is one of RdBu, cividis, ", ".png", x, {cmap = "virides"})
    refuses("vmin and vmax are finite, and vmin is not greater, got 2 and 1", ".png", x, 2, 1)
    refuses("a .pgm file cannot have 3 channels, shape (2, 2, 3)", ".pgm", cn.zeros {2, 2, 3})
    refuses("a .jpg file cannot have 4 channels, shape (2, 2, 4); leave the opacity out", ".jpg", cn.zeros {2, 2, 4})
    refuses("a .jpeg file has samples of 8 bits", ".jpeg", cn.zeros({2, 2}, "uint16"))
    raises("imsave: cannot write '/nowhere/x.png'", function() cn.imsave("/nowhere/x.png", x) end)
  end)

  it("keeps a file that it cannot replace", function()
    local path = os.tmpname() .. ".jpg"
    local jpeg = require "cuna.picture.jpeg"
    local file = io.open(path, "w")
    file:write "old"
    file:close()
    local write = jpeg.write
    jpeg.write = function(out) out:write "half" error("broken", 0) end
    pcall(cn.imsave, path, cn.zeros({1, 1}, "uint8"))
    jpeg.write = write
    assert.equal("old", bytes_of(path))
    os.remove(path)
  end)
end)

local has_jpeg = pcall(require("ffi").load, "libturbojpeg.so.0")

describe("JPEG", function()
  local function it_with_library(title, fn) if has_jpeg then it(title, fn) else pending(title) end end

  it_with_library("is read as it was written, but for what it loses", function()
    local y, x = cn.arange(64):reshape(-1, 1), cn.arange(80)
    local gray = (y + x):astype "uint8"
    local back = read(written("jpg", gray, {quality = 95}))
    assert.same({64, 80}, {unpack(back.shape)})
    assert.is_true(cn.abs(back:astype "int32" - gray:astype "int32"):max():item() <= 4)
    local colors = cn.stack({gray, gray, 255 - gray}, 3)
    back = read(written("jpeg", colors))
    assert.same({64, 80, 3}, {unpack(back.shape)})
    assert.is_true(cn.abs(back:astype "int32" - colors:astype "int32"):max():item() <= 16)
    assert.is_true(#written("jpg", colors, {quality = 10}) < #written("jpg", colors, {quality = 90}))
  end)

  it_with_library("that is damaged is an error", function()
    local text = written("jpg", cn.arange(4096):reshape(64, 64):astype "uint8")
    fails("the file is damaged or cut off: ", text:sub(1, -100))
    fails("", text:sub(1, 30))
    local at = text:find "\255\192" -- the lengths of the picture
    local huge = text:sub(1, at + 4) .. "\255\220\255\220" .. text:sub(at + 9)
    fails("the file is damaged or cut off: 65500 x 65500 pixels need at least 8379394 bytes", huge)
  end)

  it_with_library("has a quality of 1 to 100", function()
    raises("imsave: quality is of 1 to 100, got 0", function() cn.imsave("/dev/null", {{1}}, {format = "jpg",
      quality = 0}) end)
  end)

  it("needs libjpeg-turbo, of which a missing one is an error with the package", function()
    local code = [[package.loaded["cuna.picture.jpeg"] = nil
      local load = require("ffi").load
      require("ffi").load = function(...) if (...):find "turbojpeg" then error "none" end return load(...) end
      local ok, message = pcall(require("cuna").imread, {text = "\255\216\255"})
      require("ffi").load = load
      return message]]
    assert.has.match("imread: JPEG files need libjpeg%-turbo, whose library is not found %(libturbojpeg.so.0%); "
      .. "Debian's package is libturbojpeg0$", (loadstring(code)()))
    package.loaded["cuna.picture.jpeg"] = nil
  end)
end)
