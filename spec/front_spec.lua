--- Fronts in C against the Lua functions that they fall back on: the same results and errors for every form of a call.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local fronts = require "spec.support.fronts"
local methods = require "cuna.method"
local raises = require("spec.support.raises").raises
local reductions = require "cuna.reductions"

local it = devices.rehearsed_it()
local fallback_of, passed_on, same = fronts.fallback_of, fronts.passed_on, fronts.same

local function fold_names()
  local names = {}
  for _, row in ipairs(reductions.rows) do
    for _, name in ipairs(row.of and {} or {row.name, unpack(row.alias)}) do names[#names + 1] = name end
  end
  return names
end

local function dtype_names()
  local names = {}
  for i, dtype in ipairs(core.dtypes) do names[i] = dtype.name end
  return names
end

--- Lists of arguments after x, with their counts.
local function fold_arguments(ndim)
  local lists = {}
  local function add(...) lists[#lists + 1] = {count = select("#", ...), ...} end
  for _, axis in ipairs {1, 2, -1, -2, 0, 5, 1.5, 2 ^ 60, 0 / 0, "1", true, {}, {1}, {1, 2}, cn.int64} do
    add(axis)
    add(axis, {keepdims = true})
  end
  add()
  add(nil)
  add {axis = 1}
  add {keepdims = 1}
  add {keep = true}
  add({keepdims = true}, 1)
  add(nil, {keepdims = true, axis = ndim})
  add {axis = 1.5}
  add {axis = {1, 2}}
  add {axis = 3, keepdims = true}
  add {keepdims = false}
  add({axis = 1}, {keepdims = true})
  for places = 1, 5 do -- a boolean at each place, alone and with options
    local list = {count = places}
    list[places] = true
    lists[#lists + 1] = list
    local both = {unpack(list, 1, places)}
    both.count, both[places + 1] = places + 1, {keepdims = false}
    lists[#lists + 1] = both
  end
  return lists
end

--- Arrays of a dtype under several layouts, or only two.
local function arrays_of(dtype, is_few)
  local values = cn.array({{3, 0, 2}, {1, 5, 1}}):astype(dtype)
  if is_few then return {values, cn.zeros({2, 0, 3}, dtype)} end
  return {values, values.T, values[{{}, {1, 3, 2}}], values[1], values[{1, {2}}], values:reshape(1, 2, 1, 3),
    cn.array(1):astype(dtype), cn.zeros({0}, dtype), cn.zeros({2, 0, 3}, dtype)}
end

--- Calls all folds of arrays; those that ask for values, or have none to fold, raise.
local function rehearse_folds(arrays)
  for _, x in ipairs(arrays) do
    for _, name in ipairs(fold_names()) do
      for axis = 0, x.ndim do
        pcall(cn[name], x, {axis = axis > 0 and axis or nil, keepdims = true})
      end
    end
  end
end

devices.each_device(function(device)
  describe("the front of a reduction", function()
    it("gives what its fallback gives, for every dtype and layout", function()
      local is_slow = not core.is_host(device) -- which compiles each program
      for _, dtype in ipairs(is_slow and {"float64"} or dtype_names()) do
        local arrays = arrays_of(dtype, is_slow)
        devices.prepare(rehearse_folds, arrays)
        for _, x in ipairs(arrays) do
          for _, name in ipairs(fold_names()) do
            for axis = 0, x.ndim do
              same(name, cn[name], {x, axis > 0 and axis or nil}, 2)
              same(name, cn[name], {x, axis > 0 and -axis or nil, {keepdims = true}}, 3)
            end
          end
        end
      end
    end)

    it("reads all forms of arguments as its fallback", function()
      local x = cn.array {{3, 0, 2}, {1, 5, 1}}
      for _, name in ipairs(fold_names()) do
        for _, list in ipairs(fold_arguments(x.ndim)) do
          same(name, cn[name], {x, unpack(list, 1, list.count)}, list.count + 1)
        end
      end
    end)

    it("refuses what is not an array as its fallback", function()
      local freed = cn.zeros(2)
      freed:free()
      devices.prepare(rehearse_folds, {cn.array(7), cn.array {{1, 2}, {3, 4}}})
      for _, name in ipairs(fold_names()) do
        for _, x in ipairs {freed, cn, "x", true, io.stdout, 7, {{1, 2}, {3, 4}}, {axis = 1}} do
          same(name, cn[name], {x}, 1)
          same(name, cn[name], {x, 1}, 2)
        end
        same(name, cn[name], {}, 0)
        local method = methods.find(name)
        if method then same(name, method, {1}, 1) end
      end
      raises("sum: the array was freed at", function() freed:sum(1) end)
    end)

    it("serves plain calls by itself", function()
      local x = cn.array {{3, 0, 2}, {1, 5, 1}}
      local function plain()
        for _, keepdims in ipairs {true, false} do
          x:max(1, nil, keepdims)
          x:max(nil, {keepdims = keepdims})
        end
        return x:max(), x:max(-1), x.T:max(nil), x[1]:max(1), x:max {keepdims = true},
          x:max {axis = 2, keepdims = false}
      end
      plain()
      assert.equal(0, passed_on(x.max, plain))
      assert.equal(2, passed_on(x.max, function() return x:max {1, 2}, x:max(2, cn.zeros(2)) end))
      assert.equal(0, passed_on(x.any, function() return assert.is_true(x:any()), x:any(1) end))
    end)

    it("waits for a truth where that is allowed", function()
      local x = cn.ones(3)
      raises("any: waits", function()
        cn.no_sync(function() return x:any() end)
      end)
      cn.no_sync(function() return x:any(1) end)
    end)

    it("has means in the default dtype of the moment", function()
      local x = cn.array({1, 2}, "int32")
      assert.equal("float64", x:mean().dtype)
      cn.set_default_dtype "float32"
      local dtype = x:mean().dtype
      cn.set_default_dtype "float64"
      assert.equal("float32", dtype)
      assert.equal("float64", x:mean().dtype)
    end)

    it("is traced by fused functions", function()
      local sum, x = cn.sum, cn.array {{3, 0, 2}, {1, 5, 1}}
      local fused = cn.fuse(function(y) return sum(y * 2, 2) + y:max(2) + cn.mean(y, 2) end)
      local expected = cn.sum(x * 2, 2) + x:max(2) + cn.mean(x, 2)
      assert.equal(tostring(expected), tostring(fused(x)))
      local calls = passed_on(x.max, function() fused(x + 1) end)
      assert.equal(0, calls)
      assert.equal(1, fused:cache_info().traces)
    end)

    it("leaves its results to the open scope", function()
      local kept
      cn.scope(function() kept = cn.ones({2, 2}):sum(1) end)
      assert.is_false(core.is_alive(kept))
    end)
  end)

  describe("the front of", function()
    local SHAPES = {3, 0, -1, 2.5, "3", true, 2 ^ 64, {}, {2, 3}, {0}, {2, -1}, {2, "3"}, {2, 3.5}, {[0] = 1, 2},
      {[2] = 3}, {shape = 3}, {3, dtype = "int8"}, {{2}}, cn, cn.ones({2, 3}).shape, cn.ones(2), 0 / 0}
    local many = {}
    for i = 1, 33 do many[i] = 1 end

    it("zeros and ones creates what its fallback creates", function()
      for _, name in ipairs {"zeros", "ones"} do
        for _, shape in ipairs {many, unpack(SHAPES)} do
          same(name, cn[name], {shape}, 1)
          for _, dtype in ipairs {"int8", "complex64", "float16", "bool", "int", 8, false, {dtype = "int8"}, {}} do
            same(name, cn[name], {shape, dtype}, 2)
          end
        end
        same(name, cn[name], {}, 0)
        same(name, cn[name], {nil, "int8"}, 2)
        same(name, cn[name], {2, "int8", core.current_device()}, 3)
        same(name, cn[name], {2, nil, nil, nil}, 4)
        assert.equal(0, passed_on(cn[name], function() return cn[name](3), cn[name]({2, 3}, "int8") end))
      end
    end)

    it("empty creates arrays of the shape and dtype", function()
      local reference = fallback_of(cn.empty)
      for _, shape in ipairs {3, 0, {}, {2, 3}} do
        assert.equal(0, passed_on(cn.empty, function()
          local made = cn.empty(shape, "int16")
          assert.equal(reference(shape, "int16").shape, made.shape)
          assert.equal("int16", made.dtype)
          assert.equal("float64", cn.empty(shape).dtype)
        end))
      end
      raises("empty: ", function() cn.empty(-1) end)
    end)

    it("zeros_like, ones_like and empty_like creates what its fallback creates", function()
      local x, freed = cn.arange(6):reshape(2, 3), cn.zeros(2)
      freed:free()
      for _, name in ipairs {"zeros_like", "ones_like"} do
        for _, source in ipairs {x, x.T, cn.array(5), cn.zeros({0, 2}, "bool"), freed, {{1, 2}}, 5, "x", cn} do
          same(name, cn[name], {source}, 1)
          for _, dtype in ipairs {"int8", "int", 8, false, {dtype = "int8"}, {shape = 4}, {}} do
            same(name, cn[name], {source, dtype}, 2)
          end
          same(name, cn[name], {source, nil, 7}, 3)
        end
        same(name, cn[name], {}, 0)
        assert.equal(0, passed_on(cn[name], function() return cn[name](x), cn[name](x.T, "int8") end))
      end
      assert.equal(0, passed_on(cn.empty_like, function()
        local made = cn.empty_like(x.T, "int8")
        assert.equal("int8 (3, 2)", made.dtype .. " " .. tostring(made.shape))
      end))
    end)

    it("arange and range creates what its fallback creates", function()
      local numbers = {0, 1, -1, 5, -5, 7, 2.5, -0.0, 2 ^ 53, -2 ^ 53, 2 ^ 60, 0 / 0, 1 / 0, "3", true, {3},
        cn.array(3)}
      for _, name in ipairs {"arange", "range"} do
        for _, first in ipairs(numbers) do
          same(name, cn[name], {first == 2 ^ 53 and 2 or first}, 1)
          same(name, cn[name], {first == 2 ^ 53 and 2 or first, nil, 2}, 3)
          same(name, cn[name], {nil, first == 2 ^ 53 and 2 or first}, 2)
          same(name, cn[name], {4, "int16"}, 2)
          same(name, cn[name], {4, {dtype = "int8"}}, 2)
          for _, step in ipairs {1, 2, -1, -3, 0, 0.5, 2 ^ 53, "1", {}} do
            for _, last in ipairs {0, 1, 3, 4, 9, -7, 2.5} do
              local start = type(first) == "number" and math.abs(first) > 7 and 2 or first
              same(name, cn[name], {start, last, step}, 3)
              same(name, cn[name], {start, last, step, "float32"}, 4)
            end
          end
        end
        same(name, cn[name], {}, 0)
        same(name, cn[name], {2 ^ 53 - 3, 2 ^ 53}, 2)
        assert.equal(0, passed_on(cn[name], function() return cn[name](2, 5), cn[name](9, 2, -3) end))
      end
      assert.equal(0, passed_on(cn.arange, function() return cn.arange(5) end))
      assert.same({{0, 1, 2, 3, 4}, {9, 6, 3}, {9, 6, 3}, {2, 3, 4, 5}},
        {cn.arange(5):totable(), cn.arange(9, 2, -3):totable(), cn.range(9, 3, -3):totable(), cn.range(2, 5):totable()})
    end)

    it("reshape gives what its fallback gives", function()
      local x = cn.arange(6):reshape(2, 3)
      for _, source in ipairs {x, x.T, x[1], cn.array(5), cn.zeros {0, 3}, {{1, 2}}, 5, "x"} do
        for _, shape in ipairs {many, unpack(SHAPES)} do same("reshape", cn.reshape, {source, shape}, 2) end
        for _, shape in ipairs {{3, 2}, {1, -1}, {-1, -1}, {2, {3}}, {6, "1"}, {3, 2.5}, {4, 4}, many} do
          same("reshape", cn.reshape, {source, unpack(shape)}, #shape + 1)
        end
        same("reshape", cn.reshape, {source}, 1)
        same("reshape", cn.reshape, {source, nil}, 2)
        same("reshape", cn.reshape, {source, nil, 6}, 3)
      end
      assert.equal(0, passed_on(x.reshape, function() return x:reshape(3, 2), x:reshape {6}, x.T:reshape(-1) end))
      x:reshape(6)[1] = 9
      assert.equal(9, x[{1, 1}])
    end)

    it("transpose gives what its fallback gives", function()
      local x = cn.arange(24):reshape(2, 3, 4)
      for _, source in ipairs {x, x[1], cn.array(5), {{1, 2}}, 5, "x"} do
        for _, axes in ipairs {{}, {1}, {2, 1}, {3, 1, 2}, {-1, 1, -2}, {1, 1, 2}, {1, 2, 4}, {0, 1, 2}, {1, 2, 3, 3},
          {1.5, 2, 3}, {"1", 2, 3}, many} do
          same("transpose", cn.transpose, {source, unpack(axes)}, #axes + 1)
          same("transpose", cn.transpose, {source, axes}, 2)
          same("transpose", cn.transpose, {source, {axes = axes}}, 2)
        end
        same("transpose", cn.transpose, {source, nil}, 2)
        same("transpose", cn.transpose, {}, 0)
      end
      assert.equal(0, passed_on(x.transpose, function()
        return x:transpose(), x:transpose(2, 1, 3), x:transpose {-1, 2, 1}
      end))
      assert.is_true(x.T:has_shape(4, 3, 2) and x.T == x:transpose(3, 2, 1) and cn.array(5).T:item() == 5)
    end)
  end)

  it("a front that fails leaves no memory behind", function()
    local pool = cn.get_default_memory_pool()
    local x = cn.evaluate(cn.zeros({1, 2 ^ 20}, "int8"))
    for _, call in ipairs {function() return x:sum(1) end, function() return cn.zeros(2 ^ 20, "int64") end} do
      call() -- its program
      collectgarbage()
      collectgarbage()
      pool:free_all_blocks()
      local used = pool:used_bytes(device)
      pool:set_limit(used + 2 ^ 20, device)
      local ok, message = pcall(call)
      pool:set_limit(0, device)
      assert.is_false(ok)
      assert.matches("OutOfMemory", message)
      collectgarbage()
      assert.equal(used, pool:used_bytes(device))
    end
  end)
end)
