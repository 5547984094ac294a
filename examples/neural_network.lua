-- A neural network that learns Fisher's Iris: 4 measurements, two hidden layers of 100 (tanh, then sigmoid), 3 classes
-- (softmax), trained by back-propagation with momentum. All of it runs on the device; the script fetches the loss now
-- and then for a line of progress.
--
--   make run SCRIPT=examples/neural_network.lua
--   build/cuna examples/neural_network.lua 200      -- epochs
local cn = require "cuna"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local epochs = tonumber(arg[1] or 1000)
if not epochs or epochs < 1 or epochs % 1 ~= 0 then
  error("usage: build/cuna examples/neural_network.lua [epochs]", 0)
end
local RATE, MOMENTUM, SHOWN = 0.1, 0.9, 50 -- learning rate; share of the last step; lines of progress
local rng = cn.random.default_rng(2)

-- ---- layers: forward and backward passes ----

-- Each activation with its derivative, expressed by the activation: one kernel per pass.
local TANH = {
  forward = cn.fuse(function(z) return cn.tanh(z) end),
  backward = cn.fuse(function(error_, a) return error_ * (1 - a * a) end),
}
local SIGMOID = {
  forward = cn.fuse(function(z) return 1 / (1 + cn.exp(-z)) end),
  backward = cn.fuse(function(error_, a) return error_ * a * (1 - a) end),
}
local SOFTMAX = {
  forward = cn.fuse(function(z)
    local e = cn.exp(z - z:max {axis = 2, keepdims = true})
    return e / e:sum {axis = 2, keepdims = true}
  end),
  backward = function(error_) return error_ end, -- with the cross-entropy, the error is output - target
}

--- One step of gradient descent; weights and step change in place.
local function descend(weights, step, slope)
  step:mul_(MOMENTUM)
  step:sub_(slope * RATE)
  weights:add_(step)
end

--- A layer from `inputs` to `outputs`, with weights that preserve the variance of their input (Glorot).
local function layer(inputs, outputs, activation)
  local weights = rng:standard_normal({inputs, outputs}, "float32") * math.sqrt(2 / (inputs + outputs))
  return {
    weights = weights, bias = cn.zeros({outputs}, "float32"), activation = activation,
    weight_step = cn.zeros_like(weights), bias_step = cn.zeros({outputs}, "float32"),
  }
end

local function forward(network, x)
  for _, each in ipairs(network) do
    each.input = x
    each.answer = each.activation.forward(x:matmul(each.weights) + each.bias)
    x = each.answer
  end
  return x
end

local function backward(network, error_)
  for k = #network, 1, -1 do
    local each = network[k]
    local slope = each.activation.backward(error_, each.answer)
    error_ = slope:matmul(each.weights.T)
    descend(each.weights, each.weight_step, each.input.T:matmul(slope))
    descend(each.bias, each.bias_step, slope:sum(1))
  end
end

-- ---- the loss, shown ----

--- The curve as text: one column per value, from the first.
local function print_curve(losses)
  local rows, columns = 12, math.min(#losses, 70)
  local top = math.max(unpack(losses))
  for row = rows, 1, -1 do
    local letters = {}
    for column = 1, columns do
      local value = losses[math.floor((column - 1) / columns * #losses) + 1]
      letters[column] = value / top * rows > row - 1 and "#" or " "
    end
    print(("%8.4f |%s"):format(top * row / rows, table.concat(letters)))
  end
  print(("%8s +%s"):format("", ("-"):rep(columns)))
end

--- Draws the curve with gnuplot; false if it is not installed.
local function draw_curve(losses, every)
  local path = (os.getenv "TMPDIR" or "/tmp") .. "/cuna_loss.png"
  local pipe = io.popen("command -v gnuplot")
  local found = pipe:read "*l"
  pipe:close()
  if not found then return false end
  local plot = io.popen("gnuplot", "w")
  plot:write("set terminal png\nset output '", path, "'\nset logscale y\nset xlabel 'epoch'\nset ylabel 'loss'\n",
    "plot '-' with lines notitle\n")
  for k, loss in ipairs(losses) do plot:write((k - 1) * every + 1, " ", loss, "\n") end
  plot:write "e\n"
  plot:close()
  print("the loss curve is in " .. path)
  return true
end

-- ---- the data ----

local data = cn.loadtxt(here .. "/data/iris.csv", {delimiter = ",", skiprows = 1, dtype = "float32"})
local measured, class = data[":, 1:4"], data[":, 5"]
local x = (measured - measured:mean(1)) / measured:std(1)
local wanted = class[{{}, cn.newaxis}]:eq(cn.arange(3)):astype "float32"
local count = #x

-- ---- training ----

local network = {layer(4, 100, TANH), layer(100, 100, SIGMOID), layer(100, 3, SOFTMAX)}
local cross_entropy = cn.fuse(function(answer, target) return -(target * cn.log(answer + 1e-12)):sum() end)

print(("%d flowers, network 4-100-100-3, %d epochs on %s"):format(count, epochs, x.device.name))
local losses, every = {}, math.max(math.floor(epochs / SHOWN), 1)
local start = cn.clock()
for epoch = 1, epochs do
  cn.scope(function()
    local answer = forward(network, x)
    backward(network, (answer - wanted) / count)
    if epoch % every == 0 or epoch == 1 then
      losses[#losses + 1] = cross_entropy(answer, wanted):item() / count
      io.write(("\r  epoch %d of %d, loss %.6f "):format(epoch, epochs, losses[#losses]))
      io.flush()
    end
    for _, each in ipairs(network) do each.input, each.answer = nil, nil end
  end)
end
cn.synchronize()
print(("\n  %.2f ms an epoch"):format((cn.clock() - start) * 1e3 / epochs))
if not draw_curve(losses, every) then print_curve(losses) end

local right = forward(network, x):argmax(2):eq(class + 1):sum():item()
print(("%d of %d flowers right (%.1f %%)"):format(right, count, 100 * right / count))
if epochs >= 200 and right < 0.95 * count then error("the network did not learn", 0) end
