// elementwise_runs.cuh: three ways to visit every element of a walk by blocks of one lane. The cost of an element is
// that of the bytes it loads and stores.
namespace cuna {

// Stores past the caches are not ordered with others by themselves.
template <class Args>
CUNA_INLINE void end_block(const Args &args)
{
    if (args.streaming != 0)
        stream_fence();
}

// FLAT: all operands are contiguous (or one value), so the walk is a single run, cut into tiles.
template <class P>
CUNA_INLINE void flat(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    const word first = word(block) * args.tile;
    const word left = args.size - first;
    P p(args);
    p.advance(index(first));
    p.at(first);
    run_any(p, index(left < args.tile ? left : args.tile), args.streaming != 0);
    end_block(args);
}

// ROWS: runs along the innermost axis; a block does some rows, or a piece of one long row.
template <class P>
CUNA_INLINE void rows(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    const int outer = P::rank(args) - 1;
    const word inner = args.shape[outer], piece = block % args.pieces * args.tile;
    const word first = block / args.pieces * args.rows, all = inner > 0 ? args.size / inner : 0;
    const word last = first + args.rows < all ? first + args.rows : all;
    const index count = index(inner - piece < args.tile ? inner - piece : args.tile);
    P p(args);
    p.advance(index(piece));
    index position[P::MAX_RANK];
    word rest = first;
    for (int axis = outer - 1; axis >= 0; --axis) {
        position[axis] = index(rest % args.shape[axis]);
        rest /= args.shape[axis];
        p.step(args, axis, position[axis]);
    }
    for (word row = first; row < last; ++row) {
        p.at(row * inner + piece);
        run_any(p, count, args.streaming != 0);
        for (int axis = outer - 1; axis >= 0; --axis) {
            p.step(args, axis, 1);
            if (++position[axis] < args.shape[axis])
                break;
            p.step(args, axis, -position[axis]);
            position[axis] = 0;
        }
    }
    end_block(args);
}

// TILES: operands that are contiguous along the second innermost axis are first copied, transposed, into a square that
// stays in the second cache, so that both sides of a transposition touch whole cache lines. A block goes down a strip of
// squares: along that axis the next lines of such operands lie next to the last ones, and can be prefetched.
template <class P>
CUNA_INLINE void one_tile(const P &p, const typename P::Args &args, int height, int width)
{
    typename P::Tiles packed;
    P::pack(packed, p, args, height, width);
    for (int i = 0; i < height; ++i) {
        P q = p;
        q.step(args, P::rank(args) - 2, i);
        q.use(packed, i);
        run_any(q, width, args.streaming != 0);
    }
}

template <class P>
CUNA_INLINE void tiles(const typename P::Args &args, unsigned block)
{
    typedef typename P::index index;
    enum { STRIP = TILE_STRIP * TILE_SIDE };
    const int along = P::rank(args) - 1, down = along - 1;
    const word high = (args.shape[down] + STRIP - 1) / STRIP, wide = (args.shape[along] + TILE_SIDE - 1) / TILE_SIDE;
    const word top = block % high * STRIP, left = block / high % wide * TILE_SIDE;
    const word bottom = top + STRIP < args.shape[down] ? top + STRIP : args.shape[down];
    const int width = int(args.shape[along] - left < TILE_SIDE ? args.shape[along] - left : TILE_SIDE);
    word rest = block / (high * wide);
    P p(args);
    for (int axis = down - 1; axis >= 0; --axis) {
        p.step(args, axis, index(rest % args.shape[axis]));
        rest /= args.shape[axis];
    }
    p.step(args, down, index(top));
    p.step(args, along, index(left));
    for (word row = top; row < bottom; row += TILE_SIDE) {
        P q = p;
        q.step(args, down, index(row - top));
        one_tile(q, args, int(bottom - row < TILE_SIDE ? bottom - row : TILE_SIDE), width);
    }
    end_block(args);
}

}  // namespace cuna
