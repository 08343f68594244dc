#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh [tests]: installs the Debian packages that are missing for building, and for testing.
# On another system, or without the right to install, it says which they are.
set -u
packages="clang-19 clang-format-19 llvm-19 llvm-19-dev libclang-19-dev libclang-rt-19-dev lld-19
          libz3-dev libcadical-dev libsqlite3-dev libcmocka-dev libseccomp-dev sqlite3 csmith libcsmith-dev gcc make patch libc6-dev libc6-dev-i386 python3"
# What only tests and benchmarks use: consumers of reports and exported suites, and a browser.
[ "${1:-}" != tests ] || packages="$packages python3-jsonschema libxml2-utils lcov cmake chromium
          fonts-dejavu-core nodejs"

missing=""
if command -v dpkg-query >/dev/null 2>&1; then
    for p in $packages; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)
        [ "$state" = installed ] || missing="$missing $p"
    done
    # npm comes with nodejs, or as a package of its own.
    [ "${1:-}" != tests ] || command -v npm >/dev/null 2>&1 || missing="$missing npm"
    [ -z "$missing" ] && exit 0
else
    command -v clang-19 >/dev/null && command -v llvm-config-19 >/dev/null &&
        command -v lld-19 >/dev/null && exit 0
    echo "Cadenza: this is not a Debian system. Please install the equivalents of:" >&2
    echo $packages >&2
    exit 1
fi

sudo=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Cadenza: these packages are missing and there is no sudo; as root run:" >&2
        echo "  apt-get install$missing" >&2
        exit 1
    fi
    sudo=sudo
fi
echo "Cadenza: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $sudo env DEBIAN_FRONTEND=noninteractive apt-get update &&
       $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "Cadenza: the installation failed (above); needed are:$missing" >&2
    exit 1
fi
