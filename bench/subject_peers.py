"""The equivalents of the workloads that subjects.lua lists, for other libraries: each file has the functions below."""
import fft_peers
import files_peers
import gather_peers
import interpolate_peers
import linalg_peers
import ndimage_peers
import nets_peers
import products_peers
import programs_peers
import quantile_peers
import random_peers
import shape_peers
import signal_peers
import sort_peers
import sparse_peers
import special_peers
import statistics_peers
import stats_peers
import sums_peers

SUBJECTS = [fft_peers, files_peers, gather_peers, interpolate_peers, linalg_peers, ndimage_peers, nets_peers,
            products_peers, programs_peers, quantile_peers, random_peers, shape_peers, signal_peers, sort_peers,
            sparse_peers, special_peers, statistics_peers, stats_peers, sums_peers]


def makers(length):
    """Inputs by name, as functions of a peer."""
    return {name: make for subject in SUBJECTS for name, make in subject.makers(length).items()}


def workloads(length):
    """name, bytes, inputs"""
    return [row for subject in SUBJECTS for row in subject.workloads(length)]


def array_functions(xp):
    """NumPy's and CuPy's."""
    return {name: fn for subject in SUBJECTS for name, fn in subject.array_functions(xp).items()}


def torch_functions(torch):
    return {name: fn for subject in SUBJECTS for name, fn in subject.torch_functions(torch).items()}
