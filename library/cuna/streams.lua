---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Streams, events, graphs and waiting.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A stream: a queue of work for one device. Work in different streams may overlap. Equal streams are ==. Follows
--- cupy.cuda.Stream.
---@class cuna.Stream
---@field device cuna.Device
---@field device_id integer CUDA's number of the device
---@field done boolean whether all of its work is done
---@field is_capturing boolean between begin_capture and end_capture
---@field is_non_blocking boolean
---@field null boolean whether it is the default stream
---@field priority integer
---@field ptr number the driver's handle
local Stream = {}

--- An event: a mark in a stream, which other streams and the script can wait for. Follows cupy.cuda.Event.
---@class cuna.Event
---@field done boolean whether the work before the mark is done; true before the first record
---@field ptr number the driver's handle, 0 before the first record
---@field device cuna.Device|nil the device of its first record
local Event = {}

--- Work that a stream recorded. Follows cupy.cuda.Graph.
---@class cuna.CapturedGraph
---@field device cuna.Device
local CapturedGraph = {}

--- A function whose operations are replayed. Call it like the function.
---@class cuna.Graph
---@overload fun(...: any): ...
local Graph = {}

--- Makes the stream current on its device: the script's work there goes to it. The current device does not change.
---
--- ```lua
--- cn.cuda.Stream.null:use() == cn.cuda.get_current_stream() --> true
--- ```
---@return cuna.Stream # stream itself
function Stream:use() end

--- Runs fn(...) with the stream current on its device, and restores the previous stream afterwards, after an error or a
--- yield too.
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

--- Waits until the stream has done all of its work.
---
--- ```lua
--- cn.cuda.Stream():synchronize() -->
--- ```
function Stream:synchronize() end

--- Records the current end of the stream in an event.
---
--- ```lua
--- cn.cuda.Stream.null:record():synchronize() -->
--- ```
---@param event cuna.Event|nil # default: a new one
---@return cuna.Event # event
function Stream:record(event) end

--- Makes later work in the stream wait for an event: for its last mark, in any stream of any device. The script does
--- not wait. An event that was never recorded has no effect.
---
--- ```lua
--- cn.cuda.Stream():wait_event(cn.cuda.Stream.null:record()) -->
--- ```
---@param event cuna.Event
function Stream:wait_event(event) end

--- Calls fn(stream, error_code, arg) after the work in the stream so far; the code is 0. fn runs in the script itself,
--- when it next waits for a device (synchronize, done, item, totable, cn.clock) or calls cn.poll(). That call raises
--- the errors of fn. While the stream captures, fn becomes part of the graph: every launch calls it once. Follows
--- cupy.cuda.Stream.add_callback.
---
--- ```lua
--- cn.cuda.Stream.null:add_callback(function(stream, code, arg) end, "an argument") -->
--- ```
---@param fn function
---@param arg any
function Stream:add_callback(fn, arg) end

--- Calls fn(arg) after the work in the stream so far, like add_callback. Follows cupy.cuda.Stream.launch_host_func.
---
--- ```lua
--- cn.cuda.Stream.null:launch_host_func(function(arg) end, "an argument") -->
--- ```
---@param fn function
---@param arg any
function Stream:launch_host_func(fn, arg) end

--- Frees the stream now; its work is still done. If it is current, the default stream becomes current. A second call
--- has no effect; any other use is an error.
---
--- ```lua
--- cn.cuda.Stream():free() -->
--- ```
function Stream:free() end

---@class cuna.cuda.Stream.class
---@field null cuna.Stream the default stream of the current device: cn.cuda.Stream.null
---@field ptds cuna.Stream CUDA's per-thread default stream: a blocking stream of this Lua state on the current device, made on first use and kept. Lua states of other threads have different ones
---@overload fun(options: table|nil): cuna.Stream
local StreamClass = {}

--- A new stream. It and the default stream of its device wait for each other's earlier work, unless it is non-blocking.
--- Smaller numbers are higher priorities: 0 is the lowest, and a number outside the device's range becomes the nearest
--- one inside. On the cpu device work is done when its call returns, in any stream. A device has at most 63 streams at
--- a time; unreferenced ones are freed. To read an array in another stream than the one that makes it (item, get and
--- printing read in the current one), first wait for a non-blocking stream: stream:synchronize() or wait_event. Follows
--- cupy.cuda.Stream.
---
--- ```lua
--- cn.cuda.Stream{non_blocking = true}.is_non_blocking, cn.cuda.Stream().null --> true, false
--- cn.cuda.Stream.null.null, cn.cuda.Stream.ptds == cn.cuda.Stream.ptds --> true, true
--- cn.cuda.Stream{device = "cpu"}.device.name --> cpu
--- ```
cuda.Stream = StreamClass

