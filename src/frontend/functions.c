// SPDX-License-Identifier: Apache-2.0
// Functions and variables of the file. The first pass enters what the user
// defines or declares, in source order; what only system headers declare is
// entered when something refers to it. The second pass builds the tree of each
// body once and hands it to the analyses of references, pointers and branches.
#include "frontend/buffer_uses.h"
#include "frontend/frontend_internal.h"

#include <string.h>

static uint64_t identity(CXCursor declaration)
{
    return (uint64_t)(uintptr_t)clang_getCanonicalCursor(declaration).data[0];
}

static uint32_t name_offset(CXCursor declaration)
{
    return source_offset(clang_getCursorLocation(declaration));
}

// Builtins have no place in the text.
static bool has_place(CXCursor declaration)
{
    CXFile file;
    clang_getSpellingLocation(clang_getCursorLocation(declaration), &file, NULL, NULL, NULL);
    return file != NULL;
}

static bool in_system_header(const struct frontend *fe, CXCursor declaration)
{
    return !has_place(declaration) || source_origin(fe, name_offset(declaration))->system;
}

static bool head_mentions(const struct frontend *fe, CXCursor declaration, const char *word)
{
    uint32_t start, end;
    source_range(declaration, &start, &end);
    const char *body = memchr(fe->text + start, '{', end - start);
    return source_mentions(fe, start, body ? (uint32_t)(body - fe->text) : end, word);
}

static void set_parameters(struct frontend *fe, struct function *function, CXCursor declaration)
{
    int count = clang_Cursor_getNumArguments(declaration);
    function->param_count = count > 0 ? (size_t)count : 0;
    function->params = arena_array(&fe->program->arena, struct parameter, function->param_count);
    for (size_t i = 0; i < function->param_count; i++) {
        CXCursor argument = clang_Cursor_getArgument(declaration, (unsigned)i);
        struct parameter *parameter = &function->params[i];
        parameter->name = source_string(&fe->program->arena, clang_getCursorSpelling(argument));
        parameter->type = types_get_parameter(fe, clang_getCursorType(argument));
        parameter->is_restrict = clang_isRestrictQualifiedType(clang_getCursorType(argument)) != 0;
    }
}

static void set_place(struct frontend *fe, struct function *function, CXCursor declaration)
{
    if (!has_place(declaration)) {
        function->in_header = function->in_system_header = true;
        function->at.file = "";
        return;
    }
    uint32_t start, end;
    source_range(declaration, &start, &end);
    const struct line_origin *origin = source_origin(fe, name_offset(declaration));
    function->at = source_location(fe, name_offset(declaration), end);
    function->in_system_header = origin->system;
    function->in_header = origin->included;
}

static bool head_mentions_any(const struct frontend *fe, CXCursor declaration,
                              const char *const *words)
{
    for (; *words; words++)
        if (head_mentions(fe, declaration, *words))
            return true;
    return false;
}

// Does this declaration make clang emit the function by itself? One `extern` or
// non-inline declaration does for an inline function; in GNU89, `extern inline`
// is the one that does not.
static bool is_emitting(const struct frontend *fe, CXCursor declaration)
{
    static const char *const attributes[] = {"__attribute__", "__attribute", NULL};
    static const char *const inlines[] = {"inline", "__inline", "__inline__", NULL};
    static const char *const kept[] = {
        "used", "__used__", "constructor", "__constructor__", "destructor", "__destructor__", NULL};
    if (!has_place(declaration))
        return false;
    if (head_mentions_any(fe, declaration, attributes) && head_mentions_any(fe, declaration, kept))
        return true;
    if (clang_getCursorLinkage(declaration) != CXLinkage_External)
        return false;
    bool is_extern = clang_Cursor_getStorageClass(declaration) == CX_SC_Extern;
    return !head_mentions_any(fe, declaration, inlines) || is_extern != fe->gnu89_inline;
}

// Too often is no harm. Attributes behind the parameters are outside the declaration's extent.
static bool has_attribute(const struct frontend *fe, CXCursor declaration, const char *const *words)
{
    uint32_t start, end;
    if (!has_place(declaration))
        return false;
    source_range(declaration, &start, &end);
    end = start + (uint32_t)strcspn(fe->text + start, ";{");
    bool found = false;
    for (size_t i = 0; words[i] && !found; i++)
        found = source_mentions(fe, start, end, words[i]);
    return found && (source_mentions(fe, start, end, "__attribute__") ||
                     source_mentions(fe, start, end, "__attribute"));
}

// A name that vendors' tables of interrupts have.
static bool may_handle(const char *name)
{
    static const char *const endings[] = {"_IRQHandler", "_ISR", "_isr", "_vect", NULL};
    for (size_t i = 0; endings[i]; i++) {
        size_t length = strlen(name), end = strlen(endings[i]);
        if (length > end && strcmp(name + length - end, endings[i]) == 0)
            return true;
    }
    return false;
}

