# SPDX-License-Identifier: Apache-2.0
# Several files and compilation databases: one that fails does not stop the rest, the sum
# is right, and a finished file is not searched again.
. "$(dirname "$0")/lib.sh"

mkdir -p p/src p/include
printf '#define LIMIT 7\n' >p/include/limit.h
printf '#include "limit.h"\nint a(int x) { return x > LIMIT ? 1 : 2; }\n' >p/src/a.c
printf 'int b(int x) { return x == MAGIC; }\nint b2(int x) { if (x) return 1; return 0; }\n' >p/src/b.c
printf 'int c(int x) { return undeclared; }\n' >p/src/c.c
cat >p/compile_commands.json <<'J'
[{"directory": ".", "file": "src/a.c", "command": "arm-none-eabi-gcc -mcpu=cortex-m4 -Iinclude -Werror -c src/a.c -o a.o"},
 {"directory": ".", "file": "src/b.c", "arguments": ["gcc", "-DMAGIC=99", "-c", "src/b.c"]},
 {"directory": ".", "file": "src/c.c", "arguments": ["gcc", "-c", "src/c.c"]}]
J
exits "a file that does not compile does not stop the rest" 0 "3 files, 1 failed" "$cadenza" run -p p -o out --iterations 50
equals "all branches of the others are covered" 4 "$(json out/summary.json '$.totals.branches_covered')"
equals "tasks of all files are listed" b2 "$(json out/summary.json '$.tasks[2].function')"
check "the error is in the summary" sh -c "grep -q 'undeclared' out/summary.json"
exits "a finished file is taken over" 0 "taken over" "$cadenza" run -p p -o out --iterations 50 --resume
equals "with the same sum" 4 "$(json out/summary.json '$.totals.branches_covered')"
printf 'int a(int x) { return x > 3 && x < 9; }\n' >p/src/a.c
"$cadenza" run -p p -o out --iterations 50 --resume -q 2>/dev/null
equals "a changed file is tested again" 6 "$(json out/summary.json '$.totals.branches_covered')"
exits "one file of the project" 0 "1 files, 0 failed" "$cadenza" run -p p src/b.c -o one --iterations 50
exits "a file that is not in it" 2 "not in" "$cadenza" run -p p other.c -o one
exits "no database" 3 "nowhere" "$cadenza" run -p nowhere -o none
exits "several files without a database" 0 "2 files, 0 failed" "$cadenza" run p/src/a.c p/src/b.c -o two --iterations 50 -- -DMAGIC=5
"$cadenza" run p/src/b.c -o j1 -q -j 1 --iterations 60 -- -DMAGIC=5
"$cadenza" run p/src/b.c -o j2 -q -j 2 --iterations 60 -- -DMAGIC=5
check "the number of jobs does not change the tests" diff -r j1/tests j2/tests
finish
