--- cn.einsum: NumPy's results in every layout and order of contraction, views, paths, and errors that say where.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = dofile "spec/golden/einsum.lua"
local support = require "spec.support.golden"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it()

local function each_case(fn)
  for k, case in ipairs(golden.products) do
    local arrays = {}
    for i, described in ipairs(case.arrays) do arrays[i] = support.laid_out(support.array(described), k + i) end
    fn(case, arrays, ("%d %s"):format(k, case.subscripts))
  end
end

devices.each_device(function()
  describe("einsum", function()
    it("agrees with NumPy", support.prepared(function()
      each_case(function(case, arrays, note)
        support.same(case.result, cn.einsum(case.subscripts, unpack(arrays)), note)
      end)
    end))

    it("gives the same in any order", function()
      each_case(function(case, arrays, note)
        if #arrays < 3 or case.result.dtype == "float16" then return end
        for _, optimize in ipairs {false, "greedy", "optimal"} do
          local options = {optimize = optimize}
          arrays[#case.arrays + 1] = options
          support.same(case.result, cn.einsum(case.subscripts, unpack(arrays)), note)
        end
      end)
    end)

    it("computes in another dtype, and writes to out", function()
      local x, out = cn.arange(6):reshape(2, 3), cn.zeros({2, 2}, "float32")
      assert.equal(out, cn.einsum("ij,kj->ik", x, x, {out = out.T, dtype = "float64"}).T)
      assert.same({{5, 14}, {14, 50}}, out:totable())
      assert.equal("int16", cn.einsum("ij->", x, {dtype = "int16"}).dtype)
      cn.einsum("ij->ji", x["1:2, 1:2"], {out = x["1:2, 2:3"]})
      assert.same({{0, 0, 3}, {3, 1, 4}}, x:totable())
    end)

    it("makes another plan for other shapes of the same text, and refuses those that do not fit", function()
      local text = "ij,jk->ik"
      assert.is_true(cn.einsum(text, {{1, 2}, {3, 4}}, {{1}, {1}}) == cn.array {{3}, {7}})
      assert.is_true(cn.einsum(text, {{1}, {2}}, {{3, 4}}) == cn.array {{3, 4}, {6, 8}})
      assert.is_true(cn.einsum(text, {{1}, {2}}, {{3}, {4}}) == cn.array {{7}, {14}}) -- a length of 1 broadcasts
      raises("einsum: label j of ", function() cn.einsum(text, {{1, 2}}, {{1}, {2}, {3}}) end)
      assert.is_true(cn.einsum(text, {{5, 6}, {7, 8}}, {{1}, {1}}) == cn.array {{11}, {15}})
      for k = 1, 70 do cn.einsum("i->", cn.ones(k)) end -- more plans than are kept
      assert.is_true(cn.einsum(text, {{1, 2}, {3, 4}}, {{1}, {1}}) == cn.array {{3}, {7}})
    end)

    it("returns views of one array", function()
      local x = cn.zeros {3, 3}
      cn.einsum("ii->i", x):fill(1)
      assert.same({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, x:totable())
      assert.is_true(cn.shares_memory(x, cn.einsum("ij->ji", x)))
    end)

    it("takes numbers, tables and lists of labels", function()
      assert.same({{3, 4}, {6, 8}}, cn.einsum("i,j", {1, 2}, {3, 4}):totable())
      assert.equal(6, cn.einsum(",->", 2, 3):item())
      local x, y = cn.arange(6):reshape(2, 3), cn.arange(12):reshape(3, 4)
      assert.is_true(cn.einsum("ij,jk->ki", x, y) == cn.einsum(x, {1, 2}, y, {2, 3}, {3, 1}))
      assert.is_true(cn.einsum("ij,jk", x, y) == cn.einsum(x, {7, 20}, y, {20, 30}))
      assert.is_true(x.T == cn.einsum(x, {1, cn.ellipsis}, {cn.ellipsis, 1}))
    end)
  end)
end)

describe("einsum_path", function()
  local x, y, z = cn.ones {9, 2}, cn.ones {2, 8}, cn.ones {8, 3}

  it("says in which order, and what it costs", function()
    local path, report = cn.einsum_path("ij,jk,kl->il", x, y, z)
    assert.same({{2, 3}, {1, 2}}, path)
    assert.matches("all 102, one loop 864$", report)
    assert.same({{1, 2}, {1, 2}}, (cn.einsum_path("ij,jk,kl->il", x, y, z, {optimize = false})))
    assert.same({}, (cn.einsum_path("ij->i", x)))
  end)

  it("is a path for einsum", function()
    local found = cn.einsum("ij,jk,kl->il", x, y, z, {optimize = {{1, 2}, {1, 2}}})
    assert.is_true(cn.einsum("ij,jk,kl->il", x, y, z) == found)
  end)

  it("finds an order as cheap as any by hand", function()
    local chain = {cn.ones {10, 1}, cn.ones {1, 10}, cn.ones {10, 1}, cn.ones {1, 10}}
    local _, report = cn.einsum_path("ab,bc,cd,de->ae", unpack(chain))
    assert.matches("all 120,", report)
    local _, greedy = cn.einsum_path("ab,bc,cd,de->ae", chain[1], chain[2], chain[3], chain[4], {optimize = "greedy"})
    assert.matches("all 120,", greedy)
  end)
end)

devices.each_device(function()
  describe("einsum keeps plans", function()
    it("for arrays of any layout and dtype", function()
      local x, y = cn.arange(9):reshape(3, 3), cn.arange(9):reshape(3, 3) + 2
      for _, dtype in ipairs {"float64", "float32", "int32", "bool", "float64"} do
        local a, b = x:astype(dtype), y:astype(dtype)
        for _, pair in ipairs {{a, b}, {a.T:copy().T, b}, {a["::-1"]:copy()["::-1"], b.T:copy().T}} do
          assert.is_true(cn.einsum("ij,jk->ki", pair[1], pair[2]) == cn.matmul(a, b).T, dtype)
          assert.is_true(cn.einsum("ij,ij->", pair[1], pair[2]) == cn.matmul(a:reshape(-1), b:reshape(-1)), dtype)
          assert.is_true(cn.einsum("ij,k->jk", pair[1], b[1]).dtype == dtype)
        end
      end
      assert.is_true(cn.einsum("ii", x) == cn.trace(x))
      assert.is_true(cn.einsum("ii", x:astype "bool") == cn.array(true))
    end)

    it("for lengths of 1 and other numbers of arrays apart", function()
      local x = cn.arange(6):reshape(2, 3)
      assert.same({{0, 2, 4}, {6, 8, 10}}, cn.einsum("ij,ij->ij", x, cn.full({1, 1}, 2, "int64")):totable())
      assert.same({{0, 1, 4}, {9, 16, 25}}, cn.einsum("ij,ij->ij", x, x):totable())
      assert.same({0, 6}, cn.einsum("i,->i", cn.array {0, 2}, 3):totable())
    end)
  end)
end)

describe("einsum refuses", function()
  local x, y = cn.arange(6):reshape(2, 3), cn.arange(12):reshape(3, 4)
  local ROWS = {
    {"'1' at column 2 of \"i1,j\"; letters", "i1,j", x, y},
    {"'>' at column 6 of \"ij,jk>ik\"", "ij,jk>ik", x, y},
    {"'-' at column 10 of \"ij,jk->ik->\"", "ij,jk->ik->", x, y},
    {"a dot at column 2 of \"i..j,jk\"; an ellipsis is three", "i..j,jk", x, y},
    {"a second ellipsis in one term at column 4 of", "......,j", x, y},
    {"the output has label i twice, at column 9 of \"ij,jk->ii\"", "ij,jk->ii", x, y},
    {"the output has label z, and no input has, at column 14 of", "...ij,jk->...z", x, y},
    {"term 1 of \"ijk,jk->i\" has 3 labels, and array 1 has shape (2, 3)", "ijk,jk->i", x, y},
    {"term 2 of \"ij,j->i\" has 1 label, and array 2 has shape (3, 4)", "ij,j->i", x, y},
    {"\"ij,kl,m->i\" has 3 terms, and there are 2 arrays", "ij,kl,m->i", x, y},
    {"\"ij,jk\" has 2 terms, and there is 1 array", "ij,jk", x},
    {"label j of \"ij,kj->ik\" is 3 in array 1 and 4 in array 2, of shapes (2, 3) and (3, 4)", "ij,kj->ik", x, y},
    {"the output of \"...j->j\" leaves the ellipsis out, which stands for 1 axis", "...j->j", x},
    {"array 2 is nil", "ij,jk,k", x, nil, y},
    {"subscripts such as \"ij,jk->ik\" come first", x},
    {"subscripts such as", },
    {"a list of labels such as {1, 2} follows each array, got", x, "ij"},
    {"a label in a list is a whole number or cn.ellipsis, got 1.5", x, {1, 1.5}},
    {"unknown option 'order'; known are dtype, optimize, out", "ij", x, {order = 1}},
    {"optimize is true, false, \"auto\", \"optimal\", \"greedy\" or a path, got \"best\"", "ij", x,
      {optimize = "best"}},
    {"the path has 2 steps, and 2 arrays take 1", "ij,jk", x, y, {optimize = {{1, 2}, {1, 2}}}},
    {"step 1 of the path is a pair of positions from 1 to 2, got {1, 3}", "ij,jk", x, y, {optimize = {{1, 3}}}},
    {"step 1 of the path contracts array 2 with itself", "ij,jk", x, y, {optimize = {{2, 2}}}},
    {"out has shape (3,), but the result has shape (2, 3)", "ij", x, {out = cn.zeros(3, "int64")}},
    {"a float64 result cannot be written to int8; cast it with astype", "i->i", {1.5}, {out = cn.zeros(1, "int8")}},
  }
  for _, row in ipairs(ROWS) do
    it(row[1], function() raises("einsum: " .. row[1], function() cn.einsum(unpack(row, 2, table.maxn(row))) end) end)
  end
end)
