/* Buffers that come with a length have as many elements as it says. Lengths are small here, so
   that they never reach the end of what the driver has made. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- one too many ---- */

int reads_one_more(const int *values, int count)
{
    int sum = 0;
    if (!values || count < 0 || count > 5)
        return 0;
    for (int i = 0; i < count; i++)
        sum ^= values[i];
    if (values[count] == 77) /* ALARM */
        return 1;
    return sum;
}

void writes_one_more(uint8_t *buf, unsigned len)
{
    unsigned i;
    if (!buf || len > 5)
        return;
    for (i = 0; i < len; i++)
        buf[i] = 0;
    buf[i] = 1; /* ALARM */
}

int counts_to_the_end(const short *items, size_t n)
{
    int found = 0;
    if (!items || n > 5)
        return 0;
    for (size_t i = 0; i <= n; i++)
        if (items[i] == 5) /* ALARM */
            found++;
    return found;
}

int looks_ahead(const char *text, size_t len)
{
    size_t i = 0;
    int lines = 0;
    if (!text || len > 5)
        return 0;
    while (i < len) {
        if (text[i] == '\\' && text[i + 1] == 'n') { /* ALARM */
            lines++;
            i++;
        }
        i++;
    }
    return lines;
}

/* The last word is only half there if size is odd. */
unsigned words_of_bytes(uint16_t *words, size_t size)
{
    uint16_t copy[5] = {0};
    unsigned sum = 0;
    if (!words || size > 9)
        return 0;
    memcpy(copy, words, size);
    for (size_t i = 0; i < (size + 1) / 2; i++)
        sum += words[i]; /* ALARM */
    return sum + copy[0];
}

int past_the_end(const uint8_t *p, const uint8_t *end)
{
    if (!p || end - p > 5)
        return 0;
    while (p < end && *p != 9)
        p++;
    return *p == 9; /* ALARM */
}

int counts_down(const uint8_t *p, int n)
{
    int sum = 0;
    if (!p || n < 0 || n > 5)
        return 0;
    while (n-- >= 0)
        sum += *p++; /* ALARM */
    return sum > 1000;
}

static int inner(const uint8_t *data, size_t length)
{
    int sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += data[i];
    return sum;
}

int hands_on(const uint8_t *data, size_t length)
{
    if (!data || length > 5)
        return 0;
    int sum = inner(data, length);
    if (length > 2 && data[0] == 200)
        sum += data[length]; /* ALARM */
    return sum;
}

/* An index of the caller. */
int any_index(const int *table, unsigned count, unsigned at)
{
    int best = 0;
    if (!table || count > 5)
        return 0;
    for (unsigned i = 0; i < count; i++)
        best = table[i] > best ? table[i] : best;
    return table[at & 7] == best; /* ALARM */
}

/* A constant index, which some lengths do not reach. */
int first_four(const uint8_t *data, size_t size)
{
    int sum = 0;
    if (!data || size > 5)
        return 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i] == 3;
    if (size >= 3 && data[3] == 4) /* ALARM */
        sum++;
    return sum;
}

/* Through memcpy(), one byte more. */
void copies_one_more(uint8_t *to, const uint8_t *from, size_t n)
{
    uint8_t copy[8] = {0};
    if (!to || !from || n > 5)
        return;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    memcpy(copy, from, n + 1); /* ALARM */
    if (n)
        to[0] = copy[0] == 9;
}

/* ---- right ---- */

int sums(const int *values, int count)
{
    int sum = 0;
    if (!values || count <= 0)
        return -1;
    for (int i = 0; i < count; i++)
        sum ^= values[i];
    return sum == 12 ? values[count - 1] : values[0];
}

int copies(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n == 0 || !to || !from)
        return 0;
    memcpy(to, from, n);
    for (size_t i = 0; i < n; i++)
        if (to[i] == 3)
            return 1;
    return to[n - 1];
}

int maybe_null(const uint8_t *data, size_t size)
{
    int sum = 0;
    if (data == NULL && size != 0)
        return -1;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

int two_at_a_time(const uint8_t *data, int len)
{
    int pairs = 0;
    if (!data)
        return 0;
    for (int i = 0; i + 1 < len; i += 2)
        pairs += data[i] == data[i + 1];
    for (int i = 0; i < len; i++)
        pairs += data[i] == 7;
    return pairs;
}

int up_to_end(const uint8_t *p, const uint8_t *end)
{
    int n = 0;
    if (!p)
        return 0;
    for (; p < end; p++)
        n += *p == 9;
    return n;
}

void fills(char *buf, size_t size, int c)
{
    if (!buf)
        return;
    memset(buf, c, size);
    if (size > 3 && c == 8)
        buf[size - 1] = 0;
}

/* What is behind the length of the copy is 0. */
int nothing_behind(const uint8_t *data, size_t size)
{
    unsigned char seen[16] = {0};
    if (!data || size > 4)
        return 0;
    for (size_t i = 0; i < size; i++)
        seen[i] = data[i];
    if (seen[size] == 1) /* NEVER */
        return 1;
    return seen[0];
}

/* ---- lengths that are none ---- */

/* high is the last index. */
int partition(int *a, int low, int high)
{
    if (!a || low < 0 || high < low || high > 5)
        return 0;
    int pivot = a[high], i = low;
    for (int j = low; j < high; j++)
        if (a[j] < pivot) {
            int t = a[i];
            a[i++] = a[j];
            a[j] = t;
        }
    return i;
}

/* Arrays that begin at 1. */
int from_one(const int *a, int n)
{
    int sum = 0;
    if (!a || n > 5)
        return 0;
    for (int i = 1; i <= n; i++)
        sum ^= a[i];
    return sum;
}

/* How much is in use, and how much there is. */
int push(int *items, int count, int max, int item)
{
    if (!items || count < 0 || count > max || max > 6)
        return 0;
    for (int i = 0; i < count; i++)
        if (items[i] == item)
            return count;
    if (count < max)
        items[count++] = item;
    return count;
}

/* A text has a NUL. */
int is_text(const char *text, int len)
{
    int spaces = 0;
    if (!text || len < 0 || len > 5)
        return 0;
    for (int i = 0; i < len; i++)
        spaces += text[i] == ' ';
    return text[len] != '\0' ? -1 : spaces;
}

/* A header is in front of what the length counts. */
int behind_header(const uint8_t *frame, int len)
{
    if (!frame || len > 5)
        return 0;
    const uint8_t *payload = frame + 2;
    int sum = 0;
    for (int i = 0; i < len; i++)
        sum += payload[i];
    return sum;
}

/* cols is the length of a row. */
int matrix(const int *m, unsigned rows, unsigned cols)
{
    int sum = 0;
    if (!m || rows > 2 || cols > 3)
        return 0;
    for (unsigned j = 0; j < cols; j++)
        sum ^= m[j];
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < cols; j++)
            sum ^= m[i * cols + j];
    return sum;
}

/* n counts pairs. */
int pairs(const uint8_t *p, int n)
{
    int sum = 0;
    if (!p || n > 4)
        return 0;
    while (n-- > 0) {
        sum += *p++ << 8;
        sum += *p++;
    }
    return sum;
}
