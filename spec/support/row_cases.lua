--- Walks over rows of many lengths, which lanes cut into pieces or squares, or do several of at once: each gives what
--- contiguous copies give.
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"

local M = {}

--- Fewer and more elements than 32 lanes have at once, up to a block and a few pieces more; rows enough for pieces of a
--- block to lie one below the other, and some of them beyond the last row.
local WIDTHS = {1, 2, 31, 33, 64, 65, 100, 128, 129, 257, 1021}
local HEIGHTS = {1, 3, 67}

local function counting(...)
  local shape = {...}
  return (cn.arange(cn.zeros(shape, "int8").size) % 8191):astype "float32":reshape(shape)
end

local function copied(x) return cn.ascontiguousarray(x) end

local function whole(x, shape) return copied(cn.broadcast_to(x, shape)) end

--- Functions that make operands of a height and a width.
local OPERANDS = {
  slices = function(height, width)
    local x = counting(height + 2, width + 3)
    return x["2:-2, 2:-3"], x["3:, 4:"]
  end,
  planes = function(height, width)
    local x = counting(3, height + 1, width + 2)
    return x[":-2, 2:, 2:-2"], x["2:, :-2, 3:"]
  end,
  by_column = function(height, width) return counting(height, width), counting(height, 1) end,
  by_row = function(height, width) return counting(height, width), counting(1, width) end,
  outer = function(height, width) return counting(height, 1), counting(1, width) end,
  steps = function(height, width)
    local x = counting(height, 2 * width + 1)
    return x[":, 2::2"], x[":, :-2:2"]
  end,
  transposed = function(height, width) return counting(height, width), counting(width, height).T end,
  transposed64 = function(height, width)
    local x = counting(width, height):astype "float64"
    return x.T, counting(height, width)
  end,
  backwards = function(height, width)
    local x = counting(height, 3 * width)
    return x["::-1, ::-3"], x[":, ::3"]
  end,
}

local function check(ok, ...)
  if not ok and not core.is_preparing() then error(("%s of %d x %d has other elements"):format(...), 2) end
end

--- What a row has beyond its last whole access: rows begin at aligned addresses, and end anywhere.
local function check_in_place(height, width)
  local x = counting(height, 1024)
  local expected = counting(height, 1024)[{{}, {1, width}}] + 1
  local row = x[{{}, {1, width}}]
  cn.add(row, 1, {out = row})
  check(cn.array_equal(row, copied(expected)), "in place", height, width)
  local beside = {{}, {width + 1, 1024}}
  check(cn.array_equal(x[beside], counting(height, 1024)[beside]), "beside", height, width)
end

local function check_all()
  for _, height in ipairs(HEIGHTS) do
    for _, width in ipairs(WIDTHS) do
      for name, make in pairs(OPERANDS) do
        local a, b = make(height, width)
        local result = a - b
        check(result:tobytes() == (whole(a, result.shape) - whole(b, result.shape)):tobytes(), name, height, width)
      end
      check_in_place(height, width)
    end
  end
end

--- Raises an error unless all walks compute what walks over contiguous copies do.
function M.check()
  devices.prepare(check_all)
  check_all()
end

return M
