#!/bin/sh
# Prints, as a Markdown table, properties of the compiled kernels in a cache folder: registers, spilled bytes, shared
# memory, and the number of global accesses of each width (bits) in the machine code. Needs cuobjdump of the CUDA toolkit.
#
#   CUNA_CACHE_DIR=/tmp/kernels build/cuna script.lua && bench/gpu_code.sh /tmp/kernels
set -eu
folder=${1:?usage: bench/gpu_code.sh CACHE_FOLDER}
command -v cuobjdump >/dev/null || { echo "gpu_code.sh needs cuobjdump (CUDA toolkit)" >&2; exit 1; }

echo '| kernel | registers | stack | shared | loads by width | stores by width |'
echo '|---|---:|---:|---:|---|---|'
find "$folder" -type f | while read -r image; do
  cuobjdump -res-usage "$image" 2>/dev/null | sed -n 's/^ *Function \([^:]*\):.*/\1/p' | while read -r kernel; do
    usage=$(cuobjdump -res-usage "$image" 2>/dev/null | grep -A1 "Function $kernel:" | tail -n 1)
    code=$(cuobjdump -sass -fun "$kernel" "$image" 2>/dev/null)
    field() { echo "$usage" | sed -n "s/.*$1:\([0-9]*\).*/\1/p"; }
    widths() {
      echo "$code" | grep -o "$1\.E[.A-Z0-9]*" | sed 's/.*\.\(128\|64\)$/\1/; s/.*\.[US]\(16\|8\)$/\1/; s/.*E.*/32/' |
        sort -rn | uniq -c | awk '{ printf("%s%d x %s", (NR > 1 ? ", " : ""), $1, $2) }'
    }
    echo "| $kernel | $(field REG) | $(field STACK) | $(field SHARED) | $(widths LDG) | $(widths STG) |"
  done
done | sort
