// SPDX-License-Identifier: Apache-2.0
#include "report/differences.h"

#include "base/fs.h"
#include "base/map.h"
#include <string.h>

// ---- Names that survive a change ----

// Things by name. The second one of a name is "NAME 2", so that each has a name of its own.
struct names {
    struct map index;  // name -> index + 1
    struct map counts; // name without a number -> how often
};

static void names_init(struct names *names)
{
    map_init(&names->index);
    map_init(&names->counts);
}

static void names_release(struct names *names)
{
    map_release(&names->index);
    map_release(&names->counts);
}

// Makes the name in `text` the one of this occurrence.
static void number_name(struct names *names, struct buf *text)
{
    uint64_t count = 0;
    map_get_text(&names->counts, buf_text(text), &count);
    map_put_text(&names->counts, buf_text(text), count + 1);
    if (count)
        buf_printf(text, " %llu", (unsigned long long)count + 1);
}

// A file by the name that the project has for it; one outside of the project by its last part.
static const char *file_name(const struct result *result, size_t part, const char *file)
{
    const struct result_part *of = result->parts.items[part];
    return !strcmp(file, of->file) && *of->name ? of->name : fs_basename(file);
}

static void name_goal(const struct result *result, const struct result_goal *goal, struct buf *out)
{
    const struct result_function *function = &result->functions[goal->function];
    buf_printf(out, "%zu|%s|%s|%s|%s|%d|%u|%u", strlen(goal->text),
               file_name(result, function->part, result->parts.items[function->part]->file),
               file_name(result, function->part, goal->file), function->name, goal->text,
               goal->kind == GOAL_BRANCH ? (int)goal->outcome : 2, goal->index, goal->count);
}

// The line of a source without the blanks around it; "" if the store does not have it.
static void put_source_line(const struct result *result, const char *path, uint32_t line,
                            struct buf *out)
{
    for (size_t i = 0; i < result->sources.count; i++) {
        const struct result_source *source = &result->sources.items[i];
        if (!source->text || strcmp(source->path, path))
            continue;
        const char *at = source->text;
        for (uint32_t k = 1; k < line && at; k++) {
            at = strchr(at, '\n');
            at = at ? at + 1 : NULL;
        }
        at = at ? at + strspn(at, " \t") : "";
        buf_add(out, at, strcspn(at, "\r\n"));
        return;
    }
}

static void name_alarm(const struct result *result, const struct result_alarm *alarm,
                       struct buf *out)
{
    buf_printf(out, "%s|%s|%s|", file_name(result, alarm->part, alarm->file), alarm->function,
               alarm->check);
    put_source_line(result, alarm->file, alarm->line, out);
}

static void name_test(const struct result *result, const struct result_task *task,
                      const struct result_test *test, struct buf *out)
{
    buf_printf(out, "%s|%s", file_name(result, task->part, result->parts.items[task->part]->file),
               task->function);
    for (size_t i = 0; i < test->input_count; i++)
        buf_printf(out, "|%s=%s", test->inputs[i].path, test->inputs[i].value);
}

// ---- Words ----

static void add(struct differences *d, enum difference_kind kind, const char *place,
                const char *what, const char *before, const char *after)
{
    *VEC_PUSH(&d->items) = (struct difference){kind, place, what, before, after};
    d->counts[kind]++;
}

static const char *goal_place(struct differences *d, const struct result *result,
                              const struct result_goal *goal)
{
    const struct result_function *function = &result->functions[goal->function];
    return arena_printf(&d->arena, "%s:%u %s()", file_name(result, function->part, goal->file),
                        goal->source_line, function->name);
}

static const char *goal_words(struct differences *d, const struct result_goal *goal)
{
    if (goal->kind == GOAL_CONDITION)
        return arena_printf(&d->arena, "condition %u of %u: %s", goal->index + 1, goal->count,
                            goal->text);
    return arena_printf(&d->arena, "%s: %s", goal->text, goal->outcome ? "true" : "false");
}

static const char *verdict_words(struct differences *d, const struct result *result,
                                 const struct result_goal *goal)
{
    const struct verdict *v = &goal->verdict;
    if (v->kind == VERDICT_COVERED && v->test && goal->verdict_task != RESULT_NONE)
        return arena_printf(&d->arena, "covered by %s/%04u%s",
                            result->tasks.items[goal->verdict_task]->function, v->test,
                            v->by_crash ? ", only by tests that crash" : "");
    return arena_printf(&d->arena, "%s%s%s", verdict_name(v->kind), *v->text ? ": " : "", v->text);
}

