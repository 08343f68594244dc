# SPDX-License-Identifier: Apache-2.0
# State of the C library and of the process that is there before a task is called: it is an
# input, or nothing is claimed about what depends on it.
. "$(dirname "$0")/lib.sh"
golden=$root/tests/golden/claims/libc

# verdict OUT TASK GOAL: of the goal in the task's section of goals.txt
verdict() {
    awk -v task="$2()" -v goal="$3" '
        /^[^ ]/ { inside = index($0, task) == 1 }
        inside && /^  / && index($0, goal) { print $1; exit }' "$1/goals.txt"
}
# covered NAME OUT TASK GOAL
covered() { equals "$1" covered "$(verdict "$2" "$3" "$4")"; }
# not_proven NAME OUT TASK GOAL: no claim without an assumption that names what was presumed
not_proven() {
    case "$(verdict "$2" "$3" "$4")" in
    infeasible | "") not_ok "$1" "$(grep -A9 "^$3()" "$2/goals.txt")" ;;
    *) ok "$1" ;;
    esac
}
# because NAME OUT TASK GOAL REASON
because() {
    equals "$1" 1 "$(awk -v task="$3()" '/^[^ ]/ { inside = index($0, task) == 1 } inside' "$2/goals.txt" |
        grep -F "$4" | grep -c "$5")"
}
run() { "$cadenza" run "$golden/$1.c" -o "$1" --time 5 >"$1.txt" 2>&1; }
agree() { check "engine and clean build agree ($1)" sh -c "! grep -i 'disagree' $1.txt"; }

run others
not_proven "another thread may write behind a spin lock" others spin_read_twice "a != b: true"
not_proven "... or a mutex" others mutex_read_twice "a != b: true"
because "the claim names threads" others spin_read_twice "a != b: true" "no other thread"
not_proven "a variable of the environment may be long" others far_in_environment "== 'y': true"
because "the claim names the bound" others far_in_environment "== 'y': true" "the length that texts from outside"

"$cadenza" run "$golden/left_open.c" -o left_open --time 5 -- -fno-builtin >left_open.txt 2>&1
because "where equal elements go is presumed" left_open sorted "== 2: true" "treat equal elements"
because "... and which one is found" left_open found "== &table[2]: true" "treat equal elements"
covered "a signalling NaN is not left out" left_open smaller "c != c: true"
not_proven "registers of the processor are no inputs" left_open aligned "stack_pointer & 8: true"
not_proven "... and hold anything" left_open aligned "stack_pointer & 8: false"
check "... and tests replay identically" "$cadenza" replay left_open

run locks
equals "locks of the driver are free at first" 8/8 "$(sqlite3 locks/cadenza.db \
    'select branches_covered || "/" || branches from tasks')"
equals "... so no test hangs" ok "$(sqlite3 locks/cadenza.db 'select distinct outcome from tests')"
check "... nor in a replay" "$cadenza" replay locks

run errno
covered "errno may have any value at the start" errno errno_at_entry "== 4: true"
covered "a stub may set errno" errno errno_after_stub "== 11: true"
covered "a stub without a result may set errno" errno errno_after_void_stub "== 19: true"
equals "errno does not change by itself" infeasible "$(verdict errno errno_kept_by_code "== 6: true")"
covered "open() may fail with any number" errno errno_after_open "== 13: true"
covered "read() may fail with any number" errno errno_after_read "== 4: true"
covered "fopen() may fail with any number" errno errno_after_fopen "== 24: true"
covered "a stub of the C library may set errno" errno errno_after_time "== 20: true"
covered "malloc() sets errno" errno errno_after_malloc "no_memory: true"
covered "a pointer to a function may set errno" errno errno_after_pointer "== 5: true"
covered "errno is an input in each call" errno errno_in_second_call "== 9: true"
not_proven "strtol() sets errno" errno errno_after_strtol "== 34: true"
not_proven "printing may set errno" errno errno_after_printing "== 25: true"
covered "log() sets errno" errno errno_after_log "== 33: true"
equals "errno of log() is not that of before" infeasible_assuming \
    "$(verdict errno errno_after_log "== 34: true")"
