# SPDX-License-Identifier: Apache-2.0
# cadenza diff: two runs of the same code do not differ; each change of the code shows up as what
# it is, although lines have moved.
. "$(dirname "$0")/lib.sh"

mkdir old new worse
cat >old/unit.c <<'C'
int twice(int x)
{
    if (x > 100)
        return 100;
    return 2 * x;
}
int quotient(int a, int b)
{
    if (b <= 0)
        return 0;
    return a / b;
}
C
# Other lines, a branch more, another result, a division that is not guarded any more.
cat >new/unit.c <<'C'
/* a comment
   that moves everything */
int twice(int x)
{
    if (x > 100)
        return 101;
    if (x == -7)
        return 3;
    return 2 * x;
}
int quotient(int a, int b)
{
    return a / b;
}
C
run() { "$cadenza" run "$1/unit.c" -o "$2" --iterations 200 --time 0 >"$2.txt" 2>&1; }
run old first
run old second
run new third

exits "the same code has no difference" 0 "^No difference" "$cadenza" diff first second
"$cadenza" diff first third >text
equals "a change has exit code 1" 1 $?
counted() { sqlite3 :memory: "select json_extract(cast(readfile('json') as text), '\$.$1')"; }
"$cadenza" diff first third --json >json
equals "no goal is lost" 0 "$(counted counts.lost)"
equals "two goals are new" 2 "$(counted counts.new)"
equals "two are gone" 2 "$(counted counts.gone)"
equals "goals whose lines moved are the same" 0 "$(counted counts.changed)"
equals "a result and an outcome changed" "return 100 101
outcome ok signal SIGFPE" "$(sqlite3 -separator ' ' :memory: "
    select json_extract(value, '\$.what'), json_extract(value, '\$.before'), json_extract(value, '\$.after')
    from json_each(cast(readfile('json') as text), '\$.differences') where json_extract(value, '\$.kind') = 'behaviour'")"
check "... and the text says so" grep -A2 'unit.c twice/.*: return' text
equals "alarms are new" "division by zero
quotient out of range" "$(sqlite3 :memory: "select json_extract(value, '\$.what')
    from json_each(cast(readfile('json') as text), '\$.differences') where json_extract(value, '\$.kind') = 'alarm'")"
"$cadenza" diff third first --json >json
equals "the other way round they are gone" 2 "$(counted counts.solved)"

# A run that searched less has lost goals, and one that searched more has gained them.
"$cadenza" run old/unit.c -o little --iterations 1 --time 0 >/dev/null 2>&1
exits "goals are lost" 1 "^Goals lost: decided before, not now: [1-9]" "$cadenza" diff first little
exits "goals are gained" 0 "^Goals gained: decided now, not before: [1-9]" "$cadenza" diff little first

exits "one directory is not enough" 2 "which two run directories" "$cadenza" diff first
exits "three are too many" 2 "unexpected word 'third'" "$cadenza" diff first second third
exits "no run directory" 3 "no run of cadenza was finished there" "$cadenza" diff first old
head -c 3000 first/cadenza.db >worse/cadenza.db
exits "a truncated database" 3 "worse/cadenza.db" "$cadenza" diff first worse
finish
