// SPDX-License-Identifier: Apache-2.0
// The result of a run, as all reports read it: plain data, owned by one arena. The
// campaign fills it in this order:
//
//   result_init, measured_set_goals (what llvm-cov counts on the clean build),
//   per task: result_add_task, result_add_test, measured_cover (replayed coverage),
//             result_set_infeasible / _undetermined, result_add_alarm,
//   measured_cover_total, measured_set_total_lines, result_aggregate. Then the counts are valid.
//
// A result is that of a run of one file, or of a project: then it has a part for each file, and
// what belongs to a file says in `part` to which. The store (src/store) writes results and reads
// them back, so that what is said here of a run holds for what is read later. Only then nothing
// refers to a program: indices in one are RESULT_NONE.
//
// Goals. Both outcomes of every branch entry of llvm-cov, and every MC/DC condition
// that is not constant. A goal has one verdict per task that contains its function
// and one for the file: covered if any task covers it, infeasible only if every
// task that contains it says so (and there is one), justified if the user says so
// and nothing covers it, undetermined otherwise. Coverage wins over every claim: an
// infeasible goal that turns out covered is recorded as a disagreement.
//
// Infeasible has two strengths, which are never added up. Strong (VERDICT_INFEASIBLE): for every
// call with any memory. Weak (VERDICT_ASSUMING): under the assumptions that the verdict names.
// Both speak of executions without undefined behaviour before the goal. The file's verdict has
// the weakest strength among the tasks.
#ifndef CZ_RESULT_H
#define CZ_RESULT_H

#include "base/arena.h"
#include "base/exit_codes.h"
#include "base/vec.h"
#include "program/program.h"

#define RESULT_NONE ((size_t)-1)

enum verdict_kind {
    VERDICT_UNDETERMINED,
    VERDICT_COVERED,
    VERDICT_INFEASIBLE, // strong
    VERDICT_ASSUMING,   // infeasible under named assumptions
    VERDICT_JUSTIFIED,
    VERDICT_COUNT
};

// Kinds of assumptions, as bits of a set.
enum assumption {
    ASSUMES_OBJECTS = 1,      // objects are as the driver builds them
    ASSUMES_BOUND = 2,        // within --elements, --depth or a number of calls
    ASSUMES_PRECONDITION = 4, // one that the user confirmed or wrote
    ASSUMES_DEFINED = 8,      // undefined behaviour that an alarm shows does not happen
    ASSUMES_ENVIRONMENT = 16, // the C locale, a system that does what it is asked to
};
enum { ASSUMPTION_KINDS = 5 };
const char *assumption_name(unsigned kind); // of one bit: "objects" ...

struct result_assumption {
    enum assumption kind; // ASSUMES_BOUND: it names the bound
    const char *text;
};

// What a claim presumes. No kinds: it is strong.
struct assumptions {
    unsigned kinds;                        // set of enum assumption
    const char *text;                      // for people, "" without any
    const struct result_assumption *items; // one by one; may be left out
    size_t count;
};

// Why a goal is open (open_causes.def); sets of them have a bit for each.
enum open_cause {
#define OPEN_CAUSE(name, word, title, advice) OPEN_##name,
#include "result/open_causes.def"
#undef OPEN_CAUSE
    OPEN_CAUSES
};
const char *open_cause_name(int cause);   // "budget"
const char *open_cause_title(int cause);  // "the search was not finished"
const char *open_cause_advice(int cause); // "give the search more time (--time)"

struct open_reason {
    const char *text;
    unsigned causes; // set of 1u << enum open_cause
};

enum proof_kind {
    PROOF_NONE,
    PROOF_FOLDED,    // the compiler folded it: no code is there
    PROOF_OPTIMISER, // the optimiser deleted a marker there
    PROOF_EXHAUSTED, // all paths were explored
    PROOF_COUPLED,   // the conditions of the decision contradict each other in any state
    PROOF_COUNT
};

struct verdict {
    enum verdict_kind kind;
    enum proof_kind proof; // INFEASIBLE, ASSUMING
    unsigned assumes;      // ASSUMING: set of enum assumption
    unsigned causes;       // UNDETERMINED: set of 1u << enum open_cause
    bool by_crash;         // COVERED: no test that runs through reaches it
    unsigned test, other;  // COVERED: number of the test in its task, 0: not known which;
                           // a condition may need a second one for its pair (0: it does not)
    const char *text;      // UNDETERMINED: the reason; ASSUMING: the assumptions;
                           // JUSTIFIED: who, when, why
    const char *evidence;  // INFEASIBLE, ASSUMING: what shows it, a clause; else NULL
    const struct result_assumption *assumptions; // ASSUMING: one by one
    size_t assumption_count;
};

