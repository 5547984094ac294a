--- slices.lua: parts of arrays along one axis, as views.
local core = require "cuna.core"

local M = {}

--- M.part(x, axis, first, length, step): the elements first, first + step (default 1), ... along an axis, `length` in
--- all (none below 1), as a view. The caller must ensure that they exist.
M.part = core.part

--- M.at(x, axis, position): the slice at one position of an axis, without that axis, as a view.
M.at = core.without_axis

--- M.along(line, axis, ndim): a vector along one axis of arrays with `ndim` axes, as a view.
M.along = core.along

return M
