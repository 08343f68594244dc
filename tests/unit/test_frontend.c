// SPDX-License-Identifier: Apache-2.0
// The front end against clang itself: branch points must lie exactly where clang's
// coverage mapping puts its regions, and wrapped text must behave like the
// original. tests/golden/conditions/ holds programs made for both checks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/proc.h"
#include "base/vec.h"
#include "frontend/frontend.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bench { // one scratch directory and what was parsed in it
    char directory[256];
    char *clang;
    struct arena arena;
    struct program program;
    struct error err;
};

static void bench_init(struct bench *b)
{
    const char *tmp = getenv("TMPDIR");
    memset(b, 0, sizeof *b);
    snprintf(b->directory, sizeof b->directory, "%s/cz-frontend-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(b->directory));
    b->clang = proc_find_tool("clang", &b->err);
    assert_non_null(b->clang);
    arena_init(&b->arena);
    program_init(&b->program);
}

static void bench_release(struct bench *b)
{
    struct error err;
    program_release(&b->program);
    arena_release(&b->arena);
    free(b->clang);
    assert_true(fs_remove_tree(b->directory, &err));
}

static const char *bench_path(struct bench *b, const char *name)
{
    return arena_printf(&b->arena, "%s/%s", b->directory, name);
}

static const char *bench_write(struct bench *b, const char *name, const char *text)
{
    const char *path = bench_path(b, name);
    assert_true(fs_write(path, text, strlen(text), &b->err));
    return path;
}

static bool bench_parse(struct bench *b, struct frontend_request request)
{
    request.clang = b->clang;
    return frontend_parse(&request, &b->program, &b->err);
}

static void parse_text(struct bench *b, const char *text)
{
    const char *path = bench_write(b, "input.c", text);
    if (!bench_parse(b, (struct frontend_request){.source = path}))
        fail_msg("%s", b->err.text);
}

// clang with the program's flags and `rest`; its output in *out. Fails on errors.
static void bench_clang(struct bench *b, const char *const *rest, struct buf *out)
{
    VEC(const char *) argv = {0};
    *VEC_PUSH(&argv) = b->clang;
    for (size_t i = 0; i < b->program.compile_flag_count; i++)
        *VEC_PUSH(&argv) = b->program.compile_flags[i];
    for (; *rest; rest++)
        *VEC_PUSH(&argv) = *rest;
    *VEC_PUSH(&argv) = NULL;
    struct buf errors = BUF_INIT;
    struct proc_options options = {.out = out, .errors = &errors};
    struct proc_result result;
    assert_true(proc_run(argv.items, &options, &result, &b->err));
    if (!result.exited || result.exit_code != 0)
        fail_msg("clang: %s", buf_text(&errors));
    buf_release(&errors);
    VEC_RELEASE(&argv);
}

static const char hooks[] =
    "_Bool __cz_cond(unsigned i, _Bool v) { (void)i; return v; }\n"
    "int __cz_switch_i(unsigned i, int v) { (void)i; return v; }\n"
    "unsigned __cz_switch_u(unsigned i, unsigned v) { (void)i; return v; }\n"
    "long __cz_switch_l(unsigned i, long v) { (void)i; return v; }\n"
    "unsigned long __cz_switch_ul(unsigned i, unsigned long v) { (void)i; return v; }\n"
    "long long __cz_switch_ll(unsigned i, long long v) { (void)i; return v; }\n"
    "unsigned long long __cz_switch_ull(unsigned i, unsigned long long v) { (void)i; return v; }\n"
    "int cz_user_main(int, char **);\n"
    "int main(int c, char **v) { return cz_user_main(c, v); }\n";

// What the program prints, and its exit code, when compiled from the given files.
static void run_text(struct bench *b, const char *const *files, struct buf *out)
{
    const char *executable = bench_path(b, "program");
    const char *arguments[8] = {"-o", executable, "-x", "c"};
    size_t count = 4;
    for (; *files; files++)
        arguments[count++] = *files;
    bench_clang(b, arguments, NULL);
    const char *argv[] = {executable, NULL};
    struct proc_options options = {.out = out};
    struct proc_result result;
    assert_true(proc_run(argv, &options, &result, &b->err));
    assert_true(result.exited);
    buf_printf(out, "exit %d\n", result.exit_code);
}

static void check_same_behaviour(struct bench *b, const char *source)
{
    const char *unit = bench_write(b, "unit.i", b->program.unit_text);
    const char *wrapped = bench_write(b, "wrapped.i", b->program.wrapped_text);
    const char *support = bench_write(b, "hooks.c", hooks);
    struct buf original = BUF_INIT, plain = BUF_INIT, hooked = BUF_INIT;
    run_text(b, (const char *const[]){source, NULL}, &original);
    run_text(b, (const char *const[]){unit, support, NULL}, &plain);
    run_text(b, (const char *const[]){wrapped, support, NULL}, &hooked);
    assert_true(original.length > 20);
    assert_string_equal(buf_text(&plain), buf_text(&original));
    assert_string_equal(buf_text(&hooked), buf_text(&original));
    buf_release(&original);
    buf_release(&plain);
    buf_release(&hooked);
}

static void put_place(struct map *places, const struct location *at)
{
    char key[64];
    snprintf(key, sizeof key, "%u:%u -> %u:%u", at->line, at->column, at->end_line, at->end_column);
    map_put_text(places, key, 1);
}

// Is it in an operand that the front end takes for unevaluated?
static bool is_unevaluated(const struct program *program, const char *place)
{
    unsigned line, column, end_line, end_column;
    assert_int_equal(sscanf(place, "%u:%u -> %u:%u", &line, &column, &end_line, &end_column), 4);
    for (size_t i = 0; i < program->unevaluated_count; i++) {
        const struct text_range *at = &program->unevaluated[i];
        bool starts = line > at->line || (line == at->line && column >= at->column);
        bool ends =
            end_line < at->end_line || (end_line == at->end_line && end_column <= at->end_column);
        if (starts && ends)
            return true;
    }
    return false;
}

// Every region of clang's must be in *ours; returns how many there were (as a set).
static size_t check_regions(const char *dump, const struct program *program, const struct map *ours)
{
    struct map theirs;
    map_init(&theirs);
    const char *marker = "Branch,File 0, ";
    for (const char *at = strstr(dump, marker); at; at = strstr(at, marker)) {
        at += strlen(marker);
        char place[64];
        const char *counters = strstr(at, " = ");
        assert_non_null(counters);
        snprintf(place, sizeof place, "%.*s", (int)(counters - at), at);
        if (strncmp(counters, " = 0, 0\n", 8) == 0 || strncmp(counters, " = 0, 0 ", 8) == 0)
            continue; // folded
        uint64_t found;
        bool is_ours = map_get_text(ours, place, &found);
        if (is_unevaluated(program, place)) {
            assert_false(is_ours);
            continue;
        }
        if (!is_ours)
            fail_msg("llvm-cov counts a branch at %s, the front end does not", place);
        map_put_text(&theirs, place, 1);
    }
    size_t count = theirs.count;
    map_release(&theirs);
    return count;
}

static void check_same_branches(struct bench *b)
{
    const char *unit = bench_write(b, "unit.i", b->program.unit_text);
    const char *object = bench_path(b, "unit.o");
    const char *const arguments[] = {"-fprofile-instr-generate",
                                     "-fcoverage-mapping",
                                     "-fcoverage-mcdc",
                                     "-Wno-everything",
                                     "-Xclang",
                                     "-dump-coverage-mapping",
                                     "-x",
                                     "c",
                                     "-c",
                                     unit,
                                     "-o",
                                     object,
                                     NULL};
    struct buf dump = BUF_INIT;
    struct map ours;
    bench_clang(b, arguments, &dump);
    map_init(&ours);
    for (size_t i = 0; i < b->program.branch_count; i++) {
        const struct branch *branch = &b->program.branches[i];
        if (!branch->folded && b->program.functions[branch->function].emitted)
            put_place(&ours, &branch->at);
    }
    assert_int_equal(check_regions(buf_text(&dump), &b->program, &ours), ours.count);
    map_release(&ours);
    buf_release(&dump);
}

static void check_golden(const char *path)
{
    struct bench b;
    bench_init(&b);
    if (!bench_parse(&b, (struct frontend_request){.source = path}))
        fail_msg("%s", b.err.text);
    check_same_branches(&b);
    check_same_behaviour(&b, path);
    bench_release(&b);
}

static void golden_conditions_agree_with_clang(void **state)
{
    (void)state;
    char directory[512];
    const char *here = __FILE__;
    snprintf(directory, sizeof directory, "%.*s../golden/conditions",
             (int)(fs_basename(here) - here), here);
    DIR *files = opendir(directory);
    assert_non_null(files);
    int checked = 0;
    for (struct dirent *entry; (entry = readdir(files));) {
        size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".c") != 0)
            continue;
        char path[800];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        check_golden(path);
        checked++;
    }
    closedir(files);
    assert_true(checked >= 4);
}

