"""Writes einsum.lua: what NumPy answers to drawn and chosen subscripts.

A case is {subscripts, dtypes, arrays, optimize, result}; elements are small whole numbers, so that results are exact in any
order. Integers and bool keep their dtype.
Run: python3 spec/golden/einsum.py > spec/golden/einsum.lua
"""
import numpy as np
from listing import array, write

rng = np.random.default_rng(7)
DTYPES = ["float64", "float32", "int64", "complex128", "int8", "bool", "complex64", "uint16", "float16", "int32"]
CHOSEN = [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ji,jk->ki", [(3, 2), (3, 4)]), ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]), ("ij->ji", [(2, 3)]), ("ba", [(2, 3)]), ("ij->", [(2, 3)]), ("ij->j", [(2, 3)]),
    ("i,i", [(5,), (5,)]), ("i,j->ij", [(3,), (4,)]), ("i,j->ji", [(3,), (4,)]), ("ij,ij->ij", [(2, 3), (2, 3)]),
    ("ij,ij->i", [(2, 3), (2, 3)]), ("bij,bjk->bik", [(2, 3, 4), (2, 4, 2)]), ("bij,bkj->kbi", [(2, 3, 4), (2, 5, 4)]),
    ("ijk,kl->ijl", [(2, 3, 4), (4, 2)]), ("ijk,jil->kl", [(2, 3, 4), (3, 2, 2)]), ("iij->j", [(3, 3, 2)]),
    ("iji->j", [(3, 2, 3)]), ("iii->i", [(4, 4, 4)]), ("ii,ij->j", [(3, 3), (3, 2)]), ("i,i,i->i", [(4,), (4,), (4,)]),
    ("i,i,i->", [(4,), (4,), (4,)]), ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]), ("ij,jk,kl", [(2, 3), (3, 4), (4, 2)]),
    ("ij,jk,kl,li->", [(2, 3), (3, 2), (2, 4), (4, 2)]), ("a,ab,abc->abc", [(2,), (2, 3), (2, 3, 2)]),
    ("...ij,...jk->...ik", [(2, 2, 3), (3, 2)]), ("...ij,...jk", [(3, 1, 2, 3), (2, 3, 2)]), ("i...->...", [(2, 3, 4)]),
    ("...i->...", [(3, 4)]), ("...", [(2, 3)]), ("i...,i...->...", [(3, 2), (3, 1)]), ("...,...", [(2, 3), (3,)]),
    ("ij,j->i", [(2, 3), (1,)]), ("ij,ij->ij", [(1, 3), (2, 1)]), ("ij,jk->ik", [(2, 0), (0, 3)]),
    ("ij->i", [(3, 0)]), ("ij,jk->ik", [(0, 2), (2, 3)]), (",->", [(), ()]), (",i->i", [(), (3,)]), ("->", [()]),
    (" i j , j k -> i k ", [(2, 3), (3, 2)]), ("Ab,bA->A", [(2, 3), (3, 2)]), ("aB", [(2, 3)]),
    ("ab,cd,ef,ac,bd,eg->fg", [(2, 2), (2, 2), (2, 3), (2, 2), (2, 2), (2, 2)]),
    ("ab,bc,cd,de,ef,fg,gh->ah", [(2, 2)] * 7),
]


def drawn(count):
    """Random subscripts: up to four arrays of up to three axes, repeated labels among them."""
    for k in range(count):
        labels = "abcde"[:rng.integers(1, 6)]
        lengths = {label: int(rng.integers(1, 4)) for label in labels}
        terms = ["".join(rng.choice(list(labels), rng.integers(0, 4))) for _ in range(rng.integers(1, 5))]
        there = sorted(set("".join(terms)))
        output = "".join(rng.permutation(there)[: rng.integers(0, len(there) + 1)]) if there else ""
        yield ",".join(terms) + "->" + output, [tuple(lengths[label] for label in term) for term in terms]


def element(shape, dtype):
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    x = rng.integers(0 if dtype.startswith("u") else -2, 3, shape)
    return (x + 1j * rng.integers(-2, 3, shape) if dtype.startswith("complex") else x).astype(dtype)


def cases():
    for k, (subscripts, shapes) in enumerate(CHOSEN + list(drawn(60))):
        dtypes = [DTYPES[k % len(DTYPES)]] * len(shapes)
        if k % 7 == 6 and len(shapes) > 1 and all(shapes):
            dtypes[0] = "int32"
            dtypes[1] = "float32"
        arrays = [element(shape, dtype) for shape, dtype in zip(shapes, dtypes)]
        with np.errstate(all="ignore"):
            result = np.einsum(subscripts, *arrays)
        if result.dtype.kind in "fc" and np.abs(result).max(initial=0) > 2000:
            continue
        yield {"subscripts": subscripts, "arrays": [array(x) for x in arrays], "result": array(result)}


write("einsum", products=list(cases()))
