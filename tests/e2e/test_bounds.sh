# SPDX-License-Identifier: Apache-2.0
# Bounds start at --elements and --depth, and an input raises them: the engine's target and
# the clean build build the same objects, what a bound ends is counted as before, and a search
# that begins with a raised bound covers what needs it.
. "$(dirname "$0")/lib.sh"

cat >walk.c <<'C'
struct node { struct node *next; int value; };
int walk(struct node *list)
{
    int count = 0;
    for (; list; list = list->next)
        count++;
    if (count == 7)
        return 1;
    return 0;
}
C
cat >parse.c <<'C'
int parse(const char *text)
{
    int sum = 0, i;
    if (!text || text[0] != '$')
        return -1;
    for (i = 1; text[i] && text[i] != '*'; i++)
        sum ^= text[i];
    if (i < 78 || text[i] != '*')
        return 0;
    if (text[i + 1] != 'A' + (sum & 15))
        return 1;
    return 2;
}
int receive(const unsigned char *frame, unsigned length)
{
    if (!frame || length < 60)
        return 0;
    if (frame[59] == 0x7e)
        return 2;
    return 1;
}
C

# value N FORMAT: N values
values() { seq 1 "$1" | sed "s/.*/$2/" | tr '\n' ' ' | sed 's/ $//'; }

# seeded NAME SOURCE TEST [options]: the search begins with TEST
seeded() {
    name=$1 source=$2 test=$3; shift 3
    check "$name: a search that begins with $test" \
        "$cadenza" run "$source" -o "$name" -q --seed-test "$test" --most-calls 2 "$@"
    equals "$name: engine and llvm-cov agree" '[]' "$(json "$name/summary.json" '$.disagreements')"
    check "$name: tests replay as recorded" "$cadenza" replay "$name"
}
covered() { sqlite3 "$1/cadenza.db" "select branches_covered || '/' || branches from tasks where function='$2'"; }

# A list of seven nodes.
{
    echo "task walk"
    echo "input bound:depth | unsigned | 6"
    at=arg:list
    for i in 1 2 3 4 5 6 7; do
        echo "input shape:$at | shape | present"
        at="$at->next"
    done
} >seven.test
seeded one walk.c seven.test --iterations 1
check "one execution: seven nodes in the target" grep -q "shape:arg:list->next->next->next->next->next->next | shape | present" one/tests/walk/*.test
check "its bound is in the test" grep -q "^input bound:depth | unsigned | 6$" one/tests/walk/*.test
equals "seven nodes are counted" "count == 7 1" \
    "$(sqlite3 one/cadenza.db "select text || ' ' || outcome from goals where line = 7 and verdict = 'covered'")"
grep -v bound: seven.test >deep.test
seeded four walk.c deep.test --iterations 1
check "without it there are five" grep -q "shape:arg:list->next->next->next->next | shape | present" four/tests/walk/*.test
check "and no more" sh -c '! grep -q "next->next->next->next->next" four/tests/walk/*.test'
check "no bound is in a test at the start" sh -c '! grep -q bound: four/tests/walk/*.test'
printf 'task walk\ninput bound:depth | unsigned | 6\ninput shape:arg:list | shape | present\n' >depth.test
seeded deep walk.c depth.test --iterations 300
equals "a search with depth 6 covers it" 4/4 "$(covered deep walk)"
"$cadenza" run walk.c -o flat -q --iterations 300 --most-depth 4
equals "one that ends at 4 does not" 3/4 "$(covered flat walk)"

# A sentence of 80 characters.
{
    echo "task parse"
    echo "input bound:elements | unsigned | 80"
    echo "input shape:arg:text | shape | present"
    echo "input arg:text[0..79] | char | 36 $(values 77 1) 42 66"
} >sentence.test
seeded line parse.c sentence.test --iterations 1 --task parse
check "one execution: 80 characters in the target" grep -q "^input arg:text\[0..79\] | char | 36 1 .* 1 42 66" line/tests/parse/*.test
check "its bound is in the test" grep -q "^input bound:elements | unsigned | 80$" line/tests/parse/*.test
printf 'task parse\ninput bound:elements | unsigned | 80\ninput shape:arg:text | shape | present\n' >long.test
seeded long parse.c long.test --task parse --iterations 800
equals "a search with 80 elements covers it" "$(covered long parse | sed 's,.*/,,' | sed 's,.*,&/&,')" "$(covered long parse)"

# A length that no buffer of ten elements has.
{
    echo "task receive"
    echo "input bound:elements | unsigned | 64"
    echo "input shape:arg:frame | shape | present"
    echo "input arg:frame[0..63] | unsigned char | $(values 59 0) 126 0 0 0 0"
    echo "input choice:arg:length | choice | 60"
} >frame.test
seeded frame parse.c frame.test --task receive --iterations 1
check "the length is as the test says" grep -q "^input choice:arg:length | choice | 60$" frame/tests/receive/*.test
printf 'task receive\ninput bound:elements | unsigned | 64\n' >frames.test
seeded frames parse.c frames.test --task receive --iterations 100
equals "a search with 64 elements covers it" "$(covered frames receive | sed 's,.*/,,' | sed 's,.*,&/&,')" "$(covered frames receive)"
printf 'task receive\ninput choice:arg:length | choice | 70\n' >wrong.test
exits "a length beyond any buffer is refused" 6 "input choice:arg:length" \
    "$cadenza" run parse.c -o wrong -q --task receive --seed-test wrong.test --iterations 1

# What a bound ends is told whatever it is.
cat >ends.c <<'C'
struct node { struct node *next; };
int none(int *p) { int i = 0; if (!p) return 0; while (p[i] == 5) i++; if (i == 2000) return 1; return 0; }
int none_deep(struct node *n) { int c = 0; for (; n; n = n->next) c++; if (c == 40) return 1; return 0; }
C
printf 'task none\ninput bound:elements | unsigned | 40\ninput shape:arg:p | shape | present\n' >ends.test
for test in "" "--seed-test ends.test"; do
    # shellcheck disable=SC2086
    "$cadenza" run ends.c -o ends -q --iterations 2000 --task none $test
    check "the end of an array is told $test" grep -q "elements" ends/goals.txt
done
printf 'task none_deep\ninput bound:depth | unsigned | 12\ninput shape:arg:n | shape | present\n' >ends.test
for test in "" "--seed-test ends.test"; do
    # shellcheck disable=SC2086
    "$cadenza" run ends.c -o ends -q --iterations 2000 --task none_deep $test
    check "the end of a list is told $test" grep -q "depth" ends/goals.txt
done

# The same in each run.
"$cadenza" run parse.c -o again -q --task parse --seed-test long.test --iterations 800 --most-calls 2
check "the same tests in each run" diff -r long/tests again/tests
exits "--most-elements 0 is refused" 2 "most-elements takes a whole number" "$cadenza" run walk.c -o none --most-elements 0
finish
