--- interp.lua: values between the points of a function, on straight lines.
--
-- One kernel: each x finds its place among the points by halving, reads the two beside it and computes; points and
-- values are read where they lie, whatever their layout. With a period the points must be brought into order first: a
-- merge sort in which each element finds its place in the other run by halving, too.
local args = require "cuna.args"
local check = require "cuna.check"
local core = require "cuna.core"
local program = require "cuna.program"
local slices = require "cuna.slices"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local STORAGE = {bool = "bool8"} -- in kernel text, where it is not the dtype's name

-- ---- texts ----

-- How many of d points at address b, c bytes apart, are not above a.
local PLACE = [[[=] {
    int64 low = 0;
    for (int64 left = d; left > 0;) {
        const int64 half = left >> 1;
        const bool below = to_number<double>(load(*(const %s *)(b + (low + half) * c))) <= a;
        low = below ? low + half + 1 : low;
        left = below ? left - half - 1 : half;
    }
    return low;
}()]]
-- The point before a place that counts a points, of b in all, or the one behind it; at the ends the nearest.
local BEFORE, BEHIND = "(a > 0 ? a : 1) - 1", "a < b ? (a > 0 ? a : b > 1) : b - 1"
local FETCHED = "convert<D>(load(*(const %s *)(a + b * c)))"
-- The line through (b, d) and (c, e) at a. Where it is no number the second point may be nearer, or both are one
-- height.
local LINE = [[[=] {
    const auto line = [=](double d, double e) {
        const double slope = (e - d) / (c - b), low = slope * (a - b) + d, high = slope * (a - c) + e;
        const double value = isnan(low) ? (isnan(high) && d == e ? d : high) : low;
        return a == b ? d : value;
    };
    return %s;
}()]]
local LINES = {float64 = LINE:format "line(d, e)", complex128 = LINE:format "R(line(d.re, e.re), line(d.im, e.im))"}
-- Where x (a) is: 1 before all points, 2 behind the last one (b), 3 nowhere; c of d points are not above it.
local SIDE = "isnan(a) ? 3 : c == 0 ? 1 : c == d && a > b ? 2 : 0"
local CHOSEN = "b == 0 ? a : b == 1 ? c : b == 2 ? d : R(e)"

local function draw(draft, dtypes, result)
  local x, xp, fp = draft:input(dtypes[1]), draft:input(dtypes[2], "address"), draft:input(dtypes[3], "address")
  local left, right = draft:input(dtypes[4]), draft:input(dtypes[5])
  local xp_stride, fp_stride = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local count = draft:input("int64", "scalar")
  local points, values = STORAGE[dtypes[2]] or dtypes[2], STORAGE[dtypes[3]] or dtypes[3]
  local place = draft:step("place", PLACE:format(points), "int64", {x, xp, xp_stride, count},
    {"float64", "int64", "int64", "int64"})
  local before = draft:step("before", BEFORE, "int64", {place, count})
  local behind = draft:step("behind", BEHIND, "int64", {place, count})
  local function fetch(array, at, stride, storage, dtype)
    return draft:step("fetched", FETCHED:format(storage), dtype, {array, at, stride}, "int64")
  end
  local x0, x1 = fetch(xp, before, xp_stride, points, "float64"), fetch(xp, behind, xp_stride, points, "float64")
  local y0, y1 = fetch(fp, before, fp_stride, values, result), fetch(fp, behind, fp_stride, values, result)
  local line = draft:step("line", LINES[result], result, {x, x0, x1, y0, y1},
    {"float64", "float64", "float64", result, result})
  local side = draft:step("side", SIDE, "int64", {x, x0, place, count}, {"float64", "float64", "int64", "int64"})
  draft:step("chosen", CHOSEN, result, {line, side, left, right, x}, {result, "int64", result, result, "float64"})
  draft.gathers, draft.output = true, result
end

-- ---- order ----

-- Where element b of d goes when runs of c at address a are merged by pairs: behind the elements of the other run
-- that are less, or in the first run equal.
local MERGED = [[[=] {
    const double *p = (const double *)a;
    const int64 first = b / (2 * c) * (2 * c), last = first + 2 * c < d ? first + 2 * c : d;
    const int64 middle = first + c < d ? first + c : d;
    const bool ahead = b < middle;
    const int64 start = ahead ? middle : first;
    int64 low = start, high = ahead ? last : middle;
    while (low < high) {
        const int64 half = (low + high) >> 1;
        const bool before = ahead ? p[half] < p[b] : p[half] <= p[b];
        low = before ? half + 1 : low;
        high = before ? high : half;
    }
    return ahead ? b + (low - start) : b - (middle - first) + (low - start);
}()]]
local MOVED = "stored<E>(b + c * int64(sizeof(E)), a)"

local function draw_merge(draft, dtype)
  local xp, fp, own = draft:input "float64", draft:input(dtype), draft:input("float64", "address")
  local to_xp, to_fp = draft:input("float64", "address"), draft:input(dtype, "address")
  local run, count = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local to = draft:step("merged", MERGED, "int64", {own, draft:position(), run, count})
  draft:step("moved", MOVED, "bool", {xp, to_xp, to}, {"float64", "int64", "int64"})
  draft:step("moved", MOVED, "bool", {fp, to_fp, to}, {dtype, "int64", "int64"})
  draft.gathers, draft.outputs = true, {}
end

--- The address of a vector's first element, as an operand for every one.
local function base(x, count) return core.view(x, {count}, {0}, 0) end

