// SPDX-License-Identifier: Apache-2.0
// Reads llvm-cov's JSON. Two things are not in the JSON and are recovered here:
// the count of each line, from the segments, by the rule of llvm-cov's
// LineCoverageStats; and which MC/DC conditions are constant, by comparing the
// leaves listed for the file with those listed for the function.
#include "replay/coverage_export.h"

#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

enum { KIND_MCDC_BRANCH = 6, KIND_GAP = 3 }; // llvm::coverage::CounterMappingRegion::RegionKind

typedef VEC(struct text_range) place_list;

static uint64_t number_at(const struct json *array, size_t index)
{
    const struct json *item = json_item(array, index);
    return item && item->kind == JSON_NUMBER && item->integer > 0 ? (uint64_t)item->integer : 0;
}

static const char *text_of(const struct json *item)
{
    return item && item->kind == JSON_STRING ? item->text : "";
}

static bool flag_at(const struct json *array, size_t index)
{
    const struct json *item = json_item(array, index);
    return item && item->kind == JSON_BOOL && item->boolean;
}

static size_t length_of(const struct json *array)
{
    return array && array->kind == JSON_ARRAY ? array->count : 0;
}

static struct text_range place_of(const struct json *entry)
{
    return (struct text_range){(uint32_t)number_at(entry, 0), (uint32_t)number_at(entry, 1),
                               (uint32_t)number_at(entry, 2), (uint32_t)number_at(entry, 3)};
}

static int compare_points(uint32_t line, uint32_t column, uint32_t line2, uint32_t column2)
{
    if (line != line2)
        return line < line2 ? -1 : 1;
    return column == column2 ? 0 : column < column2 ? -1 : 1;
}

static int compare_places(const void *left, const void *right)
{
    const struct text_range *a = left, *b = right;
    int order = compare_points(a->line, a->column, b->line, b->column);
    return order ? order : compare_points(a->end_line, a->end_column, b->end_line, b->end_column);
}

// Lines.

struct segment {
    uint32_t line;
    uint64_t count;
    bool has_count, is_entry, is_gap;
};

static struct segment segment_of(const struct json *entry)
{
    return (struct segment){(uint32_t)number_at(entry, 0), number_at(entry, 2), flag_at(entry, 3),
                            flag_at(entry, 4), flag_at(entry, 5)};
}

// One line from its segments [0, count) and the last segment before it, if any.
static bool line_count(const struct segment *segments, size_t count, const struct segment *wrapped,
                       uint64_t *executions)
{
    bool starts = false, entered = false;
    uint64_t largest = wrapped ? wrapped->count : 0;
    for (size_t i = 0; i < count; i++) {
        entered |= segments[i].is_entry && segments[i].has_count;
        if (segments[i].is_gap || !segments[i].has_count || !segments[i].is_entry)
            continue;
        starts = true;
        if (segments[i].count > largest)
            largest = segments[i].count;
    }
    bool skipped = count && !segments[0].has_count && segments[0].is_entry;
    *executions = largest;
    return entered || (!skipped && ((wrapped && wrapped->has_count) || starts));
}

static void read_lines(struct arena *arena, const struct json *entries, struct llvmcov_file *file)
{
    size_t total = length_of(entries);
    VEC(struct llvmcov_line) lines = {0};
    struct segment *segments = xcalloc(total + 1, sizeof *segments);
    for (size_t i = 0; i < total; i++)
        segments[i] = segment_of(json_item(entries, i));
    const struct segment *wrapped = NULL;
    uint32_t line = total ? segments[0].line : 0;
    for (size_t i = 0; i < total; line++) {
        size_t end = i;
        while (end < total && segments[end].line <= line)
            end++;
        uint64_t executions;
        if (line_count(segments + i, end - i, wrapped, &executions))
            *VEC_PUSH(&lines) = (struct llvmcov_line){line, executions};
        if (end > i)
            wrapped = &segments[end - 1];
        i = end;
    }
    file->line_count = lines.count;
    file->lines = arena_array(arena, struct llvmcov_line, lines.count);
    if (lines.count)
        memcpy(file->lines, lines.items, lines.count * sizeof *lines.items);
    VEC_RELEASE(&lines);
    free(segments);
}

static void read_file(struct arena *arena, const struct json *entry, struct llvmcov_file *file)
{
    file->name = arena_strdup(arena, text_of(json_member(entry, "filename")));
    read_lines(arena, json_member(entry, "segments"), file);
    const struct json *summary = json_member(entry, "summary");
    const struct json *branches = json_member(summary, "branches");
    const struct json *conditions = json_member(summary, "mcdc");
    const struct json *value;
    if ((value = json_member(branches, "count")))
        file->branches = (uint64_t)value->integer;
    if ((value = json_member(branches, "covered")))
        file->branches_covered = (uint64_t)value->integer;
    if ((value = json_member(conditions, "count")))
        file->conditions = (uint64_t)value->integer;
    if ((value = json_member(conditions, "covered")))
        file->conditions_covered = (uint64_t)value->integer;
}

