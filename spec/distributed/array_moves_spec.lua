-- Arrays over ranks whose functions send: running results, places of extremes, variances, comparisons, norms, rolls,
-- edges, products, Fourier transforms, against the same calls of plain arrays.
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local g = cn.random.default_rng(11)
local nan, inf = cn.nan, cn.inf
local SHAPES = {{7}, {2}, {5, 3}, {2, 5, 3}}

--- Running results, places and folds of x along every axis, split along every axis.
local function along_axes(x, A, what)
  for axis = 1, x.ndim do
    for _, name in ipairs {"cumsum", "cumprod", "cummax", "cummin"} do
      local R = A[name](A, axis)
      check(R, x[name](x, axis), what .. " " .. name .. axis)
      same(tostring(R.layout.axis), tostring(A.layout.axis))
    end
    for _, name in ipairs {"argmax", "argmin", "count_nonzero"} do
      exact(A[name](A, axis), x[name](x, axis), what .. " " .. name .. axis)
      exact(A[name](A, axis, {keepdims = true}), x[name](x, axis, {keepdims = true}), what .. " keepdims")
    end
    for _, name in ipairs {"var", "std"} do
      check(A[name](A, axis), x[name](x, axis), what .. " " .. name .. axis)
      check(A[name](A, axis, {ddof = 0.5, keepdims = true}), x[name](x, axis, {ddof = 0.5, keepdims = true}), name)
    end
    for _, shift in ipairs {0, 1, -4, 17} do
      exact(A:roll(shift, axis), cn.roll(x, shift, axis), ("%s roll %d axis %d"):format(what, shift, axis))
    end
  end
  for _, name in ipairs {"argmax", "argmin", "var", "std", "count_nonzero"} do
    check(A[name](A), x[name](x), what .. " " .. name)
  end
end

for case, shape in ipairs(SHAPES) do
  for axis = 1, #shape do
    local x = g:integers(4, {size = shape}) - 1
    along_axes(x, D.array(x, {axis = axis}), ("int64 {%s} axis %d"):format(table.concat(shape, ", "), axis))
    local y = g:normal(0, 1, shape)
    along_axes(y, D.array(y, {axis = axis}), ("float64 {%s} axis %d"):format(table.concat(shape, ", "), axis))
  end
end
same(D.array(cn.array {1, 2, 3}, {axis = 1}):cumsum(1, "float32").dtype, "float32")
same(D.array(cn.array {true, true, false, true}, {axis = 1}):cumsum():get(), cn.array {1, 2, 2, 3}:astype "int64")
same(D.array(cn.array({1, 3}, "float16"), {axis = 1}):var(), cn.array({1, 3}, "float16"):var())
check(D.array(cn.array {cn.complex(1, 2), cn.complex(3, -1)}, {axis = 1}):var(),
  cn.array {cn.complex(1, 2), cn.complex(3, -1)}:var(), "complex var")

-- NaN wins, of equal elements the first, infinities have places.
for _, list in ipairs {{1, nan, 3, nan, 0}, {-inf, -inf, -inf}, {inf, inf, 1, inf}, {2, 2, 2, 2, 2}, {-0.0, 0}} do
  local x = cn.array(list)
  local A = D.array(x, {axis = 1})
  for _, name in ipairs {"argmax", "argmin"} do same(A[name](A), x[name](x), name) end
  for _, name in ipairs {"cummax", "cummin", "cumsum"} do exact(A[name](A), x[name](x), name) end
end
local ties = cn.array {{1, 5}, {5, 0}}
same(D.array(ties, {axis = 2}):argmax(), ties:argmax(), "the first in row-major order, not of ranks")

-- Sorts along axes that are not split.
local m = g:normal(0, 1, {5, 4})
local A, C = D.array(m, {axis = 1}), D.array(m, {axis = 2})
exact(A:sort(), m:sort(), "sort") exact(C:sort(1), m:sort(1), "sort") exact(A:argsort(), m:argsort(), "argsort")

-- Comparisons: one answer on all ranks, also where one element of one rank differs.
for _, X in ipairs {A, C} do
  local other = X:copy()
  same(X == other, true, "==") same(cn.array_equal(X, other), true) same(X:allclose(other), true)
  if rank == size - 1 then other.block[{1, 1}] = 50 end
  same(X == other, false, "== of one element") same(X:array_equal(other), false) same(cn.allclose(X, other), false)
  same(X:allclose(other, {atol = 60}), true, "atol") same(X:allclose(other, 0, 60), true, "atol")
