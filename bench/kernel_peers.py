"""The equivalents of kernels.lua for other libraries, for numpy_twin.py and gpu_peers.py."""
import math
import os
import time

EACH_ROW = {"axis": 1, "keepdims": True}


def source(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name)) as file:
        return file.read()


def makers(length, side):
    """Inputs by name, as functions of something that has spread(*shape) and zeros(*shape)."""
    n, small, s, k = length(1e8), length(1e7), side(10000), tiles_side(side)
    return {
        "z": lambda p: p.spread(n) + 1,
        "x7": lambda p: p.spread(small),
        "total": lambda p: p.zeros(1),
        "gain": lambda p: p.spread(s),
        "bias": lambda p: p.spread(s),
        "ma": lambda p: p.spread(k, k),
        "mb": lambda p: p.spread(k, k),
        "mc": lambda p: p.zeros(k, k),
    }


def tiles_side(side):
    return math.ceil(side(512) / 16) * 16


def workloads(length, side):
    """name, bytes, inputs"""
    n, small, s = length(1e8), length(1e7), side(10000)
    rows = [
        ("launch_kernel16", 0, "a16 b16"),
        ("launch_fused16", 0, "a16 b16"),
        ("launch_reduction16", 0, "a16"),
        ("launch_scan16", 0, "a16"),
        ("launch_raw16", 0, "a16 b16"),
        ("launch_jit16", 0, "a16 b16"),
        ("sqdiff_%s_f32_1e8", 12 * n, "x y"),
        ("kernel_sqdiff_f32_1e8", 12 * n, "x y"),
        ("kernel_reverse_f32_1e8", 8 * n, "x"),
        ("trig_%s_f32_1e8", 16 * n, "x y z"),
        ("var_%s_f32_1e8", 4 * n, "x"),
        ("l2norm_%s_f32_1e8", 4 * n, "x"),
        ("kernel_l2norm_f32_1e8", 4 * n, "x"),
        ("dot_%s_f32_1e8", 8 * n, "x y"),
        ("kernel_dot_f32_1e8", 8 * n, "x y"),
        ("kernel_cumsum_f32_1e8", 8 * n, "x"),
        ("saxpy_%s_f32_1e8", 12 * n, "x y"),
        ("raw_saxpy_f32_1e8", 12 * n, "x y"),
        ("jit_saxpy_f32_1e8", 12 * n, "x y"),
        ("kernel_cumsum_axis0_10000", 8 * s * s, "m10"),
        ("kernel_cumsum_axis1_10000", 8 * s * s, "m10"),
        ("softmax_%s_axis1_10000", 8 * s * s, "m10"),
        ("layernorm_%s_axis1_10000", 8 * s * s + 8 * s, "m10 gain bias"),
        ("var_%s_axis1_10000", 4 * s * s + 4 * s, "m10"),
        ("sum_f32_1e7", 4 * small, "x7"),
        ("raw_sum_shared_f32_1e7", 4 * small, "x7 total"),
        ("raw_matmul_tiled_512", 0, "ma mb mc"),
        ("new_fused", 0, "a16"),
        ("new_elementwise_kernel", 0, "a16"),
        ("new_reduction_kernel", 0, "a16"),
        ("new_raw_kernel", 0, "a16 b16"),
    ]
    return [(name.replace("%s", form), *rest) for name, *rest in rows
            for form in (("unfused", "fused") if "%s" in name else ("",))]


def sqdiff(x, y):
    return (x - y) ** 2


def saxpy(x, y):
    y += 2.5 * x


def both_forms(closures):
    """The functions of rows that are measured with and without fusing, for peers that cannot fuse."""
    return {name.replace("%s", form): fn for name, fn in closures.items() for form in ("unfused", "fused")}


def array_closures(xp):
    """Array expressions of NumPy and CuPy, by names with %s for "unfused" or "fused"."""
    def softmax(m):
        e = xp.exp(m - m.max(**EACH_ROW))
        return e / e.sum(**EACH_ROW)

    def layernorm(m, gain, bias):
        d = m - m.mean(**EACH_ROW)
        return d / xp.sqrt((d * d).mean(**EACH_ROW) + 1e-5) * gain + bias

    def variance(x):
        d = x - x.mean()
        return (d * d).mean()

    def variance_rows(m):
        d = m - m.mean(**EACH_ROW)
        return (d * d).mean(**EACH_ROW)

    return {
        "sqdiff_%s_f32_1e8": sqdiff,
        "trig_%s_f32_1e8": lambda x, y, z: xp.sin(x) + xp.cos(y) / xp.sqrt(z),
        "var_%s_f32_1e8": variance,
        "l2norm_%s_f32_1e8": lambda x: xp.sqrt((x * x).sum()),
        "dot_%s_f32_1e8": lambda x, y: (x * y).sum(),
        "saxpy_%s_f32_1e8": saxpy,
        "softmax_%s_axis1_10000": softmax,
        "layernorm_%s_axis1_10000": layernorm,
        "var_%s_axis1_10000": variance_rows,
    }


