--- einsum.lua: sums of products of arrays, named by the labels of their axes.
--
-- A factor is an array with one label per axis, all different: diagonals are strided views, and an axis of length 1
-- whose label is longer elsewhere is omitted. Labels that only one factor has and the output has not are summed first.
-- Then pairs are contracted in the order that einsum_order.lua finds, through matmul: labels of both that remain are
-- stacked, those that are summed are its inner dimension. All arrangements are views; reshape copies if axes that are
-- joined are not contiguous. A plan, made of labels and lengths alone, says all this for arrays of these shapes and is
-- kept.
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
--
-- A plan knows factors by their labels: {labels = in the order of the axes, set = the same}. What happens to an array
-- on its way is a list of: sum and its second argument, places and ndim of core.arranged, a shape; false where it is
-- not needed.

local function factor_of(labels) return {labels = labels, set = set_of(labels)} end

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

--- The factor of an array, and how that is made: axes of one label are a diagonal, shorter ones are left out.
local function first_of(shape, labels, lengths)
  if is_plain(shape, labels, lengths) then return factor_of(labels), false end
  local places, place_of, order = {}, {}, {}
  for axis, label in ipairs(labels) do
    places[axis] = 0
    if shape[axis] == lengths[label] then
      if not place_of[label] then
        order[#order + 1] = label
        place_of[label] = #order
      end
      places[axis] = place_of[label]
    end
  end
  return factor_of(order), {false, false, places, #order, false}
end

local function is_same_list(a, b)
  for k = 1, math.max(#a, #b) do
    if a[k] ~= b[k] then return false end
  end
  return true
end

--- The places of a factor's axes in an order of labels; false if they have them already. A label without an axis gets
--- one of length 1.
local function places_in(factor, order)
  if is_same_list(factor.labels, order) then return false end
  local place_of, places = {}, {}
  for place, label in ipairs(order) do place_of[label] = place end
  for axis, label in ipairs(factor.labels) do places[axis] = place_of[label] end
  return places
end

local function any(x, axis) return reduce.functions.any(x, axis) end
local function sum(x, axis) return x:sum(axis) end

--- The sum over axes of a factor, which keeps the dtype, and its second argument.
local function sum_over(factor, axes, dtype)
  if dtype == "bool" then return any, axes end
  if not (dtype:find "^float" or dtype:find "^complex") then return sum, {axis = axes, dtype = dtype} end
  return sum, #axes == 1 and axes[1] or #axes < #factor.labels and axes or nil
end

--- The factor summed over the labels that are not in `keep`, the sum and its second argument.
local function summed(factor, keep, dtype)
  local labels, axes = {}, {}
  for axis, label in ipairs(factor.labels) do
    if keep(label) then labels[#labels + 1] = label else axes[#axes + 1] = axis end
  end
  if #axes == 0 then return factor, false, false end
  return factor_of(labels), sum_over(factor, axes, dtype)
end

local function size_of(labels, lengths)
  local size = 1
  for _, label in ipairs(labels) do size = size * lengths[label] end
  return size
end

local function shape_of(labels, lengths)
  local shape = {}
  for k, label in ipairs(labels) do shape[k] = lengths[label] end
  return shape
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

--- The shape of stacked matrices whose rows and columns are groups of labels; false if that of the labels' axes is the
--- same. Without a stack, matmul takes vectors for empty groups.
local function matrix_shape(stack, rows, columns, lengths)
  local shape, is_same = shape_of(stack, lengths), true
  for _, group in ipairs {rows, columns} do
    if #stack > 0 or #group > 0 then shape[#shape + 1] = size_of(group, lengths) end
    is_same = is_same and (#group == 1 or #group == 0 and #stack == 0)
  end
  return not is_same and shape
end

local function multiply(a, b) return elementwise.functions.multiply(a, b) end
local function matmul(a, b) return products.functions.matmul(a, b) end

--- The product of two factors summed over their inner labels, and its step: how both arrays are made, what multiplies
--- them, and the shape of the result, or false.
local function contraction(a, b, keep, lengths, dtype)
  local sum_a, axis_a, sum_b, axis_b
  a, sum_a, axis_a = summed(a, function(label) return b.set[label] or keep[label] end, dtype)
  b, sum_b, axis_b = summed(b, function(label) return a.set[label] or keep[label] end, dtype)
  local stack, inner, left, right = sort_labels(a, b, keep)
  local labels, step = joined(stack, left, right), {multiply = multiply}
  local order_a, order_b = labels, labels
  if #inner > 0 then
    order_a, order_b = joined(stack, left, inner), joined(stack, inner, right)
    step.multiply = matmul
    step.shape = matrix_shape(stack, left, right, lengths) and shape_of(labels, lengths)
  end
  step.left = {sum_a, axis_a, places_in(a, order_a), #order_a,
    #inner > 0 and matrix_shape(stack, left, inner, lengths)}
  step.right = {sum_b, axis_b, places_in(b, order_b), #order_b,
    #inner > 0 and matrix_shape(stack, inner, right, lengths)}
  return factor_of(labels), step
end

--- The labels that the output or one of these factors has.
local function kept_by(wanted, factors)
  local keep = {}
  for label in pairs(wanted) do keep[label] = true end
  for _, factor in ipairs(factors) do
    for label in pairs(factor.set) do keep[label] = true end
  end
  return keep
end

--- Adds to a plan: `first` (how the factor of each array is made), `steps` along the path, and `last` (how the output
--- is made of the last factor).
local function add_steps(plan, shapes)
  local factors, places = {}, {}
  plan.first, plan.steps = {}, {}
  for k, shape in ipairs(shapes) do
    factors[k], plan.first[k] = first_of(shape, plan.terms[k], plan.lengths)
    places[k] = k
  end
  for at, pair in ipairs(plan.path) do
    local j, i = math.max(unpack(pair)), math.min(unpack(pair))
    local b, a = table.remove(factors, j), table.remove(factors, i)
    local product, step = contraction(a, b, kept_by(plan.wanted, factors), plan.lengths, plan.dtype)
    factors[#factors + 1], plan.steps[at] = product, step
    step.b, step.a = table.remove(places, j), table.remove(places, i)
    places[#places + 1] = #shapes + at
  end
  local result, sum_last, axis = summed(factors[1], function(label) return plan.wanted[label] end, plan.dtype)
  plan.last = {sum_last, axis, places_in(result, plan.output), #plan.output, false}
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

--- Reads subscripts and arrays, or arrays and lists of labels: the parsed subscripts, the arrays.
local function read_terms(name, values, count)
  if type(values[1]) == "string" then
    local parsed = text.parse(name, values[1])
    if count - 1 ~= #parsed.terms then
      fail("%s: %s has %d term%s, and there %s %d array%s", name, text.show(parsed), #parsed.terms,
        #parsed.terms == 1 and "" or "s", count == 2 and "is" or "are", count - 1, count == 2 and "" or "s")
    end
    for k = 1, count - 1 do
      if values[k + 1] == nil then fail("%s: array %d is nil", name, k) end
    end
    return parsed, {unpack(values, 2, count)}
  elseif count >= 2 then
    local arrays, parsed = text.listed(name, values, count)
    return parsed, arrays
  end
  fail('%s: subscripts such as "ij,jk->ik" come first, then the arrays, got %s', name, check.show(values[1]))
end

--- Adds terms, lengths, the output and the path to a plan for arrays of these shapes.
local function complete(name, plan, parsed, arrays, optimize)
  local rest, shapes = 0, {}
  plan.terms = {}
  for k, x in ipairs(arrays) do
    local labels, more = spread(name, parsed, k, x)
    plan.terms[k], rest, shapes[k] = labels, math.max(rest, more), x.shape
  end
  check_rest(name, parsed, rest)
  plan.lengths = measure(name, parsed, arrays, plan.terms)
  plan.output = output_of(parsed, plan.terms, rest)
  plan.wanted, plan.sets = set_of(plan.output), {}
  for k, shape in ipairs(shapes) do
    local set = {}
    for axis, label in ipairs(plan.terms[k]) do
      if shape[axis] == plan.lengths[label] then set[label] = true end
    end
    plan.sets[k] = set
  end
  plan.path = path_of(name, optimize, plan.sets, plan.wanted, plan.lengths)
  add_steps(plan, shapes)
  return plan
end

local MOST_KEPT = 64
local plans, nplans = {}, 0 -- of plain calls, by subscripts, dtype and shapes

--- Keeps a plan under a key.
local function keep(key, plan)
  if nplans == MOST_KEPT then plans, nplans = {}, 0 end
  plans[key], nplans = plan, nplans + 1
  return plan
end

--- The plan of a call and its arrays: {dtype, terms, lengths, output, wanted, sets, path, first, steps, last}.
local function plan_of(name, values, count, options)
  local parsed, arrays = read_terms(name, values, count)
  local common, plan, key
  arrays, common = operands.common(arrays, core.device_of(unpack(arrays)), name)
  plan = {dtype = check.dtype(options.dtype, name) or common}
  if type(values[1]) == "string" and options.optimize == nil then
    key = core.shapes_key(arrays, values[1], plan.dtype)
    if plans[key] then return plans[key], arrays end
  end
  complete(name, plan, parsed, arrays, options.optimize)
  return key and keep(key, plan) or plan, arrays
end

--- An array on its way, by what a plan says about it.
local function made(x, way)
  if way[1] then x = way[1](x, way[2]) end
  if way[3] then x = core.arranged(x, way[3], way[4]) end
  if way[5] then x = core.reshape(x, way[5], "einsum") end
  return x
end

--- Contracts the arrays along the path.
local function follow(plan, arrays)
  local factors, count = {}, #arrays
  for k = 1, count do
    local x, way = arrays[k], plan.first[k]
    if x.dtype ~= plan.dtype then x = core.cast(x, plan.dtype, "einsum") end
    factors[k] = way and made(x, way) or x
  end
  for at = 1, #plan.steps do
    local step = plan.steps[at]
    local product = step.multiply(made(factors[step.a], step.left), made(factors[step.b], step.right))
    factors[count + at] = step.shape and core.reshape(product, step.shape, "einsum") or product
  end
  return made(factors[count + #plan.steps], plan.last)
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
  local values, count, options = args.split("einsum", OPTIONS, ...)
  local result = follow(plan_of("einsum", values, count, options))
  return options.out == nil and result or written(options.out, result)
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
  local plan = plan_of("einsum_path", args.split("einsum_path", {optimize = true, dtype = true}, ...))
  local steps, total, naive = orders.steps(plan.path, plan.sets, plan.wanted, plan.lengths)
  local lines = {("%-8s %-24s %s"):format("pair", "contraction", "products")}
  for k, step in ipairs(steps) do
    lines[k + 1] = ("%-8s %-24s %.4g"):format(table.concat(step.pair, ","),
      shown(step.inputs[1]) .. "," .. shown(step.inputs[2]) .. "->" .. shown(step.result), step.cost)
  end
  lines[#lines + 1] = ("all %.4g, one loop %.4g"):format(total, naive)
  return plan.path, table.concat(lines, "\n")
end

return M