not_proven "the optimiser does not leave out that pow() sets errno" errno errno_after_power "== 34: true"
agree errno

run state
covered "a descriptor has a position" state inherited_position "== 7: true"
covered "standard input has a position" state standard_input_position "== 7: true"
covered "a stream has a position" state stream_position "== 9: true"
covered "stdin has a position" state stdin_position "== 9: true"
covered "a descriptor may not be a file" state not_a_file "== -1: true"
covered "stdin may be at its end" state stdin_at_end "!= 0: true"
covered "stdin may be in error" state stdin_in_error "!= 0: true"
covered "a descriptor may be a terminal" state terminal "isatty(fd): true"
covered "a descriptor has flags" state flags_of_descriptor "!= 0: true"
covered "there is a mask for new files" state creation_mask "== 077: true"
covered "a signal may be ignored" state earlier_handler ": true"
covered "a signal may be ignored (sigaction)" state earlier_action "sa_handler == ((__sighandler_t) 1): true"
covered "an ignored signal does not end the task" state raised "after == 1: true"
not_proven "signals may be blocked" state blocked_signals "== 1: true"
equals "the task's own mask is known" covered "$(verdict state own_mask "== 1: true")"
covered "others may have set optopt to anything" state options_set_by_others "== -733: true"
covered "optind is where the last call stopped" state options_index "== 4: true"
covered "opterr may be zero" state options_silent "== 0: true"
covered "optarg may be set" state options_argument "!= 0: true"
not_proven "getopt() continues" state options_parse "== 'b': true"
covered "a mutex may be held" state held_mutex "!= 0: true"
covered "a static mutex may be held" state held_static_mutex "!= 0: true"
not_proven "locking may fail" state lock_fails "!= 0: true"
covered "atexit() may fail" state register_end "!= 0: true"
not_proven "the locale may have another name" state language "!= 0: true"
not_proven "the decimal point may be a comma" state decimal_point ": true"
not_proven "letters depend on the locale" state letter "_ISalpha): true"
not_proven "upper case depends on the locale" state upper "== 0xC4: true"
because "what the locale decides is said" state letter "_ISalpha): true" 'locale is taken to be "C"'
equals "digits do not depend on the locale" infeasible "$(verdict state digit "== 'a': true")"
covered "an earlier strtok() has left text" state earlier_tokens "!= ((void*)0): true"
not_proven "environ is not empty" state first_variable "== 'Q': true"
not_proven "messages depend on the locale" state message ": true"
covered "the number of processors" state processors "== 3: true"
covered "the thread may be any" state same_thread ": true"
covered "a variable of a thread keeps its value" state thread_local_counter "== 3: true"
covered "a limit of the system" state limit_of_files "== 33: true"
not_proven "the time zone" state local_hour "== 5: true"
not_proven "printing may fail" state printed "< 0: true"
not_proven "a write may fail" state closed_output ": true"
because "the reason is the state" state closed_output ": true" "state of the C library or the system"
agree state

run rounding
covered "an exception may be set" rounding exceptions "!= 0: true"
covered "any rounding mode" rounding rounding "== 0x800: true"
not_proven "arithmetic in another rounding mode" rounding rounded "!= x: true"
not_proven "arithmetic is not folded for one rounding mode" rounding folded "tiny > 1: false"
not_proven "rounding as the mode says" rounding nearest_integer "== 3: true"
agree rounding

run limits
not_proven "text that is printed depends on its 70th character" limits behind_64_characters "== 'x': true"
not_proven "text depends on the 18th argument" limits behind_the_registers "...: true"
not_proven "there may be no memory for text" limits no_memory_for_text "< 0: true"
covered "there may be no aligned memory" limits no_aligned_memory "!p: true"
covered "there may be no aligned memory (posix_memalign)" limits no_aligned_memory "!= 0: true"
not_proven "the time zone may be another" limits time_zone "== 3600: true"
not_proven "the length of output depends on inputs" limits length_of_output "== 4: true"
covered "something may have been done once already" limits only_once "done == 0: true"
agree limits

