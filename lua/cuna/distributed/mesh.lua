--- mesh.lua: ranks in rows and columns: a communicator for each dimension.
--
-- Ranks are numbered in row-major order over dimensions in the order of their names. All ranks that differ in one
-- coordinate only are a communicator of that dimension.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local transfer = require "cuna.distributed.transfer"

local M = {}

local fail = check.fail

--- The ranks of a communicator in rows and columns, or in more dimensions, from comm:mesh. Each dimension is a field:
--- the communicator of the ranks that differ from this one in that coordinate only. Layouts such as
--- {x = 1, y = 2, mesh = mesh} split axes of arrays over its dimensions.
---@class cuna.Mesh
---@field comm cuna.Communicator of all its ranks
---@field names string[] of the dimensions, sorted
---@field sizes table<string, integer> how many ranks each dimension has
local meta = transfer.mesh_meta

local RESERVED = {comm = true, names = true, sizes = true, mesh = true, axis = true}

function meta.__index(mesh, name)
  fail("a mesh has no field '%s'; its dimensions are %s", tostring(name), table.concat(mesh.names, ", "))
end

function meta.__newindex(_, name) fail("a mesh' field '%s' cannot be assigned", tostring(name)) end

function meta.__tostring(mesh)
  local parts = {}
  for i, name in ipairs(mesh.names) do parts[i] = ("%s = %d"):format(name, mesh.sizes[name]) end
  return ("<mesh: %s>"):format(table.concat(parts, ", "))
end

--- The names of dimensions, sorted; their sizes are checked.
local function read_sizes(sizes, comm)
  if type(sizes) ~= "table" or next(sizes) == nil then
    fail("mesh: expected sizes by name, such as {x = 2, y = 2}, got %s", check.show(sizes))
  end
  local names, product = {}, 1
  for name, size in pairs(sizes) do
    if type(name) ~= "string" or RESERVED[name] then
      fail("mesh: a dimension has a name of its own, such as x, got %s", check.show(name))
    end
    if check.count(size, "mesh", name) < 1 then fail("mesh: %s is at least 1, got %s", name, tostring(size)) end
    names[#names + 1], product = name, product * size
  end
  if product ~= comm.size then fail("mesh: %d ranks in all, of a communicator with %d", product, comm.size) end
  table.sort(names)
  return names
end

--- The communicator of the ranks that differ in one coordinate only, which counts `stride` ranks.
local function line(comm, stride, size)
  local at = math.floor(comm.rank / stride) % size
  return comm:split(comm.rank - at * stride, at)
end

--- A mesh of all ranks of a communicator.
local function new(comm, sizes)
  local names, stride = read_sizes(sizes, comm), comm.size
  local mesh = {comm = comm, names = names, sizes = {}}
  transfer.begin(comm, "mesh", nil, nil, nil, false, table.concat(names, " "))
  if not core.is_preparing() then core.comm_end(comm.raw) end
  for _, name in ipairs(names) do
    stride = stride / sizes[name]
    mesh.sizes[name] = sizes[name]
    mesh[name] = line(comm, stride, sizes[name])
  end
  return setmetatable(mesh, meta)
end

local read = args.reader("mesh", {"comm", "sizes"}, 2, true)

function M.of(...)
  local comm, sizes = read(...)
  return new(transfer.self(comm, "mesh"), sizes)
end

return M
