--- einsum_text.lua: parses the subscripts of cn.einsum into labels of axes.
--
-- A term is a list of labels: letters, numbers where they came as tables, and M.REST for an ellipsis.
local check = require "cuna.base.check"
local core = require "cuna.core"

local M = {REST = "..."}

local fail = check.fail

--- Rejects the character at a column of the text.
local function refuse(name, text, column, what, advice)
  fail("%s: %s at column %d of %q%s", name, what, column, text, advice or "")
end

--- The labels of one term, the columns [first, last] of the text.
local function read_term(name, text, first, last)
  local labels, column, has_rest = {}, first, false
  while column <= last do
    local letter = text:sub(column, column)
    if letter:find "%a" then
      labels[#labels + 1] = letter
    elseif text:sub(column, math.min(column + 2, last)) == "..." then
      if has_rest then refuse(name, text, column, "a second ellipsis in one term") end
      labels[#labels + 1], has_rest = M.REST, true
      column = column + 2
    elseif letter == "." then
      refuse(name, text, column, "a dot", "; an ellipsis is three")
    elseif letter ~= " " then
      refuse(name, text, column, ("'%s'"):format(letter), "; letters, '...', ',' and one '->' may stand there")
    end
    column = column + 1
  end
  return labels
end

--- Checks that every label of the output occurs once there and in a term.
local function check_output(name, output, terms, where)
  local known, seen = {}, {}
  for _, term in ipairs(terms) do
    for _, label in ipairs(term) do known[label] = true end
  end
  for k, label in ipairs(output) do
    if seen[label] then fail("%s: the output has label %s twice%s", name, label, where(k)) end
    if label ~= M.REST and not known[label] then
      fail("%s: the output has label %s, and no input has%s", name, label, where(k))
    end
    seen[label] = true
  end
end

--- The column of an output's k-th label.
local function column_in(text, first)
  return function(k)
    local column, count = first - 1, 0
    repeat
      column = text:find("[%a.]", column + 1)
      count = count + 1
      if count < k and text:sub(column, column) == "." then column = column + 2 end
    until count == k
    return (", at column %d of %q"):format(column, text)
  end
end

local function parse(name, text)
  local arrow = text:find("->", 1, true)
  local terms, first, last = {}, 1, arrow and arrow - 1 or #text
  repeat
    local comma = text:find(",", first, true)
    if comma and comma > last then comma = nil end
    terms[#terms + 1] = read_term(name, text, first, comma and comma - 1 or last)
    first = comma and comma + 1
  until not comma
  if not arrow then return {terms = terms} end
  local output = read_term(name, text, arrow + 2, #text)
  check_output(name, output, terms, column_in(text, arrow + 2))
  return {terms = terms, output = output}
end

local MOST_KEPT = 64
local kept, nkept = {}, 0 -- by subscripts

--- Parses subscripts: {terms = one per array, output = a term or nil}.
---@param name string
---@param text string such as "ij,jk->ik"
function M.parse(name, text)
  if kept[text] then return kept[text] end
  local found = parse(name, text)
  if nkept == MOST_KEPT then kept, nkept = {}, 0 end
  kept[text], nkept = found, nkept + 1
  return found
end

--- A term given as a table of whole numbers and cn.ellipsis.
local function listed_term(name, list)
  if type(list) ~= "table" or core.is_array(list) then
    fail("%s: a list of labels such as {1, 2} follows each array, got %s", name, check.show(list))
  end
  local labels, has_rest = {}, false
  for k, label in ipairs(list) do
    local is_rest = rawequal(label, core.ellipsis)
    if not is_rest and (type(label) ~= "number" or label % 1 ~= 0) then
      fail("%s: a label in a list is a whole number or cn.ellipsis, got %s", name, check.show(label))
    end
    if is_rest and has_rest then fail("%s: a second ellipsis in one list of labels", name) end
    labels[k], has_rest = is_rest and M.REST or label, has_rest or is_rest
  end
  return labels
end

--- Reads arguments that alternate between arrays and lists of labels: the arrays, and the subscripts as from M.parse.
function M.listed(name, values, count)
  local arrays, parsed = {}, {terms = {}}
  for k = 1, count - count % 2, 2 do
    arrays[#arrays + 1] = values[k]
    parsed.terms[#parsed.terms + 1] = listed_term(name, values[k + 1])
  end
  if count % 2 == 1 then
    parsed.output = listed_term(name, values[count])
    check_output(name, parsed.output, parsed.terms, function() return "" end)
  end
  return arrays, parsed
end

--- Subscripts as text, for messages.
function M.show(parsed)
  local terms = {}
  for k, term in ipairs(parsed.terms) do terms[k] = table.concat(term) end
  return ("%q"):format(table.concat(terms, ",") .. (parsed.output and "->" .. table.concat(parsed.output) or ""))
end

return M
