--- Random calls of all that the catalog knows: each succeeds, or raises one line of cuna's at its caller's line.
--
-- Arguments are good ones by the parameter's type, or anything: numbers at the ends of what there is, strings, tables
-- with holes, cdata, functions, arrays of every layout, freed ones, other objects of cuna's. Everything comes from one
-- seed. NULL pointers are left out: LuaJIT takes them for nil where they are compared, and not elsewhere.
local catalog = require "cuna.tools.catalog"
local cn = require "cuna"
local core = require "cuna.core"
local ffi = require "ffi"

local M = {}

local PLACE = "caller.lua" -- as messages name the line of the calls
local CALL = "return function(fn, list, count) local result = fn(unpack(list, 1, count)) return result end"
local call = assert(loadstring(CALL, "@" .. PLACE))()

-- Functions that a random call must not reach, with the reason.
M.APART = {
  ["cn.save"] = "writes files by any name", ["cn.savez"] = "writes files", ["cn.savez_compressed"] = "writes files",
  ["cn.savetxt"] = "writes files", ["cn.save_safetensors"] = "writes files", ["cn.write_csv"] = "writes files",
  ["cn.imsave"] = "writes files", ["cn.h5.open"] = "creates files",
  ["x:tofile"] = "writes files", ["cn.profiler.trace"] = "writes files",
  ["cn.help"] = "prints", ["cn.profiler.benchmark"] = "calls a function as often as it is asked to",
  ["cn.fromiter"] = "calls a function until it gives nil",
  ["Pointer:copy_from"] = "reads any address", ["DLPack:take"] = "leaves the tensor to its caller",
  ["x:to_dlpack"] = "takes a number for the handle of a stream, which GPUs use unchecked",
  ["cn.cuda.ExternalStream"] = "takes one, too",
}

-- ---- chance ----

local Chance = {}
Chance.__index = Chance

--- Numbers by Park and Miller's generator, the same everywhere.
local function chance_of(seed) return setmetatable({state = seed % 2147483646 + 1}, Chance) end

function Chance:below(n)
  self.state = self.state * 16807 % 2147483647
  return self.state % n
end

