---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Streams, events, graphs and waiting.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A stream: a queue of one device's work. Work of different streams may overlap. Equal streams are ==. Follows
--- cupy.cuda.Stream.
---@class cuna.Stream
---@field device cuna.Device
---@field device_id integer CUDA's number of the device
---@field done boolean whether all it was given is done
---@field is_capturing boolean between begin_capture and end_capture
---@field is_non_blocking boolean
---@field null boolean whether it is the default stream
---@field priority integer
---@field ptr number the driver's handle
local Stream = {}

--- An event: a mark in a stream, which other streams and the script can wait for. Follows cupy.cuda.Event.
---@class cuna.Event
---@field done boolean whether the work before the mark is; one that was never recorded is done
---@field ptr number the driver's handle, 0 before the first record
---@field device cuna.Device|nil of its first record
local Event = {}

--- Work that a stream recorded. Follows cupy.cuda.Graph.
---@class cuna.CapturedGraph
---@field device cuna.Device
local CapturedGraph = {}

--- A function whose operations are replayed: call it like the function.
---@class cuna.Graph
---@overload fun(...: any): ...
local Graph = {}

--- Makes the stream current on its device: what the script does there goes to it. The current device stays.
---
--- ```lua
--- cn.cuda.Stream.null:use() == cn.cuda.get_current_stream() --> true
--- ```
---@return cuna.Stream # stream itself
function Stream:use() end

