---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Memory shared with other libraries.

---@class cuna
local cn = {}

---@class cuna.Array
local Array = {}

--- A tensor to be passed to another library, made by x:to_dlpack().
---@class cuna.DLPack
local DLPack = {}

--- The tensor's pointer, for inspection; the capsule keeps the ownership.
---
--- ```lua
--- cn.ones(2):to_dlpack():pointer() ~= nil --> true
--- ```
---@return ffi.cdata* # a DLManagedTensor *, or a DLManagedTensorVersioned *
function DLPack:pointer() end

--- The tensor's pointer, with its ownership: the caller, such as a C function that consumes it, must call its deleter
--- once.
---
--- ```lua
--- cn.from_dlpack(cn.ones(2):to_dlpack():take()) --> [1. 1.]
--- ```
---@return ffi.cdata* # a DLManagedTensor *, or a DLManagedTensorVersioned *
function DLPack:take() end

--- The array as a tensor that shares its memory with another library: a capsule, for cn.from_dlpack or, as
--- capsule:take(), a DLManagedTensor *, for a C function. With max_version = {1, 0} it is a DLManagedTensorVersioned *,
--- the only form that can mark an array as read-only. Later work on the consumer's stream waits for the work so far on
--- the current stream of x's device. The memory is reused only after the work on the consumer's stream up to the call
--- of the tensor's deleter; the stream must exist until then. The tensor keeps the memory alive, even after x:free().
--- Other libraries cannot keep the owner of cn.frombuffer's memory alive, so an array made with copy = false is an
--- error without copy = true. Follows __dlpack__ of Python's array API.
---
--- ```lua
--- cn.from_dlpack(cn.arange(3):to_dlpack()) --> [0 1 2]
--- tostring(cn.arange(3):to_dlpack{max_version = {1, 0}}) --> DLPack capsule (versioned)
--- ```
---@param stream cuna.Stream|number|nil # the consumer's, as an object or a handle; nil or 1: the default stream; 2: the per-thread default stream, for which the script waits; -1: no ordering
---@param max_version integer[]|nil # the newest version that the consumer supports
---@param copy boolean|nil # true: the tensor of a copy; otherwise the memory is shared
---@return cuna.DLPack
---@overload fun(self: cuna.Array, options: {stream?: cuna.Stream|number, max_version?: integer[], copy?: boolean}): cuna.DLPack
function Array:to_dlpack(stream, max_version, copy) end

--- An array over the memory of another library's tensor, without a copy. It consumes a capsule or pointer. The deleter
--- is called after the last array over the memory has been freed and the device has done the work queued until then;
--- the script checks this when it waits for anything, imports or frees a tensor. After an error the tensor is not
--- consumed. Elements must be ready on the current stream. A read-only tensor makes a read-only array. Follows
--- numpy.from_dlpack.
---
--- ```lua
--- cn.from_dlpack(cn.ones(2)) --> [1. 1.]
--- ```
---@param source cuna.DLPack|ffi.cdata*|cuna.Array|table # a capsule, a DLManagedTensor *, a DLManagedTensorVersioned *, an array, or an object with a function to_dlpack that returns one of them
---@param copy boolean|nil # true: makes a copy and releases the tensor
---@param versioned boolean|nil # for a void *: whether it is a DLManagedTensorVersioned *
---@return cuna.Array
---@overload fun(source: cuna.DLPack|ffi.cdata*|cuna.Array|table, options: {copy?: boolean, versioned?: boolean}): cuna.Array
function cn.from_dlpack(source, copy, versioned) end
