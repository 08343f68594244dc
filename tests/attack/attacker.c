// SPDX-License-Identifier: Apache-2.0
// attacker DIRECTORY SEED CADENZA RUNTIME OBJECTS ITERATIONS
//
// Attacks what Cadenza claimed about the unit in DIRECTORY (DIRECTORY/out is the finished
// run). Writes DIRECTORY/findings.txt and prints one line of counts. The exit code is 1 if a
// claim is false, 2 if the attack itself could not be made.
#include "attacker.h"

#include "base/fs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *attack_sources(const struct attack *attack, const char *task)
{
    const char *line = buf_text(&attack->sources);
    size_t length = strlen(task);
    while (line && (strncmp(line, task, length) != 0 || line[length] != ' '))
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    return line ? line + length : NULL;
}

bool attack_varies(const struct attack *attack, const char *task)
{
    static const char *const words[] = {" address_", " adjacent_",      " shared_literals",
                                        " freed_",   " uninitialised_", " half_filled",
                                        " no_return"};
    const char *sources = attack_sources(attack, task);
    for (unsigned i = 0; sources && i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(sources, words[i]);
        if (at && at < strchr(sources, '\n'))
            return true;
    }
    return false;
}

static void count_claims(struct attack *attack)
{
    for (size_t i = 0; i < attack->claims.claims.count; i++) {
        const struct claim *claim = &attack->claims.claims.items[i];
        attack->counts[COUNT_GOALS]++;
        attack->counts[claim->strength == CLAIM_COVERED  ? COUNT_COVERED
                       : claim->strength == CLAIM_STRONG ? COUNT_STRONG
                       : claim->strength == CLAIM_WEAK   ? COUNT_WEAK
                                                         : COUNT_OPEN]++;
    }
}

static void print_counts(const struct attack *attack)
{
    printf("seed=%llu functions=%d", attack->seed, 20);
    static const char *const names[] = {
#define COUNT(name, word) word,
#include "counts.def"
#undef COUNT
    };
    for (unsigned i = 0; i < COUNT_COUNT; i++)
        printf(" %s=%u", names[i], attack->counts[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: attacker DIRECTORY SEED CADENZA RUNTIME OBJECTS ITERATIONS\n");
        return 2;
    }
    struct attack attack = {.directory = argv[1],
                            .seed = strtoull(argv[2], NULL, 0),
                            .cadenza = argv[3],
                            .iterations = (unsigned)atoi(argv[6])};
    struct error err = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/sources.txt", argv[1]);
    bool good = fs_read(path, &attack.sources, &err) &&
                claims_read(argv[1], &attack.claims, &err) &&
                builds_init(&attack.builds, argv[1], argv[4], argv[5], &err);
    snprintf(path, sizeof path, "%s/findings.txt", argv[1]);
    if (good) {
        count_claims(&attack);
        good = refute_claims(&attack, &err) && confirm_covered(&attack, &err) &&
               confirm_independently(&attack, &err) && confirm_alarms(&attack, &err) &&
               fs_write(path, buf_text(&attack.findings), attack.findings.length, &err);
    }
    print_counts(&attack);
    builds_release(&attack.builds);
    claims_release(&attack.claims);
    unsigned bad = attack.counts[COUNT_FALSE_STRONG] + attack.counts[COUNT_FALSE_WEAK] +
                   attack.counts[COUNT_UNINITIALISED] + attack.counts[COUNT_UNCONFIRMED] +
                   attack.counts[COUNT_DIFFERENT] + attack.counts[COUNT_ALARMS_UNCONFIRMED];
    if (!good)
        fprintf(stderr, "attacker: seed %llu: %s\n", attack.seed, err.text);
    else
        fputs(buf_text(&attack.findings), stdout);
    buf_release(&attack.findings);
    buf_release(&attack.sources);
    return !good ? 2 : bad > 0;
}
