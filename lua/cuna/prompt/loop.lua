--- loop.lua: the prompt: reads Lua code, prints the values of expressions, and continues after errors and Ctrl-C.
--
-- A line is first compiled as an expression, then as a statement; incomplete input continues on the next line. Globals
-- live in the environment given to run, and so do the values of an input's locals after it, because people paste
-- scripts line by line. Code of the prompt is interpreted: a loop that LuaJIT has compiled does not see a Ctrl-C.
-- Functions of files are compiled as usual.
local core = require "cuna.core"
local jit_source = require "cuna.jit.source"
local values = require "cuna.prompt.values"

local M = {}

local function is_unfinished(message)
  return message:find("'<eof>'$") ~= nil
end

local function pass(...)
  return ...
end

-- After a statement. Its last local is that of the block.
local KEEP = "\ndo local keep = ... keep() end"

--- A function that, called at the end of a chunk, copies the chunk's locals into the environment.
local function keeper(env)
  return function()
    local name, value = debug.getlocal(2, 1)
    local k = 1
    while debug.getlocal(2, k + 1) do
      rawset(env, name, value)
      k = k + 1
      name, value = debug.getlocal(2, k)
    end
  end
end

--- The chunk of an expression or a statement, and what to call it with; or nil and a message. An expression becomes an
--- argument: after `return`, a call would be a tail call, and an error in it would have no line.
local function compile(text, env)
  local chunk, expression_message = loadstring("return " .. text, "=stdin")
  if chunk then
    local call = "local pass = ... return pass(" .. text
    -- A bracket on the next line would move the lines of errors; it is used only if the text ends in a comment.
    return setfenv(loadstring(call .. ")", "=stdin") or loadstring(call .. "\n)", "=stdin") or chunk, env), pass
  end
  local statement, message = loadstring(text, "=stdin")
  if statement then -- one that ends in `return` has nothing after it
    return setfenv(loadstring(text .. KEEP, "=stdin") or statement, env), keeper(env)
  end
  return nil, is_unfinished(expression_message) and expression_message or message
end

local function is_exit(text) return text:find "^%s*exit%s*%(?%s*%)?%s*;?%s*$" ~= nil end

--- "?name", as code.
local function with_help(text)
  local name = text:match "^%s*%?%s*(.-)%s*$"
  if not name then return text end
  return name == "" and "help()" or ("help(%q)"):format(name)
end

--- Reads one input of one or more lines.
---@return table|nil input {text, chunk, given}, the latter two from compile; without a text it was given up; nil at the
--- end of the input
local function read_input(io_, env)
  local text = io_.read("> ")
  if not text then return text == false and {} or nil end
  if is_exit(text) then return nil end
  text = with_help(text:gsub("^=", "return "))
  local chunk, given = compile(text, env)
  while not chunk and is_unfinished(given) do
    local line = io_.read(">> ")
    if line == false then return {} end
    if not line then break end
    text = text .. "\n" .. line
    chunk, given = compile(text, env)
  end
  return {text = text, chunk = chunk, given = given}
end

local function show(io_, ok, ...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = values.text((select(i, ...))) end
  if not ok then io_.write(io_.as_error(texts[1]), "\n")
  elseif #texts > 0 then io_.write(table.concat(texts, "\t"), "\n") end
end

local function report(err)
  return type(err) == "string" and err or tostring(err)
end

local function run_chunk(io_, input)
  jit_source.keep("=stdin", input.text) -- kernels need the text of their functions
  jit.off(input.chunk, true)
  core.keep_interrupts()
  show(io_, xpcall(input.chunk, report, input.given))
  core.take_interrupt() -- that came too late to be an error
end

local function environment()
  local cn = require "cuna"
  return setmetatable({cn = cn, help = cn.help}, {__index = _G, __newindex = _G})
end

local function plain(text) return text end

--- Runs the prompt until the input ends.
---@param env? table environment of the inputs; default: _G with `cn` and `help` in it
---@param io_ table with `read(prompt)`, which returns false for a line that was given up, `write(...)` and
--- `as_error(text)`, for colours
function M.run(env, io_)
  env = env or environment()
  io_.as_error = io_.as_error or plain
  core.keep_interrupts()
  while true do
    local input = read_input(io_, env)
    if not input then return io_.write "\n" end
    if input.chunk then
      run_chunk(io_, input)
    elseif input.text then
      io_.write(io_.as_error(input.given), "\n")
    end
  end
end

-- ---- at a terminal ----

local function has_colours(terminal)
  local term = os.getenv "TERM"
  return terminal.is_terminal(1) and not os.getenv "NO_COLOR" and term ~= nil and term ~= "dumb"
end

--- An editor with its history, or what reads lines where there is none.
local function open_reader(terminal, env, options)
  local term = os.getenv "TERM"
  local can_edit = terminal.is_terminal(0) and terminal.is_terminal(1) and term ~= nil and term ~= "dumb"
  local complete = function(line, word) return require("cuna.prompt.completion").complete(line, word, env) end
  local editor = can_edit and require("cuna.prompt.editor").open(complete, options.libraries)
  if not editor then return terminal.read end
  local history = require "cuna.prompt.history"
  local lines, keep = history.open(history.path())
  for _, line in ipairs(lines) do editor.add(line) end
  local latest = lines[#lines]
  return function(prompt)
    local text = editor.read(prompt)
    if text and text:find "%S" and text ~= latest then
      latest = text
      editor.add(text)
      local problem = keep(text)
      if problem then io.write("cuna: ", problem, "\n") end
    end
    return text
  end
end

local function banner(cn)
  local found, device = pcall(cn.device)
  local where = found and ("%s, %s"):format(device.name, device.model) or device
  return ("cuna %s on %s; %s\n`cn` is loaded; ?name or help() explains, Tab completes, Ctrl-D or exit ends"):format(
    cn._VERSION, jit.version, where)
end

--- Runs the prompt at the terminal, or over whatever the standard input is.
---@param options? {libraries?: string[]} libraries for editing, by default those of prompt/editor.lua; {}: none
function M.start(options)
  local terminal, env = require "cuna.prompt.terminal", environment()
  local read = open_reader(terminal, env, options or {})
  local as_error = has_colours(terminal) and function(text) return "\27[31m" .. text .. "\27[0m" end or nil
  io.stdout:setvbuf("no")
  io.write(banner(env.cn), "\n")
  M.run(env, {read = read, as_error = as_error, write = function(...) io.write(...) end})
end

return M
