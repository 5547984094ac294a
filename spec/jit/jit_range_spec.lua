--- Checks of positions that kernels written in Lua leave out: only where a launch makes them needless.
local cn = require "cuna"
local devices = require "spec.support.devices"

--- How many accesses of a kernel are checked for certain arguments.
local function count_checks(kernel, ...)
  local _, count = kernel:source(...):gsub("%.[gp][eu]t%(jit_error", "")
  return count
end

devices.each_device(function()
  --- Calls a kernel whose message must end in `words`; nil where none must come.
  local function check_call(words, kernel, grid, block, arguments)
    local ok, message = pcall(function()
      kernel(grid, block, arguments)
      cn.synchronize()
    end)
    if not words then return assert(ok, message) end
    assert(not ok, "no error, expected: " .. words)
    assert(message:find(words, 1, true), message)
  end

  it("guards, loops and stencils need none", function()
    local x, m = cn.ones(8), cn.ones { 4, 5 }
    local guard = cn.jit.rawkernel [[function(x, y, n)
      local i = cn.jit.grid(1)
      if i <= #x then y[i] = x[i] end
      if i > n then return end
      x[i] = i > 1 and i < n and x[i - 1] + x[i + 1] or 1
    end]]
    assert.equal(0, count_checks(guard, x, x, 3))
    local stride = cn.jit.rawkernel [[function(x, y)
      for i = cn.jit.grid(1), #x, cn.jit.gridsize(1) do y[i] = x[i] end
      for i = #x, 2, -1 do x[i] = x[i - 1] + x[(i + 3) % #x + 1] end
    end]]
    assert.equal(0, count_checks(stride, x, x))
    local stencil = cn.jit.rawkernel [[function(a, b)
      local s = cn.jit.shared_memory("float64", {10, 10})
      local i, j = cn.jit.grid(2)
      local n, m = a.shape[1], a.shape[2]
      s[{cn.jit.threadIdx.x + 1, cn.jit.threadIdx.y + 2}] = 1
      if i > 1 and i < n and 1 < j and m > j then
        b[{i, j}] = a[{i - 1, j}] + a[{i + 1, j}] + a[i][j - 1] + a[i][j + 1]
      end
    end]]
    assert.equal(0, count_checks(stencil, m, m))
  end)

  it("others keep theirs", function()
    local x, index = cn.ones(8), cn.zeros(8, "int32")
    for _, text in ipairs { "y[index[1]] = 1", "y[n] = 1", "if n <= #y then y[n] = 1 end",
      "local i = n if i <= #y then i = i - 1 end y[i] = 1", "if n == 1 or n <= #y then y[n] = 1 end",
      "local function f(k) y[k] = 1 end if n > 0 and n <= #y then f(n) end",
      "while true do if n > 0 and n <= #y then break end y[n] = 1 end",
      "for i = 1, 2^62 do if i * i <= #y then y[i * i] = 1 end end" } do
      local kernel = cn.jit.rawkernel("function(y, index, n) " .. text .. " end")
      assert(kernel:source(x, index, 3):find "put%(jit_error", text)
    end
  end)

  it("come back where a launch does not fit", function()
    local copy = cn.jit.rawkernel [[function(x, y, n)
      local i = cn.jit.grid(1)
      if i <= n then y[i] = x[i] end
    end]]
    local base = cn.zeros(24)
    local x, y = cn.ones(8), base["9:16"]
    check_call(nil, copy, 1, 16, { x, y, 8 })
    check_call("position 9 is out of bounds for the first axis of 'x', whose length is 8 (text:3)", copy, 1, 9,
      { x, base, 24 })
    check_call("position 9 is out of bounds for the first axis of 'y', whose length is 8", copy, 1, 9,
      { cn.ones(9), y, 9 })
    assert.same({ 9, 8 }, { (base:sum():item()) + 1 - 8, y:sum():item() })
    check_call("out of bounds", copy, 1, 32, { x, y, 2 ^ 62 })
    check_call("out of bounds", copy, 1, 32, { x, y, 9223372036854775807LL })
    check_call(nil, copy, 1, 8, { x, y, -1 })
    check_call(nil, copy, 1, 8, { x, y, 8 })
  end)

  it("hold for threads of a launch", function()
    local fill = cn.jit.rawkernel [[function(y)
      local s = cn.jit.shared_memory("float64", 4)
      s[cn.jit.threadIdx.x + 1] = 2
      y[cn.jit.grid(1)] = s[cn.jit.threadIdx.x + 1]
    end]]
    local y = cn.zeros(8)
    check_call(nil, fill, 2, 4, { y })
    assert.equal(16, y:sum():item())
    check_call("position 9 is out of bounds for the first axis of 'y', whose length is 8", fill, 9, 1, { y })
    check_call("of 's', whose length is 4", fill, 1, 5, { y })
    check_call(nil, fill, 8, 1, { y })
  end)

  it("integers that wrap around are not believed", function()
    local least, most = -9223372036854775807LL - 1, 9223372036854775807LL
    local before = cn.jit.rawkernel "function(x, n) if n <= #x then local k = n - 1 if k >= 1 then x[k] = 1 end end end"
    local behind = cn.jit.rawkernel "function(x, n) if n >= 1 then local k = n + 1 if k <= #x then x[k] = 1 end end end"
    local rest = cn.jit.rawkernel "function(x, n) x[3 % n + 1] = 1 end"
    local x = cn.zeros(4)
    check_call("position 9223372036854775807 is out", before, 1, 1, { x, least })
    check_call("position -9223372036854775808 is out", behind, 1, 1, { x, most })
    check_call(nil, rest, 1, 1, { x, 0 })
    check_call("position -1 is out", rest, 1, 1, { x, -5 })
    assert.same({ 1, 0, 0, 0 }, x:totable())
  end)
end)
