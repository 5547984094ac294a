--- loops.lua: writes the loops that the cpu device interprets programs with, as C++ that the Makefile compiles.
--
--   luajit loops.lua folder
--
-- A loop's name says what it computes (runtime/kernel/codegen_loops.c). Those that only move or convert elements are
-- listed here; steps of programs are found by rehearsing the library's functions with arrays of every dtype. A loop
-- that is missing costs time, not values: its program is compiled as a kernel.
local cn = require "cuna"
local core = require "cuna.core"
local rehearsals = require "cuna.tools.loop_rehearsals"
local rehearsals_more = require "cuna.tools.loop_rehearsals_more"
local rehearsals_whole = require "cuna.tools.loop_rehearsals_whole"
local twins = require "cuna.tools.loop_twins"

local split = twins.split

-- Files by kinds of loops, which the Makefile compiles with flags of their own; those of one kind, by the first bits of
-- the hash of a name, so that a new loop changes few of them.
local PARTS = {"memory", "samplers", "draws", "special", "images", "abreast", "folds1", "folds2", "scans", "kernels",
  "steps1", "steps2", "steps3", "steps4"}
local COUNTS = {folds = 2, steps = 4}
-- Parts in which gcc shares long functions among loops, instead of having them in each.
local SHARED = {memory = true, draws = true, special = true, images = true, abreast = true}

local DTYPES = {"bool8", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
  "bfloat16", "float32", "float64", "complex64", "complex128"}
local MOVED = {"uint8", "uint16", "uint32", "uint64", "complex128"} -- by size
local UNLIKE = {"bool8", "float16", "bfloat16"}                     -- elements that are not values

-- ---- names ----

local function add_moves(names)
  for _, types in ipairs {MOVED, UNLIKE} do
    for _, T in ipairs(types) do
      for _, class in ipairs {"unit", "two", "any"} do
        names[("load\t%s\t%s"):format(T, class)] = true
        names[("store\t%s\t%s"):format(T, class)] = true
      end
      names[("load\t%s\tuniform"):format(T)] = true
    end
  end
end

local function add_conversions(names)
  for _, to in ipairs(DTYPES) do
    names["splat\t" .. to] = true
    for _, from in ipairs(DTYPES) do
      if from ~= "float16" and from ~= "bfloat16" then names[("convert\t%s\t%s"):format(to, from)] = true end
    end
  end
end

--- What the rehearsed functions need; those that raise need nothing.
local function add_rehearsed(names, list)
  for _, rehearse in ipairs(list) do
    core.prepare_begin()
    local ok, why = pcall(rehearse)
    assert(ok or not why:find "are declared", why)
    for name in pairs(core.prepare_loops()) do names[name] = true end
    core.prepare_end(false)
  end
end

local function list_names()
  local names = {position = true, row = true, address = true, table = true}
  add_moves(names)
  add_conversions(names)
  add_rehearsed(names, rehearsals)
  add_rehearsed(names, rehearsals_more)
  add_rehearsed(names, rehearsals_whole)
  return names
end

-- ---- C++ ----

local LETTERS = "abcdefghijklmnop"

--- FNV-1a, as runtime/cpu/interpret/library.c computes it.
local function hash(name)
  local sum = 0xcbf29ce484222325ULL
  for i = 1, #name do
    sum = bit.bxor(sum, name:byte(i)) * 0x100000001b3ULL
  end
  return sum
end

local STEP = [[
namespace $space {
$head CUNA_INLINE value_of<$D>::type step($parameters)
{
    typedef $E E; typedef value_of<E>::type T; typedef $D D; typedef value_of<D>::type R;
    return convert<D>($expression);
}
$head static $apart void loop(const Frame *frame, const unsigned char *at, int64 count$more)
{
    typedef slot_of<$D> to_slot;
    to_slot::type *const to = result_of<to_slot::type>(frame, at);
$pointers    CUNA_IVDEP
    for (int64 element = 0; element < count; ++element)
        to[element] = to_slot::put(step($elements));
}
}
]]

