-- The style of the house as a test: layers by include, lengths, documentation, no junk.

local FILE_LINES, FUNCTION_LINES = 500, 60

local function text_of(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

--- Paths of the files in some folders whose names end in one of some suffixes; golden values are left out.
local function files(folders, suffixes)
  local found = {}
  for path in output_of("find " .. folders .. " -type f -not -path '*/golden/*' | LC_ALL=C sort"):gmatch("[^\n]+") do
    local suffix = path:match("[^./]*$")
    if (" " .. suffixes .. " "):find(" " .. suffix .. " ", 1, true) then found[#found + 1] = path end
  end
  assert(#found > 0, "no files in " .. folders)
  return found
end

--- Calls visit(report, path) for each path and fails with everything reported.
local function inspect(paths, visit)
  local findings = {}
  for _, path in ipairs(paths) do
    visit(function(format, ...) findings[#findings + 1] = path .. ": " .. format:format(...) end, path)
  end
  assert(#findings == 0, "\n  " .. table.concat(findings, "\n  "))
end

local function includes(path)
  return ("\n" .. text_of(path)):gmatch("\n%s*#%s*include%s+([^\n]+)")
end

--- Headers in quotes that the files of runtime/ include, as visit(path, header).
local function each_include(visit)
  for _, path in ipairs(files("runtime", "c h")) do
    for header in includes(path) do
      if header:find('^"') then visit(path, header:match('"(.-)"')) end
    end
  end
end

--- What the files of lua/cuna/ load when they are loaded, as visit(path, path without folder and suffix).
local function each_require(visit)
  for _, path in ipairs(files("lua/cuna", "lua")) do
    for module in ("\n" .. text_of(path)):gmatch('\nlocal [^\n]-require%(?%s?"cuna%.([%w_.]+)"') do
      local name = module:gsub("%.", "/")
      if io.open("lua/cuna/" .. name .. "/init.lua") then name = name .. "/init" end
      if module ~= "core" then visit(path, name) end
    end
  end
end

local function folder_of(path) return path:match "^(.*)/" or "." end

--- Which folders look into which: {[folder] = {[other] = a file that does}}. Files beside the folders, cuna.h and
--- init.lua with its neighbours, are of the folder ".".
local function graph_of(each, root)
  local graph = {}
  each(function(path, target)
    local from, to = folder_of(path:sub(#root + 2)), folder_of(target)
    graph[from] = graph[from] or {}
    if to ~= from then graph[from][to] = path end
  end)
  return graph
end

--- The rows of a table in docs/architecture.md below a line that begins with `head`: folder and others.
local function rows_below(head)
  local rows, is_below = {}, false
  for line in io.lines "docs/architecture.md" do
    is_below = line:sub(1, #head) == head or is_below and line:find "^|" ~= nil
    local folder, others = line:match "^| `([^`]+)` | (.-) |$"
    if is_below and folder then rows[folder] = others end
  end
  return rows
end

local function listed(others)
  local names = {}
  for name in pairs(others) do names[#names + 1] = "`" .. name .. "`" end
  table.sort(names)
  return table.concat(names, " ")
end

--- Whether a walk from a folder comes back to one that it is in; returns the way.
local function circle(graph, folder, way)
  if way[folder] then return folder end
  way[folder] = true
  for other in pairs(graph[folder] or {}) do
    local found = circle(graph, other, way)
    if found then return folder .. " -> " .. found end
  end
  way[folder] = nil
end

local function check_graph(graph, head)
  local rows, findings = rows_below(head), {}
  for folder, others in pairs(graph) do
    local is_listed = rows[folder] == listed(others)
    if not is_listed then findings[#findings + 1] = ("| `%s` | %s |"):format(folder, listed(others)) end
    rows[folder] = nil
    local way = circle(graph, folder, {})
    if way then findings[#findings + 1] = "a circle: " .. way end
  end
  for folder in pairs(rows) do findings[#findings + 1] = folder .. " looks nowhere, or is not there" end
  table.sort(findings)
  assert(#findings == 0, "docs/architecture.md does not say:\n  " .. table.concat(findings, "\n  "))
end

describe("folders", function()
  it("of runtime/ include each other as docs/architecture.md says, and never in a circle", function()
    local graph = graph_of(each_include, "runtime")
    graph["."] = nil -- cuna.h: every file may include it
    for _, others in pairs(graph) do others["."] = nil end
    check_graph(graph, "| folder of `runtime/` |")
  end)

  it("of lua/cuna/ load each other as docs/architecture.md says, and never in a circle", function()
    local graph = graph_of(each_require, "lua/cuna")
    graph["."] = graph["."] or {}
    check_graph(graph, "| folder of `lua/cuna/` |")
  end)
end)

describe("layers", function()
  it("keep work files from each other", function()
    local function noun(path) return path:match "([^/_.]+)[^/]*$" end
    each_include(function(path, header)
      local is_work = folder_of(path) == "runtime/work" and folder_of(header) == "work"
      assert(not is_work or noun(path) == noun(header), path .. " includes " .. header .. ", other work")
    end)
  end)

  it("keep Lua in bindings/, CUDA's libraries in runtime/cuda and kernels/ self-contained", function()
    inspect(files("runtime kernels bindings", "c h cc cuh"), function(report, path)
      for header in includes(path) do
        local is_lua = header:find("^<lua") or header:find("^<lauxlib")
        if is_lua and not path:find("^bindings/") then report("includes %s", header) end
        if path:find("^kernels/") and not header:find('^"') then report("includes %s", header) end
      end
      local library = text_of(path):match('"(lib[cn][uv]%w*%.so[%d.]*)"')
      if library and not path:find("^runtime/cuda/") then report("names %s", library) end
    end)
  end)
end)

-- array/array.h: elements are touched at cuna__array_data, which is behind the functions that make contents ready.
it("reads what arrays contain in runtime/array/ only", function()
  local PARTS = {"array%.h", "array%.c", "buffer%.c", "value%.h", "value%.c", "graph%.c",
    "graph_slot%.c", "dlpack%.c"}
  local CONTENT = " ptr nbytes outside block uses "
  local function is_part(path)
    for _, name in ipairs(PARTS) do
      if path:find("^runtime/array/" .. name .. "$") then return true end
    end
  end
  inspect(files("runtime bindings", "c h"), function(report, path)
    local text = is_part(path) and "" or text_of(path)
    for field in text:gmatch "%f[%w_]buffer%->(%w+)" do
      if field == "ptr" or field == "value" then report("reads buffer->%s; ask cuna__array_data", field) end
    end
    for field in text:gmatch "%f[%w_]value%->(%w+)" do
      if CONTENT:find(" " .. field .. " ", 1, true) then report("reads value->%s of a content", field) end
    end
  end)
end)

-- base/program.lua keeps the programs of cuna's own vocabulary. Others are kept by what they belong to: a fold by its
-- row, a user's kernel's by the kernel.
it("makes programs by program.get, but where something else keeps them", function()
  local KEEPERS = {["lua/cuna/base/program.lua"] = true, ["lua/cuna/reducers.lua"] = true,
    ["lua/cuna/kernel/user_kernel.lua"] = true}
  inspect(files("lua/cuna", "lua"), function(report, path)
    if text_of(path):find("core%.program[%s({]") and not KEEPERS[path] then report("calls core.program") end
  end)
end)

-- Lua asks a device for facts: core.is_asynchronous, core.is_host, core.lanes. cn.cuda alone is asked for CUDA by name:
-- cn.cuda.get_device_id and synchronize refuse devices of other kinds because a user wrote "cuda", as no fact decides.
it("compares nothing with a kind of device in lua/cuna, but for cn.cuda", function()
  local COMPARED = {'[=~]=%s*"cpu', '[=~]=%s*"cuda', '"cpu"%s*[=~]=', '"cuda"%s*[=~]='}
  inspect(files("lua/cuna", "lua"), function(report, path)
    if path == "lua/cuna/device/cuda.lua" then return end
    local number = 0
    for line in io.lines(path) do
      number = number + 1
      for _, pattern in ipairs(COMPARED) do
        if line:find(pattern) then report("line %d asks for a kind of device", number) end
      end
    end
  end)
end)

describe("lengths", function()
  it("of files stay within " .. FILE_LINES .. " lines", function()
    local code = "runtime bindings lua kernels spec examples bench docs"
    inspect(files(code, "c h cc cuh lua py"), function(report, path)
      local _, count = text_of(path):gsub("\n", "")
      if count > FILE_LINES then report("%d lines", count) end
    end)
  end)

  it("of C functions stay within " .. FUNCTION_LINES .. " lines", function()
    inspect(files("runtime bindings", "c h"), function(report, path)
      local number, start = 0, nil
      for line in io.lines(path) do
        number = number + 1
        if line == "{" then start = number end
        if line == "}" and start and number - start > FUNCTION_LINES then report("too long from line %d", start) end
        if line == "}" then start = nil end
      end
    end)
  end)

  it("of Lua functions stay within " .. FUNCTION_LINES .. " lines", function()
    inspect(files("lua docs", "lua"), function(report, path)
      for first, last in output_of("luajit -bl " .. path):gmatch("%-%- BYTECODE %-%- [^\n]-:(%d+)%-(%d+)\n") do
        if tonumber(first) > 0 and last - first >= FUNCTION_LINES then report("too long from line %d", first) end
      end
    end)
  end)
end)

describe("documentation", function()
  it("stands above every function of cuna.h", function()
    local doors = { "runtime/cuna.h", "runtime/cuna_raw.h", "runtime/cuna_streams.h", "runtime/cuna_exchange.h",
      "runtime/cuna_curand.h", "runtime/cuna_fft.h", "runtime/cuna_lapack.h", "runtime/cuna_matmul.h",
      "runtime/cuna_memory.h", "runtime/cuna_record.h", "runtime/cuna_reduce.h", "runtime/cuna_result.h",
      "runtime/cuna_statement.h" }
    inspect(doors, function(report, path)
      local documented = false
      for line in io.lines(path) do
        if line == "" then documented = false end
        if line:find("^%s*/%*") and not line:find("----", 1, true) then documented = true end
        local name = line:match("^[%w_][%w_ %*]-[ %*](cuna_[%w_]+)%(")
        if name and not documented then report("%s has no comment", name) end
      end
    end)
  end)

  it("opens every Lua module with its purpose", function()
    inspect(files("lua docs", "lua"), function(report, path)
      if not text_of(path):find("^%-%-") then report("does not begin with a comment") end
    end)
  end)
end)

describe("language", function()
  --- Files and folders whose text is plain English; docs/reference and library are generated from lua/.
  local PLAIN = "README.md CHANGELOG.md docs/*.md docs/guides docs/tools examples bench bindings kernels lua runtime "
    .. "spec"
  local OPEN, CLOSE = "<!-- banned phrases -->", "<!-- end -->"

  --- The table of docs/contributing.md: lists of phrases, banned and excepted, and the text without the table.
  local function read_list()
    local text = text_of "docs/contributing.md"
    local first, last = text:find(OPEN, 1, true), text:find(CLOSE, 1, true)
    local banned, excepted = {}, {}
    for instead, except in text:sub(first, last):gmatch "\n| (`[^|]+) |[^|]+|([^|]*)|" do
      for phrase in instead:gmatch "`([^`]+)`" do banned[#banned + 1] = phrase end
      for phrase in except:gmatch "`([^`]+)`" do excepted[#excepted + 1] = phrase end
    end
    return banned, excepted, text:sub(1, first - 1) .. text:sub(first, last):gsub("[^\n]", "") .. text:sub(last)
  end

  --- The text as one line in lower case without the marks that begin lines of comments, and where its lines begin.
  local function unfold(text)
    local pieces, starts, size = {}, {}, 0
    for line in (text:lower() .. "\n"):gmatch "(.-)\n" do
      local words = line:gsub("^%s*[-/*#|>]*%s*", ""):gsub("%s+", " ") .. " "
      starts[#starts + 1], pieces[#pieces + 1], size = size + 1, words, size + #words
    end
    return table.concat(pieces), starts
  end

  local function pattern_of(phrase)
    return "%f[%w_]" .. phrase:gsub("%p", "%%%0") .. "%f[^%w_]"
  end

  --- Calls report(format, ...) for each banned phrase of a text.
  local function check(report, text, banned, excepted)
    local words, starts = unfold(text)
    for _, phrase in ipairs(excepted) do
      if words:find(phrase, 1, true) then -- in a tenth of the pattern's time
        words = words:gsub(pattern_of(phrase), function(found) return ("."):rep(#found) end)
      end
    end
    for _, phrase in ipairs(banned) do
      local is_there = words:find(phrase, 1, true)
      for place in (is_there and words or ""):gmatch("()" .. pattern_of(phrase)) do
        local number = #starts
        while starts[number] > place do number = number - 1 end
        report("line %d says '%s'", number, phrase)
      end
    end
  end

  it("is plain: without the phrases that docs/contributing.md lists", function()
    local banned, excepted, rest = read_list()
    assert(#banned > 20 and #excepted > 0)
    inspect(files(PLAIN, "md lua c h cc cu cuh py sh"), function(report, path)
      check(report, path == "docs/contributing.md" and rest or text_of(path), banned, excepted)
    end)
  end)

  it("is searched across the lines of comments", function()
    local found = {}
    local function report(format, ...) found[#found + 1] = format:format(...) end
    local IS_NO = "is" .. " no" -- apart, so that this file does not say it
    local text = "--- There is\n--- no copy. It is\n-- no array, and unan" .. "ew.\n"
    check(report, text, {IS_NO, "a" .. "new"}, {"there " .. IS_NO})
    assert.same({("line 2 says '%s'"):format(IS_NO)}, found)
  end)
end)

it("reads the environment in one place", function()
  inspect(files("runtime bindings", "c h"), function(report, path)
    local is_there = path:find "/environment%.c$" ~= nil
    if text_of(path):find("getenv(", 1, true) and not is_there then report("calls getenv") end
  end)
end)

it("leaves no junk", function()
  local words = { "TO" .. "DO", "FIX" .. "ME" }
  local everywhere = "runtime bindings lua kernels spec examples bench docs library "
    .. ".ci Makefile *.md .busted .luacheckrc"
  inspect(files(everywhere, "c h cc cuh lua py md Makefile run busted luacheckrc"), function(report, path)
    local text = text_of(path)
    if text:find("[ \t]\r?\n") then report("trailing white space") end
    if text:find("\t", 1, true) and path ~= "Makefile" then report("a tab") end
    if text:sub(-1) ~= "\n" then report("no newline at its end") end
    for _, word in ipairs(words) do
      if text:find(word, 1, true) then report("says %s", word) end
    end
  end)
end)
