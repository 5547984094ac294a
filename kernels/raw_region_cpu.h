/* raw_region_cpu.h: kernels whose threads wait at barriers, as a loop for each barrier, on the cpu device.
 *
 * runtime/cpu/compile/region.c rewrites such a kernel: a call of it runs one thread from one point to the next. A point
 * is a barrier, or a place where threads that left a loop join (JOIN). Point 0 is the beginning; a thread that returns
 * to 0 has ended. While all threads of a block are at one point, a loop over them runs a copy of the kernel that begins
 * there, which the compiler may vectorise. Otherwise they run one by one, first those at joins. Between calls a
 * thread's variables are in its slots of the room. */
namespace cuna_raw {

enum : unsigned { JOIN = 64, POINTS = JOIN - 1, SET_UP = 255, MAX_THREADS = 1024, ROOM_NBYTES = 4 << 20, LINE = 64 };

static thread_local unsigned point, next_point, thread_number;
/* The call that sets them up binds references to variables that it does not access. */
alignas(2 * LINE) static unsigned char nowhere[2 * LINE];
static thread_local unsigned char *room = nowhere, *shared_room = nowhere;

template <unsigned NBYTES> struct Room { alignas(2 * LINE) static thread_local unsigned char bytes[NBYTES]; };
template <unsigned NBYTES> alignas(2 * LINE) thread_local unsigned char Room<NBYTES>::bytes[NBYTES];

/* Where a T can be in the room, after `end`; where one for each thread ends, at different places of a page. */
template <class T> constexpr unsigned place(unsigned end)
{
    static_assert(alignof(T) <= 2 * LINE, "shared memory is aligned to less");
    return (end + alignof(T) - 1) / alignof(T) * alignof(T);
}
template <class T> constexpr unsigned slot_place(unsigned end)
{
    return (end + LINE - 1) / LINE * LINE;
}
template <class T> constexpr unsigned slot_end(unsigned place)
{
    static_assert(alignof(T) <= LINE && __is_trivially_copyable(T), "bytes move between a variable and its slot");
    static_assert(sizeof(T) <= ROOM_NBYTES / MAX_THREADS, "threads with so large a variable have stacks");
    return place + unsigned(sizeof(T)) * MAX_THREADS + LINE;
}

template <class T, unsigned PLACE> CUNA_INLINE T &shared_at() { return *(T *)(shared_room + PLACE); }
template <class T, unsigned PLACE> CUNA_INLINE T &slot() { return ((T *)(room + PLACE))[thread_number]; }

/* 1: a number, a pointer, or a vector of numbers; above it, an array of these, by its dimensions; 0: any other type. */
template <class T> struct Rank { static constexpr unsigned value = !__is_class(T) && !__is_union(T); };
template <class T, decltype(sizeof 0) N> struct Rank<T[N]> {
    static constexpr unsigned value = Rank<T>::value + (Rank<T>::value > 0);
};
#define CUNA_VALUE(T)                                                                                                  \
    template <> struct Rank<T##2> { static constexpr unsigned value = 1; };                                            \
    template <> struct Rank<T##3> { static constexpr unsigned value = 1; };                                            \
    template <> struct Rank<T##4> { static constexpr unsigned value = 1; };
CUNA_VALUE(int)
CUNA_VALUE(uint)
CUNA_VALUE(float)
CUNA_VALUE(double)
#undef CUNA_VALUE

/* A variable that is not constructed where it is declared. If it moves, it is a variable of a call, whose bytes are in
 * its slot between calls; if not, it is in the slot all the time, and has one address. */
template <class T, unsigned PLACE, bool MOVES> struct Home {
    CUNA_INLINE T &home() { return slot<T, PLACE>(); }
    CUNA_INLINE void keep() {}
    CUNA_INLINE void take() {}
};
template <class T, unsigned PLACE> struct Home<T, PLACE, true> {
    union { T value; };
    CUNA_INLINE Home() {}
    CUNA_INLINE T &home() { return value; }
    CUNA_INLINE void keep() { __builtin_memcpy((void *)&slot<T, PLACE>(), (const void *)&value, sizeof value); }
    CUNA_INLINE void take() { __builtin_memcpy((void *)&value, (const void *)&slot<T, PLACE>(), sizeof value); }
};

/* RANK: up to which nothing keeps an address of the variable, or of a part of it. */
template <class T, unsigned PLACE, unsigned RANK>
using Local = Home<T, PLACE, (Rank<T>::value > 0 && Rank<T>::value <= RANK)>;

template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<T &> : Plain<T> {};
template <class T> struct Plain<const T> : Plain<T> {};
template <class T, decltype(sizeof 0) N> struct Plain<const T[N]> : Plain<T[N]> {};
template <class T> T decayed(T); /* the type of `auto x = ...` */
template <class T> struct Element;
template <class T> struct Element<T *> { typedef T type; };
template <class T> struct Element<const T *> { typedef T type; };
template <class T> struct Element<volatile T *> { typedef T type; };
template <class T> struct Element<const volatile T *> { typedef T type; };

/* In functions that are written into kernels (runtime/cpu/compile/inline.c): the types that follow from an argument, and
 * the way to a function's end. */
#define CUNA_TYPE_OF(...)    typename ::cuna_raw::Plain<decltype(::cuna_raw::decayed(__VA_ARGS__))>::type
#define CUNA_ELEMENT_OF(...) typename ::cuna_raw::Element<decltype(::cuna_raw::decayed(__VA_ARGS__))>::type
#define CUNA_LEAVE           goto

/* The beginning of a variable without a value, and of an array with one. */
template <bool TRIVIAL> struct Begin {
    template <class T> static CUNA_INLINE void run(T &) {}
};
template <> struct Begin<false> {
    template <class T> static CUNA_INLINE void run(T &variable) { variable = T(); }
};
template <class T> CUNA_INLINE void begin(T &variable) { Begin<__is_trivially_constructible(T)>::run(variable); }
template <class T> CUNA_INLINE void fill(T &variable, const typename Plain<const T>::type &values)
{
    __builtin_memcpy((void *)&variable, (const void *)&values, sizeof variable);
}

} // namespace cuna_raw

