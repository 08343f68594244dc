# SPDX-License-Identifier: Apache-2.0
# Completion of cadenza's commands, options and their values for bash. Everything comes from
# the --help of the very executable that is being called, so that it cannot go stale: an
# option is a line "  --name ARGUMENT  text", and where ARGUMENT is NAME, KIND or RULE the
# text lists the values behind a colon.

# _cadenza_commands PROGRAM: the names of the subcommands
_cadenza_commands()
{
    "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# _cadenza_options PROGRAM COMMAND: a line per option, "--name ARGUMENT" or "--name"
_cadenza_options()
{
    "$1" "$2" --help 2>/dev/null |
        sed -n 's/^  \(-[a-zA-Z]\), \(--[a-z-]*\) .*/\1\n\2/p; t
                s/^  \(--*[a-z-]* [A-Z][^ ]*\) .*/\1/p; t
                s/^  \(--*[a-z-]*\) .*/\1/p'
    [ "$2" = run ] && echo "-j N"
}

# _cadenza_values PROGRAM COMMAND OPTION: the words that its help lists
_cadenza_values()
{
    "$1" "$2" --help 2>/dev/null | sed -n "s/^  $3 [A-Z]* *//p" |
        sed -n 's/([^()]*)//g; s/^[^:]*: *//p' | tr ',' '\n' | sed -n 's/^ *\(or \)\{0,1\}\([a-z0-9-]*\) *$/\2/p'
}

_cadenza_paths() # PATTERN WORD: files that match, and directories
{
    local path
    compopt -o filenames 2>/dev/null
    while IFS= read -r path; do
        # shellcheck disable=SC2254 # the pattern is one
        case $path in $1) COMPREPLY+=("$path") ;; *) [ -d "$path" ] && COMPREPLY+=("$path") ;; esac
    done < <(compgen -f -- "$2")
}

_cadenza()
{
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    local before=${COMP_WORDS[COMP_CWORD-1]} options argument
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_cadenza_commands "$program") --help --version" -- "$word")
        return
    fi
    # bash takes --unit=task apart into three words
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [ "$command" = pre ] && [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" pre --help 2>/dev/null |
            sed -n 's/^cadenza pre \([a-z]*\) .*/\1/p')" -- "$word")
        return
    fi
    options=$(_cadenza_options "$program" "$command")
    argument=$(printf '%s\n' "$options" | sed -n "s/^$before //p" 2>/dev/null)
    case $argument in
        NAME|KIND|RULE|MODEL) mapfile -t COMPREPLY < <(compgen -W "$(_cadenza_values "$program" "$command" "$before")" -- "$word") ;;
        DIR) _cadenza_paths "" "$word" ;;
        PATH) _cadenza_paths "*.json" "$word" ;;
        FILE) _cadenza_paths "*" "$word" ;;
        "")
            case $command:$word in
                *:-*) mapfile -t COMPREPLY < <(compgen -W "$(printf '%s\n' "$options" | cut -d' ' -f1)" -- "$word") ;;
                run:*|facts:*) _cadenza_paths "*.c" "$word" ;;
                *) _cadenza_paths "*" "$word" ;;
            esac ;;
    esac
}

complete -F _cadenza cadenza
