# SPDX-License-Identifier: Apache-2.0
# A small part of `make attack`: what Cadenza says about three generated units withstands the
# attack, and the attack notices claims that are false. Budgets are counts, not clocks.
. "$(dirname "$0")/lib.sh"
tools=$root/build/attack

check "the generator runs" "$tools/generate" 5 one
check "the generator runs again" "$tools/generate" 5 two
check "the same seed gives the same unit" diff -r one two

export STATE=$work/state KEEP=1 ITERATIONS=100 BUDGET='--iterations 100'
FROM=1 TO=3 sh "$root/tests/attack/attack.sh" >log 2>&1
equals "no claim about three generated units is false" 0 $?
grep '^FALSE\|^UNCONFIRMED\|^cadenza ended\|failed' log
total() { sed -n "s/^total:.* $1=\([0-9]*\).*/\1/p" log; }
check "claims were attacked" test "$(total attacked)" -gt 20
check "covered goals were confirmed" test "$(total confirmed)" -gt 200

FROM=1 TO=3 sh "$root/tests/attack/attack.sh" >again 2>&1
equals "a second call finds nothing left to do" "$(grep '^total' log)" "$(cat again)"

# The attacker's eyes: what the tests of a run cover, claimed to be infeasible, is refuted; what
# is not reached, claimed to be covered by a test, is not confirmed.
attack() { "$tools/attacker" one 5 "$cadenza" "$root/tests/attack/rt" "$tools/rt" 100; }
"$cadenza" run one/unit.c -o one/out -j1 -q $BUDGET >run.log 2>&1
sqlite3 one/out/cadenza.db "UPDATE verdicts SET verdict = 'infeasible', reason = '', proof = 'a lie'
    WHERE verdict = 'covered' AND task IN (SELECT id FROM tasks WHERE function IN ('fn0', 'fn1'));
    UPDATE verdicts SET verdict = 'covered', test = 1 WHERE verdict LIKE 'infeasible%' AND proof <> 'a lie'"
attack >lies 2>&1
equals "the attacker's exit code tells of false claims" 1 $?
check "a reachable goal that is called infeasible is found" grep -q 'FALSE strong claim: .* a lie$' lies
check "an unreached goal that is called covered is found" grep -q 'UNCONFIRMED covered goal' lies

# The defects that show what it finds (put_back.sh) still fit the engine.
for defect in "$root"/tests/attack/defects/*.patch; do
    check "$(basename "$defect" .patch) can be put back" sh -c "cd '$root' && git apply --check '$defect'"
done
finish
