--- CUDA's SIMD intrinsics: operations on the halves or bytes of a word, and those of dynamic programming.
local cn = require "cuna"
local devices = require "spec.support.devices"

local A = {0x01ff7f80, 0x80000001, 0xfffefdfc, 0x12345678}
local B = {0x02017f81, 0x80008000, 0x00010203, 0x12355577}

local function limit(v, low, high) return math.max(low, math.min(high, v)) end

--- Of lanes x and y without a sign (u) or with one (s); r is half of their range. The last entry: of one word.
local FORMS = {
  add = {"u", function(x, y) return x + y end}, sub = {"u", function(x, y) return x - y end},
  addss = {"s", function(x, y, r) return limit(x + y, -r, r - 1) end},
  addus = {"u", function(x, y, r) return limit(x + y, 0, 2 * r - 1) end},
  subss = {"s", function(x, y, r) return limit(x - y, -r, r - 1) end},
  subus = {"u", function(x, y, r) return limit(x - y, 0, 2 * r - 1) end},
  neg = {"s", function(x) return -x end, true}, abs = {"s", math.abs, true},
  negss = {"s", function(x, _, r) return math.min(-x, r - 1) end, true},
  absss = {"s", function(x, _, r) return math.min(math.abs(x), r - 1) end, true},
  absdiffs = {"s", function(x, y) return math.abs(x - y) end},
  absdiffu = {"u", function(x, y) return math.abs(x - y) end},
  avgu = {"u", function(x, y) return math.floor((x + y + 1) / 2) end},
  haddu = {"u", function(x, y) return math.floor((x + y) / 2) end},
  maxs = {"s", function(x, y) return math.max(x, y) end}, maxu = {"u", function(x, y) return math.max(x, y) end},
  mins = {"s", function(x, y) return math.min(x, y) end}, minu = {"u", function(x, y) return math.min(x, y) end},
}
for word, holds in pairs {eq = function(x, y) return x == y end, ne = function(x, y) return x ~= y end,
  gts = function(x, y) return x > y end, geu = function(x, y) return x >= y end, ltu = function(x, y) return x < y end,
  les = function(x, y) return x <= y end} do
  local sign = word:sub(3) == "s" and "s" or "u"
  FORMS["cmp" .. word] = {sign, function(x, y) return holds(x, y) and -1 or 0 end}
  FORMS["set" .. word] = {sign, function(x, y) return holds(x, y) and 1 or 0 end}
end

local function expected(form, nlanes, a, b)
  local word, range = 0, 2 ^ (32 / nlanes)
  local half = range / 2
  for lane = 0, nlanes - 1 do
    local x, y = math.floor(a / range ^ lane) % range, math.floor(b / range ^ lane) % range
    if form[1] == "s" then x, y = (x + half) % range - half, (y + half) % range - half end
    word = word + form[2](x, y, half) % range * range ^ lane
  end
  return word
end

devices.each_device(function()
  it("SIMD intrinsics work on halves and bytes", function()
    local names, lines = {}, {}
    for name, form in pairs(FORMS) do
      for nlanes = 2, 4, 2 do
        names[#names + 1] = {name = ("__v%s%d"):format(name, nlanes), form = form, nlanes = nlanes}
        local given = form[3] and "a[i]" or "a[i], b[i]"
        lines[#names] = ("out[%d + i] = %s(%s);"):format(#lines * #A, names[#names].name, given)
      end
    end
    local out = cn.zeros({#names, #A}, "uint32")
    cn.RawKernel(("__global__ void simd(const unsigned *a, const unsigned *b, unsigned *out)\n"
      .. "{\n  int i = threadIdx.x;\n%s\n}"):format(table.concat(lines, "\n")), "simd")(1, #A,
      {cn.array(A, "uint32"), cn.array(B, "uint32"), out})
    local got = out:totable()
    for k, row in ipairs(names) do
      for j = 1, #A do
        local wanted = expected(row.form, row.nlanes, A[j], B[j])
        assert(wanted == got[k][j],
          ("%s of pair %d: got 0x%08x, expected 0x%08x"):format(row.name, j, got[k][j], wanted))
      end
    end
  end)

  it("SIMD intrinsics add distances, in texts of elementwise kernels too", function()
    local sums = cn.ElementwiseKernel("uint32 a, uint32 b", "uint32 u, uint32 s",
      "u = __vsadu4(a, b); s = __vsads2(a, b)", "sums")
    local u, s = sums(cn.array({0x05050505, 0xffff0001}, "uint32"), cn.array({0x01070109, 0x00010003}, "uint32"))
    assert.same({14, 4}, {u:totable()[1], s:totable()[2]})
  end)

  it("intrinsics of dynamic programming take three words or their halves", function()
    local words, halves = cn.zeros(8, "int32"), cn.zeros(6, "uint32")
    cn.RawKernel([[
__global__ void best(int *x, unsigned *h)
{
  x[0] = __vimax3_s32(1, 5, -3), x[1] = __vimin3_s32(1, 5, -3), x[2] = __viaddmax_s32(2, 1, 7);
  x[3] = __viaddmin_s32(3, -9, 2), x[4] = __vimax3_s32_relu(-1, -5, -3), x[5] = __viaddmin_s32_relu(3, -9, 2);
  x[6] = __vimin3_u32(~0u, 9u, 11u), x[7] = __viaddmax_u32(7u, 2u, 0u);
  h[0] = __vimax3_s16x2(0x00018000, 0x00027fff, 0xffff0003);
  h[1] = __vimin3_u16x2(0x00018000, 0x00027fff, 0xffff0003);
  h[2] = __viaddmax_s16x2(0x00040001, 0x00010002, 0x00030000);
  h[3] = __viaddmin_u16x2(0x00010001, 0x00020002, 0x00050009);
  h[4] = __vimax3_s16x2_relu(0xffff8000, 0xfffe8001, 0xfff00007);
  h[5] = __viaddmax_s16x2_relu(0x8000ffff, 0, 0x80000000);
}]], "best")(1, 1, {words, halves})
    assert.same({5, -3, 7, -6, 0, 0, 9, 9}, words:totable())
    assert.same({0x00027fff, 0x00010003, 0x00050003, 0x00030003, 0x00000007, 0}, halves:totable())
  end)
end)
