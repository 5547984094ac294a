--- space.lua: HDF5's shapes: of elements in files, and of the elements that a call transfers.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"
local library = require "cuna.io.h5.library"

local M = {}

local fail = check.fail
local lib = library.lib

local SCALAR, SIMPLE, SET = 0, 1, 0
local UNLIMITED = 0xffffffffffffffffULL

--- Lengths as HDF5 takes them.
function M.lengths(list)
  local lengths = ffi.new("uint64_t[?]", math.max(#list, 1))
  for k = 1, #list do lengths[k - 1] = list[k] end
  return lengths
end

--- The lengths of a space, and the most that they may become (math.huge: unlimited).
function M.shape(space, label)
  local kind = lib.H5Sget_simple_extent_type(space)
  if kind == SCALAR then return {}, {} end
  if kind ~= SIMPLE then fail("%s: it is empty, without a shape", label) end
  local ndim = lib.H5Sget_simple_extent_ndims(space)
  if ndim > core.limits.ndim then
    fail("%s: it has %d axes, and cuna's arrays have at most %d", label, ndim, core.limits.ndim)
  end
  local lengths, most = ffi.new("uint64_t[?]", ndim + 1), ffi.new("uint64_t[?]", ndim + 1)
  lib.H5Sget_simple_extent_dims(space, lengths, most)
  local shape, limits = {}, {}
  for k = 1, ndim do
    shape[k] = tonumber(lengths[k - 1])
    limits[k] = most[k - 1] == UNLIMITED and math.huge or tonumber(most[k - 1])
  end
  return shape, limits
end

--- A space of a shape, which the caller closes.
---@param limits number[]|nil what lengths may become; math.huge: anything
function M.make(shape, limits)
  if #shape == 0 then return lib.H5Screate(SCALAR) end
  local most
  if limits then
    most = M.lengths(shape)
    for k = 1, #shape do most[k - 1] = limits[k] == math.huge and UNLIMITED or limits[k] end
  end
  return lib.H5Screate_simple(#shape, M.lengths(shape), most)
end

--- Selects the elements of a space that a selection of selection.lua names.
function M.select(space, selection, label)
  library.check(lib.H5Sselect_hyperslab(space, SET, M.lengths(selection.start), M.lengths(selection.stride),
    M.lengths(selection.count), nil), label)
end

return M
