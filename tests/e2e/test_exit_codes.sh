# SPDX-License-Identifier: Apache-2.0
# Exit codes of runs in which something is missing, and what summary.json says of them.
. "$(dirname "$0")/lib.sh"

cat >long.c <<'C'
int f(unsigned a, unsigned b)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 400; i++) // more paths than any time suffices for
        if (((a * 2654435761u) ^ (b + i)) % 7 == i % 5)
            n++;
    return n == 399;
}
C

# worker PID DIRECTORY: the worker of a run, as soon as it has a test: before that a child of the same
# name may be a compiler that is about to be started
worker() {
    for _ in $(seq 600); do
        [ -s "$2/tests/f/0001.test" ] && pgrep -P "$1" -x cadenza | head -1 | grep . && return
        kill -0 "$1" || return
        sleep 0.1
    done
}

# killed NAME SIGNAL CODE CODES: a worker gets a signal
killed() {
    "$cadenza" run long.c -o "$1" --time 60 >"$1.out" 2>&1 &
    run=$!
    victim=$(worker $run "$1")
    [ -n "$victim" ] && kill -"$2" "$victim"
    wait $run
    equals "a worker that gets SIG$2: exit code" "$3" $?
    equals "a worker that gets SIG$2: summary.json" "$4" "$(json "$1/summary.json" '$.exit_codes')"
    check "a worker that gets SIG$2: it is said" grep -q "task f: the worker ended early (signal" "$1.out"
}
killed segv SEGV 6 '[6]'
killed kill KILL 7 '[7,6]'

printf 'int g(int x) { return x > 0; }\n' >good.c
printf 'int b(int x) { return y; }\n' >bad.c
printf 'int z(int x) { return 1 / x; }\n__attribute__((annotate("cz_public"))) int p(int *q) { return *q; }\n' >div.c
printf '#include <stdlib.h>\nint main(int argc, char **argv) { return argc > 1 && argv[1][0] == 7 ? 1 / (argc - 2) : 0; }\n' >bug.c
exits "a run that is done" 0 "Results" "$cadenza" run good.c -o done --iterations 20
equals "and its summary.json" '[0]' "$(json done/summary.json '$.exit_codes')"
exits "a file of several that fails" 6 "1 failed" "$cadenza" run good.c bad.c -o two --iterations 20
equals "and its summary.json" '[6]' "$(json two/summary.json '$.exit_codes')"
exits "all files fail" 3 "2 failed" "$cadenza" run bad.c bad.c -o none --iterations 20
exits "bugs" 1 "bug" "$cadenza" run --program bug.c --arg 1 -o bugs --iterations 60
equals "and its summary.json" '[1]' "$(json bugs/summary.json '$.exit_codes')"
printf 'precondition g: x > 3\nprecondition g: x < 2\n' >cadenza.pre
exits "a task without a test" 6 "task g got no test" "$cadenza" run good.c -o untested --iterations 20
equals "and its summary.json" '[6]' "$(json untested/summary.json '$.exit_codes')"
exits "quiet runs say it, too" 6 "task g got no test" "$cadenza" run good.c -o untested --iterations 20 -q
rm cadenza.pre
exits "no memory" 7 "memory\|temporarily unavailable" sh -c "ulimit -v 900000; '$cadenza' run good.c -o memory --iterations 20"

# Documented once, and the same everywhere.
for code in 0 1 2 3 4 5 6 7; do
    check "cadenza(1) explains exit code $code" \
        awk -v code=$code '/^\.SH EXIT STATUS/ {in_it = 1} in_it && $0 == code {found = 1} END {exit !found}' "$root/man/cadenza.1"
done
finish
