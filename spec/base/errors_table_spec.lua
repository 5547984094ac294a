--- Misuse of every function of cn and method of arrays that takes an array: each is one line at the user's line that
--- begins with the function's name, and changes nothing.
--
-- The functions, their parameters and a good call of each come from spec/support/every_function.lua, that is from the
-- catalog: a new function is here on its own. What may pass stands in a table with the reason.
local cn = require "cuna"
local devices = require "spec.support.devices"
local every = require "spec.support.every_function"

local functions = every.functions()

-- What may pass, or is said in other words, by kind of misuse: names of functions, or of a function and an argument.
local function set_of(names)
  local set = {}
  for name in names:gmatch "%S+" do set[name] = true end
  return set
end

-- A Lua boolean is a value to store, or one of those to choose from; of other values dtype_info returns the dtype.
local BOOLEANS = set_of [[cn.array:1 cn.asarray:1 cn.full:2 cn.full_like:2 cn.add_reduce:6 cn.add_at:3 cn.diff:4
  cn.diff:5 cn.ediff1d:2 cn.ediff1d:3 cn.put:3 cn.put_along_axis:3 cn.putmask:3 cn.place:3 cn.copyto:2
  cn.fill_diagonal:2 cn.insert:3 cn.choose:2 cn.select:2 cn.select:3 cn.where:2 cn.where:3 cn.block:1
  cn.result_type:1 cn.result_type:2 cn.isdtype:1 cn.issubdtype:1 cn.r_:1 cn.c_:1]]
-- Values that are not arrays are returned unchanged.
local ANYTHING = set_of "cn.item"
-- Each argument is asked for itself, or one is moved to the other.
local ANY_DEVICE = set_of "cn.item cn.shares_memory cn.result_type x:set"
-- The dtype is what they are asked about, which a number has too.
local NUMBERS_HAVE_DTYPES = set_of "cn.finfo cn.iinfo cn.isdtype cn.issubdtype"
-- Numbers or values come one by one, without end: options among them are one that is wrong, or the functions' own.
local ANY_COUNT = set_of [[cn.item x:has_shape cn.evaluate cn.reshape cn.transpose cn.permute_dims cn.broadcast_to
  cn.result_type cn.common_type cn.apply_along_axis cn.piecewise]]
-- How large the result is depends on elements, which a rehearsal does not know.
local SIZED_BY_DATA = set_of "cn.compress x:compress"
-- Writes to the cpu device, wherever the array is.
local TO_THE_HOST = set_of "cn.asnumpy"
local HERE = debug.getinfo(1, "S").short_src

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

