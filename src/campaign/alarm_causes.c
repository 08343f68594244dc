// SPDX-License-Identifier: Apache-2.0
// From a run's records to what src/pre infers from; see alarm_causes.h.
#include "campaign/alarm_causes.h"

#include "base/tunables.h"
#include "pre/infer.h"
#include "program/places.h"
#include <stdlib.h>
#include <string.h>

typedef VEC(expr_id) expr_list;

static bool is_decision(const struct wire_record *record)
{
    bool idle = record->kind == WIRE_BRANCH && record->check == WIRE_SHAPE_IDLE;
    return record->label && !idle &&
           (record->kind == WIRE_COND || record->kind == WIRE_BRANCH ||
            record->kind == WIRE_SWITCH);
}

// What held before record number `end`.
static void collect_path(const struct causes_request *r, size_t end, expr_list *path)
{
    for (size_t i = end > CAMPAIGN_CAUSE_RECORDS ? end - CAMPAIGN_CAUSE_RECORDS : 0; i < end; i++) {
        expr_id held;
        if (is_decision(&r->records[i]) &&
            trace_condition(r->decoder, &r->records[i], &held, NULL) &&
            !expr_is_const(r->pool, held))
            *VEC_PUSH(path) = held;
    }
}

// The record of the check that failed; the number of records when it did not depend on
// inputs.
static size_t find_check(const struct causes_request *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->records[i].kind == WIRE_CHECK && !r->records[i].outcome && r->records[i].label &&
            r->records[i].site == r->site && r->records[i].check == r->fault)
            return i;
    return r->count;
}

static expr_id predicate(const struct causes_request *r, size_t at)
{
    expr_id safe;
    if (at == r->count || !trace_label(r->decoder, r->records[at].label, &safe, NULL) ||
        expr_is_const(r->pool, safe))
        return 0;
    return safe;
}

static const char *join(const infer_texts *texts, struct arena *arena)
{
    struct buf out = BUF_INIT;
    for (size_t i = 0; i < texts->count; i++)
        buf_printf(&out, "%s%s", i ? "\n" : "", texts->items[i]);
    const char *copy = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return copy;
}

void causes_find(const struct causes_request *r, struct arena *arena, struct kept_test *test)
{
    const struct program *program = &r->campaign->unit->program;
    const struct wire_header *wire = target_wire(r->campaign->target);
    size_t entry = program->tasks[r->campaign->task].entry;
    if (entry >= program->function_count || program->is_whole)
        return;
    struct places places;
    places_view(&places, wire);
    const uint8_t *bytes = target_area(r->campaign->target, &wire->inputs);
    size_t size = r->run->input_used, given = r->run->input_size;
    uint8_t *input = xcalloc(size + 1, 1);
    memcpy(input, bytes + r->run->input_offset, given < size ? given : size);
    expr_list path = {0};
    infer_texts texts = {0}, guards = {0};
    size_t check = find_check(r);
    collect_path(r, check, &path);
    struct infer_request request = {.pool = r->pool,
                                    .solver = r->solver,
                                    .places = &places,
                                    .entry = &program->functions[entry],
                                    .input = input,
                                    .input_size = size,
                                    .path = path.items,
                                    .path_count = path.count,
                                    .safe = predicate(r, check),
                                    .cause = r->fault,
                                    .arena = arena};
    if (r->fault == r->run->fault) {
        request.shape = r->run->fault_shape;
        request.object = r->run->fault_place;
    }
    infer_candidates(&request, &texts, &guards);
    test->candidates = join(&texts, arena);
    test->guards = join(&guards, arena);
    VEC_RELEASE(&texts);
    VEC_RELEASE(&guards);
    VEC_RELEASE(&path);
    free(input);
}

// A pointer that is a parameter or a variable, or inside one: how C names it where the task begins.
// NULL: it is something else, an input of the driver's own for example.
static const char *pointer_name(const struct schema *schema, const char *text, struct arena *arena)
{
    struct input_path path;
    struct schema_thing thing;
    if (!input_path_parse(text, arena, &path) || path.says == INPUT_VALUE ||
        (path.root.kind != INPUT_PARAMETER && path.root.kind != INPUT_GLOBAL) ||
        !schema_resolve(schema, &path, &thing) || thing.nature != SCHEMA_OBJECT ||
        thing.type->kind != TYPE_POINTER)
        return NULL;
    return input_path_expression(&path, arena);
}

static void split(const char *lines, struct arena *arena, infer_texts *out)
{
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");
        *VEC_PUSH(out) = arena_strndup(arena, lines, length);
        lines += length + (lines[length] == '\n');
    }
}

static void add_pointers(const struct campaign_request *campaign, const char *matters,
                         struct arena *arena, infer_texts *out)
{
    const struct schema *schema = unit_schema(campaign->unit, campaign->task);
    infer_texts paths = {0};
    split(matters, arena, &paths);
    for (size_t i = 0; i < paths.count; i++) {
        const char *name = pointer_name(schema, paths.items[i], arena);
        const char *text = name ? arena_printf(arena, "%s != NULL", name) : NULL;
        bool known = !name;
        for (size_t k = 0; text && k < out->count; k++)
            known |= !strcmp(out->items[k], text);
        if (!known)
            *VEC_PUSH(out) = text;
    }
    VEC_RELEASE(&paths);
}

void causes_finish(const struct campaign_request *campaign, struct arena *arena,
                   struct kept_test *test)
{
    infer_texts texts = {0}, guards = {0};
    split(test->candidates, arena, &texts);
    split(test->guards, arena, &guards);
    if (test->fault == WIRE_FAULT_NULL)
        add_pointers(campaign, test->matters, arena, &texts);
    infer_guarded(&guards, arena, &texts);
    test->candidates = join(&texts, arena);
    VEC_RELEASE(&texts);
    VEC_RELEASE(&guards);
}
