-- Every example runs to its end in a process of its own; the main job's figures are checked.

local build = os.getenv("CUNA_BUILD") or "build"

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1; echo status $?"))
  local text = pipe:read("*a")
  pipe:close()
  assert(text:find("status 0\n$"), text)
  return text
end

describe("examples", function()
  for path in io.popen("ls examples/*.lua"):lines() do
    it(path .. " runs", function() run(build .. "/cuna " .. path) end)
  end

  it("iris.lua agrees with the published summary", function()
    local text = run("cd / && '" .. io.popen("pwd"):read() .. "/" .. build .. "/cuna' \"$OLDPWD/examples/iris.lua\"")
    assert.has.match("\nsepal length +4.3 +7.9 +5.84 +0.83 +0.7826\n", text)
    assert.has.match("\nsepal width +2.0 +4.4 +3.06 +0.43 +%-0.4267\n", text)
    assert.has.match("\npetal length +1.0 +6.9 +3.76 +1.76 +0.9490\n", text)
    assert.has.match("\npetal width +0.1 +2.5 +1.20 +0.76 +0.9565\n", text)
    assert.has.match("18 of 20 figures are the published ones", text)
    assert.has.match("mean between flowers of one class 1.318, of two classes 3.094", text)
    assert.has.match("greatest 6.529, between flowers 42 and 118", text)
    assert.has.match("142 of 150 flowers", text)
  end)
end)
