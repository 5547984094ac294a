--- texture.lua: cn.cuda.texture: arrays of texels, textures and surfaces, which kernels read by hardware.
--
-- The runtime's objects (bindings/texture.c) are counted: an object keeps its memory, and a graph the objects of its
-- launches. An object whose array was freed by hand cannot be used any more.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local descriptors = require "cuna.device.texture_descriptor"
local shapes = require "cuna.base.shapes"
local streams = require "cuna.device.stream"

local M = {functions = {}}
local F = M.functions -- of cn.cuda.texture

local fail, whole = check.fail, descriptors.whole
for name, value in pairs(descriptors.functions) do F[name] = value end

-- ---- arrays of texels ----

local methods = {}
local TEXELS = descriptors.class("CUDAarray", methods, {desc = true, width = true, height = true, depth = true,
  flags = true, ndim = true, device = true}, {ptr = function(state) return core.texels_handle(state.texels) end})
descriptors.TEXELS = TEXELS

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

--- The shape of an array with all channels.
local function shape_of(state)
  local shape = {state.width * state.desc.channels}
  if state.height > 0 then table.insert(shape, 1, state.height) end
  if state.depth > 0 then table.insert(shape, 1, state.depth) end
  return shape
end

local function check_array(state, array, name)
  core.check_alive(array, name)
  local shape, wanted = array.shape, shape_of(state)
  local same = #shape == #wanted
  for i = 1, #wanted do same = same and shape[i] == wanted[i] end
  if not same then
    fail("%s: the array must have the shape %s, got %s", name, shapes.text(wanted), shapes.text(shape))
  elseif array.dtype ~= state.desc.dtype then
    fail("%s: the array must be %s, got %s", name, state.desc.dtype, array.dtype)
  end
end

local function on_stream(state, stream, name, fn, ...)
  if stream == nil then return fn(...) end
  return streams.run(stream, state.device, name, fn, ...)
end

--- Copies by way of an array of the device if that must be; it is freed when the copy is done.
local function copy_in(state, array)
  local here = array
  if array.device ~= state.device then
    here = array:to(state.device)
  elseif not array.flags.c_contiguous then
    here = array:copy()
  end
  core.texels_copy(state.texels, here, false)
  if not rawequal(here, array) then here:free() end
end

--- Copies all texels from an array.
---@param array cuna.Array on any device, of the channels' dtype and of shape {channels * width},
--- {height, channels * width} or {depth, height, channels * width}; with layers depth is their number
---@param stream cuna.Stream|nil default: the current one
---@return cuna.CUDAarray itself
---@usage cn.cuda.texture.CUDAarray("int8", 3):copy_from(cn.ones(3, "int8")).ndim --> 1
function methods.copy_from(self, array, stream)
  local state = descriptors.check_self(self, TEXELS, "copy_from", "CUDAarray")
  check_array(state, array, "copy_from")
  on_stream(state, stream, "copy_from", copy_in, state, array)
  return self
end

local function copy_out(state, array)
  if array.device == state.device then return core.texels_copy(state.texels, array, true) end
  local here = core.empty(array.shape, array.dtype, state.device)
  core.texels_copy(state.texels, here, true)
  local there = here:to(array.device)
  array[{}] = there
  here:free()
  there:free()
end

--- Copies all texels to an array.
---@param array cuna.Array C-contiguous, else as for copy_from
---@param stream cuna.Stream|nil default: the current one
---@return cuna.Array array itself
---@usage cn.cuda.texture.CUDAarray("int8", 2):copy_from(cn.ones(2, "int8")):copy_to(cn.zeros(2, "int8")) --> [1 1]
function methods.copy_to(self, array, stream)
  local state = descriptors.check_self(self, TEXELS, "copy_to", "CUDAarray")
  check_array(state, array, "copy_to")
  if not array.flags.c_contiguous then fail("copy_to: the array is not C-contiguous") end
  on_stream(state, stream, "copy_to", copy_out, state, array)
  return array
end

--- Frees the memory when the device has done its work. A second call has no effect; any other use is an error, and so
--- is that of objects over it.
---@usage cn.cuda.texture.CUDAarray("int8", 5):free() -->
function methods.free(self)
  core.texels_free(descriptors.check_self(self, TEXELS, "free", "CUDAarray").texels)
end

