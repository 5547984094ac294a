--- What engines and functions say of arrays that do not go together: one wording, with the facts, on each device.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

--- Functions that write a float64 result of shape (3,) to `out`; those of SHAPES of another one.
local function writers()
  local x, y = cn.ones {2, 3}, cn.ones(3)
  local twice = cn.ElementwiseKernel("float64 x", "float64 z", "z = 2 * x", "twice")
  local total = cn.ReductionKernel("float64 x", "float64 z", "x", "a + b", "z = a", "0", "total")
  local running = cn.ScanKernel("float64 x", "float64 z", "x", "a + b", "z = a", "0", "running")
  return {
    add = function(out) return cn.add(y, y, out) end,
    sum = function(out) return x:sum(1, {out = out}) end,
    mean = function(out) return x:mean(1, {out = out}) end,
    var = function(out) return x:var(1, {out = out}) end,
    cumsum = function(out) return y:cumsum {out = out} end,
    cumulative_sum = function(out) return cn.cumulative_sum(cn.ones(2), {include_initial = true, out = out}) end,
    add_reduce = function(out) return cn.add_reduce(x, 1, {out = out}) end,
    subtract_reduce = function(out) return cn.subtract_reduce(x, 1, {out = out}) end,
    subtract_accumulate = function(out) return cn.subtract_accumulate(y, {out = out}) end,
    take = function(out) return y:take({3, 2, 1}, {out = out}) end,
    quantile = function(out) return x:quantile(0.5, 1, {out = out}) end,
    matmul = function(out) return cn.matmul(y, cn.eye(3), {out = out}) end,
    einsum = function(out) return cn.einsum("ij->j", x, {out = out}) end,
    outer = function(out) return cn.outer(y, cn.ones(1), {out = out}) end,
    concatenate = function(out) return cn.concatenate({y}, 1, out) end,
    twice = function(out) return twice(y, out) end,
    total = function(out) return total(x, {axis = 1, out = out}) end,
    running = function(out) return running(y, out) end,
  }
end

local SHAPES = {outer = "(3, 1)"}
local TYPED = {twice = true, total = true, running = true} -- the output's dtype stands in the kernel's text

--- Calls core's engines with programs of one float64 input: by name, function(out) and the result's shape.
local function engines()
  local x, rows = cn.ones(3), cn.ones {600, 8}
  local function program(fields)
    fields.inputs = {{dtype = "float64"}}
    return core.program(fields)
  end
  local sum = {name = "sum", state = "T", identity = "T(0)", lift = "a", combine = "a + b", finish = "a"}
  local copy = program {steps = {}, output = "float64"}
  local sort = program {steps = {}, sorts = "elements", output = "float64"}
  local fold = program {steps = {}, reducer = sum, accumulator = "float64", output = "float64"}
  local scan = program {steps = {}, reducer = sum, accumulator = "float64", output = "float64", scan = "inclusive"}
  local stages = program {stages = 1, outputs = {{dtype = "float64", value = 3}}, steps = {
    {reducer = sum, dtype = "float64", args = {1}, arg_dtypes = {"float64"}},
    {name = "sub", expr = "a - b", dtype = "float64", args = {1, 2}, arg_dtypes = {"float64", "float64"}}}}
  return {
    map = {{3}, function(out) return core.map(copy, "map", nil, out, x) end},
    fold = {{3}, function(out) return core.reduce(fold, "fold", 0, false, 0, {out}, x) end},
    scan = {{3}, function(out) return core.scan(scan, "scan", 1, {out}, x) end},
    stages = {{600, 8}, function(out) return core.stages(stages, "stages", 2, 0, {out}, rows) end},
    sort = {{3}, function(out) return core.sort(sort, "sort", false, out, x) end},
    matmul = {{1, 3}, function(out) return core.matmul(nil, "matmul", out, x:reshape(1, 3), cn.eye(3)) end},
  }
