--- Generators: keys as NumPy hashes seeds, blocks as Random123 publishes them, draws with the same bits on every device
--- and in every layout, of the distributions that they claim.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"
local golden = dofile "spec/golden/generator.lua"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local prepared = preparing.prepared

local function number(text) return type(text) == "string" and assert(loadstring("return " .. text))() or text end

local function rng(seed) return cn.random.default_rng(seed) end

local function agree(a, b, note) assert.is_true(preparing.rehearsing or a == b, note) end

--- A generator that stands before draw number `calls`.
local function at_call(seed, calls)
  local state = rng(seed):get_state()
  state.calls = calls
  return rng(0):set_state(state)
end

-- What is drawn to compare bits: all that a generator has, in dtypes.
local FLOATS, INTEGERS = {"float64", "float32", "float16", "bfloat16"},
  {"int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"}
local DRAWS = {}
for _, dtype in ipairs(FLOATS) do
  DRAWS["random " .. dtype] = function(g, size, out) return g:random(size, dtype, out) end
  DRAWS["uniform " .. dtype] = function(g, size, out) return g:uniform(-2, 3, size, dtype, out) end
  DRAWS["normal " .. dtype] = function(g, size, out) return g:normal(1, 2, size, dtype, out) end
  DRAWS["exponential " .. dtype] = function(g, size, out) return g:exponential(3, size, dtype, out) end
end
for _, dtype in ipairs(INTEGERS) do
  DRAWS["integers " .. dtype] = function(g, size, out)
    return g:integers(0, 1, {size = size, dtype = dtype, endpoint = true, out = out})
  end
end
for _, high in ipairs {10, 3 * 2 ^ 30, 2 ^ 40, 3 * 2 ^ 61} do
  DRAWS["integers " .. high] = function(g, size, out) return g:integers(0, high, {size = size, out = out}) end
end

