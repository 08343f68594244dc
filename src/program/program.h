// SPDX-License-Identifier: Apache-2.0
// What the tool knows of one C file, or of several that are tested together (a unit, see
// program/merge.h): types, functions, globals, branch points, decisions, switches and
// tasks. Filled by src/frontend, read by everybody else; free of libclang and LLVM.
// Everything lives in the program's arena and is referred to by pointer or by index in
// the arrays below.
//
// Branch points. A branch point is what llvm-cov counts: a leaf condition, a
// switch case, an explicit default, or the implicit default of a switch. Branch
// id b has two goals, 2b (false) and 2b+1 (true). "True" of a case means that the
// switch jumped to it, "false" that the switch was executed and jumped elsewhere.
#ifndef CZ_PROGRAM_H
#define CZ_PROGRAM_H

#include "base/arena.h"
#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text_range { // in the preprocessed text, as llvm-cov writes it: one past the end
    uint32_t line, column, end_line, end_column;
};

struct location {                  // a place in the preprocessed text and in the user's source
    uint32_t line, column;         // in the preprocessed file (unit.i), from 1
    uint32_t end_line, end_column; // one past the end, as llvm-cov writes it
    const char *file;              // the user's file or header
    uint32_t source_line;          // in that file
    uint32_t text;                 // which of the unit's files, see program_file
};

enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT,
    TYPE_ENUM,
    TYPE_FLOAT, // FLOAT: 4, 8 or 16 (x87) bytes
    TYPE_POINTER,
    TYPE_ARRAY,
    TYPE_STRUCT,
    TYPE_UNION,
    TYPE_FUNCTION,
    TYPE_OTHER, // complex, vector, atomic ...: not an input, reported
};

struct field {
    const char *name; // "" for an unnamed bit-field or anonymous member
    struct type *type;
    uint64_t offset_bits;
    int bits;              // width of a bit-field, -1 otherwise
    bool anonymous_record; // C11 anonymous struct or union: its fields are reached directly
    size_t *users;
    size_t user_count; // of a canonical record: functions that mention it
    bool compared;     // its address, or the pointer that it is, by one of them
};

// Members of a record that point into one array, in the order in which they do: where it
// starts, what is in between (the top of a stack, head and tail), its end.
struct member_order { // of two of them, by their positions in the group
    size_t first, second;
};
struct member_group {
    size_t *fields;
    size_t count;
    bool has_end; // the last one is the end
    struct member_order *orders;
    size_t order_count; // what the code tells: the first is not behind the second
};

// A pointer that is a member of a record inside this one, into an array of this one.
struct member_inner {
    size_t array;           // the member that points to its start
    size_t record, pointer; // the record that is a member, and the member of that
};

// A member that is the number of elements behind another one.
struct member_length {
    size_t pointer, length;
    bool is_suggested; // by names alone: tried first, but it may be any number
    bool is_exact;     // the code uses no more, unless it is wrong
    bool is_signed;    // the code looks whether it is negative
};

// A member that tells which member of a union beside it is in use, as the code has it: by
// value, then by member. One value may have several members.
struct tag_case {
    int64_t value;
    size_t member;
};
struct member_tag {
    size_t tag, of_union; // members of the record
    struct tag_case *cases;
    size_t case_count;
};

struct enumerator {
    const char *name;
    int64_t value;
};

