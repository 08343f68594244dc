// SPDX-License-Identifier: Apache-2.0
// Names of what hardware answers, from what the front end knows: `ready`, `uart.status`,
// `GPIOA->IDR`, `reg_0x40021000`. The same in every build of a unit, since a test means
// its inputs by name; so numbers that linking has put behind symbols do not count.
#include "instrument/hardware.h"

#include "instrument/gep.h"
#include "instrument/pass.h"
#include "program/input_path.h"
#include <ctype.h>
#include <string.h>

const char *hardware_plain_name(struct hardware *h, const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length > 1 && name[length - 1] == '.' && name[length]
               ? arena_strndup(h->arena, name, length - 1)
               : name;
}

// Statics of functions are "function.name". The first of a name counts, in every build.
void hardware_list_variables(struct hardware *h)
{
    const struct program *program = h->request->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *v = &program->variables[i];
        const char *symbol =
            v->function ? arena_printf(h->arena, "%s.%s", v->function, v->name) : v->name;
        if (!map_get_text(&h->variables, symbol, NULL))
            map_put_text(&h->variables, symbol, i + 1);
    }
}

const struct variable *hardware_variable(struct hardware *h, const char *symbol)
{
    uint64_t index = 0;
    map_get_text(&h->variables, hardware_plain_name(h, symbol), &index);
    return index ? &h->request->program->variables[index - 1] : NULL;
}

static const struct field *field_at(const struct type *record, uint64_t offset)
{
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        if (field->bits < 0 && 8 * offset >= field->offset_bits &&
            8 * offset < field->offset_bits + 8 * field->type->size)
            return field;
    }
    return NULL;
}

// The member at an offset, as far down as it has one name: not into unions, whose members
// share it, and not to bit-fields, which are read together.
static void append_path(struct hardware *h, struct input_path *out, const struct type *type,
                        uint64_t offset, enum input_link_kind link, const char **type_name)
{
    while (type) {
        const struct type *real = type->canonical ? type->canonical : type;
        *type_name = type->nameable ? type->spelling : "";
        if (real->kind == TYPE_STRUCT) {
            const struct field *field = field_at(real, offset);
            if (!field) {
                *type_name = "";
                return;
            }
            if (!field->anonymous_record)
                input_path_add(out, (struct input_link){.kind = link, .name = field->name},
                               h->arena);
            link = field->anonymous_record ? link : INPUT_FIELD;
            offset -= field->offset_bits / 8;
            type = field->type;
        } else if (real->kind == TYPE_ARRAY && real->target->size) {
            uint32_t index = (uint32_t)(offset / real->target->size);
            input_path_add(out, (struct input_link){.kind = INPUT_INDEX, .index = index}, h->arena);
            offset %= real->target->size;
            type = real->target;
        } else {
            if (real->kind != TYPE_INT && real->kind != TYPE_ENUM && real->kind != TYPE_FLOAT &&
                real->kind != TYPE_BOOL)
                *type_name = "";
            return;
        }
    }
}

static const char *name_of_variable(struct hardware *h, const struct place *place,
                                    const char **type)
{
    const char *symbol = hardware_plain_name(h, pass_source_name(place->root));
    const struct variable *variable = hardware_variable(h, symbol);
    struct input_path name = input_path_of(input_root_of(INPUT_GLOBAL, symbol));
    if (variable && place->exact && place->offset >= 0)
        append_path(h, &name, variable->type, (uint64_t)place->offset, INPUT_FIELD, type);
    else if (variable && variable->type->kind == TYPE_ARRAY)
        input_path_add(&name, (struct input_link){.kind = INPUT_ANY}, h->arena);
    return input_path_text(&name, h->arena);
}

