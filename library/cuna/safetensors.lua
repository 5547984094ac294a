---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Safetensors files: the tensors of models.

---@class cuna
local cn = {}

--- The tensors of a safetensors file that is open. f.x and f["x"] read the tensor of this name, on the device for which
--- the file was opened. If a name is also the name of a method, use f:read(name).
---@class cuna.Safetensors
local Safetensors = {}

--- Reads all tensors of a safetensors file. On the cpu device they are the mapped file, without a copy: with mmap_mode
--- "c" (the default) writes to them stay in the process, "r" makes them read-only, with "r+" writes go to the file.
--- Do not truncate a mapped file. To other devices each tensor is copied once, from the mapped file. A tensor of a
--- dtype that cuna lacks (F8_E4M3 and other small floats) is an error that names it; cn.open_safetensors reads the
--- others. The header is checked completely: JSON, sizes, no holes, no overlaps. Follows safetensors.torch.load_file.
---
--- ```lua
--- cn.load_safetensors("spec/golden/files/two.safetensors").bias --> [0.5 1.5]
--- select(2, cn.load_safetensors "spec/golden/files/two.safetensors").format --> np
--- ```
---@param file string|table # a path, or {text = the file's bytes}
---@param device string|cuna.Device|nil # default: the current one
---@param mmap_mode string|nil # "c", "r" or "r+"
---@return table<string, cuna.Array> # tensors
---@return table<string, string> # metadata
---@overload fun(file: string|table, options: {device?: string|cuna.Device, mmap_mode?: string}): table<string, cuna.Array>, table<string, string>
function cn.load_safetensors(file, device, mmap_mode) end

--- Opens a safetensors file and reads its header: an object whose fields are its tensors, read on access (f.x,
--- f:read(name, key), f:names(), f:has(name), f:info(name), f:metadata(), f:iter(), f:close()). Arguments and errors as
--- for cn.load_safetensors. Follows safetensors.safe_open.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors").bias --> [0.5 1.5]
--- ```
---@param file string|table # a path, or {text = the file's bytes}
---@param device string|cuna.Device|nil # of the arrays; default: the current one
---@param mmap_mode string|nil # "c", "r" or "r+"
---@return cuna.Safetensors
---@overload fun(file: string|table, options: {device?: string|cuna.Device, mmap_mode?: string}): cuna.Safetensors
function cn.open_safetensors(file, device, mmap_mode) end

--- Writes tensors by name as a safetensors file, byte for byte as the reference implementation: larger elements first,
--- then by name. An existing file is replaced when the new one is complete, and kept after an error. Synchronises.
--- complex128, which the format lacks, is an error. Follows safetensors.torch.save_file.
---
--- ```lua
--- cn.save_safetensors("/dev/null", {weight = cn.ones{2, 3}}, {metadata = {format = "pt"}}) -->
--- ```
---@param file string|file* # a path, or an open file
---@param tensors table<string, cuna.Operand>
---@param metadata table<string, string>|nil # texts beside the tensors
---@overload fun(file: string|file*, tensors: table<string, cuna.Operand>, options: {metadata?: table<string, string>})
function cn.save_safetensors(file, tensors, metadata) end

--- Reads a tensor by its name, which may be that of a method, or a part of it, as x[key] would be; only these bytes are
--- read from the file.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors"):read("weight", {{2, 2}}) --> [[4. 5. 6.]]
--- ```
---@param name string
---@param key any|nil # as in x[key]: a position, a table of ranges, or text
---@return cuna.Array
function Safetensors:read(name, key) end

--- The names of the tensors, in file order.
---
--- ```lua
--- table.concat(cn.open_safetensors("spec/golden/files/two.safetensors"):names(), " ") --> bias weight
--- ```
---@return string[]
function Safetensors:names() end

--- Whether the file has a tensor of this name.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors"):has "scale" --> false
--- ```
---@param name string
---@return boolean
function Safetensors:has(name) end

--- What the header says about a tensor: dtype (of cuna, or nil if cuna lacks it), code (the format's name of the
--- dtype), shape and nbytes.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors"):info("weight").code --> F32
--- ```
---@param name string
---@return table
function Safetensors:info(name) end

--- The texts that the file has beside its tensors.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors"):metadata().format --> np
--- ```
---@return table<string, string>
function Safetensors:metadata() end

--- An iterator over names and tensors, which reads each tensor when it reaches it.
---
--- ```lua
--- (cn.open_safetensors("spec/golden/files/two.safetensors"):iter()()) --> bias
--- ```
---@return function
function Safetensors:iter() end

--- Lets go of the mapped file; arrays read before remain valid, and keep it mapped.
---
--- ```lua
--- cn.open_safetensors("spec/golden/files/two.safetensors"):close() -->
--- ```
function Safetensors:close() end
