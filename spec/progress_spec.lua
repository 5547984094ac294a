-- cn.progress: what loops get, what the terminal shows and how often, and silence elsewhere.
local cn = require "cuna"
local ffi = require "ffi"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local terminal = require "cuna.base.terminal"
local terminals = require "spec.support.terminal"

ffi.cdef "int usleep(unsigned int microseconds);"

--- Calls fn as at a terminal of some columns; returns what it writes, in pieces.
local function at_terminal(columns, fn)
  local is_terminal, size, stderr, pieces = terminal.is_terminal, terminal.size, io.stderr, {}
  terminal.is_terminal, terminal.size = function() return true end, function() return columns, 24 end
  io.stderr = {write = function(_, text) pieces[#pieces + 1] = text end} -- luacheck: ignore
  local ok, problem = pcall(fn)
  terminal.is_terminal, terminal.size, io.stderr = is_terminal, size, stderr -- luacheck: ignore
  assert(ok, problem)
  return pieces
end

describe("cn.progress", function()
  it("passes on counts, elements, rows, and what iterators give", function()
    local got = {}
    for i in cn.progress(3) do got[#got + 1] = i end
    for k, v in cn.progress {"a", "b"} do got[#got + 1] = k .. v end
    for k, row in cn.progress(cn.array {{1, 2}, {3, 4}}) do got[#got + 1] = k .. tostring(row) end
    for k, v in cn.progress(pairs {x = 5}) do got[#got + 1] = k .. v end
    for word in cn.progress(("c d"):gmatch "%a", {total = 2}) do got[#got + 1] = word end
    for _ in cn.progress(0) do got[#got + 1] = "never" end
    assert.same({1, 2, 3, "1a", "2b", "1[1. 2.]", "2[3. 4.]", "x5", "c", "d"}, got)
  end)

  it("counts the steps that are done", function()
    local bar = cn.progress(3)
    local counts = {}
    for _ in bar do counts[#counts + 1] = bar.count end
    assert.same({0, 1, 2}, counts)
    assert.equal("Progress(3 of 3)", tostring(bar))
    assert.equal(5, cn.progress(10):step(2):step(3).count)
  end)

  it("shows a line, at most ten times a second", function()
    local started
    local pieces = at_terminal(80, function()
      started = cn.clock()
      for _ in cn.progress(50, {label = "work"}) do ffi.C.usleep(6000) end
    end)
    assert.is_true(#pieces >= 3 and #pieces <= 10 * (cn.clock() - started) + 2, #pieces)
    assert.has.match("^\rwork: +%d+%% %[#+ +%] %d+/50 %[0:%d%d<0:%d%d, %d+/s%] *$", pieces[1])
    assert.has.match("^\rwork: 100%% %[#+%] 50/50 %[0:%d%d, %d+/s%] *\n$", pieces[#pieces])
    for _, text in ipairs(pieces) do assert.is_true(#text <= 81) end
  end)

  it("shows only counts and rate where the end is not known", function()
    local pieces = at_terminal(80, function()
      for _ in cn.progress(("x"):rep(30):gmatch "x") do ffi.C.usleep(5000) end
    end)
    assert.has.match("^\r%d+ %[0:00, %d+/s%]$", pieces[1])
  end)

  it("fits narrow terminals, and erases its line", function()
    local pieces = at_terminal(30, function()
      for _ in cn.progress(30, {label = "a long label", leave = false}) do ffi.C.usleep(5000) end
    end)
    assert.equal(29, #pieces[1] - 1)
    assert.has.match("^\r +\r$", pieces[#pieces])
  end)

  it("writes nothing where a loop of no time is erased", function()
    assert.same({}, at_terminal(80, function() for _ in cn.progress(100, {leave = false}) do end end))
  end)

  it("writes the last line once, also when it is closed", function()
    local pieces = at_terminal(80, function()
      local bar = cn.progress(4)
      for i in bar do if i == 2 then break end end
      bar:close()
      bar:close()
    end)
    assert.equal(1, #pieces)
    assert.has.match(" 1/4 %[0:00<%?, %? /s%]\n$", pieces[1])
  end)

  it("is seen at a real terminal, and not in a pipe", function()
    local code = 'for _ in require("cuna").progress(2) do end'
    local command = ("env CUNA_DEVICE=cpu %s -e %s"):format(process.launcher, process.quote(code))
    local opened = terminals.open(command)
    assert.equal("2", (opened:expect "100%% %[#+%] (2)/2 %["))
    opened:close()
    local pipe = io.popen(command .. " 2>&1")
    assert.equal("", (pipe:read "*a"))
    pipe:close()
  end)

  it("raises errors", function()
    raises("progress: expected a number, an array, a table or an iterator, got \"x\"", function() cn.progress "x" end)
    raises("progress: n is a count, got -1", function() cn.progress(-1) end)
    raises("progress: unknown option 'lable'; known are label, leave, total", function()
      cn.progress(3, {lable = ""})
    end)
    raises("progress: label is a string, got 5", function() cn.progress(3, {label = 5}) end)
    raises("progress: an array of no axes has no rows", function() cn.progress(cn.array(3)) end)
    raises("a progress has no method 'stop'; did you mean 'step'?", function() cn.progress(3):stop() end)
  end)
end)
