# SPDX-License-Identifier: Apache-2.0
# Preconditions: assumed (cz_assume, cadenza.pre), inferred from alarms, judged by the calls
# of the project, confirmed and rejected.
. "$(dirname "$0")/lib.sh"

alarms() { json "$1/summary.json" '$.totals.alarms'; }
run() { "$cadenza" run --iterations 200 -q "$@"; }
code() { "$@" >/dev/null 2>&1; echo $?; }

# ---- cz_assume and cz_public in the code ----
cat > assume.c <<'C'
#include <cz/cadenza.h>
struct s { int n; };
static cz_public int hidden(int x)
{
    cz_assume(x > 10);
    if (x < 5)
        return 1;
    return 100 / (x - 10);
}
int two(struct s *q)
{
    cz_assume(q && q->n < 4);
    if (q->n > 100)
        return 7;
    return q->n;
}
int call_hidden(void) { return hidden(12); }
C
check "code with cz_assume runs" run assume.c -o assume
equals "a run that violates an assumption is no alarm" 0 "$(alarms assume)"
check "a static cz_public function is a task" test -f assume/tests/hidden/0001.test
check "what only violations reach is infeasible, and says so" \
    grep -q 'infeasible_assuming .*x < 5: true .*, assuming .*precondition: cz_assume() in the code' assume/goals.txt
check "behind a pointer, too" grep -q 'infeasible_assuming .*q->n > 100: true .*precondition: ' assume/goals.txt
equals "no kept test violates it" "" "$(grep -l 'arg:x | int | [0-9]$\|arg:x | int | -' assume/tests/hidden/*)"
check "the kept tests replay" "$cadenza" replay assume
check "other compilers see nothing of it" sh -c "clang-19 -Werror -Wall -Wno-unused-function -I'$root/include' -c assume.c -o assume.o && ! nm assume.o | grep cz_"

cat > public.c <<'C'
#include <cz/cadenza.h>
int mode;
cz_public int share(int a, unsigned char b) { return 7 / b + a; }
cz_public int by_state(int a) { return a / (mode & 1); }
C
equals "a crash of a public function by its arguments alone is a bug" 1 "$(code run public.c -o public)"
equals "not one that a variable brings about" 1 "$(json public/summary.json '$.totals.bugs')"
echo 'precondition share: b != 0' > cadenza.pre
equals "nor one that a confirmed precondition rules out" 0 "$(code run public.c -o public)"
rm cadenza.pre

# ---- written by hand ----
cat > hand.c <<'C'
#define SIZE 16
struct dev { int len; int tab[SIZE]; };
int adjust(struct dev *p, int index)
{
    if (!p)
        return -1;
    if (p->len > 64)
        return 3;
    return p->tab[index];
}
int fill(char *to, unsigned char pad, unsigned size)
{
    if (size > 40)
        return 1;
    for (unsigned i = 0; i != size; i++)
        to[i] = (char)pad;
    return 0;
}
C
cat > cadenza.pre <<'P'
# what adjust() expects
precondition adjust: p != NULL
precondition hand.c:adjust: index >= 0 && index < SIZE // the table
confirmed precondition adjust: p->len <= 64
precondition other.c:adjust: index == 3
rejected precondition adjust: index == 5
inferred precondition adjust: index == 6
precondition fill: to != NULL && size <= count(to)
P
check "a file of preconditions is read" run hand.c -o hand
equals "they rule the alarms out" 0 "$(alarms hand)"
check "macros are those of the file" grep -q 'index < 16' hand/harness/hand.c/driver.c
check "goals behind them are infeasible under them, by name" \
    grep -q 'infeasible_assuming .*p->len > 64: true .*precondition: p != NULL, .*p->len <= 64' hand/goals.txt
equals "neither other files', nor rejected, nor inferred ones are assumed" 0 \
    "$(grep -c 'index == [356]' hand/harness/hand.c/driver.c)"
check "count() is about the buffer" grep -q 'infeasible_assuming\|undetermined .*size > 40: true' hand/goals.txt
sed 's/p->len/p->length/' cadenza.pre > wrong.pre
exits "an expression that is not C names file, line and what may stand there" 2 \
    'wrong.pre:4: precondition of adjust: no member named .length.*its parameters (p, index)' \
    run hand.c -o hand --pre wrong.pre
