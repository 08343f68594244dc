# SPDX-License-Identifier: Apache-2.0
# A signal ends a run soon, with exit code 7; what was found is written, and no process is left. The
# promise is a second; the test allows ten.
. "$(dirname "$0")/lib.sh"

cat >long.c <<'C'
int quick(int x) { if (x == 77) return 1; return 0; }
int slow(unsigned a, unsigned b)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 400; i++) // more paths than any time suffices for
        if (((a * 2654435761u) ^ (b + i)) % 7 == i % 5)
            n++;
    return n == 399;
}
C
cp long.c other.c
sed -i 's/quick/brief/; s/slow/lengthy/' other.c

# ends NAME SIGNAL READY COMMAND...: the command gets the signal once READY, a shell condition, holds
ends() {
    name=$1 sig=$2 ready=$3; shift 3
    # What a shell starts in the background ignores SIGINT.
    env --default-signal=INT,HUP,PIPE setsid "$@" >"$name.out" 2>&1 &
    run=$!
    for _ in $(seq 1200); do
        eval "$ready" && break
        kill -0 $run 2>/dev/null || break
        sleep 0.1
    done
    eval "$ready" && ok "$name: is under way" || not_ok "$name: is under way" "$(cat "$name.out")"
    before=$(date +%s)
    kill -"$sig" $run
    (sleep 20; kill -KILL $run 2>/dev/null) & # a run that goes on fails, and does not hang the test
    guard=$!
    wait $run
    equals "$name: exit code" 7 $?
    kill $guard 2>/dev/null
    took=$(($(date +%s) - before))
    [ $took -le 10 ] && ok "$name: ends soon" || not_ok "$name: ends soon" "$took s"
    check "$name: says why" grep -q "interrupted by SIG$sig" "$name.out"
    # All of its processes are in its session.
    for _ in $(seq 50); do
        [ -z "$(ps -o pid= -s $run)" ] && break
        sleep 0.1
    done
    equals "$name: no process is left" "" "$(ps -o pid=,comm= -s $run)"
}
budget="--time 300 --patience 1000000 -j 2"
for sig in INT TERM HUP PIPE; do
    ends one_$sig $sig "[ -s one_$sig/summary.json ] && [ -s one_$sig/tests/slow/0001.test ]" \
        "$cadenza" run long.c -o one_$sig $budget
    equals "one_$sig: summary.json" '[7,6]' "$(json one_$sig/summary.json '$.exit_codes')"
    equals "one_$sig: the finished task" 2 \
        "$(sqlite3 one_$sig/cadenza.db "select branches_covered from tasks where function = 'quick'")"
    check "one_$sig: the task under way" test -s one_$sig/tests/slow/0001.test
    check "one_$sig: show reads it" "$cadenza" show one_$sig
done
ends building TERM "[ -d building/harness/long.c ]" "$cadenza" run long.c -o building $budget
ends project INT "[ -s project/files/.other.c.part/tests/lengthy/0001.test ]" \
    "$cadenza" run long.c other.c -o project $budget
equals "project: summary.json" 7 "$(json project/summary.json '$.exit_codes[0]')"
check "project: what its files found is there" test -s project/files/long.c/summary.json
equals "nothing is left in TMPDIR" "" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -newer long.c -name 'cadenza-facts*')"
finish
