--- cn.cuda.texture: descriptors, copies, errors, and the life of objects. What kernels read is in
--- spec/kernel/raw_texture_spec.lua.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local devices = require "spec.support.devices"
local process = require "spec.support.process"

local T, R = cn.cuda.texture, cn.cuda.runtime

local FLOAT = T.ChannelFormatDescriptor(32, 0, 0, 0, R.cudaChannelFormatKindFloat)

local fetch = cn.RawKernel([[extern "C" __global__ void fetch(float *out, cudaTextureObject_t tex, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<float>(tex, i + 0.5f);
}]], "fetch")
local linear = cn.RawKernel([[extern "C" __global__ void linear(float *out, cudaTextureObject_t tex, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(tex, i);
}]], "linear")
local scale = cn.RawKernel([[extern "C" __global__ void scale(cudaSurfaceObject_t surf, float factor) {
  int x = 4 * threadIdx.x;
  surf1Dwrite(factor * surf1Dread<float>(surf, x), surf, x);
}]], "scale")

local function floats(list) return cn.array(list, "float32") end

local function texels_of(list, flags)
  local texels = T.CUDAarray(FLOAT, #list, 0, 0, flags)
  texels:copy_from(floats(list))
  return texels
end

local function texture_over(texels, options)
  return T.TextureObject(T.ResourceDescriptor("array", texels), T.TextureDescriptor(options or {"clamp"}))
end

local function texture_of_array(x)
  return T.TextureObject(T.ResourceDescriptor("linear", {arr = x, chDesc = FLOAT}), T.TextureDescriptor {})
end

describe("descriptors", function()
  it("return their arguments", function()
    assert.same({x = 8, y = 8, z = 8, w = 8, f = 1}, T.ChannelFormatDescriptor(8, 8, 8, 8, "unsigned")
      :get_channel_format())
    assert.same({x = 16, y = 16, z = 0, w = 0, f = 2}, T.ChannelFormatDescriptor(16, 16, 0, 0, 2):get_channel_format())
    local sampler = T.TextureDescriptor({R.cudaAddressModeMirror, "border"}, R.cudaFilterModeLinear, "normalized", 1,
      {1, 2.5}, true, 4)
    assert.same({addressMode = {2, 3, 0}, filterMode = 1, readMode = 1, sRGB = 1, borderColor = {1, 2.5, 0, 0},
      normalizedCoords = 1, maxAnisotropy = 4}, sampler:get_texture_desc())
    assert.same({addressMode = {0, 0, 0}, filterMode = 0, readMode = 0, sRGB = 0, borderColor = {0, 0, 0, 0},
      normalizedCoords = 0, maxAnisotropy = 0}, T.TextureDescriptor():get_texture_desc())
    local x = cn.zeros({4, 8}, "float32")
    local pitch = T.ResourceDescriptor(R.cudaResourceTypePitch2D, nil, x, FLOAT):get_resource_desc()
    assert.same({width = 8, height = 4, pitchInBytes = 32}, {width = pitch.pitch2D.width, height = pitch.pitch2D.height,
      pitchInBytes = pitch.pitch2D.pitchInBytes})
    local memory = T.ResourceDescriptor("linear", {arr = x, chDesc = FLOAT, sizeInBytes = 64}):get_resource_desc()
    assert.same({2, 64}, {memory.resType, memory.linear.sizeInBytes})
    assert.equal("uint16", T.CUDAarray("uint16", 3).desc.dtype)
    assert.equal(3, T.TextureObject(T.CUDAarray("uint16", 3)).ResDesc.cuArr.width)
  end)

  it("have CUDA's constants", function()
    assert.same({2, 3, 1, 1, 8}, {R.cudaChannelFormatKindFloat, R.cudaResourceTypePitch2D, R.cudaFilterModeLinear,
      R.cudaReadModeNormalizedFloat, R.cudaArrayTextureGather})
    raises("cuda.runtime has no function 'cudaFilterModeLinea'; did you mean 'cudaFilterModeLinear'?", function()
      return (R.cudaFilterModeLinea)
    end)
    raises("cuda.runtime has no function 'mallocArray'; did you mean 'cn.cuda.texture.CUDAarray'?", function()
      return (R.mallocArray)
    end)
    raises("cuda.texture has no function 'TextureObjekt'", function() return (T.TextureObjekt) end)
  end)

  it("refuse what textures do not have", function()
    local x = cn.zeros({4, 8}, "float32")
    for text, fn in pairs {
      ["ChannelFormatDescriptor: channels in use are the first ones and have equal bits, got 8, 16, 0, 0"] =
        function() T.ChannelFormatDescriptor(8, 16, 0, 0, "signed") end,
      ["ChannelFormatDescriptor: channels in use are the first ones and have equal bits, got 0, 8, 0, 0"] =
        function() T.ChannelFormatDescriptor(0, 8, 0, 0, "signed") end,
      ["ChannelFormatDescriptor: a texel has 1, 2 or 4 channels, got 3"] =
        function() T.ChannelFormatDescriptor(8, 8, 8, 0, "signed") end,
      ["ChannelFormatDescriptor: textures have no float channels of 8 bits"] =
        function() T.ChannelFormatDescriptor(8, 0, 0, 0, "float") end,
      ["ChannelFormatDescriptor: textures have no signed channels of 64 bits"] =
        function() T.ChannelFormatDescriptor(64, 0, 0, 0, 0) end,
      ["ChannelFormatDescriptor: f is one of 0 (\"signed\"), 1 (\"unsigned\"), 2 (\"float\"), got 3"] =
        function() T.ChannelFormatDescriptor(8, 0, 0, 0, 3) end,
      ["ChannelFormatDescriptor: takes five arguments"] = function() T.ChannelFormatDescriptor(8, 0, 0, 0) end,
      ["ResourceDescriptor: restype is one of 0 (\"array\"), 2 (\"linear\"), 3 (\"pitch2d\"), got 1"] =
        function() T.ResourceDescriptor(1) end,
      ["ResourceDescriptor: cuArr is a cn.cuda.texture.CUDAarray, got a cuna array"] =
        function() T.ResourceDescriptor("array", x) end,
      ["ResourceDescriptor: linear and pitch2d memory need arr and chDesc"] =
        function() T.ResourceDescriptor("linear", {arr = x}) end,
      ["ResourceDescriptor: arr is float64, and the channels are float32"] =
        function() T.ResourceDescriptor("linear", {arr = x:astype "float64", chDesc = FLOAT}) end,
      ["ResourceDescriptor: pitch2d memory needs width, height and pitchInBytes, or an array of 2 axes, got one of 1"] =
        function() T.ResourceDescriptor("pitch2d", {arr = cn.zeros({8}, "float32"), chDesc = FLOAT}) end,
      ["TextureDescriptor: addressModes[2] is one of 0 (\"wrap\")"] =
        function() T.TextureDescriptor({"clamp", "clam"}, 0) end,
      ["TextureDescriptor: addressModes has up to 3 entries, got 4"] =
        function() T.TextureDescriptor({0, 0, 0, 0}, 0) end,
      ["TextureDescriptor: borderColors[1] is a number, got \"red\""] =
        function() T.TextureDescriptor {borderColors = {"red"}} end,
      ["TextureDescriptor: unknown option 'filter'"] = function() T.TextureDescriptor {filter = 1} end,
      ["CUDAarray: desc is a cn.cuda.texture.ChannelFormatDescriptor, got nil"] = function() T.CUDAarray() end,
      ["CUDAarray: width is missing"] = function() T.CUDAarray(FLOAT) end,
      ["CUDAarray: width is a whole number from 1 on, got 0"] = function() T.CUDAarray(FLOAT, 0) end,
      ["CUDAarray: an array with a depth has a height, or the flag cudaArrayLayered"] =
        function() T.CUDAarray(FLOAT, 4, 0, 2) end,
      ["CUDAarray: layers are counted by depth, which is missing"] =
        function() T.CUDAarray(FLOAT, 4, 4, 0, R.cudaArrayLayered) end,
      ["CUDAarray: flags are a sum of cudaArrayLayered"] = function() T.CUDAarray(FLOAT, 4, 4, 0, 4) end,
      ["TextureObject: TexDesc is a cn.cuda.texture.TextureDescriptor, got a table"] =
        function() T.TextureObject(x, {}) end,
      ["CUDAarray: desc is a cn.cuda.texture.ChannelFormatDescriptor, got \"float64\""] =
        function() T.CUDAarray("float64", 3) end,
      ["TextureObject: ResDesc is a cn.cuda.texture.ResourceDescriptor, got a cuna array"] =
        function() T.TextureObject(x, T.TextureDescriptor()) end,
      ["a ChannelFormatDescriptor has no field 'bits'"] = function() return (FLOAT.bits) end,
      ["a ChannelFormatDescriptor's field 'dtype' cannot be set"] = function() FLOAT.dtype = "int8" end,
    } do
      raises(text, fn)
    end
  end)
end)

devices.each_device(function(device)
  it("copies every dtype and number of channels there and back", function()
    for _, dtype in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float32"} do
      local kind = dtype:find "^i" and "signed" or dtype:find "^u" and "unsigned" or "float"
      local bits = tonumber(dtype:match "%d+")
      for _, channels in ipairs {1, 2, 4} do
        local format = T.ChannelFormatDescriptor(bits, channels > 1 and bits or 0, channels > 2 and bits or 0,
          channels > 2 and bits or 0, kind)
        for _, size in ipairs {{7}, {7, 3}, {7, 3, 2}} do
          local texels = T.CUDAarray(format, unpack(size))
          local shape = {}
          for i = #size, 1, -1 do shape[#shape + 1] = size[i] * (i == 1 and channels or 1) end
          local count = texels.width * channels * math.max(texels.height, 1) * math.max(texels.depth, 1)
          local x, out = cn.arange(count):astype(dtype):reshape(shape), cn.zeros(shape, dtype)
          texels:copy_from(x)
          texels:copy_to(out)
          assert.is_true(cn.array_equal(x, out))
          assert.equal(#size, texels.ndim)
        end
      end
    end
  end)

  it("copies from views, other devices and on streams", function()
    local texels, out = T.CUDAarray(FLOAT, 3, 2), cn.zeros({2, 3}, "float32")
    texels:copy_from(cn.arange(6, {dtype = "float32"}):reshape({3, 2}).T)
    texels:copy_to(out)
    assert.same({{0, 2, 4}, {1, 3, 5}}, out:totable())
    texels:copy_from(cn.broadcast_to(floats {1, 2, 3}, {2, 3}))
    local host = cn.zeros({2, 3}, {dtype = "float32", device = "cpu"})
    texels:copy_to(host)
    assert.same({{1, 2, 3}, {1, 2, 3}}, host:totable())
    texels:copy_from(cn.array({{5, 6, 7}, {8, 9, 10}}, {dtype = "float32", device = "cpu"}))
    local stream = cn.cuda.Stream()
    texels:copy_to(out, stream)
    stream:synchronize()
    assert.same({{5, 6, 7}, {8, 9, 10}}, out:totable())
    stream:with(function()
      local twice = out * 2
      texels:copy_from(twice)
    end)
    stream:synchronize()
    texels:copy_to(out)
    assert.same({{10, 12, 14}, {16, 18, 20}}, out:totable())
  end)

  it("refuses copies of other shapes and dtypes, at the user's line", function()
    local texels = T.CUDAarray(FLOAT, 3, 2)
    raises("copy_from: the array must have the shape (2, 3), got (3, 2)", function()
      texels:copy_from(cn.zeros({3, 2}, "float32"))
    end)
    raises("copy_from: the array must be float32, got float64", function()
      texels:copy_from(cn.zeros({2, 3}, "float64"))
    end)
    raises("copy_to: the array is not C-contiguous", function() texels:copy_to(cn.zeros({3, 2}, "float32").T) end)
    raises("copy_to: the array of shape (1,) is a broadcast view", function()
      T.CUDAarray(FLOAT, 1):copy_to(cn.broadcast_to(cn.zeros({1}, "float32"), {1}))
    end)
    raises("copy_from: expected an array, got", function() texels:copy_from {1, 2} end)
    raises("copy_from: a CUDAarray's function is called with a colon: x:copy_from()", function()
      texels.copy_from(1)
    end)
    local freed = cn.zeros({2, 3}, "float32")
    freed:free()
    raises("copy_from: the array was freed", function() texels:copy_from(freed) end)
  end)

  it("makes no arrays beyond the device's sizes", function()
    local none = ("CUDAarray: %s makes no array of "):format(device.name)
    raises(none .. "width 1000000, height 0 and depth 0", function() T.CUDAarray(FLOAT, 1e6) end)
    raises(none .. "width 16, height 16 and depth 5000 in layers", function()
      T.CUDAarray(FLOAT, 16, 16, 5000, R.cudaArrayLayered)
    end)
    raises(none .. "width 16, height 0 and depth 0 for tex2Dgather", function()
      T.CUDAarray(FLOAT, 16, 0, 0, R.cudaArrayTextureGather)
    end)
  end)

  it("refuses what a texture cannot read", function()
    local x = cn.zeros({64, 8}, "float32")
    local sampler = T.TextureDescriptor()
    local ints = T.CUDAarray(T.ChannelFormatDescriptor(32, 0, 0, 0, "signed"), 4)
    for text, fn in pairs {
      ["TextureObject: the array begins at an address that is not a multiple of 512 bytes"] = function()
        T.TextureObject(T.ResourceDescriptor("linear", {arr = x[2], chDesc = FLOAT}), sampler)
      end,
      ["TextureObject: the array is not C-contiguous"] = function()
        T.TextureObject(T.ResourceDescriptor("pitch2d", {arr = x.T, chDesc = FLOAT}), sampler)
      end,
      ["TextureObject: a pitch is a multiple of 32 bytes"] = function()
        T.TextureObject(T.ResourceDescriptor("pitch2d", {arr = x, chDesc = FLOAT, width = 4, height = 4,
          pitchInBytes = 20}), sampler)
      end,
      ["TextureObject: a row of 9 texels has 36 bytes, and the pitch is 32"] = function()
        T.TextureObject(T.ResourceDescriptor("pitch2d", {arr = x, chDesc = FLOAT, width = 9}), sampler)
      end,
      ["TextureObject: the texture has 2080 bytes, a texel 4, and the array 2048"] = function()
        T.TextureObject(T.ResourceDescriptor("pitch2d", {arr = x, chDesc = FLOAT, height = 65}), sampler)
      end,
      ["TextureObject: the texture has 4096 bytes, a texel 4, and the array 2048"] = function()
        T.TextureObject(T.ResourceDescriptor("linear", {arr = x, chDesc = FLOAT, sizeInBytes = 4096}), sampler)
      end,
      ["TextureObject: the texture has 0 bytes, a texel 4, and the array 0"] = function()
        T.TextureObject(T.ResourceDescriptor("linear", {arr = cn.zeros({0}, "float32"), chDesc = FLOAT}), sampler)
      end,
      ["TextureObject: the linear filter needs floats, and texels are int32"] = function()
        T.TextureObject(T.ResourceDescriptor("array", ints), T.TextureDescriptor {filterMode = "linear"})
      end,
      ["TextureObject: texels of int32 are not read as normalized floats"] = function()
        T.TextureObject(T.ResourceDescriptor("array", ints), T.TextureDescriptor {readMode = 1})
      end,
      ["TextureObject: sRGB is for texels of uint8 that are read as normalized floats, and these are int32 read"] =
        function() T.TextureObject(T.ResourceDescriptor("array", ints), T.TextureDescriptor {sRGB = true}) end,
      ["SurfaceObject: a surface is over a CUDAarray with the flag cudaArraySurfaceLoadStore (2)"] = function()
        T.SurfaceObject(T.ResourceDescriptor("array", ints))
      end,
    } do
      raises(text, fn)
    end
    raises("SurfaceObject: a surface is over a CUDAarray", function()
      T.SurfaceObject(T.ResourceDescriptor("linear", {arr = x, chDesc = FLOAT}))
    end)
  end)

  it("refuses objects where they do not belong, and other values in their place", function()
    local out, texels = cn.zeros({3}, "float32"), texels_of({1, 2, 3}, R.cudaArraySurfaceLoadStore)
    local tex = texture_over(texels)
    local surface = T.SurfaceObject(T.ResourceDescriptor("array", texels))
    for text, value in pairs {
      ["a surface object"] = surface, ["an array"] = out, ["a number"] = 7, ["a string"] = "12345678",
    } do
      raises("fetch: parameter 'tex' is a texture object", function() fetch(1, 3, {out, value, 3}) end)
      local _, message = pcall(function() fetch(1, 3, {out, value, 3}) end)
      assert.matches("got " .. text, message, 1, true)
    end
    raises("fetch: parameter 'out' is a pointer to float32, got a texture object", function()
      fetch(1, 3, {tex, tex, 3})
    end)
    raises("fetch: parameter 'n' is int32, got a texture object", function() fetch(1, 3, {out, tex, tex}) end)
    raises("scale: parameter 'surf' is a surface object, got a texture object", function() scale(1, 3, {tex, 2}) end)
    local add = cn.ElementwiseKernel("raw float32 x, U tex", "float32 y", "y = x[0] + tex1D<float>(tex, i)", "add")
    raises("add: parameter 'x' is raw", function() add(tex, tex, {size = 3}) end)
  end)

  it("passes textures to elementwise kernels and reductions", function()
    local tex = texture_over(texels_of {0, 1, 4, 9}, {addressModes = {"clamp"}, filterMode = "linear"})
    local sample = cn.ElementwiseKernel("T x, U tex", "T y", "y = tex1D<float>(tex, x)", "sample")
    local x = floats {0.5, 1, 2.25, 100}
    assert.same({0, 0.5, 3.25, 9}, sample(x, tex):totable())
    assert.same({0, 0.5, 3.25, 9}, sample(x, tex, {stream = cn.cuda.Stream()}):totable())
    local total = cn.ReductionKernel("T x, U tex", "T y", "tex1D<float>(tex, x)", "a + b", "y = a", "0", "total")
    assert.equal(12.75, total(x, tex):item())
  end)

  it("describes objects as text", function()
    local texels = T.CUDAarray(T.ChannelFormatDescriptor(8, 8, 0, 0, "signed"), 3, 2)
    assert.equal(("<CUDAarray (2, 6) of 2 x int8 on %s>"):format(device.name), tostring(texels))
    assert.matches("^<TextureObject 0x%x+>$", tostring(texture_over(texels)))
    assert.is_true(texture_over(texels).ptr > 0 and texels.ptr > 0)
    assert.equal(device, texels.device)
    texels:free()
    assert.equal("<CUDAarray (2, 6) of 2 x int8: freed>", tostring(texels))
  end)

  -- ---- life ----

  it("keeps the memory of a texture, whatever else is collected", function()
    local tex, flat = texture_over(texels_of {1, 2, 3}), texture_of_array(floats {4, 5, 6})
    for _ = 1, 3 do collectgarbage() end
    for i = 1, 20 do cn.full({3}, i, "float32"):free() end -- in memory that might have been given back
    local out, other = cn.zeros({3}, "float32"), cn.zeros({3}, "float32")
    fetch(1, 3, {out, tex, 3})
    linear(1, 3, {other, flat, 3})
    assert.same({{1, 2, 3}, {4, 5, 6}}, {out:totable(), other:totable()})
  end)

  it("frees after the work that was given before", function()
    local outs = {}
    for i = 1, 8 do
      local texels = texels_of {i, 2 * i, 3 * i}
      local tex, out = texture_over(texels), cn.zeros({3}, "float32")
      fetch(1, 3, {out, tex, 3})
      tex:free()
      texels:free()
      tex:free()
      outs[i] = out
    end
    for i, out in ipairs(outs) do assert.same({i, 2 * i, 3 * i}, out:totable()) end
  end)

  it("raises one line for what was freed", function()
    local out, texels, x = cn.zeros({3}, "float32"), texels_of {1, 2, 3}, floats {1, 2, 3}
    local tex, flat = texture_over(texels), texture_of_array(x)
    x:free()
    raises("linear: the array under a texture was freed at", function() linear(1, 3, {out, flat, 3}) end)
    local resource = tex.ResDesc
    texels:free()
    raises("fetch: the CUDAarray under a texture or surface was freed", function() fetch(1, 3, {out, tex, 3}) end)
    raises("TextureObject: the CUDAarray under a texture or surface was freed", function()
      T.TextureObject(resource, T.TextureDescriptor())
    end)
    raises("copy_from: the CUDAarray was freed", function() texels:copy_from(floats {1, 2, 3}) end)
    local again = texture_over(texels_of {1, 2, 3})
    again:free()
    raises("fetch: the texture or surface object was freed", function() fetch(1, 3, {out, again, 3}) end)
    local sample = cn.ElementwiseKernel("T x, U tex", "T y", "y = tex1D<float>(tex, x)", "sample")
    raises("sample: the texture or surface object was freed", function() sample(out, again) end)
  end)

  it("replays in graphs, which keep what they read", function()
    local texels, out = texels_of({1, 2, 3}, R.cudaArraySurfaceLoadStore), cn.zeros({3}, "float32")
    local stream = cn.cuda.Stream {non_blocking = true}
    local surface, tex = T.SurfaceObject(T.ResourceDescriptor("array", texels)), texture_over(texels)
    fetch(1, 3, {out, tex, 3})
    scale(1, 3, {surface, 1})
    cn.synchronize()
    stream:with(function()
      stream:begin_capture()
      scale(1, 3, {surface, 2})
      fetch(1, 3, {out, tex, 3})
    end)
    local graph = stream:end_capture()
    tex:free()
    surface:free()
    texels:free()
    collectgarbage()
    for i = 1, 3 do
      graph:launch(stream)
      stream:synchronize()
      assert.same({2 ^ i, 2 ^ i * 2, 2 ^ i * 3}, out:totable())
    end
  end)

  it("replays in graphs of functions, by elementwise kernels too", function()
    local texels = texels_of {0, 10, 20}
    local tex = texture_over(texels, {addressModes = {"clamp"}, filterMode = "linear"})
    local sample = cn.ElementwiseKernel("T x, U tex", "T y", "y = tex1D<float>(tex, x)", "sample")
    local g = cn.graph(function(x) return sample(x, tex) * 2 end, floats {0.5, 1, 2})
    tex:free()
    texels:free()
    collectgarbage()
    assert.same({10, 20, 40}, g(floats {1, 1.5, 9}):totable())
    assert.same({0, 10, 30}, g(floats {0, 1, 2}):totable())
  end)

  it("copies in graphs", function()
    local texels, x, out = texels_of {0, 0, 0}, floats {1, 2, 3}, cn.zeros({3}, "float32")
    local stream = cn.cuda.Stream {non_blocking = true}
    cn.synchronize()
    stream:with(function()
      stream:begin_capture()
      texels:copy_from(x)
      texels:copy_to(out)
    end)
    local graph = stream:end_capture()
    x[{}] = 7
    cn.synchronize()
    graph:launch(stream)
    stream:synchronize()
    assert.same({7, 7, 7}, out:totable())
  end)

  it("reads what is recorded and not run yet", function()
    local before = cn.is_eager()
    cn.set_eager(false)
    local x = floats {1, 2, 3} * 2
    local texels, flat, out = T.CUDAarray(FLOAT, 3), texture_of_array(x), cn.zeros({3}, "float32")
    texels:copy_from(x + 1)
    x:add_(10)
    linear(1, 3, {out, flat, 3})
    local copy = out + 0
    texels:copy_to(out)
    cn.set_eager(before)
    assert.same({{12, 14, 16}, {3, 5, 7}}, {copy:totable(), out:totable()})
  end)
end)

describe("memory of arrays of texels", function()
  it("is collected when a device has no more", function()
    local output, status = process.run([[
      local cn = require "cuna"
      local T = cn.cuda.texture
      collectgarbage "stop"
      local read = cn.RawKernel("__global__ void read(float *out, cudaTextureObject_t tex) { "
        .. "out[0] += tex2D<float>(tex, 0, 0); }", "read")
      local x, out = cn.ones({512, 1024}, "float32"), cn.zeros(1, "float32")
      for _ = 1, 100 do read(1, 1, {out, T.TextureObject(T.CUDAarray("float32", 1024, 512):copy_from(x))}) end
      print(out:item())]], {SIMGPU_MEMORY = "64M", CUNA_DEVICE = devices.names()[2] and "cuda:0" or "cpu"})
    assert.same({"100\n", 0}, {output, status})
  end)
end)

local names = devices.names()
if #names > 1 then
  it("refuses objects of another device", function()
    local here, there = cn.device(names[1]), cn.device(names[2])
    local tex = here:with(function() return texture_over(texels_of {1, 2, 3}) end)
    raises("fetch: parameter 2 'tex' is memory on cpu, and the kernel runs on cuda:0", function()
      fetch(1, 3, {cn.zeros({3}, {dtype = "float32", device = there}), tex, 3})
    end)
    local sample = cn.ElementwiseKernel("T x, U tex", "T y", "y = tex1D<float>(tex, x)", "sample")
    raises("sample: a texture object is on cpu, and the kernel runs on cuda:0", function()
      sample(cn.zeros({3}, {dtype = "float32", device = there}), tex)
    end)
  end)
end
