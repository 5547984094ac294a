--- Printed arrays are NumPy's, character by character: the golden cases, then what NumPy cannot tell.

local ffi = require "ffi"

local cn = require "cuna"
local core = require "cuna.core"
local each_device = require("spec.support.devices").each_device
local format = require "cuna.io.format"
local cases = dofile("spec/golden/format.lua")

ffi.cdef [[
long long strtoll(const char *text, char **rest, int base);
unsigned long long strtoull(const char *text, char **rest, int base);
]]

local READERS = {
  bool = function(text) return text ~= "0" end,
  int64 = function(text) return ffi.C.strtoll(text, nil, 10) end,
  uint64 = function(text) return ffi.C.strtoull(text, nil, 10) end,
}

local function read_number(text)
  if text == "nan" then return 0 / 0 end
  if text == "inf" then return math.huge end
  if text == "-inf" then return -math.huge end
  return tonumber(text)
end

-- The elements of a case, in row-major order.
local function elements(case, size)
  local values, read = {}, READERS[case.dtype] or read_number
  if case.ramp then
    for i = 1, size do values[i] = read(tostring(case.ramp[1] + case.ramp[2] * (i - 1))) end
  else
    for text in case.data:gmatch("%S+") do values[#values + 1] = read(text) end
  end
  if not case.dtype:find("^complex") then return values end
  local numbers = {}
  for i = 1, size do
    numbers[i] = case.ramp and ffi.new("complex", values[i], 0) or ffi.new("complex", values[2 * i - 1], values[2 * i])
  end
  return numbers
end

-- Positions of an axis that a summary shows, from 0.
local function kept(extent, edge)
  local positions = {}
  for position = 0, extent - 1 do
    if not edge or extent <= 2 * edge or position < edge or position >= extent - edge then
      positions[#positions + 1] = position
    end
  end
  return positions
end

local function gather(values, shape, edge, axis, index, taken)
  if axis > #shape then
    taken[#taken + 1] = values[index + 1]
    return taken
  end
  for _, position in ipairs(kept(shape[axis], edge)) do
    gather(values, shape, edge, axis + 1, index * shape[axis] + position, taken)
  end
  return taken
end

local function view_of(case)
  local view = { dtype = case.dtype, shape = case.shape, ndim = #case.shape, size = 1, calls = 0 }
  for _, extent in ipairs(case.shape) do view.size = view.size * extent end
  local values = elements(case, view.size)
  function view.corner(self, edge)
    local shape = {}
    for axis, extent in ipairs(case.shape) do shape[axis] = #kept(extent, edge) end
    self.calls, self.edge = self.calls + 1, edge
    return gather(values, case.shape, edge, 1, 0, {}), shape
  end
  return view
end

local function check(case)
  format.printoptions(case.options or {}, function()
    local view = view_of(case)
    assert.equal(case.str, format.str(view))
    assert.is_true(view.calls <= 1)
    if case.repr then assert.equal(case.repr, format.repr(view)) end
    if case.arguments then assert.equal(case.array2string, format.array2string(view, case.arguments)) end
  end)
end

-- The case as an array, and as a view with a stride, so that only what is shown is fetched through views.
local function arrays_of(case)
  local size = 1
  for _, extent in ipairs(case.shape) do size = size * extent end
  if size == 0 then return { cn.empty(case.shape, case.dtype) } end
  local x = cn.array(elements(case, size), case.dtype)
  local spread = cn.zeros({ size, 2 }, case.dtype)
  spread[":, 2"] = x
  local array = x:reshape(case.shape)
  if #case.shape ~= 1 then return { array } end
  return { array, spread[":, 2"] }
end

local function check_array(case)
  for _, x in ipairs(arrays_of(case)) do
    cn.printoptions(case.options or {}, function()
      assert.equal(case.str, tostring(x))
      if case.repr then assert.equal(case.repr, cn.array_repr(x)) end
      if case.arguments then assert.equal(case.array2string, cn.array2string(x, case.arguments)) end
    end)
  end
end

local function floats(...)
  return view_of({ dtype = "float64", shape = { select("#", ...) }, data = table.concat({ ... }, " ") })
end

describe("printing arrays", function()
  each_device(function()
    it("gives the golden texts", function()
      for number, case in ipairs(cases) do
        local ok, message = pcall(check_array, case)
        if not ok then error(("case %d: %s"):format(number, tostring(message)), 0) end
      end
    end)
  end)
end)

describe("printing as NumPy", function()
  for number, case in ipairs(cases) do
    it(("%d: %s (%s)"):format(number, case.dtype, table.concat(case.shape, ", ")), function() check(case) end)
  end

  it("takes integers as Lua numbers too", function()
    local view = view_of({ dtype = "int64", shape = { 2 }, data = "1 -20" })
    view.corner = function() return { 2 ^ 53, -20 }, { 2 } end
    assert.equal("[9007199254740992              -20]", format.str(view))
  end)

  it("fetches only the edges of a large array", function()
    local view = view_of({ dtype = "float64", shape = { 2, 1000 }, ramp = { 0, 1 } })
    format.str(view)
    assert.equal(3, view.edge)
    format.array2string(view, { edgeitems = 2 })
    assert.equal(2, view.edge)
    format.array2string(view, { threshold = 2000 })
    assert.is_nil(view.edge)
  end)

  it("prints a thousand elements quickly", function()
    local view = view_of({ dtype = "float64", shape = { 1000 }, ramp = { 0.1, 0.7 } })
    local started = os.clock()
    for _ = 1, 3 do format.str(view) end
    assert.is_true(os.clock() - started < 3 * 0.05)
  end)
end)

describe("digits", function()
  local digits = require "cuna.io.print_digits"

  it("rounds to narrower floats, halves to even", function()
    assert.equal(2048, digits.round(2049, "float16"))
    assert.equal(2052, digits.round(2051, "float16"))
    assert.equal(math.huge, digits.round(65520, "float16"))
    assert.equal(65504, digits.round(65519.99, "float16"))
    assert.equal(-2 ^ -24, digits.round(-2 ^ -25 * 1.5, "float16"))
    assert.equal(0, digits.round(2 ^ -25, "float16"))
    assert.equal(0.10009765625, digits.round(0.1, "bfloat16"))
    assert.equal(tonumber(ffi.new("float", 0.1)), digits.round(0.1, "float32"))
    assert.equal(-math.huge, digits.round(-3.4028236e38, "float32"))
    assert.equal(0.1, digits.round(0.1, "float64"))
  end)

  it("finds digits that read back, and no shorter ones do", function()
    local word = ffi.new("union { uint32_t bits; float value; }")
    for bits = 1, 0x7f7f, 37 do
      word.bits = bits * 65536
      local value = word.value
      local text, exponent = core.shortest_digits(value, "bfloat16")
      assert.equal(value, digits.round(tonumber(text .. "e" .. exponent - #text + 1), "bfloat16"))
      local shorter = ("%%.%de"):format(#text - 2)
      if #text > 1 then assert.is_true(digits.round(tonumber(shorter:format(value)), "bfloat16") ~= value) end
    end
  end)
end)

describe("print options", function()
  local saved = format.get_printoptions()
  after_each(function() format.set_printoptions(saved) end)

  it("are NumPy's at the start", function()
    assert.same({ edgeitems = 3, floatmode = "maxprec", infstr = "inf", linewidth = 75, nanstr = "nan", precision = 8,
      sign = "-", suppress = false, threshold = 1000 }, format.get_printoptions())
  end)

  it("hold until they are set again", function()
    format.set_printoptions { precision = 2 }
    assert.equal("[0.33]", format.str(floats(1 / 3)))
    assert.equal("[0.3333]", format.array2string(floats(1 / 3), { precision = 4 }))
    format.get_printoptions().precision = 5
    assert.equal(2, format.get_printoptions().precision)
  end)

  it("are restored after a block", function()
    local function body(...)
      assert.equal(1, format.get_printoptions().precision)
      format.set_printoptions { precision = 0 }
      return select("#", ...), ...
    end
    assert.same({ 3, nil, 7, nil }, { format.printoptions({ precision = 1 }, body, nil, 7, nil) })
    assert.equal(8, format.get_printoptions().precision)
  end)

  it("are restored after an error", function()
    local thrown = {}
    local ok, message = pcall(format.printoptions, { precision = 1 }, function() error(thrown) end)
    assert.is_false(ok)
    assert.equal(thrown, message)
    assert.equal(8, format.get_printoptions().precision)
  end)

  it("leave with a block that yields, and come back with it", function()
    local seen = {}
    local thread = coroutine.wrap(function()
      format.printoptions({ precision = 1 }, function()
        coroutine.yield()
        seen[1] = format.get_printoptions().precision
      end)
      seen[2] = format.get_printoptions().precision
    end)
    thread()
    assert.equal(8, format.get_printoptions().precision)
    format.set_printoptions { precision = 6 }
    thread()
    assert.same({ 1, 6 }, seen)
  end)

  local function refuses(pattern, fn, ...)
    local ok, message = pcall(fn, ...)
    assert.is_false(ok)
    assert.truthy(message:find(pattern, 1, true), message)
  end

  it("refuse wrong names and values", function()
    local set = format.set_printoptions
    refuses("set_printoptions: unknown option 'precison'; known: edgeitems, floatmode, infstr", set, { precison = 3 })
    refuses("option precision must be an integer >= 0, got 1.5", set, { precision = 1.5 })
    refuses("option precision must be an integer >= 0, got '3'", set, { precision = "3" })
    refuses("option edgeitems must be an integer >= 0, got -1", set, { edgeitems = -1 })
    refuses("option threshold must be a number", set, { threshold = 0 / 0 })
    refuses("option suppress must be a boolean, got 1", set, { suppress = 1 })
    refuses("option sign must be '-', '+' or ' ', got true", set, { sign = true })
    refuses("option floatmode must be 'fixed', 'unique'", set, { floatmode = "exact" })
    refuses("option nanstr must be a string", set, { nanstr = 0 })
    refuses("a table of options is missing", set)
    refuses("options must be a table, got 3", set, 3)
    refuses("printoptions: a function to run is missing", format.printoptions, { precision = 3 })
    local x = floats(1)
    refuses("array2string: unknown option 'linewidth'; known: edgeitems", format.array2string, x, { linewidth = 3 })
    refuses("array_repr: unknown option 'sign'", format.repr, x, { sign = "+" })
    assert.same(saved, format.get_printoptions())
  end)
end)
