--- draw.lua: arrays of random numbers: programs made of a row that says what a distribution is.
--
-- An element is a function of a generator's key, the number of the draw and the element's place in row-major order
-- (kernels/random.cuh), so a draw is a program over the index, whose inputs are the parameters. It may be recorded, and
-- computed where its elements are used. Where the parameters are numbers and what is drawn lies in one piece, another
-- program, its filler, makes whole blocks with the same bits, four times as fast: a `sampler` makes several values of
-- one block. A part of a larger array has a `window`: for each axis that is cut, from the last one, the elements of its
-- positions in the part, those in the whole, and those before the part. Fields of a row:
--   name         of the method
--   parameters   in order: {name, default = number or nil, dtype = "int64" or nil (that of the result), demand = a row
--                of demand.lua, safe = {least =, most =} or nil: numbers of which `check` holds}; the value of one
--                without a default must be given
--   sampler      text of a sampler of kernels/random.cuh, such as "random::Normal<D>(loc, scale)"; or
--   expr         an expression that calls a function of `source`, as "random::gamma<R>(source, shape, scale)"
--                In both, D is the result's dtype, R its value's type, names of parameters stand for their values.
--   digits       whether a sampler makes as many digits as D has; others make half floats as float32, to be rounded
--   dtypes       that a result may have, by name, default: floats; dtype: the default one, where it is not the default
--                float
--   words        of 32 bits that a sampler takes for a value, where not as many as a value has: a number, or one for
--                each dtype that values are computed in
--   units        that a lane makes at once beside others [2, or 1 where there are `words`: these take many registers]
--   reports      whether the expression has a `mark` to report what is wrong (kernels/random_checked.cuh)
--   check        nil or fun(values, dtype): what is wrong with numbers beside each other, or nothing
--   relation     nil or fun(dtype): the same demand, as demand.relation makes them, of arrays
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local demand = require "cuna.random.demand"
local dtype_facts = require "cuna.base.dtype_facts"
local dtype_rules = require "cuna.base.dtype_rules"
local program = require "cuna.base.program"

local M = {}

local fail = check.fail
local LINE = 32 -- units beside each other: of kernels/random.cuh

-- Tiles of what is filled, by a lane that is a block alone and by lanes side by side: how many units they have, for how
-- many elements they stand in the launch, and how many tiles are one piece.
local ALONE = {units = 512, span_log2 = 11, count = 1}
local BESIDE = {{units = 1, span_log2 = 0, count = LINE}, {units = 2, span_log2 = 0, count = LINE}}

local FLOATS = {float16 = true, bfloat16 = true, float32 = true, float64 = true}
local VALUES = {float16 = "float32", bfloat16 = "float32"} -- dtypes that others are computed in

-- ---- programs ----

--- The dtype that a row makes values in, which are rounded to the result's.
local function made_dtype(row, dtype) return row.sampler and not row.digits and VALUES[dtype] or dtype end

