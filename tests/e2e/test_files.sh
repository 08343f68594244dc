# SPDX-License-Identifier: Apache-2.0
# Files, standard input and the environment are inputs: branches that need certain
# contents are reached, and the clean build sees the same.
. "$(dirname "$0")/lib.sh"

cat >files.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
struct header { unsigned magic; unsigned short version, flags; };
int f_fgets(void) { char line[16]; if (!fgets(line, sizeof line, stdin)) return -1; if (strncmp(line, "GET ", 4) == 0) { if (line[4] == '/') return 2; return 1; } return 0; }
int f_machine(void) { int state = 0, c; while ((c = getchar()) != EOF) { if (state == 0) state = c == 'a'; else if (state == 1) state = c == 'b' ? 2 : 0; else if (c == '\n') return 7; else state = 0; } return state; }
int f_header(const char *path) { struct header h; FILE *f; if (!path) return -3; f = fopen(path, "rb"); if (!f) return -1; if (fread(&h, sizeof h, 1, f) != 1) { fclose(f); return -2; } fclose(f); if (h.magic != 0x89abcdef) return 1; if (h.version > 3) return 2; if (h.flags & 0x8000) return 3; return 0; }
int f_getline(void) { char *line = NULL; size_t n = 0; ssize_t k; int result = 0; while ((k = getline(&line, &n, stdin)) > 0) { if (k == 5 && memcmp(line, "stop\n", 5) == 0) { result = 1; break; } } free(line); return result; }
int f_env(void) { const char *v = getenv("MODE"); if (!v) return 0; if (strcmp(v, "fast") == 0) return 1; return 2; }
int f_config(void) { FILE *f = fopen("/etc/app.conf", "r"); int a, b; if (!f) return -1; if (fscanf(f, "%d,%d", &a, &b) != 2) { fclose(f); return -2; } fclose(f); if (a == 12) { if (b == -7) return 1; } return 0; }
int f_close(int fd) { if (close(fd) == -1) return 1; return 0; }
int f_read(int fd) { unsigned char b[4]; ssize_t n = read(fd, b, sizeof b); if (n < 0) return -1; if (n < 4) return -2; if (b[0] == 0x7f && b[3] == 'F') return 1; return 0; }
int f_sscanf(const char *s) { int x; char w[8]; if (!s) return -1; if (sscanf(s, "%d %7s", &x, w) == 2 && x == 42) { if (strcmp(w, "go") == 0) return 1; return 2; } return 0; }
int f_open(const char *name) { int fd, r; char b[2]; if (!name) return -1; fd = open(name, O_RDONLY); if (fd < 0) return -2; r = read(fd, b, 2); close(fd); if (r == 2 && b[0] == 'o' && b[1] == 'k') return 1; return 0; }
int f_stat(void) { struct stat s; if (stat("data.bin", &s) != 0) { if (errno == ENOENT) return -1; return -2; } if (s.st_size == 17) return 1; return 0; }
int f_mmap(void) { struct stat s; int fd = open("map.bin", O_RDONLY); char *p; if (fd < 0) return -1; if (fstat(fd, &s) != 0) return -2; if (s.st_size < 3) return -3; p = mmap(NULL, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0); if (p == MAP_FAILED) return -4; if (p[2] == 'M') return 1; munmap(p, s.st_size); close(fd); return 0; }
int f_seek(void) { FILE *f = fopen("tail.bin", "rb"); int c; if (!f) return -1; if (fseek(f, -2, SEEK_END) != 0) { fclose(f); return -2; } c = fgetc(f); if (c == 'Z') { fclose(f); return 1; } fclose(f); return 0; }
int f_put(int x) { if (fputs("five", stdout) == EOF) return 1; if (fprintf(stderr, "%d", x) < 0) return 2; return x; }
int f_back(void) { char text[8] = ""; int c = getchar(); FILE *f; if (c == EOF) return -1; f = fopen("out.txt", "w"); if (!f) return -2; fputc(c, f); fprintf(f, "%s", "!\n"); fclose(f); f = fopen("out.txt", "r"); if (!f) return -3; fgets(text, sizeof text, f); fclose(f); if (text[0] == 'q') return 1; return 0; }
C
"$cadenza" run files.c -o files -q --iterations 3000 || not_ok "files.c runs"
sqlite3 files/cadenza.db "select t.function || ' ' || branches_covered || '/' || branches from tasks t" >got
while read -r task covered; do
    case $task in
    # stat, fstat, mmap and printing have no other errors in this world
    f_stat | f_mmap | f_put) continue ;;
    esac
    [ "${covered%/*}" = "${covered#*/}" ] && ok "$task $covered" || not_ok "$task $covered"
done <got
reached() { # TASK TEXT: the condition's true side is covered
    equals "$1: $2" covered "$(sqlite3 files/cadenza.db "select g.verdict from goals g where g.text like '$2%' and g.outcome = 1 and g.kind = 'branch' limit 1")"
}
reached f_stat "s.st_size == 17"
reached f_mmap "p[2] == "
equals "tasks" 15 "$(wc -l <got)"
equals "engine and llvm-cov agree" '[]' "$(json files/summary.json '$.disagreements')"
equals "nothing is called infeasible that a real file could do" 0 "$(json files/summary.json '$.totals.branches_infeasible')"
check "standard input in a test" grep -q '^input stdin:length | ' files/tests/f_fgets/*.test
check "a named file in a test" sh -c "cat files/tests/f_config/*.test | grep -q '^input file:/etc/app.conf\[0..63\] | '"
check "a failing fopen in a test" sh -c "cat files/tests/f_config/*.test | grep -q '^input stub:fopen#1:fails | .* | \(1\|true\)'"
check "the environment in a test" sh -c "cat files/tests/f_env/*.test | grep -q '^input shape:env:MODE | .* | present'"
"$cadenza" replay files >replayed 2>&1
equals "tests replay" 0 $?

# A whole program: its arguments, its standard input and a file that it opens.
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char word[8];
    FILE *f;
    int c;
    if (argc < 2) return 2;
    if (strcmp(argv[1], "-x") == 0) { if (argc > 2 && argv[2][0] == '7') return 3; return 4; }
    f = fopen(argv[1], "r");
    if (!f) return 5;
    if (!fgets(word, sizeof word, f)) { fclose(f); return 6; }
    fclose(f);
    if (strcmp(word, "key\n") != 0) return 7;
    c = getchar();
    if (c == EOF) return 8;
    if (c == '!') return 9;
    return 0;
}
C
"$cadenza" run --program program.c --stdin 8 --file in:8 --arg 2:4 -o program -q --iterations 1000 || not_ok "program.c runs"
equals "a whole program: all branches" "$(json program/summary.json '$.totals.branches')" "$(json program/summary.json '$.totals.branches_covered')"
equals "engine and llvm-cov agree on it" '[]' "$(json program/summary.json '$.disagreements')"
check "the file's name was solved for" sh -c "cat program/tests/main/*.test | grep -q '^input argv\[1\]\[0..3\] | .* | 105 110 0'"
"$cadenza" replay program >replayed 2>&1
equals "its tests replay" 0 $?

# The order of asking and the contents are the same in every run.
"$cadenza" run files.c --task f_getline --task f_config -o again -q --iterations 300
"$cadenza" run files.c --task f_getline --task f_config -o again2 -q --iterations 300
equals "the same tests twice" "" "$(diff -r again/tests again2/tests)"
finish
