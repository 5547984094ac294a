--- Solutions of sparse systems by factors are made better while an equation is not solved to a few roundings.
local cn = require "cuna"
local ffi = require "ffi"
local host = require "cuna.sparse.linalg.host"
local refine = require "cuna.sparse.linalg.refine"

local sp = cn.sparse
local SIZE = 40

--- A matrix of a dtype whose rows differ by many orders, dense and sparse, and a solution with its right side.
local function system_of(dtype)
  local rng = cn.random.default_rng(3)
  local x = sp.random(SIZE, SIZE, 0.2, {random_state = 2, dtype = dtype}):toarray() + 3 * cn.eye(SIZE)
  x = x * (10 ^ (cn.arange(SIZE) % 9 - 4):astype "float64"):reshape(-1, 1)
  local solution = (rng:random(SIZE) - 0.5):astype(dtype)
  if dtype == "complex128" then solution = solution + rng:random(SIZE) * 1i end
  return x, solution
end

--- How far equations are from being solved, relative to their numbers.
local function error_of(x, solution, b)
  return ((b - cn.matmul(x, solution)):abs() / (cn.matmul(x:abs(), solution:abs()) + b:abs())):max():item()
end

describe("solutions by factors", function()
  local function on_cpu(what, fn) it(what, function() cn.device("cpu"):with(fn) end) end

  for _, dtype in ipairs {"float64", "complex128"} do
    for _, kind in ipairs {"N", "T", "H"} do
      on_cpu("are refined: " .. dtype .. " " .. kind, function()
        local x, solution = system_of(dtype)
        local f = host.read(sp.csc_matrix(x), "csc", "int64", "int64", "spec")
        local A = kind == "N" and x or kind == "T" and x.T or x.T:conj()
        local b = cn.matmul(A, solution)
        local inverse = cn.linalg.inv(A) * (1 + 1e-5) -- factors that are right to five digits
        local made, steps, width = (solution * (1 + 1e-5)):copy(), 0, dtype == "float64" and SIZE or 2 * SIZE
        local function pointer(array) return ffi.cast("double *", array:pointer()) end
        local right = b:copy()
        refine.solution(f, kind, pointer(made), pointer(right), function(to, from)
          local rest = cn.empty(SIZE, dtype)
          ffi.copy(pointer(rest), from, width * 8)
          local step = cn.matmul(inverse, rest):copy()
          ffi.copy(to, pointer(step), width * 8)
          steps = steps + 1
        end)
        assert.is_true(steps >= 1 and steps <= 2)
        assert.is_true(error_of(A, made, b) < 1e-8)
        assert.is_true(right == b)
        if steps == 2 then assert.is_true(error_of(A, made, b) < 1e-12) end
      end)
    end
  end

  on_cpu("stay as they are where a step makes them worse, or they are not finite", function()
    local f = host.read(sp.csc_matrix {{2, 0}, {0, 4}}, "csc", "int64", "int64", "spec")
    local x, b, calls = ffi.new("double[2]", 1, 1.5), ffi.new("double[2]", 2, 4), 0
    refine.solution(f, "N", x, b, function(to)
      calls, to[0], to[1] = calls + 1, 7, 7
    end)
    assert.same({1, 1.5, 1}, {x[0], x[1], calls})
    x[0] = 0 / 0
    refine.solution(f, "N", x, b, function() error "a step of NaN" end)
    assert.equal(1.5, x[1])
  end)

  on_cpu("solve each equation to a few roundings", function()
    for _, dtype in ipairs {"float64", "complex128"} do
      local x, solution = system_of(dtype)
      for kind, A in pairs {N = x, T = x.T, H = x.T:conj()} do
        local b = cn.matmul(A, solution)
        assert.is_true(error_of(A, sp.linalg.splu(sp.csc_matrix(x)):solve(b, kind), b) < 1e-15)
      end
    end
  end)
end)
