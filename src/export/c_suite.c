// SPDX-License-Identifier: Apache-2.0
// An export of C tests: for each tested file test_NAME.c with its tests and stubs, unit_NAME.h,
// which includes the file under test, and files to build and run all of it. The file is included,
// so static functions and variables are within reach; as a system header, because warnings about
// it belong to the user's own build.
//
// Each file is written as a whole or not at all.
#include "base/fs.h"
#include "export/regions.h"
#include "export/support_files.h"

#include <stdlib.h>
#include <string.h>

struct suite {
    const struct export_request *request;
    const struct c_dialect *dialect;
    struct export_model model;
    const char *directory; // absolute
    struct arena *arena;
};

static bool uses_unit(const struct export_file *file)
{
    for (size_t i = 0; i < file->tests.count; i++)
        if (file->tests.items[i]->expressible)
            return true;
    return false;
}

static bool has_main(const struct suite *s, const struct export_file *file)
{
    const struct result *result = s->model.result;
    for (size_t i = 0; i < result->function_count; i++)
        if (result->parts.items[result->functions[i].part] == file->part &&
            !strcmp(result->functions[i].name, "main"))
            return true;
    return false;
}

static void put_unit(const struct suite *s, const struct export_file *file, struct buf *out)
{
    bool renames = has_main(s, file);
    buf_puts(out, "/* The file under test. Its own build is the place for warnings about it. */\n"
                  "#pragma GCC system_header\n");
    if (renames)
        buf_puts(out, "#define main cz_user_main\n");
    buf_printf(out, "#include \"%s\"\n", relative_path(s->directory, file->part->file, s->arena));
    if (renames)
        buf_puts(out, "#undef main\n");
}

static void put_begin(const struct export_file *file, struct buf *out)
{
    buf_puts(out, "/* The start of every test: variables, stubs and errno are as when the program "
                  "starts. */\nstatic void begin_test(void)\n{\n");
    if (file->variables.count) {
        buf_puts(out, "    static const struct variable variables[] = {\n");
        for (size_t i = 0; i < file->variables.count; i++)
            buf_printf(out, "        {(void *)&%s, sizeof %s},\n", file->variables.items[i]->name,
                       file->variables.items[i]->name);
        buf_printf(out, "    };\n    restore_variables(variables, %zu);\n", file->variables.count);
    }
    if (file->stub_count)
        buf_puts(out, "    memset(&script, 0, sizeof script);\n");
    buf_puts(out, "    forget_calls();\n    errno = 0;\n}\n\n");
}

static const struct result_declaration *find_result(const struct suite *s,
                                                    const struct export_test *test)
{
    const struct result *result = s->model.result;
    for (size_t i = 0; i < result->declarations.count; i++) {
        const struct result_declaration *of = &result->declarations.items[i];
        if (of->kind == DECLARED_RESULT && of->part == test->task->part &&
            !strcmp(of->owner, test->task->function))
            return of;
    }
    return NULL;
}

static void put_tests(struct suite *s, const struct export_file *file, struct regions *kept,
                      struct buf *out)
{
    struct c_writer w = {
        .file = file, .dialect = s->dialect, .arena = s->arena, .out = out, .level = 0};
    map_init(&w.declared);
    for (size_t i = 0; i < file->tests.count; i++) {
        struct buf requirement = BUF_INIT;
        w.test = file->tests.items[i];
        w.result = find_result(s, w.test);
        regions_put_requirement(kept, w.test->key, &requirement);
        c_write_test(&w, buf_text(&requirement));
        regions_put_code(kept, w.test->key, "    ", out);
        buf_puts(out, "}\n\n");
        buf_release(&requirement);
    }
    map_release(&w.declared);
    VEC_RELEASE(&w.later);
}

