---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Kernels of your own in C++.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A kernel created by cn.ElementwiseKernel; a call takes its inputs, outputs and options.
---@class cuna.ElementwiseKernel
---@field name string
---@field in_params string
---@field out_params string
---@field operation string
---@overload fun(...: any): cuna.Array, ...
local ElementwiseKernel = {}

--- A kernel created by cn.ReductionKernel; a call takes its inputs, outputs and options.
---@class cuna.ReductionKernel
---@field name string
---@field in_params string
---@field out_params string
---@field map_expr string
---@field reduce_expr string
---@field post_map_expr string
---@field identity string
---@overload fun(...: any): cuna.Array, ...
local ReductionKernel = {}

--- A kernel created by cn.ScanKernel; a call takes its inputs, outputs and options.
---@class cuna.ScanKernel
---@field name string
---@field in_params string
---@field out_params string
---@field map_expr string
---@field scan_expr string
---@field post_map_expr string
---@field identity string
---@field exclusive boolean
---@overload fun(...: any): cuna.Array, ...
local ScanKernel = {}

--- A kernel of CUDA C++ source, from cn.RawKernel or module:get_function. Its attributes are those of the code compiled
--- for the current device. Follows cupy.RawKernel.
---@class cuna.RawKernel
---@field name string
---@field code string
---@field options string[]
---@field enable_cooperative_groups boolean
---@field attributes table<string, integer> all of the following, by name
---@field num_regs integer registers per thread; 0 on the cpu device, where this and the following have no meaning
---@field local_size_bytes integer per thread
---@field const_size_bytes integer
---@field ptx_version integer
---@field binary_version integer
---@field cache_mode_ca integer
---@field shared_size_bytes integer static; on the cpu device 0 if several kernels were compiled together
---@field max_threads_per_block integer
---@field max_dynamic_shared_size_bytes integer may be assigned
---@field preferred_shared_memory_carveout integer may be assigned
---@overload fun(grid: integer|integer[], block: integer|integer[], arguments: any[]|nil, options: table|nil)
local RawKernel = {}

--- Kernels and variables of one source or image, from cn.RawModule. Follows cupy.RawModule.
---@class cuna.RawModule
---@field code string|nil
---@field options string[]
---@field name_expressions string[]
---@field file_path string|nil
local RawModule = {}

--- A kernel of cn.cuda.SourceModule, called f(arguments..., {block = {x, y, z}, grid = {x, y}, shared = bytes, stream =
--- s}); its attributes (num_regs, shared_size_bytes, ...) are fields, as in cuna.RawKernel. Follows
--- pycuda.driver.Function.
---@class cuna.SourceFunction
---@field name string
---@overload fun(...: any)
local SourceFunction = {}

--- Kernels and variables of one source, from cn.cuda.SourceModule. Follows pycuda.compiler.SourceModule.
---@class cuna.SourceModule
local SourceModule = {}

--- Creates an elementwise kernel from C++ text. Follows cupy.ElementwiseKernel.
---
--- Parameters are "type name", separated by commas. A type is a dtype (float32), a C type (unsigned int), or one letter
--- that stands for any dtype: the arrays of a call determine it, outputs first, or else its numbers. Inputs broadcast.
--- In the text, an input is the element's value, an output is a variable (with the old value if the call passes the
--- array), `i` is the element's position from 0, `n` the number of elements, `_ind.get()[d]` the position along axis d,
--- from 0. A `raw` parameter is a whole array: x[i], x[_ind.get()], x.size(), x.shape()[d], x.strides()[d] (bytes);
--- positions are not checked. `T *x` is raw too; it determines the loop's size if no other array does, and is writable
--- unless it is const. `continue` and `return` leave the element. The text may call CUDA's functions, intrinsics and
--- atomics.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {out = z, size = n, stream = s}): size if all arrays are raw,
--- the stream for this call only; CuPy's block_size is accepted and ignored, since cuna chooses the blocks. Numbers,
--- boxed numbers and nested tables are accepted in place of input arrays; outputs are arrays.
---
--- ```lua
--- cn.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")({1, 2}, {3, 5}) --> [4. 9.]
--- cn.ElementwiseKernel("raw T x", "T z", "z = x[n - i - 1]")({1, 2, 3}, {size = 3}) --> [3. 2. 1.]
--- cn.ElementwiseKernel("T x", "T y", "y = x", "same") --> <ElementwiseKernel same(T x) -> (T y)>
--- ```
---@param in_params string # "T x, raw U y, float32 z, const float *p"
---@param out_params string
---@param operation string # C++ statements
---@param name string|nil # an identifier, default "kernel"
---@param reduce_dims boolean|nil # accepted for compatibility with CuPy and ignored: axes are always joined if possible
---@param preamble string|nil # C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param no_return boolean|nil # calls return nothing
---@param return_tuple boolean|nil # accepted for compatibility with CuPy and ignored: several outputs are several results
---@param loop_prep string|nil # statements before the operation
---@param after_loop string|nil # statements after it
---@param options string[]|nil # {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@return cuna.ElementwiseKernel
---@overload fun(in_params: string, out_params: string, operation: string, options: {name?: string, reduce_dims?: boolean, preamble?: string, no_return?: boolean, return_tuple?: boolean, loop_prep?: string, after_loop?: string, options?: string[]}): cuna.ElementwiseKernel
function cn.ElementwiseKernel(in_params, out_params, operation, name, reduce_dims, preamble, no_return, return_tuple, loop_prep, after_loop, options) end

