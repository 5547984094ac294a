--- progress.lua: cn.progress: a line on the terminal that shows how far a loop is, its rate and the time left.
--
-- A progress is called by `for` as an iterator. Each step reads a coarse clock, which costs some nanoseconds, and the
-- line is written at most ten times a second. Where the standard error is not a terminal, nothing is written, and the
-- clock is not read.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local class = require "cuna.base.class"
local core = require "cuna.core"
local ffi = require "ffi"
local terminal = require "cuna.base.terminal"

ffi.cdef [[
struct cuna_progress_time { long seconds, nanoseconds; };
int clock_gettime(int clock, struct cuna_progress_time *time);
]]

local M = {functions = {}, interval = 0.1} -- seconds between two lines
local F = M.functions

local fail = check.fail

local MONOTONIC_COARSE, STDERR = 6, terminal.STDERR
local COARSE = 0.005  -- seconds that the clock cannot measure
local MAX_BAR = 40    -- characters

local time = ffi.new "struct cuna_progress_time[1]"

--- Seconds since some time, to a few milliseconds.
local function now()
  ffi.C.clock_gettime(MONOTONIC_COARSE, time)
  return tonumber(time[0].seconds) + tonumber(time[0].nanoseconds) * 1e-9
end

--- A loop's progress, from cn.progress.
---@class cuna.Progress
---@field count integer steps that are done
---@overload fun(): any, any, any
local methods = {}

local meta, self_of = class.make("progress", "a progress", "bar", methods)

function meta.__tostring(bar)
  return ("Progress(%d%s)"):format(bar.count, bar.line.total and (" of %d"):format(bar.line.total) or "")
end

-- ---- the line ----

--- Seconds as 1:05 or 2:03:04.
local function clock_text(seconds)
  if seconds ~= seconds or seconds >= 1e7 then return "?" end
  local s = math.floor(seconds + 0.5)
  if s < 3600 then return ("%d:%02d"):format(s / 60, s % 60) end
  return ("%d:%02d:%02d"):format(s / 3600, s / 60 % 60, s % 60)
end

--- Steps a second, or seconds a step.
local function rate_text(rate)
  if rate ~= rate or rate <= 0 or rate == math.huge then return "? /s" end
  if rate < 1 then return ("%.2f s each"):format(1 / rate) end
  for _, unit in ipairs {"", "k", "M"} do
    if rate < 1000 then return (rate < 10 and "%.2f%s/s" or "%.0f%s/s"):format(rate, unit) end
    rate = rate / 1000
  end
  return ("%.1fG/s"):format(rate)
end

