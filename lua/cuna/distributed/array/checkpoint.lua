--- checkpoint.lua: the state of a job in a folder, from which it starts again.
--
-- A checkpoint is a folder with the number of a step: an .npy file for each array, and `state`, Lua values as bytes.
-- Ranks write into `new`; rank 0 renames it when all have written, so a folder with a number is whole. Then it removes
-- the older ones. The one that has the same number is called N.old in between.
local array_files = require "cuna.distributed.array.file"
local check = require "cuna.base.check"
local core = require "cuna.core"
local folders = require "cuna.distributed.folder"
local later = require "cuna.base.later"
local object = require "cuna.distributed.array.object"
local root = require "cuna.distributed.root"
local values = require "cuna.distributed.value"

local files = later.functions "io.files"

local M = {}

local fail = check.fail
local SAVE, LOAD = "distributed.save_checkpoint", "distributed.load_checkpoint"
local MOST_STEPS = 2 ^ 53

local function check_folder(folder, name)
  if type(folder) ~= "string" or folder == "" or folder:find "%z" then
    fail("%s: expected the path of a folder, got %s", name, check.show(folder))
  end
  return folder
end

-- ---- which there are ----

--- The names of whole checkpoints with their steps, the last one first.
local function found(folder)
  local list = {}
  for _, name in ipairs(folders.names(folder) or {}) do
    local digits, old = name:match "^(%d+)(.*)$"
    if digits and (old == "" or old == ".old") then
      list[#list + 1] = {name = name, step = tonumber(digits), is_old = old ~= ""}
    end
  end
  table.sort(list, function(a, b)
    if a.step ~= b.step then return a.step > b.step end
    return not a.is_old and b.is_old
  end)
  return list
end

-- ---- saving ----

--- Divides the state into names of arrays, sorted, and Lua values.
local function divided(state)
  if type(state) ~= "table" or object.is_over(state) then
    fail("%s: expected a table of arrays and values by name, got %s", SAVE, check.show(state))
  end
  local names, rest = {}, {}
  for key, value in pairs(state) do
    if type(key) ~= "string" or not key:find "^%a[%w_]*$" then
      fail("%s: names are letters, digits and _, got %s", SAVE, check.show(key))
    end
    if object.is_over(value) or core.is_array(value) then names[#names + 1] = key else rest[key] = value end
  end
  table.sort(names)
  return names, rest
end

--- The axis that an array over all ranks is split along; false for plain arrays and those over meshes.
local function axis_of(value)
  return object.is_over(value) and not value.mesh and value.layout.axis or false
end

local function write_state(path, text)
  local file = core.file_create(path, SAVE)
  file:write(text)
  file:commit()
end

local function save_array(path, value, comm)
  if object.is_over(value) then return array_files.save(path, value) end
  root.run(comm, SAVE, function() files.save(path, value) end)
end

--- Makes what was written a checkpoint, the only one.
local function finish(folder, step)
  local new, name = folder .. "/new", ("%d"):format(step)
  local path = folder .. "/" .. name
  folders.remove(path .. ".old")
  if folders.names(path) then folders.rename(path, path .. ".old") end
  folders.rename(new, path)
  for _, other in ipairs(found(folder)) do
    if other.name ~= name then folders.remove(folder .. "/" .. other.name) end
  end
end

--- Writes a checkpoint.
function M.save(folder, step, state, comm)
  folder = check_folder(folder, SAVE)
  step = check.count(step, SAVE, "step")
  if step > MOST_STEPS then fail("%s: step is at most 2^53", SAVE) end
  local names, rest = divided(state)
  local axes = {}
  for _, name in ipairs(names) do axes[name] = axis_of(state[name]) end
  local text = values.pack({step = step, axes = axes, values = rest}, SAVE)
  if core.is_preparing() then return end
  core.check_waiting(SAVE)
  local new = folder .. "/new"
  root.run(comm, SAVE, function()
    folders.make(folder)
    folders.remove(new)
    folders.make(new)
    write_state(new .. "/state", text)
  end)
  for _, name in ipairs(names) do save_array(("%s/%s.npy"):format(new, name), state[name], comm) end
  root.run(comm, SAVE, function() finish(folder, step) end)
end

-- ---- loading ----

local function read_state(path)
  local file = core.file_open(path, LOAD)
  local text = file:read(file:size())
  file:close()
  return text
end

--- The last checkpoint in a folder: its state, and its step; nil where there is none.
function M.load(folder, layouts, comm)
  folder = check_folder(folder, LOAD)
  if layouts ~= nil and type(layouts) ~= "table" then
    fail("%s: expected layouts by name, got %s", LOAD, check.show(layouts))
  end
  local last = root.run(comm, LOAD, function()
    local first = found(folder)[1]
    return first and {path = folder .. "/" .. first.name, text = read_state(folder .. "/" .. first.name .. "/state")}
  end)
  if not last then return nil end
  local saved = values.unpack(last.text)
  for name in pairs(layouts or {}) do
    if saved.axes[name] == nil then fail("%s: the checkpoint has no array '%s'", LOAD, tostring(name)) end
  end
  local state, names = saved.values, {}
  for name in pairs(saved.axes) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local path = ("%s/%s.npy"):format(last.path, name)
    local layout = layouts and layouts[name] or saved.axes[name] and {axis = saved.axes[name]}
    state[name] = layout and array_files.load(path, layout, comm) or files.load(path)
  end
  return state, saved.step
end

return M
