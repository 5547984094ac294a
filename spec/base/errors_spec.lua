-- What must not work: every call is one clear line at the user's line that names the operation, and changes nothing.
local cn = require "cuna"
local reducers = require "cuna.reducers"
local rows = require "cuna.ops"

local count = 0

--- Calls fn(...), which must fail in one line here that begins with `what` and matches the pattern.
local function refuses(what, pattern, fn, ...)
  local ok, message = pcall(fn, ...)
  count = count + 1
  assert(not ok, "succeeded: " .. what)
  assert(type(message) == "string", "not a string: " .. what)
  local said = message:match("^[^\n]*errors_spec.lua:%d+: cuna: ([^\n]*)$")
  assert(said, "not one line at the user's line: " .. message)
  assert(said:sub(1, #what) == what, ("'%s' does not begin with '%s'"):format(said, what))
  assert(said:find(pattern), ("'%s' does not match '%s'"):format(said, pattern))
end

local wrong = {
  { "nil", nil, "nil" }, { "a string", "3", "string" }, { "a function", print, "function" },
  { "a coroutine", coroutine.create(print), "thread" }, { "a boolean", true, "Lua boolean" },
  { "a table with a hole", { 1, nil, 3 }, "hole" }, { "a table with a key 0", { [0] = 1, 2, 3 }, "key 0" },
  { "a table of strings", { 1, "x" }, "position {2} is a string" }, { "a ragged table", { { 1, 2 }, { 3 } }, "ragged" },
  { "options", { axis = 1 }, "key 'axis'" }, { "a foreign userdata", io.stdout, "userdata" },
}

-- These answer for themselves: an open bound or no decimals is not an error.
local optional = { clip = { [2] = true, [3] = true }, round = { [2] = true } }

-- These are functions of their own, with arguments of their own.
local special = { angle = true, clip = true, round = true, real = true, imag = true, isclose = true, nan_to_num = true }

--- Arguments for a row, all of them good but the one at `position`.
local function arguments(row, position, value)
  local list = {}
  for k = 1, row.nargs do list[k] = 2 end
  list[position] = value
  return unpack(list, 1, row.nargs)
end

describe("operations", function()
  local x, before
  setup(function()
    x = cn.array { 1, 2, 3 }
    before = x:tobytes()
  end)
  after_each(function() assert.equal(before, x:tobytes()) end)

  for _, case in ipairs(wrong) do
    local name, value, pattern = case[1], case[2], case[3]
    it("refuse " .. name .. " for every argument", function()
      for _, row in ipairs(rows) do
        for position = 1, row.nargs do
          local is_value = row.name == "where" and position > 1 and value == true
          local is_open = value == nil and optional[row.name] and optional[row.name][position]
          local is_option = row.name == "clip" and name == "options"
          if not is_value and not is_open and not is_option then
            refuses(row.name .. ": ", pattern, function() return cn[row.name](arguments(row, position, value)) end)
          end
        end
      end
    end)

    it("refuse " .. name .. " in methods and in-place forms", function()
      for _, row in ipairs(rows) do
        if row.method and row.nargs == 2 then
          refuses(row.name .. ": ", pattern, function() return x[row.name](x, value) end)
          if row.inplace then refuses(row.name .. ": ", pattern, function() return x[row.name .. "_"](x, value) end) end
        end
      end
    end)
  end

  it("refuse surplus and missing arguments, options and outputs that are none", function()
    for _, row in ipairs(rows) do
      if not special[row.name] then
        local call = cn[row.name]
        local function given(...)
          local list = { arguments(row, 1, x) }
          for i = 1, select("#", ...) do list[row.nargs + i] = (select(i, ...)) end
          return call(unpack(list))
        end
        refuses(row.name .. ": ", "expected an array", function() return call() end)
        refuses(row.name .. ": ", "got string as argument", function() return given("surplus") end)
        refuses(row.name .. ": ", "unknown option 'axes'", function() return given { axes = 1 } end)
        refuses(row.name .. ": ", "unknown dtype 'flaot32'; did you mean 'float32'", function()
          return given { dtype = "flaot32" }
        end)
        refuses(row.name .. ": ", "a dtype is a string", function() return given { dtype = 32 } end)
        refuses(row.name .. ": ", "out: expected an array, got number", function() return given { out = 7 } end)
        refuses(row.name .. ": ", "out: expected an array, got string", function() return given { out = "y" } end)
      end
    end
  end)

  it("refuse shapes that do not broadcast, and outputs of other shapes", function()
    local y = cn.zeros { 2, 2 }
    for _, row in ipairs(rows) do
      if row.nargs == 2 and row.method and row.rule == "arithmetic" then
        refuses(row.name .. ": ", "shapes %(3,%) and %(2, 2%)", function() return cn[row.name](x, y) end)
        local out = #row.expr == 2 and { x, x:copy() } or x
        refuses(row.name .. ": ", "shape", function() return cn[row.name](y, y, { out = out }) end)
      end
    end
    refuses("add: ", "shape", function() return x:add_(y) end)
    refuses("add: ", "shape", function() return cn.ones(1):add_(x) end)
    refuses("add: ", "broadcast view", function() return cn.ones(1):broadcast_to { 3 }:add_(x) end)
  end)

  it("refuse dtypes that they have no loop for, and say which there are", function()
    local function try_all()
      for _, row in ipairs(rows) do
        for _, dtype in ipairs { "bool", "int32", "float32", "complex64" } do
          local ok, message = pcall(function() return cn[row.name](arguments(row, 1, cn.zeros(1, dtype))) end)
          if not ok then refuses(row.name .. ": ", "not defined for " .. dtype, error, message, 0) end
        end
      end
      error "rehearsed" -- so that no kernel is made for those that there are
    end
    assert.has.match("rehearsed$", (select(2, pcall(cn.prepare, try_all))))
    refuses("floor: ", "not defined for complex128; use one of bool", function() return cn.floor(cn.complex(1, 2)) end)
    refuses("subtract: ", "not defined for bool; use", function() return x:gt(1) - x:gt(2) end)
    refuses("add: ", "300 does not fit int8", function() return cn.zeros(3, "int8") + 300 end)
    refuses("sqrt: ", "float64 result cannot be written to int8", function() return cn.sqrt(x, cn.zeros(3, "int8")) end)
  end)
end)

describe("reductions", function()
  local x = cn.ones { 2, 3 }

  local function refuse_misuse(name)
    local call = cn[name]
    for _, case in ipairs(wrong) do
      if case[1] ~= "a boolean" then refuses(name .. ": ", "", function() return call((case[2])) end) end
    end
    for _, axis in ipairs { 0, 3, -3, 1.5, 0 / 0, "x", { 1, 1 }, { 1, 5 } } do
      refuses(name .. ": ", "ax[ie]s", function() return call(x, axis) end)
    end
    refuses(name .. ": ", "unknown option 'axes'; known are ", function() return call(x, { axes = 1 }) end)
    refuses(name .. ": ", "keepdims", function() return call(x, { keepdims = "yes" }) end)
    refuses(name .. ": ", "position", function() return call(x, 1, { axis = 1 }) end)
  end

  it("refuse invalid arrays, axes and options", function()
    for _, row in ipairs(reducers.rows) do
      if not row.of then refuse_misuse(row.name) end
    end
  end)
end)

describe("creation and shapes", function()
  it("refuse sizes that are none or overflow", function()
    for _, name in ipairs { "zeros", "ones", "empty" } do
      local make = cn[name]
      for _, case in ipairs {
        { -1, "negative length" }, { { 2, -3 }, "negative length on axis 2" }, { 1.5, "integer" }, { 0 / 0, "integer" },
        { 1 / 0, "integer" }, { 2 ^ 70, "integer" }, { 2 ^ 62, "more bytes" },
        { { 2 ^ 40, 2 ^ 40 }, "too many elements" }, { { 1e10, 1e10, 0.5 }, "length 3 of the shape" },
        { { 1, nil, 2 }, "no entry 2" }, { { 1, "2" }, "length 2 of the shape" },
        { "3", "shape" }, { nil, "shape" }, { true, "shape" }, { print, "shape" }, { { { 1 } }, "length 1" },
      } do
        refuses(name .. ": ", case[2], function() return make(case[1]) end)
      end
      refuses(name .. ": ", "at most 32 axes, got 33", function() return make(cn.ones(33):totable()) end)
      refuses(name .. ": ", "unknown dtype 'float'", function() return make(3, "float") end)
      refuses(name .. ": ", "unknown option 'dtyp'", function() return make(3, { dtyp = "int8" }) end)
      refuses("OutOfMemoryError: ", "cannot allocate", function() return make(2 ^ 55) end)
    end
  end)

  it("refuse data that is none, and name the place", function()
    for _, name in ipairs { "array", "asarray" } do
      for _, case in ipairs(wrong) do
        if case[1] ~= "a boolean" then refuses(name .. ": ", "", function() return cn[name]((case[2])) end) end
      end
      refuses(name .. ": ", "position {2, 1}", function() return cn[name] { { 1 }, { print } } end)
      refuses(name .. ": ", "unknown dtype", function() return cn[name]({ 1 }, "foo") end)
      refuses(name .. ": ", "does not fit int8", function() return cn[name]({ 1, 200 }, "int8") end)
      local cyclic = {}
      cyclic[1] = cyclic
      refuses(name .. ": ", "deeper", function() return cn[name](cyclic) end)
    end
  end)

  it("refuse shapes and axes that do not fit", function()
    local x = cn.arange(6):reshape(2, 3)
    for _, case in ipairs {
      { "reshape: ", "size 6", function() return x:reshape(4) end },
      { "reshape: ", "only one", function() return x:reshape(-1, -1) end },
      { "reshape: ", "negative", function() return x:reshape(-2, -3) end },
      { "reshape: ", "", function() return x:reshape "6" end },
      { "transpose: ", "named twice", function() return x:transpose(1, 1) end },
      { "transpose: ", "1 axes", function() return x:transpose(1) end },
      { "transpose: ", "axis 3", function() return x:transpose(1, 3) end },
      { "squeeze: ", "length 2", function() return x:squeeze(1) end },
      { "expand_dims: ", "axis 9", function() return x:expand_dims(9) end },
      { "flip: ", "axis 0", function() return cn.flip(x, 0) end },
      { "broadcast_to: ", "%(7,%)", function() return cn.broadcast_to(x, 7) end },
      { "concatenate: ", "axes", function() return cn.concatenate { x, cn.zeros(3) } end },
      { "stack: ", "shape", function() return cn.stack { x, cn.zeros(3) } end },
      { "astype: ", "unknown dtype", function() return x:astype "foo" end },
      { "astype: ", "a dtype is a string", function() return x:astype(3) end },
      { "array: ", "several numbers come in one table: cn.array {1, 2, ...}", function() return cn.array(1, 2, 3) end },
      { "item: ", "6 elements", function() return x:item() end },
      { "fill: ", "got string", function() return x:fill "a" end },
      { "scope: ", "expected a function", function() return cn.scope(3) end },
      { "prepare: ", "expected a function", function() return cn.prepare {} end },
      { "there is no device 'tpu'", "cpu", function() return cn.device "tpu" end },
    } do
      refuses(case[1], case[2], case[3])
    end
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, x:totable())
  end)
end)

describe("indexing", function()
  it("refuses invalid positions, in reading and writing", function()
    local x = cn.arange(6):reshape(2, 3)
    for _, case in ipairs {
      { 0, "count from 1" }, { 3, "out of range" }, { -3, "out of range" }, { 1.5, "integer" }, { 0 / 0, "integer" },
      { true, "Lua boolean" }, { { 3 }, "out of range" }, { { 1, 2, 3 }, "too many" }, { { 1, 0 }, "count from 1" },
      { { 1, 4 }, "axis 2" }, { { {1, 2, 0}, 1 }, "step 0" }, { { 1, true }, "boolean" }, { { 1, "2" }, "" },
      { { 1, print }, "" }, { "1, 9", "out of range" }, { "1, :, :", "" }, { "1::0, :", "step" }, { "1, %", "" },
      { { [0] = 1, 2 }, "" }, { { 1, nil, 3 }, "" }, { print, "" }, { { { 1, 2, 1, 1 }, 1 }, "" },
    } do
      refuses("", case[2], function() return x[case[1]] end)
      refuses("", case[2], function() x[case[1]] = 7 end)
    end
    refuses("", "nil is not an index", function() return x[nil] end)
    refuses("", "no field or method 'shap'; did you mean 'shape'", function() return x.shap end)
    refuses("", "'shape'", function() x.shape = { 6 } end)
    refuses("", "broadcast", function() x[1] = { 1, 2 } end)
    refuses("", "expected", function() x[1] = "a" end)
    refuses("", "not a function", function() return x() end)
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, x:totable())
  end)
end)

it("more than 600 misuses were refused, and the process lives", function()
  assert.is_true(count >= 600, count)
  assert.equal(6, cn.array({ 1, 2, 3 }):sum():item())
end)
