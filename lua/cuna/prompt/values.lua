--- values.lua: what the prompt prints for values: tables by their entries, all else as print does.
local M = {}

local MOST = 20  -- entries of a table
local DEEPEST = 3 -- tables in tables
local WIDTH = 100

local function is_name(key)
  return type(key) == "string" and key:find "^[%a_][%w_]*$" ~= nil
end

--- A table is printed by its entries unless it has a text of its own.
local function has_text(value)
  if type(value) ~= "table" then return true end
  local meta = debug.getmetatable(value)
  return type(meta) == "table" and rawget(meta, "__tostring") ~= nil
end

local function plain(value, is_inner)
  if is_inner and type(value) == "string" then return ("%q"):format(value):gsub("\\\n", "\\n") end
  return tostring(value)
end

--- The keys that are not positions, names first.
local function other_keys(value, length)
  local keys = {}
  for key in next, value do
    local is_position = type(key) == "number" and key >= 1 and key <= length and key % 1 == 0
    if not is_position then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) == "string" end
    if type(a) == "string" or type(a) == "number" then return a < b end
    return tostring(a) < tostring(b)
  end)
  return keys
end

local text_of

local function entries_of(value, depth, above)
  local entries, length = {}, 0
  while rawget(value, length + 1) ~= nil do length = length + 1 end
  local keys = other_keys(value, length)
  for i = 1, math.min(length, MOST) do entries[i] = text_of(rawget(value, i), depth, above) end
  for _, key in ipairs(keys) do
    if #entries == MOST then break end
    local name = is_name(key) and key or "[" .. plain(key, true) .. "]"
    entries[#entries + 1] = name .. " = " .. text_of(rawget(value, key), depth, above)
  end
  local left = length + #keys - #entries
  if left > 0 then entries[#entries + 1] = ("... and %d more"):format(left) end
  return entries
end

--- The text of a value inside others, `above`.
function text_of(value, depth, above)
  if has_text(value) then return plain(value, depth > 0) end
  if above[value] then return "{the table above}" end
  if depth == DEEPEST then return next(value) == nil and "{}" or "{...}" end
  above[value] = true
  local entries = entries_of(value, depth + 1, above)
  above[value] = nil
  local line = "{" .. table.concat(entries, ", ") .. "}"
  if #line <= WIDTH and not line:find "\n" then return line end
  local indent = ("  "):rep(depth + 1)
  return "{\n" .. indent .. table.concat(entries, ",\n" .. indent) .. "\n" .. ("  "):rep(depth) .. "}"
end

--- The text of a value. It never fails.
---@param value any
---@return string
function M.text(value)
  local printable, text = pcall(text_of, value, 0, {})
  return printable and text or "(cannot be printed: " .. tostring(text) .. ")"
end

return M
