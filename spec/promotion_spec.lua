--- Which dtypes results have: the promotion table, casting, Lua numbers as weak operands, and the default dtype.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local golden = dofile("spec/golden/promotion.lua")

local it = devices.rehearsed_it()

local DTYPES = {}
for i, dtype in ipairs(core.dtypes) do DTYPES[i] = dtype.name end

local WEAK = {int = {2, 2LL, 2ULL}, float = {2.5, cn.inf, cn.nan, -0.0}, complex = {cn.complex(1, 2), 2i}}

--- Fails with all pairs of names for which actual(a, b) is not what the golden table has.
local function compare(table_of, actual)
  local findings = {}
  for _, a in ipairs(DTYPES) do
    for _, b in ipairs(DTYPES) do
      local got, expected = actual(a, b), table_of[a][b]
      if got ~= expected then
        findings[#findings + 1] = ("%s, %s: %s, expected %s"):format(a, b, tostring(got), tostring(expected))
      end
    end
  end
  assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
end

local function message_of(fn, ...)
  local ok, message = pcall(fn, ...)
  assert(not ok, "expected an error")
  return message
end

it("knows the dtypes of the golden table", function()
  for _, dtype in ipairs(DTYPES) do assert(golden.promote[dtype], "no oracle for " .. dtype) end
  assert.equal(15, #DTYPES)
end)

it("promotes two dtypes as NumPy does", function() compare(golden.promote, cn.promote_types) end)

it("casts safely and within a kind as NumPy does", function()
  compare(golden.safe, cn.can_cast)
  compare(golden.safe, function(a, b) return cn.can_cast(a, b, "safe") end)
  compare(golden.same_kind, function(a, b) return cn.can_cast(a, b, "same_kind") end)
end)

it("casts by NumPy's other rules, and by no others", function()
  for _, a in ipairs(DTYPES) do
    for _, b in ipairs(DTYPES) do
      assert.equal(a == b, cn.can_cast(a, b, "no"))
      assert.equal(a == b, cn.can_cast(a, b, "equiv"))
      assert.is_true(cn.can_cast(a, b, "unsafe"))
    end
  end
  local known = 'can_cast: casting is "no", "equiv", "safe", "same_kind" or "unsafe", got '
  for shown, rule in pairs {['"nonsense"'] = "nonsense", ["number"] = 7, ["table"] = {}, ["boolean"] = true} do
    assert.has.match(known .. shown .. "$", message_of(cn.can_cast, "int8", "int16", rule))
  end
end)

devices.each_device(function()
  -- Arrays of no elements have dtypes and need no kernels.
  local function empty(dtype) return cn.zeros(0, dtype) end

  it("gives two arrays their common dtype", function()
    compare(golden.promote, function(a, b) return cn.maximum(empty(a), empty(b)).dtype end)
    compare(golden.promote, function(a, b) return cn.add(empty(a), cn.scalar(1, b)).dtype end)
  end)

  for _, dtype in ipairs(DTYPES) do
    it("lets Lua numbers be weak beside " .. dtype, function()
      for operation, expected in pairs(golden.weak[dtype]) do
        for kind, values in pairs(WEAK) do
          for _, value in ipairs(values) do
            local what = ("%s of %s and %s"):format(operation, dtype, tostring(value))
            assert.equal(expected[kind], cn[operation](empty(dtype), value).dtype, what)
            assert.equal(expected[kind], cn[operation](value, empty(dtype)).dtype, what .. " on the left")
          end
        end
      end
      assert.equal(golden.sine[dtype], cn.sin(empty(dtype)).dtype)
    end)

    it("refuses Lua booleans beside " .. dtype, function()
      for operation in pairs(golden.weak[dtype]) do
        assert.has.match("a Lua boolean", message_of(cn[operation], empty(dtype), true))
        assert.has.match("a Lua boolean", message_of(cn[operation], false, empty(dtype)))
      end
      assert.equal(dtype, cn.where(cn.zeros(0, "bool"), empty(dtype), true).dtype)
    end)
  end

  it("computes Lua numbers alone in the default dtype", function()
    assert.equal("float64", cn.add(1, 2).dtype)
    assert.equal("float64", cn.add(1, 2.5).dtype)
    assert.equal("complex128", cn.add(1, 2i).dtype)
    assert.equal("int64", cn.bitwise_and(6, 3).dtype)
    assert.equal(2, cn.bitwise_and(6, 3):item())
    assert.equal(3.5, cn.add(1, 2.5):item())
  end)

  it("has the facts of NEP 50", function()
    local function check(dtype, value, result)
      assert.equal(dtype, result.dtype)
      assert.equal(value, result.ndim == 0 and result:item() or result[1])
    end
    local u8, f32 = cn.array({1}, "uint8"), cn.array({1}, "float32")
    check("uint8", 3, cn.scalar(1, "uint8") + 2)
    check("int64", 2, u8 + cn.scalar(1, "int64"))
    check("float64", 2, f32 + cn.scalar(1, "float64"))
    check("uint8", 201, u8 + 200)
    check("uint8", 44, cn.array({100}, "uint8") + 200)
    check("float32", math.huge, cn.scalar(1, "float32") + 3e100)
    assert.is_true((f32 + 1e-14)[1] == 1)
    assert.is_false(cn.array({0.1}, "float32"):eq(cn.scalar(0.1, "float64"))[1])
    check("float32", 4, f32 + 3)
    check("float64", 4, f32 + cn.scalar(3, "int64"))
    assert.equal("complex64", (cn.array({1}, "complex64") + 3i).dtype)
    assert.equal("complex128", (cn.array({1}, "int32") + 5i).dtype)
    assert.equal("complex64", (f32 + 5i).dtype)
    check("int64", 2, cn.scalar(true) + 1)
    check("uint8", 3, cn.scalar(true) + cn.scalar(2, "uint8"))
    check("float64", 2.5, cn.array({1}, "int8") + 1.5)
    check("int32", 4, cn.array({1}, "int32") + 3)
  end)

  it("refuses weak integers that do not fit", function()
    local u8, i8, u64 = cn.ones(2, "uint8"), cn.ones(2, "int8"), cn.ones(2, "uint64")
    assert.has.match("add: 300 does not fit uint8", message_of(function() return u8 + 300 end))
    assert.has.match("does not fit uint8", message_of(function() return -1 * u8 end))
    assert.has.match("does not fit int8", message_of(function() return i8 - 128 end))
    assert.has.match("does not fit int8", message_of(cn.maximum, i8, 200))
    assert.has.match("does not fit uint64", message_of(function() return u64 + -1 end))
    assert.has.match("does not fit int64", message_of(cn.add, cn.ones(2, "int64"), 2 ^ 63))
    assert.has.match("does not fit int32", message_of(cn.add, cn.ones(2, "int32"), 3000000000LL))
    assert.has.match("does not fit uint8", message_of(u8.add_, u8, 256))
    assert.equal(127, (i8 + 126)[1])
    assert.equal(18446744073709551615ULL, (u64 * 18446744073709551615ULL)[1])
  end)

  it("compares with integers that do not fit exactly", function()
    local function check(expected, result)
      assert.equal("bool", result.dtype)
      assert.same(expected, result:totable())
    end
    local u8 = cn.array({0, 255}, "uint8")
    check({false, false}, u8:gt(300))
    check({true, true}, u8:lt(300))
    check({false, false}, u8:lt(-1))
    check({true, true}, u8:ne(-1))
    check({false, false}, cn.equal(256, u8))
    check({true, true}, cn.greater(256, u8))
    local i64 = cn.array({-1LL, 0x7fffffffffffffffLL}, "int64")
    check({true, true}, i64:lt(18446744073709551615ULL))
    check({false, false}, i64:eq(18446744073709551615ULL))
    check({false, false}, i64:ge(9223372036854775808ULL))
    local u64 = cn.array({0ULL, 18446744073709551615ULL}, "uint64")
    check({true, true}, u64:gt(-1))
    check({false, false}, u64:eq(-1LL))
  end)

  it("compares int64 with uint64 by value", function()
    local i64 = cn.array({-1LL, 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1, 0LL}, "int64")
    local u64 = cn.array({18446744073709551615ULL, 0x8000000000000000ULL, 0x8000000000000000ULL, 0ULL}, "uint64")
    assert.same({false, false, false, true}, i64:eq(u64):totable())
    assert.same({true, true, true, false}, i64:lt(u64):totable())
    assert.same({true, true, true, false}, u64:gt(i64):totable())
    assert.same({false, false, false, true}, u64:le(i64):totable())
    assert.same({true, true, true, true}, u64:ge(i64):totable())
    assert.same({true, true, true, false}, cn.not_equal(u64, i64):totable())
    assert.equal("float64", (i64 + u64).dtype)
  end)

  it("makes scalars strong", function()
    local i8 = cn.ones(0, "int8")
    assert.equal("float64", cn.scalar(2).dtype)
    assert.equal("bool", cn.scalar(true).dtype)
    assert.equal("int64", cn.scalar(2LL).dtype)
    assert.equal("complex128", cn.scalar(2i).dtype)
    assert.equal("float64", (i8 + cn.scalar(2)).dtype)
    assert.equal("int16", (i8 + cn.scalar(2, "int16")).dtype)
    assert.equal("uint8", cn.scalar(5, "uint8").dtype)
    assert.equal("complex128", (cn.scalar(2i) * i8).dtype)
  end)

  describe("set_default_dtype", function()
    after_each(function() cn.set_default_dtype "float64" end)

    it("replaces float64 where no operand forces it", function()
      local i32, f64 = cn.ones(0, "int32"), cn.ones(0, "float64")
      assert.equal("float64", cn.set_default_dtype "float32")
      assert.equal("float32", (i32 / i32).dtype)
      assert.equal("float32", (i32 / 2).dtype)
      assert.equal("float32", (i32 + 1.5).dtype)
      assert.equal("complex64", (i32 + 2i).dtype)
      assert.equal("float32", i32:sin().dtype)
      assert.equal("float32", cn.array({1, 2}).dtype)
      assert.equal("float32", cn.zeros(2).dtype)
      assert.equal("float32", cn.scalar(2).dtype)
      assert.equal("complex64", cn.scalar(2i).dtype)
      assert.equal("float32", cn.add(1, 2).dtype)
      assert.equal("float64", (f64 + 1.5).dtype)
      assert.equal("float64", (f64 + i32).dtype)
      assert.equal("float32", cn.set_default_dtype "float64")
      assert.equal("float64", (i32 / i32).dtype)
      assert.equal("float64", cn.zeros(2).dtype)
    end)

    it("takes the two float dtypes only", function()
      assert.has.match("set_default_dtype", message_of(cn.set_default_dtype, "float16"))
      assert.has.match("set_default_dtype", message_of(cn.set_default_dtype, nil))
    end)
  end)
end)
