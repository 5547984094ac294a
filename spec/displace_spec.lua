--- Rolled and padded arrays, which are read where their elements are: what writes to those afterwards, and how many
--- kernels they take.
local cn = require "cuna"
local core = require "cuna.core"
local displace = require "cuna.displace"
local recorder = require "spec.support.recorder"

local MOVES = {
  roll = function(x) return cn.roll(x, {7, -3}, {1, 2}) end,
  ["roll along one"] = function(x) return cn.roll(x, 1, 2) end,
  ["roll as a vector"] = function(x) return cn.roll(x, -130) end,
  pad = function(x) return cn.pad(x, {{1, 2}, {0, 3}}) end,
  ring = function(x) return cn.concatenate({x["-7:"], x[":-8"]}, 1) end,
  ["ring of columns"] = function(x) return cn.concatenate({x[":, 4:"], x[":, :3"]}, -1) end,
  ["pad of rows"] = function(x) return cn.pad(x, {{2, 0}, {0, 0}}) end,
}

-- What happens to x between the operation and the first reader of its result.
local THEN = {
  nothing = function() end,
  ["a part is written"] = function(x) x["5:6"] = 100 end,
  ["an element is written"] = function(x) x[{3, 4}] = 77 end,
  ["all is added to"] = function(x) x:add_(1) end,
  ["all is filled"] = function(x) x:fill(3) end,
  ["it is an output"] = function(x) cn.multiply(x, 2, {out = x}) end,
  ["it is freed"] = function(x) x:free() end,
}

local FROM = {
  memory = function(x) return x end,
  ["recorded operations"] = function(x) return x * 3 + 1 end,
  ["a part"] = function(x) return x["3:50, 4:90"] end,
  ["a transpose"] = function(x) return x.T end,
}