// By the text that dialect.c has taken away.
static bool is_handler(const struct frontend *fe, CXCursor declaration)
{
    uint32_t start, end;
    source_range(declaration, &start, &end);
    end = start + (uint32_t)strcspn(fe->text + start, ";{");
    uint32_t first = source_location(fe, start, start).line,
             last = source_location(fe, end, end).line;
    for (size_t i = 0; i < fe->handler_lines.count; i++)
        if (fe->handler_lines.items[i] >= first && fe->handler_lines.items[i] <= last)
            return true;
    return false;
}

static enum CXChildVisitResult find_public(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *found = data;
    if (clang_getCursorKind(cursor) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    CXString text = clang_getCursorSpelling(cursor);
    *found |= strcmp(clang_getCString(text), "cz_public") == 0;
    clang_disposeString(text);
    return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

// cz_public of cz/cadenza.h
static bool is_public(const struct frontend *fe, CXCursor declaration)
{
    bool found = false;
    if (fe->has_public && has_place(declaration))
        clang_visitChildren(declaration, find_public, &found);
    return found;
}

// What any declaration may add, and what the definition decides.
static void absorb(struct frontend *fe, struct function *function, CXCursor declaration)
{
    static const char *const noreturn_words[] = {"_Noreturn", "noreturn", "__noreturn__", NULL};
    static const char *const pure[] = {"const", "__const__", "__const", "pure", "__pure__", NULL};
    static const char *const memory[] = {"alloc_size", "__alloc_size__", "__malloc__", NULL};
    bool definition = clang_isCursorDefinition(declaration) != 0;
    function->is_static |= clang_Cursor_getStorageClass(declaration) == CX_SC_Static;
    function->is_inline |= clang_Cursor_isFunctionInlined(declaration) != 0;
    function->is_noreturn |=
        has_place(declaration) && head_mentions_any(fe, declaration, noreturn_words);
    function->is_pure |= has_attribute(fe, declaration, pure) ||
                         own_in_library(fe, declaration); // it often says so in words of its own
    function->is_handler |= has_place(declaration) && is_handler(fe, declaration);
    function->may_handle |= has_place(declaration) && may_handle(function->source_name);
    function->is_allocator |= has_attribute(fe, declaration, memory);
    function->emitted |= is_emitting(fe, declaration);
    function->is_public |= is_public(fe, declaration);
    function->is_weak |=
        has_place(declaration) && linkage_is_weak(fe, declaration, function->source_name);
    function->in_library |= own_in_library(fe, declaration);
    if (function->type && (!definition || function->defined))
        return;
    function->defined |= definition;
    function->type = types_get(fe, clang_getCursorType(declaration));
    set_parameters(fe, function, declaration);
    set_place(fe, function, declaration);
}

size_t functions_index(struct frontend *fe, CXCursor declaration)
{
    uint64_t known;
    if (map_get(&fe->function_ids, identity(declaration), &known))
        return (size_t)known;
    size_t index = fe->functions.count;
    map_put(&fe->function_ids, identity(declaration), index);
    const char *name = source_string(&fe->program->arena, clang_getCursorSpelling(declaration));
    struct function fresh = {.name = name, .source_name = name};
    fresh.is_main = strcmp(name, "cz_user_main") == 0;
    if (fresh.is_main)
        fresh.source_name = "main";
    else if (fe->request->alone)
        fresh.source_name = alone_source_name(&fe->program->arena, name);
    *VEC_PUSH(&fe->functions) = fresh;
    fresh.is_implicit =
        clang_getCursorType(declaration).kind == CXType_FunctionNoProto && has_place(declaration);
    absorb(fe, &fresh, declaration); // may enter types, not functions
    fe->functions.items[index] = fresh;
    return index;
}

void functions_join(struct frontend *fe, CXCursor declaration, size_t target)
{
    map_put(&fe->function_ids, identity(declaration), target);
}

void variables_join(struct frontend *fe, CXCursor declaration, size_t target)
{
    map_put(&fe->variable_ids, identity(declaration), target);
}

static void absorb_variable(struct frontend *fe, struct variable *variable, CXCursor declaration)
{
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(declaration);
    bool has_initialiser = !clang_Cursor_isNull(initialiser);
    bool defines = clang_Cursor_getStorageClass(declaration) != CX_SC_Extern || has_initialiser;
    variable->is_static |= clang_Cursor_getStorageClass(declaration) == CX_SC_Static;
    variable->is_thread_local |= clang_getCursorTLSKind(declaration) != CXTLS_None;
    variable->has_initialiser |= has_initialiser;
    variable->has_attributes |= clang_Cursor_hasAttrs(declaration) != 0;
    variable->is_weak |= linkage_is_weak(fe, declaration, variable->name);
    // The last declaration wins: it may complete an array, and a definition outranks.
    if (variable->type && !defines && !variable->is_extern_only)
        return;
    variable->is_extern_only = !defines;
    struct type *type = types_get(fe, clang_getCursorType(declaration));
    if (!variable->type || type->complete)
        variable->type = type;
    variable->is_const = variable->type->is_const;
    variable->is_volatile = variable->type->is_volatile;
    variable->in_system_header = in_system_header(fe, declaration);
    uint32_t start, end;
    source_range(declaration, &start, &end);
    variable->at = source_location(fe, name_offset(declaration), end);
}

size_t variables_index(struct frontend *fe, CXCursor declaration, const char *function)
{
    uint64_t known;
    if (map_get(&fe->variable_ids, identity(declaration), &known))
        return (size_t)known;
    size_t index = fe->variables.count;
    map_put(&fe->variable_ids, identity(declaration), index);
    struct variable fresh = {.function = function};
    fresh.name = source_string(&fe->program->arena, clang_getCursorSpelling(declaration));
    *VEC_PUSH(&fe->variables) = fresh;
    absorb_variable(fe, &fresh, declaration);
    fe->variables.items[index] = fresh;
    return index;
}

static void enter_function(struct frontend *fe, CXCursor cursor)
{
    bool definition = clang_isCursorDefinition(cursor) != 0;
    uint64_t known;
    if (!definition && in_system_header(fe, cursor) &&
        !map_get(&fe->function_ids, identity(cursor), &known))
        return;
    size_t index = functions_index(fe, cursor);
    absorb(fe, &fe->functions.items[index], cursor);
    if (definition)
        *VEC_PUSH(&fe->definitions) = (struct definition){index, cursor};
}

static void enter_initialiser(struct frontend *fe, size_t index, CXCursor cursor)
{
    struct arena arena;
    arena_init(&arena);
    struct references refs = {0};
    struct node *node = ast_build(&arena, cursor);
    references_collect(fe, SIZE_MAX, node, &refs);
    fixed_collect(fe, node);
    pointers_initialiser(fe, node);
    struct variable *variable = &fe->variables.items[index];
    for (size_t i = 0; i < refs.calls.count; i++)
        *VEC_PUSH(&refs.addresses) = refs.calls.items[i];
    variable->function_count = refs.addresses.count;
    variable->functions = references_store(fe, refs.addresses.items, refs.addresses.count);
    variable->global_count = refs.globals.count;
    variable->globals = references_store(fe, refs.globals.items, refs.globals.count);
    references_release(&refs);
    arena_release(&arena);
}

static void enter_variable(struct frontend *fe, CXCursor cursor)
{
    uint64_t known;
    if (in_system_header(fe, cursor) && !map_get(&fe->variable_ids, identity(cursor), &known))
        return;
    size_t index = variables_index(fe, cursor, NULL);
    struct variable copy = fe->variables.items[index];
    absorb_variable(fe, &copy, cursor);
    fe->variables.items[index] = copy;
    if (!clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor)))
        enter_initialiser(fe, index, cursor);
}

