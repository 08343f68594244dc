// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include "base/buf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL 0.1 // seconds between two pictures

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_init(struct progress *p, bool wanted)
{
    const char *terminal = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    bool able = terminal && *terminal && strcmp(terminal, "dumb") != 0;
    *p = (struct progress){.enabled = wanted && able && isatty(STDERR_FILENO),
                           .colour = !no_colour || !*no_colour,
                           .start = now(),
                           .files = 1,
                           .files_begun = 1};
}

// ---- the picture ----

// The size of the terminal; COLUMNS and LINES where it does not tell.
static void size_of_terminal(unsigned *columns, unsigned *rows)
{
    struct winsize size = {0};
    const char *wide = getenv("COLUMNS"), *high = getenv("LINES");
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    *columns = size.ws_col ? size.ws_col : wide ? (unsigned)strtoul(wide, NULL, 10) : 0;
    *rows = size.ws_row ? size.ws_row : high ? (unsigned)strtoul(high, NULL, 10) : 0;
    if (!*columns)
        *columns = 80;
    if (!*rows)
        *rows = 24;
}

// A line of the picture, cut before the last column: writing there may wrap. Bytes inside
// of a character of UTF-8 take no room.
static void put_line(const char *text, unsigned columns, unsigned *lines, struct buf *out)
{
    unsigned column = 0;
    if ((*lines)++)
        buf_putc(out, '\n');
    for (; *text; text++) {
        bool inside = ((unsigned char)*text & 0xc0) == 0x80;
        if (!inside && ++column >= columns)
            break;
        buf_putc(out, (unsigned char)*text < ' ' ? '?' : *text);
    }
}

static void put_worker(const struct progress_worker *worker, unsigned columns, unsigned *lines,
                       struct buf *out)
{
    char text[200];
    int name = columns / 3 < 28 ? (int)columns / 3 : 28;
    if (worker->busy)
        snprintf(text, sizeof text, "  %-*.*s %llu/%llu branches, %llu executions", name, name,
                 worker->task, (unsigned long long)worker->state.covered,
                 (unsigned long long)worker->state.goals,
                 (unsigned long long)worker->state.iterations);
    else
        snprintf(text, sizeof text, "  (idle)");
    put_line(text, columns, lines, out);
}

static double share_done(const struct progress *p)
{
    double of_begun = p->tasks ? (double)p->tasks_done / (double)p->tasks : 0;
    double under_way =
        p->files_begun > p->files_done ? (double)(p->files_begun - p->files_done) : 0;
    return ((double)p->files_done + under_way * of_begun) / (double)p->files;
}

static void put_bar(const struct progress *p, unsigned columns, double seconds, unsigned *lines,
                    struct buf *out)
{
    struct buf text = BUF_INIT;
    unsigned width = columns / 4 < 30 ? columns / 4 : 30;
    unsigned full = (unsigned)(share_done(p) * width);
    buf_putc(&text, '[');
    for (unsigned i = 0; i < width; i++)
        buf_putc(&text, i < full ? '#' : '.');
    buf_puts(&text, "] ");
    if (p->files > 1)
        buf_printf(&text, "file %zu/%zu, ", p->files_begun, p->files);
    if (p->tasks)
        buf_printf(&text, "%zu/%zu tasks, ", p->tasks_done, p->tasks);
    buf_printf(&text, "%u:%02u %s%s%s", (unsigned)seconds / 60, (unsigned)seconds % 60, p->stage,
               *p->stage && *p->file ? " " : "", p->file);
    size_t before = out->length;
    put_line(text.data, columns, lines, out);
    buf_release(&text);
    if (!p->colour)
        return;
    // Colour takes no room, so it comes after the cutting: around the whole line.
    struct buf line = BUF_INIT;
    before += out->data[before] == '\n';
    buf_add(&line, out->data + before, out->length - before);
    out->length = before;
    buf_printf(out, "\033[32m%s\033[0m", buf_text(&line));
    buf_release(&line);
}

static void draw(const struct progress *p, unsigned columns, unsigned rows, double seconds,
                 struct buf *out, unsigned *lines)
{
    // One row for the bar, and one so that nothing scrolls.
    size_t room = rows > 2 ? rows - 2 : 0, count = p->workers.count;
    *lines = 0;
    for (size_t i = 0; i < count && i < room; i++)
        put_worker(&p->workers.items[i], columns, lines, out);
    put_bar(p, columns, seconds, lines, out);
}

// ---- on the screen ----

static void go_to_first_line(const struct progress *p, struct buf *out)
{
    buf_putc(out, '\r');
    if (p->lines > 1)
        buf_printf(out, "\033[%uA", p->lines - 1);
    buf_puts(out, "\033[J");
}

static void write_out(const struct buf *text)
{
    fwrite(text->data, 1, text->length, stderr);
    fflush(stderr);
}

static void redraw(struct progress *p, bool at_once)
{
    double time = now();
    if (!p->enabled || (!at_once && time - p->last < INTERVAL))
        return;
    struct buf out = BUF_INIT;
    unsigned columns, rows;
    size_of_terminal(&columns, &rows);
    if (p->lines)
        go_to_first_line(p, &out);
    draw(p, columns, rows, time - p->start, &out, &p->lines);
    write_out(&out);
    buf_release(&out);
    p->last = time;
}

void progress_clear(struct progress *p)
{
    struct buf out = BUF_INIT;
    if (!p->lines)
        return;
    go_to_first_line(p, &out);
    write_out(&out);
    buf_release(&out);
    p->lines = 0;
}

void progress_release(struct progress *p)
{
    progress_clear(p);
    VEC_RELEASE(&p->workers);
}

// ---- what happens ----

void progress_file(struct progress *p, const char *name, size_t number, size_t count)
{
    snprintf(p->file, sizeof p->file, "%s", name);
    p->stage[0] = '\0';
    p->files_begun = number + 1;
    p->files = count;
    p->new_file = true;
    redraw(p, false);
}

void progress_file_done(struct progress *p)
{
    p->files_done++;
    redraw(p, false);
}

// The first stage of a file is shown at once: building is silent for a while.
void progress_stage(void *context, const char *what)
{
    struct progress *p = context;
    snprintf(p->stage, sizeof p->stage, "%s", what);
    redraw(p, p->new_file || !p->lines);
    p->new_file = false;
}

void progress_search(void *context, const char *task, const struct worker_state *state)
{
    struct progress *p = context;
    while (p->workers.count <= state->worker)
        *VEC_PUSH(&p->workers) = (struct progress_worker){0};
    struct progress_worker *worker = &p->workers.items[state->worker];
    worker->busy = !state->ended;
    worker->state = *state;
    snprintf(worker->task, sizeof worker->task, "%s", task);
    snprintf(p->stage, sizeof p->stage, "searching");
    p->tasks = state->tasks;
    p->tasks_done = state->tasks_ended;
    redraw(p, false);
}
