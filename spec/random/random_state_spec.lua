--- cn.random.RandomState: cuRAND's numbers, by cuna's own kernel and by the library, and NumPy's older functions.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local simgpu = require "spec.simgpu.driver"

local SEED = 12345678901234567ULL
local METHODS = {"PHILOX", "XORWOW", "MRG32K3A", "MTGP32", "MT19937", "SOBOL32", "SCRAMBLED_SOBOL32", "SOBOL64",
  "SCRAMBLED_SOBOL64"}
local function is_quasi(method) return method:find "SOBOL" ~= nil end

-- Results of cuRAND 10.4's host generator CURAND_RNG_PSEUDO_PHILOX4_32_10 with this seed, after `offset` numbers.
-- 262144 is where all sequences have had their turn.
local CURAND = {
  {offset = 0,
    float32 = {0.60558617115020752, 0.20829463005065918, 0.87047034502029419, 0.34774938225746155,
      0.84539729356765747, 0.48587384819984436},
    float64 = {0.20829443941834119, 0.34774949977249608, 0.70725846429673389, 0.66617653370928664,
      0.48587395259496363, 0.66034111780634785},
    normal32 = {0.96736693382263184, 0.25945726037025452, 0.43046781420707703, -0.3035467267036438,
      0.051373165100812912, -0.57728499174118042},
    normal64 = {1.4476135782076669, -1.0207938971497628, -0.71950531127367912, -0.41836623787615407,
      -1.0158409856723214, -0.6416223054649276},
  },
  {offset = 262142,
    float32 = {0.44093406200408936, 0.81828582286834717, 0.47117853164672852, 0.70725870132446289,
      0.70539259910583496, 0.66617667675018311},
    float64 = {0.30639062491882335, 0.64982808879863496, 0.16945527525036358, 0.62543559383837222,
      0.94579568622564136, 0.57563935658754417},
    normal32 = {-1.1637393236160278, 0.53238183259963989, -1.1828261613845825, -0.32551276683807373,
      -0.72224438190460205, -0.4199577271938324},
    normal64 = {-1.2433815730025743, -0.90542318400409783, -1.3359951968352197, -1.3287021237477405,
      -0.1527595618298245, -0.29685339107710224},
  },
  {offset = 1048572,
    float32 = {0.40253320336341858, 0.65764319896697998, 0.16888298094272614, 0.91004109382629395,
      0.10884217172861099, 0.96618998050689697},
    float64 = {0.18312767608384112, 0.43056404057450554, 0.48869252185033213, 0.84654006871512322,
      0.64743454188430571, 0.6651191202064608},
    normal32 = {-1.1282180547714233, -0.73964804410934448, -1.0101723670959473, 1.5926864147186279,
      -0.44405373930931091, 2.0587689876556396},
    normal64 = {0.7786237781496731, -1.6699965221163942, -0.98319596091668382, 0.68217978300310422,
      -0.80295955389315021, -0.4740581431419072},
  },
}

--- Whether the library that cn.random would load is there: the simulated GPU's, or cuRAND.
local has_curand = simgpu.here or pcall(cn.random.RandomState(1, "XORWOW").rand, cn.random.RandomState(1, "XORWOW"), 1)

local function state_at(offset)
  local rs = cn.random.RandomState(SEED)
  local state = rs:get_state()
  state.offset = offset + 0ULL
  return rs:set_state(state)
end

--- All kinds of numbers, whose kernels are compiled together.
local function draw_all(method)
  local rs = cn.random.RandomState(1, method)
  for _, dtype in ipairs {"float32", "float64"} do
    rs:rand(2, {dtype = dtype})
    rs:randn(2, {dtype = dtype})
    rs:standard_exponential(2, dtype)
    rs:lognormal({1, 2}, 1, nil, dtype)
    rs:normal({1, 2}, 3, {3, 2}, dtype)
  end
  for _, dtype in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"} do
    rs:randint(0, 2, 2, dtype)
  end
  rs:permutation(3)
  rs:choice(3, 20)
