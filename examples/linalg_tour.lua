-- A tour of linear algebra: determinants, norms, factorisations, inverses, on every device of the machine.
--
--   make run SCRIPT=examples/linalg_tour.lua
--   build/cuna examples/linalg_tour.lua 256         -- the largest matrix
local cn = require "cuna"
local linalg = cn.linalg

local largest = tonumber(arg and arg[1] or 2048)
if not largest or largest < 64 or largest % 1 ~= 0 then
  error("usage: build/cuna examples/linalg_tour.lua [largest side, at least 64]", 0)
end
local rng = cn.random.default_rng(7)

-- ---- determinants ----

local a = cn.vstack {{2, 1, 1}, {1, 3, 2}, {1, 0, 0}}
print "three rows, stacked:"
print(a)
print(("determinant %g; of twice the identity exactly %g"):format(linalg.det(a):item(),
  linalg.det(2 * cn.identity(3)):item()))
local sign, logdet = linalg.slogdet(a)
print(("sign %g, logarithm %.6f"):format(cn.item(sign, logdet)))

-- ---- norms and distances ----

print(("\nnorms: Frobenius %.6f, largest column sum %g, largest row sum %g, spectral %.6f"):format(cn.item(
  linalg.norm(a), linalg.norm(a, 1), linalg.norm(a, cn.inf), linalg.norm(a, 2))))

-- ---- equations ----

local b = cn.array {4, 5, 6}
local x = linalg.solve(a, b)
local residual = linalg.norm(a:matmul(x) - b):item()
print(("\nsolution of a x = %s: %s, residual %.1e"):format(tostring(b), tostring(x), residual))
local ok, message = pcall(function() return tostring(linalg.inv {{1, 2}, {2, 4}}) end)
print(("a singular matrix is an error: %s"):format(ok and "not seen" or message:match "LinAlgError.*"))

-- ---- QR, timed on all devices ----

local function milliseconds(fn)
  fn() -- loads libraries, compiles
  cn.synchronize()
  local start = cn.clock()
  fn()
  return (cn.clock() - start) * 1e3
end

local devices = {cn.device "cpu"}
if cn.cuda.is_available() then devices[2] = cn.device "cuda:0" end
print "\nQR factorisation of random float32 matrices, ms:"
local side = 64
while side <= largest do
  local texts = {}
  for i, device in ipairs(devices) do
    device:with(function()
      local m = rng:standard_normal({side, side}, "float32")
      texts[i] = ("%s %9.2f"):format(device.name, milliseconds(function() return linalg.qr(m) end))
    end)
  end
  print(("  %5d  %s"):format(side, table.concat(texts, "   ")))
  side = side * 2
end

-- ---- two inverses on two streams ----

local n = math.min(largest, 512)
local matrices, inverses = {}, {}
for i = 1, 2 do matrices[i] = rng:standard_normal {n, n} + n * cn.identity(n) end
local streams = {cn.cuda.Stream(), cn.cuda.Stream()}
local together = milliseconds(function()
  for i = 1, 2 do inverses[i] = streams[i]:with(linalg.inv, matrices[i]) end
  for i = 1, 2 do streams[i]:synchronize() end
end)
local one_by_one = milliseconds(function()
  for i = 1, 2 do linalg.inv(matrices[i]) end
end)
print(("\ntwo inverses of %d x %d: %.2f ms on two streams, %.2f ms one after the other"):format(n, n, together,
  one_by_one))
local worst = 0
for i = 1, 2 do
  worst = math.max(worst, (matrices[i]:matmul(inverses[i]) - cn.identity(n)):abs():max():item())
end
print(("a times its inverse is the identity up to %.1e"):format(worst))
if worst > 1e-9 or linalg.det(2 * cn.identity(3)):item() ~= 8 then error("the tour lost its way", 0) end
