--- More steps of random programs over streams: copies beside the host, other devices, ends, events and graphs.
--
-- Arrays of the host are records too (`x`, `n`, `value`); when their memory may be used is cuna's business.
local cn = require "cuna"
local core = require "cuna.core"
local ops = require "spec.support.stream_ops"

local run = ops.run
local compare, model, choose, kernels = ops.compare, ops.model, ops.choose, ops.kernels
local MOD, added, filled, map, sum_of, sums = model.MOD, model.added, model.filled, model.map, model.sum_of, model.sums
local SIZES, fresh, room, shape_of, some, twin = choose.SIZES, choose.fresh, choose.room, choose.shape_of, choose.some,
  choose.twin
local bump, running, store = kernels.bump, kernels.running, kernels.store

-- ---- to and from the host, and between devices ----

local function add_host(p, x, value)
  if #p.hosts >= 4 then p.hosts[1].x:free() table.remove(p.hosts, 1) end
  p.hosts[#p.hosts + 1] = {x = x, n = #value, value = value}
end

local function some_host(p, r, n)
  for i = 1, #p.hosts do
    local host = p.hosts[(r + i) % #p.hosts + 1]
    if not host.lost and (not n or host.n == n) then return host end
  end
end

local function on_host(fn, ...) return cn.device("cpu"):with(fn, ...) end

function run.download(p, a, b, c)
  local array, stream = some(p, a, b)
  if not array then return end
  local host = c % 2 == 0 and some_host(p, c, array.n) or nil
  local options = {stream = stream.object, blocking = c % 5 == 0, out = host and host.x}
  local x = p:work_to_host(stream, {array}, {host}, array.x.get, array.x, options)
  if host then host.value = array.value else add_host(p, x, array.value) end
end

function run.upload(p, a, b, c)
  local array, stream = some(p, a, b)
  local host = array and some_host(p, c, array.n)
  if not host then return end
  local options = c % 4 > 0 and {stream = stream.object, blocking = false} or nil
  p:work(stream, {}, {array}, array.x.set, array.x, host.x, options)
  array.value = host.value
end

--- A copy to the host on one stream, and from there on another one, while the script goes on.
function run.bounce(p, a, b, c, d)
  local array, stream = some(p, a, b)
  local target = array and twin(p, c, array)
  if not target then return end
  local host = d % 2 == 0 and some_host(p, d, array.n) or nil
  local x = p:work_to_host(stream, {array}, {host}, array.x.get, array.x,
    {stream = stream.object, blocking = false, out = host and host.x})
  if host then host.value = array.value else add_host(p, x, array.value) end
  local other = p:stream(d, array.device)
  p:work(other, {}, {target}, target.x.set, target.x, x, {stream = other.object, blocking = false})
  target.value = array.value
end

function run.host_make(p, a, b)
  local n, v = p:pick(SIZES, a), fresh(p)
  local x = on_host(b % 3 == 0 and cn.zeros or cn.zeros_pinned, shape_of(n))
  add_host(p, on_host(x.fill, x, v), filled(n, v))
end

function run.host_write(p, a)
  local host = some_host(p, a)
  if not host then return end
  local v = fresh(p)
  host.x:add_(v):mod_(MOD)
  host.value = added(host.value, {v})
end

function run.host_read(p, a)
  local host = some_host(p, a)
  if host then ops.check_host(host) end
end

function run.host_free(p, a, b)
  local host = some_host(p, a)
  if not host then return end
  p:remove(p.hosts, host)
  if b % 2 == 0 then host.x:free() end
end

function run.read(p, a, b, c)
  local array, stream = some(p, a, b)
  if not array then return end
  if array.n == 1 or c % 3 == 0 then return ops.check(p, array, stream) end
  local i = c % array.n + 1
  compare(p:work(stream, {array}, {}, function() return array.x[i] end), {array.value[i]}, "wrong element")
end

function run.peer(p, a, b, c, d)
  local array = p:array(a)
  if not array or #p.devices < 2 then return end
  local device = array.device == p.devices[1] and p.devices[2] or p.devices[1]
  local from, to = p:stream(b, array.device), p:stream(c, device)
  local target = p:array(d, function(other) return other.device == device and other.n == array.n end)
  if target then
    p:work_between(from, to, {array}, {target}, core.copy, target.x, array.x, "copy")
    target.value = array.value
  elseif room(p) then
    p:add_array(to, p:work_between(from, to, {array}, {}, array.x.to, array.x, device), array.value)
  end
end

-- ---- ends ----

function run.free(p, a)
  local array = p:array(a)
  if not array then return end
  p:remove(p.arrays, array)
  array.x:free()
end

--- The collector finds it some time.
function run.drop(p, a) p:remove(p.arrays, p:array(a)) end

function run.collect(_, a) collectgarbage(a % 4 == 0 and "collect" or "step", 400) end

-- ---- streams and events ----

function run.make_stream(p, a) p:make_stream(a) end

function run.free_stream(p, a)
  local object = p:leave_stream(a)
  if object then object:free() end
end

function run.drop_stream(p, a, b)
  p:leave_stream(a)
  if b % 3 == 0 then collectgarbage() end
end

function run.record(p, a) p.events[#p.events % 3 + 1] = p:mark(p:pick(p.streams, a)) end

function run.wait(p, a, b)
  if #p.events > 0 then p:wait(p:pick(p.streams, a), p:pick(p.events, b)) end
end

function run.synchronize(p, a) p:synchronize(p:pick(p.streams, a)) end

-- ---- graphs ----

--- A stream that can capture.
local function recorder(p, r, device)
  local stream = p:stream(r, device)
  return not stream.null and stream or nil
end

--- Work on two arrays that changes the first, and its model.
local BODIES = {
  {function(x, y) x:add_(y):mod_(MOD) end, added},
  {function(x, y) store(x, (x + y) % MOD) end, added},
  {function(x, y) bump(math.ceil(x.size / 64), 64, {x, y, x.size}) end, added},
  {function(x, y) x:add_(y:sum()):mod_(MOD) end, function(x, y) return added(x, {sum_of(y)}) end},
  {function(x, y) x:add_(running(y):reshape(x.shape)):mod_(MOD) end, function(x, y) return added(x, sums(y)) end},
}

local function add_graph(p, object, array, other, value_of)
  local graph = {object = object, array = array, other = other, value_of = value_of}
  p.graphs[#p.graphs + 1] = graph
  return graph
end

--- Does a graph's work once more.
local function launch(p, graph, stream)
  p:work(stream, {graph.other}, {graph.array}, graph.object.launch, graph.object)
  graph.array.value = graph.value_of(graph.array.value, graph.other.value)
end

--- Captures work on two arrays: replays read `other` and change `array`.
function run.capture(p, a, b, c, d)
  local array = p:array(a)
  local other = array and twin(p, b, array)
  local stream = other and recorder(p, c, array.device)
  if not stream or #p.graphs >= 3 then return end
  local body = p:pick(BODIES, d)
  p:work(stream, {other}, {array}, body[1], array.x, other.x) -- kernels are compiled and loaded
  array.value = body[2](array.value, other.value)
  add_graph(p, p:capture(stream, body[1], array.x, other.x), array, other, body[2])
end

function run.launch(p, a, b, c)
  if #p.graphs == 0 then return end
  local graph = p:pick(p.graphs, a)
  local stream = p:stream(b, graph.array.device)
  if graph.array.lost or graph.other.lost then return end
  for _ = 1, c % 3 + 1 do launch(p, graph, stream) end
end

function run.free_graph(p, a, b)
  if #p.graphs == 0 then return end
  local graph = table.remove(p.graphs, a % #p.graphs + 1)
  if b % 2 == 0 then graph.object:free() end
end

--- The same while another stream works on an array that is freed then: what is recorded may take its memory.
function run.capture_beside(p, a, b, c, d)
  local third = p:array(a, function(each) return each.home.object and not each.home.null end)
  local array = third and twin(p, b, third)
  local other = array and p:array(c, function(each)
    return each.device == array.device and each.n == array.n and each ~= array and each ~= third
  end)
  local stream = other and third.home
  local beside = stream and p:third(d, stream.device, stream)
  if not beside or beside == stream or beside.null or #p.graphs >= 3 then return end
  p:work(stream, {array}, {}, function() return (array.x + 1) % MOD end) -- kernels
  p:order(beside, {third}, {})
  p:remove(p.arrays, third)
  local x
  local object = p:capture(stream, function()
    x = beside.object:with(function() return (third.x + 1) % MOD end)
    third.x:free()
    store(array.x, (array.x + other.x) % MOD)
  end)
  p:add_array(beside, x, added(third.value, {1}))
  launch(p, add_graph(p, object, array, other, added), stream)
end

--- Works on two arrays, on a side stream too; temporaries change hands between the two.
local function two_streams(side, x, y)
  local stream = cn.cuda.get_current_stream(x.device)
  local z = (x + y) % MOD
  side:wait_event(stream:record())
  local doubled = side:with(function() return z * 2 end)
  local total = side:with(function() return z:sum() end)
  z:free()
  local again = x + 5
  stream:wait_event(side:record())
  return (doubled + again * 0 + total) % MOD
end

local function two_streams_of(x, y)
  local z = added(x, y)
  local total = sum_of(z)
  return map(z, function(v) return v * 2 + total end)
end

--- Captures work of two streams in memory of the graph's own, as cn.graph does it.
function run.capture_own(p, a, b, c, d)
  local array = p:array(a)
  local other = array and twin(p, b, array)
  local stream = other and recorder(p, c, array.device)
  if not stream or #p.graphs >= 3 then return end
  p.side = p.side and p.side.device == array.device and p.side
    or cn.cuda.Stream {device = array.device, non_blocking = d % 2 == 0}
  local function body() store(array.x, two_streams(p.side, array.x, other.x)) end
  p:work(stream, {other}, {array}, stream.object.with, stream.object, body)
  array.value = two_streams_of(array.value, other.value)
  local object = p:capture_in(stream, core.pool "device", body)
  launch(p, add_graph(p, object, array, other, two_streams_of), stream)
end

--- A function that is replayed, with new arrays each time.
function run.replay(p, a, b, c, d)
  local array, stream = some(p, a, b)
  local other = array and room(p) and twin(p, c, array)
  if not other then return end
  if not p.replayed or d % 8 == 0 then
    p.replayed = p:work(stream, {array, other}, {}, cn.graph, function(x, y)
      local z = (x + y) % MOD
      return (z * 2 + z:sum()) % MOD
    end, array.x, other.x)
  end
  local x = p:work(stream, {array, other}, {}, function() return p.replayed(array.x, other.x) end)
  p:add_array(stream, x, two_streams_of(array.value, other.value))
  if not room(p) then return end
  local third = p:third(c, array.device, stream)
  local y = p:work(third, {other}, {}, function() return p.replayed(other.x, other.x) end)
  p:add_array(third, y, two_streams_of(other.value, other.value))
end

ops.weights = {create = 8, pass_on = 10, pass_halves = 6, pass_pieces = 4, pass_to_successor = 3, pass_to_fold = 6,
  from_table = 2, fill = 3, change = 8, combine = 8, kernel = 6, raw = 4, fold = 6, scan = 4, copy = 4, scope = 2,
  download = 6, upload = 6, bounce = 4, host_make = 3, host_write = 3, host_read = 2, host_free = 2, read = 4,
  peer = 5, free = 8, drop = 3, collect = 1, make_stream = 6, free_stream = 3, drop_stream = 2, record = 2, wait = 3,
  synchronize = 1, capture = 2, capture_beside = 4, capture_own = 2, launch = 5, free_graph = 1, replay = 2, trim = 1}

return ops
