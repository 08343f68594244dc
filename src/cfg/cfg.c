// SPDX-License-Identifier: Apache-2.0
// Joins the parts and resolves calls; see cfg.h.
#include "cfg/cfg_internal.h"

#include "base/check.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/libc.h"
#include <stdlib.h>
#include <string.h>

// libc functions that call functions they were given, now or earlier, and what nobody knows.
static bool calls_back(const char *name)
{
    bool ours =
        !strncmp(name, "llvm.", 5) || !strncmp(name, "cz_", 3) || !strncmp(name, "czrt_", 5);
    return !ours && libc_calls_back(name);
}

struct join {
    struct cfg *cfg;
    const struct cfg_part *const *parts;
    size_t count;
    struct map by_name; // functions
    uint32_t *node_base, *function_base;
    VEC(struct pair) calls; // CALL node, function
    VEC(struct pair) jumps; // extra edges: longjmp, copies of goals
    VEC(uint32_t) landings; // nodes behind a setjmp
    VEC(uint32_t) leaps;    // CALL nodes of longjmp
};

static void copy_parts(struct join *j)
{
    struct cfg *g = j->cfg;
    for (size_t p = 0; p < j->count; p++) {
        const struct cfg_part *part = j->parts[p];
        j->node_base[p] = (uint32_t)g->node_count;
        j->function_base[p] = (uint32_t)g->function_count;
        for (size_t i = 0; i < part->function_count; i++) {
            struct cfg_function *f = &g->functions[g->function_count];
            *f = part->functions[i];
            f->first_node += j->node_base[p];
            map_put_text(&j->by_name, f->name, g->function_count++);
        }
        for (size_t i = 0; i < part->node_count; i++) {
            struct cfg_node *n = &g->nodes[g->node_count++];
            *n = part->nodes[i];
            n->first_edge += (uint32_t)g->edge_count;
            n->function += j->function_base[p];
        }
        for (size_t i = 0; i < part->edge_count; i++)
            g->edges[g->edge_count++] = part->edges[i] + j->node_base[p];
        for (size_t i = 0; i < part->line_count; i++)
            g->lines[g->line_count++] = (struct cfg_line){part->lines[i].text, part->lines[i].line,
                                                          part->lines[i].node + j->node_base[p]};
        for (size_t i = 0; i < part->comparison_count; i++)
            g->comparisons[g->comparison_count++] = part->comparisons[i];
    }
}

static void allocate(struct join *j)
{
    size_t nodes = 1, edges = 1, functions = 1, lines = 1, comparisons = 1;
    for (size_t p = 0; p < j->count; p++) {
        nodes += j->parts[p]->node_count;
        edges += j->parts[p]->edge_count;
        functions += j->parts[p]->function_count;
        lines += j->parts[p]->line_count;
        comparisons += j->parts[p]->comparison_count;
    }
    struct cfg *g = j->cfg;
    struct arena *a = &g->arena;
    g->nodes = arena_array(a, struct cfg_node, nodes);
    g->edges = arena_array(a, uint32_t, edges);
    g->functions = arena_array(a, struct cfg_function, functions);
    g->lines = arena_array(a, struct cfg_line, lines);
    g->comparisons = arena_array(a, struct cfg_comparison, comparisons);
    j->node_base = arena_array(a, uint32_t, j->count + 1);
    j->function_base = arena_array(a, uint32_t, j->count + 1);
}

static void resolve_call(struct join *j, uint32_t node, const char *name)
{
    struct cfg *g = j->cfg;
    uint64_t callee;
    if (name && map_get_text(&j->by_name, name, &callee)) {
        *VEC_PUSH(&j->calls) = (struct pair){node, (uint32_t)callee};
        return;
    }
    if (name && libc_is_longjmp(name))
        *VEC_PUSH(&j->leaps) = node;
    for (uint32_t e = 0; name && libc_is_setjmp(name) && e < g->nodes[node].edge_count; e++)
        *VEC_PUSH(&j->landings) = g->edges[g->nodes[node].first_edge + e];
    if (name && !calls_back(name))
        return;
    for (size_t f = 0; f < g->function_count; f++)
        if (g->functions[f].address_taken)
            *VEC_PUSH(&j->calls) = (struct pair){node, (uint32_t)f};
}

static void resolve_calls(struct join *j)
{
    for (size_t p = 0; p < j->count; p++) {
        const struct cfg_part *part = j->parts[p];
        for (uint32_t i = 0; i < part->node_count; i++) {
            const struct cfg_node *n = &part->nodes[i];
            if (n->kind == CFG_CALL)
                resolve_call(j, i + j->node_base[p],
                             n->subject == CFG_INDIRECT ? NULL : part->names[n->subject]);
        }
    }
    for (size_t i = 0; i < j->leaps.count; i++)
        for (size_t k = 0; k < j->landings.count; k++)
            *VEC_PUSH(&j->jumps) = (struct pair){j->leaps.items[i], j->landings.items[k]};
}

