#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check-format.sh [--fix]: are our C files formatted as .clang-format says, and is no line of our
# documents and scripts wider than 100 columns? With --fix C files are formatted.
# Left out: code that is tested, not ours to read (golden tests, examples, subjects of benches).
set -u
cd "$(dirname "$0")/.." || exit 2
ours() {
    git ls-files "$@" | grep -vE '^(tests/golden|examples|bench/units|bench/search/subjects|include/devices)/'
}
if [ "${1:-}" = --fix ]; then
    ours '*.c' '*.h' | xargs clang-format-19 -i
    exit
fi
bad=0
ours '*.c' '*.h' | xargs clang-format-19 --dry-run -Werror || bad=1
wide=$(ours '*.md' | LC_ALL=C.UTF-8 xargs awk 'length > 100 { print FILENAME ":" FNR ": wider than 100 columns" }')
[ -z "$wide" ] || { echo "$wide"; bad=1; }
[ $bad -eq 0 ] || echo "make check-format: run sh scripts/check-format.sh --fix; shorten wide lines by hand" >&2
exit $bad
