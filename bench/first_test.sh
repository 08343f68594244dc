#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# See first_test.c. Usage: first_test.sh DIRECTORY
set -eu
mkdir -p "$(dirname "$1")"
clang-19 -O1 -D_GNU_SOURCE bench/first_test.c -o "$1.bin"
"$1.bin" build/cadenza bench/units/lines200.c "$1"
