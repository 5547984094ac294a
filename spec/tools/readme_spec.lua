--- Every piece of code in the README and in the page about porting runs: blocks print what stands behind `-->`, and the
--- expressions of tables of NumPy and cuna mean something.
local cn = require "cuna"
local snippets = require "spec.support.snippets"

--- What the code of the table speaks of.
local function subjects()
  local x = cn.array {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
  return {cn = cn, v = cn.arange(5), x = x, y = cn.ones {3, 4}, z = cn.zeros {3, 4}, m = x:gt(2),
    a = 2 * cn.eye(5)}
end

local readme = snippets.text_of "README.md"
local porting = snippets.text_of "docs/from_numpy_and_cupy.md"

for page, text in pairs {["README.md"] = readme, ["docs/from_numpy_and_cupy.md"] = porting} do
  describe(page .. "'s", function()
    for _, block in ipairs(snippets.blocks_of(text, "lua")) do
      it("block of line " .. block.line .. " prints what it says", function()
        assert.same(snippets.expected_of(block.text), snippets.printed_by(assert(loadstring(block.text))))
      end)
    end

    local tables = text == readme and text:match "\n## NumPy beside cuna\n(.-)\n## " or text
    local codes = snippets.table_code(tables)
    setup(function() -- their kernels are compiled together
      cn.prepare(function()
        for _, code in ipairs(codes) do
          if not code:find "prepare" and not code:find "graph" then pcall(snippets.run, code, subjects()) end
        end
      end)
    end)
    for _, code in ipairs(codes) do
      it("code " .. code .. " runs", function() snippets.run(code, subjects()) end)
    end
  end)
end

it("the page about porting says of nothing that cuna lacks it which it has", function()
  local missing = porting:match "\n## Not there\n(.*)$"
  for name in missing:gmatch "`np%.([%w_.]+)`" do
    name = name:match "^[%w_]+"
    assert(not pcall(function() return cn[name] end), "cuna has " .. name .. ": it leaves the table \"Not there\"")
  end
end)