--- Creates a reduction kernel from C++ text. Follows cupy.ReductionKernel.
---
--- Parameters are those of ElementwiseKernel; inputs broadcast. `map_expr` is an expression that converts an element to
--- a state: it may use the inputs' values, `i` (the position among the elements that are folded together, from 0; also
--- `_J`), `n` (their number), `_i` (the output's position) and `_in_ind.get()[d]` (the position along an axis, reduced
--- axes first). `reduce_expr` combines two states, `a` and `b`, into one; it must be associative and commutative, since
--- the order in which elements are folded depends on the device. `post_map_expr` are statements that set the outputs
--- from the last state `a`, `n`, `_i` and `_out_ind.get()[d]` (the output's position along an axis). The state has the
--- first output's type, or `reduce_type`: a dtype, a C type, a placeholder, or a type of at most 32 bytes that
--- `preamble` declares; its name in the texts is `_type_reduce`. float16 and bfloat16 are computed in float.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {axis = 1, keepdims = true, out = z, stream = s}). Axes count
--- from 1, negative ones from the end; the default is all axes. The stream is for this call only. Without elements, the
--- last state is the identity.
---
--- ```lua
--- cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0)({{3, 4}}, {axis = 2}) --> [5.]
--- cn.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "dot")({1, 2, 3}, {4, 5, 6}) --> 32.0
--- cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "add") --> <ReductionKernel add(T x) -> (T y)>
--- ```
---@param in_params string # "T x, raw U y"
---@param out_params string # "T z"; raw ones are not allowed
---@param map_expr string # C++ expression
---@param reduce_expr string # C++ expression of a and b
---@param post_map_expr string # C++ statements
---@param identity string|number # the state that combined with another leaves it unchanged, as C++ text or as a number
---@param name string|nil # an identifier, default "reduce_kernel"
---@param reduce_type string|nil
---@param reduce_dims boolean|nil # accepted for compatibility with CuPy and ignored: axes are always joined if possible
---@param preamble string|nil # C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param options string[]|nil # {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@return cuna.ReductionKernel
---@overload fun(in_params: string, out_params: string, map_expr: string, reduce_expr: string, post_map_expr: string, options: {identity?: string|number, name?: string, reduce_type?: string, reduce_dims?: boolean, preamble?: string, options?: string[]}): cuna.ReductionKernel
function cn.ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name, reduce_type, reduce_dims, preamble, options) end

