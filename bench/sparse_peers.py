"""The equivalents of sparse.lua for other libraries, for subject_peers.py."""
import functools
import importlib

SIDE, SHORT = 1000, 100


def makers(length):
    """Inputs by name, as functions of a peer."""
    global SIDE, SHORT
    SIDE, SHORT = length(1000), length(100)
    return {
        "sparse_line": lambda p: p.spread(SIDE * SIDE) * 1.0,
        "sparse_lines": lambda p: p.spread(SIDE * SIDE, 32) * 1.0,
        "sparse_volume": lambda p: p.spread(SHORT ** 3) * 1.0,
        "sparse_volumes": lambda p: p.spread(SHORT ** 3, 32) * 1.0,
    }


def workloads(length):
    """name, bytes, inputs"""
    size, volume = length(1000) ** 2, length(100) ** 3
    return [
        ("sparse_grid_vector", (60 + 16) * size, "sparse_line"),
        ("sparse_grid_matrix32", (60 + 512) * size, "sparse_lines"),
        ("sparse_jumps_vector", (120 + 16) * size, "sparse_line"),
        ("sparse_jumps_matrix32", (120 + 512) * size, "sparse_lines"),
        ("sparse_cube_vector", (84 + 16) * volume, "sparse_volume"),
        ("sparse_cube_matrix32", (84 + 512) * volume, "sparse_volumes"),
        ("sparse_graph_vector", (120 + 16) * size, "sparse_line"),
        ("sparse_graph_matrix32", (120 + 512) * size, "sparse_lines"),
        ("sparse_grid_product", (120 + 156) * size, "sparse_line"),
        ("sparse_grid_cg20", 20 * (60 + 8) * size + 8 * size, "sparse_line"),
        ("sparse_jumps_tocsc", 240 * size, "sparse_line"),
        ("sparse_grid_tocsc", 120 * size, "sparse_line"),
        ("sparse_coo_tocsr", 220 * size, "sparse_line"),
        ("sparse_jumps_transposed", (120 + 16) * size, "sparse_line"),
        ("sparse_jumps_sum", 480 * size, "sparse_line"),
        ("sparse_grid_sum", 180 * size, "sparse_line"),
        ("sparse_grid_setdiag", (120 + 8) * size, "sparse_line"),
        ("sparse_grid_diagonal", (60 + 8) * size, "sparse_line"),
        ("sparse_grid_transposed", (60 + 16) * size, "sparse_line"),
        ("sparse_grid_beside", 240 * size, "sparse_line"),
        ("sparse_eye", 16 * size, "sparse_line"),
        ("sparse_jumps_columns", 180 * size, "sparse_line"),
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
    def cube():
        side, size = SHORT, SHORT ** 3
        ones = xp.ones(size)
        beside, above = ones.copy(), xp.ones((side, side, side))
        beside[::side] = 0
        above[:, 0] = 0
        above = above.ravel()
        A = sp.dia_matrix((xp.stack([-ones, -xp.roll(above, -side), -xp.roll(beside, -1), 6 * ones, -beside, -above,
                                     -ones]),
                           xp.array([-side * side, -side, -1, 0, 1, side, side * side])), shape=(size, size)).tocsr()
        A.eliminate_zeros()
        return A

    def scattered(row):
        size = SIDE * SIDE
        places = xp.arange(10 * size)
        return sp.csr_matrix((xp.ones(10 * size), (row(places, size), places * 40503 % 1000003 * 7919 % size)),
                             shape=(size, size))

    @functools.lru_cache(None)
    def jumps():
        return scattered(lambda places, size: places // 10)

    @functools.lru_cache(None)
    def links():
        return scattered(lambda places, size: ((places * 0.61803398874989 % 1) ** 3 * size).astype("int64"))

    @functools.lru_cache(None)
    def pairs_of():
        B = grid().tocsc().tocoo()
        data, row, col = (xp.concatenate([part, part]) for part in (B.data, B.row, B.col))
        return sp.coo_matrix((data, (row, col)), shape=B.shape)

    @functools.lru_cache(None)
    def odd():
        return jumps()[::-1]

    def with_diagonal(x):
        A = grid().copy()
        A.setdiag(x)
        return A.data

    return {
        "sparse_grid_vector": lambda x: grid().dot(x),
        "sparse_grid_matrix32": lambda x: grid().dot(x),
        "sparse_jumps_vector": lambda x: jumps().dot(x),
        "sparse_jumps_matrix32": lambda x: jumps().dot(x),
        "sparse_cube_vector": lambda x: cube().dot(x),
        "sparse_cube_matrix32": lambda x: cube().dot(x),
        "sparse_graph_vector": lambda x: links().dot(x),
        "sparse_graph_matrix32": lambda x: links().dot(x),
        "sparse_grid_product": lambda x: grid().dot(grid()).data,
        "sparse_grid_cg20": lambda x: linalg.cg(grid(), x, maxiter=20)[0],
        "sparse_jumps_tocsc": lambda x: jumps().tocsc().data,
        "sparse_grid_tocsc": lambda x: grid().tocsc().data,
        "sparse_coo_tocsr": lambda x: pairs_of().tocsr().data,
        "sparse_jumps_transposed": lambda x: jumps().T.dot(x),
        "sparse_jumps_sum": lambda x: (jumps() + odd()).data,
        "sparse_grid_sum": lambda x: (grid() + grid().T).data,
        "sparse_grid_setdiag": with_diagonal,
        "sparse_grid_diagonal": lambda x: grid().diagonal(),
        "sparse_grid_transposed": lambda x: grid().T.dot(x),
        "sparse_grid_beside": lambda x: sp.hstack([grid(), grid()], format="csr").data,
        "sparse_eye": lambda x: sp.eye(SIDE * SIDE, format="csr").data,
        "sparse_jumps_columns": lambda x: jumps()[:, :SIDE * SIDE // 2].data,
    }


def torch_functions(torch):
    return {}
