--- Random programs of plain operators, at once and recorded: the same bits of everything that is read, on every device
-- that records.
local bits = require "spec.support.bits"
local cn = require "cuna"
local devices = require "spec.support.devices"
local recorder = require "spec.support.recorder"

local ALL = os.getenv "CUNA_SPEC_ALL" == "1"
local PROGRAMS, STATEMENTS = ALL and 300 or 12, 40
local ROW_PROGRAMS, ROW_STATEMENTS = ALL and 100 or 4, 16
local LOOP_PROGRAMS, LOOP_STATEMENTS, ROUNDS = ALL and 100 or 8, 2, 110 -- more than a record has room for

local state = 1
local function draw(n)
  state = state * 16807 % 2147483647
  return state % n + 1
end
local function pick(list) return list[draw(#list)] end

local SHAPES = {{6, 7}, {6, 7}, {6, 7}, {6, 1}, {7}, {}}
local DTYPES = {"float32", "float32", "float64", "float16", "int32", "uint8", "bool", "complex64"}
local UNARY = {"negative", "absolute", "square", "sqrt", "exp", "sign", "logical_not"}
local BINARY = {"add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "equal", "arctan2", "logical_or"}

local SCANS = {"cumsum", "cumprod"}
local FOLDS = {"sum", "mean", "max", "min", "var", "argmax", "count_nonzero"}

local function make(k, rows, columns)
  local x = (cn.arange(rows * columns):reshape(rows, columns) * (k * 0.37)):mod(5) - 2
  local shape = SHAPES[k % #SHAPES + 1]
  if #shape == 0 then x = x[{2, {3}}]:reshape(1):sum() * 1 end
  if #shape == 1 then x = x[3]:copy() end
  if shape[2] == 1 then x = x[{{}, {2}}]:copy() end
  return x:astype(DTYPES[k % #DTYPES + 1])
end

local function put(v, x) v[draw(#v)] = x end

--- Arrays of positions and numbers.
local NEW = {
  function(_, shape) return cn.zeros(shape, pick(DTYPES)) end,
  function(_, shape) return cn.full(shape, draw(5) - 2) end,
  function(_, shape) return cn.arange(shape[2] or shape[1]) end,
  function(_, shape) return cn.linspace(-1, draw(4), shape[2] or shape[1], {dtype = pick {"float32", "int32"}}) end,
  function(_, shape) return cn.eye(shape[1], shape[2]) end,
  function(v, shape) return v.generator:random(shape, {dtype = pick {"float32", "float64"}}) end,
  function(v, shape) return v.generator:normal(1, 2, shape, pick {"float32", "float64", "float16"}) end,
  function(v, shape) return v.generator:integers(-3, 100, shape, pick {"int8", "int64"}) end,
  function(v, shape) return v.generator:gamma(0.5, 2, shape) end,
}

--- Parts of arrays, of which some are most of them.
local PARTS = {"2:", ":-2", "2:-2", "::2", "3", ":-3, 2:-2", ":, 2:", "2:-2, 3:", "2:, 1"}

--- A value for a part, or nothing for one that the array has not.
local function part_of(v)
  local x, key = pick(v), pick(PARTS)
  if x.ndim == (key:find "," and 2 or 1) or (x.ndim == 2 and not key:find ",") then return x, key end
end

local function write_part(v)
  local x, key = part_of(v)
  if not x then return end
  local value = pick(v)
  if cn.is_array(x[key]) and x[key]:has_shape(unpack(value.shape)) or value.ndim == 0 then
    x[key] = cn[pick(UNARY)](value)
  else
    x[key] = cn[pick(UNARY)](x[key]) * draw(3)
  end
end

local function change_part(v)
  local x, key = part_of(v)
  if x then x[key]:add_(draw(4)) end
end

--- Numbers at an element, at positions, or where a mask is true: what the host does itself where it may.
local function write_few(v)
  local x = pick(v)
  if x.ndim == 0 then return end
  if draw(2) == 1 then put(v, cn.evaluate(x) * draw(3)) end
  local places = cn.array({draw(x.shape[1]), 1}, pick {"int64", "float64", "int32"})
  local element = x.ndim == 2 and {draw(x.shape[1]), draw(x.shape[2])} or draw(x.shape[1])
  x[pick {element, element, places, cn.logical_not(x)}] = draw(9)
end

--- Rows, or elements, at random positions.
local function take_places(v)
  local x = pick(v)
  if x.ndim > 0 then put(v, x[v.generator:integers(1, x.shape[1] + 1, x.shape[1])]) end
end

--- Two arrays one after the other, of which a part is kept.
local function join_two(v)
  local x, y = pick(v), pick(v)
  if draw(2) == 1 then x = cn[pick(UNARY)](x) end
  local joined = draw(2) == 1 and cn.stack({x, y * draw(3)}, draw(2)) or cn.concatenate({x, y * draw(3)}, draw(2))
  local part = draw(2) == 1 and joined[draw(2)] or joined[{{}, draw(2)}]
  put(v, cn.is_array(part) and part or joined)
end

--- A product with a matrix that is in memory.
local function multiply(v)
  local x = pick(v)
  if x.ndim == 2 then put(v, cn.matmul(v.square, x)) end
end

--- Products that are recorded where they have few tiles, with operations before, between and after them.
local function multiply_twice(v)
  local x, y = pick(v), pick(v)
  if x.ndim ~= 2 or x.shape[2] ~= v.wide.shape[1] or x.dtype:find "complex" then return end
  local product = cn.matmul(x:astype "float32", v.wide)
  if draw(2) == 1 then product = cn[pick(UNARY)](product):astype "float32" end
  if draw(2) == 1 then product = product - cn.matmul(x:astype "float32", v.wide * 2) end
  product = cn.matmul(product, v.wide.T)
  put(v, draw(2) == 1 and product or cn[pick(BINARY)](product, y))
end

local function make_new(v) put(v, pick(NEW)(v, pick(v.shapes))) end

--- A statement with arrays of a table: changes the table, or returns what it read as bytes.
local STATEMENT = {
  function(v) v[draw(#v)] = cn[pick(UNARY)](pick(v)) end,
  function(v) v[draw(#v)] = cn[pick(BINARY)](pick(v), pick(v)) end,
  function(v) v[draw(#v)] = cn[pick(BINARY)](pick(v), draw(5) - 2.5) end,
  function(v) v[#v + 1] = cn.where(pick(v), pick(v), pick(v)) end,
  function(v) v[draw(#v)] = pick(v):astype(pick(DTYPES)) end,
  function(v) v[draw(#v)] = cn.clip(pick(v), -1, 2) end,
  make_new,
  make_new,
  write_part,
  write_part,
  write_few,
  write_few,
  change_part,
  take_places,
  join_two,
  join_two,
  multiply,
  multiply_twice,
  multiply_twice,
  function(v) v[draw(#v)] = pick(v):copy() end,
  function(v) -- views
    local x = pick(v)
    if x.ndim == 2 and x.shape[1] == 6 then v[draw(#v)] = x["::-1"] end
  end,
  function(v) -- in place
    local x = pick(v)
    local y = x.dtype == "float32" and pick(v)
    if y and y.ndim == 0 and not y.dtype:find "complex" then x:add_(y:astype "float32") end
  end,
  function(v) pick(v):subtract_(pick(v)) end,
  function(v) pick(v):multiply_(draw(3)) end,
  function(v) cn.maximum(pick(v), pick(v), {out = pick(v)}) end,
  function(v)
    local x = pick(v)
    if x.ndim == 2 then x[{draw(6), cn.ellipsis}] = draw(9) end
  end,
  function(v) return pick(v):tobytes() end,
  function(v) return cn.sum(pick(v)):tobytes() end,
  function(v) put(v, cn[pick(FOLDS)](pick(v), {axis = draw(2), keepdims = draw(3) > 1})) end,
  function(v) put(v, cn[pick(SCANS)](pick(v), draw(2))) end,
  function(v) if #v > 8 then table.remove(v, draw(#v)):free() end end,
  function() collectgarbage() end,
  function() cn.synchronize() end,
  function(v) cn.evaluate(pick(v)) end,
}

--- Statements with rows, which kernels fold in stages if they are long and many.
local ROW = {
  function(v) put(v, cn[pick(FOLDS)](pick(v), {axis = 2, keepdims = true})) end,
  function(v) put(v, cn[pick(FOLDS)](pick(v), {axis = 2, keepdims = draw(2) == 1})) end,
  function(v) put(v, cn[pick(FOLDS)](pick(v), draw(2))) end,
  function(v) put(v, cn[pick(FOLDS)](pick(v))) end,
  function(v) put(v, cn[pick(SCANS)](pick(v), draw(2))) end,
  function(v) put(v, cn[pick(UNARY)](pick(v))) end,
  make_new,
  make_new,
  write_part,
  change_part,
  take_places,
  join_two,
  join_two,
  multiply,
  function(v) put(v, cn[pick(BINARY)](pick(v), pick(v))) end,
  function(v) put(v, cn[pick(BINARY)](pick(v), pick(v))) end,
  function(v) local x = pick(v) put(v, x - x:mean {axis = -1, keepdims = true}) end,
  function(v) local x = pick(v) put(v, cn.exp(-x) / cn.sum(cn.exp(-x), {axis = -1, keepdims = true})) end,
  function(v) put(v, pick(v)["::-1"]) end,
  function(v) pick(v):minimum_(pick(v)) end,
  function(v) local x = pick(v) x:add_(x) end,
  function(v) cn.evaluate(pick(v)) end,
}

--- Statements of a loop that reads nothing, and lets its arrays be.
local LOOP = {
  write_part,
  write_part,
  change_part,
  function(v) pick(v):multiply_(0.5 * draw(3)) end,
  function(v) local x = pick(v) x:add_(x) end,
  function(v) put(v, cn[pick(UNARY)](pick(v))) end,
  function(v) put(v, cn[pick(BINARY)](pick(v), pick(v))) end,
  function(v) put(v, pick(v) * pick(v):sum()) end,
}

--- Runs a program; returns what it read, or its errors, and what its arrays are in the end.
local function run(seed, statements, count, rows, columns, rounds)
  state = seed
  local v, seen = {shapes = {{rows, columns}, {columns}}, generator = cn.random.default_rng(seed)}, {}
  v.square = cn.evaluate(cn.eye(rows, rows, 0, "float32") * 0.5)
  v.wide = cn.evaluate((cn.arange(columns * 20, "float32"):reshape(columns, 20) * 0.61):mod(1) - 0.5)
  for k = 1, 6 do v[k] = make(k + seed % 7, rows, columns) end
  for _ = 1, rounds or 1 do
    state = seed
    for _ = 1, count do
      local ok, result = pcall(pick(statements), v)
      seen[#seen + 1] = not ok and tostring(result):gsub("^[^ ]* ", "") or result or nil
    end
  end
  for _, x in ipairs(v) do seen[#seen + 1] = x.dtype .. bits.to_hex(x:tobytes()) end
  return seen
end

describe("recorded programs give the bits of plain ones", function()
  recorder.each_device(function()
    --- All programs, once at once and once recorded, with their kernels compiled in units.
    local function rehearse(programs, ...)
      local arguments = {...}
      local function work()
        for program = 1, programs do run(program * 7919, unpack(arguments)) end
      end
      devices.prepare(work)
      cn.set_eager(false)
      devices.prepare(work)
      cn.set_eager(true)
    end

    local function compare(programs, ...)
      rehearse(programs, ...)
      for program = 1, programs do
        local seed = program * 7919
        local expected = run(seed, ...)
        cn.set_eager(false)
        local seen = run(seed, ...)
        cn.set_eager(true)
        assert.equal(#expected, #seen, program)
        for i, what in ipairs(expected) do
          assert.is_true(what == seen[i], ("program %d, %d: %.60s, %.60s"):format(program, i, what, seen[i]))
        end
      end
    end

    it("at random", function() compare(PROGRAMS, STATEMENT, STATEMENTS, 6, 7) end)

    it("that loop, at random", function() compare(LOOP_PROGRAMS, LOOP, LOOP_STATEMENTS, 6, 7, ROUNDS) end)

    it("that fold rows, at random", function() compare(ROW_PROGRAMS, ROW, ROW_STATEMENTS, 640, 130) end)
  end)
end)