--- Creates a scan kernel from C++ text: each result is folded from the element and those before it. Its parameters
--- resemble ReductionKernel's, its functions those of PyCUDA's GenericScanKernel.
---
--- `map_expr` converts an element to a state, `scan_expr` combines two states, `a` and `b`, into one, where b comes
--- later: it must be associative. `post_map_expr` are statements that set the element's outputs from its state `a`;
--- they may also use the inputs' values, `i` (the position along the axis, from 0) and `n` (its length), and write to
--- raw outputs: `if (x > 0) y[a - 1] = x`. The state has the first output's type, or `scan_type`, as ReductionKernel's
--- reduce_type. The state of an inclusive scan includes the element; that of an exclusive scan has only those before
--- it, and begins with the identity.
---
--- The kernel is called k(x), k(x, z) or k(x, {axis = 1, out = z, exclusive = true, reverse = true, stream = s}).
--- Without an axis, the scan runs over all elements in row-major order, and its result is 1-d; otherwise it has the
--- inputs' shape. With `reverse`, it begins with the last element, from which i counts then. The stream is for this
--- call only.
---
--- ```lua
--- cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0)({1, 2, 3}) --> [1. 3. 6.]
--- cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0)({1, 2, 3}, {exclusive = true}) --> [0. 1. 3.]
--- cn.ScanKernel("T x", "T y", "x", "a * b", "y = a", 1)({{3, 1}, {2, 4}}, {axis = 1}) --> [[3. 1.] [6. 4.]]
--- ```
---@param in_params string # "T x, raw U y"
---@param out_params string # "T z, raw T w"
---@param map_expr string # C++ expression
---@param scan_expr string # C++ expression of a and b
---@param post_map_expr string # C++ statements
---@param identity string|number # the state that combined with another leaves it unchanged, as C++ text or as a number
---@param name string|nil # an identifier, default "scan_kernel"
---@param scan_type string|nil
---@param preamble string|nil # C++ text in front of the kernel: functions, types, constants; #include of CUDA's headers
---@param options string[]|nil # {"-DNAME=VALUE", ...}; "--std=c++17" and "--use_fast_math" are accepted and ignored
---@param exclusive boolean|nil # default false; calls can override it
---@param reverse boolean|nil # default false; calls can override it
---@return cuna.ScanKernel
---@overload fun(in_params: string, out_params: string, map_expr: string, scan_expr: string, post_map_expr: string, options: {identity?: string|number, name?: string, scan_type?: string, preamble?: string, options?: string[], exclusive?: boolean, reverse?: boolean}): cuna.ScanKernel
function cn.ScanKernel(in_params, out_params, map_expr, scan_expr, post_map_expr, identity, name, scan_type, preamble, options, exclusive, reverse) end

--- Compiles the kernel for the current device. Otherwise its first call does so.
---
--- ```lua
--- cn.RawKernel("__global__ void f() {}", "f"):compile().name --> f
--- ```
---@return cuna.RawKernel
function RawKernel:compile() end

--- Creates a kernel from CUDA C++ source. Follows cupy.RawKernel. It runs on the cpu device too.
---
--- It is called k(grid, block, {arguments}, {shared_mem = bytes, cooperative = boolean, stream = s}). grid and block
--- are the number of blocks, and of threads per block: a number or a table of up to three. The stream is for this call
--- only and must belong to the device where the kernel runs, which is that of the first array. The arguments are
--- checked against the parameters in the source: an array for a pointer must have its dtype, be contiguous and be on
--- the same device; a number must be in range. cn.scalar(v, dtype) is a number too, a complex64 array suits float2 *,
--- and a pointer may be a cn.cuda.MemoryPointer, an FFI pointer, or 0 for null. If a type cannot be read from the
--- source (a struct, a macro with arguments), pass cn.scalar(v, dtype), an FFI struct, or a string of the bytes.
--- Positions inside arrays are not checked. The kernel is compiled at its first call on a device, or by k:compile().
---
--- An access to unmapped memory, unbounded recursion or an illegal instruction ends the kernel and makes its device
--- unusable: the call (on a GPU the next synchronisation) raises a DeviceError, and so does every later use of the
--- device. The process and its other devices continue. On the cpu device the error names block and address, and also
--- the thread if the kernel synchronises threads; an integer division by 0 is such a fault there. A write to other
--- memory of the process is not detected. Locks that a kernel holds when it faults stay locked: after a fault inside of
--- printf, other threads wait for stdout forever. __trap() and a failed assert end a kernel too, but the cpu device
--- stays usable.
---
--- A thread has up to 512 KiB of local memory. A kernel that has become unreachable is unloaded later. Until then a
--- kernel with the same source may share its module, with the present values of its variables.
---
--- Lanes of a warp do not run in lockstep on the cpu device, and CUDA does not guarantee it since Volta: data that one
--- lane writes to shared memory and another reads needs __syncwarp() in between, even if the memory is volatile.
---
--- ```lua
--- tostring(cn.RawKernel("__global__ void f(float *x, int n) {}", "f")) --> <RawKernel f(float *x, int n)>
--- ```
---@param code string # CUDA C++; `extern "C"` is not needed
---@param name string # of the kernel, with namespace and template arguments if it has any: "f", "ns::f<float, 3>"
---@param options string[]|nil # compiler options, {"-DN=4", "--use_fast_math"}
---@param backend string|nil # "nvrtc": accepted for compatibility with CuPy, as the next one and jitify are
---@param translate_cucomplex boolean|nil # ignored: cuComplex.h is there on every device
---@param enable_cooperative_groups boolean|nil # calls are cooperative launches, whose blocks run at once (grid.sync())
---@param jitify boolean|nil # ignored
---@return cuna.RawKernel
---@overload fun(code: string, name: string, options: {options?: string[], backend?: string, translate_cucomplex?: boolean, enable_cooperative_groups?: boolean, jitify?: boolean}): cuna.RawKernel
function cn.RawKernel(code, name, options, backend, translate_cucomplex, enable_cooperative_groups, jitify) end

