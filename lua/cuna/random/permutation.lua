--- permutation.lua: random choices and random orders of elements.
--
-- An order sorts 64 random bits for each element: equal ones are so rare that all orders have the same probability.
-- Of one row 32 bits come with the element's number below them. They are sorted by as many digits as leave few alike,
-- and among these all bits decide, then more (kernels/random_orders.cuh): the order is that of all of them.
-- Few of many things are what a keyed permutation makes of the first positions.
-- A choice with replacement searches for random numbers among the running sums of the weights; one without sorts the
-- times at which things of these rates happen first.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local cumulative = require "cuna.cumulative"
local draw = require "cuna.random.draw"
local elementwise = require "cuna.elementwise"
local gather = require "cuna.gather"
local generator = require "cuna.random.generator"
local integers = require "cuna.random.integers"
local nonzero = require "cuna.nonzero"
local program = require "cuna.base.program"
local search = require "cuna.search"
local slices = require "cuna.base.slices"
local sort = require "cuna.sort"

local M = {}

local methods = generator.methods
local fail = check.fail

--- A generator whose draws are parts of something else.
local function own_of(own, name)
  return draw.check_generator(own, name)
end

--- A dtype's kinds, for draw.run, of values of which some are arrays.
local function drawn(row, own, values, kinds, shape, dtype, device)
  return draw.launch(row, own, values, kinds, shape, dtype, nil, device)
end

-- ---- orders ----

--- Random keys of a shape.
local function keys_of(own, shape, device, name)
  local row = integers.row(name, 64)
  return drawn(row, own, {0ULL, -1ULL}, {}, shape, "uint64", device)
end

--- Random bits above an element's own number: words in order have the numbers in a random one, but where bits are
--- alike.
local function draw_tagged(spelled)
  local bits = spelled:input "uint32"
  spelled.output = "uint64"
  spelled:step("tagged", "uint64(a) << 32 | uint64(b)", "uint64", {bits, spelled:position()}, {"uint32", "int64"})
end

local function draw_sorted(spelled, digits)
  spelled:input "uint64"
  spelled.sorts, spelled.sorts_above, spelled.output = "elements", 8 - digits, "uint64"
end

local function draw_untied(spelled)
  spelled:input("uint64", "head")
  spelled:input("int64", "head")
  for _, dtype in ipairs {"int64", "uint64", "uint64", "int64"} do spelled:input(dtype, "scalar") end
  local place = spelled:position()
  spelled.gathers, spelled.outputs = true, {}
  spelled:step("untied", "random::untied(a, b, c, d, e, f, g)", "bool", {1, 2, place, 3, 4, 5, 6},
    {"int64", "int64", "int64", "int64", "uint64", "uint64", "int64"})
end

local ALL_BITS, NONE = {0, 2 ^ 32 - 1}, {} -- the bounds of 32 bits, and the dtypes of those that are arrays

--- Bytes of random bits that an order is sorted by: two elements of each value, or fewer.
local function digits_of(count) return count <= 2 ^ 14 and 2 or count <= 2 ^ 22 and 3 or 4 end

-- Of so many elements and more, those that cannot be among the first ones are left out before they are sorted.
local LEAST_PARTED = 4096

--- The words of elements among which are the `first` ones of an order of `count`, where the host can count them; else
--- all. Six standard deviations more than `first` are expected below the limit: if there are fewer, all are taken.
local function parted(words, first, count, name)
  local share = first / count
  local limit = share + 6 * math.sqrt(share * (1 - share) / count)
  if count < LEAST_PARTED or limit > 0.9 or core.lanes(words) > 1 or not core.may_wait() then return words end
  local part = nonzero.compact(elementwise.functions.less(words, math.ceil(limit * 2 ^ 32) * 2 ^ 32), words, name)
  return part.size >= first and part or words
end

--- An order that a device sorts, of which the `first` ones are asked for.
local function sorted_order(own, count, first, device, name)
  local bits, key, call = drawn(integers.row(name, 32), own, ALL_BITS, NONE, count, "uint32", device)
  local digits, words = digits_of(count), core.map(program.of(draw_tagged), name, nil, nil, bits)
  words = parted(words, first, count, name)
  core.sort(program.of(draw_sorted, digits), name, false, words, words)
  local left = words.size
  local order = core.empty(left, "int64", device, name)
  core.map(program.of(draw_untied), name, left, nil, words, order, left, key, call, 64 - 8 * digits)
  return order
end

--- The positions 1..n in a random order: the `first` ones, or all.
local function order_of(own, count, device, name, first)
  local order
  if count == 0 or count > 2 ^ 32 then
    order = sort.order(keys_of(own, {count}, device, name), 1, false, name)
  else
    order = core.order_few(own, draw.plain_mapper(integers.row(name, 32), "uint32"), name, count, device)
      or sorted_order(own, count, first or count, device, name)
  end
  return first and slices.part(order, 1, 1, first) or order
end

-- ---- permutation, shuffle, permuted ----

local read_permutation = args.reader("permutation", {"generator", "x", "axis"}, 2)

