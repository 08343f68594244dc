// SPDX-License-Identifier: Apache-2.0
// printf into memory and scanf from memory. The real functions do the work; what
// they write is concrete, so its labels are cleared, and a label on anything they
// read is a loss that is noted.
#define _GNU_SOURCE 1
#include "target_process.h"
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define MAX_CONVERSIONS 64

static bool text_has_labels(const char *text, size_t limit)
{
    const wire_label *shadow = CZRT_SHADOW(text);
    czrt_extent_forget(text);
    for (size_t i = 0; i < limit && !WIRE_IS_POISON(shadow[i]); i++) {
        if (shadow[i] != 0)
            return true;
        if (text[i] == 0)
            break;
    }
    return false;
}

// ---- Output ----

// Labels of the arguments of a variadic call from instrumented code.
static bool arguments_have_labels(void)
{
    for (unsigned i = 0; czrt_arg_classes && i < czrt_arg_slots; i++)
        if (czrt_args[i])
            return true;
    return false;
}

// The next conversion from `at` on, behind its '%': what stands before its letter, or NULL.
static const char *find_conversion(const char *at, const char **letter)
{
    at = strchr(at, '%');
    if (!at)
        return NULL;
    *letter = at + 1 + strspn(at + 1, "0123456789-+ #'*.$Ihlqjzt");
    return at + 1;
}

// How much the %n number `number` writes: parse_printf_format does not tell. What is beside it
// keeps its labels.
static unsigned counted_bytes(const char *format, unsigned number)
{
    const char *letter, *at = format;
    while ((at = find_conversion(at, &letter))) {
        if (*letter == 'n' && number-- == 0)
            break;
        at = letter + (*letter != 0);
    }
    if (!at)
        return 0;
    char last = letter[-1], before = letter[-2];
    bool is_double = last == before;
    return last == 'h'                  ? (is_double ? sizeof(char) : sizeof(short))
           : last == 'l'                ? (is_double ? sizeof(long long) : sizeof(long))
           : strchr("jq", last)         ? sizeof(long long)
           : last == 'z' || last == 't' ? sizeof(size_t)
                                        : sizeof(int);
}

static bool counts(const char *format)
{
    const char *letter, *at = format;
    for (; (at = find_conversion(at, &letter)); at = letter + (*letter != 0))
        if (*letter == 'n')
            return true;
    return false;
}

// The real function writes what %n counts.
void czrt_note_format(const char *format)
{
    if (czrt_concolic && !CZRT_IS_WILD(format) && counts(format))
        czrt_loss(WIRE_LOSS_EXTERNAL);
}

// %m prints errno; arguments with numbers ($) are not looked at in their order.
static bool has_unusual_conversion(const char *format)
{
    const char *letter, *at = format;
    for (; (at = find_conversion(at, &letter)); at = letter + (*letter != 0))
        if (*letter == 'm' || memchr(at, '$', (size_t)(letter - at)))
            return true;
    return false;
}

// Strings among the arguments, also what a precision leaves out of them. With floating-point
// numbers the locale decides on the decimal point.
static bool strings_have_labels(const char *format, va_list arguments)
{
    int types[MAX_CONVERSIONS];
    unsigned pointers = 0; // so many %n were seen
    size_t count = parse_printf_format(format, MAX_CONVERSIONS, types);
    if (count > MAX_CONVERSIONS || has_unusual_conversion(format)) // not looked at
        return true;
    for (size_t i = 0; i < count; i++) {
        int long_flags = types[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG);
        if (types[i] & PA_FLAG_PTR) { // %n
            void *counted = va_arg(arguments, void *);
            if (!CZRT_IS_WILD(counted))
                czrt_shadow_fill(counted, 0, counted_bytes(format, pointers));
            pointers++;
            continue;
        }
        switch (types[i] & ~PA_FLAG_MASK) {
        case PA_STRING: {
            const char *text = va_arg(arguments, const char *);
            if (text && !CZRT_IS_WILD(text) && text_has_labels(text, SIZE_MAX))
                return true;
            break;
        }
        case PA_FLOAT:
        case PA_DOUBLE:
            czrt_state(CZRT_STATE_LOCALE);
            if (types[i] & PA_FLAG_LONG_DOUBLE)
                va_arg(arguments, long double);
            else
                va_arg(arguments, double);
            break;
        case PA_POINTER:
            if (va_arg(arguments, void *))
                czrt_loss(WIRE_LOSS_ADDRESS);
            break;
        case PA_WSTRING: // not looked at
            if (va_arg(arguments, void *))
                return true;
            break;
        default:
            if (long_flags & PA_FLAG_LONG_LONG)
                va_arg(arguments, long long);
            else if (long_flags)
                va_arg(arguments, long);
            else
                va_arg(arguments, int);
        }
    }
    return false;
}

