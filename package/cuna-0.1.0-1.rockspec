rockspec_format = "1.1"
package = "cuna"
version = "0.1.0-1"
source = {url = "git+file://.", tag = "v0.1.0"}
description = {
  summary = "Arrays on NVIDIA GPUs and the CPU for LuaJIT, with NumPy's names",
  detailed = "An array library for LuaJIT: what CuPy is to Python. The same script runs on a GPU and without one.",
  license = "MIT",
}
supported_platforms = {"linux"}
dependencies = {"lua == 5.1"}
build = {
  type = "make",
  build_target = "all",
  install_target = "install-module",
  -- LuaRocks moves what is in these folders to the tree's.
  install_variables = {LUADIR = "$(LUADIR)", LIBDIR = "$(LIBDIR)", BINDIR = "$(BINDIR)",
    BIN_TO_LUA = "../share/lua/5.1", BIN_TO_LIB = "../lib/lua/5.1"},
  copy_directories = {"docs", "library"},
}
deploy = {wrap_bin_scripts = false} -- the command finds cuna by itself
