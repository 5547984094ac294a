--- mathematics.lua: the functions of Lua's `math` for arrays, in fused functions.
--
-- While a fused function runs that names `math`, the functions of that table take arrays, too, and so do those that the
-- function, or one that it calls, has in an upvalue.
local args = require "cuna.base.args"
local core = require "cuna.core"

local M = {}

local NAMES = {abs = "absolute", acos = "arccos", asin = "arcsin", atan = "arctan", atan2 = "arctan2", ceil = "ceil",
  cos = "cos", cosh = "cosh", deg = "rad2deg", exp = "exp", floor = "floor", fmod = "fmod", frexp = "frexp",
  ldexp = "ldexp", log = "log", log10 = "log10", max = "maximum", min = "minimum", modf = "modf", pow = "power",
  rad = "deg2rad", sin = "sin", sinh = "sinh", sqrt = "sqrt", tan = "tan", tanh = "tanh"}

local originals, replacements = {}, {}

local function has_array(...)
  for i = 1, select("#", ...) do
    if core.is_array((select(i, ...))) then return true end
  end
  return false
end

local function fold(of_two, result, ...)
  for i = 1, select("#", ...) do result = of_two(result, (select(i, ...))) end
  return result
end

--- What Lua does otherwise than the function of arrays, which comes first.
local UNLIKE = {max = fold, min = fold}

function UNLIKE.log(of_arrays, x, base)
  if base then core.fail "math.log: of an array there is the natural logarithm only; divide by math.log(base)" end
  return of_arrays(x)
end

function UNLIKE.modf(of_arrays, x)
  local fraction, whole = of_arrays(x)
  return whole, fraction
end

local function replace(name, original)
  local of_arrays, unlike = NAMES[name], UNLIKE[name]
  return function(...)
    if not has_array(...) then return original(...) end
    local fn = args.namespace[of_arrays]
    if unlike then return unlike(fn, ...) end
    return fn(...)
  end
end

for name in pairs(NAMES) do
  originals[name] = math[name]
  replacements[name] = replace(name, math[name])
  replacements[originals[name]] = replacements[name]
end

--- Whether a value is `math`, or one of its functions that take arrays here.
function M.is_known(value) return rawequal(value, math) or replacements[value] ~= nil end

--- Whether a function has one of them in an upvalue: what LuaJIT compiled of it may hold that as a constant.
local function fix(upvalue)
  if upvalue.is_fixed then return end
  upvalue.is_fixed = true
  jit.off(upvalue.fn, true)
  jit.flush(upvalue.fn, true)
end

local depth = 0 -- of calls under way

local function set_all(from, to)
  for name in pairs(NAMES) do
    if math[name] == from[name] then rawset(math, name, to[name]) end
  end
end

local function enter_upvalue(upvalue)
  upvalue.depth = (upvalue.depth or 0) + 1
  local _, now = debug.getupvalue(upvalue.fn, upvalue.place)
  if upvalue.depth == 1 and rawequal(now, upvalue.value) then
    fix(upvalue)
    debug.setupvalue(upvalue.fn, upvalue.place, replacements[upvalue.value])
  end
end

local function leave_upvalue(upvalue)
  upvalue.depth = upvalue.depth - 1
  local _, now = debug.getupvalue(upvalue.fn, upvalue.place)
  if upvalue.depth == 0 and rawequal(now, replacements[upvalue.value]) then
    debug.setupvalue(upvalue.fn, upvalue.place, upvalue.value)
  end
end

--- Lets the functions take arrays until `leave`. What the program itself has changed stays as it is.
---@param upvalues table[] {fn =, place =, value =}
function M.enter(upvalues)
  depth = depth + 1
  if depth == 1 then set_all(originals, replacements) end
  for _, upvalue in ipairs(upvalues) do enter_upvalue(upvalue) end
end

---@param upvalues table[] of `enter`
function M.leave(upvalues)
  depth = depth - 1
  if depth == 0 then set_all(replacements, originals) end
  for _, upvalue in ipairs(upvalues) do leave_upvalue(upvalue) end
end

return M
