// SPDX-License-Identifier: Apache-2.0
// Whose recursion has filled the stack? The frame that went too far may be of any function
// that was called last, so the return addresses near the end of the stack are counted: the
// function with the most of them it is, the first in the code among equals.
#define _GNU_SOURCE 1
#include "target_process.h"

#define MAX_SCANNED   (64u << 10) // bytes of the stack
#define MAX_FUNCTIONS 64          // different ones there

extern const char __start_cz_code[] __attribute__((weak, visibility("hidden")));
extern const char __stop_cz_code[] __attribute__((weak, visibility("hidden")));

#ifdef __x86_64__
#define STACK_REGISTER REG_RSP
#else
#define STACK_REGISTER REG_ESP
#endif

struct tally {
    uint32_t site, count;
};

static bool is_code(uintptr_t address)
{
    return address >= (uintptr_t)__start_cz_code && address < (uintptr_t)__stop_cz_code;
}

// The function that holds an address of the unit's code: the last one that begins before.
static uint32_t site_at(uintptr_t address)
{
    const struct czrt_function *best = NULL;
    for (const struct czrt_function *f = __start_cz_functions; f < __stop_cz_functions; f++)
        if ((uintptr_t)f->address <= address && (!best || f->address > best->address))
            best = f;
    return best ? best->site : 0;
}

static void count(struct tally *tallies, uint32_t *used, uint32_t site)
{
    uint32_t i = 0;
    while (i < *used && tallies[i].site != site)
        i++;
    if (i == MAX_FUNCTIONS)
        return;
    if (i == *used)
        tallies[(*used)++] = (struct tally){site, 0};
    tallies[i].count++;
}

uint32_t czrt_recursion_site(const ucontext_t *context)
{
    const uintptr_t floor = CZRT_STACK_BASE + CZRT_STACK_GUARD;
    const uintptr_t top = CZRT_STACK_BASE + CZRT_STACK_SIZE;
    uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[STACK_REGISTER] & -sizeof(uintptr_t);
    uintptr_t last = 0;
    struct tally tallies[MAX_FUNCTIONS], best = {0};
    uint32_t used = 0, last_site = 0;
    if (stack < floor)
        stack = floor;
    uintptr_t end = top - stack > MAX_SCANNED ? stack + MAX_SCANNED : top;
    for (; stack + sizeof(uintptr_t) <= end; stack += sizeof(uintptr_t)) {
        uintptr_t word = *(const uintptr_t *)stack;
        if (!is_code(word))
            continue;
        if (word != last) // a recursion returns to the same place again and again
            last_site = site_at(word);
        last = word;
        count(tallies, &used, last_site);
    }
    for (uint32_t i = 0; i < used; i++)
        if (tallies[i].count > best.count ||
            (tallies[i].count == best.count && tallies[i].site < best.site))
            best = tallies[i];
    return best.site;
}
