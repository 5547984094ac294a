-- What core.lapack says of matrices that cannot be factorised, and of its callers; captures, streams, no library.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local matrices = require "spec.support.matrices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local list_of, check, factorise = matrices.list, matrices.check, matrices.factorise
local new_info, assert_well = matrices.new_info, matrices.assert_well

local LARGE = 20 -- rows of a matrix that GPUs give to cuSOLVER: they have kernels of cuna's for small ones

--- A stack of small matrices by rows of Lua numbers, on the current device.
local function stack(rows, dtype) return cn.array(rows, dtype or "float64") end

local function describe_verdicts(device)
  describe("info", function()
    it("names the pivot that is 0, and the rest is factorised", function()
      local a = stack { { { 1, 0 }, { 0, 1 } }, { { 1, 2 }, { 2, 4 } }, { { 0, 0 }, { 0, 0 } } }
      local info, pivots = new_info { 3 }, cn.empty({ 3, 2 }, "int64")
      core.lapack("test", "getrf", { a, pivots }, info)
      assert.same({ 0, 2, 1 }, info:totable())
      assert.same({ 2, 2 }, pivots:totable()[2])
    end)

    it("names the minor that is not positive", function()
      local a, info = stack { { { 1, 0 }, { 0, 1 } }, { { 1, 2 }, { 2, 1 } } }, new_info { 2 }
      core.lapack("test", "potrf", { a }, info, "L")
      assert.same({ 0, 2 }, info:totable())
    end)

    it("is not 0 where nothing converges, but for what lies outside of the triangle", function()
      if device.name ~= "cpu" then return end -- cuSOLVER may answer with NaN and info 0
      local nan = cn.nan
      local a, info = stack { { { 1, nan }, { 0, 1 } }, { { nan, 0 }, { 0, 1 } } }, new_info { 2 }
      core.lapack("test", "syevd", { a, cn.empty { 2, 2 } }, info, "VU")
      assert.same({ true, false }, info:eq(0):totable())
      for operation, arrays in pairs {
        gesvd = { cn.empty { 2, 2 }, cn.empty { 2, 2, 2 }, cn.empty { 2, 2, 2 } },
        geev = { cn.empty({ 2, 2 }, "complex128"), cn.empty({ 2, 2, 2 }, "complex128") },
      } do
        a = stack { { { 1, 0 }, { 0, 1 } }, { { cn.inf, 0 }, { 0, 1 } } }
        core.lapack("test", operation, { a, unpack(arrays) }, info)
        assert.same({ true, false }, info:eq(0):totable())
      end
    end)

    it("becomes 0 for matrices without elements, which are left alone", function()
      for _, shape in ipairs { { 0, 0 }, { 3, 0, 0 }, { 0, 2, 2 } } do
        local batch = { shape[#shape - 2] }
        local info, n = new_info(batch), shape[#shape]
        core.lapack("test", "getrf", { cn.empty(shape), cn.empty(matrices.with(batch, n), "int64") }, info)
        core.lapack("test", "potrf", { cn.empty(shape) }, info, "L")
        core.lapack("test", "syevd", { cn.empty(shape), cn.empty(matrices.with(batch, n)) }, info, "VL")
        core.lapack("test", "geqrf", { cn.empty(shape), cn.empty(matrices.with(batch, n)) })
        assert_well(info)
      end
    end)
  end)

  describe("lapack_check", function()
    it("says nothing where all is well", function()
      core.lapack_check("linalg.test", "singular", cn.zeros({ 2, 2 }, "int32"))
      core.lapack_check("linalg.test", "singular", cn.zeros({ 0 }, "int32"))
      core.lapack_check("linalg.test", "singular", cn.full({}, 0, "int32"))
      cn.synchronize()
    end)

    it("names one matrix and what is wrong with it", function()
      local function said(text, list, verdict)
        raises("LinAlgError: linalg.test: " .. text, function()
          core.lapack_check("linalg.test", verdict, cn.array(list, "int32"))
          cn.synchronize()
        end)
      end
      said("matrix 2 of the stack is singular: pivot 3 is 0", { 0, 3, 0 }, "singular")
      said("matrix 4 of the stack is not positive definite: its leading minor of order 1 is not", { 0, 0, 0, 1 },
        "indefinite")
      said("the iteration for matrix 1 of the stack did not converge (LAPACK's info is 2)", { 2 }, "unconverged")
      raises("LinAlgError: linalg.test: the matrix is singular: pivot 1 is 0", function()
        core.lapack_check("linalg.test", "singular", cn.full({}, 1, "int32"))
        cn.synchronize()
      end)
    end)

    it("waits for nothing", function()
      cn.no_sync(function() core.lapack_check("linalg.test", "singular", cn.zeros({ 2 }, "int32")) end)
    end)
  end)
end

local function describe_callers(device)
  describe("core.lapack", function()
    local a, info = nil, nil
    before_each(function() a, info = cn.eye(3), cn.full({}, 0, "int32") end)

    it("says what does not fit", function()
      local pivots = cn.empty({ 3 }, "int64")
      for text, fn in pairs {
        ["test: no operation of LAPACK is called 'gesv' and has 1 operands"] = function()
          core.lapack("test", "gesv", { a }, info)
        end,
        ["test: int32 is not supported; cast to float32 or float64"] = function()
          core.lapack("test", "potrf", { a:astype "int32" }, info, "L")
        end,
        ["test: float16 is not supported"] = function()
          core.lapack("test", "potrf", { a:astype "float16" }, info, "L")
        end,
        ["test: operand 2 of getrf has another dtype"] = function()
          core.lapack("test", "getrf", { a, cn.empty({ 3 }, "int32") }, info)
        end,
        ["test: operand 2 of getrf has another length than its neighbours"] = function()
          core.lapack("test", "getrf", { a, cn.empty({ 2 }, "int64") }, info)
        end,
        ["test: operand 1 of getrf is not a row-major stack as long as the first"] = function()
          core.lapack("test", "getrf", { cn.ones { 3, 2 }.T, pivots }, info)
        end,
        ["test: operand 2 of getrs is not a row-major stack as long as the first"] = function()
          core.lapack("test", "getrs", { a, cn.empty({ 1, 3 }, "int64"), cn.empty { 1, 3 } }, nil, "N")
        end,
        ["test: getrf has more operands than 1"] = function() core.lapack("test", "getrf", { a }, info) end,
        ["test: getrf has 2 operands, and info"] = function() core.lapack("test", "getrf", { a, pivots }) end,
        ["test: info is not a row-major int32 array with an element for each matrix"] = function()
          core.lapack("test", "getrf", { a, pivots }, cn.zeros({ 1 }, "int32"))
        end,
        ["test: potrf takes the options 'LU', not ''"] = function() core.lapack("test", "potrf", { a }, info) end,
        ["test: potrf takes the options 'LU', not 'X'"] = function() core.lapack("test", "potrf", { a }, info, "X") end,
        ["test: potrf takes no options 'LL'"] = function() core.lapack("test", "potrf", { a }, info, "LL") end,
        ["test: gesvd does not take lengths m = 2, n = 3, k = 0"] = function()
          core.lapack("test", "gesvd", { cn.empty { 3, 2 }, cn.empty { 3 } }, info)
        end,
        ["test: orgqr does not take lengths m = 2, n = 3, k = 2"] = function()
          core.lapack("test", "orgqr", { cn.empty { 3, 2 }, cn.empty { 2 } })
        end,
      } do raises(text, fn) end
    end)

    it("refuses arrays of two devices", function()
      if device.name == "cpu" then return end
      raises("test: one array is on cuda:0 and another on cpu", function()
        core.lapack("test", "getrf", { a, cn.empty({ 3 }, "int64", cn.device "cpu") }, info)
      end)
    end)

    it("does nothing in a rehearsal but note kernels", function()
      cn.prepare(function()
        core.lapack("test", "getrf", { a, cn.empty({ 3 }, "int64") }, info)
        core.lapack_check("test", "singular", info)
      end)
      assert.is_true(a == cn.eye(3))
    end)

    it("waits for nothing", function()
      cn.no_sync(function() core.lapack("test", "potrf", { a }, info, "L") end)
    end)

    it("does long matrices of a stack one by one", function()
      local n, batch = 257, { 2 }
      local list = list_of(2, function() return matrices.random(n, n, "float32", 20) end)
      local lu, pivots = factorise(list, batch, "float32")
      local right = list_of(2, function() return matrices.random(n, 1, "float32") end)
      local b, inverse = matrices.array(right, batch, "float32"), cn.empty({ 2, n, n }, "float32")
      core.lapack("test", "getrs", { lu, pivots, b }, nil, "N")
      local x = matrices.read(b, n, 1)
      for i = 1, 2 do x[i] = matrices.multiply(list[i], x[i]) end
      check(x, right, "float32", "getrs")
      core.lapack("test", "getri", { lu, pivots, inverse })
      x = matrices.read(inverse, n, n)
      for i = 1, 2 do x[i] = matrices.multiply(list[i], matrices.columns(x[i], 1, 2)) end
      check(x, list_of(2, function() return matrices.columns(matrices.identity(n), 1, 2) end), "float32", "getri")
      local triangle = matrices.array(list, batch, "float32")
      b = matrices.array(right, batch, "float32")
      core.lapack("test", "trsm", { triangle, b }, nil, "LTN")
      x = matrices.read(b, n, 1)
      for i = 1, 2 do x[i] = matrices.multiply(matrices.triangle(list[i], "L"), x[i], "T") end
      check(x, right, "float32", "trsm")
    end)

    it("is recorded by a capture, where the library can", function()
      local stream = cn.cuda.Stream()
      local x, b, well = cn.eye(3), cn.ones { 1, 3 }, new_info { 2 }
      local stacked = cn.array { { { 4, 0 }, { 0, 9 } }, { { 16, 0 }, { 0, 1 } } }
      core.lapack("test", "potrf", { cn.eye(LARGE) }, cn.full({}, 0, "int32"), "L") -- starts the library
      cn.synchronize()
      local graph = stream:capture(function()
        x:mul_(4)
        core.lapack("test", "potrf", { x }, info, "L")
        core.lapack("test", "potrs", { x, b }, nil, "L")
        core.lapack("test", "potrf", { stacked }, well, "L")
      end)
      assert.is_true(x == cn.eye(3))
      graph:launch()
      stream:synchronize()
      assert.same({ 2, 0, 0 }, x:totable()[1])
      assert.same({ 0.25, 0.25, 0.25 }, b:totable()[1])
      assert.same({ 2, 0, 0, 3 }, stacked[1]:ravel():totable())
      graph:launch()
      stream:synchronize()
      assert.near(8 ^ 0.5, x:totable()[1][1], 1e-12)
    end)

    it("is refused by a capture, where the library waits", function()
      if device.name == "cpu" then return end
      local stream, x, large, values = cn.cuda.Stream(), cn.ones(2), cn.evaluate(cn.eye(LARGE)), cn.empty { LARGE }
      core.lapack("test", "syevd", { cn.eye(LARGE), values }, info, "NL")
      stream:capture(function()
        raises("test: cuSOLVER waits for the device while it works, which no capture can; do it before", function()
          core.lapack("test", "syevd", { large, values }, info, "NL")
        end)
        x:add_(1)
      end):launch()
      stream:synchronize()
      assert.same({ 2, 2 }, x:totable())
    end)

    it("works on streams, in order", function()
      local stream = cn.cuda.Stream()
      local x = stream:with(function()
        local y, fresh = cn.eye(3) * 9, cn.full({}, 5, "int32")
        core.lapack("test", "potrf", { y }, fresh, "L")
        return y + fresh
      end)
      stream:synchronize()
      assert.same({ 3, 0, 0 }, x:totable()[1])
    end)
  end)
end

local function describe_missing()
  it("cannot be started by a capture", function()
    if not cn.cuda.is_available() then return end
    local said = process.run(([[
      local cn = require "cuna"
      local core = require "cuna.core"
      local info, a = cn.full({}, 0, "int32"), cn.eye(%d)
      cn.cuda.Stream():capture(function() print(pcall(core.lapack, "linalg.cholesky", "potrf", { a }, info, "L")) end)
      core.lapack("linalg.cholesky", "potrf", { a }, info, "L")
      print(info)]]):format(LARGE), { CUNA_DEVICE = "cuda:0" })
    assert.matches("^false\t[^\n]*linalg.cholesky: the first factorisation on cuda:0 starts cuSOLVER, which no capture "
      .. "can; factorise any matrix before\n0\n$", said)
  end)

  it("says which library is missing, and how to get it", function()
    local script = [[
      local cn = require "cuna"
      local core = require "cuna.core"
      local info = cn.full({}, 0, "int32")
      print(pcall(core.lapack, "linalg.cholesky", "potrf", { cn.eye(2) }, info, "L"))]]
    local said = process.run(script, { CUNA_OPENBLAS = "off", CUNA_DEVICE = "cpu" })
    assert.matches("^false\t[^\n]*linalg.cholesky: no OpenBLAS: looked for %$CUNA_OPENBLAS %(off%) and nothing else; "
      .. "install it %(apt%-get install libopenblas0%), or name the library in CUNA_OPENBLAS\n$", said)
    said = process.run(script, { CUNA_OPENBLAS = "libm.so.6", CUNA_DEVICE = "cpu" })
    assert.matches("^false\t[^\n]*linalg.cholesky: libm.so.6 has no sgetrf_: it was built without LAPACK;", said)
  end)
end

devices.each_device(function(device)
  describe_verdicts(device)
  describe_callers(device)
end)

describe("without its library", describe_missing)
