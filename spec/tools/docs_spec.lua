--- Every function of cuna and every method of arrays is documented, and the examples in the documentation hold.
--
-- A documentation block is the run of lines that begin with `---` right above a definition in lua/cuna/. It says what
-- the function does, its parameters and results in LuaLS's words, and holds at least one example:
--
--   ---@usage cn.arange(3), cn.arange(2) --> [0 1 2], [0 1]
--
-- Left of the arrow is an expression list in which `cn` is cuna; right of it stand its values as tostring has them,
-- joined by ", ". Runs of white space, line ends too, count as one blank. The field `doc` documents a row of ops.lua,
-- special/ops.lua or reductions.lua, whose field `usage` has the examples.
-- lua/cuna/tools/doc_reader.lua reads the blocks and lua/cuna/tools/catalog.lua puts them together.
local cn = require "cuna"

for _, name in ipairs {"fuse", "evaluate", "ElementwiseKernel", "ReductionKernel", "ScanKernel", "RawKernel", "graph",
  "cuda", "add_reduce"} do
  assert(cn[name]) -- loads what is loaded when it is asked for
end
local catalog = require "cuna.tools.catalog"
local source = require "cuna.jit.source"
local core = require "cuna.core"
local process = require "spec.support.process"
local reader = require "cuna.tools.doc_reader"
local rows = require "cuna.ops"
local subjects = require "cuna.tools.subjects"

local entries = catalog.load().entries

local NAMESPACES = {["cuna.Array"] = core.methods(), ["cuna.Generator"] = require("cuna.random.generator").methods}
for _, owner in ipairs(subjects.namespaces) do
  local space = cn
  for name in owner:gmatch "%.([^.]+)" do space = space[name] end
  NAMESPACES[owner] = space
end

local function files()
  local list, pipe = {}, assert(io.popen "LC_ALL=C find lua/cuna -name '*.lua' | LC_ALL=C sort")
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

