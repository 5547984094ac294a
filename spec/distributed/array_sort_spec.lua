-- Vectors over ranks in order: elements and positions of one rank's stable sort, for every number of ranks.
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local g = cn.random.default_rng(9)
local nan, inf = cn.nan, cn.inf
local function sorted(x, what)
  local A = D.array(x, {axis = 1})
  local S, P = A:sort(), A:argsort()
  exact(S, x:sort(), what) exact(P, x:argsort(), what .. " argsort")
  same(S.block, cn.array_split(x:sort(), size)[rank + 1], what .. " block")
  same(cn.array_equal(S:reshard({}):signbit(), x:sort():signbit()), true, what .. " signs")
end

for _, length in ipairs {0, 1, 2, 3, 7, 64, 1000, 4097} do
  sorted(g:normal(0, 1, length), "normal " .. length)
  sorted(g:integers(5, {size = length}):astype "float32", "few values " .. length)
  sorted(cn.zeros(length), "one value " .. length)
  sorted(cn.arange(length):astype "float64", "in order " .. length)
  sorted(cn.flip(cn.arange(length):astype "float64"), "in the opposite order " .. length)
end
sorted(cn.array {nan, 1, -inf, nan, 0, -0.0, inf, nan, 0.0, -0.0, 3}, "special values")
sorted(cn.concatenate {cn.full({50}, nan), cn.full({60}, inf), cn.full({70}, -inf)}, "many NaN")
for _, dtype in ipairs {"int8", "uint64", "int64", "float16", "bfloat16"} do
  local x = g:integers(100, {size = 333}):astype(dtype)
  local A = D.array(x, {axis = 1})
  exact(A:sort(), x:sort(), dtype) exact(A:argsort(), x:argsort(), dtype .. " argsort")
end
local flags = g:integers(2, {size = 50}):astype "bool"
exact(D.array(flags, {axis = 1}):sort(), flags:sort(), "bool")
local z = cn.complex and (g:integers(4, {size = 200}) + g:integers(4, {size = 200}) * cn.complex(0, 1))
exact(D.array(z, {axis = 1}):sort(), z:sort(), "complex")
]]

describe("vectors over ranks", function()
  for _, row in ipairs(ranks.CASES) do
    it(("are sorted on %d"):format(row[2]), function() ranks.must_run(row[1], row[2], SCRIPT) end)
  end
end)
