// SPDX-License-Identifier: Apache-2.0
// The tasks are halved until those whose drivers do not compile stand alone: a compiler's message
// names a line, but the cause may be a builder that several tasks share.
#include "jobs/tolerant_build.h"

#include <string.h>

struct drivers {
    struct unit_request request;
    struct arena *arena;
    VEC(const char *) good;
    VEC(const char *) bad, reasons; // a pair for each
    struct error other;             // not of a driver
};

// "driver.c:7: error: no such type": the first error of a compiler's messages.
static const char *first_error(const char *messages, struct arena *arena)
{
    const char *at = strstr(messages, "error: ");
    return at ? arena_printf(arena, "%.*s", (int)strcspn(at, "\n"), at) : "";
}

static bool compiles(struct drivers *d, const char *const *names, size_t count, struct error *err)
{
    struct unit_request request = d->request;
    struct unit unit;
    const char **list = arena_array(d->arena, const char *, count + 1);
    memcpy(list, names, count * sizeof *list);
    request.task_names = list;
    request.only_check = true;
    bool good = unit_build(&request, &unit, err);
    bool is_driver = unit.driver_failed;
    unit_release(&unit);
    if (!good && !is_driver)
        d->other = *err;
    return good;
}

static void sort_out(struct drivers *d, const char *const *names, size_t count)
{
    struct error err = {0};
    if (!count || d->other.kind != ERROR_NONE)
        return;
    if (compiles(d, names, count, &err)) {
        for (size_t i = 0; i < count; i++)
            *VEC_PUSH(&d->good) = names[i];
        return;
    }
    if (count == 1) {
        *VEC_PUSH(&d->bad) = names[0];
        *VEC_PUSH(&d->reasons) = first_error(err.text, d->arena);
        return;
    }
    sort_out(d, names, count / 2);
    sort_out(d, names + count / 2, count - count / 2);
}

static bool leave_out(struct unit_request *request, const struct unit *failed,
                      struct result *result, struct arena *arena)
{
    struct drivers d = {.request = *request, .arena = arena};
    size_t count = failed->program.task_count;
    const char **names = arena_array(arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        names[i] = arena_strdup(arena, failed->program.tasks[i].name);
    sort_out(&d, names, count / 2);
    sort_out(&d, names + count / 2, count - count / 2);
    bool good = d.good.count && d.bad.count && d.other.kind == ERROR_NONE;
    for (size_t i = 0; good && i < d.bad.count; i++)
        result_add_error(result, "task %s: its driver does not compile, please report: %s",
                         d.bad.items[i], d.reasons.items[i]);
    const char **kept = arena_array(arena, const char *, d.good.count + 1);
    for (size_t i = 0; i < d.good.count; i++)
        kept[i] = d.good.items[i];
    if (good)
        request->task_names = kept;
    VEC_RELEASE(&d.good);
    VEC_RELEASE(&d.bad);
    VEC_RELEASE(&d.reasons);
    return good;
}

bool tolerant_build(struct unit_request *request, struct unit *unit, struct result *result,
                    struct arena *arena, struct error *err)
{
    if (unit_build(request, unit, err))
        return true;
    if (!unit->driver_failed || request->program || request->driver ||
        !leave_out(request, unit, result, arena))
        return false;
    uint64_t digest = unit->digest; // of what was asked for
    unit_release(unit);
    *err = (struct error){0};
    result->exits |= exit_bit(EXIT_INCOMPLETE);
    bool good = unit_build(request, unit, err);
    unit->digest = digest;
    return good;
}
