--- emit.lua: statements of kernels written in Lua as lines of C++.
--
-- A variable has the type of its first value. Lines are strings, or functions that return them when the whole function
-- has been translated: a variable without a value is declared before its type is known. `unset` contains the variables
-- that may be nil.
local calls = require "cuna.jit.calls"
local e = require "cuna.jit.expr"
local range = require "cuna.jit.range"
local types = require "cuna.jit.types"

local M = {}

local fail, show, expression = e.fail, e.show, e.expression
local TYPES = types.TYPES
local STATEMENT = {}
local MAX_SHARED_NBYTES = 48 * 1024 -- CUDA's limit for arrays of a fixed size

-- ---- lines and names ----

--- Adds a line.
function M.emit(inst, format, ...)
  local text = select("#", ...) > 0 and format:format(...) or format
  inst.lines[#inst.lines + 1] = ("    "):rep(inst.depth) .. text
end
local emit = M.emit

--- Adds a line whose text is determined when the function is finished.
function M.emit_later(inst, make)
  local indent = ("    "):rep(inst.depth)
  inst.lines[#inst.lines + 1] = function() return indent .. make():gsub("\n", "\n" .. indent) end
end
local emit_later = M.emit_later

--- A unique name in C++: Lua's name with an underscore appended, since no keyword of C++ ends in one.
function M.new_name(inst, word)
  local taken = inst.ctx.taken
  local base = word:gsub("[\128-\255]", "u") .. "_"
  taken[base] = (taken[base] or 0) + 1
  return taken[base] == 1 and base or base .. taken[base]
end
local new_name = M.new_name

--- Joins lines to one text.
function M.flatten(list)
  local lines = {}
  for k, entry in ipairs(list) do lines[k] = type(entry) == "function" and entry() or entry end
  return table.concat(lines, "\n")
end

-- ---- variables ----

--- The state of a variable after it got a value. A state that changed is kept for the following passes.
function M.take(inst, node, variable, v)
  local owner = e.owner(inst, variable)
  local state = owner.states[variable]
  if not state then
    state = types.begin(v)
    state.line = node.line
    owner.states[variable] = state
    return state
  end
  if not types.join(state, v) then
    local advice = types.is_number(v) and state.type.kind ~= "b"
      and ("; begin with a value of the wider dtype, or convert: cn.jit.cast(v, %q)"):format(state.type.name) or ""
    if state.type == TYPES.int64 and types.is_float(v) then
      advice = "; begin with a float (v + 0.0), or write math.floor(v)"
    end
    fail(inst, node, "'%s' is %s since line %d, and %s is not%s", variable.name, state.type.name, state.line, show(v),
      advice)
  end
  if state.changed then inst.ctx.changed, state.is_kept, state.changed = true, true, nil end
  return state
end
local take = M.take

--- Makes a variable an alias, in the rest of the block, of a value that has no C++ type.
local function bind(inst, node, variable, v)
  if variable.assignments > 0 then
    fail(inst, node, "'%s' is %s and cannot be assigned again", variable.name, show(v))
  end
  inst.bound[variable] = v
end

--- Declares shared memory whose size the launch determines.
local function declare_dynamic(inst, variable, shared)
  local name = new_name(inst, variable.name)
  inst.ctx.has_dynamic = true
  emit(inst, "extern __shared__ long long jit_dynamic[];")
  emit(inst, "const jit::array<%s, 1, true> %s = {(%s *)jit_dynamic, {jit_shared / (long long)sizeof(%s)}};",
    shared.storage, name, shared.storage, shared.storage)
  inst.bound[variable] = {text = name, array = {name = variable.name, dtype = shared.dtype, ndim = 1, dense = true}}
end

--- Makes a variable an object of C++; returns its name there.
function M.bind_object(inst, variable, v)
  local name = new_name(inst, variable.name)
  inst.bound[variable] = setmetatable({text = name}, {__index = v})
  return name
end

local function declare_object(inst, node, variable, v)
  if variable.assignments > 0 then
    fail(inst, node, "'%s' is %s and cannot be assigned again", variable.name, v.what)
  end
  emit(inst, "auto %s = %s;", M.bind_object(inst, variable, v), v.text)
end

local function declare_shared(inst, node, variable, shared)
  if variable.assignments > 0 then fail(inst, node, "shared memory cannot be assigned again") end
  if shared.declare then
    inst.bound[variable] = shared.declare(new_name(inst, variable.name))
    return
  end
  if not shared.shape then
    if inst.source ~= inst.ctx.found or inst.is_function then
      fail(inst, node, "shared memory without a shape is declared in the kernel itself")
    end
    return declare_dynamic(inst, variable, shared)
  end
  local name, size = new_name(inst, variable.name), 1
  local lengths, bounds = {}, {}
  for k, length in ipairs(shared.shape) do
    size, lengths[k], bounds[k] = size * length, types.literal_text(length, TYPES.int64), {offset = length}
  end
  local ctx = inst.ctx
  ctx.shared_nbytes = ctx.shared_nbytes + size * types.nbytes(shared.dtype)
  if ctx.shared_nbytes > MAX_SHARED_NBYTES then
    fail(inst, node, "%.0f bytes of shared memory exceed the limit of %d for fixed shapes; omit the shape and call the "
      .. "kernel with {shared_mem = bytes}", ctx.shared_nbytes, MAX_SHARED_NBYTES)
  end
  emit(inst, "__shared__ %s %sdata[%d];", shared.storage, name, size)
  emit(inst, "const jit::array<%s, %d, true> %s = {%sdata, {%s}};", shared.storage, #lengths, name, name,
    table.concat(lengths, ", "))
  inst.bound[variable] = {text = name, array = {name = variable.name, dtype = shared.dtype, ndim = #lengths,
    dense = true, lengths = bounds}}
end

--- Declares a variable with a value.
local function declare(inst, node, variable, v)
  if v.shared then return declare_shared(inst, node, variable, v.shared) end
  if v.c then return declare_object(inst, node, variable, v) end
  if not v.type then return bind(inst, node, variable, v) end
  local state, name = take(inst, node, variable, v), new_name(inst, variable.name)
  inst.names[variable], inst.known[variable] = name, v
  emit(inst, "%s%s %s = %s;", variable.assignments == 0 and "const " or "", state.type.c, name,
    types.convert(v, state.type))
end

--- Declares a variable without a value. Reading it before it has one is an error.
local function declare_empty(inst, variable)
  local name = new_name(inst, variable.name)
  inst.names[variable], inst.ctx.unset[variable] = name, true
  emit_later(inst, function()
    local state = inst.states[variable]
    return state and ("%s %s = 0;"):format(state.type.c, name) or "/* unused */;"
  end)
end

-- ---- lists of expressions ----

--- Stores a value in a variable of C++, so that it is computed at this line.
local function hold(inst, v)
  if not v.type or v.literal then return v end
  local name = new_name(inst, "t")
  emit(inst, "const %s %s = %s;", v.type.c, name, v.text)
  return setmetatable({text = name}, {__index = v})
end

--- The values of a list; the last may be a call with several. All are computed before one is stored, as in Lua.
local function expressions(inst, nodes, is_held)
  local list = {}
  is_held = is_held or #nodes > 1 and nodes[#nodes].tag == "call" -- it may change what those before it read
  for k, node in ipairs(nodes) do
    if k == #nodes and node.tag == "call" then
      for _, v in ipairs(e.call(inst, node, true)) do list[#list + 1] = v end
    elseif node.tag == "nil" then
      list[k] = false
    else
      list[k] = expression(inst, node)
      if is_held then list[k] = hold(inst, list[k]) end
    end
  end
  return list
end

-- ---- blocks ----

--- Translates the statements of a block.
function M.block(inst, list)
  local facts = inst.ctx.facts
  inst.depth = inst.depth + 1
  for _, statement in ipairs(list) do
    STATEMENT[statement.tag](inst, statement)
  end
  inst.depth, inst.ctx.facts = inst.depth - 1, facts
end
local block = M.block

--- A copy of a set.
function M.copy(set)
  local result = {}
  for key in pairs(set) do result[key] = true end
  return result
end
local copy = M.copy

--- Whether control never reaches the end of a block: it returns on every path, or leaves the loop around the block
--- where a break counts too.
local function leaves(list, break_counts)
  local last = list[#list]
  if not last then return false end
  if last.tag == "return" then return true end
  if last.tag == "break" then return break_counts end
  if last.tag == "do" then return leaves(last.body, break_counts) end
  if last.tag == "while" or last.tag == "repeat" then return last.is_endless end
  if last.tag ~= "if" or not last.otherwise or not leaves(last.otherwise, break_counts) then return false end
  for _, clause in ipairs(last.clauses) do
    if not leaves(clause.body, break_counts) then return false end
  end
  return true
end

--- Whether all paths through a block end in a return.
function M.returns(list) return leaves(list, false) end

-- ---- statements ----

STATEMENT["do"] = function(inst, node)
  emit(inst, "{")
  block(inst, node.body)
  emit(inst, "}")
end

STATEMENT["break"] = function(inst) emit(inst, "break;") end

STATEMENT["local"] = function(inst, node)
  local values, variables = expressions(inst, node.values), node.variables
  if #node.values > #variables then
    fail(inst, node, "%d values for %d variables", #node.values, #variables)
  end
  for k, variable in ipairs(variables) do
    if values[k] then
      declare(inst, node, variable, values[k])
    else
      declare_empty(inst, variable)
    end
  end
end

STATEMENT["local function"] = function(inst, node)
  bind(inst, node, node.variable, e.closure(inst, node.fn))
end

--- A function that emits the store to a target of an assignment. Positions are computed first, and kept in variables if
--- other targets are stored before.
local function prepare_target(inst, node, is_held)
  if node.tag == "name" then
    local variable = node.variable
    return function(v)
      if not v.type then fail(inst, node, "a variable of a kernel cannot become %s", show(v)) end
      local owner = e.owner(inst, variable)
      if owner.bound[variable] then fail(inst, node, "'%s' cannot be assigned", variable.name) end
      local state = take(inst, node, variable, v)
      inst.ctx.unset[variable] = nil
      emit(inst, "%s = %s;", owner.names[variable], types.convert(v, state.type))
    end
  end
  local array, keys = e.target(inst, node)
  calls.write(array.array)
  local place, is_safe = e.place(inst, node, array, keys, is_held and function(text)
    return hold(inst, {type = TYPES.int64, text = text}).text
  end)
  local access = e.access(inst, node, array, is_safe, "put", "set")
  return function(v)
    emit(inst, "%s%s, %s);", access, calls.stored(inst, node, v, array.array, (types.of(array.array.dtype))), place)
  end
end

function STATEMENT.assign(inst, node)
  local single = #node.targets == 1
  if #node.values > #node.targets then
    fail(inst, node, "%d values for %d places", #node.values, #node.targets)
  end
  local values = expressions(inst, node.values, not single)
  local stores = {}
  for k = 1, #node.targets do
    if not values[k] then fail(inst, node, "place %d of the assignment gets no value (nil)", k) end
    if not single then values[k] = hold(inst, values[k]) end
  end
  for k, target in ipairs(node.targets) do stores[k] = prepare_target(inst, target, not single) end
  -- Elements of arrays are stored first: a variable that is assigned earlier must not change their positions.
  for k, target in ipairs(node.targets) do
    if target.tag ~= "name" then stores[k](values[k]) end
  end
  for k, target in ipairs(node.targets) do
    if target.tag == "name" then stores[k](values[k]) end
  end
end

STATEMENT["call statement"] = function(inst, node)
  e.call(inst, node.call, true, true)
end

--- Records facts that are true after an `if`: if the clauses of the first conditions leave, these conditions were
--- false.
---@param count integer the number of conditions translated
local function assume_behind(inst, node, count)
  for k = 1, count do
    local clause = node.clauses[k]
    if not leaves(clause.body, true) then return end
    range.assume(inst, clause.condition, false, expression)
  end
end

--- Clauses whose conditions are constants are omitted, or end the statement.
STATEMENT["if"] = function(inst, node)
  local facts, ntranslated = inst.ctx.facts, 0
  local before, after, opened = inst.ctx.unset, nil, false
  local function branch(list)
    inst.ctx.unset = copy(before)
    block(inst, list)
    if leaves(list, true) then return end
    after = after or {}
    for variable in pairs(inst.ctx.unset) do after[variable] = true end
  end
  local is_decided = false
  for _, clause in ipairs(node.clauses) do
    local count = #inst.lines
    local condition = not is_decided and e.condition(inst, clause.condition)
    if opened and #inst.lines > count then
      fail(inst, clause.condition, "this condition makes a function; give its value a name before the 'if'")
    end
    if condition and condition.truth ~= false then
      is_decided = condition.truth == true
      local head = is_decided and "" or ("if (%s) "):format(condition.text)
      emit(inst, "%s%s{", opened and "} else " or "", head)
      opened = true
      e.where(inst, clause.condition, true, function() branch(clause.body) end)
    end
    if condition then
      ntranslated = ntranslated + 1
      range.assume(inst, clause.condition, false, expression)
    end
  end
  if not is_decided then
    if node.otherwise then emit(inst, opened and "} else {" or "{") end
    if node.otherwise then opened = true end
    branch(node.otherwise or {})
  end
  if opened then emit(inst, "}") end
  inst.ctx.unset, inst.ctx.facts = after or before, facts
  assume_behind(inst, node, ntranslated)
end

STATEMENT["while"] = function(inst, node)
  local before = inst.ctx.unset
  emit(inst, "while (%s) {", e.condition(inst, node.condition).text)
  inst.ctx.unset = copy(before)
  block(inst, node.body)
  inst.ctx.unset = before
  emit(inst, "}")
end

STATEMENT["repeat"] = function(inst, node)
  local before = inst.ctx.unset
  emit(inst, "for (;;) {")
  inst.ctx.unset = copy(before)
  block(inst, node.body)
  local condition = e.condition(inst, node.condition)
  inst.depth = inst.depth + 1
  emit(inst, "if (%s)", condition.text)
  emit(inst, "    break;")
  inst.depth = inst.depth - 1
  emit(inst, "}")
  inst.ctx.unset = before
end

-- ---- numeric loops ----

local is_whole = types.is_whole

--- The type of a loop's variable: int64 if the first value and the step are whole, else the common float type.
local function loop_type(inst, node, first, last, step)
  if is_whole(first) and is_whole(step) and not (types.is_float(first) and types.is_float(last)) then
    return TYPES.int64
  end
  local t, weak = e.promote(inst, node, first, last)
  t, weak = e.promote(inst, node, {type = t, weak = weak}, step)
  return t, weak
end

--- The bound of an integer loop as C++; a float is rounded towards the first value.
local function integer_bound(inst, node, last, step)
  if types.is_int(last) then return types.convert(last, TYPES.int64) end
  if last.literal == math.huge or last.literal == -math.huge then
    return ("jit::to_int<long long>(%s)"):format(last.text)
  end
  if not last.whole and not step.literal and not step.positive then
    fail(inst, node, "the bound is a float and the sign of the step is not known; write math.floor or math.ceil")
  end
  local round = (step.positive or (step.literal or 0) > 0) and "floor" or "ceil"
  return ("jit::to_int<long long>(::%s((double)(%s)))"):format(round, last.text)
end

local function loop_values(inst, node)
  local values = {expression(inst, node.first), expression(inst, node.last)}
  values[3] = node.step and expression(inst, node.step) or types.number(1)
  for k, what in ipairs {"first value", "bound", "step"} do
    e.number(inst, node, values[k], ("a loop's %s is"):format(what))
  end
  if values[3].literal == 0 then fail(inst, node, "a loop's step is 0") end
  return values[1], values[2], values[3]
end

--- The condition under which a loop continues. With a step of 0, the body never runs.
local function loop_condition(at, last, step, step_name)
  if step.positive or (step.literal or 0) > 0 then return ("%s <= %s"):format(at, last) end
  if step.literal then return ("%s >= %s"):format(at, last) end
  return ("%s > 0 ? %s <= %s : %s < 0 && %s >= %s"):format(step_name, at, last, step_name, at, last)
end

STATEMENT["for"] = function(inst, node)
  local variable = node.variable
  local first, last, step = loop_values(inst, node)
  local t, weak = loop_type(inst, node, first, last, step)
  local is_int = t.kind ~= "f"
  t = is_int and TYPES.int64 or t
  local v = {type = t, weak = weak, open = is_int or nil, small = is_int and first.small and last.small,
    whole = not is_int and is_whole(first) and is_whole(step) or nil,
    positive = is_int and first.positive and (step.positive or (step.literal or 0) > 0)}
  if is_int then range.loop(inst, v, first, last, step) end
  local state = take(inst, node, variable, v)
  local name, bound, stride = new_name(inst, variable.name), new_name(inst, "last"), new_name(inst, "step")
  local at = variable.assignments == 0 and name or new_name(inst, variable.name)
  inst.names[variable], inst.known[variable] = name, v
  local last_text = is_int and integer_bound(inst, node, last, step) or types.convert(last, t)
  local first_text = is_int and types.to_index(first) or types.convert(first, t)
  local step_text = is_int and types.to_index(step) or types.convert(step, t)
  local goes_on = loop_condition(at, bound, step, stride)
  local head = ("%s %s = %s, %s = %s, %s = %s"):format(t.c, at, first_text, bound, last_text, stride, step_text)
  if is_int then
    local more = new_name(inst, "more")
    emit(inst, "for (%s, %s = (%s); %s; %s = jit::advance(%s, %s, %s)) {", head, more, goes_on, more, more, at, bound,
      stride)
  else
    emit(inst, "for (%s; %s; %s += %s) {", head, goes_on, at, stride)
  end
  local before = inst.ctx.unset
  inst.ctx.unset = copy(before)
  if at ~= name then
    emit(inst, "    %s %s = %s;", state.type.c, name, types.convert({type = t, text = at}, state.type))
  end
  block(inst, node.body)
  inst.ctx.unset = before
  emit(inst, "}")
end

-- ---- results ----

STATEMENT["return"] = function(inst, node)
  if inst.is_kernel then
    if #node.values > 0 then
      fail(inst, node, "a kernel returns nothing; results go into arrays that are passed to it")
    end
    return emit(inst, "return;")
  end
  local values = expressions(inst, node.values, #node.values > 1)
  local results = inst.results
  if not results.line then results.line, results.count = node.line, #values end
  if results.count ~= #values then
    fail(inst, node, "returns %d values, and %d in line %d", #values, results.count, results.line)
  end
  local variables = results.variables
  for k = 1, #values do
    local v = values[k]
    if not (v and v.type) then
      fail(inst, node, "a function of a kernel returns numbers and booleans, got %s", v and show(v) or "nil")
    end
    variables[k] = variables[k] or {name = "result " .. k, fn = inst.fn}
    take(inst, node, variables[k], v)
  end
  emit_later(inst, function()
    local texts = {}
    for k, v in ipairs(values) do texts[k] = types.convert(v, inst.states[variables[k]].type) end
    if #texts == 0 then return "return;" end
    return #texts == 1 and "return " .. texts[1] .. ";" or ("return %s{%s};"):format(inst.result_type,
      table.concat(texts, ", "))
  end)
end

return M
