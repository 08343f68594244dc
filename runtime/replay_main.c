// SPDX-License-Identifier: Apache-2.0
// The main program of a replay executable: the user's clean build, the driver, and
// this. `replay [-t SECONDS] [-T SECONDS] [-o 1] TESTFILE...` runs each test in a child of its own
// and prints one line per test (cadenza-jail keeps all of them from doing harm):
//
//     TESTFILE \t ok | exit CODE | signal NAME | timeout | rejected | sanitizer | skipped | error
//     TEXT \t USED INPUTS
//
// With -o 1 lines follow that tell what the test showed (replay_observe.c): "+path \t type \t
// value", and "+" alone if there was more; then what the call found (replay_setup.c), with "=". A
// second child runs the same test: a value that differs there is "differs".
//
// -t is the limit of a test, -T of all together: the test that is under way then is stopped
// and later ones are skipped, so that the profile of those before is not lost.
//
// The coverage profile must be saved however the test ends, or a crash would hide what
// it covered: at a normal end, exit(), _exit(), faults, abort and limits; see
// replay_profile.c. In a sanitizer build faults are left to the sanitizer, whose reports
// go to standard error, behind a line with the test's name (WIRE_TEST_MARK).
#define _GNU_SOURCE 1
#include "replay_runtime.h"
#include "../include/cz/driver.h"
#include "../wire/wire.h"
#include "own_signals.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIGNAL_STACK   (1u << 16)
#define SANITIZER_EXIT 77
#define GRACE_SECONDS  2
#define FULL_LOOPS     3    // tests that may loop for all of their CPU time ...
#define LOOP_SHARE     0.25 // ... before later ones get this share of it
#define FAIR_SECONDS   1    // a test that ends later than that is slow by itself
#define LOOK_SECONDS   0.05 // between looks at their CPU time
#define REPORT_FD      200  // or the next free one

struct replay_report *replay_report;

static unsigned time_limit = 10; // CPU seconds; some more by the clock
static double all_end;           // of the clock, for all tests; 0: none
static bool has_hung;            // some test waited for ever: those like it get less time
static unsigned loops;           // tests that used up their CPU time
static bool observes;            // -o: tells what tests show
static bool cut_short;           // the time for all tests ended in the middle of this one
static char scratch[PATH_MAX];

void __sanitizer_print_stack_trace(void) __attribute__((weak));
void __sanitizer_symbolize_pc(void *, const char *, char *, size_t) __attribute__((weak));
void __sanitizer_set_report_fd(void *) __attribute__((weak));

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=77:detect_leaks=0:allocator_may_return_null=1:abort_on_error=0";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "exitcode=77:halt_on_error=1:print_stacktrace=0";
}

// ---- In the child: ways to end ----

// The user's _exit, which runs no handlers.
_Noreturn void _exit(int code)
{
    replay_profile_save();
    for (;;)
        syscall(SYS_exit_group, code);
}

_Noreturn void _Exit(int code)
{
    _exit(code);
}

static void on_signal(int number)
{
    if (number == SIGXCPU || number == SIGALRM)
        replay_report->timed_out = true;
    else
        replay_assume_fault();
    replay_observe_flush();
    replay_profile_save();
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaction(number, &standard, NULL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
static const int limits[] = {SIGXCPU, SIGALRM, SIGTERM};

bool replay_catches(int number)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i] == number)
            return true;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] == number)
            return true;
    return false;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    if (!__sanitizer_print_stack_trace) { // a sanitizer has its own signal stack and handlers
        stack_t stack = {.ss_sp = __real_malloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
        if (stack.ss_sp)
            sigaltstack(&stack, NULL);
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
            sigaction(faults[i], &action, NULL);
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sigaction(limits[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN); // of the sanitizer's symbolizer, should it be gone
}

static void silence(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    // What the code under test says must not be taken for a sanitizer's report.
    int reports = __sanitizer_set_report_fd ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, REPORT_FD) : -1;
    if (reports >= 0) {
        __sanitizer_set_report_fd((void *)(intptr_t)reports);
        dup2(null, STDERR_FILENO);
    }
    if (null > STDERR_FILENO)
        close(null);
}

static const struct cz_task *find_task(const char *name)
{
    for (unsigned i = 0; i < cz_task_count; i++)
        if (strcmp(cz_tasks[i].name, name) == 0)
            return &cz_tasks[i];
    return NULL;
}

// The end of a task, or of a driver that cannot go on.
_Noreturn void cz_exit(void)
{
    replay_observe_flush();
    replay_running = false;
    replay_report->finished = true;
    exit(0);
}

static _Noreturn void run_test(const struct cz_task *task, struct testfile *test)
{
    // The hard limit kills; one second more lets the handler of SIGXCPU finish.
    struct rlimit cpu = {time_limit, time_limit + 1};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    silence();
    if (chdir(scratch) != 0)
        fprintf(stderr, "replay: %s: %s\n", scratch, strerror(errno));
    replay_profile_forget();
    catch_signals();
    setrlimit(RLIMIT_CPU, &cpu);
    czrt_signals_only_to_self();
    replay_inputs_begin(test);
    replay_registers_begin();
    replay_world_begin();
    replay_observe_begin();
    clearenv(); // what the engine's targets see
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("LC_ALL", "C", 1);
    replay_profile_begin();
    atexit(replay_profile_save); // runs after those of the code under test
    at_quick_exit(replay_profile_save);
    replay_running = true;
    errno = 0; // as in the engine's targets
    task->run();
    cz_exit();
}

// ---- In the parent ----

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    return at->level == 0 ? 0 : remove(path);
}

