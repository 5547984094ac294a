--- dtype_rules.lua: determines the dtypes and the kernel text of an operation.
--
-- A row's rule determines the dtype of the loop from the operands (NumPy 2 promotion, in which Lua numbers are weak).
-- The row lists the kinds for which a loop exists. Operands are converted to the loop's dtype unless the rule says
-- otherwise:
--   arithmetic  the common dtype
--   integer     the common dtype; Lua integers alone are int64
--   bitwise     the same, with bool
--   float       the common dtype if it is a float; integers are promoted to a float (int8 to float16, ...)
--   divide      the common dtype if it is a float; integers are promoted to the default float dtype
--   double      float64 or complex128
--   comparison  the common dtype; signed integers and uint64 are not converted, and the kernel compares exactly
--   logical     bool
--   select      bool, then the common dtype of the others
--   scale       a float as by "float", then int64
--   decimals    the dtype of the first, then int32
--   complex     the complex dtype that holds them, as by "divide"
--   branch      the complex dtype that holds the first, as by "divide", then int64
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"

local M = {}

local default_dtype = "float64"

local FLOAT_HOLDING = {bool = "float16", int8 = "float16", uint8 = "float16", int16 = "float32", uint16 = "float32"}
local COMPLEX_HOLDING = {float16 = "complex64", bfloat16 = "complex64", float32 = "complex64", float64 = "complex128"}
local REAL_PART = dtype_facts.part_of
local WEAK = {weak_bool = 1, weak_int = 2, weak_float = 3, weak_complex = 4}
local SHOWN = {weak_bool = "a boolean", weak_int = "an integer number", weak_float = "a fractional number",
  weak_complex = "a complex number"}
local KIND_NEEDED = {weak_bool = "biufc", weak_int = "iufc", weak_float = "fc", weak_complex = "c"}

local kind_of, is_integer = dtype_facts.kind_of, dtype_facts.is_integer

--- The type of a Lua number, which is weak, from its kind (core.number_kind).
function M.weak_type(kind) return kind == "uint" and "weak_int" or "weak_" .. kind end

--- Sets the float dtype of results that operands do not determine: of Lua numbers, and of divided integers.
function M.set_default_dtype(name)
  default_dtype = name
end

function M.default_dtype()
  return default_dtype
end

--- The common dtype of the arrays among `types` (nil if there are none), and the highest rank of the Lua numbers.
local function survey(types)
  local strong, weak
  for _, name in ipairs(types) do
    if WEAK[name] then
      weak = math.max(weak or 0, WEAK[name])
    else
      strong = strong and core.promote(strong, name) or name
    end
  end
  return strong, weak or 0
end

--- The dtype of arrays of dtype `strong` with a Lua number, which may change their kind, but not the size within a
--- kind.
local function strengthen(strong, weak)
  local kind = kind_of[strong]
  if weak <= WEAK.weak_bool or kind == "c" or (weak < WEAK.weak_complex and kind == "f") then
    return strong
  elseif weak == WEAK.weak_int then
    return kind == "b" and "int64" or strong
  elseif weak == WEAK.weak_float then
    return default_dtype
  end
  return COMPLEX_HOLDING[kind == "f" and strong or default_dtype]
end

local function of_numbers(weak)
  if weak == WEAK.weak_bool then
    return "bool"
  end
  return weak == WEAK.weak_complex and COMPLEX_HOLDING[default_dtype] or default_dtype
end

--- The common dtype of operands of these types (numpy.result_type).
---@param types string[] dtype names of arrays, or weak_bool, weak_int, weak_float, weak_complex for Lua values
---@return string
function M.common(types)
  local strong, weak = survey(types)
  return strong and strengthen(strong, weak) or of_numbers(weak)
end

--- Like M.common, but integers without an array are int64.
local function common_integer(types)
  local strong, weak = survey(types)
  return not strong and weak == WEAK.weak_int and "int64" or M.common(types)
end

local function float_holding(name)
  return FLOAT_HOLDING[name] or default_dtype
end

--- The float loop for integers: each is promoted to a float, then these are promoted, as NumPy finds its first safe
--- loop.
local function common_float(types)
  local common, strong, weak = M.common(types), survey(types)
  if kind_of[common] == "f" or kind_of[common] == "c" then
    return common
  elseif not strong or (strong == "bool" and weak == WEAK.weak_int) then
    return default_dtype
  end
  local loop
  for _, name in ipairs(types) do
    if not WEAK[name] then
      loop = loop and core.promote(loop, float_holding(name)) or float_holding(name)
    end
  end
  return loop
end

local function common_divided(types)
  local common = M.common(types)
  return (kind_of[common] == "b" or is_integer(common)) and default_dtype or common
end

local function first(types)
  return {types[1]}
end

local function rest(types)
  return {types[2], types[3]}
end

-- For each rule, the loop that the operands require.
local loop_of = {
  arithmetic = M.common,
  integer = common_integer,
  bitwise = common_integer,
  float = common_float,
  divide = common_divided,
  comparison = common_integer,
}

function loop_of.double(types)
  return kind_of[M.common(types)] == "c" and "complex128" or "float64"
end

function loop_of.logical()
  return "bool"
end

function loop_of.select(types)
  return M.common(rest(types))
end

function loop_of.scale(types)
  return common_float(first(types))
end

