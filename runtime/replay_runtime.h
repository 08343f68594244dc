// SPDX-License-Identifier: Apache-2.0
// What the files of the replay library share: replay_main.c runs tests in children,
// replay_inputs.c gives the driver its inputs, replay_heap.c lets allocations fail,
// replay_world.c makes its files, replay_profile.c brings what a child has covered to its parent.
// The library is linked with -Wl,--wrap=malloc and so on (see src/replay/clean_build.c).
#ifndef CZ_REPLAY_RUNTIME_H
#define CZ_REPLAY_RUNTIME_H

#include "testfile_read.h"

// What a child tells its parent, in a page that both share.
struct replay_report {
    volatile bool finished; // the task returned
    volatile bool timed_out;
    volatile bool rejected; // an assumption did not hold: nothing counts
    volatile bool profiled; // its counters are in the shared buffer
    volatile unsigned used; // inputs of the file that the driver asked for
    char error[256];        // "" or why the test could not be run
};

extern struct replay_report *replay_report;

// What it has observed, in a buffer that both share. The parent believes nothing in it.
struct replay_seen {
    bool wanted;
    volatile bool is_cut; // there was more
    volatile unsigned length;
    char text[1u << 16];
    // What the call of the task found (replay_setup.c).
    volatile bool is_setup_cut;
    volatile unsigned setup_length;
    char setup[1u << 18];
};
extern struct replay_seen *replay_seen;
#define REPLAY_VARIES "differs"  // instead of a value that a second run does not repeat
void replay_observe_begin(void); // in a child
void replay_observe_write(const void *address, unsigned long size); // to a register, just after
void replay_observe_flush(void); // a register was written, and nothing follows
void replay_observe_freed(const void *object);
// replay_assume.c: objects that the driver made and that were not freed
void replay_each_made(void (*each)(const void *object, unsigned long size, const char *path));
void replay_made_freed(const void *object);
unsigned replay_next_call_number(const char *function); // replay_inputs.c
void replay_each_stub(void (*each)(const char *function, unsigned calls));

void replay_inputs_begin(struct testfile *test);
char *replay_path(unsigned place);          // its text
bool replay_input_exists(const char *path); // does the test have a line for it?
// The test cannot be run: the reason goes to the report.
__attribute__((format(printf, 1, 2))) _Noreturn void replay_give_up(const char *format, ...);

// The engine has cut the run off here, too.
_Noreturn void replay_cut_off(void);
// A call has failed: errno is the input `errno` below the call's place if the task looks at it
// and that is not zero, else the usual number.
void replay_fail(unsigned call, int usual);
unsigned replay_next_read(const char *name, bool once); // a place: "name#1", or "name"
void replay_registers_begin(void);                      // map what registers are kept in

// After replay_inputs_begin, in the scratch directory: standard input, if the test has any.
void replay_world_begin(void);
bool replay_is_program(void);     // the driver has declared the world of a whole program
unsigned replay_text_bytes(void); // of a text that comes from outside
bool replay_catches(int number);  // a handler of our own is there for this signal
int replay_open_path(const char *path, int flags, unsigned mode); // open(), from the test

// The code under test is running: its allocations may fail. Cleared before anything of
// ours, or of the profile runtime, runs at its end.
extern volatile bool replay_running;
bool replay_allocation_fails(const char *function);

// replay_assume.c: an object that the driver made
void replay_made(const void *object, unsigned long size, unsigned place);
// ... a fault, in a signal handler: does not return when a condition was being evaluated
void replay_assume_fault(void);

void replay_profile_init(void);   // in the parent, first
void replay_profile_begin(void);  // in a child
void replay_profile_ignore(void); // in a child: what it covers does not count
void replay_profile_forget(void); // in a child: the file is the parent's
void replay_profile_save(void);   // in a child, at its end; in a signal handler, too
void replay_profile_gather(void); // in the parent, after a child
bool replay_profile_write(void);  // in the parent, at its end

// The library's own allocations.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void __real_free(void *pointer);

#endif
