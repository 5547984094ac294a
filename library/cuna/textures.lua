---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Textures and surfaces for kernels.

---@class cuna.cuda.texture
local texture = {}

--- Texels in a layout of the device's own, which textures read fast near each other. Follows
--- cupy.cuda.texture.CUDAarray.
---@class cuna.CUDAarray
---@field desc cuna.ChannelFormatDescriptor
---@field width integer in texels
---@field height integer 0: one axis
---@field depth integer 0: one or two axes; or the number of layers
---@field flags integer
---@field ndim integer 1 to 3
---@field device cuna.Device
---@field ptr number|nil the driver's handle; nil after free
local CUDAarray = {}

--- A texture, which kernels take as cudaTextureObject_t. Follows cupy.cuda.texture.TextureObject.
---@class cuna.TextureObject
---@field ResDesc cuna.ResourceDescriptor
---@field TexDesc cuna.TextureDescriptor
---@field device cuna.Device
---@field ptr number|nil the handle; nil after free
local TextureObject = {}

--- A surface, which kernels take as cudaSurfaceObject_t. Follows cupy.cuda.texture.SurfaceObject.
---@class cuna.SurfaceObject
---@field ResDesc cuna.ResourceDescriptor
---@field device cuna.Device
---@field ptr number|nil the handle; nil after free
local SurfaceObject = {}

--- The format of texels. Follows cupy.cuda.texture.ChannelFormatDescriptor.
---@class cuna.ChannelFormatDescriptor
---@field dtype cuna.Dtype of the channels: "float32"
---@field channels integer 1, 2 or 4
local ChannelFormatDescriptor = {}

--- The memory that a texture or surface is over. Follows cupy.cuda.texture.ResourceDescriptor.
---@class cuna.ResourceDescriptor
---@field cuArr cuna.CUDAarray|nil
---@field arr cuna.Array|nil
---@field chDesc cuna.ChannelFormatDescriptor|nil
local ResourceDescriptor = {}

--- How a texture is read. Follows cupy.cuda.texture.TextureDescriptor.
---@class cuna.TextureDescriptor
local TextureDescriptor = {}

--- Copies all texels from an array.
---
--- ```lua
--- cn.cuda.texture.CUDAarray("int8", 3):copy_from(cn.ones(3, "int8")).ndim --> 1
--- ```
---@param array cuna.Array # on any device, of the channels' dtype and of shape {channels * width}, {height, channels * width} or {depth, height, channels * width}; with layers depth is their number
---@param stream cuna.Stream|nil # default: the current one
---@return cuna.CUDAarray # itself
function CUDAarray:copy_from(array, stream) end

--- Copies all texels to an array.
---
--- ```lua
--- cn.cuda.texture.CUDAarray("int8", 2):copy_from(cn.ones(2, "int8")):copy_to(cn.zeros(2, "int8")) --> [1 1]
--- ```
---@param array cuna.Array # C-contiguous, else as for copy_from
---@param stream cuna.Stream|nil # default: the current one
---@return cuna.Array # array itself
function CUDAarray:copy_to(array, stream) end

--- Frees the memory when the device has done its work. A second call has no effect; any other use is an error, and so
--- is that of objects over it.
---
--- ```lua
--- cn.cuda.texture.CUDAarray("int8", 5):free() -->
--- ```
function CUDAarray:free() end

--- An array of texels on the current device. Its memory does not come from cuna's pools. Follows
--- cupy.cuda.texture.CUDAarray, which makes no layers of one axis.
---
--- ```lua
--- cn.cuda.texture.CUDAarray(cn.cuda.texture.ChannelFormatDescriptor(8, 8, 0, 0, "signed"), 64, 32).ndim --> 2
--- ```
---@param desc cuna.ChannelFormatDescriptor|string # or the dtype of one channel
---@param width integer # in texels
---@param height integer|nil # 0 or nil: one axis
---@param depth integer|nil # 0 or nil: one or two axes
---@param flags integer|nil # a sum of cn.cuda.runtime.cudaArrayLayered (depth is the number of layers, which have one or two axes), cudaArraySurfaceLoadStore (surfaces may be over it) and cudaArrayTextureGather (tex2Dgather reads it)
---@return cuna.CUDAarray
---@overload fun(desc: cuna.ChannelFormatDescriptor|string, options: {width?: integer, height?: integer, depth?: integer, flags?: integer}): cuna.CUDAarray
function texture.CUDAarray(desc, width, height, depth, flags) end

--- Frees the object when the device has done its work; its memory stays. A second call has no effect.
---
--- ```lua
--- cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 5)):free() -->
--- ```
function TextureObject:free() end

--- Frees the object when the device has done its work; its memory stays. A second call has no effect.
---
--- ```lua
--- cn.cuda.texture.SurfaceObject(cn.cuda.texture.CUDAarray("int8", 5, {flags = 2})):free() -->
--- ```
function SurfaceObject:free() end

--- A texture over memory. It keeps that memory. Follows cupy.cuda.texture.TextureObject.
---
--- ```lua
--- cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("float32", 64, 32)).device == cn.device() --> true
--- ```
---@param ResDesc cuna.ResourceDescriptor|cuna.CUDAarray
---@param TexDesc cuna.TextureDescriptor|nil # default: cn.cuda.texture.TextureDescriptor()
---@return cuna.TextureObject # an argument of raw and elementwise kernels
function texture.TextureObject(ResDesc, TexDesc) end

