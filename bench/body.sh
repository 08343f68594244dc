#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# MAESTRO's comparisons (sections 5.4 to 5.6 and 5.8) on examples/body: tasks against
# functions alone, and what inputs of bit-fields, inputs of pointers to functions and
# stubs that write bring. Executions are counted, not seconds: the table repeats.
#
# The paper's directions: function units reach a little more and raise several times the
# alarms; each kind of input and precise stubs add coverage. Our body
# unit is small, so the gains are a few points where the paper's industrial code had more.
#
#   bench/body.sh [ITERATIONS]        default 300 per task; CADENZA=PATH another executable
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
iterations=${1:-300}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

row() { # NAME options...
    name=$1; shift
    "$cadenza" run -p "$root/examples/body" -o "$out/run" -q --iterations "$iterations" --time 0 "$@" \
        >"$out/log" 2>&1 || { cat "$out/log" >&2; return 1; }
    sqlite3 -separator ' ' :memory: \
        "with j as (select cast(readfile('$out/run/summary.json') as text) t)
         select json_extract(t,'\$.totals.branches'), json_extract(t,'\$.totals.branches_covered'),
                json_extract(t,'\$.totals.conditions'), json_extract(t,'\$.totals.conditions_covered'),
                json_extract(t,'\$.totals.alarms'), json_extract(t,'\$.totals.tests') from j" |
        awk -v name="$name" '{ printf "%-32s %5d/%-5d %5.1f %% %5d/%-5d %6d %6d\n",
                               name, $2, $1, 100 * $2 / $1, $4, $3, $5, $6 }'
    rm -rf "$out/run"
}

printf '%-32s %11s %7s %11s %6s %6s\n' "$iterations executions per task" branches "" MC/DC alarms tests
status=0
row "task units (the default)" || status=1
row "function units" --unit function || status=1
row "without bit-field inputs" --without bit-fields || status=1
row "without function pointers" --without function-pointers || status=1
row "stubs that only return" --stubs baseline || status=1
exit $status
