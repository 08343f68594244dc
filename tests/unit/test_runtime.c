// SPDX-License-Identifier: Apache-2.0
// A target process, driven over the wire as the engine does it. The unit below is
// compiled without instrumentation and linked with the runtime; where instrumented
// code would report a decision, it calls the runtime itself. Also the replay
// library, on the same driver. Needs the archives that `make` builds (CZ_BUILD).
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "program/libc.h"
#include "wire/wire.h"

enum { TASK_VALUES, TASK_ENDS, TASK_STATE, TASK_LIST };

static const char unit_text[] =
    "#define _GNU_SOURCE 1\n"
    "#include \"cz/driver.h\"\n"
    "#include \"runtime/runtime.h\"\n"
    "#include <errno.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
    "void *czrt_malloc(size_t); void *czrt_calloc(size_t, size_t); void czrt_free(void *);\n"
    "void *czrt_realloc(void *, size_t); void czrt_exit(int); void czrt_abort(void);\n"
    "int czrt_atexit(void (*)(void)); int czrt_raise(int); void (*czrt_signal(int, void "
    "(*)(int)))(int);\n"
    "uint8_t czrt_goal_hits[8]; const uint32_t czrt_goal_count = 8;\n"
    "__attribute__((section(\"cz_data\"))) char table[64];\n"
    "__attribute__((section(\"cz_globals\"), used)) const struct czrt_global globals[] =\n"
    "    { { table, 48, 64, 0, 0 } };\n"
    "__attribute__((section(\"cz_data\"))) int counter = 7;\n"
    "static void values(void)\n"
    "{\n"
    "    int a = cz_i32(cz_root(\"arg:a\"));\n"
    "    if (czrt_ret) czrt_branch(7, a > 5, czrt_binary(WIRE_SGT, 32, czrt_ret, 0, (uint64_t)a, "
    "5));\n"
    "    int b = cz_sbits(cz_field(cz_root(\"arg:s\"), \"bits\"), 3);\n"
    "    _Bool c = cz_bool(cz_typed(cz_root(\"flag\"), \"bool_t\"));\n"
    "    unsigned d = cz_choice(cz_root(\"fn\"), 3);\n"
    "    short e[3]; cz_array(cz_root(\"e\"), e, CZ_I16, 3);\n"
    "    int r = cz_u8(cz_part(cz_call(\"get\"), \"return\")) + cz_u8(cz_part(cz_call(\"get\"), "
    "\"return\"));\n"
    "    czrt_exit(a * 1000000 + (b + 4) * 100000 + c * 10000 + (int)d * 1000 + e[0] + e[1] + e[2] "
    "+ r);\n"
    "}\n"
    "static volatile int zero;\n"
    "static int deep(volatile char *p) { volatile char b[512]; b[0] = p[0]; return deep(b) + b[1]; "
    "}\n"
    "static wire_label numbered_node(uint64_t i) { return czrt_node(WIRE_ADD, 64, "
    "czrt_input_label(0, 64), 0, 0, i); }\n"
    "static int same_nodes(void)\n"
    "{\n"
    "    enum { MANY = 5000000 }; // more than the tables of two sizes have buckets\n"
    "    wire_label first = numbered_node(0), middle = numbered_node(MANY / 2), last = 0;\n"
    "    for (uint64_t i = 0; i < MANY; i++) last = numbered_node(i);\n"
    "    uint32_t count = czrt_wire->node_count;\n"
    "    return numbered_node(0) == first && numbered_node(MANY / 2) == middle &&\n"
    "           numbered_node(MANY - 1) == last && czrt_wire->node_count == count && count > "
    "MANY;\n"
    "}\n"
    "static void note(void) { counter = 50; }\n"
    "static void caught(int n) { counter = n; }\n"
    "static void ends(void)\n"
    "{\n"
    "    char *p;\n"
    "    switch (cz_u8(cz_root(\"how\"))) {\n"
    "    case 1: *(volatile int *)8 = 1; break;\n"
    "    case 2: zero = 7 / zero; break;\n"
    "    case 3: czrt_abort();\n"
    "    case 4: deep(\"\"); break;\n"
    "    case 5: czrt_exit(42);\n"
    "    case 6: for (;;) if (--czrt_steps_left < 0) czrt_out_of_steps(1);\n"
    "    case 19: for (;; counter++) if (--czrt_steps_left < 0) czrt_out_of_steps(2);\n"
    "    case 7: p = czrt_malloc(10); czrt_free(p); czrt_free(p); break;\n"
    "    case 8: *(volatile int *)0x700000000000 = 1; break;\n"
    "    case 9: __builtin_trap();\n"
    "    case 10: czrt_malloc(1ul << 40); break;\n"
    "    case 11: czrt_free(&counter); break;\n"
    "    case 12: czrt_exit(czrt_malloc(-1) == NULL && errno == ENOMEM ? 12 : 0);\n"
    "    case 13: czrt_free((char *)czrt_malloc(64) + 16); break;\n"
    "    case 14: p = cz_new(0, 10, 1); czrt_load(p + 10, 1, 33); break;\n"
    "    case 15: p = czrt_malloc(10); czrt_free(p); czrt_store(p, 4, 0, 34); break;\n"
    "    case 16: czrt_atexit(note); czrt_exit(counter); \n"
    "    case 17: czrt_signal(SIGTERM, caught); czrt_raise(SIGTERM); czrt_exit(counter);\n"
    "    case 18: czrt_raise(SIGTERM); break;\n"
    "    case 20: czrt_exit(same_nodes());\n"
    "    case 99: abort();\n"
    "    case 100: syscall(SYS_kill, getpid(), SIGKILL);\n"
    "    }\n"
    "}\n"
    "static int sum(const volatile char *p, int n) { int s = 0; while (n--) s += p[n]; return s; "
    "}\n"
    "static void state(void)\n"
    "{\n"
    "    volatile char local[2000];\n"
    "    int bad = sum(local, 2000) != 0;\n" // the stack is as new
    "    memset((char *)local, 1, sizeof local);\n"
    "    bad |= (counter != 7) << 1; counter++;\n"
    "    char *p = czrt_malloc(100), *q;\n"
    "    bad |= ((uintptr_t)p != 0x610000000040) << 2;\n"
    "    bad |= (sum(p, 100) != 0) << 3; memset(p, 1, 100);\n"
    "    p = czrt_realloc(p, 5000); bad |= (sum(p, 5000) != 100) << 4;\n"
    "    for (int i = 0; i < 20000; i++) { q = czrt_malloc(64); q[63] = 1; czrt_free(q); }\n"
    "    bad |= ((uintptr_t)q > 0x610000200000) << 5;\n" // freed blocks are used again
    "    q = czrt_calloc(64, 1); bad |= (sum(q, 64) != 0) << 6;\n"
    "    bad |= (*CZRT_SHADOW(p + 5000) != WIRE_POISON || *CZRT_SHADOW(q + 64) != WIRE_POISON) << "
    "7;\n"
    "    const struct czrt_object *o = czrt_object_find(p + 4999);\n"
    "    bad |= (!o || o->base != (uintptr_t)p || o->size != 5000) << 8;\n"
    "    uint32_t mark = czrt_object_mark(); czrt_object_push((void *)local, 2000);\n"
    "    o = czrt_object_find((char *)local + 77); bad |= (!o || o->size != 2000) << 9;\n"
    "    czrt_object_pop(mark); bad |= (czrt_object_find((char *)local + 77) != NULL) << 10;\n"
    "    o = czrt_object_find(table + 5); bad |= (!o || o->size != 48) << 11;\n"
    "    bad |= (*CZRT_SHADOW(table + 48) != WIRE_POISON || *CZRT_SHADOW(table + 47) != 0) << 12;\n"
    "    cz_array(cz_root(\"table\"), table, CZ_I8, 48);\n"
    "    errno = 5; czrt_exit(bad);\n"
    "}\n"
    "struct node { int v; struct node *next; };\n"
    "static void list(void)\n"
    "{\n"
    "    cz_path at = cz_root(\"arg:list\");\n"
    "    struct node *l = 0;\n"
    "    if (cz_present(at)) { l = cz_new(at, sizeof *l, 1); l->v = cz_i32(cz_arrow(at, \"v\"));\n"
    "        l->next = cz_deep_null(cz_arrow(at, \"next\")); }\n"
    "    if (l && l->v == 7) czrt_exit(l->next == 0);\n"
    "}\n"
    "const struct cz_task cz_tasks[] = { { \"values\", values }, { \"ends\", ends }, { \"state\", "
    "state },\n"
    "    { \"list\", list } };\n"
    "const unsigned cz_task_count = 4;\n";

