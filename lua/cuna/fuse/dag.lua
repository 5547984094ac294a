--- dag.lua: the computation of a fused function as a directed acyclic graph without duplicate values.
--
-- A node is an array of a call ("array"), a number that is an argument or constant of the function ("scalar"), a step
-- of elementwise arithmetic ("step"), a fold over axes ("reduce"), a computed value in another shape ("view") or an
-- element's position ("index"). Dtypes are
-- resolved by the rules of unfused operations, and every step rounds to its own dtype, so results are bit-identical to
-- those of the unfused expression. Nodes are looked up by their operation and arguments, so common subexpressions are
-- computed once.
--
-- A node's extent lists the arrays and folds whose shapes determine the node's shape by broadcasting. Equal extents
-- have equal shapes in every call. A DAG is built for the shapes of one call and may serve others.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local ffi = require "ffi"
local reducers = require "cuna.reducers"
local shapes = require "cuna.base.shapes"

local M = {}

---@class cuna.FuseDag
local Dag = {}
Dag.__index = Dag

local kind_of, is_integer, row_of = dtype_facts.kind_of, dtype_facts.is_integer, elementwise.row

local function fail(format, ...) core.fail(format:format(...)) end

--- A DAG without nodes. `demands` collects conditions, as Lua text, under which it serves other calls too.
---@return cuna.FuseDag
function M.new()
  return setmetatable({nodes = {}, known = {}, extents = {}, demands = {}, uses_default = false}, Dag)
end

