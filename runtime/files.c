// SPDX-License-Identifier: Apache-2.0
// Streams that the code under test opens. The real functions open them (the sandbox
// decides what may be written); we remember them and close what a run has left
// open, or thousands of runs would use up the descriptors.
#define _GNU_SOURCE 1
#include "process.h"
#include <stdio.h>

#define MAX_STREAMS 64

static FILE *streams[MAX_STREAMS];
static unsigned stream_count;

static FILE *remember(FILE *stream)
{
    czrt_loss(WIRE_LOSS_EXTERNAL);
    czrt_ret = 0;
    if (!stream || !czrt_running)
        return stream;
    if (stream_count == MAX_STREAMS) {
        fclose(stream);
        return NULL;
    }
    streams[stream_count++] = stream;
    return stream;
}

FILE *czrt_fopen(const char *path, const char *mode)
{
    return remember(fopen(path, mode));
}

FILE *czrt_fopen64(const char *path, const char *mode)
{
    return remember(fopen(path, mode));
}

FILE *czrt_tmpfile(void)
{
    return remember(tmpfile());
}

int czrt_fclose(FILE *stream)
{
    czrt_loss(WIRE_LOSS_EXTERNAL);
    for (unsigned i = 0; i < stream_count; i++)
        if (streams[i] == stream) {
            streams[i] = streams[--stream_count];
            int result = fclose(stream);
            czrt_ret = 0;
            return result;
        }
    czrt_ret = 0;
    // Standard streams serve later runs too; anything else was closed before.
    if (czrt_running && stream != stdin && stream != stdout && stream != stderr)
        czrt_fault(stream ? WIRE_FAULT_FREED : WIRE_FAULT_NULL, 0, stream);
    return czrt_running ? 0 : fclose(stream);
}

void czrt_files_reset(void)
{
    while (stream_count > 0)
        fclose(streams[--stream_count]);
}
