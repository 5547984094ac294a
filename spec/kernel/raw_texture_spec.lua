--- Texture and surface functions in raw kernels: what they return, by the guide's formulas
--- (spec/support/texture_oracle.lua).
local cn = require "cuna"
local oracle = require "spec.support.texture_oracle"
local process = require "spec.support.process"
local each_device = require("spec.support.devices").each_device

local CODE = [[
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __global__ void linear(T *out, cudaTextureObject_t tex, const int *x, int n)
{ if (AT < n) out[AT] = tex1Dfetch<T>(tex, x[AT]); }
template <class T> __global__ void fetch1(T *out, cudaTextureObject_t tex, const float *x, int n)
{ if (AT < n) out[AT] = tex1D<T>(tex, x[AT]); }
template <class T> __global__ void fetch2(T *out, cudaTextureObject_t tex, const float *x, const float *y, int n)
{ if (AT < n) out[AT] = tex2D<T>(tex, x[AT], y[AT]); }
__global__ void fetch3(float *out, cudaTextureObject_t tex, const float *x, const float *y, const float *z, int n)
{ if (AT < n) tex3D(&out[AT], tex, x[AT], y[AT], z[AT]); }
__global__ void layer1(float *out, cudaTextureObject_t tex, const float *x, const int *layer, int n)
{ if (AT < n) out[AT] = tex1DLayered<float>(tex, x[AT], layer[AT]); }
__global__ void layer2(float *out, cudaTextureObject_t tex, const float *x, const float *y, const int *layer, int n)
{ if (AT < n) out[AT] = tex2DLayered<float>(tex, x[AT], y[AT], layer[AT]); }
__global__ void gather(float4 *out, cudaTextureObject_t tex, const float *x, const float *y, int n)
{ if (AT < n) out[AT] = tex2Dgather<float4>(tex, x[AT], y[AT]); }
__global__ void levels(float *out, cudaTextureObject_t one, cudaTextureObject_t two, cudaTextureObject_t three)
{
    float2 g = {1, 2};
    float4 g4 = {1, 2, 3, 0};
    const float got[] = {tex1DLod<float>(one, 1.75f, 3), tex1DGrad<float>(one, 1.75f, 1, 2),
        tex2DLod<float>(two, 1.75f, 2.25f, 0), tex2DGrad<float>(two, 1.75f, 2.25f, g, g),
        tex3DLod<float>(three, 1.75f, 2.25f, 1, 0), tex3DGrad<float>(three, 1.75f, 2.25f, 1, g4, g4)};
    const float same[] = {tex1D<float>(one, 1.75f), tex2D<float>(two, 1.75f, 2.25f),
        tex3D<float>(three, 1.75f, 2.25f, 1)};
    for (int i = 0; i < 6; i++) out[i] = got[i] - same[i / 2];
}
__global__ void surface1(float *out, cudaSurfaceObject_t surf, int n)
{
    if (AT >= n) return;
    float x;
    surf1Dread(&x, surf, AT * 4);
    surf1Dwrite(2 * x, surf, AT * 4);
    out[AT] = surf1Dread<float>(surf, AT * 4);
}
__global__ void surface2(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x >= w || y >= h) return;
    uchar4 texel = surf2Dread<uchar4>(from, x * 4, y);
    surf2Dwrite(make_uchar4(texel.w, texel.z, texel.y, texel.x + 1), to, x * 4, y);
}
__global__ void surface3(cudaSurfaceObject_t surf)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    short old = surf3Dread<short>(surf, x * 2, y, z);
    surf3Dwrite<short>(old + 100 * z + 10 * y + x, surf, x * 2, y, z);
}
__global__ void surface_layers(cudaSurfaceObject_t one, cudaSurfaceObject_t two)
{
    int x = threadIdx.x, layer = threadIdx.z;
    surf1DLayeredwrite(surf1DLayeredread<int>(one, x * 4, layer) + 1, one, x * 4, layer);
    surf2DLayeredwrite(surf2DLayeredread<int>(two, x * 4, threadIdx.y, layer) * 2, two, x * 4, threadIdx.y, layer);
}
__global__ void bounds(float *out, cudaSurfaceObject_t surf)
{
    int i = threadIdx.x - 2;
    out[threadIdx.x] = surf2Dread<float>(surf, i * 4, 0, cudaBoundaryModeZero);
    out[8 + threadIdx.x] = surf2Dread<float>(surf, i * 4, i, cudaBoundaryModeClamp);
    surf2Dwrite(-1.0f, surf, 4 * (10 + i), 0, cudaBoundaryModeZero);
}
__global__ void wide(float4 *out, cudaSurfaceObject_t surf)
{ out[threadIdx.x] = surf1Dread<float4>(surf, threadIdx.x * 16); }
__global__ void outside(cudaSurfaceObject_t surf, int x, int y)
{ surf2Dwrite(1.0f, surf, x, y); }
__global__ void by_number(float *out, unsigned long long tex) { out[0] = tex1Dfetch<float>(tex, 1); }
__global__ void by_pointer(float *out, const cudaTextureObject_t *tex) { out[0] = tex1Dfetch<float>(tex[1], 2); }
]]

