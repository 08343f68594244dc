// SPDX-License-Identifier: Apache-2.0
// Reading out/cadenza.db and goals.txt.
#include "claims.h"

#include "base/fs.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_goals(const char *directory, struct claims *claims, struct error *err)
{
    char path[4096];
    struct buf text = BUF_INIT;
    snprintf(path, sizeof path, "%s/goals.txt", directory);
    if (!fs_read(path, &text, err))
        return false;
    const char *at = buf_text(&text);
    unsigned number;
    int length;
    struct goal goal = {0};
    while (sscanf(at, "%u %u %d %d %d %d %u %u%n", &number, &goal.line, &goal.is_case,
                  &goal.decision, &goal.position, &goal.choice, &goal.marked[0], &goal.marked[1],
                  &length) == 8) {
        *VEC_PUSH(&claims->goals) = goal;
        at += length;
    }
    buf_release(&text);
    return true;
}

static int find_goal(const struct claims *claims, unsigned line)
{
    for (size_t i = 0; i < claims->goals.count; i++)
        if (claims->goals.items[i].line == line)
            return (int)i;
    return -1;
}

static char *column(sqlite3_stmt *row, int number)
{
    const char *text = (const char *)sqlite3_column_text(row, number);
    return strdup(text ? text : "");
}

// Before there were two strengths, an assumption stood in the reason of a proof.
static enum strength strength_of(const char *verdict, const char *reason)
{
    if (strcmp(verdict, "covered") == 0)
        return CLAIM_COVERED;
    if (strcmp(verdict, "infeasible_assuming") == 0)
        return CLAIM_WEAK;
    if (strcmp(verdict, "infeasible") == 0)
        return strstr(reason, "pointers are built") ? CLAIM_WEAK : CLAIM_STRONG;
    return CLAIM_OPEN;
}

static void read_claim(struct claims *claims, sqlite3_stmt *row)
{
    struct claim claim = {.task = column(row, 0),
                          .outcome = sqlite3_column_int(row, 2),
                          .vectors =
                              strcmp((const char *)sqlite3_column_text(row, 1), "condition") == 0,
                          .line = (unsigned)sqlite3_column_int(row, 3),
                          .text = column(row, 4),
                          .proof = column(row, 6),
                          .reason = column(row, 7),
                          .test = sqlite3_column_int(row, 8),
                          .other_test = sqlite3_column_int(row, 9)};
    claim.strength = strength_of((const char *)sqlite3_column_text(row, 5), claim.reason);
    claim.goal = find_goal(claims, claim.line);
    claims->unmatched += claim.goal < 0;
    *VEC_PUSH(&claims->claims) = claim;
}

static void read_alarm(struct claims *claims, sqlite3_stmt *row)
{
    *VEC_PUSH(&claims->alarms) = (struct alarm){.task = column(row, 0),
                                                .cause = column(row, 1),
                                                .reproduced = column(row, 2),
                                                .line = (unsigned)sqlite3_column_int(row, 3),
                                                .test = sqlite3_column_int(row, 4)};
}

static bool each_row(sqlite3 *database, const char *query,
                     void (*read)(struct claims *, sqlite3_stmt *), struct claims *claims,
                     struct error *err)
{
    sqlite3_stmt *row;
    if (sqlite3_prepare_v2(database, query, -1, &row, NULL) != SQLITE_OK)
        return error_set(err, ERROR_INTERNAL, "cadenza.db: %s", sqlite3_errmsg(database));
    while (sqlite3_step(row) == SQLITE_ROW)
        read(claims, row);
    sqlite3_finalize(row);
    return true;
}

bool claims_read(const char *directory, struct claims *claims, struct error *err)
{
    *claims = (struct claims){0};
    char path[4096];
    snprintf(path, sizeof path, "%s/out/cadenza.db", directory);
    sqlite3 *database = NULL;
    bool good = read_goals(directory, claims, err);
    if (good && sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        good = error_set(err, ERROR_IO, "%s: %s", path, sqlite3_errmsg(database));
    good = good &&
           each_row(database,
                    "SELECT t.function, g.kind, g.outcome, g.line, g.text, v.verdict, v.proof, "
                    "v.reason, v.test,"
                    " v.other_test FROM verdicts v JOIN goals g ON g.id = v.goal JOIN tasks t ON "
                    "t.id = v.task",
                    read_claim, claims, err) &&
           each_row(database,
                    "SELECT t.function, a.cause, a.reproduced, a.line, a.test FROM alarms a"
                    " JOIN tasks t ON t.id = a.task",
                    read_alarm, claims, err);
    sqlite3_close(database);
    return good;
}

void claims_release(struct claims *claims)
{
    for (size_t i = 0; i < claims->claims.count; i++) {
        struct claim *claim = &claims->claims.items[i];
        free(claim->task);
        free(claim->text);
        free(claim->proof);
        free(claim->reason);
    }
    for (size_t i = 0; i < claims->alarms.count; i++) {
        free(claims->alarms.items[i].task);
        free(claims->alarms.items[i].cause);
        free(claims->alarms.items[i].reproduced);
    }
    VEC_RELEASE(&claims->claims);
    VEC_RELEASE(&claims->alarms);
    VEC_RELEASE(&claims->goals);
}
