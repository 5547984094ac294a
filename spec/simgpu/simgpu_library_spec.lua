-- The simulated libraries beside the driver refuse what the real ones do not survive.
local ffi = require "ffi"
local simgpu = require "spec.simgpu.driver"

if not simgpu.here then return end

local cuda, must = simgpu.cuda, simgpu.must

ffi.cdef [[
int cublasCreate_v2(void **);
int cublasSetWorkspace_v2(void *, void *, size_t);
int cublasGemmStridedBatchedEx_64(void *, int, int, int64_t, int64_t, int64_t, const void *, uint64_t, int, int64_t,
  long long, uint64_t, int, int64_t, long long, const void *, uint64_t, int, int64_t, long long, int64_t, int, int);
int cublasZtrsm_v2_64(void *, int, int, int, int, int64_t, int64_t, const void *, uint64_t, int64_t, uint64_t,
  int64_t);
int cublasZtrsmBatched_64(void *, int, int, int, int, int64_t, int64_t, const void *, uint64_t, int64_t, uint64_t,
  int64_t, int64_t);
]]

describe("the simulated cuBLAS", function()
  it("takes factors at multiples of their size only, as vectors lie", function()
    simgpu.enter(0)
    local handle = simgpu.out("void *", cuda.cublasCreate_v2)
    local p, matrices, room = simgpu.alloc(4096), simgpu.alloc(16), ffi.new("double[6]")
    must(cuda.cublasSetWorkspace_v2(handle, ffi.cast("void *", p), 1024))
    must(cuda.cuMemcpyHtoDAsync_v2(matrices, ffi.new("uint64_t[2]", p, p), 16, nil))
    local even = ffi.cast("double *", (ffi.cast("uintptr_t", room) + 15) / 16 * 16)
    even[0], even[1], even[2], even[3] = 1, 0, 0, 0
    local C128, Z64 = 5, 70
    local function gemm(alpha, beta)
      return cuda.cublasGemmStridedBatchedEx_64(handle, 0, 0, 1, 1, 1, alpha, p, C128, 1, 1, p + 16, C128, 1, 1, beta,
        p + 32, C128, 1, 1, 1, Z64, -1)
    end
    local function trsm(alpha) return cuda.cublasZtrsm_v2_64(handle, 0, 1, 0, 0, 1, 1, alpha, p, 1, p + 16, 1) end
    local function stack(alpha)
      return cuda.cublasZtrsmBatched_64(handle, 0, 1, 0, 1, 1, 1, alpha, matrices, 1, matrices + 8, 1, 1)
    end
    local INVALID = 7
    assert.same({ 0, INVALID, INVALID }, { gemm(even, even + 2), gemm(even + 1, even), gemm(even, even + 1) })
    assert.same({ 0, INVALID, INVALID }, { trsm(even), trsm(even + 1), trsm(nil) })
    assert.same({ 0, INVALID }, { stack(even), stack(even + 1) })
  end)
end)