static const char *name_of_register(struct hardware *h, uint64_t address, const char **type)
{
    const struct program *program = h->request->program;
    for (size_t i = 0; i < program->register_count; i++) {
        const struct register_name *r = &program->registers[i];
        if (address - r->address >= r->size)
            continue;
        struct input_path name = input_path_begin(r->name, h->arena);
        uint32_t bytes = (uint32_t)(address - r->address);
        *type = r->type;
        if (bytes)
            input_path_add(&name, (struct input_link){.kind = INPUT_BYTES, .index = bytes},
                           h->arena);
        return input_path_text(&name, h->arena);
    }
    return arena_printf(h->arena, "reg_0x%08llx", (unsigned long long)address);
}

// "struct.uart" or "union.port" of the IR, the name alone.
static const char *record_name(struct hardware *h, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMIsLiteralStruct(type) ||
        !LLVMGetStructName(type))
        return NULL;
    const char *name = hardware_plain_name(h, LLVMGetStructName(type));
    const char *dot = strchr(name, '.');
    return dot && strcmp(dot + 1, "anon") != 0 ? dot + 1 : NULL;
}

static const struct type *find_record(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->type_count; i++) {
        const struct type *type = program->types[i];
        const char *tag = strchr(type->spelling, ' ');
        if ((type->kind == TYPE_STRUCT || type->kind == TYPE_UNION) && type->field_count &&
            strcmp(tag ? tag + 1 : type->spelling, name) == 0)
            return type;
    }
    return NULL;
}

// Through a pointer: the outermost record that the address is in, "uart->status".
static const char *name_of_member(struct hardware *h, LLVMValueRef address, const char **type)
{
    const char *record = NULL;
    int64_t offset = 0, inside = 0;
    for (LLVMValueRef v = address; gep_is(v); v = LLVMGetOperand(v, 0)) {
        const char *here = record_name(h, LLVMGetGEPSourceElementType(v));
        if (!gep_step(h->layout, v, &offset))
            break;
        if (here) {
            record = here;
            inside = offset;
        }
    }
    const struct type *known = record ? find_record(h->request->program, record) : NULL;
    const char *root = record ? record : hardware_plain_name(h, pass_source_name(h->function));
    struct input_path name = input_path_of(input_root_of(INPUT_GLOBAL, root));
    if (!record)
        input_path_add(&name, (struct input_link){.kind = INPUT_PART, .name = "volatile"},
                       h->arena);
    if (known && inside >= 0)
        append_path(h, &name, known, (uint64_t)inside, INPUT_ARROW, type);
    return input_path_text(&name, h->arena);
}

const char *hardware_name(struct hardware *h, const struct place *place, LLVMValueRef address,
                          const char **type)
{
    *type = "";
    if (place->kind == PLACE_GLOBAL)
        return name_of_variable(h, place, type);
    if (place->kind == PLACE_REGISTER)
        return name_of_register(h, place->address, type);
    return name_of_member(h, address, type);
}

// For addresses that are known at run time only. Also tells the runtime that there are
// registers whose memory has to be reset, hence never empty.
void hardware_register_table(struct hardware *h)
{
    const struct program *program = h->request->program;
    h->has_table = true;
    size_t count = program->register_count ? program->register_count : 1;
    LLVMValueRef *entries = xcalloc(count, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        struct register_name r =
            i < program->register_count ? program->registers[i] : (struct register_name){0};
        LLVMValueRef members[] = {hardware_number(h, r.address), hardware_number(h, r.size),
                                  hardware_text(h, r.name ? r.name : ""),
                                  hardware_text(h, r.type ? r.type : "")};
        entries[i] = LLVMConstStructInContext(h->context, members, 4, 0);
    }
    LLVMValueRef list = LLVMConstArray2(LLVMTypeOf(entries[0]), entries, count);
    LLVMValueRef table = LLVMAddGlobal(h->module, LLVMTypeOf(list), "cz.registers");
    LLVMSetInitializer(table, list);
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetSection(table, "cz_registers");
    LLVMSetAlignment(table, h->narrow ? 4 : 8);
    globals_keep(h->module, table);
    free(entries);
}
