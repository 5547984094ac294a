--- cn.help finds what it is asked for, by names, functions and objects, and says what else there is.
local cn = require "cuna"
local catalog = require "cuna.tools.catalog"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises
local snippets = require "spec.support.snippets"
local terminal = require "spec.support.terminal"
local topics = require "cuna.tools.topics"

--- The first line of what help says.
local function heading(what) return cn.help(what, {text = true}):match "^[^\n]*" end

describe("cn.help", function()
  it("shows how a function is called, what it does, takes and returns, with its examples", function()
    assert.equal([[
cn.take(x, indices, axis?, out?, mode?)    x:take(indices, axis?, out?, mode?)
]], cn.help("take", {text = true}):match "^[^\n]*\n")
    local text = cn.help("sum", true)
    for _, part in ipairs {"\n\nSum over axes. ", "Follows numpy.sum.\n", "\n  axis       cuna.Axes, may be left out\n",
      "\n  ->         cuna.Array\n", "\n  cn.sum({{1, 2}, {3, 4}}, 1) --> [4. 6.]\n"} do
      assert(text:find(part, 1, true), part)
    end
  end)

  it("prints, and gives nothing then", function()
    local script = 'local cn = require "cuna"; assert(select("#", cn.help "sum") == 0); cn.help(cn.sum)'
    local text = process.capture(process.launcher .. " -e " .. process.quote(script))
    assert.equal(cn.help("sum", true):rep(2), text)
  end)

  it("fills lines, of a narrow terminal too", function()
    local function longest(text)
      local most = 0
      for line in text:gmatch "[^\n]+" do most = math.max(most, #line) end
      return most
    end
    local wide = cn.help("sparse.csr_matrix", true):match "(A matrix.-)\n%s*\n  arg1"
    assert.is_true(longest(wide) <= 100 and wide:find "\n%- {shape = {rows, columns}}: no elements;\n" ~= nil)
    local program = terminal.open("sh -c " .. process.quote("stty cols 60 rows 20; " .. process.launcher .. " -e "
      .. process.quote 'cn.help "sparse.csr_matrix"'))
    local narrow = program:expect "(A matrix.-)\n%s*\n  arg1"
    program:close()
    assert(longest(narrow) <= 59, narrow)
    assert.equal((wide:gsub("%s+", " ")), (narrow:gsub("%s+", " ")))
  end)

  it("knows names in all their forms", function()
    for name, expected in pairs {
      sum = "cn.sum", ["cn.sum"] = "cn.sum", ["x:sum"] = "cn.sum", ["x.sum"] = "cn.sum", ["array.sum"] = "cn.sum",
      ["cuna.Array:sum"] = "cn.sum", ["cuna.sum"] = "cn.sum", amax = "cn.max", mul = "cn.multiply", sqrt_ = "cn.sqrt",
      ["x:sort_"] = "x:sort_", multiply_at = "cn.add_at", get = "cn.asnumpy", tolist = "x:totable",
      ["cuda.Event"] = "cn.cuda.Event", ["cn.cuda.Event"] = "cn.cuda.Event", ["stream:record"] = "Stream:record",
      ["cn.cuda.Stream:record"] = "Stream:record", ["Event.record"] = "Event:record", rawkernel = "cn.jit.rawkernel",
      ["testing.assert_shape"] = "cn.testing.assert_shape", ["cuna.Operand"] = "cuna.Operand", Axes = "cuna.Axes",
      Array = "cuna.Array", ["x.shape"] = "cuna.Array.shape", ["jit.grid"] = "cuna.jit.grid",
      help = "cn.help", fuse = "cn.fuse", loadtxt = "cn.loadtxt", ["+"] = "cn.add",
    } do
      assert.equal(expected, heading(name):match "^[%w_.:]+", name)
    end
  end)

  it("shows all methods of a name that no function of cn has", function()
    local text = cn.help("record", true)
    assert(text:find("Event:record(stream?)", 1, true) and text:find("Stream:record(event?)", 1, true))
  end)

  it("gives methods all of their parameters, and not the object", function()
    for name, call in pairs {
      ["MemoryPointer:copy_from"] = "copy_from(src, nbytes?)", ["MemoryPointer:offset"] = "offset(nbytes)",
      ["MemoryPointer:copy_from_async"] = "copy_from_async(src, nbytes?, stream?)",
      ["RawModule:get_function"] = "get_function(name)", ["SourceFunction:prepare"] = "prepare(types)",
      ["SourceFunction:prepared_call"] = "prepared_call(grid, block, ...)", ["Poly1d:integ"] = "integ(m?, k?)",
      ["Npz:read"] = "read(name)", ["Stream:record"] = "record(event?)", ["x:fill"] = "fill(value)",
    } do
      assert.equal(call, heading(name):match ":(.*)$", name)
    end
  end)

  it("knows functions, methods and objects", function()
    local x, stream = cn.zeros(1), cn.cuda.Stream.null
    for expected, value in pairs {
      ["cn.sort"] = cn.sort, ["cn.max"] = cn.amax, ["cn.add"] = cn.add, ["cn.reshape"] = x.reshape,
      ["x:item"] = x.item, ["x:sort_"] = x.sort_, ["cn.cuda.Stream"] = cn.cuda.Stream,
      ["Stream:record"] = stream.record,
      ["Stream:begin_capture"] = stream.begin_capture, ["Device:use"] = cn.device().use, ["cn.fuse"] = cn.fuse,
      ["MemoryPool:used_bytes"] = cn.get_default_memory_pool().used_bytes, ["cuna.Array"] = x,
      ["cn.testing.assert_shape"] = cn.testing.assert_shape, ["cn.cuda:"] = cn.cuda, ["cn.complex"] = cn.complex,
    } do
      assert.equal(expected, heading(value):match "^[%w_.:]+")
    end
  end)

  it("finds every function and method by its name and by itself", function()
    local owners = {["cn."] = cn, ["x:"] = require("cuna.method").all()}
    for front, functions in pairs(owners) do
      for name, value in pairs(functions) do
        if type(value) == "function" then
          cn.help(front .. name, true)
          cn.help(value, true)
        end
      end
    end
    for _, entry in ipairs(catalog.load().entries) do
      local text = "\n" .. cn.help(entry.title, true)
      assert(text:find("\n" .. entry.title, 1, true), entry.title)
    end
  end)

  it("lists subjects, their names, and those of a namespace", function()
    local text = cn.help(nil, {text = true})
    assert(text:find("\n  sorting        Sorting, unique elements, sets\n", 1, true), text)
    assert(cn.help("sorting", true):find("cn.argsort", 1, true))
    assert(cn.help("cuda", true):find("cn.cuda.get_elapsed_time", 1, true))
  end)

  it("says which name is near one that nothing has", function()
    assert.equal("Nothing is called 'reshap'; did you mean 'reshape'? These 5 speak of it:", heading "reshap")
    raises("help: nothing is called 'rnage'; did you mean 'range'?; cn.help() lists the subjects",
      function() cn.help "rnage" end)
    raises("help: nothing is called 'Stream:recrd'; did you mean 'record'?; cn.help() lists the subjects",
      function() cn.help "Stream:recrd" end)
    raises("help: nothing is called 'qqqqqqqq'; cn.help() lists the subjects", function() cn.help "qqqqqqqq" end)
    raises("help: nothing is called 'sum:record'; did you mean 'record'?; cn.help() lists the subjects",
      function() cn.help "sum:record" end)
    raises("help: cuna has no such function; give a name such as \"sum\" or \"x:reshape\", or a function of cuna's",
      function() cn.help(print) end)
    raises("help: cuna has no such number; give a name such as \"sum\" or \"x:reshape\", or a function of cuna's",
      function() cn.help(3) end)
    raises("help: text is true or false, got 3", function() cn.help("sum", 3) end)
    raises("help: a function of cuna is called with a dot: cn.help(...)", function() cn:help("sum") end)
  end)

  it("finds entries by words, those with all of them in their names first", function()
    local function found(query)
      local titles = {}
      for title in cn.help(query, true):gmatch "\n  (%S+)  " do titles[#titles + 1] = title end
      return titles
    end
    for query, first in pairs {["gaussian blur"] = "cn.ndimage.gaussian_filter", blur = "cn.ndimage.gaussian_filter",
      ["read csv"] = "cn.read_csv", ["sparse solver"] = "SparseLU:solve", ["cumulative sum"] = "cn.cumulative_sum",
      ["how do I shuffle an array"] = "Generator:shuffle"} do
      assert.equal(first, found(query)[1], query)
    end
    local titles = {}
    for _, title in ipairs(found "least squares") do titles[title] = true end
    assert(titles["cn.linalg.lstsq"] and titles["cn.polyfit"] and titles["cn.sparse.linalg.lsqr"])
  end)

  it("has pages about syntax, whose code prints what they say", function()
    for _, row in ipairs(topics.rows) do
      local text = topics.text(row)
      assert(cn.help(row.name, true):find(text, 1, true), row.name)
      for _, name in ipairs(row.also) do assert(cn.help(name, true), name) end
      for other in row.see:gmatch "%S+" do assert(topics.find(other), row.name .. ": no topic " .. other) end
      assert(io.open(row.more), row.more):close()
      local printed = snippets.printed_by(assert(loadstring('local cn = require "cuna"\n' .. row.code)))
      assert.same(snippets.expected_of(row.code), printed)
      for line in text:gmatch "[^\n]+" do assert(#line <= 120, row.name .. ": " .. line) end
    end
    assert.equal("Changing arrays in place", heading "in place")
    assert(cn.help("devices", true):find("cn.cuda.is_available", 1, true), "the subject is listed too")
  end)

  it("costs nothing until it is called", function()
    local text = process.capture(process.launcher .. " -e " .. process.quote [[
      require "cuna"
      for _, name in ipairs {"help", "catalog", "doc_reader", "subjects", "find", "topics"} do
        if package.loaded["cuna.tools." .. name] then print(name) end
      end]])
    assert.equal("", text)
  end)
end)
