// SPDX-License-Identifier: Apache-2.0
// State of the C library, the process and the environment that calls before this one left.
#include "sources.h"

#include <stdio.h>

#define ADD(part, ...) buf_printf(&fn->part, __VA_ARGS__)

void source_error_number(struct fn *fn)
{
    unsigned n = fn_new(fn);
    switch (fn_below(fn, 4)) {
    case 0: fn_value(fn, "errno"); break;
    case 1:
        ADD(code, "int e%u = errno;\n", n);
        fn_value(fn, "e%u", n);
        break;
    case 2:
        ADD(code, "int k%u = abs(-3);\nint e%u = errno;\n(void)k%u;\n", n, n, n);
        fn_value(fn, "e%u", n);
        break;
    default:
        ADD(code, "long k%u = strtol(\"12\", 0, 10);\nint e%u = errno;\n", n, n);
        fn_value(fn, "e%u", n);
        fn_value(fn, "k%u", n);
    }
    fn_use(fn, 34);
    fn_use(fn, 11);
}

void source_file_offset(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(code, "long off%u = (long)lseek(0, %u, SEEK_%s);\n", n, fn_below(fn, 3),
        fn_chance(fn, 2) ? "CUR" : "END");
    fn_value(fn, "off%u", n);
    if (fn_chance(fn, 2)) {
        ADD(code, "char in%u = 0;\nlong got%u = (long)read(0, &in%u, 1);\n", n, n, n);
        fn_value(fn, "in%u", n);
        fn_value(fn, "got%u", n);
    }
}

void source_signal_disposition(struct fn *fn)
{
    static const char *const signals[] = {"SIGUSR1", "SIGTERM", "SIGPIPE", "SIGINT", "SIGHUP"};
    unsigned n = fn_new(fn);
    if (fn_chance(fn, 2)) {
        ADD(code, "void (*old%u)(int) = signal(%s, SIG_DFL);\n", n, signals[fn_below(fn, 5)]);
        fn_flag(fn, "old%u == SIG_IGN", n);
        fn_flag(fn, "old%u == SIG_DFL", n);
    } else {
        ADD(code, "sigset_t set%u;\nsigemptyset(&set%u);\nsigprocmask(SIG_BLOCK, 0, &set%u);\n", n,
            n, n);
        fn_flag(fn, "sigismember(&set%u, SIGUSR1)", n);
    }
}

void source_option_index(struct fn *fn)
{
    fn_value(fn, fn_chance(fn, 2) ? "optind" : "opterr");
    fn_value(fn, "optopt");
}

void source_held_mutex(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "extern pthread_mutex_t mutex%u;\n", n);
    ADD(define, "pthread_mutex_t mutex%u = PTHREAD_MUTEX_INITIALIZER;\n", n);
    ADD(globals,
        "    pthread_mutex_init(&mutex%u, NULL);\n    if (feature(FEATURE_LIBRARY) && below(2))\n"
        "        pthread_mutex_lock(&mutex%u);\n",
        n, n);
    ADD(code, "int v%u = pthread_mutex_trylock(&mutex%u);\n", n, n);
    fn_flag(fn, "v%u != 0", n);
}

void source_float_exceptions(struct fn *fn)
{
    fn_flag(fn, "fetestexcept(FE_DIVBYZERO) != 0");
    fn_flag(fn, "fetestexcept(FE_ALL_EXCEPT) == 0");
}

void source_rounding_mode(struct fn *fn)
{
    fn_flag(fn, "fegetround() == FE_TONEAREST");
    fn_flag(fn, "fegetround() == FE_UPWARD");
}

void source_rounded_result(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(before, "double num%u = 1, den%u = 3;\n", n, n);
    ADD(define, "extern double num%u, den%u;\n", n, n);
    ADD(globals,
        "    num%u = below(2) ? 1 : any_float();\n    den%u = below(2) ? 3 : any_float();\n", n, n);
    ADD(code, "volatile double vd%u = 10;\ndouble d%u = vd%u / 3;\nlong w%u = lrint(%u.5);\n", n, n,
        n, n, fn_below(fn, 9));
    fn_flag(fn, "d%u > 3.3333333333333335", n);
    fn_flag(fn, "d%u == 3.3333333333333335", n);
    fn_value(fn, "w%u", n);
}

