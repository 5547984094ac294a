-- One rank without MPI: the functions do what they do for many, and their errors are one line at the caller.
local cn = require "cuna"
local raises = require("spec.support.raises").raises

describe("cn.distributed", function()
  local comm, x

  setup(function()
    comm = cn.distributed.init()
    x = cn.array {1, 2, 3}
  end)

  it("is loaded at its first use, without a library", function()
    local process = require "spec.support.process"
    local text = process.must_run([[
      require "cuna"
      for name in pairs(package.loaded) do if name:find "^cuna.distributed" then print(name) end end
      local comm = require "cuna".distributed.init()
      print(comm.backend, comm.rank, comm.size, comm.version, io.open("/proc/self/maps"):read "*a":find "libmpi")
    ]], {PMI_SIZE = false, OMPI_COMM_WORLD_SIZE = false})
    assert.are.equal("alone\t0\t1\tnone\tnil\n", text)
  end)

  it("is one rank where nothing launched the script", function()
    assert.are.equal(comm, cn.distributed.init())
    assert.are.equal("<communicator: rank 0 of 1>", tostring(comm))
    assert.are.same({0, 1, 0, 1, "alone"}, {comm.rank, comm.size, comm.local_rank, comm.local_size, comm.backend})
    for _, name in ipairs {"all_reduce", "all_gather", "gather", "scatter", "reduce", "reduce_scatter", "scan",
      "broadcast"} do
      assert.are.equal(tostring(x), tostring(comm[name](comm, x)), name)
    end
    for _, name in ipairs {"all_reduce_", "reduce_", "scan_", "broadcast_"} do
      assert.is_true(rawequal(x, comm[name](comm, x)), name)
    end
    assert.are.equal("[0. 0. 0.]", tostring(comm:exscan(x)))
    assert.are.equal("[[1. 2. 3.]]", tostring(comm:all_to_all(x:reshape(1, 3))))
    assert.are.equal("[1. 2. 3.]", tostring(comm:all_to_all({x})[1]))
    assert.are.equal(2, #comm:all_reduce {x, x})
    assert.is_nil(comm:split(nil))
  end)

  it("runs nothing in a rehearsal", function()
    cn.prepare(function()
      local y = comm:all_reduce(x)
      comm:all_reduce_(y, "max")
      assert.are.equal("(3, 3)", tostring(comm:all_gather(x:reshape(1, 3)):tile({3, 1}).shape))
      comm:halo_(cn.zeros(5))
    end)
    assert.are.equal("[1. 2. 3.]", tostring(x))
  end)

  it("rejects what it cannot send", function()
    raises("all_reduce: expected an array, a number or a nested table, got string", function() comm:all_reduce "x" end)
    raises("all_reduce: the operation is sum, prod, max, min, any, all or mean, got \"avg\"; write \"mean\"",
      function() comm:all_reduce(x, "avg") end)
    raises("scan: the operation is sum, prod, max, min, any, all, got \"mean\"", function() comm:scan(x, "mean") end)
    raises("all_reduce_: mean of int32 is float64, which the array cannot hold; write comm:all_reduce(x, \"mean\")",
      function() comm:all_reduce_(x:astype "int32", "mean") end)
    raises("all_reduce_: any of float64 is bool, which the array", function() comm:all_reduce_({x, x}, "any") end)
    raises("all_reduce_: expected an array, got a table", function() comm:all_reduce_ {1, 2} end)
    raises("all_reduce_: the array of shape (2, 3) is a broadcast view", function()
      comm:all_reduce_(cn.broadcast_to(x, {2, 3}))
    end)
    raises("all_reduce: the list has an entry other than arrays, 2", function() comm:all_reduce {x, 3} end)
    raises("all_to_all: expected a position of the first axis for each of 1 ranks, got shape (3,)",
      function() comm:all_to_all(x) end)
    raises("all_to_all: expected an array for each of 1 ranks, got 2 arrays", function() comm:all_to_all {x, x} end)
    raises("reduce_scatter: expected an array with at least one axis, got a 0-d array",
      function() comm:reduce_scatter(1) end)
    raises("halo: width 4 does not fit axis 1 of shape (3,)", function() comm:halo(x, 1, 4) end)
    raises("halo_: width 2 does not fit axis 1 of shape (3,)", function() comm:halo_(x, 1, 2) end)
    raises("halo: axis 0: axes count from 1", function() comm:halo(x, 0) end)
    local freed = cn.ones(2)
    freed:free()
    raises("all_reduce_: the array was freed", function() comm:all_reduce_(freed) end)
  end)

  it("rejects ranks that there are not, and arguments of other kinds", function()
    raises("broadcast: root is a rank from 0 to 0, got 3", function() comm:broadcast(x, 3) end)
    raises("send: the receiver is this rank itself, 0; write comm:send_recv", function() comm:send(x, 0) end)
    raises("recv: the rank is missing; ranks count from 0", function() comm:recv(x) end)
    raises("send_recv: this rank sends to itself, and receives from another", function() comm:send_recv(x, 0) end)
    raises("all_reduce: unknown option 'foo'; known are op, blocking", function() comm:all_reduce(x, {foo = 1}) end)
    raises("all_reduce: blocking is true or false, got 1", function() comm:all_reduce(x, {blocking = 1}) end)
    raises("all_reduce: a communicator's function is called with a colon", function() comm.all_reduce(x) end)
    raises("barrier: a communicator's function is called with a colon", function() comm.barrier() end)
    raises("split: color is a count, got -1", function() comm:split(-1) end)
    raises("free: the communicator of all ranks lives as long as the process", function() comm:free() end)
    raises("a communicator has no field 'allreduce'; did you mean 'all_reduce'?", function() return comm.allreduce end)
    raises("a communicator's field 'x' cannot be assigned", function() comm.x = 1 end)
    raises("distributed.init: unknown option 'x'; known are timeout", function() cn.distributed.init {x = 1} end)
    raises("distributed.init: timeout is at least 1", function() cn.distributed.init {timeout = 0} end)
    raises("distributed has no function 'init_process_group'; did you mean 'init'?",
      function() return cn.distributed.init_process_group end)
    local request = comm:all_reduce(x, {blocking = false})
    raises("a request has no field 'foo'; there are done and wait", function() return request.foo end)
    raises("a request's field 'x' cannot be assigned", function() request.x = 1 end)
    local half = comm:split(0)
    half:free()
    raises("the communicator was freed", function() half:barrier() end)
  end)

  it("shares values, not code", function()
    raises("share: expected nil, booleans, numbers, strings or plain tables of them, got a function",
      function() comm:share(print) end)
    raises("collect: expected nil, booleans, numbers, strings or plain tables of them, got a cuna array",
      function() comm:collect {x} end)
    local circle = {}
    circle.circle = circle
    raises("share: tables are nested more than 64 deep, or contain themselves", function() comm:share(circle) end)
  end)

  it("runs in fused functions, and is not captured", function()
    local fused = cn.fuse(function(a) return comm:all_reduce(a + 1) end)
    for _ = 1, 2 do assert.is_true(cn.array_equal(comm:all_reduce(x + 1), fused(x))) end
    raises("a copy from or to cpu cannot be captured", function() cn.graph(function() comm:all_reduce_(x) end) end)
    comm:barrier()
  end)
end)
