--- The devices that specs of array behaviour run on.
local busted = require "busted" -- the words of a spec file are not known outside it
local cn = require "cuna"
local core = require "cuna.core"
local testing = require "cuna.testing"

local M = {}

--- Names of the devices that this machine has; the cpu device is everywhere.
function M.names()
  local names = { "cpu" }
  if pcall(cn.device, "cuda:0") then names[#names + 1] = "cuda:0" end
  return names
end

--- Describes `block(device)` once per device, which is current in the tests of the block.
function M.each_device(block)
  for _, name in ipairs(M.names()) do
    busted.describe("on " .. name, function()
      local device, before = cn.device(name), nil
      busted.setup(function()
        before = cn.device()
        device:use()
      end)
      busted.teardown(function() before:use() end)
      block(device)
    end)
  end
end

--- Compiles together the kernels that fn needs, on a device whose programs wait for them; as a part of a preparation
--- that runs, with those of the others. On the cpu device fn will run on loops: what is about its kernels calls
--- cn.prepare.
function M.prepare(fn, ...)
  if core.is_preparing() then return fn(...) end
  if os.getenv "CUNA_COMPILE" == "wait" or not core.is_host(cn.device()) then cn.prepare(fn, ...) end
end

-- Assertions that hold whatever they say; those that compare arrays take the kernels for that.
local lenient = {}
local comparing = {
  array_equal = function(...) return pcall(testing.why_not_array_equal, ...) end,
  allclose = function(...) return pcall(testing.why_not_allclose, ...) end,
}
setmetatable(lenient, {
  __index = function(_, name) return comparing[name] or lenient end,
  __call = function(_, ...) return ... end,
})

-- Runs a test as far as it comes without values, with assertions that hold whatever they say.
local function try(fn)
  local words = getfenv(fn)
  local own = rawget(words, "assert")
  words.assert = lenient
  pcall(fn)
  words.assert = own
end

--- Compiles together what functions need: rehearses them by `prepare` (M.prepare, or cn.prepare). What does not compile
--- fails again in the test itself.
function M.rehearse(fns, prepare)
  pcall(prepare or M.prepare, function()
    for _, fn in ipairs(fns) do
      try(fn)
    end
  end)
end

--- `it` for tests that are rehearsed first: all that stand in one block, when the first of them runs.
function M.rehearsed_it(prepare)
  local waiting = {}
  return function(name, fn)
    waiting[#waiting + 1] = fn
    busted.it(name, function()
      local fns = waiting
      waiting = {}
      if #fns > 0 then M.rehearse(fns, prepare) end
      fn()
    end)
  end
end

return M
