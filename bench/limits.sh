# SPDX-License-Identifier: Apache-2.0
# The limits of a run, measured: seconds (of the clock) beside the promised ones. A row's
# promise is --time, ten seconds for all that follows the search, and the set-up, which is
# what a run with --iterations 1 of the same file takes. Run it on a quiet machine.
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cadenza-limits.XXXXXX")
trap 'rm -rf "$work"' EXIT
sh "$root/bench/limits_cases.sh" "$work" || exit 1
cd "$work" || exit 1

# seconds COMMAND...: how long it takes; 600 at most
seconds() {
    begin=$(date +%s.%N)
    timeout 600 "$@" >/dev/null 2>&1
    echo "$begin $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }'
}

row() { printf '%-34s %10s %10s  %s\n' "$1" "$2" "$3" "$(awk -v a="$2" -v b="$3" 'BEGIN { print a <= b ? "kept" : "NOT KEPT" }')"; }
printf '%-34s %10s %10s\n' limit measured promised

for name in stops blocks constructor destructor touches writes threads; do
    row "--time 3: $name" "$(seconds "$root/build/cadenza" run $name.c --time 3 -q -j1 -o out-$name)" 15
done
for name in cases1000 cases3000 lines; do
    setup=$(seconds "$root/build/cadenza" run $name.c --time 1 --iterations 1 --no-proofs -q -j1 -o setup-$name)
    all=$(seconds "$root/build/cadenza" run $name.c --time 5 -q -j1 -o out-$name)
    row "--time 5: $name" "$all" "$(echo "$setup" | awk '{ print $1 + 15 }')"
done

begin=$(date +%s)
timeout 600 "$root/build/cadenza" run functions.c --time 1 -j2 -q -o out-functions >/dev/null 2>&1 & run=$!
while [ ! -s out-functions/summary.json ] && kill -0 $run 2>/dev/null; do sleep 1; done
row "10,000 functions: first results" "$(($(date +%s) - begin))" 60
kill $run 2>/dev/null
wait $run 2>/dev/null

for memory in 1200 2048; do
    "$root/build/cadenza" run interpreter.c --time 60 --strategy bfs --elements 400 --memory $memory -q -j1 \
        --no-proofs --no-inference -o out-memory >/dev/null 2>&1 & run=$!
    most=0
    while kill -0 $run 2>/dev/null; do
        for worker in $(pgrep -P $run); do
            now=$(awk '/^Name/ { ours = $2 == "cadenza" } /^VmHWM/ && ours { print int($2 / 1024) }' "/proc/$worker/status" 2>/dev/null)
            [ "${now:-0}" -gt $most ] && most=$now
        done
        sleep 0.2
    done
    row "--memory $memory: MB of the worker" $most $((memory * 12 / 10))
done
