// SPDX-License-Identifier: Apache-2.0
// libclang types as struct type. Each type as written (typedefs and qualifiers
// included) is one object, found by clang's own unique type pointer, so a
// recursive struct ends at the object that is already there. Records and enums
// are filled once, in the canonical object; the others are views that copy it in
// types_finish, when nothing is under construction any more. Pointers, arrays and
// functions keep the typedef names of what they are made of.
#include "frontend/frontend_internal.h"

#include <string.h>

static uint64_t key_of(CXType type)
{
    return (uint64_t)(uintptr_t)type.data[0];
}

// One step from sugar towards the structure: typedef, elaborated, attributed.
static CXType desugar(CXType type)
{
    CXCursor declaration;
    switch (type.kind) {
    case CXType_Typedef:
        declaration = clang_getTypeDeclaration(type);
        return clang_getTypedefDeclUnderlyingType(declaration);
    case CXType_Elaborated: return clang_Type_getNamedType(type);
    case CXType_Attributed: return clang_Type_getModifiedType(type);
    default: return clang_getCanonicalType(type);
    }
}

static bool is_structural(enum CXTypeKind kind)
{
    return kind == CXType_Pointer || kind == CXType_ConstantArray ||
           kind == CXType_IncompleteArray || kind == CXType_VariableArray ||
           kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

// The type with all sugar on top removed, but not the sugar inside.
static CXType structure_of(CXType type)
{
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Atomic) { // a driver assigns to it as to a plain one
        CXType value = clang_Type_getValueType(canonical);
        if (clang_getCanonicalType(value).kind != CXType_Record)
            return structure_of(value);
    }
    if (!is_structural(canonical.kind))
        return canonical;
    for (int i = 0; i < 64 && !is_structural(type.kind); i++)
        type = desugar(type);
    return is_structural(type.kind) ? type : canonical;
}

static const struct {
    enum CXTypeKind clang;
    enum type_kind kind;
    bool is_signed, is_char;
} basic_types[] = {
    {CXType_Void, TYPE_VOID, false, false},
    {CXType_Bool, TYPE_BOOL, false, false},
    {CXType_Char_U, TYPE_INT, false, true},
    {CXType_UChar, TYPE_INT, false, true},
    {CXType_Char_S, TYPE_INT, true, true},
    {CXType_SChar, TYPE_INT, true, true},
    {CXType_Char16, TYPE_INT, false, false},
    {CXType_Char32, TYPE_INT, false, false},
    {CXType_UShort, TYPE_INT, false, false},
    {CXType_Short, TYPE_INT, true, false},
    {CXType_UInt, TYPE_INT, false, false},
    {CXType_Int, TYPE_INT, true, false},
    {CXType_ULong, TYPE_INT, false, false},
    {CXType_Long, TYPE_INT, true, false},
    {CXType_ULongLong, TYPE_INT, false, false},
    {CXType_LongLong, TYPE_INT, true, false},
    {CXType_UInt128, TYPE_INT, false, false},
    {CXType_Int128, TYPE_INT, true, false},
    {CXType_WChar, TYPE_INT, true, false},
    {CXType_Float, TYPE_FLOAT, true, false},
    {CXType_Double, TYPE_FLOAT, true, false},
    {CXType_LongDouble, TYPE_FLOAT, true, false},
    {CXType_Pointer, TYPE_POINTER, false, false},
    {CXType_Enum, TYPE_ENUM, false, false},
    {CXType_ConstantArray, TYPE_ARRAY, false, false},
    {CXType_IncompleteArray, TYPE_ARRAY, false, false},
    {CXType_VariableArray, TYPE_ARRAY, false, false},
    {CXType_Record, TYPE_STRUCT, false, false},
    {CXType_FunctionProto, TYPE_FUNCTION, false, false},
    {CXType_FunctionNoProto, TYPE_FUNCTION, false, false},
};

static void set_kind(struct type *type, CXType from)
{
    type->kind = TYPE_OTHER;
    for (size_t i = 0; i < sizeof basic_types / sizeof basic_types[0]; i++)
        if (basic_types[i].clang == from.kind) {
            type->kind = basic_types[i].kind;
            type->is_signed = basic_types[i].is_signed;
            type->is_char = basic_types[i].is_char;
        }
    if (from.kind == CXType_Record &&
        clang_getCursorKind(clang_getTypeDeclaration(from)) == CXCursor_UnionDecl)
        type->kind = TYPE_UNION;
}

static void set_layout(struct type *type, CXType from)
{
    long long size = clang_Type_getSizeOf(from), align = clang_Type_getAlignOf(from);
    type->complete = size >= 0;
    type->size = size > 0 ? (uint64_t)size : 0;
    type->align = align > 0 ? (uint64_t)align : 1;
    if (type->kind == TYPE_VOID || type->kind == TYPE_FUNCTION) {
        type->complete = false;
        type->size = 0;
    }
}

