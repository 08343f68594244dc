// SPDX-License-Identifier: Apache-2.0
// Summaries as others read them: parameters as C counts them, globals by name, what is
// not known in words; and all of it as text.
#include "facts/facts_internal.h"

#include "base/fs.h"
#include "base/tunables.h"
#include <stdlib.h>
#include <string.h>

static const struct body *first_body(const struct facts *facts, const struct symbol *symbol)
{
    return facts->bodies.items[symbol->bodies.items[0]];
}

// False: this way means nothing outside.
static bool export_way(struct facts *facts, const struct body *body, uint32_t base,
                       struct facts_way *out)
{
    const struct base *bases = facts->bases.items.items;
    const struct base *root = &bases[bases[base].root];
    unsigned depth = bases[base].depth, extra = 0;
    int64_t *steps = arena_array(&facts->arena, int64_t, depth + 2);
    *out = (struct facts_way){.parameter = FACTS_NO_PARAMETER, .steps = steps};
    if (root->kind == BASE_PARAMETER && root->id < body->parameters.count) {
        const struct body_parameter *parameter = &body->parameters.items[root->id];
        if (parameter->kind == PARAMETER_RESULT ||
            (parameter->kind == PARAMETER_BY_VALUE && depth == 0))
            return false;
        out->parameter = parameter->index;
        extra = parameter->kind == PARAMETER_PIECE;
        steps[0] = parameter->offset; // of a piece; else overwritten
    } else if (root->kind == BASE_GLOBAL) {
        const struct symbol *global = &facts->symbols.items[root->id];
        out->global = global->name;
        out->file = global->is_static ? facts->files[global->file].path : NULL;
    } else {
        return false;
    }
    out->step_count = depth + extra;
    for (const struct base *b = &bases[base]; b->kind == BASE_LOADED; b = &bases[b->parent])
        steps[b->depth - 1 + extra] = b->span ? FACTS_VARYING : b->offset;
    return true;
}

static int compare_ways(const struct facts_way *a, const struct facts_way *b)
{
    if (a->parameter != b->parameter)
        return a->parameter < b->parameter ? -1 : 1;
    int order = a->global ? strcmp(a->global, b->global) : 0;
    if (!order && a->file && b->file)
        order = strcmp(a->file, b->file);
    if (!order)
        order = (a->file != NULL) - (b->file != NULL);
    for (size_t i = 0; !order && i < a->step_count && i < b->step_count; i++)
        order = (a->steps[i] > b->steps[i]) - (a->steps[i] < b->steps[i]);
    return order ? order : (a->step_count > b->step_count) - (a->step_count < b->step_count);
}

static int compare_writes(const void *left, const void *right)
{
    const struct facts_write *a = left, *b = right;
    int order = compare_ways(&a->way, &b->way);
    return order ? order : (a->from > b->from) - (a->from < b->from);
}

static int compare_calls(const void *left, const void *right)
{
    const struct facts_call *a = left, *b = right;
    return compare_ways(&a->way, &b->way);
}

static int compare_free(const void *left, const void *right)
{
    return compare_ways(left, right);
}

static void export_writes(struct facts *facts, struct symbol *symbol, const struct body *body)
{
    const struct writes *writes = &symbol->summary.writes;
    struct facts_write *out =
        arena_array(&facts->arena, struct facts_write, writes->items.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < writes->items.count; i++) {
        const struct write *w = &writes->items.items[i];
        struct facts_write *to = &out[count];
        *to = (struct facts_write){
            .all = w->all, .from = w->from, .to = w->to, .length = FACTS_NO_PARAMETER};
        if (!export_way(facts, body, w->base, &to->way))
            continue;
        to->deep = facts->bases.items.items[w->base].kind == BASE_DEEP;
        if (w->all && w->extent.parameter < body->parameters.count) {
            to->length = body->parameters.items[w->extent.parameter].index;
            to->scale = w->extent.scale;
        }
        count++;
    }
    if (count)
        qsort(out, count, sizeof *out, compare_writes);
    symbol->exported.writes = out;
    symbol->exported.write_count = count;
}

// The parameter that all values of this argument are, unchanged.
static size_t forwarded(const struct facts *facts, const struct body *body, const aims *values)
{
    if (values->count != 1 || values->items[0].offset || values->items[0].span)
        return FACTS_NO_PARAMETER;
    const struct base *base = &facts->bases.items.items[values->items[0].base];
    if (base->kind != BASE_PARAMETER || base->id >= body->parameters.count ||
        body->parameters.items[base->id].kind != PARAMETER_PLAIN)
        return FACTS_NO_PARAMETER;
    return body->parameters.items[base->id].index;
}