--- What is wrong with the error of a call, whose message is to begin with `name` and to hold one of `words`; or nil.
local function flaw(name, words, ok, message)
  if ok then return "no error" end
  local where, said = tostring(message):match "^([^\n]-):%d+: cuna: ([^\n]*)$"
  if where ~= HERE then return "not one line here: " .. tostring(message) end
  local kind = said:match "^%u%a+Error: " or ""
  name = name:gsub("_$", "") -- an operation in place speaks of the operation
  if said:sub(#kind + 1, #kind + #name + 1):gsub("_$", ":") ~= name .. ":" then return "begins otherwise: " .. said end
  for _, word in ipairs(words) do
    if not said:find(word, 1, true) then return ("does not say '%s': %s"):format(word, said) end
  end
end

local function try(call, arguments, count)
  return pcall(function()
    local result = call(unpack(arguments, 1, count))
    return result
  end)
end

--- How many arrays there are in a list and in the lists in it.
local function arrays_in(list)
  local count = 0
  for _, value in pairs(list) do
    count = count + (cn.is_array(value) and 1 or type(value) == "table" and arrays_in(value) or 0)
  end
  return count
end

--- The bytes of all operands.
local function bytes_of(set)
  local bytes = {}
  for name, x in pairs(set) do bytes[name] = cn.is_array(x) and x:tobytes() or nil end
  return bytes
end

devices.each_device(function(device)
  describe("misuse", function()
    local set, before, findings

    before_each(function()
      set, findings = every.operands(device), {}
      before = bytes_of(set)
    end)
    after_each(function() assert.same(before, bytes_of(set)) end)

    --- Notes what is wrong when a call does not refuse its arguments with one line that holds all words.
    local function refuses(one, what, words, arguments, count)
      local found = flaw(one.name, words, try(one.call, arguments, count))
      if found then findings[#findings + 1] = ("%s with %s: %s"):format(one.title, what, found) end
    end

    --- fn(one, arguments, count, place, put) for every place of an array; put(value) is there what is tried.
    local function each_place(fn)
      for _, one in ipairs(functions) do
        local _, count = every.arguments(one, set)
        for place = 1, count do
          local arguments = every.arguments(one, set)
          local list = type(arguments[place]) == "table" and arguments[place] or nil
          local kind = one.kinds[math.min(place, #one.kinds)]
          if kind and (list or cn.is_array(arguments[place])) then
            fn(one, arguments, count, place, function(value)
              local at, key = arguments, place
              while type(at[key]) == "table" do at, key = at[key], #at[key] end
              at[key] = value
            end)
          end
        end
      end
    end

    it("values that are not arrays", function()
      for _, case in ipairs {{"a string", "x"}, {"a mixed table", {1, "x"}}, {"a ragged table", {{1, 2}, {3}}},
        {"a hole", {1, nil, 3}}, {"a function", print}, {"a userdata", io.stdout}, {"true", true}} do
        each_place(function(one, arguments, count, place, put)
          put(case[2])
          if ANYTHING[one.title] or case[2] == true and BOOLEANS[one.title .. ":" .. place] then return end
          refuses(one, case[1] .. " as argument " .. place, {}, arguments, count)
        end)
      end
      fail_with(findings)
    end)

    it("nil", function()
      each_place(function(one, arguments, count, place)
        local param = one.params[place]
        if param and not param.optional and not param.rest and not ANYTHING[one.title] then
          arguments[place] = nil
          refuses(one, "nil as argument " .. place, {}, arguments, count)
        end
      end)
      fail_with(findings)
    end)

    it("a freed array", function()
      each_place(function(one, arguments, count, place, put)
        local freed = cn.zeros(3)
        freed:free()
        put(freed)
        refuses(one, "a freed array as argument " .. place, {"freed"}, arguments, count)
      end)
      fail_with(findings)
    end)

    it("an array of another device", function()
      if not set.other or #devices.names() < 2 then return end
      local there = every.operands(cn.device(set.other))
      each_place(function(one, arguments, count, place, put)
        if arrays_in(arguments) < 2 or ANY_DEVICE[one.title] then return end
        local foreign = every.arguments(one, there)[place]
        while type(foreign) == "table" do foreign = foreign[#foreign] end
        put(foreign)
        refuses(one, "argument " .. place .. " elsewhere", {"cpu", "cuda:0"}, arguments, count)
      end)
      fail_with(findings)
    end)

    it("a wrong dtype", function()
      for _, one in ipairs(functions) do
        if every.place(one, "dtype") then
          local arguments, count = every.arguments(one, set)
          local place = math.min(every.place(one, "dtype"), count + 1)
          local function given(dtype) return place > count and {dtype = dtype} or dtype end
          arguments[place] = given "floatx"
          refuses(one, "dtype floatx", {"unknown dtype 'floatx'"}, arguments, math.max(place, count))
          arguments[place] = given(7)
          if not NUMBERS_HAVE_DTYPES[one.title] then
            refuses(one, "dtype 7", {"dtype is a string"}, arguments, math.max(place, count))
          end
        end
      end
      fail_with(findings)
    end)

    it("an unknown option", function()
      for _, one in ipairs(functions) do
        local arguments, count = every.arguments(one, set)
        arguments[count + 1] = {axsi = 1}
        if not ANY_COUNT[one.title] then
          refuses(one, "axsi", {"'axsi'", every.place(one, "axis") and "axis" or nil}, arguments, count + 1)
        end
      end
      fail_with(findings)
    end)

    it("an argument too many", function()
      for _, one in ipairs(functions) do
        local arguments = every.arguments(one, set)
        if not one.params[#one.params].rest and not ANY_COUNT[one.title] then
          arguments[#one.params + 1] = print
          refuses(one, "one too many", {}, arguments, #one.params + 1)
        end
      end
      fail_with(findings)
    end)

    --- The shape and dtype of what a good call returns.
    local function described(one)
      local shape, dtype = {}, "bool" -- of what only decides
      pcall(cn.prepare, function()
        local arguments, count = every.arguments(one, set)
        local result = one.call(unpack(arguments, 1, count))
        if cn.is_array(result) then shape, dtype = result.shape, result.dtype end
        error "rehearsed" -- so that no kernel is made
      end)
      return shape, dtype
    end

    it("outputs that are none, of another shape, dtype or device", function()
      for _, one in ipairs(functions) do
        local is_ours = every.place(one, "out") and not SIZED_BY_DATA[one.title]
        local shape, dtype = {}, "bool"
        if is_ours then shape, dtype = described(one) end
        local own = TO_THE_HOST[one.title] and cn.device "cpu" or device
        local function refuse_out(what, out, ...)
          if not is_ours then return end
          local arguments, count = every.arguments(one, set)
          arguments[count + 1] = {out = out}
          refuses(one, "out " .. what, {...}, arguments, count + 1)
        end
        refuse_out("a string", "x", "out")
        refuse_out("a number", 7, "out")
        refuse_out("an empty table", {}, "out")
        refuse_out("a table of options", {keepdims = true}, "out")
        refuse_out("of another shape", cn.zeros({7, 5, 3, 1}, dtype, own), "shape")
        if dtype ~= "bool" then refuse_out("of dtype bool", cn.zeros(shape, "bool", own), "bool") end
        refuse_out("that is read-only", cn.zeros({}, dtype, own):broadcast_to {5, unpack(shape)}[{1, cn.ellipsis}])
        if #devices.names() > 1 then
          refuse_out("elsewhere", cn.zeros(shape, dtype, own == cn.device "cpu" and "cuda:0" or "cpu"), "cpu")
        end
      end
      fail_with(findings)
    end)
  end)
end)

it("every function that takes an array has a good call", function()
  local findings, known = {}, {}
  for _, one in ipairs(functions) do
    if not one.arguments then findings[#findings + 1] = one.title .. " needs a row in CALLS" end
    known[one.title] = true
  end
  for title in pairs(every.CALLS) do
    if not known[title] then findings[#findings + 1] = "there is no " .. title end
  end
  fail_with(findings)
end)
