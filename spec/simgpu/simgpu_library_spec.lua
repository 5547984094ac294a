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
