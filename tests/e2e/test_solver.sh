# SPDX-License-Identifier: Apache-2.0
# The solver stack from the command line: layers can be chosen and do not change what is
# covered, queries can be recorded, statistics are in the summary.
. "$(dirname "$0")/lib.sh"

cat >unit.c <<'C'
int f(unsigned char *text, int x, double u)
{
    int n = 0;
    if (text && text[0] == 'a' && text[1] == 'b' && text[2] > 'z')
        n++;
    if (x * 7 + 3 == 4707 && (x & 3) == 0)
        n += 2;
    if (u * 2.5 > 11.75 && u * 2.5 < 11.875)
        n += 4;
    if (x > 10 && x < 5)
        n += 8;
    return n;
}
C
for layers in all slice,validate,z3 slice,validate,bitblast,z3 -domains,-invert -cache,-local; do
    "$cadenza" run unit.c -q -o out --iterations 300 --layers "$layers"
    equals "covered with layers $layers" 18 "$(json out/summary.json '$.totals.branches_covered')"
done
exits "a layer that there is not" 2 "no solver layer 'magic'" "$cadenza" run unit.c --layers slice,magic
"$cadenza" run unit.c -q -o out --iterations 300 --dump-queries queries
check "queries are recorded" test -s queries/f-000001.smt2
check "as scripts with the parent input" grep -q '^; input ' queries/f-000001.smt2
equals "with one file per query that was sliced" "$(json out/summary.json '$.solver.layers[1].queries')" \
    "$(ls queries | wc -l | tr -d ' ')"
if command -v z3 >/dev/null; then
    check "which Z3 reads" sh -c 'z3 queries/f-000001.smt2 | grep -q sat'
fi
equals "layers in the summary" '["slice","validate","syntax","domains","cache","invert","local","optimistic","bitblast","z3"]' \
    "$(sqlite3 :memory: "select json_group_array(json_extract(value,'\$.name')) from json_each(json_extract(cast(readfile('out/summary.json') as text),'\$.solver.layers'))")"
exits "statistics with -v" 0 "^domains" "$cadenza" run unit.c -o out --iterations 50 -v

# The same bytes again, with all layers and with the backends alone.
for layers in all slice,validate,bitblast,z3; do
    for out in first second; do
        "$cadenza" run unit.c -q -o $out --iterations 300 --seed 3 --time 0 --layers "$layers"
    done
    check "reproducible with layers $layers" diff -r first/tests second/tests
    equals "and says so" 1 "$(json second/summary.json '$.reproducible')"
done

# Queries of tens of thousands of nodes do not take the tool down.
cat >large.c <<'C'
int mix(unsigned x, unsigned y, double d)
{
    for (unsigned i = 0; i < 6000; i++) {
        x = x * 31 + (y ^ i);
        y ^= x >> 3;
        d = d * 0.75 + i;
    }
    if (x == 12345)
        return 1;
    return d > 20000.5 && d < 20000.75 ? 2 : 3;
}
C
check "large queries" "$cadenza" run large.c -q -o large --iterations 5 --dump-queries large-queries
check "which have more than 10,000 nodes" sh -c 'cat large-queries/* | grep -c define-fun | grep -Eq "[0-9]{5}"'
check "and are answered" test "$(json large/summary.json '$.totals.branches_covered')" -ge 2
finish