function loop_of.decimals(types)
  return M.common(first(types))
end

function loop_of.complex(types)
  local loop = common_divided(types)
  return COMPLEX_HOLDING[loop] or loop
end

function loop_of.branch(types)
  return loop_of.complex(first(types))
end

-- For some rules, the dtypes of operands that differ from the loop's.
local operands_of = {}

function operands_of.comparison(types, loop)
  local a, b = types[1], types[2]
  if a == "uint64" and kind_of[b] == "i" then
    return {"uint64", "int64"}
  elseif b == "uint64" and kind_of[a] == "i" then
    return {"int64", "uint64"}
  end
  return {loop, loop}
end

function operands_of.select(_, loop)
  return {"bool", loop, loop}
end

local function second_integer(as)
  return function(types, loop)
    local name = types[2]
    if name == "uint64" or not (is_integer(name) or name == "bool" or name == "weak_int" or name == "weak_bool") then
      return nil, "the second operand must be of an integer dtype that fits " .. as .. ", not " .. (SHOWN[name] or name)
    end
    return {loop, as}
  end
end

operands_of.scale = second_integer("int64")
operands_of.decimals = second_integer("int32")
operands_of.branch = second_integer("int64")

local function operands(row, types, loop)
  if operands_of[row.rule] then
    return operands_of[row.rule](types, loop)
  end
  local all = {}
  for i = 1, row.nargs do
    all[i] = loop
  end
  return all
end

local function has_loop(row, dtype)
  return row.kinds:find(kind_of[dtype], 1, true) ~= nil
end

local function undefined(row, dtype)
  if row.hint and dtype == "bool" then
    return nil, ("%s: not defined for bool; %s"):format(row.name, row.hint)
  end
  local names = {}
  for _, candidate in ipairs(core.dtypes) do
    if has_loop(row, candidate.name) then
      names[#names + 1] = candidate.name
    end
  end
  local is_of_integers = kind_of[dtype] == "f" and has_loop(row, "int64")
  return nil, ("%s: not defined for %s; use one of %s%s"):format(row.name, dtype, table.concat(names, ", "),
    is_of_integers and '; cast it, as x:astype "int64"' or "")
end

--- The loop of the row for `dtype`: itself, or int8 for bool where that is allowed.
local function existing_loop(row, dtype)
  if has_loop(row, dtype) then
    return dtype
  elseif dtype == "bool" and row.bool == nil and has_loop(row, "int8") then
    return "int8"
  end
  return undefined(row, dtype)
end

local function casts(name, loop)
  if WEAK[name] then
    return KIND_NEEDED[name]:find(kind_of[loop], 1, true) ~= nil
  end
  return core.can_cast(name, loop, "same_kind")
end

--- The operands that are converted to the loop's dtype.
local function loop_types(row, types)
  if row.rule == "select" then
    return rest(types)
  end
  return (row.rule == "scale" or row.rule == "decimals" or row.rule == "branch") and first(types) or types
end

--- The loop whose result is `dtype`, for NumPy's argument dtype=.
local function asked_loop(row, types, dtype)
  if row.results[1] == "bool" or row.rule == "logical" then
    if dtype ~= "bool" then
      return nil, ("%s: gives bool, not %s"):format(row.name, dtype)
    end
    return existing_loop(row, loop_of[row.rule](types))
  end
  local loop = dtype
  if row.results[1] == "real" and kind_of[M.common(types)] == "c" then
    loop = COMPLEX_HOLDING[dtype] or dtype
  elseif row.results[1] == "complex" then
    loop = REAL_PART[dtype] or dtype
  end
  if not has_loop(row, loop) then
    return undefined(row, loop)
  end
  for _, name in ipairs(loop_types(row, types)) do
    if not casts(name, loop) then
      local shown = SHOWN[name] or name
      return nil, ("%s: cannot compute with dtype %s: %s does not cast to it"):format(row.name, dtype, shown)
    end
  end
  return loop
end

local function expression(row, index, loop)
  local kind = kind_of[loop]
  if kind == "b" and row.bool then
    return row.bool
  end
  return row.integer and kind ~= "f" and kind ~= "c" and row.integer or row.expr[index]
end

local function result_dtype(result, loop)
  if result == "same" then
    return loop
  elseif result == "real" then
    return REAL_PART[loop] or loop
  elseif result == "complex" then
    return COMPLEX_HOLDING[loop]
  end
  return result
end

--- The dtypes and expressions of one operation.
---@param row table a row of ops.lua
---@param types string[] one for each operand, as for M.common
---@param dtype string|nil the dtype of the computation and the result
---@return table|nil plan {args = {dtype, ...}, results = {{expr = text, dtype = name}, ...}}
---@return string|nil message the reason if there is none
function M.resolve(row, types, dtype)
  local loop, message
  if dtype then
    loop, message = asked_loop(row, types, dtype)
  else
    loop, message = existing_loop(row, loop_of[row.rule](types))
  end
  if not loop then
    return nil, message
  end
  local args, refusal = operands(row, types, loop)
  if not args then
    return nil, row.name .. ": " .. refusal
  end
  local plan = {args = args, results = {}}
  for i in ipairs(row.expr) do
    plan.results[i] = {expr = expression(row, i, loop), dtype = result_dtype(row.results[i], loop)}
  end
  return plan
end

return M
