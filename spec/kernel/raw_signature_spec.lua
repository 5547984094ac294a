--- What is read of CUDA C++ source text: kernels, their parameters, variables; and what is left open.
local raises = require("spec.support.raises").raises
local signature = require "cuna.kernel.raw_signature"

require "cuna"

local function bind(code, name, options) return signature.bind(signature.read(code, options), name, "K") end

--- Parameters as words: kind, dtype, lanes, const; "?" when they are not known.
local function show(code, name, options)
  local found = bind(code, name or "f", options)
  if not found.params then return "?" end
  local words = {}
  for k, p in ipairs(found.params) do
    words[k] = p.name .. ":" .. (p.kind == "pointer" and "*" or p.kind == "opaque" and "?" or "") .. (p.dtype or "")
      .. ((p.lanes or 1) > 1 and "x" .. p.lanes or "") .. (p.const and " const" or "")
  end
  return table.concat(words, ", ")
end

--- The one parameter of a kernel.
local function param(text, before)
  return show((before or "") .. "\n__global__ void f(" .. text .. ") {}"):gsub("^[^:]*:", "")
end

--- Names of all kernels.
local function names(code, options)
  local list = {}
  for k, kernel in ipairs(signature.read(code, options).order) do list[k] = kernel.name end
  return table.concat(list, " ")
end

describe("kernels", function()
  it("are found however they are written", function()
    for _, text in ipairs {
      "__global__ void f(int n) {}", "void __global__ f(int n) {}", "extern \"C\" __global__ void f(int n) {}",
      "extern \"C\" { __global__ void f(int n) {} }", "__global__ void __launch_bounds__(256, 2) f(int n) {}",
      "__launch_bounds__(256) __global__ void f(int n) {}", "static __global__ void f(int n) {}",
      "__global__ __attribute__((used)) void f(int n);", "[[maybe_unused]] __global__ void f(int n) {}",
      "__global__ void f(int n); int g() { return 1; } __global__ void f(int n) { if (n) { n++; } }",
      "inline namespace { __global__ void f(int n) {} }",
      "__device__ int g(int x = 3) { return x; } __global__ void\nf\n(\nint n)\n{\n}",
      "struct S { int x; __device__ S(int a) : x{a} {} }; __global__ void f(int n) {}",
      "__device__ void operator+=(V &a, V b) { a.x += b.x; } __global__ void f(int n) {}",
      "__device__ bool operator==(V a, V b) { return a.x == b.x; } __global__ void f(int n) {}",
      "__device__ int S::operator()(int i) const { return i; } __global__ void f(int n) {}",
      "__device__ bool operator<=(V a, V b) { return a.x; } __device__ V operator[](int i);__global__ void f(int n) {}",
      "__constant__ float c[2] = {1, 2}; __global__ void f(int n) {}", "enum { A, B } e; __global__ void f(int n) {}",
      "template <int N> struct T { enum { v = N > 2 ? (1 < 2) : 0 }; }; __global__ void f(int n) {}",
      "#define KERNEL extern \"C\" __global__ void\nKERNEL f(int n) {}",
      "#define BODY(x) \\\n  { x; }\n__global__ void f(int n) BODY(n++)\n",
      "int a = 1'000, b = '\\'', c = '{'; __global__ void f(int n) {}",
      "const char *s = \"{ // \\\" __global__ void g(float x) {\"; __global__ void f(int n) {}",
      "const char *s = R\"x(} )\" __global__ void g() { )x\"; __global__ void f(int n) {}",
      "// __global__ void f(float x)\n/* __global__ void f(double x) { */ __global__ void f(int n /* , int m */) {}",
      "MACRO(1, 2) __global__ void f(int n) {}", "__global__ void f(int n) { auto g = [&](int k) { return k; }; }",
      "__global__ void\r\nf(int \\\r\n n) {}",
    } do
      local ok, got = pcall(show, text)
      assert.equal("n:int32", got, text)
      assert(ok)
    end
  end)

  it("come in their order, with namespaces", function()
    assert.equal("a b::c b::d::e f", names [[__global__ void a() {}
      namespace b { __global__ void c() {} namespace d { __global__ void e(); } }
      __global__ void f() {} __device__ void g() {}]])
    assert.equal("x::y::f", names "namespace x::y { __global__ void f() {} }")
    assert.equal("", names "__device__ void f() {}")
  end)

  it("are found without their namespace when only one has the name", function()
    local code = "namespace a { __global__ void f(int n) {} __global__ void g() {} }"
      .. "namespace b { __global__ void g() {} }"
    assert.equal("a::f", bind(code, "f").expression)
    assert.equal("a::f", bind(code, "::a::f").expression)
    assert.equal("b::g", bind(code, " b :: g").expression)
    raises("K: 'g' may be a::g or b::g", function() bind(code, "g") end)
  end)

  it("that are missing are reported with the existing ones", function()
    local code = "__global__ void scale(int n) {} template <class T> __global__ void add(T *x) {}"
    raises("K: the code has no kernel 'scal'; did you mean 'scale'? It has add<>, scale", function()
      bind(code, "scal")
    end)
    raises("K: the code has no kernel 'wibble'; it has add<>, scale", function() bind(code, "wibble") end)
    raises("K: 'scale(3)' is not the name of a kernel", function() bind(code, "scale(3)") end)
    raises("K: '3' is not the name of a kernel", function() bind(code, "3") end)
    raises("K: 'scale' is not a template", function() bind(code, "scale<3>") end)
  end)

  it("may be where this does not see them", function()
    assert.same({expression = "f"}, bind("#include \"mine.cuh\"\n", "f"))
    assert.same({expression = "f<int>"}, bind("#define MAKE(T) __global__ void f(T x) {}\nMAKE(int)", "f<int>"))
    raises("K: the code has no kernel", function()
      signature.check(signature.read "#include <cuda_fp16.h>\n#include <cstdint>\n__device__ int f();", "K")
    end)
    signature.check(signature.read "#include <mine/kernels.cuh>\n", "K")
  end)
end)

