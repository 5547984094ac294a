-- Products on CUDA devices: which calls of cuBLAS and cuBLASLt they make, the plans that are kept, and failures.
local cn = require "cuna"
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"
local raises = require("spec.support.raises").raises

if not simgpu.here then return end

--- A product by its definition, in float64.
local function reference(a, b)
  return cn.sum(a:astype "float64"[{ {}, {}, cn.newaxis }] * b:astype "float64"[{ cn.newaxis, {}, {} }], 2)
end

local function agree(a, b, note) assert.is_true(cn.array_equal(a, b), note) end

--- Small whole numbers, of which sums of products are exact.
local function filled(shape, dtype, shift)
  return ((cn.arange(shape[1] * shape[2]) * 7 + (shift or 0)) % 5 - 2):reshape(shape):astype(dtype or "float64")
end

describe("cuBLAS", function()
  --- How often each of its functions was called, since `before` if that is given; without those that were not.
  local function calls(before)
    local counts, i = {}, 0
    while simgpu.cuda.simgpu_symbol(i) ~= nil do
      local symbol = ffi.string(simgpu.cuda.simgpu_symbol(i))
      local count = symbol:find "^cublas" and simgpu.cuda.simgpu_calls(symbol) or 0
      if before then count = count - (before[symbol] or 0) end
      if count > 0 then counts[symbol] = count end
      i = i + 1
    end
    return counts
  end

  --- How many descriptors were created and destroyed.
  local function descriptors()
    local created, destroyed = 0, 0
    for symbol, count in pairs(calls()) do
      if symbol:find "^cublasLt.*Create$" then created = created + count end
      if symbol:find "^cublasLt.*Destroy$" then destroyed = destroyed + count end
    end
    return created, destroyed
  end

  local function plain_of(x) return x.ndim == 3 and x[3] or x end

  after_each(function() simgpu.cuda.simgpu_reset() end)

  it("that fails is reported in one line", function()
    cn.device("cuda:0"):with(function()
      local x = cn.ones({ 20, 600 }) -- of shorter rows, and of few tiles, the kernel is ours
      cn.matmul(x, x.T)
      for code, words in pairs { [14] = "CUBLAS_STATUS_INTERNAL_ERROR", [13] = "CUBLAS_STATUS_EXECUTION_FAILED" } do
        simgpu.cuda.simgpu_fail("cublasLtMatmul", 1, code, 0)
        raises("DeviceError: matmul: cuBLAS on cuda:0 returned " .. words, function() local _ = cn.matmul(x, x.T) end)
        simgpu.cuda.simgpu_reset()
      end
      simgpu.cuda.simgpu_fail("cublasLtMatmul", 1, 3, 0) -- out of memory: tried once more
      assert.is_true(cn.array_equal(cn.matmul(x, x.T), cn.full({ 20, 20 }, 600)))
    end)
  end)

  it("without memory for a plan is tried once more, and reported in one line", function()
    cn.device("cuda:0"):with(function()
      local x = cn.ones({ 3, 600 })
      for _, row in ipairs { "cublasLtMatmulDescCreate", "cublasLtMatmulDescSetAttribute",
        "cublasLtMatrixLayoutCreate", "cublasLtMatmulPreferenceCreate", "cublasLtMatmulPreferenceSetAttribute",
        "cublasLtMatmulAlgoGetHeuristic" } do
        local created, destroyed = descriptors()
        simgpu.cuda.simgpu_fail(row, 1, 3, 1)
        raises("OutOfMemoryError: matmul: cuBLAS on cuda:0 returned CUBLAS_STATUS_ALLOC_FAILED",
          function() local _ = cn.matmul(x, x.T) end)
        local more, less = descriptors()
        local failed = row:find "Create$" and simgpu.cuda.simgpu_calls(row) or 0
        assert.equal(more - created - failed, less - destroyed, row)
        simgpu.cuda.simgpu_reset()
      end
      simgpu.cuda.simgpu_fail("cublasLtMatmulDescCreate", 1, 3, 0)
      assert.is_true(cn.array_equal(cn.matmul(x, x.T), cn.full({ 3, 3 }, 600)))
    end)
  end)

  it("multiplies small matrices in one call, by plans that are kept", function()
    cn.device("cuda:0"):with(function()
      for _, dtype in ipairs { "float16", "bfloat16", "float32", "float64", "complex64", "complex128" } do
        local a, b, out = filled({ 12, 20 }, dtype), filled({ 20, 170 }, dtype), cn.zeros({ 12, 170 }, dtype)
        cn.matmul(a, b)
        local before = calls()
        agree(cn.matmul(a, b), cn.matmul(a, b, { out = out }), dtype)
        agree(reference(a:astype "float64", b:astype "float64"), out:astype "float64", dtype)
        assert.same({ cublasLtMatmul = 2 }, calls(before))
      end
    end)
  end)

  it("chooses by itself for large ones, and for those that cuBLASLt declines", function()
    cn.device("cuda:0"):with(function()
      local large, wide = cn.ones({ 1025, 1024 }, "float32"), cn.ones({ 1024, 1025 }, "float32")
      local odd = cn.ones(65, "float16")[{ { 2, 65 } }]:reshape(8, 8)
      for _, pair in ipairs { { large, wide }, { odd, odd } } do
        local before = calls()
        local product = cn.matmul(pair[1], pair[2])
        assert.is_true(cn.array_equal(product, cn.full(product.shape, pair[1].shape[2], product.dtype)))
        local made = calls(before)
        assert.same({ 1, nil }, { made.cublasGemmStridedBatchedEx_64, made.cublasLtMatmul })
      end
    end)
  end)

  it("has a plan for each size, layout, place and type", function()
    cn.device("cuda:0"):with(function()
      local function kinds(dtype, m)
        local x, y = cn.ones(m * 64 + 3, dtype), filled({ 64, 270 }, dtype)
        local plain = x[{ { 1, m * 64 } }]:reshape(m, 64)
        local beside, longer = x[{ { 2, m * 64 + 1 } }]:reshape(m, 64), cn.ones({ m, 80 }, dtype)[{ {}, { 1, 64 } }]
        local across, stack = cn.ones({ 64, m }, dtype).T, cn.ones({ 3, m, 64 }, dtype)
        return { plain, beside, longer, across, stack }, y
      end
      for _, dtype in ipairs { "float32", "float64" } do
        for _, m in ipairs { 3, 4 } do
          local factors, y = kinds(dtype, m)
          for i, x in ipairs(factors) do
            local before = calls()
            local product = cn.matmul(x, x.ndim == 3 and cn.stack { y, y + 1, y } or y)
            assert.equal(1, calls(before).cublasLtMatmulAlgoGetHeuristic, dtype .. " " .. i)
            agree(x.ndim == 3 and product[3] or product, reference(plain_of(x), y), dtype .. " " .. i)
          end
        end
      end
    end)
  end)

  it("keeps some hundred plans, and drops what was not used for longest", function()
    cn.device("cuda:0"):with(function()
      local x, kept = cn.ones({ 40, 2 }), cn.ones({ 41, 2 })
      local created, destroyed = descriptors()
      for m = 1, 40 do
        for n = 1, 20 do
          agree(cn.matmul(x[{ { 1, m } }], x[{ { 1, n } }].T)[{ m, n }], 2)
          cn.matmul(kept, kept.T)
        end
      end
      local before = calls()
      cn.matmul(kept, kept.T)
      assert.same({ cublasLtMatmul = 1 }, calls(before))
      local more, less = descriptors()
      assert.is_true(less > destroyed and more - created - (less - destroyed) <= 512 * 4)
    end)
  end)

  it("takes workspaces for long sums only, of each stream and graph its own", function()
    cn.device("cuda:0"):with(function()
      local first, second = cn.cuda.Stream { non_blocking = true }, cn.cuda.Stream { non_blocking = true }
      local a, b = filled({ 4, 900 }, "float32"), filled({ 900, 4 }, "float32", 2)
      local want, graph = reference(a, b):astype "float32", nil
      local results, out = {}, cn.zeros({ 4, 4 }, "float32")
      cn.evaluate(a, b)
      cn.device():synchronize() -- the streams do not wait for the default one
      first:with(function()
        first:begin_capture()
        for _ = 1, 3 do cn.matmul(a, b, { out = out }) end
        graph = first:end_capture()
      end)
      for i = 1, 20 do
        local stream = i % 2 == 0 and first or second
        stream:with(function() results[i] = cn.matmul(a, b) end)
        graph:launch(first)
      end
      first:synchronize()
      second:synchronize()
      for i = 1, 20 do agree(results[i], want, "stream " .. i % 2) end
      agree(out, want)
      graph:free()
    end)
  end)

  it("has a handle on each device", function()
    for id = 0, cn.cuda.device_count() - 1 do
      cn.device("cuda:" .. id):with(function()
        local x = filled({ 5, 6 })
        assert.is_true(cn.array_equal(cn.matmul(x, x.T), reference(x, x.T)))
      end)
    end
  end)

  it("is not started while a stream is captured", function()
    local said = process.run([[
      local cn = require "cuna"
      local x, stream = cn.ones({20, 600}), cn.cuda.Stream {non_blocking = true}
      stream:with(function()
        stream:begin_capture()
        print(pcall(cn.matmul, x, x.T))
        stream:end_capture()
      end)
    ]], { CUNA_DEVICE = "cuda:0" })
    assert.truthy(said:find("the first product on cuda:0 starts cuBLAS, which no capture can; multiply any matrices "
      .. "before", 1, true), said)
  end)
end)
