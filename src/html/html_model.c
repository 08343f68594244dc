// SPDX-License-Identifier: Apache-2.0
// Builds the model: goals first, each once, then what follows from them.
#include "html/html_model.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

// ---- files ----

// A name that every file system and URL takes as it is.
static const char *page_name(struct html_model *m, const char *kind, size_t number,
                             const char *name)
{
    struct buf text = BUF_INIT;
    buf_printf(&text, "%s-%zu-", kind, number + 1);
    size_t length = strlen(name);
    for (name += length > 40 ? length - 40 : 0; *name; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || strchr("._-", *name);
        buf_putc(&text, plain ? *name : '_');
    }
    buf_puts(&text, ".html");
    const char *kept = arena_strdup(&m->arena, text.data);
    buf_release(&text);
    return kept;
}

static size_t find_file(struct html_model *m, struct map *known, const char *path)
{
    uint64_t at;
    if (map_get_text(known, path, &at))
        return (size_t)at;
    at = m->files.count;
    map_put_text(known, path, at);
    *VEC_PUSH(&m->files) =
        (struct html_file){.path = path,
                           .name = path,
                           .page = page_name(m, "file", (size_t)at, fs_basename(path)),
                           .part = RESULT_NONE};
    return (size_t)at;
}

// A header may be named as it was included: "./x.h", "../inc/x.h". What follows the last dots
// ends the path of the source that is meant.
static bool is_same_file(const char *source, const char *name)
{
    const char *tail = name;
    for (const char *dots;
         (dots = strstr(tail, "./")) && (dots == tail || dots[-1] == '/' || dots[-1] == '.');)
        tail = dots + 2;
    if (tail == name && *name == '/')
        return !strcmp(source, name);
    size_t length = strlen(source), end = strlen(tail);
    return length > end && source[length - end - 1] == '/' && !strcmp(source + length - end, tail);
}

// By the path of the part's source, so that each file has one page.
static const char *source_path(const struct result *r, size_t part, const char *name)
{
    if (*name == '/' && !strstr(name, "./"))
        return name;
    for (size_t i = 0; i < r->sources.count; i++)
        if (r->sources.items[i].part == part && is_same_file(r->sources.items[i].path, name))
            return r->sources.items[i].path;
    return name;
}

const struct html_file *html_model_file(const struct html_model *m, const char *path)
{
    for (size_t i = 0; i < m->files.count; i++)
        if (!strcmp(m->files.items[i].path, path))
            return &m->files.items[i];
    for (size_t i = 0; i < m->files.count; i++)
        if (is_same_file(m->files.items[i].path, path))
            return &m->files.items[i];
    return NULL;
}

static int compare_lines(const void *a, const void *b)
{
    const struct result_line *left = a, *right = b;
    return left->line < right->line ? -1 : left->line > right->line;
}

// Lines of several parts that have the file: their hits add up.
static void merge_lines(struct html_file *file)
{
    size_t kept = 0;
    if (file->lines.count)
        qsort(file->lines.items, file->lines.count, sizeof *file->lines.items, compare_lines);
    for (size_t i = 0; i < file->lines.count; i++) {
        struct result_line *last = kept ? &file->lines.items[kept - 1] : NULL;
        const struct result_line *line = &file->lines.items[i];
        if (!last || last->line != line->line) {
            file->lines.items[kept++] = *line;
            continue;
        }
        last->hits = last->hits > UINT64_MAX - line->hits ? UINT64_MAX : last->hits + line->hits;
        last->in_totals |= line->in_totals;
    }
    file->lines.count = kept;
}

static void add_sources(struct html_model *m, struct map *known)
{
    const struct result *r = m->result;
    for (size_t i = 0; i < r->parts.count; i++)
        if (*r->parts.items[i]->file) {
            size_t at = find_file(m, known, r->parts.items[i]->file); // may move them
            m->files.items[at].part = i;
        }
    for (size_t i = 0; i < r->sources.count; i++) {
        const struct result_source *source = &r->sources.items[i];
        if (!source->line_count && !source->text)
            continue;
        size_t at = find_file(m, known, source->path);
        struct html_file *file = &m->files.items[at];
        if (source->text)
            file->text = source->text;
        for (size_t k = 0; k < source->line_count; k++)
            *VEC_PUSH(&file->lines) = source->lines[k];
    }
    for (size_t i = 0; i < m->files.count; i++)
        merge_lines(&m->files.items[i]);
}

// The directory that all sources share, with its slash.
static size_t shared_directory(const struct html_model *m)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < m->files.count; i++) {
        const struct html_file *file = &m->files.items[i];
        if (!file->text)
            continue;
        if (!first) {
            first = file->path;
            length = (size_t)(fs_basename(first) - first);
        }
        while (length && (strncmp(first, file->path, length) || first[length - 1] != '/'))
            length--;
    }
    return length;
}

