--- render.lua: Markdown as HTML by cmark-gfm, GitHub's own program, so that pages look here as there. It makes neither
--- names of headings nor colours of code; both are added here, and links are given to a function.
local highlight = require "docs.tools.site.highlight"

local M = {}

local COMMAND = "cmark-gfm --unsafe --extension table --extension autolink '%s'"

--- The name that GitHub gives to a heading.
local function anchor_of(html)
  local text = highlight.unescaped(html:gsub("<[^>]*>", ""))
  return (text:lower():gsub("[^%w_ -]", ""):gsub(" ", "-"))
end

--- Plain text of HTML, in one line.
---@param html string
---@return string
function M.plain(html)
  return (highlight.unescaped(html:gsub("<pre>.-</pre>", " "):gsub("<[^>]*>", " ")):gsub("%s+", " "):gsub("^ ", ""))
end

--- The file as HTML. Also its sections, {title, anchor, html}, of which the first has the title of the page.
---@param path string of Markdown
---@param link function(target) -> the target of a link in the page
---@return string html
---@return table[] sections
function M.page(path, link)
  local pipe = assert(io.popen(COMMAND:format(path)))
  local html = pipe:read "*a"
  pipe:close()
  if html == "" then error("site: cmark-gfm gives nothing for " .. path .. "; is it installed?", 0) end
  html = html:gsub('<pre><code class="language%-lua">(.-)</code></pre>', function(code)
    return '<pre class="lua"><code>' .. highlight.lua(highlight.unescaped(code)) .. "</code></pre>"
  end):gsub("<table>.-</table>", '<div class="wide">%0</div>')
  html = html:gsub('(<%a+ [^>]-)(%f[%w]%a+)="([^"]*)"', function(before, name, target)
    if name ~= "href" and name ~= "src" then return nil end
    return ('%s%s="%s"'):format(before, name, highlight.escaped(link(highlight.unescaped(target))))
  end)
  local sections, used = {}, {}
  html = html:gsub("<h(%d)>(.-)</h%d>()", function(level, title, at)
    local anchor = anchor_of(title)
    used[anchor] = (used[anchor] or -1) + 1
    if used[anchor] > 0 then anchor = anchor .. "-" .. used[anchor] end
    sections[#sections + 1] = {title = M.plain(title), anchor = anchor, level = tonumber(level), at = at}
    return ('<h%s id="%s">%s <a class="here" href="#%s" aria-label="link to this section">#</a></h%s>'):format(level,
      anchor, title, anchor, level)
  end)
  M.add_texts(html, sections)
  return html, sections
end

--- Gives each section the plain text between its heading and the next one.
function M.add_texts(html, sections)
  local pieces = {}
  for text in (html .. "<h0 "):gmatch "</h%d>(.-)<h%d[ >]" do pieces[#pieces + 1] = text end
  for i, section in ipairs(sections) do section.text = M.plain(pieces[i] or "") end
end

return M
