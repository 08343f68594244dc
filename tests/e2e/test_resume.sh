# SPDX-License-Identifier: Apache-2.0
# --resume takes a result over if and only if the same work would be done again: a changed header,
# flag, option, precondition, or fact of another file that reaches this one is a change, and nothing
# else.
. "$(dirname "$0")/lib.sh"

mkdir -p p/include
printf '#define LIMIT 7 /* of a */\n' >p/include/limit.h
cat >p/a.c <<'C'
#include "limit.h"
int scale(int *out);
extern const int table;
int a(int x)
{
    int y = 0;
    scale(&y);
    return x > LIMIT + y + table ? 1 : 2;
}
C
cat >p/b.c <<'C'
int counter; /* of b */
int scale(int *out) { if (out) *out = 3; return 0; }
int unrelated(int x) { return x + 1; }
C
printf 'const int table = 4;\nint read_table(void) { return table; }\n' >p/c.c
printf 'int deref(int *p) { return *p; }\n' >p/d.c
printf 'int deref(int *p);\nint calls(int x) { return x ? deref(&x) : 0; }\nint main(void) { return calls(1); }\n' >p/e.c
database() { # FLAGS of a.c
    cat >p/compile_commands.json <<J
[{"directory": ".", "file": "a.c", "arguments": ["cc", "-Iinclude", $1 "-c", "a.c"]},
 {"directory": ".", "file": "b.c", "arguments": ["cc", "-c", "b.c"]},
 {"directory": ".", "file": "c.c", "arguments": ["cc", "-c", "c.c"]},
 {"directory": ".", "file": "d.c", "arguments": ["cc", "-c", "d.c"]},
 {"directory": ".", "file": "e.c", "arguments": ["cc", "-c", "e.c"]}]
J
}
database ''
run() { "$cadenza" run -p p -o out --iterations 40 -j 2 "$@" >log 2>&1; }
run || cat log
cp -r out first
cp -r p pristine

# again NAME FILES [OPTIONS...]: a resumed run tests FILES (words, in order) again, and no others;
# then everything is as it was
again() {
    again_name=$1 again_files=$2; shift 2
    rm -rf out && cp -r first out
    run --resume "$@"
    equals "$again_name" "$again_files" \
        "$(echo $(sed -n 's/^\([a-e]\)\.c  *taken over.*/\1/p' log | sort |
            awk 'BEGIN { split("a b c d e", all) } { over[$1] = 1 } END { for (i = 1; i <= 5; i++) if (!over[all[i]]) print all[i] }'))"
    rm -rf p && cp -r pristine p
}
again "nothing has changed" ""
cp -r out untouched
for what in summary.json goals.txt; do
    check "nothing has changed: the same $what" sh -c "sed 's/\"[a-z_]*seconds\": [0-9.e+-]*//' first/$what >1; sed 's/\"[a-z_]*seconds\": [0-9.e+-]*//' untouched/$what | diff 1 -"
done
again "the number of workers is no change" "" -j 1
sed -i 's/LIMIT 7/LIMIT 8/' p/include/limit.h
again "a header" "a"
sed -i 's/of a/of nobody/' p/include/limit.h
again "a comment in a header" ""
sed -i 's/LIMIT + y/LIMIT + 2 * y/' p/a.c
again "the file itself" "a"
database '"-DLIMITED", '
again "a flag" "a"
again "an option" "a b c d e" --seed 2
printf 'precondition a: x > 3\n' >p/cadenza.pre
again "a precondition" "a"
printf '# nothing yet\nprecondition nobody: x > 3\n' >p/cadenza.pre
again "a precondition of a function that there is not" ""
sed -i 's/\*out = 3/counter = *out = 3/' p/b.c
again "what a stub writes: a global that only its own file has" "b"
sed -i 's/{ if (out) \*out = 3; return 0; }/{ (void)out; return 0; }/' p/b.c
again "what a stub writes: nothing any more" "a b"
sed -i 's/of b/of nobody/' p/b.c
again "a comment in another file" "b"
sed -i 's/x + 1/x + 2/' p/b.c
again "code in another file that nobody asks about" "b"
sed -i 's/= 4/= 5/' p/c.c
again "the value of another file's constant" "a c"
sed -i 's/deref(&x)/deref(0)/' p/e.c
again "a call whose arguments were judged" "d e"
sed -i 's/calls(1)/calls(2)/' p/e.c
again "the file of such a call" "d e"

# A change that does not matter is not looked at twice.
rm -rf out && cp -r first out
sed -i 's/of a/of nobody/' p/include/limit.h
run --resume
cmp -s out/files/a.c/manifest first/files/a.c/manifest && cmp -s out/files/a.c/sources.txt first/files/a.c/sources.txt &&
    not_ok "what was compared is noted" || ok "what was compared is noted"
rm -rf p && cp -r pristine p

# Results that are not what they should be.
damaged() { # NAME COMMAND: done to the results of a.c
    rm -rf out && cp -r first out
    (cd out/files/a.c && eval "$2")
    run --resume
    equals "$1" "b c d e" "$(echo $(sed -n 's/^\([a-e]\)\.c  *taken over.*/\1/p' log | sort))"
    check "$1: the result is right again" cmp first/files/a.c/goals.txt out/files/a.c/goals.txt
}
damaged "a manifest that is cut short" 'head -c 100 manifest >x; mv x manifest'
damaged "a manifest with another byte" 'printf X | dd of=manifest bs=1 seek=60 conv=notrunc 2>/dev/null'
damaged "a manifest of another version" 'printf "\007" | dd of=manifest bs=1 seek=4 conv=notrunc 2>/dev/null'
damaged "no manifest" 'rm manifest'
damaged "no database" 'rm cadenza.db'
damaged "a run that was killed" 'rm -r ../a.c; mkdir ../.a.c.part; echo rubbish >../.a.c.part/manifest; touch ../.a.c.part/.cadenza'
equals "nothing is left of it" "" "$(find out/files -name '*.part')"
finish
