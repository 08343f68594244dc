// MemorySanitizer looks at no number that is only printed.
#include <stdio.h>

int printed(int x)
{
    int value;
    if (x > 3)
        value = x;
    printf("%d\n", value); // use
    return x == 2;
}