static void put_test_file(struct suite *s, const struct export_file *file, struct regions *kept,
                          struct buf *out)
{
    bool unit = uses_unit(file);
    buf_printf(out,
               "/* Tests of %s, found by cadenza and exported by `cadenza export`.\n\n"
               "   \"Expected\" here means \"observed\": the code did this when the tests were "
               "found. Whether\n   it should do this, only you can tell.\n\n"
               "   Write your own code between \"own code\" and \"end of own code\", and "
               "requirements behind\n   \"requirement\": the next export keeps them. All else is "
               "written anew. */\n",
               fs_basename(file->part->file));
    if (unit)
        buf_printf(out, "#include \"unit_%s.h\"\n", file->name);
    buf_printf(out, "#include \"support.h\"\n%s\n", s->dialect->includes);
    if (unit && file->stub_count)
        buf_puts(out, "/* Stubs have pointers where declarations have arrays. */\n"
                      "#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 11\n"
                      "#pragma GCC diagnostic ignored \"-Warray-parameter\"\n#endif\n\n");
    if (unit && file->definitions.count) {
        buf_puts(out, "/* Variables that the file uses and does not define */\n");
        for (size_t i = 0; i < file->definitions.count; i++)
            buf_printf(out, "%s\n", file->definitions.items[i]->text);
        buf_putc(out, '\n');
    }
    if (unit) {
        c_write_stubs(file, s->arena, out);
        put_begin(file, out);
    }
    regions_put_code(kept, "file", "", out);
    buf_puts(out, "\n/* ---- Tests ---- */\n\n");
    put_tests(s, file, kept, out);
    s->dialect->write_main(file, out);
    regions_put_lost(kept, out);
}

// ---- files ----

static bool write_file(const struct suite *s, const char *name, const struct buf *text,
                       struct error *err)
{
    return fs_write(arena_printf(s->arena, "%s/%s", s->directory, name), buf_text(text),
                    text->length, err);
}

static bool write_test_file(struct suite *s, const struct export_file *file, struct error *err)
{
    struct buf text = BUF_INIT, unit = BUF_INIT, old = BUF_INIT;
    struct regions kept = {0};
    const char *name = arena_printf(s->arena, "test_%s.c", file->name);
    const char *path = arena_printf(s->arena, "%s/%s", s->directory, name);
    bool good = !fs_exists(path) || fs_read(path, &old, err);
    if (good) {
        regions_read(&kept, buf_text(&old), s->arena);
        put_test_file(s, file, &kept, &text);
        put_unit(s, file, &unit);
        good = write_file(s, name, &text, err) &&
               write_file(s, arena_printf(s->arena, "unit_%s.h", file->name), &unit, err);
    }
    regions_release(&kept);
    buf_release(&text);
    buf_release(&unit);
    buf_release(&old);
    return good;
}

static bool write_common_files(struct suite *s, struct error *err)
{
    struct buf text = BUF_INIT;
    put_makefile(&s->model, s->dialect, s->directory, s->arena, &text);
    bool good = write_file(s, "Makefile", &text, err);
    buf_clear(&text);
    put_cmake_lists(&s->model, s->dialect, s->directory, s->arena, &text);
    good = good && write_file(s, "CMakeLists.txt", &text, err);
    buf_clear(&text);
    buf_puts(&text, support_header);
    good = good && write_file(s, "support.h", &text, err);
    buf_clear(&text);
    buf_puts(&text, support_source);
    good = good && write_file(s, "support.c", &text, err);
    buf_release(&text);
    return good;
}

bool c_suite(const struct export_request *request, const struct c_dialect *dialect,
             struct export_tally *tally, struct error *err)
{
    struct suite s = {.request = request, .dialect = dialect};
    if (!fs_make_dirs(request->directory, err))
        return false;
    char *directory = fs_absolute(request->directory);
    model_build(request->result, &s.model);
    s.arena = &s.model.arena;
    s.directory = directory;
    bool good = directory != NULL || error_set(err, ERROR_IO, "%s is gone", request->directory);
    for (size_t i = 0; good && i < s.model.files.count; i++) {
        const struct export_file *file = s.model.files.items[i];
        good = write_test_file(&s, file, err);
        for (size_t t = 0; t < file->tests.count; t++)
            tally_add(tally, file->tests.items[t], request->arena);
    }
    good = good && write_common_files(&s, err);
    model_release(&s.model);
    free(directory);
    return good;
}
