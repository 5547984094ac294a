-- Fisher's Iris: a summary of each measurement, compared with the published one, and distances between the flowers.
--
--   make run
local cn = require "cuna"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local NAMES = { "sepal length", "sepal width", "petal length", "petal width" }
local COLUMNS = { "min", "max", "mean", "std", "correlation" }
local FORMATS = { "%.1f", "%.1f", "%.2f", "%.2f", "%.4f" }

-- The summary published with the data set; `correlation` is with the class.
local PUBLISHED = {
  { "4.3", "7.9", "5.84", "0.83", "0.7826" },
  { "2.0", "4.4", "3.05", "0.43", "-0.4194" },
  { "1.0", "6.9", "3.76", "1.76", "0.9490" },
  { "0.1", "2.5", "1.20", "0.76", "0.9565" },
}

-- The figures of this copy of the data: the published ones come from an older copy, with other sepal widths.
local CORRECTED = { ["sepal width mean"] = "3.06", ["sepal width correlation"] = "-0.4267" }

--- Five figures for each column of x, (n, 4), with the class of each row, (n,); one Lua table per figure.
local function summarise(x, class)
  local deviation, class_deviation = x - x:mean { axis = 1 }, class - class:mean()
  local covariance = (deviation * class_deviation[{ {}, cn.newaxis }]):mean { axis = 1 }
  local correlation = covariance / (x:std { axis = 1 } * class:std())
  local figures = { x:min { axis = 1 }, x:max { axis = 1 }, x:mean { axis = 1 }, x:std { axis = 1 }, correlation }
  for i, figure in ipairs(figures) do figures[i] = figure:totable() end
  return figures
end

--- Prints the table; returns lines about figures that differ from the published ones, and how many are unexplained.
local function compare(figures)
  local remarks, unexplained = {}, 0
  print(("%-14s%8s%8s%8s%8s%14s"):format("cm", unpack(COLUMNS)))
  for row, name in ipairs(NAMES) do
    local texts = {}
    for column, what in ipairs(COLUMNS) do
      local text, published = FORMATS[column]:format(figures[column][row]), PUBLISHED[row][column]
      texts[column] = text
      if text ~= published then
        local explained = CORRECTED[name .. " " .. what] == text
        if not explained then unexplained = unexplained + 1 end
        remarks[#remarks + 1] = ("  %s, %s: %s here, %s published%s"):format(name, what, text, published,
          explained and "" or " (unexplained)")
      end
    end
    print(("%-14s%8s%8s%8s%8s%14s"):format(name, unpack(texts)))
  end
  return remarks, unexplained
end

--- Euclidean distances between the rows of x, (n, n), with every column scaled to mean 0 and standard deviation 1.
local function standardised_distances(x)
  local z = (x - x:mean { axis = 1 }) / x:std { axis = 1 }
  local difference = z[{ {}, cn.newaxis, {} }] - z[{ cn.newaxis, {}, {} }]
  return cn.sqrt((difference ^ 2):sum { axis = 3 })
end

--- How many flowers have a nearest neighbour of their own class.
local function count_good_neighbours(distances, class)
  local n = #distances
  local nearest = (distances + cn.identity(n) * 1e9):argmin { axis = 2 }:totable()
  local classes, count = class:totable(), 0
  for i = 1, n do
    if classes[nearest[i]] == classes[i] then count = count + 1 end
  end
  return count
end

local function print_distances(distances, class)
  local n = #distances
  local same = class[{ {}, cn.newaxis }]:eq(class[{ cn.newaxis, {} }])
  local pairs_within = same:sum():item() - n
  local within = (distances * same):sum():item() / pairs_within
  local between = (distances * same:logical_not()):sum():item() / (n * n - n - pairs_within)
  local farthest = distances:argmax():item()
  print(("\nStandardised distances, %d x %d:"):format(n, n))
  print(("  mean between flowers of one class %.3f, of two classes %.3f"):format(within, between))
  print(("  greatest %.3f, between flowers %d and %d"):format(distances:max():item(),
    math.floor((farthest - 1) / n) + 1, (farthest - 1) % n + 1))
  print(("  %d of %d flowers have a nearest neighbour of their own class"):format(
    count_good_neighbours(distances, class), n))
end

local data = cn.loadtxt(here .. "/data/iris.csv", { delimiter = ",", skiprows = 1 })
local x, class = data[":, 1:4"], data[":, 5"]
print(("Iris: %d flowers, %d measurements, %d classes, on %s\n"):format(x.shape[1], x.shape[2],
  class:max():item() + 1, x.device.name))

local remarks, unexplained = compare(summarise(x, class))
print(("\n%d of %d figures are the published ones."):format(#NAMES * #COLUMNS - #remarks, #NAMES * #COLUMNS))
if #remarks > 0 then
  print("The others differ because the published sepal widths stem from an older copy of the data:")
  print(table.concat(remarks, "\n"))
end
print_distances(standardised_distances(x), class)

if unexplained > 0 then error(unexplained .. " figures differ from the published ones without a reason", 0) end
