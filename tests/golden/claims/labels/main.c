// main() is renamed for the tests, but says that it is main().
#include <assert.h>
#include <string.h>

struct main { int main; };

int main(int argc, char **argv)
{
    struct main m = { argc };
    const char *name = __func__;
    if (strcmp(name, "main") != 0)
        return 1;
    if (strcmp(__FUNCTION__, "main") || strcmp(__PRETTY_FUNCTION__, "int main(int, char **)"))
        return 2;
    if (sizeof __func__ != 5 || "__func__"[0] != '_' || '\'' == 0)
        return 3;
    assert(m.main == argc);
    if (argc > 1 && strcmp(argv[1], name) == 0)
        return 4;
}
