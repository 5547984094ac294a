// product.cuh: products of matrices of integers, exact in the dtype's own arithmetic, of bools, by or and and, and of floats,
// whose products are added to 0 in the order of the inner axis, each rounded, so that every device has the same sums.
//
// Blocks make tiles of the result. A tile's part of both factors passes in slices of the inner axis through memory that is
// near (product_runs.cuh: a workspace; product_lanes.cuh: shared memory), laid out as registers want it, so that the
// factors may lie in memory as they like.
//
// Codegen prints a struct Program with Element (as which elements are stored), Word (in which they are multiplied and added:
// unsigned for integers, since what overflows is lost in both), IS_BOOL and SIDE (for product_lanes.cuh).
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
