--- Positions and axes count from 1, negative ones from the end, in every function of cn and method of arrays that takes
--- or returns them; 0, what is beyond the end and fractions are errors at the user's line.
--
-- The functions come from the catalog. What takes an axis is found by the parameter's name and tried with the call of
-- spec/support/every_function.lua; what takes or returns positions has a row here, beside NumPy's answer
-- (spec/golden/positions_rule.py). One whose documentation speaks of positions and that has no row is an error.
local catalog = require "cuna.tools.catalog"
local cn = require "cuna"
local devices = require "spec.support.devices"
local every = require "spec.support.every_function"
local golden = dofile("spec/golden/positions_rule.lua")

local INTEGERS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
local HERE = debug.getinfo(1, "S").short_src

local function fail_with(findings) assert(#findings == 0, "\n  " .. table.concat(findings, "\n  ")) end

--- What is wrong with the error of fn(...), which is to begin with a name and hold one of some words; or nil.
local function flaw(name, words, fn, ...)
  local ok, message = pcall(function(...)
    local result = fn(...)
    return result
  end, ...)
  if ok then return "no error" end
  local where, said = tostring(message):match "^([^\n]-):%d+: cuna: ([^\n]*)$"
  if where ~= HERE then return "not one line here: " .. tostring(message) end
  local first = said:match "^[%w_.]+"
  if not (" " .. name .. " "):find(" " .. first:gsub("_$", "") .. "_? ") then return "begins otherwise: " .. said end
  for _, word in ipairs(words) do
    if said:find(word, 1, true) then return nil end
  end
  return ("does not say '%s': %s"):format(words[1], said)
end

--- Numbers in arrays, tables of them and Lua values, one after the other.
local function flat(value, list)
  list = list or {}
  if cn.is_array(value) then
    if value.dtype:find "^complex" then return flat({value.real, value.imag}, list) end
    for _, x in ipairs(value:reshape(-1):totable()) do list[#list + 1] = x == true and 1 or x == false and 0 or x end
  elseif type(value) == "table" then
    for _, x in ipairs(value) do flat(x, list) end
  else
    list[#list + 1] = value
  end
  return list
end

-- ---- axes ----

local AXES = {axis = true, axes = true, axis1 = true, axis2 = true, axisa = true, axisb = true, axisc = true,
  source = true, destination = true}

-- Arguments that do for each axis, where those of every_function.lua do for one only; of other counts of axes than 2,
-- how many there are.
local AXIS_CALLS = {
  ["cn.diagonal:axis1"] = "m, 0, nil, 1", ["cn.diagonal:axis2"] = "m", ["cn.trace:axis1"] = "m, 0, nil, 1",
  ["cn.diff:axis"] = "m", ["cn.repeat_interleave:axis"] = "m, 2", ["cn.append:axis"] = "s, s",
  ["cn.insert:axis"] = "m, 2, 7", ["cn.squeeze:axis"] = "one:reshape(3, 1)", ["cn.compress:axis"] = "flags, s",
  ["cn.apply_along_axis:axis"] = "cn.sum, nil, m", ["cn.cross:axis"] = "s, s", ["cn.cross:axisa"] = "s, s",
  ["cn.cross:axisb"] = "s, s", ["cn.cross:axisc"] = "s, s", ["cn.rot90:axes"] = false,
  ["cn.tensordot:axes"] = false, ["cn.vecdot:axis"] = "s, s",
}
local AXIS_COUNTS = {["cn.expand_dims"] = 3, ["cn.stack"] = 3, ["cn.lexsort"] = 1, ["cn.cumulative_sum"] = 1,
  ["cn.cumulative_prod"] = 1, ["cn.trim_zeros"] = 1, ["cn.unpackbits"] = 1}

--- Parameters that are axes, as {key, one, place}.
local function axis_parameters()
  local list = {}
  for _, one in ipairs(every.functions()) do
    for place, param in ipairs(one.params) do
      local key = one.title .. ":" .. param.name
      if AXES[param.name] and AXIS_CALLS[key] ~= false then
        local call = AXIS_CALLS[key]
        list[#list + 1] = {key = key, one = one, place = place, ndim = AXIS_COUNTS[one.title] or 2,
          chunk = call and {chunk = assert(loadstring("local pack = ... return pack(" .. call .. ")"))} or one}
      end
    end
  end
  return list
end

-- Axes that come otherwise than as a parameter: the call, and how many there are.
local OTHER_AXES = {
  transpose = {2, function(x, axis) return x:transpose(axis, 1) end},
  permute_dims = {2, function(x, axis) return cn.permute_dims(x, {axis, 1}) end},
  rot90 = {2, function(x, axis) return cn.rot90(x, 1, {1, axis}) end},
  tensordot = {2, function(x, axis) return cn.tensordot(x, x, {axis, {axis}}) end},
  gradient = {2, function(x, axis) return cn.gradient(x, {axis = axis}) end},
}

local axes = axis_parameters()

-- ---- positions ----

local v, m, s, mask

local function listed(p) return cn.is_array(p) and p or {p} end

--- Three zeros, changed.
local function written(fn)
  local x = cn.zeros(3)
  fn(x)
  return x
end

--- Lengths of parts, then their elements.
local function parts(list, axis)
  local lengths, elements = {}, {}
  for k, part in ipairs(list) do
    lengths[k] = part.shape[axis or 1]
    flat(axis and part:transpose(3, 1, 2) or part, elements)
  end
  return {lengths, elements}
end

-- Of each function that takes positions: the call; by parameter what it is. `says` is what messages begin with where
-- that is not the name; `length` is the axis' where more positions than it has are taken; `any`: those beyond the end
-- are not errors; `no_end`: none is negative, `no_limit`: none too large; `no_strings`: text means something else.
local TAKES = {
  index = {call = function(p) return v[p] end, no_strings = true},
  assignment = {says = "index", no_strings = true, call = function(p)
    return written(function(x) x[p] = 7 end)
  end},
  take = {param = "indices", call = function(p) return cn.take(v, p) end},
  add_reduceat = {param = "indices", call = function(p) return cn.add_reduceat(v, listed(p)) end},
  put = {param = "indices", call = function(p) return written(function(x) x:put(p, 7) end) end},
  take_along_axis = {param = "indices", call = function(p) return cn.take_along_axis(v, listed(p), 1) end},
  put_along_axis = {param = "indices", call = function(p)
    return written(function(x) cn.put_along_axis(x, listed(p), 7, 1) end)
  end},
  choose = {param = "indices", call = function(p) return cn.choose(p, {10, 20, 30}) end},
  unravel_index = {param = "indices", call = function(p) return cn.unravel_index(p, {2, 3}) end},
  ravel_multi_index = {param = "multi_index", call = function(p)
    return cn.ravel_multi_index({{2}, listed(p)}, {2, 3})
  end},
  ix_ = {param = "...", says = "index ix_", call = function(p) return m[cn.ix_({2}, listed(p))] end},
  add_at = {param = "key", says = "index", no_strings = true, call = function(p)
    return written(function(x) x:add_at(p, 7) end)
  end},
  partition = {param = "kth", no_arrays = true, call = function(p) return cn.partition(v, p)[p] end},
  argpartition = {param = "kth", no_arrays = true, call = function(p) return v[cn.argpartition(v, p)[p]] end},
  searchsorted = {param = "sorter", call = function(p)
    local first = cn.is_array(p) and 2 or p == -1 and 3 or p == -2 and 2
      or p == 3 and 3 or p == 2 and 2 or 1
    local a, sorter = {}, {p, first % 3 + 1, (first + 1) % 3 + 1}
    a[first], a[sorter[2]], a[sorter[3]] = 1, 2, 3
    if cn.is_array(p) then sorter = cn.concatenate {p, cn.array({3, 1}, p.dtype)} end
    return cn.searchsorted(a, 2, {sorter = sorter})
  end},
  delete = {param = "positions", call = function(p) return cn.delete(v, p) end},
  insert = {param = "positions", length = 3, call = function(p) return cn.insert(v, p, 7) end},
  split = {param = "sections", any = true, call = function(p) return parts(cn.split(v, listed(p))) end},
  array_split = {param = "sections", any = true, call = function(p) return parts(cn.array_split(v, listed(p))) end},
  hsplit = {param = "sections", any = true, call = function(p) return parts(cn.hsplit(v, listed(p))) end},
  vsplit = {param = "sections", any = true, call = function(p) return parts(cn.vsplit(s, listed(p))) end},
  dsplit = {param = "sections", any = true, call = function(p)
    return parts(cn.dsplit(s:reshape(1, 3, 3), listed(p)), 3)
  end},
  rollaxis = {param = "start", no_arrays = true, length = 2, call = function(p)
    return {unpack(m:rollaxis(1, p).shape)}
  end},
  bincount = {param = "x", no_end = true, no_limit = true, call = function(p)
    return cn.bincount(listed(p), {minlength = 3})
  end},
}

-- Of each function that returns positions: what NumPy returns less 1.
local ANSWERS = {
  argmax = function() return m:argmax() end,
  argmin = function() return m:argmin() end,
  nanargmax = function() return cn.nanargmax(m) end,
  nanargmin = function() return cn.nanargmin(m) end,
  argsort = function() return m:argsort() end,
  lexsort = function() return cn.lexsort {v, v} end,
  argpartition = function() return v:argpartition(1)[1] end,
  topk = function() return (select(2, cn.topk(v, 1))) end,
  unique = function() return (select(2, cn.unique({5, 4, 5, 7}, {return_index = true}))) end,
  unique_inverse = function() return (select(2, cn.unique_inverse {5, 4, 5, 7})) end,
  factorize = function() return (cn.factorize {4, 5, 4, 7}) end,
  unique_all = function()
    local _, first, inverse = cn.unique_all {5, 4, 5, 7}
    return {first, inverse}
  end,
  ndindex = function()
    local list = {}
    for i, j in cn.ndindex(2, 3) do list[#list + 1] = {i, j} end
    return list
  end,
  ndenumerate = function()
    local list = {}
    for _, i, j in cn.ndenumerate(m) do list[#list + 1] = {i, j} end
    return list
  end,
  ["unique.inverse"] = function() return (select(2, cn.unique({5, 4, 5, 7}, {return_inverse = true}))) end,
  intersect1d = function()
    local _, i, j = cn.intersect1d({5, 1, 7}, {7, 9, 5}, {return_indices = true})
    return {i, j}
  end,
  nonzero = function() return cn.nonzero(mask) end,
  where = function() return cn.where(mask) end,
  flatnonzero = function() return cn.flatnonzero(mask) end,
  argwhere = function() return cn.argwhere(mask) end,
  unravel_index = function() return cn.unravel_index({6, 2}, {2, 3}) end,
  ravel_multi_index = function() return cn.ravel_multi_index({{2, 1}, {3, 2}}, {2, 3}) end,
  ix_ = function() return cn.ix_(cn.array {true, false, true}, {1, 2}) end,
  indices = function() return cn.indices {2, 3} end,
  tril_indices = function() return cn.tril_indices(3) end,
  triu_indices = function() return cn.triu_indices(3) end,
  tril_indices_from = function() return cn.tril_indices_from(s) end,
  triu_indices_from = function() return cn.triu_indices_from(s) end,
  diag_indices = function() return cn.diag_indices(3) end,
  diag_indices_from = function() return cn.diag_indices_from(s) end,
  searchsorted = function() return cn.searchsorted({1, 2, 3}, {0, 2, 2.5, 9}) end,
  digitize = function() return cn.digitize({0, 2, 2.5, 9}, {1, 2, 3}) end,
  einsum_path = function()
    local path = cn.einsum_path("ij,jk,kl->il", cn.ones {9, 2}, cn.ones {2, 8}, cn.ones {8, 3})
    return {path[1][1], path[1][2], path[2][1], path[2][2]}
  end,
  bincount = function() return cn.nonzero(cn.bincount {3, 3})[1] end,
  fromfunction = function() return cn.fromfunction(function(i, j) return (i - 1) * 10 + j end, {2, 3}) end,
  range = function() return cn.range(1, 3) end,
  lu_factor = function() return (select(2, cn.linalg.lu_factor(s))) end,
  lu = function() return (cn.linalg.lu(s, {p_indices = true})) end,
  iter = function()
    local list = {}
    for i in v:iter() do list[#list + 1] = i end
    return list
  end,
}

-- Functions whose documentation says "position" and means something else.
local NONE = {
  quantile = "ranks between elements", svd = "a decomposition",
  tensordot = "axes", finfo = "parts of a number", convolve = "shifts", savez = "arguments",
  read_csv = "columns, which csv_spec tries",
  no_sync = "a list of functions", format_float_positional = "a notation",
  ElementwiseKernel = "i of C++", ReductionKernel = "i of C++", ScanKernel = "i of C++", RawKernel = "i of C++",
}

--- What documentation says of positions: parameters and results of a function by name, and the function.
local function speaks(text)
  text = text:lower()
  return text:find "position" or text:find "from 1" or text:find "%f[%a]indices" or text:find "split point"
end

-- Parameters that describe other positions, or those in results.
local SILENT = {mode = true, axis = true, return_indices = true, p_indices = true}

--- Meets the kernels of all rows, so that they are compiled together.
local function rehearse()
  for _, row in pairs(TAKES) do
    pcall(row.call, 1)
    for _, dtype in ipairs(row.no_arrays and {} or INTEGERS) do pcall(row.call, cn.array({2}, dtype)) end
  end
  for _, call in pairs(ANSWERS) do pcall(call) end
end

devices.each_device(function(device)
  setup(function()
    v, m = cn.array {3, 1, 2}, cn.array {{4, 1, 3}, {2, 6, 5}}
    s = cn.array {{2, 7, 6}, {9, 5, 1}, {4, 3, 8}}
    mask = cn.array {{true, false, true}, {false, true, true}}
  end)

  describe("axes count from 1", function()
    local findings

    before_each(function() findings = {} end)

    --- A good call's arguments with an axis.
    local function call(row, axis)
      local arguments, count = every.arguments(row.chunk, every.operands(device))
      arguments[row.place] = axis
      return row.one.call(unpack(arguments, 1, math.max(count, row.place)))
    end

    local function all_of(row, axis) return flat {call(row, axis)} end

    it("and negative ones from the end", function()
      devices.prepare(function()
        for _, row in ipairs(axes) do pcall(call, row, -1) end
      end)
      for _, row in ipairs(axes) do
        local fits, results = pcall(all_of, row, row.ndim)
        if not fits then
          findings[#findings + 1] = ("%s = %d: %s"):format(row.key, row.ndim, tostring(results))
        elseif not pcall(assert.same, results, all_of(row, -1)) then
          findings[#findings + 1] = ("%s: %d and -1 differ"):format(row.key, row.ndim)
        end
      end
      for name, row in pairs(OTHER_AXES) do
        if not pcall(assert.same, flat {row[2](m, row[1])}, flat {row[2](m, -1)}) then
          findings[#findings + 1] = name .. ": the last axis and -1 differ"
        end
      end
      fail_with(findings)
    end)

    it("and others are errors", function()
      for _, row in ipairs(axes) do
        for _, axis in ipairs {0, row.ndim + 1, -row.ndim - 1, 1.5, 0 / 0, "x"} do
          local found = flaw(row.one.name:gsub("_$", ""), {"axis", "axes"}, call, row, axis)
          if found then findings[#findings + 1] = ("%s = %s: %s"):format(row.key, tostring(axis), found) end
        end
      end
      for name, row in pairs(OTHER_AXES) do
        for _, axis in ipairs {0, row[1] + 1, -row[1] - 1, 1.5, "x"} do
          local found = flaw(name, {"axis", "axes"}, row[2], m, axis)
          if found then findings[#findings + 1] = ("%s, %s: %s"):format(name, tostring(axis), found) end
        end
      end
      fail_with(findings)
    end)
  end)

  describe("positions count from 1", function()
    setup(function() devices.prepare(rehearse) end)


    for name, row in pairs(TAKES) do
      it("and from the end below 0 in " .. name, function()
        for k, expected in ipairs(golden.takes[name]) do
          assert.same(expected, flat(row.call(k)))
          local from_end = k - (row.length or #golden.takes[name]) - 1
          if not row.no_end and from_end < 0 then assert.same(expected, flat(row.call(from_end)), from_end) end
        end
      end)

      it("and are not other numbers in " .. name, function()
        local count, findings = #golden.takes[name], {}
        local wrong = {0, count + 1, -count - 1, 1.5, 0 / 0, (not row.no_strings) and "x" or nil}
        if row.any then wrong = {0, 1.5, 0 / 0, "x"} end
        if row.no_limit then wrong = {0, -1, 1.5, 0 / 0, "x"} end
        for _, p in ipairs(wrong) do
          local found = flaw(row.says or name, {""}, function()
            row.call(p)
            cn.synchronize() -- where a GPU reports what only it can know
          end)
          if found then findings[#findings + 1] = ("%s, %s: %s"):format(name, tostring(p), found) end
        end
        fail_with(findings)
      end)

      if not row.no_arrays then
        it("and come in arrays of any integer dtype in " .. name, function()
          local function call_with(dtype) return row.call(cn.array({2}, dtype)) end
          for _, dtype in ipairs(INTEGERS) do assert.same(golden.takes[name][2], flat(call_with(dtype)), dtype) end
        end)
      end
    end

    for name, call in pairs(ANSWERS) do
      it("in the results of " .. name, function()
        local got = flat(call())
        for k = 1, #got do got[k] = got[k] - 1 end
        assert.same(golden.answers[name], got)
      end)
    end
  end)
end)

it("every function that speaks of positions has a row", function()
  local findings = {}
  for _, entry in ipairs(catalog.load().entries) do
    if every.OWNERS[entry.owner] and (entry.kind == "function" or entry.kind == "method") and not NONE[entry.name] then
      local row, name = TAKES[entry.name], entry.title
      for _, param in ipairs(entry.params) do
        local is_known = SILENT[param.name] or row and row.param == param.name
        if not is_known and speaks(param.name .. " " .. param.text) then
          findings[#findings + 1] = ("%s takes positions as %s: a row in TAKES"):format(name, param.name)
        end
      end
      local said = table.concat(entry.text, " ")
      for _, result in ipairs(entry.returns) do said = said .. " " .. result.text end
      if speaks(said) and not row and not ANSWERS[entry.name] then
        findings[#findings + 1] = name .. " returns positions: a row in ANSWERS"
      end
    end
  end
  fail_with(findings)
end)
