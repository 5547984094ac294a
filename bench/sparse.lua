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

--- The Laplacian of a grid of three axes, with seven elements in a row: csr.
local function laplacian3(side)
  local size = side ^ 3
  local ones = cn.ones(size)
  local beside, above = ones:copy(), ones:copy():reshape(side, side, side)
  beside[{ { 1, size, side } }] = 0
  above[{ {}, 1 }] = 0
  above = above:ravel()
  local A = cn.sparse.dia_matrix({ data = cn.stack { -ones, -cn.roll(above, -side), -cn.roll(beside, -1), 6 * ones,
    -beside, -above, -ones }, offsets = { -side * side, -side, -1, 0, 1, side, side * side } }, { size, size }):tocsr()
  A:eliminate_zeros()
  return A
end

--- The columns of 10 elements for each of `size` rows, anywhere.
local function columns(places, size) return places * 40503 % 1000003 * 7919 % size + 1 end

--- Ten elements in a row, in scattered columns: csr.
local function scattered(size)
  local places = cn.arange(10 * size)
  return cn.sparse.csr_matrix({ data = cn.ones(10 * size), row = places:floor_divide(10) + 1,
    col = columns(places, size) }, { size, size })
end

--- As many elements, of which a tenth of the rows have half: the graph of a power law.
local function graph(size)
  local places = cn.arange(10 * size)
  local spread = places * 0.61803398874989 % 1
  return cn.sparse.csr_matrix({ data = cn.ones(10 * size), row = (spread ^ 3 * size):astype "int64" + 1,
    col = columns(places, size) }, { size, size })
end

--- The elements of a matrix in another order, each twice: coo.
local function twice(A)
  local B = A:tocsc():tocoo()
  local parts = {}
  for _, part in ipairs {"data", "row", "col"} do parts[part] = cn.concatenate { B[part], B[part] } end
  return cn.sparse.coo_matrix(parts, A.shape)
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
  local side, short = length(1000), length(100)
  local size, volume = side * side, short ^ 3
  local grid, jumps = once(laplacian, side), once(scattered, size)
  local cube, links = once(laplacian3, short), once(graph, size)
  local pairs_of, odd = once(function() return twice(grid()) end), once(function() return jumps()["::-1"] end)
  local one, many = 8 * size, 8 * 32 * size

  local makers = {
    sparse_line = function() return spread { size }:astype "float64" end,
    sparse_lines = function() return spread { size, 32 }:astype "float64" end,
    sparse_volume = function() return spread { volume }:astype "float64" end,
    sparse_volumes = function() return spread { volume, 32 }:astype "float64" end,
  }

  return makers, {
    { "sparse_grid_vector", 12 * 5 * size + one, one, "sparse_line", function(x) return grid():dot(x) end },
    { "sparse_grid_matrix32", 12 * 5 * size + many, many, "sparse_lines", function(x) return grid():dot(x) end },
    { "sparse_jumps_vector", 12 * 10 * size + one, one, "sparse_line", function(x) return jumps():dot(x) end },
    { "sparse_jumps_matrix32", 12 * 10 * size + many, many, "sparse_lines", function(x) return jumps():dot(x) end },
    { "sparse_cube_vector", (12 * 7 + 8) * volume, 8 * volume, "sparse_volume", function(x) return cube():dot(x) end },
    { "sparse_cube_matrix32", (12 * 7 + 256) * volume, 256 * volume, "sparse_volumes",
      function(x) return cube():dot(x) end },
    { "sparse_graph_vector", 12 * 10 * size + one, one, "sparse_line", function(x) return links():dot(x) end },
    { "sparse_graph_matrix32", 12 * 10 * size + many, many, "sparse_lines", function(x) return links():dot(x) end },
    { "sparse_grid_product", 2 * 12 * 5 * size, 12 * 13 * size, "sparse_line",
      function() return grid():dot(grid()).data end },
    { "sparse_grid_cg20", 20 * (12 * 5 * size + one), one, "sparse_line",
      function(x) return (cn.sparse.linalg.cg(grid(), x, { maxiter = 20 })) end },
    { "sparse_jumps_tocsc", 12 * 10 * size, 12 * 10 * size, "sparse_line", function() return jumps():tocsc().data end },
    { "sparse_grid_tocsc", 12 * 5 * size, 12 * 5 * size, "sparse_line", function() return grid():tocsc().data end },
    { "sparse_coo_tocsr", 16 * 10 * size, 12 * 5 * size, "sparse_line", function() return pairs_of():tocsr().data end },
    { "sparse_jumps_transposed", 12 * 10 * size + one, one, "sparse_line", function(x) return jumps().T:dot(x) end },
    { "sparse_jumps_sum", 2 * 12 * 10 * size, 12 * 20 * size, "sparse_line",
      function() return (jumps() + odd()).data end },
    { "sparse_grid_sum", 2 * 12 * 5 * size, 12 * 5 * size, "sparse_line",
      function() return (grid() + grid().T).data end },
    { "sparse_grid_setdiag", 12 * 5 * size + one, 12 * 5 * size, "sparse_line", function(x)
      local A = grid():copy()
      A:setdiag(x)
      return A.data
    end },
    { "sparse_grid_diagonal", 12 * 5 * size, one, "sparse_line", function() return grid():diagonal() end },
    { "sparse_grid_transposed", 12 * 5 * size + one, one, "sparse_line", function(x) return grid().T:dot(x) end },
    { "sparse_grid_beside", 2 * 12 * 5 * size, 2 * 12 * 5 * size, "sparse_line",
      function() return cn.sparse.hstack({ grid(), grid() }, "csr").data end },
    { "sparse_eye", 0, 16 * size, "sparse_line", function() return cn.sparse.eye(size, { format = "csr" }).data end },
    { "sparse_jumps_columns", 12 * 10 * size, 12 * 5 * size, "sparse_line",
      function() return jumps()[{ {}, { 1, size / 2 } }].data end },
  }
end
