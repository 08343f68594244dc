// SPDX-License-Identifier: Apache-2.0
// The ledger of claims: of several about one goal, the one that presumes least.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "judge/ledger.h"

static const struct presumption items[] = {{ASSUMES_OBJECTS, "objects"},
                                           {ASSUMES_BOUND, "within 4"}};

static struct claim presuming(size_t goal, enum proof_kind proof, size_t count)
{
    struct claim claim = {
        .goal = goal, .proof = proof, .presumes = {items, count, 0}, .evidence = "shown"};
    for (size_t i = 0; i < count; i++)
        claim.presumes.kinds |= items[i].kind;
    return claim;
}

static void the_claim_that_presumes_least_counts(void **state)
{
    (void)state;
    struct ledger ledger;
    ledger_init(&ledger, 3);
    assert_null(ledger_find(&ledger, 1));
    ledger_add(&ledger, &(struct claim){.goal = 0, .proof = PROOF_FOLDED, .evidence = "folded"});
    struct claim claims[] = {presuming(1, PROOF_OPTIMISER, 2), presuming(1, PROOF_EXHAUSTED, 1),
                             presuming(1, PROOF_COUPLED, 1), presuming(0, PROOF_EXHAUSTED, 0)};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        ledger_add(&ledger, &claims[i]);
    assert_int_equal(ledger_find(&ledger, 1)->proof, PROOF_EXHAUSTED); // the first of equals
    assert_int_equal(ledger_find(&ledger, 0)->proof, PROOF_FOLDED);
    assert_null(ledger_find(&ledger, 2));
    assert_int_equal(ledger.claims.count, 5);
    assert_null(ledger_check(&ledger));
    ledger.best[1] = 2; // presumes more than another one
    assert_non_null(ledger_check(&ledger));
    ledger.best[1] = 1; // about another goal
    assert_non_null(ledger_check(&ledger));
    ledger_release(&ledger);
}

static void presumptions_are_named_in_one_sentence(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct claim weak = presuming(0, PROOF_OPTIMISER, 2), strong = presuming(0, PROOF_OPTIMISER, 0);
    assert_string_equal(presumptions_text(&weak.presumes, &arena), "objects; within 4");
    assert_string_equal(presumptions_text(&strong.presumes, &arena), "");
    arena_release(&arena);
}

int test_ledger(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_claim_that_presumes_least_counts),
        cmocka_unit_test(presumptions_are_named_in_one_sentence),
    };
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
