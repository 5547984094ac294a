--- Arrays that golden files describe, in several layouts, and their comparison.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

-- M.rehearsing: whether a preparation runs, in which elements mean nothing.
local M = setmetatable({}, {__index = function(_, name) return name == "rehearsing" and core.is_preparing() or nil end})

local function element(v) return type(v) == "table" and cn.complex(v.re, v.im) or v end

--- The array that {shape =, dtype =, values =} describes.
function M.array(described, dtype)
  local values = {}
  for i, v in ipairs(described.values) do values[i] = element(v) end
  return cn.array(values, dtype or described.dtype):reshape(described.shape)
end

--- The same elements in another layout, by number: row-major, with its axes the other way round in memory, every second
--- element backwards, every element of a wider row.
function M.laid_out(x, number)
  local layout = number % 4
  if layout == 0 or x.size == 0 then return x:copy() end
  if layout == 1 then return x.T:copy().T end
  local step = layout == 2 and -2 or 3
  local wide = cn.zeros({3 * x.size + 1}, x.dtype)
  local view = step == 3 and cn.as_strided(wide["2:"], {x.size}, {3 * x.itemsize}) or wide[{{2 * x.size, 1, -2}}]
  local laid = view:reshape(x.shape)
  laid[cn.ellipsis] = x
  return laid
end

local waiting = {}

--- A function that runs fn. Before the first of a block the kernels of all that wait are compiled together.
function M.prepared(fn)
  waiting[#waiting + 1] = fn
  return function()
    local fns = waiting
    if #fns > 0 and not M.rehearsing then
      waiting = {}
      devices.rehearse(fns)
    end
    fn()
  end
end

local function close(a, b, tolerance)
  if a ~= a or b ~= b then return a ~= a and b ~= b end
  if a == b then return true end
  local scale = math.max(math.abs(a), math.abs(b), 1)
  return math.abs(a - b) <= tolerance * scale
end

local function parts(v)
  if type(v) == "table" then return v.re, v.im end
  if type(v) == "boolean" then return v and 1 or 0, 0 end
  if type(v) == "cdata" and tostring(v):find "[iI]$" then return v.re, v.im end
  return tonumber(v), 0
end

--- Whether two arrays are equal. Where their bytes are, this takes no kernels but those of copies, which a preparation
--- compiles with the others.
function M.equal(a, b)
  if M.rehearsing then return a:copy() and b:copy() and true end
  return a.dtype == b.dtype and a.shape == b.shape and a:tobytes() == b:tobytes() or a == b
end

--- The weighted sum of elements that spec/golden/cases.py writes: its parts, and the sum of the elements' scales.
local function weighted(elements)
  local sum_re, sum_im, scale = 0, 0, 0
  for i, v in ipairs(elements) do
    local weight, re, im = 0.5 + i * 7919 % 104729 / 104729 / 2, parts(v)
    sum_re, sum_im, scale = sum_re + re * weight, sum_im + im * weight, scale + math.max(math.abs(re) + math.abs(im), 1)
  end
  return sum_re, sum_im, scale
end

--- Asserts the sum of all elements, of which a golden file has few.
local function check_sum(described, elements, note, tolerance)
  local re, im, scale = weighted(elements)
  local expected_re, expected_im = parts(described.sum)
  local most = math.max(tolerance, 1e-14) * scale
  if math.abs(re - expected_re) <= most and math.abs(im - expected_im) <= most then return end
  error(("%s: the weighted sum of all elements is %.17g %.17g, expected %.17g %.17g"):format(note, re, im, expected_re,
    expected_im), 3)
end

--- Asserts shape, dtype and elements of x. Elements may differ by `tolerance` of the greater one, or of 1. Of a large
--- array `described` has every so many elements, and the weighted sum of all.
function M.same(described, x, note, tolerance, dtype)
  if M.rehearsing then return x:reshape(-1) end
  note = note or ""
  assert(cn.is_array(x), note .. ": no array")
  dtype = dtype or described.dtype
  assert(x.dtype == dtype, ("%s: dtype %s, expected %s"):format(note, x.dtype, dtype))
  assert(x:has_shape(described.shape), ("%s: shape %s"):format(note, tostring(x.shape)))
  local elements, every = x:reshape(-1):totable(), described.every or 1
  for place, value in ipairs(described.values) do
    local i = (place - 1) * every + 1
    local got = elements[i]
    local re, im = parts(got)
    local expected_re, expected_im = parts(value)
    if not (close(re, expected_re, tolerance or 0) and close(im, expected_im, tolerance or 0)) then
      error(("%s: element %d is %s, expected %s %s"):format(note, i, tostring(got), tostring(expected_re),
        tostring(expected_im)), 2)
    end
  end
  if described.sum then check_sum(described, elements, note, tolerance or 0) end
end

return M
