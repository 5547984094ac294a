--- file.lua: one .npy file that all ranks read and write, each at the places of its block.
--
-- Elements of a block lie in runs: along the last split axis and those after it. A new file has a temporary name,
-- which rank 0 makes; it appears when all ranks have written, so it is whole or not there.
local check = require "cuna.base.check"
local core = require "cuna.core"
local layouts = require "cuna.distributed.array.layout"
local npy = require "cuna.io.npy"
local object = require "cuna.distributed.array.object"
local operands = require "cuna.base.operands"
local root = require "cuna.distributed.root"
local slices = require "cuna.base.slices"
local transfer = require "cuna.distributed.transfer"

local M = {}

local fail = check.fail

local function check_path(path, name)
  if type(path) ~= "string" then fail("%s: expected a path, got %s", name, check.show(path)) end
  if path:find("\0", 1, true) then fail("%s: a path cannot contain NUL bytes", name) end
  return path
end

-- ---- runs ----

--- The elements before a position of the whole, of which the axes up to `last` are given by a number in the block.
local function offset_of(number, own, shape, firsts, last)
  local stride = 1
  for axis = #shape, last + 1, -1 do stride = stride * shape[axis] end
  local offset = (firsts[last] - 1) * stride
  stride = stride * shape[last]
  for axis = last - 1, 1, -1 do
    offset = offset + (number % own[axis] + firsts[axis] - 1) * stride
    number, stride = math.floor(number / own[axis]), stride * shape[axis]
  end
  return offset
end

--- Calls visit(offset in the whole, run) for the runs of a row-major block, in their order.
local function each_run(block, shape, splits, visit)
  if block.size == 0 then return end
  local own, firsts, last, count = block.shape, {}, 1, 1
  for axis = 1, #shape do
    local split = layouts.at(splits, axis)
    firsts[axis], last = split and layouts.place(split) or 1, split and axis or last
  end
  for axis = 1, last - 1 do count = count * own[axis] end
  local runs = core.reshape(block, {count, block.size / count}, "file")
  for number = 0, count - 1 do
    visit(offset_of(number, own, shape, firsts, last), slices.at(runs, 1, number + 1))
  end
end

-- ---- reading ----

--- The splits of an array whose file has its axes in the opposite order.
local function reversed(splits, ndim)
  local list = {}
  for i, split in ipairs(splits) do list[i] = layouts.moved(split, ndim + 1 - split.axis) end
  return layouts.sorted(list)
end

local function read_block(file, header, splits, begin, name)
  local shape = npy.shape_in_file(header)
  local own = header.fortran_order and reversed(splits, #shape) or splits
  local block = core.empty(layouts.own_shape(shape, own), header.dtype, core.current_device(), name)
  each_run(block, shape, own, function(offset, run)
    file:seek(begin + offset * block.itemsize)
    file:read_array(run, header.swapped)
  end)
  return header.fortran_order and #shape > 1 and block.T or block
end

--- The array of a file over ranks: each reads its block.
function M.load(path, layout, comm)
  local name = "distributed.load"
  local file = core.file_open(check_path(path, name), name)
  local header = npy.read_header(file, file:read(#npy.MAGIC))
  local begin, left = file:place(), npy.left(file)
  if not left then fail("%s: only plain files are read by several ranks", file:label()) end
  npy.check_left(file, header, left)
  local splits, over = layouts.of_new(layout, header.shape, comm, name)
  transfer.begin(over.comm, name, nil, nil, nil, false, ("%s (%s), %s"):format(header.dtype,
    table.concat(header.shape, ", "), layouts.text(splits)))
  if not core.is_preparing() then core.comm_end(over.comm.raw) end
  local block = read_block(file, header, splits, begin, name)
  file:close()
  return object.over(over, block, splits)
end

-- ---- writing ----

--- Whether this rank is the first of those that have the same block: of a mesh, along which some dimension is whole.
local function is_writer(A)
  for _, name in ipairs(A.mesh and A.mesh.names or {}) do
    local is_split = false
    for _, split in ipairs(A.splits) do is_split = is_split or split.name == name end
    if not is_split and A.mesh[name].rank > 0 then return false end
  end
  return true
end

local function write_block(file, A, begin, name)
  local block = operands.row_major(A.block, name)
  each_run(block, A.shape, A.splits, function(offset, run)
    file:seek(begin + offset * block.itemsize)
    file:write_array(run)
  end)
end

--- Rank 0 makes the file, the others open it by its temporary name: the new file on rank 0, and that to write to.
local function create(A, path, name)
  local made
  local temporary = root.run(A.comm, name, function()
    made = core.file_create(path, name)
    return made:temporary() or path
  end)
  return made, made or core.file_open(temporary, name, true)
end

--- Writes an array as one file.
function M.save(path, A)
  local name = "distributed.save"
  path = check_path(path, name)
  if not object.is_over(A) then fail("%s: expected an array over ranks, got %s", name, check.show(A)) end
  npy.check_dtype(A.block, name)
  if core.is_preparing() then return end
  if path:sub(-4) ~= ".npy" and not core.file_is_special(path) then path = path .. ".npy" end
  core.check_waiting(name)
  local header, made, file = npy.header(A.dtype, A.shape, false), create(A, path, name)
  if made then made:write(header) end
  if is_writer(A) then write_block(file, A, #header, name) end
  if not made then file:commit() end
  A.comm:barrier()
  if made then made:commit() end
  A.comm:barrier()
end

return M
