// SPDX-License-Identifier: Apache-2.0
// What is known of a project: small files are compiled and read, and lines of the dump
// are compared. Each test shows one kind of write, flow or gap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/proc.h"
#include "base/vec.h"
#include "facts/facts.h"
#include "frontend/frontend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct made {
    char directory[32];
    struct arena arena;
    struct facts *facts;
    struct buf text; // the dump
    struct facts_file files[4];
    char *clang;
};

static void make(struct made *made, size_t count, const char *const *sources)
{
    struct error err = {0};
    static const char *const no_flags[] = {NULL};
    strcpy(made->directory, "/tmp/cz_facts_XXXXXX");
    assert_non_null(mkdtemp(made->directory));
    arena_init(&made->arena);
    made->text = (struct buf)BUF_INIT;
    made->clang = proc_find_tool("clang", &err);
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_printf(&made->arena, "%s/f%zu.c", made->directory, i);
        assert_true(fs_write(path, sources[i], strlen(sources[i]), &err));
        made->files[i] = (struct facts_file){path, no_flags};
    }
    struct facts_request request = {.files = made->files,
                                    .file_count = count,
                                    .clang = made->clang,
                                    .directory =
                                        arena_printf(&made->arena, "%s/bc", made->directory),
                                    .jobs = 2};
    if (!facts_build(&request, &made->facts, &err))
        fail_msg("%s", err.text);
    facts_dump(made->facts, &made->text);
}

#define MAKE(made, ...)                                                                            \
    do {                                                                                           \
        const char *const sources[] = {__VA_ARGS__};                                               \
        make(made, sizeof sources / sizeof *sources, sources);                                     \
    } while (0)

static void unmake(struct made *made)
{
    assert_true(fs_remove_tree(made->directory, NULL));
    facts_free(made->facts);
    buf_release(&made->text);
    arena_release(&made->arena);
    free(made->clang);
}

// The lines of a function's entry, from its heading to the next one.
static const char *entry(struct made *made, const char *heading)
{
    const char *start = strstr(buf_text(&made->text), heading);
    while (start && start != made->text.data && start[-1] != '\n')
        start = strstr(start + 1, heading);
    if (!start)
        fail_msg("no %s in\n%s", heading, buf_text(&made->text));
    const char *end = strchr(start, '\n');
    while (end && strncmp(end + 1, "    ", 4) == 0)
        end = strchr(end + 1, '\n');
    return arena_strndup(&made->arena, start, (size_t)(end + 1 - start));
}

static void expect(struct made *made, const char *heading, const char *lines)
{
    assert_string_equal(entry(made, heading), lines);
}

// ---- writes ----

static void globals_and_their_parts(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "int g; static int s; const int c = 1;\n"
             "struct r { int a, b; unsigned x : 3, y : 5; int list[4]; } r;\n"
             "void whole(void) { g = 1; }\n"
             "void part(void) { r.b = 1; }\n"
             "void bits(void) { r.y = 1; }\n"
             "void element(void) { r.list[2] = 1; }\n"
             "void any(int i) { r.list[i] = 1; }\n"
             "void own(void) { s++; { static int n; n = s; } }\n"
             "int none(int x) { int y = x; y += g; return y; }\n");
    expect(&m, "whole", "whole (f0.c)\n    writes g bytes 0..3\n");
    expect(&m, "part", "part (f0.c)\n    writes r bytes 4..7\n");
    expect(&m, "bits", "bits (f0.c)\n    writes r bits 67..71\n");
    expect(&m, "element", "element (f0.c)\n    writes r bytes 20..23\n");
    expect(&m, "any", "any (f0.c)\n    writes r bytes 12..27\n");
    expect(&m, "own",
           "own (f0.c)\n    writes f0.c:own.n bytes 0..3\n    writes f0.c:s bytes 0..3\n");
    expect(&m, "none", "none (f0.c) pure\n");
    unmake(&m);
}

