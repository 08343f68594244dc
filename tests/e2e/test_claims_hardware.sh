# SPDX-License-Identifier: Apache-2.0
# Hardware, assembly, other threads and signals change what the code does not write itself.
. "$(dirname "$0")/lib.sh"
claims=$root/tests/golden/claims/hardware

# verdict RUN FUNCTION MARK: of the true outcome of the condition with this mark
verdict() {
    line=$(awk -v f="$2" -v m="/\\\\* $3" '$0 ~ "^(static )?(int|void) " f "\\(" { on = 1 } on && $0 ~ m { print NR; exit }' "$claims/$1.c")
    sqlite3 "$1/cadenza.db" "select verdict || ': ' || reason from goals where kind = 'branch' and line = $line and outcome = 1 order by id desc limit 1"
}
stays_open() { # TITLE RUN FUNCTION MARK WORDS
    case $(verdict "$2" "$3" "$4") in
    "undetermined: "*"$5"*) ok "$1" ;;
    *) not_ok "$1" "$(verdict "$2" "$3" "$4")" ;;
    esac
}
is_covered() { # TITLE RUN FUNCTION
    equals "$1" covered "$(verdict "$2" "$3" covered | cut -d: -f1)"
}

"$cadenza" run "$claims/left_out.c" -o left_out -q --iterations 300 --no-inference
outside="uninstrumented code may have written memory"
stays_open "assembly that clobbers memory writes variables" left_out barrier written "$outside"
stays_open "and locals whose address it is given" left_out operand written "$outside"
stays_open "also as a number" left_out operand_as_number written "$outside"
stays_open "code at a fixed address writes what it is given" left_out boot_loader written "$outside"
stays_open "and returns any pointer" left_out boot_pointer null "$outside"
is_covered "an empty assembly hands a number on as a pointer" left_out hidden_number
is_covered "and a pointer as a number" left_out hidden_pointer
is_covered "a local that was written between setjmp() and longjmp()" left_out comes_back
stays_open "the result of a thread that others have created" left_out joined returned "no input"
is_covered "a hand-written declaration of environ" left_out first_variable
equals "leaves MemorySanitizer at work" "uninitialised, reproduced under sanitizers" \
    "$(sqlite3 left_out/cadenza.db "select cause || ', ' || reproduced from alarms where function = 'uninitialised'")"

"$cadenza" run --program "$claims/signals.c" -o signals -q --iterations 100
stays_open "a handler is called from outside" signals handler called "no input"
stays_open "whether a signal is ignored is inherited" signals main inherited "no input"
stays_open "what a handler writes" signals main came "no input"

"$cadenza" run "$claims/registers.c" -o registers -q --iterations 300 --no-inference
change="others may change"
stays_open "a register holds any pointer" registers pointer_in_register open "$change"
stays_open "so does memory at a fixed address" registers pointer_in_memory open "$change"
stays_open "also where the address is a number" registers pointer_by_number open "$change"
stays_open "memory at a fixed address by an index" registers flash open "$change"
stays_open "through a parameter" registers check open "$change"
stays_open "through a table" registers table open "$change"
stays_open "a block of any length" registers block open "$change"
stays_open "in a library function" registers library open "$change"
stays_open "a volatile record that is copied twice" registers record_behind open "$change"
stays_open "also one of the file" registers record_of_file open "$change"
stays_open "a volatile local whose address a device has" registers given_to_device open "$change"
stays_open "the address of a register as a number" registers is_port open "where objects lie"
equals "a volatile constant is presumed to stay" "infeasible_assuming: volatile constants keep their values" \
    "$(verdict registers constant presumed)"
equals "what is read as volatile only loses nothing" infeasible "$(verdict registers receive never | cut -d: -f1)"
stays_open "a poll loop that is cut off says why" registers waits "cut off" "reads of registers"

"$cadenza" run "$claims/interrupts.c" -o interrupts -q --iterations 300 --no-inference
equals "a handler that might come is presumed not to" \
    "infeasible_assuming: timer_isr() does not interrupt it (--interleave)" \
    "$(verdict interrupts waits presumed | sed 's/: .*; /: /')"
equals "what no handler can change needs no such words" infeasible \
    "$(verdict interrupts alone never | cut -d: -f1)"
# A number that only the driver names, one off what the code looks for, is no register: what is
# written there ends the test, here as on any build.
cat >numbers.c <<'C'
extern int gv;
int fn(int *p4, int *p6)
{
    int r = 0;
    if (p6 == 0)
        return -20;
    gv = -39;
    *p6 = 3;
    r += ((unsigned)gv & 7u) == 0u ? 5 : 7;
    if (((unsigned long)p4 > 18446744073709547520ul) == 0)
        return r + 3;
    return r + (p4 == (int *)8 ? 5 : 7);
}
C
"$cadenza" run numbers.c -o numbers -q --iterations 400 >/dev/null 2>&1
wild=$(cd numbers && grep -l '^input choice:arg:p6 | choice | 1' tests/fn/*.test)
check "tests write through a pointer that is a number" test -n "$wild"
equals "... and all of them crash" "" "$(for test in $wild; do
    sqlite3 numbers/cadenza.db "select path from tests where path = '$test' and outcome not like 'signal%'"; done)"

# ... while a function whose symbol has another name keeps its registers.
cat >labelled.c <<'C'
int labelled(int x) __asm__("other_symbol");
int labelled(int x)
{
    unsigned *p = (unsigned *)0x40021000;
    *p = 4;
    return *p == 4 && x > 3 ? 1 : 0;
}
C
"$cadenza" run labelled.c -o labelled -q --iterations 100 >/dev/null 2>&1
equals "a function with another symbol: no alarm" 0 "$(json labelled/summary.json '$.totals.alarms')"
equals "... and what it does with a register is reached" 3 \
    "$(json labelled/summary.json '$.totals.branches_covered')"
finish
