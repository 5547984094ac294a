-- core.lapack: each operation's residuals over dtypes, stacks and lengths; what it says of matrices, and of callers.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local matrices = require "spec.support.matrices"

local DTYPES = { "float32", "float64", "complex64", "complex128" }

-- Stacks and lengths: what one call does, what threads share, and (257) what libraries do one by one.
local CASES = {
  { {}, 1 }, { {}, 2 }, { { 3 }, 5 }, { { 2, 2 }, 2 }, { {}, 33 }, { { 3 }, 33, dtypes = { "float32", "complex128" } },
  { { 70 }, 4 }, { { 2 }, 64, dtypes = { "float64" } }, { {}, 200, dtypes = { "float64" } },
}

--- Calls visit(dtype, batch, n, count) for the cases, with the number of matrices.
local function each_case(visit)
  for _, case in ipairs(CASES) do
    for _, dtype in ipairs(case.dtypes or DTYPES) do
      local count = 1
      for _, length in ipairs(case[1]) do count = count * length end
      visit(dtype, case[1], case[2], count)
    end
  end
end

local list_of, check, factorise = matrices.list, matrices.check, matrices.factorise
local new_info, assert_well = matrices.new_info, matrices.assert_well

--- p l u of what getrf wrote.
local function rebuild(lu, pivots)
  local m, n, q = lu.m, lu.n, math.min(lu.m, lu.n)
  local l = matrices.make(m, q, function(i, j)
    if i == j then return 1 end
    if i < j then return 0 end
    return lu.re[i + j * m], lu.im[i + j * m]
  end)
  local u = matrices.make(q, n, function(i, j)
    if i > j then return 0 end
    return lu.re[i + j * m], lu.im[i + j * m]
  end)
  local product = matrices.multiply(l, u)
  for k = q, 1, -1 do
    for _, part in ipairs { product.re, product.im } do
      for j = 0, n - 1 do
        local a, b = k - 1 + j * m, pivots[k] - 1 + j * m
        part[a], part[b] = part[b], part[a]
      end
    end
  end
  return product
end

local function split(flat, count)
  local size, parts = #flat / count, {}
  for i = 1, count do
    parts[i] = {}
    for k = 1, size do parts[i][k] = tonumber(flat[(i - 1) * size + k]) end
  end
  return parts
end

local systems = {}

function systems.getrf(dtype, batch, n, count)
  for _, m in ipairs { n, n + 2, math.max(n - 1, 1) } do
    local list = list_of(count, function() return matrices.random(m, n, dtype) end)
    local a, pivots, info = factorise(list, batch, dtype)
    assert_well(info)
    local places = split(pivots:ravel():totable(), count)
    local rebuilt = matrices.read(a, m, n)
    for i = 1, count do rebuilt[i] = rebuild(rebuilt[i], places[i]) end
    check(rebuilt, list, dtype, "getrf")
  end
end

function systems.getrs(dtype, batch, n, count)
  local list = list_of(count, function() return matrices.random(n, n, dtype, 2) end)
  local a, pivots = factorise(list, batch, dtype)
  for k, op in pairs { "N", "T", "C" } do
    local right = list_of(count, function() return matrices.random(n, k, dtype) end)
    local b = matrices.array(right, batch, dtype)
    core.lapack("test", "getrs", { a, pivots, b }, nil, op)
    local x = matrices.read(b, n, k)
    for i = 1, count do x[i] = matrices.multiply(list[i], x[i], op) end
    check(x, right, dtype, "getrs " .. op)
  end
end

function systems.getri(dtype, batch, n, count)
  local list = list_of(count, function() return matrices.random(n, n, dtype, 2) end)
  local a, pivots = factorise(list, batch, dtype)
  local inverse = cn.empty(matrices.with(batch, n, n), dtype)
  core.lapack("test", "getri", { a, pivots, inverse })
  local product = matrices.read(inverse, n, n)
  for i = 1, count do product[i] = matrices.multiply(list[i], product[i]) end
  check(product, list_of(count, function() return matrices.identity(n) end), dtype, "getri")
end

