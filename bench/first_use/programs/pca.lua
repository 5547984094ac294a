-- Principal components of 2000 measurements of 12 quantities that three hidden ones explain.
local cn = require "cuna"

local COUNT, QUANTITIES, HIDDEN = 2000, 12, 3
local rng = cn.random.default_rng(3)

local hidden = rng:standard_normal { COUNT, HIDDEN } * cn.array { 5, 3, 2 }
local x = cn.matmul(hidden, rng:standard_normal { HIDDEN, QUANTITIES }) + rng:normal(4, 0.3, { COUNT, QUANTITIES })

local z = (x - x:mean(1)) / x:std(1)
local covariance = cn.matmul(z.T, z) / (COUNT - 1)
local values, vectors = cn.linalg.eigh(covariance)
local order = cn.argsort(-values)
values, vectors = values:take(order), vectors:take(order, 2)

local share = cn.cumsum(values) / values:sum()
local kept = share:lt(0.95):sum():item() + 1
local axes = vectors[{ {}, { 1, kept } }]
local scores = cn.matmul(z, axes)
local rebuilt = cn.matmul(scores, axes.T)
print(("%d components explain %.6f"):format(kept, share[kept]))
print("variances", cn.round(scores:var(1), 6))
print(("error of the rebuilt ones %.8f"):format(cn.sqrt(((z - rebuilt) ^ 2):mean()):item()))
print(("most unusual row %d"):format((scores * scores):sum(2):argmax():item()))
