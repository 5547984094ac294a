--- params.lua: parses the parameters of user kernels and determines the dtypes of a call.
--
-- A parameter is {name, text, dtype or letter, raw, pointer, const}; `letter` is a placeholder, whose dtype is
-- determined for each call. Every message begins with the name of the kernel; `fail` raises it at the user's line.
local check = require "cuna.base.check"
local core = require "cuna.core"
local dtype_facts = require "cuna.base.dtype_facts"
local suggest = require "cuna.base.suggest"

local M = {}

local fail = check.fail

local function set_of(words)
  local set = {}
  for word in words:gmatch "%S+" do set[word] = true end
  return set
end

-- ---- types ----

local kind_of = dtype_facts.kind_of

local C_TYPES = {
  float = "float32", double = "float64", half = "float16", size_t = "uint64", ptrdiff_t = "int64",
  ["complex<float>"] = "complex64", ["complex<double>"] = "complex128", ["thrust::complex<float>"] = "complex64",
  ["thrust::complex<double>"] = "complex128", int8_t = "int8", int16_t = "int16", int32_t = "int32", int64_t = "int64",
  uint8_t = "uint8", uint16_t = "uint16", uint32_t = "uint32", uint64_t = "uint64",
}
local INTEGER_WORDS = set_of "signed unsigned char short int long"

--- The dtype of a C integer type: `unsigned long int`, `short`, ...; nil for other words.
local function integer_type(text)
  local count = {}
  for word in text:gmatch "%S+" do
    if not INTEGER_WORDS[word] then return nil end
    count[word] = (count[word] or 0) + 1
  end
  local sizes = (count.char or 0) + (count.short or 0) + (count.long and 1 or 0)
  local signs = (count.signed or 0) + (count.unsigned or 0)
  if sizes > 1 or signs > 1 or (count.long or 0) > 2 or (count.int or 0) > 1 or (count.char and count.int) then
    return nil
  end
  local bits = count.char and 8 or count.short and 16 or count.long and 64 or 32
  return (count.unsigned and "uint" or "int") .. bits
end

--- The dtype of a type's name, of cuna or C; nil for other text.
local function dtype_of(text) return kind_of[text] and text or C_TYPES[text] or integer_type(text) end
M.dtype_of = dtype_of

--- The name of a type that resembles a text; nil if none does.
function M.nearest_type(text) return suggest.find(text, kind_of, C_TYPES, INTEGER_WORDS) end

local function unknown_type(kernel, name, text)
  local near = M.nearest_type(text)
  fail("%s: parameter '%s' has the unknown type '%s'; %s", kernel, name, text, near and ("did you mean '%s'?"):format(
    near) or "a type is a dtype such as float32, a C type such as double, or one letter that stands for any dtype")
end

-- The types in which kernel text computes values of these dtypes; other dtypes have their own.
local VALUE_TYPES = {float16 = "float", bfloat16 = "float"}

--- The type in which kernel text computes values of a dtype.
function M.value_type(dtype) return VALUE_TYPES[dtype] or dtype end

