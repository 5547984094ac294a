"""The equivalents of statistics.lua for other libraries, for subject_peers.py."""
STEP, ROUND, COUNT = 7919, 104729, 1000


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n = length(1e7)

    def scattered(p, dtype):
        return p.astype(p.arange(n) * STEP % ROUND / ROUND, dtype)

    return {
        "scattered": lambda p: scattered(p, "float32"),
        "sw": lambda p: scattered(p, "float64"),
        "sorted": lambda p: p.astype((p.arange(COUNT) / COUNT) ** 2, "float32"),
        "sorted_long": lambda p: p.astype(p.arange(1000000) / 1e6, "float32"),
        "slots": lambda p: p.arange(n) * STEP % COUNT,
        "few_slots": lambda p: p.arange(n) * STEP % 16,
        "many_slots": lambda p: p.arange(n) * STEP % 1000000,
        "one_slot": lambda p: p.astype(p.arange(n // 10) % 100 == 0, "int64"),
        "uneven_slots": lambda p: p.arange(n) * STEP % 1000000 * (p.arange(n) % 10 == 0),
    }


def workloads(length):
    """name, bytes, inputs"""
    n = length(1e7)
    return [
        ("searchsorted_f32_1e7_1e3", 12 * n, "sorted scattered"),
        ("searchsorted_f32_1e7_1e6", 12 * n, "sorted_long scattered"),
        ("digitize_f32_1e7_1e3", 12 * n, "sorted scattered"),
        ("histogram10_f32_1e7", 4 * n, "scattered"),
        ("histogram1000_f32_1e7", 4 * n, "scattered"),
        ("histogram1e6_f32_1e7", 4 * n + 8000000, "scattered"),
        ("histogram_edges_f32_1e7", 4 * n, "sorted scattered"),
        ("histogram_weights_f32_1e7", 12 * n, "scattered sw"),
        ("bincount16_1e7", 8 * n, "few_slots"),
        ("bincount_1e7", 8 * n, "slots"),
        ("bincount1e6_1e7", 8 * n + 8000000, "many_slots"),
        ("bincount_one_1e6", 0.8 * n, "one_slot"),
        ("bincount_uneven1e6_1e7", 8 * n + 8000000, "uneven_slots"),
        ("bincount_weights_1e7", 16 * n, "slots sw"),
    ]


def array_functions(xp):
    """NumPy's and CuPy's."""
    return {
        "searchsorted_f32_1e7_1e3": xp.searchsorted,
        "searchsorted_f32_1e7_1e6": xp.searchsorted,
        "digitize_f32_1e7_1e3": lambda s, x: xp.digitize(x, s),
        "histogram10_f32_1e7": xp.histogram,
        "histogram1000_f32_1e7": lambda x: xp.histogram(x, 1000),
        "histogram1e6_f32_1e7": lambda x: xp.histogram(x, 1000000),
        "histogram_edges_f32_1e7": lambda s, x: xp.histogram(x, s),
        "histogram_weights_f32_1e7": lambda x, w: xp.histogram(x, 1000, weights=w),
        "bincount16_1e7": xp.bincount,
        "bincount_1e7": xp.bincount,
        "bincount1e6_1e7": xp.bincount,
        "bincount_one_1e6": lambda v: xp.bincount(v, minlength=16),
        "bincount_uneven1e6_1e7": xp.bincount,
        "bincount_weights_1e7": xp.bincount,
    }


def torch_functions(torch):
    return {
        "searchsorted_f32_1e7_1e3": torch.searchsorted,
        "searchsorted_f32_1e7_1e6": torch.searchsorted,
        "digitize_f32_1e7_1e3": lambda s, x: torch.bucketize(x, s),
        "histogram10_f32_1e7": lambda x: torch.histc(x, 10),
        "histogram1000_f32_1e7": lambda x: torch.histc(x, 1000),
        "histogram1e6_f32_1e7": lambda x: torch.histc(x, 1000000),
        "bincount16_1e7": torch.bincount,
        "bincount_1e7": torch.bincount,
        "bincount1e6_1e7": torch.bincount,
        "bincount_one_1e6": lambda v: torch.bincount(v, minlength=16),
        "bincount_uneven1e6_1e7": torch.bincount,
        "bincount_weights_1e7": torch.bincount,
    }
