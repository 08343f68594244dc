// SPDX-License-Identifier: Apache-2.0
// cadenza facts: what the functions of a project write and which functions its pointers
// hold, as the stubs and drivers of `cadenza run` take it.
#include "cli.h"
#include "notes.h"

#include "base/fs.h"
#include "unit/project_facts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "cadenza facts FILE.c... [-j N] [-- compiler flags]\n"
    "cadenza facts -p compile_commands.json [-j N] [--entry FILE:N]\n\n"
    "Prints what each function of the project and its callees may write (globals, memory\n"
    "behind parameters), what is not known of it, and which functions each pointer to\n"
    "functions may hold. Stubs and drivers are made from this.\n"
    "  -p PATH  compile_commands.json, or a directory that holds one\n"
    "  -j N     compilers at a time (default: one per core)\n"
    "  --entry FILE:N  with -p: compile FILE by its Nth entry where it has several; N alone for\n"
    "           all files that have so many\n";

struct words {
    const char *project;
    VEC(const char *) flags, entries;
    unsigned jobs;
};

static bool take_words(struct words *w, struct project *project, int argc, char **argv,
                       struct error *err)
{
    int i = 0;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!strcmp(argv[i], "-p") && i + 1 < argc) {
            w->project = argv[++i];
        } else if (!strncmp(argv[i], "-j", 2) && (argv[i][2] || i + 1 < argc)) {
            w->jobs = (unsigned)strtoul(argv[i][2] ? argv[i] + 2 : argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--entry") && i + 1 < argc) {
            *VEC_PUSH(&w->entries) = argv[++i];
        } else if (argv[i][0] == '-') {
            return error_set(err, ERROR_USAGE, "unexpected word '%s'", argv[i]);
        } else {
            *VEC_PUSH(&project->files) = (struct project_file){.path = argv[i], .name = argv[i]};
        }
    }
    for (i++; i < argc; i++)
        *VEC_PUSH(&w->flags) = argv[i];
    struct project_flags given;
    if (!project_given_flags(w->flags.items, w->flags.count, PROJECT_WIDTH_AUTO, &project->arena,
                             &given, err))
        return false;
    if (!w->project == !project->files.count)
        return error_set(err, ERROR_USAGE, "give either files or -p");
    if (!w->project && w->entries.count)
        return error_set(err, ERROR_USAGE,
                         "--entry chooses among a compilation database's: give -p");
    for (size_t k = 0; k < project->files.count; k++) {
        project->files.items[k].flags = given.flags;
        project->files.items[k].how = given;
    }
    return true;
}

static int print_facts(const struct words *w, const struct project *project, struct error *err)
{
    const char *parent = getenv("TMPDIR");
    struct buf directory = BUF_INIT;
    struct facts *facts = NULL;
    buf_printf(&directory, "%s/cadenza-facts.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(directory.data)) {
        error_errno(err,
                    "cannot make the directory %s for bitcode, set TMPDIR to where files can be "
                    "written",
                    buf_text(&directory));
        buf_release(&directory);
        return cli_fail(err);
    }
    bool good = project_facts_build(project, buf_text(&directory), w->jobs, &facts, err);
    fs_remove_tree(buf_text(&directory), NULL);
    buf_release(&directory);
    if (!good)
        return cli_fail(err);
    struct buf text = BUF_INIT;
    facts_dump(facts, &text);
    fwrite(buf_text(&text), 1, text.length, stdout);
    buf_release(&text);
    facts_free(facts);
    return EXIT_DONE;
}

static bool load(const struct words *w, struct project *project, struct error *err)
{
    const struct project_request request = {.path = w->project,
                                            .width = PROJECT_WIDTH_AUTO,
                                            .entries = w->entries.items,
                                            .entry_count = w->entries.count};
    return !w->project || project_load(&request, project, err);
}

int cli_facts(int argc, char **argv)
{
    struct words w = {0};
    struct project project = {0};
    struct error err = {0};
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
    arena_init(&project.arena);
    int code;
    if (!take_words(&w, &project, argc, argv, &err)) {
        code = cli_usage("facts", "%s", err.text);
    } else if (!load(&w, &project, &err)) {
        code = cli_fail(&err);
    } else {
        notes_print(&project, NULL, false);
        code = print_facts(&w, &project, &err);
    }
    VEC_RELEASE(&w.flags);
    VEC_RELEASE(&w.entries);
    project_release(&project);
    return code;
}