static void export_calls(struct facts *facts, struct symbol *symbol, const struct body *body)
{
    size_t total = symbol->summary.calls.count, count = 0;
    struct facts_call *out = arena_array(&facts->arena, struct facts_call, total + 1);
    for (size_t i = 0; i < total; i++) {
        const struct deferred *call = &symbol->summary.calls.items[i];
        if (call->target.offset || !export_way(facts, body, call->target.base, &out[count].way))
            continue;
        size_t *forwards = arena_array(&facts->arena, size_t, call->count + 1);
        for (uint32_t k = 0; k < call->count; k++)
            forwards[k] = forwarded(facts, body, &symbol->summary.arguments.items[call->first + k]);
        out[count].forwards = forwards;
        out[count++].argument_count = call->count;
    }
    if (count)
        qsort(out, count, sizeof *out, compare_calls);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!kept || compare_ways(&out[kept - 1].way, &out[i].way) != 0)
            out[kept++] = out[i];
    symbol->exported.calls = out;
    symbol->exported.call_count = kept;
}

static void export_frees(struct facts *facts, struct symbol *symbol, const struct body *body)
{
    const struct writes *frees = &symbol->summary.frees;
    struct facts_way *out = arena_array(&facts->arena, struct facts_way, frees->items.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < frees->items.count; i++)
        count += export_way(facts, body, frees->items.items[i].base, &out[count]);
    if (count)
        qsort(out, count, sizeof *out, compare_free);
    symbol->exported.frees = out;
    symbol->exported.free_count = count;
}