static bool area_has_labels(const char *area, unsigned size)
{
    if (CZRT_IS_WILD(area)) // the list of an argument that is an input
        return false;
    const wire_label *labels = CZRT_SHADOW(area);
    for (unsigned i = 0; i < size; i++)
        if (labels[i] && !WIRE_IS_POISON(labels[i]))
            return true;
    return false;
}

// Labels in an argument list of instrumented code: va_start has spread them over the
// areas that the list points to.
static bool list_has_labels(va_list list, const char *format)
{
    const unsigned room = 16 * (unsigned)parse_printf_format(format, 0, NULL); // for all of them
#ifdef __x86_64__
    const struct {
        unsigned general, vector;
        const char *overflow, *registers;
    } *areas = (const void *)list;
    return area_has_labels(areas->registers, 176) || area_has_labels(areas->overflow, room);
#else
    return area_has_labels(list, room); // arguments are in memory, one after the other
#endif
}

bool czrt_output_has_labels(const char *format, va_list arguments, bool from_list)
{
    va_list copy;
    if (!czrt_concolic)
        return false;
    if (!format) { // it may be there the next time
        czrt_shapes_wake();
        return false;
    }
    va_copy(copy, arguments);
    bool labels = from_list ? list_has_labels(arguments, format) : arguments_have_labels();
    labels |= text_has_labels(format, SIZE_MAX);
    labels |= strings_have_labels(format, copy);
    if (labels && counts(format))
        czrt_loss(WIRE_LOSS_CONCRETISED);
    va_end(copy);
    return labels;
}

void czrt_note_output(const char *format, va_list arguments, bool from_list)
{
    if (czrt_output_has_labels(format, arguments, from_list))
        czrt_loss(WIRE_LOSS_CONCRETISED);
}

static int measure(const char *format, va_list arguments)
{
    va_list copy;
    va_copy(copy, arguments);
    int length = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    return length;
}

// Measured first: writing past the end of the user's memory must be seen as a fault
// at the right place, not as damage.
static int print(char *to, size_t room, const char *format, va_list arguments)
{
    if (!format) // a fault, or an error where there is nothing to write to
        return vsnprintf(to, room, format, arguments);
    int length = measure(format, arguments);
    czrt_ret = 0;
    if (length < 0 || room == 0)
        return length;
    size_t written = (size_t)length < room ? (size_t)length + 1 : room;
    if (CZRT_IS_WILD(to))
        czrt_fault(WIRE_FAULT_NULL, 0, to);
    const wire_label *shadow = CZRT_SHADOW(to);
    czrt_extent_use(to, written, 0);
    for (size_t i = 0; i < written; i++)
        if (WIRE_IS_POISON(shadow[i]))
            czrt_check_poison(to + i, 0);
    vsnprintf(to, room, format, arguments);
    czrt_shadow_fill(to, 0, written);
    czrt_ret = 0;
    return length;
}

int czrt_vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
    czrt_pin_argument(0, (uintptr_t)to);
    czrt_pin_argument(1, room);
    czrt_note_output(format, arguments, true);
    return print(to, room, format, arguments);
}

int czrt_snprintf(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    czrt_note_output(format, arguments, false);
    int length = print(to, room, format, arguments);
    va_end(arguments);
    return length;
}

int czrt_vsprintf(char *to, const char *format, va_list arguments)
{
    czrt_pin_argument(0, (uintptr_t)to);
    czrt_note_output(format, arguments, true);
    return print(to, INT32_MAX, format, arguments);
}

