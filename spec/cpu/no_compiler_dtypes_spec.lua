--- Without a C++ compiler functions take every dtype and mix of dtypes, and give the bits that their kernels give.
local process = require "spec.support.process"

-- Each line is a call; v and w are vectors of two dtypes, s and m matrices of the first one; d and e name the dtypes.
local CALLS = [=[
  -- of two dtypes: the sorted array and the values, edges and elements, the mask and the elements, parameters
  cn.searchsorted(w, v)
  cn.searchsorted(w, v, "right")
  cn.searchsorted(long(e), long(d, 700))
  cn.searchsorted(long(e), v, "right")
  cn.isin(v, w)
  cn.isin(long(d, 700), long(e), nil, true)
  cn.setdiff1d(v, w)
  cn.intersect1d(v, w)
  cn.setxor1d(v, w)
  cn.digitize(v, w)
  cn.digitize(v, w["::-1"], true)
  cn.histogram(v, w)
  cn.histogram(v, 3, nil, w)
  cn.histogram2d(v, v, {w, w})
  cn.histogramdd({v, v}, 3)
  cn.interp(v, w, w)
  cn.compress(v, w)
  cn.extract(v, w)
  cn.choose(one, {v, w, v})
  v:copy():putmask(w, v)
  v:copy():place(w, v)
  cn.nansum(v, 1, e)
  cn.nanmean(v, 1, e)
  cn.cumsum(v, 1, e)
  cn.nancumprod(v, 1, e)
  seeded():integers(0, w, nil, d)
  seeded():integers(v, w, {endpoint = true})
  seeded():integers(v, 9, nil, "int16")
  cube[{v, w}]
  cube[{w, v, one}]
  cube[{one:astype "uint64", v, w}]
  -- of one
  cn.cummax(v)
  cn.cummin(v)
  cn.polyval(v, v)
  cn.convolve(v, v)
  cn.gradient(v)
  cn.simpson(v)
  cn.cov(m)
  cn.unwrap(v, {period = 4})
  cn.isclose(v, v, {equal_nan = true})
  cn.nan_to_num(v, {nan = 1, posinf = 2, neginf = 3})
  cn.nanmedian(m, 1)
  cn.quantile(m, 0.5, 1)
  cn.median(long(d, 5000))
  cn.nanmedian(long(d, 9000):reshape(3, 3000), 2)
  cn.quantile(long(d, 9000):reshape(3, 3000), {0.25, 0.5}, 2)
  cn.partition(long(d, 9000):reshape(3, 3000), 7)
  cn.argpartition(long(d, 5000), 7)
  cn.add_reduceat(long(d, 5000), {1, 4500, 17})
  cn.maximum_reduceat(long(d, 5000), {1, 4500, 17})
  cn.linspace(0, 7, 3, {dtype = d})
  cn.fft.fftfreq(5, {dtype = d})
]=]

-- Parameters are arrays of any dtype, or numbers; results are floats of every size.
local DRAWS = [=[
  random(5, d)
  random(5, d, column(d))
  uniform(p, 4, nil, d)
  standard_normal(5, d)
  standard_normal(5, d, column(d))
  normal(p, p, nil, d)
  exponential(p, nil, d)
  standard_gamma(2, 5, d)
  gamma(p, 1.5, nil, d)
  beta(2, 3, 5, d)
  beta(p, p, nil, d)
  chisquare(p, nil, d)
  noncentral_chisquare(p, 2, nil, d)
  f(p, p, nil, d)
  noncentral_f(p, p, 1, nil, d)
  standard_t(p, nil, d)
  lognormal(0, 1, 5, d)
  laplace(p, 1, nil, d)
  logistic(0, p, nil, d)
  gumbel(0, 1, 5, d)
  standard_cauchy(5, d)
  rayleigh(p, nil, d)
  weibull(p, nil, d)
  pareto(2, 5, d)
  power(p, nil, d)
  triangular(0, p, 9, nil, d)
  wald(1, 2, 5, d)
  vonmises(p, 1, nil, d)
  dirichlet(p, 2, d)
]=]

local COUNTS = [=[
  poisson(p)
  binomial(p, 0.5)
  geometric(p / 4)
  hypergeometric(p, 4, 2)
  negative_binomial(p, 0.5)
  zipf(p + 1)
  logseries(p / 4)
]=]

-- Combines in order, from the first element on or an initial value, with a mask, along rows and down columns.
local COMBINED = [=[
  cn[name .. "_accumulate"](m, 1)
  cn[name .. "_accumulate"](m, 2)
  cn[name .. "_reduce"](m, 1)
  cn[name .. "_reduce"](m, 2, {initial = 1, where = mask})
]=]

-- An element that positions have twice.
local UPDATED = [=[
  v[name .. "_at"](v, one["::-2"], w["1:2"])
  v[name .. "_at"](v, cn.array {2, 3, 2}, 1)
]=]

