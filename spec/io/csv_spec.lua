-- CSV: columns of numbers and of texts, RFC 4180's syntax, one line for each thing that may be wrong with a text.
local cn = require "cuna"
local devices = require "spec.support.devices"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

local folder = process.folder()
local path = folder .. "/x.csv"
teardown(function() process.remove(folder) end)

local function read(text, options) return cn.read_csv({text = text}, options) end

local function refuses(words, text, options)
  raises("read_csv: 'text'" .. words, function() return (read(text, options)) end)
end

--- Asserts dtype and values of a column.
local function is_array(x, dtype, values)
  assert.equal(dtype, x.dtype)
  assert.array_equal(x, values)
end

devices.each_device(function(device)
  describe("read_csv", function()
    it("gives each column what its fields are", function()
      local t, names = read "name,n,x,ok,big\nann,1,.5,true,18446744073709551615\nbob,-2,1e3,FALSE,7\n"
      assert.same({"name", "n", "x", "ok", "big"}, names)
      assert.same({"ann", "bob"}, t.name)
      is_array(t.n, "int64", {1, -2})
      is_array(t.x, "float64", {0.5, 1000})
      is_array(t.ok, "bool", {true, false})
      is_array(t.big, "uint64", cn.array({18446744073709551615ULL, 7}, "uint64", device))
      assert.equal(device, t.n.device)
    end)

    it("has NaN for missing numbers, and leaves texts as they are", function()
      local t = read "i,f,t,none,late\n1,,a,,\nNA,N/A,NA,null,\n3,2.5,,NONE,4\n"
      is_array(t.i, "float64", {1, cn.nan, 3})
      is_array(t.f, "float64", {cn.nan, cn.nan, 2.5})
      assert.same({"a", "NA", ""}, t.t)
      is_array(t.none, "float64", {cn.nan, cn.nan, cn.nan})
      is_array(t.late, "float64", {cn.nan, cn.nan, 4})
      is_array(read("a\n1\n-999\n?\n", {missing = {"?", "-999"}}).a, "float64", {1, cn.nan, cn.nan})
    end)

    it("makes text of a column whose first text comes late", function()
      local t = read 'a,b,c,d\n1,"x ""y""",true,\n2.5,3,,\n"z",4,1,w\n'
      assert.same({"1", "2.5", "z"}, t.a)
      assert.same({'x "y"', "3", "4"}, t.b)
      assert.same({"true", "", "1"}, t.c)
      assert.same({"", "", "w"}, t.d)
    end)

    it("joins whole numbers and others", function()
      is_array(read("a\n1\n2.5\n").a, "float64", {1, 2.5})
      is_array(read("a\n18446744073709551615\n-1\n").a, "float64", {2 ^ 64, -1})
      is_array(read("a\n-1\n18446744073709551615\n").a, "float64", {-1, 2 ^ 64})
      is_array(read("a\n1\n9223372036854775808\n").a, "uint64", cn.array({1, 2 ^ 63}, "uint64", device))
      is_array(read("a\n9223372036854775808\n1.5\n").a, "float64", {2 ^ 63, 1.5})
      is_array(read("a\nnan\ninf\n").a, "float64", {cn.nan, cn.inf})
    end)

    it("reads quoted fields, any line ends, blanks and a byte order mark", function()
      local t, names = read '\239\187\191"a, b",c\r\n"1, 2","x\r\ny"\r\n\r\n" ""q"" ", z \r" ",4'
      assert.same({"a, b", "c"}, names)
      assert.same({"1, 2", ' "q" ', " "}, t["a, b"])
      assert.same({"x\r\ny", " z ", "4"}, t.c)
      is_array(read("a\tb\n 1\t2 \n", {delimiter = "\t"}).b, "int64", {2})
      is_array(read('a\n"1"\n" 2"\n').a, "int64", {1, 2})
      local long = ('ab""'):rep(5000)
      assert.same({(long:gsub('""', '"'))}, read('a\n"' .. long .. '"\n').a)
      assert.same({'"x"'}, read('a\n"x"\n', {quotechar = false}).a)
      assert.same({"x,y"}, read("a\n'x,y'\n", {quotechar = "'"}).a)
    end)

    it("takes names from elsewhere", function()
      local t, names = read("1,2\n3,4\n", {header = false})
      assert.same({1, 2}, names)
      is_array(t[2], "int64", {2, 4})
      is_array(read("1,2\n", {header = {"x", "y"}}).y, "int64", {2})
      is_array(read("one,two\n1,2\n", {header = {"x", "y"}, skiprows = 1}).x, "int64", {1})
      t = read("", {header = {"x"}})
      assert.equal(0, #t.x)
      t, names = read("", {header = false})
      assert.same({{}, {}}, {t, names})
    end)

    it("reads some columns, rows and dtypes", function()
      local text = "# made\na,b,c\n1,2,3\n# note\n4,5,6\n7,8,9\n"
      local t, names = read(text, {comments = "#", columns = {"c", 1}, max_rows = 2})
      assert.same({"a", "c"}, names)
      assert.is_nil(t.b)
      is_array(t.c, "int64", {3, 6})
      is_array(read("a,b\n1,2\n", {columns = -1}).b, "int64", {2})
      t = read("a,b,c,d\n1,007,0,2\n", {dtypes = {a = "float32", b = "string", c = "bool", [4] = "int8"}})
      is_array(t.a, "float32", {1})
      assert.same({"007"}, t.b)
      is_array(t.c, "bool", {false})
      is_array(t.d, "int8", {2})
      is_array(read("a\n1\n", {dtypes = "float32"}).a, "float32", {1})
      is_array(read("a\ntrue\n", {dtypes = "bool"}).a, "bool", {true})
    end)
  end)

  describe("write_csv", function()
    it("writes what read_csv reads", function()
      local t = {name = {"a,b", 'say "x"', "two\nlines", "", " "}, n = cn.array({1, 2, 3, 4, 5}, "int64", device),
        x = cn.array({0.1, cn.nan, 1e300, -0.5, cn.inf}, "float64", device), ok = {true, false, true, true, false}}
      cn.write_csv(path, t, {names = {"n", "name", "x", "ok"}})
      assert.equal('n,name,x,ok\n1,"a,b",0.1,True\n2,"say ""x""",,False\n3,"two\nlines",1e+300,True\n4,,-0.5,True\n'
        .. '5," ",inf,False\n', process.read(path))
      local back, names = cn.read_csv(path)
      assert.same({"n", "name", "x", "ok"}, names)
      assert.same(t.name, back.name)
      is_array(back.x, "float64", t.x)
      is_array(back.ok, "bool", t.ok)
    end)

    it("writes other forms", function()
      cn.write_csv(path, {b = cn.array({1, 2}, "float32", device)[{{2, 1, -1}}], a = {3, 4}}, {delimiter = ";"})
      assert.equal("a;b\n3.0;2.0\n4.0;1.0\n", process.read(path))
      cn.write_csv(path, {{"x"}, {"y"}}, {header = false})
      assert.equal("x,y\n", process.read(path))
      cn.write_csv(path, {a = {"", "x"}})
      assert.equal('a\n""\nx\n', process.read(path))
      assert.same({"", "x"}, cn.read_csv(path).a)
      cn.write_csv(path, {a = cn.array({cn.nan, 1}, "float64", device)})
      is_array(cn.read_csv(path).a, "float64", {cn.nan, 1})
      cn.write_csv(path, {})
      assert.equal("", process.read(path))
    end)
  end)

  describe("factorize", function()
    it("gives positions in the categories", function()
      local codes, categories = cn.factorize {"b", "a", "b", "c"}
      is_array(codes, "int64", {1, 2, 1, 3})
      assert.same({"b", "a", "c"}, categories)
      assert.equal(device, codes.device)
      codes, categories = cn.factorize({"b", 2, true, "a", false, 1, "b"}, {sort = true})
      assert.same({false, true, 1, 2, "a", "b"}, categories)
      is_array(codes, "int64", {6, 4, 2, 5, 1, 3, 6})
      codes, categories = cn.factorize {}
      assert.same({0, {}}, {#codes, categories})
    end)

    it("groups the rows of a table", function()
      local t = read "city,n\nBern,1\nChur,2\nBern,3\n"
      local codes, cities = cn.factorize(t.city)
      assert.same({"Bern", "Chur"}, cities)
      assert.array_equal(cn.bincount(codes, t.n), {4, 2})
    end)
  end)
end)

describe("read_csv refuses", function()
  it("texts whose lines are wrong, with the place", function()
    refuses(" line 4: 1 field, and there are 2 columns", 'a,b\n"1\n2",3\n4\n')
    refuses(" line 2: 3 fields, and there are 2 columns", "a,b\n1,2,3\n")
    refuses(" line 2, column 2: the quote is never closed", 'a,b\n1,"x\n')
    refuses(" line 2, column 1: text after the closing quote", 'a\n"x"y\n')
    refuses(" line 2: a NUL byte", "a\n\0\n")
    refuses(" line 3, column 2: 'x' is not a number", "a,b\n1,2\n3,x\n", {dtypes = {b = "float32"}})
    refuses(": the text has no line with the names", "\n")
    refuses(": the columns 1 and 3 are both named 'a'", "a,b,a\n")
    refuses(": header has 1 names, and the first line has 2 fields", "1,2\n", {header = {"x"}})
  end)

  it("values that a dtype does not hold", function()
    refuses(": column 'a' has values that int8 does not hold", "a\n128\n", {dtypes = "int8"})
    refuses(": column 'a' has values that int64 does not hold; missing ones are NaN", "a\n1\n\n2\n1.5\n",
      {dtypes = "int64"})
    refuses(": column 'a' has values that bool does not hold", "a\n2\n", {dtypes = "bool"})
    refuses(": column 'a' is not of true and false", "a\nyes\n", {dtypes = "bool"})
    refuses(": column 'a' is not of true and false", "a\n0.5\n", {dtypes = "bool"})
  end)

  it("options that it does not have", function()
    refuses(": columns: there is no column 'nme'; did you mean 'name'?", "name\n", {columns = {"nme"}})
    refuses(": dtypes: there is no column 3; there are 1", "name\n", {dtypes = {[3] = "int8"}})
    raises("read_csv: delimiter is one character, got \",,\"", function() read("a", {delimiter = ",,"}) end)
    raises("read_csv: quotechar and delimiter are both", function() read("a", {delimiter = "'", quotechar = "'"}) end)
    raises("read_csv: header is true, false or a list", function() read("a", {header = 1}) end)
    raises("read_csv: header: name 1 is a table", function() read("a", {header = {{}}}) end)
    raises("read_csv: unknown option 'sep'", function() read("a", {sep = ","}) end)
    raises("read_csv: comments: \" \" begins with", function() read("a", {comments = " "}) end)
    raises("read_csv: missing: entry 1 is not a string", function() read("a", {missing = {1}}) end)
    raises("read_csv: dtypes is a table", function() read("a", {dtypes = 1}) end)
    raises("read_csv: cannot open '" .. path .. ".no'", function() cn.read_csv(path .. ".no") end)
    raises("read_csv: the file is missing", function() cn.read_csv() end)
  end)
end)

describe("write_csv and factorize refuse", function()
  it("columns that are none", function()
    raises("write_csv: column 'b' has 1 rows, and those before have 2",
      function() cn.write_csv(path, {a = {1, 2}, b = {"x"}}) end)
    raises("write_csv: column 'a': entry 2 is 3 instead of a string", function() cn.write_csv(path, {a = {"x", 3}}) end)
    raises("write_csv: column 'a': expected an array of one axis, got shape (1, 1)",
      function() cn.write_csv(path, {a = {{1}}}) end)
    raises("write_csv: column 'z': CSV has no complex numbers",
      function() cn.write_csv(path, {z = cn.ones(1, "complex64")}) end)
    raises("write_csv: column 'c': there is none", function() cn.write_csv(path, {a = {1}}, {names = {"c"}}) end)
    raises("write_csv: columns: expected a table", function() cn.write_csv(path, cn.ones(2)) end)
    raises("write_csv: delimiter: a quote encloses fields", function() cn.write_csv(path, {}, {delimiter = '"'}) end)
  end)

  it("lists that are none", function()
    raises("factorize: takes a list; for arrays write cn.unique", function() cn.factorize(cn.ones(2)) end)
    raises("factorize: expected a list, got 1", function() cn.factorize(1) end)
    raises("factorize: entry 2 is a table", function() cn.factorize {1, {}} end)
    raises("factorize: entry 1 is nan", function() cn.factorize {cn.nan} end)
    raises("factorize: expected a list with keys 1..n", function() cn.factorize({a = 1}, {sort = true}) end)
  end)
end)
