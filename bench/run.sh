#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Speed, as ratios taken side by side in one run. Each line names its target; the
# exit code is 1 when one is missed.
set -u
cd "$(dirname "$0")/.."
out=build/bench
mkdir -p "$out"
missed=0
objects=$(ls build/obj/src/*/*.o)
libs="-L$(llvm-config-19 --libdir) -Wl,-rpath,$(llvm-config-19 --libdir) -lclang-19 -lLLVM-19 -lz3 -lcadical -lstdc++ -lsqlite3 -lm"

echo "== execution: a 20-branch unit =="
clang-19 -std=gnu17 -O2 -D_GNU_SOURCE -Isrc -I. bench/exec_bench.c $objects $libs -o "$out/exec_bench" &&
    CADENZA_LIB=build "$out/exec_bench" bench/units/branches20.c "$out/exec" || missed=1

echo "== instrumented code against native -O1 =="
sh bench/instr/run.sh build || missed=1
if [ -f build/ilp32/libczrt.a ]; then
    echo "== the same as 32-bit code =="
    sh bench/instr/run.sh build ilp32 || missed=1
fi

echo "== from cadenza run to the first test, against clang -O1 =="
sh bench/first_test.sh "$out/first" || missed=1

echo "== real programs, instrumented =="
sh bench/programs.sh || missed=1

echo "== the solver stack against Z3 =="
sh bench/solver/run.sh || missed=1

echo "== drivers and stubs: MAESTRO's comparisons on examples/body =="
sh bench/body.sh 100 || missed=1

echo "== seeded defects of every kind of check =="
sh bench/defects.sh || missed=1

echo "== alarms and preconditions: examples/body and libraries =="
sh bench/alarms.sh || missed=1

echo "== the HTML report of 300 files and 21,600 goals: a second at most =="
sh bench/report.sh || missed=1

[ $missed -eq 0 ] && echo "all targets met" || echo "a target was missed"
exit $missed
