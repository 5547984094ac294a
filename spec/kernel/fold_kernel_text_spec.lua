--- The texts of kernels that fold: what each may name, what is refused before a compiler sees it, and what one says.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

local it = devices.rehearsed_it(cn.prepare)

--- A reduction named f, sound but for the fields given.
local function reduction(fields)
  local function get(name, default) return fields[name] == nil and default or fields[name] end
  local identity = get("identity", 0)
  if fields.no_identity then identity = nil end
  return cn.ReductionKernel(get("ins", "T x"), get("outs", "T y"), get("map", "x"), get("combine", "a + b"),
    get("post", "y = a"), identity, "f", fields.options or {})
end

--- The same as a scan.
local function scan(fields)
  return cn.ScanKernel(fields.ins or "T x", fields.outs or "T y", fields.map or "x", fields.combine or "a + b",
    fields.post or "y = a", fields.identity or 0, "f", fields.options or {})
end

local function refuses(problem, fields)
  raises("f: " .. problem, function() reduction(fields) end)
end

describe("a reduction's construction is refused", function()
  it("with arguments of a wrong kind", function()
    raises("reduce_kernel: reduce_expr is a string, got nil", function() cn.ReductionKernel("T x", "T y", "x") end)
    raises("reduce_kernel: identity is missing", function()
      cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a")
    end)
    raises("ReductionKernel: name is an identifier such as \"squared_diff\", got \"a b\"", function()
      cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, "a b")
    end)
    raises("ReductionKernel: unknown option 'axis'; known are identity, name, reduce_type", function()
      cn.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0, {axis = 1})
    end)
    raises("ReductionKernel: a function of cuna is called with a dot", function()
      cn:ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0)
    end)
    refuses("map_expr is a string, got 3", {map = 3})
    refuses("map_expr contains a NUL byte", {map = "x\0"})
    refuses("in_params is a string such as", {ins = false})
    refuses("preamble is a string, got 3", {options = {preamble = 3}})
    refuses("reduce_dims is true or false, got 3", {options = {reduce_dims = 3}})
    refuses("the option \"-O3\" is not supported", {options = {options = {"-O3"}}})
  end)

  it("with parameters that make no reduction", function()
    refuses("parameter 'x' has the unknown type 'flot32'; did you mean 'float32'?", {ins = "flot32 x"})
    refuses("parameter 'x' occurs twice", {outs = "T x"})
    refuses("the kernel writes nothing; name an output", {outs = ""})
    refuses("a reduction has an output; name it in out_params", {ins = "T x, float *w", outs = ""})
    refuses("output 'y' is raw; the outputs of a reduction are not", {outs = "raw T y"})
    refuses("nothing to fold: at least one parameter of in_params is not raw", {ins = "raw T x"})
    refuses("nothing to fold: ", {ins = ""})
    refuses("parameter 'a' is reserved: it is the state in post_map_expr", {outs = "T a"})
    refuses("parameter 'a' is reserved: it is the state in post_map_expr", {ins = "T x, raw T a"})
    refuses("parameter 'x' has the type 'b', which is a state in reduce_expr; take another letter", {ins = "b x"})
    raises("f: parameter 'a' is reserved", function() scan {ins = "T a"} end)
    raises("f: nothing to fold: ", function() scan {ins = "raw T x"} end)
    raises("f: the kernel writes nothing", function() scan {outs = ""} end)
  end)

  it("with texts that are empty, open, or statements for expressions", function()
    refuses("map_expr is empty", {map = " \n"})
    refuses("map_expr has only comments", {map = "// x"})
    refuses("reduce_expr is empty", {combine = ""})
    refuses("post_map_expr is empty", {post = ""})
    refuses("identity is empty", {identity = ""})
    refuses("map_expr is an expression, but has a ';'; statements belong in post_map_expr", {map = "x;"})
    refuses("reduce_expr is an expression, but has a ';'", {combine = "a + b;"})
    refuses("identity is an expression, but has a ';'", {identity = "0;"})
    refuses("map_expr has a ')' that is unmatched", {map = "x) + (x"})
    refuses("reduce_expr has an unclosed '('", {combine = "max(a, b"})
    refuses("post_map_expr has a ']' where ')' is expected", {post = "y = (a]"})
    refuses("identity has a '}' that is unmatched", {identity = "0 }"})
    raises("f: scan_expr is an expression, but has a ';'", function() scan {combine = "a; b"} end)
  end)

  it("when a text names what another one knows", function()
    refuses("post_map_expr does not name the output 'y'", {post = "a"})
    refuses("map_expr names 'a', which exists only in reduce_expr and post_map_expr", {map = "a + x"})
    refuses("map_expr names 'b', which exists only in reduce_expr", {map = "x * b"})
    refuses("map_expr names the output 'y', which exists only in post_map_expr", {map = "y = x"})
    refuses("reduce_expr names the parameter 'x'; it can use only the states a and b", {combine = "a + x"})
    refuses("reduce_expr names the parameter 'y'", {combine = "y = a"})
    refuses("reduce_expr names 'i'; it can use only the states a and b", {combine = "i ? a : b"})
    refuses("reduce_expr names 'n'", {combine = "a + b / n"})
    refuses("post_map_expr names 'b', which exists only in reduce_expr", {post = "y = a + b"})
    refuses("post_map_expr names the input 'x', which exists only in map_expr", {post = "y = a / x"})
    refuses("post_map_expr names 'i', which exists only in map_expr", {post = "y = a / (i + 1)"})
    raises("f: scan_expr names the parameter 'x'", function() scan {combine = "a + x"} end)
    raises("f: post_map_expr names 'b', which exists only in scan_expr", function() scan {post = "y = a + b"} end)
    raises("f: map_expr names 'a', which exists only in scan_expr and post_map_expr", function()
      scan {map = "a"}
    end)
  end)

  it("but names may be members, declared, the preamble's or an input's", function()
    reduction {map = "x.a + x.b"}
    reduction {map = "p->b + s::a + x"}
    reduction {ins = "T a, T b", map = "a * b"}
    reduction {map = "[&] { T b = x; return b; }()"}
    reduction {post = "T b = a, x = 1; for (int i = 0; i < 2; ++i) b += x; y = b"}
    reduction {post = "T *b = &y; *b = a"}
    reduction {map = "x + b", combine = "a + b", options = {preamble = "const int b = 3;"}}
    reduction {map = "x + b", options = {options = {"-Db=3"}}}
    reduction {post = "Y a", options = {preamble = "#define Y y ="}}
    scan {post = "y = a + x + i"}
  end)

  it("with a type of states that is none", function()
    for what, make in pairs {reduce_type = reduction, scan_type = scan} do
      local function refuse(problem, text, preamble)
        raises(("f: %s %s"):format(what, problem), function()
          make {options = {[what] = text, preamble = preamble}}
        end)
      end
      refuse("is the unknown type 'flot'; did you mean 'float'?", "flot")
      refuse("is the unknown type 'wibble'; a type is a dtype such as float32, a C type such as double, a placeholder",
        "wibble", "struct wobble { int x; };")
      refuse("is the unknown type 'U'", "U")
      refuse("is the unknown type 'int wibble'", "int  wibble ")
      refuse("is the unknown type 's; int x'", "s; int x", "struct s { int x; };")
      refuse("is the unknown type ''", "")
      refuse("is a string, got 3", 3)
    end
    raises("f: there is no output; name the type of states: {scan_type = ...}", function()
      scan {ins = "T x, float *w", outs = "", post = "w[i] = a"}
    end)
  end)

  it("with an identity that is none, or that the state cannot hold", function()
    refuses("identity is missing: the state that changes no other, such as 0 for sums, as text or number",
      {no_identity = true})
    refuses("identity is text or a number, got a table", {identity = {}})
    refuses("parameter 'identity' is int8, and 300 does not fit", {outs = "int8 y", identity = 300})
    refuses("parameter 'identity' is uint32, and 0.5 is not whole", {outs = "uint32 y", identity = 0.5})
    refuses("parameter 'identity' is int64, and inf does not fit", {outs = "int64 y", identity = math.huge})
    refuses("identity is a complex number, and states are float32", {outs = "float y", identity = 2i})
  end)
