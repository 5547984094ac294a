--- interp.lua: values between the points of a function, on straight lines.
--
-- In one kernel, each lane takes a few neighbouring x. For each x, it first tests the interval of the previous x, then
-- the interval that evenly spaced points would give, and bisects only if both are wrong. Sorted x and evenly spaced
-- points therefore need no search. With a period, the points are sorted first.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local gather = require "cuna.gather"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"
local sort = require "cuna.sort"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- lines between points ----

local TILE = 16 -- x of a lane

-- Reads d values at address a and writes their results at b; c is the number of the tile. The g points are at e and
-- their values at f. BEFORE and BEHIND are the results before the first point and after the last one, in h if they are
-- not the values there. A place is the number of points that are not above a value.
local TEXT = [[[=] {
    const double *x = (const double *)a + c * TILE;
    R *out = (R *)b + c * TILE;
    const double *xp = (const double *)e;
    const R *fp = (const R *)f;
    const double first = xp[0], last = xp[g - 1], density = double(g - 1) / (last - first);
    const int64 n = d - c * TILE < TILE ? d - c * TILE : TILE;
    const auto is_place = [=](int64 place, double v) { return xp[place - 1] <= v && (place == g || v < xp[place]); };
    const auto find = [=](double v) {
        const double share = (v - first) * density;
        const int64 guess = share >= 0 && share < double(g) ? int64(share) : 0;
        for (int64 place = guess > 0 ? guess : 1; place <= g && place < guess + 3; ++place)
            if (is_place(place, v))
                return place;
        int64 low = 1;
        for (int64 left = g - 1; left > 0;) {
            const int64 half = (left + 1) >> 1;
            low += half & -int64(xp[low + half - 1] <= v);
            left -= half;
        }
        return low;
    };
    int64 place = 0;
    for (int64 i = 0; i < n; ++i) {
        const double v = x[i];
        if (!(v >= first && v <= last)) {
            out[i] = v < first ? BEFORE : v > last ? BEHIND : R(v);
            continue;
        }
        if (place == 0 || !is_place(place, v))
            place = place > 0 && place < g && is_place(place + 1, v) ? place + 1 : find(v);
        const int64 next = place < g ? place : g - 1;
        const double x0 = xp[place - 1], x1 = xp[next];
        const auto line = [=](double y0, double y1) {
            const double slope = (y1 - y0) / (x1 - x0), low = slope * (v - x0) + y0, high = slope * (v - x1) + y1;
            return v == x0 ? y0 : !isnan(low) ? low : isnan(high) && y0 == y1 ? y0 : high;
        };
        const R y0 = fp[place - 1], y1 = fp[next];
        out[i] = %s;
    }
    return R(0);
}()]]
local LINES = {float64 = "line(y0, y1)", complex128 = "R(line(y0.re, y1.re), line(y0.im, y1.im))"}

local ENDS = {[true] = {BEFORE = "((const R *)h)[0]", BEHIND = "((const R *)h)[1]"},
  [false] = {BEFORE = "fp[0]", BEHIND = "fp[g - 1]"}}

local function draw(draft, result, has_ends)
  local x, out = draft:input("float64", "head"), draft:input(result, "head")
  local xp, fp = draft:input("float64", "head"), draft:input(result, "head")
  local size, count = draft:input("int64", "scalar"), draft:input("int64", "scalar")
  local ends = has_ends and draft:input(result, "head") or nil
  local text = TEXT:gsub("TILE", TILE):gsub("BE%u+", ENDS[has_ends]):format(LINES[result])
  draft:step("interp", text, result, {x, out, draft:position(), size, xp, fp, count, ends}, "int64")
  draft.gathers, draft.outputs = true, {}
end

--- Values at x on the lines between points, as float64 or complex128.
---@param ends cuna.Array|nil of this dtype: the results before the first point and after the last one; default: the
--- values there
function M.on_lines(x, xp, fp, result, ends)
  local out, size = core.empty_like(x, result, "interp"), x.size
  if size == 0 then return out end
  x, xp = core.dense(x, "float64", "interp"), core.dense(xp, "float64", "interp")
  core.map(program.of(draw, result, ends ~= nil), "interp", math.ceil(size / TILE), nil, x, out, xp,
    core.dense(fp, result, "interp"), size, xp.size, ends)
  return out
end

-- ---- periods ----

--- Points in order, and their values.
local function in_order(xp, fp)
  local order = sort.order(xp, 1, false, "interp")
  local function move(x) return gather.fetch(gather.along(x, 1, order, x.shape, "interp"), "interp") end
  return move(xp), move(fp)
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

--- The points of a period in order and their values; the last point is repeated before them and the first one after.
local function one_period(xp, fp, period, result)
  local count = xp.size
  xp, fp = in_order(within(xp, period, "0"), core.cast(fp, result, "interp"))
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

--- Writes a value outside of the points: what is given, or the value of a point.
local function put_end(ends, place, value, fp, default, what)
  if value == nil then
    slices.part(ends, 1, place, 1)[core.ellipsis] = slices.part(fp, 1, default, 1)
    return
  end
  value = check.array(value, "interp", fp.device)
  check.same_device(fp, value, "interp")
  if value.ndim > 0 then fail("interp: %s is one number, got shape %s", what, tostring(value.shape)) end
  if value.dtype:find "^complex" and ends.dtype == "float64" then
    fail("interp: %s is complex, and the values are real", what)
  end
  slices.part(ends, 1, place, 1)[core.ellipsis] = value
end

--- The results outside of the points; nil if they are the values of points.
local function ends_of(fp, result, left, right)
  if left == nil and right == nil then return nil end
  local ends = core.empty(2, result, fp, "interp")
  put_end(ends, 1, left, fp, 1, "left")
  put_end(ends, 2, right, fp, fp.size, "right")
  return ends
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
---@param right cuna.Operand|nil the value after the last point, default that of the last
---@param period number|nil after which the function repeats; left and right do not matter then
---@return cuna.Array x's shape, float64 or complex128
---@usage cn.interp({0, 1, 1.5, 2.72, 3.14}, {1, 2, 3}, {3, 2, 0}) --> [3. 3. 2.5 0.56 0. ]
---@usage cn.interp({-180, 185, 370}, {190, -190, 350}, {5, 10, 3}, {period = 360}) --> [7.5 6.25 3.77777778]
function F.interp(...)
  local x, xp, fp, left, right, period = read(...)
  local device = core.device_of(x, xp, fp)
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
  return M.on_lines(x, xp, fp, result, ends_of(fp, result, left, right))
end

return M
