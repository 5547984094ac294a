---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Arrays: elements, printing, comparison.

---@class cuna
local cn = {}

--- An array: elements of one dtype on one device, under a shape. Operators are + - * / % ^ and -x element by element;
--- x .. y joins, #x is the length of the first axis, x == y is whether all is equal; x[key] reads, x[key] = v writes.
--- Follows numpy.ndarray, cupy.ndarray.
---@class cuna.Array
---@field shape cuna.ShapeTable the lengths of the axes, a table of its own at each reading
---@field ndim integer how many axes
---@field size integer how many elements
---@field dtype cuna.Dtype
---@field itemsize integer bytes of an element
---@field nbytes integer bytes of all elements
---@field strides integer[] bytes from an element to the next one along each axis
---@field device cuna.Device where the elements are
---@field T cuna.Array the view with the axes in reverse order
---@field mT cuna.Array the view with the last two axes swapped
---@field real cuna.Array the real part, a view of complex arrays
---@field imag cuna.Array the imaginary part, a view of complex arrays
---@field base cuna.Array|nil the array whose memory a view shows
---@field flags table {c_contiguous, f_contiguous, owndata, writeable = boolean}
---@operator add(cuna.Operand): cuna.Array
---@operator sub(cuna.Operand): cuna.Array
---@operator mul(cuna.Operand): cuna.Array
---@operator div(cuna.Operand): cuna.Array
---@operator mod(cuna.Operand): cuna.Array
---@operator pow(cuna.Operand): cuna.Array
---@operator unm: cuna.Array
---@operator concat(cuna.Operand): cuna.Array
---@operator len: integer
---@field [integer|string|table|cuna.Array] any a number, a view or a copy
local Array = {}

--- shapes of equal lengths are ==, and tostring gives (3, 4)
---@alias cuna.ShapeTable integer[]

--- What cn.array2string takes; what is left out is as cn.set_printoptions has it.
---@class cuna.TextOptions
---@field max_line_width number|nil characters of a line
---@field precision integer|nil digits after the point
---@field suppress_small boolean|nil true: no exponents for small numbers
---@field separator string|nil between elements, default " "
---@field prefix string|nil text that will stand before the array: later lines are indented by its length
---@field suffix string|nil text that will follow: lines are shorter by its length
---@field edgeitems integer|nil elements printed at each edge of a long array
---@field threshold number|nil elements above which only edges are printed
---@field floatmode string|nil as of cuna.PrintOptions
---@field sign string|nil as of cuna.PrintOptions
local TextOptions = {}

--- How arrays are printed.
---@class cuna.PrintOptions
---@field precision integer|nil digits after the point, default 8
---@field threshold number|nil elements above which only edges are printed, default 1000; math.huge prints all
---@field edgeitems integer|nil elements printed at each edge then, default 3
---@field linewidth number|nil characters of a line, default 75
---@field suppress boolean|nil true: no exponents for small numbers
---@field nanstr string|nil default "nan"
---@field infstr string|nil default "inf"
---@field sign string|nil before positive numbers: "-" (default): nothing, "+" or " "
---@field floatmode string|nil "maxprec" (default): as many digits as needed, "fixed": precision digits, "unique": as many as identify the number, "maxprec_equal": as maxprec, the same for all
local PrintOptions = {}

--- Whether x has exactly this shape.
---
--- ```lua
--- cn.zeros({2, 3}):has_shape(2, 3) --> true
--- ```
---@param ... integer|integer[] # the shape, as numbers or one table
---@return boolean
function Array:has_shape(...) end

--- The one element of an array as a Lua value: a boolean, a number, or cdata for complex numbers and integers beyond
--- 2^53. Synchronises. Follows numpy.ndarray.item.
---
--- ```lua
--- cn.array({{7}}):item() --> 7
--- ```
---@return number|boolean|ffi.cdata*
function Array:item() end

