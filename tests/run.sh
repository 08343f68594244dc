#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All tests: unit and property tests (under ASan and UBSan), agreement of evaluator and
# solvers, then the command line as a user would run it. Ends with the counts.
# tests/run.sh NAME runs what matches.
set -u
cd "$(dirname "$0")/.."
filter=${1:-}
log=$(mktemp) && trap 'rm -f "$log"' EXIT
passed=0 failed=0

export ASAN_OPTIONS=detect_leaks=${CADENZA_LEAKS:-1}
export LSAN_OPTIONS=suppressions=tests/lsan.supp:print_suppressions=0
# run_groups NAME PROGRAM: a program of cmocka groups
run_groups() {
    "$2" $filter >"$log" 2>&1
    status=$?
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$log" | awk '{s+=$1} END {print s+0}')
    f=$(grep -c '^\[  FAILED  \] [a-zA-Z_]' "$log")
    # A group that dies (sanitizer report) counts as a failure of its own.
    [ $status -ne 0 ] && [ "$f" -eq 0 ] && [ -z "$filter" ] && f=1
    [ "$f" -gt 0 ] && cat "$log"
    echo "$1: $p passed, $f failed"
    passed=$((passed + p)) failed=$((failed + f))
}
run_groups "unit tests" build/unit-tests
run_groups "agreement tests" build/agreement-tests

for script in tests/e2e/test_*.sh; do
    case $script in *"$filter"*) ;; *) continue ;; esac
    sh "$script" >"$log" 2>&1
    p=$(grep -c '^ok ' "$log")
    f=$(grep -c '^not ok ' "$log")
    grep -q '^done$' "$log" || f=$((f + 1)) # ended early
    [ "$f" -gt 0 ] && cat "$log"
    echo "$(basename "$script" .sh): $p passed, $f failed"
    passed=$((passed + p)) failed=$((failed + f))
done

echo
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
