#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Cadenza on real projects: Debian's sources, each as a project with a compilation
# database, as a user would run it. Nothing of them is kept in the repository.
#
#   bench/real.sh [PROJECT]...       default: all seven (some hours at 30 s per task)
#
# CADENZA=PATH another executable, REAL=DIR another directory for sources and results,
# SECONDS_PER_TASK=N other than 30, JOBS=N tasks at a time other than one per core,
# PREPARE_ONLY=1 only sources and databases, SETUP_ONLY=1 only what the set-up costs.
# Of each project there is REAL/out/PROJECT/ (the run directory), PROJECT.log,
# PROJECT.replay, PROJECT.failures (tasks without a test that runs through, with the
# reason) and PROJECT.row. Rows of earlier calls are shown again, so that the table can be
# made in pieces.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
real=${REAL:-$root/build/real}
budget=${SECONDS_PER_TASK:-30}
all="cjson jansson libyaml zlib gzip lua5.4 grep"
[ $# -gt 0 ] || set -- $all
case $cadenza in /*) ;; *) cadenza=$PWD/$cadenza ;; esac
[ -x "$cadenza" ] || { echo "real.sh: $cadenza is not there; run make first" >&2; exit 2; }
mkdir -p "$real/out" && real=$(cd "$real" && pwd) || exit 2

# Files of the project proper: no tests, no demonstrations, no other platforms.
files_of() {
    case $1 in
        cjson) ls cJSON.c cJSON_Utils.c ;;
        zlib | gzip) ls ./*.c ;;
        *) ls src/*.c ;;
    esac
}

# ... and what is built with them: known to Cadenza, but not tested here (gnulib).
others_of() {
    case $1 in
        gzip | grep)
            for object in lib/*.o lib/*/*.o; do # lib/libgreputils_a-xmalloc.o is of lib/xmalloc.c
                source=$(printf '%s' "${object%.o}.c" | sed 's,/lib[a-z]*_a-,/,')
                [ ! -e "$source" ] || echo "$source"
            done
            ;;
    esac
}

flags_of() {
    case $1 in
        lua5.4) echo "-DLUA_USE_LINUX -DLUA_COMPAT_5_3" ;;
        zlib) echo "-D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN" ;;
        jansson) echo "-DHAVE_CONFIG_H -Isrc -Ib/include -Ib/private_include" ;;
        libyaml) echo "-DHAVE_CONFIG_H -Iinclude -Ib/include" ;;
        gzip) echo "-DHAVE_CONFIG_H -I. -Ilib" ;;
        grep) echo "-DHAVE_CONFIG_H -DLOCALEDIR=\"/usr/share/locale\" -I. -Isrc -Ilib" ;;
    esac
}

# Configuration headers, made in the source tree as a user would.
configure() {
    [ ! -e .configured ] || return 0
    if [ -e CMakeLists.txt ] && [ -e cmake ]; then
        CC=clang-19 cmake -S . -B b
    elif [ -x ./configure ]; then
        CC=clang-19 ./configure
        # gnulib's replacements of system headers, and what else is generated
        still="AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=:" # a copy's files have other times
        # shellcheck disable=SC2086
        [ ! -e lib/Makefile ] || { make -k $still -C lib; make -k $still version.h; true; }
    fi >configure.log 2>&1 || echo "real.sh: configuring $1 failed, see $PWD/configure.log" >&2
    : >.configured
}

# compile_commands.json; the flags have no blanks in them.
database() {
    echo '['
    comma=
    for file in $(files_of "$1") $(others_of "$1"); do
        words=
        for flag in $(flags_of "$1"); do
            words="$words, \"$(printf '%s' "$flag" | sed 's/"/\\"/g')\""
        done
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc"%s, "-c", "%s"]}' "$comma" "$PWD" \
            "$file" "$words" "$file"
        comma=',
'
    done
    printf '\n]\n'
}

# Processor seconds of a plain build of all files.
plain_seconds() { # PROJECT
    # shellcheck disable=SC2046
    (time -p sh -c 'out=$1; shift; list=$1; shift
        for file in $list; do clang-19 -w -O1 "$@" -c "$file" -o "$out" 2>/dev/null; done' \
        - "$real/out/plain.o" "$(files_of "$1") $(others_of "$1")" $(flags_of "$1")) 2>&1 |
        awk '/user|sys/ { s += $2 } END { print s }'
}

# Processor time of ours up to the linked executables, of all files, in plain builds. The
# machine's speed changes while ours runs: plain builds are taken before and after it.
setup_ratio() { # PROJECT
    rm -rf "$real/out/$1.setup"
    plain="$(plain_seconds "$1") $(plain_seconds "$1")"
    "$cadenza" run -p . -j 1 --iterations 1 --no-proofs --no-inference -o "$real/out/$1.setup" >/dev/null 2>&1
    plain="$plain $(plain_seconds "$1") $(plain_seconds "$1")"
    sqlite3 :memory: "select printf('%.1f', json_extract(cast(readfile('$real/out/$1.setup/summary.json') as text),
        '\$.setup_seconds') * 4 / ($(echo "$plain" | sed 's/ / + /g')))"
    rm -rf "$real/out/$1.setup"
}

