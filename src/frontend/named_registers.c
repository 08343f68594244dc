// SPDX-License-Identifier: Apache-2.0
// Names of registers. Their addresses come from macros, which the text does not have any
// more, or from constant pointers; so those that the user's file mentions are defined once
// more behind the text, and libclang is asked what each of them is worth:
//
//     UART          ((struct uart *)0x40011000)          its members: UART->status ...
//     CLOCK_READY   (*(volatile uint32_t *)0x40021000)   itself
//
// What is no address does not compile there, and that is its answer.
#include "frontend/frontend_internal.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/tunables.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct candidate {
    const char *name, *value; // value: text in the place of the name, or NULL
};

struct probes {
    struct frontend *fe;
    struct map macros; // object-like
    struct map listed;
    VEC(struct candidate) candidates;
    VEC(struct register_name) registers;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The end of "(word word)" at `at`, or NULL when it is something else.
static const char *skip_cast(const char *at)
{
    while (is_word(*at) || *at == ' ')
        at++;
    return *at == ')' ? at + 1 : NULL;
}

// Does a number stand behind the cast that ends here, but for brackets and further casts?
static bool is_number_cast(const char *at)
{
    while (at && *at) {
        at += strspn(at, " (\n");
        if (isdigit((unsigned char)*at))
            return *at != '0' || is_word(at[1]);
        at = is_word(*at) ? skip_cast(at) : NULL;
    }
    return false;
}

// Does a number become a pointer anywhere? If not, there is nothing to ask for.
static bool has_addresses(const struct frontend *fe)
{
    for (const char *at = fe->text; (at = strchr(at, '*')); at++) {
        const char *next = at + 1 + strspn(at + 1, " ");
        if (strncmp(next, "const", 5) == 0 || strncmp(next, "volatile", 8) == 0)
            next += strcspn(next, ");");
        if (*next == ')' && is_number_cast(next + 1))
            return true;
    }
    return false;
}

// ---- which names ----

static void add_macros(struct probes *p, const char *definitions)
{
    static const char define[] = "#define ";
    for (const char *line = definitions; line && *line;) {
        const char *name = line + sizeof define - 1, *end = strchr(line, '\n');
        size_t length = strncmp(line, define, sizeof define - 1) == 0 ? strcspn(name, " (\n") : 0;
        if (length && name[length] == ' ' && name[length + 1] != '\n')
            map_put_text(&p->macros, arena_strndup(&p->fe->scratch, name, length), 1);
        line = end ? end + 1 : NULL;
    }
}

static void add_candidate(struct probes *p, const char *name, const char *value)
{
    if (map_get_text(&p->listed, name, NULL) || p->candidates.count >= FRONTEND_REGISTER_NAMES)
        return;
    map_put_text(&p->listed, name, 1);
    *VEC_PUSH(&p->candidates) = (struct candidate){name, value};
}

// The macros in the user's file, in the order in which they come up.
static void add_mentioned(struct probes *p, const char *source)
{
    for (const char *at = source; *at;) {
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        if (length && !isdigit((unsigned char)*at)) {
            const char *name = arena_strndup(&p->fe->scratch, at, length);
            if (map_get_text(&p->macros, name, NULL))
                add_candidate(p, name, NULL);
        }
        at += length ? length : 1;
    }
}

static enum CXChildVisitResult add_pointer(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct probes *p = data;
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl || type.kind != CXType_Pointer ||
        !clang_isConstQualifiedType(type))
        return CXChildVisit_Continue;
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    if (clang_Cursor_isNull(initialiser))
        return CXChildVisit_Continue;
    uint32_t start, end;
    source_range(initialiser, &start, &end);
    if (end > start && !source_origin(p->fe, start)->system)
        add_candidate(p, source_string(&p->fe->scratch, clang_getCursorSpelling(cursor)),
                      arena_strndup(&p->fe->scratch, p->fe->text + start, end - start));
    return CXChildVisit_Continue;
}

static bool find_candidates(struct probes *p, struct buf *definitions)
{
    struct buf source = BUF_INIT;
    bool good =
        preprocess_macros(p->fe, definitions) && fs_read(p->fe->request->source, &source, NULL);
    if (good) {
        add_macros(p, buf_text(definitions));
        add_mentioned(p, buf_text(&source));
        clang_visitChildren(clang_getTranslationUnitCursor(p->fe->unit), add_pointer, p);
    }
    buf_release(&source);
    return good && p->candidates.count;
}

// ---- what they are ----

// Behind the text: the address that a pointer holds and what is there; the address of an
// lvalue and what it is.
static void write_probes(struct probes *p, const char *definitions, struct buf *out)
{
    buf_add(out, p->fe->text, p->fe->length);
    buf_printf(out, "\n%s\n", definitions);
    for (size_t i = 0; i < p->candidates.count; i++) {
        const struct candidate *c = &p->candidates.items[i];
        const char *value = c->value ? c->value : c->name;
        buf_printf(
            out,
            "enum { cz_pointer_%zu = sizeof(__typeof__(*(%s))) ? (__UINTPTR_TYPE__)(%s) : 0 };"
            " extern __typeof__(*(%s)) cz_behind_%zu;\n"
            "enum { cz_lvalue_%zu = (__UINTPTR_TYPE__)&(%s) };"
            " extern __typeof__(%s) cz_itself_%zu;\n",
            i, value, value, value, i, i, value, value, i);
    }
}