struct type {
    enum type_kind kind;
    const char *spelling; // as usable in C where the type has a name ("struct node", "U8"),
                          // without the qualifiers that is_const and is_volatile tell
    bool nameable;        // false: record or enum without a name that a typedef could give
    bool is_signed, is_const, is_volatile, complete;
    bool looked_at;       // a record whose bytes the code looks at, with its padding
    bool is_char;         // plain, signed or unsigned char (strings)
    uint64_t size, align; // bytes
    struct type *target;  // pointee, element or return type
    uint64_t count;       // array elements; 0: incomplete or flexible ([]). A parameter
                          // written T x[n] is a POINTER with count n as a hint
    bool variable_length;
    struct field *fields;
    size_t field_count;
    struct member_group *groups;
    size_t group_count; // of a canonical record
    struct member_inner *inner;
    size_t inner_count;
    struct member_length *lengths;
    size_t length_count;
    struct member_tag *tags;
    size_t tag_count;
    struct type **wholes;
    size_t whole_count; // of a canonical record that others begin with:
                        // pointers to those, as the code converts to them
    struct enumerator *enumerators;
    size_t enumerator_count;
    struct type **params;
    size_t param_count;
    bool variadic;          // FUNCTION
    struct type *canonical; // without typedefs and qualifiers (may be the type itself)
};

struct variable {
    const char *name;
    struct type *type;
    const char *function;           // static local: the function that holds it, else NULL
    bool is_static, is_extern_only; // extern_only: declared, never defined in this file
    bool is_const; // declared so, or static and changed by nobody (frontend/fixed.c)
    bool is_volatile, is_thread_local, has_initialiser, has_attributes;
    bool changes; // written in this file, or a pointer to it is handed out ...
    bool lent;    // ... to const
    bool in_system_header;
    uint64_t elements;    // an array without bounds: those that the code names by constants
    bool bound_elsewhere; // an array declared without bounds, which another file defines with
                          // those that its type has here
    bool elsewhere;       // another file of the unit defines it, or it is linked as a constant
    bool is_own;          // of the project, though the C library has a symbol of its name
    bool is_weak;         // another file may define it instead, or none at all
    bool is_alias;        // of a variable of the file: it has a definition
    bool lacks;           // such a constant that leads to variables, which stay as they start,
                          // or to functions that are not here, which are NULL
    const char *of_file;  // names its inputs when others of the unit have its name, or NULL
    struct location at;
    size_t *functions;
    size_t function_count; // functions named by its initialiser (tables)
    size_t *globals;
    size_t global_count; // variables named by its initialiser
    size_t *comparers;
    size_t comparer_count; // functions that compare a pointer with its
                           // address, or with one that comes of it
};

// The flexible array member that a record ends with, or NULL.
static inline const struct field *type_flexible_member(const struct type *type)
{
    if (type->kind != TYPE_STRUCT || type->field_count == 0)
        return NULL;
    const struct field *last = &type->fields[type->field_count - 1];
    return last->type->kind == TYPE_ARRAY && last->type->count == 0 ? last : NULL;
}

// An array that another file defines, or a record with one at its end, and nothing says with how
// many elements.
static inline bool variable_is_open(const struct variable *variable)
{
    const struct type *type = variable->type;
    return variable->is_extern_only && !variable->elsewhere &&
           ((type->kind == TYPE_ARRAY && type->count == 0) || type_flexible_member(type));
}

// Where in the text of a body something is written and read, directly or by what it is
// handed to. A write can be seen by reads behind it, up to `until`.
struct access_point {
    bool writes;
    uint32_t at, until;
};
struct accesses {
    struct access_point *list;
    size_t count;
};

struct parameter {
    const char *name; // "" when unnamed
    struct type *type;
    // Of a function that is not defined here: bytes of the smallest object that the file is
    // seen to hand over. 0: it never does; PARAMETER_ROOM_UNKNOWN: it also hands over others.
    uint64_t room;
    bool is_restrict;         // nothing else leads to what is behind it
    struct accesses accesses; // of what is behind it, in the function's own body
};
#define PARAMETER_ROOM_UNKNOWN UINT64_MAX

// Something that holds a value: a variable, a field (of a record in all its objects), a
// parameter, the result of a function. An array is its elements, and a pointer to
// pointers is what it points to, so tables of functions need no kind of their own.
enum slot_kind { SLOT_NONE, SLOT_VARIABLE, SLOT_FIELD, SLOT_PARAMETER, SLOT_RESULT };
struct slot {
    enum slot_kind kind;
    size_t owner;              // VARIABLE: index in variables; PARAMETER, RESULT: in functions
    const struct type *record; // FIELD: the canonical record
    size_t index;              // of the field or parameter
};

