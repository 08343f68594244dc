// SPDX-License-Identifier: Apache-2.0
#include "export/test_model.h"

#include "export/obstacles.h"
#include "base/fs.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct export_model *model;
    struct export_file *file;
    struct export_test *test;
    struct map before; // stub -> calls before the task's first
    struct map names;  // taken in this test
    struct map shared; // paths of objects that stubs refer to: they live outside of the function
};

bool model_is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

// ---- names ----

// "list_next" for arg:list->next, "get_2_next" for stub:get#2:return->next.
static const char *plain_words(const char *text, struct arena *arena)
{
    struct buf words = BUF_INIT, out = BUF_INIT;
    struct input_path path;
    if (input_path_parse(text, arena, &path)) {
        buf_puts(&words, path.root.name ? path.root.name : "");
        if (path.root.number)
            buf_printf(&words, "_%u", path.root.number);
        for (size_t i = 0; i < path.link_count; i++)
            if (path.links[i].kind == INPUT_INDEX)
                buf_printf(&words, "_%u", path.links[i].index);
            else if (path.links[i].kind != INPUT_PART && path.links[i].name)
                buf_printf(&words, "_%s", path.links[i].name);
    } else {
        buf_puts(&words, text);
    }
    for (const char *at = buf_text(&words); *at; at++)
        buf_putc(&out, isalnum((unsigned char)*at) ? *at : '_');
    const char *name = isalpha((unsigned char)*buf_text(&out)) || *buf_text(&out) == '_'
                           ? arena_strdup(arena, buf_text(&out))
                           : arena_printf(arena, "object_%s", buf_text(&out));
    buf_release(&words);
    buf_release(&out);
    return name;
}

