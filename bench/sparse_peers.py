"""The equivalents of sparse.lua for other libraries, for subject_peers.py."""
import functools
import importlib

SIDE = 1000


def makers(length):
    """Inputs by name, as functions of a peer."""
    global SIDE
    SIDE = length(1000)
    return {
        "sparse_line": lambda p: p.spread(SIDE * SIDE) * 1.0,
        "sparse_lines": lambda p: p.spread(SIDE * SIDE, 32) * 1.0,
    }


def workloads(length):
    """name, bytes, inputs"""
    size = length(1000) ** 2
    return [
        ("sparse_grid_vector", (60 + 16) * size, "sparse_line"),
        ("sparse_grid_matrix32", (60 + 512) * size, "sparse_lines"),
        ("sparse_jumps_vector", (120 + 16) * size, "sparse_line"),
        ("sparse_jumps_matrix32", (120 + 512) * size, "sparse_lines"),
        ("sparse_grid_product", (120 + 156) * size, "sparse_line"),
        ("sparse_grid_cg20", 20 * (60 + 8) * size + 8 * size, "sparse_line"),
        ("sparse_jumps_tocsc", 240 * size, "sparse_line"),
    ]


def array_functions(xp):
    """SciPy's and CuPy's; none without SciPy."""
    try:
        sp = importlib.import_module("scipy.sparse" if xp.__name__ == "numpy" else "cupyx.scipy.sparse")
        linalg = importlib.import_module(sp.__name__ + ".linalg")
    except ImportError:
        return {}

    @functools.lru_cache(None)
    def grid():
        size = SIDE * SIDE
        ones = xp.ones(size)
        beside = ones.copy()
        beside[::SIDE] = 0
        A = sp.dia_matrix((xp.stack([-ones, -xp.roll(beside, -1), 4 * ones, -beside, -ones]),
                           xp.array([-SIDE, -1, 0, 1, SIDE])), shape=(size, size)).tocsr()
        A.eliminate_zeros()
        return A

    @functools.lru_cache(None)
    def jumps():
        size = SIDE * SIDE
        places = xp.arange(10 * size)
        return sp.csr_matrix((xp.ones(10 * size), (places // 10, places * 40503 % 1000003 * 7919 % size)),
                             shape=(size, size))

    return {
        "sparse_grid_vector": lambda x: grid().dot(x),
        "sparse_grid_matrix32": lambda x: grid().dot(x),
        "sparse_jumps_vector": lambda x: jumps().dot(x),
        "sparse_jumps_matrix32": lambda x: jumps().dot(x),
        "sparse_grid_product": lambda x: grid().dot(grid()).data,
        "sparse_grid_cg20": lambda x: linalg.cg(grid(), x, maxiter=20)[0],
        "sparse_jumps_tocsc": lambda x: jumps().tocsc().data,
    }


def torch_functions(torch):
    return {}
