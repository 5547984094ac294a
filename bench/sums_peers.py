"""The equivalents of sums.lua for other libraries, for subject_peers.py."""


def makers(length):
    """Inputs by name, as functions of a peer."""
    n, long, rows = length(1e7), length(1e6), length(1e4)
    return {
        "line": lambda p: p.spread(n),
        "doubles": lambda p: p.spread(n, dtype="float64"),
        "field": lambda p: p.spread(rows, 1000),
        "plane": lambda p: p.spread(rows, rows),
        "vectors": lambda p: p.spread(long, 3),
        "others": lambda p: p.spread(long, 3),
        "series": lambda p: p.spread(long),
        "whole": lambda p: p.astype(p.spread(long) * 100, "int64"),
        "filter": lambda p: p.spread(64),
        "long_filter": lambda p: p.spread(1001),
        "taps": lambda p: p.astype(p.spread(64) * 100, "int64"),
        "points": lambda p: p.astype(p.arange(1000), "float64") ** 1.1,
        "values": lambda p: p.spread(1000, dtype="float64"),
        "inside": lambda p: p.arange(n) * (1990 / n),
        "about": lambda p: p.arange(n) * 7919 % n * (1990 / n),
        "first": lambda p: p.spread(rows),
        "thousand": lambda p: p.spread(1000),
        "places": lambda p: p.astype(p.arange(n // 100), "int64") * 100,
        "far_places": lambda p: p.astype(p.arange(100), "int64") * (n // 100),
        "times": lambda p: p.arange(n) * 0.5,
    }


def workloads(length):
    """name, bytes, inputs"""
    n, long, rows = length(1e7), length(1e6), length(1e4)
    return [
        ("cumsum_f32_1e7", 8 * n, "line"),
        ("cumsum_f64_1e7", 16 * n, "doubles"),
        ("cumsum_axis0_f32_1e4x1000", 8000 * rows, "field"),
        ("cumsum_axis1_f32_1e4x1000", 8000 * rows, "field"),
        ("cummax_f32_1e7", 8 * n, "line"),
        ("diff_f32_1e7", 8 * n, "line"),
        ("diff2_f32_1e7", 8 * n, "line"),
        ("gradient_f32_1e7", 8 * n, "line"),
        ("gradient_f32_1e4x1000", 12000 * rows, "field"),
        ("cross_f32_1e6x3", 36 * long, "vectors others"),
        ("trapezoid_f64_1e7", 16 * n, "doubles times"),
        ("convolve_f32_1e6x64", 8 * long, "series filter"),
        ("convolve_f32_1e6x1001", 8 * long, "series long_filter"),
        ("windows_mean_f32_1e6x32", 8 * long, "series"),
        ("convolve_i64_1e6x64", 16 * long, "whole taps"),
        ("interp_order_f64_1e7", 16 * n, "inside points values"),
        ("interp_jumps_f64_1e7", 16 * n, "about points values"),
        ("subtract_reduce_f32_1e4x1000", 4000 * rows, "field"),
        ("subtract_accumulate_f32_1e4x1000", 8000 * rows, "field"),
        ("add_reduceat_f32_1e7_1e5", 4 * n, "line places"),
        ("add_reduceat_f32_1e7_100", 4 * n, "line far_places"),
        ("var_axis0_f32_1e4x1e4", 4 * rows * (rows + 1), "plane"),
        ("var_axis1_f32_1e4x1e4", 4 * rows * (rows + 1), "plane"),
        ("nanstd_f32_1e4x1e4", 4 * rows * rows, "plane"),
        ("multiply_outer_f32_1e4x1000", 4000 * rows, "first thousand"),
    ]


def array_functions(xp):
    """NumPy's and CuPy's."""
    return {
        "cumsum_f32_1e7": xp.cumsum,
        "cumsum_f64_1e7": xp.cumsum,
        "cumsum_axis0_f32_1e4x1000": lambda m: m.cumsum(0),
        "cumsum_axis1_f32_1e4x1000": lambda m: m.cumsum(1),
        "cummax_f32_1e7": lambda x: xp.maximum.accumulate(x),
        "diff_f32_1e7": xp.diff,
        "diff2_f32_1e7": lambda x: xp.diff(x, 2),
        "gradient_f32_1e7": xp.gradient,
        "gradient_f32_1e4x1000": xp.gradient,
        "cross_f32_1e6x3": xp.cross,
        "trapezoid_f64_1e7": getattr(xp, "trapezoid", None) or xp.trapz,
        "convolve_f32_1e6x64": xp.convolve,
        "convolve_f32_1e6x1001": xp.convolve,
        "windows_mean_f32_1e6x32": lambda x: xp.lib.stride_tricks.sliding_window_view(x, 32).mean(1),
        "convolve_i64_1e6x64": xp.convolve,
        "interp_order_f64_1e7": xp.interp,
        "interp_jumps_f64_1e7": xp.interp,
        "subtract_reduce_f32_1e4x1000": lambda m: xp.subtract.reduce(m),
        "subtract_accumulate_f32_1e4x1000": lambda m: xp.subtract.accumulate(m),
        "add_reduceat_f32_1e7_1e5": lambda x, at: xp.add.reduceat(x, at),
        "add_reduceat_f32_1e7_100": lambda x, at: xp.add.reduceat(x, at),
        "var_axis0_f32_1e4x1e4": lambda m: m.var(0),
        "var_axis1_f32_1e4x1e4": lambda m: m.var(1),
        "nanstd_f32_1e4x1e4": xp.nanstd,
        "multiply_outer_f32_1e4x1000": lambda a, b: xp.multiply.outer(a, b),
    }


def torch_functions(torch):
    def convolve(a, v):
        return torch.nn.functional.conv1d(a.view(1, 1, -1), v.flip(0).view(1, 1, -1), padding=len(v) - 1).view(-1)

    return {
        "cumsum_f32_1e7": lambda x: x.cumsum(0),
        "cumsum_f64_1e7": lambda x: x.cumsum(0),
        "cumsum_axis0_f32_1e4x1000": lambda m: m.cumsum(0),
        "cumsum_axis1_f32_1e4x1000": lambda m: m.cumsum(1),
        "cummax_f32_1e7": lambda x: x.cummax(0)[0],
        "diff_f32_1e7": torch.diff,
        "diff2_f32_1e7": lambda x: torch.diff(x, 2),
        "gradient_f32_1e7": lambda x: torch.gradient(x)[0],
        "gradient_f32_1e4x1000": torch.gradient,
        "cross_f32_1e6x3": torch.linalg.cross,
        "trapezoid_f64_1e7": torch.trapezoid,
        "convolve_f32_1e6x64": convolve,
        "convolve_f32_1e6x1001": convolve,
        "windows_mean_f32_1e6x32": lambda x: x.unfold(0, 32, 1).mean(1),
        "var_axis0_f32_1e4x1e4": lambda m: m.var(0, correction=0),
        "var_axis1_f32_1e4x1e4": lambda m: m.var(1, correction=0),
        "multiply_outer_f32_1e4x1000": torch.outer,
    }
