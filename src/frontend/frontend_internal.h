// SPDX-License-Identifier: Apache-2.0
// What the files of the front end share: the state of one parse, the light syntax
// tree that libclang's cursors are copied into, and the passes in their order:
//
//     flags, preprocess      the user's file -> marker-free text and line table
//     source (parse)         text -> libclang translation unit
//     rename, alone          main -> cz_user_main, calls apart; then parse again
//     functions              declarations; per body: references, pointers, branches
//     holders, lengths       what pointers may hold, lengths of buffers
//     branches, wrap         branch points and the edits that wrap them
//     tasks                  what is tested, with all it needs
//
// All offsets are byte offsets in program->unit_text.
#ifndef CZ_FRONTEND_INTERNAL_H
#define CZ_FRONTEND_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "flags/flags.h"
#include "frontend/frontend.h"
#include "program/libc.h"
#include <clang-c/Index.h>

struct node { // one statement, expression or local declaration of a function body
    CXCursor cursor;
    enum CXCursorKind kind;
    uint32_t start, end; // offsets, end is one past
    struct node *child, *last_child, *next;
    bool unrecorded; // a decision: see branches.c
};

struct edit { // one insertion (or erasure) in unit_text; see wrap.c for the order
    uint32_t at;
    uint32_t partner; // the other end of the wrapped range
    uint32_t sequence;
    bool closing;
    uint32_t erase; // bytes of the original replaced by a blank each
    const char *text;
};

struct definition { // a function body still to be analysed
    size_t function;
    CXCursor cursor;
};

struct references { // what a body or an initialiser names, before it is stored
    VEC(size_t) calls, addresses, globals, writes;
};

struct holder { // a slot, or a local variable, while pointers are being followed
    struct slot slot;
    CXType type;
    size_t origin; // local: the parameter that it was made from, plus one
    bool open, called, tested, compared, written; // compared: itself, not what comes of it
    bool indexed;      // subscripted, stepped, compared in order, added to
    bool walks;        // stepped through an array by ++ or --
    int64_t low, high; // constants that it is compared with
    VEC(size_t) functions;
    VEC(size_t) comparers, users; // users: of a field, functions that mention it
    VEC(struct type *) casts;
    VEC(int64_t) numbers; // that it is compared with as an address
    uint64_t tag_bits;
    bool as_number;
    bool inexact; // a pointer: something speaks against a length that comes with it
};

struct exact_length { // a function uses a pointer and a length together
    size_t function;
    enum pair_kind kind;
    size_t pointer, other; // parameters
};

struct exact_member { // a pointer and a length that are members are used together
    enum pair_kind kind;
    size_t pointer, length; // holders
};

struct exact_call {                       // members are handed to a function of the file
    size_t callee, pointer_at, length_at; // parameters
    size_t pointer, length;               // holders, HOLDER_NONE: no members
};

struct flow { // the values of a holder reach another one; `both`: through an address
    size_t from, to;
    bool both;
};

struct conversion {     // of a pointer to a record
    struct type *head;  // the record, canonical
    struct type *whole; // the pointer that it becomes
};

struct call { // arguments of a direct call that are the caller's own parameters
    size_t caller, callee;
    size_t argument, parameter;
};

// What the code shows about two holders that may be members of one record.
enum member_relation {
    MEMBERS_EQUAL,   // compared for equality, or one set from the other
    MEMBERS_ORDERED, // one is less than the other
    MEMBERS_BEHIND,  // the second is subtracted from the first, or the first set from the
                     // second and an offset
    MEMBERS_BEFORE,  // the first is moved up until it is the second, or the second down
    MEMBERS_LENGTH,  // the second is the number of elements behind the first
    MEMBERS_LIMIT,   // an index of the first is compared with the second, outside of the heads of
                     // loops: perhaps its length, perhaps something else
};
struct member_evidence {
    enum member_relation relation;
    size_t first, second; // holders
};

struct tag_evidence { // `used`, a member of a union, is used where `tag` has the value
    size_t tag, used; // holders
    int64_t value;
};