// What a pointer may hold, and what the code does with it: told by the file's own
// assignments, initialisers, arguments, casts and comparisons. Knowledge of other files
// of a project is added to the same lists.
struct pointer_candidates {
    struct slot slot;
    size_t *functions;
    size_t function_count; // a pointer to functions: those that it may hold
    bool by_signature;     // nobody assigns it one: those of its type whose address is taken
    bool open;             // code outside this file may give it other values
    bool called;           // called, or handed to a function that is not here
    bool tested;           // against NULL or as a condition
    bool compared;         // with another pointer ...
    size_t *comparers;
    size_t comparer_count; // ... here or where its value goes, by these
    bool written;          // written through
    bool indexed;          // more than the first element behind it is used
    struct type **casts;
    size_t cast_count; // void *: the pointer types it is converted to
    int64_t *numbers;
    size_t number_count; // constants that it is compared with, but 0
    uint64_t tag_bits;   // those of its low bits that are looked at
    bool as_number;      // converted to an integer
};

// Two parameters of one function that belong together.
enum pair_kind {
    PAIR_LENGTH, // `other` is the number of elements behind the pointer
    PAIR_BYTES,  // ... of bytes
    PAIR_END,    // `other` points one past the last element
};
struct parameter_pair {
    enum pair_kind kind;
    size_t pointer, other; // indices of parameters
    int64_t low, high;     // constants that the code compares a length with; low > high: none
    bool by_order;         // PAIR_END: told by an order alone, so it may be the other way round
    bool is_suggested;     // by names alone: tried first, but the length may be any number
    bool is_exact;         // the code uses no more of the buffer, unless it is wrong
};

struct function {
    const char *name;        // in the unit (after renaming: main is cz_user_main)
    const char *source_name; // as the user wrote it
    struct type *type;       // FUNCTION
    struct parameter *params;
    size_t param_count;
    bool defined, is_static, is_inline, in_header, in_system_header, is_main, is_noreturn;
    struct location at; // from its name to the end of the declaration or body
    size_t *callees;
    size_t callee_count; // indices of functions called directly
    size_t *globals;
    size_t global_count;       // indices of variables referred to (not locals)
    struct accesses *accesses; // of each of them, in the function's own body
    bool calls_pointer;        // or hands a pointer to functions to one that is not here
    bool has_static_locals, has_asm;
    bool is_handler;   // of interrupts: by attribute or keyword ...
    bool may_handle;   // ... or perhaps: by its name
    bool is_allocator; // an attribute says that it hands out memory
    bool is_pure;      // perhaps __attribute__((const)) or pure: see write_call in harness.c
    bool is_public;    // cz_public: anybody may call it
    bool is_weak;      // another file may define it instead, or none at all
    bool is_implicit;  // without a prototype: perhaps nothing declares it
    bool is_alias;     // an attribute defines it (alias, ifunc) ...
    size_t alias_of;   // ... as this function of the file, plus one; 0: as something else
    bool supported;    // not defined here, but linked with the unit as it is
    bool in_library;   // a system header declares it (also when the file does, too)
    bool is_own;       // not defined here, has a name of the C library, is the project's
    bool keeps_symbol; // a text of the unit means its symbol by name (an alias)
    bool emitted;      // clang emits it (and llvm-cov knows its branches) even if no test
                       // driver refers to it: not so for unused static functions
    size_t *address_taken;
    size_t address_taken_count; // functions whose address it takes
    size_t *writes;
    size_t write_count; // variables that its own body assigns
    struct parameter_pair *pairs;
    size_t pair_count;
    const char *defined_in; // the file of the project that defines it, when another one does
    bool is_candidate;      // of a pointer to functions, and not declared in this file
    const char *symbol;     // the linker's name of such a one when that is not `name`, or NULL;
                            // of a static function: its name for other files of the unit
    bool referred;          // a constant of another file names it: it needs a stub, called or not
    bool elsewhere;         // its symbol comes from another file of the unit
    size_t copy;            // a function of a header that other files of the unit may hold too:
                            // the same number in all of them, from 1; 0: not such a one
};

