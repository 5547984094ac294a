--- What people write who port a NumPy program: it works, or one line says what to write.
local cn = require "cuna"
local raises = require("spec.support.raises").raises

describe("a port from NumPy", function()
  local x, y = cn.ones(2), cn.ones(2)

  it("names arguments that are required", function()
    assert.same({3, 1, 1, 3}, cn.pad(x, {pad_width = 1, mode = "constant", constant_values = 3}):totable())
    assert.same({3, 1}, cn.take(cn.arange(4), {indices = {4, 2}}):totable())
    assert.same({{1, 1}}, cn.take(x, {indices = {{1, 2}}, axis = 1}):totable())
    raises("pad: the widths are missing", function() cn.pad(x, {mode = "edge"}) end)
    raises("take: the data has the key 'place'", function() cn.take(x, {place = 1}) end)
  end)

  it("gives arrays to join one by one", function()
    raises("vstack: the dtype is an array; arrays come in one table: cn.vstack {a, b}", function() cn.vstack(x, y) end)
    raises("hstack: the dtype is an array; arrays come in one table: ", function() cn.hstack({1, 2}, {3, 4}) end)
    raises("column_stack: the dtype is an array; arrays come in one", function() cn.column_stack(x, y) end)
    raises("stack: the axis is an array; arrays come in one table: cn.stack {a, b}", function() cn.stack({1}, {3}) end)
  end)

  it("gives a fold two arrays", function()
    raises("max: the axis is an array of shape (2,); of two arrays cn.maximum(a, b)", function() cn.max(x, y) end)
    raises("sum: the axis is an array of shape (2,); of two arrays cn.add(a, b)", function() cn.sum(x, y) end)
  end)

  it("gives lengths one by one", function()
    raises('normal: a dtype is a string such as "float32", got number; a shape is one table, as in {2, 3}',
      function() cn.random.normal(0, 1, 2, 3) end)
  end)

  it("has bits of Lua numbers", function()
    raises("bitwise_and: not defined for float64; use one of bool, int8, int16, int32, int64, uint8, uint16, uint32, "
      .. 'uint64; cast it, as x:astype "int64"', function() x:band(1) end)
  end)

  it("sets flags", function()
    raises("an array's flags cannot be set; cn.broadcast_to(x, x.shape) is a read-only view of x",
      function() x.flags.writeable = false end)
    assert.is_true(x.flags.writeable)
    assert.is_false(cn.broadcast_to(x, x.shape).flags.writeable)
  end)

  it("mixes text into an index table", function()
    raises('index: ":" in a table; text is a whole key, x["2:, 1"], or x[{{2, -1}, 1}]', function()
      local column = cn.eye(2)[{":", 1}]
      return column
    end)
  end)

  it("uses names of older generators, and of folders", function()
    local rng = cn.random.default_rng(1)
    raises("a generator has no method 'randn'; did you mean 'standard_normal'?", function() rng:randn(2) end)
    raises("a generator has no method 'randint'; did you mean 'integers'?", function() rng:randint(2) end)
    raises("an array has no field or method 'flat'; did you mean 'ravel'?", function() return x.flat[1] end)
    raises("cuna has no function 'lib'; write cn.sliding_window_view, cn.as_strided", function()
      return cn.lib.stride_tricks
    end)
  end)

  it("compares coordinates with ==", function()
    raises("fromfunction: the function returned a Lua boolean; it gets arrays, which it compares as in i:eq(j)",
      function() cn.fromfunction(function(i, j) return i == j end, {2, 2}) end)
  end)

  it("calls pyplot, and methods of NumPy's archives", function()
    raises("plot has no function 'hist'; did you mean 'cn.plot.figure():hist'?", function() cn.plot.hist(x) end)
    raises("plot has no function 'subplots'; did you mean 'cn.plot.figure'?", function() cn.plot.subplots(2) end)
    local npz = cn.load "spec/golden/files/two.npz"
    raises("load: 'spec/golden/files/two.npz': there is no array 'files', did you mean 'npz:names()'?; there are x, y",
      function() return npz.files[1] end)
    raises("cuna has no function 'time'; write cn.clock()", function() return cn.time() end)
  end)

  it("uses names of constants in other cases, and of older functions", function()
    raises("cuna has no function 'NaN'; write cn.nan", function() return cn.NaN end)
    raises("cuna has no function 'PI'; write cn.pi", function() return cn.PI end)
    raises("cuna has no function 'product'; write cn.prod", function() return cn.product(x) end)
    raises("cuna has no function 'no_grad'; write plain code: cuna has no gradients", function() return cn.no_grad end)
  end)

  it("takes all that an iterator gives by count = -1", function()
    assert.same({3, 1, 4}, cn.fromiter(("3 1 4"):gmatch "%d", "int64", -1):totable())
  end)
end)
