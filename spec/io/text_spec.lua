-- loadtxt and savetxt: NumPy's rules, every option, and one clear line for each thing that may be wrong with a file.
local cn = require "cuna"
local devices = require "spec.support.devices"

local path

local function write(text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function read()
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function load(text, options)
  return cn.loadtxt({ text = text }, options)
end

local function message_of(...)
  local ok, message = pcall(...)
  assert(not ok, "expected an error")
  return message
end

--- Asserts that loading raises one line that ends in `expected`.
local function refuses(expected, text, options)
  local message = message_of(load, text, options)
  assert.equal(expected, message:sub(-#expected))
  assert.is_nil(message:find("\n", 1, true))
end

before_each(function() path = os.tmpname() end)
after_each(function() os.remove(path) end)

devices.each_device(function()
  describe("loadtxt", function()
    it("reads rows of numbers between blanks", function()
      local x = load "1 2.5\t-3e2\n  4 +5 .5  \n"
      assert.array_equal(x, { { 1, 2.5, -300 }, { 4, 5, 0.5 } })
      assert.equal("float64", x.dtype)
    end)

    it("reads files", function()
      write "1,2\n3,4\n"
      assert.array_equal(cn.loadtxt(path, { delimiter = "," }), { { 1, 2 }, { 3, 4 } })
    end)

    it("drops axes of length 1 as NumPy does, down to ndmin", function()
      assert.has_shape(load "1 2 3", 3)
      assert.has_shape(load "1\n2\n3\n", 3)
      assert.has_shape(load "7")
      assert.has_shape(load("7", { ndmin = 1 }), 1)
      assert.has_shape(load("1 2 3", { ndmin = 2 }), 1, 3)
      assert.has_shape(load("1\n2", { ndmin = 2 }), 2, 1)
      assert.has_shape(load "", 0)
      assert.has_shape(load("# nothing\n\n", { ndmin = 2 }), 0, 1)
    end)

    it("takes any line end, no last one, a byte order mark, blank lines and comments", function()
      local expected = { { 1, 2 }, { 3, 4 } }
      assert.array_equal(load "1 2\r\n3 4\r\n", expected)
      assert.array_equal(load "1 2\r3 4", expected)
      assert.array_equal(load "\239\187\1911 2\n3 4", expected)
      assert.array_equal(load "# head\n\n1 2 # one\n   \n \t# two\n3 4", expected)
      assert.array_equal(load("% a\n1 2 // b\n3 4", { comments = { "%", "//" } }), expected)
    end)

    it("rounds every decimal to the nearest double", function()
      local texts = { "0.1", "1e23", "9007199254740993", "8.442911973260991817129021e-309",
        "123456789012345678901234567890", "2.2250738585072011e-308",
        "5e-324", "1.7976931348623157e308", "1e400", "-0.0", "1e-400", "6.02214076e23",
        "179769313486231580793728971405301199e272", "0.000000000000000000000000000000000000000123" }
      local x = load(table.concat(texts, "\n"))
      for i, text in ipairs(texts) do assert.equal(tonumber(text), x[i], text) end
      assert.equal(-math.huge, 1 / load("-0\n1")[1])
    end)

    it("reads inf and nan in any case", function()
      local x = load "inf -Inf +infinity nan -NaN"
      assert.array_equal(x, { math.huge, -math.huge, math.huge, 0 / 0, 0 / 0 })
    end)

    it("reads integers exactly", function()
      local x = load("9223372036854775807 -9223372036854775808", { dtype = "int64" })
      assert.array_equal(x, { 9223372036854775807LL, -9223372036854775807LL - 1 })
      assert.array_equal(load("18446744073709551615 0", "uint64"), { 18446744073709551615ULL, 0 })
      assert.array_equal(load("1.0 -0 2e2", { dtype = "int16" }), { 1, 0, 200 })
    end)

    it("reads bools and complex numbers", function()
      assert.array_equal(load("0 1 true False", { dtype = "bool" }), { false, true, true, false })
      local z = load("1+2j (3-4j) 5j 6 -1e2-1e-1i", { dtype = "complex128" })
      assert.array_equal(z, { cn.complex(1, 2), cn.complex(3, -4), cn.complex(0, 5), 6, cn.complex(-100, -0.1) })
    end)

    it("skips rows, stops at max_rows and picks columns", function()
      local text = "x\ny\n1,2,3\n\n4,5,6\n7,8,9\n"
      local options = { delimiter = ",", skiprows = 2, max_rows = 2 }
      assert.array_equal(load(text, options), { { 1, 2, 3 }, { 4, 5, 6 } })
      options.usecols = { -1, 1 }
      assert.array_equal(load(text, options), { { 3, 1 }, { 6, 4 } })
      options.usecols = 2
      assert.array_equal(load(text, options), { 2, 5 })
      assert.array_equal(load("1 2 a\n3 4", { usecols = { 1, 2 } }), { { 1, 2 }, { 3, 4 } })
      assert.array_equal(load("1 2 3\n4 5", { usecols = { -1, 1 } }), { { 3, 1 }, { 5, 4 } })
    end)

    it("gives missing fields a value", function()
      local x = load("1,,NA\nna, ,N/A", { delimiter = ",", missing = -1 })
      assert.array_equal(x, { { 1, -1, -1 }, { -1, -1, -1 } })
      assert.array_equal(load("1,\n,2", { delimiter = ",", missing = 0 / 0 }), { { 1, 0 / 0 }, { 0 / 0, 2 } })
    end)

    it("translates fields by tables and functions", function()
      local kinds = { setosa = 0, ["virginica"] = 2 }
      local text = "5.1, setosa\n6.3,\"virginica\"\n"
      assert.array_equal(load(text, { delimiter = ",", converters = { [2] = kinds } }), { { 5.1, 0 }, { 6.3, 2 } })
      assert.array_equal(load(text, { delimiter = ",", converters = { [-1] = kinds } }), { { 5.1, 0 }, { 6.3, 2 } })
      local lengths = load(text, { delimiter = ",", usecols = 2, converters = { [2] = function(s) return #s end } })
      assert.array_equal(lengths, { 6, 9 })
      assert.array_equal(load("a b", { converters = string.byte }), { 97, 98 })
      local x = load("a,NA\n,b", { delimiter = ",", missing = 9, converters = { { a = 1 }, { b = 2 } } })
      assert.array_equal(x, { { 1, 9 }, { 9, 2 } })
    end)

    it("lets a converter load another text", function()
      local function inner(s) return load(s .. " 1")[1] end
      assert.array_equal(load("1 2", { converters = inner }), { 1, 2 })
    end)

    it("understands quotes", function()
      local x, names = load('"a ""b"", c",d\n"1",2\n', { delimiter = ",", names = true })
      assert.same({ 'a "b", c', "d" }, names)
      assert.array_equal(x, { 1, 2 })
      local function length(s) return #s end
      assert.array_equal(load('"two\nlines";""\n1;2', { delimiter = ";", converters = length }), { { 9, 0 }, { 1, 1 } })
      refuses("text line 3, column 2: 'x' is not a number (converters = {[2] = ...} can translate it)",
        '"1\n2",3\n5,x', { delimiter = ",", usecols = 2 })
    end)

    it("gives the names of the columns used", function()
      local text = "# c\nsepal length, width , class\n1,2,3\n"
      local x, names = load(text, { delimiter = ",", names = true, usecols = { 3, 1 } })
      assert.same({ "class", "sepal length" }, names)
      assert.array_equal(x, { 3, 1 })
      assert.same({ "1990", "1991" }, select(2, load("1990 1991\n1 2", { names = true })))
      assert.same({ "a", "b" }, select(2, load("a b", { names = true })))
    end)

    it("finds the names in a comment above the numbers, where savetxt writes them", function()
      cn.savetxt(path, { { 1, 2 }, { 3, 4 } }, { delimiter = ",", header = "a,b" })
      local x, names = cn.loadtxt(path, { delimiter = ",", names = true })
      assert.same({ "a", "b" }, names)
      assert.array_equal(x, { { 1, 2 }, { 3, 4 } })
    end)

    it("gives one array per column", function()
      local a, b, names = load("a b\n1 2\n3 4", { unpack = true, names = true })
      assert.array_equal(a, { 1, 3 })
      assert.array_equal(b, { 2, 4 })
      assert.same({ "a", "b" }, names)
      assert.has_shape(load("5 6", { unpack = true }), 1)
    end)
  end)

  describe("savetxt", function()
    it("writes what NumPy writes", function()
      cn.savetxt(path, { 1, -0.5 })
      assert.equal("1.000000000000000000e+00\n-5.000000000000000000e-01\n", read())
      cn.savetxt(path, { { 1, 2 } }, { fmt = "%.2f", delimiter = ",", header = "a\nb", footer = "c", newline = "\r\n" })
      assert.equal("# a\n# b\r\n1.00,2.00\r\n# c\r\n", read())
      cn.savetxt(path, { { 1, 2 }, { 3, 4 } }, "%d")
      assert.equal("1 2\n3 4\n", read())
      cn.savetxt(path, { { 1, 2 } }, { "%d", "%.1f" }, { delimiter = ";" })
      assert.equal("1;2.0\n", read())
      cn.savetxt(path, { { 1, 2 } }, { fmt = "%d%% and %5.1f", delimiter = ";" })
      assert.equal("1% and   2.0\n", read())
      cn.savetxt(path, { true, false })
      assert.equal("1.000000000000000000e+00\n0.000000000000000000e+00\n", read())
      cn.savetxt(path, { 0.1, 2, 1e16, 1e-5, 0 / 0, -math.huge, 123456.789 }, "%s")
      assert.equal("0.1\n2.0\n1e+16\n1e-05\nnan\n-inf\n123456.789\n", read())
      cn.savetxt(path, { 0 / 0, -(0 / 0) }, "%5.1f")
      assert.equal("  nan\n  nan\n", read())
    end)

    it("writes integers exactly and complex numbers as (a+bj)", function()
      cn.savetxt(path, cn.array({ 18446744073709551615ULL, 7 }, "uint64"), "%d")
      assert.equal("18446744073709551615\n7\n", read())
      cn.savetxt(path, cn.array { cn.complex(1, -2), cn.complex(0, 3) }, "%g")
      assert.equal(" (1-2j)\n (0+3j)\n", read())
    end)

    it("writes text that reads back bit by bit", function()
      for _, dtype in ipairs { "float64", "float32", "complex128" } do
        for _, fmt in ipairs { "%.18e", "%s" } do
          local x = cn.array({ { 1 / 3, 1e-300 }, { 0.1, 2 ^ 53 } }, dtype)
          cn.savetxt(path, x, { fmt = fmt })
          assert.array_equal(cn.loadtxt(path, dtype), x)
        end
      end
    end)
  end)
end)

describe("loadtxt refuses", function()
  it("files that it cannot read", function()
    local message = message_of(cn.loadtxt, "no/such.csv")
    assert.truthy(message:find("cuna: loadtxt: cannot open 'no/such.csv': No such file or directory", 1, true))
    assert.truthy(message_of(cn.loadtxt, "spec"):find("loadtxt: cannot read 'spec': Is a directory", 1, true))
  end)

  it("bad lines, with file, line and column", function()
    write "# c\n1,2,3\n\n4,5\n"
    local place = "loadtxt: " .. path .. " line 4: 2 fields where the lines before have 3"
    assert.equal(place, message_of(cn.loadtxt, path, { delimiter = "," }):sub(-#place))
    refuses("loadtxt: text line 2, column 2: 'abc' is not a number (converters = {[2] = ...} can translate it)",
      "1 2\n3 abc")
    refuses("text line 1, column 1: '1,2' is not a number (delimiter = ',' splits at commas)", "1,2")
    refuses("text line 1, column 2: the field is empty (missing = ... gives it a value)", "1,,3", { delimiter = "," })
    refuses("text line 1, column 2: 'NA' is not a number (missing = ... gives it a value)", "1 NA")
    refuses("text line 2: 1 field where the lines before have 2", "a,b\n1", { delimiter = ",", names = true })
    refuses("text line 2: a NUL byte (is this binary data, or UTF-16?)", "1\n2\0")
    refuses('text line 2, column 2: the quote is never closed', '1,2\n3,"4', { delimiter = "," })
    refuses('text line 1, column 1: text after the closing quote', '"1"2,3', { delimiter = "," })
    for _, text in ipairs { "0x10", "1e", "1d5", "--1", "1_000", ".", "+", "1e+", "infin", "1,5" } do
      assert.truthy(message_of(load, text, { delimiter = ";" }):find("is not a number", 1, true), text)
    end
  end)

  it("values that the dtype does not hold", function()
    refuses("text line 1, column 2: '300' does not fit uint8", "1 300", "uint8")
    refuses("text line 1, column 1: '-1' does not fit uint64", "-1", "uint64")
    refuses("text line 1, column 1: '1.5' is not an integer, but dtype is int32", "1.5", "int32")
    refuses("text line 1, column 1: 'nan' is not an integer, but dtype is int32", "nan", "int32")
    refuses("text line 1, column 1: '9223372036854775808' does not fit int64", "9223372036854775808", "int64")
    refuses("text line 1, column 1: '2' is not a bool (0, 1, true or false)", "2", "bool")
    refuses("loadtxt: missing: this number does not fit int32", "1", { dtype = "int32", missing = 0 / 0 })
  end)

  it("columns that are not there", function()
    refuses("loadtxt: text line 1: usecols names column 3, but the line has 2", "1 2", { usecols = { 1, 3 } })
    refuses("loadtxt: text line 2: usecols names column -2, but the line has 1", "1 2\n3", { usecols = -2 })
    refuses("loadtxt: text line 1: converters names column 5, but the line has 2", "1 2", { converters = { [5] = {} } })
    refuses("loadtxt: usecols: there is no column 0; columns count from 1", "1", { usecols = { 0 } })
    refuses("loadtxt: converters: there is no column 0; columns count from 1", "1", { converters = { [0] = {} } })
  end)

  it("what converters cannot translate, and passes their errors on", function()
    refuses("text line 2, column 1: converters has no number for 'b'", "a\nb", { converters = { { a = 1 } } })
    refuses("text line 1, column 1: the converter returned a nil for 'a', expected a number", "a",
      { converters = { function() end } })
    refuses("text line 3, column 1: no c", "a\na\nc",
      { converters = function(s) return s == "a" and 1 or error("no " .. s, 0) end })
    refuses("text line 1, column 1: the converter raised an error that is not a string", "a",
      { converters = function() error {} end })
    refuses("loadtxt: converters: the key setosa names no column; write converters = {[5] = {setosa = ...}}", "1",
      { converters = { setosa = 0 } })
    refuses("loadtxt: converters[1]: the key 7 is not a string (keys are texts of fields)", "1",
      { converters = { { [7] = 0 } } })
    refuses("loadtxt: converters[1]: 'a' is mapped to a string instead of a number", "1",
      { converters = { { a = "b" } } })
  end)

  it("options that make no sense", function()
    refuses("loadtxt: delimiter: expected one character, got '||' (nil stands for any run of blanks)", "1",
      { delimiter = "||" })
    refuses("loadtxt: comments: ',' begins with nothing, a blank, the delimiter or the quote", "1",
      { delimiter = ",", comments = "," })
    refuses("loadtxt: ndmin: expected 0 to 2, got 3", "1", { ndmin = 3 })
    refuses("loadtxt: skiprows: expected a whole number from 0 on, got -1", "1", { skiprows = -1 })
    local twice = message_of(cn.loadtxt, { text = "1" }, "int8", { dtype = "int8" })
    assert.truthy(twice:find("loadtxt: dtype is given twice, by position and as an option", 1, true))
    local unknown = message_of(load, "1", { sep = "," })
    assert.truthy(unknown:find("loadtxt: unknown option sep (there are comments, converters, delimiter, ", 1, true))
    assert.truthy(message_of(cn.loadtxt, { "x" }):find('expected a path or {text = "..."}, got another table', 1, true))
    assert.truthy(message_of(cn.loadtxt, nil):find('got a nil', 1, true))
  end)
end)

describe("savetxt refuses", function()
  it("formats that are none, before the file is touched", function()
    write "kept"
    local bad = {
      ["abc"] = "savetxt: fmt 'abc' has no conversion such as %g",
      ["%y"] = "savetxt: fmt '%y': '%y' is not one of e f g a d i u x o s with flags and widths",
      ["%5000f"] = "savetxt: fmt '%5000f': '%5000' is not one of e f g a d i u x o s with flags and widths",
      ["%d"] = "savetxt: row 1, column 2: fmt '%d' writes whole numbers only",
      ["%g,%g,%g"] = "savetxt: fmt has 3 formats, but there are 2 columns",
    }
    for fmt, expected in pairs(bad) do
      assert.equal(expected, message_of(cn.savetxt, path, { { 1, 2.5 } }, fmt):sub(-#expected))
    end
    assert.equal("kept", read())
  end)

  it("arrays of other shapes and files that cannot be written", function()
    assert.truthy(message_of(cn.savetxt, path, cn.zeros { 1, 1, 1 }):find("expected a 1-d or 2-d array", 1, true))
    assert.truthy(message_of(cn.savetxt, "no/such/x", { 1 }):find("cannot write 'no/such/x': No such file", 1, true))
    assert.truthy(message_of(cn.savetxt, "/dev/full", { 1 }):find("cannot write '/dev/full': No space left", 1, true))
  end)
end)