void source_token(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(code, "char *tok%u = strtok(0, \", \");\n", n);
    fn_flag(fn, "tok%u != 0", n);
}

void source_environment(struct fn *fn)
{
    static const char *const names[] = {"MODE", "HOME", "DEBUG"};
    unsigned n = fn_new(fn);
    ADD(code, "const char *env%u = getenv(\"%s\");\nif ({{env%u == 0}})\nreturn -40;\n", n,
        names[fn_below(fn, 3)], n);
    fn_value(fn, "env%u[0]", n);
    fn_value(fn, "(int)strlen(env%u)", n);
    fn_use(fn, '1');
}

void source_locale(struct fn *fn)
{
    unsigned n = fn_new(fn);
    if (fn_chance(fn, 2)) {
        ADD(code, "const char *loc%u = setlocale(LC_ALL, 0);\n", n);
        fn_flag(fn, "strcmp(loc%u, \"C\") == 0", n);
    } else {
        ADD(code, "int v%u = (int)MB_CUR_MAX;\n", n);
        fn_flag(fn, "v%u == 1", n);
    }
}

void source_random_numbers(struct fn *fn)
{
    unsigned n = fn_new(fn);
    ADD(code, "int v%u = %s;\n", n, fn_chance(fn, 2) ? "rand()" : "(int)lrand48()");
    fn_flag(fn, "(v%u & 1) == 0", n);
    fn_flag(fn, "v%u %% 5 == 2", n);
    fn_flag(fn, "v%u < 0", n);
}

void source_process_state(struct fn *fn)
{
    unsigned n = fn_new(fn);
    switch (fn_below(fn, 6)) {
    case 0:
        ADD(code, "unsigned v%u = umask(18);\n", n);
        fn_flag(fn, "v%u == 18", n);
        fn_flag(fn, "v%u > 256", n);
        break;
    case 1:
        ADD(code, "int v%u = isatty(0);\n", n);
        fn_flag(fn, "v%u != 0", n);
        break;
    case 2:
        ADD(code, "int v%u = fcntl(0, F_GETFD);\n", n);
        fn_flag(fn, "v%u < 0", n);
        break;
    case 3:
        ADD(code, "int v%u = (int)(getpid() & 1);\n", n);
        fn_flag(fn, "v%u == 1", n);
        break;
    case 4:
        ADD(code, "long v%u = (long)time(0);\n", n);
        fn_flag(fn, "v%u %% 2 == 0", n);
        fn_flag(fn, "v%u < 0", n);
        break;
    default:
        ADD(code, "int v%u = dup(0);\nif ({{v%u >= 0}})\nclose(v%u);\n", n, n, n);
        fn_flag(fn, "v%u == 3", n);
    }
}

void source_stream_state(struct fn *fn)
{
    unsigned n = fn_new(fn);
    switch (fn_below(fn, 3)) {
    case 0:
        ADD(code, "int v%u = getchar();\n", n);
        fn_value(fn, "v%u", n);
        break;
    case 1:
        fn_flag(fn, "feof(stdin)");
        fn_flag(fn, "ferror(stdin)");
        break;
    default: ADD(code, "int v%u = puts(\"x\");\n", n); fn_flag(fn, "v%u < 0", n);
    }
}

void source_library_text(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code, "char t%u[16];\nint v%u = snprintf(t%u, sizeof t%u, \"%%d\", x%u);\n", n, n, n, n, x);
    fn_value(fn, "v%u", n);
    fn_value(fn, "t%u[0]", n);
    fn_flag(fn, "isalpha((unsigned char)x%u)", x);
    fn_use(fn, '-');
    fn_use(fn, 'q');
}

void source_allocation(struct fn *fn)
{
    unsigned n = fn_new(fn), x = fn_int(fn);
    ADD(code,
        "unsigned *m%u = calloc(4, sizeof *m%u);\nif ({{m%u == 0}})\nreturn -41;\n"
        "m%u[(unsigned)x%u & 3u] = %uu;\nunsigned v%u = m%u[1];\nfree(m%u);\n",
        n, n, n, n, x, fn_below(fn, 99), n, n, n);
    fn_value(fn, "v%u", n);
}
