---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Kernels of your own in C++.

---@class cuna
local cn = {}

---@class cuna.cuda
local cuda = {}

--- A kernel that cn.ElementwiseKernel made, to be called with its inputs, outputs and options.
---@class cuna.ElementwiseKernel
---@field name string
---@field in_params string
---@field out_params string
---@field operation string
---@overload fun(...: any): cuna.Array, ...
local ElementwiseKernel = {}

--- A kernel that cn.ReductionKernel made, to be called with its inputs, outputs and options.
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

--- A kernel that cn.ScanKernel made, to be called with its inputs, outputs and options.
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

--- A kernel of CUDA C++ source, from cn.RawKernel or module:get_function. What a compiler made is that of the current
--- device. Follows cupy.RawKernel.
---@class cuna.RawKernel
---@field name string
---@field code string
---@field options string[]
---@field enable_cooperative_groups boolean
---@field attributes table<string, integer> all that follow, by name
---@field num_regs integer registers of a thread; 0 on the cpu device, where it means nothing, as do the following
---@field local_size_bytes integer of a thread
---@field const_size_bytes integer
---@field ptx_version integer
---@field binary_version integer
---@field cache_mode_ca integer
---@field shared_size_bytes integer static; on the cpu device 0 where several kernels were compiled together
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
--- s}); its attributes (num_regs, shared_size_bytes, ...) are fields as cuna.RawKernel has them. Follows
--- pycuda.driver.Function.
---@class cuna.SourceFunction
---@field name string
---@overload fun(...: any)
local SourceFunction = {}

--- Kernels and variables of one source, from cn.cuda.SourceModule. Follows pycuda.compiler.SourceModule.
---@class cuna.SourceModule
local SourceModule = {}

--- A kernel of your own for each element, from C++ text. Follows cupy.ElementwiseKernel.
---
--- Parameters are "type name", separated by commas. A type is a dtype (float32), a C type (unsigned int), or one letter
--- that stands for any dtype: arrays given decide it, outputs first, else numbers. Inputs broadcast. In the text an
--- input is the element's value, an output a variable (with the old value where the call brings the array), `i` the
--- element's position from 0, `n` how many there are, `_ind.get()[d]` its position along axis d, from 0. A `raw`
--- parameter is a whole array: x[i], x[_ind.get()], x.size(), x.shape()[d], x.strides()[d] (bytes); positions are not
--- checked. `T *x` is raw too, gives the loop its size where no other array does, and can be written to unless const.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {out = z, size = n, stream = s}): size where all arrays are raw,
--- the stream for this call only. Numbers, boxed numbers and nested tables stand for arrays; outputs are arrays.
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
---@param reduce_dims boolean|nil # taken for CuPy's sake: axes are always joined where they can be
---@param preamble string|nil # C++ text in front of the kernel: functions, types
---@param loop_prep string|nil # statements before the operation
---@param after_loop string|nil # statements after it
---@param options string[]|nil # {"-DNAME=VALUE", ...}
---@return cuna.ElementwiseKernel
---@overload fun(in_params: string, out_params: string, operation: string, options: {name?: string, reduce_dims?: boolean, preamble?: string, loop_prep?: string, after_loop?: string, options?: string[]}): cuna.ElementwiseKernel
function cn.ElementwiseKernel(in_params, out_params, operation, name, reduce_dims, preamble, loop_prep, after_loop, options) end

--- A reduction of your own, from C++ text. Follows cupy.ReductionKernel.
---
--- Parameters are those of ElementwiseKernel; inputs broadcast. `map_expr` is an expression that makes a state of an
--- element: of the inputs' values, `i` (the position among the elements that are folded together, from 0), `n` (how
--- many these are). `reduce_expr` makes one state of two, `a` and `b`; it must be associative and commutative, since
--- elements are folded in an order that suits the device. `post_map_expr` are statements that set the outputs from the
--- last state `a`, and `n`. The state is of the first output's type, or of `reduce_type`: a dtype, a C type, a
--- placeholder, or a type of at most 32 bytes that `preamble` declares; the texts know it as `_type_reduce`. float16
--- and bfloat16 are computed in float.
---
--- The kernel is called k(x, y), k(x, y, z) or k(x, y, {axis = 1, keepdims = true, out = z, stream = s}): axes count
--- from 1, negative from the end, and all are folded without any; the stream is for this call only. Of no elements, the
--- identity is what is left.
---
--- ```lua
--- cn.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", 0)({{3, 4}}, {axis = 2}) --> [5.]
--- cn.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "dot")({1, 2, 3}, {4, 5, 6}) --> 32.0
--- cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "add") --> <ReductionKernel add(T x) -> (T y)>
--- ```
---@param in_params string # "T x, raw U y"
---@param out_params string # "T z"; none is raw
---@param map_expr string # C++ expression
---@param reduce_expr string # C++ expression of a and b
---@param post_map_expr string # C++ statements
---@param identity string|number # the state that changes no other, as C++ text or as a number
---@param name string|nil # an identifier, default "reduce_kernel"
---@param reduce_type string|nil
---@param reduce_dims boolean|nil # taken for CuPy's sake: axes are always joined where they can be
---@param preamble string|nil # C++ text in front of the kernel: functions, types
---@param options string[]|nil # {"-DNAME=VALUE", ...}
---@return cuna.ReductionKernel
---@overload fun(in_params: string, out_params: string, map_expr: string, reduce_expr: string, post_map_expr: string, options: {identity?: string|number, name?: string, reduce_type?: string, reduce_dims?: boolean, preamble?: string, options?: string[]}): cuna.ReductionKernel
function cn.ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name, reduce_type, reduce_dims, preamble, options) end

