-- Groups of devices of one process: every operation and dtype against what the cpu device computes, by NCCL and by
-- copies; bad arguments. The real NCCL takes each GPU once, so one GPU is a group of one there.
local process = require "spec.support.process"

local SCRIPT = [[
local cn = require "cuna"
local BACKEND, NAMES, HAS_NCCL = "%s", {%s}, %s
local g = cn.distributed.group(NAMES)
local n = #NAMES
assert(g.backend == BACKEND and g.size == n and g.devices[1].name == NAMES[1], tostring(g))
assert(tostring(g) == ("<group of %%d devices: %%s>"):format(n, BACKEND))

local function same(got, expected, what)
  if tostring(got:get()) ~= tostring(expected:get()) or got.dtype ~= expected.dtype then
    error(("%%s: got %%s %%s, expected %%s %%s"):format(what, got.dtype, tostring(got), expected.dtype,
      tostring(expected)), 2)
  end
end
local function list(of)
  local out = {}
  for i, name in ipairs(NAMES) do out[i] = of(i - 1, name) end
  return out
end

-- Reductions.
local FOLDS = {sum = "add", prod = "multiply", max = "maximum", min = "minimum", any = "logical_or",
  all = "logical_and", mean = "add"}
local OPS = {"sum", "prod", "max", "min", "mean", "any", "all"}
local DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
  "float32", "float64", "complex64", "complex128"}
local function block(dtype, r, device)
  local x = cn.array({0.5, 1 - r, 2 * r, 3}, "float32", device)
  return (dtype:find "^u" and x:astype "int32" or x):astype(dtype)
end
local function expected_of(dtype, op)
  local is_inexact = dtype:find "float" or dtype:find "complex"
  local wide = (op == "any" or op == "all") and "bool" or op == "mean" and not is_inexact and "float64" or dtype
  local out = block(dtype, 0, "cpu"):astype(wide)
  for r = 1, n - 1 do out = cn[FOLDS[op] ](out, block(dtype, r, "cpu"):astype(wide)) end
  return op == "mean" and out / n or out
end
for _, dtype in ipairs(DTYPES) do
  for _, op in ipairs(OPS) do
    local xs, expected, what = list(function(r, d) return block(dtype, r, d) end), expected_of(dtype, op), dtype .. op
    for i, y in ipairs(g:all_reduce(xs, op)) do
      assert(y.device.name == NAMES[i], "device")
      same(y, expected, what)
    end
    same(g:reduce(xs, op, n - 1), expected, what .. " reduce")
    for r, y in ipairs(g:reduce_scatter(xs, op)) do same(y, cn.array_split(expected, n)[r], what .. " scatter") end
    for r, x in ipairs(xs) do same(x, block(dtype, r - 1, "cpu"), what .. " leaves its arrays") end
    if xs[1].dtype == expected.dtype then
      assert(g:all_reduce_(xs, op) == xs)
      for _, x in ipairs(xs) do same(x, expected, what .. " in place") end
    end
  end
end
local odd = list(function(r, d) return cn.array({r == n - 1 and cn.nan or 1, 2, -cn.inf}, "float32", d) end)
same(g:all_reduce(odd, "max")[1], cn.array({cn.nan, 2, -cn.inf}, "float32", "cpu"), "NaN")
same(g:all_reduce(odd, "min")[n], cn.array({cn.nan, 2, -cn.inf}, "float32", "cpu"), "NaN")
local views = list(function(r, d) return cn.arange(6, nil, nil, "int32", d):reshape(2, 3).T end)
g:all_reduce_(views)
same(views[n], cn.arange(6, nil, nil, "int32", "cpu"):reshape(2, 3).T * n, "views")
same(g:all_reduce(list(function(_, d) return cn.zeros({0, 2}, "float32", d) end))[1],
  cn.zeros({0, 2}, "float32", "cpu"), "size 0")

-- Moves.
for _, dtype in ipairs {"bool", "float16", "int64", "complex128"} do
  local function rows(r, d) return cn.arange(2 * r + 2, nil, nil, "int32", d):reshape(-1, 2):astype(dtype) end
  local parts = {}
  for r = 0, n - 1 do parts[r + 1] = rows(r, "cpu") end
  local whole = cn.concatenate(parts)
  for _, y in ipairs(g:all_gather(list(rows))) do same(y, whole, "all_gather") end
  same(g:gather(list(rows), n - 1), whole, "gather")
  for r, y in ipairs(g:scatter(whole)) do same(y, cn.array_split(whole, n)[r], "scatter") end
  for _, y in ipairs(g:broadcast(whole)) do same(y, whole, "broadcast") end
  local function square(r, d) return (cn.arange(3 * n, nil, nil, "int32", d):reshape(n, 3) + r):astype(dtype) end
  for k, y in ipairs(g:all_to_all(list(square))) do
    local columns = {}
    for r = 0, n - 1 do columns[r + 1] = square(r, "cpu")[{k, {}}] end
    same(y, cn.stack(columns), "all_to_all")
  end
end

-- Work before and after is in the order of streams.
if HAS_NCCL then
  local xs = list(function(r, d) return cn.full(1000, r, "float32", d) end)
  cn.no_sync(function()
    for i, x in ipairs(xs) do x:add_(1) end
    g:all_reduce_(xs)
    for i, x in ipairs(xs) do x:multiply_(2) end
  end)
  same(xs[n], cn.full(1000, n * (n + 1), "float32", "cpu"), "streams")
end

-- Bad arguments.
local function raises(pattern, fn, ...)
  local ok, message = pcall(fn, ...)
  assert(not ok and message:find "group.lua:%%d+: cuna: " and message:find(pattern), tostring(message))
end
local ones = list(function(_, d) return cn.ones(2, "float32", d) end)
raises("all_reduce: expected a list of %%d arrays, one on each device, got a cuna array", function()
  g:all_reduce(ones[1]) end)
raises("got a list of %%d", function() g:all_reduce {ones[1], ones[1], ones[1], ones[1], ones[1]} end)
raises("the operation is sum, prod, max, min, any, all or mean, got \"add\"; write \"sum\"", function()
  g:all_reduce(ones, "add") end)
raises("reduce: root is a rank from 0 to %%d, got 9", function() g:reduce(ones, "sum", 9) end)
raises("all_reduce_: any of float32 is bool, which the array cannot hold", function() g:all_reduce_(ones, "any") end)
raises("all_to_all: expected a position of the first axis for each of %%d devices", function()
  g:all_to_all(list(function(_, d) return cn.ones({7, 2}, "float32", d) end)) end)
raises("a group has no field 'allreduce'; did you mean 'all_reduce'", function() return g.allreduce end)
raises("a group's field 'other' cannot be assigned", function() g.other = 3 end)
raises("called with a colon: group:all_reduce", function() g.all_reduce(ones) end)
raises("is in the list twice", function() cn.distributed.group {NAMES[1], NAMES[1]} end)
raises("the table of devices is empty", function() cn.distributed.group {} end)
raises("expected a table of devices, got \"cuda:0\"", function() cn.distributed.group "cuda:0" end)
if n > 1 then
  raises("all_reduce: array 2 of the list is on %%S+, and device 2 of the group is ", function()
    g:all_reduce(list(function() return cn.ones(2, "float32", NAMES[1]) end)) end)
  raises("all_reduce: arrays 1 and 2 of the list differ: float32 %%(1,%%) and float32 %%(2,%%)", function()
    g:all_reduce(list(function(r, d) return cn.ones(r + 1, "float32", d) end)) end)
end
g = nil
collectgarbage() collectgarbage()
]]

