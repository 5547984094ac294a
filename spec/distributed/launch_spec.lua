-- How ranks are started, and what they share of a machine: processors, GPUs, random numbers.
local process = require "spec.support.process"
local ranks = require "spec.support.ranks"

local RANK = "require'cuna'.distributed.init():print((...))"

--- Runs `build/cuna -n ...` with a folder of programs in front of the PATH, which run others, or with that alone.
local function launch(arguments, programs, alone)
  local folder = process.folder()
  process.write(folder .. "/ranks.lua", RANK)
  os.execute("mkdir " .. folder .. "/bin")
  for name, target in pairs(programs or {}) do
    local where = io.popen("command -v " .. target):read "*l"
    process.write(folder .. "/bin/" .. name, ("#!/bin/sh\nexec %s \"$@\"\n"):format(where))
  end
  os.execute("chmod -R u+x " .. folder .. "/bin")
  local path = folder .. "/bin" .. (alone and "" or ":" .. os.getenv "PATH")
  -- Open MPI 5 complains on stderr where it finds no network between ranks, which need none here.
  local text, status = process.capture(("cd %s && env OMPI_MCA_btl=^tcp %s PATH=%s CUNA_DEVICE=cpu %s %s"):format(
    folder, process.unleaking, process.quote(path), process.launcher, arguments))
  process.remove(folder)
  return text, status
end

