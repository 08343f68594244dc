// SPDX-License-Identifier: Apache-2.0
// The ways a run ends other than by returning: signals (on a stack of their own,
// so that a stack overflow can be told), failed checks, exit and abort, the step
// budget. Each fills czrt_outcome and leaves by siglongjmp. Without a run in
// progress (a program with its own main, or a bug of ours) the real thing happens.
#define _GNU_SOURCE 1
#include "library_state.h"
#include "target_process.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define SIGNAL_STACK (64u << 10)
#define STACK_MARGIN 4096 // an address this near to the guard is an overflow
#define MAX_HANDLERS 64

struct handler {
    void (*plain)(void);
    void (*with_argument)(void *);
    void *argument;
};
static struct handler exit_handlers[MAX_HANDLERS], quick_handlers[MAX_HANDLERS];
static unsigned exit_count, quick_count;

static const char *const fault_names[WIRE_FAULT_COUNT] = {
#define FAULT(name, option, words, traits) words,
#include "../wire/faults.def"
#undef FAULT
};

static _Noreturn void end_run(uint32_t status, uint32_t fault, uint32_t site, const void *address,
                              uint32_t exit_code)
{
    if (status == WIRE_FAULT && czrt_is_assuming()) { // p->n, and p is NULL: it does not hold
        czrt_blame_last();
        status = WIRE_REJECTED;
    }
    czrt_outcome.status = status;
    czrt_outcome.fault = fault;
    czrt_outcome.fault_site = site;
    czrt_outcome.exit_code = exit_code;
    czrt_outcome.fault_address = (uint64_t)address;
    czrt_leave();
}

static void note_object(const struct czrt_object *object)
{
    if (object->bounded)
        czrt_loss(WIRE_LOSS_ELEMENTS);
    czrt_outcome.fault_place = czrt_place_of(object->base);
}

_Noreturn void czrt_fault_beyond(const struct czrt_object *object, uint32_t site,
                                 const void *address)
{
    if (!czrt_running)
        czrt_fault(WIRE_FAULT_BOUNDS, site, address);
    note_object(object);
    end_run(WIRE_FAULT, WIRE_FAULT_BOUNDS, czrt_place(site), address, 0);
}

_Noreturn void czrt_fault(uint32_t fault, uint32_t site, const void *address)
{
    if (!czrt_running) {
        fprintf(stderr, "czrt: fault: %s at %p (site %u)\n",
                fault < WIRE_FAULT_COUNT ? fault_names[fault] : "?", address, site);
        abort();
    }
    if (fault == WIRE_FAULT_BOUNDS && czrt_heap_owns(address) &&
        czrt_heap_is_freed((uintptr_t)address))
        fault = WIRE_FAULT_FREED; // poison does not say why it is there
    if (fault == WIRE_FAULT_BOUNDS) {
        const struct czrt_object *object = czrt_object_find(address);
        if (!object && czrt_heap_owns(address))
            object = czrt_heap_nearest((uintptr_t)address);
        czrt_end_if_open(object, address);
        if (object)
            note_object(object);
    }
    if (fault == WIRE_FAULT_NULL)
        czrt_outcome.fault_shape = czrt_last_shape();
    end_run(WIRE_FAULT, fault, czrt_place(site), address, 0);
}

_Noreturn void czrt_end_at_bound(void)
{
    end_run(WIRE_STEPS, WIRE_FAULT_NONE, 0, NULL, 1);
}

_Noreturn void czrt_end_by_steps(uint32_t site)
{
    if (!czrt_running) {
        fprintf(stderr, "czrt: out of steps\n");
        abort();
    }
    end_run(WIRE_STEPS, WIRE_FAULT_NONE, site, NULL, 0);
}

