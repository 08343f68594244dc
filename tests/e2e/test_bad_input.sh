# SPDX-License-Identifier: Apache-2.0
# Input that is odd or bad: each row of bad_input.rows is a command, its exit code and words that
# its message must hold. Whatever the input, no tool's crash is shown and nothing of it is executed.
. "$(dirname "$0")/lib.sh"
export cadenza work root

cat >helpers <<'H'
cz() { timeout 120 "$cadenza" "$@"; }
run() {
    case " $* " in
    *" -- "*) cz run --iterations 3 --no-inference --no-sanitize "$@" ;;
    *) cz run "$@" --iterations 3 --no-inference --no-sanitize ;;
    esac
}
db() { printf '%s' "$1" >compile_commands.json; }
corrupt() { dd if=/dev/zero of="$1" bs=4096 seek=1 count=1 conv=notrunc 2>/dev/null; printf garbage | dd of="$1" bs=1 seek=200 conv=notrunc 2>/dev/null; }
have_run() { cp -r "$work/done" done; }
# For root nothing is unreadable, so the row is then about something that cannot be read at all.
unreadable() {
    if [ "$(id -u)" -eq 0 ]; then skip; else chmod 000 "$1"; fi
}
skip() { echo SKIPPED; exit 99; }
# small_disk KILOBYTES: a file system of that size at ./disk
small_disk() {
    mkdir disk
    mount -t tmpfs -o "size=$(($1 + 4))k" none disk 2>/dev/null || skip
    if [ "$1" -eq 0 ]; then head -c 100000 /dev/zero >disk/full 2>/dev/null; fi
}
# A project whose directories, files, flags and preconditions hold the name.
odd() {
    mkdir "./$1.d" "./$1.i" || return
    printf '#include "lim.h"\nint f(int x) { return x > LIM; }\n' >"./$1.d/$1.c"
    cp inc/lim.h "./$1.i"
    echo 'precondition f: x > -9' >"./$1.pre"
    python3 - "$1" <<'P' || return
import json, sys
name = sys.argv[1]
json.dump([{"directory": ".", "file": name + ".c", "arguments": ["cc", "-I", "../" + name + ".i", "-c", name + ".c"]}],
          open("./" + name + ".d/compile_commands.json", "w"))
P
    run -p "./$1.d" -o out --pre "./$1.pre" && cz replay out &&
        cz show out >/dev/null && run "./$1.d/$1.c" -o single --pre none -- -I "./$1.i" && cz replay single
}
H
mkdir fixture fixture/inc
printf 'int f(int x) { return x > 0; }\n' >fixture/good.c
printf 'int f(int x) { return y; }\n' >fixture/bad.c
printf '#define LIM 3\n' >fixture/inc/lim.h
"$cadenza" run fixture/good.c -o done -q --iterations 3 --no-inference --no-sanitize

crash='PLEASE submit|Stack dump|terminate called|Segmentation|Sanitizer|LLVM ERROR|internal error:|internal error at|core dumped'
rows=0 skipped=0
# one WHAT COMMAND CODE WORDS
one() {
    rows=$((rows + 1))
    cp -r fixture row && cd row || exit 1
    # In a mount namespace of its own, where that is possible, for small disks.
    $private sh -c '. "$work/helpers"; eval "$1"' sh "$2" >../out 2>&1 </dev/null
    got=$?
    cd "$work" || exit 1
    problem=
    if grep -qx SKIPPED out; then
        skipped=$((skipped + 1))
        rm -rf row
        echo "skipped $1"
        return
    fi
    [ "$got" -eq "$3" ] || problem="exit $got, wanted $3"
    rest=$4
    while [ -n "$rest" ]; do
        word=${rest%%" && "*}
        case $rest in *" && "*) rest=${rest#*" && "} ;; *) rest= ;; esac
        grep -qF -e "$word" out || problem="$problem; no '$word'"
    done
    grep -qE "$crash" out && problem="$problem; a crash is shown"
    [ -n "$(find row -name pwned 2>/dev/null)" ] && problem="$problem; a name was executed"
    rm -rf row
    if [ -z "$problem" ]; then ok "$1"; else not_ok "$1" "$problem:
$(head -c 3000 out)"; fi
}
private=
unshare -m true 2>/dev/null && private="unshare -m"
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    what=${line%%" ;; "*} line=${line#*" ;; "}
    command=${line%%" ;; "*} line=${line#*" ;; "}
    case " ${only:-} " in "  " | *" $what "*) ;; *) continue ;; esac
    one "$what" "$command" "${line%%" ;; "*}" "${line#*" ;; "}"
done <"$root/tests/e2e/bad_input.rows"
[ $skipped -eq 0 ] || echo "$skipped rows were skipped: they need mount(8), or a user who is not root"
[ -n "${only:-}" ] || check "there are many rows ($rows)" test $rows -ge 80
finish
