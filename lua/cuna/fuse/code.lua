--- code.lua: a traced function as Lua text, which checks whether the trace serves a call and runs its programs.
--
-- A call executes only this text: it reads the origins and compares them with the recorded values. If one differs, the
-- call continues with the next trace, K.next. The comparison allocates nothing.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local home = require "cuna.base.home"
local plans = require "cuna.fuse.plan"

local M = {}

-- ---- functions that the text calls ----

local function count_keys(t)
  local count = 0
  for _ in pairs(t) do count = count + 1 end
  return count
end

--- The lengths of the shape that some arrays broadcast to, from the last axis to the first.
local function lengths_of(list, first, last)
  local lengths, ndim = {}, 0
  for i = first, last do
    local shape = list[i].shape
    ndim = math.max(ndim, #shape)
    for axis = 1, #shape do
      local place = #shape - axis + 1
      if not lengths[place] or lengths[place] == 1 then lengths[place] = shape[axis] end
    end
  end
  return lengths, ndim
end

--- Whether the first `count` arrays broadcast to the same shape as the others.
local function same_extent(count, ...)
  local list = {...}
  local ours, ndim = lengths_of(list, 1, count)
  local theirs, other = lengths_of(list, count + 1, #list)
  if ndim ~= other then return false end
  for i = 1, ndim do
    if ours[i] ~= theirs[i] then return false end
  end
  return true
end

local function same_boxed(a, b)
  return type(a) == "cdata" and core.number_kind(a) == core.number_kind(b) and tostring(a) == tostring(b)
end

local function ndim_of(x) return x.ndim end

--- Whether an array that the trace holds is still alive: the program can free it through the table where it was found.
local function is_alive(x) return (pcall(ndim_of, x)) end

local SCOPE = {
  have_dtypes = core.have_dtypes, has_shape = core.has_shape, same_shape = core.same_shape, same_extent = same_extent,
  count_keys = count_keys, same_boxed = same_boxed, is_alive = is_alive,
  getupvalue = debug.getupvalue, map = core.map, reduce = core.reduce, stages = core.stages,
  copy = core.cast, shares_memory = core.shares_memory, default_dtype = dtype_rules.default_dtype,
  fill_draw = function(...) return require("cuna.random.draw").filled(...) end,
  next_call = function(...) return require("cuna.random.generator").next_call(...) end,
  current_device = core.current_device, rawequal = rawequal, type = type, select = select,
}

local HEADER
do
  local names = {}
  for name in pairs(SCOPE) do names[#names + 1] = name end
  table.sort(names)
  local values = {}
  for i, name in ipairs(names) do values[i] = "S." .. name end
  HEADER = "local S, K, math, NAME = ... local " .. table.concat(names, ", ") .. " = " .. table.concat(values, ", ")
    .. "\n"
end

-- ---- checks ----

local letter_of = {} -- of dtypes, for core.have_dtypes
for i, dtype in ipairs(core.dtypes) do letter_of[dtype.name] = string.char(("a"):byte() + i - 1) end

--- Adds checks of those properties of an array's shape that the closure read.
local function check_shape(origin, list)
  local s, x = origin.text, origin.value
  if origin.asks_shape then
    list[#list + 1] = ("has_shape(%s)"):format(table.concat({s, unpack(x.shape)}, ", "))
    return
  end
  if origin.asks_ndim then list[#list + 1] = ("%s.ndim == %d"):format(s, x.ndim) end
  if origin.asks_size then
    list[#list + 1] = ("%s.size == %.0f"):format(s, x.size)
  elseif origin.asks_elements then
    list[#list + 1] = ("%s.size ~= 0"):format(s)
  end
end

local function check_constant(origin, trace, list)
  local s, value = origin.text, origin.value
  local kind = type(value)
  if kind == "number" then
    list[#list + 1] = ("type(%s) == \"number\" and %s"):format(s, trace:equality(s, value))
  elseif kind == "cdata" and core.number_kind(value) then
    list[#list + 1] = ("same_boxed(%s, %s)"):format(s, trace:hold(value))
  else
    local shown = (kind == "nil" or kind == "boolean") and tostring(value) or trace:hold(value)
    list[#list + 1] = ("rawequal(%s, %s)"):format(s, shown)
  end
end

--- The conditions on one origin; one check covers the dtypes of all arrays.
local function checks_of(origin, trace)
  local list = {}
  if origin.kind == "array" or origin.kind == "view" then
    if origin.asks_device then list[1] = ("%s.device == %s"):format(origin.text, trace:hold(origin.value.device)) end
    check_shape(origin, list)
  elseif origin.kind == "number" then
    list[1] = ("type(%s) == \"number\""):format(origin.text)
  elseif origin.kind == "table" then
    list[1] = ("type(%s) == \"table\" and count_keys(%s) == %d"):format(origin.text, origin.text, origin.count)
  else
    check_constant(origin, trace, list)
  end
  return list
end

--- Adds conditions on several origins at once.
local function add_common_checks(trace, list)
  for _, text in ipairs(trace.dag.demands) do list[#list + 1] = text end
  if trace.dag.uses_default then list[#list + 1] = ("default_dtype() == %q"):format(dtype_rules.default_dtype()) end
  if trace.has_constants and not trace.first_array then
    list[#list + 1] = "current_device() == " .. trace:hold(core.current_device())
  end
  for _, cell in pairs(trace.cells) do
    if cell.is_held then list[#list + 1] = ("is_alive(%s)"):format(cell.leaf.origin.text) end
  end
  for _, pair in ipairs(trace.twins) do
    list[#list + 1] = ("rawequal(%s, %s)"):format(pair[1].text, pair[2].text)
  end
  for _, cell in ipairs(trace.written) do
    for _, other in pairs(trace.cells) do
      if other ~= cell and cell.leaf and not cell.is_held and not other.is_held then
        list[#list + 1] = ("not rawequal(%s, %s)"):format(cell.leaf.origin.text, other.leaf.origin.text)
      end
    end
  end
end

-- ---- results ----

--- Returns the outputs that the runs must compute, and the text that names each result.
local function outputs_of(trace)
  local outputs, made, texts = {}, {}, {}
  for _, cell in ipairs(trace.written) do
    if cell.leaf and (trace.volatile or not cell.is_held) then
      outputs[#outputs + 1] = {node = cell.node, target = cell.leaf}
    end
  end
  for i, result in ipairs(trace.results) do
    local cell = result.cell
    local is_call_array = cell and cell.leaf and (trace.volatile or not cell.is_held)
    if not cell then
      texts[i] = result.text
    elseif is_call_array then
      texts[i] = cell.leaf.origin.text
    elseif cell.leaf and cell.node == cell.leaf then
      texts[i] = ("copy(%s)"):format(cell.leaf.origin.text)
    elseif not made[cell] then
      made[cell] = {node = cell.node}
      outputs[#outputs + 1] = made[cell]
    end
  end
  return outputs, made, texts
end

-- ---- text ----

local function list_text(list) return table.concat(list, ", ") end

--- The list of arrays to write to. A list without arrays is kept in K, since nothing modifies it.
local function outs_text(step, trace)
  local outs, has_target = {}, false
  for i, target in ipairs(step.outs) do
    outs[i], has_target = tostring(target), has_target or target
  end
  return has_target and "{" .. list_text(outs) .. "}" or trace:hold(step.outs)
end

--- The shape of a program's loop if its arrays do not determine it.
local function shape_text(step, trace) return step.shape and trace:hold(step.shape) or "nil" end

--- The text of a run, which may be declined.
local function call_text(step, trace)
  local operands = #step.operands > 0 and ", " .. list_text(step.operands) or ""
  local program = trace:hold(step.program)
  local results = list_text(step.results)
  if step.stages then
    return ("local %s = stages(%s, NAME, %d, %d, %s%s)"):format(results, program, step.axes, step.keepdims,
      outs_text(step, trace), operands)
  elseif step.axes then
    return ("local %s = reduce(%s, %q, %d, %s, %s, nil%s)"):format(results, program, step.name, step.axes,
      tostring(step.keepdims), trace:literal(step.extra), operands)
  end
  local outs = #step.results == 1 and (step.outs[1] or "nil") or outs_text(step, trace)
  return ("local %s = map(%s, NAME, %s, %s%s)"):format(results, program, shape_text(step, trace), outs, operands)
end

local function run_text(step, trace)
  if step.text then return ("local %s = %s"):format(step.results[1], step.text) end
  local lines = {call_text(step, trace)}
  if not step.otherwise then return lines[1] end
  lines[2] = ("if not %s then"):format(step.results[1])
  for _, inner in ipairs(step.otherwise) do lines[#lines + 1] = run_text(inner, trace) end
  lines[#lines + 1] = ("%s = %s"):format(list_text(step.results), list_text(step.names))
  lines[#lines + 1] = "end"
  return table.concat(lines, "\n")
end

--- The head for a closure with a fixed number of parameters. One value more may be given: {out = ...}.
local function head_of_fixed(nparams, count)
  local names = {"_"}
  for i = 1, nparams + 1 do names[i + 1] = "a" .. i end
  local arguments = list_text(names)
  local text = ("return function(%s)\n"):format(arguments)
  if count == nparams then
    text = text .. ("if %s ~= nil then return K.next(%s) end\n"):format(names[#names], arguments)
  end
  return text, arguments
end

--- The head of the function, and the text of its arguments.
local function head_of(state, count)
  if not state.is_vararg then return head_of_fixed(state.nparams, count) end
  local names = {}
  for i = 1, count do names[i] = "a" .. i end
  local text = ("return function(_, ...)\nif select(\"#\", ...) ~= %d then return K.next(_, ...) end\n"):format(count)
  if count > 0 then text = text .. ("local %s = ...\n"):format(list_text(names)) end
  return text, "_, ..."
end

local function add_checks(lines, list, miss)
  if #list == 0 then return end
  local conditions = {}
  for i, condition in ipairs(list) do conditions[i] = condition:find(" or ", 1, true) and "(" .. condition .. ")"
    or condition end
  lines[#lines + 1] = ("if not (%s) then %s end"):format(table.concat(conditions, " and "), miss)
end

--- Adds the statements and checks of origins. The checks of a table come directly after it, since its entries are
--- origins too, and checks come before the statement of a view; all others are combined.
local function add_origins(lines, origins, trace, miss)
  local letters, arrays, list = {}, {}, {}
  local function flush()
    if #arrays > 0 then
      table.insert(list, 1, ("have_dtypes(%q, %s)"):format(table.concat(letters), table.concat(arrays, ", ")))
    end
    add_checks(lines, list, miss)
    letters, arrays, list = {}, {}, {}
  end
  for _, origin in ipairs(origins) do
    if origin.kind == "view" then flush() end
    lines[#lines + 1] = origin.statement
    if origin.kind == "array" then letters[#letters + 1], arrays[#arrays + 1] = letter_of[origin.dtype], origin.text end
    for _, text in ipairs(checks_of(origin, trace)) do list[#list + 1] = text end
    if origin.kind == "table" then flush() end
  end
  flush()
end

local MAX_LOCALS = 100 -- for results; Lua allows 200 in a function

--- Adds the runs and the return statement. Many results are stored in a table.
local function add_runs(lines, trace, runs, returned)
  local own, nresults = {}, 0
  for _, step in ipairs(runs) do
    own[#own + 1] = run_text(step, trace)
    nresults = nresults + #step.results + (step.otherwise and #step.otherwise or 0)
  end
  own[#own + 1] = "return " .. returned
  local text = table.concat(own, "\n")
  if nresults > MAX_LOCALS then
    lines[#lines + 1] = "local T = {}"
    text = text:gsub("local ", ""):gsub("%f[%w]t(%d+)%f[%W]", "T[%1]")
  end
  lines[#lines + 1] = text
end

local function body_of(state, trace, count, runs, texts)
  local head, arguments = head_of(state, count)
  local lines, common, miss = {}, {}, ("return K.next(%s)"):format(arguments)
  if not trace.volatile then add_origins(lines, trace.origins, trace, miss) end
  for _, origin in ipairs(trace.volatile and trace.origins or {}) do -- for this call only, with the values of the trace
    lines[#lines + 1] = ("local %s = %s"):format(origin.text, trace:hold(origin.value))
  end
  for _, number in ipairs(trace.numbers) do lines[#lines + 1] = ("local %s = %s"):format(number.text, number.expr) end
  add_common_checks(trace, common)
  if not trace.volatile then add_checks(lines, common, miss) end
  for _, pair in ipairs(trace.overlaps) do
    lines[#lines + 1] = ("if shares_memory(%s, %s) then return K.plain(%s) end"):format(pair[1].text, pair[2].text,
      arguments)
  end
  for _, draw in ipairs(trace.draws) do lines[#lines + 1] = draw end -- after all checks: the call uses this trace
  add_runs(lines, trace, runs, list_text(texts))
  return HEADER .. head .. table.concat(lines, "\n") .. "\nend\n"
end

local chunks = setmetatable({}, {__mode = "v"})
local PLACE = home.source .. "fused" -- errors are not reported at lines of the text

local function load_text(text, name)
  local chunk = chunks[text]
  if not chunk then
    chunk = loadstring(text, PLACE)
    if not chunk then core.fail(name .. ": too many arguments and captured values for one fused function") end
    chunks[text] = chunk
  end
  return chunk
end

--- Compiles the function that serves a trace's calls. The caller sets K.next, which receives all other calls, and
--- K.plain, which receives those whose arrays share memory in a way that the order of the programs would show.
---@param state table
---@param trace cuna.Trace
---@param count integer arguments of the call
---@return function
---@return table K the values that its text refers to
function M.compile(state, trace, count)
  local outputs, made, texts = outputs_of(trace)
  local runs, overlaps = plans.cut(trace.dag, outputs)
  for _, pair in ipairs(overlaps) do trace.overlaps[#trace.overlaps + 1] = pair end
  for i, result in ipairs(trace.results) do
    if not texts[i] then texts[i] = made[result.cell].result end
  end
  if trace.has_constants and trace.first_array then trace.first_array.asks_device = true end
  local text = body_of(state, trace, count, runs, texts)
  return load_text(text, trace.name)(SCOPE, trace.held, trace.plain_math, trace.name), trace.held
end

return M
