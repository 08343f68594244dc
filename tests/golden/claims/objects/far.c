// Constant and computed indices far behind the elements that a driver starts with: they lie
// behind the red zone, and the number of elements must grow.
#include <string.h>

struct packet {
    char head[60];
    int length;
};

int far_text(const char *s) { if (s[20] == 'x') return 1; return 0; }
int far_number(const int *p) { if (p[200] == 5) return 1; return 0; }
int far_record(const unsigned char *bytes)
{
    const struct packet *packet = (const struct packet *)bytes;
    if (packet->length == 3)
        return 1;
    return 0;
}
int far_stride(const char *s)
{
    int i, n = 0;
    for (i = 0; i < 3; i++)
        n += s[i * 50] == 'y';
    if (n == 3)
        return 1;
    return 0;
}
int far_argument(const char *s) { if (strcmp(s + 80, "ab") == 0) return 1; return 0; }
/* Beyond --most-elements. */
int too_far(const int *p) { if (p[1000] == 5) return 1; return 0; }

/* Inside its object, from its end and from its start. */
struct large {
    char bytes[600];
};
int inside(struct large *large)
{
    char *end;
    if (!large)
        return 0;
    end = large->bytes + sizeof large->bytes;
    if (end[-500] == 'b' && large->bytes[599] == 'c')
        return 1;
    return 0;
}
