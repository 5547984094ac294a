-- Ranks whose arrays are on GPUs of their own: the same calls as on hosts, by NCCL, in the order of streams, in graphs
-- and traces; what happens when a rank fails.
local calls = require "spec.support.rank_calls"
local ranks = require "spec.support.ranks"

local has_gpus = pcall(require "cuna".device, "cuda:1") and require "cuna.core".comm_nccl() > 0
local is_simulated = has_gpus and require "cuna".cuda.Device(0).model == "Simulated GPU"

--- Runs a script on ranks with a GPU each: output, exit status, seconds. The simulated GPUs may be more than two.
local function run(count, script, environment)
  local words = {CUNA_DEVICE = false, SIMGPU_DEVICES = "4", SIMGPU_MEMORY = "256M"}
  for name, value in pairs(environment or {}) do words[name] = value end
  local head = ranks.HEAD:gsub("30", environment and environment.timeout or "30")
  return ranks.run("openmpi", count, head .. script, words)
end

local function must_run(count, script, environment)
  local text, status = run(count, script, environment)
  assert(status == 0, ("%d ranks: exit status %s: %s"):format(count, tostring(status), text))
  return text
end

local function on_gpus(what, fn, wants_simulated)
  it(what, has_gpus and (is_simulated or not wants_simulated) and fn or nil)
end

local HERE = "assert(comm.backend == 'nccl' and not require 'cuna.core'.is_host(comm.device)) "

