--- parse.lua: parses the Lua of kernels to a syntax tree.
--
-- The parser is a recursive descent over tokens. Nodes are {tag =, line =, ...}. Names of variables are bound to
-- {name, line, fn}; other names stay free: upvalues or globals of the function. Statements and expressions that kernels
-- cannot have are rejected, with their line and an alternative.
local lex = require "cuna.jit.lex"

local M = {}

local fail = lex.fail
local expression, block, body -- functions that call each other

-- Left and right binding powers; the right one of .. and ^ is lower, so they group to the right.
local BINARY = {
  ["or"] = {1, 1}, ["and"] = {2, 2}, ["<"] = {3, 3}, [">"] = {3, 3}, ["<="] = {3, 3}, [">="] = {3, 3}, ["~="] = {3, 3},
  ["=="] = {3, 3}, [".."] = {5, 4}, ["+"] = {6, 6}, ["-"] = {6, 6}, ["*"] = {7, 7}, ["/"] = {7, 7}, ["%"] = {7, 7},
  ["^"] = {10, 9},
}
local UNARY = {["not"] = 8, ["-"] = 8, ["#"] = 8}

-- ---- tokens ----

local function kind(p) return p.tokens[p.at][1] end
local function line(p) return p.tokens[p.at][3] end
local function node(tag, at, fields)
  fields.tag, fields.line = tag, at
  return fields
end

--- Returns the token's text and advances to the next token.
local function take(p)
  local token = p.tokens[p.at]
  p.at = p.at + 1
  return token[2], token[3]
end

local function accept(p, wanted)
  if kind(p) ~= wanted then return false end
  p.at = p.at + 1
  return true
end

local function expect(p, wanted, opening, opened_at)
  if kind(p) ~= wanted then
    local where = opening and (" to close '%s' of line %d"):format(opening, opened_at) or ""
    fail(line(p), "'%s' expected%s near '%s'", wanted, where, tostring(p.tokens[p.at][2]))
  end
  return take(p)
end

local function name(p) return expect(p, "name") end

-- ---- variables ----

local function open(p) p.scope = {outer = p.scope, variables = {}} end
local function close(p) p.scope = p.scope.outer end

local function declare(p, word, at)
  local variable = {name = word, line = at, fn = p.fn, assignments = 0}
  p.scope.variables[word] = variable
  return variable
end

local function find(p, word)
  local scope = p.scope
  while scope do
    if scope.variables[word] then return scope.variables[word] end
    scope = scope.outer
  end
end

-- ---- expressions ----

local function number(p)
  local text, at = take(p)
  if text:find "[iI]$" and not text:find "^0[xX]" then fail(at, "kernels have no complex numbers: %s", text) end
  local digits, suffix = text:match "^(.-)([uU]?[lL][lL])$"
  if digits then
    return node("number", at, {value = tonumber(digits), digits = digits, suffix = suffix:upper()})
  end
  local value = tonumber(text)
  if not value then fail(at, "malformed number near '%s'", text) end
  return node("number", at, {value = value, is_float = value % 1 ~= 0 or text:find(".", 1, true) ~= nil})
end

