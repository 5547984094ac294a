-- Arrays over ranks: values, dtypes and shapes against the same calls of plain arrays, on 1, 2 and 4 ranks; layouts;
-- what is refused.
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local g = cn.random.default_rng(7)
local SHAPES = {{7}, {2}, {0}, {5, 3}, {3, 0}, {2, 5, 3}}
local DTYPES, case = {"float64", "int32", "bool", "float16", "complex64"}, 0
local FOLDS = {"sum", "prod", "max", "min", "any", "all", "mean"}
for _, shape in ipairs(SHAPES) do
  for axis = 1, #shape do
    case = case + 1
    local dtype = DTYPES[case % #DTYPES + 1]
    local x = (g:integers(5, {size = shape}) - 1):astype(dtype)
    local y = (g:integers(3, {size = shape}) + 1):astype(dtype)
    local A, B = D.array(x, {axis = axis}), D.array(y, {axis = axis})
    local what = ("%s {%s} axis %d"):format(dtype, table.concat(shape, ", "), axis)
    exact(A, x, what)
    same(A.block, cn.array_split(x, size, axis)[rank + 1], what .. " block")
    same(A.range[2] - A.range[1] + 1, A.block.shape[axis], what .. " range")
    same(A.size, x.size) same(A.ndim, x.ndim)
    exact(A + B, x + y, what .. " +")
    exact(A * 2, x * 2, what .. " * 2")
    exact(A.T, x.T, what .. " T")
    exact(A:eq(B), x:eq(y), what .. " eq")
    exact(A:astype "float64":sqrt(), x:astype "float64":sqrt(), what .. " sqrt")
    exact(A:get(), x, what .. " get")
    same(A:get().device.name, "cpu")
    for other = 1, #shape do
      local R = A:reshard {axis = other}
      exact(R, x, what .. " reshard")
      same(R.layout.axis, other)
      same(R.block, cn.array_split(x, size, other)[rank + 1], what .. " resharded block")
    end
    for _, fold in ipairs(x.size > 0 and dtype ~= "float16" and FOLDS or {"sum", "any"}) do
      if not (dtype == "complex64" and (fold == "max" or fold == "min")) then
        check(A[fold](A), x[fold](x), what .. " " .. fold)
        for along = 1, #shape do
          check(A[fold](A, along), x[fold](x, along), what .. " " .. fold .. along)
          check(A[fold](A, along, {keepdims = true}), x[fold](x, along, {keepdims = true}), what .. " keepdims")
        end
      end
    end
  end
end

-- Operands.
local x = cn.arange(15):reshape(5, 3):astype "float64"
local A, C = D.array(x, {axis = 1}), D.array(x, {axis = 2})
exact(2 - A, 2 - x, "a number first")
exact(-A, -x, "minus")
exact((A + 1) ^ 2 / 3 % 2, (x + 1) ^ 2 / 3 % 2, "operators")
exact(A + cn.array {1, 2, 3}, x + cn.array {1, 2, 3}, "a plain row")
exact(A + {1, 2, 3}, x + cn.array {1, 2, 3}, "a table")
exact(C + cn.ones {5, 1}, x + 1, "a plain column")
exact(A * cn.array(3), x * 3, "a plain 0-d array")
exact(A:where(A, 0), cn.where(x, x, 0), "where")
exact(A:maximum(4), cn.maximum(x, 4), "maximum")
exact((A + 1):add_(2), x + 3, "in place")
exact(A:clip(2, 9), x:clip(2, 9), "clip")
exact(A:clip(nil, 9), x:clip(nil, 9), "clip with an open bound") exact(A:clip {max = 9}, x:clip {max = 9}, "clip")
exact((A + 1):clip_(2, 9), (x + 1):clip(2, 9), "clip_")
exact((A / 7):round(1), (x / 7):round(1), "round")
exact(A:add(1, {dtype = "float32"}), x:add(1, {dtype = "float32"}), "dtype")

-- Functions of cn, of which any operand may be over ranks; methods of the first one.
local row = cn.array {1, 2, 3}
exact(cn.sin(A), cn.sin(x), "cn.sin") exact(cn.maximum(row, A), cn.maximum(row, x), "cn.maximum")
exact(cn.where(A:gt(4), A, -A), cn.where(x:gt(4), x, -x), "cn.where")
exact(cn.where(row:gt(1), 0, A), cn.where(row:gt(1), 0, x), "cn.where of a plain row")
exact(row * A, row * x, "a plain row first") exact(row ^ A, row ^ x, "a plain base")
exact(row:sub(A), row - x, "row:sub")
exact(cn.clip(A, 2, {max = 9}), cn.clip(x, 2, 9), "cn.clip")
exact(cn.isclose(A, A + row, {atol = 2}), cn.isclose(x, x + row, {atol = 2}), "cn.isclose")
exact(cn.nan_to_num(A / 0, {nan = 7}), cn.nan_to_num(x / 0, {nan = 7}), "cn.nan_to_num")
check(cn.sum(A, 1), x:sum(1), "cn.sum") check(cn.var(A, {axis = 2}), x:var(2), "cn.var")

-- Fused: an operation on blocks and one all_reduce.
local fused = cn.fuse(function(a, b) return (a * b - cn.sqrt(a)) / a:max() end)
for _ = 1, 3 do exact(fused(A, A + row), (x * (x + row) - cn.sqrt(x)) / x:max(), "fused") end

local q, r = (A + 1):divmod(2)
check(q, cn.floor_divide(x + 1, 2), "divmod") check(r, (x + 1) % 2, "divmod")
local line = D.array(cn.arange(5):astype "float64", {axis = 1})
local wide = D.array(cn.ones {3, 5}, {axis = 2})
check(wide + line, cn.ones {3, 5} + cn.arange(5), "arrays of other ndim")
same(A:mean(1), x:mean(1)) same(A:sum {1, 2}, x:sum())
check(A:sum(2), x:sum(2), "along the other axis")
same(A:sum(2).layout.axis, 1) same(C:sum(1).layout.axis, 1) same(C:sum(1, {keepdims = true}).layout.axis, 2)

-- Products.
local y = cn.arange(12):reshape(3, 4):astype "float64"
same(whole(A:matmul(y)), x:matmul(y), "rows by a plain matrix")
same(A:matmul(y).layout.axis, 1)
same(whole(A:matmul(D.array(y, {axis = 1}))), x:matmul(y), "rows by rows")
same(C:matmul(D.array(y, {axis = 1})), x:matmul(y), "columns by rows")
same(A.T:matmul(A), x.T:matmul(x), "the Gram matrix")

-- Creation; other communicators.
same(D.zeros({5, 2}, "int8", {axis = 1}).block, cn.array_split(cn.zeros({5, 2}, "int8"), size)[rank + 1])
same(D.ones({3}, nil, {axis = 1}):sum():item(), 3)
same(whole(D.full({2, 2}, 7, "int32", {axis = 2})), cn.full({2, 2}, 7, "int32"))
local half = comm:split(rank % 2)
local H = D.array(cn.arange(6), {axis = 1, comm = half})
same(H:sum():item(), 15) same(whole(H), cn.arange(6)) same(H.block.size <= math.ceil(6 / half.size), true)

-- What is refused, at the line that asks for it.
refused("add: the arrays have different layouts: <float64 %(5, 3%) over %d ranks along axis 1> and <float64 %(5, 3%) "
  .. "over %d ranks along axis 2>; reshard one: A:reshard {axis = 1}", function() return A + C end)
refused("add: a plain array of shape %(5, 3%) lies along the split axis; write cn.distributed.array%(x, {axis = 1}%)",
  function() return A + x end)
refused("multiply: a plain array of shape %(5, 3%) lies along the split axis", function() return x * A end)
refused("add_: an array holds no cuna DistributedArray; write x:add%(y%)", function() x:copy():add_(A) end)
refused("stack: .* a cuna DistributedArray, which has methods of its own", function() cn.stack {A, A} end)
refused("has no method 'cross'", function() cn.cross(A, A) end)
refused("not indexed; A.block is this rank's part, positions %d to %d of axis 1", function() return A[1] end)
refused("no elements to assign", function() A[1] = 2 end)
refused("has no method 'cross'; A.block is this rank's part", function() return A:cross() end)
refused("did you mean 'reshard'", function() return A:reshad {} end)
refused("matmul: .* by .* needs another layout; write A:reshard {axis = 1}, B:reshard {axis = 1}", function()
  return A:matmul(D.array(y, {axis = 2})) end)
refused("matmul: .* by a plain array needs another layout; write A:reshard {axis = 1}, or cn.distributed.array%(B",
  function() return C:matmul(y) end)
refused("matmul: expected matrices of shapes %(m, k%) and %(k, n%), got %(5, 3%) and %(5, 3%)", function()
  return A:matmul(A) end)
refused("distributed.array: the layout has no axis; write {axis = 1}", function() return D.array(x, {}) end)
refused("distributed.array: a layout has axis and comm, or dimensions of a mesh, got \"axes\"", function()
  return D.array(x, {axes = 1}) end)
refused("distributed.array: expected a layout such as {axis = 1}, got 1", function() return D.array(x, 1) end)
refused("distributed.array: .*axis", function() return D.array(x, {axis = 3}) end)
refused("0%-d", function() return D.array(5, {axis = 1}) end)
refused("called with a colon: A:sum", function() return A.sum(x) end)
refused("add: arrays over ranks have no out; write A:add_", function() return A:add(1, {out = A}) end)
refused("over different communicators", function()
  return D.array(cn.arange(6), {axis = 1}) + H end)
]]

