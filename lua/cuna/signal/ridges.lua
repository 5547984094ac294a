--- ridges.lua: peaks as ridges of a wavelet transform: find_peaks_cwt.
--
-- From the greatest width down, each maximum of a row goes on with the line whose end is nearest, if it is near enough,
-- or begins a new line; a line that has not grown for some rows ends. Lines are followed on the host. (Du, Kibbe and
-- Lin, "Improved peak detection in mass spectrum", 2006.)
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.signal.given"

local M = {functions = {}}
local F = M.functions -- cn.signal

local fail = check.fail

--- The columns of the maxima of each row, as lists.
local function maxima_of(transform)
  local rows, columns = unpack(args.namespace.signal.argrelmax(transform, {axis = 2}))
  rows, columns = rows:totable(), columns:totable()
  local list = {}
  for row = 1, transform.shape[1] do list[row] = {} end
  for k = 1, #rows do table.insert(list[rows[k]], columns[k]) end
  return list
end

--- The line whose end is nearest to a column, and how near; `ends` are those of the row before.
local function nearest(lines, ends, column)
  local best, least = nil, math.huge
  for k, at in ipairs(ends) do
    local distance = math.abs(column - at)
    if distance < least then best, least = lines[k], distance end
  end
  return best, least
end

--- Goes on with lines in a row.
local function extend(lines, row, columns, most)
  local ends = {}
  for k, line in ipairs(lines) do ends[k], line.gap = line.column, line.gap + 1 end
  for _, column in ipairs(columns) do
    local line, distance = nearest(lines, ends, column)
    if line and distance <= most then
      line.row, line.column, line.gap, line.count = row, column, 0, line.count + 1
    else
      lines[#lines + 1] = {row = row, column = column, gap = 0, count = 1}
    end
  end
end

--- All lines, each with the row and column of its end.
local function ridges(maxima, distances, gap)
  local open, all = {}, {}
  for row = #maxima, 1, -1 do
    extend(open, row, maxima[row], distances[row])
    for k = #open, 1, -1 do
      if open[k].gap > gap then all[#all + 1] = table.remove(open, k) end
    end
  end
  for _, line in ipairs(open) do all[#all + 1] = line end
  return all
end

--- The percentile of the elements of a list about a place.
local function noise_at(list, place, window, percentile)
  local half = math.floor(window / 2)
  local part = {}
  for k = math.max(place - half, 1), math.min(place + half + window % 2 - 1, #list) do part[#part + 1] = list[k] end
  table.sort(part)
  local at = percentile / 100 * (#part - 1)
  local low = math.min(math.floor(at), math.max(#part - 2, 0))
  return #part == 0 and 0 / 0 or part[low + 1] + (at - low) * ((part[low + 2] or part[low + 1]) - part[low + 1])
end

--- A number of at least `least`, or a default.
local function bound(value, default, least, name, what)
  value = check.real(value == nil and default or value, name, what)
  if value >= least then return value end
  fail("%s: %s is at least %g, got %g", name, what, least, value)
end

--- The distances that lines may move in each row.
local function distances_of(max_distances, widths, name)
  local list = {}
  if max_distances == nil then
    for k, width in ipairs(widths) do list[k] = width / 4 end
    return list
  end
  list = given.reals(max_distances, name, "max_distances")
  if #list < #widths then fail("%s: max_distances has %d numbers for %d widths", name, #list, #widths) end
  return list
end

local PARAMETERS = {"vector", "widths", "wavelet", "max_distances", "gap_thresh", "min_length", "min_snr", "noise_perc",
  "window_size"}
local read = args.reader("signal.find_peaks_cwt", PARAMETERS, 2)

--- Peaks of a vector as ridges of its wavelet transform, which several widths show. The transform stays on the device,
--- ridges are followed on the host. Follows scipy.signal.find_peaks_cwt.
---@param vector cuna.Operand real
---@param widths cuna.Operand rising widths of peaks, from 1 on; they are fetched
---@param wavelet (fun(points: integer, width: number): cuna.Array)|nil real, default cn.signal.ricker
---@param max_distances cuna.Operand|nil how far a ridge may move from one width to the next, default widths / 4
---@param gap_thresh number|nil rows that a ridge may miss, default: the first width
---@param min_length number|nil rows that a ridge has, default a quarter of the widths
---@param min_snr number|nil how far a peak rises above the noise, default 1
---@param noise_perc number|nil which percentile about a peak is the noise, default 10
---@param window_size integer|nil elements about a peak that give the noise, default a twentieth of the vector
---@return cuna.Array int64 positions, rising
---@usage cn.signal.find_peaks_cwt(cn.exp(-((cn.arange(50) - 20) / 4) ^ 2), cn.arange(1, 8)) --> [22]
function F.find_peaks_cwt(...)
  local vector, widths, wavelet, max_distances, gap, min_length, min_snr, percentile, window = read(...)
  local name, cn = "signal.find_peaks_cwt", args.namespace
  vector = given.real(given.vector(vector, name, "vector"), name, "vector")
  widths = given.reals(widths, name, "widths")
  if #widths == 0 or vector.size == 0 then
    fail("%s: there are %d widths and %d elements", name, #widths, vector.size)
  end
  gap = bound(gap, math.ceil(widths[1]), 0, name, "gap_thresh")
  min_length = bound(min_length, math.ceil(#widths / 4), 0, name, "min_length")
  min_snr = check.real(min_snr == nil and 1 or min_snr, name, "min_snr")
  percentile = bound(percentile, 10, 0, name, "noise_perc")
  if percentile > 100 then fail("%s: noise_perc is at most 100, got %g", name, percentile) end
  window = math.floor(bound(window, math.ceil(vector.size / 20), 1, name, "window_size"))
  local distances = distances_of(max_distances, widths, name)
  local transform = given.real(cn.signal.cwt(vector, wavelet or cn.signal.ricker, widths), name, "the wavelet")
  core.check_waiting(name)
  if core.is_preparing() then return core.empty({0}, "int64", vector.device, name) end
  local lowest, found = transform[1]:totable(), {}
  for _, line in ipairs(ridges(maxima_of(transform), distances, gap)) do
    if line.count >= min_length then
      local ratio = transform[{line.row, line.column}] / noise_at(lowest, line.column, window, percentile)
      if math.abs(ratio) >= min_snr or ratio ~= ratio then found[#found + 1] = line.column end
    end
  end
  table.sort(found)
  return core.as_array(found, "int64", vector.device, name)
end

return M