static void add_register(struct probes *p, uint64_t address, uint64_t size, const char *name,
                         CXType type)
{
    if (p->registers.count >= FRONTEND_REGISTERS || size == 0)
        return;
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    bool scalar = kind >= CXType_Bool && kind <= CXType_Double;
    CXType plain = clang_getUnqualifiedType(type);
    *VEC_PUSH(&p->registers) = (struct register_name){
        address, size, arena_strdup(&p->fe->program->arena, name),
        scalar ? source_string(&p->fe->program->arena, clang_getTypeSpelling(plain)) : ""};
}

static void add_members(struct probes *p, CXType type, uint64_t address, const char *name,
                        const char *link, unsigned depth);

struct record {
    struct probes *p;
    uint64_t address;
    const char *name, *link;
    unsigned depth;
};

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
    const struct record *r = data;
    long long bits = clang_Cursor_getOffsetOfField(field);
    if (bits < 0 || clang_Cursor_isBitField(field))
        return CXVisit_Continue;
    CXString text = clang_getCursorSpelling(field);
    const char *name = clang_getCString(text), *inner = r->name, *link = r->link;
    if (name && *name && !strchr(name, ' ')) {
        inner = arena_printf(&r->p->fe->scratch, "%s%s%s", r->name, r->link, name);
        link = ".";
    }
    clang_disposeString(text);
    add_members(r->p, clang_getCursorType(field), r->address + (uint64_t)bits / 8, inner, link,
                r->depth + 1);
    return CXVisit_Continue;
}

static bool is_union(CXType record)
{
    return clang_getCursorKind(clang_getTypeDeclaration(record)) == CXCursor_UnionDecl;
}

// Members come first: the first entry that has an address names it.
static void add_members(struct probes *p, CXType type, uint64_t address, const char *name,
                        const char *link, unsigned depth)
{
    CXType real = clang_getCanonicalType(type);
    long long size = clang_Type_getSizeOf(real), count = clang_getArraySize(real);
    if (size <= 0 || depth > FRONTEND_REGISTER_DEPTH || p->registers.count >= FRONTEND_REGISTERS)
        return;
    if (real.kind == CXType_ConstantArray) {
        CXType element = clang_getArrayElementType(real);
        for (long long i = 0; i < count && i < FRONTEND_REGISTER_ELEMENTS; i++)
            add_members(p, element, address + (uint64_t)(i * (size / count)),
                        arena_printf(&p->fe->scratch, "%s[%lld]", name, i), ".", depth + 1);
    } else if (real.kind == CXType_Record && !is_union(real)) {
        struct record r = {p, address, name, link, depth};
        clang_Type_visitFields(real, add_field, &r);
    }
    if (depth == 0 || real.kind != CXType_Record || is_union(real))
        add_register(p, address, (uint64_t)size, name, type);
}

struct answer {
    uint64_t address;
    bool known;
};

struct answers {
    struct probes *p;
    struct answer *pointers, *lvalues;
};

static enum CXChildVisitResult read_number(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct answers *a = data;
    size_t number;
    if (clang_getCursorKind(cursor) != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    CXString name = clang_getCursorSpelling(cursor);
    struct answer answer = {clang_getEnumConstantDeclUnsignedValue(cursor), true};
    if (sscanf(clang_getCString(name), "cz_pointer_%zu", &number) == 1)
        a->pointers[number] = answer;
    else if (sscanf(clang_getCString(name), "cz_lvalue_%zu", &number) == 1)
        a->lvalues[number] = answer;
    clang_disposeString(name);
    return CXChildVisit_Continue;
}

static bool is_address(struct answer answer)
{
    return answer.known && answer.address > 0 && answer.address <= 0xffffffffu;
}

static enum CXChildVisitResult read_answer(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct answers *a = data;
    size_t number;
    if (clang_getCursorKind(cursor) == CXCursor_EnumDecl)
        clang_visitChildren(cursor, read_number, a);
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    CXString text = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(text);
    CXType type = clang_getCursorType(cursor);
    if (sscanf(name, "cz_behind_%zu", &number) == 1 && is_address(a->pointers[number]))
        add_members(a->p, type, a->pointers[number].address, a->p->candidates.items[number].name,
                    "->", 0);
    else if (sscanf(name, "cz_itself_%zu", &number) == 1 && is_address(a->lvalues[number]))
        add_members(a->p, type, a->lvalues[number].address, a->p->candidates.items[number].name,
                    ".", 0);
    clang_disposeString(text);
    return CXChildVisit_Continue;
}

static void ask(struct probes *p, const char *definitions)
{
    struct buf text = BUF_INIT;
    write_probes(p, definitions, &text);
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = source_parse_probe(p->fe, index, buf_text(&text), text.length);
    struct answers answers = {p, arena_array(&p->fe->scratch, struct answer, p->candidates.count),
                              arena_array(&p->fe->scratch, struct answer, p->candidates.count)};
    if (unit) {
        clang_visitChildren(clang_getTranslationUnitCursor(unit), read_answer, &answers);
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    buf_release(&text);
}

void registers_collect(struct frontend *fe)
{
    if (!has_addresses(fe))
        return;
    struct probes p = {.fe = fe};
    struct buf definitions = BUF_INIT;
    map_init(&p.macros);
    map_init(&p.listed);
    if (find_candidates(&p, &definitions))
        ask(&p, buf_text(&definitions));
    fe->program->register_count = p.registers.count;
    fe->program->registers =
        arena_array(&fe->program->arena, struct register_name, p.registers.count + 1);
    if (p.registers.count)
        memcpy(fe->program->registers, p.registers.items,
               p.registers.count * sizeof *p.registers.items);
    map_release(&p.macros);
    map_release(&p.listed);
    VEC_RELEASE(&p.candidates);
    VEC_RELEASE(&p.registers);
    buf_release(&definitions);
}
