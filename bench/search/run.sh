#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Experiments on search strategies (see search_bench.c): the tables of docs/experiments.md.
# cJSON, grep and mawk come from Debian's sources (downloaded into build/real and built
# there once, for their compile commands; left out without a network). Seeds are fixed:
# a second run prints the same numbers except for times.
#   SEEDS (5), ITERATIONS (4000, of units), PROGRAM_ITERATIONS (1000), TABLES (all three)
set -u
cd "$(dirname "$0")/../.."
root=$PWD
subjects=bench/search/subjects
bench=build/search-bench
seeds=${SEEDS:-5} iterations=${ITERATIONS:-4000} program_iterations=${PROGRAM_ITERATIONS:-1000}
tables=${TABLES:-table2 programs filter budget}
out=build/bench-search
sources=build/real/sources
CADENZA_LIB=$root/build
export CADENZA_LIB
mkdir -p "$out"

have() {
    sh scripts/fetch-source.sh $sources "$1" >"$out/fetch-$1.log" 2>&1 && return 0
    echo "$1 is left out: its source could not be downloaded (see $out/fetch-$1.log)" >&2
    return 1
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
    ) >"$out/build-$package.log" 2>&1 && return 0
    echo "$package is left out: it could not be built (see $out/build-$package.log)" >&2
    return 1
}

wanted() { case " $tables " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

cjson=
have cjson && cjson=$sources/cjson/cJSON.c
if wanted table2; then
    echo "## Covered branches over executions, units (CGS, Table 2), mean of $seeds seeds"
    echo
    "$bench" table2 "$seeds" "$iterations" \
        replace $subjects/replace.c change 8 keyboard $subjects/keyboard.c keyboard 6 \
        floppy $subjects/floppy.c floppy 6 cdaudio $subjects/cdaudio.c cdaudio 6 \
        xml $subjects/xml.c xml 24 ${cjson:+cjson "$cjson" cJSON_Parse 16} | tee "$out/table2.md"
    echo
fi
if wanted programs; then
    echo "## The same for whole programs: grep 12 bytes of input and 3 arguments, mawk 16 and 2"
    echo
    set --
    commands grep --disable-nls --disable-perl-regexp &&
        set -- "$@" grep src/grep.c program:$sources/grep 12/3:6
    commands mawk && set -- "$@" mawk main.c program:$sources/mawk 16/2:12
    [ $# = 0 ] || "$bench" table2 "$seeds" "$program_iterations" "$@" | tee "$out/programs.md"
    echo
fi
body=$(ls examples/body/bcm/*.c examples/body/smk/*.c examples/body/common/*.c \
    examples/body/aprk/*.c examples/body/tpms/*.c)
if wanted filter; then
    echo "## Path filtering, every function a unit, 300 executions each at most (CAUT, Tables I and II)"
    echo
    "$bench" filter 1 300 -std=c11 -Iexamples/body/include $body | tee "$out/filter.md"
    echo
fi
if wanted budget; then
    echo "## Covered items with 100 executions per unit (CAUT, Figures 4 and 5), mean of $seeds seeds"
    echo
    "$bench" budget "$seeds" 100 -std=c11 -Iexamples/body/include $body | tee "$out/budget.md"
fi
