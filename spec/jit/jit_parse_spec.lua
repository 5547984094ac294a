--- The Lua of kernels as tokens and as a tree.
local lex = require "cuna.jit.lex"
local parse = require "cuna.jit.parse"

local show

local function show_list(list)
  local texts = {}
  for k, node in ipairs(list) do texts[k] = show(node) end
  return table.concat(texts, " ")
end

local SHOW = {
  number = function(n) return (n.digits or tostring(n.value)) .. (n.suffix or n.is_float and "f" or "") end,
  string = function(n) return ("%q"):format(n.value) end,
  boolean = function(n) return tostring(n.value) end,
  name = function(n) return n.name .. (n.variable and "" or "?") end,
  paren = function(n) return "[" .. show(n.inner) .. "]" end,
  table = function(n) return "{" .. show_list(n.items) .. "}" end,
  index = function(n) return ("(at %s %s)"):format(show(n.object), show(n.key)) end,
  call = function(n) return ("(call %s)"):format(show_list { n.callee, unpack(n.arguments) }) end,
  unary = function(n) return ("(%s %s)"):format(n.operator, show(n.operand)) end,
  binary = function(n) return ("(%s %s %s)"):format(n.operator, show(n.left), show(n.right)) end,
  ["function"] = function(n)
    local params = {}
    for k, variable in ipairs(n.params) do params[k] = variable.name end
    return ("(fn (%s) %s)"):format(table.concat(params, " "), show_list(n.body))
  end,
  ["local"] = function(n)
    local names = {}
    for k, variable in ipairs(n.variables) do names[k] = variable.name end
    return ("(local %s = %s)"):format(table.concat(names, " "), show_list(n.values))
  end,
  ["local function"] = function(n) return ("(local %s %s)"):format(n.variable.name, show(n.fn)) end,
  assign = function(n) return ("(set %s = %s)"):format(show_list(n.targets), show_list(n.values)) end,
  ["call statement"] = function(n) return show(n.call) end,
  ["do"] = function(n) return ("(do %s)"):format(show_list(n.body)) end,
  ["while"] = function(n) return ("(while %s %s)"):format(show(n.condition), show_list(n.body)) end,
  ["repeat"] = function(n) return ("(repeat %s %s)"):format(show_list(n.body), show(n.condition)) end,
  ["for"] = function(n)
    return ("(for %s %s %s %s %s)"):format(n.variable.name, show(n.first), show(n.last), n.step and show(n.step) or "-",
      show_list(n.body))
  end,
  ["if"] = function(n)
    local texts = {}
    for k, clause in ipairs(n.clauses) do texts[k] = show(clause.condition) .. " " .. show_list(clause.body) end
    return ("(if %s%s)"):format(table.concat(texts, " | "), n.otherwise and " else " .. show_list(n.otherwise) or "")
  end,
  ["return"] = function(n) return ("(return %s)"):format(show_list(n.values)) end,
  ["break"] = function() return "break" end,
}

function show(node) return SHOW[node.tag](node) end

--- The tree of the statements of a function of a, b and c.
local function tree(text)
  return show_list(parse.parse(lex.tokens("function(a, b, c) " .. text .. "\nend"), 1).body)
end

describe("tokens", function()
  local function kinds(text)
    local list = {}
    for k, token in ipairs(lex.tokens(text)) do list[k] = token[1] .. ":" .. token[2] .. "@" .. token[3] end
    return table.concat(list, " ")
  end

  it("are LuaJIT's", function()
    assert.equal("name:a@1 ==:==@1 number:0x1p+4@1 ..:..@1 number:1e-5@1 ...:...@1 eof:<eof>@1",
      kinds "a==0x1p+4 ..1e-5 ...")
    assert.equal("number:5LL@1 -:-@1 number:.5@1 ~=:~=@1 :::::@1 eof:<eof>@1", kinds "5LL-.5~= ::")
    assert.equal("string:a\"b@1 string:x\ny@1 name:z@3 eof:<eof>@3", kinds "'a\\\"b' [[\nx\ny]] z")
  end)

  it("know their lines after comments, strings and marks", function()
    assert.equal("name:a@3 name:b@5 eof:<eof>@6", kinds "#!/bin/lua\n-- x\na --[[ \n ]]\nb --[==[ ]] ]==]\n")
    assert.equal("name:a@1 eof:<eof>@1", kinds "\239\187\191a")
    assert.equal("string:xy@1 name:b@2 eof:<eof>@2", kinds "'x\\z \n y' b")
  end)

  it("that are none are refused", function()
    for text, words in pairs { ["'a"] = "unfinished string", ["[[a"] = "unfinished long string or comment",
      ["a\n?"] = "unexpected character \"?\"" } do
      local ok, problem = pcall(lex.tokens, text)
      assert.is_false(ok)
      assert.equal(words, problem.message)
      assert.equal(text:find "\n" and 2 or 1, problem.line)
    end
  end)
end)

describe("the tree", function()
  it("groups operators as Lua does", function()
    assert.equal("(local x = (or (and a b) c))", tree "local x = a and b or c")
    assert.equal("(local x = (+ a (* b (- (^ c 2)))))", tree "local x = a + b * -c ^ 2")
    assert.equal("(local x = (^ a (^ b c)))", tree "local x = a ^ b ^ c")
    assert.equal("(local x = (not [(== a b)]))", tree "local x = not (a == b)")
    assert.equal("(local x = (- (- a b) c))", tree "local x = a - b - c")
    assert.equal("(local x = (< (% a 2) (/ b 2.5f)))", tree "local x = a % 2 < b / 2.5")
    assert.equal("(local x = (- (# a)) 0f 10 5LL)", tree "local x = - # a, 0.0, 1e1, 5LL")
  end)

  it("reads calls and positions", function()
    assert.equal("(call (at (at cn? \"jit\") \"sync\"))", tree "cn.jit.sync()")
    assert.equal("(call (at (at cn? \"jit\") \"shared\") \"float32\" {16 2})", tree "cn.jit.shared('float32', {16, 2})")
    assert.equal("(set (at (at a 1) b) (at c {1 b}) = 1 (call f? a))", tree "a[1][b], c[{1, b}] = 1, f(a)")
    assert.equal("(local x = (call f? \"s\") (call f? {1}))", tree "local x = f 's', f {1}")
  end)

  it("reads statements", function()
    assert.equal("(for i 1 a (- 2) break)", tree "for i = 1, a, -2 do break end")
    assert.equal("(for i a b - )", tree "for i = a, b do end")
    assert.equal("(while true (if a break | b (return ) else (do )))",
      tree "while true do if a then break elseif b then return else do end end end")
    assert.equal("(repeat (local x = 1) (> x a))", tree "repeat local x = 1 until x > a;")
    assert.equal("(local f (fn (v) (return v a)))", tree "local function f(v) return v, a end")
    assert.equal("(local f = (fn () (call f?)))", tree "local f = function() f() end")
  end)

  it("binds names where Lua does", function()
    local fn = parse.parse(lex.tokens "function(x) local x = x do local x = 2 end x = 1 end", 1)
    local inner, statement = fn.body[1], fn.body[3]
    assert.equal(fn.params[1], inner.values[1].variable)
    assert.equal(inner.variables[1], statement.targets[1].variable)
    assert.equal(1, inner.variables[1].assignments)
    assert.equal(0, fn.params[1].assignments)
    local outside = parse.parse(lex.tokens "function(x, outer) local function f() return outer end end", 1)
    assert.equal(outside.params[2], outside.body[1].fn.body[1].values[1].variable)
  end)
end)
