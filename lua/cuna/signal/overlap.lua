--- overlap.lua: convolutions by Fourier transforms, whole or in blocks that overlap; parts of full convolutions.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local slices = require "cuna.base.slices"

local M = {}

local fail, kind_of = check.fail, dtype_facts.kind_of

--- The least number from n on without prime factors above 11, of which transforms are fast.
function M.fast_length(n)
  if n <= 6 then return math.max(n, 1) end
  local best = math.huge
  local function visit(product, k)
    local primes = {11, 7, 5, 3}
    if k > #primes then
      while product < n do product = product * 2 end
      best = math.min(best, product)
      return
    end
    while product < best do
      visit(product, k + 1)
      product = product * primes[k]
    end
  end
  visit(1, 1)
  return best
end

-- ---- parts of full convolutions ----

M.MODES = {"full", "valid", "same"}

--- Whether the operands change places in mode "valid": the second one is the longer.
function M.is_swapped(mode, first, second, axes, name)
  if mode ~= "valid" then return false end
  local fits, swapped = true, true
  for _, axis in ipairs(axes) do
    fits, swapped = fits and first[axis] >= second[axis], swapped and second[axis] >= first[axis]
  end
  if not fits and not swapped then
    fail("%s: in mode \"valid\" one shape is at least the other along all axes, got %s and %s", name, tostring(first),
      tostring(second))
  end
  return not fits
end

--- The part of a full convolution along some axes that a mode asks for.
function M.part(full, first, second, mode, axes)
  local shape, lengths = full.shape, {}
  if mode == "same" then lengths = first end
  for _, axis in ipairs(mode == "valid" and axes or {}) do lengths[axis] = first[axis] - second[axis] + 1 end
  for axis = 1, #shape do
    local length = lengths[axis] or shape[axis]
    if length ~= shape[axis] then
      full = slices.part(full, axis, math.floor((shape[axis] - length) / 2) + 1, length)
    end
  end
  return full
end

-- ---- whole transforms ----

--- Convolves along axes by transforms of `lengths` points.
function M.multiply(a, b, axes, lengths)
  local fft = args.namespace.fft
  if #axes == 0 then return args.namespace.multiply(a, b) end
  if kind_of[a.dtype] == "c" or kind_of[b.dtype] == "c" then
    return fft.ifftn(fft.fftn(a, lengths, axes) * fft.fftn(b, lengths, axes), lengths, axes)
  end
  return fft.irfftn(fft.rfftn(a, lengths, axes) * fft.rfftn(b, lengths, axes), lengths, axes)
end

--- The full convolution along axes.
function M.whole(a, b, axes)
  local sa, sb, lengths, full = a.shape, b.shape, {}, {}
  for k, axis in ipairs(axes) do
    full[k] = sa[axis] + sb[axis] - 1
    lengths[k] = M.fast_length(full[k])
  end
  local made = M.multiply(a, b, axes, lengths)
  for k, axis in ipairs(axes) do made = slices.part(made, axis, 1, full[k]) end
  return made
end

-- ---- blocks that overlap ----

local E = math.exp(1)

--- Where W exp(W) is x, below -1: the branch on which blocks have their best length.
local function lambert(x)
  local w = math.log(-x) - math.log(-math.log(-x))
  for _ = 1, 50 do
    local power = math.exp(w)
    local step = (w * power - x) / (power * (w + 1))
    w = w - step
    if math.abs(step) < 1e-14 * math.abs(w) then break end
  end
  return w
end

--- The best length of blocks for a longer and a shorter length; nil where one transform is better.
local function block_of(long, short)
  if short == 1 or short >= long / 2 then return nil end
  local overlap = short - 1
  local best = overlap == 0 and 1 or -overlap * lambert(-1 / (2 * E * overlap))
  local block = M.fast_length(math.ceil(best))
  return block < long and block or nil
end

--- x with an axis cut into blocks of `step`: the axis `axis` counts blocks, the next one elements.
local function cut(x, axis, step, count)
  local n, shape = x.shape[axis], x.shape
  if count * step > n then
    local widths = {}
    for k = 1, x.ndim do widths[k] = {0, k == axis and count * step - n or 0} end
    x = args.namespace.pad(x, widths)
  end
  shape[axis] = count
  table.insert(shape, axis + 1, step)
  return args.namespace.reshape(x, shape)
end

--- Adds the ends of blocks to the beginnings of the next ones, and joins the blocks.
local function join(blocks, axis, step, overlap)
  local shape, count = blocks.shape, blocks.shape[axis]
  local rest = args.namespace.pad(slices.part(blocks, axis + 1, step + 1, overlap), (function()
    local widths = {}
    for k = 1, #shape do widths[k] = {k == axis and 1 or 0, k == axis + 1 and step - overlap or 0} end
    return widths
  end)())
  local widths = {}
  for k = 1, #shape do widths[k] = {0, k == axis and 1 or 0} end
  local whole = args.namespace.pad(slices.part(blocks, axis + 1, 1, step), widths) + rest
  shape[axis] = (count + 1) * step
  table.remove(shape, axis + 1)
  return args.namespace.reshape(whole, shape)
end

--- The full convolution along one axis, in blocks of the longer operand.
local function in_blocks(a, b, axis, block, full)
  if a.shape[axis] < b.shape[axis] then a, b = b, a end
  local overlap = b.shape[axis] - 1
  local step = block - overlap
  local count = math.ceil(a.shape[axis] / step)
  local parts = M.multiply(cut(a, axis, step, count), core.with_axis(b, axis), {axis + 1}, {block})
  if overlap > step then return nil end
  return slices.part(join(parts, axis, step, overlap), axis, 1, full)
end

--- The full convolution along axes, in blocks where one axis has a much longer operand; blocks along the axis that
--- gains the most, whole transforms along the others.
function M.blocks(a, b, axes)
  local sa, sb = a.shape, b.shape
  if #axes ~= 1 then return M.whole(a, b, axes) end
  local axis = axes[1]
  local long, short = math.max(sa[axis], sb[axis]), math.min(sa[axis], sb[axis])
  local block = block_of(long, short)
  return block and in_blocks(a, b, axis, block, long + short - 1) or M.whole(a, b, axes)
end

return M
