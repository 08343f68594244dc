#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tunables.sh [--check]: writes docs/tunables.md from src/base/tunables.def. With --check compares
# them instead.
set -u
cd "$(dirname "$0")/.." || exit 2
table=src/base/tunables.def
document=docs/tunables.md

entries() {
    awk '
        # One entry: say(TEXT) wraps at 100 columns, further lines are indented.
        function say(text,    words, count, line, i) {
            count = split(text, words, " ")
            line = "-"
            for (i = 1; i <= count; i++) {
                if (length(line) + 1 + length(words[i]) > 100) {
                    print line
                    line = " "
                }
                line = line " " words[i]
            }
            print line
        }
        function entry(text,    parts, numbers, count, meaning) {
            gsub(/" *"/, "", text)         # adjacent literals are one
            gsub(/\\"/, "\001", text)
            count = split(text, parts, /"/) # numbers, meaning, comma, reached
            sub(/^[A-Z]+\(/, "", parts[1])
            split(parts[1], numbers, /, */)
            meaning = parts[2]
            if (count > 3)
                meaning = meaning ". When it is reached: " parts[4]
            gsub(/\001/, "\"", meaning)
            say("`" numbers[1] "` = " numbers[2] " (" numbers[3] " to " numbers[4] "): " meaning)
        }
        /^\/\/ ---- .* ----$/ {
            sub(/^\/\/ ---- /, "")
            sub(/ ----$/, "")
            sub(/^[a-z]+/, "`&`")
            print "\n## " $0 "\n"
            last = "heading"
            next
        }
        /^\/\// && last {
            sub(/^\/\/ /, "")
            print (last == "entry" ? "\n" : "") $0
            last = "text"
            next
        }
        /^(TUNABLE|CAP)\(/ { text = "" }
        /^(TUNABLE|CAP)\(/, /\)$/ {
            sub(/^ +/, "")
            text = text (text == "" ? "" : " ") $0
            if (/\)$/) {
                if (last == "text")
                    print ""
                entry(text)
                last = "entry"
            }
        }' "$table"
}
write() {
    cat <<END
# Tunables

Written by \`scripts/tunables.sh\` from \`$table\`: change the table, run
the script.

Numbers that could have been chosen differently, by folder of \`src/\`, with the range that makes
sense. They are constants of the build; what users can set are options (\`cadenza run --help\`).
"When it is reached" says what becomes of claims of infeasibility that could rest on what a limit
leaves out ([claims and losses](design/claims-and-losses.md)).
END
    entries
}
if [ "${1:-}" = --check ]; then
    write | diff - $document
    exit
fi
write >$document.new && mv $document.new $document
