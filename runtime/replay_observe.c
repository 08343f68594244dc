// SPDX-License-Identifier: Apache-2.0
// What a test shows on the clean build: the result of the task, what has changed behind its
// pointers and in variables, calls of stubs with their arguments, and registers that are written.
// Each is a line "path<tab>type<tab>value" in memory that the parent shares, in the order in which
// it was seen, so that a test which crashes shows what came before.
//
// Pointers are followed only into objects that the driver made and that were not freed, each once.
// An address is no value: a pointer is NULL, "-> PATH" where the pointer at PATH led before the
// call
// ("-> &NAME": a variable), or "non-NULL".
// Sanitizer builds observe nothing: reading would be an access of its own.
#define _GNU_SOURCE 1
#include "replay_observe.h"
#include "registers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_WATCHES = 256, MAX_REGIONS = 4096, MAX_LINES = 400, MAX_ROW = 64, MAX_DEPTH = 16 };
#define MAX_COPIED (1u << 20) // bytes of objects before the call
#define CHUNK      (1u << 20)

void *__real_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);

struct replay_seen *replay_seen;

void __sanitizer_print_stack_trace(void) __attribute__((weak));

static struct watch watches[MAX_WATCHES];
static unsigned watch_count;
static struct region *regions;
static unsigned region_count;
static unsigned lines;

bool observe_is_on(void)
{
    return replay_seen && replay_seen->wanted && !__sanitizer_print_stack_trace && replay_running;
}

// ---- lines ----

// False: there is no more room.
static bool tell(const char *path, const char *type, const char *value)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "%.400s\t%.120s\t%.480s\n", path, type, value);
    unsigned at = replay_seen->length;
    if (lines >= MAX_LINES || length < 0 || at > sizeof replay_seen->text ||
        (unsigned)length > sizeof replay_seen->text - at) {
        replay_seen->is_cut = true;
        return false;
    }
    memcpy(replay_seen->text + at, line, (unsigned)length);
    replay_seen->length = at + (unsigned)length;
    lines++;
    return true;
}

// ---- regions ----

struct region *observe_region(const void *address)
{
    for (unsigned i = 0; i < region_count; i++)
        if ((uintptr_t)address - (uintptr_t)regions[i].base < regions[i].size)
            return &regions[i];
    return NULL;
}

void observe_each_region(void (*each)(struct region *region))
{
    for (unsigned i = 0; i < region_count; i++)
        each(&regions[i]);
}

// Memory for what is remembered, apart from the heap: a test that destroys the heap has the same
// outcome whether it is observed or not. It is never released; a test has a process of its own.
void *observe_allocate(unsigned long size)
{
    static char *next;
    static unsigned long left;
    size = (size + 15) & ~15ul;
    if (size > left) {
        left = size > CHUNK ? size : CHUNK;
        next = __real_mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (next == MAP_FAILED) {
            left = 0;
            return NULL;
        }
    }
    void *memory = next;
    next += size;
    left -= size;
    return memory;
}

static void add_region(const void *base, unsigned long size, const char *of, const char *path)
{
    static unsigned long copied;
    if (!region_count)
        copied = 0;
    if (region_count == MAX_REGIONS || !size)
        return;
    struct region *region = &regions[region_count++];
    *region = (struct region){.base = base, .size = size};
    snprintf(region->path, sizeof region->path, "%s%s", of, path);
    char *copy = size <= MAX_COPIED - copied ? observe_allocate(size) : NULL;
    if (!copy)
        return;
    memcpy(copy, base, size);
    copied += size;
    region->before = copy;
}

// What these bytes were before the call; NULL: not known.
static const char *before(const void *address, unsigned long size)
{
    const struct region *region = observe_region(address);
    unsigned long offset = region ? (unsigned long)((const char *)address - region->base) : 0;
    return region && region->before && size <= region->size - offset ? region->before + offset
                                                                     : NULL;
}

// ---- values ----

static void put_real(const struct cz_shape *shape, const void *at, char *out, size_t room)
{
    float narrow;
    double value;
    uint64_t bits = 0;
    memcpy(&bits, at, shape->size);
    if (shape->size == 4) {
        memcpy(&narrow, at, 4);
        value = (double)narrow;
    } else {
        memcpy(&value, at, 8);
    }
    if (isnan(value))
        snprintf(out, room, "nan:0x%0*llx", (int)(2 * shape->size), (unsigned long long)bits);
    else
        snprintf(out, room, "%a", value);
}

