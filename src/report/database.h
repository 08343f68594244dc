// SPDX-License-Identifier: Apache-2.0
// Shared by the two halves of cadenza.db: the schema, and SQLite without ceremony.
#ifndef CZ_REPORT_DATABASE_H
#define CZ_REPORT_DATABASE_H

#include "base/error.h"
#include <sqlite3.h>
#include <stdarg.h>

// "CDNZ": tells our files from other SQLite databases (PRAGMA application_id).
#define DATABASE_ID 0x43444E5A

extern const char database_schema[];

// Fill err with what SQLite says.
bool database_error(sqlite3 *db, const char *what, struct error *err);

#endif
