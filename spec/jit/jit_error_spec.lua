--- What kernels written in Lua cannot have, and calls of them that cannot be: one line, where the mistake is.
-- luacheck: ignore 211 212 213 221 231 241 311 321 331 421 431 511 512 541 (kernels with mistakes)
local cn = require "cuna"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local jit = cn.jit

describe("the text of a kernel", function()
  it("is found in a chunk, a file, or given as a string", function()
    local from_text = jit.rawkernel [[function(x) x[1] = cn.jit.blockDim.x end]]
    local x = cn.zeros(1)
    from_text(1, 3, { x })
    assert.equal(3, x[1])
    local from_chunk = jit.rawkernel(loadstring "local k = 7\nreturn function(x)\n x[1] = k end"())
    from_chunk(1, 1, { x })
    assert.equal(7, x[1])
  end)

  it("is found at cuna's prompt", function()
    local repl = require "cuna.prompt.loop"
    local lines, written, at = { "k = cn.jit.rawkernel(function(x) x[1] = 5 end)",
      "k2 = cn.jit.rawkernel(function(x)", "x[1] = 6 end)", "x = cn.zeros(1) k(1, 1, {x})", "x", "k2(1, 1, {x})", "x" },
      {}, 0
    repl.run(setmetatable({ cn = cn }, { __index = _G }), {
      read = function(prompt)
        written[#written + 1] = prompt
        at = at + 1
        return lines[at]
      end,
      write = function(...) written[#written + 1] = table.concat { ... } end,
    })
    assert.equal("> > >> > > [5.]\n> > [6.]\n> \n", table.concat(written))
  end)

  it("must be there", function()
    raises("jit.rawkernel: the text of the chunk 'somewhere' is not available; pass the text itself: "
      .. "cn.jit.rawkernel [[function(x, y) ... end]]", function()
      jit.rawkernel(loadstring("return function(x) x[1] = 1 end", "=somewhere")())
    end)
    raises("jit.rawkernel: it has no debug information", function()
      jit.rawkernel(loadstring(string.dump(function(x) x[1] = 1 end, true)))
    end)
    local freed = cn.zeros(3)
    freed:free()
    raises("zero: argument 'a': the array was freed at ", function()
      jit.rawkernel("function(a) a[1] = 0 end", {name = "zero"})(1, 1, {freed})
    end)
    raises("jit.rawkernel: a function in C has no Lua text", function() jit.rawkernel(print) end)
    raises("jit.rawkernel: expected a function, or its text as a string, got nil", function() jit.rawkernel(nil) end)
    raises("jit.rawkernel: the text is not function(...) ... end", function() jit.rawkernel "x[1] = 1" end)
    raises("jit.rawkernel: line 2 of the text: ", function() jit.rawkernel "function(x)\n x[1] = = 1 end" end)
    raises("jit.rawkernel: a function of cn.jit is called with a dot", function() jit:rawkernel(print) end)
    raises("jit.rawkernel: its file /nowhere.lua cannot be opened", function()
      jit.rawkernel(loadstring("return function(x) x[1] = 1 end", "@/nowhere.lua")())
    end)
  end)

  it("is the function's own", function()
    raises("jit.rawkernel: spec/jit/jit_error_spec.lua:", function()
      local a, b = function(x) x[1] = 1 end, function(x) x[1] = 2 end
      jit.rawkernel(a)
    end)
    local path = os.tmpname()
    local function write(text)
      local file = assert(io.open(path, "w"))
      file:write(text)
      file:close()
    end
    write "local k = 1\nreturn function(x)\n  x[1] = k\nend\n"
    local fn, found = dofile(path), dofile(path)
    jit.rawkernel(found)
    write "local k = 1\nreturn function(x)\n  x[2] = k\nend\n"
    jit.rawkernel(found) -- its text is known from before
    raises(("jit.rawkernel: %s:2: the text there is not the function's"):format(path), function() jit.rawkernel(fn) end)
    write "local k = 1\n\nreturn function(x)\n  x[1] = k\nend\n"
    raises(("jit.rawkernel: %s:2: there is no function at this line any more"):format(path),
      function() jit.rawkernel(fn) end)
    os.remove(path)
  end)

  it("is the function's own where names of upvalues changed places", function()
    local path = os.tmpname()
    local function write(text)
      local file = assert(io.open(path, "wb"))
      file:write(text)
      file:close()
      return path
    end
    local fn = dofile(write "local a, b = 7, 3\nreturn function(x)\n  x[1] = a - b\nend\n")
    write "local a, b = 7, 3\nreturn function(x)\n  x[1] = b - a\nend\n"
    raises(("jit.rawkernel: %s:2: the text there is not the function's"):format(path), function() jit.rawkernel(fn) end)
    os.remove(path)
  end)

  it("may stand around or inside of another function on the same line, and in lines of any kind", function()
    local path, x = os.tmpname(), cn.zeros(1)
    for _, text in ipairs {
      "return function(x) local function f(a) return a + 1 end x[1] = f(3) end",
      "local function make(n) return function(x) x[1] = n end end return make(4)",
      "local s = 'a\\\r\nb'\r\nreturn function(x)\r\n  -- end\r\n  x[1] = 4\r\nend\r\n",
      "local n = 4\rreturn function(x)\r  x[1] = n\rend\r",
      "#!/usr/bin/env luajit\nreturn function(x) --[==[ end ]==]\n  local größe = 4 x[1] = größe\nend",
    } do
      local file = assert(io.open(path, "wb"))
      file:write(text)
      file:close()
      x:fill(0)
      jit.rawkernel(dofile(path))(1, 1, { x })
      assert.equal(4, x[1], text)
    end
    os.remove(path)
  end)

  it("is not a method, nor a chunk that has only a name", function()
    local t = {}
    function t:method(x) x[1] = 1 end
    raises("jit.rawkernel: spec/jit/jit_error_spec.lua:", function() jit.rawkernel(t.method) end)
    local _, message = pcall(jit.rawkernel, t.method)
    assert(message:find("it is a method, whose first argument is self; write function t.f(x) with a point", 1, true))
    raises("jit.rawkernel: the text of the chunk 'foo' is not available", function()
      jit.rawkernel(loadstring("return function(x) x[1] = 2 end", "foo")())
    end)
  end)

  it("stays the function's after LuaJIT compiled it", function()
    local function fn(x, n)
      for i = 1, n do x[i] = i % 3 end
    end
    for _ = 1, 200 do fn({}, 100) end
    local x = cn.zeros(4)
    jit.rawkernel(fn)(1, 1, { x, 4 })
    assert.same({ 1, 2, 0, 1 }, x:totable())
  end)
end)

describe("outside of the subset", function()
  --- Asserts that making a kernel of a function's text raises, at a line of the kernel.
  local function refuses(words, text)
    local ok, message = pcall(jit.rawkernel, ("function(x, n)\n%s\nend"):format(text))
    assert(not ok, "no error: " .. text)
    assert.equal("text:2: cuna: kernel: " .. words, message)
  end

  it("is what has no place in a kernel", function()
    refuses("kernels have no goto and no labels; use loops and if", "goto done ::done::")
    refuses("kernels have no goto and no labels; use loops and if", "::done::")
    refuses("kernels have numeric loops only: for i = first, last[, step] do", "for k, v in pairs(x) do end")
    refuses("kernels have no varargs ('...')", "local function f(...) end")
    refuses("kernels have no strings to join ('..')", "local s = 'a' .. n")
    refuses("kernels have no tables; {i, j} stands for positions in x[{i, j}] and for a shape only",
      "local t = {a = 1}")
    refuses("a function of a kernel is local: local function f(...)", "function f() end")
    refuses("'total' is not a local variable of the kernel and cannot be assigned; results go into arrays", "total = 1")
    refuses("a kernel assigns to variables and elements of arrays, not to the field 'size'", "x.size = 1")
    refuses("kernels have no complex numbers: 2i", "local z = 2i")
  end)

  --- Asserts that the first call with x (float32, 4 elements) and n = 4 raises, at a line of the kernel.
  local function fails(words, text)
    local kernel = jit.rawkernel(("function(x, n)\n%s\nend"):format(text))
    local ok, message = pcall(kernel, 1, 1, { cn.zeros(4, "float32"), 4 })
    assert(not ok, "no error: " .. text)
    assert.equal("text:2: cuna: kernel: " .. words, message)
  end

  it("is what types do not allow", function()
    fails("a position is an integer, got float64; write math.floor(...) for one", "x[n / 2] = 1")
    fails("a position is an integer, got bool", "x[n > 2] = 1")
    fails("positions in a kernel count from 1, got 0", "x[0] = 1")
    fails("positions in a kernel count from 1, got -1", "x[-1] = 1")
    fails("'x' has 1 axis, and 2 positions are given; write x[i]", "x[{1, 2}] = 1")
    local ROOM = "local m = cn.jit.shared_memory('float32', {2, 3}) "
    fails("'m' has 2 axes, and 1 position is given; write x[{i, j}]", ROOM .. "m[1] = 1")
    fails("the left side of '+' is a number, got a row of 'm'", ROOM .. "x[1] = m[1] + 1")
    fails("'r' is a row of 'm' and cannot be assigned again", ROOM .. "local r = m[1] r = 3")
    fails("elements of 'x' are float32, got a row of 'm'", ROOM .. "x[1] = m[1]")
    fails("a condition is a boolean, got int64, and every number is true in Lua; write v ~= 0",
      "if n then x[1] = 1 end")
    fails("'and' joins booleans, or chooses as in c and a or b; got 3", "if n > 1 and 3 then x[1] = 1 end")
    fails("the left side of '+' is a number, got an array", "x[1] = x + 1")
    fails("the left side of '<' is a number, got \"a\"", "if 'a' < n then x[1] = 1 end")
    fails("'s' is int64 since line 2, and float32 is not; begin with a float (v + 0.0), or write math.floor(v)",
      "local s = cn.jit.cast(n, 'int64') s = s + x[1]")
    fails("'b' is bool since line 2, and 1 is not", "local b = true b = 1")
    fails("'s' may have no value here (nil); give it one where it is declared",
      "local s if n > 1 then s = 1 end x[1] = s")
    fails("'y' is not a variable, upvalue or global", "x[1] = y")
    fails("cuna has no function 'nothing'; cn.has \"nothing\" asks for a name", "x[1] = cn.nothing")
    fails("'math.nothing' is nil", "x[1] = math.nothing")
    fails("'s' is an array and cannot be assigned again", "local s = x s = 1")
    fails("arrays have size, ndim, dtype, shape[d] and strides[d] in a kernel, not 'shap'; did you mean 'shape'?",
      "x[1] = x.shap[1]")
    fails("'x' has 1 axes, and shape[2] does not exist", "x[1] = x.shape[2]")
    fails("'#' is the length of an array's first axis, got int64", "x[1] = #n")
    fails("a kernel returns nothing; results go into arrays that are passed to it", "return n")
    fails("kernels have no nil; use a number or a boolean", "x[1] = x[1] == nil and 1 or 2")
    fails("a loop's step is 0", "for i = 1, n, 0 do end")
    fails("a loop's bound is a number, got an array", "for i = 1, x do end")
    fails("'x' is float32, and bool is not converted to it implicitly; choose one (v and 1 or 0)", "x[1] = true")
    fails("place 2 of the assignment gets no value (nil)", "x[1], x[2] = 1")
    fails("2 values for 1 places", "x[1] = 1, 2")
  end)

  it("is what functions do not take", function()
    fails("'f' takes 1 argument (a), got 2", "local function f(a) return a end x[1] = f(1, 2)")
    fails("'f' calls itself; write a loop", "local function f(a) return f(a - 1) end x[1] = f(n)")
    fails("'f' does not return a value on every path", "local function f(a) if a > 1 then return a end end x[1] = f(n)")
    fails("'f' does not return a value on every path",
      "local function f(a) while true do if a > 1 then break end return a end end x[1] = f(n)")
    fails("this call has no value", "local function f(a) x[1] = a end x[1] = f(n) + 1")
    fails("this call has several values; give them names first: local a, b = ...",
      "local function f(a) return a, a end x[1] = math.max(f(n))")
    fails("'print' cannot be called in a kernel: a function in C has no Lua text; kernels call math.*, bit.*, "
      .. "cn.jit.* and functions written in Lua", "print(1)")
    fails("'sin' cannot be called in a kernel: a function in C has no Lua text; write math.sin", "x[1] = cn.sin(n)")
    fails("math.random: kernels have no random numbers of the host; pass an array of them, or compute them from a seed",
      "x[1] = math.random()")
    fails("cannot call an array", "x(1)")
    fails("cannot call \"float32\"; write cn.jit.cast(v, \"float32\")", "x[1] = cn.float32(0)")
    fails("math.sin takes 1 argument, got 2", "x[1] = math.sin(1, 2)")
    fails("math.sin takes a number, got an array", "x[1] = math.sin(x)")
    fails("bit.band takes an integer, got float32; write math.floor(...) for one", "x[1] = bit.band(x[1], 1)")
    fails("grid takes 1, 2 or 3 as a constant, got int64", "local i = cn.jit.grid(n)")
    fails("threadIdx has x, y and z", "x[1] = cn.jit.threadIdx.w")
    fails("syncthreads has no value", "x[1] = cn.jit.syncthreads()")
    fails("shared_memory: a length is a constant from 1 on, got int64", "local s = cn.jit.shared_memory('int32', n)")
    fails("shared_memory: \"real\" is not a dtype", "local s = cn.jit.shared_memory('real', 3)")
    fails("cast: kernels written in Lua have no complex64", "x[1] = cn.jit.cast(n, 'complex64')")
    fails("atomic_and is for int32, uint32, int64, uint64, and 'x' is float32", "cn.jit.atomic_and(x, 1, 1)")
    fails("atomic_add takes an array, a position and a value, got 2 arguments", "cn.jit.atomic_add(x, 1)")
    fails("any_sync takes a boolean, got int64", "local b = cn.jit.any_sync(1, n)")
    fails("60000 bytes of shared memory exceed the limit of 49152 for fixed shapes; omit the shape and call the kernel "
      .. "with {shared_mem = bytes}", "local s = cn.jit.shared_memory('float32', 15000) s[1] = 1")
  end)

  it("is a float for an array of integers, and integers without a common dtype", function()
    local store = jit.rawkernel [[function(x, v) x[1] = v end]]
    local ok, message = pcall(store, 1, 1, { cn.zeros(1, "int32"), 0.5 })
    assert.equal("text:1: cuna: kernel: 'x' is int32, and float64 is not converted to it implicitly; write "
      .. 'cn.jit.cast(v, "int32")', message)
    local add = jit.rawkernel [[function(x, y) x[1] = x[1] + y[1] end]]
    ok, message = pcall(add, 1, 1, { cn.zeros(1, "int64"), cn.zeros(1, "uint64") })
    assert.equal("text:1: cuna: kernel: int64 and uint64 have no common integer dtype; convert one with "
      .. "cn.jit.cast(value, dtype)", message)
    assert.is_false(ok)
  end)

  it("is a literal that the elements' dtype does not have", function()
    local ok, message = pcall(jit.rawkernel [[function(x) x[1] = 3e9 end]], 1, 1, { cn.zeros(1, "int32") })
    assert.equal("text:1: cuna: kernel: 'x' is int32, which cannot represent 3000000000; convert it with "
      .. 'cn.jit.cast(v, "int32")', message)
    assert.is_false(ok)
  end)

  it("is an array that was captured", function()
    local kept = cn.zeros(3)
    raises("kernel: 'kept' is an array from outside; pass it as an argument", function()
      jit.rawkernel(function(x) x[1] = kept[1] end)(1, 1, { kept })
    end)
  end)
end)

describe("a call of a kernel in Lua", function()
  local copy = jit.rawkernel(function(x, y, n)
    for i = 1, n do y[i] = x[i] end
  end)
  local x, y = cn.ones(4), cn.zeros(4)

  it("has a grid, a block and all arguments", function()
    raises("copy: argument 'n' is missing", function() copy(1, 1, { x, y }) end)
    raises("copy: takes 3 arguments (x, y, n), and the table has the key '4'", function()
      copy(1, 1, { x, y, 1, 2 })
    end)
    raises("copy: takes 3 arguments (x, y, n), and the table has the key 'n'", function()
      copy(1, 1, { x, y, n = 2 })
    end)
    raises("copy: the arguments are a table, got a cuna array; a call is copy(grid, block, {x, y, n})", function()
      copy(1, 1, x, y, 4)
    end)
    raises("copy: the grid is 0; it is 1 at least", function() copy(0, 1, { x, y, 4 }) end)
  end)
end)
