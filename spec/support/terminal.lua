--- Programs at a terminal: a pseudo-terminal that a spec writes to, reads from and closes.
local ffi = require "ffi"
local process = require "spec.support.process"

ffi.cdef [[
int posix_openpt(int flags);
int grantpt(int fd);
int unlockpt(int fd);
char *ptsname(int fd);
int close(int fd);
long read(int fd, void *buffer, size_t nbytes);
long write(int fd, const void *buffer, size_t nbytes);
struct terminal_poll { int fd; short events, revents; };
int poll(struct terminal_poll *fds, unsigned long nfds, int timeout_ms);
]]

local M = {}
local Terminal = {}
Terminal.__index = Terminal

local FLAGS = 2 + 256 + 524288 -- O_RDWR, O_NOCTTY, O_CLOEXEC
local LOOK_MS, PATIENCE = 50, 400

--- Starts a shell command at a new terminal, whose foreground it is. It ignores SIGHUP: what ends it when the terminal
--- is closed is what it reads.
function M.open(command)
  local C = ffi.C
  local master = C.posix_openpt(FLAGS)
  assert(master >= 0 and C.grantpt(master) == 0 and C.unlockpt(master) == 0, "no pseudo-terminal")
  local self = setmetatable({master = master, name = ffi.string(C.ptsname(master)), text = ""}, Terminal)
  self.keeper = assert(io.open(self.name, "r+")) -- it stays when the program ends
  self.folder = process.folder()
  self.modes = self:stty()
  local script = "trap '' HUP; echo $$ >%s/pid; exec " .. command
  os.execute(("setsid --ctty sh -c %s <%s >%s 2>&1 &"):format(process.quote(script:format(self.folder)), self.name,
    self.name))
  return self
end

--- The terminal's modes, as a text.
function Terminal:stty() return (process.shell("stty -g <" .. self.name)) end

--- Reads what is there, after waiting a little.
function Terminal:read()
  local fds, buffer = ffi.new("struct terminal_poll[1]", {{self.master, 1, 0}}), ffi.new "char[4096]"
  if ffi.C.poll(fds, 1, LOOK_MS) <= 0 then return end
  local count = tonumber(ffi.C.read(self.master, buffer, 4096))
  if count > 0 then self.text = self.text .. ffi.string(buffer, count) end
end

--- Types, and waits for a pattern in what the program writes from then on, without what moves the cursor and colours;
--- returns its captures.
function Terminal:type(text, pattern)
  self.text = ""
  ffi.C.write(self.master, text, #text)
  return self:expect(pattern)
end

function Terminal:expect(pattern)
  for _ = 1, PATIENCE do
    self:read()
    local found = {(self.text:gsub("\27%[[%d;?]*%a", ""):gsub("\r", "")):match(pattern)}
    if found[1] then return unpack(found) end
  end
  error(("no %s in %q"):format(pattern, self.text), 2)
end

--- Whether the program runs; one that has ended may wait for its parent to notice.
function Terminal:is_running()
  local pid = process.read(self.folder .. "/pid"):match "%d+"
  local status = io.open("/proc/" .. pid .. "/status")
  local text = status and status:read "*a" or ""
  if status then status:close() end
  return text:find "State:%s+[^Z%s]" ~= nil
end

--- Waits for the program to end by itself.
function Terminal:has_ended()
  for _ = 1, PATIENCE do
    if not self:is_running() then return true end
    if self.master then self:read() else process.shell "sleep 0.05" end
  end
  return false
end

--- Takes the terminal away from the program.
function Terminal:hang_up()
  if self.keeper then self.keeper:close() end
  if self.master then ffi.C.close(self.master) end
  self.keeper, self.master = nil, nil
end

--- Ends everything.
function Terminal:close()
  self:hang_up()
  process.shell("kill -9 $(cat " .. self.folder .. "/pid) 2>/dev/null")
  process.remove(self.folder)
end

return M
