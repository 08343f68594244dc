#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job on one file, with one of the generated tests, and then on a project: the body
# unit in examples/body, 40 executions per task (about a minute).
set -eu
cd "$(dirname "$0")/.."
run() {
    echo "$ cadenza run $*"
    build/cadenza run "$@"
}
out=build/demo
run examples/quickstart.c -o "$out"
first=$(ls "$out"/tests/*/*.test | head -n 1)
echo
echo "$ cat $first"
cat "$first"
echo
run -p examples/body --iterations 40 -o build/demo-body