static void memory_behind_parameters(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "struct n { int v; struct n *next; };\n"
             "void out(int *p) { if (p) *p = 1; }\n"
             "void second(struct n *p) { p->next->v = 1; }\n"
             "void link(struct n *p, struct n *q) { p->next = q; }\n"
             "void buffer(short *p, unsigned n) { for (unsigned i = 0; i < n; i++) p[i] = 0; }\n"
             "void blind(char *p) { while (*p) *p++ = 0; }\n"
             "void three(struct n **p) { (*p)->next->v = 1; }\n"
             "void all(struct n *p) { for (; p; p = p->next) p->v = 0; }\n"
             "struct big { int *p; long pad[4]; };\n"
             "void value(struct big b) { b.p[1] = 2; b.pad[1] = 3; }\n"
             "struct big result(void) { struct big b = {0}; return b; }\n"
             "struct two { int *a, *b; };\n"
             "void pieces(int x, struct two t) { *t.b = x; }\n");
    expect(&m, "out", "out (f0.c)\n    writes *p bytes 0..3\n");
    expect(&m, "second", "second (f0.c)\n    writes *p +8-> bytes 0..3\n");
    expect(&m, "link", "link (f0.c)\n    writes *p bytes 8..15\n");
    expect(&m, "buffer", "buffer (f0.c)\n    writes *p all, n * 2 bytes\n");
    expect(&m, "blind", "blind (f0.c)\n    writes *p all\n");
    expect(&m, "three", "three (f0.c)\n    writes *p +0-> +8-> bytes 0..3\n");
    expect(&m, "all",
           "all (f0.c)\n    writes *p bytes 0..3\n    writes *p and deeper\n"
           "    writes *p +8-> bytes 0..3\n    writes *p +8-> +8-> bytes 0..3\n"
           "    writes *p +8-> +8-> +8-> bytes 0..3\n");
    expect(&m, "value", "value (f0.c)\n    writes *b +0-> bytes 4..7\n");
    expect(&m, "result", "result (f0.c) pure\n");
    expect(&m, "pieces", "pieces (f0.c)\n    writes *t +8-> bytes 0..3\n");
    unmake(&m);
}

static void calls_across_three_files(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m,
         "struct s { int a, b, c[3]; }; void mid(int *p, struct s *s); extern int shared;\n"
         "void top(struct s *x) { int l; mid(&x->b, x); mid(&l, 0); }\n",
         "struct s { int a, b, c[3]; }; void low(int *p); static int shared;\n"
         "void mid(int *p, struct s *s) { low(p); low(&s->c[1]); shared = 1; }\n",
         "int shared; static void inner(int *q) { *q = 7; shared = 2; }\n"
         "void low(int *p) { inner(p); }\n");
    expect(&m, "top",
           "top (f0.c)\n    writes *x bytes 4..7\n    writes *x bytes 12..15\n"
           "    writes shared bytes 0..3\n    writes f1.c:shared bytes 0..3\n");
    expect(&m, "mid",
           "mid (f1.c)\n    writes *p bytes 0..3\n    writes *s bytes 12..15\n"
           "    writes shared bytes 0..3\n    writes f1.c:shared bytes 0..3\n");
    const struct facts_function *inner = facts_find(m.facts, "inner", m.files[2].path);
    assert_non_null(inner);
    assert_true(inner->is_static);
    assert_null(facts_find(m.facts, "inner", m.files[0].path));
    unmake(&m);
}

static void recursion_ends(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "int a, b; void odd(int *p, int n);\n"
             "void even(int *p, int n) { a = n; if (n) odd(p + 1, n - 1); }\n"
             "void odd(int *p, int n) { b = n; *p = 1; if (n) even(p, n - 1); }\n");
    expect(&m, "even",
           "even (f0.c)\n    writes *p all\n    writes a bytes 0..3\n"
           "    writes b bytes 0..3\n");
    unmake(&m);
}

