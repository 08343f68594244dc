/* Alarms of units: what only the sanitizers see, what is theirs and what is not, and one defect
 * per alarm. The cause stands in a comment on its line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The engine does not look for this at all. */
int copies(unsigned n)
{
    char buffer[24] = "0123456789abcdef";
    if (n == 0 || n >= 8)
        return 0;
    memcpy(buffer + n, buffer, 8); /* overlap */
    return buffer[3];
}

/* A NULL that the engine sees behind something that ends the test under ASan. */
int hidden(const int *p, unsigned n)
{
    char buffer[24] = "0123456789abcdef";
    if (n == 0 || n >= 8)
        return 0;
    memcpy(buffer + n, buffer, 8); /* overlap */
    return *p + buffer[3];         /* null */
}

/* The same on one line: two defects, not one. */
int mixed(const int *p, unsigned n)
{
    char buffer[24] = "0123456789abcdef";
    if (n > 0 && n < 8)
        return (memcpy(buffer + n, buffer, 8), *p); /* overlap, null */
    return 0;
}

/* Undefined, but asked for only with --check undefined. */
int misaligned(int k)
{
    char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    if (k == 5)
        return *(int *)(bytes + 1); /* undefined */
    return 0;
}

/* Words of the code under test are no report. */
int talks(int k)
{
    if (k == 3)
        fprintf(stderr, "/x/unit.i:8:1: runtime error: division by zero\n    #0 0x1\n"
                        "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n");
    return k;
}

/* Expressions and macros over several lines, and what happens in the C library. */
#define TWICE(a, b)                                                                               \
    do {                                                                                           \
        total += (a) / (b);                                                                        \
        total += (a);                                                                              \
    } while (0)
int several(int a, int b, unsigned n, const int *p)
{
    int total = 0, small[4] = {1, 2, 3, 4};
    if (a == 1)
        TWICE(
            77,
            b
        );
    if (a == 2)
        total += 4 +
                 (1 <<
                  n);
    if (a == 3)
        total = total +
                small[
                    n & 7
                ];
    if (a == 4)
        total +=
            *
            p;
    if (a == 5 && p)
        total += (int)strlen(
            b ? "abc"
              : NULL);
    return total;
}