--- The positions 1..x in a random order; for an array, a copy whose slices along an axis are in a random order. All
--- orders have the same probability. Follows numpy.random.Generator.permutation.
---@param x integer|cuna.Operand
---@param axis integer|nil default 1
---@return cuna.Array
---@usage cn.random.default_rng(1):permutation(5) --> [1 3 5 2 4]
---@usage cn.random.default_rng(1):permutation({{1, 2}, {3, 4}, {5, 6}}) --> [[1. 2.] [5. 6.] [3. 4.]]
function methods.permutation(...)
  local own, x, axis = read_permutation(...)
  own_of(own, "permutation")
  if type(x) == "number" then
    if axis ~= nil then core.axis(axis, 1, "permutation") end
    return order_of(own, check.count(x, "permutation", "x"), core.current_device(), "permutation")
  end
  x = check.array(x, "permutation")
  axis = core.axis(axis == nil and 1 or axis, x.ndim, "permutation")
  return gather.slices(x, axis, order_of(own, x.shape[axis], x.device, "permutation"), "permutation")
end

local read_shuffle = args.reader("shuffle", {"generator", "x", "axis"}, 2)

--- Puts the slices of x along an axis into a random order, in place. Follows numpy.random.Generator.shuffle.
---@param x cuna.Array
---@param axis integer|nil default 1
---@return cuna.Array x
---@usage cn.random.default_rng(1):shuffle(cn.range(1, 5)) --> [1 3 5 2 4]
function methods.shuffle(...)
  local own, x, axis = read_shuffle(...)
  own_of(own, "shuffle")
  if not core.is_array(x) then fail("shuffle: expected an array, got %s, which cannot be changed", check.show(x)) end
  gather.check_writable(core.check_alive(x, "shuffle"), "shuffle")
  axis = core.axis(axis == nil and 1 or axis, x.ndim, "shuffle")
  if x.size == 0 then return x end
  x[core.ellipsis] = gather.slices(x, axis, order_of(own, x.shape[axis], x.device, "shuffle"), "shuffle")
  return x
end

local read_permuted = args.reader("permuted", {"generator", "x", "axis", "out"}, 2)

--- A copy of x in which each line along an axis has a separate random order; without an axis all elements are one line.
--- Follows numpy.random.Generator.permuted.
---@param x cuna.Operand
---@param axis integer|nil
---@param out cuna.Array|nil of x's shape and dtype; x itself is shuffled in place
---@return cuna.Array
---@usage cn.random.default_rng(1):permuted({{1, 2, 3}, {4, 5, 6}}, 2) --> [[2. 3. 1.] [6. 5. 4.]]
function methods.permuted(...)
  local own, x, axis, out = read_permuted(...)
  own_of(own, "permuted")
  if out ~= nil and not core.is_array(out) then fail("permuted: out: expected an array, got %s", check.show(out)) end
  x = check.array(x, "permuted", out and check.writable(out, "permuted").device)
  local lines, shape = x, x.shape
  if axis == nil then lines, axis = core.reshape(x, -1, "permuted"), 1 end
  axis = core.axis(axis, lines.ndim, "permuted")
  local keys = keys_of(own, lines.shape, x.device, "permuted")
  local order = sort.order(keys, axis, false, "permuted")
  local made = gather.fetch(gather.along(lines, axis, order, lines.shape, "permuted"), "permuted")
  made = core.reshape(made, shape, "permuted")
  if out == nil then return made end
  if out.dtype ~= x.dtype then fail("permuted: out has dtype %s, and x %s", out.dtype, x.dtype) end
  check.output(out, x.dtype, shape, nil, "permuted")
  out[core.ellipsis] = made
  return out
end

-- ---- choice ----

local BELOW = {name = "choice", parameters = {{name = "total", dtype = "float64"}}, reports = true,
  expr = "random::below(source, total, mark)"}
local ARRIVAL = {name = "choice", parameters = {{name = "rate", dtype = "float64"}}, reports = true,
  expr = "random::arrival(source, rate, mark)"}

local function draw_weights(spelled, dtype)
  spelled:input(dtype)
  spelled:input("int64", "scalar")
  spelled.gathers, spelled.output = true, "float64"
  spelled:step("weight", "random::weight(a, b)", "float64", {1, 2}, {"float64", "int64"})
end

--- Positions by weights, with replacement.
local function among_weights(own, p, shape, name)
  local checked = core.map(program.get("weights " .. p.dtype, draw_weights, p.dtype), name, nil, nil, p,
    core.report_mark(p, name))
  local sums = cumulative.functions.cumsum(checked)
  local total = sums[{{p.size, p.size}}]
  local numbers = drawn(BELOW, own, {core.reshape(total, {}, name)}, {"float64"}, shape, "float64", p.device)
  return search.search(sums, numbers, "PLACE_BEHIND", name)
end

local function draw_arrived(spelled)
  spelled:input "int64"
  spelled:input "float64"
  spelled:input("int64", "scalar")
  spelled.gathers, spelled.output = true, "int64"
  spelled:step("arrived", "random::arrived(a, b, c)", "int64", {1, 2, 3}, {"int64", "float64", "int64"})
