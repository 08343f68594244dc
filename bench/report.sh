#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The HTML report of a project of 300 files and 21,600 goals: pages are interactive within a second.
# report.sh [DIRECTORY]
set -u
cd "$(dirname "$0")/.."
out=${1:-build/bench/report}
rm -rf "$out"
mkdir -p "$out"
build/report-store "$out" 300 || exit 1
begin=$(date +%s%N)
build/cadenza report "$out" >/dev/null || exit 1
end=$(date +%s%N)
echo "writing the report                 $(((end - begin) / 10000000))0 ms, $(du -sm "$out/report" | cut -f 1) MB"
sh tests/browser/install.sh build/browser || exit 1
MODULES=$PWD/build/browser node tests/browser/speed.mjs "$(cd "$out/report" && pwd)" 1