local IN_LINE = [[
namespace %s {
static void loop(const Frame *frame, const unsigned char *at, int64 count)
{
    typedef slot_of<%s> to_slot;
    to_slot::type *const to = result_of<to_slot::type>(frame, at);
%s    const auto sampler = %s;
    random::each_in_line(sampler, a, count, b, c, [&](int64 element, auto made) {
        to[element] = to_slot::put(convert<%s>(made));
    });
}
}
]]

--- The loop of a step that makes random numbers of one sampler: its elements lie in line.
local function write_in_line(out, key, D, list, sampler)
  local space, values = "s" .. key, {}
  for i, T in ipairs(list) do
    values[i] = ("    const auto %s = slot_of<%s>::get(*argument_of<slot_of<%s>::type>(frame, at, %d));\n")
      :format(LETTERS:sub(i, i), T, T, i - 1)
  end
  out[#out + 1] = IN_LINE:format(space, D, table.concat(values), sampler, D)
  return space .. "::loop"
end

--- Text of a template, whose names with a dollar are those of the fields of a table.
local function fill(template, fields) return (template:gsub("%$(%w+)", fields)) end

--- The loop of a step, whose text is printed as codegen_program.c does, in a namespace that no other part has; `more`
--- has other fields.
local function print_step(space, D, types, expression, more)
  local parameters, pointers, elements = {}, {}, {}
  local list = types == "" and {} or split(types, ",")
  for i, T in ipairs(list) do
    local letter = LETTERS:sub(i, i)
    parameters[i] = ("value_of<%s>::type %s"):format(T, letter)
    pointers[i] = ("    const slot_of<%s>::type *const %s = argument_of<slot_of<%s>::type>(frame, at, %d);\n")
      :format(T, letter, T, i - 1)
    elements[i] = ("slot_of<%s>::get(%s[element])"):format(T, letter)
  end
  parameters[#parameters + 1], elements[#elements + 1] = more.parameter, more.argument
  return fill(STEP, {space = space, D = D, E = list[1] or D, expression = expression,
    parameters = table.concat(parameters, ", "), pointers = table.concat(pointers),
    elements = table.concat(elements, ", "), head = more.head or "", apart = more.apart or "",
    more = more.parameter and ", " .. more.parameter or ""})
end

--- What `print` makes of a text, which a part has once: the namespace of it.
local function written_once(out, text, print)
  out.spaces = out.spaces or {}
  if not out.spaces[text] then
    out.spaces[text] = "c" .. bit.tohex(hash(text), 16)
    out[#out + 1] = print(out.spaces[text])
  end
  return out.spaces[text]
end

local BY_COMBINER = {head = "template <class C>", apart = "CUNA_APART", parameter = "C combine", argument = "combine"}
local COMBINER = "namespace $space { static auto combine($parameters) $body }\n"
local COMBINED = [[
namespace $space {
static void loop(const Frame *frame, const unsigned char *at, int64 count)
{
    $family::loop(frame, at, count, $combiner::combine);
}
}
]]

--- The loop of a step that combines two values: a call of one that all operations of its dtypes have, with the function
--- that combines.
local function write_combined(out, key, D, types, before, text, after)
  local expression = before .. "combine" .. after
  local family = written_once(out, table.concat({D, types, expression}, "\t"), function(space)
    return print_step(space, D, types, expression, BY_COMBINER)
  end)
  local parameters, body = text:match "^%(%[%]%((.-)%) (%b{})%)$"
  local function_space = written_once(out, text, function(space)
    return fill(COMBINER, {space = space, parameters = parameters, body = body})
  end)
  out[#out + 1] = fill(COMBINED, {space = "s" .. key, family = family, combiner = function_space})
end

local FOLDED_RUN = [[
namespace $space {
static void loop(const Frame *frame, const unsigned char *at, int64 count)
{
    typedef slot_of<$A>::type Slot;
    ndimage::fold_run<$fold, $S, $A>(result_of<Slot>(frame, at), argument_of<int64>(frame, at, 0),
        argument_of<int64>(frame, at, 1), $before, count);
}
}
]]

local RUN_FOLDS = {summed = "ndimage::Sum", extreme = "ndimage::Extreme"} -- kernels/loop_images.hh

--- The names of a fold of neighbours and of its parameters, and the place of the result that it goes on from; nil for
--- other texts.
local function fold_of_run(expression)
  local name, list, more = expression:match "^ndimage::(%l+)<([^()]*)>%(a, b(.*)%)$"
  return RUN_FOLDS[name], list, more
end

local function write_folded_run(out, key, fold, list, more)
  local types = split(list, ", ")
  out[#out + 1] = fill(FOLDED_RUN, {space = "s" .. key, fold = ("%s<%s>"):format(fold, list), S = types[1],
    A = types[2], before = more == "" and "(const Slot *)0" or "argument_of<Slot>(frame, at, 2)"})
end

local function write_step(out, key, D, types, expression)
  local sampler = expression:match "^random::in_line%((.*), a, b, c%)$"
  if sampler then return write_in_line(out, key, D, split(types, ","), sampler) end
  local before, combiner, after = expression:match "^(.*)CUNA_COMBINER(%b())(.*)$"
  local fold, list, more = fold_of_run(expression)
  if combiner then
    write_combined(out, key, D, types, before, combiner, after)
  elseif fold then
    write_folded_run(out, key, fold, list, more)
  else
    out[#out + 1] = print_step("s" .. key, D, types, expression, {})
  end
  return "s" .. key .. "::loop"
end

local FOLD = [[
namespace %s {
struct Reducer {
    typedef %s A; typedef value_of<A>::type T; typedef slot_of<A>::type Slot; typedef int64 index; typedef %s State;
    const Slot *values;
    static CUNA_INLINE State identity() { return %s; }
    static CUNA_INLINE State combine(State a, State b) { return %s; }
    CUNA_INLINE State lift(index j, int64 i) const { const T a = slot_of<A>::get(values[j]); return %s; }
};
static const cuna_loop_fold loops = CUNA_FOLD_LOOPS(Reducer);
}
]]

--- What stands for a Program in the templates of folds.
local function write_fold(out, key, A, state, identity, lift, combine)
  local space = "s" .. key
  out[#out + 1] = FOLD:format(space, A, state, identity, combine, lift)
  return ("&%s::loops"):format(space)
end

local PAIRS = [[
namespace %s {
struct Reducer {
    typedef %s A; typedef value_of<A>::type T; typedef slot_of<A>::type Slot; typedef int64 index; typedef T State;
    const Slot *first, *second;
    static CUNA_INLINE State identity() { return %s; }
    static CUNA_INLINE State combine(State a, State b) { return %s; }
    CUNA_INLINE State lift(index j, int64) const
    {
        const T x = slot_of<A>::get(first[j]), y = slot_of<A>::get(second[j]);
        return %s;
    }
};
static const cuna_loop_pairs loops = CUNA_PAIR_LOOPS(Reducer);
}
]]

--- The same of what a step makes of pairs of values.
local function write_pairs(out, key, ...)
  local space = "s" .. key
  out[#out + 1] = PAIRS:format(space, ...)
  return ("&%s::loops"):format(space)
end

local FINISH = [[
namespace %s {
struct Finish {
    typedef value_of<%s>::type T; typedef %s State;
%s    static CUNA_INLINE auto finish(State a, int64 n, double extra) { return %s; }
};
static const cuna_loop_finish loops = CUNA_FINISH_LOOPS(Finish);
}
]]

local COMBINE = [[
    static CUNA_INLINE State identity() { return %s; }
    static CUNA_INLINE State combine(State a, State b) { return %s; }
]]

local function write_finish(out, key, A, state, identity, combine, finish)
  local space = "s" .. key
  out[#out + 1] = FINISH:format(space, A, state, identity ~= "" and COMBINE:format(identity, combine) or "", finish)
  return ("&%s::loops"):format(space)
end

local SCAN = [[
namespace %s {
struct Texts {
    typedef %s A; typedef value_of<A>::type T; typedef T State;
    CUNA_INLINE static State combine(State a, State b) { return %s; }
};
}
]]

--- The texts of a reducer, as codegen_fold.c prints them.
local function write_scan(out, key, ...)
  local space = "s" .. key
  out[#out + 1] = SCAN:format(space, ...)
  return ("&ScanLoops<%s::Texts>::table"):format(space)
end

--- The text of a kernel, which is not inside of our namespace, and has one of its own.
local function write_kernel(out, key, text)
  local space = "k" .. key
  local numbered, count = text:gsub("namespace k0 {", "namespace " .. space .. " {", 1)
  assert(count == 1, "a kernel's text has no namespace k0")
  out[#out + 1] = "}\n" .. numbered .. "namespace cuna {\n"
  return "&" .. space .. "::whole"
end

local KINDS = {
  load = function(_, _, T, class) return ("load_%s<%s>"):format(class, T) end,
  store = function(_, _, T, class) return ("store_%s<%s>"):format(class, T) end,
  splat = function(_, _, T) return ("splat<%s>"):format(T) end,
  convert = function(_, _, D, S) return ("convert_values<%s, %s>"):format(D, S) end,
  position = function() return "load_position" end,
  row = function() return "load_row" end,
  address = function() return "load_address" end,
  table = function() return "load_table" end,
  step = write_step,
  fold = write_fold,
  pairs = write_pairs,
  finish = write_finish,
  scan = write_scan,
  kernel = write_kernel,
}

local function hexadecimal(key)
  return "0x" .. bit.tohex(key, 16)
end

-- Functions of kernel texts that go through memory or long branches, element by element: their loops gain nothing from
-- vectors, and compile in a third of the time without. The same holds for folds and scans of these, and for samplers.
local SCALAR = {"fetched", "moved", "stored", "updated", "searched", "sorted", "found", "held",
  "put", "kept", "walked", "combined", "binned", "tallied", "repeated", "line", "gcd", "lcm", "combine_scaled",
  "hypot", "logaddexp", "logaddexp2"}

local function is_scalar(name)
  if not (name:find "^step" or name:find "^fold" or name:find "^scan") then return false end
  for _, word in ipairs(SCALAR) do
    if name:find("%f[%w_]" .. word .. "%f[^%w_]") then return true end
  end
  return false
end

-- What texts of rare steps name: of special functions all but those that many programs have.
local SPECIAL = {"special", "parameter", "bessel", "modified", "spherical", "airy", "orthogonal", "faddeeva", "powers",
  "hypergeometric", "elliptic", "carlson", "lambert", "legendre", "harmonics"}
local USUAL = {"erf", "erfc", "ndtr", "expit", "logit", "entr", "xlogy", "gammaln", "gamma", "digamma"}
local IMAGES = {"ndimage", "signal", "sparse", "lines"}
-- Samplers that many programs have. Loops of others share functions with draws that have parameters in arrays, and take
-- up to 1.6 of the time.
local SAMPLERS = {"Integers", "UnitInterval", "Uniform", "Normal", "Exponential", "Gamma", "Beta", "Poisson",
  "Binomial"}

local function names_any(name, spaces, functions)
  for _, space in ipairs(spaces) do
    local found = name:match("%f[%w]" .. space .. "::([%w_]+)")
    for _, usual in ipairs(found and functions or {}) do
      if found == usual then return false end
    end
    if found then return true end
  end
  return false
end

local function is_usual_sampler(name)
  local sampler = name:match "random::in_line%(random::(%w+)"
  for _, usual in ipairs(SAMPLERS) do
    if usual == sampler then return true end
  end
  return false
end

local function kind_of(name)
  if name:find "^kernel" then return "kernels" end
  if name:find("random::", 1, true) then return is_usual_sampler(name) and "samplers" or "draws" end
  if is_scalar(name) then return "memory" end
  if names_any(name, SPECIAL, USUAL) then return "special" end
  if fold_of_run(name:match "[^\t]*$") or name:find("signal::filter_parts", 1, true) then return "abreast" end
  if names_any(name, IMAGES) then return "images" end
  if name:find "^scan" or name:find "^fold\tbool" then return "scans" end
  return (name:find "^fold" or name:find "^pairs") and "folds" or "steps"
end

--- The part that has a name.
local function part_of(name, key)
  local kind = kind_of(name)
  local count = COUNTS[kind]
  return not count and kind or kind .. tonumber(key / (0xffffffffffffffffULL / count + 1)) + 1
end

--- Names by part, each with its key and the name of the loop that has its function, sorted by keys.
local function sort_names(names)
  local parts = {}
  for _, part in ipairs(PARTS) do parts[part] = {} end
  for name in pairs(names) do
    local twin = twins.of(name)
    local part = parts[part_of(twin, hash(twin))]
    part[#part + 1] = {name = name, key = hash(name), twin = twin}
  end
  for _, part in pairs(parts) do
    table.sort(part, function(a, b) return a.key < b.key end)
    for i = 2, #part do
      assert(part[i].key ~= part[i - 1].key, "two names have one hash")
    end
  end
  return parts
end

-- Functions that texts call here are parts of them in kernels, whose loops are vectors: what makes a sampler's values,
-- what walks by a combiner, what searches.
local HEAD = [[
#define CUNA_SAMPLED CUNA_APART
#define CUNA_REDRAWN CUNA_APART
#define CUNA_WALKED CUNA_APART
#define CUNA_SEARCHED CUNA_APART
#define CUNA_COMBINER(...) __VA_ARGS__
#include "texts.h"
#include "kernels/loop_code.h"
#include "kernels/interpret.hh"
#include "kernels/interpret_fold.hh"
#include "kernels/interpret_reducers.hh"
#include "kernels/interpret_scan.hh"
#include "kernels/loop_whole.hh"
#include "kernels/loop_images.hh"
#include "kernels/loop_signal.hh"
namespace cuna {
]]

--- The function of a loop, or the table.
local function write_loop(out, name)
  local words = split(name, "\t")
  return KINDS[words[1]](out, bit.tohex(hash(name), 16), unpack(words, 2))
end

local function write_part(name, part)
  local out, rows, loops = {SHARED[name] and "#define CUNA_SHARED\n" or "", HEAD}, {}, {}
  for i, entry in ipairs(part) do
    loops[entry.twin] = loops[entry.twin] or write_loop(out, entry.twin)
    rows[i] = ("    {%sULL, (void *)%s},\n"):format(hexadecimal(entry.key), loops[entry.twin])
  end
  out[#out + 1] = ("}\nusing namespace cuna;\nextern const cuna_loop_row cuna_loop_%s[] = {\n%s};\n"):format(name,
    table.concat(rows))
  return table.concat(out)
end

local function write_table(parts)
  local out = {HEAD, "}\n"}
  for _, name in ipairs(PARTS) do out[#out + 1] = ("extern const cuna_loop_row cuna_loop_%s[];\n"):format(name) end
  out[#out + 1] = "static const cuna_loop_part parts[] = {\n"
  for _, name in ipairs(PARTS) do out[#out + 1] = ("    {cuna_loop_%s, %d},\n"):format(name, #parts[name]) end
  out[#out + 1] = "};\n#define PARTS " .. #PARTS .. '\n#include "kernels/loops_library.hh"\n'
  return table.concat(out)
end

--- Writes a file whose text changed, so that make compiles only these.
local function write_file(path, text)
  local file = io.open(path, "rb")
  local old = file and file:read "*a"
  if file then file:close() end
  if old == text then return end
  file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function main(folder)
  local parts = sort_names(list_names())
  write_file(folder .. "/texts.h", core.prepare_texts())
  for _, name in ipairs(PARTS) do
    write_file(("%s/%s.cc"):format(folder, name), write_part(name, parts[name]))
  end
  write_file(folder .. "/table.cc", write_table(parts))
end

cn.device("cpu"):use()
main(...)