end
same(A == A.T, false, "other shapes") same(A:array_equal(C:reshard {axis = 1}), true)
same(A:array_equal((m):astype "float32"["1:0"]), false, "a plain array of another shape")
local holes = D.array(cn.array {1, nan, 3, 4}, {axis = 1})
same(holes == holes:copy(), false) same(holes:array_equal(holes, true), true)
same(holes:allclose(holes), false) same(holes:allclose(holes, {equal_nan = true}), true)
same(D.zeros({0}, nil, {axis = 1}) == D.ones({0}, nil, {axis = 1}), true, "no elements")
same((A * 0):allclose(0), true, "a number") same((A * 0 + cn.arange(4)):allclose(cn.arange(4)), true, "a plain row")

-- Norms.
for _, dtype in ipairs {"float64", "float32", "float16", "int32", "complex128"} do
  local n = (m * 10):astype(dtype)
  for axis = 1, 2 do
    local N = D.array(n, {axis = axis})
    check(N:norm(), cn.linalg.norm(n), dtype .. " norm")
    check(N:norm("fro", {1, 2}, true), cn.linalg.norm(n, "fro", {1, 2}, true), dtype .. " fro")
    for along = 1, 2 do
      for _, ord in ipairs {2, 1, 0, inf, -inf, dtype == "float16" and 1 or 2.5, dtype == "float16" and 2 or -2} do
        check(N:norm(ord, along), cn.linalg.norm(n, ord, along), ("%s norm %g along %d"):format(dtype, ord, along))
      end
      check(N:norm(nil, along, {keepdims = true}), cn.linalg.norm(n, nil, along, true), dtype .. " keepdims")
    end
  end
end
same(D.full({5}, 300, "float16", {axis = 1}):norm(), cn.linalg.norm(cn.full({5}, 300, "float16")), "no overflow")

-- Edges.
local long = cn.arange(4 * size + 3):astype "float64"
local L = D.array(long, {axis = 1})
for _, width in ipairs {1, 3} do
  local first, last = L.range[1], L.range[2]
  local wide = cn.pad(long, width, {constant_values = -1})
  same(L:halo(width, {value = -1}), wide[{{first, last + 2 * width}}], "halo")
  same(L:halo(width, true), cn.pad(long, width, "wrap")[{{first, last + 2 * width}}], "periodic halo")
end
local side = D.array(cn.stack({long, long * 2}), {axis = 2})
same(side:halo().shape, cn.zeros {2, L.block.size + 2}.shape)
same(D.from_block(L:halo()["2:-2"], {axis = 1}):get(), long:get(), "from_block")
same(D.from_block(C.block, {axis = 2}):get(), m:get(), "from_block")

-- Products.
local y = g:normal(0, 1, {4, 3})
local v, u = g:normal(0, 1, {4}), g:normal(0, 1, {5})
local V = D.array(v, {axis = 1})
check(A:matmul(v), m:matmul(v), "rows by a plain vector")
check(A:matmul(V), m:matmul(v), "rows by a split vector")
check(C:matmul(V), m:matmul(v), "columns by a split vector")
check(D.array(u, {axis = 1}):matmul(A), u:matmul(m), "a vector by rows")
check(V:matmul(V), v:matmul(v), "vectors") check(cn.dot(V, V), v:dot(v), "dot") check(A:dot(v), m:dot(v), "dot")
exact(A:dot(2), m * 2, "dot with a number")
local R = C:matmul(D.array(y, {axis = 1}), {layout = {axis = 1}})
check(R, m:matmul(y), "reduce_scatter") same(R.layout.axis, 1)
same(R.block.shape, cn.array_split(m, size)[rank + 1][":, 1:3"].shape)
check(C:matmul(D.array(y, {axis = 1}), {layout = {}}), m:matmul(y), "a plain product")
local x3, y3 = g:normal(0, 1, {5, 2, 3}), g:normal(0, 1, {5, 3, 2})
local X3 = D.array(x3, {axis = 1})
check(X3:matmul(y3[1]), x3:matmul(y3[1]), "a stack by one matrix")
check(X3:matmul(D.array(y3, {axis = 1})), x3:matmul(y3), "stacks")
local whole_numbers, ones = cn.array({{2, 3}, {4, 5}}, "int32"), cn.ones({2, 2}, "int32")
same(D.array(whole_numbers, {axis = 2}):matmul(D.array(ones, {axis = 1})), whole_numbers:matmul(ones), "integers")

