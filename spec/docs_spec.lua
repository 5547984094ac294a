--- Every function of cuna and every method of arrays is documented, and the examples in the documentation hold.
--
-- A documentation block is the run of lines that begin with `---` right above a definition in lua/cuna/. It says what
-- the function does, its parameters and results in LuaLS's words, and holds at least one example:
--
--   ---@usage cn.arange(3), cn.arange(2) --> [0 1 2], [0 1]
--
-- Left of the arrow is an expression list in which `cn` is cuna; right of it stand its values as tostring has them,
-- joined by ", ". Runs of white space, line ends too, count as one blank. The field `doc` documents a row of ops.lua.
local cn = require "cuna"

for _, name in ipairs {"fuse", "ElementwiseKernel", "ReductionKernel", "ScanKernel", "RawKernel", "graph", "cuda",
  "add_reduce"} do
  assert(cn[name]) -- loads what is loaded when it is asked for
end
local core = require "cuna.core"
local rows = require "cuna.ops"

local function files()
  local list, pipe = {}, assert(io.popen "LC_ALL=C ls lua/cuna/*.lua")
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

--- The names that a line of code defines: {"F", "zeros"}, {"methods", "fill"}, ...
local function defined(line)
  local names = {}
  local owner, name = line:match "^function (%a+)[.:]([%w_]+)%("
  if owner then return {{owner, name}} end
  for place, word in (line:match "^([%a][%w_., ]*) = " or ""):gmatch "(%a+)%.([%w_]+)" do
    names[#names + 1] = {place, word}
  end
  return names
end

local OWNERS = {F = true, cn = true, methods = true}

--- All blocks: {path, line, names, text, usages = {{line, expression, expected}, ...}}.
local function read_blocks(path, blocks)
  local block, number = nil, 0
  for line in io.lines(path) do
    number = number + 1
    if line:find "^%-%-%-" then
      block = block or {path = path, line = number, usages = {}, text = ""}
      block.text = block.text .. line .. "\n"
      local expression, expected = line:match "^%-%-%-@usage (.-) %-%->%s?(.*)$"
      if expression then block.usages[#block.usages + 1] = {number, expression, expected} end
    elseif block then
      block.names = defined(line)
      if block.names[1] and OWNERS[block.names[1][1]] then blocks[#blocks + 1] = block end
      block = nil
    end
  end
  return blocks
end

local blocks = {}
for _, path in ipairs(files()) do read_blocks(path, blocks) end

--- Functions that have a block or a row, as a set; an alias is the same function.
local function documented()
  local set, methods = {}, core.methods()
  local function add(name)
    for _, owner in ipairs {cn, methods} do
      local value = rawget(owner, name)
      if type(value) == "function" then set[value] = true end
    end
  end
  for _, block in ipairs(blocks) do
    for _, name in ipairs(block.names) do
      add(name[2])
      local file = name[1] == "F" and require("cuna." .. block.path:match "([%w_]+)%.lua$")
      local value = file and file.functions and file.functions[name[2]]
      if value then set[value] = true end
    end
  end
  for _, row in ipairs(require "cuna.contents".rows) do -- whose stand-ins are one for each name
    local file = require("cuna." .. row[1])
    for name in row[2]:gmatch "%S+" do
      if set[file.functions[name]] then add(name) end
    end
  end
  for _, row in ipairs(rows) do
    for _, name in ipairs {row.name, unpack(row.alias or {})} do
      add(name)
      add(name .. "_")
      for _, form in ipairs {"_at", "_reduce", "_accumulate", "_outer"} do add(name .. form) end
    end
  end
  return set
end

local function fold_blanks(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

local function run(expression)
  local chunk, problem = loadstring("local cn, require = ... return " .. expression, "=example")
  if not chunk then return nil, problem end
  local results = {pcall(chunk, cn, require)}
  if not results[1] then return nil, results[2] end
  local texts = {}
  for i = 2, table.maxn(results) do texts[#texts + 1] = tostring(results[i]) end
  return fold_blanks(table.concat(texts, ", "))
end

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

describe("the documentation", function()
  it("names every function and method", function()
    local known, findings = documented(), {}
    for owner, functions in pairs {["cn."] = cn, ["x:"] = core.methods()} do
      for name, value in pairs(functions) do
        if type(value) == "function" and not known[value] then findings[#findings + 1] = owner .. name end
      end
    end
    table.sort(findings)
    fail_with(findings)
  end)

  it("has every function of a file that is loaded later in the table of contents", function()
    local findings = {}
    for _, row in ipairs(require "cuna.contents".rows) do
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
    for _, block in ipairs(blocks) do
      local function report(problem)
        findings[#findings + 1] = ("%s:%d: %s %s"):format(block.path, block.line, block.names[1][2], problem)
      end
      if not block.text:find "^%-%-%- %S" then report "does not begin with what it does" end
      if not block.text:find "\n%-%-%-@[pru]" then report "has no parameters, results or example" end
      if #block.usages == 0 then report "has no example" end
    end
    for _, row in ipairs(rows) do
      if type(row.doc) ~= "string" or #row.doc < 3 then
        findings[#findings + 1] = "ops.lua: " .. row.name .. " has no doc"
      end
    end
    fail_with(findings)
  end)

  it("has examples that hold", function()
    cn.prepare(function()
      for _, block in ipairs(blocks) do
        for _, usage in ipairs(block.usages) do
          if not usage[2]:find "prepare" then run(usage[2]) end
        end
      end
    end)
    local findings = {}
    for _, block in ipairs(blocks) do
      for _, usage in ipairs(block.usages) do
        local got, problem = run(usage[2])
        if got ~= fold_blanks(usage[3]) then
          findings[#findings + 1] = ("%s:%d: %s gives %s"):format(block.path, usage[1], usage[2], got or problem)
        end
      end
    end
    fail_with(findings)
  end)
end)
