/* raw_block_cpu.h: threads and blocks of raw kernels on the cpu device.
 *
 * A block runs in one thread of the system: `__shared__` memory and the position of the running CUDA thread are
 * thread-local. If a kernel's threads never wait for each other (runtime/cpu/compile/reach.c), they are iterations of
 * a loop into which the kernel is inlined; the compiler may vectorise it, because CUDA does not order threads. If they
 * wait only at barriers that stand in the kernel itself, there is such a loop for each barrier (raw_region_cpu.h).
 * Otherwise each has a separate stack (runtime/cpu/execute/fibers.c), whose address identifies the thread: it writes
 * its position again after each wait. raw_launch_cpu.h precedes this file. */
struct int3 { int x, y, z; };
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
    constexpr dim3(uint3 n) : x(n.x), y(n.y), z(n.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#define __host__
#define __device__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __global__ CUNA_INLINE
#define __forceinline__ CUNA_INLINE
#define __shared__ thread_local /* which is static in functions */
#define __align__(n) __attribute__((aligned(n)))
#define CUNA_RAW_NOINLINE __attribute__((noinline)) /* for __noinline__, which headers write in attributes */
#define warpSize 32
#if defined __clang__
#define CUNA_NO_MERGE [[clang::nomerge]] /* two branches keep a call each, which is found by its call stack */
#else
#define CUNA_NO_MERGE
#endif
#if defined __AVX512F__
#define CUNA_AVX512_REGISTERS                                                                                          \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",        \
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#else
#define CUNA_AVX512_REGISTERS
#endif

namespace cuna_raw {

extern "C" const Services *cuna_raw_services;
__attribute__((visibility("default"), used)) const Services *cuna_raw_services = nullptr;

CUNA_INLINE Thread *self() { return record_at((__UINTPTR_TYPE__)__builtin_frame_address(0)); }

/* Apart and without an address, so that nothing that is stored through a pointer can change them. */
static thread_local unsigned thread_x, thread_y, thread_z, block_x, block_y, block_z;
static thread_local unsigned block_nx, block_ny, block_nz, grid_nx, grid_ny, grid_nz;
static thread_local void *shared;
static thread_local bool has_team; /* threads have stacks of their own */

#if defined CUNA_ONLY_TEAMS && defined __x86_64__
/* Where all kernels have teams, positions are those in the threads' records. They never change, which the compiler does
 * not know of memory, but of what comes out of `asm`. */
CUNA_INLINE unsigned own(const unsigned *word)
{
    unsigned value;
    __asm__("movl (%1), %0" : "=r"(value) : "r"(word));
    return value;
}
CUNA_INLINE uint3 thread_idx() { return uint3{own(&self()->idx.x), own(&self()->idx.y), own(&self()->idx.z)}; }
CUNA_INLINE unsigned lane() { return own(&self()->lane); }
#else
CUNA_INLINE uint3 thread_idx() { return uint3{thread_x, thread_y, thread_z}; }
CUNA_INLINE unsigned lane() { return (thread_x + block_nx * (thread_y + block_ny * thread_z)) % 32; }
#endif
CUNA_INLINE uint3 block_idx() { return uint3{block_x, block_y, block_z}; }
CUNA_INLINE dim3 block_dim() { return dim3(block_nx, block_ny, block_nz); }
CUNA_INLINE dim3 grid_dim() { return dim3(grid_nx, grid_ny, grid_nz); }

#define threadIdx (::cuna_raw::thread_idx())
#define blockIdx (::cuna_raw::block_idx())
#define blockDim (::cuna_raw::block_dim())
#define gridDim (::cuna_raw::grid_dim())

CUNA_INLINE void *dynamic_shared() { return shared; }

[[noreturn]] __attribute__((noinline, cold)) static void trap(const char *words)
{
    uint3 block = block_idx(), thread = thread_idx();
    cuna_raw_services->trap(words, &block, &thread);
    __builtin_unreachable();
}

/* Functions that wait for others are found by name in the source; this traps in a kernel that calls one otherwise. */
CUNA_INLINE Thread *must_have_team()
{
#if !defined CUNA_ONLY_TEAMS
    if (__builtin_expect(!has_team, 0))
        trap("a function that waits for others has no literal name in the source");
#endif
    return self();
}

/* A thread that ran meanwhile has left its position here. */
CUNA_INLINE void go_on(const Thread *thread)
{
#if !defined CUNA_ONLY_TEAMS || !defined __x86_64__
    thread_x = thread->idx.x;
    thread_y = thread->idx.y;
    thread_z = thread->idx.z;
#endif
}

/* Waits until every lane of this warp that has not ended is at this call or waits elsewhere: the lanes that are here. */
CUNA_INLINE unsigned active_lanes()
{
    Thread *thread = must_have_team();
    unsigned lanes;
    CUNA_NO_MERGE lanes = cuna_raw_services->active_lanes(thread, __builtin_frame_address(0));
    go_on(thread);
    return lanes;
}

#if defined __x86_64__
/* Suspends a thread here and continues another. No register is kept, so the compiler saves what the thread still needs,
 * and no more. */
CUNA_INLINE void change(Place *from, const Place *to)
{
    __asm__ volatile("movq %%rsp, (%0)\n\t"
                     "movq %%rbp, 8(%0)\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "movq %%rax, 16(%0)\n\t"
                     "movq (%1), %%rsp\n\t"
                     "movq 8(%1), %%rbp\n\t"
                     "jmpq *16(%1)\n"
                     "1:"
                     : "+D"(from), "+S"(to)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
                       "xmm14", "xmm15", CUNA_AVX512_REGISTERS "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7",
                       "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc", "memory");
}
#endif

/* Waits at the barrier while another thread can continue; false: the runtime has to decide. */
CUNA_INLINE bool wait_directly(Thread *thread)
{
#if defined __x86_64__
    Turns *turns = thread->turns;
    Thread *next = thread->next;
    if (__builtin_expect(next != nullptr && turns->indirect == 0, 1)) {
        turns->waiting->next = thread;
        turns->waiting = thread;
        turns->arrived++;
        /* Each stack has its own lines and pages: what will be touched soon is fetched now. */
        const Thread *after = next->next != nullptr ? next->next : next;
        __builtin_prefetch(after->next);
        __builtin_prefetch(after->place.top);
        change(&thread->place, &next->place);
        return true;
    }
#endif
    return false;
}

/* Waits for all threads of the block that have not ended; says how many passed true. */
CUNA_INLINE int sync_count(bool p)
{
    Thread *thread = must_have_team();
    thread->turns->votes += p;
    if (!wait_directly(thread))
        cuna_raw_services->sync(thread);
    go_on(thread);
    return int(thread->turns->result);
}
CUNA_INLINE void sync_block() { sync_count(false); }

/* Waits for all threads of a cooperative launch. */
CUNA_INLINE void sync_grid()
{
    Thread *thread = must_have_team();
    cuna_raw_services->sync_grid(thread);
    go_on(thread);
}
CUNA_INLINE bool is_cooperative() { return must_have_team()->block->launch->meeting != nullptr; }

/* Lets the block's other threads run. */
CUNA_INLINE void yield(Wait wait = WAIT_FOR_ANY)
{
    if (!has_team)
        return;
    cuna_raw_services->yield(self(), wait);
    go_on(self());
}

/* Waits for the lanes of `mask` in this warp that have not ended: `lanes`, whose values are in all[lane]. */
template <class T> CUNA_INLINE void gather(unsigned mask, T value, T (&all)[32], unsigned &lanes)
{
    Thread *thread = must_have_team();
    cuna_raw_services->gather(thread, mask, &value, all, sizeof(T), &lanes);
    go_on(thread);
}

/* What all threads of a block have in common. */
CUNA_INLINE void enter(const Block *block, bool team)
{
    const uint3 &threads = block->launch->block, &blocks = block->launch->grid;
    block_nx = threads.x, block_ny = threads.y, block_nz = threads.z;
    grid_nx = blocks.x, grid_ny = blocks.y, grid_nz = blocks.z;
    shared = block->shared;
    has_team = team;
}

/* Takes the position of the block with a number. A fault in the block finds it there. */
CUNA_INLINE void begin_block(Block *block, cuna::uint64 at)
{
    cuna::uint64 row = at / grid_nx;
    block_x = unsigned(at % grid_nx);
    block_y = unsigned(row % grid_ny);
    block_z = unsigned(row / grid_ny);
    block->idx = block_idx();
    __asm__ volatile("" : : : "memory");
}

/* `extern __shared__ T name[]` inside of functions, and outside. */
template <class T> CUNA_INLINE T *dynamic_shared_of() { return (T *)dynamic_shared(); }
template <class T> struct DynamicShared {
    CUNA_INLINE operator T *() const { return (T *)dynamic_shared(); }
    template <class U> CUNA_INLINE explicit operator U *() const { return (U *)dynamic_shared(); }
};

/* The I-th parameter of a launch, which may lie anywhere. */
template <class T> CUNA_INLINE T load(void *param)
{
    T value;
    __builtin_memcpy((void *)&value, param, sizeof value);
    return value;
}

template <unsigned... I> struct Indices {};
template <unsigned N, unsigned... I> struct Count : Count<N - 1, N - 1, I...> {};
template <unsigned... I> struct Count<0, I...> { typedef Indices<I...> type; };

/* What is exported as what: of a variable its address, of functions only those that can be kernels. */
template <class F> struct Exported {};
template <class T> struct Exported<T *> { typedef T *type; };
template <class R, class... A> struct Exported<R (*)(A...)> {};
template <class R, class... A> struct Exported<R (*)(A..., ...)> {};
template <class... A> struct Exported<void (*)(A...)> { typedef void (*type)(A...); };
#ifdef __cpp_noexcept_function_type
template <class R, class... A> struct Exported<R (*)(A...) noexcept> {};
template <class... A> struct Exported<void (*)(A...) noexcept> { typedef void (*type)(A...); };
#endif
template <class F> constexpr bool is_exported(typename Exported<F>::type *) { return true; }
template <class F> constexpr bool is_exported(...) { return false; }

/* How the threads of a block run: with stacks of their own, as iterations of one loop, or (above) of a loop for each of
 * so many points (raw_region_cpu.h). */
enum Kind { TEAM = -1, LOOP = 0 };
enum : unsigned { MANY_BLOCKS = (1 << 21) - 1 };

template <class F, F f, int kind> struct Entry;
template <class T, T *v, int kind> struct Entry<T *, v, kind> {
    static constexpr Export value() { return {nullptr, nullptr, 0, nullptr, nullptr, v, sizeof(T)}; }
};
template <class... A> struct Parameters {
    static constexpr unsigned count = sizeof...(A);
    static constexpr unsigned nbytes[] = {unsigned(sizeof(A))..., 0}, aligns[] = {unsigned(alignof(A))..., 1};
};
template <class... A> constexpr unsigned Parameters<A...>::nbytes[];
template <class... A> constexpr unsigned Parameters<A...>::aligns[];

template <class... A, void (*f)(A...)> struct Entry<void (*)(A...), f, TEAM> {
    template <unsigned... I> static CUNA_INLINE void call(void **params, Indices<I...>)
    {
        f(load<A>(params[I])...);
    }
    static void thread(const Block *block)
    {
        enter(block, true);
        block_x = block->idx.x, block_y = block->idx.y, block_z = block->idx.z;
        go_on(self());
        call(block->launch->params, typename Count<sizeof...(A)>::type());
    }
    static constexpr Export value()
    {
        typedef Parameters<A...> all;
        return {nullptr, thread, all::count, all::nbytes, all::aligns, nullptr, 0};
    }
};
template <class... A, void (*f)(A...)> struct Entry<void (*)(A...), f, LOOP> {
    /* `few`: no product of a block's number and size comes near 2^31. With that the compiler knows that positions
     * computed of them do not wrap around, and neighbours in a block are neighbours in memory. */
    template <bool few> static CUNA_INLINE void run(A... a)
    {
        unsigned nx = block_nx, ny = block_ny, nz = block_nz;
        if (nx > 1024 || ny > 1024 || nz > 64 || block_y > 65535 || block_z > 65535)
            __builtin_unreachable();
        if (few && block_x >= MANY_BLOCKS)
            __builtin_unreachable();
        for (unsigned z = 0; z < nz; ++z)
            for (unsigned y = 0; y < ny; ++y) {
                thread_z = z;
                thread_y = y;
                CUNA_IVDEP
                for (unsigned x = 0; x < nx; ++x) {
                    thread_x = x;
                    f(a...);
                }
            }
    }
    static __attribute__((noinline)) void run_few(A... a) { run<true>(a...); }
    static __attribute__((noinline, cold)) void run_many(A... a) { run<false>(a...); }

    template <unsigned... I>
    static CUNA_INLINE void run_blocks(Block *block, cuna::uint64 first, cuna::uint64 last, Indices<I...>)
    {
        void **params = block->launch->params;
        for (cuna::uint64 at = first; at < last; ++at) {
            begin_block(block, at);
            if (block_x < MANY_BLOCKS)
                run_few(load<A>(params[I])...);
            else
                run_many(load<A>(params[I])...);
        }
    }
    static void blocks(Block *block, cuna::uint64 first, cuna::uint64 last)
    {
        enter(block, false);
        run_blocks(block, first, last, typename Count<sizeof...(A)>::type());
    }
    static constexpr Export value()
    {
        typedef Parameters<A...> all;
        return {blocks, nullptr, all::count, all::nbytes, all::aligns, nullptr, 0};
    }
};

}

/* Behind the source stands one for each kernel or variable that is wanted, by its address. */
#define CUNA_RAW_ENTRY(name, kind, ...)                                                                                \
    static_assert(::cuna_raw::is_exported<decltype(__VA_ARGS__)>(nullptr),                                             \
                  "a kernel is a __global__ function that returns void, of as many arguments as it says");             \
    typedef ::cuna_raw::Exported<decltype(__VA_ARGS__)>::type name##_type;                                             \
    extern "C" __attribute__((visibility("default"), used)) const ::cuna_raw::Export name =                            \
        ::cuna_raw::Entry<name##_type, __VA_ARGS__, kind>::value();

/* Stand where the source has what cannot run here; wherever that is compiled, they say so. */
#define CUNA_RAW_NO_VALUE _Pragma("GCC error \"a __shared__ variable cannot have an initial value\"")
#define CUNA_RAW_NO_CUBEMAP _Pragma("GCC error \"cuna makes no textures and surfaces of cubemaps\"")
#define CUNA_RAW_NO_CONDITION _Pragma("GCC error \"cuna makes no conditional nodes of graphs\"")
#define CUNA_RAW_NO_CLUSTER _Pragma("GCC error \"the cpu device has no clusters of blocks, and one grid at a time\"")
#define CUNA_RAW_NO_LAUNCH _Pragma("GCC error \"a kernel cannot launch kernels (<<<) on the cpu device\"") <<
