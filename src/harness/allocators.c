// SPDX-License-Identifier: Apache-2.0
// Stubs of functions that hand out memory. What an ordinary stub returns has the size that
// the driver likes; the code goes on with the size that it asked for. So these ask the C
// library, whose calls may fail like any. The definition may be a vendor's, or be behind a hook.
// An attribute says that it is such a function. A name suggests it: the stub returns memory
// first, or else what any other stub returns.
#include "harness/emit.h"

#include <ctype.h>
#include <string.h>

static bool mentions(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == word[i])
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool is_number(const struct type *type)
{
    const struct type *plain = type->canonical ? type->canonical : type;
    return plain->kind == TYPE_INT && !plain->is_char && plain->size >= 2;
}

// The parameters that say how much: those of the type of the first unsigned number
// (`size`, but not the flags behind it), else those of the first number at all.
struct amount {
    size_t first, last, count;
};

static struct amount amount_in(const struct type *function)
{
    struct amount amount = {0};
    const struct type *wanted = NULL;
    for (int any_sign = 0; !wanted && any_sign < 2; any_sign++)
        for (size_t i = 0; !wanted && i < function->param_count; i++)
            if (is_number(function->params[i]) && (any_sign || !function->params[i]->is_signed))
                wanted = function->params[i];
    for (size_t i = 0; wanted && i < function->param_count; i++) {
        const struct type *type = function->params[i];
        if (!is_number(type) || type->size != wanted->size || type->is_signed != wanted->is_signed)
            continue;
        amount.first = amount.count ? amount.first : i;
        amount.last = i;
        amount.count++;
    }
    return amount;
}

// The memory that is to grow: the last pointer to anything before the numbers.
static size_t block_before(const struct type *function, size_t number)
{
    for (size_t i = number; i-- > 0;)
        if (function->params[i]->kind == TYPE_POINTER &&
            function->params[i]->target->kind == TYPE_VOID &&
            !function->params[i]->target->is_const)
            return i;
    return SIZE_MAX;
}

static const char *argument(struct emitter *e, size_t index)
{
    return names_local(e, arena_printf(e->arena, "a%zu", index));
}

const char *allocators_value(struct emitter *e, const struct function *function)
{
    const struct type *type = function->type, *result = type->target;
    struct arena *arena = e->arena;
    if (result->kind != TYPE_POINTER || result->target->kind != TYPE_VOID ||
        !(function->is_allocator || mentions(function->source_name, "alloc")) ||
        !names_sayable(type))
        return NULL;
    struct amount amount = amount_in(type);
    if (!amount.count || amount.count > 2)
        return NULL;
    bool grows = mentions(function->source_name, "realloc");
    size_t block = block_before(type, amount.first);
    const char *size = argument(e, amount.last);
    // Two numbers are a count and a size; behind a block that has a size already, the old
    // and the new one, and beside a boundary only the second one counts.
    bool has_other = amount.count == 2 && !mentions(function->source_name, "align") &&
                     (!grows || mentions(function->source_name, "array"));
    if (has_other)
        size = arena_printf(arena, "(unsigned long)%s * %s", argument(e, amount.first), size);
    if (grows && block != SIZE_MAX)
        return arena_printf(arena,
                            "%s ? __builtin_realloc(%s, %s) : (__builtin_free(%s), (void *)0)",
                            size, argument(e, block), size, argument(e, block));
    return arena_printf(arena,
                        mentions(function->source_name, "calloc") ? "__builtin_calloc(1, %s)"
                                                                  : "__builtin_malloc(%s)",
                        size);
}
