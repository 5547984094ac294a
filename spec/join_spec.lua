--- Many arrays joined at once: neighbours that are small share launches where a device has many lanes.
local cn = require "cuna"
local devices = require "spec.support.devices"
local preparing = require "spec.support.golden"

local it = devices.rehearsed_it()

local prepared = preparing.prepared

local function equal(expected, x, what)
  if not preparing.rehearsing then
    assert.equal(expected.dtype, x.dtype, what)
    assert.is_true(cn.array_equal(expected, x), what)
  end
end

local function whole(shape, dtype)
  local size = 1
  for _, length in ipairs(shape) do size = size * length end
  return (cn.arange(size) % 113):reshape(shape):astype(dtype or "int32")
end

--- How a part of an array lies in memory: as a view of it, or copied.
local layouts = {
  view = function(x) return x end,
  packed = function(x) return x:copy() end,
  transposed = function(x) return x.T:copy().T end,
  spread = function(x)
    local wide = cn.zeros({3 * x.size + 1}, x.dtype)[{{-2, 1, -3}}]:reshape(x.shape)
    wide[cn.ellipsis] = x
    return wide
  end,
}

--- Cuts x along an axis into `count` parts of mixed lengths, some of them 0; the last one has the rest.
local function parts_of(x, count, axis, layout, longest)
  local key, parts, at = {}, {}, 1
  for k = 1, x.ndim do key[k] = {} end
  for k = 1, count do
    local last = k == count and x.shape[axis] or math.min(at + k * 7 % longest - 1, x.shape[axis])
    key[axis] = {at, last}
    parts[k] = (layouts[layout] or layouts[({"view", "packed", "transposed", "spread"})[k % 4 + 1]])(x[key])
    at = last + 1
  end
  return parts
end

--- What fn() gives to the current device, by name.
local function events_of(fn)
  local path = os.tmpname()
  cn.profiler.trace(path, fn)
  local file = io.open(path)
  local text = file:read("*a")
  file:close()
  os.remove(path)
  local count = {}
  for name in text:gmatch('"pid":1,"tid":%d+,"cat":"%l+","name":"(%l+)"') do count[name] = (count[name] or 0) + 1 end
  return count
end

