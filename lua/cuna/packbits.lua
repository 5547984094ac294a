--- packbits.lua: packing bools into the bits of bytes, and unpacking them.
--
-- Both work along the last axis of a view. Eight elements of a byte each are one word of 64 bits (which lies in memory
-- with its lowest byte first on every device), so that a byte is made of a word, and a word of a byte, by a
-- multiplication. Elements that are wider, or do not lie one after the other, are read eight a byte.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local manipulate = require "cuna.manipulate"
local program = require "cuna.base.program"

local M = {functions = {}}
local F = M.functions

local fail = check.fail

local function is_little(bitorder, name)
  if bitorder == nil or bitorder == "big" then return false end
  if bitorder ~= "little" then fail("%s: bitorder is \"big\" or \"little\", got %s", name, check.show(bitorder)) end
  return true
end

--- x with the axis as its last, or all elements as the one axis; and the axis to move back.
local function along_last(x, axis, name)
  if axis == nil then return core.reshape(x, -1, name), 1 end
  axis = core.axis(axis, x.ndim, name)
  return manipulate.functions.moveaxis(x, axis, -1), axis
end

local function back(x, axis) return axis == x.ndim and x or manipulate.functions.moveaxis(x, -1, axis) end

--- A view of part of the last axis: `count` elements from the 0-based `first` on, `step` apart.
local function part(x, first, count, step)
  local shape, strides = x.shape, x.strides
  for k = 1, #strides do strides[k] = strides[k] / x.itemsize end
  local offset = first * strides[#strides]
  shape[#shape], strides[#strides] = count, strides[#strides] * step
  return core.view(x, shape, strides, offset)
end

local function draw_packed(draft, dtype, count, little)
  local byte = 1
  for _ = 1, count do draft:input(dtype) end
  for k = 1, count do
    local expr = (k > 1 and "b | a << %d" or "a << %d"):format(little and k - 1 or 8 - k)
    byte = draft:step("packed", expr, "uint8", {k, byte}, {"bool", "uint8"})
  end
  draft.output = "uint8"
end

--- A program that packs `count` truths into a byte.
local function packer(dtype, count, little)
  return program.get(table.concat({dtype, count, tostring(little)}, " "), draw_packed, dtype, count, little)
end

--- Packs `count` elements a byte from element `first` on into `out`.
local function pack(x, out, first, count, little, name)
  local views = {}
  for k = 1, count do views[k] = part(x, first + k - 1, out.shape[out.ndim], 8) end
  core.map(packer(x.dtype, count, little), name, nil, out, unpack(views))
end

-- The least bit of each byte is set where the byte is not 0; a multiplication moves the eight together at the top.
local SET = "((((a & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) | a) >> 7 & 0x0101010101010101)"
local GATHERED = {big = SET .. " * 0x8040201008040201 >> 56", little = SET .. " * 0x0102040810204080 >> 56"}
-- A byte's copies in a word, of each of which one bit is kept, and set as the lowest.
local SPREAD = "((a * 0x0101010101010101 & %s) + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101"
local SPREADS = {big = SPREAD:format "0x0102040810204080", little = SPREAD:format "0x8040201008040201"}

local function draw_word(draft, from, expr, to)
  draft:step("bits", expr, to, {draft:input(from)}, "uint64")
  draft.output = to
end

--- A program of one such expression.
local function word_program(from, expr, to) return program.get(expr, draw_word, from, expr, to) end

--- Whether the elements of rows are words: bytes one after the other, from an even address on.
local function are_words(x, root)
  local rows = x.ndim == 1 or x.shape[x.ndim] % 8 == 0
  return rows and x.itemsize == 1 and root.base == nil and root.flags.c_contiguous and x.flags.c_contiguous
end

--- Packs whole bytes of each row into `out`.
local function pack_whole(x, root, out, little, name)
  if not are_words(x, root) then return pack(x, out, 0, 8, little, name) end
  local words = core.array_at(x, 0, out.shape, "uint64", name)
  core.map(word_program("uint64", GATHERED[little and "little" or "big"], "uint8"), name, nil, out, words)
end

local read_packbits = args.reader("packbits", {"x", "axis", "bitorder"})

--- Truths as the bits of bytes, eight along an axis a byte; what is missing of the last byte is 0. Follows
--- numpy.packbits, but takes elements of any dtype.
---@param x cuna.Operand an element that is not 0 is a 1
---@param axis integer|nil without one all elements are one axis
---@param bitorder string|nil "big" (default): the first element is the highest bit; "little": the lowest
---@return cuna.Array uint8
---@usage cn.packbits {1, 0, 1, 0, 0, 0, 0, 1, 1} --> [161 128]
---@usage cn.packbits({1, 0, 1}, {bitorder = "little"}) --> [5]
function F.packbits(...)
  local x, axis, bitorder = read_packbits(...)
  local name = "packbits"
  local little = is_little(bitorder, name)
  local root = check.array(x, name)
  x, axis = along_last(root, axis, name)
  local shape = x.shape
  local length = shape[#shape]
  local whole, rest = math.floor(length / 8), length % 8
  shape[#shape] = math.ceil(length / 8)
  local out = core.empty(shape, "uint8", x.device, name)
  if out.size == 0 then return back(out, axis) end
  if whole > 0 then pack_whole(x, root, part(out, 0, whole, 1), little, name) end
  if rest > 0 then pack(x, part(out, whole, 1, 1), 8 * whole, rest, little, name) end
  return back(out, axis)
end

--- All bits of bytes along the last axis.
local function unpack_all(x, order, name)
  local shape = x.shape
  shape[#shape] = 8 * shape[#shape]
  local bits = core.empty(shape, "uint8", x.device, name)
  if bits.size == 0 then return bits end
  local words = core.array_at(bits, 0, x.shape, "uint64", name)
  core.map(word_program("uint8", SPREADS[order], "uint64"), name, nil, words, x)
  return bits
end

--- The first `count` bits of each row, padded with zeros if the row has fewer. A negative count drops bits at the end.
local function counted(bits, count, name)
  local shape = bits.shape
  local length = shape[#shape]
  if count == nil or count == length then return bits end
  if count < 0 then count = length + count end
  if count < 0 then fail("%s: count is %d, but there are %d bits", name, count - length, length) end
  if count < length then return part(bits, 0, count, 1) end
  shape[#shape] = count
  local out = core.fill(core.empty(shape, "uint8", bits.device, name), 0, name)
  part(out, 0, length, 1)[core.ellipsis] = bits
  return out
end

local read_unpackbits = args.reader("unpackbits", {"x", "axis", "count", "bitorder"})

--- The bits of bytes as numbers 0 and 1, eight a byte along an axis. Follows numpy.unpackbits.
---@param x cuna.Array uint8
---@param axis integer|nil without one all elements are one axis
---@param count integer|nil how many bits there are along the axis: zeros follow, or, below 0, so many are left out
---@param bitorder string|nil "big" (default): the highest bit comes first; "little": the lowest
---@return cuna.Array uint8
---@usage cn.unpackbits(cn.array({161, 128}, "uint8"), {count = 9}) --> [1 0 1 0 0 0 0 1 1]
function F.unpackbits(...)
  local x, axis, count, bitorder = read_unpackbits(...)
  local name = "unpackbits"
  local order = is_little(bitorder, name) and "little" or "big"
  x = check.array(x, name)
  if x.dtype ~= "uint8" then fail("%s: expected an array of uint8, got %s", name, x.dtype) end
  if count ~= nil then count = check.integer(count, name, "count") end
  x, axis = along_last(x, axis, name)
  return back(counted(unpack_all(x, order, name), count, name), axis)
end

return M
