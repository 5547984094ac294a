--- site.lua: the documentation as static pages: build/cuna docs/tools/site.lua build/site. They need no server and no
--- network: the index of the search is a script, which pages may load from disk.
local render = require "docs.tools.site.render"
local subjects = require "cuna.tools.subjects"

local HERE = "docs/tools/site/"

local function text_of(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  os.execute(("mkdir -p '%s'"):format(path:match "^(.*)/"))
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- ---- which pages there are ----

local function listed(pattern)
  local list, pipe = {}, assert(io.popen("LC_ALL=C ls " .. pattern))
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

--- The guides, in the order in which the README names them.
local function guides()
  local list = {}
  for path in text_of "README.md":gmatch "|%s*%[[^%]]*%]%((docs/guides/[%w_]+%.md)%)" do list[#list + 1] = path end
  return list
end

local function references()
  local list = {"docs/reference/README.md"}
  for _, row in ipairs(subjects.rows) do list[#list + 1] = "docs/reference/" .. row[1] .. ".md" end
  return list
end

--- Groups of pages: {title, paths}.
local function groups()
  local steps = listed "docs/tutorial/[0-9]*.md"
  table.insert(steps, 1, "docs/tutorial/README.md")
  return {
    {"cuna", {"README.md", "docs/faq.md", "docs/gallery.md", "docs/coverage.md", "docs/from_numpy_and_cupy.md"}},
    {"Tutorial", steps},
    {"Guides", guides()},
    {"Reference", references()},
    {"Inside", {"docs/performance.md", "docs/architecture.md", "docs/contributing.md", "CHANGELOG.md"}},
  }
end

--- The place of a page of the site: README.md is index.html, docs/faq.md is faq.html.
local function place_of(path)
  return (path:gsub("^docs/", ""):gsub("README%.md$", "index.md"):gsub("%.md$", ".html"))
end

-- ---- links ----

--- A path from a folder "a/b/" without "." and "..".
local function resolved(folder, path)
  local words = {}
  for word in (folder .. path):gmatch "[^/]+" do
    if word == ".." then words[#words] = nil elseif word ~= "." then words[#words + 1] = word end
  end
  return table.concat(words, "/")
end

--- The path from the folder of one place of the site to another place.
local function relative(from, to)
  local _, depth = from:gsub("/", "")
  return ("../"):rep(depth) .. to
end

--- Builds a site: pages by path {place, html, sections}, and the other files that they link to.
local Site = {}
Site.__index = Site

--- The target of a link in a page. Other files than pages are copied; sources as text, which browsers show.
function Site:link(path, target)
  if target:find "^%a+:" or target:find "^#" then return target end
  local file, anchor = target:match "^([^#]*)(.*)$"
  local source = resolved(path:match "^(.*/)" or "", file)
  if self.pages[source] then return relative(place_of(path), place_of(source)) .. anchor end
  local place = source:find "%.png$" and source:gsub("^docs/", "") or "source/" .. source .. ".txt"
  self.files[place] = source
  return relative(place_of(path), place)
end

function Site:render()
  for path, page in pairs(self.pages) do
    page.place = place_of(path)
    page.html, page.sections = render.page(path, function(target) return self:link(path, target) end)
    page.title = page.sections[1].title
  end
end

--- The list of all pages, as one of them shows it: its own group is open.
function Site:navigation(path)
  local lines = {}
  for _, group in ipairs(self.groups) do
    local items, is_open = {}, false
    for _, other in ipairs(group[2]) do
      local page, is_here = self.pages[other], other == path
      is_open = is_open or is_here
      items[#items + 1] = ('<li><a href="%s"%s>%s</a></li>'):format(relative(place_of(path), page.place),
        is_here and ' aria-current="page"' or "", page.title)
    end
    lines[#lines + 1] = ("<details%s><summary>%s</summary><ul>%s</ul></details>"):format(
      (is_open or group == self.groups[1]) and " open" or "", group[1], table.concat(items))
  end
  return table.concat(lines, "\n")
end

function Site:write_pages(folder)
  local template = text_of(HERE .. "page.html")
  for path, page in pairs(self.pages) do
    local values = {title = page.title == "cuna" and "cuna" or page.title .. " - cuna", html = page.html,
      root = relative(page.place, ""), navigation = self:navigation(path)}
    write(folder .. "/" .. page.place, (template:gsub("{{(%a+)}}", values)))
  end
end

-- ---- the search ----

local function json_string(text)
  return '"' .. text:gsub('[%c"\\<]', function(char) return ("\\u%04x"):format(char:byte()) end) .. '"'
end

--- Sections as a script that holds JSON: [title, place, page, text].
function Site:index_text()
  local rows = {}
  for _, group in ipairs(self.groups) do
    for _, path in ipairs(group[2]) do
      local page = self.pages[path]
      for i, section in ipairs(page.sections) do
        rows[#rows + 1] = ("[%s,%s,%s,%s]"):format(json_string(section.title),
          json_string(page.place .. (i > 1 and "#" .. section.anchor or "")), json_string(page.title),
          json_string(section.text:sub(1, 300)))
      end
    end
  end
  return "window.cunaIndex = [\n" .. table.concat(rows, ",\n") .. "\n];\n"
end

--- Writes the site into a folder, which is made.
local function build(folder)
  local site = setmetatable({groups = groups(), pages = {}, files = {}}, Site)
  for _, group in ipairs(site.groups) do
    for _, path in ipairs(group[2]) do site.pages[path] = {} end
  end
  site:render()
  site:write_pages(folder)
  for place, source in pairs(site.files) do write(folder .. "/" .. place, text_of(source)) end
  for _, name in ipairs {"style.css", "search.js"} do write(folder .. "/" .. name, text_of(HERE .. name)) end
  write(folder .. "/index.js", site:index_text())
end

build((assert((...), "usage: build/cuna docs/tools/site.lua FOLDER")))
