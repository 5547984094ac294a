-- Workloads of linear algebra, as subjects.lua describes. Their twins are in linalg_peers.py. Their cost is arithmetic,
-- not the bytes of a matrix.
local cn = require "cuna"

return function(_, length)
  local n, half, count = math.floor(math.sqrt(length(1e6))), math.floor(math.sqrt(length(2.5e5))), length(1e4)

  --- Matrices that are symmetric and far from singular.
  local function symmetric(stack, rows, dtype)
    return function()
      local i = cn.arange(rows, nil, nil, "float64")
      local a = i:reshape(rows, 1) * i * 37 % 101 / 101 + 2 * rows * cn.eye(rows)
      if stack then a = a + cn.arange(stack, nil, nil, "float64"):reshape(stack, 1, 1) % 7 end
      return a:astype(dtype)
    end
  end

  local makers = {
    whole_d = symmetric(nil, n, "float64"), whole_f = symmetric(nil, n, "float32"),
    half_d = symmetric(nil, half, "float64"), half_f = symmetric(nil, half, "float32"),
    fours_d = symmetric(count, 4, "float64"), thirties_d = symmetric(count, 32, "float64"),
    fours_f = symmetric(count, 4, "float32"), thirties_f = symmetric(count, 32, "float32"),
    sides_d = function() return cn.ones({n, 10}, "float64") end,
    sides_f = function() return cn.ones({n, 10}, "float32") end,
    four_d = function() return cn.ones({count, 4, 1}, "float64") end,
    thirty_d = function() return cn.ones({count, 32, 1}, "float64") end,
  }

  local rows = {}

  local function add(name, dtype, size, elements, inputs, fn)
    local nbytes = elements * (dtype == "f64" and 8 or 4)
    rows[#rows + 1] = { name .. "_" .. dtype .. "_" .. size, nbytes, nbytes, inputs, fn }
  end

  for dtype, letter in pairs { f64 = "d", f32 = "f" } do
    local whole, middle = "whole_" .. letter, "half_" .. letter
    add("solve", dtype, "1000", n * n, whole .. " sides_" .. letter, cn.linalg.solve)
    add("inv", dtype, "1000", n * n, whole, cn.linalg.inv)
    add("cholesky", dtype, "1000", n * n, whole, cn.linalg.cholesky)
    add("det", dtype, "1000", n * n, whole, cn.linalg.det)
    add("qr", dtype, "1000", n * n, whole, cn.linalg.qr)
    add("svd", dtype, "500", half * half, middle, cn.linalg.svd)
    add("eigh", dtype, "500", half * half, middle, cn.linalg.eigh)
    add("eig", dtype, "500", half * half, middle, cn.linalg.eig)
    for size, stack in pairs { ["1e4x4"] = "fours_", ["1e4x32"] = "thirties_" } do
      local elements = count * (size == "1e4x4" and 16 or 1024)
      for _, name in ipairs { "inv", "cholesky", "eigh", "det", "svd" } do
        add(name, dtype, size, elements, stack .. letter, cn.linalg[name])
      end
    end
  end
  add("solve", "f64", "1e4x4", count * 16, "fours_d four_d", cn.linalg.solve)
  add("solve", "f64", "1e4x32", count * 1024, "thirties_d thirty_d", cn.linalg.solve)
  table.sort(rows, function(a, b) return a[1] < b[1] end)
  return makers, rows
end
