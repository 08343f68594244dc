# SPDX-License-Identifier: Apache-2.0
# The HTML report without a browser: its pages are sound, link to each other, and say what
# summary.json says; texts of the user are never markup; nothing is destroyed when it fails.
. "$(dirname "$0")/lib.sh"
checked() { # NAME RUN [WORD...]
    report_name=$1; shift
    python3 "$root/tests/e2e/check_report.py" "$@" | sed "s/^\(ok\|not ok\) /&$report_name: /"
}

# ---- one file ----
cat >all.c <<'C'
#include "all.h"
enum mode { IDLE, BUSY };
int get(int which);
int decide(int a, int b, int c) { return (a > 3 && b == 7) || c < 0; }
int reads(enum mode m, int *p)
{
    if (m == BUSY && get(3) > 5)
        return *p;
    return twice(m);
}
static int never(int x) { return x > 3 ? 1 : 2; }
int folded(int x) { if (sizeof(int) == 8 && x) return never(x); return 0; }
C
printf 'static inline int twice(int x)\n{\n    return x > 5 ? 1 : 2 * x;\n}\n' >all.h
exits "a run ends with a report" 0 "^Report: all/report/index.html" "$cadenza" run all.c -o all --iterations 200
checked "one file" all
page=all/report/$(ls all/report | grep 'file-.*all.c')
check "a line with its hits" grep -q '<span class="no">7</span><span class="hits">[1-9]' "$page"
check "branch outcomes have symbols" grep -q 'chip cov">T ✓' "$page"
check "a decision has its vectors" grep -q '<caption>Vectors in tests' "$page"
check "with independence pairs" grep -q 'Independence pair: vectors [0-9]* and [0-9]*' "$page"
check "a goal names its test" grep -q 'covered</b> by test <a href="task-[0-9]*-[a-z]*.html#t[0-9]*">' "$page"
task=all/report/$(ls all/report | grep 'task-.*reads')
check "inputs as a tree" grep -q '<td style="--d:1"><code>returns</code>' "$task"
check "what was observed" grep -q '<code>return value</code>' "$task"
check "a command to replay" grep -q '<code>cadenza replay all tests/reads/0001.test</code>' "$task"
check "an alarm with its way and stack" sh -c "grep -q '<h3>Way</h3>' all/report/alarms.html &&
    grep -q 'Stack, innermost first' all/report/alarms.html && grep -q '★ matters' all/report/alarms.html"
check "hashes of sources" grep -q "<code>$(sed -n 's/ .*all.h$//p' all/sources.txt | head -n 1)" all/report/run.html
check "stubs" grep -q '<code>get()</code> in [0-9]* test' all/report/run.html
cp -r all/report first
exits "it can be made again" 0 "^all/report/index.html" "$cadenza" report all
check "to the same bytes" diff -r first all/report
exits "elsewhere" 0 "^else/where/index.html" "$cadenza" report all -o else/where/
check "with the same bytes" diff -r first else/where
exits "without one" 0 Results "$cadenza" run all.c -o all --iterations 20 --no-report
check "none is there, nor an old one" test ! -e all/report

# ---- projects: headers are shared, a file fails ----
mkdir -p p
printf 'static inline int clamp(int x) { if (x > 9 && x < 99) return 9; return x; }\n' >p/h.h
printf '#include "h.h"\nint a(int *p) { return *p > 3 ? clamp(*p) : 2; }\n' >p/a.c
printf '#include "h.h"\nint b(int x) { return clamp(x & 7); }\n' >p/b.c
printf 'int c(int x) { return undeclared; }\n' >p/c.c
cat >p/compile_commands.json <<'J'
[{"directory": ".", "file": "b.c", "command": "cc -c b.c"},
 {"directory": ".", "file": "c.c", "command": "cc -c c.c"},
 {"directory": ".", "file": "a.c", "command": "cc -c a.c"}]
J
"$cadenza" run -p p -o project --iterations 60 >/dev/null 2>&1
checked "a project" project
equals "one page per source, shared ones too" 3 "$(ls project/report | grep -c '^file-')"
check "the file that failed is named" grep -q 'c.c: ' project/report/run.html
"$cadenza" run -p p -o extended --iterations 60 --unit extended >/dev/null 2>&1
checked "extended units" extended
exits "a file of a project" 0 index.html "$cadenza" report project/files/a.c
checked "a file of a project" project/files/a.c

# ---- a run that is not finished ----
cp -r project unfinished
sqlite3 unfinished/cadenza.db 'update result set unfinished = 1'
"$cadenza" show unfinished --as summary >unfinished/summary.json
exits "an unfinished run" 0 index.html "$cadenza" report unfinished
checked "an unfinished run" unfinished
check "it says so" grep -q 'The run is not finished' unfinished/report/index.html

# ---- texts of the user ----
odd=$(printf 'a<b>&"x'"'"'.c')
{
    printf '// </script><script>alert(1)</script> & "quotes" \377 \001 \342\200\250 \342\200\256 x\n'
    printf 'int odd(const char *p) { return p && p[0] == "</code><b>"[1] ? 1 : 2; }\n'
} >"$odd"
"$cadenza" run "$odd" -o 'odd <out>' --iterations 60 >/dev/null 2>&1
checked "a hostile file" 'odd <out>' --hostile 'b&gt;'
check "bytes are spelled out" grep -q 'quotes&quot; \\xff ␁ \\u2028 \\u202e x' 'odd <out>'/report/file-*
text=$(printf '</script><img src=x onerror=alert(1)>&"'"'"'\377\001\342\200\250')
"$root/build/report-store" hostile 3 "$text" || not_ok "a store of hostile texts"
"$cadenza" show hostile --as summary >hostile/summary.json
exits "a store of hostile texts" 0 index.html "$cadenza" report hostile
checked "a store of hostile texts" hostile --hostile img

# ---- what fails leaves everything as it was ----
cp -r project cut
dd if=project/cadenza.db of=cut/cadenza.db bs=1024 count=60 2>/dev/null
exits "a truncated store" 3 "cadenza.db" "$cadenza" report cut
check "an older report stays" diff -r project/report cut/report
exits "no store" 3 "cadenza.db" "$cadenza" report p
check "nothing is made" test ! -e p/report
mkdir mine && echo text >mine/index.html
exits "a directory of the user" 2 "mine holds something else than a report" "$cadenza" report project -o mine
equals "is left alone" "index.html" "$(ls mine)"
echo text >plain
exits "a file in the way" 3 "cannot" "$cadenza" report project -o plain
equals "stays" text "$(cat plain)"
exits "a place that cannot be written" 3 "cannot" "$cadenza" report project -o /proc/report
exits "no such directory" 2 "which run directory" "$cadenza" report
exits "an unknown word" 2 "unexpected word" "$cadenza" report project --nothing
equals "no temporary folder is left" "" "$(find . -name '*.part.*')"
finish
