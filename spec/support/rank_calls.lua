--- Scripts for ranks, after the head of ranks.lua: calls of communicators, whose values, shapes and dtypes are compared
--- with what one rank computes. Arrays are on the rank's device.
local M = {}

-- Every rank knows what each of them has: `of(r)`.
M.REDUCTIONS = [[
-- In an order: that of pairs is not the same on all ranks.
local OPS = {sum = "add", prod = "multiply", max = "maximum", min = "minimum"}
local NAMES = {"sum", "prod", "max", "min"}
local INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
local FLOATS = {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}

local function folded(of, op, last, first)
  local out = of(first or 0):copy()
  for r = (first or 0) + 1, last or size - 1 do out = cn[OPS[op] ](out, of(r)) end
  return out
end

local function check(of, op, what)
  local expected = folded(of, op)
  same(comm:all_reduce(of(rank), op), expected, what .. " all_reduce " .. op)
  local x = of(rank):copy()
  same(comm:all_reduce_(x, op), expected, what .. " all_reduce_ " .. op)
  same(x, expected, what .. " in place")
  local root = size - 1
  same(comm:reduce(of(rank), op, root), rank == root and expected or nil, what .. " reduce")
  same(comm:scan(of(rank), op), folded(of, op, rank), what .. " scan")
  if rank > 0 then same(comm:exscan(of(rank), op), folded(of, op, rank - 1), what .. " exscan")
  else comm:exscan(of(rank), op) end
end

for _, dtype in ipairs(INTEGERS) do
  for _, op in ipairs(NAMES) do
    check(function(r) return cn.array({1, 2, 100 + r, 7 * r + 3}, dtype) end, op, dtype)
  end
end
for _, dtype in ipairs(FLOATS) do
  for _, op in ipairs(NAMES) do
    check(function(r) return cn.array({0.5, -1 - r, 2 * r, 3}, dtype) end, op, dtype)
  end
end
for _, op in ipairs(NAMES) do
  check(function(r) return cn.array {r == 0, true, false, r > 0} end, op, "bool")
end

-- NaN wins, wherever it is; infinities; what is ordered by parts.
local nan, inf = cn.nan, cn.inf
for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
  for _, op in ipairs {"max", "min"} do
    local expected = ({max = {nan, nan, inf, 2, nan}, min = {nan, nan, -1, -inf, nan}})[op]
    local x = cn.array({rank == 0 and nan or 1, rank == size - 1 and nan or 1, rank == 0 and inf or -1,
      rank == 0 and -inf or 2, nan}, dtype)
    if size > 1 then same(comm:all_reduce(x, op), cn.array(expected, dtype), "NaN " .. op .. " " .. dtype) end
  end
end
local z = cn.array {cn.complex(1, rank), cn.complex(rank, 5), rank == 0 and cn.complex(nan, 1) or cn.complex(9, 9)}
same(comm:all_reduce(z, "max"), cn.array {cn.complex(1, size - 1), cn.complex(size - 1, 5), cn.complex(nan, 1)},
  "complex max")
same(comm:all_reduce(cn.array {rank % 2 == 0 and 0 or -0}, "max"):signbit(), cn.array {false}, "max of 0 and -0")
-- Half floats round to even, overflow to infinity, and keep subnormals.
same(comm:all_reduce(cn.array({2048, rank == 0 and 1 or 0, 65504, 6e-8}, "float16"):multiply(rank == 0 and 1 or 0)),
  cn.array({2048, 1, 65504, 6e-8}, "float16"), "float16")
if size == 2 then
  same(comm:all_reduce(cn.array({rank == 0 and 2048 or 1, 65504, 6e-8, rank == 0 and 2048 or 3}, "float16")),
    cn.array({2048, inf, 1.2e-7, 2052}, "float16"), "rounding of float16")
  same(comm:all_reduce(cn.array({rank == 0 and 256 or 1, rank == 0 and 256 or 3}, "bfloat16")),
    cn.array({256, 260}, "bfloat16"), "rounding of bfloat16")
end

-- any, all, mean: dtypes of results.
same(comm:all_reduce(cn.array {0, rank, 2}, "any"), cn.array {false, size > 1, true}, "any")
same(comm:all_reduce(cn.array({rank, 1}, "int32"), "all"), cn.array {false, true}, "all")
same(comm:all_reduce(cn.array({rank, 3}, "int8"), "mean"), cn.array {(size - 1) / 2, 3}, "mean of integers")
same(comm:all_reduce(cn.array({rank, 3}, "float32"), "mean"), cn.array({(size - 1) / 2, 3}, "float32"), "mean")
same(comm:all_reduce_(cn.array({rank, 3}, "float32"), "mean"), cn.array({(size - 1) / 2, 3}, "float32"), "mean_")

-- Rank 0 gets what changes nothing.
if rank == 0 then
  local function start(dtype, op) return comm:exscan(cn.ones(1, dtype), op):item() end
  same(start("int16", "max"), -32768) same(start("uint8", "min"), 255) same(start("float32", "min"), inf)
  same(start("int32", "prod"), 1) same(start("bool", "all"), true) same(start("bool", "max"), false)
else
  for _, dtype_op in ipairs {{"int16", "max"}, {"uint8", "min"}, {"float32", "min"}, {"int32", "prod"}, {"bool", "all"},
    {"bool", "max"}} do comm:exscan(cn.ones(1, dtype_op[1]), dtype_op[2]) end
end

-- Layouts, sizes, numbers and tables.
local wide = cn.arange(12):reshape(3, 4)
same(comm:all_reduce(wide.T), wide.T * size, "transposed")
same(comm:all_reduce(wide[{{}, {4, 1, -2}}]), wide[{{}, {4, 1, -2}}] * size, "reversed")
same(comm:all_reduce(cn.broadcast_to(cn.array {1, 2}, {3, 2})), cn.array {{1, 2}, {1, 2}, {1, 2}} * size, "broadcast")
same(comm:all_reduce(cn.zeros {0, 3}), cn.zeros {0, 3}, "size 0")
same(comm:all_reduce(cn.array(5)), cn.array(5 * size), "0-d")
same(comm:all_reduce(5), cn.array(5 * size), "a number")
same(comm:all_reduce {1, rank}, cn.array {size, size * (size - 1) / 2}, "a table")
local view = cn.zeros {3, 4}
comm:all_reduce_(view[{{}, 2}]:add_(1))
same(view, cn.array {{0, size, 0, 0}, {0, size, 0, 0}, {0, size, 0, 0}}, "a view in place")

-- Lists: one call; what is small is packed by dtype.
local list = {cn.ones {2, 2}, cn.arange(3), cn.ones(200000), cn.full({3}, rank), cn.zeros {0}}
local sums = comm:all_reduce(list)
same(sums[1], cn.full({2, 2}, size)) same(sums[2], cn.arange(3) * size) same(sums[3]:sum():item(), 200000 * size)
same(sums[4], cn.full({3}, size * (size - 1) / 2)) same(sums[5], cn.zeros {0})
same(comm:all_reduce_(list, "max"), list)
same(list[4], cn.full({3}, size - 1), "a list in place")
same(comm:reduce({cn.ones(1), cn.ones(2)}, "sum", 0) ~= nil, rank == 0, "a list to one rank")

-- reduce_scatter cuts as array_split.
for _, n in ipairs {0, 1, 5, 8} do
  local x = cn.arange(2 * n):reshape(n, 2)
  same(comm:reduce_scatter(x), cn.array_split(x * size, size)[rank + 1], "reduce_scatter")
  same(comm:reduce_scatter(x, "max"), cn.array_split(x, size)[rank + 1], "reduce_scatter max")
end
same(comm:reduce_scatter(cn.arange(4), "mean").dtype, "float64")
]]

