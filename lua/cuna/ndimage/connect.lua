--- connect.lua: numbers of connected elements.
local args = require "cuna.base.args"
local border = require "cuna.ndimage.border"
local check = require "cuna.base.check"
local core = require "cuna.core"
local given = require "cuna.ndimage.given"
local iterate = require "cuna.ndimage.iterate"
local program = require "cuna.base.program"
local with = require "cuna.base.with"

local M = {}

local fail = check.fail

-- ---- sets ----

--- The steps to the neighbours that a structure connects, of every two opposite ones that which comes first.
local function connections(structure, ndim, name)
  local list, shape = given.elements(structure, name)
  local is_box = #shape == ndim
  for axis = 1, #shape do is_box = is_box and shape[axis] == 3 end
  if not is_box then fail("%s: a structure has length 3 along %d axes, got shape %s", name, ndim, tostring(shape)) end
  local steps, count = {}, #list
  for number = 1, count do
    local here, there = list[number], list[count + 1 - number]
    if (here ~= 0 and here ~= false) ~= (there ~= 0 and there ~= false) then
      fail("%s: the structure is not symmetric about its middle", name)
    end
    if number < (count + 1) / 2 and here ~= 0 and here ~= false then
      local step, rest = {}, number - 1
      for axis = ndim, 1, -1 do
        step[axis] = rest % 3 - 1
        rest = math.floor(rest / 3)
      end
      steps[#steps + 1] = step
    end
  end
  return steps
end

local function away(step, first)
  local terms = {"0"}
  for axis, k in ipairs(step) do
    if k ~= 0 then terms[#terms + 1] = ("%d * %s"):format(k, string.char(96 + first + axis - 1)) end
  end
  return table.concat(terms, " + ")
end

--- Values a: the mask's address, b: that of the parent, c: that of all parents; d: the list of distances that loops
--- read (lists); then the strides of mask and parents.
local function draw_unite(draft, word, steps, ndim, lists)
  local values = {draft:input("bool", "address"), draft:input(word, "address"), draft:input(word, "address")}
  if lists then values[4] = draft:input("int64", "address") end
  local terms, first = {}, #values + 1
  for k = 1, 2 * ndim do values[first + k - 1] = draft:input("int64", "scalar") end
  for k, step in ipairs(steps) do
    terms[k] = ("(!ndimage::is_set(a + (%s)) || ndimage::unite<%s>(c, b, b + (%s)))"):format(away(step, first), word,
      away(step, first + ndim))
  end
  draft.gathers, draft.outputs = true, {}
  draft:step("united", "ndimage::is_set(a) && " .. table.concat(terms, " && "), "bool", values, "int64",
    lists and ("ndimage::united<%s>(a, b, c, d)"):format(word))
end

--- The distances of neighbours in mask and parents as loops read them.
local function listed(steps, ndim, strides)
  local list = {#steps}
  for _, step in ipairs(steps) do
    local in_mask, in_parents = 0, 0
    for axis, k in ipairs(step) do
      in_mask, in_parents = in_mask + k * strides[axis], in_parents + k * strides[ndim + axis]
    end
    list[#list + 1], list[#list + 2] = in_mask, in_parents
  end
  return list
end

local function draw_flag(draft, word)
  local parents, mask = draft:input(word, "address"), draft:input "bool"
  draft.gathers, draft.outputs = true, {}
  draft:give(draft:step("is_root", ("c && ((const %s *)a)[b] == %s(b)"):format(word, word), "bool",
    {parents, draft:position(), mask}, {"int64", "int64", "bool"}), "bool")
end

local function draw_number(draft, word, result)
  local parents, mask, numbers = draft:input(word, "address"), draft:input "bool", draft:input("int64", "address")
  draft.gathers, draft.outputs = true, {}
  local position = draft:position()
  local value = draft:step("number_of", ("c ? ndimage::number_of<%s, int64>(a, b, d) : 0"):format(word), "int64",
    {parents, position, mask, numbers}, {"int64", "int64", "bool", "int64"})
  draft:give(value, result)
end

local AXES = 5 -- whose strides, of two arrays, a program has room for

--- Numbers the connected elements of x other than 0, into `out`.
---@param word string the dtype of positions in x
---@return cuna.Array numbers the last of them is their count
function M.number(x, steps, word, out, name)
  local cn, ndim = args.namespace, x.ndim
  local mask = core.cast(x, "bool", name)
  mask = mask.flags.c_contiguous and mask or mask:copy()
  local widths, modes = {}, {}
  for axis = 1, ndim do widths[axis], modes[axis] = 1, "constant" end
  local around = border.around(mask, widths, widths, modes, 0)
  local parents = with.on(x, cn.arange, 0, x.size, 1, word):reshape(x.shape)
  local all, strides = core.view(parents, {}, {}, 0), {}
  for axis, stride in ipairs(around.strides) do strides[axis] = stride end
  for axis, stride in ipairs(parents.strides) do strides[ndim + axis] = stride end
  if #steps > 0 then
    local lists = core.is_host(x)
    local key = {word, tostring(lists)}
    for _, step in ipairs(steps) do key[#key + 1] = table.concat(step, ",") end
    local made = program.get(table.concat(key, " "), draw_unite, word, steps, ndim, lists)
    if lists then
      local list = core.as_array(listed(steps, ndim, strides), "int64", x.device, name)
      table.insert(strides, 1, core.view(list, {}, {}, 0))
    end
    core.map(made, name, x.shape, {}, around, parents, all, unpack(strides))
  end
  local roots = core.map(program.get(word, draw_flag, word), name, nil, nil, all, mask)
  local numbers = cn.cumsum(roots:reshape(-1), {dtype = "int64"})
  core.map(program.get(word .. out.dtype, draw_number, word, out.dtype), name, nil, out, all, mask,
    core.view(numbers, {}, {}, 0))
  return numbers
end

--- label.
function M.label(x, structure, output, name)
  x = given.image(x, name)
  if x.ndim > AXES then fail("%s: an image has at most %d axes, got shape %s", name, AXES, tostring(x.shape)) end
  local steps, count = connections(structure == nil and iterate.cross(x.ndim, 1) or structure, x.ndim, name), 0
  local made = given.output(output, x, x.shape, "int32", name, function(out)
    count = tonumber(M.number(x, steps, x.size < 2 ^ 31 and "uint32" or "uint64", out, name)[-1])
  end)
  return made, count
end

return M