/* `__shared__` variables of a kernel, among which the host finds it by its name (runtime/cpu/execute/shared.c). */
template <unsigned NBYTES, unsigned KERNEL> struct CunaShared {
    alignas(2 * cuna_raw::LINE) static thread_local unsigned char bytes[NBYTES];
};
template <unsigned NBYTES, unsigned KERNEL>
alignas(2 * cuna_raw::LINE) thread_local unsigned char CunaShared<NBYTES, KERNEL>::bytes[NBYTES];

namespace cuna_raw {

template <unsigned SHARED_NBYTES, unsigned NBYTES, unsigned KERNEL> CUNA_INLINE void set_up()
{
    static_assert(NBYTES <= ROOM_NBYTES, "threads with so many variables have stacks");
    shared_room = CunaShared<SHARED_NBYTES, KERNEL>::bytes;
    room = Room<NBYTES>::bytes;
}

template <class... A, void (*f)(A...), int points> struct Entry<void (*)(A...), f, points> {
    /* All threads, from one point on. */
    template <unsigned from> static __attribute__((noinline)) void run(unsigned char *at, A... a)
    {
        unsigned nx = block_nx, ny = block_ny, nz = block_nz;
        if (nx > 1024 || ny > 1024 || nz > 64 || block_x >= MANY_BLOCKS || block_y > 65535 || block_z > 65535)
            __builtin_unreachable();
        for (unsigned z = 0; z < nz; ++z)
            for (unsigned y = 0; y < ny; ++y) {
                unsigned first = nx * (y + ny * z);
                thread_z = z;
                thread_y = y;
                CUNA_IVDEP
                for (unsigned x = 0; x < nx; ++x) {
                    thread_x = x;
                    thread_number = first + x;
                    point = from;
                    next_point = 0;
                    f(a...);
                    at[first + x] = (unsigned char)next_point;
                }
            }
    }

    /* Those that can continue, each from its point on. */
    static __attribute__((noinline)) void run_mixed(unsigned char *at, A... a)
    {
        unsigned nx = block_nx, ny = block_ny, count = nx * ny * block_nz, joins = 0;
        for (unsigned i = 0; i < count; ++i)
            joins |= at[i] & JOIN;
        for (thread_number = 0; thread_number < count; ++thread_number) {
            unsigned from = at[thread_number];
            if (from == 0 || (joins != 0 && (from & JOIN) == 0))
                continue;
            thread_x = thread_number % nx;
            thread_y = thread_number / nx % ny;
            thread_z = thread_number / nx / ny;
            point = from & POINTS;
            next_point = 0;
            f(a...);
            at[thread_number] = (unsigned char)next_point;
        }
    }

    typedef void (*Run)(unsigned char *at, A... a);
    template <unsigned... from> static CUNA_INLINE Run run_from(unsigned k, Indices<from...>)
    {
        static constexpr Run all[] = {run<from>...};
        return all[k];
    }
    static CUNA_INLINE Run next_run(const unsigned char *at, unsigned count)
    {
        unsigned char others = 0;
        for (unsigned i = 0; i < count; ++i)
            others |= at[i] ^ at[0];
        if (others != 0 || block_x >= MANY_BLOCKS)
            return run_mixed;
        return run_from(at[0] & POINTS, typename Count<points + 1>::type());
    }

    template <unsigned... I> static CUNA_INLINE void run_block(unsigned char *at, void **params, Indices<I...>)
    {
        unsigned count = block_nx * block_ny * block_nz;
        bool all_ended = false;
        __builtin_memset(at, JOIN, count);
        while (!all_ended) {
            next_run(at, count)(at, load<A>(params[I])...);
            unsigned char left = 0;
            for (unsigned i = 0; i < count; ++i)
                left |= at[i];
            all_ended = left == 0;
        }
    }
    template <unsigned... I>
    static CUNA_INLINE void run_blocks(Block *block, cuna::uint64 first, cuna::uint64 last, Indices<I...> all)
    {
        unsigned char at[MAX_THREADS];
        point = SET_UP;
        f(load<A>(block->launch->params[I])...);
        for (; first < last; ++first) {
            begin_block(block, first);
            run_block(at, block->launch->params, all);
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

} // namespace cuna_raw