--- The single elements of several arrays as Lua values; other values stay as they are. Synchronises.
---
--- ```lua
--- cn.item(cn.array(1), 2, cn.array(true)) --> 1, 2, true
--- ```
---@param ... cuna.Array|any
---@return any ...
function cn.item(...) end

--- The elements as nested Lua tables; of a 0-d array the element itself. Synchronises. Follows numpy.ndarray.tolist.
---
--- ```lua
--- cn.arange(4):reshape(2, 2):totable()[2][1] --> 2
--- ```
---@return table|number|boolean|ffi.cdata*
function Array:totable() end

Array.tolist = Array.totable

--- The bytes of the elements in row-major order. Synchronises. Follows numpy.ndarray.tobytes.
---
--- ```lua
--- cn.array({72, 105}, "uint8"):tobytes() --> Hi
--- ```
---@return string
function Array:tobytes() end

--- An iterator over the first axis: views, or of a 1-d array its elements, fetched in blocks.
---
--- ```lua
--- (function(sum) for i, v in cn.arange(4):iter() do sum = sum + i * v end return sum end)(0) --> 20
--- ```
---@return function, nil, integer
function Array:iter() end

--- A typed FFI pointer to the elements of a contiguous array on the cpu device: p[0] is the first. It waits for pending
--- work and keeps x alive; a pointer computed from it does not. That of a read-only array points to const elements.
--- Those of float16 and bfloat16 are uint16_t. Other arrays are copied first: x:get():pointer(), x:copy():pointer().
---
--- ```lua
--- cn.array({5, 6}, "int8"):pointer()[1] --> 6
--- ```
---@return ffi.cdata*
function Array:pointer() end

--- Sets every element to a number. Raises for whole numbers that the dtype cannot hold. Follows numpy.ndarray.fill.
---
--- ```lua
--- cn.zeros(2):fill(7) --> [7. 7.]
--- ```
---@param value cuna.Number
---@return cuna.Array # x
function Array:fill(value) end

--- Gives the memory back now, unless views still use it; freeing twice is harmless, any other use raises.
---
--- ```lua
--- cn.zeros(2):free() -->
--- ```
function Array:free() end

--- The text of an array, as NumPy's array2string has it. Follows numpy.array2string.
---
--- ```lua
--- cn.array2string(cn.array {1, 2.5}, {precision = 2}) --> [1. 2.5]
--- ```
---@param x cuna.Operand
---@param options cuna.TextOptions|nil
---@return string
function cn.array2string(x, options) end

--- The text of an array with its dtype where that does not show. Follows numpy.array_repr.
---
--- ```lua
--- cn.array_repr(cn.array({1}, "int8")) --> array([1], dtype=int8)
--- ```
---@param x cuna.Operand
---@param options {max_line_width?: number, precision?: integer, suppress_small?: boolean}|nil
---@return string
function cn.array_repr(x, options) end

--- The text of an array, as tostring has it. Follows numpy.array_str.
---
--- ```lua
--- cn.array_str(cn.array {1}) --> [1.]
--- ```
---@param x cuna.Operand
---@param options {max_line_width?: number, precision?: integer, suppress_small?: boolean}|nil
---@return string
function cn.array_str(x, options) end

--- Sets how arrays are printed from now on. Follows numpy.set_printoptions.
---
--- ```lua
--- cn.set_printoptions {} -->
--- ```
---@param options cuna.PrintOptions
function cn.set_printoptions(options) end

--- How arrays are printed. Follows numpy.get_printoptions.
---
--- ```lua
--- cn.get_printoptions().precision --> 8
--- ```
---@return cuna.PrintOptions
function cn.get_printoptions() end

--- Calls fn(...) with other print options. Follows numpy.printoptions.
---
--- ```lua
--- cn.printoptions({precision = 2}, function() return tostring(cn.array {1 / 3}) end) --> [0.33]
--- ```
---@param options cuna.PrintOptions
---@param fn function
---@return any ... # fn's results
function cn.printoptions(options, fn) end
