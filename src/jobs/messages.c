// SPDX-License-Identifier: Apache-2.0
#include "jobs/messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// More workers than any machine has, and more text than any table.
enum { MOST_WORKERS = 1 << 16, LONGEST = 1 << 30 };

struct head {
    uint32_t kind, length;
};

void message_send(int fd, char kind, const struct buf *text)
{
    struct buf message = BUF_INIT;
    struct head head = {(unsigned char)kind, (uint32_t)text->length};
    buf_add(&message, (const char *)&head, sizeof head);
    buf_add(&message, text->data, text->length);
    for (size_t sent = 0; sent < message.length;) {
        ssize_t done = write(fd, message.data + sent, message.length - sent);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1); // the parent is gone
        sent += (size_t)done;
    }
    buf_release(&message);
}

enum message_found message_take(const struct buf *received, size_t *at, struct message *out)
{
    struct head head;
    size_t left = received->length - *at;
    if (left < sizeof head)
        return MESSAGE_NONE;
    memcpy(&head, received->data + *at, sizeof head);
    if ((head.kind != 'S' && head.kind != 'P' && head.kind != 'F') || head.length > LONGEST)
        return MESSAGE_BROKEN;
    if (left - sizeof head < head.length)
        return MESSAGE_NONE;
    *out = (struct message){(char)head.kind, received->data + *at + sizeof head, head.length};
    *at += sizeof head + head.length;
    return MESSAGE_WHOLE;
}

bool message_state(const struct message *message, struct worker_state *state, char *task,
                   size_t task_size)
{
    unsigned char ended;
    if (message->kind != 'P' || message->length < sizeof *state)
        return false;
    // A bool that is neither 0 nor 1 must not be read as one.
    memcpy(&ended, message->text + offsetof(struct worker_state, ended), 1);
    if (ended > 1)
        return false;
    memcpy(state, message->text, sizeof *state);
    size_t length = message->length - sizeof *state;
    snprintf(task, task_size, "%.*s", (int)(length < task_size ? length : task_size),
             message->text + sizeof *state);
    return state->worker < MOST_WORKERS;
}