--- The names of the fields of a class.
local function fields_of(class)
  local names = {}
  for _, field in ipairs(catalog.entry("cuna", class).fields) do names[#names + 1] = field.name end
  table.sort(names)
  return names
end

local function sorted_keys(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local default = cn.device()

local function fold_blanks(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

local function run(expression)
  default:use() -- an example before may have chosen another one
  local text = "local cn, require = ... return " .. expression
  local chunk, problem = loadstring(text, "=example")
  if not chunk then return nil, problem end
  source.keep("=example", text) -- kernels need the text of their functions
  local results = {pcall(chunk, cn, require)}
  if not results[1] then return nil, results[2] end
  local texts = {}
  for i = 2, table.maxn(results) do texts[#texts + 1] = tostring(results[i]) end
  return fold_blanks(table.concat(texts, ", "))
end

local gnuplot = io.popen "command -v gnuplot"
local has_gnuplot = gnuplot:read "*l" ~= nil
gnuplot:close()

--- Whether this machine has what an entry's examples need.
local function can_run(entry)
  return has_gnuplot or not table.concat(entry.text, " "):find("Needs gnuplot", 1, true)
end

--- Where an entry stands: its file and line, or its row.
local function place_of(entry, line) return ("lua/cuna/%s.lua:%s"):format(entry.file, line or " " .. entry.name) end

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

describe("the documentation", function()
  it("names every function and method", function()
    local findings, of_jit = {}, {}
    for _, name in ipairs(fields_of "jit") do of_jit[name] = true end
    for owner, functions in pairs(NAMESPACES) do
      for name, value in pairs(functions) do
        local is_known = catalog.entry(owner, name) or owner == "cn.jit" and of_jit[name]
        if type(value) == "function" and not is_known then
          findings[#findings + 1] = catalog.title(owner, name) .. " has no block of comments"
        end
      end
    end
    table.sort(findings)
    fail_with(findings)
  end)

  it("has a page for every file with functions", function()
    local findings = {}
    for _, path in ipairs(files()) do
      local file = path:match "lua/cuna/(.*)%.lua$"
      for _, block in ipairs(subjects.page(file) and {} or reader.read(path)) do
        local owner = block.names[1] and subjects.owners(file)[block.names[1][1]]
        if owner and #block.usages > 0 then
          findings[#findings + 1] = ("%s has %s: put %s into a row of lua/cuna/tools/subjects.lua"):format(path,
            catalog.title(owner, block.names[1][2]), file)
          break
        end
      end
    end
    fail_with(findings)
  end)

  it("describes what is there", function()
    local findings = {}
    for _, entry in ipairs(entries) do
      local functions = NAMESPACES[entry.owner]
      if functions and rawget(functions, entry.name) == nil then
        findings[#findings + 1] = ("%s: there is no %s; OWNERS of lua/cuna/tools/subjects.lua says whose the functions "
          .. "of this file are"):format(place_of(entry, entry.line), entry.title)
      end
    end
    fail_with(findings)
  end)

  it("has the fields that objects have, and the types that it speaks of", function()
    assert.same(sorted_keys(core.getters()), fields_of "Array")
    for _, pair in ipairs {{"Stream", core.stream_fields()}, {"Device", core.device_fields()}} do
      local known, findings = {}, {}
      for _, name in ipairs(fields_of(pair[1])) do known[name] = true end
      for _, name in ipairs(pair[2]) do
        if not known[name] then findings[#findings + 1] = pair[1] .. "." .. name end
      end
      fail_with(findings)
    end
    local findings = {}
    for _, entry in ipairs(entries) do
      for _, list in ipairs {entry.params, entry.returns, entry.fields} do
        for _, item in ipairs(list) do
          for class in item.type:gmatch "cuna%.([%w_.]+)" do
            local owner, name = ("cuna." .. class):match "^(.*)%.([^.]+)$"
            if not catalog.entry(owner, name) then findings[#findings + 1] = entry.title .. ": cuna." .. class end
          end
        end
      end
    end
    fail_with(findings)
  end)

  it("is what docs/reference/ and library/ say", function()
    local text, status = process.capture(process.launcher .. " docs/tools/make.lua --check")
    assert(status == 0 and text == "", "\n  regenerate these with `make docs`:\n" .. text)
  end)

  it("is Lua in library/", function()
    for path in io.popen "find library -name '*.lua'":lines() do assert(loadfile(path)) end
  end)

  it("has every function of a file that is loaded later in the table of contents", function()
    local findings = {}
    for _, row in ipairs(require "cuna.lazy".rows) do
      local file, listed = require("cuna." .. row[1]), {}
      for name in row[2]:gmatch "%S+" do
        listed[name] = true
        if not file.functions[name] then findings[#findings + 1] = row[1] .. ".lua has no function " .. name end
      end
      for name in pairs(file.functions) do
        if not listed[name] then findings[#findings + 1] = row[1] .. ".lua: cn." .. name .. " is not listed" end
      end
      for name in row[3]:gmatch "%S+" do listed["x:" .. name] = true end
      for name in pairs(file.methods or {}) do
        if not listed["x:" .. name] then findings[#findings + 1] = row[1] .. ".lua: x:" .. name .. " is not listed" end
      end
    end
    table.sort(findings)
    fail_with(findings)
  end)

  it("says what each does, takes and gives, with an example", function()
    local findings = {}
    for _, entry in ipairs(entries) do
      local function report(problem)
        findings[#findings + 1] = ("%s: %s %s"):format(place_of(entry, entry.line), entry.title, problem)
      end
      if not (entry.text[1] or ""):find "%S" then report "does not begin with what it does" end
      local is_type = entry.kind == "class" or entry.kind == "alias"
      if not is_type and #entry.usages == 0 then report "has no example" end
      for _, param in ipairs(entry.params) do
        if param.name == "options" and param.type == "table" and param.text == "" then report "lists no options" end
      end
      for _, usage in ipairs(entry.usages) do
        if not usage.expression then report "has an example without --> and its result" end
      end
    end
    for _, row in ipairs(rows) do
      if type(row.doc) ~= "string" or #row.doc < 3 then
        findings[#findings + 1] = "ops.lua: " .. row.name .. " has no doc"
      end
    end
    fail_with(findings)
  end)

  it("has examples that hold", function()
    if cn.device().kind == "cuda" then -- the cpu device runs operations on loops
      cn.prepare(function()
        for _, entry in ipairs(entries) do
          for _, usage in ipairs(can_run(entry) and entry.usages or {}) do
            if not usage.expression:find "prepare" then run(usage.expression) end
          end
        end
      end)
    end
    local findings = {}
    for _, entry in ipairs(entries) do
      for _, usage in ipairs(can_run(entry) and entry.usages or {}) do
        local got, problem = run(usage.expression)
        if got ~= fold_blanks(usage.expected) then
          findings[#findings + 1] = ("%s: %s gives %s"):format(place_of(entry, usage.line), usage.expression,
            got or problem)
        end
      end
    end
    fail_with(findings)
  end)
end)
