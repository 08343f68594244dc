// SPDX-License-Identifier: Apache-2.0
#include "jobs/file_jobs.h"

#include "base/check.h"

bool files_run(const struct files_request *request, enum option_on backend, struct error *err)
{
    static backend_run *const backends[] = {
#define BACKEND(id, word) [OPTION_ON_##id] = backend_##word##_run,
#include "options/backends.def"
#undef BACKEND
    };
    assert(backend < OPTION_COUNT_on);
    return backends[backend](request, err);
}
