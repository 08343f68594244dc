# SPDX-License-Identifier: Apache-2.0
# What is behind pointers that the unit does not make itself: memory of allocators, arrays
# and records that other files define, pointers into one array, long chains of pointers.
# Every task here can run without a fault, and a driver that builds too little keeps it from
# doing so.
. "$(dirname "$0")/lib.sh"

# of FILE TASK: "covered/all, alarms" of a task, in the run directory out
of() {
    sqlite3 -separator ', ' "out/files/$1/cadenza.db" \
        "select branches_covered || '/' || branches, alarms from tasks where function = '$2'"
}

# clean FILE TASK: has a test that does not crash
clean() {
    sqlite3 "out/files/$1/cadenza.db" "select count(*) > 0 from tests x join tasks t on t.id = x.task
        where t.function = '$2' and not x.crashed"
}

# ---- allocators ----

cat >alloc.h <<'C'
#include <stddef.h>
void *xmalloc(size_t n);
void *xzalloc(size_t n);
void die(const char *text) __attribute__((noreturn));
const char *translate(const char *text);
/* of a vendor, not in the project: the attribute says what they do, a name alone would not */
void *pvPortMalloc(size_t wanted) __attribute__((alloc_size(1)));
void *pool_calloc(unsigned count, unsigned size, int flags) __attribute__((alloc_size(1, 2)));
void *vendor_realloc(void *block, size_t old_size, size_t new_size) __attribute__((alloc_size(3)));
C
cat >xmalloc.c <<'C'
#include <stdlib.h>
#include "alloc.h"
void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        die(translate("memory exhausted"));
    return p;
}
void *xzalloc(size_t n)
{
    char *p = xmalloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = 0;
    return p;
}
C
cat >die.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "alloc.h"
static const char *languages[2];
const char *translate(const char *text) { return languages[1] ? languages[1] : text; }
void die(const char *text) { fprintf(stderr, "%s\n", text); exit(2); }
C
cat >user.c <<'C'
#include "alloc.h"
int own(unsigned char last)
{
    unsigned char *p = xmalloc(100), *q = xzalloc(50);
    p[99] = last;
    return p[99] == 77 ? 1 : 2 + q[49];
}
int vendors(unsigned n)
{
    if (n == 0 || n > 500)
        return 0;
    char *p = pvPortMalloc(n);
    if (!p)
        return -1;
    p[n - 1] = 'x';
    int *table = pool_calloc(n, sizeof *table, 0);
    if (!table)
        return -2;
    table[n - 1] = 5;
    p = vendor_realloc(p, n, n + 20);
    if (!p)
        return -3;
    p[n + 19] = 'y';
    return 1;
}
C

# ---- arrays and records ----

cat >shapes.h <<'C'
struct shape { int kind; };
struct circle { int kind; int radius; struct shape *next; };
struct square { struct shape base; long side; };
C
cat >tables.c <<'C'
unsigned char window[300];
C
cat >arrays.c <<'C'
#include "shapes.h"
extern unsigned char window[];
int look(unsigned at)
{
    if (at >= 300)
        return -1;
    return window[at] == 9 ? 1 : 0;
}
int area(const struct shape *s)
{
    if (!s)
        return 0;
    if (s->kind == 1) {
        const struct circle *c = (const struct circle *)s;
        return c->radius == 77 ? 1 : c->next ? 2 : 3;
    }
    const struct square *q = (const struct square *)s;
    return q->side == 123456 ? 4 : 5;
}
void *new_box(int owner);
int box(int owner)
{
    struct square *s = (struct square *)new_box(owner);
    if (!s)
        return 0;
    return s->side == 99 ? 1 : 2;
}
struct entry { struct entry *left, *right; int key; };
struct cache { struct entry *of[60]; };
int sum(struct cache *c)
{
    int total = 0;
    for (int i = 0; i < 60; i++)
        total += c->of[i]->key;
    return total;
}
C

# The members are not in the order in which they point; only the code tells it.
cat >stack.c <<'C'
struct stack { int *top, *cap, *floor; };
int push(struct stack *s, int value)
{
    if (s->cap - s->top < 1)
        return -1;
    if (s->top - s->floor == 1)
        return 0;
    *s->top++ = value;
    return (int)(s->top - s->floor);
}
int pop(struct stack *s)
{
    if (s->top - s->floor < 1)
        return -1;
    return *--s->top;
}
C

# Thirty pointers in a row that the code does not expect to be NULL, among many others.
cat >chain.h <<'C'
struct word { int extra; };
struct state { struct state *left, *right; struct word *seen[4]; int depth, count; };
struct word *make_word(struct state *s, int number);
C
cat >chain.c <<'C'
#include "chain.h"
int words(struct state *s, int last)
{
    for (int i = 0; i < 30; i++)
        make_word(s, i)->extra = i + 1;
    return last == 5;
}
C
cat >maker.c <<'C'
#include "chain.h"
static struct word all[30];
struct word *make_word(struct state *s, int number)
{
    if (s && s->left && s->right) {
        s->left->right = s->right->left;
        s->right->seen[number & 3] = &all[number % 30];
        s->left->depth++;
        s->count++;
    }
    return number < 30 ? &all[number] : 0;
}
C
check "a run" "$cadenza" run user.c xmalloc.c die.c arrays.c tables.c stack.c chain.c maker.c -o out -q --iterations 3000

equals "an allocator whose failure never returns" "2/2, 0" "$(of user.c own)"
check "it runs as it is" sh -c '! grep -q "xmalloc(.*)$" out/files/user.c/harness/user.c/driver.c'
equals "a vendor's allocators, which may fail" "10/10, 0" "$(of user.c vendors)"
check "their stubs build with the file as it is" sh -c '! grep -q "did not" out/files/user.c/summary.json'
equals "bounds of an array in another file" "4/4, 0" "$(of arrays.c look)"
equals "records that begin alike" "10/10" "$(of arrays.c area | cut -d, -f1)"
equals "what a stub returns is what it is converted to" "4/4, 0" "$(of arrays.c box)"
equals "more pointers than are inputs" 1 "$(clean arrays.c sum)"
equals "where the top of a stack is" "4/4, 1" "$(of stack.c push)"
equals "pushes can succeed" 1 "$(clean stack.c push)"
equals "and pops" "2/2, 1" "$(of stack.c pop | cut -d, -f1), $(clean stack.c pop)"
equals "a chain of pointers is gone through" "2/2, 1" "$(of chain.c words | cut -d, -f1), $(clean chain.c words)"
check "all replay" "$cadenza" replay out

# ---- one task of a project ----

check "a task of one of the files" "$cadenza" run user.c arrays.c stack.c -o one -q --iterations 50 --task pop --task area
equals "and only that" "area pop" \
    "$(sqlite3 one/cadenza.db "select group_concat(function, ' ') from (select function from tasks order by 1)")"
exits "a task of none" 3 "defines no function 'nowhere'" "$cadenza" run user.c stack.c -o none --task nowhere

# ---- a crash is no way out of a loop ----

cat >first.c <<'C'
int first(int *p)
{
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += *(volatile int *)((long)i * 8);
    return total + (p != 0);
}
C
"$cadenza" run first.c -o first -q --iterations 50
equals "what follows a crash is not covered" 1 "$(json first/summary.json '$.totals.branches_covered')"
finish
