// SPDX-License-Identifier: Apache-2.0
// An alarm in words: what, where, under which inputs, and how the code got there. A unit's
// callers may never pass such inputs, so it says "if", never "bug" (that takes a crash from
// main or a public function).
#include "report/report.h"

#include "base/fs.h"
#include <string.h>

enum { MOST_INPUTS = 3, MOST_VALUE = 24 };

static bool is_shape(const struct result_input *input)
{
    return strncmp(input->path, "shape:", 6) == 0;
}

static void put_value(const struct result_input *input, bool whole, struct buf *out)
{
    size_t length = strlen(input->value);
    if (is_shape(input)) // "arg:p is NULL"
        buf_printf(out, "%s is %s", input->path + 6, input->value);
    else if (whole || length <= MOST_VALUE)
        buf_printf(out, "%s = %s", input->path, input->value);
    else
        buf_printf(out, "%s = %.*s ...", input->path, MOST_VALUE, input->value);
}

// " if arg:n = 12, ..." from the inputs that matter; nothing when none is known.
static void put_presumption(const struct result_alarm *alarm, struct buf *out)
{
    size_t shown = 0;
    for (size_t i = 0; i < alarm->input_count; i++) {
        if (!alarm->inputs[i].matters)
            continue;
        if (shown == MOST_INPUTS) {
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
    buf_printf(out, ": %s", alarm->kind);
    if (alarm->function[0])
        buf_printf(out, " in %s()", alarm->function);
    put_presumption(alarm, out);
    buf_printf(out, " (test %s/%04u", task, alarm->test);
    if (alarm->count > 1)
        buf_printf(out, " and %zu more", alarm->count - 1);
    buf_printf(out, "; %s)", alarm_proof_name(alarm->proof));
}

static void put_step(const struct result_step *step, struct buf *out)
{
    buf_printf(out, "    %s:%u  %s(): %s", fs_basename(step->file), step->line, step->function,
               step->text[0] ? step->text : "(branch)");
    if (step->is_case)
        buf_puts(out, step->outcome ? "" : ": not taken");
    else
        buf_puts(out, step->outcome ? ": true" : ": false");
    if (step->times > 1)
        buf_printf(out, ", %zu times", step->times);
    buf_putc(out, '\n');
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
        put_value(input, true, out);
        buf_printf(out, "%s%s%s\n", is_shape(input) ? "" : " (", is_shape(input) ? "" : input->type,
                   is_shape(input) ? "" : ")");
    }
    bool any = false;
    for (size_t i = 0; i < alarm->input_count; i++)
        any |= alarm->inputs[i].matters;
    if (any)
        buf_puts(out, "  (* another value of this one alone, and the alarm is gone)\n");
    if (alarm->way_count)
        buf_printf(out, "  the way there, from %s():\n", task);
    for (size_t i = 0; i < alarm->way_count; i++)
        put_step(&alarm->way[i], out);
    if (alarm->line)
        buf_printf(out, "    %s:%u  %s(): here\n", fs_basename(alarm->file), alarm->line,
                   alarm->function[0] ? alarm->function : "?");
}
