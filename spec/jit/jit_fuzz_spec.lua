--- Random functions as kernels: what they compute is, bit for bit, what Lua computes.
--
-- Numbers are small multiples of 1/4 and quotients are by powers of two, so that every result is exact and there is one
-- right answer, however it is computed. The seed is fixed: a failure comes again.
local cn = require "cuna"
local devices = require "spec.support.devices"

local FUNCTIONS, STATEMENTS, SEED = 6, 24, 20

local state = SEED
--- A whole number from 1 to n.
local function draw(n)
  state = (state * 16807) % 2147483647
  return math.floor(state / 65536) % n + 1
end

local function pick(list) return list[draw(#list)] end

local expression, condition

local NUMBER = {
  function() return pick { "a", "b", "i", "j", "n", "s" } end,
  function() return pick { "a", "b", "i", "j", "n", "s" } end,
  function() return tostring(draw(5) - 3) end,
  function() return pick { "0.5", "1.25", "2.0", "-0.75" } end,
  function(depth)
    return ("(%s %s %s)"):format(expression(depth), pick { "+", "-", "*" }, pick { "a", "i", "2", "0.5" })
  end,
  function(depth) return ("(%s %s %s)"):format(expression(depth), pick { "+", "-" }, expression(depth)) end,
  function(depth) return ("%s / %s"):format(expression(depth), pick { "2", "4", "0.5" }) end,
  function(depth) return ("%s %% %s"):format(expression(depth), pick { "3", "0.75", "-2", "i" }) end,
  function(depth) return ("-(%s)"):format(expression(depth)) end,
  function(depth) return ("math.%s(%s)"):format(pick { "floor", "ceil", "abs" }, expression(depth)) end,
  function(depth) return ("math.%s(%s, %s)"):format(pick { "min", "max" }, expression(depth), expression(depth)) end,
  function(depth) return ("((%s) and (%s) or (%s))"):format(condition(depth), expression(depth), expression(depth)) end,
  function(depth) return ("helper(%s, %s)"):format(expression(depth), expression(depth)) end,
  function() return ("bit.%s(i, %s)"):format(pick { "band", "bor", "bxor" }, pick { "j", "6", "n" }) end,
}

function expression(depth)
  if depth == 0 then return NUMBER[draw(4)]() end
  return "(" .. pick(NUMBER)(depth - 1) .. ")"
end

function condition(depth)
  local left = ("%s %s %s"):format(expression(depth), pick { "<", "<=", ">", ">=", "==", "~=" }, expression(depth))
  local more = draw(4)
  if more == 1 then return ("not (%s)"):format(left) end
  if more == 2 and depth > 0 then return ("%s %s %s"):format(left, pick { "and", "or" }, condition(depth - 1)) end
  return left
end

local STATEMENT = {
  function(k) return ("out[%d] = %s"):format(k, expression(3)) end,
  function(k) return ("if %s then out[%d] = %s else out[%d] = 1 end"):format(condition(2), k, expression(2), k) end,
  function(k) return ("for v = 1, %s do out[%d] = out[%d] + v * (%s) end"):format(pick { "j", "3", "i" }, k, k,
    expression(1)) end,
  function(k) return ("s = %s out[%d] = s"):format(expression(2), k) end,
  function(k) return ("do local i = %s out[%d] = i end"):format(expression(2), k) end,
}

local function random_function()
  local lines = { "function(out, a, b, i, j)", "local s, n = 0.25, 7",
    "local function helper(u, v) if u < v then return v - u end return u + 1 end" }
  for k = 1, STATEMENTS do lines[#lines + 1] = pick(STATEMENT)(k) end
  lines[#lines + 1] = "end"
  return table.concat(lines, "\n")
end

local ARGUMENTS = { { 1.5, -0.25, 3, 2 }, { -2.75, 4.5, 5, 1 }, { 0.25, 0.5, 2, 4 } }

devices.each_device(function()
  it("random functions are what they are in Lua", function()
    for _ = 1, FUNCTIONS do
      local text = random_function()
      local fn, kernel = assert(loadstring("return " .. text))(), cn.jit.rawkernel(text)
      for _, given in ipairs(ARGUMENTS) do
        local expected, out = {}, cn.zeros(STATEMENTS)
        for k = 1, STATEMENTS do expected[k] = 0 end
        fn(expected, unpack(given))
        kernel(1, 1, { out, unpack(given) })
        local got = out:totable()
        for k = 1, STATEMENTS do
          if got[k] ~= expected[k] then
            error(("out[%d] is %.17g, in Lua %.17g, for (%s) in\n%s"):format(k, got[k], expected[k],
              table.concat(given, ", "), text))
          end
        end
      end
    end
  end)
end)
