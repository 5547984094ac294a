// product_teams_lanes.cuh: products of stacked small matrices by blocks of many lanes (product.cuh): a team of SIDE
// lanes has a product. Each lane keeps a column of both factors, and computes that of the result; elements of the first
// factor come from other lanes by shuffles. Sums have the order of product_lanes.cuh, and its bits.
namespace cuna {

template <class P>
struct SmallColumn {
    typedef typename P::Word Word;
    enum { SIDE = P::SIDE };
    Word at[SIDE];

    CUNA_INLINE SmallColumn(const typename P::Element *from, word rows, word step)
    {
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i)
            at[i] = i < rows ? Word(from[i * step]) : Word(0);
    }
};

template <class P>
CUNA_INLINE void product_teams(const Product &args, unsigned block)
{
    typedef typename P::Word Word;
    typedef typename P::Element Element;
    enum { SIDE = P::SIDE };
    const word matrix = word(block) * (LANES / SIDE) + lane() / SIDE, which = matrix < args.tiles ? matrix : 0;
    const word column = lane() % SIDE;
    const unsigned team = lane() % 32 & ~unsigned(SIDE - 1);
    const Element *const a = (const Element *)args.a + which * args.a_step + column * args.a_column;
    const Element *const b = (const Element *)args.b + which * args.b_step + column * args.b_column;
    const SmallColumn<P> ours(a, column < args.k ? args.m : 0, args.a_row);
    const SmallColumn<P> theirs(b, column < args.n ? args.k : 0, args.b_row);
    Word sums[SIDE] = {};
    CUNA_UNROLL
    for (int l = 0; l < SIDE; ++l)
        CUNA_UNROLL
        for (int i = 0; i < SIDE; ++i) {
            const Word sum = add_product<P>(sums[i], shuffle(ours.at[i], team + l), theirs.at[l]);
            sums[i] = l < args.k ? sum : sums[i];
        }
    Element *const out = (Element *)args.out + which * args.out_step + column * args.out_column;
    CUNA_UNROLL
    for (int i = 0; i < SIDE; ++i)
        if (matrix < args.tiles && column < args.n && i < args.m)
            out[i * args.out_row] = Element(sums[i]);
}

}
