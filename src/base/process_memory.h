// SPDX-License-Identifier: Apache-2.0
// Memory of this process, for budgets.
#ifndef CZ_BASE_PROCESS_MEMORY_H
#define CZ_BASE_PROCESS_MEMORY_H

#include <stddef.h>

// Bytes of this process that are in memory now; 0 when the system does not tell.
size_t memory_resident(void);

// Give what was freed back to the system.
void memory_trim(void);

#endif
