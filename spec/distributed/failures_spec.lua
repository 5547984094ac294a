-- What happens when a rank fails, ends early, hangs, or does something else than the others: the job ends within
-- seconds, with the message that says why, under both MPIs.
local process = require "spec.support.process"
local ranks = require "spec.support.ranks"

-- Rank 1 does something; the others call all_reduce. The moment is printed to be compared with the end of the job.
local HEAD = [[
local cn = require "cuna"
local comm = cn.distributed.init {timeout = %d}
local rank = comm.rank
local x = cn.ones(1000, "float32")
local function reduce() comm:all_reduce(x) end
reduce()
local function moment() io.stderr:write(("moment %%s\n"):format(io.popen("date +%%s.%%N"):read "*l")) end
]]

local function line_of(text, pattern)
  for line in text:gmatch "[^\n]+" do
    if line:find(pattern) then return line end
  end
end

local MOST_S = 15 -- on a busy machine; without the failure being seen, jobs last for 30 s or as long as a rank sleeps

--- Runs a case; asserts the message, the status and the time. The file's lines begin after HEAD's. Three ranks of
--- MPICH would spin.
local function fails(mpi, case)
  local count = case.count or mpi == "mpich" and 2 or 3
  local script = HEAD:format(case.timeout or 30) .. (case.all or ("if rank == 1 then moment() %s end reduce()"):format(
    case.one))
  local text, status = ranks.run(mpi, count, script, case.environment)
  local ended = tonumber(io.popen("date +%s.%N"):read "*l")
  assert(status ~= 0, "the job ended well: " .. text)
  if case.says then assert(line_of(text, case.says), ("expected %s, got %s"):format(case.says, text)) end
  if case.status then assert.are.equal(case.status, status, text) end
  local began = tonumber(text:match "moment ([%d.]+)")
  local seconds = ended - assert(began, text)
  assert(seconds <= MOST_S, ("ended after %.1f s: %s"):format(seconds, text))
end

local SAME = "ranks do not do the same: rank 0[, 2]*: all_reduce sum float32 %(1000,%) at %S+ranks.lua:5; rank 1: "
local KILL = "io.popen('kill -9 $PPID'):read '*a'"

local BOTH = {
  ["a Lua error"] = {one = "error 'my own message'", says = "ranks.lua:%d+: my own message"},
  ["an end"] = {one = "return", says = SAME .. "has ended$"},
  ["another length"] = {one = "comm:all_reduce(cn.ones(999, 'float32'))",
    says = SAME .. "all_reduce sum float32 %(999,%) at %S+ranks.lua:8"},
  ["SIGKILL"] = {one = KILL},
  ["a hang"] = {looks = true, count = 2, one = "os.execute 'sleep 30 >/dev/null 2>&1 </dev/null'", timeout = 3,
    status = 86,
    says = "cuna: no end within 3 s: .*rank 1 has computed for %d s since call %d+, all_reduce sum float32 %(1000,%)"},
}