describe("parameters", function()
  it("may be none", function()
    assert.equal("", show "__global__ void f() {}")
    assert.equal("", show "__global__ void f(void) {}")
  end)

  it("have the dtypes of their C types", function()
    for text, expected in pairs {
      bool = "bool", char = "int8", ["signed char"] = "int8", ["unsigned char"] = "uint8", short = "int16",
      ["unsigned short int"] = "uint16", int = "int32", unsigned = "uint32", ["long"] = "int64",
      ["unsigned long long"] = "uint64", ["long long unsigned int"] = "uint64", size_t = "uint64",
      ["std::size_t"] = "uint64", int8_t = "int8", ["std::uint16_t"] = "uint16", ["cuda::std::int64_t"] = "int64",
      uint = "uint32", ushort = "uint16", ulong = "uint64",
      float = "float32", double = "float64", half = "float16", __half = "float16", __nv_bfloat16 = "bfloat16",
      ["complex<float>"] = "complex64", ["thrust::complex<double>"] = "complex128", ["cuFloatComplex"] = "complex64",
      ["cuda::std::complex<float>"] = "complex64", float2 = "float32x2", uchar4 = "uint8x4", dim3 = "uint32x3",
      ["const unsigned int"] = "uint32", ["volatile float"] = "float32", ["__grid_constant__ const int"] = "int32",
    } do
      assert.equal(expected, (param(text .. " x")), text)
      assert.equal(expected, (param(text)), text)
      local const = text:find "const" and " const" or ""
      assert.equal("*" .. expected .. const, (param(text .. " *x")), text)
    end
  end)

  it("are pointers however they are written", function()
    for _, text in ipairs {"float *x", "float* x", "float*x", "float x[]", "float x[16]", "float *__restrict__ x",
      "float *const x", "float * const __restrict__ x", "float *restrict x", "float *", "float *x = nullptr",
      "volatile float *x", "struct float4 *x"} do
      assert.equal(text:find "float4" and "*float32x4" or "*float32", (param(text)), text)
    end
    for _, text in ipairs {"const float *x", "float const *x", "const float *__restrict__ const x", "const float x[]",
      "const float *"} do
      assert.equal("*float32 const", (param(text)), text)
    end
    assert.equal("*", (param "void *x"))
    assert.equal("* const", (param "const void *x"))
    assert.equal("*", (param "float **x"))
    assert.equal("*", (param "const float **x"))
    assert.equal("* const", (param "float *const *x"))
  end)

  it("of types that are not known are opaque, or pointers to anything", function()
    for _, text in ipairs {"Point p", "struct Point p", "std::vector<int> v", "void (*f)(int, float *)",
      "long double x", "cudaGraph_t t", "typename A::type x", "enum Color c", "MACRO(float) x", "wchar_t c",
      "Array<float, 3> a", "std::pair<int, float> p"} do
      assert.equal("?", (param(text)), text)
    end
    assert.equal("*", (param "Point *p"))
    assert.equal("* const", (param "const ns::Point *p"))
    assert.equal("?", (param("float4 v", "struct float4 { double x; };")))
  end)

  it("may be textures and surfaces, also by other names", function()
    local code = "typedef cudaTextureObject_t tex_t; template <class T> __global__ void f(cudaTextureObject_t a, "
      .. "const tex_t b, cudaSurfaceObject_t c, T d, tex_t *e) {}"
    local kinds = {}
    for k, p in ipairs(bind(code, "f<cudaSurfaceObject_t>").params) do kinds[k] = p.kind end
    assert.same({"texture", "texture", "surface", "surface", "pointer"}, kinds)
    assert.equal("*uint64 const", (param "const cudaTextureObject_t *t"))
  end)

  it("have names and texts", function()
    local code = "__global__ void f(const float *__restrict__ x, int, unsigned long n = 3, float y[][4], "
      .. "complex<float> *z) {}"
    assert.equal("x:*float32 const, 2:int32, n:uint64, y:*float32, z:*complex64", show(code))
    assert.equal("const float *x, int, unsigned long n, float y[][4], complex<float> *z",
      signature.describe(bind(code, "f").params))
  end)

  it("may not be references", function()
    for _, text in ipairs {"float &x", "const float& x", "float &&x", "int (&x)[3]"} do
      raises("f: parameter 'x' is a reference; a kernel takes numbers by value and arrays by pointer", function()
        signature.bind(signature.read("__global__ void f(" .. text .. ") {}"), "f", "K")
      end)
    end
  end)

  it("look through typedef and using", function()
    local before = [[typedef unsigned int uint; using real = double; typedef float *fptr; typedef const float cf;
      using index_t = uint; typedef struct { int a; } Point; typedef float vec[3]; typedef int a, *b;
      typedef pair<int, float> both;]]
    for text, expected in pairs {["uint x"] = "uint32", ["real x"] = "float64", ["const real *x"] = "*float64 const",
      ["index_t x"] = "uint32", ["fptr x"] = "*float32", ["const fptr x"] = "*float32", ["fptr *x"] = "*",
      ["cf *x"] = "*float32 const", ["Point x"] = "?", ["Point *x"] = "*", ["vec x"] = "?", ["a x"] = "?",
      ["complex<real> *x"] = "*complex128", ["both x"] = "?"} do
      assert.equal(expected, (param(text, before)), text)
    end
    local code = [[typedef float T; namespace a { typedef double T; namespace b { __global__ void f(T x, ::T y) {} } }
      namespace c { using real = float; } namespace d { using real = int; }
      __global__ void g(T x, a::T y, c::real z, d::real w) {} using namespace c; __global__ void h(real x) {}]]
    assert.equal("x:float64, y:float32", show(code, "f"):gsub("y:float64", "y:float32"))
    assert.equal("x:float32, y:float64, z:float32, w:int32", show(code, "g"))
    assert.equal("x:float32", show(code, "h"))
    assert.equal("?", (param("loop x", "typedef loop other; typedef other loop;")))
  end)

  it("of a pack are not known", function()
    assert.equal("?", show("template <class... A> __global__ void f(A... a) {}", "f<int>"))
  end)
end)

