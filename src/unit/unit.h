// SPDX-License-Identifier: Apache-2.0
// What is tested together, built for the engine: one file or several, each parsed,
// wrapped, given its part of the driver and compiled to bitcode; linked, instrumented as
// one module, and linked with the runtime. All tasks share one target.
#ifndef CZ_UNIT_UNIT_H
#define CZ_UNIT_UNIT_H

#include "options/options.h"
#include "facts/facts.h"
#include "frontend/frontend.h"
#include "harness/harness.h"
#include "instrument/instrument.h"
#include "pre/pre.h"
#include "program/merge.h"

struct unit_file {
    const char *source;
    const char *const *flags; // the compiler's, NULL-terminated, or NULL
};

// One file of a unit. The first has the tasks.
struct unit_text {
    struct unit_file file;
    struct program program;
    struct harness harness;
    const char *engine; // what the engine compiles: the wrapped text with the driver
    const char *driver; // the generated driver, for people
    const char *before; // what is included in front of it
    const char *bitcode;
};

struct unit {
    struct program program; // all files
    struct arena arena;     // of everything below
    struct unit_text **texts;
    size_t text_count;
    struct frontend_numbers numbers;
    struct harness_note *notes; // of all parts of the driver
    size_t note_count;
    struct schema *schemas;            // the inputs of each task of `program`
    struct hardware_request rewriting; // how code for a device is made to run here
    struct hardware_result hardware;
    struct instrument_result instrumented;
    const char *directory; // <out>/harness/<file>
    const char *queries;   // <out>/queries, for slow solver queries
    const char *bitcode, *target;
    const char **support; // bitcode of other files' functions that are linked as they are
    size_t support_count;
    struct harness_assumption *assumptions; // preconditions of tasks, macros expanded ...
    const char **assumption_words;          // ... and as they were written
    size_t assumption_count;
    uint32_t checks;             // 1 << WIRE_FAULT_* of what is an alarm
    const char *clang, *library; // tool and our files ...
    const char *parts;           // ... and those that are linked, for the unit's data model
    bool driver_failed;          // the compiler refused the generated driver
    uint64_t digest;             // see unit_digest.h
};

struct unit_request {
    const struct unit_file *files; // all of them belong to the unit
    size_t file_count;
    const char *out_directory;
    const char *const *task_names;
    const struct options *options;
    const struct facts *facts; // of the project, or NULL
    const char *driver;        // a driver's text in place of the generated one, or NULL
    // Files that define what the unit calls are added, as many steps from the first as
    // `extend` says. NULL: there is no project to look into.
    bool (*find)(void *context, const char *symbol, const char *from, struct unit_file *out);
    void *context;
    unsigned extend;
    // A whole program: the task is main, whose file becomes the first one. NULL: it is not.
    const struct harness_program *program;
    const char *home; // directory of the project, where it may keep cadenza.pre; or NULL
    const struct pre_list *preconditions;    // of the project, or NULL
    const struct harness_assumption *probes; // preconditions to be tried
    size_t probe_count;
    bool only_digest; // of the unit; nothing is compiled
    bool only_check;  // whether the drivers compile; nothing is built
};

bool unit_build(const struct unit_request *request, struct unit *unit, struct error *err);
void unit_release(struct unit *unit);

// Rewrites other bitcode of a text of this unit as its own was (see instrument_hardware).
bool unit_rewrite(void *unit, const char *bitcode, struct error *err);
// What was left out there and is in a task's code, as an assumption for the reports; NULL:
// it is not the task's.
const char *unit_left_out(struct unit *unit, const struct task *task,
                          const struct hardware_use *use);

// The inputs of a task; none of a driver that was not generated.
const struct schema *unit_schema(const struct unit *unit, size_t task);

// Where a site of the instrumented code is in the user's source: "file.c:12".
const char *unit_site_text(struct unit *unit, uint32_t site);

// The site's function as the user wrote it; linking may have numbered a static one.
const char *unit_site_function(struct unit *unit, const struct instrument_site *site);

#endif