void observe_put_number(const struct cz_shape *shape, uint64_t raw, unsigned bits, char *out,
                        size_t room)
{
    uint64_t sign = 1ull << (bits - 1);
    if (shape->is_signed && raw & sign && bits < 64)
        raw |= ~(2 * sign - 1);
    if (shape->is_signed)
        snprintf(out, room, "%lld", (long long)raw);
    else
        snprintf(out, room, "%llu", (unsigned long long)raw);
}

void observe_put_scalar(const struct cz_shape *shape, const void *at, char *out, size_t room)
{
    uint64_t raw = 0;
    if (shape->form == CZ_REAL) {
        put_real(shape, at, out, room);
        return;
    }
    memcpy(&raw, at, shape->size);
    observe_put_number(shape, raw, (unsigned)(8 * shape->size), out, room);
}

static const char *function_at(const struct cz_forms *forms, const void *address)
{
    const struct cz_function *function = forms->functions;
    while (function->name && function->address != address)
        function++;
    return function->name;
}

void observe_put_pointer(const struct cz_forms *forms, const void *pointer, char *out, size_t room)
{
    const char *function = pointer ? function_at(forms, pointer) : NULL;
    const struct region *region = pointer ? observe_region(pointer) : NULL;
    unsigned long offset = region ? (unsigned long)((const char *)pointer - region->base) : 0;
    if (!pointer)
        snprintf(out, room, "NULL");
    else if (function)
        snprintf(out, room, "-> &%s", function);
    else if (!region)
        snprintf(out, room, "non-NULL");
    else if (offset)
        snprintf(out, room, "-> %s + %lu bytes", region->path, offset);
    else
        snprintf(out, room, "-> %s", region->path);
}

// ---- the walk ----

struct walk {
    const struct cz_forms *forms;
    bool all; // what has not changed, too
    unsigned depth;
};

static void look(struct walk *walk, const char *path, const char *at, unsigned shape);

static bool has_changed(const struct walk *walk, const void *at, unsigned long size)
{
    const char *old = before(at, size);
    return walk->all || (old && memcmp(old, at, size) != 0);
}

// The scalars of a row in one line, as inputs are written.
static void look_at_scalars(const char *path, const char *at, const struct cz_shape *element,
                            unsigned long count)
{
    char name[400], values[480], one[64];
    unsigned long shown = count < MAX_ROW ? count : MAX_ROW;
    size_t length = 0;
    for (unsigned long i = 0; i < shown; i++) {
        observe_put_scalar(element, at + i * element->size, one, sizeof one);
        if (length + strlen(one) + 2 > sizeof values) {
            shown = i;
            break;
        }
        length += (size_t)snprintf(values + length, sizeof values - length, i ? " %s" : "%s", one);
    }
    if (shown > 1)
        snprintf(name, sizeof name, "%.360s[0..%lu]", path, shown - 1);
    else
        snprintf(name, sizeof name, "%.360s[0]", path);
    replay_seen->is_cut |= shown < count;
    tell(name, element->name, values);
}

static void look_at_row(struct walk *walk, const char *path, const char *at, unsigned target,
                        unsigned long count)
{
    const struct cz_shape *element = &walk->forms->shapes[target];
    char name[400];
    if (element->form == CZ_NUMBER || element->form == CZ_REAL) {
        if (count && has_changed(walk, at, element->size * count))
            look_at_scalars(path, at, element, count);
        return;
    }
    replay_seen->is_cut |= count > MAX_ROW;
    for (unsigned long i = 0; i < count && i < MAX_ROW; i++) {
        snprintf(name, sizeof name, "%.360s[%lu]", path, i);
        look(walk, name, at + i * element->size, target);
    }
}

uint64_t observe_bits(const struct cz_member *member, const char *record)
{
    uint64_t raw = 0;
    for (int i = 0; i < member->bits; i++) {
        unsigned long bit = member->offset + (unsigned long)i;
        raw |= (uint64_t)((unsigned char)record[bit / 8] >> bit % 8 & 1) << i;
    }
    return raw;
}

static void look_at_bits(struct walk *walk, const char *path, const char *record,
                         const struct cz_member *member)
{
    const struct cz_shape *shape = &walk->forms->shapes[member->shape];
    unsigned long first = member->offset / 8, last = (member->offset + member->bits - 1) / 8;
    const char *then = before(record + first, last - first + 1);
    uint64_t raw = observe_bits(member, record);
    uint64_t old = then ? observe_bits(member, then - first) : 0;
    char value[64];
    if (!walk->all && (!then || raw == old))
        return;
    observe_put_number(shape, raw, (unsigned)member->bits, value, sizeof value);
    tell(path, shape->name, value);
}

