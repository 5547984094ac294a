--- safetensors_file.lua: a safetensors file that is open: an object that reads its tensors on access.
--
-- The bytes of a file are one array, mapped once; each tensor is a view of it, or a copy where it begins at an odd
-- place or belongs on another device. Elements are little-endian, as on all processors that cuna runs on.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local header = require "cuna.io.safetensors_header"
local source = require "cuna.io.source"
local suggest = require "cuna.base.suggest"

local M = {}

local fail = check.fail
local HOST = core.device "cpu"
local STATE = {} -- the key of an object's state, which differs from all names
local methods = {}
M.methods = methods

--- The tensors of a safetensors file that is open. f.x and f["x"] read the tensor of this name, on the device for which
--- the file was opened. If a name is also the name of a method, use f:read(name).
---@class cuna.Safetensors

local function state_of(f, name)
  local state = type(f) == "table" and rawget(f, STATE)
  if not state then fail("%s: a function of a safetensors file is called with a colon: f:%s()", name, name) end
  return state
end

-- ---- reading ----

--- All bytes of a file as an array on the host.
local function bytes_of(file, from, how)
  local size = file:size()
  if type(from) == "string" then return file:map(how or "copy", 0, "uint8", {size}) end
  if how then fail("%s: only a path can be mapped; omit mmap_mode", file:label()) end
  local bytes = core.empty({size}, "uint8", HOST, "load_safetensors")
  file:seek(0)
  file:read_array(bytes)
  return bytes
end

local function find(state, name)
  local tensor = state.by_name[name]
  if state.closed then fail("%s: the file is closed", state.label) end
  if tensor then return tensor end
  local near = type(name) == "string" and suggest.find(name, state.by_name)
  fail("%s: there is no tensor '%s'%s", state.label, tostring(name), near and ("; did you mean '%s'?"):format(near)
    or ("; there are %d, which f:names() lists"):format(#state.tensors))
end

--- A tensor as an array over the bytes of the file.
local function view_of(state, tensor)
  local dtype, bytes, place = tensor.facts.dtype, state.bytes, state.data + tensor.first
  if not dtype then
    fail("%s: '%s' has dtype %s, which cuna does not have", state.label, tensor.name, tensor.facts.code)
  end
  if tensor.nbytes == 0 then return core.empty(tensor.shape, dtype, HOST, state.what) end
  if place % dtype_facts.size_of[dtype] ~= 0 then
    bytes, place = core.cast(bytes[{{place + 1, place + tensor.nbytes}}], nil, state.what), 0
  end
  return core.array_at(bytes, place, tensor.shape, dtype, state.what)
end

--- A tensor, or a part of it, on the device of the file.
local function read(state, name, key)
  local x = view_of(state, find(state, name))
  if key ~= nil then x = x[key] end
  if not core.is_array(x) then return x end
  return core.as_array(x, nil, state.device, state.what)
end

local function by_name(tensors)
  local map = {}
  for _, tensor in ipairs(tensors) do map[tensor.name] = tensor end
  return map
end

--- Opens a file whose tensors belong on a device.
local function open(from, device, mode, name)
  local how = source.check_mapping(mode, name)
  device = device == nil and args.namespace.device() or core.device(device, name)
  if how == "write" and not core.is_host(device) then
    fail("%s: mmap_mode \"r+\" is for the cpu device, and this is %s", name, device.name)
  end
  local file = source.open(from, name, how == "write")
  return source.reading(file, function()
    local state = {label = file:label(), what = name, device = device}
    state.tensors, state.metadata, state.data = header.read(file)
    state.by_name, state.bytes = by_name(state.tensors), bytes_of(file, from, how)
    file:close()
    return state
  end)
end

--- Reads a tensor by its name, which may be that of a method, or a part of it, as x[key] would be; only these bytes are
--- read from the file.
---@param name string
---@param key any|nil as in x[key]: a position, a table of ranges, or text
---@return cuna.Array
---@usage cn.open_safetensors("spec/golden/files/two.safetensors"):read("weight", {{2, 2}}) --> [[4. 5. 6.]]
function methods.read(f, name, key) return read(state_of(f, "read"), name, key) end

--- The names of the tensors, in file order.
---@return string[]
---@usage table.concat(cn.open_safetensors("spec/golden/files/two.safetensors"):names(), " ") --> bias weight
function methods.names(f)
  local list = {}
  for k, tensor in ipairs(state_of(f, "names").tensors) do list[k] = tensor.name end
  return list
end

--- Whether the file has a tensor of this name.
---@param name string
---@return boolean
---@usage cn.open_safetensors("spec/golden/files/two.safetensors"):has "scale" --> false
function methods.has(f, name) return state_of(f, "has").by_name[name] ~= nil end

--- What the header says about a tensor: dtype (of cuna, or nil if cuna lacks it), code (the format's name of the
--- dtype), shape and nbytes.
---@param name string
---@return table
---@usage cn.open_safetensors("spec/golden/files/two.safetensors"):info("weight").code --> F32
function methods.info(f, name)
  local tensor = find(state_of(f, "info"), name)
  return {dtype = tensor.facts.dtype, code = tensor.facts.code, shape = {unpack(tensor.shape)}, nbytes = tensor.nbytes}
end

--- The texts that the file has beside its tensors.
---@return table<string, string>
---@usage cn.open_safetensors("spec/golden/files/two.safetensors"):metadata().format --> np
function methods.metadata(f)
  local copy = {}
  for key, text in pairs(state_of(f, "metadata").metadata) do copy[key] = text end
  return copy
end

--- An iterator over names and tensors, which reads each tensor when it reaches it.
---@return function
---@usage (cn.open_safetensors("spec/golden/files/two.safetensors"):iter()()) --> bias
function methods.iter(f)
  local state, k = state_of(f, "iter"), 0
  return function()
    k = k + 1
    local tensor = state.tensors[k]
    if tensor then return tensor.name, read(state, tensor.name) end
  end
end

--- Lets go of the mapped file; arrays read before remain valid, and keep it mapped.
---@usage cn.open_safetensors("spec/golden/files/two.safetensors"):close() -->
function methods.close(f)
  local state = state_of(f, "close")
  state.closed, state.bytes = true, nil
end

local metatable = {}

function metatable.__index(f, name) return methods[name] or methods.read(f, name) end

function metatable.__newindex()
  fail "a safetensors file that was opened is only read; write one with cn.save_safetensors"
end

function metatable.__tostring(f)
  local state = state_of(f, "tostring")
  return ("%s with %d tensors"):format(state.label:gsub("^[%w_]+: ", ""), #state.tensors)
end

--- The object of a file whose tensors belong on a device.
function M.open(from, device, mode, name)
  return setmetatable({[STATE] = open(from, device, mode, name)}, metatable)
end

return M