enum goal_kind { GOAL_BRANCH, GOAL_CONDITION };

struct result_goal {
    enum goal_kind kind;
    size_t function;       // index in functions
    size_t branch;         // program branch id (of the leaf), or RESULT_NONE
    bool hooked;           // the engine sees it: not the operand of a sizeof and the like
    bool shown_in_total;   // by all tests together, see measured_cover_total
    size_t decision;       // GOAL_CONDITION: index in decisions, else RESULT_NONE
    bool outcome;          // GOAL_BRANCH: which side
    bool is_case;          // a switch case or default: false means "jumped elsewhere"
    bool unrecorded;       // GOAL_CONDITION: llvm-cov lists it and cannot show it
    unsigned index, count; // GOAL_CONDITION: position (from 0) in its decision of `count`
    struct text_range at;  // in its function's text
    const char *file;      // in the user's source
    uint32_t source_line;
    const char *text;          // the condition's source text, "" when not known
    const char *justification; // "who, when: why" by the user, or NULL; see result_aggregate
    struct verdict verdict;    // for the file; see result_aggregate
    size_t verdict_task;       // whose verdict it is, or RESULT_NONE
    size_t shared;             // of a project: index in shared_goals; after result_aggregate
};

struct result_function {
    size_t part;
    const char *name; // as the user wrote it
    const char *file; // its file or header
    uint32_t source_line;
    const char *unit_name;   // as llvm-cov names it
    size_t text;             // which of the unit's texts holds it (the first that does)
    size_t program_function; // index in program.functions, or RESULT_NONE
    bool in_totals;          // defined in a tested file itself, or in a header and a task (--task
                             // names it); of further files of a unit those that a task reaches
    bool in_header;
    bool in_system_header;
    size_t first_goal, goal_count;
    unsigned tasks; // how many tasks contain it
};

// The numbers of a task or file, in the order and by the names of summary.json. The five
// verdicts add up to the goals; those covered by crashing tests only are among the covered.
// clang-format off
#define RESULT_COUNTS(X)                                                                                  \
    X(branches) X(branches_covered) X(branches_covered_by_crash)                                          \
    X(branches_infeasible) X(branches_infeasible_assuming) X(branches_undetermined) X(branches_justified) \
    X(conditions) X(conditions_covered) X(conditions_covered_by_crash)                                    \
    X(conditions_infeasible) X(conditions_infeasible_assuming) X(conditions_undetermined)                 \
    X(conditions_justified)                                                                               \
    X(lines) X(lines_covered) X(tests) X(alarms) X(bugs)                                                  \
    X(checks) X(checks_violated) X(checks_safe)
// clang-format on

struct result_counts {
#define FIELD(name) size_t name;
    RESULT_COUNTS(FIELD)
#undef FIELD
};

// A decision of several conditions, whose independence MC/DC wants to see.
struct result_decision {
    size_t part;
    size_t function;
    size_t program_decision; // or RESULT_NONE
    const char *file;
    uint32_t source_line;
    struct text_range at; // in its function's text
    unsigned conditions;  // constant ones included
};

// How an evaluation of a decision went in tests of a task. Each is listed once.
struct result_vector {
    size_t decision;    // index
    const char *values; // a letter per condition: T, F, or - (not evaluated)
    bool outcome;
};

// Two vectors that show a condition: it alone differs, and so does the outcome.
struct result_pair {
    size_t goal;
    size_t first, second; // indices in the task's vectors
};

// An input of a test, as its file says it.
struct result_input {
    const char *path, *type, *value; // "arg:list->next", "int", "42"
    bool matters;        // of an alarm: another value of this input alone, and the alarm
                         // is gone
    const char *meaning; // for the reader: 'A', MODE_ON; "" without any
};

// What a test showed on the clean build: the result of the task, what has changed behind pointers
// and in variables, calls of stubs with their arguments, registers that were written.
struct result_output {
    const char *path, *type, *value; // an address is no value: NULL, or where it leads
};

// What the call of the task found in memory, as runtime/replay_setup.c tells it.
struct result_found {
    const char *path, *member, *type, *value;
};

