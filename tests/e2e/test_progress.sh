# SPDX-License-Identifier: Apache-2.0
# What is shown on a terminal while a run goes on: a line per worker and a bar, in place,
# not wider than the terminal, and gone at the end. script(1) is the terminal.
. "$(dirname "$0")/lib.sh"

# Two tasks with so many paths that they use all their time, side by side.
cat >a.c <<'C'
static int busy(const unsigned char *p, int wanted)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        if (p[i] & 1) sum += p[i] > 100 ? 3 : 5; else sum += p[i] > 50 ? 7 : 11;
    if (sum == wanted && p[0] + p[1] == 1000) return 1;
    return 0;
}
int first_task_with_a_long_name(unsigned char p[10]) { return busy(p, 33); }
int second(unsigned char p[10]) { return busy(p, 34); }
C
printf 'int third(int x) { if (x > 5) return 1; return 0; }\n' >b.c

# on_terminal COLUMNS NAME [options]: what a terminal got, in NAME.seen; stdout is a file
on_terminal() {
    columns=$1 name=$2; shift 2
    env -u NO_COLOR TERM=xterm COLUMNS="$columns" ${colour:+NO_COLOR=$colour} \
        script -qec "'$cadenza' run a.c b.c -o '$name' -j 2 $* >'$name.table'" /dev/null \
        </dev/null >"$name.seen" 2>&1
}
escape=$(printf '\033')
# The pictures one by one, without escapes: each line as the terminal shows it.
pictures() { sed "s/$escape\\[[0-9]*[AJKm]/\\n/g" "$1" | tr -d '\r'; }

on_terminal 80 wide --time 5
check "a bar with files and tasks" sh -c "grep -q '\[#*\.*\] file 2/2, [0-9]/[123] tasks, [0-9]*:[0-9][0-9] ' wide.seen"
pictures wide.seen >wide.lines
check "a line per worker" sh -c "grep -q '^  first_task_with_a_long_nam  *[0-9]*/[0-9]* branches, [0-9]* executions' wide.lines && grep -q '^  second  *[0-9]*/[0-9]* branches' wide.lines"
check "redrawn in place" grep -q "$escape\\[[1-9]A" wide.seen
check "in colour" grep -q "$escape\\[32m\\[" wide.seen
equals "nothing is left on the screen" "$(printf '\033[J')" "$(tail -c 3 wide.seen)"
check "the table is there" grep -q '^total' wide.table

on_terminal 30 narrow --iterations 500
equals "a narrow terminal does not wrap" 0 "$(pictures narrow.seen | awk 'length($0) > 29' | wc -l)"
check "and has its bar" sh -c "grep -q '\[#*\.*\] file 2/2' narrow.seen"

colour=1
on_terminal 80 plain --iterations 50
check "NO_COLOR is respected" sh -c "grep -q '\] file 2/2' plain.seen && ! grep -q '$escape\\[[0-9]*m' plain.seen"
on_terminal 80 quiet --iterations 50 -q
equals "silent with -q" "" "$(cat quiet.seen)"
on_terminal 80 json --iterations 50 --json
equals "silent with --json" "" "$(cat json.seen)"
equals "silent in a pipe" "" "$("$cadenza" run a.c b.c -o pipe --iterations 50 2>&1 >/dev/null)"
finish
