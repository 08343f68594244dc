// SPDX-License-Identifier: Apache-2.0
// The access path of an input: what drivers, place tables, test files and alarms call it. This is
// the only file of the engine that knows how a path is written; all others work with its pieces.
//
//     path  := [shape: | choice:] [callN:] [beforeN: | makeN:] root links [ [0..LAST] ]
//     links := { .field | ->field | [index] | :part | +bytes | [] }, and (*path) around a path
//     root  := arg:NAME | arg:#INDEX | NAME | global:NAME | global:FILE::NAME | stub:NAME#CALL
//            | weak:NAME | errno | strtok | optind ... | stdin | descriptor | file:NAME | env:NAME
//            | signal:NUMBER | argc | argv | NAME links #READ | asm[:NAME]#READ | interrupt#POINT
//            | more_calls | bound:elements | bound:depth | changes | before
//
// A path is read in one way only: a variable whose name begins another kind of root is written
// global:NAME, and characters of file names that are not usual ones are %XX (wire/input_names.h).
// What is printed is parsed to the same pieces, and the other way round. Further writers must
// agree with it, all in the runtime (inputs.c builds the place table, replay_inputs.c the texts,
// replay_observe.c those of what tests show).
#ifndef CZ_INPUT_PATH_H
#define CZ_INPUT_PATH_H

#include "base/arena.h"
#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an input says about the thing at its path.
enum input_says {
    INPUT_VALUE,
    INPUT_SHAPE,  // of a pointer: NULL or not
    INPUT_CHOICE, // which of several alternatives
};

enum input_root_kind {
    INPUT_NOWHERE,     // a text that is no root; never the result of input_path_parse
    INPUT_PARAMETER,   // of the task, or of a function that the driver calls first
    INPUT_GLOBAL,      // a variable, or a volatile constant
    INPUT_STUB,        // a call of a function that is not there, or of one that may fail
    INPUT_WEAK,        // whether a weak symbol is there, or is replaced
    INPUT_ERRNO,       // when the task is called
    INPUT_LIBRARY,     // other state of the C library: strtok, optind, opterr, optopt, optarg
    INPUT_STDIN,       // its bytes
    INPUT_DESCRIPTOR,  // bytes of what is behind a descriptor that the task did not open
    INPUT_FILE,        // bytes of a file
    INPUT_ENVIRONMENT, // a variable of it
    INPUT_SIGNAL,      // how it was handled before the task
    INPUT_ARGC,        // of a whole program ...
    INPUT_ARGV,
    INPUT_DEVICE,     // one read of a register or a volatile variable
    INPUT_ASSEMBLY,   // what inline assembly leaves
    INPUT_INTERRUPT,  // which handler comes at a point
    INPUT_MORE_CALLS, // how often a task is called beyond the least number
    INPUT_BOUND,      // how much there is: "elements" behind a pointer, "depth" of structures
    INPUT_CHANGES,    // whether variables change before a further call
    INPUT_BEFORE,     // which functions are called before the task
    INPUT_ROOT_KINDS
};

// Whose parameter it is, in the order in which the driver calls them.
enum input_caller {
    INPUT_OF_TASK,
    INPUT_OF_SETTER,      // called before the task: beforeN
    INPUT_OF_CONSTRUCTOR, // called for an object of an incomplete type: makeN
};

struct input_root {
    enum input_root_kind kind;
    unsigned call;            // of the task that keeps state, from 1
    enum input_caller caller; // with its number, for parameters
    unsigned caller_number;
    const char *name; // "#0": a parameter without a name; "": a file by its number. Without %XX
    const char *file; // of a variable that has the name of another one, else NULL
    unsigned number;  // of the stub's call, the device's read ..., from 1; 0: it has none
};

enum input_link_kind {
    INPUT_FIELD, // .name
    INPUT_ARROW, // ->name
    INPUT_INDEX, // [index]
    INPUT_DEREF, // (*...)
    INPUT_PART,  // :name, something of the driver's: what a stub writes, how long a file is ...
    INPUT_BYTES, // +index, of a register
    INPUT_ANY,   // [], some element of a volatile array
};

struct input_link {
    enum input_link_kind kind;
    const char *name;
    uint32_t index;
};

struct input_path {
    enum input_says says;
    struct input_root root;
    struct input_link *links;
    size_t link_count;
    uint32_t elements; // an array in one input, [0..elements-1]; 1: a single value
};

// False: this is no path. Everything lives in the arena.
bool input_path_parse(const char *text, struct arena *arena, struct input_path *out);
void input_path_print(const struct input_path *path, struct buf *out);
void input_path_print_links(const struct input_path *path,
                            struct buf *out); // "->next[3]", (*x) as [0]
const char *input_path_text(const struct input_path *path, struct arena *arena);
bool input_path_equal(const struct input_path *a, const struct input_path *b);

// ---- building one ----

// The root alone, as drivers name it in cz_root() and cz_turn(): without the call.
const char *input_root_text(const struct input_root *root, struct arena *arena);
// A root that needs no name: errno, stdin, before ...
struct input_root input_root_word(enum input_root_kind kind);
struct input_root input_root_of(enum input_root_kind kind, const char *name);

// A path that consists of a root. Names are not copied.
struct input_path input_path_of(struct input_root root);
// Begins with what a place table has for a root: a text that may have links itself
// ("uart->status"), or the number of a call ("call2"), to which the root is added as a part.
// A text that is no root becomes INPUT_NOWHERE and is printed as it is.
struct input_path input_path_begin(const char *text, struct arena *arena);
void input_path_add(struct input_path *path, struct input_link link, struct arena *arena);
void input_path_set_number(struct input_path *path, unsigned number); // #number

// ---- asking ----

// Does it come from outside of a whole program: files, arguments, signals? Not so for stubs.
bool input_kind_is_outside(enum input_root_kind kind);
// The part of what a stub does: "return", "*out" ...; NULL: this is not about a stub.
const char *input_path_stub_part(const struct input_path *path);
// How C names the thing where the task begins, "p->next" or "mode"; NULL: it does not.
const char *input_path_expression(const struct input_path *path, struct arena *arena);

#endif