local KERNELS = {"linear<float>", "linear<int>", "linear<unsigned short>", "linear<float2>", "linear<uchar4>",
  "linear<char>", "linear<float4>", "fetch1<float>", "fetch2<float>", "fetch2<int>", "fetch2<float4>",
  "fetch2<unsigned char>", "fetch3", "layer1", "layer2", "gather", "levels", "surface1", "surface2", "surface3",
  "surface_layers", "bounds", "wide", "outside", "by_number", "by_pointer"}
local module = cn.RawModule {code = CODE, name_expressions = KERNELS}

local T, R = cn.cuda.texture, cn.cuda.runtime

local KINDS = {int = "signed", uin = "unsigned", flo = "float"}

--- The format of so many channels of a dtype.
local function format_of(dtype, channels)
  local bits = tonumber(dtype:match "%d+")
  local list = {0, 0, 0, 0}
  for i = 1, channels or 1 do list[i] = bits end
  return T.ChannelFormatDescriptor(list[1], list[2], list[3], list[4], KINDS[dtype:sub(1, 3)])
end

--- A CUDA array with an array's elements, whose last axis has all channels.
local function texels_of(x, channels, flags)
  local ndim, layered = x.ndim, (flags or 0) % 2 == 1
  local width, height = x.shape[ndim] / (channels or 1), ndim > 1 and x.shape[ndim - 1] or 0
  local depth = ndim > 2 and x.shape[1] or 0
  if layered and ndim == 2 then height, depth = 0, height end
  local texels = T.CUDAarray(format_of(x.dtype, channels), width, height, depth, flags)
  texels:copy_from(x)
  return texels
end

local function texture_of(x, options, channels, flags)
  local resource = T.ResourceDescriptor("array", texels_of(x, channels, flags))
  return T.TextureObject(resource, T.TextureDescriptor(options or {}))
end

local function linear_of(x, options, channels)
  local resource = T.ResourceDescriptor("linear", {arr = x, chDesc = format_of(x.dtype, channels)})
  return T.TextureObject(resource, T.TextureDescriptor(options or {}))
end

--- The results of a kernel for lists of coordinates.
local function run(name, dtype, lanes, tex, ...)
  local n, args = #(...), {}
  local out = cn.zeros(lanes > 1 and {n, lanes} or {n}, dtype)
  for i, list in ipairs {...} do args[i] = list end
  module:get_function(name)(math.ceil(n / 32), 32, {out, tex, unpack(args)})
  return out
end

local function floats(list) return cn.array(list, "float32") end

