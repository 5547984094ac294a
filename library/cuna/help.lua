---@meta _
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.
-- Help.

---@class cuna
local cn = {}

--- Prints the documentation of a function: how to call it, what it does, its arguments and results, and examples.
--- Without a name it lists the subjects. A name is that of a function ("sum", "cuda.Event"), a method ("x:reshape",
--- "Stream:record"), a field ("x.shape"), a class ("Stream"), a subject ("sorting") or a page about syntax ("index",
--- "mask", "operators"). A function of cuna itself is accepted too. Other words are searched in the texts of all
--- entries, which are listed, best first. A name that nothing has is an error that suggests the most similar one.
---
--- ```lua
--- cn.help("flatnonzero", {text = true}):match "^[^\n]+" --> cn.flatnonzero(x) x:flatnonzero()
--- cn.help(cn.amin, {text = true}):match "^%S+" --> cn.min(x,
--- cn.help("gaussian blur", {text = true}):match "  (cn%S+)" --> cn.ndimage.gaussian_filter
--- ```
---@param name string|function|table|nil
---@param text boolean|nil # true returns the text instead of printing it
---@return string|nil
---@overload fun(name: string|function|table|nil, options: {text?: boolean}): string|nil
function cn.help(name, text) end