end

--- Positions by weights, each at most once.
local function race(own, p, shape, count, name)
  local times = drawn(ARRIVAL, own, {p}, {p.dtype}, {p.size}, "float64", p.device)
  local order = sort.order(times, 1, false, name)[{{1, count}}]
  local chosen = core.map(program.get("arrived", draw_arrived), name, nil, nil, order, gather.rows(times, order, name),
    core.report_mark(p, name))
  return core.reshape(chosen, shape, name)
end

-- From so many things on, fewer than one in FEW of them are computed one by one, not taken from an order of all.
local MANY, FEW = 10000, 50
local CHOSEN = {name = "choice", parameters = {{name = "n", dtype = "int64"}}, expr = "random::chosen(a, b, c, n)"}

--- The first positions 1..n of an order at random that is not made.
local function distinct(own, n, count, device)
  return drawn(CHOSEN, own, {n}, {}, {count}, "int64", device)
end

local function size_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

--- The weights of things, of which there are n.
local function weights_of(p, n, device)
  p = check.array(p, "choice", device)
  if p.ndim ~= 1 or p.size ~= n then
    fail("choice: p has a weight for each of %d things, got shape %s", n, tostring(p.shape))
  elseif p.dtype:find "^complex" then
    fail("choice: weights are real, got %s", p.dtype)
  end
  return p
end

--- Random positions 1..n.
local function positions_of(own, n, shape, replace, p, device)
  local count = size_of(shape)
  if not replace and count > n then
    fail("choice: %d of %d things without replacement; give replace = true, or fewer", count, n)
  elseif n == 0 and count > 0 then
    fail "choice: there is nothing to choose from"
  elseif count == 0 then
    return core.empty(shape, "int64", device, "choice")
  elseif p ~= nil then
    p = weights_of(p, n, device)
    if replace then return among_weights(own, p, shape, "choice") end
    return race(own, p, shape, count, "choice")
  elseif replace then
    return integers.draw(own, "choice", 1, n, shape, nil, true, nil, device)
  end
  local is_few = n > MANY and count < n / FEW
  if is_few then return core.reshape(distinct(own, n, count, device), shape, "choice") end
  local order = order_of(own, n, device, "choice", count)
  return #shape == 1 and order or core.reshape(order, shape, "choice")
end

local read_choice = args.reader("choice", {"generator", "a", "size", "replace", "p", "axis", "shuffle"}, 2)

--- Random choices: positions 1..a for a number, slices along an axis for an array. Weights need not add up to 1;
--- invalid ones are an error, on CUDA at the next synchronisation. Without replacement and weights, less than 2 % of
--- more than 10000 things take no time and memory for all of them. Follows numpy.random.Generator.choice.
---@param a integer|cuna.Operand how many things there are, or they themselves
---@param size cuna.Shape|nil default: one
---@param replace boolean|nil false chooses each thing at most once; default true
---@param p cuna.Operand|nil 1-d weights, default: all alike
---@param axis integer|nil default 1
---@param shuffle boolean|nil accepted for compatibility with NumPy and ignored: the order is always random
---@return cuna.Array
---@usage cn.random.default_rng(1):choice(5, 3) --> [2 3 2]
---@usage cn.random.default_rng(1):choice({10, 20, 30}, 2, {replace = false}) --> [10. 30.]
---@usage cn.random.default_rng(1):choice(3, 5, {p = {0.1, 0, 0.9}}) --> [3 1 3 3 3]
function methods.choice(...)
  local own, a, size, replace, p, axis, shuffle = read_choice(...)
  own_of(own, "choice")
  check.boolean(shuffle, true, "choice", "shuffle")
  replace = check.boolean(replace, true, "choice", "replace")
  local shape = size == nil and {} or check.lengths(size, "choice", "size")
  if type(a) == "number" then
    if axis ~= nil then core.axis(axis, 1, "choice") end
    local device = core.device_of(p) or core.current_device()
    return positions_of(own, check.count(a, "choice", "a"), shape, replace, p, device)
  end
  a = check.beside(a, "choice", p)
  axis = core.axis(axis == nil and 1 or axis, a.ndim, "choice")
  local positions = positions_of(own, a.shape[axis], shape, replace, p, a.device)
  check.same_device(a, positions, "choice")
  return gather.slices(a, axis, positions, "choice")
end

-- ---- bytes ----

local read_bytes = args.reader("bytes", {"generator", "length"}, 2)

--- Random bytes. Synchronises. Follows numpy.random.Generator.bytes.
---@param length integer
---@return string
---@usage #cn.random.default_rng(1):bytes(10) --> 10
function methods.bytes(...)
  local own, length = read_bytes(...)
  own_of(own, "bytes")
  length = check.count(length, "bytes", "length")
  local words = drawn(integers.row("bytes", 32), own, ALL_BITS, NONE, math.ceil(length / 4), "uint32",
    core.current_device())
  return core.get_bytes(words):sub(1, length)
end

return M
