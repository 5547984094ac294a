--- function.lua: translates functions and kernels written in Lua to CUDA C++.
--
-- A function is translated for the types of its arguments, in passes. A pass translates it from beginning to end with
-- the types that its variables have so far; if one of them changes (a literal 0 was the first value of a sum of
-- floats), another pass follows. Types only widen, so the passes terminate. A function inside of another becomes a
-- lambda, other functions precede the kernel.
local calls = require "cuna.jit.calls"
local dtype_facts = require "cuna.base.dtype_facts"
local e = require "cuna.jit.expr"
local emit = require "cuna.jit.emit"
local parse = require "cuna.jit.parse"
local prelude = require "cuna.jit.prelude"
local source = require "cuna.jit.source"
local suggest = require "cuna.base.suggest"
local types = require "cuna.jit.types"

local M = {}

local fail, show, expression = e.fail, e.show, e.expression
local new_name, flatten, copy = emit.new_name, emit.flatten, emit.copy
local TYPES = types.TYPES
local MAX_PASSES = 100

local trees = setmetatable({}, {__mode = "k"}) -- by function; a tree does not hold its function, which is free to go

--- The tree and the source of a Lua function.
function M.source_of(fn)
  local found, problem = source.find(fn)
  if not found then return nil, problem end
  trees[fn] = trees[fn] or M.parse(found)
  found.tree = trees[fn]
  return found
end

--- The tree of a source.
function M.parse(found)
  local ok, tree = pcall(parse.parse, found.tokens, found.at)
  if ok then return tree end
  if type(tree) == "table" then tree.file = found.file end
  error(tree, 0)
end

