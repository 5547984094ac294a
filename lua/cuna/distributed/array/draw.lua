--- draw.lua: random numbers over ranks: an element is a function of the seed, the draw and its place in the whole.
--
-- All ranks have generators in the same state; each makes the numbers of its block, at their places (random/draw.lua).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local draw = require "cuna.random.draw"
local generators = require "cuna.random.generator"
local integers = require "cuna.random.integers"
local layouts = require "cuna.distributed.array.layout"
local object = require "cuna.distributed.array.object"
local suggest = require "cuna.base.suggest"

require "cuna.random" -- every distribution

local M = {}

local fail = check.fail

--- A generator of random numbers over ranks, from cn.distributed.default_rng. Its methods are the distributions of
--- cn.random.default_rng that draw element by element (random, normal, uniform, exponential, gamma, beta, poisson,
--- binomial, ...) and integers, with the same parameters, then size, dtype and layout:
--- rng:normal(0, 1, {1000, 64}, {layout = {axis = 1}}). Without communication; the numbers are, bit for bit, those of
--- cn.random.default_rng with the same seed, for every number of ranks. Parameters are numbers, and arrays as operands
--- of elementwise functions. Every rank makes the same draws.
---@class cuna.DistributedGenerator
local meta = {__metatable = "cuna DistributedGenerator"}

local OWN = {} -- the key of the generator inside

function meta.__tostring() return "DistributedGenerator(Philox4x32)" end

function meta.__newindex(_, name) fail("a generator has no field '%s' to set", tostring(name)) end

local function is_own(value) return type(value) == "table" and rawget(value, OWN) ~= nil end

-- ---- places ----

--- For each split, from the last axis: the elements of its positions in the block, in the whole, before the block.
local function window_of(shape, own, splits)
  local window, inner, at = {}, 1, #shape
  for i = #splits, 1, -1 do
    local axis = splits[i].axis
    while at > axis do inner, at = inner * shape[at], at - 1 end
    local first = layouts.place(splits[i])
    -- Blocks without positions have no elements, and are divided by nothing.
    window[#window + 1] = math.max(own[axis], 1) * inner
    window[#window + 1] = shape[axis] * inner
    window[#window + 1] = (first - 1) * inner
  end
  return window
end

-- ---- draws ----

--- What a draw is asked for, without its parameters: the shape of the block, the window, splits and what they are over.
local function read_call(generator, size, layout, name)
  if size == nil then fail("%s: size, the shape of the whole, is missing", name) end
  local shape = check.lengths(size, name, "size")
  if layout == nil then fail("%s: the layout is missing; write {layout = {axis = 1}}", name) end
  local splits, over = layouts.of_new(layout, shape, rawget(generator, OWN).comm, name)
  local own = layouts.own_shape(shape, splits)
  return {own = own, window = window_of(shape, own, splits), splits = splits, over = over}
end

--- Parameters with arrays as the blocks that they have beside this one.
local function blocks_of(call, given, count, name)
  local has_arrays = false
  for k = 1, count do has_arrays = has_arrays or type(given[k]) == "table" or core.is_array(given[k]) end
  if not has_arrays then return given end
  local strides = {}
  for axis = 1, #call.own do strides[axis] = 0 end
  local like = object.over(call.over, core.view(core.empty({1}, "bool"), call.own, strides, 0), call.splits)
  local blocks, places = {}, {}
  for k = 1, count do
    if given[k] ~= nil then
      places[#places + 1], blocks[#blocks + 1] = k, given[k]
    end
  end
  blocks = object.blocks(name, like, unpack(blocks))
  given = {}
  for i, k in ipairs(places) do given[k] = blocks[i + 1] end
  return given
end

local function own_of(generator, name)
  if is_own(generator) then return rawget(generator, OWN).rng end
  fail("%s: a method is called with a colon, rng:%s()", name, name)
end

--- The method of a distribution: its parameters, then size, dtype and layout.
local function method(row)
  local names, count = {"generator"}, #row.parameters
  for k, parameter in ipairs(row.parameters) do names[1 + k] = parameter.name end
  for _, name in ipairs {"size", "dtype", "layout"} do names[#names + 1] = name end
  local read = args.reader(row.name, names, 1)
  local function take(generator, ...)
    local rng, size, dtype, layout = own_of(generator, row.name), select(count + 1, ...)
    local call = read_call(generator, size, layout, row.name)
    local given = blocks_of(call, {...}, count, row.name)
    return object.over(call.over, draw.draw(row, rng, given, call.own, dtype, nil, call.window), call.splits)
  end
  return function(...) return take(read(...)) end
end

local METHODS = {}

local read_integers = args.reader("integers", {"generator", "low", "high", "size", "dtype", "endpoint", "layout"}, 1)

function METHODS.integers(...)
  local generator, low, high, size, dtype, endpoint, layout = read_integers(...)
  local rng = own_of(generator, "integers")
  local call = read_call(generator, size, layout, "integers")
  local given = blocks_of(call, {low, high}, 2, "integers")
  endpoint = check.boolean(endpoint, false, "integers", "endpoint")
  local block = integers.draw(rng, "integers", given[1], given[2], call.own, dtype, endpoint, nil,
    core.current_device(), call.window)
  return object.over(call.over, block, call.splits)
end

function METHODS.get_state(generator) return own_of(generator, "get_state"):get_state() end

function METHODS.set_state(generator, state)
  own_of(generator, "set_state"):set_state(state)
  return generator
end

function meta.__index(_, name)
  local row = draw.rows[name]
  if not METHODS[name] and row then METHODS[name] = method(row) end
  if METHODS[name] then return METHODS[name] end
  local near = suggest.find(tostring(name), draw.rows)
  fail("a generator over ranks has no method '%s'%s", tostring(name),
    near and ("; did you mean '%s'?"):format(near) or "; draw on all ranks by cn.random, or on blocks by comm:rng")
end

--- A generator in the state of rank 0's: one share.
function M.default_rng(seed, comm)
  local rng = generators.new(seed, "distributed.default_rng")
  if not core.is_preparing() then rng:set_state(comm:share(rng:get_state())) end
  return setmetatable({[OWN] = {rng = rng, comm = comm}}, meta)
end

return M
