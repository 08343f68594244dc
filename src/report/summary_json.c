// SPDX-License-Identifier: Apache-2.0
// summary.json: the numbers of a run for programs. Keys are a contract; the order is
// fixed so that equal runs give equal files (but for the seconds).
#include "report/report.h"

#include "base/json.h"

static void write_counts(struct json_writer *w, const struct result_counts *counts)
{
#define WRITE(name) json_int(w, #name, (int64_t)counts->name);
    RESULT_COUNTS(WRITE)
#undef WRITE
}

static void write_texts(struct json_writer *w, const char *key, const char *const *texts,
                        size_t count)
{
    json_open(w, key, '[');
    for (size_t i = 0; i < count; i++)
        json_text(w, NULL, texts[i]);
    json_close(w, ']');
}

static void write_task(struct json_writer *w, const struct result *result,
                       const struct result_task *task)
{
    json_open(w, NULL, '{');
    json_text(w, "file", result->parts.items[task->part]->file);
    json_text(w, "function", task->function);
    write_counts(w, &task->counts);
    json_int(w, "iterations", (int64_t)task->iterations);
    json_int(w, "runs", (int64_t)task->runs);
    json_int(w, "queries", (int64_t)task->queries);
    json_int(w, "concretised", (int64_t)task->concretised);
    json_real(w, "seconds", task->seconds);
    json_bool(w, "exhausted", task->exhausted);
    write_texts(w, "assumptions", task->assumptions.items, task->assumptions.count);
    json_close(w, '}');
}

static void write_preconditions(struct json_writer *w, const struct result *result)
{
    json_open(w, "preconditions", '[');
    for (size_t i = 0; i < result->preconditions.count; i++) {
        const struct result_precondition *pre = &result->preconditions.items[i];
        json_open(w, NULL, '{');
        json_text(w, "function", pre->function);
        json_text(w, "expression", pre->expression);
        json_text(w, "alarm", pre->origin);
        json_int(w, "calls", (int64_t)pre->site_count);
        json_int(w, "violated", (int64_t)pre->violated);
        json_int(w, "doubtful", (int64_t)pre->doubtful);
        json_bool(w, "ruled_out", pre->ruled_out);
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void write_alarm(struct json_writer *w, const struct result *result, size_t index)
{
    const struct result_alarm *alarm = result->alarms.items[index];
    json_open(w, NULL, '{');
    json_int(w, "number", (int64_t)result_alarm_number(result, index));
    json_text(w, "cause", alarm->check);
    json_text(w, "kind", alarm->kind);
    json_text(w, "file", alarm->file);
    json_int(w, "line", alarm->line);
    json_text(w, "function", alarm->function);
    json_text(w, "task",
              alarm->task < result->tasks.count ? result->tasks.items[alarm->task]->function : "");
    json_int(w, "test", alarm->test);
    json_int(w, "tests", (int64_t)alarm->count);
    json_text(w, "reproduced", alarm_proof_name(alarm->proof));
    json_text(w, "detail", alarm->detail);
    json_bool(w, "is_bug", alarm->is_bug);
    json_text(w, "precondition", alarm->precondition);
    json_bool(w, "ruled_out", alarm->ruled_out);
    json_open(w, "inputs", '[');
    for (size_t i = 0; i < alarm->input_count; i++) {
        json_open(w, NULL, '{');
        json_text(w, "path", alarm->inputs[i].path);
        json_text(w, "type", alarm->inputs[i].type);
        json_text(w, "value", alarm->inputs[i].value);
        json_bool(w, "matters", alarm->inputs[i].matters);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

static void write_solver(struct json_writer *w, const struct result *result)
{
    json_open(w, "solver", '{');
    json_int(w, "slow", (int64_t)result->slow_queries);
    json_open(w, "layers", '[');
    for (size_t i = 0; i < result->layers.count; i++) {
        const struct result_layer *layer = &result->layers.items[i];
        json_open(w, NULL, '{');
        json_text(w, "name", layer->name);
        json_int(w, "queries", (int64_t)layer->queries);
        json_int(w, "sat", (int64_t)layer->sat);
        json_int(w, "unsat", (int64_t)layer->unsat);
        json_real(w, "seconds", layer->seconds);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
}

void report_exit_codes(struct json_writer *w, exit_set set)
{
    enum exit_code list[EXIT_CODE_COUNT];
    size_t count = exit_list(set, list);
    json_open(w, "exit_codes", '[');
    for (size_t i = 0; i < count; i++)
        json_int(w, NULL, list[i]);
    json_close(w, ']');
}

void report_summary_json(const struct result *result, struct buf *out)
{
    struct json_writer w;
    json_begin(&w, out, true);
    json_open(&w, NULL, '{');
    json_text(&w, "version", result->version);
    json_text(&w, "data_model", result->data_model);
    json_bool(&w, "reproducible", result->reproducible);
    json_real(&w, "setup_seconds", result->setup_seconds);
    report_exit_codes(&w, result_exits(result));
    write_texts(&w, "errors", result->errors.items, result->errors.count);
    write_texts(&w, "disagreements", result->disagreements.items, result->disagreements.count);
    write_texts(&w, "notes", result->notes.items, result->notes.count);
    json_open(&w, "totals", '{');
    write_counts(&w, &result->totals);
    json_close(&w, '}');
    json_open(&w, "assuming", '{'); // of the totals; a goal can assume several
    for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
        json_int(&w, assumption_name(1u << kind), (int64_t)result->assuming[kind]);
    json_close(&w, '}');
    json_open(&w, "open", '{'); // likewise, by cause
    for (int cause = 0; cause < OPEN_CAUSES; cause++)
        json_int(&w, open_cause_name(cause), (int64_t)result->open[cause]);
    json_close(&w, '}');
    json_open(&w, "tasks", '[');
    for (size_t i = 0; i < result->tasks.count; i++)
        write_task(&w, result, result->tasks.items[i]);
    json_close(&w, ']');
    write_preconditions(&w, result);
    json_open(&w, "alarms", '[');
    for (size_t i = 0; i < result->alarms.count; i++)
        write_alarm(&w, result, i);
    json_close(&w, ']');
    write_solver(&w, result);
    json_close(&w, '}');
    buf_putc(out, '\n');
}
