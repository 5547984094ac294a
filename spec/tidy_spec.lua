-- The style of the house as a test: layers by include, lengths, documentation, no junk.

local FILE_LINES, FUNCTION_LINES = 500, 60

-- The floors of runtime/, lowest first, by the first word of a file's name. cuna.h only declares: all may include it.
local FLOORS = {
  "base status interrupt environment strbuf decimal shortest fields text dtype shape layout cuna",
  "library cache",
  "driver blas lapack dft rand nvtx",
  "pool device loaded context module stream event staging trace allocator",
  "array graph dlpack",
  "program codegen cut launch prepare",
  "copy file elementwise reduce scan raw sort index matmul linalg random fft",
}

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

local function noun(path)
  return path:match('([^/_."]+)[^/]*$')
end

local function floor_of(path)
  for number, nouns in ipairs(FLOORS) do
    if (" " .. nouns .. " "):find(" " .. noun(path) .. " ", 1, true) then return number end
  end
end

local function includes(path)
  return ("\n" .. text_of(path)):gmatch("\n%s*#%s*include%s+([^\n]+)")
end

describe("layers", function()
  it("include only downward, and work files not each other", function()
    inspect(files("runtime", "c h"), function(report, path)
      local from = floor_of(path)
      if not from then return report("has no floor in tidy_spec.lua") end
      for header in includes(path) do
        local to = header:find('^"') and floor_of(header) or 0
        if to > from then report("includes %s from a higher floor", header) end
        if to == #FLOORS and noun(path) ~= noun(header) then report("includes %s, other work", header) end
      end
    end)
  end)

  it("keep Lua in bindings/, CUDA behind the seam and kernels/ to themselves", function()
    inspect(files("runtime kernels bindings", "c h cc cuh"), function(report, path)
      for header in includes(path) do
        local is_lua = header:find("^<lua") or header:find("^<lauxlib")
        if is_lua and not path:find("^bindings/") then report("includes %s", header) end
        if path:find("^kernels/") and not header:find('^"') then report("includes %s", header) end
      end
      local library = text_of(path):match('"(lib[cn][uv]%w*%.so[%d.]*)"')
      if library and not path:find("_cuda[%w_]*%.c$") then report("names %s", library) end
    end)
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
      "runtime/cuna_fft.h", "runtime/cuna_lapack.h", "runtime/cuna_linalg.h", "runtime/cuna_memory.h",
      "runtime/cuna_random.h", "runtime/cuna_statement.h" }
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
