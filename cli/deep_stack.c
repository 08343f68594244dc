// SPDX-License-Identifier: Apache-2.0
// Compilers and everything that walks a syntax tree call themselves once per level of nesting,
// and generated code has thousands of levels. So commands run in a thread with a stack that is
// much larger than the system's; its pages cost nothing until they are used. What needs still
// more ends with a sentence instead of a bare segmentation fault.
#include "cli.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK_SIZE   ((size_t)512 << 20)
#define GUARD_SIZE   ((size_t)1 << 20)
#define SIGNAL_STACK ((size_t)64 << 10)

struct command {
    int (*run)(int argc, char **argv);
    int argc;
    char **argv;
    int exit_code;
};

static char *stack; // the guard is its lowest part
static pid_t first; // the process that the user started

// A defect of ours, or of a library. The status of a worker tells its parent; nobody but us
// speaks to the user.
static void on_crash(int signal_number)
{
    static const char message[] =
        "cadenza: internal error: it crashed; please report this with the command line and the "
        "input file (results of finished tasks are in the output directory)\n";
    signal(signal_number, SIG_DFL);
    if (getpid() != first)
        raise(signal_number);
    else if (write(STDERR_FILENO, message, sizeof message - 1) >= 0 || first)
        _exit(EXIT_INTERNAL);
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    static const char message[] =
        "cadenza: the code nests too deeply: blocks, parentheses or expressions inside each other "
        "need more than 512 MB of stack; split the expression or the function\n";
    uintptr_t at = (uintptr_t)info->si_addr, low = (uintptr_t)stack;
    (void)context;
    if (at >= low && at < low + GUARD_SIZE) {
        if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
            _exit(EXIT_INTERNAL);
        _exit(EXIT_NOTHING);
    }
    on_crash(signal_number);
}

static void *work(void *argument)
{
    struct command *command = argument;
    stack_t alternate = {.ss_sp = malloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    if (alternate.ss_sp && sigaltstack(&alternate, NULL) == 0)
        sigaction(SIGSEGV, &action, NULL);
    first = getpid();
    signal(SIGABRT, on_crash); // BUG(), a failed assertion, LLVM's fatal errors
    signal(SIGBUS, on_crash);
    signal(SIGFPE, on_crash);
    signal(SIGILL, on_crash);
    command->exit_code = command->run(command->argc, command->argv);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    free(alternate.ss_sp);
    return NULL;
}

int cli_on_deep_stack(int (*run)(int argc, char **argv), int argc, char **argv)
{
    struct command command = {run, argc, argv, EXIT_INTERNAL};
    pthread_attr_t attributes;
    pthread_t thread;
    // libclang's own thread has 8 MB, and its handler of faults no stack of its own.
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    bool there = stack != MAP_FAILED && mprotect(stack, GUARD_SIZE, PROT_NONE) == 0 &&
                 pthread_attr_init(&attributes) == 0;
    if (!there || pthread_attr_setstack(&attributes, stack, STACK_SIZE) != 0 ||
        pthread_create(&thread, &attributes, work, &command) != 0)
        return run(argc, argv);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); // they are for the thread that works
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    return command.exit_code;
}
