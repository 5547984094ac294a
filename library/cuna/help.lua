---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Help.

---@class cuna
local cn = {}

--- Prints the documentation of a function: how to call it, what it does, its arguments and results, and examples.
--- Without a name it lists the subjects. A name is that of a function ("sum", "cuda.Event"), a method ("x:reshape",
--- "Stream:record"), a field ("x.shape"), a class ("Stream") or a subject ("sorting"). A function of cuna itself is
--- accepted too. An unknown name is an error that suggests the most similar one.
---
--- ```lua
--- cn.help("flatnonzero", {text = true}):match "^[^\n]+" --> cn.flatnonzero(x) x:flatnonzero()
--- cn.help(cn.amin, {text = true}):match "^%S+" --> cn.min(x,
--- ```
---@param name string|function|table|nil
---@param text boolean|nil # true returns the text instead of printing it
---@return string|nil
---@overload fun(name: string|function|table|nil, options: {text?: boolean}): string|nil
function cn.help(name, text) end