static const struct function *find_function(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (strcmp(program->functions[i].source_name, name) == 0)
            return &program->functions[i];
    fail_msg("no function %s", name);
    return NULL;
}

static const struct task *find_task(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->task_count; i++)
        if (strcmp(program->tasks[i].name, name) == 0)
            return &program->tasks[i];
    return NULL;
}

static const struct variable *find_variable(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->variable_count; i++)
        if (strcmp(program->variables[i].name, name) == 0)
            return &program->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

// "a b c" in the given order.
static void check_names(const struct program *program, const size_t *items, size_t count,
                        bool variables, const char *expected)
{
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i ? " " : "",
                   variables ? program->variables[items[i]].name
                             : program->functions[items[i]].name);
    assert_string_equal(buf_text(&names), expected);
    buf_release(&names);
}

static const struct pointer_candidates *find_pointer(const struct program *p, struct slot slot)
{
    for (size_t i = 0; i < p->pointer_count; i++)
        if (program_slot_key(&p->pointers[i].slot) == program_slot_key(&slot))
            return &p->pointers[i];
    fail_msg("nothing is known of this slot");
    return NULL;
}

static struct slot slot_of_variable(const struct program *p, const char *name)
{
    return (struct slot){.kind = SLOT_VARIABLE,
                         .owner = (size_t)(find_variable(p, name) - p->variables)};
}

