--- dtype_facts.lua: properties of dtypes by name, derived from the list core.dtypes.
local core = require "cuna.core"

local M = {
  kind_of = {}, -- "b" bool, "i" and "u" integers, "f" floats, "c" complex
  size_of = {}, -- bytes
  part_of = {complex64 = "float32", complex128 = "float64"}, -- the dtype of real and imaginary parts
}

for _, dtype in ipairs(core.dtypes) do
  M.kind_of[dtype.name], M.size_of[dtype.name] = dtype.kind, dtype.size
end

local kind_of = M.kind_of

function M.is_integer(name) return kind_of[name] == "i" or kind_of[name] == "u" end

function M.is_inexact(name) return kind_of[name] == "f" or kind_of[name] == "c" end

--- The name in kernel text of a dtype's element type in memory.
function M.storage(name) return name == "bool" and "bool8" or name end

--- The same of a dtype with the same sums and products: integers of one size wrap alike, with a sign or without.
function M.wrapping(name) return (M.storage(name):gsub("^int", "uint")) end

return M
