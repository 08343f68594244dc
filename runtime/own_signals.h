// SPDX-License-Identifier: Apache-2.0
// Signals stay at home. Used by the target process and by the replay library; plain C on the
// kernel's interfaces, so that targets need no extra library.
#ifndef CZRT_OWN_SIGNALS_H
#define CZRT_OWN_SIGNALS_H

#include <stdbool.h>

// Does Landlock keep signals within this process and its children (version 6)?
bool czrt_signals_are_scoped(void);

// Signals may only go to the calling process from now on. The jail cannot do this for all: a
// child that a fork server makes has another process id, and would inherit a filter that
// forbids its own abort().
bool czrt_signals_only_to_self(void);

#endif