describe("moved elements", function()
  recorder.each_device(function(device)
    local function source() return cn.evaluate(cn.arange(6000, "float32"):reshape(60, 100)) end

    --- The result as a table: `move` of what `from` makes, doubled, with `after` in between.
    local function result(from, move, after)
      local x = from(source())
      local moved = move(x) * 2
      after(x)
      return moved:totable()
    end

    it("are found by 64 bits in arrays of more elements than 32 bits count", function()
      local narrow = displace.narrow
      finally(function() displace.narrow = narrow end)
      for _, from in pairs(FROM) do
        for name, move in pairs(MOVES) do
          displace.narrow = narrow
          local expected = result(from, move, THEN.nothing)
          displace.narrow = 1
          assert.are.same(expected, result(from, move, THEN.nothing), name)
        end
      end
    end)

    for name, move in pairs(MOVES) do
      it(("are those of before what follows: %s"):format(name), function()
        for _, from in pairs(FROM) do
          cn.set_eager(true)
          local expected = result(from, move, THEN.nothing)
          for what, after in pairs(THEN) do
            for _, eager in ipairs {true, false} do
              cn.set_eager(eager)
              assert.are.same(expected, result(from, move, after), what)
            end
          end
        end
      end)
    end

    it("are read by what reads the result, where blocks have many lanes", function()
      local x = source()
      local function neighbours(u)
        return cn.roll(u, 1, 1) + cn.roll(u, -1, 1) + cn.roll(u, 1, 2) + cn.roll(u, -1, 2)
      end
      local function bordered(u) return cn.pad(u * 2 - 1, 1) * 3 + 1 end
      local function ring(u)
        return cn.concatenate({u["-1:"], u[":-2"]}, 1) - cn.concatenate({u["2:"], u[":1"]}, 1)
          + cn.concatenate({u[":, -1:"], u[":, :-2"]}, 2) - cn.concatenate({u[":, 2:"], u[":, :1"]}, 2)
      end
      for _, case in ipairs {{neighbours, 1}, {ring, 1}, {bordered, 2}} do
        local work, kernels = unpack(case)
        local expected = work(x)
        local results, count = recorder.recorded(work, x)
        recorder.same(expected, results[1])
        if core.lanes(device) > 1 then assert.equal(kernels, count) end
      end
    end)

    it("are read by what reads the result in graphs, too, whose arguments are others each time", function()
      local function work(u, v)
        local sum = cn.roll(u, 1, 1) + cn.roll(u, -1, 1) + cn.roll(u, 1, 2) + cn.roll(u, -1, 2)
        local wide = cn.pad(v, 1)
        v:add_(100) -- the border is around what v was
        return sum - 4 * u, wide * 2, v
      end
      local graphs, u0, v0 = {}, source(), source()
      local _, count = recorder.recorded(function() graphs[1] = cn.graph(work, u0, v0) end)
      if core.lanes(device) > 1 then assert.is_true(count <= 8, tostring(count)) end -- in two passes
      for k = 1, 3 do
        local u, v = source() * k, source() + k
        local expected = {work(u, v:copy())}
        for i, made in ipairs {graphs[1](u, v:copy())} do recorder.same(expected[i], made) end
      end
    end)

    it("are those of two parts joined, the latter first, and of what only seems to be that", function()
      local x = source()
      local cube, line = x:reshape(12, 5, 100), x:reshape(-1)
      local wide, flipped, same = x["2:40, 3:90"], x["::-1"], cn.broadcast_to(line["1:5"], {6, 5})
      for k, pair in ipairs {
        {x["8:"], x[":7"]}, {x["60:"], x[":59"]}, {line["5:"], line[":4"]}, {line["-1:"], line[":-2"]},
        {cube["9:"], cube[":8"]}, {cube[":, 3:"], cube[":, :2"], 2}, {cube["..., -9:"], cube["..., :-10"], 3},
        {x["1:7"], x["8:"]}, {x["9:"], x[":7"]}, {x["8:"], x[":8"]}, {x["8:"]:copy(), x[":7"]}, {x.T["8:"], x.T[":7"]},
        {wide["8:"], wide[":7"]}, {wide[":, 8:"], wide[":, :7"], 2}, {flipped["8:"], flipped[":7"]},
        {x["::2"], x["1:1"]},
        {same["3:"], same[":2"]}, {same[":, 3:"], same[":, :2"], 2}, {x["3:, :50"], x[":2, :50"]},
        {x["61:"], x}, {x, x["1:0"]}, {line["5:"], line[":4"]:view "int32"},
      } do
        local first, second, axis = unpack(pair)
        local joined = cn.concatenate({first, second}, axis)
        assert.is_true(cn.array_equal(cn.concatenate({first:copy(), second:copy()}, axis), joined), "pair " .. k)
        assert.equal(joined.shape[axis or 1], first.shape[axis or 1] + second.shape[axis or 1])
        assert.is_false(cn.shares_memory(joined, first))
      end
    end)

    it("of any dtype, along many axes, and of arrays without elements", function()
      for _, dtype in ipairs {"bool", "int8", "float16", "float64", "complex128"} do
        local x = (cn.arange(24) % 5):reshape(4, 6):astype(dtype)
        assert.are.same({{x[{4, 6}], x[{4, 1}]}, {x[{1, 6}], x[{1, 1}]}},
          cn.roll(x, {1, 1}, {1, 2})["1:2, 1:2"]:totable())
        assert.equal(x[{1, 1}], cn.pad(x, 1)[{2, 2}])
        assert.equal(cn.zeros(1, dtype)[1], cn.pad(x, 1)[{1, 1}])
      end
      local x = cn.arange(120):reshape(2, 3, 4, 5)
      for _, widths in ipairs {
        {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{1, 1}, {0, 0}, {2, 0}, {0, 0}}, {{1, 0}, {1, 0}, {1, 0}, {1, 0}},
      } do
        local key = {}
        for axis, width in ipairs(widths) do key[axis] = {width[1] + 1, width[1] + x.shape[axis]} end
        local padded = cn.pad(x, widths)
        assert.is_true(cn.array_equal(x, padded[key]))
        assert.equal(x:sum():item(), padded:sum():item())
      end
      assert.is_true(cn.array_equal(x, cn.roll(cn.roll(x, {1, 1, 1, 1}, {1, 2, 3, 4}), {-1, -1, -1, -1}, {1, 2, 3, 4})))
      assert.is_true(cn.roll(cn.zeros {0, 3}, 1, 1):has_shape(0, 3))
      assert.are.same({0, 0}, cn.pad(cn.zeros(0), 1):totable())
      assert.are.same({5}, cn.pad(cn.array(5), {}):reshape(-1):totable())
    end)
  end)
end)
