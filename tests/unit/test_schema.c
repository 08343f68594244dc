// SPDX-License-Identifier: Apache-2.0
// The input schema of a task: its roots, what is at a path, in words, and as a tree. That drivers
// ask for nothing else is a test of the harness (test_harness.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/proc.h"
#include "frontend/frontend.h"
#include "harness/harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "enum mode { OFF, ON };\n"
    "struct box { int tag; char text[8]; };\n"
    "struct node { struct node *next; unsigned flag : 3; enum mode mode; double real;\n"
    "              struct { short low, high; }; struct box boxes[2]; int (*run)(char, long); };\n"
    "extern int get(struct node *out);\n"
    "extern struct node *find(void);\n"
    "static struct node *head;\n"
    "volatile unsigned status;\n"
    "struct uart { unsigned data, control; };\n"
    "int sum(const unsigned char *bytes, unsigned long count, void *any, struct node *list)\n"
    "{\n"
    "    int total = head ? head->mode : 0;\n"
    "    for (unsigned long i = 0; i < count; i++)\n"
    "        total += bytes[i];\n"
    "    if (any && ((struct box *)any)->tag > 3)\n"
    "        total += get(list);\n"
    "    if (list && list->next)\n"
    "        total += list->next->flag + (find() != 0) + (int)status;\n"
    "    return total;\n"
    "}\n"
    "int drain(struct uart *port) { return port->control > 3; }\n"
    "int twice(int x) { static int state; state += x; return state > 9; }\n";

struct bench {
    struct program program;
    struct arena arena;
    struct harness harness;
    const struct schema *sum, *twice;
};

static int make(void **state)
{
    static struct bench b;
    struct error err = {0};
    char directory[] = "/tmp/cz_schema_XXXXXX";
    b = (struct bench){0};
    arena_init(&b.arena);
    program_init(&b.program);
    assert_non_null(mkdtemp(directory));
    const char *file = arena_printf(&b.arena, "%s/unit.c", directory);
    assert_true(fs_write(file, source, strlen(source), &err));
    char *clang = proc_find_tool("clang", &err);
    struct frontend_request request = {.source = file, .clang = clang};
    if (!frontend_parse(&request, &b.program, &err))
        fail_msg("%s", err.text);
    const struct harness_options options = {.elements = 10, .depth = 4, .most_calls = 5};
    harness_write(&b.program, &options, &b.arena, &b.harness);
    assert_int_equal(b.harness.schema_count, b.program.task_count);
    for (size_t t = 0; t < b.program.task_count; t++) {
        if (strcmp(b.program.tasks[t].name, "sum") == 0)
            b.sum = &b.harness.schemas[t];
        else if (strcmp(b.program.tasks[t].name, "twice") == 0)
            b.twice = &b.harness.schemas[t];
    }
    assert_true(fs_remove_tree(directory, &err));
    free(clang);
    *state = &b;
    return 0;
}

static int unmake(void **state)
{
    struct bench *b = *state;
    buf_release(&b->harness.text);
    program_release(&b->program);
    arena_release(&b->arena);
    return 0;
}

static struct input_path path_of(struct bench *b, const char *text)
{
    struct input_path path;
    if (!input_path_parse(text, &b->arena, &path))
        fail_msg("no path: %s", text);
    return path;
}

static const struct schema_root *root_of(struct bench *b, const struct schema *schema,
                                         const char *text)
{
    struct input_path path = path_of(b, text);
    const struct schema_root *root = schema_find_root(schema, &path);
    if (!root)
        fail_msg("no root: %s", text);
    return root;
}

// ---- roots ----

static void roots_have_types_bounds_and_words(void **state)
{
    struct bench *b = *state;
    const struct schema_root *bytes = root_of(b, b->sum, "arg:bytes");
    assert_int_equal(bytes->type->kind, TYPE_POINTER);
    assert_string_equal(bytes->words, "parameter bytes of sum()");
    assert_true(bytes->length != SCHEMA_NO_ROOT);
    assert_string_equal(b->sum->roots[bytes->length].root.name, "count");
    assert_string_equal(root_of(b, b->sum, "head")->words, "global head");
    assert_int_equal(root_of(b, b->sum, "head")->depth, 5);
    assert_string_equal(root_of(b, b->sum, "stub:get#1:return")->words, "result of get()");
    assert_int_equal(root_of(b, b->sum, "stub:get#1:return")->type->kind, TYPE_INT);
    assert_int_equal(b->sum->calls, 1);
    assert_int_equal(b->sum->most_calls, 1);
    assert_int_equal(b->sum->elements, 10);
}

