--- The functions that random draws are made of: their errors, and that no compilation changes a bit of them.
local process = require "spec.support.process"

-- The greatest error allowed, in ulp; 2 for what is not here.
local LIMITS = {log = 1, log_near_1 = 1, log_subnormal = 1, exp = 1, exp_near_0 = 1, exp_subnormal = 1, sinpi = 1.05,
  cospi = 1.05, tanpi = 3, atan = 3, atan_near_1 = 3, lgamma = 3, lgamma_tiny = 3, lgamma_plus_1 = 50}

-- With vectors of this machine, and for a processor that has neither wide ones nor a fused multiplication.
local BUILDS = {"-O3 -march=native -mprefer-vector-width=512", "-O1"}

local known = {} -- by flags

local function measured(flags)
  if known[flags] then return known[flags] end
  local folder = process.folder()
  local text, status = process.shell(("g++ -std=gnu++14 -w -ffp-contract=off -fno-math-errno -fno-trapping-math %s "
    .. "spec/support/own.cc -o %s/measure && %s/measure"):format(flags, folder, folder))
  process.remove(folder)
  assert(status == 0, text)
  known[flags] = text
  return text
end

describe("functions of random draws", function()
  it("are exact to a few digits", function()
    local count = 0
    for line in measured(BUILDS[1]):gmatch "[^\n]+" do
      local name, dtype, error_ulps = line:match "^(%S+) (%S+) (%S+) %S+ %x+$"
      assert(name, line)
      local limit = LIMITS[name] or 2
      assert(tonumber(error_ulps) <= limit, ("%s of %s: %s ulp"):format(name, dtype, error_ulps))
      count = count + 1
    end
    assert.equal(2 * 24, count)
  end)

  it("have the same bits however they are compiled", function()
    assert.equal(measured(BUILDS[1]), measured(BUILDS[2]))
  end)
end)
