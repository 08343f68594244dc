// SPDX-License-Identifier: Apache-2.0
// Access paths of inputs: the one parser and the one printer; see input_path.h for the grammar.
// Both work from the same tables, so that a new kind of root is a line here.
#include "program/input_path.h"

#include "base/error.h"
#include "wire/input_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

// Kinds whose name stands behind a prefix.
static const struct {
    enum input_root_kind kind;
    const char *text;
} prefixes[] = {
    {INPUT_PARAMETER, "arg:"}, {INPUT_STUB, "stub:"},       {INPUT_WEAK, "weak:"},
    {INPUT_FILE, "file:"},     {INPUT_ENVIRONMENT, "env:"}, {INPUT_SIGNAL, "signal:"},
    {INPUT_ASSEMBLY, "asm:"},  {INPUT_GLOBAL, "global:"},   {INPUT_BOUND, "bound:"},
};

// Kinds that are a word of their own.
static const struct {
    enum input_root_kind kind;
    const char *text;
} words[] = {
    {INPUT_ERRNO, "errno"},
    {INPUT_LIBRARY, "strtok"},
    {INPUT_LIBRARY, "optind"},
    {INPUT_LIBRARY, "opterr"},
    {INPUT_LIBRARY, "optopt"},
    {INPUT_LIBRARY, "optarg"},
    {INPUT_STDIN, "stdin"},
    {INPUT_DESCRIPTOR, "descriptor"},
    {INPUT_ARGC, "argc"},
    {INPUT_ARGV, "argv"},
    {INPUT_INTERRUPT, "interrupt"},
    {INPUT_ASSEMBLY, "asm"},
    {INPUT_MORE_CALLS, "more_calls"},
    {INPUT_CHANGES, "changes"},
    {INPUT_BEFORE, "before"},
};

static const char *const sayings[] = {[INPUT_SHAPE] = "shape:", [INPUT_CHOICE] = "choice:"};
static const char call_word[] = "call";
static const char *const caller_words[] = {
    [INPUT_OF_SETTER] = "before", [INPUT_OF_CONSTRUCTOR] = "make"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- words ----

// A name of the user's: whatever does not end one.
static size_t name_length(const char *text)
{
    size_t length = 0;
    while ((unsigned char)text[length] > ' ' && text[length] != 127 &&
           !strchr(".->[]():#+*|\"", text[length]))
        length++;
    return length;
}

// A number without leading zeros; the digits' length, 0: there is none, or it is too large.
static size_t read_number(const char *text, uint32_t *number)
{
    size_t length = strspn(text, "0123456789");
    uint64_t value = 0;
    if (length == 0 || length > 10 || (text[0] == '0' && length > 1))
        return 0;
    for (size_t i = 0; i < length; i++)
        value = 10 * value + (uint64_t)(text[i] - '0');
    *number = (uint32_t)value;
    return value <= UINT32_MAX ? length : 0;
}

// "call2", "before1": the word and a number from `least` on; the length, 0: it is not that.
static size_t numbered_word(const char *text, const char *word, unsigned least, unsigned *number)
{
    size_t length = strlen(word);
    uint32_t value = 0;
    if (strncmp(text, word, length) != 0)
        return 0;
    size_t digits = read_number(text + length, &value);
    if (!digits || value < least)
        return 0;
    *number = value;
    return length + digits;
}

// Would a variable's name be read as something else?
static bool is_reserved(const char *name)
{
    unsigned number;
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i].text, name) == 0)
            return true;
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (strlen(prefixes[i].text) == length + 1 && !strncmp(prefixes[i].text, name, length))
            return true;
    for (size_t i = INPUT_SHAPE; i < COUNT(sayings); i++)
        if (strlen(sayings[i]) == length + 1 && !strncmp(sayings[i], name, length))
            return true;
    return numbered_word(name, call_word, 2, &number) == length ||
           numbered_word(name, caller_words[INPUT_OF_SETTER], 1, &number) == length ||
           numbered_word(name, caller_words[INPUT_OF_CONSTRUCTOR], 1, &number) == length;
}

// ---- printing ----

static void print_file_name(const char *prefix, const char *name, struct buf *out)
{
    char text[WIRE_NAME_ROOM];
    wire_write_name(text, prefix, name, 0);
    buf_puts(out, text);
}

static const char *prefix_of(enum input_root_kind kind)
{
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (prefixes[i].kind == kind)
            return prefixes[i].text;
    return "";
}

