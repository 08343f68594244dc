# SPDX-License-Identifier: Apache-2.0
# cadenza replay and show, and run directories that were cut short or damaged.
. "$(dirname "$0")/lib.sh"

"$cadenza" run "$root/examples/quickstart.c" -o run -q || not_ok "quickstart runs"
check "replay of all tests" "$cadenza" replay run
first=$(cd run && ls tests/*/*.test | head -n 1)
check "replay of one test" "$cadenza" replay run "$first"
exits "replay of a test that is not there" 2 "no such test" "$cadenza" replay run tests/none/0001.test
exits "replay of a directory that is not there" 3 "nowhere" "$cadenza" replay nowhere
exits "show lists goals" 0 "covered" "$cadenza" show run
printf 'nonsense\n' >run/cadenza.db
exits "a corrupt database is named" 3 "cadenza.db" "$cadenza" show run

# A second run in the same directory starts from nothing.
printf 'int f(int x) { return x > 3 ? 1 : 2; }\nint g(int x) { return x > 4 ? 1 : 2; }\n' >two.c
"$cadenza" run two.c -o again -q
equals "both functions are covered" 4 "$(json again/summary.json '$.totals.branches_covered')"
"$cadenza" run two.c -o again -q --task g
equals "coverage of an earlier run does not count" 2 "$(json again/summary.json '$.totals.branches_covered')"

# errno is an input when a task begins, in the engine and in the clean build.
cat >last.c <<'C'
#include <errno.h>
int failed(int x) { int e = errno; if (e != 0) return 1; return x == 3 ? 2 : 3; }
C
"$cadenza" run last.c -o last -q --iterations 50
equals "errno begins as in the engine" "4 []" \
    "$(json last/summary.json '$.totals.branches_covered') $(json last/summary.json '$.disagreements')"

# The clean build goes on behind a read at which only the engine stops: what it covers
# there counts, whichever test it is, beside a test that really crashes.
cat >behind.c <<'C'
static int a[4];
int b[64]; /* so that there is something behind a */
#define READ(n) case n: r = a[4 + (i & 3)]; if (r > n) r -= n; return r;
int f(int what, int i, const int *p)
{
    int r;
    switch (what) {
    READ(1) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7) READ(8) READ(9) READ(10)
    case 11: return *p;
    }
    return 0;
}
C
"$cadenza" run behind.c -o behind -q
equals "goals behind the engine's end are covered, each by its test" "10 10 []" \
    "$(grep -c 'covered .*r > [0-9]*: false  -- test f/' behind/goals.txt) $(
        grep 'r > [0-9]*: false' behind/goals.txt | sed 's/.*-- test//' | sort -u | wc -l) $(
        json behind/summary.json '$.disagreements')"

cat >slow.c <<'C'
int easy(int x) { return x > 3 ? 1 : 2; }
int hard(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; if (s == 123456789) return 1; return 0; }
C
"$cadenza" run slow.c -o killed -q --time 30 --patience 1000000000 & pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s killed/cadenza.db ] && break # which is written last
    sleep 0.5
done
kill -9 $pid
wait $pid 2>/dev/null
check "a killed run leaves a readable directory" "$cadenza" show killed
check "and tests that replay" "$cadenza" replay killed
finish
