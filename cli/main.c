// SPDX-License-Identifier: Apache-2.0
// The command line: picks the subcommand.
#include "cli.h"

#include "base/interrupt.h"
#include "base/jail_command.h"
#include <errno.h>
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
    {"diff", "compare two run directories: goals, behaviour of tests, alarms", cli_diff},
    {"report", "write the result as HTML, or for other programs: lcov, JUnit ...", cli_report},
    {"export", "write the tests of a run directory for cmocka, Unity, plain C and others",
     cli_export},
    {"pre", "list, confirm or reject preconditions of functions", cli_pre},
    {"just", "print open goals as lines of justifications", cli_just},
    {"facts", "print what the functions of a project write, for stubs", cli_facts},
    {"stats", "print coverage over iterations and time as CSV", cli_stats},
    {"instrument", "instrument bitcode (for building the runtime, and for debugging)",
     cli_instrument},
};

void cli_leave_sandbox(void)
{
    jail_switch_off();
    fputs(
        "cadenza: warning: --no-sandbox: the code under test can write and remove files, reach the "
        "network, start programs, signal other processes, and leave some behind\n",
        stderr);
}

int cli_fail(const struct error *err)
{
    fprintf(stderr, "cadenza: %s\n", err->text);
    return exit_for_error(err->kind);
}

void cli_print_gate(const struct gate *gate, const struct result_counts *counts, bool quiet)
{
    struct buf text = BUF_INIT;
    gate_describe(gate, counts, quiet, &text);
    for (const char *line = buf_text(&text); *line; line += strcspn(line, "\n") + 1)
        fprintf(stderr, "cadenza: %.*s\n", (int)strcspn(line, "\n"), line);
    buf_release(&text);
}

int cli_flush(int code)
{
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return code;
    fprintf(stderr, "cadenza: cannot write to standard output: %s\n", strerror(errno));
    return exit_first(exit_bit((enum exit_code)code) | exit_bit(EXIT_RETRY));
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
    struct buf codes = BUF_INIT;
    exit_describe(&codes);
    fprintf(to, "\n'cadenza COMMAND --help' tells more.\n%s", buf_text(&codes));
    buf_release(&codes);
}

int main(int argc, char **argv)
{
    interrupt_watch();
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
            return cli_flush(cli_on_deep_stack(commands[i].run, argc - 2, argv + 2));
    return cli_usage("", "there is no command '%s'", argv[1]);
}
