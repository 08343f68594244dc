// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void live(void (*work)(void *context, int fd), void *context, int fd, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) // it died in between
        _exit(1);
    work(context, fd);
    _exit(0);
}

bool child_start(struct child *child, void (*work)(void *context, int fd), void *context,
                 struct error *err)
{
    int ends[2];
    assert(!child->pid);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_errno(err, "cannot make a pipe");
    fflush(NULL); // or both would write it
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        live(work, context, ends[1], self);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_errno(err, "cannot start a process");
    }
    buf_clear(&child->received);
    child->taken = 0;
    child->pid = pid;
    child->fd = ends[0];
    return true;
}

void child_send_bytes(int fd, const struct buf *bytes)
{
    for (size_t sent = 0; sent < bytes->length;) {
        ssize_t done = write(fd, bytes->data + sent, bytes->length - sent);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(1); // the parent is gone
        sent += (size_t)done;
    }
}

void child_send(int fd, const struct record_type *type, const void *object)
{
    struct buf bytes = BUF_INIT;
    record_write(type, object, &bytes);
    child_send_bytes(fd, &bytes);
    buf_release(&bytes);
}

// What was taken goes before more comes.
static void make_room(struct child *child)
{
    size_t left = child->received.length - child->taken;
    if (child->taken && left)
        memmove(child->received.data, child->received.data + child->taken, left);
    child->received.length = left;
    child->taken = 0;
}

bool child_hear(struct child *child)
{
    char chunk[65536];
    ssize_t got;
    make_room(child);
    while ((got = read(child->fd, chunk, sizeof chunk)) < 0 && errno == EINTR)
        ;
    if (got > 0)
        buf_add(&child->received, chunk, (size_t)got);
    return got > 0;
}

enum record_found child_next(struct child *child, struct record_frame *out, struct error *err)
{
    return record_take(buf_text(&child->received), child->received.length, &child->taken, out, err);
}

int child_end(struct child *child)
{
    int status = 0;
    assert(child->pid);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(child->fd);
    child->pid = 0;
    return status;
}

void child_release(struct child *child)
{
    if (child->pid) {
        kill(child->pid, SIGKILL);
        child_end(child);
    }
    buf_release(&child->received);
}

void child_describe(int status, char *text, size_t size)
{
    snprintf(text, size, "%s %d", WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}
