--- plan.lua: cuts a DAG into programs, in the order in which they run.
--
-- Each fold is a program with all the steps that lead to it, and so is each group of results of one shape. A step that
-- several programs need is computed in each of them: arithmetic costs less than memory. If a program would have too
-- many operands or steps, some of its values are first computed into arrays. Arrays of the call are written by the last
-- programs, after all reads. Folds of one array's rows, and the values computed from them, share a program
-- (stages.lua).
--
-- The result is a list of runs, in the syntax of the text that calls them (code.lua):
--   {program =, operands = {text, ...}, results = {name, ...}, outs = {text of the array to write, or false}}
-- for draws that fill arrays and for views of values {text = Lua text of the array, results = {name}}, and for folds
-- {program =, name =,
-- axes =, keepdims =, extra =, operands =, results = {name}}. Programs with draws have `shape`. Programs in stages are
-- {program =, stages = true, axes =, keepdims = bit mask, operands =, results =, outs =}. Both may have `otherwise` and
-- `names`: if the engine declines a program, the runs `otherwise` replace it and leave the results in `names`.
local core = require "cuna.core"
local dags = require "cuna.fuse.dag"
local stages = require "cuna.fuse.stages"

local M = {}

local MAX_OPERANDS, MAX_STEPS = core.limits.operands, core.limits.steps

-- ---- the program that computes some values ----

