# SPDX-License-Identifier: Apache-2.0
# Uninitialised values and missing results: what they decide is an alarm at the line of the
# decision and never a proof; copying them, and code that only looks suspicious, is neither.
. "$(dirname "$0")/lib.sh"
inputs=$root/tests/golden/claims/uninit

# marked FILE: the lines with the comment "use"
marked() { grep -n '// use$' "$inputs/$1" | cut -d: -f1 | tr '\n' ' '; }
# alarms DIRECTORY [PROOF]: lines of alarms for uninitialised values
alarms() {
    sqlite3 :memory: "select json_extract(value, '\$.line') from
        json_each(json_extract(cast(readfile('$1/summary.json') as text), '\$.alarms'))
        where json_extract(value, '\$.cause') = 'uninitialised'
        and json_extract(value, '\$.reproduced') like '${2:-%}' order by 1" | sort -un | tr '\n' ' '
}
# task DIRECTORY FUNCTION KEY
task() {
    sqlite3 :memory: "select json_extract(value, '\$.$3') from
        json_each(json_extract(cast(readfile('$1/summary.json') as text), '\$.tasks'))
        where json_extract(value, '\$.function') = '$2'"
}

# ---- uses ----
"$cadenza" run "$inputs/uses.c" -o uses --time 20 -q >uses.log 2>&1 || not_ok "uses: runs" "$(cat uses.log)"
equals "each use is an alarm at its line, and nothing else is" "$(marked uses.c)" "$(alarms uses)"
equals "MemorySanitizer confirms them" "$(marked uses.c)" "$(alarms uses '%sanitizers%')"
equals "nothing behind them is infeasible" 0 "$(grep -c ' infeasible' uses/goals.txt)"
for f in shallower scalar in_a_loop small_result big_result missing_result \
    missing_big_result passed_by switched on_the_heap variable_length from_alloca other_bits compared \
    handed_on; do
    check "$f: the other outcome is open because of it" \
        sh -c "sed -n '/^$f()/,/^\$/p' uses/goals.txt |
               grep -q 'undetermined.*uninitialised memory'"
done
equals "index: what is reached with initialised elements is covered" 4 "$(task uses at_an_index branches_covered)"
check "uses: tests replay identically" "$cadenza" replay uses

# ---- no uses ----
"$cadenza" run "$inputs/fine.c" -o fine --time 20 -q >fine.log 2>&1 || not_ok "fine: runs" "$(cat fine.log)"
equals "copies, bit-fields, out-parameters, libraries and stubs: no alarm" "" "$(alarms fine)"
for f in bits wide_bits cleared filled filled_in_part out_parameters all_ways grows uses_result; do
    equals "$f: what cannot be is still infeasible" 1 \
        "$(sed -n "/^$f()/,/^\$/p" fine/goals.txt | grep -c '^  infeasible.*: \(true\|false\)')"
done

# ---- nothing confirms it ----
"$cadenza" run "$inputs/unconfirmed.c" -o unconfirmed --time 5 >unconfirmed.log 2>&1
equals "a printed value is an alarm without confirmation" "$(marked unconfirmed.c)" \
    "$(alarms unconfirmed 'nothing confirmed it')"
check "the table says so" grep -q 'nothing' unconfirmed.log
equals "it is counted" 1 "$(json unconfirmed/summary.json '$.totals.alarms')"
"$cadenza" run "$inputs/unconfirmed.c" -o off --time 5 --no-check uninitialised -q >/dev/null 2>&1
equals "it can be turned off" "" "$(alarms off)"
if [ -f "$root/build/ilp32/libczrt.a" ]; then
    "$cadenza" run "$inputs/uses.c" -o narrow --time 20 -q -- -m32 >narrow.log 2>&1
    equals "32-bit code has no MemorySanitizer: the alarms stand" "$(marked uses.c)" \
        "$(alarms narrow 'nothing confirmed it')"
    "$cadenza" run "$inputs/fine.c" -o fine32 --time 20 -q -- -m32 >fine32.log 2>&1
    equals "32-bit code: no alarm where there is no use" "" "$(alarms fine32)"
fi
finish
