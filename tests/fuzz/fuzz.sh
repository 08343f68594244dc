#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh READER...: libFuzzer on each reader, after its seeds in corpus/READER. Findings stop a
# reader and are left in the working directory; mended, they join its seeds under a name that says
# what they were. SECONDS per reader, or RUNS with a fixed seed (as make test does).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../build/fuzz
found=$(mktemp -d "${TMPDIR:-/tmp}/cadenza-fuzz.XXXXXX") && trap 'rm -rf "$found"' EXIT
failed=0
for reader in "$@"; do
    mkdir "$found/$reader"
    if [ -n "${RUNS:-}" ]; then
        limit="-runs=$RUNS -seed=1"
    else
        limit="-max_total_time=${SECONDS:-60}"
    fi
    [ -f "$here/$reader.dict" ] && limit="$limit -dict=$here/$reader.dict"
    # shellcheck disable=SC2086
    if "$build/fuzz_$reader" $limit -max_len=4096 -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="fuzz-$reader-" "$found/$reader" \
        "$here/corpus/$reader" >"$found/$reader.log" 2>&1; then
        echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found/$reader.log") runs"
    else
        failed=1
        cat "$found/$reader.log"
        echo "$reader: FAILED"
    fi
done
exit $failed
