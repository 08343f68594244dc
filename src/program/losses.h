// SPDX-License-Identifier: Apache-2.0
// Why a run does not stand for all inputs that take its path, in words (wire/losses.def), and
// what that does to a claim.
#ifndef CZ_PROGRAM_LOSSES_H
#define CZ_PROGRAM_LOSSES_H

#include "wire/wire.h"

const char *loss_words(int loss); // "bound --elements"
enum wire_loss_class loss_class(int loss);

#endif
