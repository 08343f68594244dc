#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cadenza on real C code: Debian source packages, file by file. Nothing of it is kept
# in the repository; the sources are downloaded into build/real with a private apt
# configuration (the system's stays as it is).
#
#   bench/real.sh [PROJECT[/FILE.c]]...       default: all projects, all files
#
# CADENZA=PATH another executable, REAL=DIR another directory for sources and results,
# REAL_OPTIONS other options of cadenza run. Per file there is REAL/out/PROJECT/FILE.c/
# (the run directory, log, replay.log); the table at the end is made from those.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cadenza=${CADENZA:-$root/build/cadenza}
real=${REAL:-$root/build/real}
options=${REAL_OPTIONS:---iterations 60 --time 20}
projects="cjson zlib lua jansson libyaml gzip"

say() { printf '%s\n' "$*" >&2; }
[ -x "$cadenza" ] || { say "real.sh: $cadenza is not there; run make first"; exit 2; }
mkdir -p "$real/src" "$real/apt/etc" "$real/apt/state/lists/partial" "$real/apt/cache" || exit 2
real=$(cd "$real" && pwd)

package_of() { case $1 in lua) echo lua5.4 ;; *) echo "$1" ;; esac; }

private_apt() {
    apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$real/apt/etc" \
        -o Dir::State::lists="$real/apt/state/lists" -o Dir::Cache="$real/apt/cache" \
        -o APT::Sandbox::User=root "$@" >>"$real/apt.log" 2>&1
}

