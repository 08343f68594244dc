#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Experiments on search strategies (see search_bench.c): the tables of docs/experiments.md.
# cJSON comes from Debian's sources (downloaded into build/real; left out without a
# network). Seeds are fixed, so a second run prints the same numbers except for times.
#   SEEDS (default 5), ITERATIONS (default 4000)
set -u
cd "$(dirname "$0")/../.."
subjects=bench/search/subjects
bench=build/search-bench
seeds=${SEEDS:-5} iterations=${ITERATIONS:-4000}
out=build/bench-search
CADENZA_LIB=$PWD/build
export CADENZA_LIB
mkdir -p "$out"
cjson=
if sh scripts/fetch-source.sh build/real/sources cjson >"$out/fetch.log" 2>&1; then
    cjson=build/real/sources/cjson/cJSON.c
else
    echo "cJSON is left out: its source could not be downloaded (see $out/fetch.log)"
fi
files="$subjects/replace.c $subjects/keyboard.c $subjects/floppy.c $subjects/cdaudio.c $subjects/xml.c"

echo "## Covered branches over executions (CGS, Table 2), mean of $seeds seeds"
echo
"$bench" table2 "$seeds" "$iterations" \
    replace $subjects/replace.c change 8 keyboard $subjects/keyboard.c keyboard 6 \
    floppy $subjects/floppy.c floppy 6 cdaudio $subjects/cdaudio.c cdaudio 6 \
    xml $subjects/xml.c xml 24 ${cjson:+cjson "$cjson" cJSON_Parse 16} | tee "$out/table2.md"
echo
echo "## Path filtering, every function a unit (CAUT, Tables I and II)"
echo
"$bench" filter 1 1000 $files $cjson | tee "$out/filter.md"
echo
echo "## Units with 100 executions each (CAUT, Figures 4 and 5), mean of $seeds seeds"
echo
"$bench" budget "$seeds" 100 $files $cjson | tee "$out/budget.md"
