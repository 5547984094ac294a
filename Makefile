# Builds, tests and installs cuna. `make help` lists the targets.

PREFIX      = /usr/local
BUILD       = build$(CROSS:%-=/%)
SCRIPT      = examples/iris.lua
ARGS        =
BUSTEDFLAGS =
BENCHFLAGS  =
GPU         = simulated
CUDA        = /usr/local/cuda
PACK_ARCHS  =
CROSS       =

CFLAGS   = -O2 -g1
CXXFLAGS = -O2
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wpointer-arith
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

PACKAGES      = luajit libluajit-5.1-dev lua-busted g++ make pkg-config libmd-dev zlib1g-dev libopenblas-dev \
                libfftw3-double3 libfftw3-single3
LINT_PACKAGES = lua-check clang-format

# ---- nothing to change below this line ----

MAKEFLAGS += --no-builtin-rules
# All processors, where the user gives no -j.
ifeq ($(MAKELEVEL)$(filter -j% j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# The prefix of the tools that build for another machine, as in docs/guides/installing.md: CROSS=aarch64-linux-gnu-
STRIP   = $(CROSS)strip
OBJDUMP = $(CROSS)objdump
.DEFAULT_GOAL = all
ifneq ($(CROSS),)
include package/cross.mk
endif
MACHINE := $(or $(firstword $(subst -, ,$(CROSS) $(shell $(CC) -dumpmachine 2>/dev/null))),$(shell uname -m))

# Of the C interface: programs built for one run with every library of the same.
SONAME = libcuna.so.0

# One archive of vector mathematics per instruction set that a kernel may be compiled for.
LANES_x86_64   = avx512 avx2 sse2
LANES          = $(or $(LANES_$(MACHINE)),generic)
LANES_avx512   = -DCUNA_LANES_BYTES=64 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mprefer-vector-width=512
LANES_avx2     = -DCUNA_LANES_BYTES=32 -mavx2 -mfma
LANES_sse2     = -DCUNA_LANES_BYTES=16
# Loops that the cpu device interprets programs with, for the processor that builds. Packagers give
# LOOPS="avx512 avx2 sse2".
LOOPS          = $(shell $(CXX) -march=native -dM -E -x c++ /dev/null 2>/dev/null | awk '/__AVX512BW__/ {wide = 1} \
                   /__AVX2__/ {half = 1} /__x86_64__/ {own = 1} \
                   END {print wide ? "avx512" : half ? "avx2" : own ? "sse2" : "generic"}')
INTERPRETER    = $(wildcard kernels/*.hh)
LOOP_PARTS     = memory folds1 folds2 kernels images abreast scans samplers draws steps1 steps2 steps3 steps4 special table
# glibc before 2.35 lacks most vector functions.
LANES_LIBM     = $(shell printf '%s\n' 2.35 "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -CV || \
                   echo -DCUNA_LANES_LIBM)

CORE     = $(BUILD)/lib/cuna/core.so
ARCHIVES = $(LANES:%=$(BUILD)/lib/cuna/libcuna_lanes_%.a)
LIBRARIES = $(LOOPS:%=$(BUILD)/lib/cuna/libcuna_loops_%.so)
LAUNCHER = $(BUILD)/cuna
PACK     = $(BUILD)/lib/cuna/pack

# Compilers that compile nothing twice while the suite runs, and a linker of kernels, under the names of those they run.
ONCE           = $(addprefix $(BUILD)/once/,g++ clang++ ahead.so ld names/libc.so)
# They start once for each kernel: the loader's work would be a third of theirs.
STATIC         = $(if $(findstring /,$(shell $(CC) -print-file-name=libc.a)),-static)

# The simulated GPU: libraries under CUDA's names, made from the cpu device, for specs only.
SIMGPU         = $(BUILD)/simgpu/libcuda.so.1
SIMGPU_SOURCES = $(wildcard spec/simgpu/*.c)
SIMGPU_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(SIMGPU_SOURCES) $(SEAM_SOURCES)) \
                 $(patsubst %,$(BUILD)/text/%.o,prelude_cpu.h block_cpu.h prelude_cuda.h services_sim.h block_sim.h \
                   $(RAW_TEXTS)) $(BUILD)/text/version.o
# The cpu device and what is below it: simulated libraries do their work with its tables.
SEAM_SOURCES   = $(wildcard $(addprefix runtime/,base/*.c cache/*.c seam/*.c cpu/*.c cpu/*/*.c))
# The names of the simulated libraries.
SIMGPU_NAMES   = libnvrtc.so.13 libcublas.so.13 libcublasLt.so.13 libcusolver.so.12 libcurand.so.10 libcufft.so.11 \
                 libcufft.so.12 libnccl.so.2
RAW_TEXTS      = $(notdir $(wildcard kernels/raw_*)) scalar.cuh complex.cuh
NVRTC          = $(wildcard $(CUDA)/lib64/libnvrtc.so.13)
CLANG          = $(shell command -v clang++)
# `make test GPU=real` leaves the simulated one out. What the real NVRTC refuses is refused by the simulated one too;
# its kernels are compiled by clang++, which takes half of g++'s time, if that is installed.
TEST_BUILD            = $(BUILD)
TEST_DEVICE_real      =
TEST_DEVICE_simulated = LD_LIBRARY_PATH="$(CURDIR)/$(TEST_BUILD)/simgpu$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
                        $(NVRTC:%=SIMGPU_NVRTC="$${SIMGPU_NVRTC-%}") $(CLANG:%=SIMGPU_CXX="$${SIMGPU_CXX-$(CURDIR)/$(BUILD)/once/clang++}")
TEST_ENVIRONMENT      = CUNA_DEVICE="$${CUNA_DEVICE-cpu}" CUNA_PACK_DIR=off $(TEST_DEVICE_$(GPU))

RUNTIME  = runtime runtime/* runtime/*/*
SOURCES  = $(wildcard $(RUNTIME:%=%/*.c) bindings/*.c)
LAID_OUT = $(wildcard $(RUNTIME:%=%/*.[ch]) bindings/*.[ch] spec/simgpu/*.[ch] examples/*.c)
TEXTS    = $(filter-out kernels/loop_code.h,$(wildcard kernels/*.h kernels/*.cuh))
OBJECTS  = $(SOURCES:%.c=$(BUILD)/obj/%.o) $(BUILD)/text/texts.o $(BUILD)/text/version.o
LUA      = $(shell find lua -name '*.lua')

# pkg-config is asked inside recipes only, after `deps` may have installed it.
LUA_CFLAGS = $(shell pkg-config --cflags luajit)
# Flags that gcc alone knows; each compiler is asked once what it is. Short loops over axes stay loops: calls of memcpy
# cost more than they do. Those of C++ are kernels' (runtime/cpu/compile/compile.c).
is_gcc      = $(shell $(1) -dM -E -x c /dev/null 2>/dev/null | grep -q __clang__ || echo gcc)
OF_GCC_C    = $(eval OF_GCC_C := $$(if $$(call is_gcc,$(CC)),-fno-tree-loop-distribute-patterns))$(OF_GCC_C)
OF_GCC_CXX  = $(eval OF_GCC_CXX := $$(if $$(call is_gcc,$(CXX)),-fno-tree-loop-distribute-patterns -fno-tree-sink))$(OF_GCC_CXX)
COMPILE    = $(CC) -std=gnu11 $(WARNINGS) -fPIC -fvisibility=hidden -fno-semantic-interposition -fsigned-char $(OF_GCC_C) -Iruntime -I. $(CPPFLAGS) $(CFLAGS)
# C that goes through elements. What serves calls is nearly as fast at -O1 where small functions are inline, in three
# quarters of the time. The simulated GPU's lanes are as many calls as elements.
ELEMENTWISE   = $(addprefix runtime/,base/% text/% cpu/execute/% cpu/fft/% cpu/lapack/%) spec/simgpu/team.c
OPTIMISE_call = $(if $(filter-out $(ELEMENTWISE),$<),$(if $(filter -O2,$(CFLAGS)),-O1 $(INLINE_SMALL)))
INLINE_SMALL  = $(if $(OF_GCC_C),-finline-small-functions -findirect-inlining -fpartial-inlining -fstrict-aliasing)
# The flags that kernels themselves are compiled with: a value must not depend on how it was computed.
COMPILE_LANES = $(CXX) -std=c++14 -Wall -Wextra -Wno-psabi -fPIC -ffunction-sections -fno-math-errno \
                -fno-trapping-math -ffp-contract=off -fsigned-char -fno-exceptions -fno-rtti $(CXXFLAGS)
COMPILE_LOOPS = $(CXX) -std=c++14 -w -fPIC -fvisibility=hidden -fno-math-errno -fno-trapping-math -ffp-contract=off -fsigned-char \
                -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -fno-stack-protector \
                $(OF_GCC_CXX) -I.
# Of the parts of loops; table has the walks over all of them. In all but scans, what -O2 adds costs a third of the time and
# gains nothing measurable. In steps and kernels, a plain loop does what a block has beyond its last whole vector: shorter
# vectors, and elements in line, take a quarter of the time to compile.
OPTIMISE_memory   = -O1
OPTIMISE_samplers = -O1
OPTIMISE_draws    = -O1
OPTIMISE_special  = -O1
OPTIMISE_images   = -O1
OPTIMISE_steps    = -O1 -fstrict-aliasing -fno-tree-slp-vectorize $(OPTIMISE_vector) $(if $(OF_GCC_CXX),--param vect-epilogues-nomask=0)
OPTIMISE_kernels  = $(OPTIMISE_steps)
OPTIMISE_abreast  = $(OPTIMISE_steps)
OPTIMISE_folds    = -O1 -fstrict-aliasing $(OPTIMISE_peeled)
OPTIMISE_scans    = -O2 $(OPTIMISE_peeled)
OPTIMISE_table    = $(OPTIMISE_folds)
OPTIMISE_vector   = -ftree-vectorize $(if $(OF_GCC_CXX),-fvect-cost-model=dynamic)
OPTIMISE_peeled   = $(OPTIMISE_vector) $(if $(OF_GCC_CXX),-fpeel-loops)
# Calls between files stay direct, although public functions are exported.
LINK       = -shared -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,-Bsymbolic-functions $(LDFLAGS)
LIBS       = $(call archive,md) $(call archive,z) -ldl -lpthread -lm
# A library's archive, so that cuna runs where the library is not installed; where there is none, the library.
archive    = $(if $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))

.PHONY: all pack run test test-eager deps-test deps-arm64 test-arm64 test-cross lint format bench docs site install install-module uninstall deb tar clean help asan deps check-tools build-tools FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(CORE) $(ARCHIVES) $(LIBRARIES) $(LAUNCHER) ## Build the module, the vector archives and the launcher into build/

$(CORE): $(OBJECTS) | $(BUILD)/lib/cuna
	$(CC) $(CFLAGS) $(LINK) -Wl,-soname,$(SONAME) -o $@ $(OBJECTS) $(LIBS)

# The other names are links: who loads any by name or path has the same library. It compiles with the vector archives
# that lie beside it.
$(SIMGPU): $(SIMGPU_OBJECTS) $(ARCHIVES)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LINK) -Wl,-z,defs -Wl,-soname,$(@F) -o $@ $(SIMGPU_OBJECTS) $(call archive,md) -ldl -lpthread -lm
	@for name in $(SIMGPU_NAMES); do ln -sf $(@F) $(@D)/$$name; done
	@for archive in $(notdir $(ARCHIVES)); do ln -sf ../lib/cuna/$$archive $(@D)/$$archive; done

$(BUILD)/once/g++ $(BUILD)/once/clang++: $(addprefix spec/support/compile_,once.c request.c request.h split.c split.h ahead.h \
  find.c find.h hash.c hash.h door.c door.h gcc.c gcc.h)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) $(STATIC) -o $@ $(filter %.c,$^)

$(BUILD)/once/ahead.so: spec/support/compile_ahead.c spec/support/compile_ahead.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) -fPIC -fvisibility=hidden -shared -o $@ $< -ldl

$(BUILD)/once/ld: $(addprefix spec/support/compile_,link.c find.c find.h door.c door.h hash.c hash.h ahead.h)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) $(STATIC) -o $@ $(filter %.c,$^)

$(BUILD)/once/names/libc.so: spec/support/link_names.sh $(BUILD)/lib/cuna/libcuna_lanes_$(firstword $(LOOPS)).a
	$< $(@D) $(lastword $^)

$(BUILD)/text/%_sim.h.c: spec/simgpu/%_sim.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(MAKE_TEXT)

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) $(OPTIMISE_call) $(LUA_CFLAGS) -MMD -MP -c -o $@ $<

# Identifies the texts that kernels and loops are made from.
$(BUILD)/text/version.c: $(TEXTS) kernels/loop_code.h $(INTERPRETER)
	@mkdir -p $(@D)
	@echo "const char cuna__text_version[] = \"$$(cat $^ | cksum)\";" >$@

$(BUILD)/text/%.o: $(BUILD)/text/%.c
	$(CC) -fPIC -fvisibility=hidden $(CFLAGS) -c -o $@ $<

# All kernel texts at once: each compilation takes longer to start than a text takes.
$(BUILD)/text/texts.o: $(TEXTS:kernels/%=$(BUILD)/text/%.c)
	cat $^ | $(CC) -fPIC -fvisibility=hidden $(CFLAGS) -x c -c -o $@ -

# A kernel text as a C string: kernels/scalar.cuh becomes `const char cuna__text_scalar[]`.
$(BUILD)/text/%.c: kernels/% $(BUILD)/flags
	@mkdir -p $(@D)
	$(MAKE_TEXT)

MAKE_TEXT = @{ echo 'const char cuna__text_$(subst .,_,$(subst -,_,$(basename $(<F))))[] ='; \
              sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $<; echo ';'; } >$@

$(BUILD)/lib/cuna/libcuna_lanes_%.a: $(BUILD)/obj/lanes_%.o | $(BUILD)/lib/cuna
	@rm -f $@
	$(AR) rcs $@ $<

$(BUILD)/obj/lanes_%.o: kernels/lanes_cpu.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE_LANES) $(LANES_$*) $(LANES_LIBM) -MMD -MP -c -o $@ $<

# Which loops there are is found by rehearsing the library, whose Lua decides it; parts that stay the same are not
# written again.
$(BUILD)/loops/written: $(CORE) $(LUA) | $(LAUNCHER)
	@mkdir -p $(@D)
	LD_PRELOAD="$(PRELOAD)" ASAN_OPTIONS=detect_leaks=0 CUNA_DEVICE=cpu CUNA_CACHE_DIR=$(@D)/cache $(LAUNCHER) lua/cuna/tools/loops.lua $(@D)
	@touch $@

$(LOOP_PARTS:%=$(BUILD)/loops/%.cc) $(BUILD)/loops/texts.h: $(BUILD)/loops/written ;

define LOOP_RULES
$(BUILD)/obj/loops_$(1)/%.o: $(BUILD)/loops/%.cc $(BUILD)/loops/texts.h $(INTERPRETER) kernels/loop_code.h $(BUILD)/flags
	@mkdir -p $$(@D)
	$(COMPILE_LOOPS) $$(foreach kind,memory samplers draws special images abreast kernels steps folds scans table,$$(if $$(filter $$(kind)%,$$*),$$(OPTIMISE_$$(kind)))) \
	  $(LANES_$(1)) -c -o $$@ $$<

$(BUILD)/lib/cuna/libcuna_loops_$(1).so: $(LOOP_PARTS:%=$(BUILD)/obj/loops_$(1)/%.o) $(BUILD)/text/version.o $(BUILD)/lib/cuna/libcuna_lanes_$(1).a
	$(CC) -shared -Wl,-z,nodelete -Wl,--exclude-libs,ALL -o $$@ $$^ -lm
endef
$(foreach set,$(LOOPS),$(eval $(call LOOP_RULES,$(set))))

$(BUILD)/lib/cuna:
	@mkdir -p $@

# Changes when the compilers or their flags do, and everything built with it.
$(BUILD)/flags: Makefile FORCE | build-tools
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(LINK) $(COMPILE_LANES) $(COMPILE_LOOPS)' | cmp -s - $@ || echo '$(COMPILE) $(LINK) $(COMPILE_LANES) $(COMPILE_LOOPS)' >$@

# Where the command finds cuna's files: in this tree.
$(LAUNCHER): package/launcher.sh Makefile | $(BUILD)/lib/cuna
	@sed 's|@LUA@|$(shell realpath -m --relative-to=$(BUILD) lua)|; s|@LIB@|lib|' $< >$@
	@chmod +x $@

# Nobody but the owner may write to a pack that cuna trusts. One that is older than the library is of no use.
pack: deps ## Compile the kernels of common work ahead, for this processor and its GPUs, or others (PACK_ARCHS="80 90")
	@$(MAKE) --no-print-directory all
	@[ $(PACK) -nt $(CORE) ] || rm -rf $(PACK)
	@mkdir -p -m 755 $(PACK)
	@CUNA_CACHE_DIR=$(PACK) CUNA_CACHE_SIZE= CUNA_PACK_DIR=off CUNA_DEVICE=cpu \
	  $(LAUNCHER) lua/cuna/tools/kernel_pack.lua cpu $(or $(PACK_ARCHS:%=cuda:sm_%),gpus)
	@rm -f $(PACK)/v1/.swept; chmod -R u=rwX,go=rX $(PACK)

run: deps ## Run SCRIPT (default examples/iris.lua) with ARGS
	@$(MAKE) --no-print-directory all
	@$(LAUNCHER) $(SCRIPT) $(ARGS)

# Specs run ranks under the launchers of both families of MPI, factor sparse matrices, read HDF5 and JPEG files, and build
# the site, whose Markdown cmark-gfm reads: GitHub's program, 130 KB without dependencies. Patterns of apt-get name packages
# that distributions call differently.
NEEDS_FOR_TEST = :
site: NEEDS_FOR_TEST = need cmark-gfm command -v cmark-gfm
test test-eager asan deps-test: NEEDS_FOR_TEST = need cmark-gfm command -v cmark-gfm; need openmpi-bin command -v mpirun.openmpi; \
  need mpich command -v mpirun.mpich; has_umfpack() { library libumfpack.so.5 || library libumfpack.so.6; }; \
  need '^libumfpack[56]$$' has_umfpack; need '^libturbojpeg0?$$' library libturbojpeg.so.0; \
  has_hdf5() { library libhdf5_serial.so.103 || library libhdf5_serial.so.310; }; \
  need '^libhdf5-(103|103-1|103-1t64|310)$$' has_hdf5
# Kernels of specs: -O0 compiles fastest, and positions beyond tables of kernels, which a GPU reads or dies of, trap.
KERNELS_FOR_TEST = -O0 -fsanitize=bounds -fsanitize-undefined-trap-on-error
deps-test: deps
test: deps ## Run the specs (BUSTEDFLAGS="--filter=..." for a part)
	@$(MAKE) --no-print-directory all $(SIMGPU) $(ONCE)
	CUNA_CPU_FLAGS="$${CUNA_CPU_FLAGS-$(KERNELS_FOR_TEST)}" $(TEST_ENVIRONMENT) $(CLANG:%=SUITE_CXX="$${SUITE_CXX-clang++}") \
	  ONCE=$(CURDIR)/$(BUILD)/once spec/suite $(BUSTEDFLAGS)

# What specs of arrays ask for is recorded at first (docs/guides/recording.md).
NOT_OF_ARRAYS = spec/own_spec.lua
test-eager: deps ## Run the specs of arrays once more, with operations that run at once
	@$(MAKE) --no-print-directory all $(SIMGPU) $(ONCE)
	CUNA_EAGER=1 CUNA_CPU_FLAGS="$${CUNA_CPU_FLAGS-$(KERNELS_FOR_TEST)}" $(TEST_ENVIRONMENT) ONCE=$(CURDIR)/$(BUILD)/once spec/suite $(BUSTEDFLAGS) $(filter-out $(NOT_OF_ARRAYS),$(wildcard spec/*_spec.lua))

# As little optimised as its kernels are.
ARM64 = CROSS=aarch64-linux-gnu- BUILD=$(BUILD)/test-arm64 CFLAGS=-O0
deps-arm64:
	@$(MAKE) --no-print-directory deps $(ARM64)
test-arm64: deps-arm64 ## Run a few specs as on arm64: built by a cross compiler, under qemu
	@$(MAKE) --no-print-directory test-cross $(ARM64)

# Kernels are checked too. LuaJIT takes its memory from mmap, which the leak checker neither watches nor searches: what
# is still held by a Lua object when a state ends without lua_close (os.exit) would count as lost. Where kernels have
# thread-local memory, the leak checker guesses its place, and crashes when it is wrong: it is told not to.
asan: TEST_BUILD = build/asan
asan: NVRTC =
asan: CLANG =
asan: deps ## Run the specs on a build with AddressSanitizer, LeakSanitizer and UBSan
	@$(MAKE) --no-print-directory all build/asan/simgpu/libcuda.so.1 BUILD=build/asan CC=gcc \
	  CFLAGS="-O1 -g $(SANITIZE)" \
	  PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)"
	CUNA_BUILD=build/asan CUNA_CACHE_DIR=$(CURDIR)/build/asan/cache CUNA_CPU_FLAGS="-O1 $(SANITIZE) -lasan -lubsan" \
	  ASAN_OPTIONS=detect_leaks=1:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 $(TEST_ENVIRONMENT) \
	  PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" spec/suite $(BUSTEDFLAGS)

bench: deps ## Time cuna and NumPy side by side (BENCHFLAGS="--only sum")
	@$(MAKE) --no-print-directory all $(BUILD)/stream
	@luajit bench/run.lua --build $(BUILD) $(BENCHFLAGS)

$(BUILD)/stream: bench/stream.c | $(BUILD)/lib/cuna
	$(CC) -O3 -march=native -Wall -Wextra -o $@ $< -lpthread

lint: ## Check Lua with luacheck, C with -Werror and, where clang-format is installed, its layout
	@command -v luacheck >/dev/null || { echo "lint needs luacheck: install $(LINT_PACKAGES)" >&2; exit 1; }
	luacheck -q lua spec bench examples docs package .busted
	@set -e; for source in $(SOURCES) $(SIMGPU_SOURCES); do $(COMPILE) $(LUA_CFLAGS) -Werror -fsyntax-only $$source; done
	@! command -v clang-format >/dev/null || clang-format --dry-run --Werror $(LAID_OUT)

docs: deps ## Write docs/reference/, docs/coverage.md and library/ (for editors) again from the comments in lua/cuna/
	@$(MAKE) --no-print-directory all
	@$(LAUNCHER) docs/tools/make.lua

site: deps ## Write the documentation as static pages into build/site/, with a search that needs no network
	@$(MAKE) --no-print-directory all
	@rm -rf $(BUILD)/site
	@$(LAUNCHER) docs/tools/site.lua $(BUILD)/site
	@echo "open $(BUILD)/site/index.html"

format: ## Lay the C files out with clang-format
	clang-format -i $(LAID_OUT)

include package/install.mk

clean: ## Remove everything built
	rm -rf $(BUILD)

# Set `missing` to the packages whose tool, header or library is not there: those that building needs, and all.
define FIND_MISSING_BUILD
missing=; \
need() { package=$$1; shift; "$$@" >/dev/null 2>&1 || missing="$$missing $$package"; }; \
library() { case $$($(CC) -print-file-name=$$1) in */*) ;; *) return 1 ;; esac; }; \
linked() { library lib$$1.a || library lib$$1.so; }; \
need luajit command -v luajit; need g++$(CROSS:%-=-%) command -v $(CXX); \
need pkg-config command -v pkg-config; need libluajit-5.1-dev pkg-config --exists luajit; \
need libmd-dev linked md; need zlib1g-dev linked z
endef
define FIND_MISSING
$(FIND_MISSING_BUILD); \
need lua-busted command -v busted; $(if $(CROSS),need qemu-user-static command -v qemu-$(MACHINE)-static,$(NEED_LIBRARIES)); \
$(NEEDS_FOR_TEST)
endef
NEED_LIBRARIES = need libopenblas-dev library libopenblas.so; need libfftw3-double3 library libfftw3.so.3; \
                 need libfftw3-single3 library libfftw3f.so.3

# Before anything is compiled.
build-tools:
	@$(FIND_MISSING_BUILD); [ -z "$$missing" ] || { \
	  echo "cuna's build needs, under their Debian names:$$missing. \"make deps\" installs them by apt-get" >&2; exit 1; }

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
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' Makefile package/install.mk | expand -t 16

-include $(wildcard $(addprefix $(BUILD)/obj/,*.d */*.d */*/*.d */*/*/*.d))