local ONE = {
  ["os.exit(0)"] = {one = "os.exit(0)", says = SAME .. "has ended$"},
  ["os.exit(7)"] = {one = "os.exit(7)", status = 7},
  ["another function"] = {one = "comm:barrier()", says = SAME .. "barrier at"},
  ["another operation"] = {one = "comm:all_reduce(x, 'max')", says = SAME .. "all_reduce max float32"},
  ["another dtype"] = {one = "comm:all_reduce(x:astype 'float64')", says = SAME .. "all_reduce sum float64"},
  ["another root"] = {all = "moment() comm:broadcast_(x, rank == 1 and 1 or 0)",
    says = "rank 0[, 2]*: broadcast_ float32 %(1000,%) with root 0 at %S+; rank 1: broadcast_ float32 %S+ with root 1"},
  ["another list"] = {all = "moment() comm:all_reduce(rank == 1 and {x, cn.ones(2)} or {cn.ones(2), x})",
    says = "ranks do not do the same: rank 0[, 2]*: all_reduce sum %S+ %(%d+,%) of 2: float64%(2,%) float32"},
  ["other shapes of one size"] = {
    all = "moment() comm:all_reduce {cn.ones(2), cn.ones(rank == 1 and {2, 3} or {3, 2})}",
    says = "rank 1: all_reduce sum float64 %(8,%) of 2: float64%(2,%) float64%(2, 3%)"},
  ["gathers of other rows"] = {all = "moment() comm:all_gather(cn.ones {rank, rank == 1 and 3 or 2})",
    says = "rank 0[, 2]*: all_gather float64 %(..., 2%) at"},
  ["a call that has not been waited for"] = {one = "comm:all_reduce(cn.ones(3), {blocking = false})",
    says = SAME .. "all_reduce sum float64 %(3,%) at"},
  ["another of many calls that have not been waited for"] = {all = [[
    moment()
    if rank == 1 then io.popen "sleep 0.3":read "*a" end
    for i = 1, 200 do comm:all_reduce(cn.ones(i == 150 and rank == 1 and 2 or 3), {blocking = false}) end
    reduce() ]], says = "all_reduce sum float64 %(3,%) at %S+; rank 1: all_reduce sum float64 %(2,%) at"},
  ["a call inside a coroutine"] = {one = "coroutine.wrap(function() comm:barrier() end)()",
    says = SAME .. "barrier at"},
  ["a call inside a finalizer"] = {one = "getmetatable(newproxy(true)).__gc = function() comm:barrier() end "
    .. "collectgarbage() collectgarbage()", says = SAME .. "barrier at"},
  ["an error that is caught"] = {all = [[
    moment()
    local _, first = pcall(comm.all_reduce, comm, cn.ones(rank == 1 and 3 or 4))
    local _, second = pcall(comm.barrier, comm)
    if first:gsub("^.-cuna", "") ~= second:gsub("^.-cuna", "") then error(first .. second) end
    print "caught twice" os.exit(0) ]], says = "caught twice", status = 1},
  ["an error of a part that is caught"] = {count = 3, all = [[
    local half = comm:split(rank == 2 and 1 or 0)
    moment()
    if rank < 2 then pcall(half.all_reduce, half, cn.ones(rank + 1)) end
    comm:barrier() ]], says = "ranks.lua:%d+: cuna: ranks do not do the same: rank 0: all_reduce sum float64 %(1,%)"},
  ["a call of a child"] = {all = [[
    local ffi = require "ffi"
    ffi.cdef "int fork(void); int wait(int *); void _exit(int);"
    moment()
    if rank == 1 and ffi.C.fork() == 0 then
      print(select(2, pcall(reduce)))
      io.stdout:flush()
      ffi.C._exit(0)
    end
    if rank == 1 then ffi.C.wait(nil) end
    reduce()
    error "the others go on" ]], says = "cuna: a child of a fork has no part in the communication of its parent"},
  ["a segmentation fault"] = {one = "require'ffi'.cast('int *', 16)[0] = 1"},
  ["an end before init of the others"] = {one = "os.exit(3)", status = 3},
  ["a part of the ranks"] = {count = 3, all = [[
    local half = comm:split(rank == 2 and 1 or 0)
    moment()
    if rank == 1 then os.exit(0) end
    half:all_reduce(x) ]], says = "rank 0: all_reduce sum float32 %(1000,%) at %S+; rank 1: has ended"},
  ["a message from a rank that ends"] = {all = "moment() if rank == 0 then comm:recv(x, 1) end", status = 86,
    says = "cuna: a message that never comes: rank 0 has waited for %d s in recv float32 %S+ from rank 1 at %S+;.*"
      .. "rank 1 has ended"},
  ["a message of another shape"] = {all = [[
    moment()
    if rank == 0 then comm:recv(x, 1) elseif rank == 1 then comm:send(cn.ones {2, 3}, 0) end ]],
    says = "ranks.lua:%d+: cuna: recv: rank 1 sent float64 %(2, 3%), and rank 0 expects float32 %(1000,%)"},
  ["a message of another shape, later"] = {all = [[
    moment()
    if rank == 0 then comm:recv(x, 1, {blocking = false}):wait() elseif rank == 1 then comm:send(cn.ones(3), 0) end ]],
    says = "cuna: recv: rank 1 sent float64 %(3,%), and rank 0 expects float32 %(1000,%)"},
  ["an end with a request that nobody serves"] = {timeout = 1, status = 86,
    all = "moment() if rank == 0 then comm:recv(x, 1, {blocking = false}) end", says = "rank 0 has waited for"},
}