--- A surface over a CUDAarray with the flag cudaArraySurfaceLoadStore, which kernels read and write. Follows
--- cupy.cuda.texture.SurfaceObject.
---
--- ```lua
--- cn.cuda.texture.SurfaceObject(cn.cuda.texture.CUDAarray("int8", 5, {flags = 2})).ResDesc.cuArr.width --> 5
--- ```
---@param ResDesc cuna.ResourceDescriptor|cuna.CUDAarray
---@return cuna.SurfaceObject # an argument of raw kernels
function texture.SurfaceObject(ResDesc) end

--- The arguments of the descriptor: {x =, y =, z =, w =, f =}.
---
--- ```lua
--- cn.cuda.texture.ChannelFormatDescriptor(32, 0, 0, 0, "float"):get_channel_format().f --> 2
--- ```
---@return table<string, integer> # a new table
function ChannelFormatDescriptor:get_channel_format() end

--- The format of a texel: bits of its channels x, y, z and w, of which the first 1, 2 or 4 are in use with 8, 16 or 32
--- bits (floats 16 or 32), and the kind of their numbers. Follows cupy.cuda.texture.ChannelFormatDescriptor.
---
--- ```lua
--- cn.cuda.texture.ChannelFormatDescriptor(8, 8, 8, 8, "unsigned") --> <texels of 4 x uint8>
--- ```
---@param x integer
---@param y integer # 0 for channels that there are not
---@param z integer
---@param w integer
---@param f integer|string # cn.cuda.runtime.cudaChannelFormatKindSigned, Unsigned or Float; or "signed", "unsigned", "float"
---@return cuna.ChannelFormatDescriptor
---@overload fun(x: integer, options: {y?: integer, z?: integer, w?: integer, f?: integer|string}): cuna.ChannelFormatDescriptor
function texture.ChannelFormatDescriptor(x, y, z, w, f) end

--- The arguments of the descriptor: {resType =, array =, linear =, pitch2D =}, of which one table is there.
---
--- ```lua
--- cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 5)).ResDesc:get_resource_desc().resType --> 0
--- ```
---@return table # a new table
function ResourceDescriptor:get_resource_desc() end

--- The memory for a texture or surface. Follows cupy.cuda.texture.ResourceDescriptor.
---
--- ```lua
--- cn.cuda.texture.ResourceDescriptor("linear", {arr = cn.ones(9, "int8"), chDesc = "int8"}).arr.size --> 9
--- ```
---@param restype integer|string # cn.cuda.runtime.cudaResourceTypeArray, Linear or Pitch2D; or "array", "linear", "pitch2d"
---@param cuArr cuna.CUDAarray|nil # for an array; this and the others also as a table of options
---@param arr cuna.Array|nil # for linear and pitch memory: C-contiguous, of the channels' dtype; it begins at a multiple of 512 bytes, as new arrays do
---@param chDesc cuna.ChannelFormatDescriptor|string|nil # for linear and pitch memory; or the dtype of one channel
---@param sizeInBytes integer|nil # of linear memory; default: all of arr
---@param width integer|nil # of pitch memory, in texels; default: the columns of arr
---@param height integer|nil # of pitch memory; default: the rows of arr
---@param pitchInBytes integer|nil # from row to row, a multiple of 32; default: a row of arr
---@return cuna.ResourceDescriptor
---@overload fun(restype: integer|string, options: {cuArr?: cuna.CUDAarray, arr?: cuna.Array, chDesc?: cuna.ChannelFormatDescriptor|string, sizeInBytes?: integer, width?: integer, height?: integer, pitchInBytes?: integer}): cuna.ResourceDescriptor
function texture.ResourceDescriptor(restype, cuArr, arr, chDesc, sizeInBytes, width, height, pitchInBytes) end

--- The arguments of the descriptor, as CuPy names them.
---
--- ```lua
--- cn.cuda.texture.TextureDescriptor({"border"}, "linear"):get_texture_desc().addressMode[1] --> 3
--- ```
---@return table # a new table
function TextureDescriptor:get_texture_desc() end

--- How a texture is read: what is outside, whether texels are filtered, and what coordinates and numbers mean. Follows
--- cupy.cuda.texture.TextureDescriptor.
---
--- ```lua
--- cn.cuda.texture.TextureDescriptor({"clamp"}, "linear"):get_texture_desc().filterMode --> 1
--- ```
---@param addressModes (integer|string)[]|nil # by axis x, y, z: "wrap" (default), "clamp", "mirror" or "border", also cn.cuda.runtime.cudaAddressModeWrap and so on. Wrap and mirror need normalized coordinates, and are clamp without.
---@param filterMode integer|string|nil # "point" (default): the nearest texel; "linear": between the nearest texels, with weights of 8 bits after the binary point. Also cudaFilterModePoint, Linear.
---@param readMode integer|string|nil # "element" (default): texels as they are; "normalized": integers of 8 and 16 bits as numbers from 0, or -1, to 1. Also cudaReadModeElementType, NormalizedFloat.
---@param sRGB boolean|integer|nil # whether bytes are sRGB, which is made linear; with readMode "normalized"
---@param borderColors number[]|nil # up to 4 channels outside of the texture, for "border"; default 0
---@param normalizedCoords boolean|integer|nil # whether coordinates are from 0 to 1
---@param maxAnisotropy integer|nil # 0 to 16, of no effect without mipmaps
---@return cuna.TextureDescriptor
---@overload fun(options: {addressModes?: (integer|string)[], filterMode?: integer|string, readMode?: integer|string, sRGB?: boolean|integer, borderColors?: number[], normalizedCoords?: boolean|integer, maxAnisotropy?: integer}): cuna.TextureDescriptor
function texture.TextureDescriptor(addressModes, filterMode, readMode, sRGB, borderColors, normalizedCoords, maxAnisotropy) end
