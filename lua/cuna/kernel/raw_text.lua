--- raw_text.lua: the tokens of CUDA C++ source text after preprocessing.
--
-- The user's own headers are read where they are found in the folders of the options: they may declare the types of
-- parameters. What other headers declare is not known here.
--
-- Conditions that depend only on the text and the options are evaluated. If only a compiler can evaluate a condition
-- (`#ifdef __CUDA_ARCH__`), the first branch is kept and its tokens are marked as doubtful: readers must not rely on
-- the types in them. Macros without parameters are expanded; macros with parameters stay.
--
-- cpu/compile/token.c reads C++ too, but is a separate tokeniser. The two share only the rules for where a token ends:
-- 95 lines here, 90 there. There each byte keeps its place, because the text is rewritten and compiled; here comments
-- go, lines join and macros are replaced. The other 970 lines of Lua read conditions and declarations for every device,
-- the other 1,160 lines of C (source.c, reach.c, web.c) rewrite text for the cpu device alone. One tokeniser would save
-- 60 lines and lead from here into a device's folder. Reading 325 lines takes 1.3 ms, once for each source, which a
-- compiler then compiles for 300 ms and more.
local M = {}

-- ---- comments and strings ----

--- The end of a quoted text that begins at `at`, skipping escaped bytes.
local function end_of_quoted(text, at)
  local quote, k = text:sub(at, at), at + 1
  while true do
    k = text:find("[\"'\\\n]", k)
    if not k then return #text end
    local byte = text:sub(k, k)
    if byte == quote then return k end
    if byte == "\n" then return k - 1 end
    k = k + (byte == "\\" and 2 or 1)
  end
end

local function is_word_byte(text, at) return text:find("^[%w_]", at) ~= nil end

--- The end of a raw string whose quote is at `at`; nil when it is a plain one.
local function end_of_raw(text, at)
  local first = at - 1
  if first < 1 or text:sub(first, first) ~= "R" then return nil end
  while first > 1 and text:find("^[uUL8]", first - 1) do first = first - 1 end
  if first > 1 and is_word_byte(text, first - 1) then return nil end
  local delimiter = text:match("^\"([^%s()\\]*)%(", at)
  if not delimiter then return nil end
  local _, last = text:find(")" .. delimiter .. "\"", at, true)
  return last or #text
end

--- Whether a quote at `at` separates digits, as in 1'000.
local function separates_digits(text, at)
  local first = at
  while first > 1 and text:find("^[%w_.']", first - 1) do first = first - 1 end
  return first < at and text:find("^%.?%d", first) ~= nil
end