static enum CXChildVisitResult enter(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct frontend *fe = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_FunctionDecl)
        enter_function(fe, cursor);
    else if (kind == CXCursor_VarDecl)
        enter_variable(fe, cursor);
    return CXChildVisit_Continue;
}

void functions_collect(struct frontend *fe)
{
    fe->has_public = strstr(fe->text, "\"cz_public\"") != NULL;
    clang_visitChildren(clang_getTranslationUnitCursor(fe->unit), enter, fe);
}

static void store_references(struct frontend *fe, size_t index, const struct references *refs)
{
    struct function *function = &fe->functions.items[index];
    function->callee_count = refs->calls.count;
    function->callees = references_store(fe, refs->calls.items, refs->calls.count);
    function->address_taken_count = refs->addresses.count;
    function->address_taken = references_store(fe, refs->addresses.items, refs->addresses.count);
    function->global_count = refs->globals.count;
    function->globals = references_store(fe, refs->globals.items, refs->globals.count);
    function->write_count = refs->writes.count;
    function->writes = references_store(fe, refs->writes.items, refs->writes.count);
}

static struct node *body_of(struct node *function)
{
    for (struct node *child = function->child; child; child = child->next)
        if (child->kind == CXCursor_CompoundStmt)
            return child;
    return NULL;
}

void functions_analyse(struct frontend *fe)
{
    for (size_t i = 0; i < fe->definitions.count; i++) {
        struct definition definition = fe->definitions.items[i];
        struct arena arena;
        arena_init(&arena);
        struct node *body = body_of(ast_build(&arena, definition.cursor));
        if (body) {
            struct references refs = {0};
            references_collect(fe, definition.function, body, &refs);
            store_references(fe, definition.function, &refs);
            fixed_collect(fe, body);
            references_release(&refs);
            holders_enter_parameters(fe, definition.function, definition.cursor);
            pointers_collect(fe, definition.function, body);
            order_collect(fe, definition.function, body);
            lengths_collect(fe, definition.function, body);
            struct buffer_uses uses = buffer_uses_collect(fe, body);
            exact_lengths_collect(fe, definition.function, &uses);
            exact_members_collect(&uses);
            buffer_uses_release(&uses);
            members_collect(fe, body);
            bytes_collect(fe, body);
            tags_collect(fe, body);
            numbers_collect(fe, definition.function, definition.cursor, body);
        }
        arena_release(&arena);
    }
}