printf 'precondition adjust: p != NULL\nadjust: index < 3\n' > wrong.pre
exits "a line that is none says what a line is" 2 "wrong.pre:2: .*'precondition FUNCTION: EXPRESSION'" \
    run hand.c -o hand --pre wrong.pre
check "--pre none ignores the file" run hand.c -o bare --pre none
check "and then there are alarms" test "$(alarms bare)" -gt 0
printf 'precondition adjust: index > 3\nprecondition adjust: index < 3\n' > wrong.pre
"$cadenza" run hand.c -o contradiction --pre wrong.pre --iterations 100 --task adjust > out 2>&1
check "a contradiction proves nothing and is noted" sh -c \
    "! grep -q infeasible contradiction/goals.txt && grep -q 'task adjust: none of' out"
rm cadenza.pre

# ---- inferred ----
cat > infer.c <<'C'
#include <stdlib.h>
struct dev { int len; int mode; };
static int table[16];
int lookup(unsigned index) { return table[index]; }
int either(int index) { return table[index]; }
int divide(int a, unsigned char b) { return a / b; }
int deref(struct dev *p) { return p->len; }
int cased(struct dev *p, int mode) { if (mode == 3) return p->len; return 0; }
int sum(const unsigned char *list, unsigned char first, unsigned char last)
{
    int s = 0;
    for (unsigned i = first; i < last; i++)
        s += list[i];
    return s;
}
int stubbed(void) { extern int outside(void); return table[outside()]; }
int fine(struct dev *p) { return p ? p->len : 0; }
int main(int argc, char **argv)
{
    struct dev d = {0, 1};
    int s = 0;
    (void)argv;
    for (int i = 0; i < 16; i++)
        s += lookup((unsigned)i);
    s += either(argc);
    if (argc != 0)
        s += divide(5, (unsigned char)(argc & 7 | 1));
    struct dev *q = malloc(sizeof *q);
    if (q)
        s += deref(q);
    s += deref(&d);
    s += cased(&d, argc);
    s += cased(0, 3);
    return s + fine(0);
}
C
check "alarms are explained" run infer.c -o infer
expected() { grep -qF "$1" infer/preconditions.txt; }
check "an index below N" expected 'precondition lookup: index < 16 // out of bounds at infer.c:4'
check "an index that may be negative" expected 'precondition either: index >= 0 && index < 16'
check "a divisor that is not zero" expected 'precondition divide: b != 0'
check "a pointer that is not NULL" expected 'precondition deref: p != NULL'
check "only in the case that needs it" expected 'precondition cased: mode != 3 || p != NULL'
equals "not about what a stub returns, and not where nothing is wrong" 0 \
    "$(grep -c 'stubbed\|fine' infer/preconditions.txt)"
check "a call in range respects it" expected 'respects infer.c:24 in main: s += lookup((unsigned)i);'
check "a test before the call, too" expected 'respects infer.c:30 in main: s += deref(q);'
check "an unknown argument may violate it" expected 'may violate infer.c:25 in main: s += either(argc);'
check "a constant visibly violates it" expected 'violates infer.c:33 in main: s += cased(0, 3);'
check "an alarm's story tells it" sh -c "'$cadenza' show infer alarm-1 | grep -q 'ruled out by the precondition lookup: index < 16, which all call sites respect'"
"$cadenza" pre list infer > list
check "what is violated is asked first" sh -c "head -1 list | grep -q 'inferred .*cased: mode'"
check "alarms that all calls rule out are told apart" grep -q 'the alarm is ruled out' list
equals "and not counted" "$(json infer/summary.json '$.totals.alarms')" \
    "$(sqlite3 infer/cadenza.db "select count(*) from alarms where line not in (4,6,7)")"
equals "the user's directory is as it was" "" "$(ls cadenza.pre 2>/dev/null)"
run infer.c -o again
equals "inference repeats byte for byte" "$(sed 1d infer/preconditions.txt)" "$(sed 1d again/preconditions.txt)"
check "--no-inference leaves it" run infer.c -o none --no-inference
equals "and finds none" "[]" "$(json none/summary.json '$.preconditions')"