function TEXELS.__tostring(self)
  local state = descriptors.state_of(self, TEXELS)
  local freed = core.texels_handle(state.texels) == nil
  return ("<CUDAarray %s of %d x %s%s>"):format(shapes.text(shape_of(state)), state.desc.channels, state.desc.dtype,
    freed and ": freed" or " on " .. state.device.name)
end

local LAYERED, SURFACE, GATHER = 1, 2, 8

--- What the flags say: layered, surface, gather.
local function read_flags(flags, name)
  local bits = {}
  whole(flags, 0, name, "flags")
  for _, bit in ipairs {GATHER, 4, SURFACE, LAYERED} do
    bits[bit] = flags >= bit and flags < 2 * GATHER
    if bits[bit] then flags = flags - bit end
  end
  if flags ~= 0 or bits[4] then
    fail("%s: flags are a sum of cudaArrayLayered (1), cudaArraySurfaceLoadStore (2) and cudaArrayTextureGather (8)",
      name)
  end
  return bits[LAYERED], bits[SURFACE], bits[GATHER]
end

local read_texels = args.reader("CUDAarray", {"desc", "width", "height", "depth", "flags"})

--- An array of texels on the current device. Its memory does not come from cuna's pools. Follows
--- cupy.cuda.texture.CUDAarray, which makes no layers of one axis.
---@param desc cuna.ChannelFormatDescriptor|string or the dtype of one channel
---@param width integer in texels
---@param height integer|nil 0 or nil: one axis
---@param depth integer|nil 0 or nil: one or two axes
---@param flags integer|nil a sum of cn.cuda.runtime.cudaArrayLayered (depth is the number of layers, which have one or
--- two axes), cudaArraySurfaceLoadStore (surfaces may be over it) and cudaArrayTextureGather (tex2Dgather reads it)
---@return cuna.CUDAarray
---@usage cn.cuda.texture.CUDAarray(cn.cuda.texture.ChannelFormatDescriptor(8, 8, 0, 0, "signed"), 64, 32).ndim --> 2
function F.CUDAarray(...)
  local name = "CUDAarray"
  local desc, width, height, depth, flags = read_texels(...)
  desc = descriptors.read_format(desc, name, "desc")
  if width == nil then fail("%s: width is missing", name) end
  width, flags = whole(width, 1, name, "width"), flags or 0
  height, depth = whole(height, 0, name, "height", 0), whole(depth, 0, name, "depth", 0)
  local layered, surface, gather = read_flags(flags, name)
  if depth > 0 and height == 0 and not layered then
    fail("%s: an array with a depth has a height, or the flag cudaArrayLayered", name)
  elseif layered and depth == 0 then
    fail("%s: layers are counted by depth, which is missing", name)
  end
  local device = core.current_device()
  local texels = core.texels_create(device, {dtype = desc.dtype, channels = desc.channels, width = width,
    height = height, depth = depth, layered = layered, surface = surface, gather = gather})
  return descriptors.new(TEXELS, {texels = texels, desc = desc, width = width, height = height, depth = depth,
    flags = flags, device = device, ndim = depth > 0 and 3 or height > 0 and 2 or 1})
end

-- ---- objects ----

local texture_methods, surface_methods = {}, {}
local handle = {ptr = function(state) return core.texture_handle(state.object) end}
local TEXTURE = descriptors.class("TextureObject", texture_methods, {ResDesc = true, TexDesc = true, device = true},
  handle)
local OBJECT_SURFACE = descriptors.class("SurfaceObject", surface_methods, {ResDesc = true, device = true}, handle)

--- A texture, which kernels take as cudaTextureObject_t. Follows cupy.cuda.texture.TextureObject.
---@class cuna.TextureObject
---@field ResDesc cuna.ResourceDescriptor
---@field TexDesc cuna.TextureDescriptor
---@field device cuna.Device
---@field ptr number|nil the handle; nil after free

--- A surface, which kernels take as cudaSurfaceObject_t. Follows cupy.cuda.texture.SurfaceObject.
---@class cuna.SurfaceObject
---@field ResDesc cuna.ResourceDescriptor
---@field device cuna.Device
---@field ptr number|nil the handle; nil after free

--- Frees the object when the device has done its work; its memory stays. A second call has no effect.
---@usage cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 5)):free() -->
function texture_methods.free(self)
  core.texture_free(descriptors.check_self(self, TEXTURE, "free", "TextureObject").object)