--- The inputs (available arrays and numbers) and steps that the roots need, each after its arguments. Nil if a program
--- with `noutputs` outputs cannot hold them.
local function collect(plan, roots, noutputs)
  local found, nseen = {inputs = {}, steps = {}, seen = {}}, 0
  local function visit(node)
    if found.seen[node] then return true end
    found.seen[node], nseen = true, nseen + 1
    if nseen > MAX_STEPS + MAX_OPERANDS then return false end -- bounds the depth of the recursion
    if node.kind == "index" then
      found.index = node
      return true
    end
    if plan.at_hand[node] or node.kind == "scalar" then
      found.inputs[#found.inputs + 1] = node
      return #found.inputs + noutputs <= MAX_OPERANDS
    end
    for _, arg in ipairs(node.args) do
      if not visit(arg) then return false end
    end
    found.steps[#found.steps + 1] = node
    return #found.steps <= MAX_STEPS
  end
  for _, root in ipairs(roots) do
    if not visit(root) then return nil end
  end
  return found
end

--- Inputs, steps and the number of each value, in the form that core.program expects. Of a fold's steps some are stored
--- where it runs by itself.
local function describe(plan, found, folds)
  dags.order_inputs(found.inputs)
  local value, inputs, steps = {}, {}, {}
  for i, node in ipairs(found.inputs) do
    value[node], inputs[i] = i, {dtype = node.dtype, scalar = not plan.at_hand[node]}
  end
  local before = #inputs + (found.index and 1 or 0)
  if found.index then value[found.index] = before end
  for i, node in ipairs(found.steps) do
    local args = {}
    for k, arg in ipairs(node.args) do args[k] = value[arg] end
    value[node] = before + i
    steps[i] = {name = node.name, expr = node.expr, dtype = node.dtype, args = args, arg_dtypes = node.arg_dtypes,
      stored = folds and node.stored}
  end
  return inputs, steps, value
end

local function operands_of(plan, found)
  local texts = {}
  for i, node in ipairs(found.inputs) do texts[i] = plan.at_hand[node] or node.number.text end
  return texts
end

local function new_name(plan)
  plan.names.count = plan.names.count + 1
  return "t" .. plan.names.count
end

--- Adds a program that computes `found`, with one output per root; returns the names of the results.
local function add_run(plan, found, roots, targets)
  local inputs, steps, value = describe(plan, found)
  local outputs, outs, results = {}, {}, {}
  for i, root in ipairs(roots) do
    outputs[i] = {dtype = root.dtype, value = value[root]}
    outs[i], results[i] = targets[i] or false, new_name(plan)
  end
  plan.runs[#plan.runs + 1] = {
    program = core.program {inputs = inputs, steps = steps, outputs = outputs, index = found.index ~= nil,
      counted = true},
    operands = operands_of(plan, found), outs = outs, results = results,
    shape = found.index and found.index.extent.shape,
  }
  return results
end

-- ---- values that must be arrays ----

--- Computes arguments of a step into arrays, the costliest first, until one program holds the rest; each of them fits.
local function make_room(plan, node)
  local found = collect(plan, {node}, 1)
  while not found do
    local best, most, part
    for _, arg in ipairs(node.args) do
      local own = not plan.at_hand[arg] and arg.kind == "step" and collect(plan, {arg}, 1)
      local weight = own and #own.steps + #own.inputs
      if own and (not best or weight > most) then best, most, part = arg, weight, own end
    end
    plan.at_hand[best] = add_run(plan, part, {best}, {})[1]
    found = collect(plan, {node}, 1)
  end
  return found
end

--- The inputs and steps of a program with one root. Computes parts into arrays until the rest fits.
local function fit(plan, root)
  local found = collect(plan, {root}, 1)
  if found then return found end
  for _, node in ipairs(dags.made_of({root}, plan.at_hand)) do found = make_room(plan, node) end
  return found -- those of the root, which is the last node
end

local function has_array(plan, found)
  for _, node in ipairs(found.inputs) do
    if plan.at_hand[node] then return true end
  end
  return false
end

--- A plan that continues from the present state of another, with a separate list of runs.
local function branch(plan)
  local at_hand = {}
  for node, text in pairs(plan.at_hand) do at_hand[node] = text end
  return {dag = plan.dag, runs = {}, at_hand = at_hand, names = plan.names, overlaps = plan.overlaps}
end

--- Adds a fold of what was found. Returns its run.
local function add_found_fold(plan, node, found)
  local inputs, steps, value = describe(plan, found, true)
  assert(value[node.x] == #inputs + #steps, "the value that is folded comes last")
  plan.at_hand[node] = new_name(plan)
  plan.runs[#plan.runs + 1] = {
    program = core.program {inputs = inputs, steps = steps, reducer = node.row, accumulator = node.accumulator,
      output = node.dtype, counted = true},
    name = node.name, axes = node.axes, keepdims = node.keepdims, extra = node.extra,
    operands = operands_of(plan, found), results = {plan.at_hand[node]},
  }
  return plan.runs[#plan.runs]
end

--- The value that an unfused fold of a node finds in an array, where a step computes it.
local function stored_value(plan, node)
  while not plan.at_hand[node] and node.stored ~= dags.STORED do node = node.args[1] end
  return node
end

--- Adds the program of a fold. A value computed from numbers only is first computed into an array. The engine declines
--- if the inputs lie across the order in which the fold adds; then what is folded is stored first.
local function add_fold(plan, node)
  local found = fit(plan, node.x)
  if not has_array(plan, found) then
    plan.at_hand[node.x] = add_run(plan, found, {node.x}, {})[1]
    found = fit(plan, node.x)
  end
  local stored, otherwise = stored_value(plan, node.x), branch(plan)
  local run = add_found_fold(plan, node, found)
  if plan.at_hand[stored] then return end
  otherwise.at_hand[stored] = add_run(otherwise, fit(otherwise, stored), {stored}, {})[1]
  run.names = add_found_fold(otherwise, node, fit(otherwise, node.x)).results
  run.otherwise = otherwise.runs
end

--- Adds the folds that some values need, inner ones first.
local function add_folds(plan, nodes)
  for _, node in ipairs(dags.made_of(nodes, plan.at_hand)) do
    if node.kind == "reduce" then add_fold(plan, node) end
  end
end

-- ---- draws ----

local function is_draw(node) return node.kind == "step" and node.args[1] ~= nil and node.args[1].kind == "index" end

--- Computes a draw into an array.
local function add_draw(plan, node)
  if node.filling then
    plan.at_hand[node] = new_name(plan)
    plan.runs[#plan.runs + 1] = {text = node.filling, results = {plan.at_hand[node]}}
    return
  end
  add_folds(plan, {node})
  plan.at_hand[node] = add_run(plan, fit(plan, node), {node}, {})[1]
end

--- Computes draws into arrays if their shape differs from that of a program which needs them, or if there are folds:
--- positions in the loop of a fold are not those of the draw.
local function add_draws(plan, outputs)
  local folds = false
  for _, node in ipairs(plan.dag.nodes) do folds = folds or node.kind == "reduce" end
  for _, output in ipairs(outputs) do
    local shape = (output.target or output.node).extent.shape
    for _, node in ipairs(dags.made_of({output.node}, plan.at_hand)) do
      local foreign = is_draw(node) and (folds or not dags.same_shape(node.extent.shape, shape))
      if foreign or node.fills_first then add_draw(plan, node) end
    end
  end
end

-- ---- results ----

--- The Lua text of an extent's arrays; nil if folds determine its shape.
local function arrays_of(plan, extent)
  local texts = {}
  for i, root in ipairs(extent.roots) do
    if root.kind ~= "array" then return nil end
    texts[i] = plan.at_hand[root]
  end
  return texts
end

--- Whether two results have one shape, in this call and in every other call that the DAG then serves.
local function same_shape(plan, a, b)
  if a == b then return true end
  if not dags.same_shape(a.shape, b.shape) then return false end
  local ours, theirs = arrays_of(plan, a), arrays_of(plan, b)
  if not ours or not theirs or #ours == 0 or #theirs == 0 then return false end
  local head = #ours == 1 and #theirs == 1 and "same_shape(" or ("same_extent(%d, "):format(#ours)
  plan.dag:demand(head .. table.concat(ours, ", ") .. ", " .. table.concat(theirs, ", ") .. ")")
  return true
end

--- The extent of the loop of an output's program: that of its value, or of the array it is written to.
local function walk_of(output) return output.target and output.target.extent or output.node.extent end

--- Groups outputs of one shape, as many as one program holds.
local function group(plan, outputs)
  local groups = {}
  for _, output in ipairs(outputs) do
    local place
    for _, candidate in ipairs(groups) do
      local roots = {output.node}
      for _, other in ipairs(candidate) do roots[#roots + 1] = other.node end
      if not place and collect(plan, roots, #roots)
        and same_shape(plan, walk_of(candidate[1]), walk_of(output)) then
        place = candidate
      end
    end
    if not place then
      place = {}
      groups[#groups + 1] = place
    end
    place[#place + 1] = output
    place.writes = place.writes or output.target ~= nil
  end
  return groups
end

--- Adds the program of a group. With `aside` it writes new arrays, which are copied to the targets afterwards.
local function add_group(plan, members, aside)
  local roots, targets = {}, {}
  for i, output in ipairs(members) do
    roots[i], targets[i] = output.node, not aside and output.target and plan.at_hand[output.target] or false
  end
  local found = #roots == 1 and fit(plan, roots[1]) or collect(plan, roots, #roots)
  local results = add_run(plan, found, roots, targets)
  for i, output in ipairs(members) do output.result = results[i] end
end

--- Records that arrays which different programs write must not share memory: the writes have another order than in the
--- closure.
local function forbid_overlaps(plan, groups)
  local before = {}
  for _, members in ipairs(groups) do
    local own = {}
    for _, output in ipairs(members) do
      for _, other in ipairs(output.target and before or {}) do
        plan.overlaps[#plan.overlaps + 1] = {other.origin, output.target.origin}
      end
      own[#own + 1] = output.target
    end
    for _, target in ipairs(own) do before[#before + 1] = target end
  end
end

local function copy_back(plan, members)
  for _, output in ipairs(members) do
    if output.target then
      local inputs = {{dtype = output.node.dtype}}
      plan.runs[#plan.runs + 1] = {
        program = core.program {inputs = inputs, outputs = {{dtype = output.node.dtype, value = 1}}},
        operands = {output.result}, outs = {plan.at_hand[output.target]}, results = {new_name(plan)},
      }
    end
  end
end

local function add_outputs(plan, outputs)
  local groups, writers = group(plan, outputs), 0
  for _, members in ipairs(groups) do
    if members.writes then writers = writers + 1 else add_group(plan, members) end
  end
  if writers > 1 then forbid_overlaps(plan, groups) end
  for _, members in ipairs(groups) do
    if members.writes then add_group(plan, members, writers > 1) end
  end
  for _, members in ipairs(groups) do
    if members.writes and writers > 1 then copy_back(plan, members) end
  end
end

--- Adds programs for outputs: one for each fold, then one for each group of results.
local function add_plainly(plan, outputs)
  local nodes, rest, taken = {}, {}, {}
  for i, output in ipairs(outputs) do nodes[i] = output.node end
  add_folds(plan, nodes)
  for _, output in ipairs(outputs) do
    if output.node.kind == "reduce" and not output.target and not taken[output.node] then
      output.result, taken[output.node] = plan.at_hand[output.node], true
    else
      rest[#rest + 1] = output
    end
  end
  add_outputs(plan, rest)
end

-- ---- stages ----

--- Adds one program in stages, and the runs that replace it if the engine declines.
local function add_stages(plan, set)
  local outputs, names = {}, {}
  add_folds(plan, set.before)
  local program, inputs = stages.describe(set, plan.at_hand)
  local otherwise = branch(plan)
  for i, output in ipairs(set.outputs) do outputs[i] = {node = output.node, target = output.target} end
  add_plainly(otherwise, outputs)
  local run = {program = program, stages = true, axes = set.axes, keepdims = 0, outs = {}, results = {}, names = names,
    operands = operands_of(plan, {inputs = inputs}), otherwise = otherwise.runs}
  for i, output in ipairs(set.outputs) do
    run.outs[i], run.results[i] = output.target and plan.at_hand[output.target] or false, new_name(plan)
    run.keepdims = run.keepdims + (set.keepdims[i] and 2 ^ (i - 1) or 0)
    output.result, names[i] = run.results[i], outputs[i].result
    if output.node.kind == "reduce" then plan.at_hand[output.node] = run.results[i] end
  end
  plan.runs[#plan.runs + 1] = run
end

--- Adds the programs of some outputs.
local function add_programs(plan, outputs)
  add_draws(plan, outputs)
  local set = stages.find(outputs, plan.at_hand, plan.dag)
  while set do
    add_stages(plan, set)
    set = stages.find(outputs, plan.at_hand, plan.dag)
  end
  local rest = {}
  for _, output in ipairs(outputs) do
    if not output.result then rest[#rest + 1] = output end
  end
  add_plainly(plan, rest)
end

--- Computes what is viewed into arrays; the views are arrays for the programs that follow.
local function add_views(plan, outputs)
  local roots = {}
  for i, output in ipairs(outputs) do roots[i] = output.node end
  for _, node in ipairs(dags.made_of(roots, plan.at_hand)) do
    if node.kind == "view" then
      local value = {node = node.x}
      if not plan.at_hand[node.x] then
        add_programs(plan, {value})
        plan.at_hand[node.x] = value.result
      end
      plan.at_hand[node] = new_name(plan)
      plan.runs[#plan.runs + 1] = {text = ("%s(%s)"):format(node.make, plan.at_hand[node.x]),
        results = {plan.at_hand[node]}}
    end
  end
end

--- Cuts a DAG into programs. Only this function decides which values are computed together.
---@param dag cuna.FuseDag
---@param outputs table[] {node =, target = node of the array to write, or nil}; `result` is set to the name of the
--- array that holds it
---@return table[] runs
---@return table[] overlaps pairs of origins whose arrays must not share memory
function M.cut(dag, outputs)
  local plan = {dag = dag, runs = {}, at_hand = {}, names = {count = 0}, overlaps = {}}
  for _, node in ipairs(dag.nodes) do
    if node.kind == "array" then plan.at_hand[node] = node.origin.text end
  end
  add_views(plan, outputs)
  add_programs(plan, outputs)
  return plan.runs, plan.overlaps
end

return M
