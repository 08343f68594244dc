// SPDX-License-Identifier: Apache-2.0
// JUnit's XML: a suite per task, a case per test. A test is a failure if it shows a bug that
// counts: something wrong with inputs from outside. An alarm is none, because callers may never
// pass such inputs; it is told on the test's standard error. A test that there was no time to
// replay is skipped.
#include "report/formats.h"

#include "report/report.h"
#include "report/xml.h"
#include <string.h>
#include <time.h>

static const struct result_alarm *alarm_of(const struct result *result,
                                           const struct result_test *test)
{
    return test->alarm < result->alarms.count ? result->alarms.items[test->alarm] : NULL;
}

static bool is_failure(const struct result *result, const struct result_test *test)
{
    const struct result_alarm *alarm = alarm_of(result, test);
    return alarm && alarm->is_bug && result_counts_alarm(alarm);
}

static bool is_skipped(const struct result *result, const struct result_test *test)
{
    const struct result_alarm *alarm = alarm_of(result, test);
    return alarm && alarm->proof == ALARM_NOT_REPLAYED;
}

static void put_property(struct xml_writer *w, const char *name, const char *value)
{
    xml_open(w, "property");
    xml_attribute(w, "name", name);
    xml_attribute(w, "value", value);
    xml_close(w);
}

static void put_count(struct xml_writer *w, const char *name, size_t value)
{
    xml_open(w, "property");
    xml_attribute(w, "name", name);
    xml_int(w, "value", (int64_t)value);
    xml_close(w);
}

static void put_properties(struct xml_writer *w, const struct result *result,
                           const struct result_task *task)
{
    const struct result_part *part = result->parts.items[task->part];
    xml_open(w, "properties");
    put_property(w, "cadenza.version", part->version);
    put_property(w, "cadenza.options", part->options);
    put_property(w, "cadenza.data_model", part->data_model);
    put_property(w, "cadenza.exhausted", task->exhausted ? "true" : "false");
#define PUT(name) put_count(w, "cadenza." #name, task->counts.name);
    RESULT_COUNTS(PUT)
#undef PUT
    xml_close(w);
}

// The inputs of a test and what it showed.
static void put_story(struct xml_writer *w, const struct result_test *test)
{
    struct buf text = BUF_INIT;
    buf_printf(&text, "%s: %s\n", test->path, test->outcome);
    for (size_t i = 0; i < test->input_count; i++)
        buf_printf(&text, "input %s | %s | %s\n", test->inputs[i].path, test->inputs[i].type,
                   test->inputs[i].value);
    for (size_t i = 0; i < test->output_count; i++)
        buf_printf(&text, "observed %s | %s | %s\n", test->outputs[i].path, test->outputs[i].type,
                   test->outputs[i].value);
    xml_open(w, "system-out");
    xml_text(w, text.data);
    xml_close(w);
    buf_release(&text);
}

static void put_alarm(struct xml_writer *w, const struct result *result,
                      const struct result_test *test)
{
    const struct result_alarm *alarm = result->alarms.items[test->alarm];
    struct buf line = BUF_INIT, story = BUF_INIT;
    const char *task = result_alarm_task(result, alarm);
    report_alarm_line(alarm, task, &line);
    report_alarm(alarm, result_alarm_number(result, test->alarm), task, &story);
    if (is_failure(result, test)) {
        xml_open(w, "failure");
        xml_attribute(w, "type", alarm->check);
        xml_attribute(w, "message", line.data);
        xml_text(w, story.data);
        xml_close(w);
    }
    put_story(w, test);
    if (!is_failure(result, test)) {
        xml_open(w, "system-err");
        xml_text(w, story.data);
        xml_close(w);
    }
    buf_release(&line);
    buf_release(&story);
}

static void put_test(struct xml_writer *w, const struct result *result, const char *class,
                     const struct result_test *test)
{
    xml_open(w, "testcase");
    xml_format(w, "name", "%04u", test->number);
    xml_attribute(w, "classname", class);
    if (is_skipped(result, test)) {
        xml_open(w, "skipped");
        xml_close(w);
    }
    if (alarm_of(result, test))
        put_alarm(w, result, test);
    else
        put_story(w, test);
    xml_close(w);
}

static size_t count_tests(const struct result *result, const struct result_task *task,
                          bool (*is)(const struct result *, const struct result_test *))
{
    size_t count = 0;
    for (size_t i = 0; i < task->tests.count; i++)
        count += is(result, task->tests.items[i]);
    return count;
}

static void put_time(struct xml_writer *w, int64_t when)
{
    time_t seconds = (time_t)when;
    struct tm parts;
    char text[32];
    if (gmtime_r(&seconds, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts))
        xml_attribute(w, "timestamp", text);
}

static void put_suite(struct xml_writer *w, const struct result *result,
                      const struct format_settings *settings, const struct result_task *task)
{
    const char *file = format_path(settings, result->parts.items[task->part]->file);
    struct buf class = BUF_INIT;
    buf_printf(&class, "%s:%s", file, task->function);
    xml_open(w, "testsuite");
    xml_attribute(w, "name", class.data);
    xml_int(w, "tests", (int64_t)task->tests.count);
    xml_int(w, "failures", (int64_t)count_tests(result, task, is_failure));
    xml_int(w, "errors", 0);
    xml_int(w, "skipped", (int64_t)count_tests(result, task, is_skipped));
    xml_format(w, "time", "%.3f", task->seconds);
    put_time(w, settings->when);
    put_properties(w, result, task);
    for (size_t i = 0; i < task->tests.count; i++)
        put_test(w, result, class.data, task->tests.items[i]);
    xml_close(w);
    buf_release(&class);
}

void report_as_junit(const struct result *result, const struct format_settings *settings,
                     struct buf *out)
{
    struct xml_writer w;
    size_t failures = 0;
    for (size_t i = 0; i < result->tasks.count; i++)
        failures += count_tests(result, result->tasks.items[i], is_failure);
    xml_begin(&w, out);
    xml_open(&w, "testsuites");
    xml_attribute(&w, "name", "cadenza");
    xml_int(&w, "tests", (int64_t)result->totals.tests);
    xml_int(&w, "failures", (int64_t)failures);
    xml_int(&w, "errors", 0);
    for (size_t i = 0; i < result->tasks.count; i++)
        put_suite(&w, result, settings, result->tasks.items[i]);
    xml_close(&w);
}
