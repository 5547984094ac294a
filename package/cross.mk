# Builds for arm64 on another machine (CROSS=aarch64-linux-gnu-): with Debian's cross compiler, its libraries of that
# architecture, which are unpacked into a folder of the build, and its LuaJIT, which runs under qemu.

CROSS_ROOT   = $(BUILD)/root
CROSS_TRIPLE = $(CROSS:%-=%)
CROSS_ARCH   = $(MACHINE:aarch64=arm64)# Debian's name
CROSS_LUAJIT = $(BUILD)/luajit
CC           = $(CROSS)gcc -B$(CROSS_ROOT)/usr/lib/$(CROSS_TRIPLE)/
CXX          = $(CROSS)g++
AR           = $(CROSS)ar
CPPFLAGS    += -idirafter $(CROSS_ROOT)/usr/include
export CUNA_LUAJIT = $(abspath $(CROSS_LUAJIT))

$(CROSS_ROOT)/unpacked: package/cross.sh
	@rm -rf $(@D)
	$< $(@D) $(CROSS_ARCH)
	@touch $@

$(CROSS_LUAJIT): package/cross.mk $(CROSS_ROOT)/unpacked
	@printf '#!/bin/sh\nexec qemu-$(MACHINE)-static -L "%s" "%s" "$$@"\n' "$(abspath $(CROSS_ROOT))" \
	  "$(abspath $(CROSS_ROOT))/usr/bin/luajit" >$@
	@chmod +x $@

deps build-tools: $(CROSS_LUAJIT)

# What depends on the processor: casts, bits of numbers, characters, half precision, places of structures in C and FFI,
# threads of blocks that wait and that talk.
CROSS_SPECS = $(patsubst %,spec/%_spec.lua,array cast index base/convert io/shortest kernel/elementwise_kernel_text \
                kernel/raw_barrier kernel/raw_groups kernel/raw_half kernel/raw_libcu kernel/raw_warp record/record_lone)
test-cross:
	@$(MAKE) --no-print-directory $(CORE) $(ARCHIVES) $(LAUNCHER)
	CUNA_BUILD=$(BUILD) CUNA_CXX=$(CXX) CUNA_CPU_FLAGS="-O0 -march=armv8-a" CUNA_DEVICE=cpu CUNA_PACK_DIR=off \
	  spec/suite --lua=$(CUNA_LUAJIT) $(BUSTEDFLAGS) $(CROSS_SPECS)
