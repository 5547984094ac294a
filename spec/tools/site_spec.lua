--- `make site` makes pages whose links lead somewhere, also inside of pages, and an index that the search can read.
local highlight = require "docs.tools.site.highlight"
local process = require "spec.support.process"
local snippets = require "spec.support.snippets"

describe("the site", function()
  local folder = os.tmpname()
  local pages = {}

  setup(function()
    os.remove(folder)
    local text, status = process.capture(process.launcher .. " docs/tools/site.lua " .. folder)
    assert(status == 0 and text == "", text)
    for path in io.popen("find " .. folder .. " -name '*.html'"):lines() do
      pages[path:sub(#folder + 2)] = snippets.text_of(path)
    end
  end)
  teardown(function() os.execute("rm -rf " .. folder) end)

  --- A path from a folder "a/b/" without "..".
  local function resolved(path)
    local count
    repeat path, count = path:gsub("[^/]+/%.%./", "", 1) until count == 0
    return path
  end

  it("has a page for each page of the documentation, with its title", function()
    local count = 0
    for path in io.popen("ls README.md CHANGELOG.md docs/*.md docs/*/*.md"):lines() do
      local place = path:gsub("^docs/", ""):gsub("README%.md$", "index.md"):gsub("%.md$", ".html")
      assert(pages[place] and pages[place]:find("<title>[^<]+</title>"), path)
      count = count + 1
    end
    for _ in pairs(pages) do count = count - 1 end
    assert.equal(0, count)
  end)

  it("has links that lead to files and headings", function()
    local findings, count = {}, 0
    for place, html in pairs(pages) do
      for target in html:gmatch '[ ]%f[hs]%l+="([^"]*)"' do
        local file, anchor = target:match "^([^#]*)#?(.*)$"
        if not file:find "^https?:" then
          count = count + 1
          local path = file == "" and place or resolved((place:match "^(.*/)" or "") .. file)
          local known = pages[path] or io.open(folder .. "/" .. path)
          local is_page = type(known) == "string"
          local has = known and (anchor == "" or not is_page or known:find(' id="' .. anchor .. '"', 1, true))
          if known and not is_page then known:close() end
          if not has then findings[#findings + 1] = place .. ": " .. target end
        end
      end
    end
    assert(count > 5000, count)
    assert(#findings == 0, table.concat(findings, "\n  ", 1, math.min(#findings, 20)))
  end)

  it("loads nothing from elsewhere", function()
    for place, html in pairs(pages) do
      for _, tag in ipairs {'<link [^>]*href="([^"]*)"', '<script src="([^"]*)"', '<img [^>]*src="([^"]*)"'} do
        for target in html:gmatch(tag) do assert(not target:find "^%a+:", place .. ": " .. target) end
      end
    end
    for _, name in ipairs {"style.css", "search.js"} do
      assert(not snippets.text_of(folder .. "/" .. name):find "https?://", name)
    end
  end)

  it("has an index with every section, whose places are there", function()
    local found, entries = {}, 0
    for title, place in snippets.text_of(folder .. "/index.js"):gmatch '\n%["([^"]*)","([^"]*)",' do
      local file, anchor = place:match "^([^#]*)#?(.*)$"
      assert(pages[file] and (anchor == "" or pages[file]:find(' id="' .. anchor .. '"', 1, true)), place)
      found[title], entries = place, entries + 1
    end
    assert.equal("reference/sums.html#cnsum", found["cn.sum"])
    assert.equal("tutorial/03_indexing.html#views-and-copies", found["Views and copies"])
    assert(entries > 1500)
  end)

  it("colours Lua", function()
    assert.equal('<span class="keyword">local</span> s = <span class="string">&quot;a\\&quot;b&quot;</span> '
      .. '<span class="comment">-- x &lt; 1</span>', highlight.lua 'local s = "a\\"b" -- x < 1')
    assert.equal('f(<span class="number">1e3</span>) <span class="result">--&gt; [[1]]</span>',
      highlight.lua "f(1e3) --> [[1]]")
    assert.equal('x[<span class="number">1</span>] = <span class="string">[=[\nend]]=]</span>; '
      .. '<span class="comment">--[[ a\nb ]]</span> y', highlight.lua "x[1] = [=[\nend]]=]; --[[ a\nb ]] y")
  end)
end)
