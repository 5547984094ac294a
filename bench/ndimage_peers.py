"""The equivalents of ndimage.lua for other libraries, for subject_peers.py."""
import importlib


def makers(length):
    """Inputs by name, as functions of a peer."""
    side = length(4096)
    return {
        "picture": lambda p: p.spread(side, side),
        "spots": lambda p: p.spread(side, side) * 1e4 % 1 < 0.55,
    }


def workloads(length):
    """name, bytes, inputs"""
    nbytes = 4 * length(4096) ** 2
    return [
        ("ndimage_gaussian_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_uniform5_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_sobel_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_median5_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_maximum15_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_rotate_f32_4096", 2 * nbytes, "picture"),
        ("ndimage_zoom3_f32_4096", nbytes * 5 // 4, "picture"),
        ("ndimage_label_4096", nbytes * 5 // 4, "spots"),
        ("ndimage_edt_4096", nbytes * 9 // 4, "spots"),
        ("ndimage_erosion_4096", nbytes // 2, "spots"),
    ]


def array_functions(xp):
    """SciPy's and CuPy's; none without SciPy."""
    try:
        nd = importlib.import_module("scipy.ndimage" if xp.__name__ == "numpy" else "cupyx.scipy.ndimage")
    except ImportError:
        return {}
    return {
        "ndimage_gaussian_f32_4096": lambda x: nd.gaussian_filter(x, 2),
        "ndimage_uniform5_f32_4096": lambda x: nd.uniform_filter(x, 5),
        "ndimage_sobel_f32_4096": nd.sobel,
        "ndimage_median5_f32_4096": lambda x: nd.median_filter(x, 5),
        "ndimage_maximum15_f32_4096": lambda x: nd.maximum_filter(x, 15),
        "ndimage_rotate_f32_4096": lambda x: nd.rotate(x, 30, order=1, reshape=False),
        "ndimage_zoom3_f32_4096": lambda x: nd.zoom(x[::2, ::2], 2),
        "ndimage_label_4096": lambda x: nd.label(x)[0],
        "ndimage_edt_4096": nd.distance_transform_edt,
        "ndimage_erosion_4096": nd.binary_erosion,
    }


def torch_functions(torch):
    return {}