end

--- Frees the object when the device has done its work; its memory stays. A second call has no effect.
---@usage cn.cuda.texture.SurfaceObject(cn.cuda.texture.CUDAarray("int8", 5, {flags = 2})):free() -->
function surface_methods.free(self)
  core.texture_free(descriptors.check_self(self, OBJECT_SURFACE, "free", "SurfaceObject").object)
end

--- Rejects memory that was freed by hand.
local function check_memory(resource, name)
  local place = resource.arr and core.freed_at(resource.arr)
  if place then fail("%s: the array under a texture was freed%s", name, place) end
  if resource.cuArr and resource.cuArr.ptr == nil then
    fail("%s: the CUDAarray under a texture or surface was freed", name)
  end
end

local function to_text(word)
  return function(self)
    local object = descriptors.state_of(self, getmetatable(self)).object
    local address = core.texture_handle(object)
    return ("<%s%s>"):format(word, address and (" 0x%x"):format(address) or ": freed")
  end
end
TEXTURE.__tostring, OBJECT_SURFACE.__tostring = to_text "TextureObject", to_text "SurfaceObject"

--- The runtime's object of an object for a kernel's argument, and its device.
local function object_of(self, name)
  local state = descriptors.state_of(self, getmetatable(self))
  check_memory(descriptors.state_of(state.ResDesc, descriptors.RESOURCE), name)
  return state.object, state.device
end
TEXTURE.object_of, OBJECT_SURFACE.object_of = object_of, object_of

--- A resource; of a CUDAarray by itself a new one.
local function read_resource(value, name)
  if descriptors.state_of(value, TEXELS) then return F.ResourceDescriptor(0, value) end
  descriptors.check_object(value, descriptors.RESOURCE, name, "ResDesc", "ResourceDescriptor")
  return value
end

--- The runtime's texture over a resource.
local function create(name, resource, sampler)
  local state = descriptors.state_of(resource, descriptors.RESOURCE)
  check_memory(state, name)
  local texels = state.cuArr and descriptors.state_of(state.cuArr, TEXELS)
  local format = descriptors.state_of(texels and texels.desc or state.chDesc, descriptors.CHANNEL)
  local object = core.texture_create(name, texels and texels.texels or state.arr, {dtype = format.dtype,
    channels = format.channels, nbytes = state.nbytes, width = state.width, height = state.height,
    pitch = state.pitch}, sampler)
  return object, (texels or state.arr).device
end

--- A texture over memory. It keeps that memory. Follows cupy.cuda.texture.TextureObject.
---@param ResDesc cuna.ResourceDescriptor|cuna.CUDAarray
---@param TexDesc cuna.TextureDescriptor|nil default: cn.cuda.texture.TextureDescriptor()
---@return cuna.TextureObject an argument of raw and elementwise kernels
---@usage cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("float32", 64, 32)).device == cn.device() --> true
function F.TextureObject(ResDesc, TexDesc)
  local name = "TextureObject"
  if TexDesc == nil then TexDesc = F.TextureDescriptor() end
  local sampler = descriptors.check_object(TexDesc, descriptors.TEXTURE, name, "TexDesc", "TextureDescriptor")
  ResDesc = read_resource(ResDesc, name)
  local object, device = create(name, ResDesc, sampler)
  return descriptors.new(TEXTURE, {object = object, ResDesc = ResDesc, TexDesc = TexDesc, device = device})
end

--- A surface over a CUDAarray with the flag cudaArraySurfaceLoadStore, which kernels read and write. Follows
--- cupy.cuda.texture.SurfaceObject.
---@param ResDesc cuna.ResourceDescriptor|cuna.CUDAarray
---@return cuna.SurfaceObject an argument of raw kernels
---@usage cn.cuda.texture.SurfaceObject(cn.cuda.texture.CUDAarray("int8", 5, {flags = 2})).ResDesc.cuArr.width --> 5
function F.SurfaceObject(ResDesc)
  ResDesc = read_resource(ResDesc, "SurfaceObject")
  local object, device = create("SurfaceObject", ResDesc)
  return descriptors.new(OBJECT_SURFACE, {object = object, ResDesc = ResDesc, device = device})
end

args.bound(F, {TextureObject = "ResDesc TexDesc", SurfaceObject = "ResDesc"})

return M
