-- Two samples compared: their histograms, quantiles, moments, and the greatest distance of their distributions.
local cn = require "cuna"

local COUNT, BINS = 100000, 24
local rng = cn.random.default_rng(21)

local a = rng:normal(1, 2, COUNT)
local b = cn.where(rng:random(COUNT):lt(0.3), rng:normal(4, 0.5, COUNT), rng:normal(0, 1.5, COUNT))

local edges = cn.histogram_bin_edges(cn.concatenate { a, b }, BINS)
local of_a, of_b = cn.histogram(a, edges), cn.histogram(b, edges)
local bars = cn.round(of_b / of_b:max() * 40):astype("int64"):totable()
for k = 1, BINS do print(("%6.2f %s"):format(edges[k], ("*"):rep(bars[k]))) end
print("differ by", of_a - of_b)

local function moments(x)
  local z = (x - x:mean()) / x:std()
  return ("mean %.6f, std %.6f, skewness %.6f, kurtosis %.6f"):format(x:mean():item(), x:std():item(),
    (z ^ 3):mean():item(), (z ^ 4):mean():item() - 3)
end
print(moments(a))
print(moments(b))
print("quantiles", cn.round(cn.quantile(b, { 0.05, 0.25, 0.5, 0.75, 0.95 }), 6))

local all = cn.sort(cn.concatenate { a, b })
local function share(x) return cn.searchsorted(cn.sort(x), all, "right") / COUNT end
print(("greatest distance %.6f"):format(cn.abs(share(a) - share(b)):max():item()))
