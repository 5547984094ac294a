// interpret.hh: runs programs of the cpu device as steps over blocks (loop_code.h), by the walks that compiled kernels
// have.
//
// Map stands for the generated Program of an elementwise kernel: operands, their sizes and strides are data here. Where
// a kernel computes an element at a time, a block of elements goes through one step after another.
namespace cuna {

typedef cuna_loop_frame Frame;

// The argument block, read by the counts in the code: the order of struct Walk.
struct WalkArgs {
    const cuna_loop_code *code;
    Frame *frame;
    enum { CUT = 5 };
    const word *pointer, *scalar, *shape, *stride;
    word size, tile, pieces, rows, streaming;

    // Finds the parts of the block; returns where the cut begins.
    CUNA_INLINE const word *find(const cuna_loop_code *c, const word *words)
    {
        const int operands = c->noperands > 0 ? c->noperands : 1, axes = c->rank > 0 ? c->rank : 1;
        code = c;
        pointer = words;
        scalar = pointer + operands;
        shape = scalar + 2 * (c->nscalars > 0 ? c->nscalars : 1);
        stride = shape + axes;
        return stride + operands * axes;
    }

    // Reads the block; returns where its table is.
    CUNA_INLINE const word *read(const cuna_loop_code *c, const word *words)
    {
        const word *cut = find(c, words);
        size = cut[0];
        tile = cut[1];
        pieces = cut[2];
        rows = cut[3];
        streaming = cut[4];
        return cut + CUT;
    }

    // Bytes that operand k moves by one position along an axis.
    CUNA_INLINE word step_of(int k, int axis) const
    {
        return stride[k * (code->rank > 0 ? code->rank : 1) + axis] * code->itemsize[k];
    }
    CUNA_INLINE word run_step_of(int k) const { return step_of(k, code->rank - 1); }
};

// The same with folded or scanned axes, whose lengths and strides follow: the beginning of struct Fold and struct Scan.
struct ReducedArgs : WalkArgs {
    const word *reduced_shape, *reduced_stride;

    CUNA_INLINE const word *find(const cuna_loop_code *c, const word *words)
    {
        const int axes = c->reduced_rank > 0 ? c->reduced_rank : 1;
        reduced_shape = WalkArgs::find(c, words);
        reduced_stride = reduced_shape + axes;
        return reduced_stride + c->noperands * axes;
    }
    CUNA_INLINE word reduced_step_of(int k, int axis) const
    {
        return reduced_stride[k * (code->reduced_rank > 0 ? code->reduced_rank : 1) + axis] * code->itemsize[k];
    }
};

struct Map {
    typedef int64 index;
    typedef WalkArgs Args;
    enum { MAX_RANK = 16 };
    struct Tiles {};
    const cuna_loop_code *code;
    Frame *frame;
    char *at_[LOOP_OPERANDS];
    int64 position;

    static CUNA_INLINE int rank(const Args &args) { return args.code->rank; }

    CUNA_INLINE explicit Map(const Args &args) : code(args.code), frame(args.frame), position(0)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] = (char *)args.pointer[k];
    }
    CUNA_INLINE void step(const Args &args, int axis, index n)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] += args.step_of(k, axis) * n;
    }
    CUNA_INLINE void advance(index n)
    {
        for (int k = 0; k < code->noperands; ++k)
            at_[k] += frame->stride[k] * n;
    }
    CUNA_INLINE void at(int64 first) { position = first; }
    static CUNA_INLINE void pack(Tiles &, const Map &p, const Args &args, int height, int width);
    CUNA_INLINE void use(const Tiles &, int row);
};

// Places that operands, scalars and slots leave free.
enum { BUFFER = LOOP_PLACES - 1, SQUARES = LOOP_PLACES - 2, PANELS = SQUARES };

// The strides along the run: of most classes the code knows them.
template <class Args>
CUNA_INLINE void set_strides(Frame &frame, const Args &args)
{
    const cuna_loop_code &code = *args.code;
    for (int k = 0; k < code.noperands; ++k)
        frame.stride[k] = code.stride_class[k] == LOOP_STRIDE_ANY ? args.run_step_of(k) : code.stride[k];
}

// Without the last `left` of the steps that run then.
CUNA_INLINE void run_steps(const cuna_loop_code &code, const Frame &frame, int when, int64 n, int left = 0)
{
    const int end = code.end[when] - left;
    for (int i = when > 0 ? code.end[when - 1] : 0; i < end; ++i)
        code.steps[i].run(&frame, code.steps[i].at, n);
}

CUNA_INLINE int64 at_most(int64 n, int64 most) { return n < most ? n : most; }

