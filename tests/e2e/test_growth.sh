#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bounds that grow: what needs more elements, depth or calls than a task starts with is covered, and
# tests and claims name the bound.
. "$(dirname "$0")/lib.sh"

cat >unit.c <<'C'
struct node { int value; struct node *next; };

int seven_nodes(const struct node *n)
{
    int count = 0;
    for (; n; n = n->next)
        count++;
    if (count == 7)
        return 1;
    return 0;
}

/* Eighty characters, of which the last one matters. */
int sentence(const char *text)
{
    int length = 0;
    while (text[length] && text[length] != '.')
        length++;
    if (length == 79 && text[length] == '.')
        return 1;
    return 0;
}

/* A length that is never above what the buffer holds. */
int checksum(const unsigned char *data, unsigned length)
{
    unsigned sum = 0, i;
    for (i = 0; i < length; i++)
        sum += data[i];
    if (i > 30)
        return sum == 5;
    return 0;
}

/* Infeasible, however long the list is. */
int parity(const struct node *n)
{
    unsigned count = 0;
    for (; n; n = n->next)
        count += 2;
    if (count % 2)
        return 1;
    return 0;
}

/* A length that also fits a buffer whose size is known, and lengths of few bits. */
int two_buffers(const int *p, const int q[20], unsigned length)
{
    unsigned i, same = 0;
    for (i = 0; i < length; i++)
        same += p[i] == q[i];
    if (i - 15 == 0)
        return same == 1;
    if (i * 3 == 60)
        return 2;
    return 0;
}
int byte_length(const unsigned char *data, unsigned char length)
{
    unsigned i, sum = 0;
    for (i = 0; i < length; i++)
        sum += data[i];
    if (i * 2 == 510)
        return sum == 0;
    return 0;
}

/* A tree has no room for sixteen levels, and a node is one. */
struct tree { struct tree *left, *right; int key; };
int left_depth(const struct tree *t)
{
    int level = 0;
    for (; t; t = t->left)
        level++;
    if (level == 14)
        return 1;
    return 0;
}
int nodes(const struct tree *t)
{
    if (!t)
        return 0;
    if (t[3].key == 4)
        return 1;
    return 0;
}

/* No bound is met: nothing grows. */
int plain(int x)
{
    if (x * 2 == 7)
        return 1;
    return 0;
}
C
"$cadenza" run unit.c -o grown -q --iterations 3000 --no-inference --no-proofs >/dev/null
"$cadenza" run unit.c -o fixed -q --iterations 3000 --no-inference --no-proofs --no-growth >/dev/null
verdict() { # DIRECTORY CONDITION OUTCOME
    grep -F "$2: $3" "$1/goals.txt" | awk '{ print $1 }'
}
equals "a list of seven nodes" covered "$(verdict grown 'count == 7' true)"
equals "... not without growth" infeasible_assuming "$(verdict fixed 'count == 7' true)"
check "... and the claim names the bound" \
    grep -q 'infeasible_assuming .*count == 7: true .*within bound --depth 4' fixed/goals.txt
equals "a sentence of eighty characters" covered "$(verdict grown 'length == 79' true)"
equals "a length above --elements" covered "$(verdict grown 'i > 30' true)"
equals "a length of a growing and a fixed buffer" covered "$(verdict grown 'i - 15 == 0' true)"
equals "... up to the fixed one" covered "$(verdict grown 'i * 3 == 60' true)"
equals "a length of one byte grows to 255" covered "$(verdict grown 'i * 2 == 510' true)"
check "a test records the bound that it needs" grep -rq 'input bound:depth | unsigned | 8' grown/tests/seven_nodes
check "one that does not need it has none" sh -c '! grep -q bound: grown/tests/seven_nodes/0001.test'
check "what no bound lets in is weak, with the largest bound" \
    grep -q 'infeasible_assuming .*count % 2: true .*within bound --depth 16' grown/goals.txt
check "a smaller depth that is in force is named" \
    grep -q 'infeasible_assuming .*level == 14: true .*--depth 16 .*parameter t: depth [0-9] at most' grown/goals.txt
check "... and a smaller number of elements" \
    grep -q 'infeasible_assuming .*key == 4: true .*--elements .*parameter t: one element' grown/goals.txt
check "... but only if it is smaller" \
    grep -q 'infeasible_assuming .*level == 14: true .*--depth 4 as the driver applies it$' fixed/goals.txt
equals "what meets no bound needs none" infeasible "$(verdict grown "x * 2 == 7" true)"
"$cadenza" run unit.c -o less -q --iterations 3000 --no-inference --no-proofs --most-depth 5 >/dev/null
equals "--most-depth is the end" infeasible_assuming "$(verdict less 'count == 7' true)"
check "... which the claim names" grep -q 'count == 7: true .*within bound --depth 5' less/goals.txt
"$cadenza" run unit.c -o short -q --iterations 12 --no-inference --no-proofs --task parity >/dev/null
check "an open goal names the bound or the budget" grep -q 'undetermined .*count % 2: true .*\(--most-depth\|--iterations\)' short/goals.txt
"$cadenza" run unit.c -o again -q --iterations 3000 --no-inference --no-proofs >/dev/null
check "growth is reproducible" diff -r grown/tests again/tests
check "tests with larger bounds replay" "$cadenza" replay grown -q
finish
