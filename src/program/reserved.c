// SPDX-License-Identifier: Apache-2.0
#include "program/reserved.h"

#include <stddef.h>
#include <string.h>

// Those of include/cz/driver.h (a test compares), and what else is generated.
static const char *const words[] = {"CZ_BEHIND",
                                    "CZ_BOOL",
                                    "CZ_BYTES",
                                    "CZ_F32",
                                    "CZ_F64",
                                    "CZ_I16",
                                    "CZ_I32",
                                    "CZ_I64",
                                    "CZ_I8",
                                    "CZ_MOST_CALLS",
                                    "CZ_NOTHING",
                                    "CZ_NUMBER",
                                    "CZ_POINTER",
                                    "CZ_REAL",
                                    "CZ_RECORD",
                                    "CZ_ROW",
                                    "CZ_U16",
                                    "CZ_U32",
                                    "CZ_U64",
                                    "CZ_U8",
                                    "CZ_UNION",
                                    "cz_absent",
                                    "cz_array",
                                    "cz_arrow",
                                    "cz_assume_",
                                    "cz_assuming",
                                    "cz_bool",
                                    "cz_call",
                                    "cz_calls",
                                    "cz_check",
                                    "cz_choice",
                                    "cz_chosen",
                                    "cz_count",
                                    "cz_deep_null",
                                    "cz_depth",
                                    "cz_deref",
                                    "cz_elements",
                                    "cz_errno",
                                    "cz_exit",
                                    "cz_extent",
                                    "cz_f32",
                                    "cz_f64",
                                    "cz_f80",
                                    "cz_field",
                                    "cz_form",
                                    "cz_forms",
                                    "cz_function",
                                    "cz_gave",
                                    "cz_i128",
                                    "cz_i16",
                                    "cz_i32",
                                    "cz_i64",
                                    "cz_i8",
                                    "cz_index",
                                    "cz_interrupt",
                                    "cz_interrupts_on",
                                    "cz_known",
                                    "cz_made_as",
                                    "cz_member",
                                    "cz_missing",
                                    "cz_new",
                                    "cz_next_interrupt",
                                    "cz_part",
                                    "cz_path",
                                    "cz_present",
                                    "cz_probe",
                                    "cz_program_args",
                                    "cz_program_file",
                                    "cz_program_stdin",
                                    "cz_remember",
                                    "cz_room",
                                    "cz_root",
                                    "cz_saw_argument",
                                    "cz_saw_call",
                                    "cz_saw_result",
                                    "cz_sbits",
                                    "cz_scalar",
                                    "cz_shape",
                                    "cz_stream",
                                    "cz_task",
                                    "cz_task_count",
                                    "cz_tasks",
                                    "cz_text",
                                    "cz_turn",
                                    "cz_typed",
                                    "cz_u128",
                                    "cz_u16",
                                    "cz_u32",
                                    "cz_u64",
                                    "cz_u8",
                                    "cz_ubits",
                                    "cz_user_main",
                                    "cz_watch",
                                    "cz_watch_end",
                                    "cz_watch_start",
                                    "cz_wide",
                                    "cz_world",
                                    NULL};
// Of the runtime, the shims, stubs of the C library, and texts that are compiled for checks.
static const char *const beginnings[] = {
    "__cz_",        "czrt_",        "czm_",        "czs_",       "cz_s_",      "cz_hw_",
    "cz_respects_", "cz_violates_", "cz_pointer_", "cz_lvalue_", "cz_behind_", "cz_itself_",
    "cz_expand_",   "cz_outside",   "cz_allocate", NULL};

bool reserved_name(const char *name)
{
    if (name[0] != 'c' && name[0] != '_' && name[0] != 'C')
        return false;
    for (const char *const *begin = beginnings; *begin; begin++)
        if (strncmp(*begin, name, strlen(*begin)) == 0)
            return true;
    for (const char *const *word = words; *word; word++)
        if (strcmp(*word, name) == 0)
            return true;
    return false;
}