function Chance:pick(list) return list[self:below(#list) + 1] end

-- ---- values ----

local NUMBERS = {0, 1, 2, 3, -1, -2, 5, 0.5, 1e9, -1e9, 2 ^ 31, 2 ^ 53, -2 ^ 53, 2 ^ 62, 2 ^ 63, -2 ^ 63, 2 ^ 64,
  1e300, 1e-300,
  1 / 0, -1 / 0, 0 / 0, 1 + 2 ^ -52}
local SMALL = {0, 1, 2, 3, -1, 1, 2}
local STRINGS = {"", "x", "float32", "int8", "complex64", "C", "ij,jk->ik", "...", "2:3", "::-1", "a\nb",
  "\27[31m", "\0", "linear", "wrap",
  "constant", "L", "ortho", "/nonexistent/file", ("y"):rep(300), "cpu", "%s%d"}
local DTYPES = {"float64", "float64", "int64", "bool", "float32", "complex128", "uint8"}

local function nothing() end
local function same(...) return ... end
local function one() return 1 end
local FUNCTIONS = {nothing, same, one}

local function cyclic()
  local list = {1}
  list[2] = list
  return list
end

--- Makers of values other than numbers, strings and arrays.
local STRANGE = {
  function() return {} end, function() return {1, 2, 3} end, function() return {1, nil, 3} end,
  function() return {[0] = 1} end,
  function() return {{1, 2}, {3}} end, function() return {"a", "b"} end, function() return {axis = 1} end,
  function() return {1, 2, axis = 1} end, function() return {out = 5} end, function() return {dtype = {}} end,
  function() return {[1.5] = 2} end, cyclic, function() return setmetatable({},
  {__index = function() return 1 end}) end,
  function() return 5LL end, function() return -1ULL end, function() return 2i end,
  function() return ffi.new "int[4]" end,
  function() return ffi.new "double[2][2]" end, function() return true end, function() return false end,
  function() return newproxy(true) end, function() return io.stdout end, function() return coroutine.create(same) end,
  function(fuzz) return fuzz.chance:pick(fuzz.objects) end, function() return cn end,
  function() return cn.newaxis end,
  function() return {{{{{{{{1}}}}}}}} end,
}

--- A new array: of some dtype, shape and layout.
local function array_of(fuzz)
  local chance = fuzz.chance
  local dtype, kind = chance:pick(DTYPES), chance:below(12)
  if kind == 0 then return cn.zeros({0, 3}, dtype, fuzz.device) end
  if kind == 1 then return cn.ones({}, dtype, fuzz.device) end
  if kind == 2 then return cn.ones({2, 3}, dtype, fuzz.device).T end
  if kind == 3 then return cn.ones({1, 3}, dtype, fuzz.device):broadcast_to(4, 3) end
  if kind == 4 then return cn.ones(6, dtype, fuzz.device)[{{-1, 1, -2}}] end
  if kind == 5 then return cn.ones({3, 3}, dtype, fuzz.device) end
  if kind == 6 and chance:below(3) == 0 then
    local freed = cn.ones(3, dtype, fuzz.device)
    freed:free()
    return freed
  end
  if kind < 9 then return cn.ones(3, dtype, fuzz.device) end
  return cn.ones({2, 3}, dtype, fuzz.device)
end

local function anything(fuzz)
  local kind = fuzz.chance:below(10)
  if kind < 3 then return array_of(fuzz) end
  if kind < 5 then return fuzz.chance:pick(NUMBERS) end
  if kind < 6 then return fuzz.chance:pick(STRINGS) end
  if kind < 7 then return fuzz.chance:pick(FUNCTIONS) end
  if kind < 8 then return nil end
  return fuzz.chance:pick(STRANGE)(fuzz)
end

--- A list of up to three of what make(fuzz) makes.
local function list_of(fuzz, make)
  local list = {}
  for i = 1, fuzz.chance:below(4) do list[i] = make(fuzz) end
  return list
end

local function small(fuzz) return fuzz.chance:pick(SMALL) end

--- Good values, by words in a parameter's type.
local BY_TYPE = {
  {"^cuna.Shape", function(fuzz) return list_of(fuzz, small) end},
  {"^cuna.Operand%[%]", function(fuzz) return list_of(fuzz, array_of) end},
  {"^cuna.Array%[%]", function(fuzz) return list_of(fuzz, array_of) end},
  {"^cuna.Operand", array_of}, {"^cuna.Array", array_of}, {"^integer%[%]", function(fuzz) return list_of(fuzz,
  small) end},
  {"^{out", function(fuzz) return {dtype = fuzz.chance:pick(DTYPES)} end},
  {"^integer", small}, {"^number", function(fuzz) return fuzz.chance:pick(NUMBERS) end},
  {"^string", function(fuzz) return fuzz.chance:pick(STRINGS) end},
  {"^boolean", function(fuzz) return fuzz.chance:below(2) == 0 end}, {"^cuna.Axes", small},
  {"^f", function(fuzz) return fuzz.chance:pick(FUNCTIONS) end}, {"^table", function(fuzz) return {small(fuzz),
  small(fuzz)} end},
}

local function good(fuzz, param)
  if param.name == "dtype" then return fuzz.chance:pick(DTYPES) end
  for _, row in ipairs(BY_TYPE) do
    if param.type:find(row[1]) then return row[2](fuzz) end
  end
  return anything(fuzz)
end

-- ---- what is called ----

--- An object of every class that has methods, by class.
local function objects_of(device)
  local objects = {
    ["cuna.Stream"] = cn.cuda.Stream(), ["cuna.Event"] = cn.cuda.Event(), ["cuna.Device"] = device,
    ["cuna.MemoryPool"] = cn.cuda.MemoryPool(), ["cuna.Generator"] = cn.random.default_rng(1),
    ["cuna.RandomState"] = cn.random.RandomState(1), ["cuna.Poly1d"] = cn.poly1d {1, 2, 3},
    ["cuna.MemoryPointer"] = cn.cuda.MemoryPool():malloc(64), ["cuna.DLPack"] = cn.ones(3):to_dlpack(),
    ["cuna.RawKernel"] = cn.RawKernel('extern "C" __global__ void one(double *x) { x[0] = 1; }', "one"),
    ["cuna.RawModule"] = cn.RawModule {code = 'extern "C" __global__ void two(double *x) { x[0] = 2; }'},
    ["cuna.Graph"] = cn.graph(same, cn.ones(2)),
    ["cuna.CapturedGraph"] = cn.cuda.Stream():capture(nothing),
  }
  return objects
end

--- What stands before the dot, as in "cn.linalg".
local function namespace_of(owner)
  local value = {cn = cn}
  for word in owner:gmatch "[^.]+" do value = value[word] end
  return value
end

--- The function of an entry, and of a method the object's class; nil where there is none to call.
local function function_of(entry, objects)
  if entry.kind == "class" or entry.kind == "alias" or M.APART[entry.title] then return nil end
  if entry.owner == "cuna.Array" then return core.methods()[entry.name], entry.owner end
  if entry.owner:find "^cn" then return namespace_of(entry.owner)[entry.name] end
  local object = objects[entry.owner]
  return object ~= nil and object[entry.name] or nil, entry.owner
end

--- {title =, fn =, params =, class = or nil} of all that is documented.
local function targets_of(objects)
  local list = {}
  for _, entry in ipairs(catalog.load().entries) do
    local fn, class = function_of(entry, objects)
    if fn then list[#list + 1] = {title = entry.title, fn = fn, params = entry.params, class = class} end
  end
  return list
end

-- ---- calls ----

local function self_of(fuzz, class)
  if fuzz.chance:below(20) == 0 then return anything(fuzz) end
  return class == "cuna.Array" and array_of(fuzz) or fuzz.by_class[class]
end

--- The arguments of one call, and how many there are.
local function arguments_of(fuzz, target)
  local list, count, chance = {}, 0, fuzz.chance
  local wild = chance:below(4) -- 0: all of them are good
  local function add(value) count, list[count + 1] = count + 1, value end
  if target.class then add(self_of(fuzz, target.class)) end
  for _, param in ipairs(target.params) do
    if param.optional and chance:below(3) == 0 then break end
    add(wild > 0 and chance:below(4) < wild and anything(fuzz) or good(fuzz, param))
  end
  if chance:below(8) == 0 then add(anything(fuzz)) end
  local last = target.params[#target.params]
  if last and chance:below(6) == 0 then add {[chance:pick(target.params).name or "x"] = anything(fuzz)} end
  return list, count
end

local function show(value)
  if type(value) == "string" then return ("%q"):format(value:sub(1, 40)) end
  if type(value) ~= "userdata" or not core.is_array(value) then return tostring(value) end
  if not core.is_alive(value) then return "a freed array" end
  return ("array %s %s"):format(value.dtype, tostring(value.shape))
end

local function show_call(target, list, count)
  local words = {}
  for i = 1, count do words[i] = show(list[i]) end
  return target.title .. "(" .. table.concat(words, ", ") .. ")"
end

--- What is wrong with an error; nil for one line of cuna's at the caller's line, or at one of a function of ours. Lines
--- of a text that does not compile may follow.
local function flaw(message)
  if type(message) ~= "string" then return "an error that is not a string: " .. tostring(message) end
  message = message:match "^([^\n]*: cuna: CompileError: [^\n]*)\n[> ]*%d+ |" or message
  local where, said = message:match "^([^\n]-):%d+: cuna: ([^%c\127]*)$"
  if not where then return not message:find("^" .. PLACE .. ":1: assert_") and message or nil end -- what differs
  if where ~= PLACE and not where:find("fuzz", 1, true) then return "blames another line: " .. message end
  return nil, said
end

--- Calls each function `rounds` times; report(what, call) hears of findings, begin(call) of each call beforehand.
---@param settings table {device =, seed =, rounds =, rehearse = whether nothing is compiled, most_s = a call may
--- take, report =, begin =, only = pattern of titles or nil}
---@return integer calls
function M.run(settings)
  local by_class = objects_of(settings.device)
  local fuzz = {device = settings.device, by_class = by_class, objects = {}}
  local names, calls = {}, 0
  for name in pairs(by_class) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do fuzz.objects[i] = by_class[name] end
  for at, target in ipairs(targets_of(by_class)) do
    for round = 1, (settings.only and not target.title:find(settings.only)) and 0 or settings.rounds do
      fuzz.chance = chance_of(settings.seed * 1000003 + at * 1009 + round * 7)
      for _ = 1, 3 do fuzz.chance:below(2) end
      local list, count = arguments_of(fuzz, target)
      local text = show_call(target, list, count)
      settings.begin(text)
      local began = core.clock()
      if settings.rehearse then core.prepare_begin() end
      local ok, message = pcall(call, target.fn, list, count)
      if core.is_preparing() then core.prepare_end(false) end
      by_class["cuna.MemoryPool"]:set_limit(0) -- what the next arrays may come from
      local seconds, problem = core.clock() - began, nil
      if not ok then problem = flaw(message) end
      if problem then settings.report(problem, text) end
      if seconds > settings.most_s then settings.report(("takes %.1f s"):format(seconds), text) end
      calls = calls + 1
    end
  end
  return calls
end

return M
