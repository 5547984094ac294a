--- Files and tensors that are damaged, hostile or not what was asked for: an error in one line, or a right array.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
require "spec.support.dlpack"

local SEED = tonumber(os.getenv("CUNA_SEED")) or 1
local MUTATIONS = 1500

local folder = process.folder()
local path = folder .. "/x.npy"
teardown(function() process.remove(folder) end)

--- An .npy file of a header's text and some bytes.
local function npy(header, bytes, version)
  local prefix = (version or 1) == 1 and string.char(#header % 256, math.floor(#header / 256))
    or string.char(#header % 256, math.floor(#header / 256) % 256, math.floor(#header / 65536), 0)
  return "\147NUMPY" .. string.char(version or 1, 0) .. prefix .. header .. (bytes or "")
end

local function header(fields)
  local f = {descr = "'<f8'", fortran_order = "False", shape = "(2,)"}
  for name, value in pairs(fields or {}) do f[name] = value end
  return ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }"):format(f.descr, f.fortran_order, f.shape)
end

local TWO = ("\0"):rep(16)

local function refuses(text, bytes)
  raises("load: 'text': " .. text, function() return (cn.load {text = bytes}) end)
end

describe("an .npy file is refused", function()
  it("with an array that cuna cannot have", function()
    for descr, words in pairs {
      ["'|O'"] = "the array holds Python objects, which only a pickle could hold (descr '|O'), and cuna has numbers",
      ["'<U5'"] = "the array holds strings (descr '<U5')", ["'|S3'"] = "the array holds strings (descr '|S3')",
      ["'<M8[ns]'"] = "the array holds times", ["'|V2'"] = "the array holds bytes of no dtype (bfloat16 is saved so",
      ["'<f16'"] = "the array holds floats of a size", ["'<c32'"] = "the array holds complex numbers of a size",
      ["[('a', '<f8')]"] = "the array is a structured one", ["'<x8'"] = "unknown descr '<x8'",
      ["'f'"] = "the array holds", ["'<b8'"] = "unknown descr '<b8'", ["''"] = "unknown descr ''",
      ["('<f8', (2,))"] = "the array is a structured one",
    } do refuses(words, npy(header {descr = descr}, TWO)) end
  end)

  it("with a header that says too much", function()
    refuses("an array of shape (3,) and dtype float64 has 24 bytes, and the file has 16 more",
      npy(header {shape = "(3,)"}, TWO))
    refuses("an array of shape (1000000000000, 1000) and dtype float64 has 8000000000000000 bytes, and the file has 16",
      npy(header {shape = "(1000000000000, 1000)"}, TWO))
    refuses("an array of shape (4294967296, 4294967296, 4294967296) and dtype float64 is larger than any memory",
      npy(header {shape = "(4294967296, 4294967296, 4294967296)"}, TWO))
    refuses("the header's shape (9223372036854775807,) is none", npy(header {shape = "(9223372036854775807,)"}, TWO))
    refuses("the array has 33 axes", npy(header {shape = "(" .. ("1, "):rep(33) .. ")"}, TWO))
    refuses("1 more bytes stand behind the array", npy(header(), TWO .. "x"))
    refuses("a header of 16777215 bytes; there are at most 65536", "\147NUMPY\2\0\255\255\255\0")
    refuses("the file ends inside of the header", "\147NUMPY\1\0\255\255{")
  end)

  it("with a header that is none", function()
    for shape, words in pairs {["(-1,)"] = "shape (-1,) is none", ["(2)"] = "shape (2) is none",
      ["(02,)"] = "shape (02,) is none", ["(1.5,)"] = "shape (1.5,) is none", ["(2,,)"] = "shape (2,,) is none",
      ["(2 3)"] = "shape (2 3) is none", ["(2, 3"] = " is damaged", ["[2]"] = " is damaged", ["None"] = "damaged"} do
      local ok, problem = pcall(cn.load, {text = npy(header {shape = shape}, TWO)})
      assert.is_true(not ok and problem:find(words, 1, true) ~= nil, problem)
    end
    refuses("the header is damaged at byte 18", npy(header {fortran_order = "Maybe"}, TWO))
    refuses("the header has no 'shape'", npy("{'descr': '<f8', 'fortran_order': False, }", TWO))
    refuses("the header is damaged", npy(header():gsub("}", "'shape': (2,), }"), TWO))
    refuses("the header is damaged", npy(header():gsub("}", "'more': 1, }"), TWO))
    refuses("the header is not a dict", npy(header() .. " __import__('os')", TWO))
    refuses("the header is not a dict", npy("", TWO))
    refuses("version 4.0 of the .npy format is unknown", npy(header(), TWO, 4))
    refuses("the file ends inside of the header", "\147NUMPY")
    refuses("the file ends inside of the header", "\147NUMPY\1")
  end)

  it("is read however a header is written", function()
    for _, text in ipairs {'{"shape":(2,),"fortran_order":False,"descr":"<f8"}',
      "{'shape': (2L,), 'fortran_order': False,'descr': '=f8'}\n",
      "  { 'shape' : ( 2 , ) ,'fortran_order' :True , 'descr': 'f8' , }   "} do
      for version = 1, 3 do assert.is_true(cn.load({text = npy(text, TWO, version)}) == cn.zeros(2)) end
    end
    assert.is_true(cn.load({text = npy(header {shape = "(1000000, 0, 100)"})}):has_shape(1000000, 0, 100))
  end)

  it("when it is not such a file", function()
    refuses("this is an empty file", "")
    refuses("this is not an .npy or .npz file", "1,2,3\n")
    refuses("this is a pickle, which cuna does not read", "\128\4\149")
    raises("load: cannot open '/nowhere/x.npy': No such file or directory", function() cn.load "/nowhere/x.npy" end)
    raises("load: '/': cannot read the file: Is a directory", function() cn.load "/" end)
    raises("load: the file is missing", function() cn.load() end)
    raises("load: expected a path, an open file or {text = bytes}, got 5", function() cn.load(5) end)
    raises("load: expected a path, an open file or {text = bytes}, got a table", function() cn.load {text = 5} end)
    raises("load: expected a path", function() cn.load({text = "", more = 1}) end)
    raises("load: NUL bytes cannot be in a path", function() cn.load "x\0y" end)
    raises("load: a function of cuna is called with a dot", function() cn:load "x" end)
    raises("load: the file is closed", function()
      local file = io.open("Makefile")
      file:close()
      cn.load(file)
    end)
  end)

  it("by maps", function()
    raises("load: mmap_mode is \"r\", \"r+\" or \"c\", got \"w+\"", function() cn.load("x.npy", "w+") end)
    raises("load: unknown option 'mode'", function() cn.load("x.npy", {mode = "r"}) end)
    raises("load: 'text': only plain files can be mapped", function() cn.load({text = npy(header(), TWO)}, "r") end)
    process.write(path, npy(header {descr = "'>f8'"}, TWO))
    raises(("load: '%s': numbers in the other byte order cannot be mapped"):format(path), function()
      cn.load(path, "r")
    end)
    process.write(path, npy(header(), TWO))
    raises(("load: '%s': the memory is not aligned for float64"):format(path), function() cn.load(path, "r") end)
    process.write(path, npy(header(), TWO:sub(2)))
    raises(("load: '%s': an array of shape (2,) and dtype float64 has 16 bytes, and the file has 15 more"):format(path),
      function() cn.load(path, "r") end)
    raises("load: 'spec/golden/files/two.npz': the arrays of an .npz file cannot be mapped", function()
      cn.load("spec/golden/files/two.npz", "r")
    end)
  end)
end)

--- The .npz file of some arrays.
local function npz_bytes(save, arrays)
  save(folder .. "/x.npz", arrays)
  return process.read(folder .. "/x.npz")
end

local function replace(text, at, bytes) return text:sub(1, at - 1) .. bytes .. text:sub(at + #bytes) end

describe("an .npz file", function()
  it("is refused where it is damaged", function()
    local stored = npz_bytes(cn.savez, {x = cn.ones(100)})
    local directory = stored:find("PK\1\2", 1, true)
    local data = stored:find(cn.ones(2):tobytes(), 1, true)
    local function breaks(words, bytes)
      raises("load: 'text': " .. words, function() local _ = cn.load({text = bytes}).x end)
    end
    breaks("'x.npy' is damaged: its check sum is ", replace(stored, data + 100, "\1"))
    breaks("no zip archive, or one that is cut off", stored:sub(1, -2))
    breaks("no zip archive, or one that is cut off", stored .. "x")
    breaks("the archive is damaged where 'x.npy' should be", replace(stored, 31, "y"))
    breaks("'x.npy' is encrypted", replace(stored, directory + 8, "\1"))
    breaks("'x.npy' is compressed by method 14", replace(stored, directory + 10, "\14"))
    breaks("the archive is damaged: 'x.npy' lies outside of it", replace(stored, directory + 42, "\255\255"))
    breaks("the archive's directory is damaged", replace(stored, directory, "XX"))
    breaks("the archive is damaged: 'x.npy' has 928 bytes in the file, which cannot stand for",
      replace(stored, directory + 24, "\255\255\255\127"))
    breaks("the archive is damaged: its directory lies outside of it", replace(stored, #stored - 5, "\255\255"))
    breaks("archives of several disks are not read", replace(stored, #stored - 17, "\1"))
    local deflated = npz_bytes(cn.savez_compressed, {x = cn.arange(1000)})
    breaks("the file ends ", replace(deflated, deflated:find("PK\1\2", 1, true) + 20, "\200\1"))
    local ok = pcall(function() return cn.load({text = replace(deflated, 300, "\255\255\255\255")}).x end)
    assert.is_false(ok)
  end)

  it("is refused where members are none", function()
    local zip, core = require "cuna.io.zip", require "cuna.core"
    local function archive(members)
      local file, list = core.file_create(path, "save"), {}
      for k, m in ipairs(members) do
        list[k] = zip.write_member(file, m[1], #m[2], m[3], function() file:write(m[2]) end)
      end
      zip.write_directory(file, list)
      file:commit()
      return cn.load({text = process.read(path)})
    end
    local good = npy(header(), TWO)
    raises("load: 'text': the archive has 'x.npy' twice", function() archive {{"x.npy", good}, {"x.npy", good}} end)
    raises("load: 'text': there is no array 'wieght', did you mean 'weight'?; there are weight", function()
      local _ = archive({{"weight.npy", good}, {"notes.txt", "hello"}}).wieght
    end)
    raises("load: 'text': there is no array 'x'; there is none", function() local _ = archive({}).x end)
    for _, deflated in ipairs {true, false} do
      raises("load: 'text': 'x.npy' has 84 bytes, and its array needs 83", function()
        local _ = archive({{"x.npy", good .. "x", deflated}}).x
      end)
      raises("load: 'text': 'x.npy' has 92 bytes, and its array needs 8000000076", function()
        local _ = archive({{"x.npy", npy(header {shape = "(1000000000,)"}, TWO), deflated}}).x
      end)
      raises("load: 'text': no .npy data", function() local _ = archive({{"x.npy", "hello", deflated}}).x end)
      raises("load: 'text': the array holds Python objects", function()
        local _ = archive({{"x.npy", npy(header {descr = "'|O'"}, TWO), deflated}}).x
      end)
    end
    local npz = archive {{"x.npy", good}}
    raises("an .npz file that was loaded is only read", function() npz.y = 1 end)
    raises("names: a function of an .npz file is called with a colon", function() npz.names() end)
  end)

  it("stops at the end of its array, however long its stream is", function()
    local zip, core = require "cuna.io.zip", require "cuna.core"
    local file = core.file_create(path, "save")
    local member = zip.write_member(file, "x.npy", 1e8, true, function()
      file:write(npy(header(), TWO))
      for _ = 1, 100 do file:write(("\0"):rep(1e6)) end
    end)
    member.nbytes = 82
    zip.write_directory(file, {member})
    file:commit()
    local start = os.clock()
    raises("load: ", function() local _ = cn.load({text = process.read(path)}).x end)
    assert.is_true(os.clock() - start < 0.5)
  end)
end)

describe("mistakes in writing", function()
  it("are reported before anything is written", function()
    raises("save: the .npy format has no bfloat16; save x:astype(\"float32\")", function()
      cn.save(path, cn.ones(2, "bfloat16"))
    end)
    raises("savez: y: the .npy format has no bfloat16", function() cn.savez(path, {y = cn.ones(2, "bfloat16")}) end)
    raises("save: the array is missing", function() cn.save(path) end)
    raises("save: expected a path or an open file, got a cuna array", function() cn.save(cn.ones(2), path) end)
    raises("save: the data has the key 'x'", function() cn.save(path, {1, 2, x = 3}) end)
    raises("save: a function of cuna is called with a dot", function() cn:save(path, 1) end)
    raises("savez: expected a path, got nil", function() cn.savez() end)
    raises("savez: arr_0 is the name of an array without one", function() cn.savez(path, 1, {arr_0 = 2}) end)
    raises("savez: \"\" is not a name for an array", function() cn.savez(path, {[""] = 2}) end)
    raises("savez: expected an array, a number or a nested table, got string", function() cn.savez(path, {x = "y"}) end)
    raises("save: the array was freed", function()
      local x = cn.ones(2)
      x:free()
      cn.save(path, x)
    end)
    raises("save: cannot write '/nowhere/x.npy", function() cn.save("/nowhere/x", cn.ones(2)) end)
    raises("tofile: expected an array, got 5", function() require("cuna.core").methods().tofile(5, path) end)
    raises("tofile: sep is a string, got 5", function() cn.ones(2):tofile(path, 5) end)
    raises("tofile: '" .. path .. "': fmt 'x' has no conversion", function() cn.ones(2):tofile(path, ",", "x") end)
  end)

  it("in raw bytes and text are reported", function()
    raises("fromfile: 'text': 5 bytes are not a whole number of int16 elements", function()
      cn.fromfile({text = "12345"}, "int16")
    end)
    raises("fromfile: 'text': offset 6 lies behind the 5 bytes", function()
      cn.fromfile({text = "12345"}, {offset = 6})
    end)
    raises("fromfile: offset is for bytes", function() cn.fromfile({text = "1"}, {offset = 1, sep = ","}) end)
    raises("fromfile: count is a count, got -2", function() cn.fromfile({text = "1"}, "int8", -2) end)
    raises("fromfile: unknown dtype 'int7'", function() cn.fromfile({text = "1"}, "int7") end)
    raises("fromfile: the file is missing", function() cn.fromfile() end)
    local function reads(words, text, sep, dtype)
      raises("fromfile: 'text': " .. words, function() cn.fromfile({text = text}, dtype, -1, sep) end)
    end
    reads("number 2: 'x' is not a number of dtype float64", "1,x", ",")
    reads("behind number 2: '3,4' is not the separator ','", "1,2 3,4", ",")
    reads("number 2: nothing stands before the separator", "1,,2", ",")
    reads("number 1: '1.5' does not fit int8", "1.5", ",", "int8")
    reads("number 2: '300' does not fit int8", "1 300", " ", "int8")
    reads("number 1: 'nan' does not fit int8", "nan", " ", "int8")
    reads("number 1: '1+2j' is not a number of dtype float64", "1+2j", " ")
  end)
end)

describe("random damage", function()
  --- A few bytes of a text changed, taken out or doubled.
  local function mutate(text)
    for _ = 1, math.random(1, 3) do
      local at, kind = math.random(1, #text), math.random(1, 6)
      if kind <= 3 then
        text = replace(text, at, string.char(math.random(0, 255)))
      elseif kind == 4 then
        text = text:sub(1, at - 1) .. text:sub(at + math.random(1, 8))
      elseif kind == 5 then
        text = text:sub(1, at) .. text:sub(math.max(1, at - math.random(0, 8)))
      else
        text = replace(text, at, ("\255"):rep(math.random(1, 8)):sub(1, #text - at + 1))
      end
      if text == "" then return "\0" end
    end
    return text
  end

  --- One line of cuna's, or the results of fn.
  local function tame(fn, note)
    local results = {pcall(fn)}
    local problem = tostring(results[2])
    if not results[1] and (not problem:find "^[^\n]*cuna: [^\n]*$" or problem:find "OutOfMemory") then
      error(note .. ": " .. problem)
    end
    return unpack(results)
  end

  local function load_all(text)
    local result = cn.load {text = text}
    if cn.is_array(result) then return result:tobytes() end
    for _, x in result:iter() do x:tobytes() end
  end

  it("of files is an error or an array", function()
    math.randomseed(SEED)
    local x = cn.arange(24):reshape(2, 3, 4)
    local seeds = {}
    for k, y in ipairs {x, x.T, x:astype("complex64"), cn.array(true)} do
      cn.save(path, y)
      seeds[k] = process.read(path)
    end
    seeds[5] = npz_bytes(cn.savez, {x = x, y = x})
    seeds[6] = npz_bytes(cn.savez_compressed, {x = x, y = cn.ones(500)})
    local good = 0
    for k = 1, MUTATIONS do
      local text = mutate(seeds[k % #seeds + 1])
      if tame(function() load_all(text) end, ("CUNA_SEED=%d, mutation %d"):format(SEED, k)) then good = good + 1 end
    end
    assert.is_true(good > 0 and good < MUTATIONS)
  end)

  it("of numbers as text is an error or an array", function()
    math.randomseed(SEED)
    for k = 1, MUTATIONS do
      local text = mutate "1, 2.5 ,-3e5,inf, nan, 7"
      tame(function() cn.fromfile({text = text}, {sep = ","}) end, ("CUNA_SEED=%d, mutation %d"):format(SEED, k))
    end
  end)

  it("of tensors is an error or an array", function()
    math.randomseed(SEED)
    local memory, shape, strides = ffi.new("double[64]"), ffi.new("int64_t[64]"), ffi.new("int64_t[64]")
    local lengths = {0, 1, 2, 3, -1, 2LL ^ 31, 2LL ^ 62, -2LL ^ 63, 2LL ^ 63 - 1}
    local accepted = 0
    for k = 1, MUTATIONS do
      local managed = ffi.new "DLManagedTensor"
      local t = managed.dl_tensor
      for axis = 0, 63 do
        shape[axis] = lengths[math.random(1, math.random() < 0.05 and #lengths or 4)]
        strides[axis] = lengths[math.random(1, math.random() < 0.05 and #lengths or 5)]
      end
      t.data, t.shape, t.strides = memory, shape, math.random() < 0.8 and strides or nil
      t.device, t.ndim = {math.random() < 0.9 and 1 or math.random(0, 20), 0}, math.random(0, 4)
      t.dtype, t.byte_offset = {math.random(0, 6), 8 * 2 ^ math.random(0, 4), 1}, math.random(0, 3) * 16
      if math.random() < 0.1 then t.ndim = math.random(-2, 40) end
      if math.random() < 0.05 then t.byte_offset = -1LL end
      local function import() return cn.from_dlpack(ffi.cast("DLManagedTensor *", managed)):free() end
      if tame(import, ("CUNA_SEED=%d, tensor %d"):format(SEED, k)) then accepted = accepted + 1 end
    end
    assert.is_true(accepted > MUTATIONS / 20 and accepted < MUTATIONS)
  end)
end)

describe("a file that is to be replaced", function()
  it("stays where its permissions cannot be given to the new one", function()
    local disks, target = folder .. "/disks.so", folder .. "/old.npy"
    local text, status = process.shell(("cc -shared -fPIC -o %s spec/support/disks.c -ldl"):format(disks))
    assert(status == 0, text)
    process.write(target, "old")
    text, status = process.run(([[
      local cn = require "cuna"
      print(pcall(cn.save, %q, cn.array {1, 2}))]]):format(target), {CUNA_DEVICE = "cpu", DISKS_NO_MODES = folder,
        LD_PRELOAD = (os.getenv "LD_PRELOAD" or "") .. ":" .. disks})
    assert.equal(0, status, text)
    assert.has.match("^false\t.*cannot write '.*old%.npy': Operation not permitted", text)
    assert.equal("old", process.read(target))
    assert.equal("", (process.shell("ls -A " .. process.quote(folder) .. " | grep tmp")))
  end)
end)

devices.each_device(function()
  it("damage of data is found by check sums, wherever the array is to be", function()
    for _, save in ipairs {cn.savez, cn.savez_compressed} do
      local bytes = npz_bytes(save, {x = cn.arange(5e6):astype "int16"})
      for at = 200000, 600000, 200000 do
        local text = replace(bytes, at, string.char((bytes:byte(at) + 1) % 256))
        assert.is_false((pcall(function() return cn.load({text = text}).x end)))
      end
      assert.is_true(cn.load({text = bytes}).x == cn.arange(5e6):astype "int16")
    end
  end)
end)
