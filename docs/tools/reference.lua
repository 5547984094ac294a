--- reference.lua: the pages of docs/reference/: one for each subject, and README.md with all names.
local catalog = require "cuna.tools.catalog"
local help = require "cuna.tools.help"
local subjects = require "cuna.tools.subjects"
require "cuna"

local M = {}

local FOLDER = "docs/reference/"

--- Text that Markdown shows as it is.
local function escaped(text)
  local parts = {}
  for plain, code in (text .. "``"):gmatch "([^`]*)(`[^`]*`)" do
    plain = plain:gsub("[*<]", "\\%0"):gsub("%]%(", "]\\("):gsub("%f[%w_]_", "\\_"):gsub("_%f[^%w_]", "\\_")
    parts[#parts + 1] = plain .. (code == "``" and "" or code)
  end
  return table.concat(parts)
end

local function cell(text) return (escaped(text):gsub("|", "\\|")) end
local function code_cell(text) return text == "" and "" or "`" .. text:gsub("|", "\\|") .. "`" end

local function add(lines, format, ...) lines[#lines + 1] = select("#", ...) > 0 and format:format(...) or format end

local function add_table(lines, heading, list, missing)
  if #list == 0 then return end
  add(lines, "")
  add(lines, "| %s | type | |", heading)
  add(lines, "|---|---|---|")
  for _, item in ipairs(list) do
    local kind = code_cell(item.type) .. (item.optional and missing or "")
    add(lines, "| %s | %s | %s |", code_cell(item.name), kind, cell(item.text))
  end
end

local function add_results(lines, entry)
  if #entry.returns == 0 then return end
  add(lines, "")
  local words = {}
  for _, item in ipairs(entry.returns) do
    local kind = "`" .. item.type .. (item.rest and " ..." or "") .. "`" .. (item.optional and " or nil" or "")
    words[#words + 1] = kind .. (item.text ~= "" and ", " .. escaped(item.text) or "")
  end
  add(lines, "Gives " .. table.concat(words, "; ") .. ".")
end

local function quoted(list)
  local words = {}
  for i, word in ipairs(list) do words[i] = "`" .. word .. "`" end
  return table.concat(words, ", ")
end

local function add_entry(lines, entry)
  local calls, names = help.calls(entry)
  add(lines, "")
  add(lines, "### %s", entry.title)
  add(lines, "")
  if entry.type then calls[1] = calls[1] .. " = " .. entry.type end
  if entry.kind ~= "class" then
    add(lines, quoted(calls) .. (#names > 0 and "; also " .. quoted(names) or ""))
    add(lines, "")
  end
  for _, line in ipairs(entry.text) do add(lines, "%s", escaped(line)) end
  add_table(lines, "argument", entry.params, ", optional")
  add_table(lines, "field", entry.fields, " or nil")
  add_results(lines, entry)
  if #entry.usages > 0 then add(lines, "\n```lua") end
  for _, usage in ipairs(entry.usages) do add(lines, "%s", usage.text) end
  if #entry.usages > 0 then add(lines, "```") end
  add(lines, "")
  add(lines, "[lua/cuna/%s.lua](../../lua/cuna/%s.lua)", entry.file, entry.file)
end

--- The name that GitHub gives to a heading.
local function anchor(title) return (title:lower():gsub("[^%w_ -]", ""):gsub(" ", "-")) end

local function link(entry, text) return ("[%s](%s.md#%s)"):format(text, entry.page, anchor(entry.title)) end

local GENERATED = "<!-- Made by `make docs` from the comments in lua/cuna/: change those. -->"

local function page_text(row, entries)
  local lines, words = {GENERATED, "# " .. row[2], ""}, {}
  for i, entry in ipairs(entries) do words[i] = ("[%s](#%s)"):format(entry.title, anchor(entry.title)) end
  add(lines, "%s", table.concat(words, ",\n"))
  for _, entry in ipairs(entries) do add_entry(lines, entry) end
  return table.concat(lines, "\n") .. "\n"
end

local INTRODUCTION = [[
# Reference

Pass arguments by position, or pass the optional ones in a table of options as the last argument: `cn.sum(x, 1)`,
`cn.sum(x, {axis = 1, keepdims = true})`. `x` in `x:sum()` is an array. A number or a nested table is accepted wherever
an array is expected. Positions and axes count from 1, negative ones from the end. Functions whose names end in `_`
change their array and return it. `cn.help "sum"` prints an entry of these pages. The value after `-->` is the result;
white space is shortened.

## Subjects
]]

--- All names with their entries: {{title, entry}, ...} from A to Z.
local function all_names(entries)
  local names = {}
  for _, entry in ipairs(entries) do
    names[#names + 1] = {entry.title, entry}
    for _, pair in ipairs(entry.aliases) do names[#names + 1] = {catalog.title(pair[1], pair[2]), entry} end
  end
  local function word(title) return title:match "[%w_]+$":lower() .. "\0" .. title end
  table.sort(names, function(a, b) return word(a[1]) < word(b[1]) end)
  return names
end

local function index_text(catalog_entries)
  local lines = {GENERATED, INTRODUCTION}
  for _, row in ipairs(subjects.rows) do add(lines, "- [%s](%s.md)", row[2], row[1]) end
  add(lines, "- [From NumPy and CuPy](../from_numpy_and_cupy.md)")
  add(lines, "\n## Names from A to Z\n\n| name | method | follows |\n|---|---|---|")
  for _, pair in ipairs(all_names(catalog_entries)) do
    local title, entry = pair[1], pair[2]
    local name = title:match "^cn%.([%w_]+)$"
    local method = name and catalog.entry("cuna.Array", name) == entry and "`x:" .. name .. "`" or ""
    add(lines, "| %s | %s | %s |", link(entry, title), method, entry.follows and "`" .. entry.follows .. "`" or "")
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The pages: their texts by their paths.
---@return table<string, string>
function M.make()
  local entries, by_page, pages = catalog.load().entries, {}, {}
  for _, row in ipairs(subjects.rows) do by_page[row[1]] = {} end
  for _, entry in ipairs(entries) do table.insert(by_page[entry.page], entry) end
  for _, row in ipairs(subjects.rows) do pages[FOLDER .. row[1] .. ".md"] = page_text(row, by_page[row[1]]) end
  pages[FOLDER .. "README.md"] = index_text(entries)
  return pages
end

return M
