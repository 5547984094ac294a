--- expr.lua: expressions of kernels written in Lua as values in C++.
--
-- A value is a number or boolean (types.lua), an array {array =, text =}, a constant {const =} of the host
-- (constant.lua), or an object. An instance is a function translated for certain types of its arguments.
--
-- An object {what =, key =} is what group.lua and cub.lua make: `what` describes it in messages, `key` is its kind. One
-- that is a variable in C++ has `text`, and in `c` its type; others exist during translation only. It may have methods
-- by name, `field(inst, node, key)` for object.key and object[key], `construct(inst, node, values, word)` for
-- object(...), and `declare` for jit.shared_memory(object, shape).
local constants = require "cuna.jit.constant"
local range = require "cuna.jit.range"
local suggest = require "cuna.base.suggest"
local types = require "cuna.jit.types"

local M = {
  calls = {}, -- handlers of functions that kernels can call, by function
  fail = constants.fail,
}

local TYPES, fail = types.TYPES, constants.fail
local expression

--- A description of a value, for messages.
function M.show(v)
  if v.what then return v.what end
  if v.array then return "an array" end
  if v.type then return v.literal and ("%.14g"):format(v.literal) or v.type.name end
  if v.axes_of then return v.is_strides and "strides" or "a shape" end
  if v.shared then return "shared memory" end
  if v.fn or type(v.const) == "function" then return "a function" end
  if type(v.const) == "string" then return ("%q"):format(v.const) end
  return v.const == nil and "nil" or "a " .. type(v.const)
end
local show = M.show

-- ---- variables ----

--- The instance of the function that a variable belongs to.
function M.owner(inst, variable)
  while inst.fn ~= variable.fn do inst = inst.parent end
  return inst
end

--- The variable's value; `known` has the properties that its type does not express.
local function variable_value(inst, node, variable)
  local owner = M.owner(inst, variable)
  local bound = owner.bound[variable]
  if bound then return bound end
  local state = owner.states[variable]
  if not state or inst.ctx.unset[variable] then
    fail(inst, node, "'%s' may have no value here (nil); give it one where it is declared", variable.name)
  end
  local known = variable.assignments == 0 and owner.known[variable] or {}
  return range.recall(inst, variable, {type = state.type, weak = state.weak, whole = state.whole,
    text = owner.names[variable], open = types.is_int(state) and state.open or nil, literal = known.literal,
    small = known.small, positive = known.positive, truth = known.truth, is_bounded = known.is_bounded,
    low = known.low, exact = known.exact, uppers = known.uppers})
end

-- ---- arrays ----

--- A count, of elements or threads for example: an integer that converts as a Lua number, with its bounds (range.lua).
function M.count(text, is_positive, exact, uppers)
  return {type = TYPES.int64, open = true, small = true, is_bounded = true, positive = is_positive,
    low = is_positive and 1 or 0, exact = exact, uppers = uppers, text = text}
end

local FIELDS = {}

function FIELDS.size(_, v) return M.count(v.text .. ".size()") end
function FIELDS.ndim(_, v) return types.number(v.array.ndim) end
function FIELDS.dtype(_, v) return {const = v.array.dtype} end
function FIELDS.shape(_, v) return {axes_of = v} end
function FIELDS.strides(_, v) return {axes_of = v, is_strides = true} end

local function array_field(inst, node, v, key)
  if not FIELDS[key] then
    fail(inst, node, "arrays have size, ndim, dtype, shape[d] and strides[d] in a kernel, not '%s'%s", key,
      suggest.hint(key, FIELDS))
  end
  return FIELDS[key](inst, v)
end

local function length_of(v, axis)
  local lengths = v.array.lengths
  return M.count(("%s.shape[%d]"):format(v.text, axis - 1), false, lengths and lengths[axis])
end

