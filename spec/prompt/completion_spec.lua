--- What the prompt completes, prints and keeps, without a terminal.
local cn = require "cuna"
local completion = require "cuna.prompt.completion"
local history = require "cuna.prompt.history"
local process = require "spec.support.process"
local values = require "cuna.prompt.values"

describe("completion", function()
  local env = setmetatable({cn = cn, x = cn.zeros {2, 2}, own = {alpha = {beta = 1}}, text = "s"}, {__index = _G})

  local function complete(line)
    return completion.complete(line, line:match "[%w_.:]*$", env)
  end

  --- Whether a completion is among those of a line.
  local function offers(line, word)
    for _, found in ipairs(complete(line)) do
      if found == word then return true end
    end
    return false
  end

  it("knows variables, tables and keywords", function()
    assert.same({"own"}, complete "y = ow")
    assert.same({"own.alpha"}, complete "own.")
    assert.same({"own.alpha.beta"}, complete "f(own.alpha.b")
    assert.same({"string.format"}, complete "string.form")
    assert.same({"text:format"}, complete "text:form")
    assert.same({"repeat"}, complete "repe")
    assert.same({}, complete "nothing_there.")
  end)

  it("knows cuna's functions, methods and fields", function()
    assert.same({"cn.linalg"}, complete "cn.lina")
    assert.same({"cn.linalg.slogdet"}, complete "cn.linalg.slo")
    assert.is_true(offers("cn.ar", "cn.arange") and offers("cn.cuda.St", "cn.cuda.Stream") and offers("cn.f", "cn.fft"))
    assert.is_true(offers("x:su", "x:sum") and offers("x:sq", "x:sqrt_"))
    assert.same({"x.shape"}, complete "x.sha")
  end)

  it("knows the options of calls", function()
    assert.is_true(offers("x:sum {ke", "keepdims = "))
    assert.is_true(offers("y = cn.sum(x, {axis = 1, ", "keepdims = "))
    assert.is_false(offers("y = {", "keepdims = "))
  end)

  it("runs no code of others", function()
    env.trap = setmetatable({}, {__index = function() error "asked" end})
    assert.same({}, complete "trap.a")
  end)
end)

describe("values", function()
  it("are printed as print does, but for tables", function()
    assert.equal("[1. 1.]", values.text(cn.ones(2)))
    assert.equal("a\nb", values.text "a\nb")
    assert.equal('{1, "two", {3}, [-1] = false}', values.text {1, "two", {3}, [-1] = false})
    assert.equal("{a = 1, b = {c = 2}}", values.text {b = {c = 2}, a = 1})
    assert.equal("(2, 3)", values.text(cn.ones({2, 3}).shape))
    assert.equal("{}", values.text {})
  end)

  it("end, whatever tables have in them", function()
    local circle = {}
    circle.self = circle
    assert.equal("{self = {the table above}}", values.text(circle))
    assert.equal("{{{{...}}}}", values.text {{{{1}}}})
    local long = {}
    for i = 1, 1000 do long[i] = i end
    assert.has.match("^{1, 2, .*20, %.%.%. and 980 more}$", values.text(long))
    assert.has.match("cannot be printed: ", values.text(setmetatable({}, {__tostring = function() error "no" end})))
  end)
end)

describe("the history", function()
  local folder
  before_each(function() folder = process.folder() end)
  after_each(function() process.remove(folder) end)

  it("is written line by line, for its owner alone, and cut when it is long", function()
    local path = folder .. "/a/b/history"
    local lines, add = history.open(path)
    assert.same({}, lines)
    add "one"
    add "two"
    assert.same({"one", "two"}, (history.open(path)))
    assert.equal("600 700\n", (process.shell("stat -c %a " .. path .. " " .. folder .. "/a/b | paste -sd ' '")))
    process.write(path, ("old\n"):rep(2000) .. "new\n")
    lines = history.open(path)
    assert.same({1000, "new"}, {#lines, lines[1000]})
    assert.equal(1000, select(2, process.read(path):gsub("\n", "")))
  end)

  it("says once why it is not kept", function()
    process.write(folder .. "/file", "")
    local _, add = history.open(folder .. "/file/history")
    assert.has.match("^history is not kept: .*file/history", add "one")
    assert.is_nil(add "two")
  end)
end)
