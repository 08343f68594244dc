// SPDX-License-Identifier: Apache-2.0
#include "campaign/campaign_options.h"

#include "campaign/campaign_setup.h"
#include "program/faults.h"
#include "solver/solver.h"
#include <string.h>

static bool check_goals(const struct options *o, struct error *err)
{
    struct buf file = BUF_INIT;
    bool good = true;
    for (const char *word = o->goals; good && *word;) {
        size_t length = strcspn(word, ",");
        uint32_t line;
        int outcome;
        if (!campaign_parse_goal(word, length, &file, &line, &outcome))
            good = error_set(err, ERROR_USAGE,
                             "'%.*s' is no goal: file.c:LINE, file.c:LINE:T or file.c:LINE:F",
                             (int)length, word);
        word += length + (word[length] == ',');
    }
    buf_release(&file);
    return good;
}

static bool check_layers(const struct options *options, struct error *err)
{
    struct buf bad = BUF_INIT;
    unsigned without;
    bool good = solver_parse_layers(options->layers, &without, &bad) ||
                error_set(err, ERROR_USAGE, "there is no solver layer '%s'", buf_text(&bad));
    buf_release(&bad);
    return good;
}

bool campaign_check_options(const struct options *options, struct error *err)
{
    uint32_t checks;
    return check_goals(options, err) &&
           faults_choose(options->check, options->no_check, &checks, err) &&
           check_layers(options, err);
}
