--- safetensors.lua: tensors by name in safetensors files, the format of published models.
--
-- The bytes of a file are one array, mapped once; each tensor is a view of it, or a copy where it begins at an odd
-- place or belongs on another device. Elements are little-endian, as on all processors that cuna runs on.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local header = require "cuna.io.safetensors_header"
local new_file = require "cuna.io.new_file"
local npy = require "cuna.io.npy"
local source = require "cuna.io.source"
local suggest = require "cuna.base.suggest"

local M = {functions = {}, methods = {}}
local F, methods = M.functions, M.methods

local fail = check.fail
local HOST = core.device "cpu"
local STATE = {} -- the key of an object's state, which differs from all names

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

local read_load = args.reader("load_safetensors", {"file", "device", "mmap_mode"})

--- Reads all tensors of a safetensors file. On the cpu device they are the mapped file, without a copy: with mmap_mode
--- "c" (the default) writes to them stay in the process, "r" makes them read-only, with "r+" writes go to the file.
--- Do not truncate a mapped file. To other devices each tensor is copied once, from the mapped file. A tensor of a
--- dtype that cuna lacks (F8_E4M3 and other small floats) is an error that names it; cn.open_safetensors reads the
--- others. The header is checked completely: JSON, sizes, no holes, no overlaps. Follows safetensors.torch.load_file.
---@param file string|table a path, or {text = the file's bytes}
---@param device string|cuna.Device|nil default: the current one
---@param mmap_mode string|nil "c", "r" or "r+"
---@return table<string, cuna.Array> tensors
---@return table<string, string> metadata
---@usage cn.load_safetensors("spec/golden/files/two.safetensors").bias --> [0.5 1.5]
---@usage select(2, cn.load_safetensors "spec/golden/files/two.safetensors").format --> np
function F.load_safetensors(...)
  local from, device, mode = read_load(...)
  local state, arrays = open(from, device, mode, "load_safetensors"), {}
  for _, tensor in ipairs(state.tensors) do arrays[tensor.name] = read(state, tensor.name) end
  return arrays, state.metadata
end

local read_open = args.reader("open_safetensors", {"file", "device", "mmap_mode"})

local metatable = {}

--- Opens a safetensors file and reads its header: an object whose fields are its tensors, read on access (f.x,
--- f:read(name, key), f:names(), f:has(name), f:info(name), f:metadata(), f:iter(), f:close()). Arguments and errors as
--- for cn.load_safetensors. Follows safetensors.safe_open.
---@param file string|table a path, or {text = the file's bytes}
---@param device string|cuna.Device|nil of the arrays; default: the current one
---@param mmap_mode string|nil "c", "r" or "r+"
---@return cuna.Safetensors
---@usage cn.open_safetensors("spec/golden/files/two.safetensors").bias --> [0.5 1.5]
function F.open_safetensors(...)
  local from, device, mode = read_open(...)
  return setmetatable({[STATE] = open(from, device, mode, "open_safetensors")}, metatable)
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
---@usage (function(n) for _, x in cn.open_safetensors("spec/golden/files/two.safetensors"):iter() do n = n + x.size end
---  return n end)(0) --> 8
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

function metatable.__index(f, name) return methods[name] or methods.read(f, name) end

function metatable.__newindex()
  fail "a safetensors file that was opened is only read; write one with cn.save_safetensors"
end

function metatable.__tostring(f)
  local state = state_of(f, "tostring")
  return ("%s with %d tensors"):format(state.label:gsub("^[%w_]+: ", ""), #state.tensors)
end

-- ---- writing ----

--- The tensors of a user's table as arrays.
local function as_arrays(tensors, name)
  if type(tensors) ~= "table" or core.is_array(tensors) then
    fail("%s: tensors: expected a table {name = array}, got %s", name, check.show(tensors))
  end
  local arrays = {}
  for key, value in pairs(tensors) do
    if key == "__metadata__" then fail("%s: '__metadata__' names no tensor; give the option metadata", name) end
    local label = ("%s: %s"):format(name, tostring(key))
    arrays[key] = source.as_array(value, label)
    header.check_dtype(arrays[key].dtype, label)
  end
  return arrays
end

local read_save = args.reader("save_safetensors", {"file", "tensors", "metadata"}, 2)

--- Writes tensors by name as a safetensors file, byte for byte as the reference implementation: larger elements first,
--- then by name. An existing file is replaced when the new one is complete, and kept after an error. Synchronises.
--- complex128, which the format lacks, is an error. Follows safetensors.torch.save_file.
---@param file string|file* a path, or an open file
---@param tensors table<string, cuna.Operand>
---@param metadata table<string, string>|nil texts beside the tensors
---@usage cn.save_safetensors("/dev/null", {weight = cn.ones{2, 3}}, {metadata = {format = "pt"}}) -->
function F.save_safetensors(...)
  local name = "save_safetensors"
  local target, tensors, metadata = read_save(...)
  target = source.check_target(target, name, "")
  if metadata ~= nil and type(metadata) ~= "table" then
    fail("%s: metadata: expected a table of strings, got %s", name, check.show(metadata))
  end
  local arrays = as_arrays(tensors, name)
  local names = header.order(arrays, name)
  local text = header.text(names, arrays, metadata, name)
  core.check_waiting(name)
  new_file.write(target, name, function(file)
    file:write(text)
    for _, key in ipairs(names) do npy.write_elements(file, arrays[key], name) end
  end)
end

return M
