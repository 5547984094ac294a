--- projection.lua: small Hermitian matrices that are written number by number in the host's memory: a matrix in
--- terms of a basis.
local ffi = require "ffi"

local core = require "cuna.core"

local M = {}

local HOST = core.device "cpu"

--- A matrix of zeros, float64 or complex128 by the dtype of the basis.
---@class cuna.Projection
---@field array cuna.Array (count, count)
---@field at ffi.cdata* its doubles, one or two for a number
---@field width integer
function M.new(count, dtype, name)
  local is_complex = dtype:find "^complex" ~= nil
  local array = core.empty({count, count}, is_complex and "complex128" or "float64", HOST, name)
  local H = {array = array, at = ffi.cast("double *", array:pointer()), count = count, width = is_complex and 2 or 1}
  M.clear(H)
  return H
end

function M.clear(H) ffi.fill(H.at, H.count * H.count * H.width * 8) end

--- Sets an element; positions count from 1.
function M.set(H, i, j, re, im)
  local at = ((i - 1) * H.count + j - 1) * H.width
  H.at[at] = re
  if H.width == 2 then H.at[at + 1] = im or 0 end
end

return M
