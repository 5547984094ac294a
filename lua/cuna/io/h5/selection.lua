--- selection.lua: which elements of a dataset a key selects, as HDF5's hyperslab.
--
-- The key indexes an array of bytes with the dataset's shape, over addresses that are reserved and have no memory:
-- views are made, and nothing is read. Where the resulting view begins, and its strides, say what the key selects, so
-- that keys mean for datasets what they mean for arrays.
local ffi = require "ffi"

local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
local MOST = 2 ^ 45 -- elements of a dataset whose parts are read

ffi.cdef [[
void *cuna_h5_mmap(void *place, size_t size, int protection, int flags, int file, int64_t offset) __asm__("mmap");
int cuna_h5_munmap(void *place, size_t size) __asm__("munmap");
]]
local NO_ACCESS, PRIVATE, ANONYMOUS, NO_RESERVE = 0, 0x2, 0x20, 0x4000
local FAILED = ffi.cast("void *", -1LL)

local function has_arrays(key)
  if type(key) ~= "table" or core.is_array(key) then return core.is_array(key) end
  for _, entry in ipairs(key) do
    if core.is_array(entry) then return true end
  end
  return false
end

--- Whether a key has an ellipsis: a single element is a 0-d array then.
function M.has_ellipsis(key)
  if type(key) == "string" then return key:find("...", 1, true) ~= nil end
  for _, entry in ipairs(type(key) == "table" and key or {key}) do
    if entry == core.ellipsis then return true end
  end
  return false
end

--- x[key] as a view, of a single element too.
local function view_at(x, key)
  if M.has_ellipsis(key) then return x[key] end
  if type(key) == "string" then return x[key .. ", ..."] end
  local entries = type(key) == "table" and {unpack(key)} or {key}
  entries[#entries + 1] = core.ellipsis
  return x[entries]
end

--- The strides of a shape, and the number of its elements, at least 1.
local function row_major(shape, label)
  local strides, size = {}, 1
  for axis = #shape, 1, -1 do
    strides[axis], size = size, size * math.max(shape[axis], 1)
  end
  if size > MOST then fail("%s: a dataset of %.0f elements is read whole only", label, size) end
  return strides, size
end

--- Calls use(x) with an array of `size` bytes without memory.
local function with_addresses(size, label, use)
  local place = ffi.C.cuna_h5_mmap(nil, size, NO_ACCESS, PRIVATE + ANONYMOUS + NO_RESERVE, -1, 0)
  if place == FAILED then fail("%s: there are no %.0f addresses to select from", label, size) end
  local ok, result = pcall(HOST.with, HOST, function()
    return use(core.wrap(tonumber(ffi.cast("uintptr_t", place)), size, "uint8", nil, true))
  end)
  ffi.C.cuna_h5_munmap(place, size)
  if not ok then error(result, 0) end
  return result
end

local function address_of(x)
  local high, low = core.address(x)
  return high * 2 ^ 32 + low
end

--- The axis of the dataset that a view moves along with a stride.
local function axis_of(stride, shape, strides)
  for axis = 1, #shape do
    if shape[axis] > 1 and strides[axis] <= stride then return axis end
  end
end

--- The first element of each axis, and what is left of the place of the first element.
local function starts_of(place, shape, strides)
  local starts = {}
  for axis = 1, #shape do
    starts[axis] = math.floor(place / strides[axis])
    place = place % strides[axis]
  end
  return starts
end

--- Adds the steps of a view to a selection.
local function add_steps(selection, view, shape, strides)
  local turned, is_turned = {}, false
  for k, step in ipairs(view.strides) do
    local length = view.shape[k]
    turned[k] = {}
    if length > 1 then
      local axis = axis_of(math.abs(step), shape, strides)
      local stride = math.abs(step) / strides[axis]
      selection.stride[axis], selection.count[axis] = stride, length
      if step < 0 then
        selection.start[axis] = selection.start[axis] - (length - 1) * stride
        turned[k], is_turned = {-1, 1, -1}, true
      end
    end
  end
  selection.turned = is_turned and turned or nil
end

--- What a key selects of a dataset.
---@param shape integer[] of the dataset
---@param key any
---@param label string
---@return table selection start (from 0), stride and count for each axis; shape of the result; turned: a key that
--- reverses the axes that the key reverses, or nil; is_empty
function M.of(shape, key, label)
  if has_arrays(key) then
    fail("%s: parts are numbers and ranges; read a range and index the array with positions or a mask", label)
  end
  local strides, size = row_major(shape, label)
  return with_addresses(size, label, function(bytes)
    local base = core.view(bytes, shape, strides, 0)
    local view = view_at(base, key)
    if view.size == 0 then return {shape = view.shape, is_empty = true} end
    local selection = {start = starts_of(address_of(view) - address_of(base), shape, strides), shape = view.shape,
      stride = {}, count = {}}
    for axis = 1, #shape do selection.stride[axis], selection.count[axis] = 1, 1 end
    add_steps(selection, view, shape, strides)
    return selection
  end)
end

return M
