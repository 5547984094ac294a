-- neovim.lua: the lengths of the vectors in a buffer's lines, which take the lines' places.
--
--     nvim --clean --headless -c "luafile examples/embedding/neovim.lua" -c "qa!"      (Neovim 0.9: nvim -l FILE)
--
-- LuaJIT's Neovim only (nvim --version says). Put LUA_PATH and LUA_CPATH of `make install` into the environment.
-- luacheck: globals vim
local cn = require "cuna"

vim.api.nvim_buf_set_lines(0, 0, -1, false, {"3 4", "5 12"})

local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
local x = cn.loadtxt({text = text}, {ndmin = 2})
local lengths = cn.linalg.norm(x, nil, 2)

local lines = {}
for k, length in lengths:iter() do lines[k] = ("%g"):format(length) end
vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
io.write(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), " "), "\n")
