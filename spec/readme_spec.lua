--- Every piece of code in the README runs: its blocks print what stands behind `-->`, and the expressions of its table
--- of NumPy and cuna mean something.
local cn = require "cuna"

local function text_of(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local function squeeze(line) return (line:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

--- The blocks of code in a language, each with the line it starts at.
local function blocks_of(text, language)
  local blocks = {}
  for before, block in text:gmatch("()```" .. language .. "\n(.-)```") do
    local _, line = text:sub(1, before):gsub("\n", "")
    blocks[#blocks + 1] = {line = line + 1, text = block}
  end
  return blocks
end

--- What stands behind `-->`, up to a further comment.
local function expected_of(block)
  local lines = {}
  for line in block:gmatch "[^\n]+" do
    local expected = line:match "%-%->(.*)$"
    if expected then lines[#lines + 1] = squeeze((expected:gsub("%-%- .*$", ""))) end
  end
  return lines
end

--- Runs a chunk; the lines that it prints.
local function printed_by(chunk)
  local lines = {}
  local function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    for line in (table.concat(words, "\t") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = squeeze(line) end
  end
  setfenv(chunk, setmetatable({print = print}, {__index = _G}))()
  return lines
end

--- Code in the last column of the table under a heading.
local function table_code(text, heading)
  local code = {}
  local part = text:match("\n## " .. heading .. "\n(.-)\n## ")
  for cell in part:gmatch "\n|[^\n]*|([^|\n]*)|%f[\n]" do
    for piece in cell:gmatch "`([^`]+)`" do code[#code + 1] = piece end
  end
  return code
end

--- What the code of the table speaks of.
local function subjects()
  local x = cn.array {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
  return {cn = cn, v = cn.arange(5), x = x, y = cn.ones {3, 4}, z = cn.zeros {3, 4}, m = x:gt(2)}
end

local readme = text_of "README.md"

describe("the README's", function()
  for _, block in ipairs(blocks_of(readme, "lua")) do
    it("block of line " .. block.line .. " prints what it says", function()
      assert.same(expected_of(block.text), printed_by(assert(loadstring(block.text))))
    end)
  end

  for _, code in ipairs(table_code(readme, "NumPy beside cuna")) do
    it("code " .. code .. " runs", function()
      local chunk = loadstring("return " .. code) or assert(loadstring(code))
      setfenv(chunk, setmetatable(subjects(), {__index = _G}))()
    end)
  end
end)
