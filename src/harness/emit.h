// SPDX-License-Identifier: Apache-2.0
// What the files of src/harness share: the emitter (one per driver), pieces (the
// functions of the driver, with their notes), scopes (where code is being written)
// and spots (what is being filled).
//
// Lvalues, not types. Code refers to the object to fill by an access expression
// ("it->next", "arg_list[i2]") and takes sizes by `sizeof *expression`, so types
// without a usable name need no special treatment.
#ifndef CZ_HARNESS_EMIT_H
#define CZ_HARNESS_EMIT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/tunables.h"
#include "base/vec.h"
#include "harness/counts.h"
#include "harness/harness.h"
#include "program/program.h"
#include "program/schema.h"

struct remark {
    const char *text;
    enum note_kind kind;
    uint64_t most;
};

// A function of the driver. A task's notes are those of its drive function and of
// all pieces reachable from it.
struct piece {
    const char *name;
    VEC(struct remark) remarks;
    schema_roots roots; // inputs that begin in it
    VEC(size_t) uses;   // indices in emitter.pieces
    VEC(size_t) stubs;  // ... of those that functions call which the driver calls first
    size_t seen;        // task + 1 of the last walk, for remarks ...
    size_t asked;       // ... and for roots
};

struct tracker { // of a record of which objects may be shared
    const struct type *record;
    const char *above;  // variable: the one that is being built
    const char *first;  // variable: the one that it all hangs from; NULL: no links in it
    const char *shares; // variable: this task can tell
};

struct emitter {
    const struct program *program;
    const struct harness_options *options;
    struct arena *arena;
    struct map words;    // identifiers of the unit's text -> how often
    struct map taken;    // names that must not be hidden or used again
    struct map builders; // record type and form -> piece
    struct map setters;  // pointer type and slot -> piece
    struct map changers; // parameter and code -> name of the function in changes
    struct map stubs;    // function index -> piece + 1
    struct map cycles;   // record type -> state of the walk in plan.c
    struct map leaves;   // type, depth, policy -> inputs
    struct map drives;   // task + 1 -> piece + 1
    struct map noted;    // text of a note -> last task + 1 that has it
    struct map narrow;   // record types of which nested pointers get one element
    struct map still;    // record types of which nested pointers get no more than --elements
    VEC(struct piece *) pieces;
    struct map pointers;   // slot -> index in program->pointers, plus one
    struct map pointees;   // slot -> piece + 1: the stub that a pointer to functions gets
    struct map referred;   // variable + 1 -> the unit's functions refer to it
    struct map weak;       // weak symbol -> name of the variable that stands for it
    struct map weak_stubs; // weak function + 1 -> piece + 1: what may replace it
    struct map tracked;    // record -> index in trackers, plus one
    VEC(struct tracker) trackers;
    unsigned made; // objects that constructors of the unit have made
    struct buf prototypes, bodies, changes, pointer_stubs;
    VEC(struct function) pointer_functions; // stubs that pointers to functions may hold
    struct observer *observer;              // what clean builds observe
    const char *it, *at, *depth;            // names of a builder's parameters
};

struct row {            // an array of pointers whose elements may share an object
    const char *table;  // variable: NULL and what the first elements point to; NULL: none
    const char *index;  // variable: the element that is being filled
    const char *shares; // variable: the task can tell; NULL: it can
};

// Where code is being written. The depth left for pointers is a number, which grows with the
// root's, or in a builder its parameter minus `used`.
struct scope {
    struct emitter *emitter;
    struct buf *out;
    struct piece *piece;
    unsigned level; // of indentation; makes local names unique
    bool counting;
    unsigned depth, used;
    unsigned root_depth, most_depth; // of the root at the start, and at most
    unsigned pointers;               // pointers followed since the root or the builder's start
    const char *hidden, *spoken;     // notes say `spoken` where an access begins with `hidden`
    bool is_head;        // the next pointer is to this record alone, though others begin with it
    bool is_linked;      // the next pointer is a root that links.c sees
    bool is_conditional; // what is filled here is not always filled
    struct count fixed;  // elements behind the root pointer when its type says so (int a[4])
    const struct task *task;     // whose driver this is, NULL in builders
    struct roots *roots;         // pointers that the driver has filled before, NULL in builders
    const struct type *record;   // whose builder this is
    const char *above;           // in it: the object of the same type that this one hangs from
    struct row row;              // whose element this is
    const struct aliases *given; // what the next pointer may be besides a new object
    bool making;                 // arguments for a constructor: no constructors for those
    const char *returned;        // variable: what the call before returned, or NULL
    const char *turn;            // in a call that is repeated: the variable that numbers it
};

