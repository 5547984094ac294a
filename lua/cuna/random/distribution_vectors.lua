--- distribution_vectors.lua: distributions of vectors, which lie along the last axis.
--
-- What is added up along that axis is added by halves, one element to one, so that sums have the same bits on every
-- device.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local demand = require "cuna.random.demand"
local draw = require "cuna.random.draw"
local generator = require "cuna.random.generator"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local methods, fail = generator.methods, check.fail

-- ---- shares ----

local LOG_GAMMA = {name = "dirichlet", sampler = "random::LogGamma<D>(alpha)", words = {float32 = 2, float64 = 4},
  parameters = {{name = "alpha", demand = demand.not_negative}}}

local function draw_share(spelled, dtype)
  spelled:input(dtype)
  spelled:input(dtype)
  spelled:step("share", "random::share_of(a, b)", dtype, {1, 2})
  spelled.output = dtype
end

--- The sums along the last axis, which keeps length 1.
local function halved(x)
  local axis = x.ndim
  local length = x.shape[axis]
  local half = math.ceil(length / 2)
  local sums = slices.part(x, axis, 1, half):copy()
  while length > 1 do
    slices.part(sums, axis, 1, length - half):add_(slices.part(length == x.shape[axis] and x or sums, axis, half + 1,
      length - half))
    length, half = half, math.ceil(half / 2)
  end
  return slices.part(sums, axis, 1, 1)
end