static struct slot slot_of_parameter(const struct program *p, const char *function, size_t index)
{
    return (struct slot){.kind = SLOT_PARAMETER,
                         .owner = (size_t)(find_function(p, function) - p->functions),
                         .index = index};
}

static void pointers_know_what_the_file_puts_there(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(
        &b,
        "typedef int (*op)(int);\n"
        "static int a(int x) { return x; } static int b(int x) { return -x; }\n"
        "static int c(int x) { return 0; } static int lonely(int x) { return 1; }\n"
        "struct s { int id; op run; struct { op deep[2]; } in; void *data; };\n"
        "static struct s table[] = {{1, a, {{b, c}}}, 2, b, c, a, 0, {.in.deep[1] = b}};\n"
        "static op current; op outside; static op *alias = &current; static long (*odd)(long);\n"
        "int call(op f) { op g = f; return g ? g(1) : 0; }\n"
        "int pass(int x) { *alias = c; return call(x ? a : &b) + call(current); }\n"
        "int use(struct s *s) { int *p = s->data; return s->run(*p) + s->in.deep[0](1); }\n"
        "int three(void) { return current(1) + outside(2) + (int)odd(3); }\n");
    const struct program *p = &b.program;
    const struct pointer_candidates *f = find_pointer(p, slot_of_parameter(p, "call", 0));
    check_names(p, f->functions, f->function_count, false, "a b c");
    assert_true(f->open && f->tested && f->called);
    f = find_pointer(p, slot_of_variable(p, "current"));
    check_names(p, f->functions, f->function_count, false, "c");
    assert_true(f->called && f->tested && !f->open && !f->by_signature);
    f = find_pointer(p, slot_of_variable(p, "outside"));
    assert_true(f->open && f->by_signature && !f->tested);
    check_names(p, f->functions, f->function_count, false, "a b c");
    assert_int_equal(find_pointer(p, slot_of_variable(p, "odd"))->function_count, 0);
    const struct type *s = find_variable(p, "table")->type->target->canonical;
    f = find_pointer(p, (struct slot){.kind = SLOT_FIELD, .record = s, .index = 1});
    check_names(p, f->functions, f->function_count, false, "a b");
    assert_true(!f->open && !f->tested);
    f = find_pointer(p, (struct slot){.kind = SLOT_FIELD, .record = s, .index = 3});
    assert_int_equal(f->cast_count, 1);
    assert_string_equal(f->casts[0]->spelling, "int *");
    f = find_pointer(
        p, (struct slot){.kind = SLOT_FIELD, .record = s->fields[2].type->canonical, .index = 0});
    check_names(p, f->functions, f->function_count, false, "b c a");
    check_names(p, find_task(p, "use")->functions, find_task(p, "use")->function_count, false,
                "use a b c");
    bench_release(&b);
}

