// SPDX-License-Identifier: Apache-2.0
// The sandbox, tried from inside: a child enters it, does what code under test might
// do by accident, and reports a bit for each thing that should have failed.
#define _GNU_SOURCE 1
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../runtime/sandbox.c" // not part of the tool itself

struct place {
    char scratch[64], outside[64], victim[80];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    strcpy(place->scratch, "/tmp/test-sandbox-in-XXXXXX");
    strcpy(place->outside, "/tmp/test-sandbox-out-XXXXXX");
    if (!mkdtemp(place->scratch) || !mkdtemp(place->outside))
        return -1;
    snprintf(place->victim, sizeof place->victim, "%s/victim", place->outside);
    close(open(place->victim, O_CREAT | O_WRONLY, 0600));
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    unlink(place->victim);
    rmdir(place->outside);
    rmdir(place->scratch);
    free(place);
    return 0;
}

// Runs the function in a sandboxed child; its result, or 1000 + signal.
static int confined(const struct place *place, int (*function)(const struct place *))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char note[256];
        struct czrt_sandbox limits = { .writable = { place->scratch }, .file_size = 1 << 20 };
        if (chdir(place->scratch) != 0 || !czrt_sandbox_enter(&limits, note, sizeof note) ||
            !czrt_sandbox_self_signals())
            _exit(99);
        _exit(function(place));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static bool has_landlock(void)
{
    return landlock_version() >= 1;
}

static int write_outside(const struct place *place)
{
    char path[100];
    snprintf(path, sizeof path, "%s/new", place->outside);
    int harm = 0;
    harm |= open(place->victim, O_WRONLY) >= 0;
    harm |= (open(path, O_CREAT | O_WRONLY, 0600) >= 0) << 1;
    harm |= (unlink(place->victim) == 0) << 2;
    harm |= (rename(place->victim, "stolen") == 0) << 3;
    harm |= (chmod(place->victim, 0) == 0) << 4;
    harm |= (truncate(place->victim, 0) == 0 && landlock_version() >= 3) << 5;
    harm |= (mkdir(path, 0700) == 0) << 6;
    return harm;
}

static void nothing_outside_is_written(void **state)
{
    if (!has_landlock())
        skip();
    assert_int_equal(confined(*state, write_outside), 0);
    assert_int_equal(access(((struct place *)*state)->victim, W_OK), 0);
}

static int write_inside(const struct place *place)
{
    (void)place;
    int fd = open("file", O_CREAT | O_RDWR, 0600), bad = fd < 0;
    bad |= (write(fd, "x", 1) != 1) << 1;
    bad |= (rename("file", "other") != 0) << 2;
    bad |= (unlink("other") != 0) << 3;
    bad |= (open("/dev/null", O_WRONLY) < 0) << 4;
    bad |= (open("/proc/self/status", O_RDONLY) < 0) << 5; // reading is free
    return bad;
}

static void the_scratch_directory_works(void **state)
{
    assert_int_equal(confined(*state, write_inside), 0);
}

static int reach_out(const struct place *place)
{
    (void)place;
    int harm = 0;
    harm |= socket(AF_INET, SOCK_STREAM, 0) >= 0;
    harm |= (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) << 1;
    harm |= (kill(getppid(), 0) == 0) << 2;
    harm |= (kill(-1, 0) == 0) << 3;
    harm |= (kill(1, 0) == 0) << 4;
    char *arguments[] = { "true", NULL };
    execv("/bin/true", arguments);
    harm |= (errno != EPERM && errno != EACCES) << 5;
    struct itimerval soon = { .it_value.tv_sec = 1 };
    harm |= (setitimer(ITIMER_REAL, &soon, NULL) == 0) << 6;
    return harm;
}

static void exec_network_and_signals_fail(void **state)
{
    assert_int_equal(confined(*state, reach_out), 0);
}

static int abort_quietly(const struct place *place)
{
    (void)place;
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void a_process_may_still_abort(void **state)
{
    assert_int_equal(confined(*state, abort_quietly), 1000 + SIGABRT);
}

static int fill_a_file(const struct place *place)
{
    (void)place;
    static char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("large", O_CREAT | O_WRONLY, 0600), i;
    for (i = 0; i < 100 && write(fd, block, sizeof block) == sizeof block; i++)
        ;
    unlink("large");
    return i;
}

static void files_have_a_largest_size(void **state)
{
    assert_int_equal(confined(*state, fill_a_file), 16);
}

int test_sandbox(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_outside_is_written),    cmocka_unit_test(the_scratch_directory_works),
        cmocka_unit_test(exec_network_and_signals_fail), cmocka_unit_test(a_process_may_still_abort),
        cmocka_unit_test(files_have_a_largest_size),
    };
    return cmocka_run_group_tests_name("sandbox", tests, setup, teardown);
}