def array_functions(xp):
    """What a user of NumPy writes; the functions that NumPy has stand beside kernels."""
    return dict(both_forms(array_closures(xp)), **{
        "launch_kernel16": sqdiff,
        "launch_fused16": lambda x, y: (x - y) * (x - y),
        "launch_reduction16": xp.linalg.norm,
        "launch_scan16": xp.cumsum,
        "launch_raw16": saxpy,
        "launch_jit16": saxpy,
        "kernel_sqdiff_f32_1e8": sqdiff,
        "kernel_reverse_f32_1e8": lambda x: x[::-1].copy(),
        "kernel_l2norm_f32_1e8": xp.linalg.norm,
        "kernel_dot_f32_1e8": xp.dot,
        "kernel_cumsum_f32_1e8": xp.cumsum,
        "raw_saxpy_f32_1e8": saxpy,
        "jit_saxpy_f32_1e8": saxpy,
        "kernel_cumsum_axis0_10000": lambda m: xp.cumsum(m, 0),
        "kernel_cumsum_axis1_10000": lambda m: xp.cumsum(m, 1),
        "sum_f32_1e7": lambda x: x.sum(),
        "raw_sum_shared_f32_1e7": lambda x, total: x.sum(),
        "raw_matmul_tiled_512": lambda a, b, c: xp.matmul(a, b, out=c),
    })


def jit_saxpy(a, x, y, size):
    i = jit.grid(1)  # noqa: F821, the name is set by cupy_jit
    if i < size:
        y[i] = a * x[i] + y[i]


def cupy_jit():
    """The kernel of jit_saxpy; cupyx.jit finds the module by the function's globals."""
    from cupyx import jit
    globals()["jit"] = jit
    return jit.rawkernel()(jit_saxpy)


