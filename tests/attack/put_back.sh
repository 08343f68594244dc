#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows that the attack can find things: each defect in tests/attack/defects is put back into a
# copy of the engine, one at a time, and seeds are attacked until a claim is false.
#
#     put_back.sh [NAME...]      default: all of them
#
# A patch begins with a sentence on the defect and with the sources that can show it (a regular
# expression). UNITS (default 40) limits the number of units. A line per defect: how many
# functions and seconds it took, and the first finding. Exit code 1 if one was not found.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
copies=${COPIES:-$root/build/attack/defects}
[ $# -gt 0 ] || set -- $(cd "$root/tests/attack/defects" && ls | sed 's/\.patch$//')
missed=0

# A copy of the tree with its build, so that only what the patch touches is built anew.
copy_tree() { # NAME
    rm -rf "${copies:?}/$1"
    mkdir -p "$copies/$1/build" || return 1
    (cd "$root" && tar -cf - --exclude=./build/attack --exclude=./build/asan --exclude=./.git .) |
        tar -xf - -C "$copies/$1"
}

for name; do
    copy=$copies/$name
    copy_tree "$name" || exit 2
    if ! (cd "$copy" && patch -s -p1 <"$root/tests/attack/defects/$name.patch" &&
          make --no-print-directory -j"$(nproc)" all) >"$copies/$name.log" 2>&1; then
        echo "$name: cannot be put back, see $copies/$name.log"
        missed=1
        continue
    fi
    sources=$(sed -n 's/^Sources: //p' "$root/tests/attack/defects/$name.patch")
    start=$(date +%s) unit=1 found=
    while [ -z "$found" ] && [ $unit -le "${UNITS:-40}" ]; do
        CADENZA=$copy/build/cadenza STATE=$copy/state FROM=$unit TO=$unit KEEP=1 \
            sh "$root/tests/attack/attack.sh" >"$copy/log" 2>&1
        found=$(grep -A 1 '^FALSE' "$copy/state/$unit/findings.txt" |
                awk -v wanted="$sources" '/^FALSE/ { claim = $0 } /sources:/ && $0 ~ wanted { print claim $0; exit }')
        unit=$((unit + 1))
    done
    if [ -n "$found" ]; then
        echo "$name: found after $(((unit - 1) * 20)) functions, $(($(date +%s) - start)) s: $found"
        rm -rf "$copy"
    else
        echo "$name: not found in $(((unit - 1) * 20)) functions"
        missed=1
    fi
done
exit $missed
