# SPDX-License-Identifier: Apache-2.0
# Claims about what the instrumented code loses sight of: values read at an index that is an
# input, arguments, addresses, atomic and volatile objects, constructs of the compiler. What can be
# covered is covered; the rest is open with its reason, never infeasible.
. "$(dirname "$0")/lib.sh"
inputs=$root/tests/golden/claims/labels

run() { # DIRECTORY FILE [options]
    run_name=$1 run_file=$2; shift 2
    if ! run_out=$("$cadenza" run "$inputs/$run_file" -o "$run_name" --time 10 "$@" 2>&1); then
        not_ok "$run_name runs" "$run_out"
    fi
}
# task DIRECTORY FUNCTION KEY: a number of one task
task() {
    sqlite3 :memory: "select json_extract(value, '\$.$3') from
        json_each(json_extract(cast(readfile('$1/summary.json') as text), '\$.tasks'))
        where json_extract(value, '\$.function') = '$2'"
}
# complete DIRECTORY FUNCTION...: every branch is covered
complete() {
    complete_name=$1; shift
    for f in "$@"; do
        complete_all=$(task "$complete_name" "$f" branches)
        equals "$complete_name: $f is fully covered" "${complete_all:-of a task}" \
            "$(task "$complete_name" "$f" branches_covered)"
    done
}
# goal DIRECTORY FUNCTION TEXT: the verdict and reason of a goal
goal() { sed -n "/^$2()/,/^\$/p" "$1/goals.txt" | grep -F -e "$3" | head -1; }
# is_open NAME DIRECTORY FUNCTION TEXT REASON: undetermined, for that reason
is_open() {
    is_open_line=$(goal "$2" "$3" "$4")
    case $is_open_line in
    *open*"$5"* | *undetermined*"$5"*) ok "$1" ;;
    *) not_ok "$1" "wanted open and '$5': $is_open_line" ;;
    esac
}
# not_infeasible NAME DIRECTORY FUNCTION TEXT
not_infeasible() {
    case $(goal "$2" "$3" "$4") in
    *infeasible* | "") not_ok "$1" "$(goal "$2" "$3" "$4")" ;;
    *) ok "$1" ;;
    esac
}

# ---- pointers read at an index that is an input ----
run index index.c --depth 2 --most-depth 2
complete index from_extern from_static from_parameter from_members from_grid same_as deep \
    from_large copied stored switched
check "index: tests replay identically" "$cadenza" replay index
case $(goal index behind_the_bound "fourth->value == 4: true") in
*--depth*) ok "index: what --depth leaves out is no proof" ;;
*) not_ok "index: what --depth leaves out is no proof" "$(goal index behind_the_bound "fourth->value == 4: true")" ;;
esac

# ---- many arguments ----
run arguments arguments.c
complete arguments last_of_65 last_of_127 last_of_300 through_a_call record_behind_many variadic \
    variadic_mixed variadic_vector
equals "arguments: through a pointer" 5 "$(task arguments through_a_pointer branches_covered)"
check "arguments: tests replay identically" "$cadenza" replay arguments
is_open "arguments: beyond the limit it is a loss" arguments beyond_the_limit ": true" \
    "more arguments than the engine follows"

# ---- alloca anywhere, attributes of functions ----
run stack stack.c
complete stack after_statements entry loop vla cond calls_both calls_again dyn dyn2 dyn3 inlined \
    both_ways calls_inlined
check "stack: an array larger than the stack is an alarm" grep -q 'stack overflow in dyn3' stack/goals.txt
check "stack: tests replay identically" "$cadenza" replay stack

# ---- many reads of one volatile variable ----
run volatile volatile.c --strategy cgs --iterations 2000
complete volatile counts sums last_of_many same_answer polls polls_with_timeout
is_open "volatile: reads beyond the limit are a loss" volatile too_many "seen == 123456: true" \
    "an object that others may change"
check "volatile: tests replay identically" "$cadenza" replay volatile

# ---- atomic objects ----
run atomic atomic.c
complete atomic twice after_store through global_member load rmw xchg builtin sync locked b dbl pre \
    loop pointer_load records pointer_through wide wide2 wide3 once array misc wide128
equals "atomic: conditions on two reads of one object" 2 "$(task atomic twice conditions_covered)"
not_infeasible "atomic: two reads of an atomic pointer" atomic ptr "!ap: true"
not_infeasible "atomic: an atomic pointer after a store" atomic stored "top: true"
not_infeasible "atomic: two reads of a volatile pointer" atomic again "!vp: true"
not_infeasible "atomic: a local whose address is handed on" atomic localp "helper(&x) == 4: true"
check "atomic: a local keeps its value" grep -q 'infeasible .*x == 3: false' atomic/goals.txt
check "atomic: tests replay identically" "$cadenza" replay atomic

