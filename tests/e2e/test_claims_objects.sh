# SPDX-License-Identifier: Apache-2.0
# Constructs that drivers must cope with, and what objects of drivers leave open: weak symbols,
# padding, arrays of unknown size, buffers of exactly their length.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/claims/objects

# ---- constructs ----

for std in -std=gnu89 -std=c89 -ansi; do
    check "C90 driver: $std" "$cadenza" run "$golden/c90.c" -o c90 -q --iterations 3 -- $std -pedantic-errors
done
equals "C90 driver: it builds with the original file too" 0 "$(json c90/summary.json '$.notes' | grep -c 'lines are those')"

check "va_list: a driver" "$cadenza" run "$golden/va_list.c" -o va -q --iterations 200
equals "va_list: preconditions are looked for" 0 "$(grep -c 'could not be looked for' va/summary.json)"

check "alias: a driver" "$cadenza" run "$golden/alias.c" -o alias -q --iterations 200
equals "alias: all branches" "6 6" \
    "$(json alias/summary.json '$.totals.branches_covered') $(json alias/summary.json '$.totals.branches')"

exits "builtin of gcc: a sentence" 3 'builtin.c:2: clang does not have __builtin_add_overflow_p' \
    "$cadenza" run "$golden/builtin.c" -o builtin -q

# nested NAME OPEN INNER CLOSE COUNT: INNER between COUNT times OPEN and CLOSE in a function
nested() {
    awk -v open="$2" -v inner="$3" -v close_="$4" -v n="$5" 'BEGIN {
        printf "int f(int x) { "
        for (i = 0; i < n; i++) printf "%s", open
        printf "%s", inner
        for (i = 0; i < n; i++) printf "%s", close_
        printf " return 0; }\n" }' >"$1.c"
    check "deep nesting: $1" "$cadenza" run "$1.c" -o "$1" -q --iterations 50
    equals "deep nesting: $1 covered" 2 "$(json "$1/summary.json" '$.totals.branches_covered')"
}
awk 'BEGIN { for (k = 1000; k <= 5000; k += 4000) { f = "parentheses_" k ".c"; printf "int f(int x) { if (" > f
    for (i = 0; i < k; i++) printf "(" > f; printf "x" > f; for (i = 0; i < k; i++) printf ")" > f
    print " > 3) return 1; return 0; }" > f }
    f = "terms_5000.c"; printf "int f(int x) { int y = x" > f
    for (i = 1; i < 5000; i++) printf " + x" > f; print "; if (y > 3) return 1; return 0; }" > f }'
for name in parentheses_1000 parentheses_5000 terms_5000; do
    check "deep nesting: $name" "$cadenza" run "$name.c" -o "$name" -q --iterations 50
    equals "deep nesting: $name, both branches" 2 "$(json "$name/summary.json" '$.totals.branches_covered')"
done
nested blocks_2000 "{" "if (x > 3) return 1;" "}" 2000
awk 'BEGIN { print "int f(int x) {"; for (i = 0; i < 2500; i++) printf "%sif (x == %d) return %d;\n", i ? "else " : "", i, i
    print "return -1; }" }' >chain.c
check "deep nesting: 2500 else-ifs" "$cadenza" run chain.c -o chain -q --iterations 1 --no-proofs
awk 'BEGIN { printf "int f(int x) { return "; for (i = 0; i < 20000; i++) printf "("; printf "x"
    for (i = 0; i < 20000; i++) printf ")"; print "; }" }' >too_deep.c
exits "deep nesting: what is too deep is said" 3 "bracket nesting level\|nests too deeply" "$cadenza" run too_deep.c -o too_deep -q

# ---- weak symbols ----

check "weak: a driver" "$cadenza" run "$golden/weak.c" -o weak -q --iterations 300
for task in by_function by_result by_variable by_hook by_alias only_called; do
    equals "weak: $task is covered both ways" 0 \
        "$(sed -n "/^$task()/,/^\$/p" weak/goals.txt | grep -c 'undetermined\|infeasible')"
done
for task in by_constant by_table by_local_table; do
    equals "weak: $task stays open" 1 "$(sed -n "/^$task()/,/^\$/p" weak/goals.txt | grep -c 'undetermined')"
done
equals "weak: absence is an input" 1 "$(cat weak/tests/by_function/*.test | grep -c '^input choice:weak:weakfn .*# absent')"
check "weak: the clean build agrees" "$cadenza" replay weak
cat >program.c <<'C'
extern int opt(int) __attribute__((weak));
extern int var __attribute__((weak));
int main(int argc, char **argv) { if (opt) return opt(argc); if (&var) return var; return argv[0] == 0; }
C
check "weak: a whole program" "$cadenza" run --program program.c -o program -q --iterations 50
equals "weak: in a whole program the linker decides" 2 \
    "$(grep -c 'covered .*\(opt\|&var\): false' program/goals.txt)"

# ---- far behind the elements ----

check "far: a driver" "$cadenza" run "$golden/far.c" -o far -q --iterations 600 --no-inference
for task in far_text far_number far_record far_stride far_argument inside; do
    equals "far: all of $task() is covered" 0 \
        "$(sed -n "/^$task()/,/^\$/p" far/goals.txt | grep -c 'undetermined\|infeasible')"
done
check "far: what is too far names the bound" \
    grep -q 'infeasible_assuming .*p\[1000\] == 5: true .*within bound --elements 256' far/goals.txt
equals "far: no alarm inside an object" 0 "$(grep -c '^alarm.*inside()' far/goals.txt)"
check "far: tests replay" "$cadenza" replay far -q

# ---- flexible array members ----

check "flexible: a driver" "$cadenza" run "$golden/flexible.c" -o flexible -q --iterations 600 --no-inference
for task in of_variable of_records of_pointer of_member; do
    equals "flexible: all of $task() is covered" 0 \
        "$(sed -n "/^$task()/,/^\$/p" flexible/goals.txt | grep -c 'undetermined\|infeasible')"
done
equals "flexible: no alarm in another file's variable" 0 "$(grep -c '^alarm.*_variable()' flexible/goals.txt)"
equals "flexible: nothing is infeasible" 0 "$(grep -c '^ *infeasible' flexible/goals.txt)"
check "flexible: tests replay" "$cadenza" replay flexible -q

# ---- arrays without a bound ----

check "open array: a driver" "$cadenza" run "$golden/open_array.c" -o open -q --iterations 300
equals "open array: no alarm from the driver's bound" 0 "$(json open/summary.json '$.totals.alarms')"
equals "open array: a constant index is inside" 2 "$(grep -c '^ *covered .*tab\[20\] == 3' open/goals.txt)"
equals "open array: nothing is infeasible" 0 "$(grep -c '^ *infeasible' open/goals.txt)"

# ---- padding ----

check "padding: a driver" "$cadenza" run "$golden/padding.c" -o padding -q --iterations 300
equals "padding: bytes between members are inputs" "36 36" \
    "$(json padding/summary.json '$.totals.branches_covered') $(json padding/summary.json '$.totals.branches')"
check "padding: the clean build agrees" "$cadenza" replay padding

finish