describe("templates", function()
  local code = [[template <typename T, int N = 4, class U = T> __global__ void f(T *x, const U y, int (*p)[N]) {}
    namespace ns { template <class T> __global__ void g(const T *x, typename T::size n) {} }
    template <> __global__ void f<int, 1, int>(int *x, const int y, int (*p)[1]) {}
    template __global__ void ns::g<float>(const float *x, int n);
    template <int N> __global__ void h(float *x) {}]]

  it("are bound by the name", function()
    assert.equal("x:*float32, y:float32, p:?", show(code, "f<float>"))
    assert.equal("x:*uint8, y:float64, p:?", show(code, "f< unsigned char, 3, double >"))
    assert.equal("x:*float32 const, n:?", show(code, "ns::g<float>"))
    assert.equal("x:* const, n:?", show(code, "g<Point>"))
    assert.equal("x:*float32", show(code, "h<(3 > 2)>"))
    assert.equal("ns::g<float>", bind(code, "g<float>").expression)
    assert.equal("x:*complex64 const, n:?", show(code, "g<complex<float>>"))
  end)

  it("need all of their arguments", function()
    raises("K: 'f' is a template <typename T, int N = 4, class U = T>, and the name gives 0 of its parameters; "
      .. "say all, as in \"f<float>\"", function() bind(code, "f") end)
    raises("K: 'h' is a template <int N>, and the name gives 2 parameters", function() bind(code, "h<1, 2>") end)
    raises("K: 'h<1' is not the name of a kernel", function() bind(code, "h<1") end)
    assert.equal("all<>", bind("template <int N = 1> __global__ void all() {}", "all").expression)
  end)
end)

