--- installed.lua: what `make install` says at its end: where cuna is, what else is needed, and how to check it.
local prefix, destination, version, lua, lib, bin = ...

local wanted = {path = {lua .. "/?.lua", lua .. "/?/init.lua"}, cpath = {lib .. "/?.so"}}

--- Whether LuaJIT searches all templates of a kind.
local function searches(kind)
  for _, template in ipairs(wanted[kind]) do
    if not (";" .. package[kind] .. ";"):find(";" .. template .. ";", 1, true) then return false end
  end
  return true
end

local function setting(variable, kind)
  return ("export %s=%q"):format(variable, table.concat(wanted[kind], ";") .. ";;")
end

local needed = {}
if not searches "path" then needed[1] = setting("LUA_PATH", "path") end
if not searches "cpath" then needed[#needed + 1] = setting("LUA_CPATH", "cpath") end

local is_on_path = (":" .. (os.getenv "PATH" or "") .. ":"):find(":" .. bin .. ":", 1, true)

print(("cuna %s is installed in %s"):format(version, destination .. prefix))
print(needed[1] and "scripts need: " .. table.concat(needed, " ") or "nothing more to do: luajit finds it")
print(("to see what works on this machine: %s doctor"):format(is_on_path and "cuna" or bin .. "/cuna"))
