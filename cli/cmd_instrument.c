// SPDX-License-Identifier: Apache-2.0
// cadenza instrument: bitcode in, instrumented object out. Builds the libc models
// of the runtime; also instruments whole programs without branch points, which run
// on their own and behave as before (used by tests).
#include "cli.h"

#include "base/fs.h"
#include "instrument/instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "cadenza instrument [--models] [--narrow] [--keep-ir] IN.bc OUT.o\n\n"
                           "Instruments clang's bitcode so that it carries symbolic labels.\n"
                           "  --models    the input is a libc model of the runtime\n"
                           "  --narrow    the input is for i386\n"
                           "  --keep-ir   also write OUT.o.before.ll and OUT.o.after.ll\n";

// Sites of models are far above those of any unit.
enum { FIRST_MODEL_SITE = 0x40000000 };

static uint32_t model_sites(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return FIRST_MODEL_SITE + (hash & 0x3fff) * 0x10000;
}

int cli_instrument(int argc, char **argv)
{
    struct instrument_request request = {0};
    const char *names[2] = {0};
    int given = 0;
    bool models = false, narrow = false;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return EXIT_DONE;
        } else if (!strcmp(argv[i], "--models")) {
            models = true;
        } else if (!strcmp(argv[i], "--narrow")) {
            narrow = true;
        } else if (!strcmp(argv[i], "--keep-ir")) {
            request.keep_ir = true;
        } else if (argv[i][0] == '-' || given == 2) {
            return cli_usage("instrument", "unexpected word '%s'", argv[i]);
        } else {
            names[given++] = argv[i];
        }
    }
    if (given < 2)
        return cli_usage("instrument", "needs an input and an output file");
    request.bitcode = names[0];
    request.object = names[1];
    if (models)
        request.first_site = model_sites(fs_basename(names[0]));
    char *library = fs_library_dir();
    struct arena arena;
    arena_init(&arena);
    request.shim = arena_printf(&arena, "%s%s/shim.bc", library, narrow ? "/ilp32" : "");
    free(library);
    struct instrument_result result = {0};
    struct error err = {0};
    int code = instrument_module(&request, &arena, &result, &err) ? EXIT_DONE : cli_fail(&err);
    arena_release(&arena);
    return code;
}
