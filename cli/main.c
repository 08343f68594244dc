// SPDX-License-Identifier: Apache-2.0
// The command line: picks the subcommand.
#include "cli.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "generate tests for a C file, replay them, report", cli_run},
    {"replay", "run the kept tests of a run directory again and compare", cli_replay},
    {"show", "print goals, tests and verdicts of a run directory", cli_show},
    {"pre", "list, confirm or reject preconditions of functions", cli_pre},
    {"facts", "print what the functions of a project write, for stubs", cli_facts},
    {"stats", "print coverage over iterations and time as CSV", cli_stats},
    {"instrument", "instrument bitcode (for building the runtime, and for debugging)",
     cli_instrument},
};

int cli_fail(const struct error *err)
{
    fprintf(stderr, "cadenza: %s\n", err->text);
    switch (err->kind) {
    case ERROR_USAGE:
        return EXIT_USAGE;
    case ERROR_SOURCE:
    case ERROR_NO_TASKS:
    case ERROR_IO:
    case ERROR_MISSING:
        return EXIT_NOTHING;
    default:
        return EXIT_INTERNAL;
    }
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("cadenza: ", stderr);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nTry 'cadenza %s%s--help'.\n", command, *command ? " " : "");
    va_end(args);
    return EXIT_USAGE;
}

static void print_help(FILE *to)
{
    fputs("Cadenza generates tests for C code.\n\n"
          "  cadenza run FILE.c [options] [-- compiler flags]\n\n"
          "Commands:\n",
          to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].help);
    fputs("\n'cadenza COMMAND --help' tells more. Exit codes: 0 done (alarms do not change it),\n"
          "1 bugs or differing replays, 2 usage, 3 nothing could be tested, 4 internal error.\n",
          to);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "--version")) {
        puts("cadenza " CADENZA_VERSION);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name))
            return cli_on_deep_stack(commands[i].run, argc - 2, argv + 2);
    return cli_usage("", "there is no command '%s'", argv[1]);
}
