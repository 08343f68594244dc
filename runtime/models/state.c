// SPDX-License-Identifier: Apache-2.0
// What earlier calls may have left in the C library; runtime/replay_state.c is the same for
// clean builds.
#include "world.h"
#include <pthread.h>

char *czm_strtok_r(char *text, const char *separators, char **state);

// What an earlier call has left of its text is an input.
char *czm_strtok(char *text, const char *separators)
{
    static char *state;
    static int is_begun;
    if (!text && !is_begun && czrt_in_run() && !czm_is_program()) {
        cz_path at = cz_root("strtok");
        state = cz_present(at) ? cz_text(at, czm_text_bytes()) : cz_absent(at);
        if (state)
            cz_array(at, state, CZ_I8, czm_text_bytes());
    }
    is_begun = 1;
    return czm_strtok_r(text, separators, &state);
}

int czm_pthread_equal(pthread_t left, pthread_t right)
{
    return left == right;
}
