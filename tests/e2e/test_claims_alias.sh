# SPDX-License-Identifier: Apache-2.0
# Pointers that real callers pass and that are no new objects: addresses of variables, of
# their elements and members, of each other's objects, numbers and tags. Each function in
# tests/golden/claims/alias has a branch that needs one of them. None may be called
# infeasible: all are covered, llvm-cov agrees, and the tests replay.
. "$(dirname "$0")/lib.sh"
inputs=$root/tests/golden/claims/alias

# says NAME TASK PATTERN: a test of the task tells in these words what the pointer is
says() { check "$2: a test says $3" sh -c "cat $1/tests/$2/*.test | grep -q '$3'"; }

covers globals "$inputs/globals.c"
says globals same_global 'choice:arg:p:is | choice | 1 *# &gv'
says globals index_of 'choice:arg:p:in_private_table | choice | 2'
covers calls "$inputs/calls.c"
says calls member_out 'choice:arg:out:is | choice | .*# &(\*s).count'
says calls overlap 'choice:arg:[a-z]*:over_[a-z]*:distance | choice'
covers values "$inputs/values.c"
says values failed 'choice:arg:p:value | choice | 1 *# (void \*)-1'
says values untagged 'choice:arg:p:tag | choice | [23]'
covers leaks "$inputs/leaks.c"
finish
