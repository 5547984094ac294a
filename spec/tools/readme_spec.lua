--- The code of the README, the tutorial, the guides and the page about porting runs: blocks print the text after
--- `-->`, and the expressions in tables of NumPy and cuna can be evaluated. Links lead to files and headings, and lists
--- are complete.
local cn = require "cuna"
local snippets = require "spec.support.snippets"

local README_LINES = 250

--- The variables that the code in tables uses.
local function subjects()
  local x = cn.array {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
  return {cn = cn, v = cn.arange(5), x = x, y = cn.ones {3, 4}, z = cn.zeros {3, 4}, m = x:gt(2),
    a = 2 * cn.eye(5)}
end

local function lines_of(command)
  local pipe, lines = assert(io.popen(command)), {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

local guides = lines_of "ls docs/guides/*.md"
local steps = lines_of "ls docs/tutorial/[0-9]*.md"
local porting = snippets.text_of "docs/from_numpy_and_cupy.md"

local pages = {["README.md"] = snippets.text_of "README.md", ["docs/from_numpy_and_cupy.md"] = porting}
for _, path in ipairs(lines_of "ls docs/guides/*.md docs/tutorial/*.md docs/faq.md docs/gallery.md docs/coverage.md") do
  pages[path] = snippets.text_of(path)
end

for page, text in pairs(pages) do
  describe(page .. "'s", function()
    for _, block in ipairs(snippets.blocks_of(text, "lua")) do
      it("block of line " .. block.line .. " prints what it says", function()
        assert.same(snippets.expected_of(block.text), snippets.printed_by(assert(loadstring(block.text))))
      end)
    end

    local codes = snippets.table_code(text)
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

    it("links lead to files and headings", function()
      local folder = page:match "^(.*/)" or ""
      for target in text:gmatch "%]%(([^)]+)%)" do
        local path, anchor = target:match "^([^#]*)#?(.*)$"
        if not path:find "^https?:" then
          local file = io.open(path == "" and page or folder .. path)
          assert(file, "no file " .. target)
          local anchors = {[""] = true}
          for heading in ("\n" .. file:read "*a"):gmatch "\n#+ ([^\n]+)" do
            anchors[(heading:lower():gsub("[^%w%- ]", ""):gsub(" ", "-"))] = true
          end
          file:close()
          assert(anchors[anchor], "no heading " .. target)
        end
      end
    end)
  end)
end

it("the README is short, names every guide, and its tables of code are found", function()
  local text = pages["README.md"]
  local _, count = text:gsub("\n", "")
  assert(count <= README_LINES, count .. " lines")
  for _, path in ipairs(guides) do assert(text:find("](" .. path .. ")", 1, true), "not named: " .. path) end
  assert(#snippets.table_code(text) > 10 and #snippets.table_code(porting) > 100)
end)

it("the tutorial names its steps in order, and each ends with an exercise and its solution", function()
  assert.equal(10, #steps)
  local at = 1
  for _, path in ipairs(steps) do
    at = assert(pages["docs/tutorial/README.md"]:find("](" .. path:match "[^/]+$" .. ")", at, true), path)
    local exercise = assert(pages[path]:match "\n## Exercise\n.*$", path)
    assert(#snippets.blocks_of(exercise, "lua") > 0, path)
    for _, block in ipairs(snippets.blocks_of(pages[path], "lua")) do
      assert(#snippets.expected_of(block.text) > 0, path .. ":" .. block.line .. " prints nothing")
    end
  end
end)

it("the pictures of the gallery are there, and small", function()
  for _, path in ipairs(lines_of "ls docs/pictures/*") do
    assert(pages["docs/gallery.md"]:find("](pictures/" .. path:match "[^/]+$" .. ")", 1, true), path .. " is not shown")
    local file = assert(io.open(path, "rb"))
    assert(file:seek "end" < 40000, path)
    file:close()
  end
end)

it("the figures of the README are those of docs/performance.md", function()
  local function cells_of(line)
    local cells = {}
    for cell in line:gmatch "|%s*([^|]-)%s*%f[|]" do cells[#cells + 1] = cell end
    return cells
  end
  local rows, count = {}, 0 -- of a workload: those of the cpu device and NumPy, then those of a GPU and its peers
  for line in snippets.text_of "docs/performance.md":gmatch "[^\n]+" do
    local cells = cells_of(line)
    local row = cells[1] and rows[cells[1]]
    rows[cells[1] or ""] = row and {row[2], row[3], cells[2], cells[3], cells[4]} or cells
  end
  for line in pages["README.md"]:gmatch "\n(|[^\n]+| `[%w_]+` |[^\n]+)" do
    local cells = cells_of(line)
    local figures = rows[cells[2]:match "`(.*)`"]
    if figures and #cells == 7 then
      count = count + 1
      for i = 1, 5 do assert.equal(tonumber(figures[i]:match "[%d.]+"), tonumber(cells[i + 2]:match "[%d.]+"), line) end
    end
  end
  assert.equal(8, count)
end)

it("no sentence of these pages stands twice", function()
  local seen, twice = {}, {}
  for page, text in pairs(pages) do
    text = text:gsub("```.-```", ""):gsub("\n[|#][^\n]*", "\n"):gsub("\n%s*\n", ". "):gsub("%s+", " ")
    for sentence in text:gmatch "([^.:]+)" do
      if #sentence > 40 and seen[sentence] then twice[#twice + 1] = page .. ":" .. sentence end
      seen[sentence] = true
    end
  end
  assert(#twice == 0, "\n  " .. table.concat(twice, "\n  "))
end)

it("the page about porting says of nothing that cuna lacks it which it has", function()
  local missing = porting:match "\n## Not there\n(.*)$"
  for name in missing:gmatch "`np%.([%w_.]+)`" do
    name = name:match "^[%w_]+"
    assert(not pcall(function() return cn[name] end), "cuna has " .. name .. ": it leaves the table \"Not there\"")
  end
end)

it("the guide to environment variables lists those that are read, and no others", function()
  local listed, read = {}, {}
  for name in pages["docs/guides/environment.md"]:gmatch "\n| `(CUNA_[%u_]+)`" do listed[name] = true end
  local sources = table.concat(lines_of "cat $(find runtime bindings lua -name '*.c' -o -name '*.lua')", "\n")
  for _, call in ipairs {"environment_%w+%(", "library_search%([^,]*, ", "getenv%s*%(?"} do
    for name in sources:gmatch(call .. '"(CUNA_[%u_]+)"') do read[name] = true end
  end
  local launcher = table.concat(lines_of "cat package/launcher.sh", "\n")
  for name in launcher:gmatch "%${(CUNA_[%u_]+)" do read[name] = true end
  assert.same(listed, read)
end)
