-- Exchanges of axes through memory that GPUs of other processes write to: the same arrays as by messages, for every
-- layout, number of ranks, pieces and groups; what happens where there is no such memory.
local ranks = require "spec.support.ranks"

local has_gpus = pcall(require "cuna".device, "cuda:1") and require "cuna.core".comm_nccl() > 0
local is_simulated = has_gpus and require "cuna".cuda.Device(0).model == "Simulated GPU"

--- Every rank's arrays are small here: windows serve them all the same, in pieces of 256 bytes.
local HEAD = ranks.HEAD .. ranks.ARRAYS .. [[
local core, windows = require "cuna.core", require "cuna.distributed.array.window"
windows.least, windows.piece_nbytes = 0, 256
local g = cn.random.default_rng(3)
local put, puts = core.comm_put, 0
core.comm_put = function(...) puts = puts + 1 return put(...) end
local function complex(shape) return g:normal(0, 1, shape) + g:normal(0, 1, shape) * cn.complex(0, 1) end

local function transforms(shape)
  local what, x = ("{%s}"):format(table.concat(shape, ", ")), complex(shape)
  for axis = 1, #shape do
    local A = D.array(x, {axis = axis})
    for _, name in ipairs {"fft2", "ifftn"} do
      check(A[name](A), cn.fft[name](x), ("%s of %s, axis %d"):format(name, what, axis))
    end
    for other = 1, #shape do
      exact(A:reshard {axis = other}, x, ("%s from %d to %d"):format(what, axis, other))
      check(A:fft(11, other), cn.fft.fft(x, 11, other), "fft of another length " .. what)
      check(D.array(x.real, {axis = axis}):fft(nil, other), cn.fft.fft(x.real, nil, other), "fft of real " .. what)
    end
    check(A:fft2({norm = "ortho"}):ifft2 {norm = "ortho"}, x, "there and back " .. what)
  end
  local last = #shape > 1 and D.array(x.real, {axis = 1}):rfft2()
  if last then check(last:irfft2 {s = {shape[#shape - 1], shape[#shape]}}, x.real, "real " .. what) end
end
]]

local function run(count, script, environment)
  local words = {CUNA_DEVICE = false, SIMGPU_DEVICES = "4", SIMGPU_MEMORY = "256M"}
  for name, value in pairs(environment or {}) do words[name] = value end
  local text, status = ranks.run("openmpi", count, HEAD .. script, words)
  assert(status == 0, ("%d ranks: exit status %s: %s"):format(count, tostring(status), text))
end

local function on_gpus(what, fn, wants_simulated)
  it(what, has_gpus and (is_simulated or not wants_simulated) and fn or nil)
end

describe("exchanges through windows", function()
  for _, count in ipairs(is_simulated and {2, 3} or {2}) do
    on_gpus(("are those by messages on %d ranks"):format(count), function()
      run(count, [[
        for _, shape in ipairs {{7, 5}, {1, 9}, {5, 4, 3}} do transforms(shape) end
        assert(core.comm_has_windows(comm.raw) and puts > 50, puts)
        windows.pieces, windows.groups = 5, 4
        transforms {63, 100}
        windows.piece_nbytes = 16
        transforms {11, 9}
        local before = puts
        exact(D.zeros({0, 4}, nil, {axis = 1}):reshard {axis = 2}, cn.zeros {0, 4}, "nothing")
        windows.least = 2 ^ 20
        local x = complex {8, 8}
        exact(D.array(x, {axis = 1}):reshard {axis = 2}, x, "small")
        same(puts, before, "what is small goes by messages")
      ]])
    end)
  end

  on_gpus("follow what computed the array, and what changes it afterwards", function()
    run(2, [[
      local x = complex {64, 64}
      for _ = 1, 5 do
        local A = D.array(x, {axis = 1})
        local sum = A.block + 0
        for _ = 1, 20 do sum:add_(1) end
        local B = D.from_block(sum, {axis = 1})
        local C = B:reshard {axis = 2}
        sum:fill(0)
        check(C, x + 20, "moved")
        local F = D.from_block(A.block * 1, {axis = 1})
        local G = F:fft2()
        F.block:fill(0)
        check(G, cn.fft.fft2(x), "transformed")
      end
    ]])
  end)

  on_gpus("grow, and end with their communicator", function()
    run(2, [[
      for _, side in ipairs {4, 700, 20, 900} do
        local x = complex {side, side}
        exact(D.array(x, {axis = 1}):reshard {axis = 2}, x, "side " .. side)
      end
      for _ = 1, 3 do
        local part = comm:split(0, -rank)
        local x = complex {6, 10}
        exact(D.array(x, {axis = 1, comm = part}):reshard {axis = 2}, x, "of a part")
        assert(core.comm_has_windows(part.raw))
        part:free()
      end
      exact(D.array(complex {2, 2} * 0, {axis = 1}):reshard {axis = 2}, cn.zeros({2, 2}, "complex128"), "after that")
    ]])
  end)

  on_gpus("go by messages where a GPU does not reach another's memory, on all ranks", function()
    for _, row in ipairs {"cuIpcGetMemHandle", "cuIpcOpenMemHandle_v2"} do
      run(2, ([[
        if rank == 1 then require "spec.simgpu.driver".cuda.simgpu_fail("%s", 1, 801, 0) end
        transforms {6, 7}
        assert(puts == 0 and not core.comm_has_windows(comm.raw), puts)
      ]]):format(row))
    end
    run(3, "transforms {6, 7} same(puts, 0)", {CUNA_DISTRIBUTED_SHARED = "off"})
  end, true)

  on_gpus("are compared before they begin", function()
    local text, status = ranks.run("openmpi", 2, HEAD .. [[
      local A = D.array(complex {6, 6}, {axis = 1})
      if rank == 0 then A:reshard {axis = 2} else A:real() end
    ]], {CUNA_DEVICE = false, SIMGPU_DEVICES = "4", SIMGPU_MEMORY = "256M"})
    assert.are_not.equal(0, status)
    assert.has.match("all_to_all[^\n]*by windows", text)
  end)
end)