struct frontend {
    const struct frontend_request *request;
    struct program *program;
    struct arena scratch; // edits; dies with the parse
    CXIndex index;
    CXTranslationUnit unit;
    const char *text;
    size_t length;
    uint32_t *line_starts;
    bool casts_const_away; // somewhere in the file, see fixed.c
    bool gnu89_inline;
    bool stand_ins;               // headers of other compilers are looked for among ours
    bool has_public;              // the text mentions cz_public
    VEC(struct type *) looked_at; // see bytes.c
    bool has_weak, has_alias;     // it may have such attributes
    struct map function_ids, variable_ids, type_ids, parameter_type_ids;
    VEC(struct function) functions;
    VEC(struct variable) variables;
    VEC(struct type *) types;
    struct map unnamed_ids;          // what clang calls records without a name -> ...
    VEC(const char *) unnamed_names; // ... what they can be called, see unnamed.c
    VEC(struct branch) branches;
    VEC(struct decision) decisions;
    VEC(struct switch_point) switches;
    VEC(struct text_range) unevaluated;
    struct map selected; // where a _Generic begins, plus one -> the association, from 1
    VEC(struct task) tasks;
    VEC(const char *) notes;
    VEC(struct edit) edits;
    VEC(struct definition) definitions;
    struct map holder_ids, parameter_ids, held; // held: holder and function
    VEC(struct holder) holders;
    VEC(struct flow) flows;
    VEC(struct call) calls;
    VEC(struct pointer_candidates) pointers;
    VEC(struct exact_length) exact;
    VEC(struct exact_member) exact_members;
    VEC(struct exact_call) exact_calls;
    VEC(struct member_evidence) members;
    VEC(struct member_group) groups;
    VEC(struct tag_evidence) tags;
    VEC(struct conversion) wholes;
    VEC(uint32_t) handler_lines; // of the text: an interrupt handler is declared there
    struct frontend_numbers *numbers, own_numbers;
    size_t next_branch, next_switch; // ids of the body that is being analysed
};

// preprocess.c: fills program->source, unit_text and lines.
bool preprocess(struct frontend *fe, struct error *err);
// Fills err with clang's messages on the user's file; false always.
bool preprocess_explain(struct frontend *fe, struct error *err);

// The user's macros, as `#define` lines; false when clang refuses the file.
bool preprocess_macros(struct frontend *fe, struct buf *out);

// dialect.c: attributes of other machines are taken from the text; with `all` also
// keywords and assembly that clang does not know. True when something was.
bool dialect_adapt(struct frontend *fe, bool all);
// Parse the text, as it is or adapted; what that takes goes into compile_flags.
bool dialect_parse(struct frontend *fe, struct error *err);

// own.c: what has a name of the C library. Parses again when there is such a thing.
bool own_parse(struct frontend *fe, struct error *err);
// Does a system header declare it, here or first? One that only such a header declares is
// not entered, so a function may be known by a later declaration of the file.
bool own_in_library(const struct frontend *fe, CXCursor declaration);

// named_registers.c: what the code calls its registers
void registers_collect(struct frontend *fe);

// source.c
// A text of our own with the file's flags, errors and all; NULL when libclang gives up.
int source_pointer_width(struct frontend *fe); // in bits
CXTranslationUnit source_parse_probe(struct frontend *fe, CXIndex index, const char *text,
                                     size_t length);
// The same with bodies of functions.
CXTranslationUnit source_parse_again(struct frontend *fe, CXIndex index, const char *text,
                                     size_t length);
bool source_parse(struct frontend *fe, struct error *err);
// The same without the user's view of errors: *messages are those on the text, in terms of
// the user's files.
bool source_try(struct frontend *fe, struct buf *messages);
void source_release(struct frontend *fe);
void source_range(CXCursor cursor, uint32_t *start, uint32_t *end);
uint32_t source_offset(CXSourceLocation location);
struct location source_location(const struct frontend *fe, uint32_t start, uint32_t end);
const struct line_origin *source_origin(const struct frontend *fe, uint32_t offset);
char *source_excerpt(struct frontend *fe, uint32_t start, uint32_t end); // one line, shortened
bool source_mentions(const struct frontend *fe, uint32_t start, uint32_t end, const char *word);
char *source_string(struct arena *arena, CXString string); // copies and disposes

