-- Workloads of sparse matrices, as subjects.lua describes. Their twins are in sparse_peers.py.
local cn = require "cuna"

--- The Laplacian of a square grid, with five elements in a row: csr.
local function laplacian(side)
  local size = side * side
  local ones = cn.ones(size)
  local beside = ones:copy()
  beside[{ { 1, size, side } }] = 0
  local A = cn.sparse.dia_matrix({ data = cn.stack { -ones, -cn.roll(beside, -1), 4 * ones, -beside, -ones },
    offsets = { -side, -1, 0, 1, side } }, { size, size }):tocsr()
  A:eliminate_zeros()
  return A
end

--- Ten elements in a row, in scattered columns: csr.
local function scattered(size)
  local places = cn.arange(10 * size)
  return cn.sparse.csr_matrix({ data = cn.ones(10 * size), row = places:floor_divide(10) + 1,
    col = places * 40503 % 1000003 * 7919 % size + 1 }, { size, size })
end

--- A matrix that is made when it is first needed.
local function once(make, length)
  local made
  return function()
    made = made or make(length)
    return made
  end
end

return function(spread, length)
  local side = length(1000)
  local size = side * side
  local grid, jumps = once(laplacian, side), once(scattered, size)
  local one, many = 8 * size, 8 * 32 * size

  local makers = {
    sparse_line = function() return spread { size }:astype "float64" end,
    sparse_lines = function() return spread { size, 32 }:astype "float64" end,
  }

  return makers, {
    { "sparse_grid_vector", 12 * 5 * size + one, one, "sparse_line", function(x) return grid():dot(x) end },
    { "sparse_grid_matrix32", 12 * 5 * size + many, many, "sparse_lines", function(x) return grid():dot(x) end },
    { "sparse_jumps_vector", 12 * 10 * size + one, one, "sparse_line", function(x) return jumps():dot(x) end },
    { "sparse_jumps_matrix32", 12 * 10 * size + many, many, "sparse_lines", function(x) return jumps():dot(x) end },
    { "sparse_grid_product", 2 * 12 * 5 * size, 12 * 13 * size, "sparse_line",
      function() return grid():dot(grid()).data end },
    { "sparse_grid_cg20", 20 * (12 * 5 * size + one), one, "sparse_line",
      function(x) return (cn.sparse.linalg.cg(grid(), x, { maxiter = 20 })) end },
    { "sparse_jumps_tocsc", 12 * 10 * size, 12 * 10 * size, "sparse_line", function() return jumps():tocsc().data end },
  }
end
