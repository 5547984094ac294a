-- Whether the loops of kernels become vectors on the cpu device: g++ says which it has made so.
local process = require "spec.support.process"

-- What is computed, and what the loop does whose time is the kernel's.
local ELEMENTS, FOLDS = "p.element(j);", "lanes.template add<P>(l, p.lift(j + l, position + j + l));"
local CASES = {
  {"cn.where(m, cn.tanh(x), y)", ELEMENTS},
  {"cn.where(cn.abs(z):lt(2), z * z + 1, z)", ELEMENTS},
  {"cn.maximum(cn.maximum(x, y), x) * y", ELEMENTS},
  {"cn.sign(cn.nan_to_num(x / y)) * y", ELEMENTS},
  {"cn.nextafter(cn.nextafter(x, y), x) * y", ELEMENTS},
  {"cn.special.xlogy(cn.special.entr(x), y) * x", ELEMENTS},
  {"cn.special.gamma(d) + cn.special.gammaln(d)", ELEMENTS},
  {"cn.special.erfinv(d - 1) * cn.special.digamma(d)", ELEMENTS},
  {"x - cn.max(cn.maximum(x, y), {axis = 2, keepdims = true})", FOLDS},
  {"d - cn.max(cn.exp(d), {axis = 2, keepdims = true})", FOLDS},
  {"x[{ {}, {1, -1, 3} }] ^ 0.45", ELEMENTS}, -- a function of a narrow vector costs as much as of the widest
}

local SCRIPT = [[
local cn = require "cuna"
local x = cn.evaluate(cn.linspace(0.5, 2, 65536):astype "float32":reshape(64, 1024))
local y = cn.evaluate(cn.flip(x):copy())
local m, z, d = cn.evaluate(x:lt(1), x + y * 1i, x:astype "float64")
local function name(case)
  local file = io.open("FOLDER/case", "w")
  file:write(case)
  file:close()
end
]]

-- Keeps the text of the last kernel of a case, and what g++ says of its loops.
local COMPILER = [[
#!/bin/sh
if [ -e FOLDER/case ]; then
  read -r case <FOLDER/case
  for word in "$@"; do
    case $word in cuna_*)
      cp "$word" "FOLDER/$case.text"
      set -- "$@" "-fopt-info-vec-optimized=FOLDER/$case.loops" ;;
    esac
  done
fi
PATH=/usr/bin:/bin exec g++ "$@"
]]

local has_gcc = os.execute("g++ --version >/dev/null 2>&1") == 0

describe("a kernel's loops become vectors:", function()
  local folder

  setup(function()
    folder = process.folder()
    process.write(folder .. "/cxx", (COMPILER:gsub("FOLDER", folder)))
    process.shell("chmod +x " .. folder .. "/cxx")
    local lines = {(SCRIPT:gsub("FOLDER", folder))}
    for case, row in ipairs(CASES) do lines[#lines + 1] = ("name(%d)\ncn.evaluate(%s)"):format(case, row[1]) end
    process.must_run(table.concat(lines, "\n"), {CUNA_DEVICE = "cpu", CUNA_CACHE_DIR = "off", CUNA_PACK_DIR = "off",
      CUNA_COMPILE = "wait", CUNA_CXX = folder .. "/cxx", CUNA_CPU_FLAGS = false, CUNA_EAGER = false})
  end)

  teardown(function() process.remove(folder) end)

  --- How many bytes the vectors have that g++ says it made of a case's loop over a statement; nil: it made none.
  local function width(case, statement)
    local at, number = ("%s/%d"):format(folder, case), 0
    local loops = process.read(at .. ".loops")
    for line in process.read(at .. ".text"):gmatch "([^\n]*)\n" do
      number = number + 1
      for _, place in ipairs(line:find(statement, 1, true) and {number - 1, number} or {}) do
        local found = loops:match((":%d:%%d+: optimized: loop vectorized using (%%d+) byte"):format(place))
        if found then return tonumber(found) end
      end
    end
  end

  for case, row in ipairs(CASES) do
    (has_gcc and it or pending)(row[1], function()
      assert.equal(width(1, ELEMENTS), assert.is_number(width(case, row[2])))
    end)
  end
end)
