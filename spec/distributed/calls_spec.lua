-- Calls of communicators, on 1 to 4 ranks of both MPIs: values, shapes and dtypes against what one rank computes.
local calls = require "spec.support.rank_calls"
local ranks = require "spec.support.ranks"

-- Random calls, drawn alike on all ranks, with blocks of random shapes and layouts.
local RANDOM = [[
local g = cn.random.default_rng(SEED)
local function draw(n) return g:integers(n):item() end
local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}
local OPS, NAMES = {sum = "add", prod = "multiply", max = "maximum", min = "minimum"}, {"sum", "prod", "max", "min"}

-- A view of some layout, whose elements are small: sums of them are exact.
local function block(shape, dtype, layout, r)
  local size_ = 1
  for _, length in ipairs(shape) do size_ = size_ * length end
  local x = ((cn.arange(size_) * 7 + 3 * r) % 5):astype(dtype):reshape(shape)
  if layout == 1 and #shape > 1 then return x.T:copy().T end
  if layout == 2 and #shape > 0 then return cn.repeat_interleave(x, 2, 1)["1:-1:2"] end
  if layout == 3 and #shape > 0 then return cn.flip(cn.flip(x, 1):copy(), 1) end
  return x
end

for case = 1, 60 do
  local shape, layout = {}, draw(4)
  for axis = 1, draw(4) do shape[axis] = draw(4) end
  local dtype, op, root = DTYPES[draw(#DTYPES) + 1], NAMES[draw(4) + 1], draw(size)
  local what = ("case %d: %s %s {%s} layout %d"):format(case, op, dtype, table.concat(shape, ", "), layout)
  local function of(r) return block(shape, dtype, layout, r) end
  local folded = of(0):copy()
  for r = 1, size - 1 do folded = cn[OPS[op] ](folded, of(r)) end
  same(comm:all_reduce(of(rank), op), folded, what)
  local x = of(rank)
  comm:all_reduce_(x, op)
  same(x, folded, what .. " in place")
  same(comm:reduce(of(rank), op, root), rank == root and folded or nil, what .. " reduce")
  same(comm:broadcast(rank == root and of(7) or nil, root), of(7), what .. " broadcast")
  if #shape > 0 then
    local lengths, parts = {}, {}
    for r = 0, size - 1 do lengths[r] = draw(3) end
    local function uneven(r) return block({lengths[r], unpack(shape, 2)}, dtype, layout, r) end
    for r = 0, size - 1 do parts[r + 1] = uneven(r) end
    same(comm:all_gather(uneven(rank)), cn.concatenate(parts), what .. " all_gather")
    same(comm:reduce_scatter(of(rank), op), cn.array_split(folded, size)[rank + 1], what .. " reduce_scatter")
    same(comm:scatter(of(5), 0), cn.array_split(of(5), size)[rank + 1], what .. " scatter")
  end
end
]]

local ALL = "do " .. calls.REDUCTIONS .. " end do " .. calls.MOVES .. " end do " .. calls.REQUESTS .. " end"

-- Few calls, for as many ranks as spin: operations of MPI and of cuna, uneven lengths.
local ODD = [[
for _, dtype in ipairs {"int16", "float16", "float64", "complex64"} do
  local function of(r) return cn.array({1 - r, 2 + r, cn.inf, r == 1 and cn.nan or 4}, "float32"):astype(dtype) end
  for _, pair in ipairs {{"sum", "add"}, {"max", "maximum"}} do
    local op, name = unpack(pair)
    local folded = of(0)
    for r = 1, size - 1 do folded = cn[name](folded, of(r)) end
    if dtype ~= "int16" then same(comm:all_reduce(of(rank), op), folded, dtype .. op) end
    same(comm:all_reduce(of(rank)[{{1, 2}}], op), folded[{{1, 2}}], dtype .. op)
  end
end
same(comm:all_gather(cn.full({rank}, rank)), cn.array {1, 2, 2}:astype "float64")
same(comm:scan(cn.array {rank + 1}, "prod"), cn.array {({1, 2, 6})[rank + 1]})
same(comm:all_to_all(cn.arange(3) + 10 * rank), cn.arange(3) * 10 + rank)
]]

describe("calls of communicators", function()
  for _, case in ipairs {{"openmpi", 1}, {"openmpi", 4}, {"mpich", 2}} do
    it(("are right on %d ranks of %s"):format(case[2], case[1]), function() ranks.must_run(case[1], case[2], ALL) end)
  end

  it("are right on 3 ranks of mpich", function() ranks.must_run("mpich", 3, ODD) end)

  for _, mpi in ipairs(ranks.names) do
    it("go in pieces where there are more elements than one call takes, on " .. mpi, function()
      ranks.must_run(mpi, 2, (ALL:gsub("00000", "00")), {CUNA_DISTRIBUTED_LIMIT = "2"})
    end)
  end

  it("are right for random arrays", function()
    local seed = os.getenv "CUNA_SEED" or tostring(os.time())
    local text, status = ranks.run("openmpi", 3, ranks.HEAD .. RANDOM:gsub("SEED", seed))
    assert(status == 0, ("CUNA_SEED=%s: %s"):format(seed, text))
  end)

  it("give the same without comparisons", function()
    ranks.must_run("openmpi", 2, calls.REQUESTS .. calls.MOVES, {CUNA_DISTRIBUTED_CHECK = "off"})
  end)

  it("give the same where ranks share no memory, as on several machines", function()
    ranks.must_run("openmpi", 2, calls.REQUESTS .. calls.MOVES, {CUNA_DISTRIBUTED_SHARED = "off"})
  end)

  -- More comparisons than a rank's part of the wall has places for, in a communicator of their own; then messages whose
  -- sender has gone on to a comparison.
  -- A late rank may wait for a compiler that is bound to the processor of one that waits for it.
  it("leave their processor to others where a rank is late", function()
    ranks.must_run("openmpi", 2, ranks.HEAD .. [[
      comm:barrier()
      if rank == 1 then os.execute "sleep 1" end
      local before = os.clock()
      comm:barrier()
      local took = os.clock() - before
      assert(took < 0.5, took)
    ]])
  end)

  it("may be started far ahead of other ranks", function()
    ranks.must_run("openmpi", 3, [[
      local part, requests, x = comm:split(0, -rank), {}, cn.arange(1e6, "float32")
      for round = 0, 2 do
        if rank == round then io.popen "sleep 0.1":read "*a" end
        for i = 1, 150 do requests[i] = part:all_reduce(cn.array {i + rank}, {blocking = false}) end
        for i = 150, 1, -1 do same(requests[i]:wait(), cn.array {3 * i + 3}) end
      end
      for i = 1, 20 do
        if rank == 0 then comm:send(x + i, 1) elseif rank == 1 then same(comm:recv(nil, 0), x + i) end
        comm:barrier()
      end
      part:free()
    ]])
  end)
end)
