// SPDX-License-Identifier: Apache-2.0
// What a run of Cadenza says about a generated unit, read from its database: a verdict per
// task and goal, matched with the generator's conditions by line, and the alarms.
#ifndef ATTACK_CLAIMS_H
#define ATTACK_CLAIMS_H

#include "base/error.h"
#include "base/vec.h"
#include "text.h"

enum strength { CLAIM_COVERED, CLAIM_STRONG, CLAIM_WEAK, CLAIM_OPEN };

struct claim {
    enum strength strength;
    char *task;  // the function that is called
    int goal;    // of the generator, or -1: a condition that it did not write
    int outcome; // of a branch
    int vectors; // a condition of MC/DC, not a branch
    unsigned line;
    char *text, *proof, *reason;
    int test, other_test; // of a covered goal; 0: none
};

struct alarm {
    char *task, *cause, *reproduced;
    unsigned line;
    int test;
};

struct claims {
    VEC(struct goal) goals; // from goals.txt
    VEC(struct claim) claims;
    VEC(struct alarm) alarms;
    unsigned unmatched; // goals of the database that have no condition of the generator
};

bool claims_read(const char *directory, struct claims *claims, struct error *err);
void claims_release(struct claims *claims);

#endif
