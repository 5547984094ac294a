--- scalars.lua: the numbers of an iteration: what products of vectors give, and what steps make of it.
--
-- Where the host would wait for the device they stay there, as 0-d arrays; so do complex ones. Else they are the
-- host's, rounded to the vectors' dtype, so that they have the bits of 0-d arrays: an operation of two floats that is
-- rounded to double before it is rounded to float32 is exact for it.
local ffi = require "ffi"

local args = require "cuna.base.args"
local core = require "cuna.core"

local M = {}

local abs, sqrt = math.abs, math.sqrt

-- ---- 0-d arrays ----

local ARRAYS = {}
M.arrays = ARRAYS

function ARRAYS.read(x) return x end
function ARRAYS.item(x) return x:item() end
function ARRAYS.divide(a, b) return a / b end
function ARRAYS.multiply(a, b) return a * b end
function ARRAYS.root(x) return args.namespace.sqrt(x) end
function ARRAYS.is_zero(x) return x:eq(0) end
function ARRAYS.is_nan(x) return x:isnan() end
function ARRAYS.is_less(x, limit) return x:lt(limit) end
function ARRAYS.is_tiny(x, limit) return x:abs():lt(limit) end
function ARRAYS.both(a, b) return a:logical_and(b) end
function ARRAYS.choose(mask, a, b) return args.namespace.where(mask, a, b) end
function ARRAYS.whole(x) return core.is_array(x) and x:astype "int32" or args.namespace.full({}, x, "int32") end

-- ---- numbers of the host ----

--- What numbers are, by a function that rounds them.
local function on_host(round)
  local S = {}
  function S.read(x) return x:item() end
  function S.item(x) return x end
  function S.divide(a, b) return round(a / b) end
  function S.multiply(a, b) return round(a * b) end
  function S.root(x) return round(sqrt(x)) end
  function S.is_zero(x) return x == 0 end
  function S.is_nan(x) return x ~= x end
  function S.is_less(x, limit) return x < round(limit) end
  function S.is_tiny(x, limit) return abs(x) < round(limit) end
  function S.both(a, b) return a and b end
  function S.choose(mask, a, b)
    if mask then return a end
    return b
  end
  function S.whole(x) return x end
  return S
end

local room = ffi.new "float[1]"

local function to_float(x)
  room[0] = x
  return room[0]
end

local HOST = {float32 = on_host(to_float), float64 = on_host(function(x) return x end)}

--- The functions for numbers of vectors of a dtype.
---@param dtype string
---@param device cuna.Device
function M.of(dtype, device)
  local is_far = core.is_asynchronous(device) or core.is_preparing()
  return not is_far and HOST[dtype] or ARRAYS
end

return M