static void check_pair(const struct program *p, const char *name, enum pair_kind kind,
                       size_t pointer, size_t other)
{
    const struct function *f = find_function(p, name);
    assert_true(f->pair_count > 0);
    assert_int_equal(f->pairs[0].kind, kind);
    assert_int_equal(f->pairs[0].pointer, pointer);
    assert_int_equal(f->pairs[0].other, other);
}

static void parameters_that_belong_together(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(
        &b,
        "void *memcpy(void *, const void *, unsigned long);\n"
        "static int state, other; char text[8];\n"
        "int loop(int x, int m, const short *v) { int s = 0; for (int i = 0; i < m; i++) s += "
        "v[i]; return s; }\n"
        "int sum(const short *v, int m) { return m > 3 ? *(v + m - 1) : *(v + m); }\n"
        "int named(const char *p, unsigned len) { return *p; }\n"
        "void copy(char *to, const char *from, unsigned long k) { memcpy(to, from, k); state = 1; "
        "other++; memcpy(text, to, k); }\n"
        "int walk(const char *p, const char *e) { int n = 0; while (p < e) n += *p++; return n; }\n"
        "int index(const int *p, int i) { return p[i] + state; }\n");
    const struct program *p = &b.program;
    check_pair(p, "loop", PAIR_LENGTH, 2, 1);
    check_pair(p, "sum", PAIR_LENGTH, 0, 1);
    assert_int_equal(find_function(p, "sum")->pairs[0].high, 3);
    check_pair(p, "named", PAIR_LENGTH, 0, 1);
    check_pair(p, "copy", PAIR_BYTES, 0, 2);
    assert_int_equal(find_function(p, "copy")->pair_count, 2);
    check_pair(p, "walk", PAIR_END, 0, 1);
    assert_int_equal(find_function(p, "index")->pair_count, 0);
    const struct function *copy = find_function(p, "copy");
    check_names(p, copy->writes, copy->write_count, true, "state other text");
    assert_int_equal(find_function(p, "index")->write_count, 0);
    bench_release(&b);
}

static void tasks_reach_calls_pointers_and_tables(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b, "#include <stdio.h>\n#include <errno.h>\n"
                   "int counter; static int hidden = 3; const int fixed = 4; extern int outside;\n"
                   "int sensor(int);\n"
                   "static int on_a(void) { return counter; }\n"
                   "static int on_b(void) { return hidden++; }\n"
                   "static int never(void) { return outside; }\n"
                   "static int (*const table[])(void) = {on_a, on_b};\n"
                   "int dispatch(int i) { static int calls; calls++; return table[i & 1](); }\n"
                   "int take(void) { int (*f)(void) = on_b; return f() + fixed; }\n"
                   "int talk(void) { fprintf(stderr, \"%d\", errno); return sensor(outside); }\n"
                   "int quiet(void) { return sizeof(never()); }\n");
    const struct program *p = &b.program;
    assert_int_equal(p->task_count, 4);
    const struct task *t = find_task(p, "dispatch");
    assert_non_null(t);
    check_names(p, t->functions, t->function_count, false, "dispatch on_a on_b");
    check_names(p, t->globals, t->global_count, true, "counter hidden");
    t = find_task(p, "take");
    check_names(p, t->functions, t->function_count, false, "take on_b");
    check_names(p, t->globals, t->global_count, true, "hidden");
    t = find_task(p, "talk");
    check_names(p, t->globals, t->global_count, true, "outside stderr");
    check_names(p, t->externals, t->external_count, false, "sensor fprintf __errno_location");
    assert_true(find_function(p, "dispatch")->has_static_locals);
    assert_true(find_function(p, "dispatch")->calls_pointer);
    assert_false(find_function(p, "take")->has_static_locals);
    assert_true(find_variable(p, "outside")->is_extern_only);
    assert_false(find_variable(p, "counter")->is_extern_only);
    assert_string_equal(find_variable(p, "calls")->function, "dispatch");
    assert_false(find_function(p, "never")->emitted);
    assert_true(find_function(p, "on_a")->emitted);
    bench_release(&b);
}