function systems.potrf(dtype, batch, n, count)
  local list = list_of(count, function() return matrices.definite(n, dtype) end)
  for k, uplo in ipairs { "L", "U" } do
    local a, info = matrices.array(list, batch, dtype), new_info(batch)
    core.lapack("test", "potrf", { a }, info, uplo)
    assert_well(info)
    local right = list_of(count, function() return matrices.random(n, k, dtype) end)
    local b = matrices.array(right, batch, dtype)
    core.lapack("test", "potrs", { a, b }, nil, uplo)
    local x, rebuilt = matrices.read(b, n, k), matrices.read(a, n, n)
    for i = 1, count do
      local l = matrices.triangle(rebuilt[i], uplo)
      rebuilt[i] = uplo == "L" and matrices.multiply(l, matrices.adjoint(l)) or matrices.multiply(l, l, "C")
      x[i] = matrices.multiply(list[i], x[i])
    end
    check(rebuilt, list, dtype, "potrf " .. uplo)
    check(x, right, dtype, "potrs " .. uplo)
  end
end

function systems.trsm(dtype, batch, n, count)
  local list = list_of(count, function() return matrices.random(n, n, dtype, 8) end)
  for options in ("LNN UTN LCU UNU"):gmatch "%S+" do
    local right = list_of(count, function() return matrices.random(n, 2, dtype) end)
    local triangles = list_of(count, function(i)
      local triangle = matrices.triangle(list[i], options:sub(1, 1), options:sub(3) == "U")
      for k = 0, n * n - 1 do -- a unit triangle grows otherwise
        local scale = k % (n + 1) == 0 and 1 or 1 / n
        triangle.re[k], triangle.im[k] = triangle.re[k] * scale, triangle.im[k] * scale
      end
      return triangle
    end)
    local a, b = matrices.array(triangles, batch, dtype), matrices.array(right, batch, dtype)
    core.lapack("test", "trsm", { a, b }, nil, options)
    local x = matrices.read(b, n, 2)
    for i = 1, count do x[i] = matrices.multiply(triangles[i], x[i], options:sub(2, 2)) end
    check(x, right, dtype, "trsm " .. options)
    if options:sub(2, 2) == "N" then
      local info = new_info(batch)
      core.lapack("test", "trtri", { a }, info, options:sub(1, 1) .. options:sub(3))
      assert_well(info)
      local product = matrices.read(a, n, n)
      for i = 1, count do
        product[i] = matrices.multiply(triangles[i], matrices.triangle(product[i], options:sub(1, 1),
          options:sub(3) == "U"))
      end
      check(product, list_of(count, function() return matrices.identity(n) end), dtype, "trtri " .. options)
    end
  end
end

local orthogonal = {}

function orthogonal.geqrf(dtype, batch, n, count)
  local m = n + 3
  local list = list_of(count, function() return matrices.random(m, n, dtype) end)
  local a, tau = matrices.array(list, batch, dtype), cn.empty(matrices.with(batch, n), dtype)
  core.lapack("test", "geqrf", { a, tau })
  local r = matrices.read(a, m, n)
  for i = 1, count do r[i] = matrices.triangle(r[i], "U") end
  local product = matrices.array(r, batch, dtype)
  core.lapack("test", "ormqr", { a, tau, product }, nil, "N")
  check(matrices.read(product, m, n), list, dtype, "ormqr")
  core.lapack("test", "ormqr", { a, tau, product }, nil, "C")
  check(matrices.read(product, m, n), r, dtype, "ormqr C")
  core.lapack("test", "orgqr", { a, tau })
  local q = matrices.read(a, m, n)
  for i = 1, count do
    local upper = matrices.make(n, n, function(row, column)
      return r[i].re[row + column * m], r[i].im[row + column * m]
    end)
    check({ matrices.multiply(q[i], q[i], "C") }, { matrices.identity(n) }, dtype, "orgqr")
    q[i] = matrices.multiply(q[i], upper)
  end
  check(q, list, dtype, "orgqr")
end