-- Images, special functions and sparse matrices of one dtype.
local IMAGES = [=[
  images.correlate1d(v, {1, 2, 4})
  images.correlate1d(m, {1, 2, 1}, {axis = 1})
  images.convolve1d(v, {-1, 0, 1})
  images.correlate1d(v, {1, cn.complex(0, 1), 4})
  images.correlate(m, gaps)
  images.convolve(m, gaps, {mode = "constant", output = "float32"})
  images.uniform_filter(m, 3)
  images.uniform_filter1d(long(d), 70)
  images.gaussian_filter(m, 1)
  images.minimum_filter(m, 2)
  images.maximum_filter(m, {footprint = gaps})
  images.maximum_filter1d(long(d), 40)
  images.grey_erosion(m, {structure = {{1, 2}, {3, 4}}})
  images.grey_dilation(m, {structure = gaps})
  images.median_filter(m, 3)
  images.rank_filter(m, 5, {size = {3, 3}})
  images.percentile_filter(m, 30, 9)
  images.shift(m, 0.5, {order = 1})
  images.shift(m, {1.25, -0.5}, {mode = "nearest"})
  images.zoom(m, 2, {order = 5, mode = "mirror"})
  images.rotate(m, 30, {order = 4, mode = "reflect"})
  images.affine_transform(m, {{0.5, 0.25}, {0, 1}}, {order = 2, mode = "grid-constant", cval = 2})
  images.map_coordinates(m, {{1, 1.5, 7}, {2, 1.5, 0}}, {order = 0, mode = "wrap"})
  images.map_coordinates(m, {{1, 1.5, 7}, {2, 1.5, 0}}, {mode = "grid-wrap"})
  images.spline_filter(m, {mode = "reflect"})
  images.binary_erosion(m)
  images.binary_dilation(m, gaps)
  images.binary_fill_holes(m)
  images.label(m)
  images.label(m, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}})
  images.distance_transform_edt(m)
  images.distance_transform_cdt(m, "taxicab")
  images.distance_transform_bf(m, "chessboard")
  images.center_of_mass(m)
  images.sum_labels(m, labels, {1, 2})
  images.median(m, labels, {1, 2})
  images.histogram(m, 0, 9, 3, labels, {1, 2})
  images.fourier_gaussian(m, 1)
]=]

local MATRICES = [=[
  sparse(m):multiply(2):toarray()
  (sparse(m) * v):copy()
  (sparse(m) * m.T):copy()
  (sparse(m) * sparse(m.T)):toarray()
  (sparse(m, "int64") * v):copy()
  (sparse(m, "int64") * sparse(m.T, "int64")):toarray()
  (sparse(m) + sparse(m)):toarray()
  sparse(m):sum(1)
  sparse(m).T:tocsr():toarray()
  (sparse(m) - sparse(m, "int64")):toarray()
  sparse(m):maximum(sparse(m):tocsc()):toarray()
  sparse(m):ne(sparse(m) * 2):toarray()
  sparse(m):lt(sparse(m) * 2):toarray()
  (sparse(m):tocsc() * v):copy()
  (sparse(m, "int64"):tocsc() * v):copy()
  sparse(m):sum(2)
  sparse(m):diagonal(1)
  sparse(m)[{cn.array {2, 1, 2}, {}}]:toarray()
  sparse(m)[{{}, {2, 3}}]:toarray()
  sparse(m, "int64")[{{}, cn.array {3, 1}}]:toarray()
  cn.sparse.coo_matrix({v, {{2, 1, 2}, {3, 1, 3}}}):tocsr():toarray()
  cn.sparse.csr_matrix({v, cn.array {3, 1, 3}, cn.array {1, 4}}):sorted_indices().data
]=]

local FUNCTIONS = [=[
  cn.special[row.name](unpack(arguments))
  cn.special[row.name](unpack(arguments))["::2"] * 1
]=]