end

devices.each_device(function(device)
  describe("an output that cannot take the result", function()
    it("is refused with both shapes", function()
      for name, write in pairs(writers()) do
        local shape = SHAPES[name] or "(3,)"
        raises(name .. ": out has shape (4,), but the result has shape " .. shape, function() write(cn.zeros(4)) end)
        raises(name .. ": out has shape (3, 2), but the result has shape " .. shape, function()
          write(cn.zeros {3, 2})
        end)
      end
    end)

    it("is refused with both dtypes", function()
      for name, write in pairs(writers()) do
        local out = SHAPES[name] and cn.zeros({3, 1}, "int32") or cn.zeros(3, "int32")
        if not TYPED[name] then
          raises(name .. ": a float64 result cannot be written to int32; cast it with astype", function()
            write(out)
          end)
        end
      end
      raises("take: an int64 result cannot be written to bool; cast it with astype", function()
        cn.ones(3, "int64"):take({1, 2}, {out = cn.zeros(2, "bool")})
      end)
      raises("add_at: a float64 result cannot be written to int32; cast it with astype", function()
        cn.add_at(cn.zeros(3, "int32"), cn.array {1}, 0.5)
      end)
    end)

    it("is refused by the engines alike", function()
      for name, engine in pairs(engines()) do
        local lengths, write = unpack(engine)
        local shape = tostring(cn.zeros(lengths).shape)
        raises(name .. ": out has shape (4,), but the result has shape " .. shape, function() write(cn.zeros(4)) end)
        raises(name .. ": a float64 result cannot be written to float32; cast it with astype", function()
          write(cn.zeros(lengths, "float32"))
        end)
        raises(name .. ": the array of shape " .. shape .. " is a broadcast view", function()
          write(cn.zeros(1):broadcast_to(lengths))
        end)
      end
      raises("sort: out is not row-major", function() engines().sort[2](cn.zeros(6)["::2"]) end)
    end)

    it("is named by its number among several", function()
      local x, whole = cn.arange(3), cn.zeros(3)
      raises("modf: out[2] has shape (2,), but the result has shape (3,)", function()
        cn.modf(x, {out = {whole, cn.zeros(2)}})
      end)
      raises("modf: a float64 result cannot be written to out[1] of int8; cast it with astype", function()
        cn.modf(x, {out = {cn.zeros(3, "int8"), whole}})
      end)
      raises("modf: two outputs share memory", function() cn.modf(x, {out = {whole, whole}}) end)
    end)

    it("is refused on another device", function()
      local names = devices.names()
      if #names == 1 then return end
      local other = names[1] == device.name and names[2] or names[1]
      for name, engine in pairs(engines()) do
        raises(("%s: one array is on %s and another on %s; move one with x:to(%q)"):format(name, device.name, other,
          device.name), function() engine[2](cn.zeros(engine[1], {device = other})) end)
      end
    end)
  end)

  describe("inputs that do not broadcast", function()
    it("are refused with the shapes of all of them", function()
      local a, b, c = cn.ones {2, 1}, cn.ones {1, 3}, cn.ones(4)
      raises("add: shapes (1, 3) and (4,) do not broadcast", function() cn.add(b, c) end)
      raises("where: shapes (2, 1), (1, 3) and (4,) do not broadcast", function() cn.where(a:gt(0), b, c) end)
      local reduce = cn.ReductionKernel("T x, T y, T w", "T z", "x * y * w", "a + b", "z = a", "0", "weighed")
      raises("weighed: shapes (2, 1), (1, 3) and (4,) do not broadcast", function() reduce(a, b, c) end)
      local scan = cn.ScanKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "products")
      raises("products: shapes (1, 3) and (4,) do not broadcast", function() scan(b, c) end)
      raises("products: shapes (1, 3) and (4,) do not broadcast", function() scan(b, c, {axis = 1}) end)
    end)
  end)
end)
