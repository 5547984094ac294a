--- Programs that read and write memory at addresses: on loops, whose steps go through blocks of elements, they give the
--- bytes and the errors that they give as kernels, which go through their steps element by element.
local process = require "spec.support.process"

local SCRIPT = [=[
local cn, core = require "cuna", require "cuna.core"
cn.device("cpu"):use()
local function show(name, fn)
  local ok, result = pcall(fn)
  print(name, ok and (type(result) == "string" and result or result:astype("float64"):tobytes():gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end)) or tostring(result):match "cuna: [^\n]*")
end
local N = 1000 -- several blocks
local v, twice = cn.arange(N), cn.arange(N) % 7 + 1

show("the last of several values stays", function()
  local x = cn.zeros(7)
  x[twice] = v
  return x
end)
for _, case in ipairs {{"add_at", "float32"}, {"multiply_at", "float64"}, {"maximum_at", "int32"}} do
  local name, dtype = unpack(case)
  show(name, function() return cn.ones(7, dtype)[name](cn.ones(7, dtype), twice, (v % 3 + 1):astype(dtype)) end)
end
show("put", function() return cn.zeros(7):put(twice, v) end)
show("positions in x itself", function()
  local x = cn.arange(N) % 5 + 1
  x[x] = v
  return x
end)
show("values in x itself", function()
  local x = cn.arange(N)
  x[cn.arange(N - 1) + 2] = x[{{1, N - 1}}]
  return x
end)
show("fetched into x", function()
  local x = cn.arange(N)
  return x:take(N - x, nil, x)
end)
show("outputs that exchange", function()
  local x, y = cn.arange(N) + 0.5, cn.arange(N) * 0.25
  local own = {{dtype = "float64"}, {dtype = "float64"}}
  core.map(core.program {inputs = own, steps = {}, outputs = {{dtype = "float64", value = 2}, {dtype = "float64",
    value = 1}}}, "exchange", nil, {x, y}, x, y)
  return x - 3 * y
end)
for _, at in ipairs {{5, 300, 2}, {300, 5, 2}, {700, 700, 700}, {1000, 1, 999}, {3, 2, 1}} do
  show("reported first " .. table.concat(at, " "), function()
    local keys = {}
    for axis = 1, 3 do
      keys[axis] = cn.ones(N, "int64")
      keys[axis][at[axis] ] = 10 * axis
    end
    return cn.zeros {2, 2, 2}[keys]
  end)
  show("fractions reported " .. table.concat(at, " "), function()
    local keys = {cn.ones(N), cn.ones(N)}
    keys[1][at[1] ], keys[2][at[2] ] = 1.5, 7
    return cn.zeros {2, 2}[keys]
  end)
end
show("reported first of shapes", function()
  local first, second = cn.ones(N), cn.ones(N)
  first[700], second[20] = 9, 8
  return cn.ravel_multi_index({first, second}, {3, 3})
end)
show("reported before something is written", function()
  local x, p = cn.zeros(7), cn.arange(N) % 7 + 1
  p[900] = 8
  pcall(function() x[p] = 1 end)
  return x
end)
show("found", function() return cn.searchsorted(cn.arange(500) * 2, v) end)
]=]

describe("on loops", function()
  it("programs at addresses give what they give as kernels", function()
    local on_loops = process.must_run(SCRIPT, {CUNA_COMPILE = "never"})
    for line in on_loops:gmatch "[^\n]+" do assert.is_nil(line:find("no kernel is there", 1, true), line) end
    assert.are.equal(process.must_run(SCRIPT, {CUNA_COMPILE = "wait"}), on_loops)
  end)
end)
