--- select.lua: elements of sorted rows, and rows parted around one, without sorting.
--
-- runtime/work/sort_select.c works on rows of row-major arrays of real numbers. In order, NaN and -0 count as in a
-- sort.
local core = require "cuna.core"
local program = require "cuna.base.program"

local M = {}

M.MOST_PLACES = 32 -- of each row

-- Few elements take as long as the launches that select. Where lanes work together, short rows are sorted as fast, and
-- so are rows that a block has room for if many of their places are asked for.
local FEW, SHORT, ROOM, FEW_PLACES = 4096, 128, 4096, 5

local function draw(draft, what, dtype)
  draft:input(dtype)
  if what == "values" then draft.selects = true else draft.parts = what end
  draft.output = what == "positions" and "int64" or dtype
end

local function program_for(what, dtype) return program.get(what .. dtype, draw, what, dtype) end

--- Whether selecting `count` places of each row is faster than sorting the rows.
function M.is_faster(x, count)
  local length = x.shape[x.ndim]
  if x.dtype:find "^complex" or count > M.MOST_PLACES or x.size <= FEW then return false end
  return core.lanes(x) == 1 or length > ROOM or (length > SHORT and count <= FEW_PLACES)
end

--- The elements at places of the sorted rows of x.
---@param x cuna.Array row-major
---@param places cuna.Array int64, from 0: (p), for all rows, or with p in place of the length of x's rows
---@param with_nan boolean|nil true: the value after these is NaN if the row has NaN, else 0
---@return cuna.Array p elements, or one more, in place of each row's
function M.values(x, places, name, with_nan)
  return core.select(program_for("values", x.dtype), name, false, with_nan and 1 or 0, x, places)
end

--- The rows of x, parted around the element at a place: those before it, its equals, and all others, each in the
--- order of the row.
---@param what string "elements", or "positions": int64, from 1
---@param x cuna.Array row-major
---@param place integer from 0
---@param descending boolean
---@param limit integer|nil how many elements of each row there are to be; nil: all
function M.parted(what, x, place, descending, limit, name)
  local places = core.fill(core.empty({1}, "int64", x.device, name), place, name)
  return core.select(program_for(what, x.dtype), name, descending, limit or x.shape[x.ndim], x, places)
end

return M
