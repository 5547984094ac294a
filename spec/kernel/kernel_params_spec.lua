--- The parameters of kernels: what their text says, and every way to get it wrong.
local cn = require "cuna"
local params = require "cuna.kernel.params"
local raises = require("spec.support.raises").raises

local function read(text, what) return params.read("f", text, what or "in_params") end

--- A parameter as words: dtype or letter, name, flags.
local function show(text, what)
  local words = {}
  for _, p in ipairs(read(text, what)) do
    words[#words + 1] = (p.dtype or p.letter) .. " " .. p.name .. (p.raw and " raw" or "") .. (p.pointer and " *" or "")
      .. (p.writable and " w" or "")
  end
  return table.concat(words, ", ")
end

describe("parameters", function()
  it("are type and name between commas", function()
    assert.equal("T x, U y raw, float32 z", show " T x,raw\n U  y ,\tfloat32 z")
    assert.equal("", show "")
    assert.equal("", show " \n")
    assert.equal("T x, T y", show("T x, T y", "out_params"))
    assert.equal("T x, raw U y", params.describe(read " T\n x,  raw U y"))
  end)

  it("may be raw, pointers, const", function()
    assert.equal("T w raw w", show "_non_const raw T w")
    assert.equal("T w raw w", show("raw T w", "out_params"))
    for _, text in ipairs {"float *p", "float* p", "float*p", "float * p", "raw float *p", "float * __restrict__ p",
      "float *const p"} do
      assert.equal("float32 p raw * w", show(text))
    end
    assert.equal("float32 p raw *", show "const float *p")
    assert.equal("float32 p raw *", show "float const *p")
    assert.equal("float32 x", show "const float x")
  end)

  it("have types by the names of cuna and C", function()
    for _, name in ipairs {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
      "bfloat16", "float32", "float64", "complex64", "complex128"} do
      assert.equal(name .. " x", show(name .. " x"))
    end
    for text, name in pairs {
      float = "float32", double = "float64", half = "float16", int = "int32", unsigned = "uint32", signed = "int32",
      ["unsigned int"] = "uint32", ["long long"] = "int64", ["unsigned long long"] = "uint64", long = "int64",
      ["unsigned long"] = "uint64", ["long unsigned int"] = "uint64", ["long long int"] = "int64", short = "int16",
      ["unsigned short"] = "uint16", ["short int"] = "int16", char = "int8", ["signed char"] = "int8",
      ["unsigned char"] = "uint8", size_t = "uint64", ptrdiff_t = "int64", int8_t = "int8", uint8_t = "uint8",
      int16_t = "int16", uint16_t = "uint16", int32_t = "int32", uint32_t = "uint32", int64_t = "int64",
      uint64_t = "uint64", ["complex<float>"] = "complex64", ["complex< double >"] = "complex128",
      ["thrust::complex<float>"] = "complex64",
    } do
      assert.equal(name .. " x", show(text .. " x"))
      assert.equal(name .. " x raw * w", show(text .. "*x"))
    end
  end)
end)

describe("parameters are refused", function()
  local function refuses(problem, text, what)
    raises("f: " .. problem, function() read(text, what) end)
  end

  it("when one is empty, has no type or no name", function()
    refuses([[parameter 2 of in_params is empty: "T x,, T y"]], "T x,, T y")
    refuses("parameter 2 of in_params is empty", "T x, ")
    refuses("parameter 1 of out_params is empty", ",", "out_params")
    refuses([[parameter 'x' has no type; write "T x" or "float32 x"]], "x")
    refuses("parameter 'x' has no type", "raw x")
    refuses("parameter 'x' has no type", "*x")
    refuses([[parameter 'float32' has no name; write "float32 x"]], "float32")
    for _, text in ipairs {"raw float32", "unsigned int", "long long", "float *", "raw", "const", "T *", "T raw"} do
      refuses(("parameter '%s' has no name"):format(text), text)
    end
  end)

  it("when the type is unknown, with the nearest", function()
    refuses("parameter 'x' has the unknown type 'flaot32'; did you mean 'float32'?", "T y, flaot32 x")
    refuses("parameter 'x' has the unknown type 'dubble'; did you mean 'double'?", "dubble x")
    refuses("parameter 'x' has the unknown type 'wibble'; a type is a dtype such as float32, a C type", "wibble x")
    for _, text in ipairs {"float double", "unsigned signed", "long long long", "short long", "unsigned float", "T U",
      "float&", "1", "std::string"} do
      refuses("parameter 'x' has the unknown type '" .. text .. "'", text .. " x")
    end
  end)

  it("when the name cannot be one", function()
    for name, why in pairs {
      i = "is reserved: it is the loop's position or size", n = "is reserved: it is the loop's position or size",
      _x = "is reserved: names with a leading underscore", ["1x"] = "is not an identifier",
      ["x[]"] = "is not an identifier",
      ["x-y"] = "is not an identifier", ["&x"] = "is not an identifier", template = "is a keyword of C++",
      this = "is a keyword of C++", float32 = "is the name of a type", ["x;"] = "is not an identifier",
      ["x\0y"] = "is not an identifier",
    } do
      refuses(("parameter '%s' %s"):format(name, why):match "^%Z*", "T " .. name)
    end
    refuses("parameter 'x' has the type 'i', which is reserved", "i x")
  end)

  it("when flags contradict", function()
    refuses("parameter 'x' is _non_const but not raw", "_non_const T x")
    refuses("parameter 'x' is an output and const", "const T x", "out_params")
    refuses("parameter 'x' is an output and const", "const T *x", "out_params")
    refuses("parameter 'x' is a pointer to pointers", "T **x")
  end)

  it("when names meet", function()
    raises("f: parameter 'x' occurs twice", function() params.check_names("f", read "T x, U y, raw V x") end)
    raises("f: 'T' is a parameter and the type of 'x'", function() params.check_names("f", read "T x, int T") end)
  end)

  it("when they are not strings", function()
    raises("f: in_params is a string such as \"T x, T y\", got nil", function() read(nil) end)
    raises("f: in_params is a string such as \"T x, T y\", got a table", function() read({}) end)
  end)

  it("in one line, whatever the text is", function()
    local pieces = {"T", "x", "raw", "*", ",", " ", "\n", "float", "unsigned", "<", ">", "const", "_non_const", "i",
      "_", "1", "(", "%", "%s", "\0", "\255", "[", "y", "complex<float>"}
    for _ = 1, 3000 do
      local text = {}
      for k = 1, math.random(1, 8) do text[k] = pieces[math.random(#pieces)] end
      text = table.concat(text, math.random() < 0.5 and " " or "")
      local ok, message = pcall(function() return #read(text) end)
      assert(ok or message:find "^[^\n]*kernel_params_spec.lua:%d+: cuna: f: [^\n]+$", tostring(message))
    end
  end)
end)

describe("identifiers", function()
  local function names(text)
    local set, list = {}, {}
    for _, name in ipairs(params.tokens(text)) do
      if name:find "^[%a_]" and not set[name] then list[#list + 1] = name end
      set[name] = true
    end
    table.sort(list)
    return table.concat(list, " ")
  end

  it("are found outside comments, strings and numbers", function()
    assert.equal("a f x y", names "x = f(y) + a;")
    assert.equal("x y", names "x // i\n + y /* n \n _ind */")
    assert.equal("x z", names [[x = "i \" n"; z = 'n';]])
    assert.equal("x", names "x = 1e5f + 0xfful + 1'000i + .5i;")
    assert.equal("_ind d get x", names "x = _ind.get()[d]")
    assert.equal("", names "")
    assert.equal("x", names "x /* open")
    assert.equal("x", names "x = \"open")
  end)
end)

describe("a variable", function()
  local function assigns(text) return params.surely_assigns(params.tokens(text), "z") end

  it("is surely assigned by one plain statement", function()
    for _, text in ipairs {"z = x", "T a = x; z = a == 1", "if (x) y = 1; z = 2", "/* z */ z=1; // z\n",
      "{ T a = 1; }; z = x", "z = f(x, [] { ; })"} do
      assert.is_true(assigns(text), text)
    end
  end)

  it("is not when anything may read or skip it", function()
    for _, text in ipairs {"z += x", "z = z + x", "if (x) z = 1", "if (x) { z = 1; }", "x ? z = 1 : 2", "z == x",
      "for (z = 0; z < 1; ) ;", "for (;; z = 1) ;", "if (x) return; z = 1", "z.re = 1", "z *= 2", "f(z)", "y = z", "",
      "z = 1; y = z", "#ifdef A\nz = 1;\n#endif", "if (x) ; else z = 1", "&z", "switch (x) { case 1: ; z = 1; }",
      "z++", "do ; while (z = 1)"} do
      assert.is_false(assigns(text), text)
    end
  end)
end)

describe("placeholders", function()
  local list = read "T x, U y, T a"
  list[4] = read("T z", "out_params")[1]

  it("are decided by outputs, then inputs, then numbers", function()
    assert.same({T = "int8", U = "float32"}, params.bind("f", list, 3, {"int8", "float32"}, {nil, nil, "float64"}))
    assert.same({T = "int8", U = "bool"}, params.bind("f", list, 3, {[4] = "int8"}, {"float64", "bool", "int64"}))
    assert.same({T = "float64", U = "bool"}, params.bind("f", list, 3, {}, {"int64", "bool", "float64"}))
    assert.same({T = "complex128", U = "int64"}, params.bind("f", list, 3, {}, {"complex128", "int64", "float64"}))
  end)

  it("take no two dtypes", function()
    raises("f: T is int8 by 'x' and float32 by 'a'; convert one, as in a:astype(\"int8\")", function()
      params.bind("f", list, 3, {"int8", "bool", "float32"}, {})
    end)
    raises("f: T is float64 by 'z' and int8 by 'x'; convert one, as in x:astype(\"float64\")", function()
      params.bind("f", list, 3, {"int8", "bool", [4] = "float64"}, {})
    end)
    raises("f: parameter 'x' is float32, and the array given is float64; convert it with x:astype(\"float32\")",
      function() params.bind("f", read "float x", 1, {"float64"}, {}) end)
  end)

  it("are declared as value types", function()
    assert.equal("typedef complex64 V;\ntypedef float T;\ntypedef uint8 U;\n",
      params.typedefs {T = "float16", U = "uint8", V = "complex64"})
  end)
end)

describe("numbers", function()
  local param = read "T x"[1]
  local function fits(value, dtype)
    return (pcall(function() params.check_number("f", param, dtype, value) end))
  end

  it("are whole and in the range of an integer parameter", function()
    for dtype, range in pairs {int8 = {-128, 127}, uint8 = {0, 255}, int32 = {-2 ^ 31, 2 ^ 31 - 1},
      uint32 = {0, 2 ^ 32 - 1}} do
      assert.same({true, true, false, false}, {fits(range[1], dtype), fits(range[2], dtype), fits(range[1] - 1, dtype),
        fits(range[2] + 1, dtype)})
      assert.is_true(fits(5LL, dtype) and fits(5ULL, dtype))
      assert.is_false(fits(2LL ^ 40, dtype) or fits(2ULL ^ 63, dtype))
    end
    assert.is_true(fits(-2 ^ 63, "int64") and fits(2 ^ 63, "uint64") and fits(-1LL, "int64"))
    assert.is_false(fits(2 ^ 63, "int64") or fits(2 ^ 64, "uint64") or fits(-1LL, "uint64") or fits(-1, "uint64"))
    assert.is_true(fits(2ULL ^ 63, "uint64"))
    assert.is_false(fits(2ULL ^ 63, "int64"))
  end)

  it("that do not fit are an error with the parameter", function()
    raises("f: parameter 'x' is int8, and 1.5 is not whole", function()
      params.check_number("f", param, "int8", 1.5)
    end)
    raises("f: parameter 'x' is int8, and 300 does not fit", function()
      params.check_number("f", param, "int8", 300)
    end)
    raises("f: parameter 'x' is uint8, and -1LL does not fit", function()
      params.check_number("f", param, "uint8", -1LL)
    end)
    for _, value in ipairs {cn.inf, -cn.inf, cn.nan} do
      raises("f: parameter 'x' is int32, and ", function() params.check_number("f", param, "int32", value) end)
    end
  end)
end)
