--- einsum_order.lua: the order in which einsum contracts pairs, chosen by their cost.
--
-- The cost of a pair is the number of multiplications: the product of the lengths of all its labels. Up to EXACT
-- arrays, all orders are compared by subsets (dynamic programming over bit masks). With more arrays, the pair whose
-- contraction frees the most memory is chosen repeatedly (the greedy order of opt_einsum).
local M = {}

local EXACT = 6

--- The labels that the contraction of some terms keeps: those of the output and of all other terms.
---@param terms table<any, boolean>[] sets
---@param inside fun(k: integer): boolean
local function kept(terms, output, inside)
  local labels, outside = {}, {}
  for label in pairs(output) do outside[label] = true end
  for k, term in ipairs(terms) do
    if not inside(k) then
      for label in pairs(term) do outside[label] = true end
    end
  end
  for k, term in ipairs(terms) do
    if inside(k) then
      for label in pairs(term) do labels[label] = outside[label] end
    end
  end
  return labels
end

--- The product of the lengths of the labels of one or two sets.
local function size_of(lengths, a, b)
  local size = 1
  for label in pairs(a) do size = size * lengths[label] end
  for label in pairs(b or {}) do
    if not a[label] then size = size * lengths[label] end
  end
  return size
end

local function has_bit(mask, k) return bit.band(mask, bit.lshift(1, k - 1)) ~= 0 end

--- The cheapest way to contract the terms of each mask: {cost, labels, left mask, right mask}.
local function best_of_masks(terms, output, lengths)
  local best = {}
  for mask = 1, bit.lshift(1, #terms) - 1 do
    local labels = kept(terms, output, function(k) return has_bit(mask, k) end)
    local found = bit.band(mask, mask - 1) == 0 and {cost = 0}
    local left = bit.band(mask - 1, mask)
    while left > 0 do
      local right = bit.bxor(mask, left)
      if left > right then
        local cost = best[left].cost + best[right].cost + size_of(lengths, best[left].labels, best[right].labels)
        if not found or cost < found.cost then found = {cost = cost, left = left, right = right} end
      end
      left = bit.band(left - 1, mask)
    end
    found.labels = labels
    best[mask] = found
  end
  return best
end

--- Adds the pairs below a mask to the path. `left_over` has the masks of the remaining arrays, in their order.
local function add_pairs(path, left_over, best, mask)
  local found = best[mask]
  if not found.left then return end
  add_pairs(path, left_over, best, found.left)
  add_pairs(path, left_over, best, found.right)
  local pair = {}
  for k, each in ipairs(left_over) do
    if each == found.left or each == found.right then pair[#pair + 1] = k end
  end
  table.remove(left_over, pair[2])
  table.remove(left_over, pair[1])
  left_over[#left_over + 1] = mask
  path[#path + 1] = pair
end

--- The cheapest of all orders.
function M.optimal(terms, output, lengths)
  local path, left_over = {}, {}
  for k = 1, #terms do left_over[k] = bit.lshift(1, k - 1) end
  add_pairs(path, left_over, best_of_masks(terms, output, lengths), bit.lshift(1, #terms) - 1)
  return path
end

--- The next pair: the one whose result is smallest relative to its operands, among pairs that share a label if any do.
local function next_pair(terms, output, lengths)
  local found
  for i = 1, #terms do
    for j = i + 1, #terms do
      local result = kept(terms, output, function(k) return k == i or k == j end)
      local shares = false
      for label in pairs(terms[i]) do shares = shares or terms[j][label] end
      local grows = size_of(lengths, result) - size_of(lengths, terms[i]) - size_of(lengths, terms[j])
      local cost = size_of(lengths, terms[i], terms[j])
      local better = not found or shares and not found.shares
        or shares == found.shares and (grows < found.grows or grows == found.grows and cost < found.cost)
      if better then found = {i, j, shares = shares, grows = grows, cost = cost, result = result} end
    end
  end
  return found
end

--- A good order, in a time cubic in the number of arrays.
function M.greedy(terms, output, lengths)
  local path, left = {}, {unpack(terms)}
  while #left > 1 do
    local pair = next_pair(left, output, lengths)
    table.remove(left, pair[2])
    table.remove(left, pair[1])
    left[#left + 1] = pair.result
    path[#path + 1] = {pair[1], pair[2]}
  end
  return path
end

--- From left to right.
function M.left_to_right(terms)
  local path = {}
  for k = 2, #terms do path[k - 1] = k == 2 and {1, 2} or {1, #terms - k + 2} end
  return path
end

--- The default order.
function M.auto(terms, output, lengths)
  return (#terms <= EXACT and M.optimal or M.greedy)(terms, output, lengths)
end

--- The contractions of a path and their costs: {{pair =, inputs = {set, set}, result = set, cost =}, ...}; the number
--- of multiplications of all steps, and of a single loop over all labels.
function M.steps(path, terms, output, lengths)
  local left, steps, total, all = {unpack(terms)}, {}, 0, {}
  for _, term in ipairs(terms) do
    for label in pairs(term) do all[label] = true end
  end
  for k, pair in ipairs(path) do
    local i, j = math.min(unpack(pair)), math.max(unpack(pair))
    local result = kept(left, output, function(each) return each == i or each == j end)
    local cost = size_of(lengths, left[i], left[j])
    steps[k] = {pair = {i, j}, inputs = {left[i], left[j]}, result = result, cost = cost}
    total = total + cost
    table.remove(left, j)
    table.remove(left, i)
    left[#left + 1] = result
  end
  return steps, total, size_of(lengths, all) * math.max(#terms - 1, 1)
end

return M