// A run from where the places of operands are; with `streaming`, blocks of operand 0 are computed in a buffer and then
// written past the caches.
CUNA_INLINE void run_blocks(const cuna_loop_code &code, Frame &frame, int64 count, bool streaming)
{
    const bool buffered = streaming && code.streams;
    const int64 most = buffered ? at_most(code.block, LOOP_BUFFER_NBYTES / code.itemsize[0]) : int64(code.block);
    char *out = frame.place[0];
    run_steps(code, frame, LOOP_RUN, at_most(count, most));
    for (;;) {
        const int64 n = at_most(count, most);
        if (buffered)
            frame.place[0] = frame.place[BUFFER];
        run_steps(code, frame, LOOP_BLOCK, n);
        if (buffered) {
            stream_out(out, frame.place[BUFFER], n * code.itemsize[0]);
            out += n * code.itemsize[0];
        }
        if ((count -= n) <= 0)
            return;
        for (int k = 0; k < code.noperands; ++k)
            frame.place[k] += n * frame.stride[k];
        frame.position += n;
    }
}

CUNA_INLINE void run_any(const Map &p, int64 count, bool streaming)
{
    for (int k = 0; k < p.code->noperands; ++k)
        p.frame->place[k] = p.at_[k];
    p.frame->position = p.position;
    run_blocks(*p.code, *p.frame, count, streaming);
}

// The walk of most calls, many of which have few elements, without moves of a Map.
template <>
CUNA_INLINE void flat<Map>(const WalkArgs &args, unsigned block)
{
    const word first = word(block) * args.tile;
    Frame &frame = *args.frame;
    for (int k = 0; k < args.code->noperands; ++k)
        frame.place[k] = (char *)args.pointer[k] + first * frame.stride[k];
    frame.position = first;
    run_blocks(*args.code, frame, at_most(args.size - first, args.tile), args.streaming != 0);
    end_block(args);
}

enum { SQUARE_ELEMENTS = TILE_SIDE * TILE_PITCH }; // of a tiled operand
static_assert(int(SQUARE_ELEMENTS) == int(LOOP_SQUARE), "the host makes room for squares");

template <class S>
CUNA_OUTLINE void pack_square(char *square, const char *src, word stride, int height, int width)
{
    pack_tile((S(*)[TILE_PITCH])square, (const S *)src, stride, height, width);
}

static void pack_any(char *square, const char *src, word stride, int height, int width, int itemsize)
{
    switch (itemsize) {
    case 1: return pack_square<uint8>(square, src, stride, height, width);
    case 2: return pack_square<uint16>(square, src, stride, height, width);
    case 4: return pack_square<uint32>(square, src, stride, height, width);
    case 8: return pack_square<uint64>(square, src, stride, height, width);
    default: return pack_square<complex128>(square, src, stride, height, width);
    }
}

template <class Args>
CUNA_INLINE void pack_squares(char *const *at, const Args &args, int height, int width)
{
    const cuna_loop_code &code = *args.code;
    char *square = args.frame->place[SQUARES];
    for (int k = 0; k < code.noperands; ++k) {
        if (code.stride_class[k] != LOOP_STRIDE_TILED)
            continue;
        pack_any(square, at[k], args.stride[k * code.rank + code.rank - 1], height, width, code.itemsize[k]);
        square += SQUARE_ELEMENTS * code.itemsize[k];
    }
}

CUNA_INLINE void use_squares(char **at, const cuna_loop_code &code, const Frame &frame, int row)
{
    char *square = frame.place[SQUARES];
    for (int k = 0; k < code.noperands; ++k) {
        if (code.stride_class[k] != LOOP_STRIDE_TILED)
            continue;
        at[k] = square + row * TILE_PITCH * code.itemsize[k];
        square += SQUARE_ELEMENTS * code.itemsize[k];
    }
}

CUNA_INLINE void Map::pack(Tiles &, const Map &p, const Args &args, int height, int width)
{
    pack_squares(p.at_, args, height, width);
}

CUNA_INLINE void Map::use(const Tiles &, int row) { use_squares(at_, *code, *frame, row); }

// Gives scalars, the table, slots and squares their places, and computes the values of the launch, as many as a run can
// have.
template <class Args>
CUNA_INLINE void prepare(Frame &frame, const Args &args, const word *table, char *room, int64 run)
{
    const cuna_loop_code &code = *args.code;
    int place = code.noperands;
    for (int k = 0; k < code.nscalars; ++k)
        frame.place[place++] = (char *)(args.scalar + 2 * k);
    frame.place[place++] = (char *)table;
    frame.place[BUFFER] = room;
    room += LOOP_BUFFER_NBYTES;
    for (int k = 0; k < code.nslots; ++k, room += code.slot_nbytes)
        frame.place[place++] = room;
    frame.place[SQUARES] = room;
    set_strides(frame, args);
    run_steps(code, frame, LOOP_LAUNCH, at_most(run, code.block));
}

// The entry of a walk.
template <void (*WALK)(const WalkArgs &, unsigned)>
void enter(void **params, unsigned first, unsigned last)
{
    const cuna_loop_code &code = *(const cuna_loop_code *)params[1];
    Frame frame;
    WalkArgs args;
    const word *table = args.read(&code, (const word *)params[0]);
    args.frame = &frame;
    char *room = (char *)__builtin_alloca_with_align(code.room_nbytes, 8 * LOOP_ALIGN);
    prepare(frame, args, table, room, at_most(args.tile, args.size));
    for (unsigned block = first; block < last; ++block)
        WALK(args, block);
}