describe("cuna -n", function()
  for _, mpi in ipairs(ranks.names) do
    it("runs a script under the mpirun of " .. mpi, function()
      local text, status = launch("-n 3 ranks.lua hello", {mpirun = "mpirun." .. mpi})
      assert.are.equal(0, status, text)
      assert.has.match("^%[0/3%] hello\n%[1/3%] hello\n%[2/3%] hello\n*$", text)
    end)
  end

  it("takes the number with or without a blank", function()
    assert.has.match("^%[0/1%] x\n*$", (launch("-n1 ranks.lua x")))
  end)

  it("says what it takes, and what is missing", function()
    for _, arguments in ipairs {"-n", "-n 2", "-n x ranks.lua", "-n 0 ranks.lua", "-n 1.5 ranks.lua", "-n 2 --restarts",
      "-n 2 --restarts x ranks.lua", "-n 2 --restarts -1 ranks.lua", "-n 2 --restarts 3"} do
      local text, status = launch(arguments)
      assert.are.equal(1, status)
      assert.has.match("^usage: cuna %-n RANKS %[%-%-restarts COUNT%] script.lua %[arguments%]\n*$", text)
    end
    local text, status = launch("-n 2 ranks.lua", {luajit = "luajit", dirname = "dirname", basename = "basename",
      readlink = "readlink"}, true)
    assert.are.equal(1, status)
    assert.has.match("^cuna: %-n needs the mpirun of an MPI, and there is none on the PATH: install ", text)
  end)

  it("passes the exit status on", function()
    local text, status = launch("-n 2 -e 'require[[cuna]].distributed.init() os.exit(5)'")
    assert.are.equal(5, status, text)
  end)

  -- Each start appends to a file; the third one ends well.
  local STARTS = [==[-e 'local comm = require[[cuna]].distributed.init() local file = io.open([[starts]], [[a+]])
    local count = #file:read([[*a]]) comm:barrier() if comm.rank == 0 then file:write([[x]]) end file:close()
    if count < 2 and comm.rank == 1 then os.exit(3) end comm:barrier() if comm.rank == 0 then print([[ended]]) end']==]

  it("runs again after failures, as often as it may", function()
    STARTS = STARTS:gsub("\n%s*", " ")
    local text, status = launch("-n 2 --restarts 5 " .. STARTS)
    assert.are.equal(0, status, text)
    assert.has.match("cuna: the job ended with status 3; restart 1 of 5\n.*; restart 2 of 5\n.*ended", text)
    assert.is_nil(text:find "restart 3")
    text, status = launch("-n 2 --restarts 1 " .. STARTS)
    assert.are.equal(3, status, text)
    assert.has.match("restart 1 of 1", text)
    assert.is_nil(text:find "ended\n$")
    text, status = launch("-n 2 --restarts 0 " .. STARTS)
    assert.are.equal(3, status, text)
    assert.is_nil(text:find "restart")
  end)

  it("leaves nothing behind when it is ended", function()
    local folder = process.folder()
    process.write(folder .. "/sleep.lua", [[
      require "cuna".distributed.init()
      local file = io.open("began.new", "w")
      file:write((io.open "/proc/self/stat":read "*n"))
      file:close()
      os.rename("began.new", "began")
      local ffi = require "ffi"
      ffi.cdef "int sleep(unsigned seconds);"
      ffi.C.sleep(30)
    ]])
    local text = process.capture(([[cd %s && { %s CUNA_DEVICE=cpu %s -n 1 --restarts 5 sleep.lua & } && pid=$!
      for i in $(seq 200); do [ -e began ] && break; sleep 0.1; done
      kill $pid; wait $pid; echo ended $?
      for i in $(seq 100); do kill -0 $(cat began) 2> kill.txt || break; sleep 0.1; done
      echo after $i]]):format(folder, process.unleaking, process.launcher))
    process.remove(folder)
    assert.has.match("ended 143\n.*after %d%d?\n", text)
    assert.is_nil(text:find "restart %d")
  end)
end)

describe("the ranks of a machine", function()
  it("share its processors, unless the number of threads is given", function()
    local script = [[
      local cn = require "cuna"
      local before = require "cuna.core".describe_driver("cpu").threads
      cn.matmul(cn.ones {9, 9}, cn.ones {9, 9})
      local comm = cn.distributed.init()
      comm:print(before, require "cuna.core".describe_driver("cpu").threads)
    ]]
    local all = tonumber(io.popen("nproc"):read "*l")
    local text = ranks.run("mpich", 2, script, {CUNA_NUM_THREADS = false})
    local own = math.max(1, math.floor(all / 2))
    assert.has.match(("^%%[0/2%%] %d\t%d\n%%[1/2%%] %d\t%d\n"):format(all, own, all, own), text)
    assert.has.match("^%[0/2%] 3\t3\n%[1/2%] 3\t3\n", (ranks.run("mpich", 2, script, {CUNA_NUM_THREADS = "3"})))
  end)

  it("are counted by machine", function()
    local folder = process.folder()
    process.write(folder .. "/ranks.lua", [[
      local comm = require "cuna".distributed.init()
      comm:print(comm.local_rank, comm.local_size, comm:node().size, comm:all_reduce(1):item())
    ]])
    local text, status = process.capture(process.unleaking .. ("mpiexec.hydra -launcher fork "
      .. "-hosts 127.0.0.1:2,127.0.0.2:2 -n 4 env CUNA_DEVICE=cpu %s %s/ranks.lua"):format(process.launcher, folder))
    process.remove(folder)
    assert.are.equal(0, status, text)
    assert.has.match("^%[0/4%] 0\t2\t2\t4\n%[1/4%] 1\t2\t2\t4\n%[2/4%] 0\t2\t2\t4\n%[3/4%] 1\t2\t2\t4\n", text)
  end)

  it("draw the same random numbers, before and after cn.random was used", function()
    local script = [[
      local before = %s
      local comm = cn.distributed.init()
      local all = comm:all_gather(cn.random.random {1, 4})
      same(all[1], all[2])
      if before then same(all[1], before) end
      cn.random.seed(5)
      same(comm:all_gather(cn.random.random(1)):unique().size, 1)
    ]]
    local head = ranks.HEAD:gsub("local comm = cn.distributed.init %b{}\nlocal rank, size = [^\n]+", "")
    for text, environment in pairs {["nil"] = {}, ["cn.random.random(3) and nil"] = {},
      ["cn.random.default_rng(11):random {1, 4}[1]"] = {CUNA_RANDOM_SEED = "11"}} do
      local output, status = ranks.run("openmpi", 2, head .. script:format(text), environment)
      assert.are.equal(0, status, output)
    end
  end)
end)

describe("arrays of a GPU", function()
  local has_gpu = pcall(require "cuna".device, "cuda:1")

  it("pass through the host without NCCL", has_gpu and function()
    ranks.must_run("openmpi", 2, [[
      same(comm.device.name, "cuda:" .. rank)
      local x = cn.full({2, 3}, rank + 1)
      same(comm:all_reduce(x):get(), cn.full({2, 3}, 3, "float64", "cpu"))
      same(comm:all_reduce(x).device.name, "cuda:" .. rank)
      comm:all_reduce_(x.T, "mean")
      same(x:get(), cn.full({2, 3}, 1.5, "float64", "cpu"), "in place, a view")
      same(comm:all_gather(cn.arange(rank + 1)):get(), cn.array({0, 0, 1}, "int64"):get())
      local got = comm:all_reduce({x, cn.ones(2, "float32")}, {blocking = false}):wait()
      same(got[1]:get(), cn.full({2, 3}, 3, "float64", "cpu")) same(got[2].device.name, "cuda:" .. rank)
      same(comm:broadcast(rank == 1 and x or nil, 1).device.name, "cuda:" .. rank)
      same(comm:send_recv(cn.full(2, rank), 1 - rank, nil, 1 - rank):get(), cn.full(2, 1 - rank, "float64", "cpu"))
      same(comm:halo(cn.full(1, rank), {periodic = true}):get(), cn.array {1 - rank, rank, 1 - rank}:get())
      same(comm:scatter(rank == 0 and cn.arange(3) or nil).device.name, "cuda:" .. rank)
      same(pcall(cn.no_sync, function() comm:all_reduce(x) end), false)
    ]], {CUNA_DEVICE = false, CUNA_NCCL = "off"})
  end or nil)

  it("are refused where two ranks have one", has_gpu and function()
    local text, status = ranks.run("mpich", 3, ranks.HEAD, {CUNA_DEVICE = false})
    assert.are_not.equal(0, status)
    assert.has.match("ranks.lua:2: cuna: distributed.init: ranks 0 and 2 are on the same GPU, %S+; start no more ranks "
      .. "than GPUs, or set CUNA_DEVICE=cpu", text)
  end or nil)
end)
