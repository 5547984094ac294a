--- axes.lua: Fourier transforms of arrays along axes that have their lengths, in dtypes that are transformed.
--
-- core.fft transforms along one axis wherever it lies, or along the innermost ones together; what it declines is copied
-- first, and other axes come one after the other. A factor is part of the transform where the device can, else one pass
-- at the end. A real array's whole spectrum along one axis is computed by half, and mirrored.
local core = require "cuna.core"
local dtype_rules = require "cuna.base.dtype_rules"
local elementwise = require "cuna.elementwise"
local manipulate = require "cuna.manipulate"
local program = require "cuna.base.program"
local slices = require "cuna.base.slices"

local M = {}

-- ---- dtypes ----

local SINGLE = {float16 = true, bfloat16 = true, float32 = true, complex64 = true}
local DOUBLE = {float64 = true, complex128 = true}

--- Whether a dtype is complex.
function M.is_complex(dtype) return dtype == "complex64" or dtype == "complex128" end

--- Whether an array is transformed in single precision.
local function is_single(dtype)
  return SINGLE[dtype] or not DOUBLE[dtype] and dtype_rules.default_dtype() == "float32"
end

--- The dtype that real numbers are transformed in.
function M.real_of(dtype) return is_single(dtype) and "float32" or "float64" end

--- The dtype that spectra have.
function M.complex_of(dtype) return is_single(dtype) and "complex64" or "complex128" end

-- ---- along axes that fit ----

--- Multiplies a row-major array; of complex numbers both parts.
local function multiply(y, factor)
  local count = y.size * (M.is_complex(y.dtype) and 2 or 1)
  local parts = core.view(y, {count}, {1}, 0, M.real_of(y.dtype))
  elementwise.functions.multiply(parts, factor, {out = parts})
end

--- What core.fft declined, along one axis, by way of an array that has it innermost.
local function transform_moved(x, kind, inverse, axis, length, factor, out, name)
  local moved = core.cast(manipulate.functions.moveaxis(x, axis, -1), nil, name)
  local y, scaled = core.fft(moved, kind, inverse, {-1}, length, factor, kind == "complex" and moved or nil, name,
    true)
  y = manipulate.functions.moveaxis(y, -1, axis)
  if out then
    core.copy(out, y, name)
    return out, scaled
  end
  return core.dense(y, nil, name), scaled
end

--- One transform along axes of length 2 or more, several only of a row-major array: new, or into `out`, which may be x.
--- What x has may be lost where it is temporary.
local function transform(x, kind, inverse, axes, length, factor, out, name, is_temporary)
  local y, scaled = core.fft(x, kind, inverse, axes, length, factor, out, name, is_temporary)
  if not y and #axes == 1 then
    y, scaled = transform_moved(x, kind, inverse, axes[1], length, factor, out, name)
  elseif not y then -- one that begins where no complex number may
    y, scaled = core.fft(core.cast(x, nil, name), kind, inverse, axes, length, factor, nil, name)
    if out then
      core.copy(out, y, name)
      y = out
    end
  end
  if not scaled and factor ~= 1 then multiply(y, factor) end
  return y
end