static int compare_returns(const void *left, const void *right)
{
    const struct facts_return *a = left, *b = right;
    int order = compare_ways(&a->way, &b->way);
    return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static void export_returns(struct facts *facts, struct symbol *symbol, const struct body *body)
{
    const aims *results = &symbol->summary.results;
    struct facts_return *out = arena_array(&facts->arena, struct facts_return, results->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct aim *aim = &results->items[i];
        out[count].offset = aim->span ? FACTS_VARYING : aim->offset;
        count += facts->bases.items.items[aim->base].kind != BASE_DEEP &&
                 export_way(facts, body, aim->base, &out[count].way);
    }
    if (count)
        qsort(out, count, sizeof *out, compare_returns);
    symbol->exported.returns = out;
    symbol->exported.return_count = count;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void export_unknown(struct facts *facts, struct symbol *symbol)
{
    size_t total = symbol->summary.unknown.count;
    const char **out = arena_array(&facts->arena, const char *, total + 1);
    for (size_t i = 0; i < total; i++)
        out[i] = facts->phrase_texts.items[symbol->summary.unknown.items[i]];
    if (total)
        qsort(out, total, sizeof *out, compare_texts);
    if (total > FACTS_PHRASES) {
        out[FACTS_PHRASES - 1] =
            arena_printf(&facts->arena, "%zu other things of this kind", total - FACTS_PHRASES + 1);
        total = FACTS_PHRASES;
    }
    symbol->exported.unknown = out;
    symbol->exported.unknown_count = total;
}

static void export_function(struct facts *facts, struct symbol *symbol)
{
    const struct body *body = first_body(facts, symbol);
    const char **names = arena_array(&facts->arena, const char *, body->parameters.count + 1);
    struct facts_function *out = &symbol->exported;
    *out = (struct facts_function){.name = symbol->name,
                                   .file = facts->files[symbol->file].path,
                                   .is_static = symbol->is_static,
                                   .param_names = names,
                                   .never_returns = symbol->never_returns};
    for (size_t i = 0; i < body->parameters.count; i++) {
        const struct body_parameter *parameter = &body->parameters.items[i];
        if (parameter->kind == PARAMETER_RESULT)
            continue;
        names[parameter->index] = parameter->name;
        out->param_count = parameter->index + 1;
    }
    export_writes(facts, symbol, body);
    export_calls(facts, symbol, body);
    export_frees(facts, symbol, body);
    export_returns(facts, symbol, body);
    export_unknown(facts, symbol);
    out->is_pure = !out->write_count && !out->call_count && !out->free_count && !out->unknown_count;
}

void export_all(struct facts *facts)
{
    for (size_t i = 0; i < facts->symbols.count; i++)
        if (facts->symbols.items[i].bodies.count)
            export_function(facts, &facts->symbols.items[i]);
}

// ---- as text ----

static void dump_way(const struct facts_function *f, const struct facts_way *way, struct buf *out)
{
    if (way->global)
        buf_printf(out, "%s%s%s", way->file ? fs_basename(way->file) : "", way->file ? ":" : "",
                   way->global);
    else if (way->parameter < f->param_count && *f->param_names[way->parameter])
        buf_printf(out, "*%s", f->param_names[way->parameter]);
    else
        buf_printf(out, "*parameter %zu", way->parameter + 1);
    for (size_t i = 0; i < way->step_count; i++) {
        if (way->steps[i] == FACTS_VARYING)
            buf_puts(out, " [varying]->");
        else
            buf_printf(out, " +%lld->", (long long)way->steps[i]);
    }
}

static void dump_write(const struct facts_function *f, const struct facts_write *w, struct buf *out)
{
    buf_puts(out, "    writes ");
    dump_way(f, &w->way, out);
    if (w->deep)
        buf_puts(out, " and deeper");
    else if (w->all && w->length != FACTS_NO_PARAMETER)
        buf_printf(out, " all, %s * %lld bytes", f->param_names[w->length], (long long)w->scale);
    else if (w->all)
        buf_puts(out, " all");
    else if (w->from % 8 == 0 && w->to % 8 == 0)
        buf_printf(out, " bytes %lld..%lld", (long long)w->from / 8, (long long)w->to / 8 - 1);
    else
        buf_printf(out, " bits %lld..%lld", (long long)w->from, (long long)w->to - 1);
    buf_putc(out, '\n');
}

static void dump_function(const struct facts_function *f, struct buf *out)
{
    buf_printf(out, "%s%s (%s)%s%s\n", f->is_static ? "static " : "", f->name, fs_basename(f->file),
               f->never_returns ? " never returns" : "", f->is_pure ? " pure" : "");
    for (size_t i = 0; i < f->write_count; i++)
        dump_write(f, &f->writes[i], out);
    for (size_t i = 0; i < f->call_count; i++) {
        buf_puts(out, "    calls ");
        dump_way(f, &f->calls[i].way, out);
        buf_putc(out, '\n');
    }
    for (size_t i = 0; i < f->free_count; i++) {
        buf_puts(out, "    frees ");
        dump_way(f, &f->frees[i], out);
        buf_putc(out, '\n');
    }
    for (size_t i = 0; i < f->return_count; i++) {
        buf_puts(out, "    returns a pointer to ");
        dump_way(f, &f->returns[i].way, out);
        if (f->returns[i].offset == FACTS_VARYING)
            buf_puts(out, " or behind");
        else if (f->returns[i].offset)
            buf_printf(out, " byte %lld", (long long)f->returns[i].offset);
        buf_putc(out, '\n');
    }
    for (size_t i = 0; i < f->unknown_count; i++)
        buf_printf(out, "    unknown: %s\n", f->unknown[i]);
}

static void dump_slot(struct facts *facts, uint32_t slot, const char *name, const char *what,
                      struct buf *out)
{
    struct buf list = BUF_INIT;
    uint32_t top = slot_top(facts, slot);
    for (size_t i = 0; i < facts->slots.items[top].holds.count; i++) {
        const struct symbol *held = &facts->symbols.items[slot_address(facts, top, i)->symbol];
        if (held->is_function)
            buf_printf(&list, "%s%s", list.length ? ", " : "", held->name);
    }
    if (list.length)
        buf_printf(out, "%s%s holds %s%s\n", name, what, buf_text(&list),
                   facts->slots.items[top].open ? ", others" : "");
    buf_release(&list);
}

static void dump_slots(struct facts *facts, struct buf *out)
{
    for (size_t i = 0; i < facts->field_names.count; i++)
        dump_slot(facts, facts->field_slots.items[i], facts->field_names.items[i], "", out);
    for (size_t i = 0; i < facts->symbols.count; i++) {
        const struct symbol *symbol = &facts->symbols.items[i];
        if (!symbol->is_function && symbol->slot != NONE)
            dump_slot(facts, symbol->slot, symbol->name, "", out);
        if (!symbol->bodies.count)
            continue;
        dump_slot(facts, symbol->slot, symbol->name, "() result", out);
        const struct body *body = first_body(facts, symbol);
        for (size_t k = 0; k < body->parameters.count; k++) {
            struct buf what = BUF_INIT;
            buf_printf(&what, "() parameter %s", body->parameters.items[k].name);
            dump_slot(facts, symbol->slot + 2 + 2 * (uint32_t)k, symbol->name, buf_text(&what),
                      out);
            buf_release(&what);
        }
    }
}

void facts_dump(const struct facts *facts, struct buf *out)
{
    for (size_t i = 0; i < facts->notes.count; i++)
        buf_printf(out, "note: %s\n", facts->notes.items[i]);
    for (size_t i = 0; i < facts->symbols.count; i++)
        if (facts->symbols.items[i].bodies.count)
            dump_function(&facts->symbols.items[i].exported, out);
    dump_slots((struct facts *)facts, out); // looking up a slot shortens its way
}
