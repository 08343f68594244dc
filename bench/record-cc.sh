#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler for `make CC=...` that writes down what it compiles: one line of a
# compile_commands.json per file, appended to $RECORD, then clang does the work.
# bench/record-cc.sh --finish LIST >compile_commands.json makes the list a database.
if [ "${1-}" = --finish ]; then
    echo '['
    sort -u "$2" | sed '$!s/$/,/'
    echo ']'
    exit
fi
case " $* " in
    *" -c "*)
        words= file=
        for word in "$@"; do
            case $word in *.c) file=$word ;; esac
            words="$words, \"$(printf '%s' "$word" | sed 's/\\/\\\\/g; s/"/\\"/g')\""
        done
        # One write, because several may run at a time.
        printf '%s\n' "{\"directory\": \"$PWD\", \"file\": \"$file\", \"arguments\": [\"cc\"$words]}" >>"$RECORD"
        ;;
esac
exec clang-19 "$@"
