# SPDX-License-Identifier: Apache-2.0
# For the end-to-end tests: a scratch directory, checks that print "ok NAME" or
# "not ok NAME", and a reader for summary.json. Source it, end with `finish`.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cadenza=$root/build/cadenza
work=$(mktemp -d "${TMPDIR:-/tmp}/cadenza-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1"; [ $# -gt 1 ] && printf '%s\n' "$2" | sed 's/^/    /'; }

# check NAME COMMAND...: the command succeeds
check() {
    check_name=$1; shift
    if check_out=$("$@" 2>&1); then ok "$check_name"; else not_ok "$check_name" "$check_out"; fi
}

# equals NAME EXPECTED ACTUAL
equals() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected '$2', got '$3'"; fi; }

# exits NAME CODE TEXT COMMAND...: exit code, and TEXT (a grep pattern) is printed
exits() {
    exits_name=$1 exits_code=$2 exits_text=$3; shift 3
    exits_out=$("$@" 2>&1); exits_got=$?
    if [ "$exits_got" -eq "$exits_code" ] && printf '%s' "$exits_out" | grep -q -e "$exits_text"; then
        ok "$exits_name"
    else
        not_ok "$exits_name" "exit $exits_got, wanted $exits_code and '$exits_text':
$exits_out"
    fi
}

# json FILE PATH: a value of a JSON file, e.g. json summary.json '$.totals.branches'
json() { sqlite3 :memory: "select json_extract(cast(readfile('$1') as text), '$2')"; }

finish() { echo done; }

# covers NAME FILE [options]: every branch of every task, no disagreement, same on replay
covers() {
    name=$1 file=$2; shift 2
    if ! out=$("$cadenza" run "$file" -o "$name" --iterations 1500 "$@" 2>&1); then
        not_ok "$name runs" "$out"; return
    fi
    sqlite3 "$name/cadenza.db" \
        "select t.function || ' ' || branches_covered || '/' || branches from tasks t" >"$name.got"
    while read -r task covered; do
        [ "${covered%/*}" = "${covered#*/}" ] && ok "$name: $task $covered" || not_ok "$name: $task $covered"
    done <"$name.got"
    equals "$name: engine and llvm-cov agree" '[]' "$(json "$name/summary.json" '$.disagreements')"
    check "$name: tests replay as recorded" "$cadenza" replay "$name"
}
