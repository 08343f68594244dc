// SPDX-License-Identifier: Apache-2.0
// One file under test, built for the engine: parsed, wrapped, given a driver,
// compiled to bitcode, instrumented and linked with the runtime. All tasks of the
// file share one target.
#ifndef CZ_ENGINE_UNIT_H
#define CZ_ENGINE_UNIT_H

#include "engine/options.h"
#include "facts/facts.h"
#include "frontend/frontend.h"
#include "harness/harness.h"
#include "instrument/instrument.h"

struct unit {
    struct program program;
    struct arena arena; // of everything below
    struct harness harness;
    struct instrument_result instrumented;
    const char *directory;  // <out>/harness/<file>
    const char *queries;    // <out>/queries, for slow solver queries
    const char *driver;     // the generated driver, for people
    const char *before;     // what is included in front of it
    const char *bitcode, *target;
    const char *clang, *library; // tool and our runtime parts
};

struct unit_request {
    const char *source, *out_directory;
    const char *const *flags;
    const char *const *task_names;
    const struct options *options;
    const struct facts *facts; // of the project, or NULL
    const char *driver; // a driver's text in place of the generated one, or NULL
};

bool unit_build(const struct unit_request *request, struct unit *unit, struct error *err);
void unit_release(struct unit *unit);

// Where a site of the instrumented code is in the user's source: "file.c:12".
const char *unit_site_text(struct unit *unit, uint32_t site);

#endif
