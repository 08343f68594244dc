# SPDX-License-Identifier: Apache-2.0
# What is known of the C library stands in wire/libc.def alone, and program/libc.c answers; the same
# of compiler flags in src/flags, and of numbers that could have been chosen differently in
# src/base/tunables.def.
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

# Numbers that could have been chosen differently stand in src/base/tunables.def alone. Facts have
# names elsewhere: formats, widths, protocols, layouts of the terminal, lengths of tables.
facts='export/format_ktest.c:KTEST_VERSION html/html_plot.c:WIDTH html/html_plot.c:HEIGHT html/html_plot.c:LEFT html/html_plot.c:RIGHT
html/html_plot.c:TOP html/html_plot.c:BOTTOM html/html_plot.c:LENGTH html/html_plot.c:THICK html/html_source.c:CHUNK
report/xml.h:XML_DEEPEST report/gate.c:WHOLE base/exit_codes.c:WIDTH base/jail_command.h:JAIL_MOST_KEPT base/record.c:LONGEST
base/record.c:AT_FORMAT base/record.c:AT_VERSION base/record.c:AT_TAG base/record.c:AT_TABLE
base/record.c:AT_LENGTH base/record.c:AT_SUM base/record.c:HEADER
campaign/generate_extremes.c:VALUES coverage/coupling.c:MAX_CONDITIONS
coverage/mcdc.c:MAX_CONDITIONS exec/target.c:MEMORY_FD expr/expr.h:EXPR_MAX_WIDTH
harness/members.c:USES instrument/path_hooks.c:MAX_CONDITIONS jobs/messages.c:MOST_WORKERS
pre/pre.h:PRE_ID pre/unwrap.c:NARROW pre/unwrap.c:WIDE program/libc.h:LIBC_MOST_WRITES
replay/clean_build.c:VARIANTS replay/coverage_export.c:KIND_MCDC_BRANCH
replay/coverage_export.c:KIND_GAP replay/replay.c:OPTIONS replay/sanitizer_report.c:FIRST_PAGES
report/table.c:WIDTH report/table.c:NAME result/result.h:ASSUMPTION_KINDS
search/path.c:MAX_CONDITIONS solver/blast_arith.c:BELOW solver/blast_float.h:EXPONENT_BITS
solver/distance.c:FRACTION store/store.h:STORE_VERSION store/tables.h:STORE_KEYS'

# numbers FILE...: names that are defined as a decimal number of more than 1, as FILE:NAME
numbers() {
    for file; do
        sed 's,//.*,,' "$file" | awk -v file="$file" '
            function is_number(value) {
                gsub(/\([a-z][a-z0-9_ ]*\)|[() \t]/, "", value) # casts, parentheses
                return value ~ /^([2-9]|[0-9][0-9.]+|[0-9]+[uUlL]*(<<|\*)[0-9])/ && value !~ /^0[xX]/
            }
            /^[ \t]*#[ \t]*define[ \t]+[A-Z][A-Z0-9_]*[ \t]/ {
                name = value = $0
                sub(/^[ \t]*#[ \t]*define[ \t]+/, "", name)
                sub(/[ \t].*/, "", name)
                sub(/^[ \t]*#[ \t]*define[ \t]+[A-Z0-9_]+/, "", value)
                if (is_number(value))
                    print file ":" name
            }
            /^[ \t]*enum[ \t]*\{/ { inside = 1 } # without a name: constants
            {
                for (rest = $0; inside && match(rest, /[A-Z][A-Z0-9_]* = [^,}]*/);
                     rest = substr(rest, RSTART + RLENGTH)) {
                    name = value = substr(rest, RSTART, RLENGTH)
                    sub(/ = .*/, "", name)
                    sub(/.* = /, "", value)
                    if (is_number(value))
                        print file ":" name
                }
            }
            /\}/ { inside = 0 }
            /^[ \t]*static const [a-z0-9_ ]+ [A-Za-z_]+ = [^{"]*[,;]/ {
                name = value = $0
                sub(/ = .*/, "", name)
                sub(/.* /, "", name)
                sub(/^[^=]*= /, "", value)
                if (is_number(value))
                    print file ":" name
            }'
    done | sed 's,^src/,,' | awk -v ok=" $(echo $facts) " '!index(ok, " " $0 " ")'
}
equals "tunable numbers stand in the table" "" "$(numbers $(find src -name '*.[ch]'))"
cat >"$work/planted.c" <<'END'
#define THINGS_MOST 16 // of them
#define ROOM (4u << 20)
enum { TRIES = 12, NONE = 0 };
enum {
    DEPTH = 3, // at most
};
static const double SHARE = 0.25;
static const size_t least = (size_t)1024 << 20;
#define MASK 0xff
#define ONE ((uint64_t)1 << FRACTION)
static const uint64_t table[] = {1, 2};
static const uint64_t room = (uint64_t)EXEC_FILE_MB << 20;
enum kind { KIND_A = 5, KIND_B };
END
equals "new ones would be found" "THINGS_MOST ROOM TRIES DEPTH SHARE least" \
    "$(echo $(numbers "$work/planted.c" | sed 's/.*://'))"
check "docs/tunables.md is written from the table" sh scripts/tunables.sh --check
entries() { sed -nE 's/^(TUNABLE|CAP)\(([A-Z0-9_]+),.*/\2/p' src/base/tunables.def; }
equals "and lists all of it" "$(entries | wc -l)" "$(grep -c '^- `' docs/tunables.md)"
equals "every number of the table is used" "" "$(entries | while read -r name; do
    grep -rqw "$name" src cli --include='*.[ch]' || echo "$name"; done)"
equals "names begin with a folder" "" "$(entries | while read -r name; do
    [ -d "src/$(echo "${name%%_*}" | tr 'A-Z' 'a-z')" ] || echo "$name"; done)"
finish