end

devices.each_device(function(device)
  setup(function()
    cn.prepare(function()
      for _, method in ipairs(has_curand and {"PHILOX", "SOBOL32", "SOBOL64"} or {"PHILOX"}) do draw_all(method) end
    end)
  end)

  describe("RandomState's PHILOX", function()
    it("has cuRAND's numbers of (0, 1], bit for bit, and its normal ones", function()
      for _, row in ipairs(CURAND) do
        for _, dtype in ipairs {"float32", "float64"} do
          assert.same(row[dtype], state_at(row.offset):rand(6, {dtype = dtype}):totable())
          local normal = state_at(row.offset):randn(6, {dtype = dtype})
          cn.testing.assert_allclose(normal, row["normal" .. dtype:sub(-2)], {rtol = 2e-6, atol = 1e-6})
        end
      end
    end)

    it("has the same bits on every device", function()
      local host = cn.device "cpu"
      for _, name in ipairs {"rand", "randn"} do
        for _, dtype in ipairs {"float32", "float64"} do
          local function make()
            local rs = cn.random.RandomState(5)
            return rs[name](rs, 1000, {dtype = dtype})
          end
          assert.is_true(make():to(host) == host:with(make))
        end
      end
    end)
  end)

  for _, method in ipairs(METHODS) do
    describe("RandomState's " .. method, function()
      if method ~= "PHILOX" and not has_curand then return it("needs cuRAND", function() pending "none here" end) end

      it("makes numbers that go on from call to call, and restart with a seed", function()
        local rs = cn.random.RandomState(3, method)
        local all = cn.random.RandomState(3, method):rand(20)
        assert.equal(device, all.device)
        assert.is_true(cn.concatenate {rs:rand(4), rs:rand(10), rs:rand(6)} == all)
        rs:seed(3)
        assert.is_true(rs:rand(20) == all)
        rs:seed(4)
        assert.equal(is_quasi(method), rs:rand(20) == all)
        assert.is_true((all:ge(0):band(all:lt(1))):all())
      end)

      it("makes all kinds, in any shape", function()
        local rs = cn.random.RandomState(9, {method = method})
        for _, dtype in ipairs {"float32", "float64"} do
          for _, name in ipairs {"rand", "randn"} do
            local x = rs[name](rs, 2, 3, {dtype = dtype})
            assert.same({dtype, true}, {x.dtype, x:has_shape(2, 3)})
          end
          for _, name in ipairs {"random_sample", "random", "ranf", "sample", "standard_normal",
            "standard_exponential"} do
            local x = rs[name](rs, {3, 1}, dtype)
            assert.same({dtype, true, true}, {x.dtype, x:has_shape(3, 1), cn.isfinite(x):all()})
          end
          local x = rs:normal({1, 2}, 3, {3, 2}, dtype)
          assert.same({dtype, true}, {x.dtype, x:has_shape(3, 2)})
        end
        for _, size in ipairs {0, {0, 3}, {3, 0}} do assert.equal(0, rs:rand(size).size) end
        assert.equal(0, rs:rand().ndim)
        assert.is_true(rs:randn(5):has_shape(5) and rs:lognormal():item() > 0)
        assert.is_true(rs:exponential(2, {size = 3}):ge(0):all())
      end)

      it("makes whole numbers of all dtypes", function()
        local rs = cn.random.RandomState(2, method)
        for _, dtype in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"} do
          local x = rs:randint(0, 2, {50}, dtype)
          assert.equal(dtype, x.dtype)
          assert.same({0, 1}, {tonumber(x:astype "int64":min():item()), tonumber(x:astype "int64":max():item())})
        end
        local x = rs:randint(-5, 5, 1000)
        assert.same({-5, 4}, {x:min():item(), x:max():item()})
        x = rs:random_integers(6, {size = 1000})
        assert.same({1, 6}, {x:min():item(), x:max():item()})
        assert.is_true(rs:tomaxint(100):ge(0):all())
        assert.is_true(rs:randint(-2 ^ 62, 2 ^ 62, 100):abs():max():item() > 2 ^ 58)
      end)

      it("spreads as it should", function()
        local rs, n = cn.random.RandomState(7, method), 4096
        local x = rs:uniform(-1, 3, n)
        assert.is_true(math.abs(x:mean():item() - 1) < 5 * 4 / math.sqrt(12 * n))
        local counts = cn.bincount(rs:randint(1, 11, n), {minlength = 10})
        assert.is_true(((counts - n / 10) ^ 2 / (n / 10)):sum():item() < 40)
        assert.is_true(rs:uniform(cn.array {1, 2}, 3ULL):ge(1):all())
        x = rs:standard_normal(n)
        assert.is_true(math.abs(x:mean():item()) < 5 / math.sqrt(n))
        if not is_quasi(method) then assert.is_true(math.abs(x:std():item() - 1) < 0.06) end
      end)
    end)
  end

  describe("RandomState", function()
    it("keeps its place", function()
      local rs = cn.random.RandomState(11)
      rs:randn(7)
      rs:permutation(3)
      local kept = rs:get_state()
      local expected = {rs:rand(5), rs:randn(3), rs:permutation(4)}
      rs:set_state(kept)
      for _, x in ipairs(expected) do
        local again = x.size == 5 and rs:rand(5) or x.size == 3 and rs:randn(3) or rs:permutation(4)
        assert.is_true(x == again)
      end
    end)

    it("has what generators have", function()
      local rs = cn.random.RandomState(1)
      assert.same({1, 2, 3, 4, 5}, rs:permutation(5):sort():totable())
      local x = cn.arange(10)
      assert.same(cn.arange(10):totable(), rs:shuffle(x):sort():totable())
      assert.is_true(rs:choice(3, 20):le(3):all())
      assert.equal(6, #rs:bytes(6))
    end)

    it("makes points", function()
      if not has_curand then return pending "no cuRAND here" end
      local points = cn.random.RandomState(0, "SOBOL32", 2):rand(2, 64)
      local cells = (points * 4):floor()
      for axis = 1, 2 do
        assert.same({16, 16, 16, 16}, cn.bincount(cells[axis]:astype "int64" + 1, {minlength = 4}):totable())
      end
    end)

    if device.kind == "cuda" and simgpu.here then
      it("reports cuRAND's errors", function()
        local rs = cn.random.RandomState(1, "XORWOW")
        rs:rand(3)
        for symbol, code in pairs {curandGenerateUniformDouble = 103, curandSetStream = 201} do
          simgpu.cuda.simgpu_fail(symbol, 1, code, 0)
          raises("DeviceError: RandomState: cuRAND's ", function() local _ = rs:rand(3) end)
        end
        simgpu.cuda.simgpu_fail("curandCreateGenerator", 1, 102, 1)
        raises("OutOfMemoryError: RandomState: cuRAND's generator on cuda:0 returned CURAND_STATUS_ALLOCATION_FAILED",
          function() local _ = cn.random.RandomState(1, "XORWOW"):rand(3) end)
        simgpu.cuda.simgpu_fail("curandCreateGenerator", 0, 0, 0)
        assert.is_true(rs:rand(3):lt(1):all())
      end)
    end
  end)
end)

describe("without cuRAND", function()
  local environment = {CUNA_CURAND = "off", CUNA_DEVICE = "cpu"}

  it("PHILOX is there, and others say what is missing", function()
    local text = process.run([[
      local cn = require "cuna"
      print(cn.random.RandomState(1):rand(2).size)
      print(select(2, pcall(function() return cn.random.RandomState(1, "XORWOW"):rand(2) end)))]], environment)
    assert.has.match("^2\n[^\n]*cuna: DeviceError: RandomState: no cuRAND: looked for %$CUNA_CURAND %(off%) and "
      .. "nothing else; install the CUDA toolkit's libcurand, or take the method PHILOX\n$", text)
  end)
end)

describe("cuRAND's own PHILOX", function()
  local found = process.shell "ls /usr/local/cuda/lib64/libcurand.so.10 2>/dev/null":match "^[^\n]+"

  it("makes what cuna's kernel makes", function()
    if not found or process.is_sanitized then return pending "no cuRAND of a toolkit here" end
    local text = process.must_run([[
      local cn, core = require "cuna", require "cuna.core"
      local generator = core.curand_create(cn.device(), "PHILOX", 1)
      core.curand_seed(generator, 77, 0)
      local rs = cn.random.RandomState(77)
      print(core.curand_fill(generator, "uniform", cn.empty(300000, "float32")) == rs:rand(300000, {dtype = "float32"}))
      generator = core.curand_create(cn.device(), "PHILOX", 1)
      core.curand_seed(generator, 77, 0)
      rs:seed(77)
      print(core.curand_fill(generator, "uniform", cn.empty(300000)) == rs:rand(300000))]],
      {CUNA_CURAND = found, CUNA_DEVICE = "cpu", LD_LIBRARY_PATH = ""})
    assert.equal("true\ntrue\n", text)
  end)
end)

describe("RandomState refuses", function()
  local rs = cn.random.RandomState(1)
  local ROWS = {
    {'random.RandomState: there is no method "xorwow"; did you mean "XORWOW"?', function()
      cn.random.RandomState(1, "xorwow")
    end},
    {"random.RandomState: there is no method 5", function() cn.random.RandomState(1, 5) end},
    {"random.RandomState: a seed is a whole number from 0 to 2^64 - 1", function() cn.random.RandomState(-1) end},
    {"random.RandomState: dimensions is 2, and the numbers of PHILOX have 1", function()
      cn.random.RandomState(1, {dimensions = 2})
    end},
    {"RandomState: 5 numbers are not whole points of 2 dimensions", function()
      cn.random.RandomState(1, "SOBOL32", 2):rand(5)
    end},
    {"random.RandomState: a function of cn.random is called with a dot", function() cn.random:RandomState(1) end},
    {"rand: expected a RandomState, got 3; a method is called with a colon, rs:rand()", function() rs.rand(3) end},
    {"rand: dtype is float32 or float64, got float16", function() rs:rand(3, {dtype = "float16"}) end},
    {"rand: a length is a count, got 1.5", function() rs:rand(1.5) end},
    {"randint: low is 5, and high 5: there is nothing between", function() rs:randint(5, 5) end},
    {"randint: [0, 300) does not fit in uint8", function() rs:randint(300, {dtype = "uint8"}) end},
    {"randint: dtype is of whole numbers, got float32", function() rs:randint(3, {dtype = "float32"}) end},
    {"uniform: low is a number", function() rs:uniform("a") end},
    {"a RandomState has no method 'rnd'; did you mean 'rand'?", function() rs:rnd() end},
    {"a RandomState has no field 'x' to set", function() rs.x = 1 end},
    {"set_state: expected what get_state of a RandomState with method PHILOX answers", function() rs:set_state {} end},
    {"RandomState: MT19937 cannot begin behind 4 numbers", function()
      local state = rs:get_state()
      state.method, state.offset = "MT19937", 4ULL
      cn.random.RandomState(1, "MT19937"):set_state(state)
    end},
  }
  for _, row in ipairs(ROWS) do
    it(row[1], function() raises(row[1], row[2]) end)
  end

  it("generators that are not cuRAND's", function()
    raises("RandomState: expected a generator of cuRAND's, got number", function() core.curand_seed(1, 2, 3) end)
  end)
end)
