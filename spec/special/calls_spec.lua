--- Functions that call others: on devices of many lanes a kernel has one of them alone, since lanes return from calls
--- one by one, which compilers overlook.
local cn = require "cuna"
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local recorder = require "spec.support.recorder"

local FILES = {"error", "logistic", "gamma", "beta", "density", "quadrature", "incomplete", "betainc", "degrees",
  "normal", "integral", "bessel", "bessel_ik", "elliptic"}

--- The functions of namespace special by name: what their overloads call there, and whether one is called itself.
local function read_functions()
  local functions = {}
  for _, noun in ipairs(FILES) do
    local file = assert(io.open("kernels/special_" .. noun .. ".cuh"))
    local text = file:read "*a":gsub("/%*.-%*/", ""):gsub("namespace called%s*%b{}", "")
    file:close()
    for mark, name, body in text:gmatch "(CUNA_%u+)[%w_:<> ]- ([%w_]+)%([^()]*%)[%w ]*%s*(%b{})" do
      local own = functions[name] or {words = {}}
      functions[name] = own
      own.is_called = own.is_called or mark == "CUNA_APART" or body:find "called::" ~= nil
      for word in body:gmatch "([%w_:]+)%s*[<%(]" do own.words[word] = true end
    end
  end
  return functions
end

local function calls(functions, name, seen)
  local own = functions[name]
  if not own or seen[name] then return false end
  seen[name] = true
  if own.is_called then return true end
  for word in pairs(own.words) do
    if calls(functions, word, seen) then return true end
  end
  return false
end

describe("a row of cn.special", function()
  it("names the namespace calling if its function calls others", function()
    local functions, seen, wrong = read_functions(), 0, {}
    for _, row in ipairs(elementwise.special_rows()) do
      local expressions = type(row.expr) == "table" and row.expr or {row.expr}
      for _, expression in ipairs(expressions) do
        local space, name = expression:match "(%l+)::([%w_]+)"
        if space == "special" or space == "calling" then
          seen = seen + 1
          assert.is_table(functions[name], name)
          if calls(functions, name, {}) ~= (space == "calling") then wrong[#wrong + 1] = row.name end
        end
      end
    end
    assert.is_true(seen > 80)
    assert.same({}, wrong)
  end)
end)

recorder.each_device(function(device)
  --- The results of a chain of operations around fn, and the number of kernels that they ran as.
  local function run(fn, x)
    cn.synchronize()
    local _, before = core.record_stats()
    local y = fn(x * 0.5) * 2 + 1
    local sum = y:sum()
    cn.evaluate(y, sum)
    local _, after = core.record_stats()
    return after - before, y, sum
  end

  it("is a kernel of its own on devices of many lanes", function()
    local function betainc(x) return cn.special.betainc(2, 3, x) end
    local real = cn.linspace(0.1, 0.9, 1000)
    for _, case in ipairs {{betainc, real}, {cn.special.gamma, real * cn.complex(1, 1)}} do -- complex ones call as well
      local fn, x = case[1], case[2]
      local _, y, sum = run(fn, x)
      cn.set_eager(false)
      cn.prepare(run, cn.square, x)
      cn.prepare(run, fn, x)
      local few = run(cn.square, x)
      local many, z, total = run(fn, x)
      cn.set_eager(true)
      assert.equal(device.kind == "cuda" and 2 or 0, many - few)
      recorder.same(y, z)
      recorder.same(sum, total)
    end
  end)
end)