describe("seeds are hashed as NumPy hashes them:", function()
  it("numbers, lists of numbers and children", function()
    for _, case in ipairs(golden.seeds) do
      local generator = rng(#case.seed == 1 and case.seed[1] or case.seed)
      for _, child in ipairs(case.path) do generator = generator:spawn(child + 1)[child + 1] end
      assert.equal(number(case.key), generator:get_state().key)
    end
  end)

  it("boxed numbers, arrays and the system's", function()
    local key = rng(5):get_state().key
    for _, seed in ipairs {5LL, 5ULL, cn.array({5}, "int32")} do assert.equal(key, rng(seed):get_state().key) end
    assert.equal(rng(2ULL ^ 63):get_state().key, rng(2 ^ 63):get_state().key)
    assert.are_not.equal(rng():get_state().key, rng():get_state().key)
    local own = rng(5)
    assert.equal(own, cn.random.default_rng(own))
  end)
end)

devices.each_device(function(device)
  describe("a generator", function()
    it("makes the blocks that Random123 publishes", function()
      local word = {dtype = "uint64", scalar = true}
      local program = core.program {output = "uint32", index = true, inputs = {word, word, word},
        steps = {{name = "block", dtype = "uint32", args = {4, 1, 2, 3},
          arg_dtypes = {"int64", "uint64", "uint64", "uint64"},
          expr = "random::philox(uint32(b), b >> 32, uint32(c), c >> 32, d).at[a]"}}}
      for _, case in ipairs {
        {0ULL, 0ULL, 0ULL, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {-1ULL, -1ULL, -1ULL, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x85a308d3243f6a88ULL, 0x0370734413198a2eULL, 0x299f31d0a4093822ULL,
          {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
      } do
        assert.same(case[4], core.map(program, "block", {4}, nil, case[1], case[2], case[3]):totable())
      end
    end)

    it("draws what another implementation draws", prepared(function()
      for index, case in ipairs(golden.draws) do
        local got = at_call(case.seed, case.call)[case.name](at_call(case.seed, case.call), 300, case.dtype)
        if preparing.rehearsing then return end
        local is_exact = case.name == "random"
        local tolerance = is_exact and 0 or case.dtype == "float64" and 1e-14 or 3e-6
        for k, at in ipairs(case.places) do
          local value = got[at + 1]
          assert.is_true(math.abs(value - case.values[k]) <= tolerance * math.max(1, math.abs(value)),
            ("case %d, %s: %.17g, expected %.17g"):format(index, case.name, value, case.values[k]))
        end
      end
    end))

    it("draws whole numbers as another implementation does", prepared(function()
      for index, case in ipairs(golden.integers) do
        local got = rng(case.seed):integers(number(case.low), number(case.high), 300, case.dtype, true)
        for k, at in ipairs(case.places) do
          if not preparing.rehearsing then assert.equal(number(case.values[k]), got[at + 1], "case " .. index) end
        end
      end
    end))

    it("draws the same bits on every device, in every layout and size", prepared(function()
      for name, draw in pairs(DRAWS) do
        local here = draw(rng(7), {5, 333})
        cn.device("cpu"):with(function() agree(draw(rng(7), {5, 333}), here:get(), name) end)
        local parted = cn.zeros({333, 5}, here.dtype).T
        draw(rng(7), nil, parted)
        agree(here, parted, name)
        agree(here:reshape(-1)["1:77"], draw(rng(7), 77), name)
      end
    end))

    it("draws large arrays as small ones", prepared(function()
      local size = (core.is_host(device) and 3 * 2 ^ 20 or 2 ^ 18) + 77 -- on the host past the caches
      for _, name in ipairs {"normal float32", "integers " .. 3 * 2 ^ 30} do
        local all = DRAWS[name](rng(3), size)
        local apart = cn.zeros({size, 2}, all.dtype)[{{}, 1}]
        DRAWS[name](rng(3), size, apart)
        agree(all, apart, name)
      end
    end))

    it("takes parameters in arrays, which broadcast", prepared(function()
      for _, dtype in ipairs {"float64", "float32"} do
        local plain = rng(2):normal(3, 2, {4, 6}, dtype)
        agree(plain, rng(2):normal(cn.full(6, 3), 2, {4, 6}, dtype))
        agree(plain, rng(2):normal(cn.full({4, 1}, 3, "int8"), cn.full(6, 2, "float32"), {dtype = dtype}))
        agree(rng(2):uniform(1, 2, {2, 2}, dtype), rng(2):uniform({{1, 1}, {1, 1}}, 2, {dtype = dtype}))
      end
      local low = cn.array({{-5}, {10}}, "int16")
      agree(rng(4):integers(low, low + 1, {2, 50}), low:broadcast_to({2, 50}):astype "int64")
      agree(rng(4):integers(low, 20, {2, 50}, "int8"):ge(low):all(), true)
      agree(rng(4):integers({0, 0}, {2.0, 2 ^ 40}, {3, 2}):le(2 ^ 40):all(), true)
      agree(rng(4):integers(cn.array({2ULL ^ 63}), -1ULL, {3}, "uint64", true):ge(2ULL ^ 63):all(), true)
      assert.is_true(rng(4):normal(cn.zeros {0, 3}, 1):has_shape(0, 3))
    end))

    it("draws nothing, one number, and dtypes by default", function()
      assert.is_true(rng(1):random():has_shape {})
      assert.is_true(rng(1):random(0):has_shape(0))
      assert.is_true(rng(1):integers(3, {size = {2, 0}}):has_shape(2, 0))
      assert.equal("int64", rng(1):integers(3).dtype)
      assert.equal("float64", rng(1):normal().dtype)
      cn.set_default_dtype "float32"
      local dtypes = {rng(1):normal().dtype, rng(1):random(2).dtype, cn.random.rand(2).dtype}
      cn.set_default_dtype "float64"
      assert.same({"float32", "float32", "float32"}, dtypes)
    end)

    it("goes on without waiting", function()
      cn.no_sync(function()
        local g = rng(1)
        g:normal(0, 1, {100}):add_(g:integers(5, {size = 100}))
        g:permutation(10)
        g:shuffle(cn.arange(10))
        g:choice(10, 4, {replace = false, p = cn.ones(10)})
      end)
    end)

    it("draws where its parameters and outputs are", function()
      local own = cn.device(device)
      cn.device("cpu"):with(function()
        assert.equal(own, rng(1):normal(cn.zeros(3, nil, device), 1).device)
        assert.equal(own, rng(1):random({out = cn.zeros(3, nil, device)}).device)
        assert.equal(own, rng(1):integers(cn.zeros(3, nil, device), 5).device)
      end)
    end)
  end)

  describe("draws are distributed", function()
    -- The greatest distance between the steps of a sample and the distribution's function, of which 1.95 / sqrt(n) is
    -- passed by one sample in a thousand.
    local function distance(x, distribution)
      local n = x.size
      local at = distribution(x:astype("float64"):sort())
      local steps = cn.arange(n) / n
      return cn.maximum(at - steps, steps + 1 / n - at):max():item() * math.sqrt(n)
    end

    it("normally", prepared(function()
      local deciles = {-1.2815515655446, -0.84162123357291, -0.52440051270804, -0.2533471031358, 0, 0.2533471031358,
        0.52440051270804, 0.84162123357291, 1.2815515655446}
      for _, dtype in ipairs {"float64", "float32"} do
        local x = (rng(12):normal(2, 3, 60000, dtype) - 2) / 3
        local counts = cn.bincount(cn.digitize(x, cn.array(deciles, dtype)), {minlength = 10})
        local chi2 = ((counts - 6000) ^ 2 / 6000):sum()
        assert.is_true(preparing.rehearsing or chi2:item() < 9 + 5 * math.sqrt(18), dtype)
      end
    end))

    it("evenly, exponentially", prepared(function()
      for _, dtype in ipairs {"float64", "float32"} do
        local size, g = 20000, rng(11)
        for name, x in pairs {
          uniform = distance(g:uniform(-3, 5, size, dtype), function(x) return (x + 3) / 8 end),
          exponential = distance(g:exponential(4, size, dtype), function(x) return 1 - cn.exp(x / -4) end),
        } do
          assert.is_true(preparing.rehearsing or x < 1.95, ("%s %s: %g"):format(name, dtype, x))
        end
      end
    end))

    it("evenly over whole numbers", prepared(function()
      for _, case in ipairs {{0, 10, "int64"}, {-3, 7, "int8"}, {0, 100, "uint16"}, {0, 3 * 2 ^ 30, "uint32"},
        {0, 3 * 2 ^ 61, "int64"}} do
        local low, high, dtype = unpack(case)
        local bins = high - low > 2 ^ 20 and 12 or math.min(high - low, 10)
        local x = rng(6):integers(low, high, 60000, dtype):astype "float64"
        local counts = cn.bincount(((x - low) * (bins / (high - low))):floor():astype("int64") + 1, {minlength = bins})
        if not preparing.rehearsing then
          local expected = 60000 / bins
          local chi2 = ((counts - expected) ^ 2 / expected):sum():item()
          assert.is_true(chi2 < bins - 1 + 5 * math.sqrt(2 * bins), ("%s: %g"):format(dtype, chi2))
        end
      end
    end))

    it("far out as they must be", prepared(function()
      local size = core.is_host(device) and 2 ^ 20 or 2 ^ 18
      local x = rng(9):standard_normal(size, "float32")
      if preparing.rehearsing then return end
      assert.is_true(x:max():item() > 4.2 and x:max():item() < 6.8)
      assert.near(0.0026998 * size, x:abs():gt(3):sum():item(), 270 * math.sqrt(size / 2 ^ 20))
      assert.near(0, (x[{{1, -2}}] * x[{{2, -1}}]):mean():item(), 5 / math.sqrt(size)) -- neighbours
    end))
  end)
end)

describe("a generator's streams", function()
  it("go on, and restart with the state", function()
    local g = rng(3)
    local first, state = g:random(5), g:get_state()
    local second = g:random(5)
    assert.are_not.equal(first, second)
    assert.equal(second, g:set_state(state):random(5))
    assert.equal(second, rng(99):set_state(state):random(5))
    assert.equal(rng(3):spawn(1)[1]:random(3), g:set_state(state):spawn(1)[1]:random(3))
    assert.equal("Generator(Philox4x32)", tostring(g))
  end)

  it("take one number for a draw of any size, and none for a rehearsal", function()
    local g = rng(3)
    g:random(1000)
    g:integers(5, {size = {3, 4}})
    cn.prepare(function() g:normal() end)
    assert.equal(2ULL, g:get_state().calls)
  end)

  it("differ from those of children and of jumps", function()
    local g, seen = rng(3), {}
    local list = {g, g:jumped(), g:jumped(2), unpack(g:spawn(3))}
    for _, child in ipairs(g:spawn(2)) do list[#list + 1] = child end
    list[#list + 1] = list[4]:spawn(1)[1]
    for _, generator in ipairs(list) do
      local text = tostring(generator:random(3))
      assert.is_nil(seen[text])
      seen[text] = true
    end
    assert.equal(2ULL ^ 49, rng(3):jumped(2):get_state().calls)
  end)

  it("draw the same whole numbers by positions as by names", function()
    for _, bounds in ipairs {{0, 10}, {-7, 3}, {-2 ^ 53, 2 ^ 53}, {5, 5 + 2 ^ 32}, {5, 6 + 2 ^ 32}, {-1, 0}} do
      local low, high = bounds[1], bounds[2]
      local g, same = rng(9), rng(9)
      local expected = same:integers {low = low, high = high, size = {3, 4}}
      assert.equal(expected, g:integers(low, high, {3, 4}))
      assert.equal(same:integers {low = low, high = high}, g:integers(low, high))
      assert.equal("int64", g:integers(low, high).dtype)
      assert.is_true(expected:ge(low):all() and expected:lt(high):all())
    end
    assert.equal(rng(9):integers {low = 0, high = 10, size = 5}, rng(9):integers(10, nil, 5))
    assert.equal(rng(9):integers {low = 0, high = 10}, rng(9):integers(10))
  end)

  it("of cn.random begin with cn.random.seed, or the environment", function()
    cn.random.seed(8)
    local g = rng(8)
    assert.equal(g:random {2, 3}, cn.random.rand(2, 3))
    assert.equal(g:standard_normal(4, "float32"), cn.random.randn(4, {dtype = "float32"}))
    assert.equal(g:integers(2, 9, 5), cn.random.randint(2, 9, 5))
    assert.equal(g:normal(1, 2, 3), cn.random.normal(1, 2, 3))
    assert.equal(g:random(3), cn.random.random_sample(3))
    assert.equal(g:permutation(9), cn.random.permutation(9))
    assert.equal(g:choice(9, 4), cn.random.choice(9, 4))
    assert.equal(g:bytes(5), cn.random.bytes(5))
    local text = process.must_run('io.write(tostring(require("cuna").random.rand(2)))', {CUNA_RANDOM_SEED = "8"})
    assert.equal(tostring(rng(8):random(2)), text)
  end)
end)

describe("generators refuse", function()
  local g = rng(1)
  for text, fn in pairs {
    ["random.default_rng: a seed is a whole number from 0 to 2^64 - 1, or a table of such, got -1"] =
      function() return (rng(-1)) end,
    ["random.default_rng: a seed is a whole number from 0 to 2^64 - 1, or a table of such, got 1.5"] =
      function() return (rng {2, 1.5}) end,
    ["random.default_rng: the table of seeds is empty"] = function() return (rng {}) end,
    ["random.seed: a seed is a whole number"] = function() cn.random.seed "x" end,
    ["a generator has no method 'nomral'; did you mean 'normal'?"] = function() return (g.nomral) end,
    ["a generator has no field 'x' to set"] = function() g.x = 1 end,
    ["normal: expected a generator, got 0; a method is called with a colon, rng:normal()"] =
      function() return (g.normal(0, 1)) end,
    ["normal: scale must not be negative, got -1"] = function() return (g:normal(0, -1)) end,
    ["normal: scale must not be negative, got -2"] = function() return (g:normal(0, {1, -2})) end,
    ["normal: loc is a number, got \"a\""] = function() return (g:normal "a") end,
    ["normal: loc is real, got complex128"] = function() return (g:normal(cn.array {2i})) end,
    ["normal: draws are bfloat16, float16, float32, float64, not int32"] =
      function() return (g:normal {dtype = "int32"}) end,
    ["normal: unknown option 'axis'; known are loc, scale, size, dtype, out"] =
      function() return (g:normal {axis = 1}) end,
    ["normal: out has shape (3,), but the result has shape (4,)"] =
      function() return (g:normal {size = 4, out = cn.zeros(3)}) end,
    ["normal: out has dtype float64, and dtype is float32"] =
      function() return (g:normal {dtype = "float32", out = cn.zeros(3)}) end,
    ["normal: shapes (4,) and (3,) do not broadcast"] = function() return (g:normal(cn.zeros(3), 1, 4)) end,
    ["normal: size is a count, got -1"] = function() return (g:normal {size = -1}) end,
    ["uniform: high must be finite, got inf"] = function() return (g:uniform(0, math.huge)) end,
    ["uniform: low and high are further apart than float32 holds"] =
      function() return (g:uniform(-3e38, 3e38, {dtype = "float32"})) end,
    ["integers: low is missing"] = function() return (g:integers()) end,
    ["integers: low 5 is not below high 5"] = function() return (g:integers(5, 5)) end,
    ["integers: low 6 is above high 5"] = function() return (g:integers(6, 5, {endpoint = true})) end,
    ["integers: low -1 is below what uint8 holds"] = function() return (g:integers(-1, 5, {dtype = "uint8"})) end,
    ["integers: high 129 is above what int8 holds"] = function() return (g:integers(129, {dtype = "int8"})) end,
    ["integers: high is a whole number from -2^63 to 2^64, got 1.5"] = function() return (g:integers(1.5)) end,
    ["integers: draws are bool, int16, int32, int64, int8, uint16, uint32, uint64, uint8, not float32"] =
      function() return (g:integers(5, {dtype = "float32"})) end,
    ["spawn: count is a count, got -1"] = function() return (g:spawn(-1)) end,
    ["set_state: expected what get_state answers, got 1"] = function() return (g:set_state(1)) end,
    ["set_state: calls is a whole number, got nil"] =
      function() return (g:set_state {bit_generator = "Philox4x32", key = 1}) end,
    ["random.rand: a length is a count, got a table; write cn.random.rand(2, 3)"] = function()
      return (cn.random.rand {2, 3})
    end,
    ["random.normal: a function of cn.random is called with a dot: cn.random.normal(...)"] =
      function() return (cn.random:normal()) end,
    ["random has no function 'normla'"] = function() return (cn.random.normla) end,
  } do
    it(text, function() raises(text, fn) end)
  end

  it("bounds in arrays, which are seen where they are used", function()
    local fn = function() return g:integers(5, cn.array({3, 7})):sum():item() end
    local _, message = pcall(fn)
    assert.matches("integers: low 5 and high 3 have no numbers of the dtype between them", message)
    _, message = pcall(function() return g:integers(cn.array {0.5}, 3):sum():item() end)
    assert.matches("integers: a bound is a whole number, and there is 0.5", message)
    _, message = pcall(function() return g:integers(cn.array {300}, 301, {dtype = "uint8"}):sum():item() end)
    assert.matches("integers: low 300 and high 301 have no numbers of the dtype", message)
  end)
end)
