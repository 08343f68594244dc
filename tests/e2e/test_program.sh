# SPDX-License-Identifier: Apache-2.0
# Whole programs: several files, options, standard input and files as inputs; seeds;
# statics, atexit and getopt begin anew in each run; tests replay.
. "$(dirname "$0")/lib.sh"

cat >util.h <<'C'
#include <stdio.h>
static inline int clamp(int v) { if (v > 100) return 100; if (v < 0) return 0; return v; }
int parse_config(const char *name);
int process(FILE *in, int level);
extern int verbose;
extern int limits[4];
C
cat >main.c <<'C'
#include "util.h"
#include <stdlib.h>
#include <unistd.h>
int verbose;
static int count;
struct local { char c; int level; };
static int bump(int by) { struct local l = { 1, by }; count += l.level; return count; }
static void bye(void) { if (count > 1) puts("many"); }
int main(int argc, char **argv)
{
    int c, level = 0, key = -1;
    atexit(bye);
    while ((c = getopt(argc, argv, "vl:k")) != -1) {
        switch (c) {
        case 'v': verbose = bump(1); break;
        case 'l': level = atoi(optarg); break;
        case 'k': key = parse_config("app.cfg"); break;
        default: return 2;
        }
    }
    if (count > 3)      /* never, unless a run sees the state of an earlier one */
        abort();
    int r = process(stdin, clamp(level));
    if (key == 7 && r == 'Z') {
        int *p = NULL;
        *p = 1;         /* the bug: -k, the file's content and standard input */
    }
    exit(r == 0);
}
C
cat >config.c <<'C'
#include "util.h"
struct local { double d; };
static int count = 5;
int limits[4] = { 1, 2, 3, 4 };
static int bump(struct local *l) { l->d += 1; return -count; }
int parse_config(const char *name)
{
    char line[8];
    struct local l = { 0 };
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    if (!fgets(line, sizeof line, f)) { fclose(f); return -2; }
    fclose(f);
    if (line[0] == '=') return clamp(line[1] - '0');
    return bump(&l);
}
C
cat >process.c <<'C'
#include "util.h"
static int count;
int process(FILE *in, int level)
{
    int c = getc(in);
    if (c == EOF) return 0;
    if (c == 'B') return level > 3 ? limits[level & 3] : 'Z';
    ungetc(c, in);
    if (verbose) count++;
    return getc(in) == c ? count : -1;
}
C
run() { "$cadenza" run --program main.c config.c process.c --stdin 3 --arg 2:3 --file app.cfg:4 "$@"; }

run -o dfs -q --strategy dfs --iterations 20000
equals "the bug that needs all three is found" "main.c:26 main reproduced under sanitizers" \
    "$(sqlite3 dfs/cadenza.db "select file || ':' || line || ' ' || function || ' ' || reproduced from alarms" | sed 's,.*/,,')"
covered() { # DIR TEXT: the verdicts of a condition or case
    sqlite3 "$1/cadenza.db" "select group_concat(distinct verdict) from goals where kind = 'branch' and text = '$(printf '%s' "$2" | sed "s/'/''/g")'"
}
equals "an option's letter" covered "$(covered dfs "case 'l'")"
equals "a file's content" covered "$(covered dfs "line[0] == '='")"
equals "standard input in another file" covered "$(covered dfs "c == 'B'")"
equals "a number in an argument" covered "$(covered dfs 'level > 3')"
equals "atexit handlers run" covered "$(covered dfs 'count > 1')"
equals "statics begin anew" undetermined "$(sqlite3 dfs/cadenza.db "select verdict from goals where text = 'count > 3' and outcome = 1 and kind = 'branch'")"
equals "a header's function is listed once" 4 "$(sqlite3 dfs/cadenza.db "select count(*) from goals g join functions f on f.id = g.function where f.name = 'clamp'")"
equals "each branch is in its file" "config.c main.c process.c util.h " "$(sqlite3 dfs/cadenza.db 'select distinct file from goals' | sed 's,.*/,,' | sort | tr '\n' ' ')"
equals "engine and llvm-cov agree" '[]' "$(json dfs/summary.json '$.disagreements')"
check "tests replay" "$cadenza" replay dfs
check "show names the files" sh -c "'$cadenza' show dfs | grep -q '^config.c:.*parse_config'"
check "the test names its inputs" grep -q '^input file:app.cfg\[0..3\] | ' dfs/tests/main/0001.test

