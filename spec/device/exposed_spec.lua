--- Whether the address of an array's memory is known outside of cuna, where it may be used at any time.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local ffi = require "ffi"

local WRITES = [[extern "C" __global__ void write(float *x) { x[0] = 2; }]]
local HAS_VARIABLE = [[__device__ float weights[4]; extern "C" __global__ void nothing() {}]]

devices.each_device(function(device)
  describe("the address of an array", function()
    local x
    before_each(function() x = cn.zeros({2, 3}, "float32") end)

    it("stays inside of cuna, whatever it does with the elements", function()
      local y = x:add_(1).T + cn.ones({3, 2}, "float32")
      x[{1, 2}] = 5
      assert.equal(5, x[{1, 2}])
      assert.equal(12, y:sum():item())
      assert.equal(6, x:copy():ravel():sort().size)
      assert.is_false(core.is_exposed(x) or core.is_exposed(x:to "cpu") or core.is_exposed(y))
    end)

    it("is known after an export, also of a view", function()
      local whole = x:reshape(6)
      assert.is_false(core.is_exposed(whole))
      x.T:to_dlpack()
      assert.is_true(core.is_exposed(whole))
    end)

    it("is known of memory that is not cuna's", function()
      local imported = cn.from_dlpack(x)
      local unowned = cn.cuda.UnownedMemory(cn.cuda.alloc(8).ptr, 8, nil, device):array()
      assert.is_true(core.is_exposed(imported) and core.is_exposed(unowned))
    end)

    it("is known to a raw kernel, and of its variables", function()
      cn.RawKernel(WRITES, "write")(1, 1, {x})
      assert.equal(2, x[{1, 1}])
      assert.is_true(core.is_exposed(x))
      assert.is_true(core.is_exposed(cn.RawModule(HAS_VARIABLE):get_global "weights"))
    end)

    it("is known where memory is asked for its address", function()
      assert.is_true(core.is_exposed(cn.cuda.alloc(8):array()))
    end)
  end)
end)

describe("the address of an array of the host", function()
  it("is known as a pointer, and of memory that is not cuna's", function()
    local x = cn.zeros(3, {device = "cpu"})
    assert.is_false(core.is_exposed(x))
    x:pointer()
    assert.is_true(core.is_exposed(x))
    local bytes = ffi.new("double[2]", 1, 2)
    assert.is_true(core.is_exposed(cn.frombuffer(bytes, {copy = false})))
  end)
end)
