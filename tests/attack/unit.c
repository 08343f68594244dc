// SPDX-License-Identifier: Apache-2.0
// A unit is put together: records, functions, callers; then written.
#include "unit.h"

#include "base/fs.h"
#include "sources.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const members[] = {
    "int a;",         "char c;",
    "short s;",       "unsigned bits : 5;",
    "int sbits : 3;", "int *p;",
    "_Bool flag;",    "float f;",
    "char name[4];",  "union { int i; float f; unsigned char bytes[4]; } u;",
};
enum { MEMBERS = sizeof members / sizeof *members };

// The members in a random order: padding and offsets differ.
static void add_record(struct unit *unit, unsigned number)
{
    unsigned order[MEMBERS];
    for (unsigned i = 0; i < MEMBERS; i++) {
        unsigned j = (unsigned)rng_below(&unit->rng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    buf_printf(&unit->types, "struct rec%u {\n", number);
    for (unsigned i = 0; i < MEMBERS; i++)
        buf_printf(&unit->types, "    %s\n", members[order[i]]);
    buf_printf(&unit->types, "    struct rec%u *next;\n};\n", number);
    buf_printf(
        &unit->caller,
        "static void init_rec%u(void *at)\n{\n    struct rec%u *r = at;\n    fill(r, sizeof *r);\n"
        "    r->a = (int)any();\n    r->c = (char)any();\n    r->s = (short)any();\n"
        "    r->flag = any() & 1;\n    r->u.i = (int)any();\n    r->bits = (unsigned)any();\n"
        "    candidate(KIND_INT, &r->a);\n    candidate(KIND_TO_INT, &r->p);\n    "
        "init_to_int(&r->p);\n"
        "    candidate(KIND_TO_RECORD + %u, &r->next);\n"
        "    r->next = any_pointer(KIND_RECORD + %u, sizeof *r, init_rec%u);\n}\n"
        "__attribute__((unused)) static void init_to_rec%u(void *at)\n{\n"
        "    *(struct rec%u **)at = any_pointer(KIND_RECORD + %u, sizeof(struct rec%u), "
        "init_rec%u);\n}\n\n",
        number, number, number, number, number, number, number, number, number, number);
}

static const char head[] = "#define _GNU_SOURCE 1\n#include <ctype.h>\n#include "
                           "<errno.h>\n#include <fcntl.h>\n#include <fenv.h>\n"
                           "#include <locale.h>\n#include <math.h>\n#include <pthread.h>\n#include "
                           "<setjmp.h>\n#include <signal.h>\n"
                           "#include <stdarg.h>\n#include <stdatomic.h>\n#include "
                           "<stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                           "#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n";

void unit_init(struct unit *unit, uint64_t seed)
{
    *unit = (struct unit){.rng = {seed}, .records = 3};
    for (unsigned i = 0; i < unit->records; i++)
        add_record(unit, i);
}

void unit_release(struct unit *unit)
{
    buf_release(&unit->types);
    buf_release(&unit->functions);
    buf_release(&unit->caller);
    buf_release(&unit->table);
    buf_release(&unit->origins);
    buf_release(&unit->drivers);
    buf_release(&unit->strong);
}

static void fn_release(struct fn *fn)
{
    buf_release(&fn->parameters);
    buf_release(&fn->arguments);
    buf_release(&fn->before);
    buf_release(&fn->code);
    buf_release(&fn->define);
    buf_release(&fn->globals);
    buf_release(&fn->tick);
    buf_release(&fn->setup);
    for (size_t i = 0; i < fn->values.count; i++)
        free(fn->values.items[i].text);
    VEC_RELEASE(&fn->values);
    VEC_RELEASE(&fn->constants);
    VEC_RELEASE(&fn->sources);
}

static void add_caller(struct unit *unit, const struct fn *fn)
{
    struct buf *to = &unit->caller;
    buf_printf(to, "%sint %s(%s);\n", buf_text(&fn->define), fn->name,
               fn->parameters.length ? fn->parameters.data : "void");
    buf_printf(to, "static void globals_%s(void)\n{\n%s}\n", fn->name, buf_text(&fn->globals));
    buf_printf(to, "static void tick_%s(void)\n{\n%s}\n", fn->name, buf_text(&fn->tick));
    buf_printf(to, "static void call_%s(void)\n{\n%s    prepare();\n    (void)%s(%s);\n}\n",
               fn->name, buf_text(&fn->setup), fn->name, buf_text(&fn->arguments));
    buf_printf(to, "static const long long constants_%s[] = {", fn->name);
    for (size_t i = 0; i < fn->constants.count; i++)
        buf_printf(to, "%lld, ", fn->constants.items[i]);
    buf_puts(to, "0};\n\n");
    buf_printf(&unit->table, "    {\"%s\", globals_%s, tick_%s, call_%s, constants_%s, %zu},\n",
               fn->name, fn->name, fn->name, fn->name, fn->name, fn->constants.count + 1);
}

void unit_add_function(struct unit *unit, unsigned number)
{
    struct fn fn = {.unit = unit, .rng = &unit->rng};
    snprintf(fn.name, sizeof fn.name, "fn%u", number);
    unsigned sources = 1 + fn_chance(&fn, 3) + fn_chance(&fn, 6);
    for (unsigned i = 0; i < sources; i++)
        sources_add(&fn);
    struct buf *to = &unit->functions;
    buf_puts(&unit->origins, fn.name);
    for (size_t i = 0; i < fn.sources.count; i++)
        buf_printf(&unit->origins, " %s", fn.sources.items[i]);
    buf_putc(&unit->origins, '\n');
    buf_printf(&unit->drivers, "%s|%s|%s\n", fn.name, buf_text(&fn.parameters),
               buf_text(&fn.arguments));
    buf_printf(to, "%sint %s(%s)\n{\nint r = 0;\n%s", buf_text(&fn.before), fn.name,
               fn.parameters.length ? fn.parameters.data : "void", buf_text(&fn.code));
    blocks_add(&fn, to);
    buf_puts(to, "return r;\n}\n\n");
    add_caller(unit, &fn);
    fn_release(&fn);
}

static bool write_text(const char *directory, const char *name, const struct buf *text,
                       struct error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return fs_write(path, buf_text(text), text->length, err);
}

static void describe_goals(const struct text *text, struct buf *out)
{
    for (size_t i = 0; i < text->goals.count; i++) {
        const struct goal *goal = &text->goals.items[i];
        buf_printf(out, "%zu %u %d %d %d %d %u %u\n", i, goal->line, goal->is_case, goal->decision,
                   goal->position, goal->choice, goal->marked[0], goal->marked[1]);
    }
}

static bool write_unit(const struct unit *unit, const char *directory, struct error *err)
{
    struct text text;
    struct buf marked = BUF_INIT, goals = BUF_INIT;
    text_init(&text);
    text_mark(&text,
              "int mark(int, int);\nint mark_in(int, int, int, int);\nvoid mark_case(int);\n"
              "void decision_begins(int);\nint decision_ends(int, int);\nvoid tick(void);\n");
    text_add(&text, head);
    text_add(&text, buf_text(&unit->types));
    text_add(&text, buf_text(&unit->functions));
    buf_puts(&marked, buf_text(&text.marked));
    buf_printf(&marked, "const unsigned attack_goal_count = %zu;\nconst int attack_choice_of[] = {",
               text.goals.count);
    for (size_t i = 0; i < text.goals.count; i++)
        buf_printf(&marked, "%d, ", text.goals.items[i].choice);
    buf_puts(&marked, "-1};\n");
    describe_goals(&text, &goals);
    bool good = write_text(directory, "unit.c", &text.plain, err) &&
                write_text(directory, "marked.c", &marked, err) &&
                write_text(directory, "goals.txt", &goals, err);
    text_release(&text);
    buf_release(&marked);
    buf_release(&goals);
    return good;
}

bool unit_write(const struct unit *unit, const char *directory, struct error *err)
{
    struct buf caller = BUF_INIT, strong = BUF_INIT;
    buf_printf(&caller, "%s#include \"attack.h\"\n%s%s", head, buf_text(&unit->types),
               buf_text(&unit->caller));
    buf_printf(&caller,
               "const struct attack_function attack_functions[] = {\n%s};\n"
               "const unsigned attack_function_count = %u;\n",
               buf_text(&unit->table), UNIT_FUNCTIONS);
    buf_printf(&strong, "#include \"attack.h\"\n%s", buf_text(&unit->strong));
    bool good = fs_make_dirs(directory, err) && write_unit(unit, directory, err) &&
                write_text(directory, "caller.c", &caller, err) &&
                write_text(directory, "sources.txt", &unit->origins, err) &&
                write_text(directory, "parameters.txt", &unit->drivers, err) &&
                (!unit->has_weak || write_text(directory, "strong.c", &strong, err));
    buf_release(&caller);
    buf_release(&strong);
    return good;
}
