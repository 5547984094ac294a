local repl = require "cuna.prompt.loop"

--- What the prompt writes for some lines of input.
local function session(...)
  local lines, written, at = { ... }, {}, 0
  repl.run(setmetatable({}, { __index = _G }), {
    read = function(prompt)
      written[#written + 1] = prompt
      at = at + 1
      return lines[at]
    end,
    write = function(...) written[#written + 1] = table.concat { ... } end,
  })
  return table.concat(written)
end

describe("the prompt", function()
  it("prints the values of expressions", function()
    assert.equal("> 3\n> \n", session "1 + 2")
    assert.equal("> 1\tnil\tx\n> \n", session "1, nil, 'x'")
    assert.equal("> > 7\n> \n", session("x = 7", "=x"))
  end)

  it("keeps the locals of an input", function()
    assert.equal("> > 7\n> \n", session("local x = 7", "x"))
    assert.equal("> > > 9\tnil\n> \n", session("local x, y = 7 -- two", "local y; x = x + 2", "x, y"))
    assert.equal("> > > 12\n> \n", session("local function f(a) local b = a * 2 return b end", "local y = f(6);", "y"))
    assert.equal("> > nil\n> \n", session("for i = 1, 3 do local inner = i end", "inner"))
    assert.equal("> 5\n> \n", session "local x = 5 return x")
    assert.equal("> >> > 3\n> \n", session("local t = {1,", "2, 3}", "#t"))
    assert.has.match("^> > stdin:1: cuna: index 0", session("local x = require 'cuna'.arange(3)", "local y = x[0]"))
  end)

  it("goes on while input lacks its end", function()
    assert.equal("> >> >> > 6\n> \n", session("s = 0 for i = 1, 3 do", "s = s + i", "end", "s"))
    assert.equal("> >> 3\n> \n", session("1 +", "2"))
  end)

  it("survives errors", function()
    assert.equal("> stdin:1: boom\n> 1\n> \n", session("error('boom')", "1"))
    assert.has.match("^> stdin:1: .*near 'b'\n> 1\n", session("a b", "1"))
    assert.has.match("^> stdin:1: cuna: index 0", session "require 'cuna'.arange(3)[0]")
    assert.has.match("^> 2\n", session "require 'cuna'.arange(3)[3] -- the last")
    assert.has.match("cannot be printed", session "setmetatable({}, { __tostring = function() error 'no' end })")
  end)

  it("ends with the input, also within an unfinished line", function()
    assert.equal("> \n", session())
    assert.has.match("'<eof>'\n> \n$", session "for i = 1, 3 do")
  end)
end)