static void each_call_of_a_task_with_state_has_its_own(void **state)
{
    struct bench *b = *state;
    struct input_path third = path_of(b, "call3:arg:x"), second = path_of(b, "call2:head");
    assert_true(schema_find_root(b->twice, &third)->repeated);
    assert_int_equal(b->twice->calls, 2);
    assert_int_equal(b->twice->most_calls, 5);
    assert_non_null(root_of(b, b->twice, "more_calls"));
    assert_null(schema_find_root(b->sum, &second)); // it is called once
}

static void parts_of_a_driver_make_one_schema(void **state)
{
    struct bench *b = *state;
    const struct schema *parts[] = {b->twice, b->sum};
    struct schema joined;
    schema_join(parts, 2, &b->program, &b->arena, &joined);
    assert_int_equal(joined.root_count, b->twice->root_count + b->sum->root_count);
    const struct schema_root *bytes = root_of(b, &joined, "arg:bytes");
    assert_string_equal(joined.roots[bytes->length].root.name, "count");
}

// ---- what is at a path ----

static void paths_lead_to_types(void **state)
{
    struct bench *b = *state;
    static const struct {
        const char *path;
        enum schema_nature nature;
        const char *type;
    } cases[] = {
        {"shape:arg:list", SCHEMA_OBJECT, "struct node *"},
        {"arg:list->flag", SCHEMA_OBJECT, "unsigned int"},
        {"arg:list->next->mode", SCHEMA_OBJECT, "enum mode"},
        {"arg:list->next->next->real", SCHEMA_OBJECT, "double"},
        {"arg:list->high", SCHEMA_OBJECT, "short"}, // of an anonymous record
        {"arg:list->boxes[1].tag", SCHEMA_OBJECT, "int"},
        {"arg:list->boxes[1].text[0..7]", SCHEMA_OBJECT, "char"},
        {"head->next->boxes[0].text[0..7]", SCHEMA_OBJECT, "char"},
        {"arg:bytes[0..9]", SCHEMA_OBJECT, "unsigned char"},
        {"choice:arg:count", SCHEMA_OBJECT, "unsigned long"},
        {"arg:any->tag", SCHEMA_OBJECT, "int"}, // what it is converted to
        {"choice:arg:list->next", SCHEMA_OBJECT, "struct node *"},
        {"choice:arg:list:from_f", SCHEMA_DECISION, NULL},
        {"arg:list:padding[4][0..3]", SCHEMA_BYTES, "unsigned char"},
        {"stub:get#2:return", SCHEMA_OBJECT, "int"},
        {"shape:stub:find#1:return", SCHEMA_OBJECT, "struct node *"},
        {"stub:find#1:return->next->flag", SCHEMA_OBJECT, "unsigned int"},
        {"stub:get#1:fails", SCHEMA_DECISION, NULL},
        {"stub:malloc#1:fails", SCHEMA_DECISION, NULL},
        {"status#3", SCHEMA_OBJECT, "unsigned int"},
        {"uart->control#1", SCHEMA_OBJECT, "unsigned int"},
        {"reg_0x40021000#1", SCHEMA_BYTES, "unsigned char"},
        {"stdin[0..63]", SCHEMA_BYTES, "unsigned char"},
        {"file:a.txt:length", SCHEMA_DECISION, NULL},
        {"choice:interrupt#1", SCHEMA_DECISION, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct input_path path = path_of(b, cases[i].path);
        struct schema_thing thing;
        if (!schema_resolve(b->sum, &path, &thing))
            fail_msg("nothing is at %s", cases[i].path);
        if (thing.nature != cases[i].nature)
            fail_msg("%s is of nature %d", cases[i].path, (int)thing.nature);
        if (cases[i].type)
            assert_string_equal(thing.type->spelling, cases[i].type);
        else
            assert_null(thing.type);
        assert_int_equal(thing.elements, path.elements);
    }
}

static void bounds_are_those_of_the_place(void **state)
{
    struct bench *b = *state;
    struct schema_thing thing;
    struct input_path path = path_of(b, "shape:arg:list");
    assert_true(schema_resolve(b->sum, &path, &thing));
    assert_int_equal(thing.depth_left, 5);
    path = path_of(b, "shape:arg:list->next->next");
    assert_true(schema_resolve(b->sum, &path, &thing));
    assert_int_equal(thing.depth_left, 3);
    path = path_of(b, "shape:arg:bytes");
    assert_true(schema_resolve(b->sum, &path, &thing));
    assert_int_equal(thing.most_elements, 10);
    path = path_of(b, "arg:list->flag");
    assert_true(schema_resolve(b->sum, &path, &thing));
    assert_int_equal(thing.field->bits, 3);
    assert_int_equal(thing.most_elements, 0);
}

static void what_is_not_there_does_not_resolve(void **state)
{
    struct bench *b = *state;
    static const char *const paths[] = {
        "arg:lost",         "arg:list->lost",
        "arg:list.next",    "arg:count->x",
        "shape:arg:count",  "arg:#0",
        "call2:arg:list",   "before1:arg:x",
        "nobody",           "stub:nobody#1:return",
        "arg:list->flag.x", "head[3].lost",
        "weak:sum",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct input_path path = path_of(b, paths[i]);
        struct schema_thing thing;
        if (schema_resolve(b->sum, &path, &thing))
            fail_msg("%s resolves", paths[i]);
    }
}

static void inputs_are_told_in_words(void **state)
{
    struct bench *b = *state;
    static const struct {
        const char *path, *words;
    } cases[] = {
        {"arg:count", "parameter count of sum()"},
        {"arg:list->next->flag", "list->next->flag (parameter list of sum())"},
        {"shape:arg:list", "whether parameter list of sum() is NULL"},
        {"stub:get#2:return", "result of get(), call 2"},
        {"stub:find#1:return->flag", "(result of find())->flag, call 1"},
        {"arg:bytes[0..9]", "10 elements of parameter bytes of sum()"},
        {"head->mode", "head->mode (global head)"},
        {"stdin[0..63]", "64 elements of standard input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = BUF_INIT;
        struct input_path path = path_of(b, cases[i].path);
        schema_describe(b->sum, &path, &out);
        assert_string_equal(buf_text(&out), cases[i].words);
        buf_release(&out);
    }
    struct buf out = BUF_INIT;
    struct input_path path = path_of(b, "call2:arg:x");
    schema_describe(b->twice, &path, &out);
    assert_string_equal(buf_text(&out), "parameter x of twice(), in call 2");
    buf_release(&out);
}

// ---- the tree ----

static void inputs_make_a_tree(void **state)
{
    struct bench *b = *state;
    static const char *const texts[] = {
        "shape:arg:list",        "arg:list->flag", "shape:arg:list->next", "arg:list->next->mode",
        "choice:arg:list->next", "arg:count",      "stub:get#1:return",    "stub:get#2:return",
    };
    enum { COUNT = sizeof texts / sizeof *texts };
    struct input_path paths[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = path_of(b, texts[i]);
    struct schema_tree tree;
    schema_tree_build(b->sum, paths, COUNT, &b->arena, &tree);
    struct buf out = BUF_INIT;
    for (size_t n = SCHEMA_NO_NODE; (n = schema_tree_next(&tree, n)) != SCHEMA_NO_NODE;) {
        const struct schema_node *node = &tree.nodes[n];
        buf_printf(&out, "%*s%s%s%s\n", 2 * (int)node->level, "", node->label,
                   node->is_known && node->thing.type ? " " : "",
                   node->is_known && node->thing.type ? node->thing.type->spelling : "");
    }
    assert_string_equal(buf_text(&out), "arg:list struct node *\n"
                                        "  ->flag unsigned int\n"
                                        "  ->next struct node *\n"
                                        "    ->mode enum mode\n"
                                        "arg:count unsigned long\n"
                                        "stub:get#1\n"
                                        "  :return int\n"
                                        "stub:get#2\n"
                                        "  :return int\n");
    buf_release(&out);
    struct input_path next = path_of(b, "arg:list->next");
    size_t found = schema_tree_find(&tree, &next);
    assert_true(found != SCHEMA_NO_NODE);
    assert_int_equal(tree.nodes[found].inputs[INPUT_SHAPE], 2);
    assert_int_equal(tree.nodes[found].inputs[INPUT_CHOICE], 4);
    assert_true(tree.nodes[found].inputs[INPUT_VALUE] == SCHEMA_NO_NODE);
    next = path_of(b, "arg:list->next->next");
    assert_true(schema_tree_find(&tree, &next) == SCHEMA_NO_NODE);
    schema_tree_build(b->sum, paths, 0, &b->arena, &tree);
    assert_true(schema_tree_next(&tree, SCHEMA_NO_NODE) == SCHEMA_NO_NODE);
    assert_true(schema_tree_find(&tree, &next) == SCHEMA_NO_NODE);
}

int test_schema(void);
int test_schema(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_have_types_bounds_and_words),
        cmocka_unit_test(each_call_of_a_task_with_state_has_its_own),
        cmocka_unit_test(parts_of_a_driver_make_one_schema),
        cmocka_unit_test(paths_lead_to_types),
        cmocka_unit_test(bounds_are_those_of_the_place),
        cmocka_unit_test(what_is_not_there_does_not_resolve),
        cmocka_unit_test(inputs_are_told_in_words),
        cmocka_unit_test(inputs_make_a_tree),
    };
    return cmocka_run_group_tests_name("schema", tests, make, unmake);
}
