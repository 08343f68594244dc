#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whole programs from Debian's sources, with symbolic standard input and arguments:
# branches covered after a tenth of the executions and after all of them, executions per
# second, and what the set-up costs against a plain build.
#
#   bench/whole.sh [PROGRAM]...       default: grep sed
#
# CADENZA=PATH another executable, REAL=DIR another directory for sources and results,
# ITERATIONS=N other than 3000. Configuring takes a minute per program, once.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
real=${REAL:-$root/build/real}
iterations=${ITERATIONS:-3000}
[ $# -gt 0 ] || set -- grep sed

main_of() { case $1 in grep) echo src/grep.c ;; sed) echo sed/sed.c ;; esac; }
inputs_of() {
    case $1 in
        grep) echo "--stdin 16 --arg 2:6" ;;
        sed) echo "--stdin 16 --arg 2:8" ;;
    esac
}
# The program's own regular expressions, not the C library's: those can be searched.
options_of() { echo "--disable-nls --with-included-regex --disable-perl-regexp --disable-acl --without-selinux"; }

seconds() { date +%s.%N; }
since() { echo "$1 $(seconds)" | awk '{ printf "%.1f", $2 - $1 }'; }

# compile_commands.json and how long a plain build takes.
prepare() { # PROGRAM
    [ -e compile_commands.json ] && return 0
    # shellcheck disable=SC2046
    CC=clang-19 ./configure $(options_of) >configure.log 2>&1 || return 1
    rm -f record.list
    begin=$(seconds)
    RECORD=$PWD/record.list make -j2 CC="sh $root/bench/record-cc.sh" CFLAGS=-O1 >make.log 2>&1 || return 1
    since "$begin" >plain.seconds
    sh "$root/bench/record-cc.sh" --finish record.list >compile_commands.json
}

covered() { sqlite3 :memory: "select json_extract(cast(readfile('$1/summary.json') as text), '\$.totals.branches_covered')"; }

printf '%-6s %6s %9s %9s %9s %8s %8s %8s\n' program files branches early covered runs/s set-up plain
for program in "$@"; do
    sh "$root/scripts/fetch-source.sh" "$real" "$program" >/dev/null || { echo "$program: skipped, no sources"; continue; }
    cd "$real/$program" || exit 1
    prepare "$program" || { echo "$program: it does not build, see $PWD/configure.log and make.log"; continue; }
    out=$real/whole/$program
    rm -rf "$out" && mkdir -p "$out"
    for count in $((iterations / 10)) "$iterations"; do
        begin=$(seconds)
        # shellcheck disable=SC2046
        "$cadenza" run --program -p compile_commands.json "$(main_of "$program")" $(inputs_of "$program") \
            --iterations "$count" --time 600 --patience 100000000 --json -o "$out/$count" >"$out/$count.log" 2>&1
        total=$(since "$begin")
    done
    sqlite3 :memory: "with j as (select cast(readfile('$out/$iterations/summary.json') as text) t)
        select json_extract(t, '\$.totals.branches'), json_extract(t, '\$.tasks[0].seconds') from j" |
        tr '|' ' ' | awk -v p="$program" -v early="$(covered "$out/$((iterations / 10))")" \
            -v all="$(covered "$out/$iterations")" -v n="$iterations" -v total="$total" \
            -v files="$(ls "$out/$iterations"/harness/*/engine*.c | wc -l)" -v plain="$(cat plain.seconds)" \
            '{ printf "%-6s %6d %9d %9d %9d %8.0f %7.1fs %7.1fs\n", p, files, $1, early, all, n / $2, total - $2, plain }'
done
