// product.cuh: products of matrices: of integers in the dtype's own arithmetic, of bools by or and and, and of floats
// in a fixed order, so that every device computes the same bits: products are added to 0 in the order of the inner
// axis, and each operation rounds.
//
// A block computes tiles of the result. For each tile, slices of both factors along the inner axis pass through fast
// memory (product_runs.cuh: a workspace in the cache; product_lanes.cuh: shared memory) in the layout that registers
// need, so factors may have any strides.
//
// Codegen prints a struct Program with Element (the type of stored elements), Word (the type of products and sums:
// unsigned for integers, because overflow wraps in both), IS_BOOL and SIDE (for product_lanes.cuh).
namespace cuna {

struct Product {
    word out, a, b;  // of the first matrices
    word m, n, k;
    word out_row, out_column, a_row, a_column, b_row, b_column;  // strides, in elements
    word out_step, a_step, b_step;                               // from one matrix of the stack to the next
    word tile_rows, tile_columns;                                // of a tile, at most
    word down, across;                                           // tiles of a matrix
    word tiles;                                                  // of the stack
    word share;             // blocks that share them: a block does every share-th tile
    word depth;             // of a slice
    word workspace, nbytes; // of each block
};

// Where a tile is, and how much of it there is.
template <class P>
struct TileOf {
    typedef typename P::Element Element;
    word i, j, rows, columns;
    Element *out;
    const Element *a, *b;
    CUNA_INLINE TileOf(const Product &args, word tile)
    {
        const word of = args.down * args.across, which = tile / of, place = tile % of;
        i = place / args.across * args.tile_rows;
        j = place % args.across * args.tile_columns;
        rows = args.m - i < args.tile_rows ? args.m - i : args.tile_rows;
        columns = args.n - j < args.tile_columns ? args.n - j : args.tile_columns;
        out = (Element *)args.out + which * args.out_step + i * args.out_row + j * args.out_column;
        a = (const Element *)args.a + which * args.a_step + i * args.a_row;
        b = (const Element *)args.b + which * args.b_step + j * args.b_column;
    }
};

// The sum with one product more.
template <bool IS_BOOL> struct Adding {
    template <class V> static CUNA_INLINE V product(V sum, V x, V y) { return V(sum + x * y); }
};
template <> struct Adding<true> {
    template <class V> static CUNA_INLINE V product(V sum, V x, V y) { return V(sum | (x & y)); }
};
template <class P, class V>
CUNA_INLINE V add_product(V sum, V x, V y) { return Adding<P::IS_BOOL>::product(sum, x, y); }

}
