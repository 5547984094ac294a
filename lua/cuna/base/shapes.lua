--- shapes.lua: shapes as text, and sets of axes, which are numbers with a bit for each axis (created by core.axes).
local M = {}

--- A list of lengths as a shape is printed: (3, 4), (3,), ().
function M.text(shape)
  local lengths = {}
  for axis = 1, #shape do lengths[axis] = ("%d"):format(tonumber(shape[axis])) end
  return "(" .. table.concat(lengths, ", ") .. (#shape == 1 and ",)" or ")")
end

--- The set of one axis.
function M.bit_of(axis) return 2 ^ (axis - 1) end

--- Whether a set of axes has an axis.
function M.is_named(axes, axis) return math.floor(axes / 2 ^ (axis - 1)) % 2 == 1 end

return M