// `arrow`: the path is that of a pointer to the record.
static void look_at_members(struct walk *walk, const char *path, const char *at,
                            const struct cz_shape *record, bool arrow)
{
    char name[400];
    for (unsigned long i = 0; i < record->count; i++) {
        const struct cz_member *member = &walk->forms->members[record->first_member + i];
        const struct cz_shape *shape = &walk->forms->shapes[member->shape];
        const char *inside = at + member->offset / 8;
        snprintf(name, sizeof name, "%.300s%s%.90s", path, arrow ? "->" : ".", member->name);
        if (!member->name[0] && shape->form == CZ_RECORD)
            look_at_members(walk, path, inside, shape, arrow);
        else if (member->bits > 0)
            look_at_bits(walk, name, at, member);
        else
            look(walk, member->name[0] ? name : path, inside, member->shape);
    }
}

// What a pointer leads to: from there to the end of the object.
static void follow(struct walk *walk, const char *path, const char *pointer, unsigned target)
{
    struct region *region = observe_region(pointer);
    const struct cz_forms *forms = walk->forms;
    if (region && !target && !walk->depth && !strpbrk(path, ".>["))
        target = setup_shape(region, &forms); // a parameter that is a void *
    const struct cz_shape *shape = &forms->shapes[target];
    if (!region || shape->form == CZ_NOTHING || !shape->size || region->visited)
        return;
    if (walk->depth == MAX_DEPTH) {
        replay_seen->is_cut = true;
        return;
    }
    unsigned long room = (unsigned long)(region->base + region->size - pointer);
    unsigned long count = room / shape->size;
    struct walk deeper = {forms, false, walk->depth + 1};
    char name[400];
    region->visited = true;
    if (!region->before)
        replay_seen->is_cut = true;
    else if (count == 1 && shape->form == CZ_RECORD)
        look_at_members(&deeper, path, pointer, shape, true);
    else if (count == 1 && shape->form != CZ_NUMBER && shape->form != CZ_REAL) {
        snprintf(name, sizeof name, "(*%.390s)", path);
        look(&deeper, name, pointer, target);
    } else {
        look_at_row(&deeper, path, pointer, target, count);
    }
}

static void look_at_pointer(struct walk *walk, const char *path, const char *at,
                            const struct cz_shape *shape)
{
    const char *pointer;
    char value[480];
    memcpy(&pointer, at, sizeof pointer);
    if (has_changed(walk, at, sizeof pointer)) {
        observe_put_pointer(walk->forms, pointer, value, sizeof value);
        tell(path, shape->name, value);
    }
    if (pointer && !shape->is_const)
        follow(walk, path, pointer, shape->target);
}

static void look_at_bytes(const char *path, const char *at, const struct cz_shape *shape)
{
    char value[200];
    size_t length = 0;
    unsigned long shown = shape->size < MAX_ROW ? shape->size : MAX_ROW;
    for (unsigned long i = 0; i < shown; i++)
        length += (size_t)snprintf(value + length, sizeof value - length, i ? " %02x" : "%02x",
                                   (unsigned)(unsigned char)at[i]);
    replay_seen->is_cut |= shown < shape->size;
    char type[160]; // one byte of a union looks like a number
    bool is_named = !shape->count || !strncmp(shape->name, "union", 5);
    snprintf(type, sizeof type, "%s%.140s", is_named ? "" : "union ", shape->name);
    tell(path, type, value);
}

static void look(struct walk *walk, const char *path, const char *at, unsigned number)
{
    const struct cz_shape *shape = &walk->forms->shapes[number];
    char value[64];
    if (replay_seen->is_cut && lines >= MAX_LINES)
        return;
    switch (shape->form) {
    case CZ_NOTHING:
    case CZ_UNION: break;
    case CZ_NUMBER:
    case CZ_REAL:
        if (has_changed(walk, at, shape->size)) {
            observe_put_scalar(shape, at, value, sizeof value);
            tell(path, shape->name, value);
        }
        break;
    case CZ_POINTER: look_at_pointer(walk, path, at, shape); break;
    case CZ_ROW: look_at_row(walk, path, at, shape->target, shape->count); break;
    case CZ_RECORD: look_at_members(walk, path, at, shape, false); break;
    case CZ_BYTES:
        if (has_changed(walk, at, shape->size))
            look_at_bytes(path, at, shape);
        break;
    }
}