// Bytes of an argument block, from the counts in the code.
template <class Args>
unsigned measure(const cuna_loop_code *code)
{
    Args args;
    const word *const none = 0;
    return unsigned((args.find(code, none) - none + Args::CUT + code->table) * int64(sizeof(word)));
}

// ---- loops: at[0] is the place of the result ----

// A value in a slot: elements of memory but for half floats, so that operands in memory may be arguments as they are. A
// bool's byte may be any but 0 for true.
template <class S> struct slot_of {
    typedef typename value_of<S>::type type;
    static CUNA_INLINE type get(type x) { return x; }
    static CUNA_INLINE type put(type x) { return x; }
};
template <> struct slot_of<bool8> {
    typedef bool8 type;
    static CUNA_INLINE bool get(bool8 x) { return load(x); }
    static CUNA_INLINE bool8 put(bool x) { return store<bool8>(x); }
};

template <class T> CUNA_INLINE T *result_of(const Frame *frame, const unsigned char *at)
{
    return (T *)frame->place[at[0]];
}
template <class T> CUNA_INLINE const T *argument_of(const Frame *frame, const unsigned char *at, int i)
{
    return (const T *)frame->place[at[i + 1]];
}

// The value in a slot of each of n elements that `from(j)` gives.
#define CUNA_LOAD_LOOP(S, from)                                                                                       \
    typename slot_of<S>::type *const to = result_of<typename slot_of<S>::type>(frame, at);                            \
    CUNA_IVDEP                                                                                                        \
    for (int64 j = 0; j < n; ++j)                                                                                     \
        to[j] = slot_of<S>::put(from);

template <class S> void load_unit(const Frame *frame, const unsigned char *at, int64 n)
{
    const S *const src = argument_of<S>(frame, at, 0);
    CUNA_LOAD_LOOP(S, load(src[j]))
}
template <class S> void load_two(const Frame *frame, const unsigned char *at, int64 n)
{
    const S *const src = argument_of<S>(frame, at, 0);
    CUNA_LOAD_LOOP(S, load(src[2 * j]))
}
template <class S> void load_any(const Frame *frame, const unsigned char *at, int64 n)
{
    const char *const src = argument_of<char>(frame, at, 0);
    const int64 stride = frame->stride[at[1]];
    CUNA_LOAD_LOOP(S, load(*(const S *)(src + j * stride)))
}
template <class S> void load_uniform(const Frame *frame, const unsigned char *at, int64 n)
{
    const typename value_of<S>::type value = load(*argument_of<S>(frame, at, 0));
    CUNA_LOAD_LOOP(S, value)
}
template <class S> void splat(const Frame *frame, const unsigned char *at, int64 n)
{
    const typename value_of<S>::type value = load(read_scalar<S>(argument_of<word>(frame, at, 0)));
    CUNA_LOAD_LOOP(S, value)
}
template <class D, class S> void convert_values(const Frame *frame, const unsigned char *at, int64 n)
{
    const typename slot_of<S>::type *const src = argument_of<typename slot_of<S>::type>(frame, at, 0);
    CUNA_LOAD_LOOP(D, convert<D>(slot_of<S>::get(src[j])))
}

// Positions of elements; where they are; where the table is.
static void load_position(const Frame *frame, const unsigned char *at, int64 n)
{
    const int64 position = frame->position;
    CUNA_LOAD_LOOP(int64, position + j)
}
// In folds that go down columns: of all elements of a row.
static void load_row(const Frame *frame, const unsigned char *at, int64 n)
{
    const int64 position = frame->position;
    CUNA_LOAD_LOOP(int64, position)
}

static void load_address(const Frame *frame, const unsigned char *at, int64 n)
{
    const int64 first = int64(frame->place[at[1]]), stride = frame->stride[at[1]];
    CUNA_LOAD_LOOP(int64, first + j * stride)
}
static void load_table(const Frame *frame, const unsigned char *at, int64 n)
{
    const int64 table = int64(frame->place[at[1]]);
    CUNA_LOAD_LOOP(int64, table)
}
#undef CUNA_LOAD_LOOP

// Elements in memory of the values in a slot.
#define CUNA_STORE_LOOP(S, element)                                                                                   \
    const typename slot_of<S>::type *const src = argument_of<typename slot_of<S>::type>(frame, at, 0);                \
    CUNA_IVDEP                                                                                                        \
    for (int64 j = 0; j < n; ++j)                                                                                     \
        element = store<S>(slot_of<S>::get(src[j]));

template <class S> void store_unit(const Frame *frame, const unsigned char *at, int64 n)
{
    S *const to = result_of<S>(frame, at);
    CUNA_STORE_LOOP(S, to[j])
}
template <class S> void store_two(const Frame *frame, const unsigned char *at, int64 n)
{
    S *const to = result_of<S>(frame, at);
    CUNA_STORE_LOOP(S, to[2 * j])
}
template <class S> void store_any(const Frame *frame, const unsigned char *at, int64 n)
{
    char *const to = result_of<char>(frame, at);
    const int64 stride = frame->stride[at[0]];
    CUNA_STORE_LOOP(S, *(S *)(to + j * stride))
}
#undef CUNA_STORE_LOOP

}  // namespace cuna
