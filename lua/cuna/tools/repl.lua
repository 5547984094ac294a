--- The prompt of `build/cuna`: reads Lua code, prints the values of expressions, and continues after errors.
--
-- A line is first compiled as an expression, then as a statement; incomplete input continues on the next line. Locals
-- exist for one input, as in the standalone Lua; globals live in the environment given to run.
local jit_source = require "cuna.jit.source"

local M = {}

local function is_unfinished(message)
  return message:find("'<eof>'$") ~= nil
end

local function pass(...)
  return ...
end

--- The chunk of an expression or a statement; call it with `pass`. An expression becomes an argument: after
--- `return`, a call would be a tail call, and an error in it would have no line.
local function compile(text, env)
  local chunk, expression_message = loadstring("return " .. text, "=stdin")
  if chunk then
    local call = "local pass = ... return pass(" .. text
    -- A bracket on the next line would move the lines of errors; it is used only if the text ends in a comment.
    return setfenv(loadstring(call .. ")", "=stdin") or loadstring(call .. "\n)", "=stdin") or chunk, env)
  end
  local statement, message = loadstring(text, "=stdin")
  if statement then return setfenv(statement, env) end
  return nil, is_unfinished(expression_message) and expression_message or message
end

--- Reads one input of one or more lines; returns its chunk, or nil and the message, or nothing at the end of the input.
local function read_chunk(io_, env)
  io_.write("> ")
  local text = io_.read()
  if not text then return end
  text = text:gsub("^=", "return ")
  local chunk, message = compile(text, env)
  while not chunk and is_unfinished(message) do
    io_.write(">> ")
    local line = io_.read()
    if not line then break end
    text = text .. "\n" .. line
    chunk, message = compile(text, env)
  end
  return chunk, message, text
end

local function show(io_, ok, ...)
  local texts = {}
  for i = 1, select("#", ...) do
    local printable, text = pcall(tostring, (select(i, ...)))
    texts[i] = printable and text or "(cannot be printed: " .. tostring(text) .. ")"
  end
  if not ok then io_.write(texts[1], "\n")
  elseif #texts > 0 then io_.write(table.concat(texts, "\t"), "\n") end
end

local function report(err)
  return type(err) == "string" and err or tostring(err)
end

--- Runs the prompt until the input ends.
---@param env? table environment of the inputs; default: _G with `cn` in it
---@param io_? table with `read()` and `write(...)`, for tests; default: the standard input and output
function M.run(env, io_)
  env = env or setmetatable({ cn = require "cuna" }, { __index = _G, __newindex = _G })
  io_ = io_ or { read = io.read, write = io.write }
  while true do
    local chunk, message, text = read_chunk(io_, env)
    if chunk then
      jit_source.keep("=stdin", text) -- kernels need the text of their functions
      show(io_, xpcall(chunk, report, pass))
    elseif message then
      io_.write(message, "\n")
    else
      io_.write("\n")
      return
    end
  end
end

if ... == nil then -- run as a script, not required
  io.stdout:setvbuf("no")
  print("cuna on " .. jit.version .. "; `cn` is loaded, end with Ctrl-D")
  M.run()
end

return M
