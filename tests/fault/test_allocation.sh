# SPDX-License-Identifier: Apache-2.0
# An allocation fails, early or late, in the first process or in a worker: the run says so and ends
# with the code for "try again", or what failed did not matter. It never crashes.
. "$(dirname "$0")/../e2e/lib.sh"
cp "$root/tests/fault/small.c" .

# run FAULT: the exit code
run() {
    rm -rf out
    CZ_FAULT=$1 "$root/build/cadenza-faults" run small.c -o out --iterations 20 >out.txt 2>&1
}
ends_cleanly() { # NAME FAULT
    run "$2"
    case $? in
    7) check "$1: says why" grep -q 'out of memory' out.txt ;;
    0) equals "$1: it did not matter" 10 "$(grep -c '^  covered' out/goals.txt)" ;;
    *) not_ok "$1" "$(cat out.txt)" ;;
    esac
}
for n in 1 2 3 5 8 20 60 150 400 1000 2500 6000; do
    ends_cleanly "allocation $n of the first process fails" parent:$n
done
run parent:60
equals "it is the first process that fails" 7 $?
for n in 1 7 30 90 250 700; do
    ends_cleanly "allocation $n of a worker fails" worker:$n
done
run worker:30
equals "it is the worker that fails" 7 $?
check "its task is named" grep -q 'task classify: the worker ended early (exit code 7)' out.txt
run parent:100000000
equals "without a fault all is covered" 10 "$(grep -c '^  covered' out/goals.txt)"
finish
