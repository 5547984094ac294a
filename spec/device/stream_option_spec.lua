--- The option `stream` of kernels' calls: they launch there, and only this time.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

--- Asserts that call(...) raises one line of cuna's at a line of this file.
local function says(text, call, ...)
  local ok, message = pcall(call, ...)
  assert.is_false(ok)
  assert.equal(text, message:match "^spec/device/stream_option_spec%.lua:%d+: cuna: ([^\n]*)$" or message)
end

devices.each_device(function(device)
  local function stream()
    return cn.cuda.Stream{device = device, non_blocking = true}
  end

  after_each(function() cn.synchronize() end)

  describe("the option stream", function()
    local square = cn.ElementwiseKernel("T x", "T y", "y = x * x", "square")
    local total = cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "total")
    local running = cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0, "running")
    local CODE = "__global__ void scale(float *x, float a) { x[blockIdx.x] *= a; }"
    local raw = cn.RawKernel(CODE, "scale")
    local of_module = cn.RawModule{code = CODE}:get_function "scale"
    local source = cn.cuda.SourceModule(CODE):get_function "scale"
    local jit = cn.jit.rawkernel([[function(x, a)
      local i = cn.jit.grid(1)
      x[i] = x[i] * a
    end]], "scale")

    --- Calls of each kind, each of which returns an array: of the array x of 4 float32, with options.
    local calls = {
      square = function(x, options) return square(x, options) end,
      ["square of a table"] = function(_, options) return square({1, 2, 3, 4}, options) end,
      total = function(x, options) return total(x, options) end,
      ["total of a number"] = function(_, options) return total(4, options) end,
      running = function(x, options) return running(x, options) end,
      RawKernel = function(x, options) raw(4, 1, {x, 3}, options) return x end,
      RawModule = function(x, options) of_module(4, 1, {x, 3}, options) return x end,
      jit = function(x, options) jit(4, 1, {x, 3}, options) return x end,
      SourceModule = function(x, options) source(x, 3, {block = 1, grid = 4, stream = options.stream}) return x end,
      prepared = function(x, options) source:prepare("Pf"):prepared_call(4, 1, x, 3, options) return x end,
    }
    local expected = {square = {1, 4, 9, 16}, ["square of a table"] = {1, 4, 9, 16}, total = 10,
      ["total of a number"] = 4, running = {1, 3, 6, 10}, RawKernel = {3, 6, 9, 12}, RawModule = {3, 6, 9, 12},
      jit = {3, 6, 9, 12}, SourceModule = {3, 6, 9, 12}, prepared = {3, 6, 9, 12}}
    local names = {square = "square", ["square of a table"] = "square", total = "total", running = "running",
      ["total of a number"] = "total"}

    for kind, call in pairs(calls) do
      it("of " .. kind .. " launches there, and only this time", function()
        local s = stream()
        for _ = 1, 5 do
          local x = s:with(cn.array, {1, 2, 3, 4}, "float32")
          local y = call(x, {stream = s})
          assert.is_true(cn.cuda.get_current_stream().null)
          assert.same(expected[kind], s:with(y.totable, y))
        end
      end)

      it("of " .. kind .. " is one of the arrays' device", function()
        local x, name = cn.array({1, 2, 3, 4}, "float32"), names[kind] or "scale"
        says(name .. ": stream is a stream, such as cn.cuda.Stream(), got 3", call, x, {stream = 3})
        local freed = stream()
        freed:free()
        says(name .. ": the stream of " .. device.name .. " was freed", call, x, {stream = freed})
        if device.kind == "cpu" then return end
        local foreign = cn.cuda.Stream{device = "cpu"}
        says(name .. ": the stream is of cpu, and the work is on " .. device.name, call, x, {stream = foreign})
        assert.is_true(cn.cuda.get_current_stream().null)
        assert.is_true(cn.cuda.get_current_stream("cpu").null)
      end)
    end

    it("restores the stream after an error", function()
      local s, x = stream(), cn.zeros(4, "float32")
      raises("scale: ", function() raw(4, 1, {x, "a"}, {stream = s}) end)
      raises("total: ", function() total(x, {axis = 3, stream = s}) end)
      assert.is_true(cn.cuda.get_current_stream().null)
    end)

    it("brings host arrays and takes them back", function()
      local s, x = stream(), cn.device("cpu"):with(cn.array, {1, 2}, "float32")
      source(cn.cuda.InOut(x), 3, {block = 1, grid = 2, stream = s})
      assert.same({3, 6}, x:totable())
    end)

    it("of a kernel in Lua still reports positions out of range", function()
      if device.kind == "cpu" then return end
      local s, x = stream(), cn.zeros(4, "float32")
      cn.synchronize()
      for _ = 1, 3 do
        jit(5, 1, {x, 2}, {stream = s})
        raises("scale: position 5 is out of bounds for the first axis of 'x', whose length is 4", function()
          s:synchronize()
        end)
        jit(5, 1, {x, 2}, {stream = s})
        raises("scale: position 5 is out of bounds", function() cn.synchronize() end)
        jit(4, 1, {x, 2}, {stream = s})
        cn.synchronize()
      end
    end)
  end)
end)
