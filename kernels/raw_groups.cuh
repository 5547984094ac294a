/* raw_groups.cuh: the names of <cooperative_groups.h> and the headers beside it, for all devices.
 *
 * Follows the device's vocabulary of CUDA C++ (raw_cpu.h and the headers beside it, or NVRTC and raw_cuda.h). Small tiles
 * and coalesced groups are lanes of one warp, named by a mask: all that they do together is a shuffle or a vote of these
 * lanes. Ranks count them from the lowest. Tiles of several warps meet and show each other values in shared memory.
 * Copies are done when memcpy_async returns. */
#ifndef CUNA_RAW_GROUPS
#define CUNA_RAW_GROUPS
#define CUNA_GROUP __device__ __forceinline__

namespace cooperative_groups {
namespace cuna_group {

CUNA_GROUP unsigned block_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
CUNA_GROUP unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
CUNA_GROUP unsigned lane() { return block_rank() % 32; }
CUNA_GROUP unsigned own_bit() { return 1u << lane(); }
CUNA_GROUP unsigned count(unsigned lanes) { return (unsigned)__popc((int)lanes); }
CUNA_GROUP unsigned rank_in(unsigned lanes) { return count(lanes & (own_bit() - 1)); }

/* The lane of a rank; of a rank that is too large, a number above all lanes. */
CUNA_GROUP unsigned lane_of(unsigned lanes, unsigned rank)
{
    for (; rank > 0; --rank)
        lanes &= lanes - 1;
    return (unsigned)__ffs((int)lanes) - 1;
}

/* One bit for each of `lanes`, without gaps. */
CUNA_GROUP unsigned pack(unsigned lanes, unsigned bits)
{
    unsigned packed = 0;
    for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
        packed |= (unsigned)((bits & lanes & (0u - lanes)) != 0) << rank;
    return packed;
}

/* Lanes of `parent` that share a tile of `size` ranks with this one. */
CUNA_GROUP unsigned tile_of(unsigned parent, unsigned size)
{
    unsigned first = rank_in(parent) / size * size, lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < count(parent); ++rank)
        lanes |= 1u << lane_of(parent, rank);
    return lanes;
}

template <bool WIDE> struct Word { typedef unsigned type; };
template <> struct Word<true> { typedef unsigned long long type; };

/* Shuffles a value of any size. */
template <class T> CUNA_GROUP T shuffle(unsigned lanes, T value, unsigned from)
{
    typedef typename Word<(sizeof(T) > 4)>::type Part;
    Part parts[(sizeof(T) + sizeof(Part) - 1) / sizeof(Part)] = {};
    memcpy((void *)parts, (const void *)&value, sizeof value);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i)
        parts[i] = __shfl_sync(lanes, parts[i], (int)from);
    memcpy((void *)&value, (const void *)parts, sizeof value);
    return value;
}

} // namespace cuna_group

/* Any group but a grid, with a part of its abilities. */
class thread_group {
protected:
    unsigned lanes; /* 0: the block */
    unsigned meta_rank, meta_size;

    CUNA_GROUP thread_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : lanes(lanes), meta_rank(meta_rank), meta_size(meta_size)
    {
    }
    friend CUNA_GROUP thread_group this_thread();
    friend CUNA_GROUP thread_group tiled_partition(const thread_group &parent, unsigned size);

public:
    CUNA_GROUP void sync() const
    {
        if (lanes == 0)
            __syncthreads();
        else
            __syncwarp(lanes);
    }
    CUNA_GROUP unsigned long long num_threads() const
    {
        return lanes == 0 ? cuna_group::block_size() : cuna_group::count(lanes);
    }
    CUNA_GROUP unsigned long long size() const { return num_threads(); }
    CUNA_GROUP unsigned long long thread_rank() const
    {
        return lanes == 0 ? cuna_group::block_rank() : cuna_group::rank_in(lanes);
    }
    CUNA_GROUP bool is_valid() const { return true; }
};

