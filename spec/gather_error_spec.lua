--- Keys with arrays that are refused, and positions out of range: raised at once on the cpu device, before anything is
--- written, and on others at the next wait, with the line of the cause.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

--- Runs fn, which raises at once on the cpu device, else at the next wait; the message without its place and
--- without the line of the cause, which must be one of fn.
local function late(device, fn)
  local ok, message = pcall(fn)
  if device.kind == "cpu" then
    assert.is_false(ok)
    return message:match "^spec/gather_error_spec.lua:%d+: cuna: ([^\n]*)$" or message
  end
  assert.is_true(ok, message)
  ok, message = pcall(cn.synchronize)
  assert.is_false(ok)
  local info = debug.getinfo(fn, "S")
  local place = "spec/gather_error_spec.lua"
  local said, line = message:match("^" .. place .. ":%d+: cuna: (.*), called at " .. place .. ":(%d+)$")
  assert(said, message)
  assert.is_true(tonumber(line) >= info.linedefined and tonumber(line) <= info.lastlinedefined, message)
  return said
end

devices.each_device(function(device)
  describe("a position", function()
    local x
    before_each(function() x = cn.arange(12):reshape(3, 4) end)

    it("out of range, 0 or none is reported, and nothing is read", function()
      local far = ": position %s is out of range for an axis of length 3"
      local zero = ": positions count from 1, and there is a 0"
      for _, case in ipairs {
        {"float64", 4, far:format(4)}, {"int8", -4, far:format(-4)}, {"uint8", 200, far:format(200)},
        {"float64", 0, zero}, {"uint64", 0, zero}, {"float32", -0.0, zero},
        {"float64", 1.5, ": a position is a whole number, and there is 1.5"},
        {"float32", -0.5, ": a position is a whole number, and there is -0.5"},
        {"float64", 0 / 0, ": a position is a whole number, and there is nan"},
        {"float16", 1 / 0, ": a position is a whole number, and there is inf"},
        {"float64", 2 ^ 53, far:format("9007199254740992")},
        {"float64", -1e300, far:format("beyond -9200000000000000000")},
        {"int64", -9223372036854775807LL - 1, far:format("-9223372036854775808")},
        {"int64", 9223372036854775807LL, far:format("9223372036854775807")},
        {"uint64", 18446744073709551615ULL, far:format("beyond 9200000000000000000")},
      } do
        local i, y = cn.array({1, case[2], 3}, case[1]), nil
        x = cn.arange(12):reshape(3, 4)
        assert.equal("index" .. case[3], late(device, function() y = x[i] end))
        if y then assert.same({{0, 1, 2, 3}, {0, 0, 0, 0}, {8, 9, 10, 11}}, y:totable()) end
        assert.equal("assignment" .. case[3], late(device, function() x[i] = x[i["1"]] end))
        cn.synchronize()
      end
    end)

    it("out of range writes nothing on the cpu device, and the others elsewhere", function()
      assert.equal("assignment: position 5 is out of range for an axis of length 4",
        late(device, function() x[{{}, cn.array {1, 5, 2}}] = 50 end))
      local first = device.kind == "cpu" and {0, 1, 2, 3} or {50, 50, 2, 3}
      assert.same(first, x[1]:totable())
      assert.equal("assignment: position 4 is out of range for an axis of length 3",
        late(device, function() x[{cn.array {4, 3}, cn.array {1, 2}}] = cn.array {-1, -2} end))
      assert.equal(device.kind == "cpu" and 9 or -2, x[{3, 2}])
      local said = late(device, function() local _ = x[{cn.array {1, 9}, cn.array {9, 1}}] end)
      assert.truthy(said:find "^index: position 9 is out of range for an axis of length [34]$")
    end)

    it("is checked where the result has no elements", function()
      local none, i, far = cn.zeros({3, 0}), cn.array {1, 9}, ": position 9 is out of range for an axis of length 3"
      assert.equal("index" .. far, late(device, function() local _ = none[i] end))
      assert.equal("assignment" .. far, late(device, function() none[i] = 1 end))
      assert.equal("index: position 1 is out of range for an axis of length 0",
        late(device, function() local _ = none[{cn.array {1, 2}, cn.array {1, 1}}] end))
    end)

    it("that is a number is refused at once", function()
      local i = cn.array {1, 2}
      raises("index 5 is out of range for axis 2", function() local _ = x[{i, 5}] end)
      raises("index 0 on axis 2: positions count from 1", function() x[{i, 0}] = 1 end)
      raises("index: a position must be an integer, got 1.5", function() local _ = x[{i, 1.5}] end)
      raises("range on axis 2 has step 0", function() local _ = x[{i, {1, 2, 0}}] end)
    end)
  end)

  it("out of range in a graph's launch is reported", function()
    local graph = cn.graph(function(a, i) return a[i] end, cn.arange(5), cn.array {1, 2})
    local ok, message = pcall(function()
      graph(cn.arange(5), cn.array {1, 9})
      cn.synchronize()
    end)
    assert.is_false(ok)
    assert.truthy(message:find("cuna: index: position 9 is out of range for an axis of length 5", 1, true))
    assert.same({4, 3}, graph(cn.arange(5), cn.array {-1, 4}):totable())
  end)

  describe("keys with arrays that are refused", function()
    local x, i
    setup(function() x, i = cn.arange(12):reshape(3, 4), cn.array {1, 2} end)

    it("have entries of the wrong kind", function()
      raises("index: got a Lua boolean; write x:eq(y)", function() local _ = x[{i, true}] end)
      raises("index: got a Lua boolean", function() x[{i, x == x}] = 1 end)
      raises("index: positions are whole numbers, got an array of complex64", function()
        local _ = x[cn.zeros(2, "complex64")]
      end)
      raises("assignment: positions are whole numbers, got an array of complex128", function()
        x[{1, cn.zeros(2, "complex128")}] = 1
      end)
      raises("index: the index table has a nil entry", function() local _ = x[{i, nil, 3}] end)
      raises("index: an index table has one entry per axis; it has the key 'axis'", function()
        local _ = x[{i, axis = 2}]
      end)
      raises("index: \"2\" in a table; text is a whole key", function() local _ = x[{i, "2"}] end)
      raises("index: expected a number, a range, an array,", function() local _ = x[{i, print}] end)
      local freed = cn.array {1}
      freed:free()
      raises("index: the array was freed at ", function() local _ = x[freed] end)
      raises("index: the array was freed at ", function() x[{1, freed}] = 1 end)
    end)

    it("have too many entries", function()
      raises("too many indices: 3 for an array of 2 axes", function() local _ = x[{i, 1, i}] end)
      raises("too many indices: 1 for an array of 0 axes", function() local _ = cn.array(5)[i] end)
      raises("an index has one ellipsis at most, got 2", function() local _ = x[{cn.ellipsis, i, cn.ellipsis}] end)
    end)

    it("do not fit the array or each other", function()
      raises("index: a mask of shape (2,) does not fit an array of shape (3, 4)", function()
        local _ = x[cn.array {true, false}]
      end)
      raises("assignment: a mask of shape (4, 3) does not fit", function() x[x.T:gt(2)] = 1 end)
      raises("index: a mask of shape (3, 4, 1) does not fit", function() local _ = x[cn.zeros({3, 4, 1}, "bool")] end)
      raises("index: a mask of shape (3,) does not fit", function() local _ = x[{1, cn.zeros(3, "bool")}] end)
      raises("index: index arrays of shapes (2,) and (3,) do not broadcast", function()
        local _ = x[{i, cn.array {1, 2, 3}}]
      end)
      raises("assignment: index arrays of shapes (2,) and (3,) do not broadcast", function()
        x[{i, cn.array {true, true, true, false}}] = 1
      end)
    end)

    it("have values that do not fit, and change nothing", function()
      local before = x:tobytes()
      local said = "assignment: a value of shape (3,) does not broadcast to shape "
      raises(said .. "(2, 4)", function() x[i] = cn.zeros(3) end)
      raises(said .. "(8,)", function() x[x:gt(3)] = {1, 2, 3} end)
      raises(said .. "(0,)", function() x[x:gt(30)] = {1, 2, 3} end)
      raises("assignment: a value of shape (2, 1, 4) does not broadcast", function() x[i] = cn.zeros {2, 1, 4} end)
      raises("assignment: expected an array, a number or a nested table, got nil", function() x[i] = nil end)
      raises("assignment: expected an array, a number or a nested table, got string", function() x[x:gt(1)] = "a" end)
      raises("assignment: 0+2i is complex and int64 is not", function() x[i] = 2i end)
      raises("assignment: 300 does not fit int8", function() cn.zeros(3, "int8")[i] = 300 end)
      raises("assignment: position {2}: 300 does not fit int8", function() cn.zeros(3, "int8")[i] = {1, 300} end)
      local freed = cn.array {1}
      freed:free()
      raises("assignment: the array was freed at ", function() x[i] = freed end)
      assert.equal(before, x:tobytes())
    end)

    it("write to broadcast views", function()
      local said = "assignment: the array of shape (3, 2) is a broadcast view, whose elements share memory"
      local view = cn.broadcast_to({1, 2}, {3, 2})
      raises(said, function() view[i] = 1 end)
      raises(said, function() view[view:gt(1)] = 1 end)
    end)

    it("wait where waiting is forbidden", function()
      local said = "index: waits for the device, and cn.no_sync forbids that"
      cn.no_sync(function()
        raises(said, function() local _ = x[x:gt(3)] end)
        raises(said, function() local _ = x[{x["..., 1"]:gt(3), 2}] end)
        raises("assignment: waits for the device, and cn.no_sync forbids that", function()
          x[{x["..., 1"]:gt(3), 2}] = cn.zeros(2)
        end)
      end)
      raises("index: waits for the device, and a graph's capture forbids that", function()
        cn.graph(function(a) return a[a:gt(3)] end, x)
      end)
    end)

    it("have a mask that is true more often than there are values, where its count is not waited for", function()
      raises("assignment: a mask is true as often as there are values, 2 times, got 3", function()
        local y = cn.arange(6)
        cn.no_sync(function() y[y:gt(2)] = cn.zeros(2) end)
        cn.synchronize()
      end)
    end)

    it("stand inside of fused functions, which run", function()
      assert.same({true, true}, {cn.array_equal(cn.fuse(function(a) return a[i] + 1 end)(x), x[i] + 1),
        cn.array_equal(cn.fuse(function(a) return a[a:gt(2)] + 1 end)(x), x[x:gt(2)] + 1)})
      assert.is_true(cn.array_equal(cn.fuse(function(a, j) return a[{j, {}}] + 1 end)(x, i), x[{i, {}}] + 1))
      local y = x:copy()
      cn.fuse(function(a)
        a[a:gt(2)] = 1
        return a
      end)(y)
      assert.is_true(cn.max(y):item() <= 2)
    end)
  end)

  it("that many positions have are one error, whose facts belong together", function()
    local x, n = cn.zeros {10, 1000}, 300000
    local i, j = cn.arange(n) % 1000 + 11, cn.arange(n) % 1000 + 100001
    for _ = 1, 10 do
      local good, message = pcall(function()
        local _ = x[{i, j}]
        cn.synchronize()
      end)
      assert.is_false(good)
      local position, length = message:match "cuna: index: position (%d+) is out of range for an axis of length (%d+)"
      assert.equal(tonumber(position) < 100000 and "10" or "1000", length, message)
    end
    cn.synchronize()
  end)

  if device.kind == "cpu" then return end

  it("index arrays, masks and values of another device are refused", function()
    local x, host = cn.arange(5), cn.device "cpu"
    local i, m = cn.array({1, 2}):to(host), x:gt(1):to(host)
    local said = ": the array is on NAME and an index array on cpu; move it with x:to(\"NAME\")"
    said = said:gsub("NAME", device.name)
    raises("index" .. said, function() local _ = x[i] end)
    raises("index" .. said, function() local _ = x[m] end)
    raises("assignment" .. said, function() x[{m, cn.newaxis}] = 1 end)
    raises("assignment" .. said, function() x[i] = 1 end)
    raises("assignment: ", function() x[cn.array {1}] = i end)
    assert.same({0, 1, 2, 3, 4}, x:totable())
  end)

  describe("reports", function()
    local x = cn.arange(5)
    local far = "index: position %d is out of range for an axis of length 5, called at spec/gather_error_spec.lua:"

    it("come at the next wait, whichever it is, and once", function()
      local waits = {
        function(y) return y:totable() end,
        function(y) return tostring(y) end,
        function(y) return y[1] end,
        function(y) return y:sum():item() end,
        function() cn.synchronize() end,
        function() cn.cuda.get_current_stream():synchronize() end,
        function()
          local event = cn.cuda.Event()
          event:record()
          event:synchronize()
        end,
      }
      for k, wait in ipairs(waits) do
        local y = x[cn.array {1, 5 + k}]
        local ok, message = pcall(wait, y)
        assert.is_false(ok, k)
        assert.truthy(message:find("cuna: " .. far:format(5 + k), 1, true), message)
        wait(y)
        assert.same({0, 0}, y:totable())
      end
    end)

    it("of one stream are read where another waits", function()
      local stream, other = cn.cuda.Stream {non_blocking = true}, cn.cuda.Stream {non_blocking = true}
      local i, y = cn.array {7, 2}, nil
      cn.synchronize()
      stream:with(function() y = x[i] end)
      while not stream.done do end
      raises(far:format(7), function() other:synchronize() end)
      stream:synchronize()
      assert.same({0, 1}, y:totable())
    end)

    it("that are many are one error, and the device goes on", function()
      for k = 1, 1500 do local _ = x[cn.array {k + 5}] end
      local y = cn.arange(3) + 1
      raises("index: position ", function() cn.synchronize() end)
      cn.synchronize()
      assert.same({1, 2, 3}, y:totable())
      local z = cn.zeros(200000)
      z[cn.arange(200000)] = 1
      raises("assignment: positions count from 1, and there is a 0, called at ", function() cn.synchronize() end)
      assert.equal(199999, z:sum():item())
    end)

    it("of a graph come where its launch is waited for", function()
      local graph = cn.graph(function(a, i) return a[i] end, x, cn.array {1, 2})
      local y = graph(x, cn.array {3, 6})
      raises("index: position 6 is out of range for an axis of length 5", function() cn.synchronize() end)
      assert.same({2, 0}, y:totable())
      assert.same({4, 3}, graph(x, cn.array {-1, 4}):totable())
    end)

    it("come at once with CUNA_SYNC=1", function()
      local text = process.must_run([[
        local cn = require "cuna"
        local x, y = cn.arange(5), nil
        print(pcall(function() y = x[cn.array {6}] end))
        print(pcall(function() x[cn.array {0}] = 1 end))
        cn.synchronize()
        print(y, x)
      ]], {CUNA_SYNC = "1", CUNA_DEVICE = device.name})
      local lines = {}
      for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
      assert.truthy(lines[1]:find "^false\t%S*child_spec.lua:3: cuna: index: position 6 is out of range")
      assert.truthy(lines[2]:find "^false\t%S*child_spec.lua:4: cuna: assignment: positions count from 1")
      assert.equal("nil\t[0 1 2 3 4]", lines[3])
    end)
  end)
end)
