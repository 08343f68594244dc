#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job on an example, with one of the generated tests at the end.
set -eu
cd "$(dirname "$0")/.."
out=build/demo
echo "$ cadenza run examples/quickstart.c -o $out"
build/cadenza run examples/quickstart.c -o "$out"
first=$(ls "$out"/tests/*/*.test | head -n 1)
echo
echo "$ cat $first"
cat "$first"
