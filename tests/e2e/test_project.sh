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
exits "a file that does not compile does not stop the rest" 6 "3 files, 1 failed" "$cadenza" run -p p -o out --iterations 50
exits "... nor in one process" 6 "3 files, 1 failed" "$cadenza" run -p p -o here --iterations 50 --on here
check "... which gives the same tests" diff -r out/files/src/b.c/tests here/files/src/b.c/tests
equals "all branches of the others are covered" 4 "$(json out/summary.json '$.totals.branches_covered')"
equals "tasks of all files are listed" b2 "$(json out/summary.json '$.tasks[2].function')"
check "the error is in the summary" sh -c "grep -q 'undeclared' out/summary.json"
db() { sqlite3 out/cadenza.db "$1"; }
equals "one database has all files" "a b b2" "$(db "select group_concat(function, ' ') from (select function from tasks order by id)")"
equals "tasks belong to their file" "b.c" "$(basename "$(db "select file from runs join tasks t on t.run = runs.id where t.function = 'b2'")")"
equals "goals, tests and what they cover hang together" 4 "$(db "select count(*) from goals g join functions f on f.id = g.function
    join tasks t on t.id = g.task join tests x on x.task = t.id and x.number = g.test and t.run = f.run
    join test_goals c on c.goal = g.id and c.task = t.id and c.test = x.number")"
equals "a file that failed is a message" 1 "$(db "select count(*) from messages where run is null and text like 'src/c.c:%undeclared%'")"
check "paths of tests start at the project" sh -c "sqlite3 out/cadenza.db 'select path from tests' | sed 's,^,out/,' | xargs ls"
equals "nothing refers to what is not there" "" "$(db 'pragma foreign_key_check')"
check "goals.txt has all files" sh -c "grep -q '==== src/a.c ====' out/goals.txt && grep -q '==== src/b.c ====' out/goals.txt && grep -q 'b2()' out/goals.txt"
exits "replay of a project: a line per file" 0 "^files/src/b.c: . of . tests as recorded" "$cadenza" replay -q out
tests=$(json out/summary.json '$.totals.tests')
exits "replay of a project: the total" 0 "^total of 2 files: $tests of $tests tests as recorded" "$cadenza" replay out
exits "replay of one test of a project" 0 "^1 of 1\|: 1 of 1 tests as recorded" "$cadenza" replay out files/src/b.c/tests/b/0001.test
exits "replay of a test that is not there" 2 "no such test" "$cadenza" replay out files/src/b.c/tests/b/7777.test
exits "replay of one file's directory" 0 "^[0-9]* of [0-9]* tests as recorded" "$cadenza" replay out/files/src/b.c
exits "show of a project: a line per file" 0 "^files/src/a.c: .* 2 of 2 branches covered" "$cadenza" show out
exits "show of a project: the total" 0 "^2 files, total: $tests tests, 4 of 4 branches covered" "$cadenza" show --open out
exits "stats of a project name the file" 0 "/src/b.c,auto,1,b2," "$cadenza" stats out
cp -r out broken
sqlite3 broken/files/src/b.c/cadenza.db "update tests set outcome = 'signal SIGSEGV' where number = 1"
exits "replay of a project that differs" 1 "^total of 2 files" "$cadenza" replay -q broken
rm -r broken/files/src/a.c/harness
sqlite3 broken/files/src/b.c/cadenza.db "update tests set outcome = 'ok'"
exits "a file that cannot be replayed does not stop the others" 6 "^total of 1 files: . of . tests" "$cadenza" replay -q broken
exits "a finished file is taken over" 6 "taken over" "$cadenza" run -p p -o out --iterations 50 --resume
equals "with the same sum" 4 "$(json out/summary.json '$.totals.branches_covered')"
equals "and the same database" "a b b2" "$(db "select group_concat(function, ' ') from (select function from tasks order by id)")"
printf 'int a(int x) { return x > 3 && x < 9; }\n' >p/src/a.c
"$cadenza" run -p p -o out --iterations 50 --resume -q 2>/dev/null
equals "a changed file is tested again" 6 "$(json out/summary.json '$.totals.branches_covered')"
exits "one file of the project" 0 "1 files, 0 failed" "$cadenza" run -p p src/b.c -o one --iterations 50
exits "a file that is not in it" 2 "not in" "$cadenza" run -p p other.c -o one
exits "no database" 3 "nowhere" "$cadenza" run -p nowhere -o none
exits "several files without a database" 0 "2 files, 0 failed" "$cadenza" run p/src/a.c p/src/b.c -o two --iterations 50 -- -DMAGIC=5

