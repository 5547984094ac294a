--- Makes luassert, and so busted, know arrays: `require "cuna.luassert"` once, for example in busted's helper.
--
-- `assert.allclose(actual, expected, options)`, `assert.array_equal(actual, expected)` and `assert.has_shape(x, ...)`
-- with their negations `assert.is_not.allclose` and so on; arrays in messages of any assertion show type and values.
local core = require "cuna.core"
local luassert = require "luassert"
local say = require "say"
local testing = require "cuna.testing"

local M = {}

local function array_text(x)
  if core.is_array(x) then return ("%s array:\n%s"):format(x.dtype, tostring(x)) end
end

--- Registers one assertion from a function that returns why it fails, or nil.
local function register(name, why_not, expects_few)
  local function holds(state, arguments)
    local message = why_not(unpack(arguments, 1, arguments.n))
    if state.mod and message then state.failure_message = message end
    return message == nil
  end
  say:set("assertion." .. name .. ".negative", "Expected arrays not to satisfy " .. name .. ":\n%s" .. expects_few)
  luassert:register("assertion", name, holds, "assertion." .. name .. ".positive", "assertion." .. name .. ".negative")
end

register("allclose", testing.why_not_allclose, "\n%s")
register("array_equal", testing.why_not_array_equal, "\n%s")
register("has_shape", testing.why_not_shape, "")
luassert:add_formatter(array_text)

return M