local function run(backend, names, environment)
  for i, name in ipairs(names) do names[i] = ("%q"):format(name) end
  local text = SCRIPT:format(backend, table.concat(names, ", "), tostring(backend == "nccl"))
  local folder = process.folder()
  process.write(folder .. "/group.lua", text)
  local said, status = process.capture(process.command(folder .. "/group.lua", environment))
  process.remove(folder)
  assert.are.equal(0, status, said)
end

describe("a group of devices", function()
  local core = require "cuna.core"
  local has_nccl = pcall(require "cuna".device, "cuda:0") and core.comm_nccl() > 0
  local has_two = pcall(require "cuna".device, "cuda:1")

  it("transfers by copies", function() run("copies", {"cpu"}, {CUNA_DEVICE = "cpu"}) end)

  it("transfers by copies between kinds of devices", has_nccl and function()
    run("copies", {"cpu", "cuda:0"}, {CUNA_DEVICE = "cpu"})
  end or nil)

  it("of one GPU transfers by NCCL", has_nccl and function()
    run("nccl", {"cuda:0"}, {CUNA_DEVICE = "cpu"})
  end or nil)

  it("transfers by NCCL", has_nccl and has_two and function()
    run("nccl", {"cuda:0", "cuda:1"}, {CUNA_DEVICE = "cpu"})
  end or nil)

  it("does without NCCL", has_two and function()
    run("copies", {"cuda:1", "cuda:0"}, {CUNA_DEVICE = "cpu", CUNA_NCCL = "off"})
  end or nil)
end)
