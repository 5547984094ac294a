--- groups.lua: the elements of an image by their labels, and what is computed of each group.
--
-- A group is a slot of a vector, to which operations at positions add what its elements have; elements of no group
-- belong to one slot more, which is dropped.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local given = require "cuna.ndimage.given"
local with = require "cuna.base.with"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

--- The elements of an image by labels: x (all elements), shape (of the image), ids (the slot of each element), count
--- (of groups), order (the group of each result, nil: one result without an axis).
---@class cuna.Groups
local Groups = {}
Groups.__index = Groups

--- Labels that broadcast to the image, as a vector.
local function labels_of(labels, x, name)
  labels = check.array(labels, name, x.device)
  check.same_device(x, labels, name)
  if kind_of[labels.dtype] == "c" then fail("%s: labels are real numbers, got %s", name, labels.dtype) end
  return core.reshape(core.broadcast_to(labels, x.shape, name), -1, name)
end

--- Groups of the elements of x: of all without labels, of those with labels above 0 without an index, else one for each
--- label in `index`.
---@return cuna.Groups
function M.new(x, labels, index, name)
  local cn = args.namespace
  x = given.image(x, name)
  local groups = setmetatable({x = core.reshape(x, -1, name), shape = x.shape, count = 1, name = name}, Groups)
  if labels == nil then
    if index ~= nil then fail("%s: an index needs labels", name) end
    groups.ids = with.on(x, cn.ones, x.size, "int64")
    return groups
  end
  local found = labels_of(labels, x, name)
  if index == nil then
    groups.ids = cn.where(cn.greater(found, 0), 1, 2)
    return groups
  end
  local is_single = type(index) == "number"
  index = core.reshape(check.array(is_single and {index} or index, name, x.device), -1, name)
  local values, order = cn.unique(index, {return_inverse = true})
  local count = values.size
  local place = cn.minimum(cn.searchsorted(values, found), math.max(count, 1))
  groups.ids = count > 0 and cn.where(cn.equal(values[place], found), place, count + 1) or place
  groups.count, groups.order = count, not is_single and order or nil
  return groups
end

--- Results for what was asked, from one for each group along the first axis.
function Groups:results(values)
  if self.order then return self.count > 0 and args.namespace.take(values, self.order, 1) or values["1:0"] end
  return values[{1, core.ellipsis}]
end

--- Values without those of elements of no group.
function Groups:drop(slots) return slots[{{1, self.count}}] end

--- The number of elements of each group.
function Groups:counts()
  return self:drop(args.namespace.bincount(self.ids, {minlength = self.count + 1}))
end

--- Sums of each group, of the image or of other values for its elements.
function Groups:sums(values)
  values = values or self.x
  local weights = kind_of[values.dtype] == "c" and values or core.cast(values, "float64", self.name)
  return self:drop(args.namespace.bincount(self.ids, weights, self.count + 1))
end

--- Means of each group, NaN without elements.
function Groups:means(values) return args.namespace.divide(self:sums(values), self:counts()) end

--- Means of the squared distances from the mean of each group.
function Groups:variances()
  local cn = args.namespace
  local means = cn.concatenate {self:means(), cn.zeros(1)}
  local beyond = cn.absolute(cn.subtract(self.x, cn.take(means, self.ids)))
  return self:means(cn.multiply(beyond, beyond))
end

--- The number that every element of a dtype replaces.
local function extreme_of(dtype, is_least)
  if dtype == "bool" then return is_least end
  if kind_of[dtype] == "f" then return is_least and math.huge or -math.huge end
  local info = args.namespace.iinfo(dtype)
  return is_least and info.max or info.min
end

--- Least or greatest elements of each group, 0 without elements; and, with `where`, their first positions from 1 in
--- row-major order, 1 without elements.
---@param which string "minimum" or "maximum"
function Groups:extremes(which, where)
  local cn, x = args.namespace, self.x
  if kind_of[x.dtype] == "c" then fail("%s: complex numbers have no order", self.name) end
  local slots = cn.full({self.count + 1}, extreme_of(x.dtype, which == "minimum"), x.dtype)
  slots[which .. "_at"](slots, self.ids, x)
  local some = cn.greater(self:counts(), 0)
  local values = cn.where(some, self:drop(slots), cn.zeros({}, x.dtype))
  if not where then return values end
  local is_one = cn.equal(x, cn.take(slots, self.ids))
  if kind_of[x.dtype] == "f" then is_one = cn.logical_or(is_one, cn.isnan(x)) end
  local first = cn.full({self.count + 1}, x.size + 1, "int64")
  first:minimum_at(cn.where(is_one, self.ids, self.count + 1), cn.range(1, x.size))
  return values, cn.where(some, self:drop(first), 1)
end

--- Positions along the axes from positions in row-major order: a row for each.
function Groups:places(positions)
  return args.namespace.stack(args.namespace.unravel_index(positions, self.shape), 2)
end

--- Medians of each group, NaN without elements.
function Groups:medians()
  local cn = args.namespace
  local sorted, counts = cn.take(self.x, cn.lexsort {self.x, self.ids}), self:counts()
  local starts, last = cn.subtract(cn.cumsum(counts), counts), math.max(self.x.size, 1)
  local function at(offset)
    return cn.take(sorted, cn.clip(cn.add(cn.add(starts, cn.floor_divide(cn.add(counts, offset), 2)), 1), 1, last))
  end
  local middle = cn.divide(cn.add(core.cast(at(-1), "float64", self.name), at(0)), 2)
  return cn.where(cn.greater(counts, 0), middle, 0 / 0)
end

--- Calls fn(elements, positions) for the groups that results are of, and returns a list of what it gives; nil of groups
--- without elements. Waits for the device.
function Groups:each(fn)
  local list, groups = {}, self.order and self.order:totable() or {1}
  for k, group in ipairs(groups) do
    local places = args.namespace.flatnonzero(self.ids:eq(group))
    list[k] = places.size > 0 and fn(args.namespace.take(self.x, places), places) or nil
  end
  return list, #groups
end

return M