ffi.cdef [[
int cublasLtMatmulDescCreate(void **, int, int);
int cublasLtMatmulDescSetAttribute(void *, int, const void *, size_t);
int cublasLtMatmulDescDestroy(void *);
int cublasLtMatrixLayoutCreate(void **, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutSetAttribute(void *, int, const void *, size_t);
int cublasLtMatrixLayoutDestroy(void *);
int cublasLtMatmulPreferenceCreate(void **);
int cublasLtMatmulPreferenceSetAttribute(void *, int, const void *, size_t);
int cublasLtMatmulAlgoGetHeuristic(void *, void *, void *, void *, void *, void *, void *, int, void *, int *);
int cublasLtMatmul(void *, void *, const void *, uint64_t, void *, uint64_t, void *, const void *, uint64_t, void *,
  uint64_t, void *, const void *, void *, size_t, void *);
struct cublaslt_choice { uint64_t algorithm[8]; size_t workspace_nbytes; int state; float waves; int reserved[4]; };
]]

describe("the simulated cuBLASLt", function()
  local OK, UNKNOWN, INVALID, UNSUPPORTED = 0, 1, 7, 15
  local F32, F16, COMPUTE_32F, COMPUTE_64F = 0, 2, 68, 70
  local handle, p, work, factor, preference

  local function layout(rows, columns, type)
    return simgpu.out("void *", cuda.cublasLtMatrixLayoutCreate, type or F32, rows, columns, rows)
  end

  --- Descriptors of an (m, k) by (k, n) product.
  local function describe_product(m, k, n, type)
    local a, b, c = layout(m, k, type), layout(k, n, type), layout(m, n, type)
    return { operation = simgpu.out("void *", cuda.cublasLtMatmulDescCreate, COMPUTE_32F, F32), a = a, b = b, c = c,
      d = c }
  end

  local function choose(d, choice, with)
    return cuda.cublasLtMatmulAlgoGetHeuristic(with or handle, d.operation, d.a, d.b, d.c, d.d, preference, 1, choice,
      ffi.new "int[1]")
  end

  --- A legal call, but for what `but` says.
  local function multiply(d, choice, but)
    but = but or {}
    local at = but.at or p
    return cuda.cublasLtMatmul(but.handle or handle, d.operation, factor, at, d.a, p + 65536, d.b, factor + 1,
      p + 131072, d.c, but.d or p + 131072, d.d, but.algorithm or choice.algorithm, but.workspace or work,
      but.nbytes or choice.workspace_nbytes, nil)
  end

  local function set(attribute, ctype, value)
    local room = ffi.new(ctype .. "[1]", value)
    return cuda.cublasLtMatmulPreferenceSetAttribute(preference, attribute, room, ffi.sizeof(room))
  end

  before_each(function()
    simgpu.enter(0)
    handle = simgpu.out("void *", cuda.cublasCreate_v2)
    p, work = simgpu.alloc(262144), ffi.cast("void *", simgpu.alloc(65536))
    local room = ffi.new("float[34]")
    factor = ffi.cast("float *", (ffi.cast("uintptr_t", room) + 63) / 64 * 64)
    factor[0], factor[1] = 1, 0
    preference = simgpu.out("void *", cuda.cublasLtMatmulPreferenceCreate)
    assert.equal(OK, set(1, "uint64_t", 65536))
  end)

  it("takes an algorithm for the product that it was chosen for, and none else", function()
    local d, other, choice = describe_product(4, 64, 4), describe_product(4, 32, 4), ffi.new "struct cublaslt_choice"
    assert.equal(OK, choose(d, choice))
    assert.is_true(choice.workspace_nbytes > 0)
    assert.equal(OK, multiply(d, choice))
    assert.equal(INVALID, multiply(other, choice))
    assert.equal(INVALID, multiply(d, choice, { algorithm = ffi.new "uint64_t[8]" }))
    assert.equal(UNKNOWN, multiply(d, choice, { handle = d.operation }))
    assert.equal(UNKNOWN, choose(d, choice, d.operation))
  end)

  it("takes memory as it was promised only", function()
    local d, choice = describe_product(4, 64, 4), ffi.new "struct cublaslt_choice"
    assert.equal(OK, choose(d, choice)) -- for multiples of 256
    for _, but in ipairs { { at = p + 16 }, { d = p + 131072 + 256 }, { at = p + 2^30 }, { nbytes = 1 },
      { workspace = ffi.cast("char *", work) + 16 }, { workspace = factor } } do
      assert.equal(INVALID, multiply(d, choice, but))
    end
    assert.equal(OK, set(5, "uint32_t", 16))
    assert.equal(OK, choose(d, choice))
    assert.equal(OK, multiply(d, choice, { at = p + 16 }))
  end)

  it("refuses descriptors that are destroyed, or do not fit each other", function()
    local d, choice = describe_product(4, 8, 4), ffi.new "struct cublaslt_choice"
    local function refuses(field, value)
      local kept = d[field]
      d[field] = value
      assert.equal(INVALID, choose(d, choice), field)
      d[field] = kept
      assert.equal(OK, choose(d, choice))
    end
    refuses("a", layout(5, 8))
    refuses("b", layout(9, 4))
    refuses("d", layout(4, 5))
    refuses("b", layout(8, 4, 1))
    refuses("operation", simgpu.out("void *", cuda.cublasLtMatmulDescCreate, COMPUTE_64F, 1))
    local stale = layout(4, 8)
    assert.equal(OK, cuda.cublasLtMatrixLayoutDestroy(stale))
    assert.equal(INVALID, cuda.cublasLtMatrixLayoutDestroy(stale))
    refuses("a", stale)
    assert.equal(INVALID, cuda.cublasLtMatmulDescSetAttribute(stale, 3, ffi.new "int[1]", 4))
    assert.equal(INVALID, cuda.cublasLtMatmulDescSetAttribute(d.operation, 3, ffi.new "int[2]", 8))
    assert.equal(INVALID, cuda.cublasLtMatrixLayoutSetAttribute(d.a, 6, ffi.new "int[1]", 4))
    assert.equal(INVALID, set(3, "uint64_t", 2))
  end)

  it("adds halves as they are computed only, and declines them at odd places", function()
    local d, choice = describe_product(4, 8, 4, F16), ffi.new "struct cublaslt_choice"
    assert.equal(INVALID, choose(d, choice))
    assert.equal(OK, set(3, "uint32_t", 2))
    assert.equal(OK, choose(d, choice))
    assert.equal(OK, set(6, "uint32_t", 2))
    assert.equal(UNSUPPORTED, choose(d, choice))
  end)
end)