end)

describe("a kernel that folds, as an object,", function()
  it("shows itself", function()
    local k = cn.ReductionKernel("T x,\n  raw U w", "T y", "x * w[i]", "a + b", "y = a", "0", "weigh")
    assert.equal("<ReductionKernel weigh(T x, raw U w) -> (T y)>", tostring(k))
    assert.same({"weigh", "T x, raw U w", "T y", "x * w[i]", "a + b", "y = a", "0"},
      {k.name, k.in_params, k.out_params, k.map_expr, k.reduce_expr, k.post_map_expr, k.identity})
    k = cn.ScanKernel("T x", "T y", "x", "a + b", "y = a", 0, {exclusive = true})
    assert.equal("<ScanKernel scan_kernel(T x) -> (T y)>", tostring(k))
    assert.same({"a + b", 0, true, false}, {k.scan_expr, k.identity, k.exclusive, k.reverse})
  end)

  it("has no other fields", function()
    local k = reduction {}
    raises("a kernel has no field 'operation'; known are identity, in_params, map_expr, name, out_params", function()
      return (k.operation)
    end)
    raises("a kernel has no field 'reduce_exp'; did you mean 'reduce_expr'?", function() return (k.reduce_exp) end)
    raises("a kernel's fields cannot be changed: 'identity'", function() k.identity = 1 end)
  end)
end)