--- The text of a line, of at most `width` columns.
local function line_of(count, line, elapsed, width)
  local total, label, rate = line.total, line.label, elapsed > COARSE and count / elapsed or 0
  local head = label and label .. ": " or ""
  if not total or total <= 0 then
    return (head .. ("%d [%s, %s]"):format(count, clock_text(elapsed), rate_text(rate))):sub(1, width)
  end
  local part = math.min(count / total, 1)
  local left = count >= total and "" or "<" .. clock_text((total - count) / rate)
  head = head .. ("%3d%% "):format(part * 100)
  local tail = (" %d/%d [%s%s, %s]"):format(count, total, clock_text(elapsed), left, rate_text(rate))
  local room = math.min(MAX_BAR, width - #head - #tail - 2)
  if room < 5 then return (head .. tail):sub(1, width) end
  local filled = math.floor(part * room)
  return head .. "[" .. ("#"):rep(filled) .. (" "):rep(room - filled) .. "]" .. tail
end

local function write(bar, line, at, ending)
  local columns = terminal.size(STDERR)
  local text = line_of(bar.count, line, math.max(at - line.started, 1e-9), columns - 1)
  io.stderr:write("\r" .. text .. (" "):rep(line.width - #text) .. ending)
  line.width = #text
end

--- Writes the line if the last one is old enough.
local function show(bar, line)
  local at = now()
  if at < line.due then return end
  write(bar, line, at, "")
  line.due = at + M.interval
end

--- Ends the line: it stays with its last state, or is erased.
local function finish(bar, line)
  if line.is_over then return end
  line.is_over = true
  if line.is_silent then return end
  if line.leaves then
    write(bar, line, now(), "\n")
  elseif line.width > 0 then
    io.stderr:write("\r" .. (" "):rep(line.width) .. "\r")
  end
end

-- ---- steps ----

--- Counts steps, in loops of other kinds than `for`.
---@param count integer|nil default 1
---@return cuna.Progress
---@usage cn.progress(10):step(3).count --> 3
function methods:step(count)
  local bar = self_of(self, "step")
  if count ~= nil then count = check.integer(count, "progress:step", "count") end
  bar.count = bar.count + (count or 1)
  if not bar.line.is_silent and not bar.line.is_over then show(bar, bar.line) end
  return bar
end

--- Ends the line; a `for` loop that comes to its end does that, and one that is left by break does not.
---@usage cn.progress(10):close() -->
function methods:close()
  local bar = self_of(self, "close")
  finish(bar, bar.line)
end

--- Passes on what the iterator gives. A step is counted when the next one begins, or the loop ends.
local function pass_on(bar, line, ...)
  if line.is_begun then bar.count = bar.count + 1 end
  line.is_begun, line.control = true, (...)
  if (...) == nil then
    finish(bar, line)
  elseif not line.is_silent then
    show(bar, line)
  end
  return ...
end

function meta.__call(bar)
  local line = bar.line
  return pass_on(bar, line, line.iterate(line.state, line.control))
end

-- ---- making one ----

local function count_on(total, k)
  if k < total then return k + 1 end
end

local function next_row(x, k)
  if k < #x then return k + 1, x[k + 1] end
end

local OPTIONS = {total = true, label = true, leave = true}

--- Iterator, state, control and total of what a progress is about.
local function iterator_of(values, count)
  local first = values[1]
  if count == 1 and type(first) == "number" then
    return count_on, check.count(first, "progress", "n"), 0, first
  elseif count == 1 and core.is_array(first) then
    core.check_alive(first, "progress")
    if first.ndim == 0 then fail "progress: an array of no axes has no rows" end
    return next_row, first, 0, #first
  elseif count >= 1 and (type(first) == "function" or type(first) == "table" and (debug.getmetatable(first)
      or {}).__call) then
    return first, values[2], values[3], nil
  elseif count == 1 and type(first) == "table" then
    check.whole(first, "progress", "elements")
    return next_row, first, 0, #first
  end
  args.check_dot("progress", first)
  fail("progress: expected a number, an array, a table or an iterator, got %s", check.show(first))
end

--- Shows on the terminal how far a loop is, with its rate and the time that is left:
--- for i in cn.progress(100) do ... end. Over an array or a table the loop is as with ipairs, over an iterator as
--- without the progress: for k, v in cn.progress(pairs(t)) do. The line is written to the standard error at most ten
--- times a second, and not at all if that is not a terminal. Operations on a GPU are counted when they are submitted.
--- Follows tqdm.tqdm.
---@param n integer|cuna.Array|table|function how many steps, what has them, or an iterator, its state and control
---@param options {total?: integer, label?: string, leave?: boolean}|nil total: the steps of an iterator; leave: false
--- erases the line at the end
---@return cuna.Progress
---@usage (function(s) for i in cn.progress(4) do s = s + i end return s end)(0) --> 10
---@usage (function(s) for _, row in cn.progress(cn.eye(3)) do s = s + row end return s end)(0) --> [1. 1. 1.]
function F.progress(...)
  local values, count, options = args.split("progress", OPTIONS, ...)
  local iterate, state, control, total = iterator_of(values, count)
  if options.total ~= nil then total = check.count(options.total, "progress", "total") end
  if options.label ~= nil and type(options.label) ~= "string" then
    fail("progress: label is a string, got %s", check.show(options.label))
  end
  local label = options.label and options.label:gsub("%c", " ")
  local leaves, is_silent = check.boolean(options.leave, true, "progress", "leave"), not terminal.is_terminal(STDERR)
  local started = is_silent and 0 or now()
  return setmetatable({count = 0, line = {iterate = iterate, state = state, control = control, total = total,
    label = label, leaves = leaves, is_silent = is_silent, is_over = false, is_begun = false, started = started,
    width = 0, due = started + M.interval}}, meta)
end

return M
