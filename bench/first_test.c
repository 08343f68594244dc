// SPDX-License-Identifier: Apache-2.0
// Time from `cadenza run FILE` to its first test on disk, and of one `clang -O1`
// compile and link of FILE, alternating; prints the ratio of the medians.
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 7 };
extern char **environ;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static pid_t start(char *const *argv)
{
    pid_t pid;
    if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0) {
        perror(argv[0]);
        exit(1);
    }
    return pid;
}

static double compile(const char *file, const char *out)
{
    char *argv[] = {"clang-19", "-O1", (char *)file, "-o", (char *)out, "-lm", NULL};
    double begin = now();
    int status;
    waitpid(start(argv), &status, 0);
    if (status) {
        fprintf(stderr, "clang failed\n");
        exit(1);
    }
    return now() - begin;
}

static double first_test(const char *cadenza, const char *file, const char *directory)
{
    char command[4096], pattern[4096];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0)
        exit(1);
    snprintf(pattern, sizeof pattern, "%s/tests/*/*.test", directory);
    char *argv[] = {(char *)cadenza, "run", (char *)file, "-o", (char *)directory, "-q", NULL};
    double begin = now(), took = 0;
    pid_t pid = start(argv);
    for (;;) {
        glob_t found;
        int failed = glob(pattern, 0, NULL, &found);
        if (!failed)
            took = now() - begin;
        globfree(&found);
        if (!failed || now() - begin > 60)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return took ? took : 1e9;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: first_test CADENZA FILE.c DIRECTORY\n");
        return 2;
    }
    char out[4096];
    snprintf(out, sizeof out, "%s.exe", argv[3]);
    double plain[ROUNDS], ours[ROUNDS];
    compile(argv[2], out);
    for (int i = 0; i < ROUNDS; i++) {
        plain[i] = compile(argv[2], out);
        ours[i] = first_test(argv[1], argv[2], argv[3]);
    }
    qsort(plain, ROUNDS, sizeof *plain, by_size);
    qsort(ours, ROUNDS, sizeof *ours, by_size);
    double ratio = ours[ROUNDS / 2] / plain[ROUNDS / 2];
    printf("first test after %.0f ms, clang -O1 %.0f ms, ratio %.1f (target: 5)\n",
           ours[ROUNDS / 2] * 1e3, plain[ROUNDS / 2] * 1e3, ratio);
    return ratio > 5;
}