devices.each_device(function()
  it("a compiler's words name the text and its line", function()
    local x = cn.ones(3)
    local big = {reduce_type = "big", preamble = "struct big { double all[5]; };"}
    for place, fields in pairs {
      ["map_expr of f line 2: [^\n]*wibble"] = {map = "\nwibble(x)"},
      ["reduce_expr of f line 2: [^\n]*wibble"] = {combine = "a + b +\nwibble(a)"},
      ["post_map_expr of f line 3: [^\n]*wibble"] = {post = "y = a;\n\nwibble(a)"},
      ["identity of f line 2: [^\n]*wibble"] = {identity = "\nwibble"},
      ["preamble of f line 2: "] = {options = {preamble = "\nwibble;", options = {"-DN=1"}}},
      ["reduce_type of f line 1: [^\n]*a state has at most 32 bytes"] = {map = "big()", post = "y = a.all[0]",
        identity = "big()", combine = "a", options = big},
      ["reduce_type of f line 1: "] = {map = "one(x)", post = "y = a.x", identity = "one(0)", combine = "a",
        options = {reduce_type = "one", preamble = "struct one { double x; CUNA_DEVICE one(double a) : x(a) {} };"}},
    } do
      local ok, message = pcall(function() return (reduction(fields)(x)) end)
      assert.is_false(ok, place)
      assert.has.match("fold_kernel_text_spec.lua:%d+: cuna: CompileError: cuna_f_float64_[^\n]*" .. place, message)
      os.remove(message:match "whole source: (%S+)")
    end
  end)

  it("texts may have names of the kernel's own", function()
    local x = cn.array {1, 2, 3}
    for _, macro in ipairs {"V 2", "State 2", "j 2", "k 3", "identity 2", "combine(a, b) 7", "lift(a) 7", "count 2",
      "merge 3", "args 2"} do
      assert.equal(6, reduction {options = {preamble = "#define " .. macro .. "\n"}} (x):item(), macro)
    end
    local k = reduction {map = "State(x)", combine = "combine(a, b)", post = "Program p; y = write(a) + p.text",
      options = {preamble = [[
        typedef double State;
        struct Program { int text; CUNA_DEVICE Program() : text(1) {} };
        CUNA_DEVICE double combine(double a, double b) { return a + b; }
        CUNA_DEVICE double write(double a) { return a; }
        CUNA_DEVICE int fold_rows() { return 0; }
        CUNA_DEVICE int load(int) { return 0; }]]}}
    assert.equal(7, k(x):item())
    assert.equal(9, reduction {ins = "T words, raw T Raw", outs = "T Fold", map = "words + Raw[i]", post = "Fold = a"}(
      x, cn.ones(3)):item())
  end)

  it("texts have macros of their own also where kernels are compiled in one go", function()
    local x = cn.ones(4)
    local one = reduction {map = "x + SHIFT", options = {preamble = "#define SHIFT 2\n#define sqrt(x) 3\n"}}
    local two = reduction {map = "T(sqrt(x))", post = "T SHIFT = 5; y = a + SHIFT"}
    cn.prepare(function()
      one(x)
      two(x)
    end)
    assert.same({12, 9}, {one(x):item(), two(x):item()})
  end)
end)

