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

finish
