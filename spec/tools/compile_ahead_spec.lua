--- The compiler of the suite that reads the beginning of a text once for many kernels (spec/support/compile_ahead.c,
--- compile_request.c, compile_split.c), over one that copies its text and what it includes at the end.
local process = require "spec.support.process"

-- Notes each start; a text with "wrong" in it fails.
local COMPILER = [[
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char text[1 << 16];
static size_t size;
static void append(const char *path) {
  int file = open(path, O_RDONLY);
  ssize_t n = pread(file, text + size, sizeof text - size - 1, 0);
  if (n > 0) size += n;
  close(file);
}
int main(int count, char **words) {
  char calls[4096];
  snprintf(calls, sizeof calls, "%.*s/calls", (int)(strrchr(words[0], '/') - words[0]), words[0]);
  FILE *file = fopen(calls, "a");
  fprintf(file, "%s\n", words[count - 3]);
  fclose(file);
  int out = open("out.fresh", O_RDWR | O_CREAT, 0666);
  append(words[count - 3]);
  char *include = strstr(text, "#include \"rest~\"\n");
  if (include) { size = include - text; append("rest~"); }
  if (strstr(text, "wrong")) { fputs("an error\n", stderr); unlink("out.fresh"); return 3; }
  if (write(out, text, size) < 0) return 4;
  return rename("out.fresh", words[count - 1]) != 0;
}
]]