static void the_c_library(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "#include <string.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
             "struct s { int a; char text[12]; long z; };\n"
             "void copy(struct s *d, const struct s *s) { memcpy(d, s, sizeof *d); }\n"
             "void n_bytes(char *d, const char *s, size_t n) { memcpy(d, s, n); }\n"
             "void name(struct s *d, const char *s) { strncpy(d->text, s, 12); }\n"
             "void text(char *d, int x) { sprintf(d, \"%d\", x); }\n"
             "int line(char *d, int n) { return fgets(d, n, stdin) != 0; }\n"
             "int bytes(int fd, char *d) { return read(fd, d, 6); }\n"
             "void scan(const char *s, int *x) { sscanf(s, \"%d\", x); }\n"
             "char *find(char *s) { char *at = strchr(s, 'x'); if (at) *at = 0; return at; }\n"
             "void *fresh(void) { int *p = malloc(4); if (p) *p = 1; return p; }\n"
             "void drop(struct s *p) { free(p); }\n"
             "int say(const char *s) { return printf(\"%s\", s); }\n");
    expect(&m, "copy", "copy (f0.c)\n    writes *d bytes 0..23\n");
    expect(&m, "n_bytes", "n_bytes (f0.c)\n    writes *d all, n * 1 bytes\n");
    expect(&m, "name", "name (f0.c)\n    writes *d bytes 4..15\n");
    expect(&m, "text", "text (f0.c)\n    writes *d all\n");
    expect(&m, "line", "line (f0.c)\n    writes *d all, n * 1 bytes\n");
    expect(&m, "bytes", "bytes (f0.c)\n    writes *d bytes 0..5\n");
    expect(&m, "scan", "scan (f0.c)\n    writes *x all\n");
    expect(&m, "find", "find (f0.c)\n    writes *s all\n    returns a pointer to *s or behind\n");
    expect(&m, "fresh", "fresh (f0.c) pure\n");
    expect(&m, "drop", "drop (f0.c)\n    frees *p\n");
    expect(&m, "say", "say (f0.c) pure\n");
    unmake(&m);
}

static void what_is_not_known_is_said(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m,
         "void elsewhere(int *p); void (*nobody)(void); int x;\n"
         "void outside(int *p) { elsewhere(p); }\n"
         "void pointer(void) { nobody(); }\n"
         "void assembly(void) { __asm__ volatile(\"nop\"); }\n"
         "void caller(void) { outside(&x); assembly(); }\n"
         "void reg(void) { *(volatile int *)0x40001000 = 1; }\n"
         "void args(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);\n"
         "  *__builtin_va_arg(l, int *) = 1; __builtin_va_end(l); }\n",
         "int broken( { }\n");
    expect(&m, "outside",
           "outside (f0.c)\n    unknown: calls elsewhere(), which is not in the project\n");
    expect(&m, "pointer",
           "pointer (f0.c)\n    unknown: calls through a pointer that no function was found for\n");
    expect(&m, "assembly", "assembly (f0.c)\n    unknown: runs assembly\n");
    expect(&m, "caller",
           "caller (f0.c)\n    unknown: calls elsewhere(), which is not in the "
           "project\n    unknown: runs assembly\n");
    expect(&m, "reg", "reg (f0.c)\n    unknown: writes memory at a constant address\n");
    expect(&m, "args",
           "args (f0.c)\n    unknown: writes through a pointer that could not be followed\n");
    assert_non_null(strstr(buf_text(&m.text), "f1.c does not compile"));
    unmake(&m);
}

static void pointers_kept_in_objects(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "int g, h; int *at = &g; struct box { int *p; };\n"
             "static void put(struct box *b, int *p) { b->p = p; }\n"
             "void through_box(int *x) { struct box b, c; put(&b, x); c = b; *c.p = 1; }\n"
             "void set(void) { at = &h; }\n"
             "void through_global(void) { *at = 1; }\n"
             "static int *choose(int *a, int *b, int c) { return c ? a : b; }\n"
             "void either(int *a, int c) { *choose(a, &g, c) = 1; }\n");
    expect(&m, "through_box", "through_box (f0.c)\n    writes *x bytes 0..3\n");
    expect(&m, "through_global",
           "through_global (f0.c)\n    writes at +0-> bytes 0..3\n"
           "    writes g bytes 0..3\n    writes h bytes 0..3\n");
    expect(&m, "either", "either (f0.c)\n    writes *a bytes 0..3\n    writes g bytes 0..3\n");
    unmake(&m);
}

