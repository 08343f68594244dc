// SPDX-License-Identifier: Apache-2.0
// A way through for a task all of whose runs end in a fault. Most often that is a pointer
// that the code does not expect to be NULL, behind others of that kind: each is a step that
// covers nothing, so the search has no reason to take all of them in one run. Here the run
// is repeated with an object behind the pointer, until it gets through or ends otherwise.
#include "campaign/campaign_internal.h"

enum {
    PATIENCE = 32, // runs before the first attempt; the next one comes after twice as many
    LINKS = 400,   // pointers of one attempt
};

void campaign_note_stumble(struct loop *loop, const struct wire_run *run)
{
    if (loop->kept_clean || run->status != WIRE_FAULT || run->fault != WIRE_FAULT_NULL ||
        !run->fault_shape)
        return;
    loop->stumble = run->fault_shape;
    buf_clear(&loop->stumbled);
    buf_add(&loop->stumbled, loop->input.data, loop->input.length);
}

// The input of the run that ended there, with an object. False: it has one already.
static bool put_object(struct loop *loop)
{
    size_t at = loop->stumble - 1;
    loop->stumble = 0;
    buf_clear(&loop->input);
    buf_add(&loop->input, loop->stumbled.data, loop->stumbled.length);
    while (loop->input.length <= at)
        buf_putc(&loop->input, 0);
    if (loop->input.data[at])
        return false;
    loop->input.data[at] = 1;
    return true;
}

bool campaign_get_through(struct loop *loop)
{
    const struct campaign *c = loop->campaign;
    if (loop->kept_clean || c->iterations < loop->next_attempt || c->iterations < PATIENCE)
        return true;
    for (unsigned i = 0; i < LINKS && loop->stumble && !loop->kept_clean; i++)
        if (campaign_budget_ended(loop) || !put_object(loop))
            break;
        else if (!campaign_execute(loop, NULL))
            return false;
    loop->next_attempt = 2 * c->iterations;
    return true;
}