struct result_test {
    unsigned number;     // from 1, in its task
    const char *path;    // relative to the run directory
    const char *outcome; // of the replay: "ok", "exit 1", "signal SIGSEGV" ...
    bool crashed;
    bool cut_short;    // the engine stopped it (a fault, a limit); the clean build may run on
    bool dies;         // the clean build did not run on, or not to the end
    bool leaves;       // it ends in exit(), perhaps in the middle of a function
    const char *fault; // what the engine saw, "" without
    size_t alarm;      // that it shows: index in result.alarms, or RESULT_NONE
    const char *fault_file;
    uint32_t fault_line;
    size_t *goals; // indices in result.goals that the engine says it covers, ascending
    size_t goal_count;
    struct result_input *inputs; // in the order of their use
    size_t input_count;
    struct result_output *outputs; // in the order in which they were seen
    size_t output_count;
    bool outputs_cut; // there were more
    struct result_found *found;
    size_t found_count;
    bool found_cut;
    size_t *vectors; // indices in the task's vectors, ascending
    size_t vector_count;
};

// UNCONFIRMED: no build can show it, or none did, and it is counted all the same.
// NOT_REPLAYED: there was no time. It is listed, as what was NOT_REPRODUCED is, and not counted.
enum alarm_proof {
    ALARM_NOT_REPLAYED,
    ALARM_NOT_REPRODUCED,
    ALARM_UNCONFIRMED,
    ALARM_REPLAYED,
    ALARM_SANITIZED
};

// A branch outcome on the way to an alarm.
struct result_step {
    const char *function, *file;
    uint32_t line;
    const char *text; // the condition's source text, "" when not known
    bool outcome, is_case;
    size_t times;
};

// A frame of the stack at the place of an alarm, in the user's code.
struct result_frame {
    const char *function, *file;
    uint32_t line;
};

struct result_alarm { // one per place and cause
    size_t part;
    unsigned cause;    // enum wire_fault
    const char *check; // the cause's name for --check: "null", "bounds" ...
    const char *kind;  // and in words: "division by zero", "out of bounds" ...
    const char *function;
    const char *file;
    uint32_t line;
    size_t task;   // of the simplest test
    unsigned test; // its number
    size_t count;  // tests that show it
    enum alarm_proof proof;
    const char *detail;       // the sanitizer's words or a presumption, "" without
    bool is_bug;              // reproduced from main or a public function
    const char *precondition; // of the tasks that would rule it out: "f: p != NULL", or NULL
    bool ruled_out;           // all calls of the project respect that: not counted
    // From the task's entry to the place, by the simplest test:
    struct result_input *inputs; // in the order of their use
    size_t input_count;
    struct result_step *way; // distinct outcomes in the order of their first execution
    size_t way_count;
    struct result_frame *stack; // innermost first, as the sanitizer that confirms it says
    size_t stack_count;
}; // one that was not reproduced is listed, but not counted

// A call that the project makes of a function with a precondition.
enum site_verdict { SITE_VIOLATES, SITE_MAY_VIOLATE, SITE_RESPECTS, SITE_VERDICTS };
struct result_site {
    enum site_verdict verdict;
    const char *text; // "main.c:40 in start: adjust(NULL, 3);"
};

// What would rule out an alarm, as a question to the user.
struct result_precondition {
    size_t part;
    const char *function, *expression;
    const char *file;          // of a static function, or NULL
    const char *origin;        // the alarm: "NULL or wild pointer at file.c:12"
    size_t task;               // index
    VEC(size_t) alarms;        // indices of those that it rules out; their texts are in `origin`
    struct result_site *sites; // those that violate it first
    size_t site_count, violated, doubtful; // of them
    bool ruled_out;                        // every call respects it
};

// A check (a cause at a line) that depended on inputs when the task's search met it.
enum check_verdict {
    CHECK_UNDETERMINED, // tried, and never failed
    CHECK_VIOLATED,     // there is an alarm
    CHECK_SAFE,         // every path was followed, and on none of them it can fail
};
struct result_check {
    unsigned cause; // enum wire_fault
    const char *check, *kind, *function, *file;
    uint32_t line;
    enum check_verdict verdict;
    size_t tried;       // attempts to make it fail
    const char *reason; // UNDETERMINED: why; SAFE: assumptions ("" none)
};

struct result_sample { // coverage that the engine saw, after an iteration that added to it
    uint64_t iteration, queries;
    double seconds;
    uint32_t branches, conditions, statements;
};

