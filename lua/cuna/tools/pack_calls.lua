--- pack_calls.lua: calls of functions whose kernels are in the pack, by dtype, for kernel_pack.lua.
--
-- A group has `of`, dtypes, and calls as text. In it `d` is the dtype, and further names are what kernel_pack.lua says:
-- arrays as programs have them, since layouts, alignment and whether a row is long decide which kernels a call needs.
local FLOATS = {"float64", "float32"}
local MAIN = {"float64", "float32", "int64", "int32"}
local ONCE = {"float64"}

return {
  -- elements
  {of = FLOATS, "cn.floor(v)", "cn.ceil(v)", "cn.round(v)", "cn.round(v, 2)", "cn.sign(v)", "cn.isnan(v)",
    "cn.isfinite(v)", "cn.log1p(v)", "cn.expm1(v)", "cn.log2(v)", "cn.log10(v)", "cn.exp2(v)", "cn.tan(v)",
    "cn.arcsin(v)", "cn.arccos(v)", "cn.arctan(v)", "cn.arctan2(v, v)", "cn.hypot(v, v)", "cn.sinh(v)", "cn.cosh(v)",
    "cn.cbrt(v)", "v ^ 2", "v ^ 3", "v ^ 0.5", "1 / v", "cn.mod(v, 1)", "cn.nan_to_num(v)", "cn.maximum(x, row)",
    "cn.isclose(v, v)", "cn.allclose(v, v)", "cn.array_equal(v, v)", "x:eq(column)", "cn.where(x:gt(0), x, row)",
    "cn.gt(v, v)", "cn.multiply(v, v:gt(0))", "v * i", "i * v", "v + i", "i / v", "v:eq(i)"},
  -- tables with few columns, all pairs of two vectors, slices of a grid
  {of = FLOATS, "narrow + sixteen", "narrow - sixteen", "narrow * sixteen", "narrow / sixteen", "narrow + column",
    "narrow - column", "narrow * column", "narrow / column", "column + sixteen", "column - sixteen",
    "column * sixteen", "column / sixteen", "points + three", "points - three", "points * three", "points / three",
    "points - column", "points / column", "points * column", "column - points", "column - narrow", "sixteen - narrow",
    "inner + inner", "inner - inner", "inner * inner", "inner / inner", "inner * 0.5", "0.5 * inner",
    "1 - inner", "inner + 1", "inner + square", "square - inner", "square * inner", "inner ^ 2", "cn.copy(inner)",
    "inner:gt(0)", "inner:lt(inner)"},
  {of = FLOATS, "v:gt(v)", "v:lt(v)", "v:ge(v)", "v:le(v)", "v:gt(v:mean())", "v:lt(v:mean())", "x:gt(row)",
    "x:eq(cn.max(x, {axis = 2, keepdims = true}))", "column:eq(sixteen)", "cn.where(v:gt(v), v, 0)",
    "cn.mean(v:gt(0))", "cn.sum(v:gt(0))", "cn.mean(x:gt(0), 2)", "cn.sum(x:gt(0), 2)", "cn.mean(x:gt(0), 1)"},
  {of = {"int64", "int32"}, "cn.matmul(square, square)", "column:eq(sixteen)", "v:eq(v)", "cn.mean(v:eq(v))",
    "cn.sum(narrow, 2)", "cn.sum(narrow, 1)", "cn.sum(x, 1)", "cn.sum(x, 2)", "column * sixteen", "column + sixteen"},
  {of = {"int64", "int32"}, "v % 2", "cn.floor_divide(v, 2)", "cn.absolute(v)", "cn.left_shift(v, 1)",
    "cn.right_shift(v, 1)", "cn.bitwise_and(v, v)", "cn.bitwise_or(v, v)", "cn.bitwise_xor(v, v)", "v / 2", "v * 0.5",
    "x:eq(column)"},
  {of = MAIN, "cn.eye(64, 64, 0, d)", "cn.identity(64, d)", "cn.diag(v)", "cn.diag(x)", "cn.trace(square)",
    "cn.tril(square)", "cn.triu(square)"},
  {of = FLOATS, "cn.linspace(0, 1, 64, {dtype = d})", "cn.meshgrid(v, v)", "cn.logspace(0, 1, 64, {dtype = d})"},

  -- folds and scans
  {of = FLOATS, "cn.any(v)", "cn.all(v)", "cn.std(x, 1)", "cn.std(x, 2)", "cn.var(x, 1)", "cn.var(x, 2)", "cn.var(v)",
    "cn.argmax(x, 1)", "cn.argmin(x, 1)", "cn.argmax(x, 2)", "cn.argmin(x, 2)", "cn.argmin(narrow, 2)",
    "cn.argmax(narrow, 2)", "cn.argmin(points, 2)", "cn.argmax(points, 2)", "cn.mean(points, 1)", "cn.mean(points, 2)",
    "cn.sum(points, 2)", "cn.max(narrow, 2)", "cn.std(narrow, 1)", "cn.sum(narrow * narrow, 2)", "cn.prod(x, 1)",
    "cn.prod(x, 2)", "cn.nansum(v)", "cn.nanmean(v)", "cn.ptp(v)", "cn.sum(stack, 1)", "cn.sum(stack, 2)",
    "cn.sum(stack, 3)", "cn.sum(long)", "cn.mean(long)", "cn.max(long)", "cn.min(long)", "cn.average(v, 1, v)",
    "cn.average(x, 1, tall)", "cn.cov(x)", "cn.corrcoef(x)"},
  {of = MAIN, "cn.cumsum(v)", "cn.cumsum(long)", "cn.cumsum(x, 1)", "cn.cumsum(x, 2)", "cn.cumprod(v)",
    "cn.maximum_accumulate(v)", "cn.diff(v)", "cn.diff(long)", "cn.diff(x, 1, 1)", "cn.ediff1d(v)"},
  {of = FLOATS, "cn.gradient(v)", "cn.trapezoid(v)", "cn.trapezoid(v, v)", "cn.interp(v, v, v)", "cn.convolve(v, v)",
    "cn.convolve(v, v, 'same')", "cn.polyval(three, v)", "cn.polyfit(v, v, 1)", "cn.polyfit(v, v, 2)"},

  -- positions and masks
  {of = MAIN, "v[p]", "x[p]", "x[{{}, p}]", "v[m]", "v[m] = 0", "v[p] = v", "v[p] = 0", "x[mx]", "x[mx] = 0",
    "x[{p, p}]", "cn.take(v, p)", "cn.where(x)", "cn.nonzero(v)", "cn.flatnonzero(v)", "cn.argwhere(v)",
    "cn.count_nonzero(v)", "cn.take_along_axis(x, px, 2)", "cn.repeat_interleave(v, 2)", "cn.tile(v, 2)",
    "cn.copy(cn.flip(v))", "cn.pad(x, 1)", "cn.stack {v, v}", "cn.vstack {x, x}", "cn.hstack {x, x}",
    "cn.add_at(v, p, v)", "cn.add_at(v, p, 1)"},

  -- order
  {of = MAIN, "cn.sort(v)", "cn.sort(long)", "cn.sort(x, 1)", "cn.sort(x, 2)", "cn.argsort(v)", "cn.argsort(long)",
    "cn.argsort(x, 1)", "cn.argsort(x, 2)", "cn.unique(v)", "cn.unique(long)", "cn.unique(v, true, true, true)",
    "cn.unique(long, true, true, true)", "cn.median(v)", "cn.median(long)", "cn.median(x, 1)", "cn.median(x, 2)",
    "cn.searchsorted(v, v)", "cn.isin(v, v)", "cn.bincount(p)", "cn.bincount(p, nil, 64)", "cn.bincount(p, v, 64)",
    "cn.bincount(many, nil, 16)", "cn.bincount(many, heavy, 16)", "cn.bincount(many)"},
  {of = FLOATS, "cn.quantile(v, 0.5)", "cn.quantile(v, {0.25, 0.5, 0.75})", "cn.quantile(x, {0.25, 0.75}, 1)",
    "cn.percentile(v, 50)", "cn.percentile(v, {25, 50, 75})", "cn.percentile(x, 50, 1)", "cn.histogram(v, 10)",
    "cn.histogram(long, 100)", "cn.histogram(v, 10, {0, 1})", "cn.histogram(v, v)", "cn.histogram2d(v, v, 10)",
    "cn.digitize(v, v)"},

  -- products
  {of = FLOATS, "cn.dot(v, v)", "cn.outer(v, v)", "cn.matmul(square, v)", "cn.matmul(v, square)", "cn.matmul(x, row)",
    "cn.einsum('ij,ij->i', x, x)", "cn.einsum('ij,j', x, row)", "cn.linalg.norm(v)", "cn.linalg.norm(x)",
    "cn.linalg.norm(long)", "cn.linalg.norm(x, nil, 1)", "cn.linalg.norm(x, nil, 2)", "cn.linalg.solve(square, v)",
    "cn.linalg.solve(square, square)", "cn.linalg.inv(square)", "cn.linalg.det(square)", "cn.linalg.slogdet(square)",
    "cn.linalg.cholesky(square)", "cn.linalg.qr(x)", "cn.linalg.svd(x)", "cn.linalg.eigh(square)",
    "cn.linalg.eigvalsh(square)", "cn.linalg.lstsq(x, tall)", "cn.linalg.pinv(x)", "cn.kron(three, three)",
    "cn.sum(x * x, 2)", "cn.cross(points, points)"},
  {of = {"complex128", "complex64"}, "v + v", "v - v", "v * v", "v * 2", "v / 2", "v / v", "cn.absolute(v)",
    "cn.conj(v)", "cn.exp(v)", "cn.real(v) + 1", "cn.imag(v) + 1", "cn.angle(v)", "cn.sum(v)", "cn.where(m, v, 0)"},
  {of = FLOATS, "cn.fft.fft(v)", "cn.fft.ifft(v)", "cn.fft.irfft(v)", "cn.fft.fft2(square)",
    "cn.absolute(cn.fft.rfft(v)) ^ 2", "cn.fft.rfft(v) * cn.fft.rfft(v)"},
  {of = ONCE, "cn.fft.fftfreq(64)", "cn.fft.rfftfreq(64)", "cn.hanning(64)", "cn.hamming(64)"},

  -- random numbers
  {of = FLOATS, "g:random(64, d)", "g:uniform(0, 1, 64, d)", "g:standard_normal(64, d)", "g:normal(0, 1, 64, d)",
    "g:standard_exponential(64, d)", "g:exponential(2, 64, d)", "cn.random.rand(64, {dtype = d})",
    "cn.random.randn(64, {dtype = d})", "g:permutation(v)", "g:shuffle(v)", "g:shuffle(x)", "g:choice(v, 10)"},
  {of = {"int64", "int32"}, "g:integers(0, 10, 64, d)", "cn.random.randint(0, 10, 64, d)"},
  {of = ONCE, "g:permutation(64)", "g:choice(64, 10)", "g:choice(64, 10, false)",
    "g:choice(20000, 10, false)", "g:poisson(2, 64)",
    "g:binomial(5, 0.5, 64)", "g:standard_gamma(2, 64)", "g:bytes(64)"},
}
