# SPDX-License-Identifier: Apache-2.0
# The search: the papers' examples, criteria, filtering, goals, memory, statistics, and
# MC/DC against llvm-cov.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/search

# run NAME FILE OPTIONS...: into directory NAME
run() { run_name=$1 run_file=$2; shift 2; "$cadenza" run "$run_file" -o "$run_name" -q "$@"; }
task() { json "$1/summary.json" "\$.tasks[0].$2"; }
total() { json "$1/summary.json" "\$.totals.$2"; }

# CAUT, section II: four executions from the paper's input, all eight branches.
run bubble "$golden/bubble.c" --seed-test "$golden/bubble.test" --strategy pps --walk-down 2 \
    --criterion branch --afterglow 0
equals "bubble: 8 branches" 8 "$(task bubble branches_covered)"
equals "bubble: 4 executions" 4 "$(task bubble iterations)"
check "bubble: at most 4 tests" [ "$(total bubble tests)" -le 4 ]

# CAUT, section V-D: fitness finds the hidden branch sooner.
run fit "$golden/loop.c" --strategy pps --criterion branch --afterglow 0
run unfit "$golden/loop.c" --strategy pps --criterion branch --afterglow 0 --no-fitness
equals "loop: all branches" "8 8" "$(task fit branches_covered) $(task unfit branches_covered)"
check "loop: fewer executions with fitness" [ "$(task fit iterations)" -lt "$(task unfit iterations)" ]

# Every strategy covers what there is, and all but the afterglow is the same search again.
for strategy in auto dfs bfs reverse-dfs random-branch uniform-random cfg generational carfast \
                rp-md2u pps cgs weighted-random directed; do
    run "s-$strategy" "$golden/loop.c" --strategy $strategy --afterglow 0
    equals "$strategy: all branches of loop()" 8 "$(task s-$strategy branches_covered)"
done
exits "an unknown strategy" 2 "or directed, not 'best'" "$cadenza" run "$golden/loop.c" --strategy best -o x

# Filtering saves executions and proves the same.
run with "$golden/decisions.c" --strategy dfs --no-proofs --task coupled
run without "$golden/decisions.c" --strategy dfs --no-proofs --no-filter --task coupled
equals "filtering keeps coverage" "$(total without branches_covered) $(total without conditions_covered)" \
    "$(total with branches_covered) $(total with conditions_covered)"
equals "filtering keeps proofs" "$(total without branches_infeasible) $(total without conditions_infeasible)" \
    "$(total with branches_infeasible) $(total with conditions_infeasible)"
check "filtering saves executions" [ "$(task with iterations)" -lt "$(task without iterations)" ]
check "coupled conditions are recognised" grep -q "!a  -- the decision's conditions contradict" with/goals.txt

# MC/DC agrees with llvm-cov wherever llvm-cov supports the decision.
run mcdc "$golden/decisions.c"
equals "MC/DC: engine and llvm-cov agree" 0 "$(json mcdc/summary.json '$.disagreements' | grep -c task)"
equals "MC/DC: only two are left open" 2 "$(total mcdc conditions_undetermined)"
equals "... which clang does not record" 2 "$(grep -c 'condition . of 2: [ab] > 5  -- .*clang records no vectors' mcdc/goals.txt)"
equals "MC/DC: six conditions are infeasible, two of them behind constants" 6 "$(total mcdc conditions_infeasible)"
equals "MC/DC: each shown condition has its test or pair of tests" 0 "$(sqlite3 mcdc/cadenza.db \
    "select count(*) from verdicts where verdict = 'covered' and test is null
     and goal in (select id from goals where kind = 'condition')")"
check "constants: the conditions beside them are shown by pairs" grep -q "condition 6 of 6: c  -- tests constants/" mcdc/goals.txt
equals "infeasible conditions have a reason" "" "$(grep infeasible mcdc/goals.txt | grep -v -- ' -- ')"
run unfinished "$golden/unfinished.c"
equals "a decision left by longjmp: both conditions by finished evaluations" 2 \
    "$(total unfinished conditions_covered)"
run masking "$golden/decisions.c" --task flat --mcdc masking --iterations 60
check "masking MC/DC: no condition of flat() is called infeasible" [ "$(total masking conditions_infeasible)" = 0 ]

# Criteria: each asks for no more than it needs. One search may be lucky, so five are added up.
for criterion in statement branch mcdc; do
    sum=0
    for seed in 1 2 3 4 5; do
        run "c-$criterion" "$golden/decisions.c" --task flat --criterion $criterion --afterglow 0 --seed $seed
        sum=$((sum + $(task "c-$criterion" iterations)))
    done
    eval "sum_$criterion=$sum"
