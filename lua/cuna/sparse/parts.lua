--- parts.lua: programs over parts of the rows or elements of sparse matrices, whose memory they know by addresses.
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local program = require "cuna.base.program"

local M = {}

local storage, wrapping = dtype_facts.storage, dtype_facts.wrapping
local WIDE = {float16 = "float32", bfloat16 = "float32"} -- what half floats are added up in
local MOVED = {[1] = "uint8", [2] = "uint16", [4] = "uint32", [8] = "uint64", [16] = "complex128"}
local FIXED = {l = "int64", n = "int64", b = "uint8"} -- dtypes of inputs by their letters

--- The address of the first element, even if there is none.
function M.address(x, dtype)
  return core.view(x.size > 0 and x or core.empty(1, x.dtype, x.device, "address"), {}, {}, 0, dtype)
end

--- The dtype as which elements are moved, and their address.
function M.moved_dtype(x) return MOVED[x.itemsize] end
function M.moved(x) return M.address(x, MOVED[x.itemsize]) end

--- An array of a dtype, its elements side by side.
function M.in_dtype(x, dtype, name)
  return core.dense(x, dtype, name)
end

--- The dtype in which elements are added up.
function M.sum_dtype(dtype) return WIDE[dtype] or dtype end

--- What kernels know of each result while they add up (Results in kernels/sparse_order.cuh).
function M.results_for(sums, name)
  local room = math.ceil(3 * sums.itemsize / 8) + 2
  return core.empty(sums.size, "uint8", sums.device, name), core.empty(sums.size * room, "int64", sums.device, name)
end

--- Completes the inputs of a step over parts, by the number of the part and that of all; the names of all.
function M.end_inputs(draft, list)
  local parts, letters = draft:input("int64", "scalar"), {}
  list[#list + 1], list[#list + 2] = draft:position(), parts
  for k = 1, #list do letters[k] = string.char(96 + k) end
  draft.gathers, draft.outputs, draft.span_log2 = true, {}, 14
  return table.concat(letters, ", ")
end

--- A step over parts. `what` is a function of a namespace, or one and its first type. `kinds` has a letter for each
--- input: i, l, d and b are addresses of indices, int64, elements and bytes, v is one of sums of elements, n is a
--- number.
local function draw(draft, what, kinds, dtype, index)
  local list, dtypes = {}, {i = index, d = dtype, v = M.sum_dtype(dtype)}
  for kind in kinds:gmatch "." do
    list[#list + 1] = draft:input(FIXED[kind] or dtypes[kind], kind == "n" and "scalar" or "address")
  end
  local letters = M.end_inputs(draft, list)
  local space, called, first = what:match "^(%w+)::(%S+)%s*(%S*)$"
  first = first ~= "" and ("%s::%s<%s>, "):format(space, first, index) or ""
  local function text(type)
    local types = first .. (type and type .. ", " or "") .. index
    return ("%s::%s<%s>(%s)"):format(space, called, types, letters)
  end
  draft:step(called, text(dtype and storage(dtype)), "bool", list, "int64", text(dtype and wrapping(dtype)))
end

--- Runs a program over parts; the last argument is their number.
---@param what string as "sparse::count_products"
---@param dtype string|nil of elements, if the function has that type
function M.run(what, kinds, dtype, index, parts, name, ...)
  local key = table.concat({what, dtype or "", index}, " ")
  core.map(program.get(key, draw, what, kinds, dtype, index), name, {parts}, {}, ...)
end

return M