static void print_global(const struct input_root *root, struct buf *out)
{
    if (root->file) {
        print_file_name(prefix_of(INPUT_GLOBAL), root->file, out);
        buf_puts(out, "::");
    } else if (is_reserved(root->name)) {
        buf_puts(out, prefix_of(INPUT_GLOBAL));
    }
    buf_puts(out, root->name);
}

static bool is_named_by_code(enum input_root_kind kind)
{
    return kind == INPUT_FILE || kind == INPUT_ENVIRONMENT;
}

static void print_root(const struct input_root *root, struct buf *out)
{
    if (root->caller != INPUT_OF_TASK)
        buf_printf(out, "%s%u:", caller_words[root->caller], root->caller_number);
    if (root->kind == INPUT_GLOBAL || root->kind == INPUT_DEVICE) {
        print_global(root, out);
        return;
    }
    const char *prefix = prefix_of(root->kind);
    if (root->kind == INPUT_ASSEMBLY && !*root->name) // without its colon
        buf_add(out, prefix, strlen(prefix) - 1);
    else if (is_named_by_code(root->kind))
        print_file_name(prefix, root->name, out);
    else
        buf_printf(out, "%s%s", prefix, root->name);
}

static void print_link(const struct input_link *link, struct buf *out)
{
    switch (link->kind) {
    case INPUT_FIELD: buf_printf(out, ".%s", link->name); break;
    case INPUT_ARROW: buf_printf(out, "->%s", link->name); break;
    case INPUT_INDEX: buf_printf(out, "[%" PRIu32 "]", link->index); break;
    case INPUT_DEREF: buf_putc(out, ')'); break;
    case INPUT_PART: buf_printf(out, ":%s", link->name); break;
    case INPUT_BYTES: buf_printf(out, "+%" PRIu32, link->index); break;
    case INPUT_ANY: buf_puts(out, "[]"); break;
    }
}

static void print_number(const struct input_root *root, struct buf *out)
{
    if (root->number)
        buf_printf(out, "#%u", root->number);
}

void input_path_print_links(const struct input_path *path, struct buf *out)
{
    for (size_t i = 0; i < path->link_count; i++)
        if (path->links[i].kind != INPUT_DEREF)
            print_link(&path->links[i], out);
        else
            buf_puts(out, "[0]");
}

void input_path_print(const struct input_path *path, struct buf *out)
{
    const struct input_root *root = &path->root;
    if (path->says != INPUT_VALUE)
        buf_puts(out, sayings[path->says]);
    for (size_t i = 0; i < path->link_count; i++)
        if (path->links[i].kind == INPUT_DEREF)
            buf_puts(out, "(*");
    if (root->call > 1)
        buf_printf(out, "%s%u:", call_word, root->call);
    print_root(root, out);
    if (root->kind != INPUT_DEVICE)
        print_number(root, out);
    for (size_t i = 0; i < path->link_count; i++)
        print_link(&path->links[i], out);
    if (root->kind == INPUT_DEVICE)
        print_number(root, out);
    if (path->elements > 1)
        buf_printf(out, "[0..%" PRIu32 "]", path->elements - 1);
}

const char *input_path_text(const struct input_path *path, struct arena *arena)
{
    struct buf out = BUF_INIT;
    input_path_print(path, &out);
    const char *text = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return text;
}

const char *input_root_text(const struct input_root *root, struct arena *arena)
{
    struct buf out = BUF_INIT;
    print_root(root, &out);
    const char *text = arena_strdup(arena, buf_text(&out));
    buf_release(&out);
    return text;
}

// ---- parsing ----

struct parser {
    const char *at;
    struct arena *arena;
    struct input_path *path;
    unsigned open; // (* without their )
};

static bool skip(struct parser *p, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(p->at, text, length) != 0)
        return false;
    p->at += length;
    return true;
}

static const char *take(struct parser *p, size_t length)
{
    const char *copy = arena_strndup(p->arena, p->at, length);
    p->at += length;
    return copy;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The character that %XX stands for; 0: this is none, or one that is written as it is.
static char escaped_character(const char *at)
{
    int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);
    char c = low < 0 ? 0 : (char)(high * 16 + low);
    return c && strchr(WIRE_NAME_USUAL, c) ? 0 : c;
}

// The name of a file or of a variable of the environment, as wire_write_name() writes it behind
// the prefix. NULL: it does not write this.
static const char *take_file_name(struct parser *p, const char *prefix)
{
    size_t length = strspn(p->at, WIRE_NAME_USUAL "%"), last = 0;
    char *name = arena_alloc(p->arena, length + 1);
    for (size_t from = 0, to = 0; from < length; to++) {
        last = from;
        name[to] = p->at[from] == '%' ? escaped_character(p->at + from) : p->at[from];
        from += p->at[from] == '%' ? 3 : 1;
        if (!name[to])
            return NULL;
    }
    p->at += length;
    return *name && strlen(prefix) + last < WIRE_NAME_ROOM - 4 ? name : NULL;
}

