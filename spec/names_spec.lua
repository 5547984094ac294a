--- Names that users of NumPy, CuPy and PyTorch reach for: small functions, and what errors say about other names.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function()
  it("mgrid and ogrid are coordinates of ranges of values", function()
    local a, b = cn.mgrid("0:3", "1:2:0.5")
    assert.is_true(a:has_shape(3, 2) and a.dtype == "float64")
    assert.is_true(a == cn.array {{0, 0}, {1, 1}, {2, 2}} and b == cn.array {{1, 1.5}, {1, 1.5}, {1, 1.5}})
    local c, d = cn.mgrid(2, {3, 5})
    assert.equal("int64", c.dtype)
    assert.is_true(c == cn.array({{0, 0}, {1, 1}}) and d == cn.array({{3, 4}, {3, 4}}))
    local e, f = cn.ogrid({0, 1, 3i}, ":2")
    assert.is_true(e == cn.array {{0}, {0.5}, {1}} and f == cn.array {{0, 1}})
    assert.is_true(cn.mgrid "3:0:-1" == cn.array {3, 2, 1})
    assert.is_true(cn.mgrid("0:1:4j"):has_shape(4) and cn.mgrid("2:2"):has_shape(0))
  end)

  it("r_ and c_ join ranges, numbers and arrays", function()
    assert.is_true(cn.r_("0:3", 7, {8, 9}, cn.ones(1)) == cn.array {0, 1, 2, 7, 8, 9, 1})
    assert.is_true(cn.r_({{1, 2}}, {{3, 4}}) == cn.array {{1, 2}, {3, 4}})
    local edges = cn.r_(true, cn.array {5, 5, 6, 7}["2:"]:ne(cn.array {5, 5, 6}), false)
    assert.is_true(edges.dtype == "bool" and edges == cn.array {true, false, true, true, false})
    assert.is_true(cn.c_(edges["1:1"], false) == cn.array {{true, false}})
    assert.is_true(cn.c_({1, 2}, {{3, 4}, {5, 6}}, "7:9") == cn.array {{1, 3, 4, 7}, {2, 5, 6, 8}})
    local x = cn.arange(12):reshape(3, 4)
    assert.is_true(x[cn.s_({2, 3}, 1)] == x[{{2, 3}, 1}])
  end)

  it("ranges that are not ranges are refused", function()
    raises('mgrid: the ranges are missing, as in cn.mgrid("0:5", "0:3")', function() cn.mgrid() end)
    raises('r_: a range is "first:last", "first:last:step" or "first:last:5j" for 5 numbers, got "a:b"',
      function() cn.r_ "a:b" end)
    raises('ogrid: a range is text such as "0:5", a table {first, last, step} or a number, got a table',
      function() cn.ogrid {1, 2, 3, 4} end)
    raises("c_: nothing to join", function() cn.c_() end)
    raises("arange: the step must not be 0", function() cn.mgrid "0:3:0" end)
  end)

  it("sizes, layouts and dtypes are functions too", function()
    local x = cn.ones({2, 3}, "float32")
    assert.equal("2 6 3", ("%d %d %d"):format(cn.ndim(x), cn.size(x), cn.size(x, -1)))
    assert.is_true(cn.shape({{1, 2, 3}}) == cn.ones({1, 3}).shape and cn.ndim(3) == 0 and cn.size {} == 0)
    assert.is_true(cn.isfortran(x.T) and not cn.isfortran(x) and not cn.isfortran(cn.ones(3)))
    local f = cn.asfortranarray(x)
    assert.is_true(f == x and f.flags.f_contiguous and rawequal(cn.asfortranarray(f), f))
    assert.equal("int8", cn.asfortranarray(x, "int8").dtype)
    assert.is_true(cn.require(x.T, nil, {"CONTIGUOUS", "W"}).flags.c_contiguous)
    assert.is_true(cn.require(x, nil, "F").flags.f_contiguous and cn.require(x[1], nil, "O").flags.owndata)
    assert.is_true(cn.require(cn.broadcast_to(x, {2, 2, 3}), "float64", "W").flags.writeable)
    raises('require: a requirement is "C", "F", "W" or "O", got "Z"', function() cn.require(x, nil, "Z") end)
    assert.is_true(cn.ones({2, 3, 4}).mT:has_shape(2, 4, 3))
    raises("mT: expected at least 2 axes, got shape (3,)", function() return cn.ones(3).mT, 1 end)
    assert.equal("float32", cn.common_type(x, cn.ones(2, "float16")))
    assert.equal("complex128", cn.common_type(cn.ones(2, "int8"), cn.ones(2, "complex64")))
    raises("common_type: argument 1 is an array of bools", function() cn.common_type(cn.ones(2, "bool")) end)
    raises("common_type: takes arrays, got nothing", function() cn.common_type() end)
  end)

  it("the least dtype of a number", function()
    for value, dtype in pairs {[0] = "uint8", [255] = "uint8", [256] = "uint16", [65536] = "uint32",
      [2 ^ 32] = "uint64",
      [-1] = "int8", [-129] = "int16", [-32769] = "int32", [-2 ^ 31 - 1] = "int64", [0.5] = "float16",
      [65505.5] = "float32", [1e39] = "float64", [1 / 0] = "float16"} do
      local expected = math.abs(value) >= 1e20 and value ~= 1 / 0 and "float64" or dtype
      assert.equal(expected, cn.min_scalar_type(value), tostring(value))
    end
    assert.equal("complex64", cn.min_scalar_type(2i))
    assert.equal("float32", cn.min_scalar_type(cn.ones(2, "float32")))
    assert.equal("uint8", cn.min_scalar_type(cn.scalar(3)))
  end)

  it("loops over positions and elements, and arrays of loops", function()
    local seen = {}
    for i, j in cn.ndindex(2, 3) do seen[#seen + 1] = i .. j end
    assert.equal("11 12 13 21 22 23", table.concat(seen, " "))
    for _ in cn.ndindex {2, 0} do error "no positions" end
    seen = {}
    for v, i, j in cn.ndenumerate(cn.arange(4):reshape(2, 2)) do seen[#seen + 1] = v .. i .. j end
    assert.equal("011 112 221 322", table.concat(seen, " "))
    assert.is_true(cn.fromiter(("3 1 4"):gmatch "%d") == cn.array {3, 1, 4})
    local k = 0
    local function counting()
      k = k + 1
      return k
    end
    assert.is_true(cn.fromiter(counting, "int8", 3) == cn.array({1, 2, 3}) and k == 3)
    assert.is_true(cn.fromiter(function() end):has_shape(0))
    raises("fromiter: the loop gave 0 numbers of 2", function() cn.fromiter(function() end, nil, 2) end)
    raises("fromiter: number 1 of the loop is a number, got a boolean", function()
      cn.fromiter(function() return true end)
    end)
    raises("ndenumerate: a 0-d array has no axis", function() cn.ndenumerate(3) end)
    raises("ndindex: a shape has at least one axis", function() cn.ndindex {} end)
  end)

  it("geomspace, diagflat, polydiv and forms of unique", function()
    assert.is_true(cn.allclose(cn.geomspace(1, 1000, 4), cn.array {1, 10, 100, 1000}))
    assert.is_true(cn.allclose(cn.geomspace(-1, -8, 3, {endpoint = false}), cn.array {-1, -2, -4}))
    assert.is_true(cn.geomspace(1, 256, 9, {dtype = "int64"}):totable()[9] == 256
      and cn.geomspace(1, 2, 0):has_shape(0))
    raises("geomspace: start and stop have one sign and are not 0, got 0 and 1", function() cn.geomspace(0, 1) end)
    assert.is_true(cn.diagflat({{1, 2}}, 1) == cn.array {{0, 1, 0}, {0, 0, 2}, {0, 0, 0}})
    local q, r = cn.polydiv({1, 2, 3, 4}, {1, 1})
    assert.is_true(q == cn.array {1, 1, 2} and r == cn.array {2})
    q, r = cn.polydiv({1, 2}, {1, 0, 0})
    assert.is_true(q == cn.array {0} and r == cn.array {1, 2})
    raises("polydiv: the first coefficient of the divisor is 0", function() cn.polydiv({1}, {0, 1}) end)
    local v, i, n, c = cn.unique_all {3, 1, 3}
    assert.is_true(v == cn.array {1, 3} and i == cn.array {2, 1} and n == cn.array {2, 1, 2} and c == cn.array {1, 2})
    assert.equal(2, cn.unique_values({cn.nan, cn.nan}).size)
    assert.is_true(select(2, cn.unique_counts {3, 1, 3}) == c and select(2, cn.unique_inverse {3, 1, 3}) == n)
  end)
end)

it("numbers are written in notations and bases as NumPy writes them", function()
  assert.equal("0.00000314159", cn.format_float_positional(3.14159e-6))
  assert.equal("3.142", cn.format_float_positional(math.pi, 3))
  assert.equal("3.1415926535897931160", cn.format_float_positional(math.pi, 19, false))
  assert.equal("5. 5 5.0 -5.", table.concat({cn.format_float_positional(5), cn.format_float_positional(5, {trim = "-"}),
    cn.format_float_positional(5, {trim = "0"}), cn.format_float_positional(-5)}, " "))
  assert.equal("3.1415927e+00", cn.format_float_scientific(cn.scalar(math.pi, "float32")))
  assert.equal("0.1", cn.format_float_positional(cn.scalar(0.1, "float16")))
  assert.equal("1.23e+03", cn.format_float_scientific(1234.5, {precision = 2}))
  assert.equal("1.e+100 1e+100", cn.format_float_scientific(1e100) .. " "
    .. cn.format_float_scientific(1e100, {trim = "-"}))
  assert.equal("nan -inf", cn.format_float_positional(0 / 0) .. " " .. cn.format_float_scientific(-1 / 0))
  raises("format_float_positional: precision is missing", function() cn.format_float_positional(1,
    {unique = false}) end)
  raises('format_float_scientific: trim is "k", ".", "0" or "-", got "x"', function()
    cn.format_float_scientific(1, {trim = "x"})
  end)
  assert.equal("101 -FF 00Z 0", table.concat({cn.base_repr(5), cn.base_repr(-255, 16), cn.base_repr(35, 36, 2),
    cn.base_repr(0)}, " "))
  raises("base_repr: base is 2 to 36, got 37", function() cn.base_repr(1, 37) end)
  assert.equal("00000101 11101 -11", table.concat({cn.binary_repr(5, 8), cn.binary_repr(-3, 5),
    cn.binary_repr(-3)}, " "))
  raises("binary_repr: 5 has more than 2 digits", function() cn.binary_repr(5, 2) end)
  raises("binary_repr: -5 has more than 2 digits", function() cn.binary_repr(-5, 2) end)
end)

it("features can be asked for", function()
  assert.is_true(cn.has "topk" and cn.has "special.erf" and cn.has "pi" and cn.has "linalg" and cn.has "add_reduce")
  assert.is_false(cn.has "erf" or cn.has "special.nothing" or cn.has "pi.x" or cn.has "" or cn.has "nothing.at.all")
  raises("has: a name is a string, got nil", function() cn.has() end)
end)

it("errors about names say what cuna calls them", function()
  for name, hint in pairs {rand = "cn.random.rand", norm = "cn.linalg.norm", svd = "cn.linalg.svd",
    erf = "cn.special.erf",
    cat = "cn.concatenate", mm = "cn.matmul", sigmoid = "cn.special.expit", relu = "cn.maximum(x, 0)",
    scatter_add = "x:add_at(key, v)", dim = "cn.ndim", float = "cn.float64",
    gaussian_filter = "cn.ndimage.gaussian_filter"} do
    raises(("cuna has no function '%s'; write %s"):format(name, hint), function() return cn[name], 1 end)
  end
  raises("cuna has no function 'qqqqqq'; cn.has \"qqqqqq\" asks for a name", function() return cn.qqqqqq, 1 end)
  raises("an array has no field or method 'inv'; did you mean 'cn.linalg.inv'?", function() return cn.ones(3).inv,
    1 end)
end)

it("every word of the list names something that is there", function()
  for word, text in pairs(require "cuna.base.words") do
    assert.is_false(cn.has(word), word)
    local name = text:match "^cn%.([%w_.]+)"
    assert.is_true(name == nil or cn.has(name), text)
    local method = text:match "^x:([%w_]+)"
    assert.is_true(method == nil or cn.ones(1)[method] ~= nil, text)
  end
end)
