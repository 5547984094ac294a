--- Inline PTX in raw kernels, as far as the cpu device has it.
local cn = require "cuna"
local each_device = require("spec.support.devices").each_device

local CODE = [==[
static __device__ unsigned lane_below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}
__global__ void f(unsigned *out, const int *x, float *y)
{
    unsigned a, b, c, lane;
    int d;
    unsigned long long wide, now, later;
    float e;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("bfind.u32 %0, %1;" : "=r"(a) : "r"(x[0] << 3));
    asm("vabsdiff4.u32.u32.u32.add"
        " %0, %1, %2, %3;"
        : "=r"(b)
        : "r"(0x01020304u), "r"(0x04030201u), "r"(100));
    asm("bfe.s32 %0, %1, 4, 4;\n\t" : "=r"(d) : "r"(0x80));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(c) : "r"(12), "r"(10), "r"(5));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(~0u), "r"(2u));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(e) : "f"(2.0f), "f"(3.0f), "f"(0.5f) : "memory");
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(later));
    out[8 * lane] = lane;
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("fence.acq_rel.gpu;");
    out[8 * lane + 1] = a, out[8 * lane + 2] = b, out[8 * lane + 3] = (unsigned)d;
    out[8 * lane + 4] = c, out[8 * lane + 5] = wide == 2 * 0xffffffffull;
    out[8 * lane + 6] = lane_below(), out[8 * lane + 7] = now > 1000000000ull && later > 0;
    y[lane] = e;
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(out[8 * lane]) : "r"(lane), "r"(0xffffu));
}]==]

each_device(function(device)
  it("has instructions and special registers", function()
    local out, y = cn.zeros(32 * 8, "uint32"), cn.zeros(32, "float32")
    cn.RawKernel(CODE, "f")(1, 32, {out, cn.array({5}, "int32"), y})
    for lane = 0, 31 do
      local place = 8 * lane
      assert.same({0xf0ff + (lane % 16) * 256, 5, 108, 2 ^ 32 - 8, 3, 1, 2 ^ lane - 1, 1},
        out[("%d:%d"):format(place + 1, place + 8)]:totable())
    end
    assert.same(6.5, y[32])
  end)

  if device.name == "cpu" then
    it("names an instruction that the device does not have", function()
      local function fails(words, statement)
        local ok, message = pcall(function()
          cn.RawKernel("__global__ void f(unsigned *x) { unsigned a = 0, b; " .. statement .. " }", "f"):compile()
        end)
        assert(not ok and message:find("asm (inline PTX) cannot run on the cpu device" .. words, 1, true), message)
      end
      fails(": mma.sync;", 'asm("mma.sync %0, %1;" : "=r"(b) : "r"(a));')
      fails(": mov.u32;", 'asm("mov.u32 %0, %%gridid;" : "=r"(b));')
      fails(": st.release.gpu.u32;", 'asm volatile("st.release.gpu.u32 [%0], %1;" :: "l"(x), "r"(a));')
      fails(": add.u32;", 'asm("add.u32 %0, %1, 1; add.u32 %0, %0, 1;" : "=r"(b) : "r"(a));')
    end)
  end
end)
