--- What must hold between functions, for arrays drawn at random: of any dtype, shape (0-d and without elements too) and
--- layout. CUNA_SEED chooses other ones.
--
-- A law is a function of one array, which raises when it does not hold; `least` is how many axes it needs, `real` keeps
-- complex numbers from it, `integers` all but whole numbers, `elements` what has none. Each meets the same arrays, so
-- that laws share kernels.
local cn = require "cuna"
local devices = require "spec.support.devices"

local DTYPES = {"bool", "int8", "uint16", "int64", "float16", "float32", "complex64"}
local SHAPES = {{}, {0}, {1}, {7}, {40}, {3, 4}, {4, 0}, {1, 5}, {2, 3, 4}, {3, 1, 2}}
local DRAWS = 16

-- Numbers of this file's own: the same ones whatever ran before, and in a rehearsal.
local SEED = (tonumber(os.getenv "CUNA_SEED") or 1) * 7919
local state, is_rehearsal

local function seed(k) state = (SEED + 104729 * k) % 2147483646 + 1 end

local function draw(n)
  state = state * 16807 % 2147483647
  return state % n + 1
end

-- ---- arrays ----

local function size_of(shape)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return size
end

--- Elements as a table: few different ones, so that some are equal.
local function elements(dtype, size)
  local list = {}
  for k = 1, size do
    local value = draw(9) - (dtype:find "^u" and 1 or 5)
    if dtype == "bool" then value = value % 2 end
    if dtype:find "^float" and draw(3) == 1 then value = value + 0.5 end
    list[k] = dtype:find "^complex" and cn.complex(value, draw(3)) or value
  end
  return list
end

