// SPDX-License-Identifier: Apache-2.0
// The replay library's reader of test files, which reads from a file.
#include "testfile_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_values(const char *text)
{
    static const unsigned widths[] = {1, 3, 8, 32, 64, 128};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            const char *at = text;
            testfile_wide value;
            while (!testfile_at_end(at) && testfile_integer(&at, widths[i], is_signed, &value))
                ;
        }
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        const char *at = text;
        uint64_t raw;
        while (!testfile_at_end(at) && testfile_float(&at, bits, &raw))
            ;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    struct testfile test;
    char error[256] = "";
    if (testfile_read(path, &test, error, sizeof error)) {
        for (size_t i = 0; i < test.input_count; i++) {
            if (!testfile_find(&test, test.inputs[i].path))
                abort();
            read_values(test.inputs[i].value);
        }
        testfile_release(&test);
    } else if (!*error) {
        abort();
    }
    return 0;
}