class thread_block : public thread_group {
    CUNA_GROUP thread_block() : thread_group(0, 0, 1) {}
    friend CUNA_GROUP thread_block this_thread_block();

public:
    struct arrival_token {};
    static CUNA_GROUP void sync() { __syncthreads(); }
    CUNA_GROUP arrival_token barrier_arrive() const { return arrival_token(); }
    static CUNA_GROUP void barrier_wait(arrival_token &&) { __syncthreads(); }
    static CUNA_GROUP unsigned thread_rank() { return cuna_group::block_rank(); }
    static CUNA_GROUP unsigned num_threads() { return cuna_group::block_size(); }
    static CUNA_GROUP unsigned size() { return cuna_group::block_size(); }
    static CUNA_GROUP dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static CUNA_GROUP dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static CUNA_GROUP dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static CUNA_GROUP dim3 dim_threads() { return group_dim(); }
};

/* What lanes of a warp can do; of several groups they share the code, and of a tile the size is known. */
template <unsigned SIZE> class cuna_lanes : public thread_group {
protected:
    CUNA_GROUP cuna_lanes(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : thread_group(lanes, meta_rank, meta_size)
    {
    }
    /* Tiles have no gaps. */
    CUNA_GROUP unsigned lane_of(unsigned rank) const
    {
        return SIZE > 0 ? cuna_group::lane() / (SIZE | !SIZE) * SIZE + rank : cuna_group::lane_of(lanes, rank);
    }
    CUNA_GROUP unsigned pack(unsigned bits) const
    {
        return SIZE > 0 ? (bits & lanes) >> lane_of(0) : cuna_group::pack(lanes, bits);
    }

public:
    CUNA_GROUP unsigned num_threads() const { return SIZE > 0 ? SIZE : cuna_group::count(lanes); }
    CUNA_GROUP unsigned size() const { return num_threads(); }
    CUNA_GROUP unsigned thread_rank() const
    {
        return SIZE > 0 ? cuna_group::lane() % (SIZE | !SIZE) : cuna_group::rank_in(lanes);
    }
    CUNA_GROUP unsigned meta_group_size() const { return meta_size; }
    CUNA_GROUP unsigned meta_group_rank() const { return meta_rank; }
    CUNA_GROUP void sync() const { __syncwarp(lanes); }

    template <class T> CUNA_GROUP T shfl(T value, int rank) const
    {
        return cuna_group::shuffle(lanes, value, lane_of((unsigned)rank % size()));
    }
    template <class T> CUNA_GROUP T shfl_up(T value, unsigned distance) const
    {
        unsigned rank = thread_rank();
        return cuna_group::shuffle(lanes, value, lane_of(rank < distance ? rank : rank - distance));
    }
    template <class T> CUNA_GROUP T shfl_down(T value, unsigned distance) const
    {
        unsigned rank = thread_rank();
        return cuna_group::shuffle(lanes, value, lane_of(distance < size() - rank ? rank + distance : rank));
    }
    CUNA_GROUP int any(int p) const { return __any_sync(lanes, p); }
    CUNA_GROUP int all(int p) const { return __all_sync(lanes, p); }
    CUNA_GROUP unsigned ballot(int p) const { return pack(__ballot_sync(lanes, p)); }
    template <class T> CUNA_GROUP unsigned match_any(T value) const { return pack(__match_any_sync(lanes, value)); }
    template <class T> CUNA_GROUP unsigned match_all(T value, int &all) const
    {
        return pack(__match_all_sync(lanes, value, &all));
    }

    /* For functions of this file. */
    CUNA_GROUP unsigned cuna_mask() const { return lanes; }
};

class coalesced_group : public cuna_lanes<0> {
public:
    CUNA_GROUP coalesced_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : cuna_lanes<0>(lanes, meta_rank, meta_size)
    {
    }
};

template <unsigned SIZE, class Parent = void, bool WIDE = (SIZE > 32)>
class thread_block_tile : public cuna_lanes<SIZE> {
    static_assert(SIZE > 0 && (SIZE & (SIZE - 1)) == 0, "the size of a tile is a power of two");

public:
    CUNA_GROUP thread_block_tile(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : cuna_lanes<SIZE>(lanes, meta_rank, meta_size)
    {
    }
    template <class P>
    CUNA_GROUP thread_block_tile(const thread_block_tile<SIZE, P> &tile)
        : cuna_lanes<SIZE>(tile.cuna_mask(), tile.meta_group_rank(), tile.meta_group_size())
    {
    }
    static CUNA_GROUP unsigned num_threads() { return SIZE; }
    static CUNA_GROUP unsigned size() { return SIZE; }
    static CUNA_GROUP unsigned thread_rank() { return cuna_group::lane() % SIZE; }
    template <class T> CUNA_GROUP T shfl_xor(T value, unsigned mask) const
    {
        unsigned rank = thread_rank() ^ mask;
        return cuna_group::shuffle(this->lanes, value, this->lane_of(rank < SIZE ? rank : thread_rank()));
    }
};

/* A tile of several warps. The first lane of each warp counts it in; the last one to come begins the next phase. */
template <unsigned SIZE, class Parent> class thread_block_tile<SIZE, Parent, true> {
    static_assert(SIZE <= 512 && (SIZE & (SIZE - 1)) == 0, "the size of a tile is a power of two up to 512");
    unsigned meta_size;

    struct Meeting {
        unsigned count, phase;
    };
    static CUNA_GROUP Meeting &meeting()
    {
        __shared__ Meeting meetings[1024 / SIZE];
        return meetings[cuna_group::block_rank() / SIZE];
    }
    template <class T> static CUNA_GROUP T *room()
    {
        __shared__ __align__(16) char values[1024 * sizeof(T)];
        return (T *)values + cuna_group::block_rank() / SIZE * SIZE;
    }
    template <class T> CUNA_GROUP T exchange(T value, unsigned from) const
    {
        room<T>()[thread_rank()] = value;
        sync();
        value = room<T>()[from];
        sync();
        return value;
    }

public:
    CUNA_GROUP thread_block_tile(unsigned, unsigned, unsigned meta_size) : meta_size(meta_size) {}
    template <class P> CUNA_GROUP thread_block_tile(const thread_block_tile<SIZE, P> &tile)
        : meta_size(tile.meta_group_size())
    {
    }
    static CUNA_GROUP unsigned num_threads() { return SIZE; }
    static CUNA_GROUP unsigned size() { return SIZE; }
    static CUNA_GROUP unsigned thread_rank() { return cuna_group::block_rank() % SIZE; }
    CUNA_GROUP unsigned meta_group_size() const { return meta_size; }
    CUNA_GROUP unsigned meta_group_rank() const { return cuna_group::block_rank() / SIZE % meta_size; }
    CUNA_GROUP bool is_valid() const { return true; }

    /* By one thread of the tile, when no thread waits. */
    static CUNA_GROUP void cuna_begin() { meeting() = Meeting(); }
    CUNA_GROUP void sync() const
    {
        Meeting &m = meeting();
        __threadfence_block();
        __syncwarp();
        if (cuna_group::lane() == 0) {
            unsigned phase = atomicAdd(&m.phase, 0u);
            if (atomicAdd(&m.count, 1u) == SIZE / 32 - 1) {
                atomicExch(&m.count, 0u);
                __threadfence_block();
                atomicAdd(&m.phase, 1u);
            }
            while (atomicAdd(&m.phase, 0u) == phase)
                __nanosleep(20);
        }
        __syncwarp();
        __threadfence_block();
    }
    template <class T> CUNA_GROUP T shfl(T value, int rank) const { return exchange(value, (unsigned)rank % SIZE); }
    template <class T> CUNA_GROUP T shfl_up(T value, unsigned distance) const
    {
        return exchange(value, thread_rank() < distance ? thread_rank() : thread_rank() - distance);
    }
    template <class T> CUNA_GROUP T shfl_down(T value, unsigned distance) const
    {
        return exchange(value, distance < SIZE - thread_rank() ? thread_rank() + distance : thread_rank());
    }
    CUNA_GROUP int any(int p) const
    {
        unsigned found = 0;
        room<unsigned>()[thread_rank()] = (unsigned)__any_sync(~0u, p);
        sync();
        for (unsigned i = 0; i < SIZE; i += 32)
            found |= room<unsigned>()[i];
        sync();
        return (int)found;
    }
    CUNA_GROUP int all(int p) const { return !any(!p); }
};

class grid_group {
    CUNA_GROUP grid_group() {}
    friend CUNA_GROUP grid_group this_grid();

public:
#ifdef CUNA_CPU
    CUNA_GROUP void sync() const { cuna_raw::sync_grid(); }
    CUNA_GROUP bool is_valid() const { return cuna_raw::is_cooperative(); }
#else
    template <bool NEVER = false> CUNA_GROUP void sync() const
    {
        static_assert(NEVER, "grid.sync() needs the headers of CUDA's toolkit: install them beside NVRTC");
    }
    CUNA_GROUP bool is_valid() const { return false; }
#endif
    CUNA_GROUP unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    CUNA_GROUP unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    CUNA_GROUP unsigned long long num_threads() const { return num_blocks() * cuna_group::block_size(); }
    CUNA_GROUP unsigned long long size() const { return num_threads(); }
    CUNA_GROUP unsigned long long thread_rank() const
    {
        return block_rank() * cuna_group::block_size() + cuna_group::block_rank();
    }
    CUNA_GROUP dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    CUNA_GROUP dim3 group_dim() const { return dim_blocks(); }
    CUNA_GROUP dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

/* ---- groups of where a thread is ---- */

/* Memory for tiles of several warps, which need none here. */
template <unsigned THREADS = 1024> struct block_tile_memory {};

CUNA_GROUP thread_group this_thread() { return thread_group(cuna_group::own_bit(), 0, 1); }
CUNA_GROUP thread_block this_thread_block() { return thread_block(); }
template <unsigned THREADS> CUNA_GROUP thread_block this_thread_block(block_tile_memory<THREADS> &)
{
    return this_thread_block();
}
CUNA_GROUP grid_group this_grid() { return grid_group(); }
CUNA_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask(), 0, 1); }

template <class G> CUNA_GROUP void sync(const G &group) { group.sync(); }
template <class G> CUNA_GROUP auto thread_rank(const G &group) -> decltype(group.thread_rank())
{
    return group.thread_rank();
}
template <class G> CUNA_GROUP auto group_size(const G &group) -> decltype(group.size()) { return group.size(); }
template <class G> CUNA_GROUP bool is_valid(const G &group) { return group.is_valid(); }

/* ---- parts of groups ---- */

CUNA_GROUP thread_group tiled_partition(const thread_group &parent, unsigned size)
{
    if (parent.lanes == 0 && size > 32)
        __trap();
    unsigned lanes = cuna_group::tile_of(parent.lanes == 0 ? ~0u : parent.lanes, size);
    unsigned rank = (unsigned)parent.thread_rank(), all = (unsigned)parent.size();
    return thread_group(lanes, rank / size, (all + size - 1) / size);
}
CUNA_GROUP coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    return coalesced_group(cuna_group::tile_of(parent.cuna_mask(), size), parent.thread_rank() / size,
                           (parent.size() + size - 1) / size);
}
template <unsigned SIZE, class Parent> CUNA_GROUP thread_block_tile<SIZE, Parent> tiled_partition(const Parent &parent)
{
    unsigned lanes = SIZE < 32 ? ((1u << SIZE % 32) - 1) << cuna_group::lane() / SIZE * SIZE : ~0u;
    if constexpr (SIZE > 32) {
        if (parent.thread_rank() % SIZE == 0)
            thread_block_tile<SIZE, Parent>::cuna_begin();
        parent.sync();
    }
    return thread_block_tile<SIZE, Parent>(lanes, parent.thread_rank() / SIZE, (parent.size() + SIZE - 1) / SIZE);
}
template <class G> CUNA_GROUP coalesced_group binary_partition(const G &group, bool p)
{
    unsigned yes = __ballot_sync(group.cuna_mask(), p);
    return coalesced_group(p ? yes : group.cuna_mask() & ~yes, p, 2);
}
template <class G, class T> CUNA_GROUP coalesced_group labeled_partition(const G &group, T label)
{
    unsigned lanes = __match_any_sync(group.cuna_mask(), label);
    unsigned leaders = __ballot_sync(group.cuna_mask(), cuna_group::rank_in(lanes) == 0);
    unsigned below = leaders & ((1u << cuna_group::lane_of(lanes, 0)) - 1);
    return coalesced_group(lanes, cuna_group::count(below), cuna_group::count(leaders));
}

