/* raw_ptx_cpu.h: instructions and special registers of inline PTX on the cpu device.
 *
 * runtime/cpu/compile/ptx.c replaces `asm("bfind.u32 %0, %1;" : "=r"(x) : "r"(y))` by x = ptx_bfind_u32(y), if this
 * file has the name: a point of the instruction is `_` in it. */
namespace cuna_raw {

typedef unsigned long long u64;
typedef long long s64;

/* ---- special registers ---- */

#define CUNA_REGISTER(name, T, value)                                                                                  \
    CUNA_INLINE T name() { return T(value); }
CUNA_REGISTER(ptx_laneid, unsigned, lane())
CUNA_REGISTER(ptx_warpid, unsigned, (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32)
CUNA_REGISTER(ptx_nwarpid, unsigned, 32)
CUNA_REGISTER(ptx_smid, unsigned, 0)
CUNA_REGISTER(ptx_nsmid, unsigned, 1)
CUNA_REGISTER(ptx_lanemask_eq, unsigned, 1u << lane())
CUNA_REGISTER(ptx_lanemask_lt, unsigned, (1u << lane()) - 1)
CUNA_REGISTER(ptx_lanemask_le, unsigned, (2u << lane()) - 1)
CUNA_REGISTER(ptx_lanemask_gt, unsigned, ~((2u << lane()) - 1))
CUNA_REGISTER(ptx_lanemask_ge, unsigned, ~((1u << lane()) - 1))
CUNA_REGISTER(ptx_tid_x, unsigned, threadIdx.x)
CUNA_REGISTER(ptx_tid_y, unsigned, threadIdx.y)
CUNA_REGISTER(ptx_tid_z, unsigned, threadIdx.z)
CUNA_REGISTER(ptx_ntid_x, unsigned, blockDim.x)
CUNA_REGISTER(ptx_ntid_y, unsigned, blockDim.y)
CUNA_REGISTER(ptx_ntid_z, unsigned, blockDim.z)
CUNA_REGISTER(ptx_ctaid_x, unsigned, blockIdx.x)
CUNA_REGISTER(ptx_ctaid_y, unsigned, blockIdx.y)
CUNA_REGISTER(ptx_ctaid_z, unsigned, blockIdx.z)
CUNA_REGISTER(ptx_nctaid_x, unsigned, gridDim.x)
CUNA_REGISTER(ptx_nctaid_y, unsigned, gridDim.y)
CUNA_REGISTER(ptx_nctaid_z, unsigned, gridDim.z)
CUNA_REGISTER(ptx_clock, unsigned, clock64())
CUNA_REGISTER(ptx_clock64, u64, clock64())

extern "C" int cuna_read_clock(int, long *) __asm__("clock_gettime");
CUNA_INLINE u64 ptx_globaltimer()
{
    long now[2]; /* seconds, nanoseconds */
    cuna_read_clock(0, now);
    return (u64)now[0] * 1000000000u + (u64)now[1];
}
CUNA_REGISTER(ptx_globaltimer_lo, unsigned, ptx_globaltimer())
CUNA_REGISTER(ptx_globaltimer_hi, unsigned, ptx_globaltimer() >> 32)
#undef CUNA_REGISTER

/* ---- instructions ---- */

CUNA_INLINE void ptx_membar_cta() { __threadfence_block(); }
CUNA_INLINE void ptx_membar_gl() { __threadfence(); }
CUNA_INLINE void ptx_membar_sys() { __threadfence_system(); }
CUNA_INLINE void ptx_fence_acq_rel_cta() { __threadfence_block(); }
CUNA_INLINE void ptx_fence_acq_rel_gpu() { __threadfence(); }
CUNA_INLINE void ptx_fence_acq_rel_sys() { __threadfence_system(); }
CUNA_INLINE void ptx_fence_sc_gpu() { __threadfence(); }

#define CUNA_PTX1(name, R, A, value)                                                                                   \
    CUNA_INLINE R name(A a) { return R(value); }
#define CUNA_PTX2(name, R, A, value)                                                                                   \
    CUNA_INLINE R name(A a, A b) { return R(value); }
#define CUNA_PTX3(name, R, A, value)                                                                                   \
    CUNA_INLINE R name(A a, A b, A c) { return R(value); }

CUNA_PTX1(ptx_mov_u32, unsigned, unsigned, a)
CUNA_PTX1(ptx_mov_s32, int, int, a)
CUNA_PTX1(ptx_mov_u64, u64, u64, a)
CUNA_PTX1(ptx_mov_f32, float, float, a)
CUNA_PTX1(ptx_mov_f64, double, double, a)

CUNA_PTX1(ptx_bfind_u32, unsigned, unsigned, 31 - __clz(int(a)))
CUNA_PTX1(ptx_bfind_s32, unsigned, int, 31 - __clz(a < 0 ? ~a : a))
CUNA_PTX1(ptx_bfind_u64, unsigned, u64, 63 - __clzll(s64(a)))
CUNA_PTX1(ptx_popc_b32, unsigned, unsigned, __popc(a))
CUNA_PTX1(ptx_popc_b64, unsigned, u64, __popcll(a))
CUNA_PTX1(ptx_clz_b32, unsigned, unsigned, __clz(int(a)))
CUNA_PTX1(ptx_clz_b64, unsigned, u64, __clzll(s64(a)))
CUNA_PTX1(ptx_brev_b32, unsigned, unsigned, __brev(a))
CUNA_PTX1(ptx_brev_b64, u64, u64, __brevll(a))
CUNA_PTX1(ptx_not_b32, unsigned, unsigned, ~a)
CUNA_PTX2(ptx_and_b32, unsigned, unsigned, a &b)
CUNA_PTX2(ptx_or_b32, unsigned, unsigned, a | b)
CUNA_PTX2(ptx_xor_b32, unsigned, unsigned, a ^ b)
CUNA_PTX2(ptx_shl_b32, unsigned, unsigned, b < 32 ? a << b : 0)
CUNA_PTX2(ptx_shr_u32, unsigned, unsigned, b < 32 ? a >> b : 0)
CUNA_PTX3(ptx_prmt_b32, unsigned, unsigned, __byte_perm(a, b, c))
CUNA_PTX3(ptx_shf_l_wrap_b32, unsigned, unsigned, __funnelshift_l(a, b, c))
CUNA_PTX3(ptx_shf_r_wrap_b32, unsigned, unsigned, __funnelshift_r(a, b, c))
CUNA_PTX3(ptx_shf_l_clamp_b32, unsigned, unsigned, __funnelshift_lc(a, b, c))
CUNA_PTX3(ptx_shf_r_clamp_b32, unsigned, unsigned, __funnelshift_rc(a, b, c))

/* A field of bits from `at` on. */
CUNA_INLINE unsigned ptx_bfe_u32(unsigned a, unsigned at, unsigned count)
{
    at &= 255, count &= 255;
    return at > 31 ? 0 : unsigned(a >> at & ((1ull << (count < 32 ? count : 32)) - 1));
}
CUNA_INLINE int ptx_bfe_s32(int a, unsigned at, unsigned count)
{
    at &= 255, count = (count & 255) < 32 ? count & 255 : 32;
    s64 wide = a;
    if (count == 0)
        return 0;
    wide = at < 64 ? wide >> at : wide >> 63;
    return int((s64)((u64)wide << (64 - count)) >> (64 - count));
}
CUNA_INLINE unsigned ptx_bfi_b32(unsigned a, unsigned b, unsigned at, unsigned count)
{
    at &= 255, count &= 255;
    u64 mask = at > 31 ? 0 : ((1ull << (count < 32 ? count : 32)) - 1) << at;
    return unsigned((b & ~mask) | ((u64)a << (at & 31) & mask));
}

/* A function of three bits, by its table. */
CUNA_INLINE unsigned ptx_lop3_b32(unsigned a, unsigned b, unsigned c, unsigned table)
{
    unsigned result = 0;
    for (unsigned row = 0; row < 8; ++row)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

CUNA_PTX2(ptx_add_u32, unsigned, unsigned, a + b)
CUNA_PTX2(ptx_add_s32, int, unsigned, a + b)
CUNA_PTX2(ptx_add_u64, u64, u64, a + b)
CUNA_PTX2(ptx_sub_u32, unsigned, unsigned, a - b)
CUNA_PTX2(ptx_sub_s32, int, unsigned, a - b)
CUNA_PTX2(ptx_mul_lo_u32, unsigned, unsigned, a *b)
CUNA_PTX2(ptx_mul_lo_s32, int, unsigned, a *b)
CUNA_PTX2(ptx_mul_lo_u64, u64, u64, a *b)
CUNA_PTX2(ptx_mul_hi_u32, unsigned, unsigned, (u64)a *b >> 32)
CUNA_PTX2(ptx_mul_hi_s32, int, int, (s64)a *b >> 32)
CUNA_PTX2(ptx_mul_hi_u64, u64, u64, (unsigned __int128)a *b >> 64)
CUNA_PTX2(ptx_mul_wide_u32, u64, unsigned, (u64)a *b)
CUNA_PTX2(ptx_mul_wide_s32, s64, int, (s64)a *b)
CUNA_PTX3(ptx_mad_lo_u32, unsigned, unsigned, a *b + c)
CUNA_PTX3(ptx_mad_lo_s32, int, unsigned, a *b + c)
CUNA_PTX3(ptx_mad_hi_u32, unsigned, unsigned, ((u64)a * b >> 32) + c)
CUNA_PTX3(ptx_sad_u32, unsigned, unsigned, (a < b ? b - a : a - b) + c)
CUNA_PTX2(ptx_min_u32, unsigned, unsigned, a < b ? a : b)
CUNA_PTX2(ptx_min_s32, int, int, a < b ? a : b)
CUNA_PTX2(ptx_max_u32, unsigned, unsigned, a < b ? b : a)
CUNA_PTX2(ptx_max_s32, int, int, a < b ? b : a)

/* The sum of the distances of four bytes. */
CUNA_INLINE unsigned ptx_vabsdiff4_u32_u32_u32_add(unsigned a, unsigned b, unsigned c)
{
    for (int i = 0; i < 32; i += 8) {
        unsigned x = a >> i & 255, y = b >> i & 255;
        c += x < y ? y - x : x - y;
    }
    return c;
}

CUNA_PTX2(ptx_add_f32, float, float, a + b)
CUNA_PTX2(ptx_mul_f32, float, float, a *b)
CUNA_PTX2(ptx_min_f32, float, float, fminf(a, b))
CUNA_PTX2(ptx_max_f32, float, float, fmaxf(a, b))
CUNA_PTX1(ptx_abs_f32, float, float, fabsf(a))
CUNA_PTX1(ptx_neg_f32, float, float, -a)
CUNA_PTX3(ptx_fma_rn_f32, float, float, fmaf(a, b, c))
CUNA_PTX3(ptx_fma_rn_f64, double, double, fma(a, b, c))
CUNA_PTX2(ptx_div_rn_f32, float, float, a / b)
CUNA_PTX1(ptx_rcp_rn_f32, float, float, 1.0f / a)
CUNA_PTX1(ptx_sqrt_rn_f32, float, float, sqrtf(a))
CUNA_PTX1(ptx_tanh_approx_f32, float, float, tanhf(a))

/* These are as precise as the full functions. */
#define CUNA_PTX_FAST(name, ftz, value) CUNA_PTX1(name, float, float, value) CUNA_PTX1(ftz, float, float, value)
CUNA_PTX_FAST(ptx_rcp_approx_f32, ptx_rcp_approx_ftz_f32, 1.0f / a)
CUNA_PTX_FAST(ptx_sqrt_approx_f32, ptx_sqrt_approx_ftz_f32, sqrtf(a))
CUNA_PTX_FAST(ptx_rsqrt_approx_f32, ptx_rsqrt_approx_ftz_f32, 1.0f / sqrtf(a))
CUNA_PTX_FAST(ptx_ex2_approx_f32, ptx_ex2_approx_ftz_f32, exp2f(a))
CUNA_PTX_FAST(ptx_lg2_approx_f32, ptx_lg2_approx_ftz_f32, log2f(a))
CUNA_PTX_FAST(ptx_sin_approx_f32, ptx_sin_approx_ftz_f32, sinf(a))
CUNA_PTX_FAST(ptx_cos_approx_f32, ptx_cos_approx_ftz_f32, cosf(a))
#undef CUNA_PTX_FAST
#undef CUNA_PTX1
#undef CUNA_PTX2
#undef CUNA_PTX3

}
