--- find.lua: finds the entries of the catalog that speak of some words, for cn.help.
--
-- A word counts where a word of an entry begins with it: most in the name, less in the summary (its first sentence),
-- least in the rest of its text. Entries with more of the words come first, then those where they count for more. A
-- word that is in many entries counts for less than a rare one.
local catalog = require "cuna.tools.catalog"

local M = {}

local IN_NAME, IN_SUMMARY, IN_TEXT = 9, 3, 1
local WHOLE_NAME = 20 -- of a name that is the query, or whose parts are its words

-- What people say, and what the texts say.
local SAID = {average = "mean", blur = "filter", smooth = "filter", invert = "inverse", picture = "image",
  length = "size", parallel = "distributed", plot = "image", csv = "text", multiply = "product", add = "sum",
  delete = "remove", join = "concatenate", append = "concatenate", shuffle = "permutation", dice = "integers",
  bell = "normal", fit = "squares", count = "number", lookup = "search", gpu = "device", speed = "benchmark"}

-- They are in every other entry.
local EMPTY = {a = true, an = true, the = true, of = true, ["in"] = true, to = true, ["for"] = true, with = true,
  how = true, ["do"] = true, i = true, array = true, arrays = true, from = true, ["and"] = true, by = true, on = true}

--- A text as blank-separated lower-case words, with a blank at both ends, so that a plain search finds beginnings.
local function words_of(text) return " " .. text:lower():gsub("[^%w]+", " ") .. " " end

local indexed

--- The entries with their texts, made once: {entry, name, summary, text}. Types are not searched.
local function index()
  if indexed then return indexed end
  indexed = {}
  for _, entry in ipairs(catalog.load().entries) do
    local text = table.concat(entry.text, " ")
    local names = {entry.title}
    for _, pair in ipairs(entry.aliases) do names[#names + 1] = pair[2] end
    for _, param in ipairs(entry.params) do text = text .. " " .. param.text end
    if entry.kind ~= "alias" then
      indexed[#indexed + 1] = {entry = entry, name = words_of(table.concat(names, " ")),
        summary = words_of(text:match "^.-[.:]%f[%s%z]" or text), text = words_of(text)}
    end
  end
  return indexed
end

--- How much words that begin with `start` count in an entry: 0 if there are none.
local function count_start(item, start)
  if item.name:find(start, 1, true) then return IN_NAME end
  if item.summary:find(start, 1, true) then return IN_SUMMARY end
  return item.text:find(start, 1, true) and IN_TEXT or 0
end

--- How much a word counts in an entry; without its ending it counts for half.
local function count(item, word, other)
  if item.name:find(" " .. word .. " ", 1, true) then return IN_NAME + 1 end
  local best = count_start(item, " " .. word)
  if best == 0 and #word > 5 then best = count_start(item, " " .. word:sub(1, -3)) / 2 end
  if best == 0 and item.name:find(word, 1, true) then best = IN_SUMMARY end
  return other and math.max(best, count_start(item, " " .. other .. " ")) or best
end

--- The words of a query that are worth a search, each with what texts say in its place.
local function wanted(query)
  local words = {}
  for word in words_of(query):gmatch "%S+" do
    if not EMPTY[word] and #word > 1 then words[#words + 1] = {word, SAID[word] or SAID[word:gsub("s$", "")]} end
  end
  return words
end

--- The counts of all words in all entries, and the number of entries that have each.
local function counted(words)
  local rows, having = {}, {}
  for i, item in ipairs(index()) do
    local row = {item = item}
    for k, forms in ipairs(words) do
      local best = count(item, forms[1], forms[2])
      row[k] = best
      if best > 0 then having[k] = (having[k] or 0) + 1 end
    end
    rows[i] = row
  end
  return rows, having
end

local function score(row, having, query)
  local found, sum = 0, 0
  for k, best in ipairs(row) do
    if best > 0 then found, sum = found + 1, sum + best * (1 + 10 / (9 + having[k])) end
  end
  if row.item.name:find(query, 1, true) then sum = sum + WHOLE_NAME end
  if row.item.entry.owner == "cn" then sum = sum + IN_SUMMARY end
  return found, sum
end

--- The entries that have most of the words, best first.
---@param query string
---@return table[] entries
function M.entries(query)
  local words = wanted(query)
  local rows, having = counted(words)
  local found, most = {}, 1
  for _, row in ipairs(rows) do
    row.found, row.score = score(row, having, words_of(query))
    most = math.max(most, row.found)
  end
  for _, row in ipairs(rows) do
    if row.found == most then found[#found + 1] = row end
  end
  table.sort(found, function(a, b)
    return a.score > b.score or a.score == b.score and a.item.entry.title < b.item.entry.title
  end)
  for i, row in ipairs(found) do found[i] = row.item.entry end
  return found
end

--- The first sentence of an entry.
---@param entry table
---@return string
function M.summary(entry)
  local text = table.concat(entry.text, " ")
  return text:match "^(.-)[.:]%f[%s%z]" or text
end

return M
