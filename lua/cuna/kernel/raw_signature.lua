--- raw_signature.lua: the declarations in CUDA C++ source: kernels with their parameters, variables of the device.
--
-- The tokens of raw_text.lua are read declaration by declaration; bodies are skipped, namespaces are entered. A
-- parameter is {name, kind = "pointer" | "number" | "texture" | "surface" | "carray" | "opaque", dtype, lanes, const,
-- text}; a carray has `axes`, and `contiguous` if its class says so. A type that is not understood is opaque, or a
-- pointer to any dtype: then launches check sizes only.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local params = require "cuna.kernel.params"
local raw_text = require "cuna.kernel.raw_text"
local suggest = require "cuna.base.suggest"
local types = require "cuna.kernel.raw_types"

local M = {}

local fail = check.fail

local clean, close_of, find, is_word = types.clean, types.close_of, types.find, types.is_word
local read_type, slice, split, split_type = types.read_type, types.slice, types.split, types.split_type
local VALUES, number_of, qualified = types.VALUES, types.number_of, types.qualified
local take_dims, take_name, to_text = types.take_dims, types.take_name, types.to_text

-- ---- parameters ----

--- A pointer to a function, `void (*f)(int)`, or the declaration of a macro with parameters.
local function read_brackets(tokens, number)
  local star = find(tokens, "*") or find(tokens, "&")
  local name = star and is_word(tokens[star + 1]) and tokens[star + 1] or tostring(number)
  if is_word(tokens[#tokens]) then name = tokens[#tokens] end
  return {name = name, kind = "opaque", text = to_text(tokens), reference = find(tokens, "&")}
end

--- One parameter as written; its types are looked up when a kernel is bound.
local function read_param(tokens, number)
  local cleaned = clean(tokens)
  if find(cleaned, "(") then return read_brackets(cleaned, number) end
  local rest, dims = take_dims(cleaned)
  local name, type_tokens = take_name(rest)
  if #dims > 0 then type_tokens = slice(type_tokens) type_tokens[#type_tokens + 1] = "*" end
  return {name = name or tostring(number), tokens = type_tokens, text = to_text(cleaned)}
end

--- The parameters between brackets; nil if a parameter pack makes their number variable.
local function read_params(tokens, first, last)
  local list, pieces = {}, split(tokens, first, last)
  if #pieces == 1 and #pieces[1] == 1 and pieces[1][1] == "void" then return list end
  for number, piece in ipairs(pieces) do
    if find(piece, "...") then return nil end
    list[number] = read_param(piece, number)
  end
  return list
end

--- A parameter with its types resolved.
local function resolve_param(source, kernel, param, bound)
  local shape = split_type(param.tokens or {})
  if param.reference or shape.reference then
    fail("%s: parameter '%s' is a reference; a kernel takes numbers by value and arrays by pointer", kernel.name,
      param.name)
  end
  if param.kind then return param end
  local found = read_type(source, param.tokens, kernel.scope, bound)
  local stars = found and found.stars or shape.stars
  local made = {name = param.name, text = param.text, kind = "opaque"}
  if stars > 0 then
    made.kind, made.const = "pointer", (found and found.const or not found and shape.const) or nil
    if found and not found.axes and stars == 1 then made.dtype, made.lanes = found.dtype, found.lanes end
  elseif found and found.object then
    made.kind, made.dtype = found.object, found.dtype
  elseif found and found.axes then
    made.kind, made.dtype, made.const = "carray", found.dtype, found.const
    made.axes, made.contiguous = found.axes, found.contiguous
  elseif found and found.dtype then
    made.kind, made.dtype, made.lanes = "number", found.dtype, found.lanes
  end
  return made
end

-- ---- templates ----

--- The parameters of `template <...>` headers, {{name, default, kind, text}, ...}, and the position after them.
local function read_template(tokens)
  local list, at = nil, 1
  while tokens[at] == "template" and tokens[at + 1] == "<" do
    local last = close_of(tokens, at + 1)
    if not last then return nil, at end
    list = list or {}
    for _, piece in ipairs(split(tokens, at + 2, last - 1)) do
      local equals = find(piece, "=")
      local head = slice(piece, 1, equals and equals - 1)
      local is_type = (head[1] == "typename" or head[1] == "class") and #head <= 2
      list[#list + 1] = {name = head[#head], is_type = is_type, default = equals and slice(piece, equals + 1),
        text = to_text(piece), is_pack = find(head, "...") ~= nil}
    end
    at = last + 1
  end
  return list, at
end

local function describe_template(template)
  local texts = {}
  for k, parameter in ipairs(template) do texts[k] = parameter.text end
  return ("template <%s>"):format(table.concat(texts, ", "))
end

--- The arguments of a template's parameters; nil if a parameter pack leaves them open.
local function bind_template(kernel, what, arguments)
  local template, bound = kernel.template, {[VALUES] = {}}
  for k, parameter in ipairs(template) do
    if parameter.is_pack then return nil end
    local value = arguments[k] or parameter.default
    if not value then
      fail("%s: '%s' is a %s, and the name gives %d of its parameters; say all, as in \"%s<float>\"", what,
        kernel.name, describe_template(template), #arguments, kernel.name)
    end
    bound[parameter.name] = parameter.is_type and value or false
    bound[VALUES][parameter.name] = value
    if #value == 1 and bound[value[1]] then bound[parameter.name] = bound[value[1]] end -- `class U = T`
  end
  if #arguments > #template then
    fail("%s: '%s' is a %s, and the name gives %d parameters", what, kernel.name, describe_template(template),
      #arguments)
  end
  return bound
end

-- ---- declarations ----

local function add_alias(source, declaration, scope, name, tokens)
  if not name then return end
  local alias = tokens and not declaration.doubtful and {tokens = tokens, scope = scope.path}
  source.aliases[qualified(scope.path, name)] = alias or false
end

--- Adds the names of types with a body, which hide those of CUDA.
local function read_types(source, declaration, scope)
  local tokens = declaration.tokens
  for k = 2, #tokens - 1 do
    if types.CLASS_KEYS[tokens[k - 1]] and is_word(tokens[k]) and find(tokens, "{}", k) then
      return add_alias(source, declaration, scope, tokens[k])
    end
  end
end

local function read_typedef(source, declaration, scope)
  local tokens = slice(declaration.tokens, 2)
  local rest, dims = take_dims((clean(tokens)))
  local name, type_tokens = take_name(rest)
  if #dims > 0 or #split(tokens, 1, #tokens) > 1 or find(tokens, "(") then type_tokens = nil end
  add_alias(source, declaration, scope, name, type_tokens)
end

local function read_using(source, declaration, scope)
  local tokens = declaration.tokens
  if tokens[2] == "namespace" then
    source.used[#source.used + 1] = table.concat(tokens, "", 3)
  elseif tokens[3] == "=" then
    add_alias(source, declaration, scope, tokens[2], slice(tokens, 4))
  end
end

--- The qualified name of a function, before its bracket; nil for an instance such as `f<float>`.
local function function_name(tokens, bracket)
  local first = bracket - 1
  if not is_word(tokens[first]) then return nil end
  while tokens[first - 1] == "::" and is_word(tokens[first - 2]) do first = first - 2 end
  return table.concat(tokens, "", first, bracket - 1)
end

local function same_params(a, b)
  if not (a and b) or #a ~= #b then return a == b end
  for k = 1, #a do
    if to_text(a[k].tokens or {a[k].text}) ~= to_text(b[k].tokens or {b[k].text}) then return false end
  end
  return true
end

local function add_kernel(source, declaration, scope)
  local template, at = read_template(declaration.tokens)
  local tokens = clean(slice(declaration.tokens, at))
  if template and #template == 0 then return end -- a specialisation: the template has the parameters
  local start = find(tokens, "__global__")
  local bracket = start and find(tokens, "(", start)
  if start and find(tokens, "__global__", start + 1) then source.hides = true end -- a macro ended the first
  local name = bracket and function_name(tokens, bracket)
  local last = name and close_of(tokens, bracket)
  if not last then return end
  name = qualified(scope.path, name)
  local kernel = {name = name, scope = scope.path, template = template, is_hidden = scope.is_hidden,
    is_defined = declaration.is_defined, doubtful = declaration.doubtful,
    params = read_params(tokens, bracket + 1, last - 1)}
  local other = source.kernels[name]
  if not other then
    source.kernels[name], source.order[#source.order + 1] = kernel, kernel
  elseif not same_params(other.params, kernel.params) then
    other.doubtful = true -- overloads, or branches of a condition
  else
    other.is_defined = other.is_defined or kernel.is_defined
  end
end

--- Adds a constant that lengths of arrays may use: `constexpr int N = 16`.
local function read_number(source, declaration, scope)
  local tokens = declaration.tokens
  local equals = find(tokens, "=")
  if not (equals and (find(tokens, "const") or find(tokens, "constexpr"))) then return end
  local name = tokens[equals - 1]
  if not is_word(name) then return end
  local value = raw_text.evaluate(slice(tokens, equals + 1), number_of(source, scope.path))
  source.numbers[qualified(scope.path, name)] = not declaration.doubtful and value or false
end

--- The lengths in `[4][N]`; nil if one is unknown.
local function read_lengths(source, dims, scope)
  local shape = {}
  for axis, tokens in ipairs(dims) do
    shape[axis] = #tokens > 0 and raw_text.evaluate(tokens, number_of(source, scope)) or nil
    if not shape[axis] then return nil end
  end
  return shape
end

local function add_variable(source, declaration, scope)
  local pieces, base = split(declaration.tokens, 1, #declaration.tokens), nil
  local all = declaration.tokens
  local is_const = find(all, "constexpr") or (find(all, "const") and not (find(all, "*") or find(all, "extern")))
  local is_hidden = scope.is_hidden or (is_const or find(all, "static")) ~= nil
  for _, piece in ipairs(pieces) do
    local rest, dims = take_dims((clean(piece)))
    local name, type_tokens = take_name(rest)
    if not base then base = split_type(type_tokens).base else name = rest[#rest] end
    local stars = split_type(type_tokens).stars
    local found = stars == 0 and read_type(source, base, scope.path)
    local variable = {name = qualified(scope.path, name or ""), is_hidden = is_hidden}
    if found and found.stars == 0 and not declaration.doubtful then
      variable.dtype, variable.lanes, variable.shape = found.dtype, found.lanes, read_lengths(source, dims, scope.path)
    end
    if source.variables[variable.name] == nil then source.variables[variable.name] = variable end
  end
end

--- Whether a declaration has a bracket outside of the lengths of arrays, as functions have.
local function has_parameters(tokens)
  local k, list = 1, clean(tokens)
  while list[k] and list[k] ~= "(" do k = (list[k] == "[" and close_of(list, k) or k) + 1 end
  return list[k] ~= nil
end

local function declare(source, declaration, scope)
  local tokens = declaration.tokens
  read_types(source, declaration, scope)
  if find(tokens, "__global__") then
    add_kernel(source, declaration, scope)
  elseif tokens[1] == "typedef" then
    read_typedef(source, declaration, scope)
  elseif tokens[1] == "using" then
    read_using(source, declaration, scope)
  elseif tokens[1] == "template" then
    return -- a template that is not a kernel
  elseif find(tokens, "__constant__") or find(tokens, "__device__") or find(tokens, "__managed__") then
    if not has_parameters(tokens) then add_variable(source, declaration, scope) end
  else
    read_number(source, declaration, scope)
  end
end

-- ---- the sequence of declarations ----

--- The scope inside a `{` that opens a namespace or follows extern "C"; nil for other ones.
local function opened_scope(tokens, outer)
  local at = tokens[1] == "inline" and 2 or 1
  if tokens[1] == "extern" and tokens[2] == "\"C\"" and #tokens == 2 then return outer end
  if tokens[at] ~= "namespace" then return nil end
  local name = table.concat((clean(slice(tokens, at + 1))))
  if name == "" then return {path = outer.path, is_hidden = true} end
  return {path = qualified(outer.path, name), is_hidden = outer.is_hidden}
end

--- Whether a declaration continues after the `}` up to a semicolon: the braces hold a type's body or initial values.
local function goes_on(tokens)
  local _, at = read_template(tokens)
  if tokens[at] == "typedef" then return true end
  local rest, has_value = clean(slice(tokens, at))
  return has_value or not find(rest, "(")
end

--- Reads the declaration that starts at `at`. Returns the position after it.
local function read_declaration(source, text, at, scopes)
  local tokens, declaration = text.tokens, {tokens = {}}
  local head = declaration.tokens
  while at <= #tokens do
    local token = tokens[at]
    declaration.doubtful = declaration.doubtful or text.doubtful[at]
    if token == ";" then
      declare(source, declaration, scopes[#scopes])
      return at + 1
    elseif token == "}" then
      declare(source, declaration, scopes[#scopes]) -- a macro began it, if there are tokens
      if #scopes > 1 then scopes[#scopes] = nil end
      return at + 1
    elseif token == "{" then
      local scope = opened_scope(head, scopes[#scopes])
      if scope then
        scopes[#scopes + 1] = scope
        return at + 1
      end
      local last = close_of(tokens, at) or #tokens
      if not goes_on(head) then
        declaration.is_defined = true
        declare(source, declaration, scopes[#scopes])
        return last + 1
      end
      head[#head + 1], at = "{}", last
    elseif token == "(" or token == "[" then
      local last = close_of(tokens, at) or #tokens
      for k = at, last do head[#head + 1] = tokens[k] end
      at = last
    else
      head[#head + 1] = token
    end
    at = at + 1
  end
  declare(source, declaration, scopes[#scopes]) -- a macro ended it, if there are tokens
  return at
end

-- Types that cuna declares before a source, and a source may declare in its own way.
local OWN_TYPES = {"^u?int%d+_t$", "^u?int_%l+%d+_t$", "^u?intptr_t$", "^u?intmax_t$", "^uint$", "^ushort$", "^ulong$"}

--- The names of such types that a source certainly declares.
---@param source table
---@return string[]
function M.own_types(source)
  local names = {}
  for name, alias in pairs(source.aliases) do
    for _, pattern in ipairs(OWN_TYPES) do
      if alias and name:find(pattern) then names[#names + 1] = name end
    end
  end
  table.sort(names)
  return names
end

--- The declarations of source text: {kernels by name, order = kernels in their order, variables by name, hides}.
---@param code string
---@param options string[]|nil compiler options
---@param folder string|nil the folder of the text's own headers
---@return table
function M.read(code, options, folder)
  local text = raw_text.read(code, options, folder)
  local source = {kernels = {}, order = {}, variables = {}, aliases = {}, numbers = {}, used = {}, hides = text.hides,
    tokens = text.tokens, headers = text.headers, is_closed = not (text.hides or text.open or next(text.doubtful))}
  local at, scopes = 1, {{path = ""}}
  while at <= #text.tokens do at = read_declaration(source, text, at, scopes) end
  return source
end

-- ---- lookup ----

local function list_kernels(source)
  local names = {}
  for k, kernel in ipairs(source.order) do names[k] = kernel.name .. (kernel.template and "<>" or "") end
  table.sort(names)
  return table.concat(names, ", ")
end

--- Rejects source text without kernels, or with brackets that do not match.
function M.check(source, what)
  if source.is_closed then params.check_brackets(what, source.tokens, "the code") end
  if #source.order == 0 and not source.hides then
    fail("%s: the code has no kernel; a kernel is a function such as: __global__ void scale(float *x, float a)", what)
  end
end

local function fail_unknown(source, name, what)
  local near = suggest.find(name, source.kernels)
  local hint = near and ("did you mean '%s'? It"):format(near) or "it"
  fail("%s: the code has no kernel '%s'; %s has %s", what, name, hint, list_kernels(source))
end

--- The kernel with a name, whose namespace may be omitted if the name is unique; nil if it may be hidden in a header.
local function find_kernel(source, name, what)
  if source.kernels[name] then return source.kernels[name] end
  local found
  for _, kernel in ipairs(source.order) do
    if kernel.name:sub(-#name - 2) == "::" .. name then
      if found then fail("%s: '%s' may be %s or %s", what, name, found.name, kernel.name) end
      found = kernel
    end
  end
  if not found and not source.hides then fail_unknown(source, name, what) end
  return found
end

--- Template arguments of an expression, as lists of tokens.
local function template_arguments(tokens, expression, what)
  local angle = find(tokens, "<")
  if not angle then return {} end
  if close_of(tokens, angle) ~= #tokens then fail("%s: '%s' is not the name of a kernel", what, expression) end
  return split(tokens, angle + 1, #tokens - 1)
end

--- The parts of a cast to a pointer to a function, `(void (*)(int *))f` or `static_cast<void (*)(int *)>(f)`: tokens of
--- the type, and those of the name; nil for another expression.
local function read_cast(tokens)
  local first = tokens[1] == "static_cast" and 2 or 1
  if tokens[first] ~= "(" and not (first == 2 and tokens[first] == "<") then return nil end
  local last = close_of(tokens, first)
  if not last then return nil end
  local name = slice(tokens, last + 1)
  while name[1] == "(" and close_of(name, 1) == #name do name = slice(name, 2, #name - 1) end
  return slice(tokens, first + 1, last - 1), name[1] == "&" and slice(name, 2) or name
end

--- The overload of a kernel that a cast chooses.
local function bind_cast(source, expression, what, type_tokens, name_tokens)
  local name = table.concat(name_tokens)
  local kernel = find_kernel(source, (name:gsub("<.*$", "")), what)
  local star = find(type_tokens, "(")
  local bracket = star and find(type_tokens, "(", close_of(type_tokens, star) or #type_tokens)
  local last = bracket and close_of(type_tokens, bracket)
  if not last then fail("%s: '%s' is not a cast such as \"(void (*)(float *))f\"", what, expression) end
  local found = {expression = expression, kernel = kernel}
  local list = kernel and read_params(type_tokens, bracket + 1, last - 1)
  if not list then return found end
  found.params = {}
  for k, param in ipairs(list) do found.params[k] = resolve_param(source, kernel, param) end
  return found
end

--- Finds a kernel: {expression = its name for the compiler, kernel, params}; params is nil if the text does not
--- determine them.
---@param source table
---@param expression string "f", "ns::f", "f<float, 3>", "(void (*)(float *))f"
---@param what string the beginning of messages
---@return table
function M.bind(source, expression, what)
  local tokens = raw_text.tokens((expression:gsub("^%s*&", "")))
  local type_tokens, name_tokens = read_cast(tokens)
  if type_tokens then return bind_cast(source, expression, what, type_tokens, name_tokens) end
  local name = table.concat(tokens, "", tokens[1] == "::" and 2 or 1, (find(tokens, "<") or #tokens + 1) - 1)
  if not name:find "^[%a_\128-\255][%w_:\128-\255]*$" then
    fail("%s: '%s' is not the name of a kernel", what, expression)
  end
  local arguments = template_arguments(tokens, expression, what)
  local kernel = find_kernel(source, name, what)
  if not kernel then return {expression = expression} end
  if kernel.doubtful then return {expression = kernel.name .. (expression:match "<.*$" or ""), kernel = kernel} end
  if not kernel.template and find(tokens, "<") then fail("%s: '%s' is not a template", what, kernel.name) end
  local bound = kernel.template and bind_template(kernel, what, arguments)
  local found = {kernel = kernel, expression = kernel.name}
  if kernel.template then found.expression = kernel.name .. (expression:match "<.*$" or "<>") end
  if kernel.params and (bound or not kernel.template) then
    found.params = {}
    for k, param in ipairs(kernel.params) do found.params[k] = resolve_param(source, kernel, param, bound) end
  end
  return found
end

--- Parameters as text: "const float *x, int n".
function M.describe(list)
  local texts = {}
  for k, param in ipairs(list) do texts[k] = param.text end
  return table.concat(texts, ", ")
end

--- The variable with a name, and its symbol; nil if it may be hidden in a header.
---@return table|nil variable {name, dtype, lanes, shape}
---@return string symbol
function M.variable(source, name, what)
  local variable = source.variables[name]
  if not variable and not source.hides then
    local names, near = args.names(source.variables), suggest.find(name, source.variables)
    fail("%s: the code has no variable '%s'; %s has %s", what, name, near and ("did you mean '%s'? It"):format(near)
      or "it", names ~= "" and names or "none that is __device__ or __constant__")
  elseif variable and variable.is_hidden then
    fail("%s: the variable '%s' is static or const, or in a namespace without a name; it cannot be found", what, name)
  end
  if not name:find("::", 1, true) then return variable, name end
  local symbol = name:gsub(":*([^:]+)", function(word) return #word .. word end)
  return variable, ("_ZN%sE"):format(symbol)
end

return M
