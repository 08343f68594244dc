# SPDX-License-Identifier: Apache-2.0
# What is known of the C library stands in wire/libc.def alone, and program/libc.c answers; the same
# of compiler flags in src/flags.
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

# Words that mean something else where they occur, and places that need a name.
allowed='alarm error exit fork open signal stdin time times
src/harness/allocators.c:calloc src/harness/allocators.c:realloc
src/instrument/function.c:rint src/instrument/hardware_atomic.c:memcmp
src/program/input_path.c:strtok src/replay/sanitizer_report.c:malloc_usable_size'

# literals FILE...: string literals that are names of the table, as FILE:NAME
literals() {
    sed -n 's/^FN(\([^,]*\),.*/\1/p' wire/libc.def >"$work/names"
    for file; do
        sed 's,^ *//.*,,' "$file" | grep -oE '"[A-Za-z_][A-Za-z0-9_]*"' | sed "s,\"\(.*\)\",$file:\1,"
    done |
        awk -F: -v ok=" $(echo $allowed) " 'NR == FNR { name[$1] = 1; next }
            $2 in name && !index(ok, " " $2 " ") && !index(ok, " " $1 ":" $2 " ")' "$work/names" - |
        sort -u
}
equals "names of libc functions are not written down twice" "" \
    "$(literals $(find src cli -name '*.[ch]' ! -path 'src/program/libc.[ch]'))"
echo 'static const char *const names[] = {"malloc", "strlen"};' >"$work/planted.c"
equals "a list of names would be found" 2 "$(literals "$work/planted.c" | wc -l)"
equals "nobody asks the machine's C library" "" "$(grep -lE '(dlsym|dlopen|dladdr) *\(' -r src cli --include='*.[ch]')"
check "the names of glibc are those of this version" sh scripts/glibc-symbols.sh --check

# Each line of the table is whole, and what it promises is there.
check "every function has a class and a state" sh -c "! grep '^FN' wire/libc.def | grep -vE \
    '^FN\([A-Za-z0-9_]+, (MODEL|RUNTIME|PURE|OUTPUT|INPUT|OTHER), (NONE|INPUTS|START|HIDDEN|LOCALE|SYSTEM|WORLD)(, .*)?\)$'"
missing() { # PREFIX ARCHIVE, names of functions on standard input
    nm -g --defined-only "$2" 2>/dev/null | awk '{ print $3 }' | sort -u >"$work/defined"
    sed "s/^/$1/" | sort -u | comm -23 - "$work/defined"
}
equals "every model is there" "" \
    "$(sed -n 's/^FN(\([^,]*\), MODEL,.*/\1/p' wire/libc.def | missing czm_ build/libczmodels.a)"
equals "every replacement is there" "" \
    "$(sed -n 's/^FN(\([^,]*\), RUNTIME,.*/\1/p' wire/libc.def | missing czrt_ build/libczrt.a)"
equals "every wrapper of clean builds is there" "" \
    "$(sed -n 's/^FN(\([^,]*\),.* WRAPPED)$/\1/p' wire/libc.def | missing __wrap_ build/libczreplay.a)"
equals "and every one there is in the table" "" "$(nm -g --defined-only build/libczreplay.a |
    sed -n 's/.* T __wrap_//p' | grep -v '^__msan' | sort |
    comm -23 - "$(sed -n 's/^FN(\([^,]*\),.* WRAPPED)$/\1/p' wire/libc.def | sort >"$work/w"; echo "$work/w")")"

# Flags of our own builds are written down once; the Makefile reads them there.
sed -n 's/^OURS("\([^"]*\)".*/\1/p' src/flags/flags.def | sort -u |
    grep -vxE -e '-w|-c|-lm|-O0|-fPIE|-Xclang|-emit-llvm|-Qunused-arguments|-fuse-ld=lld|-Wl,--no-mmap-output-file' >"$work/ours"
equals "our flags are not written down twice" "" "$(for flag in $(cat "$work/ours"); do
    grep -rlF -e "\"$flag\"" src cli --include='*.[ch]' | grep -v '^src/flags/'; done | sort -u)"
equals "the Makefile has no copy of them" "" "$(grep -F -e -fno-delete-null-pointer-checks -e -mfpmath Makefile)"
finish
