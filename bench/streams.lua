-- Workloads of memory, streams, events, graphs and asynchronous copies, for cuna.lua and gpu.lua. Their twins are in
-- stream_peers.py.
--
-- streams(spread, length) returns the makers of inputs, the rows, and the rows of ratios. A row is {name, bytes read,
-- bytes written, inputs, function of the inputs}. A row of a ratio is {name, inputs, function}; its function gets
-- seconds(fn, ...), which times a call, before the inputs. All inputs have free(). The bytes of a copy between host
-- and device count once, but twice on the cpu device, whose memory is both read and written.
local cn = require "cuna"
local folder = arg[0]:match("^.*/") or ""

local OPERATIONS, REPEATS, STEP = 100, 1000, 0.01
local SPIN_BLOCKS, SPIN_CYCLES = 8, 2e6 -- few of a GPU's multiprocessors, for about a millisecond

local spin = cn.RawModule({ path = folder .. "spin.cu" }):get_function("spin")

local function nothing() end

--- Additions, each of which needs the result of the one before; each allocates an array.
local function chain(a, b)
  local c = a
  for _ = 1, OPERATIONS do c = c + b end
  return c
end

--- A spring's place x and speed v after some steps: 100 small operations on two arrays.
local function swing(x, v)
  for _ = 1, OPERATIONS / 4 do
    v = v - x * STEP
    x = x + v * STEP
  end
  return x, v
end

--- swing, recorded, and arrays that each call replaces by its results.
local function make_swing(x, v)
  local state = { x = x, v = v, graph = cn.graph(swing, x, v) }
  function state.free() state.graph:free() end
  return state
end

--- The same additions in one array.
local function chain_into(out, a, b)
  cn.add(a, b, { out = out })
  for _ = 2, OPERATIONS do out:add_(b) end
end

--- chain_into recorded by a stream; a replay copies nothing.
local function record(a, b)
  local stream, out = cn.cuda.Stream { non_blocking = true }, cn.zeros(a.shape, a.dtype)
  chain_into(out, a, b) -- compiles
  cn.synchronize()
  return stream:with(function()
    stream:begin_capture()
    chain_into(out, a, b)
    return stream:end_capture()
  end)
end

local function list_makers(spread, length)
  local n, small = length(2 ^ 26), length(1e4)
  local function new_stream() return cn.cuda.Stream { non_blocking = true } end
  return {
    c4 = function() return spread(small) end,
    d4 = function() return spread(small) end,
    big = function() return spread(n) end,
    paged = function() return spread(n):get() end,
    pinned = function() return cn.zeros_pinned(n, "float32") end,
    stream = new_stream,
    other = new_stream,
    current = function() return new_stream():use() end, -- current until it is freed
    mark = function() return cn.cuda.Event({ disable_timing = true }):record() end,
    recorded = function() return record(spread(small), spread(small)) end,
    replayed = function() return cn.graph(chain, spread(small), spread(small)) end,
    swinging = function() return make_swing(spread(small), spread(small)) end,
    far = function() return spread(n) end,
    axpy = function() return cn.graph(function(x, y) return x * 2 + y end, spread(n), spread(n)) end,
  }
end

local function list_memory_rows(length)
  local rows = {}
  for i, size in ipairs { { "16", 16 }, { "_1MiB", length(2 ^ 18) }, { "_256MiB", length(2 ^ 26) } } do
    local count = size[2]
    rows[i] = { "memory_empty" .. size[1], 0, 0, "", function() cn.empty(count, "float32"):free() end }
  end
  return rows
end

local QUEUE_ROWS = {
  { "stream_add16", 0, 0, "a16 b16 current", function(a, b) return a + b end },
  { "stream_with", 0, 0, "stream", function(stream) stream:with(nothing) end },
  { "event_record", 0, 0, "mark stream", function(mark, stream) mark:record(stream) end },
  { "event_wait", 0, 0, "mark stream other", function(mark, stream, other)
    mark:record(stream)
    other:wait_event(mark)
  end },
  { "event_query", 0, 0, "mark", function(mark) assert(mark.done) end },
  { "graph_100_eager", 0, 0, "c4 d4", chain },
  { "graph_100_replay", 0, 0, "recorded", function(graph) graph:launch() end },
  { "graph_100_launch", 0, 0, "c4 d4 replayed", function(a, b, graph) graph:launch(a, b) end },
  { "graph_100_call", 0, 0, "c4 d4 replayed", function(a, b, graph) return graph(a, b) end },
  { "graph_100_feed", 0, 0, "swinging", function(state) state.x, state.v = state.graph(state.x, state.v) end },
  { "graph_256MiB_call", 0, 0, "big far axpy", function(x, y, graph) return graph(x, y) end },
  { "profiler_benchmark_1000", 0, 0, "", function()
    cn.profiler.benchmark(nothing, {}, { n_repeat = REPEATS, n_warmup = 0 })
  end },
}

local function get_beside(x, host, stream) x:get { stream = stream, blocking = false, out = host } end

local function list_copy_rows(length)
  local read = 4 * length(2 ^ 26)
  local written = cn.device().kind == "cpu" and read or 0
  return {
    { "async_get_256MiB", read, written, "big pinned stream", function(x, host, stream)
      get_beside(x, host, stream)
      stream:synchronize()
    end },
    { "async_set_256MiB", read, written, "big pinned stream", function(x, host, stream)
      x:set(host, { stream = stream })
      stream:synchronize()
    end },
    { "blocking_get_256MiB", read, written, "big", function(x) return x:get() end },
    { "blocking_set_256MiB", read, written, "big paged", function(x, host) x:set(host) end },
  }
end

local function launch_spin(cycles) spin(SPIN_BLOCKS, 1, { cycles }) end

--- The time of two pieces of work on separate streams, divided by their time one after the other.
local function ratio_of(seconds, stream, one, other, another)
  local function alone(queue, work)
    work(queue)
    queue:synchronize()
  end
  local function both()
    one(stream)
    another(other)
    stream:synchronize()
    other:synchronize()
  end
  return seconds(both) / (seconds(alone, stream, one) + seconds(alone, other, another))
end

local function list_ratios(length)
  local short = length(SPIN_CYCLES)
  local function spinning(cycles)
    return function(stream) stream:with(launch_spin, cycles) end
  end
  return {
    { "overlap_ratio_copy_kernel", "big pinned stream other", function(seconds, x, host, stream, other)
      local function copy(queue) get_beside(x, host, queue) end
      local function wait_for(work)
        work(stream)
        stream:synchronize()
      end
      local cycles = math.ceil(short * seconds(wait_for, copy) / seconds(wait_for, spinning(short)))
      return ratio_of(seconds, stream, spinning(cycles), other, copy)
    end },
    { "overlap_ratio_two_kernels", "stream other", function(seconds, stream, other)
      return ratio_of(seconds, stream, spinning(short), other, spinning(short))
    end },
  }
end

return function(spread, length)
  local rows = {}
  for _, list in ipairs { list_memory_rows(length), QUEUE_ROWS, list_copy_rows(length) } do
    for _, row in ipairs(list) do rows[#rows + 1] = row end
  end
  return list_makers(spread, length), rows, list_ratios(length)
end
