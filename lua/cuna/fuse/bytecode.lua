--- bytecode.lua: what a function may read and write, as its bytecode shows before it runs.
--
-- LuaJIT does not export the numbers of its opcodes to Lua, so they are read from small functions that contain them.
local M = {}

local has_util, util = pcall(require, "jit.util")

local function opcode_of(ins) return bit.band(ins, 0xff) end

local function opcode(fn, pc) return opcode_of(util.funcbc(fn, pc)) end

local function inner(text) return loadstring("local u return function(a) " .. text .. " end")() end

-- What decides which instructions run, or gives a boolean: conditions and loops. The last text has none of it.
local DECIDING, STRAIGHT = {"if a < b then a = 1 end", "if a <= b then a = 1 end", "if a > b then a = 1 end",
  "if a >= b then a = 1 end", "if a == b then a = 1 end", "if a ~= b then a = 1 end", "if a == 1 then a = 1 end",
  "if a ~= 1 then a = 1 end", "if a == 's' then a = 1 end", "if a ~= 's' then a = 1 end", "if a == nil then a = 1 end",
  "if a ~= nil then a = 1 end", "if a then a = 1 end", "if not a then a = 1 end", "a = a and b", "a = a or b",
  "a = not b", "for i = 1, 2 do a = i end", "while a do a = b end", "repeat a = b until a"}, "a = b a = 1"

local READ_GLOBAL -- the opcode that reads a global
local STORES, FRESH, SETS = {}, {}, {} -- opcodes: of stores to upvalues and globals, of new tables, of stores to tables
local DECIDES = {} -- opcodes of conditions and loops

if has_util then
  READ_GLOBAL = opcode(loadstring "return x", 1)
  STORES[opcode(loadstring "x = 1", 2)] = true
  for _, text in ipairs {"u = a", "u = 's'", "u = 1", "u = nil"} do STORES[opcode(inner(text), 1)] = true end
  for _, text in ipairs {"local t = {}", "local t = {1}"} do FRESH[opcode(loadstring(text), 1)] = true end
  for _, text in ipairs {"a[b] = a", "a.x = a", "a[1] = a"} do
    SETS[opcode(loadstring("local a, b = ... " .. text), 2)] = true
  end
  for k = 1, #DECIDING + 1 do
    local fn, is_deciding = loadstring("local a, b = ... " .. (DECIDING[k] or STRAIGHT)), DECIDING[k] and true or nil
    for pc = 0, util.funcinfo(fn).bytecodes - 1 do DECIDES[opcode(fn, pc)] = is_deciding end
  end
end

local WRITES_A, WRITES_FROM_A = 1, 2 -- what an instruction does to its first register, or to those from there on

--- Notes a store unless its table is one that the function has just made.
local function note_set(found, ins, fresh)
  if not fresh[bit.rshift(ins, 24)] then found.sets = true end
end

local function note_register(ins, mode, fresh)
  local op, register, kind = opcode_of(ins), bit.band(bit.rshift(ins, 8), 0xff), bit.band(mode, 7)
  if kind == WRITES_FROM_A then
    for r in pairs(fresh) do
      if r >= register then fresh[r] = nil end
    end
  elseif kind == WRITES_A then
    fresh[register] = FRESH[op] or nil
  end
end

local function scan(found, fn)
  local fresh, info = {}, util.funcinfo(fn)
  for pc = 0, (info.bytecodes or 1) - 1 do
    local ins, mode = util.funcbc(fn, pc)
    local op = opcode_of(ins)
    if op == READ_GLOBAL then found.globals[util.funck(fn, -bit.rshift(ins, 16) - 1)] = true end
    if STORES[op] then found.stores = true end
    if DECIDES[op] then found.decides = true end
    if SETS[op] then note_set(found, ins, fresh) end
    note_register(ins, mode, fresh)
  end
  for k = -1, -(info.gcconsts or 0), -1 do
    local constant = util.funck(fn, k)
    if type(constant) == "proto" then scan(found, constant) end
    if type(constant) == "string" then found.words[constant] = true end
  end
  return found
end

local known = setmetatable({}, {__mode = "k"})

--- What a function and those inside it do: {globals = names that it reads, words = its strings, both as keys; stores =
--- whether it writes to upvalues or globals, sets = to tables that it has not made itself, decides = whether it has
--- conditions or loops}. Nil without jit.util.
---@param fn function
---@return table|nil
function M.read(fn)
  if has_util and not known[fn] then known[fn] = scan({globals = {}, words = {}}, fn) end
  return known[fn]
end

return M
