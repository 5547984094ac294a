--- Elements and fields as LuaJIT's compiler reaches them (lua/cuna/element.lua): the same values and errors as C's own
--- metamethods have, and nothing is passed by that has to know of an access.
local cn = require "cuna"
local core = require "cuna.core"
local each_device = require("spec.support.devices").each_device
local process = require "spec.support.process"

local c_index, c_newindex = core.accessors()
local HOT = 300 -- calls after which LuaJIT has compiled

local function put(x, key, value) x[key] = value end
local function get(x, key) return x[key] end

--- Compiles the ways to elements of arrays, if it was not done before.
local function warm()
  local x, m = cn.zeros(4), cn.zeros {2, 2}
  for i = 1, HOT do
    put(x, i % 4 + 1, i)
    put(m, {i % 2 + 1, 1}, get(x, i % 4 + 1) + get(m, {1, i % 2 + 1}))
  end
end

--- What a call answered or raised, in words; a place is where the call was.
local function outcome(fn, ...)
  local ok, value = pcall(fn, ...)
  if core.is_array(value) then
    local text = ("%s %s %s"):format(value.dtype, tostring(value.shape), tostring(value))
    return "array " .. text .. tostring(value.flags.writeable) .. tostring(value.flags.c_contiguous)
  end
  if not ok then value = value:gsub("^[^:]+:%d+: ", "") end
  local zero = value == 0 and type(value) == "number" and 1 / value or ""
  return ("%s %s %s %s"):format(tostring(ok), type(value), tostring(value), zero)
end

local numbers = {1, 2, 3, 0, -1, -3, 4, 1.5, -0.5, 0 / 0, 1 / 0, -1 / 0, 2 ^ 31, 2 ^ 53, 2 ^ 63, 1e300}