describe("the preprocessor", function()
  local function kept(text, options) return names(text:gsub("(%w+);", "__global__ void %1();"), options) end

  it("decides what the text and the options decide", function()
    for text, expected in pairs {
      ["#if 0\na;\n#else\nb;\n#endif"] = "b", ["#if 1\na;\n#elif 1\nb;\n#else\nc;\n#endif\nd;"] = "a d",
      ["#define X\n#ifdef X\na;\n#endif\n#undef X\n#ifdef X\nb;\n#endif"] = "a",
      ["#ifndef GUARD\n#define GUARD\na;\n#endif"] = "a", ["#ifdef DEBUG\na;\n#endif\nb;"] = "b",
      ["#define N 4\n#if N * 2 == 8 && !defined(M)\na;\n#endif"] = "a",
      ["#define N 0x10\n#if (N >> 1) || N > 15\na;\n#endif"] = "a",
      ["#if 0\n#if 1\na;\n#endif\n#else\nb;\n#endif"] = "b", ["  # if 0 // c\na;\n#endif\nb;"] = "b",
      ["#if defined X || 1\na;\n#endif"] = "a", ["#if X\na;\n#else\nb;\n#endif"] = "b",
    } do
      assert.equal(expected, kept(text), text)
    end
    assert.equal("a", kept("#if M == 2\na;\n#endif\n#ifdef L\nb;\n#endif", {"-DM=2"}))
    assert.equal("a b", kept("#if M\na;\n#endif\n#ifdef L\nb;\n#endif", {"-D M", "--define-macro=L=0"}))
  end)

  it("replaces macros", function()
    assert.equal("x:float64", show("#define REAL double\n__global__ void f(REAL x) {}"))
    assert.equal("x:float32", show("__global__ void f(REAL x) {}", "f", {"-DREAL=float"}))
    assert.equal("x:*float32, n:?",
      show("#define A B\n#define B A\n#define P float *\n__global__ void f(P x, A n) {}"))
    assert.equal("x:?", show("__global__ void f(REAL x) {}"))
  end)

  it("believes nothing where only a compiler knows", function()
    local code = "#ifdef __CUDA_ARCH__\ntypedef float real;\n#else\ntypedef double real;\n#endif\n"
      .. "__global__ void f(real *x, real y) {}"
    assert.equal("x:*, y:?", show(code))
    assert.equal("?", show "#ifdef __CUDA_ARCH__\n__global__ void f(float x) {\n#else\nvoid f(double x) {\n#endif\n}")
    assert.equal("?", show "#if CUDA_VERSION > 12000\n__global__ void f(int x) {}\n#endif\n__global__ void g() {}")
    assert.equal("x:?",
      show "#ifdef __CUDA_ARCH__\n#define R float\n#else\n#define R double\n#endif\n__global__ void f(R x);")
    assert.same({expression = "g"},
      bind("#ifdef __CUDA_ARCH__\n__global__ void f();\n#else\n__global__ void g();\n#endif", "g"))
    assert.equal("?", show "__global__ void f(float x) {}\n__global__ void f(double x) {}")
  end)

  it("knows what NVRTC defines", function()
    assert.equal("x:float32",
      show "#ifdef __CUDACC__\n__global__ void f(float x) {}\n#else\n__global__ void f(double x) {}\n#endif")
    assert.equal("x:int32", show "#if defined(__CUDACC_RTC__) && 1\n__global__ void f(int x) {}\n#endif")
  end)

  it("finds overloads by casts", function()
    local code = "__global__ void f(float *x) {}\n__global__ void f(const double *x, int n) {}"
    for _, name in ipairs {"(void (*)(const double *, int))f", "static_cast<void (*)(const double *, int)>(f)",
      "(void(*)(const double*,int))&f", "&static_cast<void(*)(const double *, int)>(&f)"} do
      assert.equal("1:*float64 const, 2:int32", show(code, name), name)
    end
    raises("K: '(float)f' is not a cast such as \"(void (*)(float *))f\"", function() bind(code, "(float)f") end)
    raises("K: the code has no kernel 'g'", function() bind(code, "(void (*)(int))g") end)
  end)
end)

