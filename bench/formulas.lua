-- Whole programs of plain operators, timed one after the other; each with what its results add up to. Their twins for
-- NumPy, CuPy and JAX are in formulas_peers.py.
--   build/cuna bench/formulas.lua [--scale 1] [--only name,..] [--mode plain|fuse|graph] [--pause 1]
-- One line of JSON each: name, peer, median_us, first_ms (of the first call) and check. `pause` is how many seconds a
-- program runs before it is timed, in which kernels are compiled.
local cn = require "cuna"

local measure = dofile((arg[0]:match "^(.*/)" or "") .. "measure.lua")
local options = {}
for i = 1, #arg, 2 do options[arg[i]] = arg[i + 1] end
local mode = options["--mode"] or "plain"
local scale, only, pause = tonumber(options["--scale"] or 1), options["--only"], tonumber(options["--pause"] or 1)

--- Lengths of vectors, and of sides of matrices.
local function L(n) return math.max(16, math.floor(n * scale)) end
local function S(n) return math.max(16, math.floor(n * math.sqrt(scale))) end

--- An array of a shape with fractions of multiples of the golden section, between two numbers.
local function ramp(shape, lo, hi)
  lo, hi = lo or 0, hi or 1
  local n = 1
  for _, s in ipairs(shape) do n = n * s end
  local f = cn.arange(n, "float32") * 0.61803398875
  f = f - cn.floor(f)
  return cn.evaluate((f * (hi - lo) + lo):reshape(shape))