# ---- answering ----
"$cadenza" pre list infer --json > list.json
id() { sqlite3 :memory: "select json_extract(value,'\$.id') from json_each(json_extract(cast(readfile('list.json') as text),'\$.preconditions')) where json_extract(value,'\$.function')='$1'"; }
check "confirm" "$cadenza" pre confirm infer "$(id lookup)" "$(id cased)"
check "reject" "$cadenza" pre reject infer "$(id either)"
check "the file has the answers" sh -c "grep -q '^confirmed precondition lookup: index < 16' cadenza.pre && grep -q '^rejected precondition either' cadenza.pre"
check "all that calls rule out" "$cadenza" pre confirm infer --ruled-out
check "among them the divisor" grep -q '^confirmed precondition divide: b != 0' cadenza.pre
check "a later run" run infer.c -o later
equals "a confirmed one is assumed: no alarm there" "" \
    "$(sqlite3 later/cadenza.db "select line from alarms where line in (4,6,7,8)")"
equals "a rejected one is not offered again" 0 "$(grep -c 'index >= 0' later/preconditions.txt)"
check "its alarm stays" sqlite3 -bail later/cadenza.db "select 1/count(*) from alarms where line=5"
check "list has the file's, too" sh -c "'$cadenza' pre list later | grep -q 'confirmed  *lookup: index < 16'"
check "a file can be listed by itself" sh -c "'$cadenza' pre list cadenza.pre | grep -q 'rejected  *either'"
check "an answer can be changed" "$cadenza" pre confirm cadenza.pre "$(id either)"
check "in its place" sh -c "grep -q '^confirmed precondition either' cadenza.pre && ! grep -q ^rejected cadenza.pre"
exits "an ID that is not there" 2 "none of these IDs" "$cadenza" pre confirm infer 000000
exits "no run" 2 "there is no nowhere" "$cadenza" pre list nowhere
exits "no answer" 2 "say list, confirm or reject" "$cadenza" pre
rm cadenza.pre

# ---- a project: calls from other files, through pointers, and the callers' own ----
mkdir proj
cat > proj/lib.c <<'C'
struct box { int *data; int n; };
int box_get(struct box *b, int i) { return b->data ? b->data[0] + i : 0; }
int box_two(struct box *b) { return box_get(b, 1) + box_get(b, 2); }
int handler(struct box *b) { return b->n; }
C
cat > proj/main.c <<'C'
struct box { int *data; int n; };
int box_get(struct box *b, int i);
int box_two(struct box *b);
int handler(struct box *b);
static int (*const table[])(struct box *) = {handler};
int main(int argc, char **argv)
{
    struct box b = {&argc, 1};
    (void)argv;
    return box_get(&b, 3) + box_two(&b) + table[argc & 0](&b);
}
C
printf '[{"directory":"%s","file":"lib.c","command":"cc -c lib.c"},{"directory":"%s","file":"main.c","command":"cc -c main.c"}]' \
    "$work/proj" "$work/proj" > proj/compile_commands.json
check "a project" run -p proj -o project
equals "no alarm remains that the calls rule out" 0 "$(alarms project)"
check "a caller in another file" grep -q 'respects main.c:10 in main' project/preconditions.txt
check "a caller that presumes the same" grep -q 'respects lib.c:3 in box_two' project/preconditions.txt
check "a call through a pointer" sh -c "grep -A1 'precondition handler: b != NULL' project/preconditions.txt | grep -q 'respects main.c:10'"
check "answers go beside compile_commands.json" "$cadenza" pre confirm project --ruled-out
check "into cadenza.pre" grep -q 'confirmed precondition box_get: b != NULL' proj/cadenza.pre
sed -i 's/^int main.*/int other(void)/; s/{&argc, 1}/{0, 1}/; s/(void)argv;//; s/argc & 0/0/' proj/main.c
rm proj/cadenza.pre
check "without main()" run -p proj -o library
check "others may call: nothing is ruled out" test "$(alarms library)" -gt 0
finish
