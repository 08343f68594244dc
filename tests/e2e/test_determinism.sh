# SPDX-License-Identifier: Apache-2.0
# Same seed and iterations: byte-identical tests, also under load.
. "$(dirname "$0")/lib.sh"

for file in valves fig5 quickstart; do
    "$cadenza" run "$root/examples/$file.c" -o a -q --iterations 150 --seed 7 --time 0
    sh -c 'while :; do :; done' & busy=$!
    sh -c 'while :; do :; done' & busy2=$!
    "$cadenza" run "$root/examples/$file.c" -o b -q --iterations 150 --seed 7 --time 0
    kill $busy $busy2
    check "$file: identical tests under load" diff -r a/tests b/tests
    check "$file: there are tests" sh -c 'ls a/tests/*/0001.test'
    equals "$file: says that it is reproducible" 1 "$(json b/summary.json '$.reproducible')"
done
finish
