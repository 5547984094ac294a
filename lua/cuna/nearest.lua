--- nearest.lua: which known name a wrong one was meant to be.
local M = {}

--- How many letters must be put in, left out or replaced to make b of a.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + (a:byte(i) == b:byte(j) and 0 or 1))
      diagonal = above
    end
  end
  return row[#b]
end

--- The key of some tables that is nearest to a wrong name; nil when none shares at least two thirds of its letters.
---@param name string
---@param ... table
---@return string|nil
function M.find(name, ...)
  local best, least = nil, math.max(1, math.floor(#name / 3)) + 1
  for i = 1, select("#", ...) do
    for known in pairs((select(i, ...))) do
      local d = distance(name, known)
      local nearer = d < least or (d == least and best and known < best)
      if nearer and d < #name then best, least = known, d end
    end
  end
  return best
end

return M
