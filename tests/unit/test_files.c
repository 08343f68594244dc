// SPDX-License-Identifier: Apache-2.0
// The models of streams, descriptors, scanf and the environment against the C library
// itself: the same random calls on a modelled file and on a real one of the same content.
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- What the models need of the runtime ----

struct block {
    struct block *next;
    max_align_t data[];
};
static struct block *blocks;

// Memory of the modelled heap lives until the end of a round.
static void *heap_allocate(size_t size)
{
    struct block *block = calloc(1, sizeof *block + size);
    if (!block)
        abort();
    block->next = blocks;
    blocks = block;
    return block->data;
}

static void heap_free(void *pointer)
{
    (void)pointer;
}

static unsigned char content[64];
static unsigned content_length;
static bool next_fails;
static char asked_names[256];

#define czrt_allocate heap_allocate
#define free          heap_free
#include "../../runtime/models/world.c"
#define standard standard_descriptor
#include "../../runtime/models/descriptors.c"
#undef standard
#include "../../runtime/models/streams.c"
#include "../../runtime/models/stdio.c"
#define enter enter_variable
#include "../../runtime/models/environment.c"
#undef enter
#define find find_conversion
#include "../../runtime/models/scan.c"
#undef find
#undef free
#undef czrt_allocate

// Nothing real is called within a run.
#define NEVER(name) __asm__(".text\n.globl czrt_" #name "\nczrt_" #name ": ud2\n");
// clang-format off
NEVER(real_getc) NEVER(real_ungetc) NEVER(real_fread) NEVER(real_fwrite) NEVER(real_fseek)
NEVER(real_ftell) NEVER(real_feof) NEVER(real_ferror) NEVER(real_clearerr) NEVER(real_fileno)
NEVER(real_fflush) NEVER(real_fclose) NEVER(real_fopen) NEVER(real_freopen) NEVER(real_fdopen)
NEVER(real_tmpfile) NEVER(real_open) NEVER(real_read) NEVER(real_write) NEVER(real_lseek)
NEVER(real_close) NEVER(real_dup) NEVER(real_dup2) NEVER(real_isatty) NEVER(real_fstat)
NEVER(real_stat) NEVER(real_lstat) NEVER(real_access) NEVER(real_unlink) NEVER(real_ftruncate)
NEVER(real_mmap) NEVER(real_munmap) NEVER(real_getenv) NEVER(real_setenv) NEVER(real_unsetenv)
NEVER(real_mkstemp) NEVER(map_drop) NEVER(vsscanf)
    // clang-format on
    struct list_ends_here; // for the formatter

_Bool czrt_in_run(void)
{
    return 1;
}
void czrt_loss(unsigned loss)
{
    (void)loss;
}
void czrt_never_refuse(void)
{
}
void czrt_presume_locale(void)
{
}
void czrt_presume_success(void)
{
}
void czrt_errno_doubt(void)
{
}
void czrt_presume_text(const char *text, unsigned loss)
{
    (void)text;
    (void)loss;
}
void czrt_fail(cz_path call, int usual)
{
    (void)call;
    errno = usual;
}
unsigned long long cz_ubits(cz_path at, unsigned bits)
{
    (void)at;
    (void)bits;
    return 0;
}
size_t czrt_text_length(const char *text)
{
    return strlen(text);
}
void *czrt_map_new(size_t size)
{
    return heap_allocate(size);
}
cz_path cz_root(const char *name)
{
    (void)name;
    return 1;
}
cz_path cz_part(cz_path of, const char *name)
{
    (void)name;
    return of;
}
cz_path cz_index(cz_path of, unsigned long index)
{
    return of + (cz_path)index;
}
cz_path cz_call(const char *function)
{
    (void)function;
    return 1;
}
_Bool cz_bool(cz_path at)
{
    (void)at;
    return next_fails;
}
_Bool cz_present(cz_path at)
{
    (void)at;
    return content_length > 0;
}
unsigned cz_u32(cz_path at)
{
    (void)at;
    return content_length;
}
void *cz_new(cz_path at, unsigned long size, int bounded)
{
    (void)at;
    (void)bounded;
    return heap_allocate(size);
}
void *cz_text(cz_path at, unsigned long length)
{
    return cz_new(at, length + 1, 1);
}

