---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Memory shared with other libraries.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- A tensor on its way to another library, as x:to_dlpack() makes it.
---@class cuna.DLPack
local DLPack = {}

--- The tensor's pointer, to be looked at; it stays the capsule's.
---
--- ```lua
--- cn.ones(2):to_dlpack():pointer() ~= nil --> true
--- ```
---@return ffi.cdata* # a DLManagedTensor *, or a DLManagedTensorVersioned *
function DLPack:pointer() end

--- The tensor's pointer; who takes it, such as a function of C that consumes it, calls its deleter once.
---
--- ```lua
--- cn.from_dlpack(cn.ones(2):to_dlpack():take()) --> [1. 1.]
--- ```
---@return ffi.cdata* # a DLManagedTensor *, or a DLManagedTensorVersioned *
function DLPack:take() end

--- The array as a tensor for another library, which shares its memory: a capsule, that cn.from_dlpack takes, or a
--- function of C that is passed capsule:take(), a DLManagedTensor *. With max_version = {1, 0} it is a
--- DLManagedTensorVersioned *, and only that can say that an array is read-only. What x's device was given so far on
--- the current stream is done before what the consumer's stream is given next, and the memory is used again behind what
--- that stream was given until the tensor's deleter is called: it must exist until then. The tensor keeps the memory
--- alive, also after x:free(). What keeps the memory of cn.frombuffer with copy = false alive no other library sees, so
--- that is an error without copy = true. Follows __dlpack__ of Python's array API.
---
--- ```lua
--- cn.from_dlpack(cn.arange(3):to_dlpack()) --> [0 1 2]
--- tostring(cn.arange(3):to_dlpack{max_version = {1, 0}}) --> DLPack capsule (versioned)
--- ```
---@param stream cuna.Stream|number|nil # the consumer's, as an object or a handle; nil or 1: the default stream; 2: that of each thread, for which the script waits; -1: it needs no order
---@param max_version integer[]|nil # what the consumer knows
---@param copy boolean|nil # true: of a copy; else the memory is shared
---@return cuna.DLPack
---@overload fun(self: cuna.Array, options: {stream?: cuna.Stream|number, max_version?: integer[], copy?: boolean}): cuna.DLPack
function Array:to_dlpack(stream, max_version, copy) end

--- An array over the memory of another library's tensor, without a copy. A capsule or pointer is taken: it is used up,
--- and its deleter is called when the last array over the memory was freed and the device has done what it was given
--- here until then; the script finds that out where it waits for anything, imports or frees a tensor. An error takes
--- nothing. Elements must be ready for the current stream. Read-only tensors make read-only
--- arrays. Follows numpy.from_dlpack.
---
--- ```lua
--- cn.from_dlpack(cn.ones(2)) --> [1. 1.]
--- ```
---@param source cuna.DLPack|ffi.cdata*|cuna.Array|table # a capsule, a DLManagedTensor *, a DLManagedTensorVersioned *, an array, or an object with a function to_dlpack that makes one of them
---@param copy boolean|nil # true: a copy, and the tensor is given back
---@param versioned boolean|nil # of a void *: whether it is a DLManagedTensorVersioned *
---@return cuna.Array
---@overload fun(source: cuna.DLPack|ffi.cdata*|cuna.Array|table, options: {copy?: boolean, versioned?: boolean}): cuna.Array
function cn.from_dlpack(source, copy, versioned) end