--- Adds a condition unless it is there already.
function Dag:demand(text)
  if self.demands[text] then return end
  self.demands[text] = true
  self.demands[#self.demands + 1] = text
end

-- ---- shapes ----


function M.same_shape(a, b)
  if #a ~= #b then return false end
  for axis = 1, #a do
    if a[axis] ~= b[axis] then return false end
  end
  return true
end

--- Whether a fold's result, broadcast to the shape of its input, is aligned with the axes that it kept.
local function is_row(node)
  return node.keepdims or bit.band(node.axes, node.axes + 1) == 0
end
M.is_row = is_row

--- The roots without those folds whose input extents the other roots cover: such folds do not affect the shape.
local function without_rows(roots)
  local known, rest = {}, {}
  for _, root in ipairs(roots) do known[root] = true end
  for _, root in ipairs(roots) do
    local is_covered = root.kind == "reduce" and is_row(root)
    for _, other in ipairs(is_covered and root.x.extent.roots or {}) do is_covered = is_covered and known[other] end
    if not is_covered then rest[#rest + 1] = root end
  end
  return rest
end

--- The extent with these root nodes and this shape.
function Dag:extent(roots, shape)
  roots = without_rows(roots)
  table.sort(roots, function(a, b) return a.id < b.id end)
  local ids = {}
  for i, root in ipairs(roots) do ids[i] = root.id end
  local key = table.concat(ids, ",")
  self.extents[key] = self.extents[key] or {key = key, roots = roots, shape = shape}
  return self.extents[key]
end

--- The extent that nodes broadcast to. Raises an error if their shapes do not broadcast.
function Dag:join(name, args)
  local first = args[1] and args[1].extent
  local roots, seen, shape, same = {}, {}, {}, true
  for _, node in ipairs(args) do
    same = same and node.extent == first
    local joined = check.broadcast(shape, node.extent.shape)
    if not joined then
      fail("%s: shapes %s and %s do not broadcast", name, shapes.text(shape), shapes.text(node.extent.shape))
    end
    shape = joined
    for _, root in ipairs(node.extent.roots) do
      if not seen[root] then roots[#roots + 1], seen[root] = root, true end
    end
  end
  return same and first or self:extent(roots, shape)
end

local function size_of_extent(node)
  local size = 1
  for _, length in ipairs(node.extent.shape) do size = size * length end
  return size
end

--- Whether none of the arrays that determine a node's shape is empty.
function M.has_elements(node)
  for _, root in ipairs(node.extent.roots) do
    if (root.kind == "array" or root.kind == "view") and size_of_extent(root) == 0 then return false end
    if root.kind == "reduce" and not M.has_elements(root.x) then return false end
  end
  return true
end

--- Puts the largest of a program's inputs first: its layout determines the order in which a fold reads elements.
function M.order_inputs(inputs)
  local place, size = {}, {}
  for i, node in ipairs(inputs) do place[node], size[node] = i, size_of_extent(node) end
  table.sort(inputs, function(a, b)
    if size[a] ~= size[b] then return size[a] > size[b] end
    return place[a] < place[b]
  end)
end

local COMPUTED = {step = true, reduce = true, view = true}

--- The steps, folds and views that compute some nodes, including those nodes, each after its arguments. Does not
--- descend into available nodes (`at_hand`).
function M.made_of(nodes, at_hand)
  local list, seen, waiting = {}, {}, {unpack(nodes)}
  while #waiting > 0 do
    local node = table.remove(waiting)
    if not seen[node] and not at_hand[node] and COMPUTED[node.kind] then
      seen[node], list[#list + 1] = true, node
      for _, arg in ipairs(node.args or {node.x}) do waiting[#waiting + 1] = arg end
    end
  end
  table.sort(list, function(a, b) return a.id < b.id end) -- a node is made after its arguments
  return list
end

-- ---- nodes ----

function Dag:add(node)
  self.nodes[#self.nodes + 1] = node
  node.id = #self.nodes
  return node
end

local function find(dag, key, make)
  local node = dag.known[key]
  if not node then
    node = dag:add(make())
    dag.known[key] = node
  end
  return node
end

--- An array of the call. `origin` names its source; each origin has a separate node.
function Dag:array(origin, dtype, shape)
  local node = self:add {kind = "array", origin = origin, dtype = dtype}
  node.extent = self:extent({node}, shape)
  return node
end

--- A value in another shape: `make` is Lua text of a function that returns the view of an array.
function Dag:view(x, make, dtype, shape)
  local node = self:add {kind = "view", x = x, make = make, dtype = dtype}
  node.extent = self:extent({node}, shape)
  return node
end

--- The row-major position in a result of this shape, from 0.
function Dag:index(shape)
  return find(self, "index " .. table.concat(shape, " "), function()
    local node = {kind = "index", dtype = "int64"}
    node.id = #self.nodes + 1 -- the id that `add` will assign; the extent needs it
    node.extent = self:extent({node}, shape)
    return node
  end)
end

--- A number in a dtype. `number` is {text = in Lua, value = in this call, open = whether it may differ in other calls}.
function Dag:scalar(number, dtype)
  return find(self, "number " .. number.text .. " " .. dtype, function()
    return {kind = "scalar", number = number, dtype = dtype, extent = self:extent({}, {})}
  end)
end

--- What an unfused step leaves to a fold: nothing, it belongs to the fold; an array; a view of a part of its argument.
M.NOT_STORED, M.STORED, M.STORED_PART = 0, 1, 2

--- One step: evaluates `expr` on args, converted to arg_dtypes, and rounds to dtype.
---@param stored integer|nil default STORED
function Dag:step(name, expr, dtype, args, arg_dtypes, stored)
  local ids = {}
  for i, arg in ipairs(args) do ids[i] = arg.id .. " " .. arg_dtypes[i] end
  stored = stored or M.STORED
  local key = table.concat({"step", expr, dtype, stored, table.concat(ids, ",")}, "\0")
  return find(self, key, function()
    return {kind = "step", name = name, expr = expr, dtype = dtype, args = args, arg_dtypes = arg_dtypes,
      stored = stored, extent = self:join(name, args)}
  end)
end

--- A node converted to another dtype. With `always`, adds a step even if it has this dtype already.
function Dag:cast(node, dtype, always)
  if node.dtype == dtype and not always then return node end
  return self:step("cast", "a", dtype, {node}, {node.dtype})
end

-- ---- numbers ----

local WEAK_OF = {bool = "weak_bool", int = "weak_int", uint = "weak_int", float = "weak_float",
  complex = "weak_complex"}

local LIMITS = {
  int8 = {-128, 127}, int16 = {-32768, 32767}, int32 = {-2 ^ 31, 2 ^ 31 - 1}, int64 = {-2 ^ 63},
  uint8 = {0, 255}, uint16 = {0, 65535}, uint32 = {0, 2 ^ 32 - 1}, uint64 = {0},
}
local BEYOND = {int64 = 2 ^ 63, uint64 = 2 ^ 64} -- upper limits, which as doubles are rounded up

local function whole_text(text)
  return ("%s % 1 == 0 and (%s ~= 0 or 1 / %s > 0) and %s >= -0x1p63 and %s < 0x1p64"):gsub("%%s", text)
end

local function range_text(text, dtype)
  local least, beyond = LIMITS[dtype][1], BEYOND[dtype]
  if beyond then return ("%s >= %.0f and %s < %.0f"):format(text, least, text, beyond) end
  return ("%s >= %.0f and %s <= %.0f"):format(text, least, text, LIMITS[dtype][2])
end

--- Whether a whole number, which may be boxed, is in the range of an integer dtype.
local function fits(value, dtype)
  if type(value) == "cdata" then
    if core.number_kind(value) == "uint" then return dtype == "uint64" end -- above int64's range
    local whole = ffi.cast("int64_t", value)
    return dtype == "int64" or whole >= LIMITS[dtype][1] + 0LL
      and (dtype == "uint64" or whole <= LIMITS[dtype][2] + 0LL)
  end
  return value >= LIMITS[dtype][1] and (BEYOND[dtype] and value < BEYOND[dtype] or
    not BEYOND[dtype] and value <= LIMITS[dtype][2])
end


--- Types of operands as base/dtype_rules.lua expects them: dtypes of nodes, kinds of numbers.
local function types_of(operands)
  local types = {}
  for k, operand in ipairs(operands) do
    types[k] = operand.node and operand.node.dtype or WEAK_OF[core.number_kind(operand.number.value)]
  end
  return types
end

local function same_list(a, b)
  for i = 1, #a do
    if a[i] ~= b[i] then return false end
  end
  return true
end

local function same_plan(a, b)
  if not b or not same_list(a.args, b.args) then return false end
  for i, result in ipairs(a.results) do
    if result.expr ~= b.results[i].expr or result.dtype ~= b.results[i].dtype then return false end
  end
  return true
end

local OTHER_KIND = {weak_int = "weak_float", weak_float = "weak_int"}

--- Whether another mixture of whole and fractional numbers among the open operands would change the plan.
local function depends_on_kinds(row, types, operands, dtype, plan, from)
  for k = from, #types do
    local other = operands[k].number and operands[k].number.open and OTHER_KIND[types[k]]
    if other then
      local before = types[k]
      types[k] = other
      local differs = not same_plan(plan, (dtype_rules.resolve(row, types, dtype)))
        or depends_on_kinds(row, types, operands, dtype, plan, k + 1)
      types[k] = before
      if differs then return true end
    end
  end
  return false
end

local function demand_kind(dag, number)
  if not number.open then return end
  if WEAK_OF[core.number_kind(number.value)] == "weak_int" then
    dag:demand((whole_text(number.text)))
  else
    dag:demand("not (" .. whole_text(number.text) .. ")")
  end
end

local function demand_range(dag, number, dtype, inside)
  if not number.open then return end
  demand_kind(dag, number)
  dag:demand((inside and "" or "not ") .. "(" .. range_text(number.text, dtype) .. ")")
end

--- A comparison with an integer outside the range of the other side's dtype is evaluated exactly, in 64 bits.
local function widen_comparison(dag, types, operands)
  for k = 1, 2 do
    local other = operands[3 - k].node and operands[3 - k].node.dtype
    if types[k] == "weak_int" and other and is_integer(other) then
      local number = operands[k].number
      local inside = fits(number.value, other)
      demand_range(dag, number, other, inside)
      if not inside then types[k] = core.number_kind(number.value) == "uint" and "uint64" or "int64" end
    end
  end
end

local function refuse_range(name, number, dtype)
  local shown = type(number.value) == "number" and ("%.14g"):format(number.value) or nil
  fail("%s: %s does not fit %s; cn.scalar(%s, \"int64\") makes the other operand wider", name, shown or "the integer",
    dtype, shown or "v")
end

--- The node of an operand that a step converts to `dtype`.
local function node_of(dag, name, operand, type, dtype)
  if operand.node then return operand.node, operand.node.dtype end
  if type == "weak_int" and is_integer(dtype) then
    if not fits(operand.number.value, dtype) then refuse_range(name, operand.number, dtype) end
    demand_range(dag, operand.number, dtype, true)
  end
  return dag:scalar(operand.number, dtype), dtype
end

--- The node of a number that is stored in an array of `dtype`, converted as by `fill`.
function Dag:stored_number(number, dtype, name)
  local kind = core.number_kind(number.value)
  local shown = type(number.value) == "number" and number.value % 1 == 0 and ("%.0f"):format(number.value)
    or tostring(number.value)
  if kind == "complex" and kind_of[dtype] ~= "c" and dtype ~= "bool" then
    fail("%s: %s is complex and %s is not", name, shown, dtype)
  elseif is_integer(dtype) and (kind == "int" or kind == "uint") then
    if not fits(number.value, dtype) then fail("%s: %s does not fit %s", name, shown, dtype) end
    demand_range(self, number, dtype, true)
  elseif is_integer(dtype) and kind == "float" then
    demand_kind(self, number)
  end
  return self:scalar(number, dtype)
end

-- ---- operations ----

--- The row that computes a call: x ^ 2 becomes square(x), as in bindings/operation.c.
local function shorten(dag, row, operands)
  local base, number = operands[1].node, operands[2] and operands[2].number
  if not row.shortcut or not base or base.dtype == "bool" or not number then return row, operands end
  local value, other = next(row.shortcut)
  local kind = core.number_kind(number.value)
  local is_short = (kind == "int" or kind == "float") and number.value == (type(number.value) == "cdata" and value + 0LL
    or value)
  if number.open then dag:demand(("%s %s %d"):format(number.text, is_short and "==" or "~=", value)) end
  if is_short then return row_of(other), {operands[1]} end
  return row, operands
end

--- Records whether a choice of dtypes depends on the default float.
local function note_default(dag, types, plan)
  for _, type in ipairs(types) do
    local kind = kind_of[type]
    if kind == "f" or kind == "c" then return end
  end
  for _, list in ipairs {plan.args, {plan.results[1].dtype}} do
    for _, dtype in ipairs(list) do
      dag.uses_default = dag.uses_default or kind_of[dtype] == "f" or kind_of[dtype] == "c"
    end
  end
end

--- Whether an operation gives a view of its operand: the real or imaginary part of complex numbers.
local function is_part(row, plan)
  return (row.name == "real" or row.name == "imag") and kind_of[plan.args[1]] == "c"
end

--- Adds an operation of ops.lua: one node per result.
---@param name string a row of ops.lua
---@param operands table[] {node =} or {number =} each
---@param dtype string|nil the requested dtype
---@return table[] nodes
function Dag:operation(name, operands, dtype)
  local row
  row, operands = shorten(self, row_of(name), operands)
  local types = types_of(operands)
  if row.rule == "comparison" then widen_comparison(self, types, operands) end
  local plan, message = dtype_rules.resolve(row, types, dtype)
  if not plan then core.fail(message) end
  if depends_on_kinds(row, types, operands, dtype, plan, 1) then
    for _, operand in ipairs(operands) do
      if operand.number then demand_kind(self, operand.number) end
    end
  end
  note_default(self, types, plan)
  local args, nodes = {}, {}
  for k, operand in ipairs(operands) do args[k] = node_of(self, row.name, operand, types[k], plan.args[k]) end
  for i, result in ipairs(plan.results) do
    nodes[i] = self:step(row.name, result.expr, result.dtype, args, plan.args, is_part(row, plan) and M.STORED_PART)
  end
  return nodes
end

-- ---- folds ----


local function folded_shape(shape, axes, keepdims)
  local out = {}
  for axis, length in ipairs(shape) do
    if not shapes.is_named(axes, axis) then
      out[#out + 1] = length
    elseif keepdims then
      out[#out + 1] = 1
    end
  end
  return out
end

--- A fold of x, where x may be any node.
---@param row table of reductions.lua
---@param axes integer bit mask
---@param extra number
function Dag:fold(row, x, accumulator, dtype, axes, keepdims, extra)
  local key = table.concat({"fold", row.name, x.id, accumulator, dtype, axes, tostring(keepdims), extra}, " ")
  return find(self, key, function()
    local node = {kind = "reduce", name = row.name, row = row, x = x, accumulator = accumulator, dtype = dtype,
      axes = axes, keepdims = keepdims, extra = extra}
    node.id = #self.nodes + 1 -- the id that `add` will assign; the extent needs it
    node.extent = self:extent({node}, folded_shape(x.extent.shape, axes, keepdims))
    return node
  end)
end

--- The reduction with this name in reductions.lua.
function Dag:reduction(name, x, accumulator, dtype, axes, keepdims)
  local row = reducers.row(name, x.dtype)
  if row.test then x = self:step("test", row.test, accumulator, {x}, {x.dtype}, M.NOT_STORED) end
  return self:fold(row, x, accumulator, dtype, axes, keepdims, 0)
end

--- A variance or standard deviation: the mean, then a fold of the squared deviations from it.
function Dag:spread(name, mean_name, x, mean_dtype, accumulator, dtype, axes, keepdims, ddof)
  local mean = self:reduction(mean_name, x, mean_dtype, mean_dtype, axes, true)
  local step = reducers.deviation_step(name, x.dtype, mean_dtype, accumulator)
  local deviation = self:step(step.name, step.expr, step.dtype, {x, mean}, step.arg_dtypes, M.NOT_STORED)
  return self:fold(reducers.row(name, x.dtype), deviation, accumulator, dtype, axes, keepdims, ddof)
end

return M