// "#0", of a parameter without a name.
static const char *take_numbered_name(struct parser *p)
{
    uint32_t number;
    size_t digits = *p->at == '#' ? read_number(p->at + 1, &number) : 0;
    return digits ? take(p, digits + 1) : NULL;
}

static const char *take_name(struct parser *p)
{
    size_t length = name_length(p->at);
    return length ? take(p, length) : NULL;
}

// global:NAME or global:FILE::NAME; the first is for names that need it, the second for all.
static bool parse_global(struct parser *p)
{
    struct input_root *root = &p->path->root;
    const char *end = strstr(p->at, "::");
    if (end && strspn(p->at, WIRE_NAME_USUAL "%") == (size_t)(end - p->at)) {
        root->file = take_file_name(p, prefix_of(INPUT_GLOBAL));
        if (!root->file || !skip(p, "::"))
            return false;
    }
    root->name = take_name(p);
    return root->name && (root->file || is_reserved(root->name));
}

static bool parse_prefixed_name(struct parser *p)
{
    struct input_root *root = &p->path->root;
    switch (root->kind) {
    case INPUT_GLOBAL: return parse_global(p);
    case INPUT_PARAMETER: root->name = *p->at == '#' ? take_numbered_name(p) : take_name(p); break;
    case INPUT_FILE:
    case INPUT_ENVIRONMENT:
        root->name = *p->at == '#' ? "" : take_file_name(p, prefix_of(root->kind));
        break;
    case INPUT_STUB: // a pointer to functions need not have a name
        root->name = take(p, name_length(p->at));
        break;
    case INPUT_ASSEMBLY: { // "mrs", "vmov.f32"
        size_t length = strspn(p->at, WIRE_NAME_USUAL);
        root->name = length ? take(p, length) : NULL;
        break;
    }
    default: root->name = take_name(p);
    }
    return root->name != NULL;
}

static enum input_root_kind kind_of_word(const char *name)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i].text, name) == 0)
            return words[i].kind;
    return INPUT_GLOBAL;
}

static bool parse_root_name(struct parser *p)
{
    struct input_root *root = &p->path->root;
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (skip(p, prefixes[i].text)) {
            root->kind = prefixes[i].kind;
            return parse_prefixed_name(p);
        }
    root->name = take_name(p);
    if (!root->name)
        return false;
    root->kind = kind_of_word(root->name);
    if (root->kind == INPUT_ASSEMBLY)
        root->name = "";
    return root->kind != INPUT_GLOBAL || !is_reserved(root->name);
}

// What cz_turn() asks for.
static bool may_be_repeated(enum input_root_kind kind)
{
    return kind == INPUT_PARAMETER || kind == INPUT_GLOBAL || kind == INPUT_ERRNO ||
           kind == INPUT_LIBRARY || kind == INPUT_CHANGES || kind == INPUT_BEFORE;
}

static bool parse_root(struct parser *p)
{
    struct input_root *root = &p->path->root;
    unsigned number;
    for (enum input_caller c = INPUT_OF_SETTER; c <= INPUT_OF_CONSTRUCTOR; c++) {
        size_t length = numbered_word(p->at, caller_words[c], 1, &number);
        if (length && p->at[length] == ':') {
            p->at += length + 1;
            root->caller = c;
            root->caller_number = number;
            break;
        }
    }
    return parse_root_name(p) && (root->caller == INPUT_OF_TASK || root->kind == INPUT_PARAMETER) &&
           (root->call == 1 || may_be_repeated(root->kind));
}

static void parse_call(struct parser *p)
{
    unsigned call;
    size_t length = numbered_word(p->at, call_word, 2, &call);
    if (length && p->at[length] == ':') {
        p->at += length + 1;
        p->path->root.call = call;
    }
}

static bool add_named(struct parser *p, enum input_link_kind kind, const char *prefix)
{
    const char *name = take_name(p);
    if (!name)
        return false;
    if (*prefix)
        name = arena_printf(p->arena, "%s%s", prefix, name);
    input_path_add(p->path, (struct input_link){.kind = kind, .name = name}, p->arena);
    return true;
}

