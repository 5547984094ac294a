--- fold_kernel.lua: the common part of user kernels that fold elements: their texts, the state, its identity.
--
-- map_expr converts each element to a state, reduce_expr or scan_expr combines two states a and b, and the statements
-- of post_map_expr compute the outputs from a state a. Names that a text may not use are reported before compilation.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local ffi = require "ffi"
local params = require "cuna.kernel.params"
local user = require "cuna.kernel.user_kernel"

local M = {}

local fail = check.fail
local STATE_NBYTES = 32 -- CUNA_STATE_NBYTES
local metatable_of, ARRAY = debug.getmetatable, core.metatable()

-- ---- names in texts ----

local function has(tokens, word)
  for _, token in ipairs(tokens) do
    if token == word then return true end
  end
  return false
end

--- Whether a token follows ".", "->" or "::".
local function is_member(tokens, k)
  local before = tokens[k - 1]
  return before == "." or before == ":" and tokens[k - 2] == ":" or before == ">" and tokens[k - 2] == "-"
end

--- Rejects an expression with names that do not exist in it. An expression with braces may declare such names itself.
local function check_expression_names(state, tokens, what, hidden)
  if has(tokens, "{") or has(tokens, "#") then return end
  for k, token in ipairs(tokens) do
    if hidden[token] and not state.declared[token] and not is_member(tokens, k) then
      fail("%s: %s names %s", state.name, what, hidden[token])
    end
  end
end

-- Tokens before a name that show that the name is not declared there.
local USES = {}
for token in ("= + - / % ( [ ? ! < | ^ ~ ; {"):gmatch "%S" do USES[token] = true end

--- Rejects statements with names that do not exist in them, unless the first occurrence may be a declaration.
local function check_statement_names(state, tokens, what, hidden)
  local seen = {}
  if has(tokens, "#") then return end
  for k, token in ipairs(tokens) do
    if hidden[token] and not (state.declared[token] or seen[token] or is_member(tokens, k)) then
      seen[token] = true
      if USES[tokens[k - 1] or ";"] then fail("%s: %s names %s", state.name, what, hidden[token]) end
    end
  end
end

-- Names that do not exist in a text, with a description for the message.

--- In map_expr: the states, unless parameters have their names, and the outputs.
local function hidden_in_map(state, combine)
  local hidden = {a = ("'a', which exists only in %s and post_map_expr"):format(combine),
    b = ("'b', which exists only in %s"):format(combine)}
  for k, param in ipairs(state.params) do
    local is_seen = k <= state.ninputs or param.raw
    hidden[param.name] = not is_seen and ("the output '%s', which exists only in post_map_expr"):format(param.name)
      or nil
  end
  return hidden
end

--- In reduce_expr or scan_expr: everything except the two states.
local function hidden_in_combine(state)
  local hidden = {i = "'i'; it can use only the states a and b", n = "'n'; it can use only the states a and b"}
  for _, param in ipairs(state.params) do
    hidden[param.name] = ("the parameter '%s'; it can use only the states a and b"):format(param.name)
  end
  hidden.a, hidden.b = nil, nil
  return hidden
end

--- In post_map_expr: a second state; in reductions also inputs and their position.
local function hidden_in_post(state, combine, is_scan)
  local hidden = {b = ("'b', which exists only in %s"):format(combine)}
  if not is_scan then hidden.i = "'i', which exists only in map_expr" end
  for k, param in ipairs(state.params) do
    local is_seen = is_scan or k > state.ninputs or param.raw
    hidden[param.name] = not is_seen and ("the input '%s', which exists only in map_expr"):format(param.name) or nil
  end
  hidden.a = nil
  return hidden
end

-- ---- texts ----

--- The tokens of a text, which must not be empty.
local function read_text(state, text, what)
  if not text:find "%S" then fail("%s: %s is empty", state.name, what) end
  local tokens = params.tokens(text)
  if #tokens == 0 then fail("%s: %s has only comments", state.name, what) end
  params.check_brackets(state.name, tokens, what)
  return tokens
end

--- The tokens of a text that must be an expression, without statements.
local function read_expression(state, text, what)
  local tokens, depth = read_text(state, text, what), 0
  for _, token in ipairs(tokens) do
    depth = depth + (token == "{" and 1 or token == "}" and -1 or 0)
    if token == ";" and depth == 0 then
      fail("%s: %s is an expression, but has a ';'; statements belong in post_map_expr or a function of preamble",
        state.name, what)
    end
  end
  return tokens
