"""The equivalents of products.lua for other libraries, for subject_peers.py."""

MATRICES = {"f32_128": 4, "f32_1024": 4, "f32_4096": 4, "f64_1024": 8, "f16_1024": 2, "c64_1024": 8, "i32_1024": 4}
DTYPES = {"f32": "float32", "f64": "float64", "f16": "float16", "c64": "complex64", "i32": "int32"}


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    long, wide, side = length(1e8), length(8192), length(1e4)

    def filled(dtype, *shape):
        size = 1
        for extent in shape:
            size *= extent
        return lambda p: p.astype(p.arange(size) % 7 - 3, dtype).reshape(shape)

    table = {}
    for name in MATRICES:
        kind, edge = name.split("_")
        table["mat_" + name] = filled(DTYPES[kind], int(edge), int(edge))
    return dict(table, stack_f32=filled("float32", 64, 512, 512), small_f32=filled("float32", 10000, 8, 8),
                line_f32=filled("float32", long), square_f32=filled("float32", wide, wide),
                across_f32=filled("float32", wide), side_f32=filled("float32", side),
                block_f32=filled("float32", 100, 100), cube_f32=filled("float32", 64, 64, 256))


def workloads(length):
    """name, bytes, inputs"""
    long, wide, side = length(1e8), length(8192), length(1e4)
    rows = [("matmul_" + name, 2 * size * int(name.split("_")[1]) ** 2, "mat_" + name)
            for name, size in sorted(MATRICES.items())]
    return rows + [
        ("matmul_f32_64x512", 8 * 64 * 512 * 512, "stack_f32"),
        ("matmul_f32_10000x8", 8 * 640000, "small_f32"),
        ("dot_f32_1e8", 4 * long, "line_f32 line_f32"),
        ("matvec_f32_8192", 4 * wide * wide + 4 * wide, "square_f32 across_f32"),
        ("vecmat_f32_8192", 4 * wide * wide + 4 * wide, "across_f32 square_f32"),
        ("outer_f32_1e4", 8 * side + 4 * side * side, "side_f32 side_f32"),
        ("kron_f32_100", 80000 + 4 * 10 ** 8, "block_f32 block_f32"),
        ("tensordot_f32", 8 * 64 * 64 * 256 + 4 * 64 * 64, "cube_f32 cube_f32"),
    ]


def functions(matmul, dot, outer, kron, tensordot):
    table = {name: matmul for name, _, _ in workloads(int) if name.startswith("matmul")}
    return dict(table, dot_f32_1e8=dot, matvec_f32_8192=dot, vecmat_f32_8192=dot, outer_f32_1e4=outer, kron_f32_100=kron,
                tensordot_f32=tensordot)


def array_functions(xp):
    """NumPy's and CuPy's."""
    return functions(lambda x: xp.matmul(x, x), xp.dot, xp.outer, xp.kron,
                     lambda x, y: xp.tensordot(x, y, [[1, 2], [1, 2]]))


def torch_functions(torch):
    return functions(lambda x: torch.matmul(x, x), torch.matmul, torch.outer, torch.kron,
                     lambda x, y: torch.tensordot(x, y, ([1, 2], [1, 2])))