struct root { // a parameter or variable that points somewhere
    const char *access;
    const struct type *type;
    uint64_t slot;
};
struct place { // a pointer that links.c may set, or what holds one
    const char *access, *path;
    const struct type *type;
    uint64_t slot;
    size_t root;                    // which parameter or variable it is, or belongs to
    bool is_root;                   // it is one itself ...
    bool is_parameter, is_restrict; // ... or belongs to such a one
    const char *within;    // C: the path of the pointer to what it is in; NULL: it is always there
    struct count elements; // behind the pointer when it leads to a new object
    bool is_fixed;         // ... and the task was promised them
    const char *count;     // C: how many of them it uses; NULL: nothing is said
    const struct accesses *accesses; // of a parameter; NULL: not known
    bool is_given;                   // by other functions of the file: it is what they made it
    bool is_const;                   // by an enclosing record; the type may add to it
};
struct sharer { // a pointer that may lead to the object of a root, if it has none of its own
    const char *path;
    size_t root; // in `places`
};
struct roots {
    VEC(struct root) list;
    VEC(struct place) places;   // all parameters and variables, as links.c wants them
    VEC(struct sharer) sharers; // as links.c found them
};

struct spot {
    const char *access; // C lvalue
    const char *path;   // C expression of type cz_path
    bool is_const;      // by an enclosing record; the type may add to it
    uint64_t slot;      // what the program knows of it: program_slot_key, 0: nothing
};

// names.c
void names_init(struct emitter *e);
const char *names_pick(struct emitter *e, const char *wanted);       // for file scope; takes it
const char *names_local(struct emitter *e, const char *wanted);      // hides nothing that is used
unsigned names_count(const struct emitter *e, const char *word);     // occurrences in the unit
const char *names_identifier(struct emitter *e, const char *text);   // "struct node" -> struct_node
bool names_sayable(const struct type *type);                         // spelling is usable in C
bool names_is_va_tag(const struct type *type);                       // the struct inside a va_list
const char *names_plain(struct emitter *e, const struct type *type); // without qualifiers
const char *names_declare(struct emitter *e, const struct type *type, const char *name);

// plan.c: how much is built behind pointers
bool plan_is_record(const struct type *type);
bool plan_has_pointer(const struct type *type);                  // by value, inside
bool plan_is_linked(struct emitter *e, const struct type *type); // leads to a recursive record
const struct type *plan_flexible(const struct type *type); // element of a flexible array member
struct count plan_count(struct emitter *e, const struct type *target, bool nested);
struct count plan_flexible_count(struct emitter *e, const struct type *element);
struct count plan_plain_count(struct emitter *e); // of scalars, wherever they are
// A length that a number of this type, or a bit-field of `bits` bits, can hold; bits <= 0: none.
struct count plan_length(struct count most, const struct type *type, int bits);
uint64_t plan_array(struct emitter *e, const struct type *element, uint64_t count);
// Check a root against HARNESS_LEAVES before anything is written.
void plan_root(struct emitter *e, const struct type *type);
unsigned plan_depth(struct emitter *e, const struct type *type); // for code that starts here
void plan_scope_depth(struct scope *s, const struct type *type); // the same, and how far it grows
bool plan_is_cut(struct emitter *e, const struct type *type);    // not as far as --most-depth
// C: the depth that is left of a root's when `used` pointers were followed.
const char *plan_depth_text(struct emitter *e, unsigned start, unsigned most, unsigned used);
// C: the depth left in objects that the first of a linked structure leads to.
const char *plan_near_root(struct emitter *e, const struct type *record);

// scalar.c: the vocabulary of driver.h for plain values
struct vocabulary {
    const char *function; // cz_i32
    const char *c_type;   // int
    const char *array;    // CZ_I32, NULL: not in cz_array
};
const struct vocabulary *scalar_vocabulary(const struct type *type); // NULL: no scalar
const char *scalar_path(struct scope *s, const struct type *type, const char *path);
const char *scalar_value(struct scope *s, const struct type *type, const char *path);