static void tasks_can_be_named(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    const char *path = bench_write(&b, "input.c",
                                   "static int one(int a) { return a; }\n"
                                   "int two(int a) { return one(a); }\n"
                                   "int main(void) { return two(1); }\n");
    const char *const names[] = {"main", "one", NULL};
    assert_true(bench_parse(&b, (struct frontend_request){.source = path, .task_names = names}));
    assert_int_equal(b.program.task_count, 2);
    assert_non_null(find_task(&b.program, "main"));
    assert_non_null(find_task(&b.program, "one"));
    const char *const wrong[] = {"three", NULL};
    program_release(&b.program);
    program_init(&b.program);
    assert_false(bench_parse(&b, (struct frontend_request){.source = path, .task_names = wrong}));
    assert_int_equal(b.err.kind, ERROR_USAGE);
    assert_non_null(strstr(b.err.text, "'three'"));
    assert_non_null(strstr(b.err.text, "one, two, main"));
    bench_release(&b);
}

static void broken_sources_get_clangs_words(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    const char *path = bench_write(&b, "broken.c", "int f(int a)\n{\n    return a +;\n}\n");
    assert_false(bench_parse(&b, (struct frontend_request){.source = path}));
    assert_int_equal(b.err.kind, ERROR_SOURCE);
    assert_non_null(strstr(b.err.text, "broken.c:3:15: error: expected expression"));
    assert_non_null(strstr(b.err.text, "^"));
    path = bench_write(&b, "lost.c", "#include \"no_such_header.h\"\n");
    assert_false(bench_parse(&b, (struct frontend_request){.source = path}));
    assert_int_equal(b.err.kind, ERROR_SOURCE);
    assert_non_null(strstr(b.err.text, "lost.c:1:10: fatal error: 'no_such_header.h'"));
    assert_false(bench_parse(&b, (struct frontend_request){.source = "/nonexistent/file.c"}));
    assert_int_equal(b.err.kind, ERROR_IO);
    bench_release(&b);
}

static void main_is_renamed_by_reference_only(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b,
               "struct s { int main; };\n"
               "int main(int, char **);\n"
               "static int again(struct s *p) { int main = p->main; return main; }\n"
               "int main(int c, char **v) { if (c > 1) return main(c - 1, v); struct s s = {c};\n"
               "again(&s); }\n"
               "int (*start)(int, char **) = &main; const char *name = \"main\";\n");
    const char *text = b.program.unit_text;
    assert_non_null(strstr(text, "struct s { int main; };"));
    assert_non_null(strstr(text, "int main = p->main; return main;"));
    assert_non_null(strstr(text, "return cz_user_main(c - 1, v)"));
    assert_non_null(strstr(text, "= &cz_user_main;"));
    assert_non_null(strstr(text, "\"main\""));
    assert_non_null(strstr(text, " return 0; }"));
    assert_true(find_function(&b.program, "main")->is_main);
    assert_string_equal(find_function(&b.program, "main")->name, "cz_user_main");
    check_same_branches(&b);
    bench_release(&b);
}

static void places_lead_back_to_the_source(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    const char *header =
        bench_write(&b, "part.h", "static inline int part(int x)\n{\n    return x ? 1 : 2;\n}\n");
    parse_text(&b,
               "#include <stdio.h>\n#include \"part.h\"\n#define BOTH(a, b) ((a) && \\\n (b))\n"
               "int f(int a)\n{\n    if (BOTH(a, part(a)))\n        return 1;\n    return 0;\n}\n");
    const struct program *p = &b.program;
    assert_int_equal(p->branch_count, 3);
    assert_string_equal(p->branches[0].at.file, header);
    assert_int_equal(p->branches[0].at.source_line, 3);
    assert_ptr_equal(p->branches[1].at.file, p->source);
    assert_int_equal(p->branches[1].at.source_line, 7);
    assert_int_equal(p->branches[2].at.source_line, 7);
    assert_string_equal(p->branches[2].text, "(part(a))");
    assert_true(find_function(p, "part")->in_header);
    assert_null(strstr(p->unit_text, "\n# "));
    size_t lines = 0, wrapped_lines = 0;
    for (const char *c = p->unit_text; *c; c++)
        lines += *c == '\n';
    for (const char *c = p->wrapped_text; *c; c++)
        wrapped_lines += *c == '\n';
    assert_int_equal(lines, p->line_count);
    assert_int_equal(wrapped_lines, lines);
    bench_release(&b);
}

