--- cn.sparse.linalg.spilu: incomplete factors.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local written = dofile "spec/golden/sparse_incomplete.lua"

--- Convection with diffusion on a square, as sparse_incomplete.py has it.
local function flow(side)
  local sp, h = cn.sparse, 1 / (side + 1)
  local second = sp.diags({-1, 2, -1}, {-1, 0, 1}, {side, side}) / h ^ 2
  local first, one = sp.diags({-1, 1}, {-1, 0}, {side, side}) / h, sp.eye(side)
  return (sp.kronsum(second, second) + 200 * sp.kron(one, first) + 50 * sp.kron(first, one)):tocsr()
end

--- A matrix with a diagonal of small pivots, in the host's memory: whole numbers, complex ones for complex dtypes.
local function scattered(dtype)
  local rows, seed = {}, 1
  local function draw(most)
    seed = seed * 16807 % 2147483647
    return seed % (most + 1)
  end
  for i = 1, 15 do
    rows[i] = {}
    for j = 1, 15 do
      local re, im = draw(10) - 5, dtype:find "complex" and draw(10) - 5 or 0
      rows[i][j] = j == i % 15 + 1 and 7 or draw(9) < 3 and cn.complex(re, im) or 0
      if im == 0 and type(rows[i][j]) ~= "number" then rows[i][j] = re end
    end
  end
  return cn.array(rows, dtype, "cpu")
end

it("incomplete factors take solvers as far as SciPy's, for as much work", function()
  local sl, A = cn.sparse.linalg, flow(written.side)
  local b = cn.ones(A.lengths[1])
  for _, case in ipairs(written.cases) do
    local fill, inverse = 1, nil
    if case.drop_tol then
      local lu = sl.spilu(A, case.drop_tol, case.fill_factor)
      fill = (lu.nnz - A.lengths[1]) / A.nnz -- L's ones are not stored
      assert.is_true(fill <= case.fill_factor)
      inverse = sl.LinearOperator(A.shape, function(x) return lu:solve(x) end)
    end
    for name, options in pairs {gmres = {restart = 20, callback_type = "pr_norm"}, bicgstab = {}} do
      local count = 0
      options.M, options.rtol = inverse, written.rtol
      function options.callback() count = count + 1 end
      local x, info = sl[name](A, b, options)
      assert.is_true(info == 0 and cn.linalg.norm(A:dot(x) - b):item() < 1e-6 * written.side)
      local work, expected = count * (1 + fill), case[name] * (1 + (case.fill or 1))
      assert.is_true(work <= 1.5 * expected, ("%s, %s: %d iterations, fill %.2f; SciPy: %d, fill %.2f"):format(name,
        tostring(case.drop_tol), count, fill, case[name], case.fill or 1))
    end
  end
end)

it("incomplete factors keep the order of lines where no library makes one", function()
  local order = require "cuna.sparse.linalg.order"
  local libraries, sl, A = order.libraries, cn.sparse.linalg, flow(5)
  order.forget()
  order.libraries = {amd = {"libcuna_missing.so"}, colamd = {"libcuna_missing.so"}}
  local lu, b = sl.spilu(A, 0, 25), cn.ones(25)
  order.libraries = libraries
  order.forget()
  assert.are.same(cn.arange(1, 26):totable(), lu.perm_r:totable())
  assert.is_true(cn.allclose(A:dot(lu:solve(b)), b))
end)

