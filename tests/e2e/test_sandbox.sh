# SPDX-License-Identifier: Apache-2.0
# What code under test does to others: a table of attacks (tests/golden/sandbox/attacks.c), from a
# task, a constructor and a destructor, in search, replay and sanitized replay; and targets that
# turn against the engine. Harm is looked for from outside.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/sandbox
names=$(sed -n 's/^    A(\([a-z0-9_]*\),.*/\1/p' "$golden/attacks.c")

check "the table has at least 60 attacks" test "$(echo "$names" | wc -l)" -ge 60

make_victims() { # CELL...
    rm -rf victims
    mkdir victims
    sleep 3600 >/dev/null 2>&1 &
    victim=$!
    echo $victim >victims/process
    for cell in "$@"; do
        mkdir "victims/$cell"
        for name in $names; do echo safe >"victims/$cell/$name"; done
        mkfifo "victims/$cell/ran"
        (: >"victims/$cell/ran" && : >"seen-$cell") >/dev/null 2>&1 & # waits for a reader
    done
    look >before
}
look() {
    find victims -mindepth 2 -printf '%P %m %U %G %s %T@ %l\n' | sort
    find victims -type f -name '[a-z]*' -exec cat {} + | cksum
    grep -E 'Cpus_allowed_list|State' /proc/$victim/status | sed 's/State:.*Z.*/dead/'
    cat /proc/$victim/limits /proc/$victim/oom_score_adj
    cut -d' ' -f18,19,40,41 /proc/$victim/stat
    ls /dev/shm/cadenza-harm /tmp/cadenza-harm 2>/dev/null
    ipcs -m -q -s 2>/dev/null | grep -c '^0x'
    true
}
harmless() { # TITLE
    look >after
    if diff before after >difference; then ok "$1"; else not_ok "$1" "$(head -n 5 difference)"; fi
}
nothing_left() { # TITLE DIRECTORY
    equals "$1" "" "$(pgrep -af "$PWD/$2/" | head -n 3)"
}
stop_victims() {
    kill $victim 2>/dev/null
    for pipe in victims/*/ran; do # whoever still waits
        : <>"$pipe"
    done
    wait
}

# ---- a program of its own says what each call thought ----
make_victims attacks-task
clang-19 -w -DALONE "-DVICTIMS=\"$PWD/victims\"" "$golden/attacks.c" -o attacks
mkdir -p scratch
"$root/build/cadenza-jail" --scratch "$PWD/scratch" -- "$PWD/attacks" >thought 2>&1
for name in $names; do
    equals "attack $name" "$name held" "$(grep "^$name " thought)"
done
harmless "a program in the jail harms nobody"
check "it ran" test -e seen-attacks-task
equals "nothing of it is left" "" "$(pgrep -f "$PWD/attacks")"
equals "nor in its scratch directory" "" "$(ls scratch)"
stop_victims

# ---- the parts of a run ----
part() { # PART MACRO CELL...
    part=$1
    macro=$2
    shift 2
    rm -f seen-*
    make_victims "$@"
    "$cadenza" run "$golden/attacks.c" --task task -o "$part" -q --iterations 20 --no-inference -- \
        "-D$macro" "-DVICTIMS=\"$PWD/victims\"" >/dev/null 2>"$part.err"
    nothing_left "$part: nothing is left behind by a run" "$part"
    "$cadenza" replay "$part" -q >/dev/null 2>&1
    nothing_left "$part: nor by a replay" "$part"
    harmless "$part: nobody is harmed"
    for cell in "$@"; do
        check "$part: the attacks took place in $cell" test -e "seen-$cell"
    done
    stop_victims
}
part task IN_TASK target-task replay-task replay-sanitized-task
# In the search constructors do not run: the driver gives static state its values.
part constructor IN_CONSTRUCTOR replay-constructor replay-sanitized-constructor
part destructor IN_DESTRUCTOR replay-destructor replay-sanitized-destructor

# ---- targets that turn against the engine ----
"$cadenza" run "$golden/hostile.c" -o hostile -q --iterations 60 --no-inference 2>hostile.err
equals "a campaign survives hostile targets" 0 $?
for task in scribbles closes babbles shrinks; do
    equals "$task: what lies beside it is covered" covered "$(sqlite3 hostile/cadenza.db "select verdict from goals
        where kind = 'branch' and outcome = 1 and function = (select id from functions where name = '$task')
        order by line desc limit 1")"
done
equals "none of it is a crash" 0 "$(json hostile/summary.json '$.totals.alarms')"
check "it is said that executions destroyed what is shared" grep -q "destroyed what the engine shares" hostile/summary.json
nothing_left "nothing is left of them" hostile

# ---- kernels that have less ----
clang-19 "$golden/less.c" -lseccomp -o less
make_victims attacks-task
./less n "$root/build/cadenza-jail" --scratch "$PWD/scratch" -- "$PWD/attacks" >thought 2>&1
equals "without namespaces the attacks fail as well" "" "$(grep -v ' held$' thought)"
harmless "and nobody is harmed"
equals "nor is anything left" "" "$(pgrep -f "$PWD/attacks")"
stop_victims
printf 'int f(int x) { if (x > 3) return 1; return 0; }\n' >plain.c
./less n "$cadenza" run plain.c -o less_n -q
check "what is missing is said" grep -q "sandbox is incomplete on this system: no namespaces" less_n/summary.json
./less nl "$cadenza" run plain.c -o less_nl -q
check "Landlock, too" grep -q "no Landlock: it can write files" less_nl/summary.json
equals "and goals are covered nonetheless" 2 "$(json less_nl/summary.json '$.totals.branches_covered')"
check "a complete kernel needs no words" test "$("$root/build/cadenza-jail" --probe | grep -c ' 0$')" -gt 0 -o \
    -z "$(grep -l 'sandbox is incomplete' task/summary.json)"

# ---- without it ----
"$cadenza" run plain.c -o off -q --no-sandbox 2>off.err
equals "--no-sandbox runs" 0 $?
check "and says what it gives up" grep -q "can write and remove files" off.err
check "also in the result" grep -q "without a sandbox" off/summary.json
check "replay has it, too" sh -c "'$cadenza' replay off -q --no-sandbox 2>&1 | grep -q 'can write and remove'"
finish
