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

for name in stops blocks destructor threads; do
    ends $name
done
equals "stops: the other branch is covered" 1 \
    "$(grep -c '^  covered .*x > 5: false' stops/goals.txt)"
check "stops: no alarm" sh -c '! sqlite3 stops/cadenza.db "select * from alarms" | grep .'
check "blocks: no alarm" sh -c '! sqlite3 blocks/cadenza.db "select * from alarms" | grep .'

# A replay whose constructor does not end: nothing is covered, and the reason is said.
ends constructor
equals "constructor: nothing is covered" 0 "$(json constructor/summary.json '$.totals.branches_covered')"
printf '#include <unistd.h>\n__attribute__((constructor)) static void c(void) { _exit(3); }\nint f(int x) { return x > 3 ? 1 : 2; }\n' >leaves.c
"$cadenza" run leaves.c -o leaves -q --iterations 20 >/dev/null 2>&1
equals "a constructor that leaves: the reason is said" 2 \
    "$(grep -c 'the process that replays tests ended too early' leaves/goals.txt)"
equals "a constructor that leaves: engine and clean build do not disagree" 0 \
    "$(sqlite3 leaves/cadenza.db "select count(*) from messages where kind = 'disagreement'")"

# Proofs do not delay the search.
timeout 250 "$cadenza" run cases1000.c --iterations 1200 --time 60 -q -j1 -o cases --no-sanitize >/dev/null 2>&1
equals "switch of 1000 cases: what is open was proven" 1 \
    "$(json cases/summary.json '$.totals.branches_infeasible')"
equals "switch of 1000 cases: all else is covered" 2005 \
    "$(json cases/summary.json '$.totals.branches_covered')"
equals "switch of 1000 cases: what each test covers is recorded" "2005 1" "$(sqlite3 -separator ' ' cases/cadenza.db \
    "select count(distinct goal), (select count(*) from test_goals c join goals g on g.id = c.goal
     where c.test = 1 and g.is_case and g.outcome) from test_goals")"
check "... in few rows" test "$(sqlite3 cases/cadenza.db 'select count(*) from test_spans')" -lt 6000

# A test for which the run had no time is no difference when it is replayed.
sqlite3 cases/cadenza.db "update tests set outcome = 'not replayed: --time' where number = 1"
exits "a test that the run had no time to replay" 0 "^0 of 1 tests as recorded, 1 not replayed by the run" \
    "$cadenza" replay cases tests/cases1000/0001.test
finish
