"""The equivalents of sparse.lua for other libraries, for subject_peers.py."""
import functools
import importlib

SIDE, SHORT = 1000, 100


def makers(length):
    """Inputs by name, as functions of a peer."""
    global SIDE, SHORT
    SIDE, SHORT = length(1000), length(100)
    return {
        "sparse_line": lambda p: p.spread(SIDE * SIDE, dtype="float64"),
        "sparse_lines": lambda p: p.spread(SIDE * SIDE, 32, dtype="float64"),
        "sparse_volume": lambda p: p.spread(SHORT ** 3, dtype="float64"),
        "sparse_volumes": lambda p: p.spread(SHORT ** 3, 32, dtype="float64"),
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
    def made(row, col, data, size):
        """A csr matrix; its indices have 32 bits, as those of the others."""
        A = torch.sparse_coo_tensor(torch.stack([row, col]), data, (size, size)).coalesce().to_sparse_csr()
        return torch.sparse_csr_tensor(A.crow_indices().int(), A.col_indices().int(), A.values(), (size, size))

    def laplacian(side, axes):
        at = torch.arange(side ** axes, device="cuda")
        rows, cols, step = [at], [at], 1
        for _ in range(axes):
            after = at[at // step % side > 0]
            rows += [after, after - step]
            cols += [after - step, after]
            step *= side
        row = torch.cat(rows)
        data = torch.where(torch.arange(len(row), device="cuda") < len(at), 2.0 * axes, -1.0).double()
        return made(row, torch.cat(cols), data, len(at))

    def scattered(row):
        size = SIDE * SIDE
        places = torch.arange(10 * size, device="cuda")
        data = torch.ones(10 * size, dtype=torch.float64, device="cuda")
        return made(row(places, size), places * 40503 % 1000003 * 7919 % size, data, size)

    @functools.lru_cache(None)
    def grid():
        return laplacian(SIDE, 2)

    @functools.lru_cache(None)
    def cube():
        return laplacian(SHORT, 3)

    @functools.lru_cache(None)
    def jumps():
        return scattered(lambda places, size: places // 10)

    @functools.lru_cache(None)
    def odd():
        return scattered(lambda places, size: size - 1 - places // 10)

    @functools.lru_cache(None)
    def links():
        return scattered(lambda places, size: ((places.double() * 0.61803398874989 % 1) ** 3 * size).long())

    @functools.lru_cache(None)
    def pairs_of():
        A = grid().to_sparse_csc()
        size = SIDE * SIDE
        col = torch.repeat_interleave(torch.arange(size, device="cuda"), A.ccol_indices().diff())
        places = torch.stack([A.row_indices().long(), col])
        return torch.sparse_coo_tensor(torch.cat([places, places], 1), torch.cat([A.values(), A.values()]), A.shape)

    return {
        "sparse_grid_vector": lambda x: grid() @ x,
        "sparse_grid_matrix32": lambda x: grid() @ x,
        "sparse_jumps_vector": lambda x: jumps() @ x,
        "sparse_jumps_matrix32": lambda x: jumps() @ x,
        "sparse_cube_vector": lambda x: cube() @ x,
        "sparse_cube_matrix32": lambda x: cube() @ x,
        "sparse_graph_vector": lambda x: links() @ x,
        "sparse_graph_matrix32": lambda x: links() @ x,
        "sparse_grid_product": lambda x: (grid() @ grid()).values(),
        "sparse_jumps_tocsc": lambda x: jumps().to_sparse_csc().values(),
        "sparse_grid_tocsc": lambda x: grid().to_sparse_csc().values(),
        "sparse_coo_tocsr": lambda x: pairs_of().coalesce().to_sparse_csr().values(),
        "sparse_jumps_transposed": lambda x: jumps().t() @ x,
        "sparse_jumps_sum": lambda x: (jumps() + odd()).values(),
    }