struct result_task {
    size_t part;
    const char *function; // entry, as the user wrote it
    size_t program_task;
    size_t iterations, runs, queries, queries_unknown, concretised, losses;
    size_t filtered, dropped, vector_queries; // candidates; queries for a missing vector
    double seconds, solver_seconds, choosing_seconds;
    VEC(struct result_sample) samples; // in order; the last one is the end
    bool exhausted;
    bool lines_unknown;     // not all tests ran on the build that counts lines
    bool claims_conditions; // the tests' goals include MC/DC conditions, so that measured_cover
                            // can compare those too
    VEC(const char *) assumptions;
    VEC(struct result_test *) tests;
    VEC(size_t) alarms; // indices in result.alarms of those its tests show
    VEC(struct result_check) checks;
    VEC(struct result_vector) vectors;
    VEC(struct result_pair) pairs; // of conditions that tests of the suite show
    size_t *functions;             // indices in result.functions
    size_t function_count;
    size_t *goals;            // indices in result.goals, ascending, headers included
    struct verdict *verdicts; // parallel to goals
    size_t goal_count;
    struct result_counts counts; // valid after result_aggregate
};

// A file that was read. Those with lines that tests execute have their text.
struct result_line {
    uint32_t line;
    bool in_totals;
    uint64_t hits; // how often tests execute it
};
struct result_source {
    size_t part;
    const char *path; // absolute
    const char *hash; // of its content, 16 hexadecimal digits
    const char *text; // or NULL: it is not wanted, or has changed since
    struct result_line *lines;
    size_t line_count;
};

// What exported tests have to say in C about a part.
struct result_declaration {
    size_t part;
    enum declaration_kind kind;
    const char *owner, *name, *type, *text;
};
const char *declaration_kind_name(int kind); // "stub"

struct result_layer { // of the solver
    const char *name;
    uint64_t queries, sat, unsat; // that reached it, that it answered itself
    double seconds;               // of its own
};

// A tested file of a result. Its tasks, functions, alarms and preconditions follow each other.
struct result_part {
    const char *file;              // absolute
    const char *name;              // as the project calls it; "" for a run of one file
    const char *directory;         // its run directory, relative to the result's; "" for the same
    const char *home;              // the same as the user named it
    const char *working_directory; // of the run: flags with relative paths refer to it
    const char *project_file;      // where the user keeps preconditions, or NULL
    const char *just_file;         // and justifications, or NULL
    const char *version, *options, *data_model;
    const char *const *flags; // NULL-terminated, or NULL
    uint64_t seed;
    bool reproducible, unfinished;
    exit_set exits; // because of what went wrong
    double seconds, setup_seconds;
    size_t lines, lines_covered, phantoms, slow_queries;
    size_t first_error, first_disagreement, first_note; // of the result's: up to the next part's
    struct result_counts totals;                        // valid after result_aggregate
    size_t assuming[ASSUMPTION_KINDS], open[OPEN_CAUSES];
};

// A goal of a project: several files may have it, as they have a function of a header. Covered if
// one of them covers it, else what claims the least.
struct result_shared_goal {
    size_t goal;       // the first
    size_t best;       // whose verdict holds
    size_t worst;      // which says the most
    size_t part_count; // files that have it, of which this is the last
    size_t last_part;
    bool in_totals;   // of one of them
    unsigned assumes; // those of all of them
};

struct result {
    struct arena arena;
    bool is_project;
    VEC(struct result_part *) parts; // those of a project, sorted; of one file: by result_aggregate
    // The rest of one file is what its part says, that of a project adds up its parts.
    const char *version, *file; // file: the tested one, absolute; "" for a project
    const char *directory;      // the run directory, as the user named it
    const char *project_file;   // where the user keeps preconditions, or NULL
    const char *just_file;      // and justifications, or NULL
    uint64_t seed;
    const char *data_model;        // lp64 or ilp32
    const char *working_directory; // where the run was started
    const char *options;           // the command line's effective options, one line
    const char *const *flags;      // the user's compiler flags, NULL-terminated, or NULL
    bool reproducible;
    double seconds;
    double setup_seconds; // of the processor, until the instrumented executable is linked
    VEC(const char *) errors, disagreements, notes;
    exit_set exits;  // that apply because of what went wrong; see result_exits
    bool unfinished; // the run goes on: what stands here is found if it is killed
    VEC(struct result_task *) tasks;
    VEC(struct result_alarm *) alarms;
    VEC(struct result_precondition) preconditions;
    VEC(struct result_layer) layers; // in the order in which queries pass them
    size_t slow_queries;             // of more than a second
    VEC(struct result_source) sources;
    VEC(struct result_declaration) declarations; // parts in their order
    VEC(struct result_decision) decisions;
    struct result_function *functions;
    size_t function_count;
    struct result_goal *goals;
    size_t goal_count;
    size_t lines, lines_covered;       // of the file, see measured_set_total_lines
    struct result_counts totals;       // valid after result_aggregate
    size_t assuming[ASSUMPTION_KINDS]; // goals of the totals by kind; one can have several
    size_t open[OPEN_CAUSES];          // open goals of the totals by cause, likewise
    size_t *goal_of_branch;            // [2 * branch + outcome]
    size_t *goal_of_condition;         // [branch]
    size_t branch_count;
    size_t phantoms; // goals that llvm-cov counted behind what did not return
    VEC(struct result_shared_goal) shared_goals; // of a project, each once; after result_aggregate
};