--- Adds a place of the source to those that may fail at run time; returns its number.
---@param list string|nil of an axis: shape or strides
local function site(inst, node, name, list)
  local sites = inst.ctx.sites
  sites[#sites + 1] = {name = name, list = list, file = inst.source.file, line = node.line}
  return #sites
end
M.site = site

--- A stride in bytes, which may be negative.
local function stride(text) return {type = TYPES.int64, open = true, small = true, text = text} end

--- shape[axis] or strides[axis].
local function axis_element(inst, node, list, axis)
  local v, word = list.axes_of, list.is_strides and "strides" or "shape"
  if axis.literal then
    if axis.literal % 1 ~= 0 or axis.literal < 1 or axis.literal > v.array.ndim then
      fail(inst, node, "'%s' has %d axes, and %s[%.14g] does not exist", v.array.name, v.array.ndim, word, axis.literal)
    end
    return list.is_strides and stride(("%s.stride(%d)"):format(v.text, axis.literal - 1)) or length_of(v, axis.literal)
  end
  local text = axis.type and types.to_index(axis)
  if not text then fail(inst, node, "an axis is an integer, got %s", show(axis)) end
  local checks = inst.ctx.checks
  local call = ("%s.%s(%s, %d, %s)"):format(v.text, list.is_strides and "stride_along" or "length",
    checks and "jit_error" or "nullptr", checks and site(inst, node, v.array.name, word) or 0, text)
  return list.is_strides and stride(call) or M.count(call)
end

--- A position along an axis as C++, and its value.
local function position(inst, node)
  local v = expression(inst, node)
  if v.literal and v.literal < 1 then
    fail(inst, node, "positions in a kernel count from 1, got %.14g", v.literal)
  end
  local text = v.type and types.to_index(v)
  if text then return text, v end
  if v.type and types.is_float(v) then
    fail(inst, node, "a position is an integer, got %s; write math.floor(...) for one", v.type.name)
  end
  fail(inst, node, "a position is an integer, got %s", show(v))
end

--- The array of x[i], x[{i, j}] or x[i][j], and the nodes of its positions; the object's value for other indexing.
local function collect(inst, node)
  if node.tag ~= "index" or node.is_field then return expression(inst, node), {} end
  local v, keys = collect(inst, node.object)
  if not v.array then return v, {node.key} end
  local list = node.key.tag == "table" and node.key.items or {node.key}
  for _, key in ipairs(list) do keys[#keys + 1] = key end
  return v, keys
end

--- Positions along the first axes as C++, and whether they need no check.
local function positions_of(inst, v, positions, hold)
  local list, is_safe = {}, true
  for k, key in ipairs(positions) do
    local text, value = position(inst, key)
    list[k], is_safe = hold and hold(text) or text, range.is_inside(inst, value, v.array, k) and is_safe
  end
  return table.concat(list, ", "), is_safe
end

--- The positions of an element as C++, and whether they need no check.
---@param positions table[] their nodes
---@param hold function|nil stores one, given as C++ of a long long; returns the text that replaces it
function M.place(inst, node, v, positions, hold)
  local ndim = v.array.ndim
  if #positions ~= ndim then
    local example = ndim == 1 and "x[i]" or "x[{i, j" .. (", k"):rep(ndim - 2) .. "}]"
    fail(inst, node, "'%s' has %d %s, and %d %s given; write %s", v.array.name, ndim, ndim == 1 and "axis" or "axes",
      #positions, #positions == 1 and "position is" or "positions are", example)
  end
  return positions_of(inst, v, positions, hold)
end

--- The beginning of a call that accesses an element: checked, with the number of its place, or unchecked.
function M.access(inst, node, v, is_safe, checked, unchecked)
  if is_safe or not inst.ctx.checks then return ("%s.%s("):format(v.text, unchecked) end
  return ("%s.%s(jit_error, %d, "):format(v.text, checked, site(inst, node, v.array.name))
end

--- The part of an array at positions along its first axes; one outside has no elements. If the positions need no check,
--- its lengths are known as the array's are.
local function row(inst, node, v, keys)
  local place, is_safe = positions_of(inst, v, keys)
  local whole = v.array
  local info = {name = whole.name, dtype = whole.dtype, ndim = whole.ndim - #keys, dense = whole.dense, whole = whole,
    lengths = is_safe and whole.lengths and {unpack(whole.lengths, #keys + 1, whole.ndim)} or nil}
  return {what = ("a row of '%s'"):format(whole.name), array = info, c = types.array_type(info),
    text = M.access(inst, node, v, is_safe, "row", "row_at") .. place .. ")"}
end

--- An element, or a row if there are fewer positions than axes.
local function load(inst, node, v, keys)
  if #keys < v.array.ndim then return row(inst, node, v, keys) end
  local place, is_safe = M.place(inst, node, v, keys)
  return {type = (types.of(v.array.dtype)), text = M.access(inst, node, v, is_safe, "get", "at") .. place .. ")"}
end

--- The array and the positions of an assignment's target.
function M.target(inst, node)
  local v, keys = collect(inst, node)
  if not v.array then fail(inst, node, "only elements of arrays can be assigned, got %s", show(v)) end
  return v, keys
end

local function index(inst, node)
  local v, keys
  if node.is_field then
    v, keys = expression(inst, node.object), {node.key}
  else
    v, keys = collect(inst, node)
  end
  if v.array then
    if node.is_field then return array_field(inst, node, v, node.key.value) end
    return load(inst, node, v, keys)
  elseif v.axes_of then
    return axis_element(inst, node, v, expression(inst, keys[1]))
  elseif v.field then
    return v.field(inst, node, keys[1])
  elseif constants.dims[v.const] then
    return constants.dims[v.const](inst, node, keys[1])
  elseif type(v.const) == "table" and v.way then
    local key = expression(inst, keys[1])
    if key.const == nil and not key.literal then fail(inst, node, "tables of the host are indexed by constants") end
    return constants.field(inst, node, v, key.const or key.literal)
  end
  fail(inst, node, "cannot index %s", show(v))
end

-- ---- operators ----

--- Rejects values that are not numbers.
function M.number(inst, node, v, what)
  if v.type and types.is_number(v) then return v end
  fail(inst, node, "%s a number, got %s", what, show(v))
end

--- The common type of two numbers.
function M.promote(inst, node, a, b)
  local t, weak = types.promote(a, b)
  if not t then fail(inst, node, "%s", weak) end
  return t, weak
end

local FOLD = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end, ["/"] = function(a, b) return a / b end,
  ["%"] = function(a, b) return a % b end, ["^"] = function(a, b) return a ^ b end,
}
local WRAPPED = {["+"] = "add", ["-"] = "sub", ["*"] = "mul"}

local is_whole = types.is_whole

--- Folds two literals into one, as Lua computes it; integers stay integers.
local function fold(operator, a, b)
  local value = FOLD[operator](a.literal, b.literal)
  local is_float = types.is_float(a) or types.is_float(b) or operator == "/" or (operator == "^" and b.literal < 0)
  return types.number(value, is_float)
end

--- + - * of numbers. Integers that may be large wrap around.
local function arithmetic(inst, node, operator, a, b)
  local t, weak = M.promote(inst, node, a, b)
  local x, y = types.convert(a, t), types.convert(b, t)
  local result = {type = t, weak = weak}
  if t.kind == "f" then
    result.whole = is_whole(a) and is_whole(b) or nil
    result.text = ("(%s %s %s)"):format(x, operator, y)
    return result
  end
  local plain = a.small and b.small and t == TYPES.int64
  result.open, result.small = types.both_open(a, b), plain and operator ~= "*"
  result.positive = a.positive and b.positive and operator ~= "-"
  if b.literal and operator ~= "*" then range.shift(inst, result, a, operator == "+" and b.literal or -b.literal) end
  if a.literal and operator == "+" then range.shift(inst, result, b, a.literal) end
  result.text = plain and ("(%s %s %s)"):format(x, operator, y)
    or ("jit::%s<%s>(%s, %s)"):format(WRAPPED[operator], t.c, x, y)
  return result
end

--- A quotient is a float. math.floor and math.ceil of it use the quotient of integers, if it is one.
local function divide(inst, node, a, b)
  local t, weak = TYPES.float64, true
  local quotient = types.is_int(a) and types.is_int(b) and types.promote(a, b) and {a, b} or nil
  if types.is_float(a) or types.is_float(b) then t, weak = M.promote(inst, node, a, b) end
  return {type = t, weak = weak, quotient = quotient,
    text = ("(%s / %s)"):format(types.convert(a, t), types.convert(b, t))}
end

local function modulo(inst, node, a, b)
  local t, weak = M.promote(inst, node, a, b)
  local x, y = types.convert(a, t), types.convert(b, t)
  if t.kind == "f" then
    return {type = t, weak = weak, whole = is_whole(a) and is_whole(b) or nil, text = ("jit::mod(%s, %s)"):format(x, y)}
  end
  local result = {type = t, open = types.both_open(a, b), small = b.small,
    text = ("jit::mod<%s>(%s, %s)"):format(t.c, x, y)}
  range.remainder(inst, result, b)
  return result
end

--- A power. Squares are products, and an integer with a literal exponent from 0 on gives an integer.
local function power(inst, node, a, b)
  if types.is_int(a) and types.is_int(b) and b.literal and b.literal >= 0 then
    return {type = a.type, open = types.both_open(a, b),
      text = ("jit::power<%s>(%s, %s)"):format(a.type.c, a.text, b.text)}
  end
  local t, weak = TYPES.float64, true
  if types.is_float(a) or types.is_float(b) then t, weak = M.promote(inst, node, a, b) end
  local x, y = types.convert(a, t), types.convert(b, t)
  local name = t == TYPES.float32 and "f" or ""
  local text = ("pow%s(%s, %s)"):format(name, x, y)
  if b.literal == 2 then text = ("jit::square(%s)"):format(x) end
  if b.literal == 0.5 then text = ("jit::root(%s)"):format(x) end
  return {type = t, weak = weak, text = text}
end

local ARITHMETIC = {["/"] = divide, ["%"] = modulo, ["^"] = power}

local function calculate(inst, node, a, b)
  local operator = node.operator
  M.number(inst, node, a, ("the left side of '%s' is"):format(operator))
  M.number(inst, node, b, ("the right side of '%s' is"):format(operator))
  if a.literal and b.literal then return fold(operator, a, b) end
  if ARITHMETIC[operator] then return ARITHMETIC[operator](inst, node, a, b) end
  return arithmetic(inst, node, operator, a, b)
end

local COMPARISONS = {["<"] = "<", [">"] = ">", ["<="] = "<=", [">="] = ">=", ["=="] = "==", ["~="] = "!="}

local function compare(inst, node, a, b)
  local is_equality = node.operator == "==" or node.operator == "~="
  if is_equality and a.const ~= nil and b.const ~= nil then
    return types.boolean((a.const == b.const) == (node.operator == "=="))
  end
  local x, y = a.text, b.text
  if not (is_equality and a.type and b.type and types.is_bool(a) and types.is_bool(b)) then
    M.number(inst, node, a, ("the left side of '%s' is"):format(node.operator))
    M.number(inst, node, b, ("the right side of '%s' is"):format(node.operator))
    local t = M.promote(inst, node, a, b)
    x, y = types.convert(a, t), types.convert(b, t)
  end
  return {type = TYPES.bool, text = ("(%s %s %s)"):format(x, COMPARISONS[node.operator], y)}
end

-- ---- logic ----

--- A condition, which must be a boolean.
function M.condition(inst, node)
  local v = expression(inst, node)
  if v.type and types.is_bool(v) then return v end
  fail(inst, node, "a condition is a boolean, got %s%s", show(v),
    v.type and ", and every number is true in Lua; write v ~= 0" or "")
end

--- The result of fn, which translates code that runs if a condition has this truth value.
function M.where(inst, node, truth, fn)
  local before = inst.ctx.facts
  range.assume(inst, node, truth, expression)
  local result = fn()
  inst.ctx.facts = before
  return result
end

local function plain(node)
  while node.tag == "paren" do node = node.inner end
  return node
end

--- c and a or b, where a is a number: every number is true in Lua, so this selects a or b.
local function conditional(inst, node, condition, a, b)
  if condition.truth ~= nil then return condition.truth and a or b end
  M.number(inst, node, b, "the value after 'or' is")
  local t, weak = M.promote(inst, node, a, b)
  return {type = t, weak = weak, whole = t.kind == "f" and is_whole(a) and is_whole(b) or nil,
    open = t.kind ~= "f" and types.both_open(a, b) or nil, small = a.small and b.small,
    text = ("(%s ? %s : %s)"):format(condition.text, types.convert(a, t), types.convert(b, t))}
end

--- a && b, a || b of booleans; the right side is translated only if the left one is not a constant that decides.
local function logic_pair(inst, node, a, operator, read_right)
  if a.truth == (operator == "||") then return a end
  local b = read_right()
  if not (b.type and types.is_bool(b)) then
    fail(inst, node, "'%s' joins booleans, or chooses as in c and a or b; got %s", node.operator, show(b))
  end
  if a.truth ~= nil then return b end
  return {type = TYPES.bool, text = ("(%s %s %s)"):format(a.text, operator, b.text)}
end

--- The operands of a chain of `or`, from operand k on. `c and a` with a number a selects a value.
local function choices(inst, node, operands, k)
  if k == #operands then return expression(inst, operands[k]) end
  local operand = plain(operands[k])
  local function rest()
    return M.where(inst, operand, false, function() return choices(inst, node, operands, k + 1) end)
  end
  if operand.tag ~= "binary" or operand.operator ~= "and" then
    return logic_pair(inst, node, M.condition(inst, operand), "||", rest)
  end
  local condition = M.condition(inst, operand.left)
  if condition.truth == false then return rest() end
  local a = M.where(inst, operand.left, true, function() return expression(inst, operand.right) end)
  if a.type and types.is_number(a) then
    if condition.truth then return a end
    operand = operand.left -- only this condition is false in the rest
    return conditional(inst, node, condition, a, rest())
  end
  return logic_pair(inst, node, logic_pair(inst, operand, condition, "&&", function() return a end), "||", rest)
end

local function logical_or(inst, node)
  local operands, left = {}, node
  while left.tag == "binary" and left.operator == "or" do
    table.insert(operands, 1, left.right)
    left = plain(left.left)
  end
  table.insert(operands, 1, left)
  return choices(inst, node, operands, 1)
end

local function logical_and(inst, node)
  return logic_pair(inst, node, M.condition(inst, node.left), "&&", function()
    return M.where(inst, node.left, true, function() return expression(inst, node.right) end)
  end)
end

local function binary(inst, node)
  if node.operator == "or" then return logical_or(inst, node) end
  if node.operator == "and" then return logical_and(inst, node) end
  local a, b = expression(inst, node.left), expression(inst, node.right)
  if COMPARISONS[node.operator] then return compare(inst, node, a, b) end
  return calculate(inst, node, a, b)
end

local function negate(inst, node, v)
  M.number(inst, node, v, "the operand of '-' is")
  if v.literal then return types.number(-v.literal, types.is_float(v)) end
  local is_plain = types.is_float(v) or v.small
  return {type = v.type, weak = v.weak, whole = v.whole, open = v.open, small = v.small,
    text = is_plain and ("(-%s)"):format(v.text) or ("jit::neg<%s>(%s)"):format(v.type.c, v.text)}
end

local function unary(inst, node)
  if node.operator == "not" then
    local v = M.condition(inst, node.operand)
    if v.truth ~= nil then return types.boolean(not v.truth) end
    return {type = TYPES.bool, text = "!" .. v.text}
  end
  local v = expression(inst, node.operand)
  if node.operator == "-" then return negate(inst, node, v) end
  if v.axes_of then return types.number(v.axes_of.array.ndim) end
  if not v.array then fail(inst, node, "'#' is the length of an array's first axis, got %s", show(v)) end
  return length_of(v, 1)
end

-- ---- expressions by their tags ----

local function literal(inst, node)
  if not node.suffix then return types.number(node.value, node.is_float) end
  local t = node.suffix == "ULL" and TYPES.uint64 or TYPES.int64
  if not node.value then fail(inst, node, "malformed number near '%s'", node.digits) end
  return {type = t, text = node.digits .. node.suffix:lower()}
end

--- The first value of a call, which must have one.
local function call(inst, node)
  local list = M.call(inst, node, false)
  if not list[1] then fail(inst, node, "this call has no value") end
  return list[1]
end

local READ = {number = literal, index = index, binary = binary, unary = unary, call = call}

function READ.name(inst, node)
  if node.variable then return variable_value(inst, node, node.variable) end
  return constants.free_name(inst, node)
end
function READ.string(_, node) return {const = node.value} end
function READ.boolean(_, node) return types.boolean(node.value) end
function READ.paren(inst, node) return expression(inst, node.inner) end
function READ.table(inst, node)
  fail(inst, node, "kernels have no tables; {i, j} stands for positions in x[{i, j}] and for a shape only")
end
READ["nil"] = function(inst, node) fail(inst, node, "kernels have no nil; use a number or a boolean") end
READ["function"] = function(inst, node) return M.closure(inst, node) end

--- The value of an expression.
function expression(inst, node) return READ[node.tag](inst, node) end
M.expression = expression

return M