// The file's MC/DC leaves, folded ones included, sorted and without duplicates.
static void read_leaves(const struct json *entries, place_list *leaves)
{
    for (size_t i = 0; i < length_of(entries); i++) {
        const struct json *entry = json_item(entries, i);
        if (number_at(entry, 8) == KIND_MCDC_BRANCH)
            *VEC_PUSH(leaves) = place_of(entry);
    }
    if (leaves->count)
        qsort(leaves->items, leaves->count, sizeof *leaves->items, compare_places);
    size_t kept = 0;
    for (size_t i = 0; i < leaves->count; i++)
        if (!kept || compare_places(&leaves->items[kept - 1], &leaves->items[i]) != 0)
            leaves->items[kept++] = leaves->items[i];
    leaves->count = kept;
}

// Functions.

static bool inside(const struct text_range *inner, const struct text_range *outer)
{
    return compare_points(inner->line, inner->column, outer->line, outer->column) >= 0 &&
           compare_points(inner->end_line, inner->end_column, outer->end_line, outer->end_column) <=
               0;
}

static size_t first_leaf(const place_list *leaves, const struct text_range *at)
{
    size_t low = 0, high = leaves->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct text_range *leaf = &leaves->items[middle];
        if (compare_points(leaf->line, leaf->column, at->line, at->column) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_branches(const void *left, const void *right)
{
    const struct llvmcov_branch *a = left, *b = right;
    return compare_places(&a->at, &b->at);
}

static const struct llvmcov_branch *find_branch(const struct llvmcov_function *function,
                                                const struct text_range *at)
{
    struct llvmcov_branch key = {.at = *at};
    return function->branch_count ? bsearch(&key, function->branches, function->branch_count,
                                            sizeof key, compare_branches)
                                  : NULL;
}

// Give the decision's conditions their leaves. When the numbers differ (they do not
// with llvm-cov 19) no condition gets a place and none is taken for constant.
static void place_conditions(const struct llvmcov_function *function, const place_list *leaves,
                             struct llvmcov_decision *decision)
{
    size_t first = first_leaf(leaves, &decision->at), found = 0;
    while (first + found < leaves->count && inside(&leaves->items[first + found], &decision->at))
        found++;
    if (found != decision->condition_count)
        return;
    for (size_t i = 0; i < found; i++) {
        decision->conditions[i].at = leaves->items[first + i];
        decision->conditions[i].constant = !find_branch(function, &leaves->items[first + i]);
    }
}

static void read_decision(struct arena *arena, const struct json *entry,
                          const struct llvmcov_function *function, const place_list *leaves,
                          struct llvmcov_decision *decision)
{
    const struct json *flags = NULL;
    for (size_t i = 4; i < length_of(entry) && !length_of(flags); i++)
        flags = json_item(entry, i);
    decision->at = place_of(entry);
    decision->condition_count = length_of(flags);
    decision->conditions = arena_array(arena, struct llvmcov_condition, decision->condition_count);
    for (size_t i = 0; i < decision->condition_count; i++) {
        decision->conditions[i].covered = flag_at(flags, i);
        decision->conditions[i].branch = LLVMCOV_NONE;
    }
    if (leaves)
        place_conditions(function, leaves, decision);
}

// "unit.c:helper" (or ';' in later versions) is the static function helper.
static const char *plain_name(const char *name)
{
    const char *colon = strrchr(name, ':'), *semicolon = strrchr(name, ';');
    const char *last = colon > semicolon ? colon : semicolon;
    return program_plain_symbol(last ? last + 1 : name);
}

// The function's file is that of its first region; its lines are those of all regions there.
static void read_extent(struct arena *arena, const struct json *entry,
                        struct llvmcov_function *function)
{
    const struct json *regions = json_member(entry, "regions");
    const struct json *names = json_member(entry, "filenames");
    uint64_t main_file = number_at(json_item(regions, 0), 5);
    function->file = arena_strdup(arena, text_of(json_item(names, main_file)));
    for (size_t i = 0; i < length_of(regions); i++) {
        const struct json *region = json_item(regions, i);
        if (number_at(region, 5) != main_file || number_at(region, 7) == KIND_GAP)
            continue;
        struct text_range at = place_of(region);
        if (!function->first_line || at.line < function->first_line)
            function->first_line = at.line;
        if (at.end_line > function->last_line)
            function->last_line = at.end_line;
    }
}

static void read_branches(struct arena *arena, const struct json *entries,
                          struct llvmcov_function *function)
{
    function->branch_count = length_of(entries);
    function->branches = arena_array(arena, struct llvmcov_branch, function->branch_count);
    for (size_t i = 0; i < function->branch_count; i++) {
        const struct json *entry = json_item(entries, i);
        function->branches[i] = (struct llvmcov_branch){
            place_of(entry), {number_at(entry, 5), number_at(entry, 4)}, LLVMCOV_NONE};
    }
    if (function->branch_count)
        qsort(function->branches, function->branch_count, sizeof *function->branches,
              compare_branches);
}

static void read_function(struct arena *arena, const struct json *entry, const struct map *file_ids,
                          const place_list *leaves, struct llvmcov_function *function)
{
    function->name = arena_strdup(arena, plain_name(text_of(json_member(entry, "name"))));
    function->function = function->text = LLVMCOV_NONE;
    const struct json *calls = json_member(entry, "count");
    function->calls = calls && calls->integer > 0 ? (uint64_t)calls->integer : 0;
    read_extent(arena, entry, function);
    read_branches(arena, json_member(entry, "branches"), function);
    uint64_t file = 0;
    bool known = map_get_text(file_ids, function->file, &file);
    const struct json *records = json_member(entry, "mcdc_records");
    function->decision_count = length_of(records);
    function->decisions = arena_array(arena, struct llvmcov_decision, function->decision_count);
    for (size_t i = 0; i < function->decision_count; i++)
        read_decision(arena, json_item(records, i), function, known ? &leaves[file] : NULL,
                      &function->decisions[i]);
}

// A second record of the same function adds what it covered; one of the two may be
// the empty record of an object that does not use the function.
static void merge_function(struct llvmcov_function *into, const struct llvmcov_function *from)
{
    if (from->branch_count > into->branch_count || from->decision_count > into->decision_count) {
        into->branches = from->branches;
        into->branch_count = from->branch_count;
        into->decisions = from->decisions;
        into->decision_count = from->decision_count;
    } else if (from->branch_count == into->branch_count &&
               from->decision_count == into->decision_count) {
        for (size_t i = 0; i < into->branch_count; i++)
            for (int side = 0; side < 2; side++)
                into->branches[i].count[side] += from->branches[i].count[side];
        for (size_t i = 0; i < into->decision_count; i++)
            for (size_t c = 0;
                 c < into->decisions[i].condition_count && c < from->decisions[i].condition_count;
                 c++)
                into->decisions[i].conditions[c].covered |=
                    from->decisions[i].conditions[c].covered;
    }
    into->calls += from->calls;
}

static void add_function(struct llvmcov *coverage, struct map *seen,
                         const struct llvmcov_function *function)
{
    struct buf key = BUF_INIT;
    uint64_t old;
    buf_printf(&key, "%s:%u:%s", function->file, function->first_line, function->name);
    if (map_get_text(seen, buf_text(&key), &old)) {
        merge_function(&coverage->functions[old], function);
    } else {
        map_put_text(seen, buf_text(&key), coverage->function_count);
        coverage->functions[coverage->function_count++] = *function;
    }
    buf_release(&key);
}

static void read_all(struct arena *arena, const struct json *files, const struct json *functions,
                     struct llvmcov *coverage)
{
    struct map file_ids, seen;
    map_init(&file_ids);
    map_init(&seen);
    coverage->file_count = length_of(files);
    coverage->files = arena_array(arena, struct llvmcov_file, coverage->file_count);
    place_list *leaves = xcalloc(coverage->file_count + 1, sizeof *leaves);
    for (size_t i = 0; i < coverage->file_count; i++) {
        read_file(arena, json_item(files, i), &coverage->files[i]);
        read_leaves(json_member(json_item(files, i), "branches"), &leaves[i]);
        map_put_text(&file_ids, coverage->files[i].name, i);
    }
    coverage->functions = arena_array(arena, struct llvmcov_function, length_of(functions));
    for (size_t i = 0; i < length_of(functions); i++) {
        struct llvmcov_function function = {0};
        read_function(arena, json_item(functions, i), &file_ids, leaves, &function);
        add_function(coverage, &seen, &function);
    }
    for (size_t i = 0; i < coverage->file_count; i++)
        VEC_RELEASE(&leaves[i]);
    free(leaves);
    map_release(&file_ids);
    map_release(&seen);
}

struct llvmcov *llvmcov_parse(struct arena *arena, const char *text, size_t length,
                              struct error *err)
{
    struct arena scratch;
    struct llvmcov *coverage = NULL;
    arena_init(&scratch);
    const struct json *root = json_parse(&scratch, text, length, err);
    const struct json *data = root ? json_item(json_member(root, "data"), 0) : NULL;
    const struct json *type = root ? json_member(root, "type") : NULL;
    if (!root) {
        error_context(err, "reading llvm-cov's export");
    } else if (!data || strcmp(text_of(type), "llvm.coverage.json.export") != 0) {
        error_set(err, ERROR_INTERNAL, "reading llvm-cov's export: not an llvm-cov JSON export");
    } else {
        coverage = arena_new(arena, struct llvmcov);
        read_all(arena, json_member(data, "files"), json_member(data, "functions"), coverage);
    }
    arena_release(&scratch);
    return coverage;
}

size_t llvmcov_conditions_of(const struct llvmcov_decision *decision)
{
    size_t count = 0;
    for (size_t i = 0; i < decision->condition_count; i++)
        count += !decision->conditions[i].constant;
    return count;
}

const struct llvmcov_file *llvmcov_find_file(const struct llvmcov *coverage, const char *name)
{
    for (size_t i = 0; i < coverage->file_count; i++)
        if (strcmp(coverage->files[i].name, name) == 0)
            return &coverage->files[i];
    return NULL;
}