# Forms of commands, flags of other compilers, and old C.
mkdir -p forms/include forms/obj
printf '#define FROM_HEADER 41\n' >forms/include/h.h
printf -- '-DRESPONSE=17 "-DQUOTED=2 + 3"\n@inner.rsp\n' >forms/flags.rsp
printf -- '-Iinclude -DINNER=5\n' >forms/inner.rsp
printf '#include "h.h"\nint r(int x) { if (x == RESPONSE + QUOTED + INNER + FROM_HEADER) return 1; return 0; }\n' >forms/response.c
printf 'int t(int x) { if (x > FIRST) return 1; return 0; }\n' >forms/twice.c
printf '#include <stddef.h>\nint s(unsigned char *p) { if (p && *p == sizeof(enum { A, B })) return 1; return 0; }\n' >forms/strange.c
printf 'int kr(a, b, p) int a; char b; int *p; { if (a == 12 && b == 120) return 1; if (p && *p == 44) return 2; return 0; }\n' >forms/kr.c
printf 'int outer(int x) { int inner(int y) { return y + x; } return inner(3) > 5; }\n' >forms/nested.c
printf 'int plus(int x) { return x; }\n' >forms/other.cpp
cat >forms/compile_commands.json <<'J'
[{"directory": ".", "file": "response.c", "command": "gcc @flags.rsp -c response.c -o obj/response.o"},
 {"directory": ".", "file": "twice.c", "arguments": ["cc", "-DFIRST=7", "-c", "twice.c", "-o", "obj/1.o"]},
 {"directory": ".", "file": "./twice.c", "arguments": ["cc", "-DFIRST=nonsense", "-c", "twice.c", "-o", "obj/2.o"]},
 {"directory": ".", "file": "strange.c", "arguments": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard",
    "-fshort-enums", "-fsanitize=address,undefined", "-Werror=all", "-Wlogical-op", "-fno-tree-vectorize", "-specs=nano.specs",
    "-flto=auto", "-O3", "-ggdb3", "-MMD", "-MF", "obj/s.d", "--param", "ggc-min-expand=5", "-c", "strange.c", "-o", "obj/s.o"]},
 {"directory": ".", "file": "kr.c", "command": "gcc -std=gnu89 -c kr.c"},
 {"directory": ".", "file": "nested.c", "command": "gcc -c nested.c"},
 {"directory": ".", "file": "other.cpp", "command": "g++ -c other.cpp"}]
J
"$cadenza" run -p forms/compile_commands.json -o formed --iterations 200 >forms.out 2>&1
covered() { sqlite3 formed/cadenza.db "select branches_covered || '/' || branches from tasks where function = '$1'"; }
equals "response files, quotes in them, and one inside another" 2/2 "$(covered r)"
equals "of several entries for a file the first is taken" 2/2 "$(covered t)"
check "with a note that says how to choose" grep -q "note: twice.c has 2 entries that differ; entry 1 is used (-DFIRST=7, obj/1.o); --entry twice.c:2 takes (-DFIRST=nonsense, obj/2.o)" forms.out
exits "another entry is chosen" 3 "nonsense" "$cadenza" run -p forms twice.c --entry twice.c:2 -o chosen --iterations 20
exits "an entry that is not there" 2 "twice.c has only 2 in" "$cadenza" run -p forms --entry twice.c:3 -o chosen
exits "an entry without a database" 2 "give -p" "$cadenza" run forms/twice.c --entry 2 -o chosen
equals "flags of other compilers" 4/4 "$(covered s)"
check "those that change the code are kept" grep -rq "| unsigned char | 1" formed/files/strange.c/tests
check "flags that may matter are named once, in short" grep -qx "cadenza: note: dropped flags: -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -specs=nano.specs; long and pointers have 32 bits, as there (1 of 5 files; -v names them per file)" forms.out
"$cadenza" run -p forms strange.c -o formed2 --iterations 5 --json >strange.json 2>/dev/null
equals "and stay out of --json" ilp32 "$(json strange.json '$.data_model')"
exits "flags after -- are translated, too" 0 "note: dropped flags: -fplugin=p.so -funknown" \
    "$cadenza" run p/src/b.c -o after --iterations 20 -- -DMAGIC=5 -fplugin=p.so -fno-tree-vectorize -Wlogical-op -funknown -Werror
check "those of another machine are named" test "$(sqlite3 formed/cadenza.db "select count(*) from messages m join runs r on r.id = m.run
    where m.kind = 'note' and m.text like 'dropped flags:%-mcpu=cortex-m4 -mthumb -mfloat-abi=hard%' and m.text not like '%-W%' and r.file like '%/strange.c'")" -eq 1
