--- distribution.lua: what distributions of probability have in common: arguments, support, location and scale.
--
-- A distribution is a row of functions of a standardised variable z = (x - loc) / scale and of its shapes, made of
-- cuna's operations and cn.special's functions, so that densities and probabilities are recorded and fused. A function
-- of a distribution takes x, its shapes, loc and scale (cn.stats.gamma.pdf(x, a, loc, scale)); a distribution that is
-- called with its parameters is an object whose methods take x alone (cn.stats.gamma(a):pdf(x)).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local suggest = require "cuna.base.suggest"
local with = require "cuna.base.with"

local M = {}

local fail = check.fail

--- A distribution with its parameters. Functions of points take arrays, tables or numbers, and broadcast.
---@class cuna.Distribution
local methods = {}
M.methods = methods

local frozen_meta, self_of = class.make("distribution", "a distribution", "d", methods)

function frozen_meta.__tostring(frozen) return "Distribution(" .. frozen.row.name .. ")" end

-- ---- parameters ----

--- An operand in floats: a Lua number stays one, which is weak.
local function operand(x, name, what)
  if type(x) == "number" then return x end
  if x == nil then fail("%s: %s is missing", name, what) end
  x = check.array(x, name)
  local kind = dtype_facts.kind_of[x.dtype]
  if kind == "c" then fail("%s: %s is real, got an array of %s", name, what, x.dtype) end
  return kind == "f" and x or x:astype(core.default_dtype())
end

--- The operands of a call: x (unless it takes none), the shapes, loc and scale, of which one is an array.
local function read_operands(row, name, values, takes_x)
  local list, first = {}, takes_x and 2 or 1
  for i = 1, #row.shapes + 2 + first - 1 do
    local what = takes_x and i == 1 and row.variable or row.parameters[i - first + 1]
    local value = values[i]
    if value == nil and what == "loc" then value = 0 elseif value == nil and what == "scale" then value = 1 end
    list[i] = operand(value, name, what)
  end
  return list, first
end

--- Whether operands are numbers or arrays above 0: a Lua boolean or an array.
local function positive(...)
  local valid = true
  for _, x in ipairs {...} do
    local own = type(x) == "number" and x > 0 or type(x) ~= "number" and args.namespace.greater(x, 0)
    valid = M.both(valid, own)
  end
  return valid
end
M.positive = positive

--- Both of two conditions, which are Lua booleans or arrays.
function M.both(a, b)
  if type(a) == "boolean" then return a and b end
  if type(b) == "boolean" then return b and a end
  return args.namespace.logical_and(a, b)
end

--- What a function gives of shapes, for results like z: of Lua numbers, which are weak, it has z's dtype.
function M.constant(z, fn, ...)
  local value = fn(...)
  for _, x in ipairs {...} do
    if type(x) ~= "number" then return value end
  end
  return value:astype(z.dtype)
end

--- cn.special, which is loaded when it is first named.
function M.special() return args.namespace.special end

function M.log_of(x) return type(x) == "number" and math.log(x) or args.namespace.log(x) end

