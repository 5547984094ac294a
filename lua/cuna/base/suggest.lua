--- suggest.lua: finds the known name that most resembles a wrong one.
local M = {}

--- The number of letters to insert, delete or replace, or neighbours to swap, to convert a to b.
local function distance(a, b)
  local before, row = {}, {} -- the last two rows
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local own = {[0] = i}
    for j = 1, #b do
      local is_same = a:byte(i) == b:byte(j)
      local is_turned = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      own[j] = math.min(row[j] + 1, own[j - 1] + 1, row[j - 1] + (is_same and 0 or 1),
        is_turned and before[j - 2] + 1 or math.huge)
    end
    before, row = row, own
  end
  return row[#b]
end

--- The key of some tables that most resembles a wrong name; nil if none shares at least two thirds of its letters.
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

--- How a message ends that suggests a name: "; did you mean 'sum'?"; "" for nil.
---@param near string|nil
---@return string
function M.phrase(near) return near and ("; did you mean '%s'?"):format(near) or "" end

--- The same for the key of tables that is nearest to a key that none has.
---@return string
function M.hint(key, ...) return M.phrase(M.find(tostring(key), ...)) end

return M
