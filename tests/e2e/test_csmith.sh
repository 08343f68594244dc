# SPDX-License-Identifier: Apache-2.0
# Random C programs compute the same checksum natively, instrumented on concrete data
# and with all globals symbolic; every path condition holds. CADENZA_CSMITH=N tries N
# programs (default 12). Without volatile variables: reads of those are inputs.
. "$(dirname "$0")/lib.sh"

headers=$(dirname "$(find /usr/include -name csmith.h 2>/dev/null | head -n 1)")
libs="-L$(llvm-config-19 --libdir) -Wl,-rpath,$(llvm-config-19 --libdir) -lclang-19 -lLLVM-19 -lz3 -lcadical -lstdc++ -lsqlite3 -lm"
check "the checker compiles" clang-19 -std=gnu17 -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -I"$root/src" \
    -I"$root" "$root/tests/csmith/check.c" "$root"/build/obj/src/*/*.o $libs -o check_program
export CADENZA_LIB=$root/build
tried=0 seed=1
while [ $tried -lt "${CADENZA_CSMITH:-12}" ] && [ $seed -lt 500 ]; do
    seed=$((seed + 1))
    csmith --seed $seed --max-funcs 4 --max-block-depth 3 --no-volatiles --no-volatile-pointers >p.c
    clang-19 -w -O1 -fwrapv -I"$headers" p.c -o native
    sum=$(timeout 2 ./native | sed -n 's/^checksum = //p')
    [ -n "$sum" ] || continue # endless
    tried=$((tried + 1))
    out=$(timeout 120 ./check_program p.c "dir$seed" "$sum" -I"$headers" 2>&1) &&
        ok "csmith seed $seed: $out" || not_ok "csmith seed $seed" "$out"
    rm -rf "dir$seed"
done
finish
