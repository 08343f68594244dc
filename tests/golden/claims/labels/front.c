// One element before an array: in the frame, among globals, on the heap.
#include <stdlib.h>
#include <string.h>

static int ends_a_line(const char *line)
{
    return line[(int)strlen(line) - 1] == '\n';
}

int trim(char *text)
{
    char line[16];
    if (!text)
        return -1;
    strncpy(line, text, 15);
    line[15] = 0;
    if (ends_a_line(line))
        return 1;
    return 0;
}

static int scale, values[4];
static int at(const int *from, int i) { return from[i]; }
int before_global(int i)
{
    if (i < -1 || i > 3)
        return 0;
    scale = 1;
    if (at(values, i) == 7)
        return 1;
    return 2;
}

int before_block(int i)
{
    if (i < -1 || i > 3)
        return 0;
    int *p = calloc(4, sizeof *p);
    if (!p)
        return 3;
    int x = p[i];
    free(p);
    return x == 7;
}
