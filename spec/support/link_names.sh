#!/bin/sh
# Writes libraries for spec/support/compile_link.c: link_names.sh FOLDER ARCHIVE. Each has the soname of one of the
# system's, and of its functions, with their versions, those that kernels call: what the vector ARCHIVE asks for, and the
# names below. A library that the system lacks is left out.
set -eu
folder=$1 asked=$(nm -u "$2" | awk '/ U / {printf "%s|", $2}')

# The place of a library of the system; fails where there is none.
find_library() { case $(cc -print-file-name="$1") in */*) cc -print-file-name="$1" ;; *) return 1 ;; esac; }

# write_names SONAME PATTERN
write_names() {
  library=$(find_library "$1") || return 0
  nm -D --defined-only --with-symbol-versions "$library" | awk -v pattern="^($2)$" '
    {split($3, parts, "@@")}
    $2 ~ /[TWiV]/ && parts[2] != "" && parts[1] ~ pattern {print parts[1], parts[2]}' | sort -u >"$folder/list"
  awk '{printf ".globl f%d\n.type f%d, %%function\nf%d: .symver f%d, %s@@%s\n", NR, NR, NR, NR, $1, $2}' \
    "$folder/list" | as -o "$folder/names.o"
  awk '{print $2 " {};"}' "$folder/list" | sort -u >"$folder/versions"
  ld -shared -soname "$1" --version-script "$folder/versions" -o "$folder/$1" "$folder/names.o"
  rm "$folder/list" "$folder/names.o" "$folder/versions"
}

rm -rf "$folder"
mkdir -p "$folder"
# No functions of long double, nor second names such as expf32.
write_names libm.so.6 "${asked}[a-z]+[0-9]?|[a-z]+[a-km-z0-9]f|f[a-z]*l|[a-z]*ceil|ll?r[a-z]+|lgamma_r|lgammaf_r"
write_names libmvec.so.1 "${asked%|}"
write_names libgcc_s.so.1 '.*'
write_names libc.so.6 'malloc|free|calloc|realloc|mem[a-z]+|str[a-z]+|sched_yield|printf|snprintf|fprintf|abort'
[ ! -e "$folder/libm.so.6" ] || ln -s libm.so.6 "$folder/libm.so"
[ ! -e "$folder/libmvec.so.1" ] || ln -s libmvec.so.1 "$folder/libmvec.so"
loader=$(sed -n 's/.*AS_NEEDED *( *[^ ]*\(ld-[^ )]*\).*/\1/p' "$(find_library libc.so)")
write_names "$loader" '__tls_get_addr'
echo "INPUT ( libc.so.6 AS_NEEDED ( $loader ) )" >"$folder/libc.so"
ln -s "$(cc -print-libgcc-file-name)" "$folder/libgcc.a"
