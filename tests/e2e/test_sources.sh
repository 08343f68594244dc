# SPDX-License-Identifier: Apache-2.0
# Sources that change after a run: replay says so, --resume does not take over what depends on them.
. "$(dirname "$0")/lib.sh"
printf '#include "lim.h"\nint f(int x) { if (x > LIM) return 1; return 0; }\n' >a.c
printf 'int g(int x) { if (x) return 1; return 0; }\n' >b.c
printf '#define LIM 3\n' >lim.h
run() { "$cadenza" run a.c b.c -o out --iterations 20 --no-inference --no-sanitize "$@"; }
check "a run" run
exits "nothing changed: both are taken over" 0 "a.c .*taken over" run --resume
equals "nothing changed: replay says nothing" "" "$("$cadenza" replay out 2>&1 | grep changed)"
printf '#define LIM 30\n' >lim.h
exits "a header changed: replay says so" 0 "lim.h has changed since the run" "$cadenza" replay out
run --resume >again 2>&1
equals "a header changed: its file is tested again" "" "$(grep 'a.c .*taken over' again)"
check "the other file is taken over" grep -q 'b.c .*taken over' again
exits "then replay is content" 0 "as recorded" "$cadenza" replay out
echo '// more' >>a.c
exits "the source changed" 0 "a.c has changed since the run" "$cadenza" replay out
finish
