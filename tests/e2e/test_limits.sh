# SPDX-License-Identifier: Apache-2.0
# Limits of time hold whatever the code under test does; what they cut off is said. The
# seconds here are ten times as wide as what `make bench-limits` measures.
. "$(dirname "$0")/lib.sh"
sh "$root/bench/limits_cases.sh" "$work"

# ends NAME [options]: within --time and ten seconds, ten times as wide
ends() {
    ends_name=$1; shift
    timeout 130 "$cadenza" run "$ends_name.c" --time 2 -q -j1 -o "$ends_name" "$@" >"$ends_name.log" 2>&1
    ends_code=$?
    if [ $ends_code -ne 124 ] && [ -s "$ends_name/summary.json" ]; then
        ok "$ends_name: ends in time"
    else
        not_ok "$ends_name: ends in time" "exit $ends_code: $(cat "$ends_name.log")"
    fi
}

for name in stops blocks destructor; do
    ends $name
done
equals "stops: the other branch is covered" 1 \
    "$(grep -c '^  covered .*x > 5: false' stops/goals.txt)"
check "stops: no alarm" sh -c '! sqlite3 stops/cadenza.db "select * from alarms" | grep .'
check "blocks: no alarm" sh -c '! sqlite3 blocks/cadenza.db "select * from alarms" | grep .'

# A replay whose constructor does not end: nothing is covered, and the reason is said.
ends constructor
equals "constructor: nothing is covered" 0 "$(json constructor/summary.json '$.totals.branches_covered')"

# Proofs do not delay the search.
timeout 250 "$cadenza" run cases1000.c --iterations 1200 --time 60 -q -j1 -o cases --no-sanitize >/dev/null 2>&1
equals "switch of 1000 cases: what is open was proven" 1 \
    "$(json cases/summary.json '$.totals.branches_infeasible')"
equals "switch of 1000 cases: all else is covered" 2005 \
    "$(json cases/summary.json '$.totals.branches_covered')"
finish
