// SPDX-License-Identifier: Apache-2.0
// SARIF 2.1.0: a result per alarm. A bug is an error, an alarm a warning, what no build of the
// user's code has shown a note; what all callers rule out is suppressed. The way to an alarm is a
// code flow.
//
// The fingerprint of a result is made of function, cause and text of the line, not of its number,
// so that it stays when code moves. Equal ones are numbered.
#include "report/formats.h"

#include "base/json.h"
#include "base/map.h"
#include "report/escape.h"
#include "report/report.h"
#include <ctype.h>
#include <string.h>

struct sarif {
    struct json_writer json;
    const struct result *result;
    const struct format_settings *settings;
    VEC(const char *) rules; // causes that occur, by first use
    struct map seen;         // fingerprint without a number -> how often
};

static void put_message(struct json_writer *w, const char *key, const char *text)
{
    json_open(w, key, '{');
    json_text(w, "text", text);
    json_close(w, '}');
}

// ---- places ----

static void put_artifact(struct sarif *s, const char *path)
{
    struct buf uri = BUF_INIT;
    const char *shown = format_path(s->settings, path);
    escape_uri(shown, &uri);
    json_open(&s->json, "artifactLocation", '{');
    json_text(&s->json, "uri", buf_text(&uri));
    if (shown[0] != '/')
        json_text(&s->json, "uriBaseId", "ROOT");
    json_close(&s->json, '}');
    buf_release(&uri);
}

struct place {
    const char *file, *function;
    uint32_t line; // 0: not known
    const char *message;
};

// The members of a location. A file that is not known ("") has none.
static void put_location(struct sarif *s, const char *key, const struct place *place)
{
    struct json_writer *w = &s->json;
    json_open(w, key, '{');
    if (place->file[0]) {
        json_open(w, "physicalLocation", '{');
        put_artifact(s, place->file);
        if (place->line) {
            json_open(w, "region", '{');
            json_int(w, "startLine", place->line);
            json_close(w, '}');
        }
        json_close(w, '}');
    }
    if (place->function[0]) {
        json_open(w, "logicalLocations", '[');
        json_open(w, NULL, '{');
        json_text(w, "name", place->function);
        json_text(w, "kind", "function");
        json_close(w, '}');
        json_close(w, ']');
    }
    if (place->message)
        put_message(w, "message", place->message);
    json_close(w, '}');
}

static void put_flow_step(struct sarif *s, const struct place *place)
{
    json_open(&s->json, NULL, '{');
    put_location(s, "location", place);
    json_close(&s->json, '}');
}

static void put_way(struct sarif *s, const struct result_alarm *alarm)
{
    struct json_writer *w = &s->json;
    json_open(w, "codeFlows", '[');
    json_open(w, NULL, '{');
    json_open(w, "threadFlows", '[');
    json_open(w, NULL, '{');
    json_open(w, "locations", '[');
    for (size_t i = 0; i < alarm->way_count; i++) {
        const struct result_step *step = &alarm->way[i];
        struct buf text = BUF_INIT;
        report_alarm_step(step, &text);
        put_flow_step(s, &(struct place){step->file, step->function, step->line, text.data});
        buf_release(&text);
    }
    put_flow_step(s, &(struct place){alarm->file, alarm->function, alarm->line, alarm->kind});
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, ']');
}

static void put_stack(struct sarif *s, const struct result_alarm *alarm)
{
    struct json_writer *w = &s->json;
    json_open(w, "stacks", '[');
    json_open(w, NULL, '{');
    json_open(w, "frames", '[');
    for (size_t i = 0; i < alarm->stack_count; i++) {
        const struct result_frame *frame = &alarm->stack[i];
        json_open(w, NULL, '{');
        put_location(s, "location",
                     &(struct place){frame->file, frame->function, frame->line, NULL});
        json_close(w, '}');
    }
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, ']');
}

// ---- fingerprints ----

