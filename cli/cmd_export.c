// SPDX-License-Identifier: Apache-2.0
// cadenza export: the tests of a run directory in formats that do without Cadenza.
#include "cli.h"

#include "export/exporter.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza export DIR --format NAME [-o DIR]\n\n"
    "Writes the tests of a run directory to DIR/export/NAME. \"Expected\" in them means "
    "\"observed\"\n"
    "on the ordinary build of the code.\n"
    "  --format NAME  what to write: cmocka, unity, c, testcomp, ktest, json, csv\n"
    "                 The first three are C tests with stubs, a Makefile and a CMakeLists.txt, "
    "the\n"
    "                 next two inputs for other tools, the last two all data.\n"
    "  -o DIR         the directory to write to instead; your own code between the marks in files\n"
    "                 of an earlier export is kept\n";

struct arguments {
    const char *directory, *format, *out;
};

// The exit code plus one; 0: go on.
static int read_arguments(int argc, char **argv, struct arguments *out)
{
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return 1 + cli_flush(EXIT_DONE);
        }
        if (!strcmp(argv[i], "--format") || !strcmp(argv[i], "-o")) {
            if (i + 1 == argc)
                return 1 + cli_usage("export", "%s needs a value", argv[i]);
            *(argv[i][1] == 'o' ? &out->out : &out->format) = argv[i + 1];
            i++;
        } else if (argv[i][0] == '-' || out->directory) {
            return 1 + cli_usage("export", "unexpected word '%s'", argv[i]);
        } else {
            out->directory = argv[i];
        }
    }
    if (!out->directory || !out->format)
        return 1 + cli_usage("export", "a run directory and --format are needed");
    return 0;
}

static bool export(const struct arguments *arguments, export_writer *write, struct buf *told,
                   struct error *err)
{
    struct arena arena;
    struct result result;
    struct export_tally tally = {0};
    arena_init(&arena);
    struct export_request request = {
        .result = &result,
        .arena = &arena,
        .directory = arguments->out ? arguments->out
                                    : arena_printf(&arena, "%s/export/%s", arguments->directory,
                                                   arguments->format)};
    bool good =
        store_load(arena_printf(&arena, "%s/cadenza.db", arguments->directory), &result, err);
    if (good)
        good = export_check_sources(&result, err) && write(&request, &tally, err);
    export_describe(&tally, told);
    buf_printf(told, "Written to %s\n", request.directory);
    result_release(&result);
    arena_release(&arena);
    return good;
}

int cli_export(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error err = {0};
    struct buf told = BUF_INIT;
    int code = read_arguments(argc, argv, &arguments);
    if (code)
        return code - 1;
    export_writer *write = export_find(arguments.format);
    if (!write) {
        struct arena arena;
        arena_init(&arena);
        code = cli_usage("export", "there is no format '%s' (%s)", arguments.format,
                         export_formats(&arena));
        arena_release(&arena);
        return code;
    }
    if (!export(&arguments, write, &told, &err)) {
        buf_release(&told);
        return cli_fail(&err);
    }
    fputs(buf_text(&told), stdout);
    buf_release(&told);
    return cli_flush(EXIT_DONE);
}