end

--- Rejects parameters and placeholders that have the names of states.
local function check_params(state, combine, is_scan)
  local name = state.name
  for k, param in ipairs(state.params) do
    if param.letter == "a" or param.letter == "b" then
      fail("%s: parameter '%s' has the type '%s', which is a state in %s; take another letter", name, param.name,
        param.letter, combine)
    elseif param.raw and k > state.ninputs and not is_scan then
      fail("%s: output '%s' is raw; the outputs of a reduction are not", name, param.name)
    elseif param.name == "a" and (is_scan or k > state.ninputs or param.raw) then
      fail("%s: parameter 'a' is reserved: it is the state in post_map_expr; take another name", name)
    end
  end
  if #state.inputs == 0 then
    fail("%s: nothing to fold: at least one parameter of in_params is not raw, such as \"T x\"", name)
  elseif #state.outputs == 0 and not is_scan then
    fail("%s: a reduction has an output; name it in out_params, such as \"T y\"", name)
  end
end

-- ---- the state's type ----

--- Whether a text begins with a name that the preamble declares: my_struct, my_struct<T>, space::my_struct.
local function is_declared(state, text)
  local first = text:match "^:*%s*([%a_][%w_]*)"
  return first and state.declared[first] and not text:find "[^%w_:<>, ]"
end

local function unknown_type(state, what, text)
  local near = params.nearest_type(text)
  fail("%s: %s is the unknown type '%s'; %s", state.name, what, text, near and ("did you mean '%s'?"):format(near)
    or "a type is a dtype such as float32, a C type such as double, a placeholder, or one that preamble declares")
end

--- Finds the type of states: `state_type`, as kernel text, and its dtype or placeholder.
local function read_state_type(state, text, what)
  local param = state.params[state.ninputs + 1]
  if text == nil and not param then
    fail("%s: there is no output; name the type of states: {%s = ...}", state.name, what)
  end
  if text == nil then
    state.state_dtype, state.state_letter = param.dtype, param.letter
  else
    text = user.check_text(text, state.name, what):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
    for _, other in ipairs(state.params) do
      if other.letter == text then state.state_letter = text end
    end
    local is_free = not (text == "" or state.state_letter or state.declared[text])
    state.state_dtype = is_free and params.dtype_of(text) or nil
  end
  if not (state.state_letter or state.state_dtype or is_declared(state, text)) then unknown_type(state, what, text) end
  state.state_type = state.state_letter or state.state_dtype and params.value_type(state.state_dtype) or text
  state.has_own_type = not (state.state_letter or state.state_dtype)
end

--- Kernel text after the preamble that rejects a user's type that is too large or has no default constructor.
local function limit_state(state, what)
  if not state.has_own_type then return "" end
  return params.with_place(("static_assert(sizeof(%s{}) <= %d, \"a state has at most %d bytes\");\n"):format(
    state.state_type, STATE_NBYTES, STATE_NBYTES), what, state.name)
end

-- ---- the identity ----

local COMPLEX = ffi.typeof "complex"

--- Kernel text of a number.
local function text_of_number(value)
  if type(value) == "boolean" then return tostring(value) end
  if core.number_kind(value) == "complex" then
    value = COMPLEX(value)
    return ("%s, %s"):format(text_of_number(tonumber(value.re)), text_of_number(tonumber(value.im)))
  elseif type(value) == "cdata" then
    local text = tostring(value)
    return text == "-9223372036854775808LL" and "-9223372036854775807LL - 1" or text
  elseif value ~= value then
    return "::cuna::limits<double>::nan()"
  elseif value == math.huge or value == -math.huge then
    return (value < 0 and "-" or "") .. "::cuna::limits<double>::infinity()"
  end
  return ("%.17g"):format(value)
end

--- Rejects a number that the states' dtype cannot represent.
local function check_identity(state, dtype)
  local value = state.identity
  if type(value) == "boolean" or type(value) == "string" then return end
  if core.number_kind(value) == "complex" then
    if dtype_facts.kind_of[dtype] == "c" then return end
    fail("%s: identity is a complex number, and states are %s", state.name, dtype)
  elseif params.has_range(dtype) then
    params.check_number(state.name, {name = "identity"}, dtype, value)
  end
end

