--- npz.lua: several arrays in one zip archive, NumPy's .npz: an object that reads them on access, and the function that
--- writes them.
local check = require "cuna.base.check"
local npy = require "cuna.io.npy"
local suggest = require "cuna.base.suggest"
local zip = require "cuna.io.zip"

local M = {}

local fail = check.fail
local STATE = {} -- the key of an object's state, which differs from all names
local methods = {}

--- The arrays of an .npz file. npz.x and npz["x"] read the array of this name from the file at each access. The file
--- stays open until npz:close(), or until the garbage collector frees the object. If a name is also the name of a
--- method, use npz:read(name).
---@class cuna.Npz

local function state_of(npz, name)
  local state = type(npz) == "table" and rawget(npz, STATE)
  if not state then fail("%s: a function of an .npz file is called with a colon: npz:%s()", name, name) end
  return state
end

-- Words of Python's for methods.
local WORDS = {files = "npz:names()", keys = "npz:names()", items = "npz:iter()", values = "npz:iter()"}

--- Reads an array by its name, which may be that of a method.
---@param name string
---@return cuna.Array
---@usage cn.load("spec/golden/files/two.npz"):read("x") --> [0 1 2]
function methods.read(npz, name)
  local state = state_of(npz, "read")
  local file, member = state.file, state.by_name[name]
  if state.closed then fail("%s: the file is closed", file:label()) end
  if not member then
    local near = WORDS[name] or type(name) == "string" and suggest.find(name, state.by_name)
    fail("%s: there is no array '%s'%s; there %s", file:label(), tostring(name),
      near and (", did you mean '%s'?"):format(near) or "",
      #state.names == 0 and "is none" or "are " .. table.concat(state.names, ", "))
  end
  zip.begin_member(file, member)
  local header = npy.read_header(file, file:read(#npy.MAGIC))
  if header.length + header.nbytes ~= member.nbytes then
    fail("%s: '%s' has %.0f bytes, and its array needs %.0f", file:label(), member.name, member.nbytes,
      header.length + header.nbytes)
  end
  local x = npy.read_elements(file, header, "load")
  zip.end_member(file, member)
  return x
end

--- The names of the arrays, in file order.
---@return string[]
---@usage table.concat(cn.load("spec/golden/files/two.npz"):names(), " ") --> x y
function methods.names(npz)
  local list = {}
  for k, name in ipairs(state_of(npz, "names").names) do list[k] = name end
  return list
end

--- Whether the file has an array of this name.
---@param name string
---@return boolean
---@usage cn.load("spec/golden/files/two.npz"):has("z") --> false
function methods.has(npz, name) return state_of(npz, "has").by_name[name] ~= nil end

--- An iterator over names and arrays, which reads each array when it reaches it.
---@return function
---@usage (function(n) for _, x in cn.load("spec/golden/files/two.npz"):iter() do n = n + #x end return n end)(0) --> 5
function methods.iter(npz)
  local names, k = state_of(npz, "iter").names, 0
  return function()
    k = k + 1
    if names[k] then return names[k], methods.read(npz, names[k]) end
  end
end

--- Closes the file; arrays read before remain valid.
---@usage cn.load("spec/golden/files/two.npz"):close() -->
function methods.close(npz)
  local state = state_of(npz, "close")
  state.closed = true
  state.file:close()
end

local metatable = {}

function metatable.__index(npz, name) return methods[name] or methods.read(npz, name) end

function metatable.__newindex() fail "an .npz file that was loaded is only read; write one with cn.savez" end

function metatable.__tostring(npz)
  local state = state_of(npz, "tostring")
  return ("%s with %s"):format(state.file:label():gsub("^load: ", ""), table.concat(state.names, ", "))
end

local MAX_TEXT = 4096 -- bytes of a member with a text

--- Reads a text, which NumPy has as bytes: an array of no axes and dtype "S".
---@param npz cuna.Npz
---@param name string
---@return string
function M.read_text(npz, name)
  local state = state_of(npz, "read_text")
  local file, member = state.file, state.by_name[name]
  if not member then fail("%s: there is no text '%s'", file:label(), name) end
  if member.nbytes > MAX_TEXT then fail("%s: '%s' is too long for a name", file:label(), name) end
  zip.begin_member(file, member)
  local bytes = file:read(member.nbytes)
  zip.end_member(file, member)
  local length = tonumber(bytes:match "^\147NUMPY.-'descr': '|S(%d+)'.-'shape': %(%)")
  if not length or length > #bytes then fail("%s: '%s' has numbers, and a text is expected", file:label(), name) end
  return (bytes:sub(#bytes - length + 1):gsub("%z+$", ""))
end

--- Header and bytes of an array, or of a text.
local function lay_out(value)
  if type(value) == "string" then return npy.text_header(#value), value end
  return npy.lay_out(value)
end

--- The object of an open file.
function M.open(file)
  local state = {file = file, names = {}, by_name = {}}
  for _, member in ipairs(zip.read_directory(file)) do
    local name = member.name:match "^(.+)%.npy$"
    if name then
      if state.by_name[name] then fail("%s: the archive has '%s' twice", file:label(), member.name) end
      state.by_name[name], state.names[#state.names + 1] = member, name
    end
  end
  return setmetatable({[STATE] = state}, metatable)
end

--- Writes arrays by name, after checks by M.check_name and npy.check_dtype; strings as NumPy's texts.
---@param names string[]
---@param arrays table<string, cuna.Array|string>
function M.write(file, names, arrays, deflated, what)
  local members = {}
  for k, name in ipairs(names) do
    local header, laid = lay_out(arrays[name])
    local is_text = type(laid) == "string"
    local nbytes = #header + (is_text and #laid or laid.nbytes)
    members[k] = zip.write_member(file, name .. ".npy", nbytes, deflated, function()
      file:write(header)
      if is_text then file:write(laid) else npy.write_elements(file, laid, what) end
    end)
  end
  zip.write_directory(file, members)
end

--- Rejects invalid names of members.
function M.check_name(name, what)
  if name == "" or #name > 60000 or name:find("\0", 1, true) then
    fail("%s: %q is not a name for an array", what, name)
  end
end

M.methods = methods

return M
