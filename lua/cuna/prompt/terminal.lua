--- terminal.lua: waits for input of a terminal, and reads lines where no library edits them.
--
-- All waiting is done here, by poll: a Ctrl-C is noticed at once, and so is a terminal that has gone away, from which
-- a library might read forever.
local core = require "cuna.core"
local ffi = require "ffi"
local terminal = require "cuna.base.terminal"

ffi.cdef [[
struct cuna_prompt_poll { int fd; short events, revents; };
int poll(struct cuna_prompt_poll *fds, unsigned long nfds, int timeout_ms);
long read(int fd, void *buffer, size_t nbytes);
]]

local M = {}

local INPUT, READY, GONE = 0, 1, 8 + 16 + 32 -- POLLIN; POLLERR, POLLHUP, POLLNVAL
local LOOK_MS = 1000 -- a Ctrl-C right before poll is noticed after that
local EINTR = 4

--- Waits for input: "ready", "interrupted", or "ended" when there will be none. A pipe that is closed is ready until
--- all is read; a terminal that is closed has nothing to say.
---@return string
function M.wait()
  local fds = ffi.new("struct cuna_prompt_poll[1]", {{INPUT, READY, 0}})
  while true do
    if core.take_interrupt() then return "interrupted" end
    local count = ffi.C.poll(fds, 1, LOOK_MS)
    if count < 0 and ffi.errno() ~= EINTR then return "ended" end
    if count > 0 then
      local is_ready, is_gone = bit.band(fds[0].revents, READY) ~= 0, bit.band(fds[0].revents, GONE) ~= 0
      if is_gone and (not is_ready or M.was_terminal) then return "ended" end
      return "ready"
    end
  end
end
jit.off(M.wait) -- a handler of signals runs in it

M.is_terminal = terminal.is_terminal
M.was_terminal = M.is_terminal(INPUT) -- isatty does not know a terminal that has gone

local rest, buffer = "", ffi.new "char[4096]"

--- Reads a line: nil at the end of the input, false after Ctrl-C, which gives up what was typed.
---@param prompt string
---@return string|nil|false
function M.read(prompt)
  io.write(prompt)
  io.flush()
  while not rest:find "\n" do
    local state = M.wait()
    if state == "interrupted" then
      rest = ""
      io.write "\n"
      return false
    end
    local count = state == "ready" and tonumber(ffi.C.read(INPUT, buffer, 4096)) or 0
    if count < 0 and ffi.errno() ~= EINTR then count = 0 end
    if count == 0 then
      local last = rest ~= "" and rest or nil
      rest = ""
      return last
    end
    if count > 0 then rest = rest .. ffi.string(buffer, count) end
  end
  local line
  line, rest = rest:match "^([^\n]*)\n(.*)$"
  return line
end

return M