--- Kernel text that declares placeholders as the types in which values of their dtypes are computed.
---@param types table<string, string> dtypes by letter
---@return string
function M.typedefs(types)
  local lines = {}
  for letter, dtype in pairs(types) do
    lines[#lines + 1] = ("typedef %s %s;\n"):format(M.value_type(dtype), letter)
  end
  table.sort(lines)
  return table.concat(lines)
end

-- ---- names ----

local KEYWORDS = set_of [[
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const
  constexpr const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern
  false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq
  private protected public register reinterpret_cast return short signed sizeof static static_assert static_cast
  struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void
  volatile wchar_t while xor xor_eq
]]

--- Why a word cannot be the name of a parameter; nil if it can.
local function why_no_name(name)
  if not name:find "^[%a_][%w_]*$" then return "is not an identifier" end
  if name == "i" or name == "n" then return "is reserved: it is the loop's position or size" end
  if name:find "^_" then return "is reserved: names with a leading underscore are the kernel's own" end
  if KEYWORDS[name] then return "is a keyword of C++" end
  if dtype_of(name) then return "is the name of a type" end
end

--- Checks the name of a kernel.
function M.kernel_name(name, what)
  if type(name) ~= "string" then fail("%s: name is a string, got %s", what, check.show(name)) end
  if not name:find "^[%a_][%w_]*$" or KEYWORDS[name] then
    fail("%s: name is an identifier such as \"squared_diff\", got %q", what, name)
  end
  return name
end

-- ---- the text of parameters ----

local FLAGS = {raw = "raw", _non_const = "non_const", const = "const", ["*"] = "pointer", __restrict__ = "restrict",
  __restrict = "restrict", restrict = "restrict"}

--- Words of one parameter: `const float*p` -> const, float, *, p.
local function words_of(piece)
  local words = {}
  piece = piece:gsub("%s*<%s*", "<"):gsub("%s*>", ">"):gsub("%*", " * ")
  for word in piece:gmatch "%S+" do words[#words + 1] = word end
  return words
end

--- Separates the words before the name into flags and the type's text.
local function read_words(kernel, words)
  local param, rest = {name = words[#words]}, {}
  for k = 1, #words - 1 do
    local flag = FLAGS[words[k]]
    if flag == "pointer" and param.pointer then
      fail("%s: parameter '%s' is a pointer to pointers; a parameter is an array or a number", kernel, param.name)
    elseif not flag then
      rest[#rest + 1] = words[k]
    elseif not (flag == "const" and param.pointer) then -- const after the `*` is not about elements
      param[flag] = true
    end
  end
  return param, table.concat(rest, " ")
end

--- Rejects a type without a name: "float32", "raw unsigned int", "float *".
local function check_has_name(kernel, words, piece)
  local rest = {}
  for _, word in ipairs(words) do rest[#rest + 1] = not FLAGS[word] and word or nil end
  local is_type = #rest > 0 and not rest[1]:find "^%a$" and dtype_of(table.concat(rest, " "))
  if is_type or FLAGS[words[#words]] then
    fail("%s: parameter '%s' has no name; write \"%s x\"", kernel, piece, piece)
  end
end

local function check_flags(kernel, param, is_output)
  if param.non_const and not param.raw and not param.pointer then
    fail("%s: parameter '%s' is _non_const but not raw; make it an output, or raw", kernel, param.name)
  elseif is_output and param.const then
    fail("%s: parameter '%s' is an output and const; outputs are written", kernel, param.name)
  end
end

--- Parses one parameter.
local function read_param(kernel, piece, is_output)
  local words = words_of(piece)
  check_has_name(kernel, words, piece)
  local param, text = read_words(kernel, words)
  local problem = why_no_name(param.name)
  if text == "" then
    fail("%s: parameter '%s' has no type; write \"T %s\" or \"float32 %s\"", kernel, param.name, param.name, param.name)
  elseif problem then
    fail("%s: parameter '%s' %s; take another name", kernel, param.name, problem)
  end
  if text:find "^%a$" then
    param.letter = text
    if text == "i" or text == "n" then
      fail("%s: parameter '%s' has the type '%s', which is reserved; take another letter", kernel, param.name, text)
    end
  else
    param.dtype = dtype_of(text) or unknown_type(kernel, param.name, text)
  end
  check_flags(kernel, param, is_output)
  param.text = piece
  param.raw = param.raw or param.pointer or nil
  param.writable = param.raw and (is_output or param.non_const or (param.pointer and not param.const)) or nil
  return param
end

local function fold(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

--- Reads parameters, separated by commas: "T x, raw U y, const float *p".
---@param kernel string its name, for messages
---@param text string
---@param what string "in_params" or "out_params"
---@return table[]
function M.read(kernel, text, what)
  if type(text) ~= "string" then
    fail("%s: %s is a string such as \"T x, T y\", got %s", kernel, what, check.show(text))
  end
  local params = {}
  if not text:find "%S" then return params end
  for piece in (text .. ","):gmatch "([^,]*)," do
    piece = fold(piece)
    if piece == "" then fail("%s: parameter %d of %s is empty: \"%s\"", kernel, #params + 1, what, fold(text)) end
    params[#params + 1] = read_param(kernel, piece, what == "out_params")
  end
  return params
end

--- Rejects two parameters of one name, and names that are also placeholders.
---@param kernel string
---@param params table[] inputs, then outputs
function M.check_names(kernel, params)
  local seen, letters = {}, {}
  for _, param in ipairs(params) do
    if seen[param.name] then fail("%s: parameter '%s' occurs twice", kernel, param.name) end
    seen[param.name], letters[param.letter or ""] = true, param.name
  end
  for _, param in ipairs(params) do
    local other = letters[param.name]
    if other then fail("%s: '%s' is a parameter and the type of '%s'", kernel, param.name, other) end
  end
end

--- Parameters as text: "T x, raw U y".
function M.describe(params)
  local texts = {}
  for k, param in ipairs(params) do texts[k] = param.text end
  return table.concat(texts, ", ")
end

-- ---- kernel text ----

--- Takes #include out of a preamble, which stands in a namespace. Lines keep their numbers. A user's own file is
--- refused: a program's key has its text, not what that includes.
---@param name string the kernel's, for messages
---@param preamble string
---@param includes string[] to which the names of the headers are appended
---@return string preamble
function M.take_includes(name, preamble, includes)
  local function take(open, header)
    if open == "\"" and not core.has_header(header) then
      fail("%s: preamble includes \"%s\"; put that text into preamble, or use cn.RawModule, which takes -I", name,
        header)
    end
    includes[#includes + 1] = header
    return ""
  end
  preamble = ("\n" .. preamble):gsub("%f[^\n][ \t]*#[ \t]*include[ \t]*([<\"])[ \t]*([^>\"\n]-)[ \t]*[>\"]", take)
  return preamble:sub(2)
end

-- Options that permit what a kernel need not do: other C++, less precise functions.
local PERMISSIONS = {"^%-%-?std=c%+%+%d%d$", "^%-%-?use_fast_math$"}

--- The line for an option "-DNAME=VALUE".
local function read_define(name, option)
  for _, pattern in ipairs(PERMISSIONS) do
    if option:find(pattern) then return "" end
  end
  local macro, value = option:match "^%-D%s*([%a_][%w_]*)(.*)$"
  if not macro or value:find "[%z\n]" or not (value == "" or value:find "^=") then
    fail("%s: the option %s is not supported; options are {\"-DNAME=VALUE\"}", name, check.show(option))
  end
  return ("#define %s %s\n"):format(macro, value == "" and "1" or value:sub(2))
end

--- The lines for options, which precede the user's text.
function M.read_defines(name, options)
  local defined = {}
  if options == nil then return "" end
  if type(options) ~= "table" then fail("%s: options is a table of strings, got %s", name, check.show(options)) end
  for _, option in ipairs(options) do defined[#defined + 1] = read_define(name, tostring(option)) end
  return table.concat(defined)
end

--- A user's text as statements: ended by a semicolon, even if its last line is a comment.
function M.statements(text) return text:find "%S" and text .. "\n;" or "" end

--- Text whose lines compilers count from 1 and report as lines of `what`.
function M.with_place(text, what, name)
  return text == "" and "" or ("\n#line 1 \"%s of %s\"\n%s"):format(what, name, text)
end

-- Patterns of text that is skipped as a whole; the first match counts.
local PIECES = {"^%s+", "^//[^\n]*", "^/%*.-%*/", "^/%*.*", "^%.?%d[%w_.']*"}

local function end_of_quoted(text, at)
  local quote = text:sub(at, at)
  local k = at + 1
  while k <= #text and text:sub(k, k) ~= quote do k = k + (text:sub(k, k) == "\\" and 2 or 1) end
  return k
end

local function end_of_piece(text, at)
  if text:find("^[\"']", at) then return end_of_quoted(text, at) end
  for _, pattern in ipairs(PIECES) do
    local _, last = text:find(pattern, at)
    if last then return last end
  end
  return at
end

--- The tokens of C++ text without comments: identifiers and single characters; strings and numbers are "0".
---@param text string
---@return string[]
function M.tokens(text)
  local list, at = {}, 1
  while at <= #text do
    local word = text:match("^[%a_][%w_]*", at)
    local last = word and at + #word - 1 or end_of_piece(text, at)
    if not word and text:find("^%.?[%d\"']", at) then word = "0" end
    word = word or (last == at and text:match("^%S", at))
    if word then list[#list + 1] = word end
    at = last + 1
  end
  return list
end

--- A text with lines joined as in preprocessing.
local function join_lines(text)
  text = text:gsub("\r", ""):gsub("\\\n", " ")
  return (text:gsub("/%*.-%*/", function(comment) return (comment:gsub("\n", " ")) end))
end

--- The identifiers in the macros of a preamble, as a set. Lines that only resemble a directive are included: a surplus
--- name costs time, but a missing one would change results.
function M.macro_names(preamble)
  local names = {}
  for line in join_lines(preamble):gmatch "define([^\n]*)" do
    for _, token in ipairs(M.tokens(line)) do names[token] = true end
  end
  return names
end

--- Lines that undefine the macros of a text: the rest of the kernel, and other kernels of the compilation, follow it.
---@param text string
---@return string
function M.end_macros(text)
  local lines, seen = {}, {}
  for line in join_lines(text):gmatch "#[^\n%w_]*define(%s[^\n]*)" do
    local name = M.tokens(line)[1]
    if name and name:find "^%a" and not (seen[name] or name:find "^CUNA_") then
      seen[name], lines[#lines + 1] = true, ("\n#undef %s"):format(name)
    end
  end
  return table.concat(lines)
end

local OPENS, CLOSES = {["("] = true, ["["] = true, ["{"] = true}, {[")"] = true, ["]"] = true, ["}"] = true}
local PARTNER = {["("] = ")", ["["] = "]", ["{"] = "}"}

--- Rejects text whose brackets do not match, which would change the meaning of the text around it.
---@param kernel string
---@param tokens string[]
---@param what string the text's name, for messages
function M.check_brackets(kernel, tokens, what)
  local open = {}
  for _, token in ipairs(tokens) do
    if token == "#" then return end -- directives may exclude lines
    if OPENS[token] then
      open[#open + 1] = token
    elseif CLOSES[token] then
      local partner = PARTNER[open[#open]]
      if partner ~= token then
        fail("%s: %s has a '%s' %s", kernel, what, token, partner and ("where '%s' is expected"):format(partner)
          or "that is unmatched")
      end
      open[#open] = nil
    end
  end
  local is_cut = open[#open] == "[" and open[#open - 1] == "["
  if #open > 0 then
    fail("%s: %s has an unclosed '%s'%s", kernel, what, open[#open], is_cut
      and "; Lua ends a [[ ]] string at the first ]], as in a[b[i]]: write [==[ ]==]" or "")
  end
end

local JUMPS = {["return"] = true, ["goto"] = true, ["continue"] = true, ["break"] = true, ["#"] = true}

--- Whether statements certainly assign to a variable before it is read: it occurs once, at the beginning of a statement
--- `z = ...` outside of all brackets, and no jump precedes.
---@param tokens string[]
---@param name string
---@return boolean
function M.surely_assigns(tokens, name)
  local depth, found = 0, false
  for k, token in ipairs(tokens) do
    depth = depth + (OPENS[token] and 1 or CLOSES[token] and -1 or 0)
    if JUMPS[token] then return false end
    if token == name then
      local before = tokens[k - 1] or ";"
      local assigns = before == ";" and tokens[k + 1] == "=" and tokens[k + 2] ~= "="
      if found or depth ~= 0 or not assigns then return false end
      found = true
    end
  end
  return found
end

-- ---- the dtypes of a call ----

local function conflict(kernel, param, dtype, types, teller)
  local letter = param.letter
  if letter then
    fail("%s: %s is %s by '%s' and %s by '%s'; convert one, as in %s:astype(\"%s\")", kernel, letter, types[letter],
      teller[letter], dtype, param.name, param.name, types[letter])
  end
  fail("%s: parameter '%s' is %s, and the array given is %s; convert it with %s:astype(\"%s\")", kernel, param.name,
    param.dtype, dtype, param.name, param.dtype)
end

--- Sets placeholders to the dtypes of arrays.
local function bind_arrays(kernel, params, first, last, arrays, types, teller)
  for k = first, last do
    local param, dtype = params[k], arrays[k]
    if dtype then
      local letter = param.letter
      if letter and not types[letter] then types[letter], teller[letter] = dtype, param.name end
      if (param.dtype or types[letter]) ~= dtype then conflict(kernel, param, dtype, types, teller) end
    end
  end
end

local RANK = {bool = 1, int64 = 2, uint64 = 3, float32 = 4, float64 = 4, complex128 = 5}

--- Sets the placeholders without arrays to the dtypes of numbers, of which the highest kind counts.
local function bind_numbers(params, numbers, types)
  local own = {}
  for k, param in ipairs(params) do
    local letter, dtype = param.letter, numbers[k]
    if letter and dtype and not types[letter] and (not own[letter] or RANK[own[letter]] < RANK[dtype]) then
      own[letter] = dtype
    end
  end
  for letter, dtype in pairs(own) do types[letter] = dtype end
end

--- The dtypes of placeholders in a call, from outputs, then from input arrays, then from numbers.
---@param kernel string
---@param params table[] inputs, then outputs
---@param ninputs integer
---@param arrays table<integer, string> dtypes of the arrays of the call, by parameter
---@param numbers table<integer, string> dtypes of arrays made from the numbers of the call, by parameter
---@return table<string, string> types by letter
function M.bind(kernel, params, ninputs, arrays, numbers)
  local types, teller = {}, {}
  bind_arrays(kernel, params, ninputs + 1, #params, arrays, types, teller)
  bind_arrays(kernel, params, 1, ninputs, arrays, types, teller)
  bind_numbers(params, numbers, types)
  for _, param in ipairs(params) do
    if param.letter and not types[param.letter] then
      fail("%s: %s of '%s' is unknown; pass an array for it, or name a dtype instead of %s", kernel, param.letter,
        param.name, param.letter)
    end
  end
  return types
end

-- ---- numbers for parameters ----

local INTEGER_RANGE = {} -- minimum, and maximum + 1, as Lua numbers
for _, dtype in ipairs(core.dtypes) do
  local bits = 8 * dtype.size
  if dtype.kind == "i" then INTEGER_RANGE[dtype.name] = {-2 ^ (bits - 1), 2 ^ (bits - 1)} end
  if dtype.kind == "u" then INTEGER_RANGE[dtype.name] = {0, 2 ^ bits} end
end

--- Whether each call must check the numbers for parameters of a dtype.
function M.has_range(dtype) return INTEGER_RANGE[dtype] ~= nil end

--- Whether a boxed integer is in the range of a dtype.
local function boxed_fits(value, dtype, range)
  local is_large = core.number_kind(value) == "uint" -- above int64
  if is_large or dtype == "uint64" then return dtype == "uint64" and (is_large or value >= 0) end
  local near = tonumber(value)
  return dtype == "int64" or (near >= range[1] and near < range[2])
end

--- Rejects a fraction, or a number out of range, for a parameter of an integer dtype.
---@param kernel string
---@param param table
---@param dtype string
---@param value number|ffi.cdata*
function M.check_number(kernel, param, dtype, value)
  local range = INTEGER_RANGE[dtype]
  if type(value) == "number" then
    if value >= range[1] and value < range[2] and value % 1 == 0 then return end
    if value % 1 ~= 0 and value - value == 0 then
      fail("%s: parameter '%s' is %s, and %.17g is not whole", kernel, param.name, dtype, value)
    end
  elseif boxed_fits(value, dtype, range) then
    return
  end
  fail("%s: parameter '%s' is %s, and %s does not fit", kernel, param.name, dtype,
    type(value) == "number" and ("%.17g"):format(value) or tostring(value))
end

return M