--- A kernel of the module, by its name or a template instance.
---
--- ```lua
--- cn.RawModule {code = "__global__ void f() {}"}:get_function("f").name --> f
--- ```
---@param name string # "f", "ns::f", "f<float, 3>"
---@return cuna.RawKernel
function RawModule:get_function(name) end

--- A variable of the module (__device__, __constant__) on the current device, as an array that shares its memory. Its
--- dtype and shape are those declared in the source, or bytes (uint8) if they cannot be determined.
---
--- ```lua
--- cn.RawModule {code = "__device__ int n[3]; __global__ void f() {}"}:get_global("n").shape --> (3,)
--- ```
---@param name string # "limit", "ns::limit"
---@return cuna.Array
function RawModule:get_global(name) end

--- Compiles the module for the current device. Otherwise the first call of a kernel does so.
---
--- ```lua
--- tostring(cn.RawModule {code = "__global__ void f() {}"}:compile()) --> <RawModule f>
--- ```
---@return cuna.RawModule
function RawModule:compile() end

--- Kernels and variables of one source or of a compiled image. Follows cupy.RawModule, but instances of templates need
--- not be listed. Its methods are get_function(name), get_global(name) and compile().
---
--- ```lua
--- tostring(cn.RawModule {code = "__global__ void f(float *x) {}"}:get_function "f") --> <RawKernel f(float *x)>
--- ```
---@param code string|nil # CUDA C++, or an image: cubin, fatbin, PTX
---@param options string[]|nil # compiler options, {"-DN=4"}
---@param path string|nil # instead of code: a file with source or an image
---@param name_expressions string[]|nil # instances of templates to compile with the others, {"f<float>", "f<double>"}
---@param enable_cooperative_groups boolean|nil # calls are cooperative launches, whose blocks run at once (grid.sync())
---@param backend string|nil # "nvrtc": accepted for compatibility with CuPy, as the next two are
---@param translate_cucomplex boolean|nil # ignored: cuComplex.h is there on every device
---@param jitify boolean|nil # ignored
---@return cuna.RawModule
---@overload fun(options: {code?: string, options?: string[], path?: string, name_expressions?: string[], enable_cooperative_groups?: boolean, backend?: string, translate_cucomplex?: boolean, jitify?: boolean}): cuna.RawModule
function cn.RawModule(code, options, path, name_expressions, enable_cooperative_groups, backend, translate_cucomplex, jitify) end

