--- make.lua: generates docs/reference/, docs/coverage.md and library/: luajit docs/tools/make.lua, from the root of the
--- project. With --check it writes nothing and lists the files that would change.
--- The texts of all files by their paths. library.lua comes first: it records the modules that are loaded.
---@return table<string, string>
local function make()
  local files = {}
  for _, part in ipairs {"docs.tools.library", "docs.tools.reference", "docs.tools.coverage"} do
    for path, text in pairs(require(part).make()) do files[path] = text end
  end
  return files
end

--- The paths of the files that are there.
---@return string[]
local function present()
  local list, pipe = {}, assert(io.popen("find docs/reference library -type f 2>/dev/null"))
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

local function text_of(path)
  local file = io.open(path)
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

--- Makes the folders like `files`; calls change(path, text or nil) for what is not there so.
local function compare(files, change)
  local paths = present()
  for path in pairs(files) do paths[#paths + 1] = path end
  table.sort(paths)
  for i, path in ipairs(paths) do
    if path ~= paths[i - 1] and text_of(path) ~= files[path] then change(path, files[path]) end
  end
end

if (...) == "--check" then
  compare(make(), function(path) print(path) end)
else
  os.execute("mkdir -p docs/reference library/cuna")
  compare(make(), function(path, text)
    if text then write(path, text) else os.remove(path) end
  end)
end
