// stages_runs.cuh: programs in stages by blocks of one lane: each block does some rows, one after another. A stage
// folds as reduce_runs.cuh does, and reads the row's values so far.
namespace cuna {

template <class S>
struct StageVisit {
    const typename S::Walker &kept;
    const typename S::Args &args;
    typename S::Known &row;

    template <class Stage>
    CUNA_INLINE void fold()
    {
        Stage stage(kept, row);
        stage.finish(row, fold_runs(stage, args, 0, 0, 0, args.runs), args.count);
    }
};

// The elements of a row, which all stages have seen.
template <class P>
CUNA_INLINE void write_elements(const P &kept, const typename P::Args &args)
{
    typedef typename P::index index;
    const int outer = P::reduced(args) - 1;
    const word inner = args.reduced_shape[outer], rows = args.count / inner;
    for (word row = 0; row < rows; ++row) {
        P p = kept;
        go_to(p, args, args.reduced_shape, outer, row, true);
        run_any(p, index(inner), args.streaming != 0);
    }
}

template <class S, bool ELEMENTS>
struct StageElements {
    static CUNA_INLINE void write(const typename S::Walker &p, const typename S::Known &row, const typename S::Args &args)
    {
        write_elements(typename S::Last(p, row), args);
    }
};
template <class S>
struct StageElements<S, false> {
    static CUNA_INLINE void write(const typename S::Walker &, const typename S::Known &, const typename S::Args &) {}
};

template <class S>
CUNA_INLINE void stages(const typename S::Args &args, unsigned block)
{
    typedef typename S::Walker P;
    const word first = word(block) * args.rows;
    const word last = first + args.rows < args.outputs ? first + args.rows : args.outputs;
    for (word output = first; output < last; ++output) {
        P p(args);
        go_to(p, args, args.shape, P::kept(args), output, false);
        typename S::Known row;
        typename S::First(p, row).finish(row);
        StageVisit<S> visit = {p, args, row};
        S::each(visit);
        StageElements<S, S::ELEMENTS>::write(p, row, args);
        S::write(row, p);
    }
    if (args.streaming != 0)
        stream_fence();
}

}  // namespace cuna