end
local P, order = {}, {}
local function program(name, make, fn)
  P[name] = {make, fn}
  order[#order + 1] = name
end
local NA = cn.newaxis
local K2 = {axis = 2, keepdims = true}

program("sir_rk4", function() return ramp({L(1e5)}, .1, .5), ramp({L(1e5)}, .05, .2) end, function(beta, gamma)
  local s, i = beta * 0 + .99, beta * 0 + .01
  local function f(ill, well)
    local caught = beta * well * ill
    return -caught, caught - gamma * ill
  end
  local h = .5
  for _ = 1, 20 do
    local a1, b1 = f(i, s)
    local a2, b2 = f(i + h / 2 * b1, s + h / 2 * a1)
    local a3, b3 = f(i + h / 2 * b2, s + h / 2 * a2)
    local a4, b4 = f(i + h * b3, s + h * a3)
    s = s + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    i = i + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
  end
  return s, i
end)
program("option_paths", function() return ramp({50, L(2e5)}, -2, 2) end, function(z)
  local s = cn.full(z.shape[2], 100, "float32")
  local best, total = s, s * 0
  for k = 1, 50 do
    s = s * cn.exp(0.0002 + 0.02 * z[k])
    best, total = cn.maximum(best, s), total + s
  end
  return cn.mean(cn.maximum(total / 50 - 100, 0)), cn.mean(best - s)
end)
program("julia", function() return ramp({S(1e3), 1}, -1.5, 1.5), ramp({1, S(1e3)}, -1.5, 1.5) end, function(a, b)
  local z = a + b * 1i
  local n = cn.zeros(z.shape, "int32")
  for _ = 1, 20 do
    local live = cn.abs(z):lt(2)
    z = cn.where(live, z * z + cn.complex(-0.4, 0.6), z)
    n = n + live
  end
  return n
end)
program("cosine_similarity", function()
  return ramp({S(3e3), 128}, -1, 1), ramp({S(3e3), 128}, -1, 1)
end, function(x, y)
  x = x / cn.sqrt(cn.sum(x * x, K2))
  y = y / cn.sqrt(cn.sum(y * y, K2))
  return cn.matmul(x, y.T)
end)
program("pairwise", function() return ramp {S(1e3), 16}, ramp {S(1e3), 16} end, function(x, y)
  local d = x[{{}, NA, {}}] - y[{NA, {}, {}}]
  return cn.sqrt(cn.sum(d * d, 3))
end)
program("softmax_regression", function()
  return ramp({L(2e5), 64}, -1, 1), ramp({64, 10}, -1, 1), cn.arange(L(2e5), "int64") % 10
end, function(x, w, y)
  local z = cn.matmul(x, w)
  z = z - cn.max(z, K2)
  local e = cn.exp(z)
  local p = e / cn.sum(e, K2)
  local hot = y[{{}, NA}]:eq(cn.arange(10)[{NA, {}}]):astype "float32"
  return cn.matmul(x.T, p - hot) / x.shape[1], -cn.mean(cn.sum(hot * cn.log(p + 1e-9), 2))
end)
program("batchnorm", function() return ramp({32, 64, 56, 56}, -2, 3), ramp {64}, ramp {64} end, function(x, g, b)
  local o = {axis = {1, 3, 4}, keepdims = true}
  local m = cn.mean(x, o)
  local v = cn.mean((x - m) ^ 2, o)
  return cn.maximum((x - m) / cn.sqrt(v + 1e-5) * g[{NA, {}, NA, NA}] + b[{NA, {}, NA, NA}], 0)
end)
program("wave", function() return ramp {S(1e3), S(1e3)}, ramp {S(1e3), S(1e3)} end, function(u, v)
  for _ = 1, 10 do
    local lap = cn.pad(u[":-3, 2:-2"] + u["3:, 2:-2"] + u["2:-2, :-3"] + u["2:-2, 3:"] - 4 * u["2:-2, 2:-2"], 1)
    u, v = 2 * u - v + 0.1 * lap, u
  end
  return u
end)
program("moving_average", function() return ramp({L(5e6)}, -1, 1) end, function(x)
  local c = cn.cumsum(x)
  local m = (c["51:"] - c[":-51"]) / 50
  return m, cn.mean(cn.abs(x["51:"] - m))
end)
program("mixture", function()
  return ramp({L(5e5), 2}, -3, 3), ramp({8, 2}, -3, 3), ramp({8}, .5, 2), ramp({8}, .1, .2)
end, function(x, mu, s, w)
  local d = x[{{}, NA, {}}] - mu[{NA}]
  local l = -cn.sum(d * d, 3) / (2 * s * s) - 2 * cn.log(s) + cn.log(w)
  local m = cn.max(l, K2)
  local e = cn.exp(l - m)
  local t = cn.sum(e, K2)
  local r = e / t
  local n = cn.sum(r, 1)
  return cn.matmul(r.T, x) / n[{{}, NA}], n, cn.mean(m["1:, 1"] + cn.log(t["1:, 1"]))
end)
program("lennard_jones", function() return ramp({S(1e3), 3}, 0, 10) * 1.7 end, function(x)
  local d = x[{{}, NA, {}}] - x[{NA}]
  local r2 = cn.sum(d * d, 3) + cn.eye(x.shape[1], {dtype = "float32"})
  local i6 = 1 / (r2 * r2 * r2)
  local f = 24 * i6 * (2 * i6 - 1) / r2
  return cn.sum(f[{{}, {}, NA}] * d, 2), cn.sum(4 * i6 * (i6 - 1)) / 2
end)
program("photo", function() return (ramp {S(2e3), S(3e3), 3} * 255):astype "uint8" end, function(p)
  local f = p:astype "float32" / 255
  local grey = 0.299 * f[":, :, 1"] + 0.587 * f[":, :, 2"] + 0.114 * f[":, :, 3"]
  local g = grey ^ 0.45
  return (cn.clip(g * 1.2 - 0.1, 0, 1) * 255):astype "uint8", cn.mean(g), cn.mean(f, {1, 2})
end)
program("equalise", function() return (ramp {S(2e3), S(3e3)} ^ 2 * 255):astype "uint8" end, function(p)
  local n = cn.bincount(p:reshape(-1):astype "int64" + 1, nil, {minlength = 256})
  local c = cn.cumsum(n)
  local t = cn.floor_divide((c - c["1"]) * 255, p.size - c["1"])
  return t:astype "uint8"[p:astype "int64" + 1]
end)
program("drawdown", function() return ramp({L(5e6)}, -.01, .0101) end, function(r)
  local w = cn.cumprod(1 + r)
  local m = cn.maximum_accumulate(w)
  return cn.min(w / m - 1), w["-1:"]
end)
program("conv_shifts", function() return ramp {S(2e3), S(2e3)}, ramp {3, 3} end, function(u, k)
  local out = 0
  local h, w = u.shape[1], u.shape[2]
  for i = 1, 3 do
    for j = 1, 3 do out = out + u[{{i, h - 3 + i}, {j, w - 3 + j}}] * k[{i, {j}}] end
  end
  return cn.maximum(out, 0)
end)
program("correlation_matrix", function() return ramp({L(2e5), 64}, -1, 2) end, function(x)
  local d = x - cn.mean(x, 1)
  local c = cn.matmul(d.T, d) / (x.shape[1] - 1)
  local s = cn.sqrt(cn.diag(c))
  return c / s[{{}, NA}] / s[{NA}]
end)
program("power_iteration", function() return ramp {S(1e3), S(1e3)}, ramp {S(1e3)} end, function(a, v)
  for _ = 1, 20 do
    v = cn.matmul(a, v)
    v = v / cn.sqrt(cn.sum(v * v))
  end
  return v, cn.sum(v * cn.matmul(a, v))
end)
program("momentum", function()
  local t = {}
  for k = 1, 30 do t[k] = ramp({256, 256}, -1, 1) end
  return unpack(t)
end, function(...)
  local a, out = {...}, {}
  for k = 0, 9 do
    local w, g, m = a[3 * k + 1], a[3 * k + 2], a[3 * k + 3]
    m = 0.9 * m + g + 1e-4 * w
    out[#out + 1], out[#out + 2] = w - 0.01 * m, m
  end
  return unpack(out)
end)
program("horner", function() return ramp({L(1e7)}, -1, 1) end, function(x)
  local y = x * 0
  for k = 0, 11 do y = y * x + (0.3 - 0.05 * k) end
  return y
end)
program("haversine", function()
  local t = {}
  for k, s in ipairs {1, .9, .8, .7} do t[k] = ramp({L(2e6)}, -1.5, 1.5) * s end
  return unpack(t)
end, function(a, b, c, d)
  local h = cn.sin((c - a) / 2) ^ 2 + cn.cos(a) * cn.cos(c) * cn.sin((d - b) / 2) ^ 2
  return 2 * 6371 * cn.arcsin(cn.sqrt(h))
end)
program("block_tail", function()
  return ramp({S(4096), 1024}, -2, 2), ramp {S(4096), 1024}, ramp {1024}, ramp {1024}
end, function(x, u, g, b)
  local y = x * 0.5 * (1 + cn.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
  y = cn.where(u:gt(0.1), y / 0.9, 0) + x
  local m, v = cn.mean(y, K2), cn.var(y, K2)
  return (y - m) / cn.sqrt(v + 1e-5) * g + b
end)
program("kalman", function() return ramp({40, L(1e5)}, -1, 1) end, function(z)
  local x = z[1]
  local p, out = x * 0 + 1, x * 0
  for k = 1, 40 do
    p = p + 0.01
    local g = p / (p + 0.1)
    x = x + g * (z[k] - x)
    p = (1 - g) * p
    out = out + x
  end
  return out, p
end)
program("ising", function()
  return cn.where(ramp {S(1e3), S(1e3)}:gt(.5), 1, -1):astype "int8", ramp {4, S(1e3), S(1e3)}
end, function(s, u)
  local i = cn.arange(s.shape[1])[{{}, NA}] + cn.arange(s.shape[2])[{NA}]
  for k = 0, 3 do
    local n = cn.roll(s, 1, 1) + cn.roll(s, -1, 1) + cn.roll(s, 1, 2) + cn.roll(s, -1, 2)
    local de = 2 * s * n
    local flip = u[k + 1]:lt(cn.exp(-de:astype "float32" * 0.4)):band((i % 2):eq(k % 2))
    s = cn.where(flip, -s, s)
  end
  return s, cn.mean(s:astype "float32")
end)
program("cross_entropy", function()
  return ramp({L(1e5), 100}, -3, 3), cn.arange(L(1e5), "int64") * 7 % 100 + 1
end, function(z, y)
  local m = cn.max(z, K2)
  local l = cn.log(cn.sum(cn.exp(z - m), K2)) + m
  local t = cn.take_along_axis(z, y[{{}, NA}], 2)
  return cn.mean(l - t), cn.mean(cn.argmax(z, 2):eq(y):astype "float32")
end)
program("quantise", function() return ramp({S(4096), 1024}, -3, 3) end, function(w)
  local s = cn.max(cn.abs(w), K2) / 127
  local q = cn.clip(cn.round(w / s), -127, 127):astype "int8"
  return q, cn.mean((q:astype "float32" * s - w) ^ 2)
end)
program("causal_attention", function()
  return ramp({8, 512, 64}, -1, 1), ramp({8, 512, 64}, -1, 1), ramp({8, 512, 64}, -1, 1)
end, function(q, k, v)
  local s = cn.matmul(q, cn.swapaxes(k, 2, 3)) / 8
  local i = cn.arange(512)
  s = cn.where(i[{NA}]:le(i[{{}, NA}]), s, -1e9)
  local e = cn.exp(s - cn.max(s, {axis = 3, keepdims = true}))
  return cn.matmul(e / cn.sum(e, {axis = 3, keepdims = true}), v)
end)
program("ranks", function() return ramp {L(1e6)} end, function(x)
  local r = (cn.argsort(cn.argsort(x)) - 1):astype "float32"
  return r / x.size, cn.mean(r * x)
end)
program("jacobi", function()
  return ramp {S(1e3), S(1e3)} + cn.eye(S(1e3), {dtype = "float32"}) * 1000, ramp {S(1e3)}
end, function(a, b)
  local d = cn.diag(a)
  local x = b * 0
  for _ = 1, 20 do x = (b - cn.matmul(a, x) + d * x) / d end
  return x
end)
program("spectrum", function() return ramp({256, 4096}, -1, 1), ramp {4096}, ramp {2049} end, function(x, w, f)
  local s = cn.fft.rfft(x * w, {axis = 2})
  local p = (cn.abs(s) ^ 2):mean(1)
  return cn.fft.irfft(s * f, 4096, {axis = 2}), cn.log10(p + 1e-12)
end)
program("rotate_points", function() return ramp({L(1e6), 3}, -1, 1), ramp({3, 3}, -1, 1) end, function(x, r)
  local y = cn.matmul(x, r.T) + cn.array({1, 2, 3}, "float32")
  local n = cn.sqrt(cn.sum(y ^ 2, K2))
  return y / n, cn.min(y, 1), cn.max(y, 1)
end)
program("logistic_step", function()
  return ramp({L(1e6), 32}, -1, 1), ramp {32}, ramp {L(1e6)}:gt(.5):astype "float32"
end, function(x, w, y)
  local p = 1 / (1 + cn.exp(-cn.matmul(x, w)))
  local g = cn.matmul(x.T, p - y) / x.shape[1]
  return w - 0.1 * g
end)
program("standardise", function()
  return ramp({L(1e6), 32}, -1, 3)
end, function(x) return (x - cn.mean(x, 1)) / cn.std(x, 1) end)
program("ring", function() return ramp {S(1e3), S(1e3)} end, function(u)
  for _ = 1, 4 do
    local up, dn = cn.concatenate({u["-1:"], u[":-2"]}, 1), cn.concatenate({u["2:"], u[":1"]}, 1)
    local lf, rt = cn.concatenate({u[":, -1:"], u[":, :-2"]}, 2), cn.concatenate({u[":, 2:"], u[":, :1"]}, 2)
    u = u + 0.1 * (up + dn + lf + rt - 4 * u)
  end
  return u
end)
local function report(name, fields)
  print(('{"name": "%s", "peer": "cuna_%s", %s}'):format(name, mode, fields))
  io.flush()
end

--- The median of the seconds that a call takes, after it ran for a while.
local function median(call)
  local quiet = cn.clock() + pause
  repeat call() until cn.clock() >= quiet
  collectgarbage()
  return (select(3, measure.measure(0.6, call)))
end

local function run(name, make, fn)
  local inputs = {make()}
  for _, x in ipairs(inputs) do cn.evaluate(x) end
  if mode == "fuse" then fn = cn.fuse(fn) elseif mode == "graph" then fn = cn.graph(fn, unpack(inputs)) end
  local function call()
    cn.evaluate(fn(unpack(inputs)))
    cn.synchronize()
  end
  local start, sums = cn.clock(), {}
  call()
  local first = cn.clock() - start
  local seconds = median(call)
  for i, x in ipairs {fn(unpack(inputs))} do
    sums[i] = ('"%.6g"'):format(cn.sum(cn.abs(x):astype "float64"):item())
  end
  report(name, ('"median_us": %.1f, "first_ms": %.1f, "check": [%s]'):format(seconds * 1e6, first * 1e3,
    table.concat(sums, ", ")))
end

for _, name in ipairs(order) do
  if not only or ("," .. only .. ","):find("," .. name .. ",", 1, true) then
    local ok, message = pcall(run, name, unpack(P[name]))
    if not ok then report(name, ('"error": %q'):format(tostring(message):gsub("\n.*", ""))) end
    collectgarbage()
    collectgarbage()
  end
end