// rename.c
bool rename_main(struct frontend *fe, struct error *err);

// alone.c: calls within the file become calls of functions that are not there
#define FRONTEND_ALONE "__alone"
bool alone_rename(struct frontend *fe, struct error *err);
const char *alone_source_name(struct arena *arena, const char *name); // without FRONTEND_ALONE

// ast.c
struct node *ast_build(struct arena *arena, CXCursor root);
struct node *ast_strip(struct node *node); // parentheses and implicit casts
bool ast_is_text(const struct frontend *fe, const struct node *node, const char *prefix);
bool ast_integer_constant(const struct node *node, int64_t *value); // as clang folds conditions

// types.c
struct type *types_get(struct frontend *fe, CXType type);
struct type *types_get_parameter(struct frontend *fe, CXType type);
void types_finish(struct frontend *fe);
bool types_is_local(CXCursor declaration); // to a function

// unnamed.c: names for records that only a typedef of a pointer or an array leads to.
bool unnamed_is_invented(const char *spelling);
void unnamed_see(struct frontend *fe, CXType type); // a type of the file, which may name one
void unnamed_finish(struct frontend *fe);

// functions.c
void functions_collect(struct frontend *fe); // declarations of the whole file
void functions_analyse(struct frontend *fe); // every body: references and branches
size_t functions_index(struct frontend *fe, CXCursor declaration);
size_t variables_index(struct frontend *fe, CXCursor declaration, const char *function);
// From now on the declaration means another function or variable.
void functions_join(struct frontend *fe, CXCursor declaration, size_t target);
void variables_join(struct frontend *fe, CXCursor declaration, size_t target);

// bytes.c: records whose bytes the code looks at
void bytes_collect(struct frontend *fe, struct node *body);
void bytes_finish(struct frontend *fe);

// linkage.c: weak names and aliases
void linkage_collect(struct frontend *fe); // before functions_collect
void linkage_finish(struct frontend *fe);  // after it: aliases mean what they stand for
bool linkage_is_weak(struct frontend *fe, CXCursor declaration, const char *name);
const char *linkage_alias(struct frontend *fe, CXCursor declaration); // of what, or NULL

// references.c
void references_collect(struct frontend *fe, size_t function, struct node *root,
                        struct references *out);
void references_release(struct references *refs);
size_t *references_store(struct frontend *fe, const size_t *items, size_t count);

// fixed.c: static variables that nothing changes
void fixed_collect(struct frontend *fe, struct node *root);
void fixed_finish(struct frontend *fe);

// holders.c: slots and what flows between them
#define HOLDER_NONE SIZE_MAX
size_t holder_of_declaration(struct frontend *fe, CXCursor declaration);
size_t holder_of_parameter(struct frontend *fe, size_t function, size_t index);
size_t holder_of_result(struct frontend *fe, size_t function);
void holders_enter_parameters(struct frontend *fe, size_t function, CXCursor definition);
void holder_add_function(struct frontend *fe, size_t holder, size_t function);
void holder_add_comparer(struct frontend *fe, size_t holder, size_t function);
void holder_add_cast(struct frontend *fe, size_t holder, CXType pointer);
void holder_add_user(struct frontend *fe, size_t holder, size_t function);
void holder_add_number(struct frontend *fe, size_t holder, int64_t number);
void holder_add_flow(struct frontend *fe, size_t from, size_t to, bool both);
void holders_finish(struct frontend *fe); // fills fe->pointers
void holders_release(struct frontend *fe);

// expressions.c: which holder an expression names
size_t expression_holder(struct frontend *fe, struct node *node);   // HOLDER_NONE: none
size_t expression_function(struct frontend *fe, struct node *node); // named, or SIZE_MAX
struct node *expression_core(struct node *node);                    // without parentheses and casts
bool expression_is_pointer(struct node *node);                      // or an array
bool expression_is_null(struct node *node);
bool type_is_pointer(CXType type);
bool type_is_function_pointer(CXType type); // or an array of, or a pointer to such

// pointers.c: what a body or an initialiser does with pointers
void pointers_collect(struct frontend *fe, size_t function, struct node *body);
void pointers_initialiser(struct frontend *fe, struct node *variable);
// The value of an expression reaches a holder.
void pointers_assign(struct frontend *fe, size_t holder, CXType type, struct node *value);

