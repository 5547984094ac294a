-- Random numbers over ranks: the bits of the same draws of one generator, for every number of ranks and layout.
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local SHAPES = {{1000}, {3}, {7, 130}, {1, 65}, {3, 5, 67}, {0, 4}}
local one, over = cn.random.default_rng(7), D.default_rng(7)
local function drawn(name, layout, size, parameters, options)
  local plain, split = {unpack(parameters)}, {unpack(parameters)}
  plain[#plain + 1], split[#split + 1] = {size = size}, {size = size, layout = layout}
  for key, value in pairs(options or {}) do plain[#plain][key], split[#split][key] = value, value end
  local A, x = over[name](over, unpack(split)), one[name](one, unpack(plain))
  exact(A, x, ("%s {%s}"):format(name, table.concat(size, ", ")))
  return A, x
end

local ROWS = {{"random", {}}, {"normal", {1, 2}}, {"uniform", {-1, 3}}, {"standard_exponential", {}},
  {"gamma", {0.7, 2}}, {"poisson", {3.5}}, {"integers", {-5, 9}}, {"integers", {0, 2 ^ 40}}, {"binomial", {20, 0.3}}}
for _, size in ipairs(SHAPES) do
  for axis = 1, #size do
    for _, row in ipairs(ROWS) do drawn(row[1], {axis = axis}, size, row[2]) end
  end
end
for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
  drawn("standard_normal", {axis = 2}, {5, 40}, {}, {dtype = dtype})
  drawn("random", {axis = 1}, {200}, {}, {dtype = dtype})
end
drawn("integers", {axis = 1}, {300}, {0, 200}, {dtype = "uint8"})
drawn("integers", {axis = 1}, {300}, {1, 6}, {endpoint = true})

-- Two axes.
local mesh = comm:mesh {x = size % 2 == 0 and 2 or 1, y = size % 2 == 0 and size / 2 or size}
for _, layout in ipairs {{x = 1, y = 2}, {x = 3, y = 1}, {y = 2}} do
  drawn("normal", {x = layout.x, y = layout.y, mesh = mesh}, {5, 7, 9}, {0, 1})
end

-- Parameters that are arrays: whole, and split alike.
local scale = cn.arange(1, 6):astype "float64"
exact(over:normal(0, scale, {4, 5}, {layout = {axis = 1}}), one:normal(0, scale, {4, 5}), "a whole parameter")
local S = D.array(scale, {axis = 1})
exact(over:normal(S, S * 2, {4, 5}, {layout = {axis = 2}}), one:normal(scale, scale * 2, {4, 5}), "split parameters")
exact(over:integers(0, cn.array {3, 9}, {6, 2}, {layout = {axis = 1}}), one:integers(0, cn.array {3, 9}, {6, 2}),
  "bounds in an array")
exact(over:poisson(S, {5}, {layout = {axis = 1}}), one:poisson(scale, {5}), "a split rate")

-- The state; rank 0's seed.
local state = over:get_state()
local again = over:random(5, {layout = {axis = 1}}):get()
same(over:set_state(state):random(5, {layout = {axis = 1}}):get(), again)
same(cn.random.default_rng(1):set_state(state):random(5), again)
local free = D.default_rng(rank == 0 and 3 or nil)
exact(free:random(9, {layout = {axis = 1}}), cn.random.default_rng(3):random(9), "rank 0's seed")
same(tostring(over), "DistributedGenerator(Philox4x32)")

refused("random: the layout is missing; write {layout = {axis = 1}}", function() return over:random(3) end)
refused("random: size, the shape of the whole, is missing", function() over:random {layout = {axis = 1}} end)
refused("normal: scale", function() over:normal(0, -1, {3}, {layout = {axis = 1}}) end)
refused("normal: a plain array of shape %(5,%) lies along the split axis", function()
  over:normal(scale, 1, {5}, {layout = {axis = 1}}) end)
refused("a generator over ranks has no method 'nrmal'; did you mean 'normal'?", function() over:nrmal() end)
refused("a generator over ranks has no method 'permutation'", function() over:permutation(5) end)
]]

describe("random numbers over ranks", function()
  for _, row in ipairs(ranks.CASES) do
    it(("are those of one generator, on %d"):format(row[2]), function() ranks.must_run(row[1], row[2], SCRIPT) end)
  end
end)
