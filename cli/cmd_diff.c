// SPDX-License-Identifier: Apache-2.0
// cadenza diff: what two run directories say differently, from their stores.
#include "cli.h"

#include "report/differences.h"
#include "store/store.h"
#include <stdio.h>
#include <string.h>

static const char help[] =
    "cadenza diff OLD NEW [--json]\n\n"
    "Compares two run directories, of the same code or of two versions of it: goals that were\n"
    "lost or gained, tests with the same inputs whose observed behaviour changed, alarms that\n"
    "are new or gone. Lines may have moved and directories may have changed: goals and alarms\n"
    "are known by their function and text.\n"
    "  --json  for programs\n\n"
    "Exit code 1: a goal was lost, a test behaves differently, or there is a new alarm.\n";

static bool load(const char *directory, struct result *result, struct error *err)
{
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/cadenza.db", directory);
    bool good = store_load(buf_text(&path), result, err);
    buf_release(&path);
    return good;
}

static int compare(const char *const *directories, bool as_json)
{
    struct result old, new;
    struct error err = {0};
    int code = EXIT_DONE;
    if (!load(directories[0], &old, &err)) {
        result_release(&old);
        return cli_fail(&err);
    }
    if (!load(directories[1], &new, &err)) {
        code = cli_fail(&err);
    } else {
        struct differences differences;
        struct buf text = BUF_INIT;
        differences_find(&old, &new, &differences);
        (as_json ? differences_json : differences_text)(&differences, &text);
        fputs(buf_text(&text), stdout);
        code = differences_are_worse(&differences) ? EXIT_BUGS : EXIT_DONE;
        buf_release(&text);
        differences_release(&differences);
    }
    result_release(&old);
    result_release(&new);
    return code;
}

int cli_diff(int argc, char **argv)
{
    const char *directories[2] = {0};
    size_t count = 0;
    bool as_json = false;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (!strcmp(argv[i], "--json"))
            as_json = true;
        else if (argv[i][0] == '-' || count == 2)
            return cli_usage("diff", "unexpected word '%s'", argv[i]);
        else
            directories[count++] = argv[i];
    }
    if (count < 2)
        return cli_usage("diff", "which two run directories, the old one first?");
    return compare(directories, as_json);
}
