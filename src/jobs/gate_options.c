// SPDX-License-Identifier: Apache-2.0
#include "jobs/gate_options.h"

bool gate_of_options(const struct options *options, struct gate *gate, struct error *err)
{
    static const enum verdict_kind kinds[] = {[OPTION_DONE_INFEASIBLE] = VERDICT_INFEASIBLE,
                                              [OPTION_DONE_ASSUMING] = VERDICT_ASSUMING,
                                              [OPTION_DONE_JUSTIFIED] = VERDICT_JUSTIFIED};
    gate->done = 0;
    for (unsigned i = 0; i < OPTION_COUNT_done; i++)
        if (options_chose(options->done, i))
            gate->done |= 1u << kinds[i];
    return gate_parse(gate, options->require, err);
}

exit_set gate_exits(const struct options *options, const struct result_counts *counts)
{
    struct gate gate;
    return gate_of_options(options, &gate, NULL) && gate_holds(&gate, counts) ? 0
                                                                              : exit_bit(EXIT_GATE);
}