int czrt_sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    czrt_note_output(format, arguments, false);
    int length = print(to, INT32_MAX, format, arguments);
    va_end(arguments);
    return length;
}

int czrt_print_new(char **to, const char *format, va_list arguments)
{
    int length = measure(format, arguments);
    if (length >= 0) {
        czrt_args[0] = 0; // not a size from the user
        *to = czrt_allocate((size_t)length + 1);
        czrt_shadow_fill(to, 0, sizeof *to);
        print(*to, (size_t)length + 1, format, arguments);
    }
    czrt_ret = 0;
    return length;
}

int czrt_vasprintf(char **to, const char *format, va_list arguments)
{
    czrt_pin_argument(0, (uintptr_t)to);
    czrt_note_output(format, arguments, true);
    return czrt_print_new(to, format, arguments);
}

int czrt_asprintf(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    czrt_note_output(format, arguments, false);
    int length = czrt_print_new(to, format, arguments);
    va_end(arguments);
    return length;
}

// ---- Input ----

struct conversion {
    char kind;    // the conversion's letter, 0 at the end of the format
    bool stores;  // has an argument
    size_t size;  // bytes stored; 0: a string, its length tells
    bool is_wide; // of wide characters
};

static size_t size_by_length(const char *length, size_t n, char kind)
{
    bool is_float = strchr("aAeEfFgG", kind) != NULL;
    if (kind == 'p' || n == 0)
        return kind == 'p' ? sizeof(void *) : is_float ? sizeof(float) : sizeof(int);
    switch (length[0]) {
    case 'h': return n == 2 ? 1 : sizeof(short);
    case 'l': return is_float ? sizeof(double) : n == 2 ? sizeof(long long) : sizeof(long);
    case 'L': return is_float ? sizeof(long double) : sizeof(long long);
    case 'z':
    case 't': return sizeof(size_t);
    default: return sizeof(long long); // q, j
    }
}

static const char *next_conversion(const char *at, struct conversion *conversion)
{
    *conversion = (struct conversion){0};
    while (*at && !(at[0] == '%' && at[1] != '%'))
        at += at[0] == '%' ? 2 : 1;
    if (!*at++)
        return at - 1;
    conversion->stores = *at != '*';
    at += *at == '*';
    size_t width = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        width = width * 10 + (size_t)(*at - '0');
    bool allocates = *at == 'm';
    at += allocates;
    const char *length = at;
    at += strspn(at, "hlLqjzt");
    conversion->kind = *at;
    conversion->is_wide = *at == 'S' || *at == 'C' || (at > length && strchr("cs[", *at));
    if (allocates)
        conversion->size = sizeof(char *);
    else if (*at == 'c' || *at == 'C')
        conversion->size = (width ? width : 1) * (conversion->is_wide ? sizeof(wchar_t) : 1);
    else if (*at != 's' && *at != '[' && *at != 'S')
        conversion->size = size_by_length(length, (size_t)(at - length), *at);
    if (*at == '[') { // a ']' right after '[' or '[^' belongs to the set
        at += at[1] == '^' ? 2 : 1;
        at += *at == ']';
        while (*at && *at != ']')
            at++;
    }
    return *at ? at + 1 : at;
}

static size_t text_size(const void *text, bool is_wide)
{
    return is_wide ? (wcslen(text) + 1) * sizeof(wchar_t) : strlen(text) + 1;
}

// What the models leave over, the format or the locale may decide on more than the text.
int czrt_vsscanf(const char *text, const char *format, va_list arguments)
{
    va_list copy;
    va_copy(copy, arguments);
    czrt_loss(WIRE_LOSS_EXTERNAL);
    int got = vsscanf(text, format, arguments), left = got;
    struct conversion conversion;
    for (format = next_conversion(format, &conversion); conversion.kind && left >= 0;
         format = next_conversion(format, &conversion)) {
        if (!conversion.stores)
            continue;
        if (conversion.kind != 'n' && left-- <= 0)
            break;
        char *to = va_arg(copy, char *);
        czrt_shadow_fill(to, 0,
                         conversion.size ? conversion.size : text_size(to, conversion.is_wide));
    }
    va_end(copy);
    czrt_ret = 0;
    return got;
}
