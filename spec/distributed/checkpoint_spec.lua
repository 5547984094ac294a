-- Checkpoints: whole or not there, on every number of ranks; jobs that are killed and go on.
local process = require "spec.support.process"
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local folder = os.getenv "CHECKPOINT_FOLDER" .. "/" .. size
same(D.load_checkpoint(folder), nil, "none yet")
local x = cn.random.default_rng(4):normal(0, 1, {5, 3})
local rng = D.default_rng(8)
local mesh = comm:mesh {x = 1, y = size}
local function save(step, factor)
  D.save_checkpoint(folder, step, {rows = D.array(x * factor, {axis = 1}), columns = D.array(x, {axis = 2}),
    over = D.array(x, {y = 1, mesh = mesh}), plain = x:astype "float32", rng = rng:get_state(), loss = 0.25,
    words = {"a", {b = true}}})
end
local function check_state(step, factor)
  local state, number = D.load_checkpoint(folder)
  same(number, step)
  exact(state.rows, x * factor, "rows") same(state.rows.layout.axis, 1)
  exact(state.columns, x, "columns") same(state.columns.layout.axis, 2)
  same(state.plain, x:astype "float32") same(state.over, x, "a mesh is not known")
  same(state.loss, 0.25) same(state.words[2].b, true)
  same(D.default_rng(1):set_state(state.rng):random(3, {layout = {axis = 1}}):get(), cn.random.default_rng(8):random(3))
end
save(3, 1) check_state(3, 1)
save(10, 2) check_state(10, 2)
save(10, 3) check_state(10, 3)
comm:barrier()
same(io.popen("ls " .. folder):read "*a", "10\n", "one checkpoint is kept")
local other = D.load_checkpoint(folder, {rows = {axis = 2}, over = {y = 2, mesh = mesh}, plain = {axis = 1}})
exact(other.rows, x * 3, "another layout") same(other.rows.layout.axis, 2)
exact(other.over, x, "over a mesh") same(other.over.layout.y, 2) same(other.plain.layout.axis, 1)

-- What an interrupted save leaves: a folder without a number, or a step between two names.
comm:barrier()
if rank == 0 then os.execute(("cd %s && mv 10 10.old && mkdir new && touch new/state"):format(folder)) end
comm:barrier()
check_state(10, 3)
save(10, 4) check_state(10, 4)
comm:barrier()
same(io.popen("ls " .. folder):read "*a", "10\n", "cleared")

refused("save_checkpoint: expected a table of arrays and values by name", function()
  D.save_checkpoint(folder, 1, D.array(x, {axis = 1})) end)
refused("save_checkpoint: names are letters, digits and _, got \"../x\"", function()
  D.save_checkpoint(folder, 1, {["../x"] = x}) end)
refused("save_checkpoint: step", function() D.save_checkpoint(folder, -1, {x = x}) end)
refused("save_checkpoint: expected the path of a folder", function() D.save_checkpoint(nil, 1, {x = x}) end)
refused("save_checkpoint: cannot make the folder '/proc/none'", function() D.save_checkpoint("/proc/none", 1, {}) end)
refused("save_checkpoint: .*bfloat16", function() D.save_checkpoint(folder, 11, {x = x:astype "bfloat16"}) end)
refused("load_checkpoint: the checkpoint has no array 'u'", function() D.load_checkpoint(folder, {u = {axis = 1}}) end)
check_state(10, 4)
]]

-- Sums steps; one rank is killed in the middle of the sixth, once.
local JOB = [[
local cn = require "cuna"
local comm = cn.distributed.init {timeout = 30}
local folder = arg[1]
local state, step = cn.distributed.load_checkpoint(folder)
local sum = state and state.sum or cn.distributed.zeros({5}, nil, {axis = 1})
for i = (step or 0) + 1, 10 do
  sum = sum + i
  if i == 6 and not step and comm.rank == comm.size - 1 then
    local ffi = require "ffi"
    ffi.cdef "int raise(int signal);"
    ffi.C.raise(9)
  end
  if i % 2 == 0 then cn.distributed.save_checkpoint(folder, i, {sum = sum}) end
end
if comm.rank == 0 then print("from " .. (step or 0)) end
sum:print()
]]

describe("checkpoints", function()
  local folder = process.folder()
  teardown(function() os.execute("rm -r " .. folder) end)

  for _, row in ipairs(ranks.CASES) do
    it(("come back on %d"):format(row[2]), function()
      ranks.must_run(row[1], row[2], SCRIPT, {CHECKPOINT_FOLDER = folder})
    end)
  end

  it("of another number of ranks come back", function()
    ranks.must_run("openmpi", 3, [[
      local x = cn.random.default_rng(4):normal(0, 1, {5, 3})
      local state = cn.distributed.load_checkpoint(os.getenv "CHECKPOINT_FOLDER" .. "/2")
      same(state.rows:get(), x * 4) same(state.rows.block, cn.array_split(x * 4, 3)[rank + 1])
    ]], {CHECKPOINT_FOLDER = folder})
  end)

  it("let a job that is killed go on by itself", function()
    process.write(folder .. "/job.lua", JOB)
    local text, status = process.capture(("%s CUNA_DEVICE=cpu %s -n 2 --restarts 2 %s/job.lua %s/run"):format(
      process.unleaking, process.launcher, folder, folder))
    assert.are.equal(0, status, text)
    assert.has.match("restart 1 of 2\n.*from 4\n%[55%. 55%. 55%. 55%. 55%.%]\n", text)
  end)
end)