-- The same elements elsewhere in memory.
local LAYOUTS = {
  function(x) return x end,
  function(x) return x.ndim > 1 and cn.ascontiguousarray(x.T).T or x end,
  function(x) return x.ndim > 0 and cn.flip(cn.flip(x):copy()) or x end,
  function(x)
    if x.ndim == 0 then return x end
    local shape = x.shape
    shape[#shape] = 2 * shape[#shape]
    local room = cn.zeros(shape, x.dtype)["..., ::2"]
    room["..."] = x
    return room
  end,
}

--- Arrays, the same for every law of a device: each dtype comes often enough, each shape and layout too.
local function drawn()
  local list = {}
  seed(0)
  for k = 1, DRAWS do
    local dtype, shape = DTYPES[k % #DTYPES + 1], SHAPES[draw(#SHAPES)]
    list[k] = LAYOUTS[k % #LAYOUTS + 1](cn.array(elements(dtype, size_of(shape)), dtype):reshape(shape))
  end
  return list
end

-- ---- laws ----

--- Raises unless two arrays have the same dtype, shape and elements.
local function same(a, b)
  local differs = a ~= b
  if is_rehearsal then return end -- elements mean nothing
  if differs or a.dtype ~= b.dtype or a.shape ~= b.shape then
    error(("%s and %s differ:\n%s\n%s"):format(a.dtype, b.dtype, tostring(a), tostring(b)), 0)
  end
end

local function axis_of(x) return draw(x.ndim) end

local LAWS = {}
local function law(name, needs, fn) LAWS[#LAWS + 1] = {name = name, needs = needs, fn = fn} end

law("the parts of a split join to the whole", {least = 1}, function(x)
  local axis = axis_of(x)
  same(x, cn.concatenate(cn.array_split(x, draw(3), axis), axis))
end)

law("slices stack to the whole", {least = 1, elements = true}, function(x)
  local slices = {}
  for k = 1, #x do slices[k] = x[{k, cn.ellipsis}] end
  same(x, cn.stack(slices))
end)

law("rolled forth and back is as before", {}, function(x)
  local n = draw(9) - 5
  same(x, x:roll(n):roll(-n))
  if x.ndim > 0 then
    local axis = axis_of(x)
    same(x, x:roll(n, axis):roll(-n, axis))
  end
end)

law("flipped, transposed, moved and turned twice is as before", {}, function(x)
  same(x, x:flip():flip())
  same(x, x.T.T)
  if x.ndim < 2 then return end
  local a, b = axis_of(x), axis_of(x)
  same(x, x:swapaxes(a, b):swapaxes(a, b))
  same(x, x:moveaxis(a, b):moveaxis(b, a))
  same(x, x:rot90(1):rot90(3))
end)

law("what was padded is in the middle", {least = 1}, function(x)
  local before, after, key = draw(3), draw(3), {}
  local padded = x:pad {before, after}
  for axis, length in ipairs(x.shape) do key[axis] = {before + 1, before + length} end
  same(x, padded[key])
end)

law("a tile and a repetition hold it", {least = 1}, function(x)
  local axis, key, times = axis_of(x), {}, {}
  for k, length in ipairs(x.shape) do key[k], times[k] = {1, length}, k == axis and 2 or 1 end
  same(x, x:tile(times)[key])
  key[axis] = {1, -1, 3}
  same(x, x.size > 0 and x:repeat_interleave(3, axis)[key] or x)
end)

law("what was inserted can be deleted", {least = 1}, function(x)
  local axis = axis_of(x)
  local place = draw(x.shape[axis] + 1)
  same(x, cn.delete(cn.insert(x, place, 1, axis), place, axis))
end)

law("sorted it rises and has the same elements", {least = 1, real = true}, function(x)
  local axis = axis_of(x)
  local sorted = x:sort(axis)
  same(sorted, x:take_along_axis(x:argsort(axis), axis))
  local key, next_key = {}, {}
  for k = 1, x.ndim do key[k], next_key[k] = {}, {} end
  if x.shape[axis] < 2 then return end
  key[axis], next_key[axis] = {1, -2}, {2, -1}
  local rises = cn.less_equal(sorted[key], sorted[next_key])
  same(cn.ones_like(rises), rises)
  same(sorted, x:flip(axis):sort(axis))
end)

law("its order is a permutation", {least = 1, real = true}, function(x)
  local axis = axis_of(x)
  local positions = x:argsort(axis):sort(axis):moveaxis(axis, -1)
  same(positions, cn.broadcast_to(cn.range(1, x.shape[axis]), positions.shape):copy())
end)

law("unique elements rebuild it", {real = true}, function(x)
  local values, first, inverse, counts = cn.unique(x,
    {return_index = true, return_inverse = true, return_counts = true})
  same(x:ravel(), values:take(inverse:ravel()))
  same(values, x:ravel():take(first))
  same(cn.array(x.size, "int64"), counts:sum())
end)

law("its differences add up to it", {least = 1, elements = true, integers = true}, function(x)
  local axis, key = axis_of(x), {}
  for k = 1, x.ndim do key[k] = {} end
  key[axis] = {1, 1}
  local wide = x:astype "int64"
  same(wide, wide:diff(1, axis, {prepend = wide[key] * 0}):cumsum(axis))
end)

law("each element is found where it lies when it is sorted", {least = 1, real = true}, function(x)
  local values = cn.unique(x)
  same(cn.range(1, values.size), cn.searchsorted(values, values))
end)

law("where it is not 0 is where it is written", {least = 1}, function(x)
  local y = cn.zeros_like(x)
  local places = cn.nonzero(x)
  y[places] = x[places]
  same(x:copy(), y)
  same(cn.flatnonzero(x), cn.ravel_multi_index(places, x.shape))
end)

law("what a mask takes goes back by it", {}, function(x)
  local mask, y = x:ne(1), x:copy()
  y:place(mask, x:ravel()[mask:ravel()])
  same(x:copy(), y)
  same(x:copy(), cn.where(mask, x, x))
end)

law("its bytes and its elements make it", {}, function(x)
  same(x:copy(), cn.frombuffer(x:tobytes(), {dtype = x.dtype}):reshape(x.shape))
  same(x:copy(), x:reshape(-1):reshape(x.shape))
  if x.size > 0 then same(x:copy(), cn.array(x:totable(), x.dtype)) end
end)

local COMPLEX, INTEGERS = "^complex", {int8 = true, uint16 = true, int64 = true}

local function suits(x, needs)
  return x.ndim >= (needs.least or 0) and not (needs.real and x.dtype:find(COMPLEX))
    and not (needs.integers and not INTEGERS[x.dtype]) and not (needs.elements and x.size == 0)
end

devices.each_device(function()
  describe("for every array", function()
    local arrays

    --- Calls fn(law, array, its number) for the arrays that a law is about.
    local function each_array(one, fn)
      for k, x in ipairs(arrays) do
        seed(k)
        if suits(x, one.needs) then fn(one.fn, x, k) end
      end
    end

    setup(function()
      arrays, is_rehearsal = drawn(), true
      devices.prepare(function()
        for _, one in ipairs(LAWS) do each_array(one, pcall) end
      end)
      is_rehearsal = false
    end)

    for _, one in ipairs(LAWS) do
      it(one.name, function()
        each_array(one, function(holds, x, k)
          local ok, message = pcall(holds, x)
          assert(ok, ("array %d, %s of shape %s: %s"):format(k, x.dtype, tostring(x.shape), tostring(message)))
        end)
      end)
    end
  end)
end)
