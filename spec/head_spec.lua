--- Inputs of programs that are the address of an array's first element.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

--- The elements of x, of any shape, from its head on: `count` of them, those behind `size` are 0.
local function fields(kind)
  return {inputs = {{dtype = "float64", address = kind}, {dtype = "int64", scalar = true}}, index = true,
    gathers = true, output = "float64", steps = {{name = "read", dtype = "float64", args = {1, 2, 3},
      arg_dtypes = {"int64", "int64", "int64"}, expr = "c < b ? fetched<float64>(a + 8 * c) : 0.0"}}}
end

local function read(x, size, count) return core.map(core.program(fields "head"), "read", count, nil, x, size) end

devices.each_device(function(device)
  describe("the head of an array", function()
    it("is that of any shape, and leaves the walk alone", function()
      local x = cn.arange(12):astype "float64"
      for _, own in ipairs {x, x:reshape(3, 4), x:reshape(1, 2, 6)} do
        assert.same({0, 1, 2, 3, 0}, read(own, 4, 5):totable())
        assert.same({{0, 1}, {2, 3}, {4, 5}}, read(own, 6, {3, 2}):totable())
      end
      assert.same({5, 6, 7}, read(x:reshape(3, 4)[{{2, 3}, {2, 4}}], 3, 3):totable())
      assert.same({7}, read(cn.array(7), 1, 1):totable())
    end)

    it("may have no elements", function()
      assert.same({0, 0}, read(cn.zeros(0), 0, 2):totable())
      assert.same({0, 0}, read(cn.zeros {3, 0}, 0, 2):totable())
    end)

    it("stays with its memory", function()
      local made = read(cn.arange(3) + 1.5, 3, 3)
      collectgarbage()
      assert.same({1.5, 2.5, 3.5}, made:totable())
    end)

    it("is refused where elements are meant, and of freed arrays", function()
      local plain = fields "head"
      plain.gathers = false
      raises("a malformed program", function() core.program(plain) end)
      plain.fetches = true
      raises("a malformed program", function() core.program(plain) end)
      local freed = cn.zeros(2)
      freed:free()
      raises("read: the array was freed", function() read(freed, 2, 2) end)
    end)

    it("is on one device with the others", function()
      local other = core.is_host(device) and devices.names()[2] or "cpu"
      if not other then return end
      local both = fields "head"
      both.inputs[3] = {dtype = "float64"}
      both.steps[1].args[3] = 4
      local made, far = core.program(both), cn.zeros(2):to(other)
      raises("read: one array is on", function() core.map(made, "read", 2, nil, cn.zeros(2), 2, far) end)
      raises("read: one array is on", function() core.map(made, "read", 2, nil, far, 2, cn.zeros(2)) end)
    end)
  end)
end)
