// SPDX-License-Identifier: Apache-2.0
// The numbers of tunables.def as constants of type int. What is a fraction or a time in the code is
// a whole number of thousandths in the table; the division is done by the compiler and is exact in
// the sense that 990 of 1000 is the same double as 0.99.
#ifndef CZ_BASE_TUNABLES_H
#define CZ_BASE_TUNABLES_H

enum {
#define TUNABLE(name, value, least, most, meaning)      name = (value),
#define CAP(name, value, least, most, meaning, reached) name = (value),
#include "base/tunables.def"
#undef TUNABLE
#undef CAP
};

#define TUNABLE(name, value, least, most, meaning)                                                 \
    _Static_assert((least) <= (value) && (value) <= (most), #name " is out of its range");
#define CAP(name, value, least, most, meaning, reached) TUNABLE(name, value, least, most, meaning)
#include "base/tunables.def"
#undef TUNABLE
#undef CAP

#define TUNABLE_FRACTION(permille) ((permille) / 1000.0)
#define TUNABLE_SECONDS(ms)        ((ms) / 1000.0)

#endif
