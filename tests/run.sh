#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All tests: unit and property tests (under ASan and UBSan), agreement of evaluator and
# solvers, then the command line as a user would run it, and what happens to it when things fail
# around it (tests/fault, also among the unit tests); as many parts at a time as there
# are cores. Ends with the counts. tests/run.sh NAME runs what matches.
set -u
cd "$(dirname "$0")/.."

# A program of cmocka groups; one that dies (sanitizer report) counts as a failure of its own.
run_groups() { # NAME PROGRAM LOG
    "$2" $filter >"$3" 2>&1
    status=$?
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$3" | awk '{s+=$1} END {print s+0}')
    # cmocka names a failed test twice, when it fails and in the list at the end
    f=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s).*/\1/p' "$3" | awk '{s+=$1} END {print s+0}')
    [ $status -ne 0 ] && [ "$f" -eq 0 ] && [ -z "$filter" ] && f=1
    name=$1
}

run_script() { # SCRIPT LOG
    sh "$1" >"$2" 2>&1
    p=$(grep -c '^ok ' "$2")
    f=$(grep -c '^not ok ' "$2")
    grep -q '^done$' "$2" || f=$((f + 1)) # ended early
    name=$(basename "$1" .sh)
}

# One part, in a process of its own. Writes its counts; shows its log if something failed.
if [ "${1:-}" = --part ]; then
    filter=$TEST_FILTER
    log=$TEST_RESULTS/$(basename "$2").log
    case $2 in
        build/unit-tests) run_groups "unit tests" "$2" "$log" ;;
        build/agreement-tests) run_groups "agreement tests" "$2" "$log" ;;
        *) run_script "$2" "$log" ;;
    esac
    echo "$p $f" >"$TEST_RESULTS/$(basename "$2").counts"
    # what its processes used, user and system together: the second line of times, "1m2.3s 0m4.5s"
    times >"$log.times" # not in a subshell, which has children of its own
    spent=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] }
                                   printf "%.0f", s }' "$log.times")
    { [ "$f" -eq 0 ] || cat "$log"; echo "$name: $p passed, $f failed, $spent s of processor time"; } >"$log.shown"
    cat "$log.shown" # at once, or the output of two parts would be mixed
    exit
fi

TEST_FILTER=${1:-}
TEST_RESULTS=$(mktemp -d) && trap 'rm -rf "$TEST_RESULTS"' EXIT
export TEST_FILTER TEST_RESULTS
export ASAN_OPTIONS=detect_leaks=${CADENZA_LEAKS:-1}
export LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0
{
    echo build/unit-tests
    echo build/agreement-tests
    for script in tests/e2e/test_*.sh tests/fault/test_*.sh; do
        case $script in *"$TEST_FILTER"*) echo "$script" ;; esac
    done
} >"$TEST_RESULTS/parts"
xargs -P "$(nproc)" -n 1 sh tests/run.sh --part <"$TEST_RESULTS/parts"

# A part that left no counts was killed.
awk -v parts="$(wc -l <"$TEST_RESULTS/parts")" '
    { passed += $1; failed += $2; n++ }
    END { failed += parts - n; print ""; print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }
' "$TEST_RESULTS"/*.counts
