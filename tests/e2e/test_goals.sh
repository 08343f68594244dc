#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is a goal, and what counts: not the branches that llvm-cov lists in operands that are never
# evaluated; functions of headers only if --task names them.
. "$(dirname "$0")/lib.sh"

# goals OUT FUNCTION: its goals, in order, as "TEXT:OUTCOME" or "mcdc TEXT"
goals() {
    sqlite3 "$1/cadenza.db" "select group_concat(x, '; ') from (select case g.kind
        when 'branch' then g.text || ':' || g.outcome else 'mcdc ' || g.text end as x
        from goals g join functions f on f.id = g.function where f.name = '$2' order by g.id)"
}

cat >unit.c <<'C'
#include <assert.h>
#define ONCE(x) do { x; } while (0)
int plain(int x) { return (int)sizeof((x > 3) ? 1 : 2) + (x > 7 ? 1 : 0); }
int asserted(int a, int b) { assert(a > 0 && b < 5); return a; }
int in_macro(int a) { ONCE(assert(a > 0 || a < -5)); return a; }
int typed(int x) { typeof(x > 3 ? 1 : 2) y = x; return y > 5 ? 2 : 3; }
int generic(int x) { return _Generic((x > 3 && x < 6), int: x > 8 ? 1 : 0, long: 7); }
int by_type(int x) { return _Generic(int, int: x > 3 ? 1 : 0, long: 2); }
int aligned(int x) { return (int)__alignof__((x > 2 ? 1 : 2)) + (int)_Alignof(int[x > 3 ? 4 : 5]); }
int statement(int x) { return (int)sizeof(({ int r = 0; while (x > 3) r = x--; switch (x) { case 4: r = 2; } r; })); }
int chosen(int x) { return __builtin_choose_expr(sizeof(x > 2 ? 1 : 2) == 4, x > 3 ? 1 : 2, x > 4 ? 3 : 4); }
int leaf(int x) { return sizeof(x > 3 ? 1 : 2) && x > 4; }
int bound(int n) { if (n < 0) return 0; n &= 7; return (int)sizeof(int[n > 3 ? n : 3]); }
int inner(int n) { n &= 7; return (int)sizeof(int[2][sizeof(n > 5 ? 1 : 2) + (n > 3 && n < 6 ? n : 3)]); }
int variable(int n) { n = (n & 7) + 1; int v[n]; return (int)sizeof(v[n > 4]) + (int)sizeof(*(n > 5 ? &v : &v)); }
int behind(int n) { n &= 7; return (int)sizeof(int (*)[n > 3 ? n : 3]) + (int)sizeof(sizeof(char[n > 2 ? n : 2])); }
C
check "unevaluated operands: runs" "$cadenza" run unit.c -q -o out --iterations 300
no_goals() { equals "no goals: $1" "$2" "$(goals out "$1")"; }
no_goals plain 'x > 7:0; x > 7:1'
no_goals asserted 'a > 0:0; a > 0:1; b < 5:0; b < 5:1; mcdc a > 0; mcdc b < 5'
no_goals in_macro 'a > 0:0; a > 0:1; a < -5:0; a < -5:1; mcdc a > 0; mcdc a < -5'
no_goals typed 'y > 5:0; y > 5:1'
no_goals generic 'x > 8:0; x > 8:1'
no_goals aligned ''
no_goals statement ''
no_goals chosen 'x > 3:0; x > 3:1'
no_goals behind ''
# What is evaluated stays.
equals "the operand of _Generic (type)" 'x > 3:0; x > 3:1' "$(goals out by_type)"
equals "the leaf beside a sizeof" 'x > 4:0; x > 4:1; mcdc x > 4' "$(goals out leaf)"
equals "the bound of a variable array" 'n < 0:0; n < 0:1; n > 3:0; n > 3:1' "$(goals out bound)"
equals "sizeof inside such a bound" 'n > 3:0; n > 3:1; n < 6:0; n < 6:1; mcdc n > 3; mcdc n < 6' \
    "$(goals out inner)"
equals "a variable array behind sizeof" 'n > 5:0; n > 5:1' "$(goals out variable)"
equals "totals are the sum" '30 30 7 7' "$(sqlite3 :memory: "select t ->> 'branches' || ' ' ||
    (t ->> 'branches_covered') || ' ' || (t ->> 'conditions') || ' ' || (t ->> 'conditions_covered')
    from (select cast(readfile('out/summary.json') as text) -> '$.totals' as t)")"
equals "engine and llvm-cov agree" '[]' "$(json out/summary.json '$.disagreements')"
equals "not in goals.txt" 0 "$(grep -c '^  infeasible\|together$' out/goals.txt)"

# Of a _Generic the association that is selected holds goals, and no other, whatever their types are.
cat >generic.c <<'C'
struct point { int x, y; };
int several(int x) { return _Generic(x, long: x > 4 ? 1 : 2, int: x > 3 ? 1 : 0, default: x > 5 && x < 9); }
int otherwise(short x) { return _Generic(x, long: x > 4 ? 1 : 2, default: x > 5 && x < 9, int: x > 3 ? 1 : 0); }
int decides(int x) { if (_Generic(x, long: x > 1 && x < 3, int: x > 5 || x < -5)) return 1; return 0; }
int nested(unsigned x) { return _Generic(_Generic(x, int: 1, unsigned: 1.0), int: x > 1 ? 1 : 2,
    double: _Generic(&x, int *: x > 2 ? 3 : 4, unsigned *: x > 3 ? 5 : 6)); }
