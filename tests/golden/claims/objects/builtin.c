// SPDX-License-Identifier: Apache-2.0
int f(int a, int b) { if (__builtin_add_overflow_p(a, b, (int)0)) return 1; return 0; }
