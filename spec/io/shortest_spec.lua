--- Numbers as text: the least digits that read back, as NumPy finds them.
local bits = require "spec.support.bits"
local cn = require "cuna"
local golden = dofile "spec/golden/shortest.lua"
local process = require "spec.support.process"

local folder = process.folder()
local path = folder .. "/x"
teardown(function() process.remove(folder) end)

local function text_of(x)
  x:tofile(path, {sep = " "})
  return process.read(path)
end

describe("numbers as text", function()
  it("have the digits that NumPy finds", function()
    for _, case in ipairs(golden) do
      local expected, k = {}, 0
      for word in case.text:gmatch "%S+" do expected[#expected + 1] = word end
      for word in text_of(bits.array(bits.from_hex(case.bytes), case.dtype)):gmatch "%S+" do
        k = k + 1
        assert.equal(expected[k], word, ("%s, number %d"):format(case.dtype, k))
      end
      assert.equal(#expected, k)
    end
  end)

  it("of 16 bits read back, every one", function()
    local all = cn.arange(65536, nil, nil, "uint16"):tobytes()
    for _, dtype in ipairs {"float16", "bfloat16"} do
      local x = bits.array(all, dtype)
      x = x[x:eq(x)]
      assert.equal(x:tobytes(), cn.fromfile({text = text_of(x)}, {dtype = dtype, sep = " "}):tobytes())
    end
  end)

  it("are as short as Lua finds them", function()
    local seed = tonumber(os.getenv "CUNA_SEED") or 1
    math.randomseed(seed)
    local values = {}
    for k = 1, 5000 do values[k] = math.random() * 10 ^ math.random(-20, 25) end
    local k = 0
    for word in text_of(cn.array(values)):gmatch "%S+" do
      k = k + 1
      local digits = 15
      while tonumber(("%%.%dg"):format(digits):format(values[k])) ~= values[k] do digits = digits + 1 end
      local plain = word:gsub("e.*", ""):gsub("%.0$", ""):gsub("%.", ""):gsub("^0+", "")
      assert.equal(values[k], tonumber(word), "CUNA_SEED=" .. seed)
      assert.is_true(#plain <= digits or tonumber(word) >= 1e15, "CUNA_SEED=" .. seed .. ": " .. word)
    end
  end)
end)
