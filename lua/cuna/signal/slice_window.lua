--- slice_window.lua: the windows of ShortTimeFFT: numbers on the host, real or complex, and what follows from them.
--
-- A window has two lists, `re` and `im`; a real one has no `im`.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"

local M = {}

local fail = check.fail

--- The square of the absolute value of number k.
local function square(win, k)
  local im = win.im and win.im[k] or 0
  return win.re[k] * win.re[k] + im * im
end

--- A window of what a user gave: finite numbers, at least one.
function M.read(value, name, what)
  given.vector(value, name, what)
  local list, re, im, is_complex = given.elements(value, name), {}, {}, false
  if #list == 0 then fail("%s: %s has no numbers", name, what) end
  for k, number in ipairs(list) do
    local is_pair = core.number_kind(number) == "complex"
    re[k], im[k] = is_pair and number.re or tonumber(number), is_pair and number.im or 0
    if re[k] - re[k] ~= 0 or im[k] - im[k] ~= 0 then
      fail("%s: %s has finite numbers, number %d is %s", name, what, k, tostring(number))
    end
    is_complex = is_complex or is_pair
  end
  return {re = re, im = is_complex and im or nil}
end

--- The size of the numbers' sum.
function M.size_of_sum(win)
  local re, im = 0, 0
  for k, value in ipairs(win.re) do re, im = re + value, im + (win.im and win.im[k] or 0) end
  return math.sqrt(re * re + im * im)
end

--- The sum of the squares of their sizes.
function M.energy(win)
  local sum = 0
  for k = 1, #win.re do sum = sum + square(win, k) end
  return sum
end

--- A window whose numbers `fn` makes of the parts of another one's and their places.
local function map(win, fn)
  local made = {re = {}, im = win.im and {}}
  for k, value in ipairs(win.re) do
    made.re[k] = fn(value, k)
    if win.im then made.im[k] = fn(win.im[k], k) end
  end
  return made
end

function M.times(win, factor) return map(win, function(value) return value * factor end) end

--- The window whose products with the conjugates of the shifted `win` add up to 1, the canonical dual one; nil if there
--- is none.
function M.dual_of(win, hop)
  local sums, most = {}, 0
  for k = 1, #win.re do
    local at = (k - 1) % hop + 1
    sums[at] = (sums[at] or 0) + square(win, k)
  end
  for _, sum in ipairs(sums) do most = math.max(most, sum) end
  for at = 1, hop do
    if not sums[at] or sums[at] < 1e-15 * most then return nil end
  end
  return map(win, function(value, k) return value / sums[(k - 1) % hop + 1] end)
end

--- Whether the window is 0 from one place (from 0) up to another one, which does not count.
function M.is_zero(win, from, to)
  for k = math.max(from, 0) + 1, math.min(to, #win.re) do
    if square(win, k) ~= 0 then return false end
  end
  return true
end

--- The window as an array; `part` is the dtype of a real one, and of the parts of a complex one.
function M.array(win, part, device, name)
  local re = core.as_array(win.re, part, device, name)
  if not win.im then return re end
  local dtype = part == "float32" and "complex64" or "complex128"
  local cn = args.namespace
  return core.cast(re + core.as_array(win.im, part, device, name) * cn.complex(0, 1), dtype, name)
end

return M
