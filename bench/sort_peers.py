"""The equivalents of sort.lua for other libraries, for subject_peers.py."""


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n, rows = length(1e7), length(1e6)

    def scattered(p, count, dtype):
        return p.astype(p.arange(count) * 2654435761 % 2 ** 32, dtype)

    def scattered_rows(count, width):
        return lambda p: scattered(p, count * width, "float32").reshape(count, width)

    return {
        "sf": lambda p: scattered(p, n, "float32"),
        "sd": lambda p: scattered(p, n, "float64"),
        "si": lambda p: scattered(p, n, "int32"),
        "sl": lambda p: scattered(p, n, "int64"),
        "small": lambda p: scattered(p, n, "int64") % 1000,
        "tens": scattered_rows(rows, 10),
        "hundreds": scattered_rows(rows // 10, 100),
        "thousands": scattered_rows(rows // 100, 1000),
        "bytes": lambda p: p.astype(scattered(p, n, "int64") % 256, "uint8"),
        "long_rows": scattered_rows(rows // 1000, 10000),
        "longer_rows": scattered_rows(rows // 10000, 100000),
        "huge": lambda p: scattered(p, 10 * n, "float32"),
    }


def workloads(length):
    """name, bytes, inputs"""
    n, rows = length(1e7), length(1e6)
    return [
        ("sort_f32_1e7", 8 * n, "sf"),
        ("sort_f32_1e8", 80 * n, "huge"),
        ("sort_f64_1e7", 16 * n, "sd"),
        ("sort_i32_1e7", 8 * n, "si"),
        ("sort_i64_1e7", 16 * n, "sl"),
        ("sort_rows_f32_1e6x10", 80 * rows, "tens"),
        ("sort_rows_f32_1e5x100", 80 * rows, "hundreds"),
        ("sort_rows_f32_1e4x1000", 80 * rows, "thousands"),
        ("sort_rows_f32_1e3x1e4", 80 * rows, "long_rows"),
        ("sort_rows_f32_100x1e5", 80 * rows, "longer_rows"),
        ("sort_u8_1e7", 2 * n, "bytes"),
        ("sort_i64_few_1e7", 16 * n, "small"),
        ("argsort_f32_1e7", 12 * n, "sf"),
        ("argsort_i64_1e7", 16 * n, "sl"),
        ("argsort_rows_f32_1e5x100", 120 * rows, "hundreds"),
        ("unique_i64_1e7", 8 * n, "small"),
    ]


def functions(sort, argsort, unique):
    table = {name: sort if name.startswith("sort") else argsort for name, _, _ in workloads(lambda count: int(count))}
    return dict(table, unique_i64_1e7=unique)


def array_functions(xp):
    """NumPy's and CuPy's."""
    return functions(xp.sort, xp.argsort, xp.unique)


def torch_functions(torch):
    return functions(lambda x: torch.sort(x)[0], torch.argsort, torch.unique)
