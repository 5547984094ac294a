--- The forms of an operation: function, method, in-place, alias, operator; overlapping operands; what is refused.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

local it = devices.rehearsed_it()
local make = require "spec.support.operands"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local rows = require "cuna.ops"

local OPERATORS = {
  add = function(a, b) return a + b end,
  subtract = function(a, b) return a - b end,
  multiply = function(a, b) return a * b end,
  divide = function(a, b) return a / b end,
  remainder = function(a, b) return a % b end,
  power = function(a, b) return a ^ b end,
  negative = function(a) return -a end,
}

local function message_of(fn, ...)
  local ok, message = pcall(fn, ...)
  assert(not ok, "expected an error")
  return message
end

--- The bytes of all results.
local function bytes_of(...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = (select(i, ...)):tobytes() end
  return table.concat(texts)
end

describe("the table", function()
  it("makes functions, methods and in-place methods as its rows say", function()
    local methods = core.methods()
    for _, row in ipairs(rows) do
      for _, name in ipairs {row.name, unpack(row.alias)} do
        assert.is_function(rawget(cn, name), name)
        assert.equal(row.method, methods[name] ~= nil, "method " .. name)
        assert.equal(row.inplace, methods[name .. "_"] ~= nil, "method " .. name .. "_")
      end
    end
  end)

  it("has an operator for each metamethod", function()
    for _, row in ipairs(rows) do
      assert.equal(row.operator ~= nil, OPERATORS[row.name] ~= nil, row.name)
      if row.operator then assert.is_function(core.metatable()[row.operator]) end
    end
  end)

  it("has no two rows that take each other's plans", function()
    local script = [[
      local cn = require "cuna"
      local elementwise = require "cuna.elementwise"
      local x = {}
      for _, dtype in ipairs {"bool", "int8", "int64", "uint64", "float16", "float32", "float64", "complex64"} do
        x[dtype] = cn.ones(1, dtype)
      end
      local function each(count, visit)
        for _, pair in ipairs {{elementwise.rows(), cn}, {elementwise.special_rows(), cn.special}} do
          for _, row in ipairs(pair[1]) do
            if row.nargs == count then visit(pair[2][row.name], row.name) end
          end
        end
      end
      if %s then
        each(2, function(fn)
          for _, a in pairs(x) do for _, b in pairs(x) do pcall(fn, a, b) end end
        end)
      end
      each(1, function(fn, name)
        for dtype in pairs(x) do
          for own, operand in pairs(x) do
            print(name, dtype, own, select(2, pcall(function() return fn(operand, {dtype = dtype}) end)))
          end
        end
      end)
    ]]
    local settings = {CUNA_COMPILE = "never", CUNA_DEVICE = "cpu"}
    local function lines_of(text)
      local list = {}
      for line in text:gmatch "[^\n]+" do list[#list + 1] = line:gsub("/%S-child_spec", "") end
      table.sort(list)
      return list
    end
    local alone = lines_of(process.must_run(script:format "false", settings))
    assert.truthy(#alone > 1000)
    assert.same(alone, lines_of(process.must_run(script:format "true", settings)))
  end)

  it("describes every row", function()
    for _, row in ipairs(rows) do
      assert.has.match("%.$", row.doc, row.name)
      assert.is_string(row.source)
    end
  end)
end)

devices.each_device(function()
  local function compare_forms(row)
    local operands = make.draw_all(row, 480)
    local expected = bytes_of(cn[row.name](unpack(operands)))
    for _, name in ipairs {row.name, unpack(row.alias)} do
      assert(expected == bytes_of(cn[name](unpack(operands))), name)
      if row.method then assert(expected == bytes_of(operands[1][name](unpack(operands))), "x:" .. name) end
      if row.inplace then
        local x = operands[1]:copy()
        assert(expected == bytes_of(x[name .. "_"](x, unpack(operands, 2))), "x:" .. name .. "_")
      end
    end
    if row.operator then assert(expected == bytes_of(OPERATORS[row.name](unpack(operands))), row.operator) end
  end

  setup(function()
    devices.rehearse {function()
      for _, row in ipairs(rows) do pcall(compare_forms, row) end
    end}
  end)

  for _, row in ipairs(rows) do
    it("gives equal results by every form of " .. row.name, function() compare_forms(row) end)
  end

  it("takes numbers on either side of an operator", function()
    local x = cn.array({1, 2, 4}, "float32")
    assert.same({3, 4, 6}, (x + 2):totable())
    assert.same({3, 4, 6}, (2 + x):totable())
    assert.same({1, 0, -2}, (2 - x):totable())
    assert.same({-1, 0, 2}, (x - 2):totable())
    assert.same({4, 2, 1}, (4 / x):totable())
    assert.same({0, 1, 3}, (7 % x):totable())
    assert.same({2, 4, 16}, (2 ^ x):totable())
    assert.same({1, 4, 16}, (x ^ 2):totable())
    assert.same({2, 3, 5}, (x + 1LL):totable())
    assert.same({3, 6, 12}, (cn.scalar(3, "float32") * x):totable())
    assert.equal("float32", (2 ^ x).dtype)
  end)

  it("keeps numbers weak in every place of clip and where", function()
    local x, mask = cn.array({1, 4}, "int16"), cn.array {true, false}
    local clipped = {cn.clip(3, x, 5), cn.clip(x, 3, 5), cn.clip(x, 3)}
    for _, result in ipairs {cn.where(mask, x, 3), cn.where(mask, 3, x), unpack(clipped)} do
      assert.equal("int16", result.dtype)
    end
    assert.same({3, 4}, cn.clip(3, x, 5):totable())
  end)

  it("angle is in degrees where that is asked for", function()
    local z = cn.array({cn.complex(0, 1), -1, cn.complex(1, -1)}, "complex64")
    local out = cn.zeros(3, "float32")
    for _, x in ipairs {cn.angle(z, true), z:angle {deg = true}, cn.angle(z, {deg = true, out = out}), out,
      cn.fuse(function(y) return cn.angle(y, {deg = true}) end)(z)} do
      assert.is_true(x.dtype == "float32" and cn.allclose(x, {90, 180, -45}))
    end
    assert.is_true(cn.allclose(z:angle(), cn.angle(z, false)))
    assert.is_true(cn.allclose(z:angle() * (180 / cn.pi), {90, 180, -45}))
    raises("angle: deg is true or false, got 1", function() return cn.angle(z, 1), 1 end)
    raises("angle: out has shape (2,), but the result has shape (3,)", function()
      return cn.angle(z, {deg = true, out = cn.zeros(2, "float32")}), 1
    end)
  end)

  it("raises complex infinities to the first power", function()
    local z = cn.array({cn.complex(-math.huge, math.huge)}, "complex128")
    assert.array_equal(z ^ 1, z)
  end)

  it("takes nested tables as operands", function()
    assert.same({{2, 3}, {4, 5}}, cn.add({{1, 2}, {3, 4}}, 1):totable())
    assert.same({11, 22}, cn.array({1, 2}):add({10, 20}):totable())
  end)

  it("gives the same result for overlapping operands as for separate ones", function()
    local function check(name, target, source)
      local x = cn.arange(1, 13):astype "float32"
      local expected = x:copy()
      local wanted = cn[name](x[target]:copy(), x[source]:copy())
      expected[target] = wanted
      local view = x[target]
      view[name .. "_"](view, x[source])
      assert.array_equal(x, expected)
      local y = cn.arange(1, 13):astype "float32"
      cn[name](y[target], y[source], {out = y[target]})
      assert.array_equal(y, expected)
    end
    for _, name in ipairs {"add", "subtract", "multiply"} do
      check(name, "2:", "1:-2")
      check(name, "1:-2", "2:")
      check(name, ":", "::-1")
      check(name, "::2", ":6")
      check(name, "7:", ":6")
      check(name, "::2", "2::2")
      check(name, "::4", "3::-1")
    end
  end)

  it("writes to boxes beside, between and over those that it reads", function()
    local state = 7
    local function draw(n)
      state = state * 16807 % 2147483647
      return state % n + 1
    end
    --- `count` positions of an axis of `length`, in steps of 1 or 2, forward or backward.
    local function entry(length, count)
      local step = draw(2)
      local first = draw(length - (count - 1) * step)
      local last = first + (count - 1) * step
      if draw(2) == 1 then return {first, last, step} end
      return {last, first, -step}
    end
    local LENGTHS = {7, 9, 5}
    for _ = 1, 60 do
      local target, source = {}, {}
      for axis, length in ipairs(LENGTHS) do
        local count = draw((length + 1) / 2 - 1) + 1
        target[axis], source[axis] = entry(length, count), entry(length, count)
      end
      local x = cn.arange(7 * 9 * 5, "float32"):reshape(7, 9, 5)
      local expected = x:copy()
      expected[target] = x[source]:copy() * 3 + 1
      cn.multiply(x[source], 3, {out = x[target]})
      x[target]:add_(1)
      assert.array_equal(x, expected)
    end
  end)

  it("writes to outputs that lie in each other's gaps", function()
    local x = cn.array {1.5, -2.25, 3}
    local flat, pairs_of = cn.zeros(7), cn.zeros({3, 2})
    cn.modf(x, {out = {flat["2::2"], flat["1:5:2"]}})
    assert.same({1, 0.5, -2, -0.25, 3, 0, 0}, flat:totable())
    cn.modf(x["::-1"], {out = {pairs_of[":, 2"]["::-1"], pairs_of[":, 1"]["::-1"]}})
    assert.same({{1, 0.5}, {-2, -0.25}, {3, 0}}, pairs_of:totable())
  end)

  it("writes a transposed operand over itself", function()
    local x = cn.arange(16):reshape(4, 4)
    local expected = x + x.T:copy()
    assert.array_equal(x:add_(x.T), expected)
    local y = cn.arange(16):reshape(4, 4)
    cn.negative(y.T, {out = y})
    assert.array_equal(y, -cn.arange(16):reshape(4, 4).T)
  end)

  it("writes a transposed second output of a transposed operand", function()
    local x = cn.linspace(0.25, 400, 1600):reshape(40, 40)
    local parts, wholes = cn.zeros {40, 40}, cn.full({40, 40}, -1)
    cn.modf(x.T, {out = {parts, wholes.T}})
    assert.is_true(cn.array_equal(parts, (x - cn.trunc(x)).T))
    assert.is_true(cn.array_equal(wholes, cn.trunc(x)))
  end)

  it("computes in the requested dtype", function()
    local x = cn.array({1, 2}, "int8")
    assert.equal("int32", cn.add(x, x, {dtype = "int32"}).dtype)
    assert.equal("float32", cn.sqrt(x, {dtype = "float32"}).dtype)
    assert.same({254, 254}, cn.add(cn.array({127, 127}, "int8"), 127, {dtype = "int16"}):totable())
    assert.has.match("does not cast", message_of(cn.add, cn.ones(2), 1, {dtype = "int32"}))
    assert.has.match("not defined for int32", message_of(cn.sqrt, x, {dtype = "int32"}))
  end)

  describe("refuses", function()
    local x = cn.ones({2, 3}, "float32")

    it("Lua booleans, strings, nil and functions as operands", function()
      for _, wrong in ipairs {"text", print, coroutine.create(print)} do
        assert.has.match("cuna: add: ", message_of(cn.add, x, wrong))
        assert.has.match("cuna: sin: ", message_of(cn.sin, wrong))
        assert.has.match("cuna: add: ", message_of(function() return x + wrong end))
      end
      assert.has.match("cuna: add: ", message_of(cn.add, x))
      assert.has.match("a Lua boolean", message_of(function() return x * true end))
      assert.has.match("a Lua boolean", message_of(x.logical_and, x, x == x))
      assert.has.match("a Lua boolean", message_of(cn.where, true, x, x))
    end)

    it("shapes that do not broadcast", function()
      assert.has.match("add: shapes %(2, 3%) and %(2,%) do not broadcast", message_of(cn.add, x, cn.ones(2)))
    end)

    it("an out of another shape or dtype, or read-only", function()
      assert.has.match("add: .*%(3,%)", message_of(cn.add, x, x, {out = cn.ones(3, "float32")}))
      assert.has.match("add: .*float32.*int32", message_of(cn.add, x, x, {out = cn.ones({2, 3}, "int32")}))
      assert.has.match("add: .*broadcast view",
        message_of(cn.add, x, x, {out = cn.broadcast_to(cn.ones(3, "float32"), 2, 3)}))
      assert.has.match("add", message_of(x.add_, x, cn.ones({4, 2, 3})))
      assert.has.match("add: .*float64.*int64", message_of(function() cn.arange(3):add_(1.5) end))
      assert.has.match("out", message_of(cn.add, x, x, {out = 3}))
      assert.same({{1, 1, 1}, {1, 1, 1}}, x:totable())
    end)

    it("outputs that share memory, and more of them than results", function()
      local z, y = cn.linspace(0.5, 4, 8), cn.zeros(8)
      assert.has.match("modf: two outputs share memory", message_of(cn.modf, z, {out = {y, y}}))
      assert.has.match("modf: two outputs", message_of(cn.modf, z["1:7"], {out = {y["1:7"], y["2:8"]}}))
      assert.has.match("modf: two outputs", message_of(cn.modf, z["1:3"], {out = {y["::-2"]["1:3"], y["2:4"]}}))
      assert.has.match("modf: two outputs", message_of(cn.modf, z["1:3"], {out = {y["::2"]["1:3"], y["1::3"]}}))
      assert.has.match("modf: out has 3 arrays, and there are 2 re", message_of(cn.modf, z, {out = {y, z, z}}))
      assert.has.match("sin: out has 2 arrays, and there is 1 result", message_of(cn.sin, z, {out = {y, z}}))
      assert.equal(0, y:sum():item())
    end)

    it("tables of outputs that have none, or other keys than 1..n", function()
      local function inside(options) return cn.fuse(function(a) return cn.add(a, 1, options) end, {name = "add"}) end
      for expected, out in pairs {["out: expected an array, got an empty table"] = {},
        ["out is an array, or a table of them; it has the key 'a'"] = {a = 1},
        ["out is an array, or a table of them; it has the key 'x'"] = {x, x = x},
        ["out: expected an array, got number"] = {3}} do
        assert.has.match("add: " .. expected, message_of(cn.add, x, 1, {out = out}))
        assert.has.match("add: " .. expected, message_of(inside {out = out}, x))
      end
      assert.has.match("modf: out is an array, or a table", message_of(cn.modf, x, {out = {[0] = x, x}}))
    end)

    it("unknown options, too many arguments and out given twice", function()
      assert.has.match("add: unknown option 'outt'", message_of(cn.add, x, x, {outt = x}))
      assert.has.match("add: ", message_of(cn.add, x, x, 3))
      assert.has.match("add: takes 2 operands.* got number as argument 5", message_of(cn.add, x, x, x:copy(), {}, 3))
      assert.equal("float64", cn.add(x, x, nil, {dtype = "float64"}).dtype)
      assert.has.match("add: out is given", message_of(cn.add, x, x, x, {out = x}))
      assert.has.match("add_: takes 1 argument", message_of(x.add_, x, x, x))
      assert.has.match("dtype", message_of(cn.add, x, x, {dtype = "floot32"}))
    end)

    it("dtypes without a loop, with a hint", function()
      local bool, complex = cn.ones(2, "bool"), cn.ones(2, "complex64")
      assert.has.match("subtract: not defined for bool; use bitwise_xor", message_of(cn.subtract, bool, bool))
      assert.has.match("negative: not defined for bool", message_of(cn.negative, bool))
      assert.has.match("floor: not defined for complex64; use one of", message_of(cn.floor, complex))
      assert.has.match("remainder: not defined for complex64", message_of(cn.remainder, complex, complex))
      assert.has.match("left_shift: not defined for float64", message_of(cn.left_shift, cn.ones(2), 1))
      assert.has.match("bitwise_and: not defined for float32", message_of(cn.bitwise_and, x, x))
      assert.has.match("ldexp: the second operand", message_of(cn.ldexp, x, 1.5))
    end)
  end)
end)