static const char *alarm_place(struct differences *d, const struct result *result,
                               const struct result_alarm *alarm)
{
    return arena_printf(&d->arena, "%s:%u %s()", file_name(result, alarm->part, alarm->file),
                        alarm->line, alarm->function);
}

// ---- Goals ----

static bool is_decided(const struct verdict *verdict)
{
    return verdict->kind != VERDICT_UNDETERMINED;
}

// Which of the kinds a pair of verdicts is; false: they say the same. Who proves or covers it may
// change.
static bool judge_pair(const struct verdict *old, const struct verdict *new,
                       enum difference_kind *kind)
{
    if (is_decided(old) != is_decided(new)) {
        *kind = is_decided(new) ? DIFFERENCE_GOAL_GAINED : DIFFERENCE_GOAL_LOST;
        return true;
    }
    *kind = old->kind == VERDICT_COVERED ? DIFFERENCE_GOAL_LOST : DIFFERENCE_GOAL_CHANGED;
    return old->kind != new->kind || old->by_crash != new->by_crash;
}

static void compare_goal(struct differences *d, const struct result *old,
                         const struct result_goal *before, const struct result *new,
                         const struct result_goal *after)
{
    enum difference_kind kind;
    if (judge_pair(&before->verdict, &after->verdict, &kind))
        add(d, kind, goal_place(d, new, after), goal_words(d, after), verdict_words(d, old, before),
            verdict_words(d, new, after));
}

static void enter_goals(const struct result *result, struct names *names, struct buf *texts)
{
    for (size_t i = 0; i < result->goal_count; i++) {
        texts[i] = (struct buf)BUF_INIT;
        name_goal(result, &result->goals[i], &texts[i]);
        number_name(names, &texts[i]);
        map_put_text(&names->index, buf_text(&texts[i]), i + 1);
    }
}

static struct buf *make_texts(size_t count)
{
    return xcalloc(count ? count : 1, sizeof(struct buf));
}

static void release_texts(struct buf *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_release(&texts[i]);
    free(texts);
}

static void compare_goals(struct differences *d, const struct result *old, const struct result *new)
{
    struct names before, after;
    struct buf *old_texts = make_texts(old->goal_count), *new_texts = make_texts(new->goal_count);
    uint64_t at;
    names_init(&before);
    names_init(&after);
    enter_goals(old, &before, old_texts);
    enter_goals(new, &after, new_texts);
    for (size_t i = 0; i < new->goal_count; i++) {
        const struct result_goal *goal = &new->goals[i];
        if (map_get_text(&before.index, buf_text(&new_texts[i]), &at))
            compare_goal(d, old, &old->goals[at - 1], new, goal);
        else
            add(d, DIFFERENCE_GOAL_NEW, goal_place(d, new, goal), goal_words(d, goal), "",
                verdict_words(d, new, goal));
    }
    for (size_t i = 0; i < old->goal_count; i++)
        if (!map_get_text(&after.index, buf_text(&old_texts[i]), &at))
            add(d, DIFFERENCE_GOAL_GONE, goal_place(d, old, &old->goals[i]),
                goal_words(d, &old->goals[i]), verdict_words(d, old, &old->goals[i]), "");
    release_texts(old_texts, old->goal_count);
    release_texts(new_texts, new->goal_count);
    names_release(&before);
    names_release(&after);
}

// ---- Tests ----

static const struct result_output *find_output(const struct result_test *test, const char *path)
{
    for (size_t i = 0; i < test->output_count; i++)
        if (!strcmp(test->outputs[i].path, path))
            return &test->outputs[i];
    return NULL;
}

// The first thing that a test shows differently, if there is one. What was cut off is not known.
static bool find_change(struct differences *d, const struct result_test *old,
                        const struct result_test *new, struct difference *out)
{
    if (strcmp(old->outcome, new->outcome)) {
        *out = (struct difference){.what = "outcome",
                                   .before = arena_strdup(&d->arena, old->outcome),
                                   .after = arena_strdup(&d->arena, new->outcome)};
        return true;
    }
    for (size_t i = 0; i < new->output_count; i++) {
        const struct result_output *after = &new->outputs[i],
                                   *before = find_output(old, after->path);
        if (before ? strcmp(before->value, after->value) : !old->outputs_cut) {
            *out = (struct difference){
                .what = arena_strdup(&d->arena, after->path),
                .before = arena_strdup(&d->arena, before ? before->value : "not changed"),
                .after = arena_strdup(&d->arena, after->value)};
            return true;
        }
    }
    for (size_t i = 0; i < old->output_count && !new->outputs_cut; i++)
        if (!find_output(new, old->outputs[i].path)) {
            *out = (struct difference){.what = arena_strdup(&d->arena, old->outputs[i].path),
                                       .before = arena_strdup(&d->arena, old->outputs[i].value),
                                       .after = "not changed"};
            return true;
        }
    return false;
}

