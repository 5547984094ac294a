-- Graphs: many small operations, recorded once and replayed by one call of the driver.
--
--   make run SCRIPT=examples/graph.lua
--   build/cuna examples/graph.lua 50        -- fewer steps
local cn = require "cuna"

local steps = tonumber(arg and arg[1] or 500)
if not steps or steps < 1 or steps % 1 ~= 0 then error("usage: build/cuna examples/graph.lua [steps]", 0) end

-- A pendulum for each starting angle, integrated over 20 small steps: 80 operations of 1000 elements, whose launches
-- cost more than their arithmetic.
local function move(angle, speed)
  for _ = 1, 20 do
    speed = speed - cn.sin(angle) * 0.001
    angle = angle + speed * 0.001
  end
  return angle, speed
end

--- Seconds that fn takes to move pendulums many times, and their final angles.
local function swing(fn)
  local angle, speed = cn.linspace(0, 3, 1000), cn.zeros(1000)
  fn(angle, speed) -- compiles, or records
  local start = cn.clock()
  for _ = 1, steps do
    local before, before_speed = angle, speed
    angle, speed = fn(angle, speed)
    before:free()
    before_speed:free()
  end
  return cn.clock() - start, angle
end

local eager = function(angle, speed) return cn.scope(move, angle, speed) end
local recorded = cn.graph(move, cn.zeros(1000), cn.zeros(1000)) -- example arguments

local eager_s, eager_angle = swing(eager)
local graph_s, graph_angle = swing(recorded)
print(("%d calls of 80 operations on %s"):format(steps, cn.device().name))
print(("one by one  %8.2f ms"):format(eager_s * 1e3))
print(("as a graph  %8.2f ms, %.1f times as fast"):format(graph_s * 1e3, eager_s / graph_s))
assert(cn.array_equal(eager_angle, graph_angle)) -- the same kernels: the same bits

-- Other shapes or dtypes are recorded again. A call that waits for the device cannot be recorded; the error names it.
print("another shape", recorded(cn.zeros(2), cn.ones(2)))
print(select(2, pcall(cn.graph, function(x) return x:sum():item() end, cn.ones(3))))

-- A capture by hand records the work of a stream on the arrays themselves, so each launch continues where the last one
-- ended. A first run of the work compiles its kernels.
local total, step = cn.zeros(4), cn.arange(4)
local function advance()
  total:add_(step)
  total:mul_(2)
end
advance()
print("done once", total)
cn.synchronize() -- a non-blocking stream does not wait for the default stream, which did this work

local stream = cn.cuda.Stream{non_blocking = true}
local graph = stream:with(function()
  stream:begin_capture()
  advance()
  return stream:end_capture()
end)
print("captured, which does nothing", total)
for _ = 1, 3 do graph:launch(stream) end
stream:synchronize()
print("launched three times", total)
assert(cn.array_equal(total, cn.arange(4) * 30))
