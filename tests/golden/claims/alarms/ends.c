/* How a program may end. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
#if END == 1
    assert(argv[1][0] != 'a');
#elif END == 2
    if (argv[1][0] == 'a')
        abort();
#elif END == 3
    return 1 << (argv[1][0] - 'a' + 32 * (argv[1][0] != 'a'));
#elif END == 4
    exit(argv[1][0] == 'a' ? 77 : 1);
#endif
    return 0;
}
