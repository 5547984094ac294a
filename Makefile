# Builds, tests and installs cuna. `make help` lists the targets.

PREFIX      = /usr/local
BUILD       = build
SCRIPT      = examples/iris.lua
ARGS        =
BUSTEDFLAGS =
BENCHFLAGS  =

CFLAGS   = -O2 -g
CXXFLAGS = -O2
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wpointer-arith
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

PACKAGES      = luajit libluajit-5.1-dev lua-busted g++ make pkg-config libmd-dev libopenblas-dev
LINT_PACKAGES = lua-check clang-format

# ---- nothing to change below this line ----

MAKEFLAGS += --no-builtin-rules

LUA_DIR = $(DESTDIR)$(PREFIX)/share/lua/5.1/cuna
LIB_DIR = $(DESTDIR)$(PREFIX)/lib/lua/5.1/cuna

# One archive of vector mathematics per instruction set that a kernel may be compiled for.
LANES_x86_64   = avx512 avx2 sse2
LANES          = $(or $(LANES_$(shell uname -m)),generic)
LANES_avx512   = -DCUNA_LANES_BYTES=64 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mprefer-vector-width=512
LANES_avx2     = -DCUNA_LANES_BYTES=32 -mavx2 -mfma
LANES_sse2     = -DCUNA_LANES_BYTES=16
# glibc before 2.35 lacks most vector functions.
LANES_LIBM     = $(shell printf '%s\n' 2.35 "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -CV || \
                   echo -DCUNA_LANES_LIBM)

CORE     = $(BUILD)/lib/cuna/core.so
ARCHIVES = $(LANES:%=$(BUILD)/lib/cuna/libcuna_lanes_%.a)
LAUNCHER = $(BUILD)/cuna

SOURCES  = $(wildcard runtime/*.c bindings/*.c)
TEXTS    = $(wildcard kernels/*.h kernels/*.cuh)
OBJECTS  = $(SOURCES:%.c=$(BUILD)/obj/%.o) $(TEXTS:kernels/%=$(BUILD)/text/%.o)
LUA      = $(shell find lua -name '*.lua')

# pkg-config is asked inside recipes only, after `deps` may have installed it.
LUA_CFLAGS = $(shell pkg-config --cflags luajit)
# Short loops over axes stay loops: calls of memcpy cost more than they do.
COMPILE    = $(CC) -std=gnu11 $(WARNINGS) -fPIC -fvisibility=hidden -fno-tree-loop-distribute-patterns -Iruntime $(CPPFLAGS) $(CFLAGS)
# The flags that kernels themselves are compiled with: a value must not depend on how it was computed.
COMPILE_LANES = $(CXX) -std=c++14 -Wall -Wextra -Wno-psabi -fPIC -ffunction-sections -fno-math-errno \
                -fno-trapping-math -ffp-contract=off -fno-exceptions -fno-rtti $(CXXFLAGS)
LINK       = -shared -Wl,-z,nodelete -Wl,--exclude-libs,ALL $(LDFLAGS)
LIBS       = -l:libmd.a -ldl -lpthread -lm

.PHONY: all run test lint format bench install uninstall clean help asan deps check-tools FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(CORE) $(ARCHIVES) $(LAUNCHER) ## Build the module, the vector archives and the launcher into build/

$(CORE): $(OBJECTS) | $(BUILD)/lib/cuna
	$(CC) $(CFLAGS) $(LINK) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) $(LUA_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/text/%.o: $(BUILD)/text/%.c
	$(CC) -fPIC -fvisibility=hidden $(CFLAGS) -c -o $@ $<

# A kernel text as a C string: kernels/scalar.cuh becomes `const char cuna__text_scalar[]`.
$(BUILD)/text/%.c: kernels/% $(BUILD)/flags
	@mkdir -p $(@D)
	@{ echo 'const char cuna__text_$(subst .,_,$(subst -,_,$(basename $*)))[] ='; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $<; echo ';'; } >$@

$(BUILD)/lib/cuna/libcuna_lanes_%.a: $(BUILD)/obj/lanes_%.o | $(BUILD)/lib/cuna
	@rm -f $@
	$(AR) rcs $@ $<

$(BUILD)/obj/lanes_%.o: kernels/lanes_cpu.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE_LANES) $(LANES_$*) $(LANES_LIBM) -MMD -MP -c -o $@ $<

$(BUILD)/lib/cuna:
	@mkdir -p $@

# Changes when the compilers or their flags do, and everything built with it.
$(BUILD)/flags: Makefile FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(LINK) $(COMPILE_LANES)' | cmp -s - $@ || echo '$(COMPILE) $(LINK) $(COMPILE_LANES)' >$@

define LAUNCHER_TEXT
#!/bin/sh
# Runs a script, or a prompt when there is none, with this tree's cuna: no installation needed.
here=$$(dirname "$$(readlink -f "$$0")")
root=$$here/$(shell realpath -m --relative-to=$(BUILD) .)
export LUA_PATH="$$root/lua/?.lua;$$root/lua/?/init.lua;$${LUA_PATH:-;}"
export LUA_CPATH="$$here/lib/?.so;$${LUA_CPATH:-;}"
[ $$# -gt 0 ] || set -- "$$root/lua/cuna/repl.lua"
exec luajit "$$@"
endef

$(LAUNCHER): Makefile | $(BUILD)/lib/cuna
	$(file >$@,$(LAUNCHER_TEXT))
	@chmod +x $@

run: deps ## Run SCRIPT (default examples/iris.lua) with ARGS
	@$(MAKE) --no-print-directory all
	@$(LAUNCHER) $(SCRIPT) $(ARGS)

test: deps ## Run the specs (BUSTEDFLAGS="--filter=..." for a part); kernels at -O1, which compiles in half the time
	@$(MAKE) --no-print-directory all
	CUNA_CPU_FLAGS="$${CUNA_CPU_FLAGS--O1}" busted $(BUSTEDFLAGS)

# Kernels are checked too. LuaJIT takes its memory from mmap, which the leak checker neither watches nor searches: what
# is still held by a Lua object when a state ends without lua_close (os.exit) would count as lost.
asan: deps ## Run the specs on a build with AddressSanitizer, LeakSanitizer and UBSan
	@$(MAKE) --no-print-directory all BUILD=build/asan CC=gcc CFLAGS="-O1 -g $(SANITIZE)"
	CUNA_BUILD=build/asan CUNA_CACHE_DIR=$(CURDIR)/build/asan/cache CUNA_CPU_FLAGS="-O1 $(SANITIZE) -lasan -lubsan" \
	  ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" busted $(BUSTEDFLAGS)

bench: deps ## Time cuna and NumPy side by side (BENCHFLAGS="--only sum")
	@$(MAKE) --no-print-directory all $(BUILD)/stream
	@luajit bench/run.lua --build $(BUILD) $(BENCHFLAGS)

$(BUILD)/stream: bench/stream.c | $(BUILD)/lib/cuna
	$(CC) -O3 -march=native -Wall -Wextra -o $@ $< -lpthread

lint: ## Check Lua with luacheck, C with -Werror and, where clang-format is installed, its layout
	@command -v luacheck >/dev/null || { echo "lint needs luacheck: install $(LINT_PACKAGES)" >&2; exit 1; }
	luacheck -q lua spec bench examples .busted
	@set -e; for source in $(SOURCES); do $(COMPILE) $(LUA_CFLAGS) -Werror -fsyntax-only $$source; done
	@! command -v clang-format >/dev/null || clang-format --dry-run --Werror $(wildcard runtime/*.[ch] bindings/*.[ch])

format: ## Lay the C files out with clang-format
	clang-format -i $(wildcard runtime/*.[ch] bindings/*.[ch])

install: all ## Install under PREFIX (default /usr/local); DESTDIR is honoured
	install -d "$(LIB_DIR)"
	install -m 755 $(CORE) "$(LIB_DIR)"
	install -m 644 $(ARCHIVES) "$(LIB_DIR)"
	for file in $(LUA:lua/cuna/%=%); do install -D -m 644 "lua/cuna/$$file" "$(LUA_DIR)/$$file"; done

uninstall: ## Remove what install put under PREFIX
	rm -rf "$(LUA_DIR)" "$(LIB_DIR)"

clean: ## Remove everything built
	rm -rf $(BUILD)

# Sets `missing` to the packages whose tool, header or library is not there.
define FIND_MISSING
missing=; \
need() { package=$$1; shift; "$$@" >/dev/null 2>&1 || missing="$$missing $$package"; }; \
library() { case $$($(CC) -print-file-name=$$1) in */*) ;; *) return 1 ;; esac; }; \
need luajit command -v luajit; need lua-busted command -v busted; need g++ command -v $(CXX); \
need pkg-config command -v pkg-config; need libluajit-5.1-dev pkg-config --exists luajit; \
need libmd-dev library libmd.a; need libopenblas-dev library libopenblas.so
endef

deps: ## Install missing packages by apt-get; quick when nothing is missing (skip with -o deps)
	@$(FIND_MISSING); [ -n "$$missing" ] || exit 0; \
	if ! command -v apt-get >/dev/null; then \
	  echo "cuna needs, under their Debian names:$$missing. There is no apt-get here: install them yourself" \
	    "(make -o deps ... skips this check)." >&2; exit 1; fi; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	$$sudo true || { echo "cuna needs$$missing: run apt-get install as root" >&2; exit 1; }; \
	echo "installing$$missing"; \
	{ $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq $$missing; } </dev/null

check-tools: ## Say which packages are missing, and install nothing
	@$(FIND_MISSING); [ -z "$$missing" ] || { echo "missing:$$missing" >&2; exit 1; }; echo "all tools are here"

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

-include $(wildcard $(BUILD)/obj/*.d $(BUILD)/obj/*/*.d)
