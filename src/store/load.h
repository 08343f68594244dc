// SPDX-License-Identifier: Apache-2.0
// Shared by the files that read a store. What is read becomes part of the result; the reader
// remembers what is wrong.
#ifndef CZ_STORE_LOAD_H
#define CZ_STORE_LOAD_H

#include "store/database.h"

// Room for one more item behind `count` of them, in the result's arena.
void *load_append(struct result *result, void *items, size_t count, size_t size);

// In this order.
void load_tasks(struct store_reader *reader, struct result *result);
void load_decisions(struct store_reader *reader, struct result *result);
void load_verdicts(struct store_reader *reader, struct result *result);
void load_alarms(struct store_reader *reader, struct result *result);
void load_preconditions(struct store_reader *reader, struct result *result);
void load_tests(struct store_reader *reader, struct result *result);
void load_vectors(struct store_reader *reader, struct result *result);
void load_statistics(struct store_reader *reader, struct result *result);
void load_sources(struct store_reader *reader, struct result *result);

#endif