--- The end of the comment or string at `at`, and its replacement.
local function replace(text, at)
  local byte = text:sub(at, at)
  if byte == "/" then
    if text:find("^//", at) then return (text:find("\n", at, true) or #text + 1) - 1, " " end
    if not text:find("^/%*", at) then return at, "/" end
    local _, last = text:find("*/", at + 2, true)
    return last or #text, " "
  elseif byte == "'" then
    if separates_digits(text, at) then return at, "'" end
    return end_of_quoted(text, at), "0"
  end
  local last = end_of_raw(text, at)
  if last then return last, "\"\"" end
  last = end_of_quoted(text, at)
  local inside = text:sub(at + 1, last - 1)
  return last, (inside:find "^[%w+._/-]*$") and ("\"%s\""):format(inside) or "\"\"" -- "C", "file.cuh"
end

--- The text without comments and contents of strings, and with continued lines joined.
local function strip(text)
  text = text:gsub("\r\n?", "\n"):gsub("\\[ \t]*\n", "")
  local pieces, at = {}, 1
  while true do
    local found = text:find("[\"'/]", at)
    if not found then break end
    local last, replacement = replace(text, found)
    pieces[#pieces + 1] = text:sub(at, found - 1)
    pieces[#pieces + 1] = replacement
    at = last + 1
  end
  pieces[#pieces + 1] = text:sub(at)
  return table.concat(pieces)
end

-- ---- tokens ----

local PIECES = {"^[%a_\128-\255][%w_\128-\255]*", "^%.?%d[%w_.']*", "^\"[^\"]*\"", "^::", "^%.%.%.", "^&&", "^||",
  "^==", "^!=", "^<=", "^>="}

local function token_at(text, at)
  for _, pattern in ipairs(PIECES) do
    local word = text:match(pattern, at)
    if word then return word end
  end
  return text:sub(at, at)
end

local function add_tokens(list, line)
  local at = line:find "%S"
  while at do
    local word = token_at(line, at)
    list[#list + 1] = word
    at = line:find("%S", at + #word)
  end
  return list
end

--- The tokens of a piece of text without directives, such as "ns::f<float, 3>".
---@param text string
---@return string[]
function M.tokens(text) return add_tokens({}, strip(text):gsub("\n", " ") .. " ") end

-- ---- macros ----

--- Appends tokens with macros expanded; `hidden` are the macros whose expansion is in progress.
local function expand(macros, tokens, list, hidden)
  local after_defined = false
  for _, token in ipairs(tokens) do
    local body = macros[token]
    if type(body) == "table" and not after_defined and not (hidden and hidden[token]) then
      local inner = setmetatable({[token] = true}, {__index = hidden})
      expand(macros, body, list, inner)
    else
      list[#list + 1] = token
    end
    after_defined = token == "defined" or (after_defined and token == "(")
  end
  return list
end

-- Names that compilers and headers may define; their values are unknown here.
local FOREIGN = {"^__CUDA", "^__NV", "^__GNU", "^__clang", "^__cplusplus$", "^_WIN", "^_MSC", "^__linux", "^__SIZEOF",
  "^__x86_64", "^__aarch64", "^CUDA", "^CUNA_", "^NDEBUG$", "^__has_"}

-- Names that NVRTC and the cpu device define.
local DEFINED = {__CUDACC__ = true, __CUDACC_RTC__ = true}

--- Whether a name is defined: true, false, or nil if only a compiler can decide.
local function is_defined(state, name)
  if state.macros[name] ~= nil then return state.macros[name] and true or nil end
  if DEFINED[name] then return true end
  for _, pattern in ipairs(FOREIGN) do
    if name:find(pattern) then return nil end
  end
  if state.includes then return nil end
  return false
end

-- ---- conditions ----

local LEVEL = {["||"] = 1, ["&&"] = 2, ["=="] = 3, ["!="] = 3, ["<"] = 4, [">"] = 4, ["<="] = 4, [">="] = 4, ["+"] = 5,
  ["-"] = 5, ["*"] = 6, ["/"] = 6, ["%"] = 6}

local function bit(value) return value and 1 or 0 end

local COMPUTE = {
  ["=="] = function(a, b) return bit(a == b) end, ["!="] = function(a, b) return bit(a ~= b) end,
  ["<"] = function(a, b) return bit(a < b) end, [">"] = function(a, b) return bit(a > b) end,
  ["<="] = function(a, b) return bit(a <= b) end, [">="] = function(a, b) return bit(a >= b) end,
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b) return b ~= 0 and (a - math.fmod(a, b)) / b or nil end,
  ["%"] = function(a, b) return b ~= 0 and math.fmod(a, b) or nil end,
}

--- A logical operation may have a value even if one operand is unknown.
local function combine(operator, a, b)
  if operator == "||" then
    if (a and a ~= 0) or (b and b ~= 0) then return 1 end
    return a and b and 0
  elseif operator == "&&" then
    if a == 0 or b == 0 then return 0 end
    return a and b and 1
  end
  return a and b and COMPUTE[operator](a, b)
end

local Reader = {}
Reader.__index = Reader

function Reader:take()
  self.at = self.at + 1
  return self.tokens[self.at - 1]
end

function Reader:defined()
  local name = self:take()
  if name == "(" then
    name = self:take()
    self:take()
  end
  local is = self.is_defined(name or "")
  if is == nil then return nil end
  return bit(is)
end

function Reader:value()
  local token = self:take()
  if token == "(" then
    local value = self:expression(1)
    if self:take() ~= ")" then self.failed = true end
    return value
  elseif token == "!" then
    local value = self:value()
    return value and bit(value == 0)
  elseif token == "-" then
    local value = self:value()
    return value and -value
  elseif token == "defined" then
    return self:defined()
  end
  local digits = token and token:gsub("'", ""):match "^(%w-)[uUlL]*$"
  if digits and digits:find "^0%d+$" then return tonumber(digits, 8) end
  if digits and digits:find "^%d" then return tonumber(digits) end
  if token == "true" or token == "false" then return bit(token == "true") end
  return token and self.number(token)
end

function Reader:expression(level)
  local value = self:value()
  while true do
    local operator = self.tokens[self.at]
    local own = LEVEL[operator]
    if not own or own < level then return value end
    self.at = self.at + 1
    value = combine(operator, value, self:expression(own + 1))
  end
end

--- The integer value of tokens; nil if it is unknown. `number(name)` returns the value of a name and
--- `defined(name)` that of `defined`.
---@param tokens string[]
---@param number fun(name: string): number|nil
---@param defined nil|fun(name: string): boolean|nil
---@return number|nil
function M.evaluate(tokens, number, defined)
  local reader = setmetatable({tokens = tokens, at = 1, number = number, is_defined = defined}, Reader)
  local value = reader:expression(1)
  if reader.failed or reader.at ~= #tokens + 1 then return nil end
  return value
end

local function evaluate(state, tokens)
  local function defined(name) return is_defined(state, name) end
  local function number(name)
    if not name:find "^[%a_]" then return nil end
    if is_defined(state, name) == false then return 0 end -- as in preprocessing
  end
  return M.evaluate(expand(state.macros, tokens, {}), number, defined)
end

-- ---- directives ----

-- Headers of CUDA and C, and those of C++, which do not declare kernels.
local KNOWN_HEADERS = {"^cu[%l_%d]*%.h", "^cuda/", "^cub/", "^thrust/", "^cooperative_groups", "^mma%.h",
  "^device_", "^vector_", "^math", "^std[%l]+%.h", "^assert%.h", "^limits%.h", "^float%.h", "^string%.h",
  "^sm_", "^crt/", "^nv/", "^cupy/"}
local CPP_HEADER = "^[%l_]+$"
local MAX_DEPTH = 64 -- of headers that include headers

local function is_known(quote, header)
  if quote == "<" and header:find(CPP_HEADER) then return true end
  for _, pattern in ipairs(KNOWN_HEADERS) do
    if header:find(pattern) then return true end
  end
  return false
end

--- The text of a header in the folders for these; nil if none has it. One in quotes may be in the current folder.
local function read_header(state, quote, header)
  local paths = {}
  for k, folder in ipairs(state.folders) do paths[k] = folder .. "/" .. header end
  if quote == "\"" then table.insert(paths, 1, header) end
  for _, path in ipairs(paths) do
    local file = io.open(path, "rb")
    local text = file and file:read "*a" -- nil for a folder
    if file then file:close() end
    if text then return text end
  end
end

local read_text

local function read_include(state, line)
  local quote, header = line:match "([<\"])%s*([^>\"]-)%s*[>\"]"
  local known = header and is_known(quote, header)
  state.headers[header or ""] = true
  local is_own = header and (quote == "\"" or not known) and state.depth < MAX_DEPTH
  local text = is_own and read_header(state, quote, header)
  if text then
    read_text(state, text)
  elseif not known then
    state.includes, state.hides = true, true
  end
end

local function has_kernel(tokens)
  for _, token in ipairs(tokens) do
    if token == "__global__" then return true end
  end
  return false
end

--- Whether the brackets in a macro's text are balanced.
local function is_balanced(tokens)
  local depth = 0
  for _, token in ipairs(tokens) do
    if token == "{" or token == "(" or token == "[" then depth = depth + 1 end
    if token == "}" or token == ")" or token == "]" then depth = depth - 1 end
  end
  return depth == 0
end

local function define(state, rest, is_doubtful)
  local name, parens, body = rest:match "^%s*([%a_\128-\255][%w_\128-\255]*)(%(?)(.*)$"
  if not name then return end
  if parens == "(" then
    body = add_tokens({}, "(" .. body)
    if has_kernel(body) then state.hides = true end
    state.open = state.open or not is_balanced(body)
    state.macros[name] = true -- defined, but not expanded
  elseif is_doubtful then
    state.macros[name] = false
  else
    state.macros[name] = add_tokens({}, body)
  end
end

--- Whether the following lines are kept, and whether this is doubtful.
local function current(state)
  local doubtful = false
  for _, level in ipairs(state.levels) do
    if not level.active then return false, doubtful end
    doubtful = doubtful or level.doubtful
  end
  return true, doubtful
end

local function enter(level, value)
  level.active = value == nil or value ~= 0
  level.taken = level.taken or level.active
  level.doubtful = level.doubtful or value == nil
end

local DIRECTIVES = {}

function DIRECTIVES.open(state, tokens)
  local level = {active = false, taken = true} -- inside lines that are skipped
  if current(state) then
    level.taken = false
    enter(level, evaluate(state, tokens))
  end
  state.levels[#state.levels + 1] = level
end

function DIRECTIVES.next(state, tokens)
  local level = state.levels[#state.levels]
  if not level then return end
  if level.taken then
    level.active, level.left = false, level.doubtful
  else
    enter(level, evaluate(state, tokens))
  end
end

local function read_directive(state, line)
  local word, rest = line:match "^%s*#%s*(%a+)(.*)$"
  local counts, is_doubtful = current(state)
  if word == "if" then
    DIRECTIVES.open(state, add_tokens({}, rest))
  elseif word == "ifdef" or word == "ifndef" then
    local tokens = add_tokens({word == "ifndef" and "!" or nil}, "defined " .. rest)
    DIRECTIVES.open(state, tokens)
  elseif word == "elif" then
    DIRECTIVES.next(state, add_tokens({}, rest))
  elseif word == "else" then
    DIRECTIVES.next(state, {"1"})
  elseif word == "endif" then
    state.levels[#state.levels] = nil
  elseif counts and word == "define" then
    define(state, rest, is_doubtful)
  elseif counts and word == "undef" then
    state.macros[rest:match "[%w_\128-\255]+" or ""] = nil
  elseif counts and word == "include" then
    read_include(state, rest)
  end
end

local function read_line(state, line)
  local counts, is_doubtful = current(state)
  if not counts then
    if line:find("__global__", 1, true) and state.levels[#state.levels].left then state.hides = true end
    return
  end
  local before = #state.tokens
  expand(state.macros, add_tokens({}, line), state.tokens)
  if is_doubtful then
    for k = before + 1, #state.tokens do state.doubtful[k] = true end
  end
end

-- ---- options ----

local DEFINES = {"^%-D%s*([^=]+)=?(.*)$", "^%-%-define%-macro[= ]([^=]+)=?(.*)$"}
local FOLDERS = {"^%-I[= ]*(.+)$", "^%-%-include%-path[= ]+(.+)$"}

--- Adds the folders for headers: "-Ifolder", or "-I" and the folder in the next option.
local function read_folders(state, options)
  for k, option in ipairs(options) do
    if option == "-I" or option == "--include-path" then state.folders[#state.folders + 1] = options[k + 1] end
    for _, pattern in ipairs(FOLDERS) do state.folders[#state.folders + 1] = option:match(pattern) end
  end
end

--- Adds the definitions of compiler options, and records whether they include files.
local function read_options(state, options)
  for _, option in ipairs(options) do
    for _, pattern in ipairs(DEFINES) do
      local name, value = option:match(pattern)
      if name then
        define(state, name .. " " .. (option:find("=", 1, true) and value or "1"), false)
        break
      end
    end
    if option:find "^%-%-?pre%-include" or option:find "^%-include" then state.includes, state.hides = true, true end
  end
end

--- Reads a source or a header. Conditions that a header leaves open end with it.
function read_text(state, text)
  local nlevels = #state.levels
  state.depth = state.depth + 1
  for line in (strip(text) .. "\n"):gmatch "(.-)\n" do
    if line:find "^%s*#" then read_directive(state, line) else read_line(state, line) end
  end
  for k = #state.levels, nlevels + 1, -1 do state.levels[k] = nil end
  state.depth = state.depth - 1
end

--- The tokens of source text: {tokens, doubtful (by token), hides: kernels may be declared elsewhere (in headers or
--- macros), open: brackets in macros may be unbalanced, headers (that are included, as keys)}.
---@param text string
---@param options string[]|nil compiler options
---@param folder string|nil the folder of the text's own headers, after those of the options
---@return table
function M.read(text, options, folder)
  local state = {tokens = {}, doubtful = {}, macros = {}, levels = {}, folders = {}, headers = {}, depth = 0}
  read_options(state, options or {})
  read_folders(state, options or {})
  state.folders[#state.folders + 1] = folder or nil
  read_text(state, text)
  return state
end

return M