int of_record(struct point p) { return _Generic(p, int: p, struct point: p).x > 3 ? 1 : 0; }
int place(int x) { int y = x, *p = &_Generic(x, long: x, int: y); return *p > 7 ? 1 : 0; }
C
check "_Generic: runs" "$cadenza" run generic.c -q -o generic --iterations 300
selects() { equals "_Generic: $1" "$2" "$(goals generic "$1")"; }
selects several 'x > 3:0; x > 3:1'
selects otherwise 'x > 5:0; x > 5:1; x < 9:0; x < 9:1; mcdc x > 5; mcdc x < 9'
selects decides 'x > 5:0; x > 5:1; x < -5:0; x < -5:1; mcdc x > 5; mcdc x < -5'
selects nested 'x > 3:0; x > 3:1'
selects of_record '_Generic(p, int: p, struct point: p).x > 3:0; _Generic(p, int: p, struct point: p).x > 3:1'
selects place '*p > 7:0; *p > 7:1'
equals "_Generic: all is covered" "$(json generic/summary.json '$.totals.branches')" \
    "$(json generic/summary.json '$.totals.branches_covered')"
equals "_Generic: engine and llvm-cov agree" '[]' "$(json generic/summary.json '$.disagreements')"

# Conditions that are executed where no hook can stand: nothing is claimed of them. Each side is
# reached by some n.
cat >unseen.c <<'C'
#include <stddef.h>
struct s { int a[4]; };
int offset(int n) { if (n < 0 || n > 3) return 0; return (int)offsetof(struct s, a[n > 2 ? 1 : 0]); }
int range(int n) { int v[4] = {[0 ... 2] = n > 77 ? 1 : 2, [3] = 5}; return v[1]; }
int constant(int n) { return __builtin_constant_p(n > 3 ? 1 : 2) + 1; }
int wide(int n) { __int128 w = n; switch (w * 3) { case 9: return 1; default: return 0; } }
C
check "no hook: runs" "$cadenza" run unseen.c -q -o unseen --iterations 100
equals "no hook: no claim" 0 "$(json unseen/summary.json '$.totals.branches_infeasible')"
equals "no hook: the goals are there" 18 "$(json unseen/summary.json '$.totals.branches')"
equals "no hook: no disagreement" '[]' "$(json unseen/summary.json '$.disagreements')"

# A function of a header counts if --task names it; those that it calls do not.
mkdir -p sys
cat >header.h <<'C'
static inline int deeper(int a) { return a > 100 ? 1 : 0; }
static inline int helper(int a)
{
    if (a > 4 && a < 9)
        return 1 + deeper(a);
    return 3;
}
static inline int unused(int a)
{
    return a > 4 ? 7 : 8;
}
C
cat >sys/system.h <<'C'
static inline int beside(int a) { return a > 9 ? 1 : 0; }
static inline int library(int a)
{
    if (a == 4)
        return beside(a);
    return 3;
}
C
cat >one.c <<'C'
#include "header.h"
#include <system.h>
int one(int x)
{
    return helper(x) + library(x);
}
C
cat >two.c <<'C'
#include "header.h"
int two(int x)
{
    return x == 5 ? 7 : helper(x);
}
C
totals() { # DIR
    for key in branches branches_covered conditions conditions_covered lines lines_covered; do
        json "$1/summary.json" "\$.totals.$key"
    done | tr '\n' ' '
}
counted() { # DIR: functions in the totals
    sqlite3 "$1/cadenza.db" "select group_concat(distinct name) from (select name from functions
        where in_totals order by name)"
}
header() { # DIR FUNCTIONS TOTALS TASKS...
    header_dir=$1 header_counted=$2 header_totals=$3; shift 3
    check "header, $header_dir: runs" "$cadenza" run one.c -q -o "$header_dir" --iterations 100 "$@" -- -isystem sys
    equals "header, $header_dir: functions" "$header_counted" "$(counted "$header_dir")"
    equals "header, $header_dir: totals" "$header_totals" "$(totals "$header_dir")"
}
header none one '0 0 0 0 3 3 '
header named helper,one '4 4 2 2 8 5 ' --task helper
header two helper,one,unused '6 6 2 2 11 11 ' --task helper --task unused --task one
header system library,one '2 2 0 0 8 5 ' --task library
equals "header: the table" 'helper 4/4 total 4/4' "$("$cadenza" run one.c -o table --iterations 100 --task helper \
    -- -isystem sys | awk '$1 == "helper" || $1 == "total" { printf "%s%s %s", n++ ? " " : "", $1, $2 }')"
equals "header: the task's own counts" '4|4|2|5|5' "$(sqlite3 named/cadenza.db \
    "select branches, branches_covered, conditions_covered, lines, lines_covered from tasks")"
check "header: goals.txt says what counts" grep -q '^deeper() .*not in the totals' named/goals.txt
equals "header: goals.txt, what is named" 0 "$(grep -c '^helper() .*not in the totals' named/goals.txt)"
# Once in a project, although both files have it.
check "header, project: runs" "$cadenza" run one.c two.c -q -o project --iterations 100 --task helper -- -isystem sys
equals "header, project: once" '6 4 2 2' "$(totals project | cut -d' ' -f1-4)"
equals "header, project: both files have it" '4|4;6|4' "$(sqlite3 project/cadenza.db \
    "select group_concat(branches || '|' || branches_covered, ';') from (select * from runs order by id)")"

finish
