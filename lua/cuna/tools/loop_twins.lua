--- loop_twins.lua: names of loops that compute the same bits, of which one has a function that stands for all.
--
-- Whole numbers of one size wrap, and are equal, with a sign or without. What only chooses among values treats those of
-- one size alike. Whole numbers are finite.
local dtype_facts = require "cuna.base.dtype_facts"

local size_of, wrapping = dtype_facts.size_of, dtype_facts.wrapping
local is_integer = dtype_facts.is_integer

local M = {}

local function set(list)
  local has = {}
  for _, entry in ipairs(list) do has[entry] = true end
  return has
end

local COMBINED = {"wrap_add(a, b)", "wrap_mul(a, b)", "a & b", "a | b", "a ^ b"}
local COMBINES = set(COMBINED)
-- Steps of whole numbers of one dtype, and bools, which give such a number or a bool.
local WRAPS = set {"wrap_sub(a, b)", "wrap_mul(a, a)", "wrap_neg(a)", "wrap_add(wrap_mul(a, b), c)",
  "wrap_sub(wrap_add(a, a), b)", "wrap_add(b, wrap_mul(a, c))", "~a", "conj(a)", "equal(a, b)", "!equal(a, b)",
  "b ? a : T(0)", "b ? a : T(1)", "b ? a : T(~T(0))", unpack(COMBINED)}
-- Steps that give 0 or 1, whose result may have any dtype of its size.
local TRUTHS = set {"a != T(0)", "diagonal_of(a, c, d) == b", "diagonal_of(a, c, d) <= b", "isclose(a, b, c, d)",
  "isclose(a, b, 1e-5, 1e-8)", "isclose(a, b, c, d) | (isnan(a) & isnan(b))"}
-- Steps whose result does not depend on what the whole number is.
local CONSTANT = set {"isnan(a)", "isinf(a)", "isfinite(a)", "imag(a) == 0", "imag(a) != 0", "isinf(a) & (a < T(0))",
  "isinf(a) & (a > T(0))"}
-- Steps that give one of their operands, which begin at this one; before them are those that choose.
local CHOOSES = {["choose(a, b, c)"] = 2, ["choose(a != T(), b, c)"] = 2}
for k = 0, 3 do CHOOSES[("choose(a - b == %d, c, d)"):format(k)] = 3 end
local OF_SIZE = {"uint8", "uint16", [4] = "uint32", [8] = "uint64", [16] = "complex128"}
-- Steps that are others of whole numbers.
local OTHERS = {["fmin(a, b)"] = "minimum(a, b)", ["fmax(a, b)"] = "maximum(a, b)",
  ["!equal(a, b) && !(isnan(a) && isnan(b))"] = "!equal(a, b)"}

local function is_whole(dtype) return dtype == "bool8" or is_integer(dtype) end

--- Whether all that are not bools are integers of one dtype.
local function is_alike(types)
  local first
  for _, dtype in ipairs(types) do
    first = first or dtype ~= "bool8" and dtype
    if dtype ~= "bool8" and (dtype ~= first or not is_integer(dtype)) then return false end
  end
  return first ~= nil
end

local function wrapped(types)
  local list = {}
  for k, dtype in ipairs(types) do list[k] = dtype == "bool8" and dtype or wrapping(dtype) end
  return list
end

--- The result's dtype and those of operands from `first` on, by size. Bools may be any byte, and half floats are not
--- in their size.
local function chosen(D, types, first)
  if D == "bool8" or D:find "float16" then return D, types end
  local list = {unpack(types)}
  for k = first, #types do
    if types[k] ~= D then return D, types end
    list[k] = OF_SIZE[size_of[D]]
  end
  return OF_SIZE[size_of[D]], list
end

--- Integers between bounds, drawn as those without a sign.
local function without_sign(expression)
  return (expression:gsub("Integers<int", "Integers<uint"):gsub("filled<int", "filled<uint"))
end

--- The dtypes of the step that has the function.
local function twin_of_step(D, types, expression)
  local first = CHOOSES[expression]
  if first then return chosen(D, types, first) end
  if CONSTANT[expression] and is_whole(types[1]) then return D, {"uint8"} end
  if TRUTHS[expression] and is_integer(D) then
    D = size_of[D] == 1 and "bool8" or wrapping(D)
    return D, expression == "a != T(0)" and is_alike(types) and wrapped(types) or types
  end
  if not ((WRAPS[expression] or COMBINES[expression]) and is_alike(types)) then return D, types end
  if D == "bool8" then return D, wrapped(types) end
  local widest = 0
  for _, dtype in ipairs(types) do widest = math.max(widest, size_of[dtype] or 0) end
  if not is_integer(D) or size_of[D] > widest then return D, types end
  return wrapping(D), wrapped(types)
end

--- The parts of a name.
function M.split(text, separator)
  local words = {}
  for word in (text .. separator):gmatch("(.-)" .. separator) do words[#words + 1] = word end
  return words
end

local TWINS = {}

function TWINS.step(D, list, expression)
  local types = list == "" and {} or M.split(list, ",")
  if is_whole(types[1]) then expression = OTHERS[expression] or expression end
  if expression:find "Integers<int" then return wrapping(D), list, without_sign(expression) end
  D, types = twin_of_step(D, types, expression)
  return D, table.concat(types, ","), expression
end

--- Of floats they saturate. A result that is not wider has the low bits of what is converted.
function TWINS.convert(D, S)
  if not is_whole(S) then return D, S end
  local low = D == "bool8" or is_integer(D) and (size_of[S] or 0) >= size_of[D]
  return is_integer(D) and wrapping(D) or D, low and is_integer(S) and wrapping(S) or S
end

function TWINS.fold(A, state, identity, lift, combine)
  local same = is_integer(A) and state == "T" and lift == "a" and COMBINES[combine]
  return same and wrapping(A) or A, state, identity, lift, combine
end

function TWINS.scan(A, combine) return is_integer(A) and COMBINES[combine] and wrapping(A) or A, combine end

--- The name of the loop whose function another one has: often its own.
function M.of(name)
  local words = M.split(name, "\t")
  local twin = TWINS[words[1]]
  return twin and table.concat({words[1], twin(unpack(words, 2))}, "\t") or name
end

return M
