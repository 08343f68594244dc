#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Real programs behave the same when they are instrumented: zlib runs its own checks
# (test/example.c, and minigzip there and back), Lua runs a script. Prints how much slower
# they are. Sources come from Debian; without them this says so and is skipped.
set -u
cd "$(dirname "$0")/.."
root=$PWD
real=$root/build/real
sh scripts/fetch-source.sh "$real" zlib lua5.4 >/dev/null || { echo "skipped: no sources"; exit 0; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
flags="-O0 -Xclang -disable-O0-optnone -fwrapv -fno-strict-aliasing -fno-delete-null-pointer-checks -fPIE -w"
printf 'struct cz_task { const char *n; void (*r)(void); };\nconst struct cz_task cz_tasks[1];\nconst unsigned cz_task_count;\n' >"$work/tasks.c"
bad=0

# program NAME "DEFINES" FILE...: builds $work/NAME.native and $work/NAME.instrumented
program() {
    name=$1 defines=$2; shift 2
    clang-19 -O1 -w $defines "$@" -lm -ldl -o "$work/$name.native" || exit 1
    objects=""
    for f in "$@"; do
        o=$work/$name.$(basename "$f" .c)
        clang-19 $flags $defines -emit-llvm -c "$f" -o "$o.bc" &&
            build/cadenza instrument "$o.bc" "$o.o" || exit 1
        objects="$objects $o.o"
    done
    clang-19 -fuse-ld=lld -pie $objects "$work/tasks.c" build/libczrt.a build/libczmodels.a build/libczrt.a \
        -lm -ldl -Wl,-z,now -o "$work/$name.instrumented" || exit 1
}

# same WHAT INPUT NATIVE... : both programs print the same
seconds() { date +%s.%N; }
same() {
    what=$1 input=$2 name=$3; shift 3
    mkdir -p "$work/n" "$work/i"
    a=$(seconds); (cd "$work/n" && "$work/$name.native" "$@" <"$input" >"$work/native.out" 2>&1); native=$?
    b=$(seconds); (cd "$work/i" && "$work/$name.instrumented" "$@" <"$input" >"$work/instrumented.out" 2>&1); instrumented=$?
    c=$(seconds)
    if [ $native -eq $instrumented ] && cmp -s "$work/native.out" "$work/instrumented.out"; then
        echo "$what: same ($(echo "$a $b $c" | awk '{printf "%.1f", ($3 - $2) / ($2 - $1)}')x native -O1)"
    else
        echo "$what: DIFFERENT (exit $native and $instrumented)"; diff "$work/native.out" "$work/instrumented.out" | head -n 5
        bad=1
    fi
}

z=$real/zlib
zfiles=$(ls "$z"/*.c)
program zexample "-DHAVE_UNISTD_H -I$z" $zfiles "$z/test/example.c"
same "zlib example" /dev/null zexample
program minigzip "-DHAVE_UNISTD_H -I$z" $zfiles "$z/test/minigzip.c"
cat "$z"/*.c >"$work/data"
same "minigzip compresses" "$work/data" minigzip
cp "$work/native.out" "$work/data.gz"
same "minigzip uncompresses" "$work/data.gz" minigzip -d
cmp -s "$work/instrumented.out" "$work/data" && echo "minigzip there and back: same" || { echo "minigzip there and back: DIFFERENT"; bad=1; }

l=$real/lua5.4/src
cat >"$work/script.lua" <<'LUA'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 2000 do t[#t + 1] = string.format("%05d", (i * 7919) % 10007) end
table.sort(t)
print(fib(20), t[1], t[#t], #table.concat(t))
print(("hello world"):gsub("o", "0"), string.rep("ab", 3), math.floor(-2.5), 7 // 2, 2 ^ 0.5)
print(pcall(error, { code = 1 }), select("#", table.unpack({ 1, 2, 3 })), string.byte("A"))
local co = coroutine.wrap(function(a) for i = 1, 3 do a = coroutine.yield(a * i) end end)
print(co(2), co(3), co(4), load("return 1 + 1")(), tostring(nil), #"\u{48}\x41")
for k, v in string.gmatch("a=1, b=2", "(%w+)=(%w+)") do io.write(k, v, ";") end print()
LUA
program lua "-DLUA_USE_POSIX -I$l" $(ls "$l"/*.c | grep -v '/luac\.c$')
same "Lua script" /dev/null lua "$work/script.lua"
exit $bad
