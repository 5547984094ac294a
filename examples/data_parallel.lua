-- Data-parallel training: every rank has all weights and a part of each batch; the gradients of all ranks are averaged.
-- All ranks draw the same permutations, so a batch does not depend on the number of ranks; the losses differ in the
-- last bits only, as sums of floats do.
--
--   build/cuna examples/data_parallel.lua
--   build/cuna -n 4 examples/data_parallel.lua 10   -- 4 ranks; epochs
local cn = require "cuna"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local epochs = tonumber(arg[1] or 8)
if not epochs or epochs < 1 or epochs % 1 ~= 0 then
  error("usage: build/cuna [-n ranks] examples/data_parallel.lua [epochs]", 0)
end
local BATCH, RATE, HIDDEN = 128, 0.5, 32

local comm = cn.distributed.init()
cn.random.seed(1) -- without a seed the numbers would be the same on all ranks, too

local data = cn.loadtxt(here .. "/data/digits.csv", {delimiter = ","})
local images, digits = data[":, 1:64"] / 16, data[":, 65"]:reshape(-1, 1):eq(cn.range(0, 9)):astype "float64"
local known = 1500

local weights = {cn.random.standard_normal {64, HIDDEN} * 0.1, cn.zeros(HIDDEN),
  cn.random.standard_normal {HIDDEN, 10} * 0.1, cn.zeros(10)}

local function forward(x)
  local hidden = cn.tanh(x:matmul(weights[1]) + weights[2])
  local e = cn.exp(hidden:matmul(weights[3]) + weights[4])
  return hidden, e / e:sum {axis = 2, keepdims = true}
end

--- The sums over a part of a batch: gradients of the weights, and the loss.
local function gradients(x, target)
  local hidden, output = forward(x)
  local error_ = output - target
  local back = error_:matmul(weights[3].T) * (1 - hidden * hidden)
  return {x.T:matmul(back), back:sum(1), hidden.T:matmul(error_), error_:sum(1), -(target * cn.log(output)):sum()}
end

for epoch = 1, epochs do
  local order, loss = cn.random.permutation(known), 0
  for first = 1, known - BATCH + 1, BATCH do
    local batch = order[{{first, first + BATCH - 1}}]
    local mine = cn.array_split(batch, comm.size)[comm.rank + 1]
    local slopes = gradients(images[mine], digits[mine])
    comm:all_reduce_(slopes) -- a list is one call
    for i, weight in ipairs(weights) do weight:sub_(slopes[i] * (RATE / BATCH)) end
    loss = loss + slopes[5]:item()
  end
  if comm.rank == 0 then print(("epoch %2d: loss %.4f"):format(epoch, loss / known)) end
end

local _, output = forward(images[{{known + 1, -1}, {}}])
local right = output:argmax(2):eq(digits[{{known + 1, -1}, {}}]:argmax(2)):sum():item()
if comm.rank == 0 then print(("%d of %d digits right that it has not seen"):format(right, #images - known)) end
