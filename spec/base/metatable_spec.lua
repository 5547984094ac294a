--- Metamethods that scripts reach: whatever they are called with, they raise or do nothing; none touches memory that is
--- not an object of theirs.
local cn = require "cuna"
local devices = require "spec.support.devices"

--- An object of every kind, on a device.
local function objects(device)
  local stream = cn.cuda.Stream()
  local kernel = cn.RawKernel('extern "C" __global__ void first(float *x) { x[0] = 1; }', "first")
  local x = cn.zeros(3, "float32", device)
  kernel({1}, {1}, {x})
  return {
    array = x, shape = x.shape, flags = x.flags, device = device, attributes = device.attributes, stream = stream,
    graph = stream:capture(function() end), event = cn.cuda.Event(), pool = cn.cuda.MemoryPool(),
    capsule = x:to_dlpack(), kernel = kernel,
    fused = cn.fuse(function(a) return a + 1 end), generator = cn.random.default_rng(1),
    state = cn.random.RandomState(1), polynomial = cn.poly1d {1, 2}, pointer = cn.cuda.MemoryPool():malloc(10),
    elementwise = cn.ElementwiseKernel("float32 a", "float32 b", "b = a", "same"), cn = cn,
  }
end

--- Calls visit(path, function) for each metamethod of what is reached from a value.
local function each_metamethod(path, value, seen, visit)
  local kind = type(value)
  if (kind ~= "table" and kind ~= "userdata") or seen[value] then return end
  seen[value] = true
  local metatable = getmetatable(value)
  if type(metatable) == "table" and not seen[metatable] then
    seen[metatable] = true
    for name, inner in pairs(metatable) do
      if type(inner) == "function" and name ~= "__index" then visit(path .. ":" .. tostring(name), inner) end
      each_metamethod(path .. ":" .. tostring(name), inner, seen, visit)
    end
  end
  if kind ~= "table" then return end
  for name, inner in next, value do each_metamethod(path .. "." .. tostring(name), inner, seen, visit) end
end

devices.each_device(function(device)
  it("metamethods check what they are called with", function()
    local all, count, names = device:with(objects, device), 0, {}
    local wrong = {false, 5, "x", {}, print, io.stdout, newproxy(true), require("ffi").new "int[4]"}
    for _, name in ipairs {"array", "stream", "event", "graph", "capsule", "device", "pool", "shape"} do
      wrong[#wrong + 1] = all[name]
    end
    each_metamethod("", all, {[package.loaded] = true, [_G] = true}, function(path, method)
      count, names[path:match ":(__%w+)$" or path] = count + 1, true
      for _, value in ipairs(wrong) do
        pcall(method, value)
        pcall(method, value, 1, 2)
      end
      pcall(method)
    end)
    assert(count > 20 and names.__gc, count)
    collectgarbage()
    collectgarbage()
  end)
end)
