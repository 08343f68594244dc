# SPDX-License-Identifier: Apache-2.0
# Bad input gets a clear error and the right exit code, and loses nothing.
. "$(dirname "$0")/lib.sh"

printf 'int f(int x) { return x > 0; }\n' >good.c
printf 'int f(int x) { return y; }\n' >bad.c
printf 'static int f(int x) { return x; }\nint main(void) { return f(1); }\n' >none.c
printf '#include "not_there.h"\nint f(void) { return 1; }\n' >header.c

exits "no file named" 2 "which file" "$cadenza" run
exits "unknown option" 2 "unknown option '--nonsense'" "$cadenza" run good.c --nonsense
exits "bad number" 2 "whole number" "$cadenza" run good.c --time never
exits "unknown strategy" 2 "or directed, not 'fast'" "$cadenza" run good.c --strategy fast
exits "unknown command" 2 "no command 'walk'" "$cadenza" walk
exits "unknown task lists the names" 2 "f" "$cadenza" run good.c --task g
exits "file that is not there" 3 "not_there.c" "$cadenza" run not_there.c
exits "file that does not compile shows clang's message" 3 "undeclared identifier 'y'" "$cadenza" run bad.c
exits "missing header is named" 3 "not_there.h" "$cadenza" run header.c
exits "no tasks" 3 "no function to test" "$cadenza" run none.c
exits "missing clang names the package" 3 "clang-19" env PATH=/nonexistent "$cadenza" run good.c
mkdir mine && echo precious >mine/file
exits "somebody else's directory is left alone" 3 "was not made by cadenza" "$cadenza" run good.c -o mine
equals "its file is still there" precious "$(cat mine/file)"
exits "output below a file" 3 "cannot" "$cadenza" run good.c -o good.c/out
"$cadenza" run good.c -o kept -q
exits "a failing run keeps earlier results" 3 "undeclared" "$cadenza" run bad.c -o kept
check "results of the earlier run are there" test -s kept/summary.json
exits "help" 0 "compiler flags" "$cadenza" run --help
exits "version" 0 "cadenza [0-9]" "$cadenza" --version
if [ -w /dev/full ]; then
    exits "full disk on standard output" 7 "cannot write" sh -c "\"$cadenza\" run good.c -o full >/dev/full"
fi

# ---- names that begin like ours ----
cat >mine.c <<'C'
typedef struct cz_node { int cz_field; int cz_root, cz_count; struct cz_node *cz_next; } cz_node;
enum cz_mode { CZ_OFF, CZ_ON };
int cz_global;
static int cz_state;
extern int cz_seen;
int cz_external(cz_node *n);
static int cz_helper(int cz_i32) { if (cz_i32 == 3) return 1; return 0; }
int cz_go(cz_node *cz_path, enum cz_mode cz_call)
{
    int cz_new = cz_helper(cz_call);
    if (cz_path && cz_path->cz_field == 7 && cz_path->cz_root == 8 && cz_call == CZ_ON) return 1;
    if (cz_path && cz_path->cz_next && cz_path->cz_next->cz_count == 4) return 4;
    if (cz_external(cz_path) == 9) return 2;
    if (cz_seen == 3) return 3;
    if (cz_state++ == 1) return 5;
    return cz_global == 5 ? cz_new : 0;
}
C
exits "names that begin with cz_ are the user's" 0 "cz_go  *24/24 " "$cadenza" run mine.c -o ours --iterations 400
exits "and replay" 0 "\([0-9]*\) of \1 tests as recorded" "$cadenza" replay ours
printf 'int cz_i32(unsigned at) { return at > 3; }\n' >taken.c
exits "but none of the driver's" 3 "use the name cz_i32 themselves.*-Dcz_i32=my_cz_i32" "$cadenza" run taken.c -o taken
exits "which can be renamed" 0 "my_cz_i32" "$cadenza" run taken.c -o taken --iterations 20 -- -Dcz_i32=my_cz_i32
printf 'int cz_i32(unsigned at);\nint f(int x) { if (cz_i32(x) == 77) return 1; return 0; }\n' >called.c
exits "nor one that another file defines" 3 "use the name cz_i32" "$cadenza" run called.c -o taken
printf 'static int cz_s_step;\nint f(int x) { return cz_s_step++ == x; }\n' >shim.c
exits "nor the runtime's" 3 "use the name cz_s_step" "$cadenza" run shim.c -o taken
printf 'typedef unsigned long cz_path; int f(cz_path p) { return p == 3; }\n' >path.c
exits "nor its types" 3 "collides with those of generated drivers" "$cadenza" run path.c -o taken
sed ':a; N; $!ba; s,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' "$root/include/cz/driver.h" | grep -oE '\b(cz|CZ)_[A-Za-z0-9_]+' | sort -u |
    grep -vx CZ_DRIVER_H >words
equals "all of whose words are known to be taken" "" "$(while read -r word; do
    grep -q "\"$word\"" "$root/src/program/reserved.c" || echo "$word"; done <words)"
check "and there are some" grep -qx cz_turn words
finish
