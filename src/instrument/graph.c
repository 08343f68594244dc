// SPDX-License-Identifier: Apache-2.0
// Exports the control flow of the module before it is instrumented (cfg/part.h). A
// block becomes a chain of nodes, one per event (hook, call) with plain nodes between.
// Where a hook decides the branch at the end of its block its outcomes lead to the two
// sides; where its value first passes through blocks that only join values (a && b in
// a while) these are followed with the value that is known.
#include "instrument/pass.h"

#include "base/tunables.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

struct graph {
    struct pass *p;
    VEC(struct cfg_function) functions;
    VEC(struct cfg_node) nodes;
    VEC(uint32_t) edges;
    VEC(struct cfg_line) lines;
    VEC(const char *) names;
    struct map name_ids;
    struct map first_node; // block -> node, of the current function
    uint32_t last_line;
};

static uint32_t add_node(struct graph *g, enum cfg_kind kind, uint32_t subject)
{
    uint32_t node = (uint32_t)g->nodes.count;
    *VEC_PUSH(&g->nodes) = (struct cfg_node){
        .kind = (uint8_t)kind, .subject = subject, .function = (uint32_t)g->functions.count};
    return node;
}

// Edges of one node come one after the other: begin, add, add ...
static void begin_edges(struct graph *g, uint32_t node)
{
    g->nodes.items[node].first_edge = (uint32_t)g->edges.count;
}

static void add_edge(struct graph *g, uint32_t node, uint32_t to)
{
    struct cfg_node *n = &g->nodes.items[node];
    for (uint32_t e = 0; e < n->edge_count; e++)
        if (g->edges.items[n->first_edge + e] == to)
            return;
    *VEC_PUSH(&g->edges) = to;
    g->nodes.items[node].edge_count++;
}

static void link_nodes(struct graph *g, uint32_t from, uint32_t to)
{
    begin_edges(g, from);
    add_edge(g, from, to);
}

static void note_line(struct graph *g, LLVMValueRef i, uint32_t node)
{
    if (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || LLVMIsAUnreachableInst(i))
        return;
    if (LLVMIsABranchInst(i) && !LLVMIsConditional(i))
        return;
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(i);
    uint32_t line = where ? LLVMDILocationGetLine(where) : 0;
    if (line == g->last_line || !line)
        return;
    uint32_t text = pass_text(where);
    if (!g->p->request->program || !program_line(g->p->request->program, text, line))
        return; // a driver's
    g->last_line = line;
    *VEC_PUSH(&g->lines) = (struct cfg_line){text, line, node};
}

// ---- events ----

static LLVMValueRef hook_number(LLVMValueRef call)
{
    LLVMValueRef number = LLVMGetOperand(call, 0);
    return LLVMIsAConstantInt(number) ? number : NULL;
}

static bool is_hook(const struct graph *g, LLVMValueRef i)
{
    const struct program *program = g->p->request->program;
    if (!LLVMIsACallInst(i) || !program || !LLVMIsAFunction(LLVMGetCalledValue(i)))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i), number;
    bool cond = control_is_cond(callee);
    if ((!cond && !control_is_switch(callee)) || !(number = hook_number(i)))
        return false;
    size_t count = cond ? program->branch_count : program->switch_count;
    return LLVMConstIntGetZExtValue(number) < count;
}

static bool is_call(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return !LLVMIsAInlineAsm(callee) &&
           !(LLVMIsAFunction(callee) && strncmp(pass_name(callee), "llvm.", 5) == 0);
}

static uint32_t name_id(struct graph *g, const char *name)
{
    uint64_t id;
    if (map_get_text(&g->name_ids, name, &id))
        return (uint32_t)id;
    id = g->names.count;
    *VEC_PUSH(&g->names) = arena_strdup(g->p->arena, name);
    map_put_text(&g->name_ids, name, id);
    return (uint32_t)id;
}

static uint32_t event_node(struct graph *g, LLVMValueRef i)
{
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (is_hook(g, i)) {
        uint32_t id = (uint32_t)LLVMConstIntGetZExtValue(hook_number(i));
        return add_node(g, control_is_cond(callee) ? CFG_COND : CFG_SWITCH, id);
    }
    return add_node(g, CFG_CALL,
                    LLVMIsAFunction(callee) ? name_id(g, pass_source_name(callee)) : CFG_INDIRECT);
}

// ---- following known values ----

// What is known of i1 values on the way from a hook.
struct known {
    LLVMValueRef values[INSTRUMENT_GRAPH_FOLLOWED + 1];
    bool is[INSTRUMENT_GRAPH_FOLLOWED + 1];
    unsigned count;
};

static bool is_zero(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0;
}

