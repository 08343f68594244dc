// SPDX-License-Identifier: Apache-2.0
// Numbers for branches and switches, over all files of a unit. A function of a header is
// compiled into every file that includes it. Where it reads the same, and the same
// conditions are constant, its branches get the numbers of the first copy: for the
// engine and in the reports they are one goal each. Whether conditions are constant can
// depend on what stood before the header, so a copy is analysed first and given numbers
// of its own when it differs.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include <string.h>

void frontend_numbers_init(struct frontend_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    map_init(&numbers->copies);
}

void frontend_numbers_release(struct frontend_numbers *numbers)
{
    map_release(&numbers->copies);
    VEC_RELEASE(&numbers->firsts);
    VEC_RELEASE(&numbers->folded);
}

struct mark { // what an analysis of a body has added
    size_t branches, decisions, switches, unevaluated, edits, notes;
};

static struct mark mark_of(const struct frontend *fe)
{
    return (struct mark){fe->branches.count,    fe->decisions.count, fe->switches.count,
                         fe->unevaluated.count, fe->edits.count,     fe->notes.count};
}

static void go_back(struct frontend *fe, const struct mark *mark)
{
    fe->branches.count = mark->branches;
    fe->decisions.count = mark->decisions;
    fe->switches.count = mark->switches;
    fe->unevaluated.count = mark->unevaluated;
    fe->edits.count = mark->edits;
    fe->notes.count = mark->notes;
}

static void collect_at(struct frontend *fe, size_t function, struct node *body, size_t branch,
                       size_t switch_id)
{
    fe->next_branch = branch;
    fe->next_switch = switch_id;
    branches_collect(fe, function, body);
}

static bool is_same(const struct frontend *fe, const struct mark *mark,
                    const struct frontend_copy *first)
{
    if (fe->branches.count - mark->branches != first->branches ||
        fe->switches.count - mark->switches != first->switches)
        return false;
    for (size_t i = 0; i < first->branches; i++)
        if (fe->branches.items[mark->branches + i].folded !=
            fe->numbers->folded.items[first->branch + i])
            return false;
    return true;
}

static void collect_fresh(struct frontend *fe, size_t function, struct node *body)
{
    struct frontend_numbers *numbers = fe->numbers;
    size_t before = fe->branches.count;
    collect_at(fe, function, body, numbers->branches, numbers->switches);
    numbers->branches = fe->next_branch;
    numbers->switches = fe->next_switch;
    for (size_t i = before; i < fe->branches.count; i++)
        *VEC_PUSH(&numbers->folded) = fe->branches.items[i].folded;
}

// What tells a function of a header from all others: where it is and what it reads.
static void write_key(const struct frontend *fe, const struct function *function,
                      CXCursor definition, struct buf *key)
{
    uint32_t start, end;
    source_range(definition, &start, &end);
    buf_printf(key, "%s:%u:", function->at.file, function->at.source_line);
    buf_add(key, fe->text + start, end - start);
}

// A further copy of the first one; false when it is none after all.
static bool collect_copy(struct frontend *fe, size_t function, struct node *body, size_t number)
{
    const struct frontend_copy *first = &fe->numbers->firsts.items[number];
    struct mark mark = mark_of(fe);
    collect_at(fe, function, body, first->branch, first->switch_id);
    if (is_same(fe, &mark, first))
        return true;
    go_back(fe, &mark);
    return false;
}

static size_t collect_first(struct frontend *fe, size_t function, struct node *body)
{
    struct frontend_numbers *numbers = fe->numbers;
    struct frontend_copy first = {.branch = numbers->branches, .switch_id = numbers->switches};
    collect_fresh(fe, function, body);
    first.branches = numbers->branches - first.branch;
    first.switches = numbers->switches - first.switch_id;
    *VEC_PUSH(&numbers->firsts) = first;
    return numbers->firsts.count - 1;
}

void numbers_collect(struct frontend *fe, size_t index, CXCursor definition, struct node *body)
{
    const struct function *function = &fe->functions.items[index];
    if (!function->in_header || !(function->is_static || function->is_inline)) {
        collect_fresh(fe, index, body);
        return;
    }
    struct buf key = BUF_INIT;
    uint64_t number;
    write_key(fe, function, definition, &key);
    if (!map_get_text(&fe->numbers->copies, buf_text(&key), &number)) {
        number = collect_first(fe, index, body);
        map_put_text(&fe->numbers->copies, buf_text(&key), number);
        fe->functions.items[index].copy = number + 1;
    } else if (collect_copy(fe, index, body, number)) {
        fe->functions.items[index].copy = number + 1;
    } else {
        collect_fresh(fe, index, body);
    }
    buf_release(&key);
}