-- Fourier transforms: along each axis, and several.
local z = g:normal(0, 1, {6, 4, 5})
for axis = 1, 3 do
  local Z = D.array(z, {axis = axis})
  for along = 1, 3 do
    local what = (" axis %d along %d"):format(axis, along)
    local F = Z:fft(nil, along)
    check(F, cn.fft.fft(z, nil, along), "fft" .. what)
    same(F.layout.axis, axis ~= along and axis or along == 3 and 2 or 3)
    check(F:ifft(nil, along):astype "complex128", z:astype "complex128", "ifft" .. what)
    check(Z:rfft(nil, along), cn.fft.rfft(z, nil, along), "rfft" .. what)
    check(Z:rfft(nil, along):irfft(z.shape[along], along), z, "irfft" .. what)
    check(Z:fft(3, along, "ortho"), cn.fft.fft(z, 3, along, "ortho"), "fft to 3" .. what)
  end
  check(Z:fftn(), cn.fft.fftn(z), "fftn") check(Z:fftn():ifftn():real(), z, "ifftn")
  check(Z:fft2(), cn.fft.fft2(z), "fft2") check(Z:ifft2(), cn.fft.ifft2(z), "ifft2")
  check(Z:fftn({3, 7}, {3, 1}, "forward"), cn.fft.fftn(z, {3, 7}, {3, 1}, "forward"), "fftn of two axes")
  if axis < 3 then check(Z:rfftn(), cn.fft.rfftn(z), "rfftn") check(Z:rfft2(), cn.fft.rfft2(z), "rfft2") end
  local half = cn.fft.rfftn(z)
  if axis == 3 then
    check(D.array(half, {axis = 3}):irfftn({6, 4, 5}), z, "irfftn")
    check(D.array(cn.fft.rfft2(z), {axis = 3}):irfft2({4, 5}), z, "irfft2")
  end
end

-- What is refused.
refused("cumsum: the axis is missing", function() return A:cumsum() end)
refused("argmax: an array of shape %(0,%) has no extreme", function() return D.zeros({0}, nil, {axis = 1}):argmax() end)
refused("sort: axis 1 is split; write A:reshard {axis = 2}, or A:reshard {}", function() return A:sort(1) end)
refused("roll: an array over ranks is rolled along an axis; write A:roll%(1, 2%)", function() return A:roll(1) end)
refused("halo: width is from 1 to %d+, the length of the shortest block, got 50", function() return A:halo(50) end)
refused("fft: axis 1 is split, and no other is there to be split instead; write cn.fft.fft%(A:reshard {}%)",
  function() return V:fft() end)
refused("rfftn: the last axis is transformed first, and is split", function() return C:rfftn() end)
refused("irfft2: axis 1 is transformed before the last one, and is split; write A:reshard {axis = 2}",
  function() return A:irfft2() end)
refused("fftn: axis 2 comes twice", function() return A:fftn(nil, {2, 2}) end)
refused("fft2: expected 2 lengths, one for each axis, got", function() return A:fft2({1, 2, 3}) end)
refused("array_equal: the arrays have different layouts", function() return A:array_equal(C) end)
refused("array_equal: the arrays", function() return A == C end)
refused("array_equal: a plain array of shape %(5, 4%) lies along the split axis", function()
  return A:array_equal(m) end)
refused("allclose: the arrays have different layouts", function() return cn.allclose(A, C) end)
refused("norm: of a matrix there is \"fro\", got inf; write cn.linalg.norm%(A:reshard {}, ...%)", function()
  return A:norm(inf) end)
refused("norm: the order of a vector's norm is a number, got \"fro\"", function() return A:norm("fro", 1) end)
refused("dot: takes vectors and matrices, got %(5, 2, 3%) and", function() return X3:dot(X3) end)
refused("matmul: a layout is for a contraction that is split", function() return A:matmul(y, {layout = {axis = 1}}) end)
refused("matmul: the parts of a sum over ranks are added to rows; write {layout = {axis = 1}}", function()
  return C:matmul(D.array(y, {axis = 1}), {layout = {axis = 2}}) end)
refused("matmul: stacks are split along an axis before the matrices", function()
  return D.array(x3, {axis = 2}):matmul(y3) end)
if size > 1 then
  refused("from_block: the blocks have the lengths .* along axis 1; those of cn.array_split are", function()
    return D.from_block(cn.ones(rank + 1), {axis = 1}) end)
end
]]

describe("functions of arrays over ranks that send", function()
  for _, row in ipairs(ranks.CASES) do
    it(("give what plain arrays give, on %d"):format(row[2]), function() ranks.must_run(row[1], row[2], SCRIPT) end)
  end
end)