// Rows from pairs, by counting; the order of pairs stays.
void cfg_make_list(struct arena *arena, struct cfg_list *list, size_t rows,
                   const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert(pairs[i].from < rows);
    list->first = arena_array(arena, uint32_t, rows + 2);
    list->of = arena_array(arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        list->first[pairs[i].from + 2]++;
    for (size_t i = 2; i < rows + 2; i++)
        list->first[i] += list->first[i - 1];
    for (size_t i = 0; i < count; i++)
        list->of[list->first[pairs[i].from + 1]++] = pairs[i].to;
}

static void make_lists(struct join *j)
{
    struct cfg *g = j->cfg;
    VEC(struct pair) pairs = {0};
    for (uint32_t n = 0; n < g->node_count; n++)
        for (uint32_t e = 0; e < g->nodes[n].edge_count; e++)
            *VEC_PUSH(&pairs) = (struct pair){g->edges[g->nodes[n].first_edge + e], n};
    for (size_t i = 0; i < j->jumps.count; i++)
        *VEC_PUSH(&pairs) = (struct pair){j->jumps.items[i].to, j->jumps.items[i].from};
    cfg_make_list(&g->arena, &g->preds, g->node_count, pairs.items, pairs.count);
    cfg_make_list(&g->arena, &g->callees, g->node_count, j->calls.items, j->calls.count);
    cfg_make_list(&g->arena, &g->jumps, g->node_count, j->jumps.items, j->jumps.count);
    pairs.count = 0;
    for (size_t i = 0; i < j->calls.count; i++)
        *VEC_PUSH(&pairs) = (struct pair){j->calls.items[i].to, j->calls.items[i].from};
    cfg_make_list(&g->arena, &g->callers, g->function_count, pairs.items, pairs.count);
    pairs.count = 0;
    for (uint32_t n = 0; n < g->node_count; n++)
        if (g->nodes[n].kind == CFG_RETURN)
            *VEC_PUSH(&pairs) = (struct pair){g->nodes[n].function, n};
    cfg_make_list(&g->arena, &g->returns, g->function_count, pairs.items, pairs.count);
    VEC_RELEASE(&pairs);
}

static void index_goals(struct join *j)
{
    struct cfg *g = j->cfg;
    VEC(struct pair) pairs = {0};
    g->goal_count = 2 * g->program->branch_count;
    g->goal_node = arena_array(&g->arena, uint32_t, g->goal_count + 1);
    memset(g->goal_node, 0xff, (g->goal_count + 1) * sizeof *g->goal_node);
    for (uint32_t n = 0; n < g->node_count; n++) {
        uint32_t goal = g->nodes[n].subject;
        if (g->nodes[n].kind != CFG_OUTCOME || goal >= g->goal_count)
            continue;
        *VEC_PUSH(&pairs) = (struct pair){goal, n};
        if (g->goal_node[goal] == CFG_NONE)
            g->goal_node[goal] = n;
        else
            *VEC_PUSH(&j->jumps) = (struct pair){g->goal_node[goal], n};
    }
    cfg_make_list(&g->arena, &g->goal_nodes, g->goal_count, pairs.items, pairs.count);
    VEC_RELEASE(&pairs);
}

struct cfg *cfg_new(const struct program *program, const struct cfg_part *const *parts,
                    size_t count)
{
    struct cfg *g = xcalloc(1, sizeof *g);
    arena_init(&g->arena);
    g->program = program;
    struct join j = {.cfg = g, .parts = parts, .count = count};
    map_init(&j.by_name);
    allocate(&j);
    copy_parts(&j);
    resolve_calls(&j);
    index_goals(&j);
    make_lists(&j);
    g->function_of = arena_array(&g->arena, uint32_t, program->function_count + 1);
    for (size_t i = 0; i < program->function_count; i++) {
        uint64_t found;
        g->function_of[i] = map_get_text(&j.by_name, program->functions[i].name, &found)
                                ? (uint32_t)found
                                : CFG_NONE;
    }
    MUST_HOLD(cfg_check(g)); // before anybody walks along it
    cfg_find_dominators(g);
    g->root = CFG_NONE;
    g->alive = arena_array(&g->arena, bool, g->node_count + 1);
    memset(g->alive, true, g->node_count);
    map_release(&j.by_name);
    VEC_RELEASE(&j.calls);
    VEC_RELEASE(&j.jumps);
    VEC_RELEASE(&j.landings);
    VEC_RELEASE(&j.leaps);
    return g;
}

void cfg_free(struct cfg *cfg)
{
    if (!cfg)
        return;
    arena_release(&cfg->arena);
    free(cfg);
}

bool cfg_dominates(const struct cfg *cfg, uint32_t a, uint32_t b)
{
    assert(a < cfg->node_count && b < cfg->node_count);
    return cfg->dom_in[a] && cfg->dom_in[b] && cfg->dom_in[a] <= cfg->dom_in[b] &&
           cfg->dom_out[b] <= cfg->dom_out[a];
}

uint32_t cfg_find_function(const struct cfg *cfg, const char *name)
{
    for (size_t i = 0; i < cfg->function_count; i++)
        if (!strcmp(cfg->functions[i].name, name))
            return (uint32_t)i;
    return CFG_NONE;
}