// ---- registers ----

static const void *written; // by the code, but the value is there only after this call
static unsigned long written_size;

static void tell_register(void)
{
    const char *type = "register";
    char room[HW_NAME_ROOM], value[64];
    uint64_t raw = 0;
    if (!written || written_size > 8)
        return;
    const char *name = hw_name(written, "register", HW_DYNAMIC, &type, room);
    memcpy(&raw, written, written_size);
    snprintf(value, sizeof value, "%llu", (unsigned long long)raw);
    written = NULL;
    tell(name, type && *type ? type : "register", value);
}

void replay_observe_write(const void *address, unsigned long size)
{
    if (!observe_is_on())
        return;
    tell_register();
    written = address;
    written_size = size;
}

void replay_observe_flush(void)
{
    if (observe_is_on())
        tell_register();
}

// ---- the driver's words ----

static struct known {
    const char *name;
    const void *object;
    unsigned long size;
} knowns[MAX_WATCHES];
static unsigned known_count;

void replay_observe_begin(void)
{
    watch_count = known_count = region_count = lines = 0;
    setup_begin();
    written = NULL;
    if (!regions)
        regions = observe_allocate(MAX_REGIONS * sizeof *regions);
}

void cz_watch(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape)
{
    if (object && watch_count < MAX_WATCHES) // a weak variable may not be there
        watches[watch_count++] = (struct watch){forms, at, object, shape};
}

void cz_known(const char *name, const void *object, unsigned long size)
{
    if (object && known_count < MAX_WATCHES)
        knowns[known_count++] = (struct known){name, object, size};
}

static void add_object(const void *object, unsigned long size, const char *path)
{
    add_region(object, size, "", path);
}

void cz_watch_start(void)
{
    region_count = 0;
    if (!observe_is_on() || !regions)
        return;
    for (unsigned i = 0; i < watch_count; i++)
        add_region(watches[i].object, watches[i].forms->shapes[watches[i].shape].size, "&",
                   replay_path(watches[i].at));
    for (unsigned i = 0; i < known_count; i++)
        add_region(knowns[i].object, knowns[i].size, "&", knowns[i].name);
    for (unsigned i = 0; i < region_count; i++)
        regions[i].visited = true; // by its own watch, or it never changes
    replay_each_made(add_object);
    setup_call(watches, watch_count);
}

// Objects that a stub has made since.
static void add_new_object(const void *object, unsigned long size, const char *path)
{
    if (!observe_region(object))
        add_region(object, size, "", path);
}

void observe_refresh(void)
{
    if (regions)
        replay_each_made(add_new_object);
}

void cz_saw_result(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape)
{
    if (!observe_is_on() || !regions)
        return;
    struct walk walk = {forms, true, 0};
    tell_register();
    look(&walk, replay_path(at), object, shape);
}

void cz_watch_end(void)
{
    if (!observe_is_on() || !regions)
        return;
    tell_register();
    for (unsigned i = 0; i < watch_count; i++) {
        struct walk walk = {watches[i].forms, false, 0};
        look(&walk, replay_path(watches[i].at), watches[i].object, watches[i].shape);
    }
    setup_called();
    watch_count = known_count = 0;
}

static char last_call[300];

void cz_saw_call(const char *function)
{
    if (!observe_is_on())
        return;
    tell_register();
    snprintf(last_call, sizeof last_call, "stub:%.200s#%u", function,
             replay_next_call_number(function));
    tell(last_call, "call", "called");
}

void cz_saw_argument(const struct cz_forms *forms, const char *name, const void *argument,
                     unsigned shape)
{
    const struct cz_shape *of = &forms->shapes[shape];
    char path[400], value[480];
    if (!observe_is_on() || !regions)
        return;
    snprintf(path, sizeof path, "%s:%.80s", last_call, name);
    if (of->form == CZ_NUMBER || of->form == CZ_REAL) {
        observe_put_scalar(of, argument, value, sizeof value);
    } else if (of->form == CZ_POINTER) {
        const void *pointer;
        memcpy(&pointer, argument, sizeof pointer);
        observe_put_pointer(forms, pointer, value, sizeof value);
    } else {
        return;
    }
    tell(path, of->name, value);
}

void replay_observe_freed(const void *object)
{
    if (!object || !observe_is_on())
        return;
    replay_made_freed(object);
    struct region *region = observe_region(object);
    if (region && region->base == object) {
        setup_freed(region);
        region->size = 0;
    }
}
