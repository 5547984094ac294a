--- raw_types.lua: parses declarations in CUDA C++: their names, types and array lengths.
--
-- A type is {dtype, lanes, stars, const, object}: float4 * is float32 with 4 lanes and one star; `const` applies to the
-- elements of a pointer; `object` is "texture" or "surface" for their handles. Aliases are in `source.aliases`, by
-- qualified name: {tokens, scope}, or false if they are not understood. A CArray of <cupy/carray.cuh> has `axes`, and
-- `contiguous`. In a template, `bound` has the tokens of types by the names of its parameters (false for others), and
-- bound[VALUES] those of all.
local params = require "cuna.kernel.params"
local raw_text = require "cuna.kernel.raw_text"

local M = {}

local function set_of(words)
  local set = {}
  for word in words:gmatch "%S+" do set[word] = true end
  return set
end

local function slice(list, first, last)
  local part = {}
  for k = first or 1, last or #list do part[#part + 1] = list[k] end
  return part
end
M.slice = slice

-- ---- brackets ----

local CLOSE = {["("] = ")", ["["] = "]", ["{"] = "}", ["<"] = ">"}

--- The index of the bracket that closes the one at `at`. Angle brackets nest only inside angle brackets.
local function close_of(tokens, at)
  local stack = {}
  for k = at, #tokens do
    local token, top = tokens[k], stack[#stack]
    if token == top then
      stack[#stack] = nil
      if #stack == 0 then return k end
    elseif CLOSE[token] and (token ~= "<" or top == nil or top == ">") then
      stack[#stack + 1] = CLOSE[token]
    elseif top == ">" and (token == ")" or token == "]" or token == "}") then
      return nil -- the angle was an operator
    end
  end
end
M.close_of = close_of

--- The pieces of tokens[first..last] between commas outside of brackets.
function M.split(tokens, first, last)
  local pieces, piece, k = {}, {}, first
  while k <= last do
    local token = tokens[k]
    local close = CLOSE[token] and close_of(tokens, k)
    if close and close <= last then
      for inner = k, close do piece[#piece + 1] = tokens[inner] end
      k = close
    elseif token == "," then
      pieces[#pieces + 1], piece = piece, {}
    else
      piece[#piece + 1] = token
    end
    k = k + 1
  end
  if #piece > 0 or #pieces > 0 then pieces[#pieces + 1] = piece end
  return pieces
end

local function find(tokens, wanted, first)
  for k = first or 1, #tokens do
    if tokens[k] == wanted then return k end
  end
end
M.find = find

-- ---- types ----

local CLASS_KEYS = set_of "struct class union enum typename"
M.CLASS_KEYS = CLASS_KEYS
local DROPPED = set_of [[__restrict__ __restrict restrict volatile register __grid_constant__ static inline __inline__
  __forceinline__ extern constexpr thread_local __managed__ __device__ __constant__ __shared__ __host__ mutable]]
local CALLED_ATTRIBUTES = set_of [[__launch_bounds__ __attribute__ __align__ alignas __maxnreg__ __cluster_dims__
  __block_size__ __declspec]]
local INTEGER_WORDS = set_of "signed unsigned char short int long"
local NAMESPACES = set_of "std cuda thrust nv cuna"

local NAMED = {
  __half = {"float16"}, __nv_bfloat16 = {"bfloat16"}, nv_bfloat16 = {"bfloat16"}, __half2 = {"float16", 2},
  half2 = {"float16", 2}, __nv_bfloat162 = {"bfloat16", 2}, nv_bfloat162 = {"bfloat16", 2}, dim3 = {"uint32", 3},
  cuFloatComplex = {"complex64"}, cuComplex = {"complex64"}, cuDoubleComplex = {"complex128"},
  uint = {"uint32"}, ushort = {"uint16"}, ulong = {"uint64"}, -- C's libraries and headers of samples have these
}
local VECTORS = {char = "int8", uchar = "uint8", short = "int16", ushort = "uint16", int = "int32", uint = "uint32",
  long = "int64", ulong = "uint64", longlong = "int64", ulonglong = "uint64", float = "float32", double = "float64"}
local COMPLEX = {float32 = "complex64", float64 = "complex128"}

-- Handles, and the kind of a parameter that is one.
local OBJECTS = {cudaTextureObject_t = "texture", cudaSurfaceObject_t = "surface", CUtexObject = "texture",
  CUsurfObject = "surface"}

-- ---- numbers ----

M.VALUES = {}

function M.qualified(scope, name) return scope == "" and name or scope .. "::" .. name end

--- A function that finds the value of a constant by its name.
function M.number_of(source, scope)
  return function(name)
    while true do
      local value = source.numbers[M.qualified(scope, name)]
      if value ~= nil then return value or nil end
      if scope == "" then return nil end
      scope = scope:match "^(.*)::[^:]*$" or ""
    end
  end
end

--- The value of an expression of constants and of a template's arguments; nil if it is not understood.
local function value_of(source, tokens, scope, bound)
  local number = M.number_of(source, scope)
  return raw_text.evaluate(tokens, function(name)
    if name == "true" or name == "false" then return name == "true" and 1 or 0 end
    local value = bound and bound[M.VALUES][name]
    if value then return value_of(source, value, scope) end
    return number(name)
  end)
end

-- ---- names ----

--- Dtype and lanes of a type with a name of CUDA, C or cuna; nil for others.
local function named_type(text)
  if OBJECTS[text] then return "uint64", 1 end
  if NAMED[text] then return NAMED[text][1], NAMED[text][2] or 1 end
  local element, lanes = text:match "^(%l+)([1-4])$"
  if not element then element, lanes = text:match "^(%l+)(4)_%d%da$" end
  if element and VECTORS[element] then return VECTORS[element], tonumber(lanes) end
  return params.dtype_of(text), 1
end

--- Looks a name up in the enclosing scopes and the namespaces in use: its tokens and their scope.
local function find_alias(source, name, scope)
  local here = scope
  while true do
    local full = here == "" and name or here .. "::" .. name
    local alias = source.aliases[full]
    if alias ~= nil then return alias end
    if here == "" then break end
    here = here:match "^(.*)::[^:]*$" or ""
  end
  for _, used in ipairs(source.used) do
    local alias = source.aliases[used .. "::" .. name]
    if alias ~= nil then return alias end
  end
end

--- A class with parameters: complex numbers, or an array by value; nil for others.
local function resolve_class(source, name, pieces, scope, bound, depth)
  local inner = pieces[1] and M.read_type(source, pieces[1], scope, bound, depth)
  if not inner or inner.stars > 0 or inner.lanes > 1 then return nil end
  if name:find "^[%a:]*complex$" then
    local dtype = #pieces == 1 and COMPLEX[inner.dtype]
    return dtype and {dtype = dtype, lanes = 1, stars = 0}
  elseif name == "CArray" and source.headers["cupy/carray.cuh"] then
    local axes = pieces[2] and value_of(source, pieces[2], scope, bound)
    local contiguous = not pieces[3] and 0 or value_of(source, pieces[3], scope, bound)
    return axes and contiguous and {dtype = inner.dtype, lanes = 1, stars = 0, const = inner.const, axes = axes,
      contiguous = contiguous ~= 0} or nil
  end
end

--- The type with a name: {dtype, lanes, stars, const}; nil if it is unknown.
local function resolve(source, tokens, scope, bound, depth)
  local first = tokens[1] == "::" and 2 or 1
  local angle = find(tokens, "<")
  local name = table.concat(tokens, "", first, (angle or #tokens + 1) - 1)
  if angle then
    return tokens[#tokens] == ">"
      and resolve_class(source, name, M.split(tokens, angle + 1, #tokens - 1), scope, bound, depth) or nil
  end
  local words = table.concat(tokens, " ", first)
  if INTEGER_WORDS[tokens[first]] and params.dtype_of(words) then
    return {dtype = params.dtype_of(words), lanes = 1, stars = 0}
  elseif bound and bound[name] ~= nil then
    return bound[name] and M.read_type(source, bound[name], "", nil, depth)
  end
  local alias = find_alias(source, name, scope)
  if alias then return depth < 16 and M.read_type(source, alias.tokens, alias.scope, nil, depth + 1) or nil end
  if alias == false then return nil end
  local space, last = name:match "^(%a+)::(.*)$"
  while space and NAMESPACES[space] do
    name = last
    space, last = name:match "^(%a+)::(.*)$"
  end
  local dtype, lanes = named_type(name)
  return dtype and name ~= "" and {dtype = dtype, lanes = lanes, stars = 0, object = OBJECTS[name]} or nil
end

--- Splits a type into its words and its stars: {base, stars, const (of the elements)}.
function M.split_type(tokens)
  local shape = {base = {}, stars = 0}
  for _, token in ipairs(tokens) do
    if token == "*" then
      shape.stars, shape.const, shape.last_const = shape.stars + 1, shape.last_const, nil
    elseif token == "&" or token == "&&" then
      shape.reference = true
    elseif token == "const" then
      shape.last_const = true
    elseif shape.stars == 0 and not CLASS_KEYS[token] and not DROPPED[token] then
      shape.base[#shape.base + 1] = token
    end
  end
  return shape
end

--- The meaning of a whole type, such as a template's argument or an alias; nil if it is unknown.
function M.read_type(source, tokens, scope, bound, depth)
  local shape = M.split_type(tokens)
  local inner = #shape.base > 0 and not find(tokens, "(") and resolve(source, shape.base, scope, bound, depth or 0)
  if not inner then return nil end
  local stars = shape.stars + inner.stars
  local const = inner.const or (shape.stars > 0 and inner.stars == 0 and shape.const) or nil
  if stars == 0 then const = inner.const or shape.last_const end -- for the elements of a pointer to this type
  return {dtype = inner.dtype, lanes = inner.lanes, stars = stars, const = const, object = inner.object,
    axes = inner.axes, contiguous = inner.contiguous}
end

-- ---- declarators ----

local function is_word(token) return token ~= nil and token:find "^[%a_\128-\255]" ~= nil end

--- The end of an operator's name, which begins at `at` with the word `operator`: before the bracket of its parameters.
local function end_of_operator(tokens, at)
  local bracket = find(tokens, "(", at) or #tokens + 1
  if bracket == at + 1 then bracket = find(tokens, "(", bracket + 1) or #tokens + 1 end -- operator()
  return bracket - 1
end

--- Removes attributes, default values and specifiers that do not affect the type from a declaration.
---@param tokens string[]
---@return string[]
---@return boolean has_value
function M.clean(tokens)
  local list, k = {}, 1
  while k <= #tokens do
    local token = tokens[k]
    if token == "=" then
      return list, true
    elseif token == "operator" then
      local last = end_of_operator(tokens, k)
      for inner = k, last do list[#list + 1] = tokens[inner] end
      k = last
    elseif CALLED_ATTRIBUTES[token] and tokens[k + 1] == "(" then
      k = close_of(tokens, k + 1) or #tokens
    elseif token == "[" and tokens[k + 1] == "[" then
      k = close_of(tokens, k) or #tokens
    elseif token == "(" then
      local last = close_of(tokens, k) or #tokens
      for inner = k, last do list[#list + 1] = tokens[inner] end
      k = last
    elseif not DROPPED[token] then
      list[#list + 1] = token
    end
    k = k + 1
  end
  return list, false
end
M.is_word = is_word

--- Removes `[4][N]` from the end: the tokens before it, and those between each pair of brackets.
function M.take_dims(tokens)
  local dims, last = {}, #tokens
  while tokens[last] == "]" do
    local first = last
    while first > 0 and tokens[first] ~= "[" do first = first - 1 end
    table.insert(dims, 1, slice(tokens, first + 1, last - 1))
    last = first - 1
  end
  return slice(tokens, 1, last), dims
end

--- The name of a declaration and the tokens before it; no name if there is only a type.
function M.take_name(tokens)
  local name, before = tokens[#tokens], tokens[#tokens - 1]
  local is_name = is_word(name) and name ~= "const" and not INTEGER_WORDS[name] and before ~= "::"
  if is_name then
    for k = 1, #tokens - 1 do
      if tokens[k] ~= "const" and not CLASS_KEYS[tokens[k]] then return name, slice(tokens, 1, #tokens - 1) end
    end
  end
  return nil, tokens
end

--- A declaration as text: "const float *x".
function M.to_text(tokens)
  local text = table.concat(tokens, " "):gsub(" ?:: ?", "::"):gsub(" ?([<>]) ?", "%1"):gsub(" ,", ",")
  return (text:gsub("%* (%a)", "*%1"):gsub("%* %*", "**"):gsub(" %[", "["):gsub(">([%w_])", "> %1"):gsub(" %]", "]")
    :gsub("%[ ", "["):gsub("%*const", "* const"):gsub(">%*", "> *"))
end

return M
