// SPDX-License-Identifier: Apache-2.0
// cadenza report: the HTML report of a run directory, from its store.
#include "cli.h"
#include "report_folder.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza report DIR [-o OUT]\n\n"
    "Writes a report as HTML pages: coverage, goals with their verdicts, sources, tests, alarms,\n"
    "and how the search went. Open index.html in a browser; it needs no network.\n"
    "  -o OUT     directory for the report (default DIR/report); an older report is replaced\n"
    "  -h, --help this text\n";

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
    struct error err = {0};
    if (!report_folder_write(directory, out, &err))
        return cli_fail(&err);
    const char *place = out ? out : directory;
    bool slash = place[strlen(place) - 1] == '/';
    printf("%s%s%sindex.html\n", place, slash ? "" : "/", out ? "" : "report/");
    return EXIT_DONE;
}