enum branch_kind { BRANCH_CONDITION, BRANCH_CASE, BRANCH_DEFAULT, BRANCH_IMPLICIT_DEFAULT };

struct branch { // index = branch id, in a unit's program
    enum branch_kind kind;
    size_t id;          // in the unit's program; hooks in the wrapped text have it
    size_t function;    // index in functions
    struct location at; // where llvm-cov puts the branch region
    const char *text;   // the condition's or case's source text, shortened to one line
    size_t decision;    // BRANCH_CONDITION: index of its decision
    unsigned index;     // position in the decision (0-based) or in the switch
    size_t switch_id;   // other kinds
    int64_t low, high;  // BRANCH_CASE: value range; folded condition: low is its value
    bool folded;        // a constant: llvm-cov does not count it, no wrapper, not a goal
    bool wrapped;       // false and not folded: llvm-cov counts it, but it sits where no
                        // call may stand ...
    bool unseen;        // ... and is executed (an argument of __builtin_constant_p, a switch
                        // on __int128), or else never is (a static initialiser)
};

// A decision: one or more leaf conditions joined by && || !. In short-circuit
// order, after condition i with value v comes condition next[i][v], or the
// decision ends with outcome 0 / 1. Constant (folded) conditions are not evaluated, and
// next goes past them; `first` is the first one that is evaluated.
#define DECISION_FALSE (-1)
#define DECISION_TRUE  (-2)
struct decision {
    size_t function;
    struct location at; // of the outermost && or ||, as llvm-cov's MC/DC region
    size_t *conditions;
    unsigned condition_count; // branch ids in source order
    int (*next)[2];
    int first;       // or the outcome of a decision that is constant
    bool unrecorded; // clang lists it and never records how it went
};

struct switch_point {
    size_t id; // in the unit's program, as for branches
    size_t function;
    struct location at; // the switched expression
    size_t *branches;
    size_t branch_count; // branch ids: cases, and the default or implicit default
};

struct task {
    const char *name; // entry function's source name
    size_t entry;     // index in functions
    size_t *functions;
    size_t function_count; // entry and defined callees, transitively, with
                           // what its pointers to functions may hold
    size_t *globals;
    size_t global_count; // non-const variables that those refer to
    size_t *externals;
    size_t external_count; // undefined functions that those call: stubs or libc
    bool keeps_state;      // one of those has static locals, or it is interrupted
    bool interrupted;      // by handlers of its file, see closure_interrupts
};
#define TASK_ENTRY_ELSEWHERE SIZE_MAX // entry of a task in a file that does not define it

// A register that the code gives a name to, or a member of a record of registers.
struct register_name {
    uint64_t address, size;
    const char *name, *type; // "GPIOA->IDR", "uint32_t"
};

struct line_origin {
    const char *file; // as #line says; program.source itself (same pointer) for the file
    uint32_t line;
    bool system;   // in a system header
    bool included; // in any header (a #line alone does not make it one)
};

