--- recursion.lua: recursive filters along lines (kernels/signal.cuh), each line alone.
--
-- A filter is sections in a row with a state each. Long lines that are too few for a device are cut into parts, which
-- are filtered side by side: first from states of zeros, for the states at their ends; these give the states in which
-- the parts begin, by the matrix that takes a state through a part without input; then each part is filtered from its
-- state. Devices with many lanes get short parts: the states of groups of parts are chained first, and those of groups
-- of groups. So devices agree to rounding only. Filters whose states grow on the way are not cut.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local program = require "cuna.base.program"

local M = {}

local kind_of = dtype_facts.kind_of
local MOST_ORDER, MOST_STATE = 16, 16 -- of a kernel with its states in registers
local LEAST_LENGTH, LEAST_PART = 8192, 256
local FEW_LINES, FEW_LANES = 64, 16384 -- of devices whose blocks have one lane: a cut costs twice the work; of others
-- Where blocks have many lanes: the least length of a part, how many parts are enough, parts of a group, and how many
-- states are chained without groups.
local FINE_LOG2, MANY_LANES, GROUP_LOG2, MOST_CHAINED = 6, 2 ^ 17, 5, 64
local GROWTH = 1e3 -- of a state without input, at most, where lines are cut

--- A filter: sections (lists of b, then a without its first number), order (of each), is_complex.
---@class cuna.Recursion

local function address(x) return core.view(x, {}, {}, 0) end

-- ---- the state without input ----

--- The matrix of one step: rows of numbers.
local function step_matrix(sections, order)
  local size, rows = #sections * order, {}
  for i = 1, size do rows[i] = {} end
  for column = 1, size do
    local value = 0
    for s, section in ipairs(sections) do
      local base = (s - 1) * order
      local function state(k) return base + k == column and 1 or 0 end
      local next_value = state(1) + section[1] * value
      for k = 1, order do
        local moved = k < order and state(k + 1) or 0
        rows[base + k][column] = moved + section[k + 1] * value - section[order + 1 + k] * next_value
      end
      value = next_value
    end
  end
  return rows
end

local function multiply(a, b)
  local n, made = #a, {}
  for i = 1, n do
    made[i] = {}
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = sum + a[i][k] * b[k][j] end
      made[i][j] = sum
    end
  end
  return made
end

--- The greatest sum of a row's absolute values; infinite where numbers are not finite.
local function norm(a)
  local most = 0
  for _, row in ipairs(a) do
    local sum = 0
    for _, value in ipairs(row) do sum = sum + math.abs(value) end
    if sum ~= sum or sum == math.huge then return math.huge end
    most = math.max(most, sum)
  end
  return most
end

--- The matrix of 2 ^ doublings times as many steps as a matrix; nil where states grow.
local function power_of(matrix, doublings)
  for _ = 1, doublings do
    matrix = multiply(matrix, matrix)
    if norm(matrix) > GROWTH then return nil end
  end
  return matrix
end

--- The nearest power of two.
local function log2_of(count) return math.ceil(math.log(count) / math.log(2) - 0.5) end

--- How lines are cut: length (of parts), powers (the matrices that take states through a part, a group, and so on).
---@class cuna.RecursionCut

