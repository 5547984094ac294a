"""Writes positions_rule.lua: what NumPy answers, counted from 0, for the calls of spec/positions_rule_spec.lua.

`takes` has for each function that takes a position the results for all of NumPy's positions on the axis, from 0 on;
`answers` the positions that functions answer.

Run: python3 spec/golden/positions_rule.py >spec/golden/positions_rule.lua
"""
import numpy as np
import scipy.linalg

v = np.array([3.0, 1, 2])
m = np.array([[4.0, 1, 3], [2, 6, 5]])
s = np.array([[2.0, 7, 6], [9, 5, 1], [4, 3, 8]])
mask = np.array([[True, False, True], [False, True, True]])


def written(fn):
    x = np.zeros(3)
    fn(x)
    return x


def parts(list_of_arrays):
    """Where parts begin and what they hold, as one list: lengths, then elements."""
    return np.concatenate([[len(p) for p in list_of_arrays]] + [p.reshape(-1) for p in list_of_arrays])


def taken(n, fn):
    return [fn(p) for p in range(n)]


TAKES = {
    "index": taken(3, lambda p: v[p]),
    "assignment": taken(3, lambda p: written(lambda x: x.__setitem__(p, 7))),
    "take": taken(3, lambda p: np.take(v, p)),
    "add_reduceat": taken(3, lambda p: np.add.reduceat(v, [p])),
    "put": taken(3, lambda p: written(lambda x: np.put(x, p, 7))),
    "take_along_axis": taken(3, lambda p: np.take_along_axis(v, np.array([p]), 0)),
    "put_along_axis": taken(3, lambda p: written(lambda x: np.put_along_axis(x, np.array([p]), 7, 0))),
    "choose": taken(3, lambda p: np.choose(p, [10, 20, 30])),
    "unravel_index": taken(6, lambda p: np.array(np.unravel_index(p, (2, 3))) + 1),
    "ravel_multi_index": taken(3, lambda p: np.ravel_multi_index(([1], [p]), (2, 3)) + 1),
    "ix_": taken(3, lambda p: m[np.ix_([1], [p])]),
    "add_at": taken(3, lambda p: written(lambda x: np.add.at(x, p, 7))),
    "partition": taken(3, lambda p: np.partition(v, p)[p]),
    "argpartition": taken(3, lambda p: v[np.argpartition(v, p)[p]]),
    "searchsorted": taken(3, lambda p: np.searchsorted(np.roll([1, 2, 3], p), 2, sorter=np.roll([0, 1, 2], -p)) + 1),
    "delete": taken(3, lambda p: np.delete(v, p)),
    "insert": taken(4, lambda p: np.insert(v, p, 7)),
    "split": taken(3, lambda p: parts(np.split(v, [p]))),
    "array_split": taken(3, lambda p: parts(np.array_split(v, [p]))),
    "hsplit": taken(3, lambda p: parts(np.hsplit(v, [p]))),
    "vsplit": taken(3, lambda p: parts(np.vsplit(s, [p]))),
    "dsplit": taken(3, lambda p: parts([a.transpose(2, 0, 1) for a in np.dsplit(s.reshape(1, 3, 3), [p])])),
    "rollaxis": taken(3, lambda p: np.rollaxis(m, 0, p).shape),
    "bincount": taken(3, lambda p: np.bincount([p], minlength=3)),
}

order = np.argsort(v)
ANSWERS = {
    "argmax": np.argmax(m), "argmin": np.argmin(m), "nanargmax": np.nanargmax(m), "nanargmin": np.nanargmin(m),
    "argsort": np.argsort(m), "lexsort": np.lexsort((v, v)), "argpartition": np.argpartition(v, 0)[0],
    "topk": np.argmax(v), "unique": np.unique([5, 4, 5, 7], return_index=True)[1],
    "unique_inverse": np.unique([5, 4, 5, 7], return_inverse=True)[1],
    "factorize": np.unique([4, 5, 4, 7], return_inverse=True)[1],  # sorted is in the order in which they appear
    "unique_all": np.concatenate(np.unique([5, 4, 5, 7], return_index=True, return_inverse=True)[1:]),
    "ndindex": np.array(list(np.ndindex(2, 3))), "ndenumerate": np.array([at for at, _ in np.ndenumerate(m)]),
    "unique.inverse": np.unique([5, 4, 5, 7], return_inverse=True)[1],
    "intersect1d": np.concatenate(np.intersect1d([5, 1, 7], [7, 9, 5], return_indices=True)[1:]), "nonzero": np.nonzero(mask),
    "where": np.where(mask), "flatnonzero": np.flatnonzero(mask), "argwhere": np.argwhere(mask),
    "unravel_index": np.unravel_index([5, 1], (2, 3)),
    "ravel_multi_index": np.ravel_multi_index(([1, 0], [2, 1]), (2, 3)),
    "ix_": np.array([0, 2, 0, 1]), "indices": np.indices((2, 3)), "tril_indices": np.tril_indices(3),
    "triu_indices": np.triu_indices(3), "tril_indices_from": np.tril_indices_from(s),
    "triu_indices_from": np.triu_indices_from(s), "diag_indices": np.diag_indices(3),
    "diag_indices_from": np.diag_indices_from(s), "searchsorted": np.searchsorted([1, 2, 3], [0, 2, 2.5, 9]),
    "digitize": np.digitize([0, 2, 2.5, 9], [1, 2, 3]), "bincount": np.array([2]),
    "fromfunction": np.fromfunction(lambda i, j: 10 * i + j, (2, 3)), "range": np.arange(0, 3),
    "iter": np.arange(0, 3), "lu_factor": scipy.linalg.lu_factor(s)[1],
    "lu": np.argmax(scipy.linalg.lu(s)[0], axis=0),
    "einsum_path": np.array(np.einsum_path("ij,jk,kl->il", np.ones((9, 2)), np.ones((2, 8)), np.ones((8, 3)))[0][1:]),
}


def flat(value):
    return "{" + ", ".join("%g" % float(x) for x in np.concatenate([np.ravel(a) for a in np.atleast_1d(value)])) + "}"


print("return { -- made by positions_rule.py\n  takes = {")
for name, results in TAKES.items():
    print("    %s = {%s}," % (name, ", ".join(flat(r) for r in results)))
print("  },\n  answers = {")
for name, result in ANSWERS.items():
    print(("    %s = %s," if name.isidentifier() else '    ["%s"] = %s,') % (name, flat(np.asarray(result))))
print("  },\n}")
