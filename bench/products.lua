-- Workloads of products of vectors and matrices, as subjects.lua describes. Their twins are in products_peers.py. The
-- bytes of a matrix product are not meaningful: it is limited by arithmetic.
local cn = require "cuna"

return function(_, length)
  local long, wide, side = length(1e8), length(8192), length(1e4)

  --- Small whole numbers, in a shape.
  local function filled(dtype, ...)
    local shape, size = { ... }, 1
    for _, extent in ipairs(shape) do size = size * extent end
    return function() return (cn.arange(size) % 7 - 3):astype(dtype):reshape(shape) end
  end

  local makers = {
    mat_f32_128 = filled("float32", 128, 128), mat_f32_1024 = filled("float32", 1024, 1024),
    mat_f32_4096 = filled("float32", 4096, 4096), mat_f64_1024 = filled("float64", 1024, 1024),
    mat_f16_1024 = filled("float16", 1024, 1024), mat_c64_1024 = filled("complex64", 1024, 1024),
    mat_i32_1024 = filled("int32", 1024, 1024), stack_f32 = filled("float32", 64, 512, 512),
    small_f32 = filled("float32", 10000, 8, 8), line_f32 = filled("float32", long),
    square_f32 = filled("float32", wide, wide), across_f32 = filled("float32", wide),
    side_f32 = filled("float32", side),
    block_f32 = filled("float32", 100, 100), cube_f32 = filled("float32", 64, 64, 256),
  }

  local function square(x) return cn.matmul(x, x) end

  local rows = {}
  for name, size in pairs { f32_128 = 4, f32_1024 = 4, f32_4096 = 4, f64_1024 = 8, f16_1024 = 2, c64_1024 = 8,
    i32_1024 = 4 } do
    local edge = tonumber(name:match "%d+$")
    rows[#rows + 1] = { "matmul_" .. name, size * edge * edge, size * edge * edge, "mat_" .. name, square }
  end
  table.sort(rows, function(a, b) return a[1] < b[1] end)
  for _, row in ipairs {
    { "matmul_f32_64x512", 4 * 64 * 512 * 512, 4 * 64 * 512 * 512, "stack_f32", square },
    { "matmul_f32_10000x8", 4 * 640000, 4 * 640000, "small_f32", square },
    { "dot_f32_1e8", 4 * long, 0, "line_f32 line_f32", cn.dot },
    { "matvec_f32_8192", 4 * wide * wide, 4 * wide, "square_f32 across_f32", cn.dot },
    { "vecmat_f32_8192", 4 * wide * wide, 4 * wide, "across_f32 square_f32", cn.dot },
    { "outer_f32_1e4", 8 * side, 4 * side * side, "side_f32 side_f32", cn.outer },
    { "kron_f32_100", 80000, 4 * 1e8, "block_f32 block_f32", cn.kron },
    { "tensordot_f32", 8 * 64 * 64 * 256, 4 * 64 * 64, "cube_f32 cube_f32",
      function(x, y) return cn.tensordot(x, y, { { 2, 3 }, { 2, 3 } }) end },
  } do rows[#rows + 1] = row end
  return makers, rows
end
