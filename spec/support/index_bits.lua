--- The width of positions in the kernels of a call. Results do not show it; the trace of the kernels that ran does.
local core = require "cuna.core"

local M = {}

--- Runs fn(...); answers the names of operations that were launched with kernels of 64 bits, and of 32 bits: in order,
--- with a blank before and behind each.
---@return string wide
---@return string narrow
function M.names(fn, ...)
  local trace, lists, seen = core.trace_begin(), {[0] = {}, [32] = {}, [64] = {}}, {}
  local ok, problem = pcall(fn, ...)
  for i = 1, (core.trace_end(trace)) do
    local record = {core.trace_record(trace, i)}
    local name, bits = record[2], record[11]
    if not seen[name .. bits] then table.insert(lists[bits], name) end
    seen[name .. bits] = true
  end
  assert(ok, problem)
  local texts = {}
  for _, bits in ipairs {64, 32} do
    table.sort(lists[bits])
    texts[#texts + 1] = " " .. table.concat(lists[bits], " ") .. " "
  end
  return unpack(texts)
end

--- Runs fn(...) in a process whose text a spec reads, and prints the names in two lines behind what fn prints.
function M.print(fn, ...)
  local wide, narrow = M.names(fn, ...)
  io.write("64 bits:", wide, "\n32 bits:", narrow, "\n")
end

--- Takes the lines of M.print off the end of a text; answers what stands before, and the names as M.names does.
function M.split(text) return assert(text:match "^(.-)\n?64 bits:([^\n]*)\n32 bits:([^\n]*)\n*$") end

--- Asserts that all kernels of operations, which ran, counted with 64 bits.
---@param text string with the lines of M.print
---@param operations string[]
---@return string text without these lines
function M.assert_wide(text, operations)
  local rest, wide, narrow = M.split(text)
  for _, name in ipairs(operations) do
    assert(wide:find(" " .. name .. " ", 1, true), name .. " did not count with 64 bits; those that did:" .. wide)
    assert(not narrow:find(" " .. name .. " ", 1, true), name .. " counted with 32 bits as well")
  end
  return rest
end

return M
