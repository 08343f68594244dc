// SPDX-License-Identifier: Apache-2.0
int other(int x) { if (x > 3) return 1; return 0; }
int f(int x) __attribute__((alias("other")));
extern int v_alias __attribute__((alias("v")));
int v = 3;
static int hidden(int x) { return x + 1; }
int shown(int x) __attribute__((alias("hidden")));
int user(int x) { if (f(x) && shown(x) > 7) return v_alias; return 1; }