static bool is_free(const struct builder *b, const char *name)
{
    static const char *const words[] = {
        "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
        "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
        "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
        "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
        "volatile", "while",  "result", "state",    "call",     "script",   "errno",    "stdin",
        "stdout",   "stderr", "bool",   "true",     "false",    "asm"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return false;
    return !map_get_text(&b->file->taken, name, NULL) && !map_get_text(&b->names, name, NULL);
}

static const char *pick_name(struct builder *b, const char *path, bool is_static)
{
    struct arena *arena = &b->model->arena;
    const char *words = plain_words(path, arena);
    if (is_static)
        words = arena_printf(arena, "%s_%s", b->test->name, words);
    const char *name = words;
    for (unsigned i = 2; !is_free(b, name); i++)
        name = arena_printf(arena, "%s_%u", words, i);
    map_put_text(&b->names, name, 1);
    return name;
}

// ---- what is declared ----

static void add_stub(struct builder *b, const struct result_declaration *declaration)
{
    struct export_file *file = b->file;
    struct export_stub *stub = &file->stubs[file->stub_count++];
    const struct result *result = b->model->result;
    *stub = (struct export_stub){.declaration = declaration};
    stub->parameters = arena_array(&b->model->arena, const struct result_declaration *,
                                   result->declarations.count);
    for (size_t i = 0; i < result->declarations.count; i++) {
        const struct result_declaration *of = &result->declarations.items[i];
        if (of->part == declaration->part && of->kind == DECLARED_PARAMETER &&
            !strcmp(of->owner, declaration->name))
            stub->parameters[stub->parameter_count++] = of;
    }
}

static void read_declarations(struct builder *b, size_t part)
{
    struct export_file *file = b->file;
    const struct result *result = b->model->result;
    file->stubs = arena_array(&b->model->arena, struct export_stub, result->declarations.count + 1);
    for (size_t i = 0; i < result->declarations.count; i++) {
        const struct result_declaration *of = &result->declarations.items[i];
        if (of->part != part)
            continue;
        if (of->kind == DECLARED_STUB)
            add_stub(b, of);
        else if (of->kind == DECLARED_VARIABLE)
            *VEC_PUSH(&file->variables) = of;
        else if (of->kind == DECLARED_DEFINITION)
            *VEC_PUSH(&file->definitions) = of;
        else if (of->kind == DECLARED_CONSTANT)
            *VEC_PUSH(&file->constants) = of;
        else if (of->kind == DECLARED_LINKED)
            *VEC_PUSH(&file->linked) = of;
        if (of->kind != DECLARED_ARGUMENT && of->kind != DECLARED_PARAMETER)
            map_put_text(&file->taken, of->name, 1);
    }
    for (size_t i = 0; i < result->function_count; i++)
        if (result->functions[i].part == part)
            map_put_text(&file->taken, result->functions[i].name, 1);
}

// Names of enumerators are known where a test has them as inputs.
static void learn_words(struct builder *b, const struct result_test *test)
{
    struct export_file *file = b->file;
    for (size_t i = 0; i < test->input_count; i++) {
        const struct result_input *input = &test->inputs[i];
        if (!model_is_identifier(input->meaning) || !strcmp(input->type, "choice") ||
            !strcmp(input->type, "shape"))
            continue;
        const char *key = arena_printf(&b->model->arena, "%s=%s", input->type, input->value);
        if (map_get_text(&file->words, key, NULL))
            continue;
        *VEC_PUSH(&file->enumerators) = input->meaning;
        map_put_text(&file->words, key, file->enumerators.count);
    }
}

const char *model_enumerator(const struct export_file *file, const char *type, const char *value)
{
    struct buf key = BUF_INIT;
    uint64_t index = 0;
    buf_printf(&key, "%s=%s", type, value);
    map_get_text(&file->words, buf_text(&key), &index);
    buf_release(&key);
    return index ? file->enumerators.items[index - 1] : NULL;
}

// ---- what the call found ----

const struct export_object *model_object(const struct export_test *test, const char *path)
{
    for (size_t i = 0; i < test->objects.count; i++)
        if (!strcmp(test->objects.items[i]->path, path))
            return test->objects.items[i];
    return NULL;
}

static void begin_call(struct builder *b)
{
    const struct result *result = b->model->result;
    struct export_call *call = VEC_PUSH(&b->test->calls);
    *call = (struct export_call){0};
    call->arguments =
        arena_array(&b->model->arena, struct export_argument, result->declarations.count + 1);
    for (size_t i = 0; i < result->declarations.count; i++) {
        const struct result_declaration *of = &result->declarations.items[i];
        if (of->part == b->test->task->part && of->kind == DECLARED_ARGUMENT &&
            !strcmp(of->owner, b->test->task->function))
            call->arguments[call->argument_count++] = (struct export_argument){.declaration = of};
    }
}

static void add_object(struct builder *b, const struct result_found *row)
{
    struct export_object *object = arena_new(&b->model->arena, struct export_object);
    struct input_path path;
    char *rest;
    *object = (struct export_object){.path = row->path, .type = row->type};
    object->elements = strtoul(row->value, &rest, 10);
    if (!strcmp(rest, " bytes")) {
        object->bytes = object->elements;
        object->type = "";
    } else if (strcmp(rest, " elements") != 0) {
        obstacle_set(b->test, "an object ends with a flexible array");
    }
    if (model_object(b->test, row->path))
        obstacle_set(b->test, "two objects have the same path");
    object->is_static =
        map_get_text(&b->shared, row->path, NULL) ||
        (input_path_parse(row->path, &b->model->arena, &path) && path.root.kind == INPUT_STUB);
    object->name = pick_name(b, row->path, object->is_static);
    *VEC_PUSH(&b->test->objects) = object;
}

static struct export_value value_of(const struct result_found *row)
{
    return (struct export_value){row->member, row->type, row->value};
}

static struct export_stub_call *find_stub_call(struct builder *b, const struct input_root *root);

// A row about a variable, a parameter, or what a stub returned: its path behind the &.
static void add_root_value(struct builder *b, const struct result_found *row)
{
    struct export_call *call = &b->test->calls.items[b->test->calls.count - 1];
    struct input_path path;
    if (!input_path_parse(row->path + 1, &b->model->arena, &path)) {
        obstacle_set(b->test, "something has a path that is none");
        return;
    }
    if (path.root.kind == INPUT_PARAMETER) {
        for (size_t i = 0; i < call->argument_count; i++)
            if (!strcmp(call->arguments[i].declaration->name, path.root.name))
                *VEC_PUSH(&call->arguments[i].values) = value_of(row);
    } else if (path.root.kind == INPUT_STUB) {
        struct export_stub_call *of = find_stub_call(b, &path.root);
        if (of)
            *VEC_PUSH(&of->returned) = value_of(row);
    } else {
        *VEC_PUSH(&call->changes) =
            (struct export_change){.variable = path.root.name, .value = value_of(row)};
    }
}

// A value of an object: it begins with it, or gets it in front of a later call.
static void add_object_value(struct builder *b, const struct result_found *row, size_t first_call)
{
    struct export_object *object = (struct export_object *)model_object(b->test, row->path);
    if (!object)
        return;
    if (first_call == b->test->calls.count)
        *VEC_PUSH(&object->values) = value_of(row);
    else
        *VEC_PUSH(&b->test->calls.items[b->test->calls.count - 1].changes) =
            (struct export_change){.object = object, .value = value_of(row)};
}

static void read_found(struct builder *b)
{
    const struct result_test *test = b->test->test;
    struct map made; // path -> call in front of which it was
    map_init(&made);
    for (size_t i = 0; i < test->found_count; i++) {
        const struct result_found *row = &test->found[i];
        uint64_t first = 0;
        struct export_object *object = (struct export_object *)model_object(b->test, row->path);
        if (!strcmp(row->type, "call") && !strcmp(row->path, "call"))
            begin_call(b);
        else if (!b->test->calls.count || !strcmp(row->type, "calls before"))
            continue;
        else if (!strcmp(row->type, "freed") && !*row->member)
            object ? (void)(object->is_freed = true) : (void)0;
        else if (row->path[0] == '&')
            add_root_value(b, row);
        else if (!*row->member && strcmp(row->value, "non-NULL") != 0) {
            add_object(b, row);
            map_put_text(&made, row->path, b->test->calls.count);
        } else {
            map_get_text(&made, row->path, &first);
            add_object_value(b, row, (size_t)first);
        }
    }
    map_release(&made);
}

// ---- stubs ----

static size_t find_stub(const struct export_file *file, const char *name)
{
    for (size_t i = 0; i < file->stub_count; i++)
        if (!strcmp(file->stubs[i].declaration->owner, name))
            return i;
    return RESULT_NONE;
}

static unsigned calls_before(const struct builder *b, const char *name)
{
    uint64_t calls = 0;
    map_get_text(&b->before, name, &calls);
    return (unsigned)calls;
}

static struct export_stub_call *find_stub_call(struct builder *b, const struct input_root *root)
{
    unsigned before = calls_before(b, root->name);
    for (size_t i = 0; i < b->test->stub_calls.count; i++) {
        struct export_stub_call *call = &b->test->stub_calls.items[i];
        if (root->number == call->number + before &&
            !strcmp(b->file->stubs[call->stub].declaration->owner, root->name))
            return call;
    }
    return NULL;
}

// "-> arg:list + 8 bytes" -> "arg:list"; NULL: the value is no pointer to an object.
const char *model_target(const char *value, unsigned long *offset, struct arena *arena)
{
    if (strncmp(value, "-> ", 3) != 0)
        return NULL;
    const char *plus = strstr(value, " + ");
    *offset = plus ? strtoul(plus + 3, NULL, 10) : 0;
    return arena_strndup(arena, value + 3, plus ? (size_t)(plus - value - 3) : strlen(value + 3));
}

static void share_target(struct builder *b, const char *value)
{
    unsigned long offset;
    const char *path = model_target(value, &offset, &b->model->arena);
    if (path)
        map_put_text(&b->shared, path, 1);
}

static bool is_of_stub(struct builder *b, const char *text)
{
    struct input_path path;
    return input_path_parse(text, &b->model->arena, &path) && path.root.kind == INPUT_STUB;
}

static void find_shared(struct builder *b)
{
    const struct result_test *test = b->test->test;
    for (size_t i = 0; i < test->found_count; i++)
        if (test->found[i].path[0] == '&' && is_of_stub(b, test->found[i].path + 1))
            share_target(b, test->found[i].value);
    for (size_t i = 0; i < test->output_count; i++)
        if (is_of_stub(b, test->outputs[i].path))
            share_target(b, test->outputs[i].value);
}

static void read_calls_before(struct builder *b)
{
    for (size_t i = 0; i < b->test->test->found_count; i++) {
        const struct result_found *row = &b->test->test->found[i];
        if (!strcmp(row->type, "calls before"))
            map_put_text(&b->before, row->path, strtoul(row->value, NULL, 10));
    }
}

static void add_stub_call(struct builder *b, const struct input_root *root)
{
    size_t stub = find_stub(b->file, root->name);
    if (stub == RESULT_NONE) {
        obstacle_set(b->test, "%s() is called, of which nothing is known", root->name);
        return;
    }
    if (root->number > calls_before(b, root->name))
        *VEC_PUSH(&b->test->stub_calls) = (struct export_stub_call){
            .stub = stub, .number = root->number - calls_before(b, root->name)};
}

// The calls of stubs in their order; checks behind the call of the task that shows them.
static void read_stub_calls(struct builder *b)
{
    const struct result_test *test = b->test->test;
    struct input_path path;
    for (size_t i = 0; i < test->output_count; i++) {
        const struct result_output *output = &test->outputs[i];
        if (!input_path_parse(output->path, &b->model->arena, &path) ||
            path.root.kind != INPUT_STUB)
            continue;
        if (!path.link_count && !strcmp(output->type, "call"))
            add_stub_call(b, &path.root);
        struct export_stub_call *call = find_stub_call(b, &path.root);
        if (call && path.link_count)
            *VEC_PUSH(&call->checks) = output;
    }
}

static void read_outputs(struct builder *b)
{
    const struct result_test *test = b->test->test;
    struct input_path path;
    for (size_t i = 0; i < test->output_count; i++) {
        const struct result_output *output = &test->outputs[i];
        if (!input_path_parse(output->path, &b->model->arena, &path)) {
            obstacle_set(b->test, "a register is written");
            continue;
        }
        size_t call = path.root.call ? path.root.call : 1;
        if (path.root.kind == INPUT_STUB)
            continue;
        if (call > b->test->calls.count)
            continue;
        *VEC_PUSH(&b->test->calls.items[call - 1].checks) = output;
    }
}

static void read_inputs(struct builder *b)
{
    const struct result_test *test = b->test->test;
    struct input_path path;
    for (size_t i = 0; i < test->input_count; i++) {
        if (!input_path_parse(test->inputs[i].path, &b->model->arena, &path)) {
            obstacle_set(b->test, "an input has a path that is none");
            continue;
        }
        struct export_stub_call *call =
            path.root.kind == INPUT_STUB ? find_stub_call(b, &path.root) : NULL;
        obstacle_find_input(b->test, &path, &test->inputs[i], call != NULL);
        const char *part = input_path_stub_part(&path);
        if (!call || path.says != INPUT_VALUE || !part)
            continue;
        if (strcmp(part, "return") != 0)
            *VEC_PUSH(&call->writes) = &test->inputs[i];
        else if (path.link_count == 1 && !call->returned.count)
            *VEC_PUSH(&call->returned) =
                (struct export_value){"", test->inputs[i].type, test->inputs[i].value};
    }
}

// ---- tests ----

static const char *key_of(struct builder *b, const struct result_test *test)
{
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < test->input_count; i++)
        buf_printf(&text, "%s=%s\n", test->inputs[i].path, test->inputs[i].value);
    uint64_t hash = hash_bytes(buf_text(&text), text.length, 1);
    buf_release(&text);
    return arena_printf(&b->model->arena, "%s-%08x", b->test->task->function,
                        (unsigned)(hash ^ hash >> 32));
}