--- Stores the identity, which is text or a number.
local function read_identity(state, identity)
  state.identity = identity
  if type(identity) == "string" then
    read_expression(state, user.check_text(identity, state.name, "identity"), "identity")
    state.identity_text = identity
  elseif type(identity) == "boolean" or core.number_kind(identity) then
    state.identity_text = text_of_number(identity)
    if state.state_dtype then check_identity(state, state.state_dtype) end
  elseif identity == nil then
    fail("%s: identity is missing: the state that changes no other, such as 0 for sums, as text or number", state.name)
  else
    fail("%s: identity is text or a number, got %s", state.name, check.show(identity))
  end
end

-- ---- construction ----

local function names_any(names, words)
  for _, word in ipairs(words) do
    if names[word] then return true end
  end
  return false
end

-- CuPy's names of places that depend on the axes of a call.
local PLACES = {"_i", "_j", "_in_ind", "_out_ind"}

--- Checks the three texts, and determines whether they use the position.
local function read_texts(state, combine, is_scan, macros)
  local map = read_expression(state, state.map_expr, "map_expr")
  check_expression_names(state, map, "map_expr", hidden_in_map(state, combine))
  local combined = read_expression(state, state[combine], combine)
  check_expression_names(state, combined, combine, hidden_in_combine(state))
  local post = read_text(state, state.post_map_expr, "post_map_expr")
  user.check_outputs(state, post, macros, "post_map_expr")
  check_statement_names(state, post, "post_map_expr", hidden_in_post(state, combine, is_scan))
  local in_map, in_post = user.names_of(map, macros), user.names_of(post, macros)
  state.uses_index = names_any(in_map, {"i", "_J", "_j", "_in_ind"}) or (is_scan and has(post, "i"))
  state.uses_axes = not is_scan and (names_any(in_map, PLACES) or names_any(in_post, PLACES))
end

--- The state of a kernel that folds elements.
---@param class table
---@param given table the user's arguments: name, in_params, out_params, map_expr, combine, post_map_expr, identity,
--- state_type, preamble, options
---@param words table {combine = "reduce_expr", state_type = "reduce_type", is_scan = boolean}
---@return table
function M.new_state(class, given, words)
  local name, combine = given.name, words.combine
  local texts = {}
  for k, what in ipairs {"map_expr", combine, "post_map_expr"} do
    texts[k] = user.check_text(given[what], name, what)
  end
  local state = user.new_state(class, name, given.in_params, given.out_params)
  local preamble, options = user.check_text(given.preamble, name, "preamble", ""), given.options
  check_params(state, combine, words.is_scan)
  state.declared = user.names_of(params.tokens(params.read_defines(name, options) .. "\n" .. preamble), {})
  read_state_type(state, given.state_type, words.state_type)
  state.map_expr, state[combine], state.post_map_expr = texts[1], texts[2], texts[3]
  local macros = user.add_preamble(state, preamble, options, table.concat(texts, "\n"),
    limit_state(state, words.state_type))
  read_texts(state, combine, words.is_scan, macros)
  read_identity(state, given.identity)
  state.before, state.text, state.combine, state.finish = "", texts[1], texts[2], texts[3]
  return state
end

--- Adds the state, the identity and the texts to the description of a program; `ndim` is the number of axes of a call
--- whose texts name positions along them.
function M.describe(state, program, types, ndim)
  local statement = program.statement
  if state.state_letter then check_identity(state, types[state.state_letter]) end
  statement.state, statement.identity = state.state_type, state.identity_text
  statement.combine, statement.finish = state.combine, state.finish
  program.indexer = state.uses_axes and ndim or nil
  return program
end

-- ---- calls ----

--- The number of axes of the shape that the elementwise inputs broadcast to.
function M.count_axes(state, values)
  local ndim = 0
  for _, k in ipairs(state.inputs) do
    if metatable_of(values[k]) == ARRAY then ndim = math.max(ndim, values[k].ndim) end
  end
  return ndim
end

--- The plan of a call. If all inputs are numbers, the first one is converted to an array.
function M.find_plan(state, values, count, variant)
  local plan = user.find_plan(state, values, count, variant)
  if #plan.checks > 0 then user.check_numbers(state, plan, values) end
  if plan.has_array then return plan end
  local k = state.inputs[1]
  values[k] = core.as_array(values[k], plan.dtypes[k], check.device_of(values), state.name)
  return user.find_plan(state, values, count, variant)
end

return M
