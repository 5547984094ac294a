--- Thrust's algorithms in kernels written in Lua, beside the same in plain Lua, on every device.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local jit = cn.jit
local th = jit.thrust

-- Rows of numbers 0 to 6 in several orders, by length.
local LENGTHS = { 0, 1, 2, 7, 33 }
local ROWS = 5

local function rows_of(length)
  local rows = {}
  for i = 1, ROWS do
    rows[i] = {}
    for j = 1, length do
      rows[i][j] = i == 1 and j * j * 5 % 7 or i == 2 and math.floor(7 * (j - 1) / length) or i == 3 and 6 - j % 7
        or i == 4 and 3 or (j + j * j * j) % 2
    end
  end
  return rows
end

-- ---- the same in plain Lua ----

local function filter(list, keeps)
  local kept = {}
  for j, v in ipairs(list) do
    if keeps(v, list[j - 1]) then kept[#kept + 1] = v end
  end
  return kept
end

local function first(list, holds)
  for j, v in ipairs(list) do
    if holds(v, list[j - 1], j) then return j end
  end
  return #list + 1
end

local function sorted(list)
  local copy = { unpack(list) }
  table.sort(copy)
  return copy
end

local function sums(list, begins, initial, inclusive)
  local out, sum = {}, initial
  for j, v in ipairs(list) do
    if begins(j) then sum = initial end
    out[j] = inclusive and sum + v or sum
    sum = sum + v
  end
  return out
end

local function only_first(j) return j == 1 end

devices.each_device(function()
  local function matrix(rows, length, dtype)
    return length == 0 and cn.zeros({ ROWS, 0 }, dtype) or cn.array(rows, dtype)
  end

  --- Runs a kernel with one thread for each row, on dense and on strided rows. It gets the rows, an array of their
  --- shape for other rows, and one of numbers. Compares with what expect(row) returns: the row, the other one and the
  --- numbers.
  local function compare(fn, expect, dtype)
    local kernel = jit.rawkernel(fn)
    for _, length in ipairs(LENGTHS) do
      local rows = rows_of(length)
      for layout = 1, 2 do
        local x, y = matrix(rows, length, dtype), cn.zeros({ ROWS, length }, dtype)
        if layout == 2 then x = x.T:copy().T end
        local numbers = cn.zeros({ ROWS, 6 }, dtype)
        kernel(1, ROWS, { x, y, numbers })
        local got, others, found = x:totable(), y:totable(), numbers:totable()
        for i = 1, ROWS do
          local row, other, list = expect(rows[i])
          local note = ("%s: row %d of %d elements"):format(dtype, i, length)
          assert.same(row or rows[i], got[i], note)
          for j, v in ipairs(other or {}) do assert.equal(v, others[i][j], note) end
          for j, v in ipairs(list or {}) do assert.equal(v, found[i][j], note) end
        end
      end
    end
  end

  describe("one thread", function()
    it("searches and counts", function()
      compare(function(x, y, n)
        local i = jit.grid(1)
        local row = x[i]
        n[{ i, 1 }], n[{ i, 2 }] = th.count(row, 3), th.find(row, 2)
        n[{ i, 3 }] = th.is_sorted_until(row)
        if th.is_sorted(row) then n[{ i, 4 }] = 1 end
        th.copy(row, y[i])
        th.sort(y[i])
        n[{ i, 5 }] = th.lower_bound(y[i], 3) + 100 * th.upper_bound(y[i], 3)
        local low, high = th.equal_range(y[i], 3)
        n[{ i, 6 }] = low + 100 * high
        if th.binary_search(y[i], 3) then n[{ i, 6 }] = -n[{ i, 6 }] end
      end, function(row)
        local order = sorted(row)
        local until_ = first(row, function(v, before) return before and v < before end)
        local bounds = first(order, function(v) return v >= 3 end) + 100 * first(order, function(v) return v > 3 end)
        local count = #filter(row, function(v) return v == 3 end)
        return nil, order, { count, first(row, function(v) return v == 2 end), until_, until_ > #row and 1 or 0, bounds,
          count > 0 and -bounds or bounds }
      end, "int32")
    end)

    it("adds up", function()
      local function work(x, y, n)
        local i = jit.grid(1)
        local row = x[i]
        n[{ i, 1 }], n[{ i, 2 }] = th.reduce(row), th.reduce(row, 5)
        n[{ i, 3 }], n[{ i, 4 }] = th.inner_product(row, row), th.inner_product(row, x[i], 7)
        th.exclusive_scan(row, y[i], 2)
        if th.equal(row, y[i]) then n[{ i, 5 }] = 1 end
        n[{ i, 6 }] = th.mismatch(row, y[i])
        th.inclusive_scan(row, row) -- in place
      end
      local function expect(row)
        local sum, square = 0, 0
        for _, v in ipairs(row) do sum, square = sum + v, square + v * v end
        local scanned = sums(row, only_first, 2, false)
        local differs = first(row, function(v, _, j) return v ~= scanned[j] end)
        return sums(row, only_first, 0, true), scanned,
          { sum, sum + 5, square, square + 7, differs > #row and 1 or 0, differs }
      end
      for _, dtype in ipairs { "int16", "float16", "float64" } do compare(work, expect, dtype) end
    end)

    it("writes, moves and removes", function()
      compare(function(x, y, n)
        local i = jit.grid(1)
        local row, other = x[i], y[i]
        th.replace_copy(row, other, 3, 9)
        th.swap_ranges(row, other)
        th.replace(row, 9, 8)
        th.reverse(other)
        n[{ i, 1 }] = th.remove(other, 0)
        th.reverse_copy(row, other)
        n[{ i, 2 }] = th.unique_copy(row, other)
        th.reverse(row)
        n[{ i, 3 }] = th.unique(row)
        th.fill(row, 4)
        th.sequence(other, 5, -1)
        th.adjacent_difference(other, other)
        th.sequence(row)
      end, function(row)
        local counting, steps = {}, {}
        for j = 1, #row do counting[j], steps[j] = j - 1, j == 1 and 5 or -1 end
        local runs = #filter(row, function(v, before) return v ~= before end)
        return counting, steps, { #filter(row, function(v) return v ~= 0 end), runs, runs }
      end, "int64")
    end)

    it("removes what a value equals, and what neighbours equal", function()
      local function is_kept(v) return v ~= 0 end
      compare(function(x, y, n)
        local i = jit.grid(1)
        n[{ i, 1 }] = th.remove_copy(x[i], y[i], 0)
        n[{ i, 2 }] = th.unique(x[i])
        th.fill(x[i], 0)
      end, function(row)
        local zeros = {}
        for j = 1, #row do zeros[j] = 0 end
        return zeros, filter(row, is_kept), { #filter(row, is_kept) }
      end, "float32")
    end)

    it("follows keys and positions", function()
      local keys = cn.array({ { 2, 2, 1, 1, 1, 2 }, { 7, 6, 5, 4, 3, 1 } }, "int8")
      local x, y = cn.array { { 1, 2, 3, 4, 5, 6 }, { 6, 5, 4, 3, 2, 1 } }, cn.zeros { 2, 6 }
      local by_key = jit.rawkernel(function(k, v, k_out, v_out, n)
        local i = jit.grid(1)
        n[i] = th.reduce_by_key(k[i], v[i], k_out[i], v_out[i])
      end)
      local found, n = cn.zeros({ 2, 6 }, "int8"), cn.zeros(2, "int64")
      by_key(1, 2, { keys, x, found, y, n })
      assert.same({ 3, 6 }, n:totable())
      assert.same({ { 2, 1, 2 }, { 7, 6, 5 } }, found[":, :3"]:totable())
      assert.same({ { 3, 12, 6 }, { 6, 5, 4 } }, y[":, :3"]:totable())
      local rest = jit.rawkernel(function(k, v, sums_out, moved, gathered, v_out, p)
        local i = jit.grid(1)
        th.inclusive_scan_by_key(k[i], v[i], sums_out[i])
        th.exclusive_scan_by_key(k[i], v[i], moved[i], 10)
        th.gather(p, v[i], gathered[i])
        th.scatter(v[i], p, v_out[i])
      end)
      local moved, gathered, scattered = cn.zeros { 2, 6 }, cn.zeros { 2, 6 }, cn.zeros { 2, 6 }
      rest(1, 2, { keys, x, y, moved, gathered, scattered, cn.array({ 6, 1, 2, 3, 4, 5 }, "uint8") })
      assert.same({ { 1, 3, 3, 7, 12, 6 }, { 6, 5, 4, 3, 2, 1 } }, y:totable())
      assert.same({ { 10, 11, 10, 13, 17, 10 }, { 10, 10, 10, 10, 10, 10 } }, moved:totable())
      assert.same({ { 6, 1, 2, 3, 4, 5 }, { 1, 6, 5, 4, 3, 2 } }, gathered:totable())
      assert.same({ { 2, 3, 4, 5, 6, 1 }, { 5, 4, 3, 2, 1, 6 } }, scattered:totable())
    end)

    it("sorts elements with their keys", function()
      local kernel = jit.rawkernel(function(k, v)
        local i = jit.grid(1)
        th.sort_by_key(k[i], v[i])
      end)
      local k, v = cn.array { { 3, 1, 2, -5, 8 }, { 5, 4, 3, 2, 1 } }, cn.array { { 1, 2, 3, 4, 5 }, { 1, 2, 3, 4, 5 } }
      kernel(1, 2, { k, v })
      assert.same({ { -5, 1, 2, 3, 8 }, { 1, 2, 3, 4, 5 } }, k:totable())
      assert.same({ { 4, 2, 3, 1, 5 }, { 5, 4, 3, 2, 1 } }, v:totable())
    end)

    it("writes nothing behind an end, and reports it", function()
      local kernel = jit.rawkernel(function(x, y, p, which)
        if which == 1 then
          th.copy(x, y)
        elseif which == 2 then
          th.gather(p, x, y)
        elseif which == 3 then
          th.scatter(y, p, x)
        else
          x[1] = th.unique_copy(x, y)
        end
      end)
      local x, y, p = cn.array { 1, 2, 3 }, cn.zeros(4)["1:2"], cn.array({ 4, 0 }, "int64")
      local messages = { "position 3 is out of bounds for the first axis of 'y', whose length is 2",
        "position 4 is out of bounds for the first axis of 'x', whose length is 3",
        "position 4 is out of bounds for the first axis of 'x', whose length is 3",
        "position 3 is out of bounds for the first axis of 'y', whose length is 2" }
      for which, message in ipairs(messages) do
        raises("kernel: " .. message, function()
          kernel(1, 1, { x, y, p, which })
          cn.synchronize()
        end)
      end
      assert.same({ 1, 2, 0, 0 }, y.base:totable()) -- of unique_copy
      assert.same({ 2, 2, 3 }, x:totable())
    end)
  end)
end)

describe("cn.jit.thrust", function()
  local function fails(message, text)
    local kernel = jit.rawkernel("function(x, m, k, b)\nlocal th = cn.jit.thrust\n" .. text .. "\nend")
    local ok, said = pcall(kernel, 1, 1, { cn.zeros(4), cn.zeros { 2, 2 }, cn.zeros(4, "int8"), cn.zeros(4, "bool") })
    assert.is_false(ok)
    assert.equal("text:3: cuna: kernel: " .. message, said)
  end

  it("says what is wrong", function()
    fails("thrust.sort takes arrays of one axis, and 'm' has 2; pass a row of it, x[i]", "th.sort(m)")
    fails("thrust.sort takes an array, got 3", "th.sort(3)")
    fails("thrust.sort takes 1 argument, got 2", "th.sort(x, x)")
    fails("thrust.sort has no value", "x[1] = th.sort(x)")
    fails("thrust.copy: 'k' is int8, and the elements are float64", "th.copy(x, k)")
    fails("thrust.reduce_by_key: 'x' is float64, and the keys are int8", "x[1] = th.reduce_by_key(k, x, x, x)")
    fails("thrust.fill takes float64, got bool", "th.fill(x, true)")
    fails("thrust.fill takes int8, got float64", "th.fill(k, x[1])")
    fails("thrust.count takes 2 arguments, got 1", "x[1] = th.count(x)")
    fails("thrust.gather: positions are integers, and 'x' is float64", "th.gather(x, x, x)")
    fails("thrust.reduce: 'b' is bool, and numbers are needed", "x[1] = th.reduce(b)")
    raises("jit.thrust.sort is for kernels: call it in a function given to jit.rawkernel", function() th.sort() end)
  end)
end)
