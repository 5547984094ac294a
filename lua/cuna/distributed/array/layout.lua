--- layout.lua: which axes of an array are split, over which communicators, and where blocks begin.
--
-- A layout of the user's is {axis = k}, over all ranks of a communicator, or {x = 1, y = 2}, over dimensions of a mesh.
-- Here it is a list of splits in the order of axes: {axis, length (of the whole), comm, name (of the mesh' dimension)}.
-- Blocks are those of cn.array_split.
local check = require "cuna.base.check"
local core = require "cuna.core"
local transfer = require "cuna.distributed.transfer"

local M = {}

local fail = check.fail

-- ---- positions ----

--- The first positions of `count` blocks, and one beyond the last.
function M.begins(length, count)
  local begins = {1}
  for i, part in ipairs(transfer.lengths(length, count)) do begins[i + 1] = begins[i] + part end
  return begins
end

--- The first position of this rank's block along a split, and its length.
function M.place(split)
  local begins, rank = M.begins(split.length, split.comm.size), split.comm.rank + 1
  return begins[rank], begins[rank + 1] - begins[rank]
end

--- The split of an axis; nil where it is whole on every rank.
function M.at(splits, axis)
  for _, split in ipairs(splits) do
    if split.axis == axis then return split end
  end
end

--- The same split of another axis.
function M.moved(split, axis, length)
  return {axis = axis, length = length or split.length, comm = split.comm, name = split.name}
end

local function by_axis(a, b) return a.axis < b.axis end

--- Splits in the order of their axes.
function M.sorted(splits)
  table.sort(splits, by_axis)
  return splits
end

--- The lengths of this rank's block of a shape.
function M.own_shape(shape, splits)
  local own = {unpack(shape)}
  for _, split in ipairs(splits) do own[split.axis] = select(2, M.place(split)) end
  return own
end

-- ---- layouts of the user's ----

--- The layout as the user writes it.
function M.shown(splits)
  local layout = {}
  for _, split in ipairs(splits) do layout[split.name or "axis"] = split.axis end
  return layout
end

--- Its text, such as {axis = 1}.
function M.text(splits)
  local parts = {}
  for i, split in ipairs(splits) do parts[i] = ("%s = %d"):format(split.name or "axis", split.axis) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function check_owner(value, meta, name, what, words)
  if type(value) == "table" and rawequal(getmetatable(value), meta) then return value end
  fail("%s: %s is a %s, got %s", name, what, words, check.show(value))
end

--- Splits over the dimensions of a mesh.
local function read_mesh(layout, mesh, shape, name)
  local splits, used = {}, {}
  for key in pairs(layout) do
    if key ~= "mesh" and not mesh.sizes[key] then
      fail("%s: the mesh has the dimensions %s, got %s", name, table.concat(mesh.names, ", "), check.show(key))
    end
  end
  for _, key in ipairs(mesh.names) do
    local axis = layout[key] ~= nil and core.axis(layout[key], #shape, name)
    if axis and used[axis] then
      fail("%s: axis %d is split by two dimensions of the mesh, %s and %s", name, axis, used[axis], key)
    elseif axis then
      used[axis] = key
      splits[#splits + 1] = {axis = axis, length = shape[axis], comm = mesh[key], name = key}
    end
  end
  return M.sorted(splits)
end

local KNOWN = {axis = true, comm = true}

--- Splits of a shape by a layout, and what they are over: {comm, mesh}.
---@param layout table the user's
---@param shape integer[] of the whole
---@param default table what layouts without comm and mesh are over
function M.read(layout, shape, default, name)
  if type(layout) ~= "table" then
    fail("%s: expected a layout such as {axis = 1}, got %s", name, check.show(layout))
  end
  if #shape == 0 then fail("%s: expected an array with at least one axis, got a 0-d array", name) end
  local mesh = layout.mesh
  if mesh == nil and layout.axis == nil and layout.comm == nil then mesh = default.mesh end
  if mesh ~= nil then
    check_owner(mesh, transfer.mesh_meta, name, "mesh", "mesh of comm:mesh")
    return read_mesh(layout, mesh, shape, name), {comm = mesh.comm, mesh = mesh}
  end
  for key in pairs(layout) do
    if not KNOWN[key] then fail("%s: a layout has axis and comm, or dimensions of a mesh, got %s", name,
      check.show(key)) end
  end
  local comm = check_owner(layout.comm == nil and default.comm or layout.comm, transfer.meta, name, "comm",
    "communicator")
  if layout.axis == nil then return {}, {comm = comm} end
  local axis = core.axis(layout.axis, #shape, name)
  return {{axis = axis, length = shape[axis], comm = comm}}, {comm = comm}
end

--- The same for a new array, of which one axis at least is split.
function M.of_new(layout, shape, comm, name)
  local splits, over = M.read(layout, shape, {comm = comm}, name)
  if #splits == 0 then fail("%s: the layout has no axis; write {axis = 1}", name) end
  return splits, over
end

return M