--- Keys of every kind. Tables are made by functions: two with the same entries may be built differently.
local function keys()
  local list = {{}, {1}, {2, 1}, {1, 2}, {-1, 1}, {1, 3}, {1, 2, 1}, {2, 2, 2}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 1},
    {1, 0}, {1.5, 1}, {1, 0 / 0}, {[0] = 1, 1, 2}, {1, 2, x = 3}, {1, 2, [5] = 1}, {1, nil, 2}, {{1, 2}, 1}, {1, {}},
    {"1", 1}, {1, "2"}, {true, 1}, {1LL, 2}, {1, cn.newaxis}, {cn.ellipsis, 1}, {[2] = 1}, {[1.5] = 1, 1}, {x = 1},
    "1", "1, 2", "2:3", "...", "ndim", "dtype", "size", "nbytes", "itemsize", "shape", "sum", "nothing", "1,", 1LL,
    2ULL, true, print, cn.newaxis, cn.ellipsis, setmetatable({}, {__index = {1, 2}})}
  local hashed = {}
  hashed.x = 1
  hashed[2], hashed[1] = 1, 2
  hashed.x = nil
  list[#list + 1] = hashed
  local full = {x = 1}
  full[1], full[2] = 1, 2
  list[#list + 1] = full
  for _, number in ipairs(numbers) do list[#list + 1] = number end
  return list
end

local function arrays(dtype)
  local base = cn.arange(12):astype(dtype)
  local freed = cn.zeros(3, dtype)
  freed:free()
  return {base, base:reshape(3, 4), base:reshape(2, 2, 3), base:reshape(2, 2, 3, 1), base["::-2"], base:reshape(3, 4).T,
    base["5:4"], cn.zeros({0, 2}, dtype), cn.zeros({2, 0}, dtype), base["2:2"]:reshape({}), freed,
    cn.broadcast_to(base["1:2"], {3, 2})}
end

each_device(function()
  describe("elements by plain numbers", function()
    it("are read as C reads them, whatever the key is", function()
      for round = 1, 3 do
        for _, x in ipairs(arrays(({"float64", "int32", "bool"})[round])) do
          for k, key in ipairs(keys()) do
            assert.equal(outcome(c_index, x, key), outcome(get, x, key), k)
          end
        end
      end
    end)

    it("are read in every dtype", function()
      warm()
      for _, dtype in ipairs(core.dtypes) do
        for _, x in ipairs(arrays(dtype.name)) do
          for _, key in ipairs {1, 2, 5, {2, 1}, {2, 2, 3}} do
            assert.equal(outcome(c_index, x, key), outcome(get, x, key), dtype.name)
          end
        end
      end
    end)

    it("are written as C writes them, or refused, in every dtype", function()
      warm()
      local values = {7, 2.75, -3, 0, -0.0, 255, 256, 1e5, 2 ^ 53, 2 ^ 63, 2 ^ 64, 1e300, 0 / 0, 1 / 0, -1 / 0, true,
        false, 1LL, -1LL, 2i, "1", {}, print, cn.array(3)}
      for _, dtype in ipairs(core.dtypes) do
        for _, key in ipairs {2, {2}, {1, 2}, {2, 2, 3}, -1, 1.5, 13} do
          local ours, theirs = arrays(dtype.name), arrays(dtype.name)
          for v, value in ipairs(values) do
            local which = v % #ours + 1
            local x, y = ours[which], theirs[which]
            for _ = 1, 2 do
              assert.equal(outcome(c_newindex, y, key, value), outcome(put, x, key, value), dtype.name)
            end
            assert.equal(outcome(get, y, "..."), outcome(get, x, "..."), dtype.name)
          end
        end
      end
    end)

    it("are what loops say, compiled or not", function()
      local x, m = cn.zeros(HOT), cn.zeros({HOT, 3}, "int32")
      for i = 1, HOT do
        x[i] = i / 2
        m[{i, 2}] = x[i] * 2
      end
      assert.is_true((x * 2 == cn.arange(1, HOT + 1)) and m[{{}, 2}] == cn.arange(1, HOT + 1))
      local sum = 0
      for i = 1, HOT do sum = sum + x[i] + m[{i, 2}] + m[i][2] end
      assert.equal(HOT * (HOT + 1) / 4 * 5, sum)
    end)

    it("of views in other dtypes see each other's writes", function()
      local x = cn.zeros(2)
      local bits, halves = core.view(x, {2}, {1}, 0, "int64"), core.view(x, {4}, {1}, 0, "float32")
      for i = 1, HOT do
        x[1] = i
        local seen = bits[1]
        halves[2] = 1e-30
        assert(seen ~= bits[1] and x[1] ~= i)
        x[1] = i
        assert(seen == bits[1])
      end
    end)

    it("are Lua's only NaN, whatever their bits are", function()
      local bits = cn.array({0xfffb000000000001LL, 0x7ff0000000000001LL, -1LL, 0xfff97fffffffffffLL}, "int64")
      local x = core.view(bits, {4}, {1}, 0, "float64")
      for i = 1, HOT do
        local value = x[i % 4 + 1]
        assert(type(value) == "number" and value ~= value)
      end
    end)

    it("of an array that is freed in the loop raise there", function()
      for _, access in ipairs {function(x, i) x[1] = i end, function(x) return (x[1]) end,
        function(x) return (x.ndim) end, function(x) return (x.dtype) end} do
        local x, last = cn.zeros(3), nil
        local ok, message = pcall(function()
          for i = 1, HOT do
            if i == HOT - 10 then x:free() end
            last = i
            access(x, i)
          end
        end)
        assert.is_false(ok)
        assert.equal(HOT - 10, last)
        assert.matches("element_spec.lua:%d+: cuna: .*the array was freed at spec/element_spec.lua:%d+", message)
      end
    end)

    it("raise at the user's line where they do not exist", function()
      local x = cn.zeros(HOT)
      local ok, message = pcall(function()
        for i = 1, HOT + 1 do
          x[i] = i -- this line
        end
      end)
      local line = debug.getinfo(1, "l").currentline - 3
      assert.is_false(ok)
      assert.equal(("spec/element_spec.lua:%d: cuna: index %d is out of range for axis 1, which has length %d")
        :format(line, HOT + 1, HOT), message:match "^(.-) %(")
    end)
  end)

  describe("what has to know of an access does", function()
    setup(warm)

    it("cn.no_sync, which forbids reading", function()
      local x = cn.ones(3)
      for _ = 1, HOT do get(x, 1) end
      local ok, message = pcall(cn.no_sync, function()
        put(x, 1, 2)
        return (get(x, 1))
      end)
      assert.is_false(ok)
      assert.matches("cn.no_sync forbids", message)
      assert.equal(2, get(x, 1))
    end)

    it("a rehearsal, which writes nothing", function()
      local x = cn.ones(3)
      cn.prepare(function() put(x, 1, 2) end)
      assert.equal(1, get(x, 1))
    end)

    it("a trace", function()
      local path, x = os.tmpname(), cn.ones(3)
      cn.profiler.trace(path, function()
        put(x, 1, 2)
        return get(x, 1)
      end)
      local text = process.read(path)
      os.remove(path)
      assert.matches('"to device"', text)
      assert.matches('"to host"', text)
    end)

    it("a capture, which records the write", function()
      local x, stream = cn.zeros(3), cn.cuda.Stream()
      local graph = stream:capture(function() put(x, 1, 5) end)
      stream:synchronize()
      assert.equal(0, get(x, 1))
      graph:launch()
      stream:synchronize()
      assert.equal(5, get(x, 1))
    end)
  end)

  it("fields are what C says", function()
    for _ = 1, HOT do
      for _, x in ipairs {cn.zeros({2, 3}, "int16"), cn.zeros({}, "complex64"), cn.zeros {3, 0}} do
        for _, name in ipairs {"ndim", "size", "dtype", "itemsize", "nbytes"} do
          assert(c_index(x, name) == x[name], name)
        end
      end
    end
  end)
end)

describe("LuaJIT", function()
  it("compiles loops over elements as a whole", function()
    local script = [[
      local cn = require "cuna"
      local x, m = cn.ones(100), cn.ones {100, 3}
      local links, util = {}, require "jit.util"
      jit.attach(function(what, trace, fn)
        local here = fn and util.funcinfo(fn).source == "@" .. arg[0]
        if what == "stop" then links[util.traceinfo(trace).linktype] = true end
        if what == "abort" and here then links.abort = true end
      end, "trace")
      local function add() for i = 1, 100 do x[i] = x[i] + m[{i, 2}] * x.ndim end end
      for _ = 1, 100 do -- the functions that it calls may be compiled before it is
        add()
        if links.loop then break end
      end
      assert(links.loop and not links.abort)
      print(x[100])
    ]]
    local text, status
    for _ = 1, 3 do -- LuaJIT draws when it tries again: once in hundreds of runs a first trace ends early
      text, status = process.run(script, {CUNA_DEVICE = "cpu"})
      if status == 0 then break end
    end
    assert.equal(0, status, text)
    assert.matches("^%d+\n$", text)
  end)

  it("keeps the values of elements while others are read", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local n = 1000
      local function check(x, y, number)
        for _ = 1, 10 do
          local s, t = 0, 0
          for i = 1, n do
            local a, b = x[i], y[i]
            s = s + (number and number(a) or a)
            t = t + (number and number(b) or b)
          end
          print(s == x:sum():item(), t == y:sum():item())
        end
      end
      local x, y = cn.arange(n) % 7, cn.arange(n) % 5
      check(x * 0.5, y * 0.5)
      check(x, y)
      check(x:lt(3), y:lt(2), function(b) return b and 1 or 0 end)
    ]], {CUNA_DEVICE = "cpu"})
    assert.not_matches("false", text)
  end)

  it("is left where the user asks for the end", function()
    local text, status = process.run([[
      local cn, ffi = require "cuna", require "ffi"
      ffi.cdef "int getpid(void);"
      local x = cn.ones(100)
      os.execute("(sleep 0.5; kill -INT " .. ffi.C.getpid() .. ") &")
      while true do x[1] = x[1] + 1 end
    ]], {CUNA_DEVICE = "cpu"})
    assert.matches("child_spec.lua:5: interrupted!", text)
    assert.is_true(status ~= 0)
  end)

  it("where it is off, C's functions are the metamethods", function()
    process.must_run([[
      jit.off()
      require "cuna"
      local core = require "cuna.core"
      assert(debug.getinfo(core.metatable().__index, "S").what == "C")
      assert(debug.getinfo(core.metatable().__newindex, "S").what == "C")
    ]], {CUNA_DEVICE = "cpu"})
  end)
end)