static bool evaluate(const struct known *k, LLVMValueRef v, unsigned depth, bool *out)
{
    for (unsigned i = 0; i < k->count; i++)
        if (k->values[i] == v) {
            *out = k->is[i];
            return true;
        }
    if (LLVMIsAConstantInt(v)) {
        *out = LLVMConstIntGetZExtValue(v) != 0;
        return true;
    }
    if (!depth || !LLVMIsAInstruction(v))
        return false;
    LLVMValueRef a = LLVMGetNumOperands(v) ? LLVMGetOperand(v, 0) : NULL;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMXor: // with true
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1)) || is_zero(LLVMGetOperand(v, 1)) ||
            LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 1 || !evaluate(k, a, depth - 1, out))
            return false;
        *out = !*out;
        return true;
    case LLVMZExt: return evaluate(k, a, depth - 1, out);
    case LLVMICmp: {
        LLVMIntPredicate is = LLVMGetICmpPredicate(v);
        if ((is != LLVMIntNE && is != LLVMIntEQ) || !is_zero(LLVMGetOperand(v, 1)) ||
            !evaluate(k, a, depth - 1, out))
            return false;
        *out ^= is == LLVMIntEQ;
        return true;
    }
    default: return false;
    }
}

static bool only_joins(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (op != LLVMPHI && op != LLVMXor && op != LLVMZExt && op != LLVMICmp)
            return false;
    }
    return LLVMIsABranchInst(end) && LLVMIsConditional(end);
}

// Enter `block` from `from`: what do its phis become?
static void join_values(struct known *k, LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
    struct known before = *k;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
            k->count > INSTRUMENT_GRAPH_FOLLOWED)
            continue;
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
            bool is;
            if (LLVMGetIncomingBlock(i, n) == from && LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 1 &&
                evaluate(&before, LLVMGetIncomingValue(i, n), INSTRUMENT_GRAPH_PEELED, &is)) {
                k->values[k->count] = i;
                k->is[k->count++] = is;
                break;
            }
        }
    }
}

static uint32_t node_of(const struct graph *g, LLVMBasicBlockRef block)
{
    uint64_t node = CFG_NONE;
    map_get(&g->first_node, (uintptr_t)block, &node);
    return (uint32_t)node;
}

// Where control goes from the end of `block` with what is known; adds the edges.
static void leave(struct graph *g, uint32_t node, LLVMBasicBlockRef block, struct known k)
{
    for (unsigned steps = 0;; steps++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        bool is;
        LLVMBasicBlockRef to;
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
            evaluate(&k, LLVMGetCondition(end), INSTRUMENT_GRAPH_PEELED, &is))
            to = LLVMGetSuccessor(end, is ? 0 : 1);
        else if (LLVMIsABranchInst(end) && !LLVMIsConditional(end))
            to = LLVMGetSuccessor(end, 0);
        else
            break;
        join_values(&k, block, to);
        LLVMValueRef next = LLVMGetBasicBlockTerminator(to);
        if (steps == INSTRUMENT_GRAPH_FOLLOWED || !only_joins(to) ||
            !evaluate(&k, LLVMGetCondition(next), INSTRUMENT_GRAPH_PEELED, &is)) {
            add_edge(g, node, node_of(g, to));
            return;
        }
        block = to;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        add_edge(g, node, node_of(g, LLVMGetSuccessor(end, s)));
}

// ---- outcomes ----

// `next`: the node behind the hook in its block, or CFG_NONE when nothing comes between
// it and the end of the block.
static void cond_outcomes(struct graph *g, uint32_t node, LLVMValueRef hook, uint32_t next)
{
    uint32_t branch = g->nodes.items[node].subject, outcome[2];
    for (unsigned v = 0; v < 2; v++) {
        outcome[v] = add_node(g, CFG_OUTCOME, 2 * branch + v);
        begin_edges(g, outcome[v]);
        if (next != CFG_NONE)
            add_edge(g, outcome[v], next);
        else
            leave(g, outcome[v], LLVMGetInstructionParent(hook),
                  (struct known){.values = {hook}, .is = {v != 0}, .count = 1});
    }
    begin_edges(g, node);
    add_edge(g, node, outcome[0]);
    add_edge(g, node, outcome[1]);
}

static bool in_case(const struct branch *branch, int64_t value, unsigned width)
{
    uint64_t mask = width >= 64 ? UINT64_MAX : (1ull << width) - 1;
    return (((uint64_t)value - (uint64_t)branch->low) & mask) <=
           (((uint64_t)branch->high - (uint64_t)branch->low) & mask);
}

static void case_edges(struct graph *g, uint32_t outcome, const struct branch *branch,
                       LLVMValueRef end)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(end, 0)));
    for (unsigned s = 1; s < LLVMGetNumSuccessors(end); s++)
        if (branch->kind == BRANCH_CASE &&
            in_case(branch, LLVMConstIntGetSExtValue(LLVMGetOperand(end, 2 * s)), width))
            add_edge(g, outcome, node_of(g, LLVMGetSuccessor(end, s)));
    // The default; and wide ranges, which clang tests on the way to it.
    if (!g->nodes.items[outcome].edge_count)
        add_edge(g, outcome, node_of(g, LLVMGetSwitchDefaultDest(end)));
}

