// SPDX-License-Identifier: Apache-2.0
// What the two files of the replay library share: replay.c runs tests in children,
// replay_inputs.c gives the driver its inputs.
#ifndef CZ_REPLAY_H
#define CZ_REPLAY_H

#include "testfile_read.h"

// What a child tells its parent, in a page that both share.
struct replay_report {
    volatile bool finished;     // the task returned
    volatile bool timed_out;
    volatile unsigned used;     // inputs of the file that the driver asked for
    char error[256];            // "" or why the test could not be run
};

extern struct replay_report *replay_report;

void replay_inputs_begin(struct testfile *test);

#endif
