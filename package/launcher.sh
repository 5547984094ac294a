#!/bin/sh
# cuna: runs a script, or a prompt when there is none, with the cuna that lies at @LUA@ and @LIB@, seen from here.
# "doctor" says what cuna finds on this machine, and what is missing; "-n 4 script.lua" runs a script as 4 ranks.
# CUNA_LUAJIT is a command instead of the luajit on PATH.
self=$(readlink -f "$0")
here=$(dirname "$self")
lua=$here/@LUA@
export LUA_PATH="$lua/?.lua;$lua/?/init.lua;${LUA_PATH:-;}"
export LUA_CPATH="$here/@LIB@/?.so;${LUA_CPATH:-;}"
case "$1" in
  doctor) shift; set -- "$lua/cuna/tools/doctor.lua" "$@" ;;
  -n*) set -- "$lua/cuna/tools/launch.lua" "$self" "$@" ;;
  "" | -e* | -i | -v | --version | -h | --help) set -- "$lua/cuna/tools/command.lua" "$@" ;;
esac
exec ${CUNA_LUAJIT:-luajit} "$@"
