--- gust.lua: signals filtered forwards and back from the states that make both orders agree.
--
-- Gustafsson, "Determining the initial states in forward-backward filtering" (1996): filtering forwards and then back
-- gives the same as back and then forwards for states that solve a problem of least squares. What states add to results
-- dies away: `irlen` is the length after which it no longer counts, so that only the ends are looked at.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local recursion = require "cuna.signal.recursion"
local slices = require "cuna.base.slices"

local M = {}

local fail = check.fail
local EPS = 2 ^ -52

local function filtered(filter, lines, name)
  return core.cast((recursion.filter(filter, core.cast(lines, nil, name), nil, name)), nil, name)
end

local function flipped(lines) return args.namespace.flip(lines, 2) end

--- What each number of a state adds to m results: rows.
local function responses(filter, m, dtype, device, name)
  local cn, rows = args.namespace, {}
  local state = cn.zeros({1, filter.order}, filter.is_complex and "complex128" or dtype, device)
  state[{1, 1}] = 1
  local zeros = cn.zeros({1, m}, dtype, device)
  local first = recursion.filter(filter, zeros:copy(), state, name)
  for k = 1, filter.order do
    rows[k] = k == 1 and first
      or cn.concatenate({zeros[{{}, {1, k - 1}}], slices.part(first, 2, 1, m - k + 1)}, 2)
  end
  return cn.concatenate(rows, 1)
end

--- Two groups of rows, beside each other where they are about the same results, else about the first and the last ones.
local function joined(first, last, is_whole)
  local cn = args.namespace
  if is_whole then return cn.concatenate({first, last}, 1) end
  local none = cn.zeros_like(first)
  return cn.concatenate({cn.concatenate({first, none}, 2), cn.concatenate({none, last}, 2)}, 1)
end

--- How many results depend on states: irlen, or all of n.
local function reach_of(irlen, n, order, name)
  if irlen ~= nil then
    irlen = check.count(irlen, name, "irlen")
    if irlen < 1 then fail("%s: irlen is from 1 on, got %d", name, irlen) end
  end
  local m = (irlen == nil or n <= 2 * irlen) and n or irlen
  if m < order then
    fail("%s: method \"gust\" takes at least as many elements as the filter has states, %d, got %s of %d", name, order,
      m == n and "an axis" or "irlen", m)
  end
  return m
end

--- Lines of float64 or complex128 filtered forwards and back.
---@param filter cuna.Recursion of order 1 or more
---@param irlen integer|nil
function M.filter(filter, lines, irlen, name)
  local cn, n = args.namespace, lines.shape[2]
  local m = reach_of(irlen, n, filter.order, name)
  local is_whole = m == n
  local own = responses(filter, m, lines.dtype, lines.device, name)
  local back = flipped(own)
  local late = filtered(filter, back, name)
  local early = flipped(late)
  local forwards = flipped(filtered(filter, flipped(filtered(filter, lines, name)), name))
  local backwards = filtered(filter, flipped(filtered(filter, flipped(lines), name)), name)
  local apart = backwards - forwards
  if not is_whole then
    apart = cn.concatenate({slices.part(apart, 2, 1, m), slices.part(apart, 2, n - m + 1, m)}, 2)
  end
  local matrix = joined(early - own, back - late, is_whole).T
  local states = cn.linalg.lstsq(matrix, apart.T, EPS)
  local added = cn.matmul(states.T, joined(early, back, is_whole))
  if is_whole then return forwards + added end
  local made = core.cast(forwards, nil, name)
  local head, tail = slices.part(made, 2, 1, m), slices.part(made, 2, n - m + 1, m)
  core.copy(head, head + slices.part(added, 2, 1, m), name)
  core.copy(tail, tail + slices.part(added, 2, m + 1, m), name)
  return made
end

return M
