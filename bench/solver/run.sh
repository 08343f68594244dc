#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The solver stack on queries recorded from real runs: cJSON, zlib and jansson from
# Debian's sources (downloaded into build/real; without a network the examples alone are
# used, and the number of queries is missed) and the examples. See solver_bench.c.
set -u
cd "$(dirname "$0")/../.."
root=$PWD
out=$root/build/bench/solver
cadenza=$root/build/cadenza
rm -rf "$out"
mkdir -p "$out/queries"

# record NAME DIRECTORY FILE [compiler flags]
record() {
    name=$1 directory=$2 file=$3
    shift 3
    (cd "$directory" && "$cadenza" run "$file" -q --iterations 20 --time 20 -o "$out/run" \
        --dump-queries "$out/queries/$name" -- "$@") >"$out/$name.log" 2>&1
    code=$?
    [ $code -le 1 ] || echo "recording $name failed with exit code $code, see $out/$name.log"
    rm -rf "$out/run"
}

for file in examples/*.c; do
    record "$(basename "$file" .c)" "$root" "$file"
done
if sh scripts/fetch-source.sh build/real/sources cjson zlib jansson >"$out/fetch.log" 2>&1; then
    sources=$root/build/real/sources
    record cjson "$sources/cjson" cJSON.c
    for file in adler32 inftrees trees; do
        record "zlib-$file" "$sources/zlib" "$file.c" -D_LARGEFILE64_SOURCE=1
    done
    # what its configure script would write
    sed -e 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/' \
        -e 's/@json_have_atomic_builtins@/1/; s/@json_have_sync_builtins@/1/' \
        "$sources/jansson/src/jansson_config.h.in" >"$out/jansson_config.h"
    for name in STDINT_H SYS_TYPES_H UNISTD_H LOCALE_H SETLOCALE; do
        echo "#define HAVE_$name 1"
    done >"$out/jansson_private_config.h"
    echo "#define INITIAL_HASHTABLE_ORDER 3" >>"$out/jansson_private_config.h"
    for file in utf strbuffer strconv hashtable load; do
        record "jansson-$file" "$sources/jansson" "src/$file.c" -DHAVE_CONFIG_H -Isrc "-I$out"
    done
else
    echo "the sources of cJSON, zlib and jansson could not be downloaded; the examples alone:"
    sed 's/^/  /' "$out/fetch.log"
fi

clang-19 -std=gnu17 -O2 -D_GNU_SOURCE -Wall -Wextra -Werror -Isrc -I. -Ibench/solver bench/solver/*.c \
    build/obj/src/base/*.o build/obj/src/expr/*.o build/obj/src/solver/*.o \
    -lz3 -lcadical -lstdc++ -lm -o "$out/solver_bench" || exit 1
"$out/solver_bench" "$out"/queries/*
