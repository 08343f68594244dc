// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
int f(int n, va_list ap, int d) { int x = va_arg(ap, int); if (x > 3) return 1; return 10 / d; }
int g(va_list ap, int *p) { return *p + va_arg(ap, int); }
int h(va_list *ap, int d) { return va_arg(*ap, int) / d; }
