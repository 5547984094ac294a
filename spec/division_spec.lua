--- Quotients and rests of whole numbers, against those that are found by single elements.
local cn = require "cuna"
local devices = require "spec.support.devices"
local ffi = require "ffi"

local it = devices.rehearsed_it()

local int64 = ffi.typeof "int64_t"
local LEAST = int64(2 ^ 62) * -2

--- The quotient that is rounded down and its rest, both 0 for a divisor that is 0; the least number by -1 wraps.
local function divided(a, b)
  if b == 0 then return int64(0), int64(0) end
  if b == -1 then return -a, int64(0) end
  local q, rest = a / b, a % b
  if rest ~= 0 and (rest < 0) ~= (b < 0) then q, rest = q - 1, rest + b end
  return q, rest
end

--- Numbers about the ends, about 0, about powers of two and products of them.
local function telling()
  local list = {LEAST, LEAST + 1, -1 - LEAST, -2 - LEAST}
  for _, k in ipairs {0, 1, 2, 3, 7, 10, 1000, 1001, 65535} do
    list[#list + 1], list[#list + 2] = int64(k), int64(-k)
  end
  for power = 20, 62, 3 do
    for off = -1, 1 do
      list[#list + 1], list[#list + 2] = int64(2 ^ power) + off, -int64(2 ^ power) * 7 / 5 + off
    end
  end
  local seed = int64(88172645463325)
  for _ = 1, 40 do
    seed = seed * 6364136223846793005LL + 1442695040888963407LL
    list[#list + 1], list[#list + 2] = seed, seed / int64(2 ^ (#list % 60))
  end
  return list
end

local function same(name, expected, got)
  for i, value in ipairs(expected) do
    if got[i] ~= value then
      assert(int64(got[i]) == value, ("%s %d: %s, expected %s"):format(name, i, tostring(got[i]), tostring(value)))
    end
  end
end

devices.each_device(function()
  describe("int64", function()
    it("is divided exactly by arrays", function()
      local numbers = telling()
      local a, b, q, rest, left = {}, {}, {}, {}, {}
      for _, x in ipairs(numbers) do
        for _, y in ipairs(numbers) do
          local i = #a + 1
          a[i], b[i] = x, y
          q[i], rest[i] = divided(x, y)
          left[i] = rest[i] ~= 0 and (x < 0) ~= (y < 0) and rest[i] - y or rest[i]
        end
      end
      local over, under = cn.array(a, "int64"), cn.array(b, "int64")
      same("floor_divide", q, cn.floor_divide(over, under):totable())
      same("remainder", rest, cn.remainder(over, under):totable())
      same("fmod", left, cn.fmod(over, under):totable())
      local both, rests = cn.divmod(over, under)
      same("divmod", q, both:totable())
      same("divmod", rest, rests:totable())
    end)

    it("is divided exactly by one number", function()
      local numbers = telling()
      local x = cn.array(numbers, "int64")
      for _, number in ipairs {0, 1, -1, 2, 3, -7, 10, 1000003, -2 ^ 40, 2 ^ 53 - 1} do
        local q, rest = {}, {}
        for i, a in ipairs(numbers) do q[i], rest[i] = divided(a, int64(number)) end
        same("floor_divide by " .. number, q, cn.floor_divide(x, number):totable())
        same("remainder by " .. number, rest, (x % number):totable())
        same("floor_divide of every second", {q[1], q[3], q[5]}, cn.floor_divide(x[{{1, 5, 2}}], number):totable())
      end
    end)
  end)

  it("of no elements there are none", function()
    assert.equal(0, cn.floor_divide(cn.zeros(0, "int64"), 3).size)
  end)
end)