template <class G, class F, class... A> CUNA_GROUP void invoke_one(const G &group, F &&f, A &&...a)
{
    if (group.thread_rank() == 0)
        f(static_cast<A &&>(a)...);
}
template <class G, class F, class... A>
CUNA_GROUP auto invoke_one_broadcast(const G &group, F &&f, A &&...a) -> decltype(f(static_cast<A &&>(a)...))
{
    decltype(f(static_cast<A &&>(a)...)) value{};
    if (group.thread_rank() == 0)
        value = f(static_cast<A &&>(a)...);
    return group.shfl(value, 0);
}

/* ---- <cooperative_groups/reduce.h>, <cooperative_groups/scan.h> ---- */

#define CUNA_GROUP_FUNCTION(name, expression)                                                                          \
    template <class T> struct name {                                                                                   \
        CUNA_GROUP T operator()(T a, T b) const { return expression; }                                                 \
    };
CUNA_GROUP_FUNCTION(plus, a + b)
CUNA_GROUP_FUNCTION(less, b < a ? b : a)
CUNA_GROUP_FUNCTION(greater, a < b ? b : a)
CUNA_GROUP_FUNCTION(bit_and, a & b)
CUNA_GROUP_FUNCTION(bit_or, a | b)
CUNA_GROUP_FUNCTION(bit_xor, a ^ b)
#undef CUNA_GROUP_FUNCTION

