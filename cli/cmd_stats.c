// SPDX-License-Identifier: Apache-2.0
// cadenza stats: coverage over iterations and time of run directories, as CSV.
#include "cli.h"

#include "base/buf.h"
#include "report/report.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza stats DIR...\n\n"
    "Prints what the engine had covered after each iteration that added something, and at the\n"
    "end, as CSV: file,strategy,seed,task,iteration,queries,seconds,branches,conditions,\n"
    "statements. Branches are outcomes, conditions those whose MC/DC pair was seen.\n";

static int print_directory(const char *directory)
{
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct result result;
    struct error err = {0};
    buf_printf(&path, "%s/cadenza.db", directory);
    int code = store_load(path.data, &result, &err) ? EXIT_DONE : cli_fail(&err);
    if (code == EXIT_DONE)
        report_progress_csv(&result, &text);
    fwrite(buf_text(&text), 1, text.length, stdout);
    result_release(&result);
    buf_release(&path);
    buf_release(&text);
    return code;
}

int cli_stats(int argc, char **argv)
{
    int code = EXIT_DONE;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (argv[i][0] == '-')
            return cli_usage("stats", "unexpected word '%s'", argv[i]);
    }
    if (!argc)
        return cli_usage("stats", "which run directory?");
    puts("file,strategy,seed,task,iteration,queries,seconds,branches,conditions,statements");
    for (int i = 0; i < argc && code == EXIT_DONE; i++)
        code = print_directory(argv[i]);
    return code;
}