--- {a, b}: positions along several axes.
local function table_constructor(p)
  local at, items = line(p), {}
  expect(p, "{")
  while kind(p) ~= "}" do
    local next_token = p.tokens[p.at + 1]
    if kind(p) == "[" or (kind(p) == "name" and next_token[1] == "=") then
      fail(line(p), "kernels have no tables; {i, j} stands for positions in x[{i, j}] and for a shape only")
    end
    items[#items + 1] = expression(p)
    if not (accept(p, ",") or accept(p, ";")) then break end
  end
  expect(p, "}", "{", at)
  return node("table", at, {items = items})
end

local function expressions(p)
  local list = {expression(p)}
  while accept(p, ",") do list[#list + 1] = expression(p) end
  return list
end

local function arguments(p, callee)
  local at = line(p)
  if kind(p) == "string" then
    local value = take(p)
    return node("call", at, {callee = callee, arguments = {node("string", at, {value = value})}})
  elseif kind(p) == "{" then
    return node("call", at, {callee = callee, arguments = {table_constructor(p)}})
  end
  expect(p, "(")
  local list = kind(p) == ")" and {} or expressions(p)
  expect(p, ")", "(", at)
  return node("call", at, {callee = callee, arguments = list})
end

local function primary(p)
  if kind(p) == "(" then
    local _, at = take(p)
    local inner = expression(p)
    expect(p, ")", "(", at)
    return node("paren", at, {inner = inner})
  elseif kind(p) == "name" then
    local word, at = take(p)
    return node("name", at, {name = word, variable = find(p, word)})
  end
  fail(line(p), "unexpected '%s'", tostring(p.tokens[p.at][2]))
end

local function suffixed(p)
  local e = primary(p)
  while true do
    local at, token = line(p), kind(p)
    if token == "." then
      take(p)
      e = node("index", at, {object = e, key = node("string", at, {value = (name(p))}), is_field = true})
    elseif token == "[" then
      take(p)
      e = node("index", at, {object = e, key = expression(p)})
      expect(p, "]", "[", at)
    elseif token == ":" then
      take(p)
      e = arguments(p, node("method", at, {object = e, name = (name(p))}))
    elseif token == "(" or token == "string" or token == "{" then
      e = arguments(p, e)
    else
      return e
    end
  end
end

local SIMPLE = {}
SIMPLE.number = number
function SIMPLE.string(p) local value, at = take(p) return node("string", at, {value = value}) end
SIMPLE["nil"] = function(p) local _, at = take(p) return node("nil", at, {}) end
SIMPLE["true"] = function(p) local _, at = take(p) return node("boolean", at, {value = true}) end
SIMPLE["false"] = function(p) local _, at = take(p) return node("boolean", at, {value = false}) end
SIMPLE["{"] = table_constructor
SIMPLE["..."] = function(p) fail(line(p), "kernels have no varargs ('...')") end
SIMPLE["function"] = function(p)
  local _, at = take(p)
  return body(p, at)
end

local function simple(p) return (SIMPLE[kind(p)] or suffixed)(p) end

--- An expression whose operators all bind stronger than `limit`.
function expression(p, limit)
  local left
  if UNARY[kind(p)] then
    local operator, at = take(p)
    left = node("unary", at, {operator = operator, operand = expression(p, UNARY[operator])})
  else
    left = simple(p)
  end
  while BINARY[kind(p)] and BINARY[kind(p)][1] > (limit or 0) do
    local operator, at = take(p)
    if operator == ".." then fail(at, "kernels have no strings to join ('..')") end
    left = node("binary", at, {operator = operator, left = left, right = expression(p, BINARY[operator][2])})
  end
  return left
end

--- Parameters and block of a function, after the keyword; `own` is the variable with its name.
function body(p, at, own)
  local fn = node("function", at, {params = {}, outer = p.fn, name = own and own.name})
  local outer, loop = p.fn, p.loop
  p.fn, p.loop = fn, nil
  open(p)
  local opened_at = line(p)
  expect(p, "(")
  while kind(p) ~= ")" do
    if kind(p) == "..." then fail(line(p), "kernels have no varargs ('...')") end
    local word, word_at = name(p)
    fn.params[#fn.params + 1] = declare(p, word, word_at)
    if not accept(p, ",") then break end
  end
  expect(p, ")", "(", opened_at)
  fn.body = block(p)
  close(p)
  fn.last_line = line(p)
  expect(p, "end", "function", at)
  p.fn, p.loop = outer, loop
  return fn
end

-- ---- statements ----

local STATEMENT = {}

--- The block of a loop or branch, in a new scope.
local function inner_block(p)
  open(p)
  local list = block(p)
  close(p)
  return list
end

--- Reads the block of a loop; returns it, and whether a break in it leaves this loop.
local function loop_block(p, read)
  local loop = {outer = p.loop, breaks = false}
  p.loop = loop
  local list = read(p)
  p.loop = loop.outer
  return list, loop.breaks
end

local function is(condition, value) return condition.tag == "boolean" and condition.value == value end

STATEMENT["do"] = function(p, at)
  local list = inner_block(p)
  expect(p, "end", "do", at)
  return node("do", at, {body = list})
end

STATEMENT["while"] = function(p, at)
  local condition = expression(p)
  expect(p, "do")
  local list, breaks = loop_block(p, inner_block)
  expect(p, "end", "while", at)
  return node("while", at, {condition = condition, body = list, is_endless = is(condition, true) and not breaks})
end

--- The condition sees the block's variables.
STATEMENT["repeat"] = function(p, at)
  open(p)
  local list, breaks = loop_block(p, block)
  expect(p, "until", "repeat", at)
  local condition = expression(p)
  close(p)
  return node("repeat", at, {condition = condition, body = list, is_endless = is(condition, false) and not breaks})
end

STATEMENT["if"] = function(p, at)
  local clauses, otherwise = {}, nil
  repeat
    local condition = expression(p)
    expect(p, "then")
    clauses[#clauses + 1] = {condition = condition, body = inner_block(p)}
  until not accept(p, "elseif")
  if accept(p, "else") then otherwise = inner_block(p) end
  expect(p, "end", "if", at)
  return node("if", at, {clauses = clauses, otherwise = otherwise})
end

STATEMENT["for"] = function(p, at)
  local word, word_at = name(p)
  if kind(p) ~= "=" then fail(at, "kernels have numeric loops only: for i = first, last[, step] do") end
  take(p)
  local first = expression(p)
  expect(p, ",")
  local last = expression(p)
  local step = accept(p, ",") and expression(p) or nil
  expect(p, "do")
  open(p)
  local variable = declare(p, word, word_at)
  local list = loop_block(p, inner_block)
  close(p)
  expect(p, "end", "for", at)
  return node("for", at, {variable = variable, first = first, last = last, step = step, body = list})
end

STATEMENT["function"] = function(_, at)
  fail(at, "a function of a kernel is local: local function f(...)")
end

local function local_function(p, at)
  local word, word_at = name(p)
  local variable = declare(p, word, word_at)
  return node("local function", at, {variable = variable, fn = body(p, at, variable)})
end

--- New variables are in scope after their statement.
STATEMENT["local"] = function(p, at)
  if accept(p, "function") then return local_function(p, at) end
  local words = {}
  repeat
    words[#words + 1] = {name(p)}
    if kind(p) == "<" then fail(at, "LuaJIT's variables have no attributes ('<')") end
  until not accept(p, ",")
  local values, variables = accept(p, "=") and expressions(p) or {}, {}
  for k, word in ipairs(words) do
    variables[k] = declare(p, word[1], word[2])
    if values[k] and values[k].tag == "function" then values[k].name = word[1] end
  end
  return node("local", at, {variables = variables, values = values})
end

STATEMENT["return"] = function(p, at)
  local values = {}
  if kind(p) ~= "end" and kind(p) ~= "else" and kind(p) ~= "elseif" and kind(p) ~= "until" and kind(p) ~= ";" then
    values = expressions(p)
  end
  accept(p, ";")
  return node("return", at, {values = values})
end

STATEMENT["break"] = function(p, at)
  if not p.loop then fail(at, "no loop to break") end
  p.loop.breaks = true
  return node("break", at, {})
end

STATEMENT["::"] = function(_, at) fail(at, "kernels have no goto and no labels; use loops and if") end

local function check_target(e)
  if e.tag == "name" then
    if not e.variable then
      fail(e.line, "'%s' is not a local variable of the kernel and cannot be assigned; results go into arrays", e.name)
    end
    e.variable.assignments = e.variable.assignments + 1
  elseif e.tag ~= "index" then
    fail(e.line, "cannot assign to this expression")
  elseif e.is_field then
    fail(e.line, "a kernel assigns to variables and elements of arrays, not to the field '%s'", e.key.value)
  end
end

local function expression_statement(p, at)
  if kind(p) == "name" and p.tokens[p.at][2] == "goto" and p.tokens[p.at + 1][1] == "name" then
    fail(at, "kernels have no goto and no labels; use loops and if")
  end
  local e = suffixed(p)
  if kind(p) ~= "=" and kind(p) ~= "," then
    if e.tag ~= "call" then fail(at, "a statement is a call or an assignment, near '%s'", p.tokens[p.at][2]) end
    return node("call statement", at, {call = e})
  end
  local targets = {e}
  while accept(p, ",") do targets[#targets + 1] = suffixed(p) end
  expect(p, "=")
  for _, target in ipairs(targets) do check_target(target) end
  return node("assign", at, {targets = targets, values = expressions(p)})
end

local ENDS = {["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true, eof = true}

--- Statements up to the keyword that ends the block.
function block(p)
  local list = {}
  while not ENDS[kind(p)] do
    local at = line(p)
    if not accept(p, ";") then
      local read = STATEMENT[kind(p)]
      if read then take(p) end
      local statement = (read or expression_statement)(p, at)
      list[#list + 1] = statement
      if statement.tag == "return" and not ENDS[kind(p)] then fail(at, "return ends a block") end
    end
  end
  return list
end

--- The tree of the function whose keyword is token number `at`.
---@param tokens table[] of jit_lex.tokens
---@param at integer
---@return table
function M.parse(tokens, at)
  local p = {tokens = tokens, at = at + 1}
  open(p)
  return body(p, tokens[at][3])
end

return M
