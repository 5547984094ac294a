--- generator.lua: generators of random numbers: a key and a count of draws.
--
-- All that a generator holds are these numbers, on the host, so that drawing never waits. Draws of one key differ in
-- their number, keys of children in what they are hashed of (seed.lua). C reads both numbers, and counts draws, where
-- it draws itself (bindings/draw.c).
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local draw = require "cuna.random.draw"
local ffi = require "ffi"
local seeds = require "cuna.random.seed"
local suggest = require "cuna.base.suggest"

local M = {}

local fail = check.fail
local uint64 = ffi.typeof "uint64_t"
local JUMP = 2ULL ^ 48 -- draws

--- A generator of random numbers, from cn.random.default_rng.
---@class cuna.Generator
local methods = {}
M.methods = methods

local STATE = {} -- the key of what a generator holds: its seed, and numbers = {[0] = its key, [1] = the count of draws}
local words = ffi.typeof "uint64_t *"

-- Names of the older functions.
local HINTS = {rand = "random", randn = "standard_normal", randint = "integers", random_sample = "random",
  ranf = "random", sample = "random"}

local meta = {__metatable = "cuna Generator", __tostring = function() return "Generator(Philox4x32)" end}

function meta.__index(_, name)
  local method = methods[name]
  if method then return method end
  fail("a generator has no method '%s'%s", tostring(name), suggest.phrase(HINTS[name] or suggest.find(tostring(name),
    methods)))
end

function meta.__newindex(_, name) fail("a generator has no field '%s' to set", tostring(name)) end

local function made(seed, key, calls)
  local counter = core.counter()
  local numbers = ffi.cast(words, counter)
  numbers[0], numbers[1] = key, calls
  return setmetatable({[STATE] = {seed = seed, numbers = numbers}, [core.counter_key] = counter}, meta)
end

--- The fields of a generator; an error for other values. A fused function that asks for them runs at every call: the
--- next one draws other numbers.
local function state_of(generator, name)
  core.replay_unwatch()
  local state = type(generator) == "table" and rawget(generator, STATE)
  if not state then
    check.dot(generator, name)
    fail("%s: expected a generator, got %s; a method is called with a colon, rng:%s()", name, check.show(generator),
      name)
  end
  return state
end

function M.is_generator(value) return type(value) == "table" and rawget(value, STATE) ~= nil end

--- A generator with a seed.
function M.new(seed, name)
  seed = seeds.new(seed, name)
  return made(seed, seeds.key(seed), uint64(0))
end

--- Seeds an existing generator.
function M.reseed(generator, seed, name)
  local state = state_of(generator, name)
  state.seed = seeds.new(seed, name)
  state.numbers[0], state.numbers[1] = seeds.key(state.seed), 0
end

--- The key of a generator and the number of its next draw; a rehearsal does not count.
function M.next_call(generator, name)
  local numbers = state_of(generator, name).numbers
  local calls = numbers[1]
  if not core.is_preparing() then numbers[1] = calls + 1ULL end
  return numbers[0], calls
end

draw.check_generator = function(generator, name)
  state_of(generator, name)
  return generator
end
draw.next_call = M.next_call

-- ---- streams of their own ----

local MOST_CHILDREN = 1e6 -- each is an object of Lua's

local read_spawn = args.reader("spawn", {"generator", "count"}, 2)

--- New generators whose draws are independent of this one's and of each other's. Each call returns different ones.
--- Follows numpy.random.Generator.spawn.
---@param count integer at most a million
---@return cuna.Generator[]
---@usage #cn.random.default_rng(1):spawn(3) --> 3
function methods.spawn(...)
  local generator, count = read_spawn(...)
  local state, children = state_of(generator, "spawn"), {}
  for i = 1, check.few(count, MOST_CHILDREN, "spawn", "count") do
    local seed = seeds.spawn(state.seed)
    children[i] = made(seed, seeds.key(seed), uint64(0))
  end
  return children
end

local read_jumped = args.reader("jumped", {"generator", "jumps"}, 2)

--- A new generator in the state of this one after `jumps` times 2^48 draws. Follows numpy.random.Philox.jumped.
---@param jumps integer|nil default 1
---@return cuna.Generator
---@usage cn.random.default_rng(1):jumped():get_state().calls --> 281474976710656ULL
function methods.jumped(...)
  local generator, jumps = read_jumped(...)
  local state = state_of(generator, "jumped")
  jumps = check.count(jumps == nil and 1 or jumps, "jumped", "jumps")
  local seed = {entropy = state.seed.entropy, path = state.seed.path, children = state.seed.children}
  return made(seed, state.numbers[0], state.numbers[1] + uint64(jumps) * JUMP)
end

-- ---- state ----

local read_state = args.reader("get_state", {"generator"}, 1)

--- The state of a generator, for a file or set_state: {bit_generator = its name, key = the hash of its seed, calls =
--- the count of draws; entropy, path, children: the state for spawn}. The integers are uint64_t, in lists.
---@return table
---@usage cn.random.default_rng(1):get_state().bit_generator --> Philox4x32
function methods.get_state(...)
  local state = state_of((...), "get_state")
  read_state(...)
  return {bit_generator = "Philox4x32", key = state.numbers[0], calls = state.numbers[1],
    entropy = {unpack(state.seed.entropy)},
    path = {unpack(state.seed.path)}, children = state.seed.children}
end

local function whole_field(state, field)
  local value = state[field]
  if type(value) == "number" and value >= 0 and value < 2 ^ 64 and value == math.floor(value) then
    return uint64(value)
  elseif type(value) == "cdata" and ffi.istype(uint64, value) then
    return value
  end
  fail("set_state: %s is a whole number, got %s", field, check.no_number(value))
end

local read_set = args.reader("set_state", {"generator", "state"}, 2, true)

--- Restores a state that get_state of this generator or another one returned.
---@param state table
---@return cuna.Generator the same
---@usage cn.random.default_rng(1):set_state(cn.random.default_rng(2):get_state()) --> Generator(Philox4x32)
function methods.set_state(...)
  local generator, state = read_set(...)
  local own = state_of(generator, "set_state")
  if type(state) ~= "table" or state.bit_generator ~= "Philox4x32" then
    fail("set_state: expected what get_state answers, got %s", check.show(state))
  end
  local key, calls = whole_field(state, "key"), whole_field(state, "calls")
  local entropy, path = state.entropy or {key}, state.path or {}
  if type(entropy) ~= "table" or type(path) ~= "table" then fail "set_state: entropy and path are tables" end
  local seed = seeds.new(entropy, "set_state")
  seed.path = check.whole({unpack(path)}, "set_state", "children")
  seed.children = check.count(state.children or 0, "set_state", "children")
  own.seed, own.numbers[0], own.numbers[1] = seed, key, calls
  return generator
end

return M