--- The text of a row for parameters that have these letters.
local function spell(text, row, dtype, letters)
  local place = {}
  for k, parameter in ipairs(row.parameters) do place[parameter.name] = letters:sub(k, k) end
  if row.reports then place.mark = letters:sub(#row.parameters + 1, #row.parameters + 1) end
  place.D = dtype_facts.storage(made_dtype(row, dtype))
  place.R = ("value_of<%s>::type"):format(place.D)
  return (text:gsub("%f[%w_][%a_][%w_]*%f[^%w_]", place))
end

--- The dtype that a parameter is computed in.
function M.dtype_of(parameter, dtype) return parameter.dtype or VALUES[dtype] or dtype end
local dtype_of = M.dtype_of

--- The step that computes an element of a row: its expression of the position, the key, the number of the draw, then
--- the parameters, and the dtypes of these. `is_even`: the parameters are numbers, so that loops make whole blocks.
function M.describe(row, dtype, is_even)
  local dtypes, text = {"int64", "uint64", "uint64"}, spell(row.sampler or row.expr, row, dtype, "defgh")
  for k, parameter in ipairs(row.parameters) do dtypes[3 + k] = dtype_of(parameter, dtype) end
  if row.reports then dtypes[#dtypes + 1] = "int64" end
  if row.sampler then return ("random::%s(%s, a, b, c)"):format(is_even and "in_line" or "drawn", text), dtypes end
  return text:gsub("%f[%w]source%f[%W]", "random::Source(a, b, c)"), dtypes
end

--- The position in the whole of one in a part, by numbers of the inputs from `first` on.
local function add_place(draft, position, first, cuts)
  for i = 0, cuts - 1 do
    local cut = first + 3 * i
    position = draft:step("place", "a / b * c + d + a % b", "int64", {position, cut, cut + 1, cut + 2}, "int64")
  end
  return position
end

local function draw_mapped(draft, row, dtype, kinds, cuts)
  local expr, dtypes = M.describe(row, dtype, next(kinds) == nil and cuts == 0)
  local places, count = {nil, draft:input("uint64", "scalar"), draft:input("uint64", "scalar")}, #row.parameters
  for k = 1, count do places[3 + k] = draft:input(kinds[k] or dtypes[3 + k], not kinds[k] and "scalar") end
  if row.reports then places[4 + count] = draft:input("int64", "scalar") end
  local first = #draft.inputs + 1
  for _ = 1, 3 * cuts do draft:input("int64", "scalar") end
  places[1] = add_place(draft, draft:position(), first, cuts)
  draft.output, draft.gathers = dtype, row.reports
  draft:step(row.name, expr, made_dtype(row, dtype), places, dtypes)
end

local function draw_filled(draft, row, dtype, tile)
  local places, dtypes = {draft:input(dtype, "address")}, {"int64", "int64", "int64", "uint64", "uint64"}
  for k = 3, 5 do places[k] = draft:input(dtypes[k], "scalar") end
  for k, parameter in ipairs(row.parameters) do
    dtypes[5 + k] = dtype_of(parameter, dtype)
    places[5 + k] = draft:input(dtypes[5 + k], "scalar")
  end
  places[2] = draft:position()
  draft.outputs, draft.gathers, draft.span_log2 = {}, true, tile.span_log2
  draft:step(row.name, ("random::filled<%s, %d>(%s, a, b, c, d, e)"):format(dtype_facts.storage(dtype), tile.units,
    spell(row.sampler, row, dtype, "fgh")), "bool", places, dtypes)
end

local function add_filler(mapper, row, dtype, tile)
  local key = table.concat({row.name, row.sampler, dtype, tile.units}, "|")
  local computed = dtype_of({}, dtype)
  local words = type(row.words) == "table" and row.words[computed] or row.words or (computed == "float64" and 2 or 1)
  core.set_filler(mapper, tile ~= ALONE, program.get(key, draw_filled, row, dtype, tile),
    tile.count * tile.units * 4 / words, tile.count)
end

--- The fillers of a row: programs that make an array in one piece, tile by tile. Blocks of one lane make half floats as
--- what they are rounded from, in loops.
local function add_fillers(mapper, row, dtype)
  if made_dtype(row, dtype) == dtype then add_filler(mapper, row, dtype, ALONE) end
  add_filler(mapper, row, dtype, BESIDE[row.units or row.words and 1 or 2])
  return mapper
end

local mappers = {}

--- The program that computes one element after the other. `kinds` has a dtype for each parameter that is an array.
local function mapper_of(row, dtype, kinds, cuts)
  local key = table.concat({row.name, row.sampler or row.expr, dtype, cuts}, "|")
  for k = 1, #row.parameters do key = key .. "|" .. (kinds[k] or "") end
  local made = mappers[key]
  if made then return made end
  made = program.get(key, draw_mapped, row, dtype, kinds, cuts)
  mappers[key] = row.sampler and next(kinds) == nil and cuts == 0 and add_fillers(made, row, dtype) or made
  return made
end

local plain = setmetatable({}, {__mode = "k"}) -- by row, then by dtype

--- The program that computes whole arrays of a row by parameters that are numbers.
function M.plain_mapper(row, dtype)
  local own = program.branch(plain, row)
  local made = own[dtype] or mapper_of(row, dtype, {}, 0)
  own[dtype] = made
  return made
end

local function append(list, more)
  for _, value in ipairs(more) do list[#list + 1] = value end
end

-- ---- draws ----

--- Draws: into `out` where it is there, else into a new array of a shape, or of that which the values broadcast to.
---@param row table
---@param generator cuna.Generator
---@param values any[] arrays and numbers
---@param kinds table<integer, string> dtypes of the arrays
---@param shape integer[]|integer|nil
---@param device cuna.Device|nil where there are no arrays
---@param window integer[]|nil of a part of a larger array
---@return cuna.Array
---@return integer key of the generator
---@return integer number of the draw
function M.launch(row, generator, values, kinds, shape, dtype, out, device, window)
  local key, call = M.next_call(generator, row.name)
  if next(kinds) == nil and not (out or window or row.reports) then
    return core.make(M.plain_mapper(row, dtype), row.name, shape, device, key, call, unpack(values)), key, call
  end
  local mapper, all = mapper_of(row, dtype, kinds, window and #window / 3 or 0), {key, call, unpack(values)}
  if row.reports then all[#all + 1] = core.report_mark(device, row.name) end
  append(all, window or {})
  if out or next(kinds) ~= nil then return core.map(mapper, row.name, shape, out, unpack(all)), key, call end
  return core.make(mapper, row.name, shape, device, unpack(all)), key, call
end

--- The same without key and number.
function M.run(...) return (M.launch(...)) end

-- ---- arguments ----

--- Refuses a number that a parameter cannot be.
local function check_number(value, parameter, name)
  local number = check.real(value, name, parameter.name)
  if parameter.dtype == "int64" and not demand.whole.holds(number) then
    fail("%s: %s is a whole number, got %s", name, parameter.name, tostring(value))
  end
  local own = parameter.demand
  if own and not own.holds(number) then fail("%s: %s %s, got %.14g", name, parameter.name, own.words, number) end
  return value
end

local MOST_AXES = 32

--- Refuses numbers in nested tables.
local function check_leaves(list, parameter, name, depth)
  if depth > MOST_AXES then return end -- what makes an array of it says so
  for _, value in ipairs(list) do
    if type(value) == "table" then
      check_leaves(value, parameter, name, depth + 1)
    elseif not core.is_array(value) and type(value) ~= "boolean" and core.number_kind(value) then
      check_number(value, parameter, name)
    end
  end
end

--- A parameter: a number that is as it must be, or an array.
local function value_of(row, parameter, value, device)
  local name = row.name
  if value == nil then value = parameter.default end
  if value == nil then fail("%s: %s is missing", name, parameter.name) end
  if type(value) ~= "table" and not core.is_array(value) then
    return check_number(check.number(value, name, parameter.name), parameter, name)
  end
  if not core.is_array(value) then check_leaves(value, parameter, name, 1) end
  value = check.array(value, name, device)
  if value.dtype:find "^complex" then fail("%s: %s is real, got %s", name, parameter.name, value.dtype) end
  return value
end

--- Demands of arrays what a row says of their elements.
local function check_arrays(row, values, kinds, dtype)
  for k, parameter in ipairs(row.parameters) do
    if kinds[k] and parameter.dtype == "int64" then demand.check(values[k], demand.whole, row.name, parameter.name) end
    if kinds[k] and parameter.demand then demand.check(values[k], parameter.demand, row.name, parameter.name) end
  end
  if not row.relation then return end
  local names, shape = {}, {}
  for k, parameter in ipairs(row.parameters) do
    names[k] = parameter.name
    if kinds[k] then shape = check.broadcast(shape, values[k].shape) end
    if not shape then return end -- the draw refuses them
  end
  demand.check_relation(row.relation(dtype), values, kinds, names, shape, row.name)
end

--- The values of a row's parameters, dtypes of those that are arrays, and their device.
local function values_of(row, given, dtype)
  local values, kinds, device = {}, {}, check.device_of(given)
  for k, parameter in ipairs(row.parameters) do
    values[k] = value_of(row, parameter, given[k], device)
    if core.is_array(values[k]) then kinds[k], device = values[k].dtype, device or values[k].device end
  end
  if row.check and next(kinds) == nil then
    local problem = row.check(values, dtype)
    if problem then fail("%s: %s", row.name, problem) end
  elseif next(kinds) ~= nil then
    check_arrays(row, values, kinds, dtype)
  end
  return values, kinds, device
end

--- The dtype of a result, from those asked for and of `out`.
function M.result_dtype(row, dtype, out)
  local allowed, name = row.dtypes or FLOATS, row.name
  dtype = check.dtype(dtype, name)
  if out ~= nil then
    if not core.is_array(out) then fail("%s: out: expected an array, got %s", name, check.show(out)) end
    check.writable(out, name)
    if dtype and dtype ~= out.dtype then fail("%s: out has dtype %s, and dtype is %s", name, out.dtype, dtype) end
    dtype = out.dtype
  end
  dtype = dtype or row.dtype or dtype_rules.default_dtype()
  if not allowed[dtype] then
    fail("%s: draws are %s, not %s", name, args.names(allowed), dtype)
  end
  return dtype
end

--- The shape of a result: `size`, which out must have, or out's; nil where arrays decide it.
function M.result_shape(size, out, kinds, name)
  local shape = size ~= nil and check.lengths(size, name, "size") or nil
  check.output(out, nil, shape, nil, name)
  return shape or out and out.shape or next(kinds) == nil and {} or nil
end

--- Draws what was asked for.
---@param row table
---@param generator cuna.Generator
---@param given table<integer, any> values of the parameters
---@param window integer[]|nil of a part of a larger array
function M.draw(row, generator, given, size, dtype, out, window)
  dtype = M.result_dtype(row, dtype, out)
  local values, kinds, device = values_of(row, given, dtype)
  local shape = M.result_shape(size, out, kinds, row.name)
  device = device or out ~= nil and out.device or core.current_device()
  return M.run(row, generator, values, kinds, shape, dtype, out, device, window)
end

M.rows = {} -- by the names of methods

local ANY = {least = -math.huge, most = math.huge}

--- A method behind a front in C that draws where all parameters are numbers that need no test beside each other.
local function fronted(row, method)
  local parameters = {}
  for k, parameter in ipairs(row.parameters) do
    local range = parameter.safe or not row.check and (parameter.demand or ANY)
    if not range then return method end
    parameters[k] = {default = parameter.default, least = range.least, most = range.most,
      is_whole = parameter.dtype == "int64"}
  end
  if row.reports then return method end
  local function find(dtype) return M.plain_mapper(row, dtype) end
  return core.draw_front(row.name, method, find, row.dtype, parameters)
end

--- The method of a row: its parameters, then size, dtype and out.
function M.method(row)
  M.rows[row.name] = row
  local names, count = {"generator"}, #row.parameters
  for k, parameter in ipairs(row.parameters) do names[1 + k] = parameter.name end
  names[count + 2], names[count + 3], names[count + 4] = "size", "dtype", "out"
  local read = args.reader(row.name, names, 1)
  local function take(generator, ...)
    local given = {}
    for k = 1, count do given[k] = (select(k, ...)) end
    return M.draw(row, M.check_generator(generator, row.name), given, select(count + 1, ...))
  end
  return fronted(row, function(...) return take(read(...)) end)
end

return M
