"""The equivalents of nets.lua for other libraries, for subject_peers.py."""

SHAPES = [(4096, 4096), (16384, 1024), (1024, 16384), (64, 10 ** 6), (10 ** 6, 64)]
KINDS = {"f32": ("float32", 4), "f16": ("float16", 2)}


def makers(length):
    """Inputs by name, as functions of a peer."""
    rows, side = length(16384), length(4096)

    def around(dtype, *shape):
        return lambda p: p.astype(p.spread(*shape) * 2 - 1, dtype)

    table = {
        "nt_half": around("float16", rows, side),
        "nt_half_gain": around("float16", side),
        "nt_single": around("float32", rows, side),
        "nt_single_gain": around("float32", side),
        "nt_1000": around("float32", 1000, length(1e5)),
        "nt_64": around("float32", 64, length(1e6)),
        "nt_1e5": around("float32", length(1e5), 1000),
        "nt_64_half": around("float16", 64, length(1e6)),
        "nt_heads": around("float32", 32, length(2048), 64),
        "nt_heads_half": around("float16", 32, length(2048), 64),
        "nt_few": around("float32", 16),
        "nt_others": around("float32", 16),
        "nt_bytes": around("int8", length(1e7)),
        "nt_eights": around("float32", length(1e5), 8, 8),
        "nt_square16": lambda p: p.spread(16, 16) * 0,
    }
    for m, n in SHAPES:
        for kind, (dtype, _) in KINDS.items():
            name = "%dx%d_%s" % (m, n, kind)
            table["nt_m" + name], table["nt_v" + name] = around(dtype, length(m), length(n)), around(dtype, length(n))
    return table


def workloads(length):
    """name, bytes, inputs"""
    rows, side = length(16384), length(4096)
    table = [
        ("layernorm_f16_16384x4096", 4 * rows * side, "nt_half nt_half_gain nt_half_gain"),
        ("layernorm_f32_16384x4096", 8 * rows * side, "nt_single nt_single_gain nt_single_gain"),
        ("softmax_f32_1000x1e5", 8000 * length(1e5), "nt_1000"),
        ("softmax_f32_64x1e6", 512 * length(1e6), "nt_64"),
        ("softmax_f16_64x1e6", 256 * length(1e6), "nt_64_half"),
        ("softmax_f32_1e5x1000", 8000 * length(1e5), "nt_1e5"),
        ("attention_scores_f32_32x2048x64", 0, "nt_heads"),
        ("attention_scores_f16_32x2048x64", 0, "nt_heads_half"),
        ("attention_scores_tf32_32x2048x64", 0, "nt_heads"),
        ("attention_f32_32x2048x64", 0, "nt_heads"),
        ("attention_tf32_32x2048x64", 0, "nt_heads"),
        ("attention_f16_32x2048x64", 0, "nt_heads_half"),
        ("launch_item", 0, "nt_few"),
        ("launch_array16", 0, ""),
        ("launch_sum_item", 0, "nt_few nt_others"),
        ("launch_matmul16_out", 0, "nt_square16"),
        ("matmul_f32_1e5x8", 51200000, "nt_eights"),
        ("dot_i8_1e7", 10000000, "nt_bytes"),
    ]
    for m, n in SHAPES:
        for kind, (_, size) in KINDS.items():
            name = "%dx%d_%s" % (m, n, kind)
            table.append(("gemv_" + name, size * length(m) * (length(n) + 1), "nt_m%s nt_v%s" % (name, name)))
    return sorted(table)


NUMBERS = list(range(1, 17))


def functions(xp, softmax, layernorm, turned, array, into):
    def scores(q):
        return xp.matmul(q, turned(q))

    table = {name: softmax for name, _, _ in workloads(int) if name.startswith("softmax")}
    table.update({name: xp.matmul for name, _, _ in workloads(int) if name.startswith("gemv")})
    for kind in KINDS:
        table["layernorm_%s_16384x4096" % kind] = layernorm
        table["attention_scores_%s_32x2048x64" % kind] = scores
        table["attention_%s_32x2048x64" % kind] = lambda q: xp.matmul(softmax(scores(q) * 0.125), q)
    return dict(table, launch_item=lambda x: x[2].item(), launch_array16=array,
                launch_sum_item=lambda x, y: (x + y).sum().item(), launch_matmul16_out=into,
                matmul_f32_1e5x8=lambda x: xp.matmul(x, x))


def array_functions(xp):
    """NumPy's and CuPy's."""
    def softmax(m):
        e = xp.exp(m - m.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def layernorm(m, gain, bias):
        d = m - m.mean(1, keepdims=True)
        return d / xp.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * gain + bias

    return dict(functions(xp, softmax, layernorm, lambda q: q.swapaxes(1, 2), lambda: xp.array(NUMBERS, "float32"),
                          lambda x: xp.matmul(x, x, out=x)), dot_i8_1e7=lambda x: xp.dot(x, x))


def torch_functions(torch):
    def layernorm(m, gain, bias):
        return torch.nn.functional.layer_norm(m, m.shape[1:], gain, bias)

    def by_tf32(function):
        def run(*inputs):
            torch.backends.cuda.matmul.allow_tf32 = True
            try:
                return function(*inputs)
            finally:
                torch.backends.cuda.matmul.allow_tf32 = False
        return run

    table = functions(torch, lambda m: torch.softmax(m, -1), layernorm, lambda q: q.mT,
                      lambda: torch.tensor(NUMBERS, dtype=torch.float32, device="cuda"),
                      lambda x: torch.matmul(x, x))
    for name in ("attention_scores", "attention"):
        table[name + "_tf32_32x2048x64"] = by_tf32(table[name + "_f32_32x2048x64"])
    return table