bool types_is_local(CXCursor declaration)
{
    CXCursor parent = clang_getCursorSemanticParent(declaration);
    enum CXCursorKind kind = clang_getCursorKind(parent);
    while (kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) {
        parent = clang_getCursorSemanticParent(parent);
        kind = clang_getCursorKind(parent);
    }
    return kind == CXCursor_FunctionDecl;
}

static void set_name(struct frontend *fe, struct type *type, CXType from)
{
    CXType plain = clang_getUnqualifiedType(from);
    type->spelling = source_string(&fe->program->arena, clang_getTypeSpelling(plain));
    type->nameable = !unnamed_is_invented(type->spelling);
    CXType core = clang_getCanonicalType(from);
    if (core.kind == CXType_Record || core.kind == CXType_Enum)
        type->nameable = type->nameable && !types_is_local(clang_getTypeDeclaration(core));
}

static enum CXVisitorResult count_field(CXCursor cursor, CXClientData data)
{
    (void)cursor;
    ++*(size_t *)data;
    return CXVisit_Continue;
}

struct filling {
    struct frontend *fe;
    struct type *type;
};

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct filling *f = data;
    struct field *field = &f->type->fields[f->type->field_count++];
    CXType type = clang_getCursorType(cursor);
    long long offset = clang_Cursor_getOffsetOfField(cursor);
    const char *name = source_string(&f->fe->program->arena, clang_getCursorSpelling(cursor));
    bool unnamed = name[0] == '\0' || strchr(name, '(') || strchr(name, ' ');
    field->name = unnamed ? "" : name;
    field->offset_bits = offset > 0 ? (uint64_t)offset : 0;
    field->bits = clang_Cursor_isBitField(cursor) ? clang_getFieldDeclBitWidth(cursor) : -1;
    field->type = types_get(f->fe, type);
    CXType core = clang_getCanonicalType(type);
    field->anonymous_record = unnamed && field->bits < 0 && core.kind == CXType_Record;
    return CXVisit_Continue;
}

static void fill_record(struct frontend *fe, struct type *type, CXType from)
{
    size_t count = 0;
    clang_Type_visitFields(from, count_field, &count);
    type->fields = arena_array(&fe->program->arena, struct field, count);
    struct filling filling = {fe, type};
    clang_Type_visitFields(from, add_field, &filling);
}