it("incomplete factors are the same by loops and by compiled kernels", function()
  local script = [[
    local cn = require "cuna"
    for _, beside in ipairs {-1, cn.complex(-1, 1)} do
      local A = cn.sparse.diags({beside, 4, -1, 0.5}, {-1, 0, 1, 7}, {60, 60})
      local lu = cn.sparse.linalg.spilu(A, {drop_tol = 0.001})
      print(lu.nnz, cn.linalg.norm(A:dot(lu:solve(cn.ones(60))) - 1):item() < 0.05, lu.U.data:sum())
    end
  ]]
  local folder, texts = process.folder(), {}
  process.write(folder .. "/script.lua", script)
  for i, how in ipairs {"never", "wait"} do
    texts[i] = process.capture(process.command(folder .. "/script.lua", {CUNA_DEVICE = "cpu", CUNA_COMPILE = how}))
  end
  process.remove(folder)
  assert.equal(texts[1], texts[2])
  assert.has.match("^%d+%s+true%s.*true", texts[1])
end)

devices.each_device(function()
  local sl = cn.sparse.linalg

  describe("incomplete factors", function()
    it("are exact where nothing is dropped, of all dtypes and systems", function()
      for _, dtype in ipairs {"float32", "complex128"} do
        local D, tolerance = scattered(dtype), dtype == "float32" and 1e-4 or 1e-9
        local A = cn.sparse.csc_matrix(D:to(cn.device()))
        local lu = sl.spilu(A, 0, 100)
        local L, U = lu.L:toarray():to "cpu", lu.U:toarray():to "cpu"
        local function near(x, y) return cn.allclose(x, y, {rtol = tolerance, atol = tolerance}) end
        assert.is_true(cn.array_equal(L, cn.tril(L)) and cn.array_equal(U, cn.triu(U)))
        assert.is_true(cn.array_equal(L:diagonal(), cn.ones(15, dtype, "cpu")) and U.dtype == dtype)
        local rows, columns = lu.perm_r:to "cpu", lu.perm_c:to "cpu"
        assert.is_true(near(cn.take(cn.take(L:matmul(U), rows, 1), columns, 2), D))
        local b = cn.ones({15, 2}, "complex64", "cpu")
        b[{4, 2}] = cn.complex(3, -2)
        for system, of in pairs {N = D, T = D.T, H = D.T:conj()} do
          local x = lu:solve(b:to(A.device), system)
          assert.is_true(near(of:matmul(x:to "cpu"), b) and x.device == A.device, system)
          assert.equal(dtype == "float32" and "complex64" or "complex128", x.dtype)
        end
        assert.equal(dtype, lu:solve(cn.ones(15, dtype)).dtype)
      end
    end)

    it("pivot where the diagonal is small, if it is asked for", function()
      local A = cn.sparse.csr_matrix {{1e-9, 1}, {1, 1}}
      local function order(...) return table.concat(sl.spilu(...).perm_c:totable(), " ") end
      assert.equal("2 1", order(A))
      assert.equal("1 2", order(A, {diag_pivot_thresh = 0, drop_tol = 0}))
      assert.equal("2 1", order({{0, 1}, {1, 0}}, {diag_pivot_thresh = 0}))
    end)

    it("drop what is small, and the least where there are too many", function()
      local A = cn.sparse.csr_matrix {{4, 1, 2}, {0, 4, 0.1}, {0, 0, 4}}
      local function natural(matrix, drop_tol, fill_factor)
        return sl.spilu(matrix, drop_tol, fill_factor, {permc_spec = "NATURAL"})
      end
      assert.equal(6 + 3, natural(A, 0, 1).nnz)
      assert.equal(5 + 3, natural(A, 0.2).nnz)
      assert.are.same({{4, 0, 2}, {0, 4, 0}, {0, 0, 4}}, natural(A, 0.5).U:toarray():totable())
      -- two of a row and of the next ones' share; the greatest stay
      local lu = natural({{9, 3, 2, 1}, {1, 4, 0, 0}, {1, 0, 4, 0}, {1, 0, 0, 4}}, 0, 1)
      assert.equal(4 + 10, lu.nnz)
      assert.equal(16 + 4, natural({{9, 3, 2, 1}, {1, 4, 0, 0}, {1, 0, 4, 0}, {1, 0, 0, 4}}, 0, math.huge).nnz)
      assert.are.same({9, 3, 2, 1}, lu.U:toarray():totable()[1])
      assert.equal(0, sl.spilu(cn.sparse.csr_matrix {shape = {0, 0}}).nnz)
    end)

    it("have lines in an order by which they stay sparse", function()
      local n = 40
      local rows = cn.concatenate {cn.ones(n), cn.arange(1, n + 1), cn.arange(2, n + 1)}
      local columns = cn.concatenate {cn.arange(1, n + 1), cn.ones(n), cn.arange(2, n + 1)}
      local data = cn.where(rows:eq(columns), n, 1)
      local function arrow(keeps)
        return cn.sparse.csr_matrix({data = data[keeps], row = rows[keeps]:astype "int64",
          col = columns[keeps]:astype "int64"}, {n, n})
      end
      local b = cn.arange(n)
      local wide = arrow(rows:lt(9):logical_or(rows:eq(columns)))
      for kind, A in pairs {MMD_AT_PLUS_A = arrow(rows:gt(0)), COLAMD = wide} do
        local full = sl.spilu(A, 0, n, {permc_spec = "NATURAL"})
        assert.are.same(cn.arange(1, n + 1):totable(), full.perm_r:totable())
        for _, how in ipairs {kind, "default"} do
          local lu = sl.spilu(A, 0, n, {permc_spec = how ~= "default" and how or nil})
          assert.is_true(lu.nnz < 5 * n and full.nnz > 7 * n, ("%s: %d, %d"):format(how, lu.nnz, full.nnz))
          assert.is_false(cn.array_equal(lu.perm_r, full.perm_r))
          for system, of in pairs {N = A, T = A.T} do
            assert.is_true(cn.allclose(of:dot(lu:solve(b, system)), b), how .. " " .. system)
          end
        end
      end
    end)

    it("reject singular matrices and what does not fit", function()
      local name = "sparse.linalg.spilu"
      raises("LinAlgError: " .. name .. ": the factors are singular: row 2 is left without an element but 0 or NaN; a "
        .. "smaller drop_tol or a greater fill_factor keeps more of it", function()
        return sl.spilu {{1, 1}, {1, 1}}, 1
      end)
      raises("LinAlgError: " .. name .. ": the factors are singular: row 1 is left without", function()
        return sl.spilu(cn.sparse.csr_matrix {shape = {3, 3}}), 1
      end)
      raises("LinAlgError: " .. name .. ": the factors are singular: row 1 is left without", function()
        return sl.spilu {{0 / 0}}, 1
      end)
      raises("LinAlgError: " .. name .. ": the factors are singular: row 1 is left with an infinite element", function()
        return sl.spilu {{1 / 0}}, 1
      end)
      raises(name .. ": A is square, got shape (2, 3)", function() return sl.spilu(cn.ones {2, 3}), 1 end)
      raises(name .. ": A is a sparse matrix, got nil", function() return sl.spilu(), 1 end)
      raises(name .. ": drop_tol is at least 0, got -1", function() return sl.spilu({{1}}, -1), 1 end)
      raises(name .. ": drop_tol is at least 0, got nan", function() return sl.spilu({{1}}, 0 / 0), 1 end)
      raises(name .. ": fill_factor is at least 1, got 0.5", function() return sl.spilu({{1}}, 0, 0.5), 1 end)
      raises(name .. ": diag_pivot_thresh is from 0 to 1, got 2", function()
        return sl.spilu({{1}}, {diag_pivot_thresh = 2}), 1
      end)
      raises(name .. ': permc_spec is "NATURAL", "COLAMD", "MMD_ATA" or "MMD_AT_PLUS_A", got "colamd"', function()
        return sl.spilu({{1}}, {permc_spec = "colamd"}), 1
      end)
      raises("solve: the matrix has shape (1, 1), and b has shape (2,)", function()
        return sl.spilu {{1}}:solve {1, 2}, 1
      end)
    end)
  end)
end)
