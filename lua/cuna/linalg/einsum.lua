--- einsum.lua: sums of products of arrays, named by the labels of their axes.
--
-- A factor is an array with one label per axis, all different: diagonals are strided views, and an axis of length 1
-- whose label is longer elsewhere is omitted. Labels that only one factor has and the output has not are summed first.
-- Then pairs are contracted in the order that einsum_order.lua finds, through matmul: labels of both that remain are
-- stacked, those that are summed are its inner dimension. All arrangements are views; reshape copies if axes that are
-- joined are not contiguous.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local operands = require "cuna.base.operands"
local orders = require "cuna.linalg.einsum_order"
local products = require "cuna.linalg.products"
local reduce = require "cuna.reduce"
local text = require "cuna.linalg.einsum_text"

local M = {functions = {}}
local F = M.functions

local fail = check.fail
local REST = text.REST

-- ---- labels ----

--- A term with one label per axis: axes that an ellipsis stands for are numbered from the right.
local function spread(name, parsed, k, x)
  local term, labels, has_rest = parsed.terms[k], {}, false
  for _, label in ipairs(term) do has_rest = has_rest or label == REST end
  local more = x.ndim - #term + (has_rest and 1 or 0)
  if more < 0 or more > 0 and not has_rest then
    fail("%s: term %d of %s has %d label%s, and array %d has shape %s", name, k, text.show(parsed),
      #term - (has_rest and 1 or 0), #term == 1 and "" or "s", k, tostring(x.shape))
  end
  for _, label in ipairs(term) do
    if label ~= REST then labels[#labels + 1] = label end
    for axis = 1, label == REST and more or 0 do labels[#labels + 1] = REST .. more - axis + 1 end
  end
  return labels, has_rest and more or 0
end

--- The length of each label: the one that is not 1.
local function measure(name, parsed, arrays, terms)
  local lengths, from = {}, {}
  for k, labels in ipairs(terms) do
    local shape = arrays[k].shape
    for axis, label in ipairs(labels) do
      local known = lengths[label]
      if known and known ~= 1 and shape[axis] ~= 1 and known ~= shape[axis] then
        fail("%s: label %s of %s is %d in array %d and %d in array %d, of shapes %s and %s", name,
          tostring(label):gsub("^%.%.%..*", "..."), text.show(parsed), known, from[label], shape[axis], k,
          tostring(arrays[from[label]].shape), tostring(shape))
      end
      if not known or known == 1 then lengths[label], from[label] = shape[axis], k end
    end
  end
  return lengths
end

--- The output's labels: those of the output's term; by default the ellipsis, then labels that occur once, in order.
local function output_of(parsed, terms, rest)
  local output, counts = {}, {}
  local function add_rest()
    for k = rest, 1, -1 do output[#output + 1] = REST .. k end
  end
  if parsed.output then
    for _, label in ipairs(parsed.output) do
      if label == REST then add_rest() else output[#output + 1] = label end
    end
    return output
  end
  for _, labels in ipairs(terms) do
    for _, label in ipairs(labels) do counts[label] = (counts[label] or 0) + 1 end
  end
  local single = {}
  for label, count in pairs(counts) do
    if count == 1 and not tostring(label):find("^%.%.%.") then single[#single + 1] = label end
  end
  table.sort(single)
  add_rest()
  for _, label in ipairs(single) do output[#output + 1] = label end
  return output
end

--- Rejects an ellipsis of the inputs that the output omits, as NumPy does.
local function check_rest(name, parsed, rest)
  if rest == 0 or not parsed.output then return end
  for _, label in ipairs(parsed.output) do
    if label == REST then return end
  end
  fail("%s: the output of %s leaves the ellipsis out, which stands for %d ax%ss; sum them by labels", name,
    text.show(parsed), rest, rest == 1 and "i" or "e")
end

local function set_of(labels)
  local set = {}
  for _, label in ipairs(labels) do set[label] = true end
  return set
end

-- ---- factors ----

--- Whether each axis has a label of its own, of the axis' length.
local function is_plain(shape, labels, lengths)
  for axis, label in ipairs(labels) do
    if shape[axis] ~= lengths[label] then return false end
    for k = 1, axis - 1 do
      if labels[k] == label then return false end
    end
  end
  return true
end

--- A factor: `steps` and `at` (axis lengths) by label; its labels in the order of the axes.
local function factor_of(x, labels, lengths)
  local shape = x.shape
  if is_plain(shape, labels, lengths) then return {array = x, labels = labels, set = set_of(labels)} end
  local strides, steps, order = x.strides, {}, {}
  for axis, label in ipairs(labels) do
    if shape[axis] == lengths[label] then
      if not steps[label] then order[#order + 1] = label end
      steps[label] = (steps[label] or 0) + strides[axis] / x.itemsize
    end
  end
  local view_shape, view_steps = {}, {}
  for k, label in ipairs(order) do view_shape[k], view_steps[k] = lengths[label], steps[label] end
  return {array = core.view(x, view_shape, view_steps, 0), labels = order, set = set_of(order)}
end

local function is_same_list(a, b)
  for k = 1, math.max(#a, #b) do
    if a[k] ~= b[k] then return false end
  end
  return true
end

--- A factor's array with axes in the order of labels; a label without an axis gets one of length 1.
local function arranged(factor, order)
  if is_same_list(factor.labels, order) then return factor.array end
  local shape, strides, x = factor.array.shape, factor.array.strides, factor.array
  local axis_of, view_shape, view_steps = {}, {}, {}
  for axis, label in ipairs(factor.labels) do axis_of[label] = axis end
  for k, label in ipairs(order) do
    local axis = axis_of[label]
    view_shape[k], view_steps[k] = axis and shape[axis] or 1, axis and strides[axis] / x.itemsize or 0
  end
  return core.view(x, view_shape, view_steps, 0)
end

local function make(array, labels) return {array = array, labels = labels, set = set_of(labels)} end

--- The factor summed over the labels that are not in `keep`.
local function summed(factor, keep)
  local labels, axes = {}, {}
  for axis, label in ipairs(factor.labels) do
    if keep[label] then labels[#labels + 1] = label else axes[#axes + 1] = axis end
  end
  if #axes == 0 then return factor end
  local x = factor.array
  if x.dtype == "bool" then return make(reduce.functions.any(x, {axis = axes}), labels) end
  return make(reduce.functions.sum(x, {axis = axes, dtype = x.dtype}), labels)
end

local function lengths_of(labels, lengths)
  local size = 1
  for _, label in ipairs(labels) do size = size * lengths[label] end
  return size
end

local function joined(...)
  local all = {}
  for _, list in ipairs {...} do
    for _, label in ipairs(list) do all[#all + 1] = label end
  end
  return all
end

--- The labels of a pair by their role: stack (both have it and it is kept), inner (both have it and it is summed), left
--- and right (one has it).
local function sort_labels(a, b, keep)
  local stack, inner, left, right = {}, {}, {}, {}
  for _, label in ipairs(a.labels) do
    local list = not b.set[label] and left or keep[label] and stack or inner
    list[#list + 1] = label
  end
  for _, label in ipairs(b.labels) do
    if not a.set[label] then right[#right + 1] = label end
  end
  return stack, inner, left, right
end

--- A factor as stacked matrices whose rows and columns are groups of labels.
local function as_matrices(factor, stack, rows, columns, lengths)
  local shape = {}
  for k, label in ipairs(stack) do shape[k] = lengths[label] end
  shape[#shape + 1], shape[#shape + 2] = lengths_of(rows, lengths), lengths_of(columns, lengths)
  return core.reshape(arranged(factor, joined(stack, rows, columns)), shape, "einsum")
end

--- The union of two sets.
local function either(a, b) return setmetatable({}, {__index = function(_, label) return a[label] or b[label] end}) end

--- The product of two factors, summed over their inner labels.
local function contracted(a, b, keep, lengths)
  a, b = summed(a, either(b.set, keep)), summed(b, either(a.set, keep))
  local stack, inner, left, right = sort_labels(a, b, keep)
  local labels, shape = joined(stack, left, right), {}
  if #inner == 0 then
    return make(elementwise.functions.multiply(arranged(a, labels), arranged(b, labels)), labels)
  end
  for k, label in ipairs(labels) do shape[k] = lengths[label] end
  local product = products.functions.matmul(as_matrices(a, stack, left, inner, lengths),
    as_matrices(b, stack, inner, right, lengths))
  return make(core.reshape(product, shape, "einsum"), labels)
end

-- ---- evaluation ----

local ORDERS = {auto = orders.auto, optimal = orders.optimal, greedy = orders.greedy}

--- Checks a path that the caller gave.
local function check_path(name, path, count)
  for k = 1, count - 1 do
    local pair = path[k]
    local a, b
    if type(pair) == "table" then a, b = pair[1], pair[2] end
    local left = count - k + 1
    for _, each in ipairs {a or false, b or false} do
      if type(each) ~= "number" or each % 1 ~= 0 or each < 1 or each > left then
        fail("%s: step %d of the path is a pair of positions from 1 to %d, got %s", name, k, left,
          type(pair) == "table" and ("{%s, %s}"):format(tostring(a), tostring(b)) or check.show(pair))
      end
    end
    if a == b then fail("%s: step %d of the path contracts array %d with itself", name, k, a) end
  end
  if #path ~= math.max(count - 1, 0) then
    fail("%s: the path has %d steps, and %d arrays take %d", name, #path, count, count - 1)
  end
  return path
end

--- The order of contraction.
local function path_of(name, optimize, terms, output, lengths)
  if optimize == nil or optimize == true then optimize = "auto" end
  if optimize == false then return orders.left_to_right(terms) end
  if type(optimize) == "table" then return check_path(name, optimize, #terms) end
  local find = ORDERS[optimize]
  if not find then
    fail('%s: optimize is true, false, "auto", "optimal", "greedy" or a path, got %s', name, check.show(optimize))
  end
  return find(terms, output, lengths)
end

local OPTIONS = {out = true, dtype = true, optimize = true}

--- The arguments of a call: {arrays, parsed, terms, lengths, output, factors, path, options}.
local function read(name, known, ...)
  local values, count, options = args.split(name, known, ...)
  local call = {options = options}
  if type(values[1]) == "string" then
    call.subscripts, call.parsed = values[1], text.parse(name, values[1])
    call.arrays = {unpack(values, 2, count)}
    if count - 1 ~= #call.parsed.terms then
      fail("%s: %s has %d term%s, and there %s %d array%s", name, text.show(call.parsed), #call.parsed.terms,
        #call.parsed.terms == 1 and "" or "s", count == 2 and "is" or "are", count - 1, count == 2 and "" or "s")
    end
    for k = 1, count - 1 do
      if values[k + 1] == nil then fail("%s: array %d is nil", name, k) end
    end
  elseif count >= 2 then
    call.arrays, call.parsed = text.listed(name, values, count)
  else
    fail('%s: subscripts such as "ij,jk->ik" come first, then the arrays, got %s', name, check.show(values[1]))
  end
  local common
  call.arrays, common = operands.common(call.arrays, check.device_of(call.arrays), name)
  call.dtype = check.dtype(options.dtype, name) or common
  return call
end

local MOST_KEPT = 64
local plans, nplans = {}, 0 -- by subscripts and shapes

--- A key of calls that have one plan; nil for calls that are planned each time.
local function key_of(call)
  if not call.subscripts or call.options.optimize ~= nil then return nil end
  local texts = {call.subscripts}
  for k, x in ipairs(call.arrays) do texts[k + 1] = table.concat(x.shape, ",") end
  return table.concat(texts, ";")
end

local PLANNED = {"terms", "lengths", "output", "wanted", "sets", "path"}

--- Adds terms, lengths, the output and the path to a call.
local function make_plan(name, call)
  local rest = 0
  call.terms = {}
  for k, x in ipairs(call.arrays) do
    local labels, more = spread(name, call.parsed, k, x)
    call.terms[k], rest = labels, math.max(rest, more)
  end
  check_rest(name, call.parsed, rest)
  call.lengths = measure(name, call.parsed, call.arrays, call.terms)
  call.output = output_of(call.parsed, call.terms, rest)
  call.wanted, call.sets = set_of(call.output), {}
  for k, x in ipairs(call.arrays) do
    local set, shape = {}, x.shape
    for axis, label in ipairs(call.terms[k]) do
      if shape[axis] == call.lengths[label] then set[label] = true end
    end
    call.sets[k] = set
  end
  call.path = path_of(name, call.options.optimize, call.sets, call.wanted, call.lengths)
end

--- The same, from the plan of an earlier call if there was one like it.
local function plan(name, call)
  local key = key_of(call)
  local known = key and plans[key]
  if known then
    for _, field in ipairs(PLANNED) do call[field] = known[field] end
    return
  end
  make_plan(name, call)
  if not key then return end
  if nplans == MOST_KEPT then plans, nplans = {}, 0 end
  known, nplans = {}, nplans + 1
  for _, field in ipairs(PLANNED) do known[field] = call[field] end
  plans[key] = known
end

--- Contracts the factors along the path; returns the last one.
local function follow(call)
  local factors = {}
  for k, x in ipairs(call.arrays) do
    factors[k] = factor_of(x.dtype == call.dtype and x or core.cast(x, call.dtype, "einsum"), call.terms[k],
      call.lengths)
  end
  for _, pair in ipairs(call.path) do
    local j, i = math.max(unpack(pair)), math.min(unpack(pair))
    local b, a = table.remove(factors, j), table.remove(factors, i)
    local keep = {}
    for label in pairs(call.wanted) do keep[label] = true end
    for _, other in ipairs(factors) do
      for label in pairs(other.set) do keep[label] = true end
    end
    factors[#factors + 1] = contracted(a, b, keep, call.lengths)
  end
  return summed(factors[1], call.wanted)
end

--- Copies a result into the option `out`.
local function written(out, result)
  check.output(out, result.dtype, result.shape, result, "einsum")
  core.copy(out, result, "einsum")
  return out
end

--- Sums of products of arrays over labels of their axes: "ij,jk->ik" is the matrix product, "ii" the trace, "ij->ji"
--- the transpose, "i,j" the outer product, "bij,bjk->bik" a stack of products. A label that the output omits is summed
--- over; without "->" the output has the labels that occur once, sorted. "..." stands for any axes, which broadcast; an
--- axis of length 1 broadcasts. Instead of text, lists of numbers may follow the arrays: einsum(x, {1, 2}, y, {2, 3},
--- {1, 3}). Products are computed by matmul, in the order with the fewest multiplications (exact for up to six arrays,
--- heuristic for more). If one array needs no arithmetic, the result is a view. Integers and bool keep their dtype.
--- Follows numpy.einsum, where `optimize` is false by default.
---@param subscripts string
---@param ... cuna.Operand one per term; last, options: out; dtype; optimize: true (default), false: from left to right,
--- "optimal", "greedy", or a path of cn.einsum_path
---@return cuna.Array
---@usage cn.einsum("ij,jk->ik", {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}) --> [[19. 22.] [43. 50.]]
---@usage cn.einsum("ii", {{1, 2}, {3, 4}}) --> 5.0
function F.einsum(...)
  local call = read("einsum", OPTIONS, ...)
  plan("einsum", call)
  local result = arranged(follow(call), call.output)
  return call.options.out == nil and result or written(call.options.out, result)
end

-- ---- einsum_path ----

--- A set of labels as text, in order.
local function shown(set)
  local labels = {}
  for label in pairs(set) do labels[#labels + 1] = tostring(label) end
  table.sort(labels)
  return table.concat(labels)
end

--- The order in which cn.einsum contracts, and its cost. The path is a list of pairs of positions, from 1, in the list
--- of arrays; both arrays are removed from it, and their contraction is appended. It can be passed as `optimize`.
--- Follows numpy.einsum_path.
---@param subscripts string
---@param ... cuna.Operand one per term; last, options: optimize as in cn.einsum; dtype
---@return integer[][] path
---@return string report multiplications of each step, of all steps, and of one loop over all labels
---@usage #cn.einsum_path("ij,jk,kl->il", cn.ones{9, 2}, cn.ones{2, 8}, cn.ones{8, 3}) --> 2
function F.einsum_path(...)
  local call = read("einsum_path", {optimize = true, dtype = true}, ...)
  plan("einsum_path", call)
  local steps, total, naive = orders.steps(call.path, call.sets, call.wanted, call.lengths)
  local lines = {("%-8s %-24s %s"):format("pair", "contraction", "products")}
  for k, step in ipairs(steps) do
    lines[k + 1] = ("%-8s %-24s %.4g"):format(table.concat(step.pair, ","),
      shown(step.inputs[1]) .. "," .. shown(step.inputs[2]) .. "->" .. shown(step.result), step.cost)
  end
  lines[#lines + 1] = ("all %.4g, one loop %.4g"):format(total, naive)
  return call.path, table.concat(lines, "\n")
end

return M
