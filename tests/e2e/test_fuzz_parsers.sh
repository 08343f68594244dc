# SPDX-License-Identifier: Apache-2.0
# A slice of make fuzz-parsers: every reader of ours, with all inputs that once broke it and some
# thousand new ones, under ASan and UBSan.
. "$(dirname "$0")/lib.sh"
for reader in "$root"/tests/fuzz/corpus/*; do
    reader=$(basename "$reader")
    check "$reader" env RUNS=20000 sh "$root/tests/fuzz/fuzz.sh" "$reader"
done
equals "no reader is left out" "$(cd "$root/tests/fuzz" && echo fuzz_*.c)" \
    "$(cd "$root/tests/fuzz/corpus" && echo * | sed 's/[a-z_0-9]*/fuzz_&.c/g')"
finish
