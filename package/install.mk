# Installs what the Makefile built, and makes packages of it.

VERSION = $(shell sed -n 's/.*_VERSION = "\(.*\)".*/\1/p' lua/cuna/init.lua)

# LuaJIT's module and the command may go into other folders. The command finds the module from its own place.
ROOT   = $(DESTDIR)$(PREFIX)
LUADIR = $(PREFIX)/share/lua/5.1
LIBDIR = $(PREFIX)/lib/lua/5.1
BINDIR = $(PREFIX)/bin
PC_PREFIX = $(PREFIX)
relative    = $(shell realpath -ms --relative-to="$(1)" "$(2)")
BIN_TO_LUA  = $(call relative,$(BINDIR),$(LUADIR))
BIN_TO_LIB  = $(call relative,$(BINDIR),$(LIBDIR))
# The C interface: public headers, and what they include.
HEADERS = $(wildcard runtime/cuna*.h) $(addprefix runtime/base/,base.h dtype.h shape.h status.h)
# What `uninstall` removes. Programs in C find core.so as libcuna.so.
INSTALLED = $(LUADIR)/cuna $(LIBDIR)/cuna $(BINDIR)/cuna \
            $(addprefix $(PREFIX)/,include/cuna share/cuna lib/libcuna.so lib/$(SONAME) lib/pkgconfig/cuna.pc \
              share/man/man1/cuna.1)

# Copies files below a folder to another one: $(call copy_below,from,files,to).
copy_below = @for file in $(2:$(1)/%=%); do install -D -m 644 "$(1)/$$file" "$(3)/$$file" || exit 1; done

install: install-module ## Install under PREFIX (default /usr/local); DESTDIR is honoured
	$(call copy_below,runtime,$(HEADERS),$(ROOT)/include/cuna)
	$(call copy_below,library,$$(cd library && find . -name '*.lua'),$(ROOT)/share/cuna/library)
	@for name in libcuna.so $(SONAME); do ln -sf "$(call relative,$(PREFIX)/lib,$(LIBDIR)/cuna/core.so)" "$(ROOT)/lib/$$name"; done
	@install -D -m 644 package/cuna.1 "$(ROOT)/share/man/man1/cuna.1"
	@install -d "$(ROOT)/lib/pkgconfig"
	@sed 's|@PREFIX@|$(PC_PREFIX)|; s|@VERSION@|$(VERSION)|' package/cuna.pc.in >"$(ROOT)/lib/pkgconfig/cuna.pc"
	@chmod 644 "$(ROOT)/lib/pkgconfig/cuna.pc"
	@luajit package/installed.lua "$(PREFIX)" "$(DESTDIR)" "$(VERSION)" "$(LUADIR)" "$(LIBDIR)" "$(BINDIR)"

install-module: all
	@install -d "$(DESTDIR)$(LIBDIR)/cuna" "$(DESTDIR)$(BINDIR)"
	@install -m 755 $(CORE) "$(DESTDIR)$(LIBDIR)/cuna"
	@install -m 644 $(ARCHIVES) $(LIBRARIES) "$(DESTDIR)$(LIBDIR)/cuna"
	@[ ! -d $(PACK) ] || { cd "$(DESTDIR)$(LIBDIR)/cuna" && rm -rf pack && cp -R "$(abspath $(PACK))" . && \
	  chmod -R u=rwX,go=rX pack; }
	$(call copy_below,lua/cuna,$(LUA),$(DESTDIR)$(LUADIR)/cuna)
	@sed 's|@LUA@|$(BIN_TO_LUA)|; s|@LIB@|$(BIN_TO_LIB)|' package/launcher.sh >"$(DESTDIR)$(BINDIR)/cuna"
	@chmod 755 "$(DESTDIR)$(BINDIR)/cuna"

uninstall: ## Remove what install put under PREFIX
	rm -rf $(INSTALLED:%="$(DESTDIR)%")

# ---- packages ----


# debian/rules does the work; it is what dpkg-buildpackage runs, too.
deb: ## Make a Debian package for this machine's distribution, in build/
	@+$(MAKE) --no-print-directory -f debian/rules binary PACKAGES="$(abspath $(BUILD))" BUILD="$(abspath $(BUILD))"

# Runs from wherever it is unpacked, with the glibc that its name says or a later one: that of the machine that builds.
TAR_NAME = cuna-$(VERSION)-linux-$(MACHINE)
TAR_ROOT = $(BUILD)/tar/$(TAR_NAME)
tar: ## Make an archive of binaries for other processors of this machine's kind, in build/
	@$(MAKE) --no-print-directory all LOOPS="$(LANES)"
	@rm -rf "$(BUILD)/tar"
	@$(MAKE) --no-print-directory -o all install LOOPS="$(LANES)" PREFIX= DESTDIR="$(abspath $(TAR_ROOT))" \
	  PC_PREFIX='$$$${pcfiledir}/../..' >/dev/null
	@cp README.md CHANGELOG.md LICENSE "$(TAR_ROOT)"
	@$(STRIP) --strip-unneeded "$(TAR_ROOT)"/lib/lua/5.1/cuna/*.so
	@glibc=$$($(OBJDUMP) -T "$(TAR_ROOT)"/lib/lua/5.1/cuna/*.so | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1); \
	file="$(BUILD)/$(TAR_NAME)-glibc$${glibc#GLIBC_}.tar.gz"; \
	tar -C "$(BUILD)/tar" --owner=0 --group=0 -czf "$$file" $(TAR_NAME) && echo "$$file"