// [3], [], [0..9]
static bool parse_bracket(struct parser *p)
{
    uint32_t number;
    bool range = skip(p, "0..");
    if (p->path->root.kind == INPUT_DEVICE && !range) // numbered already
        return false;
    if (!range && skip(p, "]")) {
        input_path_add(p->path, (struct input_link){.kind = INPUT_ANY}, p->arena);
        return true;
    }
    size_t digits = read_number(p->at, &number);
    p->at += digits;
    if (!digits || !skip(p, "]"))
        return false;
    if (!range) {
        input_path_add(p->path, (struct input_link){.kind = INPUT_INDEX, .index = number},
                       p->arena);
        return true;
    }
    p->path->elements = number + 1;
    return number > 0 && number < UINT32_MAX && !*p->at && !p->open;
}

static bool parse_bytes(struct parser *p)
{
    uint32_t number;
    size_t digits = read_number(p->at, &number);
    p->at += digits;
    input_path_add(p->path, (struct input_link){.kind = INPUT_BYTES, .index = number}, p->arena);
    return digits > 0;
}

static bool parse_hash(struct parser *p)
{
    uint32_t number;
    size_t digits = read_number(p->at, &number);
    p->at += digits;
    if (!digits || !number || p->path->root.number)
        return false;
    bool fits = p->path->root.kind == INPUT_GLOBAL || !p->path->link_count;
    input_path_set_number(p->path, number);
    // What follows the number of a read is not named any further.
    return fits && (p->path->root.kind != INPUT_DEVICE || !*p->at || *p->at == '[');
}

static bool parse_link(struct parser *p)
{
    if (skip(p, "->"))
        return add_named(p, INPUT_ARROW, "");
    if (skip(p, "."))
        return add_named(p, INPUT_FIELD, "");
    if (skip(p, ":"))
        return add_named(p, INPUT_PART, skip(p, "*") ? "*" : "");
    if (skip(p, "["))
        return parse_bracket(p);
    if (skip(p, "+"))
        return parse_bytes(p);
    if (skip(p, "#"))
        return parse_hash(p);
    if (!skip(p, ")") || !p->open)
        return false;
    p->open--;
    input_path_add(p->path, (struct input_link){.kind = INPUT_DEREF}, p->arena);
    return true;
}

static bool parse_links(struct parser *p)
{
    bool good = true;
    while (good && *p->at)
        good = parse_link(p);
    const struct input_path *path = p->path;
    bool device = path->root.kind == INPUT_DEVICE;
    for (size_t i = 0; i < path->link_count; i++)
        if (path->links[i].kind == INPUT_DEREF && device)
            return false;
    return good && !p->open;
}

// What must and must not have a number.
static bool is_numbered_well(const struct input_root *root)
{
    switch (root->kind) {
    case INPUT_STUB:
    case INPUT_INTERRUPT:
    case INPUT_DEVICE: return root->number > 0;
    case INPUT_ASSEMBLY: return true; // a volatile one has none
    case INPUT_FILE:
    case INPUT_ENVIRONMENT: return (root->number > 0) == !*root->name;
    default: return root->number == 0;
    }
}

bool input_path_parse(const char *text, struct arena *arena, struct input_path *out)
{
    struct parser p = {.at = text, .arena = arena, .path = out};
    *out = input_path_of((struct input_root){0});
    for (enum input_says says = INPUT_SHAPE; says <= INPUT_CHOICE; says++)
        if (skip(&p, sayings[says])) {
            out->says = says;
            break;
        }
    while (skip(&p, "(*"))
        p.open++;
    parse_call(&p);
    return parse_root(&p) && parse_links(&p) && is_numbered_well(&out->root);
}

// ---- building ----

struct input_root input_root_of(enum input_root_kind kind, const char *name)
{
    return (struct input_root){.kind = kind, .call = 1, .name = name};
}

struct input_root input_root_word(enum input_root_kind kind)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (words[i].kind == kind)
            return input_root_of(kind, words[i].text);
    BUG("kind %d of inputs is no word", (int)kind);
}

struct input_path input_path_of(struct input_root root)
{
    if (!root.call)
        root.call = 1;
    return (struct input_path){.root = root, .elements = 1};
}

struct input_path input_path_begin(const char *text, struct arena *arena)
{
    struct input_path path = input_path_of((struct input_root){0});
    struct parser p = {.at = text, .arena = arena, .path = &path};
    unsigned call;
    size_t length = numbered_word(text, call_word, 2, &call);
    if (length && !text[length]) // what it is about comes as a part
        return input_path_of((struct input_root){.name = text, .call = call});
    parse_call(&p);
    if (parse_root(&p) && parse_links(&p) && path.elements == 1)
        return path;
    return input_path_of(input_root_of(INPUT_NOWHERE, text));
}