function orthogonal.gesvd(dtype, batch, n, count)
  for _, m in ipairs { n, n + 2 } do
    for _, k in ipairs { n, m } do
      local list = list_of(count, function() return matrices.random(m, n, dtype) end)
      local real = matrices.real_of(dtype)
      local s, info = cn.empty(matrices.with(batch, n), real), new_info(batch)
      local u, vt = cn.empty(matrices.with(batch, k, m), dtype), cn.empty(matrices.with(batch, n, n), dtype)
      core.lapack("test", "gesvd", { matrices.array(list, batch, dtype), s, u, vt }, info)
      assert_well(info)
      local alone = cn.empty(matrices.with(batch, n), real)
      core.lapack("test", "gesvd", { matrices.array(list, batch, dtype), alone }, new_info(batch))
      local values, left, right = matrices.read(s, n, 1), matrices.read(u, m, k), matrices.read(vt, n, n)
      check(matrices.read(alone, n, 1), values, dtype, "values of gesvd")
      for i = 1, count do
        check({ matrices.multiply(left[i], left[i], "C") }, { matrices.identity(k) }, dtype, "u of gesvd")
        local scaled = matrices.make(n, n, function(row, column)
          local at = row + column * n
          return right[i].re[at] * values[i].re[row], right[i].im[at] * values[i].re[row]
        end)
        left[i] = matrices.multiply(matrices.columns(left[i], 1, n), scaled)
        for j = 1, n - 1 do assert(values[i].re[j - 1] >= values[i].re[j]) end
      end
      check(left, list, dtype, "gesvd")
    end
  end
end

local values = {}

function values.syevd(dtype, batch, n, count)
  local list = list_of(count, function() return matrices.definite(n, dtype) end)
  for _, uplo in ipairs { "L", "U" } do
    local seen = list_of(count, function(i) return matrices.triangle(list[i], uplo) end)
    local a, w = matrices.array(seen, batch, dtype), cn.empty(matrices.with(batch, n), matrices.real_of(dtype))
    local info = new_info(batch)
    core.lapack("test", "syevd", { a, w }, info, "V" .. uplo)
    assert_well(info)
    local alone = cn.empty(matrices.with(batch, n), matrices.real_of(dtype))
    core.lapack("test", "syevd", { matrices.array(seen, batch, dtype), alone }, new_info(batch), "N" .. uplo)
    local vectors, found = matrices.read(a, n, n), matrices.read(w, n, 1)
    check(matrices.read(alone, n, 1), found, dtype, "values of syevd")
    for i = 1, count do
      local scaled = matrices.make(n, n, function(row, column)
        local at = row + column * n
        return vectors[i].re[at] * found[i].re[column], vectors[i].im[at] * found[i].re[column]
      end)
      check({ matrices.multiply(vectors[i], vectors[i], "C") }, { matrices.identity(n) }, dtype, "vectors of syevd")
      vectors[i] = matrices.multiply(list[i], vectors[i])
      check({ vectors[i] }, { scaled }, dtype, "syevd " .. uplo)
    end
  end
end

function values.geev(dtype, batch, n, count)
  if n > 64 then return end
  local list = list_of(count, function() return matrices.random(n, n, dtype) end)
  local as, info = matrices.complex_of(dtype), new_info(batch)
  local w, v = cn.empty(matrices.with(batch, n), as), cn.empty(matrices.with(batch, n, n), as)
  core.lapack("test", "geev", { matrices.array(list, batch, dtype), w, v }, info)
  assert_well(info)
  local alone = cn.empty(matrices.with(batch, n), as)
  core.lapack("test", "geev", { matrices.array(list, batch, dtype), alone }, new_info(batch))
  local found, vectors = matrices.read(w, n, 1), matrices.read(v, n, n)
  local trace, sum = matrices.make(count, 1, function(i)
    local re, im = 0, 0
    for k = 0, n - 1 do re, im = re + list[i + 1].re[k * (n + 1)], im + list[i + 1].im[k * (n + 1)] end
    return re, im
  end), matrices.read(alone, n, 1)
  for i = 1, count do
    local re, im = 0, 0
    for k = 0, n - 1 do re, im = re + sum[i].re[k], im + sum[i].im[k] end
    local tolerance = matrices.tolerance(dtype) * (5 + n)
    assert(math.abs(re - trace.re[i - 1]) <= tolerance and math.abs(im - trace.im[i - 1]) <= tolerance)
    local scaled = matrices.make(n, n, function(row, column)
      local at = row + column * n
      local x, y, p, q = vectors[i].re[at], vectors[i].im[at], found[i].re[column], found[i].im[column]
      return x * p - y * q, x * q + y * p
    end)
    check({ matrices.multiply(list[i], vectors[i]) }, { scaled }, dtype, "geev")
  end
end

local function describe_all(title, operations)
  describe(title, function()
    for name, run in pairs(operations) do
      it("are right: " .. name, function()
        each_case(run)
      end)
    end
  end)
end

devices.each_device(function()
  describe_all("linear systems", systems)
  describe_all("orthogonal matrices", orthogonal)
  describe_all("eigenvalues", values)
end)
