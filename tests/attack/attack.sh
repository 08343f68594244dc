#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The attack, unit by unit: generate, run Cadenza, attack its claims. A seed is a unit of 20
# functions. One line of counts per seed goes to results.txt in a folder that belongs to this
# very build of Cadenza and of the attack, so that a second call goes on where the first one
# ended and a changed engine is attacked anew. Units with a finding are kept beside it.
# Exit code 1: something that Cadenza said is false; 2: the attack itself failed.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=${TOOLS:-$root/build/attack}
cadenza=$(realpath "${CADENZA:-$root/build/cadenza}")
from=${FROM:-1}
to=${TO:-$((from + (${FUNCTIONS:-20000} + 19) / 20 - 1))}
budget=${BUDGET:---iterations 400 --time 10}
library=$(dirname "$cadenza")
key=$({ cat "$cadenza" "$library/libczrt.a" "$library/libczmodels.a" "$tools/generate" "$tools/attacker"
        echo "${ATTACK_SOURCE:-} $budget"; } | cksum | cut -d' ' -f1)
state=${STATE:-$tools/$key}
mkdir -p "$state" || exit 2
touch "$state/results.txt"

# One unit in $state/SEED; what is left there is the evidence.
attack_unit() { # SEED
    unit=$state/$1
    rm -rf "$unit"
    "$tools/generate" "$1" "$unit" || return 2
    # shellcheck disable=SC2086
    nice "$cadenza" run "$unit/unit.c" -o "$unit/out" -j1 -q $budget >"$unit/cadenza.log" 2>&1
    code=$?
    if [ $code -gt 1 ]; then
        echo "seed=$1 functions=20 errors=1" >"$unit/line"
        echo "cadenza ended with exit code $code, see $unit/cadenza.log"
        return 1
    fi
    nice "$tools/attacker" "$unit" "$1" "$cadenza" "$root/tests/attack/rt" "$tools/rt" "${ITERATIONS:-300}" \
        >"$unit/attack.log" 2>"$unit/attack.errors"
    code=$?
    cat "$unit/attack.errors"
    sed -n 1p "$unit/attack.log" >"$unit/line"
    sed 1d "$unit/attack.log" | grep -v "^ \|^outside\|^only after"
    return $code
}

# Evidence without what can be made again.
tidy() { # SEED
    find "$state/$1" -maxdepth 1 -type f \( -name '*.o' -o -name 'attack-*' -o -name 'confirm*' -o \
        -name 'independent*' -o -name marks -o -name marked.i \) -delete
    rm -rf "$state/$1/out/harness"
}

worst=0
seed=$from
while [ "$seed" -le "$to" ]; do
    if ! grep -q "^seed=$seed " "$state/results.txt"; then
        attack_unit "$seed"
        code=$?
        if [ $code -gt 1 ]; then
            echo "the attack on seed $seed failed: $state/$seed"
            worst=2
        else
            cat "$state/$seed/line" >>"$state/results.txt"
            echo "$(sed -n 's/ functions.*//p' "$state/$seed/line"): $(cut -d' ' -f3- "$state/$seed/line")"
            if [ $code -eq 0 ] && [ -z "${KEEP:-}" ]; then rm -rf "$state/${seed:?}"; else tidy "$seed"; fi
        fi
    fi
    seed=$((seed + 1))
done

# The sum of this range, earlier calls included.
awk -v from="$from" -v to="$to" -v worst="$worst" '
    { split($1, s, "="); if (s[2] < from || s[2] > to || s[2] in seen) next; seen[s[2]] = 1
      for (i = 2; i <= NF; i++) { split($i, f, "="); if (!(f[1] in sum)) order[n++] = f[1]; sum[f[1]] += f[2] } }
    END {
        printf "total:"; for (i = 0; i < n; i++) printf " %s=%d", order[i], sum[order[i]]; print ""
        bad = sum["false_strong"] + sum["false_weak"] + sum["false_uninitialised"] + sum["unconfirmed"] + sum["different"] \
              + sum["alarms_unconfirmed"] + sum["errors"]
        exit worst ? worst : bad > 0
    }' "$state/results.txt"