describe("a job ends", function()
  for name, case in pairs(BOTH) do
    for _, mpi in ipairs(ranks.names) do
      it(("at %s of one rank, under %s"):format(name, mpi), function()
        local shares = case.looks or mpi ~= "mpich" -- else as on different machines
        case.environment = {CUNA_DISTRIBUTED_SHARED = shares and "on" or "off"}
        fails(mpi, case)
      end)
    end
  end

  local names = {}
  for name in pairs(ONE) do names[#names + 1] = name end
  table.sort(names)
  for place, name in ipairs(names) do
    local mpi = ONE[name].count and "openmpi" or ranks.names[place % 2 + 1]
    it(("at %s of one rank, under %s"):format(name, mpi), function() fails(mpi, ONE[name]) end)
  end
end)

describe("a rank that fails before it starts", function()
  -- MPICH's launcher does not end the others then, which wait for it.
  it("ends the job at the timeout of the others", function()
    local text, status, seconds = ranks.run("mpich", 2, [[
      local ffi = require "ffi"
      ffi.cdef "int setenv(const char *name, const char *value, int overwrite);"
      if os.getenv "PMI_RANK" == "1" then ffi.C.setenv("CUNA_DEVICE", "cuda:77", 1) end
      require "cuna".distributed.init {timeout = 1}
    ]])
    assert(line_of(text, "ranks.lua:4: cuna: .*cuda:77"), text)
    assert(line_of(text, "cuna: no end within 1 s: rank 0 has waited for 1 s in distributed.init"), text)
    assert(status ~= 0 and status ~= 124, ("status %d: %s"):format(status, text))
    assert(seconds < MOST_S, ("after %.1f s: %s"):format(seconds, text))
  end)
end)

describe("a fault of a kernel", function()
  -- The first kernel installs a handler of faults; libraries below MPI install theirs when they are loaded.
  for place, mpi in ipairs(ranks.names) do
    it("is an error of its rank, under " .. mpi, function()
      local text, status = ranks.run(mpi, 2, ([[
        local cn = require "cuna"
        local function kernel(body)
          return cn.RawKernel('extern "C" __global__ void wild(long long p) {' .. body .. '}', "wild")
        end
        if %s then kernel "" (1, 1, {16LL}) end
        cn.distributed.init()
        local ok, message = pcall(kernel "*(int *)p = 1;", 1, 1, {16LL})
        if ok or not message:find "touched address 0x10" then error(message) end
      ]]):format(tostring(place == 2)))
      assert.are.equal(0, status, text)
    end)
  end
end)

describe("a launcher and a library of different MPIs", function()
  for mpi, library in pairs {openmpi = "libmpich.so.12", mpich = "libmpi.so.40"} do
    it("are named: " .. mpi .. " and " .. library, function()
      local text, status = ranks.run(mpi, 2, "require'cuna'.distributed.init()", {CUNA_MPI = library})
      assert.are_not.equal(0, status)
      assert.has.match("cuna: DeviceError: distributed.init: .- started 2 processes, and the library sees 1: .* "
        .. "of different MPIs: name the launcher's library in CUNA_MPI", text)
    end)
  end

  it("are said to be missing", function()
    local text, status = ranks.run("mpich", 1, "require'cuna'.distributed.init()", {CUNA_MPI = "off"})
    assert.are_not.equal(0, status)
    assert.has.match("distributed.init: no MPI library: looked for %$CUNA_MPI %(off%) and nothing else; install "
      .. "openmpi%-bin or mpich", text)
  end)

  it("are distinguished from a library that is not of MPI", function()
    local text = ranks.run("mpich", 1, "require'cuna'.distributed.init()", {CUNA_MPI = "libm.so.6"})
    assert.has.match("distributed.init: libm.so.6 lacks MPI_Init_thread", text)
  end)

  it("are not looked for where nothing launched the script", function()
    local text = process.must_run("print(require'cuna'.distributed.init().backend)", {CUNA_MPI = "off"})
    assert.has.match("alone", text)
  end)
end)
