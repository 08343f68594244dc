# SPDX-License-Identifier: Apache-2.0
# Whatever the engine drops or does not model is counted where it happens, and named.
. "$(dirname "$0")/lib.sh"
claims=$root/tests/golden/claims/losses

"$cadenza" run "$claims/drops.c" -o drops -q --iterations 300 --no-inference
# verdict RUN FUNCTION MARK: of the true outcome of the condition with this mark
verdict() {
    line=$(awk -v f="$2" -v m="/\\\\* $3" '$0 ~ "^int " f "\\(" { on = 1 } on && $0 ~ m { print NR; exit }' "$claims/drops.c")
    sqlite3 "$1/cadenza.db" "select verdict || ': ' || reason from goals where kind = 'branch' and line = $line and outcome = 1"
}
stays_open() { # TITLE FUNCTION MARK WORDS
    case $(verdict drops "$2" "$3") in
    "undetermined: "*"$4"*) ok "$1" ;;
    *) not_ok "$1" "$(verdict drops "$2" "$3")" ;;
    esac
}
lie="where objects lie in memory"
stays_open "the address of a variable as a number that is stored" stored address "$lie"
stays_open "that is returned" returned address "$lie"
stays_open "that is chosen" chosen address "$lie"
stays_open "that a constant table holds" constant address "$lie"
stays_open "that initialises a local" initialised address "$lie"
stays_open "the address of a function as a number" code address "$lie"
stays_open "that is printed into memory" printed address "$lie"
stays_open "that is the length of a block" filled_so_far address "$lie"
stays_open "that says where a block is" filled_from_there address "$lie"
stays_open "how much was printed, with inputs" counted_by_printing written "uninstrumented code"
stays_open "to standard error" counted_by_reporting written "concretised"
stays_open "by a format that is no constant" counted_in_a_list written "uninstrumented code"
stays_open "an error number in words" explained errno "concretised"
stays_open "also with a width" explained_wide errno "concretised"
equals "what stands beside it is still an input" covered "$(verdict drops counted_beside reached | cut -d: -f1)"
case $(verdict drops counted written) in
infeasible*) ok "how much was printed is no input" ;;
*) not_ok "how much was printed is no input" "$(verdict drops counted written)" ;;
esac
stays_open "a counter of the processor" cycles state "that is no input"
stays_open "a variable of the mathematical library" gamma_sign notes "the driver leaves out inputs"
stays_open "device memory behind a nested initialiser" deep_initialiser register "that others may change"
stays_open "padding of large records" large_padding padding "the driver leaves out inputs"
stays_open "vectors of wide integers" vectors wide "vector value concretised"
stays_open "the rest of a very large block" huge room "more room than the engine has"
equals "what error() decides by its status is followed" covered "$(verdict drops reports covered | cut -d: -f1)"
case $(verdict drops signals covered) in
infeasible*) not_ok "the signal that is added to a set is not dropped" ;;
*) ok "the signal that is added to a set is not dropped" ;;
esac
equals "the distance of two elements is no matter of addresses" infeasible "$(verdict drops distance never | cut -d: -f1)"
uninitialised() { sqlite3 drops/cadenza.db "select cause || ', ' || reproduced from alarms where function = '$1'"; }
good="uninitialised, reproduced under sanitizers"
equals "a struct that a function does not return, though it has a local of that type" "$good" "$(uninitialised without_result)"
equals "also a small one" "$good" "$(uninitialised without_small_result)"
stays_open "and nothing is claimed from it" without_small_result uninitialised "uninitialised memory"

"$cadenza" run "$claims/open.c" -o open -q --iterations 200 --no-inference
equals "far behind an array of unknown length is no alarm" '[]' "$(json open/summary.json '$.alarms')"
equals "the reason names the bound that is one" "4 0" \
    "$(grep -c 'behind an array of unknown length (bound --elements)' open/goals.txt) $(grep -c -e --steps open/goals.txt)"
"$cadenza" run "$claims/cut.c" -o cut -q --iterations 700 --time 0 --no-inference
case $(sqlite3 cut/cadenza.db "select verdict from goals where text like 'depth == 310%' and outcome = 1") in
infeasible*) not_ok "decisions that are not followed at a stack overflow exclude nothing" ;;
*) ok "decisions that are not followed at a stack overflow exclude nothing" ;;
esac
finish
