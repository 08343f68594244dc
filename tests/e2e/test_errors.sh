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
exits "unknown strategy" 2 "no strategy 'fast'" "$cadenza" run good.c --strategy fast
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
    exits "full disk on standard output" 4 "cannot write" sh -c "\"$cadenza\" run good.c -o full >/dev/full"
fi
finish