// Variables for arguments that are records.
static void name_arguments(struct builder *b)
{
    for (size_t i = 0; i < b->test->calls.count; i++) {
        struct export_call *call = &b->test->calls.items[i];
        for (size_t k = 0; k < call->argument_count; k++) {
            struct export_argument *argument = &call->arguments[k];
            if (argument->values.count && *argument->values.items[0].member)
                argument->name = pick_name(b, argument->declaration->name, false);
        }
    }
}

static void add_test(struct builder *b, const struct result_task *task,
                     const struct result_test *test)
{
    struct export_test *added = arena_new(&b->model->arena, struct export_test);
    *added = (struct export_test){.task = task, .test = test, .expressible = true};
    added->name = arena_printf(&b->model->arena, "%s_%u", task->function, test->number);
    b->test = added;
    added->key = key_of(b, test);
    *VEC_PUSH(&b->file->tests) = added;
    map_clear(&b->before);
    map_clear(&b->names);
    map_clear(&b->shared);
    find_shared(b);
    added->is_apart = obstacle_keeps_state(b->model->result, task);
    read_calls_before(b);
    read_stub_calls(b);
    read_found(b);
    read_outputs(b);
    read_inputs(b);
    name_arguments(b);
    obstacle_find(b->model->result, b->file, added);
}