static enum CXChildVisitResult count_enumerator(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(size_t *)data += clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult add_enumerator(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct filling *f = data;
    if (clang_getCursorKind(cursor) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    struct enumerator *e = &f->type->enumerators[f->type->enumerator_count++];
    e->name = source_string(&f->fe->program->arena, clang_getCursorSpelling(cursor));
    e->value = clang_getEnumConstantDeclValue(cursor);
    return CXChildVisit_Continue;
}

static void fill_enum(struct frontend *fe, struct type *type, CXType from)
{
    CXCursor declaration = clang_getCursorDefinition(clang_getTypeDeclaration(from));
    if (clang_Cursor_isNull(declaration))
        return;
    struct type integer = {0};
    set_kind(&integer, clang_getCanonicalType(clang_getEnumDeclIntegerType(declaration)));
    type->is_signed = integer.is_signed;
    size_t count = 0;
    clang_visitChildren(declaration, count_enumerator, &count);
    type->enumerators = arena_array(&fe->program->arena, struct enumerator, count);
    struct filling filling = {fe, type};
    clang_visitChildren(declaration, add_enumerator, &filling);
}

static void fill_array(struct frontend *fe, struct type *type, CXType from)
{
    long long count = clang_getArraySize(from);
    type->target = types_get(fe, clang_getArrayElementType(from));
    type->count = from.kind == CXType_ConstantArray && count > 0 ? (uint64_t)count : 0;
    type->variable_length = from.kind == CXType_VariableArray || type->target->variable_length;
    type->is_const |= type->target->is_const;
    type->is_volatile |= type->target->is_volatile;
}

static void fill_function(struct frontend *fe, struct type *type, CXType from)
{
    int count = clang_getNumArgTypes(from);
    type->target = types_get(fe, clang_getResultType(from));
    type->variadic = clang_isFunctionTypeVariadic(from) != 0;
    type->param_count = count > 0 ? (size_t)count : 0;
    type->params = arena_array(&fe->program->arena, struct type *, type->param_count);
    for (size_t i = 0; i < type->param_count; i++)
        type->params[i] = types_get_parameter(fe, clang_getArgType(from, (unsigned)i));
}

static void fill(struct frontend *fe, struct type *type, CXType from)
{
    switch (type->kind) {
    case TYPE_POINTER: type->target = types_get(fe, clang_getPointeeType(from)); break;
    case TYPE_ARRAY: fill_array(fe, type, from); break;
    case TYPE_FUNCTION: fill_function(fe, type, from); break;
    case TYPE_STRUCT:
    case TYPE_UNION:
        if (type->canonical == type)
            fill_record(fe, type, from);
        break;
    case TYPE_ENUM:
        if (type->canonical == type)
            fill_enum(fe, type, from);
        break;
    default: break;
    }
}

static struct type *new_type(struct frontend *fe, CXType from)
{
    struct type *type = arena_new(&fe->program->arena, struct type);
    *VEC_PUSH(&fe->types) = type;
    type->is_const = clang_isConstQualifiedType(clang_getCanonicalType(from)) != 0;
    type->is_volatile = clang_isVolatileQualifiedType(clang_getCanonicalType(from)) != 0;
    set_name(fe, type, from);
    unnamed_see(fe, from);
    return type;
}

struct type *types_get(struct frontend *fe, CXType from)
{
    uint64_t known;
    if (map_get(&fe->type_ids, key_of(from), &known))
        return (struct type *)(uintptr_t)known;
    struct type *type = new_type(fe, from);
    map_put(&fe->type_ids, key_of(from), (uintptr_t)type);
    CXType core = clang_getUnqualifiedType(clang_getCanonicalType(from));
    type->canonical = key_of(core) == key_of(from) ? type : types_get(fe, core);
    CXType structure = structure_of(from);
    set_kind(type, structure);
    set_layout(type, from);
    fill(fe, type, structure);
    return type;
}

static uint64_t pointer_size(const struct frontend *fe)
{
    CXTargetInfo info = clang_getTranslationUnitTargetInfo(fe->unit);
    int bits = clang_TargetInfo_getPointerWidth(info);
    clang_TargetInfo_dispose(info);
    return bits > 0 ? (uint64_t)bits / 8 : sizeof(void *);
}

// A parameter of array or function type is a pointer; how it was written is kept
// as a hint (count) and in the names of the element type.
struct type *types_get_parameter(struct frontend *fe, CXType from)
{
    enum CXTypeKind kind = clang_getCanonicalType(from).kind;
    bool is_array = kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
                    kind == CXType_VariableArray;
    if (!is_array && kind != CXType_FunctionProto && kind != CXType_FunctionNoProto)
        return types_get(fe, from);
    uint64_t known;
    if (map_get(&fe->parameter_type_ids, key_of(from), &known))
        return (struct type *)(uintptr_t)known;
    struct type *whole = types_get(fe, from);
    struct type *type = arena_new(&fe->program->arena, struct type);
    map_put(&fe->parameter_type_ids, key_of(from), (uintptr_t)type);
    *VEC_PUSH(&fe->types) = type;
    struct type *target = is_array ? whole->target : whole;
    *type = (struct type){.kind = TYPE_POINTER, .target = target, .canonical = type};
    type->complete = true;
    type->size = type->align = pointer_size(fe);
    type->count = is_array ? whole->count : 0;
    type->nameable = target->nameable;
    const char *format = target->kind == TYPE_ARRAY || target->kind == TYPE_FUNCTION
                             ? "__typeof__(%s%s%s) *"
                             : "%s%s%s *";
    // `const row_t` where row_t is an array: only the array as a whole says that it is const.
    type->spelling =
        arena_printf(&fe->program->arena, format,
                     target->is_const || (is_array && whole->is_const) ? "const " : "",
                     target->is_volatile || (is_array && whole->is_volatile) ? "volatile " : "",
                     target->spelling);
    return type;
}

static void copy_view(struct type *type)
{
    const struct type *core = type->canonical;
    type->fields = core->fields;
    type->field_count = core->field_count;
    type->enumerators = core->enumerators;
    type->enumerator_count = core->enumerator_count;
    type->is_signed = core->is_signed;
}

// A pointer to something without a name has no name either, unless a typedef
// names it. Targets come after what is made of them, hence backwards.
static void spread_unnameable(struct frontend *fe)
{
    for (size_t i = fe->types.count; i-- > 0;) {
        struct type *type = fe->types.items[i];
        const struct type *target = type->target;
        if (target && !target->nameable &&
            strncmp(type->spelling, target->spelling, strlen(target->spelling)) == 0)
            type->nameable = false;
    }
}

void types_finish(struct frontend *fe)
{
    for (size_t i = 0; i < fe->types.count; i++) {
        struct type *type = fe->types.items[i];
        bool tagged =
            type->kind == TYPE_STRUCT || type->kind == TYPE_UNION || type->kind == TYPE_ENUM;
        if (tagged && type->canonical != type)
            copy_view(type);
    }
    unnamed_finish(fe);
    spread_unnameable(fe);
}