// The same driver vocabulary in a clean build.
static const char replay_text[] =
    "#include \"cz/driver.h\"\n#include <math.h>\n#include <signal.h>\n#include "
    "<stdlib.h>\n#include <unistd.h>\n"
    "static void f(void)\n"
    "{\n"
    "    cz_path at = cz_root(\"arg:list\");\n"
    "    unsigned char b[4]; volatile int zero = 0;\n"
    "    int k = cz_i32(cz_arrow(cz_arrow(at, \"next\"), \"k\"));\n"
    "    double d = cz_f64(cz_root(\"d\"));\n"
    "    cz_array(cz_root(\"b\"), b, CZ_U8, 4);\n"
    "    if (k == 1) exit(cz_present(at) * 100 + b[0] + b[3] + (isnan(d) ? 10 : 0) +\n"
    "                     cz_u8(cz_part((cz_call(\"g\"), cz_call(\"g\")), \"return\")) + "
    "cz_choice(at, 9));\n"
    "    if (k == 2) _exit(3);\n"
    "    if (k == 3) abort();\n"
    "    if (k == 4) *(volatile int *)8 = 1;\n"
    "    if (k == 5) for (;;) ;\n"
    "    if (k == 6) exit(1 / zero);\n"
    "}\n"
    "const struct cz_task cz_tasks[] = { { \"f\", f } };\n"
    "const unsigned cz_task_count = 1;\n";