--- Runs fn(...) with the stream current on its device; the one before is current again afterwards, also after an error
--- or a yield.
---
--- ```lua
--- cn.cuda.Stream():with(function(x) return x + 1 end, cn.zeros(2)) --> [1. 1.]
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # fn's results
function Stream:with(fn, ...) end

--- The stream that is current on a device. Follows cupy.cuda.get_current_stream.
---
--- ```lua
--- cn.cuda.get_current_stream().null --> true
--- ```
---@param device cuna.Device|integer|string|nil # default: the current device
---@return cuna.Stream
function cuda.get_current_stream(device) end

--- Waits until the stream has done all it was given.
---
--- ```lua
--- cn.cuda.Stream():synchronize() -->
--- ```
function Stream:synchronize() end

--- Marks in an event where the stream is now.
---
--- ```lua
--- cn.cuda.Stream.null:record():synchronize() -->
--- ```
---@param event cuna.Event|nil # default: a new one
---@return cuna.Event # event
function Stream:record(event) end

--- Lets what the stream is given from now on wait for an event: for its last mark, of any stream of any device. The
--- script goes on. One that was never recorded is not waited for.
---
--- ```lua
--- cn.cuda.Stream():wait_event(cn.cuda.Stream.null:record()) -->
--- ```
---@param event cuna.Event
function Stream:wait_event(event) end

--- Calls fn(stream, error_code, arg) when what the stream was given so far is done; the code is 0. It runs in the
--- script itself, where this waits for a device the next time (synchronize, done, item, totable, cn.clock) or calls
--- cn.poll(). What it raises, that call raises. Follows cupy.cuda.Stream.add_callback.
---
--- ```lua
--- cn.cuda.Stream.null:add_callback(function(stream, code, arg) end, "an argument") -->
--- ```
---@param fn function
---@param arg any
function Stream:add_callback(fn, arg) end

--- Calls fn(arg) when what the stream was given so far is done, as add_callback does. Follows
--- cupy.cuda.Stream.launch_host_func.
---
--- ```lua
--- cn.cuda.Stream.null:launch_host_func(function(arg) end, "an argument") -->
--- ```
---@param fn function
---@param arg any
function Stream:launch_host_func(fn, arg) end

--- Gives the stream back now; work that it was given is still done. Where it is current, the default stream becomes so.
--- Freeing twice is harmless, any other use raises.
---
--- ```lua
--- cn.cuda.Stream():free() -->
--- ```
function Stream:free() end

---@class cuna.cuda.Stream.class
---@field null cuna.Stream the default stream of the current device: cn.cuda.Stream.null
---@field ptds cuna.Stream what CUDA calls the per-thread default stream: a blocking one that this Lua state has for itself on the current device, made when it is asked for first, and kept. Lua states of other threads have others
---@overload fun(options: table|nil): cuna.Stream
local StreamClass = {}

--- A new stream. It and the default stream of its device wait for each other's earlier work, unless it is
--- non-blocking. Greater priorities are smaller numbers: 0 is the least, and what the device does not have becomes the
--- nearest that it has. On the cpu device work is done when its call returns, on any stream. A device has 63 at once;
--- those that nobody holds are given back. What reads an array on another stream than the one that makes it (item, get
--- and printing read on the current one) must wait for a non-blocking one first: stream:synchronize() or wait_event.
--- Follows cupy.cuda.Stream.
---
--- ```lua
--- cn.cuda.Stream{non_blocking = true}.is_non_blocking, cn.cuda.Stream().null --> true, false
--- cn.cuda.Stream.null.null, cn.cuda.Stream.ptds == cn.cuda.Stream.ptds --> true, true
--- cn.cuda.Stream{device = "cpu"}.device.name --> cpu
--- ```
cuda.Stream = StreamClass

--- A stream that was made elsewhere, by its handle: another library's. Who made it destroys it, when nothing uses it
--- here any more. Nothing is known of how it was made: it is taken for a non-blocking one. Follows
--- cupy.cuda.ExternalStream.
---
--- ```lua
--- cn.cuda.ExternalStream(0).null --> true
--- ```
---@param ptr number|ffi.cdata* # the handle, a cudaStream_t; 0 and 1 stand for the default stream
---@param device cuna.Device|integer|string|nil # where it is; default: the current device
---@return cuna.Stream
function cuda.ExternalStream(ptr, device) end

--- Marks where a stream is now; an earlier mark is forgotten. The event belongs to the device of its first record.
---
--- ```lua
--- cn.cuda.Event():record().device == cn.device() --> true
--- ```
---@param stream cuna.Stream|nil # default: the current stream of the current device
---@return cuna.Event # event itself
---@overload fun(self: cuna.Event, options: {stream?: cuna.Stream}): cuna.Event
function Event:record(stream) end

--- Waits until the work before the mark is done.
---
--- ```lua
--- cn.cuda.Event():record():synchronize() -->
--- ```
function Event:synchronize() end

--- Gives the event back now. Freeing twice is harmless, any other use raises.
---
--- ```lua
--- cn.cuda.Event():free() -->
--- ```
function Event:free() end

--- A new event. Follows cupy.cuda.Event.
---
--- ```lua
--- cn.cuda.Event(), cn.cuda.Event{disable_timing = true}.done --> <event not recorded>, true
--- ```
---@param options table|nil # {blocking = true: a script that waits for it sleeps, disable_timing = true: it takes no time and costs less, interprocess = true: with disable_timing, other processes may get a handle of it}
---@return cuna.Event
function cuda.Event(options) end

--- The time between two marks in milliseconds; both must be done. Follows cupy.cuda.get_elapsed_time.
---
--- ```lua
--- (function(e) e:synchronize() return cn.cuda.get_elapsed_time(e, e) end)(cn.cuda.Event():record()) --> 0
--- ```
---@param start_event cuna.Event
---@param end_event cuna.Event
---@return number
function cuda.get_elapsed_time(start_event, end_event) end

--- Does the recorded work once more.
---
--- ```lua
--- (function(s) s:begin_capture() return tostring(s:end_capture():launch()) end)(cn.cuda.Stream()) --> <graph>
--- ```
---@param stream cuna.Stream|nil # default: the current stream of the graph's device
---@return cuna.CapturedGraph # graph itself
---@overload fun(self: cuna.CapturedGraph, options: {stream?: cuna.Stream}): cuna.CapturedGraph
function CapturedGraph:launch(stream) end

--- Gives the graph back now; work that is under way is still done. Freeing twice is harmless, any other use raises.
---
--- ```lua
--- (function(s) s:begin_capture() s:end_capture():free() end)(cn.cuda.Stream()) -->
--- ```
function CapturedGraph:free() end

--- Records what the stream is given from now on instead of doing it. What would wait for the device raises until the
--- capture ends, and so do copies from the host: neither can be recorded. Arrays that recorded work uses live as long
--- as the graph. A capture that an error leaves open ends when the collector finds its stream. The default stream
--- cannot capture. Follows cupy.cuda.Stream.begin_capture.
---
--- ```lua
--- cn.cuda.Stream.null.is_capturing --> false
--- ```
function Stream:begin_capture() end

--- Ends the capture of a stream.
---
--- ```lua
--- (function(s) s:begin_capture() s:end_capture() return s.is_capturing end)(cn.cuda.Stream()) --> false
--- ```
---@return cuna.CapturedGraph
function Stream:end_capture() end

--- Records what fn(...) gives to the stream, which is current meanwhile; the capture is over after an error in fn, too.
---
--- ```lua
--- cn.cuda.Stream():capture(function(x) x:add_(1) end, cn.zeros(2)):launch() --> <graph>
--- ```
---@param fn function
---@param ... any # its arguments
---@return cuna.CapturedGraph
function Stream:capture(fn, ...) end

--- Replays the function and returns the graph's own arrays, without copying them: they hold these results until the
--- next replay of a call like this one.
---
--- ```lua
--- cn.graph(function(x) return x * 2 end, cn.ones(2)):launch(cn.ones(2)) --> [2. 2.]
--- ```
---@param ... any # the function's arguments
---@return any ... # its results
function Graph:launch(...) end

--- Gives the recordings and their memory back.
---
--- ```lua
--- cn.graph(function(x) return x * 2 end, cn.ones(2)):free() -->
--- ```
function Graph:free() end

--- Records the operations of fn(...) and returns what replays them: g(...) copies its arrays in, does all recorded work
--- by one call of the driver, and returns copies of the results, which are the caller's. Small operations cost little
--- more than the work itself then. A call with arrays of other dtypes or shapes, or with another number, records anew;
--- the last 8 recordings are kept, each with the memory that it needs.
---
--- fn runs twice when it is recorded: once as it is, and once to be recorded, which does nothing. What it does besides
--- operations of arrays (printing, counting) is done then, and not again; numbers from outside stay what they were.
--- What it writes to its arguments stays in the graph's copies; arrays that it uses from outside are used, and changed,
--- where they are. It works on one device, and on other streams only between events that tie them to the current one.
--- It must not wait for the device (item, print, totable, ...) nor copy from the host: that raises. On the cpu device
--- recorded calls are replayed. Follows torch.cuda.make_graphed_callables.
---
--- ```lua
--- cn.graph(function(x, y) return x * 2 + y end, cn.ones(2), cn.ones(2))(cn.zeros(2), cn.ones(2)) --> [1. 1.]
--- ```
---@param fn function
---@param ... any # arguments like those that it will be called with
---@return cuna.Graph
function cn.graph(fn, ...) end

--- Runs fn(...), and raises where it would wait for a device, in one line that names what would have waited. It does so
--- on every device, the cpu device too. These wait: item, totable, tobytes, get, to("cpu") from another device, iter
--- over a vector, tostring and its like, savetxt, save, savez, savez_compressed, tofile, x[i] that reads one element,
--- x[mask], ==, <, <=, any and all over all axes, array_equal, array_equiv, allclose, unique, intersect1d, setdiff1d,
--- setxor1d, union1d, nanargmin and nanargmax of floats, place without values, bincount, histograms by a rule,
--- real_if_close, linalg.expm, poly of complex roots and of matrices, roots, trim_zeros, poly1d, arrays as split
--- points, as counts of repeat_interleave, or as positions of delete and insert, pointer, to_dlpack for stream 2,
--- synchronize, clock, copy_to_host, what cn.graph records anew, random.bytes, multivariate_normal of arrays or by
--- another method than "cholesky", benchmark, trace.
---
--- ```lua
--- cn.no_sync(function(x) return x + 1 end, cn.zeros(2)) --> [1. 1.]
--- pcall(cn.no_sync, cn.item, cn.zeros(1)) == false --> true
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # its results
function cn.no_sync(fn, ...) end

--- Runs the functions that streams have called so far (add_callback, launch_host_func), which otherwise run where the
--- script waits for a device the next time.
---
--- ```lua
--- cn.poll() >= 0 --> true
--- ```
---@return integer # count how many ran
function cn.poll() end
