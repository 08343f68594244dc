// SPDX-License-Identifier: Apache-2.0
// An alarm is one defect. The engine and the sanitizers see it at the same line, because both
// take lines from what clang says of the instruction; for an expression of several lines UBSan
// names another one than the instruction, so either will do.
#include "judge/alarm_match.h"

#include "program/merge.h"
#include "wire/wire.h"
#include <string.h>

bool alarm_is_of_class(uint32_t fault, enum sanitizer_class class)
{
    switch (fault) {
    case WIRE_FAULT_NULL: return class == SANITIZER_NULL || class == SANITIZER_WILD;
    case WIRE_FAULT_SEGV:
        return class == SANITIZER_NULL || class == SANITIZER_WILD || class == SANITIZER_BOUNDS;
    case WIRE_FAULT_BOUNDS: // far enough out there is nothing
        return class == SANITIZER_BOUNDS || class == SANITIZER_INDEX || class == SANITIZER_WILD;
    case WIRE_FAULT_MEMBER: return class == SANITIZER_INDEX;
    case WIRE_FAULT_LENGTH: return class == SANITIZER_BOUNDS;
    case WIRE_FAULT_FREED: return class == SANITIZER_FREED;
    case WIRE_FAULT_SCOPE: // ASan has no frame of its own for a very large one
    case WIRE_FAULT_RETURNED: return class == SANITIZER_SCOPE || class == SANITIZER_RETURNED;
    case WIRE_FAULT_FREE: return class == SANITIZER_FREE || class == SANITIZER_WILD;
    case WIRE_FAULT_DIVISION: return class == SANITIZER_DIVISION;
    case WIRE_FAULT_QUOTIENT: // the same signal
    case WIRE_FAULT_FPE: return class == SANITIZER_QUOTIENT || class == SANITIZER_DIVISION;
    case WIRE_FAULT_SHIFT: return class == SANITIZER_SHIFT;
    case WIRE_FAULT_OVERFLOW: return class == SANITIZER_OVERFLOW;
    case WIRE_FAULT_CONVERSION: return class == SANITIZER_CONVERSION;
    case WIRE_FAULT_UNINIT: return class == SANITIZER_UNINIT;
    case WIRE_FAULT_UNREACHABLE: return class == SANITIZER_UNREACHABLE;
    case WIRE_FAULT_STACK: return class == SANITIZER_STACK;
    case WIRE_FAULT_ASSERT:
    case WIRE_FAULT_ABORT: return class == SANITIZER_ABORT;
    case WIRE_FAULT_ILLEGAL: return class == SANITIZER_ILLEGAL || class == SANITIZER_UNREACHABLE;
    case WIRE_FAULT_OVERLAP: return class == SANITIZER_OVERLAP;
    case WIRE_FAULT_UNDEFINED: return class == SANITIZER_OTHER;
    default: return false;
    }
}

static struct alarm_place source_place(const struct program *program,
                                       const struct sanitizer_place *at, const char *function)
{
    const struct line_origin *origin =
        at->line ? program_line(program, at->text_number, at->line) : NULL;
    return origin ? (struct alarm_place){origin->file, function, origin->line}
                  : (struct alarm_place){"", function, 0};
}

struct alarm_place alarm_report_place(const struct program *program,
                                      const struct sanitizer_report *report)
{
    return source_place(program, &report->at, report->function);
}

static bool is_same_place(const struct alarm_place *a, const struct alarm_place *b)
{
    return a->line && a->line == b->line && !strcmp(a->file, b->file);
}

static bool is_among(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (size_t n; length && *list; list += n + (list[n] != '\0')) {
        n = strcspn(list, "\n");
        if (n == length && strncmp(list, name, n) == 0)
            return true;
    }
    return false;
}

bool alarm_matches(const struct program *program, uint32_t fault, const struct alarm_place *at,
                   const struct sanitizer_report *report)
{
    if (!alarm_is_of_class(fault, report->class))
        return false;
    if (fault == WIRE_FAULT_STACK && is_among(report->functions, at->function))
        return true;
    struct alarm_place said = alarm_report_place(program, report);
    struct alarm_place frame = source_place(program, &report->frame, report->function);
    return is_same_place(at, &said) || is_same_place(at, &frame);
}

uint32_t alarm_cause(const struct sanitizer_report *report, bool dies)
{
    if (report->in_driver || report->of_driver || !report->at.line)
        return WIRE_FAULT_NONE;
    switch (report->class) {
    case SANITIZER_NULL: // UBSan also minds addresses that nobody follows
    case SANITIZER_WILD: return report->undefined ? WIRE_FAULT_UNDEFINED : WIRE_FAULT_NULL;
    case SANITIZER_BOUNDS: return WIRE_FAULT_BOUNDS;
    case SANITIZER_FREED: return WIRE_FAULT_FREED;
    case SANITIZER_SCOPE: return WIRE_FAULT_SCOPE;
    case SANITIZER_RETURNED: return WIRE_FAULT_RETURNED;
    case SANITIZER_FREE: return WIRE_FAULT_FREE;
    case SANITIZER_OVERLAP: return WIRE_FAULT_OVERLAP;
    case SANITIZER_INDEX: return WIRE_FAULT_MEMBER;
    case SANITIZER_DIVISION: return WIRE_FAULT_DIVISION;
    case SANITIZER_QUOTIENT: return WIRE_FAULT_QUOTIENT;
    case SANITIZER_SHIFT: return WIRE_FAULT_SHIFT;
    case SANITIZER_OVERFLOW: return WIRE_FAULT_OVERFLOW;
    case SANITIZER_CONVERSION: return WIRE_FAULT_CONVERSION;
    case SANITIZER_UNREACHABLE: return WIRE_FAULT_UNREACHABLE;
    case SANITIZER_STACK: // sanitizers make frames larger
        return dies ? WIRE_FAULT_STACK : WIRE_FAULT_NONE;
    case SANITIZER_ABORT: return dies ? WIRE_FAULT_ABORT : WIRE_FAULT_NONE;
    case SANITIZER_ILLEGAL: return WIRE_FAULT_ILLEGAL;
    case SANITIZER_UNINIT: return WIRE_FAULT_UNINIT;
    case SANITIZER_OTHER: return report->undefined ? WIRE_FAULT_UNDEFINED : WIRE_FAULT_NONE;
    }
    return WIRE_FAULT_NONE;
}