--- Axes without those of length 1, whose transform changes nothing.
local function long_axes(axes, shape)
  local kept = {}
  for _, axis in ipairs(axes) do
    if shape[axis] ~= 1 then kept[#kept + 1] = axis end
  end
  return kept
end

--- Whether long axes are the innermost ones of a row-major array, so that one transform does them all.
local function are_together(x, axes)
  local seen, shape, left = {}, x.shape, #axes
  if left < 2 or left > 3 or not x.flags.c_contiguous then return false end
  for _, axis in ipairs(axes) do seen[axis] = true end
  for axis = #shape, 1, -1 do
    if left == 0 then return true end
    if not seen[axis] and shape[axis] ~= 1 then return false end
    if seen[axis] then left = left - 1 end
  end
  return left == 0 -- else one comes twice
end

--- An array as it is, in `out` where one is given that is another.
local function unchanged(x, out, name)
  if not out then return core.cast(x, nil, name) end
  if not rawequal(out, x) then core.copy(out, x, name) end
  return out
end

--- A complex array transformed along axes: new, or in `out`, which may be x itself.
function M.complex(x, inverse, axes, factor, out, name)
  axes = long_axes(axes, x.shape)
  if #axes == 0 then return unchanged(x, out, name) end
  if are_together(x, axes) then return transform(x, "complex", inverse, axes, 0, factor, out, name) end
  local y = transform(x, "complex", inverse, {axes[#axes]}, 0, #axes == 1 and factor or 1, out, name)
  for i = #axes - 1, 1, -1 do
    y = transform(y, "complex", inverse, {axes[i]}, 0, i == 1 and factor or 1, y, name)
  end
  return y
end

--- A new complex array transformed along one axis, in a list, of a length.
function M.line(x, inverse, axes, length, factor, name)
  if length == 1 then return core.cast(x, nil, name) end
  return transform(x, "complex", inverse, axes, 0, factor, nil, name)
end

--- A list without its last element.
local function without_last(list)
  return {unpack(list, 1, #list - 1)}
end

--- The first half of a real array's spectrum along one axis, in a list, of a length.
function M.line_to_complex(x, axes, length, factor, name)
  if length == 1 then return core.cast(x, M.complex_of(x.dtype), name) end
  return transform(x, "to_complex", false, axes, 0, factor, nil, name)
end

--- The first half of a real array's spectrum along the last of some axes, transformed along the others. `shape` is x's.
function M.to_complex(x, axes, factor, name, shape)
  local last = axes[#axes]
  local long = long_axes(axes, shape)
  if shape[last] == 1 then
    local y = core.cast(x, M.complex_of(x.dtype), name)
    return M.complex(y, false, without_last(axes), factor, y, name)
  end
  if are_together(x, long) and math.max(unpack(long)) == last then
    return transform(x, "to_complex", false, long, 0, factor, nil, name)
  end
  local others = long_axes(without_last(axes), shape)
  local y = transform(x, "to_complex", false, {last}, 0, #others == 0 and factor or 1, nil, name)
  return M.complex(y, false, others, factor, y, name)
end

--- The real array of a length along one axis, in a list, whose spectrum x is the first half of.
function M.line_to_real(x, axes, length, factor, is_temporary, name)
  if length == 1 then return core.cast(x, M.real_of(x.dtype), name) end
  return transform(x, "to_real", true, axes, length, factor, nil, name, is_temporary)
end

--- The real array of a length along the last of some axes whose spectrum x is the first half of.
function M.to_real(x, axes, length, factor, in_place, name)
  local last, others = axes[#axes], long_axes(without_last(axes), x.shape)
  local only = length == 1 and factor or 1
  if #others > 0 then x = M.complex(x, true, others, only, in_place and x or nil, name) end
  return M.line_to_real(x, {last}, length, factor, in_place or #others > 0, name)
end

--- Conjugates, in `out` where one is given.
function M.conjugate(x, out) return elementwise.functions.conj(x, {out = out}) end

local function draw_mirror(draft, dtype)
  draft:step("mirror", "T(a.re, 0 - a.im)", dtype, {draft:input(dtype)}) -- of a real number no -0
  draft.output = dtype
end

--- Writes conjugates of what two symmetric halves of a spectrum have.
local function mirror(from, to, name)
  core.map(program.get("mirror " .. from.dtype, draw_mirror, from.dtype), name, nil, to, from)
end

--- The whole spectrum of a real array along one axis of a length.
function M.whole(x, inverse, axis, length, factor, name)
  local dtype = M.complex_of(core.dtype_of(x))
  local y = core.empty_like(x, dtype, name)
  local half = slices.part(y, axis, 1, math.floor(length / 2) + 1)
  local done, scaled
  if length > 1 then done, scaled = core.fft(x, "to_complex", false, {axis}, 0, factor, half, name) end
  if not done then
    local cast = core.cast(x, dtype, name)
    return M.complex(cast, inverse, {axis}, factor, cast, name)
  end
  local count = math.ceil(length / 2) - 1
  local mirrored = slices.part(y, axis, length - count + 1, count)
  local source = slices.part(y, axis, count + 1, count, -1)
  if inverse then
    core.copy(mirrored, source, name)
    mirror(half, half, name)
  else
    mirror(source, mirrored, name)
  end
  if not scaled and factor ~= 1 then multiply(y, factor) end
  return y
end

return M
