/* A program that reads line[-1] when a line is empty. */
#include <stdio.h>
#include <string.h>
static int last(const char *text, size_t n) { return text[n - 1]; /* bounds */ }
int main(void)
{
    char line[16];
    int count = 0;
    while (count < 2 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (last(line, strlen(line)) == '\\')
            return 2;
        if (line[0] == 'q')
            return 1;
        count++;
    }
    return 0;
}
