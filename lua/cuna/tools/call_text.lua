--- call_text.lua: runs a call or an assignment that is given as text, for lists of calls.

--- Runs a text, in which names are the fields of a table.
---@param text string "cn.sum(x)", "x[p] = 1"
---@param names table
return function(text, names)
  local is_statement = text:find "%] = "
  local chunk = assert(loadstring((is_statement and "" or "return ") .. text, text))
  setfenv(chunk, names)()
end
