// SPDX-License-Identifier: Apache-2.0
// Static locals that the file hands out.
static int *last;
int *get_slot(void) { static int slot; return &slot; }
int is_slot(int *p) { if (p == get_slot()) return 1; return 0; }
int *remember(int *p) { static int state; if (p == &state) { state++; return 0; } return &state; }
int through_global(int *p) { static int state; if (p && p == &state) return 1; last = &state; return last == p; }