describe("ranks with a GPU each", function()
  for _, count in ipairs(is_simulated and {1, 2, 3} or {1, 2}) do
    on_gpus(("reduce and move on %d"):format(count), function()
      must_run(count, HERE .. "do " .. calls.REDUCTIONS .. " end do " .. calls.MOVES .. " end")
    end)
  end

  on_gpus("need not wait for a call", function() must_run(2, calls.REQUESTS) end)

  on_gpus("do the same through the host without NCCL", function()
    must_run(2, "assert(comm.backend == 'mpi') " .. calls.REQUESTS .. " do " .. calls.MOVES .. " end",
      {CUNA_NCCL = "off"})
  end)

  on_gpus("work in the order of streams, and nothing waits for a GPU", function()
    must_run(2, [[
      local x = cn.full(1000, rank, "float32")
      comm:all_reduce(x)
      local y, z = cn.ones(1000, "int16"), cn.ones({4, 3}, "float64")
      comm:all_reduce(y) comm:all_reduce(z, "max")
      cn.no_sync(function()
        x:add_(1)
        comm:all_reduce_(x)
        x:multiply_(2)
        comm:all_reduce_({y, z}, "max")
        comm:halo_(z, 1, 1, {periodic = true})
        comm:all_gather(z) comm:reduce_scatter(z, "max") comm:broadcast_(z) comm:all_to_all(z["1:2"])
      end)
      same(x, cn.full(1000, 6, "float32"))
      local side = cn.cuda.Stream {non_blocking = true}
      local u = cn.full(10, rank, "float32")
      side:wait_event(cn.cuda.get_current_stream():record())
      side:with(function() comm:all_reduce_(u) end)
      cn.cuda.get_current_stream():wait_event(side:record())
      same(u * 1, cn.full(10, 1, "float32"))
      same(select(2, pcall(cn.no_sync, function() comm:scan(x) end)):match "cuna: .*",
        "cuna: scan: waits for the device, and cn.no_sync forbids that")
    ]])
  end)

  on_gpus("record calls in graphs", function()
    must_run(2, [[
      local x = cn.full(5, rank + 1, "float32")
      comm:all_reduce(x)
      local calls = 0
      local step = cn.graph(function(v)
        calls = calls + 1
        local sum = comm:all_reduce(v * 2)
        return sum + comm:all_reduce(v, "max")
      end, x)
      for i = 1, 5 do same(step(x + i), cn.full(5, (3 + 2 * i) * 2 + 2 + i, "float32"), "replay " .. i) end
      same(calls, 2)
      local function refused(fn, arrays)
        return select(2, pcall(cn.graph, fn, arrays)):match "cuna: [^\n]*"
      end
      same(refused(function(v) return comm:scan(v) end, x),
        "cuna: scan: waits for the device, and a graph's capture forbids that")
    ]])
  end)

  on_gpus("start NCCL before a capture", function()
    local text, status = run(2, [[
      local stream = cn.cuda.Stream {non_blocking = true}
      local x = cn.ones(3)
      stream:with(function() stream:begin_capture() comm:all_reduce(x) end)
    ]])
    assert.are_not.equal(0, status)
    assert.has.match("all_reduce: the first call with arrays of a GPU starts NCCL, which no capture can; make one "
      .. "before", text)
  end)

  on_gpus("show transfers in traces", function()
    must_run(2, [[
      local path = os.tmpname()
      local x = cn.ones(250, "float32")
      comm:all_reduce(x)
      cn.profiler.trace(path, function()
        comm:all_reduce_(x)
        comm:all_gather(cn.ones(4, "float64", "cpu"))
      end)
      local text = io.open(path):read "*a"
      os.remove(path)
      local found = {}
      for name, bytes in text:gmatch '"cat":"transfer","name":"([%w_]+)","args":{"bytes":(%d+)}' do
        found[#found + 1] = name .. bytes
      end
      table.sort(found)
      same(table.concat(found, " "), "all_gather32 all_gather32 all_reduce_1000 all_reduce_1000")
    ]])
  end)

  on_gpus("say which libraries serve them", function()
    assert.has.match("^%[0/2%] [^\n]+, NCCL 2%.%d+%.%d+ %(", must_run(2, "comm:print(comm.version)"))
  end)

  on_gpus("pass arrays of other devices through the host", function()
    must_run(2, [[
      local x = cn.full(3, rank, "float64", "cuda:" .. 1 - rank)
      same(comm:all_reduce(x).device.name, "cuda:" .. 1 - rank)
      same(comm:all_reduce({x, cn.ones(2, "float64")})[2], cn.full(2, 2))
      local half = comm:split(0, -rank)
      same(half.device, comm.device)
      same(half:all_gather(cn.full(1, rank)), cn.array {1, 0}:astype "float64")
      half:free()
      same(comm:broadcast(rank == 0 and cn.ones(3) or nil).device, comm.device)
    ]])
  end)
end)

describe("a job of ranks with a GPU each ends", function()
  local SAME = "ranks do not do the same: rank 0: all_reduce sum float64 %(2,%)"

  --- Asserts message, status and time of a script that fails at once, or after the timeout.
  local function ends(script, says, status, environment)
    local text, got, took = run(2, script, environment)
    assert(got ~= 0 and (not status or got == status), ("status %d: %s"):format(got, text))
    if says then assert.has.match(says, text) end
    assert(took < 20, ("%.1f s: %s"):format(took, text)) -- on a busy machine; else the others wait for 30 s
  end

  on_gpus("at different shapes", function()
    ends("comm:all_reduce(cn.ones(rank + 2))", SAME .. " on a GPU at %S+; rank 1: all_reduce sum float64 %(3,%)", 1)
  end)

  on_gpus("when one of them calls with an array of the host", function()
    ends("comm:all_reduce(cn.ones(2, 'float64', rank == 1 and 'cpu' or nil))",
      SAME .. " on a GPU at %S+; rank 1: all_reduce sum float64 %(2,%) at", 1)
  end)

  on_gpus("when one of them computes and the others' GPUs wait", function()
    local limit = is_simulated and "1" or "4" -- the real NCCL takes more than a second to start
    ends([[ local x = cn.ones(2)
      for _ = 1, 70 do comm:all_reduce_(x) end
      if rank == 0 then comm:all_reduce_(x) end
      os.execute "sleep 30" ]],
      "cuna: no end on the GPU within " .. limit .. " s: rank 0 has waited for %d s in all_reduce_ sum float64 %(2,%) "
        .. "on a GPU at %S+; rank 1 has computed for %d s since call", 86, {timeout = limit})
  end)

  on_gpus("when one of them is killed, of which NCCL says nothing", function()
    ends([[ local x = cn.ones(2)
      for _ = 1, 70 do comm:all_reduce_(x) end
      if rank == 1 then io.popen "kill -9 $PPID":read "*a" end
      comm:all_reduce_(x)
      print(x) ]])
  end)

  on_gpus("when one of them ends before the others' last call", function()
    ends([[ local x = cn.ones(2)
      for _ = 1, 70 do comm:all_reduce_(x) end
      if rank == 0 then for _ = 1, 200 do comm:all_reduce_(x) end end ]],
      "ranks do not do the same: rank 0: all_reduce_ sum float64 %(2,%) on a GPU at %S+; rank 1: has ended", 1)
  end)

  on_gpus("at an error of NCCL that comes later", function()
    ends("local x = cn.ones(2) for _ = 1, 9 do comm:all_reduce_(x) end print(x)",
      "cuna: NCCL failed with ncclRemoteError: rank %d has waited for 0 s in all_reduce_ sum float64 %(2,%) on a GPU",
      86, {SIMGPU_NCCL_ASYNC = "5"})
  end, true)

  on_gpus("at an error of NCCL", function()
    ends([[ local x = cn.ones(2)
      comm:all_reduce_(x)
      local ffi = require "ffi"
      ffi.cdef "int simgpu_fail(const char *symbol, unsigned n, int code, int forever);"
      if rank == 1 then ffi.load "libnccl.so.2".simgpu_fail("ncclAllReduce", 1, 3, 0) end
      comm:all_reduce_(x)
      print(x) ]], "ranks.lua:%d+: cuna: DeviceError: all_reduce_: ncclInternalError", 1)
  end, true)

  --- A script in which rank 1 has another environment.
  local function alone_with(name, value)
    return ranks.run("openmpi", 2, ([[
      local ffi = require "ffi"
      ffi.cdef "int setenv(const char *name, const char *value, int overwrite);"
      if os.getenv "OMPI_COMM_WORLD_RANK" == "1" then ffi.C.setenv("%s", "%s", 1) end
      local cn = require "cuna"
      local comm = cn.distributed.init()
      comm:print(comm.backend, comm:all_reduce(cn.ones(2)))
    ]]):format(name, value), {CUNA_DEVICE = false})
  end

  on_gpus("when their libraries differ", function()
    local text, status = alone_with("SIMGPU_NCCL_VERSION", "22703")
    assert.are_not.equal(0, status)
    assert.has.match("distributed.init: the ranks have different libraries: rank 0: NCCL 2.28.9 %(%S+%), rank 1: "
      .. "NCCL 2.27.3 %(%S+%); name one in CUNA_NCCL, or write CUNA_NCCL=off", text)
  end, true)

  on_gpus("no more when one of them has no library, or an old one", function()
    for name, value in pairs {CUNA_NCCL = "off", SIMGPU_NCCL_VERSION = "21708"} do
      local text, status = alone_with(name, value)
      assert.are.equal(0, status, text)
      assert.has.match("%[0/2%] mpi\t%[2%. 2%.%]\n%[1/2%] mpi\t%[2%. 2%.%]", text)
    end
  end, true)
end)
