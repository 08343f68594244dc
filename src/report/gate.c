// SPDX-License-Identifier: Apache-2.0
#include "report/gate.h"

#include <ctype.h>
#include <string.h>

enum { WHOLE = 100000 }; // 100 % in thousandths

static const char *const names[GATE_MEASURES] = {[GATE_STATEMENT] = "statement",
                                                 [GATE_BRANCH] = "branch",
                                                 [GATE_MCDC] = "mcdc",
                                                 [GATE_BUGS] = "bugs",
                                                 [GATE_ALARMS] = "alarms"};

static bool is_percentage(int measure)
{
    return measure <= GATE_MCDC;
}

// ---- reading ----

// "95" or "95.125", as thousandths; false: it is none, or it does not fit.
static bool read_number(const char *text, size_t length, bool fraction, uint64_t *out)
{
    const char *end = text + length;
    uint64_t value = 0;
    if (text == end || !isdigit((unsigned char)*text))
        return false;
    for (; text < end && isdigit((unsigned char)*text); text++) {
        if (value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    *out = value;
    if (!fraction)
        return text == end;
    *out *= 1000;
    if (text < end && *text == '.')
        for (uint64_t unit = 100; ++text < end && isdigit((unsigned char)*text); unit /= 10)
            *out += unit * (uint64_t)(*text - '0');
    return text == end && text[-1] != '.' && *out <= WHOLE;
}

static bool take_requirement(struct gate *gate, const char *word, size_t length, struct error *err)
{
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    int measure = 0;
    while (measure < GATE_MEASURES &&
           (strlen(names[measure]) != name || strncmp(names[measure], word, name) != 0))
        measure++;
    if (measure == GATE_MEASURES)
        return error_set(err, ERROR_USAGE,
                         "--require is a list of statement=, branch=, mcdc=, bugs= and alarms=, "
                         "not '%.*s'",
                         (int)length, word);
    if (gate->required & 1u << measure)
        return error_set(err, ERROR_USAGE, "--require names %s twice", names[measure]);
    gate->required |= 1u << measure;
    const char *value = equals ? equals + 1 : "";
    size_t rest = equals ? length - name - 1 : 0;
    if (read_number(value, rest, is_percentage(measure), &gate->limits[measure]))
        return true;
    return error_set(err, ERROR_USAGE, "--require %s= takes %s, not '%.*s'", names[measure],
                     is_percentage(measure) ? "a percentage from 0 to 100" : "a number", (int)rest,
                     value);
}

bool gate_parse(struct gate *gate, const char *list, struct error *err)
{
    gate->required = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        if (!take_requirement(gate, list, length, err))
            return false;
        list += length + (list[length] == ',');
    }
    return true;
}

// ---- comparing ----

// What is counted of a criterion.
struct goals {
    const char *words;
    size_t all, covered, by_crash, infeasible, assuming, justified, open;
};

static struct goals goals_of(int measure, const struct result_counts *c)
{
    if (measure == GATE_STATEMENT)
        return (struct goals){.words = "lines",
                              .all = c->lines,
                              .covered = c->lines_covered,
                              .open = c->lines - c->lines_covered};
    if (measure == GATE_BRANCH)
        return (struct goals){"branches",
                              c->branches,
                              c->branches_covered,
                              c->branches_covered_by_crash,
                              c->branches_infeasible,
                              c->branches_infeasible_assuming,
                              c->branches_justified,
                              c->branches_undetermined};
    return (struct goals){"conditions",
                          c->conditions,
                          c->conditions_covered,
                          c->conditions_covered_by_crash,
                          c->conditions_infeasible,
                          c->conditions_infeasible_assuming,
                          c->conditions_justified,
                          c->conditions_undetermined};
}

static size_t counted_as_done(const struct gate *gate, const struct goals *goals)
{
    return (gate->done >> VERDICT_INFEASIBLE & 1 ? goals->infeasible : 0) +
           (gate->done >> VERDICT_ASSUMING & 1 ? goals->assuming : 0) +
           (gate->done >> VERDICT_JUSTIFIED & 1 ? goals->justified : 0);
}

static size_t number_of(int measure, const struct result_counts *counts)
{
    return measure == GATE_BUGS ? counts->bugs : counts->alarms;
}

static bool requirement_holds(const struct gate *gate, int measure,
                              const struct result_counts *counts)
{
    if (!is_percentage(measure))
        return number_of(measure, counts) <= gate->limits[measure];
    struct goals goals = goals_of(measure, counts);
    size_t wanted = goals.all - counted_as_done(gate, &goals);
    return (uint64_t)goals.covered * WHOLE >= gate->limits[measure] * wanted;
}

bool gate_holds(const struct gate *gate, const struct result_counts *counts)
{
    for (int measure = 0; measure < GATE_MEASURES; measure++)
        if (gate->required >> measure & 1 && !requirement_holds(gate, measure, counts))
            return false;
    return true;
}

// ---- telling ----

// Rounded down, so that what misses a limit does not look like it.
static void put_percentage(size_t part, size_t all, struct buf *out)
{
    unsigned long long hundredths = all ? (unsigned long long)part * 10000 / all : 10000;
    buf_printf(out, "%llu.%02llu %%", hundredths / 100, hundredths % 100);
}

static void put_limit(const struct gate *gate, int measure, struct buf *out)
{
    unsigned long long limit = gate->limits[measure];
    if (!is_percentage(measure))
        buf_printf(out, "at most %llu", limit);
    else if (limit % 1000)
        buf_printf(out, "%llu.%03llu %%", limit / 1000, limit % 1000);
    else
        buf_printf(out, "%llu %%", limit / 1000);
}

// "1 infeasible (done)"
static void put_rest(const struct gate *gate, size_t count, const char *words, int kind,
                     struct buf *out)
{
    buf_printf(out, ", %zu %s%s", count, words, gate->done >> kind & 1 ? " (done)" : "");
}

static void put_goals(const struct gate *gate, int measure, const struct result_counts *counts,
                      struct buf *out)
{
    struct goals goals = goals_of(measure, counts);
    put_percentage(goals.covered, goals.all - counted_as_done(gate, &goals), out);
    buf_printf(out, " (%zu of %zu %s covered", goals.covered, goals.all, goals.words);
    if (goals.by_crash)
        buf_printf(out, ", %zu of them only by tests that crash", goals.by_crash);
    if (measure != GATE_STATEMENT) {
        put_rest(gate, goals.infeasible, "infeasible", VERDICT_INFEASIBLE, out);
        put_rest(gate, goals.assuming, "infeasible assuming something", VERDICT_ASSUMING, out);
        put_rest(gate, goals.justified, "justified", VERDICT_JUSTIFIED, out);
    }
    buf_printf(out, ", %zu open)", goals.open);
}

void gate_describe(const struct gate *gate, const struct result_counts *counts, bool only_failures,
                   struct buf *out)
{
    for (int measure = 0; measure < GATE_MEASURES; measure++) {
        bool holds = requirement_holds(gate, measure, counts);
        if (!(gate->required >> measure & 1) || (holds && only_failures))
            continue;
        buf_printf(out, "gate %s: %s: ", holds ? "passed" : "failed", names[measure]);
        put_limit(gate, measure, out);
        buf_puts(out, " required, ");
        if (is_percentage(measure))
            put_goals(gate, measure, counts, out);
        else
            buf_printf(out, "%zu", number_of(measure, counts));
        buf_puts(out, is_percentage(measure) ? " reached\n" : " found\n");
    }
}