static void name_files(struct html_model *m)
{
    size_t length = shared_directory(m);
    const char *prefix = NULL;
    for (size_t i = 0; i < m->files.count; i++)
        prefix = !prefix && m->files.items[i].text ? m->files.items[i].path : prefix;
    for (size_t i = 0; i < m->files.count; i++) {
        struct html_file *file = &m->files.items[i];
        if (prefix && !strncmp(prefix, file->path, length))
            file->name = file->path + length;
        if (file->part != RESULT_NONE && *m->result->parts.items[file->part]->name)
            file->name = m->result->parts.items[file->part]->name;
    }
    m->subject = fs_basename(m->result->is_project ? m->result->directory : m->result->file);
    if (m->result->is_project && length > 1) // the directory's name, without its slash
        m->subject = fs_basename(arena_strndup(&m->arena, prefix, length - 1));
}

// ---- functions and goals ----

static void add_functions(struct html_model *m, struct map *files)
{
    const struct result *r = m->result;
    struct buf key = BUF_INIT;
    struct map known;
    map_init(&known);
    m->function_of = arena_array(&m->arena, size_t, r->function_count + 1);
    for (size_t i = 0; i < r->function_count; i++) {
        const struct result_function *function = &r->functions[i];
        uint64_t at;
        buf_clear(&key);
        buf_printf(&key, "%s\n%u\n%s", function->file, function->source_line, function->name);
        if (!map_get_text(&known, key.data, &at)) {
            at = m->functions.count;
            map_put_text(&known, key.data, at);
            *VEC_PUSH(&m->functions) = (struct html_function){
                .function = function,
                .file = find_file(m, files, source_path(r, function->part, function->file)),
                .task = RESULT_NONE};
        }
        m->functions.items[at].in_totals |= function->in_totals;
        m->function_of[i] = (size_t)at;
    }
    map_release(&known);
    buf_release(&key);
}

static void add_goals(struct html_model *m, struct map *files)
{
    const struct result *r = m->result;
    size_t count = r->is_project ? r->shared_goals.count : r->goal_count;
    m->goal_of = arena_array(&m->arena, size_t, r->goal_count + 1);
    for (size_t i = 0; i < r->goal_count; i++)
        m->goal_of[i] = r->is_project ? r->goals[i].shared : i;
    for (size_t i = 0; i < count; i++) {
        const struct result_shared_goal *shared = r->is_project ? &r->shared_goals.items[i] : NULL;
        const struct result_goal *goal = &r->goals[shared ? shared->best : i];
        size_t function = m->function_of[goal->function];
        bool in_totals = shared ? shared->in_totals : r->functions[goal->function].in_totals;
        *VEC_PUSH(&m->goals) = (struct html_goal){
            .goal = goal,
            .function = function,
            .file =
                find_file(m, files, source_path(r, r->functions[goal->function].part, goal->file)),
            .decision = RESULT_NONE,
            .part_count = shared ? shared->part_count : 1,
            .in_totals = in_totals};
        result_count_goal(&m->functions.items[function].counts, goal->kind, &goal->verdict);
    }
}

// Where a task begins.
static void find_tasks(struct html_model *m)
{
    const struct result *r = m->result;
    for (size_t i = 0; i < r->tasks.count; i++) {
        const struct result_task *task = r->tasks.items[i];
        for (size_t k = 0; k < task->function_count; k++) {
            struct html_function *function =
                &m->functions.items[m->function_of[task->functions[k]]];
            if (!strcmp(function->function->name, task->function) && function->task == RESULT_NONE)
                function->task = i;
        }
    }
}

// ---- decisions ----

static int compare_positions(const void *a, const void *b, void *context)
{
    const struct html_model *m = context;
    const struct result_goal *left = m->goals.items[*(const size_t *)a].goal;
    const struct result_goal *right = m->goals.items[*(const size_t *)b].goal;
    return left->index < right->index ? -1 : left->index > right->index;
}

// Decisions that share a condition are the same one in several files.
static void add_decisions(struct html_model *m)
{
    const struct result *r = m->result;
    size_t *decision_of = arena_array(&m->arena, size_t, r->decisions.count + 1);
    for (size_t i = 0; i < r->decisions.count; i++)
        decision_of[i] = RESULT_NONE;
    for (size_t i = 0; i < r->goal_count; i++) {
        size_t number = r->goals[i].decision;
        struct html_goal *goal = &m->goals.items[m->goal_of[i]];
        if (number == RESULT_NONE)
            continue;
        if (goal->decision == RESULT_NONE && decision_of[number] == RESULT_NONE) {
            decision_of[number] = m->decisions.count;
            *VEC_PUSH(&m->decisions) =
                (struct html_decision){.decision = &r->decisions.items[number]};
        }
        if (decision_of[number] == RESULT_NONE)
            decision_of[number] = goal->decision;
        if (goal->decision == RESULT_NONE) {
            goal->decision = decision_of[number];
            *VEC_PUSH(&m->decisions.items[goal->decision].goals) = m->goal_of[i];
        }
    }
    for (size_t i = 0; i < m->decisions.count; i++) {
        struct html_decision *decision = &m->decisions.items[i];
        qsort_r(decision->goals.items, decision->goals.count, sizeof(size_t), compare_positions, m);
        for (size_t k = 1; k < decision->goals.count; k++) // one page has the whole table
            m->goals.items[decision->goals.items[k]].file =
                m->goals.items[decision->goals.items[0]].file;
    }
    for (size_t t = 0; t < r->tasks.count; t++)
        for (size_t v = 0; v < r->tasks.items[t]->vectors.count; v++) {
            size_t number = decision_of[r->tasks.items[t]->vectors.items[v].decision];
            if (number == RESULT_NONE)
                continue;
            *VEC_PUSH(&m->decisions.items[number].vectors) = (struct html_vector_ref){t, v};
        }
}