def by_saxpy(xp, kernel):
    def run(x, y):
        kernel(((x.size + 255) // 256,), (256,), (xp.float32(2.5), x, y, xp.int32(x.size)))
    return run


def cupy_kernels(xp):
    """CuPy's kernels of the user's own text."""
    elementwise = xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "sqdiff")
    reverse = xp.ElementwiseKernel("raw T x", "T z", "z = x[_ind.size() - i - 1]", "reverse")
    l2norm = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    dot = xp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot")
    raw_saxpy, jitted = by_saxpy(xp, xp.RawKernel(source("saxpy.cu"), "saxpy")), by_saxpy(xp, cupy_jit())
    module = xp.RawModule(code=source("shared.cu"))
    sum_shared, matmul = module.get_function("sum_shared"), module.get_function("matmul_tiled")

    def total_of(x, total):
        total.fill(0)
        sum_shared(((x.size + 4095) // 4096,), (256,), (x, total, xp.int32(x.size)))

    def product(a, b, c):
        tiles = len(a) // 16
        matmul((tiles, tiles), (16, 16), (a, b, c, xp.int32(len(a))))

    return {
        "launch_kernel16": elementwise,
        "launch_reduction16": l2norm,
        "launch_raw16": raw_saxpy,
        "launch_jit16": jitted,
        "kernel_sqdiff_f32_1e8": elementwise,
        "kernel_reverse_f32_1e8": lambda x: reverse(x, size=x.size),
        "kernel_l2norm_f32_1e8": l2norm,
        "kernel_dot_f32_1e8": dot,
        "raw_saxpy_f32_1e8": raw_saxpy,
        "jit_saxpy_f32_1e8": jitted,
        "raw_sum_shared_f32_1e7": total_of,
        "raw_matmul_tiled_512": product,
    }


def cupy_fused(xp):
    """What CuPy fuses; reductions over axes are its library's functions where it has them."""
    from cupyx.scipy.special import softmax
    closures = array_closures(xp)

    def fuse(name, fn):
        return xp.fuse(kernel_name=name)(fn)

    return {
        "launch_fused16": fuse("square_of_difference", lambda x, y: (x - y) * (x - y)),
        "sqdiff_fused_f32_1e8": fuse("sqdiff", sqdiff),
        "trig_fused_f32_1e8": fuse("trig", closures["trig_%s_f32_1e8"]),
        "saxpy_fused_f32_1e8": fuse("saxpy", saxpy),
        "l2norm_fused_f32_1e8": xp.linalg.norm,
        "dot_fused_f32_1e8": xp.dot,
        "var_fused_f32_1e8": lambda x: x.var(),
        "softmax_fused_axis1_10000": lambda m: softmax(m, axis=1),
        "var_fused_axis1_10000": lambda m: m.var(**EACH_ROW),
    }


def cupy_compilations(xp):
    """Functions that make a kernel whose text is new at every call, and launch it."""
    def name(what):
        return "%s_%d" % (what, time.time_ns())

    def fused(x):
        xp.fuse(kernel_name=name("fused"))(lambda a: (a - 1) * (a - 1))(x)

    def raw(x, y):
        new = name("saxpy")
        by_saxpy(xp, xp.RawKernel(source("saxpy.cu").replace("saxpy", new), new))(x, y)

    return {
        "new_fused": fused,
        "new_elementwise_kernel": lambda x: xp.ElementwiseKernel(
            "T x", "T z", "z = (x - 1) * (x - 1)", name("square"))(x),
        "new_reduction_kernel": lambda x: xp.ReductionKernel(
            "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", name("l2norm"))(x),
        "new_raw_kernel": raw,
    }


def cupy_functions(xp):
    plain = array_functions(xp)
    unfused = {name: fn for name, fn in plain.items() if "_fused" not in name}
    return dict(unfused, **cupy_kernels(xp), **cupy_fused(xp), **cupy_compilations(xp))


def torch_closures(torch):
    def softmax(m):
        e = torch.exp(m - m.amax(1, keepdim=True))
        return e / e.sum(1, keepdim=True)

    def layernorm(m, gain, bias):
        d = m - m.mean(1, keepdim=True)
        return d / torch.sqrt((d * d).mean(1, keepdim=True) + 1e-5) * gain + bias

    def variance(x):
        d = x - x.mean()
        return (d * d).mean()

    def variance_rows(m):
        d = m - m.mean(1, keepdim=True)
        return (d * d).mean(1, keepdim=True)

    return {
        "sqdiff_%s_f32_1e8": sqdiff,
        "trig_%s_f32_1e8": lambda x, y, z: torch.sin(x) + torch.cos(y) / torch.sqrt(z),
        "var_%s_f32_1e8": variance,
        "l2norm_%s_f32_1e8": lambda x: torch.sqrt((x * x).sum()),
        "dot_%s_f32_1e8": lambda x, y: (x * y).sum(),
        "saxpy_%s_f32_1e8": saxpy,
        "softmax_%s_axis1_10000": softmax,
        "layernorm_%s_axis1_10000": layernorm,
        "var_%s_axis1_10000": variance_rows,
    }


def torch_functions(torch):
    """Fused: torch.compile of the expression, and the library's function where it has one."""
    closures = torch_closures(torch)
    unfused = {name.replace("%s", "unfused"): fn for name, fn in closures.items()}
    layer_norm = torch.nn.functional.layer_norm
    return dict(unfused, **{
        "launch_fused16": torch.compile(lambda x, y: (x - y) * (x - y)),
        "sqdiff_fused_f32_1e8": torch.compile(sqdiff),
        "trig_fused_f32_1e8": torch.compile(closures["trig_%s_f32_1e8"]),
        "saxpy_fused_f32_1e8": lambda x, y: y.add_(x, alpha=2.5),
        "l2norm_fused_f32_1e8": torch.linalg.vector_norm,
        "dot_fused_f32_1e8": torch.dot,
        "var_fused_f32_1e8": lambda x: x.var(correction=0),
        "softmax_fused_axis1_10000": lambda m: torch.softmax(m, 1),
        "layernorm_fused_axis1_10000": lambda m, gain, bias: layer_norm(m, m.shape[1:], gain, bias),
        "var_fused_axis1_10000": lambda m: m.var(1, correction=0, keepdim=True),
        "launch_scan16": lambda x: torch.cumsum(x, 0),
        "kernel_cumsum_f32_1e8": lambda x: torch.cumsum(x, 0),
        "kernel_cumsum_axis0_10000": lambda m: torch.cumsum(m, 0),
        "kernel_cumsum_axis1_10000": lambda m: torch.cumsum(m, 1),
        "sum_f32_1e7": lambda x: x.sum(),
    })
