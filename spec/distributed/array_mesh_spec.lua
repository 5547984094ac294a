-- Meshes, and arrays over them: two axes split, or one of two dimensions.
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local rows = size % 2 == 0 and size / 2 or 1
local columns = size / rows
local mesh = comm:mesh {x = rows, y = columns}
same(tostring(mesh), ("<mesh: x = %d, y = %d>"):format(rows, columns))
same(mesh.x.size, rows) same(mesh.y.size, columns) same(mesh.comm, comm)
same(mesh.x.rank * columns + mesh.y.rank, rank, "row-major")
same(mesh.x:all_reduce(rank):item() % columns, rows * mesh.y.rank % columns, "ranks of a column")

local g = cn.random.default_rng(5)
local x, y = g:normal(0, 1, {5, 7}), g:normal(0, 1, {5, 7})
local LAYOUTS = {{x = 1, y = 2}, {x = 2, y = 1}, {x = 1}, {y = 1}, {y = 2}, {x = 2}}
local function over(value, layout)
  local own = {mesh = mesh}
  for name, axis in pairs(layout) do own[name] = axis end
  return D.array(value, own)
end

--- Whether a reshard exchanges two dimensions, which it refuses.
local function is_swap(a, b) return a.x and a.y and b.x and b.y and a.x ~= b.x end

for i, layout in ipairs(LAYOUTS) do
  local A, B, what = over(x, layout), over(y, layout), "layout " .. i
  exact(A, x, what) exact(A.T, x.T, what .. " T") exact(A:get(), x, what .. " get")
  same(A.layout.x, layout.x) same(A.layout.y, layout.y)
  same(A.block, x[{A.ranges[1], A.ranges[2]}], what .. " ranges")
  exact(A * B + 1, x * y + 1, what .. " elementwise")
  exact((A + 1):mul_(B), (x + 1) * y, what .. " in place")
  check(A.T * B.T, (x * y).T, what .. " T")
  for _, fold in ipairs {"sum", "max", "mean", "var", "argmax", "argmin"} do
    check(A[fold](A), x[fold](x), what .. " " .. fold)
    for axis = 1, 2 do
      check(A[fold](A, axis), x[fold](x, axis), what .. " " .. fold .. axis)
      check(A[fold](A, axis, {keepdims = true}), x[fold](x, axis, {keepdims = true}), what .. " keepdims " .. fold)
    end
  end
  check(A - A:mean(1, {keepdims = true}), x - x:mean(1, {keepdims = true}), what .. " a folded operand")
  for axis = 1, 2 do
    check(A:cumsum(axis), x:cumsum(axis), what .. " cumsum")
    exact(A:roll(3, axis), cn.roll(x, 3, axis), what .. " roll")
  end
  for j, other in ipairs(LAYOUTS) do
    if not is_swap(layout, other) then
      local R = A:reshard(other)
      exact(R, x, what .. " reshard " .. j)
      same(R.layout.x, other.x) same(R.layout.y, other.y)
      same(R.block, over(x, other).block, what .. " resharded block")
    end
  end
  exact(D.from_block(A.block, {x = layout.x, y = layout.y, mesh = mesh}), x, what .. " from_block")
end
same(D.zeros({4, 6}, "int8", {x = 2, y = 1, mesh = mesh}).shape, cn.zeros {4, 6}.shape)
if rows > 1 and columns > 1 then
  refused("reshard: {x = 1, y = 2} to {y = 1, x = 2} changes two dimensions for each other; leave one out first",
    function() return over(x, LAYOUTS[1]):reshard(LAYOUTS[2]) end)
end
exact(over(x, LAYOUTS[1]):reshard({x = 1}):reshard({y = 1, x = 2}), x, "in two steps")

-- Edges and corners.
local wide = cn.arange(48):reshape(6, 8):astype "float64"
local W = over(wide, LAYOUTS[1])
local r, c = W.ranges[1], W.ranges[2]
same(W:halo(1, {value = -1}), cn.pad(wide, 1, {constant_values = -1})[{{r[1], r[2] + 2}, {c[1], c[2] + 2}}], "halo")
same(W:halo(1, true), cn.pad(wide, 1, "wrap")[{{r[1], r[2] + 2}, {c[1], c[2] + 2}}], "periodic halo")

