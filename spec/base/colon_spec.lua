--- Methods that are called with a dot: each refuses what stands in place of its object, with one line at the user's
--- line that shows the call with a colon. The methods come from the catalog: a new one is here on its own.
local catalog = require "cuna.tools.catalog"
local cn = require "cuna"
local elementwise = require "cuna.elementwise"

local HERE = debug.getinfo(1, "S").short_src

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

-- Other names of operations: messages have the row's.
local row_name = {}
for _, rows in ipairs {elementwise.rows(), elementwise.special_rows()} do
  for _, row in ipairs(rows) do
    for _, alias in ipairs(row.alias) do row_name[alias] = row.name end
  end
end

--- What is wrong with the refusal of method(...), a method of what messages call `object`; or nil.
local function flaw(object, name, method, ...)
  local arguments, count = {...}, select("#", ...)
  local ok, message = pcall(function()
    local result = method(unpack(arguments, 1, count))
    return result
  end)
  if ok then return "no error" end
  local where, said = tostring(message):match "^([^\n]-):%d+: cuna: ([^\n]*)$"
  if where ~= HERE then return "not one line here: " .. tostring(message) end
  if said:sub(1, #name + 2) ~= name .. ": " then return "begins otherwise: " .. said end
  local call = (" is called with a colon%%p %s:%s("):format(object, name):gsub("[-_(]", "%%%0")
  return not said:find(call) and "does not show the call: " .. said or nil
end

--- Tries a method with arguments that come before others where the object is missing.
local function try(findings, object, name, method, said)
  for _, arguments in ipairs {{}, {1}, {1, 2}, {"x"}, {{1, 2}}, {{}}, {true}, {{axis = 1}}} do
    local found = flaw(object, said or name, method, unpack(arguments))
    if found then
      findings[#findings + 1] = ("%s.%s(%s): %s"):format(object, name, tostring(arguments[1]), found)
    end
  end
end

--- The object that make(path) opens in a file, which is removed.
local function in_file(make)
  local path = os.tmpname()
  local object = make(path)
  os.remove(path)
  return object
end

describe("a method called with a dot", function()
  it("of an array is refused", function()
    local x, findings = cn.zeros {2, 3}, {}
    for name, method in pairs(require("cuna.method").all()) do
      local of_row, mark = name:match "^(.-)(_?)$"
      local is_row = debug.getinfo(method, "S").what == "C"
      assert.equal(method, x[name])
      try(findings, "x", name, method, is_row and (row_name[of_row] or of_row) .. mark or name)
    end
    table.sort(findings)
    fail_with(findings)
  end)

  it("shows the call as it is to be written", function()
    local x = cn.zeros {3, 4}
    local function says(text, call)
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.equal(text, message:match "cuna: (.*)$")
    end
    local function colon(name, got, call)
      return ("%s: expected an array, got %s; a method is called with a colon, x:%s"):format(name, got, call)
    end
    says(colon("sum", "1", "sum(1)"), function() x.sum(1) end)
    says(colon("clip", "0", "clip(0, 1)"), function() x.clip(0, 1) end)
    says(colon("reshape", "2", "reshape(2, 6)"), function() x.reshape(2, 6) end)
    says(colon("mean", "nil", "mean()"), function() x.mean() end)
    says(colon("sum", "nil", "sum(nil, nil, x)"):gsub("x%)$", "...)"), function() x.sum(nil, nil, x) end)
    says(colon("astype", '"int8"', 'astype("int8")'), function() x.astype "int8" end)
    says(colon("max", "a table", "max(...)"), function() x.max {axis = 1} end)
    says(colon("add", "2", "add(2)"), function() x.add(2) end)
    says(colon("add_", "2", "add_(2)"), function() x.add_(2) end)
    says(colon("minimum", "2", "minimum(2, 3)"), function() x.minimum(2, 3) end)
    says(colon("exp", "2", "exp(2)"), function() x.exp(2) end)
    says(colon("cumsum", "1", "cumsum(1)"), function() x.cumsum(1) end)
  end)

  it("in a fused function is refused, too", function()
    local function refused(fn, text)
      local ok, message = pcall(cn.fuse(fn), cn.ones {2, 2})
      assert.is_false(ok)
      assert.equal(text, message:match "cuna: (.*)$")
    end
    refused(function(x) return x + x.sum(1) end,
      "sum: expected an array, got 1; a method is called with a colon, x:sum(1)")
    refused(function(x) return x + x.sqrt(4) end,
      "sqrt: expected an array, got 4; a method is called with a colon, x:sqrt(4)")
  end)

  it("leaves the functions of these names as they are: they take numbers and tables", function()
    assert.equal(5, cn.sum(5):item())
    assert.equal(10, cn.sum({1, 2, 3, 4}):item())
    assert.equal(3, cn.add(1, 2):item())
    assert.equal("[[1. 2.]]", tostring(cn.reshape({1, 2}, 1, 2)))
    assert.equal(1, cn.clip(0, 1, 2):item())
  end)

  -- An object of each class that has methods, and what messages call it. What needs a GPU is made where there is one.
  local OBJECTS = {
    ["cuna.Benchmark"] = {"result", function() return cn.profiler.benchmark(math.abs, {1}, {n_repeat = 1}) end},
    ["cuna.CapturedGraph"] = {"graph", function()
      local stream = cn.cuda.Stream()
      return stream:capture(function() return cn.zeros(1) end)
    end},
    ["cuna.ChannelFormatDescriptor"] = {"x", function() return cn.cuda.texture.CUDAarray("int8", 3).desc end},
    ["cuna.CUDAarray"] = {"x", function() return cn.cuda.texture.CUDAarray("int8", 3) end},
    ["cuna.ResourceDescriptor"] = {"x", function()
      return cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 3)).ResDesc
    end},
    ["cuna.SurfaceObject"] = {"x", function()
      return cn.cuda.texture.SurfaceObject(cn.cuda.texture.CUDAarray("int8", 3, {flags = 2}))
    end},
    ["cuna.TextureDescriptor"] = {"x", function() return cn.cuda.texture.TextureDescriptor() end},
    ["cuna.TextureObject"] = {"x", function()
      return cn.cuda.texture.TextureObject(cn.cuda.texture.CUDAarray("int8", 3))
    end},
    ["cuna.Communicator"] = {"comm", function() return cn.distributed.init() end},
    ["cuna.DLPack"] = {"capsule", function() return cn.zeros(1):to_dlpack() end},
    ["cuna.Device"] = {"device", function() return cn.device() end},
    ["cuna.DeviceGroup"] = {"group", function() return cn.distributed.group {"cpu"} end},
    ["cuna.DistributedArray"] = {"A", function() return cn.distributed.array(cn.ones(4), {axis = 1}) end},
    ["cuna.Event"] = {"event", function() return cn.cuda.Event() end},
    ["cuna.Generator"] = {"rng", function() return cn.random.default_rng(1) end},
    ["cuna.Graph"] = {"graph", function() return cn.graph(function(x) return x + 1 end, cn.ones(1)) end},
    ["cuna.LinearOperator"] = {"A", function() return cn.sparse.linalg.aslinearoperator(cn.eye(2)) end},
    ["cuna.BSpline"] = {"spline", function() return cn.interpolate.make_interp_spline({1, 2, 3, 4}, {1, 4, 9, 16}) end},
    ["cuna.PPoly"] = {"p", function() return cn.interpolate.CubicSpline({1, 2, 3}, {1, 4, 9}) end},
    ["cuna.GaussianKde"] = {"density", function() return cn.stats.gaussian_kde {1, 2, 4} end},
    ["cuna.Distribution"] = {"d", function() return cn.stats.norm(0, 1) end},
    ["cuna.ShortTimeFFT"] = {"stft", function() return cn.signal.ShortTimeFFT({1, 1}, 1, 1) end},
    ["cuna.SparseLU"] = {"lu", function() return cn.sparse.linalg.splu(cn.eye(2)) end},
    ["cuna.MemoryPointer"] = {"allocation", function() return cn.cuda.alloc(8) end},
    ["cuna.MemoryPool"] = {"pool", function() return cn.get_default_memory_pool() end},
    ["cuna.Figure"] = {"fig", function() return cn.plot.figure() end},
    ["cuna.Progress"] = {"bar", function() return cn.progress(1) end},
    ["cuna.H5Group"] = {"group", function() return in_file(function(path) return cn.h5.open(path, "w") end) end},
    ["cuna.H5Dataset"] = {"dataset", function()
      return in_file(function(path) return cn.h5.open(path, "w"):write("x", {1}) end)
    end},
    ["cuna.Safetensors"] = {"f", function()
      return in_file(function(path)
        cn.save_safetensors(path, {x = cn.zeros(1)})
        return cn.open_safetensors(path)
      end)
    end},
    ["cuna.Npz"] = {"npz", function()
      local path = os.tmpname()
      cn.savez(path .. ".npz", {x = cn.zeros(1)})
      local npz = cn.load(path .. ".npz")
      os.remove(path)
      os.remove(path .. ".npz")
      return npz
    end},
    ["cuna.Poly1d"] = {"p", function() return cn.poly1d {1, 2} end},
    ["cuna.RandomState"] = {"rs", function() return cn.random.RandomState(1) end},
    ["cuna.RawKernel"] = {"kernel", function() return cn.RawKernel("__global__ void f() {}", "f") end},
    ["cuna.RawModule"] = {"module", function() return cn.RawModule {code = "__global__ void f() {}"} end},
    ["cuna.Request"] = {"request", function() return cn.distributed.init():scan(1, {blocking = false}) end},
    ["cuna.SourceFunction"] = {"function", function()
      return cn.cuda.SourceModule("__global__ void f(int *x) {}"):get_function "f"
    end},
    ["cuna.SourceModule"] = {"module", function() return cn.cuda.SourceModule "__global__ void f(int *x) {}" end},
    ["cuna.SparseMatrix"] = {"A", function() return cn.sparse.eye(2) end},
    ["cuna.Stream"] = {"stream", function() return cn.cuda.Stream() end},
    ["cuna.jit.Kernel"] = {"kernel", function() return cn.jit.rawkernel(function(x) x[0] = 1 end) end},
  }

  it("of any other object is refused", function()
    local findings, objects = {}, {}
    for _, entry in ipairs(catalog.load().entries) do
      if entry.kind == "method" and entry.owner ~= "cuna.Array" then
        local row = OBJECTS[entry.owner]
        if not row then
          findings[#findings + 1] = entry.owner .. " has no object in this spec"
        else
          objects[entry.owner] = objects[entry.owner] or row[2]()
          try(findings, row[1], entry.name, objects[entry.owner][entry.name])
        end
      end
    end
    fail_with(findings)
  end)
end)
