// SPDX-License-Identifier: Apache-2.0
// The goals of a project, each counted once although several of its files have it: a function
// of a header, or of another file in extended units. The view project_goals tells which verdict
// holds for the project.
#include "report/report.h"

#include "base/fs.h"
#include "report/database.h"
#include <string.h>

struct kind_counts {
    size_t *total, *covered, *by_crash, *infeasible, *assuming, *undetermined, *justified;
};

static void count(const struct kind_counts *c, const char *verdict, bool by_crash)
{
    const struct {
        const char *name;
        size_t *count;
    } verdicts[] = {
        {verdict_name(VERDICT_COVERED), c->covered},
        {verdict_name(VERDICT_INFEASIBLE), c->infeasible},
        {verdict_name(VERDICT_ASSUMING), c->assuming},
        {verdict_name(VERDICT_UNDETERMINED), c->undetermined},
        {verdict_name(VERDICT_JUSTIFIED), c->justified},
    };
    ++*c->total;
    *c->by_crash += by_crash;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        *verdicts[i].count += strcmp(verdict, verdicts[i].name) == 0;
}

static const char *text_at(sqlite3_stmt *rows, int column)
{
    const char *text = (const char *)sqlite3_column_text(rows, column);
    return text ? text : "";
}

static void list_goal(sqlite3_stmt *rows, struct buf *list)
{
    bool is_case = sqlite3_column_int(rows, 10) != 0, outcome = sqlite3_column_int(rows, 9) != 0;
    buf_printf(list, "  %-19s  %s:%d  %s(): ", text_at(rows, 1), fs_basename(text_at(rows, 6)),
               sqlite3_column_int(rows, 7), text_at(rows, 5));
    if (strcmp(text_at(rows, 0), "branch") != 0)
        buf_printf(list, "condition %d of %d: %s", sqlite3_column_int(rows, 11) + 1,
                   sqlite3_column_int(rows, 12), text_at(rows, 8));
    else
        buf_printf(list, "%s: %s", text_at(rows, 8),
                   is_case   ? (outcome ? "taken" : "not taken")
                   : outcome ? "true"
                             : "false");
    buf_printf(list, "  -- in %d files\n", sqlite3_column_int(rows, 13));
}

static void clear(const struct kind_counts *c)
{
    *c->total = *c->covered = *c->by_crash = *c->infeasible = *c->assuming = *c->undetermined =
        *c->justified = 0;
}

bool report_project_goals(const char *path, struct result_counts *counts,
                          size_t assuming[ASSUMPTION_KINDS], struct buf *list, struct error *err)
{
#define KIND(kind)                                                                                 \
    {&counts->kind,                                                                                \
     &counts->kind##_covered,                                                                      \
     &counts->kind##_covered_by_crash,                                                             \
     &counts->kind##_infeasible,                                                                   \
     &counts->kind##_infeasible_assuming,                                                          \
     &counts->kind##_undetermined,                                                                 \
     &counts->kind##_justified}
    const struct kind_counts kinds[] = {KIND(branches), KIND(conditions)};
#undef KIND
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    clear(&kinds[0]);
    clear(&kinds[1]);
    memset(assuming, 0, ASSUMPTION_KINDS * sizeof *assuming);
    bool good =
        sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db,
                           "SELECT kind, verdict, by_crash, in_totals, assumes, function, file, "
                           "line, text, outcome, is_case, position, conditions, runs, "
                           "runs > 1 AND rank <> worst_rank FROM project_goals ORDER BY goal",
                           -1, &rows, NULL) == SQLITE_OK;
    int step = SQLITE_DONE;
    bool any = false;
    while (good && (step = sqlite3_step(rows)) == SQLITE_ROW) {
        const char *verdict = text_at(rows, 1), *assumes = text_at(rows, 4);
        bool is_branch = strcmp(text_at(rows, 0), "branch") == 0;
        if (sqlite3_column_int(rows, 3)) {
            count(&kinds[!is_branch], verdict, sqlite3_column_int(rows, 2) != 0);
            for (unsigned kind = 0; kind < ASSUMPTION_KINDS; kind++)
                assuming[kind] += strcmp(verdict, verdict_name(VERDICT_ASSUMING)) == 0 &&
                                  strstr(assumes, assumption_name(1u << kind));
        }
        if (list && sqlite3_column_int(rows, 14)) {
            if (!any)
                buf_puts(list, "==== goals of several files: what holds for the project ====\n\n");
            any = true;
            list_goal(rows, list);
        }
    }
    good = (good && step == SQLITE_DONE) || database_error(db, path, err);
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return good;
}
