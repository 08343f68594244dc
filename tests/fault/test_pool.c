// SPDX-License-Identifier: Apache-2.0
// Processes that die, lie or stop in the middle of a word: the others go on, and everything is
// handed over in order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/child.h"
#include "jobs/file_jobs.h"
#include "jobs/process_pool.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fault {
    WELL,
    KILLED,
    CRASHES,
    EXITS,
    HALF_A_RECORD,
    GARBAGE,
    DAMAGED,
    WRONG_TYPE,
    TALKS_ON,
    SAYS_NOTHING,
    FAULTS
};

static void write_all(int fd, const char *bytes, size_t length)
{
    if (write(fd, bytes, length) != (ssize_t)length)
        _exit(9);
}

static void send_part(int fd, size_t less, size_t damaged)
{
    struct buf bytes = BUF_INIT;
    record_write(&outcome_record, &(struct outcome_message){.text = "well"}, &bytes);
    if (damaged)
        bytes.data[damaged] ^= 1;
    write_all(fd, bytes.data, bytes.length - less);
    buf_release(&bytes);
}

static void commit(enum fault fault, int fd)
{
    signal(SIGSEGV, SIG_DFL); // ASan has a handler
    switch (fault) {
    case KILLED: raise(SIGKILL); break;
    case CRASHES: raise(SIGSEGV); break;
    case EXITS: _exit(7);
    case HALF_A_RECORD: send_part(fd, 5, 0); break;
    case GARBAGE: write_all(fd, "this is no record, and quite long", 33); break;
    case DAMAGED: send_part(fd, 0, 40); break;
    case WRONG_TYPE: child_send(fd, &error_record, &(struct error){.kind = ERROR_IO}); break;
    case TALKS_ON:
        send_part(fd, 0, 0);
        send_part(fd, 0, 0);
        break;
    default: break;
    }
}

// ---- the pool ----

struct seen {
    size_t count, order[64], heard[64];
    struct pool_end ends[64];
    unsigned at_a_time, most;
};

static bool begins(void *context, size_t piece, unsigned slot, struct error *err)
{
    struct seen *seen = context;
    (void)piece;
    (void)slot;
    (void)err;
    if (++seen->at_a_time > seen->most)
        seen->most = seen->at_a_time;
    return true;
}

static void work(void *context, size_t piece, int fd)
{
    (void)context;
    commit((enum fault)(piece % FAULTS), fd);
    if (piece % FAULTS == WELL)
        send_part(fd, 0, 0);
}

static bool hears(void *context, size_t piece, unsigned slot, const struct record_frame *frame)
{
    struct seen *seen = context;
    (void)slot;
    return frame->tag == outcome_record.tag && seen->heard[piece]++ == 0;
}

static void ended(void *context, size_t piece, unsigned slot, const struct pool_end *end)
{
    struct seen *seen = context;
    (void)slot;
    seen->ends[piece] = *end;
    seen->at_a_time--;
}

static bool done(void *context, size_t piece, struct error *err)
{
    struct seen *seen = context;
    (void)err;
    seen->order[seen->count++] = piece;
    return true;
}

static void processes_that_fail_disturb_nobody(void **state)
{
    (void)state;
    static const char *const how[FAULTS] = {
        [WELL] = "exit code 0",  [KILLED] = "signal 9",           [CRASHES] = "signal 11",
        [EXITS] = "exit code 7", [HALF_A_RECORD] = "exit code 0", [SAYS_NOTHING] = "exit code 0"};
    for (unsigned jobs = 1; jobs <= 5; jobs += 2) {
        struct seen seen = {0};
        struct error err = {0};
        struct pool_request request = {.count = 3 * FAULTS,
                                       .jobs = jobs,
                                       .last_words = 1,
                                       .begins = begins,
                                       .work = work,
                                       .hears = hears,
                                       .ended = ended,
                                       .done = done,
                                       .context = &seen};
        assert_true(pool_run(&request, &err));
        assert_int_equal(seen.count, 3 * FAULTS);
        assert_true(seen.most <= jobs);
        for (size_t i = 0; i < seen.count; i++) {
            size_t fault = i % FAULTS;
            bool garbled =
                fault == GARBAGE || fault == DAMAGED || fault == WRONG_TYPE || fault == TALKS_ON;
            assert_int_equal(seen.order[i], i);
            assert_int_equal(seen.ends[i].garbled, garbled);
            assert_int_equal(seen.ends[i].may_work, fault == KILLED || fault == EXITS);
            if (!garbled)
                assert_string_equal(seen.ends[i].how, how[fault]);
            if (fault == WELL)
                assert_int_equal(seen.heard[i], 1);
        }
    }
}

