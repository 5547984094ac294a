-- One .npy file for all ranks: the bytes that one process writes, read by any number of ranks, whole or not there.
local process = require "spec.support.process"
local ranks = require "spec.support.ranks"

local SCRIPT = ranks.ARRAYS .. [[
local folder = os.getenv "ARRAYS_FOLDER"
local function bytes(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end
local g = cn.random.default_rng(3)
local plain, shared = folder .. "/plain.npy", folder .. "/shared.npy"

--- Saves A, compares the file with that of x, and loads it along every axis.
local function round_trip(A, x, what)
  D.save(shared, A)
  if rank == 0 then cn.save(plain, x:copy()) end
  comm:barrier()
  same(bytes(shared) == bytes(plain), true, what .. " bytes")
  for axis = 1, x.ndim do
    local B = D.load(shared, {axis = axis})
    exact(B, x, what .. " load") same(B.layout.axis, axis) same(B.block, cn.array_split(x, size, axis)[rank + 1])
  end
  comm:barrier()
end

for _, shape in ipairs {{7}, {2}, {0}, {5, 3}, {3, 0}, {2, 5, 3}, {3, 2, 4, 2}} do
  for axis = 1, #shape do
    for _, dtype in ipairs {"float64", "int8", "complex64"} do
      local x = g:integers(100, {size = shape}):astype(dtype)
      round_trip(D.array(x, {axis = axis}), x, ("%s {%s} axis %d"):format(dtype, table.concat(shape, ", "), axis))
    end
  end
end
local x = g:normal(0, 1, {6, 4})
round_trip(D.array(x, {axis = 1}).T, x.T, "a transpose")
local mesh = comm:mesh {x = size % 2 == 0 and 2 or 1, y = size % 2 == 0 and size / 2 or size}
for _, layout in ipairs {{x = 1, y = 2, mesh = mesh}, {x = 2, mesh = mesh}, {y = 1, mesh = mesh}} do
  round_trip(D.array(x, layout), x, "over a mesh")
  exact(D.load(shared, layout), x, "loaded over a mesh")
end

-- Rows and bytes in other orders.
for _, name in ipairs {"fortran.npy", "swapped.npy"} do
  for axis = 1, 2 do exact(D.load(folder .. "/" .. name, {axis = axis}), cn.load(folder .. "/" .. name), name) end
end

-- The suffix; an existing file is kept after an error, on all ranks alike.
D.save(folder .. "/shared", D.array(x, {axis = 1}))
exact(D.load(shared, {axis = 2}), x, "the suffix")
local before = bytes(shared)
refused("distributed.save: cannot write '.*/none/shared.npy': No such file", function()
  D.save(folder .. "/none/shared.npy", D.array(x, {axis = 1})) end)
refused("distributed.save: the .npy format has no bfloat16", function()
  D.save(shared, D.array(x:astype "bfloat16", {axis = 1})) end)
refused("distributed.save: expected an array over ranks", function() D.save(shared, x) end)
refused("distributed.save: expected a path", function() D.save(nil, D.array(x, {axis = 1})) end)
refused("distributed.load: cannot open '.*/none.npy'", function() D.load(folder .. "/none.npy", {axis = 1}) end)
refused("short.npy.: an array of shape .* has 192 bytes, and the file has", function()
  D.load(folder .. "/short.npy", {axis = 1}) end)
refused("distributed.load: the layout has no axis", function() D.load(shared, {}) end)
same(bytes(shared) == before, true, "kept")
comm:barrier()
]]

describe("one file of all ranks", function()
  local folder = process.folder()
  for _, name in ipairs {"fortran.npy", "swapped.npy"} do
    local text = process.read("spec/golden/files/" .. name)
    process.write(folder .. "/" .. name, text)
    process.write(folder .. "/short.npy", text:sub(1, -9))
  end
  teardown(function() process.remove(folder) end)

  for _, row in ipairs(ranks.CASES) do
    it(("is written and read by %d"):format(row[2]), function()
      ranks.must_run(row[1], row[2], SCRIPT, {ARRAYS_FOLDER = folder})
      assert.are.equal("", (process.capture("cd " .. folder .. " && ls | grep tmp; true")))
    end)
  end

  it("keeps the old file when a rank fails before all have written", function()
    local text, status = ranks.run("openmpi", 2, ranks.HEAD .. [[
      local path = os.getenv "ARRAYS_FOLDER" .. "/kept.npy"
      cn.distributed.save(path, cn.distributed.array(cn.ones(4), {axis = 1}))
      local A = cn.distributed.array(cn.zeros(4), {axis = 1})
      if rank == 1 then os.exit(3) end
      cn.distributed.save(path, A)
    ]], {ARRAYS_FOLDER = folder})
    assert.are_not.equal(0, status)
    local cn = require "cuna"
    assert.are.equal(tostring(cn.ones(4)), tostring(cn.load(folder .. "/kept.npy")), text)
  end)
end)