describe("arrays over ranks", function()
  for count, mpi in pairs {"alone", "mpich", [4] = "openmpi"} do
    it(("compute as plain arrays on %d"):format(count), function() ranks.must_run(mpi, count, SCRIPT) end)
  end

  it("are compared when they are made", function()
    local text, status = ranks.run("mpich", 2, ranks.HEAD .. "cn.distributed.array(cn.ones(rank + 2), {axis = 1})")
    assert.are_not.equal(0, status)
    assert.has.match("ranks do not do the same: rank 0: distributed.array float64 %(2,%) axis 1 at %S+; rank 1: "
      .. "distributed.array float64 %(3,%) axis 1 at", text)
  end)

  local has_gpus = pcall(require "cuna".device, "cuda:1") and require "cuna.core".comm_nccl() > 0
  it("stay on GPUs", has_gpus and function()
    ranks.must_run("openmpi", 2, ranks.ARRAYS .. [[
      local x = cn.arange(24):reshape(6, 4):astype "float32"
      local A = cn.distributed.array(x, {axis = 1})
      same(A.device, comm.device)
      same((A * 2 + 1):sum(1), (x * 2 + 1):sum(1))
      same(A:max(1), x:max(1))
      same(A:reshard {axis = 2}.block, cn.array_split(x, 2, 2)[rank + 1])
      same(A.T:matmul(A), x.T:matmul(x))
      same(A:reshard {}, x)
      check(A:roll(4, 1), cn.roll(x, 4, 1), "roll")
      check(A:cumsum(1), x:cumsum(1), "cumsum") check(A:argmax(1), x:argmax(1), "argmax")
      check(A:fft(nil, 1), cn.fft.fft(x, nil, 1), "fft")
      same(A:halo(1, true), cn.pad(x, {{1, 1}, {0, 0}}, "wrap")[{{A.range[1], A.range[2] + 2}, {}}], "halo")
      check(cn.distributed.default_rng(1):normal(0, 1, {5, 7}, {layout = {axis = 2}}),
        cn.random.default_rng(1):normal(0, 1, {5, 7}), "draws")
      local v = cn.array({3, 1, 2, 5, 4}, "float32")
      check(cn.distributed.array(v, {axis = 1}):argsort(), v:argsort(), "argsort")
      local M = cn.distributed.array(x, {x = 1, y = 2, mesh = comm:mesh {x = 2, y = 1}})
      check(M:matmul(M.T:reshard({x = 2}):reshard {x = 1, y = 2}), x:matmul(x.T), "SUMMA")
      same(M:text(), tostring(x))
      cn.no_sync(function() A:sum(1) A:reshard {axis = 2} A:matmul(cn.ones({4, 2}, "float32")) end)
    ]], {CUNA_DEVICE = false})
  end or nil)
end)
