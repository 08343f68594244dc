// SPDX-License-Identifier: Apache-2.0
// Subcommands: one file each, listed in main.c. A subcommand gets its words without
// the program's name and returns the exit code.
#ifndef CZ_CLI_H
#define CZ_CLI_H

#include "base/error.h"
#include "base/exit_codes.h"
#include "report/gate.h"

int cli_run(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_show(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_just(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_facts(int argc, char **argv);
int cli_pre(int argc, char **argv);
int cli_stats(int argc, char **argv);
int cli_diff(int argc, char **argv);
int cli_instrument(int argc, char **argv);

// Run a subcommand where there is room for deep recursion; returns its exit code.
int cli_on_deep_stack(int (*run)(int argc, char **argv), int argc, char **argv);

// --no-sandbox: says what that gives up.
void cli_leave_sandbox(void);

// What of the gate holds and what does not, on standard error; only the latter if `quiet`.
void cli_print_gate(const struct gate *gate, const struct result_counts *counts, bool quiet);

// Print "cadenza: text" and return the exit code that fits the kind.
int cli_fail(const struct error *err);
// Has all that was printed arrived? If not, says so and returns EXIT_RETRY, else the code.
int cli_flush(int code);
// The same for the command line: adds where to find help.
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
