// SPDX-License-Identifier: Apache-2.0
// A piece of generated C in two views. The plain view is what Cadenza is given. The marked
// view is the same code with a recording call around every condition, for the attacker's own
// builds: an instrumentation that shares nothing with Cadenza's.
//
// Notation in templates, beside plain C:
//     {{EXPR}}        a leaf condition; alone on its line in the plain view, so that the line
//                     identifies it
//     {[ ... ]}       a decision of several leaf conditions
//     {(EXPR)}        the value of a switch
//     {:case 3:}      a label of the innermost switch
//     @               in the marked view a call of tick(), where other threads, devices and
//                     signal handlers may change what they share with the function; write it
//                     inside parentheses, before an operand: (@shared)
#ifndef ATTACK_TEXT_H
#define ATTACK_TEXT_H

#include "base/buf.h"
#include "base/vec.h"

// A condition or a label. Its number is its index in the unit's list.
struct goal {
    unsigned line;      // of the plain view, from 1
    unsigned marked[2]; // lines of the marked view that only the false and the true outcome
                        // execute; of a label both are its own
    int is_case;
    int decision; // which decision of several conditions it belongs to, or -1
    int position; // in that decision
    int choice;   // which switch a label belongs to, or -1
};

struct text {
    struct buf plain, marked;
    unsigned lines, marked_lines; // complete lines of the views
    VEC(struct goal) goals;
    int decisions, choices;
    int open_decision, open_choice; // while a template is being read, else -1
};

void text_init(struct text *text);
void text_release(struct text *text);

// Append a template; or C to the marked view only.
void text_add(struct text *text, const char *template);
void text_mark(struct text *text, const char *more);

#endif
