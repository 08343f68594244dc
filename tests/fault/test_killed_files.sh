# SPDX-License-Identifier: Apache-2.0
# The process of a file of a project is killed: the other file is finished, nothing half done is
# left, and --resume does what is missing, to the result of a run that nobody disturbed.
. "$(dirname "$0")/../e2e/lib.sh"

cat >long.c <<'C'
int slow(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i * n;
    return s == 123456789 ? 1 : n == 5;
}
C
printf 'int quick(int x) { if (x == 77) return 1; return 0; }\n' >short.c
run() { "$cadenza" run long.c short.c -o "$1" -q -j 2 --time 0 --iterations 60 ${2:-} >"$1.log" 2>&1; }
run undisturbed
cp -r undisturbed cut

# An earlier result of the file stays until there is another one.
"$cadenza" run long.c short.c -o cut -q -j 2 --time 300 --iterations 100000000 \
    --patience 100000000 >cut.log 2>&1 &
run=$!
for _ in $(seq 600); do
    [ -s cut/files/.long.c.part/tests/slow/0001.test ] && [ -s cut/files/short.c/manifest ] && break
    kill -0 $run 2>/dev/null || break
    sleep 0.1
done
victim=
for child in $(pgrep -P $run -x cadenza); do # the one that has a worker is the slow file's
    [ -n "$(pgrep -P "$child" -x cadenza)" ] && victim=$child
done
check "the file is under way" test -n "$victim"
check "its earlier result is there" cmp undisturbed/files/long.c/goals.txt cut/files/long.c/goals.txt
kill -9 "${victim:-$run}"
wait $run
equals "a killed process of a file: exit code" 7 $?
check "it is said" grep -q "long.c: its process ended early (signal 9)" cut.log
equals "nothing half done is left" "" "$(find cut/files -name '*.part')"
check "its earlier result is still there" cmp undisturbed/files/long.c/goals.txt cut/files/long.c/goals.txt
run cut --resume
equals "the resumed run: exit code" 0 $?
for what in goals.txt files/long.c/tests files/short.c/tests; do
    check "the same $what as undisturbed" diff -r undisturbed/$what cut/$what
done
finish
