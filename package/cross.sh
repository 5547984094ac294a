#!/bin/sh
# cross.sh: unpacks into a folder what building for another architecture takes from Debian: libraries, and the LuaJIT and
# its modules that run there. Nothing is installed: apt-get keeps its lists of that architecture in the folder, too.
# usage: cross.sh ROOT arm64
set -eu
mkdir -p "$1"
root=$(cd "$1" && pwd) architecture=$2
command -v apt-get >/dev/null || { echo "cuna: packages for $architecture come from Debian: there is no apt-get here" >&2; exit 1; }
apt=$root/.apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
: >"$apt/status"
export APT_CONFIG="$apt/apt.conf"
cat >"$APT_CONFIG" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
END
packages='libc6 libgcc-s1 libmd-dev zlib1g-dev libluajit-5.1-2 luajit lua-filesystem lua-system lua-term'
apt-get update -qq
# shellcheck disable=SC2086
(cd "$apt" && apt-get download -qq $packages)
for package in "$apt"/*.deb; do dpkg-deb -x "$package" "$root"; done
rm -rf "$apt"
