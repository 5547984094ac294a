--- filters.lua: signals filtered along an axis: recursive filters, forwards and back, in sections.
local args = require "cuna.base.args"
local cdata = require "cuna.base.cdata"
local check = require "cuna.base.check"
local complex = require "cuna.signal.complex"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local forms = require "cuna.signal.forms"
local gust = require "cuna.signal.gust"
local given = require "cuna.signal.given"
local recursion = require "cuna.signal.recursion"
local shapes = require "cuna.base.shapes"
local slices = require "cuna.base.slices"
local slide = require "cuna.signal.slide"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail, kind_of = check.fail, dtype_facts.kind_of

-- ---- coefficients ----

--- Coefficients b and a on the host, both of one length and over a's first one: lists, and their dtypes.
local function coefficients(b, a, name)
  local lists, dtypes = {}, {}
  for k, what in ipairs {"b", "a"} do
    local array = given.vector(({b, a})[k], name, what)
    lists[k], dtypes[k] = complex.list((given.elements(array, name))), array.dtype
    if #lists[k] == 0 then fail("%s: %s has no coefficients", name, what) end
  end
  local first, is_complex = lists[2][1], false
  if complex.abs(first) == 0 then fail("%s: the first coefficient of a is 0", name) end
  for k = 1, 2 do
    lists[k] = complex.map(lists[k], function(z) return z / first end)
    for _, z in ipairs(lists[k]) do is_complex = is_complex or z.im ~= 0 end
  end
  return {b = lists[1], a = lists[2], dtypes = dtypes, is_complex = is_complex,
    length = math.max(#lists[1], #lists[2])}
end

--- A complex number as its part or as what arrays are made of.
local function plain(z, is_complex) return is_complex and cdata.complex(z.re, z.im) or z.re end

--- The only section of a filter of coefficients.
local function recursion_of(c)
  local section, order = {}, c.length - 1
  for k = 1, order + 1 do section[k] = plain(c.b[k] or complex.new(0, 0), c.is_complex) end
  for k = 1, order do section[order + 1 + k] = plain(c.a[k + 1] or complex.new(0, 0), c.is_complex) end
  return {sections = {section}, order = order, is_complex = c.is_complex}
end

local FILTERED = {float32 = true, float64 = true, complex64 = true, complex128 = true}

--- The dtype of a filtered signal.
local function result_of(...)
  local dtype = given.inexact(...)
  return FILTERED[dtype] and dtype or "float32"
end

-- ---- states ----

--- The states of lines: from zi, whose axis has `size` numbers, or zeros.
local function states_of(zi, shape, axis, size, computed, x, name)
  if zi == nil then return nil end
  zi = check.array(zi, name, x.device)
  check.same_device(x, zi, name)
  local wanted = x.shape
  wanted[axis] = size
  if zi.ndim ~= x.ndim or not check.broadcast(zi.shape, wanted) or zi.shape[axis] ~= size then
    fail("%s: zi has shape %s, got %s", name, shapes.text(wanted), tostring(zi.shape))
  end
  local lines = given.lines(args.namespace.broadcast_to(zi, wanted), axis, computed, name)
  return core.shares_memory(lines, zi) and lines:copy() or lines, shape
end

--- The filtered signal, and the states at its end if there were some at its beginning.
local function run(filter, x, dtype, axis, zi, name)
  local lines, shape = given.lines(x, axis, dtype, name)
  local computed = (filter.is_complex or kind_of[dtype] == "c") and "complex128" or "float64"
  local states = states_of(zi, shape, axis, filter.order, computed, x, name)
  local out, last = recursion.filter(filter, lines, states, name)
  out = given.unlined(out, shape, axis, name)
  if zi == nil then return out end
  return out, given.unlined(core.cast(last, dtype, name), shape, axis, name)
end

-- ---- without recursion ----

--- x with zeros before and after it along the last axis, in a dtype.
local function widened(lines, before, after, name)
  local wide = core.fill(core.empty({lines.shape[1], lines.shape[2] + before + after}, lines.dtype, lines.device, name),
    0, name)
  core.copy(slices.part(wide, 2, before + 1, lines.shape[2]), lines, name)
  return wide
end

--- Sums of the last elements of lines times taps, as long as `after` more zeros allow.
function M.sum_taps(lines, taps, after, name)
  local reversed = {}
  for k = 1, #taps do reversed[k] = taps[#taps + 1 - k] end
  local weights = core.as_array({reversed}, lines.dtype, lines.device, name)
  return slide.valid(widened(lines, #taps - 1, after, name), weights, name)
end

local LONG = 128 -- taps from which transforms are faster

local function sums_of(lines, taps, after, name)
  if #taps < LONG or lines.shape[2] < LONG then return M.sum_taps(lines, taps, after, name) end
  local cn = args.namespace
  local row = core.as_array({taps}, lines.dtype, lines.device, name)
  local whole = cn.signal.oaconvolve(lines, row, "full", 2)
  return core.cast(slices.part(whole, 2, 1, lines.shape[2] + after), lines.dtype, name)
end

--- A filter whose a is one number.
local function run_taps(c, x, dtype, axis, zi, name)
  local lines, shape, n = given.lines(x, axis, dtype, name)
  local taps, order = {}, #c.b - 1
  for k, z in ipairs(c.b) do taps[k] = plain(z, kind_of[dtype] == "c") end
  local out = sums_of(lines, taps, zi ~= nil and order or 0, name)
  if zi == nil then return given.unlined(out, shape, axis, name) end
  local states = states_of(zi, shape, axis, order, dtype, x, name)
  if order > 0 and lines.shape[1] > 0 then
    local head = slices.part(out, 2, 1, order)
    core.copy(head, head + states, name)
  end
  return given.unlined(slices.part(out, 2, 1, n):copy(), shape, axis, name),
    given.unlined(slices.part(out, 2, n + 1, order):copy(), shape, axis, name)
end

-- ---- lfilter ----

local read_lfilter = args.reader("signal.lfilter", {"b", "a", "x", "axis", "zi"}, 3)

--- Filters a signal along an axis by a rational transfer function, in the transposed direct form II. Sums are computed
--- in float64 or complex128. Few long lines are filtered in parts side by side, if the filter is stable. Follows
--- scipy.signal.lfilter.
---@param b cuna.Operand numerator, a vector; b and a are fetched
---@param a cuna.Operand denominator, a vector
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param zi cuna.Operand|nil the filter's state at the beginning: along the axis max(#a, #b) - 1 numbers
---@return cuna.Array y of the dtype that b, a and x have in common, float64 for whole numbers
---@return cuna.Array|nil zf the state at the end, with zi
---@usage cn.signal.lfilter({1}, {1, -0.5}, {1, 1, 1}) --> [1. 1.5 1.75]
---@usage cn.signal.lfilter({1}, {1, -0.5}, {1, 1}, {zi = {2}}) --> [3. 2.5], [1.25]
function F.lfilter(...)
  local b, a, x, axis, zi = read_lfilter(...)
  local name = "signal.lfilter"
  local c = coefficients(b, a, name)
  x = given.signal(x, name)
  axis = given.axis(axis, x, name)
  local dtype = result_of(c.dtypes[1], c.dtypes[2], x.dtype, core.is_array(zi) and zi.dtype or nil)
  if #c.a == 1 then return run_taps(c, x, dtype, axis, zi, name) end
  return run(recursion_of(c), x, dtype, axis, zi, name)
end

--- The states of a filter whose input is 1 and which has settled, as a list.
local function settled(c, name)
  local n, sum_a, sum_b = c.length, complex.new(0, 0), complex.new(0, 0)
  local zero = complex.new(0, 0)
  for k = 1, n do sum_a, sum_b = sum_a + (c.a[k] or zero), sum_b + (c.b[k] or zero) end
  if complex.abs(sum_a) == 0 then fail("%s: the filter does not settle: it has a pole at 1", name) end
  local gain, states, rest = sum_b / sum_a, {}, zero
  for k = n - 1, 1, -1 do
    rest = rest + (c.b[k + 1] or zero) - (c.a[k + 1] or zero) * gain
    states[k] = rest
  end
  return states
end

--- The state of a filter after a long input of ones. Follows scipy.signal.lfilter_zi.
---@param b cuna.Operand
---@param a cuna.Operand
---@return cuna.Array
---@usage cn.signal.lfilter_zi({1}, {1, -0.5}) --> [1.]
function F.lfilter_zi(b, a)
  local name = "signal.lfilter_zi"
  return forms.array(settled(coefficients(b, a, name), name), name)
end

local read_lfiltic = args.reader("signal.lfiltic", {"b", "a", "y", "x"}, 3)

--- The state of a filter after known outputs and inputs, the last ones first. Follows scipy.signal.lfiltic.
---@param b cuna.Operand
---@param a cuna.Operand
---@param y cuna.Operand outputs: y(-1), y(-2), ...
---@param x cuna.Operand|nil inputs, default zeros
---@return cuna.Array
---@usage cn.signal.lfiltic({1}, {1, -0.5}, {2}) --> [1.]
function F.lfiltic(...)
  local b, a, y, x = read_lfiltic(...)
  local name, zero = "signal.lfiltic", complex.new(0, 0)
  local c = coefficients(b, a, name)
  y, x = forms.read(y, name), x == nil and {} or forms.read(x, name)
  local states = {}
  for m = 1, c.length - 1 do
    states[m] = zero
    for k = m + 1, c.length do
      states[m] = states[m] + (c.b[k] or zero) * (x[k - m] or zero) - (c.a[k] or zero) * (y[k - m] or zero)
    end
  end
  return forms.array(states, name)
end

--- The quotient and the remainder of two polynomials: what was convolved with divisor. Follows
--- scipy.signal.deconvolve.
---@param signal cuna.Operand vector
---@param divisor cuna.Operand vector
---@return cuna.Array quotient
---@return cuna.Array remainder
---@usage cn.signal.deconvolve({0, 1, 2.5, 4, 1.5}, {1, 2, 3}) --> [0. 1. 0.5], [0. 0. 0. 0. 0.]
function F.deconvolve(signal, divisor)
  local name, cn = "signal.deconvolve", args.namespace
  signal = given.vector(signal, name, "signal")
  divisor = given.vector(divisor, name, "divisor", signal.device)
  local n = signal.size - divisor.size + 1
  if n < 1 then return cn.zeros(0), signal:copy() end
  local impulse = cn.zeros(n, "float64")
  impulse[1] = 1
  local quotient = F.lfilter(signal, divisor, impulse)
  return quotient, cn.subtract(signal, cn.signal.convolve(divisor, quotient, "full", "direct"))
end

-- ---- forwards and back ----

-- How lines continue beyond their ends: by a function of the element at the end and those beyond it, reversed.
local EXTENSIONS = {
  odd = function(edge, beyond) return edge * 2 - beyond end,
  even = function(_, beyond) return beyond end,
  constant = function(edge, beyond) return edge + beyond * 0 end,
}

--- Lines continued by `count` elements on both sides.
local function extended(lines, kind, count)
  if not kind or count == 0 then return lines end
  local n, extend = lines.shape[2], EXTENSIONS[kind]
  local first = extend(slices.part(lines, 2, 1, 1), slices.part(lines, 2, count + 1, count, -1))
  local last = extend(slices.part(lines, 2, n, 1), slices.part(lines, 2, n - 1, count, -1))
  return args.namespace.concatenate({first, lines, last}, 2)
end

--- How lines are continued, and by how many elements.
local function padding_of(padtype, padlen, default, n, name)
  if padtype == nil then padtype = "odd" end
  if padtype == false or padtype == "none" then return nil, 0 end
  given.word(padtype, {"odd", "even", "constant"}, name, "padtype")
  padlen = check.count(padlen == nil and default or padlen, name, "padlen")
  if n <= padlen then
    fail("%s: an axis of length %d, and padlen is %d, which is less; give another padlen", name, n, padlen)
  end
  return padtype, padlen
end

--- Filters forwards, then back, from settled states. `states` are the settled ones, a vector on the lines' device.
local function there_and_back(filter, lines, states, name)
  local cn = args.namespace
  for _ = 1, 2 do
    local initial = core.cast(slices.part(lines, 2, 1, 1) * states,
      (filter.is_complex or kind_of[lines.dtype] == "c") and "complex128" or "float64", name)
    lines = recursion.filter(filter, lines, initial, name)
    lines = core.cast(cn.flip(lines, 2), nil, name)
  end
  return lines
end

local read_filtfilt = args.reader("signal.filtfilt", {"b", "a", "x", "axis", "padtype", "padlen", "method", "irlen"},
  3)

--- Gustafsson's method.
local function agreeing(c, x, dtype, axis, irlen, name)
  axis = given.axis(axis, x, name)
  local is_complex = c.is_complex or kind_of[dtype] == "c"
  local lines, shape = given.lines(x, axis, is_complex and "complex128" or "float64", name)
  local made = gust.filter(recursion_of(c), lines, irlen, name)
  return given.unlined(core.cast(core.cast(made, dtype, name), nil, name), shape, axis, name)
end

--- filtfilt and sosfiltfilt: `filters` are applied one after the other to the whole way there, and back.
local function zero_phase(x, dtype, axis, padtype, padlen, default, name, apply)
  x = given.signal(x, name)
  axis = given.axis(axis, x, name)
  local lines, shape, n = given.lines(x, axis, dtype, name)
  local kind, count = padding_of(padtype, padlen, default, n, name)
  local made = apply(extended(lines, kind, count))
  return given.unlined(slices.part(made, 2, count + 1, n):copy(), shape, axis, name)
end

--- Filters a signal forwards and back, which does not move it. Follows scipy.signal.filtfilt.
---@param b cuna.Operand
---@param a cuna.Operand
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param padtype "odd"|"even"|"constant"|false|nil how the signal continues at its ends, default "odd"
---@param padlen integer|nil by how many elements, default 3 max(#a, #b)
---@param method "pad"|"gust"|nil "gust": the signal does not continue; the states at its ends are those for which
--- forwards and back is the same as back and forwards (Gustafsson); default "pad"
---@param irlen integer|nil of "gust": after how many elements a state no longer counts, default: never
---@return cuna.Array
---@usage cn.signal.filtfilt({0.5, 0.5}, {1}, cn.ones(9)):allclose(1) --> true
---@usage cn.signal.filtfilt({0.5, 0.5}, {1}, {1, 2, 3, 5}, {method = "gust"}) --> [1.25 2. 3.25 4.5 ]
function F.filtfilt(...)
  local b, a, x, axis, padtype, padlen, method, irlen = read_filtfilt(...)
  local name = "signal.filtfilt"
  local c = coefficients(b, a, name)
  x = given.signal(x, name)
  local dtype = result_of(c.dtypes[1], c.dtypes[2], x.dtype)
  local is_gust = given.word(method, {"pad", "gust"}, name, "method") == "gust"
  if is_gust and (padtype ~= nil or padlen ~= nil) then fail("%s: padtype and padlen are of method \"pad\"", name) end
  if irlen ~= nil and not is_gust then fail("%s: irlen is of method \"gust\"", name) end
  if is_gust and c.length > 1 then return agreeing(c, x, dtype, axis, irlen, name) end
  return zero_phase(x, dtype, axis, not is_gust and padtype, padlen, 3 * c.length, name, function(lines)
    if c.length == 1 then
      local gain = c.b[1] * c.b[1]
      return core.cast(lines * plain(gain, c.is_complex), dtype, name)
    end
    local states = core.as_array(complex.map(settled(c, name), function(z) return plain(z, c.is_complex) end),
      c.is_complex and "complex128" or "float64", lines.device, name)
    return there_and_back(recursion_of(c), lines, states, name)
  end)
end

-- ---- sections ----

--- The filters of sections, each of as many as one kernel has.
local function sections_of(rows)
  local filters = {}
  for k, row in ipairs(rows) do
    local last = filters[#filters]
    if not last or #last.sections == recursion.MOST_SECTIONS then
      last = {sections = {}, order = 2, is_complex = false, first = k}
      filters[#filters + 1] = last
    end
    last.sections[#last.sections + 1] = {row[1], row[2], row[3], row[5], row[6]}
  end
  return filters
end

local function sos_dtype(sos) return core.is_array(sos) and sos.dtype or "float64" end

--- States of shape (sections, ..., 2, ...) as (lines, sections, 2).
local function section_states(zi, count, x, axis, name)
  zi = check.array(zi, name, x.device)
  check.same_device(x, zi, name)
  local wanted = x.shape
  wanted[axis] = 2
  table.insert(wanted, 1, count)
  if not zi:has_shape(unpack(wanted)) then
    fail("%s: zi has shape %s, got %s", name, shapes.text(wanted), tostring(zi.shape))
  end
  local moved = args.namespace.moveaxis(args.namespace.moveaxis(zi, axis + 1, -1), 1, -2)
  local lines = 1
  for k = 1, moved.ndim - 2 do lines = lines * moved.shape[k] end
  return core.reshape(core.cast(moved, kind_of[zi.dtype] == "c" and "complex128" or "float64", name),
    {lines, count, 2}, name)
end

--- The inverse: from (lines, sections, 2).
local function section_states_out(states, count, shape, axis, name)
  local whole = {unpack(shape)}
  whole[#whole + 1], whole[#whole + 2] = count, 2
  local made = core.reshape(states, whole, name)
  return args.namespace.moveaxis(args.namespace.moveaxis(made, -2, 1), -1, axis + 1)
end

local read_sosfilt = args.reader("signal.sosfilt", {"sos", "x", "axis", "zi"}, 2)

--- Runs all sections over lines; `states` (lines, sections, 2) or nil. Returns the lines, and states in the same form.
local function run_sections(filters, lines, states, computed, name)
  local ends = {}
  for k, filter in ipairs(filters) do
    local own
    if states then
      local part = slices.part(states, 2, filter.first, #filter.sections)
      own = core.reshape(core.cast(part, computed, name), {lines.shape[1], 2 * #filter.sections}, name)
      if core.shares_memory(own, states) then own = own:copy() end
    end
    lines, own = recursion.filter(filter, lines, own, name)
    ends[k] = core.reshape(core.cast(own, nil, name), {lines.shape[1], #filter.sections, 2}, name)
  end
  return lines, ends[2] and args.namespace.concatenate(ends, 2) or ends[1]
end

--- Filters a signal along an axis by sections of second order. Computed as cn.signal.lfilter. Follows
--- scipy.signal.sosfilt.
---@param sos cuna.Operand shape (n, 6); it is fetched
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param zi cuna.Operand|nil states at the beginning, shape (n, ...) with 2 numbers along the signal's axis
---@return cuna.Array y
---@return cuna.Array|nil zf the states at the end, with zi
---@usage cn.signal.sosfilt({{1, 0, 0, 1, -0.5, 0}}, {1, 1, 1}) --> [1. 1.5 1.75]
function F.sosfilt(...)
  local sos, x, axis, zi = read_sosfilt(...)
  local name = "signal.sosfilt"
  local rows = forms.read_digital_sos(sos, name)
  x = given.signal(x, name)
  axis = given.axis(axis, x, name)
  local dtype = result_of(sos_dtype(sos), x.dtype, core.is_array(zi) and zi.dtype or nil)
  local lines, shape = given.lines(x, axis, dtype, name)
  local computed = kind_of[dtype] == "c" and "complex128" or "float64"
  local states = zi ~= nil and section_states(zi, #rows, x, axis, name) or nil
  local out, ends = run_sections(sections_of(rows), lines, states, computed, name)
  out = given.unlined(out, shape, axis, name)
  if zi == nil then return out end
  return out, core.cast(section_states_out(ends, #rows, shape, axis, name), dtype, name)
end

--- The settled states of sections whose first input is 1: a list of pairs.
local function settled_sections(rows, name)
  local states, scale = {}, complex.new(1, 0)
  for k, row in ipairs(rows) do
    local c = {b = complex.list {unpack(row, 1, 3)}, a = complex.list {unpack(row, 4, 6)}, length = 3}
    local own = settled(c, name)
    states[k] = {(own[1] * scale).re, (own[2] * scale).re}
    scale = scale * ((row[1] + row[2] + row[3]) / (row[4] + row[5] + row[6]))
  end
  return states
end

--- The states of sections after a long input of ones. Follows scipy.signal.sosfilt_zi.
---@param sos cuna.Operand shape (n, 6)
---@return cuna.Array shape (n, 2)
---@usage cn.signal.sosfilt_zi {{1, 0, 0, 1, -0.5, 0}} --> [[1. 0.]]
function F.sosfilt_zi(sos)
  local name = "signal.sosfilt_zi"
  return core.as_array(settled_sections(forms.read_digital_sos(sos, name), name), "float64", nil, name)
end

local read_sosfiltfilt = args.reader("signal.sosfiltfilt", {"sos", "x", "axis", "padtype", "padlen"}, 2)

--- By how many elements a signal continues: 3 for each coefficient that is not 0 at the end of all sections.
local function default_padding(rows)
  local zeros = {0, 0}
  for _, row in ipairs(rows) do
    zeros[1] = zeros[1] + (row[3] == 0 and 1 or 0)
    zeros[2] = zeros[2] + (row[6] == 0 and 1 or 0)
  end
  return 3 * (2 * #rows + 1 - math.min(zeros[1], zeros[2]))
end

--- Filters a signal forwards and back by sections of second order. Follows scipy.signal.sosfiltfilt.
---@param sos cuna.Operand shape (n, 6)
---@param x cuna.Operand
---@param axis integer|nil default -1
---@param padtype "odd"|"even"|"constant"|false|nil default "odd"
---@param padlen integer|nil default 3 times the filter's length
---@return cuna.Array
---@usage cn.signal.sosfiltfilt(cn.signal.butter(2, 0.5, {output = "sos"}), cn.ones(20)):allclose(1) --> true
function F.sosfiltfilt(...)
  local sos, x, axis, padtype, padlen = read_sosfiltfilt(...)
  local name, cn = "signal.sosfiltfilt", args.namespace
  local rows = forms.read_digital_sos(sos, name)
  x = given.signal(x, name)
  local dtype = result_of(sos_dtype(sos), x.dtype)
  local computed = kind_of[dtype] == "c" and "complex128" or "float64"
  return zero_phase(x, dtype, axis, padtype, padlen, default_padding(rows), name, function(lines)
    local filters = sections_of(rows)
    local states = core.as_array(settled_sections(rows, name), computed, lines.device, name)
    for _ = 1, 2 do
      local first = core.reshape(core.cast(slices.part(lines, 2, 1, 1), computed, name), {lines.shape[1], 1, 1}, name)
      lines = run_sections(filters, lines, first * states, computed, name)
      lines = core.cast(cn.flip(lines, 2), nil, name)
    end
    return lines
  end)
end

args.bound(F, {lfilter_zi = "b a", deconvolve = "signal divisor", sosfilt_zi = "sos"})

return M
