// SPDX-License-Identifier: Apache-2.0
// One random program (from csmith) three ways: natively, instrumented on concrete
// data, and with its globals symbolic. All must compute the same checksum, and every
// path condition must hold on the input that produced it.
//
//     check PROGRAM.c DIRECTORY CHECKSUM [compiler flags]
//
// The driver xors every global with an input; the zero input leaves the values as
// they are, and every byte is symbolic all the same. The checksum comes back as the
// exit code of the run.
#include "base/fs.h"
#include "unit/unit.h"
#include "exec/target.h"
#include "expr/eval.h"
#include "trace/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_driver(const struct program *program, struct buf *out)
{
    buf_puts(out, "#include \"cz/driver.h\"\nextern void exit(int);\n"
                  "static void drive_main(void)\n{\n");
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        const struct type *type = v->type;
        while (type->kind == TYPE_ARRAY)
            type = type->target;
        if (strncmp(v->name, "g_", 2) != 0 || v->function || v->is_const || type->is_const ||
            (type->kind != TYPE_INT && type->kind != TYPE_FLOAT))
            continue;
        buf_printf(out,
                   "    for (unsigned long i = 0; i < sizeof %s; i++)\n"
                   "        ((unsigned char *)&%s)[i] ^= cz_u8(cz_index(cz_root(\"%s\"), i));\n",
                   v->name, v->name, v->name);
    }
    buf_puts(out, "    char *words[] = {\"program\", 0};\n"
                  "    cz_user_main(1, words);\n"
                  "    exit((int)(crc32_context ^ 0xFFFFFFFFu));\n}\n"
                  "const struct cz_task cz_tasks[] = {{\"main\", drive_main}};\n"
                  "const unsigned cz_task_count = 1;\n");
}

static int fail(const char *what, const char *detail)
{
    printf("%s%s%s\n", what, *detail ? ": " : "", detail);
    return 1;
}

// Does every record's condition hold on the zero input?
static bool path_holds(struct target *target, const struct program *program, size_t *checked,
                       struct error *err)
{
    struct expr_pool *pool = expr_pool_new();
    struct trace_decoder decoder;
    trace_decoder_init(&decoder, pool, program);
    struct eval eval;
    eval_init(&eval, pool);
    const struct wire_header *wire = target_wire(target);
    uint32_t count = 0;
    const struct wire_record *records = NULL;
    if (trace_begin(&decoder, wire, wire->size, err))
        records = trace_records(&decoder, 0, &count, err);
    bool good = records != NULL;
    eval_begin(&eval, NULL, 0);
    for (uint32_t i = 0; good && i < count; i++) {
        expr_id condition;
        good = trace_condition(&decoder, &records[i], &condition, err);
        if (good && !eval_true(&eval, condition))
            good =
                error_set(err, ERROR_INTERNAL, "record %u of %u (kind %u, site %u) does not hold",
                          i, count, records[i].kind, records[i].site);
        ++*checked;
    }
    eval_release(&eval);
    trace_decoder_release(&decoder);
    expr_pool_free(pool);
    return good;
}

static int check_run(struct target *target, uint32_t flags, uint32_t expected, const char *how)
{
    struct error err = {0};
    target_begin(target, 0, flags);
    target_add(target, NULL, 0);
    if (!target_run(target, &err))
        return fail(how, err.text);
    const struct wire_run *run = target_result(target, 0);
    char detail[160];
    snprintf(detail, sizeof detail, "status %u fault %u site %u, checksum %x, expected %x",
             run->status, run->fault, run->fault_site, run->exit_code, expected);
    return run->status == WIRE_EXIT && run->exit_code == expected ? 0 : fail(how, detail);
}

static int check(struct unit *unit, const char *scratch, uint32_t expected)
{
    struct error err = {0};
    struct target_options how = {.executable = unit->target,
                                 .scratch = scratch,
                                 .step_budget = 1000000000,
                                 .heap_budget = 1u << 28,
                                 .watchdog_seconds = 120};
    struct target *target = target_start(&how, &err);
    if (!target)
        return fail("start", err.text);
    size_t checked = 0;
    int bad = check_run(target, 0, expected, "concrete") ||
              check_run(target, WIRE_CONCOLIC, expected, "symbolic");
    const struct wire_run *run = target_result(target, 0);
    if (!bad && !run->losses[WIRE_LOSS_NODES] &&
        !path_holds(target, &unit->program, &checked, &err))
        bad = fail("path condition", err.text);
    if (!bad)
        printf("same checksum %x three ways, %zu path conditions hold\n", expected, checked);
    target_stop(target);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: check PROGRAM.c DIRECTORY CHECKSUM [compiler flags]\n");
        return 2;
    }
    struct options options;
    options_init(&options);
    struct error err = {0};
    struct program program;
    program_init(&program);
    const char *main_only[] = {"main", NULL};
    struct frontend_request parse = {.source = argv[1],
                                     .clang = "clang-19",
                                     .flags = (const char *const *)argv + 4,
                                     .task_names = main_only};
    if (!frontend_parse(&parse, &program, &err))
        return fail("parse", err.text);
    struct buf driver = BUF_INIT;
    write_driver(&program, &driver);
    struct unit unit;
    struct unit_file file = {argv[1], parse.flags};
    struct unit_request request = {.files = &file,
                                   .file_count = 1,
                                   .out_directory = argv[2],
                                   .task_names = main_only,
                                   .options = &options,
                                   .driver = driver.data};
    int bad = 1;
    if (unit_build(&request, &unit, &err))
        bad = check(&unit, unit.directory, (uint32_t)strtoul(argv[3], NULL, 16));
    else
        fail("build", err.text);
    unit_release(&unit);
    buf_release(&driver);
    program_release(&program);
    return bad;
}