// number_pointers.c: pointers that the code takes for numbers
void addresses_note(struct frontend *fe, struct node *node); // an operator or a switch
size_t addresses_holder(struct frontend *fe,
                        struct node *value); // of the pointer that an
                                             // integer is made from, or of the integer variable
bool addresses_constant(struct node *node, int64_t *value); // (void *)-1

// order.c: when a body writes and reads what is behind its parameters, and variables
void order_collect(struct frontend *fe, size_t function, struct node *body);

// initialisers.c: `= {...}` against the type that it initialises
void initialiser_collect(struct frontend *fe, size_t holder, CXType type, struct node *value);

// length_pairs.c: parameters that belong together
void lengths_collect(struct frontend *fe, size_t function, struct node *body);
void lengths_finish(struct frontend *fe);
void lengths_by_name(struct frontend *fe);      // needs what holders_finish knows of arrays
bool lengths_takes_bytes(const char *function); // of the C library: bytes and their number
bool lengths_says_end(const char *name);
// NULL: it takes none, or is the project's own; SIZE_MAX is no function.
const struct libc_bytes *lengths_byte_call(const struct frontend *fe, size_t function);
// The argument of the call that `first` belongs to.
const struct call *lengths_argument_for(const struct frontend *fe, size_t first, size_t parameter);

// exact_lengths.c
struct buffer_uses;
void exact_lengths_collect(struct frontend *fe, size_t function, const struct buffer_uses *uses);
void exact_lengths_finish(struct frontend *fe);

// exact_members.c
void exact_members_collect(const struct buffer_uses *uses);
void exact_members_finish(struct frontend *fe); // needs the exact lengths of parameters
// Does the code use no more behind the pointer than the length says, unless it is wrong?
bool exact_members_has(const struct frontend *fe, const struct type *record, size_t pointer,
                       size_t length);

// generics.c: what a _Generic selects
void generics_collect(struct frontend *fe); // needs the definitions
// _Generic (EXPRESSION, ...), not clang's _Generic (TYPE, ...)?
bool generics_has_expression(const struct frontend *fe, const struct node *node);
struct node *generics_first(const struct frontend *fe, const struct node *node);    // association
struct node *generics_selected(const struct frontend *fe, const struct node *node); // NULL: unknown

// member_groups.c: members of a record that belong together
void members_collect(struct frontend *fe, struct node *body);
void members_finish(struct frontend *fe);
// Two fields that may point into one array; NULL: of different records.
bool members_same_array(const struct type *record, const struct field *a, const struct field *b);

// nested.c: pointers of a record inside another one into that one's arrays
struct nested;
struct nested *nested_begin(struct frontend *fe, struct type *const *records, size_t count);
void nested_enter(struct nested *nested, const struct slot *a, const struct slot *b,
                  enum member_relation relation);
void nested_finish(struct nested *nested); // stores what it comes to, and releases it

// tagged_unions.c: members that tell which member of a union is in use
void tags_collect(struct frontend *fe, struct node *body);
void tags_finish(struct frontend *fe);

// wholes.c: records that are the head of others
void wholes_note(struct frontend *fe, CXType from, CXType to);
void wholes_finish(struct frontend *fe);

// branches.c
void branches_collect(struct frontend *fe, size_t function, struct node *body);
void branches_sort_unevaluated(struct frontend *fe);

// branch_numbers.c: branches_collect with the ids of the unit
void numbers_collect(struct frontend *fe, size_t function, CXCursor definition, struct node *body);

// wrap.c
void wrap_condition(struct frontend *fe, uint32_t start, uint32_t end, size_t branch);
void wrap_elvis(struct frontend *fe, const struct node *whole, const struct node *condition,
                bool arithmetic, size_t branch);
void wrap_switch(struct frontend *fe, uint32_t start, uint32_t end, const char *suffix,
                 size_t switch_id);
void wrap_finish(struct frontend *fe); // program->wrapped_text

// tasks.c
bool tasks_collect(struct frontend *fe, struct error *err);

void frontend_note(struct frontend *fe, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