template <class G, class T, class F> CUNA_GROUP T reduce(const G &group, T value, F &&f)
{
    for (unsigned distance = 256; distance > 0; distance /= 2) {
        if (distance >= group.size())
            continue;
        T other = group.shfl_down(value, distance);
        if (group.thread_rank() + distance < group.size())
            value = f(value, other);
    }
    return group.shfl(value, 0);
}
template <class G, class T, class F> CUNA_GROUP T inclusive_scan(const G &group, T value, F &&f)
{
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        T other = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance)
            value = f(other, value);
    }
    return value;
}
template <class G, class T> CUNA_GROUP T inclusive_scan(const G &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class G, class T, class F> CUNA_GROUP T exclusive_scan(const G &group, T value, F &&f)
{
    T before = group.shfl_up(inclusive_scan(group, value, f), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class G, class T> CUNA_GROUP T exclusive_scan(const G &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

/* ---- <cooperative_groups/memcpy_async.h> ---- */

template <class G, class T, class N> CUNA_GROUP void memcpy_async(const G &group, T *to, const T *from, const N &nbytes)
{
    for (size_t i = group.thread_rank(); i < (size_t)nbytes; i += group.size())
        ((char *)to)[i] = ((const char *)from)[i];
}
/* At most as many elements as both have. */
template <class G, class T, class To, class From>
CUNA_GROUP void memcpy_async(const G &group, T *to, const To &nto, const T *from, const From &nfrom)
{
    memcpy_async(group, to, from, sizeof(T) * ((size_t)nto < (size_t)nfrom ? (size_t)nto : (size_t)nfrom));
}
template <class G> CUNA_GROUP void wait(const G &group) { group.sync(); }
template <unsigned N, class G> CUNA_GROUP void wait_prior(const G &group) { group.sync(); }

/* Where the first versions had some of these names. */
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
} // namespace experimental

} // namespace cooperative_groups

#endif
