--- editor.lua: lines edited by GNU Readline or libedit, whichever is installed, through the functions that both have.
--
-- The library is used in its alternate form: this file waits, and gives it a character at a time. The terminal is in
-- the library's mode only inside `read`, so neither an error nor os.exit leaves it there. The library handles no
-- signals.
local ffi = require "ffi"
local terminal = require "cuna.prompt.terminal"

ffi.cdef [[
typedef char *cuna_prompt_entry(const char *text, int state);
typedef char **cuna_prompt_complete(const char *text, int start, int end);
typedef void cuna_prompt_line(char *line);
extern const char *rl_readline_name, *rl_completer_word_break_characters;
extern char *rl_line_buffer;
extern int rl_catch_signals, rl_completion_append_character, rl_attempted_completion_over;
extern cuna_prompt_complete *rl_attempted_completion_function;
int rl_initialize(void);
int rl_insert_text(const char *text);
int rl_variable_bind(const char *variable, const char *value);
char **rl_completion_matches(const char *text, cuna_prompt_entry *entry);
void rl_callback_handler_install(const char *prompt, cuna_prompt_line *handler);
void rl_callback_read_char(void);
void rl_callback_handler_remove(void);
void rl_free_line_state(void);
void rl_replace_line(const char *text, int clear_undo);
int add_history(const char *line);
char *strdup(const char *text);
void free(void *memory);
]]

local M = {}

M.libraries = {"libreadline.so.8", "libedit.so.2", "libreadline.so.7", "libedit.so.0"}

local BREAKS = " \t\n\"'`@$><=;|&{}()[]+-*/%^#~,?"
local anchors = {} -- what the library keeps addresses of

local function load(names)
  for _, name in ipairs(names) do
    local loaded, library = pcall(ffi.load, name)
    if loaded then return library, name end
  end
end

--- Lets a function complete words: complete(line up to the word's end, word) returns whole words.
local function set_completion(library, complete)
  local words = {}
  local entry = ffi.cast("cuna_prompt_entry *", function(_, state)
    local word = words[state + 1]
    return word and ffi.C.strdup(word) or nil
  end)
  local attempt = ffi.cast("cuna_prompt_complete *", function(text, _, last)
    library.rl_attempted_completion_over = 1 -- no names of files
    local line = ffi.string(library.rl_line_buffer):sub(1, last)
    if not line:find "%S" then
      library.rl_insert_text "  "
      return nil
    end
    local ran, found = pcall(complete, line, ffi.string(text))
    words = ran and found or {}
    return #words > 0 and library.rl_completion_matches(text, entry) or nil
  end)
  anchors.entry, anchors.attempt = entry, attempt
  library.rl_attempted_completion_function = attempt
  library.rl_completion_append_character = 0
  library.rl_completer_word_break_characters = BREAKS
end

local state = {} -- of the line that is read: finished, text

local function start(library, name)
  anchors.name, anchors.breaks = "cuna", BREAKS
  library.rl_readline_name = anchors.name
  library.rl_initialize()
  library.rl_catch_signals = 0
  if name:find "readline" then library.rl_variable_bind("enable-bracketed-paste", "on") end -- a paste is one input
  anchors.line = ffi.cast("cuna_prompt_line *", function(line)
    library.rl_callback_handler_remove() -- restores the terminal
    state.finished = true
    if line ~= nil then
      state.text = ffi.string(line)
      ffi.C.free(line)
    end
  end)
end

local function give_up(library)
  library.rl_free_line_state()
  library.rl_replace_line("", 0)
  library.rl_callback_handler_remove()
  io.write "\n"
end

--- Reads a line, as terminal.read does.
local function read(library, prompt)
  io.flush()
  state.finished, state.text = false, nil
  library.rl_callback_handler_install(prompt, anchors.line)
  while not state.finished do
    local input = terminal.wait()
    if input == "ready" then
      library.rl_callback_read_char()
    else
      give_up(library)
      if input == "interrupted" then return false end
      return nil
    end
  end
  return state.text
end
jit.off(read) -- the library calls back, which compiled code does not allow
jit.off(start)

--- Opens the library: what reads lines, and adds them to the history; nil if none is installed.
---@param complete fun(line: string, word: string): string[]
---@param names? string[] libraries, default M.libraries
---@return table|nil editor {name, read = fun(prompt), add = fun(line)}
function M.open(complete, names)
  local library, name = load(names or M.libraries)
  if not library then return end
  os.setlocale("", "ctype")
  start(library, name)
  set_completion(library, complete)
  return {
    name = name,
    read = function(prompt) return read(library, prompt) end,
    add = function(line) library.add_history(line) end,
  }
end

return M
