/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a generated test driver is written in. A driver builds the inputs of one
 * task piece by piece, naming each by its access path, and calls the task:
 *
 *     static void drive_update(void)
 *     {
 *         cz_path limit = cz_root("limit");
 *         struct node *list;
 *         ...
 *         limit_global = cz_i32(limit);
 *         update(list, cz_u8(cz_root("arg:mode")));
 *     }
 *
 * Two libraries implement it: the runtime (inputs come from the engine and are
 * symbolic) and the replay library (inputs come from a .test file). The header
 * includes nothing and defines only names that begin with cz_, because it is
 * compiled together with the user's code.
 */
#ifndef CZ_DRIVER_H
#define CZ_DRIVER_H

typedef unsigned cz_path; /* a place in the tree of inputs */

/* Places. Names must be string literals. */
cz_path cz_root(const char *name);                 /* "mode", "arg:list" */
cz_path cz_field(cz_path of, const char *name);    /* of.name */
cz_path cz_arrow(cz_path of, const char *name);    /* of->name */
cz_path cz_index(cz_path of, unsigned long index); /* of[index] */
cz_path cz_deref(cz_path of);                      /* (*of) */
cz_path cz_part(cz_path of, const char *name);     /* of:name */

/* Builders fill records that are reached with '.' and with '->'. With this bit the place is
   that of a pointer to the record, and cz_field is cz_arrow; for all else it means nothing. */
#define CZ_BEHIND 0x40000000u

/* The place of the next call of a stub in this run, "stub:name#1", "stub:name#2" ... */
cz_path cz_call(const char *function);

/* A task that keeps state is called several times: `least`, or as many more up to `most` as
   the input "more_calls" says. In the first call cz_turn(1, "arg:x") is "arg:x", in the second
   "call2:arg:x" ... */
unsigned cz_calls(unsigned least, unsigned most);
cz_path cz_turn(unsigned call, const char *name);
#define CZ_MOST_CALLS 64

/* Bounds. How many elements there are behind a pointer, and how many pointers are followed
   through recursive structs: `start`, or what the inputs "bound:elements" and "bound:depth" say
   (0: nothing), but no less than `start` and no more than `most`. Never symbolic, and the same
   whenever a run asks with the same numbers. */
unsigned cz_elements(unsigned start, unsigned most);
unsigned cz_depth(unsigned start, unsigned most);

/* Scalar inputs. */
_Bool cz_bool(cz_path at);
signed char cz_i8(cz_path at);
unsigned char cz_u8(cz_path at);
short cz_i16(cz_path at);
unsigned short cz_u16(cz_path at);
int cz_i32(cz_path at);
unsigned cz_u32(cz_path at);
long long cz_i64(cz_path at);
unsigned long long cz_u64(cz_path at);
#ifdef __SIZEOF_INT128__
void cz_wide(cz_path at, void *to, int is_signed); /* 16 bytes */
static __inline__ __int128 cz_i128(cz_path at)
{
    __int128 value;
    cz_wide(at, &value, 1);
    return value;
}
static __inline__ unsigned __int128 cz_u128(cz_path at)
{
    unsigned __int128 value;
    cz_wide(at, &value, 0);
    return value;
}
#endif
float cz_f32(cz_path at);
double cz_f64(cz_path at);
long double cz_f80(cz_path at); /* a double's worth of values; concrete */
/* A bit-field of `bits` bits: the value fits it. */
unsigned long long cz_ubits(cz_path at, unsigned bits);
long long cz_sbits(cz_path at, unsigned bits);
/* Remember how the user spells the type of this input, e.g. "enum mode". */
cz_path cz_typed(cz_path at, const char *type);

/* `count` scalars in one go, as one line of the test: path[0..count-1]. */
enum cz_scalar {
    CZ_BOOL,
    CZ_I8,
    CZ_U8,
    CZ_I16,
    CZ_U16,
    CZ_I32,
    CZ_U32,
    CZ_I64,
    CZ_U64,
    CZ_F32,
    CZ_F64
};
void cz_array(cz_path at, void *to, enum cz_scalar type, unsigned long count);

/* One of `count` alternatives, 0 .. count-1 (unions with pointers, function pointers). */
unsigned cz_choice(cz_path at, unsigned count);

/* Is this pointer there, or NULL? A shape input. */
_Bool cz_present(cz_path at);

/* NULL for a pointer that is not there. The engine learns whether anybody looks at it; if
   nobody does, there is no reason to try it with an object. */
void *cz_absent(cz_path at);

/* Did cz_present(at) say no in this run, or was it not asked? No new input. */
_Bool cz_missing(cz_path at);

/* Zeroed memory of exactly `size` bytes with bounds; lives until the end of the run. An
   access beyond it is a fault that names --elements as the bound when `bounded` is set. */
void *cz_new(cz_path at, unsigned long size, int bounded);

/* The same for `length` characters, and a NUL behind them because --elements ends there;
   using that NUL is noted. */
void *cz_text(cz_path at, unsigned long length);