cz_path czrt_root_named(const char *prefix, const char *name, unsigned number)
{
    (void)number;
    snprintf(asked_names, sizeof asked_names, "%s%s", prefix, name);
    return 1;
}

void cz_array(cz_path at, void *to, enum cz_scalar type, unsigned long count)
{
    (void)at;
    (void)type;
    memcpy(to, content, count < sizeof content ? count : sizeof content);
}

// ---- Rounds ----

static uint64_t state;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

static void begin_round(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
    files = standard_input = unknown_file = NULL;
    file_bytes = text_bytes = nameless = 0;
    is_program = 0;
    memset(table, 0, sizeof table);
    memset(closed, 0, sizeof closed);
    unknown = NULL;
    memset(standard, 0, sizeof standard);
    variables = NULL;
    next_fails = false;
}

static void random_content(const char *alphabet)
{
    unsigned letters = (unsigned)strlen(alphabet);
    content_length = pick(sizeof content + 1);
    memset(content, 0, sizeof content);
    for (unsigned i = 0; i < sizeof content; i++)
        content[i] = (unsigned char)alphabet[pick(letters)];
}

static char path[64];

static void write_content(void)
{
    strcpy(path, "/tmp/cadenza-files-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, content, content_length) == (ssize_t)content_length);
    close(fd);
}

// One random call on both; a difference names the call.
static void read_somehow(FILE *x, FILE *y)
{
    char a[80], b[80];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    int n = (int)pick(12), c = 0;
    switch (pick(11)) {
    case 0: assert_int_equal(czm_fgetc(x), fgetc(y)); break;
    case 1:
        assert_int_equal(c = czm_getc(x), getc(y));
        assert_int_equal(czm_ungetc(c, x), ungetc(c, y));
        break;
    case 2:
        assert_int_equal(czm_fgets(a, n, x) != NULL, fgets(b, n, y) != NULL);
        assert_memory_equal(a, b, sizeof a);
        break;
    case 3:
        assert_int_equal(czm_fread(a, 3, (size_t)n, x), fread(b, 3, (size_t)n, y));
        assert_memory_equal(a, b, sizeof a);
        break;
    case 4:
        n -= 6;
        c = (int)pick(3);
        assert_int_equal(czm_fseek(x, n, c), fseek(y, n, c));
        break;
    case 5: assert_int_equal(czm_ftell(x), ftell(y)); break;
    case 6:
        assert_int_equal(!czm_feof(x), !feof(y));
        assert_int_equal(!czm_ferror(x), !ferror(y));
        break;
    case 7:
        if (pick(3) == 0) {
            czm_clearerr(x);
            clearerr(y);
        }
        break;
    case 8:
        if (pick(4) == 0) {
            czm_rewind(x);
            rewind(y);
        }
        break;
    case 9: {
        char *p = NULL, *q = NULL;
        size_t r = 0, s = 0;
        ssize_t k = czm_getline(&p, &r, x);
        assert_int_equal(k, getline(&q, &s, y));
        assert_int_equal(r, s);
        if (k > 0)
            assert_memory_equal(p, q, (size_t)k + 1);
        free(q);
        break;
    }
    case 10: {
        int i = -5, j = -5;
        assert_int_equal(czm_fscanf(x, "%d,%3s", &i, a), fscanf(y, "%d,%3s", &j, b));
        assert_int_equal(i, j);
        assert_memory_equal(a, b, sizeof a);
        assert_int_equal(czm_ftell(x), ftell(y));
    }
    }
}

static void reading_behaves_like_libc(void **unused)
{
    (void)unused;
    state = 21;
    for (int round = 0; round < 400; round++) {
        begin_round();
        random_content(pick(2) ? "ab\n" : "12,x \n");
        write_content();
        FILE *x = czm_fopen("f", "r"), *y = fopen(path, "r");
        for (int call = 0; call < 40; call++)
            read_somehow(x, y);
        assert_int_equal(czm_fputc('x', x), fputc('x', y));
        assert_int_equal(!czm_ferror(x), !ferror(y));
        assert_int_equal(czm_fclose(x), fclose(y));
        assert_string_equal(asked_names, "file:f");
        unlink(path);
    }
}

static void write_somehow(FILE *x, FILE *y)
{
    static const char text[] = "0123456789";
    int n = (int)pick(10), c = 'A' + n;
    switch (pick(4)) {
    case 0: assert_int_equal(czm_fputc(c, x), fputc(c, y)); break;
    case 1: assert_int_equal(czm_fputs(text + n, x) >= 0, fputs(text + n, y) >= 0); break;
    case 2:
        assert_int_equal(czm_fwrite(text, 2, (size_t)n / 2, x), fwrite(text, 2, (size_t)n / 2, y));
        break;
    case 3: assert_int_equal(czm_ftell(x), ftell(y)); break;
    }
}

static void writing_behaves_like_libc(void **unused)
{
    (void)unused;
    static const char *const modes[] = {"r+", "w", "w+", "a", "a+", "rb+", "wb"};
    state = 22;
    for (int round = 0; round < 400; round++) {
        const char *mode = modes[pick(7)];
        begin_round();
        random_content("ab\n");
        write_content();
        FILE *x = czm_fopen("f", mode), *y = fopen(path, mode);
        bool plus = strchr(mode, '+');
        for (int call = 0; call < 20; call++) {
            int to = (int)pick(80);
            assert_int_equal(czm_fseek(x, to, SEEK_SET), fseek(y, to, SEEK_SET));
            if (plus && pick(2))
                read_somehow(x, y);
            else
                write_somehow(x, y);
            assert_int_equal(czm_fflush(x), fflush(y));
        }
        assert_int_equal(czm_fclose(x), fclose(y));
        x = czm_fopen("f", "r"); // what was written is there
        y = fopen(path, "r");
        int c;
        do
            assert_int_equal(c = czm_getc(x), getc(y));
        while (c != EOF);
        czm_fclose(x);
        fclose(y);
        unlink(path);
    }
}

static void descriptors_behave_like_libc(void **unused)
{
    (void)unused;
    static const int flags[] = {O_RDONLY, O_RDWR, O_WRONLY, O_RDWR | O_APPEND, O_RDWR | O_TRUNC};
    state = 23;
    for (int round = 0; round < 300; round++) {
        int flag = flags[pick(5)];
        begin_round();
        random_content("abc");
        write_content();
        int x = czm_open("f", flag), y = open(path, flag), x2 = czm_dup(x), y2 = dup(y);
        for (int call = 0; call < 20; call++) {
            char a[80] = "", b[80] = "";
            int n = (int)pick(70), from = (int)pick(3), first = (int)pick(2);
            struct stat s, t;
            switch (pick(6)) {
            case 0:
                assert_int_equal(czm_read(first ? x : x2, a, (size_t)n),
                                 read(first ? y : y2, b, (size_t)n));
                assert_memory_equal(a, b, sizeof a);
                break;
            case 1:
                assert_int_equal(czm_write(x, "hello world", (size_t)n % 12),
                                 write(y, "hello world", (size_t)n % 12));
                break;
            case 2: assert_int_equal(czm_lseek(x, n - 30, from), lseek(y, n - 30, from)); break;
            case 3:
                assert_int_equal(czm_fstat(x, &s), fstat(y, &t));
                assert_int_equal(s.st_size, t.st_size);
                assert_int_equal(s.st_mode & S_IFMT, t.st_mode & S_IFMT);
                break;
            case 4:
                assert_int_equal(czm_pread(x, a, (size_t)n, from), pread(y, b, (size_t)n, from));
                assert_memory_equal(a, b, sizeof a);
                break;
            case 5:
                if (flag != O_RDONLY)
                    assert_int_equal(czm_ftruncate(x, n), ftruncate(y, n));
                break;
            }
        }
        assert_int_equal(czm_close(x), close(y));
        assert_int_equal(czm_close(x2), close(y2));
        unlink(path);
    }
}

// Streams read ahead: the descriptor below is further on.
static void streams_and_descriptors_mix(void **unused)
{
    (void)unused;
    begin_round();
    state = 24;
    random_content("abc\n");
    content_length = 40;
    write_content();
    FILE *x = czm_fopen("f", "r"), *y = fopen(path, "r");
    char a[8], b[8];
    assert_int_equal(czm_read(czm_fileno(x), a, 3), read(fileno(y), b, 3));
    assert_int_equal(czm_getc(x), getc(y));
    assert_int_equal(czm_read(czm_fileno(x), a, 3), read(fileno(y), b, 3));
    assert_int_equal(czm_lseek(czm_fileno(x), 0, SEEK_CUR), lseek(fileno(y), 0, SEEK_CUR));
    assert_int_equal(czm_fflush(x), fflush(y));
    assert_int_equal(czm_lseek(czm_fileno(x), 0, SEEK_CUR), lseek(fileno(y), 0, SEEK_CUR));
    czm_fclose(x);
    fclose(y);
    char *p = czm_mmap(NULL, 64, PROT_READ, MAP_PRIVATE, czm_open("f", O_RDONLY), 0);
    assert_memory_equal(p, content, 40);
    for (int i = 40; i < 64; i++)
        assert_int_equal(p[i], 0);
    unlink(path);
}

static void worlds_differ(void **unused)
{
    (void)unused;
    begin_round();
    content_length = 3;
    next_fails = true;
    assert_null(czm_fopen("any", "r"));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(czm_open("any", O_RDONLY), -1);
    next_fails = false;
    assert_non_null(czm_fopen("any", "r"));
    assert_int_equal(czm_read(77, (char[4]){0}, 4), 3); // somebody else's descriptor
    assert_int_equal(czm_read(-1, (char[4]){0}, 4), -1);
    begin_round();
    cz_program_file("known", 8);
    assert_null(czm_fopen("other", "r"));
    assert_non_null(czm_fopen("known", "r"));
    assert_int_equal(czm_read(77, (char[4]){0}, 4), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(czm_getchar(), EOF); // not declared: empty
    assert_null(czm_fopen("made", "r"));
    czm_fclose(czm_fopen("made", "w"));
    assert_non_null(czm_fopen("made", "r"));
    assert_null(czm_fopen("made", "wx"));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(czm_open("made", O_CREAT | O_EXCL | O_WRONLY, 0600), -1);
    assert_int_equal(czm_remove("made"), 0);
    assert_null(czm_fopen("made", "r"));
    int argc;
    content_length = 3;
    char **argv = cz_program_args("prog", 4, 5, &argc);
    assert_int_equal(argc, 3);
    assert_string_equal(argv[0], "prog");
    assert_non_null(argv[2]);
    assert_null(argv[3]);
    FILE *x = czm_fopen("/dev/null", "r+");
    assert_int_equal(czm_getc(x), EOF);
    assert_int_equal(czm_fputs("gone", x), 1);
    assert_null(czm_fopen("known", "q"));
    assert_int_equal(errno, EINVAL);
}

static void environment_keeps_what_is_set(void **unused)
{
    (void)unused;
    begin_round();
    content_length = 0;
    assert_null(czm_getenv("MODE"));
    assert_int_equal(czm_setenv("MODE", "a", 0), 0);
    assert_string_equal(czm_getenv("MODE"), "a");
    czm_setenv("MODE", "b", 0);
    assert_string_equal(czm_getenv("MODE"), "a");
    czm_putenv((char[]){"MODE=c=d"});
    assert_string_equal(czm_getenv("MODE"), "c=d");
    czm_unsetenv("MODE");
    assert_null(czm_getenv("MODE"));
    assert_int_equal(czm_setenv("A=B", "", 1), -1);
    content_length = 1;
    memcpy(content, "text\0", 5);
    assert_string_equal(czm_getenv("MODES"), "text");
    assert_null(czm_getenv("MODE"));
}

// ---- scanf ----

static void check_scan(const char *text, const char *format)
{
    char a[4][64], b[4][64];
    memset(a, 0x55, sizeof a);
    memset(b, 0x55, sizeof b);
    int got = czm_sscanf(text, format, a[0], a[1], a[2], a[3]);
    int want = sscanf(text, format, b[0], b[1], b[2], b[3]);
    if (got != want || memcmp(a, b, sizeof a) != 0)
        fail_msg("sscanf(\"%s\", \"%s\"): %d, not %d", text, format, got, want);
}

static void scanning_behaves_like_libc(void **unused)
{
    (void)unused;
    static const char *const formats[] = {
        "%d",        "%i",          "%u",     "%x",       "%o",       "%hd%n",    "%hhd %ld",
        "%lld,%llu", "%3d%2d",      "%*d %d", "%5x%n",    "%s",       "%3s%s",    " %c",
        "%c%c",      "%2c%n",       "%[ab]",  "%[^,],%d", "%[]x-]%n", "%[a-c]%s", "%f",
        "%lf",       "%4f%f",       "%e,%g",  "a%d",      "%d%%%d",   "%d , %d",  "x",
        " ",         "%*s%n",       "%i%i",   "%zu%n",    "%*3c%d",   "%p",       "%2i",
        "%3f%n",     "%1d%1d%1d%n", "%a",
    };
    static const char *const corners[] = {
        "",
        " ",
        "-",
        "+",
        "0x",
        "0xg",
        "0x1f",
        "08",
        "12345678901234567890123",
        "-99999999999999999999",
        "4294967296",
        "-1",
        "1e",
        "1e+",
        "1.5e3x",
        ".",
        ".5",
        "-.5e-2",
        "inf",
        "infinity",
        "infin",
        "nan",
        "nax",
        "0x1p3",
        "0x.8p1",
        "a12",
        "12%13",
        "1 , 2",
        "abc,1",
        "]x-y",
        "  ab  cd",
        "a",
        "00x1",
        "1..2",
        "0x1.8",
        "1e5e5",
        "+5",
        "--5",
        "1e-",
        "0e0",
        "infinit",
        "i",
        "12,",
        "999,999,",
    };
    const size_t count = sizeof formats / sizeof *formats;
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        for (size_t f = 0; f < count; f++)
            check_scan(corners[i], formats[f]);
    state = 25;
    for (int round = 0; round < 20000; round++) {
        static const char *const alphabets[] = {"0123456789", " -+0x19afz", "ab,c ]x-", "0123.e+-",
                                                " 1,%a\n"};
        char text[20];
        const char *alphabet = alphabets[pick(5)];
        unsigned n = pick(18), letters = (unsigned)strlen(alphabet);
        for (unsigned i = 0; i < n; i++)
            text[i] = alphabet[pick(letters)];
        text[n] = 0;
        check_scan(text, formats[pick((unsigned)count)]);
    }
    char *word = NULL, *set = NULL;
    begin_round();
    assert_int_equal(czm_sscanf("hello world", "%ms %m[a-z]", &word, &set), 2);
    assert_string_equal(word, "hello");
    assert_string_equal(set, "world");
}

static int leave(void **unused)
{
    (void)unused;
    begin_round();
    return 0;
}

int test_files(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_behaves_like_libc),
        cmocka_unit_test(writing_behaves_like_libc),
        cmocka_unit_test(descriptors_behave_like_libc),
        cmocka_unit_test(streams_and_descriptors_mix),
        cmocka_unit_test(worlds_differ),
        cmocka_unit_test(environment_keeps_what_is_set),
        cmocka_unit_test(scanning_behaves_like_libc),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, leave);
}
