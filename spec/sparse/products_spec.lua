--- Products of csr matrices with vectors and matrices: rows of all lengths, in one order of additions.
local cn = require "cuna"
local devices = require "spec.support.devices"

local COLUMNS, WIDTH = 300, 35

-- Around a segment of 32 products, around a piece of 32 segments, and longer ones.
local LENGTHS = {
  {0, 31, 32, 33, 1, 0, 1023, 1024, 1025, 0, 63, 64, 65, 2049, 1, 0},
  {33000},
  {0, 0},
  {},
}
for row = 1, 100 do LENGTHS[4][row] = math.floor(3000 / row) end

--- What elements are, from numbers of any size, exactly the same on all devices.
local function values(count, dtype)
  local made = (cn.arange(count) * 40503 % 1009 - 504) / (dtype:find "int" and 64 or 7)
  if dtype:find "complex" then made = made + 1i * (cn.arange(count) * 7919 % 997 / 3) end
  return made:astype(dtype)
end

local function matrix(lengths, dtype, index)
  local ends = {1}
  for row, length in ipairs(lengths) do ends[row + 1] = ends[row] + length end
  local size = ends[#ends] - 1
  local indices = (cn.arange(size) * 7919 % COLUMNS + 1):astype(index)
  return cn.sparse.csr_matrix({data = values(size, dtype), indices = indices, indptr = cn.array(ends, index)},
    {#lengths, COLUMNS})
end

--- The sum of numbers of which 32 are added in order, then 32 such sums, 32 of these, and the rest.
local function in_segments(x)
  for floor = 1, 4 do
    local sums, own = {}, floor < 4 and 32 or math.max(#x, 1)
    for first = 1, math.max(#x, 1), own do
      local sum = 0
      for k = first, math.min(first + own - 1, #x) do sum = sum + x[k] end
      sums[#sums + 1] = sum
    end
    x = sums
  end
  return x[1]
end

local function expected(A, x)
  local data, indices, ends, right = A.data:totable(), A.indices:totable(), A.indptr:totable(), x:totable()
  local made = {}
  for row = 1, A.shape[1] do
    local products = {}
    for k = tonumber(ends[row]), tonumber(ends[row + 1]) - 1 do
      products[#products + 1] = data[k] * right[tonumber(indices[k])]
    end
    made[row] = in_segments(products)
  end
  return cn.array(made)
end

devices.each_device(function(device)
  for number, lengths in ipairs(LENGTHS) do
    it("add the products of a row in one order, lengths " .. number, function()
      local A, x = matrix(lengths, "float64", "int32"), values(COLUMNS, "float64")
      local y = expected(A, x)
      assert.is_true(cn.array_equal(y, A:dot(x)))
      assert.is_true(cn.array_equal(y, A:dot(x))) -- from what is known of the rows
      assert.is_true(cn.array_equal(y, matrix(lengths, "float64", "int64"):dot(x)))
      local X = cn.stack({x, -x, x * 2}, 2)
      assert.is_true(cn.array_equal(cn.stack({y, -y, y * 2}, 2), A:dot(X)))
    end)

    it("have the same bits on all devices and in matrices, lengths " .. number, function()
      for _, dtype in ipairs {"float64", "float32", "float16", "complex64", "complex128", "int8", "int64", "bool"} do
        local A, X = matrix(lengths, dtype, "int32"), values(COLUMNS * WIDTH, dtype):reshape(COLUMNS, WIDTH)
        local Y = A:dot(X)
        assert.equal(device, Y.device)
        for _, column in ipairs {1, 32, 33, WIDTH} do
          assert.is_true(cn.array_equal(Y[{{}, column}], A:dot(X[{{}, column}])), dtype)
        end
        cn.device("cpu"):with(function()
          local B, Z = matrix(lengths, dtype, "int32"), values(COLUMNS * WIDTH, dtype):reshape(COLUMNS, WIDTH)
          assert.equal(B:dot(Z):tobytes(), Y:tobytes(), dtype)
        end)
      end
    end)
  end

  it("have the bits of products with vectors for matrices of all widths, aligned or not", function()
    local lengths = {0, 100, 3000}
    for row = 1, 70 do lengths[row + 3] = row * 7919 % 11 end
    for _, dtype in ipairs {"float64", "float32", "float16", "complex64", "int8"} do
      local A = matrix(lengths, dtype, "int32")
      for _, width in ipairs {1, 2, 3, 4, 6, 8, 16, 32} do
        local all = values(COLUMNS * width + 1, dtype)
        for _, X in ipairs {all["2:"]:reshape(COLUMNS, width), all[":-2"]:reshape(width, COLUMNS).T} do
          local Y = A:dot(X)
          for column = 1, width do
            assert.equal(A:dot(X[{{}, column}]):tobytes(), Y[{{}, column}]:tobytes(), ("%s by %d"):format(dtype, width))
          end
        end
      end
    end
  end)

  it("read rows again when a matrix gets another element", function()
    local A, x = matrix({5, 32, 40, 1024}, "float64", "int32"), values(COLUMNS, "float64")
    A:sum_duplicates()
    A:dot(x)
    for row = 1, 4 do
      local column = 1
      while A[{row, column}] ~= 0 and column < COLUMNS do column = column + 1 end
      A[{row, column}] = row
      assert.is_true(cn.array_equal(expected(A, x), A:dot(x)))
    end
  end)

  local long = {40, 5, 1, 1500, 0, 900, 34000, 33, 2}
  local others = {5, 40, 1500, 2, 901, 0, 33, 33000, 1001}
  while #long < 40 do long[#long + 1], others[#others + 1] = 3, 3 end
  others[40] = 2 -- as many elements

  local function same_bits(A, x)
    local X = cn.stack({x, -x}, 2)
    local y, Y = A:dot(x), A:dot(X)
    local right = expected(A, x)
    assert.is_true(cn.array_equal(right, y))
    assert.is_true(cn.array_equal(cn.stack({right, -right}, 2), Y))
  end

  it("do not wait to find long rows", function()
    local A, B, x = matrix(long, "float64", "int32"), matrix(long, "float64", "int64"), values(COLUMNS, "float64")
    local X, right = cn.stack({x, -x}, 2), expected(A, x)
    local y, Y = cn.no_sync(function() return A:dot(x), B:dot(X) end)
    assert.is_true(cn.array_equal(right, y))
    assert.is_true(cn.array_equal(cn.stack({right, -right}, 2), Y))
  end)

  it("list long rows in a capture, and read what the device has found", function()
    local A, B, x = matrix(long, "float64", "int32"), matrix(long, "float64", "int32"), values(COLUMNS, "float64")
    local right = expected(A, x)
    cn.synchronize()
    local stream, y, z = cn.cuda.Stream(), nil, nil
    stream:with(function()
      stream:begin_capture()
      y, z = A:dot(x), B:dot(x)
      local graph = stream:end_capture()
      graph:launch()
      stream:synchronize()
    end)
    assert.is_true(cn.array_equal(right, y) and cn.array_equal(right, z))
    local C = matrix(long, "float64", "int32")
    local times = cn.graph(function(v) return A:dot(v), C:copy():dot(v) end, x)
    for _ = 1, 2 do
      local once, again = times(x)
      assert.is_true(cn.array_equal(right, once) and cn.array_equal(right, again))
    end
    for _ = 1, 2 do
      same_bits(A, x)
      cn.synchronize()
    end
  end)

  it("find long rows again that are written in place", function()
    local A, x = matrix(long, "float64", "int32"), values(COLUMNS, "float64")
    for _, lengths in ipairs {long, others, others, long} do
      A.indptr["2:"] = cn.cumsum(cn.array(lengths, "int32"), {dtype = "int32"}) + 1
      same_bits(A, x)
      cn.synchronize()
    end
  end)

  it("find their kernels prepared", function()
    if device == cn.device "cpu" then return end
    local A, x = matrix(long, "float32", "int64"), values(COLUMNS, "float32")
    local X = cn.stack({x, -x}, 2)
    cn.prepare(function() return A:dot(x), A:dot(X) end)
    local loaded = cn.cuda.compile_stats().loaded
    A:dot(x)
    A:dot(X)
    cn.synchronize()
    assert.equal(loaded, cn.cuda.compile_stats().loaded)
  end)

  it("keep what they find after the scope of a product or a change", function()
    local A, x = matrix(long, "float64", "int32"), values(COLUMNS, "float64")
    cn.scope(function() return cn.scope(function() same_bits(A, x) end) end)
    same_bits(A, x)
    cn.scope(function() A[{1, 1}] = 2 end)
    same_bits(A, x)
    local B = A:tocsc()
    cn.scope(function() B:dot(x) end)
    assert.is_true(cn.allclose(A:dot(x), B:dot(x)))
  end)

  it("are right in another stream while long rows are found", function()
    local A, x = matrix(long, "float64", "int32"), values(COLUMNS, "float64")
    local right = expected(A, x)
    cn.synchronize()
    local first = cn.cuda.Stream():with(function() return A:dot(x) end)
    local second = cn.cuda.Stream():with(function() return A:dot(x) end)
    cn.synchronize()
    assert.is_true(cn.array_equal(right, first) and cn.array_equal(right, second))
  end)

  it("keep NaN in its row", function()
    local A, x = matrix({32, 33, 1024, 1025, 3}, "float64", "int32"), values(COLUMNS, "float64")
    A.data[33] = 0 / 0
    local is_nan = cn.isnan(A:dot(x))
    assert.same({false, true, false, false, false}, is_nan:totable())
  end)
end)

devices.each_device(function()
  --- Nine of ten elements of some diagonals, in rows of which each is the one before, moved by one column.
  local function banded(size, offsets, dtype)
    local bands = {}
    for i = 1, #offsets do bands[i] = cn.arange(size) * 7919 % 101 - 50 + i end
    return cn.sparse.dia_matrix({data = cn.stack(bands):astype(dtype), offsets = offsets}, {size, size}):tocsr()
  end

  it("products of rows that repeat are those of rows in any order, bit by bit", function()
    for _, dtype in ipairs {"float32", "float64", "int16", "complex128", "bool"} do
      local A, B = banded(400, {-20, -1, 0, 1, 20}, dtype), banded(400, {-1, 0, 3}, dtype)
      if dtype:find "float" then A.data, B.data = A.data / 7, B.data / 3 end
      local product = A:dot(B)
      local apart = A["::-1"]:dot(B)["::-1"]
      assert.is_true(product.has_sorted_indices and product.dtype == dtype)
      assert.is_true(cn.array_equal(product.indptr, apart.indptr))
      assert.is_true(cn.array_equal(product.indices, apart.indices) and cn.array_equal(product.data, apart.data))
      if not dtype:find "float" and dtype ~= "bool" then
        assert.is_true(cn.array_equal(product:toarray(), A:toarray():matmul(B:toarray())))
      end
    end
  end)

  it("products of rows that nearly repeat are right", function()
    local A, B = banded(300, {-2, 0, 2}, "float64"), banded(300, {-1, 0, 1}, "float64")
    A[{100, 7}], B[{50, 200}] = 5, 3      -- a row with another element, a line with one
    A[{201, 201}], A[{202, 202}] = 0, 0   -- stored zeros
    local many = banded(300, cn.arange(-12, 13):totable(), "float64") -- more products than plans have
    for _, pair in ipairs {{A, B}, {B, A}, {A, A}, {many, many}} do
      local left, right = unpack(pair)
      assert.is_true(cn.array_equal(left:dot(right):toarray(), left:toarray():matmul(right:toarray())))
    end
    local double = cn.sparse.csr_matrix({data = cn.ones(12), indices = cn.array({1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}),
      indptr = cn.arange(1, 14, 2)}, {6, 7}) -- each position twice
    local shift = banded(7, {1}, "float64")
    assert.is_true(cn.array_equal(double:dot(shift):toarray(), double:toarray():matmul(shift:toarray())))
  end)
end)