struct test_at {
    const struct result_task *task;
    const struct result_test *test;
};
typedef VEC(struct test_at) test_list;

static void enter_tests(const struct result *result, struct names *names, test_list *list)
{
    for (size_t t = 0; t < result->tasks.count; t++)
        for (size_t i = 0; i < result->tasks.items[t]->tests.count; i++) {
            const struct result_task *task = result->tasks.items[t];
            struct buf text = BUF_INIT;
            name_test(result, task, task->tests.items[i], &text);
            *VEC_PUSH(list) = (struct test_at){task, task->tests.items[i]};
            map_put_text(&names->index, buf_text(&text), list->count);
            buf_release(&text);
        }
}

static void compare_test(struct differences *d, const struct result *new, struct test_at before,
                         struct test_at after)
{
    struct difference change;
    if (!find_change(d, before.test, after.test, &change)) {
        d->tests_same++;
        return;
    }
    const char *file = file_name(new, after.task->part, new->parts.items[after.task->part]->file);
    add(d, DIFFERENCE_TEST_CHANGED,
        arena_printf(&d->arena, "%s %s/%04u", file, after.task->function, after.test->number),
        change.what, change.before, change.after);
}

static void compare_tests(struct differences *d, const struct result *old, const struct result *new)
{
    struct names before, after;
    test_list old_tests = {0}, new_tests = {0};
    names_init(&before);
    names_init(&after);
    enter_tests(old, &before, &old_tests);
    enter_tests(new, &after, &new_tests);
    for (size_t i = 0; i < new_tests.count; i++) {
        struct buf text = BUF_INIT;
        uint64_t at;
        name_test(new, new_tests.items[i].task, new_tests.items[i].test, &text);
        if (map_get_text(&before.index, buf_text(&text), &at))
            compare_test(d, new, old_tests.items[at - 1], new_tests.items[i]);
        else
            d->tests_only_new++;
        buf_release(&text);
    }
    size_t in_both = new_tests.count - d->tests_only_new;
    d->tests_only_old = old_tests.count > in_both ? old_tests.count - in_both : 0;
    names_release(&before);
    names_release(&after);
    VEC_RELEASE(&old_tests);
    VEC_RELEASE(&new_tests);
}

// ---- Alarms ----

static bool is_counted(const struct result_alarm *alarm)
{
    return !alarm->ruled_out && alarm->proof >= ALARM_UNCONFIRMED;
}

static void enter_alarms(const struct result *result, struct names *names, struct buf *texts)
{
    for (size_t i = 0; i < result->alarms.count; i++) {
        texts[i] = (struct buf)BUF_INIT;
        if (!is_counted(result->alarms.items[i]))
            continue;
        name_alarm(result, result->alarms.items[i], &texts[i]);
        number_name(names, &texts[i]);
        map_put_text(&names->index, buf_text(&texts[i]), i + 1);
    }
}

// Those of one result that the other one does not have.
static void add_alarms(struct differences *d, enum difference_kind kind,
                       const struct result *result, const struct buf *texts,
                       const struct names *others)
{
    uint64_t at;
    for (size_t i = 0; i < result->alarms.count; i++) {
        const struct result_alarm *alarm = result->alarms.items[i];
        if (is_counted(alarm) && !map_get_text(&others->index, buf_text(&texts[i]), &at))
            add(d, kind, alarm_place(d, result, alarm),
                arena_printf(&d->arena, "%s%s", alarm->is_bug ? "bug: " : "", alarm->kind), "", "");
    }
}

static void compare_alarms(struct differences *d, const struct result *old,
                           const struct result *new)
{
    struct names before, after;
    struct buf *old_texts = make_texts(old->alarms.count),
               *new_texts = make_texts(new->alarms.count);
    names_init(&before);
    names_init(&after);
    enter_alarms(old, &before, old_texts);
    enter_alarms(new, &after, new_texts);
    add_alarms(d, DIFFERENCE_ALARM_NEW, new, new_texts, &before);
    add_alarms(d, DIFFERENCE_ALARM_GONE, old, old_texts, &after);
    release_texts(old_texts, old->alarms.count);
    release_texts(new_texts, new->alarms.count);
    names_release(&before);
    names_release(&after);
}

void differences_find(const struct result *old, const struct result *new, struct differences *out)
{
    *out = (struct differences){0};
    arena_init(&out->arena);
    compare_goals(out, old, new);
    compare_tests(out, old, new);
    compare_alarms(out, old, new);
}

void differences_release(struct differences *differences)
{
    VEC_RELEASE(&differences->items);
    arena_release(&differences->arena);
}
