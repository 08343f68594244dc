#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Downloads and unpacks Debian source packages: fetch-source.sh DIRECTORY PACKAGE...
# Uses a private apt configuration and leaves the system's alone. Prints the unpacked
# directory of each package; says which one could not be had and exits 1.
set -u
[ $# -ge 2 ] || { echo "usage: fetch-source.sh DIRECTORY PACKAGE..." >&2; exit 2; }
mkdir -p "$1" && cd "$1" || exit 1
shift
apt=$PWD/.apt
private="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$apt/etc -o Dir::State::lists=$apt/state/lists
         -o Dir::Cache=$apt/cache -o APT::Sandbox::User=root"
failed=0
for package in "$@"; do
    if [ ! -d "$package" ]; then
        if [ ! -d "$apt" ]; then
            mkdir -p "$apt/etc" "$apt/state/lists/partial" "$apt/cache"
            sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$apt/etc/src.sources" 2>/dev/null &&
                apt-get $private update >"$apt/log" 2>&1 || {
                echo "cannot read Debian's list of sources (see $apt/log)" >&2
                rm -rf "$apt"
                exit 1
            }
        fi
        mkdir -p ".$package" &&
            (cd ".$package" && apt-get $private source --download-only "$package" >"$apt/log.$package" 2>&1 &&
                tar xf "$(ls -- *.orig.tar.* | grep -v '\.asc$' | head -n 1)") || {
            echo "cannot download the source of $package (see $apt/log.$package)" >&2
            rm -rf ".$package"
            failed=1
            continue
        }
        mv ".$package/$(ls -d .$package/*/ | head -n 1 | xargs basename)" "$package"
        rm -rf ".$package"
    fi
    echo "$PWD/$package"
done
exit $failed
