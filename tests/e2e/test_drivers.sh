# SPDX-License-Identifier: Apache-2.0
# Golden drivers, compared by behaviour: tests written by hand are given to the generated
# drivers of tests/golden/drivers in the clean build. A block
#     // TEST task: exit 7
#     // input arg:x | int | 3
# in a source is such a test; the task makes the exit status from what it receives, so a
# driver that puts a value anywhere else is seen. Every input must have a taker.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/drivers

# tests SOURCE DIR: its TEST blocks as DIR/N.test, what they expect in DIR/N.expected
tests() {
    mkdir -p "$2"
    awk -v dir="$2" '
        function finish() { if (open) { print inputs > (dir "/" n ".inputs"); open = 0 } }
        /^\/\/ TEST / {
            finish(); n++; open = 1; inputs = 0; task = $3; sub(/:$/, "", task)
            print "task " task > (dir "/" n ".test")
            sub(/^\/\/ TEST [^:]*: /, ""); print > (dir "/" n ".expected"); print task > (dir "/" n ".task")
            next
        }
        /^\/\/ input / && open { inputs++; sub(/^\/\/ /, ""); print > (dir "/" n ".test"); next }
        { finish() }
        END { finish() }' "$1"
}

# behaviour REPLAY TEST: "exit 7, 3 inputs"
behaviour() { "$1" "$2" 2>/dev/null | awk -F '\t' 'END { print $2 ", " $3 + 0 " inputs" }'; }

# golden NAME SOURCE REPLAY: the tests of SOURCE behave so in this clean build
golden() {
    tests "$2" "$1.tests"
    for file in "$1".tests/*.test; do
        at=${file%.test}
        equals "$1: $(cat "$at.task") $(basename "$at")" "$(cat "$at.expected"), $(cat "$at.inputs") inputs" \
            "$(behaviour "$3" "$file")"
    done
}

for name in memory functions state libc bounds; do
    check "$name: a driver" "$cadenza" run "$golden/$name.c" -o "$name" -q --iterations 1
    golden "$name" "$golden/$name.c" "$name/harness/$name.c/clean/replay"
done

cp "$golden"/stubs/*.[ch] .
check "stubs: a driver" "$cadenza" run unit.c other.c -o stubs -q --iterations 1
golden stubs unit.c stubs/files/unit.c/harness/unit.c/clean/replay

# With stubs that only return, what they would write has no taker, and arrives nowhere.
check "baseline: a driver" "$cadenza" run unit.c other.c -o base -q --stubs baseline --iterations 1
printf 'task by_global\ninput stub:update#1:g_mode | int | 7\n' >base.test
equals "baseline: nothing is written" "exit 1, 0 inputs" \
    "$(behaviour base/files/unit.c/harness/unit.c/clean/replay base.test)"

mkdir names
cp "$golden"/names/*.[ch] names
check "names: a driver" "$cadenza" run names/unit.c names/other.c -o own -q --iterations 1
golden names names/unit.c own/files/names/unit.c/harness/unit.c/clean/replay

# A type of a prototype's own cannot be said anywhere else: that costs the task, not the file.
cat >own_type.c <<'C'
int first(int x) { return x > 1 ? 2 : 3; }
void call(void (*f)(struct nowhere { int a; } *p), int x) { if (x > 3) f(0); }
int last(int x) { return x > 5 ? 7 : 9; }
C
exits "a driver that does not compile does not stop the file" 6 "task call: its driver does not compile" \
    "$cadenza" run own_type.c -o own_type --iterations 20
equals "... the other tasks are tested" 4 "$(json own_type/summary.json '$.totals.branches_covered')"
equals "... its goals are open" 2 "$(json own_type/summary.json '$.totals.branches_undetermined')"
exits "nothing is left" 4 "conflicting types" "$cadenza" run own_type.c --task call -o own_type --iterations 20
finish
