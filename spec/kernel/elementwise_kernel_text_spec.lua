--- The text of users' kernels: macros, names and early ends, which must not touch what the kernel puts around them.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local kernel = cn.ElementwiseKernel

--- 0, 1, 2, ... in float64.
local function arange(n) return cn.arange(n):astype "float64" end

local function same(expected, x) assert.same(expected, x:totable()) end

devices.each_device(function()
  it("that a [[ ]] string has cut is an error that says so", function()
    raises("f: the operation has an unclosed '['; Lua ends a [[ ]] string at the first ]], as in a[b[i]]: write [==[",
      function() kernel("raw T x, raw int32 k", "T z", [[z = x[k[i]], "f") end)
  end)

  it("has signed chars, on every processor", function()
    local below = kernel("int32 x", "bool z", "char c = (char)x; z = c < 0", "below")
    same({true, false, true}, below(cn.array({200, 100, -1}, "int32")))
  end)

  it("may have macros over lines that end as Windows' do", function()
    same({0, 1, 2}, kernel("", "float z", "z = AT", {preamble = "#define AT \\\r\n i"})({size = 3}))
    same({0, 1, 2}, kernel("", "float z", "z = AT", {preamble = "#/**/define AT /*\n*/ i"})({size = 3}))
  end)

  it("may have macros named as the kernel's own text", function()
    local x = cn.ones(3)
    for _, macro in ipairs {"V 2", "RANK 2", "j 2", "position 2", "load(a) a + 1", "store(a) 7"} do
      same({1, 1, 1}, kernel("T x", "T z", "z = x", {preamble = "#define " .. macro .. "\n"})(x))
      same({1, 1, 1}, kernel("T x", "T z", "\n#define " .. macro .. "\nz = x")(x))
    end
  end)

  it("has macros of its own also where kernels are compiled in one go", function()
    local x = cn.ones(2)
    local macro = kernel("T x", "T z", "z = sqrt(x) + AHEAD", "macro", {
      preamble = "#define AHEAD 4\n#define sqrt(x) 3\n",
    })
    local plain = kernel("T x", "T z", "T AHEAD = sqrt(x); z = AHEAD", "plain")
    cn.prepare(function()
      macro(x)
      plain(x)
    end)
    same({7, 7}, macro(x))
    same({1, 1}, plain(x))
  end)

  it("may return early, which stores what is computed so far", function()
    local z = cn.full({4}, 7)
    kernel("T x", "T z", "if (x > 1) return; z = x")(arange(4):astype(z.dtype), z)
    same({0, 1, 7, 7}, z)
  end)

  it("may speak of macros in comments", function()
    local k = kernel("T x", "T z", "z = x + 1 // we define and use", {preamble = "// define and or\n"})
    same({2, 2}, k(cn.ones(2)))
  end)

  it("may have parameters named as the kernel's own types", function()
    local x = cn.ones(2)
    same({3, 3}, kernel("T value_of, raw T Raw, T cuna", "T Indexer", "Indexer = value_of + Raw[i] + cuna")(x, x, x))
  end)

  it("may count a raw array's elements by any integers, and by no pointer", function()
    local x, w, lines = cn.array {{1, 2}, {3, 4}}, cn.zeros {2, 2}, {"z = 0"}
    local types = {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
      "long", "unsigned long", "long long", "unsigned long long", "size_t", "ptrdiff_t"}
    for _, type in ipairs(types) do
      lines[#lines + 1] = ("{ %s at[] = {(%s)_ind.get()[0], (%s)_ind.get()[1]}; const %s *p = at; "
        .. "z += x[at]; w[p] += 1; }"):gsub("%%s", type)
    end
    assert.equal((x * #types):tobytes(),
      kernel("raw T x, T y, _non_const raw T w", "T z", table.concat(lines, ";\n"), "of_types")(x, x, w):tobytes())
    assert.equal(cn.full({2, 2}, #types):tobytes(), w:tobytes())
    local counts = "x%[i%] and x%[index%] of a raw array count elements by integers"
    for text, words in pairs {["float at[] = {0, 1}; z = x[at]"] = counts, ["z = x[(void *)0]"] = counts,
        ["z = x[nullptr]"] = counts, ["z = x[&y]"] = counts,
        ["int at[] = {1}; z = x[at]"] = "x%[index%] of a raw array takes one position for each axis of x"} do
      local good, message = pcall(function() return (kernel("raw T x, T y", "T z", text)(x, x)) end)
      assert.is_false(good, text)
      assert.matches("elementwise_kernel_text_spec.lua:%d+: cuna: CompileError: [^\n]*" .. words, message)
    end
  end)
end)

devices.each_device(function(device)
  it("has room for the arguments, or says that there are too many", function()
    local shape, names, args = {}, {}, {}
    for axis = 1, 32 do shape[axis] = 1 end
    for k = 1, 8 do names[k], args[k] = "raw T x" .. k, cn.ones(shape, "float32") end
    local k = cn.ElementwiseKernel(table.concat(names, ", "), "T z", "z = x1[0] + x8[0]", "many")
    args[9] = {size = 3}
    if device.kind == "cpu" then
      assert.same({2, 2, 2}, k(unpack(args)):totable())
    else
      raises("many: the arrays' shapes and strides take", function() k(unpack(args)) end)
    end
  end)
end)