--- A scan of your own, from C++ text: the reduction of every element with those before it. In the manner of
--- ReductionKernel; follows PyCUDA's GenericScanKernel in what it can do.
---
--- `map_expr` makes a state of an element, `scan_expr` one state of two, `a` and `b`, where b comes later: it must be
--- associative. `post_map_expr` are statements that set the element's outputs from its state `a`; they know the inputs'
--- values, `i` (the position along the axis, from 0) and `n` (its length) too, and may write to raw outputs:
--- `if (x > 0) y[a - 1] = x`. The state is of the first output's type, or of `scan_type`, as ReductionKernel's
--- reduce_type. An inclusive scan's state has the element in it; an exclusive one has those before it, and begins with
--- the identity.
---
--- The kernel is called k(x), k(x, z) or k(x, {axis = 1, out = z, exclusive = true, reverse = true, stream = s}).
--- Without an axis the scan runs over all elements in row-major order, and its result has one axis; else it has the
--- inputs' shape. `reverse` begins with the last element, from which i counts then. The stream is for this call only.
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
---@param identity string|number # the state that changes no other, as C++ text or as a number
---@param name string|nil # an identifier, default "scan_kernel"
---@param scan_type string|nil
---@param preamble string|nil # C++ text in front of the kernel: functions, types
---@param options string[]|nil # {"-DNAME=VALUE", ...}
---@param exclusive boolean|nil # default false; a call may say otherwise
---@param reverse boolean|nil # default false; a call may say otherwise
---@return cuna.ScanKernel
---@overload fun(in_params: string, out_params: string, map_expr: string, scan_expr: string, post_map_expr: string, options: {identity?: string|number, name?: string, scan_type?: string, preamble?: string, options?: string[], exclusive?: boolean, reverse?: boolean}): cuna.ScanKernel
function cn.ScanKernel(in_params, out_params, map_expr, scan_expr, post_map_expr, identity, name, scan_type, preamble, options, exclusive, reverse) end

--- Compiles the kernel for the current device, which its first call does otherwise.
---
--- ```lua
--- cn.RawKernel("__global__ void f() {}", "f"):compile().name --> f
--- ```
---@return cuna.RawKernel
function RawKernel:compile() end

--- A kernel of your own, from the text of CUDA C++ source. Follows cupy.RawKernel; on the cpu device it runs as well.
---
--- It is called k(grid, block, {arguments}, {shared_mem = bytes, cooperative = boolean, stream = s}): grid and block
--- are how many blocks, and threads of a block, as a number or a table of up to three; the stream, which must be of
--- the device where the kernel runs, is for this call only. The arguments are checked against the parameters in the
--- text: an array for a pointer must have its dtype and lie without gaps on the device where the kernel runs, which is
--- the first array's; a number must be in range. Where a type cannot be read from the text (a struct, a macro with
--- arguments) pass cn.scalar(v, dtype), or a string of the bytes. Positions inside arrays are not checked. The kernel
--- is compiled at its first call on a device, or by k:compile().
---
--- A kernel that touches memory where there is none, recurs without end or meets an illegal instruction ends, and its
--- device is dead: the call (on a GPU the next one that waits) raises a DeviceError, and so does every later use of
--- the device. The process and its other devices go on working. The cpu device says block and address, and the thread
--- where threads wait for each other; a division of integers by 0 is such a fault there. A write to memory of the
--- process that is not the kernel's own is not noticed. What a kernel holds when it ends so stays held: after a fault
--- inside of printf other threads wait for stdout for ever. __trap() and a failed assert end a kernel too, and leave
--- the cpu device alive.
---
--- A thread has up to 512 KiB of local memory. A kernel that nobody can reach any more is unloaded in time; one with
--- the same text may find it, with the values of its variables, or begin with those of the text.
---
--- Lanes of a warp are not in step on the cpu device, nor are they promised to be on GPUs since Volta: what one writes
--- to shared memory and another reads needs __syncwarp() in between, also where the memory is volatile.
---
--- ```lua
--- tostring(cn.RawKernel("__global__ void f(float *x, int n) {}", "f")) --> <RawKernel f(float *x, int n)>
--- ```
---@param code string # CUDA C++; `extern "C"` is not needed
---@param name string # the kernel's, with namespace and template arguments if it has any: "f", "ns::f<float, 3>"
---@param options string[]|nil # of the compiler, {"-DN=4", "--use_fast_math"}
---@param enable_cooperative_groups boolean|nil # calls are cooperative launches
---@return cuna.RawKernel
---@overload fun(code: string, name: string, options: {options?: string[], enable_cooperative_groups?: boolean}): cuna.RawKernel
function cn.RawKernel(code, name, options, enable_cooperative_groups) end

