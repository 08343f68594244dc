#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# MAESTRO's comparisons (sections 5.4 to 5.6 and 5.8) on examples/body: tasks against
# functions alone, and what inputs of bit-fields, inputs of pointers to functions and
# stubs that write bring. Executions are counted, not seconds: the table repeats.
#
# docs/projects.md has the figures beside the paper's. "tasks that differ": the same over the
# tasks whose coverage is another one without, as the paper counts only tasks with bit-fields,
# pointers to functions or stubs.
#
#   bench/body.sh [ITERATIONS]        default 300 per task; CADENZA=PATH another executable
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
iterations=${1:-300}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# FILE FUNCTION|BRANCHES|COVERED of every task
tasks() {
    sqlite3 -separator '|' :memory: "with j as (select cast(readfile('$out/run/summary.json') as text) t)
        select json_extract(value,'\$.file') || ' ' || json_extract(value,'\$.function'),
               json_extract(value,'\$.branches'), json_extract(value,'\$.branches_covered')
        from j, json_each(j.t,'\$.tasks') order by 1"
}

# Of the tasks whose coverage differs: how many, and their coverage without and with.
differing() {
    join -t'|' "$out/default" "$out/tasks" | awk -F'|' '$3 != $5 { n++; all += $2; with += $3; without += $5 }
        END { if (n) printf "  %3d: %.1f %% -> %.1f %%", n, 100 * without / all, 100 * with / all }'
}

row() { # NAME options...
    name=$1; shift
    "$cadenza" run -p "$root/examples/body" -o "$out/run" -q --iterations "$iterations" --time 0 "$@" \
        >"$out/log" 2>&1 || { cat "$out/log" >&2; return 1; }
    tasks >"$out/tasks"
    [ -e "$out/default" ] || cp "$out/tasks" "$out/default"
    sqlite3 -separator ' ' :memory: \
        "with j as (select cast(readfile('$out/run/summary.json') as text) t)
         select json_extract(t,'\$.totals.branches'), json_extract(t,'\$.totals.branches_covered'),
                json_extract(t,'\$.totals.conditions'), json_extract(t,'\$.totals.conditions_covered'),
                json_extract(t,'\$.totals.alarms'), json_extract(t,'\$.totals.tests') from j" |
        awk -v name="$name" -v more="$(case $name in *units*) ;; *) differing ;; esac)" \
            '{ printf "%-32s %5d/%-5d %5.1f %% %5d/%-5d %5.1f %% %6d %6d%s\n",
               name, $2, $1, 100 * $2 / $1, $4, $3, 100 * $4 / $3, $5, $6, more }'
    rm -rf "$out/run"
}

printf '%-32s %11s %7s %11s %7s %6s %6s  %s\n' "$iterations executions per task" branches "" MC/DC "" alarms \
    tests "tasks that differ: without -> with"
status=0
row "task units (the default)" || status=1
row "function units" --unit function || status=1
row "without bit-field inputs" --without bit-fields || status=1
row "without function pointers" --without function-pointers || status=1
row "stubs that only return" --stubs baseline || status=1
exit $status
