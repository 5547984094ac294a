--- The linker of the suite's kernels (spec/support/compile_link.c), over one that notes its words; and the names that
--- it links with (link_names.sh), over the system's.
local process = require "spec.support.process"

-- Fails where the object asks for more than the short lists have, and for more than anything has.
local LINKER = [[#!/bin/sh
echo "$*" >>"${0%/*}/calls"
case $*:$(cat object) in *names*:more) echo "not found" >&2; exit 1 ;; *:wrong) echo "an error" >&2; exit 3 ;; esac
]]

describe("compile_link", function()
  local folder

  setup(function()
    folder = process.folder()
    local text, status = process.shell(([[
      mkdir %s/once %s/below &&
      SOURCES="$(for part in link find hash door; do echo spec/support/compile_$part.c; done)" &&
      cc -std=gnu11 -o %s/once/ld $SOURCES
    ]]):gsub("%%s", process.quote(folder)))
    assert(status == 0, text)
    process.write(folder .. "/below/ld", LINKER)
    os.execute("chmod +x " .. process.quote(folder .. "/below/ld"))
  end)

  teardown(function() process.remove(folder) end)

  --- Links an object of this text; status, messages and the calls of the linker below.
  local function link(text, words)
    process.write(folder .. "/below/calls", "")
    process.write(folder .. "/object", text)
    local output, status = process.shell(([[cd %s && PATH="$PWD/once:$PWD/below:$PATH" && ld %s]]):format(
      process.quote(folder), words))
    return status, output, (process.read(folder .. "/below/calls"):gsub(folder, "FOLDER"))
  end

  it("links a kernel with short lists of names, without what optimises it", function()
    assert.same({0, "", "-LFOLDER/once/names -shared -o image~ object -lm\n"},
      {link("kernel", "-plugin /x/lto.so -plugin-opt=/x/lto -shared -o image~ object -lm")})
  end)

  it("links a kernel that needs more with the system's names", function()
    assert.same({0, "", "-LFOLDER/once/names -o image~ object\n-o image~ object\n"}, {link("more", "-o image~ object")})
  end)

  it("fails as the linker does", function()
    assert.same({3, "an error\n", "-LFOLDER/once/names -o image~ object\n-o image~ object\n"},
      {link("wrong", "-o image~ object")})
  end)

  it("hands other calls on", function()
    for _, words in ipairs {"-plugin x -o library object", "--version", "-o"} do
      assert.same({0, "", words .. "\n"}, {link("kernel", words)})
    end
  end)

  it("starts once for several kernels", function()
    process.shell(("mkdir %s/more %s/once/kept"):gsub("%%s", process.quote(folder)))
    process.write(folder .. "/more/ld", '#!/bin/sh\necho "$*" >>"${0%/*}/calls"\nexec ' .. process.shell "command -v ld"
      :gsub("\n", "") .. ' "$@"\n')
    local text, status = process.shell(([[
      cc -std=gnu11 -shared -fPIC -o %s/once/ahead.so spec/support/compile_ahead.c -ldl && cd %s &&
      chmod +x more/ld && export PATH="$PWD/once:$PWD/more:$PATH" &&
      for i in 1 2 3; do
        mkdir $i && cd $i && echo "int kernel$i(void) { return $i; }" | cc -x c -fPIC -c -o object~ - &&
        ld -shared -o image~ object~ && test -x image~ && nm -D image~ | grep -o 'kernel[0-9]' && cd .. || exit 1
      done
      wc -l <more/calls
    ]]):gsub("%%s", process.quote(folder)))
    assert.same({"kernel1\nkernel2\nkernel3\n1\n", 0}, {text, status})
  end)

  it("has names that give a kernel what the system's libraries give it", function()
    process.write(folder .. "/kernel.c", [[
      double exp(double); float fmodf(float, float); void *memcpy(void *, const void *, unsigned long);
      __thread int own;
      int *kernel(double *a, float *b) { memcpy(a, b, own = *a); *a = exp(*a); *b = fmodf(*b, 2); return &own; }
    ]])
    local text, status = process.shell(([[
      archive=$(ls build/lib/cuna/libcuna_lanes_*.a | head -n 1) && spec/support/link_names.sh %s/names "$archive" &&
      cd %s && cc -O0 -fPIC -c kernel.c && for place in names none; do
        ld -L%s/$place -shared -z defs --as-needed -o $place.so kernel.o -lmvec -lm -l:libgcc_s.so.1 -lc &&
        { objdump -p $place.so | grep NEEDED; objdump -T $place.so | sed -n 's/.*UND\*[ \t]*0*//p' | sort; } \
          >$place.txt || exit 1
      done && cmp names.txt none.txt && cat names.txt
    ]]):gsub("%%s", process.quote(folder)):gsub("build/", process.build .. "/"))
    assert.equal(0, status, text)
    for _, name in ipairs {"libm%.so", "libc%.so", "exp", "fmodf", "memcpy"} do assert.truthy(text:find(name), text) end
  end)
end)