done
check "statements need fewer executions than branches, branches fewer than MC/DC" \
    [ "$sum_statement" -le "$sum_branch" -a "$sum_branch" -le "$sum_mcdc" ]
equals "all statements of flat() are covered" "" "$(task c-statement lines | grep -vx "$(task c-statement lines_covered)")"
equals "a search for branches proves nothing about pairs" 0 "$(total c-branch conditions_infeasible)"

# One goal, and nothing else.
line=$(grep -n 'x == 6' "$golden/loop.c" | cut -d: -f1)
run goal "$golden/loop.c" --strategy directed --goal "loop.c:$line:T" --afterglow 0
check "--goal is reached" grep -q "covered.*x == 6: true" goal/goals.txt
exits "a goal without a line" 2 "is no goal" "$cadenza" run "$golden/loop.c" --goal loop.c -o x

# Statistics.
"$cadenza" stats fit >fit.csv
check "stats: a heading" grep -q '^file,strategy,seed,task,iteration' fit.csv
equals "stats: the strategy" pps "$(sed -n 2p fit.csv | cut -d, -f2)"
equals "stats: ends with all branches" 8 "$(tail -n 1 fit.csv | cut -d, -f8)"

# Candidates that do not fit the memory are dropped and counted; the search goes on, with
# the others, and proves nothing.
cat >deep.c <<'C'
int deep(const unsigned char s[512])
{
    int n = 0;
    for (unsigned i = 0; i < 20000; i++)
        if (s[i % 512] == i / 512)
            n++;
    return n > 20000 ? 1 : 0;
}
C
for memory in 24 4000; do
    run deep-$memory deep.c --memory $memory --iterations 300 --time 0 --strategy bfs --elements 512 --no-proofs --path 30000
    sqlite3 deep-$memory/cadenza.db "select value from statistics where name = 'dropped'" | cut -d. -f1 >dropped-$memory
done
check "memory: candidates are dropped" [ "$(cat dropped-24)" -gt 1000 ]
equals "memory: none is dropped when there is enough" 0 "$(cat dropped-4000)"
equals "memory: the search goes on" 300 "$(task deep-24 iterations)"
equals "memory: no proof" 0 "$(total deep-24 branches_infeasible)"
equals "memory: the same branches" "$(task deep-4000 branches_covered)" "$(task deep-24 branches_covered)"

# Code without instrumentation decides by what it reads: after the same decisions another one
# comes. It and the next ones are repeated; if they do the same, the search is reproducible.
cat >fork.c <<'C'
#include <fnmatch.h>
int forks(const unsigned char s[4])
{
    char t[3] = {(char)s[0], 'b', 0};
    int r = 0;
    if (s[0] > 50)
        r = 1;
    if (fnmatch("a[b-d]", t, 0) == 0) {
        if (s[3] == 7)
            r += 2;
    } else if (s[3] > 9) {
        r += 4;
    }
    if (s[0] * 3 == 291)
        r += 8;
    return r;
}
unsigned char s[32];
int drifts(void)
{
    int r = 0;
    unsigned long t = 0; // mixed anew in each round: the clock alone ticks too evenly
    for (int i = 0; i < 16; i++) {
        t = (t ^ __builtin_ia32_rdtsc()) * 0x9E3779B97F4A7C15ul;
        t ^= t >> 29;
        if (t & 1)
            r += s[i] == 7;
        else
            r -= s[31 - i] == 9 ? 3 : 4;
    }
    return r;
}
C
run forks fork.c --task forks --iterations 50
extra=$(($(task forks runs) - $(task forks iterations)))
check "a fork: one to four executions are repeated" [ $extra -ge 1 -a $extra -le 4 ]
equals "a fork: the search is reproducible" 1 "$(json forks/summary.json '$.reproducible')"
run drifts fork.c --task drifts --iterations 50
equals "a target that is not deterministic: the search is not reproducible" 0 \
    "$(json drifts/summary.json '$.reproducible')"

# MAESTRO, Figure 1: a decision of 25 conditions, by llvm-cov's MC/DC.
run fig1 "$root/examples/fig1.c"
equals "fig1: 25 of 25 conditions" "25 25" "$(total fig1 conditions) $(total fig1 conditions_covered)"
check "fig1: the search asks for missing vectors" [ "$(sqlite3 fig1/cadenza.db \
    "select cast(sum(value) as integer) from statistics where name = 'vector_queries'")" -gt 0 ]
check "fig1: at most 60 tests" [ "$(total fig1 tests)" -le 60 ]
finish
