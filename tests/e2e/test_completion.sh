# SPDX-License-Identifier: Apache-2.0
# Bash completion, called as bash calls it; and the man page and the completion know every
# option of `cadenza run --help`.
. "$(dirname "$0")/lib.sh"

mkdir sub && touch one.c two.h compile_commands.json

# completes WORD...: the completions of the last word, sorted, in one line
cat >complete.bash <<'B'
source "$1/completions/cadenza.bash"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cadenza
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
B
completes() { bash complete.bash "$root" "$cadenza" "$@"; }

equals "commands" "diff export facts instrument just pre replay report run show stats" "$(completes '' | tr ' ' '\n' | grep -v -e -- | tr '\n' ' ' | sed 's/ $//')"
equals "a command" "replay report run" "$(completes r)"
equals "what to do with preconditions" "confirm" "$(completes pre c)"
equals "an option" "--strategy" "$(completes run --str)"
equals "options of another command" "--open" "$(completes show --o)"
equals "short options" "-q" "$(completes replay -q)"
equals "strategies" "cfg cgs" "$(completes run --strategy c | tr ' ' '\n' | grep -v carfast | tr '\n' ' ' | sed 's/ $//')"
"$cadenza" run --help | sed -n 's/.*search strategy: \(.*\) (default.*/\1/p' | tr -d ' ' | tr ',' '\n' | sort >strategies
equals "all strategies" "$(tr '\n' ' ' <strategies | sed 's/ $//')" "$(completes run --strategy '')"
check "and there are some" grep -qx rp-md2u strategies
equals "kinds of units" "extended function task" "$(completes run --unit '')"
equals "the same with =" "extended" "$(completes run --unit = e)"
equals "criteria" "branch mcdc statement" "$(completes run --criterion '')"
equals "kinds of stubs" "baseline precise" "$(completes run --stubs '')"
equals "rules of MC/DC" "llvm masking unique-cause" "$(completes run --mcdc '')"
equals "formats of a report" "cobertura" "$(completes report --format c)"
equals "C files and directories" "one.c sub" "$(completes run '')"
equals "a compilation database" "compile_commands.json sub" "$(completes run -p '')"
equals "directories" "sub" "$(completes run -o '')"
equals "nothing for a number" "" "$(completes run --seed '')"

"$cadenza" run --help | sed -n 's/^  \(-[a-zA-Z-]*\).*/\1/p' | sort -u >options
check "options were found" grep -qx -e --iterations options
# describes PAGE OPTION: as a heading, not only mentioned somewhere
describes() { sed 's/\\-/-/g' "$1" | grep -qE -e "^\.B[IR]? (.*[ \"])?$2( |,|\$)"; }
page=$root/man/cadenza-run.1
while read -r option; do
    check "completion knows $option" test "$(completes run "$option" | tr ' ' '\n' | grep -cx -e "$option")" -eq 1
    check "man page describes $option" describes "$page" "$option"
done <options
equals "the man page describes no option that is gone" "" "$(sed 's/\\-/-/g' "$page" | sed -n 's/^\.B[IR]* \(--[a-z-]*\).*/\1/p' | grep -vxF -f options | grep -v '^--$' | sort -u)"

for command in replay show diff report export just facts stats instrument; do
    page=$root/man/cadenza-$command.1
    check "man page of $command" test -f "$page"
    for option in $("$cadenza" $command --help | sed -n 's/^  \(-[a-zA-Z-]*\).*/\1/p'); do
        check "man page of $command describes $option" describes "$page" "$option"
    done
done
finish