run -o one -q --iterations 800
run -o two -q --iterations 800
check "the same bytes again" diff -r one/tests two/tests

# Seeds: an input that takes the long way, by itself and as a start.
mkdir seeds
printf B >seeds/long
printf -- '-v\n-k\n' >seeds/long.args
printf 'too long for it' >seeds/other
run -o seeded --seed-input seeds --iterations 6 >seeded.log
equals "a seed's way" covered "$(sqlite3 seeded/cadenza.db "select verdict from goals where text = 'c == ''B''' and outcome = 1 and kind = 'branch'")"
equals "a seed's arguments" covered "$(sqlite3 seeded/cadenza.db "select verdict from goals where text = 'case ''k''' and outcome = 1 and kind = 'branch'")"
check "a seed that does not fit is told" grep -q 'seed other: cut off after 3 of 15 bytes' seeded.log
exits "seeds that are not there" 3 'cannot read the seeds' run -o bad --seed-input nowhere

# getopt_long, return from main, abort, _exit.
cat >inl.h <<'C'
#pragma GCC system_header
inline int twice(int v) { return 2 * v; }
C
cat >long.c <<'C'
#include "inl.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const struct option words[] = { { "fast", no_argument, 0, 'f' }, { "size", required_argument, 0, 's' }, { 0, 0, 0, 0 } };
int main(int argc, char **argv)
{
    int c, size = 0, fast = 0;
    while ((c = getopt_long(argc, argv, "q", words, 0)) != -1) {
        if (c == 'f') fast = 1;
        else if (c == 's') size = optarg[0];
        else if (c == 'q') _exit(3);
        else return 2;
    }
    if (fast && twice(size) == 2 * '7') return 1;
    if (optind < argc && strcmp(argv[optind], "die") == 0) abort();
    return 0;
}
C
"$cadenza" run --program long.c --arg 2:8 -o long -q --strategy dfs --iterations 30000
equals "a long option" covered "$(sqlite3 long/cadenza.db "select verdict from goals where text = 'c == ''s''' and outcome = 1 and kind = 'branch'")"
equals "a word behind the options" covered "$(sqlite3 long/cadenza.db "select verdict from goals where text like 'strcmp%' and outcome = 1 and kind = 'branch'")"
check "its tests replay" "$cadenza" replay long

# Which files.
cat >p.json <<C
[{"directory": "$work", "file": "long.c", "command": "cc -c long.c"},
 {"directory": "$work", "file": "main.c", "command": "cc -c main.c"},
 {"directory": "$work", "file": "config.c", "command": "cc -c config.c"},
 {"directory": "$work", "file": "process.c", "command": "cc -c process.c"}]
C
printf 'int main(int argc, char **argv) { if (argc > 4) return 1; return argv == 0; }\n' >many.c
"$cadenza" run --program many.c -o many -q --iterations 50
equals "more arguments than --arg gives are not called infeasible" 0 "$(json many/summary.json '$.totals.branches_infeasible')"
exits "several mains" 2 'name the one to test: long.c, main.c' "$cadenza" run --program -p p.json -o x
exits "the rest is found" 0 'main ' "$cadenza" run --program -p p.json main.c --iterations 20 -o found
equals "all three files" 3 "$(ls found/harness/main.c/engine*.c | wc -l)"
check "inputs by default are printed" sh -c "'$cadenza' run --program long.c --iterations 5 -o default 2>&1 >/dev/null | grep -q 'up to 32 bytes of standard input'"
exits "two mains on the command line" 2 '2 files define main' "$cadenza" run --program main.c config.c process.c long.c -o x
printf 'int parse_config(const char *n) { return n != 0; }\n' >twice.c
exits "two definitions" 3 'parse_config' "$cadenza" run --program main.c config.c process.c twice.c -o x
exits "no main" 2 'defines main' "$cadenza" run --program config.c -o x
exits "--stdin needs --program" 2 'needs --program' "$cadenza" run main.c --stdin 4
exits "a malformed --arg" 2 'N:LEN' "$cadenza" run --program main.c --arg x
exits "a malformed --file" 2 'NAME:N' "$cadenza" run --program main.c --file x
finish