--- A kernel of the module, by its name or a template's expression.
---
--- ```lua
--- cn.RawModule {code = "__global__ void f() {}"}:get_function("f").name --> f
--- ```
---@param name string # "f", "ns::f", "f<float, 3>"
---@return cuna.RawKernel
function RawModule:get_function(name) end

--- A variable of the module (__device__, __constant__) on the current device, as an array that shares its memory. Its
--- dtype and shape are those declared in the source; bytes (uint8) where they cannot be read there.
---
--- ```lua
--- cn.RawModule {code = "__device__ int n[3]; __global__ void f() {}"}:get_global("n").shape --> (3,)
--- ```
---@param name string # "limit", "ns::limit"
---@return cuna.Array
function RawModule:get_global(name) end

--- Compiles the module for the current device, which the first call of a kernel does otherwise.
---
--- ```lua
--- tostring(cn.RawModule {code = "__global__ void f() {}"}:compile()) --> <RawModule f>
--- ```
---@return cuna.RawModule
function RawModule:compile() end

--- Kernels and variables of one source, or of an image that was made ahead. Follows cupy.RawModule, and instances of
--- templates need not be listed. Its methods are get_function(name), get_global(name) and compile().
---
--- ```lua
--- tostring(cn.RawModule {code = "__global__ void f(float *x) {}"}:get_function "f") --> <RawKernel f(float *x)>
--- ```
---@param code string|nil # CUDA C++, or an image: cubin, fatbin, PTX
---@param options string[]|nil # of the compiler, {"-DN=4"}
---@param path string|nil # in place of code: a file of such text, or an image
---@param name_expressions string[]|nil # instances of templates to compile with the others, {"f<float>", "f<double>"}
---@param enable_cooperative_groups boolean|nil # calls are cooperative launches
---@return cuna.RawModule
---@overload fun(options: {code?: string, options?: string[], path?: string, name_expressions?: string[], enable_cooperative_groups?: boolean}): cuna.RawModule
function cn.RawModule(code, options, path, name_expressions, enable_cooperative_groups) end

--- Memory of the current device, for kernels to take for any pointer. Follows pycuda.driver.mem_alloc.
---
--- ```lua
--- cn.cuda.mem_alloc(256).nbytes --> 256
--- ```
---@param nbytes integer
---@return cuna.MemoryPointer # memory fields nbytes, ptr (its address), device; free() gives it back before Lua does
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

--- A host array that a kernel of a SourceModule reads: it gets a copy. Follows pycuda.driver.In.
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

--- Launches a prepared function. Behind the arguments may come {shared_size = bytes, stream = s}.
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

--- A variable of the module on the current device: an array that shares its memory, and how many bytes it has.
---
--- ```lua
--- select(2, cn.cuda.SourceModule("__device__ int n[3]; __global__ void f() {}"):get_global "n") --> 12
--- ```
---@param name string
---@return cuna.Array
---@return integer # nbytes
function SourceModule:get_global(name) end

--- Kernels from CUDA C++ source, in PyCUDA's form. Follows pycuda.compiler.SourceModule: functions are called f(a, b,
--- {block = {4, 4, 1}, grid = {1, 1}, shared = 0, stream = s}), with arrays, numbers, allocations (cn.cuda.mem_alloc)
--- and host arrays (cn.cuda.In, Out, InOut). Numbers need no type, as the source has it. On the cpu device it runs as
--- well.
---
--- ```lua
--- tostring(cn.cuda.SourceModule("__global__ void f(int n) {}"):get_function "f") --> <function f(int n)>
--- ```
---@param source string # CUDA C++; with or without `extern "C"`
---@param options string[]|nil # of the compiler, {"-DN=4"}
---@param include_dirs string[]|nil # folders of headers
---@param no_extern_c boolean|nil # taken for PyCUDA's sake: names of C++ are found as well
---@return cuna.SourceModule
---@overload fun(source: string, options: {options?: string[], include_dirs?: string[], no_extern_c?: boolean}): cuna.SourceModule
function cuda.SourceModule(source, options, include_dirs, no_extern_c) end
