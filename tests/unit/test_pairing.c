// SPDX-License-Identifier: Apache-2.0
// Engine and target on one processor: bound together after a moment, free again at the end, and a
// process that the engine forks meanwhile is free from its start.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/pairing.h"

enum { LOOKS = 100 };

static int processors_of(pid_t process)
{
    cpu_set_t set;
    return sched_getaffinity(process, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

static pid_t start_partner(void)
{
    pid_t partner = fork();
    while (partner == 0)
        pause();
    return partner;
}

static void a_pair_shares_a_processor_until_it_is_stopped(void **state)
{
    (void)state;
    struct pairing pairing = {0};
    int usual = processors_of(0);
    pid_t partner = start_partner();
    pairing_start(&pairing, partner);
    if (!pairing.possible) { // one processor, or a kernel that does not tell
        kill(partner, SIGKILL);
        waitpid(partner, NULL, 0);
        skip();
    }
    for (int i = 0; i < LOOKS && !pairing.bound; i++) {
        usleep(2000);
        pairing_look(&pairing);
    }
    assert_true(pairing.bound);
    assert_int_equal(processors_of(0), 1);
    assert_int_equal(processors_of(partner), 1);
    pid_t child = fork();
    if (child == 0) {
        pairing_leave(&pairing);
        _exit(processors_of(0));
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), usual);
    pairing_stop(&pairing);
    assert_int_equal(processors_of(0), usual);
    assert_int_equal(processors_of(partner), usual);
    kill(partner, SIGKILL);
    waitpid(partner, NULL, 0);
}

int test_pairing(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_shares_a_processor_until_it_is_stopped),
    };
    return cmocka_run_group_tests_name("pairing", tests, NULL, NULL);
}
