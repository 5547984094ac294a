--- root.lua: what rank 0 does for all: they get its result, or raise its error.
local check = require "cuna.base.check"

local M = {}

--- The result of fn() on rank 0, on all ranks: one share. An error there is raised by all of them, as one of `name`.
---@param fn fun(): any a value that comm:share takes
function M.run(comm, name, fn)
  local answer
  if comm.rank == 0 then
    local ok, result = pcall(fn)
    answer = ok and {value = result} or {problem = tostring(result):gsub("^.-cuna: ", "")}
  end
  answer = comm:share(answer)
  if not answer.problem then return answer.value end
  if answer.problem:sub(1, #name) == name then check.fail("%s", answer.problem) end
  check.fail("%s: %s", name, answer.problem)
end

return M