--- Coordinates from `first` to `last`, `steps` to a texel.
local function walk(first, last, steps)
  local list = {}
  for i = first * steps, last * steps do list[#list + 1] = i / steps end
  return list
end

local function near(expected, got, tolerance, what)
  for i = 1, #expected do
    local is_near = math.abs(expected[i] - got[i]) <= tolerance -- which is false of NaN
    if not is_near then
      error(("%s: %d is %.9g, expected %.9g"):format(what, i, got[i], expected[i]), 2)
    end
  end
end

local MODES = {"wrap", "clamp", "mirror", "border"}
local VALUES = {3, -1.5, 0.25, 8, -7, 2.75, 0.5, 16, 1, -0.125, 5, 6.5}

each_device(function(device)
  local function fetch1(tex, xs)
    local out = cn.zeros({#xs}, "float32")
    module:get_function "fetch1<float>"(math.ceil(#xs / 32), 32, {out, tex, floats(xs), #xs})
    return out:totable()
  end

  it("filters one axis in every address mode, with weights of 8 bits", function()
    local n = 7
    local values = {unpack(VALUES, 1, n)}
    local function texel(i) return values[i + 1] end
    local texels = T.ResourceDescriptor("array", texels_of(floats(values)))
    for _, mode in ipairs(MODES) do
      for _, filter in ipairs {"point", "linear"} do
        for _, normalized in ipairs {false, true} do
          local tex = T.TextureObject(texels, T.TextureDescriptor({mode}, filter,
            {normalizedCoords = normalized, borderColors = {-4}}))
          local xs = normalized and walk(-3, 4, 64) or walk(-n - 2, 2 * n + 2, 32)
          local expected = {}
          for i, x in ipairs(xs) do
            expected[i] = oracle.sample({x}, {n}, texel, {linear = filter == "linear", normalized = normalized,
              modes = {mode}, border = -4})
          end
          near(expected, fetch1(tex, xs), 2e-6, ("%s %s %s"):format(mode, filter, tostring(normalized)))
        end
      end
    end
  end)

  it("rounds weights to 1/256 and stays within half a step of the exact mean", function()
    local tex = texture_of(floats {0, 1}, {addressModes = {"clamp"}, filterMode = "linear"})
    local xs = walk(0.5, 1.5, 1024)
    for i, weight in ipairs(fetch1(tex, xs)) do
      assert.equal(0, weight * 256 % 1)
      assert.is_true(math.abs(weight - (xs[i] - 0.5)) <= 1 / 512) -- a tie may go either way
    end
    local flat = texture_of(cn.full({5}, 0.7, "float32"), {filterMode = "linear"})
    near(cn.full({9}, 0.7, "float32"):totable(), fetch1(flat, walk(0, 4, 2)), 1e-7, "of equals")
  end)

  it("reads far away, infinities and NaN without leaving the texture", function()
    local tex = texture_of(floats {1, 2, 3}, {addressModes = {"clamp"}, filterMode = "linear"})
    assert.same({1, 3, 1, 3}, fetch1(tex, {-1e30, 1e30, -math.huge, math.huge}))
    local nan = fetch1(tex, {0 / 0})[1]
    assert.is_true(nan >= 1 and nan <= 3)
  end)

  it("filters two and three axes, each in its own address mode", function()
    local w, h, d = 3, 4, 2
    local flat = cn.array(VALUES, "float32"):reshape {h, w}
    local function texel2(i, j) return VALUES[j * w + i + 1] end
    local xs, ys, expected = {}, {}, {}
    for i = -5, 13 do
      for j = -3, 11 do xs[#xs + 1], ys[#ys + 1] = i / 8 + 1 / 64, j / 8 - 1 / 32 end
    end
    for _, modes in ipairs {{"wrap", "mirror"}, {"clamp", "border"}, {"border", "wrap"}} do
      local tex = texture_of(flat, {addressModes = modes, filterMode = "linear", normalizedCoords = true,
        borderColors = {0.5}})
      for i = 1, #xs do
        expected[i] = oracle.sample({xs[i], ys[i]}, {w, h}, texel2, {linear = true, normalized = true, modes = modes,
          border = 0.5})
      end
      local out = run("fetch2<float>", "float32", 1, tex, floats(xs), floats(ys), #xs)
      near(expected, out:totable(), 5e-6, table.concat(modes, " "))
    end
    local block = cn.arange(w * h * d, {dtype = "float32"}):reshape {d, h, w}
    local function texel3(i, j, k) return (k * h + j) * w + i end
    local at = {{}, {}, {}}
    for i = 1, 40 do at[1][i], at[2][i], at[3][i] = i / 16 - 1, (i * 7 % 40) / 8, (i * 11 % 40) / 16 - 0.25 end
    for _, filter in ipairs {"point", "linear"} do
      local modes = {"clamp", "border", "clamp"}
      local tex = texture_of(block, {addressModes = modes, filterMode = filter})
      expected = {}
      for i = 1, 40 do
        expected[i] = oracle.sample({at[1][i], at[2][i], at[3][i]}, {w, h, d}, texel3,
          {linear = filter == "linear", modes = modes})
      end
      local out = run("fetch3", "float32", 1, tex, floats(at[1]), floats(at[2]), floats(at[3]), 40)
      near(expected, out:totable(), 2e-5, filter)
    end
  end)

  it("reads each type of texel, and its channels", function()
    local places = cn.array({0, 2, 1, 3, -1, 4}, "int32")
    local function linear(kernel, dtype, lanes, x, channels, options)
      return run(kernel, dtype, lanes, linear_of(x, options, channels), places, 6):totable()
    end
    assert.same({1.5, 3, -2, 0.25, 0, 0}, linear("linear<float>", "float32", 1, floats {1.5, -2, 3, 0.25}))
    assert.same({1.5, 3, -2, 0.25, 0, 0},
      linear("linear<float>", "float32", 1, cn.array({1.5, -2, 3, 0.25}, "float16")))
    assert.same({-7, 9, 2147483647, -2147483648, 0, 0},
      linear("linear<int>", "int32", 1, cn.array({-7, 2147483647, 9, -2147483648}, "int32")))
    assert.same({-7, 9, 127, -128, 0, 0}, linear("linear<int>", "int32", 1, cn.array({-7, 127, 9, -128}, "int8")))
    assert.same({-7, 9, 127, -128, 0, 0}, linear("linear<char>", "int8", 1, cn.array({-7, 127, 9, -128}, "int8")))
    assert.same({7, 65535, 0, 3, 0, 0},
      linear("linear<unsigned short>", "uint16", 1, cn.array({7, 0, 65535, 3}, "uint16")))
    assert.same({{1, 2}, {5, 6}, {3, 4}, {7, 8}, {0, 0}, {0, 0}},
      linear("linear<float2>", "float32", 2, cn.arange(1, 9, 1, {dtype = "float32"}), 2))
    local bytes = cn.array({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255}, "uint8")
    assert.same({{1, 2, 3, 4}, {9, 10, 11, 12}, {5, 6, 7, 8}, {13, 14, 15, 255}, {0, 0, 0, 0}, {0, 0, 0, 0}},
      linear("linear<uchar4>", "uint8", 4, bytes, 4))
  end)

  it("reads integers as numbers from 0 or -1 to 1, and sRGB as linear light", function()
    local places = cn.array({0, 1, 2, 3}, "int32")
    local function normal(x, channels, lanes, options)
      options = options or {}
      options.readMode = "normalized"
      local name = lanes == 4 and "linear<float4>" or "linear<float>"
      return run(name, "float32", lanes or 1, linear_of(x, options, channels), places, 4):totable()
    end
    near({0, 1, 51 / 255, 1 / 255}, normal(cn.array({0, 255, 51, 1}, "uint8")), 1e-7, "uint8")
    near({-1, 1, -1, 64 / 127}, normal(cn.array({-127, 127, -128, 64}, "int8")), 1e-7, "int8")
    near({0, 1, 1 / 65535, 0.2}, normal(cn.array({0, 65535, 1, 13107}, "uint16")), 1e-7, "uint16")
    near({-1, 1, -1, 1 / 32767}, normal(cn.array({-32767, 32767, -32768, 1}, "int16")), 1e-7, "int16")
    local colours = normal(cn.array({0, 10, 11, 128, 255, 128, 64, 255}, "uint8"), 4, 4, {sRGB = true})
    local function light(byte)
      local x = byte / 255
      return x <= 0.04045 and x / 12.92 or ((x + 0.055) / 1.055) ^ 2.4
    end
    local tolerance = device.kind == "cuda" and 4e-3 or 1e-6 -- GPUs have a coarser table
    near({0, light(10), light(11), 128 / 255}, colours[1], tolerance, "sRGB")
    near({1, light(128), light(64), 1}, colours[2], tolerance, "sRGB")
    local tex = texture_of(cn.array({{0, 255}, {255, 0}}, "uint8"),
      {addressModes = {"clamp", "clamp"}, filterMode = "linear", readMode = "normalized"})
    assert.near(0.5, run("fetch2<float>", "float32", 1, tex, floats {1}, floats {1}, 1):item(), 1e-3)
  end)

  it("reads vectors and integers of arrays, and a border in their own numbers", function()
    local x = cn.arange(24, {dtype = "float32"}):reshape {2, 12}
    local at = {floats {0, 2.5, 1}, floats {1, 0, 0.5}}
    local tex = texture_of(x, {filterMode = "point"}, 4)
    assert.same({{12, 13, 14, 15}, {8, 9, 10, 11}, {4, 5, 6, 7}},
      run("fetch2<float4>", "float32", 4, tex, at[1], at[2], 3):totable())
    tex = texture_of(x, {addressModes = {"border", "border"}, filterMode = "linear",
      borderColors = {100, 200, 300, 400}}, 4)
    near({50, 100.5, 151, 201.5}, run("fetch2<float4>", "float32", 4, tex, floats {0}, floats {0.5}, 1):totable()[1],
      1e-4, "border")
    tex = texture_of(cn.array({{1, 2}, {3, -4}}, "int32"), {addressModes = {"border", "border"}, borderColors = {-77}})
    assert.same({-4, -77, 1}, run("fetch2<int>", "int32", 1, tex, floats {1, 2, 0}, floats {1, 0, 0}, 3):totable())
    tex = texture_of(cn.array({{1, 255}, {3, 4}}, "uint8"), {addressModes = {"clamp", "clamp"}})
    assert.same({255, 3}, run("fetch2<unsigned char>", "uint8", 1, tex, floats {9, -1}, floats {0, 5}, 2):totable())
  end)

  it("reads pitch memory, with rows of its own distance", function()
    local x = cn.arange(32, {dtype = "float32"}):reshape {4, 8}
    local resource = T.ResourceDescriptor(R.cudaResourceTypePitch2D, {arr = x, chDesc = format_of "float32", width = 6,
      height = 4, pitchInBytes = 32})
    local tex = T.TextureObject(resource, T.TextureDescriptor({"clamp", "clamp"}, R.cudaFilterModeLinear))
    local out = run("fetch2<float>", "float32", 1, tex, floats {0.5, 6, 99, 2}, floats {0.5, 1.5, 99, 1}, 4)
    near({0, 13, 29, 5.5}, out:totable(), 1e-6, "pitch")
    x[1] = 7 -- what the texture is over, not a copy
    assert.equal(7, run("fetch2<float>", "float32", 1, tex, floats {0.5}, floats {0.5}, 1):item())
  end)

  it("reads layers, which are clamped and not filtered", function()
    local rows = cn.array({{0, 1, 2}, {10, 20, 40}}, "float32")
    local tex = texture_of(rows, {addressModes = {"clamp"}, filterMode = "linear"}, 1, R.cudaArrayLayered)
    local layers = cn.array({0, 1, 5, -3}, "int32")
    near({0.5, 15, 30, 40}, run("layer1", "float32", 1, tex, floats {1, 1, 2, 9}, layers, 4):totable(), 1e-5, "layers")
    local stack = cn.arange(18, {dtype = "float32"}):reshape {3, 2, 3}
    tex = texture_of(stack, {addressModes = {"clamp", "clamp"}, filterMode = "linear"}, 1, R.cudaArrayLayered)
    layers = cn.array({0, 2, 1}, "int32")
    local out = run("layer2", "float32", 1, tex, floats {1, 1.5, 0}, floats {1, 1, 0}, layers, 3)
    near({2, 14.5, 6}, out:totable(), 1e-5, "2-d layers")
  end)

  it("gathers the four texels of a cell", function()
    local x = cn.arange(12, {dtype = "float32"}):reshape {3, 4}
    local tex = texture_of(x, {addressModes = {"clamp", "clamp"}}, 1, R.cudaArrayTextureGather)
    assert.same({{4, 5, 1, 0}, {11, 11, 11, 11}},
      run("gather", "float32", 4, tex, floats {1, 9}, floats {1, 9}, 2):totable())
  end)

  it("has one level of detail", function()
    local options = {addressModes = {"clamp", "clamp", "clamp"}, filterMode = "linear"}
    local one = texture_of(floats {1, 5, 2}, options)
    local two = texture_of(cn.arange(9, {dtype = "float32"}):reshape {3, 3}, options)
    local three = texture_of(cn.arange(27, {dtype = "float32"}):reshape {3, 3, 3}, options)
    local out = cn.full({6}, -1, "float32")
    module:get_function "levels"(1, 1, {out, one, two, three})
    assert.same({0, 0, 0, 0, 0, 0}, out:totable())
  end)

  -- ---- surfaces ----

  local function surface_of(texels) return T.SurfaceObject(T.ResourceDescriptor("array", texels)) end
  local SURFACE = R.cudaArraySurfaceLoadStore

  it("reads and writes surfaces of one to three axes, at bytes", function()
    local texels, out = texels_of(floats {1, 2, 3, 4}, 1, SURFACE), cn.zeros({4}, "float32")
    module:get_function "surface1"(1, 4, {out, surface_of(texels), 4})
    assert.same({2, 4, 6, 8}, out:totable())
    local bytes = cn.arange(24, {dtype = "uint8"}):reshape {2, 12}
    local from, to = texels_of(bytes, 4, SURFACE), texels_of(cn.zeros({2, 12}, "uint8"), 4, SURFACE)
    module:get_function "surface2"(1, {4, 4}, {surface_of(from), surface_of(to), 3, 2})
    local copy = cn.zeros({2, 12}, "uint8")
    to:copy_to(copy)
    assert.same({{3, 2, 1, 1, 7, 6, 5, 5, 11, 10, 9, 9}, {15, 14, 13, 13, 19, 18, 17, 17, 23, 22, 21, 21}},
      copy:totable())
    local block = texels_of(cn.ones({2, 3, 4}, "int16"), 1, SURFACE)
    module:get_function "surface3"(1, {4, 3, 2}, {surface_of(block)})
    local cube = cn.zeros({2, 3, 4}, "int16")
    block:copy_to(cube)
    assert.same({{{1, 2, 3, 4}, {11, 12, 13, 14}, {21, 22, 23, 24}}, {{101, 102, 103, 104}, {111, 112, 113, 114},
      {121, 122, 123, 124}}}, cube:totable())
  end)

  it("reads and writes layers, and elements wider than a texel", function()
    local one = texels_of(cn.array({{1, 2}, {3, 4}, {5, 6}}, "int32"), 1, SURFACE + R.cudaArrayLayered)
    local two = texels_of(cn.arange(12, {dtype = "int32"}):reshape {3, 2, 2}, 1, SURFACE + R.cudaArrayLayered)
    module:get_function "surface_layers"(1, {2, 1, 3}, {surface_of(one), surface_of(two)})
    local out, cube = cn.zeros({3, 2}, "int32"), cn.zeros({3, 2, 2}, "int32")
    one:copy_to(out)
    two:copy_to(cube)
    assert.same({{2, 3}, {4, 5}, {6, 7}}, out:totable())
    assert.same({{{0, 2}, {2, 3}}, {{8, 10}, {6, 7}}, {{16, 18}, {10, 11}}}, cube:totable())
    local wide = cn.zeros({2, 4}, "float32")
    module:get_function "wide"(1, 2, {wide, surface_of(texels_of(cn.arange(8, {dtype = "float32"}), 1, SURFACE))})
    assert.same({{0, 1, 2, 3}, {4, 5, 6, 7}}, wide:totable())
  end)

  it("reads zeros or the nearest element outside of a surface, and writes nothing there", function()
    local texels = texels_of(cn.array({{1, 2, 3}, {4, 5, 6}}, "float32"), 1, SURFACE)
    local out = cn.zeros({16}, "float32")
    module:get_function "bounds"(1, 8, {out, surface_of(texels)})
    assert.same({0, 0, 1, 2, 3, 0, 0, 0, 1, 1, 1, 5, 6, 6, 6, 6}, out:totable())
    local after = cn.zeros({2, 3}, "float32")
    texels:copy_to(after)
    assert.same({{1, 2, 3}, {4, 5, 6}}, after:totable())
  end)

  it("sees in a texture what a surface wrote", function()
    local texels = texels_of(floats {1, 2, 3, 4}, 1, SURFACE)
    local tex = T.TextureObject(T.ResourceDescriptor("array", texels), T.TextureDescriptor())
    module:get_function "surface1"(1, 4, {cn.zeros({4}, "float32"), surface_of(texels), 4})
    assert.same({2, 4, 6, 8}, fetch1(tex, {0, 1, 2, 3}))
  end)

  -- ---- arguments ----

  it("takes objects for parameters of 64 bits, and handles in arrays", function()
    local tex, out = linear_of(floats {1, 2, 3}), cn.zeros({1}, "float32")
    module:get_function "by_number"(1, 1, {out, tex})
    assert.equal(2, out:item())
    local list = cn.array({0, tex.ptr}, "uint64")
    module:get_function "by_pointer"(1, 1, {out, list})
    assert.equal(3, out:item())
  end)

  it("are in the user's own headers too", function()
    local folder = process.folder()
    process.write(folder .. "/get.h", "typedef cudaTextureObject_t Tex; __device__ float get(Tex t, int i) "
      .. "{ return tex1Dfetch<float>(t, i); }")
    local out = cn.zeros({2}, "float32")
    local code = "#include \"get.h\"\n"
      .. "__global__ void own(float *out, Tex t) { out[threadIdx.x] = get(t, threadIdx.x + 1); }"
    cn.RawKernel(code, "own", {"-I" .. folder})(1, 2, {out, linear_of(floats {1, 2, 3})})
    assert.same({2, 3}, out:totable())
    process.remove(folder)
  end)

  if not device.name:find "cpu" then return end

  it("ends a kernel that leaves a surface, or whose object is of another kind", function()
    local surface = surface_of(texels_of(cn.zeros({2, 3}, "float32"), 1, SURFACE))
    local outside, fetch = module:get_function "outside", module:get_function "fetch1<float>"
    local out, at = cn.zeros({1}, "float32"), floats {0}
    local function words(fn, ...)
      local ok, message = pcall(fn, ...)
      assert.is_false(ok)
      return message
    end
    assert.matches("thread %(0, 0, 0%): a surface is accessed outside of it", words(outside, 1, 1, {surface, 12, 0}))
    assert.matches("a surface is accessed outside of it", words(outside, 1, 1, {surface, 0, 2}))
    assert.matches("not a multiple of the element's size", words(outside, 1, 1, {surface, 2, 0}))
    local flat = texture_of(cn.zeros({2, 3}, "float32"))
    assert.matches("object of other axes", words(fetch, 1, 1, {out, flat, at, 1}))
    local by_number = module:get_function "by_number"
    assert.matches("a texture or surface object is 0", words(by_number, 1, 1, {out, 0}))
    assert.matches("a surface object where a texture object is due", words(by_number, 1, 1, {out, surface}))
  end)
end)