--- Allocates memory on the current device, which kernels accept for any pointer. Follows pycuda.driver.mem_alloc.
---
--- ```lua
--- cn.cuda.mem_alloc(256).nbytes --> 256
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer # memory fields nbytes, ptr (its address), device; free() frees it before garbage collection
function cuda.mem_alloc(nbytes) end

--- Copies all of src to the beginning of device memory. Follows pycuda.driver.memcpy_htod.
---
--- ```lua
--- cn.cuda.memcpy_htod(cn.cuda.mem_alloc(8), cn.arange(1):to "cpu") -->
--- ```
---@param dst cuna.MemoryPointer|cuna.Array
---@param src cuna.Array|ffi.cdata*|string # an array of the cpu device, an FFI array or struct, or bytes
function cuda.memcpy_htod(dst, src) end

--- Fills host memory from the beginning of device memory, and waits for it. Follows pycuda.driver.memcpy_dtoh.
---
--- ```lua
--- cn.cuda.memcpy_dtoh(cn.zeros(1):to "cpu", cn.cuda.mem_alloc(8)) -->
--- ```
---@param dst cuna.Array|ffi.cdata* # an array of the cpu device, or an FFI array or struct
---@param src cuna.MemoryPointer|cuna.Array
function cuda.memcpy_dtoh(dst, src) end

--- Copies the first nbytes bytes of device memory. Follows pycuda.driver.memcpy_dtod.
---
--- ```lua
--- cn.cuda.memcpy_dtod(cn.cuda.mem_alloc(8), cn.zeros(2), 8) -->
--- ```
---@param dst cuna.MemoryPointer|cuna.Array
---@param src cuna.MemoryPointer|cuna.Array
---@param nbytes integer|nil # default: all of src
function cuda.memcpy_dtod(dst, src, nbytes) end

--- Sets the first `count` bytes of device memory to one value. Follows pycuda.driver.memset_d8.
---
--- ```lua
--- cn.cuda.memset(cn.cuda.mem_alloc(8), 0, 8) -->
--- ```
---@param dst cuna.MemoryPointer|cuna.Array
---@param byte integer # 0 to 255
---@param count integer|nil # default: all
function cuda.memset(dst, byte, count) end

cuda.memset_d8 = cuda.memset

--- A host array that a kernel of a SourceModule reads: the kernel uses a copy. Follows pycuda.driver.In.
---
--- ```lua
--- type(cn.cuda.In({1, 2})) --> table
--- ```
---@param x cuna.Array|table # an array of the cpu device, or a nested table
---@return table
function cuda.In(x) end

--- A host array that a kernel of a SourceModule fills. Follows pycuda.driver.Out.
---
--- ```lua
--- type(cn.cuda.Out(cn.zeros(2))) --> table
--- ```
---@param x cuna.Array # of the cpu device
---@return table
function cuda.Out(x) end

--- A host array that a kernel of a SourceModule reads and writes. Follows pycuda.driver.InOut.
---
--- ```lua
--- type(cn.cuda.InOut(cn.zeros(2))) --> table
--- ```
---@param x cuna.Array # of the cpu device
---@return table
function cuda.InOut(x) end

--- Declares the types of the arguments, one letter each, as Python's struct module does: P is a pointer, i an int, f a
--- float, d a double. Types that the source declares are checked; prepare adds the others.
---
--- ```lua
--- cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function("f"):prepare("i").name --> f
--- ```
---@param types string # "PPi"
---@return cuna.SourceFunction
function SourceFunction:prepare(types) end

--- Launches a prepared function. {shared_size = bytes, stream = s} may follow the arguments.
---
--- ```lua
--- cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function("f"):prepare("i"):prepared_call(1, 1, 3) -->
--- ```
---@param grid integer|integer[]
---@param block integer|integer[]
---@param ... any # the arguments
function SourceFunction:prepared_call(grid, block, ...) end

--- A kernel of the module, called f(arguments..., {block = {x, y, z}, grid = {x, y}, shared = bytes, stream = s}).
---
--- ```lua
--- cn.cuda.SourceModule("__global__ void f() {}"):get_function("f").name --> f
--- ```
---@param name string
---@return cuna.SourceFunction
function SourceModule:get_function(name) end

--- A variable of the module on the current device: an array that shares its memory, and its size in bytes.
---
--- ```lua
--- select(2, cn.cuda.SourceModule("__device__ int n[3]; __global__ void f() {}"):get_global "n") --> 12
--- ```
---@param name string
---@return cuna.Array
---@return integer # nbytes
function SourceModule:get_global(name) end

--- Kernels from CUDA C++ source, with PyCUDA's interface. Follows pycuda.compiler.SourceModule: functions are called
--- f(a, b, {block = {4, 4, 1}, grid = {1, 1}, shared = 0, stream = s}), with arrays, numbers, allocations
--- (cn.cuda.mem_alloc) and host arrays (cn.cuda.In, Out, InOut). Numbers need no dtype, since the source declares it.
--- It runs on the cpu device too.
---
--- ```lua
--- tostring(cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function "f") --> <function f(int n)>
--- ```
---@param source string # CUDA C++; with or without `extern "C"`
---@param options string[]|nil # compiler options, {"-DN=4"}
---@param include_dirs string[]|nil # folders with headers
---@param no_extern_c boolean|nil # accepted for compatibility with PyCUDA and ignored: C++ names are found too
---@return cuna.SourceModule
---@overload fun(source: string, options: {options?: string[], include_dirs?: string[], no_extern_c?: boolean}): cuna.SourceModule
function cuda.SourceModule(source, options, include_dirs, no_extern_c) end