/* Of a buffer that cz_new() or cz_text() made, the code may use `count` units of `unit` bytes
   each, if it has so many, because it is told that length. Using more is a fault after which
   the run goes on. The last call for a buffer counts. */
void cz_extent(const void *buffer, unsigned long long count, unsigned long unit);

/* NULL because the bound of depth ends here; using it is noted. */
void *cz_deep_null(cz_path at);

/* errno is the input at this place: as earlier calls left it, or as a stub leaves it. */
void cz_errno(cz_path at);

/* A stream (FILE *) whose content is inputs: at[0..n-1], at:length. */
void *cz_stream(cz_path at);

/* How many bytes undeclared files and standard input hold (stdin[0..n-1], stdin:length,
   file:NAME[0..n-1], file:NAME:length), and characters environment variables (env:NAME).
   0: the default, 64 and 16. Call it before the task. */
void cz_world(unsigned bytes, unsigned characters);

/* Whole programs. After any of these only the files that were declared exist, and what the
   program writes itself; calls of the system and allocations do not fail. */
int cz_program_stdin(unsigned bytes);                   /* as above; returns 0 */
void cz_program_file(const char *name, unsigned bytes); /* as above */
/* argv[1..count], each of `length` characters and a NUL: inputs argc (1 .. count + 1) and
   argv[i][0..length-1]. argv[argc] is NULL. */
char **cz_program_args(const char *name, unsigned count, unsigned length, int *argc);

/* Which of `count` interrupt handlers comes now, from 1; 0: none. Asks "interrupt#1" ... */
unsigned cz_next_interrupt(unsigned count);

/* A precondition of the task: a run in which it does not hold ends here and counts for
   nothing. Users write cz_assume() of cz/cadenza.h. */
void cz_assume_(int holds);
/* A condition is about to be evaluated; if that fails (p->n where p is NULL), it does not
   hold. */
void cz_assuming(void);

/* A precondition that is being tried: its number (below 64) and whether it holds. The run
   ends as above if the engine wants it assumed. */
void cz_probe(unsigned number, int holds);

/* How many bytes, or elements, there are from here to the end of the object that the driver
   made (cz_new, cz_text); 0: it did not make it. */
unsigned long cz_room(const void *from);
// The place itself, which was chosen among others: the search looks at one at a time.
void *cz_chosen(void *place);
#define cz_count(from) (cz_room(from) / sizeof *(from))

/* The end of the run, for stubs of functions that do not return. */
void cz_exit(void) __attribute__((noreturn));

/*
 * What a call shows, in clean builds only: the parts of a driver between #ifdef CZ_OBSERVE and
 * #endif, which the engine does not compile. Types are described by tables, so that the library can
 * follow pointers as far as they lead to objects that the driver made, and nowhere else.
 */
enum cz_form {
    CZ_NOTHING, /* the type of what is not looked at */
    CZ_NUMBER,  /* an integer, enum or _Bool of up to 8 bytes */
    CZ_REAL,    /* a float or double */
    CZ_POINTER, /* to `target`; CZ_NOTHING: it is not followed */
    CZ_ROW,     /* `count` of `target` */
    CZ_RECORD,  /* a struct with members */
    CZ_BYTES,   /* all else without pointers in it, as bytes; members: it is a union */
    CZ_UNION    /* a union with pointers in it: looked at only before the call */
};
struct cz_shape {
    enum cz_form form;
    int is_signed;
    int is_const;                  /* a pointer: what it leads to is not changed through it */
    unsigned long size, count;     /* bytes; elements of a row, members of a record */
    unsigned target, first_member; /* in the tables */
    const char *name;
};
struct cz_member {
    const char *name;     /* "": an anonymous record */
    unsigned long offset; /* bits */
    int bits;             /* of a bit-field, else -1 */
    unsigned shape;
};
struct cz_function { /* that pointers may hold */
    const char *name;
    const void *address;
};
struct cz_forms {
    const struct cz_shape *shapes;
    const struct cz_member *members;
    const struct cz_function *functions; /* the last one has no name */
};
/* A variable as it is when the program starts. */
void cz_remember(const void *object, unsigned long size);
/* What is in an object that cz_new() made, where the pointer to it does not say so. */
void cz_made_as(const struct cz_forms *forms, const void *object, unsigned shape);
/* What a stub returns that is no scalar. */
void cz_gave(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape);
/* An object that may change in the call that follows. It lives until cz_watch_end(). */
void cz_watch(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape);
/* A constant that pointers may lead to, until cz_watch_end(). */
void cz_known(const char *name, const void *object, unsigned long size);
void cz_watch_start(void);
void cz_watch_end(void); /* tells what has changed */
void cz_saw_result(const struct cz_forms *forms, cz_path at, const void *object, unsigned shape);
/* A stub was called, before it does anything; and an argument of the call told last. */
void cz_saw_call(const char *function);
void cz_saw_argument(const struct cz_forms *forms, const char *name, const void *argument,
                     unsigned shape);

/* The entry points of a driver, in the order of the task numbers. */
struct cz_task {
    const char *name;
    void (*run)(void);
};
extern const struct cz_task cz_tasks[];
extern const unsigned cz_task_count;

#endif