static const char *file_name(struct builder *b, const struct result_part *part)
{
    const char *name = *part->name ? part->name : fs_basename(part->file);
    size_t length = strlen(name);
    char *words =
        arena_strndup(&b->model->arena, name,
                      length > 2 && !strcmp(name + length - 2, ".c") ? length - 2 : length);
    for (char *at = words; *at; at++)
        *at = isalnum((unsigned char)*at) ? *at : '_';
    const char *unique = words;
    for (unsigned n = 2;; n++) {
        bool is_taken = false;
        for (size_t i = 0; i < b->model->files.count; i++)
            is_taken |= !strcmp(b->model->files.items[i]->name, unique);
        if (!is_taken)
            return unique;
        unique = arena_printf(&b->model->arena, "%s_%u", words, n);
    }
}

static void add_file(struct export_model *model, size_t part)
{
    struct builder b = {.model = model, .file = arena_new(&model->arena, struct export_file)};
    const struct result *result = model->result;
    b.file->part = result->parts.items[part];
    map_init(&b.before);
    map_init(&b.names);
    map_init(&b.shared);
    map_init(&b.file->words);
    map_init(&b.file->taken);
    b.file->name = file_name(&b, b.file->part);
    read_declarations(&b, part);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0;
             result->tasks.items[i]->part == part && t < result->tasks.items[i]->tests.count; t++)
            learn_words(&b, result->tasks.items[i]->tests.items[t]);
    for (size_t i = 0; i < result->tasks.count; i++)
        for (size_t t = 0;
             result->tasks.items[i]->part == part && t < result->tasks.items[i]->tests.count; t++)
            add_test(&b, result->tasks.items[i], result->tasks.items[i]->tests.items[t]);
    map_release(&b.before);
    map_release(&b.names);
    map_release(&b.shared);
    *VEC_PUSH(&model->files) = b.file;
}

