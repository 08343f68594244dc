// SPDX-License-Identifier: Apache-2.0
#include "inputs/seeds.h"

#include "base/fs.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

// ---- reading ----

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_arguments(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".args") == 0;
}

// The seed of this name (without .args), made if need be.
static struct seed *seed_named(struct seeds *seeds, const char *name, size_t length,
                               struct arena *arena)
{
    for (size_t i = 0; i < seeds->list.count; i++)
        if (strlen(seeds->list.items[i].name) == length &&
            strncmp(seeds->list.items[i].name, name, length) == 0)
            return &seeds->list.items[i];
    struct seed *seed = VEC_PUSH(&seeds->list);
    seed->name = arena_strndup(arena, name, length);
    return seed;
}

static void note(struct seeds *seeds, struct arena *arena, const struct seed *seed,
                 const char *what)
{
    *VEC_PUSH(&seeds->notes) = arena_printf(arena, "seed %s: %s", seed->name, what);
}

static void take_content(struct seeds *seeds, struct seed *seed, const struct buf *text,
                         struct arena *arena)
{
    seed->has_content = true;
    seed->length = text->length;
    bool wanted = seeds->root.kind != INPUT_NOWHERE;
    if (!wanted)
        note(seeds, arena, seed, "not used, there is neither --stdin nor --file");
    if (wanted && seed->length > seeds->bytes) {
        note(seeds, arena, seed,
             arena_printf(arena, "cut off after %u of %zu bytes", seeds->bytes, text->length));
        seed->length = seeds->bytes;
    }
    seed->content = arena_strndup(arena, buf_text(text), seed->length);
}

static void take_arguments(struct seeds *seeds, struct seed *seed, const struct buf *text,
                           struct arena *arena)
{
    seed->args = arena_array(arena, const char *, seeds->arg_count + 1);
    for (const char *line = buf_text(text); *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), kept = length;
        if (seed->arg_count == seeds->arg_count) {
            note(seeds, arena, seed,
                 arena_printf(arena, "only %u arguments fit --arg", seeds->arg_count));
            return;
        }
        if (kept > seeds->arg_length) {
            kept = seeds->arg_length;
            note(seeds, arena, seed, "an argument is longer than --arg allows and was cut off");
        }
        seed->args[seed->arg_count++] = arena_strndup(arena, line, kept);
        line += length;
    }
}

static bool read_file(struct seeds *seeds, const char *directory, const char *name,
                      struct arena *arena, struct error *err)
{
    struct buf text = BUF_INIT;
    const char *path = arena_printf(arena, "%s/%s", directory, name);
    if (name[0] == '.' || fs_is_dir(path))
        return true;
    bool good = fs_read(path, &text, err);
    bool arguments = is_arguments(name);
    struct seed *seed =
        seed_named(seeds, name, strlen(name) - (arguments ? strlen(".args") : 0), arena);
    if (good && arguments)
        take_arguments(seeds, seed, &text, arena);
    else if (good)
        take_content(seeds, seed, &text, arena);
    buf_release(&text);
    return good;
}

bool seeds_load(struct seeds *seeds, const char *directory, const struct harness_program *program,
                struct arena *arena, struct error *err)
{
    *seeds = (struct seeds){.arg_count = program->arg_count, .arg_length = program->arg_length};
    if (program->has_stdin) {
        seeds->root = input_root_word(INPUT_STDIN);
        seeds->bytes = program->stdin_bytes;
    } else if (program->file_count) {
        seeds->root = input_root_of(INPUT_FILE, program->files[0].name);
        seeds->bytes = program->files[0].bytes;
    }
    struct dirent **entries;
    int count = scandir(directory, &entries, NULL, by_name);
    if (count < 0)
        return error_errno(err, "cannot read the seeds in %s", directory);
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && read_file(seeds, directory, entries[i]->d_name, arena, err);
        free(entries[i]);
    }
    free(entries);
    return good;
}

void seeds_release(struct seeds *seeds)
{
    VEC_RELEASE(&seeds->list);
    VEC_RELEASE(&seeds->notes);
}

// ---- writing ----

struct writing {
    const struct places *places;
    struct places_index index;
    struct arena arena; // of paths
    struct buf *input;
    bool changed;
};

static void put(struct writing *w, const struct input_path *path, const void *bytes, size_t length)
{
    uint32_t place = places_find(&w->index, input_path_text(path, &w->arena));
    if (!place)
        return;
    size_t offset = w->places->table[place].offset, size = places_size(&w->places->table[place]);
    while (w->input->length < offset + size)
        buf_putc(w->input, '\0');
    for (size_t i = 0; i < size; i++) {
        char value = i < length ? ((const char *)bytes)[i] : 0;
        w->changed |= w->input->data[offset + i] != value;
        w->input->data[offset + i] = value;
    }
}

static void put_number(struct writing *w, const struct input_path *path, uint32_t value)
{
    put(w, path, &value, sizeof value); // the wire is little-endian, as is the machine
}

static void put_content(struct writing *w, const struct seeds *seeds, const struct seed *seed)
{
    struct input_path content = input_path_of(seeds->root), length = content;
    input_path_add(&length, (struct input_link){.kind = INPUT_PART, .name = "length"}, &w->arena);
    put_number(w, &length, (uint32_t)seed->length);
    content.elements = seeds->bytes;
    put(w, &content, seed->content, seed->length);
}

static void put_arguments(struct writing *w, const struct seeds *seeds, const struct seed *seed)
{
    const struct input_path count = input_path_of(input_root_word(INPUT_ARGC));
    put_number(w, &count, (uint32_t)seed->arg_count + 1);
    for (size_t i = 0; i < seed->arg_count; i++) {
        struct input_path path = input_path_of(input_root_word(INPUT_ARGV));
        struct input_link index = {.kind = INPUT_INDEX, .index = (uint32_t)i + 1};
        input_path_add(&path, index, &w->arena);
        path.elements = seeds->arg_length;
        put(w, &path, seed->args[i], strlen(seed->args[i]));
    }
}

void seeds_apply(const struct seeds *seeds, const struct seed *seed, const struct places *places,
                 struct buf *input, bool *changed)
{
    struct writing w = {.places = places, .input = input};
    arena_init(&w.arena);
    places_index_init(&w.index);
    places_index_update(&w.index, places);
    if (seed->has_content && seeds->root.kind != INPUT_NOWHERE)
        put_content(&w, seeds, seed);
    put_arguments(&w, seeds, seed);
    places_index_release(&w.index);
    arena_release(&w.arena);
    *changed = w.changed;
}
