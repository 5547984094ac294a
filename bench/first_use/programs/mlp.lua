-- A net of two layers learns the sign of x * y: batches, ReLU, logistic loss, momentum, all by plain operators.
local cn = require "cuna"

local BATCH, HIDDEN, STEPS, RATE, MOMENTUM = 256, 32, 200, 0.5, 0.9
local rng = cn.random.default_rng(5)

local inputs = rng:uniform(-1, 1, { 4096, 2 }, "float32")
local wanted = (inputs[":, 1"] * inputs[":, 2"]):gt(0):astype("float32"):reshape(4096, 1)

local weights = { rng:standard_normal({ 2, HIDDEN }, "float32"), cn.zeros({ HIDDEN }, "float32"),
  rng:standard_normal({ HIDDEN, 1 }, "float32") * 0.3, cn.zeros({ 1 }, "float32") }
local steps = {}
for i, weight in ipairs(weights) do steps[i] = cn.zeros_like(weight) end

local function forward(x)
  local hidden = cn.maximum(cn.matmul(x, weights[1]) + weights[2], 0)
  return hidden, 1 / (1 + cn.exp(-(cn.matmul(hidden, weights[3]) + weights[4])))
end

local function train(x, y)
  local hidden, answer = forward(x)
  local slope = (answer - y) / #x
  local inner = cn.matmul(slope, weights[3].T) * hidden:gt(0)
  local slopes = { cn.matmul(x.T, inner), inner:sum(1), cn.matmul(hidden.T, slope), slope:sum(1) }
  for i, weight in ipairs(weights) do
    steps[i] = MOMENTUM * steps[i] - RATE * slopes[i]
    weights[i] = weight + steps[i]
  end
  return -cn.mean(y * cn.log(answer + 1e-7) + (1 - y) * cn.log(1 - answer + 1e-7))
end

for k = 1, STEPS do
  local chosen = rng:integers(1, #inputs, BATCH, { endpoint = true })
  local loss = train(inputs:take(chosen, 1), wanted:take(chosen, 1))
  if k % 50 == 0 then print(("step %d: loss %.6g"):format(k, loss:item())) end
end
local _, answer = forward(inputs)
print(("right %.6g"):format(answer:gt(0.5):eq(wanted:gt(0.5)):mean():item()))
