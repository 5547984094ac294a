-- Safetensors files: the reference implementation's files are read and written byte for byte; damaged ones are refused.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local EVERY, TWO = "spec/golden/files/every.safetensors", "spec/golden/files/two.safetensors"
local ODD = 'a "name"\né\1'
local DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 bfloat16"

local folder = process.folder()
local path = folder .. "/x.safetensors"
teardown(function() process.remove(folder) end)

--- A file of a header and some bytes.
local function file_of(header, bytes)
  local length = {}
  for k = 1, 8 do length[k] = string.char(math.floor(#header / 256 ^ (k - 1)) % 256) end
  return table.concat(length) .. header .. (bytes or "")
end

--- The tensors of EVERY.
local function every(device)
  local tensors = {scalar = cn.array(7, "int16", device), empty = cn.zeros({0, 3}, "float32", device),
    [ODD] = cn.array({{1}, {2}}, "uint8", device)}
  for dtype in DTYPES:gmatch "%S+" do tensors[dtype] = cn.array({0, 1, 2}, nil, device):astype(dtype) end
  return tensors
end

devices.each_device(function(device)
  describe("safetensors", function()
    it("reads every dtype as the reference wrote it", function()
      local tensors, metadata = cn.load_safetensors(EVERY)
      local count = 0
      for name, expected in pairs(every(device)) do
        local x = tensors[name]
        assert.equal(expected.dtype, x.dtype)
        assert.equal(expected.device, x.device)
        assert.is_true(cn.array_equal(expected, x), name)
        count = count + 1
      end
      for _ in pairs(tensors) do count = count - 1 end
      assert.equal(0, count)
      assert.same({["a\\b"] = "€\t"}, metadata)
    end)

    it("writes the reference's bytes", function()
      cn.save_safetensors(path, every(device), {metadata = {["a\\b"] = "€\t"}})
      assert.is_true(process.read(EVERY) == process.read(path))
    end)

    it("writes arrays of any layout, numbers and tables", function()
      local x = cn.arange(6, nil, nil, "float32", device):reshape(2, 3)
      cn.save_safetensors(path, {t = x.T, r = x["2, ::-1"], n = 2.5, l = {{1, 2}}})
      local tensors, metadata = cn.load_safetensors(path)
      assert.array_equal(tensors.t, {{0, 3}, {1, 4}, {2, 5}})
      assert.array_equal(tensors.r, {5, 4, 3})
      assert.equal(2.5, tensors.n:item())
      assert.array_equal(tensors.l, {{1, 2}})
      assert.same({}, metadata)
    end)

    it("opens files whose tensors are read on access, whole and in parts", function()
      local f = cn.open_safetensors(TWO)
      assert.same({"bias", "weight"}, f:names())
      assert.array_equal(f.bias, {0.5, 1.5})
      assert.array_equal(f:read("weight", {{}, {3, 2, -1}}), {{3, 2}, {6, 5}})
      assert.array_equal(f:read("weight", "2"), {4, 5, 6})
      assert.equal(device, f:read("weight", 2).device)
      assert.equal(6, f:read("weight", {2, 3}))
      assert.is_true(f:has "bias" and not f:has "read")
      assert.same({dtype = "float32", code = "F32", shape = {2, 3}, nbytes = 24}, f:info "weight")
      assert.same({format = "np"}, f:metadata())
      local seen = {}
      for name, x in f:iter() do seen[#seen + 1] = name .. x.size end
      assert.same({"bias2", "weight6"}, seen)
      assert.equal("'" .. TWO .. "' with 2 tensors", tostring(f))
      local kept = f.bias
      f:close()
      assert.array_equal(kept, {0.5, 1.5})
      raises("open_safetensors: '" .. TWO .. "': the file is closed", function() return (f.bias) end)
    end)

    it("reads from memory, and tensors at odd places", function()
      local header = '{"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
        .. '"x":{"dtype":"I32","shape":[2],"data_offsets":[1,9]}}'
      local bytes = file_of(header, "\7\1\0\0\0\255\255\255\255")
      local tensors = cn.load_safetensors {text = bytes}
      assert.array_equal(tensors.b, {7})
      assert.array_equal(tensors.x, {1, -1})
      process.write(path, bytes)
      assert.array_equal(cn.load_safetensors(path).x, {1, -1})
    end)
  end)
end)

describe("a mapped safetensors file", function()
  local host = cn.device "cpu"

  before_each(function() cn.save_safetensors(path, {x = cn.array({1, 2, 3}, nil, host)}) end)

  it("is private, read-only or written to, as its mode says", function()
    local x = cn.load_safetensors(path, "cpu").x
    x[1] = 7
    assert.array_equal(cn.load_safetensors(path, "cpu").x, {1, 2, 3})
    raises("assignment: ", function() cn.load_safetensors(path, "cpu", "r").x[1] = 7 end)
    x = cn.load_safetensors(path, "cpu", "r+").x
    x[1] = 8
    assert.array_equal(cn.load_safetensors(path, "cpu").x, {8, 2, 3})
  end)

  it("is read without a copy", function()
    local f = cn.open_safetensors(path, "cpu")
    assert.is_true(cn.shares_memory(f.x, f:read("x", {{2, 3}})))
  end)
end)

local function refuses(words, header, bytes)
  local text = header:sub(1, 1) == "{" and file_of(header, bytes) or header
  raises("load_safetensors: 'text': " .. words, function() return (cn.load_safetensors {text = text}) end)
end

local function tensor(dtype, shape, first, last)
  return ('{"dtype":"%s","shape":%s,"data_offsets":[%s,%s]}'):format(dtype, shape, first, last)
end

describe("a safetensors file is refused", function()
  it("that is none", function()
    refuses("not a safetensors file: it has 0 bytes", "")
    refuses("not a safetensors file: it has 3 bytes", "abc")
    refuses("the file ends inside of the header", "\16\0\0\0\0\0\0\0{}")
    refuses("not a safetensors file, or a header of 100000001 bytes", "\1\225\245\5\0\0\0\0{}")
    refuses("not a safetensors file, or a header of 18446744073709551616 bytes", ("\255"):rep(8))
    refuses("not a safetensors file: its header does not begin with {", "\3\0\0\0\0\0\0\0 {}")
    refuses("the header is not JSON: '}' or a comma is missing at byte 7", '{"a":1')
    refuses("the header is not JSON: the key 'a' is there twice at byte 8", '{"a":1,"a":1}')
    refuses("the header is not JSON: byte 3 is not UTF-8", '{"\255":1}')
  end)

  it("whose tensors are described wrongly", function()
    refuses("'a' is not an object", '{"a":[]}')
    refuses("'a': unknown dtype \"F7\"", '{"a":' .. tensor("F7", "[]", 0, 1) .. "}", "x")
    refuses("'a': unknown dtype nil", '{"a":{"shape":[]}}')
    refuses("'a': its shape is not a list", '{"a":' .. tensor("U8", "{}", 0, 1) .. "}", "x")
    refuses("'a': its data_offsets is not a list", '{"a":{"dtype":"U8","shape":[]}}')
    refuses("'a': its data_offsets are 1, and should be 2", '{"a":{"dtype":"U8","shape":[],"data_offsets":[0]}}')
    for _, length in ipairs {"-1", "1.5", "9007199254740992", "1e400", '"1"', "null"} do
      refuses("'a': its shape holds ", '{"a":' .. tensor("U8", "[" .. length .. "]", 0, 1) .. "}", "x")
    end
    refuses("'a' has 33 axes", '{"a":' .. tensor("U8", "[" .. ("1,"):rep(32) .. "1]", 0, 1) .. "}", "x")
    refuses("__metadata__: 'a' is not a string", '{"__metadata__":{"a":1}}')
    refuses("its __metadata__ is not an object", '{"__metadata__":[]}')
  end)

  it("whose tensors lie wrongly", function()
    local function pair(first, last) return '{"a":' .. tensor("U8", "[4]", 0, 4) .. ',"b":'
      .. tensor("U8", ("[%d]"):format(math.max(last - first, 0)), first, last) .. "}" end
    refuses("'b' begins at byte 3 of the data, inside of another tensor, which ends at byte 4", pair(3, 5), "12345")
    refuses("'b' begins at byte 5 of the data, after a hole, which begins at byte 4", pair(5, 6), "123456")
    refuses("the tensors have 6 bytes, and the file has 5", pair(4, 6), "12345")
    refuses("1 bytes follow the tensors", pair(4, 6), "1234567")
    refuses("'b': its shape and dtype need 0 bytes, and its data_offsets are 4 to 3", pair(4, 3), "1234")
    refuses("'a': its shape and dtype need 8 bytes, and its data_offsets are 0 to 4",
      '{"a":' .. tensor("F32", "[2]", 0, 4) .. "}", "1234")
    refuses("'a': its shape has no size in bytes",
      '{"a":' .. tensor("F32", "[4294967296,4294967296,4294967296]", 0, 4) .. "}", "1234")
    refuses("'a': its shape has no size in bytes", '{"a":' .. tensor("F4", "[3]", 0, 1) .. "}", "1")
  end)

  it("with a dtype that cuna lacks, when this tensor is read", function()
    local bytes = file_of('{"a":' .. tensor("F8_E4M3", "[2]", 0, 2) .. ',"b":' .. tensor("U8", "[1]", 2, 3) .. "}",
      "123")
    raises("load_safetensors: 'text': 'a' has dtype F8_E4M3, which cuna does not have",
      function() return (cn.load_safetensors {text = bytes}) end)
    local f = cn.open_safetensors {text = bytes}
    assert.array_equal(f.b, {51})
    assert.equal("F8_E4M3", f:info("a").code)
  end)
end)

describe("safetensors files with changed bytes", function()
  it("are read or refused in one line", function()
    local bytes, state, refused = process.read(EVERY), 1, 0
    local function below(n) -- Park and Miller's generator, the same everywhere
      state = state * 16807 % 2147483647
      return state % n
    end
    for _ = 1, 400 do
      local at = below(#bytes) + 1
      local changed = bytes:sub(1, at - 1) .. string.char(below(256)) .. bytes:sub(at + 1 + below(2))
      local ok, problem = pcall(cn.load_safetensors, {text = changed})
      if not ok then
        assert.has.match("^[^\n]*cuna: load_safetensors: [^\n]*$", problem)
        refused = refused + 1
      end
    end
    assert.is_true(refused > 200 and refused < 400)
  end)
end)

describe("errors of safetensors", function()
  it("name what was asked for", function()
    local f = cn.open_safetensors(TWO)
    raises("open_safetensors: '" .. TWO .. "': there is no tensor 'weigth'; did you mean 'weight'?",
      function() return (f.weigth) end)
    raises("open_safetensors: '" .. TWO .. "': there is no tensor 'x'; there are 2, which f:names() lists",
      function() return (f.x) end)
    raises("a safetensors file that was opened is only read", function() f.x = 1 end)
    raises("names: a function of a safetensors file is called with a colon: f:names()", function() f.names() end)
    raises("load_safetensors: the file is missing", function() cn.load_safetensors() end)
    raises("load_safetensors: mmap_mode is", function() cn.load_safetensors(TWO, nil, "w") end)
    raises("load_safetensors: 'text': only a path can be mapped; omit mmap_mode",
      function() cn.load_safetensors({text = process.read(TWO)}, nil, "r") end)
  end)

  it("of writing leave the file as it was", function()
    cn.save_safetensors(path, {x = 1})
    local before = process.read(path)
    raises("save_safetensors: z: the safetensors format has no complex128",
      function() cn.save_safetensors(path, {z = cn.zeros(2, "complex128")}) end)
    raises("save_safetensors: tensors: expected a table {name = array}, got a cuna array",
      function() cn.save_safetensors(path, cn.ones(2)) end)
    raises("save_safetensors: '__metadata__' names no tensor",
      function() cn.save_safetensors(path, {__metadata__ = {}}) end)
    raises("save_safetensors: the name of a tensor is a string, got 1", function() cn.save_safetensors(path, {1}) end)
    raises("save_safetensors: the name of a tensor \"\255\" is not UTF-8 at byte 1",
      function() cn.save_safetensors(path, {["\255"] = 1}) end)
    raises("save_safetensors: metadata 'n' is a string, got 1",
      function() cn.save_safetensors(path, {x = 1}, {metadata = {n = 1}}) end)
    raises("save_safetensors: unknown option 'format'",
      function() cn.save_safetensors(path, {x = 1}, {format = "pt"}) end)
    assert.is_true(before == process.read(path))
  end)
end)