// An array that does not fit the stack would only be noticed when its end is touched, after
// all of its shadow.
void czrt_alloca(uint64_t size, wire_label label, uint32_t site)
{
    const uintptr_t floor = CZRT_STACK_BASE + CZRT_STACK_GUARD + STACK_MARGIN;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here - CZRT_STACK_BASE >= CZRT_STACK_SIZE) // a thread's
        return;
    uint64_t room = here < floor ? 0 : here - floor;
    if (label)
        czrt_check(site, WIRE_FAULT_STACK, size <= room,
                   czrt_binary(WIRE_ULE, 64, label, 0, 0, room));
    if (size > room)
        czrt_fault(WIRE_FAULT_STACK, site, (const void *)(here - (uintptr_t)size));
}

// ---- Signals ----

static uint32_t classify_address(const siginfo_t *info)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    // Below the guard nothing is mapped: a very large frame ends there.
    const uintptr_t floor = CZRT_STACK_BASE - CZRT_STACK_REACH;
    if (address - floor < CZRT_STACK_REACH + CZRT_STACK_GUARD + STACK_MARGIN)
        return WIRE_FAULT_STACK;
    bool has_address = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    return has_address && CZRT_IS_WILD(address) ? WIRE_FAULT_NULL : WIRE_FAULT_SEGV;
}

static uint32_t classify(int number, const siginfo_t *info)
{
    switch (number) {
    case SIGSEGV: return classify_address(info);
    case SIGFPE: return info->si_code == FPE_INTDIV ? WIRE_FAULT_DIVISION : WIRE_FAULT_FPE;
    case SIGBUS: return WIRE_FAULT_SEGV;
    case SIGABRT: return WIRE_FAULT_ABORT;
    default: return WIRE_FAULT_ILLEGAL;
    }
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (!czrt_running) { // not the code under test: die of it
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    // Our abort() does not raise: this one comes from inside libc, which may hold its
    // locks (heap corruption, a failed internal check).
    if (number == SIGABRT)
        czrt_distrust = true;
    bool has_address = number == SIGSEGV || number == SIGBUS;
    uint32_t fault = classify(number, info);
    if (fault == WIRE_FAULT_NULL)
        czrt_shapes_wake();
    uint32_t site = fault == WIRE_FAULT_STACK ? czrt_recursion_site((const ucontext_t *)context)
                                              : czrt_place(0);
    end_run(WIRE_FAULT, fault, site, has_address ? info->si_addr : NULL, 0);
}

void czrt_faults_init(void)
{
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        abort();
    // Not deferred, since the handler never returns; no mask to restore then.
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        sigaction(caught[i], &action, NULL);
}

void czrt_faults_reset(void)
{
    exit_count = quick_count = 0;
}

// ---- Replacements of the functions that end a program ----

static void run_handlers(struct handler *handlers, unsigned *count)
{
    while (*count > 0) {
        struct handler handler = handlers[--*count];
        if (handler.plain)
            handler.plain();
        else
            handler.with_argument(handler.argument);
    }
}

static int add_handler(struct handler *handlers, unsigned *count, struct handler handler)
{
    czrt_ret = 0;
    if (*count == MAX_HANDLERS) {
        czrt_loss(WIRE_LOSS_STATE); // the C library has room for more
        return -1;
    }
    handlers[(*count)++] = handler;
    return 0;
}

// For lack of memory, as an input says.
static bool is_refused(const char *function)
{
    return !czrt_is_program() && czrt_allocation_fails(function);
}

int czrt_atexit(void (*function)(void))
{
    czrt_pin_argument(0, (uintptr_t)function);
    if (!czrt_running)
        return atexit(function);
    if (is_refused("atexit"))
        return -1;
    return add_handler(exit_handlers, &exit_count, (struct handler){.plain = function});
}

int czrt_on_exit(void (*function)(int, void *), void *argument)
{
    (void)function; // its status argument is not known to a handler of ours
    (void)argument;
    czrt_loss(WIRE_LOSS_EXTERNAL);
    czrt_ret = 0;
    return 0;
}

int czrt___cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    (void)library;
    return add_handler(exit_handlers, &exit_count,
                       (struct handler){.with_argument = function, .argument = argument});
}

