#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Overhead of instrumented code on the kernels, as ratios to native -O1, taken side
# by side. Usage: bench/instr/run.sh [build directory [ilp32]]; ilp32: as 32-bit code.
set -eu
here=$(dirname "$0")
root=$here/../..
build=${1:-$root/build}
parts=$build model="" link="" narrow=""
if [ "${2:-}" = ilp32 ]; then
    parts=$build/ilp32 narrow=--narrow
    model="-m32 -msse2 -mfpmath=sse -idirafter /usr/include/x86_64-linux-gnu"
    link="-m32 --rtlib=compiler-rt --unwindlib=none -no-pie -fuse-ld=lld -Wl,--image-base=0x18000000"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-O0 -Xclang -disable-O0-optnone -fwrapv -fno-strict-aliasing -fno-delete-null-pointer-checks
       -gline-tables-only -fPIE -fno-builtin"
clang-19 $model -O1 "$here/kernels.c" "$here/harness.c" $link -o "$work/native"
clang-19 $model $flags -emit-llvm -c "$here/kernels.c" -o "$work/kernels.bc"
"$build/cadenza" instrument $narrow --models "$work/kernels.bc" "$work/kernels.o"
printf '#include "cz/driver.h"\nconst struct cz_task cz_tasks[1];\nconst unsigned cz_task_count = 0;\n' \
    > "$work/tasks.c"
clang-19 $model -O1 -DINSTRUMENTED -I"$root" -I"$root/include" "$work/kernels.o" "$here/harness.c" "$work/tasks.c" \
    "$parts/libczrt.a" "$parts/libczmodels.a" "$parts/libczrt.a" -lm $link -o "$work/instrumented"
{ "$work/native"; "$work/instrumented"; } | awk '
    { time[$1 " " $2] = $3; sum[$1 " " $2] = $4; if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 } }
    END {
        printf "%-16s %12s %10s %10s\n", "kernel", "native ns", "concrete", "symbolic"
        for (i = 1; i <= n; i++) {
            k = order[i]
            printf "%-16s %12d %9.2fx %9.1fx\n", k, time[k " native"],
                   time[k " concrete"] / time[k " native"], time[k " symbolic"] / time[k " native"]
            if (sum[k " native"] != sum[k " concrete"] || sum[k " native"] != sum[k " symbolic"]) {
                print "wrong result of " k; bad = 1
            }
        }
        exit bad
    }'