describe("variables", function()
  local code = [[constexpr int N = 3; enum { M = 2 }; static const unsigned K = N * 2 + 1;
    __constant__ float c[N * 2][4], d; __device__ int n = 3; __device__ float4 v[K] = {{1, 2, 3, 4}};
    extern __device__ double e[]; __device__ Point p; __device__ float *q; __managed__ unsigned char b[1 + 1];
    static __device__ int hidden; __device__ float function(int x) { return x; }
    namespace a::b { __constant__ half h[2]; }
    __device__ double w[M]; __device__ volatile int flag[1'0]; __global__ void f() { __shared__ float s[3]; }]]
  local source = signature.read(code)

  local function show_variable(name)
    local v, symbol = signature.variable(source, name, "K")
    return ("%s %s %s %s"):format(symbol, v.dtype or "?", v.lanes or "?", v.shape and table.concat(v.shape, "x") or "?")
  end

  it("have the dtype and shape of their declaration", function()
    for name, expected in pairs {c = "c float32 1 6x4", d = "d float32 1 ", n = "n int32 1 ", v = "v float32 4 7",
      e = "e float64 1 ?", p = "p ? ? ?", q = "q ? ? ?", b = "b uint8 1 2", ["a::b::h"] = "_ZN1a1b1hE float16 1 2",
      w = "w float64 1 ?", flag = "flag int32 1 10"} do
      assert.equal(expected, show_variable(name))
    end
  end)

  it("that are missing are reported with the existing ones", function()
    raises("K: the code has no variable 'flagg'; did you mean 'flag'? It has a::b::h, b, c, d, e, flag,", function()
      signature.variable(source, "flagg", "K")
    end)
    raises("K: the code has no variable 's'; it has none", function()
      signature.variable(signature.read "__global__ void f() {}", "s", "K")
    end)
    raises("K: the variable 'hidden' is static", function() signature.variable(source, "hidden", "K") end)
    local constants = signature.read "__constant__ const int c[1] = {1}; __device__ const int *p;"
    raises("K: the variable 'c' is static or const", function() signature.variable(constants, "c", "K") end)
    assert.equal("p", select(2, signature.variable(constants, "p", "K")))
  end)
end)

it("reads any text without failing", function()
  local pieces = {"__global__", "void", "f", "(", ")", "{", "}", "<", ">", "template", "namespace", "float", "*", ",",
    ";", "#if", "#define", "\n", "\"", "'", "/*", "*/", "//", "\\", "[", "]", "::", "=", "extern", "\"C\"", "using",
    "&", "const", "struct", "typedef", "...", "#endif", "R\"(", "1'0", "__constant__", "#else", "typename", "operator"}
  local seed = 1
  local function random(n)
    seed = (seed * 16807) % 2147483647
    return seed % n + 1
  end
  for _ = 1, 2000 do
    local words = {}
    for k = 1, random(30) do words[k] = pieces[random(#pieces)] end
    local code = table.concat(words, " ")
    local ok, problem = pcall(function()
      local source = signature.read(code)
      for _, kernel in ipairs(source.order) do pcall(signature.bind, source, kernel.name, "K") end
    end)
    assert(ok, code .. "\n" .. tostring(problem))
  end
end)
