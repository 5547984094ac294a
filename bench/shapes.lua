-- Workloads that join, move, pad and repeat, for cuna.lua and gpu.lua. Their twins are in shape_peers.py.
--
-- shapes(spread, length) returns the makers of inputs and the rows {name, bytes read, bytes written, inputs, function
-- of the inputs}.
local cn = require "cuna"

return function(spread, length)
  local n, rows, columns = length(1e7), length(2000), 5000
  local half, tenth = math.floor(n / 2), math.floor(n / 10)
  local size = rows * columns

  local makers = {
    sx = function() return spread(n) end,
    shalf = function() return spread(half) end,
    stenth = function() return spread(tenth) end,
    sthousand = function() return spread(1000) end,
    scounts = function() return cn.arange(half) * 7919 % 5 end,
    sm = function() return spread { rows, columns } end,
  }

  --- 1000 arrays of 10 elements, as one input.
  local function pieces(x)
    local list = {}
    for i = 1, 1000 do list[i] = x["1:10"] end
    return list
  end
  local held = {}
  local function concatenate_pieces(x)
    if held.of ~= x then held = { of = x, list = pieces(x) } end
    return cn.concatenate(held.list)
  end

  return makers, {
    { "launch_concat1000", 0, 0, "sthousand", concatenate_pieces },
    { "launch_stack4", 0, 0, "sthousand", function(x) return cn.stack { x, x, x, x } end },
    { "concat_f32_2x5e6", 8 * half, 8 * half, "shalf", function(x) return cn.concatenate { x, x } end },
    { "stack_columns_f32_2x5e6", 8 * half, 8 * half, "shalf", function(x) return cn.stack({ x, x }, 2) end },
    { "roll_f32_1e7", 4 * n, 4 * n, "sx", function(x) return x:roll(1000) end },
    { "pad_f32_2000x5000", 4 * size, 4 * size, "sm", function(m) return m:pad(10) end },
    { "pad_reflect_f32_2000x5000", 4 * size, 4 * size, "sm", function(m) return m:pad(10, "reflect") end },
    { "tile_f32_1000x1e4", 0, 4000 * math.floor(n / 1000), "sthousand sx", function(x, like)
      return x:tile(math.floor(like.size / 1000))
    end },
    { "repeat_f32_1e6x10", 4 * tenth, 40 * tenth, "stenth", function(x) return x:repeat_interleave(10) end },
    { "repeat_counts_f32_5e6", 12 * half, 8 * half, "shalf scounts", function(x, c) return x:repeat_interleave(c) end },
    { "flip_copy_f32_1e7", 4 * n, 4 * n, "sx", function(x) return x:flip():copy() end },
    { "delete_f32_1e7", 4 * n, 4 * n, "sx", function(x) return x:delete { 5, -5 } end },
  }
end
