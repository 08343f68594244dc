// SPDX-License-Identifier: Apache-2.0
// See campaign_setup.h.
#include "campaign/campaign_setup.h"

#include "base/fs.h"
#include "base/tunables.h"
#include "program/places.h"
#include "program/testfile.h"
#include <stdlib.h>
#include <string.h>

static bool is_users(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].defined && !strcmp(program->functions[i].name, name))
            return true;
    return false;
}

struct cfg *campaign_graph(const struct campaign_request *request)
{
    const struct unit *unit = request->unit;
    const struct cfg_part *part = unit->instrumented.graph;
    struct cfg *cfg = cfg_new(&unit->program, &part, part ? 1 : 0);
    struct buf name = BUF_INIT;
    buf_printf(&name, "drive_%s", unit->program.tasks[request->task].name);
    uint32_t root = cfg_find_function(cfg, name.data);
    // A driver gets another name when the user has a function of this one; then runs may
    // begin anywhere.
    if (root != CFG_NONE && !is_users(&unit->program, name.data))
        cfg_set_root(cfg, root);
    buf_release(&name);
    return cfg;
}

// ---- goals ----

bool campaign_parse_goal(const char *word, size_t length, struct buf *file, uint32_t *line,
                         int *outcome)
{
    const char *end = word + length, *colon = NULL;
    *outcome = -1;
    if (length > 2 && end[-2] == ':' && (end[-1] == 'T' || end[-1] == 'F')) {
        *outcome = end[-1] == 'T';
        end -= 2;
    }
    for (const char *at = word; at < end; at++)
        if (*at == ':')
            colon = at;
    if (!colon || colon == word || colon + 1 == end)
        return false;
    *line = 0;
    for (const char *at = colon + 1; at < end; at++) {
        if (*at < '0' || *at > '9' || *line > 100000000)
            return false;
        *line = *line * 10 + (uint32_t)(*at - '0');
    }
    buf_clear(file);
    buf_add(file, word, (size_t)(colon - word));
    return true;
}

static bool names_file(const char *path, const char *wanted)
{
    size_t length = strlen(path), tail = strlen(wanted);
    return length >= tail && !strcmp(path + length - tail, wanted) &&
           (length == tail || path[length - tail - 1] == '/');
}

static void aim_at(struct coverage *coverage, const char *file, uint32_t line, int outcome)
{
    const struct program *program = coverage->program;
    for (uint32_t b = 0; b < program->branch_count; b++) {
        const struct location *at = &program->branches[b].at;
        if (at->source_line != line || !at->file || !names_file(at->file, file))
            continue;
        for (int o = 0; o < 2; o++)
            if (outcome < 0 || outcome == o)
                coverage_aim(coverage, 2 * b + (uint32_t)o);
    }
}

void campaign_set_goals(const struct campaign_request *request, struct cfg *cfg,
                        struct coverage *coverage)
{
    static const enum criterion criteria[] = {[OPTION_CRITERION_STATEMENT] = CRITERION_STATEMENT,
                                              [OPTION_CRITERION_BRANCH] = CRITERION_BRANCH,
                                              [OPTION_CRITERION_MCDC] = CRITERION_MCDC};
    static const enum mcdc_rule rules[] = {[OPTION_MCDC_LLVM] = MCDC_LLVM,
                                           [OPTION_MCDC_MASKING] = MCDC_MASKING,
                                           [OPTION_MCDC_UNIQUE_CAUSE] = MCDC_UNIQUE_CAUSE};
    const struct options *o = request->options;
    coverage_use(coverage, criteria[o->criterion], rules[o->mcdc], cfg);
    struct buf file = BUF_INIT;
    for (const char *word = o->goals; *word;) {
        size_t length = strcspn(word, ",");
        uint32_t line;
        int outcome;
        if (campaign_parse_goal(word, length, &file, &line, &outcome))
            aim_at(coverage, buf_text(&file), line, outcome);
        word += length + (word[length] == ',');
    }
    buf_release(&file);
}

// ---- the first input ----

static bool read_test(const char *path, struct testfile *test, struct arena *arena,
                      struct error *err)
{
    struct buf text = BUF_INIT;
    bool good = fs_read(path, &text, err) &&
                testfile_read(test, fs_basename(path), buf_text(&text), text.length, arena, err);
    buf_release(&text);
    return good;
}

// Places come into being when a run asks for them, so what a test says about the target
// of a pointer can be given once a run has seen the pointer.
static bool fill_input(const struct campaign_request *request, const struct testfile *test,
                       struct buf *input, struct error *err)
{
    struct places_index index;
    places_index_init(&index);
    bool good = true;
    size_t unknown = SIZE_MAX, before = 0;
    for (int round = 0; good && round < CAMPAIGN_SEED_TEST_ROUNDS && unknown && unknown != before;
         round++) {
        before = unknown;
        target_begin(request->target, (uint32_t)request->task, 0);
        target_add(request->target, input->data, input->length);
        good = target_run(request->target, err);
        if (!good)
            break;
        struct places places;
        places_view(&places, target_wire(request->target));
        places_index_update(&index, &places);
        size_t size = target_wire(request->target)->input_size;
        uint8_t *bytes = xcalloc(size + 1, 1);
        good = testfile_to_input(test, &places, &index, bytes, size, &unknown, err);
        buf_clear(input);
        buf_add(input, bytes, size);
        free(bytes);
    }
    places_index_release(&index);
    return good;
}

bool campaign_test_input(const struct campaign_request *request, const char *path,
                         struct buf *input, struct error *err)
{
    struct arena arena;
    arena_init(&arena);
    struct testfile test = {0};
    bool good = read_test(path, &test, &arena, err);
    if (good && !strcmp(test.task, request->unit->program.tasks[request->task].name))
        good = fill_input(request, &test, input, err);
    arena_release(&arena);
    return good;
}

bool campaign_first_input(const struct campaign_request *request, struct buf *input,
                          struct error *err)
{
    return !*request->options->seed_test ||
           campaign_test_input(request, request->options->seed_test, input, err) ||
           error_context(err, "--seed-test %s", request->options->seed_test);
}