--- A cut into as many parts as there are lanes; nil where states grow.
local function fine_cut(filter, lines, n)
  local doublings = math.max(FINE_LOG2, log2_of(lines * n / MANY_LANES))
  local cut, parts = {length = 2 ^ doublings, powers = {}}, math.ceil(n / 2 ^ doublings)
  local matrix = power_of(step_matrix(filter.sections, filter.order), doublings)
  while matrix do
    cut.powers[#cut.powers + 1] = matrix
    if parts <= MOST_CHAINED then return cut end
    matrix, parts = power_of(matrix, GROUP_LOG2), math.ceil(parts / 2 ^ GROUP_LOG2)
  end
end

--- A cut into as many parts as these have elements; nil where states grow.
local function root_cut(filter, n)
  local doublings = log2_of(math.max(math.sqrt(n), LEAST_PART))
  local matrix = power_of(step_matrix(filter.sections, filter.order), doublings)
  return matrix and {length = 2 ^ doublings, powers = {matrix}}
end

--- How lines of n elements are cut; nil for whole lines.
local function cut_of(filter, device, lines, n)
  local size, alone = #filter.sections * filter.order, core.lanes(device) == 1
  if lines > (alone and FEW_LINES or FEW_LANES) or n < LEAST_LENGTH then return nil end
  if filter.is_complex or size > MOST_STATE then return nil end
  return not alone and fine_cut(filter, lines, n) or root_cut(filter, n)
end

-- ---- programs ----

local VALUES = {float64 = "double", complex128 = "complex<double>"}

local function draw_parts(draft, dtype, computed, order, sections, abreast)
  local list = {draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input(computed, "address"),
    draft:input(computed, "address")}
  for k = 5, 9 do list[k] = draft:input("int64", "scalar") end
  for k = 11, 13 do list[k] = draft:input("int64", "scalar") end -- order, sections, abreast: for loops
  list[10] = draft:position()
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 14
  draft:step("filter_parts", ("signal::filter_parts<%s, %s, %d, %d, %d>(a, b, c, d, e, f, g, h, i, j)"):format(dtype,
    VALUES[computed], order, sections, abreast), "bool", list, "int64",
    ("signal::filter_parts<%s, %s>(a, b, c, d, e, f, g, h, i, j, k, l, m)"):format(dtype, VALUES[computed]))
end

--- The inputs of programs that pass the states of groups.
local function draw_states(draft, computed)
  local list = {draft:input(computed, "address"), draft:input(computed, "address"), draft:input(computed, "address"),
    draft:input("int64", "scalar"), draft:input("int64", "scalar")}
  list[7] = draft:input("int64", "scalar") -- size, for loops
  list[6] = draft:position()
  draft.gathers, draft.outputs = true, {}
  return list
end

local function draw_chain(draft, computed, size)
  local list = draw_states(draft, computed)
  draft:step("chain_states", ("signal::chain_states<%s, %d>(a, b, c, d, e, f)"):format(VALUES[computed], size), "bool",
    list, "int64", ("signal::chain_states<%s>(a, b, c, d, e, f, g)"):format(VALUES[computed]))
end

local function draw_ends(draft, computed, size)
  draft:step("end_groups", ("signal::end_groups<%s, %d>(a, b, c, d, e, f)"):format(VALUES[computed], size), "bool",
    draw_states(draft, computed), "int64")
end

local function draw_line(draft, dtype, computed)
  local list = {draft:input(dtype, "address"), draft:input(dtype, "address"), draft:input(computed, "address"),
    draft:input(computed, "address"), draft:input("int64", "scalar"), draft:input("int64", "scalar"), draft:position()}
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 14
  draft:step("filter_line", ("signal::filter_line<%s, %s>(a, b, c, d, e, f, g)"):format(dtype, VALUES[computed]),
    "bool", list, "int64")
end

--- How many lines a call filters side by side, as many as LINES of kernels/loop_signal.hh. The values of a line do not
--- depend on it.
local function abreast_of(device, computed)
  return core.lanes(device) == 1 and computed == "float64" and 8 or 1
end

--- Filters parts of lines from the states that they have.
local function run_parts(call, states, length, parts, writes)
  local filter, abreast = call.filter, abreast_of(call.x.device, call.computed)
  local key = table.concat({call.x.dtype, call.computed, filter.order, #filter.sections, abreast}, " ")
  local made = program.get(key, draw_parts, call.x.dtype, call.computed, filter.order, #filter.sections, abreast)
  core.map(made, call.name, {math.ceil(call.lines * parts / abreast)}, {}, address(call.x), address(call.out),
    address(call.coefficients), address(states), call.lines, call.n, length, parts, writes and 1 or 0,
    filter.order, #filter.sections, abreast)
end

--- Puts the states in which parts begin in place of those in which they end if they begin with zeros. `powers` are the
--- matrices from a level on: of parts, of groups of parts, ...
local function chain(call, states, initial, powers, level)
  local parts, size, lines = states.shape[2], states.shape[3], call.lines
  local length = level < powers.shape[1] and 2 ^ GROUP_LOG2 or parts
  local groups = math.ceil(parts / length)
  local power = core.view(powers, {}, {}, (level - 1) * size * size)
  local function run(draw, others)
    core.map(program.get(call.computed .. size, draw, call.computed, size), call.name, {lines * groups}, {},
      address(states), address(others), power, parts, length, size)
  end
  if groups > 1 then
    local ends = core.empty({lines, groups, size}, call.computed, call.x.device, call.name)
    run(draw_ends, ends)
    chain(call, ends, initial, powers, level + 1)
    initial = ends
  end
  run(draw_chain, initial)
end

--- Filters lines in parts; `states` has those of lines.
local function run_cut(call, states, cut)
  local size, parts = #call.filter.sections * call.filter.order, math.ceil(call.n / cut.length)
  local own = core.fill(core.empty({call.lines, parts, size}, call.computed, call.x.device, call.name), 0, call.name)
  run_parts(call, own, cut.length, parts, false)
  chain(call, own, states, core.as_array(cut.powers, call.computed, call.x.device, call.name), 1)
  run_parts(call, own, cut.length, parts, true)
  return own[{{}, parts}]
end

local function run_long(call, states)
  local made = program.get(call.x.dtype .. call.computed, draw_line, call.x.dtype, call.computed)
  core.map(made, call.name, {call.lines}, {}, address(call.x), address(call.out), address(call.coefficients),
    address(states), call.filter.order, call.n)
  return states
end

-- ---- filters ----

--- Filters lines.
---@param filter cuna.Recursion
---@param x cuna.Array shape (lines, n), row-major, float32, float64, complex64 or complex128
---@param states cuna.Array|nil shape (lines, states), row-major, float64 or complex128; it is overwritten
---@return cuna.Array out
---@return cuna.Array states at the ends of lines
function M.filter(filter, x, states, name)
  local lines, n, size = x.shape[1], x.shape[2], #filter.sections * filter.order
  local computed = (filter.is_complex or kind_of[x.dtype] == "c") and "complex128" or "float64"
  if not states then
    states = core.fill(core.empty({lines, size}, computed, x.device, name), 0, name)
  end
  local out = core.empty({lines, n}, x.dtype, x.device, name)
  if out.size == 0 then return out, states end
  local call = {filter = filter, x = x, out = out, lines = lines, n = n, computed = computed, name = name,
    coefficients = core.as_array(filter.sections, computed, x.device, name)}
  if filter.order > MOST_ORDER then return out, run_long(call, states) end
  local cut = cut_of(filter, x.device, lines, n)
  if cut then return out, run_cut(call, states, cut) end
  run_parts(call, states, n, 1, true)
  return out, states
end

--- The most sections of second order that one filter has.
M.MOST_SECTIONS = MOST_STATE / 2

return M
