--- What a raw kernel takes for its parameters: boxed numbers, complex arrays, null, FFI data, pointers with offsets.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device
local ffi = require "ffi"

ffi.cdef [[
  typedef struct { float scale; int count; double limit[2]; } cuna_spec_options;
  typedef struct { float x, y; } cuna_spec_pair;
  typedef struct { int all[8000]; } cuna_spec_many;
]]

--- Runs `body` with parameters after `double *out`; returns the numbers that it leaves there.
local function run(params, body, arguments, before, name)
  local out = cn.zeros(2)
  local code = ("%s\n__global__ void f(double *out, %s) { %s }"):format(before or "", params, body)
  cn.RawKernel(code, name or "f")(1, 1, {out, unpack(arguments)})
  return unpack(out:totable())
end

--- Runs as above, and expects an error with these words.
local function refuses(words, ...)
  local done, message = pcall(run, ...)
  assert.is_false(done)
  assert.is_truthy(message:find(words, 1, true), message)
end

each_device(function()
  it("cn.scalar for numbers, of any dtype whose value fits", function()
    assert.equal(1.5, run("float a", "out[0] = a;", {cn.scalar(1.5, "float32")}))
    assert.equal(3, run("float a", "out[0] = a;", {cn.scalar(3, "int8")}))
    assert.equal(7, run("unsigned char a", "out[0] = a;", {cn.scalar(7, "float64")}))
    assert.equal(1, run("bool a", "out[0] = a;", {cn.scalar(true, "bool")}))
    assert.equal(5, run("T a", "out[0] = a;", {cn.scalar(5, "float32")}, "template <class T>", "f<float>"))
    refuses("f: parameter 'a' is int32, and 1.5 is not whole", "int a", "", {cn.scalar(1.5, "float32")})
    refuses("f: parameter 'a' is uint8, and 300 does not fit", "unsigned char a", "", {cn.scalar(300)})
    refuses("f: parameter 'a' is float32, got an array; pass a number", "float a", "", {cn.ones(1)})
  end)

  it("complex numbers and arrays for pairs", function()
    local half, whole = cn.array({cn.complex(1, 2)}, "complex64"), cn.array({cn.complex(3, 4)}, "complex128")
    assert.same({6, 8}, {run("const float2 *x, const double2 *y", "out[0] = x->y * y->x, out[1] = x->y * y->y;",
      {half, whole})})
    assert.same({1, 2}, {run("float2 z", "out[0] = z.x, out[1] = z.y;", {cn.complex(1, 2)})})
    assert.same({1, 2}, {run("double2 z", "out[0] = z.x, out[1] = z.y;", {cn.scalar(cn.complex(1, 2), "complex64")})})
    assert.same({1, 2}, {run("cuFloatComplex z", "out[0] = z.x, out[1] = z.y;", {cn.complex(1, 2)},
      "#include <cuComplex.h>")})
    refuses("f: parameter 'x' is a pointer to 2 x float64, got an array of complex64", "double2 *x", "", {half})
    refuses("got an array of complex64; declare a pointer to float2, or pass one part: x.real:copy()", "float *x", "",
      {half})
    refuses("f: parameter 'z' is 2 x float32, got one number", "float2 z", "", {3})
  end)

  it("0 and FFI's NULL for a pointer", function()
    for _, null in ipairs {0, ffi.new "void *", ffi.new "const float *"} do
      assert.equal(1, run("const float *x", "out[0] = x == nullptr;", {null}))
    end
    refuses("f: parameter 'x' is a pointer to float32, got a number; pass an array, or 0 for a null pointer",
      "float *x", "", {8})
  end)

  it("FFI data by value: structs and numbers", function()
    local options = ffi.new("cuna_spec_options", 1.5, 4, {8, 9})
    assert.same({6, 17}, {run("Options o", "out[0] = o.scale * o.count, out[1] = o.limit[0] + o.limit[1];", {options},
      "struct Options { float scale; int count; double limit[2]; };")})
    assert.same({3, 4}, {run("float2 p", "out[0] = p.x, out[1] = p.y;", {ffi.new("cuna_spec_pair", 3, 4)})})
    assert.equal(1.5, run("float a", "out[0] = a;", {ffi.new("float", 1.5)}))
    assert.equal(-3, run("int a", "out[0] = a;", {ffi.new("int16_t", -3)}))
    refuses("f: parameter 'o' has 24 bytes, got a string of 8", "Options o", "", {ffi.new("cuna_spec_pair", 3, 4)},
      "struct Options { double a, b, c; };")
    refuses("f: parameter 2 'x' is an FFI array, which is memory of the host; make an array: cn.frombuffer(x, dtype)",
      "float *x", "", {ffi.new("float[4]")})
  end)

  it("structs of up to 32764 bytes in all", function()
    local many = ffi.new("cuna_spec_many")
    many.all[0], many.all[7999] = 3, 5
    assert.same({3, 5}, {run("Many m", "out[0] = m.all[0], out[1] = m.all[7999];", {many},
      "struct Many { int all[8000]; };")})
    refuses("32780 bytes", -- some compilers say it first
      "Many m", "", {many}, "struct Many { int all[8193]; };")
  end)

  it("parts of memory, as pointers with offsets", function()
    local x = cn.array({1, 2, 3}, "float32")
    assert.equal(2, run("const float *x", "out[0] = *x;", {cn.cuda.MemoryPointer(x, 4)}))
    assert.equal(3, run("const float *x", "out[0] = *x;", {cn.cuda.MemoryPointer(x) + 8}))
    assert.equal(3, run("const float *x", "out[0] = *x;", {x["3:"]}))
    local address = cn.cuda.MemoryPointer(x).ptr + 4
    assert.equal(2, run("const float *x", "out[0] = *x;", {ffi.cast("float *", ffi.cast("uintptr_t", address))}))
  end)
end)
