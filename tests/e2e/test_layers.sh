# SPDX-License-Identifier: Apache-2.0
# The arrows between folders: who may include whom. Also: SPDX lines, and that only one
# folder each uses libclang, LLVM and Z3.
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

# allowed FOLDER "OTHERS": files of src/FOLDER include only headers of OTHERS
allowed() {
    bad=$(grep -HoE '#include "[a-z]+/' src/"$1"/*.[ch] 2>/dev/null | sed 's/#include "//; s,/$,,' |
          awk -F: -v ok=" $1 $2 " 'index(ok, " " $2 " ") == 0')
    equals "src/$1 includes only $2" "" "$bad"
}
allowed base "jail"
allowed expr "base wire"
allowed solver "base expr"
allowed program "base wire"
allowed flags "base"
allowed frontend "base flags program"
allowed pre "base program wire expr solver"
allowed facts "base flags program wire"
allowed harness "base program wire facts"
allowed cfg "base program wire"
allowed instrument "base program wire runtime cfg"
allowed exec "base wire"
allowed trace "base wire expr program"
allowed coverage "base program wire cfg"
allowed search "base program wire expr solver trace coverage cfg"
allowed project "base flags"
allowed replay "base flags program wire"
allowed result "base program"
allowed report "base result program"
allowed html "base result program report"
allowed export "base result program"
allowed store "base result program"
allowed just "base result"
allowed options "base search"
equals "the options know only the table of strategies" "search/strategies.def" \
    "$(grep -hoE '"search/[^"]*' src/options/* | tr -d '"' | sort -u)"
allowed unit "base flags program wire frontend facts harness instrument pre project options"
allowed inputs "base program wire exec harness options"
allowed campaign "base program wire inputs cfg expr solver trace coverage search exec harness instrument pre options unit"
allowed judge "base flags program wire inputs coverage facts replay result options unit campaign"
allowed jobs "base program exec just pre project replay result report store options unit campaign judge"
equals "every folder of src has its arrows" "" "$(for d in src/*/; do
    grep -q "^allowed $(basename "$d") " tests/e2e/test_layers.sh || basename "$d"; done)"
equals "the command line does not look into the search" "" \
    "$(grep -lE '#include "(search|solver|coverage|cfg|exec|trace|expr|judge)/' cli/*.[ch])"
equals "no new room is larger than 3,500 lines" "" "$(for d in options unit inputs campaign judge jobs store; do
    [ "$(cat src/$d/*.[ch] | wc -l)" -le 3500 ] || echo $d; done)"

equals "libclang only in src/frontend" "" "$(grep -l 'clang-c/' -r src cli | grep -v '^src/frontend/')"
equals "LLVM only in src/instrument and src/facts" "" "$(grep -l 'llvm-c/' -r src cli | grep -v '^src/instrument/\|^src/facts/')"
equals "SQLite only in src/store" "" "$(grep -l 'sqlite3.h' -r src cli | grep -v '^src/store/')"
equals "Z3 only in src/solver" "" "$(grep -l '<z3' -r src cli | grep -v '^src/solver/')"

# A name is enough to find a file: no two folders have files of one name (x.c and x.h are one).
same_names() { # FOLDERS
    find "$@" -name '*.[ch]' | sed 's/\.[ch]$//' | sort -u | sed 's,.*/,,' | sort | uniq -d
}
equals "no two folders have files of one name" "" "$(same_names src runtime cli jail wire)"
mkdir -p "$work/names/a" "$work/names/b"
touch "$work/names/a/x.c" "$work/names/a/x.h" "$work/names/b/y.c"
equals "x.c and x.h of one folder are one name" "" "$(same_names "$work/names")"
touch "$work/names/b/x.h"
equals "a planted second one is found" x "$(same_names "$work/names")"

# Access paths of inputs: src/program/input_path.c alone knows how they are written.
path_words='(shape|choice|arg|stub|weak|global|file|env|signal|asm|((call|before|make)(%z?u|[0-9]+)))'
written() { # FOLDERS: literals that begin a path, name a root or end a range; comments are none
    grep -rnE --include='*.[ch]' "\"(%s|[(*:])*$path_words:([^ ]|\")|\"more_calls\"|\\[0\\.\\." "$@" |
        grep -vE '^[^:]*:[0-9]+:[[:space:]]*(//|/\*|\*)' | sed 's,//.*,,' |
        grep -E "\"(%s|[(*:])*$path_words:|\"more_calls\"|\"[^\"]*\\[0\\.\\." |
        grep -v '^src/program/input_path\.c:'
}
equals "no other file takes a path apart or puts one together" "" "$(written src cli)"
mkdir -p "$work/planted"
for line in 'if (!strncmp(path, "shape:", 6))' 'buf_printf(out, "call%u:%s", call, name);' \
    'at = strstr(path, "[0..");' 'arena_printf(arena, "%sarg:%s", prefix, name)'; do
    echo "    $line" >"$work/planted/file.c"
    equals "a planted one is found: $line" 1 "$(written "$work/planted" | wc -l | tr -d ' ')"
done

equals "every source file names its licence" "" \
    "$(git ls-files '*.c' '*.h' '*.def' '*.sh' | grep -v '^tests/golden/\|^examples/' | xargs -r grep -L 'SPDX-License-Identifier: Apache-2.0')"
finish