static void empty_scratch(void)
{
    nftw(scratch, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static double cpu_of(pid_t child)
{
    clockid_t id;
    struct timespec used;
    if (clock_getcpuclockid(child, &id) != 0 || clock_gettime(id, &used) != 0)
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

// Wait for a child until it has ended: false when the time or `cpu` seconds are over, or when
// it is stopped, in which case it would never end.
static bool await(pid_t child, int *status, double end, double cpu)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (;;) {
        if (waitpid(child, status, WNOHANG | WUNTRACED) == child)
            return !WIFSTOPPED(*status);
        double left = end - now();
        if (left <= 0 || (cpu > 0 && cpu_of(child) >= cpu))
            return false;
        if (cpu > 0 && left > LOOK_SECONDS)
            left = LOOK_SECONDS;
        struct timespec wait = {.tv_sec = (time_t)left,
                                .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        sigtimedwait(&set, NULL, &wait);
    }
}

static int await_or_stop(pid_t child)
{
    int status = 0;
    double begin = now(), end = begin + (has_hung ? time_limit : 4 * time_limit + 1);
    double cpu = loops >= FULL_LOOPS ? time_limit * LOOP_SHARE : 0;
    bool is_last = all_end > 0 && all_end < end;
    if (await(child, &status, is_last ? all_end : end, cpu)) {
        loops += replay_report->timed_out;
        return status;
    }
    replay_report->timed_out = true;
    cut_short = is_last && now() >= all_end && now() - begin < FAIR_SECONDS;
    has_hung |= !cpu;
    kill(child, SIGALRM); // its handler writes the profile
    kill(child, SIGCONT);
    if (!await(child, &status, now() + GRACE_SECONDS, 0)) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    return status;
}

static void print_outcome(const char *path, int status)
{
    const struct replay_report *report = replay_report;
    printf("%s\t", path);
    if (report->error[0])
        printf("error %s", report->error);
    else if (cut_short)
        printf("skipped");
    else if (report->timed_out)
        printf("timeout");
    else if (report->rejected)
        printf("rejected");
    else if (WIFSIGNALED(status))
        printf("signal SIG%s",
               sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
    else if (__sanitizer_print_stack_trace && WEXITSTATUS(status) == SANITIZER_EXIT)
        printf("sanitizer");
    else if (report->finished)
        printf("ok");
    else
        printf("exit %d", WEXITSTATUS(status));
    printf("\t%u\n", report->used);
    fflush(stdout);
}

// The code under test can write what it wants there.
static bool is_observation(const char *line, size_t length, unsigned tabs_wanted)
{
    unsigned tabs = 0;
    for (size_t i = 0; i < length; i++) {
        tabs += line[i] == '\t';
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
            return false;
    }
    return tabs == tabs_wanted && line[0] != '\t';
}

// What a second run of the same test saw; "" and 0 without one.
static struct replay_seen *second;

// The value is left out if a second run saw another one there.
static bool print_row(const char *line, size_t length, const char *other, char mark)
{
    size_t same = other ? strcspn(other, "\n") : 0;
    if (!other || (same == length && !memcmp(line, other, length))) {
        printf("%c%.*s\n", mark, (int)length, line);
        return true;
    }
    size_t head = length;
    while (head && line[head - 1] != '\t')
        head--;
    if (same < head || memcmp(line, other, head) != 0)
        return false;
    printf("%c%.*s%s\n", mark, (int)head, line, REPLAY_VARIES);
    return true;
}

// Lines of `tabs` + 1 columns, each behind a mark; a mark alone: there was more.
static void print_rows(const char *seen, unsigned length, const char *again, bool cut, char mark,
                       unsigned tabs)
{
    static char text[sizeof replay_seen->setup + 1];
    memcpy(text, seen, length);
    text[length] = '\0';
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        size_t size = (size_t)(end - line);
        if (!is_observation(line, size, tabs) || !print_row(line, size, again, mark)) {
            cut = true;
            break;
        }
        if (again)
            again += strcspn(again, "\n") + 1;
    }
    if (cut)
        printf("%c\n", mark);
}

static void end_text(char *text, unsigned length, size_t room)
{
    text[length < room ? length : room - 1] = '\0';
}

static void print_observations(void)
{
    unsigned length = replay_seen->length, setup_length = replay_seen->setup_length;
    bool cut = length > sizeof replay_seen->text;
    bool setup_cut = setup_length > sizeof replay_seen->setup;
    end_text(second->text, second->length, sizeof second->text);
    end_text(second->setup, second->setup_length, sizeof second->setup);
    print_rows(replay_seen->text, cut ? 0 : length, second->wanted ? second->text : NULL,
               cut || replay_seen->is_cut, '+', 2);
    print_rows(replay_seen->setup, setup_cut ? 0 : setup_length,
               second->wanted ? second->setup : NULL, setup_cut || replay_seen->is_setup_cut, '=',
               3);
    fflush(stdout);
}

// Once more, to see which values are the same. Nothing else of it counts.
static void observe_again(const struct cz_task *task, struct testfile *test)
{
    struct replay_report kept = *replay_report;
    *second = *replay_seen;
    memset(replay_report, 0, sizeof *replay_report);
    replay_seen->length = replay_seen->setup_length = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        replay_profile_ignore();
        run_test(task, test);
    }
    if (child > 0)
        await_or_stop(child);
    struct replay_seen *first = second;
    second = replay_seen;
    replay_seen = first;
    second->wanted = child > 0 && replay_report->finished;
    *replay_report = kept;
    empty_scratch();
}

static void replay(const char *path)
{
    struct testfile test;
    const struct cz_task *task;
    int status = 0;
    memset(replay_report, 0, sizeof *replay_report);
    replay_seen->wanted = observes;
    replay_seen->length = replay_seen->setup_length = 0;
    replay_seen->is_cut = replay_seen->is_setup_cut = false;
    if (!testfile_read(path, &test, replay_report->error, sizeof replay_report->error)) {
        print_outcome(path, 0);
        return;
    }
    task = find_task(test.task);
    if (!task) {
        snprintf(replay_report->error, sizeof replay_report->error, "there is no task '%s'",
                 test.task);
    } else {
        if (__sanitizer_print_stack_trace)
            fprintf(stderr, WIRE_TEST_MARK "%s\n", path);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            run_test(task, &test);
        if (child < 0)
            snprintf(replay_report->error, sizeof replay_report->error, "fork: %s",
                     strerror(errno));
        else
            status = await_or_stop(child);
        if (!cut_short)
            replay_profile_gather();
        empty_scratch();
        second->wanted = false;
        if (observes && replay_report->finished && !cut_short)
            observe_again(task, &test);
    }
    print_outcome(path, status);
    if (observes)
        print_observations();
    testfile_release(&test);
}

// A sanitizer starts the program that knows function names when it first needs one.
// In the sandbox it could not; started here, it serves all children.
static void start_symbolizer(void)
{
    char text[64];
    if (__sanitizer_symbolize_pc)
        __sanitizer_symbolize_pc((void *)replay, "%f", text, sizeof text);
}

// In a jail without Landlock no directory can be made: the one that we were given has to do.
static bool make_scratch(void)
{
    const char *parent = getenv("TMPDIR");
    parent = parent && parent[0] ? parent : "/tmp";
    snprintf(scratch, sizeof scratch, "%s/replay-XXXXXX", parent);
    if (mkdtemp(scratch))
        return true;
    snprintf(scratch, sizeof scratch, "%s", parent);
    return errno == EPERM;
}

// Tests that hash or compare pointers must do the same in every replay.
static void fix_addresses(char **argv)
{
    int now = personality(0xffffffff);
    if (now >= 0 && !(now & ADDR_NO_RANDOMIZE) &&
        personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0)
        execv("/proc/self/exe", argv); // without /proc we go on as we are
}

// No getopt(): the code under test may use it, and its state is hidden in libc.
static int read_options(int argc, char **argv)
{
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        double seconds = atof(argv[at + 1]);
        if (!strcmp(argv[at], "-t") && seconds >= 1)
            time_limit = (unsigned)seconds;
        else if (!strcmp(argv[at], "-T") && seconds > 0)
            all_end = now() + seconds;
        else if (!strcmp(argv[at], "-o"))
            observes = seconds > 0;
        else
            return 0;
    }
    return at < argc && argv[at][0] == '-' ? 0 : at;
}

int main(int argc, char **argv)
{
    fix_addresses(argv);
    int first = read_options(argc, argv);
    if (!first) {
        fprintf(stderr, "usage: %s [-t SECONDS] [-T SECONDS] [-o 0|1] TESTFILE...\n", argv[0]);
        return 2;
    }
    replay_report = mmap(NULL, sizeof *replay_report, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    replay_seen =
        mmap(NULL, sizeof *replay_seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    second = mmap(NULL, sizeof *second, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (replay_report == MAP_FAILED || replay_seen == MAP_FAILED || second == MAP_FAILED ||
        !make_scratch()) {
        perror("replay");
        return 2;
    }
    replay_seen->wanted = observes;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    replay_profile_init();
    start_symbolizer();
    for (int i = first; i < argc; i++)
        if (all_end > 0 && now() >= all_end)
            printf("%s\tskipped\t0\n", argv[i]);
        else
            replay(argv[i]);
    rmdir(scratch);
    return replay_profile_write() ? 0 : 2;
}