M.MOVES = [[
local DTYPES = {"bool", "int8", "int16", "float16", "bfloat16", "float32", "int64", "complex64", "complex128"}
local function block(r, rows, dtype) return (cn.arange(3 * rows):reshape(rows, 3) + 10 * r):astype(dtype) end

for _, dtype in ipairs(DTYPES) do
  local parts = {}
  for r = 0, size - 1 do parts[r + 1] = block(r, r % 3, dtype) end
  local all, own = cn.concatenate(parts), parts[rank + 1]
  same(comm:all_gather(own), all, "all_gather " .. dtype)
  same(comm:gather(own, size - 1), rank == size - 1 and all or nil, "gather " .. dtype)
  local whole = block(7, 5, dtype)
  same(comm:scatter(rank == 0 and whole or nil), cn.array_split(whole, size)[rank + 1], "scatter " .. dtype)
  same(comm:broadcast(rank == size - 1 and whole or nil, size - 1), whole, "broadcast " .. dtype)
  local x = rank == 0 and whole:copy() or cn.zeros_like(whole)
  same(comm:broadcast_(x), whole, "broadcast_ " .. dtype)
  local rows = block(rank, size, dtype)
  local columns = {}
  for r = 0, size - 1 do columns[r + 1] = block(r, size, dtype)[{rank + 1, {}}] end
  same(comm:all_to_all(rows), cn.stack(columns), "all_to_all " .. dtype)
  local lists, expected = {}, {}
  for r = 0, size - 1 do
    lists[r + 1] = block(10 * rank + r, rank + r, dtype)
    expected[r + 1] = block(10 * r + rank, r + rank, dtype)
  end
  for r, got in ipairs(comm:all_to_all(lists)) do same(got, expected[r], "all_to_all of a list " .. dtype) end
end
local base = cn.arange(6):reshape(2, 3)
same(comm:broadcast(base.T), base.T, "broadcast of a view")
local target = cn.zeros({2, 3}, "int64").T
same(comm:broadcast_(rank == 0 and base.T:copy() or target, 0), base.T, "broadcast_ into a view")
same(comm:all_gather(rank), cn.arange(0, size):astype "float64", "0-d counts as one")
same(comm:gather(cn.zeros {0, 2}, 0), rank == 0 and cn.zeros {0, 2} or nil, "size 0")

-- Messages round the circle, to a view, of any shape, with edges.
local after, before = (rank + 1) % size, (rank - 1) % size
for _, dtype in ipairs(DTYPES) do
  same(comm:send_recv(block(rank, 2, dtype), after, nil, before), block(before, 2, dtype), "send_recv " .. dtype)
end
same(comm:send_recv(cn.full({rank + 1}, rank), after, cn.zeros(before + 1), before), cn.full({before + 1}, before))
if size > 1 then
  if rank == 0 then
    comm:send(base.T, 1)
    comm:send(cn.array(3), 1)
    comm:send(cn.zeros {0, 4}, 1)
    comm:send({1, 2, 3}, 1)
  elseif rank == 1 then
    same(comm:recv(nil, 0), base.T, "recv of anything")
    same(comm:recv(cn.array(0), 0), cn.array(3), "recv 0-d")
    same(comm:recv(nil, 0), cn.zeros {0, 4}, "recv of size 0")
    local whole = cn.zeros {3, 2}
    comm:recv_(whole[{{}, 2}], 0)
    same(whole, cn.array {{0, 1}, {0, 2}, {0, 3}}, "recv_ into a view")
  end
end

-- Edges of blocks.
local line = cn.arange(2) + 10 * rank
local low = rank > 0 and 10 * (rank - 1) + 1 or 0
local high = rank < size - 1 and 10 * (rank + 1) or 0
same(comm:halo(line), cn.array({low, 10 * rank, 10 * rank + 1, high}, "int64"), "halo")
same(comm:halo(line, {periodic = true}), cn.array({10 * before + 1, 10 * rank, 10 * rank + 1, 10 * after}, "int64"))
same(comm:halo(line:reshape(1, 2), 2, 2, {value = -1}).shape, cn.zeros({1, 6}).shape, "halo of width 2")
local plate = cn.full({4, 5}, rank)
comm:halo_(plate, 2, 1, {periodic = true})
same(plate[{1, {}}], cn.array {before, rank, rank, rank, after}, "halo_ of the second axis")
local uneven = cn.full({3 + rank}, rank)
comm:halo_(uneven)
same(uneven[1], rank > 0 and rank - 1 or 0, "halo_ of blocks of other lengths")

-- Values.
local value = {a = {1, 2, {b = "x\0y"}}, [2] = true, n = cn.nan, big = 2ULL ^ 63, small = -5LL, none = ""}
local got = comm:share(rank == size - 1 and value or "not read", size - 1)
same(got.a[3].b, "x\0y") same(got[2], true) same(got.n, cn.nan) same(got.big, 2ULL ^ 63) same(got.small, -5LL)
same(comm:share(nil), nil) same(comm:share(rank == 0 and false), false)
local all = comm:collect {rank, tostring(rank):rep(1000 * rank)}
for r = 0, size - 1 do same(all[r + 1][1], r) same(#all[r + 1][2], 1000 * r) end

-- Parts.
local half = comm:split(rank % 2, -rank)
local members = math.floor((size - 1 - rank % 2) / 2) + 1
same(half.size, members) same(half.rank, members - 1 - math.floor(rank / 2))
same(half:all_reduce(1):item(), members) same(half:share(rank), (members - 1) * 2 + rank % 2)
local inner = half:split(0)
same(inner:all_gather(rank).size, members)
inner:free() half:free()
same(comm:split(rank > 0 and 1 or nil) ~= nil, rank > 0, "split without a color")
same(comm:node().size, size) same(comm.local_size, size) same(comm.local_rank, rank)

-- Random numbers: alike on all ranks, unless a rank asks for its own.
local drawn = comm:all_gather(cn.random.random {1, 3})
same(drawn, cn.broadcast_to(drawn[{{1, 1}, {}}], {size, 3}), "cn.random")
local own = comm:all_gather(comm:rng(3):random {1, 3})
for r = 1, size do
  local g = cn.random.default_rng(3):spawn(r)[r]
  same(own[{{r, r}, {}}], g:random {1, 3}, "rng")
end
same(comm:all_gather(comm:rng():random(1)):unique().size, size)
]]

M.REQUESTS = [[
local x = cn.full({5}, rank)
local total = size * (size - 1) / 2
local requests = {}
for i = 1, 20 do requests[i] = comm:all_reduce(x + i, {blocking = false}) end
local y = x:copy()
local in_place = comm:all_reduce_(y, "max", {blocking = false})
local gathered = comm:all_gather(cn.full({2}, rank), {blocking = false})
local scattered = comm:reduce_scatter(cn.ones(3), {blocking = false})
local exchanged = comm:all_to_all(cn.full({size, 2}, rank), {blocking = false})
local listed = comm:all_reduce({x, cn.arange(2)}, {blocking = false})
local scanned = comm:scan(x, "sum", {blocking = false})
local rooted = comm:reduce(x, "sum", size - 1, {blocking = false})
local z = cn.full({5}, rank + 1)
local copied = comm:broadcast_({z, cn.zeros(2)}, 0, {blocking = false})
same(comm:all_reduce(x), cn.full({5}, total), "a call between")
same(in_place:wait(), cn.full({5}, size - 1), "in place")
for i = 20, 1, -1 do same(requests[i]:wait(), cn.full({5}, total + i * size), "request " .. i) end
same(requests[3]:wait(), cn.full({5}, total + 3 * size), "waiting twice")
same(requests[3].done, true) same(tostring(requests[3]), "<request of all_reduce, done>")
local both = {}
for r = 0, size - 1 do both[2 * r + 1], both[2 * r + 2] = r, r end
same(gathered:wait(), cn.array(both):astype "float64")
same(scattered:wait(), cn.array_split(cn.full({3}, size), size)[rank + 1])
same(exchanged:wait(), cn.broadcast_to(cn.arange(size):reshape(size, 1):astype "float64", {size, 2}))
same(listed:wait()[2], cn.arange(2) * size)
same(scanned:wait(), cn.full({5}, rank * (rank + 1) / 2))
same(rooted:wait(), rank == size - 1 and cn.full({5}, total) or nil)
same(copied:wait()[1], cn.ones(5))

-- Messages that are received in another order than they are sent, and freed arrays.
if size > 1 then
  local after, before = (rank + 1) % size, (rank - 1) % size
  local sent, got = {}, {}
  for i = 1, 5 do
    got[i] = comm:recv(cn.zeros(1000 * i), before, {blocking = false})
    local data = cn.full({1000 * i}, rank + i)
    sent[i] = comm:send(data, after, {blocking = false})
    data = nil
    collectgarbage()
  end
  for i = 5, 1, -1 do same(got[i]:wait():sum():item(), 1000 * i * (before + i)) end
  for i = 1, 5 do sent[i]:wait() end
  local last = comm:recv_(cn.zeros(3), before, {blocking = false})
  comm:send(cn.full({3}, rank), after, {blocking = false}) -- is not waited for
  while not last.done do comm:poll() end
  same(last:wait(), cn.full({3}, before))
end
]]

return M
