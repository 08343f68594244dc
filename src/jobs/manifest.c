// SPDX-License-Identifier: Apache-2.0
#include "jobs/manifest.h"

#include "base/fs.h"
#include "base/map.h"
#include "store/store.h"
#include <string.h>

static const struct record_field knowledge_fields[] = {
    RECORD_BOOL(struct manifest_knowledge, known),
    RECORD_NUMBER(struct manifest_knowledge, project),
    RECORD_NUMBER(struct manifest_knowledge, preconditions),
    RECORD_NUMBER(struct manifest_knowledge, unit),
    RECORD_BOOL(struct manifest_knowledge, judged_calls),
    RECORD_NUMBER(struct manifest_knowledge, calls),
    RECORD_END,
};
static const struct record_type knowledge_record =
    RECORD_TYPE("knowledge of a manifest", 'K', 1, struct manifest_knowledge, knowledge_fields);

static const struct record_field manifest_fields[] = {
    RECORD_TEXT(struct manifest, cadenza),
    RECORD_NUMBER(struct manifest, results),
    RECORD_TEXT(struct manifest, name),
    RECORD_TEXT(struct manifest, source),
    RECORD_TEXT(struct manifest, home),
    RECORD_TEXT(struct manifest, problem),
    RECORD_TEXT(struct manifest, flags_note),
    RECORD_LIST_OF_TEXTS(struct manifest, flags, flag_count),
    RECORD_BOOL(struct manifest, all_tasks),
    RECORD_LIST_OF_TEXTS(struct manifest, tasks, task_count),
    RECORD_STRUCT(struct manifest, options, &options_record),
    RECORD_NUMBER(struct manifest, seed_test),
    RECORD_STRUCT(struct manifest, knowledge, &knowledge_record),
    RECORD_END,
};
const struct record_type manifest_record =
    RECORD_TYPE("manifest", 'M', 1, struct manifest, manifest_fields);

void manifest_complete(struct manifest *m)
{
    struct buf text = BUF_INIT;
    m->cadenza = CADENZA_VERSION;
    m->results = STORE_VERSION;
    m->seed_test = 0;
    if (*m->options.seed_test && fs_read(m->options.seed_test, &text, NULL))
        m->seed_test = hash_bytes(buf_text(&text), text.length, 1);
    buf_release(&text);
}

bool manifest_save(const struct manifest *m, const char *directory, struct error *err)
{
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/manifest", directory);
    bool good = record_save(&manifest_record, m, path.data, err);
    buf_release(&path);
    return good;
}

bool manifest_load(struct manifest *m, const char *directory, struct arena *arena,
                   struct error *err)
{
    return record_load(&manifest_record, arena_printf(arena, "%s/manifest", directory), NULL, arena,
                       m, err);
}

// What there is to do, as bytes.
static void write_order(const struct manifest *m, struct buf *out)
{
    struct manifest order = *m;
    order.options.jobs = 0;
    order.options.on = OPTION_ON_LOCAL;
    order.options.require = "";
    order.options.done = 0;
    order.options.just = "";
    order.options.no_report = false;
    order.knowledge = (struct manifest_knowledge){0};
    record_write(&manifest_record, &order, out);
}

bool manifest_same_order(const struct manifest *a, const struct manifest *b)
{
    struct buf one = BUF_INIT, other = BUF_INIT;
    write_order(a, &one);
    write_order(b, &other);
    bool same = one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
    buf_release(&one);
    buf_release(&other);
    return same;
}

bool manifest_is_untouched(const struct manifest *done, const struct manifest *now)
{
    return done->knowledge.known && manifest_same_order(done, now) &&
           done->knowledge.project == now->knowledge.project &&
           done->knowledge.preconditions == now->knowledge.preconditions;
}

bool manifest_is_same_work(const struct manifest *done, const struct manifest *now)
{
    return done->knowledge.known && manifest_same_order(done, now) &&
           done->knowledge.unit == now->knowledge.unit &&
           (!done->knowledge.judged_calls || done->knowledge.calls == now->knowledge.calls);
}
