-- PNG files: all kinds of pixels are read as the specification says, what is written is read again, and damaged files
-- are errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/pictures.lua"
local raises = require("spec.support.raises").raises

local HEIGHT, WIDTH, PALETTE = 6, 9, 11 -- of the files
local CHANNELS = {[0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4}

local function from_hex(text)
  return (text:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function sample(kind, bits, i, j, c)
  return (37 * i + 91 * j + 53 * c) % (kind == 3 and math.min(2 ^ bits, PALETTE) or 2 ^ bits)
end

--- The channels of a pixel, as spec/golden/pictures.py describes them.
local function pixel(kind, bits, extra, i, j)
  if kind == 3 then
    local k = sample(kind, bits, i, j, 0)
    local opacity = k < 5 and 255 - 20 * k or 255
    return {3 * k % 256, (255 - 5 * k) % 256, 7 * k % 256, extra == "opacity" and opacity or nil}
  end
  local channels, is_key, full = {}, true, bits == 16 and 65535 or 255
  for c = 0, CHANNELS[kind] - 1 do
    channels[c + 1] = sample(kind, bits, i, j, c) * (bits < 8 and 255 / (2 ^ bits - 1) or 1)
    is_key = is_key and sample(kind, bits, i, j, c) == sample(kind, bits, 1, 2, c)
  end
  if extra == "key" then channels[#channels + 1] = is_key and 0 or full end
  return channels
end

local function expected(kind, bits, extra)
  local rows = {}
  for i = 0, HEIGHT - 1 do
    rows[i + 1] = {}
    for j = 0, WIDTH - 1 do
      local channels = pixel(kind, bits, extra, i, j)
      rows[i + 1][j + 1] = channels[2] and channels or channels[1]
    end
  end
  return rows
end

describe("imread of PNG files", function()
  devices.each_device(function(device)
    it("reads all kinds of pixels", function()
      for _, row in ipairs(golden) do
        local kind, bits, _, extra, hex = unpack(row)
        local x = cn.imread {text = from_hex(hex)}
        assert.equal(device, x.device)
        assert.equal(bits == 16 and "uint16" or "uint8", x.dtype)
        assert.same(expected(kind, bits, extra), x:totable())
      end
    end)

    it("reads what imsave writes", function()
      local path = os.tmpname() .. ".png"
      for channels = 1, 4 do
        for _, dtype in ipairs {"uint8", "uint16"} do
          local rows = {}
          for k = 1, 6 * 5 * channels do rows[k] = k * k * 97 % (dtype == "uint8" and 256 or 65536) end
          local x = cn.array(rows, dtype):reshape(6, 5, channels)
          cn.imsave(path, x)
          assert.same(x:totable(), cn.imread(path):reshape(6, 5, channels):totable())
        end
      end
      cn.imsave(path, cn.array({{1, 2, 3}, {4, 5, 6}}, "uint8").T) -- not contiguous
      assert.same({{1, 4}, {2, 5}, {3, 6}}, cn.imread(path):totable())
      os.remove(path)
    end)
  end)
end)

-- ---- damage ----

local whole = from_hex(golden[7][5]) -- 8 bits, gray

local function u32(n)
  return string.char(math.floor(n / 2 ^ 24), math.floor(n / 2 ^ 16) % 256, math.floor(n / 256) % 256, n % 256)
end

local function crc32(text)
  local crc = 0xffffffff
  for k = 1, #text do
    crc = bit.bxor(crc, text:byte(k))
    for _ = 1, 8 do crc = bit.bxor(bit.rshift(crc, 1), bit.band(crc, 1) == 1 and 0xedb88320 or 0) end
  end
  return bit.bnot(crc) % 2 ^ 32
end

local function chunk(kind, data) return u32(#data) .. kind .. data .. u32(crc32(kind .. data)) end

--- A file of chunks: {kind, data}.
local function file(...)
  local parts = {"\137PNG\r\n\26\n"}
  for _, part in ipairs {...} do parts[#parts + 1] = chunk(part[1], part[2]) end
  return table.concat(parts)
end

local function header(width, height, rest) return {"IHDR", u32(width) .. u32(height) .. (rest or "\8\0\0\0\0")} end

local END = {"IEND", ""}
local ONE = "\120\1\1\2\0\253\255\0\7\0\9\0\8" -- a stream without compression: filter 0, sample 7

local function fails(message, text)
  raises("imread: 'text': " .. message, function() local _ = cn.imread {text = text} end)
end

describe("imread of damaged PNG files", function()
  it("reads the file that the others are made of", function()
    assert.same({{7}}, cn.imread({text = file(header(1, 1), {"IDAT", ONE}, END)}):totable())
  end)

  it("says where a file is cut off", function()
    for length = 8, #whole - 1, 7 do fails("the file is cut off", whole:sub(1, length)) end
    fails("this is an empty file", "")
  end)

  it("compares check sums", function()
    for _, at in ipairs {30, 40, 66} do
      local changed = whole:sub(1, at - 1) .. string.char((whole:byte(at) + 1) % 256) .. whole:sub(at + 1)
      fails("the file is damaged: the check sum of its part", changed)
    end
    fails("the file is damaged: its data does not end with the picture and its check sum",
      file(header(1, 1), {"IDAT", ONE:sub(1, -2) .. "\7"}, END))
  end)

  it("does not believe lengths", function()
    fails("the file is damaged or cut off: 100000 x 100000 pixels need at least 9690019 bytes, and it has 13",
      file(header(1e5, 1e5), {"IDAT", ONE}, END))
    fails("the file is cut off", "\137PNG\r\n\26\n" .. u32(2 ^ 31 - 1) .. "IDAT")
    fails("a picture of 0 x 5 pixels", file(header(0, 5), {"IDAT", ONE}, END))
    fails("the file is damaged: its data ends before the picture does", file(header(9, 9), {"IDAT", ONE}, END))
    fails("the file is damaged: its data ends before the picture does", file(header(1, 2), {"IDAT", ONE}, END))
  end)

  it("refuses data that goes on after the picture, without inflating it", function()
    local path = os.tmpname() .. ".png"
    cn.imsave(path, cn.zeros({3000, 3000}, "uint8"))
    local opened = io.open(path, "rb")
    local text = opened:read "*a"
    opened:close()
    os.remove(path)
    local length = text:byte(36) * 256 + text:byte(37)
    assert(length < #text)
    fails("the file is damaged: its data does not end with the picture and its check sum",
      file(header(3000, 3), {"IDAT", text:sub(42, 41 + length)}, END))
  end)

  it("names what it does not read", function()
    fails("the part \"CgBI\" is not in the PNG specification, and is needed", file(header(1, 1), {"CgBI", ""}))
    fails("pixels of kind 2 with 4 bits are not in the PNG specification", file(header(1, 1, "\4\2\0\0\0")))
    fails("unknown compression 1, filters 0 or interlacing 0", file(header(1, 1, "\8\0\1\0\0")))
    fails("unknown compression 0, filters 0 or interlacing 2", file(header(1, 1, "\8\0\0\0\2")))
    fails("the file is damaged: it does not begin with a header", file(END))
    fails("the file is damaged: its data is not a zlib stream", file(header(1, 1), {"IDAT", "0123456789"}, END))
    fails("the file is damaged: its palette has 0 bytes", file(header(1, 1, "\8\3\0\0\0"), {"IDAT", ONE}, END))
    fails("the file is damaged: a pixel has color 8 of a palette of 2", file(header(1, 1, "\8\3\0\0\0"),
      {"PLTE", "abcdef"}, {"IDAT", ONE}, END))
  end)

  it("raises one line for whatever bytes are changed", function()
    local files = {}
    for k, row in ipairs(golden) do files[k] = from_hex(row[5]) end
    math.randomseed(11)
    for _ = 1, 3000 do
      local text = files[math.random(#files)]
      for _ = 1, math.random(3) do
        local at, byte = math.random(#text), string.char(math.random(0, 255))
        text = text:sub(1, at - 1) .. ({byte, "", byte .. byte})[math.random(3)] .. text:sub(at + 1)
      end
      local ok, message = pcall(cn.imread, {text = text})
      assert.is_true(ok or message:find "^[^\n]*cuna: imread: [^\n]*$" ~= nil, message)
    end
  end)

  it("says which filter is unknown", function()
    fails("the file is damaged: a row has the unknown filter 5",
      file(header(1, 1), {"IDAT", "\120\1\1\2\0\253\255\5\7\0\19\0\13"}, END))
  end)
end)
