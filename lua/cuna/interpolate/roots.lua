--- roots.lua: real roots of piecewise polynomials, on the host.
--
-- Between the roots of its derivative a polynomial has at most one root, which bisection and secants find (Illinois);
-- so the roots of each derivative lead to those of the polynomial.
local M = {}

local function value_of(c, x)
  local y = c[1]
  for k = 2, #c do y = y * x + c[k] end
  return y
end

local function derivative_of(c)
  local d = {}
  for k = 1, #c - 1 do d[k] = c[k] * (#c - k) end
  return d
end

--- The sum of the sizes of a polynomial's terms: the scale of its rounding errors.
local function scale_of(c, x)
  local y = math.abs(c[1])
  for k = 2, #c do y = y * math.abs(x) + math.abs(c[k]) end
  return y
end

--- The root between points where the values differ in sign.
local function root_between(c, a, b)
  local fa, fb = value_of(c, a), value_of(c, b)
  for _ = 1, 200 do
    local middle = (a * fb - b * fa) / (fb - fa)
    if not (middle > math.min(a, b) and middle < math.max(a, b)) then middle = (a + b) / 2 end
    local f = value_of(c, middle)
    if f == 0 or middle == a or middle == b then return middle end
    if (f > 0) == (fb > 0) then
      b, fb, fa = middle, f, fa / 2
    else
      a, fa, b, fb = b, fb, middle, f
    end
    if math.abs(b - a) <= 2 ^ -52 * math.abs(b) then return b end
  end
  return b
end

local function without_zeros(c)
  local first = 1
  while first < #c and c[first] == 0 do first = first + 1 end
  return {unpack(c, first)}
end

--- Adds a root that is not the last one again.
local function add(list, x)
  local last = list[#list]
  if not last or x > last + 4 * 2 ^ -52 * math.abs(x) then list[#list + 1] = x end
end

--- The real roots from `low` to `high`, rising; a polynomial that is 0 has the root low.
function M.of(c, low, high)
  c = without_zeros(c)
  local found = {}
  if #c == 1 then return c[1] == 0 and {low} or {} end
  if #c == 2 then
    local x = -c[2] / c[1]
    return x >= low and x <= high and {x} or {}
  end
  local points = M.of(derivative_of(c), low, high)
  table.insert(points, 1, low)
  points[#points + 1] = high
  for i, x in ipairs(points) do
    local y = value_of(c, x)
    local before = points[i - 1]
    local y_before = before and value_of(c, before)
    if before and (y_before < 0 and y > 0 or y_before > 0 and y < 0) then add(found, root_between(c, before, x)) end
    if math.abs(y) <= 4 * 2 ^ -52 * scale_of(c, x) then add(found, x) end
  end
  return found
end

--- A bound of the sizes of roots.
local function bound_of(c)
  c = without_zeros(c)
  local most = 0
  for k = 2, #c do most = math.max(most, math.abs(c[k] / c[1])) end
  return c[1] == 0 and 0 or 1 + most
end

--- Coefficients of interval i of function j, less y.
local function piece(coefficients, i, j, y)
  local c = {}
  for k = 1, #coefficients do c[k] = coefficients[k][i][j] end
  c[#c] = c[#c] - y
  return c
end

--- Points where each function is y: coefficients[power][interval][function].
---@return number[][] by function
function M.solve(x, coefficients, y, discontinuity, extrapolate)
  local found, count = {}, #x - 1
  for j = 1, #coefficients[1][1] do
    local list, before = {}, nil
    for i = 1, count do
      local c = piece(coefficients, i, j, y)
      local width = x[i + 1] - x[i]
      local low = i == 1 and extrapolate and -bound_of(c) or 0
      local high = i == count and extrapolate and math.max(bound_of(c), width) or width
      local start = value_of(c, 0)
      if discontinuity and before and (before < 0 and start > 0 or before > 0 and start < 0) then add(list, x[i]) end
      for _, root in ipairs(M.of(c, math.min(low, 0), high)) do
        if root < width or i == count or start == 0 and root == 0 then add(list, x[i] + root) end
      end
      before = value_of(c, width)
      if math.abs(before) <= 4 * 2 ^ -52 * scale_of(c, width) and i < count then before = 0 end
    end
    found[j] = list
  end
  return found
end

return M