--- What a call computes with: the shapes, loc and scale, and where these are valid: a Lua boolean or an array.
local function open(row, name, values, takes_x)
  local list, first = read_operands(row, name, values, takes_x), takes_x and 2 or 1
  local shapes, count = {unpack(list, first, first + #row.shapes - 1)}, #row.shapes
  local loc, scale = list[first + count], list[first + count + 1]
  local valid = M.both(positive(scale), (row.valid or positive)(unpack(shapes)))
  return {x = takes_x and list[1] or nil, shapes = shapes, loc = loc, scale = scale, valid = valid, row = row,
    name = name}
end

--- z of a call, at least a 0-d array.
local function standard(call)
  local cn, x = args.namespace, call.x
  if call.loc ~= 0 then x = cn.subtract(x, call.loc) end
  if call.scale ~= 1 then x = cn.divide(x, call.scale) end
  return type(x) == "number" and cn.scalar(x, core.default_dtype()) or x
end

--- The ends of the support of the standardised variable: numbers or arrays.
local function support(call)
  if type(call.row.support) == "table" then return call.row.support[1], call.row.support[2] end
  return call.row.support(unpack(call.shapes))
end

--- NaN where parameters are not valid.
local function settle(call, value)
  if call.valid == true then return value end
  local cn = args.namespace
  return cn.where(call.valid == false and cn.isnan(cn.multiply(value, 0 / 0)):logical_not() or call.valid, value, 0 / 0)
end

-- ---- functions of points ----

--- Where z is in the support: a Lua boolean or an array.
local function inside_of(call, z)
  local cn, low, high = args.namespace, support(call)
  local inside = low == -math.huge or cn.greater_equal(z, low)
  if high ~= math.huge then
    inside = M.both(inside, cn.less_equal(z, high))
  elseif low ~= -math.huge then -- logarithms of densities would be differences of infinities
    inside = M.both(inside, cn.less(z, math.huge))
  end
  if call.row.discrete then inside = M.both(inside, cn.equal(cn.floor(z), z)) end
  return inside, low
end

--- A density: `outside` beyond the support, NaN of NaN.
local function density(call, word, outside)
  local cn, z = args.namespace, standard(call)
  local inside, low = inside_of(call, z)
  local safe = inside == true and z or cn.where(inside, z, call.row.safe or low)
  local value
  if word == "pdf" and call.row.pdf then
    value = call.row.pdf(cn, safe, unpack(call.shapes))
  else
    value = call.row.logpdf(cn, safe, unpack(call.shapes))
    if word == "pdf" then value = cn.exp(value) end
  end
  if not call.row.discrete and call.scale ~= 1 then
    local scale = call.scale
    if word == "pdf" then
      value = cn.divide(value, scale)
    else
      value = cn.subtract(value, type(scale) == "number" and math.log(scale) or cn.log(scale))
    end
  end
  if inside ~= true then value = cn.where(cn.isnan(z), 0 / 0, cn.where(inside, value, outside)) end
  return settle(call, value)
end

--- A probability up to z, or beyond it: `below` and `above` the support. `fn` is the row's.
local function probability(call, fn, below, above)
  local cn, z = args.namespace, standard(call)
  local low, high = support(call)
  if call.row.discrete then z = cn.floor(z) end
  if low == -math.huge then return settle(call, fn(cn, z, unpack(call.shapes))) end
  local value = fn(cn, high == math.huge and cn.maximum(z, low) or cn.clip(z, low, high), unpack(call.shapes))
  value = cn.where(cn.less(z, low), below, value)
  if high ~= math.huge or call.row.discrete then value = cn.where(cn.greater_equal(z, high), above, value) end
  return settle(call, value)
end

--- The point of a probability q, or of 1 - q.
local function quantile(call, fn, at_zero, at_one)
  local cn, q = args.namespace, call.x
  q = type(q) == "number" and cn.scalar(q, core.default_dtype()) or q
  local good = cn.logical_and(cn.greater(q, 0), cn.less(q, 1))
  local z = fn(cn, cn.where(good, q, 0.5), unpack(call.shapes))
  z = cn.where(cn.equal(q, 0), at_zero, cn.where(cn.equal(q, 1), at_one, cn.where(good, z, 0 / 0)))
  if call.scale ~= 1 then z = cn.multiply(z, call.scale) end
  return settle(call, call.loc == 0 and z or cn.add(z, call.loc))
end

local POINTS = {
  pdf = function(call) return density(call, "pdf", 0) end,
  logpdf = function(call) return density(call, "logpdf", -math.huge) end,
  cdf = function(call) return probability(call, call.row.cdf, 0, 1) end,
  sf = function(call) return probability(call, call.row.sf, 1, 0) end,
  logcdf = function(call)
    return call.row.logcdf and probability(call, call.row.logcdf, -math.huge, 0)
      or M.log_of(probability(call, call.row.cdf, 0, 1))
  end,
  logsf = function(call)
    return call.row.logsf and probability(call, call.row.logsf, 0, -math.huge)
      or M.log_of(probability(call, call.row.sf, 1, 0))
  end,
  ppf = function(call)
    local low, high = support(call)
    if call.row.discrete then low = low - 1 end
    return quantile(call, call.row.ppf, low, high)
  end,
  isf = function(call)
    local low, high = support(call)
    if call.row.discrete then low = low - 1 end
    return quantile(call, call.row.isf or function(cn, q, ...) return call.row.ppf(cn, 1 - q, ...) end, high, low)
  end,
}
POINTS.pmf, POINTS.logpmf = POINTS.pdf, POINTS.logpdf

-- ---- moments and draws ----

--- A number or array over the shape of all parameters.
local function moment(call, value)
  return settle(call, type(value) == "number" and args.namespace.scalar(value, core.default_dtype()) or value)
end

local MOMENTS = {
  mean = function(call)
    local cn = args.namespace
    return call.row.mean(cn, unpack(call.shapes)) * call.scale + call.loc
  end,
  var = function(call)
    local cn = args.namespace
    return call.row.var(cn, unpack(call.shapes)) * call.scale * call.scale
  end,
}
MOMENTS.std = function(call) return MOMENTS.var(call) ^ 0.5 end

local function draws(call, size, random_state)
  local cn, rng = args.namespace, require("cuna.random").named(random_state, call.name)
  if call.valid == false then fail("%s: a parameter is not possible for the distribution", call.name) end
  if size == nil then
    size = cn.broadcast_shapes(unpack(M.shapes_of {call.loc, call.scale, unpack(call.shapes)}))
  else
    size = check.lengths(size, call.name, "size")
  end
  local z = call.row.draw(rng, size, unpack(call.shapes))
  if call.scale ~= 1 then z = cn.multiply(z, call.scale) end
  return settle(call, call.loc == 0 and z or cn.add(z, call.loc))
end

--- The shapes of operands.
function M.shapes_of(list)
  local shapes = {}
  for i, x in ipairs(list) do shapes[i] = type(x) == "number" and {} or x.shape end
  return shapes
end

-- ---- distributions ----

--- Calls fn(...) on the device of the first array of a list.
local function on_device(values, fn, ...)
  local device = check.device_of(values)
  if not device or device == args.namespace.device() then return fn(...) end
  return with.on(device, fn, ...)
end

--- The values of parameters 1 to count, of which some may be nil, without gaps for lists.
local function present(values, count)
  local list = {}
  for i = 1, count do
    if values[i] ~= nil then list[#list + 1] = values[i] end
  end
  return list
end

--- A function of points by arguments (x, shapes, loc, scale).
local function of_points(row, word, compute)
  local name, variable = ("stats.%s.%s"):format(row.name, word), row.points[word] or "x"
  local read, count = args.reader(name, {variable, unpack(row.names)}), #row.names + 1
  return function(...)
    local values = {read(...)}
    if values[1] == nil then fail("%s: %s is missing", name, variable) end
    return on_device(present(values, count), function() return compute(open(row, name, values, true)) end)
  end
end

--- A function of parameters (shapes, loc, scale).
local function of_parameters(row, word, compute)
  local name = ("stats.%s.%s"):format(row.name, word)
  local read, count = args.reader(name, row.names, 0), #row.names
  return function(...)
    local values = {read(...)}
    return on_device(present(values, count), function() return compute(open(row, name, values, false)) end)
  end
end

local function add_draws(row, functions)
  local name = ("stats.%s.rvs"):format(row.name)
  local names = {unpack(row.names)}
  names[#names + 1], names[#names + 2] = "size", "random_state"
  local read, count = args.reader(name, names, 0), #row.names
  functions.rvs = function(...)
    local values = {read(...)}
    return on_device(present(values, count), function()
      return draws(open(row, name, {unpack(values, 1, count)}, false), values[count + 1], values[count + 2])
    end)
  end
end

local function add_interval(row, functions)
  local name = ("stats.%s.interval"):format(row.name)
  local read = args.reader(name, {"confidence", unpack(row.names)})
  functions.interval = function(...)
    local values = {read(...)}
    local share = check.real(values[1], name, "confidence")
    if share < 0 or share > 1 then fail("%s: confidence is from 0 to 1, got %s", name, tostring(share)) end
    local rest = {unpack(values, 2, #row.names + 1)}
    return functions.ppf((1 - share) / 2, unpack(rest, 1, #row.names)),
      functions.ppf((1 + share) / 2, unpack(rest, 1, #row.names))
  end
end

--- The names of arguments of a row: shapes, loc and, unless it is discrete, scale.
local function complete(row)
  row.shapes, row.points = row.shapes or {}, {ppf = "q", isf = "q"}
  row.names = {unpack(row.shapes)}
  row.names[#row.names + 1] = "loc"
  if not row.discrete then row.names[#row.names + 1] = "scale" end
  row.parameters = {unpack(row.shapes)}
  row.parameters[#row.parameters + 1], row.parameters[#row.parameters + 2] = "loc", "scale"
  row.variable = "x"
  if row.discrete then
    for _, word in ipairs {"pmf", "logpmf", "cdf", "sf", "logcdf", "logsf"} do row.points[word] = "k" end
  end
end

local function is_of(row, word)
  if word == "pmf" or word == "logpmf" then return row.discrete end
  if word == "pdf" or word == "logpdf" then return not row.discrete end
  return true
end

--- A distribution of a row: a table of its functions, which is called for an object.
---@param row table name; shapes (names); support {low, high} or a function of the shapes; valid(shapes...), default:
--- whether they are positive; logpdf or pdf, cdf, sf, ppf(cn, z, shapes...); mean and var(cn, shapes...);
--- draw(rng, size, shapes...); `safe`: a point inside, where low has no finite density
function M.new(row)
  complete(row)
  local functions = {}
  for word, compute in pairs(POINTS) do
    if is_of(row, word) then functions[word] = of_points(row, word, compute) end
  end
  for word, compute in pairs(MOMENTS) do
    functions[word] = of_parameters(row, word, function(call) return moment(call, compute(call)) end)
  end
  functions.median = function(...) return functions.ppf(0.5, ...) end
  add_draws(row, functions)
  add_interval(row, functions)
  args.namespaces[functions] = "cn.stats." .. row.name
  local read = args.reader("stats." .. row.name, row.names, 0)
  return setmetatable(functions, {
    __call = function(_, ...)
      local values = {read(...)}
      for i, what in ipairs(row.shapes) do
        if values[i] == nil then fail("stats.%s: %s is missing", row.name, what) end
      end
      return setmetatable({row = row, functions = functions, values = values}, frozen_meta)
    end,
    __index = function(_, name)
      fail("stats.%s has no function '%s'%s", row.name, tostring(name),
        suggest.hint(name, functions))
    end,
  })
end

-- ---- methods ----

--- The function of a frozen distribution, with parameters after `given` arguments.
local function call_frozen(frozen, word, given, ...)
  self_of(frozen, word)
  local fn = rawget(frozen.functions, word)
  if not fn then fail("stats.%s has no function '%s'", frozen.row.name, word) end
  local list, count = {...}, #frozen.row.names
  for i = 1, count do list[given + i] = frozen.values[i] end
  return fn(unpack(list, 1, given + count))
end

--- The density at points, of a continuous distribution.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.norm(0, 2):pdf(0) --> 0.19947114020071635
function methods:pdf(x) return call_frozen(self, "pdf", 1, x) end

--- The logarithm of the density, also where that is 0 in floats.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.expon():logpdf {1, 1000} --> [ -1. -1000.]
function methods:logpdf(x) return call_frozen(self, "logpdf", 1, x) end

--- The probability of points, of a discrete distribution.
---@param k cuna.Operand
---@return cuna.Array
---@usage cn.stats.binom(2, 0.5):pmf {0, 1, 2} --> [0.25 0.5 0.25]
function methods:pmf(k) return call_frozen(self, "pmf", 1, k) end

--- The logarithm of the probability of points.
---@param k cuna.Operand
---@return cuna.Array
---@usage cn.stats.poisson(1):logpmf {0, 1} --> [-1. -1.]
function methods:logpmf(k) return call_frozen(self, "logpmf", 1, k) end

--- The probability of a value of at most x.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.uniform(0, 4):cdf {-1, 1, 9} --> [0. 0.25 1. ]
function methods:cdf(x) return call_frozen(self, "cdf", 1, x) end

--- The probability of a value beyond x, also exact where it is small.
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.expon():sf {0, 100} --> [1.00000000e+00 3.72007598e-44]
function methods:sf(x) return call_frozen(self, "sf", 1, x) end

--- The logarithm of cdf(x).
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.uniform():logcdf {1} --> [0.]
function methods:logcdf(x) return call_frozen(self, "logcdf", 1, x) end

--- The logarithm of sf(x).
---@param x cuna.Operand
---@return cuna.Array
---@usage cn.stats.expon():logsf {2} --> [-2.]
function methods:logsf(x) return call_frozen(self, "logsf", 1, x) end

--- The x whose cdf is q, of discrete distributions the least whose cdf is at least q.
---@param q cuna.Operand
---@return cuna.Array
---@usage cn.stats.norm():ppf {0.025, 0.975} --> [-1.95996398 1.95996398]
function methods:ppf(q) return call_frozen(self, "ppf", 1, q) end

--- The x whose sf is q.
---@param q cuna.Operand
---@return cuna.Array
---@usage cn.stats.norm():isf {0.025} --> [1.95996398]
function methods:isf(q) return call_frozen(self, "isf", 1, q) end

--- The mean.
---@return cuna.Array
---@usage cn.stats.gamma(3):mean() --> 3.0
function methods:mean() return call_frozen(self, "mean", 0) end

--- The variance.
---@return cuna.Array
---@usage cn.stats.gamma(3, 0, 2):var() --> 12.0
function methods:var() return call_frozen(self, "var", 0) end

--- The standard deviation.
---@return cuna.Array
---@usage cn.stats.norm(0, 3):std() --> 3.0
function methods:std() return call_frozen(self, "std", 0) end

--- The median.
---@return cuna.Array
---@usage cn.stats.norm(5):median() --> 5.0
function methods:median() return call_frozen(self, "median", 0) end

--- The interval about the median that has a share of the probability.
---@param confidence number
---@return cuna.Array low
---@return cuna.Array high
---@usage cn.stats.uniform():interval(0.5) --> 0.25, 0.75
function methods:interval(confidence) return call_frozen(self, "interval", 1, confidence) end

local read_rvs = args.reader("rvs", {"size", "random_state"}, 0)

--- Draws. Impossible parameters are an error, so that it waits.
---@param size cuna.Shape|nil default: the shape of the parameters
---@param random_state cuna.Generator|integer|nil a generator or a seed; default: the generator of cn.random
---@return cuna.Array
---@usage cn.stats.norm(10, 2):rvs(3, 1) --> [9.08699837 5.69088576 8.52422249]
function methods:rvs(...)
  self_of(self, "rvs")
  local list, count = {}, #self.row.names
  for i = 1, count do list[i] = self.values[i] end
  list[count + 1], list[count + 2] = read_rvs(...)
  return self.functions.rvs(unpack(list, 1, count + 2))
end

return M