--- A function defined inside of another. Its instances for the arguments of calls are emitted at this line.
function e.closure(inst, fn)
  local place = {}
  inst.closures[fn] = place
  emit.emit_later(inst, function()
    local texts = {("/* %s */"):format(fn.name or "function")}
    for _, made in ipairs(place) do texts[#texts + 1] = made.text end
    return table.concat(texts, "\n")
  end)
  return {fn = fn, instance = inst}
end

--- The properties of a value that affect the translation of a function.
local function signature(v)
  if v.key then
    return v.key
  elseif v.array then
    return ("%s/%d/%s"):format(v.array.dtype, v.array.ndim, tostring(v.array.dense))
  elseif v.type then
    return ("%s%s%s%s"):format(v.type.name, v.weak and "w" or "", v.whole and "i" or "",
      (v.literal or v.open) and "o" or "")
  end
  return tostring(v.const) .. tostring(v.fn)
end

--- Sets the values of an instance's parameters; returns their declarations in C++.
local function bind_params(inst, values)
  local texts = {}
  for k, variable in ipairs(inst.fn.params) do
    local v = values[k]
    if v.array then
      local name = new_name(inst, variable.name)
      local info = {name = variable.name, dtype = v.array.dtype, ndim = v.array.ndim, dense = v.array.dense}
      inst.bound[variable], inst.arrays[k] = {text = name, array = info}, info
      texts[#texts + 1] = ("const %s %s"):format(types.array_type(info), name)
    elseif v.type then
      local state = emit.take(inst, inst.fn, variable, v)
      inst.names[variable] = new_name(inst, variable.name)
      texts[#texts + 1] = ("%s %s"):format(state.type.c, inst.names[variable])
    elseif v.c then
      texts[#texts + 1] = ("%s %s"):format(v.c, emit.bind_object(inst, variable, v))
    else
      inst.bound[variable] = v
    end
  end
  return texts
end

local function new_instance(ctx, key, fn, found, parent)
  ctx.states[key] = ctx.states[key] or {}
  return {ctx = ctx, key = key, fn = fn, source = found, parent = parent, states = ctx.states[key], bound = {},
    names = {}, known = {}, arrays = {}, closures = {}, lines = {}, depth = 0, results = {variables = {}}}
end

--- Sets the results of an instance: their types, and the type that C++ returns.
local function finish_results(inst, name)
  local list, fields = {}, {}
  for k, variable in ipairs(inst.results.variables) do
    local state = inst.states[variable]
    list[k] = {type = state.type, weak = state.weak, whole = state.whole, open = types.is_int(state) and state.open}
    fields[k] = ("%s v%d;"):format(state.type.c, k)
  end
  inst.list = list
  inst.result_type = #list == 0 and "void" or #list == 1 and list[1].type.c or name .. "results"
  if #list > 1 then
    table.insert(inst.ctx.parts, ("struct %s { %s };"):format(inst.result_type, table.concat(fields, " ")))
  end
  if #list > 0 and not emit.returns(inst.fn.body) then
    fail(inst, inst.fn, "'%s' does not return a value on every path", inst.fn.name or "function")
  end
end

--- The variables of results, which are the same in all passes.
local function result_variables(ctx, key)
  ctx.results[key] = ctx.results[key] or {}
  return ctx.results[key]
end

local function translate_function(inst, values)
  local ctx, outer = inst.ctx, inst.ctx.unset
  inst.name = new_name(inst, inst.fn.name or inst.source.name or "function")
  inst.results.variables = result_variables(ctx, inst.key)
  local params = bind_params(inst, values)
  ctx.unset = copy(outer)
  emit.block(inst, inst.fn.body)
  ctx.unset = outer
  finish_results(inst, inst.name)
  if inst.is_lambda then
    inst.text = ("const auto %s = [&](%s) -> %s {\n%s\n};"):format(inst.name, table.concat(params, ", "),
      inst.result_type, flatten(inst.lines))
    return
  end
  if ctx.checks then params[#params + 1] = "long long *jit_error" end
  table.insert(ctx.parts, ("JIT_INLINE %s %s(%s)\n{\n%s\n}"):format(inst.result_type, inst.name,
    table.concat(params, ", "), flatten(inst.lines)))
end

local function has_closure(values)
  for _, v in ipairs(values) do
    if v.fn then return true end
  end
  return false
end

--- Creates an instance. If an argument is a function of the kernel, the instance precedes the calling statement, where
--- that function is in scope; other instances of inner functions are emitted where these are defined.
local function make_instance(inst, key, fn, found, parent, values, is_here)
  local made = new_instance(inst.ctx, key, fn, found, parent)
  made.is_function, made.is_lambda = true, is_here or parent ~= nil
  local facts = inst.ctx.facts
  inst.ctx.facts = nil -- they may be false at other calls
  translate_function(made, values)
  inst.ctx.facts = facts
  if is_here then
    emit.emit_later(inst, function() return made.text end)
  elseif parent then
    table.insert(parent.closures[fn], made)
  end
  return made
end

--- The instance of a function for these arguments.
local function instance_of(inst, node, word, fn, found, parent, values)
  local ctx, is_here = inst.ctx, has_closure(values)
  local keys = {tostring(fn), parent and parent.key or "", is_here and inst.key .. tostring(node) or ""}
  for k, v in ipairs(values) do keys[k + 3] = signature(v) end
  local key = table.concat(keys, " ")
  local made = ctx.instances[key]
  if not made then
    if ctx.active[fn] then fail(inst, node, "'%s' calls itself; write a loop", word) end
    ctx.active[fn] = true
    made = make_instance(inst, key, fn, found, parent, values, is_here)
    ctx.active[fn] = nil
    if not is_here then ctx.instances[key] = made end
  end
  return made
end

-- ---- calls ----

local function name_of(node)
  if node.tag == "name" then return node.name end
  return node.tag == "index" and node.is_field and node.key.value or "this"
end

--- The values of arguments; the last may be a call with several.
local function arguments(inst, nodes)
  local list = {}
  for k, node in ipairs(nodes) do
    if k == #nodes and node.tag == "call" then
      for _, v in ipairs(e.call(inst, node, false)) do list[#list + 1] = v end
      if list[#list] and list[#list].is_first then
        fail(inst, node, "this call has several values; give them names first: local a, b = ...")
      end
    else
      list[k] = expression(inst, node)
    end
  end
  return list
end

--- The values of a call. `made` may have several results, which C++ returns as a struct.
local function results_of(inst, made, text, can_hold)
  if #made.list == 0 then return {} end
  local list = {}
  if #made.list == 1 then
    list[1] = setmetatable({text = text}, {__index = made.list[1]})
  elseif not can_hold then
    list[1] = setmetatable({text = text .. ".v1", is_first = true}, {__index = made.list[1]})
  else
    local name = new_name(inst, "t")
    emit.emit(inst, "const auto %s = %s;", name, text)
    for k, result in ipairs(made.list) do
      list[k] = setmetatable({text = ("%s.v%d"):format(name, k)}, {__index = result})
    end
  end
  return list
end

--- Translates a call of a function with a handler.
local function call_known(inst, node, known, can_hold, is_statement)
  local values = not calls.raw_arguments[known.run] and arguments(inst, node.arguments) or nil
  local result = known.run(inst, node, values, known.word)
  if result.statement then
    if not is_statement then fail(inst, node, "%s has no value", known.word) end
    emit.emit(inst, "%s;", result.statement)
    return {}
  end
  if result.many then return results_of(inst, result, result.many, can_hold) end
  return (result.text or result.shared or result.what) and {result} or result
end

--- Records that the arrays which a function writes to are written to.
local function pass_writes(made, values)
  for k, info in pairs(made.arrays) do
    if info.is_written then calls.write(values[k].array) end
  end
end

local function check_arguments(inst, node, word, fn, values)
  if #values ~= #fn.params then
    local names = {}
    for k, variable in ipairs(fn.params) do names[k] = variable.name end
    fail(inst, node, "'%s' takes %d argument%s (%s), got %d", word, #names, #names == 1 and "" or "s",
      table.concat(names, ", "), #values)
  end
  for k, v in ipairs(values) do
    if v.axes_of or v.shared or v.is_local then
      fail(inst, node, "'%s': argument '%s' is %s", word, fn.params[k].name, show(v))
    end
  end
end

--- Fails because the text of a function is not available.
local function fail_unknown(inst, node, word, problem)
  local host = math[word] and "math" or bit[word] and "bit"
  fail(inst, node, "'%s' cannot be called in a kernel: %s; %s", word, problem:match "[^;]*",
    host and ("write %s.%s"):format(host, word) or "kernels call math.*, bit.*, cn.jit.* and functions written in Lua")
end

--- Translates a call of a function written in Lua.
local function call_lua(inst, node, callee, can_hold, is_statement)
  local word, parent = name_of(node.callee), callee.instance
  local found, problem = parent and parent.source, nil
  if not found then found, problem = M.source_of(callee.const) end
  if not found then fail_unknown(inst, node, word, problem) end
  local fn, values = callee.fn or found.tree, arguments(inst, node.arguments)
  check_arguments(inst, node, word, fn, values)
  local made, texts = instance_of(inst, node, word, fn, found, parent, values), {}
  pass_writes(made, values)
  for k, v in ipairs(values) do
    if v.array then
      texts[#texts + 1] = v.text
    elseif v.type then
      texts[#texts + 1] = types.convert(v, made.states[fn.params[k]].type)
    elseif v.c then
      texts[#texts + 1] = v.text
    end
  end
  if inst.ctx.checks and not made.is_lambda then texts[#texts + 1] = "jit_error" end
  local text = ("%s(%s)"):format(made.name, table.concat(texts, ", "))
  if is_statement then
    emit.emit(inst, "%s;", text)
    return {}
  end
  return results_of(inst, made, text, can_hold)
end

--- The method of an object that a call names.
local function find_method(inst, node)
  local object, name = expression(inst, node.callee.object), node.callee.name
  if not object.methods then fail(inst, node, "kernels call no methods: ':%s(...)' of %s", name, show(object)) end
  local run = object.methods[name]
  if not run then
    fail(inst, node, "%s has no method '%s'%s", object.what, name, suggest.hint(name, object.methods))
  end
  return {word = name, run = function(...) return run(object, ...) end}
end

--- What handles a call, if it is not a function written in Lua; and the called value.
local function find_known(inst, node)
  if node.callee.tag == "method" then return find_method(inst, node) end
  local callee = expression(inst, node.callee)
  if callee.construct then return {word = callee.what, run = callee.construct} end
  return callee.const ~= nil and e.calls[callee.const], callee
end

--- The values of a call. Several can be stored only where a statement can be emitted.
function e.call(inst, node, can_hold, is_statement)
  local known, callee = find_known(inst, node)
  if known then
    local list = call_known(inst, node, known, can_hold, is_statement)
    if is_statement and list[1] and list[1].text then emit.emit(inst, "%s;", list[1].text) end
    return list
  elseif callee.fn or type(callee.const) == "function" then
    return call_lua(inst, node, callee, can_hold, is_statement)
  end
  local dtype = dtype_facts.kind_of[callee.const] and callee.const
  fail(inst, node, "cannot call %s%s", show(callee), dtype and ("; write cn.jit.cast(v, %q)"):format(dtype) or "")
end

-- ---- kernels ----

--- Binds a parameter of the kernel to its argument: {array = {dtype, ndim, dense}} or {type =, weak =}. Adds the
--- parameters of C++, with descriptions of the arguments that the host passes for them.
local function bind_argument(inst, k, argument, texts, params)
  local variable = inst.fn.params[k]
  local name = new_name(inst, variable.name)
  local function add(text, kind, dtype)
    texts[#texts + 1] = text
    params[#params + 1] = {name = variable.name, kind = kind, dtype = dtype, argument = k}
    return params[#params]
  end
  if not argument.array then
    local v = {type = TYPES[argument.type], weak = argument.weak, literal = argument.is_open and 0 or nil}
    local state = emit.take(inst, inst.fn, variable, v)
    inst.names[variable] = name
    inst.known[variable] = {exact = v.type == TYPES.int64 and {source = #params + 1, offset = 0} or nil}
    local given = variable.assignments == 0 and name or name .. "given"
    add(("%s %s"):format(v.type.c, given), "number", argument.type)
    if given ~= name then
      emit.emit(inst, "%s %s = %s;", state.type.c, name, types.convert({type = v.type, text = given}, state.type))
    end
    return
  end
  local info = {name = variable.name, dtype = argument.array.dtype, ndim = argument.array.ndim,
    dense = argument.array.dense}
  local _, storage = types.of(info.dtype)
  inst.bound[variable], inst.arrays[k] = {text = name, array = info}, info
  add(("%s *%sdata"):format(storage, name), "pointer", info.dtype).info = info
  local lengths, strides, bounds = {}, {}, {}
  info.lengths = bounds
  for axis = 1, info.ndim do
    lengths[axis] = ("%sn%d"):format(name, axis)
    local param = add("long long " .. lengths[axis], "number", "int64")
    param.axis, param.is_only = axis, info.ndim == 1
    bounds[axis] = {source = #params, offset = 0}
  end
  for axis = 1, info.dense and 0 or info.ndim do
    strides[axis] = ("%ss%d"):format(name, axis)
    add("long long " .. strides[axis], "number", "int64").stride = axis
  end
  emit.emit(inst, "const %s %s = {%sdata, {%s}, {%s}};", types.array_type(info), name, name,
    table.concat(lengths, ", "), table.concat(strides, ", "))
end

--- Removes the types of variables that follow from other types.
local function forget(states)
  for _, list in pairs(states) do
    for variable, state in pairs(list) do
      if not state.is_kept then list[variable] = nil end
    end
  end
end

--- One pass over the kernel.
local function pass(ctx, found, arguments_of_call)
  forget(ctx.states)
  ctx.sites, ctx.parts, ctx.instances, ctx.captures, ctx.taken, ctx.unset = {}, {}, {}, {}, {}, {}
  ctx.conditions, ctx.facts, ctx.is_cooperative, ctx.block = {}, nil, false, nil
  ctx.includes, ctx.preludes = {}, {} -- lines before the prelude, and texts after it
  ctx.active, ctx.changed, ctx.shared_nbytes = {[found.tree] = true}, false, 0
  local inst, texts, params = new_instance(ctx, "kernel", found.tree, found, nil), {}, {}
  inst.is_kernel, inst.depth = true, 1
  for k in ipairs(found.tree.params) do bind_argument(inst, k, arguments_of_call[k], texts, params) end
  inst.depth = 0
  emit.block(inst, found.tree.body)
  if ctx.has_dynamic then
    texts[#texts + 1] = "long long jit_shared"
    params[#params + 1] = {name = "jit_shared", kind = "number", dtype = "int64"}
  end
  if ctx.checks then
    texts[#texts + 1] = "long long *jit_error"
    params[#params + 1] = {name = "jit_error", kind = "pointer", dtype = "int64"}
  end
  for _, param in ipairs(params) do param.const = param.info and not param.info.is_written or nil end
  ctx.params = params
  table.insert(ctx.parts, ("extern \"C\" __global__ void %s(%s)\n{\n%s\n}\n"):format(ctx.name,
    table.concat(texts, ", "), flatten(inst.lines)))
end

--- The texts of a set, in one order.
local function joined(set)
  local texts = {}
  for text in pairs(set) do texts[#texts + 1] = text end
  table.sort(texts)
  return table.concat(texts, "\n")
end

--- Translates a kernel for the types of its arguments.
---@param found table the kernel's source
---@param name string
---@param arguments_of_call table[] {array = {dtype, ndim, dense}} or {type =, weak =, is_open =}, by parameter
---@param checks boolean whether positions are checked
---@param proves boolean whether checks are omitted that conditions of a launch make unnecessary
---@return table {text, params (of C++), sites, captures, conditions}
function M.translate(found, name, arguments_of_call, checks, proves)
  local ctx = {name = name, found = found, checks = checks, proves = checks and proves, states = {}, results = {}}
  for _ = 1, MAX_PASSES do
    pass(ctx, found, arguments_of_call)
    if not ctx.changed then
      local text = table.concat(ctx.parts, "\n\n")
      return {text = table.concat({joined(ctx.includes), prelude, joined(ctx.preludes), text}, "\n"),
        kernel_text = text, params = ctx.params, sites = ctx.sites, captures = ctx.captures,
        conditions = ctx.conditions, instances = ctx.instances, is_cooperative = ctx.is_cooperative, block = ctx.block}
    end
  end
  error({file = found.file, line = found.line, message = "the types of its variables do not converge"}, 0)
end

return M