// Texts given to the functions below are copied.
void result_init(struct result *result, const char *file);
void result_release(struct result *result);

void result_add_error(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void result_add_disagreement(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The engine and the clean build do not say the same about a goal of this task.
void result_disagree(struct result *result, const struct result_task *task, size_t goal,
                     const char *what);
// Adds to the layer of this name.
void result_add_layer(struct result *result, const struct result_layer *layer);
void result_add_note(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Goals by program ids; RESULT_NONE when llvm-cov does not count it (folded, or a
// condition of a decision without MC/DC record).
size_t result_branch_goal(const struct result *result, size_t branch, bool outcome);
size_t result_condition_goal(const struct result *result, size_t branch);

// A file that was read, and its hash.
struct result_source *result_add_source(struct result *result, const char *path, const char *hash);

void result_add_declaration(struct result *result, const struct result_declaration *declaration);

// A task with all its goals undetermined ("not searched").
struct result_task *result_add_task(struct result *result, const struct program *program,
                                    size_t program_task);
// A test, numbered from 1. `goals` (result goal indices, any order) may be empty.
struct result_test *result_add_test(struct result *result, struct result_task *task,
                                    const char *path, const size_t *goals, size_t goal_count);
void result_add_assumption(struct result *result, struct result_task *task, const char *text);

// Verdicts of one task. A goal that is covered stays covered; claiming it infeasible adds
// a disagreement. goal must belong to the task (else nothing happens).
void result_set_infeasible(struct result *result, struct result_task *task, size_t goal,
                           enum proof_kind proof, const char *evidence,
                           const struct assumptions *assumptions);
void result_set_undetermined(struct result *result, struct result_task *task, size_t goal,
                             const struct open_reason *reason);
// The same reason for every goal of the task that is neither covered nor proven.
void result_set_open_reason(struct result *result, struct result_task *task,
                            const struct open_reason *reason);
const struct verdict *result_verdict(const struct result_task *task, size_t goal); // or NULL

// Groups by place and cause: a second test at the same place raises count, and the stronger
// proof wins. Of `what` cause, check, kind, function, file, line, proof and detail are read,
// and inputs and way, of which the shortest are kept (with their task and test); and the stack of
// the first that has one.
struct result_alarm *result_add_alarm(struct result *result, struct result_task *task,
                                      unsigned test, const struct result_alarm *what);

// N of "alarm-N": its number among those of its file, from 1. Claims name alarms by it.
size_t result_alarm_number(const struct result *result, size_t alarm);
// The function whose test shows it, "?" if that is not known.
const char *result_alarm_task(const struct result *result, const struct result_alarm *alarm);
// Is it among the alarms or bugs of the totals?
bool result_counts_alarm(const struct result_alarm *alarm);

// A check of the task: those of one cause at one line are one, with the worst verdict (a
// violated one is the worst, one that is safe the best).
void result_add_check(struct result *result, struct result_task *task,
                      const struct result_check *check);
const char *check_verdict_name(enum check_verdict verdict); // "violated" ...

// Computes the file's verdicts and all counts. May be called again after changes. An open goal that
// the user justifies counts as justified, in tasks too; their verdicts keep why it is open.
void result_aggregate(struct result *result);

// result_shared.c: the goals of a project, each once, and what they add to the totals.
void result_share_goals(struct result *result);

// Which of two verdicts about a goal holds: that of the smaller rank.
int verdict_rank(const struct verdict *verdict);
void result_count_goal(struct result_counts *counts, enum goal_kind kind,
                       const struct verdict *verdict);

// All exit codes that apply to the run, after result_aggregate.
exit_set result_exits(const struct result *result);

const char *verdict_name(enum verdict_kind kind); // "covered" ...
const char *proof_name(enum proof_kind kind);     // "folded by the compiler" ...
const char *alarm_proof_name(enum alarm_proof proof);
const char *site_verdict_name(enum site_verdict verdict); // "violates" ...

#endif
