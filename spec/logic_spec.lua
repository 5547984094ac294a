--- Closeness, comparing whole arrays, and replacing NaN and infinity: NumPy's results and errors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local values = dofile "spec/golden/logic.lua"

local it = devices.rehearsed_it()

local array, laid_out, same, prepared = golden.array, golden.laid_out, golden.same, golden.prepared
local TOLERANCE = {float16 = 2e-2, float32 = 2e-6, float64 = 1e-14}

local function truth(list)
  for _, held in ipairs(list) do
    if not held then return false end
  end
  return true
end

devices.each_device(function()
  it("isclose and allclose agree with NumPy", prepared(function()
    for number, case in ipairs(values.closeness) do
      local a, b = laid_out(array(case.a), number), laid_out(array(case.b), number + 1)
      local given = {rtol = case.rtol, atol = case.atol, equal_nan = case.equal_nan}
      same(case.result, cn.isclose(a, b, given), "case " .. number)
      local all = a:allclose(b, given)
      assert.is_true(golden.rehearsing or all == truth(case.result.values))
    end
  end))

  it("closeness takes numbers weakly, and decides about nothing", function()
    assert.is_true(cn.allclose(cn.array({0.1, 0.1}, "float32"), 0.1, {rtol = 1e-7, atol = 0}))
    assert.is_true(cn.allclose(cn.zeros({0, 3}), 1))
    assert.is_true(cn.allclose(cn.array({1, 2}, "int64"), {1, 2}))
    assert.is_false(cn.allclose({{1, 2}, {1, 3}}, {1, 2}))
    local out = cn.zeros(2, "bool")
    assert.equal(out, cn.isclose({1, 2}, {1, 3}, {rtol = 0.1, out = out}))
    assert.same({true, false}, out:totable())
    assert.same({true, false}, cn.isclose({1, 2}, {1, 3}):totable())
  end)

  it("nan_to_num agrees with NumPy, also in place", prepared(function()
    for number, case in ipairs(values.replacements) do
      local given = {nan = case.nan, posinf = case.posinf, neginf = case.neginf}
      same(case.result, cn.nan_to_num(laid_out(array(case.x), number), given), "case " .. number)
      local x = laid_out(array(case.x), number)
      same(case.result, x:nan_to_num_(given), "case " .. number)
      same(case.result, x, "case " .. number)
    end
    local half = cn.nan_to_num(cn.array({cn.inf, -cn.inf, cn.nan}, "bfloat16"), {nan = 1})
    assert.is_true(golden.rehearsing or half:get()[1] == (2 - 2 ^ -7) * 2 ^ 127)
  end))

  it("unwrap agrees with NumPy", prepared(function()
    for number, case in ipairs(values.phases) do
      local x = laid_out(array(case.x), number)
      local result = cn.unwrap(x, {axis = case.axis, period = case.period, discont = case.discont})
      same(case.result, result, "case " .. number, TOLERANCE[case.result.dtype])
    end
  end))

  it("isclose and nan_to_num fuse", function()
    local close = cn.fuse(function(x, y) return cn.where(cn.isclose(x, y), cn.nan_to_num(x), 0) end)
    assert.same({1, 0, 0}, close(cn.array {1, 2, cn.nan}, cn.array {1, 3, 4}):totable())
  end)

  it("what decides", function()
    assert.is_true(cn.array_equiv({1, 2}, {{1, 2}, {1, 2}}))
    assert.is_false(cn.array_equiv({1, 2}, {{1, 2}, {1, 3}}))
    assert.is_false(cn.array_equiv({1, 2, 3}, {{1, 2}, {1, 2}}))
    assert.is_true(cn.isrealobj {1} and cn.iscomplexobj(cn.zeros(1, "complex64")))
    assert.is_false(cn.isrealobj(cn.zeros(1, "complex64")) or cn.iscomplexobj {1})
    assert.is_true(cn.isscalar(1) and cn.isscalar(1LL) and cn.isscalar "a" and cn.isscalar(cn.complex(1, 2)))
    assert.is_false(cn.isscalar(cn.scalar(1)) or cn.isscalar {1} or cn.isscalar(nil))
  end)

  it("real_if_close gives a view of the real part, or x", function()
    local z = cn.array {cn.complex(2, 1e-15), cn.complex(3, -1e-14)}
    local real = cn.real_if_close(z)
    assert.same({"float64", 2, 3}, {real.dtype, unpack(real:totable())})
    assert.equal("complex128", z:real_if_close(2).dtype)
    assert.equal("float64", cn.real_if_close(cn.array {cn.complex(1, 0.5)}, 0.6).dtype)
    assert.equal("complex128", cn.real_if_close(cn.array {cn.complex(1, 0.5)}, 0.4).dtype)
    assert.equal("float32", cn.real_if_close(cn.zeros({0}, "complex64")).dtype)
    local x = cn.arange(3)
    assert.is_true(rawequal(x, cn.real_if_close(x)))
  end)

  it("what waits says so", function()
    for name, fn in pairs {allclose = function() return cn.allclose({1}, {1}) end,
        array_equiv = function() return cn.array_equiv({1}, {1}) end,
        real_if_close = function() return cn.real_if_close(cn.zeros(2, "complex64")) end} do
      raises(name, function() cn.no_sync(fn) end)
    end
  end)

  it("refuse what does not fit", function()
    raises("isclose: rtol is a number, got a table", function() cn.isclose(1, 2, {rtol = {1}}) end)
    raises("isclose: out: expected an array of bool, got float64", function()
      cn.isclose({1}, {2}, {rtol = 1, out = cn.zeros(1)})
    end)
    raises("allclose: shapes (2,) and (3,) do not broadcast", function() cn.allclose({1, 2}, {1, 2, 3}) end)
    raises("allclose: takes two arrays", function() cn.allclose({1, 2}) end)
    raises("nan_to_num: nan is a number, got \"a\"", function() cn.nan_to_num({1}, {nan = "a"}) end)
    raises("nan_to_num: out: expected an array of float64, got int32", function()
      cn.nan_to_num({1}, {nan = 1, out = cn.zeros(1, "int32")})
    end)
    raises("unwrap: phases are real numbers, got an array of complex64", function()
      cn.unwrap(cn.zeros(3, "complex64"))
    end)
    raises("unwrap: axis 2", function() cn.unwrap({1, 2}, {axis = 2}) end)
  end)
end)
