-- Small whole programs of plain operators, as subjects.lua describes. Their twins are in programs_peers.py. Their cost
-- is that of calls and of reusing the memory of unreferenced results; bytes are not meaningful.
local cn = require "cuna"

local function life(g)
  for _ = 1, 4 do
    local n = g[":-3, :-3"] + g[":-3, 2:-2"] + g[":-3, 3:"] + g["2:-2, :-3"] + g["2:-2, 3:"] + g["3:, :-3"]
      + g["3:, 2:-2"] + g["3:, 3:"]
    local after = cn.zeros_like(g)
    after["2:-2, 2:-2"] = cn.logical_or(n:eq(3), cn.logical_and(g["2:-2, 2:-2"]:eq(1), n:eq(2)))
    g = after
  end
  return g
end

local function mandelbrot(re, im)
  local x, y = re * 0 + im * 0, re * 0 + im * 0
  local count = cn.zeros_like(x)
  for _ = 1, 20 do
    local x2, y2 = x * x, y * y
    local inside = (x2 + y2):lt(4)
    count = count + inside
    y = cn.where(inside, 2 * x * y + im, y)
    x = cn.where(inside, x2 - y2 + re, x)
  end
  return count
end

--- 20 steps of the conjugate gradient method.
local function gradients(a, b)
  local x, r = cn.zeros_like(b), b:copy()
  local p, rs = r, cn.dot(r, r)
  for _ = 1, 20 do
    local ap = cn.dot(a, p)
    local alpha = rs / cn.dot(p, ap)
    x, r = x + alpha * p, r - alpha * ap
    local new = cn.dot(r, r)
    p, rs = r + (new / rs) * p, new
  end
  return x
end

--- A step of gradient descent with two layers.
local function mlp_step(x, wanted, w1, w2)
  local z = cn.matmul(x, w1)
  local h = cn.maximum(z, 0)
  local d = (cn.matmul(h, w2) - wanted) * 0.01
  local dh = cn.matmul(d, w2.T) * z:gt(0)
  return w1 - 0.1 * cn.matmul(x.T, dh), w2 - 0.1 * cn.matmul(h.T, d)
end

local function recurrent(h, xs, w, u)
  for k = 1, 32 do h = cn.tanh(cn.matmul(h, w) + cn.matmul(xs[k], u) + 0.01) end
  return h
end

local function gate(x, h, weights, bias, k)
  return cn.matmul(x, weights[k]) + cn.matmul(h, weights[k + 4]) + bias[k]
end

local function sigmoid(x) return 1 / (1 + cn.exp(-x)) end

--- 32 steps of a net with long short-term memory.
local function lstm(h, xs, weights, bias)
  local c = h
  for k = 1, 32 do
    local x = xs[k]
    local i, f = sigmoid(gate(x, h, weights, bias, 1)), sigmoid(gate(x, h, weights, bias, 2))
    local o, g = sigmoid(gate(x, h, weights, bias, 3)), cn.tanh(gate(x, h, weights, bias, 4))
    c = f * c + i * g
    h = o * cn.tanh(c)
  end
  return h
end

--- 32 steps of a net of gated recurrent units.
local function gru(h, xs, weights, bias)
  for k = 1, 32 do
    local x = xs[k]
    local z, r = sigmoid(gate(x, h, weights, bias, 1)), sigmoid(gate(x, h, weights, bias, 2))
    local n = cn.tanh(gate(x, r * h, weights, bias, 3))
    h = (1 - z) * n + z * h
  end
  return h
end

return function(spread)
  local function double(...)
    local shape = { ... }
    return function() return spread(shape, "float64") end
  end
  local makers = {
    pg_square = double(256, 256), pg_vector = double(256), pg_row = double(1, 400), pg_column = double(300, 1),
    pg_batch = double(32, 64), pg_wanted = double(32, 10), pg_first = double(64, 128), pg_second = double(128, 10),
    pg_cells = function() return spread({ 512, 512 }):gt(0.6):astype "uint8" end,
    pg_symmetric = function()
      local m = spread({ 256, 256 }, "float64")
      return m + m.T + 256 * cn.eye(256)
    end,
    pg_state = function() return spread { 64, 256 } end, pg_steps = function() return spread { 32, 64, 256 } end,
    pg_weights = function() return (spread { 256, 256 } - 0.5) * 0.1 end,
    pg_gates = function() return (spread { 8, 256, 256 } - 0.5) * 0.1 end,
    pg_bias = function() return spread { 4, 256 } end,
    pg_thousand = double(1000), pg_hundreds = double(100, 100),
  }
  return makers, {
    { "program_plus_dropped_256", 0, 0, "pg_square", function(x) local _ = x + x end },
    { "program_plus_computed_256", 0, 0, "pg_square", function(x) return x + x end },
    { "program_plus_freed_256", 0, 0, "pg_square", function(x) cn.evaluate(x + x):free() end },
    { "program_life_512", 0, 0, "pg_cells", life },
    { "program_mandelbrot_300x400", 0, 0, "pg_row pg_column", mandelbrot },
    { "program_gradients_256", 0, 0, "pg_symmetric pg_vector", gradients },
    { "program_mlp_step", 0, 0, "pg_batch pg_wanted pg_first pg_second", mlp_step },
    { "program_recurrent_64x256", 0, 0, "pg_state pg_steps pg_weights pg_weights", recurrent },
    { "program_lstm_64x256", 0, 0, "pg_state pg_steps pg_gates pg_bias", lstm },
    { "program_gru_64x256", 0, 0, "pg_state pg_steps pg_gates pg_bias", gru },
    { "program_dot_256", 0, 0, "pg_vector pg_vector", cn.dot },
    { "program_matvec_256", 0, 0, "pg_square pg_vector", cn.dot },
    { "program_rfft_256", 0, 0, "pg_vector", function(x) return cn.fft.rfft(x) end },
    { "program_set_100", 0, 0, "pg_thousand", function(x) for i = 1, 100 do x[i] = i end end },
    { "program_set_rows_100", 0, 0, "pg_hundreds", function(m) for i = 1, 100 do m[{ i, 7 }] = i end end },
    { "program_rows_100", 0, 0, "pg_hundreds", function(m) for i = 1, 100 do local _ = m[i] end end },
  }
end