int czrt_at_quick_exit(void (*function)(void))
{
    czrt_pin_argument(0, (uintptr_t)function);
    if (czrt_running && is_refused("at_quick_exit"))
        return -1;
    return add_handler(quick_handlers, &quick_count, (struct handler){.plain = function});
}

// The driver ends the run: a stub that must not return was called. The code tells it from
// a task that has come to its end.
_Noreturn void cz_exit(void)
{
    end_run(WIRE_OK, WIRE_FAULT_NONE, 0, NULL, 1);
}

_Noreturn void czrt__exit(int code)
{
    if (!czrt_running)
        _exit(code);
    end_run(WIRE_EXIT, WIRE_FAULT_NONE, 0, NULL, (uint32_t)code);
}

_Noreturn void czrt_exit(int code)
{
    if (!czrt_running)
        exit(code);
    run_handlers(exit_handlers, &exit_count);
    czrt__exit(code);
}

_Noreturn void czrt__Exit(int code)
{
    czrt__exit(code);
}

_Noreturn void czrt_quick_exit(int code)
{
    run_handlers(quick_handlers, &quick_count);
    czrt__exit(code);
}

_Noreturn void czrt_abort(void)
{
    if (!czrt_running)
        abort();
    end_run(WIRE_FAULT, WIRE_FAULT_ABORT, czrt_place(0), NULL, 0);
}

_Noreturn void czrt___assert_fail(const char *text, const char *file, unsigned line,
                                  const char *function)
{
    if (!czrt_running) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
        abort();
    }
    end_run(WIRE_FAULT, WIRE_FAULT_ASSERT, czrt_place(0), NULL, 0);
}

_Noreturn void czrt___assert(const char *text, const char *file, int line)
{
    czrt___assert_fail(text, file, (unsigned)line, "?");
}

_Noreturn void czrt___assert_perror_fail(int error, const char *file, unsigned line,
                                         const char *function)
{
    czrt___assert_fail(strerror(error), file, line, function);
}

_Noreturn void czrt___stack_chk_fail(void)
{
    czrt_fault(WIRE_FAULT_STACK, 0, NULL);
}

_Noreturn void czrt___chk_fail(void)
{
    czrt_fault(WIRE_FAULT_BOUNDS, 0, NULL);
}

// ---- Jumps ----

_Noreturn void czrt_longjmp(jmp_buf to, int value)
{
    czrt_pin_argument(1, (unsigned)value);
    czrt_objects_unguard();
    longjmp(to, value);
}

_Noreturn void czrt__longjmp(jmp_buf to, int value)
{
    czrt_longjmp(to, value);
}

_Noreturn void czrt_siglongjmp(sigjmp_buf to, int value)
{
    czrt_pin_argument(1, (unsigned)value);
    czrt_objects_unguard();
    siglongjmp(to, value);
}

// <err.h>: print and exit.
_Noreturn void czrt_err(int code, const char *format, ...)
{
    (void)format;
    czrt_exit(code);
}

// <error.h>: the same unless the code is 0.
void czrt_error(int code, int number, const char *format, ...)
{
    (void)number;
    (void)format;
    czrt_pin_argument(0, (unsigned)code);
    if (code)
        czrt_exit(code);
}

void czrt_error_at_line(int code, int number, const char *file, unsigned line, const char *format,
                        ...)
{
    (void)number;
    (void)file;
    (void)line;
    (void)format;
    czrt_pin_argument(0, (unsigned)code);
    if (code)
        czrt_exit(code);
}

_Noreturn void czrt_errx(int code, const char *format, ...)
{
    (void)format;
    czrt_exit(code);
}

_Noreturn void czrt_verr(int code, const char *format, va_list arguments)
{
    (void)format;
    (void)arguments;
    czrt_exit(code);
}

_Noreturn void czrt_verrx(int code, const char *format, va_list arguments)
{
    (void)format;
    (void)arguments;
    czrt_exit(code);
}
