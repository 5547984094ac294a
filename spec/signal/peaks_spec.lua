--- Peaks of cn.signal.
local cn = require "cuna"
local devices = require "spec.support.devices"

require("spec.support.signal").check_group "peaks"

--- A walk of whole numbers, so that elements are equal, with a few NaN far from each other.
local function walk_of(n)
  local list, at, state = {}, 0, 12345
  for k = 1, n do
    state = state * 16807 % (2 ^ 31 - 1)
    at = at + state % 5 - 2
    list[k] = k % 9973 == 5 and 0 / 0 or at
  end
  return list
end

--- The position of the lowest element before one that is not at most x[peak], or of the first of equal ones.
local function base_of(x, peak, last, way)
  local low = peak
  local k = peak
  while (last - k) * way >= 0 and x[k] <= x[peak] do -- NaN ends it too
    if x[k] < x[low] then low = k end
    k = k + way
  end
  return low
end

--- Where a line at a height meets a flank.
local function crossing_of(x, peak, base, height, way)
  local k = peak
  while k ~= base and height < x[k] do k = k + way end
  return x[k] < height and k - way * (height - x[k]) / (x[k - way] - x[k]) or k
end

local function measured(x, peaks, reach)
  local made = {prominences = {}, left_bases = {}, right_bases = {}, left_ips = {}, right_ips = {}}
  for i, peak in ipairs(peaks) do
    local left = base_of(x, peak, math.max(peak - reach, 1), -1)
    local right = base_of(x, peak, math.min(peak + reach, #x), 1)
    local prominence = x[peak] - math.max(x[left], x[right])
    local height = x[peak] - prominence * 0.75
    made.left_bases[i], made.right_bases[i], made.prominences[i] = left, right, prominence
    made.left_ips[i] = crossing_of(x, peak, left, height, -1)
    made.right_ips[i] = crossing_of(x, peak, right, height, 1)
  end
  return made
end

devices.each_device(function()
  it("find_peaks passes runs of long vectors like their elements", function()
    local n = 36000
    local list = walk_of(n)
    local x = cn.array(list)
    for _, reach in ipairs {n, 5000} do
      local wlen = reach < n and 2 * reach or nil
      local peaks, found = cn.signal.find_peaks(x, {width = 0, rel_height = 0.75, wlen = wlen})
      local expected = measured(list, peaks:totable(), reach)
      assert.is_true(peaks.size > 1000)
      for _, word in ipairs {"left_bases", "right_bases", "prominences", "left_ips", "right_ips"} do
        assert.array_equal(cn.array(expected[word]), found[word]:astype "float64", word)
      end
    end
  end)
end)