void model_build(const struct result *result, struct export_model *out)
{
    *out = (struct export_model){.result = result};
    arena_init(&out->arena);
    for (size_t i = 0; i < result->parts.count; i++)
        add_file(out, i);
}

static void release_test(struct export_test *test)
{
    for (size_t i = 0; i < test->objects.count; i++)
        VEC_RELEASE(&test->objects.items[i]->values);
    VEC_RELEASE(&test->objects);
    for (size_t i = 0; i < test->calls.count; i++) {
        struct export_call *call = &test->calls.items[i];
        for (size_t k = 0; k < call->argument_count; k++)
            VEC_RELEASE(&call->arguments[k].values);
        VEC_RELEASE(&call->changes);
        VEC_RELEASE(&call->checks);
    }
    VEC_RELEASE(&test->calls);
    for (size_t i = 0; i < test->stub_calls.count; i++) {
        VEC_RELEASE(&test->stub_calls.items[i].returned);
        VEC_RELEASE(&test->stub_calls.items[i].writes);
        VEC_RELEASE(&test->stub_calls.items[i].checks);
    }
    VEC_RELEASE(&test->stub_calls);
}

void model_release(struct export_model *model)
{
    for (size_t i = 0; i < model->files.count; i++) {
        struct export_file *file = model->files.items[i];
        for (size_t t = 0; t < file->tests.count; t++)
            release_test(file->tests.items[t]);
        VEC_RELEASE(&file->tests);
        VEC_RELEASE(&file->variables);
        VEC_RELEASE(&file->definitions);
        VEC_RELEASE(&file->linked);
        VEC_RELEASE(&file->constants);
        VEC_RELEASE(&file->enumerators);
        map_release(&file->words);
        map_release(&file->taken);
    }
    VEC_RELEASE(&model->files);
    arena_release(&model->arena);
}
