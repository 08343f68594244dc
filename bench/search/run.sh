#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Experiments on search strategies (see search_bench.c). Results are kept row by row in
# build/bench-search/rows, under the checksum of the program that made them: a run that was
# interrupted goes on where it stopped. At the end docs/experiments.md is written anew, from
# experiments.in.md and tables.awk. Seeds are fixed: a second run gives the same numbers
# except for times.
#
# cJSON, grep and mawk come from Debian's sources (downloaded into build/real and built there
# once, for their compile commands; without a network they are left out, and so is the page).
#
#   SEEDS (5)   EXPERIMENTS (units programs filter budget scale)   ONLY=NAME one subject
set -u
cd "$(dirname "$0")/../.."
root=$PWD
here=bench/search
subjects=$here/subjects
bench=build/search-bench
seeds=${SEEDS:-5}
experiments=${EXPERIMENTS:-units programs filter budget scale}
out=build/bench-search
sources=build/real/sources
rows=$out/rows/$(cksum <$bench | cut -d' ' -f1)-$seeds
missing=
CADENZA_LIB=$root/build
export CADENZA_LIB
mkdir -p "$rows"

leave_out() { echo "$1 is left out: $2 (see $out/$1.log)" >&2; missing="$missing $1"; return 1; }

have() {
    sh scripts/fetch-source.sh $sources "$1" >"$out/$1.log" 2>&1 ||
        leave_out "$1" "its source could not be downloaded"
}

# commands PACKAGE [configure's options]: a compile_commands.json of the package
commands() {
    package=$1
    shift
    have "$package" || return 1
    [ -e "$sources/$package/compile_commands.json" ] && return 0
    echo "building $package for its compile commands" >&2
    (
        cd "$sources/$package" && CC=clang-19 ./configure "$@" &&
            RECORD=$PWD/commands.list make CC="sh $root/bench/record-cc.sh" &&
            sh "$root/bench/record-cc.sh" --finish commands.list >compile_commands.json
    ) >"$out/$package.log" 2>&1 || leave_out "$package" "it could not be built"
}

wanted() { case " $experiments " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

# subject EXPERIMENT ITERATIONS NAME FILE TASK ELEMENTS
subject() {
    [ -z "${ONLY-}" ] || [ "$ONLY" = "$3" ] || return 0
    echo "$1: $3" >&2
    "$bench" strategies "$rows/$1-$3" "$seeds" "$2" "$3" "$4" "$5" "$6" 2>"$out/$3.log" ||
        leave_out "$3" "it could not be searched"
}

if wanted units; then
    subject units 4000 replace $subjects/replace.c change 8
    subject units 4000 keyboard $subjects/keyboard.c keyboard 6
    subject units 4000 floppy $subjects/floppy.c floppy 6
    subject units 4000 cdaudio $subjects/cdaudio.c cdaudio 6
    subject units 4000 xml $subjects/xml.c xml 24
    have cjson && subject cjson 1000 cjson $sources/cjson/cJSON.c cJSON_Parse 16
fi
if wanted programs; then
    commands grep --disable-nls --disable-perl-regexp &&
        subject programs 1000 grep src/grep.c program:$sources/grep 12/3:6
    commands mawk && subject programs 1000 mawk main.c program:$sources/mawk 16/2:12
fi
body="examples/body/bcm/*.c examples/body/smk/*.c examples/body/common/*.c examples/body/aprk/*.c examples/body/tpms/*.c"
for experiment in filter budget; do
    wanted $experiment || continue
    # dfs draws nothing, so one seed is all there is; auto's total is over the same
    [ $experiment = filter ] && how="1 300" || how="$seeds 100"
    for file in $body; do
        [ -z "${ONLY-}" ] || [ "$ONLY" = "$(basename "$file")" ] || continue
        echo "$experiment: $file" >&2
        # shellcheck disable=SC2086
        "$bench" $experiment "$rows/$experiment-$(basename "$file")" $how -std=c11 -Iexamples/body/include \
            "$file" 2>"$out/$(basename "$file").log" || leave_out "$(basename "$file")" "it could not be searched"
    done
done
if wanted scale && [ ! -e "$rows/scale" ]; then
    for size in 25000 50000 100000; do
        echo "scale: $size" >&2
        "$bench" scale "$rows/scale.part" 1 40 -DROUNDS=$size $subjects/long.c longest 512 2>"$out/scale.log" ||
            leave_out scale "it could not be searched"
    done
    mv "$rows/scale.part" "$rows/scale"
fi

table() { awk -F'\t' -v table="$1" -v OFS=' | ' -f $here/tables.awk $rows/$2; }
wanted units && table strategies 'units-*' >"$out/units.md" && table strategies 'cjson-*' >"$out/cjson.md"
wanted programs && table strategies 'programs-*' >"$out/programs.md"
wanted units && wanted programs && table summary '[ucp][njr]*-*' >"$out/summary.md"
wanted programs && table speed programs-grep >"$out/speed.md"
wanted filter && table filter 'filter-*' >"$out/filter.md"
wanted budget && table budget 'budget-*' >"$out/budget.md"
wanted scale && table scale scale >"$out/scale.md"
if [ -z "$missing" ] && [ "$experiments" = "units programs filter budget scale" ]; then
    awk -v dir=$out '/^@[a-z]+@$/ { file = dir "/" substr($0, 2, length($0) - 2) ".md"
        while ((getline line <file) > 0) print line; next } { print }' $here/experiments.in.md >docs/experiments.md
    echo "docs/experiments.md is written" >&2
else
    echo "docs/experiments.md is not written: not all experiments were made" >&2
fi