-- ---- texts made by chance ----

local function pick(list) return list[math.random(#list)] end

--- Runs fn with numbers that are the same ones every time.
local function with_seed(seed, fn)
  local next_seed = math.random(2 ^ 31)
  math.randomseed(seed)
  fn()
  math.randomseed(next_seed)
end

it("texts made by chance are taken, or refused in one line", function()
  local pieces = {"x", "y", "a", "b", "i", "n", "T", "+", "*", "(", ")", "{", "}", "[", "]", ";", ",", "=", "return",
    "0", "1.5f", "\"", "'", "//", "/*", "*/", "\n", "#", "\\", "\0", "\255", ".", "->", "::", "<", "?", ":", "max", "w"}
  local params = {"T x", "raw T w", "float *p", "int n", "U", "a b", "T a", ",", " ", "const float *q", "x", "T T"}
  local function soup(words, count, between)
    local text = {}
    for k = 1, math.random(0, count) do text[k] = pick(words) end
    return table.concat(text, between)
  end
  with_seed(7, function()
    local taken = 0
    for round = 1, 6000 do
      local make = round % 2 == 0 and cn.ReductionKernel or cn.ScanKernel
      local chance = math.random(4)
      local texts = {"x", "a + b", "y = a"}
      if chance < 4 then texts[chance] = soup(pieces, 7, pick {" ", ""}) end
      local ins, outs = chance == 4 and soup(params, 4, ",") or "T x", chance == 4 and soup(params, 2, ",") or "T y"
      local ok, message = pcall(function()
        return (make(ins, outs, texts[1], texts[2], texts[3], pick {0, "0", 1.5, soup(pieces, 3, " ")}, "f"))
      end)
      taken = taken + (ok and 1 or 0)
      assert(ok or message:find "^[^\n]*fold_kernel_text_spec.lua:%d+: cuna: f: [^\n]+$", tostring(message))
    end
    assert.is_true(taken > 300, taken)
  end)
end)

-- Parameters made by chance: text of the type, dtype of arrays given for it (nil: the placeholder's).
local TYPES = {{"T"}, {"U"}, {"float32", "float32"}, {"double", "float64"}, {"unsigned  int", "uint32"},
  {"long long", "int64"}, {"int16", "int16"}}

--- A parameter: its text, what the map adds of it, and small whole numbers for it.
local function draw_param(k, letters, count)
  local kind, name = pick(TYPES), ("p%d"):format(k)
  local dtype = kind[2] or letters[kind[1]]
  local is_raw = k > 1 and math.random() < 0.4
  local text = pick(is_raw and {"raw %s %s", "const %s *%s", "raw\n%s  %s"} or {"%s %s", " const %s\t%s ", "%s\n%s"})
  local values = {}
  for j = 1, count do values[j] = math.random(0, 9) end
  local factor = math.random(1, 5)
  return {text = text:format(kind[1], name), dtype = dtype, values = values, factor = factor,
    term = ("%d * double(%s)"):format(factor, is_raw and name .. "[i]" or name)}
end

devices.each_device(function()
  it("parameters made by chance fold what they say", function()
    with_seed(11, function()
      for _ = 1, 6 do
        local count, nparams = math.random(1, 40), math.random(1, 5)
        local letters = {T = pick {"int32", "float32", "uint8"}, U = pick {"float64", "float16", "int64"}}
        local texts, terms, arrays, expected = {}, {}, {}, 0
        for k = 1, nparams do
          local param = draw_param(k, letters, count)
          texts[k], terms[k], arrays[k] = param.text, param.term, cn.array(param.values, param.dtype)
          for _, v in ipairs(param.values) do expected = expected + param.factor * v end
        end
        local k = cn.ReductionKernel(table.concat(texts, ","), pick {"double y", "float64 y", " double\ny"},
          table.concat(terms, " + "), "a + b", "y = a", 0, "chance")
        assert.equal(expected, k(unpack(arrays)):item(), k.in_params)
      end
    end)
  end)
end)
