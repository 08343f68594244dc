// SPDX-License-Identifier: Apache-2.0
// A linked list behind a global, after Figure 5 of the MAESTRO paper: add_last() puts
// a new node at the end. The driver has to build lists of several lengths.
#include <stdlib.h>

typedef struct _Node {
    char c;
    struct _Node *next;
} Node;

Node *head;

void add_last(char v)
{
    Node *node = malloc(sizeof *node);
    Node *last;

    if (!node)
        return;
    node->c = v;
    node->next = NULL;
    if (!head) {
        head = node;
        return;
    }
    last = head;
    while (last->next)
        last = last->next;
    if (last->c == v) // no two equal neighbours
        free(node);
    else
        last->next = node;
}
