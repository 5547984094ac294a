--- stages.lua: finds folds over one array's rows, and values computed from them, that one kernel computes in stages.
--
-- A row is the set of elements that one position of the kept axes folds. Folds of the same extent over the same axes
-- form a set. The kernel reads a row, folds it and computes further values of the row from the result, while the row
-- stays in a cache. So softmax, layer norm and variances read memory once. Folds of other axes or arrays run before the
-- kernel and are its inputs, or run after it.
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"

local M = {}

local MAX_OPERANDS, MAX_STEPS = core.limits.operands, core.limits.steps

--- The folds that some nodes need, inner ones first. Available folds are used as arrays.
local function folds_of(nodes, at_hand)
  local list = {}
  for _, node in ipairs(dags.made_of(nodes, at_hand)) do
    if node.kind == "reduce" then list[#list + 1] = node end
  end
  return list
end

local function needed_folds(outputs, at_hand)
  local nodes = {}
  for _, output in ipairs(outputs) do
    if not output.result then nodes[#nodes + 1] = output.node end
  end
  return folds_of(nodes, at_hand)
end

--- Whether a node needs a fold outside the set that itself needs a fold of the set.
local function goes_outside(node, set, at_hand)
  for _, fold in ipairs(folds_of({node}, at_hand)) do
    for _, inner in ipairs(set.folds[fold] and {} or folds_of({fold.x}, at_hand)) do
      if set.folds[inner] then return true end
    end
  end
  return false
end

local function needs_set(node, set, at_hand)
  for _, fold in ipairs(folds_of({node}, at_hand)) do
    if set.folds[fold] then return true end
  end
  return false
end

-- ---- the members of a set ----

local function new_set(first)
  return {axes = first.axes, extent = first.x.extent, folds = {}, outputs = {}, keepdims = {}, before = {}, taken = {}}
end

local function is_alike(fold, set)
  return fold.kind == "reduce" and fold.axes == set.axes and fold.x.extent == set.extent
end

--- For a value computed only from folds of the set, whether these folds keep their axes; nil for other nodes.
local function row_keepdims(node, set)
  local keepdims
  for _, root in ipairs(node.extent.roots) do
    if not set.folds[root] or (keepdims ~= nil and keepdims ~= root.keepdims) then return nil end
    keepdims = root.keepdims
  end
  return keepdims
end

--- Whether an output has the set's full shape; if not, also whether a value of its rows keeps the axes (nil: neither).
local function shape_in_set(set, output)
  local node, target = output.node, output.target
  if target then return node.extent == set.extent and target.extent == set.extent, nil end
  if is_alike(node, set) then return false, node.keepdims end
  if node.extent == set.extent then return true, nil end
  return false, row_keepdims(node, set)
end

--- Adds an output to the set if it has the set's shape or that of its rows.
local function take_output(set, output, at_hand)
  local node = output.node
  local is_full, keepdims = shape_in_set(set, output)
  if not is_full and keepdims == nil then return end
  if goes_outside(is_alike(node, set) and node.x or node, set, at_hand) then return end
  local place = #set.outputs + 1
  set.outputs[place], set.keepdims[place], set.taken[node] = output, not is_full and keepdims, true
  output.is_row = not is_full
  set.has_full = set.has_full or (is_full and needs_set(node, set, at_hand))
end

--- Adds those folds of the set to its outputs that values outside the set need too.
local function export_folds(set, outputs, at_hand)
  local is_needed = {}
  for _, output in ipairs(outputs) do
    for _, fold in ipairs(not output.result and not output.place and folds_of({output.node}, at_hand) or {}) do
      if set.folds[fold] then is_needed[#is_needed + 1] = fold end
    end
  end
  for _, fold in ipairs(is_needed) do
    if not set.taken[fold] then
      local place = #set.outputs + 1
      set.outputs[place], set.keepdims[place], set.taken[fold] = {node = fold, is_row = true}, fold.keepdims, true
    end
  end
end

local function fill_set(set, outputs, at_hand, list)
  for _, fold in ipairs(list) do
    if is_alike(fold, set) and dags.is_row(fold) and not goes_outside(fold.x, set, at_hand) then
      set.folds[fold] = true
    end
  end
  for _, output in ipairs(outputs) do
    if not output.result then take_output(set, output, at_hand) end
  end
  for _, output in ipairs(set.outputs) do output.place = true end
  export_folds(set, outputs, at_hand)
  for _, output in ipairs(outputs) do output.place = nil end
end

-- ---- the program ----

--- A key of a fold that is equal for folds which differ in `keepdims` only.
local function key_of(fold)
  return table.concat({fold.name, fold.x.id, fold.accumulator, fold.dtype, fold.extra}, " ")
end

local function uses_extra(row) return row.finish:find "%f[%w_]extra%f[^%w_]" ~= nil end

local visit

--- Visits the arguments of a fold; false if it was visited with another `keepdims`.
local function visit_fold(found, node, set, dag, at_hand)
  local key = key_of(node)
  visit(found, node.x, set, dag, at_hand)
  if uses_extra(node.row) then
    node.extra_node = dag:scalar({text = ("%.17g"):format(node.extra), value = node.extra}, "float64")
    visit(found, node.extra_node, set, dag, at_hand)
  end
  found.seen[node] = found.same[key] or node
  if found.same[key] then return false end
  found.same[key], found.nfolds = node, found.nfolds + 1
  return true
end

function visit(found, node, set, dag, at_hand, is_output)
  local is_fold = node.kind == "reduce"
  if is_fold and not set.folds[node] and not is_output and set.taken[node] then found.is_bad = true end
  if found.seen[node] or #found.steps > MAX_STEPS or found.is_bad then return end
  found.seen[node], found.depth = node, found.depth + 1
  found.is_bad = found.is_bad or found.depth > 4 * MAX_STEPS -- more values than a program can hold
  if node.kind == "scalar" or at_hand[node] or (is_fold and not set.folds[node] and not is_output) then
    found.inputs[#found.inputs + 1] = node
    return
  end
  if is_fold and not visit_fold(found, node, set, dag, at_hand) then return end
  for _, arg in ipairs(node.args or {}) do visit(found, arg, set, dag, at_hand) end
  found.steps[#found.steps + 1] = node
end

--- Inputs and steps of the set, each after its arguments; nil if a program cannot hold them.
local function collect(set, dag, at_hand)
  local found = {inputs = {}, steps = {}, seen = {}, same = {}, nfolds = 0, depth = 0}
  for _, output in ipairs(set.outputs) do visit(found, output.node, set, dag, at_hand, true) end
  local is_small = #found.inputs + #set.outputs <= MAX_OPERANDS and #found.steps <= MAX_STEPS
  return is_small and not found.is_bad and found or nil
end

local function step_of(node, value)
  if node.kind ~= "reduce" then
    local args = {}
    for k, arg in ipairs(node.args) do args[k] = value(arg) end
    return {name = node.name, expr = node.expr, dtype = node.dtype, args = args, arg_dtypes = node.arg_dtypes,
      stored = node.stored}
  end
  local step = {reducer = node.row, dtype = node.dtype, args = {value(node.x)}, arg_dtypes = {node.accumulator}}
  if node.extra_node then step.args[2], step.arg_dtypes[2] = value(node.extra_node), "float64" end
  return step
end

--- The program of a set, and the nodes of its inputs in order.
function M.describe(set, at_hand)
  local found = set.found
  local number, level, inputs, steps, outputs, stages = {}, {}, {}, {}, {}, 0
  local function value(node) return number[found.seen[node]] end
  dags.order_inputs(found.inputs)
  for i, node in ipairs(found.inputs) do
    number[node], inputs[i], level[i] = i, {dtype = node.dtype, scalar = not at_hand[node]}, 0
  end
  for i, node in ipairs(found.steps) do
    local own = #inputs + i
    steps[i] = step_of(node, value)
    level[own] = 0
    for _, arg in ipairs(steps[i].args) do level[own] = math.max(level[own], level[arg]) end
    if node.kind == "reduce" then level[own] = level[own] + 1 end
    number[node], stages = own, math.max(stages, node.kind == "reduce" and level[own] or 0)
  end
  for i, output in ipairs(set.outputs) do
    outputs[i] = {dtype = output.node.dtype, value = value(output.node), row = output.is_row}
  end
  return core.program {inputs = inputs, steps = steps, outputs = outputs, stages = stages, counted = true},
    found.inputs
end

--- A set of outputs without a result for which a program in stages pays off; nil if there is none.
---@param outputs table[] as for plan.lua's cut
---@param at_hand table available nodes as keys
---@return table|nil set
function M.find(outputs, at_hand, dag)
  local list, tried, writes = needed_folds(outputs, at_hand), {}, false
  for _, output in ipairs(outputs) do writes = writes or output.target ~= nil end
  for _, first in ipairs(list) do
    local ndim, key = #first.x.extent.shape, first.axes .. " " .. first.x.extent.key
    local is_part = first.axes ~= 0 and first.axes ~= 2 ^ ndim - 1 and #first.x.extent.roots > 0
    if is_part and not tried[key] then
      tried[key] = true
      local set = new_set(first)
      fill_set(set, outputs, at_hand, list)
      local is_whole = #set.outputs == #outputs
      set.found = #set.outputs > 0 and (is_whole or not writes) and collect(set, dag, at_hand)
      if set.found and (set.has_full or set.found.nfolds > 1) then
        for _, node in ipairs(set.found.inputs) do
          if node.kind == "reduce" then set.before[#set.before + 1] = node end
        end
        return set
      end
    end
  end
end

return M
