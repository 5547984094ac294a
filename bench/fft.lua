-- Workloads of Fourier transforms, as subjects.lua describes. Their twins are in fft_peers.py.
local cn = require "cuna"

return function(_, length)
  local n, rows, side = 2 ^ math.floor(math.log(length(2 ^ 24)) / math.log(2) + 0.5), length(1e4),
    math.floor(math.sqrt(length(2 ^ 24)))

  --- Numbers between -1 and 1.
  local function wave(dtype, ...)
    local shape, size = {...}, 1
    for _, extent in ipairs(shape) do size = size * extent end
    return function() return ((cn.arange(size) * 12.9898) % 2 - 1):astype(dtype):reshape(shape) end
  end

  local makers = {
    wave_c = wave("complex64", n), wave_z = wave("complex128", n), wave_s = wave("float32", n),
    wave_d = wave("float64", n),
    wave_c_rows = wave("complex64", rows, 1024), wave_z_rows = wave("complex128", rows, 1024),
    wave_d_rows = wave("float64", rows, 1024), wave_c_square = wave("complex64", side, side),
    wave_z_square = wave("complex128", side, side), wave_z_prime = wave("complex128", math.ceil(rows / 10), 1009),
    wave_c_half = wave("complex64", n / 2 + 1), wave_c_odd = wave("complex64", rows, 1001),
    wave_c_short = wave("complex64", 100 * rows, 16), wave_c_cube = wave("complex64", 256, 256, math.ceil(rows / 79)),
  }

  local function fft(x) return cn.fft.fft(x) end
  local function rfft(x) return cn.fft.rfft(x) end
  local function down(x) return cn.fft.fft(x, nil, 1) end
  local function fft2(x) return cn.fft.fft2(x) end

  return makers, {
    { "fft_c64_2p24", 8 * n, 8 * n, "wave_c", fft },
    { "fft_c128_2p24", 16 * n, 16 * n, "wave_z", fft },
    { "ifft_c64_2p24", 8 * n, 8 * n, "wave_c", function(x) return cn.fft.ifft(x) end },
    { "rfft_f32_2p24", 4 * n, 4 * n, "wave_s", rfft },
    { "rfft_f64_2p24", 8 * n, 8 * n, "wave_d", rfft },
    { "irfft_c64_2p24", 4 * n, 4 * n, "wave_c_half", function(x) return cn.fft.irfft(x) end },
    { "fft_c64_1e4x1024", 8192 * rows, 8192 * rows, "wave_c_rows", fft },
    { "fft_c128_1e4x1024", 16384 * rows, 16384 * rows, "wave_z_rows", fft },
    { "rfft_f64_1e4x1024", 8192 * rows, 8192 * rows, "wave_d_rows", rfft },
    { "fft_axis1_c128_1e4x1024", 16384 * rows, 16384 * rows, "wave_z_rows", down },
    { "fft2_c64_4096", 8 * side ^ 2, 8 * side ^ 2, "wave_c_square", fft2 },
    { "fft2_c128_4096", 16 * side ^ 2, 16 * side ^ 2, "wave_z_square", fft2 },
    { "fft_c128_1e3x1009", 16 * 1009 * math.ceil(rows / 10), 16 * 1009 * math.ceil(rows / 10), "wave_z_prime", fft },
    { "fft_axis1_c64_1e4x1024", 8192 * rows, 8192 * rows, "wave_c_rows", down },
    { "fft_axis2_c64_256x256x128", 524288 * math.ceil(rows / 79), 524288 * math.ceil(rows / 79), "wave_c_cube",
      function(x) return cn.fft.fft(x, nil, 2) end },
    { "fft_c64_1e4x1001", 8008 * rows, 8008 * rows, "wave_c_odd", fft },
    { "fft_c64_1e6x16", 12800 * rows, 12800 * rows, "wave_c_short", fft },
  }
end