devices.each_device(function(device)
  describe("joining many", function()
    it("counts, dtypes and lengths of all kinds", prepared(function()
      for number, count in ipairs {1, 2, 3, 16, 17, 300, 1000} do
        for _, dtype in ipairs {"bool", "int8", "float16", "float32", "complex64", "complex128"} do
          local x = whole({count * 3 + number % 2 * 5}, dtype)
          equal(x, cn.concatenate(parts_of(x, count, 1, "packed", 9)), ("%d of %s"):format(count, dtype))
        end
      end
    end))

    it("rows of any axis and layout", prepared(function()
      for _, axis in ipairs {1, 2, 3} do
        for _, layout in ipairs {"view", "packed", "transposed", "spread", "mixed"} do
          local x = whole {6, 10, 12}
          equal(x, cn.concatenate(parts_of(x, 20, axis, layout, 3), axis), ("axis %d, %s"):format(axis, layout))
          local y = whole({4, 40}, "float64")
          equal(y, cn.concatenate(parts_of(y, 9, 2, layout, 8), 2), "columns, " .. layout)
        end
      end
      local x = whole {7, 30}
      local columns, rows = {}, {}
      for k = 1, 30 do columns[k] = x[{{}, k}] end
      for k = 1, 7 do rows[k] = x[k] end
      equal(x, cn.stack(columns, 2), "columns")
      equal(x.T:copy(), cn.stack(columns), "columns as rows")
      equal(x, cn.stack(rows), "rows")
      equal(cn.broadcast_to(x[1], {9, 30}):copy(), cn.vstack {x[1], cn.broadcast_to(x[1], {8, 30})}, "broadcast")
    end))

    it("into other dtypes, and arrays of several", prepared(function()
      local x = whole({40}, "int16")
      for _, dtype in ipairs {"float32", "bool", "complex64", "int8"} do
        equal(x:astype(dtype), cn.concatenate(parts_of(x, 12, 1, "mixed", 7), 1, nil, dtype), dtype)
      end
      local parts = parts_of(x, 12, 1, "packed", 7)
      for k = 3, 6 do parts[k] = parts[k]:astype "float32" end
      equal(x:astype "float32", cn.concatenate(parts), "several")
    end))

    it("into outputs that are views, and overlap", prepared(function()
      for _, step in ipairs {1, 2, -1} do
        local x, room = whole {5, 24}, cn.zeros({11, 60}, "int32")
        local out = room[{{2, 10, 2}, step < 0 and {24, 1, -1} or {3, 2 + 24 * step, step}}]
        equal(x, cn.concatenate(parts_of(x, 8, 2, "packed", 6), 2, out), "step " .. step)
        if not preparing.rehearsing then assert.equal(x:sum():item(), room:sum():item()) end
      end
      local y = whole {64}
      local expected, turned = y:roll(20):copy(), {}
      for k = 1, 16 do turned[k] = y[{{(k * 4 - 4 + 44) % 64 + 1, (k * 4 - 4 + 44) % 64 + 4}}] end
      equal(expected, cn.concatenate(turned, 1, y), "overlapping")
    end))

    it("small and large ones side by side", prepared(function()
      local x = whole {1200000}
      local parts = {x["1:5"], x["6:7"], x["8:400000"], x["400001:400000"], x["400001:400003"], x["400004:-1"]}
      equal(x, cn.concatenate(parts), "lengths")
      local columns = whole {300000, 3}
      equal(columns, cn.stack({columns["..., 1"], columns["..., 2"], columns["..., 3"]}, 2), "short rows")
    end))

    it("in few launches", function()
      local parts = parts_of(whole {2000}, 1000, 1, "packed", 5)
      cn.concatenate(parts)
      local seen = events_of(function() cn.concatenate(parts) end)
      if device.name ~= "cpu" then
        assert.is_true(seen.join <= 5 and not seen.copy)
        seen = events_of(function() cn.stack {parts[1], parts[1], parts[1], parts[1]} end)
        assert.is_true((seen.join or 0) <= 1 and not seen.copy)
      else
        assert.is_nil(seen.join)
      end
    end)

    it("in graphs and on other streams, which their memory waits for", function()
      local x = whole {600}
      local parts = parts_of(x, 100, 1, "packed", 9)
      local out, others = cn.zeros_like(x), {}
      local function overwrite() -- what was freed
        collectgarbage()
        collectgarbage()
        for _ = 1, 300 do others[#others + 1] = cn.full(8, 7, "int32") end
      end
      cn.concatenate(parts, 1, out)
      local s = cn.cuda.Stream {non_blocking = true}
      out:fill(0)
      cn.synchronize()
      s:with(function()
        s:begin_capture()
        cn.concatenate(parts, 1, out)
      end)
      local graph = s:end_capture()
      parts[2]:fill(3) -- elements 8 to 12
      cn.synchronize()
      parts = nil
      overwrite()
      cn.synchronize()
      graph:launch(s)
      s:synchronize()
      x["8:12"] = 3
      assert.is_true(cn.array_equal(x, out))
      parts = parts_of(x, 100, 1, "packed", 9)
      cn.synchronize()
      s:with(function() out = cn.concatenate(parts) end)
      parts = nil
      overwrite()
      s:synchronize()
      assert.is_true(cn.array_equal(x, out))
    end)

    it("tables of arrays, without waiting", prepared(function()
      local x = whole {3, 4}
      equal(x:astype "int8", cn.no_sync(cn.array, {x[1], x[2], x[3]}, "int8"), "array")
      equal(x, cn.array({x[1], x[2], x[3]}, nil, device), "on a device")
      if not preparing.rehearsing then assert.equal("cpu", cn.array({x[1], x[2]}, {device = "cpu"}).device.name) end
    end))

    it("blocks", prepared(function()
      local x, row = whole {6, 20}, {}
      for k = 1, 20 do row[k] = x[{{1, 3}, {k, k}}] end
      equal(x, cn.block {row, {x[{{4, -1}, {1, 7}}], x[{{4, -1}, {8, -1}}]}}, "rows")
      equal(cn.vstack {x, x}, cn.block {{x}, {x}}, "one below the other")
      local pair = {x, x}
      equal(cn.tile(x, {2, 2}), cn.block {pair, pair}, "the same table twice")
      equal(x, cn.block {{x[{{}, {3, 2}}], x}, {x["1:0, :"]}}, "with empty ones")
    end))
  end)
end)
