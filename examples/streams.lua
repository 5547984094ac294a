-- Streams and events: concurrent work, dependencies between streams, and timing.
--
--   make run SCRIPT=examples/streams.lua
--   build/cuna examples/streams.lua 1000         -- fewer elements
local cn = require "cuna"

local n = tonumber(arg and arg[1] or 20000)
if not n or n < 1 or n % 1 ~= 0 then error("usage: build/cuna examples/streams.lua [elements]", 0) end
local ROUNDS = 50 -- launches of each kernel

local device = cn.device()
print(("%d elements on %s"):format(n, device.name))
if device.kind == "cpu" then
  print "(the cpu device works while a call lasts: on any stream all is done when it returns, and nothing overlaps)"
end

-- Two heavy kernels that do not fill a large GPU: 24 steps of Newton's iteration for each element, in one pass.
local function iterate(step)
  return cn.fuse(function(x)
    local y = x
    for _ = 1, 24 do y = step(x, y) end
    return y
  end)
end

local square_root = iterate(function(x, y) return (y + x / y) * 0.5 end)
local cube_root = iterate(function(x, y) return (2 * y + x / (y * y)) / 3 end)
local x = cn.linspace(1, 2, n)
cn.testing.assert_allclose(square_root(x), x:sqrt(), {rtol = 1e-12}) -- compiles
cn.testing.assert_allclose(cube_root(x), x:cbrt(), {rtol = 1e-12})

-- ---- two kernels, one after the other and on two streams ----

--- Milliseconds between two events around the work of fn. They are recorded in the default stream. The streams here
--- are blocking ones, so they and the default stream wait for each other.
local function time_of(fn)
  local start, stop = cn.cuda.Event(), cn.cuda.Event()
  start:record()
  fn()
  stop:record():synchronize()
  return cn.cuda.get_elapsed_time(start, stop)
end

--- fn(x) many times. The next call reuses the memory of a freed result, in stream order.
local function work(fn)
  for _ = 1, ROUNDS do fn(x):free() end
end

local one, two = cn.cuda.Stream(), cn.cuda.Stream()

local sequential_ms = time_of(function()
  work(square_root)
  work(cube_root)
end)
local overlapped_ms = time_of(function()
  for _ = 1, ROUNDS do -- alternating, so that both streams have work from the start
    one:with(function() square_root(x):free() end)
    two:with(function() cube_root(x):free() end)
  end
end)
print(("one after the other %8.2f ms"):format(sequential_ms))
print(("on two streams      %8.2f ms"):format(overlapped_ms))

-- ---- one stream waits for another ----

-- Non-blocking streams wait neither for the default stream nor for each other, except by events.
local producer, consumer = cn.cuda.Stream{non_blocking = true}, cn.cuda.Stream{non_blocking = true}
cn.synchronize() -- x was made on the default stream
local roots = producer:with(function() return square_root(x) end)
local ready = producer:record() -- marks the end of the work so far
consumer:wait_event(ready) -- the consumer waits, the script does not
local squares = consumer:with(function() return roots * roots end)
consumer:synchronize()
assert(ready.done and consumer.done)
cn.testing.assert_allclose(squares, x, {rtol = 1e-12})
print "the consumer waited for the producer's event"

-- ---- asynchronous copies with pinned memory ----

local host = cn.empty_pinned(n)
host["..."] = cn.linspace(1, 2, n):get()
local copier = cn.cuda.Stream{non_blocking = true}
local back = cn.no_sync(function() -- raises an error if something inside would wait
  local moved = host:to(device, {stream = copier})
  local result = copier:with(function() return cube_root(moved) end)
  return result:get {stream = copier, blocking = false}
end)
print("copied, computed and copied back; at once done: " .. tostring(copier.done))
copier:add_callback(function(_, _, what) print(what .. " is done") end, "the copier")
copier:synchronize()
cn.testing.assert_allclose(back, host:cbrt(), {rtol = 1e-12})
