# SPDX-License-Identifier: Apache-2.0
# A run of a project is killed (SIGKILL, all of it) at random moments and resumed: the result must be
# that of a run that nobody disturbed. KILLS=50 SEED=1.
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cadenza-kills.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf '[' >compile_commands.json
for i in 1 2 3 4 5; do
    cat >"unit$i.c" <<C
#include <string.h>
static int state;
int first_$i(int x, const char *text) { if (x > $i * 100 && text && !strcmp(text, "k$i")) state++; return state > 1; }
int second_$i(unsigned n, int *p) { int s = 0; for (unsigned k = 0; k < n && k < 5; k++) { if (p[k] == $i) s += 2; else if (p[k] < 0) s--; } return s; }
C
    [ $i -gt 1 ] && printf ',' >>compile_commands.json
    printf '{"directory": "%s", "file": "unit%s.c", "command": "cc -c unit%s.c"}' "$work" $i $i >>compile_commands.json
done
printf ']\n' >>compile_commands.json

run() { "$root/build/cadenza" run -p . -o "$1" -q --iterations 60 --time 0 -j2 $2 >/dev/null 2>&1; }
# What a run found, without the seconds that it took.
picture() {
    (cd "$1" && find . -name '*.test' -o -name 'goals.txt' | sort | xargs cksum)
    sed 's/"[a-z_]*seconds": [0-9.e+-]*//g; s/"resumed": [a-z0-9]*//g' "$1/summary.json" | grep -v '"version"'
}
begin=$(date +%s%N)
run cut
took=$((($(date +%s%N) - begin) / 1000000))
picture cut >expected
same=0
kills=${KILLS:-50}
for n in $(seq "$kills"); do
    rm -rf cut
    setsid "$root/build/cadenza" run -p . -o cut -q --iterations 60 --time 0 -j2 >/dev/null 2>&1 &
    leader=$!
    after=$(awk -v n="$n" -v seed="${SEED:-1}" -v t="$took" 'BEGIN { srand(seed * 1000 + n); printf "%.3f", rand() * t / 1000 }')
    sleep "$after"
    kill -9 -- -$leader 2>/dev/null
    wait $leader 2>/dev/null
    run cut --resume
    picture cut >got
    if cmp -s expected got; then same=$((same + 1)); else
        echo "kill $n after $after s: different"
        diff expected got | head -5
    fi
done
echo "$same of $kills killed runs resumed to the identical result (a run takes $took ms)"
[ "$same" = "$kills" ]
