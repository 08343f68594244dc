// SPDX-License-Identifier: Apache-2.0
// Files in this very process, one after the other: a debugger sees everything but the workers of
// tasks. A file that crashes Cadenza takes the run with it.
#include "jobs/file_jobs.h"

#include "base/interrupt.h"

static bool run_file(const struct files_request *request, size_t file, const struct tokens *tokens,
                     struct error *err)
{
    struct outcome_message outcome = {.taken_over = true, .text = ""};
    struct buf text = BUF_INIT;
    bool good = true;
    if (!request->is_done(request->context, file)) {
        outcome = (struct outcome_message){.text = ""};
        good = request->begins(request->context, file, err);
        if (good)
            request->work(request->context, file, &request->observer, tokens, &outcome, &text);
        if (text.length)
            outcome.text = buf_text(&text);
    }
    good = good && request->done(request->context, file, &outcome, err);
    buf_release(&text);
    return good;
}

bool backend_here_run(const struct files_request *request, struct error *err)
{
    struct tokens tokens;
    if (!tokens_open(&tokens, err))
        return false;
    for (unsigned i = 1; i < request->jobs; i++) // of which this process has one anyway
        tokens_give(&tokens);
    bool good = true;
    for (size_t file = 0; file < request->count && good && !interrupt_pending(); file++)
        good = run_file(request, file, &tokens, err);
    tokens_close(&tokens);
    return good && (!interrupt_pending() || interrupt_error(err));
}