--- Points in order, and their values.
local function sort(xp, fp)
  local count, run = xp.size, 1
  while run < count do
    local to_xp = core.empty(count, "float64", xp.device, "interp")
    local to_fp = core.empty(count, fp.dtype, xp.device, "interp")
    core.run(program.get("merge " .. fp.dtype, draw_merge, fp.dtype), "interp", {count}, {}, xp, fp, base(xp, count),
      base(to_xp, count), base(to_fp, count), run, count)
    xp, fp, run = to_xp, to_fp, 2 * run
  end
  return xp, fp
end

local function draw_period(draft, own, shift)
  local x, period = draft:input(own), draft:input("float64", "scalar")
  draft:step("within", ("remainder(a, b) + %s"):format(shift), "float64", {x, period})
  draft.output = "float64"
end

--- x within a period, moved by `shift`, kernel text of the period b.
local function within(x, period, shift, out)
  local key = table.concat({"period", x.dtype, shift}, " ")
  return core.map(program.get(key, draw_period, x.dtype, shift), "interp", nil, out, x, period)
end

--- Points of a period in order, with the last one before and the first one behind it, and their values.
local function one_period(xp, fp, period, result)
  local count = xp.size
  xp, fp = sort(within(xp, period, "0"), core.cast(fp, result, "interp"))
  local points = core.empty(count + 2, "float64", xp.device, "interp")
  local values = core.empty(count + 2, result, xp.device, "interp")
  slices.part(points, 1, 2, count)[core.ellipsis], slices.part(values, 1, 2, count)[core.ellipsis] = xp, fp
  within(slices.part(xp, 1, count, 1), period, "-b", slices.part(points, 1, 1, 1))
  within(slices.part(xp, 1, 1, 1), period, "b", slices.part(points, 1, count + 2, 1))
  slices.part(values, 1, 1, 1)[core.ellipsis] = slices.part(fp, 1, count, 1)
  slices.part(values, 1, count + 2, 1)[core.ellipsis] = slices.part(fp, 1, 1, 1)
  return points, values
end

-- ---- arguments ----

local function points_of(xp, fp, device)
  xp, fp = check.array(xp, "interp", device), check.array(fp, "interp", device)
  check.same_device(xp, fp, "interp")
  if xp.ndim ~= 1 or fp.ndim ~= 1 or xp.size ~= fp.size then
    fail("interp: points and values are vectors of one length, got shapes %s and %s", tostring(xp.shape),
      tostring(fp.shape))
  elseif xp.size == 0 then
    fail "interp: there are no points"
  elseif xp.dtype:find "^complex" then
    fail "interp: points are real"
  end
  return xp, fp
end

--- A value outside of the points: what is given, or the value of a point.
local function outside(value, fp, place, result, what)
  if value == nil then return slices.at(fp, 1, place) end
  value = check.array(value, "interp", fp.device)
  check.same_device(fp, value, "interp")
  if value.ndim > 0 then fail("interp: %s is one number, got shape %s", what, tostring(value.shape)) end
  if value.dtype:find "^complex" and result == "float64" then
    fail("interp: %s is complex, and the values are real", what)
  end
  return value
end

local function check_period(period)
  period = check.number(period, "interp", "the period")
  period = type(period) == "number" and period or tonumber(period)
  if not period or period == 0 then fail "interp: the period is a number that is not 0" end
  return math.abs(period)
end

local read = args.reader("interp", {"x", "xp", "fp", "left", "right", "period"}, 3)

--- The values at x of the function that goes through points on straight lines. Points grow, unless there is a period:
--- then they may have any order, and x any place. Computed as float64 or complex128; NaN gives NaN. Follows
--- numpy.interp.
---@param x cuna.Operand any shape
---@param xp cuna.Operand the points, 1-d, real
---@param fp cuna.Operand their values
---@param left cuna.Operand|nil the value before the first point, default that of the first
---@param right cuna.Operand|nil the value behind the last point, default that of the last
---@param period number|nil after which the function repeats; left and right do not matter then
---@return cuna.Array x's shape, float64 or complex128
---@usage cn.interp({0, 1, 1.5, 2.72, 3.14}, {1, 2, 3}, {3, 2, 0}) --> [3. 3. 2.5 0.56 0. ]
---@usage cn.interp({-180, 185, 370}, {190, -190, 350}, {5, 10, 3}, {period = 360}) --> [7.5 6.25 3.77777778]
function F.interp(...)
  local x, xp, fp, left, right, period = read(...)
  local device = check.device_of {x or 0, xp or 0, fp}
  x = check.array(x, "interp", device)
  xp, fp = points_of(xp, fp, x.device)
  check.same_device(x, xp, "interp")
  if x.dtype:find "^complex" then fail "interp: x is real" end
  local result = fp.dtype:find "^complex" and "complex128" or "float64"
  if period ~= nil then
    period = check_period(period)
    x = within(x, period, "0")
    xp, fp = one_period(xp, fp, period, result)
    left, right = nil, nil
  end
  left, right = outside(left, fp, 1, result, "left"), outside(right, fp, xp.size, result, "right")
  local dtypes = {x.dtype, xp.dtype, fp.dtype, left.dtype, right.dtype}
  local key = "interp " .. table.concat(dtypes, " ")
  local shape, still = x.shape, {}
  for axis = 1, #shape do still[axis] = 0 end
  return core.map(program.get(key, draw, dtypes, result), "interp", nil, nil, x, core.view(xp, shape, still, 0),
    core.view(fp, shape, still, 0), left, right, xp.strides[1], fp.strides[1], xp.size)
end

return M
