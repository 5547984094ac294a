"""The equivalents of gather.lua for other libraries, for subject_peers.py."""
STEP = 7919


def makers(length):
    """Inputs by name, as functions of something that has spread(*shape), zeros(*shape) and arange(count)."""
    n, rows = length(1e7), length(1e6)

    def scattered(p, count):
        return p.arange(count) * STEP % count

    return {
        "gx": lambda p: p.spread(n),
        "gm": lambda p: p.spread(rows, 100),
        "order": lambda p: p.arange(n),
        "jumps": lambda p: scattered(p, n),
        "row_jumps": lambda p: scattered(p, rows),
        "row_columns": lambda p: scattered(p, rows) % 100,
        "columns": lambda p: p.arange(rows * 10).reshape(rows // 10, 100) * STEP % 100,
        "gl": lambda p: p.spread(rows // 10, 100),
        "third": lambda p: p.arange(n) % 3 == 0,
        "few": lambda p: scattered(p, n) % 1000,
        "fewest": lambda p: scattered(p, n) % 10,
        "bins": lambda p: p.zeros(1000),
        "bins_f16": lambda p: p.astype(p.zeros(1000), "float16"),
        "bins_f64": lambda p: p.astype(p.zeros(1000), "float64"),
        "four": lambda p: p.arange(4) * 2,
    }


def workloads(length):
    """name, bytes, inputs"""
    n, rows = length(1e7), length(1e6)
    return [
        ("launch_take4", 0, "gx four"),
        ("take_order_f32_1e7", 16 * n, "gx order"),
        ("take_jumps_f32_1e7", 16 * n, "gx jumps"),
        ("take_rows_f32_1e6x100", 808 * rows, "gm row_jumps"),
        ("take_pairs_f32_1e6", 24 * rows, "gm row_jumps row_columns"),
        ("take_along_f32_1e5x100", 160 * rows, "gl columns"),
        ("put_pairs_f32_1e6", 20 * rows, "gm row_jumps row_columns"),
        ("put_rows_f32_1e6x100", 808 * rows, "gm row_jumps"),
        ("mask_select_f32_1e7", 5 * n + 4 * n // 3, "gx third"),
        ("mask_fill_f32_1e7", 9 * n, "gx third"),
        ("nonzero_1e7", n + 8 * n // 3, "third"),
        ("put_jumps_f32_1e7", 16 * n, "gx jumps"),
        ("add_at_f32_1e7", 8 * n, "bins few"),
        ("add_at_f16_1e7", 8 * n, "bins_f16 few"),
        ("add_at_f64_1e7", 8 * n, "bins_f64 few"),
        ("add_at10_f32_1e7", 8 * n, "bins fewest"),
        ("add_at10_f16_1e7", 8 * n, "bins_f16 fewest"),
        ("add_at_wide_f32_1e7", 16 * n, "gx jumps"),
    ]


def take(x, i):
    return x[i]


def put(x, i):
    x[i] = x


def put_pairs(x, i, j):
    x[i, j] = 1


def fill(x, m):
    x[m] = 0


def functions():
    """What arrays of all peers have."""
    return {
        "launch_take4": take,
        "take_order_f32_1e7": take,
        "take_jumps_f32_1e7": take,
        "take_rows_f32_1e6x100": take,
        "take_pairs_f32_1e6": lambda x, i, j: x[i, j],
        "put_pairs_f32_1e6": put_pairs,
        "put_rows_f32_1e6x100": put,
        "mask_select_f32_1e7": take,
        "mask_fill_f32_1e7": fill,
        "put_jumps_f32_1e7": put,
    }


ADD_AT = ["add_at_f32_1e7", "add_at_f16_1e7", "add_at_f64_1e7", "add_at10_f32_1e7", "add_at10_f16_1e7",
          "add_at_wide_f32_1e7"]


def array_functions(xp):
    """NumPy's and CuPy's."""
    return dict(functions(), nonzero_1e7=xp.flatnonzero,
                take_along_f32_1e5x100=lambda x, j: xp.take_along_axis(x, j, 1),
                **{name: lambda b, i: xp.add.at(b, i, 1) for name in ADD_AT})


def torch_functions(torch):
    def add_at(b, i):
        b.index_put_((i,), torch.ones((), device=b.device, dtype=b.dtype), accumulate=True)

    return dict(functions(), nonzero_1e7=torch.nonzero,
                take_along_f32_1e5x100=lambda x, j: x.take_along_dim(j, 1), **{name: add_at for name in ADD_AT})