static void functions_that_do_not_return(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "#include <stdlib.h>\nvoid die(void) { exit(1); }\nvoid fatal(int x) { die(); }\n"
             "void maybe(int x) { if (x) fatal(x); }\nvoid forever(void) { for (;;); }\n"
             "void both(int x) { if (x) fatal(1); else forever(); }\n");
    expect(&m, "die", "die (f0.c) never returns pure\n");
    expect(&m, "fatal", "fatal (f0.c) never returns pure\n");
    expect(&m, "maybe", "maybe (f0.c) pure\n");
    expect(&m, "both", "both (f0.c) never returns pure\n");
    unmake(&m);
}

// ---- pointers to functions ----

static void called_through_pointers(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m,
         "int a, b, c; typedef void (*fn)(int *); struct ops { int id; fn run; };\n"
         "static void set_a(int *p) { a = 1; } void set_b(int *p) { b = 1; *p = 2; }\n"
         "struct ops table[2] = {{1, set_a}, {2, set_b}};\n"
         "void run(struct ops *o, int *x) { o->run(x); }\n"
         "void apply(fn f, int *x) { f(x); }\n"
         "void known(int *x) { apply(set_b, x); }\n"
         "void from_table(int i, int *x) { run(&table[i], x); }\n",
         "typedef void (*fn)(int *); struct ops { int id; fn run; }; extern int c;\n"
         "void set_c(int *p) { c = 1; } static fn current; fn get(void) { return current; }\n"
         "void install(struct ops *o, fn f) { o->run = f; }\n"
         "void setup(struct ops *o) { install(o, set_c); current = set_c; }\n"
         "void fill(fn *slot) { *slot = set_c; }\n"
         "void local(int *x) { fn f; fill(&f); f(x); get()(x); }\n");
    expect(&m, "known", "known (f0.c)\n    writes *x bytes 0..3\n    writes b bytes 0..3\n");
    expect(&m, "apply", "apply (f0.c)\n    calls *f\n");
    expect(&m, "local", "local (f1.c)\n    writes c bytes 0..3\n");
    const char *dump = buf_text(&m.text);
    assert_non_null(strstr(dump, "struct.ops+8 holds set_a, set_b, set_c\n"));
    assert_non_null(strstr(dump, "\ncurrent holds set_c\n"));
    assert_non_null(strstr(dump, "\nget() result holds set_c\n"));
    assert_non_null(strstr(dump, "\ninstall() parameter f holds set_c\n"));
    const struct facts_function *apply = facts_find(m.facts, "apply", NULL);
    assert_int_equal(apply->call_count, 1);
    assert_int_equal(apply->calls[0].argument_count, 1);
    assert_int_equal(apply->calls[0].forwards[0], 1);
    unmake(&m);
}

static const struct pointer_candidates *pointer_named(const struct program *p, const char *field)
{
    for (size_t i = 0; i < p->pointer_count; i++) {
        const struct slot *slot = &p->pointers[i].slot;
        const char *name = slot->kind == SLOT_FIELD      ? slot->record->fields[slot->index].name
                           : slot->kind == SLOT_VARIABLE ? p->variables[slot->owner].name
                           : slot->kind == SLOT_PARAMETER
                               ? p->functions[slot->owner].params[slot->index].name
                               : "";
        if (strcmp(name, field) == 0)
            return &p->pointers[i];
    }
    fail_msg("no pointer %s", field);
    return NULL;
}

