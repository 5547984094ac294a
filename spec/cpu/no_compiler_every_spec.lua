--- Without a C++ compiler every public function works on the cpu device, but for those that take a user's text.
--
-- The calls are the examples of the documentation, and those that misuse is derived from
-- (spec/support/every_function.lua).
local process = require "spec.support.process"

local HEAD = [=[
  local catalog = require "cuna.tools.catalog"
  local cn = require "cuna"
  local every = require "spec.support.every_function"
  local count = 0

  --- Prints the name of a call that is refused for want of a compiler, and the call.
  local function try(title, text, call)
    cn.device "cpu":use() -- an example before may have chosen another one
    local results = {pcall(call)}
    local ok, why = results[1], results[2]
    for k = 2, ok and table.maxn(results) or 0 do
      ok, why = pcall(tostring, results[k]) -- what was recorded is computed now
      if not ok then break end
    end
    count = count + 1
    if not ok and tostring(why):find "CompileError" then print(title .. "\t" .. text:gsub("%s+", " ")) end
  end
]=]

local EXAMPLES = [=[
  local names = setmetatable({print = function() end}, {__index = _G})
  for _, entry in ipairs(catalog.load().entries) do
    for _, usage in ipairs(entry.usages) do
      local chunk = assert(loadstring("local cn = ... return " .. usage.expression))
      try(entry.title, usage.expression, function() return setfenv(chunk, names)(cn) end)
    end
  end
]=]

local CALLS = [=[
  for _, one in ipairs(every.functions()) do
    local list, given = every.arguments(one, every.operands(cn.device "cpu"))
    try(one.title, one.title, function() return one.call(unpack(list, 1, given)) end)
  end
]=]

-- What compiles a user's text, or compiles ahead, by words of its calls.
local TEXTS = {"ElementwiseKernel", "ReductionKernel", "ScanKernel", "RawKernel", "RawModule", "SourceModule",
  "prepare", "generic_filter%({[^}]*}, \"", "jit", "vectorize%(function%(a%) if"}

local function takes_text(line)
  for _, word in ipairs(TEXTS) do
    if line:find(word) then return true end
  end
  return false
end

describe("without a compiler", function()
  local folder
  setup(function() folder = process.folder() end)
  teardown(function() process.remove(folder) end)

  --- Runs calls; how many there were, and those that were refused.
  local function run(text)
    local output = process.must_run(HEAD .. text .. "  print('calls', count)", {CUNA_DEVICE = "cpu",
      CUNA_CXX = "/nonexistent", CUNA_CACHE_DIR = folder, CUNA_PACK_DIR = "off", CUNA_COMPILE = false,
      LUA_PATH = process.root .. "/?.lua;" .. (os.getenv "LUA_PATH" or ";")})
    local refused = {}
    for line in output:gmatch "[^\n]+" do
      if not line:find "^calls\t" and line:find "\t" then refused[#refused + 1] = line end
    end
    return tonumber(output:match "calls\t(%d+)"), refused
  end

  it("every example runs that has no text of a user", function()
    local count, refused = run(EXAMPLES)
    assert.is_true(count > 900)
    for _, line in ipairs(refused) do assert.is_true(takes_text(line), line) end
    assert.is_true(#refused > 10) -- users' texts need one
  end)

  it("every function of arrays runs", function()
    local count, refused = run(CALLS)
    assert.is_true(count > 350)
    assert.same({}, refused)
  end)
end)
