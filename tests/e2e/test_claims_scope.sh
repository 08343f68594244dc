# SPDX-License-Identifier: Apache-2.0
# Use of a local after its scope, or after its function returned.
. "$(dirname "$0")/lib.sh"
claims=$root/tests/golden/claims/scope

"$cadenza" run "$claims/dead.c" -o dead -q --iterations 300 --no-inference
# seen RUN FUNCTION: lines and words of the alarms that the engine saw and the sanitizers confirmed
seen() { sqlite3 "$1/cadenza.db" "select group_concat(x, ' | ') from (select line || ':' || detail as x from alarms
    where function = '$2' and cause = 'scope' and reproduced = 'reproduced under sanitizers' order by line)"; }
lines() { awk -v f="$1" '$0 ~ "^int " f "\\(" { on = 1 } on && /\/\* scope/ { print NR } on && /^}/ { exit }' "$claims/dead.c"; }
all() { lines "$1" | sed "s/\$/:stack-use-after-$2/" | paste -sd'|' | sed 's/|/ | /g'; }
equals "a local of a block that an outer pointer keeps" "$(all block scope)" "$(seen dead block)"
equals "addresses of locals in a returned struct" "$(all structure return)" "$(seen dead structure)"
equals "the address of a local in a global" "$(all global return)" "$(seen dead global)"
equals "a local of a loop's body behind the loop, not in it" "$(all loop scope)" "$(seen dead loop)"
equals "a scope that break leaves" "$(all leaves scope)" "$(seen dead leaves)"
equals "text in a buffer of a function that returned, by strlen()" "$(all text return)" "$(seen dead text)"
equals "writes and block operations" "$(all written scope)" "$(seen dead written)"
words() { sqlite3 dead/cadenza.db "select kind from alarms where function = '$1'"; }
equals "the words tell which" "use of a local after its scope, use of a local after its function returned" \
    "$(words block), $(words structure)"
equals "builds agree" '[]' "$(json dead/summary.json '$.disagreements')"
"$cadenza" run "$claims/dead.c" -o off -q --iterations 100 --task global --no-check scope
equals "--no-check scope turns it off" 0 "$(json off/summary.json '$.totals.alarms')"

"$cadenza" run "$claims/alive.c" -o alive -q --iterations 300
equals "gotos, loops, longjmp, VLAs and reused frames give no alarm" '[]' "$(json alive/summary.json '$.alarms')"
equals "and no disagreement" '[]' "$(json alive/summary.json '$.disagreements')"
equals "scopes that several jumps leave keep their control flow" "14 0" \
    "$(sqlite3 alive/cadenza.db "select sum(verdict = 'covered') || ' ' || sum(verdict <> 'covered') from goals
       where function = (select id from functions where name = 'nested') and kind = 'branch'")"
finish