static void line_directives_do_not_make_a_header(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b,
               "#include <stddef.h>\n#line 40 \"grammar.y\"\nint f(int a) { return a ? 1 : 2; }\n");
    assert_int_equal(b.program.task_count, 1);
    assert_string_equal(b.program.branches[0].at.file, "grammar.y");
    assert_int_equal(b.program.branches[0].at.source_line, 40);
    bench_release(&b);
}

// Walk a decision with the given condition values; -1 or -2.
static int outcome(const struct decision *d, unsigned values)
{
    int at = 0;
    while (at >= 0)
        at = d->next[at][values >> at & 1];
    return at;
}

static void decisions_follow_short_circuit_order(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b, "int f(int a, int b, int c, int d)\n"
                   "{ return (a && !(b || c)) || !(c && (d || !a)); }\n");
    assert_int_equal(b.program.decision_count, 1);
    const struct decision *d = &b.program.decisions[0];
    assert_int_equal(d->condition_count, 6);
    for (unsigned v = 0; v < 64; v++) {
        unsigned a = v & 1, b1 = v >> 1 & 1, c = v >> 2 & 1, c2 = v >> 3 & 1, e = v >> 4 & 1,
                 na = v >> 5 & 1; // the last leaf is `!a` itself
        bool expected = (a && !(b1 || c)) || !(c2 && (e || na));
        assert_int_equal(outcome(d, v), expected ? DECISION_TRUE : DECISION_FALSE);
    }
    bench_release(&b);
}

static const struct field *find_field(const struct type *type, const char *name)
{
    for (size_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return &type->fields[i];
    fail_msg("no field %s", name);
    return NULL;
}

static void types_are_complete_and_end(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b,
               "typedef unsigned char U8; typedef struct { U8 x; } anon_t; struct opaque;\n"
               "enum mode { OFF = -1, ON = 4 };\n"
               "struct node { struct node *next; anon_t inner; const char *const name;\n"
               "  unsigned a : 3; int : 0; int b : 5; union { int i; float f; }; enum mode mode;\n"
               "  int (*callback)(struct node *, ...); U8 grid[2][3]; struct { int z; } part;\n"
               "  struct opaque *handle; volatile long double tail; int rest[]; };\n"
               "int f(struct node *list, U8 buffer[10], const anon_t *t, int g(int)) "
               "{ return list && buffer && t && g; }\n");
    const struct function *f = find_function(&b.program, "f");
    const struct type *list = f->params[0].type, *node = list->target;
    assert_int_equal(list->kind, TYPE_POINTER);
    assert_string_equal(node->spelling, "struct node");
    assert_int_equal(node->kind, TYPE_STRUCT);
    assert_true(node->complete && node->nameable);
    assert_ptr_equal(find_field(node, "next")->type->target->canonical, node->canonical);
    assert_string_equal(find_field(node, "inner")->type->spelling, "anon_t");
    assert_true(find_field(node, "inner")->type->nameable);
    assert_int_equal(find_field(node, "inner")->type->field_count, 1);
    assert_true(find_field(node, "name")->type->is_const);
    assert_true(find_field(node, "name")->type->target->is_char);
    assert_int_equal(find_field(node, "a")->bits, 3);
    assert_int_equal(find_field(node, "b")->bits, 5);
    assert_int_equal(find_field(node, "next")->bits, -1);
    const struct type *mode = find_field(node, "mode")->type;
    assert_int_equal(mode->enumerator_count, 2);
    assert_true(mode->is_signed);
    assert_int_equal(mode->enumerators[0].value, -1);
    const struct type *grid = find_field(node, "grid")->type;
    assert_int_equal(grid->count, 2);
    assert_int_equal(grid->target->count, 3);
    assert_string_equal(grid->target->target->spelling, "U8");
    assert_false(find_field(node, "part")->type->nameable);
    assert_false(find_field(node, "handle")->type->target->complete);
    assert_true(find_field(node, "tail")->type->is_volatile);
    assert_int_equal(find_field(node, "tail")->type->size, 16);
    assert_int_equal(find_field(node, "rest")->type->count, 0);
    const struct type *callback = find_field(node, "callback")->type->target;
    assert_int_equal(callback->kind, TYPE_FUNCTION);
    assert_true(callback->variadic);
    assert_int_equal(callback->param_count, 1);
    size_t anonymous = 0;
    for (size_t i = 0; i < node->field_count; i++)
        anonymous += node->fields[i].anonymous_record;
    assert_int_equal(anonymous, 1);
    assert_int_equal(f->params[1].type->kind, TYPE_POINTER);
    assert_int_equal(f->params[1].type->count, 10);
    assert_string_equal(f->params[1].type->target->spelling, "U8");
    assert_true(f->params[2].type->target->is_const);
    assert_string_equal(f->params[2].type->target->spelling, "anon_t");
    assert_int_equal(f->params[3].type->target->kind, TYPE_FUNCTION);
    bench_release(&b);
}

