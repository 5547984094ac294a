-- Runs a script as build/cuna does, then writes into a file how many kernels the process compiled.
--
--   build/cuna bench/first_use/script.lua FILE SCRIPT [arguments of the script]
local counts = assert(io.open(arg[1], "w"))
_G.arg = { [0] = arg[2], unpack(arg, 3) }
assert(loadfile(arg[0]))(unpack(arg))
counts:write((require("cuna.core").module_stats()), "\n")
counts:close()
