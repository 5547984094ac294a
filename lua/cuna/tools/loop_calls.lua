--- loop_calls.lua: calls of functions whose programs are not rows of ops.lua, by dtype, for loop_rehearsals.lua.
--
-- A group has `of`, dtypes, and calls as text. In it `d` is the dtype, and further names are what loop_rehearsals.lua
-- says. What users hardly have is left out: its programs are compiled as kernels. Functions that compute in few dtypes
-- are called with these.
local ALL = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}
local NUMBERS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}
local WHOLE = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
local USUAL = {"bool", "uint8", "int32", "int64", "float32", "float64"}
local COUNTED = {"uint8", "int32", "int64", "float32", "float64"}
local HALVES = {"float16", "bfloat16"}
local SEARCHED = {"int32", "int64", "uint64", "float32", "float64", "complex128"}
local WIDENED = {"int32", "int64", "uint64", "float32"}
local INEXACT = {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
local FLOATS = {"float32", "float64"}
local FACTORED = {"float32", "float64", "complex64", "complex128"}
local ONCE = {"float64"}

--- A group of draws whose parameters are numbers, and of the same into elements that lie apart: no filler makes these,
--- nor what a draw is on the way to.
local function draws_of(dtypes, ...)
  local group = {of = dtypes, ...}
  for k = 1, #group do group[#group + 1] = group[k]:gsub("%)$", ", column)") end
  return group
end

return {
  -- create.lua, matrix.lua, base/formula.lua, windows.lua
  {of = ALL, "cn.eye(2, 3, 1, d)", "cn.tri(2, 3, 0, d)", "cn.arange(0, 4, 1, d)"},
  {of = INEXACT, "cn.linspace(0, 1, 4, {dtype = d})", "cn.linspace(0, 1, 4, {dtype = d, endpoint = false})",
    "cn.logspace(0, 1, 4, {dtype = d})"},
  {of = WHOLE, "cn.linspace(0, 1, 4, {dtype = d})"},
  {of = ONCE, "cn.bartlett(4)", "cn.blackman(4)", "cn.hamming(4)", "cn.hanning(4)", "cn.kaiser(4, 2)",
    "cn.fft.fftfreq(4)", "cn.fft.rfftfreq(4)", "cn.fft.fftfreq(5)", "cn.vander(v)", "cn.meshgrid(v, v)",
    "cn.indices({2, 2})", "cn.tril_indices(3)", "cn.diag_indices(3)", "cn.vander(v, 3, true)"},
  {of = ALL, "cn.tril(x)", "cn.triu(x)", "cn.diag(v)", "cn.trace(x)", "cn.fill_diagonal(x, 1)"},

  -- gather.lua, take.lua
  {of = ALL, "v[p]", "v[p] = v", "v[m1]", "v[m1] = 1", "cn.take(v, p)", "cn.put(v, p, v)", "cn.choose(p, {v, v, v, v})",
    "cn.choose(v, {v, v})", "cn.select({m1, m1}, {v, v}, 0)", "cn.take_along_axis(x, q, 2)", "cn.where(x)",
    "cn.extract(x, x)", "cn.compress(v, v)", "cn.flatnonzero(v)", "cn.argwhere(x)"},
  {of = NUMBERS, "y[v]"},
  {of = ONCE, "y[{p, p}]", "y3[{p, p, p}]", "y4[{p, p, p, p}]", "y[{f, f}]", "y3[{f, f, f}]", "y4[{f, f, f, f}]",
    "y[{f, p}]", "y[{p, f}]", "y[{u, u}]", "cn.take(v, p, {mode = 'wrap'})", "cn.take(v, u, {mode = 'wrap'})",
    "cn.take(v, u, {mode = 'clip'})", "cn.take(v, p, {mode = 'clip'})", "cn.take(v, f, {mode = 'wrap'})",
    "cn.take(v, f, {mode = 'clip'})", "cn.put(v, p, v, 'wrap')", "cn.put(v, p, v, 'clip')",
    "cn.choose(p, {v, v, v, v, v, v}, nil, 'wrap')", "cn.choose(p, {v, v, v, v, v, v}, nil, 'clip')",
    "x[{m, cn.ellipsis}]", "cn.choose(p, {v, v, v, v, v, v, v, v, v, v, v, v})"},

  -- positions.lua, nonzero.lua
  {of = {"int64", "int32", "float64", "uint64"}, "cn.ravel_multi_index({v, v}, {3, 3})",
    "cn.ravel_multi_index({v, v}, {3, 3}, 'wrap')", "cn.ravel_multi_index({v, v}, {3, 3}, 'clip')",
    "cn.unravel_index(v, {2, 3})"},
  {of = ALL, "cn.where(v, v, v)", "cn.where(m1, v, v)", "cn.where(m1, v, 0)", "cn.nonzero(v)", "cn.count_nonzero(v)"},

  -- mask.lua, edit.lua, pad.lua, rearrange.lua, clip.lua, nan_to_num.lua
  {of = ALL, "cn.putmask(x, m, v)", "cn.putmask(x, m, x)", "cn.putmask(x, m, v2)", "cn.place(x, m, v)",
    "cn.place(x, m, x)", "cn.copyto(x, x, nil, m)", "cn.pad(x, 1)", "cn.pad(x, 1, 'linear_ramp')",
    "cn.pad(x, 1, 'mean')", "cn.pad(x, 1, 'reflect')", "cn.pad(x, 1, {mode = 'reflect', reflect_type = 'odd'})",
    "cn.pad(x, 1, 'edge')", "cn.pad(x, 1, 'symmetric')", "cn.pad(x, 1, {mode = 'symmetric', reflect_type = 'odd'})",
    "cn.pad(x, 1, 'maximum')", "cn.repeat_interleave(v, p)", "cn.repeat_interleave(x, p2, 1)", "cn.delete(x, p, 1)",
    "cn.insert(v, p, v, 1)", "cn.trim_zeros(v)", "cn.roll(x, 1)", "cn.rot90(x)", "cn.clip(x, x, x)", "x:clip_(x, x)",
    "cn.clip(x, 0, 1)", "cn.nan_to_num(x)", "cn.nan_to_num(x, {nan = 1, posinf = 2, neginf = 3})", "cn.unwrap(v)",
    "cn.real_if_close(v)", "cn.packbits(v)", "cn.isclose(x, x)", "cn.isclose(x, x, 0.5, 0.5)",
    "cn.isclose(x, x, {equal_nan = true})", "cn.allclose(x, x)", "cn.allclose(x, x, {equal_nan = true})",
    "cn.array_equal(x, x)", "cn.array_equal(x, x, true)"},
  {of = ONCE, "cn.unpackbits(o)", "cn.packbits(long)", "cn.packbits(long, {bitorder = 'little'})",
    "cn.packbits(nine)", "cn.packbits(nine, {bitorder = 'little'})",
    "cn.unpackbits(o, {bitorder = 'little'})"},

  -- join.lua
  {of = ALL, "cn.concatenate {x, x}", "cn.stack {v, v, v}", "cn.concatenate({x, x, x, x, x, x, x, x, x, x, x, x}, 2)",
    "cn.concatenate({x, x}, {dtype = 'float64'})", "cn.concatenate({x, x}, {dtype = 'complex128'})"},

  -- search.lua, sets, unique.lua, histogram.lua, bin_counts.lua, weigh.lua, interp.lua
  {of = ALL, "cn.unique(v)", "cn.unique(v, true, true, true)", "cn.unique(x, {axis = 1})", "cn.union1d(v, v)"},
  {of = SEARCHED, "cn.searchsorted(v, v)", "cn.searchsorted(v, v, 'right')", "cn.isin(v, v)", "cn.setdiff1d(v, v)",
    "cn.digitize(v, v)", "cn.digitize(v, v, true)", "cn.searchsorted(long, more)",
    "cn.searchsorted(long, more, 'right')", "cn.isin(more, long)", "cn.setdiff1d(more, long)",
    "cn.histogram(more, long)"},
  {of = WIDENED, "cn.searchsorted(long, f)", "cn.searchsorted(long, f, 'right')"},
  {of = {"int32"}, "cn.searchsorted(long, p)", "cn.searchsorted(long, p, 'right')"},
  {of = SEARCHED, "cn.histogram(v, v)", "cn.histogram(v, v, nil, f)", "cn.histogram2d(v, v, {v, v})",
    "cn.histogram2d(v, v, {v, v}, nil, f)", "cn.histogram2d(v, v, {v, v}, nil, z)"},
  {of = ONCE, "cn.bincount(p, z)"},
  {of = HALVES, "cn.histogram(v, 3)"},
  {of = COUNTED, "cn.histogram(v, 3)", "cn.histogram(v, 3, nil, f)", "cn.histogram(v, 3, nil, v)",
    "cn.histogram(v, 3, {0, 1})", "cn.histogram2d(v, v, 3)", "cn.histogramdd(x, 3)",
    "cn.histogram2d(v, v, 3, nil, f)", "cn.bincount(v)", "cn.bincount(v, nil, 4)",
    "cn.bincount(v, f, 4)", "cn.bincount(v, s, 4)", "cn.interp(v, f, f, {period = 2})"},
  {of = ONCE, "cn.interp(v, f, f)", "cn.interp(v, f, z)", "cn.interp(v, f, f, 0)", "cn.interp(v, f, z, 0)"},

  -- polynomial.lua, difference.lua, gradient.lua, integrate.lua, cross.lua, convolve.lua, statistics.lua, quantile.lua
  {of = NUMBERS, "cn.diff(v)", "cn.diff(x, 1, 1)", "cn.diff(v, 2)", "cn.ediff1d(v)", "cn.cross(t, t)", "cn.kron(x, x)",
    "cn.convolve(v, v)", "cn.correlate(v, v)"},
  {of = USUAL, "cn.gradient(v)", "cn.gradient(v, f, {edge_order = 2})",
    "cn.gradient(x, 0.5)", "cn.gradient(v, v)", "cn.trapezoid(v)", "cn.trapezoid(v, v)",
    "cn.simpson(v)", "cn.simpson(v, v)", "cn.trapz2d(x)", "cn.polyval(v, v)",
    "cn.polyval(f, v)", "cn.polyval(v, f)", "cn.polyval(v[{{1, 2}}], v)", "cn.polyval(v[{{1, 3}}], v)",
    "cn.polyadd(v, v)", "cn.polymul(v, v)", "cn.polyder(v)", "cn.polyint(v)", "cn.poly(v)",
    "cn.convolve(v, v)", "cn.convolve(v, v, 'same')", "cn.average(x, 1, v2)", "cn.cov(x)", "cn.corrcoef(x)"},
  {of = {"bool", "int8", "int16", "uint16", "uint32", "uint64", "float16"}, "cn.median(x)", "cn.median(x, 1)",
    "cn.median(big, 2)"},
  {of = {"complex64", "complex128"}, "cn.median(x)", "cn.median(x, 1)", "cn.gradient(v)",
    "cn.gradient(v, f, {edge_order = 2})", "cn.gradient(v, v)",
    "cn.gradient(v, f)", "cn.gradient(v, s)", "cn.simpson(v, s)", "cn.trapezoid(v)", "cn.simpson(v)",
    "cn.simpson(v, f)", "cn.trapz2d(x)", "cn.cov(x)", "cn.corrcoef(x)", "cn.nanmedian(x)"},
  {of = NUMBERS, "cn.polyval(v, v)"},
  {of = {"float16", "bfloat16", "float32"}, "cn.fft.fftfreq(4, {dtype = d})", "cn.fft.rfftfreq(4, {dtype = d})"},
  {of = {"float16", "bfloat16"}, "cn.median(x)", "cn.median(x, 1)", "cn.nanmedian(x)", "cn.quantile(x, 0.5)",
    "cn.percentile(x, {25, 50, 75})", "cn.nanquantile(x, 0.5)", "cn.median(big)", "cn.nanmedian(big, 2)",
    "cn.quantile(big, 0.5, 2)", "cn.percentile(big, {25, 50, 75}, 2)"},
  {of = {"int8", "int16", "uint16", "uint32", "uint64"}, "cn.percentile(x, {25, 75})", "cn.percentile(big, {25, 75})"},
  {of = WHOLE, "cn.unwrap(v, {period = 4})", "cn.linalg.solve_triangular(x, v2)", "g:integers(0, p, nil, d)",
    "g:integers(0, f, nil, d)"},
  {of = ONCE, "cn.array_equal(p, u)", "cn.packbits(seven, {bitorder = 'little'})", "p:less(u)", "u:less(p)",
    "p:equal(u)", "p:less_equal(u)", "u:less_equal(p)", "p:not_equal(u)", "p:greater(u)", "p:greater_equal(u)",
    "y3[{u, f, p}]", "y3[{u, u, u}]"},
  {of = COUNTED, "cn.median(x)", "cn.median(x, 1)", "cn.nanmedian(x)", "cn.quantile(x, 0.5)", "cn.quantile(x, f2)",
    "cn.quantile(x, {0.25, 0.5, 0.75})", "cn.percentile(x, 50)", "cn.percentile(x, {25, 50, 75})",
    "cn.percentile(x, f2)", "cn.nanpercentile(x, 50)", "cn.nanquantile(x, 0.5)"},
  {of = COUNTED, "cn.median(big)", "cn.median(big, 2)", "cn.nanmedian(big, 2)", "cn.quantile(big, 0.5, 2)",
    "cn.quantile(big, {0.5}, 2)", "cn.quantile(big, {0.25, 0.5, 0.75}, 2)", "cn.percentile(big, {25, 75}, 2)",
    "cn.nanquantile(big, 0.5)", "cn.nanpercentile(big, {25, 50, 75}, 2)", "cn.topk(big, 2)"},
  {of = ONCE, "cn.quantile(x, 0.5, nil, {method = 'inverted_cdf'})", "cn.quantile(x, 0.5, nil, {method = 'hazen'})",
    "cn.quantile(x, 0.5, nil, {method = 'averaged_inverted_cdf'})", "cn.quantile(x, 0.5, nil, {method = 'weibull'})",
    "cn.quantile(x, 0.5, nil, {method = 'closest_observation'})", "cn.quantile(x, 0.5, nil, {method = 'lower'})",
    "cn.quantile(x, 0.5, nil, {method = 'interpolated_inverted_cdf'})",
    "cn.quantile(x, 0.5, nil, {method = 'median_unbiased'})", "cn.quantile(x, 0.5, nil, {method = 'normal_unbiased'})",
    "cn.quantile(x, 0.5, nil, {method = 'higher'})", "cn.quantile(x, 0.5, nil, {method = 'midpoint'})",
    "cn.quantile(x, 0.5, nil, {method = 'nearest'})"},
  {of = ONCE, "cn.quantile(big, 0.5, 2, {method = 'inverted_cdf'})", "cn.quantile(big, 0.5, 2, {method = 'hazen'})",
    "cn.quantile(big, 0.5, 2, {method = 'averaged_inverted_cdf'})", "cn.quantile(big, 0.5, 2, {method = 'weibull'})",
    "cn.quantile(big, 0.5, 2, {method = 'closest_observation'})", "cn.quantile(big, 0.5, 2, {method = 'lower'})",
    "cn.quantile(big, 0.5, 2, {method = 'interpolated_inverted_cdf'})",
    "cn.quantile(big, 0.5, 2, {method = 'median_unbiased'})",
    "cn.quantile(big, 0.5, 2, {method = 'normal_unbiased'})", "cn.quantile(big, 0.5, 2, {method = 'higher'})",
    "cn.quantile(big, 0.5, 2, {method = 'midpoint'})", "cn.quantile(big, 0.5, 2, {method = 'nearest'})"},

  -- reductions
  {of = ALL, "cn.var(x)", "cn.std(x, 1)", "cn.nanvar(x)", "cn.nanstd(x)", "cn.nansum(x)", "cn.nanmean(x)",
    "cn.nanmax(x)", "cn.any(x)", "cn.all(x)", "cn.ptp(x)", "cn.maximum_reduce(x, 1, nil, nil, nil, 0, m)",
    "cn.nanargmax(x)", "cn.cumsum(x)", "cn.nancumsum(x)"},

  -- linalg
  {of = FACTORED, "cn.linalg.solve(x, x)", "cn.linalg.solve(x, v2)", "cn.linalg.inv(x)", "cn.linalg.det(x)",
    "cn.linalg.slogdet(x)", "cn.linalg.cholesky(x)", "cn.linalg.qr(x)", "cn.linalg.svd(x)", "cn.linalg.svdvals(x)",
    "cn.linalg.eigh(x)", "cn.linalg.eigvalsh(x)", "cn.linalg.eig(x)", "cn.linalg.eigvals(x)",
    "cn.linalg.eigvals(x, false)", "cn.linalg.lstsq(x, v2)",
    "cn.linalg.pinv(x)", "cn.linalg.matrix_rank(x)", "cn.linalg.cond(x)", "cn.linalg.expm(x)", "cn.linalg.lu(x)",
    "cn.linalg.lu_factor(x)", "cn.linalg.lu_solve({x, p2}, v2)", "cn.linalg.cho_factor(x)",
    "cn.linalg.cho_solve({x}, v2)", "cn.linalg.solve_triangular(x, v2)", "cn.linalg.matrix_power(x, -1)",
    "cn.linalg.tensorsolve(x, v2)", "cn.polyfit(v, v, 1)", "cn.polyfit(v, v, 1, {w = v})", "cn.roots(v)"},
  {of = ALL, "cn.matmul(x, x)", "cn.dot(v, v)", "cn.vdot(v, v)", "cn.inner(x, x)", "cn.outer(v, v)",
    "cn.tensordot(x, x)", "cn.einsum('ij,jk', x, x)", "cn.einsum('ij,ij->i', x, x)", "cn.einsum('ii', x)",
    "cn.einsum('i,j', v, v)", "cn.einsum('ij,j', x, v2)", "cn.linalg.norm(x)", "cn.linalg.norm(v)",
    "cn.linalg.norm(v, 1)", "cn.linalg.norm(v, 0)", "cn.linalg.norm(v, 3)", "cn.linalg.norm(v, math.huge)",
    "cn.linalg.norm(x, 'nuc')", "cn.linalg.norm(x, 1)", "cn.matvec(x, v2)", "cn.vecdot(v, v)"},

  -- fft
  {of = FACTORED, "cn.fft.fft(v)", "cn.fft.ifft(v)", "cn.fft.hfft(v)", "cn.fft.ihfft(v)", "cn.fft.fft(v, 8)",
    "cn.fft.fft(v, nil, nil, 'ortho')", "cn.fft.irfft(v)", "cn.fft.rfft(v)", "cn.fft.fft2(x)", "cn.fft.irfft2(x)",
    "cn.fft.fftshift(v)", "cn.fft.hfft(v, nil, nil, 'ortho')"},

  -- random: samplers are the longest texts, a tenth of a second each
  draws_of({"float16", "bfloat16", "float32", "float64"}, "g:random(4, d)", "g:uniform(1, 2, 4, d)"),
  {of = {"float16", "bfloat16", "float32", "float64"}, "g:uniform(v, v, nil, d)", "rs:rand(4, {dtype = d})"},
  draws_of(FLOATS, "g:standard_normal(4, d)", "g:normal(1, 2, 4, d)", "g:standard_exponential(4, d)",
    "g:exponential(2, 4, d)", "g:standard_gamma(2, 4, d)", "g:gamma(2, 2, 4, d)", "g:beta(2, 2, 4, d)",
    "g:chisquare(2, 4, d)", "g:noncentral_chisquare(2, 1, 4, d)", "g:f(2, 3, 4, d)", "g:noncentral_f(2, 3, 1, 4, d)",
    "g:standard_t(3, 4, d)", "g:lognormal(0, 1, 4, d)", "g:laplace(0, 1, 4, d)", "g:logistic(0, 1, 4, d)",
    "g:gumbel(0, 1, 4, d)", "g:standard_cauchy(4, d)", "g:rayleigh(1, 4, d)", "g:weibull(2, 4, d)",
    "g:pareto(2, 4, d)", "g:power(2, 4, d)", "g:triangular(0, 1, 2, 4, d)", "g:wald(1, 2, 4, d)",
    "g:vonmises(0, 1, 4, d)"),
  {of = FLOATS, "g:normal(v, v, nil, d)", "g:exponential(v, nil, d)", "rs:randn(4, {dtype = d})",
    "g:multivariate_normal(v2, x, 4)", "g:standard_gamma(v, nil, d)", "g:gamma(v, v, nil, d)", "g:beta(v, v, nil, d)",
    "g:chisquare(v, nil, d)", "g:noncentral_chisquare(v, v, nil, d)", "g:f(v, v, nil, d)",
    "g:noncentral_f(v, v, v, nil, d)", "g:standard_t(v, nil, d)", "g:lognormal(v, v, nil, d)",
    "g:laplace(v, v, nil, d)", "g:logistic(v, v, nil, d)", "g:gumbel(v, v, nil, d)", "g:rayleigh(v, nil, d)",
    "g:weibull(v, nil, d)", "g:pareto(v, nil, d)", "g:power(v, nil, d)", "g:triangular(v, v, v, nil, d)",
    "g:wald(v, v, nil, d)", "g:vonmises(v, v, nil, d)", "g:dirichlet({1, 2}, 4, d)"},
  draws_of({"int64"}, "g:poisson(2, 4, d)", "g:binomial(5, 0.5, 4, d)", "g:geometric(0.5, 4, d)",
    "g:hypergeometric(3, 4, 2, 4, d)", "g:negative_binomial(2, 0.5, 4, d)", "g:zipf(2, 4, d)",
    "g:logseries(0.5, 4, d)"),
  {of = ONCE, "g:poisson(v)", "g:binomial(p, v)", "g:geometric(v)", "g:hypergeometric(p, p, p)",
    "g:negative_binomial(v, v)", "g:zipf(v)", "g:logseries(v)", "g:permutation(4)", "g:permuted(x, 1)",
    "g:choice(4, 2)", "g:choice(4, 2, false)", "g:choice(20000, 2, false)", "g:choice(4, 2, true, f)",
    "g:choice(4, 2, false, f)", "g:bytes(4)",
    "g:multinomial(3, {0.5, 0.5}, 4)", "g:multinomial(p, v)", "g:multivariate_hypergeometric({3, 4, 5}, 6, 4)"},
  {of = {"float16", "bfloat16", "float32", "float64"},
    "cn.distributed.default_rng(1):random({2, 3}, {dtype = d, layout = {axis = 2}})",
    "cn.distributed.default_rng(1):standard_normal({2, 3}, {dtype = d, layout = {axis = 2}})",
    "cn.distributed.default_rng(1):standard_exponential({2, 3}, {dtype = d, layout = {axis = 2}})",
    "cn.distributed.default_rng(1):standard_cauchy({2, 3}, {dtype = d, layout = {axis = 2}})"},
  {of = WHOLE, "cn.distributed.default_rng(1):integers(0, 2, {2, 3}, {dtype = d, layout = {axis = 2}})"},
  {of = {"int64", "uint64"},
    "cn.distributed.default_rng(1):integers(0, 2 ^ 40, {2, 3}, {dtype = d, layout = {axis = 2}})"},
  {of = WHOLE, "g:integers(0, 2, 4, d)", "g:integers(0, 2, 4, d, false, column)", "rs:randint(0, 2, 4, d)"},
  {of = {"int64"}, "g:integers(v, v)", "g:integers(0, v)", "g:integers(f, f)", "g:integers(0, f)", "g:integers(f, 9)",
    "g:integers(0, 2 ^ 40, 4)", "g:integers(0, 2 ^ 40, 4, d, false, column)"},
}