static void typedefs_of_pointers_name_what_they_point_to(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(
        &b,
        "typedef struct { int a; } *list; typedef const union { int u; } grid[2][3];\n"
        "typedef enum { RED } **colours; typedef int (*use)(list, const list *);\n"
        "struct outer { struct { int z; } part; };\n"
        "int f(list l, colours c, use u, grid *g, struct outer *o)\n"
        "{ typedef struct { int b; } *local; local x = 0; return l && c && u && g && o && x; }\n");
    const struct function *f = find_function(&b.program, "f");
    assert_string_equal(f->params[0].type->target->spelling, "__typeof__(*(list)0)");
    assert_true(f->params[0].type->target->nameable);
    assert_string_equal(f->params[0].type->canonical->spelling, "__typeof__(*(list)0) *");
    assert_string_equal(f->params[1].type->target->target->spelling, "__typeof__(**(colours)0)");
    assert_string_equal(f->params[2].type->canonical->spelling,
                        "int (*)(__typeof__(*(list)0) *, __typeof__(*(list)0) *const *)");
    assert_string_equal(f->params[3].type->target->target->target->spelling,
                        "__typeof_unqual__(***(grid *)0)");
    assert_false(find_field(f->params[4].type->target, "part")->type->nameable);
    for (size_t i = 0; i < b.program.type_count; i++) // those of a function are not in reach
        assert_null(strstr(b.program.types[i]->spelling, "(local)"));
    bench_release(&b);
}

static void flags_are_kept_for_the_text(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    const char *path = bench_write(&b, "input.c",
                                   "#ifndef LEVEL\n#error no level\n#endif\n"
                                   "#undef linux\n"
                                   "int f(char c) { int linux = LEVEL; "
                                   "return c < 0 ? linux : 0; }\n");
    const char *const flags[] = {"-DLEVEL=3", "-D",      "OTHER=1", "-std=gnu11", "-funsigned-char",
                                 "-O2",       "-g",      "-c",      "-o",         "out.o",
                                 "-Wall",     "-Werror", NULL};
    if (!bench_parse(&b, (struct frontend_request){.source = path, .flags = flags}))
        fail_msg("%s", b.err.text);
    struct buf kept = BUF_INIT;
    for (size_t i = 0; i < b.program.compile_flag_count; i++)
        buf_printf(&kept, "%s ", b.program.compile_flags[i]);
    assert_null(b.program.compile_flags[b.program.compile_flag_count]);
    assert_non_null(strstr(buf_text(&kept), "-std=gnu11 -funsigned-char "));
    assert_null(strstr(buf_text(&kept), "LEVEL"));
    assert_null(strstr(buf_text(&kept), "-O2"));
    assert_null(strstr(buf_text(&kept), "out.o"));
    buf_release(&kept);
    check_same_branches(&b);
    bench_release(&b);
}

static bool is_strlen_or_defined(const void *context, const char *name, bool defined)
{
    assert_string_equal(context, "of the test");
    assert_string_not_equal(name, "strtol");           // only <stdlib.h> declares it
    assert_true(defined || strcmp(name, "labs") != 0); // <stdlib.h> declares it, too
    return defined ? strcmp(name, "abs") == 0 : strcmp(name, "strlen") == 0;
}

