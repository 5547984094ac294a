"""The equivalents of fft.lua for other libraries, for subject_peers.py."""
import math


def lengths(length):
    n = 2 ** round(math.log2(length(2 ** 24)))
    return n, int(length(1e4)), int(math.sqrt(length(2 ** 24)))


def makers(length):
    """Inputs by name, as functions of something that has arange(count) and astype(x, dtype)."""
    n, rows, side = lengths(length)

    def wave(dtype, *shape):
        return lambda p: p.astype((p.arange(math.prod(shape)) * 12.9898) % 2 - 1, dtype).reshape(shape)

    return {
        "wave_c": wave("complex64", n),
        "wave_z": wave("complex128", n),
        "wave_s": wave("float32", n),
        "wave_d": wave("float64", n),
        "wave_c_rows": wave("complex64", rows, 1024),
        "wave_z_rows": wave("complex128", rows, 1024),
        "wave_d_rows": wave("float64", rows, 1024),
        "wave_c_square": wave("complex64", side, side),
        "wave_z_square": wave("complex128", side, side),
        "wave_z_prime": wave("complex128", math.ceil(rows / 10), 1009),
        "wave_c_half": wave("complex64", n // 2 + 1),
        "wave_c_odd": wave("complex64", rows, 1001),
        "wave_c_short": wave("complex64", 100 * rows, 16),
        "wave_c_cube": wave("complex64", 256, 256, math.ceil(rows / 79)),
    }


def workloads(length):
    """name, bytes, inputs"""
    n, rows, side = lengths(length)
    primes = 32 * 1009 * math.ceil(rows / 10)
    return [
        ("fft_c64_2p24", 16 * n, "wave_c"),
        ("fft_c128_2p24", 32 * n, "wave_z"),
        ("ifft_c64_2p24", 16 * n, "wave_c"),
        ("rfft_f32_2p24", 8 * n, "wave_s"),
        ("rfft_f64_2p24", 16 * n, "wave_d"),
        ("irfft_c64_2p24", 8 * n, "wave_c_half"),
        ("fft_c64_1e4x1024", 16384 * rows, "wave_c_rows"),
        ("fft_c128_1e4x1024", 32768 * rows, "wave_z_rows"),
        ("rfft_f64_1e4x1024", 16384 * rows, "wave_d_rows"),
        ("fft_axis1_c128_1e4x1024", 32768 * rows, "wave_z_rows"),
        ("fft2_c64_4096", 16 * side * side, "wave_c_square"),
        ("fft2_c128_4096", 32 * side * side, "wave_z_square"),
        ("fft_c128_1e3x1009", primes, "wave_z_prime"),
        ("fft_axis1_c64_1e4x1024", 16384 * rows, "wave_c_rows"),
        ("fft_axis2_c64_256x256x128", 1048576 * math.ceil(rows / 79), "wave_c_cube"),
        ("fft_c64_1e4x1001", 16016 * rows, "wave_c_odd"),
        ("fft_c64_1e6x16", 25600 * rows, "wave_c_short"),
    ]


def functions(fft, along):
    """By the module that has transforms, and a function of one that goes along an axis, from 0."""
    table = {}
    for name, _, _ in workloads(lambda count: int(count)):
        table[name] = getattr(fft, name.split("_")[0])
    return dict(table, fft_axis1_c128_1e4x1024=along(0), fft_axis1_c64_1e4x1024=along(0),
                fft_axis2_c64_256x256x128=along(1))


def array_functions(xp):
    """NumPy's and CuPy's."""
    return functions(xp.fft, lambda axis: lambda x: xp.fft.fft(x, axis=axis))


def torch_functions(torch):
    return functions(torch.fft, lambda axis: lambda x: torch.fft.fft(x, dim=axis))