// "call2" and the part "arg:x".
static bool begin_in_call(struct input_path *path, const struct input_link *link,
                          struct arena *arena)
{
    if (path->root.kind != INPUT_NOWHERE || path->root.call < 2 || path->link_count)
        return false;
    unsigned call = path->root.call;
    struct input_path inner = input_path_begin(link->name, arena);
    if (inner.root.kind == INPUT_NOWHERE || inner.root.call > 1)
        return false;
    *path = inner;
    path->root.call = call;
    return true;
}

void input_path_add(struct input_path *path, struct input_link link, struct arena *arena)
{
    if (link.kind == INPUT_PART && begin_in_call(path, &link, arena))
        return;
    // Room for a power of two: one more is needed when the count is one.
    if ((path->link_count & (path->link_count - 1)) == 0) {
        size_t room = path->link_count ? 2 * path->link_count : 1;
        struct input_link *links = arena_array(arena, struct input_link, room);
        if (path->link_count)
            memcpy(links, path->links, path->link_count * sizeof *links);
        path->links = links;
    }
    path->links[path->link_count++] = link;
}

void input_path_set_number(struct input_path *path, unsigned number)
{
    path->root.number = number;
    if (path->root.kind == INPUT_GLOBAL)
        path->root.kind = INPUT_DEVICE;
}

// ---- asking ----

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_root(const struct input_root *a, const struct input_root *b)
{
    return a->kind == b->kind && a->call == b->call && a->caller == b->caller &&
           a->caller_number == b->caller_number && a->number == b->number &&
           same_text(a->name, b->name) && same_text(a->file, b->file);
}

bool input_path_equal(const struct input_path *a, const struct input_path *b)
{
    bool same = a->says == b->says && same_root(&a->root, &b->root) && a->elements == b->elements &&
                a->link_count == b->link_count;
    for (size_t i = 0; same && i < a->link_count; i++)
        same = a->links[i].kind == b->links[i].kind && a->links[i].index == b->links[i].index &&
               same_text(a->links[i].name, b->links[i].name);
    return same;
}

bool input_kind_is_outside(enum input_root_kind kind)
{
    switch (kind) {
    case INPUT_STDIN:
    case INPUT_DESCRIPTOR:
    case INPUT_FILE:
    case INPUT_ENVIRONMENT:
    case INPUT_SIGNAL:
    case INPUT_ARGC:
    case INPUT_ARGV: return true;
    default: return false;
    }
}

const char *input_path_stub_part(const struct input_path *path)
{
    bool has = path->root.kind == INPUT_STUB && path->link_count;
    return has && path->links[0].kind == INPUT_PART ? path->links[0].name : NULL;
}

// Has C a name for the root where the task begins?
static bool is_named_in_task(const struct input_root *root)
{
    switch (root->kind) {
    case INPUT_PARAMETER: return root->caller == INPUT_OF_TASK && *root->name != '#';
    case INPUT_GLOBAL: return root->call == 1 && !root->file;
    case INPUT_ERRNO: return root->call == 1;
    case INPUT_LIBRARY: return root->call == 1 && strcmp(root->name, "strtok") != 0;
    default: return false;
    }
}

// Drivers name the elements behind a pointer, people the one that it points to: p->x for p[0].x.
static bool is_first_element(const struct input_path *path, size_t i)
{
    if (path->root.kind != INPUT_PARAMETER || path->links[i].kind != INPUT_INDEX ||
        path->links[i].index || i + 1 == path->link_count || path->links[i + 1].kind != INPUT_FIELD)
        return false;
    while (i > 0)
        if (path->links[--i].kind == INPUT_INDEX)
            return false;
    return true;
}

const char *input_path_expression(const struct input_path *path, struct arena *arena)
{
    struct buf out = BUF_INIT;
    bool good = is_named_in_task(&path->root);
    for (size_t i = 0; i < path->link_count; i++)
        if (path->links[i].kind == INPUT_DEREF)
            buf_puts(&out, "(*");
    buf_puts(&out, path->root.name);
    for (size_t i = 0; good && i < path->link_count; i++) {
        struct input_link link = path->links[i];
        good = link.kind <= INPUT_DEREF;
        if (is_first_element(path, i))
            link = (struct input_link){.kind = INPUT_ARROW, .name = path->links[++i].name};
        print_link(&link, &out);
    }
    const char *text = good ? arena_strdup(arena, buf_text(&out)) : NULL;
    buf_release(&out);
    return text;
}