// ---- tests of goals ----

static void each_cover(struct html_model *m, size_t *next, bool store)
{
    const struct result *r = m->result;
    for (size_t t = 0; t < r->tasks.count; t++)
        for (size_t k = 0; k < r->tasks.items[t]->tests.count; k++) {
            const struct result_test *test = r->tasks.items[t]->tests.items[k];
            for (size_t g = 0; g < test->goal_count; g++) {
                size_t at = next[m->goal_of[test->goals[g]]]++;
                if (store)
                    m->tests[at] = (struct html_test_ref){t, k};
            }
        }
}

static void add_tests(struct html_model *m)
{
    size_t count = m->goals.count, sum = 0;
    size_t *next = arena_array(&m->arena, size_t, count + 1);
    m->first_test = arena_array(&m->arena, size_t, count + 1);
    each_cover(m, next, false);
    for (size_t i = 0; i <= count; i++) {
        m->first_test[i] = sum;
        sum += next[i];
        next[i] = m->first_test[i];
    }
    m->tests = arena_array(&m->arena, struct html_test_ref, sum + 1);
    each_cover(m, next, true);
}

// ---- what stands in a file ----

static int compare_goals(const void *a, const void *b, void *context)
{
    const struct html_model *m = context;
    const struct result_goal *left = m->goals.items[*(const size_t *)a].goal;
    const struct result_goal *right = m->goals.items[*(const size_t *)b].goal;
#define COMPARE(x, y)                                                                              \
    if ((x) != (y))                                                                                \
    return (x) < (y) ? -1 : 1
    COMPARE(left->source_line, right->source_line);
    COMPARE(left->kind, right->kind);
    COMPARE(left->at.line, right->at.line);
    COMPARE(left->at.column, right->at.column);
    COMPARE(left->index, right->index);
    COMPARE(right->outcome, left->outcome); // true before false
    COMPARE(left, right);
    return 0;
}

static int compare_functions(const void *a, const void *b, void *context)
{
    const struct html_model *m = context;
    const struct result_function *left = m->functions.items[*(const size_t *)a].function;
    const struct result_function *right = m->functions.items[*(const size_t *)b].function;
    COMPARE(left->source_line, right->source_line);
#undef COMPARE
    return strcmp(left->name, right->name);
}

static void sort_into_files(struct html_model *m)
{
    for (size_t i = 0; i < m->goals.count; i++)
        *VEC_PUSH(&m->files.items[m->goals.items[i].file].goals) = i;
    for (size_t i = 0; i < m->functions.count; i++)
        *VEC_PUSH(&m->files.items[m->functions.items[i].file].functions) = i;
    for (size_t i = 0; i < m->files.count; i++) {
        struct html_file *file = &m->files.items[i];
        if (file->goals.count)
            qsort_r(file->goals.items, file->goals.count, sizeof(size_t), compare_goals, m);
        if (file->functions.count)
            qsort_r(file->functions.items, file->functions.count, sizeof(size_t), compare_functions,
                    m);
    }
}

void html_model_init(struct html_model *m, const struct result *result)
{
    struct map files;
    *m = (struct html_model){.result = result};
    arena_init(&m->arena);
    map_init(&files);
    add_sources(m, &files);
    add_functions(m, &files);
    add_goals(m, &files);
    map_release(&files);
    name_files(m);
    find_tasks(m);
    add_decisions(m);
    add_tests(m);
    sort_into_files(m);
    m->task_pages = arena_array(&m->arena, const char *, result->tasks.count + 1);
    for (size_t i = 0; i < result->tasks.count; i++)
        m->task_pages[i] = page_name(m, "task", i, result->tasks.items[i]->function);
}

void html_model_release(struct html_model *m)
{
    for (size_t i = 0; i < m->files.count; i++) {
        VEC_RELEASE(&m->files.items[i].lines);
        VEC_RELEASE(&m->files.items[i].goals);
        VEC_RELEASE(&m->files.items[i].functions);
    }
    for (size_t i = 0; i < m->decisions.count; i++) {
        VEC_RELEASE(&m->decisions.items[i].goals);
        VEC_RELEASE(&m->decisions.items[i].vectors);
    }
    VEC_RELEASE(&m->files);
    VEC_RELEASE(&m->functions);
    VEC_RELEASE(&m->goals);
    VEC_RELEASE(&m->decisions);
    arena_release(&m->arena);
}