# ---- what others do to plain memory ----
run fences fences.c
# presumes NAME FUNCTION TEXT WORDS: infeasible, under this assumption
presumes() {
    case $(goal fences "$2" "$3") in
    *infeasible_assuming*"$4"*) ok "$1" ;;
    *) not_ok "$1" "$(goal fences "$2" "$3")" ;;
    esac
}
presumes "fences: behind an acquire" handshake "payload != 7: true" "no other thread"
presumes "fences: behind a load by a builtin" by_builtins "plain != 7: true" "no other thread"
presumes "fences: behind an exchange" by_lock "payload == 2: true" "no other thread"
presumes "fences: behind a barrier of the compiler" behind_barrier "shared == 2: true" "no other thread"
presumes "fences: behind a fence" behind_fence "shared != before: true" "no other thread"
presumes "fences: behind __sync_synchronize" behind_sync "shared != before: true" "no other thread"
presumes "fences: a weak exchange fails for no reason" spurious "expected == 4: true" "does not fail for no reason"
case $(goal fences strong "expected == 4: true") in
*"infeasible "*) ok "fences: a strong one does not" ;;
*) not_ok "fences: a strong one does not" "$(goal fences strong "expected == 4: true")" ;;
esac
check "fences: a relaxed store changes nothing" grep -q 'infeasible .*local != x: true' fences/goals.txt
check "fences: an empty text keeps its operand" grep -q 'infeasible .*y != x: true' fences/goals.txt
check "fences: tests replay identically" "$cadenza" replay fences

# ---- what an optimiser decides ----
run builtins builtins.c
equals "builtins: engine and clean build agree" '[]' "$(json builtins/summary.json '$.disagreements')"
complete builtins likely
for f in '__builtin_constant_p(size): false' '__builtin_object_size(p, 0) == (unsigned long)-1: true' \
    'size == 7: false' 'scaled(5) == 11: true'; do
    check "builtins: as without optimisation: $f" grep -qF -e "$f  -- test" builtins/goals.txt
done

# ---- main() is renamed and still says "main" ----
for kind in task program; do
    if [ $kind = task ]; then run main_$kind main.c --task main; else run main_$kind main.c --program; fi
    check "main as a $kind: __func__ is \"main\"" \
        grep -qE 'covered.* strcmp\(argv\[1\], name\) == 0: true' main_$kind/goals.txt
    equals "main as a $kind: no alarm" 0 "$(json main_$kind/summary.json '$.totals.alarms')"
    equals "main as a $kind: engine and clean build agree" '[]' \
        "$(json main_$kind/summary.json '$.disagreements')"
    check "main as a $kind: tests replay identically" "$cadenza" replay main_$kind
done

# ---- addresses ----
run addresses addresses.c
addresses() { is_open "addresses: $2" addresses "$1" "$3" "where objects lie in memory"; }
addresses order_of_globals "order of two globals" "&g1 < &g2: false"
addresses order_of_numbers "order of two globals as numbers" "(uintptr_t)&g1 < (uintptr_t)&g2: false"
not_infeasible "addresses: order of two parameters" addresses order_of_parameters "p > q: true"
not_infeasible "addresses: alignment" addresses alignment "((uintptr_t)p & 3) == 0: false"
not_infeasible "addresses: an address that is hashed" addresses hashed "% 7 == 3: false"
addresses distance "distance of two objects" "p - q == 4: true"
addresses literals "a literal and a constant with the same text" "a == word_a: true"
for side in true false; do
    not_infeasible "addresses: adjacent objects, $side" addresses adjacent "end == &g2: $side"
    not_infeasible "addresses: a freed block, $side" addresses reused "same: $side"
    not_infeasible "addresses: order of blocks, $side" addresses order_of_blocks "less: $side"
    not_infeasible "addresses: order of locals, $side" addresses stack_order "p < q: $side"
    not_infeasible "addresses: an index made of an address, $side" addresses bucket "(uintptr_t)p)]: $side"
    not_infeasible "addresses: features of the machine, $side" addresses features "avx512f\"): $side"
done
equals "addresses: comparisons inside an object stay provable" 0 \
    "$(task addresses within branches_undetermined)"
equals "addresses: so do those of different objects" 0 "$(task addresses different branches_undetermined)"
equals "addresses: a number that becomes the pointer again" 0 \
    "$(task addresses round_trip branches_undetermined)"

# ---- red zones in front ----
run front front.c
for f in ends_a_line at before_block; do
    check "front: the element before the first in $f()" grep -q "out of bounds in $f()" front/goals.txt
done

finish
