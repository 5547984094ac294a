// interpret_panels.hh: walks of short rows. A run costs a call for each of its steps, so that a row of a few elements
// would cost more for the calls than for its elements: a block takes several rows, a panel.
//
// Operands whose rows do not follow each other in memory are copied to a buffer before the steps, or outputs from one
// after them. Values that stay the same along a row are computed for each row, next to each other.
namespace cuna {

enum { SHORT_ROW = 128 };

// Rows of `inner` elements, from one place to another. Strides are in bytes.
struct PanelCopy {
    char *to;
    const char *from;
    int64 to_row, to_element, from_row, from_element, rows, inner;
};

template <class S, int INNER>
CUNA_INLINE void copy_rows(const PanelCopy &c)
{
    const int64 inner = INNER > 0 ? int64(INNER) : c.inner;
    for (int64 i = 0; i < c.rows; ++i) {
        char *to = c.to + i * c.to_row;
        const char *from = c.from + i * c.from_row;
        for (int64 j = 0; j < inner; ++j)
            *(S *)(to + j * c.to_element) = *(const S *)(from + j * c.from_element);
    }
}

// Rows whose elements are neighbours on both sides.
static void copy_whole_rows(const PanelCopy &c)
{
    for (int64 i = 0; i < c.rows; ++i)
        __builtin_memcpy(c.to + i * c.to_row, c.from + i * c.from_row, c.inner * c.to_element);
}

template <class S>
CUNA_OUTLINE void copy_panel(const PanelCopy &c)
{
    if (c.inner > 4 && c.to_element == sizeof(S) && c.from_element == sizeof(S))
        return copy_whole_rows(c);
    switch (c.inner) {
    case 2: return copy_rows<S, 2>(c);
    case 3: return copy_rows<S, 3>(c);
    case 4: return copy_rows<S, 4>(c);
    default: return copy_rows<S, 0>(c);
    }
}

static void copy_any(const PanelCopy &c, int itemsize)
{
    switch (itemsize) {
    case 1: return copy_panel<uint8>(c);
    case 2: return copy_panel<uint16>(c);
    case 4: return copy_panel<uint32>(c);
    case 8: return copy_panel<uint64>(c);
    default: return copy_panel<complex128>(c);
    }
}

// The rows of a block, panel by panel.
struct Panels {
    const WalkArgs &args;
    const cuna_loop_code &code;
    Frame &frame;
    const int axis;  // along which rows of a panel follow each other
    const int64 inner;
    char *buffer[LOOP_OPERANDS];
    const char *held[LOOP_OPERANDS];  // what a buffer has, of operands that are the same in all rows

    explicit Panels(const WalkArgs &a)
        : args(a), code(*a.code), frame(*a.frame), axis(a.code->rank - 2), inner(a.shape[a.code->rank - 1])
    {
        char *room = frame.place[PANELS];
        for (int k = 0; k < code.noperands; ++k) {
            buffer[k] = room;
            held[k] = 0;
            room += code.panel * (code.stride[k] > 0 ? code.stride[k] : code.itemsize[k]);
        }
    }

    CUNA_INLINE bool is_uniform(int k) const { return code.stride_class[k] == LOOP_STRIDE_UNIFORM; }

    CUNA_INLINE PanelCopy describe(int k, char *place, int64 rows) const
    {
        const int64 element = code.stride[k] > 0 ? code.stride[k] : code.itemsize[k];
        PanelCopy copy = {buffer[k], place, inner * element, element, args.step_of(k, axis),
                          args.step_of(k, axis + 1), rows, inner};
        return copy;
    }

    // Where operand k of a panel is, and how it moves along the run.
    CUNA_INLINE void place_operand(int k, char *at, int64 rows)
    {
        PanelCopy copy = describe(k, at, rows);
        frame.place[k] = at;
        frame.stride[k] = copy.from_element;
        if (rows == 1 || copy.from_row == inner * copy.from_element || is_uniform(k))
            return;
        frame.place[k] = buffer[k];
        frame.stride[k] = copy.to_element;
        if (k < code.noutputs || (copy.from_row == 0 && held[k] == at))
            return;
        copy_any(copy, code.itemsize[k]);
        held[k] = copy.from_row == 0 ? at : 0;
    }

    CUNA_INLINE void store_output(int k, char *at, int64 rows) const
    {
        const PanelCopy in = describe(k, at, rows);
        const PanelCopy out = {at, buffer[k], in.from_row, in.from_element, in.to_row, in.to_element, rows, inner};
        copy_any(out, code.itemsize[k]);
    }

    // The values that rows have for all their elements.
    CUNA_INLINE void run_uniform(int64 rows)
    {
        for (int i = code.end[LOOP_RUN - 1]; i < code.end[LOOP_RUN]; ++i) {
            const cuna_loop_step &step = code.steps[i];
            char *const first = frame.place[step.at[0]];
            for (int64 row = 0; row < rows; ++row) {
                step.run(&frame, step.at, inner);
                frame.place[step.at[0]] += inner * step.itemsize;
                frame.place[step.at[1]] += args.step_of(step.at[1], axis);
            }
            frame.place[step.at[0]] = first;
        }
    }

    CUNA_INLINE void run(const Map &p, int64 rows)
    {
        for (int k = 0; k < code.noperands; ++k)
            place_operand(k, p.at_[k], rows);
        frame.position = p.position;
        run_uniform(rows);
        run_steps(code, frame, LOOP_BLOCK, rows * inner);
        for (int k = 0; k < code.noutputs; ++k)
            if (frame.place[k] == buffer[k])
                store_output(k, p.at_[k], rows);
    }
};

// Blocks of rows, as the template `rows` has them.
static void panels(const WalkArgs &args, unsigned block)
{
    const int outer = args.code->rank - 1;
    const word inner = args.shape[outer], first = word(block) * args.rows;
    const word last = at_most(first + args.rows, args.size / inner), most = args.code->panel / inner;
    int64 position[Map::MAX_RANK];
    Panels state(args);
    Map p(args);
    word rest = first;
    for (int axis = outer - 1; axis >= 0; --axis) {
        position[axis] = rest % args.shape[axis];
        rest /= args.shape[axis];
        p.step(args, axis, position[axis]);
    }
    for (word row = first, rows; row < last; row += rows) {
        rows = at_most(at_most(last - row, most), args.shape[outer - 1] - position[outer - 1]);
        p.at(row * inner);
        state.run(p, rows);
        p.step(args, outer - 1, rows);
        position[outer - 1] += rows;
        for (int axis = outer - 1; axis > 0 && position[axis] == args.shape[axis]; --axis) {
            p.step(args, axis, -position[axis]);
            position[axis] = 0;
            p.step(args, axis - 1, 1);
            ++position[axis - 1];
        }
    }
    end_block(args);
}

static void rows_or_panels(const WalkArgs &args, unsigned block)
{
    if (args.code->panel > 0 && args.code->rank > 1 && args.shape[args.code->rank - 1] < SHORT_ROW)
        panels(args, block);
    else
        rows<Map>(args, block);
}

}  // namespace cuna