// fill.c
void emit_line(struct scope *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_note(struct scope *s, enum note_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A note that a bound is no more than `most` for what is at `access`.
void emit_most(struct scope *s, enum note_kind kind, const char *access, uint64_t most);
const char *emit_spoken(struct scope *s, const char *access); // as the user knows it
const char *emit_depth(struct scope *s);
void emit_declaration(struct scope *s, const struct type *type, const char *name);
// A path that is an expression gets a name, in a block of its own.
bool emit_open(struct scope *s, const char *path);
const char *emit_hoist(struct scope *s, const char *path);
void emit_close(struct scope *s, bool opened);
void fill(struct scope *s, struct spot spot, const struct type *type);
void fill_elements(struct scope *s, struct spot spot, const struct type *element,
                   struct count count);
void fill_bytes(struct scope *s, const char *address, const char *path, struct count size);

// pointer.c
void fill_pointer(struct scope *s, struct spot spot, const struct type *type);
void pointer_assign(struct scope *s, struct spot spot, const struct type *type, const char *value);
const struct pointer_candidates *pointer_facts(const struct emitter *e, uint64_t slot); // or NULL
bool pointer_is_single(const struct emitter *e, uint64_t slot, const struct type *target);
// What a present pointer points to: memory for `count` targets, filled.
void fill_pointee(struct scope *s, struct spot spot, const struct type *target, struct count count);

// function_pointers.c: pointers to functions
void fill_function_pointer(struct scope *s, struct spot spot, const struct type *type);

// same_objects.c: earlier objects that a pointer may share
struct aliases {
    const char *access[HARNESS_ALIASES];
    unsigned count;
    const char *alternatives; // C: how many of NULL and these are offered; NULL: all
    const char *table;        // variable: it has NULL and these already
};
void aliases_find(struct scope *s, struct spot spot, const struct type *type, struct aliases *out);
bool aliases_begin_row(struct scope *s, uint64_t slot, const struct type *element, uint64_t count,
                       struct row *row); // declares its table; the caller names the index
void aliases_add_element(struct scope *s, const struct row *row, const char *element);
void aliases_add_root(struct scope *s, struct spot spot, const struct type *type);
void aliases_track(struct emitter *e); // which records' builders say what they are building
const struct tracker *aliases_tracker(const struct emitter *e, const struct type *record);
void aliases_begin_builder(struct scope *s, const struct type *record);
void aliases_end_builder(struct scope *s, const struct type *record);
void aliases_begin_task(struct scope *s); // says which records' objects this task may share
bool aliases_compares(const struct scope *s, uint64_t slot); // the task does
bool aliases_writes(const struct emitter *e, uint64_t slot); // the file writes through it
bool aliases_same_target(const struct type *a, const struct type *b);
// Is a root offered an earlier one, or what this points to, by aliases_find()?
bool aliases_offers(const struct scope *s, const struct place *a, const struct place *b);

// known.c: what a pointer may be that is neither NULL nor a new object
struct known {
    const char *values[HARNESS_KNOWN], *names[HARNESS_KNOWN]; // C, and for the reader of a test
    unsigned count, dropped;
    VEC(const char *) lines; // C in front of them
};
void known_add(struct known *known, const char *value, const char *name);
void known_release(struct known *known);
// `access` is one of these instead, as an input at `part` of its path says. Opens no block.
void known_write(struct scope *s, struct spot spot, const struct type *type, const char *part,
                 struct known *known);
bool known_is_used(const struct scope *s, const struct field *field);
bool known_plays(const struct accesses *a, const struct accesses *b);
const char *known_missing(struct emitter *e, const char *path); // C: "... ? NULL", and no more
void known_numbers(struct scope *s, struct spot spot, const struct type *type, struct known *known);
// Variables that the code compares it with, wherever the pointer is.
void known_compared(struct scope *s, struct spot spot, const struct type *type,
                    struct known *known);
// ... and for a root of a task those that it can be told from by writing.
void known_variables(struct scope *s, const struct place *place, struct known *known);
// Members of the record behind another pointer.
void known_members(struct scope *s, const struct place *place, const struct place *record,
                   struct known *known);
void known_tag(struct scope *s, struct spot spot, const struct type *type);
unsigned known_tag_bits(const struct emitter *e, uint64_t slot);

// links.c: when all parameters and variables are there, pointers to each other's objects
void links_add(struct scope *s, struct place place);
void links_write(struct scope *s);
// pointer.c
struct count pointer_elements(struct scope *s, uint64_t slot, const struct type *target);

// unit_calls.c: parameters and calls
bool call_is_possible(const struct function *function);
const char *call_local(struct emitter *e, const struct parameter *parameter, size_t index);
// precondition_block.c: what the task presumes, behind its parameters
void assume_preconditions(struct scope *s, const struct function *function);
// Does a precondition say how long the buffer is?
bool assume_counts(const struct emitter *e, const struct function *function, const char *name);
bool assume_mentions(const struct emitter *e, const char *name); // any of the unit does

struct caller { // of a function with inputs for its parameters
    enum input_caller kind;
    unsigned number; // of a setter or constructor
};
void call_parameters(struct scope *s, const struct function *function, struct caller by);
const char *call_expression(struct emitter *e, const struct function *function); // f(arg_x, arg_y)
void set_depth(struct scope *root, const struct type *type, const char *access);

// roots.c: where inputs begin. Each is entered into the schema; what is returned is C, the place.
const char *root_parameter(struct scope *s, struct caller by, const struct function *function,
                           size_t index, const struct type *type, unsigned elements);
void root_pair_lengths(struct scope *s, struct caller by, const struct function *function);
const char *root_variable(struct scope *s, size_t variable);
const char *root_library(struct scope *s, const struct variable *variable);
// Places of what is observed, which are no inputs: a variable and the result, after the call.
const char *root_variable_after(const struct scope *s, size_t variable);
const char *root_result(const struct scope *s);
const char *root_weak(struct scope *s, const char *symbol);
const char *root_decision(struct scope *s, enum input_root_kind kind, const char *words);
void root_declare(struct scope *s, struct input_root root, unsigned elements, const char *words);
const char *root_stub_call(struct scope *s, const struct function *function);
const char *root_stub_part(struct scope *s, const struct function *function, const char *call,
                           const char *part, const struct type *type, struct slot slot);
void root_callees(struct scope *s, size_t function); // stubs that a setter or constructor calls
void roots_collect(struct emitter *e, struct harness *out); // when all pieces are there

// library_inputs.c: state of the C library
bool library_errno_wanted(const struct emitter *e); // some task looks at it
void library_errno(struct scope *s, const struct function *function,
                   const char *call);                                 // as a stub leaves it
void library_state(struct scope *s, const struct function *function); // in front of a call

// call_sequence.c: a task that keeps state is called several times
bool call_sequence_wanted(const struct emitter *e, const struct task *task);
void call_sequence_bounds(const struct emitter *e, const struct task *task, unsigned *least,
                          unsigned *most); // both 1: it is called once
bool call_sequence_change(const struct emitter *e, const struct task *task, size_t variable);
void call_sequence_write(struct scope *s, const struct task *task,
                         void (*fill_global)(struct scope *, size_t variable),
                         void (*call)(struct scope *, const struct function *));
bool call_sequence_keep(const struct scope *s, const struct type *type); // what the call before had

// constructors.c, lengths.c, states.c
bool fill_constructed(struct scope *s, struct spot spot, const struct type *type);
bool lengths_limit(struct scope *s, const struct function *function, size_t index, const char *name,
                   const char *path); // the parameter is a length or an end
const char *lengths_count(struct scope *s, const struct function *function, size_t index);
// C: how many elements the task is told of, or NULL
struct count lengths_elements(struct scope *s, const struct function *function, size_t index);
void lengths_extents(struct scope *s, const struct function *function); // when all is filled
bool states_is_set_elsewhere(struct scope *s, const struct task *task, size_t variable);
bool states_is_read_only(const struct program *program, const struct task *task, size_t variable);
void states_before(struct scope *s, const struct task *task,
                   void (*fill_global)(struct scope *, size_t variable));

// record_builders.c, unions.c, arguments.c
void fill_record(struct scope *s, struct spot spot, const struct type *record);
void fill_record_behind(struct scope *s, struct spot pointer, const struct type *record);
void fill_by_setter(struct scope *s, struct spot spot, const struct type *pointer);
void fill_arguments(struct scope *s, const char *prefix, const char *path,
                    const struct type *tag);        // of a va_list
bool arguments_is_pointer(const struct type *type); // a va_list on i386
void fill_argument_pointer(struct scope *s, struct spot spot, const struct type *type);
struct inside {         // the members of a record that is being filled
    const char *prefix; // "it->", "arg_s."
    const char *link;   // cz_field or cz_arrow
    const char *path;
    const char *base;         // address of the enclosing object
    uint64_t offset;          // of this record in it, bytes
    bool is_const, allocated; // allocated: from cz_new, with room for a flexible array
};
void fill_member(struct scope *s, const struct inside *in, const struct type *record, size_t field);
void fill_union(struct scope *s, const struct inside *in, const struct type *record,
                const char *whole);
void fill_choice(struct scope *s, const struct inside *in, const struct type *record,
                 const char *whole);

// padding.c: before the members
void fill_padding(struct scope *s, const struct inside *in, const struct type *record);

// tags.c: unions beside a member that tells which of their members is in use
bool tags_is_tag(const struct type *record, size_t field);
const struct member_tag *tags_of_union(const struct type *record, size_t field); // or NULL
void fill_tagged(struct scope *s, const struct inside *in, const struct type *record,
                 const struct member_tag *tag);

// members.c: members that belong together
const struct member_group *members_group(const struct type *record, size_t field); // or NULL
bool members_can_fill(const struct type *record, const struct member_group *group);
void fill_group(struct scope *s, const struct inside *in, const struct type *record,
                const struct member_group *group);
void fill_inner(struct scope *s, const struct inside *in, const struct type *record);
bool members_is_length(struct scope *s, const struct type *record, size_t field);
// If the member is the exact length of another one, that one ends there.
void members_extent(struct scope *s, const char *prefix, const struct type *record, size_t field);
void fill_length(struct scope *s, const struct inside *in, const struct type *record, size_t field);

// parts.c: the driver's part in a further file of the unit
bool part_is_first(const struct emitter *e); // the part with the tasks themselves
void parts_call(struct scope *s, size_t task);
const char *part_name(struct emitter *e, size_t file, size_t task);

// program_main.c: main as the task of a whole program
void program_main(struct scope *s, const struct function *function);

// stubs.c
void stubs_write(struct emitter *e, struct buf *out);
void stubs_globals(struct emitter *e, struct buf *out);
void stubs_inlines(struct emitter *e, struct buf *out);
void stubs_exports(struct emitter *e, struct buf *out);
bool stubs_wanted(const struct emitter *e, const struct function *function);
void stubs_plan(struct emitter *e);
uint64_t stubs_open_count(const struct emitter *e, const struct variable *variable); // elements
const struct field *
stubs_flexible_member(const struct variable *variable); // with elements, or NULL
// A function of this type for a pointer that has no candidates; NULL: it cannot be written.
const char *stubs_for_pointer(struct scope *s, uint64_t slot, const struct type *function);
struct piece *piece_new(struct emitter *e, const char *name, size_t *index);
void piece_use(struct piece *piece, size_t other);

// A stub for what replaces a weak function of the file; NULL: it cannot be written.
const char *stubs_for_weak(struct scope *s, size_t function);

// weak_symbols.c: symbols that other files may define or not
void weak_declare(struct emitter *e);                 // behind stubs_write
void weak_define(struct emitter *e, struct buf *out); // in the first part
void weak_choose(struct scope *s, const struct task *task);

// observe.c: what clean builds tell of a call
void observe_release(struct emitter *e);
void observe_declare(struct emitter *e, struct buf *out);
void observe_define(struct emitter *e, struct buf *out); // behind all else
void observe_parameter(struct scope *s, const struct type *type, const char *access,
                       const char *path);
bool observe_is_visible(const struct variable *variable);     // others may see it change
bool observe_is_constant(const struct variable *variable);    // ... or it never changes
void observe_start(struct scope *s, const struct task *task); // before anything is filled
void observe_function(struct emitter *e, const char *name);   // a pointer may hold it
// What the pointer leads to is of this type if the driver has made it.
void observe_view(struct scope *s, const char *pointer, const struct type *target);
// What a stub returns, no scalar, is in this variable.
void observe_returned(struct scope *s, const struct type *type, const char *access,
                      const char *path);
// Instead of the statement between these two:
void observe_call(struct scope *s, const struct function *function, const char *call);
void observe_called(struct scope *s);
void observe_stub(struct scope *s, const struct function *function); // at its begin

// declarations.c: what exported tests have to say of the unit; when all else is written
void declarations_collect(struct emitter *e, const char *definitions, struct harness *out);

// changes.c: the function with this code, in which the pointer is `it` and its place `at`; if
// there is none yet, it is named after the words
const char *changes_function(struct emitter *e, const char *words, const struct type *pointer,
                             const char *body);

// allocators.c: what the stub of a function that hands out memory returns; NULL: it is not one
const char *allocators_value(struct emitter *e, const struct function *function);

// interleave.c: interrupts between calls of a task
void interleave_declare(struct emitter *e, struct buf *out);
void interleave_write(struct emitter *e, struct buf *out);
void interleave_begin(struct scope *s);
void interleave_point(struct scope *s);

#endif
