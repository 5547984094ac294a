--- safetensors.lua: tensors by name in safetensors files, the format of published models.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local header = require "cuna.io.safetensors_header"
local new_file = require "cuna.io.new_file"
local npy = require "cuna.io.npy"
local safetensors_file = require "cuna.io.safetensors_file"
local source = require "cuna.io.source"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

-- ---- reading ----

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
  local file, arrays = safetensors_file.open(from, device, mode, "load_safetensors"), {}
  for name, x in safetensors_file.methods.iter(file) do arrays[name] = x end
  return arrays, safetensors_file.methods.metadata(file)
end

local read_open = args.reader("open_safetensors", {"file", "device", "mmap_mode"})

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
  return safetensors_file.open(from, device, mode, "open_safetensors")
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

local read_save = args.reader("save_safetensors", {"file", "tensors", "metadata"}, 2, true)

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