// ---- The engine's side ----

struct target {
    char directory[64], program[128];
    struct wire_header *wire;
    struct wire_run *runs;
    uint8_t *inputs;
    int request, answer;
    pid_t process;
};

static void run_command(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

static const char *build_directory(void)
{
    const char *given = getenv("CZ_BUILD");
    return given ? given : "build";
}

static void write_text(const char *directory, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int setup_program(void **state)
{
    struct target *target = calloc(1, sizeof *target);
    strcpy(target->directory, "/tmp/test-runtime-XXXXXX");
    if (!mkdtemp(target->directory))
        return -1;
    snprintf(target->program, sizeof target->program, "%s/target", target->directory);
    write_text(target->directory, "unit.c", unit_text);
    write_text(target->directory, "replay.c", replay_text);
    run_command(
        "clang-19 -w -std=gnu17 -O1 -I. -Iinclude %s/unit.c %s/libczrt.a -lm -Wl,-z,now -o %s",
        target->directory, build_directory(), target->program);
    *state = target;
    return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static int teardown_program(void **state)
{
    struct target *target = *state;
    nftw(target->directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(target);
    return 0;
}

static uint64_t lay_out(struct wire_header *wire)
{
    uint64_t end = 4096;
#define AREA(name, items, type)                                                                    \
    wire->name.offset = end;                                                                       \
    wire->name.room = items;                                                                       \
    end += (uint64_t)(items) * sizeof(type);
    AREA(runs, 256, struct wire_run)
    AREA(inputs, 1 << 16, uint8_t)
    AREA(records, 1 << 14, struct wire_record)
    AREA(vectors, 1 << 10, struct wire_vector)
    AREA(hits, 1 << 14, uint32_t)
    AREA(uses, 1 << 14, uint32_t)
    AREA(nodes, 6 << 20, struct wire_node) // sparse
    AREA(snapshots, 1 << 8, struct wire_snapshot)
    AREA(bytes, 1 << 16, uint8_t)
    AREA(labels, 1 << 14, wire_label)
    AREA(places, 1 << 10, struct wire_place)
    AREA(strings, 1 << 14, char)
#undef AREA
    wire->magic = WIRE_MAGIC;
    wire->version = WIRE_VERSION;
    wire->size = end;
    wire->step_budget = 100000;
    wire->heap_budget = 1 << 26;
    return end;
}

static void start(struct target *target)
{
    int memory = memfd_create("test", 0), to[2], from[2];
    struct wire_header plan = {0};
    uint64_t size = lay_out(&plan);
    assert_int_equal(ftruncate(memory, (off_t)size), 0);
    target->wire = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    *target->wire = plan;
    target->runs = (void *)((char *)target->wire + plan.runs.offset);
    target->inputs = (uint8_t *)target->wire + plan.inputs.offset;
    assert_int_equal(pipe(to) | pipe(from), 0);
    target->process = fork();
    if (target->process == 0) {
        char numbers[3][12];
        personality(ADDR_NO_RANDOMIZE);
        snprintf(numbers[0], 12, "%d", memory);
        snprintf(numbers[1], 12, "%d", to[0]);
        snprintf(numbers[2], 12, "%d", from[1]);
        close(to[1]);
        close(from[0]);
        execl(target->program, target->program, numbers[0], numbers[1], numbers[2],
              target->directory, NULL);
        _exit(9);
    }
    close(memory);
    close(to[0]);
    close(from[1]);
    target->request = to[1];
    target->answer = from[0];
    uint64_t ready = 0;
    assert_int_equal(read(target->answer, &ready, sizeof ready), sizeof ready);
    assert_int_equal(ready, WIRE_READY);
    assert_int_equal(target->wire->task_count, 4);
    assert_int_equal(target->wire->goal_count, 8);
}

// False: the target died.
static bool batch(struct target *target, uint32_t task, uint32_t runs, uint32_t flags)
{
    uint64_t token = 4711, got = 0;
    target->wire->task = task;
    target->wire->run_count = runs;
    target->wire->flags = flags;
    return write(target->request, &token, sizeof token) == sizeof token &&
           read(target->answer, &got, sizeof got) == sizeof got && got == token &&
           target->wire->runs_done == runs;
}

static int stop(struct target *target)
{
    int status;
    close(target->request);
    close(target->answer);
    waitpid(target->process, &status, 0);
    munmap(target->wire, target->wire->size);
    return status;
}

static const struct wire_place *find_place(const struct target *target, const char *name,
                                           unsigned index)
{
    const struct wire_place *places = (void *)((char *)target->wire + target->wire->places.offset);
    const char *strings = (char *)target->wire + target->wire->strings.offset;
    for (uint32_t i = 1; i < target->wire->place_count; i++)
        if ((places[i].name && strcmp(strings + places[i].name, name) == 0 && index-- == 0))
            return &places[i];
    fail_msg("no place %s", name);
    return NULL;
}

static void set_input(struct target *target, uint32_t run, const char *name, unsigned index,
                      const void *bytes, size_t n)
{
    target->runs[run].input_offset = run * 128;
    target->runs[run].input_size = 128;
    memcpy(target->inputs + run * 128 + find_place(target, name, index)->offset, bytes, n);
}

// ---- Tests ----

static void inputs_reach_the_driver(void **state)
{
    struct target *target = *state;
    start(target);
    target->runs[0].input_size = 0;
    assert_true(batch(target, TASK_VALUES, 1, 0)); // makes the places known; all zero
    assert_int_equal(target->runs[0].status, WIRE_EXIT);
    assert_int_equal(target->runs[0].exit_code, 400000);
    assert_int_equal(target->runs[0].use_count, 7);
    assert_int_equal(target->runs[0].losses[WIRE_LOSS_STUB], 2);
    set_input(target, 0, "arg:a", 0, &(int){3}, 4);
    set_input(target, 0, "bits", 0, &(uint8_t){0xfe}, 1); // -2; the upper bits do not matter
    set_input(target, 0, "flag", 0, &(uint8_t){3}, 1);
    set_input(target, 0, "fn", 0, &(uint8_t){5}, 1); // modulo 3
    set_input(target, 0, "e", 0, (short[]){1, 2, -4}, 6);
    set_input(target, 0, "return", 0, &(uint8_t){10}, 1);
    set_input(target, 0, "return", 1, &(uint8_t){20}, 1);
    const uint32_t modes[] = {0, WIRE_CONCOLIC, WIRE_FORK, WIRE_FORK | WIRE_CONCOLIC};
    for (size_t i = 0; i < 4; i++) {
        assert_true(batch(target, TASK_VALUES, 1, modes[i]));
        assert_int_equal(target->runs[0].exit_code, 3212000 - 1 + 30 + 0);
        assert_int_equal(target->runs[0].record_count, modes[i] & WIRE_CONCOLIC ? 1 : 0);
    }
    assert_int_equal(target->wire->place_count, 12);
    assert_int_equal(find_place(target, "e", 0)->count, 3);
    assert_int_equal(find_place(target, "e", 0)->offset % 2, 0);
    assert_int_equal(stop(target), 0);
}

static void a_decision_on_an_input_is_recorded(void **state)
{
    struct target *target = *state;
    start(target);
    target->runs[0].input_size = 0;
    assert_true(batch(target, TASK_VALUES, 1, WIRE_CONCOLIC));
    const struct wire_record *record =
        (void *)((char *)target->wire + target->wire->records.offset);
    const struct wire_node *nodes = (void *)((char *)target->wire + target->wire->nodes.offset);
    assert_int_equal(record->site, 7);
    assert_int_equal(record->kind, WIRE_BRANCH);
    assert_int_equal(record->outcome, 0);
    const struct wire_node *node = &nodes[WIRE_NODE(record->label)];
    assert_int_equal(node->width, 1);
    assert_true(node->a || node->b);
    const struct wire_node *input = &nodes[WIRE_NODE(node->a ? node->a : node->b)];
    assert_int_equal(input->op, WIRE_INPUT);
    assert_int_equal(input->width, 32);
    assert_int_equal(input->x, find_place(target, "arg:a", 0)->offset);
    assert_int_equal(stop(target), 0);
}

static const struct {
    uint8_t how;
    uint32_t status, fault, site, code;
} endings[] = {
    {0, WIRE_OK, 0, 0, 0},
    {1, WIRE_FAULT, WIRE_FAULT_NULL, 0, 0},
    {2, WIRE_FAULT, WIRE_FAULT_DIVISION, 0, 0},
    {3, WIRE_FAULT, WIRE_FAULT_ABORT, 0, 0},
    {4, WIRE_FAULT, WIRE_FAULT_STACK, 0, 0},
    {5, WIRE_EXIT, 0, 0, 42},
    {6, WIRE_FAULT, WIRE_FAULT_ENDLESS, 1, 0}, // nothing changes any more
    {19, WIRE_STEPS, 0, 2, 0},                 // it may end some day
    {7, WIRE_FAULT, WIRE_FAULT_FREE, 0, 0},
    {8, WIRE_FAULT, WIRE_FAULT_SEGV, 0, 0},
    {9, WIRE_FAULT, WIRE_FAULT_ILLEGAL, 0, 0},
    {10, WIRE_FAULT, WIRE_FAULT_MEMORY, 0, 0},
    {11, WIRE_FAULT, WIRE_FAULT_FREE, 0, 0},
    {12, WIRE_EXIT, 0, 0, 12},
    {13, WIRE_FAULT, WIRE_FAULT_FREE, 0, 0},
    {14, WIRE_FAULT, WIRE_FAULT_BOUNDS, 33, 0},
    {15, WIRE_FAULT, WIRE_FAULT_FREED, 34, 0},
    {16, WIRE_EXIT, 0, 0, 7},
    {17, WIRE_EXIT, 0, 0, SIGTERM},
    {18, WIRE_EXIT, 0, 0, 128 + SIGTERM},
};
#define ENDINGS (sizeof endings / sizeof *endings)

static void every_ending_is_told_apart(void **state)
{
    struct target *target = *state;
    const uint32_t modes[] = {0, WIRE_CONCOLIC, WIRE_FORK};
    start(target);
    assert_true(batch(target, TASK_ENDS, 1, 0));
    for (size_t mode = 0; mode < 3; mode++) {
        for (uint32_t i = 0; i < ENDINGS; i++)
            set_input(target, i, "how", 0, &endings[i].how, 1);
        assert_true(batch(target, TASK_ENDS, ENDINGS, modes[mode]));
        for (uint32_t i = 0; i < ENDINGS; i++) {
            const struct wire_run *run = &target->runs[i];
            if (run->status != endings[i].status || run->fault != endings[i].fault ||
                run->fault_site != endings[i].site || run->exit_code != endings[i].code)
                fail_msg("ending %u in mode %u: status %u fault %u site %u code %u", endings[i].how,
                         modes[mode], run->status, run->fault, run->fault_site, run->exit_code);
            assert_int_equal(run->losses[WIRE_LOSS_ELEMENTS], endings[i].how == 14);
        }
    }
    assert_int_equal(target->wire->notes & WIRE_NOTE_FORKS, 0);
    assert_int_equal(stop(target), 0);
}

static void equal_nodes_are_one_in_a_table_that_has_grown(void **state)
{
    struct target *target = *state;
    const uint8_t many = 20;
    start(target);
    assert_true(batch(target, TASK_ENDS, 1, 0));
    for (uint32_t i = 0; i < 2; i++) // the second run finds them all
        set_input(target, i, "how", 0, &many, 1);
    assert_true(batch(target, TASK_ENDS, 2, WIRE_CONCOLIC));
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(target->runs[i].status, WIRE_EXIT);
        assert_int_equal(target->runs[i].exit_code, 1);
    }
    assert_int_equal(stop(target), 0);
}

static void runs_do_not_see_each_other(void **state)
{
    struct target *target = *state;
    start(target);
    for (uint32_t flags = 0; flags <= WIRE_CONCOLIC; flags++) {
        assert_true(batch(target, TASK_STATE, 20, flags));
        for (uint32_t i = 0; i < 20; i++)
            if (target->runs[i].status != WIRE_EXIT || target->runs[i].exit_code != 0)
                fail_msg("run %u, flags %u: status %u, bits %#x", i, flags, target->runs[i].status,
                         target->runs[i].exit_code);
    }
    assert_int_equal(stop(target), 0);
}

static void after_an_abort_inside_libc_runs_are_forked(void **state)
{
    struct target *target = *state;
    start(target);
    assert_true(batch(target, TASK_ENDS, 1, 0));
    set_input(target, 0, "how", 0, &(uint8_t){99}, 1);
    set_input(target, 1, "how", 0, &(uint8_t){100}, 1);
    set_input(target, 2, "how", 0, &(uint8_t){99}, 1);
    set_input(target, 3, "how", 0, &(uint8_t){5}, 1);
    assert_true(batch(target, TASK_ENDS, 4, 0)); // the second one would kill a server
    assert_int_equal(target->runs[0].fault, WIRE_FAULT_ABORT);
    assert_int_equal(target->runs[1].status, WIRE_FAULT);
    assert_int_equal(target->runs[2].fault, WIRE_FAULT_ABORT);
    assert_int_equal(target->runs[3].exit_code, 42);
    assert_int_equal(target->wire->notes & WIRE_NOTE_FORKS, WIRE_NOTE_FORKS);
    assert_int_equal(stop(target), 0);
}

static void a_dead_target_leaves_its_answers(void **state)
{
    struct target *target = *state;
    start(target);
    assert_true(batch(target, TASK_ENDS, 1, 0));
    set_input(target, 0, "how", 0, &(uint8_t){5}, 1);
    set_input(target, 1, "how", 0, &(uint8_t){100}, 1);
    assert_false(batch(target, TASK_ENDS, 2, 0));
    assert_int_equal(target->wire->runs_done, 1);
    assert_int_equal(target->runs[0].exit_code, 42);
    assert_int_equal(target->runs[1].status, WIRE_NOT_RUN);
    assert_true(WIFSIGNALED(stop(target)));
}

static void places_of_a_child_are_learned(void **state)
{
    struct target *target = *state;
    start(target);
    target->runs[0].input_size = target->runs[1].input_size = 0;
    assert_true(batch(target, TASK_LIST, 1, WIRE_FORK));
    assert_int_equal(target->wire->place_count, 2);
    set_input(target, 0, "arg:list", 0, &(uint8_t){1}, 1);
    set_input(target, 1, "arg:list", 0, &(uint8_t){1}, 1);
    assert_true(batch(target, TASK_LIST, 2, WIRE_FORK));
    assert_int_equal(target->wire->place_count, 4);
    set_input(target, 0, "v", 0, &(int){7}, 4);
    assert_true(batch(target, TASK_LIST, 1, 0));
    assert_int_equal(target->wire->place_count, 4);
    assert_int_equal(target->runs[0].exit_code, 1);
    assert_int_equal(stop(target), 0);
}

// NAME.c with the replay library, in the directory.
static void build_replay(const char *at, const char *name)
{
    struct buf wrapped = BUF_INIT;
    for (size_t i = 0; i < libc_count(); i++)
        if (libc_at(i)->wrapped)
            buf_printf(&wrapped, " -Wl,--wrap=%s", libc_at(i)->name);
    run_command("clang-19 -w -std=gnu17 -Iinclude %s/%s.c %s/libczreplay.a%s -o %s/%s", at, name,
                build_directory(), buf_text(&wrapped), at, name);
    buf_release(&wrapped);
}

static void tests_are_replayed(void **state)
{
    struct target *target = *state;
    static const struct {
        const char *text, *outcome;
    } cases[] = {
        {"task f\n", "ok\t0"},
        {"# exact\ntask f\nfile x.c\noutcome exit 1\ninput arg:list->next->k | int | 1\n"
         "input shape:arg:list | shape | present\ninput b[0..3] | unsigned char | 1 0 0 2 # "
         "remark\n"
         "input d | double | nan:0x7ff8000000000001 # nan\ninput stub:g#2:return | U8 | 0x14\n"
         "input choice:arg:list | choice | 4\n",
         "exit 137\t6"},
        {"task f\ninput arg:list->next->k | int | 2\n", "exit 3\t1"},
        {"task f\ninput arg:list->next->k | int | 3\n", "signal SIGABRT\t1"},
        {"task f\ninput arg:list->next->k | int | 4\n", "signal SIGSEGV\t1"},
        {"task f\ninput arg:list->next->k | int | 5\n", "timeout\t1"},
        {"task f\ninput arg:list->next->k | int | 6\n", "signal SIGFPE\t1"},
        {"task g\n", "error there is no task 'g'\t0"},
        {"task f\ninput b[0..3] | U8 | 1 2 3 256\n",
         "error b[0..3]: element 3 is missing or does not fit\t1"},
        {"task f\ninput b[0..3] | U8\n", "error line 2: an input needs PATH | TYPE | VALUE\t0"},
        {"task f\ninput d | double | x\n", "error d: 'x' is not a floating-point number\t1"},
        {"task f\ninput d | double | 1\ninput d | double | 2\n",
         "error line 3: the same path twice\t0"},
    };
    const char *at = target->directory;
    build_replay(at, "replay");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[400], line[300] = "", want[400];
        write_text(at, "case.test", cases[i].text);
        snprintf(command, sizeof command, "%s/replay -t 1 %s/case.test 2>&1", at, at);
        snprintf(want, sizeof want, "%s/case.test\t%s\n", at, cases[i].outcome);
        FILE *pipe = popen(command, "r");
        assert_non_null(fgets(line, sizeof line, pipe));
        pclose(pipe);
        assert_string_equal(line, want);
    }
}

// What the code under test writes where observations are kept is not believed, and does not hide
// the answer of this test or the next.
static const char hostile_source[] =
    "#include \"cz/driver.h\"\n"
    "#include <string.h>\n"
    "extern struct { _Bool wanted; volatile _Bool is_cut; volatile unsigned length;\n"
    "                char text[65536]; } *replay_seen;\n"
    "static const struct cz_shape shapes[] = {{CZ_NOTHING, 0, 0, 0, 0, 0, 0, \"\"},\n"
    "    {CZ_NUMBER, 1, 0, 4, 0, 0, 0, \"int\"}};\n"
    "static const struct cz_forms forms = {shapes, 0, 0};\n"
    "static void put(const char *text) { replay_seen->length = strlen(text); "
    "strcpy(replay_seen->text, text); }\n"
    "static void f(void)\n"
    "{\n"
    "    int kind = cz_i32(cz_root(\"kind\")), seen = -7;\n"
    "    cz_watch_start();\n"
    "    cz_saw_result(&forms, cz_root(\"return\"), &seen, 1);\n"
    "    cz_watch_end();\n"
    "    switch (kind) {\n"
    "    case 1: put(\"a\\tb\\tc\\nTESTS/next.test\\texit 9\\t0\\n\"); break;\n"
    "    case 2: put(\"a\\tb\\x1b[2J\\tc\\n\"); break;\n"
    "    case 3: replay_seen->length = 4000000000u; break;\n"
    "    case 4: memset(replay_seen->text, 'A', sizeof replay_seen->text);\n"
    "            replay_seen->length = sizeof replay_seen->text; break;\n"
    "    case 5: *(volatile int *)0 = 1;\n"
    "    }\n"
    "}\n"
    "const struct cz_task cz_tasks[] = {{\"f\", f}};\n"
    "const unsigned cz_task_count = 1;\n";

static void what_tests_show_is_checked(void **state)
{
    static const struct {
        int kind;
        const char *answer; // what follows the name
    } cases[] = {
        {0, "\tok\t1\n+return\tint\t-7\n=call\t\tcall\t1\n"},
        {1, "\tok\t1\n+a\tb\tc\n+TESTS/next.test\texit 9\t0\n=call\t\tcall\t1\n"},
        {2, "\tok\t1\n+\n=call\t\tcall\t1\n"},
        {3, "\tok\t1\n+\n=call\t\tcall\t1\n"},
        {4, "\tok\t1\n=call\t\tcall\t1\n"},
        {5, "\tsignal SIGSEGV\t1\n+return\tint\t-7\n=call\t\tcall\t1\n"},
    };
    struct target *target = *state;
    const char *at = target->directory;
    write_text(at, "hostile.c", hostile_source);
    build_replay(at, "hostile");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[400], got[4000] = "", want[600], input[80];
        snprintf(input, sizeof input, "task f\ninput kind | int | %d\n", cases[i].kind);
        write_text(at, "case.test", input);
        snprintf(command, sizeof command, "%s/hostile -t 1 -o 1 %s/case.test 2>&1", at, at);
        snprintf(want, sizeof want, "%s/case.test%s", at, cases[i].answer);
        FILE *pipe = popen(command, "r");
        got[fread(got, 1, sizeof got - 1, pipe)] = '\0';
        pclose(pipe);
        assert_string_equal(got, want);
    }
}

int test_runtime(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_reach_the_driver),
        cmocka_unit_test(a_decision_on_an_input_is_recorded),
        cmocka_unit_test(every_ending_is_told_apart),
        cmocka_unit_test(equal_nodes_are_one_in_a_table_that_has_grown),
        cmocka_unit_test(runs_do_not_see_each_other),
        cmocka_unit_test(after_an_abort_inside_libc_runs_are_forked),
        cmocka_unit_test(a_dead_target_leaves_its_answers),
        cmocka_unit_test(places_of_a_child_are_learned),
        cmocka_unit_test(tests_are_replayed),
        cmocka_unit_test(what_tests_show_is_checked),
    };
    return cmocka_run_group_tests_name("runtime", tests, setup_program, teardown_program);
}