static void switch_outcomes(struct graph *g, uint32_t node, LLVMValueRef hook, uint32_t next)
{
    const struct program *program = g->p->request->program;
    const struct switch_point *point = &program->switches[g->nodes.items[node].subject];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(hook);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool direct = LLVMIsASwitchInst(end) && LLVMGetOperand(end, 0) == hook;
    uint32_t first = (uint32_t)g->nodes.count;
    for (size_t i = 0; i < point->branch_count; i++)
        add_node(g, CFG_OUTCOME, (uint32_t)(2 * point->branches[i] + 1));
    for (size_t i = 0; i < point->branch_count; i++) {
        uint32_t outcome = first + (uint32_t)i;
        begin_edges(g, outcome);
        if (next != CFG_NONE)
            add_edge(g, outcome, next);
        else if (direct)
            case_edges(g, outcome, &program->branches[point->branches[i]], end);
        else
            leave(g, outcome, block, (struct known){0});
    }
    begin_edges(g, node);
    for (size_t i = 0; i < point->branch_count; i++)
        add_edge(g, node, first + (uint32_t)i);
    if (!point->branch_count && next != CFG_NONE)
        add_edge(g, node, next);
    else if (!point->branch_count)
        leave(g, node, block, (struct known){0});
}

// ---- blocks ----

// A pending event gets its edges when the node behind it is known.
static void connect(struct graph *g, uint32_t node, LLVMValueRef event, LLVMBasicBlockRef block,
                    uint32_t next)
{
    enum cfg_kind kind = g->nodes.items[node].kind;
    if (kind == CFG_COND) {
        cond_outcomes(g, node, event, next);
    } else if (kind == CFG_SWITCH) {
        switch_outcomes(g, node, event, next);
    } else if (next != CFG_NONE) {
        link_nodes(g, node, next);
    } else {
        begin_edges(g, node);
        leave(g, node, block, (struct known){0});
    }
}

static void add_block(struct graph *g, LLVMBasicBlockRef block)
{
    uint32_t node = node_of(g, block); // the plain node that begins it
    LLVMValueRef event = NULL, end = LLVMGetBasicBlockTerminator(block);
    g->last_line = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        note_line(g, i, node);
        if (!is_hook(g, i) && !is_call(i))
            continue;
        uint32_t made = event_node(g, i);
        connect(g, node, event, block, made);
        node = made;
        event = i;
        // What follows a call is another stretch of code: the call may not come back.
        if (g->nodes.items[made].kind == CFG_CALL) {
            node = add_node(g, CFG_PLAIN, 0);
            link_nodes(g, made, node);
            event = NULL;
            g->last_line = 0;
        }
    }
    if (LLVMGetInstructionOpcode(end) == LLVMRet) {
        uint32_t exit = add_node(g, CFG_RETURN, 0);
        begin_edges(g, exit);
        connect(g, node, event, block, exit);
    } else {
        connect(g, node, event, block, CFG_NONE);
    }
}

// ---- functions ----

static bool has_user_outside_calls(LLVMValueRef f)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
        for (unsigned a = 0; a < LLVMGetNumArgOperands(user); a++)
            if (LLVMGetOperand(user, a) == f)
                return true;
    }
    return false;
}

// The table of drivers takes their addresses, but nobody else calls through it.
static bool is_driver(const struct pass *p, LLVMValueRef f)
{
    const struct program *program = p->request->program;
    if (strncmp(pass_name(f), "drive_", 6) != 0)
        return false;
    for (size_t i = 0; program && i < program->function_count; i++)
        if (!strcmp(program->functions[i].name, pass_name(f)))
            return false;
    return true;
}

static void add_function(struct graph *g, LLVMValueRef f)
{
    struct cfg_function made = {.name = arena_strdup(g->p->arena, pass_source_name(f)),
                                .first_node = (uint32_t)g->nodes.count};
    made.address_taken = has_user_outside_calls(f) && !is_driver(g->p, f);
    map_clear(&g->first_node);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        map_put(&g->first_node, (uintptr_t)b, add_node(g, CFG_PLAIN, 0));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        add_block(g, b);
    made.node_count = (uint32_t)g->nodes.count - made.first_node;
    *VEC_PUSH(&g->functions) = made;
}

#define KEEP(part, graph, field, count_field, type)                                                \
    ((part)->count_field = (graph)->field.count,                                                   \
     (part)->field = arena_array((graph)->p->arena, type, (graph)->field.count + 1),               \
     memcpy((void *)(part)->field,                                                                 \
            (graph)->field.items ? (void *)(graph)->field.items : (void *)"",                      \
            (graph)->field.count * sizeof(type)),                                                  \
     VEC_RELEASE(&(graph)->field))

void graph_export(struct pass *p)
{
    struct graph g = {.p = p};
    map_init(&g.first_node);
    map_init(&g.name_ids);
    for (size_t i = 0; i < p->functions.count; i++)
        add_function(&g, p->functions.items[i]);
    struct cfg_part *part = arena_new(p->arena, struct cfg_part);
    KEEP(part, &g, functions, function_count, struct cfg_function);
    KEEP(part, &g, nodes, node_count, struct cfg_node);
    KEEP(part, &g, edges, edge_count, uint32_t);
    KEEP(part, &g, lines, line_count, struct cfg_line);
    KEEP(part, &g, names, name_count, const char *);
    map_release(&g.first_node);
    map_release(&g.name_ids);
    compare_export(p, part);
    p->result->graph = part;
}