// Appends line `number` of the text without the blanks around it.
static void put_source_line(const char *text, uint32_t number, struct buf *out)
{
    for (; number > 1 && *text; number--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    size_t length = strcspn(text, "\n");
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    buf_add(out, text, length);
}

static const char *text_of(const struct result *result, const struct result_alarm *alarm)
{
    for (size_t i = 0; i < result->sources.count; i++) {
        const struct result_source *source = &result->sources.items[i];
        if (source->part == alarm->part && source->text && !strcmp(source->path, alarm->file))
            return source->text;
    }
    return "";
}

static void put_fingerprint(struct sarif *s, const struct result_alarm *alarm)
{
    struct buf text = BUF_INIT;
    uint64_t before = 0;
    buf_printf(&text, "%s\n%s\n", alarm->function, alarm->check);
    put_source_line(text_of(s->result, alarm), alarm->line, &text);
    map_get_text(&s->seen, text.data, &before);
    map_put_text(&s->seen, text.data, before + 1);
    uint64_t hash = hash_bytes(text.data, text.length, 1);
    buf_clear(&text);
    buf_printf(&text, "%016llx:%llu", (unsigned long long)hash, (unsigned long long)before + 1);
    json_open(&s->json, "partialFingerprints", '{');
    json_text(&s->json, "cadenzaFunctionCauseText/v1", text.data);
    json_close(&s->json, '}');
    buf_release(&text);
}

// ---- results ----

static size_t rule_of(const struct sarif *s, const struct result_alarm *alarm)
{
    size_t index = 0;
    while (index < s->rules.count && strcmp(s->rules.items[index], alarm->check) != 0)
        index++;
    return index;
}

static void put_rules(struct sarif *s)
{
    struct json_writer *w = &s->json;
    json_open(w, "rules", '[');
    for (size_t i = 0; i < s->result->alarms.count; i++) {
        const struct result_alarm *alarm = s->result->alarms.items[i];
        if (rule_of(s, alarm) < s->rules.count)
            continue;
        *VEC_PUSH(&s->rules) = alarm->check;
        json_open(w, NULL, '{');
        json_text(w, "id", alarm->check);
        put_message(w, "shortDescription", alarm->kind);
        json_open(w, "defaultConfiguration", '{');
        json_text(w, "level", "warning");
        json_close(w, '}');
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_properties(struct sarif *s, size_t index)
{
    const struct result_alarm *alarm = s->result->alarms.items[index];
    struct json_writer *w = &s->json;
    json_open(w, "properties", '{');
    json_int(w, "number", (int64_t)result_alarm_number(s->result, index));
    json_bool(w, "isBug", alarm->is_bug);
    json_bool(w, "counted", result_counts_alarm(alarm));
    json_text(w, "reproduced", alarm_proof_name(alarm->proof));
    json_text(w, "task", result_alarm_task(s->result, alarm));
    json_int(w, "test", alarm->test);
    json_int(w, "tests", (int64_t)alarm->count);
    if (alarm->precondition && alarm->precondition[0])
        json_text(w, "precondition", alarm->precondition);
    json_close(w, '}');
}

static void put_suppression(struct json_writer *w, const struct result_alarm *alarm)
{
    json_open(w, "suppressions", '[');
    if (alarm->ruled_out) {
        json_open(w, NULL, '{');
        json_text(w, "kind", "external");
        json_text(w, "justification", "all calls of the project rule it out");
        json_close(w, '}');
    }
    json_close(w, ']');
}

static void put_result(struct sarif *s, size_t index)
{
    static const char *const levels[] = {[ALARM_LEVEL_NONE] = "note",
                                         [ALARM_LEVEL_NOTE] = "note",
                                         [ALARM_LEVEL_WARNING] = "warning",
                                         [ALARM_LEVEL_ERROR] = "error"};
    const struct result_alarm *alarm = s->result->alarms.items[index];
    struct json_writer *w = &s->json;
    struct buf text = BUF_INIT;
    report_alarm_words(alarm, result_alarm_task(s->result, alarm), &text);
    if (alarm->detail[0])
        buf_printf(&text, "\n%s", alarm->detail);
    json_open(w, NULL, '{');
    json_text(w, "ruleId", alarm->check);
    json_int(w, "ruleIndex", (int64_t)rule_of(s, alarm));
    json_text(w, "level", levels[format_alarm_level(alarm)]);
    put_message(w, "message", text.data);
    json_open(w, "locations", '[');
    put_location(s, NULL, &(struct place){alarm->file, alarm->function, alarm->line, NULL});
    json_close(w, ']');
    put_fingerprint(s, alarm);
    put_way(s, alarm);
    if (alarm->stack_count)
        put_stack(s, alarm);
    put_suppression(w, alarm);
    put_properties(s, index);
    json_close(w, '}');
    buf_release(&text);
}

// ---- the run ----

static void put_notifications(struct json_writer *w, const char *const *texts, size_t count,
                              const char *level)
{
    for (size_t i = 0; i < count; i++) {
        json_open(w, NULL, '{');
        json_text(w, "level", level);
        put_message(w, "message", texts[i]);
        json_close(w, '}');
    }
}

static void put_invocation(struct sarif *s)
{
    const struct result *result = s->result;
    struct json_writer *w = &s->json;
    json_open(w, "invocations", '[');
    json_open(w, NULL, '{');
    json_bool(w, "executionSuccessful", !result->unfinished && !result->errors.count);
    json_open(w, "toolExecutionNotifications", '[');
    put_notifications(w, result->errors.items, result->errors.count, "error");
    put_notifications(w, result->disagreements.items, result->disagreements.count, "warning");
    put_notifications(w, result->notes.items, result->notes.count, "note");
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, ']');
}

static void put_tool(struct sarif *s)
{
    struct json_writer *w = &s->json;
    json_open(w, "tool", '{');
    json_open(w, "driver", '{');
    json_text(w, "name", "cadenza");
    json_text(w, "version", s->result->version);
    put_rules(s);
    json_close(w, '}');
    json_close(w, '}');
}

static void put_root(struct sarif *s)
{
    struct buf uri = BUF_INIT;
    escape_uri(s->settings->root, &uri);
    if (uri.data[uri.length - 1] != '/')
        buf_putc(&uri, '/');
    json_open(&s->json, "originalUriBaseIds", '{');
    json_open(&s->json, "ROOT", '{');
    json_text(&s->json, "uri", uri.data);
    json_close(&s->json, '}');
    json_close(&s->json, '}');
    buf_release(&uri);
}

void report_as_sarif(const struct result *result, const struct format_settings *settings,
                     struct buf *out)
{
    struct sarif s = {.result = result, .settings = settings};
    struct json_writer *w = &s.json;
    map_init(&s.seen);
    json_begin(w, out, true);
    json_open(w, NULL, '{');
    json_text(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(w, "version", "2.1.0");
    json_open(w, "runs", '[');
    json_open(w, NULL, '{');
    put_tool(&s);
    put_invocation(&s);
    put_root(&s);
    json_open(w, "results", '[');
    for (size_t i = 0; i < result->alarms.count; i++)
        put_result(&s, i);
    json_close(w, ']');
    json_close(w, '}');
    json_close(w, ']');
    json_close(w, '}');
    buf_putc(out, '\n');
    VEC_RELEASE(&s.rules);
    map_release(&s.seen);
}