# Sources of a project in $real/src/PROJECT, or a sentence on why not.
fetch() {
    [ -d "$real/src/$1" ] && return 0
    system=/etc/apt/sources.list.d/debian.sources
    [ -r "$system" ] || { say "real.sh: no $system: sources can be fetched on Debian only"; return 1; }
    if [ ! -e "$real/apt/ready" ]; then
        sed 's/^Types: deb$/Types: deb-src/' "$system" >"$real/apt/etc/src.sources"
        private_apt update || { say "real.sh: apt-get update failed, see $real/apt.log"; return 1; }
        : >"$real/apt/ready"
    fi
    package=$(package_of "$1") load=$real/load/$1
    rm -rf "$load" && mkdir -p "$load" "$load.unpacked"
    if ! (cd "$load" && private_apt source --download-only "$package"); then
        say "real.sh: cannot download the source package $package, see $real/apt.log"
        return 1
    fi
    tarball=$(ls "$load"/*.orig.tar.* | grep -v '\.asc$' | head -n 1)
    tar -xf "$tarball" -C "$load.unpacked" && mv "$load.unpacked"/* "$real/src/$1"
}

# Configuration headers, made in the source tree as a user would.
configure() {
    [ -e "$real/src/$1/.configured" ] && return 0
    (
        cd "$real/src/$1" || exit 1
        if [ -x ./configure ]; then
            CC=clang-19 ./configure
            # gnulib's replacements of system headers, and what else is generated
            [ ! -e lib/Makefile ] || { make -k -C lib; make -k version.h; }
        elif [ -e CMakeLists.txt ] && [ -e cmake ]; then
            CC=clang-19 cmake -S . -B b
        fi
    ) >"$real/$1.configure.log" 2>&1 ||
        say "real.sh: configure of $1 failed, see $real/$1.configure.log"
    : >"$real/src/$1/.configured"
}

# Files of the project proper: no tests, no demonstrations, no other platforms.
files_of() {
    cd "$real/src/$1" || return
    case $1 in
        cjson) ls cJSON.c cJSON_Utils.c ;;
        zlib | gzip) ls ./*.c ;;
        *) ls src/*.c ;;
    esac
}

flags_of() {
    case $1 in
        lua) echo "-DLUA_USE_LINUX -DLUA_COMPAT_5_3" ;;
        zlib) echo "-D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN" ;;
        jansson) echo "-DHAVE_CONFIG_H -Isrc -Ib/include -Ib/private_include" ;;
        libyaml) echo "-DHAVE_CONFIG_H -Iinclude -Ib/include" ;;
        gzip) echo "-DHAVE_CONFIG_H -I. -Ilib" ;;
    esac
}

run_one() { # PROJECT FILE
    out=$real/out/$1/$(basename "$2")
    rm -rf "$out" && mkdir -p "$out"
    start=$(date +%s.%N)
    # shellcheck disable=SC2046,SC2086
    (cd "$real/src/$1" && timeout 3600 "$cadenza" run "$2" -o "$out/run" $options -- $(flags_of "$1")) \
        >"$out/log" 2>&1
    code=$?
    end=$(date +%s.%N)
    echo "$code" >"$out/code"
    echo "$start $end" | awk '{ printf "%.1f\n", $2 - $1 }' >"$out/seconds"
    replayed=-
    if [ $code -le 1 ]; then
        "$cadenza" replay "$out/run" >"$out/replay.log" 2>&1
        replayed=$?
    fi
    echo "$replayed" >"$out/replay"
    say "$1/$2: exit $code, $(cat "$out/seconds") s, replay $replayed"
}

query() { sqlite3 -separator ' ' :memory: "$@" 2>/dev/null; }

# files, ok, failed, tasks, tasks with a test that does not crash, branches, covered,
# disagreements, replay trouble, seconds
row() {
    good=0 bad=0 empty=0 trouble=0
    rm -f "$real/out/$1.numbers"
    for out in "$real/out/$1"/*/; do
        code=$(cat "$out/code")
        if [ "$code" = 3 ] && grep -q 'no function to test' "$out/log"; then
            empty=$((empty + 1))
        elif [ "$code" -gt 1 ]; then
            bad=$((bad + 1))
        else
            good=$((good + 1))
            [ "$(cat "$out/replay")" = 0 ] || trouble=$((trouble + 1))
            query "with j as (select cast(readfile('$out/run/summary.json') as text) t)
                   select json_array_length(t,'\$.tasks'), json_extract(t,'\$.totals.branches'),
                          json_extract(t,'\$.totals.branches_covered'),
                          json_array_length(t,'\$.disagreements') from j" |
                tr '\n' ' ' >>"$real/out/$1.numbers"
            sqlite3 "$out/run/cadenza.db" "select count(distinct task) from tests where not crashed" \
                2>/dev/null >>"$real/out/$1.numbers" || echo 0 >>"$real/out/$1.numbers"
        fi
    done
    seconds=$(cat "$real/out/$1"/*/seconds | awk '{ s += $1 } END { print s }')
    [ -e "$real/out/$1.numbers" ] || : >"$real/out/$1.numbers"
    awk -v p="$1" -v good=$good -v bad=$bad -v empty=$empty -v trouble=$trouble \
        -v s="$seconds" '{ t += $1; b += $2; c += $3; d += $4; k += $5 }
        END { printf "%-8s %4d %6d %6d %6d %6d %9d %9d %6d %7d %8.0f\n",
                     p, good, bad, empty, t, k, b, c, d, trouble, s }' "$real/out/$1.numbers"
}

[ $# -gt 0 ] || set -- $projects
status=0 done_projects=""
for what in "$@"; do
    project=${what%%/*}
    fetch "$project" || { status=1; continue; }
    configure "$project"
    case $what in
        */*) list=${what#*/} ;;
        *) list=$(files_of "$project"); rm -rf "$real/out/$project" ;;
    esac
    for file in $list; do run_one "$project" "$file"; done
    case " $done_projects " in *" $project "*) ;; *) done_projects="$done_projects $project" ;; esac
done
printf '%-8s %4s %6s %6s %6s %6s %9s %9s %6s %7s %8s\n' project ok failed no-fn tasks tested \
    branches covered disagr replay seconds
for project in $done_projects; do row "$project"; done
exit $status