equals "K&R definitions" 8/8 "$(covered kr)"
check "nested functions are refused clearly" grep -q "Nested functions, an extension of gcc, are not supported" forms.out
check "C++ is left out with a note" grep -q "other.cpp is not C" forms.out
check "one file failed, the others did not" grep -q "^5 files, 1 failed" forms.out
# Files are tested at the same time, each in a process of its own; one that dies stops nobody.
mkdir many
for name in one two three; do
    printf 'int %s(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * n; if (s == 123456789) return 1; return n == 5; }\n' $name >many/$name.c
done
"$cadenza" run many/one.c many/two.c many/three.c -o many/j1 -q -j 1 --iterations 40
"$cadenza" run many/one.c many/two.c many/three.c -o many/j3 -q -j 3 --iterations 40
for what in goals.txt files/one.c/tests files/two.c/tests files/three.c/tests; do
    [ -e many/j1/$what ] || what=$(echo $what | sed 's,files/,files/many/,')
    check "files at the same time: the same $what" diff -r many/j1/$what many/j3/$what
done
"$cadenza" run many/one.c many/two.c many/three.c -o many/killed -q -j 3 --time 6 2>many/messages & pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    children=$(pgrep -P $pid -x cadenza | wc -l)
    [ "$children" -lt 3 ] || break
    sleep 0.2
done
equals "three files at the same time" 3 "$children"
kill -9 "$(pgrep -P $pid -x cadenza | head -n 1)"
wait $pid
equals "a file whose process dies counts as failed" 1 "$(json many/killed/summary.json '$.errors' | grep -c 'its process ended early (signal 9)')"
equals "and the others do not" 2 "$(sqlite3 many/killed/cadenza.db 'select count(*) from tasks')"

printf '#include <wchar.h>\nint w(wchar_t c) { if (sizeof L"a" == 4 && c == 600) return 1; return 0; }\n' >wide.c
exits "wchar_t may be short" 0 "^w  *2/2 " "$cadenza" run wide.c -o wide --iterations 50 -- -fshort-wchar

# What entries refer to and is not there.
mkdir gone
printf 'int g(int x) { if (x > 4) return 1; return 0; }\n' | tee gone/a.c >gone/b.c
cat >gone/compile_commands.json <<'J'
[{"directory": ".", "file": "a.c", "command": "cc @flags.rsp -c a.c"},
 {"directory": "away", "file": "c.c", "command": "cc -c c.c"},
 {"directory": ".", "file": "b.c", "command": "cc -c b.c"}]
J
"$cadenza" run -p gone -o gone/out --iterations 20 >gone/log 2>&1
check "a missing response file is named, with what to do" grep -q "^cadenza: a.c: the response file .*/flags.rsp cannot be read, so its flags are not known: .*keeprsp" gone/log
check "a missing directory, too" grep -q "^cadenza: .*c.c: the directory .*/away of its entry in .* does not exist: build" gone/log
check "and the others go on" grep -q "^3 files, 2 failed" gone/log
equals "with their tests" 2 "$(json gone/out/summary.json '$.totals.branches_covered')"

mkdir -p broken
printf 'int g(int *out);\nint f(void) { int x = 0; g(&x); return x == 3; }\n' >broken/a.c
printf 'int g(int *out) { *out = 3 return 0; }\n' >broken/b.c
printf '[{"directory": ".", "file": "a.c", "command": "cc -c a.c"}, {"directory": ".", "file": "b.c", "command": "cc -c b.c"}]' >broken/compile_commands.json
exits "a file that is not tested and does not compile is named" 0 "b.c does not compile, so what its functions" \
    "$cadenza" run -p broken a.c -o broken/out --iterations 20
"$cadenza" run p/src/b.c -o j1 -q -j 1 --iterations 60 -- -DMAGIC=5
"$cadenza" run p/src/b.c -o j2 -q -j 2 --iterations 60 -- -DMAGIC=5
check "the number of jobs does not change the tests" diff -r j1/tests j2/tests
# Flags as other compilers take them: after -- as in a database.
mkdir given
printf '#define K 3\n' >given/cfg.h
printf 'int g(int x) { if (x == K + A + B) return 1; return 0; }\n' >given.c
exits "an included header is looked for on the include path, lists of -Wp, are taken apart" 0 '^g  *2/2 ' \
    "$cadenza" run given.c -o given/out --iterations 50 -- -Igiven -include cfg.h -Wp,-DA=1,-DB=2 \
    -fstrict-flex-arrays -msse2avx -isystem/usr/include
printf '@around.rsp @around.rsp @around.rsp\n' >around.rsp
exits "response files without end" 2 'refer to each other without end' "$cadenza" run given.c -o x -- @around.rsp
exits "a declared name of the driver's" 3 'czs_get themselves' sh -c \
    "printf 'int czs_get(void); int f(int x) { return czs_get() > x; }' >czs.c; '$cadenza' run czs.c -o x"
finish
