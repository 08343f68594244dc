#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# glibc-symbols.sh [--check]: writes src/program/glibc_symbols.def, the names that programs are
# linked with in any case, from this machine's glibc. With --check compares them instead; another
# version of glibc is no difference.
set -u
cd "$(dirname "$0")/.." || exit 2
table=src/program/glibc_symbols.def
version=$(getconf GNU_LIBC_VERSION) || exit 2
package=$(dpkg-query -W -f '${Version}' libc6 2>/dev/null || echo "no package")

# The dynamic libraries' default versions of symbols, and the few of the static part.
symbols() {
    for library in libc.so.6 libm.so.6 ld-linux-x86-64.so.2; do
        readelf -W --dyn-syms "$(clang-19 -print-file-name=$library)"
    done | awk '$7 != "UND" && $8 ~ /@@/ && $4 ~ /^(FUNC|IFUNC|OBJECT|TLS|NOTYPE)$/ && $7 != "ABS" {
                sub(/@@.*/, "", $8); print ($4 == "OBJECT" ? "VARIABLE" : "FUNCTION") "(" $8 ")" }'
    nm -g --defined-only "$(clang-19 -print-file-name=libc_nonshared.a)" |
        awk '$2 == "T" || $2 == "W" { print "FUNCTION(" $3 ")" }'
    # what the compiler expands itself
    printf 'FUNCTION(%s)\n' alloca setjmp sigsetjmp
}
write() {
    cat <<END
// SPDX-License-Identifier: Apache-2.0
// The names of glibc's functions and variables, in the order of strcmp(); libc.c asks. Written
// by scripts/glibc-symbols.sh from $version (Debian's $package), x86-64.
END
    symbols | sed 's/\(.*\)(\(.*\))/\2 \1/' | LC_ALL=C sort -u -k 1,1 |
        sed 's/\(.*\) \(.*\)/\2(\1)/'
}
if [ "${1:-}" = --check ]; then
    grep -q "from $version (" $table || exit 0
    write | grep -v '^//' >"${TMPDIR:-/tmp}/glibc-symbols.$$"
    grep -v '^//' $table | diff - "${TMPDIR:-/tmp}/glibc-symbols.$$"
    result=$?
    rm -f "${TMPDIR:-/tmp}/glibc-symbols.$$"
    exit $result
fi
write >$table.new && mv $table.new $table
