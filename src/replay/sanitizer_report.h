// SPDX-License-Identifier: Apache-2.0
// The reports of ASan and UBSan as they stand in the standard error of a test.
#ifndef CZ_REPLAY_SANITIZER_REPORT_H
#define CZ_REPLAY_SANITIZER_REPORT_H

#include "base/arena.h"
#include "base/vec.h"
#include "replay/replay.h"

// Appends the reports in `text` to `crash`, still without places. Frames are addresses in the
// executable: symbolizing takes a process, so all reports of all tests are looked up at once.
void sanitizer_read(const struct clean_build *build, const char *text, struct arena *arena,
                    struct replay_crash *crash);
// Places, of all reports that sanitizer_read() made for these tests.
void sanitizer_locate(const struct clean_build *build, struct arena *arena,
                      struct replay_crash *crashes, size_t count);

// Is a symbolized frame in the user's code, and where?
bool sanitizer_user_frame(const char *text, struct sanitizer_place *out);
// The function that a line of a text belongs to, or "".
const char *sanitizer_function_at(const struct clean_build *build,
                                  const struct sanitizer_place *at);

#endif