--- A stream made by another library, by its handle. The other library destroys it, after cuna has stopped using it.
--- cuna treats it as non-blocking, since it cannot know how it was made. Follows cupy.cuda.ExternalStream.
---
--- ```lua
--- cn.cuda.ExternalStream(0).null --> true
--- ```
---@param ptr number|ffi.cdata* # the handle, a cudaStream_t; 0 and 1 are the default stream
---@param device cuna.Device|integer|string|nil # its device; default: the current device
---@return cuna.Stream
function cuda.ExternalStream(ptr, device) end

--- Marks the current end of a stream and replaces an earlier mark. The event belongs to the device of its first record.
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

--- Frees the event now. A second call has no effect; any other use is an error.
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
---@param options table|nil # {blocking = true: waiting for it sleeps instead of spinning, disable_timing = true: records no time and costs less, interprocess = true: with disable_timing, other processes may get a handle of it}
---@return cuna.Event
function cuda.Event(options) end

--- The time between two marks in milliseconds; both must be complete. Follows cupy.cuda.get_elapsed_time.
---
--- ```lua
--- (function(e) e:synchronize() return cn.cuda.get_elapsed_time(e, e) end)(cn.cuda.Event():record()) --> 0
--- ```
---@param start_event cuna.Event
---@param end_event cuna.Event
---@return number
function cuda.get_elapsed_time(start_event, end_event) end

--- Repeats the recorded work.
---
--- ```lua
--- (function(s) s:begin_capture() return tostring(s:end_capture():launch()) end)(cn.cuda.Stream()) --> <graph>
--- ```
---@param stream cuna.Stream|nil # default: the current stream of the graph's device
---@return cuna.CapturedGraph # graph itself
---@overload fun(self: cuna.CapturedGraph, options: {stream?: cuna.Stream}): cuna.CapturedGraph
function CapturedGraph:launch(stream) end

--- Brings the graph to its device, so that the first launch need not do it. Follows cupy.cuda.Graph.upload.
---
--- ```lua
--- (function(s) s:begin_capture() return tostring(s:end_capture():upload(s)) end)(cn.cuda.Stream()) --> <graph>
--- ```
---@param stream cuna.Stream|nil # default: the current stream of the graph's device
---@return cuna.CapturedGraph # graph itself
---@overload fun(self: cuna.CapturedGraph, options: {stream?: cuna.Stream}): cuna.CapturedGraph
function CapturedGraph:upload(stream) end

--- Frees the graph now; work already launched is still done. A second call has no effect; any other use is an error.
---
--- ```lua
--- (function(s) s:begin_capture() s:end_capture():free() end)(cn.cuda.Stream()) -->
--- ```
function CapturedGraph:free() end

--- Starts recording the work of the stream instead of running it. Until the capture ends, waiting for the device and
--- copies from the host are errors, because neither can be recorded. Arrays that recorded work uses live as long as the
--- graph. A capture that an error leaves open ends when its stream is garbage-collected. The default stream cannot
--- capture. Follows cupy.cuda.Stream.begin_capture.
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

--- Records the work of fn(...) on the stream, which is current inside. The capture also ends after an error in fn.
---
--- ```lua
--- cn.cuda.Stream():capture(function(x) x:add_(1) end, cn.zeros(2)):launch() --> <graph>
--- ```
---@param fn function
---@param ... any # its arguments
---@return cuna.CapturedGraph
function Stream:capture(fn, ...) end

--- Replays the function and returns the graph's arrays without copying them. They keep these results until the next
--- replay of the same recording.
---
--- ```lua
--- cn.graph(function(x) return x * 2 end, cn.ones(2)):launch(cn.ones(2)) --> [2. 2.]
--- ```
---@param ... any # the function's arguments
---@return any ... # its results
function Graph:launch(...) end

--- Frees the recordings and their memory.
---
--- ```lua
--- cn.graph(function(x) return x * 2 end, cn.ones(2)):free() -->
--- ```
function Graph:free() end

