# SPDX-License-Identifier: Apache-2.0
# What tests show on the clean build is kept with them: results, what has changed behind pointers
# and in variables, calls of stubs in order, registers that are written.
. "$(dirname "$0")/lib.sh"

cat >o.c <<'C'
#include <stdlib.h>
struct node { int v; unsigned flag : 3; struct node *next; double d; char name[4]; union { int a; float b; } u; };
int counter;
static int table[5], untouched;
int get_rpm(int channel, const struct node *n);
void notify(unsigned char what);
int change(struct node *n, int m)
{
    if (!n)
        return -1;
    if (m == 7) {
        counter += get_rpm(m, n) == 4711;
        notify(200);
        n->v = -3;
        n->flag = 5;
        n->d = 1.5;
        n->name[1] = 'x';
        n->u.a = 258;
        table[2] = 9;
    }
    return untouched - untouched + 5;
}
struct node *find(struct node *n, int k) { return n && n->v == k ? n : n ? n->next : NULL; }
struct pair { short a; float b; };
struct pair twins(short a) { struct pair p = {a == 4 ? 4 : -1, 0.25f}; return p; }
int total(int x) { static int sum; sum += x == 3; if (sum == 2) return 1; return 0; }
int dies(int *p) { notify(1); *p = 4; if (counter == 3) abort(); return 0; }
void gives_back(int *p, int x) { if (p && x == 2) { *p = 1; free(p); } }
int reads(const char *text) { return text && text[0] == 'a'; }
#define REG (*(volatile unsigned *)0x40021000)
void device(unsigned x) { REG = 7; if (x == 9) REG = 8; }
void large(int *p, int n) { if (p && n == 400) for (int i = 0; i < n; i++) p[i] = i; }
void one(int *p) { if (p) *p = 6; }
C
"$cadenza" run o.c -o o --iterations 300 >o.out 2>&1
db() { sqlite3 -separator ' = ' "$run/cadenza.db" "$1"; }
# seen TASK CONDITION: what the first test of the task shows in which an output is so
seen() {
    db "select o.path, o.value from test_outputs o join tasks t on t.id = o.task where t.function = '$1' and o.test =
        (select min(x.test) from test_outputs x where x.task = t.id and $2) order by position" | tr '\n' ';'
}
run=o
equals "members, bits, floats, bytes of a union, variables, stubs in order" \
    "stub:get_rpm#1 = called;stub:get_rpm#1:channel = 7;stub:get_rpm#1:n = -> arg:n;stub:notify#1 = called;stub:notify#1:what = 200;return = 5;arg:n->v = -3;arg:n->flag = 5;arg:n->d = 0x1.8p+0;arg:n->name[0..3] = 0 120 0 0;arg:n->u = 02 01 00 00;table[0..4] = 0 0 9 0 0;" \
    "$(seen change "path = 'arg:n->flag'" | sed 's/counter = 1;//')"
equals "what has not changed is left out" 0 "$(db "select count(*) from test_outputs where path = 'untouched'")"
equals "a result" "return = -1;" "$(seen change "value = '-1'")"
equals "an object by its pointer" "return = -> arg:n;" "$(seen find "value = '-> arg:n'")"
equals "NULL" "return = NULL;" "$(seen find "value = 'NULL'")"
equals "no address is a value" 0 "$(db "select count(*) from test_outputs where type like '%*' and value not in ('NULL', 'non-NULL') and value not like '-> %'")"
equals "one element, named as an input is" "arg:p[0] = 6;" "$(seen one "value = '6'")"
equals "a record as result" "return.a = 4;return.b = 0x1p-2;" "$(seen twins "path = 'return.a' and value = '4'")"
equals "each call of a sequence" "return = 0;call2:return = 1;" "$(seen total "path = 'call2:return' and value = '1'")"
equals "a test that crashes: what came before" "stub:notify#1 = called;stub:notify#1:what = 1;" \
    "$(db "select o.path, o.value from test_outputs o join tests x on x.task = o.task and x.number = o.test
        join tasks t on t.id = o.task where t.function = 'dies' and x.crashed and x.outcome = 'signal SIGSEGV' order by position" | tr '\n' ';')"
equals "what was freed is not looked at" 0 "$(db "select count(*) from test_outputs o join tasks t on t.id = o.task where t.function = 'gives_back'")"
equals "what is const cannot change" "return" "$(db "select distinct path from test_outputs o join tasks t on t.id = o.task where t.function = 'reads'")"
equals "registers in the order of writing" "REG = 7;REG = 8;" "$(seen device "value = '8'")"
exits "show tells it" 0 "^      arg:n->flag = 5 (unsigned int)" "$cadenza" show o
check "replayed as recorded" "$cadenza" replay -q o
equals "engine and clean build agree" '[]' "$(json o/summary.json '$.disagreements')"
"$cadenza" run o.c -o again --iterations 300 >/dev/null 2>&1
outputs='select function, test, position, path, type, value from test_outputs o join tasks t on t.id = o.task order by 1, 2, 3'
sqlite3 o/cadenza.db "$outputs" >first
sqlite3 again/cadenza.db "$outputs" >second
check "another run shows the same" cmp first second
"$cadenza" run o.c -o narrow --iterations 300 --data-model ilp32 >/dev/null 2>&1
run=narrow
equals "with 32 bits, too" "return = 5;arg:n->v = -3;arg:n->flag = 5;arg:n->d = 0x1.8p+0;" \
    "$(seen change "path = 'arg:n->flag'" | sed 's/.*\(return = 5;\)/\1/; s/arg:n->name.*//')"
"$cadenza" run o.c --task large -o large --elements 500 --iterations 100 >/dev/null 2>&1
run=large
check "what is cut says so" test "$(db "select count(*) from tests where outputs_cut")" -ge 1
check "with a line for the reader" sh -c "'$cadenza' show large | grep -q 'and more that was not kept'"
equals "the engine's target has none of it" 0 "$(nm o/harness/o.c/target 2>/dev/null | grep -c 'cz_watch\|cz_saw')"
check "it is there to be looked at" test -f o/harness/o.c/target
finish