# Tasks without a test that runs through, with what is known of them.
failures_of() { # DATABASE
    sqlite3 -separator ': ' "$1" "select r.file || ' ' || t.function, coalesce((select 'every test ends with: ' ||
        group_concat(distinct outcome || ' ' || fault) from tests x where x.task = t.id), 'no test is kept')
        from tasks t join runs r on r.id = t.run
        where not exists (select 1 from tests x where x.task = t.id and not x.crashed)"
}

row() { # PROJECT SECONDS RATIO
    base=$real/out/$1 db=$real/out/$1/cadenza.db
    failures_of "$db" >"$base.failures"
    # A task whose only good test differs when replayed counts as failed too.
    sed -n "s/^\(.*\): recorded '.*/\1/p" "$base.replay" >"$base.differing"
    good=$(sqlite3 "$db" "select count(*) from tasks t where exists
        (select 1 from tests x where x.task = t.id and not x.crashed)")
    sqlite3 -separator ' ' :memory: "with j as (select cast(readfile('$base/summary.json') as text) t)
        select json_array_length(t, '\$.tasks'), json_extract(t, '\$.totals.branches'),
               json_extract(t, '\$.totals.branches_covered'), json_extract(t, '\$.totals.branches_infeasible'),
               json_extract(t, '\$.totals.alarms'), json_array_length(t, '\$.disagreements'),
               json_array_length(t, '\$.errors') from j" |
        awk -v p="$1" -v files="$(files_of "$1" | wc -l)" -v good="$good" -v s="$2" -v ratio="$3" \
            -v differ="$(wc -l <"$base.differing")" \
            '{ printf "%-8s %5d %6d %5d %6d %5.1f%% %8d %8d %5.1f%% %6d %6d %6d %7d %6.1fx %7.0f\n", p, files, $7, $1, good,
                      100 * good / $1, $2, $3, 100 * $3 / $2, $4, $5, $6, differ, ratio, s }'
}

for project in "$@"; do
    sh "$root/scripts/fetch-source.sh" "$real" "$project" >/dev/null || continue
    cd "$real/$project" || exit 1
    configure "$project"
    database "$project" >compile_commands.json
    [ -z "${PREPARE_ONLY:-}" ] || continue
    ratio=$(setup_ratio "$project")
    [ -z "${SETUP_ONLY:-}" ] || { echo "$project: set-up ${ratio}x"; continue; }
    rm -rf "$real/out/$project"
    begin=$(date +%s)
    # shellcheck disable=SC2046
    "$cadenza" run -p . $(files_of "$project") ${JOBS:+-j "$JOBS"} --time "$budget" -o "$real/out/$project" >"$real/out/$project.log" 2>&1
    [ $? -le 1 ] || echo "real.sh: $project: see $real/out/$project.log" >&2
    "$cadenza" replay "$real/out/$project" -q >"$real/out/$project.replay" 2>&1
    row "$project" $(($(date +%s) - begin)) "$ratio" >"$real/out/$project.row"
done
[ -z "${PREPARE_ONLY:-}${SETUP_ONLY:-}" ] || exit 0
printf '%-8s %5s %6s %5s %6s %6s %8s %8s %6s %6s %6s %6s %7s %7s %7s\n' project files failed tasks tested '' branches \
    covered '' proven alarms disagr differ set-up seconds
for project in $all; do [ ! -e "$real/out/$project.row" ] || cat "$real/out/$project.row"; done
# The targets: 95 % of the tasks tested everywhere, 70 % of the branches of three of them,
# nothing that replays differently, a set-up of at most five plain builds.
cat "$real"/out/*.row | awk '{ tested = $6 + 0; covered = $9 + 0; setup = $14 + 0
    if (tested < 95 || $13 > 0 || setup > 5 || ($1 ~ /^(cjson|jansson|libyaml)$/ && covered < 70)) {
        print "missed: " $1; missed = 1 } } END { exit missed }'