static bool stops_at_two(void *context, size_t piece, struct error *err)
{
    struct seen *seen = context;
    seen->count++;
    return piece < 2 || error_set(err, ERROR_IO, "no more");
}

static void sleeps(void *context, size_t piece, int fd)
{
    (void)context;
    (void)fd;
    if (piece > 2)
        sleep(1000); // until it is killed
}

static void a_parent_that_gives_up_leaves_no_process(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct error err = {0};
    struct tokens tokens;
    assert_true(tokens_open(&tokens, &err));
    for (int i = 0; i < 3; i++)
        tokens_give(&tokens);
    struct pool_request request = {.count = 8,
                                   .jobs = 4,
                                   .takes = &tokens,
                                   .last_words = 1,
                                   .begins = begins,
                                   .work = sleeps,
                                   .hears = hears,
                                   .ended = ended,
                                   .done = stops_at_two,
                                   .context = &seen};
    assert_false(pool_run(&request, &err));
    assert_string_equal(err.text, "no more");
    assert_int_equal(seen.count, 3);
    for (int i = 0; i < 3; i++)
        assert_true(tokens_take(&tokens)); // all are back
    assert_false(tokens_take(&tokens));
    tokens_close(&tokens);
}

// ---- files of a project ----

struct told {
    size_t count;
    enum error_kind kinds[FAULTS];
    char texts[FAULTS][80];
};

static bool file_begins(void *context, size_t file, struct error *err)
{
    (void)context;
    (void)file;
    (void)err;
    return true;
}

static bool is_done(void *context, size_t file)
{
    (void)context;
    (void)file;
    return false;
}

static void work_on_file(void *context, size_t file, const struct run_observer *observer,
                         const struct tokens *tokens, struct outcome_message *outcome,
                         struct buf *text)
{
    (void)context;
    (void)tokens;
    struct worker_state strange = {.worker = 1u << 20};
    if (file == SAYS_NOTHING) // a state that there cannot be
        observer->searching(observer->context, "f", &strange);
    commit((enum fault)file, *(int *)observer->context);
    if (file == HALF_A_RECORD)
        _exit(0);
    buf_puts(text, "fine");
    outcome->counts.tests = 17;
}

static bool file_done(void *context, size_t file, const struct outcome_message *outcome,
                      struct error *err)
{
    struct told *told = context;
    (void)err;
    assert_int_equal(file, told->count++);
    told->kinds[file] = outcome->kind;
    strncpy(told->texts[file], outcome->text, sizeof told->texts[file] - 1);
    assert_int_equal(outcome->counts.tests, outcome->kind == ERROR_NONE ? 17 : 0);
    return true;
}

static void files_whose_process_fails_say_how(void **state)
{
    (void)state;
    static const char *const texts[FAULTS] = {[WELL] = "fine",
                                              [KILLED] = "its process ended early (signal 9)",
                                              [CRASHES] = "its process ended early (signal 11)",
                                              [EXITS] = "its process ended early (exit code 7)",
                                              [HALF_A_RECORD] =
                                                  "its process ended early (exit code 0)"};
    struct told told = {0};
    struct error err = {0};
    struct files_request request = {.count = FAULTS,
                                    .jobs = 3,
                                    .is_done = is_done,
                                    .begins = file_begins,
                                    .work = work_on_file,
                                    .done = file_done,
                                    .context = &told};
    request.observer.searching = NULL;
    assert_true(files_run(&request, OPTION_ON_LOCAL, &err));
    assert_int_equal(told.count, FAULTS);
    for (size_t i = 0; i < FAULTS; i++) {
        assert_string_equal(told.texts[i],
                            texts[i] ? texts[i] : "its process sent what is no message");
        assert_int_equal(told.kinds[i], i == WELL                   ? ERROR_NONE
                                        : i == KILLED || i == EXITS ? ERROR_RETRY
                                                                    : ERROR_IO);
    }
}

int test_pool(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_that_fail_disturb_nobody),
        cmocka_unit_test(a_parent_that_gives_up_leaves_no_process),
        cmocka_unit_test(files_whose_process_fails_say_how),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
