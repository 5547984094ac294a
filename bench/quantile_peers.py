"""The equivalents of quantile.lua for other libraries, for subject_peers.py."""
PERCENTAGES = [5, 25, 50, 75, 95]


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n, rows = length(1e7), length(1e5)
    half = n // 2

    def scattered(p, count, dtype):
        return p.astype(p.arange(count) * 2654435761 % 2 ** 32, dtype)

    return {
        "qx": lambda p: scattered(p, n, "float32"),
        "qrows": lambda p: scattered(p, rows * 100, "float32").reshape(rows, 100),
        "qlong": lambda p: scattered(p, rows * 100, "float32").reshape(rows // 10, 1000),
        "qnumbers": lambda p: scattered(p, n, "int64") % 100000,
        "qmembers": lambda p: scattered(p, 10000, "int64") % 100000,
        "qfew": lambda p: scattered(p, 10000, "float32"),
        "qhalf": lambda p: scattered(p, half, "float32"),
        "qother": lambda p: scattered(p, n, "float32")[half:] + 0,
    }


def workloads(length):
    """name, bytes, inputs"""
    n, rows = length(1e7), length(1e5)
    return [
        ("median_f32_1e7", 4 * n, "qx"),
        ("median_rows_f32_1e5x100", 404 * rows, "qrows"),
        ("percentile5_f32_1e7", 4 * n, "qx"),
        ("nanmedian_f32_1e7", 4 * n, "qx"),
        ("partition_f32_1e7", 8 * n, "qx"),
        ("argpartition_f32_1e7", 12 * n, "qx"),
        ("topk100_f32_1e7", 4 * n, "qx"),
        ("topk10_rows_f32_1e4x1000", 401 * rows, "qlong"),
        ("isin_f32_1e7_1e4", 5 * n, "qx qfew"),
        ("isin_i64_1e7_1e4", 9 * n, "qnumbers qmembers"),
        ("union1d_f32_2x5e6", 8 * n, "qhalf qother"),
        ("intersect1d_f32_2x5e6", 4 * n, "qhalf qother"),
    ]


def greatest(xp, x, k):
    """The k greatest elements of rows and their positions, which neither NumPy nor CuPy has in one function."""
    places = xp.argpartition(x, x.shape[-1] - k, axis=-1)[..., -k:]
    values = xp.take_along_axis(x, places, -1)
    order = xp.argsort(-values, axis=-1)
    return xp.take_along_axis(values, order, -1), xp.take_along_axis(places, order, -1)


def array_functions(xp):
    """NumPy's and CuPy's."""
    return {
        "median_f32_1e7": xp.median,
        "median_rows_f32_1e5x100": lambda x: xp.median(x, axis=1),
        "percentile5_f32_1e7": lambda x: xp.percentile(x, xp.asarray(PERCENTAGES)),
        "nanmedian_f32_1e7": xp.nanmedian,
        "partition_f32_1e7": lambda x: xp.partition(x, x.size // 2 - 1),
        "argpartition_f32_1e7": lambda x: xp.argpartition(x, x.size // 2 - 1),
        "topk100_f32_1e7": lambda x: greatest(xp, x, 100),
        "topk10_rows_f32_1e4x1000": lambda x: greatest(xp, x, 10),
        "isin_f32_1e7_1e4": xp.isin,
        "isin_i64_1e7_1e4": xp.isin,
        "union1d_f32_2x5e6": xp.union1d,
        "intersect1d_f32_2x5e6": xp.intersect1d,
    }


def torch_functions(torch):
    """torch.median of an even count is the lower one of two; torch.quantile refuses more than 2^24 elements. It parts
    nothing: torch.kthvalue finds the element alone."""
    return {
        "median_f32_1e7": torch.median,
        "median_rows_f32_1e5x100": lambda x: torch.median(x, dim=1)[0],
        "percentile5_f32_1e7": lambda x: torch.quantile(x, torch.tensor(PERCENTAGES, device=x.device) / 100),
        "nanmedian_f32_1e7": torch.nanmedian,
        "partition_f32_1e7": lambda x: torch.kthvalue(x, len(x) // 2),
        "topk100_f32_1e7": lambda x: torch.topk(x, 100),
        "topk10_rows_f32_1e4x1000": lambda x: torch.topk(x, 10),
        "isin_f32_1e7_1e4": torch.isin,
        "isin_i64_1e7_1e4": torch.isin,
        "union1d_f32_2x5e6": lambda a, b: torch.unique(torch.cat((a, b))),
    }
