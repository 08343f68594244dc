// SPDX-License-Identifier: Apache-2.0
// An alarm in words: what, where, under which inputs, and how the code got there. A unit's
// callers may never pass such inputs, so it says "if", never "bug" (that takes a crash from
// main or a public function).
#include "report/report.h"

#include "base/fs.h"
#include "base/tunables.h"
#include "program/input_path.h"
#include <string.h>

// Puts "arg:p is NULL" and returns true, if that is what the input says.
static bool put_shape(const struct result_input *input, struct buf *out)
{
    struct arena arena;
    struct input_path path;
    arena_init(&arena);
    bool is_shape = input_path_parse(input->path, &arena, &path) && path.says == INPUT_SHAPE;
    path.says = INPUT_VALUE;
    if (is_shape) {
        input_path_print(&path, out);
        buf_printf(out, " is %s", input->value);
    }
    arena_release(&arena);
    return is_shape;
}

// False: its type is not worth telling.
static bool put_value(const struct result_input *input, bool whole, struct buf *out)
{
    size_t length = strlen(input->value);
    if (put_shape(input, out))
        return false;
    if (whole || length <= REPORT_ALARM_VALUE)
        buf_printf(out, "%s = %s", input->path, input->value);
    else
        buf_printf(out, "%s = %.*s ...", input->path, REPORT_ALARM_VALUE, input->value);
    return true;
}

// " if arg:n = 12, ..." from the inputs that matter; nothing when none is known.
static void put_presumption(const struct result_alarm *alarm, struct buf *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < alarm->input_count; i++) {
        if (!alarm->inputs[i].matters)
            continue;
        if (shown == REPORT_ALARM_INPUTS) {
            buf_puts(out, " ...");
            break;
        }
        buf_puts(out, shown++ ? ", " : " if ");
        put_value(&alarm->inputs[i], false, out);
    }
}

void report_alarm_line(const struct result_alarm *alarm, const char *task, struct buf *out)
{
    buf_printf(out, "%s", fs_basename(alarm->file));
    if (alarm->line)
        buf_printf(out, ":%u", alarm->line);
    buf_puts(out, ": ");
    report_alarm_words(alarm, task, out);
}

void report_alarm_words(const struct result_alarm *alarm, const char *task, struct buf *out)
{
    buf_puts(out, alarm->kind);
    if (alarm->function[0])
        buf_printf(out, " in %s()", alarm->function);
    put_presumption(alarm, out);
    buf_printf(out, " (test %s/%04u", task, alarm->test);
    if (alarm->count > 1)
        buf_printf(out, " and %zu more", alarm->count - 1);
    buf_printf(out, "; %s)", alarm_proof_name(alarm->proof));
}

void report_alarm_step(const struct result_step *step, struct buf *out)
{
    buf_printf(out, "%s(): %s", step->function, step->text[0] ? step->text : "(branch)");
    if (step->is_case)
        buf_puts(out, step->outcome ? "" : ": not taken");
    else
        buf_puts(out, step->outcome ? ": true" : ": false");
    if (step->times > 1)
        buf_printf(out, ", %zu times", step->times);
}

void report_alarm(const struct result_alarm *alarm, size_t number, const char *task,
                  struct buf *out)
{
    buf_printf(out, "%s-%zu  ", alarm->is_bug ? "bug" : "alarm", number);
    report_alarm_line(alarm, task, out);
    buf_putc(out, '\n');
    if (alarm->detail[0])
        buf_printf(out, "  on the clean build: %s\n", alarm->detail);
    if (alarm->precondition && alarm->precondition[0])
        buf_printf(out, "  ruled out by the precondition %s%s\n", alarm->precondition,
                   alarm->ruled_out ? ", which all call sites respect" : " (cadenza pre list)");
    if (!alarm->is_bug)
        buf_puts(out, "  a defect only if these inputs can occur together:\n");
    for (size_t i = 0; i < alarm->input_count; i++) {
        const struct result_input *input = &alarm->inputs[i];
        buf_printf(out, "  %s ", input->matters ? "*" : " ");
        if (put_value(input, true, out))
            buf_printf(out, " (%s)", input->type);
        buf_putc(out, '\n');
    }
    bool any = false;
    for (size_t i = 0; i < alarm->input_count; i++)
        any |= alarm->inputs[i].matters;
    if (any)
        buf_puts(out, "  (* another value of this one alone, and the alarm is gone)\n");
    if (alarm->way_count)
        buf_printf(out, "  the way there, from %s():\n", task);
    for (size_t i = 0; i < alarm->way_count; i++) {
        buf_printf(out, "    %s:%u  ", fs_basename(alarm->way[i].file), alarm->way[i].line);
        report_alarm_step(&alarm->way[i], out);
        buf_putc(out, '\n');
    }
    if (alarm->line)
        buf_printf(out, "    %s:%u  %s(): here\n", fs_basename(alarm->file), alarm->line,
                   alarm->function[0] ? alarm->function : "?");
}
