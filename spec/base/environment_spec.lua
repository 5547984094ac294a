--- Variables of the environment: each wrong value is an error where cuna is loaded.
local process = require "spec.support.process"

local SCRIPT = [[
  -- the first line
  local cn = require "cuna"
  io.write(tostring(cn.ones(2)))]]

local MISSING = ": No such file or directory"

local ROWS = {
  {"CUNA_SYNC", {"yes", "2", "-1", " 1"}, "; give 0 or 1"},
  {"CUNA_EAGER", {"no", "2"}, "; give 0 or 1"},
  {"CUNA_RANDOM_SEED", {"1.5", "-1", "18446744073709551616", "seed"}, "; give a whole number from 0 to 2^64 - 1"},
  {"CUNA_NUM_THREADS", {"abc", "0", "-4", "257", "4x", "1e1"}, "; give a whole number from 1 to 256"},
  {"CUNA_CACHE_SIZE", {"1GiB", "-1", "9223372036854775808"}, "; give a whole number of bytes"},
  {"CUNA_INDEX_LIMIT", {"0", "many", "2147483648"}, "; give a whole number from 1 to 2^31 - 1"},
  {"CUNA_MEMORY_LIMIT", {"abc", "101%"}, "; give bytes or a percentage such as 50%"},
  {"CUNA_NVRTC", {"/nowhere"}, MISSING .. "; give the path of the NVRTC library, or off"},
  {"CUNA_OPENBLAS", {"./nowhere.so"}, MISSING .. "; give the path of the OpenBLAS library, or off"},
  {"CUNA_CURAND", {"/"}, ": Is a directory; give the path of the cuRAND library, or off"},
  {"CUNA_FFTW", {"nowhere"}, MISSING .. "; give the folder of FFTW's libraries, or off"},
  {"CUNA_FFTW", {"/dev/null"}, ": Not a directory; give the folder of FFTW's libraries, or off"},
  {"CUNA_LOG", {"verbose", "give", "compile,"}, "; give compile, fuse or all"},
  {"CUNA_PACK_DIR", {"/nowhere"}, MISSING .. "; give the folder that make pack filled, or off"},
}

describe("a variable of the environment", function()
  for _, row in ipairs(ROWS) do
    local name, values, words = unpack(row)
    for _, value in ipairs(values) do
      it(("%s is not %q"):format(name, value), function()
        local text, status = process.run(SCRIPT, {[name] = value})
        assert.equal(1, status)
        local expected = ("child_spec.lua:2: cuna: %s is '%s'%s\n"):format(name, value, words)
        assert.is_truthy(text:find(expected, 1, true), text)
      end)
    end
  end

  it("may have any value of its range, or none", function()
    for _, row in ipairs {
      {"CUNA_SYNC", "0"}, {"CUNA_SYNC", "1"}, {"CUNA_EAGER", "0"},
      {"CUNA_NUM_THREADS", "1"}, {"CUNA_NUM_THREADS", "256"},
      {"CUNA_RANDOM_SEED", "18446744073709551615"}, {"CUNA_CACHE_SIZE", "9223372036854775807"},
      {"CUNA_INDEX_LIMIT", "2147483647"}, {"CUNA_MEMORY_LIMIT", "100%"}, {"CUNA_OPENBLAS", "libm.so.6"},
      {"CUNA_FFTW", "off"}, {"CUNA_FFTW", "/usr"}, {"CUNA_CURAND", "off"},
    } do
      assert.equal("[1. 1.]", process.must_run(SCRIPT, {[row[1]] = row[2]}))
      assert.equal("[1. 1.]", process.must_run(SCRIPT, {[row[1]] = ""}))
    end
  end)

  it("names the device that is not there", function()
    local text, status = process.run(SCRIPT, {CUNA_DEVICE = "tpu"})
    assert.equal(1, status)
    assert.has.match("child_spec.lua:2: cuna: CUNA_DEVICE: there is no device 'tpu'; this machine has cpu", text)
  end)

  it("is a seed of 64 bits", function()
    local script = [[
      local cn = require "cuna"
      print(cn.random.rand(3) == cn.random.default_rng(18446744073709551615ULL):random(3))]]
    assert.equal("true\n", process.must_run(script, {CUNA_RANDOM_SEED = "18446744073709551615"}))
  end)
end)
