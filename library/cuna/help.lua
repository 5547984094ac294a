---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Help.

---@class cuna
local cn = {}

--- Prints what this documentation says of a function: how it is called, what it does, takes and gives, and examples.
--- Without a name it lists the subjects. A name may be that of a function ("sum", "cuda.Event"), a method ("x:reshape",
--- "Stream:record"), a field ("x.shape"), a class ("Stream") or a subject ("sorting"); a function of cuna's itself
--- will do, too. A name that is nothing raises, with the nearest that is something.
---
--- ```lua
--- cn.help("flatnonzero", {text = true}):match "^[^\n]+" --> cn.flatnonzero(x) x:flatnonzero()
--- cn.help(cn.amin, {text = true}):match "^%S+" --> cn.min(x,
--- ```
---@param name string|function|table|nil
---@param text boolean|nil # true returns the text in place of printing it
---@return string|nil
---@overload fun(name: string|function|table|nil, options: {text?: boolean}): string|nil
function cn.help(name, text) end