// clang folds strlen("ab") and abs(-3) by what it knows of the C library's.
static void own_functions_are_not_folded(void **state)
{
    (void)state;
    static const char text[] =
        "#include <stdlib.h>\n"
        "unsigned long strlen(const char *); long labs(long);\n"
        "int abs(int x) { return x; }\n"
        "int f(void) { return (strlen(\"ab\") == 2) + (abs(-3) == 3) + (labs(-3) == 3)"
        " + (strtol(\"3\", 0, 0) == 3); }\n"
        "int g(void) { if (strlen(\"ab\") == 2) return 1; if (labs(-3) == 3) return 2; return 0; "
        "}\n";
    struct bench b;
    bench_init(&b);
    parse_text(&b, text);
    assert_null(b.program.own_flags);
    assert_true(b.program.branches[0].folded);
    bench_release(&b);
    bench_init(&b);
    const char *path = bench_write(&b, "input.c", text);
    if (!bench_parse(&b, (struct frontend_request){.source = path,
                                                   .is_own = is_strlen_or_defined,
                                                   .own_context = "of the test"}))
        fail_msg("%s", b.err.text);
    assert_string_equal(b.program.own_flags[0], "-fno-builtin-strlen");
    assert_string_equal(b.program.own_flags[1], "-fno-builtin-abs");
    assert_null(b.program.own_flags[2]);
    assert_false(b.program.branches[0].folded);
    assert_false(find_function(&b.program, "strlen")->in_library);
    assert_true(find_function(&b.program, "labs")->in_library); // whoever declares it again
    assert_true(find_function(&b.program, "strtol")->in_library);
    check_same_branches(&b);
    bench_release(&b);
}

// Chains that would make a quadratic or a deeply recursive front end suffer.
static void long_chains_stay_cheap(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    struct buf text = BUF_INIT;
    buf_puts(&text, "int f(int a) {\n int r = 0");
    for (int i = 0; i < 600; i++)
        buf_printf(&text, " + (a == %d)", i);
    buf_puts(&text, ";\n");
    for (int i = 0; i < 600; i++)
        buf_printf(&text, "if (a > %d && r) r++; else ", i);
    buf_puts(&text, ";\n return 0");
    for (int i = 0; i < 600; i++)
        buf_printf(&text, " || a == %d", i);
    buf_puts(&text, ";\n}\n");
    parse_text(&b, buf_text(&text));
    buf_release(&text);
    assert_int_equal(b.program.branch_count, 600 * 2 + 601);
    check_same_branches(&b);
    bench_release(&b);
}

// libclang lists the condition of a ?: b three times; clang's own coverage mapping
// of this text is exponential, so there is nothing to compare with.
static void nested_elvis_does_not_multiply(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    struct buf text = BUF_INIT;
    buf_puts(&text, "int f(int a) { return ");
    for (int i = 0; i < 40; i++)
        buf_putc(&text, '(');
    buf_putc(&text, 'a');
    for (int i = 0; i < 40; i++)
        buf_printf(&text, " ?: %d)", i);
    buf_puts(&text, "; }\n");
    parse_text(&b, buf_text(&text));
    buf_release(&text);
    assert_int_equal(b.program.branch_count, 40);
    bench_release(&b);
}

static void dump_names_everything(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b);
    parse_text(&b, "int limit; int f(int a) { switch (a) { case 2 ... 4: return 1; } "
                   "return a > limit; }\n");
    struct buf out = BUF_INIT;
    frontend_dump(&b.program, &out);
    assert_non_null(strstr(buf_text(&out), "task f\n    functions: f\n    globals: limit\n"));
    assert_non_null(strstr(buf_text(&out), "switch 0.0 2..4 `case 2 ... 4`"));
    assert_non_null(strstr(buf_text(&out), "branch 1 implicit-default"));
    buf_release(&out);
    bench_release(&b);
}

int test_frontend(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_conditions_agree_with_clang),
        cmocka_unit_test(tasks_reach_calls_pointers_and_tables),
        cmocka_unit_test(pointers_know_what_the_file_puts_there),
        cmocka_unit_test(parameters_that_belong_together),
        cmocka_unit_test(tasks_can_be_named),
        cmocka_unit_test(broken_sources_get_clangs_words),
        cmocka_unit_test(main_is_renamed_by_reference_only),
        cmocka_unit_test(places_lead_back_to_the_source),
        cmocka_unit_test(line_directives_do_not_make_a_header),
        cmocka_unit_test(decisions_follow_short_circuit_order),
        cmocka_unit_test(types_are_complete_and_end),
        cmocka_unit_test(typedefs_of_pointers_name_what_they_point_to),
        cmocka_unit_test(flags_are_kept_for_the_text),
        cmocka_unit_test(own_functions_are_not_folded),
        cmocka_unit_test(long_chains_stay_cheap),
        cmocka_unit_test(nested_elvis_does_not_multiply),
        cmocka_unit_test(dump_names_everything),
    };
    return cmocka_run_group_tests_name("frontend", tests, NULL, NULL);
}