# stays_open NAME OUT TASK GOAL: nothing is claimed, not even under an assumption
stays_open() { equals "$1" undetermined "$(verdict "$2" "$3" "$4")"; }
run models
stays_open "a format that is an input" models format_is_input "== 'x': true"
covered "where vsprintf() prints to is an input" models printed_somewhere "== 'z': true"
covered "where vasprintf() stores is an input" models allocated_somewhere "texts[2]: true"
stays_open "0x and a character that is an input" models hexadecimal "== 5.0: true"
stays_open "in and a character that is an input" models infinite "> 1: true"
covered "where strtold() stores is an input" models end_somewhere "ends[2]: true"
covered "where remquo() stores is an input" models quotient_somewhere "== 2: true"
stays_open "a flag of scanf() that has no model" models grouped_number "== 1: true"
stays_open "(nil) is a pointer to scanf()" models null_in_words "== 1: true"
because "wide text that is read replaces inputs" models wide_text "== 'b': false" "uninstrumented code"
stays_open "there may be more behind the end of a stream" models more_behind_the_end "== 'x': true"
stays_open "there may be more after clearerr()" models more_after_clearerr "== 'x': true"
stays_open "the end may be an error" models read_error "== 5: true"
stays_open "fsetpos() may fail unseen" models position_of_a_pipe "c != d: true"
stays_open "ungetc() may fail" models no_room_to_unget "== (-1): true"
stays_open "a stream writes to the memory that it was given" models memory_of_a_stream "== 'q': true"
stays_open "printing may change an errno that is an input" models errno_changed_by_printing "!= before: true"
covered "errno is still an input after printing" models errno_kept_by_printing "== 4: true"
stays_open "perror() may set errno" models errno_after_perror "== 29: true"
stays_open "setenv() may fail unseen" models environment_is_full ": true"
stays_open "the environment may not be trusted" models set_user '!secure_getenv("S"): true'
covered "putenv() shares its text" models shared_with_the_program "== 'q': true"
agree models

# In a whole program the start is known.
"$cadenza" run --program "$golden/program.c" -o program --stdin 2 --time 5 >program.txt 2>&1
for goal in "== 4: true" "optind == 4: true" "== ((__sighandler_t) 1): true"; do
    not_covered=$(verdict program main "$goal")
    check "a program starts with a known state ($goal)" test "$not_covered" != covered
done
because "what a program presumes is said" program main "!p: true" "taken to succeed"
because "the length of standard input is a bound" program main "> 100: true" "what --stdin, --arg"
check "nothing else is presumed in a program" sh -c "! grep -e 'state of the C' -e locale program/goals.txt"

"$cadenza" run --program "$golden/environment.c" -o environment --time 5 >environment.txt 2>&1
equals "a program may have no environment" undetermined "$(verdict environment main '!environ[0]: true')"

"$cadenza" run --program "$golden/redirected.c" -o redirected --stdin 2 --time 5 >redirected.txt 2>&1
stays_open "standard output in a file is not followed" redirected main "== 'x': true"


# A handler of on_exit() runs when main() has returned; here it does not, so nothing is claimed.
for kind in "" --program; do
    "$cadenza" run $kind "$golden/at_exit.c" -o at_exit --stdin 2 --time 5 >at_exit.txt 2>&1
    check "what on_exit() registers may run ($kind)" sh -c "! grep -q '^  infeasible.*status' at_exit/goals.txt"
done

# What a function of another file writes through the C library.
mkdir effects && cp "$golden"/effects/*.c effects
(cd effects && "$cadenza" run unit.c other.c -o out -q --iterations 100) >effects.txt 2>&1
for task in mkstemp wcsrchr wmemset memccpy socketpair; do
    equals "a stub writes what is written through $task" 2 \
        "$(awk -v task="after_$task()" '/^[^ ]/ { inside = index($0, task) == 1 }
            inside && /^  covered/' effects/out/goals.txt | wc -l)"
done
for task in vsscanf strsep later_tokens; do
    because "what is written through $task is not followed, which is said" effects/out \
        "after_$task" ": true" "the driver leaves out inputs"
done

finish
