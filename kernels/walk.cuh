// walk.cuh: what every generated program has in common.
//
// Codegen prints a struct Program with one pointer per operand (outputs first, then array inputs), the scalars, and
//   advance(n)             moves all operands n elements along the run
//   step(args, axis, n)    moves all operands n positions along an axis of the walk
//   at(position)           says which row-major position element 0 has (programs that use the index)
//   element(j)             loads, computes and stores element j of the run
// and what the file beside this one needs: walk_runs.cuh where a block is one lane, walk_lanes.cuh where it has many.
// So a template never knows which operation it runs. The sizes in capitals are printed above this text.
namespace cuna {

typedef int64 word;  // of an argument block

template <class S>
CUNA_INLINE S read_scalar(const word *slot)
{
    union { word words[2]; S value; } bits;
    bits.words[0] = slot[0];
    bits.words[1] = slot[1];
    return bits.value;
}

}  // namespace cuna