--- What the shape of draws and a vector's length make.
local function with_axis(size, length, name)
  local shape = size ~= nil and check.lengths(size, name, "size") or {}
  shape[#shape + 1] = length
  return shape
end

local read_dirichlet = args.reader("dirichlet", {"generator", "alpha", "size", "dtype", "out"}, 2)

--- Vectors of the Dirichlet distribution, whose elements add up to 1: gamma numbers divided by their sum. The
--- logarithms are drawn, so that elements with small alpha are not 0. Follows numpy.random.Generator.dirichlet.
---@param alpha number[]|cuna.Array a vector, not negative
---@param size cuna.Shape|nil of the draws, default: one vector
---@param dtype string|nil a float dtype, default: the default float
---@param out cuna.Array|nil
---@return cuna.Array whose last axis is alpha's
---@usage cn.random.default_rng(1):dirichlet({1, 2, 3}) --> [0.16950393 0.51400684 0.31648923]
function methods.dirichlet(...)
  local own, alpha, size, dtype, out = read_dirichlet(...)
  draw.check_generator(own, "dirichlet")
  local length = type(alpha) == "table" and #alpha or core.is_array(alpha) and alpha.ndim == 1 and alpha.size
  if not length or length == 0 then fail("dirichlet: alpha is a vector, got %s", check.show(alpha)) end
  dtype = draw.result_dtype(LOG_GAMMA, dtype, out)
  local computed = dtype == "float64" and dtype or "float32"
  local shape = size == nil and out ~= nil and out.shape or with_axis(size, length, "dirichlet")
  local logs = draw.draw(LOG_GAMMA, own, {alpha}, shape, computed)
  if logs.size > 0 then
    local most = logs:max {axis = -1, keepdims = true}
    logs = core.map(program.get("share " .. computed, draw_share, computed), "dirichlet", nil, logs, logs, most)
    logs:div_(halved(logs))
  end
  if out == nil then return dtype == computed and logs or logs:astype(dtype) end
  check.output(out, dtype, logs.shape, nil, "dirichlet")
  out[core.ellipsis] = logs
  return out
end

-- ---- counts ----

local PART = {name = "multinomial", expr = "random::part_of(source, left, p, rest)", dtypes = {int64 = true},
  parameters = {{name = "left", dtype = "int64"}, {name = "p", dtype = "float64"}, {name = "rest", dtype = "float64"}}}

local AT_MOST_ONE = demand.at_most(1 + 1e-12, "must be at most 1")

--- Demands of probabilities along the last axis, and of the sum of all but the last, what numbers must be.
local function check_array(pvals)
  demand.check(pvals, demand.probability, "multinomial", "pvals")
  local length = pvals.shape[pvals.ndim]
  if length == 1 or pvals.size == 0 then return end
  local sums = slices.part(pvals, pvals.ndim, 1, length - 1):sum {axis = -1, dtype = "float64"}
  demand.check(sums, AT_MOST_ONE, "multinomial", "the sum of pvals but the last")
end

--- Probabilities as a list of numbers, or of arrays along the last axis, and the shape of the latter.
local function parts_of(pvals)
  if not core.is_array(pvals) then
    if type(pvals) ~= "table" or #pvals == 0 then
      fail("multinomial: pvals is a vector of probabilities, got %s", check.show(pvals))
    elseif type(pvals[1]) ~= "table" then
      return pvals, {}
    end
    pvals = check.array(pvals, "multinomial")
  end
  if pvals.ndim == 0 or pvals.shape[pvals.ndim] == 0 then
    fail("multinomial: pvals is a vector of probabilities, got shape %s", tostring(pvals.shape))
  end
  check_array(pvals)
  local parts, shape = {}, pvals.shape
  for k = 1, shape[#shape] do parts[k] = slices.at(pvals, #shape, k) end
  shape[#shape] = nil
  return parts, shape
end

--- Rejects numbers that are not probabilities.
local function check_parts(parts)
  local sum = 0
  for k, p in ipairs(parts) do
    if core.is_array(p) then return end
    p = tonumber(check.number(p, "multinomial", "pvals"))
    if not (p >= 0 and p <= 1) then fail("multinomial: pvals[%d] must be from 0 to 1, got %.14g", k, p) end
    parts[k], sum = p, sum + (k < #parts and p or 0)
  end
  if sum > 1 + 1e-12 then fail("multinomial: pvals but the last add up to %.14g, above 1", sum) end
end

local function dtypes_of(values)
  local kinds = {}
  for k = 1, 3 do kinds[k] = core.is_array(values[k]) and values[k].dtype or nil end
  return kinds
end

--- What is left for later parts: of the trials, and of 1.
local function draw_parts(own, left, parts, counts, axis)
  local rest = 1
  for k = 1, #parts - 1 do
    local column, values = slices.at(counts, axis, k), {left, parts[k], rest}
    draw.run(PART, own, values, dtypes_of(values), column.shape, "int64", column, counts.device)
    left = core.is_array(left) and left - column or column:mul(-1):add_(left)
    rest = core.is_array(parts[k]) and parts[k]:mul(-1):add(rest) or rest - parts[k]
  end
  slices.at(counts, axis, #parts)[core.ellipsis] = left
end

local read_multinomial = args.reader("multinomial", {"generator", "n", "pvals", "size", "out"}, 3)

--- The counts of several outcomes in n trials: vectors of the multinomial distribution, which add up to n, drawn as
--- binomial numbers of the remaining trials. The last of pvals is 1 minus the others. Follows
--- numpy.random.Generator.multinomial.
---@param n integer|cuna.Array trials, not negative
---@param pvals number[]|cuna.Array probabilities, along the last axis
---@param size cuna.Shape|nil of the draws, default: what n and pvals without its last axis broadcast to
---@param out cuna.Array|nil int64
---@return cuna.Array int64, with pvals' last axis
---@usage cn.random.default_rng(1):multinomial(20, {0.2, 0.3, 0.5}, 2) --> [[ 5  2 13] [ 2  3 15]]
function methods.multinomial(...)
  local own, n, pvals, size, out = read_multinomial(...)
  draw.check_generator(own, "multinomial")
  local parts, batch = parts_of(pvals)
  check_parts(parts)
  if type(n) == "table" then n = check.beside(n, "multinomial", pvals, out) end
  if core.is_array(n) then
    demand.check(n, demand.whole, "multinomial", "n")
    demand.check(n, demand.not_negative, "multinomial", "n")
    local wide = check.broadcast(n.shape, batch)
    if not wide then
      fail("multinomial: shapes %s and (%s) of n and pvals do not broadcast", tostring(n.shape),
        table.concat(batch, ", "))
    end
    batch = wide
  else
    n = check.count(n, "multinomial", "n")
  end
  local device = core.device_of(n, pvals, out) or core.current_device()
  local shape = with_axis(size or batch, #parts, "multinomial")
  local counts = core.empty(shape, "int64", device, "multinomial")
  draw_parts(own, n, parts, counts, #shape)
  if out == nil then return counts end
  draw.result_dtype(PART, nil, out)
  check.output(out, "int64", counts.shape, nil, "multinomial")
  out[core.ellipsis] = counts
  return out
end

-- ---- samples of several colors ----

--- Counts of colors as a list of Lua numbers, and their sum.
local function colors_of(colors, name)
  if core.is_array(colors) then
    core.check_waiting(name)
    colors = colors.ndim == 1 and colors:totable() or colors
  end
  if type(colors) ~= "table" or #colors == 0 then
    fail("%s: colors is a vector of counts, got %s", name, core.is_array(colors)
      and "shape " .. tostring(colors.shape) or check.show(colors))
  end
  local list, sum = {}, 0
  for k, count in ipairs(colors) do
    list[k] = check.count(tonumber(count) or count, name, ("colors[%d]"):format(k))
    sum = sum + list[k]
  end
  if sum > 2 ^ 53 then fail("%s: colors add up to %.17g, above 2^53", name, sum) end
  return list, sum
end

--- The size of samples: a number, or an array of whole numbers; none is above `most`.
local function sample_of(nsample, most, device, name)
  if type(nsample) == "table" then nsample = check.array(nsample, name, device) end
  if not core.is_array(nsample) then
    nsample = check.count(nsample, name, "nsample")
    if nsample > most then fail("%s: nsample is %.17g, of %.17g in all", name, nsample, most) end
    return nsample
  end
  demand.check(nsample, demand.whole, name, "nsample")
  demand.check(nsample, demand.not_negative, name, "nsample")
  local at_most = demand.at_most(most, ("must be at most %.17g, the sum of colors"):format(most))
  demand.check(nsample, at_most, name, "nsample")
  return nsample
end

local read_hypergeometric = args.reader("multivariate_hypergeometric", {"generator", "colors", "nsample", "size",
  "method", "out"}, 3)

--- The counts of several colors in a sample that is drawn without replacement: vectors that add up to nsample, drawn as
--- hypergeometric numbers of the remaining colors. NumPy's two methods have the same distribution, and are the same
--- here: no draw needs memory for every element. Follows numpy.random.Generator.multivariate_hypergeometric.
---@param colors integer[]|cuna.Array how many there are of each color, a vector, which is fetched
---@param nsample integer|cuna.Array the size of the sample, at most the sum of colors
---@param size cuna.Shape|nil of the draws, default: nsample's shape
---@param method "marginals"|"count"|nil
---@param out cuna.Array|nil int64
---@return cuna.Array int64, whose last axis is that of colors
---@usage cn.random.default_rng(1):multivariate_hypergeometric({16, 8, 4}, 6, 2) --> [[5 0 1] [4 0 2]]
function methods.multivariate_hypergeometric(...)
  local name = "multivariate_hypergeometric"
  local own, colors, nsample, size, method, out = read_hypergeometric(...)
  draw.check_generator(own, name)
  if method ~= nil and method ~= "marginals" and method ~= "count" then
    fail('%s: method is "marginals" or "count", got %s', name, check.show(method))
  end
  local list, rest = colors_of(colors, name)
  local device = core.device_of(nsample, colors, out) or core.current_device()
  local left = sample_of(nsample, rest, device, name)
  local shape = with_axis(size or core.is_array(left) and left.shape or nil, #list, name)
  local counts = core.empty(shape, "int64", device, name)
  for k = 1, #list - 1 do
    local column = slices.at(counts, #shape, k)
    rest = rest - list[k]
    local values = {list[k], rest, left}
    draw.run(draw.rows.hypergeometric, own, values, dtypes_of(values), column.shape, "int64", column, device)
    left = core.is_array(left) and left - column or column:mul(-1):add_(left)
  end
  slices.at(counts, #shape, #list)[core.ellipsis] = left
  if out == nil then return counts end
  check.output(out, "int64", counts.shape, nil, name)
  out[core.ellipsis] = counts
  return out
end

return {}