--- Records the operations of fn(...) and returns a function g that replays them: g(...) runs all recorded work with
--- one driver call, and returns new arrays. This removes most of the launch overhead of small operations. A call with
--- arrays of other dtypes or shapes, or with another number, records again; the last 8 recordings are kept, each with
--- its memory.
---
--- A replay reads its arguments where they are, and computes its results in their memory, where only elementwise
--- operations, reductions, scans, fused functions and kernels of cn.ElementwiseKernel, cn.ReductionKernel and
--- cn.ScanKernel touch them. Others are copied: arguments that fn changes, that are not row-major, or that it uses from
--- outside, too; arrays of linear algebra, transforms, sorts, index arrays and raw kernels.
---
--- Recording runs fn twice: once normally, and once in the capture, which computes nothing. Other effects of fn
--- (printing, counting) happen then, and not in replays; numbers from outside keep their recorded values. Writes to
--- arguments stay in the graph's copies; arrays from outside are used, and changed, in place. fn may use one device,
--- and other streams only between events that connect them with the current one. It must not wait for the device (item,
--- print, totable, ...) or copy from the host; both are errors. On the cpu device recorded calls are replayed too.
--- Follows torch.cuda.make_graphed_callables.
---
--- ```lua
--- cn.graph(function(x, y) return x * 2 + y end, cn.ones(2), cn.ones(2))(cn.zeros(2), cn.ones(2)) --> [1. 1.]
--- ```
---@param fn function
---@param ... any # example arguments: dtypes, shapes and devices as in later calls
---@return cuna.Graph
function cn.graph(fn, ...) end

--- Runs fn(...), and raises an error if it would wait for a device; the message names the function that would wait.
--- This includes the cpu device. These wait: item, totable, tobytes, get, to("cpu") from another device, iter over
--- a vector, tostring and similar functions, savetxt, save, savez, savez_compressed, tofile, x[i] that reads one
--- element, x[mask], ==, <, <=, any and all over all axes, array_equal, array_equiv, allclose, unique, intersect1d,
--- setdiff1d, setxor1d, union1d, nanargmin and nanargmax of floats, place without values, bincount without
--- minlength, histograms by a rule, real_if_close, linalg.expm, poly of complex roots and of matrices, roots,
--- trim_zeros, poly1d, arrays as split points, as counts of repeat_interleave, or as positions of delete and
--- insert, pointer, to_dlpack for stream 2, synchronize, clock, copy_to_host, cn.graph where it records again,
--- random.bytes, multivariate_normal of arrays or by another method than "cholesky", benchmark, trace.
---
--- ```lua
--- cn.no_sync(function(x) return x + 1 end, cn.zeros(2)) --> [1. 1.]
--- pcall(cn.no_sync, cn.item, cn.zeros(1)) == false --> true
--- ```
---@param fn function
---@param ... any # its arguments
---@return any ... # its results
function cn.no_sync(fn, ...) end

--- Runs the functions that streams have called so far (add_callback, launch_host_func), which otherwise run when the
--- script next waits for a device.
---
--- ```lua
--- cn.poll() >= 0 --> true
--- ```
---@return integer # count the number of functions that ran
function cn.poll() end

--- Whether operations run at once. Otherwise elementwise operations and folds (sum, max, mean, var and their kind) are
--- recorded, on the cpu device with results of 16 KiB and more: these get memory when it is needed, by kernels that
--- compute several operations, and hold the same bits. At first false, or true with CUNA_EAGER=1.
---
--- ```lua
--- cn.is_eager() --> false
--- ```
---@return boolean
function cn.is_eager() end

--- Sets whether operations run at once (true) or are recorded. What was recorded runs before a true.
--- Not recorded are: operations that write to a part of an array, of arrays whose memory others know (pointer, DLPack,
--- raw kernels), of pinned and managed memory and of other allocators, of more than a sixteenth of the memory or of its
--- limit, while a graph is captured, while a trace or a memory hook is active, and with CUNA_SYNC.
---
--- ```lua
--- cn.set_eager(false) --> false
--- ```
---@param eager boolean
---@return boolean # before
function cn.set_eager(eager) end

--- Gives arrays their memory where operations were only recorded. Any use of their elements does so by itself.
---
--- ```lua
--- cn.evaluate(cn.ones(2) + 1) --> [2. 2.]
--- ```
---@param ... cuna.Array
---@return cuna.Array ... # the arrays
function cn.evaluate(...) end
