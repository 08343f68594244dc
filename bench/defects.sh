#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Seeded defects of every kind that is checked, each reachable only under a condition: the
# patches of bench/defects plant them in copies of the examples, at the line that says DEFECT.
# Target: all are found within 60 s of search of their task, each is reported once, with its
# cause and at its line, and is the only new alarm; the unmodified copies raise none of them.
#
#   bench/defects.sh [NAME...]        only these; CADENZA=PATH another executable
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
cp -r "$root/examples" "$out/clean"

# alarms DIRECTORY SOURCE: "cause|text of the line" of each alarm, sorted
alarms() {
    sqlite3 "$1/cadenza.db" "select cause || ' ' || line from alarms where reproduced <> 'not reproduced'" |
        while read -r cause line; do
            echo "$cause|$(sed -n "${line}p" "$2" | sed 's/^ *//')"
        done | sort
}

# search FILE TASK OPTIONS: into $out/run; patience ends what has nothing left to find
search() {
    rm -rf "$out/run"
    # shellcheck disable=SC2086
    "$cadenza" run "$1" -o "$out/run" -q -j 1 --time 60 --patience 3000 --afterglow 500 \
        --task "$2" $3 -- -I"$root/examples/body/include" >"$out/log" 2>&1 ||
        { cat "$out/log" >&2; return 1; }
}

printf '%-24s %-12s %-8s %7s  %s\n' defect cause found seconds place
total=0 found=0
for patch in "$root"/bench/defects/*.patch; do
    name=$(basename "$patch" .patch)
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    total=$((total + 1))
    file=$(sed -n 's/^file examples\///p' "$patch") task=$(sed -n 's/^task //p' "$patch")
    cause=$(sed -n 's/^cause //p' "$patch") options=$(sed -n 's/^options *//p' "$patch")
    rm -rf "$out/seeded" && mkdir "$out/seeded" && cp -r "$root/examples" "$out/seeded/examples"
    patch -s -p1 -d "$out/seeded" <"$patch" || { echo "$name: the patch does not fit" >&2; continue; }
    seeded=$out/seeded/examples/$file
    search "$out/clean/$file" "$task" "$options" || continue
    alarms "$out/run" "$out/clean/$file" >"$out/before"
    search "$seeded" "$task" "$options" || continue
    alarms "$out/run" "$seeded" >"$out/after"
    seconds=$(sqlite3 "$out/run/cadenza.db" \
        "select printf('%.1f', value) from statistics where name = 'seconds'")
    # What the clean copy raises, too, is none of ours, but a line may have moved or changed.
    new=$(comm -13 "$out/before" "$out/after")
    line=$(grep -n DEFECT "$seeded" | cut -d: -f1)
    expected="$cause|$(sed -n "${line}p" "$seeded" | sed 's/^ *//')"
    verdict=missed
    if [ "$new" = "$expected" ]; then
        verdict=yes found=$((found + 1))
    elif printf '%s\n' "$new" | grep -qxF "$expected"; then
        verdict=and-more
    fi
    printf '%-24s %-12s %-8s %7s  %s\n' "$name" "$cause" "$verdict" "$seconds" "$(basename "$file"):$line"
    [ "$verdict" = yes ] || printf '%s\n' "$new" | sed 's/^/    new alarm: /'
done
echo "$found of $total seeded defects found, once, at their line (target: all)"
[ "$found" -eq "$total" ]
