--- seed.lua: words that seeds of any kind are hashed to, as NumPy's SeedSequence does.
--
-- A seed's integers become words of 32 bits, which are mixed into a pool of four until every bit of it depends on every
-- bit of them (O'Neill, Developing a seed_seq alternative, 2015); keys are words that are made of the pool. What a
-- generator spawns has the same integers followed by its number. All constants are NumPy's, so the words are, too.
local check = require "cuna.base.check"
local core = require "cuna.core"
local ffi = require "ffi"

local M = {}

local fail = check.fail
local bxor, rshift, tobit = bit.bxor, bit.rshift, bit.tobit
local uint64, int64 = ffi.typeof "uint64_t", ffi.typeof "int64_t"
local POOL = 4

--- The product of two words, as a word.
local function multiply(a, b) return tobit(uint64(a % 2 ^ 32) * uint64(b % 2 ^ 32)) end

local function folded(value) return bxor(value, rshift(value, 16)) end

--- A function that hashes words, each in another way than the one before.
local function hasher(constant, factor)
  return function(value)
    value = bxor(value, constant)
    constant = multiply(constant, factor)
    return folded(multiply(value, constant))
  end
end

local function mix(a, b)
  return folded(tobit(multiply(a, 0xca01f9dd) - multiply(b, 0x4973f715)))
end

--- The pool of a list of words.
local function pool_of(words)
  local hash, pool = hasher(tobit(0x43b0d7e5), 0x931e8875), {}
  for i = 1, POOL do pool[i] = hash(words[i] or 0) end
  for from = 1, POOL do
    for to = 1, POOL do
      if from ~= to then pool[to] = mix(pool[to], hash(pool[from])) end
    end
  end
  for from = POOL + 1, #words do
    for to = 1, POOL do pool[to] = mix(pool[to], hash(words[from])) end
  end
  return pool
end

--- A whole number from 0 to 2^64 - 1 as uint64_t.
local function whole(value, name)
  local is_number = type(value) == "number"
  if is_number and value >= 0 and value < 2 ^ 64 and value == math.floor(value) then return uint64(value) end
  if type(value) == "cdata" and ffi.istype(uint64, value) then return value end
  if type(value) == "cdata" and ffi.istype(int64, value) and value >= 0 then return uint64(value) end
  fail("%s: a seed is a whole number from 0 to 2^64 - 1, or a table of such, got %s", name, check.no_number(value))
end

local function append_words(words, value)
  words[#words + 1] = tobit(value)
  if value >= 2ULL ^ 32 then words[#words + 1] = tobit(value / 2ULL ^ 32) end
end

--- What no one can foresee.
local function from_system()
  local file = assert(io.open("/dev/urandom", "rb"))
  local bytes, list = file:read(16), {}
  file:close()
  for i = 1, 16, 8 do
    local box = ffi.new "uint64_t[1]"
    ffi.copy(box, bytes:sub(i, i + 7), 8)
    list[#list + 1] = box[0]
  end
  return list
end

local first

--- The seed of the generator that the functions of cn.random share: what was set, or CUNA_RANDOM_SEED, or nil.
---@return ffi.cdata*|ffi.cdata*[]|nil
function M.first()
  local text = os.getenv "CUNA_RANDOM_SEED"
  if first or text == nil or text == "" then return first end
  local seed = uint64(0) -- core has checked that these are digits
  for digit in text:gmatch "%d" do seed = seed * 10 + tonumber(digit) end
  return seed
end

--- Sets it, before that generator is made.
---@param seed ffi.cdata*[]
function M.set_first(seed) first = seed end

--- A seed of 64 bits as it is, for generators that hash it themselves; nil is the system's.
---@return ffi.cdata* uint64_t
function M.word(value, name) return value == nil and from_system()[1] or whole(value, name) end

---@class cuna.Seed
---@field entropy ffi.cdata*[]
---@field path integer[] which child of which it is
---@field children integer that it has by now

--- A seed of nil (the system's), a whole number or a table of such.
---@return cuna.Seed
function M.new(value, name)
  if value == nil then return {entropy = from_system(), path = {}, children = 0} end
  if core.is_array(value) then value = value:totable() end
  if type(value) ~= "table" then value = {value} end
  local entropy = {}
  for i, part in ipairs(check.list(value, name, "seeds")) do entropy[i] = whole(part, name) end
  return {entropy = entropy, path = {}, children = 0}
end

--- The next child of a seed.
function M.spawn(seed)
  local path = {unpack(seed.path)}
  path[#path + 1] = seed.children
  seed.children = seed.children + 1
  return {entropy = seed.entropy, path = path, children = 0}
end

--- 64 bits that a seed is hashed to.
---@return ffi.cdata* key uint64_t
function M.key(seed)
  local words = {}
  for _, value in ipairs(seed.entropy) do append_words(words, value) end
  if seed.path[1] then
    for i = #words + 1, POOL do words[i] = 0 end
    for _, number in ipairs(seed.path) do append_words(words, uint64(number)) end
  end
  local pool, hash = pool_of(words), hasher(tobit(0x8b51f9dd), 0x58f38ded)
  local low, high = hash(pool[1]), hash(pool[2])
  return uint64(low % 2 ^ 32) + uint64(high % 2 ^ 32) * 2ULL ^ 32
end

return M