local LINKER = [[#!/bin/sh
echo "$*" >>"${0%/*}/../below/calls"
while [ $# -gt 1 ]; do case $1 in -o) shift; to=$1 ;; esac; shift; done
if grep -q unknown object~; then exit 1; fi
cat object~ >"$to"
]]

local HEAD = 'int head;\n/* ---- a kernel\'s own text ---- */\n'

describe("compile_ahead", function()
  local folder, number = nil, 0

  setup(function()
    folder = process.folder()
    process.write(folder .. "/compiler.c", COMPILER)
    local text, status = process.shell(([[
      SOURCES="$(for part in once request split find hash door gcc; do echo spec/support/compile_$part.c; done)"
      mkdir %s/once %s/below &&
      cc -std=gnu11 -o %s/once/clang++ $SOURCES &&
      cc -std=gnu11 -shared -fPIC -o %s/once/ahead.so spec/support/compile_ahead.c -ldl &&
      cc -o %s/below/clang++ %s/compiler.c &&
      cp %s/once/clang++ %s/once/g++ && cp %s/below/clang++ %s/below/g++
    ]]):gsub("%%s", process.quote(folder)))
    assert(status == 0, text)
    process.write(folder .. "/once/ld", LINKER)
    os.execute("chmod +x " .. process.quote(folder .. "/once/ld"))
  end)

  teardown(function() process.remove(folder) end)

  before_each(function()
    process.shell(("cd %s && rm -rf once/kept below/calls && mkdir once/kept"):format(process.quote(folder)))
  end)

  --- Compiles a text in a folder of its own. The status, and what was made.
  local function compile(text, before, compiler, options)
    number = number + 1
    local own = ("%s/%d"):format(folder, number)
    os.execute("mkdir " .. process.quote(own))
    process.write(own .. "/text", text)
    local _, status = process.shell(([[
      cd %s && export PATH="%s/once:%s/below:$PATH" && %s sh -c '%s -w %s text -o out 2>log; exit $?'
    ]]):format(process.quote(own), folder, folder, before or "", compiler or "clang++", options or ""))
    local file = io.open(own .. "/out", "rb")
    local made = file and file:read "*a"
    if file then file:close() end
    return status, made, process.read(own .. "/log")
  end

  local function calls() return process.read(folder .. "/below/calls") end

  it("reads once what several texts begin with", function()
    for i = 1, 5 do
      local status, made = compile(HEAD .. "int x" .. i .. ";")
      assert.equal(0, status)
      assert.equal(HEAD .. "int x" .. i .. ";", made)
    end
    assert.equal("head.cc\n", calls())
  end)

  it("has another compiler for another beginning, and none for a text without a mark", function()
    assert.same({0, HEAD .. "int x;", ""}, {compile(HEAD .. "int x;")})
    assert.same({0, "int y;" .. HEAD, ""}, {compile("int y;" .. HEAD)})
    assert.same({0, "int z;", ""}, {compile "int z;"})
    assert.equal("head.cc\nhead.cc\ntext\n", calls())
  end)

  it("has another compiler for calls in the background", function()
    for _, before in ipairs {"nice", "", "nice", ""} do
      assert.same({0, HEAD .. "int x" .. number .. ";", ""}, {compile(HEAD .. "int x" .. number .. ";", before)})
    end
    assert.equal("head.cc\nhead.cc\n", calls())
  end)

  it("compiles again, for its messages, what failed", function()
    assert.same({3, nil, "an error\n"}, {compile(HEAD .. "wrong")})
    assert.same({0, HEAD .. "int x;", ""}, {compile(HEAD .. "int x;")})
    assert.equal("head.cc\ntext\n", calls())
  end)

  it("begins with another compiler after one has ended", function()
    compile(HEAD .. "int x;")
    process.shell(("rm %s/once/kept/ahead.*/door"):format(process.quote(folder)))
    assert.same({0, HEAD .. "int y;", ""}, {compile(HEAD .. "int y;")})
    assert.equal("head.cc\nhead.cc\n", calls())
  end)

  it("has the texts of units without a mark, and links a library by the linker", function()
    local unit = "int head;\nnamespace cuna {\nnamespace k0 {\n"
    for _, own in ipairs {"int x;", "int y;"} do
      assert.same({0, unit .. own, ""}, {compile(unit .. own, nil, nil, "-shared -pipe -Wl,-z,defs -lm lanes.a")})
    end
    local link = "-shared object~ -z defs -lm lanes.a -o out\n"
    assert.equal("head.cc\n" .. link .. link, calls())
  end)

  it("has the texts of raw kernels, unless they include headers", function()
    local head = "int head;\n"
    for _, own in ipairs {"int x;", "int y;", "#include <x>"} do
      local text = head .. '#line 1 "raw"\n' .. own
      assert.same({0, text, ""}, {compile(text)})
    end
    assert.equal("head.cc\ntext\n", calls())
  end)

  it("leaves a library to the compiler that does not compile, or is not linked", function()
    assert.same({3, nil, "an error\n"}, {compile(HEAD .. "wrong", nil, nil, "-shared")})
    assert.same({0, HEAD .. "unknown", ""}, {compile(HEAD .. "unknown", nil, nil, "-shared")})
    assert.equal("head.cc\ntext\n-shared object~ -o out\ntext\n", calls())
  end)

  it("is not asked by processes that have limits or preload something", function()
    for _, before in ipairs {"LD_PRELOAD=libc.so.6", "ulimit -f 100000;", "ulimit -v 8000000;"} do
      assert.same({0, HEAD .. "int x" .. number .. ";", ""}, {compile(HEAD .. "int x" .. number .. ";", before)})
    end
    assert.equal("text\ntext\ntext\n", calls())
  end)

  it("is what g++ starts, where that makes a library", function()
    assert.same({0, HEAD .. "int x;", ""}, {compile(HEAD .. "int x;", nil, "g++")})
    assert.equal("text\n", calls())
    -- Of what g++ says of itself one line is make's, with jobs that g++ cannot have.
    local system = ([[env PATH=%s MAKEFLAGS="-j2 --jobserver-auth=88,89 -- A=a\\ b"]]):format(
      process.quote(folder .. "/once:/usr/bin:/bin"))
    for _, name in ipairs {"first", "second"} do
      local status, made, log = compile(('%sint %s() { return RETURNED; }'):format(HEAD, name), system, "g++",
        "-O0 -fPIC -DRETURNED=3 -shared -nostdlib -x c++")
      assert.same({0, ""}, {status, log})
      assert.truthy(made:find "^\127ELF" and made:find(name, 1, true))
    end
    local kept = process.shell(("ls %s/once/kept | sed 's/[.].*//' | sort | uniq -c"):format(process.quote(folder)))
    assert.has.match("1 ahead\n.*1 words\n", kept)
    assert.has.match("^text\n%-shared object~ %-o out\n%-shared object~ %-o out\n$", calls())
    local status, _, log = compile(HEAD .. "wrong", system, "g++", "-shared -x c++")
    assert.equal(1, status)
    assert.has.match("wrong", log)
  end)
end)
