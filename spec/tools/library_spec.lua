--- library/ for editors: it defines every public name, with the forms in which functions take options, and examples use
--- nothing else. Where LuaLS is installed, it checks the examples.
local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local subjects = require "cuna.tools.subjects"

local function paths_of(command)
  local list = {}
  for path in process.shell(command):gmatch "[^\n]+" do list[#list + 1] = path end
  return list
end

--- What library/ defines: names by class, and functions as {path, name, params, overloads}. A page names a class's
--- variable after the class.
local function read()
  local classes, functions = {}, {}
  local function define(class, name)
    classes[class] = classes[class] or {}
    classes[class][name] = true
  end
  for _, path in ipairs(paths_of "find library -name '*.lua' | LC_ALL=C sort") do
    local class_of, class, overloads, types = {}, nil, {}, {}
    for line in io.lines(path) do
      class = line:match "^%-%-%-@class ([%w_.]+)" or class
      local field = line:match "^%-%-%-@field ([%w_]+)"
      if field then define(class, field) end
      overloads[#overloads + 1] = line:match "^%-%-%-@overload (.*)$"
      local param, type = line:match "^%-%-%-@param (%S+) (%S+)"
      if param then types[param] = type end
      local variable = line:match "^local ([%w_]+) = {}"
      if variable then class_of[variable] = class end
      local owner, separator, name, params = line:match "^function ([%w_]+)([.:])([%w_]+)%((.-)%) end"
      if owner then
        local row = {path = path, title = owner .. separator .. name, is_method = separator == ":", params = {},
          overloads = overloads, types = types}
        for word in params:gmatch "[%w_.]+" do row.params[#row.params + 1] = word end
        functions[#functions + 1] = row
      end
      if not owner then owner, name = line:match "^([%w_]+)%.([%w_]+) = [%w_.]+$" end
      if owner then define(assert(class_of[owner], path .. ": " .. line), name) end
      if line == "" or owner or variable then overloads, types = {}, {} end
    end
  end
  return classes, functions
end

local classes, functions = read()

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

--- The place of a namespace in cuna, and its class.
local function namespace(owner)
  local space = cn
  for name in owner:gmatch "%.([^.]+)" do space = space[name] end
  return space, (owner:gsub("^cn", "cuna"))
end

describe("library/", function()
  it("defines every public name", function()
    local findings = {}
    local function check(class, names)
      for name in pairs(names) do
        local is_public = type(name) == "string" and name:find "^%a"
        local is_defined = classes[class] and classes[class][name]
        if is_public and not is_defined then findings[#findings + 1] = class .. "." .. name end
      end
    end
    for _, owner in ipairs(subjects.namespaces) do
      local space, class = namespace(owner)
      check(class, space)
    end
    for _, row in ipairs(require "cuna.lazy".rows) do
      local names = {}
      for name in row[2]:gmatch "%S+" do names[name] = true end
      check("cuna", names)
    end
    check("cuna.Array", require("cuna.method").all())
    check("cuna.Array", core.getters())
    table.sort(findings)
    fail_with(findings)
  end)

  it("has all parameters in the forms with options, the first ones by position", function()
    local findings, forms = {}, 0
    for _, row in ipairs(functions) do
      for _, overload in ipairs(row.overloads) do
        local form = overload:sub(4):gsub("fun%b():?", "function")
        local front, options = form:match "^%((.-)options: {(.-)}%)"
        local known, place = {}, row.is_method and 0 or 1
        for name in (front or ""):gmatch "([%w_]+): " do
          if place > 0 and row.params[place] ~= name then
            findings[#findings + 1] = ("%s: %s: %s is not argument %d of %s"):format(row.path, row.title, name, place,
              overload)
          end
          known[name], place = true, place + 1
        end
        for name in (options or ""):gmatch "([%w_]+)%?: " do known[name] = true end
        for _, name in ipairs(options and row.params or {}) do
          if not known[name:gsub("_$", "")] and not known[name] then
            findings[#findings + 1] = ("%s: %s lacks %s in %s"):format(row.path, row.title, name, overload)
          end
        end
        if options then forms = forms + 1 end
      end
    end
    assert(forms > 300)
    fail_with(findings)
  end)

  it("has dtypes as the names that there are", function()
    local names = {}
    for _, dtype in ipairs(core.dtypes) do names[#names + 1] = ("%q"):format(dtype.name) end
    local alias = "\n---@alias cuna.Dtype " .. table.concat(names, "|") .. "\n"
    assert.truthy(process.read("library/cuna.lua"):find(alias, 1, true))
    for _, row in ipairs(functions) do
      assert.is_nil((row.types.dtype or ""):match "^string", row.path .. ": " .. row.title)
    end
  end)

  it("defines what examples and guides call", function()
    local methods, findings = {}, {}
    for _, names in pairs(classes) do
      for name in pairs(names) do methods[name] = true end
    end
    local OTHERS = " close lines read write seek setvbuf rep format sub gsub gmatch match find byte lower upper "
    for _, path in ipairs(paths_of "ls examples/*.lua docs/guides/*.md README.md") do
      local text = process.read(path)
      if path:find "%.md$" then
        local blocks = {}
        for block in text:gmatch "```lua\n(.-)```" do blocks[#blocks + 1] = block end
        text = table.concat(blocks, "\n")
      end
      text = text:gsub("%-%-[^\n]*", ""):gsub("%[%[.-%]%]", "[[]]")
      text = text:gsub('"[^"\n]*"', '""')
      for owner, name in text:gmatch "%f[%w_.](cn[%w_.]*)%.([%w_]+)%s*[({\"]" do
        local class = owner:gsub("^cn", "cuna")
        local is_defined = classes[class] and classes[class][name]
        if not is_defined then findings[#findings + 1] = ("%s: %s.%s"):format(path, owner, name) end
      end
      for name in text:gmatch "[%w_)%]}]:([%a_][%w_]*)%s*[({\"]" do
        local is_others = OTHERS:find(" " .. name .. " ", 1, true) or text:find("[:.]" .. name .. "%f[^%w_]%s*=")
          or text:find("function [%w_]+[:.]" .. name .. "%(")
        if not methods[name] and not is_others then findings[#findings + 1] = path .. ": method " .. name end
      end
    end
    fail_with(findings)
  end)

  it("lets LuaLS find nothing wrong in the examples", function()
    if select(2, process.shell "command -v lua-language-server") ~= 0 then
      return pending "lua-language-server is not installed"
    end
    local folder = process.folder()
    finally(function() process.remove(folder) end)
    process.shell(("cp examples/*.lua %s"):format(folder))
    process.write(folder .. "/.luarc.json", ('{"runtime.version": "LuaJIT", "workspace.library": ["%s/library"]}')
      :format(process.root))
    local text, status = process.shell(("lua-language-server --check=%s --checklevel=Warning --logpath=%s/log")
      :format(folder, folder))
    assert(status == 0 and not text:find "problems found, ", text)
  end)
end)
