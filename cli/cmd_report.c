// SPDX-License-Identifier: Apache-2.0
// cadenza report: the HTML report of a run directory, from its store.
#include "cli.h"

#include "html/html_report.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza report DIR [-o OUT]\n\n"
    "Writes a report as HTML pages: coverage, goals with their verdicts, sources, tests, alarms,\n"
    "and how the search went. Open index.html in a browser; it needs no network.\n"
    "  -o OUT     directory for the report (default DIR/report); an older report is replaced\n"
    "  -h, --help this text\n";

static int write_report(const char *directory, const char *out)
{
    struct result result;
    struct error err = {0};
    struct buf store = BUF_INIT, place = BUF_INIT;
    buf_printf(&store, "%s/cadenza.db", directory);
    if (out)
        buf_puts(&place, out);
    else
        buf_printf(&place, "%s/report", directory);
    bool good =
        store_load(store.data, &result, &err) && html_report_write(&result, place.data, &err);
    if (good)
        printf("%s/index.html\n", place.data);
    int code = good ? EXIT_DONE : cli_fail(&err);
    result_release(&result);
    buf_release(&store);
    buf_release(&place);
    return code;
}

int cli_report(int argc, char **argv)
{
    const char *directory = NULL, *out = NULL;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!strcmp(argv[i], "-o")) {
            out = i + 1 < argc ? argv[++i] : "";
            if (!*out)
                return cli_usage("report", "-o needs a directory");
        } else if (argv[i][0] == '-' || directory) {
            return cli_usage("report", "unexpected word '%s'", argv[i]);
        } else {
            directory = argv[i];
        }
    }
    if (!directory)
        return cli_usage("report", "which run directory?");
    return write_report(directory, out);
}
