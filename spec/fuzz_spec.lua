--- Random calls of everything the catalog knows succeed or raise one line of cuna's: spec/support/fuzz.lua makes
--- them. They run in a process of their own, whose end would be a finding, too.
--
-- Most calls are rehearsed, as cn.prepare does: nothing is compiled, and thousands take seconds. The others compute.
local devices = require "spec.support.devices"
local process = require "spec.support.process"

local SCRIPT = [[
  package.path = %q .. "/?.lua;" .. package.path
  local cn = require "cuna"
  local log = io.open("last", "w")
  local count = 0
  require("spec.support.fuzz").run {
    device = cn.device(%q), seed = %d, rounds = %d, rehearse = %s, most_s = 15,
    begin = function(call)
      log:seek("set", 0)
      log:write(call:gsub("%%c", "?"):sub(1, 400), "\n", (" "):rep(400))
      log:flush()
    end,
    report = function(what, call)
      count = count + 1
      if count <= 20 then print((what .. "\n    " .. call):sub(1, 400)) end
    end,
  }
  os.remove "last"
]]

--- What a run finds; where it does not come to its end, the call that it was at.
local function findings(device, rounds, rehearsed)
  local folder, seed = process.folder(), tonumber(os.getenv "CUNA_SEED") or 1
  process.write(folder .. "/fuzz.lua", SCRIPT:format(process.root, device.name, seed, rounds, tostring(rehearsed)))
  local text, status = process.capture(("cd %s && timeout 300 %s"):format(folder,
    process.command(folder .. "/fuzz.lua", {CUNA_DEVICE = device.name, CUNA_MEMORY_LIMIT = "100000000"})))
  if status ~= 0 then
    text = ("%sexit status %d at %s"):format(text, status, (process.shell("cat " .. folder .. "/last")))
  end
  process.remove(folder)
  return text
end

devices.each_device(function(device)
  it("random calls of the whole interface succeed or raise one line", function()
    assert.equal("", findings(device, 24, true))
  end)
end)

it("random calls that compute do so, too", function()
  assert.equal("", findings({name = "cpu"}, 1, false))
end)