static void other_files_candidates_enter_the_program(void **state)
{
    (void)state;
    struct made m;
    struct program program;
    struct error err = {0};
    MAKE(&m,
         "typedef int (*fn)(int); struct dev { fn run; }; extern fn hook;\n"
         "static int same(int x) { return x; }\n"
         "fn mine(void) { return same; }\n"
         "int use(struct dev *d, int x) { return d->run(x); }\n"
         "int call(int x) { return hook(x); }\n"
         "int twice(fn f, int x) { return f(f(x)); }\n",
         "typedef int (*fn)(int); struct dev { fn run; }; fn hook; fn mine(void);\n"
         "static int same(int x) { return 1; } static int add(int x) { return x + 1; }\n"
         "struct dev devs[2] = {{same}, {add}}; int twice(fn f, int x);\n"
         "int main(void) { hook = mine(); return twice(add, 1); }\n");
    program_init(&program);
    struct frontend_request request = {.source = m.files[0].path, .clang = m.clang};
    assert_true(frontend_parse(&request, &program, &err));
    facts_add_candidates(m.facts, &program);
    const struct pointer_candidates *run = pointer_named(&program, "run");
    assert_int_equal(run->function_count, 2);
    assert_string_equal(program.functions[run->functions[0]].name, "other1_same");
    assert_string_equal(program.functions[run->functions[0]].source_name, "same");
    assert_string_equal(program.functions[run->functions[1]].name, "add");
    assert_false(run->open);
    assert_false(run->by_signature);
    const struct pointer_candidates *hook = pointer_named(&program, "hook");
    assert_int_equal(hook->function_count, 1);
    assert_true(program.functions[hook->functions[0]].defined);
    assert_false(hook->open);
    const struct pointer_candidates *f = pointer_named(&program, "f");
    assert_int_equal(f->function_count, 1);
    assert_int_equal(f->functions[0], run->functions[1]);
    program_release(&program);
    unmake(&m);
}

static void a_library_stays_open(void **state)
{
    (void)state;
    struct made m;
    struct program program;
    struct error err = {0};
    MAKE(&m, "typedef int (*fn)(int); int twice(fn f, int x) { return f(f(x)); }\n",
         "typedef int (*fn)(int); int twice(fn f, int x); static int inc(int x) { return x + 1; }\n"
         "int two(int x) { return twice(inc, x); }\n");
    program_init(&program);
    struct frontend_request request = {.source = m.files[0].path, .clang = m.clang};
    assert_true(frontend_parse(&request, &program, &err));
    facts_add_candidates(m.facts, &program);
    assert_int_equal(pointer_named(&program, "f")->function_count, 1);
    assert_true(pointer_named(&program, "f")->open);
    program_release(&program);
    unmake(&m);
}

static void the_dump_is_the_same_with_any_number_of_jobs(void **state)
{
    (void)state;
    struct made m;
    MAKE(&m, "int a; void f(void) { a = 1; }\n",
         "void f(void); int b; void g(void) { f(); b = 2; }\n",
         "void g(void); void h(void) { g(); }\n");
    for (unsigned jobs = 1; jobs < 5; jobs++) {
        struct facts_request request = {.files = m.files,
                                        .file_count = 3,
                                        .clang = m.clang,
                                        .directory = arena_printf(&m.arena, "%s/bc", m.directory),
                                        .jobs = jobs};
        struct facts *again;
        struct buf text = BUF_INIT;
        assert_true(facts_build(&request, &again, NULL));
        facts_dump(again, &text);
        assert_string_equal(buf_text(&text), buf_text(&m.text));
        buf_release(&text);
        facts_free(again);
    }
    unmake(&m);
}

int test_facts(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globals_and_their_parts),
        cmocka_unit_test(memory_behind_parameters),
        cmocka_unit_test(calls_across_three_files),
        cmocka_unit_test(recursion_ends),
        cmocka_unit_test(the_c_library),
        cmocka_unit_test(what_is_not_known_is_said),
        cmocka_unit_test(pointers_kept_in_objects),
        cmocka_unit_test(functions_that_do_not_return),
        cmocka_unit_test(called_through_pointers),
        cmocka_unit_test(other_files_candidates_enter_the_program),
        cmocka_unit_test(a_library_stays_open),
        cmocka_unit_test(the_dump_is_the_same_with_any_number_of_jobs),
    };
    return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
