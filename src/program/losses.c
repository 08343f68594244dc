// SPDX-License-Identifier: Apache-2.0
#include "program/losses.h"

static const struct {
    const char *words;
    enum wire_loss_class class;
} losses[] = {
#define LOSS(name, class, words) {words, WIRE_LOSS_IS_##class},
#include "wire/losses.def"
#undef LOSS
};

const char *loss_words(int loss)
{
    return losses[loss].words;
}

enum wire_loss_class loss_class(int loss)
{
    return losses[loss].class;
}
