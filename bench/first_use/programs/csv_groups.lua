-- A table of sales as text: read, cleaned, grouped by shop and by month, and summarised.
local cn = require "cuna"

-- The text: shop, day of the year, price, pieces; some prices are missing.
local lines, state = { "shop,day,price,pieces" }, 12345
local function below(n)
  state = (state * 1103515245 + 12345) % 2 ^ 31
  return math.floor(state / 2 ^ 31 * n)
end
for _ = 1, 5000 do
  local price = below(50) == 0 and "NA" or ("%.2f"):format(1 + below(10000) / 100)
  lines[#lines + 1] = ("%d,%d,%s,%d"):format(100 + 7 * below(12), 1 + below(365), price, 1 + below(9))
end

local rows = cn.loadtxt({ text = table.concat(lines, "\n") },
  { delimiter = ",", names = true, missing = 0 / 0 })
rows = rows[cn.logical_not(cn.isnan(rows[":, 3"]))]
local shop, day, price, pieces = rows[":, 1"], rows[":, 2"], rows[":, 3"], rows[":, 4"]
local revenue = price * pieces

local shops, group, counts = cn.unique(shop, { return_inverse = true, return_counts = true })
local totals = cn.bincount(group, revenue)
local order = cn.argsort(-totals):totable()
for rank = 1, 5 do
  local k = order[rank]
  local own = price[group:eq(k)]
  print(("shop %d: %4d sales, revenue %.2f, price median %.3f, 90 %% below %.3f, std %.4f"):format(shops[k],
    counts[k], totals[k], cn.median(own):item(), cn.percentile(own, 90):item(), own:std():item()))
end

local month = cn.floor((day - 1) / 30.5):astype "int64" + 1
local monthly = cn.bincount(month, revenue, 12)
print("share of each month", cn.round(monthly / monthly:sum(), 4))
print(("price and pieces correlate by %.6f"):format(cn.corrcoef(price, pieces)[{ 1, 2 }]))