local HEAD = [=[
  local cn = require "cuna"
  cn.device "cpu":use()
  local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128"}
  local function seeded() return cn.random.default_rng(5) end
  local function column(d) return cn.zeros({5, 2}, d)[{{}, 1}] end
  local function long(d, n) return (cn.arange(n or 100) % 100):astype(d == "bool" and "float64" or d) end
  local images = cn.ndimage
  local gaps, labels = {}, cn.array {{1, 1, 2}, {2, 0, 1}}
  for i = 1, 6 do
    gaps[i] = {}
    for j = 1, 7 do gaps[i][j] = (i + j) % 5 > 0 and 1 or 0 end
  end
  local function sparse(x, index)
    local made = cn.sparse.csr_matrix(x)
    if not index then return made end
    local indices, indptr = made.indices:astype(index), made.indptr:astype(index)
    return cn.sparse.csr_matrix({made.data, indices, indptr}, {shape = made.shape})
  end
  local one, cube = cn.array {1, 2, 3}, cn.arange(27):reshape(3, 3, 3)
  local mask = cn.array {{true, false, true}, {true, true, false}}
  local function operands(d, e)
    local w = cn.array({1, 2, 3}, e) -- without kernels
    return cn.array({3, 1, 2}, d), w, cn.array({{5, 2, 4}, {7, 1, 3}}, d), w:copy()
  end
  local function show(result)
    local words = {}
    for k = 1, #result do
      local x = result[k]
      words[k] = cn.is_array(x) and x.dtype .. " " .. x:tobytes():gsub(".", function(c)
        return ("%02x"):format(c:byte())
      end) or type(x)
    end
    return table.concat(words, ", ")
  end
  local cases = {}
  local function add(name, call) cases[#cases + 1] = {name = name, call = call} end
  local chosen = tonumber(os.getenv "CHOSEN") -- every so many cases
]=]

local TAIL = [=[
  local list = {}
  for k = 1, #cases, chosen do list[#list + 1] = cases[k] end
  if os.getenv "CUNA_COMPILE" == "wait" then
    cn.prepare(function() for _, case in ipairs(list) do pcall(case.call) end end)
  end
  for _, case in ipairs(list) do
    local result = {pcall(case.call)}
    print(case.name, table.remove(result, 1) and show(result) or tostring(result[1]):gsub("^[^:]*:%d+: ", ""))
  end
]=]

--- Lua text that adds a case for every line and the dtypes that `loops` go through.
local function cases_of(calls, loops, ends, prefix)
  local text = {}
  for line in calls:gmatch "[^\n]+" do
    line = line:match "^%s*(.-)%s*$"
    if not line:find "^%-%-" and line ~= "" then
      text[#text + 1] = ("%s add(%q .. what, function() return %s end) %s"):format(loops, line, prefix .. line, ends)
    end
  end
  return table.concat(text, "\n")
end

local PAIRS = cases_of(CALLS, [[for _, d in ipairs(DTYPES) do for _, e in ipairs(DTYPES) do
  local v, w, m = operands(d, e)
  local what = " of " .. d .. " and " .. e]], "end end", "")
local FLOATS = cases_of(DRAWS, [[for _, d in ipairs {"float16", "bfloat16", "float32", "float64"} do
  for _, e in ipairs(DTYPES) do
    local _, _, _, p = operands(d, e)
    local what = " of " .. d .. " by " .. e]], "end end", "seeded():")
local WHOLE = cases_of(COUNTS, [[for _, e in ipairs(DTYPES) do
  local _, _, _, p = operands("bool", e)
  local what = " by " .. e]], "end", "seeded():")
local ORDERED = cases_of(COMBINED, [[for _, row in ipairs(require "cuna.ops") do
  local name = row.name
  for _, d in ipairs(row.nargs == 2 and row.method ~= false and DTYPES or {}) do
    local _, _, m = operands(d, d)
    local what = " of " .. name .. " of " .. d]], "end end", "")
local POSITIONS = cases_of(UPDATED, [[for _, row in ipairs(require "cuna.elementwise".rows()) do
  local name = row.name
  for _, d in ipairs(row.nargs == 2 and row.inplace and DTYPES or {}) do
    for _, e in ipairs(DTYPES) do
      local what = " of " .. name .. " of " .. d .. " by " .. e]], "end end end", ""):gsub("function%(%) return ",
      "function() local v, w = operands(d, e) return ")

local function of_one(calls)
  return cases_of(calls, [[for _, d in ipairs(DTYPES) do
    local v, _, m = operands(d, d)
    local what = " of " .. d]], "end", "")
end
local SPECIAL = cases_of(FUNCTIONS, [[for _, row in ipairs(require "cuna.special.ops") do
  for _, d in ipairs(DTYPES) do
    local v = operands(d, d)
    local arguments = {}
    for k = 1, row.nargs do arguments[k] = v end
    local what = " of " .. row.name .. " of " .. d]], "end end", "")

describe("without a compiler", function()
  local folder
  setup(function() folder = process.folder() end)
  teardown(function() process.remove(folder) end)

  --- What every so many cases give on loops, or as kernels.
  local function results(text, chosen, mode)
    return process.must_run(HEAD .. text .. TAIL, {CUNA_COMPILE = mode, CUNA_CACHE_DIR = folder .. "/" .. mode,
      CUNA_PACK_DIR = "off", CHOSEN = tostring(chosen)})
  end

  for what, case in pairs {
    ["functions of two dtypes"] = {text = PAIRS, chosen = 229}, ["draws of floats"] = {text = FLOATS, chosen = 59},
    ["draws of whole numbers"] = {text = WHOLE, chosen = 16},
    ["operations that combine in order"] = {text = ORDERED, chosen = 71},
    ["images"] = {text = of_one(IMAGES), chosen = 29}, ["sparse matrices"] = {text = of_one(MATRICES), chosen = 17},
    ["special functions"] = {text = SPECIAL, chosen = 149},
    ["updates at positions"] = {text = POSITIONS, chosen = 601},
  } do
    it(what .. " need no kernel", function()
      local text = results(case.text, 1, "never")
      assert.is_true(#text > 3000)
      for line in text:gmatch "[^\n]+" do assert.is_nil(line:find("no kernel is there", 1, true), line) end
    end)

    it(what .. " give the bits that kernels give", function()
      assert.equal(results(case.text, case.chosen, "wait"), results(case.text, case.chosen, "never"))
    end)
  end
end)
