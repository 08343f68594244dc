#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Alarms and preconditions. On examples/body: how many alarms function units raise, how many
# task units, how many of these all call sites rule out, and each one that remains with its
# verdict. On real libraries: alarms before and after the inferred preconditions are
# confirmed. Executions are counted, not seconds: the tables repeat.
#
#   bench/alarms.sh [body] [PROJECT]...   default: body zlib cjson jansson libyaml lua5.4
#
# CADENZA=PATH another executable, REAL=DIR where bench/real.sh has its sources,
# ITERATIONS=N other than 100 (libraries: 40), FILES=all all files of the libraries instead
# of those below.
#
# Measured: body 61 alarms with function units, 12 with task units, of which all call sites
# rule out 6 and of the others 2 are gone when the inferred preconditions are confirmed;
# zlib 42 and then 11, cjson 19 and 8, jansson 88 and 65, libyaml 15 and 10, lua5.4 36 and 17.
# "engine only": faults that the clean build does not show; they are listed, not counted.
#
# The targets: on body, fewer alarms with task units than with function units, and none
# remains that the call sites rule out; nowhere more alarms with preconditions than without.
# What is counted as an alarm replays on the clean build, or it is not one.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
real=${REAL:-$root/build/real}
[ $# -gt 0 ] || set -- body zlib cjson jansson libyaml lua5.4
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
status=0
miss() { echo "missed: $*"; status=1; }

run() { # RUN options...: quietly; the log only if it fails
    run_out=$out/$1; shift
    rm -rf "$run_out"
    "$cadenza" run -o "$run_out" -q --time 0 "$@" >"$out/log" 2>&1
    [ $? -le 1 ] || { cat "$out/log" >&2; return 1; }
}

# All alarms of a run as lines FILE:LINE|KIND|REPRODUCED|RULED OUT|PRECONDITION|CALLS, with
# the calls of the precondition: how many, how many violate it, how many may.
alarms() { # RUN
    find "$out/$1" -name summary.json -path '*/files/*' | sort | while read -r file; do
        sqlite3 -separator '|' :memory: "with j as (select cast(readfile('$file') as text) t),
            p as (select json_extract(value,'\$.function') || ': ' || json_extract(value,'\$.expression') k,
                         json_extract(value,'\$.calls') c, json_extract(value,'\$.violated') v,
                         json_extract(value,'\$.doubtful') d from j, json_each(j.t,'\$.preconditions'))
            select replace(json_extract(a.value,'\$.file'), rtrim(json_extract(a.value,'\$.file'),
                   replace(json_extract(a.value,'\$.file'),'/','')), '') || ':' || json_extract(a.value,'\$.line'),
                   json_extract(a.value,'\$.kind'), json_extract(a.value,'\$.reproduced'),
                   json_extract(a.value,'\$.ruled_out'), coalesce(json_extract(a.value,'\$.precondition'),''),
                   coalesce((select sum(c) || ' calls, ' || sum(v) || ' violate it, ' || sum(d) || ' may' from p
                             where instr('; ' || json_extract(a.value,'\$.precondition') || ';', '; ' || k || ';')), '')
            from j, json_each(j.t,'\$.alarms') a"
    done
}

total() { # RUN KEY
    sqlite3 :memory: "select json_extract(cast(readfile('$out/$1/summary.json') as text), '\$.totals.$2')"
}
tasks() { sqlite3 :memory: "select json_array_length(cast(readfile('$out/$1/summary.json') as text), '\$.tasks')"; }

body() {
    iterations=${ITERATIONS:-100}
    cp -r "$root/examples/body" "$out/body" && rm -f "$out/body/cadenza.pre"
    run functions -p "$out/body" --iterations "$iterations" --unit function --no-inference || return 1
    run tasks -p "$out/body" --iterations "$iterations" || return 1
    alarms tasks | grep -v '|not reproduced|' >"$out/list"
    all=$(wc -l <"$out/list") ruled=$(awk -F'|' '$4 == 1' "$out/list" | wc -l)
    printf 'examples/body, %s executions per task                      alarms\n' "$iterations"
    printf '  function units                                           %6d\n' "$(total functions alarms)"
    printf '  task units                                               %6d\n' "$all"
    printf '  of these ruled out by all call sites                     %6d\n' "$ruled"
    printf '  remaining, each with its verdict:                        %6d\n' "$((all - ruled))"
    awk -F'|' '$4 != 1 {
        verdict = "no precondition over the inputs of the task rules it out"
        if ($5 != "") verdict = "ruled out by " $5 " (" $6 ")"
        printf "    %s: %s: %s\n", $1, $2, verdict }' "$out/list"
    "$cadenza" pre confirm "$out/tasks" --all >/dev/null || return 1
    run confirmed -p "$out/body" --iterations "$iterations" || return 1
    printf '  when the user confirms what was inferred                 %6d\n' "$(total confirmed alarms)"
    [ "$(total functions alarms)" -gt "$all" ] || miss "function units should raise more alarms"
    [ "$(total tasks alarms)" -eq $((all - ruled)) ] || miss "what call sites rule out is counted"
}

# A few files of each, so that it ends in some minutes.
files_of() {
    [ "${FILES:-}" != all ] || return 0
    case $1 in
        zlib) echo adler32.c crc32.c trees.c inftrees.c ;;
        cjson) echo cJSON.c ;;
        jansson) echo src/hashtable.c src/strbuffer.c src/utf.c src/value.c ;;
        libyaml) echo src/reader.c src/writer.c ;;
        lua5.4) echo src/lctype.c src/lzio.c src/lstring.c src/lmem.c src/lopcodes.c ;;
    esac
}

library() { # PROJECT
    iterations=${ITERATIONS:-40}
    REAL=$real PREPARE_ONLY=1 bash "$root/bench/real.sh" "$1" || return 1
    cd "$real/$1" || return 1
    # shellcheck disable=SC2046
    run before -p . --iterations "$iterations" --pre "$out/$1.pre" $(files_of "$1") || return 1
    alarms before >"$out/list"
    : >"$out/$1.pre"
    "$cadenza" pre confirm "$out/before" --all >/dev/null || return 1
    # shellcheck disable=SC2046
    run after -p . --iterations "$iterations" --pre "$out/$1.pre" $(files_of "$1") || return 1
    alarms after >>"$out/list"
    lost=$(grep -c '|not reproduced|' "$out/list")
    printf '%-10s %6d %8d %8d %14d %8d %14d\n' "$1" "$(tasks before)" "$(total before alarms)" \
        "$(sqlite3 :memory: "select printf('%.0f', 100.0 * $(total before alarms) / $(tasks before))")" \
        "$(grep -c '^confirmed' "$out/$1.pre")" "$(total after alarms)" "$lost"
    [ "$(total after alarms)" -le "$(total before alarms)" ] || miss "$1: more alarms with preconditions"
    cd "$root" || return 1
}

header=
for what in "$@"; do
    if [ "$what" = body ]; then
        body || status=1
        continue
    fi
    [ -n "$header" ] || printf '%-10s %6s %8s %8s %14s %8s %14s\n' library tasks alarms 'per 100' \
        preconditions after 'engine only'
    header=1
    library "$what" || status=1
done
exit $status
