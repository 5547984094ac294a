"""The equivalents of shapes.lua for other libraries, for numpy_twin.py and gpu_peers.py."""


def makers(length):
    """Inputs by name, as functions of something that has spread(*shape) and arange(count)."""
    n, rows, columns = length(1e7), length(2000), 5000
    return {
        "sx": lambda p: p.spread(n),
        "shalf": lambda p: p.spread(n // 2),
        "stenth": lambda p: p.spread(n // 10),
        "sthousand": lambda p: p.spread(1000),
        "scounts": lambda p: p.arange(n // 2) * 7919 % 5,
        "sm": lambda p: p.spread(rows, columns),
    }


def workloads(length):
    """name, bytes, inputs"""
    n, size = length(1e7), length(2000) * 5000
    return [
        ("launch_concat1000", 0, "sthousand"),
        ("launch_stack4", 0, "sthousand"),
        ("concat_f32_2x5e6", 16 * (n // 2), "shalf"),
        ("stack_columns_f32_2x5e6", 16 * (n // 2), "shalf"),
        ("roll_f32_1e7", 8 * n, "sx"),
        ("pad_f32_2000x5000", 8 * size, "sm"),
        ("pad_reflect_f32_2000x5000", 8 * size, "sm"),
        ("tile_f32_1000x1e4", 4000 * (n // 1000), "sthousand sx"),
        ("repeat_f32_1e6x10", 44 * (n // 10), "stenth"),
        ("repeat_counts_f32_5e6", 20 * (n // 2), "shalf scounts"),
        ("flip_copy_f32_1e7", 8 * n, "sx"),
        ("delete_f32_1e7", 8 * n, "sx"),
    ]


def array_functions(xp):
    """NumPy's and CuPy's."""
    pieces = {}

    def concatenate_pieces(x):
        if pieces.get("of") is not x:
            pieces.update(of=x, list=[x[:10] for _ in range(1000)])
        return xp.concatenate(pieces["list"])

    functions = {
        "launch_concat1000": concatenate_pieces,
        "launch_stack4": lambda x: xp.stack([x, x, x, x]),
        "concat_f32_2x5e6": lambda x: xp.concatenate([x, x]),
        "stack_columns_f32_2x5e6": lambda x: xp.stack([x, x], 1),
        "roll_f32_1e7": lambda x: xp.roll(x, 1000),
        "pad_f32_2000x5000": lambda m: xp.pad(m, 10),
        "pad_reflect_f32_2000x5000": lambda m: xp.pad(m, 10, "reflect"),
        "tile_f32_1000x1e4": lambda x, like: xp.tile(x, like.size // 1000),
        "repeat_f32_1e6x10": lambda x: x.repeat(10),
        "flip_copy_f32_1e7": lambda x: x[::-1].copy(),
        "delete_f32_1e7": lambda x: xp.delete(x, [4, -5]),
    }
    if xp.__name__ == "numpy":  # CuPy takes counts as a list only
        functions["repeat_counts_f32_5e6"] = lambda x, counts: x.repeat(counts)
    return functions


def torch_functions(torch):
    pad = torch.nn.functional.pad
    return {
        "launch_stack4": lambda x: torch.stack([x, x, x, x]),
        "concat_f32_2x5e6": lambda x: torch.cat([x, x]),
        "stack_columns_f32_2x5e6": lambda x: torch.stack([x, x], 1),
        "roll_f32_1e7": lambda x: torch.roll(x, 1000),
        "pad_f32_2000x5000": lambda m: pad(m, (10,) * 4),
        "pad_reflect_f32_2000x5000": lambda m: pad(m[None], (10,) * 4, "reflect"),
        "repeat_f32_1e6x10": lambda x: x.repeat_interleave(10),
        "repeat_counts_f32_5e6": lambda x, counts: x.repeat_interleave(counts),
        "flip_copy_f32_1e7": lambda x: x.flip(0),
    }
