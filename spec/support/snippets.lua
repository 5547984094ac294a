--- Code in Markdown: blocks with what they print, and the last column of tables.
local M = {}

--- The text of a file.
function M.text_of(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local function squeeze(line) return (line:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

--- The blocks of code in a language, each with the line it starts at.
function M.blocks_of(text, language)
  local blocks = {}
  for before, block in text:gmatch("()```" .. language .. "\n(.-)```") do
    local _, line = text:sub(1, before):gsub("\n", "")
    blocks[#blocks + 1] = {line = line + 1, text = block}
  end
  return blocks
end

--- The text after each `-->`, up to another comment.
function M.expected_of(block)
  local lines = {}
  for line in block:gmatch "[^\n]+" do
    local expected = line:match "%-%->(.*)$"
    if expected then lines[#lines + 1] = squeeze((expected:gsub("%-%- .*$", ""))) end
  end
  return lines
end

--- Runs a chunk; the lines that it prints.
function M.printed_by(chunk)
  local lines = {}
  local function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    for line in (table.concat(words, "\t") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = squeeze(line) end
  end
  setfenv(chunk, setmetatable({print = print}, {__index = _G}))()
  return lines
end

local function cells_of(row)
  local cells = {}
  for cell in row:gsub("\\|", "\0"):gmatch "|([^|]+)" do cells[#cells + 1] = (cell:gsub("%z", "|")) end
  return cells
end

--- Code in the last column of the tables of a text whose last heading names cuna; a `|` in it is written `\|`.
function M.table_code(text)
  local code, heading = {}, nil
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local cells = cells_of(line:match "^|.*" or "")
    local last = cells[#cells]
    heading = last and (heading or last)
    if last and heading ~= last and heading:find "%f[%w]cuna%f[%W]" then
      for piece in last:gmatch "`([^`]+)`" do code[#code + 1] = piece end
    end
  end
  return code
end

--- Runs a statement or an expression among some values.
function M.run(code, values)
  local chunk = loadstring("return " .. code) or assert(loadstring(code))
  setfenv(chunk, setmetatable(values, {__index = _G}))()
end

return M
