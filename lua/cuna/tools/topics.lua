--- topics.lua: pages of cn.help about syntax, which belongs to no function.
--
-- A row: name, other names, title, text, code that prints what stands after each `-->` (a spec runs it), and the page
-- with the details.
local M = {}

M.rows = {
  {name = "index", also = {"indexing", "element", "elements", "position", "positions", "brackets", "[]"},
    title = "Reading and writing elements",
    text = [[
Positions count from 1, negative ones from the end. One value in brackets selects along the first
axis; a table has one entry per axis: a number, a range, an index array or a mask. Axes left out at
the end are whole. If every axis has a number, the result is a Lua value, and reading it waits for
the device.]],
    code = [=[
local m = cn.arange(12):reshape(3, 4)
print(m[2], m[{2, 3}], m[-1]) --> [4 5 6 7]   6   [ 8  9 10 11]
print(m[{{}, 1}]) --> [0 4 8]
print(m[{cn.array {1, 3}, 2}]) --> [1 9]
m[{1, 1}] = 100
print(m[1]) --> [100   1   2   3]]=],
    more = "docs/guides/arrays.md", see = "slice mask newaxis"},
  {name = "slice", also = {"slices", "slicing", "range of positions", "view", "views"}, title = "Ranges of positions",
    text = [[
A range is text, "first:last:step", or a table {first, last, step} inside the table of entries. Both
ends are included, and may be left out in text. {k} keeps an axis with length 1, {} is a whole axis.
A range gives a view: a write to it changes the array.]],
    code = [=[
local v, m = cn.arange(10), cn.arange(12):reshape(3, 4)
print(v["2:4"], v["::3"], v["-2:"]) --> [1 2 3]   [0 3 6 9]   [8 9]
print(v[{{2, 4}}], v["::-1"][1]) --> [1 2 3]   9
print(m["2:, 1"], m[{{2, -1}, 1}]) --> [4 8]   [4 8]
v["3:"] = 0
print(v) --> [0 1 0 0 0 0 0 0 0 0]]=],
    more = "docs/guides/arrays.md", see = "index"},
  {name = "mask", also = {"masks", "condition", "conditions", "boolean", "if", "filter elements"},
    title = "Conditions and masks",
    text = [[
Comparisons of elements are methods (eq ne lt le gt ge) and give bool arrays, masks. A mask in
brackets selects or writes elements; cn.where chooses between two values. `if mask` is always true:
write mask:any() or mask:all(). Combine masks with logical_and, logical_or, logical_not, or shorter
band, bor, bnot.]],
    code = [=[
local x = cn.array {1, 5, 3, 8}
print(x:gt(3), x[x:gt(3)]) --> [False  True False  True]   [5. 8.]
print(x:gt(2):band(x:lt(8)):sum(), x:gt(9):any()) --> 2   false
print(cn.where(x:gt(3), x, 0)) --> [0. 5. 0. 8.]
x[x:gt(3)] = -1
print(x) --> [ 1. -1.  3. -1.]]=],
    more = "docs/guides/arrays.md", see = "operators"},
  {name = "newaxis", also = {"new axis", "expand", "column"}, title = "Axes of length 1",
    text = [[
cn.newaxis in a table of entries adds an axis of length 1; cn.ellipsis stands for all axes that are
not named. reshape and cn.expand_dims do the same, x:squeeze() removes such axes.]],
    code = [=[
local v = cn.arange(3)
print(v[{{}, cn.newaxis}].shape, v[{cn.newaxis, {}}].shape) --> (3, 1)   (1, 3)
print(v:reshape(-1, 1).shape, cn.zeros({2, 3, 4})[{cn.ellipsis, 1}].shape) --> (3, 1)   (2, 3)]=],
    more = "docs/guides/broadcasting.md", see = "broadcast index"},
  {name = "broadcast", also = {"broadcasting", "shapes"}, title = "Arrays of different shapes in one operation",
    text = [[
Shapes are aligned at the last axis. Lengths fit if they are equal or one of them is 1; a missing
axis counts as 1. An array with length 1 along an axis is repeated there, without a copy.]],
    code = [=[
local m, column = cn.arange(6):reshape(2, 3), cn.array {{10}, {20}}
print((m + cn.array {1, 2, 3})[1], (m + column)[2]) --> [1. 3. 5.]   [23. 24. 25.]
print(cn.broadcast_shapes({2, 1}, {3})) --> (2, 3)]=],
    more = "docs/guides/broadcasting.md", see = "newaxis axis"},
  {name = "operators", also = {"operator", "arithmetic", "comparison", "=="}, title = "Operators",
    text = [[
+ - * / % ^ and unary - work on each element; a number or a table may stand on one side. `..` joins
arrays along the first axis, #x is the length of it. == is one boolean for the whole arrays, and
false between an array and a number: compare elements by x:eq(y), x:lt(y) ... Products of matrices
are x:matmul(y), whole quotients x:floor_divide(y).]],
    code = [=[
local x = cn.array {1, 2, 3}
print(x * 2 + 1, x ^ 2, -x % 3) --> [3. 5. 7.]   [1. 4. 9.]   [2. 1. 0.]
print(x == cn.array {1, 2, 3}, x:eq(2)) --> true   [False  True False]
print(#(x .. x), x:dot(x)) --> 6   14.0]=],
    more = "docs/from_numpy_and_cupy.md", see = "mask in_place"},
  {name = "dtype", also = {"dtypes", "types", "type", "promotion", "astype"}, title = "Types of elements",
    text = [[
bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64
complex128, as strings. Lua numbers make float64 arrays. Two arrays give the smallest dtype that
holds both; a number adapts to the array beside it. x:astype(dtype) converts, cn.set_default_dtype
"float32" replaces float64 in a script.]],
    code = [=[
print(cn.array({1, 2}).dtype, cn.array({1, 2}, "int32").dtype, cn.arange(3).dtype) --> float64   int32   int64
print((cn.arange(3) + 0.5).dtype, (cn.ones(2, "float32") * 2.5).dtype) --> float64   float32
print(cn.array({1.9, -1.9}):astype "int8") --> [ 1 -1]]=],
    more = "docs/guides/broadcasting.md", see = "operators"},
  {name = "axis", also = {"axes", "keepdims", "reduction", "reductions"}, title = "Axes",
    text = [[
Axes count from 1, negative ones from the last. A reduction along an axis removes it: axis 1 of a
matrix gives a value for each column, axis 2 one for each row. Options stand in a table as the last
argument. The result of x:sum() is an array without axes; x:sum():item() is a Lua number, and waits
for the device.]],
    code = [=[
local x = cn.array {{1, 2, 3}, {4, 5, 6}}
print(x:sum(1), x:sum(2), x:sum()) --> [5. 7. 9.]   [ 6. 15.]   21.0
print(x:sum({axis = -1, keepdims = true}).shape, cn.zeros({4, 5, 6}):max({1, 3}).shape) --> (2, 1)   (5,)
print(x:max():item() > 5) --> true]=],
    more = "docs/tutorial/05_reductions.md", see = "broadcast"},
  {name = "in_place", also = {"in place", "inplace", "out", "underscore", "mutation", "assign"},
    title = "Changing arrays in place",
    text = [[
A method whose name ends in _ changes its array and returns it. Assignment to brackets writes
elements, and out takes the result of a function. All else returns a new array or, as ranges and
reshape do, a view of the same memory.]],
    code = [=[
local x = cn.array {3, 1, 2}
x:add_(10):mul_(2)
print(x, x:sort(), x) --> [26. 22. 24.]   [22. 24. 26.]   [26. 22. 24.]
local y = cn.empty(3)
cn.sqrt(x, {out = y})
x["..."] = 0
print(x, y:round()) --> [0. 0. 0.]   [5. 5. 5.]]=],
    more = "docs/tutorial/09_recording_and_fuse.md", see = "operators slice"},
  {name = "devices", also = {"device", "gpu", "cuda", "cpu"}, title = "Devices",
    text = [[
New arrays live on the current device: cuda:0 if there is a GPU, else cpu. CUNA_DEVICE names another
for a script, dev:use() and dev:with(fn) in a script. An operation runs where its arrays are;
x:to(dev) and x:get() copy. Work on a GPU goes on while the script does: reading elements, printing,
item and cn.synchronize() wait for it.]],
    code = [=[
local cpu = cn.device "cpu"
local x = cpu:with(function() return cn.ones(3) end)
print(x.device == cpu, x.device.name, x:get():sum():item()) --> true   cpu   3]=],
    more = "docs/guides/devices.md", see = "in_place"},
}

local by_name

--- The row of a name, which may be written with blanks.
---@param name string
---@return table|nil
function M.find(name)
  if not by_name then
    by_name = {}
    for _, row in ipairs(M.rows) do
      by_name[row.name] = row
      for _, other in ipairs(row.also) do by_name[other] = row end
    end
  end
  return by_name[name:lower()]
end

--- A page as text.
---@param row table
---@return string
function M.text(row)
  local code = ("local cn = require \"cuna\"\n" .. row.code):gsub("[^\n]+", "  %0")
  local see = row.see:gsub("%S+", 'cn.help "%0"'):gsub('" ', '", ')
  return ("%s\n\n%s\n\n%s\n\nSee also %s; %s\n"):format(row.title, row.text, code, see, row.more)
end

return M