-- The text of the whole, of which edges travel.
for _, shape in ipairs {{3}, {0}, {5, 4}, {2000}, {1001, 3}, {40, 50}, {6, 7, 30}, {2, 600}} do
  local t = g:normal(0, 1, shape)
  for axis = 1, #shape do same(D.array(t, {axis = axis}):text(), tostring(t), "text") end
  if #shape > 1 then same(over(t, LAYOUTS[1]):text(), tostring(t), "text over a mesh") end
end
same(D.array(cn.array {true, false}, {axis = 1}):text(), "[ True False]")

-- Products: SUMMA, and blocks alone.
for _, shape in ipairs {{6, 7, 5}, {4, 1, 4}, {8, 16, 8}, {3, 0, 2}} do
  local m, k, n = unpack(shape)
  local a, b = g:normal(0, 1, {m, k}), g:normal(0, 1, {k, n})
  local A, B = over(a, {x = 1, y = 2}), over(b, {x = 1, y = 2})
  local P = A:matmul(B)
  check(P, a:matmul(b), "SUMMA") same(P.layout.x, 1) same(P.layout.y, 2)
  check(over(a, {x = 1}):matmul(over(b, {y = 2})), a:matmul(b), "rows by columns")
  check(over(a, {x = 1}):matmul(over(b, {x = 1})), a:matmul(b), "rows by rows")
  check(over(a, {y = 2}):matmul(over(b, {y = 1})), a:matmul(b), "a split contraction")
  check(over(a, {x = 1}):matmul(b), a:matmul(b), "rows by a plain matrix")
  local whole_numbers = over((a * 4):floor():astype "int64", {x = 1, y = 2})
  exact(whole_numbers:matmul(B:astype "int64"), (a * 4):floor():astype "int64":matmul(b:astype "int64"), "integers")
end

-- A transform over two split axes sends twice, along one axis once.
check(over(x, {x = 1}):fft2(), cn.fft.fft2(x), "fft2")
local cube = g:normal(0, 1, {4, 6, 5})
local F = over(cube, {x = 1, y = 2}):fftn()
check(F, cn.fft.fftn(cube), "pencils")

-- What is refused.
local A = over(x, {x = 1, y = 2})
refused("add: the arrays have different layouts: .* along {x = 1, y = 2}> and .* along {y = 1, x = 2}>; reshard one: "
  .. "A:reshard {x = 1, y = 2}", function() return A + over(x, {x = 2, y = 1}) end)
refused("add: the arrays have different layouts", function() return A + over(x, {x = 1}) end)
refused("add: a plain array of shape %(7,%) lies along the split axis", function() return A + cn.ones(7) end)
refused("over different communicators", function()
  return A + D.array(x, {axis = 1, comm = comm:split(0)}) end)
refused("distributed.array: axis 1 is split by two dimensions of the mesh, x and y", function()
  return over(x, {x = 1, y = 1}) end)
refused("distributed.array: the mesh has the dimensions x, y, got \"z\"", function() return over(x, {z = 1}) end)
refused("distributed.array: the layout has no axis", function() return over(x, {}) end)
refused("distributed.array: mesh is a mesh of comm:mesh, got 5", function() return D.array(x, {x = 1, mesh = 5}) end)
refused("matmul: .* needs another layout", function() return A:matmul(over(x.T, {x = 1})) end)
refused("mesh: %d+ ranks in all, of a communicator with %d+", function() return comm:mesh {x = size, y = 3} end)
refused("mesh: expected sizes by name", function() return comm:mesh {} end)
refused("mesh: a dimension has a name of its own, such as x, got \"comm\"", function()
  return comm:mesh {comm = size} end)
refused("a mesh has no field 'z'; its dimensions are x, y", function() return mesh.z end)
]]

describe("arrays over meshes", function()
  for _, row in ipairs {{"alone", 1}, {"mpich", 2}, {"openmpi", 4}} do
    it(("give what plain arrays give, on %d"):format(row[2]), function() ranks.must_run(row[1], row[2], SCRIPT) end)
  end

  it("print once", function()
    local text = ranks.must_run("openmpi", 3, "cn.distributed.array(cn.arange(5), {axis = 1}):print()")
    assert.are.equal("[0 1 2 3 4]\n", text)
  end)
end)
