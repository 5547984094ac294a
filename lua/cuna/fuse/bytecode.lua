--- bytecode.lua: properties of a closure that its bytecode shows before the closure runs.
--
-- A number's symbol cannot be the key of a table, and a tail call leaves no line for an error message. The bytecode
-- shows both. LuaJIT does not export the numbers of its opcodes to Lua, so they are read from small functions that
-- contain them.
local M = {}

local has_util, util = pcall(require, "jit.util")
local INDEX, STORE, CALL = {}, {}, {}

local function opcode(fn, pc)
  local ins = util.funcbc(fn, pc)
  return ins and bit.band(ins, 0xff)
end

if has_util then
  INDEX = opcode(loadstring "local a, b = ... local c = a[b]", 2)
  STORE = opcode(loadstring "local a, b = ... a[b] = a", 2)
  CALL = opcode(loadstring "local a = ... return a()", 3)
end

--- Whether a function, or one inside it, indexes by a variable, whose value could be a number's symbol.
function M.indexes_by_variable(fn)
  if not has_util then return true end
  local info = util.funcinfo(fn)
  for pc = 0, (info.bytecodes or 1) - 1 do
    local op = opcode(fn, pc)
    if op == INDEX or op == STORE then return true end
  end
  for k = -1, -(info.gcconsts or 0), -1 do
    local constant = util.funck(fn, k)
    if type(constant) == "proto" and M.indexes_by_variable(constant) then return true end
  end
  return false
end

--- The line of a closure's only tail call, for errors raised there; else the line where the closure begins.
function M.line_of(fn)
  local line
  local info = has_util and util.funcinfo(fn)
  for pc = 0, (info and info.bytecodes or 1) - 1 do
    if has_util and opcode(fn, pc) == CALL then
      if line then return debug.getinfo(fn, "S").linedefined end
      line = util.funcinfo(fn, pc).currentline
    end
  end
  return line or debug.getinfo(fn, "S").linedefined
end

return M