struct program {
    struct arena arena;
    const char *source;       // absolute path of the user's file
    const char *unit_text;    // preprocessed text without line markers (unit.i)
    const char *wrapped_text; // the same with every leaf and switch wrapped, line by line; line 1
                              // of unit_text is empty and holds the hooks' declarations here
    const char **compile_flags;
    size_t compile_flag_count; // NULL-terminated: what the texts
                               // need to compile as `clang -x c` (-std, -f, -m, --target ...)
    const char **own_flags;    // those of them that keep compilers from presuming what functions
                               // do by their names (frontend/own.c); NULL-terminated, or NULL
    struct line_origin *lines;
    size_t line_count; // lines[n-1]: origin of line n of unit.i
    const char **inputs;
    size_t input_count; // files that were read for it, headers too
    struct type **types;
    size_t type_count;
    struct function *functions;
    size_t function_count;
    struct variable *variables;
    size_t variable_count;
    struct branch *branches;
    size_t branch_count;
    struct decision *decisions;
    size_t decision_count;
    struct switch_point *switches;
    size_t switch_count;
    struct text_range *unevaluated;
    size_t unevaluated_count; // places in unit.i: operands that
                              // are never evaluated (sizeof ...), which hold no branches although
                              // clang maps some there; sorted and disjoint. Empty for a unit: its
                              // files have them
    struct task *tasks;
    size_t task_count;
    struct pointer_candidates *pointers;
    size_t pointer_count;
    struct register_name *registers;
    size_t register_count;
    bool narrow;     // pointers have 32 bits (program/data_model.h)
    bool is_adapted; // the text was changed to be C for this machine (frontend/dialect.c)
    bool interleave; // tasks are interrupted by the handlers of their file
    bool alone;      // functions do not call each other as in the original text
    const char **notes;
    size_t note_count; // what could not be handled, one sentence each
    // A unit: its files, and the number here of each of their functions. `source` is its first
    // file, texts and lines are the files'. A file by itself has no files.
    struct program *const *files;
    size_t file_count;
    size_t *const *function_numbers;
    struct clash *clashes;
    size_t clash_count;
    bool is_whole; // all of a program: all of its functions count, called or not
};

// What exported tests have to say in C about a unit, as the harness collects it.
enum declaration_kind {
    DECLARED_DEFINITION, // text: of a variable that the file uses and does not define
    DECLARED_VARIABLE,   // name, type: one that tests set and look at
    DECLARED_STUB,       // name; owner: its name in paths; type: of the result ("": it cannot be
                         // written, "noreturn"); text: "int name"
    DECLARED_PARAMETER,  // of the stub `owner`: name (#0: it has none, ...: and more), type, text
    DECLARED_RESULT,     // of the task `owner`: its type; name: the function to call
    DECLARED_ARGUMENT,   // of the task `owner`, as for stubs
    DECLARED_STATE,      // the task `owner` keeps state in static locals
    DECLARED_CONSTANT,   // name: one of the file that pointers may lead to
    DECLARED_ADAPTED,    // the file's text is not C for this machine as it stands
    DECLARED_LINKED,     // name: code or a constant of another file that is linked with the unit
    DECLARED_FILE,       // name: a further file of the unit
    DECLARATION_KINDS
};

struct clash { // a symbol that two files of a unit define
    const char *name;
    size_t first, second; // files
};

// File number `text` of a unit; the program itself when it is just a file.
const struct program *program_file(const struct program *program, size_t text);
size_t program_file_count(const struct program *program); // at least 1
// The origin of a line of a text, NULL when it is not in the user's source (a driver's).
const struct line_origin *program_line(const struct program *program, size_t text, uint32_t line);

// An #include of a file by its absolute path, whatever its name: with quotes or angle brackets.
// False: its name has a newline, or what ends either form.
bool program_include(const char *path, struct buf *out);

void program_init(struct program *program);
void program_release(struct program *program);

// What has a name of the C library and is not its gets a symbol with this in front of the
// name (harness/symbols.h). The name of such a symbol; others are names themselves.
#define PROGRAM_OWN_PREFIX "czs_"
const char *program_plain_symbol(const char *symbol);

// A number for a slot, different for different slots; 0 for SLOT_NONE.
uint64_t program_slot_key(const struct slot *slot);

// Does the name of a parameter say that it is the length of the buffer before it?
bool program_says_length(const char *name);

#endif
