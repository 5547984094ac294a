--- The symbols of CUDA's libraries beside the driver, held against an installed toolkit; no GPU is needed.
--
-- A library's rows are X(symbol, field, parameters) in a header of runtime/, in types of ours. They must be its own
-- prototypes once the parameters that `types` names have its types.
local process = require "spec.support.process"

local LIBRARIES = {
  {name = "libcurand", rows = "runtime/rand_cuda.h", includes = {"curand.h"}, status = "curandStatus_t",
    types = {["void %*%*generator"] = "curandGenerator_t *generator", ["int method"] = "curandRngType_t method",
      ["void %*generator"] = "curandGenerator_t generator", ["cu_stream stream"] = "cudaStream_t stream"},
    wrong = {["unsigned long long seed"] = "unsigned seed", ["float mean, float"] = "double mean, float"}},
}

local function lines_of(command)
  local lines = {}
  for line in process.shell(command .. " 2>/dev/null"):gmatch "[^\n]+" do lines[#lines + 1] = line end
  return lines
end

--- A path below a toolkit's folder that there is.
local function find(pattern)
  for _, root in ipairs {os.getenv "CUDA_HOME" or "", os.getenv "CUDA_PATH" or "", "/usr/local/cuda", "/usr"} do
    local path = root:find "^/" and lines_of(("ls -d %s/%s"):format(process.quote(root), pattern))[1]
    if path then return path end
  end
end

local function rows_of(text)
  local rows = {}
  for symbol, parameters in text:gsub("\\\n", " "):gmatch 'X%("([%w_]+)",%s*[%w_]+,%s*(%b())%)' do
    rows[#rows + 1] = {symbol = symbol, parameters = (parameters:gsub("%s+", " "))}
  end
  return rows
end

--- What the compiler says of rows that it reads as the library's prototypes.
local function compare(library, rows, include)
  local lines = {}
  for _, header in ipairs(library.includes) do lines[#lines + 1] = ("#include <%s>"):format(header) end
  for _, row in ipairs(rows) do
    local parameters = row.parameters
    for ours, theirs in pairs(library.types) do parameters = parameters:gsub(ours, theirs) end
    lines[#lines + 1] = ('_Static_assert(__builtin_types_compatible_p(__typeof__(%s), %s %s), "%s");'):format(
      row.symbol, library.status, parameters, row.symbol)
  end
  local folder = process.folder()
  process.write(folder .. "/rows.c", table.concat(lines, "\n") .. "\n")
  local said, status = process.shell(("cc -std=gnu11 -Wall -fsyntax-only -isystem %s %s/rows.c"):format(
    process.quote(include), folder))
  process.remove(folder)
  return said, status
end

for _, library in ipairs(LIBRARIES) do
  describe("the rows of " .. library.rows, function()
    local rows = rows_of(process.read(library.rows))
    local header = find("include/" .. library.includes[#library.includes])
    local include = header and header:match "^(.*)/"

    it("are found by this spec", function()
      local _, count = process.read(library.rows):gsub('\n    X%("', "")
      assert.equal(count, #rows)
    end)

    it("name symbols that the library exports", function()
      local path = find("lib64/" .. library.name .. ".so*") or find("lib/x86_64-linux-gnu/" .. library.name .. ".so*")
      if not path then return pending("no " .. library.name .. " on this machine") end
      local exported, missing = {}, {}
      for _, line in ipairs(lines_of("nm -D --defined-only " .. process.quote(path))) do
        exported[line:match "%s([%w_]+)[@%w_.]*$" or ""] = true
      end
      for _, row in ipairs(rows) do
        if not exported[row.symbol] then missing[#missing + 1] = row.symbol end
      end
      assert.same({}, missing)
    end)

    it("have the signatures of its headers", function()
      if not include then return pending("no headers of " .. library.name .. " on this machine") end
      assert.same({"", 0}, {compare(library, rows, include)})
    end)

    it("would not be let through with others", function()
      if not include then return pending("no headers of " .. library.name .. " on this machine") end
      for from, to in pairs(library.wrong) do
        local changed, count = {}, 0
        for k, row in ipairs(rows) do
          local first, last = row.parameters:find(from, 1, true)
          count = count + (first and 1 or 0)
          changed[k] = {symbol = row.symbol, parameters = first and row.parameters:sub(1, first - 1) .. to
            .. row.parameters:sub(last + 1) or row.parameters}
        end
        assert(count > 0, library.rows .. " no longer says " .. from)
        local said, status = compare(library, changed, include)
        assert(status ~= 0 and said:find("static assertion failed", 1, true), "let through: " .. to .. "\n" .. said)
      end
    end)
  end)
end
